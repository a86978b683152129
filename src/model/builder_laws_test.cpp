// The builder's rules for laws, each broken once.
#include <cmath>

#include "model/test_scene.h"

namespace trammel::model::test::builder_laws_test {
namespace {

void motor(Scene& s) {
  s.spring.type = "motor";
  s.spring.numbers = {};
  s.spring.drive = Drive{Drive::Level::velocity, 1};
}
void driven(Scene& s, const Drive& drive) {
  s.spring.type = "driven";
  s.spring.numbers = {};
  s.spring.drive = drive;
}
void locked(Scene& s, std::map<std::string, double> numbers) {
  s.spring.type = "locked";
  s.spring.numbers = std::move(numbers);
}
void driven_too(Scene& s, const char* coordinate) {
  LawSpec drive = s.spring;
  drive.name = "drive";
  drive.path = "";
  drive.type = "driven";
  drive.coordinate = coordinate;
  drive.numbers = {};
  drive.drive = Drive{};
  s.more_laws = {drive};
}

const Wrong kWrong[] = {
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
    {"NumberInfinite", [](Scene& s) { s.spring.numbers["stiffness"] = kInf; },
     "law.spring.stiffness", "'stiffness' of law 'spring' is inf, it must be finite"},
    {"MotorBoundOfTheWrongSign",
     [](Scene& s) {
       motor(s);
       s.spring.numbers["force_min"] = kInf;
     },
     "law.spring.force_min", "'force_min' of law 'spring' is inf, it must be finite"},
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
    {"MotorWithAStart",
     [](Scene& s) {
       motor(s);
       s.spring.drive->x0 = 1;
     },
     "law.spring.velocity", "it has no start: a velocity is reached, no place"},
    {"MotorNan",
     [](Scene& s) {
       motor(s);
       s.spring.drive->signal = kNan;
     },
     "law.spring.velocity", "what law 'spring' follows: its signal is not finite"},
    {"DrivenFromNowhere",
     [](Scene& s) {
       driven(s, {Drive::Level::acceleration, 1, 0, kInf});
     },
     "law.spring.acceleration", "its start is not finite"},
    {"DrivenFromASpeedToAVelocity",
     [](Scene& s) {
       driven(s, {Drive::Level::velocity, 1, 0, 2});
     },
     "law.spring.velocity", "a start velocity with an acceleration"},
    {"DrivenByNan",
     [](Scene& s) {
       driven(s, {Drive::Level::displacement, kNan});
     },
     "law.spring.displacement", "its signal is not finite"},
    {"DrivenByANanRate",
     [](Scene& s) {
       driven(s, {Drive::Level::displacement, Signal::function([](double) {
                    return Jet{0, kNan, 0};
                  })});
     },
     "law.spring.displacement", "its rates are not finite"},
    {"LockBetweenBoundsOfZero",
     [](Scene& s) {
       locked(s, {{"force_min", 0}, {"force_max", 0}});
     },
     "law.spring.force_min", "the force bounds of 'angle' must hold zero between them, not [0, 0]"},
    {"LockHalfOneSided",
     [](Scene& s) {
       locked(s, {{"unilateral", 0.5}});
     },
     "law.spring.unilateral", "'unilateral' is 0.5: 0 says no, 1 says yes"},
    {"LockRestitution",
     [](Scene& s) {
       locked(s, {{"restitution", 0.5}});
     },
     "law.spring.restitution", "'angle' is not unilateral: restitution means nothing"},
    {"LockOneSidedThatPulls",
     [](Scene& s) {
       locked(s, {{"unilateral", 1}, {"force_min", -5}});
     },
     "law.spring.force_min", "'angle' is unilateral: its least force is zero"},
    {"LockOneSidedOfBoundedForce",
     [](Scene& s) {
       locked(s, {{"unilateral", 1}, {"force_max", 5}});
     },
     "law.spring.force_max", "'angle' is unilateral: a stop does not yield"},
    {"LimitBesideALock",
     [](Scene& s) {
       locked(s, {});
       LawSpec too = s.spring;
       too.name = too.path = "law.too";
       too.type = "limit";
       too.numbers = {{"from", -1}};
       s.more_laws.push_back(too);
     },
     "law.too.coordinate", "already held by law"},
    {"HeldTwice",
     [](Scene& s) {
       locked(s, {});
       driven_too(s, "angle");
     },
     "law.drive.coordinate", "'angle' of joint 'hinge' is already held by law 'spring'"},
    {"HeldTwiceInOtherWords",
     [](Scene& s) {
       locked(s, {});
       driven_too(s, "atan2(By.Az, By.Ay)");
     },
     "law.drive.coordinate", "is already held by law 'spring'"},
    {"HeldTwiceOnARowOfTheJoint",
     [](Scene& s) {
       locked(s, {});
       s.spring.coordinate = "Ax.By";
       driven_too(s, "Ax.By");
     },
     "law.drive.coordinate", "'Ax.By' of joint 'hinge' is already held by law 'spring'"},
    {"HeldBesideAMotorWithoutBounds",
     [](Scene& s) {
       motor(s);
       driven_too(s, "angle");
     },
     "law.drive.coordinate", "is already held by law 'spring'"},
    {"LawOnWhatNeverChanges", [](Scene& s) { s.spring.coordinate = "Ax.Ay"; },
     "law.spring.coordinate", "'Ax.Ay' never changes: no law can act on it"},
    {"LawOnASquareByName",
     [](Scene& s) {
       joint::Table own = *joint::find_table("revolute");
       own.coordinates = {*joint::parse_coordinate("far = D.D")};
       s.hinge.type = "";
       s.hinge.table = std::make_shared<const joint::Table>(own);
       s.spring.coordinate = "far";
     },
     "law.spring.coordinate", "'far' is in m^2; write sqrt(...)"},
    {"LawOnADistanceOfPointsThatCoincide", [](Scene& s) { s.spring.coordinate = "sqrt(D.D)"; },
     "law.spring.coordinate",
     "sqrt(D.D) of joint 'hinge' is zero at the start, its points coincide"},
    {"LawOnAnAngleThatIsNone",
     [](Scene& s) {  // x of A has no part in y and z of B
       s.spring.coordinate = "atan2(Ax.By, Ax.Bz)";
     },
     "law.spring.coordinate", "of joint 'hinge' is undefined at the start"},
    {"SpringWithAnEmptyFunction",
     [](Scene& s) { s.spring.function = std::make_shared<const law::ForceFunction>(); },
     "law.spring", "the force function of law 'spring' is empty"},
    {"SpringWithoutAForceAtTheStart",
     [](Scene& s) {
       s.spring.function =
           std::make_shared<const law::ForceFunction>([](double x, double v, double) {
             return law::Force{v / std::abs(v) - x, -1, 0};
           });
     },
     "law.spring.function", "the force of law 'spring' is no number at rest at the start"},
    {"SpringWithASignal", [](Scene& s) { s.spring.drive = Drive{}; }, "law.spring",
     "a spring follows no signal"},
    {"LockWithAFunction",
     [](Scene& s) {
       s.spring.type = "locked";
       s.spring.numbers = {};
       s.spring.function = std::make_shared<const law::ForceFunction>();
     },
     "law.spring", "a locked takes no force function"},
};

class LawRule : public testing::TestWithParam<Wrong> {};
TEST_P(LawRule, IsSaidWithItsPlaceAndNothingElse) { expect_said_alone(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, LawRule, testing::ValuesIn(kWrong), name_of);

TEST(Laws, OnDifferentCoordinatesOfAJointHoldEachItsOwn) {
  Scene s;
  s.hinge.type = "cylindrical";
  locked(s, {});
  s.spring.coordinate = "travel";
  driven_too(s, "angle");
  EXPECT_TRUE(problems(s.build()).empty());
  s.more_laws[0].coordinate = "travel";
  ASSERT_EQ(problems(s.build()).size(), 1u);
}

}  // namespace
}  // namespace trammel::model::test::builder_laws_test
