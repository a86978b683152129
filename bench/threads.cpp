// One step on one thread and on two: wall time, and the same bits.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "bench.h"
#include "math/parallel.h"

namespace trammel::bench {

namespace {

constexpr double kStep = 1e-3;  // [s]

void add_link(Scene& s, int below, const Vec3& at, const Vec3& way) {
  const int i = static_cast<int>(s.bodies.size());
  const Vec3 square = way.cwiseAbs2() + Vec3::Constant(0.05 * 0.05);
  const Vec3 inertia = 2.5 / 12 * (Vec3::Constant(square.sum()) - square);
  s.bodies.push_back({2.5, inertia, at + way / 2});
  s.joints.push_back({Kind::ball, below, i, at});
}

Scene make_chains(int chains, int links) {
  Scene s{"chains", chains};
  for (int c = 0; c < chains; ++c)
    for (int i = 0; i < links; ++i)
      add_link(s, i ? static_cast<int>(s.bodies.size()) - 1 : -1, Vec3(i, 2 * c, 0), Vec3::UnitX());
  return s;
}

/// Arms of `links` links all round one body.
Scene make_star(int arms, int links) {
  Scene s{"star", arms};
  s.bodies.push_back({1000, Vec3::Constant(1000), Vec3::Zero()});
  for (int a = 0; a < arms; ++a) {
    const double turn = 6.2831853 * a / arms;
    const Vec3 way(std::cos(turn), std::sin(turn), 0.01 * (a % 7));
    for (int i = 0; i < links; ++i)
      add_link(s, i ? static_cast<int>(s.bodies.size()) - 1 : 0, (5 + i) * way, way);
  }
  return s;
}

/// Balls n by n, each joined to the next one in x and to the next one in y: loops everywhere.
Scene make_net(int n) {
  Scene s{"net", n};
  for (int i = 0; i < n * n; ++i)
    s.bodies.push_back(
        {1, Vec3::Constant(0.1), Vec3(i % n, i / n, 0.1 * ((i * 7) % 5) + 0.03 * ((i / n) % 3))});
  const auto join = [&](int a, int b) {
    const Vec3 middle =
        (s.bodies[static_cast<std::size_t>(a)].p + s.bodies[static_cast<std::size_t>(b)].p) / 2;
    s.joints.push_back({Kind::ball, a, b, middle});
  };
  for (int i = 0; i < n * n; ++i) {
    if (i % n + 1 < n) join(i, i + 1);
    if (i + n < n * n && i % 3 == 0) join(i, i + n);
  }
  return s;
}

/// An engine that always steps on the same number of threads, and its least wall time of a step.
struct Runner {
  int threads;
  std::unique_ptr<Engine> engine;
  double least = 1e9;  // [s]

  void run(int steps) {
    parallel::set_threads(threads);
    for (int k = 0; k < steps; ++k) {
      const auto before = std::chrono::steady_clock::now();
      engine->advance(1);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - before;
      least = std::min(least, taken.count());
    }
    parallel::set_threads(1);
  }
  std::vector<State> states(std::size_t n) const {
    std::vector<State> out(n);
    engine->states(out);
    return out;
  }
};

bool same(const std::vector<State>& a, const std::vector<State>& b) {
  const auto bits = [](const auto& x, const auto& y) {
    return std::memcmp(x.data(), y.data(), sizeof(double) * static_cast<std::size_t>(x.size())) ==
           0;
  };
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!bits(a[i].p, b[i].p) || !bits(a[i].v, b[i].v) || !bits(a[i].w, b[i].w)) return false;
  return true;
}

void compare(const char* what, const Scene& scene, int steps, const Options& options,
             Report& report) {
  const Case wanted{scene.name, scene.n, kStep, 0, "rattle-2"};
  Runner one{1, make_trammel(scene, wanted)}, two{2, make_trammel(scene, wanted)};
  for (int k = 0; k < 4 * options.repetitions; ++k)
    for (Runner* r : {&one, &two}) r->run(steps);
  report.note(fmt::format("{:<26} {:9.1f} us on one thread, {:9.1f} us on two: {:.2f}", what,
                          1e6 * one.least, 1e6 * two.least, one.least / two.least));
  const std::size_t n = scene.bodies.size();
  if (!same(one.states(n), two.states(n))) report.fault(fmt::format("{}: other bits", what));
}

}  // namespace

void bench_threads(const Options& options, Report& report) {
  report.note("wall time of a step, the least there was");
  const auto scene = [](const char* name, int n) { return make_scene(name, n); };
  compare("1000 chains of 10", make_chains(1000, 10), 2, options, report);
  compare("1000 sprung slider pairs", scene("slider", 1000), 10, options, report);
  compare("chain of 300", scene("chain", 300), 50, options, report);
  compare("chain of 1000", scene("chain", 1000), 20, options, report);
  compare("chain of 3334", scene("chain", 3334), 6, options, report);
  compare("chain of 30 000", scene("chain", 30000), 1, options, report);
  compare("four-bar of 40 windows", scene("fourbar", 40), 50, options, report);
  compare("four-bar of 600 windows", scene("fourbar", 600), 5, options, report);
  compare("star of 1000 joints", make_star(1000, 1), 20, options, report);
  compare("star of 100 arms of 30", make_star(100, 30), 6, options, report);
  compare("net of 40 by 40", make_net(40), 2, options, report);
}

}  // namespace trammel::bench
