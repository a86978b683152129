#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "law/law.h"

/// What laws cannot be together, or on a row, or after a change of their numbers.
namespace trammel::law {

/// True where two laws cannot act on one coordinate: one holds it, whatever that takes or as far as
/// its bounds go, and the other holds or stops it.
bool exclude(const ConstraintSpec& a, const ConstraintSpec& b);

/// Returns the key of a law that asks a row without a value for a place, "function", "stiffness";
/// empty: none does. `given` says which numbers are other than zero.
std::string_view key_of_place(const Law& law, const ConstraintSpec& spec,
                              const std::function<bool(std::string_view)>& given);
/// Returns what a law can do to a row without a value: "push it", "damp it", "hold its rate".
std::string_view act_on_rate(const Type& type, const ConstraintSpec& spec);

/// Returns why a run's law cannot go from one specification to the other.
std::vector<std::string> faults_of_change(const ConstraintSpec& from, const ConstraintSpec& to);

}  // namespace trammel::law
