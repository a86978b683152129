#pragma once

#include <string>
#include <string_view>

namespace trammel::plot {

/// For XML: markup escaped, bytes that are not UTF-8 replaced, control characters left out.
std::string escape(std::string_view text);

/// Characters, U+FFFD where bytes are not UTF-8.
std::u32string characters(std::string_view text);

/// Room a text needs [px], on the safe side for the sans-serif fonts in use.
double text_width(std::string_view text, double size);

/// The text, cut with an ellipsis where it needs more room.
std::string shorten(std::string_view text, double size, double room);

}  // namespace trammel::plot
