// Results of a step of the energy formulation: works and losses, impulses, the new state.
#include "form/energy_account.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "form/energy_carriers.h"
#include "form/energy_covector.h"
#include "math/index.h"
#include "model/ledger.h"
#include "solve/product.h"

namespace trammel::form::energy {

namespace {

/// The mean forces over a step of h, and those at its minimum. What the latter would have made more
/// is the scheme's loss.
struct Works {
  const std::vector<double>&force, &impulses;
  double h;          // [s]
  std::size_t loss;  // slot of the ledger
};

/// Adds the work of an act to the ledger.
void add_work(const Works& works, std::size_t slot, std::size_t act, double displacement,
              std::vector<double>& ledger) {
  const double mean = works.impulses[act] / works.h;
  ledger[slot] += mean * displacement;
  ledger[works.loss] += (works.force[act] - mean) * displacement;
}

/// Returns the change of a row's value over the step; of a nonholonomic row the mean rate times h.
double displacement_of(const Mechanism& m, const Made& made, std::size_t i) {
  const model::KinematicsCache &start = made.start.at, &end = made.end.at;
  if (m.model->rows[i].row.holonomic()) return end.g[i] - start.g[i];
  return (end.t - start.t) *
         (made.start.rate[i] + start.g_t[i] + made.minimum.rate[i] + made.acted.g_t[i]) / 2;
}

/// Returns the part of a row's force that comes from its stored energy [N, N m].
double kept_force(const Mechanism& m, const Problem& problem, const Made& made, std::size_t i) {
  if (problem.role[i] == Role::spring || problem.role[i] == Role::elastic)
    return made.reactions.force[i];
  const model::RowInfo& row = m.model->rows[i];
  const law::Law& law = m.model->laws[at(row.law)].law;
  if (!law.type->energy) return 0;
  const double x = made.acted.g[i], t = problem.aim.t;
  double keeps = model::row_force(*m.model, *m.params, static_cast<int>(i), x, 0, t).f;
  if (law.function) keeps -= row.sign * (*law.function)(row.sign * x, 0, t).f;
  return keeps;
}

/// Returns the change of the energy stored in a row over the step [J].
double stored_in(const Mechanism& m, const Problem& problem, const Made& made, double displacement,
                 std::size_t i) {
  const double x = made.end.at.g[i], x_n = made.start.at.g[i], k = problem.stiffness[i];
  const auto square = [](double r) { return r * r; };
  if (problem.role[i] == Role::elastic) return 0.5 * k * (square(x) - square(x_n));
  if (problem.role[i] == Role::spring) {
    const double off = x - problem.specs[i].target.x;
    return 0.5 * k * (square(off) - square(off - displacement));
  }
  const model::RowInfo& row = m.model->rows[i];
  const law::Law& law = m.model->laws[at(row.law)].law;
  if (!law.type->energy) return 0;
  const double* p = m.params->values.data() + law.first_param;
  return law.type->energy(law, p, row.sign * x) - law.type->energy(law, p, row.sign * x_n);
}

/// Adds the work of a row to the ledger. Returns its part of the scheme's energy error: change of
/// the stored energy, plus the work of the force that stores it.
double add_row_work(const Mechanism& m, const Problem& problem, const Made& made,
                    const Works& works, std::size_t act, bool impact, std::size_t i,
                    std::vector<double>& ledger) {
  const double displacement = displacement_of(m, made, i), law_force = works.force[act];
  const int slot = m.model->laws[at(m.model->rows[i].law)].ledger;
  if (problem.role[i] == Role::unilateral && (impact || slot < 0))
    ledger[model::kImpacts] += law_force * displacement;
  else if (slot >= 0)
    add_work(works, at(slot), act, displacement, ledger);
  return (made.reactions.force[i] - law_force) * displacement +
         stored_in(m, problem, made, displacement, i);
}

/// Returns the energy that terms store in the step beyond the work done on them, added to `sum`
/// [J].
double plus_terms_stored(double sum, const Mechanism& m, const Problem& problem, const Made& made) {
  const std::vector<double>&r = made.minimum.rows.r, &r_n = made.start.r, &r_end = made.end.r;
  for (const WeightedTerm& t : m.terms.all) {
    const double k = stiffness(m, t, problem.aim.a), pull = weight(m, problem, t);
    for (auto i = at(t.first); i < at(t.first + t.n); ++i)
      sum += (r_end[i] - r_n[i]) * (0.5 * k * (r_end[i] + r_n[i]) - pull * r[i]);
  }
  return sum;
}

/// Adds the work of loads, over the displacement of the places they act on.
void add_load_work(const Mechanism& m, const Made& made, const Works& works, std::size_t act,
                   std::vector<double>& ledger) {
  for (std::size_t k = 0; k < m.model->loads.size(); ++k) {
    const auto o = at(m.model->loads[k].object);
    const body::Transform &y = made.end.at.T_WO[o], &y_n = made.start.at.T_WO[o];
    double displacement[12];
    vec3(displacement) = y.p - y_n.p;
    for (int i = 0; i < 3; ++i) vec3(displacement + 3 + 3 * i) = (y.A - y_n.A).row(i).transpose();
    for (std::size_t i = 0; i < 12; ++i)
      add_work(works, at(m.model->first_load_slot) + k, act + 12 * k + i, displacement[i], ledger);
  }
}

/// Adds the work by which J dq of a term exceeds the change of its value; none where all is linear
/// in q. act: of its first row; own: scratch.
void add_term_path_work(const Mechanism& m, const Made& made, const Works& works, std::size_t slot,
                        std::size_t act, const WeightedTerm& t, std::vector<double>& own,
                        std::vector<double>& ledger) {
  if (t.straight) return;
  double J[2][36];
  term_jacobians(m, t, made.acted, J[0], J[1]);
  const int objects[] = {t.A.object, t.B.object};
  for (int i = 0; i < t.n; ++i) {
    double displacement = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      const model::Object& o = m.model->objects[at(objects[k])];
      if (o.block < 0) continue;
      const model::Block& block = m.model->blocks[at(o.block)];
      own.assign(at(block.n), 0);
      pull_back(m, made.acted, at(objects[k]), covector(J[k] + 12 * i), own.data());
      for (int c = 0; c < block.n; ++c) displacement += own[at(c)] * made.dq[at(block.v + c)];
    }
    const auto r = at(t.first + i);
    add_work(works, slot, act + at(i), displacement - made.end.r[r] + made.start.r[r], ledger);
  }
}

/// Adds the work that rows and terms do beyond the change of their values. Their forces at the end
/// of a step act along the directions there, not along the path: the two differ where the path is
/// bent or an end is prescribed.
void add_path_work(const Mechanism& m, const Problem& problem, const Made& made, const Acts& acts,
                   const Works& works, std::vector<double>& along, std::vector<double>& ledger) {
  solve::multiply(m.kin->graph(), made.acted.J.data(), made.dq.data(), along.data());
  const auto slot = [&](int joint) {
    const model::Joint& j = m.model->joints[at(joint)];
    const bool moves =
        m.model->objects[at(j.object_A)].moved || m.model->objects[at(j.object_B)].moved;
    return moves ? static_cast<std::size_t>(model::kLocks) : works.loss;
  };
  for (std::size_t i = 0; i < along.size(); ++i)
    if (problem.role[i] != Role::off)
      add_work(works, slot(m.model->rows[i].joint), acts.rows + i,
               along[i] - displacement_of(m, made, i), ledger);
  std::vector<double> own;
  for (const WeightedTerm& t : m.terms.all)
    if (problem.on(t.joint))
      add_term_path_work(m, made, works, slot(t.joint), acts.terms + at(t.first), t, own, ledger);
}

/// Returns a load as a covector on the place of its object, 12 numbers.
std::array<double, 12> covector_of(const Mechanism& m, const Made& made, const Aim& aim,
                                   const law::Load& load) {
  const auto o = at(load.object);
  const body::Transform& y = made.acted.T_WO[o];
  const body::Rate& rate = m.model->objects[o].jacobian < 0 && !(aim.share < 1)
                               ? made.end.at.rate[o]
                               : made.reactions.rate[o];
  const law::Wrench w = law::wrench(load, m.params->values.data(), y, rate, aim.t);
  std::array<double, 12> out{};
  body::add_wrench(body::kEmbedding, y, load.point, w.f, w.torque, out.data());
  return out;
}

/// Returns force and moment about the world's origin of gravity, loads and what does not move
/// freely; pull: forces of rows that are on.
constraint::Wrench outside(const Mechanism& m, const Made& made,
                           const std::vector<body::Covector>& loads,
                           const std::vector<double>& pull) {
  constraint::Wrench out = made.reactions.outside;
  for (std::size_t o = 0; o < loads.size(); ++o) {
    if (!m.model->objects[o].moves_freely()) continue;
    double w[6] = {};
    body::add_resultant(made.acted.T_WO[o], loads[o], w);
    out.force += vec3(w);
    out.moment += vec3(w + 3) + made.acted.T_WO[o].p.cross(vec3(w));
  }
  const constraint::Wrench anchored = constraint::anchored_wrench(*m.kin, made.acted, pull);
  return {out.force + anchored.force, out.moment + anchored.moment};
}

}  // namespace

