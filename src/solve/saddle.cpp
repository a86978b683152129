#include "solve/saddle.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/index.h"
#include "math/types.h"
#include "solve/product.h"

namespace trammel::solve {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr int kDense = 48;      // no more unknowns and rows than these: a dense factor is quicker
constexpr double kEps = 1e-10;  // on the rows' diagonal where they depend on each other, scaled
constexpr double kDepend =
    1e9;  // inverse of the geometry's matrix beyond which they do: 3e-5 apart
constexpr double kNoMass = 1e-12;  // bodies count at least this much, of the heaviest, in scales

}  // namespace

/// The matrix's numbers stand in the order in which they are put: masses, J0 and J1 of each end,
/// the rows' diagonal. Unknown j is column_[j] times its scaled one, line i is multiplied by
/// line_[i].
struct Saddle::Impl {
  const Graph& graph;
  std::vector<double> units;
  bool loops, dependent = false;
  int n;
  std::vector<int> where;  // of each number in the order of putting, in the sparse values
  std::vector<int> row, col;
  std::vector<double> value, line, column, heavy, force;  // force: scale of each group's impulses
  Sparse A;
  Eigen::SparseLU<Sparse> sparse;
  MatX dense;
  dense::Lu lu;
  mutable VecX b;

  Impl(const Graph& g, std::vector<double> u)
      : graph(g), units(std::move(u)), loops(has_loops(g)), n(g.n_u + g.n_rows) {
    line.resize(at_(n));
    column.resize(at_(n));
    heavy.resize(g.blocks.size());
    force.resize(g.groups.size());
    b.resize(n);
    for_entries([&](int i, int j) { row.push_back(i), col.push_back(j); });
    value.resize(row.size());
    if (n > kDense)
      make_pattern();
    else
      dense.resize(n, n);
  }

  void for_entries(const auto& put) const {
    for (std::size_t k = 0; k < graph.blocks.size(); ++k)
      for (int i = 0; i < graph.blocks[k].n; ++i)
        for (int j = 0; j < graph.blocks[k].n; ++j)
          put(graph.u_offset[k] + i, graph.u_offset[k] + j);
    for (const Graph::Group& g : graph.groups)
      for (int e = g.end; e < g.end + g.n_ends; ++e)
        for (int i = 0; i < g.m; ++i)
          for (int j = 0; j < graph.ends[at_(e)].n; ++j) {
            const int r = graph.n_u + g.row + i, u = graph.ends[at_(e)].u + j;
            put(u, r);
            put(r, u);
          }
    for (int i = 0; i < graph.n_rows; ++i) put(graph.n_u + i, graph.n_u + i);
  }

  void make_pattern() {
    std::vector<Eigen::Triplet<double>> numbers;
    for (std::size_t k = 0; k < row.size(); ++k)
      numbers.emplace_back(row[k], col[k], static_cast<double>(k));
    A.resize(n, n);
    A.setFromTriplets(numbers.begin(), numbers.end());
    A.makeCompressed();
    where.resize(row.size());
    for (int k = 0; k < A.nonZeros(); ++k) where[static_cast<std::size_t>(A.valuePtr()[k])] = k;
    sparse.analyzePattern(A);
  }

  /// Impulses are measured by the geometric mean of the masses at the row's ends, so that neither
  /// what is held between heavy bodies nor what hangs on them drowns. In a loop light bodies may
  /// carry what holds the heaviest.
  void scale(const System& s) {
    const double* M = s.mass;
    double most = 0;
    for (std::size_t k = 0; k < graph.blocks.size(); ++k) {
      const int m = graph.blocks[k].n;
      const double* unit = units.data() + graph.u_offset[k];
      heavy[k] = 0;
      for (int i = 0; i < m; ++i)
        heavy[k] = std::max(heavy[k], std::abs(M[i * (m + 1)]) * unit[i] * unit[i]);
      M += m * m;
      most = std::max(most, heavy[k]);
    }
    if (!(most > 0)) most = 1;
    for (double& x : heavy) x = std::max(x, kNoMass * most);
    for (std::size_t k = 0; k < graph.groups.size(); ++k) {
      const Graph::Group& g = graph.groups[k];
      double lo = most, hi = kNoMass * most;
      for (int e = g.end; e < g.end + g.n_ends; ++e) {
        lo = std::min(lo, heavy[at_(graph.ends[at_(e)].block)]);
        hi = std::max(hi, heavy[at_(graph.ends[at_(e)].block)]);
      }
      force[k] = g.n_ends ? std::sqrt(lo * (loops ? most : hi)) : most;
    }
    scale_columns(s.J1);
  }

