// What a PID controller gives, sample by sample, against its equations worked out by hand.
#include "sim/controllers.h"

#include <gtest/gtest.h>

#include <vector>

namespace trammel::sim::controllers_test {
namespace {

/// A controller by itself, sampled every 0.1 s.
class Sampled {
 public:
  explicit Sampled(const PidSpec& spec) : spec_(pid(spec)), memory_(spec_.memory.size(), 0.) {}

  double at(std::vector<double> measures) {
    spec_.update({t_, t_ > 0 ? 0.1 : 0, measures, memory_, output_});
    t_ += 0.1;
    return output_[0];
  }

 private:
  ControllerSpec spec_;
  std::vector<double> memory_, output_{0};
  double t_ = 0;
};

PidSpec spec() {
  return {.name = "pid", .period = 0.1, .output = "u", .measure = {}, .target = {}};
}

TEST(Pid, TheRateOfTheErrorIsFilteredByItsTimeConstant) {
  PidSpec s = spec();
  s.kd = 2;
  s.filter = 0.3;
  Sampled pid(s);
  EXPECT_EQ(pid.at({0, 1}), 0);  // no rate is known yet
  // e falls by 0.5 in 0.1 s: d = 0.1/(0.3 + 0.1) (-5 - d)
  EXPECT_NEAR(pid.at({0.5, 1}), 2 * -1.25, 1e-14);
  EXPECT_NEAR(pid.at({1, 1}), 2 * (-1.25 + 0.25 * (-5 + 1.25)), 1e-14);
}

TEST(Pid, RatesThatAreMeasuredAreThoseOfTargetAndMeasure) {
  PidSpec s = spec();
  s.kd = 2;
  s.rate = Formula{};
  s.target_rate = Formula{};
  Sampled pid(s);
  EXPECT_EQ(pid.at({0, 1, 3, 10}), 2 * (10 - 3));  // measure, target, rate, target_rate
}

TEST(Pid, TheRateOfTheOutputIsLimitedBothWays) {
  PidSpec s = spec();
  s.kp = 100;
  s.rate_limit = 7;
  Sampled pid(s);
  EXPECT_EQ(pid.at({0, 0}), 0);
  EXPECT_NEAR(pid.at({0, 1}), 0.7, 1e-15);
  EXPECT_NEAR(pid.at({0, 1}), 1.4, 1e-15);
  EXPECT_NEAR(pid.at({0, -1}), 0.7, 1e-15);
  EXPECT_NEAR(pid.at({0, -1}), 0, 1e-15);
  EXPECT_NEAR(pid.at({0, -1}), -0.7, 1e-15);
}

}  // namespace
}  // namespace trammel::sim::controllers_test
