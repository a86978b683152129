#include "verify/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/rotation.h"
#include "model/constraint_specs.h"
#include "verify/refinement.h"

namespace trammel::verify {

namespace {

constexpr double kNoted = 1e-9;           // differences below it are not worth a note
constexpr double kFineTolerance = 1e-12;  // of rows, where it is not refined
constexpr double kHidden = 2;             // times what impacts leave: truncation may hide in it
constexpr double kNearOrder = 0.25;       // an observed order within this of the nominal one is it
constexpr double kNextOrder = 1 + kNearOrder;  // so is one between it and the next: both show

/// a + c (b - a), along the shortest turn.
Pose beyond(const Pose& a, const Pose& b, double c) {
  const Vec3 turn = log_quat(Quat(Mat3(a.R.transpose() * b.R)));
  return {a.p + c * (b.p - a.p), a.R * exp_matrix(c * turn)};
}

std::vector<Pose> beyond(const std::vector<Pose>& a, const std::vector<Pose>& b, double c,
                         std::size_t n) {
  std::vector<Pose> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = beyond(a[i], b[i], c);
  return out;
}

std::vector<Distance> distances(const Pose* a, const Pose* b, std::size_t bodies, long count) {
  std::vector<Distance> out;
  for (long k = 0; k < count; ++k)
    out.push_back(
        apart(a + k * static_cast<long>(bodies), b + k * static_cast<long>(bodies), bodies));
  return out;
}

void accumulate(std::vector<Distance>& list) {
  for (std::size_t k = 1; k < list.size(); ++k) list[k].take(list[k - 1]);
}

/// The greatest differences of two pairs of runs, for an order.
struct Differences {
  double first = 0, second = 0;
  bool tell = false;  // they are more than rounding
};
Differences greatest_of(const std::vector<Distance>& first, const std::vector<Distance>& second,
                        const Scale& by) {
  Differences out;
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (static_cast<long>(k) >= by.usable && first[k].scaled(by.size) > kLost) break;
    out.first = std::max(out.first, first[k].scaled(by.size));
    out.second = std::max(out.second, second[k].scaled(by.size));
  }
  out.tell = out.second >= by.rounding;
  return out;
}

/// Returns the order in the steps of three runs; NaN where differences are rounding.
double observed_order(const Series& s, const std::vector<Distance>& first,
                      const std::vector<Distance>& second, const Scale& by) {
  const Differences d = greatest_of(first, second, by);
  if (!d.tell) return std::numeric_limits<double>::quiet_NaN();
  return order_of_differences(d.first, d.second, s.runs[0].step, s.runs[1].step, s.runs[2].step);
}

/// The same in 1/stiffness, of runs that are kStiffer times as stiff from one to the next.
double observed_stiffness_order(const std::vector<Distance>& first,
                                const std::vector<Distance>& second, const Scale& by) {
  const Differences d = greatest_of(first, second, by);
  if (!d.tell) return std::numeric_limits<double>::quiet_NaN();
  return std::log(d.first / d.second) / std::log(kStiffer);
}

/// Returns the error of a run that comes closer to the next one without a known order: at most by
/// what the last two differ by, or half of what the first two do.
std::vector<Distance> difference(const std::vector<Distance>& d1, std::vector<Distance> d2) {
  for (std::size_t k = 0; k < d1.size(); ++k)
    d2[k].take({d1[k].length / 2, d1[k].angle / 2, d1[k].length_body, d1[k].angle_body});
  return d2;
}

double greatest(const std::vector<Distance>& list, const Scale& by) {
  double out = 0;
  for (long k = 0; k < std::min(by.usable, static_cast<long>(list.size())); ++k)
    out = std::max(out, list[static_cast<std::size_t>(k)].scaled(by.size));
  return out;
}

bool noted(double difference, const Scale& by) {
  return difference > std::max(kNoted, by.rounding);
}

/// Takes away what impacts at the ends of steps explain of the difference of two runs.
std::vector<Distance> unexplained(std::vector<Distance> d, const std::vector<Distance>& late_a,
                                  const std::vector<Distance>& late_b) {
  for (std::size_t k = 0; k < d.size(); ++k) {
    d[k].length = std::max(0., d[k].length - late_a[k].length - late_b[k].length);
    d[k].angle = std::max(0., d[k].angle - late_a[k].angle - late_b[k].angle);
  }
  return d;
}

/// Returns how much a small difference has grown since a time, up to each one later, beyond a
/// steady drift.
std::vector<double> grown_since(const std::vector<double>& beyond, long from, std::size_t count) {
  std::vector<double> out(count, 1);
  double then = 0;
  for (std::size_t k = 0; k < std::min(count, beyond.size()); ++k) {
    if (k > 0) out[k] = out[k - 1];
    if (beyond[k] > 0 && (then == 0 || static_cast<long>(k) < from)) then = beyond[k];
    if (then > 0) out[k] = std::max(out[k], beyond[k] / then);
  }
  return out;
}

/// Impacts at the ends of steps: which part of a step they fall in is as good as random, so that
/// their error has no order. From the first one on the finest run is the limit.
void take_impacts(Series& s, const std::vector<double>& beyond) {
  const auto count = static_cast<std::size_t>(s.common());
  const double apart = s.runs.front().apart;
  double first = std::numeric_limits<double>::infinity();
  for (const Samples& run : s.runs) first = std::min(first, run.first_impact - run.t0);
  s.first_impact = static_cast<long>(count);
  if (first < apart * static_cast<double>(count))
    s.first_impact = std::max(0L, static_cast<long>(std::floor(first / apart)));
  s.grown = grown_since(beyond, s.first_impact, count);
  for (Samples& run : s.runs) {
    run.late.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      run.late[k].length *= s.grown[k];
      run.late[k].angle *= s.grown[k];
    }
  }
  s.late = s.finest().late;
  for (Distance& d : s.late) {  // and as much of the order of steps, which they may hide
    d.length *= kHidden;
    d.angle *= kHidden;
  }
}

