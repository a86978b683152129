#include "sim/observed.h"

#include <algorithm>
#include <cmath>

#include "constraint/row_kinds.h"
#include "math/index.h"
#include "math/runge_kutta.h"
#include "model/constraint_specs.h"
#include "model/ledger.h"
#include "model/project.h"
#include "sim/judgement.h"
#include "sim/peaks.h"
#include "sim/size.h"
#include "sim/smooth.h"
#include "units/dimension.h"

namespace trammel::sim {

namespace {

constexpr double kKept = 1.25;  // of Climb
constexpr long kFewSteps = 20;  // fewer say nothing of an oscillation
constexpr double kEps = std::numeric_limits<double>::epsilon();

/// A motion given, or a rate, and its rate.
struct Given {
  double x = 0, v = 0;
};

/// Functions have no integrals: of a rate that is given only itself is asked for.
Given given_by(const Watch::Subject& s, double t) {
  const Jet jet = s.rate ? s.drive->signal.jet(t) : s.drive->at(t);
  return {jet.x, jet.v};
}

/// Evaluates the cubic through both ends.
double cubic(const Given& a, const Given& b, double h, double part) {
  const double x = part, y = 1 - x;
  return y * y * (a.x * (1 + 2 * x) + h * a.v * x) + x * x * (b.x * (1 + 2 * y) - h * b.v * y);
}

}  // namespace

void Climb::see(double x, double when) {
  if (std::isnan(x)) x = kNever;  // no number is no proof
  if (!(x > worst)) return;
  worst = x;
  t_worst = when;
  if (!value.empty() && x < kKept * value.back()) return;
  value.push_back(x);
  t.push_back(when);
}

double Climb::first_beyond(double limit) const {
  for (std::size_t i = 0; i < value.size(); ++i)
    if (value[i] > limit) return t[i];
  return t_worst;
}

void Peak::see(double x, double limit, double when, int who) {
  if (std::isnan(x)) x = kNever;
  if (x > limit) t_first = std::min(t_first, when);
  if (!(x > worst)) return;
  worst = x;
  t_worst = when;
  subject = who;
}

void Swing::see(double force, double slope, double when) {
  stiffness = std::max(stiffness, std::abs(slope));
  if (n > 0) changes += (force - last) * (force - last);
  last = force;
  ++n;
  const double off = force - mean;
  mean += off / static_cast<double>(n);
  squares += off * (force - mean);
  if (t_first == kNever && phase() > kPhaseLimit) t_first = when;
}

double Swing::phase() const {
  if (n < kFewSteps || !(squares > 0)) return 0;
  const double r = std::min(changes / (2 * squares), 1.999);  // 1 - cos of the angle of a step
  return 2 * std::sqrt(r / (2 - r));
}

double Swing::energy() const {
  return stiffness > 0 ? squares / static_cast<double>(n) / stiffness : 0;
}

double Swing::amplitude() const {
  return stiffness > 0 ? std::sqrt(2 * squares / static_cast<double>(n)) / stiffness : 0;
}

Watch::Watch(const model::Built& built, const Settings& settings)
    : model_(built.model),
      params_(built.params),
      fit_{built.start.energy_missed, built.start.energy_given, built.start.missed_body},
      joint_stiffness_(settings.form.formulation == form::Settings::Formulation::energy &&
                               settings.form.joint_stiffness > 0
                           ? settings.form.joint_stiffness
                           : law::kInf),
      residual_share_(kShareLimit),
      tolerance_(built.model->scales.length * settings.form.tolerance.share(built.model->scales)),
      size_(model::greatest_arm(*built.model, built.params)) {
  const form::Settings& f = settings.form;
  by_impulses_ = f.formulation == form::Settings::Formulation::velocity;
  means_ = by_impulses_ && f.scheme != form::Settings::Scheme::baumgarte;
  if (f.formulation == form::Settings::Formulation::acceleration) {
    grid_ = !RungeKutta(f.method, 0).estimates_error() || !std::isfinite(f.accuracy.length);
    if (!grid_) {
      tolerance_ = std::max(tolerance_, model_->scales.length * f.accuracy.length);
      residual_share_ = std::clamp(kOfAccuracy * f.accuracy.relative, kFinestShare, kShareLimit);
    }
  }
  for (const model::Rank::Loop& loop : built.start.rank.loops)
    shared_.insert(loop.joints.begin(), loop.joints.end());
  find_subjects();
  find_turning();
  find_soft_rows(settings);
  find_parts(settings);
}

Watch::~Watch() = default;

void Watch::find_subjects() {
  const model::Model& m = *model_;
  model::ConstraintSpecs specs(m, params_);
  specs.at(0);
  const auto subject = [&](int row) {
    const model::RowInfo& info = m.rows[at(row)];
    const bool length = info.row.unit() == joint::Unit::metre;
    return Subject{"law", m.laws[at(info.law)].name, row, nullptr, length ? "m" : "rad"};
  };
  const constraint::RowKinds kinds = constraint::kinds_of(specs);
  if (grid_)
    for (const int row : kinds.forces) springs_.push_back(subject(row));
  for (const int row : kinds.stops) stops_.push_back(subject(row));
  find_timed();
  seen.swings.resize(springs_.size());
  seen.landings.resize(stops_.size());
  seen.courses.resize(drives_.size());
}

/// Bodies that turn, and whether a counted angle hangs on them.
void Watch::find_turning() {
  const model::Model& m = *model_;
  if (!grid_) return;
  std::vector<bool> counted(m.objects.size());
  const auto count = [&](int joint) {
    counted[at(m.joints[at(joint)].object_A)] = counted[at(m.joints[at(joint)].object_B)] = true;
  };
  for (const model::RowInfo& row : m.rows)
    if (row.angle >= 0 && !row.row.coupled()) count(row.joint);
  for (const model::Source& source : m.sources)
    if (source.angle >= 0) count(source.joint);
  for (std::size_t o = 0; o < m.objects.size(); ++o) {
    const model::Object& object = m.objects[o];
    if (object.block < 0) continue;
    const model::Block& block = m.blocks[at(object.block)];
    if (object.jacobian >= 0) {
      carried_.push_back({static_cast<int>(o), object.jacobian, block.v, block.n, counted[o]});
      continue;
    }
    turning_.push_back({block.q, block.v, static_cast<int>(o), object.motion_kind, counted[o]});
  }
}

void Watch::begin(const form::Formulation& form, const model::State& state) {
  energies_of_parts(form, state, part_kinetic_, part_total_);
  for (std::size_t i = 0; i < seen.parts.size(); ++i) seen.parts[i].start = part_total_[i];
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    Landing& l = seen.landings[i];
    l.last = form.now().g[at(stops_[i].row)];
    l.allowed = -form.specs()[at(stops_[i].row)].off(l.last);
    l.closed = l.allowed > 0;
    l.lo = l.hi = l.last;
  }
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Given x = given_by(drives_[i], state.t);
    seen.courses[i] = {x.x, x.x, {}, {}};
  }
  keep_places(form);
  find_charts(form);
  if (form.kinematics().light()) seen.shakes.resize(turning_.size());
  for (std::size_t k = 0; k < seen.shakes.size(); ++k) {
    seen.shakes[k].p = vec3(state.q.data() + turning_[k].q);
    seen.shakes[k].v = vec3(form.velocities().data() + turning_[k].v);
  }
}

