#include "verify/reactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/index.h"
#include "verify/refinement.h"
#include "verify/series.h"

namespace trammel::verify {

namespace {

constexpr double kExplained =
    5;  // differences up to so many times both uncertainties are explained
constexpr double kOfGreatest = 1e-9;  // and so much of the greatest reaction is rounding
constexpr double kIsNear = 0.25;
constexpr int kOrder = 2;          // of means over steps, and of forces by bdf2
constexpr std::size_t kSteps = 4;  // beside a time of the grid: two before it, two after it
constexpr std::array<const char*, kComponents> kComponentNames{"fx", "fy", "fz", "tx", "ty", "tz"};

double component(const model::Reaction& r, std::size_t c) {
  return c < 3 ? r.force[static_cast<int>(c)] : r.torque[static_cast<int>(c) - 3];
}

bool means(const form::Settings& s) {
  return s.formulation == form::Settings::Formulation::velocity;
}

}  // namespace

void ReactionWatch::see(const sim::Simulation& run) {
  const long step = run.steps_made(), since = step % every_;
  const bool beside = since <= 2 || since == every_ - 1;
  if (!beside) return last_.clear();
  if (last_.size() == kSteps) last_.erase(last_.begin());
  run.formulation().reactions(run.state().on, last_.emplace_back());
  samples.joints = run.model().joints.size();
  for (const Reactions& r : last_)
    if (r.size() != last_.back().size()) return;  // transient joints come and go
  if (last_.size() == kSteps && step > 2 && (step - 2) % every_ == 0)
    put(last_[0], last_[1], last_[2], last_[3]);
}

void ReactionWatch::put(const Reactions& before, const Reactions& here, const Reactions& next,
                        const Reactions& after) {
  const bool mean = means(*form_),
             own_steps = form_->formulation == form::Settings::Formulation::acceleration;
  for (std::size_t j = 0; j < samples.joints; ++j) {
    std::array<double, 2> rough{};
    for (std::size_t c = 0; c < kComponents; ++c) {
      const double a = component(before[j], c), b = component(here[j], c),
                   d = component(next[j], c), e = component(after[j], c);
      samples.value.push_back(mean ? (b + d) / 2 : b);
      rough[c / 3] = std::max({rough[c / 3], std::abs(a - 2 * b + d), std::abs(b - 2 * d + e)});
    }
    for (const double r : rough) samples.rough.push_back(own_steps ? 0 : r);
  }
}

namespace {

/// The reactions that a series tends to, and what is known of them.
struct Limit {
  std::size_t joints = 0;
  long times = 0;
  std::vector<double> value;        // as ReactionSamples::value
  std::vector<double> uncertainty;  // as ReactionSamples::rough, of the limit up to each time
  std::vector<double> rough;
  double order = std::numeric_limits<double>::quiet_NaN();
  std::size_t at(long k, std::size_t j) const { return at_(static_cast<int>(k)) * joints + j; }
};

/// What is compared.
struct Compared {
  std::vector<unsigned char> determined;  // kComponents a joint
  bool all(std::size_t joint, std::size_t c) const {
    return determined[kComponents * joint + c] != 0;
  }
};

/// Returns a - b times `times`, the greatest component that is compared of each force and torque.
std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b,
                                std::size_t n, const Compared& what) {
  std::vector<double> out(n / 3, 0);
  const std::size_t one = what.determined.size();
  for (std::size_t i = 0; i < n; ++i)
    if (what.determined[i % one]) out[i / 3] = std::max(out[i / 3], std::abs(a[i] - b[i]));
  return out;
}

double greatest(const std::vector<double>& list) {
  return list.empty() ? 0 : *std::max_element(list.begin(), list.end());
}

/// From the values of two steps, h and h / ratio, those of h = 0, order 2.
std::vector<double> beyond(const std::vector<double>& coarse, const std::vector<double>& fine,
                           double ratio, std::size_t n) {
  std::vector<double> out(n);
  const double c = 1 / (std::pow(ratio, kOrder) - 1);
  for (std::size_t i = 0; i < n; ++i) out[i] = fine[i] + c * (fine[i] - coarse[i]);
  return out;
}

void accumulate(std::vector<double>& list, std::size_t each) {
  for (std::size_t i = each; i < list.size(); ++i) list[i] = std::max(list[i], list[i - each]);
}

Limit limit_of(const Series& s, long until, const Compared& what) {
  Limit out;
  const std::vector<Samples>& runs = s.runs;
  out.joints = runs.front().reactions.joints;
  out.times = until;
  for (const Samples& run : runs) out.times = std::min(out.times, run.reactions.times());
  const std::size_t n = kComponents * out.joints * at_(static_cast<int>(out.times));
  const auto &a = runs[0].reactions.value, &b = runs[1].reactions.value,
             &c = runs[2].reactions.value;
  out.rough.assign(runs[2].reactions.rough.begin(),
                   runs[2].reactions.rough.begin() + static_cast<long>(n / 3));
  out.value.assign(c.begin(), c.begin() + static_cast<long>(n));
  const auto d1 = differences(a, b, n, what), d2 = differences(b, c, n, what);
  out.uncertainty = d2;
  for (std::size_t i = 0; i < d2.size(); ++i)
    out.uncertainty[i] = std::max(d2[i], s.nominal == 0 ? 0 : d1[i] / 2);
  const double r1 = runs[0].step / runs[1].step, r2 = runs[1].step / runs[2].step;
  if (s.nominal > 0 && greatest(d2) > 0)
    out.order =
        order_of_differences(greatest(d1), greatest(d2), runs[0].step, runs[1].step, runs[2].step);
  if (std::abs(out.order - kOrder) < kIsNear) {
    out.value = beyond(b, c, r2, n);
    const auto left = differences(beyond(a, b, r1, n), out.value, n, what);
    out.uncertainty = left;
  }
  accumulate(out.uncertainty, 2 * out.joints);
  return out;
}

/// A force, and a torque.
struct Load {
  double force = 0, torque = 0;
  double of(std::size_t component) const { return component < 3 ? force : torque; }
};

/// Returns the greatest force and torque of any joint: forces act at levers, so that both are known
/// to the rounding of both.
Load greatest_load(const Limit& x, double lever) {
  Load out;
  for (std::size_t i = 0; i < x.value.size(); ++i) {
    double& most = i % kComponents < 3 ? out.force : out.torque;
    most = std::max(most, std::abs(x.value[i]));
  }
  if (lever > 0) out.force = std::max(out.force, out.torque / lever);
  out.torque = std::max(out.torque, out.force * lever);
  return out;
}

/// Returns the rounding of reactions: of all masses, what the accuracy of positions is over the
/// square of a step. By forces they do not come from positions.
Load rounding_of_reactions(const Series& s) {
  constexpr double kUnitsOfPlaces = 8 * std::numeric_limits<double>::epsilon();
  if (s.nominal == 0) return {};
  const Samples& run = s.finest();
  const double force =
      2 * run.mass * (run.rounding + kUnitsOfPlaces * run.far) / (run.step * run.step);
  return {force, force * run.reach};
}

/// A way of solving whose reactions are those of joints that hold, in the scene itself.
std::string why_not_compared(const Method& m, const Series& s) {
  const bool energy = m.form.formulation == form::Settings::Formulation::energy;
  if (m.soft || (energy && std::isfinite(m.form.joint_stiffness)))
    return "soft joints and smoothed laws swing about what they carry";
  if (energy && std::isfinite(s.vibrating.stiffness))
    return "its steps damp vibrations of bodies that strain";
  if (energy && m.form.difference != form::Settings::Difference::bdf2)
    return "its forces are not those at the end of a step of order 2";
  if (m.form.scheme == form::Settings::Scheme::baumgarte &&
      m.form.formulation == form::Settings::Formulation::velocity)
    return "of first order";
  if (s.runs.size() != kLevels || s.common() == 0) return "too short";
  return "";
}

/// What of the mechanism is compared.
Compared compared_of(const model::Built& built, const model::State& moving, bool moves) {
  Compared out{determined(built, built.state)};
  const std::vector<unsigned char> later = moves ? determined(built, moving) : out.determined;
  for (std::size_t i = 0; i < out.determined.size(); ++i) {
    const model::Joint& j = built.model->joints[i / kComponents];
    out.determined[i] = out.determined[i] && later[i] && j.coupling < 0 && !j.strain();
  }
  return out;
}

class Comparison {
 public:
  Comparison(const Methods& methods, const std::vector<Series>& series,
             const std::vector<long>& until)
      : methods_(methods), series_(series), built_(methods.methods.front().built) {
    const Samples& finest = series.front().finest();
    what_ = compared_of(*built_, finest.moving, finest.moving_at >= 0);
    for (std::size_t i = 0; i < series.size(); ++i) take(i, until[i]);
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      error(taken_[i], limits_[i]);
      for (std::size_t k = 0; k < i; ++k) compare(k, i);
    }
    count();
  }
  ReactionReport out;

