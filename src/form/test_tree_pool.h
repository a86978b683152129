#pragma once

#include <Eigen/LU>
#include <string>
#include <utility>
#include <vector>

#include "math/index.h"
#include "math/rotation.h"
#include "model/builder.h"

/// A kind of the tests' own: a tree of rigid links in one block, one coordinate a link, and the
/// same mechanism as rigid bodies with joints. Its mass matrix depends on the coordinates.
namespace trammel::form::test {

struct Link {
  std::string name;
  int parent = -1;  // an earlier link; -1: the world
  bool slides = false;
  Vec3 axis = Vec3::UnitY();         // in the parent's axes, about it or along it
  Vec3 place = Vec3::Zero();         // of the joint on its parent, from that one's mass centre [m]
  Vec3 arm = Vec3::Zero();           // from the joint to the mass centre, own axes [m]
  double mass = 1;                   // [kg]
  Vec3 inertia = Vec3::Constant(1);  // about the mass centre, in its axes [kg m^2]
  double q = 0, u = 0;
  std::vector<model::ContactSpec> contacts = {};
};

class TreePool final : public body::Pool {
 public:
  explicit TreePool(std::vector<Link> links) : links_(std::move(links)) {
    n_blocks = 1;
    nq = nv = n_objects = n_params = count(links_);
  }
  std::string_view kind() const override { return "tree"; }
  body::MotionKind motion_kind() const override { return body::MotionKind::rigid; }
  void derive(const double*, double*) const override {}

