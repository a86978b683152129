// The barrier of a pair, its second derivative in terms of rank one.
#include "contact/barrier_energy.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "math/index.h"

namespace trammel::contact::barrier {

namespace {

constexpr double kNearlyParallel = 1e-3;  // |u x v|^2 beside |u|^2 |v|^2
constexpr double kDropped = 1e-14;        // eigenvalues beside the greatest that are rounding

Vec12 spread(const std::array<double, 4>& w, const Vec3& e) {
  Vec12 v;
  for (int i = 0; i < 4; ++i) v.segment<3>(3 * i) = w[at(i)] * e;
  return v;
}

double length(const std::array<double, 4>& w) {
  return std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
}

/// Makes the tangents orthonormal; the parameters become lengths.
void straighten(Closest& c) {
  for (std::size_t k = 0; k < at(c.free); ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      const double shared = c.T[k].dot(c.T[l]);
      c.T[k] -= shared * c.T[l];
      for (std::size_t i = 0; i < 4; ++i) c.dw[k][i] -= shared * c.dw[l][i];
    }
    const double norm = c.T[k].norm();
    c.T[k] /= norm;
    for (double& x : c.dw[k]) x /= norm;
  }
}

/// Adds what turning adds along a tangent, beta [0 q; q q^2] on unit vectors w t and dw n: one
/// eigenvalue is positive, the other negative.
void add_turning(const Closest& c, std::size_t k, const Vec3& n, double beta, bool whole,
                 std::vector<RankOne>& out) {
  const double d = std::sqrt(c.D), lw = length(c.w), ldw = length(c.dw[k]);
  const Vec12 e = spread(c.w, c.T[k]) / lw, f = spread(c.dw[k], n) / ldw;
  const double off = d * lw * ldw, own = d * d * ldw * ldw, root = std::hypot(own / 2, off);
  for (const double x : {own / 2 + root, own / 2 - root}) {
    if (x < 0 && !whole) return;
    const double norm = std::hypot(off, x);
    if (norm > 0) out.push_back({beta * x, Vec12((off * e + x * f) / norm)});
  }
}

/// Two unit vectors across n and, where there is one, the tangent: distances grow along them, which
/// a barrier gives a negative curvature.
void add_across(const Closest& c, const Vec3& n, double beta, std::vector<RankOne>& out) {
  const Vec3 t = c.free == 1 ? Vec3(n.cross(c.T[0])) : Vec3(n.unitOrthogonal());
  out.push_back({-beta, spread(c.w, t)});
  if (c.free == 0) out.push_back({-beta, spread(c.w, n.cross(t))});
}

void add_plain(Closest c, const Function& b, bool whole, std::vector<RankOne>& out) {
  straighten(c);
  const Vec3 n = c.r / std::sqrt(c.D);
  const double beta = -2 * b.d, along = 4 * c.D * b.dd + 2 * b.d;
  if (along > 0) out.push_back({along, spread(c.w, n)});
  for (std::size_t k = 0; k < at(c.free); ++k) add_turning(c, k, n, beta, whole, out);
  if (whole && c.free < 2) add_across(c, n, beta, out);
}

/// Nearly parallel edges: by eigenvalues of the whole.
void add_mollified(const Four& x, const Closest& c, const Function& b, const Function& m,
                   bool whole, std::vector<RankOne>& out) {
  const Vec12 g = gradient(c), s = cross_gradient(x);
  Mat12 H = m.f * (b.dd * g * g.transpose() + b.d * hessian(c));
  H += m.d * b.d * (g * s.transpose() + s * g.transpose());
  H += b.f * (m.dd * s * s.transpose() + m.d * cross_hessian(x));
  const Eigen::SelfAdjointEigenSolver<Mat12> eigen(H);
  const double most = eigen.eigenvalues().cwiseAbs().maxCoeff();
  for (int i = 0; i < 12; ++i) {
    const double value = eigen.eigenvalues()[i];
    if (std::abs(value) > kDropped * most && (whole || value > 0))
      out.push_back({value, eigen.eigenvectors().col(i)});
  }
}

Closest closest(const Four& x, bool edges) { return edges ? edge_edge(x) : point_triangle(x); }

}  // namespace

Function barrier(double D, double D0) {
  if (D >= D0) return {};
  if (!(D > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
  const double x = D / D0, y = x - 1, log = std::log(x);
  return {-y * y * log, (-2 * y * log - y * y / x) / D0,
          (-2 * log - 4 * y / x + y * y / (x * x)) / (D0 * D0)};
}

Function mollifier(double c, double e) {
  if (c >= e) return {1, 0, 0};
  return {(2 - c / e) * c / e, 2 * (1 - c / e) / e, -2 / (e * e)};
}

double parallel_below(double a, double b) { return kNearlyParallel * a * a * b * b; }

Function friction(double y, double v) {
  if (y >= v) return {y - v / 3, 1, 0};
  const double x = y / v;
  return {y * x * (1 - x / 3), x * (2 - x), 2 * (1 - x) / v};
}

PairEnergy pair_energy(const Four& x, bool edges, const Stiffness& k) {
  PairEnergy out;
  out.at = closest(x, edges);
  out.gradient.setZero();
  if (out.at.D >= k.D0) return out;
  const Function b = barrier(out.at.D, k.D0);
  const Function m = edges ? mollifier(cross_squared(x), k.parallel) : Function{1, 0, 0};
  out.value = k.energy * m.f * b.f;
  out.force = -2 * k.energy * m.f * b.d * std::sqrt(out.at.D);
  out.gradient = (k.energy * m.f * b.d) * gradient(out.at);
  if (m.d != 0) out.gradient += (k.energy * m.d * b.f) * cross_gradient(x);
  return out;
}

double pair_value(const Four& x, bool edges, const Stiffness& k) {
  const double D = closest(x, edges).D;
  if (D >= k.D0) return 0;
  const double b = k.energy * barrier(D, k.D0).f;
  return edges && D > 0 ? b * mollifier(cross_squared(x), k.parallel).f : b;
}

void add_curvature(const Four& x, bool edges, const Stiffness& k, const PairEnergy& pair,
                   bool whole, std::vector<RankOne>& out) {
  if (pair.at.D >= k.D0) return;
  const auto scaled = [](Function f, double by) { return Function{by * f.f, by * f.d, by * f.dd}; };
  const Function b = scaled(barrier(pair.at.D, k.D0), k.energy);
  const double cross = edges ? cross_squared(x) : 0;
  if (edges && cross < k.parallel)
    add_mollified(x, pair.at, b, mollifier(cross, k.parallel), whole, out);
  else
    add_plain(pair.at, b, whole, out);
}

}  // namespace trammel::contact::barrier
