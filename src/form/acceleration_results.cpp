#include "form/acceleration_results.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "form/meter.h"
#include "model/ledger.h"

namespace trammel::form::acceleration {

namespace {

void store_rows(const Mechanism& mechanism, const Mode& mode, const Instant& now, double h,
                model::State& state) {
  for (const int row : mechanism.kinds.changing) {
    const auto i = static_cast<std::size_t>(row);
    state.rows.bound[i] = constraint::stored_set(mode.status[i]);
  }
  // a step of the velocity formulation starts from these
  for (std::size_t i = 0; i < mode.status.size(); ++i)
    state.rows.impulse[i] = mode.status[i].holds() ? h / 2 * now.force[i] : 0;
  if (!mechanism.kinds.changing.empty()) state.acceleration.recovery.assign(mode.status.size(), 0);
  for (const int row : mechanism.kinds.changing) {
    const auto i = static_cast<std::size_t>(row);
    state.rows.yielded[i] = constraint::is_displaced(mode.status[i]);
    state.acceleration.recovery[i] = mode.status[i].recovery;
  }
}

/// Returns ": row 'x' of joint 'j', ...".
std::string named(const Mechanism& mechanism, const std::vector<int>& rows) {
  constexpr std::size_t kMost = 3;
  std::string all;
  for (std::size_t k = 0; k < std::min(kMost, rows.size()); ++k) {
    const auto row = static_cast<std::size_t>(rows[k]);
    all += fmt::format("{} row '{}' of joint '{}'", k ? "," : ":", mechanism.model.rows[row].name,
                       mechanism.joint_of(row).name);
  }
  return rows.size() > kMost ? all + fmt::format(" and {} more", rows.size() - kMost) : all;
}

/// Returns the name of the first body whose coordinates or energy are not finite; where only sums
/// over bodies are not, that of the body with the greatest numbers; empty where all are finite.
std::string body_without_bound(const Mechanism& mechanism, const Attempt& at) {
  const double* u = mechanism.velocities(at.y);
  double most = -1;
  std::string fastest;
  for (std::size_t i = 0; i < mechanism.model.objects.size(); ++i) {
    const model::Object& o = mechanism.model.objects[i];
    if (o.block < 0) continue;
    const model::Block& b = mechanism.model.blocks[static_cast<std::size_t>(o.block)];
    double sum = at.trial.at.T_WO[i].p.sum() + at.next.at.T_WO[i].p.sum();
    for (int k = b.v; k < b.v + b.n; ++k) sum += at.now.P[static_cast<std::size_t>(k)] * u[k];
    if (!std::isfinite(sum)) return o.name;
    if (std::abs(sum) <= most) continue;
    most = std::abs(sum);
    fastest = o.name;
  }
  return is_good(mechanism, at.y, at.now.P) ? std::string() : fastest;
}

/// Returns the name of the joint that has lost its track; empty: none has.
std::string lost_joint(const Mechanism& mechanism, const Attempt& at) {
  for (const Instant* i : {&at.trial, &at.next})
    if (i->at.lost_joint >= 0)
      return mechanism.model.joints[static_cast<std::size_t>(i->at.lost_joint)].name;
  return "";
}

const std::string& joint_of(const Mechanism& mechanism, int row) {
  return mechanism.joint_of(static_cast<std::size_t>(row)).name;
}

/// The friction of a row has no solution.
Reason jammed(const Mechanism& mechanism, int row) {
  const model::RowInfo& info = mechanism.model.rows[static_cast<std::size_t>(row)];
  const std::string& law = mechanism.model.laws[static_cast<std::size_t>(info.law)].name;
  return {
      fmt::format("the friction of law '{}' on joint '{}' has no solution: it presses harder on "
                  "the joint than it can be pressed on, which wedges; take a lesser coefficient, "
                  "or velocity, by whose impulses it may stop at once",
                  law, joint_of(mechanism, row)),
      law};
}

}  // namespace

void store(const Mechanism& mechanism, const Mode& mode, const Instant& now, const double* y,
           double h, bool redundant, model::State& state) {
  const double *work = mechanism.work(y), *u = mechanism.velocities(y);
  state.q.assign(y, y + mechanism.model.n_q);
  state.P = now.P;
  for (int i = 0; i < mechanism.works.ledger; ++i)
    state.ledger[static_cast<std::size_t>(model::kFirstLaw + i)] += work[i];
  state.ledger[model::kLocks] += work[mechanism.works.locks()];
  state.ledger[model::kImpacts] += work[mechanism.works.impacts()];
  state.ledger[model::kContacts] += work[mechanism.works.contacts()];
  if (mechanism.kin.light()) state.u.assign(u, u + mechanism.model.n_u);
  state.angle = mode.flags.angle;
  state.on = mode.flags.on;
  for (std::size_t i = 0; i < now.at.arc.size(); ++i) state.s[i] = now.at.from[i].s;
  state.rows.h = h;
  state.rows.redundant = redundant;
  state.velocity = {};
  state.energy = {};
  store_rows(mechanism, mode, now, h, state);
  mode.touching.keep(now.touches, h, state);
}

void report_results(const Mechanism& mechanism, const Mode& mode, const Instant& now,
                    const double* y, StepReport& report) {
  const double* work = mechanism.work(y);
  const Works& works = mechanism.works;
  report.momentum.impulse = vec3(work + works.impulse());
  report.momentum.moment = vec3(work + works.moment());
  report.momentum.corrected = vec3(work + works.corrected());
  mode.touching.report(now.touches, report.contacts);
  report.wrench_impulses.assign(work + works.wrench_impulses(), work + works.size());
  for (std::size_t i = 0; i < mode.status.size(); ++i) {
    if (mode.status[i].status != constraint::Status::active) continue;
    report.row_speed = std::max(report.row_speed, std::abs(now.rate[i] - mode.specs[i].target.v));
    double& off = mechanism.is_angle[i] ? report.angle : report.gap;
    off = std::max(off, std::abs(mode.off(i, now.at.g[i])));
  }
}

Reached reached(const Mechanism& mechanism, double t, const double* y) {
  const double* u = mechanism.velocities(y);
  return {t, {y, y + mechanism.model.n_q}, {u, u + mechanism.model.n_u}};
}

bool is_good(const Mechanism& mechanism, const double* y, const std::vector<double>& P) {
  double sum = Eigen::Map<const VecX>(y, static_cast<Eigen::Index>(mechanism.size())).sum();
  const double* u = mechanism.velocities(y);
  for (std::size_t i = 0; i < P.size(); ++i) sum += P[i] * u[i];
  return std::isfinite(sum);
}

Reason reason_of(const Mechanism& mechanism, Failure failure, const Attempt& at,
                 const std::vector<int>& restless, const std::string& contact) {
  const Meter* meter = mechanism.settings.meter;
  if (meter && meter->enough()) return {"it costs more than it may", ""};
  if (failure == Failure::exhausted)
    return {fmt::format("{} steps of {} have come to t = {:.9g} s only: a force is too stiff, or "
                        "changes too fast, for an explicit method; take formulation = "
                        "\"velocity\", or a lesser accuracy",
                        kMostSteps, name_of(mechanism.settings.method), at.now.at.t),
            ""};
  if (failure == Failure::wedges)
    return {
        fmt::format("the forces of contacts have no solution{}: friction presses harder than it "
                    "is pressed on, which wedges; take a lesser coefficient, or formulation = "
                    "\"velocity\", by whose impulses it may stop at once",
                    contact.empty() ? "" : " at '" + contact + "'"),
        contact.empty() ? "contacts" : contact};
  if (failure == Failure::chatters)
    return {"stops, motors or contacts change without end: between them nothing settles" +
                named(mechanism, restless) + (contact.empty() ? "" : "; contact '" + contact + "'"),
            restless.empty() ? contact : joint_of(mechanism, restless.front())};
  if (const std::string joint = lost_joint(mechanism, at); !joint.empty())
    return {fmt::format("joint '{}' has lost its track: its body is too far off it", joint), joint};
  if (const std::string body = body_without_bound(mechanism, at); !body.empty())
    return {fmt::format("the motion of body '{}' grows without bound: its energy is not finite; "
                        "take a shorter step",
                        body),
            body};
  if (at.jammed_row >= 0) return jammed(mechanism, at.jammed_row);
  if (at.failed_row >= 0)
    return {fmt::format("the rows of joint '{}' cannot be factored",
                        joint_of(mechanism, at.failed_row)),
            joint_of(mechanism, at.failed_row)};
  return {at.estimates_error ? "no step is short enough for the accuracy: the motion ends here, as "
                               "in a singular configuration, or the accuracy is beyond rounding"
                             : "the joints cannot be met: positions do not converge",
          ""};
}

}  // namespace trammel::form::acceleration
