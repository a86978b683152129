// Bodies whose solid is a mesh in the scene.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "io/scene.h"

namespace trammel::io::scene_mesh_test {
namespace {

/// A box of 2 x 4 x 6 by its corners, the least at (1, 0, 0); line 6 of the scene. Faces on lines 9
/// to 14.
const std::string kVertices =
    "vertices = [[1, 0, 0], [3, 0, 0], [1, 4, 0], [3, 4, 0], [1, 0, 6], [3, 0, 6], [1, 4, 6], [3, "
    "4, 6]]\n";
std::string scene(const std::string& keys, const std::string& last_face = "[1, 3, 7, 5]") {
  return "format = 1\n[[body]]\nname = \"part\"\n" + keys + "\n[body.mesh]\n" + kVertices +
         "unit = \"1 cm\"\nfaces = [\n[0, 2, 3, 1],\n[4, 5, 7, 6],\n[0, 1, 5, 4],\n[2, 6, 7, "
         "3],\n[0, 4, 6, 2],\n" +
         last_face + "]\n";
}
const std::string kBox =
    "format = 1\n[[body]]\nname = \"part\"\nbox = [\"2 cm\", \"4 cm\", \"6 cm\"]\n";

model::Built built(const std::string& text) {
  auto result = load_scene_text(text, "part.toml");
  if (const auto* problems = std::get_if<SceneProblems>(&result)) {
    for (const SceneProblem& p : *problems) ADD_FAILURE() << to_text(p);
    return {};
  }
  return std::get<LoadedScene>(std::move(result)).built;
}

double param(const model::Built& b, const std::string& name) {
  return b.params.values[static_cast<std::size_t>(b.model->find_param("body.part." + name))];
}

TEST(SceneMesh, IsTheSolidWithinIt) {
  for (const std::string mass : {"mass = \"2 kg\"\n", "density = \"7800 kg/m^3\"\n"}) {
    const model::Built mesh = built(scene(mass)), box = built(kBox + mass);
    for (const char* name : {"mass", "Ixx", "Iyy", "Izz"})
      EXPECT_NEAR(param(mesh, name) / param(box, name), 1, 1e-14) << name;
    for (const char* name : {"Ixy", "Ixz", "Iyz"}) EXPECT_NEAR(param(mesh, name), 0, 1e-18) << name;
    EXPECT_LE((mesh.model->objects[1].com - Vec3(0.02, 0.02, 0.03)).norm(), 1e-17);
  }
}

/// A box of 2 x 4 x 6 sheared by A: its second moments are A S A^T, and none of its products is 0.
TEST(SceneMesh, ObliqueSolidsHaveProductsOfInertia) {
  const Mat3 A = (Mat3() << 1, 0.2, 0.5, -0.25, 1, 0.1, 0, 0.3, 1).finished();
  std::string text = "format = 1\n[[body]]\nname = \"part\"\nmass = 3\n[body.mesh]\nvertices = [";
  for (int i = 0; i < 8; ++i) {
    const Vec3 v = A * Vec3(i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3);
    text += fmt::format("[{:.17g}, {:.17g}, {:.17g}],", v.x(), v.y(), v.z());
  }
  text +=
      "]\nfaces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, "
      "7, 5]]\n";
  const model::Built mesh = built(text);
  const Mat3 S = 3. / 12 * A * Vec3(4, 16, 36).asDiagonal() * A.transpose(),
             I = S.trace() * Mat3::Identity() - S;
  const std::tuple<const char*, int, int> elements[] = {
      {"Ixx", 0, 0}, {"Iyy", 1, 1}, {"Izz", 2, 2}, {"Ixy", 0, 1}, {"Ixz", 0, 2}, {"Iyz", 1, 2}};
  for (const auto& [name, i, j] : elements) {
    EXPECT_NEAR(param(mesh, name), I(i, j), 1e-12) << name;
    EXPECT_GT(std::abs(I(i, j)), 0.1) << name;
  }
}

TEST(SceneMesh, HasTheVolumeOfAnAffineBody) {
  const std::string keys = "kind = \"affine\"\nmass = 1\n";
  const model::Built mesh = built(scene(keys)), box = built(kBox + keys);
  const auto spring = [](const model::Built& b) {
    return b.params.values[static_cast<std::size_t>(b.model->find_param("strain.part.stiffness"))];
  };
  EXPECT_NEAR(spring(mesh) / spring(box), 1, 1e-14);
}

TEST(SceneMesh, WhatIsWrongHasItsLine) {
  struct Case {
    std::string text;
    int line;
    std::string path, says;
  };
  const std::string m = "mass = 1";
  const Case cases[] = {
      {scene(m, "[1, 3, 7]"), 10, "body.part.mesh.faces[1]",
       "face 1: the edge from (0.03, 0, 0.06) to (0.03, 0.04, 0.06) has no other face: the surface "
       "is "
       "open there"},
      {scene(m, "[1, 5, 7, 3]"), 14, "body.part.mesh.faces[5]",
       "face 5: the edge from (0.03, 0, 0) to (0.03, 0.04, 0) is run along the same way by two "
       "faces"},
      {scene(m, "[1, 3, 8, 5]"), 14, "body.part.mesh.faces[5]",
       "face 5: has the corner 8: the 8 vertices are numbered from 0"},
      {scene(m, "[1, 3, 7.5, 5]"), 14, "body.part.mesh.faces[5]", "7.5 is no number of a vertex"},
      {scene("mass = 1\ncom = [0, 0, 1]"), 6, "body.part.mesh",
       "'com' and 'mesh' exclude each other"},
      {scene("mass = 1\nsphere = 1"), 6, "body.part.mesh",
       "'sphere' and 'mesh' exclude each other"},
      {scene("density = -1"), 4, "body.part.density", "the density must be positive"},
      {scene("mass = 1\nkind = \"affine\"\nvolume = 1"), 6, "body.part.volume",
       "the volume is that within the mesh"}};
  for (const Case& c : cases) {
    const auto result = load_scene_text(c.text, "part.toml");
    const auto* problems = std::get_if<SceneProblems>(&result);
    ASSERT_TRUE(problems) << c.says;
    EXPECT_EQ(problems->front().line, c.line) << to_text(problems->front());
    EXPECT_TRUE(problems->front().path.starts_with(c.path)) << problems->front().path;
    EXPECT_NE(problems->front().text.find(c.says), std::string::npos) << to_text(problems->front());
  }
}

TEST(SceneMesh, ThatIsInsideOutIsRefused) {
  const std::string mirrored =
      "vertices = [[1, 0, 6], [3, 0, 6], [1, 4, 6], [3, 4, 6], [1, 0, 0], [3, 0, 0], [1, 4, 0], "
      "[3, 4, 0]]\n";
  std::string text = scene("mass = 1");
  text.replace(text.find(kVertices), kVertices.size(), mirrored);
  const auto result = load_scene_text(text, "part.toml");
  const auto* problems = std::get_if<SceneProblems>(&result);
  ASSERT_TRUE(problems);
  EXPECT_EQ(problems->size(), 1u);
  EXPECT_EQ(problems->front().path, "body.part.mesh");
  EXPECT_NE(problems->front().text.find("inside out"), std::string::npos);
}

}  // namespace
}  // namespace trammel::io::scene_mesh_test
