#pragma once

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "body/pool.h"
#include "body/rigid.h"
#include "math/rotation.h"

/// Kinds of bodies of tests: blocks of a few coordinates that carry several objects.
namespace trammel::form::test {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

using Mat3Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// A rod that hangs from a pivot and turns about the world's y.
struct Swing {
  double mass, length, inertia;  // [kg], pivot to mass centre [m], about the mass centre [kg m^2]
  Vec3 pivot;
};
inline const std::array<Swing, 3> kSwings{
    {{2, 0.6, 0.3, {0, 0, 0}}, {1.5, 0.5, 0.2, {0.1, 0.4, 0}}, {1, 0.8, 0.25, {-0.1, 0.9, 0.1}}}};
constexpr double kStiffness = 8;  // between neighbours [N m/rad]

/// Coordinates x: the angles of the first two swings and the third one's angle from the first, so
/// that the mass matrix is full. Angles are T x.
class SwingPool final : public body::Pool {
 public:
  SwingPool() {
    n_blocks = 1;
    nq = nv = n_objects = n_params = 3;
    n_derived = 9;
    T_ << 1, 0, 0, 0, 1, 0, 1, 0, 1;
    Vec3 about_pivot;
    for (int i = 0; i < 3; ++i) {
      const Swing& s = kSwings[at(i)];
      about_pivot[i] = s.inertia + s.mass * s.length * s.length;
    }
    M_ = T_.transpose() * about_pivot.asDiagonal() * T_;
    M_inv_ = M_.inverse();
  }
  std::string_view kind() const override { return "swings"; }
  body::MotionKind motion_kind() const override { return body::MotionKind::rigid; }
  void derive(const double*, double* derived) const override {
    Eigen::Map<Mat3Rows>{derived} = M_inv_;
  }
  void transforms(const double*, const double* q, body::Transform* out,
                  double* jacobian) const override {
    const Vec3 angle = T_ * vec3(q);
    for (int i = 0; i < 3; ++i, jacobian += 18) {
      body::Transform& T_WO = out[i];
      T_WO.A = exp_matrix(angle[i] * Vec3::UnitY());
      const Vec3 r = T_WO.A * Vec3(0, 0, -kSwings[at(i)].length);
      T_WO.p = kSwings[at(i)].pivot + r;
      Eigen::Map<Eigen::Matrix<double, 6, 3, Eigen::RowMajor>> J(jacobian);
      J.topRows(3) = Vec3::UnitY().cross(r) * T_.row(i);
      J.bottomRows(3) = Vec3::UnitY() * T_.row(i);
    }
  }
  void inverse_mass(const double* derived, const double*, const body::Transform*,
                    double* out) const override {
    std::copy_n(derived, 9, out);
  }
  void momentum(const double*, const double*, const double* u, double* P) const override {
    vec3(P) = M_ * vec3(u);
  }
  void rates(const double*, const double*, const double* u, const body::Transform* T_WO,
             body::Rate* rate, body::Bias* bias) const override {
    const Vec3 speed = T_ * vec3(u);
    for (int i = 0; i < 3; ++i) {
      const Mat3 W = speed[i] * skew(Vec3::UnitY());
      const Vec3 r = T_WO[i].p - kSwings[at(i)].pivot;
      rate[i] = {W * r, W * T_WO[i].A};
      bias[i] = {W * W * r, W * W * T_WO[i].A};
    }
  }
  void flow(const double*, double h, const double* q, const double* P, double* q1,
            double* P1) const override {  // the mass is constant: kick, drift, kick
    const Vec3 half = vec3(P) + h / 2 * force(vec3(q));
    const Vec3 to = vec3(q) + h * M_inv_ * half;
    vec3(q1) = to;
    vec3(P1) = half + h / 2 * force(to);
  }
  void retract(const double* dq, double* q) const override { vec3(q) += vec3(dq); }
  void difference(const double* q, const double* q1, double* dq) const override {
    vec3(dq) = vec3(q1) - vec3(q);
  }
  void add_own_force(const double*, const double* q, const double*, double* f) const override {
    vec3(f) += force(vec3(q));
  }
  double potential(const double*, const double* q, double* each) const override {
    const Vec3 a = T_ * vec3(q);
    const double V = 0.5 * kStiffness * (std::pow(a[0] - a[1], 2) + std::pow(a[1] - a[2], 2));
    if (each) each[0] += V;
    return V;
  }
  void add_momentum(const double*, const double* q, const double* P, Vec3& linear,
                    Vec3& angular) const override {
    std::array<body::Transform, 3> T_WO;
    std::array<double, 54> jacobian;
    this->transforms(nullptr, q, T_WO.data(), jacobian.data());
    const Vec3 u = M_inv_ * vec3(P);
    for (int i = 0; i < 3; ++i) {
      const Eigen::Map<const Eigen::Matrix<double, 6, 3, Eigen::RowMajor>> J(jacobian.data() +
                                                                             18 * i);
      const Swing& s = kSwings[at(i)];
      const Vec3 p = s.mass * J.topRows(3) * u;
      linear += p;
      angular += T_WO[at(i)].p.cross(p) + s.inertia * J.bottomRows(3) * u;
    }
  }
  void add_second_variation(int, const double*, const double*, const body::Transform& T_WO,
                            int object, const Vec3& f, const Mat3& F, double* H) const override {
    const Mat3 W = skew(Vec3::UnitY());
    const double c =
        f.dot(W * W * (T_WO.p - kSwings[at(object)].pivot)) + F.cwiseProduct(W * W * T_WO.A).sum();
    Eigen::Map<Mat3Rows>{H} += c * T_.row(object).transpose() * T_.row(object);
  }
  double mass(const double* params, int, int object) const override { return params[object]; }
  bool embeds() const override { return true; }
  std::optional<std::array<double, 6>> inertia(const double*, int, int object) const override {
    const double about = kSwings[at(object)].inertia;
    return {{about, about, 0.4 * about, 0, 0, 0}};
  }
  void add_potential_curvature(const double*, const double*, double* H) const override {
    Mat3 of_angles;
    of_angles << 1, -1, 0, -1, 2, -1, 0, -1, 1;
    Eigen::Map<Mat3Rows>{H} += kStiffness * T_.transpose() * of_angles * T_;
  }

