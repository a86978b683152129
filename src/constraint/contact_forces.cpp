// What touches, and the forces of what is closed; events are in contact_forces_events.cpp.
#include "constraint/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "constraint/contact/motion.h"
#include "math/dense.h"
#include "math/index.h"
#include "model/reactions.h"

namespace trammel::constraint {

namespace {
constexpr double kRank = 1e-10;    // of the greatest: directions in which forces are shared
constexpr double kOverlap = 1e-9;  // of the mechanism's length: that is held as it is, no rounding

bool same(const contact::Point& a, const contact::Point& b) {
  return a.A == b.A && a.B == b.B && a.feature == b.feature;
}

Vec3 tangent_to(const Vec3& n) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) < std::abs(n[least])) least = i;
  return n.cross(Vec3::Unit(least)).normalized();
}

/// The force of a unit along a direction of a closed point: of what slips, friction comes with n.
Vec3 effective(const Touch& t, TouchStatus status, double mu, int direction) {
  if (direction > 0 || status == TouchStatus::sticking) return Vec3::Unit(direction);
  return {1, -mu * t.direction[0], -mu * t.direction[1]};
}

}  // namespace

double along(const Touch& t, int row, const double* u) {
  double out = 0;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    for (int j = 0; j < t.n[side]; ++j)
      out += t.c[side][at(row * t.n[side] + j)] * u[t.u[side] + j];
  return out;
}

void push(const Touch& t, const Vec3& p, double* f) {
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < t.n[side]; ++j)
        f[t.u[side] + j] += p[k] * t.c[side][at(k * t.n[side] + j)];
}

ContactForces::ContactForces(const model::Kinematics& kin, const solve::ContactOptions& options,
                             Impacts impacts)
    : kin_(kin), options_(options), impacts_(impacts), surfaces_(kin), finder_(surfaces_) {}

void ContactForces::set_scales(const Nearness& near, double h) {
  near_ = near;
  h_ = h;
  const double gravity = vec3(kin_.params().values.data() + model::kGravityParam).norm();
  scale_ = gravity > 0 ? gravity : std::isfinite(near.acceleration) ? near.acceleration : 1;
}

void ContactForces::find(const model::KinematicsCache& at_) const {
  find_points(surfaces_, at_, margin_, finder_, found_);
}

const Touching* ContactForces::known(const contact::Point& p) const {
  for (const Touching& t : touching_)
    if (same(t.point, p)) return &t;
  return nullptr;
}

/// The gap below which an open point has closed: what overlaps already, by as much.
double ContactForces::reference(const contact::Point& p) const {
  double out = 0;
  for (const Touching& t : touching_)
    if (t.point.A == p.A && t.point.B == p.B) out = std::min(out, t.place);
  for (const contact::Point& o : open_)
    if (same(o, p)) out = std::min(out, o.gap);
  return out;
}

/// As closely as the time of an event is found.
bool ContactForces::touches(const Touch& t) const {
  return t.motion.gap <=
         kOverlap * kin_.model().scales.length + 4 * near_.moment * std::abs(t.rate[0]);
}

void ContactForces::begin_step(const Touches& now) {
  for (std::size_t i = 0; i < touching_.size() && i < now.all.size(); ++i) {
    const Touch& t = now.all[i];
    const Vec3 slip = t.rate[1] * t.t + t.rate[2] * t.s;
    if (touching_[i].status == TouchStatus::slipping && slip.norm() > near_.rate)
      touching_[i].d = slip.normalized();
  }
}

