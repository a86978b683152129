#include "geom/profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "geom/curve_check.h"

namespace trammel::geom::profile_test {
namespace {

Profile single(ProfileShape shape, double length, double g0, double g1, double height = 0) {
  return Profile({.height = height, .elements = {{shape, length, g0, g1}}});
}

double height_at(const Profile& profile, double sigma) {
  ProfilePoint out;
  profile.eval(profile.arc_length(sigma, 0), 0, out);
  EXPECT_NEAR(out.sigma, sigma, 1e-13);
  return out.z;
}

// 100 m from height 10 m: heights at 50 m and 100 m and arc length [m], by closed forms.
struct Case {
  ProfileShape shape;
  double g0, g1, z50, z100, arc;
};
constexpr Case kCases[] = {
    {ProfileShape::circle, -0.5, -1.0, -19.933926737615, -62.075922005613, 123.801073716741},
    {ProfileShape::circle, -0.5, 0.0, -7.944947177034, -13.606797749979, 103.674757133105},
    {ProfileShape::circle, -1.0, -0.5, -32.141995267998, -62.075922005613, 123.801073716741},
    {ProfileShape::circle, 0.0, -0.5, 4.338149427055, -13.606797749979, 103.674757133105},
    {ProfileShape::circle, 0.0, 0.5, 15.661850572945, 33.606797749979, 103.674757133105},
    {ProfileShape::circle, 0.5, 0.0, 27.944947177034, 33.606797749979, 103.674757133105},
    {ProfileShape::circle, 0.5, 1.0, 39.933926737615, 82.075922005613, 123.801073716741},
    {ProfileShape::circle, 1.0, 0.5, 52.141995267998, 82.075922005613, 123.801073716741},
    {ProfileShape::grade, -0.5, 0, -15, -40, 111.803398874990},
    {ProfileShape::grade, -1.0, 0, -40, -90, 141.421356237310},
    {ProfileShape::grade, 0.0, 0, 10, 10, 100},
    {ProfileShape::grade, 0.5, 0, 35, 60, 111.803398874990},
    {ProfileShape::grade, 1.0, 0, 60, 110, 141.421356237310},
    {ProfileShape::parabola, -0.5, -1.0, -21.25, -65, 125.535832995809},
    {ProfileShape::parabola, -0.5, 0.0, -8.75, -15, 104.022881943455},
    {ProfileShape::parabola, -1.0, -0.5, -33.75, -65, 125.535832995809},
    {ProfileShape::parabola, 0.0, -0.5, 3.75, -15, 104.022881943455},
    {ProfileShape::parabola, 0.0, 0.5, 16.25, 35, 104.022881943455},
    {ProfileShape::parabola, 0.5, 0.0, 28.75, 35, 104.022881943455},
    {ProfileShape::parabola, 0.5, 1.0, 41.25, 85, 125.535832995809},
    {ProfileShape::parabola, 1.0, 0.5, 53.75, 85, 125.535832995809}};

TEST(Profile, HeightsAndArcLengths) {
  constexpr double kPrinted = 6e-13;  // half a digit of the table [m]
  for (const Case& c : kCases) {
    const Profile profile = single(c.shape, 100, c.g0, c.g1, 10);
    EXPECT_NEAR(height_at(profile, 50), c.z50, kPrinted) << c.g0 << " " << c.g1;
    EXPECT_NEAR(height_at(profile, 100), c.z100, kPrinted) << c.g0 << " " << c.g1;
    EXPECT_NEAR(profile.arc_length(100, 0), c.arc, kPrinted) << c.g0 << " " << c.g1;
  }
}

// Past the ends too, and from steep to flatter than any railway's, where closed forms cancel.
TEST(Profile, StationAndArcLengthAreInverse) {
  for (const auto shape : {ProfileShape::grade, ProfileShape::circle, ProfileShape::parabola})
    for (const double bend : {-3.0, -0.3, -1e-3, -1e-9, 0.0, 1e-12, 1e-6, 0.01, 2.0})
      for (const double g0 : {0.0, 0.02, -0.7}) {
        const Profile profile = single(shape, 80, g0, g0 + bend);
        for (const double sigma : {-1.0, 0.0, 1e-3, 17.0, 55.0, 80.0, 81.0}) {
          ProfilePoint out;
          const double s = profile.arc_length(sigma, 0);
          profile.eval(s, 0, out);
          EXPECT_NEAR(out.sigma, sigma, 3e-16 * 80) << bend << " " << g0;
          const auto arc = [&](double x) { return profile.arc_length(x, 0); };
          EXPECT_NEAR(slope<double>(arc, sigma, 0.005) * out.c, 1, 1e-11) << bend << " " << g0;
        }
      }
}

// A flat parabola's arc length by its series in the change of grade x.
TEST(Profile, FlatParabolaKeepsItsDigits) {
  for (const double r : {1e-3, 1e-6, 1e-12}) {
    const double u = 40, x = r * u, q = x * x;
    const double series = u * (1 + q * (1.0 / 6 - q * (1.0 / 40 - q * (1.0 / 112 - q * 5 / 1152))));
    EXPECT_NEAR(single(ProfileShape::parabola, u, 0, x).arc_length(u, 0), series, 1e-14);
  }
}

bool says(const std::vector<Problem>& problems, const std::string& path, const std::string& text) {
  for (const Problem& p : problems)
    if (p.path == path && p.text.find(text) != std::string::npos) return true;
  return false;
}

TEST(Profile, Complains) {
  const auto problems =
      check(ProfileSpec{.elements = {{.length = -1, .g0 = 0.01},
                                     {ProfileShape::circle, 50, 0.02, 0.03},
                                     {ProfileShape::parabola, 50, 0.03, 1 / 0.0}}});
  EXPECT_EQ(problems.size(), 3u);
  EXPECT_TRUE(says(problems, "[0].length", "length -1 m"));
  EXPECT_TRUE(says(problems, "[1].g0", "grade 0.02 meets grade 0.01 of [0] with a kink of 0.009"));
  EXPECT_TRUE(says(problems, "[2]", "grade inf"));
  EXPECT_TRUE(says(check(ProfileSpec{}), "", "no elements"));
  EXPECT_EQ(profile_shape_named("circle"), ProfileShape::circle);
  EXPECT_FALSE(profile_shape_named("arc"));
}

}  // namespace
}  // namespace trammel::geom::profile_test
