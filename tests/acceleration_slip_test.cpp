// Rows that yield at their greatest force and joints that break, in the acceleration
// formulation: moments and ways that can be worked out, and the velocity formulation's, which tend
// to them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "math/rotation.h"
#include "track_support.h"

namespace trammel::acceptance::acceleration_slip_test {
namespace {

form::Settings forces(double accuracy = 1e-10) {
  form::Settings s;
  s.formulation = form::Settings::Formulation::acceleration;
  s.accuracy = {accuracy, accuracy, accuracy, accuracy, accuracy};
  return s;
}

// ---- a car on a straight track, one of whose rows has bounds

constexpr double kMass = 20, kInertia = 4;      // [kg], [kg m^2] about every axis
constexpr double kLimit = 100, kOverload = 30;  // of the row, and what acts beyond it [N, N m]

struct Direction {
  const char* row;
  std::string_view kind;
  int axis;
  double limit;  // displacement that derails [m, rad]
  bool turns() const { return kind == "torque"; }
  double inertia() const { return turns() ? kInertia : kMass; }
};
constexpr double kLateral = 0.3, kVertical = 0.2, kRoll = 0.25, kPitch = 0.15, kYaw = 0.35;
const Direction kDirections[] = {{"lateral", "force", 1, kLateral},
                                 {"vertical", "force", 2, kVertical},
                                 {"roll", "torque", 0, kRoll},
                                 {"pitch", "torque", 1, kPitch},
                                 {"yaw", "torque", 2, kYaw}};

model::Builder car(const Direction& to, Signal load) {
  model::Builder b;
  b.gravity.setZero();
  b.add_track(track_of(line(200)));
  b.add_body(on_track("car", kMass, 5, 4, {kInertia, kInertia, kInertia, 0, 0, 0}));
  model::JointSpec j = running("car");
  model::RowSpec row;
  row.row = to.row;
  row.force_min = -kLimit;
  row.force_max = kLimit;
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

double displacement(const Ride& ride, const Direction& d) {
  return d.turns() ? log_quat(Quat(ride.R()))[d.axis] : ride.p()[d.axis];
}

TEST(AccelerationSlip, DerailsWhereADisplacementPassesItsLimit) {
  for (const Direction& to : kDirections)
    for (const double sign : {1., -1.}) {
      SCOPED_TRACE(fmt::format("{} {}", to.row, sign));
      const model::Builder b = car(to, sign * (kLimit + kOverload));
      Ride mine(b, 0.05, 0.8, forces()), other(b, 1e-3, 0.8);
      mine.to_end();
      other.to_end();
      const auto gone = mine.all("derail"), there = other.all("derail");
      ASSERT_EQ(gone.size(), 1u);
      ASSERT_EQ(there.size(), 1u);
      ASSERT_EQ(mine.all("yield").size(), 1u);
      EXPECT_EQ(mine.all("yield")[0].t, 0);
      EXPECT_FALSE(mine.on());
      EXPECT_NEAR(gone[0].t, there[0].t, 1e-6);  // truncation of the other, h^2
      if (!to.turns()) {
        EXPECT_NEAR(gone[0].t, std::sqrt(2 * to.limit * kMass / kOverload), 1e-10);
      } else {  // rows are sines: the row gives its bound times the cosine
        const auto row = [&](double x, double) {
          return (kLimit + kOverload - kLimit * std::cos(x)) / kInertia;
        };
        EXPECT_NEAR(reduced(row, 0, 0, gone[0].t).first, to.limit, 1e-9);
      }
      EXPECT_NEAR(mine.s(), 5 + 4 * gone[0].t, 1e-9);  // where it left
      EXPECT_NEAR((mine.p() - other.p()).norm(), 0, 1e-6);
      EXPECT_NEAR(displacement(mine, to), displacement(other, to), 1e-5);
      EXPECT_LE(mine.sim.summary().energy_residual_rel(), 1e-9);
    }
}

/// A peak of a hundred times the limit for 2 ms. It yields to e = e1 + v1^2 / 2a, is drawn back by
/// a, from two thirds of it on slowed down by a / 2, and comes to rest in its place.
TEST(AccelerationSlip, IsLedBackAfterAPeak) {
  for (const Direction& to : kDirections) {
    SCOPED_TRACE(to.row);
    const double peak = to.turns() ? 20 * kLimit : 100 * kLimit, m = to.inertia();
    const model::Builder b = car(to, Signal::spline({0.1, 0.1, 0.102, 0.102}, {0, peak, peak, 0}));
    Ride ride(b, 0.05, 2, forces());
    ride.to_end();
    EXPECT_TRUE(ride.all("derail").empty());
    ASSERT_EQ(ride.all("yield").size(), 1u);
    ASSERT_EQ(ride.all("hold").size(), 1u);
    EXPECT_NEAR(ride.all("yield")[0].t, 0.1, 1e-10);
    const double a = kLimit / m, push = peak / m - a, v = 0.002 * push, e1 = v * 0.001;
    const double most = e1 + v * v / (2 * a), fastest = std::sqrt(2 * a * most / 3);
    // rows of angles are sines: a, and what the row feels, change by half their square, 2e-4
    const double end = 0.102 + v / a + fastest / a + 2 * fastest / a;
    EXPECT_NEAR(ride.all("hold")[0].t, end, to.turns() ? 2e-5 : 1e-9);
    EXPECT_LE(std::abs(displacement(ride, to)), 1e-12);
    const double impulse_way = peak * e1;  // what the load has worked, the row has taken
    EXPECT_NEAR(ride.ledger(model::kLocks), -impulse_way, 1e-5 * impulse_way);
    EXPECT_LE(ride.sim.summary().energy_residual_rel(), 1e-9);
  }
}

/// A row at its lower bound is what one at its upper bound is: it costs the same slopes.
TEST(AccelerationSlip, BothBoundsCostTheSame) {
  for (const Direction& to : kDirections) {
    SCOPED_TRACE(to.row);
    long slopes[2]{};
    for (const bool up : {false, true}) {
      const double load = (up ? 1 : -1) * (kLimit + kOverload);
      const model::Built b =
          built(car(to, Signal::spline({0.1, 0.1, 0.15, 0.15}, {0, load, load, 0})));
      form::Acceleration form(*b.model, b.params, forces());
      model::State state = b.state;
      form.load(state);
      form::StepReport report;
      std::size_t events = 0;
      for (int k = 0; k < 40; ++k) {
        form.step(state, 0.02, report);
        ASSERT_EQ(report.status, form::Status::ok) << report.reason;
        events += report.events.size();
      }
      EXPECT_EQ(events, 2u);  // it yields, and holds again
      slopes[up] = form.counts().slopes;
    }
    EXPECT_EQ(slopes[0], slopes[1]);
  }
}

/// Way and moment of coming back in the velocity formulation: its way back is a share of the
/// displacement a step, or as fast as can be braked; as h goes to zero the latter.
TEST(AccelerationSlip, ImpulsesTendToIt) {
  const Direction& to = kDirections[0];
  const Signal peak = Signal::function([](double t) {
    const double x = std::sin(M_PI * std::min(t / 0.1, 1.));
    return Jet{500 * x * x, 0, 0};
  });
  Ride mine(car(to, peak), 0.01, 0.7, forces());
  std::array<double, 3> worst{};
  std::vector<double> way;
  for (int k = 1; k <= 70; ++k) {
    mine.to(0.01 * k);
    way.push_back(displacement(mine, to));
  }
  EXPECT_GE(*std::max_element(way.begin(), way.end()), 0.1);
  ASSERT_EQ(mine.all("hold").size(), 1u);
  for (std::size_t i = 0; i < 3; ++i) {
    Ride other(car(to, peak), 1e-3 / std::pow(4, i), 0.7);
    for (int k = 1; k <= 70; ++k) {
      other.to(0.01 * k);
      const double off = displacement(other, to) - way[static_cast<std::size_t>(k - 1)];
      worst[i] = std::max(worst[i], std::abs(off));
    }
  }
  for (const double order : orders(worst)) EXPECT_NEAR(order / 2, 1, 0.15);  // its switches: h
  EXPECT_LE(worst[2], 1e-5);
}

// ---- a row with one bound

/// Pushed down against 5 N and let go: 5 N draw it back, and in its place it is stopped at once.
TEST(AccelerationSlip, ARowWithoutOtherBoundStopsAtOnce) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(solid("cart", 2, {1, 1, 1}));
  auto slide = joint("slide", "prismatic", "ground", "cart", {});
  slide.at.reset();
  slide.frame_a = slide.frame_b = Pose{};
  b.add_joint(slide);
  b.add_law(law("hold", "locked", "slide", "travel", {{"force_max", 5}}));
  model::LoadSpec push;
  push.name = "push";
  push.body = "cart";
  push.value[0] = Signal::spline({0.5, 0.5, 1, 1}, {0, -8, -8, 0});
  b.add_load(push);
  Simulation sim(built(b), settings(3, 0.25, forces()));
  std::vector<form::Event> events;
  run(sim, [&] {
    for (auto& e : sim.take_events()) events.push_back(e);
  });
  // down by 3 N for 0.5 s, then drawn by 5 N: to rest after 0.3 s
  const double v = 0.75, most = v * 0.25 + v * 0.15, back = std::sqrt(2 * most / 2.5);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, form::EventKind::yield);
  EXPECT_EQ(events[1].kind, form::EventKind::hold);
  EXPECT_NEAR(events[0].t, 0.5, 1e-10);
  EXPECT_NEAR(events[1].t, 1.3 + back, 1e-9);
  EXPECT_NEAR(sim.state().ledger[model::kImpacts], -5 * most, 1e-8);  // 1/2 m v^2
  EXPECT_LE(std::abs(pose(sim, "cart").p.x()), 1e-12);
  EXPECT_LE(sim.summary().energy_residual, 1e-9);
}

// ---- breaking

model::LoadSpec ramp(const char* body, const Vec3& rate) {
  model::LoadSpec l;
  l.name = "ramp";
  l.body = body;
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = rate[static_cast<int>(i)];
    l.value[i] = Signal::function([a](double t) { return Jet{a * t, a, 0}; });
  }
  return l;
}