bool ContactForces::renew(const model::KinematicsCache& at_, const std::vector<double>& u) {
  margin_ = margins(h_, surfaces_, at_, u);
  find(at_);
  std::vector<Touching> next;
  bool changed = false;
  for (const contact::Point& p : found_) {
    const Touching* before = known(p);
    Touching now{p, geometry_of(kin_.model(), p, at_)};
    if (before) {
      now.status = before->status;
      now.place = before->place;
      now.d = before->d;
      now.begins = before->begins;
    } else if (p.gap < -kOverlap * kin_.model().scales.length) {
      now.place = p.gap;
    }
    Touches one;
    std::vector<Touching> only{now};
    only.swap(touching_);
    evaluate(at_, u.data(), one);
    only.swap(touching_);
    const Touch& t = one.all[0];
    if (now.closed() && now.status == TouchStatus::slipping) {
      const Vec3 slip = t.rate[1] * t.t + t.rate[2] * t.s;
      const Eigen::Vector2d to =
          direction_of({t.t.dot(now.d), t.s.dot(now.d)}, {t.rate[1], t.rate[2]});
      if (slip.dot(now.d) >= 0) now.d = to[0] * t.t + to[1] * t.s;
      if (slip.dot(now.d) > 0) now.begins = false;
    }
    const bool leaves = t.rate[0] > kSlowTouch * near_.rate;
    if (!now.closed() && (!touches(t) || leaves)) continue;
    if (!before) changed = true;
    next.push_back(std::move(now));
  }
  for (const Touching& t : touching_)
    if (t.closed() && std::none_of(next.begin(), next.end(),
                                   [&](const Touching& n) { return same(n.point, t.point); }))
      changed = true;
  touching_ = std::move(next);
  open_ = found_;
  return changed;
}

void ContactForces::load(const model::State& state, const model::KinematicsCache& at_,
                         const std::vector<double>& u) {
  touching_.clear();
  open_.clear();
  renew(at_, u);
  const std::vector<std::int64_t>& keys = state.contacts.key;
  Touches now;
  evaluate(at_, u.data(), now);
  undecided_ = false;
  for (std::size_t i = 0; i < touching_.size(); ++i)
    for (std::size_t k = 0; k + 2 < keys.size(); k += 3) {
      Touching& t = touching_[i];
      if (keys[k] != t.point.A || keys[k + 1] != t.point.B || keys[k + 2] != t.point.feature)
        continue;
      const double* p = state.contacts.impulse.data() + 2 * k;
      const Touch& m = now.all[i];
      const Vec3 slip = m.rate[1] * m.t + m.rate[2] * m.s, friction = p[1] * m.t + p[2] * m.s;
      const double most = law(m).friction * (p[0] + law(m).cohesion * state.rows.h / 2);
      const bool slips = slip.norm() > near_.rate, slid = friction.norm() >= most * (1 - 1e-9);
      t.status = slips || slid ? TouchStatus::slipping : TouchStatus::sticking;
      if (t.status != TouchStatus::slipping) continue;
      t.d = slips      ? slip.normalized()
            : most > 0 ? Vec3(-friction.normalized())
                       : Vec3(Vec3::Zero());
    }
  for (std::size_t i = 0; i < touching_.size(); ++i)
    undecided_ = undecided_ || (!touching_[i].closed() && law(now.all[i]).cohesion > 0);
}

void ContactForces::keep(const Touches& now, double h, model::State& state) const {
  state.contacts = {};
  for (const Touch& t : now.all) {
    const Touching* of = known(t.point);
    if (!of || !of->closed()) continue;
    state.contacts.key.insert(state.contacts.key.end(), {t.point.A, t.point.B, t.point.feature});
    for (int k = 0; k < 6; ++k) state.contacts.impulse.push_back(k < 3 ? h / 2 * t.p[k] : 0);
  }
}

bool ContactForces::any_closed() const {
  return std::any_of(touching_.begin(), touching_.end(), [](const auto& t) { return t.closed(); });
}

void ContactForces::take_columns(const model::KinematicsCache& at_, Touch& out) const {
  const Vec3 directions[] = {out.motion.n, out.t, out.s};
  for (const int side : {0, 1}) {
    const int object = surfaces_.object_of(side ? out.point.B : out.point.A);
    const model::Object& o = kin_.model().objects[at(object)];
    out.n[at(side)] = 0;
    if (o.block < 0) continue;
    const model::Block& b = kin_.model().blocks[at(o.block)];
    const body::Transform& T = at_.T_WO[at(object)];
    const Vec3 own = T.A.inverse() * (out.motion.x - T.p);
    out.u[at(side)] = b.v;
    out.n[at(side)] = b.n;
    out.c[at(side)].assign(3 * at(b.n), 0);
    for (int k = 0; k < 3; ++k)
      kin_.add_wrench(object, own, (side ? 1 : -1) * directions[k], Vec3::Zero(), at_,
                      out.c[at(side)].data() + k * b.n - b.v);
  }
}

