// Generated from the table of functions: what every entry has to be. Their Jacobians, rates and
// second variations are tested in evaluate_test.cpp.
#include "joint/function.h"

#include <gtest/gtest.h>

#include <cmath>

#include "joint/lanes.h"
#include "joint/test_rows.h"

namespace trammel::joint::function_test {
namespace {

using namespace test;

const auto any = [](const Row&) { return true; };

class EveryFunction : public testing::TestWithParam<const Function*> {
 protected:
  const Function& f() const { return *GetParam(); }
};

TEST_P(EveryFunction, IsEvaluatedInOneWay) {
  const bool of_products = f().h.value != nullptr;
  EXPECT_EQ(of_products + (f().own != nullptr) + (f().touch != nullptr) + f().coupled, 1);
  EXPECT_EQ(f().h.partials != nullptr, of_products);
  EXPECT_TRUE(f().h.margin == nullptr || of_products);
  EXPECT_TRUE(f().rest == 0 || (of_products && f().shape));
  EXPECT_EQ(f().plain, &f() == kFunctions) << "the product is the first entry";
  EXPECT_LE(f().products, 2);
  EXPECT_LE(f().axes, 3);
}

TEST_P(EveryFunction, HasTheUnitOfWhatItIsToLaws) {
  EXPECT_TRUE(!f().distance || f().unit == Unit::metre);
  EXPECT_TRUE(!f().turns || f().unit == Unit::radian);
  EXPECT_TRUE(!f().shape || f().unit == Unit::one);
  // A length that must not be zero, or an angle, has no rate somewhere: the start is looked at.
  EXPECT_TRUE((!f().distance && !f().turns) || f().h.margin != nullptr);
  EXPECT_LE(f().distance + f().turns + f().shape + f().coupled + (f().touch != nullptr), 1);
}

TEST_P(EveryFunction, CountsTurnsWhereItsValueJumpsByOne) {
  const auto at_cut = [&](double y) { return f().h.value(y, -0.5); };
  const bool jumps = f().h.value != nullptr && at_cut(1e-9) - at_cut(-1e-9) > 6;
  EXPECT_EQ(f().turns, jumps);
}

TEST_P(EveryFunction, IsToldFromTheOthersByItsText) {
  const std::vector<Row> rows = rows_of(f(), 100, any);
  EXPECT_EQ(rows.empty(), f().coupled);
  for (const Row& row : rows) {
    const auto again = parse_row(to_text(row));
    ASSERT_TRUE(again) << to_text(row);
    EXPECT_EQ(again->fn, &f()) << to_text(row);
    EXPECT_TRUE(same(*again, row)) << to_text(row);
    EXPECT_EQ(again->features(), row.features());
  }
}

TEST_P(EveryFunction, RefusesArgumentsThatItDoesNotTake) {
  if (f().coupled) {
    EXPECT_FALSE(parse_row(f().name));
    return;
  }
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const Row row = drawn(f(), random);
    const std::string text = to_text(row);
    EXPECT_EQ(parse_row(text).has_value(), f().fits == nullptr || f().fits(row)) << text;
    EXPECT_FALSE(parse_row("x" + text)) << text;
    EXPECT_FALSE(parse_row(text + ")")) << text;
  }
}

/// Products at which h is defined and not too steep.
std::vector<std::array<double, 2>> places_of(const Function& f) {
  std::vector<std::array<double, 2>> out;
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const double y = random.uniform(), x = f.products > 1 ? random.uniform() : 0;
    const bool clear = f.h.margin == nullptr || f.h.margin(y, x) > 0.4;
    if (clear && std::isfinite(f.h.value(y, x))) out.push_back({y, x});
  }
  return out;
}

/// By central differences of fourth order: truncation below 1e-7 where h varies over 0.2.
template <class F>
double slope_of(F&& h) {
  constexpr double d = 1e-3;
  return (8 * (h(d) - h(-d)) - (h(2 * d) - h(-2 * d))) / (12 * d);
}

TEST_P(EveryFunction, HasTheDerivativesOfItsValue) {
  if (f().h.value == nullptr) return;
  const auto places = places_of(f());
  ASSERT_GT(places.size(), 20u);
  const auto h = [&](double y, double x) { return f().h.value(y, x); };
  const auto d = [&](double y, double x) { return f().h.partials(y, x).d; };
  for (const auto& [y, x] : places) {
    SCOPED_TRACE(name_of(f()) + " of " + std::to_string(y) + ", " + std::to_string(x));
    const Partials got = f().h.partials(y, x);
    constexpr double kNear = 1e-7;
    EXPECT_NEAR(got.d[0], slope_of([&](double e) { return h(y + e, x); }), kNear);
    EXPECT_NEAR(got.d[1], slope_of([&](double e) { return h(y, x + e); }), kNear);
    EXPECT_NEAR(got.d11, slope_of([&](double e) { return d(y + e, x)[0]; }), kNear);
    EXPECT_NEAR(got.d12, slope_of([&](double e) { return d(y + e, x)[1]; }), kNear);
    EXPECT_NEAR(got.d12, slope_of([&](double e) { return d(y, x + e)[0]; }), kNear);
    EXPECT_NEAR(got.d22, slope_of([&](double e) { return d(y, x + e)[1]; }), kNear);
  }
}

/// The margin's gradient by central differences.
std::array<double, 2> margin_slope(const Function& f, double y, double x) {
  constexpr double d = 1e-6;
  return {(f.h.margin(y + d, x) - f.h.margin(y - d, x)) / (2 * d),
          (f.h.margin(y, x + d) - f.h.margin(y, x - d)) / (2 * d)};
}

