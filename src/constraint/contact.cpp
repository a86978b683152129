// The stages of a step with contacts, see docs/theory/contact.md. What they leave behind is in
// contact_account.cpp.
#include "constraint/contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "constraint/contact_match.h"
#include "math/index.h"
#include "math/parallel.h"

namespace trammel::constraint {

namespace {
constexpr double kPushed = 0.2;           // share of an overlap that a step takes out
constexpr double kPushSpeed = 1;          // fastest that it does so, of the mechanism's speed
constexpr double kBoundPushSpeed = 0.01;  // likewise, where rows hold bodies
constexpr double kPushAccuracy = 0.01;    // of the speed of pushing
constexpr int kPushSweeps = 10;

constexpr double kArrived = 0.1;  // share of a gap that is left of what has come

constexpr double kBonded = 100;     // tolerances by which what is held comes apart at most
constexpr double kTorn = 1 - 1e-9;  // of the cohesion: more pulls off

/// Whether a cohesion holds with an impulse, or does not come to it.
bool is_held(const Six& p, double cohesion) {
  return cohesion > 0 && p[0] != 0 && p[0] > -kTorn * cohesion;
}

bool any_poisson(const model::Model& model) {
  const std::vector<model::ContactLaw>& all = model.contacts.laws;
  return std::any_of(all.begin(), all.end(),
                     [](const auto& l) { return l.poisson && l.restitution > 0; });
}

}  // namespace

Contacts::Contacts(const model::Kinematics& kin, const solve::ContactOptions& options,
                   Impacts impacts)
    : kin_(kin),
      options_(options),
      slop_(kSlop * kin.model().scales.length),
      push_speed_(kPushSpeed * kin.model().scales.speed),
      bound_push_speed_(kBoundPushSpeed * kin.model().scales.speed),
      impacts_(impacts),
      aims_(impacts == Impacts::sequential || any_poisson(kin.model())),
      surfaces_(kin),
      now_(std::make_unique<ContactList>()),
      next_(std::make_unique<ContactList>()) {
  v_.assign(6 * at(surfaces_.n_free() + 1), 0);
  u_.resize(at(kin.model().n_u));
}

void Contacts::load(const model::State& state) {
  margin_.clear();
  kept_h_ = state.rows.h;
}

void Contacts::take(const solve::ContactEffort& effort) {
  report_.sweeps += effort.sweeps;
  report_.newton += effort.newton;
  report_.merit = std::max(report_.merit, effort.merit);
  report_.converged = report_.converged && effort.converged;
}

void Contacts::clear_step(double h) {
  h_ = h;
  failure_.clear();
  report_ = {};
  events_.clear();
  impulses_.clear();
  outside_ = {};
  push_.clear();
  push_work_ = 0;
}

void Contacts::begin_stage(const ContactList& list, ContactStage& stage) const {
  const std::size_t n = list.size();
  stage.targets.resize(n);
  stage.p.assign(n, Six::Zero());
  stage.before.resize(n);
  stage.after.resize(n);
  for (const int i : list.bound) stage.before[at(i)] = stage.after[at(i)] = Six::Zero();
  stage.W.clear();
  stage.held.clear();
  stage.unsolved.clear();
  stage.merit = 0;
  for (std::size_t i = 0; i < n; ++i)
    stage.targets[i] = {-list.own[i], surfaces_.law(list.points[i]).cohesion * h_ / 2};
}

/// The rates of all points with those of their surfaces.
void Contacts::slips(const ContactList& list, const std::vector<double>& u,
                     std::vector<Six>& out) const {
  out.resize(list.size());
  parallel::for_pieces(static_cast<int>(list.size()), kContactGrain, [&](int first, int last) {
    for (std::size_t i = at(first); i < at(last); ++i) {
      out[i] = slip_at(list, i, u);
    }
  });
}

void Contacts::slips_of_lean(const ContactList& list, const std::vector<double>& u,
                             std::vector<Six>& out) const {
  parallel::for_pieces(count(list.lean), kContactGrain, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const std::size_t i = at(list.lean[at(k)]);
      out[i] = slip_at(list, i, u);
    }
  });
}

/// The rates as the step begins: mostly those with which the last one has ended.
void Contacts::take_start(const std::vector<double>& u) {
  if (now_->version == end_version_ && u == end_u_)
    start_.swap(second_.after);
  else
    slips(*now_, u, start_);
  end_version_ = -1;
}

