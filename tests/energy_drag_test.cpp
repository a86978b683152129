// Drag by energy, however steep it is for the step.
#include <cmath>

#include "track_support.h"

namespace trammel::acceptance::energy_drag_test {
namespace {

constexpr double kG = 9.81;

/// A ball of 1 kg that is thrown upwards, through what resists by `linear` v + `quadratic` v^2.
model::Built thrown(double speed, double linear, double quadratic) {
  model::Builder b;
  b.gravity = {0, 0, -kG};
  model::BodySpec ball = solid("ball", 1, {1e-3, 1e-3, 1e-3}, {Vec3::Zero()});
  ball.v = {0, 0, speed};
  b.add_body(ball);
  model::LoadSpec drag;
  drag.name = "air";
  drag.body = "ball";
  drag.type = "drag";
  drag.numbers["linear"] = linear;
  drag.numbers["quadratic"] = quadratic;
  b.add_load(drag);
  return built(std::move(b));
}

double speed_after(const model::Built& ball, double duration, double step,
                   form::Settings::Difference difference) {
  sim::Settings s;
  s.duration = duration;
  s.step = step;
  s.form.formulation = form::Settings::Formulation::energy;
  s.form.difference = difference;
  sim::Simulation sim(ball, s);
  while (!sim.finished() && sim.advance()) {
  }
  EXPECT_EQ(sim.failure(), "");
  return sim.formulation().velocities()[2];
}

TEST(EnergyDrag, ASteepOneIsTaken) {
  using enum form::Settings::Difference;
  const double quadratic = 0.1, end = std::sqrt(kG / quadratic);  // its terminal speed
  for (const auto difference : {bdf1, bdf2, midpoint}) {
    SCOPED_TRACE(static_cast<int>(difference));
    EXPECT_NEAR(speed_after(thrown(40, 0, quadratic), 20, 0.1, difference), -end, 1e-9);
    EXPECT_NEAR(speed_after(thrown(40, 100, 0), 5, 0.1, difference), -kG / 100, 1e-6);
  }
}

TEST(EnergyDrag, OfOrderTwo) {
  const double quadratic = 0.1, end = std::sqrt(kG / quadratic), T = 0.8;
  const double up = std::atan(40 / end) * end / kG;  // until it turns
  const double exact = end * std::tan(std::atan(40 / end) - kG * T / end);
  ASSERT_LT(T, up);
  double e[2];
  for (int k = 0; k < 2; ++k)
    e[k] = std::abs(speed_after(thrown(40, 0, quadratic), T, 0.002 / (1 << k),
                                form::Settings::Difference::bdf2) -
                    exact);
  EXPECT_NEAR(std::log2(e[0] / e[1]), 2, 0.2) << e[0] << ' ' << e[1];
}

}  // namespace
}  // namespace trammel::acceptance::energy_drag_test
