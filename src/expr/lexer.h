#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trammel::expr {

enum class Kind : unsigned char {
  end,
  number,
  name,   // letters, digits, '_', parts joined by '.'; or anything between backquotes
  unit,   // [...]
  prime,  // '
  open,
  close,
  comma,
  plus,
  minus,
  times,
  over,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  different,
  both,
  either,
  negation,
  bad,
};

struct Token {
  Kind kind = Kind::end;
  std::size_t begin = 0, end = 0;  // bytes of the text
  double number = 0;
  std::string error = {};  // of a bad one
};

/// The token at or behind byte `at`. Never fails: what is none is a bad token.
Token next_token(std::string_view text, std::size_t at);

/// Whether a text can be a name: one or more parts of letters, digits and '_' joined by '.', none
/// beginning with a digit, no word of the language.
bool is_name(std::string_view text);
/// Whether a text is a name between backquotes, which may have any letters: `link-3.angle`.
bool is_quoted_name(std::string_view text);

}  // namespace trammel::expr
