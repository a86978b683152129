#include "model/state.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace trammel::model::state_test {
namespace {

/// A state with something in every field.
State full() {
  State s;
  double x = 0.25;
  State::each(s, [&](const char*, auto& field) {
    using Field = std::decay_t<decltype(field)>;
    if constexpr (std::is_arithmetic_v<Field>)
      field = static_cast<Field>(x += 1);
    else
      field.assign(3, static_cast<typename Field::value_type>(x += 1));
  });
  return s;
}

TEST(State, CopiesHashAlike) {
  const State s = full();
  const State copy = s;
  EXPECT_EQ(hash(s), hash(copy));
  EXPECT_NE(hash(s), hash(State{}));
}

TEST(State, EveryFieldIsInTheHash) {
  std::set<std::uint64_t> seen{hash(full())};
  std::size_t changes = 1;
  std::set<std::string> names;
  State::each(full(), [&](const char* name, const auto&) { names.insert(name); });
  EXPECT_EQ(names.size(), 35u);
  for (const std::string& wanted : names) {
    State s = full();
    State::each(s, [&](const char* name, auto& field) {
      if (name != wanted) return;
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(field)>>)
        field += 1;
      else
        field.back() = static_cast<std::decay_t<decltype(field[0])>>(field.back() + 1);
    });
    EXPECT_TRUE(seen.insert(hash(s)).second) << wanted;
    ++changes;
  }
  EXPECT_EQ(seen.size(), changes);
}

TEST(State, LengthsAreInTheHash) {
  State a, b;  // the same bytes in other fields
  a.q = {1, 2};
  b.q = {1};
  b.P = {2};
  EXPECT_NE(hash(a), hash(b));
  a.q = b.P = {};
  a.on = {0};
  EXPECT_NE(hash(a), hash(b));
}

// What the file format and the checkpoints rely on: each() sees all that a State is made of.
TEST(State, EachSeesAllOfTheState) {
  std::size_t bytes = 0;
  State::each(State{}, [&](const char*, const auto& field) { bytes += sizeof field; });
  EXPECT_EQ(bytes, sizeof(State));
}

}  // namespace
}  // namespace trammel::model::state_test
