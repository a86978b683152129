#include "geom/nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace trammel::geom {

namespace {

constexpr int kStretches = 16;  // looked at first
constexpr int kHalvings = 11;   // of each

struct Stretch {
  double middle = 0;  // [m]
  int halved = 0;
  double distance = 0;  // of p from the middle [m]
};

/// Newton's iteration for T . (p - c) = 0 within `reach` of s, and the curve.
double projected(const Curve& curve, const Vec3& p, double s, double reach) {
  constexpr int kMost = 50;
  constexpr double kRounding = 1e-12, kFlat = 1e-3;  // from a centre of curvature all is as near
  const double first = std::max(0.0, s - reach), end = std::min(curve.length(), s + reach);
  CurvePoint c;
  for (int k = 0; k < kMost; ++k) {
    curve.eval(s, curve.piece_at(s), 1, c);
    const Vec3 T = c.C.col(0), d = p - c.p;
    const double slope = std::max(1 - c.Omega.cross(T).dot(d), kFlat);
    const double last = std::exchange(s, std::clamp(s + T.dot(d) / slope, first, end));
    if (std::abs(s - last) < kRounding * curve.length()) break;
  }
  return s;
}

}  // namespace

double nearest_arc_length(const Curve& curve, const Vec3& p) {
  CurvePoint c;
  Stretch best;
  best.distance = std::numeric_limits<double>::infinity();
  const auto look_at = [&](double s, int halved) {
    curve.eval(s, curve.piece_at(s), 1, c);
    const Stretch out{s, halved, (c.p - p).norm()};
    if (out.distance < best.distance) best = out;
    return out;
  };
  const double half = curve.length() / (2 * kStretches);
  std::vector<Stretch> open;
  for (int i = 0; i < kStretches; ++i) open.push_back(look_at((2 * i + 1) * half, 0));
  look_at(0, kHalvings);
  look_at(curve.length(), kHalvings);
  std::sort(open.begin(), open.end(),
            [](const Stretch& a, const Stretch& b) { return a.distance > b.distance; });
  while (!open.empty()) {
    const Stretch last = open.back();
    open.pop_back();
    const double reach = std::ldexp(half, -last.halved);
    if (last.halved == kHalvings || last.distance - reach >= best.distance) continue;
    Stretch a = look_at(last.middle - reach / 2, last.halved + 1),
            b = look_at(last.middle + reach / 2, last.halved + 1);
    if (a.distance < b.distance) std::swap(a, b);
    open.push_back(a);
    open.push_back(b);  // the nearer one is halved first
  }
  const double s = projected(curve, p, best.middle, 2 * std::ldexp(half, -kHalvings));
  return (curve.at(s, 1).p - p).norm() > best.distance ? best.middle : s;  // at a kink
}

}  // namespace trammel::geom
