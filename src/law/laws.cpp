#include <algorithm>
#include <cmath>

#include "law/driven.h"
#include "law/law.h"
#include "law/locked.h"
#include "law/motor.h"
#include "law/spring.h"

namespace trammel::law {

std::span<const Type* const> types() {
  static constexpr std::array<const Type*, 4> kTypes{&kLocked, &kDriven, &kSpring, &kMotor};
  return kTypes;
}

const Type* find_type(std::string_view name) {
  for (const Type* t : types())
    if (t->name == name) return t;
  return nullptr;
}

Potential potential(const Law& law, const double* p, double x, const Scheme& s) {
  const auto at = [&](double y) {
    return law.type->force(law, p, y, s.v_n + s.dv_dx * (y - s.x_n), s.t);
  };
  // Gauss-Legendre, 4 points on 8 panels: forces are smooth between their kinks
  constexpr std::array<double, 4> kX{-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                     0.8611363115940526};
  constexpr std::array<double, 4> kW{0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                     0.3478548451374538};
  constexpr int kPanels = 8;
  Potential out;
  const double half = (x - s.x_n) / (2 * kPanels);
  for (int k = 0; k < kPanels; ++k)
    for (std::size_t i = 0; i < 4; ++i)
      out.phi -= half * kW[i] * at(s.x_n + (2 * k + 1 + kX[i]) * half).f;
  const Force f = at(x);
  out.d = -f.f;
  out.dd = -(f.f_x + f.f_v * s.dv_dx);
  return out;
}

}  // namespace trammel::law
