#include "form/acceleration.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "constraint/account.h"
#include "form/acceleration_works.h"
#include "form/meter.h"
#include "form/solving.h"
#include "model/ledger.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
constexpr long kMostSteps = 1'000'000;  // steps of the method within one step of the grid
constexpr int kMostEvents = 5000;
constexpr double kLeast = 1e-15;  // least step, relative to the time that has passed in all
constexpr double kTurn = 1.5;  // greatest change of an angle row in a step: turns are counted [rad]

std::size_t size(const model::Model& model, const Settings& settings) {
  return static_cast<std::size_t>(model.n_q + model.n_u + Works(model, settings.impulses).size());
}
}  // namespace

Acceleration::Acceleration(const model::Model& model, const model::Params& params,
                           Settings settings)
    : model_(&model),
      params_(&params),
      settings_(settings),
      projects_(settings.baumgarte_alpha == 0 && settings.baumgarte_beta == 0),
      specs_(model, params),
      rk_(settings.method, size(model, settings)) {
  const std::size_t n = model.rows.size(), n_u = static_cast<std::size_t>(model.n_u);
  status_.resize(n);
  active_.assign(n, 0);
  set_.assign(n, 0);
  for (auto* v : {&zero_, &rate_, &bias_, &r_, &x_, &lambda_, &known_, &force_, &force_next_,
                  &rate_now_, &inverse_mass_})
    v->assign(n, 0);
  lo_.assign(n, -law::kInf);
  hi_.assign(n, law::kInf);
  for (auto* v : {&u_, &f_, &P_, &P_next_, &dq_}) v->assign(n_u, 0);
  const Works works(model);
  for (const model::RowInfo& row : model.rows) {
    const int slot = model.laws[static_cast<std::size_t>(row.law)].ledger;
    // the row may yield, and does work then
    const bool bounded = specs_[work_slot_.size()].bounded();
    work_slot_.push_back(slot >= 0 ? works.slot(slot) : bounded ? works.locks() : -1);
    is_angle_.push_back(row.row.unit() != joint::Unit::metre);
    angles_ |= row.angle >= 0;
    all_.push_back(static_cast<int>(all_.size()));
  }
  for (const model::Source& source : model.sources) angles_ |= source.angle >= 0;
  const Settings::Accuracy& a = settings_.accuracy;
  std::vector<double> absolute(size(model, settings_), law::kInf), relative(absolute.size(), 0);
  std::vector<double> kind(n_u);
  for (const model::PoolSlot& s : model.pools) s.pool->speed_tolerances(2, 1, kind.data() + s.v);
  for (const double k : kind) is_speed_.push_back(k == 2);
  for (const model::PoolSlot& s : model.pools) {
    s.pool->tolerances(a.length, a.angle, absolute.data() + s.q);
    s.pool->speed_tolerances(a.speed, a.spin, absolute.data() + model.n_q + s.v);
  }
  // the place of the world's origin must not matter, but rounding does
  std::fill_n(relative.begin(), model.n_q, 1e-15);
  std::fill_n(relative.begin() + model.n_q, model.n_u, std::isfinite(a.relative) ? a.relative : 0);
  rk_.set_tolerance(std::move(absolute), std::move(relative));
  for (std::size_t i = 0; i < n; ++i)
    if (constraint::may_change(specs_[i])) event_rows_.push_back(static_cast<int>(i));
  events_ = !event_rows_.empty() || !model.strengths.empty();
  find_signals();
  kin_ = std::make_unique<model::Kinematics>(model, params);
  solver_ = make_solver(settings_, kin_->graph());
  for (model::KinematicsCache* at : {&now_, &trial_, &next_}) *at = kin_->make_cache();
}

