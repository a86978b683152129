// Where coordinates of systems are no chart: failures there name the coordinate.
#include "sim/chart_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/index.h"
#include "model/system.h"
#include "sim/simulation.h"

namespace trammel::sim {

namespace {

/// Steps that find their own length get as near to the end of a track as rounding [s].
constexpr double kSoon = 1e-4;
/// Beside the start. What a coordinate moves goes with the square of the distance from where the
/// chart ends, and steps that find their own length get there to 1e-6 and less.
constexpr double kHardly = 1e-8;
/// Likewise, where a step that does not go on may be too long for the chart.
constexpr double kAway = 0.1;
/// Change within a step that may be too much for it.
constexpr double kBent = 2;

/// What each coordinate moves while the others are free [kg, kg m^2]; all 0: the mass is singular.
std::vector<double> moved_mass(const body::Pool& pool, const double* derived, const double* q) {
  const int n = pool.nv;
  std::vector<double> inverse(at(n * n)), out(at(n));
  pool.inverse_mass(derived, q, nullptr, inverse.data());
  for (int i = 0; i < n; ++i) {
    const double x = 1 / inverse[at(i * n + i)];
    if (!std::isfinite(x)) return std::vector<double>(at(n), 0);
    out[at(i)] = x;
  }
  return out;
}

/// A coordinate of a system, and how what it moves has changed.
struct Change {
  std::size_t coordinate = 0;
  double share = 1;
};

/// The one that moves least beside what it moved before.
Change least(const std::vector<double>& before, const std::vector<double>& now) {
  Change out;
  for (std::size_t i = 0; i < now.size(); ++i)
    if (const double share = now[i] / before[i]; share < out.share) out = {i, share};
  return out;
}

/// The one of which a step of h along the rates u changes most what it moves.
Change most(const body::Pool& pool, const double* derived, double h, const double* q,
            const double* u, const std::vector<double>& now) {
  std::vector<double> next(q, q + pool.nq);
  for (int i = 0; i < pool.nv; ++i) next[at(i)] += h * u[i];
  const std::vector<double> then = moved_mass(pool, derived, next.data());
  Change out;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double factor = std::max(then[i] / now[i], now[i] / then[i]);
    if (!(factor <= out.share)) out = {i, factor};
  }
  return out;
}

/// Whether what moves by the pool's flow comes to its end.
bool flows(const body::Pool& pool, const double* derived, double h, const double* q,
           const double* P) {
  std::vector<double> q1(at(pool.nq)), P1(at(pool.nv));
  pool.flow(derived, h, q, P, q1.data(), P1.data());
  const auto good = [](const std::vector<double>& x) {
    return std::all_of(x.begin(), x.end(), [](double y) { return std::isfinite(y); });
  };
  return good(q1) && good(P1);
}

/// Calls f(object, s) for each object of a block that is on a track, at the coordinates x.
template <class F>
void for_tracks(const body::SystemSpec& spec, const std::vector<double>& x, const F& f) {
  std::vector<expr::Expression> variables;
  for (const body::SystemCoordinate& c : spec.coordinates) variables.push_back(c.x);
  for (const body::SystemObject& o : spec.objects) {
    if (!o.track.path) continue;
    const expr::Compiled c =
        expr::Tape::compile(std::span(&o.track.s, 1), variables, {.active = 0, .order = 0});
    if (!c) continue;
    double s = 0;
    std::vector<double> scratch(c.tape.scratch_size());
    c.tape.value(x, std::span(&s, 1), scratch);
    f(o, s);
  }
}

/// An end of a block, told of the system's name with a coordinate.
struct End {
  std::size_t coordinate = 0;
  std::string text;
};

std::vector<double> moved(const std::vector<double>& q, const double* u, double h) {
  std::vector<double> out = q;
  for (std::size_t i = 0; i < q.size(); ++i) out[i] += h * u[i];
  return out;
}

/// The coordinate that takes an object the most of its way in a step of h.
std::size_t leading(const body::SystemSpec& spec, const body::SystemObject* object,
                    const std::vector<double>& q, const double* u, double h) {
  const auto place = [&](const std::vector<double>& x) {
    double out = 0;
    for_tracks(spec, x,
               [&](const body::SystemObject& o, double s) { out = &o == object ? s : out; });
    return out;
  };
  std::size_t out = 0;
  double most = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    std::vector<double> next = q;
    next[i] += h * u[i];
    const double way = std::abs(place(next) - place(q));
    if (way > most) most = way, out = i;
  }
  return out;
}

/// An object of a block that comes to the end of its track within a step: what of the system.
End track_end(const body::SystemSpec& spec, const double* q, const double* u, double h) {
  const std::vector<double> here(q, q + spec.coordinates.size());
  End out;
  for_tracks(spec, moved(here, u, h), [&](const body::SystemObject& o, double s) {
    const geom::Curve& curve = o.track.path->curve();
    if (!out.text.empty() || curve.closed() || (s >= 0 && s <= curve.length())) return;
    out = {
        leading(spec, &o, here, u, h),
        fmt::format("comes to {} of track '{}', at s = {:.6g} m", s < 0 ? "the start" : "the end",
                    o.track.path->name(), s < 0 ? 0 : curve.length())};
  });
  return out;
}

/// How far a place on a curve is from the nearest jump of its curvature [m]; infinite: it has none.
double from_jump(const geom::Curve& curve, double s) {
  double out = std::numeric_limits<double>::infinity();
  if (curve.closed()) s -= curve.length() * std::floor(s / curve.length());
  for (std::size_t i = 0; i < curve.pieces(); ++i) {
    if (curve.jump(i) == geom::Jump::none) continue;
    out = std::min(out, std::abs(s - curve.piece_start(i)));
    if (i == 0) out = std::min(out, curve.length() - s);
  }
  return out;
}

