// How what has shapes moves in a step, against small steps and exact displacements.
#include "constraint/contact/motion.h"

#include "constraint/contact/test_scene.h"

namespace trammel::constraint::motion_test {
namespace {

using test::ball;
using test::block;
using test::random_vector;
using test::Scene;

/// A function of time that has no simple mean: a sin(b t + c), with its derivatives.
Drive swinging(double a, double b, double c) {
  return {Drive::Level::displacement, Signal::function([=](double t) {
            return Jet{a * std::sin(b * t + c), a * b * std::cos(b * t + c),
                       -a * b * b * std::sin(b * t + c)};
          })};
}
std::vector<double> margins_of(double h, const Scene& s) {
  std::vector<double> out(s.surfaces.reach.size());
  margins(h, s.surfaces, s.now, s.u, out);
  return out;
}

TEST(ContactMargins, CoverTwiceWhatCanBeReached) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    model::Builder b;
    model::BodySpec body = block("a", Vec3(0.2, 0.3, 0.1), 1, random_vector(random, 1));
    body.v = random_vector(random, 5);
    body.w = random_vector(random, 20);
    b.add_body(body);
    const Scene s(b);
    for (const double h : {1e-3, 1e-2, 0.1}) {
      double way = 0;  // the farthest that a corner goes, gravity at the end of the step included
      for (int k = 0; k < 8; ++k) {
        const Vec3 x(k & 1 ? 0.1 : -0.1, k & 2 ? 0.15 : -0.15, k & 4 ? 0.05 : -0.05);
        const Vec3 turned = exp_matrix(h * body.w) * x;
        way = std::max(way, (h * body.v + turned - x).norm() + h * h * 9.81);
      }
      const double straight = h * (body.v.norm() + body.w.norm() * s.surfaces.reach[0] + h * 9.81);
      const double margin = margins_of(h, s)[0], least = s.surfaces.least[0];
      EXPECT_GE(margin, 2 * way);
      EXPECT_LE(margin,
                std::max(least, 4 * straight));  // rounded up to a power of two of the least
      const double power = std::log2(margin / least);
      EXPECT_NEAR(power, std::round(power), 1e-12);
    }
  }
}

TEST(ContactMargins, AreTheLeastOfWhatRests) {
  model::Builder b;
  b.gravity = Vec3::Zero();
  b.add_obstacle(test::floor_of());
  b.add_body(block("a", Vec3(0.2, 0.3, 0.1), 1, {0, 0, 1}));
  const Scene s(b);
  EXPECT_EQ(margins_of(0.1, s), s.surfaces.least);
  EXPECT_EQ(s.surfaces.least[0], 0);      // a floor has no size
  EXPECT_EQ(s.surfaces.least[1], 0.001);  // a hundredth of the least edge
}

TEST(ContactMargins, CountTheSpeedOfWhatIsMoved) {
  model::Builder b;
  body::Prescribed motion;
  motion.displacement[1] = swinging(0.5, 4, 0);  // 2 m/s at the start
  b.add_body(test::prescribed(ball("m", 0.1, 1, {0, 0, 1}), motion));
  const Scene s(b);
  const double margin = margins_of(0.1, s)[0];
  EXPECT_GE(margin, 2 * 0.1 * 2.0);
  EXPECT_LE(margin, 4 * 0.1 * 2.0);
}

