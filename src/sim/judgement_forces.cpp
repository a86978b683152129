#include "sim/judgement_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/index.h"

namespace trammel::sim {

namespace {

Warning unresolved(const Watch::Timed& timed, std::size_t part, const LoadWatch& seen,
                   const Settings& settings, const Shorter& shorter) {
  Warning w;
  w.kind = "unresolved load";
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
  w.kind = "unresolved drive";
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
  constexpr double kRounding = 1e-12;  // of the greatest limit
  for (std::size_t i = 0; i < watch.limited().size(); ++i) {
    const LimitWatch& seen = watch.seen.limits[i];
    if (!(-seen.least > kRounding * seen.most)) continue;
    const model::LawOnRow& l = model.laws[at(watch.limited()[i])];
    Warning w;
    w.kind = "negative limit";
    w.subject = l.name;
    w.value = -seen.least;
    w.limit = kRounding * seen.most;
    w.unit = model.rows[at(l.row)].row.unit() == joint::Unit::metre ? "N" : "N m";
    w.t_first = seen.t_first;
    w.t_worst = seen.t_least;
    w.text = fmt::format("its {} falls to {:.3g} {}: less than zero stands for no force at all",
                         l.law.type->function.name, seen.least, w.unit);
    w.remedy = "give a limit that is never negative, such as max(0, ...)";
    out.push_back(std::move(w));
  }
}

}  // namespace trammel::sim
