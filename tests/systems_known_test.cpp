// Systems in generalised coordinates with known answers: a bead on a hoop that turns, the spherical
// pendulum, a free symmetric body and a heavy top in Euler angles. By forces to what the accuracy
// allows, by impulses to second order, where a motion is steady to rounding.
#include <algorithm>
#include <map>
#include <numbers>

#include "math/rotation.h"
#include "sim/channels.h"
#include "sim/present.h"
#include "systems.h"

namespace trammel::acceptance::systems_known_test {
namespace {

using namespace systems;
using std::numbers::pi;

constexpr double kGravity = 9.81;    // [m/s^2]
constexpr double kForces = 1e-9;     // by forces: truncation of steps to 1e-12, over some 10 s
constexpr double kRounding = 1e-11;  // of some 1e4 steps by impulses

Overrides set(Overrides list, const std::string& name, const std::string& what, double value) {
  const auto dot = name.find('.');
  list.push_back(
      {fmt::format("system.{}.coordinate.{}.{}", name.substr(0, dot), name.substr(dot + 1), what),
       fmt::format("{:.17g}", value)});
  return list;
}

/// Integral of a smooth periodic function over [-pi/2, pi/2], where its slopes vanish at both ends
/// in all odd orders: midpoints converge faster than any power.
template <class F>
double over_half_turn(F&& f) {
  constexpr int n = 400;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += f(pi * ((i + 0.5) / n - 0.5));
  return sum * pi / n;
}

/// Coordinates at the end of a run; watch(sim) after every step.
template <class F>
std::vector<Coordinate> at_end(const std::string& scene, const Overrides& overrides,
                               const std::vector<std::string>& names, F&& watch) {
  const io::LoadedScene s = loaded(scene, overrides);
  sim::Simulation sim(s.built, s.scene.settings);
  run(sim, [&] { watch(sim); });
  std::vector<Coordinate> out;
  for (const std::string& name : names) out.push_back(coordinate(sim, name));
  return out;
}
std::vector<Coordinate> at_end(const std::string& scene, const Overrides& overrides,
                               const std::vector<std::string>& names) {
  return at_end(scene, overrides, names, [](const auto&) {});
}

/// A coordinate at the end, or its rate.
struct Wanted {
  std::string name;
  double value = 0;
  double Coordinate::*of = &Coordinate::x;
};

/// Errors at the end by steps of h, h/2, h/4 shrink as h^2.
void expect_order_two(const std::string& scene, const Overrides& overrides, double duration,
                      double step, const std::vector<Wanted>& exact) {
  std::vector<std::string> names;
  for (const Wanted& w : exact) names.push_back(w.name);
  std::vector<std::array<double, 3>> error(names.size());
  for (std::size_t k = 0; k < 3; ++k) {
    const auto end = at_end(scene, over(overrides, duration, step / (1 << k)), names);
    for (std::size_t i = 0; i < names.size(); ++i)
      error[i][k] = std::abs(end[i].*exact[i].of - exact[i].value);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const double order : orders(error[i])) EXPECT_NEAR(order, 2, 0.1) << names[i];
}

// ---- a bead of 0.2 kg, a ball of 3 cm, on a hoop of 0.5 m that turns at 8 rad/s

namespace hoop {

constexpr double kR = 0.5, kW = 8, kMass = 0.2, kBall = 0.03;  // [m], [rad/s], [kg], [m]
constexpr double kInertia = kMass * kR * kR + 0.4 * kMass * kBall * kBall;  // of theta [kg m^2]
const double kRest = std::acos(kGravity / (kW * kW * kR));

double slope(double theta) {
  return kMass * kR * std::sin(theta) * (kR * kW * kW * std::cos(theta) - kGravity) / kInertia;
}
/// 1/2 I theta'^2 + V - 1/2 m R^2 W^2 sin^2 theta.
double jacobi(const Coordinate& theta) {
  const double s = std::sin(theta.x);
  return kInertia / 2 * theta.rate * theta.rate - kMass * kGravity * kR * std::cos(theta.x) -
         kMass * kR * kR * kW * kW / 2 * s * s;
}

}  // namespace hoop

TEST(SystemHoop, BeadRestsWhereItsWeightIsBalanced) {
  for (const Overrides& how : {by_forces("1e-12"), by_impulses()}) {
    const auto end = at_end("hoop", set(over(how, 10, 1e-3), "hoop.theta", "value", hoop::kRest),
                            {"hoop.theta"});
    EXPECT_NEAR(end[0].x, hoop::kRest, kRounding);
    EXPECT_NEAR(end[0].rate, 0, kRounding);
  }
}

/// Small swings have W sin(theta0), less for the ball's own inertia: after n turns the bead is
/// back, a quarter turn later at rest's place.
TEST(SystemHoop, BeadSwingsAboutItAtTheKnownFrequency) {
  constexpr double kSmall = 1e-4;  // [rad]
  const double rate = hoop::kW * std::sin(hoop::kRest) *
                      std::sqrt(hoop::kMass * hoop::kR * hoop::kR / hoop::kInertia),
               period = 2 * pi / rate;
  for (const auto& [how, step] : {std::pair(by_forces("1e-12"), 0.05), {by_impulses(), 1e-3}})
    for (const double turns : {10.0, 10.25}) {
      const auto end = at_end("hoop",
                              set(over(how, turns * period, step * period), "hoop.theta", "value",
                                  hoop::kRest + kSmall),
                              {"hoop.theta"});
      const double wanted = turns == 10 ? kSmall : 0;
      // model: a swing of a has its middle off by a^2; truncation of steps by impulses
      EXPECT_NEAR(end[0].x - hoop::kRest, wanted, 5e-4 * kSmall) << turns;
    }
}

TEST(SystemHoop, JacobisIntegralIsKept) {
  const double scale = hoop::kMass * hoop::kR * hoop::kR * hoop::kW * hoop::kW / 2;  // [J]
  for (const auto& [how, least, most] :
       {std::tuple(by_forces("1e-12"), 0.0, kForces), {by_impulses(), 1e-8, 1e-4}}) {
    double off = 0;
    const double start = hoop::jacobi({pi / 6, 0, 0});
    at_end("hoop", over(how, 10, 1e-3), {}, [&](const sim::Simulation& sim) {
      off = std::max(off, std::abs(hoop::jacobi(coordinate(sim, "hoop.theta")) - start));
      EXPECT_NEAR(coordinate(sim, "hoop.phi").rate, hoop::kW, kRounding);
    });
    EXPECT_GE(off, least * scale);
    EXPECT_LE(off, most * scale);  // truncation
  }
}

TEST(SystemHoop, BeadFollowsTheReducedEquation) {
  const double exact =
      reduced([](double x, double) { return hoop::slope(x); }, pi / 6, 0, 10).first;
  EXPECT_NEAR(at_end("hoop", over(by_forces("1e-12"), 10, 1e-2), {"hoop.theta"})[0].x, exact,
              kForces);
  expect_order_two("hoop", by_impulses(), 10, 2e-3, {{"hoop.theta", exact}});
}

// ---- a point of 1 kg on a rod of 1 m in longitude and colatitude, from 60 degrees

namespace sphere {

const std::string kScene = R"toml(
[[system]]
name = "p"
[[system.coordinate]]
name = "phi"
unit = "rad"
rate = 2
[[system.coordinate]]
name = "theta"
unit = "rad"
value = "60 deg"
[[system.object]]
name = "bob"
position = ["1 [m]*sin(theta)*cos(phi)", "1 [m]*sin(theta)*sin(phi)", "-1 [m]*cos(theta)"]
mass = 1
)toml";
const std::vector<std::string> kNames{"p.phi", "p.theta"};

/// Between the turning points z' = sqrt(2 g (z - one) (two - z) (z - three)), z = cos theta, and
/// phi' = L / (1 - z^2).
struct Motion {
  double L, energy, one, two, three, period, advance;

