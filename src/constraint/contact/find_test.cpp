// The points of an instant, and all that follows from them.
#include "constraint/contact/find.h"

#include <numeric>
#include <set>

#include "constraint/contact/motion.h"
#include "constraint/contact/test_scene.h"

namespace trammel::constraint::find_test {
namespace {

using test::ball;
using test::block;
using test::random_vector;
using test::Scene;

/// Clusters of bodies that touch each other, far from other clusters, on a floor; every third
/// cluster hangs on a joint.
std::vector<model::BodySpec> clusters(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<model::BodySpec> out;
  for (int c = 0; c < 6; ++c)
    for (int k = 0; k < 4; ++k) {
      const Vec3 p = Vec3(10 * c + 0.18 * k, 0, 0.1) + random_vector(random, 0.005);
      out.push_back(k % 2 ? block("", Vec3(0.2, 0.2, 0.2), 1 + k, p) : ball("", 0.1, 2, p));
      out.back().name = std::string(1, static_cast<char>('a' + c)) + std::to_string(k);
    }
  return out;
}

model::Builder built_in_order(const std::vector<model::BodySpec>& bodies, bool joints) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_contact_law(test::law_everywhere(0.3));
  for (const model::BodySpec& body : bodies) b.add_body(body);
  for (const char* name : {"a0", "d3"}) {
    if (!joints) break;
    model::JointSpec joint;
    joint.name = std::string("j") + name;
    joint.type = "spherical";
    joint.b = name;
    joint.at = Pose{Vec3(name[0] == 'a' ? 0 : 30, 0, 1), Mat3::Identity()};
    b.add_joint(joint);
  }
  return b;
}

TEST(ContactFinding, FramesAreRightHanded) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 10; ++trial) {
    model::Builder b;
    b.add_obstacle(test::floor_of(test::random_turn(random)));
    model::BodySpec body = block("a", Vec3(0.2, 0.3, 0.1), 1, Vec3::Zero());
    body.X_WB.R = test::random_turn(random);
    b.add_body(body);
    Scene s(b);
    const PointSet set = s.points(1);
    ASSERT_GT(set.size(), 0U);
    for (std::size_t i = 0; i < set.size(); ++i) {
      Mat3 R;
      R << set.points[i].n, set.t[i], set.s[i];
      EXPECT_NEAR((R.transpose() * R - Mat3::Identity()).norm(), 0, 1e-14);
      EXPECT_NEAR(R.determinant(), 1, 1e-14);
    }
  }
}

TEST(ContactFinding, PairsAreRunsOfTheSameShapes) {
  Scene s(built_in_order(clusters(1), false));
  const PointSet set = s.points(0.05);
  ASSERT_GT(set.pair.size(), 20U);
  EXPECT_EQ(set.pair.front(), 0);
  EXPECT_EQ(at(set.pair.back()), set.size());
  std::set<std::pair<int, int>> seen;
  for (std::size_t k = 0; k + 1 < set.pair.size(); ++k) {
    ASSERT_LT(set.pair[k], set.pair[k + 1]);
    const contact::Point& first = set.points[at(set.pair[k])];
    EXPECT_TRUE(seen.emplace(first.A, first.B).second);
    for (int i = set.pair[k]; i < set.pair[k + 1]; ++i)
      EXPECT_EQ(std::pair(set.points[at(i)].A, set.points[at(i)].B), std::pair(first.A, first.B));
  }
}

/// The smallest body name that a point is joined to, by points between bodies alone: by repeated
/// sweeps. And whether there is a joint among them.
struct Islands {
  std::map<int, int> of;  // object: least object
  std::set<int> jointed;  // least objects
};
Islands islands_by_sweeps(const Scene& s, const PointSet& set) {
  Islands out;
  for (int o = 1; o < count(s.it.model->objects); ++o) out.of[o] = o;
  for (bool changed = true; changed;) {
    changed = false;
    for (const contact::Point& p : set.points) {
      const int a = s.surfaces.object_of(p.A), b = s.surfaces.object_of(p.B);
      if (a == 0 || b == 0 || out.of[a] == out.of[b]) continue;
      out.of[a] = out.of[b] = std::min(out.of[a], out.of[b]);
      changed = true;
    }
  }
  for (const char* name : {"a0", "d3"}) out.jointed.insert(out.of[s.object(name)]);
  return out;
}

TEST(ContactFinding, PointsAreCoupledWhereAJointIsInTheirIsland) {
  Scene s(built_in_order(clusters(1), true));
  const PointSet set = s.points(0.05);
  const Islands islands = islands_by_sweeps(s, set);
  std::map<int, int> number;  // of the same island
  std::size_t coupled = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const int island = islands.of.at(s.surfaces.object_of(set.points[i].B));
    EXPECT_EQ(set.column[i] >= 0, islands.jointed.contains(island));
    EXPECT_EQ(number.emplace(island, set.island[i]).first->second, set.island[i]);
    coupled += set.column[i] >= 0;
  }
  std::set<int> different;
  for (const auto& [island, is] : number) different.insert(is);
  EXPECT_EQ(different.size(), number.size());
  EXPECT_EQ(set.groups(), 2);
  EXPECT_GT(coupled, 8U);
  EXPECT_EQ(set.coupled.size(), coupled);
  EXPECT_EQ(set.free.size(), set.size() - coupled);
}

