#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "joint/table.h"
#include "math/rotation.h"
#include "model/builder.h"
#include "model/kinematics.h"
#include "model/reactions.h"

namespace trammel::model::equilibrium_test {
namespace {

constexpr double kG = 9.81, kDeg = std::numbers::pi / 180;

BodySpec block(const char* name, double mass, const Pose& X_WB = {}) {
  BodySpec b;
  b.name = name;
  b.mass = mass;
  b.inertia = {0.2, 0.3, 0.4, 0, 0, 0};
  b.X_WB = X_WB;
  return b;
}
JointSpec joint(const char* name, const char* type, const char* a, const char* b,
                const Pose& on_a = {}, const Pose& on_b = {}) {
  JointSpec j;
  j.name = name;
  j.type = type;
  j.a = a;
  j.b = b;
  j.frame_a = on_a;
  j.frame_b = on_b;
  return j;
}
LawSpec spring(const char* name, const char* joint, double stiffness, double rest = 0,
               const char* coordinate = "") {
  LawSpec l;
  l.name = name;
  l.type = "spring";
  l.joint = joint;
  l.coordinate = coordinate;
  l.numbers = {{"stiffness", stiffness}, {"rest", rest}, {"damping", 3}};
  return l;
}
/// x along `x`, as a joint's axis.
Pose along(const Vec3& x, const Vec3& p = Vec3::Zero()) {
  return {p, Quat::FromTwoVectors(Vec3::UnitX(), x).toRotationMatrix()};
}

Built built(const Builder& builder) {
  auto result = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    return {};
  }
  return std::get<Built>(std::move(result));
}
std::string refusal(const Builder& builder) {
  const auto result = builder.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&result);
  return problems && problems->size() == 1 ? problems->front().path + ": " + problems->front().text
                                           : "no single problem";
}
double found(const Built& b, const char* name) {
  for (const FoundCoordinate& c : b.start.coordinates)
    if (c.name == name) return c.value;
  ADD_FAILURE() << name;
  return 0;
}
EquilibriumSpec all() { return {}; }
EquilibriumSpec only(const char* joint, const char* coordinate = "") {
  return {{{joint, coordinate, ""}}};
}

TEST(Equilibrium, AMassHangsOnASpring) {
  Builder m;
  m.add_body(block("mass", 2));
  m.add_joint(
      joint("slide", "prismatic", "ground", "mass", along(Vec3::UnitZ()), along(Vec3::UnitZ())));
  m.add_law(spring("spring", "slide", 500, 0.1));
  for (const bool named : {false, true}) {
    m.equilibrium = named ? only("slide", "travel") : all();
    const Built b = built(m);
    ASSERT_TRUE(b.model);
    EXPECT_NEAR(found(b, "slide.travel"), 0.1 - 2 * kG / 500, 1e-12);
    EXPECT_NEAR(b.start.equilibrium.stiffness, 500, 1e-4);
    EXPECT_LE(b.start.equilibrium.residual, 1e-9);
    EXPECT_EQ(b.start.equilibrium.motions, 1);
    EXPECT_EQ(b.start.equilibrium.neutral, 0);
  }
}

/// k (a - rest) = m g l sin(a), solved here by bisection; a counts from the way down... upwards.
TEST(Equilibrium, APendulumLeansOnItsTorsionSpring) {
  const double mass = 3, l = 0.7, k = 25, rest = 60 * kDeg;
  Builder m;
  BodySpec bob = block("bob", mass);
  bob.com = {0, 0, l};
  m.add_body(bob);
  m.add_joint(joint("pivot", "revolute", "ground", "bob"));
  m.add_law(spring("spring", "pivot", k, rest));
  m.equilibrium = all();
  // about x from z towards -y: the weight's torque grows with sin(a)
  double lo = rest, hi = M_PI;
  for (int i = 0; i < 200; ++i) {
    const double a = (lo + hi) / 2;
    (k * (a - rest) < mass * kG * l * std::sin(a) ? lo : hi) = a;
  }
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  EXPECT_NEAR(found(b, "pivot.angle"), lo, 1e-10);
  EXPECT_GT(b.start.equilibrium.stiffness, 0);
}

