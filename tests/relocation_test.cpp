// A wagon rolls from a track on the ground onto one that lies on a turntable, while running.
#include "model/ledger.h"
#include "sim/checkpoint.h"
#include "track_support.h"

namespace trammel::acceptance::relocation_test {
namespace {

using Formulation = form::Settings::Formulation;

/// A wagon at 3 m/s on a straight track along x, a turntable at x = 10 m with 8 m of track, which a
/// moment turns from 2.5 s on. `on` says on which of both its joint is at the start.
model::Built yard(const std::string& on, double x) {
  model::Builder b;
  b.gravity = Vec3(0, 0, -9.81);
  model::BodySpec wagon = box("wagon", {2, 1, 1}, 500, {Vec3(x, 0, 0)});
  wagon.v.x() = 3;
  b.add_body(wagon);
  b.add_body(box("table", {8, 8, 0.5}, 4000, {Vec3(10, 0, 0)}));
  b.add_joint(joint("pivot", "revolute", "ground", "table", frame({10, 0, 0}, Vec3::UnitZ())));
  b.add_track(
      {"approach", "",
       std::make_shared<track::Track>("approach", std::make_shared<geom::Line>(Pose{}, 12))});
  b.add_track({"bridge", "",
               std::make_shared<track::Track>("bridge", std::make_shared<geom::Line>(Pose{}, 8))});
  const Pose on_table{Vec3(-4, 0, 0), Mat3::Identity()};  // its middle is the pivot
  auto ride = joint("ride", "track", on == "approach" ? "ground" : "table", "wagon", {});
  ride.at.reset();
  ride.track = on;
  ride.frame_a = on == "approach" ? Pose{} : on_table;
  ride.frame_b = Pose{};
  b.add_joint(ride);
  model::LaidTrackSpec bridge{"deck", "", "bridge", "table", on_table};
  b.add_laid_track(bridge);
  model::LoadSpec turn;
  turn.name = "turn";
  turn.body = "table";
  turn.type = "torque";
  turn.value[2] = Signal::function([](double t) { return Jet{t > 2.5 ? 2e4 * (t - 2.5) : 0}; });
  b.add_load(turn);
  return built(b);
}

sim::Settings settings_for(Formulation formulation, double duration) {
  sim::Settings s = settings(duration, 1e-3);
  s.form.formulation = formulation;
  s.form.joint_stiffness = law::kInf;
  return s;
}

/// At x = 8 m, two metres onto the table, the wagon is taken over: s = 8 of the approach is 2 of
/// the bridge.
void run_over(Simulation& sim) {
  while (sim.state().t < 2 - 1e-9) ASSERT_TRUE(sim.advance()) << sim.failure();
  EXPECT_NEAR(sim.state().s[0], 8, 1e-9);
  sim.relocate(sim.model().find_joint("ride"), sim.model().find_laid_track("deck"),
               sim.state().s[0] - 6);
}

TEST(Relocation, AWagonRollsOntoATurntable) {
  for (const Formulation f :
       {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
    SCOPED_TRACE(name_of(f));
    Simulation sim(yard("approach", 2), settings_for(f, 3.5));
    ASSERT_NO_FATAL_FAILURE(run_over(sim));
    EXPECT_NEAR(velocity(sim, "wagon").first.x(), 3, 1e-9);
    run(sim);
    // the same wagon with its joint on the table from the start, as far along
    model::Built there = yard("bridge", 8);
    there.state.t = 2;
    Simulation other(there, settings_for(f, 1.5));
    run(other);
    for (const char* body : {"wagon", "table"}) {
      EXPECT_LT((pose(sim, body).p - pose(other, body).p).norm(), 1e-8) << body;
      EXPECT_LT((pose(sim, body).R - pose(other, body).R).norm(), 1e-8) << body;
      EXPECT_LT((velocity(sim, body).second - velocity(other, body).second).norm(), 1e-7) << body;
    }
    EXPECT_GT(velocity(sim, "table").second.z(), 0.1);
    EXPECT_NEAR(velocity(sim, "wagon").second.z(), velocity(sim, "table").second.z(), 1e-6);
    EXPECT_LT(std::abs(sim.state().ledger[model::kImpacts]), 1e-9);  // it rolls on without a jolt
  }
}

TEST(Relocation, GoesOnFromACheckpoint) {
  const model::Built built = yard("approach", 2);
  const sim::Settings s = settings_for(Formulation::velocity, 3);
  Simulation sim(built, s);
  ASSERT_NO_FATAL_FAILURE(run_over(sim));
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(sim.advance());
  Simulation again(built, s);
  sim::from_bytes(sim::to_bytes(sim), again);
  EXPECT_EQ(again.mechanism().joints[1].object_A, again.model().find_object("table"));
  run(sim);
  run(again);
  EXPECT_EQ(sim::to_bytes(sim), sim::to_bytes(again));
}

/// A place that is not quite where the wagon stands is only where the search for it begins.
TEST(Relocation, TheArcLengthFollowsFromThePlace) {
  Simulation sim(yard("approach", 2), settings_for(Formulation::velocity, 2.4));
  while (sim.state().t < 2 - 1e-9) ASSERT_TRUE(sim.advance()) << sim.failure();
  const double before = sim.energy();
  sim.relocate(1, sim.model().find_laid_track("deck"), 2.1);
  run(sim);
  EXPECT_NEAR(pose(sim, "wagon").p.x(), 8 + 0.4 * 3, 1e-9);
  EXPECT_NEAR(sim.state().s[0], 2 + 0.4 * 3, 1e-9);
  EXPECT_NEAR(sim.energy(), before, 1e-6);
}

TEST(Relocation, WrongPlacesAreRefused) {
  Simulation sim(yard("approach", 2), settings_for(Formulation::velocity, 1));
  EXPECT_THROW(sim.relocate(0, 1, 1), std::invalid_argument);  // the pivot runs along nothing
  EXPECT_THROW(sim.relocate(1, 2, 1), std::invalid_argument);
  EXPECT_THROW(sim.relocate(1, 1, 8.5), std::invalid_argument);
  EXPECT_THROW(sim.relocate(9, 1, 1), std::invalid_argument);
  EXPECT_EQ(sim.state().laid[0], 0);
}

}  // namespace
}  // namespace trammel::acceptance::relocation_test
