#pragma once

#include <fmt/format.h>

#include "scene_support.h"

/// Whether runs by impulses are of second order in the step, beside those by forces.
namespace trammel::acceptance {

inline std::string simulation_of(double duration, const std::string& step,
                                 const char* formulation) {
  return fmt::format("format = 1\n[simulation]\nduration = {}\nstep = {}\nformulation = \"{}\"\n",
                     duration, step, formulation);
}

/// Where a body is at the end, and the energy that its run cannot explain.
struct Ends {
  Vec3 p;
  double residual;
};
inline Ends run_of(const std::string& scene, const char* body) {
  Simulation sim = simulation(scene);
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_EQ(sim.failure(), "");
  EXPECT_TRUE(sim.warnings().empty()) << sim.warnings()[0].text;
  return {pose(sim, body).p, sim.summary().energy_residual};
}

constexpr double kAccuracyOfForces = 1e-8;  // of places after many impacts [m]

/// Errors beside the run by forces fall by `ratio` at least as steps are halved: 4 is order 2.
inline void expect_order(const char* scene, double duration, const char* body, double error_at_2_ms,
                         double ratio = 3.2, double residual = 1e-4) {
  SCOPED_TRACE(body);
  const Vec3 wanted = run_of(simulation_of(duration, "\"1 ms\"", "acceleration") + scene, body).p;
  double last = 0;
  for (const char* step : {"\"2 ms\"", "\"1 ms\"", "\"0.5 ms\""}) {
    const Ends ends = run_of(simulation_of(duration, step, "velocity") + scene, body);
    const double error = (ends.p - wanted).norm();
    EXPECT_LT(error, std::max(last > 0 ? last / ratio : error_at_2_ms, kAccuracyOfForces)) << step;
    EXPECT_LT(ends.residual, residual) << step;
    last = error;
  }
}

}  // namespace trammel::acceptance