void Watch::see(const form::Formulation& form, const model::State& state, const Step& step) {
  ++seen.steps;
  if (step.fallbacks > seen.fallbacks) {
    seen.fallbacks = step.fallbacks;
    seen.fallback_first = std::min(seen.fallback_first, state.t);
    seen.fallback_last = state.t;
  }
  see_energies(form, state, step);
  if (!seen.parts.empty()) see_parts(form, state);
  see_turns(form, state.t, step.h);
  see_sag(form, state);
  see_fast_turns(form, state, step);
  see_charts(form, state, step);
  see_shakes(form, state, step);
  see_springs(form, state);
  see_stops(form, state);
  see_drives(state.t, step.h);
  see_timed(form, state, step.h);
  see_limits(form, state, step.h);
  keep_places(form);
}

void Watch::see_contacts(const constraint::ContactReport& r, double t) {
  Touches& o = seen.touches;
  o.sweeps += r.sweeps;
  o.newton += r.newton;
  o.unsolved += !r.converged;
  o.most = std::max(o.most, r.points);
  o.depth = std::max(o.depth, r.depth);
  o.merit.see(r.merit, kMeritLimit * model_->scales.speed, t, 0);
  o.sunk.see(r.sunk, kOverlapLimit, t, 0);
  o.turned.see(r.turned, kTurnedLimit, t, 0);
  o.impacts += r.impacts;
  o.met += r.met;
  o.late += r.late;
  o.lateness.see(r.lateness, kLatenessLimit, t, 0);
  if (!r.ended) o.hurried.see(r.impacts, 0, t, 0);
  o.far += r.far;
  o.taken.see(std::abs(o.far), t);
}