/// Whether the order of steps, as it shows up to each time, is the nominal one or lies between it
/// and the next. What a chaotic motion makes of errors late says nothing of those before.
std::vector<unsigned char> follow_until(const Series& s, const std::vector<Distance>& d1,
                                        const std::vector<Distance>& d2, const Scale& by) {
  std::vector<unsigned char> out;
  double first = 0, second = 0;
  for (std::size_t k = 0; k < d1.size(); ++k) {
    first = std::max(first, d1[k].scaled(by.size));
    second = std::max(second, d2[k].scaled(by.size));
    const double faster =
        second < by.rounding
            ? -s.nominal
            : order_of_differences(first, second, s.runs[0].step, s.runs[1].step, s.runs[2].step) -
                  s.nominal;
    out.push_back(faster > -kNearOrder && faster < kNextOrder);
  }
  return out;
}

/// Three runs of shorter and shorter steps: what is left of the error of order p once the limit is
/// extrapolated is what two such limits differ by.
void extrapolate_steps(Series& s, const std::vector<Distance>& d1, const std::vector<Distance>& d2,
                       const Scale& by) {
  const auto smooth = static_cast<std::size_t>(s.first_impact);
  const std::size_t n = smooth * s.finest().object.size();
  const std::vector<Distance> before1(d1.begin(), d1.begin() + s.first_impact),
      before2(d2.begin(), d2.begin() + s.first_impact);
  const bool whole = smooth == d1.size();
  s.order = observed_order(s, before1, before2, by);
  const double faster = s.order - s.nominal;
  const bool follows = faster > -kNearOrder && faster < kNextOrder;
  s.extrapolated = follows && whole;
  if (s.order < s.nominal - 2 * kNearOrder && noted(greatest(before2, by), by))
    s.note = fmt::format(
        "observed order {:.2f} where {} is nominal: events, bounds, singular configurations or too "
        "large a "
        "step",
        s.order, s.nominal);
  else if (!whole && s.note.empty() && !s.by_energy)
    s.note = fmt::format(
        "from the first impact on, t = {:.4g} s, the finest run is the limit: nothing is "
        "extrapolated over impacts",
        s.finest().first_strike);
  s.uncertainty = difference(d1, d2);
  if (!whole) {
    const auto rest1 = unexplained(d1, s.runs[0].late, s.runs[1].late),
               rest2 = unexplained(d2, s.runs[1].late, s.runs[2].late);
    const auto rest = difference(rest1, rest2);
    std::copy(rest.begin() + s.first_impact, rest.end(), s.uncertainty.begin() + s.first_impact);
  }
  if (!follows) return;
  auto limit = beyond(s.runs[1].X, s.runs[2].X, s.extrapolating(1), n);
  auto coarser = beyond(s.runs[0].X, s.runs[1].X, s.extrapolating(0), n);
  if (faster > kNearOrder) {  // the next order shows: it is taken away from both limits as well
    const auto better = beyond(coarser, limit, s.extrapolating_further(), n);
    coarser = std::exchange(limit, better);
  }
  const std::size_t bodies = s.finest().object.size();
  const auto left = distances(coarser.data(), limit.data(), bodies, s.first_impact);
  const auto until = follow_until(s, before1, before2, by);
  for (std::size_t k = 0; k < smooth; ++k) {
    if (!until[k]) continue;
    std::copy_n(limit.begin() + static_cast<long>(k * bodies), bodies,
                s.limit.begin() + static_cast<long>(k * bodies));
    s.uncertainty[k] = left[k];
  }
}

