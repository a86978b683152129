// The acceleration formulation on whole mechanisms: observed orders, errors against kept
// references, drift, accounts, events. Tolerances on orders are truncation: what higher powers
// leave.
#include "form/acceleration.h"

#include <fmt/format.h>

#include <map>

#include "model/ledger.h"
#include "support.h"

namespace trammel::acceptance::acceleration_test {
namespace {

using form::Acceleration;
constexpr double kG = 9.81;
const Vec3 kChainAt2(-7.13711850455, 0, -5.76611045024);  // independent 80-bit integration

/// accuracy: infinite: a step of the method is one of the grid.
form::Settings with(RungeKuttaMethod method, double accuracy = INFINITY) {
  form::Settings s;
  s.formulation = form::Settings::Formulation::acceleration;
  s.method = method;
  s.accuracy = {accuracy, accuracy, accuracy, accuracy, accuracy};
  return s;
}

struct Ran {
  model::State state;
  Vec3 p = Vec3::Zero();  // of a body at the end
  double gap = 0, angle = 0, row_speed = 0, energy = 0;
  Acceleration::Counts counts;
};

double accounted(const model::State& state) {
  double sum = 0;
  for (std::size_t i = 0; i < state.ledger.size(); ++i)
    sum += i == model::kInitial ? 0 : state.ledger[i];
  return sum;
}

/// To T in n calls of step().
Ran ran(const model::Built& b, const std::string& body, double T, int n,
        const form::Settings& settings) {
  Acceleration form(*b.model, b.params, settings);
  Ran out;
  out.state = b.state;
  EXPECT_TRUE(form.load(out.state));
  const double energy = form.total_energy(out.state);
  form::StepReport report;
  for (int k = 0; k < n; ++k) {
    form.step(out.state, T / n, report);
    EXPECT_EQ(report.status, form::Status::ok) << report.reason;
    if (report.status != form::Status::ok) break;
    out.gap = std::max(out.gap, report.gap);
    out.angle = std::max(out.angle, report.angle);
    out.row_speed = std::max(out.row_speed, report.row_speed);
    out.energy = std::max(out.energy,
                          std::abs(form.total_energy(out.state) - energy - accounted(out.state)));
  }
  out.counts = form.counts();
  out.p = form.now().T_WO[static_cast<std::size_t>(b.model->find_object(body))].p;
  return out;
}

void expect_orders(const model::Built& b, const std::string& body, double T, const Vec3& exact,
                   const std::array<int, 3>& steps) {
  constexpr std::array kMethods{RungeKuttaMethod::rk4, RungeKuttaMethod::dp5,
                                RungeKuttaMethod::dp8};
  constexpr std::array kOrders{4., 5., 8.};
  for (std::size_t m = 0; m < 3; ++m) {
    const double coarse = (ran(b, body, T, steps[m], with(kMethods[m])).p - exact).norm();
    const double fine = (ran(b, body, T, 2 * steps[m], with(kMethods[m])).p - exact).norm();
    SCOPED_TRACE(fmt::format("{}: {:.3g} {:.3g}", name_of(kMethods[m]), coarse, fine));
    EXPECT_GE(std::log2(coarse / fine), kOrders[m] - 0.4);
    EXPECT_LE(std::log2(coarse / fine), kOrders[m] + 1.8);  // order 8 is at rounding before long
    EXPECT_GT(fine, 2e-12) << "rounding";
  }
}

TEST(Acceleration, ChainIsOfTheOrdersOfTheMethods) {
  const model::Built b = built(chain(3));
  const Vec3 fine = ran(b, "link2", 1, 1, with(RungeKuttaMethod::dp8, 1e-13)).p;
  expect_orders(b, "link2", 1, fine, {160, 160, 20});
}

TEST(Acceleration, ChainOfTenMeetsTheReference) {
  const model::Built b = built(chain(10));
  for (const auto& [method, accuracy, most] : {std::tuple(RungeKuttaMethod::dp5, 1e-9, 1e-9),
                                               std::tuple(RungeKuttaMethod::dp8, 1e-9, 5e-11),
                                               std::tuple(RungeKuttaMethod::dp8, 3e-5, 3e-6)}) {
    const Ran r = ran(b, "link9", 2, 1, with(method, accuracy));
    EXPECT_LE((r.p - kChainAt2).norm(), most);  // truncation; the reference has 1e-11
    EXPECT_LE(r.gap, 1e-12);
    EXPECT_LE(r.row_speed, 1e-10);
    EXPECT_LE(r.energy, 1e3 * accuracy);  // truncation; 500 J fall
  }
  // what an error of 1e-6 m costs
  EXPECT_LE(ran(b, "link9", 2, 1, with(RungeKuttaMethod::dp8, 3e-5)).counts.slopes, 800);
}

TEST(SlowAcceleration, RowsDoNotDriftInAHundredThousandSteps) {
  const Ran r = ran(built(chain(2)), "link1", 100, 100'000, with(RungeKuttaMethod::rk4));
  EXPECT_LE(r.gap, 1e-12);  // projection's tolerance
  EXPECT_LE(r.row_speed, 1e-10);
  EXPECT_GE(r.counts.steps, 100'000);
}

TEST(Acceleration, BaumgarteKeepsRowsNearWithoutProjection) {
  const model::Built b = built(chain(3));
  form::Settings s = with(RungeKuttaMethod::rk4);
  s.baumgarte.alpha = s.baumgarte.beta = 20;
  const Ran held = ran(b, "link2", 10, 5000, s);
  s.baumgarte.alpha = s.baumgarte.beta = 1e-9;
  const Ran loose = ran(b, "link2", 10, 5000, s);
  EXPECT_LE(held.gap, 1e-6);  // truncation, led back
  EXPECT_GE(held.gap, 1e-12);
  EXPECT_GE(loose.gap, 20 * held.gap);
}

/// What has drifted without projection returns where a signal jumps, and said.
TEST(Acceleration, AJumpMovesWhatHasDriftedOntoItsRows) {
  model::Builder b = chain(3);
  b.add_body(solid("runner", 1, {1, 1, 1}, {Vec3(0, 5, 0)}));
  b.add_joint(joint("slide", "prismatic", "ground", "runner", {Vec3(0, 5, 0)}));
  auto drive = law("drive", "driven", "slide", "travel");
  drive.drive = {Drive::Level::velocity, Signal::spline({0, 5, 5, 6}, {1, 1, 2, 2})};
  b.add_law(drive);
  form::Settings form = with(RungeKuttaMethod::rk4);
  form.baumgarte.alpha = form.baumgarte.beta = 1e-9;
  Simulation sim(built(b), settings(5.1, 2e-3, form));
  double drifted = 0, after = 0;
  run(sim, [&] { (sim.state().t < 5 ? drifted : after) = sim.last().gap; });
  EXPECT_GE(drifted, 1e-9);
  EXPECT_LE(after, drifted / 10);
  std::string seen;
  for (const form::Event& e : sim.take_events())
    if (e.kind == form::EventKind::correction) seen += e.text;
  EXPECT_NE(seen.find("positions moved onto the rows by"), std::string::npos) << seen;
}

/// A parallelogram of two 1 m rods on the ground and a 1 m coupler, in a plane tilted in space:
/// 20 rows on 18 unknowns, 1 degree of freedom.
model::Built tilted_parallelogram(const Mat3& tilt) {
  model::Builder b;
  b.gravity = tilt * Vec3(0, 0, -kG);
  const Vec3 moments(1e-3, 1. / 12, 1. / 12);
  const Pose world{Vec3(0.3, -0.2, 0.1), tilt};
  const Mat3 lean = Eigen::AngleAxisd(M_PI / 4, Vec3::UnitY()).toRotationMatrix();
  const Vec3 top = lean.col(0);
  for (const double x : {0., 1.})
    b.add_body(
        solid(x > 0 ? "right" : "left", 1, moments, world * Pose{Vec3(x, 0, 0) + 0.5 * top, lean}));
  b.add_body(solid("coupler", 1, moments, world * Pose{top + Vec3(0.5, 0, 0)}));
  const auto hinge = [&](const std::string& name, const std::string& a, const std::string& c,
                         const Vec3& p) {
    b.add_joint(joint(name, "revolute", a, c, frame(world.p + tilt * p, tilt * Vec3::UnitY())));
  };
  hinge("A", "ground", "left", Vec3::Zero());
  hinge("B", "ground", "right", Vec3::UnitX());
  hinge("C", "left", "coupler", top);
  hinge("D", "right", "coupler", top + Vec3::UnitX());
  return built(b);
}

TEST(Acceleration, RedundantRowsAreOfTheSameOrders) {
  const Mat3 tilt = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const double a =  // (1 + 2/3) a'' = -2 g cos a, a upwards from the line of pivots
      reduced([](double x, double) { return -2 * kG / (5. / 3) * std::cos(x); }, -M_PI / 4, 0, 2)
          .first;
  const Vec3 exact = Vec3(0.3, -0.2, 0.1) + tilt * Vec3(0.5 + std::cos(a), 0, std::sin(a));
  const model::Built b = tilted_parallelogram(tilt);
  const Ran r = ran(b, "coupler", 2, 1, with(RungeKuttaMethod::dp8, 1e-11));
  EXPECT_LE((r.p - exact).norm(), 1e-10);
  EXPECT_EQ(r.state.rows.redundant, 1);
  EXPECT_LE(std::max(r.gap, r.angle), 1e-12);
  expect_orders(b, "coupler", 2, exact, {500, 200, 16});
}

/// A crank driven by a signal, a spring with a damper, a motor: everything that does work.
model::Built busy() {
  model::Builder b;
  b.add_body(box("crank", {1, 0.1, 0.1}, 2, {Vec3(0.5, 0, 0)}));
  b.add_body(box("rod", {1, 0.1, 0.1}, 1, {Vec3(1.5, 0, 0)}));
  b.add_body(box("tail", {1, 0.1, 0.1}, 1, {Vec3(2.5, 0, 0)}));
  b.add_joint(joint("base", "revolute", "ground", "crank", frame(Vec3::Zero(), Vec3::UnitY())));
  b.add_joint(joint("elbow", "revolute", "crank", "rod", frame(Vec3::UnitX(), {0, 1, 0.2})));
  b.add_joint(joint("wrist", "revolute", "rod", "tail", frame(2 * Vec3::UnitX(), {0, 1, -0.3})));
  auto drive = law("drive", "driven", "base", "angle");
  drive.drive = {
      Drive::Level::displacement, Signal::function([](double t) {
        return Jet{std::sin(2 * t) - 2 * t, 2 * std::cos(2 * t) - 2, -4 * std::sin(2 * t)};
      })};
  b.add_law(drive);
  b.add_law(law("spring", "spring", "elbow", "angle",
                {{"stiffness", 30}, {"damping", 0.4}, {"rest", 0.3}}));
  auto motor = law("motor", "motor", "wrist", "angle");
  motor.drive = {Drive::Level::velocity, Signal::function([](double t) {
                   return Jet{1 - std::cos(3 * t), 3 * std::sin(3 * t), 9 * std::cos(3 * t)};
                 })};
  b.add_law(motor);
  model::LoadSpec drag;
  drag.name = "drag";
  drag.body = "tail";
  drag.type = "drag";
  drag.numbers["linear"] = 0.3;
  drag.numbers["quadratic"] = 0.2;
  b.add_load(drag);
  return built(b);
}

TEST(Acceleration, BalancesCloseToTheOrderOfTheMethod) {
  const model::Built b = busy();
  const double coarse = ran(b, "tail", 2, 400, with(RungeKuttaMethod::rk4)).energy,
               fine = ran(b, "tail", 2, 800, with(RungeKuttaMethod::rk4)).energy;
  // energies of Runge-Kutta methods tend to one order more
  EXPECT_GE(std::log2(coarse / fine), 3.6) << coarse << " " << fine;
  EXPECT_LE(std::log2(coarse / fine), 5.5) << coarse << " " << fine;
  const Ran r = ran(b, "tail", 2, 1, with(RungeKuttaMethod::dp8, 1e-11));
  EXPECT_LE(r.energy, 1e-8);  // the works are carried along, not controlled
  EXPECT_GE(std::abs(r.state.ledger[model::kFirstLaw]), 5);  // the drive has worked
}

/// With a motor that is at its bounds now and then, friction that sticks and slips, and stops.
model::Built bounded() {
  model::Builder b;
  b.add_body(box("arm", {1, 0.1, 0.1}, 2, {Vec3(0.5, 0, 0)}));
  b.add_body(box("tail", {1, 0.1, 0.1}, 1, {Vec3(1.5, 0, 0)}));
  b.add_joint(joint("base", "revolute", "ground", "arm", frame(Vec3::Zero(), Vec3::UnitY())));
  b.add_joint(joint("elbow", "revolute", "arm", "tail", frame(Vec3::UnitX(), {0, 1, 0.1})));
  auto motor = law("motor", "motor", "base", "angle", {{"force_min", -30}, {"force_max", 30}});
  motor.drive = {Drive::Level::velocity, Signal::function([](double t) {
                   return Jet{std::cos(4 * t), -4 * std::sin(4 * t), -16 * std::cos(4 * t)};
                 })};
  b.add_law(motor);
  b.add_law(law("rub", "friction", "elbow", "angle", {{"force", 1}, {"static_force", 1.5}}));
  b.add_law(
      law("stops", "limit", "elbow", "angle", {{"from", -0.5}, {"to", 0.8}, {"restitution", 0.3}}));
  return built(b);
}

TEST(Acceleration, AStateGoesOnBitForBitElsewhere) {
  std::map<std::string, int> events;
  for (const model::Built& b : {busy(), bounded()})
    for (const auto method :
         {RungeKuttaMethod::rk4, RungeKuttaMethod::dp5, RungeKuttaMethod::dp8}) {
      const form::Settings s = with(method, 1e-8);
      Acceleration one(*b.model, b.params, s);
      model::State here = b.state;
      one.load(here);
      form::StepReport report;
      for (int k = 0; k < 100; ++k) {
        Acceleration other(*b.model, b.params, s);
        model::State there = here;
        other.load(there);
        one.step(here, 0.02, report);
        other.step(there, 0.02, report);
        ASSERT_EQ(report.status, form::Status::ok) << report.reason;
        for (const auto& e : report.events) ++events[std::string(name_of(e.kind))];
        ASSERT_EQ(model::hash(here), model::hash(there)) << k;
      }
    }
  for (const char* kind : {"hold", "slide", "impact"}) EXPECT_GE(events[kind], 6) << kind;
}

TEST(Acceleration, AStateGoesOnInTheOtherFormulation) {
  const model::Built b = built(chain(5));
  model::State state = b.state;
  Acceleration forces(*b.model, b.params, with(RungeKuttaMethod::dp8, 1e-9));
  form::Velocity impulses(*b.model, b.params, {});
  form::StepReport report;
  for (int k = 0; k < 10; ++k) {
    if (k % 2) {
      impulses.load(state);
      for (int i = 0; i < 400; ++i) {
        impulses.step(state, 2.5e-4, report);
        ASSERT_EQ(report.status, form::Status::ok) << report.reason;
        ASSERT_FALSE(report.way.fallback);
      }
    } else {
      forces.load(state);
      forces.step(state, 0.1, report);
      ASSERT_EQ(report.status, form::Status::ok) << report.reason;
    }
  }
  const Ran all = ran(b, "link4", 1, 1, with(RungeKuttaMethod::dp8, 1e-9));
  EXPECT_LE((vec3(state.q.data() + 28) - vec3(all.state.q.data() + 28)).norm(), 3e-6);  // h^2
}

TEST(Acceleration, SimulationsRunInIt) {
  Simulation sim(built(chain(10)), settings(2, 0.02, with(RungeKuttaMethod::dp8, 1e-9)));
  run(sim);
  EXPECT_LE((pose(sim, "link9").p - kChainAt2).norm(), 1e-10);
  EXPECT_LE(sim.summary().energy_residual_rel(), 1e-10);
  EXPECT_LE(sim.summary().momentum_residual_rel, 1e-10);
  EXPECT_LE(sim.summary().max_gap, 1e-12);
}

/// Nothing limits the error of an even turn: but its turns are counted, ten radians in each step of
/// the grid.
TEST(Acceleration, TurnsAreCountedInLongSteps) {
  constexpr double speed = 40, brake = 1e-3;
  model::Builder b;
  b.gravity.setZero();
  auto wheel = solid("wheel", 1, {1, 1, 1});
  wheel.w = {speed, 0, 0};
  b.add_body(wheel);
  b.add_joint(joint("axle", "revolute", "ground", "wheel", {}));
  b.add_law(law("rub", "spring", "axle", "angle", {{"damping", brake}}));
  Simulation sim(built(b), settings(2, 0.25, with(RungeKuttaMethod::dp8, 1e-3)));
  run(sim);
  ASSERT_EQ(sim.state().angle.size(), 1u);
  EXPECT_NEAR(sim.state().angle[0], speed / brake * (1 - std::exp(-2 * brake)), 1e-6);
}

/// What flies past below its stop, and back, within a step does not look for a moment at which it
/// met it.
TEST(Acceleration, AStopThatIsMissedCostsNothing) {
  const auto slopes = [](double stop) {
    model::Builder b;
    b.gravity = {-9.81, 0, 0};
    auto block = solid("block", 1, {1, 1, 1});
    block.v = {1, 0, 0};
    b.add_body(block);
    b.add_joint(joint("guide", "prismatic", "ground", "block", {}));
    b.add_law(law("stop", "limit", "guide", "travel", {{"to", stop}}));
    const model::Built scene = built(b);
    form::Acceleration form(*scene.model, scene.params, with(RungeKuttaMethod::dp8, 1e-6));
    model::State state = scene.state;
    form.load(state);
    form::StepReport report;
    for (int k = 0; k < 3; ++k) form.step(state, 0.2, report);
    EXPECT_TRUE(report.events.empty());
    return form.counts().slopes;
  };
  EXPECT_EQ(slopes(0.055), slopes(55));  // it comes to 0.051 m
}

/// Linear momentum is a linear invariant with what comes from outside: it balances to rounding at
/// any step, if all impulses of projections are told. Angular momentum to the order of the method.
TEST(Acceleration, MomentumBalances) {
  const model::Built b = built(chain(5));
  std::array<double, 2> off{};
  for (int k = 0; k < 2; ++k) {
    const int n = 100 << k;
    Acceleration form(*b.model, b.params, with(RungeKuttaMethod::rk4));
    model::State state = b.state;
    form.load(state);
    form::StepReport report;
    Vec3 p = Vec3::Zero(), l = p, impulse = p, moment = p;
    for (int i = 0; i < n; ++i) {
      form.step(state, 1. / n, report);
      impulse += report.momentum.impulse;
      moment += report.momentum.moment + report.momentum.corrected;
    }
    form.kinematics().momentum(state.q.data(), state.P.data(), p, l);
    EXPECT_LE((p - impulse).norm(), 1e-13 * n);
    off[static_cast<std::size_t>(k)] = (l - moment).norm();
  }
  EXPECT_NEAR(std::log2(off[0] / off[1]), 4, 1) << off[0] << " " << off[1];
}

/// A ball that slides along z above a stop at z = 0, at rest at 1 m.
model::Builder ball(double e) {
  model::Builder b;
  b.add_body(solid("ball", 1, {1, 1, 1}, {Vec3(0, 0, 1)}));
  auto slide = joint("slide", "prismatic", "ground", "ball", {});
  slide.at.reset();
  slide.frame_a = slide.frame_b = frame(Vec3::Zero(), Vec3::UnitZ());
  b.add_joint(slide);
  b.add_law(law("floor", "limit", "slide", "travel", {{"from", 0}, {"restitution", e}}));
  return b;
}

TEST(Acceleration, BouncingEndsAtItsTime) {
  for (const auto& [e, end] : {std::pair(0.5, 1.354570922957), std::pair(0.8, 4.063712768872)}) {
    Simulation sim(built(ball(e)), settings(end + 1, 0.01, with(RungeKuttaMethod::dp8, 1e-9)));
    std::vector<double> impacts;
    double depth = 0;
    run(sim, [&] {
      for (const form::Event& event : sim.take_events())
        if (event.kind == form::EventKind::impact) impacts.push_back(event.t);
      depth = std::min(depth, pose(sim, "ball").p.z());
    });
    ASSERT_GE(impacts.size(), 20u);
    const double first = std::sqrt(2 / kG);
    for (std::size_t k = 0; k < 10; ++k) {  // t_k = first (1 + 2 (e + ... + e^k))
      const double exact =
          first * (1 + 2 * e * (1 - std::pow(e, static_cast<double>(k))) / (1 - e));
      EXPECT_NEAR(impacts[k], exact, 1e-8) << k;  // of the moments found, ten times 1e-10 over
    }
    EXPECT_NEAR(impacts.back(), end, 1e-5);  // below 1e-6 m/s it rests
    EXPECT_NEAR(pose(sim, "ball").p.z(), 0, 1e-12);
    EXPECT_GE(depth, -1e-9);
    EXPECT_LE(sim.summary().energy_residual_rel(), 1e-9);
  }
}

/// A block of 1 kg on the ground with friction 0.8 m g, pushed by 8 cos t from x = 3.
TEST(Acceleration, BlockSticksAndSlips) {
  model::Builder b;
  b.add_body(solid("slider", 1, {1, 1, 1}, {Vec3(3, 0, 0)}));
  auto guide = joint("guide", "prismatic", "ground", "slider", {});
  guide.at.reset();
  guide.frame_a = guide.frame_b = Pose{};
  b.add_joint(guide);
  b.add_law(law("rub", "friction", "guide", "travel", {{"force", 0.8 * kG}}));
  model::LoadSpec push;
  push.name = "push";
  push.body = "slider";
  push.value[0] = Signal::function([](double t) {
    return Jet{8 * std::cos(t), -8 * std::sin(t), -8 * std::cos(t)};
  });
  b.add_load(push);
  Simulation sim(built(b), settings(10, 0.01, with(RungeKuttaMethod::dp8, 1e-10)));
  double worst = 0;
  int seen = 0;
  run(sim, [&] {
    const double t = sim.state().t, phase = std::fmod(t, M_PI);
    if (t < 0.5 || phase > 2.94 || phase < 0.40) return;
    const int slips = static_cast<int>(std::floor(t / M_PI));
    const double plateau = slips % 2 == 0 ? 3.004348570 : 2.991302833;
    worst = std::max(worst, std::abs(pose(sim, "slider").p.x() - plateau));
    ++seen;
  });
  EXPECT_GE(seen, 500);
  EXPECT_LE(worst, 2e-9);  // of the plateaus given, 10 digits
  EXPECT_LE(sim.summary().energy_residual_rel(), 1e-9);
}

/// 2 N to 1 m/s within bounds, then it holds there: x = v t - v^2 / 2a.
TEST(Acceleration, MotorSaturatesThenHolds) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(solid("slider", 1, {1, 1, 1}));
  auto guide = joint("guide", "prismatic", "ground", "slider", {});
  guide.at.reset();
  guide.frame_a = guide.frame_b = Pose{};
  b.add_joint(guide);
  auto motor = law("motor", "motor", "guide", "travel", {{"force_min", -2}, {"force_max", 2}});
  motor.drive = {Drive::Level::velocity, Signal(1.0)};
  b.add_law(motor);
  Simulation sim(built(b), settings(2, 0.25, with(RungeKuttaMethod::dp8, 1e-10)));
  std::vector<form::Event> events;
  run(sim, [&] {
    for (auto& e : sim.take_events()) events.push_back(e);
  });
  EXPECT_NEAR(pose(sim, "slider").p.x(), 2 - 0.25, 1e-9);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, form::EventKind::hold);
  EXPECT_NEAR(events[0].t, 0.5, 2e-10);
}

/// Impulses of joints are integrated beside the motion: events are found on all of it.
TEST(Acceleration, EventsAreFoundWithImpulsesAskedForToo) {
  std::vector<double> end[2];
  for (const bool impulses : {false, true}) {
    form::Settings way = with(RungeKuttaMethod::dp8, 1e-9);
    way.impulses = impulses;
    model::Builder b = ball(0.5);
    b.add_law(law("rub", "friction", "slide", "travel", {{"force", 0.5}}));
    Simulation sim(built(b), settings(1, 0.01, way));
    int impacts = 0;
    double most = 0;
    run(sim, [&] {
      for (const form::Event& e : sim.take_events()) impacts += e.kind == form::EventKind::impact;
      for (const double p : sim.last().wrench_impulses) most = std::max(most, std::abs(p));
    });
    EXPECT_GE(impacts, 2);
    EXPECT_EQ(most > 4, impulses);  // 1 kg that comes with 4.3 m/s and leaves with half of it
    end[impulses] = sim.state().q;
  }
  for (std::size_t i = 0; i < end[0].size(); ++i) EXPECT_NEAR(end[0][i], end[1][i], 1e-12);
}

/// What counts as met is a share of the motion: the same in every scale of lengths and times. A
/// slider is braked to rest by friction at t = 1, is let go by it at 2, and strikes a stop.
TEST(Acceleration, RestAndImpactsHaveNoScaleOfTheirOwn) {
  for (const double m : {1e-3, 1., 1e3})
    for (const double s : {1e-3, 1., 1e3}) {
      SCOPED_TRACE(fmt::format("lengths times {}, times times {}", m, s));
      const double v = m / s, N = m / (s * s);
      model::Builder b;
      b.gravity.setZero();
      model::BodySpec body = solid("slider", 1, {m * m, m * m, m * m});
      body.v = {v, 0, 0};
      b.add_body(body);
      auto guide = joint("guide", "prismatic", "ground", "slider", {});
      guide.at.reset();
      guide.frame_a = guide.frame_b = Pose{};
      b.add_joint(guide);
      b.add_law(law("rub", "friction", "guide", "travel", {{"force", N}}));
      b.add_law(law("end", "limit", "guide", "travel", {{"to", 1.5 * m}, {"restitution", 0.5}}));
      model::LoadSpec push;
      push.name = "push";
      push.body = "slider";
      push.value[0] = Signal::function([=](double t) {
        return Jet{t > s ? N * (t / s - 1) : 0, t > s ? N / s : 0, 0};
      });
      b.add_load(push);
      const double share = 1e-10;
      form::Settings way = with(RungeKuttaMethod::dp8, share);
      way.accuracy = {share * m, share, share * v, share / s, share};
      Simulation sim(built(b), settings(4 * s, 0.02 * s, way));
      std::vector<form::Event> events;
      run(sim, [&] {
        for (auto& e : sim.take_events()) events.push_back(e);
      });
      ASSERT_GE(events.size(), 3u);
      EXPECT_EQ(events[0].kind, form::EventKind::hold);
      EXPECT_NEAR(events[0].t / s, 1, 1e-9);
      EXPECT_EQ(events[1].kind, form::EventKind::slide);
      EXPECT_NEAR(events[1].t / s, 2, 1e-9);
      EXPECT_EQ(events[2].kind, form::EventKind::impact);
      EXPECT_NEAR(events[2].t / s, 2 + std::cbrt(6), 1e-8);  // x - 1/2 = (t - 2)^3 / 6
      EXPECT_NEAR(events[2].value / v, std::cbrt(36) / 2, 1e-8);
      EXPECT_LE(sim.summary().energy_residual_rel(), 1e-8);
    }
}

/// A stop where places are rounded: heights of the last bounces are lost in it.
TEST(Acceleration, BouncesEndFarFromTheOriginToo) {
  for (const double e : {0.1, 0.5, 0.8})
    for (const double floor : {-1., -0.1, 0.3, 1., 100., -2000.}) {
      SCOPED_TRACE(fmt::format("restitution {}, floor at {} m", e, floor));
      model::Builder b;
      b.add_body(solid("ball", 1, Vec3::Constant(0.004), {Vec3(0, 0, floor + 0.3)}));
      b.add_joint(joint("guide", "prismatic", "ground", "ball",
                        frame(Vec3(0, 0, floor + 0.3), Vec3::UnitZ())));
      b.add_law(law("stop", "limit", "guide", "travel", {{"from", -0.3}, {"restitution", e}}));
      const double end = std::sqrt(2 * 0.3 / 9.81) * (1 + e) / (1 - e);
      for (const RungeKuttaMethod method : {RungeKuttaMethod::dp8, RungeKuttaMethod::rk4}) {
        Simulation sim(built(b), settings(end + 0.2, 1e-3, with(method)));
        run(sim);
        EXPECT_NEAR(pose(sim, "ball").p.z(), floor, 1e-12 * (1 + std::abs(floor)));
        EXPECT_NEAR(velocity(sim, "ball").first.z(), 0, 1e-12);
      }
    }
}

/// The same about a hinge: a rod that falls on an angle stop.
TEST(Acceleration, ARodComesToRestOnItsStop) {
  model::Builder b;
  b.add_body(box("rod", {1, 0.1, 0.1}, 1, {Vec3(0.5, 0, 0)}));
  b.add_joint(joint("hinge", "revolute", "ground", "rod", frame(Vec3::Zero(), Vec3::UnitY())));
  b.add_law(
      law("stop", "limit", "hinge", "angle", {{"from", -0.5}, {"to", 0.5}, {"restitution", 0.5}}));
  Simulation sim(built(b), settings(3, 1e-3, with(RungeKuttaMethod::dp8)));
  run(sim);
  EXPECT_NEAR(std::abs(coordinate(sim, "hinge", "angle")), 0.5, 1e-11);
  EXPECT_NEAR(velocity(sim, "rod").second.norm(), 0, 1e-11);
}

/// Bounces that get shorter without end come to one in time: a ball dropped from h is at rest after
/// sqrt(2 h / g) (1 + e) / (1 - e).
TEST(Acceleration, ABouncingBallComesToRest) {
  for (const double e : {0.1, 0.5, 0.7, 0.9})
    for (const double along : {0., 3.})
      for (const double h : {1e-3, 1e-2}) {
        SCOPED_TRACE(fmt::format("restitution {}, {} m/s along, step {} s", e, along, h));
        model::Builder b;
        model::BodySpec s = solid("ball", 1, Vec3::Constant(0.004), {Vec3(0, 0, 0.3)});
        s.v.x() = along;
        b.add_body(s);
        auto floor = joint("floor", "free", "ground", "ball", {});
        floor.at.reset();
        floor.frame_a = floor.frame_b = Pose{};
        b.add_joint(floor);
        b.add_law(law("stop", "limit", "floor", "Az.D", {{"from", 0}, {"restitution", e}}));
        const double end = std::sqrt(2 * 0.3 / 9.81) * (1 + e) / (1 - e);
        Simulation sim(built(b), settings(end + 0.5, h, with(RungeKuttaMethod::dp8)));
        double last = 0;
        run(sim, [&] {
          for (const auto& event : sim.take_events())
            if (event.kind == form::EventKind::impact) last = event.t;
        });
        // what is slower than 5e-7 of the fastest motion rests: its bounces would take that long
        EXPECT_NEAR(last, end, 2 * 5e-7 * (along + 1) / 9.81 / (1 - e));
        EXPECT_NEAR(pose(sim, "ball").p.z(), 0, 1e-12);
        EXPECT_NEAR(velocity(sim, "ball").first.z(), 0, 1e-12);
        EXPECT_NEAR(velocity(sim, "ball").first.x(), along, 1e-9);
        EXPECT_LT(sim.summary().energy_residual, 1e-9);
      }
}

}  // namespace
}  // namespace trammel::acceptance::acceleration_test
