#include "io/overrides.h"

#include <algorithm>

namespace trammel::io {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else
      out += c;
  return out;
}

/// What follows a backslash otherwise stays, with it: older results did not escape.
std::string plain(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
    const bool known = next == '\\' || next == 'n' || next == 'r';
    out += !known ? text[i] : next == 'n' ? '\n' : next == 'r' ? '\r' : '\\';
    if (known) ++i;
  }
  return out;
}

}  // namespace

std::string to_text(const std::vector<Override>& overrides) {
  std::string out;
  for (const Override& o : overrides) {
    if (!out.empty()) out += '\n';
    out += escaped(o.path) + '=' + escaped(o.value);
  }
  return out;
}

std::vector<Override> overrides_from(std::string_view text) {
  std::vector<Override> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (const std::size_t equals = line.find('='); equals != std::string_view::npos)
      out.push_back({plain(line.substr(0, equals)), plain(line.substr(equals + 1))});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace trammel::io
