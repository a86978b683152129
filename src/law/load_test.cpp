// Every type of load in the list, with random numbers, and what each of them does.
#include "law/load.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "math/rotation.h"

namespace trammel::law::load_test {
namespace {

const body::Transform kTransform{Vec3(1, 2, 3), exp_matrix(Vec3(0.4, -0.3, 0.9))};
const Vec3 kPoint(0.2, 0.5, -0.7), kVelocity(1, -2, 0.5), kSpin(0.3, 0.6, -0.2);
const body::Rate kRate{kVelocity, skew(kSpin) * kTransform.A};

Load load(std::string_view type, Axes axes) {
  Load out;
  out.type = find_load_type(type);
  out.axes = axes;
  out.point = kPoint;
  out.value = {Signal(1), Signal::spline({0, 1}, {0, 4}), Signal(-3)};
  if (out.type && out.type->takes_functions)  // against the velocity, more than in proportion
    for (std::size_t i = 0; i < 3; ++i)
      out.function[i] = std::make_shared<const LoadFunction>([i](const LoadArguments& x) {
        const double v = x[kLoadVelocity + i];
        return -(0.3 + std::abs(v)) * v;
      });
  return out;
}

TEST(Load, ActsAtItsPointAlongItsAxes) {
  const Vec3 now(1, 2, -3);  // at t = 0.5
  const Wrench world = wrench(load("force", Axes::world), nullptr, kTransform, kRate, 0.5);
  EXPECT_EQ(world.f, now);
  EXPECT_EQ(world.torque.norm(), 0);
  EXPECT_EQ(world.r, kTransform.A * kPoint);
  const Wrench body = wrench(load("force", Axes::body), nullptr, kTransform, kRate, 0.5);
  EXPECT_NEAR((body.f - kTransform.A * now).norm(), 0, 1e-15);
  const Wrench torque = wrench(load("torque", Axes::body), nullptr, kTransform, kRate, 0.5);
  EXPECT_NEAR((torque.torque - kTransform.A * now).norm(), 0, 1e-15);
  EXPECT_EQ(torque.f.norm(), 0);
}

TEST(Load, DragOpposesTheVelocityOfItsPoint) {
  Load drag = load("drag", Axes::world);
  drag.first_param = 1;
  const double params[]{99, 0.5, 2};
  const Vec3 v = kVelocity + kSpin.cross(kTransform.A * kPoint);
  const Wrench w = wrench(drag, params, kTransform, kRate, 0);
  EXPECT_NEAR((w.f + (0.5 + 2 * v.norm()) * v).norm(), 0, 1e-14);
  EXPECT_NEAR(steepest(drag, params, kTransform, kRate, 0), 0.5 + 4 * v.norm(), 1e-14);
  EXPECT_TRUE(drag.needs_rates());
  EXPECT_FALSE(load("force", Axes::body).needs_rates());
}

TEST(LoadTypes, AreDistinctFoundByNameAndDocumented) {
  std::set<std::string_view> names;
  for (const LoadType* type : load_types()) {
    SCOPED_TRACE(type->name);
    EXPECT_TRUE(names.insert(type->name).second);
    EXPECT_EQ(find_load_type(type->name), type);
    EXPECT_FALSE(type->doc.empty());
    ASSERT_TRUE(type->wrench);
    EXPECT_TRUE(type->needs_rates || !type->steepest);
    std::set<std::string_view> keys{type->signals.key};
    for (const LoadNumber& n : type->numbers) {
      SCOPED_TRACE(n.name);
      EXPECT_TRUE(keys.insert(n.name).second);
      EXPECT_FALSE(n.doc.empty() || n.rule.empty());
      EXPECT_LT(n.lo, n.hi);
      EXPECT_TRUE(std::isnan(n.fallback) || (n.lo <= n.fallback && n.fallback <= n.hi));
    }
  }
  EXPECT_EQ(find_load_type("push"), nullptr);
}

/// Numbers that the type allows, far from where its range ends.
std::vector<double> numbers(const LoadType& type) {
  std::vector<double> out;
  for (const LoadNumber& n : type.numbers)
    out.push_back(std::isfinite(n.hi) && std::isfinite(n.lo) ? 0.4 * n.lo + 0.6 * n.hi
                  : std::isfinite(n.lo)                      ? n.lo + 0.7
                  : std::isfinite(n.hi)                      ? n.hi - 0.7
                                                             : 0.7);
  return out;
}

/// The wrench of a load whose body moves `factor` times as fast.
Wrench at_speed(const Load& l, const double* p, double factor) {
  return wrench(l, p, kTransform, {factor * kRate.v, factor * kRate.A}, 0.5);
}

TEST(EveryLoad, NeedsRatesWhereItDependsOnThem) {
  for (const LoadType* type : load_types()) {
    SCOPED_TRACE(type->name);
    const Load l = load(type->name, Axes::body);
    const std::vector<double> p = numbers(*type);
    const Wrench one = at_speed(l, p.data(), 1), two = at_speed(l, p.data(), 2);
    EXPECT_EQ(type->needs_rates, (one.f - two.f).norm() + (one.torque - two.torque).norm() > 0);
  }
}

TEST(EveryLoad, GrowsNoFasterThanItSays) {
  for (const LoadType* type : load_types()) {
    SCOPED_TRACE(type->name);
    const Load l = load(type->name, Axes::world);
    const std::vector<double> p = numbers(*type);
    constexpr double kStep = 1e-5;
    const double along = velocity(l, kRate).norm() * 2 * kStep;
    const double grows =
        (at_speed(l, p.data(), 1 + kStep).f - at_speed(l, p.data(), 1 - kStep).f).norm() / along;
    EXPECT_LE(grows, steepest(l, p.data(), kTransform, kRate, 0.5) + 1e-8);
  }
}

TEST(EveryLoad, TakesAxesAndSignalsTogether) {
  for (const LoadType* type : load_types()) {
    SCOPED_TRACE(type->name);
    const std::vector<double> p = numbers(*type);
    const Wrench world = wrench(load(type->name, Axes::world), p.data(), kTransform, kRate, 0.5),
                 body = wrench(load(type->name, Axes::body), p.data(), kTransform, kRate, 0.5);
    const double apart = (world.f - body.f).norm() + (world.torque - body.torque).norm();
    EXPECT_EQ(!type->signals.key.empty() || type->takes_functions, apart > 0);
  }
}

}  // namespace
}  // namespace trammel::law::load_test