  void scale_columns(const double* J) {
    for (int j = 0; j < graph.n_u; ++j) column[at_(j)] = units[at_(j)];
    for (std::size_t k = 0; k < graph.groups.size(); ++k) {
      const Graph::Group& g = graph.groups[k];
      for (int i = 0; i < g.m; ++i) {
        double size = 0;
        for (int e = g.end; e < g.end + g.n_ends; ++e) {
          const Graph::End& end = graph.ends[at_(e)];
          for (int j = 0; j < end.n; ++j)
            size = std::max(size, std::abs(J[end.J + i * end.n + j]) * units[at_(end.u + j)]);
        }
        column[at_(graph.n_u + g.row + i)] = size > 0 ? force[k] / size : force[k];
      }
    }
  }

  void put_numbers(const System& s, std::span<const unsigned char> free) {
    std::size_t k = 0;
    int masses = 0;
    for (const Graph::Block& block : graph.blocks) masses += block.n * block.n;
    for (; k < at_(masses); ++k) value[k] = s.mass[k];
    for (const Graph::Group& g : graph.groups)
      for (int e = g.end; e < g.end + g.n_ends; ++e) {
        const Graph::End& end = graph.ends[at_(e)];
        for (int i = 0; i < g.m; ++i)
          for (int j = 0; j < end.n; ++j) {
            const int J = end.J + i * end.n + j;
            value[k++] = -s.J0[J];
            value[k++] = free[at_(g.row + i)] ? s.J1[J] : 0;
          }
      }
    for (int i = 0; i < graph.n_rows; ++i) value[k++] = free[at_(i)] ? s.compliance[at_(i)] : 1;
  }

  /// Every line's greatest number is made one.
  void scale_lines(std::span<const unsigned char> free, double eps) {
    std::fill(line.begin(), line.end(), 0.0);
    for (std::size_t k = 0; k < value.size(); ++k) {
      value[k] *= column[at_(col[k])];
      line[at_(row[k])] = std::max(line[at_(row[k])], std::abs(value[k]));
    }
    for (double& x : line) x = x > 0 ? 1 / x : 1;
    for (std::size_t k = 0; k < value.size(); ++k) value[k] *= line[at_(row[k])];
    const std::size_t diagonal = value.size() - at_(graph.n_rows);
    for (int i = 0; i < graph.n_rows; ++i)
      if (free[at_(i)]) value[diagonal + at_(i)] += eps;
  }

  /// Whether rows depend on each other, which is a matter of places: masses, of which some may be
  /// a millionth of a millionth of others, have no part in it. Their places are met to 1e-12 only,
  /// so that no pivot is zero.
  bool rows_depend(const System& s, std::span<const unsigned char> free) {
    if (!loops) return false;
    std::vector<double> none(at_(graph.n_rows), 0.0);
    std::fill(force.begin(), force.end(), 1.0);
    scale_columns(s.J1);
    put_numbers({s.mass, s.J1, s.J1, none.data()}, free);
    std::size_t k = 0;
    for (std::size_t block = 0; block < graph.blocks.size(); ++block)
      for (int i = 0; i < graph.blocks[block].n; ++i)
        for (int j = 0; j < graph.blocks[block].n; ++j) {
          const double unit = units[at_(graph.u_offset[block] + i)];
          value[k++] = i == j ? 1 / (unit * unit) : 0;
        }
    scale_lines(free, 0);
    if (!factor()) return true;
    for (int i = 0; i < n; ++i) b[i] = (static_cast<unsigned>(i) * 2654435761U) >> 31 ? 1 : -1;
    const VecX x = n > kDense ? VecX(sparse.solve(b)) : VecX(lu.solve(b));
    return !(x.cwiseAbs().maxCoeff() < kDepend);
  }

  bool factor() {
    if (n == 0) return true;
    if (n > kDense) {
      std::fill_n(A.valuePtr(), A.nonZeros(), 0.0);
      for (std::size_t k = 0; k < value.size(); ++k) A.valuePtr()[where[k]] += value[k];
      sparse.factorize(A);
      return sparse.info() == Eigen::Success;
    }
    dense.setZero();
    for (std::size_t k = 0; k < value.size(); ++k) dense(row[k], col[k]) += value[k];
    lu.compute(dense);
    return lu.least_pivot() > 0;
  }

