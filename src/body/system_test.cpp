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
  // values and slopes of A and of V by the tape's own derivatives
  std::vector<Expression> outputs{spec.potential};
  for (const auto& row : A) outputs.insert(outputs.end(), row.begin(), row.end());
  const expr::Compiled c = expr::Tape::compile(outputs, x, {.active = n, .order = 1});
  EXPECT_TRUE(c) << c.error;
  std::vector<double> y(outputs.size()), dy(outputs.size() * n), scratch(c.tape.scratch_size());
  c.tape.gradient(q, y, dy, scratch);
  TensorForm out;
  const auto dA = [&](std::size_t k, std::size_t i, std::size_t j) {
    return dy[(1 + i * n + j) * n + k];
  };
  for (std::size_t i = 0; i < n; ++i) {
    out.A.emplace_back();
    for (std::size_t j = 0; j < n; ++j) out.A[i].push_back(y[1 + i * n + j]);
    out.grad_V.push_back(dy[i]);
  }
  // sum_j x'_j (dA/dx_j)_i x' - 1/2 x'^T (dA/dx_i) x'
  for (std::size_t i = 0; i < n; ++i) {
    double b = 0;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        b += (dA(j, i, k) - 0.5 * dA(i, j, k)) * u[Eigen::Index(j)] * u[Eigen::Index(k)];
    out.b.push_back(b);
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

/// A random system where it stands and how it moves.
struct Sample {
  explicit Sample(unsigned seed)
      : pool(test::random_system(seed, 1 + static_cast<int>(seed % 5), 3)), random(seed + 7) {
    params = pool.parameters();
    q = random_numbers(random, at(pool.nv));
    u = random_numbers(random, at(pool.nv));
  }
  std::vector<Transform> poses(const std::vector<double>& x,
                               std::vector<double>* jacobian = nullptr) const {
    std::vector<Transform> out(at(pool.n_objects));
    std::vector<double> J(at(pool.n_objects * 6 * pool.nv));
    pool.transforms(params.data(), x.data(), out.data(), J.data());
    if (jacobian) *jacobian = J;
    return out;
  }
  std::vector<double> moved(double t) const {
    std::vector<double> out = q;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += t * u[i];
    return out;
  }

  SystemPool pool;
  std::mt19937 random;
  std::vector<double> params, q, u;
};

/// Differences along the motion x = q + t u: first ones of order 4, the truncation is below 1e-9.
template <class F>
auto difference(const F& f, double d = 1e-3) {
  const auto a = f(d), b = f(-d), c = f(2 * d), e = f(-2 * d);
  return ((a - b) * (8 / (12 * d)) - (c - e) * (1 / (12 * d))).eval();
}

TEST(SystemPool, RatesAreThoseOfThePoses) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Sample s(seed);
    std::vector<double> J;
    const std::vector<Transform> now = s.poses(s.q, &J);
    std::vector<Rate> rate(now.size()), ahead(now.size()), behind(now.size());
    std::vector<Bias> bias(now.size());
    s.pool.rates(s.params.data(), s.q.data(), s.u.data(), now.data(), rate.data(), bias.data());
    for (std::size_t k = 0; k < now.size(); ++k) {
      const auto p = [&](double t) { return Vec3(s.poses(s.moved(t))[k].p); };
      const auto A = [&](double t) { return Mat3(s.poses(s.moved(t))[k].A); };
      EXPECT_LT((difference(p) - rate[k].v).norm(), 1e-8) << seed;
      EXPECT_LT((difference(A) - rate[k].A).norm(), 1e-8) << seed;
      const auto rate_at = [&](double t) {
        const std::vector<double> x = s.moved(t);
        const std::vector<Transform> there = s.poses(x);
        std::vector<Rate> r(there.size());
        std::vector<Bias> b(there.size());
        s.pool.rates(s.params.data(), x.data(), s.u.data(), there.data(), r.data(), b.data());
        return r[k];
      };
      const auto v = [&](double t) { return Vec3(rate_at(t).v); };
      const auto dA = [&](double t) { return Mat3(rate_at(t).A); };
      EXPECT_LT((difference(v) - bias[k].v).norm(), 1e-8) << seed;
      EXPECT_LT((difference(dA) - bias[k].A).norm(), 1e-8) << seed;
      const int n = s.pool.nv;
      const Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>> of(
          J.data() + static_cast<long>(k) * 6 * n, 6, n);
      const VecX motion = of * Eigen::Map<const VecX>(s.u.data(), n);
      EXPECT_LT((motion.head<3>() - rate[k].v).norm(), 1e-13) << seed;
      EXPECT_LT((skew(motion.tail<3>()) * now[k].A - rate[k].A).norm(), 1e-13) << seed;
    }
  }
}