  Motion() {
    constexpr double z = 0.5, rate = 2;
    L = (1 - z * z) * rate;
    energy = L * rate / 2 - kGravity * z;
    // 2 (E + g z) (1 - z^2) - L^2 = -2 g (z - one) (z^2 + b z + c)
    const double b = z + energy / kGravity, c = b * z - 1;
    const double root = std::sqrt(b * b / 4 - c);
    one = std::min(z, -b / 2 + root);
    two = std::max(z, -b / 2 + root);
    three = -b / 2 - root;
    period = 2 * over_half_turn([&](double a) { return 1 / speed(at(a)); });
    advance = 2 * over_half_turn([&](double a) { return L / (1 - at(a) * at(a)) / speed(at(a)); });
  }
  double at(double a) const { return (one + two) / 2 + (two - one) / 2 * std::sin(a); }
  /// Rate of a.
  double speed(double z) const { return std::sqrt(2 * kGravity * (z - three)); }
};

}  // namespace sphere

TEST(SystemSphericalPendulum, TurnsWhereItsCubicSaysAndWhenByForces) {
  const sphere::Motion m;
  ASSERT_GT(std::acos(m.one) - std::acos(m.two), 0.3);
  double swept = 0, L = 0, energy = 0, most = 0, least = 2;
  for (const double periods : {3.5, 4.0}) {
    const auto end = at_end(
        sphere::kScene, over(by_forces("1e-12"), periods * m.period, m.period / 500),
        sphere::kNames, [&](const sim::Simulation& sim) {
          const Coordinate phi = coordinate(sim, "p.phi"), theta = coordinate(sim, "p.theta");
          L = std::max(L, std::abs(phi.momentum - m.L));
          energy = std::max(energy, std::abs(sim.energy() - m.energy));
          most = std::max(most, theta.x);
          least = std::min(least, theta.x);
        });
    EXPECT_NEAR(end[1].x, std::acos(periods == 4 ? 0.5 : m.one + m.two - 0.5), kForces);
    EXPECT_NEAR(end[1].rate, 0, kForces);
    EXPECT_NEAR(end[0].x, periods * m.advance, kForces);
    swept = std::max(swept, end[0].x);
  }
  EXPECT_GT(swept, 2 * pi);
  EXPECT_LE(L, kForces);
  EXPECT_LE(energy, 10 * kForces);
  EXPECT_LE(std::max(most - std::acos(m.one), std::acos(m.two) - least), kForces);
}

TEST(SystemSphericalPendulum, KeepsItsMomentumAndFollowsToSecondOrderByImpulses) {
  const sphere::Motion m;
  double L = 0, energy = 0;
  at_end(sphere::kScene, over(by_impulses(), 4 * m.period, m.period / 500), {},
         [&](const sim::Simulation& sim) {
           L = std::max(L, std::abs(coordinate(sim, "p.phi").momentum - m.L));
           energy = std::max(energy, std::abs(sim.energy() - m.energy));
         });
  EXPECT_LE(L, 1e-13);      // rounding
  EXPECT_LE(energy, 1e-2);  // truncation
  EXPECT_GE(energy, 1e-6);
  expect_order_two(sphere::kScene, by_impulses(), 4 * m.period, m.period / 400,
                   {{"p.phi", 4 * m.advance}, {"p.theta", 0, &Coordinate::rate}});
}

// ---- a free body of I1 = I2 = 1 kg m^2, I3 = 0.4 kg m^2 in Euler angles

namespace spinning {

constexpr double kI1 = 1, kI3 = 0.4, kL = 3, kTilt = 0.9;  // [kg m^2], [N m s], [rad]

const std::string kScene = R"toml(
simulation = {gravity = 0}
[[system]]
name = "b"
[[system.coordinate]]
name = "phi"
unit = "rad"
[[system.coordinate]]
name = "beta"
unit = "rad"
value = 0.9
[[system.coordinate]]
name = "psi"
unit = "rad"
[[system.object]]
name = "body"
euler = ["phi", "beta", "psi"]
mass = 2
inertia = [1, 1, 0.4]
)toml";
const std::vector<std::string> kNames{"b.phi", "b.beta", "b.psi"};

/// Rates where the angular momentum L is upright and the body spins by itself.
constexpr double kTurn = kL / kI1;
const double kSpin = kL * std::cos(kTilt) * (1 / kI3 - 1 / kI1);

Overrides start(Overrides list) {
  return set(set(std::move(list), "b.phi", "rate", kTurn), "b.psi", "rate", kSpin);
}

Vec3 axis(double phi, double beta) {
  return {std::sin(beta) * std::sin(phi), -std::sin(beta) * std::cos(phi), std::cos(beta)};
}

}  // namespace spinning

