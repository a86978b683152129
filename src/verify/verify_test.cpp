// What the cross-check says of mechanisms that are right, badly resolved, wrong or chaotic.
#include "verify/verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "verify/balance.h"
#include "verify/sticking.h"

namespace trammel::verify::verify_test {
namespace {

model::Built built(const model::Builder& builder) {
  auto result = builder.build();
  if (!std::holds_alternative<model::Built>(result)) throw std::runtime_error("refused");
  return std::get<model::Built>(std::move(result));
}

model::BodySpec box(const std::string& name, const Vec3& p) {
  model::BodySpec b;
  b.name = name;
  b.mass = 2.5;
  b.solid = model::Solid{model::Solid::Kind::box, {1, 0.05, 0.05}};
  b.X_WB.p = p;
  return b;
}

/// Links of 1 m on ball joints, horizontal, at rest.
model::Built chain(int n) {
  model::Builder b;
  for (int i = 0; i < n; ++i) {
    const std::string name = "link" + std::to_string(i);
    b.add_body(box(name, {i + 0.5, 0, 0}));
    model::JointSpec j;
    j.name = "ball" + std::to_string(i);
    j.type = "spherical";
    if (i > 0) j.a = "link" + std::to_string(i - 1);
    j.b = name;
    j.at = Pose{Vec3(i, 0, 0), Mat3::Identity()};
    b.add_joint(j);
  }
  return built(b);
}

/// A box on a slide along x, 30 cm from where its law, if any, would have it.
model::Builder slider() {
  model::Builder b;
  b.add_body(box("block", {0.3, 0, 0}));
  model::JointSpec j;
  j.name = "slide";
  j.type = "prismatic";
  j.b = "block";
  j.frame_a = j.frame_b = Pose{};
  b.add_joint(j);
  return b;
}

model::LawSpec on_slide(const std::string& type, std::map<std::string, double> numbers) {
  model::LawSpec l;
  l.name = "law";
  l.type = type;
  l.joint = "slide";
  l.numbers = std::move(numbers);
  return l;
}

model::Built with_spring(double stiffness) {
  model::Builder b = slider();
  b.add_law(on_slide("spring", {{"stiffness", stiffness}}));
  return built(b);
}

sim::Settings settings(double duration, double step) {
  sim::Settings s;
  s.duration = duration;
  s.step = step;
  return s;
}

const Options kWhole{.choose_horizon = false, .work = 0};

std::string said(const Report& r) {
  std::string out;
  for (const std::string& f : r.findings) out += f + "\n";
  for (const std::string& f : r.ill_posed) out += "ill-posed: " + f + "\n";
  for (const Unresolved& u : r.unresolved)
    out += r.series[u.series].name + " is not resolved from t = " + std::to_string(u.from) +
           " s on: " + u.why + "\n";
  return out;
}

TEST(Verify, ChainAgreesInThreeWays) {
  const model::Built c = chain(3);
  const Report r = verify(c, settings(1, 2e-3), kWhole);  // shorter: order 4 is rounding
  EXPECT_TRUE(r.agrees()) << said(r);
  ASSERT_EQ(r.series.size(), 3u);
  EXPECT_EQ(r.pairs.size(), 3u);
  EXPECT_NEAR(r.series[0].order, 2, 0.05);
  EXPECT_NEAR(r.series[1].order, 4, 0.25);
  for (const Pair& p : r.pairs) {
    EXPECT_EQ(p.until, r.grid.count);
    EXPECT_LT(p.greatest.length, 1e-8);  // what is left of the truncation
    EXPECT_GT(p.greatest.length, 0);
  }
  EXPECT_GT(r.series[0].error.back().length, 1e-6);  // truncation at the scene's own step
  EXPECT_LT(r.growth.factor, kChaotic);
  EXPECT_GT(r.growth.factor, 0);
}

TEST(Verify, MotorAgrees) {
  model::Builder b = slider();
  model::LawSpec motor = on_slide("motor", {{"force_min", -10}, {"force_max", 10}});
  motor.drive = Drive{Drive::Level::velocity, Signal(1.5)};
  b.add_law(motor);
  const model::Built m = built(b);
  const Report r = verify(m, settings(0.5, 1e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << said(r);
  ASSERT_EQ(r.series.size(), 2u);
  ASSERT_EQ(r.left_out.size(), 1u);  // bounds: not composed
  // 10 N on 2.5 kg reach 1.5 m/s at 0.375 s: then 0.28125 m + 1.5 m/s * 0.125 s
  EXPECT_NEAR(r.series[1].limit.back().p.x() - 0.3, 0.46875, 1e-8);
}

sim::Settings by_energy(double duration, double step, double stiffness) {
  sim::Settings s = settings(duration, step);
  s.form.formulation = form::Settings::Formulation::energy;
  s.form.joint_stiffness = stiffness;
  return s;
}

// Rows that hold, and soft joints of k, 4k, 16k: both tend to what the others do.
TEST(Verify, SoftJointsAgreeWithThoseThatHold) {
  const model::Built c = chain(2);
  const sim::Settings s = by_energy(0.5, 2e-3, 1e7);
  const Report r = verify(c, s, kWhole);
  EXPECT_TRUE(r.agrees()) << said(r);
  ASSERT_EQ(r.series.size(), 5u);
  EXPECT_EQ(r.series[3].name, "energy, bdf2, rows");
  EXPECT_TRUE(r.series[3].stiffer.empty());
  const Series& soft = r.series[4];
  EXPECT_EQ(soft.name, "energy, bdf2, soft joints");
  ASSERT_EQ(soft.stiffer.size(), 2u);
  EXPECT_GE(soft.cpu, soft.stiffer[0].cpu + soft.stiffer[1].cpu);  // of all stiffnesses
  EXPECT_GT(soft.work, soft.stiffer[0].work + soft.stiffer[1].work);
  EXPECT_NEAR(soft.order, 2, 0.1);
  EXPECT_NEAR(soft.stiffness_order, 1, 0.05);
  EXPECT_GT(soft.runs.back().summary.max_gap, 1e-6);  // 50 N on 1e7 N/m
  for (const Pair& p : r.pairs) {
    EXPECT_LT(p.greatest.length, 2e-6);
    EXPECT_GT(p.greatest.length, 0);
  }
  // a ten thousandth more of gravity in one of them
  model::Built wrong = c;
  wrong.params.values[model::kGravityParam + 2] *= 1 + 1e-4;
  Methods methods = methods_of(c, s.form);
  methods.methods.back().built = &wrong;
  const Report bad = compare(methods, s, kWhole);
  ASSERT_FALSE(bad.agrees());
  EXPECT_NE(said(bad).find("energy, bdf2, soft joints disagree from t = "), std::string::npos)
      << said(bad);
}

/// Two links of rubber, as stiff as 5 MPa, the second on a hinge: 1 to 6 thousand rad/s.
model::Built rubber_links() {
  model::Builder b;
  for (int i = 0; i < 2; ++i) {
    model::BodySpec link = box(i ? "lower" : "upper", {0.25 + 0.5 * i, 0, 0});
    link.mass = 6;
    link.solid = model::Solid{model::Solid::Kind::box, {0.5, 0.1, 0.1}};
    link.affine = model::Elastic{5e6, {}};
    b.add_body(link);
    model::JointSpec j;
    j.name = i ? "hinge" : "hook";
    j.type = i ? "revolute" : "spherical";
    j.a = i ? "upper" : "ground";
    j.b = link.name;
    j.at = Pose{Vec3(0.5 * i, 0, 0), Mat3(Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitZ()))};
    b.add_joint(j);
  }
  return built(b);
}

// Their own vibrations are too fast for the steps: by energy they are damped and come back in no
// refinement. How much that is follows from the energy that the scheme takes.
TEST(Verify, DampedVibrationsAreUncertain) {
  sim::Settings s = by_energy(0.2, 1e-3, law::kInf);
  const Report r = verify(rubber_links(), s, kWhole);
  EXPECT_TRUE(r.agrees()) << said(r);
  ASSERT_EQ(r.series.size(), 4u);
  const Series& energy = r.series[3];
  EXPECT_NEAR(energy.vibrating.stiffness, 8 * 5e6 * 0.005, 1e-6);
  EXPECT_NEAR(energy.vibrating.arm, 0.25, 1e-12);
  EXPECT_LT(energy.uncertainty.back().angle, 1e-4);
  EXPECT_TRUE(r.series[0].vibrating.arm == 0);  // an implicit spring damps nothing
}

// As published joints get stiffer as steps get shorter: one refinement is both.
TEST(Verify, JointsAsPublishedAgree) {
  const Report r = verify(chain(2), by_energy(0.5, 2e-3, -100), kWhole);
  EXPECT_TRUE(r.agrees()) << said(r);
  ASSERT_EQ(r.series.size(), 5u);
  EXPECT_EQ(r.series[4].name, "energy, bdf2, as published");
  EXPECT_TRUE(r.series[4].stiffer.empty());
  EXPECT_NEAR(r.series[4].order, 2, 0.1);
}

// 2 N of friction, smoothed over 1 mm/s: the block creeps on where the others' stays.
TEST(Verify, WhatIsSmoothedTendsToWhatIsSharp) {
  model::Builder b = slider();
  b.gravity = {0.4, 0, -9.81};
  b.add_law(on_slide("friction", {{"force", 2}}));
  const model::Built m = built(b);
  const Report r = verify(m, by_energy(0.5, 1e-3, law::kInf), kWhole);
  EXPECT_TRUE(r.agrees()) << said(r);
  ASSERT_EQ(r.series.size(), 3u);
  ASSERT_EQ(r.series[2].stiffer.size(), 2u);
  EXPECT_NEAR(r.series[2].stiffness_order, 1, 0.05);
  // v / v_s = atanh(1/2)
  EXPECT_NEAR(r.series[2].error.back().length, 1e-3 * std::atanh(0.5) * 0.5, 1e-5);
}

// Rows with nothing but springs hold no place that a soft joint could let go of.
TEST(Verify, SoftJointsThatHoldNothingAreNoSeriesOfTheirOwn) {
  model::Builder b;
  b.add_body(box("block", {0.3, 0, 0}));
  model::JointSpec j;
  j.name = "loose";
  j.type = "free";
  j.b = "block";
  j.frame_a = j.frame_b = Pose{};
  b.add_joint(j);
  for (model::LawSpec& law : laws_of(model::Bushing{.stiffness = Vec3(100, 0, 0)}, "loose", ""))
    b.add_law(std::move(law));
  const Methods methods = methods_of(built(b), by_energy(0.5, 2e-3, 1e7).form);
  ASSERT_FALSE(methods.methods.empty());
  EXPECT_EQ(methods.methods.back().name, "energy, bdf2, rows");
}

// Stops are plastic in every formulation; composition cannot take them, and soft joints swing on.
TEST(Verify, StopsAreCompared) {
  model::Builder b = slider();
  b.add_law(on_slide("limit", {{"from", 0}}));
  model::LawSpec spring = on_slide("spring", {{"stiffness", 100}, {"rest", -0.05}});
  spring.name = "spring";
  b.add_law(spring);
  const model::Built m = built(b);
  const Report r = verify(m, by_energy(0.4, 1e-3, 1e8), kWhole);
  EXPECT_EQ(r.left_out.size(), 2u);
  EXPECT_EQ(r.series.size(), 3u);
  EXPECT_TRUE(r.agrees()) << said(r);
}

TEST(Verify, FrictionThatIsGreaterAtRestIsNotTakenByEnergy) {
  model::Builder b = slider();
  b.add_law(on_slide("friction", {{"force", 1}, {"static_force", 2}}));
  const Report r = verify(built(b), by_energy(0.01, 1e-3, law::kInf), kWhole);
  ASSERT_EQ(r.left_out.size(), 2u);  // and order 4
  EXPECT_NE(r.left_out[1].why.find("no greater at rest"), std::string::npos) << r.left_out[1].why;
}

// A block on a spring that rubs to rest: moments of turning fall anywhere in a step.
TEST(Verify, IrregularOrdersAreNoFalseAlarm) {
  model::Builder b = slider();
  b.add_law(on_slide("spring", {{"stiffness", 100}}));
  model::LawSpec friction = on_slide("friction", {{"force", 2}});
  friction.name = "friction";
  b.add_law(friction);
  const model::Built m = built(b);
  const Report r = verify(m, settings(2, 1e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << said(r);
  EXPECT_FALSE(r.series[0].extrapolated) << r.series[0].order;
  EXPECT_GT(r.pairs[0].greatest.length, 1e-7);  // an order of 2 would have left less
}

// By forces the moment is found; impulses break at the end of a step, so that their order is one.
TEST(Verify, BreakingAgrees) {
  model::Builder b = slider();
  model::LawSpec spring = on_slide("spring", {{"stiffness", 100}});
  spring.compressive_strength = 20;  // of 30 N that it comes to, on the other side
  b.add_law(spring);
  const model::Built m = built(b);
  const Report r = verify(m, settings(1, 1e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << said(r);
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_GT(r.series[1].limit.back().p.x(), -1.1);  // flown off
  EXPECT_LT(r.series[1].limit.back().p.x(), -0.5);
  EXPECT_LT(r.pairs[0].greatest.length,
            5e-3);  // what a step changes, 8 m/s^2 for 0.6 s, extrapolated
}

// The period is 0.63 s at 250 N/m, 6.3 ms at 2.5 MN/m.
TEST(Verify, FindsTooLargeAStep) {
  const model::Built soft = with_spring(250);
  const Report good = verify(soft, settings(1, 1e-3), kWhole);
  EXPECT_TRUE(good.agrees()) << said(good);
  const model::Built stiff = with_spring(2.5e6);
  const Report bad = verify(stiff, settings(0.5, 2e-3), kWhole);
  EXPECT_EQ(bad.verdict(), Verdict::not_resolved) << said(bad);
  EXPECT_NE(said(bad).find("velocity, rattle, order 2 is not resolved from t = "),
            std::string::npos)
      << said(bad);
  for (const double t : bad.chaotic_beyond) EXPECT_FALSE(std::isfinite(t));
}

// In one of the formulations a hundred thousandth of the spring is lost.
TEST(Verify, FindsALostForce) {
  const model::Built right = with_spring(25), wrong = with_spring(25 * (1 + 1e-5));
  Methods methods = methods_of(right, {});
  ASSERT_EQ(methods.methods.size(), 3u);
  EXPECT_TRUE(compare(methods, settings(1, 1e-3), kWhole).agrees());
  methods.methods.back().built = &wrong;
  const Report r = compare(methods, settings(1, 1e-3), kWhole);
  ASSERT_EQ(r.findings.size(), 2u) << said(r);  // both of the right ones against it
  EXPECT_LT(r.pairs[0].differs, 0);
  for (const std::size_t i : {1u, 2u}) {
    EXPECT_EQ(r.pairs[i].body, "block");
    EXPECT_GE(r.pairs[i].differs, 0);
    EXPECT_LT(r.time(r.pairs[i].differs), 0.2);
    // x = 0.3 cos(w t), w^2 = 10: dx = 0.3 sin(w t) t dw, dw = w 1e-5/2; at 1 s 0.97e-7, within 1 s
    // at most 2.6e-6
    EXPECT_NEAR(r.pairs[i].greatest.length, 2.5e-6, 0.3e-6);
  }
}

/// Compared with one method's mechanism another one.
Report with_last(const model::Built& right, const model::Built& wrong) {
  Methods methods = methods_of(right, {});
  methods.methods.back().built = &wrong;
  return compare(methods, settings(1, 1e-3), kWhole);
}

TEST(Verify, FindsAFlippedSign) {
  const model::Built right = with_spring(25);
  model::Built wrong = right;
  double& k =
      wrong.params.values[static_cast<std::size_t>(right.model->find_param("law.law.stiffness"))];
  ASSERT_EQ(k, 25);
  k = -k;
  const Report r = with_last(right, wrong);
  ASSERT_EQ(r.findings.size(), 2u) << said(r);
  EXPECT_TRUE(said(r).find("acceleration, dp8 disagree from t = 0.0") != std::string::npos)
      << said(r);
}

TEST(Verify, FindsALostLaw) {
  model::Builder b = slider();
  b.add_law(on_slide("friction", {{"force", 0.02}}));
  b.gravity = {0.1, 0, -9.81};
  const model::Built right = built(b);
  model::Builder without = slider();
  without.gravity = b.gravity;
  const model::Built wrong = built(without);
  EXPECT_TRUE(with_last(right, right).agrees());
  const Report r = with_last(right, wrong);
  ASSERT_EQ(r.findings.size(), 1u) << said(r);
  EXPECT_TRUE(said(r).find("'block' first") != std::string::npos) << said(r);
}

/// Upright hinges one above the other, `lean` off each other's line.
model::Builder door(double lean) {
  model::Builder b;
  b.add_body(box("door", {0.5, 0, 0}));
  for (const char* name : {"upper", "lower"}) {
    model::JointSpec j;
    j.name = name;
    j.type = "revolute";
    j.b = "door";
    j.at = Pose{Vec3(0, 0, name[0] == 'u' ? 0.5 : -0.5),
                Mat3(Eigen::AngleAxisd(-std::acos(0.0) + lean, Vec3::UnitY()))};
    b.add_joint(j);
  }
  return b;
}

TEST(Verify, AgreesOnWhatIsAtRest) {
  const model::Built fast = built(door(0.1));  // two axes: nothing can turn
  const Report r = verify(fast, settings(0.3, 1e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << said(r);
  EXPECT_NEAR(r.size, std::sqrt(0.5), 1e-12);  // from the centre of mass to a hinge
}

// A door on two hinges that rub, 0.2 N m each, and weighs 1.25 kg m to the side: where it stands
// still what each of them carries is anybody's guess. While it turns both carry all they can.
TEST(Verify, SaysWhatIsIllPosed) {
  for (const double pull : {0., 0.1, 3.}) {  // of gravity, to the side [m/s^2]
    const bool rubs = pull == 0.1;
    model::Builder b = door(0);
    b.gravity = {0, pull, -9.81};
    for (const char* name : {"upper", "lower"}) {
      if (pull == 0) continue;
      model::LawSpec l = on_slide("friction", {{"force", 0.2}});
      l.name = std::string(name) + "_rubs";
      l.joint = name;
      b.add_law(l);
    }
    const model::Built made = built(b);
    const Report r = verify(made, settings(0.3, 1e-3), kWhole);
    EXPECT_TRUE(r.findings.empty()) << said(r);
    ASSERT_EQ(r.ill_posed.size(), rubs ? 1u : 0u) << pull << said(r);
    EXPECT_FALSE(r.motion_undetermined);
    EXPECT_LT(r.pairs[0].differs, 0);
    EXPECT_EQ(r.status(), std::string(rubs ? "ill-posed" : "agrees"));
    if (!rubs) continue;
    EXPECT_NE(r.ill_posed[0].find("the friction of 'upper', the friction of 'lower'"),
              std::string::npos)
        << r.ill_posed[0];
  }
}

// One motor or one friction on a door of two hinges is all that turns or stops it.
TEST(Verify, OneWhoRubsIsDetermined) {
  model::Builder b = door(0);
  model::LawSpec l = on_slide("friction", {{"force", 0.2}});
  l.joint = "lower";
  b.add_law(l);
  EXPECT_TRUE(may_stick(built(b)).empty());
  l = on_slide("motor", {{"force_min", -1}, {"force_max", 1}});
  l.name = "servo";
  l.joint = "upper";
  l.drive = Drive{Drive::Level::velocity, Signal(1.5)};
  b.add_law(l);
  ASSERT_EQ(may_stick(built(b)).size(), 1u);
  EXPECT_EQ(may_stick(built(b))[0].what, "the motor of 'upper', the friction of 'lower'");
  EXPECT_EQ(may_stick(built(b))[0].independent, 1u);
}

TEST(Verify, HingesThatBreakOrYieldAreIllPosed) {
  model::Builder b = door(0);
  EXPECT_TRUE(ill_posed(built(b)).empty());
  model::JointSpec third;
  third.name = "third";
  third.type = "revolute";
  third.b = "door";
  third.at = Pose{Vec3::Zero(), Mat3(Eigen::AngleAxisd(-std::acos(0.0), Vec3::UnitY()))};
  third.strength = 1000;
  b.add_joint(third);
  ASSERT_EQ(ill_posed(built(b)).size(), 1u);
  EXPECT_NE(ill_posed(built(b))[0].find("the strength of 'third'"), std::string::npos);
}

TEST(SlowVerify, SaysFromWhenOnItIsChaotic) {
  const model::Built c = chain(2);
  const Report r = verify(c, settings(16, 2e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << said(r);
  EXPECT_GT(r.growth.factor, 1e4);
  const double slowest = r.chaotic_beyond[0];
  EXPECT_GT(slowest, 2);
  EXPECT_LT(slowest, 12);
  EXPECT_GE(r.chaotic_beyond[2], slowest);  // the more accurate one lasts longer
  EXPECT_EQ(r.pairs[0].until, r.resolved[0]);
}

// Chaos is no excuse for what is different before it.
// What rests at first is disturbed once it moves; before that there is nothing to be multiplied.
TEST(Verify, WhatSetsOutLateIsNotChaotic) {
  model::Builder b = slider();
  b.gravity.setZero();  // its momentum is zero to the last bit
  model::LoadSpec push;
  push.name = "push";
  push.body = "block";
  push.value[0] = Signal::spline({0.1, 0.1, 0.2, 0.2}, {0, 1e-6, 1e-6, 500});
  b.add_load(push);
  const Report r = verify(built(b), settings(0.4, 1e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << said(r);
  EXPECT_GT(r.growth.from, 5);
  EXPECT_LT(r.growth.factor, 10);
  EXPECT_EQ(r.growth.chaotic, -1);
}

TEST(Verify, FindsWrongGravityBeforeTheChaos) {
  const model::Built right = chain(2);
  model::Built wrong = right;
  wrong.params.values[model::kGravityParam + 2] *= 1 + 1e-4;
  Methods methods = methods_of(right, {});
  methods.methods.erase(methods.methods.begin() + 1);
  methods.methods.back().built = &wrong;
  const Report r = compare(methods, settings(10, 2e-3), kWhole);
  ASSERT_EQ(r.findings.size(), 1u) << said(r);
  EXPECT_LT(r.time(r.pairs[0].differs), 1);
  EXPECT_TRUE(std::isfinite(r.chaotic_beyond[0]));
}

// By counted work, so that it is the same whatever else the machine does.
TEST(SlowVerify, ChoosesAHorizonByWork) {
  const model::Built c = chain(3);
  const auto of = [&] {
    return verify(c, settings(1e5, 1e-3), {.choose_horizon = true, .work = 0.1e9});
  };
  const Report r = of(), again = of();
  EXPECT_LT(r.grid.horizon(), 1000);
  EXPECT_GE(r.grid.horizon(), 0.01);
  double work = 0;
  for (const Series& s : r.series) work += s.work;
  EXPECT_LT(work, 0.3e9);
  EXPECT_GT(work, 0.02e9);
  ASSERT_EQ(again.series.size(), r.series.size());
  EXPECT_EQ(again.grid.horizon(), r.grid.horizon());
  EXPECT_EQ(again.verdict(), r.verdict());
  for (std::size_t i = 0; i < r.series.size(); ++i) {
    EXPECT_EQ(again.series[i].work, r.series[i].work);
    EXPECT_EQ(again.series[i].uncertainty.back().length, r.series[i].uncertainty.back().length);
  }
}

// 6e5 rad/s: by forces each step of the grid is some thousand of the method, and ends within it.
TEST(Verify, ARunEndsWithinAStep) {
  const model::Built stiff = with_spring(1e12);
  sim::Settings by_forces = settings(1, 1e-2);
  by_forces.form.formulation = form::Settings::Formulation::acceleration;
  const Samples run = sample(stiff, by_forces, 1, 100, {2e6, nullptr, ""});
  EXPECT_TRUE(run.enough);
  EXPECT_FALSE(run.cut);
  EXPECT_EQ(run.failure, "");
  EXPECT_GT(run.work, 2e6);
  EXPECT_LT(run.work, 2.2e6);
  EXPECT_EQ(run.count(), 0);
}

TEST(Verify, LeavesOutWhatIsTooExpensive) {
  const model::Built stiff = with_spring(1e12);
  const Report r = verify(stiff, settings(1000, 1e-2), {.choose_horizon = true, .work = 0.05e9});
  ASSERT_EQ(r.left_out.size(), 1u);
  EXPECT_EQ(r.left_out[0].name, "acceleration, dp8");
  EXPECT_TRUE(r.left_out[0].why.starts_with("too expensive: ")) << r.left_out[0].why;
  EXPECT_GE(r.series.size(), 1u);
  EXPECT_TRUE(r.unfinished.empty());
}

// What a budget of the wall clock cuts off has no verdict, right or wrong.
TEST(Verify, WhatIsCutIsUnfinished) {
  const model::Built c = chain(2);
  for (const int most : {0, 2, 20}) {
    int asked = 0;
    Options options = kWhole;
    options.watch.over = [&] { return ++asked > most; };
    const Report r = verify(c, settings(2, 1e-3), options);
    EXPECT_EQ(r.verdict(), Verdict::unfinished) << most;
    EXPECT_FALSE(r.agrees());
    ASSERT_EQ(r.unfinished.size(), 1u);
  }
}

/// Free to turn where nothing else is: its place says nothing of its size.
model::Built top(const Vec3& place) {
  model::Builder b;
  b.gravity = Vec3::Zero();
  model::BodySpec body = box("top", place);
  body.w = {1, 2, 3};
  b.add_body(body);
  return built(b);
}

TEST(Verify, SizesAreTheMechanismsOwn) {
  for (const Vec3& place : {Vec3(0, 0, 0), Vec3(1, 2, 3), Vec3(1e6, 0, 0)}) {
    const Report r = verify(top(place), settings(0.2, 1e-3), kWhole);
    EXPECT_TRUE(r.agrees()) << said(r);
    EXPECT_NEAR(r.size, std::sqrt((1 + 2 * 0.0025) / 12), 1e-6);  // its radius of gyration
  }
}

}  // namespace
}  // namespace trammel::verify::verify_test
