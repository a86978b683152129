// Smoothed friction of pairs that are close.
#include <algorithm>
#include <cmath>

#include "constraint/barrier/parts.h"

namespace trammel::constraint {

namespace {

Vec3 slip_speed(const Slip& s, const std::vector<body::Transform>& y, int o, const Vec3& x) {
  const body::Transform &at_y = y[at(o)], &now = s.now[at(o)];
  Vec3 v = s.rate * (at_y.p - now.p + (at_y.A - now.A) * x);
  if (s.back != 0) {
    const body::Transform& before = s.before[at(o)];
    v += s.back * (before.p - now.p + (before.A - now.A) * x);
  }
  return v;
}

/// The friction of a close pair by its normal force; the point is midway between both.
Rubbing rubbing_of(const std::vector<body::Transform>& T_WO, const BarrierContact& c,
                   const ClosePair& p, double mu) {
  const barrier::Candidate& k = c.candidates[at(p.candidate)];
  const contact::Point at_pair = point_of(c, p);
  const Vec3 point = 0.5 * (at_pair.p_A + at_pair.p_B);
  Rubbing out{c.object[at(k.a)],   c.object[at(k.b)], Vec3::Zero(), Vec3::Zero(), {},
              mu * p.energy.force, at_pair,           k.a > k.b};
  const auto own_axes = [&](int o) {
    const body::Transform& T = T_WO[at(o)];
    return Vec3(T.A.inverse() * (point - T.p));
  };
  out.on_a = own_axes(out.a);
  out.on_b = own_axes(out.b);
  const Vec3 n = p.energy.at.r.normalized();
  out.tangents.col(0) = n.unitOrthogonal();
  out.tangents.col(1) = n.cross(out.tangents.col(0));
  return out;
}

double greatest(const std::vector<Rubbing>& all) {
  double most = 0;
  for (const Rubbing& r : all) most = std::max(most, r.force);
  return most;
}

void add_covector(body::Covector& to, const body::Covector& c) {
  to.f += c.f;
  to.F += c.F;
}

}  // namespace

Eigen::Vector2d slip_of(const Slip& s, const std::vector<body::Transform>& y, const Rubbing& r) {
  return r.tangents.transpose() * (slip_speed(s, y, r.b, r.on_b) - slip_speed(s, y, r.a, r.on_a));
}

void take_rubbing(const std::vector<body::Transform>& T_WO, BarrierContact& c) {
  c.rubbing.clear();
  if (!c.surfaces->friction) return;
  for (const ClosePair& p : c.close) {
    const barrier::Candidate& k = c.candidates[at(p.candidate)];
    const double mu = c.surfaces->friction(std::min(k.a, k.b), std::max(k.a, k.b));
    if (mu > 0 && p.energy.force > 0) c.rubbing.push_back(rubbing_of(T_WO, c, p, mu));
  }
}

double renew_friction(const std::vector<body::Transform>& T_WO, BarrierContact& c) {
  const std::vector<Rubbing> before = c.rubbing;
  take_close(T_WO, c);
  take_rubbing(T_WO, c);
  const double most = std::max(greatest(before), greatest(c.rubbing));
  if (before.size() != c.rubbing.size()) return most > 0 ? 1 : 0;
  double change = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    change = std::max(change, std::abs(before[i].force - c.rubbing[i].force));
  return most > 0 ? change / most : 0;
}

Vec3 friction_force(const std::vector<body::Transform>& T_WO, const BarrierContact& c,
                    const Rubbing& r) {
  const Eigen::Vector2d slip = slip_of(c.slip, T_WO, r);
  const double speed = slip.norm();
  if (!(speed > 0)) return Vec3::Zero();
  const double slope = barrier::friction(speed, c.barrier.slip_speed).d;
  return r.tangents * (-r.force * slope / speed * slip);
}

void add_friction_covectors(const std::vector<body::Transform>& T_WO, const BarrierContact& c,
                            std::vector<body::Covector>& out) {
  for (const Rubbing& r : c.rubbing) {
    const Vec3 f = friction_force(T_WO, c, r);
    if (f.isZero(0)) continue;
    add_covector(out[at(r.b)], at_point(-f, r.on_b));
    add_covector(out[at(r.a)], at_point(f, r.on_a));
  }
}

}  // namespace trammel::constraint
