// Strengths: what a joint, or a law on it, can carry before the joint breaks.
#include <fmt/core.h>

#include "model/build_rows.h"

namespace trammel::model {

namespace {

void check(Draft& d, const std::string& path, const char* key, const std::optional<double>& x) {
  if (x && !(*x > 0))
    d.complain(path + "." + key, fmt::format("'{}' is {}: a strength is positive", key, *x));
}

/// A joint without rows and laws carries nothing that it could break at.
void check_carries(Draft& d, int joint, const JointSpec& s) {
  const auto i = static_cast<std::size_t>(joint);
  if (!d.model.joints[i].table->rows.empty() || !d.laws_of[i].empty()) return;
  for (const auto& [key, given] : {std::pair{"strength", s.strength.has_value()},
                                   std::pair{"torque_strength", s.torque_strength.has_value()}})
    if (given)
      d.complain(s.path + "." + key,
                 fmt::format("a {} joint without laws carries nothing: it cannot break",
                             d.model.joints[i].table->name));
}

void add(Draft& d, Strength at, std::string owner, std::vector<std::string_view> names,
         const std::optional<double>& a, const std::optional<double>& b) {
  if (!a && !b) return;
  at.first_param = d.add_params(std::move(owner), std::move(names),
                                {a.value_or(law::kInf), b.value_or(law::kInf)});
  d.model.strengths.push_back(at);
}

}  // namespace

void add_strengths(Draft& d, int joint, const JointSpec& s) {
  check(d, s.path, "strength", s.strength);
  check(d, s.path, "torque_strength", s.torque_strength);
  check_carries(d, joint, s);
  add(d, {joint, -1, 0}, "joint." + s.name, {"strength", "torque_strength"}, s.strength,
      s.torque_strength);
  for (const LawSpec* l : d.laws_of[static_cast<std::size_t>(joint)]) {
    check(d, l->path, "tensile_strength", l->tensile_strength);
    check(d, l->path, "compressive_strength", l->compressive_strength);
    const auto it = d.law_index.find(l);
    if (it == d.law_index.end()) continue;
    add(d, {joint, d.model.laws[static_cast<std::size_t>(it->second)].row, 0}, "law." + l->name,
        {"tensile_strength", "compressive_strength"}, l->tensile_strength, l->compressive_strength);
  }
}

}  // namespace trammel::model