/// The direction of a slip, of what has hardly begun or only turns by rounding that which it had
/// when the step began: across a slow slip friction is stiff, and rounding would make steps short.
/// It goes on smoothly where the slip passes through none.
Eigen::Vector2d ContactForces::direction_of(const Eigen::Vector2d& before,
                                            const Eigen::Vector2d& slip) const {
  constexpr double kStraight = 1e-8, kRoundingOfRates = 1e-6;  // of the slip, of Nearness::rate
  const double size = slip.norm(), length = before.norm();
  if (length == 0) return size > 0 ? Eigen::Vector2d(slip / size) : before;
  const double turned = std::abs(before[0] * slip[1] - before[1] * slip[0]) / length;
  const bool straight = turned < std::max(kStraight * size, kRoundingOfRates * near_.rate);
  if (straight || size <= near_.rate) return before / length;
  return slip * ((slip.dot(before) < 0 ? -1 : 1) / size);
}

void ContactForces::evaluate(const model::KinematicsCache& at_, const double* u,
                             Touches& out) const {
  const auto surface = [&](int shape) {
    const model::ContactShape& s = kin_.model().contacts.shapes[at(shape)];
    return Vec3(s.X_OS.R * s.surface_velocity);
  };
  out.all.resize(touching_.size());
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const Touching& of = touching_[i];
    Touch& t = out.all[i];
    t.point = of.point;
    t.motion = motion_of(kin_.model(), of.geometry, surface(of.point.A), surface(of.point.B), at_);
    const ContactMotion& m = t.motion;
    t.t = tangent_to(m.n);
    t.s = m.n.cross(t.t);
    take_columns(at_, t);
    t.rate = {m.gap_rate, t.t.dot(m.slip), t.s.dot(m.slip)};
    t.bias = {m.gap_bias, t.t.dot(m.slip_bias), t.s.dot(m.slip_bias)};
    for (int k = 0; k < 3; ++k) t.own[k] = t.rate[k] - along(t, k, u);
    t.p.setZero();
    t.load = 0;
    t.acceleration = 0;
    const Eigen::Vector2d d = direction_of({t.t.dot(of.d), t.s.dot(of.d)}, t.rate.tail<2>());
    t.direction[0] = d[0];
    t.direction[1] = d[1];
  }
  out.rows.clear();
  out.wedged = false;
  out.excess = -1;
}

bool ContactForces::begin(Touches& now, const Respond& respond, double* f) const {
  for (int i = 0; i < count(touching_); ++i) {
    if (!touching_[at(i)].closed()) continue;
    Touch& t = now.all[at(i)];
    const bool sticks = touching_[at(i)].status == TouchStatus::sticking;
    const model::ContactLaw& l = law(t);
    for (int k = 0; k < (sticks && l.friction > 0 ? 3 : 1); ++k) now.rows.push_back({i, k});
    t.load = l.cohesion;
    if (sticks || l.cohesion == 0) continue;  // what slips is rubbed by its cohesion as well
    const Vec3 known(0, -l.friction * l.cohesion * t.direction[0],
                     -l.friction * l.cohesion * t.direction[1]);
    t.p += known;
    push(t, known, f);
  }
  const int n = count(now.rows);
  if (n == 0) return true;
  now.W.resize(n, n);
  const std::size_t n_u = at(kin_.model().n_u);
  std::vector<double> g(n_u), du(n_u), rows;
  for (int c = 0; c < n; ++c) {
    const auto [i, k] = now.rows[at(c)];
    std::fill(g.begin(), g.end(), 0.0);
    push(now.all[at(i)],
         effective(now.all[at(i)], touching_[at(i)].status, law(now.all[at(i)]).friction, k),
         g.data());
    if (!respond(g, du, rows)) return false;
    for (int r = 0; r < n; ++r)
      now.W(r, c) = along(now.all[at(now.rows[at(r)].first)], now.rows[at(r)].second, du.data());
    if (k == 0) {
      now.all[at(i)].inverse_mass = now.W(c, c);
      now.wedged = now.wedged || !(now.W(c, c) > 0);
    }
  }
  now.factor = dense::LeastNorm(now.W, kRank);
  return !now.wedged && now.W.allFinite();
}