/// Collects the signals with knots; the method ends a step at every knot.
void Acceleration::find_signals() {
  const auto add = [&](const Signal& s) {
    if (!s.is_constant() && !s.is_function()) signals_.push_back(s);
  };
  for (const model::LawOnRow& l : model_->laws) add(l.law.drive.signal);
  for (const law::Load& load : model_->loads)
    for (const Signal& s : load.value) add(s);
  for (const model::Moved& moved : model_->prescribed) {
    for (const Drive& d : moved.motion.displacement) add(d.signal);
    for (const body::Prescribed::Turn& turn : moved.motion.turns) add(turn.angle.signal);
  }
}

double Acceleration::next_knot(double t) const {
  double next = law::kInf;
  for (const Signal& s : signals_) next = std::min({next, s.next_jump(t, 0), s.next_jump(t, 1)});
  return next;
}

/// Sets the tolerances of events (constraint::Nearness) in a step of h: a share of the fastest
/// motion, of bodies and of rows (rate_now_), and of what gravity and the accelerations `a`, if
/// they are given, add to it in the step.
void Acceleration::measure_speeds(double h, const double* u, const double* a) {
  constexpr double kShare = 4e-9, kMoment = 3e-10;
  double fall = vec3(params_->values.data() + model::kGravityParam).norm(), twist = 0;
  double speed = h * fall, spin = 0;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const double more = a && std::isfinite(a[i]) ? std::abs(a[i]) : 0;
    double& most = is_speed_[i] ? speed : spin;
    double& most_a = is_speed_[i] ? fall : twist;
    most = std::max(most, std::isfinite(u[i]) ? std::abs(u[i]) + h * more : 0);
    most_a = std::max(most_a, more);
  }
  double farthest = 0, widest = 1;  // places [m], angles [rad]
  for (const body::Transform& T : now_.T_WO)
    farthest = std::max(farthest, T.p.cwiseAbs().maxCoeff());
  for (const int row : event_rows_) {  // a disc that turns about its centre has rims that move
    const auto i = static_cast<std::size_t>(row);
    double& most = is_angle_[i] ? spin : speed;
    most = std::max(most, std::isfinite(rate_now_[i]) ? std::abs(rate_now_[i]) : 0);
    double& size = is_angle_[i] ? widest : farthest;
    size = std::max(size, std::isfinite(now_.g[i]) ? std::abs(now_.g[i]) : 0);
    inverse_mass_[i] =
        solve::inverse_mass_of_row(kin_->graph(), now_.J.data(), now_.inv_mass.data(), row);
  }
  const auto near = [&](double most, double acceleration, double size) {
    constexpr double kStill = 1e-14, kRounding = 2e-15;  // [m/s, rad/s], of the time
    constexpr double kPlaces = 2e-15, kBounce = 0.01;
    const double moving = std::max(kShare * most, kStill);
    // a bounce that is no higher than places are rounded to never ends
    const double rate = std::max(moving, kBounce * std::sqrt(2 * acceleration * kPlaces * size));
    return constraint::Nearness{rate, 50 * h * rate,
                                std::max(kMoment * h, kRounding * std::abs(rk_.t())),
                                moving / (kShare * h)};
  };
  near_length_ = near(speed, fall, farthest);
  near_angle_ = near(spin, twist, widest);
}

void Acceleration::take_status(const model::State& state) {
  const std::vector<double>& recoveries = state.acceleration.recovery;
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const bool on = state.on[static_cast<std::size_t>(model_->rows[i].joint)] != 0;
    const double recovery = recoveries.empty() ? 0 : recoveries[i];
    status_[i] = constraint::status_at(
        specs_[i], {on, state.rows.yielded[i] != 0, state.rows.bound[i], recovery}, here(i));
  }
}