/// A margin ends where a derivative jumps or has no bound: down its slope one comes there.
TEST_P(EveryFunction, HasNoDerivativeWhereItsMarginEnds) {
  if (f().h.margin == nullptr) return;
  for (auto [y, x] : places_of(f())) {
    double slope = 0, way_y = 0, way_x = 0;
    for (int i = 0; i < 100 && f().h.margin(y, x) > 0.01; ++i) {
      const auto [dy, dx] = margin_slope(f(), y, x);
      slope = std::hypot(dy, dx);
      way_y = -dy / (slope * slope) * f().h.margin(y, x);
      way_x = -dx / (slope * slope) * f().h.margin(y, x);
      y += 0.25 * way_y;
      x += 0.25 * way_x;
    }
    ASSERT_LT(f().h.margin(y, x), 0.01);
    const Partials near = f().h.partials(y, x), beyond = f().h.partials(y + 3 * way_y, x);
    const bool jumps = near.d[0] * beyond.d[0] < 0;
    EXPECT_TRUE(jumps || std::hypot(near.d[0], near.d[1]) > 5) << y << ", " << x;
  }
}

TEST_P(EveryFunction, OfShapesIsZeroWhileTheBodyIsRigid) {
  Random random(4);
  const Pair pair = pair_at({}, random, body::MotionKind::rigid, body::MotionKind::rigid, nullptr);
  for (const Row& row : rows_of(f(), 100, [](const Row& r) { return r.shape(); }))
    EXPECT_NEAR(value_of(row, pair), 0, 1e-15) << to_text(row);
}

/// Four pairs in lanes, each as it is alone.
struct FourPairs {
  std::array<Pair, kLanes> pair;
  LaneSample sample;

  FourPairs() {
    for (unsigned i = 0; i < kLanes; ++i) {
      Random random(i + 1);
      pair[i] = pair_at({Vec3(0.7, -0.5, 0.6), random.rotation(0.6)}, random,
                        body::MotionKind::rigid, body::MotionKind::rigid, nullptr);
      Arc none;
      const Sample s = sampled(pair[i], (1u << 7) - 1, 1, none);
      for (std::size_t k = 0; k < sample.x.size(); ++k) put(s.x[k], i, sample.x[k]);
      put(s.r_A, i, sample.r_A);
      put(s.r_B, i, sample.r_B);
    }
  }
  static void put(const Vec3& from, unsigned lane, FourVec3& to) {
    to.x[lane] = from.x();
    to.y[lane] = from.y();
    to.z[lane] = from.z();
  }
};

TEST_P(EveryFunction, IsTheSameInLanes) {
  const FourPairs four;
  const auto rows = rows_of(f(), 50, [](const Row& row) { return in_lanes(row); });
  EXPECT_EQ(rows.empty(), f().h.value == nullptr);
  for (const Row& row : rows)
    for (int lane = 0; lane < kLanes; ++lane) {
      SCOPED_TRACE(to_text(row));
      const Pair& pair = four.pair[at(lane)];
      const double want = value_of(row, pair);
      Arc none;
      const Sample sample = sampled(pair, row.features(), 1, none);
      if (row.fn->h.margin != nullptr && !(margin(row, sample) > 0.1)) continue;
      Four g, only, J[12];
      evaluate<true>(row, four.sample, g, J, J + 6);
      evaluate<false>(row, four.sample, only, nullptr, nullptr);
      const VecX alone = jacobian(row, pair);
      const double near = 1e-14 * (10 + alone.squaredNorm());
      EXPECT_NEAR(g[lane], want, near);
      EXPECT_EQ(only[lane], g[lane]);
      for (int k = 0; k < 12; ++k) EXPECT_NEAR(J[k][lane], alone[k], near) << k;
    }
}

std::vector<const Function*> all_functions() {
  std::vector<const Function*> out;
  for (const Function& f : functions()) out.push_back(&f);
  return out;
}
std::string function_name(const testing::TestParamInfo<const Function*>& of) {
  return name_of(*of.param);
}
INSTANTIATE_TEST_SUITE_P(Functions, EveryFunction, testing::ValuesIn(all_functions()),
                         function_name);

/// On the plane through A's origin, along its normal from a ball's centre, across the axis of a
/// disc.
TEST(Functions, OfRatesTouchThePlane) {
  Random random(5);
  const Pair pair = pair_at({Vec3(0.7, -0.5, 0.6), random.rotation(0.6)}, random,
                            body::MotionKind::rigid, body::MotionKind::rigid, nullptr);
  for (const auto& [text, axes] :
       {std::pair("slip(By)", 1), {"slip(Ay, Ax)", 2}, {"slip(Ay, Ax, By)", 3}}) {
    const Row row = *parse_row(text);
    Arc none;
    const Sample s = sampled(pair, row.features(), 1, none);
    const Vec3 r = contact(row, s).r, n = s.x[0], a = s.x[4];
    EXPECT_EQ(r.norm() == 0, axes == 1) << text;
    EXPECT_NEAR(axes == 1 ? 0 : n.dot(s.x[6] + r), 0, 1e-15) << text;
    EXPECT_NEAR(axes == 2 ? n.cross(r).norm() : 0, 0, 1e-15) << text;
    EXPECT_NEAR(axes == 3 ? a.dot(r) : 0, 0, 1e-15) << text;
  }
}

TEST(Functions, OfCouplingsAreALengthAndAnAngle) {
  for (const Unit unit : {Unit::metre, Unit::radian}) {
    EXPECT_TRUE(coupled_function(unit).coupled);
    EXPECT_EQ(coupled_function(unit).unit, unit);
  }
}

}  // namespace
}  // namespace trammel::joint::function_test