  Vec3 force(const Vec3& x) const {  // of the springs
    const Vec3 a = T_ * x;
    const double first = kStiffness * (a[0] - a[1]), second = kStiffness * (a[1] - a[2]);
    return T_.transpose() * Vec3(-first, first - second, second);
  }

 private:
  Mat3 T_, M_, M_inv_;
};

/// Joint frame at p with its x along the hinges, y up.
inline Pose hinge_frame(const Vec3& p) {
  Mat3 R;
  R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  return {p, R};
}

/// Blocks of one coordinate each: masses that slide along x.
class SliderPool final : public body::Pool {
 public:
  explicit SliderPool(int n) {
    n_blocks = n;
    nq = nv = n_objects = n_params = n_derived = 1;
  }
  std::string_view kind() const override { return "sliders"; }
  body::MotionKind motion_kind() const override { return body::MotionKind::rigid; }
  void derive(const double* m, double* derived) const override {
    for (int i = 0; i < n_blocks; ++i) derived[i] = 1 / m[i];
  }
  void transforms(const double*, const double* q, body::Transform* out,
                  double* jacobian) const override {
    std::fill_n(jacobian, 6 * n_blocks, 0.0);
    for (int i = 0; i < n_blocks; ++i) {
      out[i].p = {q[i], 0.5 * i, 0};
      jacobian[6 * i] = 1;
    }
  }
  void inverse_mass(const double* derived, const double*, const body::Transform*,
                    double* out) const override {
    std::copy_n(derived, n_blocks, out);
  }
  void momentum(const double* derived, const double*, const double* u, double* P) const override {
    for (int i = 0; i < n_blocks; ++i) P[i] = u[i] / derived[i];
  }
  void rates(const double*, const double*, const double* u, const body::Transform*,
             body::Rate* rate, body::Bias* bias) const override {
    for (int i = 0; i < n_blocks; ++i) {
      rate[i] = {{u[i], 0, 0}, Mat3::Zero()};
      bias[i] = {};
    }
  }
  void flow(const double* derived, double h, const double* q, const double* P, double* q1,
            double* P1) const override {
    for (int i = 0; i < n_blocks; ++i) {
      q1[i] = q[i] + h * derived[i] * P[i];
      P1[i] = P[i];
    }
  }
  void retract(const double* dq, double* q) const override {
    for (int i = 0; i < n_blocks; ++i) q[i] += dq[i];
  }
  void difference(const double* q, const double* q1, double* dq) const override {
    for (int i = 0; i < n_blocks; ++i) dq[i] = q1[i] - q[i];
  }
  void add_own_force(const double*, const double*, const double*, double*) const override {}
  void add_momentum(const double*, const double* q, const double* P, Vec3& linear,
                    Vec3& angular) const override {
    for (int i = 0; i < n_blocks; ++i) {
      linear.x() += P[i];
      angular += Vec3(q[i], 0.5 * i, 0).cross(Vec3(P[i], 0, 0));
    }
  }
  void add_second_variation(int, const double*, const double*, const body::Transform&, int,
                            const Vec3&, const Mat3&, double*) const override {}
  double mass(const double* params, int block, int) const override { return params[block]; }
  bool embeds() const override { return true; }
};

/// Two links, one at the other, each turning about an axis askew to both: the first about one of
/// the world through a point, by x_0, the second about one of the first link, by x_1; springs hold
/// x at zero. The mass matrix depends on x_1. Two objects without mass are the coordinates: one is
/// moved along x by x_0 [m], the other turned about x by x_1.
class SkewPool final : public body::Pool {
 public:
  using Mat2 = Eigen::Matrix2d;
  using Rows2 = Eigen::Matrix<double, 2, 2, Eigen::RowMajor>;
  using Vec2 = Eigen::Vector2d;
  using Jacobian = Eigen::Matrix<double, 6, 2, Eigen::RowMajor>;
  struct Link {
    double mass;                    // [kg]
    std::array<double, 6> inertia;  // about its mass centre, in its axes [kg m^2]
    Vec3 axis, centre, end;  // turned about; from where it turns: mass centre, the next one [m]
  };
  static const std::array<Link, 2>& links() {
    static const std::array<Link, 2> kLinks{{{2,
                                              {0.3, 0.2, 0.25, 0.06, -0.04, 0.05},
                                              Vec3(0.2, 1, 0.4).normalized(),
                                              {0.1, 0.05, -0.4},
                                              {0.15, 0.1, -0.7}},
                                             {1.3,
                                              {0.12, 0.2, 0.15, -0.03, 0.05, 0.02},
                                              Vec3(1, -0.3, 0.5).normalized(),
                                              {-0.05, 0.2, -0.35},
                                              {0, 0.3, -0.6}}}};
    return kLinks;
  }
  static constexpr std::array<double, 2> kSprings{5, 9};  // [N m/rad]
  static inline const Vec3 kPivot{0.3, -0.2, 0.1};

