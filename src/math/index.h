#pragma once

#include <cstddef>

namespace trammel {

/// An index as the standard containers take it; at_ where `at` is a place of a body.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr std::size_t at_(int i) { return static_cast<std::size_t>(i); }

/// The size of a container as an index.
constexpr int count(const auto& container) { return static_cast<int>(container.size()); }

}  // namespace trammel
