#include "geom/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trammel::geom {
namespace {

constexpr double kTangentJump = 1e-9;     // [rad]
constexpr double kCurvatureJump = 1e-12;  // relative
constexpr double kNoCurvature = 1e-13;    // [1/m]

bool jumps(double change, double before, double after) {
  return change > kCurvatureJump * std::max(before, after) + kNoCurvature;
}

double wrapped(const Curve& curve, double s) {
  if (!curve.closed()) return s;
  return s - curve.length() * std::floor(s / curve.length());
}

double start_or_never(const std::vector<double>& starts, std::size_t i) {
  return i < starts.size() ? starts[i] : std::numeric_limits<double>::infinity();
}

}  // namespace

std::size_t Curve::piece_at(double s) const {
  const double at = wrapped(*this, s);
  std::size_t lo = 0, hi = pieces();
  while (hi - lo > 1) {
    const std::size_t mid = (lo + hi) / 2;
    (piece_start(mid) <= at ? lo : hi) = mid;
  }
  return lo;
}

CurvePoint Curve::at(double s, int order) const {
  CurvePoint out;
  eval(wrapped(*this, s), piece_at(s), order, out);
  return out;
}

Pose end_pose(const Curve& curve) {
  CurvePoint end;
  curve.eval(curve.length(), curve.pieces() - 1, 1, end);
  return {end.p, end.C};
}

double turn_between(const Mat3& R_WA, const Mat3& R_WB) {
  // |R_A - R_B| (Frobenius) = 2 sqrt(2) sin(turn / 2): good to rounding for small turns.
  return 2 * std::asin(std::min(1.0, (R_WA - R_WB).norm() / (2 * std::sqrt(2.0))));
}

Jump classify(const CurvePoint& before, const CurvePoint& after) {
  if (turn_between(before.C, after.C) > kTangentJump) return Jump::kink;
  // In the frames' own axes, so that a turn below the tolerance does not count once more.
  const Vec3 a = before.C.transpose() * before.Omega, b = after.C.transpose() * after.Omega;
  return jumps((b - a).norm(), a.norm(), b.norm()) ? Jump::curvature : Jump::none;
}

Jump classify(double step, double rate_before, double rate_after) {
  if (std::abs(step) > kTangentJump) return Jump::kink;
  const double a = std::abs(rate_before), b = std::abs(rate_after);
  return jumps(std::abs(rate_after - rate_before), a, b) ? Jump::curvature : Jump::none;
}

std::vector<Overlap> overlay(const std::vector<double>& a, const std::vector<double>& b,
                             double end) {
  const double same = kSameBreak * std::min(1., end);
  std::vector<Overlap> out{{0, 0, 0}};
  for (;;) {
    const Overlap last = out.back();
    const double next_a = start_or_never(a, last.a + 1), next_b = start_or_never(b, last.b + 1);
    const double next = std::min(next_a, next_b);
    if (next > end - same) return out;
    const bool on_a = next_a <= next + same, on_b = next_b <= next + same;
    out.push_back({on_a ? next_a : next_b, last.a + on_a, last.b + on_b});
  }
}

}  // namespace trammel::geom