/// Three accuracies, each a tenth of the one before: the finest run errs by less than half of what
/// it differs from the one before, if that has come closer as it should.
void judge_accuracies(Series& s, const std::vector<Distance>& d1, const std::vector<Distance>& d2,
                      const Scale& by) {
  s.order = std::numeric_limits<double>::quiet_NaN();
  s.uncertainty = d2;
  const double e1 = greatest(d1, by), e2 = greatest(d2, by);
  if (e2 > e1 / 4) {
    s.uncertainty = difference(d1, d2);
    if (noted(e2, by))
      s.note = fmt::format(
          "a tenth of the allowed error changes the motion {:.2g} times as much as "
          "the tenth before",
          e2 / e1);
  }
  for (Distance& d : s.uncertainty) {
    d.length = std::max(d.length, kAccuracies[2] * by.size);
    d.angle = std::max(d.angle, kAccuracies[2]);
  }
}

/// The least stiffness of straining bodies, and their greatest arm.
Vibrating vibrating_in(const model::Built& built) {
  const model::Model& m = *built.model;
  const model::ConstraintSpecs specs(m, built.params);
  Vibrating out;
  std::vector<char> strains(m.objects.size(), 0);
  for (const model::Joint& j : m.joints) {
    const auto row = static_cast<std::size_t>(j.first_row);
    if (!j.strain() || specs.is_equality(row)) continue;
    const law::Law& law = m.laws[static_cast<std::size_t>(m.rows[row].law)].law;
    out.stiffness =
        std::min(out.stiffness, built.params.values[static_cast<std::size_t>(law.first_param)]);
    strains[static_cast<std::size_t>(j.object_A)] = 1;
  }
  for (const model::Joint& j : m.joints) {
    if (j.coupling >= 0) continue;
    if (strains[static_cast<std::size_t>(j.object_A)]) out.arm = std::max(out.arm, j.X_OA.p.norm());
    if (strains[static_cast<std::size_t>(j.object_B)]) out.arm = std::max(out.arm, j.X_OB.p.norm());
  }
  return out;
}

/// Adds the vibrations that steps do not resolve: an energy formulation damps them away, and
/// refining does not bring them back. The energy E that the scheme takes however short its steps
/// are bounds it: strains of sqrt(2 E / stiffness), which turn bodies and move them by twice the
/// arm.
void add_damped(Series& s) {
  if (!std::isfinite(s.vibrating.stiffness)) return;
  const double c = s.extrapolating(1) - 1, d = s.extrapolating(0) - 1;
  const auto &coarse = s.runs[0].taken, &mid = s.runs[1].taken, &fine = s.runs[2].taken;
  for (std::size_t k = 0; k < s.uncertainty.size(); ++k) {
    const double E = std::max(std::abs(fine[k] + c * (fine[k] - mid[k])),
                              std::abs(mid[k] + d * (mid[k] - coarse[k]))),
                 strain = std::sqrt(2 * E / s.vibrating.stiffness);
    s.uncertainty[k].length += 2 * strain * s.vibrating.arm;
    s.uncertainty[k].angle += strain;
  }
}

}  // namespace

