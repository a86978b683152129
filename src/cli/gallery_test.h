#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include "io/scene.h"
#include "sim/present.h"

namespace trammel::cli::gallery {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kG = 9.81;  // [m/s^2]

inline std::string path(const std::string& name) {
  return fmt::format("{}/scenes/gallery/{}.toml", TRAMMEL_SOURCE_DIR, name);
}

/// A scene of the gallery, run up to a time and read there.
class Gallery : public testing::Test {
 protected:
  void open(const std::string& name, std::vector<io::Override> overrides = {}) {
    auto loaded = io::load_scene(path(name), overrides);
    auto* whole = std::get_if<io::LoadedScene>(&loaded);
    ASSERT_NE(whole, nullptr) << to_text(std::get<io::SceneProblems>(loaded).front());
    scene_ = std::move(*whole);
    run_ = std::make_unique<sim::Simulation>(scene_.built, scene_.scene.settings);
  }
  /// Runs to time t, calling look() after each step.
  template <class Look>
  void until(double t, Look look) {
    while (run_->state().t < t - 1e-9) {
      ASSERT_TRUE(run_->advance()) << run_->failure();
      look();
    }
  }
  void until(double t) {
    until(t, [] {});
  }
  double time() const { return run_->state().t; }
  sim::Present present() const { return sim::Present(*run_); }
  double at(const std::string& coordinate) const { return present().coordinate(coordinate); }
  double rate(const std::string& coordinate) const { return present().rate(coordinate); }
  double force(const std::string& law) const { return present().force(law); }
  model::Reaction reaction(const std::string& joint) const { return present().reaction(joint); }
  Vec3 place(const std::string& body) const { return present().pose(body).p; }

  io::LoadedScene scene_;
  std::unique_ptr<sim::Simulation> run_;
};

/// The slope of a function, by differences of order 4.
template <class F>
double slope(F f, double t, double h = 1e-4) {
  return (8 * (f(t + h) - f(t - h)) - (f(t + 2 * h) - f(t - 2 * h))) / (12 * h);
}

}  // namespace trammel::cli::gallery
