// Shapes for looking and scenery: what they are, where they stand, what is wrong with them, and
// that no run depends on them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "body/mesh.h"
#include "io/scene.h"
#include "model/topology.h"
#include "sim/simulation.h"

namespace trammel::io::scene_shapes_test {
namespace {

namespace fs = std::filesystem;

std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

Scene parsed(const std::string& text, const std::string& file = "x.toml") {
  auto result = parse_scene("format = 1\n" + text, file);
  if (auto* problems = std::get_if<SceneProblems>(&result))
    throw std::runtime_error(all_of(*problems) + text);
  return std::move(std::get<Scene>(result));
}

std::string problems_of(const std::string& text) {
  auto result = load_scene_text("format = 1\n" + text, "x.toml");
  auto* problems = std::get_if<SceneProblems>(&result);
  return problems ? all_of(*problems) : "";
}

const std::string kBob = "[[body]]\nname = \"bob\"\nmass = 2\nsphere = 1\n";

/// Every kind, one with every key.
const std::string kAll =
    "color = \"orange\"\n"
    "[[body.shape]]\nbox = [1, \"20 cm\", 3]\nposition = [1, 2, 3]\ncolor = \"#AA00ff\"\ntext = "
    "\"hull\"\norientation = {angle = \"90 deg\", axis = [0, 0, 1]}\n"
    "[[body.shape]]\nsphere = 1\n[[body.shape]]\ncylinder = {radius = 1, length = 2}\n"
    "[[body.shape]]\ntube = {radius = 2, bore = 1, length = 3}\n[[body.shape]]\ncone = {radius = "
    "1, length = 2}\n[[body.shape]]\ncapsule = {radius = 1, length = 2, axis = [1, 0, 0]}\n"
    "[[body.shape]]\nrod = [[0, 0, 0], [0, 4, 0]]\n[[body.shape]]\nrod = [[0, 0, 0], [0, 4, "
    "0]]\nradius = \"5 cm\"\n[[body.shape]]\npoint = [1, 0, 0]\n"
    "[[body.shape]]\nmesh = {vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces = [[0, 1, 2]], "
    "unit = \"1 cm\"}\nposition = [0, 0, 1]\n";

TEST(SceneShapes, AreOfEveryKind) {
  const Scene scene = parsed(kBob + kAll);
  const model::BodySpec& bob = scene.builder.bodies().at(0);
  EXPECT_EQ(bob.color, "orange");
  ASSERT_EQ(bob.shapes.size(), 10u);
  const model::Shape& hull = bob.shapes[0];
  EXPECT_EQ(hull.solid.size, Vec3(1, 0.2, 3));
  EXPECT_EQ(hull.X_BS.p, Vec3(1, 2, 3));
  EXPECT_NEAR((hull.X_BS.R.col(0) - Vec3::UnitY()).norm(), 0, 1e-15);
  EXPECT_EQ(hull.text, "hull");
  EXPECT_EQ(model::hex_of(hull.color), "#aa00ff");
  using Kind = model::Solid::Kind;
  const Kind kinds[] = {Kind::box,     Kind::sphere, Kind::cylinder, Kind::tube, Kind::cone,
                        Kind::capsule, Kind::rod,    Kind::cylinder, Kind::point};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(bob.shapes[i].solid.kind, kinds[i]) << i;
  EXPECT_EQ(bob.shapes[7].solid.size, Vec3(0.05, 4, 0));  // a rod with a radius
  EXPECT_EQ(bob.shapes[7].X_BS.p, Vec3(0, 2, 0));
  ASSERT_TRUE(bob.shapes[9].mesh);
  EXPECT_EQ(bob.shapes[9].mesh->vertices[1], Vec3(0.01, 0, 0));  // and it is open
}

TEST(SceneShapes, GoWithEveryKindOfBody) {
  const std::string look = "color = \"red\"\n[[body.shape]]\npoint = [0, 0, 0]\n";
  for (const std::string body : {"kind = \"prescribed\"\n",
                                 "kind = \"affine\"\nmass = 1\nsphere = "
                                 "1\n",
                                 "mass = 1\ninertia = [1, 1, 1]\n"}) {
    const Scene scene = parsed("[[body]]\nname = \"b\"\n" + body + look);
    EXPECT_EQ(scene.builder.bodies()[0].shapes.size(), 1u);
    EXPECT_EQ(scene.builder.bodies()[0].color, "red");
  }
}

TEST(SceneShapes, SceneryStandsWhereItsPartStands) {
  const Scene scene = parsed(
      "[[scenery]]\nname = \"slab\"\nbox = [1, 1, 1]\nposition = [0, 0, -1]\n"
      "[[part]]\nname = \"p\"\nposition = [10, 0, 0]\norientation = {angle = \"90 deg\", axis = "
      "[0, 0, 1]}\n[[part.scenery]]\nrod = [[0, 0, 0], [2, 0, 0]]\n[[repeat]]\ncount = 3\n"
      "[[repeat.scenery]]\nname = \"post{i}\"\nbox = [1, 1, 1]\nposition = [\"5 m*i\", 0, 0]\n"
      "color = \"blue\"\n" +
      kBob);
  const std::vector<model::Shape>& all = scene.builder.scenery();
  ASSERT_EQ(all.size(), 5u);
  std::vector<Vec3> places;
  for (const model::Shape& s : all) places.push_back(s.X_BS.p);
  const auto stands = [&](const Vec3& p) {
    return std::any_of(places.begin(), places.end(),
                       [&](const Vec3& q) { return (p - q).norm() < 1e-12; });
  };
  for (const Vec3& p :
       {Vec3(0, 0, -1), Vec3(10, 1, 0), Vec3(0, 0, 0), Vec3(5, 0, 0), Vec3(10, 0, 0)})
    EXPECT_TRUE(stands(p)) << p.transpose();
}

TEST(SceneShapes, ColoursOfRepetitionsComeFromTheirLists) {
  const Scene scene = parsed(
      "[[repeat]]\nover = {paint = [\"red\", \"blue\"]}\n[[repeat.scenery]]\nsphere = 1\ncolor = "
      "\"{paint}\"\n" +
      kBob);
  ASSERT_EQ(scene.builder.scenery().size(), 2u);
  EXPECT_EQ(scene.builder.scenery()[0].color, "red");
  EXPECT_EQ(scene.builder.scenery()[1].color, "blue");
}

TEST(SceneShapes, AllThatIsWrongComesAtOnceWithItsPlace) {
  const std::string text =
      problems_of(kBob +                                                         // lines 2 to 5
                  "color = \"organge\"\n"                                        // 6
                  "[[body.shape]]\nbox = [1, 0, 1]\n"                            // 7
                  "[[body.shape]]\nsphere = 1\nmass = 3\n"                       // 9
                  "[[body.shape]]\ntube = {radius = 1, bore = 2, length = 1}\n"  // 12
                  "[[body.shape]]\nmesh = \"nowhere.obj\"\n"                     // 14
                  "[[body.shape]]\nmesh = {vertices = [[0, 0, 0]], faces = [[0, 1, 2]]}\n"  // 16
                  "[[body.shape]]\nmesh = {file = \"x.obj\", vertices = [[0, 0, 0]]}\n"     // 18
                  "[[scenery]]\nspere = 1\n"                                                // 20
                  "[[scenery]]\nsphere = 1\ncolor = \"#12345\"\n");                         // 22
  for (const char* part :
       {"x.toml:6:9: body.bob.color: 'organge' is neither a colour by name nor \"#rrggbb\"; did "
        "you mean 'orange'?",
        "x.toml:11:1: body.bob.shape[1].mass: unknown key 'mass'", "nowhere.obj",
        "x.toml:19:36: body.bob.shape[5].mesh.vertices: 'file' and 'vertices' exclude each other",
        "x.toml:20:1: scenery[0]: one of box, sphere", "did you mean 'sphere'?",
        "x.toml:24:9: scenery[1].color: '#12345' is neither a colour"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(SceneShapes, WhatCannotBeDrawnIsRefusedByTheBuilder) {
  const std::string text = problems_of(
      kBob +
      "[[body.shape]]\nbox = [1, 0, 1]\n[[body.shape]]\ntube = {radius = 1, bore = 2, "
      "length = 1}\n[[body.shape]]\nmesh = {vertices = [[0, 0, 0]], faces = [[0, 1, 2]]}\n"
      "[[scenery]]\ncylinder = {radius = -1, length = 1}\n");
  for (const char* part :
       {"x.toml:7:7: body.bob.shape[0].box: body 'bob': a solid's sizes",
        "x.toml:9:8: body.bob.shape[1].tube: body 'bob': the bore of a tube",
        "x.toml:10:1: body.bob.shape[2]: body 'bob': face 0 has the corner 1",
        "x.toml:13:22: scenery[0].cylinder.radius: -1 m must be greater than 0 m"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

/// Bits of the state after a while.
std::vector<double> end_of(const std::string& text) {
  auto loaded =
      load_scene_text("format = 1\n[simulation]\nduration = \"0.1 s\"\n" + text, "x.toml");
  auto& scene = std::get<LoadedScene>(loaded);
  sim::Simulation run(scene.built, scene.scene.settings);
  while (!run.finished() && run.advance()) continue;
  std::vector<double> out = run.state().q;
  out.insert(out.end(), run.state().P.begin(), run.state().P.end());
  return out;
}

TEST(SceneShapes, ChangeNothingOfARun) {
  const std::string joint =
      "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nb = \"bob\"\nat = [1, 0, 0]\naxis = [0, 1, "
      "0]\n";
  EXPECT_EQ(end_of(kBob + joint), end_of(kBob + kAll + joint + "[[scenery]]\nsphere = 3\n"));
  auto plain = load_scene_text("format = 1\n" + kBob + joint, "x.toml");
  auto looks = load_scene_text("format = 1\n" + kBob + kAll + joint, "x.toml");
  EXPECT_TRUE(*std::get<LoadedScene>(plain).built.model->topology ==
              *std::get<LoadedScene>(looks).built.model->topology);
}

class SceneShapeFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("trammel_shapes_{}", ::getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::string refusal(const std::string& mesh) {
    const std::string file = write("s.toml", "format = 1\n" + kBob + "[[body.shape]]\n" + mesh);
    auto result = read_scene(file);
    auto* problems = std::get_if<SceneProblems>(&result);
    return problems ? all_of(*problems) : "";
  }
  fs::path folder_;
};

TEST_F(SceneShapeFiles, AreKeptWithTheScene) {
  write("sail.obj", "v 0 0 0\nv 0.1 0 0\nv 0 0.3 0.7\nf 1 2 3\n");
  std::string stl = "a sail";
  stl.resize(80, ' ');
  stl += std::string("\1\0\0\0", 4);
  const float corners[12] = {0, 0, 1, 0, 0, 0, 0.1f, 0, 0, 0, 0.3f, 0};
  stl.append(reinterpret_cast<const char*>(corners), sizeof corners);
  stl += std::string(2, '\0');
  write("sail.stl", stl);
  const std::string file = write("s.toml", "format = 1\n" + kBob +
                                               "[[body.shape]]\nmesh = \"sail.obj\"\n"
                                               "[[body.shape]]\nmesh = {file = \"sail.stl\", unit "
                                               "= \"1 mm\"}\n");
  auto read = read_scene(file);
  ASSERT_TRUE(std::holds_alternative<Scene>(read)) << all_of(std::get<SceneProblems>(read));
  Scene first = std::get<Scene>(read);
  fs::remove_all(folder_);  // what results keep is whole
  auto again = parse_scene(first.text, file);
  ASSERT_TRUE(std::holds_alternative<Scene>(again)) << all_of(std::get<SceneProblems>(again));
  for (const Scene* scene : {&first, &std::get<Scene>(again)}) {
    const auto& shapes = scene->builder.bodies()[0].shapes;
    EXPECT_EQ(shapes[0].mesh->vertices[2], Vec3(0, 0.3, 0.7));
    EXPECT_EQ(shapes[1].mesh->vertices[1], 1e-3 * Vec3(0.1f, 0, 0));
    EXPECT_EQ(shapes[1].mesh->faces.size(), 1u);
  }
}

TEST_F(SceneShapeFiles, ThatAreWrongAreRefused) {
  write("bad.obj", "v 0 0 0\nv 1 0\nf 1 2 3\n");
  write("empty.obj", "");
  write("none.obj", "v 0 0 0\n");
  write("big.obj", std::string(9 << 20, '#'));
  EXPECT_NE(refusal("mesh = \"bad.obj\"\n").find("line 2: 'v' needs three numbers"),
            std::string::npos);
  for (const char* name : {"empty.obj", "none.obj", "big.obj", "x.ply", "absent.stl"}) {
    const std::string text = refusal(fmt::format("mesh = \"{}\"\n", name));
    EXPECT_NE(text.find("s.toml:7:8: body.bob.shape[0].mesh: "), std::string::npos) << text;
    EXPECT_NE(text.find(name), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace trammel::io::scene_shapes_test
