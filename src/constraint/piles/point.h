#pragma once

#include "constraint/piles/law.h"
#include "constraint/piles/system.h"

/// What a point is to its solvers: its inverse masses.
namespace trammel::constraint::piles {

inline constexpr double kNothing = 1e-14;  // relative to the inverse masses of a point

struct PointNumbers {
  Block<double> cone, roll;       // of rows 0..2 and 4..5
  double inverse_spin = 0;        // 1 / W of row 3
  double length = 0;              // [m], makes speeds of rates of rotation
  Eigen::Matrix<double, 6, 1> W;  // the diagonal
};

/// Of W, 3 x 3 and turning 3 x 3; `least`: an inverse mass that counts as nothing.
PointNumbers point_numbers(const Mat3& W, const Mat3& turning, double least);
PointNumbers point_numbers(const ContactPoint& c, const ContactBody& a, const ContactBody& b);

inline bool moves(const ContactBody& body) {
  return body.inv_mass > 0 || !body.inv_inertia.isZero(0);
}
inline bool takes_part(const ContactTargets& target) { return target.u[0] > -1e300; }
inline double cohesion_of(const ContactTargets& target) {
  return takes_part(target) ? target.cohesion : 0;
}

}  // namespace trammel::constraint::piles
