#include "solve/product.h"

#include <algorithm>

namespace trammel::solve {
namespace {

// at any address; not through auto, which drops that
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

/// f += J^T x of a block of six unknowns: four lanes and two.
void add_transpose_six(const double* J, int m, const double* x, double* f) {
  Four* first = reinterpret_cast<Four*>(f);
  Two* rest = reinterpret_cast<Two*>(f + 4);
  Four a = *first;
  Two b = *rest;
  for (int r = 0; r < m; ++r, J += 6) {
    a += *reinterpret_cast<const Four*>(J) * x[r];
    b += *reinterpret_cast<const Two*>(J + 4) * x[r];
  }
  *first = a;
  *rest = b;
}

void add_transpose_end(const double* J, int m, int n, const double* x, double* f) {
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < n; ++c) f[c] += J[r * n + c] * x[r];
}

void multiply_six(const double* J, int m, const double* u, double* out) {
  const Four u4 = *reinterpret_cast<const Four*>(u);
  const Two u2 = *reinterpret_cast<const Two*>(u + 4);
  for (int r = 0; r < m; ++r, J += 6) {
    const Four a = *reinterpret_cast<const Four*>(J) * u4;
    const Two b = *reinterpret_cast<const Two*>(J + 4) * u2;
    const Two sum = Two{a[0], a[1]} + Two{a[2], a[3]} + b;
    out[r] += sum[0] + sum[1];
  }
}

void multiply_end(const double* J, int m, int n, const double* u, double* out) {
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < n; ++c) out[r] += J[r * n + c] * u[c];
}

void apply_split(const double* mass, const double* f, double* u) {
  const double t[3] = {f[3], f[4], f[5]};
  for (int i = 0; i < 3; ++i) {
    u[i] = mass[0] * f[i];
    u[3 + i] = mass[1 + 3 * i] * t[0] + mass[2 + 3 * i] * t[1] + mass[3 + 3 * i] * t[2];
  }
}

}  // namespace

void add_transpose(const Graph& graph, const double* J, const double* x, double* f) {
  for (const auto& e : graph.ends)
    if (e.n == 6)
      add_transpose_six(J + e.J, e.m, x + e.row, f + e.u);
    else
      add_transpose_end(J + e.J, e.m, e.n, x + e.row, f + e.u);
}

void multiply(const Graph& graph, const double* J, const double* u, double* r) {
  std::fill_n(r, graph.n_rows, 0.);
  for (const auto& e : graph.ends)
    if (e.n == 6)
      multiply_six(J + e.J, e.m, u + e.u, r + e.row);
    else
      multiply_end(J + e.J, e.m, e.n, u + e.u, r + e.row);
}

void apply_inverse_mass(const Graph& graph, const double* inv_mass, const double* f, double* u) {
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    const auto& block = graph.blocks[b];
    const int o = graph.u_offset[b];
    if (block.form == MassForm::split) {
      apply_split(inv_mass + block.mass, f + o, u + o);
    } else {
      std::fill_n(u + o, block.n, 0.);
      multiply_end(inv_mass + block.mass, block.n, block.n, f + o, u + o);
    }
  }
}

}  // namespace trammel::solve
