#include <algorithm>
#include <cmath>

#include "law/driven.h"
#include "law/friction.h"
#include "law/law.h"
#include "law/limit.h"
#include "law/locked.h"
#include "law/motor.h"
#include "law/spring.h"

namespace trammel::law {

std::span<const Type* const> types() {
  static constexpr std::array<const Type*, 6> kTypes{&kLocked, &kDriven, &kLimit,
                                                     &kSpring, &kMotor,  &kFriction};
  return kTypes;
}

const Type* find_type(std::string_view name) {
  for (const Type* t : types())
    if (t->name == name) return t;
  return nullptr;
}

namespace {
/// phi by Gauss-Legendre, 4 points on 8 panels: forces are smooth between their kinks.
double quadrature(const Law& law, const double* p, double x, const Scheme& s) {
  constexpr std::array<double, 4> kX{-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                     0.8611363115940526};
  constexpr std::array<double, 4> kW{0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                     0.3478548451374538};
  constexpr int kPanels = 8;
  const double half = (x - s.x_n) / (2 * kPanels);
  double phi = 0;
  for (int k = 0; k < kPanels; ++k)
    for (std::size_t i = 0; i < 4; ++i) {
      const double dx = (2 * k + 1 + kX[i]) * half;
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