 private:
  void take(std::size_t i, long until) {
    const Method& m = methods_.methods[i];
    std::string why =
        m.built == built_ ? why_not_compared(m, series_[i]) : "a twin has other joints";
    if (!why.empty()) {
      out.left_out.push_back(fmt::format("{}: {}", series_[i].name, why));
      return;
    }
    taken_.push_back(i);
    limits_.push_back(limit_of(series_[i], until, what_));
  }

  void count() {
    for (std::size_t j = 0; kComponents * j < what_.determined.size(); ++j) {
      std::size_t n = 0;
      for (std::size_t c = 0; c < kComponents; ++c) n += what_.all(j, c);
      out.components += n;
      out.joints += n > 0;
    }
  }

  const std::string& name(std::size_t joint) const { return built_->model->joints[joint].name; }
  double time(std::size_t i, long k) const {
    const Samples& run = series_[i].finest();
    return run.t0 + static_cast<double>(k + 1) * run.apart;
  }

  /// Calls f(time, joint, component, index of the number) for all that is compared.
  template <class F>
  void for_all(long times, const F& f) const {
    const std::size_t joints = built_->model->joints.size();
    for (long k = 0; k < times; ++k)
      for (std::size_t j = 0; j < joints; ++j)
        for (std::size_t c = 0; c < kComponents; ++c)
          if (what_.all(j, c))
            f(k, j, c, kComponents * (at_(static_cast<int>(k)) * joints + j) + c);
  }

