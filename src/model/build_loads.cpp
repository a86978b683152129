// Loads: their numbers and signals, where they act.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "model/check.h"
#include "model/draft.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

/// A load's numbers in the order of its type.
std::vector<double> load_numbers(const LoadSpec& s, const law::LoadType& type) {
  std::vector<double> out;
  for (const law::LoadNumber& n : type.numbers) {
    const auto it = s.numbers.find(std::string(n.name));
    out.push_back(it == s.numbers.end() ? n.fallback : it->second);
  }
  return out;
}

/// The types that take a number of this name, for a message; empty: none.
std::string takers(const std::string& number) {
  std::vector<std::string_view> out;
  for (const law::LoadType* type : law::load_types())
    for (const law::LoadNumber& n : type->numbers)
      if (n.name == number) out.push_back(type->name);
  return fmt::format("{}", fmt::join(out, " or a "));
}

/// Returns the problems of a load's numbers: (key, text).
std::vector<std::pair<std::string, std::string>> wrong_numbers(const LoadSpec& s,
                                                               const law::LoadType& type) {
  std::vector<std::pair<std::string, std::string>> out;
  std::vector<std::string> known;
  const std::vector<double> numbers = load_numbers(s, type);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const law::LoadNumber& n = type.numbers[i];
    known.emplace_back(n.name);
    if (!(numbers[i] >= n.lo && numbers[i] <= n.hi && std::isfinite(numbers[i])))
      out.emplace_back(n.name, fmt::format("{}; found {}", n.rule, numbers[i]));
  }
  for (const auto& [key, x] : s.numbers) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string others = takers(key);
    out.emplace_back(key, others.empty() ? fmt::format("a {} has no '{}'{}", type.name, key,
                                                       units::did_you_mean(key, known))
                                         : fmt::format("only a {} has a '{}'", others, key));
  }
  return out;
}

/// Complains of numbers, a point and signals that are wrong or that the type has no use for.
void check_load(Draft& d, const LoadSpec& s, const law::LoadType& type) {
  const auto complain = [&](std::string_view key, const std::string& text) {
    d.complain(fmt::format("{}.{}", s.path, key), fmt::format("load '{}': {}", s.name, text));
  };
  for (const auto& [key, text] : wrong_numbers(s, type)) complain(key, text);
  if (s.numbers.empty() && !type.numbers.empty()) {
    std::vector<std::string> keys;
    for (const law::LoadNumber& n : type.numbers) keys.push_back(fmt::format("'{}'", n.name));
    d.complain(s.path, fmt::format("load '{}': a {} without numbers does nothing: give it {}",
                                   s.name, type.name, fmt::join(keys, " or ")));
  }
  if (!s.point.allFinite()) complain("point", wrong_position(s.point));
  if (!type.at_point && s.point != Vec3::Zero())
    complain("point", fmt::format("a {} acts at no point", type.name));
  for (const Signal& value : s.value)
    if (type.signals.key.empty() && !(value.is_constant() && value.value(0) == 0))
      return complain("value", fmt::format("a {} has no force of its own", type.name));
    else if (const std::string text = wrong_signal(value); !text.empty())
      return complain(type.signals.key, text);
  for (const Signal& value : s.value)
    d.check_live(value.live_names(), fmt::format("{}.{}", s.path, type.signals.key));
}

/// Complains of functions that a type has no use for, or that it lacks.
void check_functions(Draft& d, const LoadSpec& s, const law::LoadType& type) {
  const bool any =
      std::any_of(s.function.begin(), s.function.end(), [](const auto& f) { return f; });
  if (any != type.takes_functions)
    d.complain(s.path, fmt::format("load '{}': a {} {}", s.name, type.name,
                                   any ? "takes no functions of the motion"
                                       : "needs a 'force' or a 'torque'"));
  for (const auto& f : s.function)
    if (f && !*f) return d.complain(s.path, fmt::format("load '{}': a function is empty", s.name));
}

/// Complains of an unknown type with the nearest name.
const law::LoadType* load_type(Draft& d, const LoadSpec& s) {
  const law::LoadType* type = law::find_load_type(s.type);
  if (type) return type;
  std::vector<std::string> known;
  for (const law::LoadType* t : law::load_types()) known.emplace_back(t->name);
  d.complain(s.path + ".type",
             fmt::format("there is no load '{}'{}", s.type, units::did_you_mean(s.type, known)));
  return nullptr;
}

}  // namespace

void Draft::add_load(const LoadSpec& spec, const law::LoadType& type) {
  check_load(*this, spec, type);
  check_functions(*this, spec, type);
  const int o = object(spec.body, spec.path + ".body");
  if (o < 0) return;
  const Object& on = model.objects[static_cast<std::size_t>(o)];
  if (on.block < 0)
    complain(spec.path + ".body", fmt::format("'{}' is not moved by forces: it is {}", spec.body,
                                              o == 0 ? "the ground" : "prescribed"));
  law::Load load{&type, o, spec.axes, spec.point - on.com, spec.value};
  load.R_WL = spec.R_WL;
  load.p_WL = spec.p_WL;
  load.function = spec.function;
  if (!type.numbers.empty()) {
    std::vector<std::string_view> names;
    for (const law::LoadNumber& n : type.numbers) names.push_back(n.name);
    load.first_param = add_params("load." + spec.name, std::move(names), {});
    const std::vector<double> numbers = load_numbers(spec, type);
    params.values.insert(params.values.end(), numbers.begin(), numbers.end());
  }
  model.loads.push_back(std::move(load));
  model.load_names.push_back(spec.name);
}

void Draft::add_loads(const std::vector<LoadSpec>& specs) {
  std::unordered_map<std::string, int> load_names;
  for (const LoadSpec& spec : specs) {
    if (!claim(spec.name, spec.path, "load", load_names, 0)) continue;
    if (const law::LoadType* type = load_type(*this, spec)) add_load(spec, *type);
  }
}

}  // namespace trammel::model
