#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/scene_input.h"
#include "cli/test_remedies.h"

/// Scenes as text, and what their runs say of themselves.
namespace trammel::cli::test {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline Prepared prepared(const std::string& text) {
  auto out = prepare_text("format = 1\n" + text, "s.toml", {});
  if (const auto* problems = std::get_if<io::SceneProblems>(&out))
    throw std::runtime_error(io::to_text(problems->front()));
  return std::move(std::get<Prepared>(out));
}

/// Set where the remedies of all warnings are to be tried.
inline constexpr const char* kTryRemedies = "TRAMMEL_TEST_REMEDIES";

inline std::vector<sim::Warning> warnings_of(const std::string& text) {
  const Prepared p = prepared(text);
  while (!p.simulation->finished() && p.simulation->advance()) continue;
  EXPECT_EQ(p.simulation->failure(), "");
  return p.simulation->warnings();
}

inline std::vector<sim::Warning> warnings(const std::string& text) {
  const std::vector<sim::Warning> out = warnings_of(text);
  if (std::getenv(kTryRemedies)) expect_remedies(text, out, warnings_of);
  return out;
}

/// Returns what ends the run.
inline std::string failure(const std::string& text) {
  const Prepared p = prepared(text);
  while (!p.simulation->finished() && p.simulation->advance()) continue;
  return p.simulation->failure();
}

/// The kinds, each with ! where it is grave.
inline std::string kinds(const std::vector<sim::Warning>& all) {
  std::string out;
  for (const sim::Warning& w : all)
    out += (out.empty() ? "" : ", ") + std::string(name_of(w.kind)) + (w.grave ? "!" : "");
  return out;
}

/// Only the warning of that kind.
inline sim::Warning only(std::string_view kind, const std::vector<sim::Warning>& all) {
  for (const sim::Warning& w : all)
    if (name_of(w.kind) == kind) return w;
  ADD_FAILURE() << "no " << kind << " in: " << kinds(all);
  return {};
}

inline std::string simulation(const std::string& duration, const std::string& step,
                              const std::string& more = "") {
  return fmt::format("[simulation]\nduration = \"{}\"\nstep = \"{}\"\n{}\n", duration, step, more);
}

/// A mass of 1 kg on a slide along x, with a law on it; omega = sqrt(k) rad/s.
inline std::string slider(const std::string& law, const std::string& body = "",
                          const std::string& place = "[0, 0, 0]") {
  return fmt::format(R"(
[[body]]
name = "block"
mass = 1
sphere = 0.1
{}
[[joint]]
name = "slide"
type = "prismatic"
b = "block"
at = {}
[[law]]
name = "it"
joint = "slide"
{}
)",
                     body, place, law);
}

}  // namespace trammel::cli::test