/// An object of a block whose place is no number at the end of a step of h: the system's name
/// with the coordinate that changes most.
End place_end(const body::Pool& one, const body::SystemSpec& spec, const double* derived,
              const double* q, const double* u, double h) {
  const std::vector<double> next = moved({q, q + one.nq}, u, h);
  std::vector<double> jacobians(at(6 * one.nv * one.n_objects));
  std::vector<body::Transform> T(at(one.n_objects));
  one.transforms(derived, next.data(), T.data(), jacobians.data());
  const double* fastest =
      std::max_element(u, u + one.nv, [](double a, double b) { return std::abs(a) < std::abs(b); });
  for (std::size_t k = 0; k < spec.objects.size(); ++k) {
    if (T[k].p.allFinite() && T[k].A.allFinite()) continue;
    const std::string& name = spec.objects[k].name;  // behind a system's, of another one like it
    return {static_cast<std::size_t>(fastest - u),
            fmt::format("comes to where the place of its object '{}' is no number",
                        name.substr(name.rfind('.') + 1))};
  }
  return {};
}

/// What ends the way of a block; h 0: it stands where there is no way at all.
End block_end(const body::Pool& one, const body::SystemSpec& spec, const double* derived,
              const double* start, const double* q, const double* P, const double* u, double h) {
  const std::vector<double> before = moved_mass(one, derived, start);
  const std::vector<double> mass = moved_mass(one, derived, q);
  const Change gone = least(before, mass);
  const Change bent = h > 0 ? most(one, derived, h, q, u, mass) : Change{};
  const auto told = [&](const Change& c, const std::string& what) {
    return End{c.coordinate, fmt::format("are no chart here: '{}' {}",
                                         spec.coordinates[c.coordinate].name, what)};
  };
  if (!(gone.share > kHardly))
    return told(gone, fmt::format("moves {:.2g} of the mass that it moves at the start; take "
                                  "other coordinates",
                                  gone.share));
  if (!(bent.share <= kBent))
    return told(bent, fmt::format("comes to move {:.2g} times as much mass, or as little, in a "
                                  "step of {:.3g} s; take shorter ones, or other coordinates",
                                  bent.share, h));
  if (h > 0 && gone.share < kAway && !flows(one, derived, h, q, P))
    return told(gone, fmt::format("moves {:.2g} of the mass that it moves at the start, and a "
                                  "step of {:.3g} s does not go past; take shorter ones, or other "
                                  "coordinates",
                                  gone.share, h));
  return {};
}

}  // namespace

ChartEnd chart_end(const model::Built& built, const Failed& at) {
  for (const model::PoolSlot& slot : built.model->pools) {
    const auto* system = model::system_of(slot);
    if (!system) continue;
    const body::SystemSpec& spec = system->spec();
    const auto one = model::one_of(*system);
    std::vector<double> derived(trammel::at(one->n_derived));
    for (int b = 0; b < system->n_blocks; ++b) {
      one->derive(built.params.values.data() + slot.param + b * one->n_params, derived.data());
      const int x = slot.q + b * one->nq, v = slot.v + b * one->nv;
      const double *q = at.q.data() + x, *rate = at.u.data() + v;
      const std::string name = model::system_name(*built.model, slot, b);
      const auto told = [&](const End& end, const char* what) {
        return ChartEnd{model::dial_of(name, spec.coordinates[end.coordinate].name),
                        fmt::format("{} '{}' {}", what, name, end.text)};
      };
      const double soon = std::max(at.h, kSoon);
      if (const End end = track_end(spec, q, rate, soon); !end.text.empty())
        return told(end, "system");
      if (const End end = place_end(*one, spec, derived.data(), q, rate, soon); !end.text.empty())
        return told(end, "system");
      const End end = block_end(*one, spec, derived.data(), built.state.q.data() + x, q,
                                at.P.data() + v, rate, at.h);
      if (!end.text.empty()) return told(end, "the coordinates of system");
    }
  }
  return {};
}

std::string track_place(const model::Built& built, const model::State& now) {
  std::string out;
  double least = std::numeric_limits<double>::infinity();
  for (const model::PoolSlot& slot : built.model->pools) {
    const auto* system = model::system_of(slot);
    if (!system) continue;
    const std::size_t n = system->spec().coordinates.size();
    for (int b = 0; b < system->n_blocks; ++b) {
      const double* q = now.q.data() + at(slot.q) + at(b) * n;
      for_tracks(system->spec(), {q, q + n}, [&](const body::SystemObject& o, double s) {
        const double far = from_jump(o.track.path->curve(), s);
        if (!out.empty() && far >= least) return;
        least = far;
        out = fmt::format("; system '{}' is at s = {:.6g} m of track '{}'",
                          model::system_name(*built.model, slot, b), s, o.track.path->name());
      });
    }
  }
  return std::isfinite(least) ? fmt::format("{}, {:.3g} m from a jump of its curvature", out, least)
                              : out;
}

/// Describes in failure_ that a step of h has come to where coordinates are no chart, if so.
bool Simulation::ends_of_chart(double h) {
  const form::Reached& r = report_.reached;
  const bool within = !r.q.empty();
  const ChartEnd end = within ? chart_end(built_, {r.q, state_.P, r.u})
                              : chart_end(built_, {state_.q, state_.P, form_.velocities(), h});
  if (end.text.empty()) return false;
  failure_ = fmt::format("t = {:.6g} s: {}", within ? r.t : state_.t, end.text);
  failed_ = end.subject;
  return true;
}

}  // namespace trammel::sim
