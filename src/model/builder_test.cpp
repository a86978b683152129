// The builder's rules: each broken once, in a mechanism that is sound without that.
#include "model/builder.h"

#include <gtest/gtest.h>

#include <functional>

#include "geom/basic.h"
#include "math/rotation.h"

namespace trammel::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = law::kInf;

/// A crank on a hinge with a spring, a rod on a ball joint at its end with a force, a car on a
/// track.
struct Scene {
  Builder options;
  BodySpec crank, rod, car;
  JointSpec hinge, ball, ride;
  LawSpec spring;
  LoadSpec push;
  TrackSpec line;
  std::vector<BodySpec> more_bodies;
  std::vector<JointSpec> more_joints;
  std::vector<LawSpec> more_laws;

  Scene() {
    crank.name = "crank";
    crank.mass = 1;
    crank.inertia = {0.1, 0.2, 0.25, 0, 0, 0.01};
    crank.X_WB.p = {0.5, 0, 0};
    rod.name = "rod";
    rod.density = 500;
    rod.solid = Solid{Solid::Kind::cylinder, Vec3(0.05, 1, 0)};
    rod.X_WB.p = {1, 0, -0.5};
    car = crank;
    car.name = "car";
    car.X_WB = {};
    car.on_track = OnTrack{"line", 5, 2, false};
    hinge.name = "hinge";
    hinge.type = "revolute";
    hinge.b = "crank";
    hinge.at = Pose{};
    ball.name = "ball";
    ball.type = "spherical";
    ball.a = "crank";
    ball.b = "rod";
    ball.at = Pose{Vec3(1, 0, 0), Mat3::Identity()};
    ride.name = "ride";
    ride.type = "track";
    ride.b = "car";
    ride.track = "line";
    spring.name = "spring";
    spring.type = "spring";
    spring.joint = "hinge";
    spring.coordinate = "angle";
    spring.numbers = {{"stiffness", 10}};
    push.name = "push";
    push.body = "rod";
    push.value[0] = 3;
    line.name = "line";
    line.track = std::make_shared<track::Track>("line", std::make_shared<geom::Line>(Pose{}, 20));
  }
  auto build() const {
    Builder b = options;
    for (const BodySpec& s : {crank, rod, car}) b.add_body(s);
    for (const BodySpec& s : more_bodies) b.add_body(s);
    for (const JointSpec& s : {hinge, ball, ride}) b.add_joint(s);
    for (const JointSpec& s : more_joints) b.add_joint(s);
    b.add_law(spring);
    for (const LawSpec& s : more_laws) b.add_law(s);
    b.add_load(push);
    b.add_track(line);
    return b.build();
  }
};

BodySpec turntable() {
  BodySpec s;
  s.name = "turntable";
  s.motion = body::Prescribed{};
  return s;
}

JointSpec joint_between(const char* name, const char* type, const char* a, const char* b) {
  JointSpec s;
  s.name = name;
  s.type = type;
  s.a = a;
  s.b = b;
  s.at = Pose{};
  return s;
}

RowSpec row(const char* name) {
  RowSpec s;
  s.row = name;
  s.path = "joint.ride.rows.lateral";
  return s;
}

