#include "form/velocity_results.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "constraint/stage_rows.h"
#include "constraint/stops.h"
#include "model/project.h"

namespace trammel::form::velocity {

namespace {
/// Returns what a load that is not finite at an end of the step says of itself; empty: there is
/// none.
Reason describe_load(const Mechanism& m, const Ends& ends, std::size_t i) {
  const law::Load& load = m.model->loads[i];
  const auto o = static_cast<std::size_t>(load.object);
  const model::KinematicsCache& at = ends.now.at;
  for (const double t : {at.t, ends.next.at.t}) {
    const law::Wrench w = law::wrench(load, m.params->values.data(), at.T_WO[o], at.rate[o], t);
    if (std::isfinite(w.f.squaredNorm() + w.torque.squaredNorm())) continue;
    return {fmt::format("the load '{}' on body '{}' is {:g} N, {:g} N m", m.model->load_names[i],
                        m.model->objects[o].name, w.f.cwiseAbs().sum(), w.torque.cwiseAbs().sum()),
            m.model->load_names[i]};
  }
  return {};
}

/// Returns what a body whose momentum is not finite says of itself; empty: it is finite.
Reason describe_momentum(const Mechanism& m, const model::Object& o, const std::vector<double>& P) {
  if (o.block < 0) return {};
  const model::Block& b = m.model->blocks[static_cast<std::size_t>(o.block)];
  for (int i = 0; i < b.n; ++i)
    if (!std::isfinite(P[static_cast<std::size_t>(b.v + i)]))
      return {fmt::format("the momentum of body '{}' is not finite", o.name), o.name};
  return {};
}
}  // namespace

bool is_finite(const Mechanism& m, const End& next, const std::vector<double>& q,
               const std::vector<double>& P) {
  const auto flat = [](const std::vector<double>& x) {
    return Eigen::Map<const VecX>(x.data(), static_cast<Eigen::Index>(x.size()));
  };
  double sum = flat(P).dot(flat(next.u)) + flat(q).sum();
  for (std::size_t i = 0; i < m.model->loads.size(); ++i) sum += m.kin->load_power(next.at, i);
  return std::isfinite(sum);
}

Reason describe_failure(const Mechanism& m, const Ends& ends, const std::vector<double>& P,
                        int failed_row) {
  if (const int lost = ends.next.at.lost_joint; lost >= 0) {
    const std::string& joint = m.model->joints[static_cast<std::size_t>(lost)].name;
    return {fmt::format("joint '{}' has lost its track: its body is too far off it", joint), joint};
  }
  for (std::size_t i = 0; i < m.model->loads.size(); ++i)
    if (Reason reason = describe_load(m, ends, i); !reason.about.empty()) return reason;
  for (const model::Object& o : m.model->objects)
    if (Reason reason = describe_momentum(m, o, P); !reason.about.empty()) return reason;
  if (failed_row >= 0) {
    const std::string& joint = m.joint_of(static_cast<std::size_t>(failed_row)).name;
    return {fmt::format("the rows of joint '{}' cannot be factored", joint), joint};
  }
  std::string reason = !m.model->rows.empty()
                           ? "the joints cannot be met: positions do not converge"
                           : "positions do not converge";
  if (m.own_motion)
    reason +=
        "; the step of singular configurations knows nothing of bodies that move by themselves";
  const std::vector<int>& functions = m.forces.functions;
  const auto follows = std::find_if(functions.begin(), functions.end(), [&](int row) {
    return m.forces.follows(static_cast<std::size_t>(row));
  });
  if (follows != functions.end())
    reason += fmt::format(
        "; forces that follow other joints, as that of law '{}', may be too stiff for the step: "
        "take shorter ones, or the acceleration formulation",
        m.model->laws[static_cast<std::size_t>(m.row(static_cast<std::size_t>(*follows)).law)]
            .name);
  return {reason, ""};
}

Gaps find_gaps(const Made& made) {
  const RowTable& table = made.mechanism.table;
  const double* g = made.ends.next.at.g.data();
  const float *equality = table.equality.data(), *length = table.equality_length.data();
  Gaps out;
  out.length = table.greatest([=](std::size_t i) { return length[i] * std::abs(g[i]); });
  if (table.angles)
    out.angle =
        table.greatest([=](std::size_t i) { return (equality[i] - length[i]) * std::abs(g[i]); });
  for (const int row : table.others) {
    const auto i = static_cast<std::size_t>(row);
    double& worst = table.is_angle[i] ? out.angle : out.length;
    worst = std::max(worst,
                     constraint::displacement(made.roles.hold[i], made.ends.next.specs[i], g[i]));
  }
  return out;
}

namespace {
/// The share of both stages' impulses that acts at the start of the step; the rest acts at its end.
struct AtStart {
  double first, second;
};
AtStart at_start(const Made& made) {
  // the fallback acts half way: half of it at each end is that but for (h w)^2
  if (made.fell_back) return {0.5, 0};
  if (made.mechanism.settings.scheme == Settings::Scheme::baumgarte) return {1, 1};
  return {1, 0};
}
}  // namespace

void keep_multipliers(const Made& made, bool met, model::State& state, std::vector<double>& forces,
                      LastStep::Part& part) {
  const Impulses &first = made.position.impulses, &second = made.velocity.impulses;
  const double h = made.h, again = share_again(state, h);
  const double *L = first.rows.data(), *m = second.rows.data(),
               *calm = made.velocity.calm.empty() ? m : made.velocity.calm.data(),
               *impulse = first.applied.data(), *impulse_V = second.applied.data();
  double *extrapolation = state.velocity.extrapolation.data(), *last = state.rows.impulse.data(),
         *force = forces.data(), *starts = part.at_start.data(), *ends = part.at_end.data();
  const AtStart share = at_start(made);
  made.mechanism.table.for_rows([=](std::size_t i) {
    force[i] = (L[i] + calm[i] + impulse[i] + impulse_V[i]) / h;
    starts[i] = share.first * (L[i] + impulse[i]) + share.second * (calm[i] + impulse_V[i]);
    ends[i] =
        (1 - share.first) * (L[i] + impulse[i]) + (1 - share.second) * (calm[i] + impulse_V[i]);
    const double change = L[i] - again * last[i];
    extrapolation[i] = L[i] != 0 && again != 0 && !met ? change : 0;
    last[i] = met ? again * last[i] : calm[i];
  });
  const Roles& roles = made.roles;
  made.mechanism.table.for_others([&](std::size_t i) {
    if (!constraint::is_smooth(roles.hold[i])) extrapolation[i] = 0;
    if (roles.is_implicit(i)) last[i] = L[i];
  });
}

void report_row_impulses(const Made& made, StepReport& report) {
  const std::vector<double>&calm = made.velocity.calm, &m = made.velocity.impulses.rows;
  if (!made.fell_back)
    report.add_row_impulses(calm.size(), [&](std::size_t i) { return m[i] - calm[i]; });
}

void drop_multipliers(model::State& state) {
  std::fill(state.velocity.extrapolation.begin(), state.velocity.extrapolation.end(), 0.0);
  std::fill(state.rows.impulse.begin(), state.rows.impulse.end(), 0.0);
}

bool keep_factor(const RowTable& table, const solve::Rows& factor, bool kept,
                 model::VelocityMemory& memory) {
  if (kept && !factor.active.empty()) {  // equality constraints are the same in every factor
    for (const int row : table.others) {
      const auto i = static_cast<std::size_t>(row);
      memory.factored[i] = factor.active[i];
      memory.compliance[i] = factor.compliance[i];
    }
    return true;
  }
  memory.factored.assign(factor.active.begin(), factor.active.end());
  memory.compliance.assign(factor.compliance.begin(), factor.compliance.end());
  const std::size_t n = table.equality.size();
  return memory.factored.size() == n && memory.compliance.size() == n;
}

void keep_places(const Mechanism& m, const model::KinematicsCache& end, model::State& state) {
  // load() starts the track projections from there again, with results equal to the bit
  for (std::size_t i = 0; i < end.arc.size(); ++i) state.s[i] = end.from[i].s;
  for (const int row : m.table.turning) {
    const auto i = static_cast<std::size_t>(row);
    state.angle[static_cast<std::size_t>(m.row(i).angle)] = end.g[i];
  }
  for (std::size_t k = 0; k < m.model->sources.size(); ++k)
    if (const int a = m.model->sources[k].angle; a >= 0)
      state.angle[static_cast<std::size_t>(a)] = end.x[k];
}

void update_yielded(const Made& made, const std::vector<double>& force,
                    std::vector<unsigned char>& yielded, StepReport& report) {
  const Mechanism& m = made.mechanism;
  const End& next = made.ends.next;
  for (const int other : m.table.others) {
    const auto i = static_cast<std::size_t>(other);
    if (!constraint::may_be_displaced(made.roles.hold[i], made.ends.now.specs[i])) continue;
    const bool drifts = m.settings.scheme == Settings::Scheme::baumgarte && !yielded[i];
    const bool at_bound =
        constraint::has_yielded(next.specs[i], next.at.g[i], made.rows.bound[i] != 0, drifts);
    if (at_bound == (yielded[i] != 0)) continue;
    yielded[i] = at_bound;
    report.bounds = true;
    report.events.push_back({next.at.t, at_bound ? EventKind::yield : EventKind::hold,
                             m.joint_of(i).name,
                             fmt::format("row {} {}", m.row(i).name,
                                         at_bound ? "is at its greatest force" : "holds again"),
                             force[i], m.row(i).row.unit() == joint::Unit::metre ? "N" : "N m"});
  }
}

Sunk find_sunk(const Mechanism& m, const Roles& roles, const End& now) {
  Sunk out;
  for (const int row : m.table.others) {
    const auto i = static_cast<std::size_t>(row);
    const law::ConstraintSpec& d = now.specs[i];
    const double depth = constraint::depth_at_rest(roles.hold[i], d, now.at.g[i], now.rate[i]);
    if (depth > std::max(out.depth, model::kPenetrated * d.size)) out = {depth, i};
  }
  return out;
}

}  // namespace trammel::form::velocity
