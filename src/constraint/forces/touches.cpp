// What touches, from step to step, and how it moves.
#include <algorithm>
#include <cmath>

#include "constraint/contact/motion.h"
#include "constraint/forces/parts.h"

namespace trammel::constraint {

namespace {
constexpr double kOverlap = 1e-9;  // of the mechanism's length: that is held as it is, no rounding

Vec3 tangent_to(const Vec3& n) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) < std::abs(n[least])) least = i;
  return n.cross(Vec3::Unit(least)).normalized();
}

Vec3 slip_of(const Touch& t) { return t.rate[1] * t.t + t.rate[2] * t.s; }

/// As closely as the time of an event is found.
bool touches(const ContactForces& c, const Touch& t) {
  return t.motion.gap <=
         kOverlap * c.kin().model().scales.length + 4 * c.scales.near.moment * std::abs(t.rate[0]);
}

void take_columns(const ContactForces& c, const model::KinematicsCache& at_, Touch& out) {
  const Vec3 directions[] = {out.motion.n, out.t, out.s};
  for (const int side : {0, 1}) {
    const int object = c.surfaces.object_of(side ? out.point.B : out.point.A);
    const model::Object& o = c.kin().model().objects[at(object)];
    out.n[at(side)] = 0;
    if (o.block < 0) continue;
    const model::Block& b = c.kin().model().blocks[at(o.block)];
    const body::Transform& T = at_.T_WO[at(object)];
    const Vec3 own = T.A.inverse() * (out.motion.x - T.p);
    out.u[at(side)] = b.v;
    out.n[at(side)] = b.n;
    out.c[at(side)].assign(3 * at(b.n), 0);
    for (int k = 0; k < 3; ++k)
      c.kin().add_wrench(object, own, (side ? 1 : -1) * directions[k], Vec3::Zero(), at_,
                         out.c[at(side)].data() + k * b.n - b.v);
  }
}

/// The direction of a slip, of what has hardly begun or only turns by rounding that which it had
/// when the step began: across a slow slip friction is stiff, and rounding would make steps short.
/// It goes on smoothly where the slip passes through none.
Eigen::Vector2d direction_of(const Eigen::Vector2d& before, const Eigen::Vector2d& slip,
                             double no_slip) {
  constexpr double kStraight = 1e-8, kRoundingOfRates = 1e-6;  // of the slip, of Nearness::rate
  const double size = slip.norm(), length = before.norm();
  if (length == 0) return size > 0 ? Eigen::Vector2d(slip / size) : before;
  const double turned = std::abs(before[0] * slip[1] - before[1] * slip[0]) / length;
  const bool straight = turned < std::max(kStraight * size, kRoundingOfRates * no_slip);
  if (straight || size <= no_slip) return before / length;
  return slip * ((slip.dot(before) < 0 ? -1 : 1) / size);
}

void take_motion(const ContactForces& c, const Touching& of, const model::KinematicsCache& at_,
                 const double* u, Touch& t) {
  const auto surface = [&](int shape) {
    const model::ContactShape& s = c.surfaces.shape(shape);
    return Vec3(s.X_OS.R * s.surface_velocity);
  };
  t.point = of.point;
  t.motion = motion_of(c.kin().model(), of.geometry, surface(of.point.A), surface(of.point.B), at_);
  const ContactMotion& m = t.motion;
  t.t = tangent_to(m.n);
  t.s = m.n.cross(t.t);
  take_columns(c, at_, t);
  t.rate = {m.gap_rate, t.t.dot(m.slip), t.s.dot(m.slip)};
  t.bias = {m.gap_bias, t.t.dot(m.slip_bias), t.s.dot(m.slip_bias)};
  for (int k = 0; k < 3; ++k) t.own[k] = t.rate[k] - along(t, k, u);
  t.p.setZero();
  t.load = 0;
  t.acceleration = 0;
  const Eigen::Vector2d d =
      direction_of({t.t.dot(of.d), t.s.dot(of.d)}, t.rate.tail<2>(), c.scales.near.rate);
  t.direction[0] = d[0];
  t.direction[1] = d[1];
}

/// A point that was found, as it was known before.
Touching touching_of(const ContactForces& c, const contact::Point& p,
                     const model::KinematicsCache& at_) {
  Touching out{p, geometry_of(c.kin().model(), p, at_)};
  if (const Touching* before = known(c, p)) {
    out.status = before->status;
    out.place = before->place;
    out.d = before->d;
    out.begins = before->begins;
  } else if (p.gap < -kOverlap * c.kin().model().scales.length) {
    out.place = p.gap;
  }
  return out;
}

/// The direction of a slip goes on.
void turn_with_slip(const Touch& t, double no_slip, Touching& of) {
  if (of.status != TouchStatus::slipping) return;
  const Vec3 slip = slip_of(t);
  const Eigen::Vector2d to =
      direction_of({t.t.dot(of.d), t.s.dot(of.d)}, {t.rate[1], t.rate[2]}, no_slip);
  if (slip.dot(of.d) >= 0) of.d = to[0] * t.t + to[1] * t.s;
  if (slip.dot(of.d) > 0) of.begins = false;
}

