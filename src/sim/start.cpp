// Changes that come at once: impacts at the start, transient joints that come or go, joints taken
// to another track.
#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "constraint/row_kinds.h"
#include "constraint/rows.h"
#include "math/index.h"
#include "model/ledger.h"
#include "model/transient.h"
#include "sim/simulation.h"
#include "solve/product.h"

namespace trammel::sim {

/// Resolves the impact of rows that move into their stop at the start.
void Simulation::impact_at_start() {
  const model::Model& m = mechanism();
  const model::ConstraintSpecs& d = form_.specs();
  const model::KinematicsCache& now = form_.now();
  std::vector<double> rate(d.size());
  solve::multiply(form_.kinematics().graph(), now.J.data(), form_.velocities().data(), rate.data());
  bool stops = false;
  for (const int stop : constraint::kinds_of(d).stops) {
    const std::size_t i = at(stop);
    const model::RowInfo& row = m.rows[i];
    if (!state_.on[at(row.joint)]) continue;
    stops = true;
    const double speed = d[i].closing_speed(now.g[i], rate[i] + now.g_t[i]);
    if (!d[i].is_open(now.g[i], model::kClosed) && speed > constraint::kImpactSpeed * d[i].pace)
      events_.push_back({state_.t, form::EventKind::impact, m.joints[at(row.joint)].name,
                         "row " + row.name + " has closed", speed,
                         row.row.unit() == joint::Unit::metre ? "m/s" : "rad/s"});
  }
  if (!stops) return;
  summary_.events += static_cast<long>(events_.size());
  summary_.energy_scale = kinetic();
  form_.project(state_, "start", built_.model->name, report_);
  report_.events.clear();
  absorb(report_);
  report_.clear();
  energy_ = form_.total_energy(state_);
}

/// Forces are those of the last step, and there is none yet: the first frame has those of the step
/// to come, made on a copy of the state; by forces those at its end, so that it is a short one.
/// Where it fails they stay zero, and the run says why.
void Simulation::find_first_forces() {
  if (settings_.transients) return;  // which there will be is not known yet
  constexpr double kShort = 1e-6;    // of a step of the grid
  const bool at_end = settings_.form.formulation == form::Settings::Formulation::acceleration;
  model::State trial = state_;
  form::StepReport report;
  form_.step(trial, (at_end ? kShort : 1) * settings_.step, trial.t, report);
  const std::vector<double> forces = form_.row_forces();
  std::vector<model::Reaction> reactions;
  form_.reactions(state_.on, reactions);
  if (report.status == form::Status::ok && trial.t > state_.t) see_first_accelerations(trial);
  form_.load(state_);
  if (report.status == form::Status::ok) form_.set_last_forces(forces, reactions);
}

/// What the probes show likewise: the formulation is at the end of the step.
void Simulation::see_first_accelerations(const model::State& trial) {
  const double h = trial.t - state_.t;
  const Vec3 g = vec3(built_.params.values.data() + model::kGravityParam);
  if (probe_.empty()) return;
  const model::KinematicsCache& now = running_cache(trial);
  for (std::size_t i = 0; i < probe_.size(); ++i) {
    probe_[i] = felt(i, h, g, trial);
    probe_acceleration_[i] = (velocity_seen(i, now) - probe_seen_[i]) / h;
  }
}

/// True where a transient joint that was not there before holds positions or rates whatever it
/// takes: the velocities must be made to meet it.
bool Simulation::comes_to_hold(const model::Transients& before) const {
  const model::Model& m = mechanism();
  const model::ConstraintSpecs& d = form_.specs();
  const model::Transients& now = state_.transients;
  const auto known = [&](std::size_t i) {
    for (std::size_t k = 0; k < before.size(); ++k)
      if (std::equal(&now.key[3 * i], &now.key[3 * i] + 3, &before.key[3 * k])) return true;
    return false;
  };
  for (std::size_t i = m.rows.size(); i-- > 0;) {
    const auto joint = at(m.rows[i].joint);
    if (joint < m.n_static_joints()) return false;
    if (d[i].is_rigid() && !known(joint - m.n_static_joints())) return true;
  }
  return false;
}

/// Loads a state whose mechanism has changed. Returns false, with a failure, where it cannot be.
bool Simulation::take_up() {
  if (form_.load(state_)) return true;
  failure_ = fmt::format(
      "t = {:.6g} s: the joints as they are now cannot be taken up: a body is too far off its "
      "track",
      state_.t);
  return false;
}

/// Asks which transient joints there are, and goes on with these. Energy that springs of those that
/// went had stored is lost.
void Simulation::renew_transients() {
  std::vector<model::Transient> list;
  settings_.transients(state_, form_.now(), list);
  model::Transients next = model::in_order(std::move(list));
  if (next == state_.transients) return;
  if (const std::string why = wrong(*built_.model, next); !why.empty())
    throw std::invalid_argument(why);
  const double energy = form_.total_energy(state_);
  const model::Transients before = state_.transients;
  carry(*built_.model, state_, std::move(next));
  if (!take_up()) return;
  state_.ledger[model::kImpacts] += form_.total_energy(state_) - energy;
  if (!comes_to_hold(before)) return;
  form::StepReport report;
  form_.project(state_, "a joint comes to hold", built_.model->name, report);
  absorb(report);
}

/// A scheme of two steps keeps the one before: a program gives forces anew in every step, and each
/// would be a first one.
void Simulation::forces_changed() { form_.load(state_); }

void Simulation::relocate(int joint, int laid, double s) {
  const model::Model& m = *built_.model;
  const bool runs = joint >= 0 && at(joint) < m.joints.size() && m.joints[at(joint)].arc >= 0;
  if (!runs || laid < 0 || at(laid) >= m.laid.size())
    throw std::invalid_argument(fmt::format("there is no {} of index {}",
                                            runs ? "laid track" : "joint along a track",
                                            runs ? laid : joint));
  const track::Track& track = *m.tracks[at(m.laid[at(laid)].track)].track;
  if (!(s >= 0 && s <= track.length()))
    throw std::invalid_argument(
        fmt::format("s = {} m is off the track '{}' of {:.6g} m", s, track.name(), track.length()));
  const std::size_t arc = at(m.joints[at(joint)].arc);
  state_.laid[arc] = laid;
  state_.s[arc] = s;
  state_.piece[arc] = static_cast<int>(track.piece_at(s));
  state_.velocity.factored.clear();
  forget_last_step();
  form::StepReport report;
  if (!take_up()) return;
  form_.project(
      state_,
      fmt::format("joint '{}' is on '{}' now", m.joints[at(joint)].name, m.laid[at(laid)].name),
      m.joints[at(joint)].name, report);
  absorb(report);
}

}  // namespace trammel::sim
