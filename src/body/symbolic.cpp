#include "body/symbolic.h"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "expr/build.h"
#include "math/index.h"

namespace trammel::body::symbolic {

namespace {

/// Multiplies out a constant zero, which the graph keeps for the sake of NaN.
E kept(E a) { return a && expr::is_constant(a) && expr::constant_value(a) == 0 ? E{} : a; }

/// Entries that turns by multiples of 30 and 45 degrees have are the nearest doubles, zeros among
/// them, as no sine of pi is.
Mat3 without_rounding(Mat3 R) {
  constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();  // of a few turns
  for (double& x : R.reshaped())
    for (const double known : {0., 0.5, std::sqrt(0.5), std::sqrt(0.75), 1.})
      if (std::abs(std::abs(x) - known) <= kRounding) x = x < 0 && known > 0 ? -known : known;
  return R;
}

}  // namespace

E plus(E a, E b) { return a && b ? kept(a + b) : a ? a : b; }
E minus(E a, E b) { return a && b ? (a == b ? E{} : kept(a - b)) : a ? a : b ? -b : E{}; }
E times(E a, E b) { return a && b ? kept(a * b) : E{}; }
E times(double a, E b) { return b && a != 0 ? a * b : E{}; }
E constant(expr::Graph& graph, double value) { return value == 0 ? E{} : graph.constant(value); }

Vec plus(const Vec& a, const Vec& b) {
  return {plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2])};
}
Vec minus(const Vec& a, const Vec& b) {
  return {minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2])};
}
Vec times(E a, const Vec& b) { return {times(a, b[0]), times(a, b[1]), times(a, b[2])}; }

E dot(const Vec& a, const Vec& b) {
  return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

Vec cross(const Vec& a, const Vec& b) {
  return {minus(times(a[1], b[2]), times(a[2], b[1])), minus(times(a[2], b[0]), times(a[0], b[2])),
          minus(times(a[0], b[1]), times(a[1], b[0]))};
}

Vec product(const Mat& A, const Vec& x) { return {dot(A[0], x), dot(A[1], x), dot(A[2], x)}; }

Vec transposed_product(const Mat& A, const Vec& x) {
  return plus(plus(times(x[0], A[0]), times(x[1], A[1])), times(x[2], A[2]));
}

Mat product(const Mat& A, const Mat& B) {
  return {transposed_product(B, A[0]), transposed_product(B, A[1]), transposed_product(B, A[2])};
}

Vec constant(expr::Graph& graph, const Vec3& x) {
  return {constant(graph, x[0]), constant(graph, x[1]), constant(graph, x[2])};
}

Mat identity(expr::Graph& graph) {
  Mat out;
  for (std::size_t i = 0; i < 3; ++i) out[i][i] = graph.constant(1);
  return out;
}

Mat constant(expr::Graph& graph, const Mat3& R) {
  const Mat3 exact = without_rounding(R);
  Mat out;
  for (int i = 0; i < 3; ++i) out[at(i)] = constant(graph, Vec3(exact.row(i)));
  return out;
}

Mat turn(const Vec3& axis, E angle) {
  expr::Graph& g = *angle.graph;
  if (expr::is_constant(angle))
    return constant(g, Eigen::AngleAxisd(expr::constant_value(angle), axis).toRotationMatrix());
  const E s = expr::apply(expr::Op::sin, angle), c = expr::apply(expr::Op::cos, angle);
  const Mat3 square = axis * axis.transpose();
  Mat out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      // cos (1 - a a^T) + a a^T + sin [a]x
      const double across = (i == j ? 1 : 0) - square(i, j);
      const int k = 3 - i - j;  // of [a]x, where i != j
      const double skewed = i == j ? 0 : ((j - i + 3) % 3 == 1 ? -axis[k] : axis[k]);
      out[at(i)][at(j)] = plus(plus(times(across, c), constant(g, square(i, j))), times(skewed, s));
    }
  return out;
}

bool is_zero(const Vec& a) { return !a[0] && !a[1] && !a[2]; }

}  // namespace trammel::body::symbolic
