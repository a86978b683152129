#include "model/state.h"

#include <type_traits>

#include "math/fnv.h"

namespace trammel::model {

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
