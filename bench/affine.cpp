// Affine bodies by energies: what a Newton iteration and a step cost a body, and how many Newton
// iterations a step takes.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "bench.h"
#include "form/energy.h"
#include "process.h"

namespace trammel::bench {

namespace {

constexpr double kStep = 0.01;                       // [s]
constexpr double kTolerance = 1e-8, kAny = 1e9;      // [m]; one Newton iteration a step
constexpr double kLength = 0.4, kThickness = 0.1;    // of a link [m]
constexpr double kDensity = 1000, kStiffness = 1e8;  // [kg/m^3], [Pa]

void add_link(model::Builder& b, int i, const Vec3& centre, const Vec3& sides) {
  model::BodySpec link;
  link.name = fmt::format("b{}", i);
  link.mass = kDensity * sides.prod();
  link.solid = {model::Solid::Kind::box, sides};
  link.X_WB.p = centre;
  link.affine = model::Elastic{kStiffness, {}};
  b.add_body(link);
}

void add_ball(model::Builder& b, int below, int above, const Vec3& at) {
  model::JointSpec joint;
  joint.name = fmt::format("j{}_{}", below, above);
  joint.type = "spherical";
  if (below >= 0) joint.a = fmt::format("b{}", below);
  joint.b = fmt::format("b{}", above);
  joint.at = Pose{at, Mat3::Identity()};
  b.add_joint(joint);
}

/// Links in a row from the origin on.
model::Built chain(int n, const Vec3& way) {
  model::Builder b;
  const Vec3 along = way.cwiseAbs(), sides = kLength * along + kThickness * (Vec3::Ones() - along);
  for (int i = 0; i < n; ++i) {
    add_link(b, i, kLength * (i + 0.5) * way, sides);
    add_ball(b, i - 1, i, kLength * i * way);
  }
  return built(b);
}

/// Links along the lines of a grid of n by n knots, two corners of which are held: loops all over.
model::Built net(int n) {
  model::Builder b;
  int count = 0;
  std::vector<std::vector<int>> at(static_cast<std::size_t>(n * n));  // links at a knot
  const auto knot = [&](int i, int k) -> std::vector<int>& {
    return at[static_cast<std::size_t>(i * n + k)];
  };
  const auto link = [&](int i, int k, const Vec3& way) {
    const Vec3 sides = kLength * way + kThickness * (Vec3::Ones() - way);
    add_link(b, count, kLength * (Vec3(i, k, 0) + 0.5 * way), 0.9 * sides);
    knot(i, k).push_back(count);
    knot(i + (way.x() > 0), k + (way.y() > 0)).push_back(count++);
  };
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      if (i + 1 < n) link(i, k, Vec3::UnitX());
      if (k + 1 < n) link(i, k, Vec3::UnitY());
    }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const Vec3 x = kLength * Vec3(i, k, 0);
      const std::vector<int>& links = knot(i, k);
      if (k == 0 && (i == 0 || i == n - 1)) add_ball(b, -1, links[0], x);
      for (std::size_t l = 1; l < links.size(); ++l) add_ball(b, links[l - 1], links[l], x);
    }
  return built(b);
}

struct Found {
  double step = 0, gap = 0;  // CPU [us] a body; worst gap [m]
  int most = 0, all = 0;     // Newton iterations of a step, of all of them
};

Found run_once(const model::Built& scene, long steps, double tolerance) {
  form::Settings settings;
  settings.formulation = form::Settings::Formulation::energy;
  settings.joint_stiffness = 1e8;
  settings.difference = form::Settings::Difference::bdf1;
  settings.tolerance = {tolerance, true};
  form::Energy form(*scene.model, scene.params, settings);
  model::State state = scene.state;
  form::StepReport report;
  form.load(state);
  Found f;
  const double before = cpu_seconds();
  for (long k = 0; k < steps; ++k) {
    form.step(state, kStep, report);
    if (report.status != form::Status::ok) {
      fmt::print(stderr, "step {}: {}\n", k, report.reason);
      f.gap = kNone;
      return f;
    }
    f.all += report.iterations;
    f.most = std::max(f.most, report.iterations);
    f.gap = std::max(f.gap, report.gap);
  }
  f.step = 1e6 * (cpu_seconds() - before) / scene.model->n_u * 12 / static_cast<double>(steps);
  return f;
}

/// The median of what f says.
template <class F>
double median(const std::vector<std::pair<Found, Found>>& runs, const F& f) {
  std::vector<double> x;
  for (const auto& [fine, once] : runs) x.push_back(f(fine, once));
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

/// What a Newton iteration costs follows from runs of one a step.
void measure(const char* what, const model::Built& scene, long steps, const Options& options,
             Report& report) {
  const int n = scene.model->n_u / 12;
  const long before = rss_kb();
  std::vector<std::pair<Found, Found>> runs;
  for (int i = 0; i < options.repetitions; ++i)
    runs.emplace_back(run_once(scene, steps, kTolerance), run_once(scene, steps, kAny));
  const double step = median(runs, [](const Found& f, const Found&) { return f.step; });
  const double one = median(runs, [](const Found&, const Found& once) { return once.step; });
  const double iteration = median(runs, [&](const Found& f, const Found& once) {
    return (f.step - once.step) * static_cast<double>(steps) / (f.all - once.all);
  });
  const Found& f = runs[0].first;
  report.note(
      fmt::format("{:<16} {:>8} {:>8.3f} {:>9.3f} {:>8.3f} {:>6.1f} {:>5} {:>9.1e} {:>7.0f}", what,
                  n, iteration, one, step, f.all / static_cast<double>(steps), f.most, f.gap,
                  1024. * static_cast<double>(peak_rss_kb() - before) / n));
  Figure figure{what, "bdf1", n, kStep, kStep * static_cast<double>(steps), steps};
  figure.seconds = 1e-6 * step * n * static_cast<double>(steps);
  figure.drift = f.gap;
  figure.peak_rss_kb = peak_rss_kb();
  report.keep(figure);
  if (!std::isfinite(f.gap)) report.fault("a step has failed");
}

}  // namespace

void bench_affine(const Options& options, Report& report) {
  report.note("chains and nets of affine links on soft ball joints, steps of 10 ms, to 1e-8 m");
  report.note(fmt::format("{:<16} {:>8} {:>8} {:>9} {:>8} {:>6} {:>5} {:>9} {:>7}", "what",
                          "bodies", "us/incr", "us/once", "us/step", "incr", "most", "gap [m]",
                          "B/body"));
  for (const int n : {10, 100, 1000, 10000}) {
    const long steps = std::max(20, 20000 / n);
    reset_peak();
    measure("falling", chain(n, Vec3::UnitX()), steps, options, report);
    reset_peak();
    measure("hanging", chain(n, -Vec3::UnitZ()), steps, options, report);
  }
  reset_peak();
  measure("net of 30 by 30", net(30), 20, options, report);
  for (const int n : {100000, 1000000}) {
    reset_peak();
    measure("falling", chain(n, Vec3::UnitX()), 2, options, report);
  }
}

}  // namespace trammel::bench