void Contacts::first(double h, const model::State& state, const model::KinematicsCache& at_,
                     const std::vector<double>& u, std::vector<double>& P) {
  clear_step(h);
  const std::vector<double> margin = surfaces_.margins(h, at_, u);
  if (margin != margin_) surfaces_.find(at_, margin, *now_);
  margin_.clear();  // what becomes of these points is for this step alone
  kin_.velocities(at_, P.data(), u_.data());
  surfaces_.look_ahead(h, at_, u_, *now_);
  surfaces_.note_sides(at_, *now_);
  take_start(u);
  surfaces_.take_mean_motion(h, at_, u, *now_, shift_);
  begin_stage(*now_, first_);
  kick_.resize(P.size());
  for (std::size_t i = 0; i < P.size(); ++i) kick_[i] = 2 * (P[i] - state.P[i]);
  for (std::size_t i = 0; i < now_->size(); ++i)
    first_.targets[i].u[0] -= std::max(counted_gap(now_->points[i].gap, start_[i][0], h), 0.) / h;
  bond_first();
  for (const int i : now_->bound)  // these are not pushed in the drift alone
    first_.targets[at(i)].u[0] +=
        std::min(kPushed * std::max(-now_->points[at(i)].gap - slop_, 0.) / h, bound_push_speed_);
  const double again = kept_h_ != 0 ? std::min(h / kept_h_, 1.) : 0;  // beyond, an impact's
  const std::vector<std::int64_t>& key = state.contacts.key;
  const auto key_at = [&](std::size_t k) {
    return Key{key[3 * k], key[3 * k + 1], key[3 * k + 2]};
  };
  match(now_->points, key.size() / 3, key_at, [&](std::size_t i, std::size_t k) {
    first_.p[i] = again * Eigen::Map<const Six>(state.contacts.impulse.data() + 6 * k);
    const double pull = surfaces_.law(now_->points[i]).cohesion * h / 2;
    if (is_slow(start_[i]) && is_held(first_.p[i], pull)) first_.targets[i].cohesion = pull;
  });
  const std::vector<double> start = aims_ ? P : std::vector<double>{};
  solve_lean(*now_, at_, first_, P);
  if (aims_ && !now_->lean.empty()) {
    BodyImpact response(now_->system);
    if (aim_first(at_, now_->lean, response)) {
      P = start;
      solve_lean(*now_, at_, first_, P);
    }
  }
  first_aimed_ = !aims_;
  first_looked_ = false;
  for (const int i : now_->bound) add_impulses(*now_, at(i), first_.p[at(i)], P);
  make_push();
  followed_ = 0;
}

/// Cohesion holds what is in touch and does not come apart already. What was held has been brought
/// up to rounding and to the accuracy of the solver.
void Contacts::bond_first() {
  for (std::size_t i = 0; i < now_->size(); ++i) {
    const double gap = counted_gap(now_->points[i].gap, start_[i][0], h_);
    if (gap > 0 || !is_slow(start_[i])) first_.targets[i].cohesion = 0;
  }
}

/// The gap that counts of one with that rate, in steps of h: of many points that rest, rounding has
/// not to say which carry.
double Contacts::counted_gap(double gap, double rate, double h) const {
  const double none = kNoGap * kin_.model().scales.length;
  return gap < none && h * std::abs(rate) < none ? std::min(gap, 0.) : gap;
}

bool Contacts::is_slow(const Six& rate) const { return rate[0] <= kBonded * options_.tolerance; }

/// Solves for the points between free bodies, and adds their impulses to P.
/// Into v_ those of u_.
void Contacts::take_velocities_of_free() {
  std::fill(v_.end() - 6, v_.end(), 0.);
  for (int b = 0; b < surfaces_.n_free(); ++b)
    std::copy_n(u_.data() + surfaces_.unknown(b), 6, v_.data() + 6 * b);
}

void Contacts::solve_lean(ContactList& list, const model::KinematicsCache& at_, ContactStage& stage,
                          std::vector<double>& P) {
  if (list.lean.empty()) return;
  kin_.velocities(at_, P.data(), u_.data());
  take_velocities_of_free();
  slips_of_lean(list, u_, stage.before);
  if (list.bound.empty()) {  // all points, in their order
    take(list.system.solve(stage.targets, v_, {stage.p[0].data(), 6 * list.size()}, options_));
    add_all_impulses(list, stage.p[0].data(), pair_impulses_, P);
  } else {
    lean_targets_.resize(list.lean.size());
    p_.resize(6 * list.lean.size());
    for (std::size_t k = 0; k < list.lean.size(); ++k) {
      lean_targets_[k] = stage.targets[at(list.lean[k])];
      Eigen::Map<Six>(p_.data() + 6 * k) = stage.p[at(list.lean[k])];
    }
    take(list.system.solve(lean_targets_, v_, p_, options_));
    for (std::size_t k = 0; k < list.lean.size(); ++k)
      stage.p[at(list.lean[k])] = Eigen::Map<const Six>(p_.data() + 6 * k);
    for (const int i : list.lean) add_impulses(list, at(i), stage.p[at(i)], P);
  }
  for (int b = 0; b < surfaces_.n_free(); ++b)
    std::copy_n(v_.data() + 6 * b, 6, u_.data() + surfaces_.unknown(b));
  // those of stage V are taken when all is done
  if (&stage != &second_ || bounces(list.lean)) slips_of_lean(list, u_, stage.after);
}

