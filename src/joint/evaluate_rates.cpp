// Rates, biases and second variations: what the acceleration and energy formulations need beyond
// value and Jacobian.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "joint/evaluate.h"
#include "joint/material.h"
#include "joint/stretch.h"
#include "math/rotation.h"

namespace trammel::joint {

namespace {

/// Value, rate and second rate of Cx.E: h stays 0, which gives s' and s''.
double second_rate(const Sample& at, const SampleRates& m, const Product& p) {
  const auto u = idx(p.u), v = idx(p.v);
  return 2 * m.dx[u].dot(m.dx[v]) + m.ddx[u].dot(at.x[v]) + at.x[u].dot(m.ddx[v]);
}
double first_rate(const Sample& at, const SampleRates& m, const Product& p) {
  const auto u = idx(p.u), v = idx(p.v);
  return m.dx[u].dot(at.x[v]) + at.x[u].dot(m.dx[v]);
}
constexpr Product kOnCurve{Feature::Cx, Feature::E};

/// Rate and bias of every feature while s stands still (s_dot = 0), or moves at s_dot
/// unaccelerated.
void feature_rates(const Ends& ends, const Sample& at, unsigned features, const Motions& m,
                   SampleRates& out) {
  const Mat3& A = ends.A.place->A;
  for (int k = 0; k < kFeatures; ++k) {
    const auto f = static_cast<Feature>(k);
    if (!has(features, f)) continue;
    Vec3 &d = out.dx[idx(f)], &dd = out.ddx[idx(f)];
    if (on_B(f)) {
      d = m.rate_B->A * material_B(ends, f);
      dd = m.bias_B->A * material_B(ends, f);
      continue;
    }
    const Material a = material_A(ends, at, f);
    const double v = out.s_dot;
    d = m.rate_A->A * a.c + v * (A * a.c_s);
    dd = m.bias_A->A * a.c + 2 * v * (m.rate_A->A * a.c_s) + v * v * (A * a.c_ss);
    if (!is_vector(f)) continue;
    const Vec3 b = material_B(ends, f);
    d = (m.rate_B->v + m.rate_B->A * b) - (m.rate_A->v + d);
    dd = (m.bias_B->v + m.bias_B->A * b) - (m.bias_A->v + dd);
  }
}

/// d(feature) on the motions of A and B (3 x n), s standing still; and of d(feature)/ds.
struct Maps {
  const Ends& ends;
  const Sample& at;
  int n_A, n;

