#pragma once

#include "joint/material.h"

/// Parts of second variations (evaluate.h), for the functions that bring their own.
namespace trammel::joint {

/// d(feature) on the motions of A and B (3 x n), s standing still; and of d(feature)/ds.
struct Maps {
  const Ends& ends;
  const Sample& at;
  int n_A, n;

  MatX on_A(const Vec3& own, bool point) const {
    MatX m = MatX::Zero(3, n);
    m.leftCols(n_A) = body::direction_map(ends.A.motion_kind, ends.A.T_WO->A * own, own);
    if (point) m.leftCols(3).setIdentity();
    return m;
  }
  MatX on_B_end(const Vec3& own, bool point) const {
    MatX m = MatX::Zero(3, n);
    m.rightCols(n - n_A) = body::direction_map(ends.B.motion_kind, ends.B.T_WO->A * own, own);
    if (point) m.middleCols(n_A, 3).setIdentity();
    return m;
  }
  MatX of(Feature f) const {
    if (on_B(f)) return on_B_end(material_B(ends, f), false);
    const MatX a = on_A(material_A(ends, at, f).c, is_vector(f));
    return is_vector(f) ? MatX(on_B_end(material_B(ends, f), true) - a) : a;
  }
  MatX of_slope(Feature f) const {  // of d(feature)/ds, a direction of A
    if (!is_curve(f)) return MatX::Zero(3, n);
    const MatX a = on_A(material_A(ends, at, f).c_s, false);
    return f == Feature::E ? MatX(-a) : a;
  }
};

/// Adds cov . (second variation of the feature) at given s(q) to first order: the objects' share to
/// (f, F), the curve's to H.
void add_curvature(const Maps& maps, Feature f, const Vec3& cov, const VecX& s_q,
                   SecondVariation& out);
/// Adds weight times the second variation of u.v.
void add_product(const Maps& maps, const Product& p, double weight, const VecX& s_q,
                 SecondVariation& out);
/// ds on the motions of A and B.
VecX arc_gradient(const Maps& maps);

}  // namespace trammel::joint
