#pragma once

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "io/scene.h"
#include "sim/present.h"
#include "support.h"

/// The scenes of docs/from-solfec.md, by every formulation, on rigid bodies and on affine ones that
/// keep their shape.
namespace trammel::acceptance::from_solfec {

using Keys = std::map<std::string, std::string>;  // as --set has them

inline std::string page() {
  std::ifstream in(TRAMMEL_SOURCE_DIR "/docs/from-solfec.md");
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// The scene of the page that has this name.
inline std::string text_of(const std::string& name) {
  const std::string all = page(), begin = "```toml\n";
  for (std::size_t at = 0; (at = all.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    std::string scene = all.substr(at, all.find("```", at) - at);
    if (scene.find("\nname = \"" + name + "\"\n\n[simulation]") != std::string::npos) return scene;
  }
  throw std::runtime_error("no scene '" + name + "' in docs/from-solfec.md");
}

inline io::LoadedScene loaded(const std::string& text, const Keys& keys = {}) {
  std::vector<io::Override> list;
  for (const auto& [path, value] : keys) list.push_back({path, value});
  auto result = io::load_scene_text(text, "from-solfec.md", list);
  if (auto* problems = std::get_if<io::SceneProblems>(&result)) {
    for (const io::SceneProblem& p : *problems) ADD_FAILURE() << to_text(p);
    throw std::runtime_error("the scene was refused");
  }
  return std::move(std::get<io::LoadedScene>(result));
}

/// A way to run a scene: the formulation, and whether bodies are affine.
struct Way {
  std::string formulation = "velocity";
  bool affine = false;

  Keys keys(const std::string& scene) const {
    Keys out{{"simulation.formulation", formulation}};
    if (formulation == "energy") out["simulation.joint_stiffness"] = "inf";
    const std::string body = "[[body]]\nname = \"";
    for (std::size_t at = 0; affine && (at = scene.find(body, at)) != std::string::npos;) {
      at += body.size();
      const std::string name = scene.substr(at, scene.find('"', at) - at);
      if (scene.compare(at + name.size(), 11, "\"\nkind = \"p") == 0) continue;
      out["body." + name + ".kind"] = "affine";
      out["body." + name + ".stiffness"] = "inf";
    }
    return out;
  }
  /// A tolerance of truncation: bdf2 has the greater share of it.
  double within(double of_others) const { return (formulation == "energy" ? 30 : 1) * of_others; }
};

inline std::string name_of(const testing::TestParamInfo<Way>& way) {
  return way.param.formulation + (way.param.affine ? "_affine" : "_rigid");
}

/// Runs a scene; each(sim, present) is called after every step.
class SceneRun {
 public:
  SceneRun(const std::string& text, const Keys& keys)
      : scene_(loaded(text, keys)), sim_(scene_.built, scene_.scene.settings), present_(sim_) {}
  SceneRun(const std::string& name, const Way& way, Keys keys = {})
      : SceneRun(text_of(name), merged(std::move(keys), way.keys(text_of(name)))) {}

  template <class F>
  void each(F&& f) {
    run(sim_, [&] { f(sim_.state().t); });
  }
  void to_end() { run(sim_); }
  Simulation& sim() { return sim_; }
  sim::Present& now() { return present_; }
  const model::StartReport& start() const { return scene_.built.start; }
  bool holds(const char* joint) {
    return sim_.state().on.at(static_cast<std::size_t>(sim_.model().find_joint(joint))) != 0;
  }
  Vec3 place(const char* body) { return present_.pose(body).p; }

 private:
  static Keys merged(Keys a, const Keys& b) {
    a.insert(b.begin(), b.end());
    return a;
  }
  io::LoadedScene scene_;
  Simulation sim_;
  sim::Present present_;
};

class EveryWay : public testing::TestWithParam<Way> {};

inline auto every_way() {
  return testing::Values(Way{"velocity", false}, Way{"velocity", true}, Way{"acceleration", false},
                         Way{"acceleration", true}, Way{"energy", false}, Way{"energy", true});
}

inline void record(const std::string& name, double value) {
  testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

}  // namespace trammel::acceptance::from_solfec
