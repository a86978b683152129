// Rates and biases: what the acceleration formulation needs beyond value and Jacobian.
#include "joint/evaluate.h"
#include "joint/material.h"
#include "joint/own.h"

namespace trammel::joint {

namespace {

/// Second rate of a product u.v from the rates of its features.
double second_rate(const Sample& at, const SampleRates& m, const Product& p) {
  const auto u = idx(p.u), v = idx(p.v);
  return 2 * m.dx[u].dot(m.dx[v]) + m.ddx[u].dot(at.x[v]) + at.x[u].dot(m.ddx[v]);
}
double first_rate(const Sample& at, const SampleRates& m, const Product& p) {
  const auto u = idx(p.u), v = idx(p.v);
  return m.dx[u].dot(at.x[v]) + at.x[u].dot(m.dx[v]);
}

/// Rate and bias of every feature while s stands still (s_dot = 0), or moves at s_dot
/// unaccelerated.
void feature_rates(const Ends& ends, const Sample& at, unsigned features, const Motions& m,
                   SampleRates& out) {
  const Mat3& A = ends.A.T_WO->A;
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

}  // namespace

// s follows from Cx.E = 0: its rates are those of Cx.E at s standing still, over -h_s.
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

RowRates rates(const Row& row, const Sample& at, const SampleRates& m) {
  if (!row.holonomic()) return slip_rates(row, at, m);
  if (row.fn->own != nullptr) return row.fn->own->rates(row, at, m);
  const Partials h = partials(row, at);
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

}  // namespace trammel::joint