TEST(ContactFinding, IslandsAreAskedForWhereNothingIsTied) {
  Scene s(built_in_order(clusters(1), false));
  PointSet set = s.points(0.05);
  EXPECT_TRUE(set.island.empty());
  EXPECT_EQ(set.free.size(), set.size());
  PointFinder finder(s.surfaces);
  find_islands(s.surfaces, finder, set);
  const Islands islands = islands_by_sweeps(s, set);
  for (std::size_t i = 0; i < set.size(); ++i)
    for (std::size_t k = 0; k < set.size(); ++k) {
      const auto of = [&](std::size_t j) {
        return islands.of.at(s.surfaces.object_of(set.points[j].B));
      };
      EXPECT_EQ(set.island[i] == set.island[k], of(i) == of(k));
    }
}

/// Each point by the names of its bodies and where it is, with the place of the first point of its
/// island, and whether it is coupled.
using Described = std::map<std::string, std::pair<std::string, bool>>;
Described described(Scene& s) {
  const PointSet set = s.points(0.05);
  std::vector<std::string> names;
  std::map<int, std::string> least;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const contact::Point& p = set.points[i];
    std::set<std::string> both{s.surfaces.object(p.A).name, s.surfaces.object(p.B).name};
    const Vec3 x = 1e6 * (p.p_A + p.p_B);
    names.push_back(*both.begin() + *both.rbegin() + std::to_string(std::lround(x.x())) + " " +
                    std::to_string(std::lround(x.y())) + " " + std::to_string(std::lround(x.z())));
    std::string& name = least.emplace(set.island[i], names.back()).first->second;
    name = std::min(name, names.back());
  }
  Described out;
  for (std::size_t i = 0; i < set.size(); ++i)
    out[names[i]] = {least[set.island[i]], set.column[i] >= 0};
  return out;
}

TEST(ContactFinding, DoesNotDependOnTheOrderOfBodies) {
  std::vector<model::BodySpec> bodies = clusters(2);
  Scene first(built_in_order(bodies, true));
  const Described wanted = described(first);
  EXPECT_GT(wanted.size(), 40U);
  std::mt19937 random(3);
  for (int trial = 0; trial < 3; ++trial) {
    std::shuffle(bodies.begin(), bodies.end(), random);
    Scene again(built_in_order(bodies, true));
    EXPECT_EQ(described(again), wanted);
  }
}

TEST(ContactFinding, ArmsLeadFromCentresOfMassToWhereImpulsesAct) {
  Scene s(built_in_order(clusters(1), true));
  const PointSet set = s.points(0.05);
  ASSERT_EQ(set.system.points().size(), set.free.size());
  for (std::size_t k = 0; k < set.free.size(); ++k) {
    const std::size_t i = at(set.free[k]);
    const contact::Point& p = set.points[i];
    const piles::ContactPoint& as_solved = set.system.points()[k];
    const Vec3 from = s.now.T_WO[at(s.surfaces.object_of(p.B))].p;
    EXPECT_NEAR((from + set.arms[i].r_b - place_of(s.surfaces, p)).norm(), 0, 1e-12);
    EXPECT_EQ(as_solved.r_b, set.arms[i].r_b);
    EXPECT_EQ(as_solved.mu, 0.3);
    EXPECT_EQ(as_solved.b, s.surfaces.body_of(p.B));
    EXPECT_EQ(as_solved.a,
              s.surfaces.object_of(p.A) == 0 ? s.surfaces.n_free() : s.surfaces.body_of(p.A));
  }
}

// The masses that free points are solved for with, against momenta of the bodies.
TEST(ContactFinding, MassesOfFreeBodiesAreThoseOfTheMechanism) {
  std::vector<model::BodySpec> bodies = clusters(1);
  std::mt19937 random(5);
  for (model::BodySpec& b : bodies) b.X_WB.R = test::random_turn(random);
  Scene s(built_in_order(bodies, false));
  const PointSet set = s.points(0.05);
  for (int k = 0; k < s.surfaces.n_free(); ++k) {
    const std::size_t v = at(s.surfaces.free_u[at(k)]);
    std::vector<double> P(s.u.size(), 0), u(s.u.size());
    const Vec3 f = random_vector(random, 1), torque = random_vector(random, 1);
    vec3(P.data() + v) = f;
    vec3(P.data() + v + 3) = torque;
    s.kin.velocities(s.now, P.data(), u.data());
    const piles::ContactBody& body = set.system.bodies()[at(k)];
    EXPECT_NEAR((body.inv_mass * f - vec3(u.data() + v)).norm(), 0, 1e-13);
    EXPECT_NEAR((body.inv_inertia * torque - vec3(u.data() + v + 3)).norm(), 0, 1e-9);
  }
}

TEST(ContactFinding, MarginsLeaveOutWhatIsFarther) {
  Scene s(built_in_order(clusters(6), false));
  const PointSet wide = s.points(0.05), narrow = s.points(0.001);
  std::size_t near = 0;
  for (const contact::Point& p : wide.points) near += p.gap <= 0.002;  // the sum of both margins
  EXPECT_EQ(narrow.size(), near);
  EXPECT_LT(near, wide.size());
  for (const contact::Point& p : wide.points) {
    EXPECT_LE(p.gap, 0.1);
    EXPECT_NEAR(p.n.dot(p.p_B - p.p_A), p.gap, 1e-12);
  }
}

}  // namespace
}  // namespace trammel::constraint::find_test
