#include "model/state.h"

#include <cstddef>
#include <type_traits>

namespace trammel::model {

namespace {

struct Fnv {
  std::uint64_t h = 14695981039346656037ull;
  void add(const void* data, std::size_t n) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < n; ++i) h = (h ^ byte[i]) * 1099511628211ull;
  }
};

}  // namespace

std::uint64_t hash(const State& state) {
  Fnv fnv;
  State::each(state, [&](const char*, const auto& field) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(field)>>) {
      fnv.add(&field, sizeof field);
    } else {
      const std::uint64_t n = field.size();
      fnv.add(&n, sizeof n);
      fnv.add(field.data(), n * sizeof field[0]);
    }
  });
  return fnv.h;
}

}  // namespace trammel::model