double ContactForces::correct(Touches& now, const double* a, double* f) const {
  const int n = count(now.rows);
  if (n == 0) return 0;
  VecX missing(n);
  for (int r = 0; r < n; ++r) {
    const auto [i, k] = now.rows[at(r)];
    missing[r] = -(along(now.all[at(i)], k, a) + now.all[at(i)].bias[k]);
  }
  const VecX x = now.factor.solve(missing);
  for (int r = 0; r < n; ++r) {
    const auto [i, k] = now.rows[at(r)];
    Touch& t = now.all[at(i)];
    const Vec3 more = x[r] * effective(t, touching_[at(i)].status, law(t).friction, k);
    t.p += more;
    push(t, more, f);
  }
  return missing.lpNorm<Eigen::Infinity>();
}

void ContactForces::finish(Touches& now, const double* a) const {
  for (Touch& t : now.all) {
    t.acceleration = along(t, 0, a) + t.bias[0];
    t.load = t.p[0] + law(t).cohesion;
  }
}

Wrench ContactForces::outside_of(const Touch& t, const Vec3& p) const {
  const bool A = surfaces_.in_balance(t.point.A), B = surfaces_.in_balance(t.point.B);
  if (A == B) return {};
  const Vec3 f = (B ? 1 : -1) * (p[0] * t.motion.n + p[1] * t.t + p[2] * t.s);
  return {f, t.motion.x.cross(f)};
}

void ContactForces::add_wrenches(const Touches& now, const std::vector<Vec3>& impulses,
                                 const model::KinematicsCache& at_, double* wrench_impulses) const {
  model::ContactWrenches out(kin_.model(), wrench_impulses);
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    const Touch& t = now.all[i];
    const Vec3& p = impulses[i];
    const Vec3 f = p[0] * t.motion.n + p[1] * t.t + p[2] * t.s;
    out.add(surfaces_.object_of(t.point.A), at_, t.motion.x, -f);
    out.add(surfaces_.object_of(t.point.B), at_, t.motion.x, f);
  }
}

void ContactForces::add_impulses(const Touches& now, const std::vector<Vec3>& impulses,
                                 std::vector<ContactImpulse>& out) const {
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    const Touch& t = now.all[i];
    const Vec3& p = impulses[i];
    if (p.isZero(0)) continue;
    out.push_back({surfaces_.object_of(t.point.A), surfaces_.object_of(t.point.B),
                   p[0] * t.motion.n + p[1] * t.t + p[2] * t.s});
  }
}

ContactForces::Powers ContactForces::powers(const Touches& now) const {
  Powers out;
  for (const Touch& t : now.all) {
    const Wrench w = outside_of(t, t.p);
    out.outside.force += w.force;
    out.outside.moment += w.moment;
    out.friction += t.p.tail<2>().dot(t.rate.tail<2>());
    out.drives -= t.p.dot(t.own);
  }
  return out;
}

ContactReport ContactForces::report(const Touches& now) {
  ContactReport out = struck_;
  struck_ = {};
  for (const Touch& t : now.all) {
    out.points += t.p[0] > 0;
    out.depth = std::max(out.depth, -t.motion.gap);
    out.sunk = std::max(out.sunk, -t.motion.gap / least_extent(surfaces_, t.point));
  }
  return out;
}

