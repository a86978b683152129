// When the law of contact changes, and what holds from then on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "constraint/contact_forces.h"
#include "constraint/rows.h"
#include "math/index.h"

namespace trammel::constraint {

namespace {
constexpr double kPerSlowSlip = 1e-8;  // alarms of rates are relative to Nearness::rate
constexpr double kNone = 1e-8;         // of the scale of accelerations: none
constexpr double kRests = 10;          // times Nearness::rate: what leaves more slowly rests
constexpr double kLastFlight = 1e-6;   // of a step: all flights to come, and it rests
constexpr double kShrunk = 1e-6;       // part of a coefficient: what has come to its cone leaves it
constexpr double kHeld = 1e-12;        // of the greatest W_nn: rows hold the point
constexpr double kExact = 1e-14;       // of the fastest: an impact is solved to that
constexpr double kDecided = 1e-14;     // of the scale of accelerations, likewise
constexpr double kTurn = 1e-9;         // of the scale: a slip begins
constexpr double kGain = 1e-12;        // of works
constexpr double kTravel = 0.5;        // of the least extent of what is near, in a step

double tangent(const Touch& t) { return t.p.tail<2>().norm(); }
}  // namespace

std::vector<solve::ContactLaw> ContactForces::laws(const Touches& now,
                                                   const std::vector<int>& points) const {
  std::vector<solve::ContactLaw> out;
  for (const int i : points) {
    const model::ContactLaw& l = law(now.all[at(i)]);
    out.push_back({l.friction, 0, 0, l.cohesion});
  }
  return out;
}

void ContactForces::solve(const MatX& W, const VecX& q, const std::vector<solve::ContactLaw>& how,
                          double tolerance, VecX& p) const {
  solve::ContactOptions options = options_;
  options.tolerance = tolerance;
  VecX known = q;  // what rows hold already takes no part
  const double most = W.diagonal().maxCoeff();
  for (int k = 0; k < count(how); ++k)
    if (!(W(3 * k, 3 * k) > kHeld * most)) known[3 * k] = law::kInf;
  const auto n = static_cast<std::size_t>(q.size());
  solve::solve_dense(W, {known.data(), n}, how, {p.data(), n}, options);
}

/// Where forces are shared between more points than there are ways to move, the least ones may
/// leave a cone that others would not: then it counts whether any do not.
bool ContactForces::share(Touches& now, const double* a, double* f) const {
  if (now.rows.empty() || now.factor.rank() == count(now.rows)) return false;
  Operator of;
  bool left = false;
  for (int i = 0; i < count(touching_); ++i) {
    if (!touching_[at(i)].closed()) continue;
    const Touch& t = now.all[at(i)];
    const double mu = law(t).friction, least = kAlarm * scale_ / t.inverse_mass;
    if (touching_[at(i)].status == TouchStatus::slipping && mu > 0) return false;
    of.points.push_back(i);
    left = left || t.load < -least || (mu > 0 && tangent(t) > mu * t.load + least);
  }
  if (!left) return false;
  const int n = count(of.points);
  of.W.setZero(3 * n, 3 * n);
  VecX p(3 * n), q(3 * n);
  std::map<int, int> place;
  for (int k = 0; k < n; ++k) {
    Touch& t = now.all[at(of.points[at(k)])];
    place[of.points[at(k)]] = k;
    p.segment<3>(3 * k) = t.p;
    for (int d = 0; d < 3; ++d) q[3 * k + d] = along(t, d, a) + t.bias[d];
  }
  for (int r = 0; r < count(now.rows); ++r)
    for (int c = 0; c < count(now.rows); ++c)
      of.W(3 * place[now.rows[at(r)].first] + now.rows[at(r)].second,
           3 * place[now.rows[at(c)].first] + now.rows[at(c)].second) = now.W(r, c);
  of.W = 0.5 * (of.W + of.W.transpose()).eval();
  q -= of.W * p;
  solve(of.W, q, laws(now, of.points), kTurn * scale_, p);
  const VecX rest = q + of.W * p;
  now.excess = 0;
  for (int k = 0; k < n; ++k) {
    const int rows = law(now.all[at(of.points[at(k)])]).friction > 0 ? 3 : 1;
    now.excess = std::max(now.excess, rest.segment(3 * k, rows).norm() / scale_);
  }
  if (now.excess > kNone) return false;
  share_anew(now, of.points, p, f);
  return true;
}

/// Goes from the forces of closed points to p, as far as that changes no acceleration, and adds the
/// difference to f.
void ContactForces::share_anew(Touches& now, const std::vector<int>& points, const VecX& p,
                               double* f) const {
  std::map<int, int> place;
  for (int k = 0; k < count(points); ++k) place[points[at(k)]] = k;
  VecX change(count(now.rows));
  for (int r = 0; r < count(now.rows); ++r) {
    const auto [i, d] = now.rows[at(r)];
    change[r] = p[3 * place[i] + d] - now.all[at(i)].p[d];
  }
  change -= now.factor.solve(VecX(now.W * change));
  for (int r = 0; r < count(now.rows); ++r) {
    const auto [i, d] = now.rows[at(r)];
    now.all[at(i)].p[d] += change[r];
    push(now.all[at(i)], change[r] * Vec3::Unit(d), f);
  }
  for (const int i : points)
    now.all[at(i)].load = now.all[at(i)].p[0] + law(now.all[at(i)]).cohesion;
}

double ContactForces::alarm(const Touches& now) const {
  double worst = now.excess >= 0 ? now.excess - kNone : -law::kInf;
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const Touching& of = touching_[i];
    const Touch& t = now.all[i];
    const double mu = law(t).friction, least = scale_ / t.inverse_mass;
    if (!of.closed()) continue;
    if (now.excess < 0) worst = std::max(worst, -t.load / least);
    if (mu <= 0) continue;
    if (of.status == TouchStatus::sticking) {
      if (now.excess < 0) worst = std::max(worst, (tangent(t) - mu * t.load) / least);
    } else {
      const double forward = (t.rate[1] * t.t + t.rate[2] * t.s).dot(of.d);
      const double none = of.begins ? kSlowTouch * near_.rate : 0;
      worst = std::max(worst, (-forward - none) * kPerSlowSlip / near_.rate);
    }
  }
  return worst;
}

