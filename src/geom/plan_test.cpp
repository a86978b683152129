#include "geom/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace trammel::geom::plan_test {
namespace {

using std::numbers::pi;

PlanPoint at(const Plan& plan, double sigma) {
  std::size_t piece = plan.starts().size() - 1;
  while (piece > 0 && plan.starts()[piece] > sigma) --piece;
  PlanPoint out;
  plan.eval(sigma, piece, out);
  return out;
}

// Transitions of 100 m: positions half way and at the end [m], computed independently in more than
// double precision. The Viennese bends have h = 1.8 m and cant 0, 30, 100 mm over 1.5 m at radii
// of infinity, 1000 m, 300 m.
struct TransitionCase {
  Shape shape;
  double k0, k1, x50, y50, x100, y100;
};
constexpr TransitionCase kTransitions[] = {
    {Shape::linear, 1 / 1000., 1 / 300., 49.956696951264271, 1.735279513475745, 99.406864244756342,
     8.857978632119889},
    {Shape::linear, 1 / 300., 1 / 1000., 49.825200872356188, 3.674404185503163, 98.986925644288336,
     12.719158616616175},
    {Shape::linear, 1 / 300., 0, 49.846771308544935, 3.467247398607231, 99.260564665670770,
     11.075877308471562},
    {Shape::linear, 0, 1 / 300., 49.991320142120610, 0.694358332578799, 99.722579217827450,
     5.544542365628803},
    {Shape::bloss, 1 / 1000., 1 / 300., 49.965773094764676, 1.541077579466263, 99.438128612714976,
     8.470682319806868},
    {Shape::bloss, 1 / 300., 1 / 1000., 49.805359778026049, 3.867753835652372, 98.934199844965518,
     13.104120802188846},
    {Shape::bloss, 1 / 300., 0, 49.819884491054728, 3.743628511854475, 99.192428373398307,
     11.626941046949504},
    {Shape::bloss, 0, 1 / 300., 49.996211037002409, 0.416638792537601, 99.746806417460233,
     4.989811042384949},
    {Shape::cosine, 1 / 1000., 1 / 300., 49.966493009278031, 1.525682424326055, 99.440474616479273,
     8.439964562726895},
    {Shape::cosine, 1 / 300., 1 / 1000., 49.803653865562133, 3.883067756088432, 98.929887435001122,
     13.134624694628751},
    {Shape::cosine, 1 / 300., 0, 49.817544348438427, 3.765517449716443, 99.186756634976754,
     11.670595390268590},
    {Shape::cosine, 0, 1 / 300., 49.996536402940597, 0.394622286404052, 99.748455357736530,
     4.945820687722724},
    {Shape::sine, 1 / 1000., 1 / 300., 49.970382199363242, 1.440118194936080, 99.453200413135394,
     8.269224768369643},
    {Shape::sine, 1 / 300., 1 / 1000., 49.793973214188303, 3.968151523471888, 98.905610835745118,
     13.304108233670904},
    {Shape::sine, 1 / 300., 0, 49.804172492177907, 3.887123563704688, 99.154602053904265,
     11.913121685572521},
    {Shape::sine, 0, 1 / 300., 49.998074136441824, 0.272261686632476, 99.756980509715538,
     4.701320702484418},
    {Shape::helmert, 1 / 1000., 1 / 300., 49.968101246882367, 1.492527470741350, 99.445408908929492,
     8.373788889688449},
    {Shape::helmert, 1 / 300., 1 / 1000., 49.799803512238684, 3.916031453292555, 98.920480217570749,
     13.200313896209324},
    {Shape::helmert, 1 / 300., 0, 49.812254552520182, 3.812635030306932, 99.174298539187028,
     11.764591284546477},
    {Shape::helmert, 0, 1 / 300., 49.997244363488451, 0.347204361427475, 99.751763446245090,
     4.851060522873642},
    {Shape::viennese, 1 / 1000., 1 / 300., 49.973423317727837, 1.369636438478273,
     99.463289177669933, 8.128566907121993},
    {Shape::viennese, 1 / 300., 1 / 1000., 49.785769944606296, 4.038201943657471,
     98.885225735968437, 13.443646274389882},
    {Shape::viennese, 1 / 300., 0, 49.792721928383645, 3.987231301067888, 99.127321710472715,
     12.112767656625215},
    {Shape::viennese, 0, 1 / 300., 49.998976714419600, 0.171476631974637, 99.763198678191266,
     4.499915475948153},
};

double cant_angle(double k) { return k == 0 ? 0 : (k < 2e-3 ? 0.03 : 0.1) / 1.5; }

TEST(Plan, TransitionsReachPublishedPoints) {
  for (const TransitionCase& c : kTransitions)
    for (const double side : {1.0, -1.0}) {
      PlanElement e{.shape = c.shape, .length = 100, .k0 = side * c.k0, .k1 = side * c.k1};
      if (c.shape == Shape::viennese)
        e.gravity_height = 1.8, e.cant_change = side * (cant_angle(c.k1) - cant_angle(c.k0));
      const PlanSpec spec{.elements = {e}};
      ASSERT_TRUE(check(spec).empty());
      const Plan plan(spec);
      const PlanPoint half = at(plan, 50), end = at(plan, 100);
      constexpr double kRounding = 1e-13;  // [m]
      EXPECT_NEAR(half.x, c.x50, kRounding) << static_cast<int>(c.shape);
      EXPECT_NEAR(half.y, side * c.y50, kRounding) << static_cast<int>(c.shape);
      EXPECT_NEAR(end.x, c.x100, kRounding) << static_cast<int>(c.shape);
      EXPECT_NEAR(end.y, side * c.y100, kRounding) << static_cast<int>(c.shape);
      EXPECT_NEAR(end.k, side * c.k1, 1e-16);
      const double turn = side * 50 * (c.k0 + c.k1);  // every f has the mean 1/2
      EXPECT_NEAR(std::atan2(end.s, end.c), turn, 1e-15);
      EXPECT_NEAR(plan.pose(100, plan.starts().size() - 1).heading, turn, 1e-15);
    }
}

struct ClothoidCase {
  double length, radius, x, y;  // [m]
};
constexpr ClothoidCase kClothoids[] = {
    {40, 1000, 39.9984000296293561, 0.2666590477160166},
    {60, 600, 59.9850017360109543, 0.9998214427753540},
    {100, 300, 99.7225792178274502, 5.5445423656288025},
    {100, 1000, 99.9750028933515905, 1.6663690712922567},
    {150, 500, 149.6628513800140070, 7.4879550544435615},
    {200, 400, 198.7536116859178859, 16.5924097074189926},
    {50, 190, 49.9135042597399117, 2.1902720104838897},
    {120, 250, 119.3106407518879369, 9.5605751718785923},
};

TEST(Plan, ClothoidsReachPublishedPoints) {
  for (const ClothoidCase& c : kClothoids) {
    const Plan plan(
        {.elements = {{.shape = Shape::linear, .length = c.length, .k1 = 1 / c.radius}}});
    EXPECT_NEAR(at(plan, c.length).x, c.x, 1e-13);
    EXPECT_NEAR(at(plan, c.length).y, c.y, 1e-13);
  }
}

struct FresnelCase {
  double x, C, S;
};
constexpr FresnelCase kFresnel[] = {
    {0.1, 0.099997532627085068, 0.000523589547612210},
    {1.0, 0.779893400376822829, 0.438259147390354766},
    {5.0, 0.563631188704012231, 0.499191381917116886},
    {20.0, 0.499987334972344388, 0.484084535925953892},
};

// An S-curve in one piece, curvature pi u for u from -x to x [m], is twice the Fresnel integrals.
TEST(Plan, SCurveIsTwiceTheFresnelIntegrals) {
  for (const FresnelCase& f : kFresnel) {
    const Plan plan(
        {.start = {.heading = 0.5 * pi * f.x * f.x},
         .elements = {
             {.shape = Shape::linear, .length = 2 * f.x, .k0 = -pi * f.x, .k1 = pi * f.x}}});
    // The heading itself, up to 628 rad at x = 20, rounds to 1e-13 rad.
    const double rounding = 1e-15 * (1 + 2 * f.x * f.x);
    EXPECT_NEAR(at(plan, 2 * f.x).x, 2 * f.C, rounding) << f.x;
    EXPECT_NEAR(at(plan, 2 * f.x).y, 2 * f.S, rounding) << f.x;
    EXPECT_NEAR(at(plan, f.x).k, 0, 1e-14);
  }
}

// Far past its ends a transition goes on by quadrature: the same element cut longer has it inside.
TEST(Plan, GoesOnPastItsEnds) {
  for (const double u : {-30.0, -5.0, 105.0, 140.0}) {
    const double slope = 1e-4, k0 = -0.002;
    const Plan plan(
        {.elements = {{.shape = Shape::linear, .length = 100, .k0 = k0, .k1 = k0 + 100 * slope}}});
    const Plan wide({.elements = {{.shape = Shape::linear,
                                   .length = 200,
                                   .k0 = k0 - 50 * slope,
                                   .k1 = k0 + 150 * slope}}});
    const PlanPose origin = wide.pose(50, 0), there = wide.pose(50 + u, 0);
    const double c = std::cos(origin.heading), s = std::sin(origin.heading);
    const double dx = there.x - origin.x, dy = there.y - origin.y;
    EXPECT_NEAR(plan.pose(u, 0).x, c * dx + s * dy, 1e-13);
    EXPECT_NEAR(plan.pose(u, 0).y, c * dy - s * dx, 1e-13);
    EXPECT_NEAR(plan.pose(u, 0).heading, there.heading - origin.heading, 1e-14);
  }
}

TEST(Plan, HelmertIsTwoPiecesOneElement) {
  const Plan plan({.elements = {{.shape = Shape::helmert, .length = 80, .k0 = 0.001, .k1 = -0.003},
                                {.length = 10, .k0 = -0.003}}});
  ASSERT_EQ(plan.starts(), (std::vector<double>{0, 40, 80}));
  PlanPoint before, after;
  plan.eval(40, 0, before), plan.eval(40, 1, after);
  EXPECT_NEAR(before.k, -0.001, 1e-18);
  EXPECT_NEAR(after.k, before.k, 1e-18);
  EXPECT_NEAR(after.dk, before.dk, 1e-18);
}

bool says(const std::vector<Problem>& problems, const std::string& path, const std::string& text) {
  for (const Problem& p : problems)
    if (p.path == path && p.text.find(text) != std::string::npos) return true;
  return false;
}

TEST(Plan, ComplainsOfEveryBadElement) {
  const auto problems = check(PlanSpec{
      .elements = {
          {.length = 0},
          {.length = -5},
          {.length = 10, .k0 = 1 / 0.0},
          {.length = 1e6, .k0 = 0.1},
          {.length = 1, .gravity_height = 2},
          {.length = NAN},
          {.shape = Shape::viennese, .length = 1e-3, .gravity_height = 2, .cant_change = 1}}});
  EXPECT_EQ(problems.size(), 7u);
  EXPECT_TRUE(says(problems, "[0].length", "length 0 m"));
  EXPECT_TRUE(says(problems, "[1].length", "length -5 m"));
  EXPECT_TRUE(says(problems, "[2]", "radius must not be 0"));
  EXPECT_TRUE(says(problems, "[3]", "turns by more"));
  EXPECT_TRUE(says(problems, "[4]", "viennese"));
  EXPECT_TRUE(says(problems, "[6]", "turns by more"));
  EXPECT_TRUE(says(problems, "[5].length", "nan"));
  EXPECT_TRUE(says(check(PlanSpec{}), "", "no elements"));
}

TEST(Plan, ComparesStatedStarts) {
  PlanSpec spec{.start = {1, 2, 0.1}, .elements = {{.length = 10}, {.length = 5, .k0 = 0.01}}};
  spec.elements[1].start = PlanPose{1 + 10 * std::cos(0.1), 2 + 10 * std::sin(0.1), 0.1 + 2 * pi};
  EXPECT_TRUE(check(spec).empty());
  spec.elements[1].start->x += 0.25;
  spec.elements[1].start->heading += 0.003;
  const auto problems = check(spec);
  EXPECT_TRUE(says(problems, "[1].start", "is 0.25 m from the end of [0]"));
  EXPECT_TRUE(says(problems, "[1].start", "is 0.003 rad off the end of [0]"));
  spec.max_gap = 0.3, spec.max_turn = 0.01;
  EXPECT_TRUE(check(spec).empty());
}

TEST(Shape, NamesOfPlanAndCant) {
  EXPECT_EQ(shape_named("clothoid"), Shape::linear);
  EXPECT_EQ(shape_named("arc"), Shape::constant);
  EXPECT_EQ(shape_named("viennese"), Shape::viennese);
  EXPECT_FALSE(shape_named("spiral"));
}

}  // namespace
}  // namespace trammel::geom::plan_test
