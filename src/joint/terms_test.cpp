// Generated from the table: where a joint's rows are zero its closure residuals are too, and both
// allow the same motions.
#include "joint/terms.h"

#include <gtest/gtest.h>

#include <array>

#include "joint/test_states.h"

namespace trammel::joint::terms_test {
namespace {

using body::MotionKind;
using namespace test;

unsigned bit(Feature f) { return 1u << static_cast<unsigned>(f); }

/// A closure residual as numbers.
VecX value_of(const Term& term, const Pair& pair) {
  if (term.kind == Term::Kind::row) return VecX::Constant(1, test::value_of(term.row, pair));
  const bool curve = term.u >= Feature::Cx || term.v >= Feature::Cx;
  Arc arc = pair.arc;
  const Sample now = sampled(pair, bit(term.u) | bit(term.v) | (curve ? kProjection : 0), 2, arc);
  const Vec3 &u = now.x[static_cast<std::size_t>(term.u)],
             &v = now.x[static_cast<std::size_t>(term.v)];
  switch (term.kind) {
    case Term::Kind::vector:
      return u;
    case Term::Kind::difference:
      return u - v;
    default:
      return u.cross(v);
  }
}

VecX all_terms(const Table& table, const Pair& pair) {
  VecX out(0);
  for (const Term& term : table.terms) {
    const VecX part = value_of(term, pair);
    out.conservativeResize(out.size() + part.size());
    out.tail(part.size()) = part;
  }
  return out;
}

/// Their derivatives by the motion of the second object: truncation h^2, rounding 1e-16 / h.
MatX term_jacobian(const Table& table, const Pair& pair) {
  constexpr double h = 1e-5;
  MatX out(all_terms(table, pair).size(), 6);
  for (int i = 0; i < 6; ++i) {
    const VecX motion = VecX::Unit(12, 6 + i);
    out.col(i) =
        (all_terms(table, moved(pair, motion, h)) - all_terms(table, moved(pair, motion, -h))) /
        (2 * h);
  }
  return out;
}

class EveryTable : public testing::TestWithParam<Table> {};

/// At the pose that fulfils the table's rows next to `near`.
void expect_same_motions(const Table& table, const Pose& near, Random& random) {
  const track::Track* track = table.on_curve ? &curved_track() : nullptr;
  const Pair start = pair_at(near, random, MotionKind::rigid, MotionKind::rigid, track);
  const Pair pair = fulfilled(table, start);
  std::vector<Coordinate> holonomic;
  for (const Coordinate& c : table.rows)
    if (c.row.holonomic()) holonomic.push_back(c);
  const int n = static_cast<int>(holonomic.size());
  MatX rows(n, 6);
  for (int i = 0; i < n; ++i) {
    const Coordinate& c = holonomic[at(i)];
    EXPECT_NEAR(test::value_of(c.row, pair), target(c.row, start), 1e-13) << c.name;
    rows.row(i) = jacobian(c.row, pair).tail(6);
  }
  for (const Term& term : table.terms) {
    const bool distance = term.kind == Term::Kind::row && term.row.distance();
    EXPECT_NEAR(value_of(term, pair).norm(), distance ? target(term.row, start) : 0, 1e-12)
        << to_text(term);
  }
  const MatX slopes = term_jacobian(table, pair);
  MatX both(rows.rows() + slopes.rows(), 6);
  both << rows, slopes;
  EXPECT_EQ(rank(rows), n) << "the rows depend on each other";
  EXPECT_EQ(rank(slopes), n) << "the terms hold another number of motions";
  EXPECT_EQ(rank(both), n) << "the terms hold other motions";
}

TEST_P(EveryTable, RowsAndClosureResidualsAllowTheSameMotions) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Vec3 apart = GetParam().on_curve ? Vec3(0.1 * random.vector())
                                           : Vec3(0.5 + random.uniform(0, 0.5), -0.4, 0.3);
    expect_same_motions(GetParam(), {apart, random.rotation(0.5)}, random);
  }
}

// Some terms say less where the free coordinates are zero: D x Ax does not feel a turn there.
TEST_P(EveryTable, RowsAndClosureResidualsAllowTheSameMotionsWhereTheFramesCoincide) {
  for (const Coordinate& c : GetParam().rows)
    if (c.row.distance()) return;  // a distance is not zero
  Random random(5);
  expect_same_motions(GetParam(), {}, random);
}

// Of affine objects, and of rigid ones through what their axes do.
TEST_P(EveryTable, JacobiansOfTermsMatchDifferences) {
  for (const MotionKind motion_kind : {MotionKind::rigid, MotionKind::affine}) {
    Random random(3);
    const Table& table = GetParam();
    const Vec3 apart = table.on_curve ? Vec3(0.1, 0.05, -0.1) : Vec3(0.6, -0.4, 0.3);
    const Pair pair = pair_at({apart, random.rotation(0.4)}, random, motion_kind, motion_kind,
                              table.on_curve ? &curved_track() : nullptr);
    const VecX motion = random.unit(pair.size());
    constexpr double h = 1e-5;  // truncation h^2, rounding 1e-16 / h
    for (const Term& term : table.terms) {
      const auto change =
          ((value_of(term, moved(pair, motion, h)) - value_of(term, moved(pair, motion, -h))) /
           (2 * h))
              .eval();
      Arc arc = pair.arc;
      const Sample now = sampled(pair, features(term), 2, arc);
      std::array<double, 36> J_A{}, J_B{};
      jacobians(term, pair.ends(), now, J_A.data(), J_B.data());
      ASSERT_EQ(change.size(), components(term));
      for (int k = 0; k < components(term); ++k) {
        double rate = 0;
        for (const std::size_t end : {0u, 1u}) {
          const double* J = (end ? J_B : J_A).data() + 12 * k;
          const Mat3 dA = map_rate(pair, end, motion);
          rate += vec3(J).dot(point_rate(pair, end, motion));
          for (int i = 0; i < 3; ++i) rate += vec3(J + 3 + 3 * i).dot(dA.row(i));
        }
        EXPECT_NEAR(rate, change[k], 1e-8) << to_text(term) << " component " << k;
      }
      std::array<double, 3> g{};
      values(term, now, arc, g.data());
      for (int k = 0; k < components(term); ++k)
        EXPECT_NEAR(g[at(k)], value_of(term, pair)[k], 1e-12);
    }
  }
}

std::string table_name(const testing::TestParamInfo<Table>& info) { return plain(info.param.name); }
INSTANTIATE_TEST_SUITE_P(Tables, EveryTable, testing::ValuesIn(all_tables()), table_name);

}  // namespace
}  // namespace trammel::joint::terms_test
