#include "solve/factor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "math/index.h"
#include "math/parallel.h"
#include "math/sweep.h"
#include "solve/islands.h"
#include "solve/kernels.h"

namespace trammel::solve {
namespace {

/// f with the size of a column as a constant, 0 for those beyond six.
template <class F>
auto with_size(int m, const F& f) {
  switch (m) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
    case 6:
      return f.template operator()<6>();
    default:
      return f.template operator()<0>();
  }
}

/// Lower C with C C^T = A, A positive semidefinite: a direction without a pivot is dropped.
void root_of(const double* A, int n, int stride, double* C, int C_stride) {
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double sum = A[i * stride + j];
      for (int k = 0; k < j; ++k) sum -= C[i * C_stride + k] * C[j * C_stride + k];
      if (i == j) {
        C[j * C_stride + j] = std::sqrt(std::max(sum, 0.));
      } else {
        const double d = C[j * C_stride + j];
        C[i * C_stride + j] = d > 0 ? sum / d : 0;
      }
    }
}

/// (J C)_j of one row of J, C lower.
double times_root(const double* J, const double* C, int j, int n) {
  double sum = 0;
  for (int q = j; q < n; ++q) sum += J[q] * C[q * n + j];
  return sum;
}

/// The column at work, a row in the lanes of M.
template <int M>
struct Work {
  double* data;
  int stride;
  double* row(int r) const { return data + r * stride; }
  kernel::Lanes<M>* lanes(int r) const {
    return reinterpret_cast<kernel::Lanes<M>*>(data + r * kernel::kLanes<M>);
  }
};

constexpr std::size_t kAligned = 8;

/// The first number in v at the start of a cache line; v has kAligned to spare.
double* aligned(std::vector<double>& v) {
  const auto address = reinterpret_cast<std::uintptr_t>(v.data());
  return v.data() + (64 - address % 64) % 64 / 8;
}

/// Scratch of one thread: no number in it outlives a column or one sweep of it.
struct Scratch {
  std::vector<double> column, projected, wide;  // the column at work, M^-1 J^T of an end, more
  std::vector<int> block_at;  // first row in the column at work, by the block's column
};

thread_local Scratch scratch;

/// The rows with which a factor is made.
struct Chosen {
  std::vector<unsigned char> rows;
  std::vector<unsigned char> off;  // columns whose rows are all inactive: nothing goes through them
  bool all = true;

  Chosen(std::size_t n_rows, std::size_t n_columns) : rows(n_rows, 1), off(n_columns, 0) {}

  void take(const unsigned char* active, const std::vector<Symbolic::Column>& columns) {
    const bool were_all = all;
    unsigned char every = 1, *to = rows.data();
    TRAMMEL_INDEPENDENT
    for (std::size_t i = 0; i < rows.size(); ++i) {
      to[i] = active[i] != 0;
      every &= to[i];
    }
    all = every != 0;
    for (std::size_t k = 0; !(all && were_all) && k + 1 < columns.size(); ++k) {
      const Symbolic::Column& c = columns[k];
      bool any = c.hub >= 0;
      for (int r = 0; !any && r < c.m; ++r) any = rows[at(c.x + r)];
      off[k] = !any;
    }
  }
};

std::shared_ptr<const Symbolic> symbolic_of(const Graph& g, const DirectOptions& o) {
  const bool lanes = o.lanes && !o.keep_pivots;
  if (g.analyses) return g.analyses->of(g, o.hub_degree, o.task_flops, lanes);
  return std::make_shared<const Symbolic>(analyse(g, o.hub_degree, o.task_flops, lanes));
}

}  // namespace

struct Factor::Core {
  const Graph& graph;
  DirectOptions options;
  std::shared_ptr<const Symbolic> shared;
  const Symbolic& s;
  Islands islands;
  System system{};
  std::vector<double> value, D, root;
  mutable std::vector<double> pivots;
  Chosen chosen;
  int n_max = 6;                  // unknowns of a block
  mutable std::vector<double> y;  // scratch of solves

  using Outcome = Islands::Outcome;
  std::vector<Outcome> outcome;  // of a task and those below it
  Outcome whole;

