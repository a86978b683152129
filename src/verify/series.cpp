#include "verify/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/rotation.h"
#include "model/constraint_specs.h"

namespace trammel::verify {

namespace {

constexpr double kNoted = 1e-9;           // differences below it are not worth a note
constexpr double kFineTolerance = 1e-12;  // of rows, where it is not refined [m]
constexpr double kNearOrder = 0.25;       // an observed order within this of the nominal one is it

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

/// log2 of the ratio of the greatest differences.
double observed_order(const std::vector<Distance>& first, const std::vector<Distance>& second,
                      const Scale& by) {
  double e1 = 0, e2 = 0;
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (static_cast<long>(k) >= by.usable && first[k].scaled(by.size) > kLost) break;
    e1 = std::max(e1, first[k].scaled(by.size));
    e2 = std::max(e2, second[k].scaled(by.size));
  }
  if (e2 < by.rounding) return std::numeric_limits<double>::quiet_NaN();
  return std::log2(e1 / e2);
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

/// Three runs with steps h, h/2, h/4: what is left of the error of order p once the limit is
/// extrapolated is what two such limits differ by.
void extrapolate_steps(Series& s, const std::vector<Distance>& d1, const std::vector<Distance>& d2,
                       const Scale& by) {
  const std::size_t n = d1.size() * s.finest().object.size();
  s.order = observed_order(d1, d2, by);
  s.extrapolated = std::abs(s.order - s.nominal) < kNearOrder;
  if (s.order < s.nominal - 2 * kNearOrder && noted(greatest(d2, by), by))
    s.note = fmt::format(
        "observed order {:.2f} where {} is nominal: events, bounds, singular configurations or too "
        "large a "
        "step",
        s.order, s.nominal);
  if (!s.extrapolated) {
    s.uncertainty = difference(d1, d2);
    return;
  }
  const double c = 1 + 1 / (std::pow(2.0, s.nominal) - 1);
  s.limit = beyond(s.runs[1].X, s.runs[2].X, c, n);
  const auto coarser = beyond(s.runs[0].X, s.runs[1].X, c, n);
  s.uncertainty = distances(coarser.data(), s.limit.data(), s.finest().object.size(),
                            static_cast<long>(d1.size()));
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
    d.length = std::max(d.length, kAccuracies[2]);
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
  const double c = 1 / (std::pow(2.0, s.nominal) - 1);
  const auto &coarse = s.runs[0].taken, &mid = s.runs[1].taken, &fine = s.runs[2].taken;
  for (std::size_t k = 0; k < s.uncertainty.size(); ++k) {
    const double E = std::max(std::abs(fine[k] + c * (fine[k] - mid[k])),
                              std::abs(mid[k] + c * (mid[k] - coarse[k]))),
                 strain = std::sqrt(2 * E / s.vibrating.stiffness);
    s.uncertainty[k].length += 2 * strain * s.vibrating.arm;
    s.uncertainty[k].angle += strain;
  }
}

}  // namespace

Refined refined(const Method& method, const sim::Settings& own, const Grid& grid, int level) {
  Refined out{own, grid.stride, ""};
  out.settings.form = method.form;
  const long parts = 1L << level;
  double& tolerance = out.settings.form.tolerance;  // where rows are met loosely on purpose
  tolerance =
      std::max(std::min(tolerance, kFineTolerance), tolerance / static_cast<double>(parts * parts));
  if (method.order == 0) {
    const double accuracy = kAccuracies[level];
    out.settings.form.accuracy = {accuracy, accuracy, accuracy, accuracy, accuracy};
    out.settings.step = static_cast<double>(grid.coarse()) * grid.h / static_cast<double>(parts);
    out.every = grid.stride / grid.coarse() * parts;
    out.name = fmt::format("accuracy {:.0e}, step {:.6g} s", accuracy, out.settings.step);
    return out;
  }
  out.settings.step = grid.h / static_cast<double>(parts);
  out.every = grid.stride * parts;
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
  }
  for (int level = 0; level < kLevels; ++level) {
    const Refined r = refined(method, own, grid, level);
    out.refinement.push_back(r.name);
    cap.what = fmt::format("{}, {}", method.name, r.name);
    Samples run = sample(*method.built, r.settings, r.every, grid.count, cap);
    cap.most -= run.work;
    take(out, std::move(run), r.name);
  }
  return out;
}

/// By steps or accuracies.
void extrapolate_one(Series& s, const Scale& by) {
  const long count = s.common();
  const std::size_t bodies = s.finest().object.size(), n = bodies * static_cast<std::size_t>(count);
  const auto d1 = distances(s.runs[0].X.data(), s.runs[1].X.data(), bodies, count);
  const auto d2 = distances(s.runs[1].X.data(), s.runs[2].X.data(), bodies, count);
  s.limit.assign(s.runs[2].X.begin(), s.runs[2].X.begin() + static_cast<long>(n));
  if (s.nominal == 0)
    judge_accuracies(s, d1, d2, by);
  else
    extrapolate_steps(s, d1, d2, by);
  add_damped(s);
  accumulate(s.uncertainty);
  s.by_steps = s.uncertainty;
  s.error = distances(s.runs.front().X.data(), s.limit.data(), bodies, count);
}

/// Each to the sum of both.
void add(std::vector<Distance>& to, const std::vector<Distance>& more, double times) {
  for (std::size_t k = 0; k < to.size(); ++k) {
    to[k].length += times * more[k].length;
    to[k].angle += times * more[k].angle;
  }
}

/// From the limits of three stiffnesses that of infinite stiffness: what is soft errs by
/// 1/stiffness where its own vibrations have died away.
void extrapolate_stiffness(Series& s, const Scale& by) {
  const Series &mid = s.stiffer[0], &last = s.stiffer[1];
  const long count = std::min({s.count(), mid.count(), last.count()});
  const std::size_t bodies = s.finest().object.size(), n = bodies * static_cast<std::size_t>(count);
  const auto d1 = distances(s.limit.data(), mid.limit.data(), bodies, count),
             d2 = distances(mid.limit.data(), last.limit.data(), bodies, count);
  s.stiffness_order = observed_order(d1, d2, by) / std::log2(kStiffer);
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

void extrapolate(Series& s, const Scale& by) {
  extrapolate_one(s, by);
  for (Series& more : s.stiffer) extrapolate_one(more, by);
  if (!s.stiffer.empty()) extrapolate_stiffness(s, by);
}

}  // namespace trammel::verify
