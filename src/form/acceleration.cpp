#include "form/acceleration.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "constraint/account.h"
#include "constraint/cone.h"
#include "constraint/contact/wrenches.h"
#include "constraint/jump.h"
#include "form/acceleration_contact.h"
#include "form/acceleration_project.h"
#include "form/acceleration_slope.h"
#include "form/meter.h"
#include "joint/evaluate.h"
#include "math/root.h"
#include "model/ledger.h"
#include "solve/product.h"

namespace trammel::form {

using acceleration::Failure;
using acceleration::Instant;
using acceleration::Mechanism;
using acceleration::Mode;
using constraint::kAlarm;
using law::kInf;

namespace {

constexpr int kMostEvents = 5000;  // within one step of the grid
constexpr int kMostStuck = 60;     // events at one instant: each goes twice as far beyond
constexpr int kMostJams = 50;      // at one instant
constexpr double kLeast = 1e-15;   // least step, relative to the time that has passed in all
constexpr double kFirst = 1e-3;    // step of a state that has made none, of the mechanism's time
constexpr double kTurn = 1.5;  // greatest change of an angle row in a step: turns are counted [rad]
constexpr int kLooks = 8;      // points of a step between which an alarm is looked for

/// Takes from a state what rows do. Needs places, rates and forces of `now`.
void take_status(const Mechanism& mechanism, const acceleration::Scales& scales,
                 const model::State& state, const Instant& now, Mode& mode) {
  const std::vector<double>& recoveries = state.acceleration.recovery;
  for (std::size_t i = 0; i < mode.status.size(); ++i) {
    const bool on = state.on[static_cast<std::size_t>(mechanism.model.rows[i].joint)] != 0;
    const double recovery = recoveries.empty() ? 0 : recoveries[i];
    mode.status[i] = constraint::status_at(
        mode.specs[i], {on, state.rows.yielded[i] != 0, state.rows.bound[i], recovery},
        row_state(mechanism, scales, now, now, i));
  }
}

constexpr double kNoMeaning = 0.01;  // of an angle this near to where it has none [rad]
constexpr long kPatience = 4096;     // steps between two looks at what makes them short
constexpr double kStiff = 0.5;       // rate at which a force relaxes its row, times the step

/// An angle, told from axes, that a law acts on, and how far these are from where it has no meaning
/// [rad].
struct VagueAngle {
  int row = -1;  // none
  double margin = kInf;
};

/// Returns how far the axes that an angle is told from are from where it has no meaning.
double margin_of(const Mechanism& mechanism, const Instant& now, std::size_t row) {
  const model::RowInfo& info = mechanism.model.rows[row];
  const model::Joint& joint = mechanism.joint_of(row);
  joint::Arc arc = joint.arc < 0 ? joint::Arc{} : now.at.arc[static_cast<std::size_t>(joint.arc)];
  joint::Sample sample;
  joint::sample(mechanism.kin.ends(info.joint, now.at), info.row.features(), 1, arc, sample);
  return joint::margin(info.row, sample);
}

/// Returns the rate at which the force of its law relaxes a row [1/s].
double relaxation(const Mechanism& mechanism, const Instant& now, int row) {
  const auto i = static_cast<std::size_t>(row);
  const law::Force f =
      row_force(mechanism.model, mechanism.params, row, now.at.g[i], now.rate[i], now.at.moving());
  const double S = solve::inverse_mass_of_row(mechanism.kin.graph(), now.at.J.data(),
                                              now.at.inv_mass.data(), row);
  return std::max(S * std::abs(f.f_v), std::sqrt(S * std::abs(f.f_x)));
}

/// Returns the angle with a force that is nearest to where it has no meaning, as the yaw at a pitch
/// of 90 deg; of those only that make steps of h short, where h > 0.
VagueAngle vaguest_angle(const Mechanism& mechanism, const Mode& mode, const Instant& now,
                         double h = 0) {
  VagueAngle out;
  for (const int row : mechanism.rows) {
    const auto i = static_cast<std::size_t>(row);
    const bool pushed = mode.status[i].status == constraint::Status::free;
    if (!pushed || !mechanism.model.rows[i].row.turns()) continue;
    const double margin = margin_of(mechanism, now, i);
    if (!(margin < std::min(kNoMeaning, out.margin))) continue;
    if (h == 0 || h * relaxation(mechanism, now, row) > kStiff) out = {row, margin};
  }
  return out;
}

/// Returns a sentence on the angle that has lost its meaning at `now`; empty: none has.
Reason lost_angle(const Mechanism& mechanism, const Mode& mode, const Instant& now) {
  const VagueAngle angle = vaguest_angle(mechanism, mode, now);
  if (angle.row < 0) return {};
  const auto i = static_cast<std::size_t>(angle.row);
  const model::RowInfo& row = mechanism.model.rows[i];
  const std::string& joint = mechanism.joint_of(i).name;
  const std::string text = fmt::format(
      "the angle '{}' of joint '{}' loses its meaning at t = {:.9g} s: it is told from axes that "
      "stand {:.2g} rad from where it has none (as yaw and roll at a pitch of 90 deg), the law "
      "'{}' on it pushes without measure there, and steps become ever shorter; let a body in "
      "between hold the axes apart, or use a coordinate that keeps its meaning, like a product of "
      "axes",
      row.name, joint, now.at.t, angle.margin,
      mechanism.model.laws[static_cast<std::size_t>(row.law)].name);
  return {text, joint};
}

/// Computes all that follows from the coordinates, and the row rates that the momenta make.
void evaluate(const Mechanism& mechanism, const model::State& state, const Mode& mode, Instant& now,
              std::vector<double>& u) {
  for (std::size_t i = 0; i < now.at.arc.size(); ++i) now.at.arc[i] = {state.s[i], state.piece[i]};
  mechanism.kin.transforms(state.q.data(), state.t, now.at);
  mechanism.kin.inverse_mass(state.q.data(), now.at);
  mechanism.kin.jacobians(mode.flags, now.at);
  now.P = state.P;
  mechanism.kin.velocities(now.at, now.P.data(), u.data());
  take_rates(mechanism, u.data(), now);
}

/// Returns the longest step that angles counted in turns allow, at the rates of their rows and of
/// sources [s].
double longest_step(const acceleration::Mechanism& mechanism, const acceleration::Mode& mode,
                    const acceleration::Instant& at) {
  const model::Model& model = mechanism.model;
  const double near = mode.touching.longest_step();
  if (!mechanism.counts_turns) return near;
  double fastest = 0;
  for (std::size_t i = 0; i < at.rate.size(); ++i)
    if (model.rows[i].angle >= 0) fastest = std::max(fastest, std::abs(at.rate[i]));
  for (std::size_t k = 0; k < model.sources.size(); ++k)
    if (model.sources[k].angle >= 0) fastest = std::max(fastest, std::abs(at.at.x_rates[k].rate));
  return std::min(near, kTurn / fastest);
}

/// Finds the slope with who is closed decided anew; what jams stops at once, one jam after the
/// other. False: there are no forces.
bool decide(const Mechanism& mechanism, Mode& mode, acceleration::Bounds& bounds, double* y,
            double* dy, Instant& now, acceleration::Work& work, StepReport& report) {
  for (int jams = 0;; ++jams) {
    work.jams = false;
    if (slope_at(mechanism, mode, y, bounds, now, dy, work)) return true;
    if (!work.jams || jams == kMostJams) return false;
    if (!strike_jam(mechanism, mode, y, now, work, report)) return false;
    work.solver->invalidate();
  }
}
}  // namespace

Acceleration::Acceleration(const model::Model& model, const model::Params& params,
                           Settings settings)
    : mechanism_(std::make_unique<const Mechanism>(model, params, settings)),
      rk_(settings.method, mechanism_->size()),
      mode_(*mechanism_),
      bounds_(mechanism_->n_rows()),
      scales_(*mechanism_),
      now_(*mechanism_),
      trial_(*mechanism_),
      next_(*mechanism_),
      work_(*mechanism_),
      u_(static_cast<std::size_t>(model.n_u)) {
  set_tolerances(*mechanism_, rk_);
}

bool Acceleration::load(const model::State& state) {
  const Mechanism& mechanism = *mechanism_;
  work_.solver->invalidate();
  work_.solver->set_redundant(state.rows.redundant != 0);
  mode_.flags.on = state.on;
  mode_.flags.angle = state.angle;
  mode_.specs.at(state.t);
  bounds_.free();
  alarms_ = {};
  h_ = state.rows.h;
  evaluate(mechanism, state, mode_, now_, u_);
  const double h = h_ > 0 ? h_ : kFirst * mechanism.model.scales.time();
  measure(mechanism, now_, u_.data(), nullptr, rk_.t(), h, scales_);
  take_status(mechanism, scales_, state, now_, mode_);
  std::copy(state.q.begin(), state.q.end(), rk_.y());
  std::copy(u_.begin(), u_.end(), mechanism.velocities(rk_.y()));
  std::fill_n(mechanism.work(rk_.y()), mechanism.works.size(), 0.0);
  rk_.begin(state.t);
  if (now_.at.lost_joint >= 0) return false;
  if (mode_.touching) {
    mechanism.kin.rates(rk_.y(), u_.data(), now_.at);
    mode_.touching.load(scales_.length, h, state, now_.at, u_);
  }
  slope_at(mechanism, mode_, rk_.y(), bounds_, now_, rk_.dy(), work_);
  return true;
}

bool Acceleration::slope(double t, const double* y, double* dy) {
  trial_.at.arc = now_.at.arc;
  mechanism_->kin.transforms(y, std::min(t, mode_.until), trial_.at);
  mechanism_->kin.inverse_mass(y, trial_.at);
  mechanism_->kin.jacobians(mode_.flags, trial_.at);
  work_.solver->invalidate();
  mode_.specs.at(trial_.at.t);
  return trial_.at.lost_joint < 0 && slope_at(*mechanism_, mode_, y, bounds_, trial_, dy, work_);
}

/// Brings y back to unit quaternions and onto the rows, and computes next_ there.
bool Acceleration::settle(double t, double* y, double* dy) {
  const Mechanism& mechanism = *mechanism_;
  std::fill(work_.dq.begin(), work_.dq.end(), 0.0);
  mechanism.kin.retract(work_.dq.data(), y);
  next_.at.t = std::min(t, mode_.until);
  next_.at.arc = trial_.at.arc;
  mode_.specs.at(next_.at.t);
  if (!project_positions(mechanism, mode_, y, bounds_, next_, work_)) return false;
  if (!place_contacts(mechanism, mode_, y, bounds_, next_, work_)) return false;
  mechanism.kin.inverse_mass(y, next_.at);
  work_.solver->invalidate();
  if (mechanism.projects && !project_velocities(mechanism, mode_, y, bounds_, next_, work_))
    return false;
  if (!hold_contacts(mechanism, mode_, y, next_, work_)) return false;
  // the state keeps the momenta: u must be their velocities to the last bit
  double* u = mechanism.velocities(y);
  mechanism.momenta(y, u, next_.P.data());
  mechanism.kin.velocities(next_.at, next_.P.data(), u);
  const bool shares = std::exchange(mode_.shares, true);
  const bool ok = slope_at(mechanism, mode_, y, bounds_, next_, dy, work_);
  mode_.shares = shares;
  return ok;
}

namespace {
/// True where a signal has a knot at t, which the step before may have ended just before.
bool starts_at_knot(const Mechanism& mechanism, double t) {
  return !mechanism.signals.empty() && mechanism.next_knot(just_before(t)) <= t;
}
}  // namespace

void Acceleration::step(model::State& state, double h, StepReport& report) {
  const Mechanism& mechanism = *mechanism_;
  report.clear();
  work_.spent.clear();
  failure_ = Failure::none;
  const double t0 = state.t, goal = state.t + h;
  measure(mechanism, now_, mechanism.velocities(rk_.y()), mechanism.velocities(rk_.dy()), rk_.t(),
          h, scales_);
  std::fill_n(mechanism.work(rk_.y()), mechanism.works.size(), 0.0);
  rk_.restart();
  if (mode_.touching) {
    alarms_.renewed = mode_.touching.begin_step(scales_.length, h, now_.at, u_, now_.touches);
    // from what the state says alone, wherever it comes from
    work_.solver->invalidate();
    mode_.specs.at(t0);
    if (mode_.touching.any_touching())
      slope_at(mechanism, mode_, rk_.y(), bounds_, now_, rk_.dy(), work_);
  }
  bool ok =
      starts_at_knot(mechanism, t0) ? pass_knot(report) : !mechanism.may_strike || resolve(report);
  while (ok && rk_.t() < goal) {
    const double knot = mechanism.signals.empty() ? kInf : mechanism.next_knot(rk_.t());
    mode_.until = knot <= goal ? just_before(knot) : kInf;
    ok = advance(std::min(knot, goal), report);
    if (!ok || knot > goal) break;
    ok = pass_knot(report);
  }
  mode_.until = kInf;
  if (ok && is_good(mechanism, rk_.y(), now_.P)) {
    const double* u = mechanism.velocities(rk_.y());
    u_.assign(u, u + u_.size());
    mode_.specs.at(now_.at.t);  // dense output has looked within the step
    report_results(mechanism, mode_, now_, rk_.y(), report);
    store(mechanism, mode_, now_, rk_.y(), h_, work_.solver->redundant(), state);
    state.t += h;
    ++state.step;
    return;
  }
  if (work_.wedged && failure_ == Failure::none) failure_ = Failure::wedges;
  if (rk_.estimates_error()) report.reached = reached(mechanism, rk_.t(), rk_.y());
  if (failure_ == Failure::none || failure_ == Failure::exhausted)
    report.fail(lost_angle(mechanism, mode_, now_));
  if (report.about.empty())
    report.fail(reason_of(
        mechanism, failure_,
        {rk_.y(), now_, trial_, next_, rk_.estimates_error(), work_.solver->failed_row(),
         work_.jammed_row},
        alarms_.rows,
        alarms_.rows.empty() ? mode_.touching.most_alarmed(next_.touches) : std::string()));
  state.t = t0;
  load(state);
}

/// Takes up what signals do from a knot on, where the method has come to.
bool Acceleration::pass_knot(StepReport& report) {
  mode_.until = kInf;
  mode_.specs.at(rk_.t());
  mechanism_->kin.transforms(rk_.y(), rk_.t(), now_.at);
  mechanism_->kin.jacobians(mode_.flags, now_.at);
  work_.solver->invalidate();
  alarms_.renewed = alarms_.renewed || (mode_.touching && mode_.touching.any_touching());
  return slope_at(*mechanism_, mode_, rk_.y(), bounds_, now_, rk_.dy(), work_) &&
         (!mechanism_->may_strike || resolve(report));
}

/// True where something touches within the step just attempted, and no more at its end.
bool Acceleration::touches_within() {
  if (!mode_.touching.any_open() || !rk_.prepare_dense(*this)) return false;
  std::vector<double> y(rk_.size());
  for (const double part : {0.25, 0.5, 0.75}) {
    rk_.interpolate(part, y.data());
    mechanism_->kin.transforms(y.data(), std::min(rk_.t(), mode_.until), trial_.at);
    if (mode_.touching.closing(trial_.at) > kAlarm) return true;
  }
  return false;
}

/// Makes steps of the method up to t_goal or, at the most, kMostSteps. Returns false where it
/// cannot go on.
bool Acceleration::advance(double t_goal, StepReport& report) {
  const Meter* meter = mechanism_->settings.meter;
  const bool fixed = !rk_.estimates_error();
  const double time = mechanism_->model.scales.time();
  double h = h_;
  if (fixed || !(h > 0)) h = fixed ? t_goal - rk_.t() : rk_.first_step(*this, t_goal - rk_.t());
  int events = 0, stuck = 0;
  VagueAngle vague;
  for (long k = 0; k < acceleration::kMostSteps; ++k) {
    if (meter && meter->enough()) return false;
    if (k > 0 && k % kPatience == 0) {  // an approach that takes ever more steps has no end
      const VagueAngle before = std::exchange(vague, vaguest_angle(*mechanism_, mode_, now_, h));
      if (vague.row >= 0 && vague.row == before.row && vague.margin < before.margin) break;
    }
    const double left = t_goal - rk_.t(),
                 wanted = std::min(h, longest_step(*mechanism_, mode_, now_));
    const bool last = wanted >= left * (1 - 1e-9);
    const double now = last ? left : wanted > left / 2 ? left / 2 : wanted;
    if (!last && now < kLeast * std::max(time, std::abs(rk_.t()))) return false;
    mode_.shares = false;
    const auto tried = rk_.attempt(*this, now, last ? t_goal : rk_.t() + now);
    mode_.shares = true;
    const bool taken = tried.ok && tried.error <= 1;
    if (!taken && fixed) return false;
    // the mechanism has come to turn fast
    if (taken && !fixed && now > 2 * longest_step(*mechanism_, mode_, next_)) {
      h = now / 4;
      continue;
    }
    const double next =
        tried.ok || tried.error > 1 ? rk_.next_step(now, tried.error, taken) : now / 4;
    // a step cut short for the grid says little of the next
    h = taken && now < h ? std::max(h, next) : next;
    if (!taken) {
      ++work_.counts.rejected;
      if (now < kLeast * std::max(time, std::abs(rk_.t()))) return false;
      if (work_.wedged && now < scales_.length.moment) {  // forces end here: who is closed changes
        alarms_.touching = true;
        if (++events > kMostEvents || !resolve(report)) return false;
        h = std::max(h, scales_.length.moment);
      }
      continue;
    }
    if (mechanism_->has_events) {
      find_alarms(*mechanism_, mode_, scales_, now_, next_, now, alarms_);
      alarms_.touching = alarms_.touching || touches_within();
      if (alarms_.any()) {
        if (++events > kMostEvents) failure_ = Failure::chatters;
        if (failure_ != Failure::none || !go_to_event(now, stuck, report)) return false;
        continue;
      }
    }
    take(report);
    if (alarms_.any() && !resolve(report)) return false;
    if (last) {
      h_ = h;
      return true;
    }
  }
  failure_ = Failure::exhausted;
  return false;
}

/// Takes the step attempted: next_ is now.
void Acceleration::take(StepReport& report) {
  ++work_.counts.steps;
  rk_.take();
  swap(now_, next_);
  report.iterations += work_.spent.iterations;
  report.factorisations += work_.spent.factorisations;
  work_.spent.clear();
  keep_turns(mechanism_->model, now_.at, mode_.flags.angle);
  if (!mode_.touching) return;
  const double* u = mechanism_->velocities(rk_.y());
  alarms_.renewed = mode_.touching.renew(now_.at, {u, u + u_.size()});
}

/// Returns the part of the step just attempted after which the first of alarms_ goes off.
double Acceleration::part_to_alarm(double h) {
  if (!rk_.prepare_dense(*this)) return 0;
  std::vector<double> y(rk_.size()), dy(y.size());
  const auto worst = [&](double part) {
    rk_.interpolate(part, y.data());
    return slope(rk_.t() + part * h, y.data(), dy.data())
               ? worst_alarm(*mechanism_, mode_, scales_, alarms_, now_, trial_)
               : 1.0;
  };
  double before = worst(0);
  if (before > kAlarm) return 0;
  const double least = scales_.length.moment / h;
  for (int k = 1; k <= kLooks; ++k) {
    const double from = (k - 1.0) / kLooks, to = static_cast<double>(k) / kLooks, end = worst(to);
    if (end > 0)
      return before < -kAlarm ? find_root(worst, from, to, before, end, least)
                              : find_root_after(worst, from, to, end, least);
    before = end;
  }
  return 1;
}

/// Repeats the step just attempted, of h, up to the first alarm in it, and resolves which rows hold
/// from there on.
bool Acceleration::go_to_event(double h, int& stuck, StepReport& report) {
  const double moment = scales_.length.moment, found = part_to_alarm(h) * h;
  // what changes at once though nothing alarms yet is as it is to be a little later
  const double to =
      found > moment / 10 || stuck == 0 ? found : std::min(h, std::ldexp(moment, stuck - 1));
  stuck = found > moment / 10 ? 0 : std::min(stuck + 1, kMostStuck);
  if (to > moment / 10) {
    if (!rk_.attempt(*this, to, rk_.t() + to).ok) return false;
    take(report);
  } else if (mode_.touching) {  // an impact before may have turned back what left
    const double* u = mechanism_->velocities(rk_.y());
    if (mode_.touching.renew(now_.at, {u, u + u_.size()})) alarms_.renewed = true;
    constraint::evaluate(*mode_.touching, now_.at, u, now_.touches);
  }
  return resolve(report);
}

/// Resolves what breaks, impacts, then which rows hold; leaves y on them, with its slope. Does
/// nothing where no alarm is on.
bool Acceleration::resolve(StepReport& report) {
  const Mechanism& mechanism = *mechanism_;
  mode_.specs.at(now_.at.t);
  constraint::bound_by_loads(mechanism.frictions, now_.force, mode_.specs);
  const bool jammed = work_.jammed_row >= 0;  // at the start, where what holds is not known yet
  if (!jammed && !alarms_.any() && !is_alarmed(mechanism, mode_, scales_, now_)) return true;
  double *y = rk_.y(), *dy = rk_.dy();
  const std::vector<constraint::RowStatus> before = mode_.status;
  if (!break_joints(mechanism, alarms_.overload, y, dy, mode_, bounds_, now_, work_, report.events))
    return false;
  for (const int row : alarms_.rows) {  // a row that has come to its target may hold there
    const auto i = static_cast<std::size_t>(row);
    mode_.status[i] = constraint::arrived(mode_.specs[i], mode_.status[i],
                                          row_state(mechanism, scales_, now_, now_, i));
  }
  work_.solver->invalidate();
  if (!impact(mechanism, mode_, scales_, y, bounds_, now_, work_, report)) return false;
  if (mode_.touching && !strike(mechanism, mode_, y, now_, work_, report)) return false;
  hold_candidates(mechanism, scales_, alarms_, before, now_, mode_, bounds_);
  mode_.decides = alarms_.touching ? Mode::Decides::alarmed : Mode::Decides::anew;
  alarms_ = {};
  work_.solver->invalidate();
  const bool decided = decide(mechanism, mode_, bounds_, y, dy, now_, work_, report);
  mode_.decides = Mode::Decides::nothing;
  // beside a row that holds what is not to be held others may find no friction
  if (!decided && work_.jammed_row < 0) return false;
  const bool idle = release_idle_rows(mechanism, scales_, before, now_, mechanism.velocities(dy),
                                      bounds_, work_, mode_);
  if (!decided && !idle) return false;
  release_bound_rows(mechanism, scales_, bounds_, before, now_, mode_);
  bounds_.free();
  trial_.at.arc = now_.at.arc;
  work_.solver->invalidate();
  if (!settle(rk_.t(), y, dy)) return false;
  swap(now_, next_);
  report_changes(mechanism, mode_, before, now_, report.events);
  mode_.touching.tell(report.events);
  return true;
}

void Acceleration::project(model::State& state, const std::string& why, const std::string& subject,
                           StepReport& report) {
  const Mechanism& mechanism = *mechanism_;
  load(state);
  if (!projector_) projector_ = std::make_unique<model::Projector>(mechanism.kin);
  const constraint::Jump jump =
      constraint::jump({mechanism.kin, *projector_, mode_.specs, state, now_.at,
                        [this, &state] {
                          load(state);
                          return total_energy(state);
                        }},
                       mechanism.settings.tolerance.share(mechanism.model.scales), why, subject);
  if (mechanism.settings.impulses) {
    report.wrench_impulses.resize(constraint::wrench_impulses_size(mechanism.model));
    model::add_wrench_impulses(mechanism.kin, now_.at, jump.impulses, {}, 0,
                               report.wrench_impulses.data());
  }
  const auto outside = constraint::anchored_wrench(mechanism.kin, now_.at, jump.impulses);
  report.momentum.impulse += outside.force;
  report.momentum.moment += outside.moment;
  report.momentum.corrected += jump.corrected;
  report.events.insert(report.events.end(), jump.events.begin(), jump.events.end());
  report.add_row_impulses(jump.impulses.size(), [&](std::size_t i) { return jump.impulses[i]; });
}

double Acceleration::total_energy(const model::State& state) const {
  return constraint::total_energy(mechanism_->kin, state, u_.data(), now_.at);
}

}  // namespace trammel::form
