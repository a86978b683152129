// The builder's rules for joints and their rows, each broken once.
#include "model/test_scene.h"

namespace trammel::model::test::builder_joints_test {
namespace {

const Wrong kWrong[] = {
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
    {"JointsInACrowd",
     [](Scene& s) {
       s.more_joints.assign(300, s.hinge);  // beside the one that is there
       for (std::size_t i = 0; i < 300; ++i) {
         s.more_joints[i].name += std::to_string(i);
         s.more_joints[i].path.clear();
       }
     },
     "joint.hinge299",
     "'ground' and 'crank' are joined by 301 joints of 1505 rows altogether: more than 1500 rows "
     "between two bodies are not taken"},
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
    {"FrameAskew", [](Scene& s) { s.hinge.at->R(0, 1) = 0.1; }, "joint.hinge.at",
     "frame of joint 'hinge': its axes are not orthonormal"},
    {"FrameScaled", [](Scene& s) { s.hinge.at->R *= 1.001; }, "joint.hinge.at", "not orthonormal"},
    {"FrameLeftHanded", [](Scene& s) { s.hinge.at->R.col(2) *= -1; }, "joint.hinge.at",
     "frame of joint 'hinge': its axes are left-handed"},
    {"FrameALeftHanded",
     [](Scene& s) {
       s.ride.frame_a = Pose{};
       s.ride.frame_a->R.col(0) *= -1;
     },
     "joint.ride.frame_a", "left-handed"},
    {"FrameBScaled",
     [](Scene& s) {
       s.ride.frame_b = Pose{};
       s.ride.frame_b->R *= 2;
     },
     "joint.ride.frame_b", "not orthonormal"},
    {"FrameBInfinite",
     [](Scene& s) {
       s.ride.frame_b = Pose{};
       s.ride.frame_b->p[0] = kInf;
     },
     "joint.ride.frame_b", "its position is not finite"},
    {"TypeAndTable",
     [](Scene& s) {
       s.hinge.table = std::make_shared<const joint::Table>(*joint::find_table("revolute"));
     },
     "joint.hinge.type", "joint 'hinge' has rows of its own: it is no revolute"},
    {"FrameNan", [](Scene& s) { s.hinge.at->p[0] = kNan; }, "joint.hinge.at",
     "its position is not finite"},
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
    {"StartNan", [](Scene& s) { s.ride.s = kNan; }, "joint.ride.s", "s = nan m is off the track"},
    {"StartOfAHinge", [](Scene& s) { s.hinge.s = 1; }, "joint.hinge.s",
     "a revolute joint runs along no track"},
    {"StartOffTheTrack", [](Scene& s) { s.ride.s = -1; }, "joint.ride.s",
     "s = -1 m is off the track 'line' of 20 m"},
    {"DerailNegative", [](Scene& s) { s.ride.derail.lateral = -0.1; }, "joint.ride.derail.lateral",
     "a derailing displacement must be positive"},
    {"DerailNan", [](Scene& s) { s.ride.derail.yaw = kNan; }, "joint.ride.derail.yaw",
     "must be positive"},
    {"DerailOfWhatIsNot",
     [](Scene& s) {
       joint::Table own = *joint::find_table("track");
       own.coordinates.resize(2);  // s, lateral
       s.ride.type = "";
       s.ride.table = std::make_shared<const joint::Table>(own);
       s.ride.derail = {.lateral = 1, .roll = 1};
     },
     "joint.ride.derail.roll", "joint 'ride' has no coordinate 'roll' to watch"},
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
       s.ride.rows[0].unilateral = true;
       s.ride.rows[0].force_min = -5;
     },
     "joint.ride.rows.lateral", "'vertical' is unilateral: its least force is zero"},
    {"FloorOfBoundedForce",
     [](Scene& s) {
       s.ride.rows = {row("vertical")};
       s.ride.rows[0].unilateral = true;
       s.ride.rows[0].force_max = 5;
     },
     "joint.ride.rows.lateral", "'vertical' is unilateral: a stop does not yield"},
    {"StrengthOfNothing", [](Scene& s) { s.hinge.strength = 0; }, "joint.hinge.strength",
     "'strength' is 0: a strength is positive"},
    {"StrengthOfAJointWithoutRows",
     [](Scene& s) {
       s.more_joints = {joint_between("loose", "free", "ground", "crank")};
       s.more_joints[0].path = "joint.loose";
       s.more_joints[0].torque_strength = 5;
     },
     "joint.loose.torque_strength", "a free joint without laws carries nothing: it cannot break"},
    {"ValueOfARate",
     [](Scene& s) {
       s.more_joints = {joint_between("edge", "knife-edge", "ground", "crank")};
       s.more_joints[0].rows = {row("slip")};
       s.more_joints[0].rows[0].value = 1;
     },
     "joint.ride.rows.lateral", "'slip' is a rate without a value"},
    {"BoundNan",
     [](Scene& s) {
       s.ride.rows = {row("lateral")};
       s.ride.rows[0].force_max = kNan;
     },
     "joint.ride.rows.lateral", "must hold zero between them, not [-inf, nan]"},
    {"ValueInfinite",
     [](Scene& s) {
       s.ride.rows = {row("lateral")};
       s.ride.rows[0].value = kInf;
     },
     "joint.ride.rows.lateral", "'lateral' is held at inf: it must be finite"},
    {"ErpNan",
     [](Scene& s) {
       s.ride.rows = {row("lateral")};
       s.ride.rows[0].erp = kNan;
     },
     "joint.ride.rows.lateral", "erp lies between 0 and 1"},
    {"OptionsTwice",
     [](Scene& s) {
       s.ride.rows = {row("lateral"), row("lateral")};
       s.ride.rows[1].path = "here";
     },
     "here", "row 'lateral' of joint 'ride' has its options twice"},
    {"OptionsOfARowUnderALaw",
     [](Scene& s) {
       s.ride.rows = {row("lateral")};
       s.ride.rows[0].force_max = 5;
       s.spring.joint = "ride";
       s.spring.coordinate = "lateral";
     },
     "joint.ride.rows.lateral", "row 'lateral' of joint 'ride' is under law 'spring'"},
    {"DistanceNan",
     [](Scene& s) {
       s.more_joints = {joint_between("bar", "distance", "crank", "rod")};
       s.more_joints[0].rows = {row("sqrt(D.D)")};
       s.more_joints[0].rows[0].value = kNan;
     },
     "joint.ride.rows.lateral", "'sqrt(D.D)' is held at nan: it must be finite"},
    {"ErpAboveOne",
     [](Scene& s) {
       s.ride.rows = {row("lateral")};
       s.ride.rows[0].erp = 1.1;
     },
     "joint.ride.rows.lateral", "erp lies between 0 and 1"},
    {"RestitutionNegative",
     [](Scene& s) {
       s.ride.rows = {row("vertical")};
       s.ride.rows[0].unilateral = true;
       s.ride.rows[0].restitution = -0.1;
     },
     "joint.ride.rows.lateral", "restitution lies between 0 and 1"},
    {"RestitutionOfALock",
     [](Scene& s) {
       s.ride.rows = {row("lateral")};
       s.ride.rows[0].restitution = 0.5;
     },
     "joint.ride.rows.lateral", "'lateral' is not unilateral: restitution means nothing"},
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
};