  SkewPool() {
    n_blocks = n_params = 1;
    nq = nv = 2;
    n_objects = 4;
  }
  std::string_view kind() const override { return "skew links"; }
  body::MotionKind motion_kind() const override { return body::MotionKind::rigid; }
  void derive(const double*, double*) const override {}
  void transforms(const double*, const double* q, body::Transform* out,
                  double* jacobian) const override {
    const At a = at_q(q);
    for (std::size_t i = 0; i < 2; ++i) {
      out[i] = {a.p[i], a.R[i]};
      Eigen::Map<Jacobian>(jacobian + 12 * i) = a.J[i];
    }
    out[2] = {Vec3(q[0], 2, 0), Mat3::Identity()};
    out[3] = {Vec3(0, -2, 0), exp_matrix(q[1] * Vec3::UnitX())};
    std::fill_n(jacobian + 24, 24, 0.0);
    jacobian[24] = 1;              // v_x of the third by u_0
    jacobian[36 + 2 * 3 + 1] = 1;  // w_x of the fourth by u_1
  }
  void inverse_mass(const double*, const double* q, const body::Transform*,
                    double* out) const override {
    Eigen::Map<Rows2>{out} = mass_matrix(q).inverse();
  }
  void momentum(const double*, const double* q, const double* u, double* P) const override {
    Eigen::Map<Vec2>{P} = mass_matrix(q) * Eigen::Map<const Vec2>(u);
  }
  void rates(const double*, const double* q, const double* u, const body::Transform*,
             body::Rate* rate, body::Bias* bias) const override {
    const At a = at_q(q);
    const std::array<body::Bias, 2> own = biases(a, u);
    for (std::size_t i = 0; i < 2; ++i) {
      const Eigen::Matrix<double, 6, 1> motion = a.J[i] * Eigen::Map<const Vec2>(u);
      rate[i] = {motion.head<3>(), skew(motion.tail<3>()) * a.R[i]};
      bias[i] = own[i];
    }
    rate[2] = {Vec3(u[0], 0, 0), Mat3::Zero()};
    bias[2] = {};
    const Mat3 W = u[1] * skew(Vec3::UnitX()), R = exp_matrix(q[1] * Vec3::UnitX());
    rate[3] = {Vec3::Zero(), W * R};
    bias[3] = {Vec3::Zero(), W * W * R};
  }
  void flow(const double*, double h, const double* q, const double* P, double* q1,
            double* P1) const override {  // as good as exact
    constexpr int kSteps = 8;
    Eigen::Vector4d x;
    x << q[0], q[1], mass_matrix(q).inverse() * Eigen::Map<const Vec2>(P);
    const auto slope = [&](const Eigen::Vector4d& y) {
      Vec2 f = Vec2::Zero();
      add_own_force(nullptr, y.data(), y.data() + 2, f.data());
      Eigen::Vector4d out;
      out << y.tail<2>(), mass_matrix(y.data()).inverse() * f;
      return out;
    };
    const double t = h / kSteps;
    for (int k = 0; k < kSteps; ++k) {
      const Eigen::Vector4d a = slope(x), b = slope(x + t / 2 * a), c = slope(x + t / 2 * b),
                            d = slope(x + t * c);
      x += t / 6 * (a + 2 * b + 2 * c + d);
    }
    Eigen::Map<Vec2>{P1} = mass_matrix(x.data()) * x.tail<2>();
    Eigen::Map<Vec2>{q1} = x.head<2>();
  }
  void retract(const double* dq, double* q) const override {
    Eigen::Map<Vec2>{q} += Eigen::Map<const Vec2>(dq);
  }
  void difference(const double* q, const double* q1, double* dq) const override {
    Eigen::Map<Vec2>{dq} = Eigen::Map<const Vec2>(q1) - Eigen::Map<const Vec2>(q);
  }
  void add_own_force(const double*, const double* q, const double* u, double* f) const override {
    const At a = at_q(q);
    const std::array<body::Bias, 2> own = biases(a, u);
    for (std::size_t i = 0; i < 2; ++i) {
      const Mat3 I = a.R[i] * body::inertia_matrix(links()[i].inertia.data()) * a.R[i].transpose();
      const Vec3 w = a.J[i].bottomRows<3>() * Eigen::Map<const Vec2>(u);
      const Mat3 turning = own[i].A * a.R[i].transpose();  // W W + [w']x
      const Vec3 turn = Vec3(turning(2, 1) - turning(1, 2), turning(0, 2) - turning(2, 0),
                             turning(1, 0) - turning(0, 1)) /
                        2;
      Eigen::Matrix<double, 6, 1> wrench;
      wrench << links()[i].mass * own[i].v, I * turn + w.cross(I * w);
      Eigen::Map<Vec2>{f} -= a.J[i].transpose() * wrench;
    }
    for (std::size_t k = 0; k < 2; ++k) f[k] -= kSprings[k] * q[k];
  }
  double potential(const double*, const double* q, double* each) const override {
    double V = 0;
    for (std::size_t k = 0; k < 2; ++k) V += 0.5 * kSprings[k] * q[k] * q[k];
    if (each) each[0] += V;
    return V;
  }
  void add_potential_curvature(const double*, const double*, double* H) const override {
    H[0] += kSprings[0];
    H[3] += kSprings[1];
  }
  void add_momentum(const double*, const double* q, const double* P, Vec3& linear,
                    Vec3& angular) const override {
    const At a = at_q(q);
    const Vec2 u = mass_matrix(q).inverse() * Eigen::Map<const Vec2>(P);
    for (std::size_t i = 0; i < 2; ++i) {
      const Mat3 I = a.R[i] * body::inertia_matrix(links()[i].inertia.data()) * a.R[i].transpose();
      const Vec3 p = links()[i].mass * a.J[i].topRows<3>() * u;
      linear += p;
      angular += a.p[i].cross(p) + I * a.J[i].bottomRows<3>() * u;
    }
  }
  void add_second_variation(int, const double*, const double* q, const body::Transform&, int object,
                            const Vec3& f, const Mat3& F, double* H) const override {
    const auto along = [&](const Vec2& u) {  // f . p'' + F : A'' at u' = 0
      std::array<body::Rate, 4> rate;
      std::array<body::Bias, 4> bias;
      rates(nullptr, q, u.data(), nullptr, rate.data(), bias.data());
      return f.dot(bias[at(object)].v) + F.cwiseProduct(bias[at(object)].A).sum();
    };
    const double a = along({1, 0}), c = along({0, 1}), b = (along({1, 1}) - a - c) / 2;
    Rows2 more;
    more << a, b, b, c;
    Eigen::Map<Rows2>{H} += more;
  }
  double mass(const double*, int, int object) const override {
    return object < 2 ? links()[at(object)].mass : 0;
  }
  std::optional<std::array<double, 6>> inertia(const double*, int, int object) const override {
    if (object >= 2) return {};
    return links()[at(object)].inertia;
  }
  bool embeds() const override { return true; }

