#include "sim/observed.h"

#include <algorithm>
#include <cmath>

#include "math/index.h"
#include "math/runge_kutta.h"
#include "model/demands.h"
#include "model/ledger.h"
#include "sim/judgement.h"

namespace trammel::sim {

namespace {

constexpr double kKept = 1.25;  // of Climb
constexpr long kFewSteps = 20;  // fewer say nothing of an oscillation
constexpr double kEps = std::numeric_limits<double>::epsilon();

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
      given_{built.start.energy_change, built.start.energy_given, built.start.changed_body},
      tolerance_(settings.form.tolerance) {
  const form::Settings& f = settings.form;
  if (f.formulation == form::Settings::Formulation::acceleration) {
    grid_ = !RungeKutta(f.method, 0).estimates_error() || !std::isfinite(f.accuracy.length);
    if (!grid_) tolerance_ = std::max(tolerance_, f.accuracy.length);
  }
  find_subjects();
  find_turning();
  find_parts(settings);
}

void Watch::find_subjects() {
  const model::Model& m = *model_;
  model::Demands demands(m, params_);
  demands.at(0);
  for (std::size_t i = 0; i < m.rows.size(); ++i) {
    const model::LawOnRow& law = m.laws[at(m.rows[i].law)];
    const bool length = m.rows[i].row.unit() == joint::Unit::metre;
    const Subject subject{"law", law.name, static_cast<int>(i), nullptr, length ? "m" : "rad"};
    if (demands[i].level == law::Level::force && grid_) springs_.push_back(subject);
    if (demands[i].stops()) stops_.push_back(subject);
    const Drive& drive = law.law.drive;
    const bool follows = law.law.type->takes_drive && !law.law.type->velocity_only;
    if (follows && drive.level == Drive::Level::displacement && !drive.signal.is_constant()) {
      drives_.push_back(subject);
      drives_.back().drive = &drive;
    }
  }
  for (const model::Object& o : m.objects) {
    if (o.prescribed < 0) continue;
    const body::Prescribed& p = m.prescribed[at(o.prescribed)];
    const auto add = [&](const Drive& drive, const char* unit) {
      if (drive.level == Drive::Level::displacement && !drive.signal.is_constant())
        drives_.push_back({"body", o.name, -1, &drive, unit});
    };
    for (const Drive& d : p.displacement) add(d, "m");
    for (const body::Prescribed::Turn& turn : p.turns) add(turn.angle, "rad");
  }
  for (std::size_t i = 0; i < m.loads.size(); ++i)
    for (const Signal& s : m.loads[i].value)
      if (s.is_function()) {
        loads_.push_back(static_cast<int>(i));
        break;
      }
  seen.swings.resize(springs_.size());
  seen.landings.resize(stops_.size());
  seen.courses.resize(drives_.size());
  seen.pushes.resize(loads_.size());
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
    if (object.block < 0 || object.jacobian >= 0) continue;
    turning_.push_back({m.blocks[at(object.block)].v, static_cast<int>(o),
                        object.carrier == body::Carrier::affine, counted[o]});
  }
}

void Watch::begin(const form::Formulation& form, const model::State& state) {
  weigh_parts(form);
  energies_of_parts(form, state, part_kinetic_, part_total_);
  for (std::size_t i = 0; i < seen.parts.size(); ++i) seen.parts[i].start = part_total_[i];
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    Landing& l = seen.landings[i];
    l.last = form.now().g[at(stops_[i].row)];
    l.allowed = std::max(0.0, -law::to_stop(form.demands()[at(stops_[i].row)], l.last).gap);
    l.closed = l.allowed > 0;
  }
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Jet jet = drives_[i].drive->at(state.t);
    seen.courses[i] = {jet.x, jet.x, jet.x, jet.v, {}};
  }
  for (std::size_t i = 0; i < loads_.size(); ++i) seen.pushes[i].last = load_at(loads_[i], state.t);
  if (form.kinematics().light()) seen.shakes.resize(turning_.size());
  for (std::size_t k = 0; k < seen.shakes.size(); ++k)
    seen.shakes[k].v = vec3(form.velocities().data() + turning_[k].v);
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
  see_shakes(form, state.t, step.h, step.reach);
  see_springs(form, state);
  see_stops(form, state);
  see_drives(state.t, step.h);
  see_loads(state.t, step.h);
}

void Watch::see_energies(const form::Formulation& form, const model::State& s, const Step& step) {
  Observed& o = seen;
  o.moved = std::max(o.moved, step.kinetic);
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
  if (std::max({residual, integrator, corrections}) > kShareLimit * o.moved)
    o.floor = std::max(o.floor, rounding(form, s, step.kinetic));
}