class JointRule : public testing::TestWithParam<Wrong> {};
TEST_P(JointRule, IsSaidWithItsPlaceAndNothingElse) { expect_said_alone(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, JointRule, testing::ValuesIn(kWrong), name_of);

/// What holds a row under a law is said there: each option that says it at the row is refused.
TEST(Builder, EveryOptionOfARowUnderALawIsRefused) {
  const auto options = [](auto set) {
    RowSpec r = row("lateral");
    set(r);
    return r;
  };
  for (const RowSpec& r :
       {options([](RowSpec& o) { o.value = 0.1; }), options([](RowSpec& o) { o.force_min = -1; }),
        options([](RowSpec& o) { o.force_max = 1; }), options([](RowSpec& o) { o.erp = 0.5; }),
        options([](RowSpec& o) { o.restitution = 0.5; }),
        options([](RowSpec& o) { o.unilateral = true; })}) {
    Scene s;
    s.ride.rows = {r};
    s.spring.joint = "ride";
    s.spring.coordinate = "lateral";
    const auto said = problems(s.build());
    EXPECT_TRUE(std::any_of(said.begin(), said.end(), [](const Problem& p) {
      return p.text.find("is under law 'spring'") != std::string::npos;
    }));
  }
}

/// A distance that a table counts backwards is held as any other.
TEST(Builder, ADistanceMayCountBackwards) {
  Builder b;
  BodySpec ball;
  ball.name = "ball";
  ball.mass = 1;
  ball.inertia = {1, 1, 1, 0, 0, 0};
  ball.X_WB.p = {0, 0, -0.5};
  b.add_body(ball);
  JointSpec rod;
  rod.name = "rod";
  const std::vector<std::string> rows{"shortened = -sqrt(D.D)"}, terms{"sqrt(D.D)"}, none;
  rod.table = std::make_shared<joint::Table>(joint::make_table("rod", rows, terms, none).table);
  rod.b = "ball";
  rod.frame_a = rod.frame_b = Pose{};
  b.add_joint(rod);
  const auto result = b.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result))
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
}

}  // namespace
}  // namespace trammel::model::test::builder_joints_test