TEST(SystemPool, RatesOfSomeBlocksAreThoseAmongAll) {
  constexpr int kBlocks = 7, kFirst = 2, kSome = 3;
  const SystemPool pool(SystemPool(test::random_system(5, 3, 2)), kBlocks);
  std::mt19937 random(4);
  const std::vector<double> q = random_numbers(random, 3 * kBlocks),
                            u = random_numbers(random, 3 * kBlocks);
  std::vector<double> params;
  for (int b = 0; b < kBlocks; ++b)
    for (const double x : SystemPool(test::random_system(5, 3, 2)).parameters())
      params.push_back(x * (1 + 0.01 * b));
  std::vector<Transform> now(at(2 * kBlocks));
  std::vector<double> J(at(2 * kBlocks * 6 * 3));
  pool.transforms(params.data(), q.data(), now.data(), J.data());
  std::vector<Rate> all(now.size()), some(now.size(), {Vec3::Zero(), Mat3::Zero()});
  std::vector<Bias> bias(now.size());
  pool.rates(params.data(), q.data(), u.data(), now.data(), all.data(), bias.data());
  pool.rates_of(kFirst, kSome, params.data(), q.data(), u.data(), now.data(), some.data(),
                bias.data());
  for (std::size_t k = 0; k < now.size(); ++k) {
    const bool asked = k >= at(2 * kFirst) && k < at(2 * (kFirst + kSome));
    EXPECT_LT((some[k].v - asked * all[k].v).norm(), 1e-13) << k;
    EXPECT_LT((some[k].A - asked * all[k].A).norm(), 1e-13) << k;
  }
}

TEST(SystemPool, SecondVariationsAreThoseOfThePoses) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Sample s(seed);
    std::mt19937 random(seed);
    const std::vector<Transform> now = s.poses(s.q);
    for (std::size_t k = 0; k < now.size(); ++k) {
      const std::vector<double> c = random_numbers(random, 12);
      const Vec3 f = vec3(c.data());
      Mat3 F;
      for (int i = 0; i < 9; ++i) F(i / 3, i % 3) = c[at(3 + i)];
      const int n = s.pool.nv;
      MatX H = MatX::Zero(n, n);
      s.pool.add_second_variation(0, s.params.data(), s.q.data(), now[k], static_cast<int>(k), f, F,
                                  H.data());
      const auto phi = [&](double t) {
        const Transform T = s.poses(s.moved(t))[k];
        return f.dot(T.p) + F.cwiseProduct(T.A).sum();
      };
      const double d = 1e-3,
                   wanted = (16 * (phi(d) + phi(-d)) - phi(2 * d) - phi(-2 * d) - 30 * phi(0)) /
                            (12 * d * d);
      const Eigen::Map<const VecX> u(s.u.data(), n);
      EXPECT_NEAR(u.dot(H * u), wanted, 1e-6) << seed;  // rounding / d^2
      EXPECT_LT((H - H.transpose()).norm(), 1e-14);
    }
  }
}

