// The velocity of surfaces that are moved, on the mean of a step, against exact displacements.
#include "constraint/contact/motion.h"
#include "constraint/contact/test_scene.h"

namespace trammel::constraint::mean_motion_test {
namespace {

using test::ball;
using test::block;
using test::Scene;

/// A function of time that has no simple mean: a sin(b t + c), with its derivatives.
Drive swinging(double a, double b, double c) {
  return {Drive::Level::displacement, Signal::function([=](double t) {
            return Jet{a * std::sin(b * t + c), a * b * std::cos(b * t + c),
                       -a * b * b * std::sin(b * t + c)};
          })};
}
Drive turning_at(double w) {
  return {Drive::Level::displacement, Signal::function([w](double t) { return Jet{w * t, w, 0}; })};
}

/// The transform of an object a time h later: of what is moved as it says, else going on.
body::Transform later(const Scene& s, int object, double h) {
  std::vector<double> q = s.state.q, dq = s.u;
  for (double& v : dq) v *= h;
  s.kin.retract(dq.data(), q.data());
  model::KinematicsCache cache = s.kin.make_cache();
  s.kin.transforms(q.data(), s.now.t + h, cache);
  return cache.T_WO[at(object)];
}

/// A ball on a platform that swings along all axes, or on a table that also turns about z.
model::Builder on_table(double w, const Vec3& place, const Vec3& speed) {
  model::Builder b;
  body::Prescribed motion;
  motion.displacement = {swinging(0.1, 2, 0.3), swinging(0.2, 3, 1), Drive{}};
  if (w != 0) motion.turns = {{Vec3::UnitZ(), turning_at(w)}};
  b.add_body(test::prescribed(block("table", Vec3(2, 2, 0.2), 1, {0, 0, -0.1}), motion));
  model::BodySpec body = block("rider", Vec3(0.2, 0.2, 0.2), 1, place);
  body.v = speed;
  body.w = {0, 0, w};
  b.add_body(body);
  return b;
}

// What rides on a table and goes along the chord of its way, turning with it, slips nowhere.
TEST(ContactMeanMotion, RidersStickToTheirTableThroughoutAStep) {
  for (const double w : {0., 0.5, -2.})
    for (const double h : {1e-3, 0.1, 0.4}) {
      Scene s(on_table(w, Vec3(0.5, 0.3, 0.1), Vec3(1, 1, 0)));
      PointSet set = s.points(0.01);
      ASSERT_EQ(set.size(), 4U);
      const std::vector<Six> own = set.own;
      std::vector<Six> shift;
      take_mean_motion(h, s.surfaces, s.now, s.u, set, shift);
      const int table = s.object("table");
      const body::Transform &from = s.now.T_WO[at(table)], to = later(s, table, h);
      const Vec3 x = s.place("rider");
      const Vec3 chord = to.p + to.A * (from.A.transpose() * (x - from.p)) - x;
      std::vector<double> mean(6, 0);
      vec3(mean.data()) = chord / h;
      mean[5] = w;
      for (std::size_t i = 0; i < set.size(); ++i) {
        EXPECT_NEAR(slip_at(set, i, mean).norm(), 0, 1e-11) << w << " " << h;
        EXPECT_NEAR((set.own[i] - own[i] - shift[i]).norm(), 0, 1e-14);
        EXPECT_GT(shift[i].norm(), 1e-6);
      }
    }
}

// Under what does not turn with it the surface of a roller runs, and does not sink.
TEST(ContactMeanMotion, RollersRunUnderWhatDoesNotTurn) {
  const double w = 3, h = 0.1;
  model::Builder b;
  body::Prescribed motion;
  motion.turns = {{Vec3::UnitY(), turning_at(w)}};
  model::BodySpec roller = test::solid_body(
      "roller", {body::Solid::Kind::cylinder, Vec3(0.2, 1, 0), Vec3::UnitY()}, 1, {0, 0, -0.2});
  b.add_body(test::prescribed(roller, motion));
  b.add_body(block("plate", Vec3(1, 0.2, 0.1), 1, {0, 0, 0.05}));
  Scene s(b);
  PointSet set = s.points(0.01);
  ASSERT_GE(set.size(), 1U);
  std::vector<Six> shift;
  take_mean_motion(h, s.surfaces, s.now, s.u, set, shift);
  for (std::size_t i = 0; i < set.size(); ++i) {
    const bool is_B = s.surfaces.object_of(set.points[i].B) == s.object("roller");
    const Vec3 runs = (is_B ? 1 : -1) * force_of(set, i, set.own[i]);
    EXPECT_NEAR((runs - Vec3(w * 0.2, 0, 0)).norm(), 0, 1e-9);
  }
}

TEST(ContactMeanMotion, IsNoneWhereNothingIsMoved) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_body(ball("a", 0.1, 1, {0, 0, 0.1}));
  Scene s(b);
  PointSet set = s.points(0.01);
  std::vector<Six> shift;
  take_mean_motion(0.1, s.surfaces, s.now, s.u, set, shift);
  EXPECT_TRUE(shift.empty());
}

/// How far the velocity of the surface on a step is from the mean of those at both ends, of a ball
/// that rolls over a turntable.
double off_mean(double h) {
  Scene s(on_table(2, Vec3(0.5, 0.3, 0.1), Vec3(1, -2, 0)));
  s.u[5] = 0;  // it does not turn with the table
  PointSet set = s.points(0.01);
  const Vec3 own_before = force_of(set, 0, set.own[0]);
  std::vector<Six> shift;
  take_mean_motion(h, s.surfaces, s.now, s.u, set, shift);
  std::vector<double> q = s.state.q, dq = s.u, u_end(6);
  for (double& v : dq) v *= h;
  s.kin.retract(dq.data(), q.data());
  model::KinematicsCache end = s.kin.make_cache();
  s.refresh(q, s.state.P, h, end, u_end);
  PointFinder finder(s.surfaces);
  PointSet after;
  find(s.surfaces, end, std::vector<double>{0.01, 0.01}, finder, after);
  EXPECT_EQ(after.points[0].feature, set.points[0].feature);
  const Vec3 gain = gain_of_motion(h, s.surfaces, set.points[0], after.points[0], s.now, end, s.u);
  const Vec3 wanted = 0.5 * (own_before + force_of(after, 0, after.own[0]));
  return (force_of(set, 0, set.own[0]) + gain - wanted).norm();
}

TEST(ContactMeanMotion, GainsMakeItTheMeanOfBothEnds) {
  const double coarse = off_mean(0.02), fine = off_mean(0.01);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.5);  // truncation of second order
}

}  // namespace
}  // namespace trammel::constraint::mean_motion_test
