// N links of 1 m x 0.05 m x 0.05 m and 2.5 kg on ball joints, let go from the horizontal. Steps of
// the velocity formulation alone are timed, without the loop over time and its books.
#include <fmt/core.h>

#include <cmath>

#include "bench.h"
#include "form/velocity.h"

namespace trammel::bench {

namespace {

constexpr double kMass = 2.5, kGravity = 9.81;  // [kg], [m/s^2]
constexpr int kLooks = 500;                     // at the state, outside the time taken

model::Builder chain(int n) {
  model::Builder b;
  for (int i = 0; i < n; ++i) {
    model::BodySpec link;
    link.name = fmt::format("link{}", i);
    link.mass = kMass;
    link.solid = model::Solid{model::Solid::Kind::box, {1, 0.05, 0.05}};
    link.X_WB.p = {i + 0.5, 0, 0};
    model::JointSpec ball;
    ball.name = fmt::format("ball{}", i);
    ball.type = "spherical";
    ball.a = i ? fmt::format("link{}", i - 1) : "ground";
    ball.b = link.name;
    ball.at = Pose{Vec3(i, 0, 0)};
    b.add_body(std::move(link));
    b.add_joint(std::move(ball));
  }
  return b;
}

/// Worst gap between the ends of neighbouring links, from the bodies' poses alone [m].
double gap(const std::vector<body::Place>& place) {
  double worst = 0;
  Vec3 end = Vec3::Zero();
  for (std::size_t i = 1; i < place.size(); ++i) {
    const Vec3 half = 0.5 * place[i].A.col(0);
    worst = std::max(worst, (place[i].p - half - end).norm());
    end = place[i].p + half;
  }
  return worst;
}

double run_once(const model::Built& chain, Figure& figure) {
  form::Velocity form(*chain.model, chain.params, {});
  model::State state = chain.state;
  form::StepReport report;
  form.load(state);
  const double start = form.total_energy(state), drop = figure.n * figure.n * kMass * kGravity / 2;
  const long every = std::max(1L, figure.steps / kLooks);
  double seconds = 0;
  for (long k = 0; k < figure.steps;) {
    const double before = cpu_seconds();
    for (long i = 0; i < every && k < figure.steps; ++i, ++k)
      form.step({}, state, figure.dt, report);
    seconds += cpu_seconds() - before;
    figure.drift = std::max(figure.drift, gap(form.now().place));
    figure.energy = std::max(figure.energy, std::abs(form.total_energy(state) - start) / drop);
  }
  figure.final_pos = form.now().place.back().p;
  return seconds;
}

}  // namespace

void bench_chain(const Options& options, const Emit& emit) {
  constexpr struct {
    int n;
    double simulated;
  } kSizes[] = {{1, 5}, {10, 5}, {100, 5}, {1000, 1}, {10000, 0.1}};
  for (const auto& [n, simulated] : kSizes) {
    reset_peak();
    const model::Built mechanism = built(chain(n));
    Figure f{"chain", "rattle", n, 1e-3, simulated, std::lround(simulated / 1e-3)};
    std::vector<double> seconds;
    for (int i = 0; i < options.repetitions; ++i) seconds.push_back(run_once(mechanism, f));
    take_median(std::move(seconds), f);
    f.peak_rss_kb = peak_rss_kb();
    emit(f);
  }
}

}  // namespace trammel::bench
