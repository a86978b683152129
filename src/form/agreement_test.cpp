// Every joint with every law on every coordinate that it leaves free, in two formulations: they
// agree to the order of the lower one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "form/acceleration.h"
#include "form/test_balance.h"
#include "form/test_pairs.h"
#include "form/velocity.h"
#include "model/ledger.h"

namespace trammel::form::agreement_test {
namespace {

using namespace test;

constexpr double kTime = 0.5, kMove = 0.1;  // [s]; [m, rad] that each cell must move at least

struct Outcome {
  VecX q;
  double gap = 0, row_speed = 0, energy = 0, linear = 0, angular = 0;
  long yields = 0;
};

double accounted(const model::State& state) {
  double sum = 0;
  for (std::size_t i = 0; i < state.ledger.size(); ++i)
    sum += i == model::kInitial ? 0 : state.ledger[i];
  return sum;
}

template <class Form>
Outcome run(const model::Built& built, const Settings& settings, int n) {
  Outcome out;
  model::State state = built.state;
  Form form(*built.model, built.params, settings);
  EXPECT_TRUE(form.load(state));
  const double energy = form.total_energy(state);
  Vec3 p0 = Vec3::Zero(), l0 = p0, p = p0, l = p0;
  form.kinematics().momentum(state.q.data(), state.P.data(), p0, l0);
  Balance balance(form, state, momentum_bounds(settings));
  StepReport report;
  for (int k = 0; k < n; ++k) {
    form.step(state, kTime / n, report);
    balance.see(form, state, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason << " in step " << k;
    if (report.status != Status::ok) break;
    for (const Event& e : report.events) out.yields += e.kind == form::EventKind::yield;
    out.gap = std::max({out.gap, report.gap, report.angle});
    out.row_speed = std::max(out.row_speed, report.row_speed);
    out.energy =
        std::max(out.energy, std::abs(form.total_energy(state) - energy - accounted(state)));
  }
  form.kinematics().momentum(state.q.data(), state.P.data(), p, l);
  out.linear = (p - p0).norm();
  out.angular = (l - l0).norm();
  out.q = Eigen::Map<const VecX>(state.q.data(), static_cast<int>(state.q.size()));
  return out;
}

Settings fine() {
  Settings s;
  s.method = RungeKuttaMethod::dp8;
  s.accuracy = {1e-11, 1e-11, 1e-11, 1e-11, 1e-11};
  return s;
}

/// How much an impact changes speeds at most [m/s]: 1 + restitution times the speeds at which the
/// two bodies start beside each other (see build).
double greatest_impact(const Table& table) {
  return 1.8 * (1.5 * std::sqrt(3) + (table.on_curve ? 4 : 0));
}

/// One cell: the mechanism in both formulations. smooth: no law that sticks, slips or stops. Says
/// how often rows yielded.
long expect_agreement(const model::Built& built, bool smooth, double impact) {
  EXPECT_TRUE(built.model);
  if (!built.model) return 0;
  const Outcome a = run<Acceleration>(built, fine(), 5);
  const Eigen::Map<const VecX> start(built.state.q.data(), static_cast<int>(built.state.q.size()));
  EXPECT_GE((a.q - start).norm(), kMove);
  EXPECT_LE(a.gap, 1e-12);
  EXPECT_LE(a.row_speed, 1e-10);
  EXPECT_LE(a.energy, 1e-8);  // truncation, and moments of events; energies of 10 J
  EXPECT_LE(a.linear, 1e-11);
  EXPECT_LE(a.angular, 1e-9);
  std::array<double, 3> e{};
  for (std::size_t k = 0; k < 3; ++k) e[k] = (run<Velocity>(built, {}, 125 << k).q - a.q).norm();
  const double order = std::log2(e[1] / e[2]);
  SCOPED_TRACE(fmt::format("apart {:.3g} {:.3g} {:.3g}, order {:.2f}", e[0], e[1], e[2], order));
  EXPECT_NEAR(order, 2, smooth ? 0.15 : 10);
  // first order where something happens within a step: an impact comes up to a step late
  for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(e[k], impact * kTime / (125 << k));
  return a.yields;
}

class EveryCell : public testing::TestWithParam<Table> {};

TEST_P(EveryCell, AgreesWithTheVelocityFormulation) {
  expect_agreement(build(GetParam(), nullptr, nullptr), true, greatest_impact(GetParam()));
}

TEST_P(EveryCell, AgreesUnderEveryLawOnEveryFreeCoordinate) {
  const Table& table = GetParam();
  Random random(7);
  const Pair pair = meeting(table, random);
  for (const Coordinate& coordinate : table.coordinates) {
    const bool length_or_angle = coordinate.row.unit() != joint::Unit::one;
    if (!length_or_angle || !is_free(table, coordinate, pair)) continue;
    for (const law::Type* type : law::types()) {
      if (type->follows_load) continue;  // not every joint has a reaction, see tests
      // an edge that has turned across what is held or driven leaves no way to go
      if (table.name == "knife-edge" && (type->name == "driven" || type->name == "locked"))
        continue;
      SCOPED_TRACE(std::string(type->name) + " on " + coordinate.name);
      const bool smooth = type->name == "locked" || type->name == "driven" ||
                          type->name == "spring" || type->name == "actuator";
      expect_agreement(build(table, &coordinate, type), smooth, greatest_impact(table));
    }
  }
}

/// A lock that carries some of what it would have to: it yields, and recovers or not.
TEST_P(EveryCell, AgreesWhereALockYields) {
  const Table& table = GetParam();
  Random random(7);
  const Pair pair = meeting(table, random);
  for (const Coordinate& coordinate : table.coordinates) {
    if (coordinate.row.unit() == joint::Unit::one || !is_free(table, coordinate, pair)) continue;
    SCOPED_TRACE(coordinate.name);
    long yields = 0;
    for (const double most : {1., 0.1, 0.005})  // [N, N m]
      yields += expect_agreement(build(table, &coordinate, law::find_type("locked"), most), false,
                                 greatest_impact(table));
    EXPECT_GT(yields, 0);
  }
}

std::string table_name(const testing::TestParamInfo<Table>& info) {
  return joint::test::plain(info.param.name);
}
INSTANTIATE_TEST_SUITE_P(Tables, EveryCell, testing::ValuesIn(joint::test::all_tables()),
                         table_name);

}  // namespace
}  // namespace trammel::form::agreement_test
