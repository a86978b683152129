// Long runs on tracks that only push: what is held on one side must not creep.
#include "track_support.h"

namespace trammel::acceptance::track_drift_test {
namespace {

/// A body at 30 m/s round a closed circle of 300 m, one row unilateral.
model::Builder round(const char* unilateral) {
  geom::ChainSpec spec;
  const geom::CurvePtr half = arc(1 / 300.0, 300 * M_PI);
  spec.members = {half, arc(1 / 300.0, 300 * M_PI, geom::end_pose(*half))};
  spec.closed = true;
  EXPECT_TRUE(geom::check(spec).empty());
  model::Builder b;
  b.add_track(track_of(std::make_shared<geom::Chain>(spec)));
  b.add_body(on_track("car", 900, 10, 30, {300, 700, 800, 0, 0, 0}));
  model::JointSpec j = running("car");
  model::RowSpec row;
  row.row = unilateral;
  row.unilateral = true;
  j.rows.push_back(row);
  b.add_joint(j);
  return b;
}

class SlowTrackDrift : public testing::TestWithParam<const char*> {};

TEST_P(SlowTrackDrift, UnilateralRowStaysForAMinute) {
  Ride ride(round(GetParam()), 1e-3, 60);
  const int row = std::string(GetParam()) == "lateral" ? 0 : 1;
  double drift = 0;
  for (int k = 1; k <= 6000; ++k) {
    ride.to(0.01 * k);
    drift = std::max(drift, std::abs(ride.g(row)));
  }
  EXPECT_LT(drift, 1e-9);  // stage P's tolerance, 1e-12
  EXPECT_EQ(ride.sim.summary().steps, 60000);
  EXPECT_NEAR(ride.s(), 10 + 1800, 1e-3);  // nearly once round; truncation (kappa v h)^2 / 6
  EXPECT_GT(ride.force(row), 0);
  EXPECT_LT(ride.sim.summary().max_row_speed, 1e-10);
  EXPECT_TRUE(ride.events.empty());
}

INSTANTIATE_TEST_SUITE_P(, SlowTrackDrift, testing::Values("lateral", "vertical"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace trammel::acceptance::track_drift_test
