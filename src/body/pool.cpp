#include "body/pool.h"

#include <algorithm>
#include <cmath>

namespace trammel::body {

void Pool::coordinate_rates(const double*, const double* u, double* dq) const {
  std::copy_n(u, n_blocks * nq, dq);
}

void Pool::tolerances(double length, double angle, double* q) const {
  std::fill_n(q, n_blocks * nq, std::min(length, angle));
}

void Pool::speed_tolerances(double speed, double spin, double* u) const {
  std::fill_n(u, n_blocks * nv, std::min(speed, spin));
}

bool Pool::drift(const double*, double, const double*, const double*, double*, double*,
                 double*) const {
  return false;
}

Pool::MassRange Pool::mass_range(const double*, int, double) const { return {}; }

bool Pool::embedded_gradient(const double*, const Transform*, const Transform*, Covector*) const {
  return false;
}

void Pool::embedded_mass(const double*, const double*, const Transform*, double*) const {}

double Pool::potential(const double*, const double*, double*) const { return 0; }

void Pool::add_potential_curvature(const double*, const double*, double*) const {}

std::optional<std::array<double, 6>> Pool::inertia(const double*, int, int) const { return {}; }

double Pool::gyration(const double* params, int block, int object) const {
  const double m = mass(params, block, object);
  const auto I = inertia(params, block, object);
  return I && m > 0 ? std::sqrt(std::max(0.0, 0.5 * ((*I)[0] + (*I)[1] + (*I)[2])) / m) : 0;
}

void Pool::rates_of(int, int, const double* derived, const double* q, const double* u,
                    const Transform* at, Rate* rate, Bias* bias) const {
  rates(derived, q, u, at, rate, bias);
}

}  // namespace trammel::body
