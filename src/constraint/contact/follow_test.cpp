// What touches throughout a step is met at its end.
#include "constraint/contact/motion.h"
#include "constraint/contact/parts.h"
#include "constraint/contact/test_step.h"

namespace trammel::constraint::follow_test {
namespace {

using test::ball;
using test::Stepper;

constexpr double kG = 9.81;

/// A ball with its mass off its middle, that rolls on a floor.
model::Builder rocker(double w) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_contact_law(test::law_everywhere(2));
  model::BodySpec body = ball("a", 0.1, 2, {0, 0, 0.1});
  body.com = {0.04, 0, 0};
  body.inertia = {{0.01, 0.01, 0.01, 0, 0, 0}};
  body.solid.reset();
  body.solids_touch = false;
  body.contacts = {{.solid = {body::Solid::Kind::sphere, {0.1, 0, 0}}}};
  body.w = {0, w, 0};
  body.v = body.w.cross(Vec3(0.04, 0, 0.1));
  b.add_body(body);
  return b;
}

/// The gap of the only point where the drift has led.
double gap_at_end(Stepper& run) {
  PointFinder finder(run.surfaces);
  std::vector<contact::Point> points;
  find_points(run.surfaces, run.end, std::vector<double>(run.surfaces.reach.size(), 0.05), finder,
              points);
  EXPECT_EQ(points.size(), 1U);
  return points.at(0).gap;
}

TEST(ContactFollowing, ClosesTheGapAtTheEnd) {
  for (const double w : {2., 5.}) {
    Stepper run(rocker(w));
    run.begin(0.01);
    run.drift();
    const double open = std::abs(gap_at_end(run));
    EXPECT_GT(open, 1e-8);
    EXPECT_GT(run.follow(), 1);
    EXPECT_LT(std::abs(gap_at_end(run)), 1e-3 * open) << w;
  }
}

/// By how much a step of h slips in the mean of both ends, at the place that touches.
TEST(ContactFollowing, SticksOnTheMeanOfBothEnds) {
  const double h = 0.01;
  Stepper run(rocker(5));
  const contact::Point before = run.points(0.01).points.at(0);
  run.begin(h);
  run.follow();
  PointFinder finder(run.surfaces);
  std::vector<contact::Point> after;
  find_points(run.surfaces, run.end, std::vector<double>(run.surfaces.reach.size(), 0.01), finder,
              after);
  const Vec3 u0 = slip_of_rigid(run.surfaces, before, run.now, run.mean_u),
             u1 = slip_of_rigid(run.surfaces, after.at(0), run.end, run.mean_u);
  EXPECT_GT(std::abs(u0.x()), 1e-4);
  EXPECT_NEAR((u0 + u1).head<2>().norm() / 2, 0, 1e-7);
}

/// The energy that a rocker has lost or got after 0.4 s.
double energy_error(double h) {
  Stepper run(rocker(3));
  const double before = run.energy();
  for (int k = 0; k < static_cast<int>(std::lround(0.4 / h)); ++k) run.step(h);
  return std::abs(run.energy() - before);
}

TEST(ContactFollowing, MakesRockingOfSecondOrder) {
  const double coarse = energy_error(0.02), fine = energy_error(0.01);
  EXPECT_GT(coarse, 1e-9);
  EXPECT_GT(coarse / fine, 3);  // 4 but for higher orders
}

TEST(ContactFollowing, LeavesAloneWhatDoesNotTurn) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_contact_law(test::law_everywhere(0.2));
  model::BodySpec body = test::block("a", Vec3(0.3, 0.2, 0.1), 2, {0, 0, 0.05});
  body.v = {1, 0, 0};
  b.add_body(body);
  Stepper run(b);
  run.begin(0.01);
  run.drift();
  const std::vector<double> P = run.P;
  EXPECT_TRUE(follow_drift(run.contacts, run.now, run.end, run.mean_u, 0, run.P));
  EXPECT_EQ(run.P, P);
}

TEST(ContactFollowing, EndsAfterSoManyLooks) {
  Stepper run(rocker(5));
  run.begin(0.02);
  run.contacts.settings.options.tolerance = 0;  // never enough
  int looks = 0;
  for (run.drift(); !follow_drift(run.contacts, run.now, run.end, run.mean_u, 0, run.P);
       run.drift())
    ASSERT_LT(++looks, 10);
  EXPECT_EQ(looks, 8);
}

/// A long stone that rocks: where it touches goes from its middle almost to its end in a fifth of a
/// radian. What it does in between is not seen.
TEST(ContactFollowing, LetsGoWhatGoesFarOverItsShape) {
  for (const double w : {0.5, 20.}) {
    model::Builder b;
    b.add_obstacle(test::floor_of());
    b.add_contact_law(test::law_everywhere(2));
    model::BodySpec body = ball("a", 0.1, 2, {0, 0, 0.02});
    body.inertia = {{0.01, 0.01, 0.01, 0, 0, 0}};
    body.solid.reset();
    body.solids_touch = false;
    body.contacts = {{.solid = {body::Solid::Kind::ellipsoid, {0.2, 0.03, 0.02}}}};
    body.w = {0, w, 0};
    body.v = body.w.cross(Vec3(0, 0, 0.02));
    b.add_body(body);
    Stepper run(b);
    run.begin(0.01);
    const std::vector<double> P = run.P;
    run.drift();
    run.follow();
    EXPECT_EQ(run.P == P, w > 10) << w;
  }
}

// Friction against the slip at the start in stage P, at the end in stage V: what slides in a curve
// has the direction of its mean, to second order.
TEST(ContactFollowing, FrictionOfWhatSlidesIsThatOfItsStart) {
  const double h = 0.01, mu = 0.1;
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_contact_law(test::law_everywhere(mu));
  model::BodySpec body = ball("a", 0.1, 2, {0, 0, 0.1});
  body.solid.reset();
  body.solids_touch = false;
  body.contacts = {{.solid = {body::Solid::Kind::sphere, {0.1, 0, 0}}}};
  body.inertia = {{0.005, 0.02, 0.02, 0, 0, 0}};  // the slip of a round one would not turn
  body.v = {3, 0, 0};
  body.w = {20, 5, 0};
  b.add_body(body);
  Stepper run(b);
  const Vec3 slip = body.v + body.w.cross(Vec3(0, 0, -0.1));
  run.begin(h);
  run.follow();
  const Vec3 wanted = -mu * 2 * kG * h / 2 * slip.normalized();
  const Vec3 pushed = vec3(run.P.data()) - 2 * body.v;
  EXPECT_NEAR((pushed - wanted).head<2>().norm(), 0, 1e-7);
}

}  // namespace
}  // namespace trammel::constraint::follow_test
