#include "geom/nearest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "geom/alignment.h"
#include "geom/basic.h"
#include "geom/chain.h"

namespace trammel::geom::nearest_test {
namespace {

using std::numbers::pi;

/// How often a curve is asked for a place.
class Counted final : public Curve {
 public:
  explicit Counted(const Curve& curve) : curve_(curve) {}
  double length() const override { return curve_.length(); }
  std::size_t pieces() const override { return curve_.pieces(); }
  double piece_start(std::size_t piece) const override { return curve_.piece_start(piece); }
  Jump jump(std::size_t piece) const override { return curve_.jump(piece); }
  void eval(double s, std::size_t piece, int order, CurvePoint& out) const override {
    ++asked;
    curve_.eval(s, piece, order, out);
  }
  mutable long asked = 0;

 private:
  const Curve& curve_;
};

/// Turns of radius 100 m and 5 m in turn, which lead far and come near again.
Chain winding(int turns) {
  ChainSpec spec;
  Pose start;
  for (int i = 0; i < turns; ++i)
    for (const double radius : {100., -5., 40., -30.}) {
      spec.members.push_back(
          std::make_shared<Arc>(start, 1 / radius, 0.4 * pi * std::abs(radius) + 0.1 * i));
      start = end_pose(*spec.members.back());
    }
  return Chain(spec);
}

/// No place of a fine scan is nearer: by what half a step of it may hide.
TEST(Nearest, NoPlaceOfAScanIsNearer) {
  const Chain curve = winding(6);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> at(-300, 300);
  for (int k = 0; k < 40; ++k) {
    const Vec3 p(at(random), at(random), 0.1 * at(random));
    const double s = nearest_arc_length(curve, p), found = (curve.at(s).p - p).norm();
    for (int i = 0; i <= 20000; ++i)
      EXPECT_GE((curve.at(curve.length() * i / 20000).p - p).norm(), found - 1e-9 * found)
          << k << " " << i;
  }
}

TEST(Nearest, PlacesOnTheCurveAreFoundToRounding) {
  const Chain curve = winding(40);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> at(0, curve.length());
  for (int k = 0; k < 100; ++k) {
    const double s = k == 0 ? 0 : k == 1 ? curve.length() : at(random);
    const Vec3 p = curve.at(s).p;
    EXPECT_LT((curve.at(nearest_arc_length(curve, p)).p - p).norm(), 1e-10 * curve.length()) << s;
  }
}

/// Looks grow with the logarithm of how fine they become, not with the length.
TEST(Nearest, FewPlacesAreLookedAt) {
  const Chain curve = winding(100);
  const Counted counted(curve);
  for (int k = 0; k < 100; ++k) {
    nearest_arc_length(counted, curve.at(curve.length() * (k + 0.37) / 100).p + Vec3(0, 0, 1));
  }
  EXPECT_LT(counted.asked, 100 * 400);
}

}  // namespace
}  // namespace trammel::geom::nearest_test