/// What kinds of motion there are: free, moved as given, on a joint, straining.
model::Builder movers() {
  std::mt19937 random(2);
  model::Builder b;
  model::BodySpec free = ball("free", 0.1, 1, {0, 0, 0.09});
  free.v = random_vector(random, 1);
  free.w = random_vector(random, 2);
  b.add_body(free);
  body::Prescribed motion;
  motion.displacement = {swinging(0.1, 2, 0.3), swinging(0.2, 3, 1), swinging(0.1, 1, 2)};
  motion.turns = {{Vec3(1, 2, 2) / 3, swinging(0.8, 2, 0.5)}};
  b.add_body(test::prescribed(block("moved", Vec3(0.4, 0.4, 0.1), 1, {0, 0, -0.05}), motion));
  model::BodySpec soft = ball("soft", 0.1, 1, {2, 0, 1});
  soft.affine = model::Elastic{1e6, {}};
  soft.v = {1, 2, 3};
  soft.w = {4, 0, 0};
  b.add_body(soft);
  return b;
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

TEST(ContactMotion, TwistsAreTheRatesOfPoses) {
  const Scene s(movers());
  const double h = 1e-5;
  for (const char* name : {"free", "moved"}) {
    const int object = s.object(name);
    const body::Transform a = later(s, object, -h), b = later(s, object, h);
    const Twist t = twist_of(s.surfaces, object, s.now, s.u);
    EXPECT_GT(t.w.norm(), 0.1);
    EXPECT_NEAR(((b.p - a.p) / (2 * h) - t.v).norm(), 0, 1e-8) << name;  // truncation
    EXPECT_NEAR((b.A - a.A - 2 * h * skew(t.w) * s.now.T_WO[at(object)].A).norm() / h, 0, 1e-7);
  }
  const Twist soft = twist_of(s.surfaces, s.object("soft"), s.now, s.u);
  EXPECT_NEAR((soft.v - Vec3(1, 2, 3)).norm(), 0, 1e-12);
  EXPECT_EQ(soft.w, Vec3(Vec3::Zero()));  // what strains does not turn
  EXPECT_EQ(twist_of(s.surfaces, 0, s.now, s.u).v, Vec3(Vec3::Zero()));
}

TEST(ContactMotion, PosesGoOnWithTheirTwist) {
  model::Builder b;
  model::BodySpec body = ball("a", 0.1, 1, {1, 2, 3});
  body.solids_touch = false;
  body.contacts = {{.solid = {body::Solid::Kind::box, Vec3(0.1, 0.2, 0.3)},
                    .X_BS = {Vec3(0.1, 0.2, -0.3), exp_matrix(Vec3(1, 0.5, -0.3))}}};
  body.v = {1, -2, 0.5};
  body.w = {3, 1, -2};
  b.add_body(body);
  const Scene s(b);
  const Pose& X_BS = body.contacts[0].X_BS;
  for (const double h : {0., 0.01, 0.5}) {
    const Pose X = pose_after(h, s.surfaces, 0, s.now, s.u);
    const Mat3 R = exp_matrix(h * body.w);
    EXPECT_NEAR((X.p - (Vec3(1, 2, 3) + h * body.v + R * X_BS.p)).norm(), 0, 1e-12);
    EXPECT_NEAR((X.R - R * X_BS.R).norm(), 0, 1e-12);
  }
  const Pose now = pose_of(s.surfaces, 0, s.now), same = pose_after(0, s.surfaces, 0, s.now, s.u);
  EXPECT_NEAR((now.p - same.p).norm() + (now.R - same.R).norm(), 0, 1e-14);
  // no more than half a turn, which two poses could not tell from one the other way
  const Pose far = pose_after(10, s.surfaces, 0, s.now, s.u);
  EXPECT_LT(Eigen::AngleAxisd(Mat3(far.R * now.R.transpose())).angle(), 3.14159);
}

Vec3 in_world(const PointSet& set, std::size_t i, const Vec3& x) {
  return x[0] * set.points[i].n + x[1] * set.t[i] + x[2] * set.s[i];
}

TEST(ContactMotion, BeltsRunAlongTheSurface) {
  model::Builder b;
  model::ContactSpec belt = test::floor_of(exp_matrix(Vec3(0.2, -0.1, 0.3)));
  belt.surface_velocity = {2, 1, 5};  // what of it points out of the surface is none
  b.add_obstacle(belt);
  b.add_body(ball("a", 0.1, 1, belt.X_BS.R * Vec3(0, 0, 0.1)));
  Scene s(b);
  const PointSet set = s.points(0.01);
  ASSERT_EQ(set.size(), 1U);
  const Vec3 along = belt.X_BS.R * Vec3(2, 1, 0);
  EXPECT_NEAR((force_of(set, 0, set.own[0]) + along).norm(), 0, 1e-12);  // the floor is A
}

TEST(ContactMotion, MovedSurfacesHaveTheVelocityOfTheirMaterial) {
  Scene s(movers());
  const PointSet set = s.points(0.05);
  ASSERT_EQ(set.size(), 1U);
  const contact::Point& p = set.points[0];
  const int moved = s.object("moved");
  const bool is_B = s.surfaces.object_of(p.B) == moved;
  const Vec3 x = is_B ? p.p_B : p.p_A;
  const double h = 1e-5;
  const auto carried = [&](double t) -> Vec3 {
    const body::Transform &from = s.now.T_WO[at(moved)], to = later(s, moved, t);
    return to.p + to.A * (from.A.transpose() * (x - from.p));
  };
  const Vec3 v = (is_B ? 1 : -1) * (carried(h) - carried(-h)) / (2 * h);
  EXPECT_GT(v.norm(), 0.1);
  EXPECT_NEAR((force_of(set, 0, set.own[0]) - v).norm(), 0, 1e-8);  // truncation
  const Mat3 turn = later(s, moved, h).A * later(s, moved, -h).A.transpose();
  const Vec3 w = (is_B ? 1 : -1) * log_quat(Quat(turn)) / (2 * h);
  EXPECT_GT(w.norm(), 0.1);
  EXPECT_NEAR((torque_of(set, 0, set.own[0]) - w).norm(), 0, 1e-8);  // truncation
}

TEST(ContactMotion, SlipOfRigidBodiesIsTheirRateAtThePoint) {
  model::Builder b = movers();
  b.add_obstacle(test::floor_of());
  Scene s(b);
  const PointSet set = s.points(0.05);
  ASSERT_GE(set.size(), 2U);
  for (std::size_t i = 0; i < set.size(); ++i) {
    const Vec3 slip = slip_of_rigid(s.surfaces, set.points[i], s.now, s.u);
    EXPECT_NEAR((slip - in_world(set, i, rates_at(set, i, s.u).head<3>())).norm(), 0, 1e-12);
  }
}

}  // namespace
}  // namespace trammel::constraint::motion_test
