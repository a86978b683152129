#include <algorithm>
#include <cassert>
#include <cmath>

#include "geom/plan.h"

namespace trammel::geom {
namespace {

constexpr double kCellTurn = 0.1;      // change of heading over a cell to begin with [rad]
constexpr double kNegligible = 1e-17;  // of the next terms of a series of size 1
constexpr std::size_t kMaxCells = 1 << 20;

// Gauss-Legendre, 10 points on [-1, 1].
constexpr std::array<double, 5> kNodes = {0.14887433898163121088, 0.43339539412924719080,
                                          0.67940956829902440623, 0.86506336668898451073,
                                          0.97390652851717172008};
constexpr std::array<double, 5> kWeights = {0.29552422471475287017, 0.26926671930999635509,
                                            0.21908636251598204400, 0.14945134915058059315,
                                            0.06667134430868813759};

}  // namespace

Transition::Transition(const Ramp& curvature, double x0, double shape_length, double length,
                       double heading)
    : curvature_(curvature),
      turn_(scaled(0, shape_length, antiderivative(curvature))),
      x0_(x0),
      shape_length_(shape_length),
      heading_(heading),
      turn0_(geom::eval(turn_, x0).f) {
  const double sharpest = std::max(std::abs(geom::eval(curvature, x0).f),
                                   std::abs(geom::eval(curvature, x0 + length / shape_length).f));
  auto cells = static_cast<std::size_t>(1 + length * sharpest / kCellTurn);
  while (!cut(cells, length)) cells *= 2;
}

double Transition::turn(double u) const {
  return geom::eval(turn_, x0_ + u / shape_length_).f - turn0_;
}

Transition::Lanes Transition::Cell::at(double t) const {
  static_assert(kDegree == 9);  // even and odd terms are summed side by side
  const double q = t * t;
  const Lanes odd = (((a[9] * q + a[7]) * q + a[5]) * q + a[3]) * q + a[1];
  const Lanes even = ((((a[10] * q + a[8]) * q + a[6]) * q + a[4]) * q + a[2]) * q + a[0];
  return even + t * odd;
}

bool Transition::cut(std::size_t cells, double length) {
  assert(cells <= kMaxCells);
  width_ = length / static_cast<double>(cells);
  origin_ = -width_;
  cells_.resize(cells + 2);
  for (std::size_t j = 0; j < cells_.size(); ++j)
    if (!expand(origin_ + (static_cast<double>(j) + 0.5) * width_, cells_[j])) return false;
  Lanes reached = Lanes::Zero();  // join the cells, then put the start at 0
  for (Cell& cell : cells_) {
    cell.a[0].head<2>() += (reached - cell.at(-1)).head<2>();
    reached = cell.at(1);
  }
  const Lanes start = cells_[1].at(-1);
  for (Cell& cell : cells_) cell.a[0].head<2>() -= start.head<2>();
  return true;
}

// z = exp(i heading) obeys dz/dt = i K(t) z, t = (u - middle)/h, K = h kappa, term by term:
// (n + 1) z_{n+1} = i sum_m K_m z_{n-m}; the position is the integral of h z.
bool Transition::expand(double middle, Cell& cell) const {
  constexpr std::size_t terms = kDegree + 3;
  const double h = 0.5 * width_, angle = heading(middle);
  std::array<double, terms> K;
  taylor(curvature_, x0_ + middle / shape_length_, K.data(), terms);
  double scale = h;
  for (double& c : K) c *= scale, scale *= h / shape_length_;
  std::array<double, terms> re{std::cos(angle)}, im{std::sin(angle)};
  for (std::size_t n = 0; n + 1 < terms; ++n) {
    for (std::size_t m = 0; m <= n; ++m) {
      re[n + 1] -= K[m] * im[n - m];
      im[n + 1] += K[m] * re[n - m];
    }
    re[n + 1] /= static_cast<double>(n + 1);
    im[n + 1] /= static_cast<double>(n + 1);
  }
  cell.a[0] << 0, 0, re[0], im[0];
  for (std::size_t n = 1; n < cell.a.size(); ++n) {
    const double part = h / static_cast<double>(n);
    cell.a[n] << part * re[n - 1], part * im[n - 1], re[n], im[n];
  }
  const auto size = [&](std::size_t n) { return std::hypot(re[n], im[n]); };
  return size(kDegree + 1) < kNegligible && size(kDegree + 2) < kNegligible;
}

void Transition::eval(double u, PlanPoint& out) const {
  const RampValue k = geom::eval(curvature_, x0_ + u / shape_length_);
  out.k = k.f, out.dk = k.d1 / shape_length_;
  const double q = (u - origin_) / width_, count = static_cast<double>(cells_.size());
  if (!(q >= 0 && q <= count)) return beyond(u, q < 0 ? origin_ : origin_ + count * width_, out);
  const std::size_t j = std::min(static_cast<std::size_t>(q), cells_.size() - 1);
  const Lanes v = cells_[j].at(2 * (q - static_cast<double>(j)) - 1);
  out.x = v[0], out.y = v[1], out.c = v[2], out.s = v[3];
}

// Farther off than the outer cells, where only a wild step looks: by quadrature.
void Transition::beyond(double u, double from, PlanPoint& out) const {
  const Lanes edge = from < 0 ? cells_.front().at(-1) : cells_.back().at(1);
  const double sharpest = std::max(std::abs(out.k), std::abs((turn(u) - turn(from)) / (u - from)));
  const double panels = 1 + std::floor(std::abs(u - from) * (4 * sharpest + 8 / shape_length_));
  const double half = 0.5 * (u - from) / panels;
  out.x = edge[0], out.y = edge[1];
  for (double i = 0; i < panels; ++i)
    for (std::size_t n = 0; n < kNodes.size(); ++n)
      for (const double side : {-1.0, 1.0}) {
        const double angle = heading(from + half * (2 * i + 1 + side * kNodes[n]));
        out.x += half * kWeights[n] * std::cos(angle);
        out.y += half * kWeights[n] * std::sin(angle);
      }
  out.c = std::cos(heading(u)), out.s = std::sin(heading(u));
}

}  // namespace trammel::geom
