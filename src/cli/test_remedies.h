#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "sim/judgement.h"

/// The remedies that warnings name, tried on the scenes that were warned of.
namespace trammel::cli::test {

/// Returns a scene with a key of [simulation] set, in place of what it had there.
inline std::string with_key(const std::string& scene, const std::string& key,
                            const std::string& value) {
  const std::string line = key + " = " + value;
  const std::regex own("(^|\n)" + key + " *= *[^\n]*");
  if (std::regex_search(scene, own))
    return std::regex_replace(scene, own, "$1" + line, std::regex_constants::format_first_only);
  return std::regex_replace(scene, std::regex("\\[simulation\\]\n"), "[simulation]\n" + line + "\n",
                            std::regex_constants::format_first_only);
}

/// Returns the scene once with each of the remedies that a text offers: a step, keys of
/// [simulation].
inline std::vector<std::pair<std::string, std::string>> remedied(const std::string& scene,
                                                                 const std::string& remedy) {
  std::vector<std::pair<std::string, std::string>> out;
  std::smatch m;
  if (std::regex_search(remedy, m, std::regex("use a step below ([0-9.e+-]+) ([a-z]+)")))
    out.emplace_back(m.str(),
                     with_key(scene, "step",
                              fmt::format("\"{:.6g} {}\"", 0.98 * std::stod(m.str(1)), m.str(2))));
  const std::regex key("(formulation|scheme|difference|joint_stiffness) = (\"[a-z0-9]+\")");
  const std::regex others("\n(difference|joint_stiffness|scheme|order|erp|tolerance) = [^\n]*");
  for (std::sregex_iterator i(remedy.begin(), remedy.end(), key), end; i != end; ++i) {
    const bool another = i->str(1) == "formulation";  // which may not take the keys of this one
    const auto set = [&](const std::string& in) { return with_key(in, i->str(1), i->str(2)); };
    if (i->prefix() == " and ")
      out.back().second = set(out.back().second);
    else
      out.emplace_back(i->str(), set(another ? std::regex_replace(scene, others, "") : scene));
  }
  return out;
}

/// The most times that steps are shortened as advised: what is far from resolved says little of the
/// step that resolves it.
inline constexpr int kGoes = 3;

/// Follows a warning's advice of a kind, the `which`-th, until it is gone; returns the last
/// warning.
template <class Run>
std::string left_after(std::string scene, sim::Warning w, std::size_t which, const Run& run) {
  for (int go = 0; go < kGoes; ++go) {
    const auto ways = remedied(scene, w.remedy);
    if (which >= ways.size()) return "no such remedy: " + sim::sentence(w);
    scene = ways[which].second;
    const std::vector<sim::Warning> now = run(scene);
    const auto same = std::find_if(now.begin(), now.end(), [&](const sim::Warning& x) {
      return x.kind == w.kind && x.subject == w.subject;
    });
    if (same == now.end()) return "";
    w = *same;
  }
  return sim::sentence(w);
}

/// Expects that each remedy of each warning takes it away; `run` returns the warnings of a scene.
template <class Run>
void expect_remedies(const std::string& scene, const std::vector<sim::Warning>& all,
                     const Run& run) {
  for (const sim::Warning& w : all) {
    const auto ways = remedied(scene, w.remedy);
    for (std::size_t i = 0; i < ways.size(); ++i)
      EXPECT_EQ(left_after(scene, w, i, run), "")
          << "with " << ways[i].first << " of: " << sim::sentence(w);
  }
}

}  // namespace trammel::cli::test