bool Acceleration::load(const model::State& state) {
  solver_->invalidate();
  solver_->set_redundant(state.rows.redundant != 0);
  flags_.on = state.on;
  flags_.angle = state.angle;
  h_ = state.rows.h;
  for (std::size_t i = 0; i < now_.arc.size(); ++i) now_.arc[i] = {state.s[i], state.piece[i]};
  kin_->transforms(state.q.data(), state.t, now_);
  kin_->inverse_mass(state.q.data(), now_);
  kin_->jacobians(flags_, now_);
  specs_.at(state.t);
  P_ = state.P;
  kin_->velocities(now_, P_.data(), u_.data());
  solve::multiply(kin_->graph(), now_.J.data(), u_.data(), rate_now_.data());
  for (std::size_t i = 0; i < status_.size(); ++i) rate_now_[i] += now_.g_t[i];
  measure_speeds(h_ > 0 ? h_ : 1e-3, u_.data(), nullptr);
  take_status(state);
  std::copy(state.q.begin(), state.q.end(), rk_.y());
  std::copy(u_.begin(), u_.end(), velocities_of(rk_.y()));
  std::fill_n(works_of(rk_.y()), Works(*model_, settings_.impulses).size(), 0.0);
  rk_.begin(state.t);
  if (now_.lost_joint >= 0) return false;
  accelerate(now_, rk_.y(), rk_.dy());
  force_ = force_next_;
  rate_now_ = rate_;
  return true;
}

/// Returns the longest step that angles counted in turns allow, at the rates of their rows and of
/// sources [s].
double Acceleration::longest_step(const std::vector<double>& rate,
                                  const model::KinematicsCache& at) const {
  if (!angles_) return law::kInf;
  double fastest = 0;
  for (std::size_t i = 0; i < status_.size(); ++i)
    if (model_->rows[i].angle >= 0) fastest = std::max(fastest, std::abs(rate[i]));
  for (std::size_t k = 0; k < model_->sources.size(); ++k)
    if (model_->sources[k].angle >= 0) fastest = std::max(fastest, std::abs(at.x_rates[k].rate));
  return kTurn / fastest;
}

void Acceleration::step(const model::Inputs&, model::State& state, double h, StepReport& report) {
  report.clear();
  scratch_.clear();
  const double t0 = state.t, goal = state.t + h;
  measure_speeds(h, velocities_of(rk_.y()), velocities_of(rk_.dy()));
  std::fill_n(works_of(rk_.y()), Works(*model_, settings_.impulses).size(), 0.0);
  rk_.restart();
  bool ok = !events_ || resolve(report);
  while (ok && rk_.t() < goal) {
    const double knot = signals_.empty() ? law::kInf : next_knot(rk_.t());
    until_ = knot <= goal ? just_before(knot) : law::kInf;
    ok = advance(std::min(knot, goal), report);
    if (!ok || knot > goal) break;
    // what follows the knot acts from here on
    until_ = law::kInf;
    specs_.at(rk_.t());
    kin_->transforms(rk_.y(), rk_.t(), now_);
    kin_->jacobians(flags_, now_);
    solver_->invalidate();
    ok = accelerate(now_, rk_.y(), rk_.dy());
    force_ = force_next_;
    rate_now_ = rate_;
    if (ok && events_) ok = resolve(report);
  }
  until_ = law::kInf;
  if (ok && is_good()) return commit(state, h, report);
  describe_failure(report);
  state.t = t0;
  load(state);
}

/// Makes steps of the method up to t_goal or, at the most, kMostSteps. Returns false where it
/// cannot go on.
bool Acceleration::advance(double t_goal, StepReport& report) {
  const bool fixed = !rk_.estimates_error();
  double h = h_;
  if (fixed || !(h > 0)) h = fixed ? t_goal - rk_.t() : rk_.first_step(*this, t_goal - rk_.t());
  int events = 0;
  exhausted_ = false;
  for (long k = 0; k < kMostSteps; ++k) {
    if (settings_.meter && settings_.meter->enough()) return false;
    const double left = t_goal - rk_.t(), wanted = std::min(h, longest_step(rate_now_, now_));
    const bool last = wanted >= left * (1 - 1e-9);
    const double now = last ? left : wanted > left / 2 ? left / 2 : wanted;
    if (!last && now < kLeast * std::max(1.0, std::abs(rk_.t()))) return false;
    const auto tried = rk_.attempt(*this, now, last ? t_goal : rk_.t() + now);
    const bool taken = tried.ok && tried.error <= 1;
    if (!taken && fixed) return false;
    // the mechanism has come to turn fast
    if (taken && !fixed && now > 2 * longest_step(rate_, next_)) {
      h = now / 4;
      continue;
    }
    const double next =
        tried.ok || tried.error > 1 ? rk_.next_step(now, tried.error, taken) : now / 4;
    // a step cut short for the grid says little of the next
    h = taken && now < h ? std::max(h, next) : next;
    if (!taken) {
      ++counts_.rejected;
      if (now < kLeast * std::max(1.0, std::abs(rk_.t()))) return false;
      continue;
    }
    if (events_ && find_alarms(now)) {
      chatters_ = ++events > kMostEvents;
      if (chatters_ || !attempt_to_event(now, report)) return false;
      continue;
    }
    take(report);
    if (last) {
      h_ = h;
      return true;
    }
  }
  exhausted_ = true;
  return false;
}

