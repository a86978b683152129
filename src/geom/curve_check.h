#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "geom/curve.h"

namespace trammel::geom {

/// Central difference of fourth order; truncation h^4 f5 / 30.
template <typename T>
T slope(const std::function<T(double)>& f, double s, double h) {
  return (8 * (f(s + h) - f(s - h)) - (f(s + 2 * h) - f(s - 2 * h))) / (12 * h);
}

/// Holds a curve to what CurvePoint says, on every piece and at both of its ends:
/// p' = T, C' = [Omega]x C, dOmega = Omega', C orthonormal and right-handed.
/// `scale` [m] is the shortest length over which the curve changes its nature.
inline void expect_consistent(const Curve& curve, double scale = 10, double tolerance = 1e-9) {
  const double h = 2e-3 * scale;
  for (std::size_t i = 0; i < curve.pieces(); ++i) {
    const double from = curve.piece_start(i);
    const double to = i + 1 < curve.pieces() ? curve.piece_start(i + 1) : curve.length();
    const auto eval = [&](double s) {
      CurvePoint out;
      curve.eval(s, i, 2, out);
      return out;
    };
    for (const double part : {0.0, 0.13, 0.5, 0.77, 1.0}) {
      const double s = from + part * (to - from);
      const CurvePoint at = eval(s);
      const Vec3 dp = slope<Vec3>([&](double r) { return Vec3(eval(r).p); }, s, h);
      const Mat3 dC = slope<Mat3>([&](double r) { return Mat3(eval(r).C); }, s, h);
      const Vec3 dOmega = slope<Vec3>([&](double r) { return Vec3(eval(r).Omega); }, s, h);
      Mat3 turning;
      for (int c = 0; c < 3; ++c) turning.col(c) = at.Omega.cross(at.C.col(c));
      EXPECT_LT((dp - at.C.col(0)).norm(), tolerance) << "p' at " << s << " piece " << i;
      EXPECT_LT((dC - turning).norm(), tolerance / scale) << "C' at " << s << " piece " << i;
      EXPECT_LT((dOmega - at.dOmega).norm(), tolerance / scale / scale)
          << "Omega' at " << s << " piece " << i << ": " << at.dOmega.transpose();
      EXPECT_LT((at.C.transpose() * at.C - Mat3::Identity()).norm(), 2e-15) << "at " << s;
      EXPECT_GT(at.C.determinant(), 0);
    }
  }
}

/// Position and frame at every start of a piece are those of the piece before; kinks apart.
inline void expect_continuous(const Curve& curve, double gap = 1e-12) {
  for (std::size_t i = 1; i < curve.pieces(); ++i) {
    CurvePoint before, after;
    curve.eval(curve.piece_start(i), i - 1, 1, before);
    curve.eval(curve.piece_start(i), i, 1, after);
    EXPECT_LT((before.p - after.p).norm(), gap) << "piece " << i;
    if (curve.jump(i) == Jump::kink) continue;
    EXPECT_LT(turn_between(before.C, after.C), 1e-13) << "piece " << i;
  }
}

}  // namespace trammel::geom