  Core(const Graph& g, DirectOptions o)
      : graph(g),
        options(o),
        shared(symbolic_of(g, o)),
        s(*shared),
        islands(s, o.task_flops),
        chosen(at(g.n_rows), s.columns.size()) {
    const auto rows = at(g.n_rows);
    for (const auto& b : g.blocks) n_max = std::max(n_max, b.n);
    value.resize(static_cast<std::size_t>(s.columns.back().value) + kAligned);  // lanes end beyond
    D.resize(rows);
    if (options.keep_pivots) pivots.assign(rows, 1.);
    root.assign(at(s.roots), 0.);
    outcome.resize(s.tasks.size());
    y.resize(at(s.n_y) + kAligned);
  }

  Scratch& sized_scratch() const {
    const auto fit = [](auto& v, std::size_t n) {
      if (v.size() < n) v.resize(n);
    };
    fit(scratch.block_at, s.columns.size());
    fit(scratch.column, at(s.tallest) * at(std::max(8, s.widest)) + kAligned);
    fit(scratch.projected, at(16 * n_max) + kAligned),
        fit(scratch.wide, at(n_max * std::max(6, s.widest)));
    return scratch;
  }

  static std::int64_t block_at(const Symbolic::Column& c) {
    return c.value + 2ll * (c.height - c.m) * c.m;
  }
  double* y_at() const { return aligned(y); }
  const double* block_of(const Symbolic::Column& c) const { return value.data() + block_at(c); }

  // ---- factor

  bool factor(const System& given) {
    system = given;
    chosen.take(given.active, s.columns);
    whole = islands.factor(
        {system, chosen.rows.data(), chosen.all, options.eps, options.drop, D.data()});
    for (const auto& h : s.hubs) take_root(h);
    factor_task(static_cast<int>(s.tasks.size()) - 1);
    whole.join(outcome.back());
    return whole.failed < 0;
  }

  void for_children(const Tasks::Task& t, const auto& f) const {
    parallel::for_each(t.n_children, [&](int i) { f(s.children[at(t.child + i)]); });
  }

  void factor_task(int i) {
    const auto& t = s.tasks[at(i)];
    for_children(t, [&](int child) { factor_task(child); });
    Outcome o;
    for (int c = t.child; c < t.child + t.n_children; ++c) o.join(outcome[at(s.children[at(c)])]);
    Scratch& mine = sized_scratch();
    for (int k = t.first; o.failed < 0 && k < t.last; ++k) {
      const bool good =
          with_size(s.columns[at(k)].m, [&]<int M>() { return factor_column<M>(k, mine, o); });
      if (!good) o.failed_column = k;
    }
    outcome[at(i)] = o;
  }

  void take_root(const Symbolic::Hub& h) {
    const auto& b = graph.blocks[at(h.block)];
    const double* W = system.inv_mass + b.mass;
    double* C = root.data() + h.root;
    if (b.form == MassForm::dense) return root_of(W, h.n, h.n, C, h.n);
    if (b.form == MassForm::unit) {
      for (int i = 0; i < h.n; ++i) C[i * (h.n + 1)] = 1;
      return;
    }
    for (int i = 0; i < 3; ++i) C[i * (h.n + 1)] = std::sqrt(W[0]);
    for (int k = 3; k < h.n; k += 3) root_of(W + 1, 3, 3, C + k * (h.n + 1), h.n);
  }

  template <int M>
  bool factor_column(int k, Scratch& mine, Outcome& o) {
    const auto &c = s.columns[at(k)], &next = s.columns[at(k + 1)];
    const Work<M> work{aligned(mine.column), M > 0 ? kernel::kLanes<M> : c.m};
    if constexpr (M > 0) {
      const bool off = chosen.off[at(k)];  // of it D alone is needed
      for (int r = 0; r < (off ? M : c.height); ++r) *work.lanes(r) = kernel::Lanes<M>{};
      if (off) return assemble<M>(c, next, work, mine, true), true;
    } else {
      std::fill_n(work.data, c.height * work.stride, 0.);
    }
    for (int r = c.row; r < next.row; ++r)
      mine.block_at[at(s.rows[at(r)].column)] = s.rows[at(r)].at;
    if (c.hub >= 0)
      assemble_hub(c, work);
    else if constexpr (M > 0)
      assemble<M>(c, next, work, mine, false);
    if (!chosen.all) leave_out(c, next, work);
    for (int i = c.link; i < next.link; ++i)
      if (!chosen.off[at(s.links[at(i)].column)]) update<M>(c, s.links[at(i)], work, mine);
    if constexpr (M > 0)
      if (c.hub < 0) return finish<M>(c, next, work, o);
    return finish_any(c, next, work, mine, o);
  }

