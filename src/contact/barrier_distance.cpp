// Distances of corners, edges and triangles, and their derivatives.
#include "contact/barrier_distance.h"

#include <Eigen/Dense>
#include <algorithm>

#include "math/index.h"

namespace trammel::contact::barrier {

namespace {

constexpr double kParallel = 1e-20;  // |u x v|^2 beside |u|^2 |v|^2 below which edges are parallel

constexpr double kGreat = 300;  // reach of a triangle that stands for a plane [m]

/// Fills in r and D from the weights.
Closest closed(Closest c, const Four& x) {
  c.r.setZero();
  // about one corner, so that the rounding is that of the pair's size
  for (std::size_t i = 0; i < 4; ++i) c.r += c.w[i] * (x[i] - x[0]);
  c.D = c.r.squaredNorm();
  return c;
}

/// Returns what two corners make.
Closest of_corners(const Four& x, std::size_t i, std::size_t j) {
  Closest c;
  c.w[i] = 1;
  c.w[j] = -1;
  return closed(c, x);
}

/// Returns what a corner and an edge make: of its inside, or of an end.
Closest of_edge(const Four& x, std::size_t i, std::size_t e, std::size_t f) {
  const Vec3 u = x[f] - x[e];
  const double along = (x[i] - x[e]).dot(u), length = u.squaredNorm();
  if (!(along > 0)) return of_corners(x, i, e);
  if (!(along < length)) return of_corners(x, i, f);
  Closest c;
  const double a = along / length;
  c.w[i] = 1;
  c.w[e] = a - 1;
  c.w[f] = -a;
  c.free = 1;
  c.dw[0][e] = 1;
  c.dw[0][f] = -1;
  c.T[0] = -u;
  return closed(c, x);
}

void take_nearer(const Closest& c, Closest& best) {
  if (c.D < best.D) best = c;
}

Eigen::Matrix2d metric(const Closest& c) {
  Eigen::Matrix2d M = Eigen::Matrix2d::Identity();
  for (int i = 0; i < c.free; ++i)
    for (int j = 0; j < c.free; ++j) M(i, j) = c.T[at(i)].dot(c.T[at(j)]);
  return M;
}

/// Puts a derivative on u and v of edges onto their ends.
constexpr double kEnds[2][4] = {{-1, 1, 0, 0}, {0, 0, -1, 1}};

}  // namespace

Closest point_triangle(const Four& x) {
  const Vec3 u = x[2] - x[1], v = x[3] - x[1], w = x[0] - x[1];
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), uw = u.dot(w),
               vw = v.dot(w), det = u.cross(v).squaredNorm();
  const double a = (vv * uw - uv * vw) / det, b = (uu * vw - uv * uw) / det;
  if (a > 0 && b > 0 && a + b < 1) {
    Closest c;
    c.w = {1, a + b - 1, -a, -b};
    c.free = 2;
    c.dw = {{{0, 1, -1, 0}, {0, 1, 0, -1}}};
    c.T = {-u, -v};
    return closed(c, x);
  }
  Closest best = of_edge(x, 0, 1, 2);
  take_nearer(of_edge(x, 0, 2, 3), best);
  take_nearer(of_edge(x, 0, 3, 1), best);
  return best;
}

Closest edge_edge(const Four& x) {
  const Vec3 u = x[1] - x[0], v = x[3] - x[2], w = x[0] - x[2];
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), uw = u.dot(w),
               vw = v.dot(w), det = u.cross(v).squaredNorm();
  if (det > kParallel * uu * vv) {
    const double s = (uv * vw - vv * uw) / det, t = (uu * vw - uv * uw) / det;
    if (s > 0 && s < 1 && t > 0 && t < 1) {
      Closest c;
      c.w = {1 - s, s, t - 1, -t};
      c.free = 2;
      c.dw = {{{-1, 1, 0, 0}, {0, 0, 1, -1}}};
      c.T = {u, -v};
      return closed(c, x);
    }
  }
  Closest best = of_edge(x, 0, 2, 3);
  take_nearer(of_edge(x, 1, 2, 3), best);
  take_nearer(of_edge(x, 2, 0, 1), best);
  take_nearer(of_edge(x, 3, 0, 1), best);
  return best;
}

Four on_plane(const Four& x) {
  const Vec3 u = (x[2] - x[1]).normalized(), n = u.cross(x[3] - x[1]).normalized(), v = n.cross(u);
  const Vec3 foot = x[0] - n.dot(x[0] - x[1]) * n;
  return {x[0], foot + kGreat * u, foot + kGreat * (-0.5 * u + 0.75 * v),
          foot + kGreat * (-0.5 * u - 0.75 * v)};
}

Vec12 gradient(const Closest& c) {
  Vec12 g;
  for (int i = 0; i < 4; ++i) g.segment<3>(3 * i) = 2 * c.w[at(i)] * c.r;
  return g;
}

Mat12 hessian(const Closest& c) {
  Eigen::Matrix<double, 12, 2> B = Eigen::Matrix<double, 12, 2>::Zero();
  Mat12 H;
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < c.free; ++k)
      B.block<3, 1>(3 * i, k) = c.w[at(i)] * c.T[at(k)] + c.dw[at(k)][at(i)] * c.r;
    for (int j = 0; j < 4; ++j)
      H.block<3, 3>(3 * i, 3 * j) = (c.w[at(i)] * c.w[at(j)]) * Mat3::Identity();
  }
  H -= B * metric(c).inverse() * B.transpose();
  return 2 * H;
}

double cross_squared(const Four& x) { return (x[1] - x[0]).cross(x[3] - x[2]).squaredNorm(); }

Vec12 cross_gradient(const Four& x) {
  const Vec3 u = x[1] - x[0], v = x[3] - x[2];
  const Vec3 of_u = 2 * (u * v.squaredNorm() - v * u.dot(v)),
             of_v = 2 * (v * u.squaredNorm() - u * u.dot(v));
  Vec12 g;
  for (int i = 0; i < 4; ++i) g.segment<3>(3 * i) = kEnds[0][i] * of_u + kEnds[1][i] * of_v;
  return g;
}

Mat12 cross_hessian(const Four& x) {
  const Vec3 u = x[1] - x[0], v = x[3] - x[2];
  const Mat3 one = Mat3::Identity();
  const Mat3 uu = 2 * (v.squaredNorm() * one - v * v.transpose()),
             vv = 2 * (u.squaredNorm() * one - u * u.transpose()),
             uv = 2 * (2 * u * v.transpose() - v * u.transpose() - u.dot(v) * one);
  Mat12 H;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      H.block<3, 3>(3 * i, 3 * j) =
          kEnds[0][i] * kEnds[0][j] * uu + kEnds[1][i] * kEnds[1][j] * vv +
          kEnds[0][i] * kEnds[1][j] * uv + kEnds[1][i] * kEnds[0][j] * uv.transpose();
  return H;
}

}  // namespace trammel::contact::barrier
