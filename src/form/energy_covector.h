#pragma once

#include "body/pool.h"

namespace trammel::form::energy {

/// Returns twelve numbers as a covector on a place, times a scale.
inline body::Covector covector(const double* J, double scale = 1) {
  body::Covector c;
  c.f = scale * vec3(J);
  for (int i = 0; i < 3; ++i) c.F.row(i) = scale * vec3(J + 3 + 3 * i).transpose();
  return c;
}

inline void add(body::Covector& to, const body::Covector& c) {
  to.f += c.f;
  to.F += c.F;
}

}  // namespace trammel::form::energy