  /// The column's part of S: J_i M^-1 J_k^T of the blocks, J_k C of the hubs; and D. `own`: its
  /// diagonal block alone.
  template <int M>
  void assemble(const Symbolic::Column& c, const Symbolic::Column& next, const Work<M>& work,
                Scratch& mine, bool own) {
    double hub_part[6] = {};
    for (int i = c.own; i < next.own; ++i) {
      const auto& o = s.own[at(i)];
      const double* mass = system.inv_mass + o.mass;
      const auto *to = s.targets.data() + o.target,
                 *end = own ? to + (o.hub < 0) : s.targets.data() + s.own[at(i + 1)].target;
      if (o.hub >= 0) {
        couple(c.m, o, to != end ? work.row(to->at) : nullptr, work.stride, hub_part);
      } else if (o.form == MassForm::split && o.n == 6) {
        kernel::Lanes<M> P[6];
        kernel::project_split<M, 6>(system.J + o.J, mass, P);
        for (; to != end; ++to)
          kernel::add_product<M, 6>(system.J + to->J, to->m, P, work.lanes(to->at));
      } else if (o.form != MassForm::dense && o.n == 12) {
        kernel::Lanes<M> P[12];
        if (o.form == MassForm::unit)
          kernel::transpose<M, 12>(system.J + o.J, P);
        else
          kernel::project_split<M, 12>(system.J + o.J, mass, P);
        for (; to != end; ++to)
          kernel::add_product<M, 12>(system.J + to->J, to->m, P, work.lanes(to->at));
      } else {
        auto* P = reinterpret_cast<kernel::Lanes<M>*>(aligned(mine.projected));
        if (o.form == MassForm::unit)
          kernel::transpose<M, 0>(system.J + o.J, P, o.n);
        else
          kernel::project_dense<M>(system.J + o.J, mass, o.n, P + o.n, P);
        for (; to != end; ++to)
          kernel::add_product<M, 0>(system.J + to->J, to->m, P, work.lanes(to->at), o.n);
      }
    }
    double part[M], most = 0;
    for (int r = 0; r < M; ++r) most = std::max(most, part[r] = work.row(r)[r] + hub_part[r]);
    for (int r = 0; r < M; ++r) {
      const double compliance = system.compliance[c.x + r];
      const bool still = part[r] < kImmovable * most && compliance == 0;
      D[at(c.x + r)] = still ? 0 : work.row(r)[r] + compliance + hub_part[r];
    }
  }

  /// J C of an end at a hub, whose squares are its part of D; its transpose is the block of the
  /// hub's row, if the hub comes later.
  void couple(int m, const Symbolic::Own& o, double* out, int stride, double* hub_part) {
    const double* C = root.data() + s.hubs[at(o.hub)].root;
    for (int r = 0; r < m; ++r)
      for (int j = 0; j < o.n; ++j) {
        const double jc = times_root(system.J + o.J + r * o.n, C, j, o.n);
        hub_part[r] += jc * jc;
        if (out) out[j * stride + r] = jc;
      }
  }

  template <int M>
  void assemble_hub(const Symbolic::Column& c, const Work<M>& work) {
    const double* C = root.data() + s.hubs[at(c.hub)].root;
    for (int i = 0; i < c.m; ++i) work.row(i)[i] = -1;
    for (int t = s.own[at(c.own)].target; t < s.own[at(c.own + 1)].target; ++t) {
      const auto& to = s.targets[at(t)];
      for (int r = 0; r < to.m; ++r)
        for (int j = 0; j < c.m; ++j)
          work.row(to.at + r)[j] = times_root(system.J + to.J + r * c.m, C, j, c.m);
    }
  }

