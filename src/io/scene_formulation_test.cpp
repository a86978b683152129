// Keys of the formulations, and what they take.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "io/scene.h"

namespace trammel::io::scene_formulation_test {
namespace {

const std::string kCart =
    "format = 1\n[[body]]\nname = \"cart\"\nmass = \"1 t\"\nsphere = \"1 m\"\n"
    "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nb = \"cart\"\nat = [0, 0, 0]\n";  // to 10

std::string simulation(const std::string& keys) { return kCart + "[simulation]\n" + keys + "\n"; }

/// The only complaint about a scene.
SceneProblem complaint(const std::string& text) {
  const auto result = load_scene_text(text, "cart.toml", {});
  const auto* problems = std::get_if<SceneProblems>(&result);
  if (!problems || problems->size() != 1) {
    ADD_FAILURE() << (problems ? problems->size() : 0) << " problems";
    return {};
  }
  return problems->front();
}

form::Settings settings(const std::string& keys) {
  const auto result = load_scene_text(simulation(keys), "cart.toml", {});
  const auto* loaded = std::get_if<LoadedScene>(&result);
  if (!loaded) ADD_FAILURE() << std::get<SceneProblems>(result).front().text;
  return loaded ? loaded->scene.settings.form : form::Settings{};
}

TEST(SceneFormulation, IsRead) {
  using Formulation = form::Settings::Formulation;
  EXPECT_EQ(settings("step = 0.1").formulation, Formulation::velocity);
  const form::Settings s = settings(
      "formulation = \"acceleration\"\nmethod = \"dp5\"\naccuracy = 1e-6\nalpha = \"5 Hz\"");
  EXPECT_EQ(s.formulation, Formulation::acceleration);
  EXPECT_EQ(s.method, RungeKuttaMethod::dp5);
  for (const double a : {s.accuracy.length, s.accuracy.angle, s.accuracy.speed, s.accuracy.spin,
                         s.accuracy.relative})
    EXPECT_EQ(a, 1e-6);
  EXPECT_EQ(s.baumgarte.beta, 0);
  EXPECT_GT(s.baumgarte.alpha, 0);
  EXPECT_EQ(settings("formulation = \"acceleration\"").method, RungeKuttaMethod::dp8);
}

TEST(SceneFormulation, KeysOfAnotherAreRefused) {
  struct Case {
    std::string keys, says;
    int line;
  };
  const std::string forces = "formulation = \"acceleration\"\n";
  const Case cases[] = {
      {"accuracy = 1e-6", "'accuracy' belongs to the formulation acceleration, not to velocity",
       12},
      {"method = \"rk4\"", "'method' belongs to the formulation acceleration, not to velocity", 12},
      {forces + "order = 4", "'order' belongs to the formulation velocity, not to acceleration",
       13},
      {forces + "scheme = \"rattle\"", "'scheme' belongs to the formulation velocity", 13},
      {forces + "method = \"rk4\"\naccuracy = 1e-6", "belongs to the methods dp5 and dp8", 14},
      {forces + "method = \"rk8\"", "rk4", 13},
      {forces + "accuracy = 0", "greater than 0", 13}};
  for (const Case& c : cases) {
    const SceneProblem p = complaint(simulation(c.keys));
    EXPECT_NE(p.text.find(c.says), std::string::npos) << p.text;
    EXPECT_EQ(p.line, c.line) << c.keys;
  }
}

TEST(SceneFormulation, RowsThatYieldAreTaken) {
  const std::string law =
      "[[law]]\nname = \"grip\"\ntype = \"locked\"\njoint = \"slide\"\ncoordinate = \"travel\"\n"
      "force_max = \"5 N\"\n[simulation]\n";
  for (const char* formulation : {"velocity", "acceleration"})
    EXPECT_TRUE(std::holds_alternative<LoadedScene>(
        load_scene_text(kCart + law + "formulation = \"" + formulation + "\"\n", "cart.toml", {})));
}

/// An affine cube of 2 m under one more key; the elastic springs' stiffnesses.
std::pair<double, double> springs(const std::string& key) {
  const auto result = load_scene_text(
      "format = 1\n[[body]]\nname = \"cube\"\nkind = \"affine\"\nmass = 1\nbox = [2, 2, 2]\n" +
          key + "\n",
      "cube.toml", {});
  const auto* loaded = std::get_if<LoadedScene>(&result);
  if (!loaded) return {};
  const auto value = [&](const char* name) {
    return loaded->built.params
        .values[static_cast<std::size_t>(loaded->built.model->find_param(name))];
  };
  return {value("strain.cube.stiffness"), value("shear.cube.stiffness")};
}

TEST(SceneFormulation, ElasticityIsOneOfTwo) {
  constexpr double kappa_V = 1e8 * 8;
  for (const char* key : {"", "elasticity = \"strain\""})
    EXPECT_EQ(springs(key), std::pair(8 * kappa_V, 16 * kappa_V));
  EXPECT_EQ(springs("elasticity = \"as_rigid\""), std::pair(2 * kappa_V, 4 * kappa_V));
  const SceneProblem p = complaint(
      "format = 1\n[[body]]\nname = \"cube\"\nkind = \"affine\"\nmass = 1\nbox = [2, 2, 2]\n"
      "elasticity = \"as-rigid\"\n");
  EXPECT_NE(p.text.find("'as_rigid'"), std::string::npos) << p.text;
  EXPECT_EQ(p.line, 7);
  const SceneProblem other = complaint(
      "format = 1\n[[body]]\nname = \"cube\"\nmass = 1\nbox = [2, 2, 2]\n"
      "elasticity = \"as_rigid\"\n");
  EXPECT_NE(other.text.find("elasticity"), std::string::npos) << other.text;
}

}  // namespace
}  // namespace trammel::io::scene_formulation_test
