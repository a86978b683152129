// What is given as a function of the time, wherever a scene can say it: right where the steps
// follow it, reported by name where they do not.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "cli/test_warnings.h"
#include "io/scene_keys.h"

namespace trammel::cli::test {

namespace {

/// A number of cycles a second as what begins at 0 with a rate of 0.
std::string swinging(double size, double frequency) {
  return fmt::format("{}*(1 - cos(2*pi*{} [1/s]*t))", size, frequency);
}

std::string with_law(const std::string& law) { return slider(law); }
std::string with_load(const std::string& load) {
  return "[[body]]\nname = \"block\"\nmass = 1\nsphere = 0.1\n[[load]]\nname = \"it\"\nbody = "
         "\"block\"\n" +
         load + "\n";
}
std::string with_base(const std::string& motion) {
  return "[[body]]\nname = \"it\"\nkind = \"prescribed\"\n" + motion +
         "\n[[body]]\nname = \"m\"\nmass = 1\nsphere = 0.1\n[[joint]]\nname = \"g\"\ntype = "
         "\"fixed\"\na = \"it\"\nb = \"m\"\nat = [0, 0, 0]\n";
}
std::string with_system(const std::string& force) {
  return "[[system]]\nname = \"cart\"\n[[system.coordinate]]\nname = \"x\"\nunit = \"m\"\n"
         "[[system.object]]\nname = \"cart\"\nmass = 1\nposition = [\"x\", 0, 0]\n"
         "[[system.force]]\ncoordinate = \"x\"\n" +
         force + "\n";
}

struct Case {
  std::string subject;
  std::function<std::string(const std::string&)> scene;  // of a formula of t
};

std::string signal_of(const std::string& f) { return "{formula = \"" + f + "\"}"; }

/// Every key of a scene that may be a function of the time, and a scene for it.
const std::map<std::string, Case>& cases() {
  static const auto law = [](const char* text) {
    return [text](const std::string& f) {
      return with_law(fmt::format(fmt::runtime(text), signal_of(f), f));
    };
  };
  static const auto load = [](const char* text) {
    return [text](const std::string& f) {
      return with_load(fmt::format(fmt::runtime(text), signal_of(f), f));
    };
  };
  static const auto base = [](const char* text) {
    return [text](const std::string& f) {
      return with_base(fmt::format(fmt::runtime(text), signal_of(f)));
    };
  };
  static const std::map<std::string, Case> all{
      {"law.driven.displacement", {"it", law("type = \"driven\"\ndisplacement = {0}")}},
      {"law.driven.velocity", {"it", law("type = \"driven\"\nvelocity = {0}")}},
      {"law.driven.acceleration", {"it", law("type = \"driven\"\nacceleration = {0}")}},
      {"law.motor.velocity", {"it", law("type = \"motor\"\nvelocity = {0}")}},
      {"law.motor.force_limit",
       {"it", law("type = \"motor\"\nvelocity = 1000\nforce_limit = \"{1}\"")}},
      {"law.spring.function", {"it", law("type = \"spring\"\nfunction = \"{1}\"")}},
      {"law.actuator.force", {"it", law("type = \"actuator\"\nforce = {0}")}},
      {"load.force.force", {"it", load("type = \"force\"\nforce = [0, {0}, 0]")}},
      {"load.torque.torque", {"it", load("type = \"torque\"\ntorque = [0, {0}, 0]")}},
      {"load.formula.force", {"it", load("type = \"formula\"\nforce = [0, \"{1}\", 0]")}},
      {"load.formula.torque", {"it", load("type = \"formula\"\ntorque = [0, \"{1}\", 0]")}},
      {"body.prescribed.displacement", {"it", base("displacement = [0, {0}, 0]")}},
      {"body.turns.angle", {"it", base("turns = [{{axis = [0, 0, 1], angle = {0}}}]")}},
      {"drive.displacement", {"it", base("displacement = [0, {{displacement = {0}}}, 0]")}},
      {"drive.velocity", {"it", base("displacement = [0, {{velocity = {0}}}, 0]")}},
      {"drive.acceleration", {"it", base("displacement = [0, {{acceleration = {0}}}, 0]")}},
      {"system.force.force",
       {"cart.x.force",
        [](const std::string& f) { return with_system("force = \"1 [N]*(" + f + ")\""); }}},
  };
  return all;
}

/// The keys whose form says that they may be functions of the time. Forces of systems are of the
/// form of all formulas of systems, which are not; what controllers and sensors measure is held
/// from sample to sample.
std::set<std::string> timed_keys() {
  using Kind = io::Form::Kind;
  std::set<std::string> out{"system.force.force"};
  for (const io::Family* f : io::scene_families())
    for (const io::Table& t : f->tables)
      for (const io::Key& key : t.keys) {
        const io::Form* form = &key.form;
        while (!form->each.empty()) form = &form->each[0];
        const bool timed = form->kind == Kind::signal || form->kind == Kind::force ||
                           form->kind == Kind::motion || form->kind == Kind::drive;
        if (timed) out.insert(f->name + (t.value.empty() ? "" : "." + t.value) + "." + key.name);
      }
  return out;
}

std::string seen(const std::string& key, double frequency, const std::string& settings = "") {
  const Case& c = cases().at(key);
  std::string out;
  for (const sim::Warning& w : warnings(simulation("0.2 s", "1 ms", "gravity = 0\n" + settings) +
                                        c.scene(swinging(0.5, frequency))))
    out += (out.empty() ? "" : ", ") + std::string(name_of(w.kind)) + " of " + w.subject;
  return out;
}

}  // namespace

TEST(TimeFunctions, EveryKeyThatTakesOneHasACase) {
  std::set<std::string> known;
  for (const auto& [key, scene] : cases()) known.insert(key);
  EXPECT_EQ(timed_keys(), known);
}

namespace {
/// Rates and accelerations that are given are integrated: steps have the motion exactly.
bool is_integrated(const std::string& key) {
  return has(key, "acceleration") || key == "drive.velocity" || key == "law.driven.velocity";
}
}  // namespace

/// 7.31 cycles in a step are beyond Gauss' points as well, one cycle in a second is not.
TEST(TimeFunctions, WhatIsFasterThanTheStepsIsReportedByName) {
  for (const auto& [key, c] : cases()) {
    EXPECT_EQ(seen(key, 1), "") << key;
    if (is_integrated(key)) continue;
    const std::string fast = seen(key, 7310);
    EXPECT_TRUE(has(fast, "unresolved load of " + c.subject) ||
                has(fast, "unresolved drive of " + c.subject))
        << key << ": " << fast;
  }
}

TEST(TimeFunctions, WhatIsFasterThanTheStepsIsReportedByTheEnergyFormulation) {
  for (const auto& [key, c] : cases()) {
    if (key == "law.motor.force_limit") continue;  // which it refuses
    EXPECT_EQ(seen(key, 1, "formulation = \"energy\""), "") << key;
    if (is_integrated(key)) continue;
    const std::string fast = seen(key, 1000, "formulation = \"energy\"");
    EXPECT_TRUE(has(fast, "unresolved load of " + c.subject) ||
                has(fast, "unresolved drive of " + c.subject))
        << key << ": " << fast;
  }
}

namespace {
/// Where a mass of 1 kg is at t, from rest, under a force of `size` (1 - cos(w t)).
double place_under(double size, double w, double t = 0.2) {
  return size * (t * t / 2 - (1 - std::cos(w * t)) / (w * w));
}

double place_at_end(const std::string& scene) {
  const Prepared p = prepared(scene);
  while (!p.simulation->finished() && p.simulation->advance()) continue;
  EXPECT_EQ(p.simulation->failure(), "");
  EXPECT_EQ(kinds(p.simulation->warnings()), "") << scene;
  double place = 0;  // a slide has one that is not zero, of a system there is one
  const std::vector<double>& q = p.simulation->state().q;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, q.size()); ++i)
    place = std::max(place, std::abs(q[i]));
  return place;
}
}  // namespace