  /// Inactive rows: zero, and one on the diagonal.
  template <int M>
  void leave_out(const Symbolic::Column& c, const Symbolic::Column& next, const Work<M>& work) {
    for (int i = c.row; i < next.row; ++i) {
      const auto& row = s.rows[at(i)];
      const int x = s.columns[at(row.column)].x;
      for (int r = 0; x >= 0 && r < row.m; ++r)  // but for hubs
        if (!chosen.rows[at(x + r)]) std::fill_n(work.row(row.at + r), c.m, 0.);
    }
    for (int j = 0; c.hub < 0 && j < c.m; ++j)
      if (!chosen.rows[at(c.x + j)]) {
        for (int r = 0; r < c.height; ++r) work.row(r)[j] = 0;
        work.row(j)[j] = 1;
      }
  }

  /// A_ij -= V_ik (1 / d_k) V_jk^T for all blocks i from j on of an earlier column k.
  template <int M>
  void update(const Symbolic::Column& c, const Symbolic::Link& link, const Work<M>& work,
              Scratch& mine) {
    const auto& from = s.columns[at(link.column)];
    const double *V = value.data() + from.value, *inverse = block_of(from);
    const auto *row = s.rows.data() + link.row,
               *end = s.rows.data() + s.columns[at(link.column + 1)].row;
    with_size(from.m, [&]<int K>() {
      if constexpr (M > 0 && K > 0) {
        const double* V_j = V + (row->at - K) * K;
        kernel::Lanes<M> T[K];
        for (int k = 0; k < K; ++k) T[k] = kernel::load<M>(V_j + k * M) * inverse[k * (K + 1)];
        for (; row != end; ++row)
          if (!chosen.off[at(row->column)])
            kernel::subtract_product<M, K>(V + (row->at - K) * K, row->m, T,
                                           work.lanes(mine.block_at[at(row->column)]));
      } else {
        update_any(c.m, from.m, V, inverse, row, end, work, mine);
      }
    });
  }

  template <int M>
  void update_any(int m, int K, const double* V, const double* inverse, const Symbolic::Row* row,
                  const Symbolic::Row* end, const Work<M>& work, Scratch& mine) {
    double* T = mine.wide.data();
    const double* V_j = V + (row->at - K) * K;
    for (int k = 0; k < K; ++k)
      for (int c = 0; c < m; ++c) T[k * m + c] = V_j[k * m + c] * inverse[k * (K + 1)];
    for (; row != end; ++row) {
      const double* V_i = V + (row->at - K) * K;
      for (int r = 0; r < row->m; ++r) {
        double* out = work.row(mine.block_at[at(row->column)] + r);
        for (int k = 0; k < K; ++k)
          for (int c = 0; c < m; ++c) out[c] -= V_i[k * row->m + r] * T[k * m + c];
      }
    }
  }

  /// LDL^T of the diagonal block, V = A L^-T and G = V (1 / d) L^-1 below it.
  template <int M>
  bool finish(const Symbolic::Column& c, const Symbolic::Column& next, const Work<M>& work,
              Outcome& o) {
    double A[M][M];
    kernel::unrolled<M>([&](auto row) {
      constexpr int r = decltype(row)::value;
      kernel::unrolled<r + 1>([&](int j) { A[r][j] = work.row(r)[j]; });
      A[r][r] += shift_of(at(c.x + r));
    });
    int bad = -1;
    const auto accept = [&](int r, double& d) {
      const bool good = accept_pivot(at(c.x + r), d, o.least_pivot);
      if (!good) bad = r;
      return good;
    };
    if (!kernel::factor_block<M>(A, accept)) {
      o.failed = c.x + bad;
      return false;
    }
    const auto block = kernel::keep<M>(A, value.data() + block_at(c));
    if (c.height == M) return true;
    kernel::Lanes<M> scaled[M];
    kernel::unrolled<M>([&](int q) { scaled[q] = block.row[q] * block.inverse[q]; });
    for (int r = M; r < c.height; ++r) kernel::lower<M>(block, work.lanes(r));
    double* G = value.data() + c.value + (c.height - M) * M;
    for (int r = M; r < c.height; ++r, G += M)
      kernel::store<M>(kernel::upper<M>(scaled, work.row(r)), G);
    double* V = value.data() + c.value;
    for (int i = c.row + 1; i < next.row; ++i) {
      const auto& row = s.rows[at(i)];
      const double* from = work.row(row.at);
      with_size(row.m, [&]<int R>() { kernel::transposed<R, M>(from, work.stride, V, row.m); });
      V += row.m * M;
    }
    return true;
  }

