// Second variations: what the energy formulation needs beyond value and Jacobian.
#include "joint/second_variation.h"

#include <cassert>

#include "joint/own.h"

namespace trammel::joint {

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
           sign * cov.dot(ends.A.T_WO->A * a.c_ss) * s_q * s_q.transpose();
}

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

namespace {

VecX pulled_back(const Maps& maps, const Gradient& g) {
  VecX J(maps.n);
  pull_back(maps.ends, maps.at, g, J.data(), J.data() + maps.n_A);
  return J;
}

/// Adds the second variation of a function h of products.
void add_function(const Row& row, const Maps& maps, SecondVariation& out) {
  const Sample& at = maps.at;
  VecX s_q = VecX::Zero(maps.n);
  if (row.on_curve()) s_q = arc_gradient(maps);
  const Partials h = partials(row, at);
  double g_s = 0;
  std::array<VecX, 2> J;
  for (std::size_t i = 0; i < static_cast<std::size_t>(row.products()); ++i) {
    const Product& p = row.of[i];
    add_product(maps, p, h.d[i], s_q, out);
    g_s += h.d[i] * (slope(at, p.u).dot(at.x[idx(p.v)]) + slope(at, p.v).dot(at.x[idx(p.u)]));
    Row product;
    product.of[0] = p;
    J[i] = pulled_back(maps, gradient(product, at));
  }
  if (h.d11 != 0) out.H += h.d11 * J[0] * J[0].transpose();
  if (row.products() == 2)
    out.H += h.d22 * J[1] * J[1].transpose() +
             h.d12 * (J[0] * J[1].transpose() + J[1] * J[0].transpose());
  // s'' of s(q): the second variation of Cx.E = 0
  if (row.on_curve()) add_product(maps, kOnCurve, -g_s / at.h_s, s_q, out);
}

}  // namespace

VecX arc_gradient(const Maps& maps) {
  Gradient g;
  follow_curve(maps.at, 1, g);
  return pulled_back(maps, g);
}

SecondVariation second_variation(const Row& row, const Ends& ends, const Sample& at) {
  assert(row.holonomic());
  const int n_A = body::motion_size(ends.A.motion_kind),
            n = n_A + body::motion_size(ends.B.motion_kind);
  const Maps maps{ends, at, n_A, n};
  SecondVariation out;
  out.H = MatX::Zero(n, n);
  if (row.fn->own != nullptr)
    row.fn->own->add_second(row, maps, out);
  else
    add_function(row, maps, out);
  return out;
}

}  // namespace trammel::joint
