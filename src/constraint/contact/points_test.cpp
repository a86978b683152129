// Points of contact: what they push, and how the bodies move them.
#include "constraint/contact/points.h"

#include "constraint/contact/motion.h"
#include "constraint/contact/test_scene.h"

namespace trammel::constraint::points_test {
namespace {

using test::ball;
using test::block;
using test::random_vector;
using test::Scene;

constexpr double kRounding = 1e-12;

/// Bodies of all sizes on a floor and on each other, each with a spin. With `tied` one of them
/// hangs on a joint, and one strains.
model::Builder heap(unsigned seed, bool tied) {
  std::mt19937 random(seed);
  model::Builder b;
  b.add_obstacle(test::floor_of());
  for (int k = 0; k < 6; ++k) {
    const double r = 0.1 + 0.02 * k;
    const Vec3 p = Vec3(0.16 * k, 0.03 * k, r) + random_vector(random, 0.01);
    const std::string name = "b" + std::to_string(k);
    model::BodySpec body =
        k % 2 ? block(name, Vec3(2 * r, r, 2 * r), 1 + k, p) : ball(name, r, 2, p);
    body.v = random_vector(random, 1);
    body.w = random_vector(random, 3);
    if (tied && k == 5) body.affine = model::Elastic{1e6, {}};
    b.add_body(body);
  }
  if (!tied) return b;
  model::JointSpec joint;
  joint.name = "hinge";
  joint.type = "spherical";
  joint.b = "b0";
  joint.at = Pose{Vec3(0, 0, 0.5), Mat3::Identity()};
  b.add_joint(joint);
  return b;
}

VecX random_numbers(std::mt19937& random, std::size_t n) {
  std::uniform_real_distribution<double> of(-1, 1);
  VecX out(static_cast<long>(n));
  for (double& x : out) x = of(random);
  return out;
}

std::vector<double> list(const VecX& x) { return {x.begin(), x.end()}; }

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return Eigen::Map<const VecX>(a.data(), count(a)).dot(Eigen::Map<const VecX>(b.data(), count(b)));
}

// Virtual work: columns and arms say the same of rates and of impulses, torques included.
TEST(ContactPoints, ImpulsesWorkByTheRatesOfTheirPoints) {
  for (const bool tied : {false, true}) {
    Scene s(heap(3, tied));
    const PointSet set = s.points(0.05);
    ASSERT_GT(set.size(), 10U);
    ASSERT_EQ(set.coupled.empty(), !tied);
    std::mt19937 random(7);
    for (std::size_t i = 0; i < set.size(); ++i) {
      const std::vector<double> u = list(random_numbers(random, s.u.size()));
      const Six p = random_numbers(random, 6);
      std::vector<double> P(u.size(), 0);
      add_impulses(set, i, p, P);
      EXPECT_NEAR(p.dot(rates_at(set, i, u)), dot(u, P), 10 * kRounding) << i;
    }
  }
}

/// The velocity of the material point of an object at x, which is carried over h by the motion u:
/// by difference of places, not by velocities.
Vec3 carried(const Scene& s, int object, const Vec3& x, const std::vector<double>& u, double h) {
  if (s.it.model->objects[at(object)].block < 0) return Vec3::Zero();
  std::array<Vec3, 2> there;
  for (const std::size_t k : {0U, 1U}) {
    std::vector<double> q = s.state.q, dq = u;
    for (double& v : dq) v *= k == 0 ? -h : h;
    s.kin.retract(dq.data(), q.data());
    model::KinematicsCache cache = s.kin.make_cache();
    s.kin.transforms(q.data(), 0, cache);
    const body::Transform &from = s.now.T_WO[at(object)], &to = cache.T_WO[at(object)];
    there[k] = to.p + to.A * (from.A.inverse() * (x - from.p));
  }
  return (there[1] - there[0]) / (2 * h);
}

TEST(ContactPoints, RatesAreThoseOfTheMaterialPointsThatTouch) {
  for (const bool tied : {false, true}) {
    Scene s(heap(5, tied));
    const PointSet set = s.points(0.05);
    std::mt19937 random(11);
    for (std::size_t i = 0; i < set.size(); ++i) {
      const std::vector<double> u = list(random_numbers(random, s.u.size()));
      const contact::Point& p = set.points[i];
      const Vec3 x = place_of(s.surfaces, p);
      const Vec3 v = carried(s, s.surfaces.object_of(p.B), x, u, 1e-4) -
                     carried(s, s.surfaces.object_of(p.A), x, u, 1e-4);
      const Vec3 rates(p.n.dot(v), set.t[i].dot(v), set.s[i].dot(v));
      EXPECT_NEAR((rates_at(set, i, u).head<3>() - rates).norm(), 0, 1e-7) << i;  // truncation
    }
  }
}

// Free points alone can be asked about their spin: that of B against A.
TEST(ContactPoints, TurningRatesAreTheDifferenceOfSpins) {
  Scene s(heap(5, false));
  const PointSet set = s.points(0.05);
  for (std::size_t i = 0; i < set.size(); ++i) {
    const contact::Point& p = set.points[i];
    const auto spin = [&](int shape) {
      const int b = s.surfaces.block_of(shape);
      return b < 0 ? Vec3(Vec3::Zero()) : Vec3(vec3(s.u.data() + 6 * b + 3));
    };
    const Vec3 w = spin(p.B) - spin(p.A);
    const Vec3 wanted(p.n.dot(w), set.t[i].dot(w), set.s[i].dot(w));
    EXPECT_NEAR((rates_at(set, i, s.u).tail<3>() - wanted).norm(), 0, kRounding);
  }
}

TEST(ContactPoints, ImpulsesOfAllPointsAreTheSumOfThoseOfEach) {
  Scene s(heap(9, false));
  const PointSet set = s.points(0.05);
  std::mt19937 random(13);
  const VecX p = random_numbers(random, 6 * set.size());
  std::vector<double> each(s.u.size(), 0.5), all = each;
  for (std::size_t i = 0; i < set.size(); ++i)
    add_impulses(set, i, p.segment<6>(static_cast<long>(6 * i)), each);
  std::vector<PairImpulse> scratch;
  add_all_impulses(set, p.data(), scratch, all);
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_NEAR(all[k], each[k], 10 * kRounding);
}

// What bodies give each other changes neither momentum nor angular momentum of both.
TEST(ContactPoints, ImpulsesBetweenFreeBodiesAreBalanced) {
  Scene s(heap(9, false));
  const PointSet set = s.points(0.05);
  std::mt19937 random(17);
  int between = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const contact::Point& p = set.points[i];
    if (s.surfaces.block_of(p.A) < 0) continue;  // the floor
    ++between;
    std::vector<double> P(s.u.size(), 0);
    add_impulses(set, i, random_numbers(random, 6), P);
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    s.kin.momentum(s.state.q.data(), P.data(), linear, angular);
    EXPECT_NEAR(linear.norm() + angular.norm(), 0, 10 * kRounding);
  }
  EXPECT_GT(between, 3);
}

