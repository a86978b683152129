// Contact by energy from scenes: a barrier between contact shapes.
#include "contact_support.h"
#include "io/scene.h"
#include "model/ledger.h"

namespace trammel::acceptance {
namespace {

std::string text_by_energy(const std::string& law, double height) {
  return "format = 1\n[simulation]\nduration = 1\nstep = \"5 ms\"\nformulation = \"energy\"\n"
         "[[contact]]\n" +
         law +
         "\n[[obstacle]]\nname = \"floor\"\nhalf_space = [0, 0, 1]\n"
         "[[body]]\nname = \"low\"\nkind = \"affine\"\nmass = 2\nbox = [0.2, 0.2, 0.2]\n"
         "position = [0, 0, " +
         std::to_string(height) +
         "]\ncontact = \"solids\"\n"
         "[[body]]\nname = \"high\"\nmass = 1\nbox = [0.2, 0.2, 0.1]\n"
         "position = [0.02, 0, 0.3]\ncontact = \"solids\"\n";
}

io::LoadedScene scene_by_energy(const std::string& text) {
  auto result = io::load_scene_text(text, "x.toml");
  if (auto* problems = std::get_if<io::SceneProblems>(&result))
    throw std::runtime_error(to_text(problems->front()));
  return std::get<io::LoadedScene>(std::move(result));
}

std::string told_by_energy(const std::string& text) {
  auto result = io::load_scene_text(text, "x.toml");
  std::string out;
  if (auto* problems = std::get_if<io::SceneProblems>(&result))
    for (const io::SceneProblem& p : *problems) out += to_text(p) + "\n";
  return out;
}

/// An affine box on the floor and a rigid one on it: the points carry their weights.
TEST(ContactEnergy, ASceneRunsAndItsPointsCarryTheWeights) {
  const io::LoadedScene it = scene_by_energy(text_by_energy("friction = 0.4", 0.101));
  Simulation sim(it.built, it.scene.settings);
  while (!sim.finished() && sim.advance()) continue;
  ASSERT_TRUE(sim.failure().empty()) << sim.failure();
  for (const sim::Warning& w : sim.warnings())
    EXPECT_NE(w.kind, sim::WarningKind::contacts_not_solved) << w.text;
  Vec3 from_floor = Vec3::Zero(), between = Vec3::Zero();
  for (const constraint::ContactForce& c : sim.formulation().contact_forces()) {
    (c.point.A == 0 ? from_floor : between) += c.force;
    EXPECT_GT(c.point.gap, 0);
  }
  // tolerance: what still settles, and Newton iterations of 1e-9 m
  EXPECT_NEAR(from_floor.z(), 3 * kGravity, 1e-2);
  EXPECT_NEAR(std::abs(between.z()), kGravity, 1e-2);
  EXPECT_NEAR(pose(sim, "high").p.z(), 0.25, 2.1e-3);
}

/// Boxes that fall and stay: what they lose is lost by the contact, and not by the scheme.
TEST(ContactEnergy, WhatImpactsTakeIsTheContacts) {
  for (const char* kind : {"rigid", "affine"}) {
    std::string text = text_by_energy("friction = 0.4", 0.6);
    text.replace(text.find("affine"), 6, kind);
    text.replace(text.find("position = [0.02, 0, 0.3]"), 25, "position = [0.02, 0, 0.9]");
    const io::LoadedScene it = scene_by_energy(text);
    Simulation sim(it.built, it.scene.settings);
    while (!sim.finished() && sim.advance()) continue;
    ASSERT_TRUE(sim.failure().empty()) << sim.failure();
    const double fallen =
        kGravity * (2 * (0.6 - pose(sim, "low").p.z()) + (0.9 - pose(sim, "high").p.z()));
    EXPECT_NEAR(sim.state().ledger[model::kContacts], -fallen, 0.03 * fallen) << kind;
    // of first order in the step: in that of an impact the weight has lost its way
    EXPECT_LT(std::abs(sim.state().ledger[model::kIntegrator]), 0.03 * fallen) << kind;
    EXPECT_LT(sim.summary().energy_residual, 1e-9 * fallen) << kind;
  }
}

TEST(ContactEnergy, WhatIsNotTakenIsTold) {
  EXPECT_NE(told_by_energy(text_by_energy("restitution = 0.5", 0.101)).find("restitution between"),
            std::string::npos);
  const std::string touching = told_by_energy(text_by_energy("friction = 0.5", 0.1));
  EXPECT_NE(touching.find("'floor'"), std::string::npos) << touching;
  EXPECT_NE(touching.find("touch or overlap at the start"), std::string::npos) << touching;
}

}  // namespace
}  // namespace trammel::acceptance