/// True for points beside closed ones, at no distance when the step began: rounding makes them come
/// and go.
bool ContactForces::rests(const contact::Point& p) const {
  const auto same = [&](const contact::Point& o) {
    return o.A == p.A && o.B == p.B && o.feature == p.feature;
  };
  if (std::any_of(open_.begin(), open_.end(), [&](const auto& o) {
        return same(o) && o.gap > kAlarm * kin_.model().scales.length;
      }))
    return false;
  return std::any_of(touching_.begin(), touching_.end(), [&](const Touching& t) {
    return !t.leaves && t.point.A == p.A && t.point.B == p.B;
  });
}

double ContactForces::closing(const model::KinematicsCache& at_) const {
  const double length = kin_.model().scales.length;
  find(at_);
  double worst = -law::kInf;
  for (const contact::Point& p : found_) {
    const Touching* of = known(p);
    if (of && of->closed()) continue;
    worst = std::max(worst, (reference(p) - p.gap) / length - (rests(p) ? kAlarm : 0));
  }
  return worst;
}

bool ContactForces::strikes(const Touches& now) const {
  return std::any_of(now.all.begin(), now.all.end(),
                     [&](const Touch& t) { return t.rate[0] < -kSlowTouch * near_.rate; });
}

bool ContactForces::is_alarmed(const Touches& now) const {
  if (undecided_ || strikes(now) || alarm(now) > kAlarm) return true;
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const Touch& t = now.all[i];
    const double rate = std::abs(t.rate[0]);
    const bool sinks = t.acceleration < -kNone * scale_;
    if (touching_[i].closed() ? rate > kSlowTouch * near_.rate : sinks) return true;
    if (touching_[i].status == TouchStatus::sticking && law(t).friction > 0 &&
        t.rate.tail<2>().norm() > kSlowTouch * near_.rate)
      return true;
  }
  return false;
}

double ContactForces::longest_step() const {
  double share = 0;
  for (const contact::Point& p : open_) {
    const Touching* of = known(p);
    if (of && of->closed()) continue;
    const double most = kTravel * least_extent(surfaces_, p);
    share = std::max(share, (margin_[at(p.A)] + margin_[at(p.B)]) / 2 / most);
  }
  return share > 1 ? h_ / share : law::kInf;
}

bool ContactForces::make_full(const Touches& now, const Respond& respond, Operator& out) const {
  const int n = count(out.points);
  const std::size_t n_u = at(kin_.model().n_u);
  out.du.assign(at(3 * n), std::vector<double>(n_u));
  out.rows.assign(at(3 * n), {});
  out.W.resize(3 * n, 3 * n);
  std::vector<double> f(n_u);
  for (int c = 0; c < 3 * n; ++c) {
    std::fill(f.begin(), f.end(), 0.0);
    push(now.all[at(out.points[at(c / 3)])], Vec3::Unit(c % 3), f.data());
    if (!respond(f, out.du[at(c)], out.rows[at(c)])) return false;
    for (int r = 0; r < 3 * n; ++r)
      out.W(r, c) = along(now.all[at(out.points[at(r / 3)])], r % 3, out.du[at(c)].data());
  }
  out.W = 0.5 * (out.W + out.W.transpose()).eval();
  return out.W.allFinite();
}

