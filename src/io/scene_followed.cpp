// Coordinates of joints in formulas of forces.
#include <fmt/format.h>

#include <algorithm>

#include "io/scene_walk.h"
#include "units/nearest.h"

namespace trammel::io {

namespace {

constexpr std::string_view kRate = ".rate";

std::vector<std::string> names_of(const joint::Table& table, const std::string& joint) {
  std::vector<std::string> out;
  for (const joint::Coordinate& c : table.coordinates) {
    out.push_back(joint + "." + c.name);
    out.push_back(out.back() + std::string(kRate));
  }
  return out;
}

bool has(const joint::Table& table, std::string_view name) {
  return std::any_of(table.coordinates.begin(), table.coordinates.end(),
                     [&](const joint::Coordinate& c) { return c.name == name; });
}

/// "joint.angle" of "joint", and "joint.angle.rate" of "joint.rate", where it has just one
/// coordinate.
std::string in_full(const std::string& name, const std::string& joint, const joint::Table& table) {
  if (table.coordinates.size() != 1) return name == joint ? joint + "." : name;
  const std::string whole = joint + "." + table.coordinates.front().name;
  if (name == joint) return whole;
  return name == joint + std::string(kRate) && !has(table, kRate.substr(1))
             ? whole + std::string(kRate)
             : name;
}

}  // namespace

std::vector<std::string> Walker::all_coordinates() const {
  std::vector<std::string> out;
  for (const auto& [joint, table] : joints_)
    for (std::string& name : names_of(table.table, joint)) out.push_back(std::move(name));
  return out;
}

/// The inputs and coordinates that a formula of a force names. Complains of names of neither, if
/// they have a dot: the others are left to the formula.
std::vector<Formulas::Live> Walker::live_in(const std::string& path, const std::string& text,
                                            Place quote) {
  std::vector<Formulas::Live> out = names_.inputs_in(text, *scope_);
  for (const std::string& written : scope_->formulas.free_names(text)) {
    const bool input = std::any_of(out.begin(), out.end(),
                                   [&](const auto& live) { return live.written == written; });
    if (input || expr::bare(written).find('.') == std::string_view::npos) continue;
    const Place at = findings_.in_string(quote, text.find(written));
    if (auto live = followed(written, path, at)) out.push_back(std::move(*live));
  }
  return out;
}

/// A coordinate of a joint, or its rate. Nothing: complained.
std::optional<Formulas::Live> Walker::followed(const std::string& written, const std::string& path,
                                               Place at) {
  const std::string given = names_.find(Refers::coordinate, expr::bare(written), *scope_);
  const auto known = [&](std::string_view joint) { return joints_.contains(joint); };
  const auto joint = joints_.find(owner_in(given, known));
  const std::string name =
      joint == joints_.end() ? given : in_full(given, joint->first, joint->second.table);
  const std::string_view owner = owner_in(name, known);
  if (joint == joints_.end()) {
    findings_.complain(path, at,
                       fmt::format("there is no input and no coordinate '{}'{}", name,
                                   units::did_you_mean(name, all_coordinates())));
    return {};
  }
  const joint::Table& table = joint->second.table;
  const std::string_view of = std::string_view(name).substr(owner.size() + 1);
  if (has(table, of)) return Formulas::Live{written, name, dimension_of(table, of)};
  const std::string_view rated = of.substr(0, of.size() - std::min(of.size(), kRate.size()));
  if (of.ends_with(kRate) && has(table, rated)) {
    const auto d = dimension_of(table, rated);
    return Formulas::Live{written, name, d ? std::optional(*d / units::kTime) : std::nullopt};
  }
  findings_.complain(
      path, at,
      table.coordinates.empty()
          ? fmt::format("'{}' has no coordinate: a force follows coordinates of joints{}", owner,
                        table.rows.empty() ? "" : ", not their rows or couplings")
          : fmt::format("there is no coordinate '{}'{}", name,
                        units::did_you_mean(name, names_of(table, std::string(owner)))));
  return {};
}

/// Complains of a signal that names a coordinate.
bool Walker::refuses_coordinates(const toml::node& node, const std::string& path,
                                 const std::string& text) {
  for (const std::string& written : scope_->formulas.free_names(text)) {
    const std::string name = names_.find(Refers::coordinate, expr::bare(written), *scope_);
    const std::string_view owner =
        owner_in(name, [&](std::string_view joint) { return joints_.contains(joint); });
    if (owner == name || !joints_.contains(owner)) continue;
    complain(node, path,
             fmt::format("'{}' is of a joint: what follows coordinates is the 'function' of a "
                         "spring, or what a controller gives",
                         name));
    return true;
  }
  return false;
}

}  // namespace trammel::io
