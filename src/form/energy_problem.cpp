// What one step of the energy formulation minimises: y~, momenta, roles of the rows.
#include "form/energy_problem.h"

#include <cmath>
#include <utility>

#include "constraint/rows.h"
#include "form/energy_dampers.h"
#include "form/energy_stops.h"
#include "form/energy_turns.h"
#include "math/index.h"

namespace trammel::form::energy {

namespace {

constexpr double kLongest = 2;  // longest step of bdf2, relative to the step before

/// True for the rows of the joint's table, which its terms or its body's block may stand for; laws
/// on its coordinates come after them.
bool is_own(const model::Joint& joint, std::size_t row) {
  return static_cast<int>(row) < joint.first_row + static_cast<int>(joint.table->rows.size());
}

Role role_of(const Mechanism& m, const law::ConstraintSpec& spec, bool on, std::size_t i) {
  if (!on) return Role::off;
  const model::RowInfo& row = m.model->rows[i];
  const auto j = at(row.joint);
  const bool own = is_own(m.model->joints[j], i);
  if (m.soft[j] && own) return Role::off;
  if (m.strains.in_block[j] && own) return Role::elastic;
  switch (constraint::hold_of(spec, true, false)) {
    case constraint::Hold::unilateral:
      return Role::unilateral;
    case constraint::Hold::friction:
      return Role::friction;
    case constraint::Hold::rate:  // of bounded motors and friction: incremental potentials
      return spec.bounded() ? Role::potential : Role::rolled;
    case constraint::Hold::position:
      break;
    default:
      return Role::potential;
  }
  if (std::isinf(m.settings.joint_stiffness)) return Role::held;
  const model::LawOnRow& law = m.model->laws[at(row.law)];
  const bool joints_own = law.of_table && !law.law.type->takes_drive;
  return joints_own ? Role::spring : Role::potential;
}

/// Returns mu or 2 mu of a strain that is part of its body's block, (1) [J].
double stiffness_of_strain(const Mechanism& m, std::size_t i) {
  const joint::Row& row = m.model->rows[i].row;
  const int body = m.model->joints[at(m.model->rows[i].joint)].object_A;
  return m.strains.mu[at(body)] * (row.of[0].u == row.of[0].v ? 1 : 2);
}

/// Returns the stiffness of a row that is its joint's spring [N/m], [N m].
double stiffness_of_spring(const Mechanism& m, double a, std::size_t i) {
  const int j = m.model->rows[i].joint;
  const double k = m.settings.joint_stiffness, length = m.rows.is_length[i] ? 1 : length_of(m, j);
  return (k < 0 ? -k * masses_at(m, j) / a : k) * length * length;
}

/// Returns the mass at a joint's row that is a spring [kg], [kg m^2].
double mass_at_spring(const Mechanism& m, std::size_t i) {
  const int j = m.model->rows[i].joint;
  const double length = m.rows.is_length[i] ? 1 : length_of(m, j);
  return heavier_end(m, j) * length * length;
}

/// Computes y~ and the momenta to which the gain is added.
void extrapolate(const Mechanism& m, const Aim& aim, const model::State& state, const Past& past,
                 std::vector<body::Transform>& y, std::vector<double>& momentum,
                 std::vector<body::Rate>& rate) {
  const model::KinematicsCache &now = past.now.at, &before = past.before.at;
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i].p = aim.keep * now.T_WO[i].p + aim.ahead * now.rate[i].v;
    y[i].A = aim.keep * now.T_WO[i].A + aim.ahead * now.rate[i].A;
  }
  if (aim.share < 1)  // from the middle of the chord to that of the bent way
    for (std::size_t o = 0; o < y.size(); ++o) {
      if (m.model->objects[o].block < 0) continue;
      const double half_square = aim.ahead * aim.ahead / 2;
      y[o].p -= half_square * now.bias[o].v;
      y[o].A -= half_square * now.bias[o].A;
    }
  for (const Carrier& c : m.carriers)
    for (auto o = at(c.object); o < at(c.object + c.n_objects); ++o) {
      rate[o] = {aim.keep * now.rate[o].v, aim.keep * now.rate[o].A};
      if (!aim.two_steps) continue;
      rate[o].v -= aim.back * before.rate[o].v;
      rate[o].A -= aim.back * before.rate[o].A;
    }
  momentum = state.P;
  for (std::size_t i = 0; aim.two_steps && i < y.size(); ++i) {
    y[i].p -= aim.back * before.T_WO[i].p + aim.behind * before.rate[i].v;
    y[i].A -= aim.back * before.T_WO[i].A + aim.behind * before.rate[i].A;
  }
  for (std::size_t i = 0; aim.two_steps && i < momentum.size(); ++i)
    momentum[i] = aim.keep * state.P[i] - aim.back * state.energy.P[i];
  turn_freely(m, aim, past, y);
}

}  // namespace

