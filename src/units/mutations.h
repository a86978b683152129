#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Texts as a fuzzer makes them, for tests: the same ones each time, with any compiler.
namespace trammel::units {

/// Throws where the code under a fuzzer breaks a rule. The fuzzer ends at the first fault; a test
/// fails.
inline void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

/// The files of a folder, in the order of their names.
inline std::vector<std::string> corpus(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> out;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return out;
}

/// One to four changes of a text of the corpus: bytes, words, pieces and lines of it or of another.
class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, std::vector<std::string> words)
      : seeds_(std::move(seeds)), words_(std::move(words)) {}

  std::string next() {
    std::string text = pick(seeds_);
    for (std::size_t i = 0, n = 1 + below(4); i < n; ++i) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  const std::string& pick(const std::vector<std::string>& list) { return list[below(list.size())]; }
  std::string piece(const std::string& of) {
    const std::size_t from = below(of.size() + 1);
    return of.substr(from, 1 + below(40));
  }
  std::string line(const std::string& of, std::size_t at) {
    const std::size_t end = of.find('\n', at);
    return of.substr(at, end == of.npos ? end : end + 1 - at);
  }
  std::size_t line_start(const std::string& text) {
    const std::size_t before = text.rfind('\n', below(text.size() + 1));
    return before == text.npos ? 0 : before + 1;
  }
  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(10)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 1:
        text.erase(at, 1 + below(20));
        break;
      case 2:
        text.insert(at, piece(text));
        break;
      case 3:
        text.insert(at, piece(pick(seeds_)));
        break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 5:
        text.replace(at, below(4), pick(words_));
        break;
      case 6:
        text.erase(line_start(text), below(60));
        break;
      case 7:
      case 8: {
        const std::string& other = below(2) == 0 ? text : pick(seeds_);
        text.insert(line_start(text), line(other, line_start(other)));
        break;
      }
      default:
        text.insert(at, pick(words_));
    }
  }

  std::vector<std::string> seeds_, words_;
  std::mt19937_64 random_{20261121};
};

/// Calls f(text) for the corpus and for so many texts made of it; rethrows with the text.
template <class F>
void replay(const std::vector<std::string>& seeds, const std::vector<std::string>& words, int n,
            const F& f) {
  const auto call = [&](const std::string& text) {
    try {
      f(text);
    } catch (const std::logic_error& fault) {
      throw std::runtime_error(std::string(fault.what()) + "\nby the text\n" + text);
    }
  };
  for (const std::string& text : seeds) call(text);
  Mutator mutator(seeds, words);
  for (int i = 0; i < n; ++i) call(mutator.next());
}

}  // namespace trammel::units
