#include "verify/line.h"

#include <cmath>

namespace trammel::verify {

namespace {

constexpr std::size_t kColumns = 16;

/// Between values a and b with slopes da and db, over a length h, at the part x of it.
Vec3 hermite(const Vec3& a, const Vec3& da, const Vec3& b, const Vec3& db, double h, double x) {
  const double y = 1 - x;
  return y * y * (1 + 2 * x) * a + x * x * (1 + 2 * y) * b + h * x * y * (y * da - x * db);
}

}  // namespace

Line::Line(const io::Constants& points) : x_(points.values) {
  if (points.columns.size() == kColumns) n_ = x_.size() / kColumns;
}

Line::Point Line::at(double s) const {
  std::size_t lo = 0, hi = n_ - 1;  // points come by rising s; where pieces meet there are two
  while (hi - lo > 1) {
    const std::size_t mid = (lo + hi) / 2;
    (x_[kColumns * mid] <= s ? lo : hi) = mid;
  }
  const double *a = x_.data() + kColumns * lo, *b = x_.data() + kColumns * hi;
  const double h = b[0] - a[0], x = h > 0 ? (s - a[0]) / h : 0;
  const auto between = [&](std::size_t value, std::size_t slope) {
    return hermite(vec3(a + value), vec3(a + slope), vec3(b + value), vec3(b + slope), h, x);
  };
  Point out;
  out.p = between(1, 4);
  out.remainder = h * std::pow((vec3(b + 4) - vec3(a + 4)).norm(), 3);  // turns by so much
  out.C.col(0) = between(4, 10).normalized();
  const Vec3 n = between(7, 13);
  out.C.col(2) = out.C.col(0).cross(n).normalized();
  out.C.col(1) = out.C.col(2).cross(out.C.col(0));
  return out;
}

}  // namespace trammel::verify