  void solve(std::span<double> a, std::span<double> x) const {
    if (n == 0) return;
    for (int i = 0; i < n; ++i)
      b[i] = line[at_(i)] * (i < graph.n_u ? a[at_(i)] : x[at_(i - graph.n_u)]);
    if (n > kDense)
      b = sparse.solve(b).eval();
    else
      b = lu.solve(b).eval();
    for (int i = 0; i < n; ++i)
      (i < graph.n_u ? a[at_(i)] : x[at_(i - graph.n_u)]) = column[at_(i)] * b[i];
  }
};

Saddle::Saddle(const Graph& graph, std::vector<double> units)
    : impl_(std::make_unique<Impl>(graph, std::move(units))) {}
Saddle::~Saddle() = default;
Saddle::Saddle(Saddle&&) noexcept = default;
Saddle& Saddle::operator=(Saddle&&) noexcept = default;

bool Saddle::factor(const System& system, std::span<const unsigned char> free) {
  ++factorisations_;
  impl_->dependent = impl_->rows_depend(system, free);
  impl_->scale(system);
  impl_->put_numbers(system, free);
  impl_->scale_lines(free, impl_->dependent ? kEps : 0);
  return impl_->factor();
}

void Saddle::solve(std::span<double> a, std::span<double> b) const { impl_->solve(a, b); }

/// (u, x) -= A'^-1 E x, A' = A + E with eps on the rows' diagonal: twice, as one leaves rounding /
/// eps of a null part that may be large.
void Saddle::take_out_null(std::span<double> du, std::span<double> dx) const {
  std::vector<double> a(du.size()), b(dx.size());
  for (int pass = 0; pass < 2; ++pass) {
    std::fill(a.begin(), a.end(), 0.0);
    for (std::size_t i = 0; i < dx.size(); ++i) {
      const std::size_t k = du.size() + i;
      b[i] = free_[i] ? kEps / (impl_->line[k] * impl_->column[k]) * dx[i] : 0;
    }
    impl_->solve(a, b);
    for (std::size_t j = 0; j < du.size(); ++j) du[j] -= a[j];
    for (std::size_t i = 0; i < dx.size(); ++i) dx[i] -= b[i];
  }
}

/// Rows that contradict their side change it: all, or the first. True: some did.
bool Saddle::change_set(const System& system, const Rows& rows, std::span<const double> r,
                        std::span<const double> x, std::span<signed char> set,
                        std::span<const double> du, std::span<const double> dx, bool all) const {
  std::vector<double> rate(r.size());
  multiply(impl_->graph, system.J1, du.data(), rate.data());
  bool changed = false;
  for (std::size_t i = 0; i < r.size() && (all || !changed); ++i) {
    if (!rows.active[i] || rows.lo[i] == rows.hi[i]) continue;
    const double to = x[i] + dx[i], w = r[i] + rate[i] + system.compliance[i] * dx[i];
    signed char side = set[i];
    if (side == 0 && to < rows.lo[i]) side = -1;
    if (side == 0 && to > rows.hi[i]) side = 1;
    if ((set[i] < 0 && w < 0) || (set[i] > 0 && w > 0)) side = 0;
    changed |= side != set[i];
    set[i] = side;
  }
  return changed;
}

bool Saddle::correct(const System& system, const Rows& rows, const Residual& r,
                     std::span<const double> x, std::span<signed char> set, std::span<double> du,
                     std::span<double> dx, bool keep) {
  constexpr int kAtOnce = 20, kMost = 400;
  std::vector<unsigned char> free(x.size());
  for (int k = 0; k < kMost; ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (rows.active[i] && rows.lo[i] == rows.hi[i]) set[i] = -1;
      if (!rows.active[i] || (set[i] < 0 && !std::isfinite(rows.lo[i])) ||
          (set[i] > 0 && !std::isfinite(rows.hi[i])))
        set[i] = 0;
      free[i] = rows.active[i] && set[i] == 0;
    }
    if (!keep || free != free_) {
      free_ = free;
      if (!factor(system, free)) {
        free_.clear();
        return false;
      }
    }
    keep = true;
    for (std::size_t j = 0; j < du.size(); ++j) du[j] = -r.u[j];
    for (std::size_t i = 0; i < dx.size(); ++i)
      dx[i] = free[i]           ? -r.x[i]
              : !rows.active[i] ? 0
                                : (set[i] < 0 ? rows.lo[i] : rows.hi[i]) - x[i];
    impl_->solve(du, dx);
    const VecX found = Eigen::Map<const VecX>(du.data(), static_cast<Eigen::Index>(du.size()));
    if (!found.allFinite()) return false;
    if (impl_->dependent) take_out_null(du, dx);
    if (!change_set(system, rows, r.x, x, set, du, dx, k < kAtOnce)) return true;
  }
  return false;
}

}  // namespace trammel::solve