std::vector<form::Event> breaks(sim::Simulation& sim) {
  std::vector<form::Event> out;
  run(sim, [&] {
    for (const form::Event& e : sim.take_events())
      if (e.kind == form::EventKind::breaking) out.push_back(e);
  });
  return out;
}

/// A rod of 1 m from the ground to a slider of 2 kg, pulled or pushed along x.
model::Built on_rod(double rate) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(solid("slider", 2, {1, 1, 1}, {Vec3(1, 0, 0)}));
  auto rod = joint("rod", "distance", "ground", "slider", {});
  rod.at.reset();
  rod.frame_a = rod.frame_b = Pose{};
  b.add_joint(rod);
  auto hold = law("hold", "locked", "rod", "sqrt(D.D)", {{"value", 1}});
  hold.tensile_strength = 20;
  hold.compressive_strength = 30;
  b.add_law(hold);
  b.add_load(ramp("slider", {rate, 0, 0}));
  return built(b);
}

TEST(AccelerationStrength, RodBreaksAtTheMomentOfItsStrength) {
  for (const auto& [rate, t, word] :
       {std::tuple(10., 2., "tensile"), std::tuple(-10., 3., "compressive")}) {
    Simulation sim(on_rod(rate), settings(4, 0.3, forces()));
    const auto broken = breaks(sim);
    ASSERT_EQ(broken.size(), 1u);
    EXPECT_NEAR(broken[0].t, t, 1e-10);
    EXPECT_NEAR(broken[0].value, 10 * t, 1e-8);
    EXPECT_NE(broken[0].text.find(word), std::string::npos) << broken[0].text;
    EXPECT_EQ(sim.state().on[0], 0);
    const double end = sim.state().t;  // of whole steps
    EXPECT_NEAR(velocity(sim, "slider").first.x(), rate * (end * end - t * t) / 4, 1e-9);
    EXPECT_LE(sim.summary().energy_residual_rel(), 1e-10);
  }
}

