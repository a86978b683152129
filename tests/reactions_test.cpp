// Reactions against statics and steady motion: in the stated frame, at the stated point, with sign.
// Tolerances are rounding over a step (1e-9 of the load) unless they say otherwise.
#include <fmt/core.h>

#include "support.h"

namespace trammel::acceptance::reactions_test {
namespace {

constexpr double kG = 9.81;

void record(const char* name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

/// What end A of the joint exerts on end B, over the last step.
model::Reaction reaction(const sim::Simulation& sim, const std::string& joint_name) {
  return sim.formulation().reaction(static_cast<std::size_t>(sim.model().find_joint(joint_name)));
}

void expect_vector(const Vec3& got, const Vec3& want, double tolerance) {
  EXPECT_LE((got - want).norm(), tolerance)
      << fmt::format("({:.12g}, {:.12g}, {:.12g})", got.x(), got.y(), got.z());
}

TEST(Reactions, CantileverCarriesItsWeightAtADistance) {
  // 10 kg, centre 0.5 m out along x; a load of 7 N down and 2 N along y at the tip, 1 m out
  const Mat3 oblique = Eigen::AngleAxisd(1.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  model::Builder b;
  b.add_body(box("beam", {1, 0.1, 0.1}, 10, {Vec3(0.5, 0, 0)}));
  b.add_joint(joint("wall", "fixed", "ground", "beam", {Vec3::Zero(), oblique}));
  model::LoadSpec tip;
  tip.name = "tip";
  tip.body = "beam";
  tip.point = {0.5, 0, 0};
  tip.value = {0, 2, -7};
  b.add_load(tip);
  Simulation sim(built(b), settings(0.05, 1e-3));
  run(sim);
  // on the beam: force up; torque about -y holds it up, about -z holds it back
  const Vec3 force(0, -2, 10 * kG + 7), torque(0, -(10 * kG * 0.5 + 7), -2);
  const model::Reaction r = reaction(sim, "wall");
  expect_vector(oblique * r.force, force, 1e-7);
  expect_vector(oblique * r.torque, torque, 1e-7);
}

TEST(Reactions, TheOtherWayRoundTheSignTurns) {  // the ground as end B
  model::Builder b;
  b.add_body(box("beam", {1, 0.1, 0.1}, 10, {Vec3(0.5, 0, 0)}));
  b.add_joint(joint("wall", "fixed", "beam", "ground", {Vec3::Zero()}));
  Simulation sim(built(b), settings(0.05, 1e-3));
  run(sim);
  const model::Reaction r = reaction(sim, "wall");
  expect_vector(r.force, {0, 0, -10 * kG}, 1e-7);
  expect_vector(r.torque, {0, 10 * kG * 0.5, 0}, 1e-7);
}

TEST(Reactions, HangingChainCarriesWhatIsBelow) {
  constexpr int n = 8;
  model::Builder b;
  for (int i = 0; i < n; ++i) {
    const std::string name = "link" + std::to_string(i);
    b.add_body(box(name, {0.05, 0.05, 1}, 2.5, {Vec3(0, 0, -i - 0.5)}));
    b.add_joint(joint("ball" + std::to_string(i), "spherical",
                      i ? "link" + std::to_string(i - 1) : "ground", name, {Vec3(0, 0, -i)}));
  }
  Simulation sim(built(b), settings(0.1, 1e-3));
  run(sim);
  for (int i = 0; i < n; ++i) {
    const model::Reaction r = reaction(sim, "ball" + std::to_string(i));
    expect_vector(r.force, {0, 0, (n - i) * 2.5 * kG}, 1e-7);
    expect_vector(r.torque, Vec3::Zero(), 1e-7);
  }
}

TEST(Reactions,
     BeamOnTwoSupports) {  // 3 m long, 30 kg, pinned at x = 0, resting at x = 2; 50 N at the end
  model::Builder b;
  b.add_body(box("beam", {3, 0.1, 0.1}, 30, {Vec3(1.5, 0, 0)}));
  b.add_joint(joint("pin", "revolute", "ground", "beam", frame(Vec3::Zero(), Vec3::UnitY())));
  b.add_joint(joint("rest", "point-on-plane", "ground", "beam", frame({2, 0, 0}, Vec3::UnitZ())));
  model::LoadSpec end;
  end.name = "end";
  end.body = "beam";
  end.point = {1.5, 0, 0};
  end.value = {0, 0, -50};
  b.add_load(end);
  Simulation sim(built(b), settings(0.1, 1e-3));
  run(sim);
  const double right = (30 * kG * 1.5 + 50 * 3) / 2, left = 30 * kG + 50 - right;
  const model::Reaction pin = reaction(sim, "pin"), rest = reaction(sim, "rest");
  const Mat3 R = frame(Vec3::Zero(), Vec3::UnitY()).R;
  expect_vector(R * pin.force, {0, 0, left}, 1e-7);
  expect_vector(pin.torque, Vec3::Zero(), 1e-7);
  expect_vector(rest.force, {right, 0, 0}, 1e-7);  // along the plane's normal, the frame's x
}

TEST(Reactions, SpringAndMotorOfAJointCount) {  // they are laws between the same two bodies
  model::Builder b;
  b.add_body(solid("mass", 2, {1, 1, 1}));
  b.add_joint(joint("slide", "prismatic", "ground", "mass", frame(Vec3::Zero(), Vec3::UnitZ())));
  b.add_law(law("spring", "spring", "slide", "travel",
                {{"stiffness", 400}, {"rest", 2 * kG / 400}}));  // carries the weight at zero
  Simulation sim(built(b), settings(0.05, 1e-3));
  run(sim);
  expect_vector(reaction(sim, "slide").force, {2 * kG, 0, 0}, 1e-7);
}

TEST(Reactions, SteadyCircleNeedsTheCentripetalForce) {  // 2 kg at 0.8 m, 5 rad/s: 40 N inwards
  model::Builder b;
  b.gravity.setZero();
  auto body = solid("mass", 2, {0.1, 0.1, 0.1}, {Vec3(0.8, 0, 0)});
  body.v = {0, 4, 0};
  body.w = {0, 0, 5};
  b.add_body(body);
  b.add_joint(joint("pivot", "revolute", "ground", "mass", frame(Vec3::Zero(), Vec3::UnitZ())));
  Simulation sim(built(b), settings(1, 1e-3));
  double size = 0, direction = 0;
  const Mat3 R = frame(Vec3::Zero(), Vec3::UnitZ()).R;
  run(sim, [&] {
    const Vec3 f = R * reaction(sim, "pivot").force;
    size = std::max(size, std::abs(f.norm() - 40));
    direction = std::max(direction, (f / 40 + pose(sim, "mass").p / 0.8).norm());
  });
  record("force", size);
  record("direction", direction);
  EXPECT_LE(size, 40 * 25e-6);            // truncation: (w h)^2
  EXPECT_LE(direction, 5e-3 / 2 * 1.01);  // a mean over the step: half a step of turn behind
}

TEST(Reactions, PendulumAtTheBottomPullsThreefold) {  // from horizontal: m g + m v^2 / l = 3 m g
  model::Builder b;
  b.add_body(solid("mass", 1, {1, 1, 1}, {Vec3::UnitX()}));
  auto rod = joint("rod", "distance", "ground", "mass", {});
  rod.at.reset();
  rod.frame_a = rod.frame_b = Pose{};
  b.add_joint(rod);
  Simulation sim(built(b), settings(1, 1e-3));
  double most = 0;
  run(sim, [&] { most = std::max(most, reaction(sim, "rod").force.norm()); });
  EXPECT_NEAR(most, 3 * kG, 1e-4);  // truncation and sampling
}

TEST(Reactions, RedundantRowsShareByLeastNorm) {
  // a box on two pins along y at rest: the line of the pins is determined twice, and nothing pulls
  // there
  model::Builder b;
  b.add_body(box("bar", {0.1, 0.1, 1}, 2, {Vec3(0, 0, -0.25)}));
  b.add_joint(joint("left", "spherical", "ground", "bar", {Vec3(0, 0.05, 0)}));
  b.add_joint(joint("right", "spherical", "ground", "bar", {Vec3(0, -0.05, 0)}));
  Simulation sim(built(b), settings(0.1, 1e-3));
  run(sim);
  for (const char* pin : {"left", "right"})
    expect_vector(reaction(sim, pin).force, {0, 0, kG},
                  1e-5);  // rounding / eps of the redundant row
}

TEST(Reactions, MovingRedundantLoopPullsOnlyInItsPlane) {
  // a hanging parallelogram with spatial revolutes, in an oblique plane, swinging
  const Mat3 tilt = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Mat3 lean = Eigen::AngleAxisd(M_PI / 4, Vec3::UnitY()).toRotationMatrix();
  const Vec3 moments(1e-3, 1. / 12, 1. / 12), top = lean.col(0);
  model::Builder b;
  b.gravity = tilt * Vec3(0, 0, -kG);
  for (const double x : {0., 1.})
    b.add_body(solid(x > 0 ? "right" : "left", 1, moments,
                     Pose{Vec3::Zero(), tilt} * Pose{Vec3(x, 0, 0) + 0.5 * top, lean}));
  b.add_body(solid("coupler", 1, moments, Pose{Vec3::Zero(), tilt} * Pose{top + Vec3(0.5, 0, 0)}));
  const auto hinge = [&](const char* name, const char* a, const char* c, const Vec3& p) {
    b.add_joint(joint(name, "revolute", a, c, frame(tilt * p, tilt * Vec3::UnitY())));
  };
  hinge("A", "ground", "left", Vec3::Zero());
  hinge("B", "ground", "right", Vec3::UnitX());
  hinge("C", "left", "coupler", top);
  hinge("D", "right", "coupler", top + Vec3::UnitX());
  Simulation sim(built(b), settings(1, 1e-3));
  double across = 0, in_plane = 0;
  run(sim, [&] {
    for (const char* name : {"A", "B", "C", "D"}) {
      const model::Reaction r = reaction(sim, name);  // x: across the plane
      across = std::max({across, std::abs(r.force.x()), r.torque.norm()});
      in_plane = std::max(in_plane, r.force.norm());
    }
  });
  record("across", across);
  EXPECT_EQ(sim.summary().fallbacks, 0);
  EXPECT_LE(across, 1e-4);  // rounding / eps
  EXPECT_NEAR(in_plane, 21.6, 0.5);
}

/// Whether the first joint is on the ground or between bodies: what comes from outside is counted
/// by each joint itself.
TEST(Reactions, WhicheverJointComesFirst) {
  for (const bool ground_first : {true, false})
    for (const auto formulation :
         {form::Settings::Formulation::velocity, form::Settings::Formulation::acceleration}) {
      model::Builder b;
      for (int i = 0; i < 2; ++i)
        b.add_body(box(i ? "lower" : "upper", {1, 0.1, 0.1}, 1, {Vec3(0.5 + i, 0, 0)}));
      const auto top = joint("top", "spherical", "ground", "upper", frame(Vec3::Zero())),
                 elbow =
                     joint("elbow", "revolute", "upper", "lower", frame({1, 0, 0}, Vec3::UnitY()));
      b.add_joint(ground_first ? top : elbow);
      b.add_joint(ground_first ? elbow : top);
      form::Settings form;
      form.formulation = formulation;
      Simulation sim(built(b), settings(0.5, 1e-3, form));
      run(sim);  // momenta are looked at as it ends
      EXPECT_GT(velocity(sim, "lower").first.norm(), 1);
    }
}

}  // namespace
}  // namespace trammel::acceptance::reactions_test
