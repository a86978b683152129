#include "model/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "units/nearest.h"

namespace trammel::model {

namespace {

constexpr std::array<NamedColor, 12> kColors{{{"black", "#1a1a1a"},
                                              {"dark-grey", "#5a5f66"},
                                              {"grey", "#8f959c"},
                                              {"light-grey", "#c9cdd2"},
                                              {"white", "#f4f4f2"},
                                              {"orange", "#e69f00"},
                                              {"sky", "#56b4e9"},
                                              {"green", "#009e73"},
                                              {"yellow", "#f0e442"},
                                              {"blue", "#0072b2"},
                                              {"red", "#d55e00"},
                                              {"purple", "#cc79a7"}}};

bool is_hex(std::string_view text) {
  const auto digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  return text.size() == 7 && text[0] == '#' && std::all_of(text.begin() + 1, text.end(), digit);
}

}  // namespace

std::span<const NamedColor> named_colors() { return kColors; }

std::string hex_of(std::string_view color) {
  for (const NamedColor& c : kColors)
    if (c.name == color) return std::string(c.hex);
  if (!is_hex(color)) return "";
  std::string out(color);
  for (char& c : out)
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string wrong_color(std::string_view color) {
  if (!hex_of(color).empty()) return "";
  std::vector<std::string> known;
  for (const NamedColor& c : kColors) known.emplace_back(c.name);
  return fmt::format("'{}' is neither a colour by name nor \"#rrggbb\"{}", color,
                     units::did_you_mean(std::string(color), known));
}

}  // namespace trammel::model
