// What the builder says of contact: shapes, materials, laws, colours and pairs.
#include <gtest/gtest.h>

#include "body/mesh.h"
#include "contact/detector.h"
#include "model/builder.h"

namespace trammel::model::builder_contacts_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Solid box(double x, double y, double z) { return {Solid::Kind::box, Vec3(x, y, z)}; }

BodySpec cube(const std::string& name) {
  BodySpec b;
  b.name = name;
  b.mass = 1;
  b.solid = box(1, 1, 1);
  b.contacts.push_back({.solid = box(1, 1, 1)});
  return b;
}

std::shared_ptr<const body::Mesh> tetrahedron(bool open = false) {
  body::Mesh m{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
               {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  if (open) m.faces.pop_back();
  return std::make_shared<const body::Mesh>(std::move(m));
}

Built built(const Builder& b) {
  auto out = b.build();
  if (auto* problems = std::get_if<std::vector<Problem>>(&out)) {
    std::string all;
    for (const Problem& p : *problems) all += p.path + ": " + p.text + "\n";
    throw std::runtime_error(all);
  }
  return std::get<Built>(out);
}

std::string told(const Builder& b) {
  auto out = b.build();
  std::string all;
  if (auto* problems = std::get_if<std::vector<Problem>>(&out))
    for (const Problem& p : *problems) all += p.path + ": " + p.text + "\n";
  return all;
}

TEST(BuilderContacts, ShapesStandOnTheirObjects) {
  Builder b;
  b.add_obstacle({.kind = ContactSpec::Kind::half_space, .name = "floor"});
  BodySpec s = cube("a");
  s.com = {0, 0, 0.5};
  s.solid.reset();
  s.inertia = {1, 1, 1, 0, 0, 0};
  s.contacts[0].solid = {Solid::Kind::cylinder, Vec3(0.1, 2, 0), Vec3::UnitX()};
  s.contacts[0].X_BS.p = {1, 0, 0};
  s.contacts[0].surface_velocity = {3, 0, 0};
  b.add_body(s);
  const Built it = built(b);
  const ContactScene& c = it.model->contacts;
  ASSERT_EQ(c.shapes.size(), 2u);
  EXPECT_EQ(c.shapes[0].object, 0);
  EXPECT_EQ(c.shapes[0].name, "floor");
  EXPECT_EQ(c.shapes[1].object, 1);
  EXPECT_EQ(c.shapes[1].shape.kind, contact::Shape::Kind::cylinder);
  EXPECT_EQ(c.shapes[1].X_OS.p, Vec3(1, 0, -0.5));  // from the centre of mass
  EXPECT_NEAR((c.shapes[1].X_OS.R.col(2) - Vec3::UnitX()).norm(), 0, 1e-15);
  EXPECT_NEAR((c.shapes[1].surface_velocity - Vec3(0, 0, 3)).norm(), 0, 1e-15);  // along z of S
  EXPECT_EQ(c.shapes[1].path, "body.a.contact[0]");
}

TEST(BuilderContacts, SolidsMayTouch) {
  Builder b;
  BodySpec s;
  s.name = "a";
  s.density = 1;
  s.solids = {{box(1, 1, 1)}, {{Solid::Kind::sphere, Vec3(1, 0, 0)}, {Vec3(0, 0, 2), {}}}};
  s.solids[1].X_BS.R.setIdentity();
  s.solids_touch = true;
  b.add_body(s);
  const Built it = built(b);
  const ContactScene& c = it.model->contacts;
  ASSERT_EQ(c.shapes.size(), 2u);
  EXPECT_EQ(c.shapes[1].shape.kind, contact::Shape::Kind::sphere);
  EXPECT_NEAR((c.shapes[1].X_OS.p - c.shapes[0].X_OS.p - Vec3(0, 0, 2)).norm(), 0, 1e-15);
  EXPECT_TRUE(c.any());
}

TEST(BuilderContacts, TheNearestLawHolds) {
  Builder b;
  for (const char* name : {"rubber", "road", "ice"}) b.add_material({name});
  const auto law = [&](const char* x, const char* y, double mu) {
    ContactLawSpec s;
    s.between = {x, y};
    s.law.friction = mu;
    b.add_contact_law(s);
  };
  law("any", "any", 0.1);
  law("any", "ice", 0.02);
  law("road", "rubber", 0.8);
  for (const char* name : {"rubber", "road", "ice", ""}) {
    ContactSpec s{.solid = box(1, 1, 1)};
    s.material = name;
    b.add_obstacle(s);
  }
  const Built it = built(b);
  const ContactScene& c = it.model->contacts;
  const auto mu = [&](int i, int k) { return c.law(i, k).friction; };
  EXPECT_EQ(mu(0, 1), 0.8);
  EXPECT_EQ(mu(1, 0), 0.8);
  EXPECT_EQ(mu(0, 2), 0.02);
  EXPECT_EQ(mu(2, 2), 0.02);
  EXPECT_EQ(mu(2, 3), 0.02);
  EXPECT_EQ(mu(0, 3), 0.1);
  EXPECT_EQ(mu(3, 3), 0.1);
}

TEST(BuilderContacts, WithoutLawsThereIsNoFriction) {
  Builder b;
  b.add_body(cube("a"));
  const Built it = built(b);
  EXPECT_EQ(it.model->contacts.law(0, 0).friction, 0);
  EXPECT_EQ(it.model->contacts.law(0, 0).restitution, 0);
}

/// Where two bodies are red, green, blue or of mixtures, they meet if they share one.
TEST(BuilderContacts, ColoursSayWhoMeets) {
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 8; ++y) {
      const auto of = [](int bits) {
        std::vector<std::string> out;
        for (const auto& [bit, name] : {std::pair(1, "red"), {2, "green"}, {4, "blue"}})
          if (bits & bit) out.emplace_back(name);
        return out;
      };
      Builder b;
      BodySpec s = cube("a"), t = cube("b");
      s.electric = of(x);
      t.electric = of(y);
      b.add_body(s);
      b.add_body(t);
      const Built it = built(b);
      const contact::PairRule rule = pair_rule(*it.model);
      EXPECT_EQ(rule.may_meet(1, 2), (x & y) != 0) << x << " " << y;
      EXPECT_EQ(rule.may_meet(0, 1), x != 0);  // the ground is white
    }
}

TEST(BuilderContacts, MixedColoursGoByName) {
  for (const NamedColors& named : electric_colors()) {
    Builder b;
    BodySpec s = cube("a");
    s.electric = {std::string(named.name)};
    b.add_body(s);
    EXPECT_EQ(built(b).model->contacts.colors.at(1), named.colors) << named.name;
  }
}

JointSpec pin(const std::string& a, const std::string& b, const char* type = "revolute") {
  JointSpec j;
  j.name = a + "-" + b;
  j.type = type;
  j.a = a;
  j.b = b;
  j.at = Pose{};
  return j;
}

TEST(BuilderContacts, JointedBodiesDoNotTouchUnlessSaid) {
  Builder b;
  for (const char* name : {"a", "b", "c", "d"}) b.add_body(cube(name));
  b.add_joint(pin("a", "b"));
  b.add_joint(pin("b", "c"));
  b.add_joint(pin("c", "d", "free"));
  b.add_touching_pair({{"b", "c"}});
  b.add_no_contact({{"a", "c", "d"}});
  const Built it = built(b);
  const contact::PairRule rule = pair_rule(*it.model);
  EXPECT_FALSE(rule.may_meet(1, 2));
  EXPECT_TRUE(rule.may_meet(2, 3));
  EXPECT_FALSE(rule.may_meet(3, 4));
  EXPECT_FALSE(rule.may_meet(4, 1));
  EXPECT_TRUE(rule.may_meet(4, 2));
  EXPECT_EQ(it.model->contacts.excluded.size(), 4u);
}

/// A wagon on rails, or a door on its post, may meet what else stands in the world.
TEST(BuilderContacts, JointsToTheGroundKeepNothingApart) {
  Builder b;
  b.add_body(cube("a"));
  b.add_joint(pin("ground", "a"));
  EXPECT_TRUE(pair_rule(*built(b).model).may_meet(0, 1));
}

/// A free joint holds nothing.
TEST(BuilderContacts, FreeJointsDoNotKeepApart) {
  Builder b;
  b.add_body(cube("a"));
  b.add_body(cube("b"));
  b.add_joint(pin("a", "b", "free"));
  EXPECT_TRUE(pair_rule(*built(b).model).may_meet(1, 2));
}

TEST(BuilderContacts, WhatNoForceMovesDoesNotMeetItsLike) {
  Builder b;
  b.add_body(cube("a"));
  BodySpec s;
  s.name = "lift";
  s.motion.emplace();
  s.contacts.push_back({.kind = ContactSpec::Kind::plane});
  b.add_body(s);
  const Built it = built(b);
  const contact::PairRule rule = pair_rule(*it.model);
  EXPECT_FALSE(rule.may_meet(0, 2));
  EXPECT_TRUE(rule.may_meet(1, 2));
}

struct Wrong {
  std::string path, says;
  std::function<void(Builder&, BodySpec&)> make;
};

std::vector<Wrong> wrong_laws() {
  const auto law = [](double ContactLaw::*member, double x) {
    return [=](Builder& b, BodySpec&) {
      ContactLawSpec s;
      s.law.*member = x;
      b.add_contact_law(s);
    };
  };
  const auto between = [](std::array<std::string, 2> pair, int times = 1) {
    return [=](Builder& b, BodySpec&) {
      ContactLawSpec s;
      s.between = pair;
      for (int i = 0; i < times; ++i) b.add_contact_law(s);
    };
  };
  return {
      {"contact[0].friction", "-0.5 is no coefficient of friction",
       law(&ContactLaw::friction, -0.5)},
      {"contact[0].friction", "nan is no", law(&ContactLaw::friction, kNan)},
      {"contact[0].restitution", "1.5 is no coefficient of restitution: it is 0 to 1",
       law(&ContactLaw::restitution, 1.5)},
      {"contact[0].rolling_friction", "-1 m is no lever", law(&ContactLaw::rolling, -1)},
      {"contact[0].spinning_friction", "-1 m is no lever", law(&ContactLaw::spinning, -1)},
      {"contact[0].cohesion", "-1 N is no cohesion", law(&ContactLaw::cohesion, -1)},
      {"contact[0].between[1]", "there is no material 'rubbr'; did you mean 'rubber'?",
       between({"any", "rubbr"})},
      {"contact[1]", "the law between 'rubber' and 'any' is given twice",
       between({"rubber", "any"}, 2)},
      {"material.rubber.name", "is taken by another material",
       [](Builder& b, BodySpec&) { b.add_material({"rubber"}); }},
      {"material.any.name", "'any' means every material",
       [](Builder& b, BodySpec&) { b.add_material({"any"}); }},
  };
}

std::vector<Wrong> wrong_shapes() {
  using Kind = ContactSpec::Kind;
  const auto first = [](auto change) {
    return [=](Builder&, BodySpec& s) { change(s.contacts[0]); };
  };
  return {
      {"body.a.contact[0].material", "there is no material 'ruber'; did you mean 'rubber'?",
       first([](ContactSpec& c) { c.material = "ruber"; })},
      {"body.a.material", "there is no material 'steel'",
       [](Builder&, BodySpec& s) { s.material = "steel"; }},
      {"body.a.material", "has a material and no contact shapes",
       [](Builder&, BodySpec& s) {
         s.material = "rubber";
         s.contacts.clear();
       }},
      {"body.a.contact[0].box", "a solid's sizes must be positive, not 0 m",
       first([](ContactSpec& c) { c.solid.size.z() = 0; })},
      {"body.a.contact[0]", "a rod has no thickness", first([](ContactSpec& c) {
         c.solid = {Solid::Kind::rod, Vec3(1, 0, 0)};
       })},
      {"body.a.contact[0]", "a tube is hollow", first([](ContactSpec& c) {
         c.solid = {Solid::Kind::tube, Vec3(1, 1, 0.5)};
       })},
      {"body.a.contact[0]", "a half-space has no end",
       first([](ContactSpec& c) { c.kind = Kind::half_space; })},
      {"body.a.contact[0]", "heights have no lower end",
       first([](ContactSpec& c) { c.kind = Kind::heights; })},
      {"obstacle[0]", "its grid of heights has 3 heights; 2 by 2 points need 4",
       [](Builder& b, BodySpec&) {
         ContactSpec s;
         s.kind = Kind::heights;
         s.heights = std::make_shared<const Heights>(Heights{2, 2, 1, 1, {0, 0, 0}});
         b.add_obstacle(s);
       }},
      {"body.a.contact[0]", "its mesh has no faces",
       first([](ContactSpec& c) { c.kind = Kind::mesh; })},
      {"body.a.contact[0]", "the surface is open there", first([](ContactSpec& c) {
         c.kind = Kind::mesh;
         c.mesh = tetrahedron(true);
       })},
      {"body.a.contact[0]", "its mesh is not convex", first([](ContactSpec& c) {
         c.kind = Kind::hull;
         body::Mesh m = *tetrahedron();  // with a corner pushed in
         m.faces.pop_back();
         m.vertices.push_back({0.2, 0.2, 0.2});
         for (const auto& f : {std::vector{1, 2, 4}, {2, 3, 4}, {3, 1, 4}}) m.faces.push_back(f);
         c.mesh = std::make_shared<const body::Mesh>(std::move(m));
       })},
      {"body.a.contact[0].position", "not finite",
       first([](ContactSpec& c) { c.X_BS.p.x() = kNan; })},
      {"body.a.contact[0].surface_velocity", "is not finite",
       first([](ContactSpec& c) { c.surface_velocity.x() = kNan; })},
      {"body.a.contact", "has no mass: what it touches would push it without end",
       [](Builder& b, BodySpec& s) {
         s.mass = 0;
         s.solid.reset();
         s.inertia = {0, 0, 0, 0, 0, 0};
         b.add_joint(pin("ground", "a", "fixed"));
       }},
      {"body.a.contact", "not both", [](Builder&, BodySpec& s) { s.solids_touch = true; }},
      {"body.a.contact", "has no solids that could touch",
       [](Builder&, BodySpec& s) {
         s.contacts.clear();
         s.solids_touch = true;
         s.solid.reset();
         s.inertia = {1, 1, 1, 0, 0, 0};
       }},
      {"body.a.contact", "has holes, which contact does not see",
       [](Builder&, BodySpec& s) {
         s.contacts.clear();
         s.solids_touch = true;
         s.solid.reset();
         s.solids = {{box(1, 1, 1)}, {box(0.1, 0.1, 0.1)}};
         s.solids[1].hole = true;
       }},
      {"body.a.electric", "there is no electric colour 'gren'; did you mean 'green'?",
       [](Builder&, BodySpec& s) {
         s.electric = {"red", "gren"};
       }},
      {"no_contact[0].between[1]", "there is no body 'aa'; did you mean 'a'?",
       [](Builder& b, BodySpec&) {
         b.add_no_contact({{"ground", "aa"}});
       }},
      {"no_contact[0].between[1]", "'a' stands here twice",
       [](Builder& b, BodySpec&) {
         b.add_no_contact({{"a", "a"}});
       }},
      {"no_contact[0].between", "names 1 bodies",
       [](Builder& b, BodySpec&) { b.add_no_contact({{"a"}}); }},
      {"contact_pair[0]", "'ground' and 'a' are kept apart by no joint",
       [](Builder& b, BodySpec&) {
         b.add_touching_pair({{"ground", "a"}});
       }},
  };
}

TEST(BuilderContacts, EachMistakeIsToldOnceAtItsPlace) {
  std::vector<Wrong> all_wrong = wrong_laws();
  for (Wrong& w : wrong_shapes()) all_wrong.push_back(std::move(w));
  for (const Wrong& w : all_wrong) {
    Builder b;
    b.add_material({"rubber"});
    BodySpec s = cube("a");
    w.make(b, s);
    b.add_body(s);
    const std::string all = told(b);
    EXPECT_EQ(all.find(w.path + ": "), 0u) << w.path << " " << w.says << "\n" << all;
    EXPECT_NE(all.find(w.says), std::string::npos) << w.says << "\n" << all;
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1) << all;
  }
}

TEST(BuilderContacts, ConvexMeshesAreHulls) {
  Builder b;
  BodySpec s = cube("a");
  s.contacts = {{.kind = ContactSpec::Kind::hull, .mesh = tetrahedron()}};
  b.add_body(s);
  const Built it = built(b);
  const contact::Shape& hull = it.model->contacts.shapes.at(0).shape;
  ASSERT_TRUE(hull.hull);
  EXPECT_NEAR(contact::extent(hull).reach, 1, 1e-12);
}

TEST(BuilderContacts, TwoLawsOfWhichNeitherIsNearerAreRefused) {
  Builder b;
  for (const char* name : {"rubber", "ice"}) {
    b.add_material({name});
    ContactLawSpec s;
    s.between = {"any", name};
    b.add_contact_law(s);
    ContactSpec c{.solid = box(1, 1, 1)};
    c.material = name;
    b.add_obstacle(c);
  }
  EXPECT_NE(told(b).find("'rubber' and 'ice' have a law each with any other material"),
            std::string::npos);
}

}  // namespace
}  // namespace trammel::model::builder_contacts_test
