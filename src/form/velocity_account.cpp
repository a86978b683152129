#include "form/velocity_account.h"

#include <algorithm>

#include "constraint/contact/phases.h"
#include "constraint/contact/wrenches.h"
#include "constraint/stage_rows.h"
#include "model/ledger.h"
#include "model/reactions.h"

namespace trammel::form::velocity {

namespace {
/// Adds to `work` that of a function of the user which is implicit in the step, its part of the
/// work along the way: the whole less what the law gave from store [J].
double with_work_along_way(const Made& made, std::size_t i, double work) {
  const Mechanism& m = made.mechanism;
  const RowLaw& on = m.forces.law[i];
  const double from = made.ends.now.at.g[i], to = made.ends.next.at.g[i];
  const double all =
      row_mean_force(*m.model, *m.params, static_cast<int>(i), from, to, Halfway(made.ends)).f;
  const law::Type& type = *on.law->type;
  const double* p = m.params->values.data() + on.law->first_param;
  const double stored =
      type.energy(*on.law, p, on.sign * to) - type.energy(*on.law, p, on.sign * from);
  return work + all * (to - from) + stored;
}

/// Returns the work of a spring's damper [J].
double work_of_damper(const Made& made, std::size_t i) {
  const End &now = made.ends.now, &next = made.ends.next;
  if (made.position.dashpot[i] == 0)
    return made.h / 2 * (now.damper[i] * now.rate[i] + next.damper[i] * next.rate[i]);
  // the damper's part of L and m, on the mean rate of each half step
  const double rate = (next.at.g[i] - now.at.g[i]) / made.h;
  const double spring =
      made.roles.spring[i] == Spring::compliant
          ? spring_impulse(made.mechanism, made.ends, made.position.mean, i, made.h)
          : 0;
  return (made.position.impulses.rows[i] - spring) * (now.rate[i] + rate) / 2 +
         made.velocity.impulses.rows[i] * (rate + next.rate[i]) / 2;
}

/// Returns the work of a spring row that is not part of its stored energy [J]: that of its damper
/// and of a function of the user.
double lost_in_spring(const Made& made, std::size_t i) {
  const double work = work_of_damper(made, i);
  const RowLaw& on = made.mechanism.forces.law[i];
  if (!on.law->function) return work;
  if (made.roles.spring[i] == Spring::compliant || made.fell_back)
    return with_work_along_way(made, i, work);
  const auto power = [&](const End& end) {
    return on.sign * law::function_force(*on.law, on.sign * end.at.g[i], 0, end.at.still()) *
           end.rate[i];
  };
  return work + made.h / 2 * (power(made.ends.now) + power(made.ends.next));
}

/// Returns the work of a row within bounds in a step with an impact [J]: each stage at the mean of
/// the rates before and after it, so that what it gives in the impact meets what the contacts take.
double work_in_stages(const Made& made, std::size_t i) {
  const Impulses &first = made.position.impulses, &second = made.velocity.impulses;
  const End &now = made.ends.now, &next = made.ends.next;
  const double mean = (next.at.g[i] - now.at.g[i]) / made.h;
  return (first.rows[i] + first.applied[i]) * (now.rate[i] + mean) / 2 +
         (second.rows[i] + second.applied[i]) * (mean + next.rate[i]) / 2;
}

/// Returns the work done by the law in the step, without the part stored as potential energy [J].
double work(const Made& made, bool struck, std::size_t i) {
  const Hold hold = made.roles.hold[i];
  if (!constraint::takes_part(hold)) return 0;
  const Mechanism& m = made.mechanism;
  if (m.model->laws[static_cast<std::size_t>(m.row(i).law)].law.type->energy)
    return lost_in_spring(made, i);
  if (made.velocity.impact_rate[i] < law::kInf) return 0;  // closed in this step: an impact
  const Impulses &first = made.position.impulses, &second = made.velocity.impulses;
  const End &now = made.ends.now, &next = made.ends.next;
  const bool on_way = struck && m.row(i).row.holonomic();
  if (on_way && made.roles.gives_force(i))  // see work_on_way()
    return (first.rows[i] + first.applied[i] + second.rows[i] + second.applied[i]) / made.h *
           (next.at.g[i] - now.at.g[i]);
  if (on_way && constraint::works_in_stages(hold, now.specs[i])) return work_in_stages(made, i);
  return constraint::work(hold, now.specs[i], next.specs[i],
                          {first.rows[i] + first.applied[i], second.rows[i] + second.applied[i]},
                          {now.rate[i], next.rate[i]});
}

/// Returns the work of a load in a step with an impact [J]: along the way of its point, since
/// impacts at the end of the step change rates, but not what the load has done before. A turn by
/// more than kTurned, and that of what strains, is told by rates alone.
double work_on_way(const Made& made, const law::Load& load) {
  constexpr double kTurned = 2;  // [rad]
  const Mechanism& m = made.mechanism;
  const auto o = static_cast<std::size_t>(load.object);
  const body::MotionKind kind = m.model->objects[o].motion_kind;
  const auto wrench = [&](const End& end) {
    return law::wrench(load, m.params->values.data(), end.at.T_WO[o], end.at.rate[o], end.at.t,
                       end.at.span);
  };
  const auto spin = [&](const End& end) {
    return body::spin(kind, end.at.T_WO[o], end.at.rate[o]);
  };
  const End &now = made.ends.now, &next = made.ends.next;
  const law::Wrench first = wrench(now), second = wrench(next);
  const body::Transform &from = now.at.T_WO[o], &to = next.at.T_WO[o];
  const Vec3 way = to.p + to.A * load.point - from.p - from.A * load.point;
  Vec3 turn = made.h / 2 * (spin(now) + spin(next));
  if (turn.norm() < kTurned && !body::can_strain(kind))
    turn = log_quat(Quat(body::rotation(kind, to.A) * body::rotation(kind, from.A).transpose()));
  return 0.5 * ((first.f + second.f).dot(way) + (first.torque + second.torque).dot(turn));
}

/// Adds the work of prescribed bodies, which exchange energy through any row.
void add_works_of_prescribed(const Made& made, double& slot) {
  const Impulses &first = made.position.impulses, &second = made.velocity.impulses;
  for (const int row : made.mechanism.kin->anchored_rows()) {
    const auto i = static_cast<std::size_t>(row);
    if (!constraint::takes_part(made.roles.hold[i])) continue;
    slot -= (first.rows[i] + first.applied[i]) * made.ends.now.at.g_t[i];
    slot -= (second.rows[i] + second.applied[i]) * made.ends.next.at.g_t[i];
  }
}
}  // namespace

void add_works(const Made& made, bool met, std::vector<double>& scratch, std::span<double> ledger) {
  const Mechanism& m = made.mechanism;
  const std::vector<double>& before_impact = made.velocity.impact_rate;
  const bool closed =
      made.roles.unilateral && std::any_of(before_impact.begin(), before_impact.end(),
                                           [](double r) { return r < law::kInf; });
  const bool struck = met || closed;
  m.table.for_others([&](std::size_t i) { scratch[i] = work(made, struck, i); });
  for (const int row : m.table.others) {
    const auto i = static_cast<std::size_t>(row);
    const double before = made.velocity.impact_rate[i];
    if (before < law::kInf)  // a unilateral row that has closed, or friction at one
      ledger[model::kImpacts] +=
          made.velocity.impulses.rows[i] * (before + made.ends.next.rate[i]) / 2;
    ledger[static_cast<std::size_t>(m.table.account[i])] += scratch[i];
  }
  if (!m.model->prescribed.empty()) add_works_of_prescribed(made, ledger[model::kLocks]);
  for (std::size_t i = 0; i < m.model->loads.size(); ++i)
    ledger[static_cast<std::size_t>(m.model->first_load_slot) + i] +=
        struck ? work_on_way(made, m.model->loads[i])
               : made.h / 2 *
                     (m.kin->load_power(made.ends.now.at, i) +
                      m.kin->load_power(made.ends.next.at, i));
}

void explicit_dampers(const Mechanism& m, Ends& ends, std::vector<double>& dashpot) {
  take_springs(m, ends.next);
  for (const int row : m.forces.rows) {
    const auto i = static_cast<std::size_t>(row);
    dashpot[i] = 0;
    for (End* end : {&ends.now, &ends.next})
      end->damper[i] = m.force(i, end->at.g[i], end->rate[i], end->at.moving()).f - end->rest[i];
  }
}

void add_outside(const Mechanism& m, End& end, std::span<const double> impulses,
                 std::span<const double> more, double duration, StepReport& report) {
  if (m.settings.impulses) {
    report.wrench_impulses.resize(constraint::wrench_impulses_size(*m.model));
    model::add_wrench_impulses(*m.kin, end.at, impulses, more, duration,
                               report.wrench_impulses.data());
  }
  constraint::Wrench w = constraint::anchored_wrench(*m.kin, end.at, impulses, more);
  if (duration != 0) {
    if (!end.outside_known) {
      end.outside = {};
      m.kin->add_outside_wrench(end.at, end.outside.force, end.outside.moment);
      end.outside_known = m.model->loads.empty();  // a program may change them between steps
    }
    w.force += duration * end.outside.force;
    w.moment += duration * end.outside.moment;
  }
  report.momentum.impulse += w.force;
  report.momentum.moment += w.moment;
}

void add_contacts(constraint::Contacts& contacts, const Ends& ends, model::State& state,
                  StepReport& report) {
  const End& next = ends.next;
  if (!report.wrench_impulses.empty())
    constraint::add_wrenches(contacts, ends.now.at, next.at, report.wrench_impulses.data());
  constraint::end_step(contacts, next.at, next.u, state);
  const constraint::ContactTold& told = contacts.told;
  report.contacts.add(told.report);
  report.bounds = true;
  report.momentum.impulse += told.outside.force;
  report.momentum.moment += told.outside.moment;
  report.momentum.corrected += contacts.push.corrected;
  report.impacts.bodies.insert(report.impacts.bodies.end(), told.impulses.begin(),
                               told.impulses.end());
  report.events.insert(report.events.end(), told.events.begin(), told.events.end());
}

}  // namespace trammel::form::velocity