Instant make_instant(const Mechanism& m) {
  Instant out;
  out.at = m.kin->make_cache();
  out.u.assign(at(m.model->n_u), 0);
  out.rate.assign(m.rows.size(), 0);
  out.r.assign(at(m.graph.n_rows), 0);
  return out;
}

Problem make_problem(const Mechanism& m, model::ConstraintSpecs specs) {
  const std::size_t rows = m.rows.size();
  Problem out{.aim = {},
              .y = std::vector<body::Transform>(m.model->objects.size()),
              .momentum = std::vector<double>(at(m.model->n_u), 0),
              .rate = std::vector<body::Rate>(m.carriers.empty() ? 0 : m.model->objects.size()),
              .specs = std::move(specs),
              .flags = {},
              .role = std::vector<Role>(rows, Role::off),
              .stiffness = std::vector<double>(rows, 0),
              .damper = std::vector<double>(rows, 0),
              .within = std::vector<law::Range>(rows),
              .pressed = std::vector<unsigned char>(rows, 0),
              .g_n = std::vector<double>(rows, 0),
              .g_before = std::vector<double>(rows, 0),
              .rate_n = std::vector<double>(rows, 0),
              .damping = std::vector<Damping>(m.kin->graph().blocks.size() + 1, Damping::none),
              .shift = std::vector<double>(at(m.graph.n_rows), 0)};
  return out;
}

void take_rates(const Mechanism& m, const double* q, const double* P, Instant& out) {
  m.kin->inverse_mass(q, out.at);
  m.kin->velocities(out.at, P, out.u.data());
  m.kin->rates(q, out.u.data(), out.at);
}

Aim aim(Settings::Difference difference, const model::State& state, double h, bool two) {
  using Difference = Settings::Difference;
  Aim out;
  out.two_steps = two && difference == Difference::bdf2 && !state.energy.q.empty() &&
                  h <= kLongest * state.energy.h;
  const bool mid = difference == Difference::midpoint;
  const double rho = out.two_steps ? h / state.energy.h : 0, a0 = (1 + 2 * rho) / (1 + rho),
               a1 = 1 + rho, a2 = rho * rho / (1 + rho);
  out.rate = (mid ? 2 : a0) / h;
  out.a = 1 / (out.rate * out.rate);
  out.share = mid ? 0.5 : 1;
  out.t = state.t + out.share * h;
  out.gain = h / a0;
  out.keep = a1 / a0;
  out.back = a2 / a0;
  out.ahead = mid ? h / 2 : out.keep * h / a0;
  out.behind = out.back * h / a0;
  return out;
}

void assign_roles(const Mechanism& m, const std::vector<unsigned char>& on, Problem& problem) {
  std::vector<double>& k = problem.stiffness;
  for (std::size_t i = 0; i < problem.role.size(); ++i) {
    const int joint = m.model->rows[i].joint;
    const Role role = role_of(m, problem.specs[i], on[at(joint)] != 0, i);
    problem.role[i] = role;
    if (role == Role::elastic) k[i] = stiffness_of_strain(m, i);
    if (role != Role::spring) continue;
    k[i] = stiffness_of_spring(m, problem.aim.a, i);
    problem.damper[i] = damper_of(m, problem, joint, k[i], mass_at_spring(m, i));
  }
}

void pose(const Mechanism& m, const model::State& state, const Aim& aim, const Past& past,
          Problem& problem) {
  problem.aim = aim;
  extrapolate(m, aim, state, past, problem.y, problem.momentum, problem.rate);
  problem.specs.at(aim.t);
  assign_roles(m, state.on, problem);
  shift_terms(m, past, problem);
  problem.g_n = past.now.at.g;
  problem.rate_n = past.now.rate;
  problem.g_before = aim.two_steps ? state.energy.g : problem.g_n;
  limit_rows(m.rows.stops, problem.specs, problem.g_n, problem.within);
  note_pressed(m.rows.stops, state.rows.impulse, problem.pressed);
}

}  // namespace trammel::form::energy
