#include "io/scene_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace trammel::io {

namespace {

/// Bytes of the UTF-8 character that begins here, or 0. No overlong forms, surrogates, or values
/// past U+10FFFF (RFC 3629).
std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) {
    return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u;
  };
  const auto tail = [&](std::size_t i, unsigned lo = 0x80, unsigned hi = 0xBF) {
    return byte(i) >= lo && byte(i) <= hi;
  };
  const unsigned b = byte(0);
  if (b < 0x80) return 1;
  if (b >= 0xC2 && b <= 0xDF) return tail(1) ? 2 : 0;
  if (b >= 0xE0 && b <= 0xEF)
    return tail(1, b == 0xE0 ? 0xA0 : 0x80, b == 0xED ? 0x9F : 0xBF) && tail(2) ? 3 : 0;
  if (b >= 0xF0 && b <= 0xF4)
    return tail(1, b == 0xF0 ? 0x90 : 0x80, b == 0xF4 ? 0x8F : 0xBF) && tail(2) && tail(3) ? 4 : 0;
  return 0;
}

bool bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/// Follows strings, comments and brackets of a TOML text, no further than that.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<TextProblem> run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    while (at_ < text_.size() && !problem_) {
      if (quote_.empty() && !comment_) structure();
      if (!problem_) advance();
    }
    return problem_;
  }

 private:
  void structure() {
    const char c = text_[at_];
    if (c == '#') comment_ = true;
    if (c == '"' || c == '\'') return open(c);
    if (c == '[' && open_.empty() && blank_line_) header();
    if (c != ' ' && c != '\t') blank_line_ = false;
    if (c == '[' || c == '{') open_ += c;
    if (c == ']' || c == '}') close_bracket(c);
    if ((c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7F)
      fail(fmt::format("the control character 0x{:02X} may not stand here", c));
    if (c == '.')
      ++dots_;
    else if (!bare(c) && c != ' ' && c != '\t')
      dots_ = 0;
    if (open_.size() > kDeepest || dots_ > kDeepest)
      fail(fmt::format("nested more than {} deep", kDeepest));
    if (static_cast<unsigned char>(c) >= 0x80 && utf8_length(text_.substr(at_)) > 0)
      fail(fmt::format("'{}' may stand in strings and comments only",
                       text_.substr(at_, utf8_length(text_.substr(at_)))));
  }

  /// [name] or [[name]]: anything but a name there is an assertion in the parser (toml++ 3.3).
  void header() {
    const auto next = [&](std::size_t from) {
      return std::min(text_.find_first_not_of(" \t", from), text_.size());
    };
    std::size_t at = next(at_ + 1);
    if (at == at_ + 1 && at < text_.size() && text_[at] == '[') at = next(at + 1);
    const bool name = at < text_.size() && (bare(text_[at]) || text_[at] == '"' ||
                                            text_[at] == '\'' || text_[at] == ']');
    if (!name) fail("the header of a table holds its name: [name] or [[name]]");
  }

  /// Brackets that do not match are an assertion in the parser, too.
  void close_bracket(char c) {
    if (!open_.empty() && open_.back() == (c == ']' ? '[' : '{')) return open_.pop_back();
    fail(open_.empty() ? fmt::format("'{}' closes nothing", c)
                       : fmt::format("'{}' cannot close '{}'", c, open_.back()));
  }

  void open(char c) {
    blank_line_ = false;
    const std::string three(3, c);
    quote_ = text_.substr(at_).starts_with(three) ? three : std::string(1, c);
    skip(quote_.size() - 1);
    opened_ = true;
  }

  void skip(std::size_t n) { at_ += n, place_.column += static_cast<int>(n); }

  void close() {
    if (opened_) {
      opened_ = false;
      return;
    }
    const char c = text_[at_];
    if (c == '\\' && quote_[0] == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' &&
        static_cast<unsigned char>(text_[at_ + 1]) < 0x80)
      return skip(1);
    if (c == '\n' && quote_.size() == 1) quote_.clear();  // not closed: the parser says so
    if (quote_.empty() || !text_.substr(at_).starts_with(quote_)) return;
    const char mark = quote_[0];
    const bool several = quote_.size() == 3;
    skip(quote_.size() - 1);
    for (int extra = 0; several && extra < 2 && at_ + 1 < text_.size() && text_[at_ + 1] == mark;
         ++extra)
      skip(1);
    quote_.clear();
  }

  void advance() {
    if (!quote_.empty()) close();
    const std::size_t n = utf8_length(text_.substr(at_));
    if (n == 0)
      return fail(fmt::format("byte 0x{:02X} is not UTF-8: save the file in that encoding",
                              static_cast<unsigned char>(text_[at_])));
    if (text_[at_] == '\n') {
      ++place_.line;
      place_.column = 0;
      comment_ = false;
      blank_line_ = true;
    }
    at_ += n;
    ++place_.column;
  }

  void fail(std::string text) {
    if (!problem_) problem_ = {place_, std::move(text)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Place place_{1, 1};
  std::string quote_;    // that closes the string we are in
  bool opened_ = false;  // at the last byte of the opening quotes
  bool comment_ = false;
  bool blank_line_ = true;  // nothing yet on this line
  std::string open_;        // brackets
  std::size_t dots_ = 0;
  std::optional<TextProblem> problem_;
};

/// Goes along a TOML string, from its opening quotes on.
class StringWalk {
 public:
  StringWalk(std::string_view text, Place at) : text_(text), place_(at) {
    for (int line = 1; line < at.line; ++line)
      at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
    for (int column = 1; column < at.column && at_ < text_.size(); ++column)
      at_ += std::max<std::size_t>(utf8_length(text_.substr(at_)), 1);
  }

  /// False: there is no string.
  bool open() {
    const char mark = byte();
    if (mark != '"' && mark != '\'') return false;
    escapes_ = mark == '"';
    const bool several = text_.substr(at_).starts_with(std::string(3, mark));
    step(several ? 3 : 1);
    if (several && byte() == '\r') step(1);
    if (several && byte() == '\n') step(1);
    return true;
  }
  /// The next character; returns its bytes in the value.
  std::size_t next() {
    if (byte() == '\\' && escapes_) return escape();
    const std::size_t n = byte() == '\r' ? 0 : std::max<std::size_t>(utf8_length(rest()), 1);
    step(1);
    return n;
  }
  bool at_end() const { return at_ >= text_.size(); }
  Place place() const { return place_; }

 private:
  char byte() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string_view rest() const { return text_.substr(at_); }
  void step(int characters) {
    for (; characters > 0 && !at_end(); --characters) {
      const bool line = byte() == '\n';
      at_ += std::max<std::size_t>(utf8_length(rest()), 1);
      place_ = line ? Place{place_.line + 1, 1} : Place{place_.line, place_.column + 1};
    }
  }
  std::size_t escape() {
    step(1);
    const char c = byte();
    if (c == 'u' || c == 'U') {
      const std::string digits(text_.substr(std::min(at_ + 1, text_.size()), c == 'u' ? 4 : 8));
      const unsigned long code = std::strtoul(digits.c_str(), nullptr, 16);
      step(c == 'u' ? 5 : 9);
      return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    }
    const auto blank = [&] {
      return byte() == ' ' || byte() == '\t' || byte() == '\n' || byte() == '\r';
    };
    if (!blank()) return step(1), 1;
    while (blank()) step(1);  // a backslash at the end of a line
    return 0;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Place place_;
  bool escapes_ = false;
};

}  // namespace

Place place_in_string(std::string_view text, Place quote, std::size_t n) {
  if (quote.line < 1) return quote;
  StringWalk walk(text, quote);
  if (!walk.open()) return quote;
  for (std::size_t passed = 0; !walk.at_end();) {
    const Place here = walk.place();
    passed += walk.next();
    if (passed > n) return here;
  }
  return walk.place();
}

std::optional<TextProblem> check_text(std::string_view text) {
  if (text.size() > kMostBytes)
    return TextProblem{
        {}, fmt::format("{} MB: a scene has at most {} MB", text.size() >> 20, kMostBytes >> 20)};
  if (std::all_of(text.begin(), text.end(),
                  [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }))
    return TextProblem{{1, 1}, "the file is empty: a scene begins with format = 1"};
  return Scanner(text).run();
}

}  // namespace trammel::io