/// A point on a rod of 1 m, from the horizontal: m g (3 sin) is 2 m g where sin = 2/3.
TEST(AccelerationStrength, PendulumFliesOffWhereItsRodBreaks) {
  model::Builder b;
  b.add_body(solid("mass", 1, {1, 1, 1}, {Vec3(1, 0, 0)}));
  auto rod = joint("rod", "distance", "ground", "mass", {});
  rod.at.reset();
  rod.frame_a = rod.frame_b = Pose{};
  b.add_joint(rod);
  auto hold = law("hold", "locked", "rod", "sqrt(D.D)", {{"value", 1}});
  hold.tensile_strength = 2 * kG;
  b.add_law(hold);
  const model::Built mechanism = built(b);
  Simulation mine(mechanism, settings(1, 0.25, forces()));
  const auto broken = breaks(mine);
  ASSERT_EQ(broken.size(), 1u);
  // x, z and speed there, then free flight
  const double s = 2. / 3, c = std::sqrt(1 - s * s), v = std::sqrt(2 * kG * s),
               dt = 1 - broken[0].t;
  const Vec3 end(c - v * s * dt, 0, -s - v * c * dt - kG / 2 * dt * dt);
  EXPECT_LE((pose(mine, "mass").p - end).norm(), 1e-8);
  const auto [a, w] = reduced([](double x, double) { return kG * std::cos(x); }, 0, 0, broken[0].t);
  EXPECT_NEAR(std::sin(a), s, 1e-9);
  std::array<double, 3> off{};
  for (std::size_t i = 0; i < 3; ++i) {  // it breaks at the end of a step there
    Simulation other(mechanism, settings(1, 1e-3 / (1 << i)));
    off[i] = std::abs(breaks(other).at(0).t - broken[0].t);
    EXPECT_LE(off[i], 2e-3 / (1 << i));
  }
}

