// Contact shapes of a mechanism under the energy formulation.
#include "constraint/barrier/surfaces.h"
#include "form/test_contact.h"

namespace trammel::form::contact_surfaces_test {
namespace {

using body::Solid;
using model::ContactSpec;

model::BodySpec body_of(const char* name, const Solid& solid, const Vec3& at, bool affine) {
  model::BodySpec b;
  b.name = name;
  b.mass = 2;
  b.solid = solid;
  b.X_WB.p = at;
  b.contacts.push_back({.solid = solid});
  if (affine) b.affine = model::Elastic{1e8, {}};
  return b;
}

model::Builder on_a_floor() {
  model::Builder b;
  b.add_obstacle({.kind = ContactSpec::Kind::half_space, .name = "floor"});
  return b;
}

model::Built built(const model::Builder& b) {
  auto out = b.build();
  if (auto* wrong = std::get_if<std::vector<Problem>>(&out))
    throw std::runtime_error((*wrong)[0].text);
  return std::get<model::Built>(std::move(out));
}

Settings settings_of(Settings::Difference difference = Settings::Difference::bdf1) {
  Settings s;
  s.formulation = Settings::Formulation::energy;
  s.difference = difference;
  return s;
}

/// Round and edged bodies fall side by side on a half-space and rest on it, at any step. Round ones
/// are polyhedra on their surface: they rest up to r (1 - cos(pi/24)) lower, and rock.
TEST(ContactSurfaces, ShapesOfAMechanismComeToRest) {
  const Solid solids[] = {{Solid::Kind::box, Vec3(0.2, 0.3, 0.1)},
                          {Solid::Kind::sphere, Vec3(0.1, 0, 0)},
                          {Solid::Kind::cylinder, Vec3(0.1, 0.2, 0)},
                          {Solid::Kind::capsule, Vec3(0.05, 0.2, 0), Vec3::UnitX()},
                          {Solid::Kind::cone, Vec3(0.1, 0.2, 0.05)}};
  const double half[] = {0.05, 0.1, 0.1, 0.05, 0.1};
  for (const bool affine : {true, false})
    for (const double h : {1e-2, 1e-1}) {
      model::Builder b = on_a_floor();
      for (int k = 0; k < 5; ++k)
        b.add_body(body_of(std::string(1, static_cast<char>('a' + k)).c_str(), solids[k],
                           Vec3(k, 0, 0.3), affine));
      const model::Built it = built(b);
      ASSERT_TRUE(Energy::unsupported(*it.model, it.params, settings_of()).empty());
      Energy form(*it.model, it.params, settings_of());
      model::State state = it.state;
      ASSERT_TRUE(form.load(state));
      StepReport report;
      for (int k = 0; k < std::max(20, static_cast<int>(1 / h)); ++k) {
        form.step(state, h, report);
        ASSERT_EQ(report.status, Status::ok) << report.reason;
        EXPECT_GT(report.distance, 0);
      }
      EXPECT_LT(report.distance, 1e-3);
      for (int k = 0; k < 5; ++k)
        EXPECT_NEAR(form.now().T_WO[at(k + 1)].p.z(), half[k], 2e-3) << k << " at " << h;
    }
}

TEST(ContactSurfaces, ColoursThatDoNotMeetPassThrough) {
  model::Builder b = on_a_floor();
  model::BodySpec low = body_of("low", {Solid::Kind::box, Vec3(0.2, 0.2, 0.2)}, {0, 0, 0.2}, true),
                  high =
                      body_of("high", {Solid::Kind::box, Vec3(0.2, 0.2, 0.2)}, {0, 0, 0.6}, true);
  low.electric = std::vector<std::string>{"red"};
  high.electric = std::vector<std::string>{"green", "blue"};
  b.add_body(low);
  b.add_body(high);
  const model::Built it = built(b);
  Energy form(*it.model, it.params, settings_of());
  model::State state = it.state;
  ASSERT_TRUE(form.load(state));
  StepReport report;
  for (int k = 0; k < 100; ++k) form.step(state, 1e-2, report);
  for (const int body : {1, 2}) EXPECT_NEAR(form.now().T_WO[at(body)].p.z(), 0.1, 2e-3);
}

/// All of it at once, and nothing is ignored.
TEST(ContactSurfaces, WhatDoesNotGoIsRefused) {
  model::Builder b;
  b.add_obstacle({.kind = ContactSpec::Kind::plane, .name = "sheet"});
  b.add_obstacle(
      {.kind = ContactSpec::Kind::heights,
       .heights = std::make_shared<const model::Heights>(model::Heights{2, 2, 1, 1, {0, 0, 0, 0}}),
       .name = "field"});
  model::ContactLaw law;
  law.restitution = 0.5;
  model::ContactLawSpec spec;
  spec.law = law;
  b.add_contact_law(spec);
  b.add_body(body_of("a", {Solid::Kind::box, Vec3(0.2, 0.2, 0.2)}, {0, 0, 0.2}, true));
  const model::Built it = built(b);
  std::string all;
  for (const Problem& p :
       Energy::unsupported(*it.model, it.params, settings_of(Settings::Difference::midpoint)))
    all += p.text + "\n";
  for (const char* part :
       {"midpoint", "'sheet' is a plane", "'field' is a field of heights", "restitution between"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
}

/// The forces of the points are those that the bodies feel: a box that rests has its weight, one
/// that slides on a slope is held back by mu times the normal force.
TEST(ContactSurfaces, PointsHaveTheForces) {
  const double mu = 0.2, g = 9.81, mass = 2;
  for (const bool affine : {true, false})
    for (const double slope : {0.0, 0.5}) {
      const Mat3 tilt = exp_matrix(Vec3(0, slope, 0));
      model::Builder b;
      b.add_obstacle(
          {.kind = ContactSpec::Kind::half_space, .X_BS = {Vec3::Zero(), tilt}, .name = "floor"});
      model::ContactLawSpec spec;
      spec.law.friction = mu;
      b.add_contact_law(spec);
      model::BodySpec box =
          body_of("box", {Solid::Kind::box, Vec3(0.2, 0.3, 0.1)}, tilt * Vec3(0, 0, 0.051), affine);
      box.X_WB.R = tilt;
      b.add_body(box);
      const model::Built it = built(b);
      Energy form(*it.model, it.params, settings_of());
      model::State state = it.state;
      ASSERT_TRUE(form.load(state));
      StepReport report;
      for (int k = 0; k < 100; ++k) form.step(state, 1e-2, report);
      Vec3 sum = Vec3::Zero();
      for (const constraint::ContactForce& f : test::contact_forces_of(form)) {
        EXPECT_LT(f.point.A, f.point.B);
        EXPECT_GT(f.point.gap, 0);
        EXPECT_LT(f.point.gap, 1e-3);
        EXPECT_NEAR((f.point.n - tilt.col(2)).norm(), 0, 1e-6);  // floor is A: up
        sum += f.force;
      }
      EXPECT_EQ(report.contacts.points, count(test::contact_forces_of(form)));
      EXPECT_GE(report.contacts.points, 4);
      const double normal = mass * g * std::cos(slope);
      EXPECT_NEAR(sum.dot(tilt.col(2)), normal, 1e-4 * normal);  // it still settles
      const double rubs = slope > 0 ? mu * normal : 0;           // forces of the step before
      EXPECT_NEAR(-sum.dot(tilt.col(0)), rubs, 1e-3 * normal);
    }
}

/// What starts in touch is told with both names; a barrier could not part it.
TEST(ContactSurfaces, WhatTouchesAtTheStartIsTold) {
  for (const double z : {0.1, 0.09, 0.101}) {
    model::Builder b = on_a_floor();
    b.add_body(body_of("low", {Solid::Kind::box, Vec3(0.2, 0.2, 0.2)}, {0, 0, z}, true));
    b.add_body(body_of("high", {Solid::Kind::box, Vec3(0.2, 0.2, 0.2)}, {0.05, 0, z + 0.2}, true));
    b.add_body(body_of("off", {Solid::Kind::box, Vec3(0.2, 0.2, 0.2)}, {0.5, 0, 0.3}, true));
    const model::Built it = built(b);
    const auto wrong = constraint::touching_at_start(*it.model, it.params, it.state);
    EXPECT_EQ(wrong.size(), z > 0.1 ? 1u : 2u) << z;
    EXPECT_NE(wrong.back().text.find("touch or overlap at the start"), std::string::npos);
  }
}

/// One wholly within another neither touches nor cuts it.
TEST(ContactSurfaces, WhatStartsWithinAnotherIsTold) {
  for (const double x : {0., 0.4}) {
    model::Builder b = on_a_floor();
    b.add_body(body_of("nut", {Solid::Kind::box, Vec3(0.1, 0.1, 0.1)}, {x, 0, 0.5}, true));
    b.add_body(body_of("shell", {Solid::Kind::box, Vec3(0.5, 0.4, 0.3)}, {0, 0, 0.5}, true));
    const model::Built it = built(b);
    EXPECT_EQ(constraint::touching_at_start(*it.model, it.params, it.state).size(),
              x == 0 ? 1u : 0u)
        << x;
  }
}

}  // namespace
}  // namespace trammel::form::contact_surfaces_test