  /// Places, where joints are, and their axes.
  struct Placed {
    std::vector<Mat3> R;
    std::vector<Vec3> p, o, a;
  };
  Placed place(const double* q) const {
    Placed out;
    for (int i = 0; i < nv; ++i) {
      const Link& l = links_[at(i)];
      const bool free = l.parent < 0;
      const Mat3 R = free ? Mat3(Mat3::Identity()) : out.R[at(l.parent)];
      const Vec3 p = free ? Vec3(Vec3::Zero()) : out.p[at(l.parent)];
      out.a.push_back(R * l.axis.normalized());
      out.o.push_back(p + R * l.place + (l.slides ? q[i] : 0) * out.a.back());
      out.R.push_back(exp_matrix((l.slides ? 0 : q[i]) * out.a.back()) * R);
      out.p.push_back(out.o.back() + out.R.back() * l.arm);
    }
    return out;
  }
  /// 6 n numbers for each link, row after row.
  using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>;
  Jacobian jacobian(const Placed& x, int i) const {
    Jacobian out = Jacobian::Zero(6, nv);
    for (int j = i; j >= 0; j = links_[at(j)].parent) {
      const Vec3& a = x.a[at(j)];
      const bool slides = links_[at(j)].slides;
      out.col(j).head<3>() = slides ? a : a.cross(x.p[at(i)] - x.o[at(j)]);
      if (!slides) out.col(j).tail<3>() = a;
    }
    return out;
  }
  void transforms(const double*, const double* q, body::Transform* out,
                  double* jac) const override {
    const Placed x = place(q);
    for (int i = 0; i < nv; ++i, jac += 6 * nv) {
      out[i] = {x.p[at(i)], x.R[at(i)]};
      Eigen::Map<Jacobian>(jac, 6, nv) = jacobian(x, i);
    }
  }
  MatX mass_matrix(const double* q) const {
    const Placed x = place(q);
    MatX M = MatX::Zero(nv, nv);
    for (int i = 0; i < nv; ++i) {
      const Jacobian J = jacobian(x, i);
      M += links_[at(i)].mass * J.topRows(3).transpose() * J.topRows(3) +
           J.bottomRows(3).transpose() * inertia_of(x, i) * J.bottomRows(3);
    }
    return M;
  }
  void inverse_mass(const double*, const double* q, const body::Transform*,
                    double* out) const override {
    Eigen::Map<MatX>(out, nv, nv) = mass_matrix(q).inverse();
  }
  void momentum(const double*, const double* q, const double* u, double* P) const override {
    Eigen::Map<VecX>(P, nv) = mass_matrix(q) * Eigen::Map<const VecX>(u, nv);
  }
  void rates(const double*, const double* q, const double* u, const body::Transform*,
             body::Rate* rate, body::Bias* bias) const override {
    const Placed x = place(q);
    std::vector<Vec3> w, alpha, a;
    for (int i = 0; i < nv; ++i) {
      const Link& l = links_[at(i)];
      const bool free = l.parent < 0;
      const Vec3 none = Vec3::Zero();
      const Vec3 w0 = free ? none : w[at(l.parent)], alpha0 = free ? none : alpha[at(l.parent)],
                 a0 = free ? none : a[at(l.parent)], p0 = free ? none : x.p[at(l.parent)];
      const Vec3 along = u[i] * x.a[at(i)], r0 = x.o[at(i)] - p0, r = x.p[at(i)] - x.o[at(i)];
      w.push_back(w0 + (l.slides ? none : along));
      alpha.push_back(alpha0 + (l.slides ? none : Vec3(w0.cross(along))));
      const Vec3 of_o = a0 + alpha0.cross(r0) + w0.cross(w0.cross(r0)) +
                        (l.slides ? Vec3(2 * w0.cross(along)) : none);
      a.push_back(of_o + alpha[at(i)].cross(r) + w[at(i)].cross(w[at(i)].cross(r)));
      const Jacobian J = jacobian(x, i);
      const Mat3 W = skew(w[at(i)]);
      rate[i] = {J.topRows(3) * Eigen::Map<const VecX>(u, nv), W * x.R[at(i)]};
      bias[i] = {a[at(i)], (skew(alpha[at(i)]) + W * W) * x.R[at(i)]};
    }
  }
  /// The implicit midpoint rule.
  void flow(const double*, double h, const double* q, const double* P, double* q1,
            double* P1) const override {
    constexpr int kMost = 100;
    const Eigen::Map<const VecX> q0(q, nv), P0(P, nv);
    VecX to = q0, end = P0;
    double last = law::kInf;
    for (int k = 0; k < kMost; ++k) {
      const VecX mid = 0.5 * (q0 + to);
      const VecX u = mass_matrix(mid.data()).ldlt().solve(0.5 * (P0 + end));
      const VecX q_next = q0 + h * u, P_next = P0 + h * slope(mid, u);
      const double change = (q_next - to).norm() + (P_next - end).norm();
      to = q_next;
      end = P_next;
      if (change == 0 || (change >= last && change < 1e-14)) break;
      last = change;
    }
    Eigen::Map<VecX>(q1, nv) = to;
    Eigen::Map<VecX>(P1, nv) = end;
  }
  void retract(const double* dq, double* q) const override {
    for (int i = 0; i < nv; ++i) q[i] += dq[i];
  }
  void difference(const double* q, const double* q1, double* dq) const override {
    for (int i = 0; i < nv; ++i) dq[i] = q1[i] - q[i];
  }
  void tolerances(double length, double angle, double* q) const override {
    for (int i = 0; i < nv; ++i) q[i] = links_[at(i)].slides ? length : angle;
  }
  void speed_tolerances(double speed, double spin, double* u) const override {
    tolerances(speed, spin, u);
  }
  void add_own_force(const double*, const double* q, const double* u, double* f) const override {
    const Placed x = place(q);
    std::vector<body::Rate> rate(at(nv)), bias(at(nv));
    rates(nullptr, q, u, nullptr, rate.data(), bias.data());
    for (int i = 0; i < nv; ++i) {
      const Jacobian J = jacobian(x, i);
      const Mat3 spin = rate[at(i)].A * x.R[at(i)].transpose(), I = inertia_of(x, i);
      const Mat3 turn = bias[at(i)].A * x.R[at(i)].transpose();  // skew(alpha) + W W
      const Vec3 w(spin(2, 1), spin(0, 2), spin(1, 0));
      const Mat3 odd = 0.5 * (turn - turn.transpose());
      const Vec3 alpha(odd(2, 1), odd(0, 2), odd(1, 0));
      Eigen::Map<VecX>(f, nv) -= J.topRows(3).transpose() * (links_[at(i)].mass * bias[at(i)].v) +
                                 J.bottomRows(3).transpose() * (I * alpha + w.cross(I * w));
    }
  }
  void add_momentum(const double*, const double* q, const double* P, Vec3& linear,
                    Vec3& angular) const override {
    const Placed x = place(q);
    const VecX u = mass_matrix(q).ldlt().solve(Eigen::Map<const VecX>(P, nv));
    for (int i = 0; i < nv; ++i) {
      const Jacobian J = jacobian(x, i);
      const Vec3 p = links_[at(i)].mass * (J.topRows(3) * u);
      linear += p;
      angular += x.p[at(i)].cross(p) + inertia_of(x, i) * (J.bottomRows(3) * u);
    }
  }
  void add_second_variation(int, const double*, const double* q, const body::Transform&, int object,
                            const Vec3& f, const Mat3& F, double* H) const override {
    for (int j = 0; j < nv; ++j)
      for (int k = 0; k < nv; ++k) {
        const body::Rate b = second(q, VecX::Unit(nv, j), VecX::Unit(nv, k))[at(object)];
        H[j * nv + k] += f.dot(b.v) + F.cwiseProduct(b.A).sum();
      }
  }
  bool embeds() const override { return true; }
  double mass(const double* params, int, int object) const override { return params[object]; }
  std::optional<std::array<double, 6>> inertia(const double*, int, int object) const override {
    const Vec3& I = links_[at(object)].inertia;
    return {{I[0], I[1], I[2], 0, 0, 0}};
  }

