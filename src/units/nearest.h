#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trammel::units {

/// The known name closest to `name`, if one is close enough to have been meant: at most one edit
/// (insert, delete, replace, swap of neighbours) for every three letters; case costs nothing.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> known);
std::optional<std::string> nearest(std::string_view name, std::span<const std::string_view> known);
std::optional<std::string> nearest(std::string_view name,
                                   std::initializer_list<std::string_view> known);

/// The tail of a complaint about an unknown name: "; did you mean 'mass'?", or "; known: a, b, c"
/// (the first ones of a long list) when nothing is near, or nothing where nothing is known.
std::string did_you_mean(std::string_view name, std::span<const std::string> known);
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known);
std::string did_you_mean(std::string_view name, std::initializer_list<std::string_view> known);

}  // namespace trammel::units
