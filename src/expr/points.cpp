#include "expr/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "expr/evaluate.h"

namespace trammel::expr {

namespace {

// Cubics on the intervals between knots, from -inf to the first and from the last to +inf too:
// y = c0 + c1 d + c2 d^2 + c3 d^3, d = x - start.
struct Pieces {
  std::vector<double> knots;
  std::vector<double> start;
  std::vector<std::array<double, 4>> c;

  void jet(double x, std::span<double> out) const {
    if (std::isnan(x)) return std::fill(out.begin(), out.end(), kNaN), void();
    const auto i =
        static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), x) - knots.begin());
    const auto& [c0, c1, c2, c3] = c[i];
    const double d = c1 == 0 && c2 == 0 && c3 == 0 ? 0 : x - start[i];  // also where x is infinite
    const double values[] = {c0 + d * (c1 + d * (c2 + d * c3)), c1 + d * (2 * c2 + d * 3 * c3),
                             2 * c2 + 6 * c3 * d, 6 * c3};
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = k < 4 ? values[k] : 0;
  }
};

std::shared_ptr<const Function> make(std::string kind, const std::string& name,
                                     const Points& points, Pieces pieces,
                                     std::vector<double> breaks = {}) {
  Function f;
  f.breaks = std::move(breaks);
  f.name = std::move(kind);
  f.data = name;
  f.order = kHighestOrder;  // zeros
  f.arguments = {points.x_dimension};
  f.result = points.y_dimension;
  f.jet = [pieces = std::move(pieces)](std::span<const double> x, int, std::span<double> out) {
    pieces.jet(x[0], out);
  };
  return std::make_shared<const Function>(std::move(f));
}

// Solves lower_i x_{i-1} + diagonal_i x_i + upper_i x_{i+1} = right_i, diagonally dominant.
std::vector<double> solve_tridiagonal(std::vector<double> lower, std::vector<double> diagonal,
                                      std::vector<double> upper, std::vector<double> right) {
  const std::size_t n = diagonal.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double l = lower[i] / diagonal[i - 1];
    diagonal[i] -= l * upper[i - 1];
    right[i] -= l * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;)
    right[i] = (right[i] - (i + 1 < n ? upper[i] * right[i + 1] : 0)) / diagonal[i];
  return right;
}

// Slopes at the points: y'' continuous inside, the ends' slopes given or y'' = 0 there.
std::vector<double> spline_slopes(const Points& p) {
  const std::size_t n = p.x.size();
  std::vector<double> lower(n), diagonal(n), upper(n), right(n);
  const auto h = [&](std::size_t i) { return p.x[i + 1] - p.x[i]; };
  const auto chord = [&](std::size_t i) { return (p.y[i + 1] - p.y[i]) / h(i); };
  for (std::size_t i = 1; i + 1 < n; ++i) {
    lower[i] = h(i);
    upper[i] = h(i - 1);
    diagonal[i] = 2 * (h(i - 1) + h(i));
    right[i] = 3 * (h(i) * chord(i - 1) + h(i - 1) * chord(i));
  }
  diagonal[0] = p.slope_first ? 1 : 2;
  upper[0] = p.slope_first ? 0 : 1;
  right[0] = p.slope_first ? *p.slope_first : 3 * chord(0);
  diagonal[n - 1] = p.slope_last ? 1 : 2;
  lower[n - 1] = p.slope_last ? 0 : 1;
  right[n - 1] = p.slope_last ? *p.slope_last : 3 * chord(n - 2);
  return solve_tridiagonal(lower, diagonal, upper, right);
}

}  // namespace

std::string complaint(const Points& p) {
  if (p.x.size() != p.y.size())
    return fmt::format("there are {} x and {} y", p.x.size(), p.y.size());
  if (p.x.size() < 2) return "at least two points are needed";
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    if (!std::isfinite(p.x[i]) || !std::isfinite(p.y[i]))
      return fmt::format("point {} is not finite", i);
    if (i > 0 && !(p.x[i] > p.x[i - 1]))
      return fmt::format("x must rise, {} at point {} follows {}", p.x[i], i, p.x[i - 1]);
    if (i > 0 && !std::isfinite((p.y[i] - p.y[i - 1]) / (p.x[i] - p.x[i - 1])))
      return fmt::format("the slope before point {} is not finite", i);
  }
  if (!std::isfinite(p.slope_first.value_or(0)) || !std::isfinite(p.slope_last.value_or(0)))
    return "the slope at an end is not finite";
  return "";
}

std::shared_ptr<const Function> table(const std::string& name, const Points& p) {
  Pieces pieces{p.x, {0}, {{p.y[0], 0, 0, 0}}};
  for (std::size_t i = 0; i + 1 < p.x.size(); ++i) {
    pieces.start.push_back(p.x[i]);
    pieces.c.push_back({p.y[i], (p.y[i + 1] - p.y[i]) / (p.x[i + 1] - p.x[i]), 0, 0});
  }
  pieces.start.push_back(0);
  pieces.c.push_back({p.y.back(), 0, 0, 0});
  return make("table", name, p, std::move(pieces), p.x);
}

std::shared_ptr<const Function> spline(const std::string& name, const Points& p) {
  const std::vector<double> slope = spline_slopes(p);
  Pieces pieces{p.x, {p.x[0]}, {{p.y[0], slope[0], 0, 0}}};
  for (std::size_t i = 0; i + 1 < p.x.size(); ++i) {
    const double h = p.x[i + 1] - p.x[i], chord = (p.y[i + 1] - p.y[i]) / h;
    const double a = slope[i], b = slope[i + 1];
    pieces.start.push_back(p.x[i]);
    pieces.c.push_back({p.y[i], a, (3 * chord - 2 * a - b) / h, (a + b - 2 * chord) / (h * h)});
  }
  pieces.start.push_back(p.x.back());
  pieces.c.push_back({p.y.back(), slope.back(), 0, 0});
  return make("spline", name, p, std::move(pieces));
}

}  // namespace trammel::expr
