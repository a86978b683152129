#include "constraint/piles/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "constraint/piles/plain.h"
#include "constraint/piles/test_heap.h"
#include "math/parallel.h"

namespace trammel::constraint::piles::lanes_test {
namespace {

std::vector<unsigned char> moving(const test::Heap& heap) {
  std::vector<unsigned char> moves;
  for (const ContactBody& body : heap.bodies) moves.push_back(piles::moves(body));
  return moves;
}

Order order_of(const test::Heap& heap) {
  Order order;
  order.build(moving(heap), heap.points);
  return order;
}

/// Boxes with rolling and spinning friction at some points, cohesion, and points left out.
test::Heap mixed() {
  test::Heap heap = test::pile(5, 4, 0.4, 3);
  std::mt19937 random(5);
  const auto chance = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
  for (std::size_t i = 0; i < heap.points.size(); ++i) {
    if (i % 3 == 0) heap.points[i].rolling = 0.05, heap.points[i].spinning = 0.02;
    if (i % 5 == 0) heap.targets[i].cohesion = 0.1 * chance();
    if (i % 11 == 0) heap.targets[i].u[0] = -std::numeric_limits<double>::infinity();
    heap.targets[i].u[1] = 0.1 * chance();
    heap.targets[i].w = {chance(), -chance(), 0.5 * chance()};
    heap.p[6 * i] = chance(), heap.p[6 * i + 1] = 0.1 * chance();
    if (i % 3 == 0) heap.p[6 * i + 4] = 0.01 * chance();
  }
  return heap;
}

template <class V>
std::vector<double> swept(const test::Heap& heap, int sweeps) {
  const Order order = order_of(heap);
  Lanes<V> lanes;
  lanes.build(heap.bodies, moving(heap), heap.points, order);
  lanes.load(heap.targets, heap.v, heap.p, false);
  for (int i = 0; i < sweeps; ++i)
    for (const Group& group : order.groups) lanes.sweep(group);
  std::vector<double> v = heap.v, p = heap.p;
  lanes.store(heap.targets, v, p);
  v.insert(v.end(), p.begin(), p.end());
  return v;
}

TEST(ContactOrder, PairsOfAColorShareNoBodyThatMoves) {
  const test::Heap heap = test::pile(8, 5, 0.5, 1);
  const Order order = order_of(heap);
  std::size_t seen = 0;
  for (const ColorRange& color : order.colors) {
    std::set<int> taken;
    for (int i = color.first; i < color.first + color.n; ++i) {
      const Pair& pair = order.pairs[at(order.pairs_in_order[at(i)])];
      for (int body : {pair.a, pair.b}) EXPECT_TRUE(body == 0 || taken.insert(body).second);
      ++seen;
    }
  }
  EXPECT_EQ(seen, order.pairs.size());
}

TEST(ContactOrder, BodyWithMorePairsThanColorsOfAMask) {
  test::Heap heap;
  const int plate = heap.body(100, Vec3::Zero(), Vec3(100, 1, 1));
  for (int i = 0; i < 100; ++i) {
    const int ball = heap.body(1, Vec3(i - 50, 0, 1), Vec3::Ones());
    heap.point(plate, ball, Vec3(i - 50, 0, 0.5), Vec3::UnitZ(), 0.3);
  }
  heap.point(0, plate, Vec3(0, 0, -0.5), Vec3::UnitZ(), 0.3);
  heap.pull(Vec3(0, 0, -1));
  const Order order = order_of(heap);
  EXPECT_EQ(order.colors.size(), 101u);
  EXPECT_EQ(order.islands(), 1);
  EXPECT_TRUE(heap.solve({1e-9, 20000, 0, ContactOptions::Method::sweeps}).converged);
}

TEST(ContactOrder, IslandsByBodiesThatMove) {
  test::Heap heap;
  for (int i = 0; i < 200; ++i) {
    const int low = heap.body(1, Vec3(2 * i, 0, 0.5), Vec3::Ones());
    const int high = heap.body(1, Vec3(2 * i, 0, 1.5), Vec3::Ones());
    heap.face(0, low, Vec3(2 * i, 0, 0), 0.5, 0.5);
    heap.face(low, high, Vec3(2 * i, 0, 1), 0.5, 0.5);
  }
  const Order order = order_of(heap);
  EXPECT_EQ(order.islands(), 200);
  EXPECT_EQ(order.groups.size(), 7u);  // 400 pairs, 64 or more each
  EXPECT_EQ(order.colors.size(), 14u);
}

/// The plain sweep takes the points in the same order: the sums differ, the law does not.
TEST(ContactLanes, SweepsAsThePlainOnes) {
  constexpr double kRounding = 1e-12;
  test::Heap heap = mixed();
  const std::vector<double> lanes = swept<Widest>(heap, 5);
  const Order order = order_of(heap);
  std::vector<ContactPoint> points;
  std::vector<ContactTargets> targets;
  std::vector<double> p;
  std::vector<int> numbers;
  for (int i : order.pairs_in_order)
    for (int k = 0; k < order.pairs[at(i)].n; ++k) {
      const std::size_t point = at(order.pairs[at(i)].first + k);
      numbers.push_back(static_cast<int>(point));
      points.push_back(heap.points[point]);
      targets.push_back(heap.targets[point]);
      p.insert(p.end(), &heap.p[6 * point], &heap.p[6 * point] + 6);
    }
  std::vector<double> v = heap.v;
  Plain plain(heap.bodies, points);
  plain.add(p, v);
  for (int i = 0; i < 5; ++i) plain.sweep(targets, v, p);
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(lanes[i], v[i], kRounding);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_NEAR(lanes[v.size() + 6 * at(numbers[i]) + k], p[6 * i + k], kRounding);
}

#if defined(__AVX512F__)
TEST(ContactLanes, FourAndEightHaveTheSameBits) {
  EXPECT_EQ(swept<Four>(mixed(), 7), swept<Eight>(mixed(), 7));
}
#endif

TEST(ContactLanes, AnyNumberOfThreadsHasTheSameBits) {
  const auto solved = [](int threads) {
    parallel::set_threads(threads);
    test::Heap heap = test::pile(16, 4, 0.4, 3);  // one large island, and single boxes
    for (int i = 0; i < 100; ++i)
      heap.face(0, heap.body(1 + i, Vec3(100 + 3 * i, 0, 0.5), Vec3::Ones()),
                Vec3(100 + 3 * i, 0, 0), 0.5, 0.3);
    heap.pull(Vec3(0.1, 0, -0.5));
    heap.solve({1e-9, 20, 0, ContactOptions::Method::sweeps});
    heap.v.insert(heap.v.end(), heap.p.begin(), heap.p.end());
    parallel::set_threads(1);
    return heap.v;
  };
  const std::vector<double> one = solved(1);
  for (int threads : {2, 3, 8}) EXPECT_EQ(one, solved(threads)) << threads;
}

TEST(ContactLanes, NewtonOfManyIslandsHasTheSameBitsByThreads) {
  const auto solved = [](int threads) {
    parallel::set_threads(threads);
    test::Heap heap;
    for (int i = 0; i < 12; ++i)
      for (int k = 0; k <= i % 4; ++k) {
        const int b = heap.body(1 + i, Vec3(3 * i, 0, k + 0.5), Vec3::Ones());
        heap.face(k ? b - 1 : 0, b, Vec3(3 * i, 0, k), 0.5, 0.3);
      }
    heap.pull(Vec3(0.2, 0.1, -1));
    EXPECT_TRUE(heap.solve({1e-10}).converged);
    heap.v.insert(heap.v.end(), heap.p.begin(), heap.p.end());
    parallel::set_threads(1);
    return heap.v;
  };
  const std::vector<double> one = solved(1);
  for (int threads : {2, 3, 8}) EXPECT_EQ(one, solved(threads)) << threads;
}

TEST(ContactLanes, ErrorsAreThoseOfThePlainPoints) {
  test::Heap heap = mixed();
  const Order order = order_of(heap);
  Lanes<Widest> lanes;
  lanes.build(heap.bodies, moving(heap), heap.points, order);
  lanes.load(heap.targets, heap.v, heap.p, false);
  std::vector<double> merit(order.pairs.size());
  for (const Group& group : order.groups) {
    lanes.sweep(group);
    lanes.check(group, merit);
  }
  std::vector<double> v = heap.v, p = heap.p;
  lanes.store(heap.targets, v, p);
  Plain plain(heap.bodies, heap.points);
  for (std::size_t i = 0; i < order.pairs.size(); ++i) {
    double most = 0;
    for (int k = 0; k < order.pairs[i].n; ++k)
      most = std::max(most, plain.error(at(order.pairs[i].first + k), heap.targets, v, p));
    EXPECT_NEAR(merit[i], most, 1e-12);
  }
}

}  // namespace
}  // namespace trammel::constraint::piles::lanes_test
