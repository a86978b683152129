// What arrives at a surface or at a stop just at the end of a step is thrown back as at any other
// moment, whatever kind of body it is.
#include <algorithm>
#include <cmath>

#include "systems.h"

namespace trammel::acceptance::contact_arrival_test {
namespace {

using namespace systems;

constexpr double kRates[] = {1, 1.6, 2, 4};    // [m/s]
constexpr double kRadius = 0.1, kStep = 1e-2;  // [m], [s]
constexpr int kSteps = 13;                     // until it arrives

enum class Kind { system, two_coordinates, jointed, rigid, affine };
constexpr Kind kKinds[] = {Kind::system, Kind::two_coordinates, Kind::jointed, Kind::rigid,
                           Kind::affine};

/// What flies along x from the origin, and what may hold it there.
std::string ball(Kind kind, double rate) {
  const std::string coordinate = "[[system.coordinate]]\nname = \"{}\"\nunit = \"m\"\nrate = {}\n";
  if (kind == Kind::system)
    return "[[system]]\nname = \"s\"\n" + fmt::format(fmt::runtime(coordinate), "x", rate) +
           "[[system.object]]\nname = \"ball\"\nposition = [\"x\", 0, 0]\n";
  if (kind == Kind::two_coordinates)
    return "[[system]]\nname = \"s\"\n" + fmt::format(fmt::runtime(coordinate), "x", rate / 2) +
           fmt::format(fmt::runtime(coordinate), "y", rate / 2) +
           "[[system.object]]\nname = \"ball\"\nposition = [\"x + y\", \"x - y\", 0]\n";
  return fmt::format("[[body]]\nname = \"ball\"\nvelocity = [{}, 0, 0]\n", rate) +
         (kind == Kind::affine ? "kind = \"affine\"\nstiffness = inf\n" : "");
}

std::string thrown(Kind kind, double rate, double wall, double e) {
  std::string out = fmt::format(
      "[simulation]\ngravity = [0, 0, 0]\n[[contact]]\nrestitution = {}\n"
      "[[obstacle]]\nname = \"wall\"\nhalf_space = [-1, 0, 0]\nposition = [{:.17g}, 0, 0]\n",
      e, wall);
  out += ball(kind, rate) + fmt::format("mass = 2\nsphere = {}\ncontact = \"solids\"\n", kRadius);
  if (kind == Kind::jointed)
    out +=
        "[[joint]]\nname = \"s\"\ntype = \"prismatic\"\na = \"ground\"\nb = \"ball\"\n"
        "at = [0, 0, 0]\naxis = [1, 0, 0]\n";
  return out;
}

std::string name_of_ball(const sim::Simulation& sim) {
  return sim.model().find_object("ball") < 0 ? "s.ball" : "ball";
}

/// The velocity of its centre of mass.
Vec3 velocity_of_ball(const sim::Simulation& sim) {
  if (name_of_ball(sim) == "ball") return velocity(sim, "ball").first;
  const model::Object& ball = sim.model().objects[object(sim, "s.ball")];
  const model::Block& block = sim.model().blocks[static_cast<std::size_t>(ball.block)];
  const double* J = sim.formulation().now().jacobian.data() + ball.jacobian;
  const double* u = sim.formulation().velocities().data() + block.v;
  Vec3 out = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < block.n; ++j) out[i] += J[i * block.n + j] * u[j];
  return out;
}

struct After {
  double x;  // of the ball
  Vec3 v;
  int met = 0;  // impacts that were told of
};
After after(const std::string& scene, const Overrides& how, int steps) {
  const io::LoadedScene s = loaded(scene, over(how, steps * kStep, kStep));
  sim::Simulation sim(s.built, s.scene.settings);  // with rows momenta balance to the accuracy of
  run(sim);                                        // contacts, 1e-9 m/s, not to rounding
  After out{pose(sim, name_of_ball(sim)).p.x(), velocity_of_ball(sim)};
  for (const auto& e : sim.take_events()) out.met += e.kind == constraint::EventKind::impact;
  return out;
}

/// x and numbers about it: by rounding, by what a solver leaves, by what counts as touching.
std::vector<double> about(double x) {
  std::vector<double> out{x};
  for (const double way : {2 * x, 0.}) {
    const double next = std::nextafter(x, way);
    out.insert(out.end(), {next, std::nextafter(next, way)});
  }
  for (const double off : {1e-13, 1e-12, 5e-12, 1e-11, 9e-11, 1.1e-10})
    out.insert(out.end(), {x + off, x - off});
  return out;
}

TEST(ContactArrival, AtTheEndOfAStepIsThrownBack) {
  for (const Kind kind : kKinds)
    for (const double rate : kRates)
      for (const Overrides& how : {by_impulses(), by_forces("1e-10")}) {
        if (kind == Kind::affine && how[0].value == "acceleration") continue;  // refused
        const double x = after(thrown(kind, rate, 5, 0), how, kSteps).x;
        for (const double wall : about(x + kRadius))
          for (const double e : {1., 0.5}) {
            if (e < 1 && rate != 2) continue;
            SCOPED_TRACE(fmt::format("kind {}, {} m/s, wall {:.17g}, e {}, {}",
                                     static_cast<int>(kind), rate, wall, e, how[0].value));
            const After end = after(thrown(kind, rate, wall, e), how, kSteps + 3);
            EXPECT_NEAR(end.v.x(), -e * rate, 1e-8);  // what the solver leaves
            EXPECT_EQ(end.met, 1);
          }
      }
}

/// A bob without weight at the end of an arm that turns at 1 rad/s, until it is at the angle `at`
/// after a time.
constexpr double kArm = 0.8;  // [m]
std::string swung(bool as_system, double at, double time) {
  const double start = at - time;
  std::string out = fmt::format(
      "[simulation]\ngravity = [0, 0, 0]\n[[contact]]\nrestitution = 1\n"
      "[[obstacle]]\nname = \"wall\"\nhalf_space = [-1, 0, 0]\nposition = [{:.17g}, 0, 0]\n",
      kArm * std::sin(at) + kRadius);
  if (as_system)
    out += fmt::format(
        "[[system]]\nname = \"s\"\n[[system.coordinate]]\nname = \"x\"\nunit = \"rad\"\n"
        "value = {:.17g}\nrate = 1\n[[system.object]]\nname = \"ball\"\n"
        "turns = [{{axis = [0, 0, 1], angle = \"x\"}}]\ncom = [0, -{}, 0]\n",
        start, kArm);
  else
    out += fmt::format(
        "[[joint]]\nname = \"s\"\ntype = \"revolute\"\na = \"ground\"\nb = \"ball\"\n"
        "at = [0, 0, 0]\naxis = [0, 0, 1]\n"
        "[[body]]\nname = \"ball\"\nposition = [{:.17g}, {:.17g}, 0]\n"
        "velocity = [{:.17g}, {:.17g}, 0]\nangular_velocity = [0, 0, 1]\n",
        kArm * std::sin(start), -kArm * std::cos(start), kArm * std::cos(start),
        kArm * std::sin(start));
  return out + fmt::format("mass = 2\nsphere = {}\ncontact = \"solids\"\n", kRadius);
}

/// Ways that are bent in a step: to the surface or away from it.
TEST(ContactArrival, OnACircleIsThrownBackAsWell) {
  for (const bool as_system : {true, false})
    for (const double at : {-0.5, 0.5})
      for (int k = -20; k <= 20; ++k) {
        const double steps = kSteps + k / 40.;
        SCOPED_TRACE(fmt::format("system {}, {} rad, {} steps", as_system, at, steps));
        const After end = after(swung(as_system, at, kStep * steps), by_impulses(), kSteps + 3);
        EXPECT_LT(end.v.x(), 0);
        EXPECT_NEAR(end.v.norm(), kArm, kStep * kArm);  // truncation
        EXPECT_EQ(end.met, 1);
      }
}

TEST(LimitArrival, AtTheEndOfAStepIsThrownBack) {
  for (const Kind kind : {Kind::system, Kind::jointed})
    for (const double rate : kRates)
      for (const Overrides& how : {by_impulses(), by_forces("1e-10")})
        for (const double stop : about(after(thrown(kind, rate, 5, 0), how, kSteps).x)) {
          SCOPED_TRACE(fmt::format("kind {}, {} m/s, stop {:.17g}, {}", static_cast<int>(kind),
                                   rate, stop, how[0].value));
          const std::string law = fmt::format(
              "[[law]]\nname = \"stop\"\ntype = \"limit\"\njoint = \"{}\"\nto = {:.17g}\n"
              "restitution = 1\n",
              kind == Kind::system ? "s.x" : "s", stop);
          const After end = after(thrown(kind, rate, 5, 0) + law, how, kSteps + 3);
          EXPECT_NEAR(end.v.x(), -rate, 1e-9);
          EXPECT_EQ(end.met, 1);
        }
}

}  // namespace
}  // namespace trammel::acceptance::contact_arrival_test
