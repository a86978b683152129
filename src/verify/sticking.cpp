#include "verify/sticking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "constraint/row_kinds.h"
#include "math/index.h"
#include "model/constraint_specs.h"
#include "model/kinematics.h"
#include "model/rank.h"

namespace trammel::verify {

namespace {

/// Slips that move a row by no more than this between two times: of the mechanism's reach, or rad.
constexpr double kStill = 1e-9;

/// Friction and motors hold while they are strong enough. With bounds taken away all of them hold.
struct Stuck {
  model::Params params;
  std::vector<std::string> of_joint;  // what they are: "friction"; "" where a joint has none
};
Stuck stuck(const model::Built& built) {
  const model::Model& m = *built.model;
  Stuck out{built.params, std::vector<std::string>(m.joints.size())};
  for (const model::LawOnRow& l : m.laws) {
    const law::Type& type = *l.law.type;
    double* p = out.params.values.data() + l.law.first_param;
    const law::ConstraintSpec d =
        type.constraint ? type.constraint(l.law, p, 0) : law::ConstraintSpec{};
    if (l.joint < 0 || !constraint::may_slip(d)) continue;
    for (std::size_t k = 0; k < type.parameters.size(); ++k) {
      const std::string_view name = type.parameters[k].name;
      if (name == "force" || name == "force_max") p[k] = law::kInf;
      if (name == "force_min") p[k] = -law::kInf;
    }
    out.of_joint[static_cast<std::size_t>(l.joint)] = type.name;
  }
  return out;
}

model::Rank rank(const model::Built& built, const model::Params& params) {
  const model::Kinematics kin(*built.model, params);
  const model::ConstraintSpecs specs(*built.model, params);
  model::KinematicsCache at = kin.make_cache();
  for (std::size_t i = 0; i < at.arc.size(); ++i)
    at.arc[i] = {built.state.s[i], built.state.piece[i]};
  kin.transforms(built.state.q.data(), built.state.t, at);
  kin.inverse_mass(built.state.q.data(), at);
  kin.jacobians(built.state, at);
  return model::rank_of(kin, built.state, specs, at);
}

bool within(const std::vector<int>& part, const std::vector<int>& all) {
  return std::all_of(part.begin(), part.end(), [&](int joint) {
    return std::find(all.begin(), all.end(), joint) != all.end();
  });
}

/// Returns how many rows fewer than it has the loop needs without what may stick.
int surplus_of(const model::Built& built, const model::Rank::Loop& loop) {
  int out = loop.surplus;
  for (const model::Rank::Loop& own : built.start.rank.loops)
    if (within(own.joints, loop.joints)) out -= own.surplus;
  return out;
}

}  // namespace

std::vector<int> rows_that_may_stick(const model::Built& built) {
  return constraint::kinds_of({*built.model, built.params}).slipping;
}

std::vector<MayStick> may_stick(const model::Built& built) {
  const model::Model& m = *built.model;
  const Stuck all = stuck(built);
  std::vector<MayStick> out;
  if (std::all_of(all.of_joint.begin(), all.of_joint.end(), std::mem_fn(&std::string::empty)))
    return out;
  for (const model::Rank::Loop& loop : rank(built, all.params).loops) {
    const int surplus = surplus_of(built, loop);
    if (surplus <= 0) continue;
    MayStick group;
    for (const int row : rows_that_may_stick(built)) {
      const int joint = m.rows[at(row)].joint;
      if (std::find(loop.joints.begin(), loop.joints.end(), joint) == loop.joints.end()) continue;
      group.rows.push_back(row);
      group.what += fmt::format("{}the {} of '{}'", group.what.empty() ? "" : ", ",
                                all.of_joint[at(joint)], m.joints[at(joint)].name);
    }
    const auto n = static_cast<int>(group.rows.size());
    group.independent = static_cast<std::size_t>(std::max(0, n - surplus));
    out.push_back(std::move(group));
  }
  return out;
}

void append_slips(const sim::Simulation& run, const std::vector<int>& rows,
                  std::vector<double>& out) {
  if (rows.empty()) return;
  const model::Kinematics& kin = run.formulation().kinematics();
  model::KinematicsCache now = run.formulation().now();
  std::vector<double> rate(run.model().rows.size()), bias(rate.size());
  kin.rates(run.state().q.data(), run.formulation().velocities().data(), now);
  kin.row_rates(run.state(), now, rate.data(), bias.data());
  for (const int row : rows)
    out.push_back(rate[at(row)] - run.formulation().specs()[at(row)].target.v);
}

std::vector<std::string> stuck_together(const std::vector<MayStick>& groups,
                                        const model::Model& model, const Samples& run) {
  const std::size_t n = run.may_stick.size();
  const auto still = [&](long k, std::size_t i) {
    const bool length = model.rows[at(run.may_stick[i])].row.unit() == joint::Unit::metre;
    return std::abs(run.slip[static_cast<std::size_t>(k) * n + i]) * run.apart <=
           kStill * (length ? run.reach : 1);
  };
  const auto holds_more = [&](const MayStick& group, long k) {
    std::size_t stuck = 0;
    for (std::size_t i = 0; i < n; ++i)
      stuck +=
          std::count(group.rows.begin(), group.rows.end(), run.may_stick[i]) > 0 && still(k, i);
    return stuck > group.independent;
  };
  std::vector<std::string> out;
  for (const MayStick& group : groups)
    for (long k = 0, since = 0; k < run.count(); ++k) {
      since = holds_more(group, k) ? since + 1 : 0;
      if (since < std::min(2L, run.count())) continue;
      out.push_back(
          fmt::format("at t = {:.4g} s more of it sticks than holds the mechanism, and nothing "
                      "determines how it "
                      "is shared: {}",
                      run.t0 + static_cast<double>(k) * run.apart, group.what));
      break;
    }
  return out;
}

}  // namespace trammel::verify
