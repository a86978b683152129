// The energy formulation's stops, impacts and what lets go: plastic, accounted for, as in the
// others.
#include <fmt/format.h>

#include <limits>

#include "model/ledger.h"
#include "track_support.h"

namespace trammel::acceptance::energy_stops_test {
namespace {

using Difference = form::Settings::Difference;

form::Settings by_energy(Difference difference, double stiffness) {
  form::Settings s;
  s.formulation = form::Settings::Formulation::energy;
  s.difference = difference;
  s.joint_stiffness = stiffness;
  return s;
}

/// bdf1 and bdf2, joints that hold and soft ones.
const std::vector<form::Settings>& ways() {
  static const std::vector<form::Settings> all{
      by_energy(Difference::bdf1, law::kInf), by_energy(Difference::bdf2, law::kInf),
      by_energy(Difference::bdf1, 1e9), by_energy(Difference::bdf2, 1e9)};
  return all;
}

/// A cart of a ton on a slide along an oblique axis.
const Vec3 kAlong = Vec3(1, 2, 0.5).normalized(), kPlace(3, -1, 2);
model::Builder cart(bool affine = false) {
  model::Builder b;
  b.gravity.setZero();
  model::BodySpec body = solid("cart", 1000, {300, 400, 500}, {kPlace});
  if (affine) body.affine = model::Elastic{law::kInf, {}};
  b.add_body(body);
  b.add_joint(joint("slide", "prismatic", "ground", "cart", frame(kPlace, kAlong)));
  return b;
}

model::LoadSpec push(const std::string& body, const Vec3& axis, const Signal& along) {
  model::LoadSpec l;
  l.name = "push on " + body;
  l.body = body;
  for (int k = 0; k < 3; ++k)
    l.value[static_cast<std::size_t>(k)] = Signal::function([along, a = axis[k]](double t) {
      return Jet{a * along.value(t), 0, 0};
    });
  return l;
}

/// What the audit of a run must say in any case: what Newton leaves, momenta as parts of what
/// moves.
void expect_balance(const sim::Simulation& sim, double of, double momentum = 1e-9) {
  EXPECT_LE(std::abs(sim.imbalance()), 1e-8 * of);
  EXPECT_LE(sim.summary().momentum_residual_rel, momentum);
}

TEST(EnergyStops, AreMetAtHighSpeedAndNothingComesBack) {
  for (const bool affine : {false, true})
    for (const form::Settings& way : ways())
      for (const double h : {1e-3, 17e-3}) {
        SCOPED_TRACE(fmt::format("affine {}, {}, {} N/m, {} s", affine, name_of(way.difference),
                                 way.joint_stiffness, h));
        model::Builder b = cart(affine);
        b.add_law(law("stop", "limit", "slide", "travel", {{"to", 1}}));
        model::Built m = built(b);
        for (int k = 0; k < 3; ++k) m.state.P[static_cast<std::size_t>(k)] = 30000 * kAlong[k];
        Simulation sim(m, settings(0.2, h, way));
        run(sim);
        EXPECT_NEAR(coordinate(sim, "slide", "travel"), 1, 1e-9);
        EXPECT_LE(velocity(sim, "cart").first.norm(), 1e-6);
        EXPECT_NEAR(sim.state().ledger[model::kImpacts], -450e3, 1e-3);
        EXPECT_LE(std::abs(sim.summary().numerical_damping), 1e-3);
        expect_balance(sim, 450e3);
        const auto events = sim.take_events();
        ASSERT_EQ(events.size(), 1u);
        EXPECT_EQ(events[0].kind, form::EventKind::impact);
        EXPECT_NEAR(events[0].value, 30, 1e-6);
      }
}

/// At 2 m/s steps of 1 ms end at 0.9 m to rounding, just before it or just beyond.
TEST(EnergyStops, AreNoSpringsForWhatMeetsThemAtTheEndOfAStep) {
  for (const form::Settings& way : ways())
    for (const double to : {0.9, 0.9 - 5e-11, 0.9 + 5e-11, 0.9 + 1e-9, 1.8, 0.002}) {
      SCOPED_TRACE(
          fmt::format("{}, {} N/m, {} m", name_of(way.difference), way.joint_stiffness, to));
      model::Builder b = cart();
      b.add_law(law("stop", "limit", "slide", "travel", {{"to", to}}));
      model::Built m = built(b);
      for (int k = 0; k < 3; ++k) m.state.P[static_cast<std::size_t>(k)] = 2000 * kAlong[k];
      sim::Simulation sim(m, settings(1, 1e-3, way));
      run(sim);
      EXPECT_NEAR(coordinate(sim, "slide", "travel"), to, 1e-9);
      EXPECT_LE(velocity(sim, "cart").first.norm(), 1e-6);
      EXPECT_NEAR(sim.state().ledger[model::kImpacts], -2e3, 1e-5);
      expect_balance(sim, 2e3);
      const auto events = sim.take_events();
      ASSERT_EQ(events.size(), 1u);
      EXPECT_NEAR(events[0].value, 2, 1e-6);
    }
}

/// Pushed to one stop, held there, and back to the other: x = 1 - F t^2 / 2 m after 0.4 s.
TEST(EnergyStops, LetGoOfWhatIsPulledAway) {
  for (const form::Settings& way : ways()) {
    std::array<double, 2> error{};
    for (std::size_t i = 0; i < 2; ++i) {
      model::Builder b = cart();
      b.add_law(law("stop", "limit", "slide", "travel", {{"from", -0.5}, {"to", 0.3}}));
      b.add_load(push("cart", kAlong, Signal::function([](double t) {
                        return Jet{t < 0.5 ? 10e3 : -20e3 * std::sin(t - 0.5), 0, 0};
                      })));
      Simulation sim(built(b), settings(1.1, 0.01 / (1 << i), way));
      double most = 0;
      run(sim, [&] { most = std::max(most, coordinate(sim, "slide", "travel")); });
      EXPECT_LE(most, 0.3 + 1e-9);
      const double s = 0.6, x = 0.3 - 20 * (s - std::sin(s));
      error[i] = std::abs(coordinate(sim, "slide", "travel") - x);
      expect_balance(sim, 3e3);
      Simulation longer(built(b), settings(1.6, 0.01, way));
      run(longer);
      EXPECT_NEAR(coordinate(longer, "slide", "travel"), -0.5, 1e-9);
    }
    const int order = order_of(way.difference);
    EXPECT_GE(std::log2(error[0] / error[1]), order - 0.3) << error[0] << " " << error[1];
  }
}

TEST(EnergyStops, BearWhatRestsOnThemForLong) {
  for (const form::Settings& way : ways()) {
    model::Builder b;
    b.add_body(solid("block", 7, {1, 2, 3}, {Vec3(0, 0, 0.5)}));
    b.add_joint(
        joint("column", "prismatic", "ground", "block", frame(Vec3(0, 0, 0.5), Vec3::UnitZ())));
    b.add_law(law("floor", "limit", "column", "travel", {{"from", -0.5}}));
    Simulation sim(built(b), settings(20, 0.01, way));
    double deepest = 0, fastest = 0, least = law::kInf, most = 0;
    run(sim, [&] {
      if (sim.state().t < 0.4) return;
      deepest = std::max(deepest, std::abs(pose(sim, "block").p.z()));
      fastest = std::max(fastest, velocity(sim, "block").first.norm());
      least = std::min(least, sim.formulation().row_forces().back());
      most = std::max(most, sim.formulation().row_forces().back());
    });
    EXPECT_LE(deepest, 1e-10);
    EXPECT_LE(fastest, 1e-10);
    EXPECT_NEAR(least, 7 * kG, 1e-6);
    EXPECT_NEAR(most, 7 * kG, 1e-6);
    EXPECT_EQ(sim.take_events().size(), 1u);
    EXPECT_NEAR(sim.state().ledger[model::kImpacts], -7 * kG * 0.5, 0.1 * 7 * kG * 0.5);
    expect_balance(sim, 7 * kG * 0.5);
  }
}

/// Two bodies in space, swinging about a hinge that stops: apart from the reference by forces.
model::Built hinged() {
  model::Builder b;
  b.gravity.setZero();
  model::BodySpec left = box("left", {1, 0.2, 0.3}, 3, {Vec3(-0.5, 0, 0)}),
                  right = box("right", {0.8, 0.3, 0.2}, 2, {Vec3(0.4, 0, 0)});
  left.w = {0.3, -0.2, -1};
  left.v = left.w.cross(left.X_WB.p);
  right.w = {0.3, -0.2, 2};
  right.v = right.w.cross(right.X_WB.p);
  b.add_body(left);
  b.add_body(right);
  b.add_joint(joint("hinge", "revolute", "left", "right", frame(Vec3::Zero(), Vec3::UnitZ())));
  b.add_law(law("stop", "limit", "hinge", "angle", {{"to", 0.7}}));
  return built(b);
}

/// Two carts whose sum of ways is limited, and a rope between them that may not get longer.
model::Built coupled() {
  model::Builder b;
  b.gravity.setZero();
  for (const char* name : {"first", "second"}) {
    model::BodySpec body = solid(name, *name == 'f' ? 2 : 5, {1, 1, 1});
    body.v = {*name == 'f' ? 3. : 0.5, 0, 0};
    b.add_body(body);
    b.add_joint(joint(std::string(name) + " slide", "prismatic", "ground", name, {}));
  }
  model::CouplingSpec sum;
  sum.name = "sum";
  sum.of = {{"first slide", "travel"}, {"second slide", "travel"}};
  sum.coefficients = {1, -2};
  b.add_coupling(sum);
  b.add_law(law("stop", "limit", "sum", "", {{"from", -1}, {"to", 0.5}}));
  b.add_law(law("spring", "spring", "first slide", "travel", {{"stiffness", 20}}));
  return built(b);
}

Vec3 end_of(const model::Built& m, const form::Settings& way, double h, const std::string& body) {
  Simulation sim(m, settings(1, h, way));
  run(sim);
  // angular momentum to truncation: forces act where a step ends
  const bool energy = way.formulation == form::Settings::Formulation::energy;
  EXPECT_LE(sim.summary().momentum_residual_rel, energy ? 1e-3 : 1e-9);
  return pose(sim, body).p;
}

TEST(EnergyStops, OfHingesAndCouplingsStopAsByForces) {
  form::Settings forces;
  forces.formulation = form::Settings::Formulation::acceleration;
  for (const auto& [m, body] : {std::pair(hinged(), "right"), std::pair(coupled(), "first")}) {
    const Vec3 exact = end_of(m, forces, 1e-2, body);
    for (const form::Settings& way : ways()) {
      const double coarse = (end_of(m, way, 4e-3, body) - exact).norm(),
                   fine = (end_of(m, way, 1e-3, body) - exact).norm();
      EXPECT_LE(coarse, 8 * 4e-3);  // order 1 where the moment of an impact falls in a step
      EXPECT_LE(fine, 8 * 1e-3);
    }
  }
}

TEST(EnergyStops, OfRowsThatHoldInOneDirection) {
  auto parsed = trammel::joint::make_table(
      "stopped", std::vector<std::string>{"Ay.D", "Az.D", "Ax.By", "Ax.Bz", "Ay.Bz", "up = Ax.D"},
      {}, {});
  model::Builder b;
  b.add_body(solid("ball", 1, {1, 1, 1}, {Vec3(0, 0, 1)}));
  auto j = joint("stop", "", "ground", "ball", {});
  j.table = std::make_shared<const trammel::joint::Table>(std::move(parsed.table));
  j.at.reset();
  j.frame_a = j.frame_b = frame(Vec3::Zero(), Vec3::UnitZ());
  model::RowSpec row;
  row.row = "up";
  row.unilateral = true;
  j.rows.push_back(row);
  b.add_joint(j);
  for (const form::Settings& way : ways()) {
    Simulation sim(built(b), settings(1, 1e-3, way));
    run(sim);
    EXPECT_NEAR(pose(sim, "ball").p.z(), 0, 1e-9);
    EXPECT_NEAR(sim.state().ledger[model::kImpacts], -kG, 0.01 * kG);
    EXPECT_LE(std::abs(sim.summary().numerical_damping), 0.01 * kG);
  }
}

TEST(EnergyStops, WithRestitutionOrByMidpointAreRefused) {
  const auto why = [](const form::Settings& way, double restitution) -> std::string {
    model::Builder b = cart();
    b.add_law(law("stop", "limit", "slide", "travel", {{"to", 1}, {"restitution", restitution}}));
    const auto problems = form::Formulation::refused(*built(b).model, built(b).params, way);
    return problems.empty() ? "" : problems.front().text;
  };
  EXPECT_EQ(why(ways()[1], 0), "");
  EXPECT_NE(why(ways()[1], 0.5).find("plastic stops only"), std::string::npos);
  EXPECT_NE(why(by_energy(Difference::midpoint, 1e9), 0).find("by midpoint does not stop"),
            std::string::npos);
}

/// What the formula takes is said, though the accounts close: a pendulum by bdf1 in long steps.
TEST(EnergyBalance, NumericalDampingIsANumberOfItsOwn) {
  model::Builder b;
  b.add_body(solid("bob", 2, {0.1, 0.1, 0.1}, {Vec3(1, 0, 0)}));
  b.add_joint(joint("pivot", "revolute", "ground", "bob", frame(Vec3::Zero(), Vec3::UnitY())));
  Simulation sim(built(b), settings(20, 0.05, by_energy(Difference::bdf1, law::kInf)));
  run(sim);
  const sim::Summary& s = sim.summary();
  EXPECT_LE(s.energy_residual_rel(), 1e-4);
  EXPECT_GT(s.numerical_damping, 0.9 * 2 * kG);  // it has come to rest, 2 g lower
  EXPECT_NEAR(s.numerical_damping, -sim.state().ledger[model::kIntegrator], 1e-6);
  EXPECT_GT(s.numerical_damping_rel(), 0.5);
}

/// A motor at its bound whose target jumps, on the grid and off it: 4 N one way, then the other.
TEST(EnergyJumps, OfAMotorsTargetCostNoOrder) {
  for (const form::Settings& way : ways())
    for (const double jump : {0.4, 0.4137}) {
      const auto error = [&](double h) {
        model::Builder b = cart();
        model::LawSpec l =
            law("motor", "motor", "slide", "travel", {{"force_min", -4000}, {"force_max", 4000}});
        l.drive = Drive{Drive::Level::velocity, Signal::spline({0, jump, jump, 2}, {9, 9, -9, -9})};
        b.add_law(l);
        Simulation sim(built(b), settings(1, h, way));
        run(sim);
        const double left = 1 - jump;
        return std::abs(coordinate(sim, "slide", "travel") - 2 * jump * jump - 4 * jump * left +
                        2 * left * left);
      };
      const double coarse = error(0.02), fine = error(0.005);
      if (coarse <= 1e-10) continue;  // exact
      EXPECT_GE(std::log2(coarse / fine) / 2, order_of(way.difference) - 0.2)
          << jump << " s: " << coarse << " " << fine;
    }
}

/// A car on soft rails pushed sideways: x = F/k (1 - cos wt) until the limit, then on its own.
TEST(EnergyDerail, LetsGoWhereADisplacementPassesItsLimit) {
  constexpr double k = 1e5, mass = 100, force = 5.8e3, limit = 0.02;
  const double exact = std::acos(1 - limit * k / force) / std::sqrt(k / mass);
  for (const Difference d : {Difference::bdf1, Difference::bdf2, Difference::midpoint}) {
    model::Builder b;
    b.gravity.setZero();
    b.add_track(track_of(line(200)));
    b.add_body(on_track("car", mass, 5, 4, {40, 50, 60, 0, 0, 0}));
    model::JointSpec j = running("car");
    j.derail = {limit, 0.1, 0.5, 0.5, 0.5};
    b.add_joint(j);
    b.add_load(push("car", Vec3::UnitY(), Signal(force)));
    const double h = 1e-4;
    Simulation sim(built(b), settings(0.05, h, by_energy(d, k)));
    run(sim);
    std::vector<form::Event> gone;
    for (const form::Event& e : sim.take_events())
      if (e.kind == form::EventKind::derail) gone.push_back(e);
    ASSERT_EQ(gone.size(), 1u);
    EXPECT_NEAR(gone[0].t, exact, order_of(d) == 1 ? h : 2e-6);
    EXPECT_FALSE(sim.state().on[0]);
    const double w = std::sqrt(k / mass), left = 0.05 - gone[0].t,
                 v = force / k * w * std::sin(w * exact);
    EXPECT_NEAR(pose(sim, "car").p.y(), limit + v * left + force / mass * left * left / 2,
                order_of(d) == 1 ? 1e-3 : 2e-5);
    // the first step, of bdf1, has its forces where it ends: h^2 F v of m v times the reach, 0.87 m
    const double turned = d == Difference::midpoint ? 1e-9 : 1.2 * h * h * force / mass;
    expect_balance(sim, 100, turned);
  }
}

/// A soft joint breaks at its strength: k x = 1 kN, under a load that grows.
TEST(EnergyStrength, BreaksWhereItsForceIsPassed) {
  for (const form::Settings& way : ways()) {
    model::Builder b;
    b.gravity.setZero();
    b.add_body(solid("block", 10, {1, 1, 1}, {kPlace}));
    model::JointSpec j = joint("weld", "fixed", "ground", "block", {kPlace});
    j.strength = 1000;
    b.add_joint(j);
    b.add_load(push("block", Vec3::UnitX(), Signal::function([](double t) {
                      return Jet{2000 * t, 2000, 0};
                    })));
    Simulation sim(built(b), settings(1, 1e-3, way));
    run(sim);
    const auto events = sim.take_events();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, form::EventKind::breaking);
    EXPECT_NEAR(events[0].t, 0.5, 2e-3);
    EXPECT_NEAR(pose(sim, "block").p.x() - 3, 50. / 3, 0.1);  // x'' = 200 t from 0.5 s on
    // the force of a soft joint is its stiffness times a gap that is known to rounding of places
    constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();
    const bool soft = std::isfinite(way.joint_stiffness);
    const double first = 2000 * 1e-3;  // of the load, after a step [N]
    expect_balance(sim, 1e3, soft ? kRounding * kPlace.norm() * way.joint_stiffness / first : 1e-9);
  }
}

}  // namespace
}  // namespace trammel::acceptance::energy_stops_test
