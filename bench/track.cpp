// Tracks: the curve itself, and vehicles of one body each that coast along it.
#include "track/track.h"

#include <fmt/core.h>

#include <cmath>

#include "bench.h"
#include "form/velocity.h"
#include "geom/alignment.h"
#include "process.h"

namespace trammel::bench {

namespace {

/// A straight, a clothoid, an arc of 300 m and back, on a grade, with cant.
std::shared_ptr<const track::Track> line() {
  constexpr double k = 1. / 300;
  geom::AlignmentSpec spec;
  spec.plan.elements = {{geom::Shape::constant, 200, 0, 0},
                        {geom::Shape::linear, 80, 0, k},
                        {geom::Shape::constant, 300, k, k},
                        {geom::Shape::linear, 80, k, 0},
                        {geom::Shape::constant, 2340, 0, 0}};
  spec.profile = geom::ProfileSpec{.elements = {{geom::ProfileShape::grade, 3000, -0.005, -0.005}}};
  track::CantSpec cant;
  cant.elements = {{geom::Shape::constant, 200},
                   {geom::Shape::linear, 80, 0, 0, 0, 0.1},
                   {geom::Shape::constant, 300, 0, 0, 0.1, 0.1},
                   {geom::Shape::linear, 80, 0, 0, 0.1, 0},
                   {geom::Shape::constant, 2340}};
  return std::make_shared<track::Track>("line", std::make_shared<geom::Alignment>(spec),
                                        track::Twist(cant));
}

void bench_eval(const Options& options, Report& report) {
  const auto track = line();
  for (const int order : {1, 2}) {
    Figure f{"track_eval", fmt::format("order{}", order)};
    f.steps = 200000;
    geom::CurvePoint point;
    std::vector<double> seconds;
    for (int r = 0; r < options.repetitions; ++r) {
      const double before = cpu_seconds();
      for (long i = 0; i < f.steps; ++i)  // over the clothoid
        track->eval(210 + 60. * static_cast<double>(i) / static_cast<double>(f.steps), 1, order,
                    point);
      seconds.push_back(cpu_seconds() - before);
      f.final_pos = point.p;
    }
    take_median(std::move(seconds), f);
    report.line(f);
  }
}

/// n bodies of 10 t, 20 m apart, at 20 m/s on the arc.
model::Built vehicles(int n, std::shared_ptr<const track::Track> track) {
  model::Builder b;
  b.add_track({"line", "", std::move(track)});
  for (int i = 0; i < n; ++i) {
    model::BodySpec body;
    body.name = fmt::format("car{}", i);
    body.mass = 1e4;
    body.solid = model::Solid{model::Solid::Kind::box, {4, 2, 1}};
    body.on_track = model::OnTrack{"line", 285 + 20. / n * i, 20};
    model::JointSpec rails;
    rails.name = fmt::format("rails{}", i);
    rails.type = "track";
    rails.track = "line";
    rails.b = body.name;
    b.add_body(std::move(body));
    b.add_joint(std::move(rails));
  }
  return built(b);
}

double run_once(const model::Built& train, Figure& figure) {
  form::Velocity form(*train.model, train.params, {});
  model::State state = train.state;
  form::StepReport report;
  form.load(state);
  const double start = form.total_energy(state), scale = figure.n * 0.5 * 1e4 * 400;
  const double before = cpu_seconds();
  for (long k = 0; k < figure.steps; ++k) {
    form.step(state, figure.dt, report);
    figure.drift = std::max(figure.drift, report.gap);
  }
  const double seconds = cpu_seconds() - before;
  figure.energy = std::abs(form.total_energy(state) - start) / scale;
  figure.final_pos = form.now().T_WO.back().p;
  return seconds;
}

}  // namespace

void bench_track(const Options& options, Report& report) {
  bench_eval(options, report);
  for (const int n : {1, 10, 100}) {
    reset_peak();
    const model::Built train = vehicles(n, line());
    Figure f{"vehicles", "rattle-2", n, 1e-3, 10, 10000};
    if (n == 100) f.simulated = 1, f.steps = 1000;
    std::vector<double> seconds;
    for (int i = 0; i < options.repetitions; ++i) seconds.push_back(run_once(train, f));
    take_median(std::move(seconds), f);
    f.peak_rss_kb = peak_rss_kb();
    report.line(f);
  }
}

}  // namespace trammel::bench
