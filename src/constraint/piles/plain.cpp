#include "constraint/piles/plain.h"

namespace trammel::constraint::piles {

namespace {

Mat3 axes(const ContactPoint& c) {
  Mat3 R;
  R << c.n, c.t, c.s;
  return R;
}

}  // namespace

Plain::Plain(std::span<const ContactBody> bodies, std::span<const ContactPoint> points)
    : bodies_(bodies.begin(), bodies.end()) {
  for (const ContactPoint& c : points)
    points_.push_back({c, point_numbers(c, bodies_[at(c.a)], bodies_[at(c.b)])});
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

double Plain::error(std::size_t point, std::span<const ContactTargets> targets,
                    std::span<const double> v, std::span<const double> p) const {
  const PlainPoint& c = points_[point];
  const double* x = &p[6 * point];
  const Vec3 u = relative(c, v) - targets[point].u, w = turning(c, v) - targets[point].w;
  const double e[3] = {u[0], u[1], u[2]}, turn[3] = {w[0], w[1], w[2]};
  const double load = x[0] + cohesion_of(targets[point]);
  const double P[3] = {load, x[1], x[2]}, m[3] = {x[3], x[4], x[5]};
  const PointNumbers& k = c.numbers;
  const double off = cone_error(k.cone, c.at.mu, e, P);
  if (c.at.rolling <= 0 && c.at.spinning <= 0) return off;
  return std::max(off, turn_error(k.inverse_spin, k.roll, c.at.spinning * load, c.at.rolling * load,
                                  turn, m, k.length));
}

double Plain::sweep(std::span<const ContactTargets> targets, std::span<double> v,
                    std::span<double> p) {
  double merit = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const PlainPoint& c = points_[i];
    double* x = &p[6 * i];
    const Vec3 before = vec3(x), before_turn = vec3(x + 3);
    const Vec3 u = relative(c, v) - targets[i].u;
    const double cohesion = cohesion_of(targets[i]), e[3] = {u[0], u[1], u[2]};
    double P[3] = {x[0] + cohesion, x[1], x[2]};
    merit = std::max(merit, cone_error(c.numbers.cone, c.at.mu, e, P));
    double l = 0;
    solve_cone(c.numbers.cone, c.at.mu, e, P, l);
    vec3(x) << P[0] - cohesion, P[1], P[2];
    push(c, vec3(x) - before, Vec3::Zero(), v);
    if (c.at.rolling <= 0 && c.at.spinning <= 0 && before_turn.isZero(0)) continue;
    const Vec3 w = turning(c, v) - targets[i].w;
    x[3] = solve_spin(c.numbers.inverse_spin, c.at.spinning * P[0], w[0], x[3]);
    solve_roll(c.numbers.roll, c.at.rolling * P[0], w[1], w[2], x[4], x[5]);
    merit = std::max(
        merit, c.numbers.length * (vec3(x + 3) - before_turn).norm() / c.numbers.inverse_spin);
    push(c, Vec3::Zero(), vec3(x + 3) - before_turn, v);
  }
  return merit;
}

}  // namespace trammel::constraint::piles