void take_acts(const Mechanism& m, const Problem& problem, const Made& made,
               const std::vector<body::Covector>& loads, std::vector<double>& pull, Acts& out) {
  const std::vector<double>& force = made.reactions.force;
  for (std::size_t i = 0; i < pull.size(); ++i)
    pull[i] = problem.role[i] == Role::off ? 0 : force[i];
  const constraint::Wrench wrench = outside(m, made, loads, pull);
  std::vector<double>& f = out.force;
  f.assign(6, 0.0);
  vec3(f.data()) = wrench.force;
  vec3(f.data() + 3) = wrench.moment;
  f.insert(f.end(), made.reactions.wrenches.begin(), made.reactions.wrenches.end());
  out.laws = f.size();
  for (std::size_t i = 0; i < force.size(); ++i)
    f.push_back(problem.role[i] == Role::off ? 0 : force[i] - kept_force(m, problem, made, i));
  out.rows = f.size();
  f.insert(f.end(), force.begin(), force.end());
  out.terms = f.size();
  f.resize(out.terms + made.minimum.rows.r.size(), 0.0);
  for (const WeightedTerm& t : m.terms.all)
    for (auto i = at(t.first); i < at(t.first + t.n); ++i)
      f[out.terms + i] = -weight(m, problem, t) * made.minimum.rows.r[i];
  out.loads = f.size();
  for (const law::Load& load : m.model->loads) {
    const auto c = covector_of(m, made, problem.aim, load);
    f.insert(f.end(), c.begin(), c.end());
  }
  out.contacts = f.size();
}

