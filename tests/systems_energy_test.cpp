// The energy of systems in generalised coordinates over 1000 s: by impulses the flow is symplectic,
// so that the energy swings about that of a motion close by and has no trend; by forces it is kept
// to what the accuracy allows.
#include <algorithm>
#include <limits>

#include "systems.h"

namespace trammel::acceptance::systems_energy_test {
namespace {

using namespace systems;

constexpr double kDuration = 1000;  // [s]
constexpr std::size_t kParts = 10;

struct Case {
  const char* scene;
  const char* pivot;  // a coordinate that turns or swings: the run is no rest
  double step;        // by impulses [s]
  double scale;       // greatest kinetic energy, about [J]
  double swing;       // of the energy by impulses, at most, of the scale
  double off;         // by forces, at most, of the scale
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.scene; }

/// What is conserved: the energy, less the work of what drives the system.
double conserved(const sim::Simulation& sim) {
  double out = sim.energy();
  for (const model::LawOnRow& l : sim.model().laws)
    if (l.ledger >= 0) out -= sim.state().ledger[static_cast<std::size_t>(l.ledger)];
  return out;
}

struct Course {
  std::array<double, kParts> mean{};  // of each tenth of the run, from the start [J]
  double lo = std::numeric_limits<double>::infinity(), hi = -lo, moved = 0;

  double swing() const { return hi - lo; }
  /// Of the line through the means: what it rises over the whole run.
  double trend() const {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < kParts; ++i) {
      const double t = static_cast<double>(i) - (kParts - 1) / 2.0;
      sum += t * mean[i];
      squares += t * t;
    }
    return kParts * sum / squares;
  }
};

Course course(const Case& c, const Overrides& overrides) {
  const io::LoadedScene scene = loaded(c.scene, overrides);
  sim::Simulation sim(scene.built, scene.scene.settings);
  const double start = conserved(sim), at_start = coordinate(sim, c.pivot).x;
  const long all = sim.steps_total();
  Course out;
  long k = 0;
  std::array<long, kParts> n{};
  run(sim, [&] {
    const double e = conserved(sim) - start;
    const auto part = static_cast<std::size_t>(static_cast<long>(kParts) * k++ / all);
    out.mean[part] += e;
    ++n[part];
    out.lo = std::min(out.lo, e);
    out.hi = std::max(out.hi, e);
    out.moved = std::max(out.moved, std::abs(coordinate(sim, c.pivot).x - at_start));
  });
  for (std::size_t i = 0; i < kParts; ++i) out.mean[i] /= static_cast<double>(n[i]);
  return out;
}

class SlowSystemEnergy : public testing::TestWithParam<Case> {};

TEST_P(SlowSystemEnergy, SwingsWithoutTrendByImpulses) {
  const Case& c = GetParam();
  const Course e = course(c, over(by_impulses(), kDuration, c.step));
  RecordProperty("swing", fmt::format("{:.3g}", e.swing() / c.scale));
  RecordProperty("trend", fmt::format("{:.3g}", e.trend() / e.swing()));
  EXPECT_GT(e.moved, 0.5);                           // [rad]
  EXPECT_GT(e.swing(), 1e-9 * c.scale);              // there is something to see a trend in
  EXPECT_LT(e.swing(), c.swing * c.scale);           // truncation
  EXPECT_LT(std::abs(e.trend()), 0.01 * e.swing());  // the last swing of a part is cut short
}

TEST_P(SlowSystemEnergy, IsKeptByForces) {
  const Case& c = GetParam();
  const Course e = course(c, over(by_forces("1e-11"), kDuration, 0.05));
  RecordProperty("off", fmt::format("{:.3g}", std::max(e.hi, -e.lo) / c.scale));
  EXPECT_GT(e.moved, 0.5);                            // [rad]
  EXPECT_LT(std::max(e.hi, -e.lo), c.off * c.scale);  // truncation, which adds up
}

INSTANTIATE_TEST_SUITE_P(
    , SlowSystemEnergy,
    testing::Values(Case{"pendulum", "pendulum.theta", 5e-3, 10, 2e-4, 1e-10},
                    Case{"double_pendulum", "double.theta1", 2e-3, 40, 1e-3, 1e-8},
                    Case{"spherical_pendulum", "pendulum.a", 5e-3, 5, 2e-4, 1e-10},
                    Case{"hoop", "hoop.theta", 5e-3, 1, 1e-3, 1e-10},
                    Case{"top", "top.tilt", 2e-3, 0.3, 1e-4, 1e-10}),
    [](const auto& c) { return std::string(c.param.scene); });

}  // namespace
}  // namespace trammel::acceptance::systems_energy_test
