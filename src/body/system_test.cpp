// Systems in generalised coordinates: Lagrange's equations in two forms, derivatives against
// differences, the flow.
#include "body/system.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "body/rigid.h"
#include "body/test_systems.h"
#include "expr/derivative.h"
#include "math/index.h"
#include "math/rotation.h"

namespace trammel::body::system_test {
namespace {

using expr::Expression;

double value(const Expression& e, const std::vector<Expression>& inputs,
             const std::vector<double>& at) {
  const expr::Compiled c = expr::Tape::compile(std::array{e}, inputs, {.active = 0, .order = 0});
  EXPECT_TRUE(c) << c.error;
  std::vector<double> scratch(c.tape.scratch_size());
  double out = 0;
  c.tape.value(at, std::span(&out, 1), scratch);
  return out;
}

Expression by(Expression e, Expression x) {
  const expr::Derivative d = expr::derivative(e, x);
  EXPECT_TRUE(d) << d.error;
  return d.value;
}

using Matrix = std::array<std::array<Expression, 3>, 3>;

/// Pose of an object as full matrices, composed here without the pool's help.
struct PoseOf {
  std::array<Expression, 3> p;
  Matrix R;
};

Matrix turn(expr::Graph& g, const Vec3& a, Expression angle) {
  const Expression s = expr::apply(expr::Op::sin, angle), c = expr::apply(expr::Op::cos, angle);
  const Mat3 K = skew(a), K2 = K * K;
  Matrix out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[at(i)][at(j)] = g.constant(i == j) + K(i, j) * s + K2(i, j) * (1 - c);
  return out;
}

Matrix times(const Matrix& A, const Matrix& B) {
  Matrix out;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      out[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
  return out;
}

std::array<Expression, 3> plus_turned(const std::array<Expression, 3>& p, const Matrix& R,
                                      const std::array<Expression, 3>& r) {
  std::array<Expression, 3> out;
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = p[i] + (R[i][0] * r[0] + R[i][1] * r[1] + R[i][2] * r[2]);
  return out;
}

std::vector<PoseOf> poses(const SystemSpec& spec) {
  expr::Graph& g = *spec.graph;
  const auto number = [&](double x) { return g.constant(x); };
  std::vector<PoseOf> frames, out;
  for (const SystemObject& o : spec.objects) {
    PoseOf at_{{number(0), number(0), number(0)}, {}};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) at_.R[i][j] = number(i == j);
    if (o.on >= 0) at_ = frames[at(o.on)];
    at_.p = plus_turned(at_.p, at_.R, o.position);
    for (const SystemTurn& t : o.turns) at_.R = times(at_.R, turn(g, t.axis, t.angle));
    frames.push_back(at_);
    at_.p = plus_turned(at_.p, at_.R, {number(o.com[0]), number(o.com[1]), number(o.com[2])});
    out.push_back(at_);
  }
  return out;
}

/// The equations by the third-order tensor of A's derivatives: with kinetic energy
/// 1/2 sum m |p'|^2 + 1/2 tr(R' S R'^T), A_ij = sum m p_i . p_j + tr(R_i S R_j^T).
struct TensorForm {
  std::vector<std::vector<double>> A;
  std::vector<double> b, grad_V;
};

TensorForm tensor_form(const SystemSpec& spec, const std::vector<double>& q, const VecX& u) {
  const std::size_t n = spec.coordinates.size();
  std::vector<Expression> x;
  for (const SystemCoordinate& c : spec.coordinates) x.push_back(c.x);
  std::vector<std::vector<Expression>> A(n, std::vector<Expression>(n));
  const std::vector<PoseOf> all = poses(spec);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      Expression sum = spec.graph->constant(0);
      for (std::size_t k = 0; k < all.size(); ++k) {
        const SystemObject& o = spec.objects[k];
        const Mat3 I = inertia_matrix(o.inertia.data()), S = I.trace() / 2 * Mat3::Identity() - I;
        for (std::size_t r = 0; r < 3; ++r) {
          sum = sum + o.mass * (by(all[k].p[r], x[i]) * by(all[k].p[r], x[j]));
          for (int c = 0; c < 3; ++c)
            for (int d = 0; d < 3; ++d)
              sum = sum + S(c, d) * (by(all[k].R[r][at(c)], x[i]) * by(all[k].R[r][at(d)], x[j]));
        }
      }
      A[i][j] = sum;
    }
  TensorForm out;
  std::vector<std::vector<std::vector<double>>> dA(n, std::vector(n, std::vector<double>(n)));
  out.A.assign(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      out.A[i][j] = value(A[i][j], x, q);
      for (std::size_t k = 0; k < n; ++k) dA[k][i][j] = value(by(A[i][j], x[k]), x, q);
    }
  // sum_j x'_j (dA/dx_j)_i x' - 1/2 x'^T (dA/dx_i) x'
  for (std::size_t i = 0; i < n; ++i) {
    double b = 0;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        b += (dA[j][i][k] - 0.5 * dA[i][j][k]) * u[Eigen::Index(j)] * u[Eigen::Index(k)];
    out.b.push_back(b);
    out.grad_V.push_back(value(by(spec.potential, x[i]), x, q));
  }
  return out;
}

std::vector<double> random_numbers(std::mt19937& random, std::size_t n, double most = 1) {
  std::uniform_real_distribution<double> number(-most, most);
  std::vector<double> out(n);
  for (double& x : out) x = number(random);
  return out;
}

TEST(SystemEquations, AgreeWithTheThirdOrderTensorForm) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const int n = 1 + static_cast<int>(seed % 6), objects = 1 + static_cast<int>(seed / 6 % 4);
    const SystemSpec spec = test::random_system(seed, n, objects, 3'000'000);
    std::mt19937 random(1000 + seed);
    const std::vector<double> q = random_numbers(random, at(n)),
                              rates = random_numbers(random, at(n));
    const VecX u = Eigen::Map<const VecX>(rates.data(), n);
    const TensorForm right = tensor_form(spec, q, u);
    const SystemPool pool(spec);
    const std::vector<double> params = pool.parameters();
    MatX A(n, n);
    pool.embedded_mass(params.data(), q.data(), nullptr, A.data());
    VecX f = VecX::Zero(n);
    pool.add_own_force(params.data(), q.data(), u.data(), f.data());
    double scale = 1;  // of the terms that cancel
    for (int i = 0; i < n; ++i) scale = std::max(scale, std::abs(right.b[at(i)]) + A(i, i));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        EXPECT_NEAR(A(i, j), right.A[at(i)][at(j)], 1e-12 * scale) << seed;
      EXPECT_NEAR(-f[i], right.b[at(i)] + right.grad_V[at(i)], 1e-12 * scale) << seed;
    }
  }
}

}  // namespace
}  // namespace trammel::body::system_test