/// True, with the reason, where rows press bodies into each other that no impulse can part. At the
/// end of a step, where rows meet their rates.
bool Contacts::is_pressed_in() {
  for (std::size_t k = 0; k < second_.held.size(); ++k) {
    const std::size_t i = at(next_->bound[k]);
    const contact::Point& p = next_->points[i];
    const double rate = second_.after[i][0];
    if (!second_.held[k] || std::max(p.gap, 0.) + h_ * rate > -slop_) continue;
    failure_ = fmt::format(
        "joints press '{}' together at {:.3g} m/s, and no impulse of contact can part them: let "
        "something give way, or let these not touch",
        surfaces_.name(p), -rate);
    return true;
  }
  return false;
}

double Contacts::settle_first(const model::KinematicsCache& at_, const Respond& respond,
                              std::vector<double>& P) {
  return solve_bound(*now_, at_, respond, first_, P);
}

/// Finds momenta that part free bodies which overlap, without friction: they move the bodies in
/// the drift, and no more.
void Contacts::make_push() {
  const ContactList& list = *now_;
  const bool deep = std::any_of(list.lean.begin(), list.lean.end(),
                                [&](int i) { return list.points[at(i)].gap < -slop_; });
  if (!deep) return;
  double fastest = 0;
  lean_targets_.clear();
  for (const int i : list.lean) {
    const double gap = list.points[at(i)].gap;
    const double wanted = gap < -slop_ ? std::min(kPushed * -gap / h_, push_speed_)
                                       : -std::max(gap, 0.) / h_ - first_.after[at(i)][0];
    lean_targets_.push_back({Vec3(std::min(wanted, push_speed_), 0, 0), 0});
    if (gap < -slop_) fastest = std::max(fastest, wanted);
  }
  std::fill(v_.begin(), v_.end(), 0.);
  p_.assign(6 * list.lean.size(), 0.);
  solve::ContactOptions options = options_;
  options.frictionless = true;
  options.tolerance = kPushAccuracy * fastest;
  options.sweeps = std::min(kPushSweeps, options_.sweeps);
  now_->system.solve(lean_targets_, v_, p_, options);
  push_.assign(kick_.size(), 0.);
  if (list.bound.empty()) return add_all_impulses(list, p_.data(), pair_impulses_, push_);
  for (std::size_t k = 0; k < list.lean.size(); ++k)
    add_impulses(list, at(list.lean[k]), Eigen::Map<const Six>(p_.data() + 6 * k), push_);
}

/// What pushing changes beside places, the momenta of the drift being P: gravity and loads do work,
/// turned bodies have another kinetic energy at the same angular momentum, and moved ones another
/// moment of momentum.
void Contacts::after_drift(const model::KinematicsCache& at_, const std::vector<double>& P) {
  push_work_ = 0;
  corrected_.setZero();
  if (push_.empty()) return;
  kin_.velocities(at_, P.data(), u_.data());
  moved_.resize(push_.size());
  kin_.velocities(at_, push_.data(), moved_.data());
  for (int b = 0; b < surfaces_.n_free(); ++b) {
    const std::size_t u = at(surfaces_.unknown(b));
    for (std::size_t k = 0; k < 6; ++k) push_work_ -= kick_[u + k] * moved_[u + k];
    const Vec3 w = vec3(u_.data() + u + 3), l = vec3(P.data() + u + 3);
    push_work_ += h_ * vec3(moved_.data() + u + 3).dot(w.cross(l));
    corrected_ += h_ * vec3(moved_.data() + u).cross(vec3(P.data() + u));
  }
}

bool Contacts::arrive(const model::KinematicsCache& at_, const std::vector<double>& u) {
  failure_ = surfaces_.passed(at_, h_);
  if (!failure_.empty()) return false;
  next_margin_ = surfaces_.margins(h_, at_, u);
  surfaces_.find(at_, next_margin_, *next_);
  begin_stage(*next_, second_);
  take_partners();
  take_second_targets(u);
  if (aims_) meet(at_, u);
  return true;
}

