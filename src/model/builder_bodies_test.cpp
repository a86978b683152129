// The builder's rules for bodies, loads and the whole, each broken once.
#include "model/test_scene.h"

namespace trammel::model::test::builder_bodies_test {
namespace {

const Wrong kWrong[] = {
    {"MassZero", [](Scene& s) { s.crank.mass = 0; }, "body.crank.mass",
     "body 'crank': the mass must be positive, not 0 kg"},
    {"MassNan", [](Scene& s) { s.crank.mass = kNan; }, "body.crank.mass",
     "must be positive, not nan"},
    {"MassInfinite", [](Scene& s) { s.crank.mass = kInf; }, "body.crank.mass", "not inf kg"},
    {"NoInertia", [](Scene& s) { s.crank.inertia.reset(); }, "body.crank",
     "body 'crank' needs an inertia or a solid"},
    {"InertiaNegative", [](Scene& s) { (*s.crank.inertia)[0] = -1; }, "body.crank.inertia",
     "the inertia is negative"},
    {"InertiaOfNoBody", [](Scene& s) { (*s.crank.inertia)[0] = 9; }, "body.crank.inertia",
     "the largest principal moment exceeds the sum of the others"},
    {"InertiaNan", [](Scene& s) { (*s.crank.inertia)[4] = kNan; }, "body.crank.inertia",
     "the inertia is not finite"},
    {"SolidFlat", [](Scene& s) { s.rod.solid->size[1] = 0; }, "body.rod.cylinder",
     "body 'rod': a solid's sizes must be positive, not 0 m"},
    {"CylinderWithoutAxis", [](Scene& s) { s.rod.solid->axis.setZero(); }, "body.rod.cylinder",
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
    {"VelocityInfinite", [](Scene& s) { s.rod.v[1] = kInf; }, "body.rod.velocity",
     "body 'rod': its velocity is not finite"},
    {"SpinNan", [](Scene& s) { s.rod.w[1] = kNan; }, "body.rod.angular_velocity",
     "its angular velocity is not finite"},
    {"PositionNan", [](Scene& s) { s.rod.X_WB.p[1] = kNan; }, "body.rod.position",
     "body 'rod': its position is not finite"},
    {"CentreNan", [](Scene& s) { s.rod.com[1] = kNan; }, "body.rod.com",
     "its centre of mass is not finite"},
    {"AxesNan", [](Scene& s) { s.rod.X_WB.R(1, 1) = kNan; }, "body.rod.orientation",
     "its axes are not finite"},
    {"AxesScaled", [](Scene& s) { s.rod.X_WB.R *= 2; }, "body.rod.orientation",
     "body 'rod': its axes are not orthonormal"},
    {"AxesLeftHanded", [](Scene& s) { s.rod.X_WB.R.col(1) *= -1; }, "body.rod.orientation",
     "its axes are left-handed"},
    {"AxesOnATrackScaled", [](Scene& s) { s.car.X_WB.R *= 2; }, "body.car.orientation",
     "its axes are not orthonormal"},
    {"MassTwice", [](Scene& s) { s.rod.mass = 2; }, "body.rod.density",
     "mass and density exclude each other"},
    {"InertiaTwice", [](Scene& s) { s.rod.inertia = {1, 1, 1, 0, 0, 0}; }, "body.rod.inertia",
     "an inertia and a solid exclude each other"},
    {"SpeedNan", [](Scene& s) { s.car.on_track->speed = kNan; }, "body.car.on_track",
     "its speed is not finite"},
    {"VelocityOnATrack", [](Scene& s) { s.car.v[0] = 2; }, "body.car.on_track",
     "its velocity follows from the speed on the track"},
    {"PlaceOnTheTrackNan", [](Scene& s) { s.car.on_track->s = kNan; }, "body.car.on_track",
     "stands at s = nan m, off the track"},
    // prescribed bodies
    {"PrescribedMass",
     [](Scene& s) {
       s.more_bodies = {turntable()};
       s.more_bodies[0].mass = 1;
     },
     "body.turntable", "'turntable' moves as prescribed: it has no mass"},
    {"PrescribedVelocity",
     [](Scene& s) {
       s.more_bodies = {turntable()};
       s.more_bodies[0].w[2] = 1;
     },
     "body.turntable", "it has no velocity of its own"},
    {"PrescribedAxesScaled",
     [](Scene& s) {
       s.more_bodies = {turntable()};
       s.more_bodies[0].X_WB.R *= 2;
     },
     "body.turntable.orientation", "its axes are not orthonormal"},
    {"PrescribedAxis",
     [](Scene& s) {
       s.more_bodies = {turntable()};
       s.more_bodies[0].motion->turns = {{Vec3(1, 1, 0), {}}};
     },
     "body.turntable.turns[0].axis", "the axis of a turn has length 1"},
    {"PrescribedNan",
     [](Scene& s) {
       s.more_bodies = {turntable()};
       s.more_bodies[0].motion->displacement[2].signal = kNan;
     },
     "body.turntable.displacement[2]", "its signal is not finite"},
    {"PrescribedStartNan",
     [](Scene& s) {
       s.more_bodies = {turntable()};
       s.more_bodies[0].motion->displacement[2] = {Drive::Level::velocity, 1, kNan};
     },
     "body.turntable.displacement[2]", "its start is not finite"},
    {"PrescribedStartOfADisplacement",
     [](Scene& s) {
       s.more_bodies = {turntable()};
       s.more_bodies[0].motion->displacement[2] = {Drive::Level::displacement, 1, 2};
     },
     "body.turntable.displacement[2]", "a start goes with a velocity or an acceleration"},
    // pools
    {"NoPool", [](Scene& s) { s.more_pools = {{}}; }, "pool", "a pool spec without a pool"},
    {"PoolNames",
     [](Scene& s) {
       s.more_pools = {two_bodies()};
       s.more_pools[0].objects.pop_back();
     },
     "pool.objects", "the pool 'rigid' of 2 blocks needs 2 objects, not 1"},
    {"PoolParams",
     [](Scene& s) {
       s.more_pools = {two_bodies()};
       s.more_pools[0].params.pop_back();
     },
     "pool.params", "needs 14 params, not 13"},
    {"PoolCoordinates",
     [](Scene& s) {
       s.more_pools = {two_bodies()};
       s.more_pools[0].q.push_back(0);
     },
     "pool.q", "needs 14 q, not 15"},
    {"PoolVelocities",
     [](Scene& s) {
       s.more_pools = {two_bodies()};
       s.more_pools[0].u.clear();
     },
     "pool.u", "needs 12 u, not 0"},
    {"PoolNan",
     [](Scene& s) {
       s.more_pools = {two_bodies()};
       s.more_pools[0].q[3] = kNan;
     },
     "pool.q", "not all are finite"},
    {"PoolNameTaken",
     [](Scene& s) {
       s.more_pools = {two_bodies()};
       s.more_pools[0].path = "pool.pair";
       s.more_pools[0].objects[1] = "rod";
     },
     "pool.pair.name", "the name 'rod' is taken by another body"},
    // the whole
    {"GravityNan", [](Scene& s) { s.options.gravity[2] = kNan; }, "simulation.gravity",
     "gravity is not finite"},
    {"ToleranceNan", [](Scene& s) { s.options.tolerance = kNan; }, "simulation.frame_tolerance",
     "how far frames may be apart is positive"},
    {"TrackWithoutACurve",
     [](Scene& s) {
       s.more_tracks = {{}};
       s.more_tracks[0].name = "siding";
     },
     "track.siding", "track 'siding' has no curve"},
    // loads
    {"OnUnknownTrack", [](Scene& s) { s.car.on_track->track = "lime"; }, "body.car.on_track",
     "there is no track 'lime'; did you mean 'line'?"},
    {"OffTheTrack", [](Scene& s) { s.car.on_track->s = 21; }, "body.car.on_track",
     "body 'car' stands at s = 21 m, off the track 'line' of 20 m"},
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
       s.push.type = "drag";
       s.push.value[0] = 0;
       s.push.numbers["linear"] = -1;
     },
     "load.push.linear", "a drag coefficient is not negative"},
    {"DragThatPushesFaster",
     [](Scene& s) {
       s.push.type = "drag";
       s.push.value[0] = 0;
       s.push.numbers["quadratic"] = kNan;
     },
     "load.push.quadratic", "a drag coefficient is not negative, and finite; found nan"},
    {"DragInfinite",
     [](Scene& s) {
       s.push.type = "drag";
       s.push.value[0] = 0;
       s.push.numbers["linear"] = kInf;
     },
     "load.push.linear", "found inf"},
    {"DragWithAForce",
     [](Scene& s) {
       s.push.type = "drag";
       s.push.numbers["linear"] = 1;
     },
     "load.push.value", "a drag has no force of its own"},
    {"DragOfNothing",
     [](Scene& s) {
       s.push.type = "drag";
       s.push.value[0] = 0;
     },
     "load.push", "a drag without numbers does nothing: give it 'linear' or 'quadratic'"},
    {"ForceWithADragCoefficient", [](Scene& s) { s.push.numbers["linear"] = 1; },
     "load.push.linear", "load 'push': only a drag has a 'linear'"},
    {"LoadWithAnUnknownNumber",
     [](Scene& s) {
       s.push.type = "drag";
       s.push.value[0] = 0;
       s.push.numbers["liner"] = 1;
     },
     "load.push.liner", "load 'push': a drag has no 'liner'; did you mean 'linear'?"},
    {"LoadOfNoType", [](Scene& s) { s.push.type = "torqe"; }, "load.push.type",
     "there is no load 'torqe'; did you mean 'torque'?"},
    {"LoadPointNan", [](Scene& s) { s.push.point[0] = kNan; }, "load.push.point",
     "load 'push': its position is not finite"},
    {"TorqueAtAPoint",
     [](Scene& s) {
       s.push.type = "torque";
       s.push.point[0] = 1;
     },
     "load.push.point", "a torque acts at no point"},
    {"LoadNan", [](Scene& s) { s.push.value[2] = kNan; }, "load.push.force",
     "its signal is not finite"},
    {"TorqueWithAKnotAtInfinity",
     [](Scene& s) {
       s.push.type = "torque";
       s.push.value[1] = Signal::spline({0, 1, kInf}, {0, 1, 2});
     },
     "load.push.torque", "its signal is not finite"},
    {"LoadFunctionNan",
     [](Scene& s) { s.push.value[1] = Signal::function([](double) {
                      return Jet{kNan, 0, 0};
                    }); },
     "load.push.force", "its signal is not finite"},
};

class BodyRule : public testing::TestWithParam<Wrong> {};
TEST_P(BodyRule, IsSaidWithItsPlaceAndNothingElse) { expect_said_alone(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, BodyRule, testing::ValuesIn(kWrong), name_of);

}  // namespace
}  // namespace trammel::model::test::builder_bodies_test