/// Body, pitch and two axles of a car in the plane: the springs carry what the lever arms say.
Builder car() {
  Builder m;
  m.add_body(block("car", 1200));
  JointSpec hull =
      joint("hull", "planar", "ground", "car", along(Vec3::UnitY()), along(Vec3::UnitY()));
  m.add_joint(hull);
  const double x[] = {1.1, -1.5};
  const char *axle[] = {"front", "rear"}, *strut[] = {"strut_f", "strut_r"},
             *tyre[] = {"tyre_f", "tyre_r"};
  const double k[] = {30e3, 26e3};
  for (std::size_t i = 0; i < 2; ++i) {
    const Pose up = along(Vec3::UnitZ(), Vec3(x[i], 0, 0));
    m.add_body(block(axle[i], 40, {Vec3(x[i], 0, 0), Mat3::Identity()}));
    m.add_joint(joint(strut[i], "prismatic", "car", axle[i], up, along(Vec3::UnitZ())));
    m.add_law(spring((std::string("s") + axle[i]).c_str(), strut[i], k[i]));
    JointSpec t = joint(tyre[i], "point-on-plane", "ground", axle[i], along(Vec3::UnitZ()),
                        along(Vec3::UnitZ()));
    m.add_joint(t);
    LawSpec rubber = spring((std::string("t") + axle[i]).c_str(), tyre[i], 2e5, 0, "Ax.D");
    m.add_law(rubber);
  }
  return m;
}

TEST(Equilibrium, ACarStandsOnItsSuspension) {
  Builder m = car();
  m.equilibrium = all();
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  const Kinematics kin(*b.model, b.params);
  KinematicsCache at = kin.make_cache();
  kin.transforms(b.state.q.data(), 0, at);
  const auto height = [&](const char* name) {
    return at.T_WO[static_cast<std::size_t>(b.model->find_object(name))].p.z();
  };
  // tyres carry the loads that moments about the axles' feet give; pitch is small, not zero
  const Mat3 R = at.T_WO[static_cast<std::size_t>(b.model->find_object("car"))].A;
  const double xf = at.T_WO[static_cast<std::size_t>(b.model->find_object("front"))].p.x(),
               xr = at.T_WO[static_cast<std::size_t>(b.model->find_object("rear"))].p.x(),
               xc = at.T_WO[static_cast<std::size_t>(b.model->find_object("car"))].p.x();
  const double Ff = -2e5 * height("front"), Fr = -2e5 * height("rear");
  EXPECT_NEAR(Ff + Fr, 1280 * kG, 1e-6);
  EXPECT_NEAR(Ff * xf + Fr * xr, kG * (1200 * xc + 40 * (xf + xr)), 1e-6);
  // struts: along the car's own z the axle weighs, and the tyre pushes
  EXPECT_NEAR(-30e3 * found(b, "strut_f.travel"), -(Ff - 40 * kG) * R(2, 2), 1e-6);
  EXPECT_NEAR(-26e3 * found(b, "strut_r.travel"), -(Fr - 40 * kG) * R(2, 2), 1e-6);
  EXPECT_EQ(b.start.equilibrium.neutral, 1);  // it may stand anywhere along
}

/// The rest is held: of a double pendulum the second link alone goes to where it hangs.
TEST(Equilibrium, OtherCoordinatesAreHeld) {
  Builder m;
  BodySpec one = block("one", 1), two = block("two", 1);
  one.com = two.com = {0, 0, -0.5};
  m.add_body(one);
  m.add_body(two);
  m.add_body(block("apart", 1));  // and what no joint holds
  JointSpec first = joint("first", "revolute", "ground", "one");
  first.start = {{40 * kDeg}};
  first.rate = {{2}};
  m.add_joint(first);
  JointSpec second = joint("second", "revolute", "one", "two", {Vec3(0, 0, -1), Mat3::Identity()});
  second.start = {{-10 * kDeg}};
  m.add_joint(second);
  m.equilibrium = only("second");
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  EXPECT_NEAR(found(b, "first.angle"), 40 * kDeg, 1e-12);
  EXPECT_NEAR(found(b, "second.angle"), -40 * kDeg, 1e-10);
  EXPECT_EQ(b.start.equilibrium.motions, 1);
  // the first link keeps the rate that it is given, the second is at rest in its joint
  const Kinematics kin(*b.model, b.params);
  EXPECT_NEAR(b.state.P[3], 0.2 * 2, 1e-12);
  EXPECT_NEAR(b.state.P[9], 0.2 * 2, 1e-12);
}

