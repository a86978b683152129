#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/books.h"

namespace trammel::verify {

namespace {

constexpr double kTimes = 5;     // differences up to so many times both uncertainties are explained
constexpr double kFloor = 1e-9;  // and so much of the size, or rad, is rounding
constexpr double kProbe = 0.1;   // CPU time that measuring the cost of a method may take [s]
constexpr double kLeast = 10;    // steps of the scene, at least
constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kPatience = 2;  // times the CPU time that was planned

/// CPU time that a second of motion costs in all runs of the method [s/s].
double cost(const Method& method, const sim::Settings& own, const Grid& grid) {
  const bool by_steps = method.order > 0;
  const Refined r = refined(method, own, grid, by_steps ? 0 : kLevels - 1);
  const long steps = std::max(1L, std::lround(grid.horizon() / r.settings.step));
  const Samples run = sample(*method.built, r.settings, 1, steps, kProbe);
  const double t = std::max(run.summary.simulated, r.settings.step);
  // steps: 1 + 2 + 4 of each stiffness, and 4 for growth; accuracies: the coarser ones cost less
  return run.cpu / t * (by_steps ? 4 + 7 * (method.soft ? kStiffnesses : 1) : kLevels + 1);
}

Grid choose_grid(const Methods& methods, const sim::Settings& own, const Options& options) {
  const Grid whole = make_grid(own.step, own.duration);
  if (!options.choose_horizon) return whole;
  double rate = 0;
  for (const Method& m : methods.methods) rate += cost(m, own, whole);
  const double horizon = std::max(options.cpu / rate, kLeast * own.step);
  return horizon < own.duration ? make_grid(own.step, horizon) : whole;
}

/// Diagonal of the box around all bodies at all times [m]; 1 where nothing leaves its place by more
/// than rounding.
double size_of(const Samples& run) {
  if (run.X.empty()) return 1;
  Vec3 lo = run.X.front().p, hi = lo;
  for (const Pose& X : run.X) {
    lo = lo.cwiseMin(X.p);
    hi = hi.cwiseMax(X.p);
  }
  const double size = (hi - lo).norm();
  return size > kFloor * std::max(hi.norm(), lo.norm()) ? size : 1;
}

/// Times before the limit is so uncertain that it says nothing.
long resolved_times(const Series& s, double size) {
  long k = 0;
  while (k < s.count() && s.uncertainty[static_cast<std::size_t>(k)].scaled(size) <= kLost) ++k;
  return k;
}

const std::string& body_name(const Method& method, const Samples& run, int body) {
  const auto i = static_cast<std::size_t>(run.object[static_cast<std::size_t>(body)]);
  return method.built->model->objects[i].name;
}

Distance allowed(const Series& a, const Series& b, std::size_t k, double size) {
  const Distance &x = a.uncertainty[k], &y = b.uncertainty[k];
  return {kTimes * (x.length + y.length) + kFloor * size, kTimes * (x.angle + y.angle) + kFloor, 0,
          0};
}

Pair compare_pair(const Report& r, const Methods& methods, std::size_t a, std::size_t b) {
  const Series &x = r.series[a], &y = r.series[b];
  Pair out{a, b, std::min(r.resolved[a], r.resolved[b]), {}, {}, 0, 0, {}, -1, ""};
  const std::size_t bodies = x.finest().object.size();
  int body = -1;
  for (long k = 0; k < out.until; ++k) {
    const long first = k * static_cast<long>(bodies);
    out.final = apart(x.limit.data() + first, y.limit.data() + first, bodies);
    out.allowed = allowed(x, y, static_cast<std::size_t>(k), r.size);
    if (out.final.length > out.greatest.length) out.length_t = r.time(k);
    if (out.final.angle > out.greatest.angle) out.angle_t = r.time(k);
    out.greatest.take(out.final);
    const bool far = out.final.length > out.allowed.length;
    if (out.differs >= 0 || (!far && out.final.angle <= out.allowed.angle)) continue;
    out.differs = k;
    body = far ? out.final.length_body : out.final.angle_body;
  }
  if (body < 0) body = out.greatest.length > 0 ? out.greatest.length_body : out.greatest.angle_body;
  if (bodies > 0) out.body = body_name(methods.methods[a], x.finest(), body);
  return out;
}

/// The least growth that any of two methods shows: too large a step makes differences grow in the
/// velocity formulation, a singular pose in the other; those of the mechanism grow in both.
Growth least_growth(const Report& r, const Methods& methods, const sim::Settings& settings,
                    double most) {
  const auto of = [&](std::size_t i) {
    return growth(methods.methods[i], settings, r.grid, r.series[i].finest(), r.size, most);
  };
  Growth out = of(0);
  for (std::size_t i = 1; i < methods.methods.size(); ++i) {
    if (methods.methods[i].order > 0) continue;
    Growth other = of(i);
    return other.factor < out.factor ? other : out;
  }
  return out;
}

/// What each series says alone.
void judge_series(Report& r) {
  for (const Series& s : r.series) {
    const long k = resolved_times(s, r.size);
    r.resolved.push_back(k);
    r.chaotic_beyond.push_back(std::numeric_limits<double>::infinity());
    if (!s.failure.empty())
      r.findings.push_back(fmt::format("{} ended early: {}", s.name, s.failure));
    if (k == s.count()) continue;
    if (r.growth.chaotic >= 0 && r.growth.chaotic <= k) {
      r.chaotic_beyond.back() = k > 0 ? r.time(k - 1) : r.t0;
      continue;
    }
    const Distance& d = s.uncertainty[static_cast<std::size_t>(k)];
    r.findings.push_back(fmt::format(
        "{} is not resolved from t = {:.4g} s on: refining it still changes the motion by {:.2g} m "
        "and {:.2g} rad",
        s.name, r.time(k), d.length, d.angle));
  }
}

/// Where forces are not determined motions may differ with every right.
void judge_pairs(Report& r) {
  if (!r.ill_posed.empty()) return;
  for (const Pair& p : r.pairs) {
    if (p.differs < 0) continue;
    r.findings.push_back(fmt::format(
        "{} and {} disagree from t = {:.4g} s on, '{}' first; by up to {:.2g} m and {:.2g} rad",
        r.series[p.a].name, r.series[p.b].name, r.time(p.differs), p.body, p.greatest.length,
        p.greatest.angle));
  }
}

void judge_books(Report& r, const Series& s, long resolved) {
  for (const std::string& f : wrong_books(s, r.size, resolved)) r.findings.push_back(f);
  for (const Series& more : s.stiffer) judge_books(r, more, resolved);
}

}  // namespace

Report compare(const Methods& methods, const sim::Settings& settings, const Options& options) {
  Report r;
  r.left_out = methods.left_out;
  r.ill_posed = ill_posed(*methods.methods.front().built);
  r.grid = choose_grid(methods, settings, options);
  r.t0 = methods.methods.front().built->state.t;
  double left =
      options.choose_horizon ? kPatience * options.cpu : std::numeric_limits<double>::infinity();
  for (const Method& m : methods.methods) {
    r.series.push_back(run_series(m, settings, r.grid, left));
    left -= r.series.back().cpu;
  }
  const Samples& first = r.series.front().runs.front();
  r.size = size_of(first);
  r.growth =
      least_growth(r, methods, settings, options.choose_horizon ? options.cpu / 2 : kForever);
  const long usable = r.growth.chaotic >= 0 ? r.growth.chaotic : r.grid.count;
  for (Series& s : r.series) extrapolate(s, r.size, usable);
  judge_series(r);
  for (std::size_t a = 0; a < r.series.size(); ++a)
    for (std::size_t b = a + 1; b < r.series.size(); ++b)
      r.pairs.push_back(compare_pair(r, methods, a, b));
  judge_pairs(r);
  for (std::size_t i = 0; i < r.series.size(); ++i) judge_books(r, r.series[i], r.resolved[i]);
  return r;
}

void check_results(const model::Built& built, const sim::Settings& settings,
                   const std::string& scene_text, const std::string& file, Report& report) {
  sim::Settings own = settings;
  own.duration = report.grid.horizon();
  record(built, own, scene_text, file);
  report.independent = check(io::ResultsReader(file), allowed_of(own));
  for (const std::string& f : report.independent->findings()) report.findings.push_back(f);
}

Report verify(const model::Built& built, const sim::Settings& settings, const Options& options) {
  return compare(methods_of(built, settings.form), settings, options);
}

}  // namespace trammel::verify
