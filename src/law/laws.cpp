#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "law/actuator.h"
#include "law/driven.h"
#include "law/friction.h"
#include "law/law.h"
#include "law/limit.h"
#include "law/load_friction.h"
#include "law/locked.h"
#include "law/motor.h"
#include "law/spring.h"
#include "math/types.h"

namespace trammel::law {

std::span<const Type* const> types() {
  static constexpr std::array<const Type*, 8> kTypes{
      &kLocked, &kDriven, &kLimit, &kSpring, &kMotor, &kFriction, &kActuator, &kLoadFriction};
  return kTypes;
}

namespace {
double value_of(const LivePlace& from, const LiveValues& inputs, const Instant& at) {
  if (from.of == LivePlace::Of::input) return inputs[from.at].x;
  if (from.of == LivePlace::Of::rate) return at.y_rate ? at.y_rate[from.at] : 0;
  if (!at.y) throw std::logic_error("a force follows coordinates that nobody has looked up");
  return at.y[from.at];
}
}  // namespace

std::shared_ptr<const ForceFunction> ForceFunction::bound(std::shared_ptr<const LiveValues> values,
                                                          std::vector<LivePlace> places) const {
  auto out = std::make_shared<ForceFunction>(
      [values = std::move(values), places, f = of_live](double x, double v, const Instant& at) {
        std::array<double, kMostLive> now{};
        for (std::size_t i = 0; i < places.size(); ++i) now[i] = value_of(places[i], *values, at);
        return f(x, v, at.t, std::span(now.data(), places.size()));
      });
  out->switches = switches;
  out->of_time = of_time;
  out->live = live;
  out->of_live = of_live;
  out->from = std::move(places);
  return out;
}

bool ForceFunction::follows() const {
  return std::any_of(from.begin(), from.end(),
                     [](const LivePlace& p) { return p.of != LivePlace::Of::input; });
}

Force force(const Law& law, const double* p, double x, double v, const Instant& at) {
  if (at.span.is_instant() || !follows_time(law)) return law.type->force(law, p, x, v, at);
  const Vec3 mean = mean_over(at.span, at.t, [&](double t) {
    const Force f = law.type->force(law, p, x, v, at.at(t));
    return Vec3(f.f, f.f_x, f.f_v);
  });
  return {mean[0], mean[1], mean[2]};
}

const Type* find_type(std::string_view name) {
  for (const Type* t : types())
    if (t->name == name) return t;
  return nullptr;
}

std::vector<Fault> lock_faults(const ConstraintSpec& l, std::string_view coordinate,
                               bool erp_given) {
  std::vector<Fault> out;
  const auto complain = [&](const char* key, std::string text) {
    out.push_back({key, std::move(text)});
  };
  if (!std::isfinite(l.target.x))
    complain("value", fmt::format("'{}' is held at {}: it must be finite", coordinate, l.target.x));
  if (!(l.lo <= 0 && l.hi >= 0 && l.lo < l.hi))
    complain("force_min",
             fmt::format("the force bounds of '{}' must hold zero between them, not [{}, {}]",
                         coordinate, l.lo, l.hi));
  if (!(l.erp >= 0 && l.erp <= 1))
    complain("erp", "erp lies between 0 and 1");
  else if (erp_given && (!l.bounded() || l.unilateral()))
    complain("erp", fmt::format("erp takes back what has yielded: '{}' {}", coordinate,
                                l.unilateral() ? "is unilateral and does not yield"
                                               : "has no force bounds to yield at"));
  if (!(l.restitution >= 0 && l.restitution <= 1))
    complain("restitution", "restitution lies between 0 and 1");
  if (!l.unilateral() && l.restitution != 0)
    complain("restitution",
             fmt::format("'{}' is not unilateral: restitution means nothing", coordinate));
  if (l.unilateral() && l.lo != 0 && l.lo != -kInf)
    complain("force_min", fmt::format("'{}' is unilateral: its least force is zero", coordinate));
  if (l.unilateral() && l.hi != kInf)
    complain("force_max",
             fmt::format("'{}' is unilateral: a stop does not yield, its force has no greatest "
                         "value",
                         coordinate));
  return out;
}

namespace {
/// phi by Gauss-Legendre, 4 points on 8 panels: forces are smooth between their kinks.
double quadrature(const Law& law, const double* p, double x, const Scheme& s) {
  constexpr std::array<double, 4> kX{-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                     0.8611363115940526};
  constexpr std::array<double, 4> kW{0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                     0.3478548451374538};
  constexpr int kPanels = 8;
  const double half = (x - s.x_n - s.ahead) / (2 * kPanels);
  double phi = 0;
  for (int k = 0; k < kPanels; ++k)
    for (std::size_t i = 0; i < 4; ++i) {
      const double dx = s.ahead + (2 * k + 1 + kX[i]) * half;
      phi -= half * kW[i] * law.type->force(law, p, s.x_n + dx, s.v_n + s.dv_dx * dx, s.t).f;
    }
  return phi;
}
}  // namespace

Potential potential(const Law& law, const double* p, double x, const Scheme& s) {
  const Force f = law.type->force(law, p, x, s.v_n + s.dv_dx * (x - s.x_n), s.t);
  return {(law.type->potential ? law.type->potential : quadrature)(law, p, x, s), -f.f,
          -(f.f_x + f.f_v * s.dv_dx)};
}

}  // namespace trammel::law