/// Finds the points of before that are those of now, and how fast these have arrived.
void Contacts::take_partners() {
  partner_.assign(next_->size(), -1);
  arrival_.assign(next_->size(), 0);
  pushed_.assign(next_->size(), 0);
  turned_.assign(next_->size(), 1);
  const auto key_at = [&](std::size_t k) { return key_of(now_->points[k]); };
  match(next_->points, now_->size(), key_at, [&](std::size_t i, std::size_t k) {
    partner_[i] = static_cast<int>(k);
    second_.p[i] = in_axes_of(*next_, i, *now_, k, first_.p[k]);
    if (first_.p[k][0] > 0 || has_landed(i, k)) take_arrival(i, k);
  });
  // what met on its way may touch with other features than it had seen from afar
  std::size_t k = 0;
  for (std::size_t i = 0; i < next_->size(); ++i) {
    const contact::Point& p = next_->points[i];
    if (partner_[i] >= 0 || !surfaces_.is_near(p)) continue;
    const auto pair = [](const contact::Point& x) { return std::pair(x.A, x.B); };
    while (k < now_->size() && pair(now_->points[k]) < pair(p)) ++k;
    for (std::size_t j = k; j < now_->size() && pair(now_->points[j]) == pair(p); ++j)
      if (has_come(now_->points[j], p) && (first_.p[j][0] > 0 || (has_landed(i, j) && nears(j))))
        take_arrival(i, j);
  }
}

/// True for a point that touches where there was a gap, though nothing had to push in stage P: it
/// comes there just at the end of the step, or by as much as its way is bent.
bool Contacts::has_landed(std::size_t i, std::size_t k) const {
  return next_->points[i].gap <= 0 && counted_gap(now_->points[k].gap, start_[k][0], h_) > 0;
}

/// True for a point that has come to touch, or nearly, as another one of its pair that was to
/// arrive: not for the far edge of a box that rests on the near one.
bool Contacts::has_come(const contact::Point& before, const contact::Point& p) const {
  constexpr double kTouches = 1e-5;  // of the least extent
  return p.gap <= std::max(kArrived * before.gap, kTouches * surfaces_.least_extent(p));
}

/// True for a point of before whose gap has nearly closed by its rate.
bool Contacts::nears(std::size_t k) const {
  const double gap = now_->points[k].gap;
  return gap + h_ * first_.after[k][0] <= kArrived * gap;
}

/// The speed with which a point of before arrives at the surface.
double Contacts::first_arrival(std::size_t k) const {
  const double u0 = start_[k][0], a = 2 * (first_.before[k][0] - u0) / h_;
  return arrival(counted_gap(now_->points[k].gap, u0, h_), u0, a);
}

/// Point i arrives as point k of before has: with the greatest speed of several.
void Contacts::take_arrival(std::size_t i, std::size_t k) {
  arrival_[i] = std::max(arrival_[i], first_arrival(k));
  pushed_[i] = 1;
  const double cosine = next_->points[i].n.dot(now_->points[k].n);
  turned_[i] = std::min(turned_[i], std::sqrt(std::max(0., 1 - cosine * cosine)));
}

/// A point takes part where it has pushed in stage P, or overlaps, or is as near as makes no
/// difference and hardly comes nearer: of many points that rest, rounding has not to say which
/// carry. So does what cohesion holds.
void Contacts::take_second_targets(const std::vector<double>& u) {
  const auto rests = [&](std::size_t i) {
    const double rate = rates_at(*next_, i, u)[0] + next_->own[i][0];
    return counted_gap(next_->points[i].gap, rate, h_) <= 0;
  };
  for (std::size_t i = 0; i < next_->size(); ++i) {
    double& wanted = second_.targets[i].u[0];
    const int k = partner_[i];
    const bool held = k >= 0 && is_held(first_.p[at(k)], first_.targets[at(k)].cohesion);
    const bool touches = next_->points[i].gap <= 0 || (!pushed_[i] && !held && rests(i));
    if (!pushed_[i] && !held && (!touches || (k >= 0 && first_.p[at(k)][0] < 0)))
      second_.targets[i].cohesion = 0;  // it is apart, or has been torn off
    if (pushed_[i])
      wanted += surfaces_.law(next_->points[i]).restitution * arrival_[i];
    else if (!touches && !held)
      wanted = -law::kInf;
  }
}

void Contacts::second(const model::KinematicsCache& at_, std::vector<double>& P) {
  const std::vector<double> start = P;
  solve_lean(*next_, at_, second_, P);
  if (gains(next_->lean)) {
    P = start;
    ContactStage calm = without_restitution();
    solve_lean(*next_, at_, calm, P);
    ease(next_->lean, calm);
    P = start;
    for (const int i : next_->lean) add_impulses(*next_, at(i), second_.p[at(i)], P);
  }
  for (const int i : next_->bound) add_impulses(*next_, at(i), second_.p[at(i)], P);
}

double Contacts::settle_second(const model::KinematicsCache& at_, const Respond& respond,
                               std::vector<double>& P) {
  const double change = solve_bound(*next_, at_, respond, second_, P);
  return is_pressed_in() ? law::kInf : change;
}

}  // namespace trammel::constraint
