#include "io/json.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>

namespace trammel::io {

void Json::line() {
  if (after_key_ || open_.empty()) {
    after_key_ = false;
    return;
  }
  if (!first_) text_ += ',';
  text_ += '\n';
  text_.append(2 * open_.size(), ' ');
}

Json& Json::raw(std::string_view text) {
  line();
  text_ += text;
  first_ = false;
  return *this;
}

Json& Json::begin(char bracket) {
  raw(std::string_view(&bracket, 1));
  open_ += bracket == '{' ? '}' : ']';
  first_ = true;
  return *this;
}

Json& Json::end() {
  assert(!open_.empty());
  const char bracket = open_.back();
  open_.pop_back();
  if (!first_) {
    text_ += '\n';
    text_.append(2 * open_.size(), ' ');
  }
  text_ += bracket;
  first_ = false;
  return *this;
}

Json& Json::key(std::string_view name) {
  value(name);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

Json& Json::value(double x) { return raw(std::isfinite(x) ? fmt::format("{}", x) : "null"); }

Json& Json::value(bool x) { return raw(x ? "true" : "false"); }

Json& Json::value(std::string_view x) {
  std::string out = "\"";
  for (std::size_t i = 0; i < x.size(); ++i) {
    const char c = x[i];
    const auto next = i + 1 < x.size() ? static_cast<unsigned char>(x[i + 1]) : 0u;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else if (c == '\xc2' && next >= 0x80 && next < 0xa0) {  // controls too, U+0080 to U+009F
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", next);
      ++i;
    } else {
      out += c;
    }
  }
  return raw(out + '"');
}

}  // namespace trammel::io