TEST(SystemFreeBody, PrecessesAndSpinsAtTheKnownRates) {
  for (const auto& [how, off] :
       {std::pair(by_forces("1e-12"), kForces), {by_impulses(), kRounding}}) {
    const auto end =
        at_end(spinning::kScene, spinning::start(over(how, 10, 1e-2)), spinning::kNames);
    EXPECT_NEAR(end[0].x, 10 * spinning::kTurn, off);
    EXPECT_NEAR(end[1].x, spinning::kTilt, off);
    EXPECT_NEAR(end[2].x, 10 * spinning::kSpin, off);
    EXPECT_NEAR(end[0].momentum, spinning::kL, off);
    EXPECT_NEAR(end[2].momentum, spinning::kL * std::cos(spinning::kTilt), off);
  }
}

/// Where L leans all three angles change: the body's axis turns about L at |L| / I1, and the spin
/// about that axis stays.
TEST(SystemFreeBody, AxisTurnsAboutAnyMomentum) {
  constexpr double kNod = 0.7, kTime = 5;  // rate of beta at the start [rad/s]
  using namespace spinning;
  const Overrides how = set(start({}), "b.beta", "rate", kNod);
  const Vec3 e = axis(0, kTilt), across = Vec3::UnitX();  // the line of nodes at the start
  const double about = kTurn * std::cos(kTilt) + kSpin;
  const Vec3 w = kTurn * Vec3::UnitZ() + kNod * across + kSpin * e;
  const Vec3 L = kI1 * (w - about * e) + kI3 * about * e;
  const Vec3 there = exp_matrix(L * (kTime / kI1)) * e;
  const double beta = std::acos(there.z());
  const auto plus = [](Overrides a, const Overrides& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  const auto end = at_end(kScene, plus(over(by_forces("1e-12"), kTime, 1e-2), how), kNames);
  EXPECT_LE((axis(end[0].x, end[1].x) - there).norm(), kForces);
  EXPECT_NEAR(end[0].rate * std::cos(end[1].x) + end[2].rate, about, kForces);
  EXPECT_NEAR(end[0].momentum, L.z(), kForces);
  expect_order_two(kScene, plus(by_impulses(), how), kTime, 1e-2, {{"b.beta", beta}});
}

// ---- the heavy top of scenes/systems

namespace top {

constexpr double kMass = 0.5, kArm = 0.08, kRadius = 0.05, kLength = 0.02;  // [kg], [m]
constexpr double kTilt = 40 * pi / 180, kSpin = 120;                        // [rad], [rad/s]
constexpr double kI3 = kMass * kRadius * kRadius / 2;  // [kg m^2], about the pivot
constexpr double kI1 =
    kMass * (3 * kRadius * kRadius + kLength * kLength) / 12 + kMass * kArm * kArm;
constexpr double kMoment = kMass * kGravity * kArm;  // [N m]
const std::vector<std::string> kNames{"top.precession", "top.tilt", "top.spin"};

/// Let go at rest but for its spin: u = cos(tilt) runs between two and one = cos 40 deg, and
/// u' = sqrt(2 m g l / I1 (one - u) (u - two) (three - u)).
struct Nodding {
  double a = kI3 * kSpin / kI1, b = 2 * kMoment / kI1;  // L3 / I1 [1/s], 2 m g l / I1 [1/s^2]
  double one = std::cos(kTilt), two, three, period, precession, spin;

  Nodding() {
    const double half = a * a / b / 2, root = std::sqrt(half * half - 2 * half * one + 1);
    two = half - root;
    three = half + root;
    const auto speed = [&](double u) { return std::sqrt(b * (three - u)); };
    const auto at = [&](double x) { return (one + two) / 2 + (one - two) / 2 * std::sin(x); };
    const auto turn = [&](double u) { return a * (one - u) / (1 - u * u); };
    period = 2 * over_half_turn([&](double x) { return 1 / speed(at(x)); });
    precession = 2 * over_half_turn([&](double x) { return turn(at(x)) / speed(at(x)); });
    spin = kSpin * period -
           2 * over_half_turn([&](double x) { return at(x) * turn(at(x)) / speed(at(x)); });
  }
};

}  // namespace top

TEST(SystemTop, NodsBetweenTheTiltsAndInTheTimeOfItsCubic) {
  const top::Nodding m;
  ASSERT_GT(std::acos(m.two) - top::kTilt, 0.3);
  double most = 0, least = 9;
  for (const double periods : {7.5, 8.0}) {
    const auto end = at_end("top", over(by_forces("1e-12"), periods * m.period, m.period / 100),
                            top::kNames, [&](const sim::Simulation& sim) {
                              const double tilt = coordinate(sim, "top.tilt").x;
                              most = std::max(most, tilt);
                              least = std::min(least, tilt);
                            });
    EXPECT_NEAR(end[0].x, periods * m.precession, kForces);
    EXPECT_NEAR(end[1].x, periods == 8 ? top::kTilt : std::acos(m.two), kForces);
    EXPECT_NEAR(end[1].rate, 0, 30 * kForces);  // by the rate of nodding
    EXPECT_NEAR(end[2].x, periods * m.spin, 30 * kForces);
  }
  EXPECT_LE(std::max(most - std::acos(m.two), top::kTilt - least), kForces);
}

TEST(SystemTop, NodsToSecondOrderByImpulses) {
  const top::Nodding m;
  expect_order_two("top", by_impulses(), 4 * m.period, m.period / 400,
                   {{"top.precession", 4 * m.precession},
                    {"top.spin", 4 * m.spin},
                    {"top.tilt", 0, &Coordinate::rate}});
}

/// The slow root of I1 cos(tilt) W^2 - L3 W + m g l: the top precesses without nodding.
TEST(SystemTop, PrecessesSteadilyAtTheKnownRate) {
  using namespace top;
  constexpr double kL3 = kI3 * 250;  // [N m s]
  const double c = kI1 * std::cos(kTilt), root = std::sqrt(kL3 * kL3 - 4 * c * kMoment);
  for (const double W : {(kL3 - root) / (2 * c), (kL3 + root) / (2 * c)}) {
    const double spin = kL3 / kI3 - W * std::cos(kTilt);
    for (const auto& [how, off] :
         {std::pair(by_forces("1e-12"), 100 * kForces), {by_impulses(), 100 * kRounding}}) {
      Overrides list = over(how, 5, 1e-3);
      list = set(set(list, "top.precession", "rate", W), "top.spin", "rate", spin);
      const auto end = at_end("top", list, kNames);
      EXPECT_NEAR(end[0].x, 5 * W, off);
      EXPECT_NEAR(end[1].x, kTilt, off);
      EXPECT_NEAR(end[2].x, 5 * spin, off);
    }
  }
}

// ---- coordinates

/// A rotor that starts at 400 degrees and makes ten turns: its angle is the unknown itself, with
/// its whole turns, whether a law acts on it or not.
TEST(SystemCoordinates, AreExportedWithTheirTurns) {
  const std::string rotor = R"toml(
[simulation]
gravity = 0
[[system]]
name = "rotor"
[[system.coordinate]]
name = "phi"
unit = "rad"
value = "400 deg"
rate = 31.4
[[system.object]]
name = "disc"
turns = [{axis = [0, 0, 1], angle = "phi"}]
mass = 1
inertia = [1, 1, 2]
)toml";
  const std::string law =
      "[[law]]\nname = \"it\"\ntype = \"actuator\"\njoint = \"rotor.phi\"\nforce = 0\n";
  const double start = 400 * std::numbers::pi / 180;
  for (const std::string& scene : {rotor, rotor + law})
    for (const char* formulation : {"velocity", "acceleration", "energy"}) {
      const io::LoadedScene s =
          loaded(scene, over({{"simulation.formulation", formulation}}, 2, 1e-2));
      sim::Simulation sim(s.built, s.scene.settings);
      sim::Present now(sim);
      EXPECT_NEAR(now.coordinate("rotor.phi.angle"), start, 1e-9) << formulation;
      run(sim);
      EXPECT_GE(now.coordinate("rotor.phi.angle"), start + 8 * 2 * std::numbers::pi) << formulation;
      EXPECT_NEAR(now.coordinate("rotor.phi.angle"), sim.state().q[0], 1e-9) << formulation;
      EXPECT_EQ(now.coordinate(model::coordinate_named(sim.model(), "rotor.phi.angle")),
                now.coordinate("rotor.phi.angle"));
    }
}

