#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/size.h"
#include "verify/balance.h"
#include "verify/refinement.h"
#include "verify/sticking.h"

namespace trammel::verify {

namespace {

constexpr double kTimes = 5;     // differences up to so many times both uncertainties are explained
constexpr double kFloor = 1e-9;  // and so much of the size, or rad, is rounding
constexpr double kProbe = 1e8;   // work that measuring the cost of a method may take
constexpr double kLeast = 10;    // steps of the scene, at least
constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kPatience = 2;  // times the work that was planned,
constexpr double kGrace = 0.1;   // and so much of all work
constexpr double kTooDear = 20;  // a method that makes the horizon so many times shorter

/// Work that a second of motion costs in all runs of the method [1/s].
double cost(const Method& method, const sim::Settings& own, const Grid& grid, const Watch& watch) {
  const bool by_steps = method.order > 0;
  const Refined r = refined(method, own, grid, by_steps ? 0 : kLevels - 1);
  const long steps = std::max(1L, std::lround(grid.horizon() / r.settings.step));
  double all = 0, finest = 0;  // steps of the refined runs, for one of the scene's
  for (int level = 0; level < kLevels; ++level) {
    finest = static_cast<double>(steps_between(grid, level)) / static_cast<double>(grid.stride);
    all += finest;
  }
  const Cap cap{kProbe, &watch, fmt::format("{}, what it costs", method.name)};
  const Samples run = sample(*method.built, r.settings, 1, steps, cap, method.compared);
  const double t = std::max(run.summary.simulated, r.settings.step);
  // steps: all of each stiffness, and the finest for growth; accuracies: the coarser ones cost less
  return run.work / t * (by_steps ? finest + all * (method.soft ? kStiffnesses : 1) : kLevels + 1);
}

/// The plan of a comparison: how long which runs are compared, and what each method may cost.
struct Plan {
  Grid grid;
  Methods methods;
  std::vector<double> most;  // work of each method
};

/// The dearest of the methods goes where with it hardly anything could be compared.
bool leave_out_dearest(Plan& plan, std::vector<double>& rates, double work, double duration) {
  if (rates.size() < 2) return false;
  const auto dearest = std::max_element(rates.begin(), rates.end());
  const double all = std::accumulate(rates.begin(), rates.end(), 0.0),
               with = std::min(work / all, duration),
               without = std::min(work / (all - *dearest), duration);
  if (!(with * kTooDear < without)) return false;
  const auto i = dearest - rates.begin();
  std::vector<Method>& methods = plan.methods.methods;
  plan.methods.left_out.push_back(
      {methods[static_cast<std::size_t>(i)].name,
       fmt::format(
           "too expensive: {:.2g} units of work for a second of motion, {:.2g} times as many "
           "as all others; {:.2g} s could be compared, without it {:.2g} s",
           *dearest, *dearest / (all - *dearest), with, without)});
  methods.erase(methods.begin() + i);
  rates.erase(dearest);
  return true;
}

Plan make_plan(const Methods& methods, const sim::Settings& own, const Options& options) {
  Plan plan{make_grid(own.step, own.duration), methods, {}};
  if (!options.choose_horizon) {
    plan.most.assign(methods.methods.size(), kForever);
    return plan;
  }
  std::vector<double> rates;
  for (const Method& m : methods.methods) rates.push_back(cost(m, own, plan.grid, options.watch));
  while (leave_out_dearest(plan, rates, options.work, own.duration)) {
  }
  const double all = std::accumulate(rates.begin(), rates.end(), 0.0),
               horizon = std::max(options.work / all, kLeast * own.step);
  if (horizon < own.duration) plan.grid = make_grid(own.step, horizon);
  for (const double rate : rates)
    plan.most.push_back(kPatience * std::min(rate * plan.grid.horizon(), options.work) +
                        kGrace * options.work);
  return plan;
}

/// Diagonal of the box around all bodies at all times, or the greatest arm of a body, if that is
/// more [m].
double size_of(const Samples& run, const model::Built& built) {
  Vec3 lo = Vec3::Zero(), hi = lo;
  for (const Pose& X : run.X) {
    lo = lo.cwiseMin(X.p - run.X.front().p);
    hi = hi.cwiseMax(X.p - run.X.front().p);
  }
  const double size = std::max((hi - lo).norm(), model::greatest_arm(*built.model, built.params));
  return size > 0 ? size : 1;
}

/// Returns the accuracy of positions and directions: a body's follow from where its joints are.
Distance rounding_of(const Samples& run, const model::Built& built) {
  const model::Model& m = *built.model;
  std::vector<double> arm(m.objects.size(), 0);
  for (const model::Joint& j : m.joints) {
    if (j.coupling >= 0) continue;
    double &a = arm[static_cast<std::size_t>(j.object_A)],
           &b = arm[static_cast<std::size_t>(j.object_B)];
    a = std::max(a, j.X_OA.p.norm());
    b = std::max(b, j.X_OB.p.norm());
  }
  Distance out{run.rounding, 0, 0, 0};
  for (const int i : run.object)
    if (const double a = arm[static_cast<std::size_t>(i)]; a > 0)
      out.angle = std::max(out.angle, run.rounding / a);
  return out;
}

/// Times before the limit is so uncertain that it says nothing.
long resolved_times(const Series& s, double size) {
  long k = 0;
  while (k < s.count() && s.uncertainty[static_cast<std::size_t>(k)].scaled(size) <= kLost) ++k;
  return k;
}

/// Times before impacts leave so much; by energy before any: a barrier throws some of what meets
/// back, and friction goes by normal forces that were there before.
long known_times(const Series& s, double size) {
  const long most = s.by_energy ? std::min(s.first_impact, s.count()) : s.count();
  long k = 0;
  while (k < most && s.late[static_cast<std::size_t>(k)].scaled(size) <= kLate) ++k;
  return k;
}

const std::string& body_name(const Method& method, const Samples& run, int body) {
  const auto i = static_cast<std::size_t>(run.object[static_cast<std::size_t>(body)]);
  return method.built->model->objects[i].name;
}

Distance allowed(const Report& r, const Series& a, const Series& b, std::size_t k) {
  const Distance &x = a.uncertainty[k], &y = b.uncertainty[k], &z = r.rounding;
  const Distance &late = a.late[k], &too = b.late[k];  // bounds, and no estimates
  return {kTimes * (x.length + y.length + z.length) + late.length + too.length + kFloor * r.size,
          kTimes * (x.angle + y.angle + z.angle) + late.angle + too.angle + kFloor, 0, 0};
}

Pair compare_pair(const Report& r, const Methods& methods, std::size_t a, std::size_t b) {
  const Series &x = r.series[a], &y = r.series[b];
  Pair out{a, b, std::min(r.resolved[a], r.resolved[b]), {}, {}, 0, 0, {}, -1, ""};
  const std::size_t bodies = x.finest().object.size();
  int body = -1;
  for (long k = 0; k < out.until; ++k) {
    const long first = k * static_cast<long>(bodies);
    out.final = apart(x.limit.data() + first, y.limit.data() + first, bodies);
    out.allowed = allowed(r, x, y, static_cast<std::size_t>(k));
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
/// velocity formulation, a singular configuration in the other; those of the mechanism grow in
/// both.
Growth least_growth(const Report& r, const Methods& methods, const sim::Settings& settings,
                    Cap cap) {
  const auto of = [&](std::size_t i) {
    cap.what = fmt::format("{}, growth of a small difference", r.series[i].name);
    return growth(methods.methods[i], settings, r.grid, r.series[i].finest(), r.size, cap);
  };
  Growth out = of(0);
  for (std::size_t i = 1; i < methods.methods.size(); ++i) {
    if (methods.methods[i].order > 0) continue;
    Growth other = of(i);
    return other.factor < out.factor ? other : out;
  }
  return out;
}

/// Returns when the run of a series that ended first did so [s].
double ended_at(const Series& s) {
  double out = s.finest().t0 + s.finest().summary.simulated;
  for (const Samples& run : s.runs) out = std::min(out, run.t0 + run.summary.simulated);
  for (const Series& more : s.stiffer) out = std::min(out, ended_at(more));
  return out;
}

/// Judges each series alone: what is not resolved says nothing from there on, and contradicts no
/// other.
void judge_series(Report& r) {
  for (std::size_t i = 0; i < r.series.size(); ++i) {
    const Series& s = r.series[i];
    const long k = resolved_times(s, r.size), known = known_times(s, r.size);
    r.resolved.push_back(std::min(k, known));
    r.chaotic_beyond.push_back(kForever);
    r.late_beyond.push_back(known == s.count() ? kForever : known > 0 ? r.time(known - 1) : r.t0);
    if (!s.failure.empty())
      r.unresolved.push_back({i, ended_at(s), fmt::format("it ended early: {}", s.failure)});
    if (k == s.count() || known <= k) continue;
    if (r.growth.chaotic >= 0 && r.growth.chaotic <= k) {
      r.chaotic_beyond.back() = k > 0 ? r.time(k - 1) : r.t0;
      continue;
    }
    const Distance& d = s.uncertainty[static_cast<std::size_t>(k)];
    r.unresolved.push_back(
        {i, r.time(k),
         fmt::format("refining it still changes the motion by {:.2g} m and {:.2g} rad", d.length,
                     d.angle)});
  }
}

/// Where the motion depends on forces that are not determined it may differ with every right.
void judge_pairs(Report& r) {
  if (r.motion_undetermined) return;
  for (const Pair& p : r.pairs) {
    if (p.differs < 0) continue;
    r.findings.push_back(fmt::format(
        "{} and {} disagree from t = {:.4g} s on, '{}' first; by up to {:.2g} m and {:.2g} rad",
        r.series[p.a].name, r.series[p.b].name, r.time(p.differs), p.body, p.greatest.length,
        p.greatest.angle));
  }
}

/// The balances of a series that is not resolved are no more resolved than its motion.
void judge_balance(Report& r, std::size_t series, const Series& s) {
  const auto same = [&](const Unresolved& u) { return u.series == series; };
  const auto u = std::find_if(r.unresolved.begin(), r.unresolved.end(), same);
  const double from = u == r.unresolved.end() ? 0 : u->from;
  const bool resolved = u == r.unresolved.end();
  for (const std::string& f : imbalances(s, r.size, r.resolved[series]))
    if (resolved)
      r.findings.push_back(f);
    else
      r.unresolved.push_back({series, from, f});
  for (const Series& more : s.stiffer) judge_balance(r, series, more);
}

/// Adds what sticks together, by the first series in which it does not creep.
void judge_sticking(const model::Built& built, Report& r) {
  for (const Series& s : r.series) {
    if (s.by_energy || s.finest().may_stick.empty()) continue;
    for (const std::string& why : stuck_together(may_stick(built), *built.model, s.finest()))
      r.ill_posed.push_back(why);
    return;
  }
}

}  // namespace

namespace {

/// Why a series says nothing, where others do; or "". The parts of a composed step have errors that
/// cancel; those of steps that fall back do not.
std::string says_nothing(const Series& s, const Method& method, const sim::Settings& own,
                         bool cut) {
  if (s.failure.empty() && s.common() == 0)
    return cut ? "not finished within the budget" : "too expensive: " + s.note;
  const bool falls_back = std::any_of(s.runs.begin(), s.runs.end(),
                                      [](const Samples& run) { return run.summary.fallbacks > 0; });
  const bool scenes_own = own.form.formulation == form::Settings::Formulation::velocity &&
                          own.form.order == method.order;
  if (method.order > 2 && falls_back && !scenes_own)
    return "its steps fall back at singular configurations: what they are composed of has no order "
           "there";
  return "";
}

/// Runs all of the plan; what says nothing is left out.
void run_all(Plan& plan, const sim::Settings& settings, const Options& options, Report& r) {
  std::vector<Method>& methods = plan.methods.methods;
  bool cut = false;
  for (std::size_t i = 0; i < methods.size();) {
    Series s = run_series(methods[i], settings, r.grid, {plan.most[i], &options.watch, ""});
    for (const Samples& run : s.runs) cut = cut || run.cut;
    for (const Series& more : s.stiffer)
      for (const Samples& run : more.runs) cut = cut || run.cut;
    if (cut && r.unfinished.empty()) r.unfinished.push_back(s.name);
    if (const std::string why = says_nothing(s, methods[i], settings, cut); !why.empty()) {
      r.left_out.push_back({s.name, why});
      methods.erase(methods.begin() + static_cast<long>(i));
      plan.most.erase(plan.most.begin() + static_cast<long>(i));
      continue;
    }
    r.series.push_back(std::move(s));
    ++i;
  }
  if (r.series.empty() && !cut) r.unfinished.emplace_back("every way of solving is too expensive");
}

void judge(const Methods& methods, Report& r) {
  const long usable = r.growth.chaotic >= 0 ? r.growth.chaotic : r.grid.count;
  const Scale by{r.size, std::max(Scale{}.rounding, kTimes * r.rounding.scaled(r.size)), usable,
                 r.growth.beyond};
  for (Series& s : r.series) extrapolate(s, by);
  judge_series(r);
  for (std::size_t a = 0; a < r.series.size(); ++a)
    for (std::size_t b = a + 1; b < r.series.size(); ++b)
      r.pairs.push_back(compare_pair(r, methods, a, b));
  judge_pairs(r);
  r.meetings = meetings(r.series, r.resolved, r.grid.h, r.rounding);
  if (!r.motion_undetermined)
    r.findings.insert(r.findings.end(), r.meetings.findings.begin(), r.meetings.findings.end());
  r.reactions = compare_reactions(methods, r.series, r.resolved);
  if (r.ill_posed.empty())
    r.findings.insert(r.findings.end(), r.reactions.findings.begin(), r.reactions.findings.end());
  for (std::size_t i = 0; i < r.series.size(); ++i) judge_balance(r, i, r.series[i]);
}

}  // namespace

Report compare(const Methods& methods, const sim::Settings& settings, const Options& options) {
  Report r;
  const model::Built& built = *methods.methods.front().built;
  Plan plan = make_plan(methods, settings, options);
  r.left_out = plan.methods.left_out;
  r.ill_posed = ill_posed(built);
  r.motion_undetermined = !r.ill_posed.empty();
  const std::vector<int>& compared = methods.methods.front().compared;
  r.object = compared.empty() ? free_bodies(*built.model) : compared;
  r.grid = plan.grid;
  r.t0 = built.state.t;
  run_all(plan, settings, options, r);
  if (r.series.empty()) return r;
  r.size = size_of(r.series.front().runs.front(), built);
  for (const Series& s : r.series)
    for (const Samples& run : s.runs) r.rounding.take(rounding_of(run, built));
  const Cap cap{options.choose_horizon ? options.work / 2 : kForever, &options.watch, ""};
  r.growth = least_growth(r, plan.methods, settings, cap);
  if (r.unfinished.empty() && cap.over()) r.unfinished.emplace_back("growth of a small difference");
  judge(plan.methods, r);
  judge_sticking(built, r);
  return r;
}

namespace {

/// The greatest of what the limit of a series is known to, up to n times.
Distance known(const Series& s, long n) {
  Distance out;
  for (long k = 0; k < n; ++k) out.take(s.uncertain(static_cast<std::size_t>(k)));
  return out;
}

}  // namespace

std::size_t reference(const Report& r) {
  std::size_t best = 0;
  const auto worse = [&](std::size_t i, std::size_t j) {
    if (r.resolved[i] != r.resolved[j]) return r.resolved[i] < r.resolved[j];
    const long n = r.resolved[i];
    return known(r.series[i], n).scaled(r.size) > known(r.series[j], n).scaled(r.size);
  };
  for (std::size_t i = 1; i < r.series.size(); ++i)
    if (worse(best, i)) best = i;
  return best;
}

void check_results(const model::Built& built, const sim::Settings& settings,
                   const io::Header& header, const std::string& file, Report& report,
                   const Options& options) {
  sim::Settings own = settings;
  own.duration = report.grid.horizon();
  const Cap cap{options.choose_horizon ? options.work : kForever, &options.watch,
                "the scene's own method, for its results"};
  const Made made = record(built, own, header, file, cap, {report.object, report.grid.stride});
  if (!report.series.empty()) {
    const std::size_t i = reference(report);
    report.own_run = judge_own_run(made.seen, report.series[i], report.resolved[i], report.size,
                                   *built.model, report.object);
    report.own_run->reference = i;
    report.own_run->formulation = form::name_of(settings.form.formulation);
    report.own_run->step = own.step;
  }
  report.independent = check(io::ResultsReader(file), allowed_of(own, built.model->scales));
  for (const std::string& f : report.independent->findings()) report.findings.push_back(f);
  if (made.enough && !made.cut)
    report.independent->left_out.push_back(
        fmt::format("results after t = {:.4g} s: too expensive", made.until));
  if (made.cut && report.unfinished.empty()) report.unfinished.emplace_back("the results alone");
}

Report verify(const model::Built& built, const sim::Settings& settings, const Options& options,
              const Twin& twin) {
  Methods methods = methods_of(built, settings.form);
  if (twin.built) add_twin(methods, built, *twin.built, methods_of(*twin.built, twin.form));
  return compare(methods, settings, options);
}

}  // namespace trammel::verify
