#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "plot/drawing.h"

namespace trammel::plot {

/// Files of fonts: TrueType, OpenType and what else FreeType reads.
struct Fonts {
  std::string plain, bold;
};

/// The first of the usual sans-serif fonts that is below one of the folders.
std::optional<Fonts> find_fonts(std::span<const std::string> folders);
/// Below the folders where Linux keeps fonts.
std::optional<Fonts> find_fonts();
/// What is looked for, for messages.
std::string usual_fonts();

/// A font cannot be read, or the picture not be made: the reason.
struct PngError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The drawing as a PNG of `scale` pixels for each of its own. Without a browser: lines and areas
/// are covered analytically, letters by FreeType.
std::string to_png(const Drawing& drawing, const Fonts& fonts, double scale = 1);

}  // namespace trammel::plot