/// In a loop: a hanging four-bar comes to rest where its coupler's weight is lowest, by symmetry in
/// the middle.
TEST(Equilibrium, AFourBarHangsInTheMiddle) {
  Builder m;
  const double top = 0.3, link = 0.5, a0 = 0.4;  // feet at +-top, coupler of 2 * 0.2
  const double half = 0.2;
  // written with the left link at a0 from straight down
  const Vec3 L(0, -top, 0), A = L + link * Vec3(0, std::sin(a0), -std::cos(a0));
  // right joint: at distance 2 half from A and link from (0, top, 0)
  const Vec3 Rf(0, top, 0), d = Rf - A;
  const double e = d.norm(), t = (4 * half * half + e * e - link * link) / (2 * e);
  const Vec3 n = d / e, down(0, n.z(), -n.y());
  const double s = std::sqrt(4 * half * half - t * t);
  const Vec3 B = A + t * n - s * down * (down.z() < 0 ? -1 : 1);
  const auto pose = [](const Vec3& from, const Vec3& to) {  // its -z points there
    const Vec3 z = (from - to).normalized();
    Mat3 R;
    R.col(0) = Vec3::UnitX();
    R.col(1) = z.cross(Vec3::UnitX());
    R.col(2) = z;
    return Pose{from, R};
  };
  BodySpec left = block("left", 1e-3, pose(L, A)), right = block("right", 1e-3, pose(Rf, B)),
           coupler = block("coupler", 5, pose(A, B));
  left.com = right.com = {0, 0, -link / 2};
  coupler.com = {0, 0, -half};
  for (const BodySpec& body : {left, right, coupler}) m.add_body(body);
  const Pose end{Vec3(0, 0, -link), Mat3::Identity()};
  m.add_joint(joint("l", "revolute", "ground", "left", {L, Mat3::Identity()}));
  m.add_joint(joint("r", "revolute", "ground", "right", {Rf, Mat3::Identity()}));
  m.add_joint(joint("a", "revolute", "left", "coupler", end));
  m.add_joint(
      joint("b", "revolute", "coupler", "right", {Vec3(0, 0, -2 * half), Mat3::Identity()}, end));
  m.equilibrium = only("l");
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  EXPECT_NEAR(found(b, "l.angle"), -found(b, "r.angle"), 1e-8);
  EXPECT_GT(b.start.equilibrium.stiffness, 0);
}

TEST(Equilibrium, WhatRestsOnAStopRestsThere) {
  Builder m;
  m.add_body(block("mass", 2));
  m.add_joint(
      joint("slide", "prismatic", "ground", "mass", along(Vec3::UnitZ()), along(Vec3::UnitZ())));
  m.add_law(spring("spring", "slide", 50));
  LawSpec stop;
  stop.name = "stop";
  stop.type = "limit";
  stop.joint = "slide";
  stop.numbers = {{"from", -0.2}};
  m.add_law(stop);
  m.equilibrium = all();
  EXPECT_NEAR(found(built(m), "slide.travel"), -0.2, 1e-9);  // by itself -0.39 m
  m.gravity = {0, 0, 3};
  EXPECT_NEAR(found(built(m), "slide.travel"), 2 * 3 / 50., 1e-11);  // and comes off it
}

