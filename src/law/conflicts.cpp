#include "law/conflicts.h"

namespace trammel::law {

namespace {
bool holds(const ConstraintSpec& d) { return d.holds_value() || d.is_rigid(); }
}  // namespace

bool exclude(const ConstraintSpec& a, const ConstraintSpec& b) {
  return (holds(a) && (holds(b) || b.unilateral())) || (holds(b) && a.unilateral());
}

std::string_view key_of_place(const Law& law, const ConstraintSpec& d,
                              const std::function<bool(std::string_view)>& given) {
  if (law.function) return "function";
  for (const Parameter& p : law.type->parameters) {
    const bool of_place =
        p.quantity == Quantity::x || (p.quantity == Quantity::force_per_x && law.type->energy);
    if (of_place && given(p.name)) return p.name;
  }
  if (!d.unilateral()) return {};
  return given("unilateral") ? "unilateral" : law.type->parameters.front().name;
}

std::string_view act_on_rate(const Type& type, const ConstraintSpec& d) {
  return type.takes_force ? "push it" : d.is_force() ? "damp it" : "hold its rate";
}

std::vector<std::string> faults_of_change(const ConstraintSpec& from, const ConstraintSpec& to) {
  std::vector<std::string> out;
  if (from.level != to.level) out.emplace_back("the law would hold at another level: build it");
  if (to.holds_value() && from.target.x != to.target.x)
    out.emplace_back("what is held cannot be elsewhere at once: build it there, or drive it");
  return out;
}

}  // namespace trammel::law