// ---- momenta

/// dL/dx' by its channel, in all formulations: sin^2(theta) phi' and theta' of the pendulum.
TEST(SystemMomenta, AreChannels) {
  for (const char* formulation : {"velocity", "acceleration", "energy"}) {
    const Overrides how{{"simulation.formulation", formulation}};
    const io::LoadedScene s = loaded(sphere::kScene, over(how, 0.5, 1e-3));
    sim::Simulation sim(s.built, s.scene.settings);
    run(sim);
    const Coordinate phi = coordinate(sim, "p.phi"), theta = coordinate(sim, "p.theta");
    ASSERT_GT(std::abs(theta.rate), 0.1);
    sim::Present now(sim);
    const double sine = std::sin(theta.x);
    EXPECT_NEAR(now.of("/systems/momentum", "p.phi")[0], sine * sine * phi.rate, 1e-13);
    EXPECT_NEAR(now.of("/systems/momentum", "p.theta")[0], theta.rate, 1e-13);
    EXPECT_NEAR(now.of("/systems/momentum", "p.phi")[0], 1.5, 1e-3) << formulation;
  }
}

TEST(SystemMomenta, HaveTheirUnits) {
  const io::LoadedScene s = loaded("cart_pole");
  const sim::Simulation sim(s.built, s.scene.settings);
  std::map<std::string, std::string> units;
  for (const sim::ChannelText& c : sim::channels(sim)) units[c.name] = c.unit;
  EXPECT_EQ(units["cart_pole.x.momentum"], "N s");
  EXPECT_EQ(units["cart_pole.theta.momentum"], "N m s");
}

/// Precession and spin of the top, which nods.
TEST(SystemMomenta, OfCyclicCoordinatesAreKeptToRoundingByImpulses) {
  const double L3 = top::kI3 * top::kSpin, Lz = L3 * std::cos(top::kTilt);  // [N m s]
  double off = 0, most = 0;
  at_end("top", over(by_impulses(), 5, 5e-4), {}, [&](const sim::Simulation& sim) {
    off = std::max({off, std::abs(coordinate(sim, "top.precession").momentum - Lz),
                    std::abs(coordinate(sim, "top.spin").momentum - L3)});
    most = std::max(most, std::abs(coordinate(sim, "top.tilt").momentum));
  });
  EXPECT_LE(off, 1e-13 * L3);
  EXPECT_GT(most, 0.1 * L3);
}

}  // namespace
}  // namespace trammel::acceptance::systems_known_test
