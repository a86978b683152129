#include "solve/contact_plain.h"

namespace trammel::solve::contact {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Mat3 axes(const ContactPoint& c) {
  Mat3 R;
  R << c.n, c.t, c.s;
  return R;
}

Mat3 skew(const Vec3& r) {
  Mat3 S;
  S << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return S;
}

Mat3 mobility(const ContactBody& b, const Vec3& r) {
  return b.inv_mass * Mat3::Identity() - skew(r) * b.inv_inertia * skew(r);
}

PlainPoint plain(const ContactPoint& c, const ContactBody& a, const ContactBody& b) {
  const Mat3 R = axes(c);
  const Mat3 W = R.transpose() * (mobility(a, c.r_a) + mobility(b, c.r_b)) * R;
  const Mat3 K = R.transpose() * (a.inv_inertia + b.inv_inertia) * R;
  PlainPoint out{c, {}, {}, 0, 0};
  const double least = 1e-14 * W.trace(), least_turn = 1e-14 * K.trace() + 1e-300;
  double w[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) w[i][j] = W(i, j);
  out.cone = block_of(w, least);
  const double spin = std::max(K(0, 0), least_turn);
  out.inverse_spin = 1 / spin;
  out.roll = {0, 0, 0, std::max(K(1, 1), least_turn), K(1, 2), std::max(K(2, 2), least_turn)};
  out.length = std::sqrt(W(0, 0) / spin);
  return out;
}

}  // namespace

Plain::Plain(std::span<const ContactBody> bodies, std::span<const ContactPoint> points)
    : bodies_(bodies.begin(), bodies.end()) {
  for (const ContactPoint& c : points)
    points_.push_back(plain(c, bodies_[at(c.a)], bodies_[at(c.b)]));
}

Vec3 Plain::relative(const PlainPoint& c, std::span<const double> v) const {
  const double *a = &v[6 * at(c.at.a)], *b = &v[6 * at(c.at.b)];
  const Vec3 u = vec3(b) + vec3(b + 3).cross(c.at.r_b) - vec3(a) - vec3(a + 3).cross(c.at.r_a);
  return axes(c.at).transpose() * u;
}

Vec3 Plain::turning(const PlainPoint& c, std::span<const double> v) const {
  return axes(c.at).transpose() * (vec3(&v[6 * at(c.at.b) + 3]) - vec3(&v[6 * at(c.at.a) + 3]));
}

void Plain::push(const PlainPoint& c, const Vec3& force, const Vec3& torque,
                 std::span<double> v) const {
  const ContactBody &a = bodies_[at(c.at.a)], &b = bodies_[at(c.at.b)];
  const Vec3 f = axes(c.at) * force, m = axes(c.at) * torque;
  double *v_a = &v[6 * at(c.at.a)], *v_b = &v[6 * at(c.at.b)];
  vec3(v_a) -= a.inv_mass * f;
  vec3(v_a + 3) -= a.inv_inertia * (c.at.r_a.cross(f) + m);
  vec3(v_b) += b.inv_mass * f;
  vec3(v_b + 3) += b.inv_inertia * (c.at.r_b.cross(f) + m);
}

void Plain::add(std::span<const double> p, std::span<double> v) const {
  for (std::size_t i = 0; i < points_.size(); ++i)
    push(points_[i], vec3(&p[6 * i]), vec3(&p[6 * i + 3]), v);
}

double Plain::sweep(std::span<const ContactTargets> targets, std::span<double> v,
                    std::span<double> p) {
  double merit = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const PlainPoint& c = points_[i];
    double* x = &p[6 * i];
    const Vec3 before = vec3(x), before_turn = vec3(x + 3);
    const Vec3 u = relative(c, v) - targets[i].u;
    const double e[3] = {u[0], u[1], u[2]};
    double P[3] = {x[0] + targets[i].cohesion, x[1], x[2]};
    merit = std::max(merit, cone_error(c.cone, c.at.mu, e, P));
    solve_cone(c.cone, c.at.mu, e, P);
    vec3(x) << P[0] - targets[i].cohesion, P[1], P[2];
    push(c, vec3(x) - before, Vec3::Zero(), v);
    if (c.at.rolling <= 0 && c.at.spinning <= 0 && before_turn.isZero(0)) continue;
    const Vec3 w = turning(c, v);
    x[3] = solve_spin(c.inverse_spin, c.at.spinning * P[0], w[0], x[3]);
    solve_roll(c.roll, c.at.rolling * P[0], w[1], w[2], x[4], x[5]);
    merit = std::max(merit, c.length * (vec3(x + 3) - before_turn).norm() / c.inverse_spin);
    push(c, Vec3::Zero(), vec3(x + 3) - before_turn, v);
  }
  return merit;
}

}  // namespace trammel::solve::contact