void Acceleration::take(StepReport& report) {
  ++counts_.steps;
  rk_.take();
  std::swap(now_, next_);
  std::swap(P_, P_next_);
  std::swap(force_, force_next_);
  std::swap(rate_now_, rate_);
  report.iterations += scratch_.iterations;
  report.factorisations += scratch_.factorisations;
  scratch_.clear();
  for (std::size_t i = 0; i < status_.size(); ++i)
    if (const int a = model_->rows[i].angle; a >= 0)
      flags_.angle[static_cast<std::size_t>(a)] = now_.g[i];
  for (std::size_t k = 0; k < model_->sources.size(); ++k)
    if (const int a = model_->sources[k].angle; a >= 0)
      flags_.angle[static_cast<std::size_t>(a)] = now_.x[k];
}

/// True where the numbers reached, works and kinetic energy among them, are finite.
bool Acceleration::is_good() const {
  const double* y = rk_.y();
  const auto all =
      static_cast<Eigen::Index>(works_of(y) - y) + Works(*model_, settings_.impulses).size();
  double sum = Eigen::Map<const VecX>(y, all).sum();
  const double* u = velocities_of(y);
  for (std::size_t i = 0; i < P_.size(); ++i) sum += P_[i] * u[i];
  return std::isfinite(sum);
}

/// Returns the name of the first body whose coordinates or energy are not finite; where only sums
/// over bodies are not, that of the body with the greatest numbers; empty where all are finite.
std::string Acceleration::body_without_bound() const {
  const double* u = velocities_of(rk_.y());
  double most = -1;
  std::string fastest;
  for (std::size_t i = 0; i < model_->objects.size(); ++i) {
    const model::Object& o = model_->objects[i];
    if (o.block < 0) continue;
    const model::Block& b = model_->blocks[static_cast<std::size_t>(o.block)];
    double sum = trial_.T_WO[i].p.sum() + next_.T_WO[i].p.sum();
    for (int k = b.v; k < b.v + b.n; ++k) sum += P_[static_cast<std::size_t>(k)] * u[k];
    if (!std::isfinite(sum)) return o.name;
    if (std::abs(sum) <= most) continue;
    most = std::abs(sum);
    fastest = o.name;
  }
  return is_good() ? std::string() : fastest;
}