void ContactForces::forces(const Touches& now, std::vector<ContactForce>& out) {
  out.clear();
  for (const Touch& t : now.all) {
    if (t.p.isZero(0)) continue;
    contact::Point p = t.point;
    p.n = t.motion.n;
    p.gap = t.motion.gap;
    p.p_B = t.motion.x;
    p.p_A = p.p_B - p.gap * p.n;
    out.push_back({p, t.p[0] * t.motion.n + t.p[1] * t.t + t.p[2] * t.s});
  }
}

double ContactForces::misplaced(const Touches& now) const {
  double worst = 0;
  for (std::size_t i = 0; i < touching_.size(); ++i)
    if (touching_[i].closed())
      worst = std::max(worst, std::abs(now.all[i].motion.gap - touching_[i].place));
  return worst;
}

namespace {
/// Solves for the impulses along some directions that make changes r, and adds their motions to dq.
bool move_by(const Touches& now, const std::vector<std::pair<int, int>>& rows, const VecX& r,
             const ContactForces::Respond& respond, std::vector<double>& dq,
             std::vector<double>& row_impulses, VecX& x) {
  const int n = count(rows);
  const std::size_t n_u = dq.size();
  MatX W(n, n);
  std::vector<std::vector<double>> motions(at(n), std::vector<double>(n_u)), answers(at(n));
  std::vector<double> g(n_u);
  for (int c = 0; c < n; ++c) {
    std::fill(g.begin(), g.end(), 0.0);
    push(now.all[at(rows[at(c)].first)], Vec3::Unit(rows[at(c)].second), g.data());
    if (!respond(g, motions[at(c)], answers[at(c)])) return false;
    for (int k = 0; k < n; ++k)
      W(k, c) = along(now.all[at(rows[at(k)].first)], rows[at(k)].second, motions[at(c)].data());
  }
  x = dense::LeastNorm(W, kRank).solve(r);
  row_impulses.resize(n > 0 ? answers[0].size() : 0);
  for (int c = 0; c < n; ++c) {
    for (std::size_t k = 0; k < n_u; ++k) dq[k] += x[c] * motions[at(c)][k];
    for (std::size_t k = 0; k < row_impulses.size(); ++k)
      row_impulses[k] += x[c] * answers[at(c)][k];
  }
  return x.allFinite();
}
}  // namespace

bool ContactForces::replace(const Touches& now, const Respond& respond,
                            std::vector<double>& dq) const {
  std::vector<std::pair<int, int>> rows;
  for (int i = 0; i < count(touching_); ++i)
    if (touching_[at(i)].closed()) rows.push_back({i, 0});
  VecX r(count(rows)), x;
  for (int k = 0; k < count(rows); ++k) {
    const std::size_t i = at(rows[at(k)].first);
    r[k] = touching_[i].place - now.all[i].motion.gap;
  }
  std::vector<double> answers;
  return move_by(now, rows, r, respond, dq, answers, x);
}

bool ContactForces::hold_rates(const Touches& now, const Respond& respond, std::vector<double>& du,
                               std::vector<double>& row_impulses, Wrench& outside,
                               std::vector<Vec3>& impulses) const {
  impulses.assign(now.all.size(), Vec3::Zero());
  std::vector<std::pair<int, int>> rows;
  for (int i = 0; i < count(touching_); ++i) {
    if (!touching_[at(i)].closed()) continue;
    const bool sticks = touching_[at(i)].status == TouchStatus::sticking;
    for (int k = 0; k < (sticks && law(now.all[at(i)]).friction > 0 ? 3 : 1); ++k)
      rows.push_back({i, k});
  }
  VecX r(count(rows)), x;
  for (int k = 0; k < count(rows); ++k)
    r[k] = -now.all[at(rows[at(k)].first)].rate[rows[at(k)].second];
  if (!move_by(now, rows, r, respond, du, row_impulses, x)) return false;
  for (int k = 0; k < count(rows); ++k) {
    const Touch& t = now.all[at(rows[at(k)].first)];
    impulses[at(rows[at(k)].first)][rows[at(k)].second] = x[k];
    const Wrench w = outside_of(t, x[k] * Vec3::Unit(rows[at(k)].second));
    outside.force += w.force;
    outside.moment += w.moment;
  }
  return true;
}

}  // namespace trammel::constraint