  MatX on_A(const Vec3& own, bool point) const {
    MatX m = MatX::Zero(3, n);
    m.leftCols(n_A) = body::direction_map(ends.A.carrier, ends.A.place->A * own, own);
    if (point) m.leftCols(3).setIdentity();
    return m;
  }
  MatX on_B_end(const Vec3& own, bool point) const {
    MatX m = MatX::Zero(3, n);
    m.rightCols(n - n_A) = body::direction_map(ends.B.carrier, ends.B.place->A * own, own);
    if (point) m.middleCols(n_A, 3).setIdentity();
    return m;
  }
  MatX of(Feature f) const {
    if (on_B(f)) return on_B_end(material_B(ends, f), false);
    const MatX a = on_A(material_A(ends, at, f).c, is_vector(f));
    return is_vector(f) ? MatX(on_B_end(material_B(ends, f), true) - a) : a;
  }
  MatX of_slope(Feature f) const {  // of d(feature)/ds, a direction of A
    if (!is_curve(f)) return MatX::Zero(3, n);
    const MatX a = on_A(material_A(ends, at, f).c_s, false);
    return f == Feature::E ? MatX(-a) : a;
  }
};

/// Adds cov . (second variation of the feature): the objects' share to (f, F), the curve's to H.
void add_curvature(const Maps& maps, Feature f, const Vec3& cov, const VecX& s_q,
                   SecondVariation& out) {
  const Ends& ends = maps.ends;
  if (on_B(f)) {
    out.F_B += cov * material_B(ends, f).transpose();
    return;
  }
  const double sign = is_vector(f) ? -1 : 1;
  const Material a = material_A(ends, maps.at, f);
  out.F_A += sign * cov * a.c.transpose();
  if (is_vector(f)) {
    out.f_A -= cov;
    out.f_B += cov;
    out.F_B += cov * ends.B.X_OF->p.transpose();
  }
  if (!is_curve(f)) return;
  const VecX mixed = maps.of_slope(f).transpose() * cov;
  out.H += mixed * s_q.transpose() + s_q * mixed.transpose() +
           sign * cov.dot(ends.A.place->A * a.c_ss) * s_q * s_q.transpose();
}

/// Adds weight times the second variation of u.v at given s(q) to first order.
void add_product(const Maps& maps, const Product& p, double weight, const VecX& s_q,
                 SecondVariation& out) {
  const Vec3 &u = maps.at.x[idx(p.u)], &v = maps.at.x[idx(p.v)];
  const MatX m_u = maps.of(p.u) + slope(maps.at, p.u) * s_q.transpose();
  const MatX m_v = maps.of(p.v) + slope(maps.at, p.v) * s_q.transpose();
  const MatX cross = m_u.transpose() * m_v;
  out.H += weight * (cross + cross.transpose());
  add_curvature(maps, p.u, weight * v, s_q, out);
  add_curvature(maps, p.v, weight * u, s_q, out);
}

VecX total_gradient(const Ends& ends, const Sample& at, const Row& row, int n_A, int n) {
  VecX J(n);
  pull_back(ends, at, gradient(row, at), J.data(), J.data() + n_A);
  return J;
}

/// Every motion of the objects gives the axes rates, these W and U'.
void add_stretch(const Maps& maps, const Row& row, SecondVariation& out) {
  const Stretch s(row, maps.at);
  const Mat3 cov = s.R * s.Q;
  std::array<MatX, 3> of;
  for (int i = 0; i < 3; ++i) {
    of[static_cast<std::size_t>(i)] = maps.of(s.first + i);
    add_curvature(maps, s.first + i, cov.col(i), VecX::Zero(maps.n), out);
  }
  std::vector<Stretch::Rates> rates;
  for (int a = 0; a < maps.n; ++a) {
    Mat3 dX;
    dX << of[0].col(a), of[1].col(a), of[2].col(a);
    rates.push_back(s.rates(dX));
    for (int b = 0; b <= a; ++b)
      out.H(a, b) = out.H(b, a) = s.bend(rates.back(), rates[static_cast<std::size_t>(b)]);
  }
}

}  // namespace

void sample_rates(const Ends& ends, const Sample& at, unsigned features, const Motions& motions,
                  SampleRates& out) {
  out.s_dot = out.s_ddot = 0;
  feature_rates(ends, at, features, motions, out);
  if (!has(features, Feature::E)) return;
  out.s_dot = -first_rate(at, out, kOnCurve) / at.h_s;
  feature_rates(ends, at, features, motions, out);
  out.s_ddot = -second_rate(at, out, kOnCurve) / at.h_s;
  for (int k = static_cast<int>(Feature::Cx); k < kFeatures; ++k)
    if (has(features, static_cast<Feature>(k)))
      out.ddx[static_cast<std::size_t>(k)] += out.s_ddot * slope(at, static_cast<Feature>(k));
}

namespace {

/// W = A' A^-1 of the object that carries three axes, and its derivative.
struct Spin {
  Mat3 W, dW;
};
Spin spin(const Sample& at, const SampleRates& m, Feature first) {
  Mat3 X, d, dd;
  for (int i = 0; i < 3; ++i) {
    X.col(i) = at.x[idx(first + i)];
    d.col(i) = m.dx[idx(first + i)];
    dd.col(i) = m.ddx[idx(first + i)];
  }
  const Mat3 inverse = X.inverse(), W = d * inverse;
  return {W, (dd - W * d) * inverse};
}

/// How the contact moves from B's origin.
Vec3 contact_rate(const Row& row, const Sample& at, const SampleRates& m) {
  if (row.fn == Function::slip) return Vec3::Zero();
  const auto in = idx(row.normal()), iD = idx(Feature::D), ia = idx(row.axis());
  const Vec3 &n = at.x[in], &dn = m.dx[in];
  const double h = n.dot(at.x[iD]), dh = dn.dot(at.x[iD]) + n.dot(m.dx[iD]);
  if (row.fn == Function::slip_ball) return -dh * n - h * dn;
  const Vec3 &a = at.x[ia], &da = m.dx[ia];
  const double c = n.dot(a), dc = dn.dot(a) + n.dot(da);
  const Vec3 w = n - c * a, dw = dn - dc * a - c * da;
  const double w2 = w.squaredNorm(), k = h / w2, dk = (dh - 2 * k * w.dot(dw)) / w2;
  return -dk * w - k * dw;
}

/// rate = d . (D' - W_A D + (W_B - W_A) r).
RowRates slip_rates(const Row& row, const Sample& at, const SampleRates& m) {
  const Contact c = contact(row, at);
  const Vec3 dr = contact_rate(row, at, m), &D = at.x[idx(Feature::D)], &dD = m.dx[idx(Feature::D)];
  const Spin A = spin(at, m, Feature::Ax), B = spin(at, m, Feature::Bx);
  const Vec3 slip = dD - A.W * D + (B.W - A.W) * c.r;
  const Vec3 change =
      m.ddx[idx(Feature::D)] - A.dW * D - A.W * dD + (B.dW - A.dW) * c.r + (B.W - A.W) * dr;
  return {c.d.dot(slip), m.dx[idx(row.direction())].dot(slip) + c.d.dot(change)};
}

}  // namespace

RowRates rates(const Row& row, const Sample& at, const SampleRates& m) {
  if (!row.holonomic()) return slip_rates(row, at, m);
  if (row.fn == Function::arc) return {m.s_dot, m.s_ddot};
  if (row.fn == Function::stretch) {
    const Stretch s(row, at);
    return {s.along(axes(m.dx, s.first)),
            s.along(axes(m.ddx, s.first)) + s.bend(axes(m.dx, s.first))};
  }
  const Scalar h = scalar(row, at);
  RowRates out;
  std::array<double, 2> d{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(row.products()); ++i) {
    d[i] = first_rate(at, m, row.of[i]);
    out.rate += h.d[i] * d[i];
    out.bias += h.d[i] * second_rate(at, m, row.of[i]);
  }
  out.bias += h.d11 * d[0] * d[0] + 2 * h.d12 * d[0] * d[1] + h.d22 * d[1] * d[1];
  return out;
}

SecondVariation second_variation(const Row& row, const Ends& ends, const Sample& at) {
  assert(row.holonomic());
  const int n_A = body::motion_size(ends.A.carrier), n = n_A + body::motion_size(ends.B.carrier);
  const Maps maps{ends, at, n_A, n};
  SecondVariation out;
  out.H = MatX::Zero(n, n);
  if (row.fn == Function::stretch) {
    add_stretch(maps, row, out);
    return out;
  }
  VecX s_q = VecX::Zero(n);
  if (row.on_curve()) s_q = total_gradient(ends, at, Row{Function::arc, {}}, n_A, n);
  const Scalar h = scalar(row, at);
  double g_s = row.fn == Function::arc ? 1 : 0;
  std::array<VecX, 2> J;
  for (std::size_t i = 0; i < static_cast<std::size_t>(row.products()); ++i) {
    const Product& p = row.of[i];
    add_product(maps, p, h.d[i], s_q, out);
    g_s += h.d[i] * (slope(at, p.u).dot(at.x[idx(p.v)]) + slope(at, p.v).dot(at.x[idx(p.u)]));
    J[i] = total_gradient(ends, at, Row{Function::product, {p}}, n_A, n);
  }
  if (h.d11 != 0) out.H += h.d11 * J[0] * J[0].transpose();
  if (row.products() == 2)
    out.H += h.d22 * J[1] * J[1].transpose() +
             h.d12 * (J[0] * J[1].transpose() + J[1] * J[0].transpose());
  // s'' of s(q): the second variation of Cx.E = 0
  if (row.on_curve()) add_product(maps, kOnCurve, -g_s / at.h_s, s_q, out);
  return out;
}

}  // namespace trammel::joint