struct Wrong {
  const char* name;
  std::function<void(Scene&)> spoil;
  const char *path, *text;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

const Wrong kWrong[] = {
    // bodies
    {"MassZero", [](Scene& s) { s.crank.mass = 0; }, "body.crank.mass",
     "body 'crank': the mass must be positive, not 0 kg"},
    {"MassNan", [](Scene& s) { s.crank.mass = kNan; }, "body.crank.mass",
     "must be positive, not nan"},
    {"MassInfinite", [](Scene& s) { s.crank.mass = kInf; }, "body.crank.mass", "not inf kg"},
    {"NoInertia", [](Scene& s) { s.crank.inertia.reset(); }, "body.crank",
     "body 'crank' needs an inertia or a solid"},
    {"InertiaNegative", [](Scene& s) { (*s.crank.inertia)[0] = -1; }, "body.crank.inertia",
     "the inertia is not positive"},
    {"InertiaOfNoBody", [](Scene& s) { (*s.crank.inertia)[0] = 9; }, "body.crank.inertia",
     "the largest principal moment exceeds the sum of the others"},
    {"InertiaNan", [](Scene& s) { (*s.crank.inertia)[4] = kNan; }, "body.crank.inertia",
     "the inertia is not finite"},
    {"SolidFlat", [](Scene& s) { s.rod.solid->size[1] = 0; }, "body.rod",
     "body 'rod': a solid's sizes must be positive, not 0 m"},
    {"CylinderWithoutAxis", [](Scene& s) { s.rod.solid->axis.setZero(); }, "body.rod",
     "the cylinder's axis is zero"},
    {"DensityWithoutSolid", [](Scene& s) { s.crank.density = 1; }, "body.crank.density",
     "a density needs a solid"},
    {"DensityNegative", [](Scene& s) { s.rod.density = -2; }, "body.rod.density",
     "the density must be positive, not -2 kg/m^3"},
    {"BodyWithoutName",
     [](Scene& s) {
       s.more_bodies = {s.car};
       s.more_bodies[0].name = "";
       s.more_bodies[0].path = "here";
     },
     "here.name", "a body needs a name"},
    {"BodyTwice",
     [](Scene& s) {
       s.more_bodies = {s.car};
       s.more_bodies[0].name = "rod";
     },
     "body.rod.name", "the name 'rod' is taken by another body"},
    {"BodyCalledGround",
     [](Scene& s) {
       s.more_bodies = {s.car};
       s.more_bodies[0].name = "ground";
     },
     "body.ground.name", "the name 'ground' is taken"},
    {"StartNotFinite", [](Scene& s) { s.rod.v[1] = kInf; }, "body.rod", "its start is not finite"},
    {"OnUnknownTrack", [](Scene& s) { s.car.on_track->track = "lime"; }, "body.car.on_track",
     "there is no track 'lime'; did you mean 'line'?"},
    {"OffTheTrack", [](Scene& s) { s.car.on_track->s = 21; }, "body.car.on_track",
     "body 'car' stands at s = 21 m, off the track 'line' of 20 m"},
    // joints
    {"JointType",
     [](Scene& s) {
       s.hinge.type = "revolut";
       s.spring.joint = "hinge";
     },
     "joint.hinge.type", "there is no joint 'revolut'; did you mean 'revolute'?"},
    {"JointTwice", [](Scene& s) { s.more_joints = {s.ball}; }, "joint.ball.name",
     "the name 'ball' is taken by another joint"},
    {"JointWithoutName",
     [](Scene& s) {
       s.more_joints = {s.ball};
       s.more_joints[0].name = "";
       s.more_joints[0].path = "here";
     },
     "here.name", "a joint needs a name"},
    {"JointToUnknownBody", [](Scene& s) { s.ball.a = "crnk"; }, "joint.ball.a",
     "there is no body 'crnk'; did you mean 'crank'?"},
    {"JointToNoBody", [](Scene& s) { s.ball.b = ""; }, "joint.ball.b", "names no body"},
    {"JointToItself", [](Scene& s) { s.ball.a = "rod"; }, "joint.ball.b",
     "joint 'ball' joins 'rod' to itself"},
    {"JointOfWhatCannotMove",
     [](Scene& s) {
       s.more_bodies = {turntable()};
       s.more_joints = {joint_between("j", "fixed", "ground", "turntable")};
     },
     "joint.j", "joint 'j' joins 'ground' and 'turntable', neither of which can move"},
    {"PlaceTwice", [](Scene& s) { s.hinge.frame_b = Pose{}; }, "joint.hinge.at",
     "either by `at` or by `frame_a` and `frame_b`"},
    {"NoPlace", [](Scene& s) { s.hinge.at.reset(); }, "joint.hinge",
     "joint 'hinge' needs a place: `at`, or `frame_a` and `frame_b`"},
    {"FrameAskew", [](Scene& s) { s.hinge.at->R(0, 1) = 0.1; }, "joint.hinge",
     "a frame's axes are not orthonormal"},
    {"FrameNan", [](Scene& s) { s.hinge.at->p[0] = kNan; }, "joint.hinge", "not orthonormal"},
    {"TrackJointAt", [](Scene& s) { s.ride.at = Pose{}; }, "joint.ride.at",
     "a joint along a track is placed by `frame_a`"},
    {"TrackOfAHinge", [](Scene& s) { s.hinge.track = "line"; }, "joint.hinge.track",
     "a revolute joint runs along no track"},
    {"HingeThatDerails", [](Scene& s) { s.hinge.derail.roll = 1; }, "joint.hinge.derail",
     "a revolute joint cannot derail"},
    {"NoTrack", [](Scene& s) { s.ride.track = ""; }, "joint.ride.track",
     "joint 'ride' needs a track"},
    {"UnknownTrack", [](Scene& s) { s.ride.track = "lin"; }, "joint.ride.track",
     "there is no track 'lin'; did you mean 'line'?"},
    {"StartOffTheTrack", [](Scene& s) { s.ride.s = -1; }, "joint.ride.s",
     "s = -1 m is off the track 'line' of 20 m"},
    {"DerailNegative", [](Scene& s) { s.ride.derail.lateral = -0.1; }, "joint.ride.derail",
     "a derailing displacement must be positive"},
    {"UnknownRow", [](Scene& s) { s.ride.rows = {row("laterl")}; }, "joint.ride.rows.lateral",
     "joint 'ride' has no row 'laterl'; did you mean 'lateral'?"},
    {"BoundsWithoutZero",
     [](Scene& s) {
       s.ride.rows = {row("lateral")};
       s.ride.rows[0].force_min = 5;
     },
     "joint.ride.rows.lateral",
     "the force bounds of 'lateral' must hold zero between them, not [5, inf]"},
    {"FloorThatPulls",
     [](Scene& s) {
       s.ride.rows = {row("vertical")};
       s.ride.rows[0].one_sided = true;
       s.ride.rows[0].force_min = -5;
     },
     "joint.ride.rows.lateral", "'vertical' is one-sided: its least force is zero"},
    {"ErpAboveOne",
     [](Scene& s) {
       s.ride.rows = {row("lateral")};
       s.ride.rows[0].erp = 1.1;
     },
     "joint.ride.rows.lateral", "erp lies between 0 and 1"},
    {"RestitutionNegative",
     [](Scene& s) {
       s.ride.rows = {row("vertical")};
       s.ride.rows[0].one_sided = true;
       s.ride.rows[0].restitution = -0.1;
     },
     "joint.ride.rows.lateral", "restitution lies between 0 and 1"},
    {"RestitutionOfALock",
     [](Scene& s) {
       s.ride.rows = {row("lateral")};
       s.ride.rows[0].restitution = 0.5;
     },
     "joint.ride.rows.lateral", "'lateral' is not one-sided: restitution means nothing"},
    {"DistanceOfPointsThatCoincide",
     [](Scene& s) { s.more_joints = {joint_between("bar", "distance", "crank", "rod")}; },
     "joint.bar", "its points coincide, a distance must be positive"},
    {"DistanceNegative",
     [](Scene& s) {
       s.more_joints = {joint_between("bar", "distance", "crank", "rod")};
       s.more_joints[0].rows = {row("sqrt(D.D)")};
       s.more_joints[0].rows[0].value = -1;
     },
     "joint.ride.rows.lateral", "a distance must be positive"},
    // laws
    {"LawType", [](Scene& s) { s.spring.type = "sprng"; }, "law.spring.type",
     "there is no law 'sprng'; did you mean 'spring'?"},
    {"LawTwice", [](Scene& s) { s.more_laws = {s.spring}; }, "law.spring.name",
     "the name 'spring' is taken by another law"},
    {"LawOnUnknownJoint", [](Scene& s) { s.spring.joint = "henge"; }, "law.spring.joint",
     "there is no joint 'henge'; did you mean 'hinge'?"},
    {"LawOnUnknownCoordinate", [](Scene& s) { s.spring.coordinate = "angel"; },
     "law.spring.coordinate", "a revolute joint has no coordinate 'angel'; did you mean 'angle'?"},
    {"LawOnOneOfMany",
     [](Scene& s) {
       s.spring.joint = "ball";
       s.spring.coordinate = "";
     },
     "law.spring.coordinate",
     "say which coordinate of the spherical joint; known: roll, pitch, yaw"},
    {"LawOnATrackThatIsNot", [](Scene& s) { s.spring.coordinate = "Cy.E"; },
     "law.spring.coordinate", "'Cy.E' needs a track; the joint is revolute"},
    {"LawOnASquare", [](Scene& s) { s.spring.coordinate = "D.D"; }, "law.spring.coordinate",
     "'D.D' is in m^2; write sqrt(...)"},
    {"UnknownNumber",
     [](Scene& s) {
       s.spring.numbers = {{"stifness", 1}};
     },
     "law.spring.stifness", "a spring has no 'stifness'; did you mean 'stiffness'?"},
    {"NumberOutOfRange", [](Scene& s) { s.spring.numbers["stiffness"] = -1; },
     "law.spring.stiffness", "'stiffness' of law 'spring' is -1, it must lie between 0 and inf"},
    {"NumberNan", [](Scene& s) { s.spring.numbers["rest"] = kNan; }, "law.spring.rest",
     "is nan, it must lie"},
    {"MotorBounds",
     [](Scene& s) {
       s.spring.type = "motor";
       s.spring.drive = Drive{Drive::Level::velocity, 1};
       s.spring.numbers = {{"force_min", 2}, {"force_max", 1}};
     },
     "law.spring.force_min", "force_min 2 exceeds force_max 1"},
    {"MotorWithoutTarget",
     [](Scene& s) {
       s.spring.type = "motor";
       s.spring.numbers = {};
     },
     "law.spring", "a motor needs a `velocity` to reach"},
    {"MotorToAPlace",
     [](Scene& s) {
       s.spring.type = "motor";
       s.spring.numbers = {};
       s.spring.drive = Drive{};
     },
     "law.spring", "a motor follows a `velocity`"},
    {"DrivenByNothing",
     [](Scene& s) {
       s.spring.type = "driven";
       s.spring.numbers = {};
     },
     "law.spring", "a driven needs a `displacement`, `velocity` or `acceleration`"},
    {"SpringWithASignal", [](Scene& s) { s.spring.drive = Drive{}; }, "law.spring",
     "a spring follows no signal"},
    {"LockWithAFunction",
     [](Scene& s) {
       s.spring.type = "locked";
       s.spring.numbers = {};
       s.spring.function = std::make_shared<const law::ForceFunction>();
     },
     "law.spring", "a locked takes no force function"},
    // loads, tracks
    {"LoadOnUnknownBody", [](Scene& s) { s.push.body = "rot"; }, "load.push.body",
     "there is no body 'rot'; did you mean 'rod'?"},
    {"LoadOnTheGround", [](Scene& s) { s.push.body = "ground"; }, "load.push.body",
     "'ground' is not moved by forces: it is the ground"},
    {"LoadOnAPrescribedBody",
     [](Scene& s) {
       s.more_bodies = {turntable()};
       s.push.body = "turntable";
     },
     "load.push.body", "'turntable' is not moved by forces: it is prescribed"},
    {"DragThatPushes",
     [](Scene& s) {
       s.push.kind = law::LoadKind::drag;
       s.push.linear = -1;
     },
     "load.push.linear", "a drag coefficient is not negative"},
    {"DragThatPushesFaster",
     [](Scene& s) {
       s.push.kind = law::LoadKind::drag;
       s.push.quadratic = kNan;
     },
     "load.push.quadratic", "a drag coefficient is not negative"},
};

using Result = std::variant<Built, std::vector<Problem>>;

std::vector<Problem> problems(const Result& result) {
  const auto* list = std::get_if<std::vector<Problem>>(&result);
  return list ? *list : std::vector<Problem>{};
}

TEST(Builder, BuildsTheSoundScene) {
  const Result result = Scene().build();
  for (const Problem& p : problems(result)) ADD_FAILURE() << p.path << ": " << p.text;
}

class BuilderRule : public testing::TestWithParam<Wrong> {};

TEST_P(BuilderRule, IsSaidWithItsPlaceAndNothingElse) {
  Scene scene;
  GetParam().spoil(scene);
  const auto list = problems(scene.build());
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].path, GetParam().path);
  EXPECT_NE(list[0].text.find(GetParam().text), std::string::npos) << list[0].text;
}

INSTANTIATE_TEST_SUITE_P(All, BuilderRule, testing::ValuesIn(kWrong),
                         [](const auto& which) { return std::string(which.param.name); });

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
}  // namespace trammel::model
