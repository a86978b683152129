// The size of a mechanism, however it is written and wherever it is.
#include "model/scales.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "body/test_systems.h"
#include "model/builder.h"
#include "model/system.h"

namespace trammel::model::scales_test {
namespace {

constexpr int kLinks = 3;

Scales scales(const Builder& builder) {
  const auto built = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&built)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    return {};
  }
  return std::get<Built>(built).model->scales;
}

/// Points that hang from each other by rods, in generalised coordinates.
Builder as_system(double rod) {
  SystemSpec spec;
  spec.name = "s";
  spec.of = body::test::pendulum(std::vector<double>(kLinks, 1), std::vector<double>(kLinks, rod));
  for (auto& o : spec.of.objects) o.name = "s." + o.name;
  spec.q.assign(kLinks, 0.2);
  spec.u.assign(kLinks, 0);
  Builder out;
  add_system(out, spec);
  return out;
}

BodySpec weight(const std::string& name, double radius, const Vec3& p) {
  BodySpec out;
  out.name = name;
  out.mass = 1;
  out.solid = Solid{Solid::Kind::sphere, {radius, 0, 0}};
  out.X_WB.p = p;
  return out;
}

/// The same as bodies with joints.
Builder as_bodies(double rod) {
  Builder out;
  for (int i = 0; i < kLinks; ++i) {
    const Vec3 above = i * rod * Vec3(std::sin(0.2), 0, -std::cos(0.2)),
               p = above + rod * Vec3(std::sin(0.2), 0, -std::cos(0.2));
    out.add_body(weight(fmt::format("b{}", i), 1e-3 * rod, p));
    JointSpec joint;
    joint.name = fmt::format("j{}", i);
    joint.type = "spherical";
    if (i > 0) joint.a = fmt::format("b{}", i - 1);
    joint.b = fmt::format("b{}", i);
    joint.at = Pose{above, Mat3::Identity()};
    out.add_joint(joint);
  }
  return out;
}

TEST(Scales, SystemsAreAsLargeAsTheirJointsAsBodies) {
  for (const double rod : {1e-9, 1e-5, 1e9}) {
    const Scales system = scales(as_system(rod)), bodies = scales(as_bodies(rod));
    EXPECT_NEAR(bodies.length, rod, 1e-6 * rod);
    EXPECT_NEAR(system.length, bodies.length, 1e-6 * rod);
    EXPECT_NEAR(system.speed, bodies.speed, 1e-6 * bodies.speed);
    EXPECT_EQ(system.arm, system.length);
  }
}

TEST(Scales, ArmsAreTheSameFarAway) {
  for (const double far : {0., 1e-2, 10.}) {
    Builder b;
    b.add_body(weight("ball", 1e-5, {far, 0, 0}));
    const Scales at = scales(b);
    EXPECT_NEAR(at.arm, 1e-5 * std::sqrt(0.6), 1e-17);
    EXPECT_NEAR(at.length, std::max(at.arm, 1e-4 * far), 1e-12 * at.length);
  }
}

/// Whatever stands beside a mechanism of ordinary size decides nothing about it.
TEST(Scales, OrdinaryMechanismsHaveNone) {
  for (const double rod : {2e-3, 0.5, 200.})
    for (const double beside : {0., 0.01, 50.}) {
      Builder b = as_bodies(rod);
      if (beside > 0) b.add_body(weight("beside", beside, {0, 100, 0}));
      const Scales at = scales(b);
      EXPECT_EQ(at.length, 1) << rod << " " << beside;
      EXPECT_EQ(at.speed, 1) << rod << " " << beside;
      EXPECT_EQ(at.arm, 1) << rod << " " << beside;
    }
}

/// Inertia that only says that a body is not to turn has no length.
TEST(Scales, SurfacesBoundTheRadiusOfGyration) {
  BodySpec b = weight("ball", 1e-5, {0, 0, 0});
  b.inertia = {1e12, 1e12, 1e12, 0, 0, 0};
  b.solid.reset();
  ContactSpec surface;
  surface.solid = {Solid::Kind::sphere, {1e-5, 0, 0}};
  surface.X_BS.p = {0, 2e-5, 0};
  b.contacts = {surface};
  Builder touching;
  touching.add_body(b);
  EXPECT_NEAR(scales(touching).length, 3e-5, 1e-16);
}

}  // namespace
}  // namespace trammel::model::scales_test
