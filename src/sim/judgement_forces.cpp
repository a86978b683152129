#include "sim/judgement_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/index.h"

namespace trammel::sim {

namespace {

constexpr double kRoundingOfLimits = 1e-12;  // of the greatest limit

Warning unresolved(const Watch::Timed& timed, std::size_t part, const LoadWatch& seen,
                   const Settings& settings, const Shorter& shorter) {
  Warning w;
  w.kind = WarningKind::unresolved_load;
  w.subject = timed.name;
  w.limit = kShareLimit * seen.total;
  w.t_first = seen.error.first_beyond(w.limit);
  w.t_worst = seen.t_worst;
  w.value = seen.error.worst;
  w.unit = timed.unit[part];
  w.grave = w.value > kGrave * w.limit;
  w.text = fmt::format(
      "{} changes faster than the steps follow: of {:.3g} {} that it {}, about {:.2g} {} are wrong",
      timed.limits ? "its limit" : "it", seen.total, w.unit, timed.limits ? "allows" : "gives",
      w.value, w.unit);
  w.remedy = shorter(settings.step * std::sqrt(0.5 * w.limit / w.value));
  return w;
}

/// A number that a formula does not give: results that it is part of are none.
Warning no_number(const std::string& name, double t_first, std::string text, std::string remedy) {
  Warning w;
  w.kind = WarningKind::no_number;
  w.subject = name;
  w.text = std::move(text);
  w.remedy = std::move(remedy);
  w.t_first = w.t_worst = t_first;
  w.value = w.limit = 1;
  w.grave = true;
  return w;
}

constexpr const char* kLimitArgument =
    "limit its argument, as in sqrt(max(0, ...)), or give another value there by if(...)";

Warning negative_limit(const LimitWatch& seen, const model::LawOnRow& law, std::string unit) {
  Warning w;
  w.kind = WarningKind::negative_limit;
  w.subject = law.name;
  w.value = -seen.least;
  w.limit = kRoundingOfLimits * seen.most;
  w.unit = std::move(unit);
  w.t_first = seen.t_first;
  w.t_worst = seen.t_least;
  w.text = fmt::format("its {} falls to {:.3g} {}: less than zero stands for no force at all",
                       law.law.type->function.name, seen.least, w.unit);
  w.remedy = "give a limit that is never negative, such as max(0, ...)";
  return w;
}

}  // namespace

void judge_forces(const Watch& watch, const Settings& settings, const Shorter& shorter,
                  std::vector<Warning>& out) {
  for (const Watch::Timed& timed : watch.timed())
    for (std::size_t k = 0; k < timed.parts; ++k) {
      const LoadWatch& seen = watch.seen.load_watches[timed.first + k];
      if (!(seen.error.worst > kShareLimit * seen.total)) continue;
      out.push_back(unresolved(timed, k, seen, settings, shorter));
    }
}

void judge_drive(const Watch& watch, std::size_t drive, const Settings& settings,
                 const Shorter& shorter, std::vector<Warning>& out) {
  constexpr double kRounding = 1e-13;  // of places
  const Course& c = watch.seen.courses[drive];
  const Watch::Subject& s = watch.drives()[drive];
  const double limit =
      std::max(kShareLimit * (c.hi - c.lo), kRounding * std::max(std::abs(c.lo), std::abs(c.hi)));
  if (!(c.off.worst > limit) || c.jump.worst > limit) return;
  Warning w;
  w.kind = WarningKind::unresolved_drive;
  w.subject = s.name;
  w.t_first = c.off.first_beyond(limit);
  w.t_worst = c.off.t_worst;
  w.value = c.off.worst;
  w.limit = limit;
  w.unit = s.unit;
  w.grave = !(w.value <= kGrave * w.limit);
  w.text = fmt::format(
      "it changes faster than the steps follow: between their ends it goes {:.3g} {} elsewhere "
      "than these show",
      w.value, w.unit);
  w.remedy = shorter(settings.step * std::pow(0.5 * w.limit / w.value, 0.25));
  out.push_back(std::move(w));
}

void judge_limits(const Watch& watch, const model::Model& model, std::vector<Warning>& out) {
  for (std::size_t i = 0; i < watch.limited().size(); ++i) {
    const LimitWatch& seen = watch.seen.limits[i];
    const model::LawOnRow& l = model.laws[at(watch.limited()[i])];
    const bool length = model.rows[at(l.row)].row.unit() == joint::Unit::metre;
    if (seen.t_no_number < kNever)
      out.push_back(no_number(
          l.name, seen.t_no_number,
          fmt::format("its {} is no number: it has no force then", l.law.type->function.name),
          kLimitArgument));
    if (-seen.least > kRoundingOfLimits * seen.most)
      out.push_back(negative_limit(seen, l, length ? "N" : "N m"));
  }
}

void judge_sensors(const Watch& watch, const Settings& settings, std::vector<Warning>& out) {
  const std::vector<Missing>& all = watch.seen.no_numbers;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].frames > 0)
      out.push_back(no_number(
          settings.sensors[i].name, all[i].t_first,
          fmt::format("the sensor has no finite value in {} frame{} of the results: its formula "
                      "divides by zero, or has a root or a logarithm of a negative number there",
                      all[i].frames, all[i].frames > 1 ? "s" : ""),
          kLimitArgument));
}

}  // namespace trammel::sim