Refined refined(const Method& method, const sim::Settings& own, const Grid& grid, int level) {
  Refined out{own, grid.stride, ""};
  out.settings.form = method.form;
  out.every = steps_between(grid, level);
  out.settings.step = grid.apart() / static_cast<double>(out.every);
  const double finer = grid.h / out.settings.step;
  double& tolerance = out.settings.form.tolerance.value;  // where rows are met loosely on purpose
  tolerance = std::max(std::min(tolerance, kFineTolerance), tolerance / (finer * finer));
  if (level == 0) out.settings.step = grid.h;  // to the last bit
  if (method.order == 0) {
    const double accuracy = kAccuracies[level];
    const long parts = 1L << level;
    out.settings.form.accuracy = {accuracy, accuracy, accuracy, accuracy, accuracy};
    out.settings.step = static_cast<double>(grid.coarse()) * grid.h / static_cast<double>(parts);
    out.every = grid.stride / grid.coarse() * parts;
    out.name = fmt::format("accuracy {:.0e}, step {:.6g} s", accuracy, out.settings.step);
    return out;
  }
  out.name = fmt::format("step {:.6g} s", out.settings.step);
  return out;
}

namespace {

void take(Series& out, Samples run, const std::string& name) {
  out.cpu += run.cpu;
  out.work += run.work;
  if (out.failure.empty() && !run.failure.empty()) out.failure = name + ": " + run.failure;
  if (run.enough && !run.cut && out.note.empty())
    out.note = fmt::format("the run with {} was too expensive: it ended after {:.2g} units of work",
                           name, run.work);
  out.runs.push_back(std::move(run));
}

/// The runs of one stiffness.
Series run_steps(const Method& method, const sim::Settings& own, const Grid& grid, Cap cap) {
  Series out;
  out.name = method.name;
  out.nominal = method.order;
  out.times = method.times;
  if (method.form.formulation == form::Settings::Formulation::energy) {
    out.by_energy = true;
    out.vibrating = vibrating_in(*method.built);
    out.soft_joints = std::isfinite(method.form.joint_stiffness);
    if (out.soft_joints) out.joint_stiffness = std::max(0., method.form.joint_stiffness);
  }
  for (int level = 0; level < kLevels; ++level) {
    const Refined r = refined(method, own, grid, level);
    out.refinement.push_back(r.name);
    cap.what = fmt::format("{}, {}", method.name, r.name);
    Samples run = sample(*method.built, r.settings, r.every, grid.count, cap, method.compared);
    cap.most -= run.work;
    take(out, std::move(run), r.name);
  }
  return out;
}

/// Each to the sum of both.
void add(std::vector<Distance>& to, const std::vector<Distance>& more, double times) {
  for (std::size_t k = 0; k < to.size(); ++k) {
    to[k].length += times * more[k].length;
    to[k].angle += times * more[k].angle;
  }
}

/// By steps or accuracies.
void extrapolate_one(Series& s, const Scale& by) {
  const long count = s.common();
  const std::size_t bodies = s.finest().object.size(), n = bodies * static_cast<std::size_t>(count);
  const auto d1 = distances(s.runs[0].X.data(), s.runs[1].X.data(), bodies, count);
  const auto d2 = distances(s.runs[1].X.data(), s.runs[2].X.data(), bodies, count);
  s.limit.assign(s.runs[2].X.begin(), s.runs[2].X.begin() + static_cast<long>(n));
  take_impacts(s, by.beyond);
  if (s.nominal == 0)
    judge_accuracies(s, d1, d2, by);
  else
    extrapolate_steps(s, d1, d2, by);
  add_damped(s);
  accumulate(s.uncertainty);
  accumulate(s.late);
  s.by_steps = s.uncertainty;
  add(s.by_steps, s.late, 1);
  s.error = distances(s.runs.front().X.data(), s.limit.data(), bodies, count);
}

/// With impacts: the last of three stiffnesses is the limit, as the last of three steps is.
void take_stiffest(Series& s, const std::vector<Distance>& d1, const std::vector<Distance>& d2) {
  const Series &mid = s.stiffer[0], &last = s.stiffer[1];
  s.stiffness_order = std::numeric_limits<double>::quiet_NaN();
  s.extrapolated = false;
  s.limit = last.limit;
  s.limit.resize(d1.size() * s.finest().object.size());
  s.uncertainty = difference(unexplained(d1, s.finest().late, mid.finest().late),
                             unexplained(d2, mid.finest().late, last.finest().late));
  add(s.uncertainty, last.uncertainty, 1);
  accumulate(s.uncertainty);
  s.late.assign(last.late.begin(), last.late.begin() + static_cast<long>(d1.size()));
  s.error = distances(s.runs.front().X.data(), s.limit.data(), s.finest().object.size(),
                      static_cast<long>(d1.size()));
}

/// From the limits of three stiffnesses that of infinite stiffness: what is soft errs by
/// 1/stiffness where its own vibrations have died away.
void extrapolate_stiffness(Series& s, const Scale& by) {
  const Series &mid = s.stiffer[0], &last = s.stiffer[1];
  const long count = std::min({s.count(), mid.count(), last.count()});
  const std::size_t bodies = s.finest().object.size(), n = bodies * static_cast<std::size_t>(count);
  const auto d1 = distances(s.limit.data(), mid.limit.data(), bodies, count),
             d2 = distances(mid.limit.data(), last.limit.data(), bodies, count);
  s.first_impact = std::min({s.first_impact, mid.first_impact, last.first_impact});
  if (s.first_impact < count) return take_stiffest(s, d1, d2);
  s.stiffness_order = observed_stiffness_order(d1, d2, by);
  const double c = kStiffer / (kStiffer - 1);
  if (std::abs(s.stiffness_order - 1) < kNearOrder) {
    const auto coarser = beyond(s.limit, mid.limit, c, n);
    s.limit = beyond(mid.limit, last.limit, c, n);
    s.uncertainty = distances(coarser.data(), s.limit.data(), bodies, count);
    add(s.uncertainty, mid.uncertainty, c - 1);
    add(s.uncertainty, last.uncertainty, c);
  } else {
    if (s.note.empty() && noted(greatest(d2, by), by))
      s.note = fmt::format("observed order {:.2f} in 1/stiffness where 1 is expected",
                           s.stiffness_order);
    s.limit = last.limit;
    s.limit.resize(n);
    s.uncertainty = difference(d1, d2);
    add(s.uncertainty, last.uncertainty, 1);
  }
  accumulate(s.uncertainty);
  s.error = distances(s.runs.front().X.data(), s.limit.data(), bodies, count);
}

}  // namespace

