#include "reference.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>

namespace trammel::bench {

namespace {

struct Kept {
  std::string_view scene;
  int n;
  double seconds, dt;
  double x, y, z;  // of the last body [m]
};

// Made by `trammel_bench reference`, which integrates them anew and says how far these are off.
constexpr Kept kReferences[] = {
    {"chain", 1, 5, 1e-5, -0.4900049462776, 0, -0.099474381744698},
    {"chain", 10, 2, 1e-5, -7.137118504552, 0, -5.7661104502385},
    {"chain", 10, 5, 1e-5, 7.0350290603805, 0, -4.9448376511876},
    {"chain", 100, 5, 1e-5, -25.625257798346, 0, -83.519952084971},
    {"chain", 1000, 1, 1e-5, 999.06483759627, 0, -4.905},
    {"chain", 10000, 0.1, 1e-5, 9999.4995742726, 0, -0.04905},
    {"chain", 100000, 0.01, 1e-5, 99999.499999801, 0, -0.0004905},
    {"fourbar", 2, 10, 1e-5, 1.8284581115408, 0, 0.9445185381786},
    {"fourbar", 40, 10, 1e-5, 39.680512226687, 0, 0.98357274058231},
    {"slider", 100, 2, 1e-5, 9.740001890943, 9, -0.002222542879545},
    {"slider", 1000, 2, 1e-5, 21.740001890943, 93, -0.002222542879545},
};

Vec3 integrate(const Kept& k, double dt) {
  if (k.scene == "chain") return integrate_chain(k.n, k.seconds, dt);
  if (k.scene == "fourbar") return integrate_fourbar(k.n, k.seconds, dt);
  return integrate_slider(k.n, k.seconds, dt);
}

}  // namespace

double error_of(const Figure& f) {
  for (const Kept& k : kReferences)
    if (k.scene == f.scenario && k.n == f.n && std::abs(k.seconds - f.simulated) < 1e-9)
      return (f.final_pos - Vec3(k.x, k.y, k.z)).norm();
  return kNone;
}

void print_references() {
  for (const Kept& k : kReferences) {
    const Vec3 p = integrate(k, k.dt), coarse = integrate(k, 2 * k.dt);
    fmt::print("    {{\"{}\", {}, {}, {:g}, {:.15g}, {:.15g}, {:.15g}}},\n", k.scene, k.n,
               k.seconds, k.dt, p.x(), p.y(), p.z());
    fmt::print("    // kept: {:.1e} m off; at twice the step: {:.1e} m\n",
               (p - Vec3(k.x, k.y, k.z)).norm(), (p - coarse).norm());
    std::fflush(stdout);
  }
}

}  // namespace trammel::bench
