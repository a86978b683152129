// Scenes that somebody got wrong: lines lost, doubled or moved, numbers of other sizes and signs,
// values of another type, keys misspelt, other units, files cut short. Whatever is made of them,
// the program ends by itself with a code that is documented, and no fault of its own.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "cli/forked.h"

namespace trammel::cli::mutated_test {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// The scenes of the project and those in the manual.
std::vector<Lines> originals() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(TRAMMEL_SOURCE_DIR "/scenes"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Lines> out;
  for (const fs::path& file : files) out.push_back(lines_of(contents_of(file)));
  const std::string manual = contents_of(TRAMMEL_SOURCE_DIR "/docs/scene-format.md");
  for (std::size_t at = 0; (at = manual.find("```toml\n", at)) != std::string::npos;) {
    const std::size_t end = manual.find("\n```", at + 8);
    const std::string text = manual.substr(at + 8, end - at - 7);
    if (text.find("format = 1") != std::string::npos) out.push_back(lines_of(text));
    at = end;
  }
  return out;
}

/// A number of a line and where it stands; an empty match: there is none.
std::smatch number_in(const std::string& line, Dice& dice) {
  static const std::regex number("[-+]?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
  const auto first = std::sregex_iterator(line.begin(), line.end(), number);
  const auto n = static_cast<std::size_t>(std::distance(first, std::sregex_iterator()));
  if (n == 0) return {};
  return *std::next(first, static_cast<std::ptrdiff_t>(dice.below(n)));
}

void change_number(std::string& line, Dice& dice) {
  const std::smatch m = number_in(line, dice);
  if (m.empty()) return;
  const double x = std::strtod(m.str().c_str(), nullptr);
  const double decades[] = {1e-9, 1e-3, 0.1, 10, 1e3, 1e9, -1};
  static const std::vector<std::string> odd{
      "nan", "inf", "-inf", "1e308", "-1e308", "5e-324", "0", "-0", "1e999", "9223372036854775808"};
  const std::string to =
      dice.below(3) ? fmt::format("{}", x * decades[dice.below(std::size(decades))]) : dice.of(odd);
  line.replace(static_cast<std::size_t>(m.position()), static_cast<std::size_t>(m.length()), to);
}

void change_value(std::string& line, Dice& dice) {
  static const std::vector<std::string> values{"true",
                                               "-3",
                                               "0.5",
                                               "\"x\"",
                                               "\"\"",
                                               "[]",
                                               "[1, 2, 3]",
                                               "[[]]",
                                               "{}",
                                               "{x = 1}",
                                               "nan",
                                               "\"1 furlong\"",
                                               "\"3 kg m\"",
                                               "\"-1 m/s\"",
                                               "\"t\"",
                                               "[1]",
                                               "\"ground\"",
                                               "[0, 0, 0]",
                                               "1979-05-27",
                                               "\"\\u001b[31m\"",
                                               "[\"a.b\", \"c\"]"};
  const std::size_t at = line.find('=');
  if (at != std::string::npos && line[0] != '#')
    line = line.substr(0, at + 1) + " " + dice.of(values);
}

void change_unit(std::string& line, Dice& dice) {
  static const std::regex unit("([0-9]) ?[a-zA-Z][a-zA-Z0-9/^ ]*\"");
  static const std::vector<std::string> units{"m",   "mm", "km",      "kg", "s",
                                              "deg", "N",  "N m/rad", "J",  "1/s"};
  line = std::regex_replace(line, unit, "$1 " + dice.of(units) + "\"",
                            std::regex_constants::format_first_only);
}

void misspell(std::string& line, Dice& dice) {
  const std::size_t end = line.find_first_of("= ");
  if (end == std::string::npos || end == 0) return;
  const std::size_t at = dice.below(end);
  if (dice.below(2))
    line.erase(at, 1);
  else
    line[at] = static_cast<char>('a' + dice.below(26));
}

std::string mutate(const std::vector<Lines>& originals, Dice& dice) {
  Lines lines = dice.of(originals);
  for (std::size_t n = 1 + dice.below(3); n > 0 && !lines.empty(); --n) {
    const auto place = lines.begin() + static_cast<std::ptrdiff_t>(dice.below(lines.size()));
    std::string line = *place;
    switch (dice.below(10)) {
      case 0:
        lines.erase(place);
        break;
      case 1:
        lines.insert(place, line);
        break;
      case 2:  // moved
        lines.erase(place);
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(dice.below(lines.size() + 1)),
                     line);
        break;
      case 3:
        change_value(*place, dice);
        break;
      case 4:
        change_unit(*place, dice);
        break;
      case 5:
        misspell(*place, dice);
        break;
      case 6:  // of another scene
        lines.insert(place, dice.of(dice.of(originals)));
        break;
      default:  // most lines hold numbers
        for (int tries = 0; tries < 5; ++tries) {
          std::string& some = lines[dice.below(lines.size())];
          const std::string before = some;
          change_number(some, dice);
          if (some != before) break;
        }
    }
  }
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  if (dice.below(12) == 0) out.resize(dice.below(out.size() + 1));
  return out;
}

class Mutated : public Forked {
 protected:
  /// Reads it, and runs its first steps.
  static int check_and_run() { return check_and_run({}); }
  static int check_and_run(const std::vector<std::string>& more) {
    const int checked = program(std::vector<std::string>{"check", "m.toml"});
    if (checked != kDone) return checked;
    std::vector<std::string> all{"run",     "m.toml",     "-o",   "r",         "--force",
                                 "--quiet", "--duration", "5 ms", "--threads", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return program(all);
  }

  /// Small steps take their time, which says nothing: what takes long is tried again in one step.
  Ended ended() const {
    const Ended e = in_child(folder_, 4, [] { return check_and_run(); });
    if (e.signal != SIGXCPU) return e;
    return in_child(folder_, 60, [] { return check_and_run({"--step", "5 ms"}); });
  }

  void look_at(int count) {
    const std::vector<Lines> all = originals();
    ASSERT_GE(all.size(), 12u);
    Dice dice(20251123);
    std::map<int, int> codes;
    int endless = 0;
    for (int i = 0; i < count; ++i) {
      const std::string text = mutate(all, dice);
      std::ofstream("m.toml", std::ios::binary) << text;
      const Ended e = ended();
      ++codes[e.code];
      if (e.signal == SIGXCPU) {  // by forces the method chooses its steps
        ++endless;
        continue;
      }
      const bool good = e.code == kDone || (e.code == kInput && !e.err.empty()) ||
                        (e.code == kNumbers && !e.err.empty());
      ASSERT_TRUE(good) << "scene " << i << ": exit " << e.code << ", signal " << e.signal << ": "
                        << e.err << "\n"
                        << text;
      ASSERT_EQ(e.err.find('\x1b'), std::string::npos) << e.err << text;
    }
    for (const auto& [code, n] : codes) RecordProperty(fmt::format("exit_{}", code), n);
    RecordProperty("endless", endless);
    EXPECT_LE(endless, 1 + count / 200);
    EXPECT_GT(codes[kDone], count / 20);
    EXPECT_GT(codes[kInput], count / 4);
  }
};

TEST_F(Mutated, FewScenesEndWellOrWithAReason) { look_at(60); }
using SlowMutated = Mutated;
TEST_F(SlowMutated, SomeScenesEndWellOrWithAReason) { look_at(200); }
using FullMutated = Mutated;
TEST_F(FullMutated, FiveThousandScenesEndWellOrWithAReason) { look_at(5000); }

}  // namespace
}  // namespace trammel::cli::mutated_test
