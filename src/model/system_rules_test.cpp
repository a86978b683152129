// Rules of systems in generalised coordinates, as the builder tells them.
#include "model/system_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "expr/build.h"
#include "model/builder.h"

namespace trammel::model::system_rules_test {
namespace {

using expr::Expression;

/// A point of 1 kg at (r cos phi, r sin phi, 0), r = 2 m, phi = 0.3.
SystemSpec polar() {
  SystemSpec out;
  out.name = "s";
  out.of.graph = std::make_shared<expr::Graph>();
  const Expression r = out.of.graph->variable("r"), phi = out.of.graph->variable("phi");
  out.of.coordinates = {{"r", r, false}, {"phi", phi, true}};
  body::SystemObject o;
  o.name = "s.point";
  o.position = {r * expr::apply(expr::Op::cos, phi), r * expr::apply(expr::Op::sin, phi), {}};
  o.mass = 1;
  out.of.objects = {o};
  out.q = {2, 0.3};
  out.u = {0, 0};
  return out;
}

std::vector<Problem> problems(const SystemSpec& spec) {
  Builder builder;
  add_system(builder, spec);
  const auto built = std::move(builder).build();
  const auto* all = std::get_if<std::vector<Problem>>(&built);
  return all ? *all : std::vector<Problem>();
}

/// One complaint alone, and where.
void expect_told(const SystemSpec& spec, const std::string& path, const std::string& text) {
  const std::vector<Problem> all = problems(spec);
  ASSERT_FALSE(all.empty()) << text;
  EXPECT_EQ(all.size(), 1u) << all.back().text;
  EXPECT_EQ(all[0].path, path);
  EXPECT_NE(all[0].text.find(text), std::string::npos) << all[0].text;
}

TEST(SystemRules, OneThatIsRightIsTaken) { EXPECT_TRUE(problems(polar()).empty()); }

TEST(SystemRules, NamesAreThereOnce) {
  SystemSpec s = polar();
  s.of.coordinates[1].name = "r";
  expect_told(s, "system.s.coordinate.r", "the name 'r' is taken by another coordinate");
  s = polar();
  s.of.objects.push_back(s.of.objects[0]);
  expect_told(s, "system.s.object[1].name", "taken by another object");
  s = polar();
  s.of.objects[0].name = "s.phi";
  expect_told(s, "system.s.object[0].name", "taken by a coordinate");
}

TEST(SystemRules, ObjectsStandOnOnesAboveThem) {
  SystemSpec s = polar();
  s.of.objects[0].on = 0;
  expect_told(s, "system.s.object[0].on", "stands on itself");
  s = polar();
  s.of.objects.push_back(s.of.objects[0]);
  s.of.objects[1].name = "s.other";
  s.of.objects[0].on = 1;
  expect_told(s, "system.s.object[0].on", "stands on 's.other', which comes after it");
  s.of.objects[0].on = 7;
  expect_told(s, "system.s.object[0].on", "stands on '7'");
}

TEST(SystemRules, EveryCoordinateIsUsed) {
  SystemSpec s = polar();
  s.of.objects[0].position = {s.of.coordinates[0].x, {}, {}};
  expect_told(s, "system.s.coordinate.phi",
              "no object's place and no potential depends on the coordinate 'phi'");
}

TEST(SystemRules, MassesAreThoseOfBodies) {
  SystemSpec s = polar();
  s.of.objects[0].mass = -1;
  expect_told(s, "system.s.object[0].mass", "must not be negative");
  s = polar();
  s.of.objects[0].inertia = {1, 1, 3, 0, 0, 0};
  expect_told(s, "system.s.object[0].inertia", "no body has this inertia");
  s = polar();
  s.of.objects[0].turns = {{Vec3(0, 0, 2), s.of.coordinates[1].x}};
  expect_told(s, "system.s.object[0].turns", "has length 1");
}

TEST(SystemRules, BodiesGiveMassesAndLooks) {
  SystemSpec s = polar();
  BodySpec b;
  b.name = "s.point";
  b.path = "here";
  b.solids = {{.solid = {Solid::Kind::box, {1, 2, 3}}, .X_BS = {Vec3(1, 0, 0)}, .mass = 12}};
  b.solids_touch = true;
  s.bodies = {b};
  SystemSpec taken = s;
  EXPECT_TRUE(take_bodies(Builder(), taken).empty());
  const body::SystemObject& o = taken.of.objects[0];
  EXPECT_NEAR(o.mass, 12, 1e-12);
  EXPECT_LT((o.com - Vec3(1, 0, 0)).norm(), 1e-12);
  EXPECT_NEAR(o.inertia[0], 13, 1e-12);
  EXPECT_EQ(taken.outlines[0].shapes.size(), 1u);
  EXPECT_EQ(taken.outlines[0].contacts.size(), 1u);
  s.bodies[0].solids[0].mass = -1;
  expect_told(s, "here", "must be positive");
  s.bodies[0] = {};
  s.bodies[0].path = "here";
  s.bodies[0].mass = 3;  // a point
  taken = s;
  EXPECT_TRUE(take_bodies(Builder(), taken).empty());
  EXPECT_EQ(taken.of.objects[0].mass, 3);
  EXPECT_EQ(taken.of.objects[0].inertia, (std::array<double, 6>{}));
  s.bodies[0].solids_touch = true;
  expect_told(s, "here.contact", "has no solids that could touch");
}

/// A function from outside with too few derivatives is named.
TEST(SystemRules, FunctionsHaveDerivatives) {
  SystemSpec s = polar();
  expr::Function f;
  f.name = "bumps";
  f.order = 1;
  f.jet = [](std::span<const double>, int, std::span<double> out) {
    std::fill(out.begin(), out.end(), 0.);
  };
  const auto made = std::make_shared<const expr::Function>(f);
  s.of.potential = s.of.graph->call(made, std::span(&s.of.coordinates[0].x, 1));
  expect_told(s, "system.s", "bumps");
}

TEST(SystemRules, TheStartIsRegular) {
  SystemSpec s = polar();
  s.q[0] = 0;
  expect_told(s, "system.s.coordinate.phi", "coordinate 'phi' of system 's' moves no mass");
  s = polar();
  s.q[1] = std::numeric_limits<double>::infinity();
  expect_told(s, "system.s.coordinate.phi", "the value of 'phi' at the start is not finite");
  s = polar();
  s.u = {0};
  expect_told(s, "system.s", "it has 2 coordinates and 1 rates at the start");
  s = polar();
  const Expression sum = s.of.coordinates[0].x + s.of.coordinates[1].x;
  s.of.objects[0].position = {sum, sum, {}};
  expect_told(s, "system.s", "coordinates 'r', 'phi' of system 's' move its masses alike");
}

}  // namespace
}  // namespace trammel::model::system_rules_test