/// An arm falls on its spring; nothing holds the wheel at its end, which does not turn with it, nor
/// the carriage, until its tyre has come down to the ground.
TEST(Equilibrium, AFreeWheelIsLeftAsItIs) {
  Builder m;
  const Pose about_y = along(Vec3::UnitY());
  m.add_body(block("carriage", 30, {{0, 0, 0.05}, Mat3::Identity()}));
  BodySpec arm = block("arm", 3, {{0, 0, 0.05}, Mat3::Identity()});
  arm.com = {0.3, 0, 0};
  m.add_body(arm);
  m.add_body(block("wheel", 5, {{0.6, 0, 0.05}, Mat3::Identity()}));
  m.add_joint(
      joint("rail", "prismatic", "ground", "carriage", along(Vec3::UnitZ()), along(Vec3::UnitZ())));
  m.add_joint(joint("hinge", "revolute", "carriage", "arm", about_y, about_y));
  m.add_joint(
      joint("axle", "revolute", "arm", "wheel", along(Vec3::UnitY(), {0.6, 0, 0}), about_y));
  m.add_law(spring("spring", "hinge", 60));
  LawSpec tyre = spring("tyre", "rail", 0);
  tyre.function = std::make_shared<law::ForceFunction>([](double x, double, double) {
    return x < 0 ? law::Force{-3e4 * x, -3e4, 0} : law::Force{};
  });
  m.add_law(tyre);
  m.equilibrium = all();
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  EXPECT_NEAR(found(b, "rail.travel"), -38 * kG / 3e4, 1e-9);
  EXPECT_GT(found(b, "hinge.angle"), 0.2);
  EXPECT_NEAR(found(b, "axle.angle"), -found(b, "hinge.angle"), 1e-6);  // rounding of stiffnesses
  EXPECT_EQ(b.start.equilibrium.neutral, 1);
  EXPECT_GT(b.start.equilibrium.stiffness, 10);  // of what is held
}

TEST(Equilibrium, FrictionAndBoundedMotorsTakeNoPartAndAreNamed) {
  Builder m;
  m.add_body(block("mass", 2));
  m.add_joint(
      joint("slide", "prismatic", "ground", "mass", along(Vec3::UnitZ()), along(Vec3::UnitZ())));
  m.add_law(spring("spring", "slide", 500));
  LawSpec rub;
  rub.name = "rub";
  rub.type = "friction";
  rub.joint = "slide";
  rub.numbers = {{"force", 100}};
  m.add_law(rub);
  m.equilibrium = all();
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  EXPECT_NEAR(found(b, "slide.travel"), -2 * kG / 500, 1e-12);
  EXPECT_EQ(b.start.equilibrium.left_out, std::vector<std::string>{"rub"});
}

TEST(EquilibriumMistakes, NothingHolds) {
  Builder m;
  m.add_body(block("mass", 2));
  m.equilibrium = all();
  const std::string text = refusal(m);
  EXPECT_NE(text.find("no static equilibrium found"), std::string::npos) << text;
  EXPECT_NE(text.find("body 'mass' is still pushed by 19.6 N"), std::string::npos) << text;
}

TEST(EquilibriumMistakes, Unstable) {
  Builder m;
  BodySpec bob = block("bob", 1);
  bob.com = {0, 0, 0.5};
  m.add_body(bob);
  m.add_joint(joint("pivot", "revolute", "ground", "bob"));
  m.equilibrium = all();
  const std::string text = refusal(m);
  EXPECT_NE(text.find("is unstable: body 'bob'"), std::string::npos) << text;
}

TEST(EquilibriumMistakes, VelocitiesOfBodies) {
  Builder m;
  BodySpec body = block("mass", 2);
  body.v = {1, 0, 0};
  m.add_body(body);
  m.add_joint(joint("slide", "prismatic", "ground", "mass"));
  m.equilibrium = all();
  EXPECT_NE(refusal(m).find("body.mass: body 'mass' is given a velocity"), std::string::npos)
      << refusal(m);
  m.equilibrium = only("slide");  // along x no force acts: it is where it is
  EXPECT_EQ(built(m).start.equilibrium.neutral, 1);
}

TEST(EquilibriumMistakes, NamesAndRates) {
  Builder m;
  m.add_body(block("mass", 2));
  JointSpec slide = joint("slide", "prismatic", "ground", "mass");
  m.add_joint(slide);
  m.equilibrium = only("slid", "travel");
  EXPECT_NE(refusal(m).find("there is no joint 'slid'; did you mean 'slide'?"), std::string::npos);
  m.equilibrium = only("slide", "travl");
  EXPECT_NE(refusal(m).find("no free coordinate 'travl'; did you mean 'travel'?"),
            std::string::npos);
  Builder moving;
  moving.add_body(block("mass", 2));
  slide.rate = {{1}};
  moving.add_joint(slide);
  moving.equilibrium = only("slide", "travel");
  EXPECT_NE(refusal(moving).find("in static equilibrium it is at rest"), std::string::npos);
}

}  // namespace
}  // namespace trammel::model::equilibrium_test
