#include "expr/free_names.h"

#include <algorithm>
#include <optional>

#include "expr/builtins.h"
#include "expr/lexer.h"
#include "units/unit.h"

namespace trammel::expr {

namespace {

/// Calls f(token, before) for the tokens of a text up to its end or a byte that is none.
template <class F>
void for_tokens(std::string_view text, F f) {
  Token before;
  for (Token t = next_token(text, 0); t.kind != Kind::end && t.kind != Kind::bad;
       t = next_token(text, t.end)) {
    f(t, before);
    before = t;
  }
}

}  // namespace

std::vector<std::string> free_names(std::string_view text, const Symbols& known) {
  std::vector<std::string> out;
  std::optional<std::size_t> unit;  // where the one begins that the token may be part of
  for_tokens(text, [&](const Token& t, const Token& before) {
    const bool name = t.kind == Kind::name;
    if (name && before.kind == Kind::number && !(unit && t.begin == before.end)) {
      unit = t.begin;
      return;
    }
    if (t.begin != before.end) unit.reset();
    if (!name || next_token(text, t.end).kind == Kind::open) return;
    const std::string word(text.substr(t.begin, t.end - t.begin));
    const bool of_unit = unit && units::parse_unit(text.substr(*unit, t.end - *unit));
    if (of_unit || known.find_value(word) || known.find_points(word) || find_constant(word)) return;
    if (std::find(out.begin(), out.end(), word) == out.end()) out.push_back(word);
  });
  return out;
}

std::string written(const std::string& name) { return is_name(name) ? name : "`" + name + "`"; }

}  // namespace trammel::expr
