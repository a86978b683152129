// Rows with force limits: they yield, recover, and the joint lets go when a displacement
// passes its limit.
#include "math/rotation.h"
#include "track_support.h"

namespace trammel::acceptance::track_derail_test {
namespace {

constexpr double kMass = 20, kInertia = 4;      // [kg], [kg m^2] about every axis
constexpr double kLimit = 100, kOverload = 30;  // of the row, and what acts beyond it [N, N m]
constexpr double kLateral = 0.3, kVertical = 0.2, kRoll = 0.25, kPitch = 0.15, kYaw = 0.35;

struct Direction {
  const char* row;
  std::string_view kind;
  int axis;
  double limit;  // displacement that derails [m, rad]
};

const Direction kDirections[] = {{"lateral", "force", 1, kLateral},
                                 {"vertical", "force", 2, kVertical},
                                 {"roll", "torque", 0, kRoll},
                                 {"pitch", "torque", 1, kPitch},
                                 {"yaw", "torque", 2, kYaw}};

/// A car at 4 m/s on a straight track, without gravity; one row has bounds, a load acts against it.
model::Builder loaded(const Direction& to, double bound, Signal load, double erp = 0.25) {
  model::Builder b;
  b.gravity.setZero();
  b.add_track(track_of(line(200)));
  b.add_body(on_track("car", kMass, 5, 4, {kInertia, kInertia, kInertia, 0, 0, 0}));
  model::JointSpec j = running("car");
  model::RowSpec row;
  row.row = to.row;
  if (std::isfinite(bound)) {
    row.force_min = -bound;
    row.force_max = bound;
    row.erp = erp;
  }
  j.rows.push_back(row);
  j.derail = {kLateral, kVertical, kRoll, kPitch, kYaw};
  b.add_joint(j);
  model::LoadSpec push;
  push.name = "push";
  push.body = "car";
  push.type = to.kind;
  push.value[static_cast<std::size_t>(to.axis)] = std::move(load);
  b.add_load(push);
  return b;
}

bool turns(const Direction& d) { return d.kind == "torque"; }

/// Displacement and its rate in the direction, from the body itself.
std::pair<double, double> displacement(const Ride& ride, const Direction& d) {
  if (!turns(d)) return {ride.p()[d.axis], ride.v()[d.axis]};
  return {log_quat(Quat(ride.R()))[d.axis], ride.w()[d.axis]};
}

class TrackDerail : public testing::TestWithParam<std::tuple<Direction, double>> {};

/// The row gives its limit (times the cosine of the angle: rows are sines), the rest accelerates.
TEST_P(TrackDerail, WhenADisplacementPassesItsLimit) {
  const auto& [to, sign] = GetParam();
  Ride ride(loaded(to, kLimit, sign * (kLimit + kOverload)), 1e-3, 2);
  ride.to_end();
  const auto gone = ride.all("derail");
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0].text.find(std::string("its ") + to.row + " displacement of"), 0u)
      << gone[0].text;
  EXPECT_NE(gone[0].text.find(turns(to) ? " deg has passed the limit of "
                                        : " mm has passed the limit of "),
            std::string::npos)
      << gone[0].text;
  EXPECT_FALSE(ride.on());
  ASSERT_FALSE(ride.all("yield").empty());
  EXPECT_LE(ride.all("yield")[0].t, 1e-3);  // the very first step
  const double t = gone[0].t, inertia = turns(to) ? kInertia : kMass;
  const auto row = [&](double x, double) {
    return (kLimit + kOverload - kLimit * (turns(to) ? std::cos(x) : 1)) / inertia;
  };
  const auto [x, v] = reduced(row, 0, 0, t);
  if (turns(to))
    EXPECT_NEAR(x, to.limit, 1e-6);  // truncation, h^2
  else
    EXPECT_NEAR(t, std::sqrt(2 * to.limit * kMass / kOverload),
                1e-9);  // rounding: the scheme is exact
  // ballistic afterwards, which the scheme does exactly: back to the displacement at the event
  const auto [end, rate] = displacement(ride, to);
  const double dt = ride.t() - t, a = sign * (kLimit + kOverload) / inertia;
  const double then = end - rate * dt + a * dt * dt / 2;
  EXPECT_NEAR(sign * (turns(to) ? std::remainder(then, 2 * M_PI) : then), to.limit, 1e-9);
  EXPECT_NEAR(sign * (rate - a * dt), v, 1e-5);  // truncation
  EXPECT_NEAR(ride.p().x(), 5 + 4 * 2, 1e-9);
  EXPECT_NEAR(ride.s(), 5 + 4 * t, 1e-9);  // where it left
}

INSTANTIATE_TEST_SUITE_P(, TrackDerail,
                         testing::Combine(testing::ValuesIn(kDirections),
                                          testing::Values(1.0, -1.0)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).row) +
                                  (std::get<1>(test.param) > 0 ? "Up" : "Down");
                         });

