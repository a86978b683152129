#include "solve/product.h"

#include <algorithm>

#include "math/index.h"
#include "math/parallel.h"

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

/// The same of twelve: three times four lanes.
void add_transpose_twelve(const double* J, int m, const double* x, double* f) {
  Four* out = reinterpret_cast<Four*>(f);
  Four a = out[0], b = out[1], c = out[2];
  for (int r = 0; r < m; ++r, J += 12) {
    const Four* row = reinterpret_cast<const Four*>(J);
    a += row[0] * x[r];
    b += row[1] * x[r];
    c += row[2] * x[r];
  }
  out[0] = a, out[1] = b, out[2] = c;
}

void multiply_twelve(const double* J, int m, const double* u, double* out) {
  const Four* v = reinterpret_cast<const Four*>(u);
  const Four v0 = v[0], v1 = v[1], v2 = v[2];
  for (int r = 0; r < m; ++r, J += 12) {
    const Four* row = reinterpret_cast<const Four*>(J);
    const Four sum = row[0] * v0 + row[1] * v1 + row[2] * v2;
    out[r] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
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

void apply_split(const double* mass, int n, const double* f, double* u) {
  for (int i = 0; i < 3; ++i) u[i] = mass[0] * f[i];
  for (int k = 3; k < n; k += 3) {
    const double t[3] = {f[k], f[k + 1], f[k + 2]};
    for (int i = 0; i < 3; ++i)
      u[k + i] = mass[1 + 3 * i] * t[0] + mass[2 + 3 * i] * t[1] + mass[3 + 3 * i] * t[2];
  }
}

constexpr int kGrain = 512;  // groups or blocks in one go

[[gnu::always_inline]] inline void add_transpose_of(const Graph::End& e, const double* J,
                                                    const double* x, double* f) {
  if (e.n == 6)
    add_transpose_six(J + e.J, e.m, x + e.row, f + e.u);
  else if (e.n == 12)
    add_transpose_twelve(J + e.J, e.m, x + e.row, f + e.u);
  else
    add_transpose_end(J + e.J, e.m, e.n, x + e.row, f + e.u);
}

/// x M^-1 x^T of a block.
double weigh(const Graph::Block& block, const double* W, const double* x) {
  const auto square = [](const double* A, int n, const double* v) {
    double sum = 0;
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) sum += v[r] * A[r * n + c] * v[c];
    return sum;
  };
  if (block.form == MassForm::dense) return square(W, block.n, x);
  double sum = 0;
  if (block.form == MassForm::unit) {
    for (int i = 0; i < block.n; ++i) sum += x[i] * x[i];
    return sum;
  }
  sum = W[0] * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  for (int i = 3; i < block.n; i += 3) sum += square(W + 1, 3, x + i);
  return sum;
}

}  // namespace

/// Ends in their order, or block by block the ends of each in that order: the same sums.
void add_transpose(const Graph& graph, const double* J, const double* x, double* f) {
  const int n = count(graph.blocks);
  if (parallel::threads() < 2 || n < 2 * kGrain) {
    for (const auto& e : graph.ends) add_transpose_of(e, J, x, f);
    return;
  }
  parallel::for_pieces(n, kGrain, [&](int first, int last) {
    for (int b = first; b < last; ++b)
      for (int e = graph.first_end[at(b)]; e >= 0; e = graph.next_end[at(e)])
        add_transpose_of(graph.ends[at(e)], J, x, f);
  });
}

void add_transpose_row(const Graph& graph, int group, int row, const double* J, double x,
                       double* f) {
  const auto& g = graph.groups[at(group)];
  for (int i = g.end; i < g.end + g.n_ends; ++i) {
    const auto& e = graph.ends[at(i)];
    const double* J_row = J + e.J + (row - g.row) * e.n;
    if (e.n == 6)
      add_transpose_six(J_row, 1, &x, f + e.u);
    else if (e.n == 12)
      add_transpose_twelve(J_row, 1, &x, f + e.u);
    else
      add_transpose_end(J_row, 1, e.n, &x, f + e.u);
  }
}

void multiply(const Graph& graph, const double* J, const double* u, double* r) {
  const auto& groups = graph.groups;
  parallel::for_pieces(count(groups), kGrain, [&](int first, int last) {
    if (first == last) return;
    const auto &from = groups[at(first)], &to = groups[at(last - 1)];
    std::fill_n(r + from.row, to.row + to.m - from.row, 0.);
    for (int i = from.end; i < to.end + to.n_ends; ++i) {
      const auto& e = graph.ends[at(i)];
      if (e.n == 6)
        multiply_six(J + e.J, e.m, u + e.u, r + e.row);
      else if (e.n == 12)
        multiply_twelve(J + e.J, e.m, u + e.u, r + e.row);
      else
        multiply_end(J + e.J, e.m, e.n, u + e.u, r + e.row);
    }
  });
}

void apply_inverse_mass(const Graph& graph, const double* inv_mass, const double* f, double* u) {
  parallel::for_pieces(count(graph.blocks), kGrain, [&](int first, int last) {
    for (int b = first; b < last; ++b) {
      const auto& block = graph.blocks[at(b)];
      const int o = graph.u_offset[at(b)];
      if (block.form == MassForm::split) {
        apply_split(inv_mass + block.mass, block.n, f + o, u + o);
      } else if (block.form == MassForm::unit) {
        std::copy_n(f + o, block.n, u + o);
      } else {
        std::fill_n(u + o, block.n, 0.);
        multiply_end(inv_mass + block.mass, block.n, block.n, f + o, u + o);
      }
    }
  });
}

double inverse_mass_of_row(const Graph& graph, const double* J, const double* inv_mass, int row) {
  const auto next = std::upper_bound(graph.groups.begin(), graph.groups.end(), row,
                                     [](int r, const Graph::Group& g) { return r < g.row; });
  return inverse_mass_of_row(graph, static_cast<int>(next - graph.groups.begin()) - 1, row, J,
                             inv_mass);
}

double inverse_mass_of_row(const Graph& graph, int i, int row, const double* J,
                           const double* inv_mass) {
  const Graph::Group& group = graph.groups[at(i)];
  double sum = 0;
  for (int e = group.end; e < group.end + group.n_ends; ++e) {
    const Graph::End& end = graph.ends[at(e)];
    const Graph::Block& block = graph.blocks[at(end.block)];
    sum += weigh(block, inv_mass + block.mass, J + end.J + (row - group.row) * end.n);
  }
  return sum;
}

void find_groups(const Graph& graph, std::span<const int> rows, std::vector<int>& groups) {
  groups.clear();
  auto g = graph.groups.begin();
  for (const int row : rows) {
    while (row >= g->row + g->m) ++g;
    groups.push_back(static_cast<int>(g - graph.groups.begin()));
  }
}

}  // namespace trammel::solve
