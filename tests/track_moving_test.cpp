// Tracks that are carried by bodies: a straight one is a prismatic joint, a turntable keeps its
// angular momentum.
#include <functional>

#include "math/rotation.h"
#include "track_support.h"

namespace trammel::acceptance::track_moving_test {
namespace {

/// How the body that carries the track moves.
enum class Carrier { ground, free, prescribed };

model::BodySpec carrier_body(Carrier kind) {
  model::BodySpec body;
  body.name = "carrier";
  body.X_WB = {{0.3, -1.1, 2.2}, exp_matrix({0.3, -0.5, 0.8})};
  if (kind == Carrier::free) {
    body.mass = 40;
    body.inertia = {30, 50, 60, 2, -3, 4};
    body.v = {0.7, -0.4, 1.5};
    body.w = {0.3, 0.9, -0.6};
    return body;
  }
  body.motion = body::Prescribed{};
  body.motion->displacement[0] = {
      Drive::Level::displacement, Signal::function([](double t) {
        return Jet{std::sin(2 * t), 2 * std::cos(2 * t), -4 * std::sin(2 * t)};
      })};
  const auto angle = [](double t) { return Jet{0.4 * t * t, 0.8 * t, 0.8}; };
  body.motion->turns.push_back(
      {Vec3(1, 2, -1).normalized(), {Drive::Level::displacement, Signal::function(angle)}});
  return body;
}

/// A body with its anchor off its mass centre on a straight track, or on a prismatic joint there.
model::Builder slider(bool track, Carrier kind) {
  const Pose start{{-3, 0.4, 0.2}, exp_matrix({0.1, 0.7, -0.4})};  // of the line, on the carrier
  const Pose anchor{{0.5, -0.8, 0.3}, exp_matrix({-0.2, 0.1, 0.6})};
  model::Builder b;
  b.gravity = {1.5, -4.2, -8.1};
  model::BodySpec carrier = carrier_body(kind);
  Pose X_WA;
  if (kind != Carrier::ground) {
    X_WA = carrier.X_WB;
    b.add_body(carrier);
  }
  model::BodySpec body;
  body.name = "slider";
  body.mass = 3;
  body.inertia = {0.4, 0.5, 0.7, 0.05, -0.02, 0.1};
  body.X_WB = X_WA * start * Pose{{4, 0, 0}} * inverse(anchor);
  b.add_body(body);
  model::JointSpec j;
  j.name = "joint";
  j.a = kind == Carrier::ground ? "ground" : "carrier";
  j.b = "slider";
  j.frame_b = anchor;
  if (track) {
    b.add_track(track_of(line(100, start)));
    j.type = "track";
    j.track = "track";
    j.frame_a = Pose{};
    j.s = 4;
  } else {
    j.type = "prismatic";
    j.frame_a = start;
  }
  b.add_joint(j);
  return b;
}

class TrackStraight : public testing::TestWithParam<Carrier> {};

/// Tolerance: rounding, the same scheme on the same rows, where these are held below it.
TEST_P(TrackStraight, IsAPrismaticJoint) {
  form::Settings form;
  form.tolerance.value = 1e-13;
  Ride on_track(slider(true, GetParam()), 1e-3, 1, form);
  Ride prismatic(slider(false, GetParam()), 1e-3, 1, form);
  const int body = GetParam() == Carrier::free ? 1 : 0;
  const Vec3 start = on_track.p(body);
  double apart = 0, turned = 0;
  for (int k = 1; k <= 1000; ++k) {
    on_track.to(1e-3 * k);
    prismatic.to(1e-3 * k);
    apart = std::max(apart, (on_track.p(body) - prismatic.p(body)).norm());
    turned = std::max(turned, (on_track.R(body) - prismatic.R(body)).norm());
  }
  EXPECT_EQ(on_track.sim.summary().steps, 1000);
  EXPECT_GT((on_track.p(body) - start).norm(), 0.5);  // it has gone somewhere
  EXPECT_LT(apart, 1e-12);
  EXPECT_LT(turned, 1e-12);
  EXPECT_LT(on_track.sim.summary().max_gap, 1e-11);
  EXPECT_LT(on_track.sim.summary().max_row_speed, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(, TrackStraight,
                         testing::Values(Carrier::ground, Carrier::free, Carrier::prescribed),
                         [](const auto& test) {
                           return std::string(test.param == Carrier::ground ? "OnGround"
                                              : test.param == Carrier::free ? "OnFreeBody"
                                                                            : "OnPrescribedBody");
                         });

constexpr double kTableInertia = 500;  // about z [kg m^2]

/// A table that turns freely about z at `spin` [rad/s] and carries the track.
model::Builder turntable(geom::CurvePtr curve, double spin) {
  model::Builder b;
  b.add_track(track_of(std::move(curve)));
  model::BodySpec table;
  table.name = "table";
  table.mass = 300;
  table.inertia = {300, 300, kTableInertia, 0, 0, 0};
  table.w = {0, 0, spin};
  b.add_body(table);
  model::JointSpec pivot;
  pivot.name = "pivot";
  pivot.type = "revolute";
  pivot.b = "table";
  pivot.at = Pose{Vec3::Zero(), about(Vec3::UnitY(), -M_PI / 2)};  // x points up
  b.add_joint(pivot);
  return b;
}

double angular_momentum_z(const Ride& ride) {
  Vec3 linear = Vec3::Zero(), angular = linear;
  ride.sim.formulation().kinematics().momentum(ride.sim.state().q.data(), ride.sim.state().P.data(),
                                               linear, angular);
  return angular.z();
}

/// A vehicle moves round on a bent track of a turntable that is free to turn.
TEST(TrackTurntable, KeepsAngularMomentum) {
  model::Builder b = turntable(arcs({{0, 6}, {1 / 8.0, 12}, {-1 / 5.0, 8}}, {{-9, 1, 0.5}}), 0.3);
  model::BodySpec car = on_track("car", 80, 1, 6, {20, 60, 70, 0, 3, 0});
  car.X_WB.p = {0, 0, 0.9};
  b.add_body(car);
  model::JointSpec j = running("car");
  j.a = "table";
  j.frame_a = Pose{};
  j.frame_b = Pose{{0, 0, -0.9}};
  b.add_joint(j);
  Ride ride(b, 1e-3, 3);
  const double start = angular_momentum_z(ride), spin = ride.w(0).z();
  double worst = 0, slowest = spin, fastest = spin;
  for (int k = 1; k <= 3000; ++k) {
    ride.to(1e-3 * k);
    worst = std::max(worst, std::abs(angular_momentum_z(ride) / start - 1));
    slowest = std::min(slowest, ride.w(0).z());
    fastest = std::max(fastest, ride.w(0).z());
  }
  EXPECT_EQ(ride.all("impact").size(), 2u);  // it has crossed both borders of the track
  EXPECT_GT(fastest - slowest, 0.2);         // and turned the table
  EXPECT_LT(worst, 1e-12);                   // rounding
}

struct Groove {
  double r, r_dot, angle;
};

/// A point mass in a straight groove through the axis: r'' = r w^2, w = L / (I + m r^2).
/// Runge-Kutta in steps of 1e-4 s: exact to 1e-13 here.
Groove groove_after(double t, double m, double r0, double spin) {
  const double L = (kTableInertia + m * r0 * r0) * spin;
  const auto rate = [&](const Vec3& y) {
    const double w = L / (kTableInertia + m * y[0] * y[0]);
    return Vec3(y[1], y[0] * w * w, w);
  };
  Vec3 y(r0, 0, 0);
  const int n = static_cast<int>(std::lround(t / 1e-4));
  const double h = t / n;
  for (int i = 0; i < n; ++i) {
    const Vec3 a = rate(y), b = rate(y + h / 2 * a), c = rate(y + h / 2 * b), d = rate(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return {y[0], y[1], y[2]};
}

/// Distance of the mass from the axis and angle of the table at 1 s, errors against the reference.
Vec3 groove_error(double step) {
  const double m = 100, r0 = 1, spin = 2;
  model::Builder b = turntable(line(12, {{-6, 0, 0}}), spin);
  model::BodySpec mass;
  mass.name = "mass";
  mass.mass = m;
  mass.inertia = {1, 1, 1, 0, 0, 0};
  mass.X_WB.p = {r0, 0, 0};
  mass.v = {0, spin * r0, 0};
  b.add_body(mass);
  model::JointSpec j = running("mass", point_on_track());
  j.a = "table";
  j.frame_a = Pose{};
  b.add_joint(j);
  Ride ride(b, step, 1);
  ride.to_end();
  const Groove exact = groove_after(1, m, r0, spin);
  EXPECT_GT(exact.r, 2.5);
  const Vec3 p = ride.p(1), v = ride.v(1);
  const double angle = std::atan2(p.y(), p.x());
  return {ride.s() - 6 - exact.r, v.dot(p.normalized()) - exact.r_dot,
          std::remainder(angle - exact.angle, 2 * M_PI)};
}

TEST(TrackTurntable, MassInAGrooveThroughTheAxis) {
  const Vec3 coarse = groove_error(2e-3), fine = groove_error(1e-3);
  EXPECT_LT(fine.cwiseAbs().maxCoeff(), 2e-6);  // truncation, h^2 w^2 = 4e-6
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(std::log2(std::abs(coarse[i] / fine[i])), 2, 0.02) << i;  // order
}

}  // namespace
}  // namespace trammel::acceptance::track_moving_test
