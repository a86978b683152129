// The minimisation of the energy formulation: Newton iteration by the joints, with a line search.
#include "form/energy_newton.h"

#include <algorithm>
#include <cmath>

#include "form/energy_contact_step.h"
#include "form/energy_contact_way.h"
#include "form/energy_rows.h"
#include "math/index.h"
#include "math/parallel.h"
#include "solve/product.h"

namespace trammel::form::energy {

namespace {

constexpr double kSufficient = 1e-4;    // Armijo's share of the predicted decrease
constexpr double kNear = 1e-9;          // Newton steps this small are taken without a line search
                                        // (step_length())
constexpr double kLargestTurn = 0.5;    // longer Newton steps are cut [rad]
constexpr double kTurnInContact = 0.1;  // the same beside contacts
constexpr double kOfChord = 0.9;        // of the free part of a chord: a shorter one is another
constexpr double kHeldUp = 1e-3;        // of a Newton step that guards may have led uphill
constexpr double kOnwards = 8;          // so much of a Newton step out of a saddle may be gone
constexpr double kOfObjective = 1e-14;  // rounding of the objective, relative

constexpr double kRounded = 1e-13;      // Newton steps of so much of size_of() may be rounding
constexpr int kHalvings = 40;           // of a Newton step
constexpr double kNearMinimum = 0.1;    // Newton steps that are near enough for the whole second
                                        // derivative
constexpr double kSameFriction = 1e-6;  // change of friction that ends its passes, relative
constexpr int kRounds = 5;              // of a Newton step that finds what it would run into
constexpr int kNewtonGrain = 128;       // groups of rows, terms or blocks in one go

/// Calls f(i) for 0 <= i < n, some at once.
template <class F>
void for_all(std::size_t n, const F& f) {
  parallel::for_pieces(static_cast<int>(n), kNewtonGrain, [&](int first, int last) {
    for (int i = first; i < last; ++i) f(at(i));
  });
}

/// Solves (J J^T + 1/k) lambda = rhs where rows touch; forces of stops only push. The right-hand
/// side becomes its opposite.
bool solve_within_stops(const Mechanism& m, const solve::System& system, const SystemRows& rows,
                        solve::ActiveSet& box, std::vector<double>& rhs, Multipliers& forces,
                        Minimum& out) {
  for (double& x : rhs) x = -x;
  const solve::BoxReport done =
      box.solve(system, {rhs, rows.lo, rows.hi, m.cones}, forces.lambda, forces.set);
  out.factorisations += done.factorisations;
  if (std::isfinite(done.merit)) return true;
  out.reason = "the joints' system cannot be solved within its stops";
  return false;
}

/// Solves (J J^T + 1/k) lambda = rhs.
bool solve_freely(const Mechanism& m, const solve::System& system, const std::vector<double>& rhs,
                  solve::Direct& direct, std::vector<double>& lambda, Minimum& out) {
  ++out.factorisations;
  if (!direct.factor(system)) {
    out.reason = "the joints' system cannot be factored";
    return false;
  }
  if (m.taken.empty()) {  // every row has compliance: the next Newton step takes up what rounding
                          // leaves
    lambda = rhs;
    direct.solve_factored(lambda.data());
  } else {
    direct.solve(rhs.data(), lambda.data());
  }
  return true;
}

/// Returns the greatest displacement over the mechanism's arm, or turn [rad], of a Newton step.
double step_length(const Mechanism& m, const std::vector<double>& dq) {
  double most = 0;
  for (std::size_t i = 0; i < dq.size(); ++i)
    most = std::isfinite(dq[i]) ? std::max(most, m.per_size[i] * std::abs(dq[i])) : law::kInf;
  return most;
}

/// Returns how much of a Newton step may be gone: what turns farther comes elsewhere than its
/// linear way. Displacements are as long as the motion makes them, whatever the size of what moves.
double longest_part(const Mechanism& m, const std::vector<double>& dq) {
  double turn = 0;
  for (std::size_t i = 0; i < dq.size(); ++i)
    turn = std::max(turn, m.per_turn[i] * std::abs(dq[i]));
  return turn > kLargestTurn ? kLargestTurn / turn : 1;
}

/// The same beside contacts: what turns farther comes elsewhere than its linear way.
double longest_part_in_contact(const Mechanism& m, const Trial& trial, const Contact& contact,
                               const std::vector<double>& dq, double most) {
  double turn = turn_of_carried(*m.model, trial.at, dq.data(), contact);
  for (std::size_t b = 0; b < m.graph.blocks.size(); ++b)
    for (int i = 3; m.graph.blocks[b].moves_freely && i < m.graph.blocks[b].n; ++i)
      turn = std::max(turn, std::abs(dq[at(m.graph.u_offset[b] + i)]));
  return turn * most > kTurnInContact ? kTurnInContact / turn : most;
}

/// Returns the greatest coordinate of a body over the mechanism's arm, but at least 1: rounding of
/// places is relative to the one, and turns what is as long as the other.
double size_of(const Mechanism& m, const std::vector<body::Transform>& places) {
  const double arm = m.model->scales.arm;
  double size = arm;
  for (const body::Transform& p : places) size = std::max(size, p.p.cwiseAbs().maxCoeff());
  return size / arm;
}

/// Returns the greatest force of rows whose forces are unknowns of the system [N, N m].
double greatest_force(const Mechanism& m, const std::vector<Role>& role,
                      const std::vector<double>& lambda) {
  double worst = 0;
  for (std::size_t i = 0; !m.taken.empty() && i < role.size(); ++i)
    if (carries(role[i])) worst = std::max(worst, std::abs(lambda[at(m.rows.in_system[i])]));
  return worst;
}

/// A way for the line search to go: from q along dq, `length` of which is its greatest number.
struct Line {
  const std::vector<double>&q, &dq;
  double length;
};

/// Evaluates the trial at `step` times the line; `scratch` may become that much of dq. Returns
/// false where there is nothing to go to, or something in between.
bool go(const Mechanism& m, const Problem& problem, const Frozen& frozen, const Line& line,
        double step, Trial& trial, std::vector<double>& scratch) {
  trial.q = line.q;
  const double* dq = line.dq.data();
  if (step != 1) {
    for (std::size_t i = 0; i < scratch.size(); ++i) scratch[i] = step * line.dq[i];
    dq = scratch.data();
  }
  retract(m, dq, trial.q.data());
  return evaluate(m, problem, trial) && frozen.is_free(dq, trial.at.T_WO);
}

/// Halves the step as long as the objective, `there` at the trial, falls. Where forces nearly have
/// kinks Newton iteration would swing about them, so a full step that goes too far is taken back to
/// the least objective. Returns the step that is left.
double halve(const Mechanism& m, const Problem& problem, const Instant& start, const Frozen& frozen,
             const Line& line, double step, int halvings, double there, Trial& trial,
             std::vector<double>& scratch) {
  for (int k = 0; k < halvings; ++k, step /= 2) {
    const double next = go(m, problem, frozen, line, step / 2, trial, scratch)
                            ? objective(m, problem, start, trial, frozen)
                            : law::kInf;
    if (!(next < there)) return go(m, problem, frozen, line, step, trial, scratch) ? step : 0;
    there = next;
  }
  return step;
}

/// Searches along the line as far as the objective falls enough, and leaves the trial there;
/// promised: dq^T H dq; no farther than `most` of it. Returns how much of it is gone; 0: it does
/// not fall.
double search(const Mechanism& m, const Problem& problem, const Instant& start,
              const Frozen& frozen, const Line& line, double promised, double most, Trial& trial,
              std::vector<double>& scratch) {
  double step = most;
  const double here = objective(m, problem, start, trial, frozen);
  for (int k = 0; k < kHalvings; ++k, step /= 2) {
    if (!go(m, problem, frozen, line, step, trial, scratch)) continue;
    if (line.length * step < kNear) return step;
    const double there = objective(m, problem, start, trial, frozen);
    if (!(there <= here - kSufficient * step * promised + kOfObjective * std::abs(here))) continue;
    if (k == 0 && most <= 1) return step;
    return halve(m, problem, start, frozen, line, step, kHalvings - k, there, trial, scratch);
  }
  return 0;
}

}  // namespace

Linearisation make_linearisation(const Mechanism& m) {
  Linearisation out;
  const std::size_t objects = m.model->objects.size();
  out.loads.force.resize(objects);
  out.loads.drag.assign(objects, 0);
  out.pulls.resize(objects);
  out.left_out.assign(objects, Mat3::Zero());
  std::vector<int> sizes;
  for (const auto& b : m.kin->graph().blocks) sizes.push_back(b.n);
  std::vector<int> whole;
  for (const Carrier& c : m.carriers) whole.push_back(c.block);
  out.cholesky = BlockCholesky(sizes, whole);
  for (auto* v : {&out.gradient, &out.scaled}) v->assign(at(m.model->n_u), 0);
  out.J.assign(at(m.graph.J_size), 0);
  out.flat.assign(m.rows.size(), 0);
  return out;
}

Multipliers make_multipliers(const Mechanism& m) {
  const auto n = at(m.graph.n_rows);
  return {std::vector<double>(n, 0), std::vector<signed char>(n, 0)};
}

RowSolver make_row_solver(const Mechanism& m) {
  RowSolver out;
  out.direct = std::make_unique<solve::Direct>(m.graph, solve::DirectOptions{.tolerance = 1e-13});
  if (!m.rows.stops.empty() || !m.cones.empty())
    out.box = std::make_unique<solve::ActiveSet>(*out.direct);
  return out;
}

Workspace make_workspace(const Mechanism& m) {
  const std::size_t n_u = at(m.model->n_u), n = at(m.graph.n_rows);
  return {
      make_row_solver(m),
      make_linearisation(m),
      {std::vector<double>(n_u, 0), std::vector<double>(n_u, 0), std::vector<double>(n, 0)},
      std::vector<double>(at(m.model->n_q), 0),
      std::vector<double>(n_u, 0),
      {constraint::barrier_of(*m.model, m.settings.barrier, m.settings.surfaces), {}, {}, 0, {}}};
}

bool linearise(const Mechanism& m, const Problem& problem, const Past& past,
               const std::vector<double>& lambda, Trial& trial, ContactSystem& touching,
               Linearisation& out) {
  const double a = problem.aim.a;
  if (!m.taken.empty()) m.kin->jacobians(problem.flags, trial.at);
  take_loads(m, problem.aim, past, trial.at, out.loads);
  if (m.any_curved) {
    take_row_covectors(m, problem, lambda, trial.slope, trial.at, out.pulls);
    add_term_covectors(m, problem, trial.at, trial.rows.r, out.pulls);
  }
  add_stress_of_rows(m, problem, lambda, trial.slope, trial.stress);
  take_gradient(m, a, trial, out.loads.force, out.gradient);
  if (!m.taken.empty())
    add_flat_rows(m, problem, trial.rows, trial.slope, trial.at.J, out.flat, out.gradient);
  if (touching.surfaces.any()) {
    take_close(trial.at.T_WO, touching.surfaces);
    add_contact_gradient(m, trial, touching.surfaces, out.gradient, out.pulls);
  }
  const bool good = factor_blocks(m, a, trial, out.loads, out.pulls, out.gradient, out.cholesky,
                                  out.scaled, out.left_out, out.carriers);
  for_all(m.taken.size(),
          [&](std::size_t k) { put_rows(m, m.taken[k], trial.at.J, out.cholesky, out.J); });
  for_all(m.terms.all.size(), [&](std::size_t k) {
    put_term(m, problem, m.terms.all[k], trial.at, out.cholesky, out.J.data());
  });
  return good;
}

bool solve_newton_step(const Mechanism& m, const Linearisation& linear, const SystemRows& rows,
                       RowSolver& solver, Multipliers& forces, NewtonStep& step, Minimum& out) {
  std::vector<double>&rhs = step.rhs, &z = step.z, &dq = step.dq;
  solve::multiply(m.graph, linear.J.data(), linear.scaled.data(), rhs.data());
  for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] = rows.active[i] ? rhs[i] - rows.r[i] : 0;
  const solve::System system{linear.J.data(), nullptr, rows.compliance.data(), rows.active.data()};
  const bool solved = solver.box
                          ? solve_within_stops(m, system, rows, *solver.box, rhs, forces, out)
                          : solve_freely(m, system, rhs, *solver.direct, forces.lambda, out);
  if (!solved) return false;
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = -linear.scaled[i];
  solve::add_transpose(m.graph, linear.J.data(), forces.lambda.data(), z.data());
  for_all(m.graph.blocks.size(), [&](std::size_t b) {
    const auto u = at(m.graph.u_offset[b]);
    linear.cholesky.displacement(static_cast<int>(b), &z[u], &dq[u]);
  });
  return true;
}

