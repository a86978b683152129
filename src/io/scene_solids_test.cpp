// Bodies of several solids against closed formulas, to rounding, and what does not add up.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "body/moments.h"
#include "io/scene.h"

namespace trammel::io::scene_solids_test {
namespace {

constexpr double kRounding = 1e-13;  // relative to the mass, and to what lies farthest out

std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

struct Known {
  double mass = 0;
  Vec3 com = Vec3::Zero();
  std::array<double, 6> I{};  // Ixx Iyy Izz Ixy Ixz Iyz
};

Known body_of(const std::string& keys, const std::string& more = "") {
  auto result = load_scene_text("format = 1\n[[body]]\nname = \"b\"\n" + keys + more, "x.toml");
  if (auto* problems = std::get_if<SceneProblems>(&result))
    throw std::runtime_error(all_of(*problems) + keys);
  const model::Built& built = std::get<LoadedScene>(result).built;
  const model::Model& m = *built.model;
  const double* p = built.params.values.data() + m.find_param("body.b.mass");
  Known out{p[0], m.objects[1].com, {}};
  std::copy_n(p + 1, 6, out.I.begin());
  return out;
}

void expect(const Known& got, double mass, const Vec3& com, const std::array<double, 6>& I,
            double size = 1) {
  EXPECT_NEAR(got.mass, mass, kRounding * mass);
  EXPECT_LE((got.com - com).norm(), kRounding * size) << got.com;
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(got.I[i], I[i], kRounding * mass * size * size) << "component " << i;
}

TEST(Solids, APlateWithTwoHoles) {
  const Known got = body_of(
      "density = 7800\nsolids = [{box = [0.4, 0.2, 0.01]},\n"
      "  {cylinder = {radius = 0.05, length = 0.01}, hole = true, position = [0.1, 0, 0]},\n"
      "  {cylinder = {radius = 0.02, length = 0.01}, hole = true, position = [-0.1, 0.05, 0]}]\n");
  const double M = 7800 * 0.4 * 0.2 * 0.01, a = 7800 * M_PI * 0.05 * 0.05 * 0.01,
               b = 7800 * M_PI * 0.02 * 0.02 * 0.01, m = M - a - b;
  const double x = (-a * 0.1 + b * 0.1) / m, y = -b * 0.05 / m;
  const auto disc = [](double of, double r) { return of * (r * r / 4 + 0.01 * 0.01 / 12); };
  const double Ixx =
                   M * (0.04 + 1e-4) / 12 - disc(a, 0.05) - disc(b, 0.02) - b * 0.0025 - m * y * y,
               Iyy = M * (0.16 + 1e-4) / 12 - disc(a, 0.05) - disc(b, 0.02) - a * 0.01 - b * 0.01 -
                     m * x * x,
               Izz = M * 0.2 / 12 - a * 0.0025 / 2 - b * 0.0004 / 2 - a * 0.01 - b * 0.0125 -
                     m * (x * x + y * y),
               Ixy = -(b * 0.1 * 0.05) + m * x * y;  // minus the integral of x y dm
  expect(got, m, {x, y, 0}, {Ixx, Iyy, Izz, Ixy, 0, 0});
}

TEST(Solids, ADumbbellFarFromItsFrame) {
  const Known got = body_of(
      "solids = [{rod = [[100, 0, 0], [101, 0, 0]], mass = 2}, {sphere = 0.1, mass = 5, position = "
      "[100, 0, 0]}, {sphere = 0.1, mass = 5, position = [101, 0, 0]}]\n");
  const double ball = 2 * 0.4 * 5 * 0.01, across = ball + 2 * 5 * 0.25 + 2 / 12.;
  expect(got, 12, {100.5, 0, 0}, {ball, across, across, 0, 0, 0}, 100);
  EXPECT_NEAR(got.I[1], across, 1e-12);  // not of the 100 m: moments are about the centre
}

TEST(Solids, AnAngleOfTwoLegsHasAProductOfInertia) {
  // legs of 0.3 and 0.2 m along x and y, 0.02 m wide, 0.01 m thick, of 2700 kg/m^3
  const Known got = body_of(
      "density = 2700\nsolids = [{box = [0.3, 0.02, 0.01], position = [0.15, 0.01, 0]},\n"
      "  {box = [0.02, 0.18, 0.01], position = [0.01, 0.11, 0]}]\n");
  const double a = 2700 * 0.3 * 0.02 * 0.01, b = 2700 * 0.02 * 0.18 * 0.01, m = a + b;
  const double x = (a * 0.15 + b * 0.01) / m, y = (a * 0.01 + b * 0.11) / m;
  const double Ixx = a * (0.0004 + 1e-4) / 12 + a * 1e-4 + b * (0.0324 + 1e-4) / 12 + b * 0.0121 -
                     m * y * y,
               Iyy = a * (0.09 + 1e-4) / 12 + a * 0.0225 + b * (0.0004 + 1e-4) / 12 + b * 1e-4 -
                     m * x * x,
               Izz = a * 0.0904 / 12 + a * (0.0225 + 1e-4) + b * 0.0328 / 12 + b * (1e-4 + 0.0121) -
                     m * (x * x + y * y),
               Ixy = -(a * 0.15 * 0.01 + b * 0.01 * 0.11) + m * x * y;
  expect(got, m, {x, y, 0}, {Ixx, Iyy, Izz, Ixy, 0, 0});
}

TEST(Solids, AHollowShaftIsATubeOrACylinderWithAHole) {
  const double m = 7850 * M_PI * (0.0025 - 0.0009) * 2, along = m * (0.0025 + 0.0009) / 2,
               across = m * (3 * (0.0025 + 0.0009) + 4) / 12;
  for (const char* solids :
       {"{tube = {radius = 0.05, bore = 0.03, length = 2, axis = [1, 0, 0]}}",
        "{cylinder = {radius = 0.05, length = 2, axis = [1, 0, 0]}}, {hole = true, cylinder = "
        "{radius = 0.03, length = 2}, orientation = {axis = [0, 1, 0], angle = \"90 deg\"}}"})
    expect(body_of(fmt::format("density = 7850\nsolids = [{}]\n", solids)), m, {0, 0, 0},
           {along, across, across, 0, 0, 0});
}

TEST(Solids, ConesAndCapsules) {
  // a full cone: V = pi r^2 h / 3, centre a quarter up, 3/10 m r^2 about its axis
  const double r = 0.3, h = 0.8, m = 4;
  expect(body_of("mass = 4\nsolids = [{cone = {radius = 0.3, length = 0.8}}]\n"), m, {0, 0, -h / 4},
         {m * (0.15 * r * r + 3. / 80 * h * h), m * (0.15 * r * r + 3. / 80 * h * h),
          0.3 * m * r * r, 0, 0, 0});
  // a cone cut in the middle is the whole one without its tip
  const Known cut = body_of(
      "density = 3\nsolids = [{cone = {radius = 0.3, top = 0.15, length = 0.4}, position = [0, 0, "
      "-0.2]}, {cone = {radius = 0.15, length = 0.4}, position = [0, 0, 0.2]}]\n");
  const double whole = 3 * M_PI * r * r * h / 3;
  expect(cut, whole, {0, 0, -0.2},
         {whole * (0.15 * r * r + 3. / 80 * h * h), whole * (0.15 * r * r + 3. / 80 * h * h),
          0.3 * whole * r * r, 0, 0, 0});
  // a capsule: a cylinder and two half balls
  const double c = 7 * M_PI * 0.01 * 0.5, s = 7 * 4. / 3 * M_PI * 0.001;
  const double axial = c * 0.01 / 2 + 0.4 * s * 0.01,
               across = c * (0.03 + 0.25) / 12 + s * (0.4 * 0.01 + 0.0625 + 0.375 * 0.5 * 0.1);
  expect(body_of("density = 7\nsolids = [{capsule = {radius = 0.1, length = 0.5}}]\n"), c + s,
         {0, 0, 0}, {across, across, axial, 0, 0, 0});
  const double e = 7 * 4. / 3 * M_PI * 0.1 * 0.2 * 0.3;
  for (const char* text : {"density = 7\nsolids = [{ellipsoid = [0.1, 0.2, 0.3]}]\n",
                           "density = 7\nellipsoid = [0.1, 0.2, 0.3]\n"})
    expect(body_of(text), e, {0, 0, 0}, {e * 0.2 * 0.13, e * 0.2 * 0.1, e * 0.2 * 0.05, 0, 0, 0});
}

TEST(Solids, AMassBesideThemIsThatOfAll) {
  const Known got = body_of(
      "mass = 6\nsolids = [{box = [1, 1, 1], position = [-0.5, 0, 0]}, {box = [2, 1, 1], position "
      "= [1, 0, 0]}]\n");
  expect(got, 6, {0.5, 0, 0}, {1, 5, 5, 0, 0, 0});  // a beam of 3 x 1 x 1
}

TEST(Solids, PointsAndRodsHaveNoOtherInertia) {
  const std::string held = "[[joint]]\nname = \"j\"\ntype = \"fixed\"\nb = \"b\"\nat = [0, 0, 0]\n";
  expect(body_of("solids = [{point = [3, 4, 0], mass = 2}]\n", held), 2, {3, 4, 0},
         {0, 0, 0, 0, 0, 0});
  const Known rod = body_of("solids = [{rod = [[0, 0, 0], [0, 0, 3]], mass = 2}]\n", held);
  expect(rod, 2, {0, 0, 1.5}, {1.5, 1.5, 0, 0, 0, 0}, 3);
  EXPECT_EQ(rod.I[2], 0);
}

TEST(Solids, AffineBodiesHaveTheirVolume) {
  auto result = load_scene_text(
      "format = 1\n[[body]]\nname = \"b\"\nkind = \"affine\"\nmass = 3\nstiffness = 1000\nsolids = "
      "[{box = [1, 1, 2], position = [0, 0, 1]}, {box = [0.5, 0.5, 0.5], hole = true, position = "
      "[0, 0, 1]}]\n",
      "x.toml");
  ASSERT_TRUE(std::holds_alternative<LoadedScene>(result));
  const model::Built& built = std::get<LoadedScene>(result).built;
  EXPECT_NEAR(
      built.params.values[static_cast<std::size_t>(built.model->find_param("strain.b.stiffness"))],
      8 * 1000 * (2 - 0.125), 1e-9);
}

TEST(Solids, MistakesAreToldWithTheirPlace) {
  const std::string box = "{box = [1, 1, 1]}";
  const std::pair<std::string, const char*> list[] = {
      {"solids = [{box = [1, 1, 1]}]\n", "needs a mass or a density, or the body one for all"},
      {"density = 1\nsolids = []\n", "at least one is needed"},
      {"density = 1\nsolids = [{box = [1, 1, 1], hole = true}]\n", "nothing but holes"},
      {"density = 1\nsolids = [{bax = [1, 1, 1]}]\n", "box"},
      {"density = 1\nsolids = [{box = [1, 1, 1], densty = 5}]\n", "did you mean 'density'?"},
      {"density = 1\nsolids = [{box = [1, 1, 0]}]\n", "sizes must be positive, not 0 m"},
      {"density = 1\nsolids = [{box = [1, 1, 1], density = -2}]\n", "'hole' takes away"},
      {"density = 1\nsolids = [" + box + ", {sphere = 0.1, hole = true, position = [2, 0, 0]}]\n",
       "lies in no solid of the body"},
      {"density = 1\nsolids = [" + box + ", {sphere = 0.6, hole = true}]\n",
       "this hole sticks out"},
      {"density = 1\nsolids = [" + box +
           ", {cylinder = {radius = 0.1, length = 1.1}, hole = true}]\n",
       "5:30: body.b.solids[1]: body 'b': this hole sticks out"},
      {"solids = [{box = [1, 1, 1], density = 1}, {sphere = 0.6, hole = true, density = 8}]\n",
       "its holes take away 7.23"},
      {"solids = [{box = [1, 1, 1], density = 1}, {box = [1, 1, 1], density = 2}, {sphere = 0.1, "
       "hole = true}]\n",
       "this hole is in solids of 1 and 2 kg/m^3"},
      {"mass = 2\nsolids = [{box = [1, 1, 1], density = 1}]\n", "then they have one density"},
      {"mass = 2\nsolids = [{point = [0, 0, 0], mass = 1}]\n", "then they have one density"},
      {"density = 2\nsolids = [{point = [0, 0, 0]}]\n", "'mass' is missing"},
      {"density = 2\nsolids = [{rod = [[0, 0, 0], [0, 0, 0]], mass = 1}]\n",
       "sizes must be positive"},
      {"density = 2\nsolids = [{tube = {radius = 0.1, bore = 0.2, length = 1}}]\n",
       "the bore of a tube is narrower"},
      {"density = 2\nsolids = [" + box + "]\ncom = [0, 0, 1]\n", "'solids' exclude each other"},
      {"density = 2\nsolids = [" + box + "]\ninertia = [1, 1, 1]\n", "'solids' exclude each other"},
      {"density = 2\nmass = 3\nsolids = [" + box + "]\n",
       "'mass' and 'density' exclude each other"},
      {"kind = \"prescribed\"\nsolids = [" + box + "]\n", "'solids' does not go with prescribed"},
      {"solids = [{box = [1, 1, 1], density = 1}, {sphere = 0.7, hole = true, density = 1}]\n",
       "its holes take away 1.436"},
      {"solids = [{box = [1, 1, 1], density = 1}, {box = [0.01, 9, 9], hole = true, density = "
       "1}]\n",
       "the inertia is negative"},
  };
  for (const auto& [text, says] : list) {
    auto result = load_scene_text("format = 1\n[[body]]\nname = \"b\"\n" + text, "x.toml");
    const auto* problems = std::get_if<SceneProblems>(&result);
    const std::string said = problems ? all_of(*problems) : "nothing";
    EXPECT_NE(said.find(says), std::string::npos) << says << "\n" << said << text;
  }
}

}  // namespace
}  // namespace trammel::io::scene_solids_test