/// What a memory of impulses over half a step of h says of a point.
void recall(const ContactForces& c, const Touch& t, const double* impulse, double h,
            Touching& out) {
  const Vec3 slip = slip_of(t), friction = impulse[1] * t.t + impulse[2] * t.s;
  const model::ContactLaw& law = law_of(c, t);
  const double most = law.friction * (impulse[0] + law.cohesion * h / 2);
  const bool slips = slip.norm() > c.scales.near.rate, slid = friction.norm() >= most * (1 - 1e-9);
  out.status = slips || slid ? TouchStatus::slipping : TouchStatus::sticking;
  if (out.status != TouchStatus::slipping) return;
  out.d = slips ? slip.normalized() : most > 0 ? Vec3(-friction.normalized()) : Vec3(Vec3::Zero());
}
}  // namespace

ContactForces::ContactForces(const model::Kinematics& kinematics, const piles::ContactOptions& with,
                             Impacts how)
    : surfaces(kinematics), options(with), impacts(how), finder(surfaces) {}

const Touching* known(const ContactForces& c, const contact::Point& p) {
  for (const Touching& t : c.touching)
    if (is_same(t.point, p)) return &t;
  return nullptr;
}

void set_scales(ContactForces& c, const Nearness& near, double h) {
  const double gravity = vec3(c.kin().params().values.data() + model::kGravityParam).norm();
  const double own = std::isfinite(near.acceleration) ? near.acceleration : 1;
  c.scales = {near, h, gravity > 0 ? gravity : own};
}

void begin_step(ContactForces& c, const Touches& now) {
  for (std::size_t i = 0; i < c.touching.size() && i < now.all.size(); ++i) {
    const Vec3 slip = slip_of(now.all[i]);
    if (c.touching[i].status == TouchStatus::slipping && slip.norm() > c.scales.near.rate)
      c.touching[i].d = slip.normalized();
  }
}

bool renew(ContactForces& c, const model::KinematicsCache& at_, const std::vector<double>& u) {
  c.margin.resize(c.surfaces.reach.size());
  margins(c.scales.h, c.surfaces, at_, u, c.margin);
  find_points(c.surfaces, at_, c.margin, c.finder, c.open);
  std::vector<Touching> next;
  Touch t;
  bool changed = false;
  for (const contact::Point& p : c.open) {
    Touching now = touching_of(c, p, at_);
    take_motion(c, now, at_, u.data(), t);
    turn_with_slip(t, c.scales.near.rate, now);
    const bool leaves = t.rate[0] > no_rate(c);
    if (!now.closed() && (!touches(c, t) || leaves)) continue;
    changed = changed || !known(c, p);
    next.push_back(std::move(now));
  }
  for (const Touching& of : c.touching)
    if (of.closed() && std::none_of(next.begin(), next.end(),
                                    [&](const Touching& n) { return is_same(n.point, of.point); }))
      changed = true;
  c.touching = std::move(next);
  return changed;
}

void load(ContactForces& c, const model::State& state, const model::KinematicsCache& at_,
          const std::vector<double>& u) {
  c.touching.clear();
  renew(c, at_, u);
  const std::vector<std::int64_t>& keys = state.contacts.key;
  Touches now;
  evaluate(c, at_, u.data(), now);
  c.undecided = false;
  for (std::size_t i = 0; i < c.touching.size(); ++i) {
    Touching& t = c.touching[i];
    for (std::size_t k = 0; k + 2 < keys.size(); k += 3)
      if (keys[k] == t.point.A && keys[k + 1] == t.point.B && keys[k + 2] == t.point.feature)
        recall(c, now.all[i], state.contacts.impulse.data() + 2 * k, state.rows.h, t);
    c.undecided = c.undecided || (!t.closed() && law_of(c, now.all[i]).cohesion > 0);
  }
}

void keep(const ContactForces& c, const Touches& now, double h, model::State& state) {
  state.contacts = {};
  for (const Touch& t : now.all) {
    const Touching* of = known(c, t.point);
    if (!of || !of->closed()) continue;
    state.contacts.key.insert(state.contacts.key.end(), {t.point.A, t.point.B, t.point.feature});
    for (int k = 0; k < 6; ++k) state.contacts.impulse.push_back(k < 3 ? h / 2 * t.p[k] : 0);
  }
}

bool any_closed(const ContactForces& c) {
  return std::any_of(c.touching.begin(), c.touching.end(),
                     [](const auto& t) { return t.closed(); });
}

void evaluate(const ContactForces& c, const model::KinematicsCache& at_, const double* u,
              Touches& out) {
  out.all.resize(c.touching.size());
  for (std::size_t i = 0; i < out.all.size(); ++i)
    take_motion(c, c.touching[i], at_, u, out.all[i]);
  out.rows.clear();
  out.wedged = false;
  out.excess = -1;
}

}  // namespace trammel::constraint