 private:
  Mat3 inertia_of(const Placed& x, int i) const {
    return x.R[at(i)] * links_[at(i)].inertia.asDiagonal() * x.R[at(i)].transpose();
  }
  std::vector<body::Rate> biases(const double* q, const VecX& u) const {
    std::vector<body::Rate> rate(at(nv)), bias(at(nv));
    rates(nullptr, q, u.data(), nullptr, rate.data(), bias.data());
    return bias;
  }
  /// Second derivatives of all places along u and v: biases are quadratic.
  std::vector<body::Rate> second(const double* q, const VecX& u, const VecX& v) const {
    std::vector<body::Rate> both = biases(q, u + v);
    const std::vector<body::Rate> a = biases(q, u), b = biases(q, v);
    for (std::size_t i = 0; i < both.size(); ++i)
      both[i] = {0.5 * (both[i].v - a[i].v - b[i].v), 0.5 * (both[i].A - a[i].A - b[i].A)};
    return both;
  }
  /// The slope of the kinetic energy with q, at velocities u.
  VecX slope(const VecX& q, const VecX& u) const {
    std::vector<body::Rate> rate(at(nv)), bias(at(nv));
    rates(nullptr, q.data(), u.data(), nullptr, rate.data(), bias.data());
    VecX out = VecX::Zero(nv);
    for (int k = 0; k < nv; ++k) {
      const std::vector<body::Rate> b = second(q.data(), u, VecX::Unit(nv, k));
      for (std::size_t i = 0; i < b.size(); ++i) {
        const Vec3& I = links_[i].inertia;
        const Vec3 S = Vec3::Constant(0.5 * I.sum()) - I;  // second moments along own axes
        out[k] += links_[i].mass * rate[i].v.dot(b[i].v) +
                  (rate[i].A * S.asDiagonal()).cwiseProduct(b[i].A).sum();
      }
    }
    return out;
  }

  std::vector<Link> links_;
};

/// The links as one block.
inline void add_as_pool(const std::vector<Link>& links, model::Builder& builder) {
  model::PoolSpec spec;
  spec.pool = std::make_shared<TreePool>(links);
  for (const Link& l : links) {
    spec.objects.push_back(l.name);
    spec.params.push_back(l.mass);
    spec.q.push_back(l.q);
    spec.u.push_back(l.u);
    spec.outlines.emplace_back().contacts = l.contacts;
  }
  builder.add_pool(std::move(spec));
}

/// The links as rigid bodies with joints, which touch where those do.
inline void add_as_bodies(const std::vector<Link>& links, model::Builder& builder) {
  const TreePool pool(links);
  VecX q(count(links)), u = q;
  for (int i = 0; i < count(links); ++i) {
    q[i] = links[at(i)].q;
    u[i] = links[at(i)].u;
  }
  const TreePool::Placed x = pool.place(q.data());
  for (int i = 0; i < count(links); ++i) {
    const Link& l = links[at(i)];
    model::BodySpec body;
    body.name = l.name;
    body.mass = l.mass;
    body.inertia = {l.inertia[0], l.inertia[1], l.inertia[2], 0, 0, 0};
    body.X_WB = {x.p[at(i)], x.R[at(i)]};
    const TreePool::Jacobian J = pool.jacobian(x, i);
    body.v = J.topRows(3) * u;
    body.w = J.bottomRows(3) * u;
    body.contacts = l.contacts;
    builder.add_body(body);
    model::JointSpec joint;
    joint.name = "joint " + l.name;
    joint.type = l.slides ? "prismatic" : "revolute";
    joint.a = l.parent < 0 ? "ground" : links[at(l.parent)].name;
    joint.b = l.name;
    Pose frame{x.o[at(i)], Mat3::Identity()};
    frame.R.col(0) = x.a[at(i)];
    frame.R.col(1) = x.a[at(i)].unitOrthogonal();
    frame.R.col(2) = x.a[at(i)].cross(frame.R.col(1));
    joint.at = frame;
    builder.add_joint(joint);
    if (l.parent < 0 || l.contacts.empty() || links[at(l.parent)].contacts.empty()) continue;
    model::ContactPairSpec pair;
    pair.between = {joint.a, joint.b};
    builder.add_touching_pair(pair);
  }
}

}  // namespace trammel::form::test