/// The flow is reversible, of second order, and keeps the symplectic form dx ^ dP.
TEST(SystemPool, TheFlowIsReversibleAndSymplectic) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Sample s(seed);
    const int n = s.pool.nv;
    std::vector<double> P(at(n)), q1(at(n)), P1(at(n)), q0(at(n)), P0(at(n));
    s.pool.momentum(s.params.data(), s.q.data(), s.u.data(), P.data());
    const double h = 1e-2;
    s.pool.flow(s.params.data(), h, s.q.data(), P.data(), q1.data(), P1.data());
    s.pool.flow(s.params.data(), -h, q1.data(), P1.data(), q0.data(), P0.data());
    for (std::size_t i = 0; i < q0.size(); ++i) {
      EXPECT_NEAR(q0[i], s.q[i], 1e-12) << seed;
      EXPECT_NEAR(P0[i], P[i], 1e-11) << seed;
    }
    MatX D(2 * n, 2 * n);
    const double d = 1e-5;
    for (int c = 0; c < 2 * n; ++c) {
      const auto moved = [&](double by) {
        std::vector<double> x = s.q, p = P;
        (c < n ? x[at(c)] : p[at(c - n)]) += by;
        VecX out(2 * n);
        s.pool.flow(s.params.data(), h, x.data(), p.data(), out.data(), out.data() + n);
        return out;
      };
      D.col(c) = (moved(d) - moved(-d)) / (2 * d);
    }
    MatX form = MatX::Zero(2 * n, 2 * n);
    form.topRightCorner(n, n).setIdentity();
    form.bottomLeftCorner(n, n) = -MatX::Identity(n, n);
    EXPECT_LT((D.transpose() * form * D - form).norm(), 1e-6) << seed;  // of the difference
  }
}

/// Machine code makes the same bits where products are added and subtracted side by side, too.
TEST(SystemPool, HasTheSamePosesAsMachineCode) {
  SystemSpec spec;
  spec.graph = std::make_shared<expr::Graph>();
  const Expression q = spec.graph->variable("q"), w = spec.graph->variable("w");
  spec.coordinates = {{"q", q, true}, {"w", w, true}};
  SystemObject o;
  o.name = "a";
  o.turns = zxz(q, 0.3 + w, q * w);
  o.mass = 1;
  o.inertia = {0.1, 0.15, 0.2, 0, 0, 0};
  spec.objects.push_back(o);
  const SystemPool interpreted(spec);
  spec.machine_code = true;
  std::unique_ptr<const SystemPool> code;
  try {
    code = std::make_unique<const SystemPool>(spec);
  } catch (const std::invalid_argument& e) {
    GTEST_SKIP() << e.what();
  }
  const std::vector<double> params = interpreted.parameters();
  std::mt19937 random(3);
  for (int k = 0; k < 200; ++k) {
    const std::vector<double> x = random_numbers(random, 2);
    Transform a, b;
    interpreted.transforms(params.data(), x.data(), &a, nullptr);
    code->transforms(params.data(), x.data(), &b, nullptr);
    EXPECT_EQ(a.A, b.A) << k;
  }
}

/// One block or several, interpreted, in lanes or as machine code: the same bits.
TEST(SystemPool, HasTheSameBitsInLanesAndAsMachineCode) {
  SystemSpec spec = test::random_system(11, 3, 3);
  const SystemPool one(spec);
  spec.machine_code = true;
  std::unique_ptr<const SystemPool> code;
  try {
    code = std::make_unique<const SystemPool>(spec);
  } catch (const std::invalid_argument& e) {
    const std::string why = e.what();  // of a build, or a machine, that has no compiler
    EXPECT_TRUE(why.find("is OFF") != why.npos || why.find("no compiler") != why.npos) << why;
  }
  constexpr int kBlocks = 11;  // of which three do not fill the lanes
  constexpr double kStep = 0.02;
  std::mt19937 random(3);
  const std::vector<double> q = random_numbers(random, 3 * kBlocks),
                            P = random_numbers(random, 3 * kBlocks);
  std::vector<double> params;
  for (int b = 0; b < kBlocks; ++b)
    for (const double x : one.parameters()) params.push_back(x * (1 + 0.01 * b));
  const auto moved = [&](const SystemPool& pool, int first) {
    std::vector<double> q1(3 * at(pool.n_blocks)), P1(q1.size());
    pool.flow(params.data() + first * pool.n_params, kStep, q.data() + 3 * first,
              P.data() + 3 * first, q1.data(), P1.data());
    q1.insert(q1.end(), P1.begin(), P1.end());
    return q1;
  };
  const std::vector<double> all = moved(SystemPool(one, kBlocks), 0);
  if (code) {
    EXPECT_EQ(moved(SystemPool(*code, kBlocks), 0), all);
  }
  for (int b = 0; b < kBlocks; ++b) {
    const std::vector<double> alone = moved(one, b);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(alone[at(i)], all[at(3 * b + i)]) << b;
      EXPECT_EQ(alone[at(3 + i)], all[at(3 * (kBlocks + b) + i)]) << b;
    }
  }
}

}  // namespace
}  // namespace trammel::body::system_test