  /// The same of a hub, whose pivots are below zero.
  template <int M>
  bool finish_any(const Symbolic::Column& c, const Symbolic::Column& next, const Work<M>& work,
                  Scratch& mine, Outcome& o) {
    const int m = c.m;
    double* block = value.data() + block_at(c);
    for (int r = 0; r < m; ++r) std::copy_n(work.row(r), m, block + r * m);
    const auto accept = [](int, double d) { return std::isfinite(d) && d < 0; };
    if (!kernel::factor_any(block, accept, m)) {
      o.failed = row_at_hub(c.hub);
      return false;
    }
    double *V = value.data() + c.value, *G = V + (c.height - m) * m, *g = mine.wide.data();
    for (int i = c.row + 1; i < next.row; ++i) {
      const auto& row = s.rows[at(i)];
      for (int r = 0; r < row.m; ++r, G += m) {
        double* a = work.row(row.at + r);
        kernel::forward_any(block, a, m);
        for (int k = 0; k < m; ++k) V[k * row.m + r] = a[k], g[k] = a[k] * block[k * (m + 1)];
        kernel::backward_any(block, g, m);
        std::copy_n(g, m, G);
      }
      V += row.m * m;
    }
    return true;
  }

  /// Returns what is added to the diagonal of J M^-1 J^T: compliance, and eps D.
  double shift_of(std::size_t row) const {
    return chosen.rows[row] ? system.compliance[row] + options.eps * D[row] : 0;
  }

  /// The pivot of a redundant row is eps D and rounding, which must not turn its sign: S has none
  /// below zero, so what is found there, or next to it, counts as eps D.
  bool accept_pivot(std::size_t row, double& d, double& least_pivot) const {
    if (!chosen.rows[row]) return true;
    if (D[row] == 0) {  // immovable
      if (options.keep_pivots) pivots[row] = 0;
      d = std::numeric_limits<double>::infinity();
      return true;
    }
    if (d < least_pivot * D[row]) least_pivot = d / D[row];
    if (options.keep_pivots) pivots[row] = d / D[row];
    if (d < options.drop * D[row]) {
      d = std::numeric_limits<double>::infinity();  // nothing goes through it
      return true;
    }
    const double least = std::max(options.eps, kPivotRounding) * D[row];
    if (d < least / 2 && d > -1e-6 * D[row]) d = least;
    return std::isfinite(d) && d > 0;
  }

  int row_at_hub(int hub) const {
    for (const auto& g : graph.groups)
      for (int e = g.end; e < g.end + g.n_ends; ++e)
        if (graph.ends[at(e)].block == s.hubs[at(hub)].block) return g.row;
    return 0;
  }

  // ---- solve

  /// x goes into y, a column's part in lanes, and from there comes back.
  void solve(double* x) const {
    if (!chosen.all)
      for (std::size_t i = 0; i < chosen.rows.size(); ++i)
        if (!chosen.rows[i]) x[i] = 0;
    islands.solve(x);
    const int all = static_cast<int>(s.tasks.size()) - 1;
    up(all, x);
    down(all, x);
  }

  /// Forward, from the leaves of the tree. A column takes from those of its own task as they give,
  /// and before that, in the order of the columns, what those of other tasks have for it.
  void up(int i, const double* x) const {
    const auto& t = s.tasks[at(i)];
    for_children(t, [&](int child) { up(child, x); });
    for (int k = t.first; k < t.last; ++k) take(s.columns[at(k)], x);
    for (int k = t.first; t.n_children && k < t.last; ++k) gather(k, t.first);
    for (int k = t.first; k < t.last; ++k)
      with_size(s.columns[at(k)].m, [&]<int M>() { forward<M>(k, t.last); });
  }

  void down(int i, double* x) const {
    const auto& t = s.tasks[at(i)];
    for (int k = t.last - 1; k >= t.first; --k)
      with_size(s.columns[at(k)].m, [&]<int M>() { backward<M>(k, x); });
    for_children(t, [&](int child) { down(child, x); });
  }

