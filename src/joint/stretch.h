#pragma once

#include <array>

#include "joint/material.h"

/// The right stretch U of the axes X = R U of one body, one number of it as a row, with its
/// derivatives. With Y = R^T X' and W = R^T R': X' = R (W U + U'), so that
///
///   Y - Y^T = W U + U W,    W = [w]x,    w = (tr U 1 - U)^-1 axial(Y - Y^T),    U' = Y - W U
///
/// and, on symmetric parts, U'_uv = Q : Y with Q = sym(e_u e_v^T) - [c]x, c = (tr U 1 - U)^-1
/// axial(sym(e_u e_v^T) U - its transpose). Once more: U''_uv = Q : (R^T X'' - W W U - 2 W U').
namespace trammel::joint {

/// Three axes of a frame as columns.
inline Mat3 axes(const std::array<Vec3, kFeatures>& x, Feature first) {
  Mat3 X;
  for (int i = 0; i < 3; ++i) X.col(i) = x[idx(first + i)];
  return X;
}

struct Stretch {
  Feature first;  // Ax or Bx
  int u, v;
  Mat3 R, U, inverse;  // inverse: of tr U 1 - U
  Mat3 Q;

  Stretch(const Row& row, const Sample& at)
      : first(on_B(row.of[0].u) ? Feature::Bx : Feature::Ax),
        u(static_cast<int>(row.of[0].u) - static_cast<int>(first)),
        v(static_cast<int>(row.of[0].v) - static_cast<int>(first)) {
    const Mat3 X = axes(at.x, first);
    R = polar(X);
    U = R.transpose() * X;
    U = 0.5 * (U + U.transpose()).eval();
    inverse = (U.trace() * Mat3::Identity() - U).inverse();
    Mat3 P = Mat3::Zero();
    P(u, v) += 0.5;
    P(v, u) += 0.5;
    Q = P - skew(inverse * axial(P * U));
  }

  static Vec3 axial(const Mat3& F) {  // of F - F^T
    return {F(2, 1) - F(1, 2), F(0, 2) - F(2, 0), F(1, 0) - F(0, 1)};
  }
  double value() const { return U(u, v) - (u == v ? 1 : 0); }
  /// Its change with that of the axes.
  double along(const Mat3& dX) const { return Q.cwiseProduct(R.transpose() * dX).sum(); }

  struct Rates {
    Mat3 W, dU;
  };
  Rates rates(const Mat3& dX) const {
    const Mat3 Y = R.transpose() * dX, W = skew(inverse * axial(Y));
    return {W, Y - W * U};
  }
  /// Its second change while the axes move on straight, of two motions.
  double bend(const Rates& a, const Rates& b) const {
    return -Q.cwiseProduct(0.5 * (a.W * b.W + b.W * a.W) * U + a.W * b.dU + b.W * a.dU).sum();
  }
  double bend(const Mat3& dX) const {
    const Rates r = rates(dX);
    return bend(r, r);
  }
};

}  // namespace trammel::joint