void retract(const Mechanism& m, const double* dq, double* q) {
  for (const model::PoolSlot& s : m.model->pools) s.pool->retract_turning(dq + s.v, q + s.q);
}

void guess(const Mechanism& m, const Problem& problem, const model::State& state, double h,
           const Instant& now, Trial& trial, Multipliers& forces, Workspace& work) {
  weigh(m, work.linear.loads.force);
  std::fill(forces.lambda.begin(), forces.lambda.end(), 0.0);
  const std::vector<int>& in_system = m.rows.in_system;
  if (state.rows.h > 0)
    for (std::size_t i = 0; i < in_system.size(); ++i)
      if (in_system[i] >= 0)
        forces.lambda[at(in_system[i])] = 2 / state.rows.h * state.rows.impulse[i];
  m.rows.for_bounded(
      [&](std::size_t row, std::size_t k) { forces.set[k] = state.rows.bound[row]; });
  trial.at.arc = now.at.arc;
  trial.q = state.q;
  for (std::size_t i = 0; i < now.u.size(); ++i)
    work.newton.dq[i] = problem.aim.share * h * now.u[i];
  if (auto& c = work.touching.surfaces; c.any()) {
    std::vector<body::Transform> ends;
    if (c.chords && !chord_ends(m, now.at.T_WO, trial.q.data(), work.newton.dq.data(), c, ends))
      return;  // likewise
    set_out(*m.model, now.at.T_WO, {work.newton.dq.data(), &ends}, c);
    if (c.free < 1) return;  // from where all are apart
  }
  retract(m, work.newton.dq.data(), trial.q.data());
}