/// The rate below which what strikes leaves so slowly that it rests: all flights to come are over
/// in no time.
double ContactForces::rests_below(const Touch& t) const {
  const double e = law(t).restitution;
  return std::max({kRests * near_.rate, 0.5 * scale_ * kLastFlight * h_ * (1 - e),
                   e * kSlowTouch * near_.rate});
}

std::vector<ImpactPoint> ContactForces::impact_points(const Touches& now) const {
  std::map<std::pair<int, int>, int> pairs;
  std::vector<ImpactPoint> out;
  for (const Touch& t : now.all) {
    const std::pair bodies(surfaces_.object_of(t.point.A), surfaces_.object_of(t.point.B));
    ImpactPoint& to = out.emplace_back();
    to.pair = pairs.emplace(bodies, count(pairs)).first->second;
    to.mu = law(t).friction;
    to.restitution = law(t).restitution;
    to.poisson = law(t).poisson;
    to.rests = rests_below(t);
    to.before = t.rate;
  }
  return out;
}

bool ContactForces::strike(const Touches& now, double time, const Respond& respond, Impact& out) {
  Operator of;
  for (int i = 0; i < count(now.all); ++i) of.points.push_back(i);
  if (!make_full(now, respond, of)) return false;
  const int n = count(of.points);
  std::vector<ImpactPoint> points = impact_points(now);
  VecX before(3 * n);
  for (int i = 0; i < n; ++i) before.segment<3>(3 * i) = now.all[at(i)].rate;
  const double tolerance = kExact * before.lpNorm<Eigen::Infinity>();
  const auto solved = [&](Impacts how) {
    DenseImpact response(of.W);
    return constraint::solve_impact(how, points, kSlowTouch * near_.rate, tolerance, response);
  };
  const ImpactResult result = solved(impacts_);
  struck_.impacts += result.impacts;
  struck_.ended = struck_.ended && result.ended;
  VecX p = result.p;
  const auto work = [&](const VecX& x) { return x.dot(before) + 0.5 * x.dot(of.W * x); };
  const double size = p.cwiseProduct(before).cwiseAbs().sum();
  if (work(p) > kGain * size) {  // Newton's law may gain: as by impulses
    for (ImpactPoint& point : points) point.restitution = 0;
    const VecX calm = solved(Impacts::simultaneous).p, more = p - calm;
    double lo = 0, hi = 1;
    for (int k = 0; k < 100; ++k) {
      const double s = 0.5 * (lo + hi);
      (work(calm + s * more) <= 0 ? lo : hi) = s;
    }
    p = calm + lo * more;
  }
  const VecX mean = before + 0.5 * of.W * p;
  out = {};
  out.impulses.assign(now.all.size(), Vec3::Zero());
  out.du.assign(at(kin_.model().n_u), 0);
  out.rows.assign(of.rows.empty() ? 0 : of.rows[0].size(), 0);
  for (int c = 0; c < 3 * n; ++c) {
    for (std::size_t k = 0; k < out.du.size(); ++k) out.du[k] += p[c] * of.du[at(c)][k];
    for (std::size_t k = 0; k < out.rows.size(); ++k) out.rows[k] += p[c] * of.rows[at(c)][k];
  }
  for (int i = 0; i < n; ++i) {
    const Vec3 x = p.segment<3>(3 * i);
    const Wrench w = outside_of(now.all[at(i)], x);
    out.outside.force += w.force;
    out.outside.moment += w.moment;
    out.impulses[at(of.points[at(i)])] = x;
    out.friction += x.tail<2>().dot(mean.segment<2>(3 * i + 1));
    out.drives -= x.dot(now.all[at(i)].own);
  }
  report_impacts(now, of, p, time);
  return p.allFinite();
}

void ContactForces::report_impacts(const Touches& now, const Operator& of, const VecX& p,
                                   double time) {
  std::map<std::string, double> fastest;
  for (int k = 0; k < count(of.points); ++k) {
    const Touch& t = now.all[at(of.points[at(k)])];
    if (!(p[3 * k] > 0) || !(-t.rate[0] > kImpactSpeed * kin_.model().scales.speed)) continue;
    double& v = fastest[name_of(surfaces_, t.point)];
    v = std::max(v, -t.rate[0]);
  }
  for (const auto& [pair, speed] : fastest)
    events_.push_back({time, EventKind::impact, pair, "bodies have met", speed, "m/s"});
}

