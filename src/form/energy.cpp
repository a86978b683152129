#include "form/energy.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "constraint/barrier/way.h"
#include "constraint/rows.h"
#include "form/energy_dampers.h"
#include "math/index.h"
#include "model/ledger.h"
#include "solve/product.h"

namespace trammel::form {

namespace {

void multiply(const energy::Mechanism& m, energy::Instant& instant) {
  solve::multiply(m.kin->graph(), instant.at.J.data(), instant.u.data(), instant.rate.data());
}

}  // namespace

Energy::Energy(const model::Model& model, const model::Params& params, Settings settings)
    : mechanism_(
          energy::make_mechanism(model, params, settings, model::ConstraintSpecs(model, params))),
      problem_(energy::make_problem(mechanism_, model::ConstraintSpecs(model, params))),
      now_(energy::make_instant(mechanism_)),
      before_(energy::make_instant(mechanism_)),
      trial_(energy::make_trial(mechanism_)),
      forces_(energy::make_multipliers(mechanism_)),
      work_(energy::make_workspace(mechanism_)),
      rows_(mechanism_.rows.size(), 0) {
  std::vector<double>().swap(before_.at.J);  // nobody reads it there
  reactions_.force.assign(mechanism_.rows.size(), 0);
}

bool Energy::load(const model::State& state) {
  model::KinematicsCache& cache = now_.at;
  problem_.flags.on = state.on;
  problem_.flags.angle = state.angle;
  for (std::size_t i = 0; i < cache.arc.size(); ++i) cache.arc[i] = {state.s[i], state.piece[i]};
  mechanism_.kin->transforms(state.q.data(), state.t, cache);
  mechanism_.kin->jacobians(problem_.flags, cache);
  energy::take_rates(mechanism_, state.q.data(), state.P.data(), now_);
  problem_.specs.at(state.t);
  energy::assign_roles(mechanism_, state.on, problem_);
  energy::all_term_values(mechanism_, problem_, cache, now_.r);
  multiply(mechanism_, now_);
  stored_ = energy::stored_in_contact(mechanism_, cache, state.rows.h, work_.touching.surfaces);
  points_.clear();
  return cache.lost_joint < 0;
}

void Energy::step(model::State& state, double h, StepReport& report) {
  report.clear();
  const auto solve = [&](bool two) {
    energy::Minimum minimum = this->solve(state, h, two);
    report.iterations += minimum.iterations;
    report.factorisations += minimum.factorisations;
    report.contacts.merit = minimum.left / h;
    report.contacts.converged = minimum.left == 0;
    report.reason = std::move(minimum.reason);
    const int lost = trial_.at.lost_joint;
    report.about = lost >= 0 ? mechanism_.model->joints[at(lost)].name : "";
    return minimum.found;
  };
  energy::damp(mechanism_, state, problem_.damping);
  bool found = solve(true);
  const bool met = found && !state.energy.struck && !state.energy.kinked &&
                   energy::runs_in(mechanism_, problem_, now_, forces_.lambda);
  const bool strikes = met || (found && energy::closes(mechanism_, problem_, forces_.lambda)),
             held = strikes && energy::hold_struck(mechanism_, now_, forces_.lambda, problem_);
  if (found && (held || (problem_.aim.two_steps &&
                         (strikes || constraint::newly_close(work_.touching.surfaces)))))
    found = solve(false);  // the state before an impact says nothing about the motion after it
  if (!found) {
    report.status = Status::failed;
    if (report.reason.empty()) report.reason = "the minimum of the step is not found";
    load(state);
    return;
  }
  report.reason.clear();
  report.about.clear();
  energy::Impact impact =
      energy::impact_of(mechanism_, problem_, state.energy, met, forces_.lambda);
  impact.acts |= constraint::newly_close(work_.touching.surfaces);
  report.distance = constraint::least_distance(work_.touching.surfaces);
  energy::report_impacts(mechanism_, problem_, now_, impact, forces_.lambda, state.t + h, report);
  if (constraint::newly_close(work_.touching.surfaces)) {
    model::KinematicsCache start = now_.at;
    mechanism_.kin->rates(state.q.data(), now_.u.data(), start);
    const double pull = vec3(mechanism_.params->values.data() + model::kGravityParam).norm();
    const double slow =
        std::max(constraint::kImpactSpeed * mechanism_.model->scales.speed, 2 * h * pull);
    constraint::tell_meetings(*mechanism_.model, work_.touching.surfaces, start, state.t + h, slow,
                              report.events);
  }
  const model::Kinematics& kin = *mechanism_.kin;
  const double own =
      kin.kinetic_energy(state.P.data(), now_.u.data()) + kin.own_potential(state.q.data());
  finish(state, h);
  if (!std::isfinite(kin.kinetic_energy(trial_.P.data(), now_.u.data()))) {
    report.clear();
    report.status = Status::failed;
    report.reason = "the velocities at the end of the step are not finite";
    load(state);
    return;
  }
  account(impact, own, h, state, report);
  report.contacts.points = count(points_);
}

/// Finds the minimum of a step of h from the state; by a scheme of one step unless `two`.
energy::Minimum Energy::solve(const model::State& state, double h, bool two) {
  const energy::Aim aim = energy::aim(mechanism_.settings.difference, state, h, two);
  if (aim.two_steps) {
    before_.at.arc = now_.at.arc;
    mechanism_.kin->transforms(state.energy.q.data(), state.t - state.energy.h, before_.at);
    energy::take_rates(mechanism_, state.energy.q.data(), state.energy.P.data(), before_);
    if (energy::has_dampers(mechanism_))
      energy::all_term_values(mechanism_, problem_, before_.at, before_.r);
  }
  energy::pose(mechanism_, state, aim, past(), problem_);
  energy::guess(mechanism_, problem_, state, h, now_, trial_, forces_, work_);
  return energy::minimise(mechanism_, problem_, past(), trial_, forces_, work_);
}

/// Computes what joints exert at the minimum, and the end of the step, which now_ becomes; before_
/// becomes its start.
void Energy::finish(const model::State& state, double h) {
  const model::Kinematics& kin = *mechanism_.kin;
  kin.jacobians(problem_.flags, trial_.at);
  energy::take_reactions(mechanism_, problem_, trial_, forces_.lambda, reactions_);
  contact_forces_ = energy::contact_forces(mechanism_, trial_.at, work_.touching.surfaces);
  points_ = constraint::contact_points(trial_.at.T_WO, work_.touching.surfaces);
  if (!reactions_.wrenches.empty()) {
    std::vector<double>& to = reactions_.wrenches;
    const std::vector<double>& touching = contact_forces_.wrenches;
    std::copy(touching.begin(), touching.end(), to.end() - static_cast<long>(touching.size()));
  }
  reactions_.outside.force += contact_forces_.outside.force;
  reactions_.outside.moment += contact_forces_.outside.moment;
  energy::end_momenta(mechanism_, problem_, trial_.q, trial_.at, trial_.inertia, trial_.f,
                      trial_.P);
  const bool mid = by_midpoint();
  if (mid || !mechanism_.carriers.empty()) reactions_.rate = trial_.at.rate;
  std::swap(now_, before_);
  std::swap(now_.at.J, before_.at.J);
  std::vector<double>& dq = work_.newton.dq;
  if (mid) {
    kin.difference(state.q.data(), trial_.q.data(), dq.data());
    kin.retract(dq.data(), trial_.q.data());
    now_.at.arc = trial_.at.arc;
    kin.transforms(trial_.q.data(), state.t + h, now_.at);
    kin.jacobians(problem_.flags, now_.at);
    energy::end_carriers_by_midpoint(mechanism_, h, before_, trial_.at, now_.at, trial_.q.data(),
                                     trial_.P.data());
  } else {
    std::swap(now_.at, trial_.at);
  }
  energy::take_rates(mechanism_, trial_.q.data(), trial_.P.data(), now_);
  kin.difference(state.q.data(), trial_.q.data(), dq.data());
}

/// Enters the step's works, losses and impulses, and makes the state that of its end; own: the
/// kinetic and own potential energy of the bodies at its start [J].
void Energy::account(const energy::Impact& impact, double own, double h, model::State& state,
                     StepReport& report) {
  const bool mid = by_midpoint();
  const energy::Made made{before_,         now_,      mid ? trial_.at : now_.at, trial_,
                          work_.newton.dq, reactions_};
  energy::all_term_values(mechanism_, problem_, now_.at, now_.r);
  energy::take_acts(mechanism_, problem_, made, work_.linear.loads.force, rows_, acts_);
  for (const std::vector<double>* f : {&contact_forces_.barrier, &contact_forces_.friction})
    acts_.force.insert(acts_.force.end(), f->begin(), f->end());
  std::vector<double>& impulses = state.energy.impulses;
  energy::take_up(problem_.aim, acts_.force, impulses);
  const model::Kinematics& kin = *mechanism_.kin;
  const double gain =
      kin.kinetic_energy(trial_.P.data(), now_.u.data()) + kin.own_potential(trial_.q.data()) - own;
  energy::add_works(mechanism_, problem_, made, acts_, work_.linear.loads.force, impulses, impact,
                    gain, rows_, state.ledger);
  account_contact(impact, state);
  energy::report_outside(impulses, acts_, report);
  energy::commit(mechanism_, made, impact, forces_.set, h, state);
  problem_.flags.angle = state.angle;
  problem_.specs.at(now_.at.t);
  multiply(mechanism_, now_);
  energy::report_gaps(mechanism_, problem_, problem_.specs, now_, report);
  if (!mid) return;
  middle_.T_WO = trial_.at.T_WO;
  middle_.arc = trial_.at.arc;
}

model::Reaction Energy::reaction(std::size_t joint) const {
  const bool in_middle = by_midpoint() && !middle_.T_WO.empty();
  return model::reaction(*mechanism_.kin, in_middle ? middle_ : now_.at, joint,
                         reactions_.force.data());
}

/// Enters what contacts do in the step. Their impulses change the kinetic energy by themselves
/// times the mean of the velocities before and after, which for what meets is not the force at the
/// end times the way: what is lost there is lost by the contact, and the rest by the scheme.
void Energy::account_contact(const energy::Impact& impact, model::State& state) {
  if (!work_.touching.surfaces.any()) return;
  const double h = now_.at.t - before_.at.t;
  const double stored = energy::stored_in_contact(mechanism_, now_.at, h, work_.touching.surfaces);
  const double* impulse = state.energy.impulses.data() + acts_.contacts;
  const double* force = acts_.force.data() + acts_.contacts;
  const std::vector<double>& dq = work_.newton.dq;
  double made = stored - stored_, at_end = 0;
  for (std::size_t k = 0; k < 2 * dq.size(); ++k) {
    const std::size_t i = k % dq.size();
    made += impulse[k] * (before_.u[i] + now_.u[i]) / 2;
    at_end += force[k] * dq[i];
  }
  state.ledger[model::kContacts] += made;
  state.ledger[energy::loss_slot(impact)] += at_end + stored - stored_ - made;
  stored_ = stored;
}

double Energy::total_energy(const model::State& state) const {
  return stored_ + energy::energy_of_joints(mechanism_, problem_, now_) +
         constraint::total_energy(*mechanism_.kin, state, now_.u.data(), now_.at);
}

void Energy::project(model::State& state, const std::string&, const std::string&, StepReport&) {
  state.energy.forget();
  state.energy.kinked = 1;  // a row may be running into its stop, too
  load(state);
}

}  // namespace trammel::form
