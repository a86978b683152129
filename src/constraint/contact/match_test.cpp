// Which points of two lists are the same; and what is a heap.
#include "constraint/contact/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "constraint/contact/heaps.h"
#include "math/index.h"

namespace trammel::constraint::match_test {
namespace {

std::vector<contact::Point> random_points(std::mt19937& random, int most) {
  std::uniform_int_distribution<int> n(0, most), id(0, 3), feature(0, 4);
  std::map<Key, contact::Point> sorted;
  for (int left = n(random); left > 0; --left) {
    contact::Point p;
    p.A = id(random);
    p.B = p.A + 1 + id(random);
    p.feature = feature(random);
    sorted.emplace(key_of(p), p);
  }
  std::vector<contact::Point> out;
  for (const auto& [key, p] : sorted) out.push_back(p);
  return out;
}

std::vector<std::pair<std::size_t, std::size_t>> by_brute_force(
    const std::vector<contact::Point>& a, const std::vector<contact::Point>& b) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      if (a[i].A == b[k].A && a[i].B == b[k].B && a[i].feature == b[k].feature)
        out.emplace_back(i, k);
  return out;
}

TEST(ContactMatch, FindsAllPointsThatAreInBothLists) {
  std::mt19937 random(1);
  std::size_t found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::vector<contact::Point> a = random_points(random, 30), b = random_points(random, 30);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    match(
        a, b.size(), [&](std::size_t k) { return key_of(b[k]); },
        [&](std::size_t i, std::size_t k) { pairs.emplace_back(i, k); });
    EXPECT_EQ(pairs, by_brute_force(a, b));
    found += pairs.size();
  }
  EXPECT_GT(found, 500U);
}

TEST(ContactMatch, FindsThePointsOfEachPairInBothLists) {
  std::mt19937 random(2);
  std::size_t found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::vector<contact::Point> a = random_points(random, 30), b = random_points(random, 30);
    std::vector<std::pair<std::size_t, std::size_t>> got, wanted;
    match_pairs(a, b, [&](const PairOfBoth& pair) {
      for (std::size_t i = pair.i; i < pair.i_end; ++i)
        for (std::size_t k = pair.k; k < pair.k_end; ++k) got.emplace_back(i, k);
    });
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t k = 0; k < b.size(); ++k)
        if (a[i].A == b[k].A && a[i].B == b[k].B) wanted.emplace_back(i, k);
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, wanted);
    found += got.size();
  }
  EXPECT_GT(found, 2000U);
}

/// Points of pairs in islands with these numbers: so many points a pair.
PointSet set_of(const std::vector<int>& island_of_pair, int points_of_pair) {
  PointSet out;
  out.points.resize(island_of_pair.size() * at(points_of_pair));
  for (std::size_t k = 0; k < island_of_pair.size(); ++k) {
    out.pair.push_back(count(out.island));
    out.island.insert(out.island.end(), at(points_of_pair), island_of_pair[k]);
  }
  out.pair.push_back(count(out.island));
  return out;
}

/// Pairs in islands: so many islands of so many pairs each.
std::vector<int> islands(int n, int pairs, int first = 0) {
  std::vector<int> out;
  for (int k = 0; k < n; ++k) out.insert(out.end(), at(pairs), first + k);
  return out;
}

std::ptrdiff_t points_in_heaps(const std::vector<int>& island_of_pair, int points_of_pair) {
  const auto heaps = find_heaps(set_of(island_of_pair, points_of_pair));
  return std::count(heaps.begin(), heaps.end(), 1);
}

TEST(ContactHeaps, AreOfMoreThanSoManyPairs) {
  for (const int points : {1, 4}) {
    EXPECT_EQ(points_in_heaps(islands(1, kFewPairs), points), 0);
    EXPECT_EQ(points_in_heaps(islands(1, kFewPairs + 1), points), points * (kFewPairs + 1));
    EXPECT_EQ(points_in_heaps(islands(2, kFewPairs / 2), points), 0);  // all islands together
    EXPECT_EQ(points_in_heaps(islands(kFewPairs / 2 + 1, 2), points), points * (kFewPairs + 2));
  }
  EXPECT_TRUE(find_heaps({}).empty());
}

TEST(ContactHeaps, LonePairsAreNone) {
  EXPECT_EQ(points_in_heaps(islands(1000, 1), 2), 0);
  std::vector<int> with_few = islands(1, kFewPairs), lone = islands(500, 1, 10);
  with_few.insert(with_few.end(), lone.begin(), lone.end());
  EXPECT_EQ(points_in_heaps(with_few, 3), 0);
  std::vector<int> with_many = islands(1, kFewPairs + 1, 600);
  with_many.insert(with_many.begin(), lone.begin(), lone.end());
  const PointSet set = set_of(with_many, 3);
  const auto heaps = find_heaps(set);
  ASSERT_EQ(heaps.size(), set.size());
  for (std::size_t i = 0; i < heaps.size(); ++i) EXPECT_EQ(heaps[i] != 0, set.island[i] == 600);
}

TEST(ContactHeaps, DoNotDependOnTheOrderOfPairs) {
  std::mt19937 random(2);
  std::vector<int> all = islands(20, 2), lone = islands(15, 1, 30);
  all.insert(all.end(), lone.begin(), lone.end());
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(all.begin(), all.end(), random);
    const PointSet set = set_of(all, 2);
    const auto heaps = find_heaps(set);
    ASSERT_EQ(heaps.size(), set.size());
    for (std::size_t i = 0; i < heaps.size(); ++i) EXPECT_EQ(heaps[i] != 0, set.island[i] < 30);
  }
}

}  // namespace
}  // namespace trammel::constraint::match_test
