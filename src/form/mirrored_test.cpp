// A coordinate that runs against its row, "back = -Ax.D", under a law turned round likewise, moves
// as the coordinate along its row does: every law on every free coordinate of every joint, in every
// formulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "form/formulation.h"
#include "form/test_balance.h"
#include "form/test_pairs.h"

namespace trammel::form::mirrored_test {
namespace {

using namespace test;

constexpr double kTime = 0.4;  // [s]

/// The same joint with all its free coordinates the other way.
Table mirrored(Table table) {
  for (Coordinate& c : table.coordinates) c.sign = -c.sign;
  return table;
}

/// Nothing alike on both sides, or a sign that is lost would not show.
void make_uneven(model::LawSpec& spec) {
  if (spec.type == "motor") spec.numbers["force_max"] = 3;
  if (spec.type == "limit") spec.numbers["to"] += 0.1;
  if (spec.type == "locked" && std::isfinite(spec.numbers["force_max"]))
    spec.numbers["force_max"] *= 0.8;
}

void turn_round(model::LawSpec& spec) {
  auto& x = spec.numbers;
  const auto negate = [&](const char* name) {
    if (x.count(name)) x[name] = -x[name];
  };
  const auto exchange = [&](const char* low, const char* high) {
    if (x.count(low)) x[low] = -std::exchange(x[high], -x[low]);
  };
  for (const char* name : {"value", "rest", "preload"}) negate(name);
  exchange("force_min", "force_max");
  exchange("from", "to");
  const auto turn = [](Signal& signal) {
    signal = Signal::function([along = signal](double t) {
      const Jet j = along.jet(t);
      return Jet{-j.x, -j.v, -j.a};
    });
  };
  if (spec.drive) turn(spec.drive->signal);
  if (spec.force) turn(*spec.force);
}

struct Outcome {
  VecX q, balances;
};

Outcome run(const model::Built& built, const Settings& settings, int n) {
  model::State state = built.state;
  Formulation form(*built.model, built.params, settings);
  EXPECT_TRUE(form.load(state));
  Balance balance(form, state, momentum_bounds(settings));
  StepReport report;
  for (int k = 0; k < n; ++k) {
    form.step(state, kTime / n, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason << " in step " << k;
    if (report.status != Status::ok) break;
    balance.see(form, state, report);
  }
  const auto all = [](const std::vector<double>& x) {
    return VecX(Eigen::Map<const VecX>(x.data(), static_cast<int>(x.size())));
  };
  return {all(state.q), all(state.ledger)};
}

Settings by(Settings::Formulation formulation) {
  Settings s;
  s.formulation = formulation;
  s.joint_stiffness = law::kInf;
  s.iteration.most = 200;
  return s;
}

/// The same to rounding, however often the active set, events and tolerances make of it.
void expect_alike(const Table& table, const Coordinate& c, const law::Type* type, double most) {
  const auto round = [](model::LawSpec& spec) {
    make_uneven(spec);
    turn_round(spec);
  };
  for (const bool affine : {false, true}) {
    const Kinds kinds{Kind::rigid, affine ? Kind::affine : Kind::rigid};
    const model::Built along = build(table, &c, type, most, kinds, 0, make_uneven);
    // its numbers are those of the coordinate along its row, turned round
    const Table against = mirrored(table);
    const model::Built back = build(against, &c, type, most, kinds, 0, round);
    for (const auto formulation : {Settings::Formulation::velocity, Settings::Formulation::energy,
                                   Settings::Formulation::acceleration}) {
      const bool energy = formulation == Settings::Formulation::energy;
      if (energy && std::isfinite(most)) continue;  // its rows do not yield
      SCOPED_TRACE(testing::Message()
                   << "formulation " << static_cast<int>(formulation) << ", affine " << affine);
      const int n = formulation == Settings::Formulation::acceleration ? 2 : 20;
      const Outcome a = run(along, by(formulation), n), b = run(back, by(formulation), n);
      EXPECT_LE((a.q - b.q).cwiseAbs().maxCoeff(), 1e-8);
      EXPECT_LE((a.balances - b.balances).cwiseAbs().maxCoeff(), 1e-8);
    }
  }
}

class EveryCoordinate : public testing::TestWithParam<Table> {};

TEST_P(EveryCoordinate, MovesAsItsMirrorImage) {
  const Table& table = GetParam();
  Random random(7);
  const Pair pair = meeting(table, random);
  for (const Coordinate& c : table.coordinates) {
    if (c.row.unit() == joint::Unit::one || !is_free(table, c, pair)) continue;
    for (const law::Type* type : law::types()) {
      if (type->follows_load) continue;  // not every joint has a reaction, see tests
      // an edge that has turned across what is held or driven leaves no way to go
      if (table.name == "knife-edge" && (type->name == "driven" || type->name == "locked"))
        continue;
      SCOPED_TRACE(std::string(type->name) + " on " + c.name);
      expect_alike(table, c, type, law::kInf);
      if (type->name == "locked") expect_alike(table, c, type, 0.1);  // yields [N, N m]
    }
  }
}

std::string table_name(const testing::TestParamInfo<Table>& info) {
  return joint::test::plain(info.param.name);
}
INSTANTIATE_TEST_SUITE_P(Tables, EveryCoordinate, testing::ValuesIn(joint::test::all_tables()),
                         table_name);

}  // namespace
}  // namespace trammel::form::mirrored_test