void take_up(const Aim& aim, const std::vector<double>& force, std::vector<double>& impulses) {
  if (impulses.size() != force.size() || !aim.two_steps) impulses.assign(force.size(), 0);
  for (std::size_t i = 0; i < force.size(); ++i)
    impulses[i] = aim.back * impulses[i] + aim.gain * force[i];
}

void add_works(const Mechanism& m, const Problem& problem, const Made& made, const Acts& acts,
               const std::vector<body::Covector>& loads, const std::vector<double>& impulses,
               const Impact& impact, double gain, std::vector<double>& along,
               std::vector<double>& ledger) {
  const Works works{acts.force, impulses, made.end.at.t - made.start.at.t, loss_slot(impact)};
  const std::vector<double>& f = made.minimum.f;
  double integrator = gain;  // energy that the scheme makes
  for (std::size_t i = 0; i < f.size(); ++i) integrator -= f[i] * made.dq[i];
  for (std::size_t i = 0; i < problem.role.size(); ++i)
    if (problem.role[i] != Role::off)
      integrator += add_row_work(m, problem, made, works, acts.laws + i, impact.acts, i, ledger);
  integrator = plus_terms_stored(integrator, m, problem, made);
  if (!m.carriers.empty() || !m.model->loads.empty())
    integrator += bent_work(m, made.start.at, made.acted, made.end.at, loads, made.dq);
  ledger[works.loss] += integrator;
  add_load_work(m, made, works, acts.loads, ledger);
  add_path_work(m, problem, made, acts, works, along, ledger);
}

double energy_of_joints(const Mechanism& m, const Problem& problem, const Instant& now) {
  if (!(problem.aim.a > 0 || m.settings.joint_stiffness > 0)) return 0;
  double sum = energy_of_terms(m, problem.aim.a, now.r);
  for (std::size_t i = 0; i < problem.role.size(); ++i)
    if (problem.role[i] == Role::spring) {
      const double e = now.at.g[i] - problem.specs[i].target.x;
      sum += 0.5 * problem.stiffness[i] * e * e;
    }
  return sum;
}

void report_outside(const std::vector<double>& impulses, const Acts& acts, StepReport& report) {
  report.momentum.impulse = vec3(impulses.data());
  report.momentum.moment = vec3(impulses.data() + 3);
  report.wrench_impulses.assign(impulses.data() + 6, impulses.data() + acts.laws);
}

void report_gaps(const Mechanism& m, const Problem& problem, const model::ConstraintSpecs& specs,
                 const Instant& end, StepReport& report) {
  for (const int row : m.rows.values) {
    const auto i = static_cast<std::size_t>(row);
    const law::ConstraintSpec& spec = specs[i];
    if (!problem.on(m.model->rows[i].joint)) continue;
    double& off = m.rows.is_length[i] ? report.gap : report.angle;
    off = std::max(off, std::abs(spec.off(end.at.g[i])));
    report.row_speed =
        std::max(report.row_speed, std::abs(end.rate[i] + end.at.g_t[i] - spec.target.v));
  }
}

void commit(const Mechanism& m, const Made& made, const Impact& impact,
            const std::vector<signed char>& set, double h, model::State& state) {
  const model::KinematicsCache& end = made.end.at;
  const bool keeps = m.settings.difference == Settings::Difference::bdf2 && !impact.acts;
  if (keeps) {
    state.energy.q = state.q;
    state.energy.P = state.P;
    state.energy.g = made.start.at.g;
  } else {
    state.energy.q.clear();
    state.energy.P.clear();
  }
  state.energy.h = keeps ? h : 0;
  state.energy.struck = impact.met || impact.closes;
  state.energy.kinked = 0;
  state.q = made.minimum.q;
  state.P = made.minimum.P;
  if (m.kin->light()) state.u = made.end.u;
  for (std::size_t i = 0; i < end.arc.size(); ++i) state.s[i] = end.arc[i].s;
  keep_turns(*m.model, end, state.angle);
  for (std::size_t i = 0; i < m.rows.size(); ++i)
    state.rows.impulse[i] = h / 2 * made.reactions.force[i];
  m.rows.for_bounded([&](std::size_t row, std::size_t k) { state.rows.bound[row] = set[k]; });
  state.velocity = {};
  state.acceleration = {};
  state.rows.h = h;
  state.t += h;
  ++state.step;
}

}  // namespace trammel::form::energy
