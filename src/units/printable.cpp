#include "units/printable.h"

#include <fmt/format.h>

#include <iterator>

namespace trammel::units {

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", c);
    else if (c == 0xc2 && next >= 0x80 && next < 0xa0)  // U+0080 to U+009F, as UTF-8
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", next), ++i;
    else
      out += text[i];
  }
  return out;
}

}  // namespace trammel::units