/// A peak of a hundred times the limit for 2 ms: it yields, recovers, and holds again.
TEST(TrackSlip, IsNotDerailedByAPeak) {
  for (const Direction& to : kDirections) {
    const double peak = turns(to) ? 20 * kLimit : 100 * kLimit;
    Ride ride(loaded(to, kLimit, Signal::spline({0.1, 0.1, 0.102, 0.102}, {0, peak, peak, 0})),
              1e-4, 2);
    ride.to_end();
    EXPECT_TRUE(ride.all("derail").empty()) << to.row;
    ASSERT_EQ(ride.all("yield").size(), 1u) << to.row;
    ASSERT_EQ(ride.all("hold").size(), 1u) << to.row;
    EXPECT_NEAR(ride.all("yield")[0].t, 0.1, 2e-4) << to.row;
    EXPECT_LT(std::abs(displacement(ride, to).first), 1e-11) << to.row;  // held again
    EXPECT_LT(std::abs(displacement(ride, to).second), 1e-11) << to.row;
  }
}

/// While its force suffices, a displaced row takes back the share erp of the displacement a step.
TEST(TrackSlip, PullsBackByItsShare) {
  for (const double erp : {0.25, 0.1, 0.6}) {
    const Signal load = Signal::spline({0.01, 0.01, 0.011, 0.011}, {0, 1.3e5, 1.3e5, 0});
    Ride ride(loaded(kDirections[0], 1e5, load, erp), 1e-3, 0.1);
    ride.to(0.014);
    double last = ride.p().y();
    EXPECT_GT(last, 1e-6);
    for (int k = 15; k < 22; ++k) {
      ride.to(1e-3 * k);
      EXPECT_NEAR(ride.p().y() / last, 1 - erp, 1e-9) << k;  // rounding
      last = ride.p().y();
    }
  }
}

TEST(TrackSlip, UnboundedRowsNeverDerail) {
  for (const Direction& to : kDirections) {
    Ride ride(loaded(to, law::kInf, 1e7), 1e-3, 1);
    ride.to_end();
    EXPECT_TRUE(ride.events.empty()) << to.row;
    EXPECT_TRUE(ride.on());
    EXPECT_LT(std::abs(displacement(ride, to).first), 1e-11) << to.row;
    EXPECT_NEAR(ride.sim.summary().max_row_speed, 0, 1e-10);
  }
}

/// A row that has yielded does work: the load's, the row's and the energy of the car close the
/// accounts.
TEST(TrackSlip, AccountsForTheWorkOfTheRow) {
  const Direction& to = kDirections[0];
  Ride ride(loaded(to, kLimit, kLimit + kOverload), 1e-3, 0.5);
  ride.to_end();
  ASSERT_TRUE(ride.on());
  const double y = displacement(ride, to).first;
  EXPECT_NEAR(ride.ledger(model::kLocks), -kLimit * y, 1e-9);
  EXPECT_LT(ride.sim.summary().energy_residual_rel(), 1e-10);  // rounding: the scheme is exact
}

/// A car of three different moments, pushed off a straight track above its mass centre; what pushes
/// ends at 1 s. About its x axis, whose moment is the middle one, it tumbles then about all axes.
model::Builder tumbling(bool affine) {
  model::Builder b;
  b.add_track(track_of(line(200)));
  model::BodySpec car = on_track("car", kMass, 5, 4, {6, 4, 9, 0.3, -0.2, 0.4});
  if (affine) {
    car.affine = model::Elastic{};
    car.affine->stiffness = law::kInf;
  }
  b.add_body(car);
  model::JointSpec j = running("car");
  model::RowSpec row;
  row.row = "lateral";
  row.force_min = -kLimit;
  row.force_max = kLimit;
  j.rows.push_back(row);
  j.derail = {kLateral, kVertical, kRoll, kPitch, kYaw};
  b.add_joint(j);
  model::LoadSpec push;
  push.name = "push";
  push.body = "car";
  push.type = "force";
  push.point = {0.02, 0, 1};
  const double all = kLimit + kOverload;
  push.value[1] = Signal::spline({0, 1, 1, 2}, {all, all, 0, 0});
  b.add_load(push);
  return b;
}

/// Without guidance it moves on as a free body does, through every pose, as by forces.
TEST(TrackReleased, TumblesFreely) {
  form::Settings forces;
  forces.formulation = form::Settings::Formulation::acceleration;
  Ride exact(tumbling(false), 1e-2, 6, forces);
  Vec3 turned = Vec3::Zero();  // about the body axes [rad]
  for (int k = 1; k <= 600; ++k) {
    exact.to(1e-2 * k);
    if (k > 100) turned += 1e-2 * (exact.R().transpose() * exact.w()).cwiseAbs();
  }
  ASSERT_EQ(exact.all("derail").size(), 1u);
  EXPECT_GT(turned.minCoeff(), 2 * M_PI) << turned.transpose();
  const Pose end = pose(exact.sim, "car");
  for (const bool affine : {false, true}) {
    std::array<double, 3> error{};
    for (std::size_t k = 0; k < 3; ++k) {
      Ride ride(tumbling(affine), 4e-3 / (1 << k), 6);
      ride.to_end();
      EXPECT_EQ(ride.all("derail").size(), 1u);
      EXPECT_TRUE(ride.sim.finished());
      EXPECT_LT(ride.sim.summary().energy_residual_rel(), 1e-3);  // truncation
      const Pose X = pose(ride.sim, "car");
      error[k] = std::max((X.p - end.p).norm(), (X.R - end.R).norm());
    }
    const auto order = orders(error);
    EXPECT_LT(error[2], 2e-3) << affine;  // truncation
    EXPECT_NEAR(order[1], 2, 0.1) << affine << ": " << error[0] << ", " << error[1];
  }
}

}  // namespace
}  // namespace trammel::acceptance::track_derail_test