void Watch::see_energies(const form::Formulation& form, const model::State& s, const Step& step) {
  Observed& o = seen;
  o.moved = std::max(o.moved, step.kinetic);
  o.kinks.kinetic = std::max(o.kinks.kinetic, step.kinetic);
  for (std::size_t i = 0; i < s.ledger.size(); ++i)
    if (i != model::kInitial && i != model::kIntegrator && i != model::kCorrections)
      o.moved = std::max(o.moved, std::abs(s.ledger[i]));
  o.integrator_last = s.ledger[model::kIntegrator];
  const double integrator = std::abs(o.integrator_last),
               corrections = std::abs(s.ledger[model::kCorrections]),
               residual = std::abs(step.imbalance);
  o.residual.see(residual, s.t);
  o.integrator.see(integrator, s.t);
  o.corrections.see(corrections, s.t);
  if (std::max(integrator, corrections) > kShareLimit * o.moved ||
      residual > residual_share_ * o.moved)
    o.floor = std::max(o.floor, rounding(form, s, step.kinetic));
}

/// Returns the error of energies by rounding, which adds up over the steps, by rows that are met
/// within their tolerance, and what joints that are springs store of the load that they settle
/// under [J].
double Watch::rounding(const form::Formulation& form, const model::State& s, double kinetic) const {
  double far = 0, forces = 0, stored = 0, works = std::abs(form.total_energy(s)) + kinetic;
  for (const body::Transform& p : form.now().T_WO) far = std::max(far, p.p.norm());
  for (const double f : form.row_forces()) {
    forces += std::abs(f);
    stored += f * f / (2 * joint_stiffness_);
  }
  for (const double w : s.ledger) works += std::abs(w);
  const double weight =
      form.kinematics().total_mass() * vec3(params_.values.data() + model::kGravityParam).norm();
  const double off = std::max(tolerance_, 4 * kEps * far);
  const double times = std::max(1e3, static_cast<double>(seen.steps));
  return 10 * off * (forces + weight) + stored + times * kEps * (works + weight * far);
}

/// Rounding of every step adds up, and so does what rows that are met within their tolerance take.
void Watch::see_momentum(const form::Formulation& form, const model::State& s, const Balance& b) {
  Observed& o = seen;
  o.momentum.see(b.momentum, s.t);
  o.moment.see(b.moment, s.t);
  o.momentum_scale = b.momentum_scale;
  o.moment_scale = b.moment_scale;
  if (b.momentum <= kShareLimit * b.momentum_scale && b.moment <= kShareLimit * b.moment_scale)
    return;
  double forces = 0, far = 0;
  for (const double f : form.row_forces()) forces += std::abs(f);
  for (const body::Transform& p : form.now().T_WO) far = std::max(far, p.p.norm());
  const double mass = form.kinematics().total_mass(),
               weight = mass * vec3(params_.values.data() + model::kGravityParam).norm(),
               off = std::max(tolerance_, 4 * kEps * far),
               step = 100 * kEps * ((forces + weight) * b.h + b.momentum_scale);
  o.momentum_floor =
      std::max(o.momentum_floor, static_cast<double>(o.steps) * step + mass * off / b.h);
  o.reach = std::max(o.reach, b.reach);
}