TEST(ContactPoints, VectorsStayTheSameInAxesOfALaterPoint) {
  Scene s(heap(9, false));
  PointSet set = s.points(0.05), later = s.points(0.05);
  std::mt19937 random(19);
  for (std::size_t i = 0; i < set.size(); ++i) {
    later.t[i] = Eigen::AngleAxisd(0.7, set.points[i].n) * set.t[i];
    later.s[i] = set.points[i].n.cross(later.t[i]);
    const Six x = random_numbers(random, 6);
    const Six y = in_axes_of(later, i, set, i, x);
    EXPECT_NEAR((force_of(later, i, y) - force_of(set, i, x)).norm(), 0, kRounding);
    EXPECT_NEAR((torque_of(later, i, y) - torque_of(set, i, x)).norm(), 0, kRounding);
  }
}

TEST(ContactPoints, SlipsAddTheVelocitiesOfSurfacesToRates) {
  Scene s(heap(9, true));
  PointSet set = s.points(0.05);
  for (std::size_t i = 0; i < set.size(); ++i)
    set.own[i] = Six::LinSpaced(1, 6) * (1. + static_cast<double>(i));
  std::vector<Six> all, some(set.size(), Six::Constant(-7));
  slips(set, s.u, all);
  slips_of(set, set.coupled, s.u, some);
  for (std::size_t i = 0; i < set.size(); ++i) {
    const Six wanted = rates_at(set, i, s.u) + set.own[i];
    EXPECT_EQ(all[i], wanted);
    EXPECT_EQ(some[i], set.column[i] >= 0 ? wanted : Six(Six::Constant(-7)));
  }
}

TEST(ContactPoints, GroupsPartTheCoupledPoints) {
  Scene s(heap(9, true));
  const PointSet set = s.points(0.05);
  std::vector<int> all;
  for (int g = 0; g < set.groups(); ++g) {
    const std::vector<int> points = points_of_group(set, g);
    for (const int i : points) EXPECT_EQ(set.island[at(i)], set.island[at(points[0])]);
    all.insert(all.end(), points.begin(), points.end());
  }
  EXPECT_EQ(all, set.coupled);
}

}  // namespace
}  // namespace trammel::constraint::points_test
