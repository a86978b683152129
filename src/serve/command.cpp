#include "serve/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "units/nearest.h"

namespace trammel::serve {

namespace {

/// How a command is written: how many words follow, and between what the number among them is.
struct Grammar {
  std::string_view name;
  Command::Kind kind;
  std::size_t words = 0;
  double from = 0, to = 0;
  bool whole = false;  // the number
};

constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kSlowest = 0.01;  // but 0: as fast as it can
constexpr Grammar kGrammars[] = {{"input", Command::Kind::input, 2, -kMost, kMost},
                                 {"pause", Command::Kind::pause},
                                 {"go", Command::Kind::go},
                                 {"step", Command::Kind::step, 1, 1, 1e5, true},
                                 {"speed", Command::Kind::speed, 1, 0, 100},
                                 {"rewind", Command::Kind::rewind, 1, -kMost, kMost},
                                 {"stop", Command::Kind::stop},
                                 {"take", Command::Kind::take}};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// What came in as it may go back: short, and of plain letters.
std::string shown_word(std::string_view word) {
  std::string out(word.substr(0, 40));
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return out;
}

std::string wrong_number(const Grammar& g, std::string_view text, double& x) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, x);
  if (error != std::errc() || rest != end || !std::isfinite(x))
    return fmt::format("{}: '{}' is no number", g.name, shown_word(text));
  if (x < g.from || x > g.to || (g.whole && x != std::floor(x)))
    return fmt::format("{} {}: {} from {} to {} is needed", g.name, x,
                       g.whole ? "a whole number" : "a number", g.from, g.to);
  if (g.kind == Command::Kind::speed && x > 0 && x < kSlowest)
    return fmt::format("speed {}: not slower than {}; 0 is as fast as it can", x, kSlowest);
  return {};
}

}  // namespace

std::variant<Command, std::string> parse_command(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  const std::string_view name = words.empty() ? "" : words[0];
  std::vector<std::string_view> known;
  for (const Grammar& g : kGrammars) {
    known.push_back(g.name);
    if (g.name != name) continue;
    if (words.size() != g.words + 1)
      return fmt::format("{} has {} words after it, not {}", name, g.words, words.size() - 1);
    Command out{g.kind};
    if (g.kind == Command::Kind::input) out.name = words[1];
    if (g.words == 0) return out;
    if (std::string wrong = wrong_number(g, words.back(), out.value); !wrong.empty()) return wrong;
    return out;
  }
  const std::string shown = shown_word(name);
  return fmt::format("there is no command '{}'{}", shown, units::did_you_mean(shown, known));
}

}  // namespace trammel::serve