/// How far a body that cannot strain has gone otherwise than its speeds at both ends of the step
/// have it, beyond what an even turn does [m].
double Watch::leap(const double* u, const Shake& before, const Vec3& p, double h) const {
  const Vec3 v = vec3(u);
  const double turn = h * vec3(u + 3).norm(), fastest = std::max(v.norm(), before.v.norm());
  return (p - before.p - h / 2 * (before.v + v)).norm() - h * fastest * turn * turn / 6;
}

/// A vibration by less than a quarter a step goes on in its direction for two steps at least; what
/// snaps over within a step goes otherwise than its speeds at both ends have it.
void Watch::see_shakes(const form::Formulation& form, const model::State& state, const Step& step) {
  constexpr double kFar = 1e-6;  // of the reach, in a step
  const double* u = form.velocities().data();
  for (std::size_t k = 0; k < seen.shakes.size(); ++k) {
    Shake& s = seen.shakes[k];
    const Turning& b = turning_[k];
    const Vec3 p = vec3(state.q.data() + b.q), v = vec3(u + b.v), change = v - s.v;
    const double least = std::min(change.norm(), s.change.norm());
    if (change.dot(s.change) < 0 && step.h * least > kFar * step.reach) {
      ++s.n;
      s.t_first = std::min(s.t_first, state.t);
      if (least > s.worst) s.t_worst = state.t;
      s.worst = std::max(s.worst, least);
    }
    if (step.smooth && !body::can_strain(b.motion_kind) && step.reach > 0)
      seen.leap.see(leap(u + b.v, s, p, step.h) / step.reach, kLeapLimit, state.t, b.object);
    s.p = p;
    s.v = v;
    s.change = change;
  }
}

void Watch::see_springs(const form::Formulation& form, const model::State& s) {
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const int row = springs_[i].row;
    if (!s.on[at(model_->rows[at(row)].joint)]) continue;
    const law::Force f =
        model::row_force(*model_, params_, row, form.now().g[at(row)], 0, form.now().still());
    seen.swings[i].see(f.f, f.f_x, s.t);
  }
}

void Watch::see_stops(const form::Formulation& form, const model::State& s) {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const auto row = at(stops_[i].row);
    if (!s.on[at(model_->rows[row].joint)]) continue;
    Landing& l = seen.landings[i];
    const double g = form.now().g[row], went = std::abs(g - l.last);
    const double depth = -form.specs()[row].off(g);
    l.last = g;
    l.lo = std::min(l.lo, g);
    l.hi = std::max(l.hi, g);
    if (!(depth > 0)) {
      l.closed = false;
      continue;
    }
    const law::ConstraintSpec& d = form.specs()[row];
    // a row within this distance is at its stop
    const double none = std::max(model::kPenetrated * d.size, 100 * tolerance_);
    if (!l.closed) {
      l.allowed = went;
      if (d.restitution > 0 && depth > none)
        l.late.see(l.late.worst + (1 + d.restitution) * depth, s.t);
    }
    l.closed = true;
    const double allowed = l.allowed + none;
    if (depth > seen.sunk.worst * allowed) {
      seen.sunk_depth = depth;
      seen.sunk_allowed = allowed;
    }
    seen.sunk.see(depth / allowed, kSunkLimit, s.t, static_cast<int>(i));
  }
}

/// Watches drives, which are given by values and rates at the ends of steps. Where the steps follow
/// a drive it is between them as the cubic through these; a continuous motion goes no farther in a
/// step than at its greatest rate.
void Watch::see_drives(double t, double h) {
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Subject& s = drives_[i];
    Course& c = seen.courses[i];
    for_smooth(switches_of(s.drive->signal), t - h, t, [&](double from, double to) {
      const Given a = given_by(s, from), b = given_by(s, to);
      double fastest = std::max(std::abs(a.v), std::abs(b.v));
      for (const double part : {0.382, 0.5}) {
        const Given m = given_by(s, from + part * (to - from));
        c.off.see(std::abs(m.x - cubic(a, b, to - from, part)), t);
        c.lo = std::min({c.lo, b.x, m.x});
        c.hi = std::max({c.hi, b.x, m.x});
        fastest = std::max(fastest, std::abs(m.v));
      }
      if (!s.rate) c.jump.see(std::abs(b.x - a.x) - (to - from) * fastest, t);
    });
  }
}

}  // namespace trammel::sim
