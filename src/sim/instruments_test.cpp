// Inputs, sensors and controllers of a program's own.
#include "sim/instruments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "model/builder.h"
#include "sim/checkpoint.h"
#include "sim/present.h"

namespace trammel::sim::instruments_test {
namespace {

/// A cart of 2 kg on a slide along x, under a force that the input `push` gives.
struct Cart {
  model::Builder builder;
  model::InputHandle push;

  explicit Cart(bool controlled = false) {
    builder.gravity = Vec3::Zero();
    model::BodySpec body;
    body.name = "cart";
    body.mass = 2;
    body.inertia = {1, 1, 1, 0, 0, 0};
    builder.add_body(body);
    model::JointSpec slide;
    slide.name = "slide";
    slide.type = "prismatic";
    slide.b = "cart";
    slide.at = Pose{};
    builder.add_joint(slide);
    model::LawSpec ram;
    ram.name = "ram";
    ram.type = "actuator";
    ram.joint = "slide";
    ram.force = Signal::live("push");
    builder.add_law(ram);
    push = builder.add_input(
        {.name = "push", .least = -10, .most = 10, .unit = "N", .controlled = controlled});
  }
  model::Built built() const { return std::get<model::Built>(builder.build()); }
};

Settings settings(double duration = 1) {
  Settings s;
  s.duration = duration;
  s.step = 1e-3;
  return s;
}

void run(Simulation& sim) {
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_EQ(sim.failure(), "");
}

/// A cart that passes zero and a place behind it at speed: each once, and upwards.
TEST(Instruments, ASecondEventIsPassedFromTheSideWhereItsSensorWas) {
  Settings s = settings(0.5);
  const auto rises = [](const char* at) {
    SensorEvent e;
    e.at = {at};
    return e;
  };
  s.sensors = {{.name = "x", .formula = {"1e6*slide.travel"}}};
  s.sensors[0].events = {rises("5000 [m]"), rises("20000 [m]"), rises("30000 [m]")};
  Simulation sim(Cart().built(), s);
  sim.set_input("push", 1);
  run(sim);
  const auto events = sim.take_events();
  ASSERT_EQ(events.size(), 3u);
  for (const std::size_t i : {0U, 1U, 2U}) {
    const double x[] = {5e-3, 2e-2, 3e-2};
    EXPECT_EQ(events[i].text.find("rises through"), 0u) << events[i].text;
    EXPECT_NEAR(events[i].t, std::sqrt(4 * x[i]), 1e-9);
  }
}

/// Simulations of one model have inputs of their own, also at the same time.
TEST(Instruments, TwoSimulationsDoNotMeet) {
  const Cart cart;
  const model::Built built = cart.built();
  double travel[2] = {};
  const auto one = [&](int i) {
    Simulation sim(built, settings());
    while (!sim.finished()) {
      sim.set_input(cart.push, i == 0 ? 4 : -std::sin(3 * sim.state().t));
      ASSERT_TRUE(sim.advance());
    }
    travel[i] = Present(sim).coordinate("slide.travel");
  };
  one(1);
  const double alone = travel[1];
  std::thread first(one, 0), second(one, 1);
  first.join();
  second.join();
  EXPECT_NEAR(travel[0], 1, 1e-12);
  EXPECT_EQ(travel[1], alone);
}

TEST(Instruments, WhatIsGivenTwiceIsNoChange) {
  const Cart cart;
  Simulation sim(cart.built(), settings());
  sim.set_input("push", 2);
  sim.set_input("push", 0);
  run(sim);
  EXPECT_EQ(sim.input(cart.push), 0);
  EXPECT_EQ(Present(sim).coordinate("slide.travel"), 0);
}

ControllerSpec bang_bang() {
  ControllerSpec c{.name = "switch", .period = 0.01, .outputs = {"push"}};
  c.measures = {{{"x"}, Measure::Like::any, 0, 0, ""}};
  c.memory = {{"switches", 0, {}}};
  c.update = [](const Sample& s) {
    const double force = s.measures[0] < 0.1 ? 2 : -2;
    s.memory[0] += force != s.outputs[0];
    s.outputs[0] = force;
  };
  return c;
}

/// A function of the program's: x = t^2/2 until the first sample behind 0.1 m.
TEST(Instruments, AProgramHasAControllerOfItsOwn) {
  Settings s = settings(0.6);
  s.sensors = {{.name = "x", .formula = {"slide.travel"}}};
  s.controllers = {bang_bang()};
  Simulation sim(Cart(true).built(), s);
  run(sim);
  const double t1 = 0.45, t2 = 0.15;  // 0.1 m at 0.4472 s
  EXPECT_NEAR(Present(sim).sensor("x"), t1 * t1 / 2 + t1 * t2 - t2 * t2 / 2, 1e-12);
  EXPECT_EQ(sim.state().memory.back(), 2);
  EXPECT_EQ(sim.input("push"), -2);
}

/// A state that is carried on has the memory of its controllers.
TEST(Instruments, AStateHasTheMemoryOfItsControllers) {
  Settings s = settings(0.6);
  s.sensors = {{.name = "x", .formula = {"slide.travel"}}};
  s.controllers = {bang_bang()};
  model::Built built = Cart(true).built();
  Simulation whole(built, s);
  run(whole);
  s.duration = 0.47;
  Simulation first(built, s);
  run(first);
  built.state = first.state();
  s.duration = 0.13;
  Simulation second(built, s);
  run(second);
  EXPECT_NEAR(Present(second).sensor("x"), Present(whole).sensor("x"), 1e-12);
  EXPECT_EQ(second.state().memory.back(), 2);
}

TEST(Instruments, AControllerThatGivesNoNumberEndsTheRun) {
  Settings s = settings();
  ControllerSpec c = bang_bang();
  c.measures = {};
  c.update = [](const Sample& sample) { sample.outputs[0] = std::sqrt(0.5 - sample.t); };
  s.controllers = {c};
  Simulation sim(Cart(true).built(), s);
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_EQ(sim.failure().substr(0, 50), "t = 0.51 s: controller 'switch' gives -nan");
}

std::string thrown(auto&& f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing";
}

TEST(Instruments, SayWhatIsWrong) {
  const auto with = [](auto change) {
    Settings s = settings();
    s.sensors = {{.name = "x", .formula = {"slide.travel"}}};
    s.controllers = {bang_bang()};
    change(s);
    return thrown([&] { Simulation(Cart(true).built(), s); });
  };
  EXPECT_EQ(with([](Settings&) {}), "nothing");
  EXPECT_EQ(with([](Settings& s) { s.sensors[0].formula.text = "slide.speed"; }),
            "sensor.x.formula: there is no channel 'slide.speed'; known: slide.reaction.fx, "
            "slide.reaction.fy, slide.reaction.fz, slide.reaction.tx, slide.reaction.ty, "
            "slide.reaction.tz, slide.travel, slide.travel.rate");
  EXPECT_EQ(with([](Settings& s) { s.controllers[0].period = 0; }),
            "controller.switch.period: a period of 0 s: it must be greater than 0");
  EXPECT_EQ(with([](Settings& s) { s.controllers[0].outputs = {}; }),
            "controller.switch: 'switch' gives no input\n"
            "input.push: no controller gives the input 'push'");
  EXPECT_EQ(with([](Settings& s) { s.controllers[0].update = {}; }),
            "controller.switch: 'switch' does nothing");
  model::Built other = Cart(true).built();
  other.state.inputs = {};
  EXPECT_EQ(thrown([&] { Simulation(other, settings()); }),
            "state.inputs: has 0 numbers where the model takes 4");
}

TEST(Instruments, ABuilderKnowsItsInputs) {
  Cart cart;
  model::LawSpec second;
  second.name = "second";
  second.type = "actuator";
  second.joint = "slide";
  second.force = Signal::live("pus");
  cart.builder.add_law(second);
  const auto result = cart.builder.build();
  const auto& problems = std::get<std::vector<Problem>>(result);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "law.second.force");
  EXPECT_EQ(problems[0].text, "there is no input 'pus'; did you mean 'push'?");
}

}  // namespace
}  // namespace trammel::sim::instruments_test
