#pragma once

#include <string_view>

namespace trammel::report {

/// The viewer as it is built (viewer/dist/index.html), made into a source by cmake/embed.cmake.
std::string_view page();

/// Where the data come into it.
inline constexpr std::string_view kPlace = "<!--run-->";

}  // namespace trammel::report