  void take(const Symbolic::Column& c, const double* x) const {
    double* z = y_at() + c.y;
    if (c.hub >= 0) return void(std::fill_n(z, c.m, 0.));
    x += c.x;
    with_size(c.m, [&]<int M>() {
      if constexpr (M > 0) kernel::put_lanes(kernel::lanes_of<M>([&](int r) { return x[r]; }), z);
    });
  }

  void gather(int k, int first) const {
    const auto &c = s.columns[at(k)], &next = s.columns[at(k + 1)];
    for (int i = c.link; i < next.link && s.links[at(i)].column < first; ++i) {
      if (chosen.off[at(s.links[at(i)].column)]) continue;
      const auto& from = s.columns[at(s.links[at(i)].column)];
      const double* V =
          value.data() + from.value + (s.rows[at(s.links[at(i)].row)].at - from.m) * from.m;
      with_size(from.m, [&]<int K>() {
        const double* w = y_at() + from.y;
        if constexpr (K > 0)
          kernel::subtract<K>(V, c.m, kernel::load<K>(w), y_at() + c.y);
        else
          kernel::subtract_any(V, c.m, w, y_at() + c.y, from.m);
      });
    }
  }

  /// w = diag(1 / d) L^-1 z of a column, and what it gives to those above.
  template <int M>
  void forward(int k, int last) const {
    if (chosen.off[at(k)]) return;  // x is 0 there, and stays so
    const auto &c = s.columns[at(k)], &next = s.columns[at(k + 1)];
    double* z = y_at() + c.y;
    const auto give = [&](const auto& to) {
      const double* V = value.data() + c.value;
      for (int i = c.row + 1; i < next.row && s.rows[at(i)].column < last; ++i) {
        to(V, s.rows[at(i)].m, y_at() + s.rows[at(i)].y);
        V += s.rows[at(i)].m * c.m;
      }
    };
    if constexpr (M > 0) {
      const auto w = kernel::forward<M>(block_of(c), z);
      kernel::put_lanes(w, z);
      give([&](const double* V, int rows, double* to) { kernel::subtract<M>(V, rows, w, to); });
    } else {
      kernel::forward_any(block_of(c), z, c.m);
      for (int i = 0; i < c.m; ++i) z[i] *= block_of(c)[i * (c.m + 1)];
      give([&](const double* V, int rows, double* to) {
        kernel::subtract_any(V, rows, z, to, c.m);
      });
    }
  }

  /// L^-T w - G^T y of those above.
  template <int M>
  void backward(int k, double* x) const {
    if (chosen.off[at(k)]) return;
    const auto &c = s.columns[at(k)], &next = s.columns[at(k + 1)];
    const double* G = value.data() + c.value + (c.height - c.m) * c.m;
    double* z = y_at() + c.y;
    if constexpr (M > 0) {
      auto sum = kernel::backward<M>(block_of(c), z);
      for (int i = c.row + 1; i < next.row; ++i) {
        const auto& row = s.rows[at(i)];
        kernel::subtract_transposed<M>(G, row.m, y_at() + row.y, sum);
        G += row.m * M;
      }
      kernel::put_lanes(sum, z);
      if (c.hub < 0) kernel::store<M>(sum, x + c.x);
    } else {
      kernel::backward_any(block_of(c), z, c.m);
      for (int i = c.row + 1; i < next.row; ++i)
        for (int r = 0; r < s.rows[at(i)].m; ++r, G += c.m)
          for (int j = 0; j < c.m; ++j) z[j] -= G[j] * y_at()[s.rows[at(i)].y + r];
    }
  }
};

Factor::Factor(const Graph& graph, const DirectOptions& options)
    : core_(std::make_unique<Core>(graph, options)) {}
Factor::~Factor() = default;
bool Factor::factor(const System& given) { return core_->factor(given); }
void Factor::solve(double* x) const { core_->solve(x); }
int Factor::failed_row() const { return core_->whole.failed; }
double Factor::least_pivot() const { return core_->whole.least_pivot; }
std::span<const double> Factor::pivots() const { return core_->pivots; }
void Factor::set_eps(double eps, double drop) {
  core_->options.eps = eps;
  core_->options.drop = drop;
}
const Symbolic& Factor::symbolic() const { return core_->s; }
std::span<const double> Factor::diagonal() const { return core_->D; }
std::span<const unsigned char> Factor::active() const { return core_->chosen.rows; }

}  // namespace trammel::solve
