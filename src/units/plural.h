#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace trammel::units {

/// "3 bodies", "1 body".
inline std::string count(long n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}
inline std::string count(long n, std::string_view one) {
  return count(n, one, std::string(one) + "s");
}

}  // namespace trammel::units
