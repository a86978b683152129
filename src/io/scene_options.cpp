#include "io/scene_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace trammel::io {

namespace {

constexpr std::string_view kImpulses = "of the velocity formulation";
constexpr std::string_view kForces = "of the acceleration formulation";
constexpr std::string_view kMinimum = "of the energy formulation";
constexpr std::string_view kToRounding = "positions are projected until rounding ends it";
constexpr std::string_view kHolds = "it holds the coordinate exactly, whatever a stiffness";
constexpr std::string_view kSharp = "its bounds and frictions are sharp, not smoothed over a speed";
constexpr std::string_view kSmooth = "it smooths friction over a speed: no greater at rest";
constexpr std::string_view kNoYield = "its rows do not yield at a greatest force";
constexpr std::string_view kNoBound = "a bound that follows the motion has no potential";
constexpr std::string_view kOneMu = "its friction has one coefficient, at rest and in motion";
constexpr std::string_view kPlastic = "its stops are plastic";
constexpr std::string_view kStays = "of the velocity and acceleration formulations";
constexpr std::string_view kReturns =
    "a row that has yielded returns by its greatest force, or does not yield at all";

constexpr Option kOptions[] = {
    {"simulation", "", "scheme", {true, false, false}, kImpulses},
    {"simulation", "", "order", {true, false, false}, kImpulses},
    {"simulation", "", "erp", {true, false, false}, kImpulses},
    {"simulation", "", "tolerance", {true, false, true}, kToRounding},
    {"simulation", "", "contact_solver", {true, false, false}, kImpulses},
    {"simulation", "", "contact_sweeps", {true, false, false}, kImpulses},
    {"simulation", "", "contact_tolerance", {true, false, false}, kImpulses},
    {"simulation", "", "method", {false, true, false}, kForces},
    {"simulation", "", "accuracy", {false, true, false}, kForces},
    {"simulation", "", "alpha", {false, true, false}, kForces},
    {"simulation", "", "beta", {false, true, false}, kForces},
    {"simulation", "", "impacts", {true, true, false}, kStays},
    {"simulation", "", "difference", {false, false, true}, kMinimum},
    {"simulation", "", "joint_stiffness", {false, false, true}, kMinimum},
    {"simulation", "", "joint_length", {false, false, true}, kMinimum, false, true},
    {"simulation", "", "gamma", {false, false, true}, kMinimum},
    {"joint", "", "limits", {true, true, false}, kNoYield, true},
    {"joint", "", "erp", {true, false, false}, kReturns},
    {"joint", "", "restitution", {true, true, false}, kPlastic, true},
    {"coupling", "", "limits", {true, true, false}, kNoYield, true},
    {"coupling", "", "erp", {true, false, false}, kReturns},
    {"law", "locked", "force_min", {true, true, false}, kNoYield, true},
    {"law", "locked", "force_max", {true, true, false}, kNoYield, true},
    {"law", "locked", "erp", {true, false, false}, kReturns},
    {"law", "locked", "stiffness", {false, false, true}, kHolds, false, true},
    {"law", "locked", "restitution", {true, true, false}, kPlastic, true},
    {"law", "driven", "stiffness", {false, false, true}, kHolds, false, true},
    {"law", "limit", "restitution", {true, true, false}, kPlastic, true},
    {"law", "motor", "force_limit", {true, true, false}, kNoBound},
    {"law", "load-friction", "static_mu", {true, true, false}, kOneMu, true},
    {"law", "load-friction", "stribeck_speed", {true, true, false}, kOneMu, true},
    {"law", "motor", "smoothing", {false, false, true}, kSharp},
    {"law", "friction", "smoothing", {false, false, true}, kSharp},
    {"law", "friction", "static_force", {true, true, false}, kSmooth, true},
};

constexpr std::array kFormulations{form::Settings::Formulation::velocity,
                                   form::Settings::Formulation::acceleration,
                                   form::Settings::Formulation::energy};

const Option* option_of(std::string_view family, std::string_view kind, std::string_view key) {
  for (const Option& o : kOptions)
    if (o.family == family && (o.kind.empty() || o.kind == kind) && (o.key == key || o.key.empty()))
      return &o;
  return nullptr;
}

/// The first formulation that takes it.
std::string_view owner(const Option& o) {
  const auto it = std::find(o.works.begin(), o.works.end(), true);
  return name_of(kFormulations[static_cast<std::size_t>(it - o.works.begin())]);
}

/// True for a key that moves nothing: names, places in the file, outputs.
bool moves_nothing(std::string_view family, std::string_view key) {
  constexpr std::string_view kOfRuns[] = {"duration",         "output_step", "checkpoint_interval",
                                          "checkpoint_steps", "assemble",    "frame_tolerance",
                                          "equilibrium"};
  return key == "name" || key == "type" ||
         (family == "simulation" &&
          std::find(std::begin(kOfRuns), std::end(kOfRuns), key) != std::end(kOfRuns));
}

std::string row_of(const Family& f, const Table& t, const Key& k) {
  const bool named = t.tag == "type" || t.tag == "kind";
  const Option* o = option_of(f.name, t.value, k.name);
  std::string out = fmt::format("| {}{}{} | `{}` |", f.name, named && !t.value.empty() ? " " : "",
                                named ? t.value : "", k.name);
  for (std::size_t i = 0; i < kFormulations.size(); ++i)
    out += !o || o->works[i] ? " works |" : " refused |";
  return out + (o ? fmt::format(" {} |\n", o->why) : " |\n");
}

}  // namespace

std::span<const Option> options() { return kOptions; }

void check_options(const Value& v, std::string_view family, const form::Settings& settings,
                   Findings& findings) {
  const std::string_view kind = v.table ? std::string_view(v.table->value) : "";
  const std::string_view by = name_of(settings.formulation);
  for (const Option& o : kOptions) {
    if (o.family != family || (!o.kind.empty() && o.kind != kind) || o.by_value || !v.has(o.key))
      continue;
    if (!o.works[static_cast<std::size_t>(settings.formulation)])
      findings.complain(
          v[o.key].path,
          family == "simulation" && o.why != kToRounding
              ? fmt::format("'{}' belongs to the formulation {}, not to {}", o.key, owner(o), by)
              : fmt::format("the {} formulation has no use for '{}': {}", by, o.key, o.why));
    else if (o.soft_only && std::isinf(settings.joint_stiffness))
      findings.complain(v[o.key].path,
                        fmt::format("where joint_stiffness is inf coordinates are held exactly: "
                                    "'{}' has no effect",
                                    o.key));
  }
}

std::string option_reference() {
  std::string out =
      "| of | key | velocity | acceleration | energy | why not |\n|---|---|---|---|---|---|\n";
  for (const Family* f : scene_families()) {
    constexpr std::string_view kShown[] = {"simulation",   "system", "system.coordinate",
                                           "system.force", "joint",  "coupling",
                                           "law",          "load"};
    if (std::find(std::begin(kShown), std::end(kShown), f->name) == std::end(kShown)) continue;
    std::vector<std::string> seen;
    for (const Table& t : f->tables)
      for (const Key& k : t.keys) {
        if (moves_nothing(f->name, k.name)) continue;
        std::string row = row_of(*f, t, k);
        if (std::find(seen.begin(), seen.end(), row) != seen.end()) continue;
        out += row;
        seen.push_back(std::move(row));
      }
  }
  return out;
}

}  // namespace trammel::io
