// What of contact stays the same in a run: who is free, who is tied to whom, sizes and places.
#include "constraint/contact/surfaces.h"

#include "constraint/contact/test_scene.h"

namespace trammel::constraint::surfaces_test {
namespace {

using test::ball;
using test::block;
using test::Scene;

/// A floor, two free bodies, one that strains, one that is moved, and a chain of two on a hinge.
model::Builder all_kinds() {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_body(ball("free", 0.1, 1, {0, 0, 1}));
  model::BodySpec soft = block("soft", Vec3(0.2, 0.2, 0.2), 1, {1, 0, 1});
  soft.affine = model::Elastic{1e6, {}};
  b.add_body(soft);
  b.add_body(test::prescribed(block("moved", Vec3(0.3, 0.3, 0.1), 1, {2, 0, 1}), {}));
  b.add_body(block("upper", Vec3(0.1, 0.1, 0.4), 1, {3, 0, 1}));
  b.add_body(block("lower", Vec3(0.1, 0.1, 0.4), 1, {3, 0, 0.5}));
  b.add_body(block("second", Vec3(0.1, 0.2, 0.4), 1, {4, 0, 1}));
  const char* ends[2][2] = {{"ground", "upper"}, {"upper", "lower"}};
  for (const std::size_t k : {0U, 1U}) {
    model::JointSpec joint;
    joint.name = "j" + std::to_string(k);
    joint.type = "revolute";
    joint.a = ends[k][0];
    joint.b = ends[k][1];
    joint.at = Pose{Vec3(3, 0, k == 0 ? 1.25 : 0.75), Mat3::Identity()};
    b.add_joint(joint);
  }
  return b;
}

int shape_on(const Scene& s, const std::string& name) {
  for (int i = 0; i < count(s.it.model->contacts.shapes); ++i)
    if (s.surfaces.object_of(i) == s.object(name)) return i;
  return -1;
}
int floor_shape(const Scene& s) { return shape_on(s, s.it.model->objects[0].name); }

/// A point between shapes on objects of these names, with a gap of 2 along z.
contact::Point point_of(const Scene& s, int A, const std::string& b) {
  contact::Point p;
  p.A = A;
  p.B = shape_on(s, b);
  p.p_A = {1, 2, 3};
  p.p_B = {1, 2, 5};
  p.gap = 2;
  return p;
}

TEST(ContactSurfacesOfAModel, FreeAreRigidBodiesThatNoRowHolds) {
  const Scene s(all_kinds());
  EXPECT_EQ(s.surfaces.n_free(), 2);
  EXPECT_TRUE(s.surfaces.any_tied);
  for (const char* name : {"free", "second"}) {
    const int k = s.surfaces.body_of(shape_on(s, name));
    ASSERT_GE(k, 0) << name;
    EXPECT_EQ(at(s.surfaces.free_u[at(k)]), s.unknown(name));
    EXPECT_EQ(s.it.model->blocks[at(s.surfaces.free_block[at(k)])].v, s.surfaces.free_u[at(k)]);
  }
  for (const char* name : {"soft", "moved", "upper", "lower"})
    EXPECT_EQ(s.surfaces.body_of(shape_on(s, name)), -1) << name;
  EXPECT_EQ(s.surfaces.body_of(floor_shape(s)), -1);
}

TEST(ContactSurfacesOfAModel, FreeBodiesAloneTieNothing) {
  model::Builder b;
  b.add_body(ball("a", 0.1, 1, {0, 0, 1}));
  b.add_body(ball("b", 0.1, 1, {1, 0, 1}));
  const Scene s(b);
  EXPECT_FALSE(s.surfaces.any_tied);
  EXPECT_EQ(s.surfaces.n_free(), 2);
}

TEST(ContactSurfacesOfAModel, RowsTieBlocksThatTheyJoin) {
  const Scene s(all_kinds());
  Forest ties = s.surfaces.ties;
  const auto root = [&](const char* name) {
    return ties.root(s.surfaces.block_of(shape_on(s, name)));
  };
  EXPECT_EQ(root("upper"), root("lower"));
  for (const char* other : {"free", "soft", "second"}) EXPECT_NE(root(other), root("upper"));
  EXPECT_NE(root("free"), root("second"));
}

// Islands grow by points between what moves; the floor and what is moved join nothing.
TEST(ContactSurfacesOfAModel, PointsTieIslandsOfWhatMoves) {
  const Scene s(all_kinds());
  Forest islands = s.surfaces.ties;
  for (const char* name : {"free", "second"})
    tie(s.surfaces, point_of(s, floor_shape(s), name), islands);
  tie(s.surfaces, point_of(s, shape_on(s, "moved"), "free"), islands);
  tie(s.surfaces, point_of(s, shape_on(s, "moved"), "second"), islands);
  const contact::Point of_free = point_of(s, floor_shape(s), "free"),
                       of_second = point_of(s, shape_on(s, "moved"), "second"),
                       joining = point_of(s, shape_on(s, "free"), "second");
  EXPECT_NE(island_of(s.surfaces, of_free, islands), island_of(s.surfaces, of_second, islands));
  tie(s.surfaces, joining, islands);
  EXPECT_EQ(island_of(s.surfaces, of_free, islands), island_of(s.surfaces, of_second, islands));
  EXPECT_EQ(island_of(s.surfaces, joining, islands), island_of(s.surfaces, of_free, islands));
}

TEST(ContactSurfacesOfAModel, MomentaOfTheMovedAndOfTheWorldAreNotInTheBalance) {
  const Scene s(all_kinds());
  for (const char* name : {"free", "soft", "upper", "lower", "second"})
    EXPECT_TRUE(s.surfaces.in_balance(shape_on(s, name))) << name;
  EXPECT_FALSE(s.surfaces.in_balance(shape_on(s, "moved")));
  EXPECT_FALSE(s.surfaces.in_balance(floor_shape(s)));
}

TEST(ContactSurfacesOfAModel, RigidPointsAreThoseOfNothingThatStrains) {
  const Scene s(all_kinds());
  for (const char* name : {"free", "upper", "moved"})
    EXPECT_TRUE(is_rigid(s.surfaces, point_of(s, shape_on(s, "second"), name))) << name;
  EXPECT_FALSE(is_rigid(s.surfaces, point_of(s, shape_on(s, "second"), "soft")));
  EXPECT_FALSE(is_rigid(s.surfaces, point_of(s, floor_shape(s), "soft")));
}

// On the surface of what moves: it will come to the other. Between two that move in the middle.
TEST(ContactSurfacesOfAModel, ImpulsesActOnTheSurfaceOfWhatMoves) {
  const Scene s(all_kinds());
  EXPECT_EQ(place_of(s.surfaces, point_of(s, floor_shape(s), "free")), Vec3(1, 2, 5));
  EXPECT_EQ(place_of(s.surfaces, point_of(s, shape_on(s, "free"), "moved")), Vec3(1, 2, 3));
  EXPECT_EQ(place_of(s.surfaces, point_of(s, shape_on(s, "free"), "second")), Vec3(1, 2, 4));
}

TEST(ContactSurfacesOfAModel, LeastExtentIsThatOfTheLesserShape) {
  const Scene s(all_kinds());
  const auto least = [&](int A, const char* b) {
    return least_extent(s.surfaces, point_of(s, A, b));
  };
  EXPECT_DOUBLE_EQ(least(shape_on(s, "second"), "soft"), 0.1);
  EXPECT_DOUBLE_EQ(least(shape_on(s, "soft"), "moved"), 0.1);
  EXPECT_DOUBLE_EQ(least(floor_shape(s), "soft"), 0.2);  // that of a floor has no end
  contact::Point floors = point_of(s, floor_shape(s), "soft");
  floors.B = floors.A;
  EXPECT_EQ(least_extent(s.surfaces, floors), law::kInf);
}

TEST(ContactSurfacesOfAModel, ReachEnclosesAllOfAShape) {
  model::Builder b;
  model::BodySpec body = ball("a", 0.1, 1, {0, 0, 1});
  body.solids_touch = false;
  model::ContactSpec off{.solid = {body::Solid::Kind::box, Vec3(0.2, 0.4, 0.6)}};
  off.X_BS = {Vec3(1, -2, 0.5), exp_matrix(Vec3(0.3, -0.2, 0.9))};
  body.contacts = {off};
  b.add_body(body);
  const Scene s(b);
  double farthest = 0;
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner(k & 1 ? 0.1 : -0.1, k & 2 ? 0.2 : -0.2, k & 4 ? 0.3 : -0.3);
    farthest = std::max(farthest, (off.X_BS.p + off.X_BS.R * corner).norm());
  }
  EXPECT_GE(s.surfaces.reach[0], farthest);
  EXPECT_LE(s.surfaces.reach[0], off.X_BS.p.norm() + Vec3(0.1, 0.2, 0.3).norm() + 1e-12);
}

// A point is near up to the sum of the smallest margins: a hundredth of each least extent.
TEST(ContactSurfacesOfAModel, NearIsWithinTheSmallestMargins) {
  const Scene s(all_kinds());
  contact::Point p = point_of(s, shape_on(s, "soft"), "second");  // extents 0.2 and 0.1
  p.gap = 0.003 * (1 - 1e-9);
  EXPECT_TRUE(is_near(s.surfaces, p));
  p.gap = 0.003 * (1 + 1e-9);
  EXPECT_FALSE(is_near(s.surfaces, p));
}

TEST(ContactSurfacesOfAModel, PointsAreNamedByTheirObjects) {
  const Scene s(all_kinds());
  EXPECT_EQ(name_of(s.surfaces, point_of(s, shape_on(s, "free"), "moved")), "free, moved");
}

}  // namespace
}  // namespace trammel::constraint::surfaces_test
