// What scenes say of contact: every key arrives, parts and repetitions carry it, and every mistake
// is told once at its place.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "body/mesh.h"
#include "contact/trimesh.h"
#include "io/scene.h"

namespace trammel::io::scene_contact_test {
namespace {

namespace fs = std::filesystem;

std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

const std::string kHead = "format = 1\n";

LoadedScene loaded(const std::string& text) {
  auto result = load_scene_text(kHead + text, "x.toml");
  if (auto* problems = std::get_if<SceneProblems>(&result))
    throw std::runtime_error(all_of(*problems) + text);
  return std::move(std::get<LoadedScene>(result));
}

const model::ContactScene& contacts(const LoadedScene& scene) {
  return scene.built.model->contacts;
}

const std::string kBox =
    "[[body]]\nname = \"box\"\nmass = 1\nbox = [1, 1, 1]\nposition = [0, 0, 2]\n";
const std::string kTouch = "[[body.contact]]\n";

TEST(SceneContact, AccuracyOfAMesh) {
  const std::string mesh =
      "[[obstacle]]\nmesh = {vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces = "
      "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}\n";
  EXPECT_EQ(contacts(loaded(mesh)).shapes[0].hull_accuracy, 0.01);
  EXPECT_EQ(contacts(loaded(mesh + "accuracy = \"5 %\"\n")).shapes[0].hull_accuracy, 0.05);
}

TEST(SceneContact, ShapesOfEveryKind) {
  const LoadedScene scene = loaded(
      kBox + "[[body.contact]]\nbox = [1, 2, \"30 cm\"]\nposition = [1, 0, 0]\n" +
      "[[body.contact]]\nsphere = 0.5\n[[body.contact]]\ncylinder = {radius = 1, length = 2, axis "
      "= [1, 0, 0]}\n[[body.contact]]\ncone = {radius = 1, top = 0.5, length = 2}\n"
      "[[body.contact]]\ncapsule = {radius = 0.2, length = 1}\n"
      "[[obstacle]]\nname = \"floor\"\nhalf_space = [0, 0, 2]\nposition = [0, 0, -1]\n"
      "surface_velocity = [1, 0, 0]\n[[obstacle]]\nplane = [1, 0, 0]\n");
  const model::ContactScene& c = contacts(scene);
  using Kind = contact::Shape::Kind;
  const Kind kinds[] = {Kind::half_space, Kind::plane, Kind::box,    Kind::sphere,
                        Kind::cylinder,   Kind::cone,  Kind::capsule};
  ASSERT_EQ(c.shapes.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(c.shapes[i].shape.kind, kinds[i]) << i;
  EXPECT_EQ(c.shapes[0].object, 0);
  EXPECT_EQ(c.shapes[0].name, "floor");
  EXPECT_EQ(c.shapes[0].X_OS.p, Vec3(0, 0, -1));
  EXPECT_NEAR((c.shapes[0].X_OS.R.col(2) - Vec3::UnitZ()).norm(), 0, 1e-15);
  EXPECT_NEAR((c.shapes[0].X_OS.R * c.shapes[0].surface_velocity - Vec3::UnitX()).norm(), 0, 1e-15);
  EXPECT_NEAR((c.shapes[1].X_OS.R.col(2) - Vec3::UnitX()).norm(), 0, 1e-15);
  EXPECT_EQ(c.shapes[2].shape.size, Vec3(1, 2, 0.3));
  EXPECT_EQ(c.shapes[2].X_OS.p, Vec3(1, 0, 0));
  EXPECT_NEAR((c.shapes[4].X_OS.R.col(2) - Vec3::UnitX()).norm(), 0, 1e-15);
  EXPECT_EQ(c.shapes[5].shape.size, Vec3(1, 2, 0.5));
}

TEST(SceneContact, LawsMaterialsAndColours) {
  const LoadedScene scene = loaded(
      "[[material]]\nname = \"rubber\"\n[[material]]\nname = \"road\"\ntext = \"dry\"\n"
      "[[contact]]\nbetween = [\"rubber\", \"road\"]\nfriction = 0.8\nrestitution = 0.1\n"
      "rolling_friction = \"1 mm\"\nspinning_friction = \"2 mm\"\n"
      "cohesion = \"10 N\"\n[[contact]]\nfriction = 0.3\n"
      "[[obstacle]]\nbox = [9, 9, 1]\nmaterial = \"road\"\n" +
      kBox + "contact = \"solids\"\nmaterial = \"rubber\"\nelectric = [\"red\", \"blue\"]\n" +
      "[[body]]\nname = \"ghost\"\nmass = 1\nsphere = 1\nelectric = []\ncontact = \"solids\"\n");
  const model::ContactScene& c = contacts(scene);
  ASSERT_EQ(c.shapes.size(), 3u);
  const model::ContactLaw& law = c.law(1, 0);
  EXPECT_EQ(law.friction, 0.8);
  EXPECT_EQ(law.restitution, 0.1);
  EXPECT_EQ(law.rolling, 1e-3);
  EXPECT_EQ(law.spinning, 2e-3);
  EXPECT_EQ(law.cohesion, 10);
  EXPECT_EQ(c.law(0, 2).friction, 0.3);
  EXPECT_EQ(c.colors, (std::vector<contact::Colors>{7, 5, 0}));
}

TEST(SceneContact, PairsAndJoints) {
  const LoadedScene scene = loaded(
      "[defaults.body]\nmass = 1\nsphere = 0.1\ncontact = \"solids\"\n"
      "[[repeat]]\ncount = 4\n[[repeat.body]]\nname = \"b{i}\"\nposition = [\"i\", 0, 0]\n"
      "[[repeat]]\ncount = 3\n[[repeat.joint]]\nname = \"j{i}\"\ntype = \"spherical\"\na = "
      "\"b{i}\"\nb = \"b{i + 1}\"\nat = [\"i + 0.5\", 0, 0]\n"
      "[[contact_pair]]\nbetween = [\"b0\", \"b1\"]\n"
      "[[no_contact]]\nbetween = [\"b0\", \"b3\", \"ground\"]\n");
  const contact::PairRule rule = model::pair_rule(*scene.built.model);
  EXPECT_TRUE(rule.may_meet(1, 2));
  EXPECT_FALSE(rule.may_meet(2, 3));
  EXPECT_FALSE(rule.may_meet(1, 4));
  EXPECT_FALSE(rule.may_meet(0, 4));
  EXPECT_TRUE(rule.may_meet(2, 4));
}

TEST(SceneContact, PartsCarryTheirShapesAndMaterials) {
  const LoadedScene scene = loaded(
      "[[material]]\nname = \"felt\"\n"
      "[[part]]\nname = \"left\"\nposition = [10, 0, 0]\norientation = {angle = \"90 deg\", axis = "
      "[0, 0, 1]}\n[[part.material]]\nname = \"rubber\"\n"
      "[[part.contact]]\nbetween = [\"rubber\", \"felt\"]\nfriction = 0.7\n"
      "[[part.obstacle]]\nname = \"stop\"\nbox = [1, 1, 1]\nposition = [1, 0, 0]\nmaterial = "
      "\"felt\"\nsurface_velocity = [1, 0, 0]\n"
      "[[part.body]]\nname = \"ball\"\nmass = 1\nsphere = 1\ncontact = \"solids\"\nmaterial = "
      "\"rubber\"\n[[part.no_contact]]\nbetween = [\"ball\", \"ground\"]\n"
      "[[part]]\nname = \"right\"\nlike = \"left\"\n");
  const model::ContactScene& c = contacts(scene);
  ASSERT_EQ(c.shapes.size(), 4u);
  EXPECT_EQ(c.materials,
            (std::vector<std::string>{"default", "felt", "left.rubber", "right.rubber"}));
  EXPECT_NEAR((c.shapes[0].X_OS.p - Vec3(10, 1, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((c.shapes[0].X_OS.R * c.shapes[0].surface_velocity - Vec3::UnitY()).norm(), 0, 1e-15);
  EXPECT_NEAR((c.shapes[1].X_OS.p - Vec3(1, 0, 0)).norm(), 0, 1e-14);
  EXPECT_EQ(c.law(0, 2).friction, 0.7);
  EXPECT_EQ(c.shapes[2].material, 2);
  EXPECT_EQ(c.shapes[3].material, 3);
  EXPECT_EQ(c.excluded.size(), 2u);
}

TEST(SceneContact, LawsMayBeVaried) {
  const std::string text = kHead + "[[contact]]\nname = \"all\"\nfriction = 0.3\n" + kBox;
  const Override set[] = {{"contact.all.friction", "0.5"}};
  auto result = load_scene_text(text, "x.toml", set);
  ASSERT_TRUE(std::holds_alternative<LoadedScene>(result))
      << all_of(std::get<SceneProblems>(result));
  EXPECT_EQ(contacts(std::get<LoadedScene>(result)).laws[0].friction, 0.5);
}

TEST(SceneContact, HeightsStandInTheSceneOrInAText) {
  const std::string folder =
      (fs::temp_directory_path() / ("trammel_heights_" + std::to_string(getpid()))).string();
  fs::create_directories(folder);
  std::ofstream(folder + "/field.csv") << "# rows from the south\n0, 1, 2\n\n3; 4 5 # the last\n";
  std::ofstream(folder + "/s.toml")
      << kHead + kBox + kTouch + "sphere = 0.5\n" +
             "[[obstacle]]\nheights = {spacing = [2, 3], file = \"field.csv\", unit = \"10 cm\"}\n"
             "position = [1, 2, 3]\n[[obstacle]]\nheights = {spacing = 0.5, values = [[0, 1], [2, "
             "3], [4, 5]]}\n";
  auto read = load_scene(folder + "/s.toml");
  fs::remove_all(folder);
  ASSERT_TRUE(std::holds_alternative<LoadedScene>(read)) << all_of(std::get<SceneProblems>(read));
  const LoadedScene& scene = std::get<LoadedScene>(read);
  const contact::Grid& file = *contacts(scene).shapes[0].shape.grid;
  EXPECT_EQ(contacts(scene).shapes[0].X_OS.p, Vec3(1, 2, 3));
  EXPECT_EQ(file.nx, 3);
  EXPECT_EQ(file.ny, 2);
  EXPECT_EQ(file.surface.vertices[3], Vec3(2, 3, 0.1 * 4));  // of the second row, the second
  EXPECT_EQ(file.surface.vertices[4], Vec3(4, 0, 0.1 * 2));
  const contact::Grid& own = *contacts(scene).shapes[1].shape.grid;
  EXPECT_EQ(own.nx, 2);
  EXPECT_EQ(own.surface.vertices.back(), Vec3(0.5, 1, 5));
  for (const auto& t : own.surface.triangles) EXPECT_GT(t.normal.z(), 0);
  EXPECT_TRUE(std::holds_alternative<LoadedScene>(load_scene_text(scene.scene.text, "s.toml")));
}

TEST(SceneContact, MistakesInATextOfHeightsAreToldByTheirLine) {
  const std::string file =
      (fs::temp_directory_path() / ("trammel_field_" + std::to_string(getpid()) + ".csv")).string();
  const std::pair<const char*, const char*> all[] = {
      {"1 2\n1 2,x", "line 2: 'x' is no number"},
      {"1 2\n1 nan", "line 2: 'nan' is no number"},
      {"1 2\n\n1 2 3\n", "row 2 has 3 heights, the first has 2"},
      {"", "0 by 0 heights: two or more are needed along x and along y"},
      {"1\n2\n3\n", "1 by 3 heights"},
  };
  for (const auto& [text, says] : all) {
    std::ofstream(file) << text;
    auto result = load_scene_text(
        kHead + kBox + "[[obstacle]]\nheights = {spacing = 1, file = \"" + file + "\"}\n",
        "x.toml");
    auto* found = std::get_if<SceneProblems>(&result);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(found->size(), 1u);
    EXPECT_EQ(found->front().line, 8);
    EXPECT_NE(found->front().text.find(says), std::string::npos) << all_of(*found);
  }
  fs::remove(file);
}

/// A body of a mesh touches with it, and so does a mesh of a file.
TEST(SceneContact, MeshesComeFromFilesAndFromTheScene) {
  const std::string folder =
      (fs::temp_directory_path() / ("trammel_contact_" + std::to_string(getpid()))).string();
  fs::create_directories(folder);
  std::ofstream(folder + "/wedge.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::ofstream(folder + "/s.toml")
      << kHead + kBox + "[[body.contact]]\nhull = {file = \"wedge.obj\", unit = \"10 cm\"}\n" +
             "[[obstacle]]\nmesh = \"wedge.obj\"\nposition = [0, 0, 5]\n";
  auto read = load_scene(folder + "/s.toml");
  fs::remove_all(folder);
  ASSERT_TRUE(std::holds_alternative<LoadedScene>(read)) << all_of(std::get<SceneProblems>(read));
  const LoadedScene& scene = std::get<LoadedScene>(read);
  EXPECT_EQ(contacts(scene).shapes[0].shape.kind, contact::Shape::Kind::mesh);
  EXPECT_EQ(contacts(scene).shapes[1].shape.kind, contact::Shape::Kind::hull);
  // what results keep needs no file
  EXPECT_TRUE(std::holds_alternative<LoadedScene>(load_scene_text(scene.scene.text, "s.toml")));
}

TEST(SceneContact, TheScenesOfTheManualLoad) {
  std::ifstream page(std::string(TRAMMEL_SOURCE_DIR) + "/docs/contact.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}}, fence = "```toml\n";
  int n = 0;
  for (std::size_t at = 0; (at = text.find(fence, at)) != std::string::npos; ++n) {
    at += fence.size() + kHead.size();
    EXPECT_TRUE(contacts(loaded(text.substr(at, text.find("```", at) - at))).any());
  }
  EXPECT_EQ(n, 4);
}

struct Mistake {
  std::string text;
  int line, column;
  const char* says;
};

std::string law(const std::string& keys) { return "[[contact]]\n" + keys + "\n" + kBox; }
std::string shape(const std::string& keys) { return kBox + kTouch + keys + "\n"; }
std::string obstacle(const std::string& keys) { return "[[obstacle]]\n" + keys + "\n" + kBox; }
std::string body(const std::string& keys) { return kBox + keys + "\n"; }

std::vector<Mistake> in_laws() {
  return {
      {law("friction = -0.1"), 3, 12, "-0.1 is no coefficient of friction: it is 0 or more"},
      {law("friction = \"1 N\""), 3, 12, "'1 N' is a force, a plain number is needed"},
      {law("friktion = 0.1"), 3, 1, "unknown key 'friktion'; did you mean 'friction'?"},
      {law("restitution = 1.2"), 3, 15, "1.2 must not be greater than 1"},
      {law("restitution = -0.2"), 3, 15, "-0.2 is no coefficient of restitution: it is 0 to 1"},
      {law("restitution_law = \"poison\""), 3, 19, "did you mean 'poisson'?"},
      {law("rolling_friction = 0.1\nspinning_friction = \"-1 mm\""), 4, 21,
       "-0.001 m is no lever of friction"},
      {law("rolling_friction = \"1 N\""), 3, 20, "'1 N' is a force, a length [m] is needed"},
      {law("cohesion = \"-2 N\""), 3, 12, "-2 N is no cohesion: it is 0 or more"},
      {law("between = [\"rubber\", \"any\"]"), 3, 12,
       "there is no material 'rubber'; known: default, any"},
      {law("between = [\"any\"]"), 3, 11, "found 1 values"},
      {law("friction = 0.1\n[[contact]]\nfriction = 0.2"), 4, 1,
       "the law between 'any' and 'any' is given twice"},
      {"[contact]\nfriction = 0.1\n" + kBox, 2, 1, "write [[contact]], with two brackets"},
      {"[[material]]\nname = \"any\"\n" + kBox, 3, 8, "'any' means every material"},
      {"[[material]]\ntext = \"no name\"\n" + kBox, 2, 1, "'name' is missing"},
      {"[[material]]\nname = \"a\"\n[[material]]\nname = \"a\"\n" + kBox, 5, 8,
       "the name 'a' is taken by another material"},
      {"[[no_contact]]\nbetween = [\"box\", \"bix\"]\n" + kBox, 3, 19,
       "there is no body 'bix'; did you mean 'box'?"},
      {"[[no_contact]]\nbetween = [\"box\"]\n" + kBox, 3, 11, "names 1 bodies, two or more"},
      {"[[no_contact]]\nbetween = [\"box\", \"box\"]\n" + kBox, 3, 19, "'box' stands here twice"},
      {"[[no_contact]]\n" + kBox, 2, 1, "'between' is missing"},
      {"[[contact_pair]]\nbetween = [\"ground\", \"box\"]\n" + kBox, 2, 1,
       "'ground' and 'box' are kept apart by no joint: they touch without saying so"},
  };
}

std::vector<Mistake> in_shapes() {
  return {
      {shape("spere = 1"), 7, 1, "did you mean 'sphere'?"},
      {shape("box = [1, 1, 0]"), 8, 7, "a solid's sizes must be positive, not 0 m"},
      {shape("sphere = 0"), 8, 10, "0 m must be greater than 0 m"},
      {shape("sphere = \"1 kg\""), 8, 10, "'1 kg' is a mass, a length [m] is needed"},
      {shape("tube = {radius = 1, bore = 0.5, length = 1}"), 7, 1, "one of box, sphere"},
      {shape("sphere = 1\nmass = 2"), 9, 1, "unknown key 'mass'"},
      {shape("sphere = 1\nmaterial = \"felt\""), 9, 12, "there is no material 'felt'"},
      {shape("sphere = 1\nsurface_velocity = [1, 0, \"2 m\"]"), 9, 27,
       "'2 m' is a length, a speed [m/s] is needed"},
      {shape("half_space = [0, 0, 1]"), 7, 1,
       "a half-space has no end: it is an obstacle, or on a prescribed body"},
      {shape("hull = \"absent.obj\""), 8, 8, "absent.obj"},
      {shape("mesh = {vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces = [[0, 1, 2]]}"), 7, 1,
       "the surface is open there"},
      {shape("mesh = {vertices = [[0, 0, 0]], faces = []}"), 7, 1, "its mesh has no faces"},
      {shape("heights = {spacing = 1, values = [[0, 0], [0, 0]]}"), 7, 1,
       "heights have no lower end: they are an obstacle, or on a prescribed body"},
      {obstacle("heights = {spacing = 1, values = [[0, 0], [0, 0, 1]]}"), 3, 34,
       "row 2 has 3 heights, the first has 2"},
      {obstacle("heights = {spacing = 1, values = [[0, 0]]}"), 3, 34,
       "2 by 1 heights: two or more are needed along x and along y"},
      {obstacle("heights = {spacing = 0, values = [[0, 0], [0, 0]]}"), 3, 22,
       "0 m must be greater than 0 m"},
      {obstacle("heights = {spacing = [1, 0], values = [[0, 0], [0, 0]]}"), 3, 22,
       "must be greater than 0"},
      {obstacle("heights = {values = [[0, 0], [0, 0]]}"), 3, 11, "'spacing' is missing"},
      {obstacle("heights = {spacing = 1, file = \"absent.csv\"}"), 3, 32, "absent.csv"},
      {obstacle("heights = {spacing = 1, values = [[0, \"1 m\"], [0, 0]]}"), 3, 39,
       "'1 m' is a length, a plain number is needed"},
      {obstacle("half_space = [0, 0, 0]"), 3, 14, "the direction [0, 0, 0] has no length"},
      {obstacle("half_space = [0, 0, 1]\norientation = [1, 0, 0, 0]"), 4, 1,
       "'orientation' does not go with half_space"},
      {obstacle("name = \"a\"\nsphere = 1\n[[obstacle]]\nname = \"a\"\nsphere = 1"), 6, 8,
       "the name 'a' is taken by another obstacle"},
      {body("contact = \"solid\""), 7, 11, "did you mean 'solids'?"},
      {body("contact = []"), 7, 11, "no shapes: a list of at least one is needed, or \"solids\""},
      {body("contact = \"solids\"\nmaterial = \"felt\""), 8, 12, "there is no material 'felt'"},
      {body("material = \"default\""), 7, 12, "has a material and no contact shapes"},
      {body("electric = [\"red\", \"gren\"]"), 7, 12,
       "there is no electric colour 'gren'; did you mean 'green'?"},
      {"[[body]]\nname = \"box\"\nmass = 1\ninertia = [1, 1, 1]\ncontact = \"solids\"\n", 6, 11,
       "has no solids that could touch"},
      {"[[body]]\nname = \"b\"\ndensity = 1\nsolids = [{tube = {radius = 1, bore = 0.5, length = "
       "1}}]\ncontact = \"solids\"\n",
       5, 11, "a tube is hollow"},
  };
}

TEST(SceneContact, MistakesAreToldOnceAtTheirPlaceWithWhatToDo) {
  std::vector<Mistake> all = in_laws();
  for (Mistake& m : in_shapes()) all.push_back(std::move(m));
  EXPECT_GE(all.size(), 40u);
  for (const Mistake& m : all) {
    auto result = load_scene_text(kHead + m.text, "x.toml");
    auto* found = std::get_if<SceneProblems>(&result);
    ASSERT_TRUE(found) << m.text;
    EXPECT_EQ(found->size(), 1u) << m.text << all_of(*found);
    EXPECT_EQ(found->front().line, m.line) << m.text << all_of(*found);
    EXPECT_EQ(found->front().column, m.column) << m.text << all_of(*found);
    EXPECT_NE(found->front().text.find(m.says), std::string::npos) << m.text << all_of(*found);
  }
}

/// A body that is wrong itself is no reason to say that it is not there, nor a material.
TEST(SceneContact, NamesOfWhatIsWrongAreKnown) {
  auto result = load_scene_text(kHead +
                                    "[[material]]\nname = \"felt\"\ntxt = \"x\"\n[[contact]]\n"
                                    "between = [\"felt\", \"any\"]\n[[no_contact]]\nbetween = "
                                    "[\"box\", \"ground\"]\n[[body]]\nname = \"box\"\nmas = 1\n",
                                "x.toml");
  const std::string all = all_of(std::get<SceneProblems>(result));
  EXPECT_EQ(all.find("there is no"), std::string::npos) << all;
  EXPECT_NE(all.find("unknown key 'txt'"), std::string::npos) << all;
}

}  // namespace
}  // namespace trammel::io::scene_contact_test
