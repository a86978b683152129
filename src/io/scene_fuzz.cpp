#include <cstdint>
#include <cstring>
#include <string>

#include "io/fuzzed.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trammel::io::fuzzed::any_text(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

/// Every fourth change puts a word of the format somewhere; the others are the fuzzer's own.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned int seed) {
  static const std::vector<std::string> words = trammel::io::fuzzed::words();
  const std::string& word = words[seed / 4 % words.size()];
  if (seed % 4 != 0 || size + word.size() > most) return LLVMFuzzerMutate(data, size, most);
  const std::size_t at = seed / 4 / words.size() % (size + 1);
  std::memmove(data + at + word.size(), data + at, size - at);
  std::memcpy(data + at, word.data(), word.size());
  return size + word.size();
}
