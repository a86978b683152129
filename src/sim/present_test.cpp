// What programs see of a run while it runs, and what they do with it.
#include "sim/present.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "model/builder.h"

namespace trammel::sim::present_test {
namespace {

/// A ball of 2 kg, its frame 0.1 m below its centre, on a slide along z; pulled up by a signal.
model::Built lift(Signal force) {
  model::Builder b;
  model::BodySpec ball;
  ball.name = "ball";
  ball.mass = 2;
  ball.inertia = {0.1, 0.1, 0.1, 0, 0, 0};
  ball.com = {0, 0, 0.1};
  b.add_body(ball);
  model::JointSpec slide;
  slide.name = "slide";
  slide.type = "prismatic";
  slide.b = "ball";
  Mat3 up;
  up << 0, 1, 0, 0, 0, 1, 1, 0, 0;  // x along z
  slide.at = Pose{Vec3::Zero(), up};
  b.add_joint(slide);
  model::LawSpec spring;
  spring.name = "spring";
  spring.type = "spring";
  spring.joint = "slide";
  spring.coordinate = "travel";
  spring.numbers = {{"stiffness", 50}};
  b.add_law(spring);
  model::LoadSpec pull;
  pull.name = "pull";
  pull.body = "ball";
  pull.value[2] = std::move(force);
  b.add_load(pull);
  return std::get<model::Built>(b.build());
}

Settings settings(double duration) {
  Settings s;
  s.duration = duration;
  s.step = 1e-3;
  return s;
}

std::string complaint(auto&& ask) {
  try {
    ask();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing";
}

TEST(Present, ShowsBodiesJointsAndLaws) {
  Simulation sim(lift(2 * 9.81 + 10), settings(1));
  Present now(sim);
  while (!sim.finished() && sim.advance()) continue;
  const double w = 5, z = 0.2 * (1 - std::cos(w)), v = 0.2 * w * std::sin(w);  // x'' = 5 - 25 x
  EXPECT_NEAR(now.pose("ball").p.z(), z, 1e-5);
  EXPECT_NEAR(now.velocity("ball").z(), v, 1e-5);
  EXPECT_EQ(now.angular_velocity("ball"), Vec3::Zero());
  EXPECT_NEAR(now.coordinate("slide.travel"), z, 1e-5);
  EXPECT_NEAR(now.rate("slide.travel"), v, 1e-5);
  EXPECT_NEAR(now.force("spring"), -50 * z, 0.05);  // mean of the last step
  EXPECT_NEAR(now.reaction("slide").force.x(), -50 * z, 0.05);
  EXPECT_EQ(now.of("/bodies/position", "ball").size(), 3u);
}

TEST(Present, NamesWhatIsMeant) {
  Simulation sim(lift(1), settings(1));
  Present now(sim);
  EXPECT_EQ(complaint([&] { now.pose("bal"); }),
            "/bodies/position has no 'bal'; did you mean 'ball'?");
  EXPECT_EQ(complaint([&] { now.rate("slide.travl"); }),
            "/joints/rates has no 'slide.travl'; did you mean 'slide.travel'?");
  EXPECT_EQ(complaint([&] { now.of("/bodys/position", "ball"); }),
            "the simulation has no '/bodys/position'; did you mean '/bodies/position'?");
}

/// A controller of the program's own: between steps it looks, and sets what a signal gives.
TEST(Present, AControllerOfTheProgramsOwnHoldsAHeight) {
  double force = 0;
  Simulation sim(lift(Signal::function([&](double) { return Jet{force, 0, 0}; })), settings(5));
  Present now(sim);
  const double height = 0.3;
  while (!sim.finished()) {
    force = 400 * (height - now.coordinate("slide.travel")) - 60 * now.rate("slide.travel") +
            2 * 9.81 + 50 * height;
    ASSERT_TRUE(sim.advance()) << sim.failure();
  }
  EXPECT_NEAR(now.coordinate("slide.travel"), height, 1e-9);
  EXPECT_NEAR(now.force("spring"), -50 * height, 1e-6);
  for (const Warning& w : sim.warnings()) ADD_FAILURE() << name_of(w.kind) << ": " << w.text;
}

/// A simulation of a built mechanism whose state is that of another run goes on from there.
TEST(Simulation, BeginsAtTheStateThatItIsGiven) {
  model::Built built = lift(2 * 9.81 + 10);
  Simulation whole(built, settings(1)), first(built, settings(0.4));
  while (!whole.finished() && whole.advance()) continue;
  while (!first.finished() && first.advance()) continue;
  built.state = first.state();
  Simulation second(built, settings(0.6));
  while (!second.finished() && second.advance()) continue;
  EXPECT_NEAR(second.state().t, 1, 1e-12);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(second.state().q[i], whole.state().q[i], 1e-12);
  EXPECT_NEAR(second.summary().energy_residual, whole.summary().energy_residual, 1e-9);
}

TEST(Simulation, RefusesAStateThatIsNoneOfItsModel) {
  const model::Built built = lift(1);
  model::Built other = built;
  other.state.q.push_back(0);
  EXPECT_EQ(complaint([&] { Simulation(other, settings(1)); }),
            "state.q: has 8 numbers where the model takes 7");
  other = built;
  other.state.P[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint([&] { Simulation(other, settings(1)); }),
            "body.ball: the momentum of body 'ball' at the start is not finite (state.P[2] is "
            "nan): a number that it follows from is none, or too large");
}

}  // namespace
}  // namespace trammel::sim::present_test