/// A whole cycle in a step, of which its ends show a constant. A free body is brought to its place
/// by the moments of the force, which Gauss' points have to 4e-5 of it; the same in order 4.
TEST(TimeFunctions, ForcesOfTheTimeMakeTheirImpulseWithinTheStep) {
  constexpr double kSize = 20;
  for (const char* key : {"law.spring.function", "law.actuator.force", "law.motor.force_limit",
                          "load.force.force", "load.formula.force", "system.force.force"})
    for (const double frequency : {1000., 617.})
      for (const char* order : {"2", "4"}) {
        const std::string scene =
            simulation("0.2 s", "1 ms", fmt::format("gravity = 0\norder = {}", order)) +
            cases().at(key).scene(swinging(kSize, frequency));
        const double w = 2 * M_PI * frequency, right = place_under(kSize, w);
        EXPECT_NEAR(place_at_end(scene), right, 1e-4 * right)
            << key << " at " << frequency << " Hz, order " << order;
      }
}

/// Of a force that changes slowly, steps have the place and velocity of a free body to rounding.
TEST(TimeFunctions, SlowForcesAreRightToRounding) {
  for (const char* key : {"law.spring.function", "law.actuator.force", "law.motor.force_limit",
                          "load.force.force", "load.formula.force", "system.force.force"}) {
    const std::string scene =
        simulation("0.2 s", "1 ms", "gravity = 0") + cases().at(key).scene(swinging(20, 3));
    EXPECT_NEAR(place_at_end(scene), place_under(20, 6 * M_PI), 1e-12) << key;
  }
}

