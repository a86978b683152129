#include "plot/text.h"

#include <cstddef>

namespace trammel::plot {

namespace {

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

// Bytes of the character at the front, 0 if it is not UTF-8 (or not allowed in XML).
std::size_t character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  unsigned code = lead & (0xffu >> (n + 1));
  for (std::size_t i = 1; i < n; ++i) {
    if (!continues(text, i)) return 0;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  const bool overlong = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff || (code & 0xfffe) == 0xfffe ? 0 : n;
}

// Width in units of the font's size; of the widest of the usual fonts.
double em(char c) {
  constexpr std::string_view narrow = "ijlI.,:;|!' ", wide = "mwMW%@";
  if (narrow.find(c) != std::string_view::npos) return 0.34;
  if (wide.find(c) != std::string_view::npos) return 0.97;
  return c >= 'A' && c <= 'Z' ? 0.7 : 0.62;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t n = character(text);
    const char c = text[0];
    if (n == 0)
      out += "\ufffd";
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\n' || c == '\t')
      out += ' ';
    else if (n > 1 || (c >= 0x20 && c != 0x7f))
      out += text.substr(0, n);
    text.remove_prefix(n ? n : 1);
  }
  return out;
}

std::u32string characters(std::string_view text) {
  std::u32string out;
  while (!text.empty()) {
    const std::size_t n = character(text);
    char32_t code =
        n == 0 ? 0xfffd : static_cast<unsigned char>(text[0]) & (0xffu >> (n > 1 ? n + 1 : 0));
    for (std::size_t i = 1; i < n; ++i)
      code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
    out.push_back(code);
    text.remove_prefix(n ? n : 1);
  }
  return out;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!continues(text, i)) width += em(text[i]);
  return width * size;
}

std::string shorten(std::string_view text, double size, double room) {
  if (text_width(text, size) <= room) return std::string(text);
  while (!text.empty() && text_width(text, size) + size > room) {
    while (text.size() > 1 && continues(text, text.size() - 1)) text.remove_suffix(1);
    text.remove_suffix(1);
  }
  return std::string(text) + "\u2026";
}

}  // namespace trammel::plot
