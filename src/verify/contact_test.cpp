// What the cross-check says of bodies that touch: impacts, what follows them, wrong laws.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "verify/verify.h"

namespace trammel::verify::contact_test {
namespace {

constexpr double kG = 9.81;
const Options kWhole{.choose_horizon = false, .work = 0};

model::Built built_of(const model::Builder& builder) {
  auto result = builder.build();
  if (const auto* wrong = std::get_if<std::vector<Problem>>(&result))
    throw std::runtime_error(wrong->front().text);
  return std::get<model::Built>(std::move(result));
}

sim::Settings over(double duration, double step) {
  sim::Settings s;
  s.duration = duration;
  s.step = step;
  return s;
}

std::string findings_of(const Report& r) {
  std::string out;
  for (const std::string& f : r.findings) out += f + "\n";
  for (const LeftOut& l : r.left_out) out += l.name + ": " + l.why + "\n";
  return out;
}

/// A floor, with one law for all.
model::Builder floor_with(double friction, double restitution) {
  model::Builder b;
  model::ContactSpec floor;
  floor.kind = model::ContactSpec::Kind::half_space;
  b.add_obstacle(floor);
  model::ContactLawSpec law;
  law.name = "law";
  law.law.friction = friction;
  law.law.restitution = restitution;
  b.add_contact_law(law);
  return b;
}

model::BodySpec body_of(const std::string& name, const model::Solid& solid, const Vec3& p) {
  model::BodySpec b;
  b.name = name;
  b.mass = 2;
  b.solid = solid;
  b.solids_touch = true;
  b.X_WB.p = p;
  return b;
}

/// A ball of 10 cm, 1 m above the floor, thrown forward.
model::Built bouncing(double restitution, double friction, double height = 1) {
  model::Builder b = floor_with(friction, restitution);
  model::BodySpec ball =
      body_of("ball", {model::Solid::Kind::sphere, {0.1, 0, 0}}, {0, 0, 0.1 + height});
  ball.v = {1, 0, 0};
  b.add_body(ball);
  return built_of(b);
}

/// Three impacts: every series knows when, to what it says; places agree to what they say.
TEST(VerifyContact, ABouncingBallAgrees) {
  const double e = 0.8, w = std::sqrt(2 * kG);
  const Report r = verify(bouncing(e, 0.3), over(2, 1e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << findings_of(r);
  ASSERT_EQ(r.series.size(), 2u);
  ASSERT_EQ(r.meetings.all.size(), 3u);
  double t = w / kG, v = w;
  for (const Meeting& m : r.meetings.all) {
    EXPECT_EQ(m.pair, "ball, ground");
    EXPECT_TRUE(m.agrees);
    for (const Meeting::Time& known : m.of) {
      ASSERT_TRUE(known.known);
      EXPECT_NEAR(known.t, t, known.off);
      EXPECT_NEAR(known.speed, v, 1e-9);
    }
    v *= e;
    t += 2 * v / kG;
  }
  EXPECT_LT(r.meetings.all[0].of[0].off, 1.01 * 0.25e-3);  // a step of the finest run,
  EXPECT_LT(r.meetings.all[2].of[0].off, 6 * 0.25e-3);     // and what earlier ones leave
  EXPECT_LT(r.meetings.all[2].of[1].off, 1e-9);            // located
  // before the first impact the order is seen, after it nothing is extrapolated
  EXPECT_EQ(r.series[0].first_impact, 11);  // 0.4515 s, times are 0.04 s apart
  EXPECT_FALSE(r.series[0].extrapolated);
  EXPECT_EQ(r.series[0].late[9].length, 0);
  EXPECT_GT(r.series[0].late[12].length, 0);
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_LT(r.pairs[0].greatest.length, r.series[0].late.back().length);
}

/// However the impacts fall into steps: heights that put the first one anywhere between two ends of
/// steps, and on one.
TEST(VerifyContact, WhereInAStepImpactsFallIsNoMatter) {
  for (int k = 0; k <= 8; ++k) {
    const double t = 0.4 + 1e-3 * k / 8;
    const Report r = verify(bouncing(0.6, 0.2, kG / 2 * t * t), over(1.5, 1e-3), kWhole);
    EXPECT_TRUE(r.agrees()) << k << ": " << findings_of(r);
    EXPECT_GE(r.meetings.all.size(), 3u);
  }
}

/// By forces another law than by impulses.
Report other_law(double restitution, double friction) {
  const model::Built right = bouncing(0.8, 0.3), wrong = bouncing(restitution, friction);
  Methods methods = methods_of(right, {});
  methods.methods.back().built = &wrong;
  return compare(methods, over(2, 1e-3), kWhole);
}

TEST(VerifyContact, FindsAWrongRestitution) {
  EXPECT_TRUE(other_law(0.8, 0.3).agrees());
  const Report r = other_law(0.79, 0.3);
  const std::string found = findings_of(r);
  EXPECT_NE(found.find("disagree from t = 0."), std::string::npos) << found;  // in the first flight
  EXPECT_NE(found.find("'ball, ground' meet at t = 1.17"), std::string::npos) << found;
  ASSERT_GE(r.meetings.all.size(), 2u);
  EXPECT_TRUE(r.meetings.all[0].agrees);
  EXPECT_FALSE(r.meetings.all[1].agrees);
}

/// The ball slips in its first impact with a coefficient below 2/7 v/((1 + e) w) = 0.0358.
TEST(VerifyContact, FindsAWrongFriction) {
  EXPECT_TRUE(other_law(0.8, 0.05).agrees());  // sticks either way
  const std::string found = findings_of(other_law(0.8, 0.034));
  EXPECT_NE(found.find("disagree from t = 0."), std::string::npos) << found;
}

}  // namespace
}  // namespace trammel::verify::contact_test