/// Motions that are given by rates or accelerations are where these lead, however fast they ripple.
TEST(TimeFunctions, GivenRatesAndAccelerationsAreIntegratedHoweverFast) {
  for (const double frequency : {1000., 7310.}) {
    const double w = 2 * M_PI * frequency, t = 0.05;
    const auto place = [&](const char* level) {
      const Prepared p =
          prepared(simulation("0.05 s", "1 ms", "gravity = 0") +
                   cases().at(std::string("law.driven.") + level).scene(swinging(20, frequency)));
      while (!p.simulation->finished() && p.simulation->advance()) continue;
      return p.simulation->state().q[0];
    };
    EXPECT_NEAR(place("velocity"), 20 * (t - std::sin(w * t) / w), 1e-11);
    EXPECT_NEAR(place("acceleration"), place_under(20, w, t), 1e-11);
  }
}

/// What reads an input is held from change to change, and may be a function of the time besides.
TEST(TimeFunctions, FormulasOfInputsAndTheTimeAreWatched) {
  const auto scene = [](double frequency) {
    return simulation("0.2 s", "1 ms", "gravity = 0") + "[[input]]\nname = \"u\"\nrest = 2\n" +
           slider(fmt::format("type = \"actuator\"\nforce = {{formula = \"u*{}\"}}",
                              swinging(1, frequency)));
  };
  EXPECT_EQ(kinds(warnings(scene(1))), "");
  EXPECT_EQ(only("unresolved load", warnings(scene(7310))).subject, "it");
}

/// A limit that the force never comes to limits nothing, however it changes.
TEST(TimeFunctions, LimitsThatAreNotReachedAreNotReported) {
  const auto scene = [](const char* limit) {
    return simulation("0.2 s", "1 ms", "gravity = 0") +
           slider(fmt::format("type = \"motor\"\nvelocity = {{formula = \"0.1 [m/s]*sin(5*t)\"}}\n"
                              "force_limit = \"{}\"",
                              limit));
  };
  EXPECT_EQ(kinds(warnings(scene("50 + 20*sin(2*pi*7310 [1/s]*t)"))), "");
  EXPECT_EQ(only("unresolved load", warnings(scene("0.2 + 0.2*sin(2*pi*7310 [1/s]*t)"))).subject,
            "it");
}

