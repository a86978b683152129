#pragma once

#include <cstddef>
#include <cstdint>

namespace trammel {

/// FNV-1a over bytes, 64 bits. Any change of one byte changes it.
struct Fnv {
  std::uint64_t h = 14695981039346656037ull;
  void add(const void* data, std::size_t n) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < n; ++i) h = (h ^ byte[i]) * 1099511628211ull;
  }
};

}  // namespace trammel