void Acceleration::commit(model::State& state, double h, StepReport& report) {
  const Works works(*model_, settings_.impulses);
  const double *y = rk_.y(), *work = works_of(y);
  state.q.assign(y, y + model_->n_q);
  state.P = P_;
  std::copy_n(velocities_of(y), u_.size(), u_.begin());
  for (int i = 0; i < works.ledger; ++i)
    state.ledger[static_cast<std::size_t>(model::kFirstLaw + i)] += work[i];
  state.ledger[model::kLocks] += work[works.locks()];
  state.ledger[model::kImpacts] += work[works.impacts()];
  report.impulse = vec3(work + works.impulse());
  report.moment = vec3(work + works.moment());
  report.corrected = vec3(work + works.corrected());
  report.wrench_impulses.assign(work + works.wrench_impulses(), work + works.size());
  for (std::size_t i = 0; i < status_.size(); ++i) {
    if (status_[i].status != constraint::Status::active) continue;
    report.row_speed = std::max(report.row_speed, std::abs(rate_now_[i] - specs_[i].target.v));
    if (!holds_position(i)) continue;
    double& off = is_angle_[i] ? report.angle : report.gap;
    off = std::max(off, std::abs(now_.g[i] - constraint::place(specs_[i], status_[i])));
  }
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    state.rows.bound[i] = constraint::stored_set(status_[i]);
  }
  if (kin_->light()) state.u = u_;
  state.angle = flags_.angle;
  for (std::size_t i = 0; i < now_.arc.size(); ++i) state.s[i] = now_.from[i].s;
  state.rows.h = h_;
  state.rows.redundant = solver_->redundant();
  // a step of the velocity formulation starts from these
  for (std::size_t i = 0; i < status_.size(); ++i)
    state.rows.impulse[i] = status_[i].holds() ? h_ / 2 * force_[i] : 0;
  state.velocity = {};
  state.energy = {};
  if (!event_rows_.empty()) state.acceleration.recovery.assign(status_.size(), 0);
  for (const int row : event_rows_) {
    const auto i = static_cast<std::size_t>(row);
    state.rows.yielded[i] = constraint::is_displaced(status_[i]);
    state.acceleration.recovery[i] = status_[i].recovery;
  }
  state.on = flags_.on;
  state.t += h;
  ++state.step;
}

/// Returns ": row 'x' of joint 'j', ...", the rows that were to change once more.
std::string Acceleration::restless_rows() const {
  constexpr std::size_t kMost = 3;
  std::string all;
  for (std::size_t k = 0; k < std::min(kMost, alarms_.size()); ++k) {
    const model::RowInfo& row = model_->rows[static_cast<std::size_t>(alarms_[k])];
    all += fmt::format("{} row '{}' of joint '{}'", k ? "," : ":", row.name,
                       model_->joints[static_cast<std::size_t>(row.joint)].name);
  }
  return alarms_.size() > kMost ? all + fmt::format(" and {} more", alarms_.size() - kMost) : all;
}

void Acceleration::describe_failure(StepReport& report) const {
  report.status = Status::failed;
  if (settings_.meter && settings_.meter->enough()) {
    report.reason = "it costs more than it may";
    return;
  }
  if (exhausted_) {
    report.reason = fmt::format(
        "{} steps of {} have come to t = {:.9g} s only: a force is too stiff, or changes too fast, "
        "for an explicit method; take formulation = \"velocity\", or a lesser accuracy",
        kMostSteps, name_of(settings_.method), rk_.t());
    return;
  }
  if (chatters_) {
    report.reason =
        "stops or motors change without end: between them nothing settles" + restless_rows();
    return;
  }
  for (const model::KinematicsCache* at : {&trial_, &next_})
    if (at->lost_joint >= 0) {
      report.reason = fmt::format("joint '{}' has lost its track: its body is too far off it",
                                  model_->joints[static_cast<std::size_t>(at->lost_joint)].name);
      return;
    }
  if (const std::string body = body_without_bound(); !body.empty()) {
    report.reason = fmt::format(
        "the motion of body '{}' grows without bound: its energy is not finite; take a shorter "
        "step",
        body);
    return;
  }
  if (const int row = solver_->failed_row(); row >= 0) {
    const auto joint = static_cast<std::size_t>(model_->rows[static_cast<std::size_t>(row)].joint);
    report.reason =
        fmt::format("the rows of joint '{}' cannot be factored", model_->joints[joint].name);
    return;
  }
  report.reason = rk_.estimates_error()
                      ? "no step is short enough for the accuracy: the motion ends here, as in a "
                        "singular configuration, or the accuracy is beyond rounding"
                      : "the joints cannot be met: positions do not converge";
}

double Acceleration::total_energy(const model::State& state) const {
  return constraint::total_energy(*kin_, state, u_.data(), now_);
}

}  // namespace trammel::form
