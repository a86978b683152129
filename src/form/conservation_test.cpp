// Generated from the tables of joints and laws: two bodies free in space, joined by every joint,
// with every law on every coordinate that the joint leaves free. Nothing outside acts, so linear
// and angular momentum stay, whatever the joint and the law do.
#include <gtest/gtest.h>

#include <memory>

#include "form/test_pairs.h"
#include "form/velocity.h"
#include "model/ledger.h"

namespace trammel::form::conservation_test {
namespace {

using namespace test;

constexpr double kTime = 0.5, kMove = 0.1;  // [s]; [m, rad] that the joint must move at least

/// What a run has shown.
struct Outcome {
  double linear = 0, angular = 0;  // greatest change over the sizes that make up the sum
  double gap = 0, angle = 0, row_speed = 0;
  double energy = 0;             // greatest change not in the accounts [J]
  double scale = 1;              // kinetic energy at the start [J]
  double moved = 0, turned = 0;  // of the coordinate, or the freest one; of the bodies
};

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double size_linear = 0, size_angular = 0;
};

Momentum momentum(const model::Kinematics& kin, const model::State& state) {
  Momentum m;
  kin.momentum(state.q.data(), state.P.data(), m.linear, m.angular);
  for (std::size_t i = 0; i < state.q.size() / 7; ++i) {
    const Vec3 p = vec3(state.P.data() + 6 * i), l = vec3(state.P.data() + 6 * i + 3);
    m.size_linear += p.norm();
    m.size_angular += vec3(state.q.data() + 7 * i).norm() * p.norm() + l.norm();
  }
  return m;
}

double accounted(const model::State& state) {
  double sum = 0;
  for (std::size_t i = 0; i < state.ledger.size(); ++i)
    sum += i == model::kInitial ? 0 : state.ledger[i];
  return sum;
}

/// Values of the coordinates of the only joint.
std::vector<double> coordinates(const Velocity& form, const model::State& state,
                                const std::vector<Coordinate>& list) {
  std::vector<double> out;
  joint::Arc arc;
  if (!state.s.empty()) arc = {state.s[0], state.piece[0]};
  for (const Coordinate& c : list) {
    joint::Sample sample;
    joint::sample(form.kinematics().ends(0, form.now()), c.row.features(), 2, arc, sample);
    out.push_back(value(c.row, sample, arc));
  }
  return out;
}

Outcome run(const model::Built& built, const std::vector<Coordinate>& watched, double h) {
  Outcome out;
  if (!built.model) return out;
  model::State state = built.state;
  Velocity form(*built.model, built.params, {});
  EXPECT_TRUE(form.load(state));
  const Momentum start = momentum(form.kinematics(), state);
  const double energy = form.total_energy(state);
  const auto first = coordinates(form, state, watched);
  const Quat attitude(state.q[3], state.q[4], state.q[5], state.q[6]);
  out.scale = form.kinematics().kinetic_energy(state.P.data(), form.velocities().data());
  StepReport report;
  const int steps = static_cast<int>(std::lround(kTime / h));
  for (int k = 0; k < steps; ++k) {
    form.step(state, h, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason << " in step " << k;
    if (report.status != Status::ok) return out;
    EXPECT_FALSE(report.way.fallback);
    out.gap = std::max(out.gap, report.gap);
    out.angle = std::max(out.angle, report.angle);
    out.row_speed = std::max(out.row_speed, report.row_speed);
    const Momentum now = momentum(form.kinematics(), state);
    out.linear = std::max(out.linear, (now.linear - start.linear).norm() / start.size_linear);
    out.angular = std::max(out.angular, (now.angular - start.angular).norm() / start.size_angular);
    out.energy =
        std::max(out.energy, std::abs(form.total_energy(state) - energy - accounted(state)));
    const auto here = coordinates(form, state, watched);
    for (std::size_t i = 0; i < here.size(); ++i)
      out.moved = std::max(out.moved, std::abs(std::remainder(here[i] - first[i], 2 * M_PI)));
    const Quat q(state.q[3], state.q[4], state.q[5], state.q[6]);
    out.turned = std::max(out.turned, attitude.angularDistance(q));
  }
  return out;
}

/// sinks: what runs into a stop goes on for part of a step [m, rad].
void expect_conserved(const Outcome& r, double h, double sinks = 0) {
  EXPECT_LE(r.linear, 1e-12);
  EXPECT_LE(r.angular, 1e-12);
  EXPECT_LE(r.gap, 1e-10 + sinks);
  EXPECT_LE(r.angle, 1e-10 + sinks);
  EXPECT_LE(r.row_speed, 1e-10);
  EXPECT_LE(r.energy, 80 * h * h * r.scale);  // truncation of a scheme of order 2
}

class EveryJoint : public testing::TestWithParam<Table> {};

TEST_P(EveryJoint, ConservesMomentum) {
  constexpr double h = 1e-3;
  const Table& table = GetParam();
  const Outcome r = run(build(table, nullptr, nullptr), table.coordinates, h);
  expect_conserved(r, h);
  EXPECT_GE(table.coordinates.empty() ? r.turned : r.moved, kMove);
}

TEST_P(EveryJoint, ConservesMomentumUnderEveryLawOnEveryFreeCoordinate) {
  constexpr double h = 1e-3;
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
      const bool locked = type->name == "locked";
      const Outcome r = run(build(table, &coordinate, type), {coordinate}, h);
      expect_conserved(r, h, type->name == "limit" ? 6 * h : 0);  // speeds up to 6 m/s
      // what holds, stops or brakes the coordinate, or rolling, leaves the bodies to move
      const bool held = locked || type->name == "limit" || type->name == "friction" ||
                        table.name.starts_with("rolling") || table.name == "knife-edge";
      EXPECT_GE(held ? r.turned : r.moved, kMove);
      EXPECT_TRUE(!locked || r.moved <= 1e-10) << r.moved;
    }
  }
}

std::string table_name(const testing::TestParamInfo<Table>& info) {
  return joint::test::plain(info.param.name);
}
INSTANTIATE_TEST_SUITE_P(Tables, EveryJoint, testing::ValuesIn(joint::test::all_tables()),
                         table_name);

}  // namespace
}  // namespace trammel::form::conservation_test
