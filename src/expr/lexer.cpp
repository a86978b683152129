#include "expr/lexer.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace trammel::expr {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::pair<std::string_view, Kind> kKeywords[] = {
    {"and", Kind::both}, {"or", Kind::either}, {"not", Kind::negation}};

constexpr std::pair<std::string_view, Kind> kSigns[] = {
    {"<=", Kind::less_equal}, {">=", Kind::greater_equal}, {"==", Kind::equal},
    {"!=", Kind::different},  {"<", Kind::less},           {">", Kind::greater},
    {"(", Kind::open},        {")", Kind::close},          {",", Kind::comma},
    {"+", Kind::plus},        {"-", Kind::minus},          {"*", Kind::times},
    {"/", Kind::over},        {"^", Kind::power},          {"'", Kind::prime},
};

// Signs of other languages, and what to write here.
constexpr std::pair<std::string_view, std::string_view> kForeign[] = {
    {"**", "write '^' for powers"},
    {"&&", "write 'and'"},
    {"||", "write 'or'"},
    {"=", "write '==' to compare"},
    {"!", "write 'not'"},
    {"\u2212", "write the minus sign as '-'"},
    {"\u00b7", "write '*' for products"},
    {"\u22c5", "write '*' for products"},
    {"\u00d7", "write '*' for products"},
    {"\u00b2", "write '^2'"},
    {"\u00b3", "write '^3'"},
    {"\u03c0", "write 'pi'"},
    {"\u2264", "write '<='"},
    {"\u2265", "write '>='"},
    {"?", "write if(condition, value, otherwise)"},
    {";", "write ',' between arguments"},
    {"%", "write [%] behind a number, or x - y*floor(x/y) for a remainder"},
};

Token bad(std::size_t begin, std::size_t end, std::string error) {
  return {Kind::bad, begin, end, 0, std::move(error)};
}

// One character, whole if it is valid UTF-8.
Token strange(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  const std::string_view whole = text.substr(at, n);
  bool good = whole.size() == n && (n > 1 || (lead >= 0x20 && lead < 0x7f));
  for (std::size_t i = 1; i < whole.size(); ++i)
    good = good && (static_cast<unsigned char>(whole[i]) & 0xc0) == 0x80;
  if (!good) return bad(at, at + 1, fmt::format("byte 0x{:02x} has no meaning here", lead));
  return bad(at, at + n, fmt::format("'{}' has no meaning here", whole));
}

Token number(std::string_view text, std::size_t at) {
  Token out{Kind::number, at, at};
  const auto [stop, status] =
      std::from_chars(text.data() + at, text.data() + text.size(), out.number);
  out.end = static_cast<std::size_t>(stop - text.data());
  if (status == std::errc()) return out;
  return bad(at, out.end, fmt::format("'{}' is out of range", text.substr(at, out.end - at)));
}

Token name(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() &&
         (letter(text[end]) || digit(text[end]) ||
          (text[end] == '.' && end + 1 < text.size() && letter(text[end + 1]))))
    ++end;
  for (const auto& [word, kind] : kKeywords)
    if (text.substr(at, end - at) == word) return {kind, at, end};
  return {Kind::name, at, end};
}

/// A name of any letters, between backquotes, which belong to it.
Token quoted(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('`', at + 1);
  if (end == std::string_view::npos) return bad(at, text.size(), "a '`' is missing");
  if (end == at + 1) return bad(at, end + 1, "there is no name between the two '`'");
  return {Kind::name, at, end + 1};
}

Token unit(std::string_view text, std::size_t at) {
  const std::size_t end = text.find(']', at);
  if (end == std::string_view::npos) return bad(at, text.size(), "a ']' is missing");
  return {Kind::unit, at, end + 1};
}

}  // namespace

Token next_token(std::string_view text, std::size_t at) {
  while (at < text.size() && space(text[at])) ++at;
  if (at == text.size()) return {Kind::end, at, at};
  const std::string_view rest = text.substr(at);
  if (digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && digit(rest[1])))
    return number(text, at);
  if (letter(rest[0])) return name(text, at);
  if (rest[0] == '[') return unit(text, at);
  if (rest[0] == '`') return quoted(text, at);
  if (!rest.starts_with("**"))
    for (const auto& [sign, kind] : kSigns)
      if (rest.starts_with(sign)) return {kind, at, at + sign.size()};
  for (const auto& [sign, instead] : kForeign)
    if (rest.starts_with(sign)) return bad(at, at + sign.size(), std::string(instead));
  return strange(text, at);
}

bool is_name(std::string_view text) {
  if (text.empty() || !letter(text[0])) return false;
  const Token token = next_token(text, 0);
  return token.kind == Kind::name && token.end == text.size();
}

bool is_quoted_name(std::string_view text) {
  if (text.empty() || text[0] != '`') return false;
  const Token token = next_token(text, 0);
  return token.kind == Kind::name && token.end == text.size();
}

}  // namespace trammel::expr
