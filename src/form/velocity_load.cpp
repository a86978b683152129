// The beginning of steps: what they are made with, and the state that they begin at.
#include "constraint/contact/phases.h"
#include "form/rattle_exact.h"
#include "form/rattle_springs.h"
#include "form/solving.h"
#include "form/velocity_attempt.h"
#include "form/velocity_results.h"
#include "form/velocity_roles.h"

namespace trammel::form::velocity {

namespace {
/// Sizes both ends. Those arrays that few mechanisms need stay empty in the others.
void make_room(const Mechanism& m, Ends& ends) {
  const std::size_t n = m.model->rows.size();
  ends.now.at = ends.next.at = m.kin->make_cache();
  for (End* end : {&ends.now, &ends.next}) {
    end->u.assign(static_cast<std::size_t>(m.model->n_u), 0);
    end->rate.assign(n, 0);
    if (!m.forces.rows.empty())
      for (auto* v : {&end->rest, &end->stiffness, &end->damper}) v->assign(n, 0);
  }
  if (!m.rolls)
    for (auto* v : {&ends.next.at.J, &ends.next.at.inv_mass}) std::vector<double>().swap(*v);
}

/// Evaluates rows and inverse masses of a state at its coordinates.
void evaluate(const Mechanism& m, const model::State& state, End& now) {
  for (std::size_t i = 0; i < now.at.arc.size(); ++i) now.at.arc[i] = {state.s[i], state.piece[i]};
  m.kin->transforms(state.q.data(), state.t, now.at);
  m.kin->inverse_mass(state.q.data(), now.at);
  m.kin->jacobians(state, now.at);
  now.specs.at(state.t);
  take_springs(m, now);
}
}  // namespace

Stepping::Stepping(const model::Model& model, const model::Params& params, const Settings& settings)
    : ends(model, params),
      mechanism(model, params, settings, ends.now.specs),
      solver(make_solver(mechanism.settings, mechanism.kin->graph())),
      roles(make_roles(mechanism)),
      rows(make_rows(mechanism)),
      position(make_position_stage(mechanism)),
      velocity(make_velocity_stage(mechanism)),
      work(make_work(mechanism)),
      force(model.rows.size(), 0.0) {
  make_room(mechanism, ends);
  if (mechanism.light) make_exact(mechanism, newton, ends);
  if (model.contacts.any())
    contacts = std::make_unique<constraint::Contacts>(
        *mechanism.kin, contact_options(settings, model.scales), settings.impacts);
}

bool load(Stepping& v, const model::State& state) {
  const Mechanism& m = v.mechanism;
  End& now = v.ends.now;
  now.at.span = {};
  hand_over(v.ends.next.at, now.at);
  sort_rows(*m.kin, now.specs, state, v.mechanism.table);
  reset(m.table, v.roles, v.rows, v.position, v.velocity);
  v.solver->invalidate();
  v.solver->set_redundant(state.rows.redundant != 0);
  if (v.contacts) constraint::load(*v.contacts, state);
  evaluate(m, state, now);
  if (!m.light) {
    row_rates(m, now.at, state.P, now.u, now.rate);
  } else {  // from State::u where the state has it, else from the momenta and the rows that hold
    if (state.u.size() == now.u.size())
      now.u = state.u;
    else if (!projector_of(v).velocities(now.specs, state, now.at, now.u))
      return false;
    rates_of(m, now.at, now.u, now.rate);
  }
  m.kin->follow(now.u.data(), now.at);
  if (!m.model->loads.empty()) m.kin->rates_at_loads(state.q.data(), now.u.data(), now.at);
  now.outside_known = v.ends.next.outside_known = v.factor_kept = false;
  if (m.constant_forces) {
    v.mechanism.gravity.resize(now.u.size());
    evaluate_forces(m, now.at, v.mechanism.gravity);
  }
  if (!state.velocity.factored.empty() && !m.light)
    v.solver->prepare(matrices(now.at),
                      {state.velocity.factored, state.velocity.compliance, {}, {}, m.table.others},
                      nullptr);
  return now.at.lost_joint < 0;
}

model::Projector& projector_of(Stepping& v) {
  if (!v.projector) v.projector = std::make_unique<model::Projector>(*v.mechanism.kin);
  return *v.projector;
}

Newton* newton_if_light(Stepping& v) { return v.mechanism.light ? &v.newton : nullptr; }

double total_energy(const Stepping& v, const model::State& state) {
  return constraint::total_energy(*v.mechanism.kin, state, v.ends.now.u.data(), v.ends.now.at);
}

}  // namespace trammel::form::velocity