 private:
  struct At {
    std::array<Vec3, 2> p;
    std::array<Mat3, 2> R;
    std::array<Jacobian, 2> J;
    Vec3 axis, hinge;  // of the second link, in the world; from the pivot
  };
  static At at_q(const double* q) {
    const Link &one = links()[0], &two = links()[1];
    At a;
    a.R[0] = exp_matrix(q[0] * one.axis);
    a.R[1] = a.R[0] * exp_matrix(q[1] * two.axis);
    a.axis = a.R[0] * two.axis;
    a.hinge = a.R[0] * one.end;
    const Vec3 first = a.R[0] * one.centre, second = a.R[1] * two.centre;
    a.p = {kPivot + first, kPivot + a.hinge + second};
    a.J[0].setZero();
    a.J[0].col(0) << one.axis.cross(first), one.axis;
    a.J[1].col(0) << one.axis.cross(a.hinge + second), one.axis;
    a.J[1].col(1) << a.axis.cross(second), a.axis;
    return a;
  }
  static std::array<body::Bias, 2> biases(const At& a, const double* u) {
    const Vec3 w = u[0] * links()[0].axis, w2 = w + u[1] * a.axis, turn = w.cross(u[1] * a.axis);
    const Mat3 W = skew(w), W2 = skew(w2), more = W2 * W2 + skew(turn);
    const Vec3 second = a.p[1] - kPivot - a.hinge;
    return {{{W * W * (a.p[0] - kPivot), W * W * a.R[0]},
             {W * W * a.hinge + more * second, more * a.R[1]}}};
  }
  static Mat2 mass_matrix(const double* q) {
    const At a = at_q(q);
    Mat2 M = Mat2::Zero();
    for (std::size_t i = 0; i < 2; ++i) {
      const Mat3 I = a.R[i] * body::inertia_matrix(links()[i].inertia.data()) * a.R[i].transpose();
      M += links()[i].mass * a.J[i].topRows<3>().transpose() * a.J[i].topRows<3>() +
           a.J[i].bottomRows<3>().transpose() * I * a.J[i].bottomRows<3>();
    }
    return M;
  }
};

}  // namespace trammel::form::test
