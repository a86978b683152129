// What has come to touch by the end of a step, how fast, and with what it is to leave; thin plates.
#include "constraint/contact/parts.h"
#include "constraint/contact/test_step.h"

namespace trammel::constraint::arrive_test {
namespace {

using test::ball;
using test::block;
using test::Stepper;

constexpr double kG = 9.81;

model::Builder on_floor(double friction, double restitution) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_contact_law(test::law_everywhere(friction, restitution));
  return b;
}
model::BodySpec moving(model::BodySpec body, const Vec3& v, const Vec3& w = Vec3::Zero()) {
  body.v = v;
  body.w = w;
  return body;
}

// Wherever in the step a ball arrives it does so with the speed of free fall, and leaves with it.
TEST(ContactArrivals, HaveTheSpeedOfFreeFall) {
  for (const double h : {0.005, 0.01, 0.02})
    for (int part = 0; part <= 10; ++part) {
      const double v = 2, t = h * part / 10, gap = v * t + kG * t * t / 2;
      model::Builder b = on_floor(0, 1);
      b.add_body(moving(ball("a", 0.1, 2, {0, 0, 0.1 + gap}), {0, 0, -v}));
      Stepper run(b);
      const double before = run.energy();
      run.step(h);
      const double w = v + kG * t;
      ASSERT_EQ(run.contacts.told.events.size(), 1U);
      EXPECT_NEAR(run.contacts.told.events[0].value, w, 1e-10);
      EXPECT_NEAR(run.velocity("a").z(), w, 1e-9) << part;  // of the solver
      EXPECT_NEAR(run.energy(), before, 1e-8) << part;
    }
}

TEST(ContactArrivals, ArePartnersOfTheSamePoints) {
  model::Builder b = on_floor(0, 0);
  b.add_body(moving(block("a", Vec3(0.2, 0.4, 0.1), 2, {0, 0, 0.051}), {0.1, 0, -1}, {0, 0, 1}));
  b.add_body(block("far", Vec3(0.2, 0.4, 0.1), 2, {2, 0, 0.1}));
  Stepper run(b);
  run.begin(0.01);
  run.drift();
  run.kick_end();
  ASSERT_TRUE(arrive(run.contacts, run.end, run.end_u));
  const ContactEnd& end = run.contacts.end;
  ASSERT_EQ(end.points.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const Arrival& arrival = end.arrivals[i];
    ASSERT_GE(arrival.partner, 0);
    EXPECT_EQ(run.contacts.start.points.points[at(arrival.partner)].feature,
              end.points.points[i].feature);
    EXPECT_TRUE(arrival.pushed);
    EXPECT_LT(arrival.turned, 1e-6);  // of the sine of normals that are rounded
    EXPECT_NEAR(arrival.speed, std::sqrt(1 + 2 * kG * 0.001), 1e-10);
  }
}

// A gap that closes just by the end has been pushed by nothing; it arrives all the same.
TEST(ContactArrivals, AreThereForWhatLandsWithoutAPush) {
  const double h = 0.01, v = 1, gap = v * h + kG * h * h / 2;
  model::Builder b = on_floor(0, 0.5);
  b.add_body(moving(ball("a", 0.1, 2, {0, 0, 0.1 + gap * (1 - 1e-15)}), {0, 0, -v}));
  Stepper run(b);
  run.begin(h);
  run.contacts.start.stage.p.at(0).setZero();  // rounding could have it so
  run.P = run.state.P;
  run.kick(run.now, run.P);
  run.drift();
  run.q[2] -= 1e-12;
  run.refresh(run.q, run.P_end, h, run.end, run.end_u);
  run.finish();
  EXPECT_NEAR(run.velocity("a").z(), 0.5 * (v + kG * h), 1e-9);
}

TEST(ContactArrivals, AreNoneOfWhatStaysApart) {
  model::Builder b = on_floor(0, 0.5);
  b.add_body(ball("a", 0.1, 2, {0, 0, 0.1005}));
  Stepper run(b);
  run.step(1e-3);
  EXPECT_NEAR(run.velocity("a").z(), -kG * 1e-3, 1e-14);
  EXPECT_TRUE(run.state.contacts.key.empty());
}

// A long bounce: each is e times the one before, the last ends in rest.
TEST(ContactArrivals, BouncesEndInRest) {
  model::Builder b = on_floor(0, 0.5);
  b.add_body(ball("a", 0.1, 2, {0, 0, 0.2}));
  Stepper run(b);
  for (int k = 0; k < 300; ++k) run.step(0.01);
  EXPECT_NEAR(run.velocity("a").norm(), 0, 1e-8);
  EXPECT_NEAR(run.place("a").z(), 0.1, 1e-7);
}

/// A ball that flies past, or onto, a thin plate which stands upright at x = 0, in one step.
model::Builder at_plate(double y) {
  model::Builder b;
  b.gravity = Vec3::Zero();
  b.add_body(block("plate", Vec3(0.01, 1, 1), 5, Vec3::Zero()));
  b.add_body(moving(ball("a", 0.05, 1, {-1, y, 0}), {200, 0, 0}));
  return b;
}

TEST(ContactAhead, ThinPlatesAreHit) {
  for (const double y : {0., 0.3, 0.5}) {
    Stepper run(at_plate(y));
    run.step(0.01);
    const double I = 5 * (1 + 1e-4) / 12, impulse = 200 / (1 + 1. / 5 + y * y / I);
    EXPECT_GT(run.velocity("plate").x(), 0.5 * impulse / 5) << y;  // it turns in the step
    EXPECT_NEAR(run.velocity("a").x() + 5 * run.velocity("plate").x(), 200, 1e-10) << y;
    if (y > 0) continue;
    EXPECT_NEAR(run.velocity("plate").x(), impulse / 5, 1e-8);
    EXPECT_NEAR(run.place("plate").x() - run.place("a").x(), 0.055, 1e-8);
  }
}

TEST(ContactAhead, ThinPlatesAreMissed) {
  for (const double y : {0.56, 0.7, 2.}) {
    Stepper run(at_plate(y));
    run.step(0.01);
    EXPECT_NEAR(run.place("a").x(), 1, 1e-12) << y;
    EXPECT_EQ(run.velocity("plate"), Vec3(Vec3::Zero())) << y;
  }
}

// Two that fly side by side in front of a corner: from afar points are planes, and would hold them.
TEST(ContactAhead, NothingIsHitThatIsNotThere) {
  model::Builder b;
  b.gravity = Vec3::Zero();
  b.add_body(block("box", Vec3(0.2, 0.2, 0.2), 5, Vec3::Zero()));
  b.add_body(moving(block("rod", Vec3(0.1, 0.1, 0.1), 1, {-1, 0.4, 0}), {100, 0, 0}));
  Stepper run(b);
  run.step(0.02);
  EXPECT_NEAR(run.place("rod").x(), 1, 1e-12);
}

model::Builder under_mesh(double v) {
  model::Builder b;
  b.gravity = Vec3::Zero();
  model::ContactSpec field{.kind = model::ContactSpec::Kind::heights};
  field.heights = std::make_shared<const model::Heights>(model::Heights{2, 2, 4, 4, {0, 0, 0, 0}});
  field.X_BS.p = {-2, -2, 0};
  field.name = "field";
  b.add_obstacle(field);
  b.add_body(moving(ball("a", 0.1, 1, {0.3, 0.2, 0.5}), {0, 0, v}));
  return b;
}

TEST(ContactAhead, SidesAreOfShapesThatHavePointsWithSurfaces) {
  Stepper run(under_mesh(-1));
  const PointSet set = run.points(1);
  ASSERT_GE(set.size(), 1U);
  std::vector<Side> sides;
  sides_of(run.surfaces, run.now, set, sides);
  ASSERT_EQ(sides.size(), 1U);
  EXPECT_EQ(run.surfaces.object(sides[0].shape).name, "a");
  const Pose field = run.surfaces.shape(sides[0].surface).X_OS;
  EXPECT_NEAR((field.p + field.R * sides[0].middle - run.place("a")).norm(), 0, 1e-12);
}

TEST(ContactAhead, WhoseMiddleComesThroughASurfaceHasPassed) {
  Stepper run(under_mesh(-1));
  const PointSet set = run.points(1);
  std::vector<Side> sides;
  sides_of(run.surfaces, run.now, set, sides);
  for (const double z : {0.4, 0.05, 0.001, -0.001, -0.3}) {
    run.q = run.state.q;
    run.q[2] = z;
    run.refresh(run.q, run.state.P, 0, run.end, run.end_u);
    const std::string why = passed(run.surfaces, sides, run.end, 0.01);
    EXPECT_EQ(why.empty(), z > 0) << z << why;
    EXPECT_EQ(why.find("'a' would pass through") == std::string::npos, z > 0) << why;
  }
}

TEST(ContactAhead, FastBallsDoNotPassThroughASurface) {
  Stepper run(under_mesh(-100));
  run.step(0.01);
  EXPECT_NEAR(run.place("a").z(), 0.1, 1e-4);  // to which ways are followed
}

}  // namespace
}  // namespace trammel::constraint::arrive_test