/// A lock that only pushes, 0 to 20 N, and lets go where it would have to pull: at 0.5 s, from
/// where x'' = 20 (t - 0.5).
TEST(AccelerationSlip, ALockThatOnlyPushesLetsGoAtZero) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(solid("block", 1, {1, 1, 1}));
  b.add_joint(joint("guide", "prismatic", "ground", "block", {}));
  b.add_law(law("rest", "locked", "guide", "travel", {{"force_min", 0}, {"force_max", 20}}));
  model::LoadSpec pull;
  pull.name = "pull";
  pull.body = "block";
  pull.value[0] = Signal::spline({0, 2}, {-10, 30});
  b.add_load(pull);
  Simulation sim(built(b), settings(1, 0.01, forces()));
  double moved = 0;  // while it holds
  run(sim, [&] {
    if (sim.state().t < 0.495) moved = std::max(moved, std::abs(pose(sim, "block").p.x()));
  });
  EXPECT_LE(moved, 1e-12);
  EXPECT_NEAR(pose(sim, "block").p.x(), 20 * 0.125 / 6, 1e-8);
}

TEST(AccelerationStrength, OfAReactionIsThatOfItsSize) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(solid("slider", 2, {1, 1, 1}));
  auto weld = joint("weld", "fixed", "ground", "slider", {Vec3(-1, 0, 0)});
  weld.strength = 50;
  weld.torque_strength = 35;
  b.add_joint(weld);
  b.add_load(ramp("slider", {3, 0, 4}));  // 5 N/s, and 4 N m/s at the weld
  Simulation sim(built(b), settings(12, 0.5, forces()));
  const auto broken = breaks(sim);
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_NEAR(broken[0].t, 35. / 4, 1e-10);
  EXPECT_NE(broken[0].text.find("torque"), std::string::npos) << broken[0].text;
}

/// Two welds share a pull alike; when the weaker goes at 2 x 10 N the other has 20 N to carry.
TEST(AccelerationStrength, WhatIsLeftBreaksUnderTheWhole) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(solid("slider", 2, {1, 1, 1}));
  for (const auto& [name, strength] : {std::pair("weak", 10.), std::pair("strong", 12.)}) {
    auto hold = joint(name, "spherical", "ground", "slider", {});
    hold.strength = strength;
    b.add_joint(hold);
  }
  b.add_load(ramp("slider", {10, 0, 0}));
  Simulation sim(built(b), settings(3, 0.5, forces()));
  const auto broken = breaks(sim);
  ASSERT_EQ(broken.size(), 2u);
  EXPECT_EQ(broken[0].subject, "weak");
  EXPECT_EQ(broken[1].subject, "strong");
  EXPECT_NEAR(broken[0].t, 2, 1e-6);  // redundant rows share a load to seven digits
  EXPECT_EQ(broken[0].t, broken[1].t);
  EXPECT_NEAR(broken[1].value, 20, 1e-5);
}

// ---- and a state in the midst of it goes on elsewhere

TEST(AccelerationSlip, AStateGoesOnBitForBitElsewhere) {
  std::map<std::string, int> events;
  const Signal peak = Signal::spline({0.1, 0.1, 0.102, 0.102}, {0, 1e4, 1e4, 0});
  for (const model::Built& b :
       {built(car(kDirections[0], peak)), built(car(kDirections[3], 130.)), on_rod(10)}) {
    form::Acceleration one(*b.model, b.params, forces());
    model::State here = b.state;
    one.load(here);
    form::StepReport report;
    for (int k = 0; k < 120; ++k) {
      form::Acceleration other(*b.model, b.params, forces());
      model::State there = here;
      other.load(there);
      one.step(here, 0.02, report);
      other.step(there, 0.02, report);
      ASSERT_EQ(report.status, form::Status::ok) << report.reason;
      for (const auto& e : report.events) ++events[std::string(name_of(e.kind))];
      ASSERT_EQ(model::hash(here), model::hash(there)) << k;
    }
  }
  for (const char* kind : {"hold", "yield", "break"}) EXPECT_GE(events[kind], 1) << kind;
}

}  // namespace
}  // namespace trammel::acceptance::acceleration_slip_test