  double size(std::size_t i) const { return series_[i].finest().reach; }

  void error(std::size_t i, const Limit& limit) {
    ReactionError e;
    e.series = i;
    e.order = limit.order;
    const std::vector<double>& coarse = series_[i].runs.front().reactions.value;
    const Load all = greatest_load(limit, size(i));
    double worst = -1;
    for_all(limit.times, [&](long k, std::size_t j, std::size_t c, std::size_t at) {
      const double off = std::abs(coarse[at] - limit.value[at]);
      const double share = all.of(c) > 0 ? off / all.of(c) : 0;
      if (share <= worst) return;
      worst = share;
      e = {i,          limit.order,     name(j), kComponentNames[c], c < 3 ? "N" : "N m",
           time(i, k), limit.value[at], off};
    });
    if (worst >= 0) out.errors.push_back(e);
  }

  void compare(std::size_t first, std::size_t second) {
    const Limit &x = limits_[first], &y = limits_[second];
    ReactionPair p;
    p.a = taken_[first];
    p.b = taken_[second];
    const Load a = greatest_load(x, size(p.a)), b = greatest_load(y, size(p.b)),
               known_a = rounding_of_reactions(series_[p.a]),
               known_b = rounding_of_reactions(series_[p.b]);
    const auto rounding = [&](std::size_t c) {
      return kOfGreatest * std::max(a.of(c), b.of(c)) + known_a.of(c) + known_b.of(c);
    };
    double worst = -1;
    for_all(std::min(x.times, y.times), [&](long k, std::size_t j, std::size_t c, std::size_t at) {
      const std::size_t kind = 2 * x.at(k, j) + c / 3;
      const double allowed = kExplained * (x.uncertainty[kind] + y.uncertainty[kind]) +
                             x.rough[kind] + y.rough[kind] + rounding(c);
      const double off = std::abs(x.value[at] - y.value[at]);
      if (allowed > 0 ? off / allowed <= worst : worst >= 0) return;
      worst = allowed > 0 ? off / allowed : 0;
      p = {p.a,         p.b,         name(j), kComponentNames[c], c < 3 ? "N" : "N m", time(p.a, k),
           x.value[at], y.value[at], allowed, !(off <= allowed)};
    });
    if (worst < 0) return;
    out.pairs.push_back(p);
    if (!p.differs) return;
    out.findings.push_back(fmt::format(
        "{} and {} disagree on the reaction of joint '{}' at t = {:.4g} s: {} is {:.6g} {} and "
        "{:.6g} {}, where {:.2g} {} is explained",
        series_[p.a].name, series_[p.b].name, p.joint, p.t, p.component, p.value_a, p.unit,
        p.value_b, p.unit, p.allowed, p.unit));
  }

  const Methods& methods_;
  const std::vector<Series>& series_;
  const model::Built* built_;
  Compared what_;
  std::vector<std::size_t> taken_;  // series that are compared,
  std::vector<Limit> limits_;       // and what they tend to
};

}  // namespace

ReactionReport compare_reactions(const Methods& methods, const std::vector<Series>& series,
                                 const std::vector<long>& until) {
  const model::Model& m = *methods.methods.front().built->model;
  ReactionReport none;
  if (m.joints.empty()) return none;
  if (can_touch(m)) {
    none.left_out.emplace_back("reactions of joints: contacts may share with them what they carry");
    return none;
  }
  return std::move(Comparison(methods, series, until).out);
}

}  // namespace trammel::verify
