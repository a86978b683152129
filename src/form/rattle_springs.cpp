#include "form/rattle_springs.h"

#include <algorithm>
#include <cmath>

namespace trammel::form::velocity {

namespace {
constexpr double kDamped = 1e-12;  // least h c S_ii with which a damper is solved for

/// True for a spring whose rate is not held at zero: its damper acts.
bool gives_way(Spring spring) { return spring != Spring::none && spring != Spring::rigid; }

/// Returns the damper of a force row in stage P: explicit, or implicit where it would reverse the
/// row's rate (h c S_ii above 2 with c = -df/dv). Needs now.rest.
DamperStart damper_at_start(const Step& s, const End& now, std::size_t i) {
  DamperStart out;
  if (!s.mechanism.forces.damped[i]) return out;
  const law::Force f = s.mechanism.force(i, now.at.g[i], now.rate[i], now.at.moving());
  out.force = f.f - now.rest[i];
  out.implicit = -f.f_v * std::abs(s.h) * s.roles.inverse_mass[i] > 2;
  if (!out.implicit) return out;
  out.dashpot = -2 / (s.h * f.f_v);
  out.target = now.rate[i] - out.force / f.f_v;
  return out;
}

/// Returns the compliance of a function's row from `slope`, the derivative of its mean force with
/// respect to g+. Where the function is not stiff there, kLeast stands for its stiffness.
double function_compliance(double slope, double inverse_mass, double h) {
  constexpr double kLeast = 1e-3;  // h^2 k S / 2
  return 2 / std::max(-slope * h * h, kLeast / std::max(inverse_mass, 1e-300));
}

/// Returns the residual of a compliant spring whose force is linear.
double compliant_residual(const Step& s, const Ends& ends, const StageRows& rows,
                          const PositionStage& position, std::size_t i) {
  const double C = rows.compliance[i], k = ends.now.stiffness[i], h = s.h;
  const double rest = s.mechanism.force(i, ends.next.at.g[i], 0, ends.next.at.still()).f;
  const double stretch = -(ends.now.rest[i] + rest) / k, pull = stretch / h;
  const double L = position.impulses.rows[i], dashpot = position.dashpot[i];
  if (dashpot == 0) return pull + C * L;
  const double rate = (ends.next.at.g[i] - ends.now.at.g[i]) / h;
  const double C_spring = 4 / (h * h * k);
  return C * (L + pull / C_spring + (rate - rows.target[i]) / dashpot);
}
}  // namespace

SpringStart spring_at_start(const Step& s, const End& now, std::size_t i) {
  const double h = s.h, k = now.stiffness[i];
  SpringStart out;
  switch (s.roles.spring[i]) {
    case Spring::none:
      break;
    case Spring::explicit_:
      out.damper = damper_at_start(s, now, i);
      out.active = out.damper.implicit;
      out.compliance = out.damper.dashpot;
      out.applied = h / 2 * now.rest[i];
      if (!out.active) out.applied += h / 2 * out.damper.force;
      break;
    case Spring::compliant:
      out.damper = damper_at_start(s, now, i);
      out.compliance = s.mechanism.forces.by_function(i)
                           ? function_compliance(-k / 2, s.roles.inverse_mass[i], h)
                           : 4 / (h * h * k);
      if (out.damper.implicit)
        out.compliance = 1 / (1 / out.compliance + 1 / out.damper.dashpot);
      else
        out.applied = h / 2 * out.damper.force;
      break;
    case Spring::rigid:
      out.compliance = 2 / (h * h * k);
      break;
  }
  return out;
}

void take_mean_forces(const Step& s, const Ends& ends, const std::vector<double>& dashpot,
                      StageRows& rows, std::vector<double>& mean) {
  const Mechanism& m = s.mechanism;
  if (m.forces.functions.empty()) return;
  const Halfway middle(ends);
  for (const int row : m.forces.functions) {
    const auto i = static_cast<std::size_t>(row);
    if (!rows.active[i] || s.roles.spring[i] != Spring::compliant) continue;
    const auto f =
        row_mean_force(*m.model, *m.params, row, ends.now.at.g[i], ends.next.at.g[i], middle);
    mean[i] = f.f;
    const double C = function_compliance(f.f_to, s.roles.inverse_mass[i], s.h);
    rows.compliance[i] = dashpot[i] == 0 ? C : 1 / (1 / C + 1 / dashpot[i]);
  }
}

double spring_residual(const Step& s, const Ends& ends, const StageRows& rows,
                       const PositionStage& position, std::size_t i) {
  const double L = position.impulses.rows[i], C = rows.compliance[i];
  const double rate = (ends.next.at.g[i] - ends.now.at.g[i]) / s.h;
  if (s.roles.spring[i] == Spring::explicit_) return rate + C * L - rows.target[i];
  if (s.roles.spring[i] == Spring::rigid) {
    const double rest = s.mechanism.force(i, ends.next.at.g[i], 0, ends.next.at.still()).f;
    return -rest / ends.now.stiffness[i] / s.h + C * L;
  }
  if (!s.mechanism.forces.by_function(i)) return compliant_residual(s, ends, rows, position, i);
  const double dashpot = position.dashpot[i];
  const double drag = dashpot == 0 ? 0 : (rate - rows.target[i]) / dashpot;
  return C * (L - spring_impulse(s.mechanism, ends, position.mean, i, s.h) + drag);
}

SpringEnd spring_at_end(const Step& s, const Ends& ends, const PositionStage& position,
                        std::size_t i) {
  SpringEnd out;
  if (s.roles.spring[i] == Spring::rigid) return out;
  if (s.roles.spring[i] == Spring::explicit_)
    out.applied = s.h / 2 * ends.next.rest[i];
  else  // the spring's part of L
    out.applied = position.dashpot[i] == 0
                      ? position.impulses.rows[i]
                      : spring_impulse(s.mechanism, ends, position.mean, i, s.h);
  out.active = s.mechanism.forces.damped[i] && s.roles.inverse_mass[i] > 0;
  return out;
}

double linearise_dampers(const Step& s, End& next, StageRows& rows) {
  double error = 0;
  for (const int row : s.mechanism.forces.rows) {
    const auto i = static_cast<std::size_t>(row);
    if (!rows.active[i] || !gives_way(s.roles.spring[i])) continue;
    const law::Force f = s.mechanism.force(i, next.at.g[i], next.rate[i], next.at.moving());
    const double c = std::max(-f.f_v, kDamped / (std::abs(s.h) * s.roles.inverse_mass[i]));
    next.damper[i] = f.f - next.rest[i];
    const double b = next.rate[i] + next.damper[i] / c;
    rows.compliance[i] = 2 / (s.h * c);
    error = std::max(error, row_share(s.roles, rows, i) * std::abs(b - rows.target[i]));
    rows.target[i] = b;
  }
  return error;
}

bool has_dampers(const Step& s, const StageRows& rows) {
  return std::any_of(s.mechanism.forces.rows.begin(), s.mechanism.forces.rows.end(), [&](int row) {
    const auto i = static_cast<std::size_t>(row);
    return rows.active[i] && gives_way(s.roles.spring[i]);
  });
}

bool follows_stiffly(const Step& s, const PositionStage& position) {
  const ForceRows& forces = s.mechanism.forces;
  return std::any_of(forces.functions.begin(), forces.functions.end(), [&](int row) {
    const auto i = static_cast<std::size_t>(row);
    return s.roles.gives_force(i) && position.dashpot[i] != 0 && forces.follows(i);
  });
}

double row_share(const Roles& roles, const StageRows& rows, std::size_t i) {
  if (rows.compliance[i] == 0) return 1;
  return roles.inverse_mass[i] / (roles.inverse_mass[i] + std::abs(rows.compliance[i]));
}

}  // namespace trammel::form::velocity
