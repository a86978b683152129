#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "engine.h"
#include "overlap.h"
#include "process.h"
#include "reference.h"

namespace trammel::bench {

namespace {

constexpr int kLooks = 500, kFewLooks = 5;
constexpr int kLateLooks = 20;
constexpr double kLong = 1;     // CPU seconds of a run that needs no second
constexpr double kTimed = 0.3;  // CPU seconds of runs that are timed, together
constexpr int kMostRuns = 15;
constexpr int kLimit = 400;        // CPU seconds of a whole process, building included
constexpr int kMemoryFrom = 1000;  // bodies: fewer do not show beside the program itself

/// The states of an engine as they go, judged.
class Watch {
 public:
  Watch(const Scene& scene, Engine& engine) : scene_(scene), engine_(engine) {
    now_.resize(scene.bodies.size());
  }
  Look look() {
    engine_.states(now_);
    return judge(scene_, now_);
  }
  const State& last() const { return now_.back(); }

 private:
  const Scene& scene_;
  Engine& engine_;
  std::vector<State> now_;
};

void take(const Look& look, double start, double scale, Figure& out) {
  out.finite = std::isfinite(look.energy);
  out.energy_end = (look.energy - start) / scale;
  out.energy = std::max(out.energy, std::abs(out.energy_end));
  out.drift = std::max(out.drift, look.gap);
  out.drift_angle = std::max(out.drift_angle, look.angle);
}

/// One run; only the stepping is timed.
Figure run(const Scene& scene, Engine& engine, const Case& wanted, int looks) {
  Figure out{scene.name, wanted.solver, scene.n, wanted.dt};
  Watch watch(scene, engine);
  const double start = watch.look().energy;
  const long steps = std::lround(wanted.seconds / wanted.dt);
  const long between = std::max(1L, steps / looks);
  long done = 0;
  while (done < steps && out.finite && !out.truncated) {
    const long now = std::min(between, steps - done);
    const double before = cpu_seconds();
    engine.advance(now);
    out.seconds += cpu_seconds() - before;
    done += now;
    take(watch.look(), start, scene.energy_scale, out);
    out.truncated = done < steps && out.seconds > wanted.cap;
  }
  out.steps = engine.steps_taken() < 0 ? done : engine.steps_taken();
  if (engine.iterations() >= 0)
    out.iterations = static_cast<double>(engine.iterations()) / static_cast<double>(out.steps);
  out.simulated = static_cast<double>(done) * wanted.dt;
  out.final_pos = watch.last().p;
  return out;
}

/// A run of bodies that touch, looked at in its last third.
Figure run_touching(const Scene& scene, Engine& engine, const Case& wanted) {
  Figure out{scene.name, wanted.solver, scene.n, wanted.dt};
  std::vector<State> now(scene.bodies.size());
  const long steps = std::lround(wanted.seconds / wanted.dt), late = steps - steps / 3;
  const long between = std::max(1L, steps / 3 / kLateLooks);
  double late_seconds = 0;
  long done = 0, looks = 0;
  out.contacts = out.depth = out.depth_most = out.speed = 0;
  for (long n = late; done < steps && !out.truncated; n = std::min(between, steps - done)) {
    const double before = cpu_seconds(), was = late_seconds;
    engine.advance(n);
    const double taken = cpu_seconds() - before;
    out.seconds += taken;
    if (done >= late) late_seconds = was + taken;
    done += n;
    out.truncated = done < steps && out.seconds > wanted.cap;
    engine.states(now);
    const Overlap o = overlap(scene, now);
    ++looks;
    out.contacts += o.touching, out.depth += o.mean, out.speed += o.speed;
    out.depth_most = std::max(out.depth_most, o.most);
  }
  for (double* x : {&out.contacts, &out.depth, &out.speed}) *x /= static_cast<double>(looks);
  out.finite = std::isfinite(out.speed);
  if (done > late) out.late = 1e6 * late_seconds / static_cast<double>(done - late);
  out.steps = done;
  if (engine.iterations() >= 0)
    out.iterations = static_cast<double>(engine.iterations()) / static_cast<double>(out.steps);
  out.simulated = static_cast<double>(done) * wanted.dt;
  out.final_pos = now.back().p;
  return out;
}

/// The first run, with its memory.
Figure first_run(const Scene& scene, const Case& wanted, const Make& make) {
  reset_peak();
  const long before = rss_kb();
  const auto engine = make(scene, wanted);
  const long building = peak_rss_kb();
  reset_peak();
  Figure out =
      scene.touches() ? run_touching(scene, *engine, wanted) : run(scene, *engine, wanted, kLooks);
  const auto bodies = static_cast<double>(scene.bodies.size());
  if (bodies >= kMemoryFrom)
    out.bytes = 1024 * static_cast<double>(peak_rss_kb() - before) / bodies - sizeof(State);
  out.peak_rss_kb = std::max(building, peak_rss_kb());
  return out;
}

}  // namespace

Figure measure(const Case& wanted, const std::string& engine, const Make& make) {
  const Scene scene = make_scene(wanted.scene, wanted.n);
  const double before = cpu_seconds();
  Figure out = first_run(scene, wanted, make);
  out.engine = engine;
  if (!out.truncated && !scene.touches()) out.error = error_of(out);
  if (!scene.touches() && out.finite && cpu_seconds() - before < kLong) {
    std::vector<Figure> runs;
    for (double sum = 0; sum < kTimed && runs.size() < kMostRuns; sum += runs.back().seconds)
      runs.push_back(run(scene, *make(scene, wanted), wanted, kFewLooks));
    const Figure timed = median(std::move(runs));
    out.seconds = timed.seconds;
    out.steps = timed.steps;
    out.spread = timed.spread;
    out.repetitions = timed.repetitions;
  }
  return out;
}

int adapter_main(int argc, char** argv, const std::string& engine, const Make& make) {
  if (argc < 6) {
    fmt::print(stderr, "usage: {} SCENE N DT SECONDS SOLVER [CAP]\n", argv[0]);
    return 2;
  }
  limit(kLimit);
  try {
    Case wanted{argv[1], std::atoi(argv[2]), std::atof(argv[3]), std::atof(argv[4]), argv[5]};
    if (argc > 6) wanted.cap = std::atof(argv[6]);
    if (wanted.n < 1 || !(wanted.dt > 0) || !(wanted.seconds >= wanted.dt))
      throw std::runtime_error("N, DT and SECONDS are positive, and SECONDS at least DT");
    fmt::print("{}\n", to_json(measure(wanted, engine, make)));
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}: {}\n", argv[0], e.what());
    return 1;
  }
}

}  // namespace trammel::bench
