// The builder: a sound mechanism is built, everything wrong with another is said at once.
#include "model/constraint_specs.h"
#include "model/test_scene.h"

namespace trammel::model::test::builder_test {
namespace {

TEST(Builder, BuildsTheSoundScene) {
  const Result result = Scene().build();
  for (const Problem& p : problems(result)) ADD_FAILURE() << p.path << ": " << p.text;
}

TEST(Builder, SaysEverythingWrongAtOnce) {
  Scene scene;
  scene.crank.mass = -1;
  scene.rod.density = 0;
  scene.hinge.type = "hinge";
  scene.spring.numbers = {{"damping", -2}};
  scene.spring.joint = "ball";
  scene.spring.coordinate = "roll";
  scene.push.body = "nobody";
  EXPECT_EQ(problems(scene.build()).size(), 5u);
}

TEST(Builder, HandlesAndParametersNameTheirThings) {
  Scene scene;
  scene.more_bodies = {turntable()};
  const Result result = scene.build();
  const Built& built = std::get<Built>(result);
  const Model& m = *built.model;
  EXPECT_EQ(m.objects[0].name, "ground");
  for (const char* name : {"ground", "crank", "rod", "car", "turntable"}) {
    const int i = m.find_object(name);
    ASSERT_GE(i, 0) << name;
    EXPECT_EQ(m.objects[static_cast<std::size_t>(i)].name, name);
  }
  EXPECT_EQ(m.find_object("nobody"), -1);
  const auto param = [&](const char* name) {
    const int i = m.find_param(name);
    return i < 0 ? kNan : built.params.values[static_cast<std::size_t>(i)];
  };
  EXPECT_EQ(param("gravity.z"), -9.81);
  EXPECT_EQ(param("body.crank.mass"), 1);
  EXPECT_EQ(param("body.crank.Iyz"), 0.01);
  EXPECT_NEAR(param("body.rod.mass"), 500 * M_PI * 0.05 * 0.05, 1e-14);
  EXPECT_EQ(param("law.spring.stiffness"), 10);
  EXPECT_EQ(m.find_param("law.spring.stifness"), -1);
}

/// Bodies of three kinds added in turn, laws before their joints: the model has another order.
TEST(Builder, HandlesSayWhatWasAddedInWhateverOrder) {
  const Scene s;
  Builder b;
  b.add_track(s.line);
  std::map<std::string, BodyHandle> bodies;
  const auto add_pool = [&] {
    const PoolSpec pool = two_bodies();
    const auto handles = b.add_pool(pool);
    ASSERT_EQ(handles.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) bodies[pool.objects[i]] = handles[i];
  };
  BodySpec table = turntable(), lift = turntable();
  lift.name = "lift";
  for (const BodySpec& body : {table, s.crank}) bodies[body.name] = b.add_body(body);
  add_pool();
  for (const BodySpec& body : {s.rod, lift, s.car}) bodies[body.name] = b.add_body(body);
  std::map<std::string, LawHandle> laws;
  const auto add_law = [&](const char* name, const char* joint, const char* coordinate) {
    LawSpec law = s.spring;
    law.name = name;
    law.joint = joint;
    law.coordinate = coordinate;
    laws[name] = b.add_law(law);
  };
  add_law("last", "ball", "roll");
  add_law("own", "hinge", "Az.D");
  std::map<std::string, JointHandle> joints;
  for (const JointSpec& joint : {s.hinge, s.ride, s.ball}) joints[joint.name] = b.add_joint(joint);
  add_law("first", "hinge", "angle");

  const Result result = b.build();
  for (const Problem& p : problems(result)) FAIL() << p.path << ": " << p.text;
  const Model& m = *std::get<Built>(result).model;
  ASSERT_EQ(bodies.size(), 7u);
  for (const auto& [name, handle] : bodies)
    EXPECT_EQ(m.object(handle), m.find_object(name)) << name;
  for (const auto& [name, handle] : joints) EXPECT_EQ(m.joint(handle), m.find_joint(name)) << name;
  for (const auto& [name, handle] : laws) EXPECT_EQ(m.law(handle), m.find_law(name)) << name;
}

TEST(Builder, BlocksFollowEachOther) {
  Scene s;
  s.more_pools = {two_bodies()};
  const Result result = s.build();
  ASSERT_TRUE(std::holds_alternative<Built>(result));
  const Model& m = *std::get<Built>(result).model;
  ASSERT_EQ(m.blocks.size(), 5u);
  int q = 0, v = 0;
  for (const Block& b : m.blocks) {
    EXPECT_EQ(b.q, q);
    EXPECT_EQ(b.v, v);
    EXPECT_EQ(b.n, 6);
    q += 7;
    v += 6;
  }
  EXPECT_EQ(m.n_q, q);
  EXPECT_EQ(m.n_u, v);
}

TEST(Builder, HandlesOfAnotherMechanismAndNullOnesAreFoundOut) {
  const Scene s;
  Builder other, b;
  const BodyHandle strange = other.add_body(s.car);
  const BodyHandle own = b.add_body(s.crank);
  const JointHandle hinge = b.add_joint(s.hinge), strange_hinge = other.add_joint(s.hinge);
  const LawHandle strange_law = other.add_law(s.spring), law = b.add_law(s.spring);
  const Result result = Builder(b).build();  // a copy goes on with the same handles
  const Model& m = *std::get<Built>(result).model;
  EXPECT_EQ(m.object(own), 1);
  EXPECT_EQ(m.joint(hinge), 0);
  EXPECT_EQ(m.law(law), m.find_law("spring"));
  EXPECT_EQ(m.object(strange), -1);
  EXPECT_EQ(m.joint(strange_hinge), -1);
  EXPECT_EQ(m.law(strange_law), -1);
  EXPECT_EQ(m.object({}), -1);
  EXPECT_EQ(m.joint({}), -1);
  EXPECT_EQ(m.law({}), -1);
}

/// It follows the value and the rate; the integral, which a function has not, is never asked for.
TEST(Builder, MotorsMayFollowAFunction) {
  Scene scene;
  scene.spring.type = "motor";
  scene.spring.numbers = {};
  scene.spring.drive = Drive{Drive::Level::velocity, wave()};
  const Result result = scene.build();
  for (const Problem& p : problems(result)) FAIL() << p.path << ": " << p.text;
  const Built& b = std::get<Built>(result);
  ConstraintSpecs specs(*b.model, b.params);
  specs.at(0.7);
  const auto law = static_cast<std::size_t>(b.model->find_law("spring"));
  const law::ConstraintSpec& d = specs[static_cast<std::size_t>(b.model->laws[law].row)];
  EXPECT_EQ(d.target.v, 0.7);
  EXPECT_EQ(d.target.a, 1);
}

/// Together they can be: only laws that hold exclude each other.
TEST(Builder, ACoordinateMayHaveSeveralLaws) {
  Scene scene;
  LawSpec motor = scene.spring, brake = scene.spring;
  motor.name = "motor";
  motor.type = "motor";
  motor.drive = Drive{Drive::Level::velocity, 1};
  motor.numbers = {{"force_max", 5}};
  brake = motor;
  brake.name = "brake";
  LawSpec lock = scene.spring;
  lock.name = "lock";
  lock.type = "locked";
  lock.numbers = {};
  scene.more_laws = {motor, brake, lock};
  for (const Problem& p : problems(scene.build())) ADD_FAILURE() << p.path << ": " << p.text;
}

TEST(Builder, SolidsHaveTheirTextbookInertia) {
  const auto inertia = [](Solid solid) {
    Scene scene;
    scene.rod.density.reset();
    scene.rod.mass = 3;
    scene.rod.solid = solid;
    const Result result = scene.build();
    const Built& b = std::get<Built>(result);
    const auto first = static_cast<std::size_t>(b.model->find_param("body.rod.Ixx"));
    return VecX(Eigen::Map<const VecX>(b.params.values.data() + first, 6));
  };
  const auto six = [](double a, double b, double c) {
    VecX v(6);
    v << a, b, c, 0, 0, 0;
    return v;
  };
  EXPECT_NEAR((inertia({Solid::Kind::box, {1, 2, 3}}) - six(13, 10, 5) / 4).norm(), 0, 1e-14);
  EXPECT_NEAR((inertia({Solid::Kind::sphere, {2, 0, 0}}) - six(4.8, 4.8, 4.8)).norm(), 0, 1e-14);
  EXPECT_NEAR((inertia({Solid::Kind::cylinder, {2, 4, 0}, {3, 0, 0}}) - six(6, 7, 7)).norm(), 0,
              1e-14);
}

TEST(Builder, FramesMaySitOnOneBodyOnly) {
  Scene scene;
  scene.hinge.at.reset();
  scene.hinge.frame_b = Pose{Vec3(-0.5, 0, 0), Mat3::Identity()};
  const Result result = scene.build();
  ASSERT_TRUE(std::holds_alternative<Built>(result));
  const Joint& hinge = std::get<Built>(result).model->joints[0];
  EXPECT_EQ(hinge.X_OA.p.norm(), 0);
}

}  // namespace
}  // namespace trammel::model::test::builder_test