/// What rounding, and rows that are met within their tolerance, make of energies.
double Watch::rounding(const form::Formulation& form, const model::State& s, double kinetic) const {
  double far = 0, forces = 0, works = std::abs(form.total_energy(s)) + kinetic;
  for (const body::Place& p : form.now().place) far = std::max(far, p.p.norm());
  for (const double f : form.row_forces()) forces += std::abs(f);
  for (const double w : s.ledger) works += std::abs(w);
  const double weight =
      form.kinematics().total_mass() * vec3(params_.values.data() + model::kGravityParam).norm();
  const double off = std::max(tolerance_, 4 * kEps * far);
  return 10 * off * (forces + weight) + 1e3 * kEps * (works + weight * far);
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
  for (const body::Place& p : form.now().place) far = std::max(far, p.p.norm());
  const double mass = form.kinematics().total_mass(),
               weight = mass * vec3(params_.values.data() + model::kGravityParam).norm(),
               off = std::max(tolerance_, 4 * kEps * far),
               step = 100 * kEps * ((forces + weight) * b.h + b.momentum_scale);
  o.momentum_floor =
      std::max(o.momentum_floor, static_cast<double>(o.steps) * step + mass * off / b.h);
  o.reach = std::max(o.reach, b.reach);
}

void Watch::see_turns(const form::Formulation& form, double t, double h) {
  const double* u = form.velocities().data();
  for (const Turning& b : turning_) {
    const double* w = u + b.v + 3;
    double turn = h * vec3(w).norm();
    if (b.affine)
      turn = h * std::sqrt((vec3(w).squaredNorm() + vec3(w + 3).squaredNorm() +
                            vec3(w + 6).squaredNorm()) /
                           2);
    seen.turn.see(turn, kTurnLimit, t, b.object);
    if (b.counted) seen.counted_turn.see(turn, kTurnCountLimit, t, b.object);
  }
}

/// A vibration by less than a quarter a step goes on in its direction for two steps at least.
void Watch::see_shakes(const form::Formulation& form, double t, double h, double reach) {
  constexpr double kFar = 1e-6;  // of the reach, in a step
  const double* u = form.velocities().data();
  for (std::size_t k = 0; k < seen.shakes.size(); ++k) {
    Shake& s = seen.shakes[k];
    const Vec3 v = vec3(u + turning_[k].v), change = v - s.v;
    const double least = std::min(change.norm(), s.change.norm());
    if (change.dot(s.change) < 0 && h * least > kFar * reach) {
      ++s.n;
      s.t_first = std::min(s.t_first, t);
      if (least > s.worst) s.t_worst = t;
      s.worst = std::max(s.worst, least);
    }
    s.v = v;
    s.change = change;
  }
}

void Watch::see_springs(const form::Formulation& form, const model::State& s) {
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const int row = springs_[i].row;
    if (!s.on[at(model_->rows[at(row)].joint)]) continue;
    const law::Force f = model::row_force(*model_, params_, row, form.now().g[at(row)], 0, s.t);
    seen.swings[i].see(f.f, f.f_x, s.t);
  }
}

void Watch::see_stops(const form::Formulation& form, const model::State& s) {
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const auto row = at(stops_[i].row);
    if (!s.on[at(model_->rows[row].joint)]) continue;
    Landing& l = seen.landings[i];
    const double g = form.now().g[row], went = std::abs(g - l.last);
    const double depth = -law::to_stop(form.demands()[row], g).gap;
    l.last = g;
    if (!(depth > 0)) {
      l.closed = false;
      continue;
    }
    if (!l.closed) l.allowed = went;
    l.closed = true;
    const double allowed = l.allowed + 100 * tolerance_;
    if (depth > seen.sunk.worst * allowed) {
      seen.sunk_depth = depth;
      seen.sunk_allowed = allowed;
    }
    seen.sunk.see(depth / allowed, kSunkLimit, s.t, static_cast<int>(i));
  }
}

/// A motion that is continuous goes no farther in a step than at its greatest rate.
void Watch::see_drives(double t, double h) {
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Drive& drive = *drives_[i].drive;
    Course& c = seen.courses[i];
    const Jet end = drive.at(t), mid = drive.at(t - h / 2);
    const double fastest = std::max({std::abs(c.v), std::abs(mid.v), std::abs(end.v)});
    c.jump.see(std::abs(end.x - c.x) - h * fastest, t);
    c.x = end.x;
    c.v = end.v;
    c.lo = std::min(c.lo, end.x);
    c.hi = std::max(c.hi, end.x);
  }
}

Vec3 Watch::load_at(int load, double t) const {
  const law::Load& l = model_->loads[at(load)];
  return {l.value[0].value(t), l.value[1].value(t), l.value[2].value(t)};
}

void Watch::see_loads(double t, double h) {
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    Push& p = seen.pushes[i];
    const Vec3 end = load_at(loads_[i], t), mid = load_at(loads_[i], t - h / 2);
    const double error = h / 3 * (p.last - 2 * mid + end).norm();
    p.total += h / 6 * (p.last.norm() + 4 * mid.norm() + end.norm());
    p.error.see(p.error.worst + error, t);
    if (error > p.worst) p.t_worst = t;
    p.worst = std::max(p.worst, error);
    p.last = end;
  }
}

}  // namespace trammel::sim