namespace {

/// Sets out on at most `part` of the last Newton step, and says how much of the whole is free.
void set_out_on(const Mechanism& m, const Trial& trial, double part, Workspace& work) {
  auto& c = work.touching.surfaces;
  const std::vector<body::Transform>& T_WO = trial.at.T_WO;
  std::vector<body::Transform> ends;
  bool there = false;
  for (int k = 0; k < kHalvings && !there; ++k) {
    if (k > 0) part /= 2;
    for (std::size_t i = 0; i < work.part.size(); ++i) work.part[i] = part * work.newton.dq[i];
    there = !c.chords || chord_ends(m, T_WO, trial.q.data(), work.part.data(), c, ends);
  }
  set_out(*m.model, T_WO, there ? Way{work.part.data(), &ends} : Way{}, c);
  if (!there) c.free = 0;
  if (c.chords && c.free < 1) c.free *= kOfChord;
  c.free *= part;
}

/// Computes the Newton step with contacts, and sets out on it. Pairs that would touch on the way
/// are kept apart by it, instead of cutting the step of all.
bool solve_and_set_out(const Mechanism& m, const Trial& trial, bool near, int rounds,
                       Multipliers& forces, Workspace& work, Minimum& out) {
  begin_contact_step(trial, near, work.touching);
  for (int k = 0; k < rounds; ++k) {
    if (!solve_contact_step(m, work.linear, trial, work.touching, forces, work.newton, out))
      return false;
    if (!(step_length(m, work.newton.dq) < law::kInf)) break;  // iterate() says so
    const bool saddle = work.touching.level > 0 && near && work.touching.guards.empty();
    set_out_on(m, trial,
               longest_part_in_contact(m, trial, work.touching.surfaces, work.newton.dq,
                                       saddle ? kOnwards : 1),
               work);
    if (work.touching.surfaces.hits.empty() ||
        !add_guards(trial.at.T_WO, work.touching.surfaces, work.touching.guards))
      break;
  }
  return true;
}

/// Goes back to where the last Newton step began, and leaves it there: nothing cuts.
bool leave(const Mechanism& m, const Problem& problem, double length, Trial& trial, Workspace& work,
           Minimum& out) {
  out.left = length;
  trial.q = work.q_base;
  return evaluate(m, problem, trial);
}

/// Searches again along the Newton step that guards do not bend. Returns false where there were
/// none, or the energy does not fall either.
bool without_guards(const Mechanism& m, const Problem& problem, const Past& past,
                    const Frozen& frozen, Trial& trial, Multipliers& forces, Workspace& work,
                    Minimum& out) {
  if (work.touching.guards.empty()) return false;
  trial.q = work.q_base;
  if (!evaluate(m, problem, trial)) return false;
  take_close(trial.at.T_WO, work.touching.surfaces);
  if (!solve_and_set_out(m, trial, false, 1, forces, work, out)) return false;
  double promised = 0;
  for (const double z : work.newton.z) promised += z * z;
  return search(m, problem, past.now, frozen,
                {work.q_base, work.newton.dq, step_length(m, work.newton.dq)}, promised,
                work.touching.surfaces.free, trial, work.part) > 0;
}

Frozen freeze(const Mechanism& m, const Linearisation& linear, const Multipliers& forces,
              double penalty, Contact& c) {
  return {linear.loads.force, forces.lambda, penalty,
          [&c](const std::vector<body::Transform>& T_WO) { return contact_energy(T_WO, c); },
          [&m, &c](const double* dq, const std::vector<body::Transform>& T_WO) {
            return !c.chords || reaches(*m.model, dq, T_WO, c);
          }};
}

/// Finds the minimum with friction as it stands.
bool iterate(const Mechanism& m, const Problem& problem, const Past& past, Trial& trial,
             Multipliers& forces, Workspace& work, Minimum& out) {
  auto& surfaces = work.touching.surfaces;
  const bool touches = surfaces.any();
  const double size = size_of(m, past.now.at.T_WO),
               enough = std::max({m.settings.tolerance.share(m.model->scales), 1e-15 * size,
                                  touches ? m.settings.barrier.tolerance : 0});
  const int most = touches ? m.settings.barrier.max_iterations : m.settings.iteration.most;
  double last = law::kInf, penalty = 0;
  for (int k = 0; k < most; ++k) {
    if (!linearise(m, problem, past, forces.lambda, trial, work.touching, work.linear)) {
      out.reason = "a body's second derivatives are not positive";
      return false;
    }
    const bool near = last < kNearMinimum;
    if (!(touches ? solve_and_set_out(m, trial, near, kRounds, forces, work, out)
                  : solve_newton_step(m, work.linear, trial.rows, work.solver, forces, work.newton,
                                      out)))
      return false;
    ++out.iterations;
    const double length = step_length(m, work.newton.dq);
    if (!(length < law::kInf)) return false;
    penalty = std::max(penalty, 2 * greatest_force(m, problem.role, forces.lambda));
    work.q_base = trial.q;
    double promised = 0;
    for (const double z : work.newton.z) promised += z * z;
    const Frozen frozen = freeze(m, work.linear, forces, penalty, surfaces);
    const double longest = touches ? surfaces.free : longest_part(m, work.newton.dq),
                 gone = search(m, problem, past.now, frozen, {work.q_base, work.newton.dq, length},
                               promised, longest, trial, work.part);
    const bool held_up =
        length > enough && gone < kHeldUp * longest && !work.touching.guards.empty();
    if (!(gone > 0) || held_up) {
      if (!touches || !without_guards(m, problem, past, frozen, trial, forces, work, out)) {
        out.reason = "the energy of the step falls no more before its gradient is zero";
        return touches && leave(m, problem, length, trial, work, out);
      }
    }
    // Newton steps that are rounding fall no more
    if (length <= enough || (length <= kRounded * size && length > last / 2)) return true;
    last = length;
  }
  out.reason = "the minimum of the step is not found within the iterations allowed";
  out.left = touches ? last : 0;
  return touches;
}

}  // namespace

Minimum minimise(const Mechanism& m, const Problem& problem, const Past& past, Trial& trial,
                 Multipliers& forces, Workspace& work) {
  Minimum out;
  if (!begin_contact(m, problem, past, work.touching.surfaces)) {
    out.reason = "surfaces touch or cut where the step begins";
    return out;
  }
  if (!evaluate(m, problem, trial)) {
    out.reason = "joint '" + m.model->joints[at(trial.at.lost_joint)].name + "' has lost its track";
    return out;
  }
  for (int pass = 1;; ++pass) {
    if (!iterate(m, problem, past, trial, forces, work, out)) return out;
    if (!work.touching.surfaces.any() || pass >= m.settings.barrier.friction_passes) break;
    if (renew_friction(trial.at.T_WO, work.touching.surfaces) < kSameFriction) break;
  }
  if (work.touching.surfaces.any()) take_close(trial.at.T_WO, work.touching.surfaces);
  out.found = true;
  return out;
}

}  // namespace trammel::form::energy
