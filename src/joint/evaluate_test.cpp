// Generated from the tables: every row and every free coordinate of every joint, and rows of every
// function, between every pair of motion kinds, against differences of its value. A new entry of
// either table is tested with no code here.
#include "joint/evaluate.h"

#include <gtest/gtest.h>

#include "joint/test_rows.h"

namespace trammel::joint::evaluate_test {
namespace {

using body::MotionKind;
using namespace test;

constexpr std::array<std::array<MotionKind, 2>, 4> kPairs{
    {{MotionKind::rigid, MotionKind::rigid},
     {MotionKind::rigid, MotionKind::affine},
     {MotionKind::affine, MotionKind::rigid},
     {MotionKind::affine, MotionKind::affine}}};

/// First and second derivative in time of a function by central differences of sixth order. Motions
/// have length 1 and rows vary over lengths of 1: truncation is below h^6 / 100 = 1e-14, rounding
/// about 1e-15 / h and, times six, 1e-15 / h^2 (s counts from the track's start: ten times that).
struct Slopes {
  double first, second;
};
constexpr double kStep = 5e-3, kFirst = 2e-11, kSecond = 5e-9;

template <class F>
Slopes slopes(F&& f) {
  constexpr double h = kStep;
  const auto odd = [&](int i) { return f(i * h) - f(-i * h); };
  const auto even = [&](int i) { return f(i * h) + f(-i * h); };
  return {(45 * odd(1) - 9 * odd(2) + odd(3)) / (60 * h),
          (270 * even(1) - 27 * even(2) + 2 * even(3) - 490 * f(0.0)) / (180 * h * h)};
}

/// Of a nonholonomic row: how fast the material points that meet at the contact part along d, and
/// how that changes while both objects move on unaccelerated.
Slopes slip_differences(const Row& row, const Pair& pair, const VecX& motion) {
  Arc none;
  const auto rate = [&](double from) {
    const Pair now = moved(pair, motion, from);
    const Contact c = contact(row, sampled(now, row.features(), 2, none));
    const body::Transform& B = now.T_WO[1];
    const Vec3 point = B.p + B.A * now.frame[1].p + c.r;
    std::array<Vec3, 2> own;
    for (const std::size_t end : {0u, 1u})
      own[end] = now.T_WO[end].A.inverse() * (point - now.T_WO[end].p);
    return slopes([&](double t) {
             const Pair later = moved(now, motion, t);
             const auto at = [&](std::size_t e) {
               return Vec3(later.T_WO[e].p + later.T_WO[e].A * own[e]);
             };
             return c.d.dot(at(1) - at(0));
           })
        .first;
  };
  return {rate(0), slopes(rate).first};
}

/// Of a row while both objects move on; angles are followed over their cut.
Slopes differences(const Row& row, const Pair& pair, const VecX& motion) {
  if (!row.holonomic()) return slip_differences(row, pair, motion);
  const double now = value_of(row, pair);
  return slopes([&](double t) {
    const double change = value_of(row, moved(pair, motion, t)) - now;
    return row.turns() ? std::remainder(change, 2 * M_PI) : change;
  });
}

/// How strongly a row curves here, for tolerances: accelerations grow with it.
double size_of(const VecX& J) { return 1 + J.squaredNorm(); }

/// Frames apart and askew, off every constraint; along a track within reach of it.
Pose off_constraint(Random& random, bool on_track) {
  if (on_track) return {Vec3(0.2, 0.7, -0.6) + 0.2 * random.vector(), random.rotation(0.4)};
  return {Vec3(0.7, -0.5, 0.6) + 0.3 * random.vector(), random.rotation(0.6)};
}

/// Calls f(pair, random, seed) for every pair of motion kinds and a few random states.
template <class F>
void for_each_pair(bool on_track, F&& f) {
  for (const auto& [a, b] : kPairs)
    for (unsigned seed = 1; seed <= 3; ++seed) {
      Random random(seed);
      const track::Track* track = on_track ? &curved_track() : nullptr;
      f(pair_at(off_constraint(random, on_track), random, a, b, track), random, seed);
    }
}

class EveryJoint : public testing::TestWithParam<Table> {
 protected:
  /// Calls f(row, pair) for every row, pair of motion kinds and a few random states.
  template <class F>
  void for_each_state(F&& f) const {
    const Table& table = GetParam();
    for_each_pair(table.on_curve, [&](const Pair& pair, Random& random, unsigned seed) {
      for (const Coordinate& c : all_rows(table)) {
        const auto& [a, b] = pair.motion_kind;
        SCOPED_TRACE(c.name + ", motion kinds " + std::to_string(static_cast<int>(a)) +
                     std::to_string(static_cast<int>(b)) + ", seed " + std::to_string(seed));
        f(c.row, pair, random);
      }
    });
  }
};

TEST_P(EveryJoint, JacobianIsTheGradientOfTheValue) {
  for_each_state([](const Row& row, const Pair& pair, Random&) {
    const VecX J = jacobian(row, pair);
    for (int i = 0; i < pair.size(); ++i)
      EXPECT_NEAR(J[i], differences(row, pair, VecX::Unit(pair.size(), i)).first,
                  kFirst * size_of(J))
          << i;
  });
}

TEST_P(EveryJoint, FirstOrderSampleHasTheSameJacobian) {
  for_each_state([](const Row& row, const Pair& pair, Random&) {
    Arc arc = pair.arc;
    const double g = value(row, sampled(pair, row.features(), 1, arc), arc);
    EXPECT_NEAR(g, value_of(row, pair), 1e-14 * (1 + std::abs(g)));
    const VecX J = jacobian(row, pair);  // s is taken to 1e-8 m
    EXPECT_NEAR((jacobian(row, pair, 1) - J).norm(), 0, 1e-8 * size_of(J));
  });
}

TEST_P(EveryJoint, RateAndBiasMatchDifferencesOfTheValue) {
  for_each_state([](const Row& row, const Pair& pair, Random& random) {
    const VecX J = jacobian(row, pair), motion = random.unit(pair.size());
    std::array<body::Rate, 2> rate;
    std::array<body::Bias, 2> bias;
    for (const std::size_t end : {0u, 1u}) {
      rate[end] = {point_rate(pair, end, motion), map_rate(pair, end, motion)};
      if (pair.motion_kind[end] == MotionKind::rigid)
        bias[end].A = rate[end].A * pair.T_WO[end].A.transpose() * rate[end].A;
    }
    Arc arc = pair.arc;
    const Sample now = sampled(pair, row.features(), 2, arc);
    SampleRates moving;
    sample_rates(pair.ends(), now, row.features(), {&rate[0], &rate[1], &bias[0], &bias[1]},
                 moving);
    const RowRates got = rates(row, now, moving);
    const Slopes expected = differences(row, pair, motion);
    EXPECT_NEAR(got.rate, J.dot(motion), 1e-13 * size_of(J));
    EXPECT_NEAR(got.rate, expected.first, kFirst * size_of(J));
    EXPECT_NEAR(got.bias, expected.second, kSecond * size_of(J));
  });
}

TEST_P(EveryJoint, SecondVariationMatchesSecondDifferencesOfTheValue) {
  for_each_state([](const Row& row, const Pair& pair, Random& random) {
    if (!row.holonomic()) return;
    Arc arc = pair.arc;
    const Sample now = sampled(pair, row.features(), 2, arc);
    const SecondVariation second = second_variation(row, pair.ends(), now);
    EXPECT_NEAR((second.H - second.H.transpose()).norm(), 0, 1e-13 * (1 + second.H.norm()));
    const double size = size_of(jacobian(row, pair));
    for (int trial = 0; trial < 3; ++trial) {
      const VecX motion = random.unit(pair.size());
      double twice = motion.dot(second.H * motion);
      for (const std::size_t end : {0u, 1u}) {  // the objects' own: [w]x [w]x A, or nothing
        if (pair.motion_kind[end] != MotionKind::rigid) continue;
        const Mat3 dA = map_rate(pair, end, motion), ddA = dA * pair.T_WO[end].A.transpose() * dA;
        twice += (end == 0 ? second.F_A : second.F_B).cwiseProduct(ddA).sum();
      }
      EXPECT_NEAR(twice, differences(row, pair, motion).second, kSecond * size);
    }
  });
}

TEST_P(EveryJoint, DoesNotFeelTheTwoObjectsMovingTogether) {
  for_each_state([](const Row& row, const Pair& pair, Random& random) {
    const VecX J = jacobian(row, pair);
    const Vec3 v = random.vector(), w = random.vector();
    VecX motion(pair.size());
    for (const std::size_t end : {0u, 1u}) {
      double* m = motion.data() + (end == 0 ? 0 : pair.size(0));
      vec3(m) = v + w.cross(pair.T_WO[end].p);
      const Mat3 dA = skew(w) * pair.T_WO[end].A;
      if (pair.motion_kind[end] == MotionKind::rigid)
        vec3(m + 3) = w;
      else
        for (int i = 0; i < 9; ++i) m[3 + i] = dA(i / 3, i % 3);
    }
    EXPECT_NEAR(J.dot(motion), 0, 1e-13 * (1 + J.norm() * motion.norm()));
  });
}

std::string table_name(const testing::TestParamInfo<Table>& info) { return plain(info.param.name); }
INSTANTIATE_TEST_SUITE_P(Tables, EveryJoint, testing::ValuesIn(all_tables()), table_name);

INSTANTIATE_TEST_SUITE_P(Shapes, EveryJoint, testing::Values(strain_table(), stretch_table()),
                         table_name);

/// Whether differences of the row are as good as kFirst and kSecond say: it is not steep in any of
/// the states, nor near to where it has no rate.
bool is_smooth(const Row& row, bool on_track) {
  bool smooth = true;
  for_each_pair(on_track, [&](const Pair& pair, Random&, unsigned) {
    Arc arc = pair.arc;
    const Sample sample = sampled(pair, row.features(), 2, arc);
    smooth &= jacobian(row, pair).norm() < 4;
    for (int i = 0; row.fn->h.margin != nullptr && i < row.products(); ++i) {
      const Product& p = row.of[at(i)];
      const double size = sample.x[static_cast<std::size_t>(p.u)].norm() *
                          sample.x[static_cast<std::size_t>(p.v)].norm();
      smooth &= margin(row, sample) > 0.5 * std::max(1., size);
    }
  });
  return smooth;
}

/// A joint for each function, and one more along a track for those that can be: rows drawn from
/// what the function takes, off tracks of the features up to D.
std::vector<Table> tables_of_functions() {
  std::vector<Table> out;
  for (const Function& f : functions())
    for (const bool on_track : {false, true}) {
      Table table;
      table.name = name_of(f) + (on_track ? " along a track" : "");
      table.on_curve = on_track;
      for (const Row& row : rows_of(f, 4, [&](const Row& r) {
             return r.on_curve() == on_track && is_smooth(r, on_track);
           }))
        table.rows.push_back({to_text(row), row});
      if (!table.rows.empty()) out.push_back(std::move(table));
    }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Functions, EveryJoint, testing::ValuesIn(tables_of_functions()),
                         table_name);

TEST(Functions, AllBetweenObjectsAreTested) {
  const std::vector<Table> tables = tables_of_functions();
  for (const Function& f : functions()) {
    const auto is = [&](const Table& table) { return table.rows[0].row.fn == &f; };
    EXPECT_EQ(std::any_of(tables.begin(), tables.end(), is), !f.coupled) << name_of(f);
  }
}

/// Stretched and squeezed by tens of percent, where the two kinds of strain differ.
TEST(Shapes, OfAStronglyStrainedBody) {
  Random random(4);
  Pair pair = pair_at({}, random, MotionKind::affine, MotionKind::affine, nullptr);
  const Mat3 V = random.rotation();
  pair.T_WO[0].A = random.rotation() * V * Vec3(0.6, 1.1, 1.5).asDiagonal() * V.transpose();
  const Mat3& A = pair.T_WO[0].A;
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 R = svd.matrixU() * svd.matrixV().transpose();
  for (const Table* table : {&strain_table(), &stretch_table()}) {
    double sum = 0;
    for (const Coordinate& c : table->rows) {
      const Row& row = c.row;
      const double g = value_of(row, pair);
      sum += (row.of[0].u == row.of[0].v ? 1 : 2) * g * g;
      const VecX J = jacobian(row, pair), motion = random.unit(24);
      Arc arc;
      const MatX H = second_variation(row, pair.ends(), sampled(pair, row.features(), 2, arc)).H;
      const Slopes expected = differences(row, pair, motion);
      EXPECT_NEAR(J.dot(motion), expected.first, kFirst) << to_text(row);
      EXPECT_NEAR(motion.dot(H * motion), expected.second, kSecond) << to_text(row);
    }
    const double expected = table == &stretch_table()
                                ? (A - R).squaredNorm()
                                : (A * A.transpose() - Mat3::Identity()).squaredNorm() / 4;
    EXPECT_NEAR(sum, expected, 1e-14);
  }
}

/// A body that keeps exactly to a track which itself tumbles: its motion from first principles.
struct Ride {
  double s_dot = 1.7, s_ddot = -0.6;                                              // [m/s], [m/s^2]
  Vec3 v{0.3, -1, 0.5}, w{0.7, -0.4, 1.1}, a{2, 0.4, -1}, alpha{-0.8, 0.5, 0.9};  // of the track
};

TEST(TrackRows, HoldExactlyForARideAlongAMovingTrack) {
  Random random(5);
  const Ride ride;
  const track::Track& track = curved_track();
  const Pair pair = pair_at({}, random, MotionKind::rigid, MotionKind::rigid, &track);
  const geom::CurvePoint c = track.at(kMiddle);
  const auto& [A, B] = pair.T_WO;
  const Mat3 R_WF = A.A * pair.frame[0].R;
  const Vec3 r = A.A * pair.frame[0].p + R_WF * c.p, T = R_WF * c.C.col(0);  // the point, from A
  const Vec3 Omega = R_WF * c.Omega, dOmega = R_WF * c.dOmega;
  const double sd = ride.s_dot;
  // the point and the frame that ride, seen from the track body, then in the world
  const Vec3 w_rel = sd * Omega, alpha_rel = ride.s_ddot * Omega + sd * sd * dOmega;
  const Vec3 v_rel = sd * T, a_rel = ride.s_ddot * T + sd * sd * Omega.cross(T);
  const Vec3 w_B = ride.w + w_rel, alpha_B = ride.alpha + alpha_rel + ride.w.cross(w_rel);
  const Vec3 v_P = ride.v + ride.w.cross(r) + v_rel;
  const Vec3 a_P = ride.a + ride.alpha.cross(r) + ride.w.cross(ride.w.cross(r)) +
                   2 * ride.w.cross(v_rel) + a_rel;
  const Vec3 r_B = B.A * pair.frame[1].p;
  const Mat3 W_A = skew(ride.w), W_B = skew(w_B);
  const Mat3 WW_A = skew(ride.alpha) + W_A * W_A, WW_B = skew(alpha_B) + W_B * W_B;
  const body::Rate rate_A{ride.v, W_A * A.A}, rate_B{v_P - W_B * r_B, W_B * B.A};
  const body::Bias bias_A{ride.a, WW_A * A.A}, bias_B{a_P - WW_B * r_B, WW_B * B.A};
  for (const Coordinate& coordinate : find_table("track")->rows) {
    SCOPED_TRACE(coordinate.name);
    Arc arc = pair.arc;
    const Sample now = sampled(pair, coordinate.row.features(), 2, arc);
    SampleRates moving;
    sample_rates(pair.ends(), now, coordinate.row.features(), {&rate_A, &rate_B, &bias_A, &bias_B},
                 moving);
    EXPECT_NEAR(arc.s, kMiddle, 1e-13);
    EXPECT_NEAR(moving.s_dot, ride.s_dot, 1e-13);
    EXPECT_NEAR(moving.s_ddot, ride.s_ddot, 1e-12);
    const RowRates got = rates(coordinate.row, now, moving);
    EXPECT_NEAR(value(coordinate.row, now, arc), 0, 1e-14);
    EXPECT_NEAR(got.rate, 0, 1e-13);
    EXPECT_NEAR(got.bias, 0, 1e-12);  // here the objects' accelerations are in it
  }
}

TEST(TrackRows, ProjectionIsFoundFromAfarAndLostBeyondTheMiddleOfTheBend) {
  Random random(2);
  Pair pair = pair_at({}, random, MotionKind::rigid, MotionKind::rigid, &curved_track());
  Arc arc{kMiddle + 3, 0};
  EXPECT_FALSE(sampled(pair, kProjection, 1, arc).lost);
  EXPECT_NEAR(arc.s, kMiddle, 1e-13);
  const geom::CurvePoint c = curved_track().at(kMiddle);
  const Vec3 to_centre = c.Omega.cross(c.C.col(0)) / c.Omega.cross(c.C.col(0)).squaredNorm();
  const Mat3 R_WF = pair.T_WO[0].A * pair.frame[0].R;
  for (const double share : {0.45, 0.55}) {  // of the radius of curvature
    Pair off = pair;
    off.T_WO[1].p += share * (R_WF * to_centre);
    arc = {kMiddle, 0};
    EXPECT_EQ(sampled(off, kProjection, 1, arc).lost, share > 0.5) << share;
  }
}

}  // namespace
}  // namespace trammel::joint::evaluate_test