bool ContactForces::decide(const Touches& now, double time, const double* a0,
                           const Respond& respond, bool alarmed) {
  undecided_ = false;
  Operator of;
  std::vector<TouchStatus> before;
  for (int i = 0; i < count(touching_); ++i) {
    before.push_back(touching_[at(i)].status);
    touching_[at(i)].leaves = !(std::abs(now.all[at(i)].rate[0]) <= kSlowTouch * near_.rate);
    if (touching_[at(i)].leaves)
      touching_[at(i)].status = TouchStatus::idle;
    else
      of.points.push_back(i);
  }
  if (of.points.empty()) return true;
  if (!make_full(now, respond, of)) return false;
  const int n = count(of.points);
  VecX q(3 * n), p = VecX::Zero(3 * n), friction = VecX::Zero(3 * n);
  std::vector<solve::ContactLaw> how = laws(now, of.points);
  std::vector<unsigned char> slips(at(n), 0);
  for (int k = 0; k < n; ++k) {
    const Touch& t = now.all[at(of.points[at(k)])];
    for (int d = 0; d < 3; ++d) q[3 * k + d] = along(t, d, a0) + t.bias[d];
    slips[at(k)] = t.rate.tail<2>().norm() > kSlowTouch * near_.rate && law(t).friction > 0;
    if (slips[at(k)])
      how[at(k)].mu = 0;
    else if (alarmed && before[at(of.points[at(k)])] != TouchStatus::slipping)
      how[at(k)].mu *= 1 - kShrunk;
  }
  constexpr int kMost = 200, kExactly = 30;
  double last = law::kInf;
  for (int pass = 0;; ++pass) {
    const VecX known = q + of.W * friction, old = friction;
    solve(of.W, known, how, kDecided * scale_, p);
    for (int k = 0; k < n; ++k) {
      if (!slips[at(k)]) continue;
      const Touch& t = now.all[at(of.points[at(k)])];
      friction.segment<2>(3 * k + 1) =
          -law(t).friction * (p[3 * k] + law(t).cohesion) * t.rate.tail<2>().normalized();
    }
    last = (friction - old).lpNorm<Eigen::Infinity>();
    // of forces that several points share in many ways the share wavers with the solver's rounding
    const double enough = pass < kExactly ? 1e-13 : 1e-9;
    if (last <= enough * friction.lpNorm<Eigen::Infinity>()) break;
    if (pass == kMost || !std::isfinite(last)) return false;
  }
  const VecX a = q + of.W * (p + friction);
  for (int k = 0; k < n; ++k) {
    const int i = of.points[at(k)];
    const Touch& t = now.all[at(i)];
    Touching& to = touching_[at(i)];
    const double load = p[3 * k] + law(t).cohesion;
    const double least = (alarmed ? kNone : 1e-3 * kNone) * scale_ / of.W(3 * k, 3 * k);
    to.status = TouchStatus::idle;
    if (!(load > least) || !(of.W(3 * k, 3 * k) > kHeld * of.W.diagonal().maxCoeff())) continue;
    Eigen::Vector2d turn =
        slips[at(k)] ? Eigen::Vector2d(t.rate.tail<2>()) : a.segment<2>(3 * k + 1);
    const bool slides = law(t).friction > 0 && (slips[at(k)] || turn.norm() > kTurn * scale_);
    to.status = slides ? TouchStatus::slipping : TouchStatus::sticking;
    to.begins = slides && !slips[at(k)];
    // where a slip begins friction is known better than what is left of the acceleration
    const Eigen::Vector2d rubs = p.segment<2>(3 * k + 1);
    if (slides && !slips[at(k)] && rubs.norm() > 0.5 * law(t).friction * load) turn = -rubs;
    to.d = slides ? Vec3((turn[0] * t.t + turn[1] * t.s).normalized()) : Vec3(Vec3::Zero());
  }
  report_changes(before, time);
  return true;
}

/// Tells of pairs that have come to stick or to slip and were closed before.
void ContactForces::report_changes(const std::vector<TouchStatus>& before, double time) {
  std::set<std::pair<std::string, TouchStatus>> told;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const TouchStatus now = touching_[i].status;
    if (before[i] == now || before[i] == TouchStatus::idle || now == TouchStatus::idle) continue;
    const std::string pair = name_of(surfaces_, touching_[i].point);
    if (!told.insert({pair, now}).second) continue;
    const bool slips = now == TouchStatus::slipping;
    events_.push_back({time, slips ? EventKind::slide : EventKind::hold, pair,
                       slips ? "their contact slips" : "their contact sticks", 0, "m/s"});
  }
}

}  // namespace trammel::constraint