TEST(TimeFunctions, ALimitBelowZeroIsReported) {
  const auto scene = [](const char* limit, const char* body = "") {
    return simulation("1 s", "1 ms", "gravity = 0") +
           slider(fmt::format("type = \"motor\"\nvelocity = 10\nforce_limit = \"{}\"", limit),
                  body);
  };
  const sim::Warning w = only("negative limit", warnings(scene("3 - 5*t/(1 [s])")));
  EXPECT_EQ(w.subject, "it");
  EXPECT_NEAR(w.value, 2, 1e-12);
  EXPECT_NEAR(w.t_first, 0.601, 1e-9);
  EXPECT_EQ(only("negative limit", warnings(scene("-2 [N s/m]*v", "velocity = [1, 0, 0]"))).subject,
            "it");
  EXPECT_EQ(kinds(warnings(scene("max(0 [N], 3 [N] - 5 [N]*t/(1 [s]))"))), "");
  EXPECT_EQ(kinds(warnings(scene("1 [N]*(1 - sin(2*pi*t/(1 [s])))"))), "");
}

namespace {
constexpr double kWholeTurn = 2 * M_PI / 1e-3;  // in a step of 1 ms [rad/s]

/// A rotor that turns once a step about z, with something on it.
std::string rotor(const std::string& more) {
  return simulation("0.1 s", "1 ms", "gravity = 0") +
         fmt::format(
             "[[body]]\nname = \"rotor\"\nmass = 1\ncylinder = {{radius = 0.1, length = "
             "0.2, axis = [0, 0, 1]}}\nangular_velocity = [0, 0, {}]\n",
             kWholeTurn) +
         more;
}
std::string bearing() {
  return "[[joint]]\nname = \"bearing\"\ntype = \"revolute\"\nb = \"rotor\"\nat = [0, 0, 0]\naxis "
         "= [0, 0, 1]\n";
}
std::string spring_to_slide(const char* on_rotor) {
  return slider("type = \"spring\"\ndamping = 0", "position = [1, 0, 0]") +
         fmt::format(
             "[[law]]\nname = \"pull\"\ntype = \"spring\"\na = \"rotor\"\nb = \"block\"\n"
             "point_a = {}\nstiffness = 10\nrest = 1\n",
             on_rotor);
}
}  // namespace

/// Steps see whole turns not at all. That is no harm to a rotor in its bearing; with a spring at
/// its rim or a force that turns with it the run is not to be trusted.
TEST(TimeFunctions, TurnsOfWholeStepsAreGraveWhereTheResultDependsOnThem) {
  const auto found = [](const std::string& text) {
    const std::vector<sim::Warning> all = warnings(text);
    for (const sim::Warning& w : all)
      if (w.kind == sim::WarningKind::large_turns) return w.subject + (w.grave ? "!" : "");
    return std::string();
  };
  const auto pushed = [](const char* force) {
    return fmt::format(
        "[[load]]\nname = \"push\"\ntype = \"force\"\nbody = \"rotor\"\naxes = "
        "\"body\"\nforce = {}\n",
        force);
  };
  EXPECT_EQ(found(rotor("")), "rotor");
  EXPECT_EQ(found(rotor(bearing())), "rotor");
  EXPECT_EQ(found(rotor(pushed("[0, 0, 1]"))), "rotor");
  EXPECT_EQ(found(rotor(pushed("[1, 0, 0]"))), "rotor!");
  EXPECT_EQ(found(rotor(bearing() + spring_to_slide("[0, 0, 0]"))), "rotor");
  EXPECT_EQ(found(rotor(bearing() + spring_to_slide("[-0.1, 0, 0]"))), "rotor!");
  const auto given = [](const char* at) {
    return simulation("0.1 s", "1 ms", "gravity = 0") +
           fmt::format(
               "[[body]]\nname = \"rotor\"\nkind = \"prescribed\"\nturns = [{{axis = [0, "
               "0, 1], angle = {{velocity = {}}}}}]\n",
               kWholeTurn) +
           spring_to_slide(at);
  };
  EXPECT_EQ(found(given("[0, 0, 0]")), "");
  EXPECT_EQ(found(given("[-0.1, 0, 0]")), "rotor!");
}

}  // namespace trammel::cli::test