Series run_series(const Method& method, const sim::Settings& own, const Grid& grid, Cap cap) {
  Series out = run_steps(method, own, grid, cap);
  for (int level = 1; method.soft && level < kStiffnesses; ++level) {
    model::Built holder;
    const Method stiff = stiffened(method, level, holder);
    Cap left = cap;
    left.most -= out.work;
    out.stiffer.push_back(run_steps(stiff, own, grid, left));
    const Series& more = out.stiffer.back();
    out.cpu += more.cpu;
    out.work += more.work;
    if (out.failure.empty() && !more.failure.empty())
      out.failure = stiff.name.substr(method.name.size() + 2) + ", " + more.failure;
    if (out.note.empty()) out.note = more.note;
  }
  return out;
}

long Series::common() const {
  long out = runs.empty() ? 0 : runs.front().count();
  for (const Samples& run : runs) out = std::min(out, run.count());
  for (const Series& more : stiffer) out = std::min(out, more.common());
  return out;
}

double Series::extrapolating(std::size_t run) const {
  return verify::extrapolating(runs[run].step, runs[run + 1].step, nominal);
}

double Series::extrapolating_further() const {
  const auto left = [&](std::size_t i) {  // of an error h^(p+1), in the limit of two runs
    const double a = std::pow(runs[i].step, nominal + 1),
                 b = std::pow(runs[i + 1].step, nominal + 1);
    return a + extrapolating(i) * (b - a);
  };
  return left(0) / (left(0) - left(1));
}

void extrapolate(Series& s, const Scale& by) {
  extrapolate_one(s, by);
  for (Series& more : s.stiffer) extrapolate_one(more, by);
  if (!s.stiffer.empty()) extrapolate_stiffness(s, by);
}

}  // namespace trammel::verify
