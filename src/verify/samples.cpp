#include "verify/samples.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "math/rotation.h"
#include "model/ledger.h"

namespace trammel::verify {

namespace {

constexpr long kMostTimes = 50, kLeastTimes = 20, kCoarse = 20;

double cpu_now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Angle of the rotation between two [rad]: |A - B| = 2 sqrt(2) sin(angle/2), exact when small.
double angle_between(const Mat3& A, const Mat3& B) {
  return 2 * std::asin(std::min(1.0, (A - B).norm() / (2 * std::sqrt(2.0))));
}

void see(const sim::Simulation& run, Samples& out) {
  for (const int i : out.object) {
    const body::Place& place = run.formulation().now().place[static_cast<std::size_t>(i)];
    const bool rigid =
        run.model().objects[static_cast<std::size_t>(i)].carrier == body::Carrier::rigid;
    out.X.push_back({place.p, rigid ? place.A : polar(place.A)});
  }
  out.taken.push_back(-run.state().ledger[model::kIntegrator]);
  const auto& P = run.state().P;
  if (out.moving_at >= 0 || std::all_of(P.begin(), P.end(), [](double x) { return x == 0; }))
    return;
  out.moving = run.state();
  out.moving_at = out.count() - 1;
}

}  // namespace

long Grid::coarse() const {
  for (long n = std::min(stride, kCoarse); n > 1; --n)
    if (stride % n == 0) return n;
  return 1;
}

/// The greatest count that divides the steps and leaves a grid with long coarse steps; else one
/// that leaves out some steps at the end.
Grid make_grid(double h, double horizon) {
  const long steps = std::max(1L, std::lround(horizon / h));
  for (long n = std::min(kMostTimes, steps); n >= std::min(kLeastTimes, steps); --n) {
    const Grid grid{h, steps / n, n};
    if (steps % n == 0 && 2 * grid.coarse() >= std::min(grid.stride, kCoarse)) return grid;
  }
  long stride = (steps + kMostTimes - 1) / kMostTimes;
  if (stride > kCoarse) stride = (stride + kCoarse - 1) / kCoarse * kCoarse;
  return {h, stride, steps / stride};
}

void Distance::take(const Distance& other) {
  if (other.length > length) {
    length = other.length;
    length_body = other.length_body;
  }
  if (other.angle > angle) {
    angle = other.angle;
    angle_body = other.angle_body;
  }
}

long Samples::count() const {
  return object.empty() ? 0 : static_cast<long>(X.size() / object.size());
}

Samples sample(const model::Built& built, sim::Settings settings, long every, long count,
               double most) {
  Samples out;
  for (std::size_t i = 0; i < built.model->objects.size(); ++i)
    if (built.model->objects[i].block >= 0) out.object.push_back(static_cast<int>(i));
  settings.duration = static_cast<double>(every * count) * settings.step;
  settings.probes.clear();
  const double begin = cpu_now();
  sim::Simulation run(built, settings);
  while (!run.finished() && !out.enough && run.advance()) {
    if (run.steps_made() % every == 0) see(run, out);
    out.enough = !run.finished() && cpu_now() - begin > most;
  }
  out.failure = run.failure();
  for (const body::Place& place : run.formulation().now().place)
    out.reach = std::max(out.reach, place.p.norm());
  const Vec3 g = vec3(run.built().params.values.data() + model::kGravityParam);
  out.energies = run.formulation().kinematics().total_mass() * g.norm() * out.reach +
                 std::abs(run.energy()) + std::abs(run.energy() - run.imbalance());
  out.cpu = cpu_now() - begin;
  out.summary = run.summary();
  return out;
}

Distance apart(const Pose* a, const Pose* b, std::size_t n) {
  Distance out;
  for (std::size_t i = 0; i < n; ++i) {
    const int body = static_cast<int>(i);
    out.take({(a[i].p - b[i].p).norm(), angle_between(a[i].R, b[i].R), body, body});
  }
  return out;
}

}  // namespace trammel::verify
