#include "solve/product.h"

#include <algorithm>

namespace trammel::solve {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <int n>
void add_transpose_end(const double* J, int m, const double* x, double* f) {
  double sum[n];  // apart from J and x, so that it stays in registers
  std::copy_n(f, n, sum);
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < n; ++c) sum[c] += J[r * n + c] * x[r];
  std::copy_n(sum, n, f);
}

void add_transpose_end(const double* J, int m, int n, const double* x, double* f) {
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < n; ++c) f[c] += J[r * n + c] * x[r];
}

template <int n>
void multiply_end(const double* J, int m, const double* u, double* out) {
  for (int r = 0; r < m; ++r) {
    double sum = 0;
    for (int c = 0; c < n; ++c) sum += J[r * n + c] * u[c];
    out[r] += sum;
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
  for (const auto& g : graph.groups)
    for (int e = g.end; e < g.end + g.n_ends; ++e) {
      const auto& end = graph.ends[at(e)];
      const int n = graph.blocks[at(end.block)].n;
      double* f_b = f + graph.u_offset[at(end.block)];
      if (n == 6)
        add_transpose_end<6>(J + end.J, g.m, x + g.row, f_b);
      else
        add_transpose_end(J + end.J, g.m, n, x + g.row, f_b);
    }
}

void multiply(const Graph& graph, const double* J, const double* u, double* r) {
  for (const auto& g : graph.groups) {
    double sum[6] = {};
    for (int e = g.end; e < g.end + g.n_ends; ++e) {
      const auto& end = graph.ends[at(e)];
      const int n = graph.blocks[at(end.block)].n;
      const double* u_b = u + graph.u_offset[at(end.block)];
      if (n == 6)
        multiply_end<6>(J + end.J, g.m, u_b, sum);
      else
        multiply_end(J + end.J, g.m, n, u_b, sum);
    }
    for (int i = 0; i < g.m; ++i) r[g.row + i] = sum[i];
  }
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
