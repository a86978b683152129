#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace trammel {

/// 64 bits of what was added, by which a change of it is found: FNV-1a over words of 8 bytes, the
/// last one filled with zeros, each folded after it (h ^= h >> 32), so that high bits reach low
/// ones. Every step is a bijection of h and of the word: a change within one word is always seen,
/// any other but for one in 2^64. No guard against intent.
class Digest {
 public:
  void add(std::uint64_t word) {
    h_ = (h_ ^ word) * 1099511628211ull;
    h_ ^= h_ >> 32;
  }
  void add(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (; bytes >= sizeof(std::uint64_t); bytes -= 8, at += 8) add_word(at, 8);
    if (bytes > 0) add_word(at, bytes);
  }
  /// With its length, so that two texts are not one text cut elsewhere.
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    add(text.data(), text.size());
  }
  std::uint64_t value() const { return h_; }

 private:
  void add_word(const unsigned char* at, std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, bytes);
    add(word);
  }
  std::uint64_t h_ = 14695981039346656037ull;
};

}  // namespace trammel
