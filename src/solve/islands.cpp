#include "solve/islands.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstdint>
#include <limits>

#include "math/index.h"
#include "math/lanes.h"
#include "math/parallel.h"
#include "solve/kernels.h"

namespace trammel::solve {
namespace {

constexpr int kW = kAlike;
using Wide = kernel::Packed<kW>;
typedef long long Mask __attribute__((vector_size(sizeof(Wide)), may_alias));  // -1: yes, 0: no
using kernel::total;
using kernel::unrolled;

constexpr int triangle(int i, int j) { return i * (i + 1) / 2 + j; }

Wide wide(double x) {
  return kernel::lanes_of<kW>([&](int) { return x; });
}
[[gnu::always_inline]] inline bool any(Mask m) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(m), reinterpret_cast<__m512i>(m)) != 0;
#else
  return (m[0] | m[1] | m[2] | m[3]) != 0;
#endif
}

/// f(First) + ... + f(First + N - 1) as total() sums them, without the terms before Lo and from Hi
/// on, which are zero there.
template <int N, int Lo, int Hi, int First = 0, class F>
[[gnu::always_inline]] inline Wide part(const F& f) {
  constexpr int kLeft = (N + 1) / 2, kMiddle = First + kLeft;
  if constexpr (N == 1)
    return f(First);
  else if constexpr (Hi <= kMiddle)
    return part<kLeft, Lo, Hi, First>(f);
  else if constexpr (Lo >= kMiddle)
    return part<N / 2, Lo, Hi, kMiddle>(f);
  else
    return part<kLeft, Lo, Hi, First>(f) + part<N / 2, Lo, Hi, kMiddle>(f);
}

/// f with a size of 1 to 6 as a constant.
template <class F>
[[gnu::always_inline]] inline auto with_size(int m, const F& f) {
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
    default:
      return f.template operator()<6>();
  }
}

/// Where each lane's numbers are, four lanes at a time.
template <class T>
struct Records {
  T* four[kW / 4][4];
  [[gnu::always_inline]] Records(T* base, const int* offset) {
    for (int l = 0; l < kW; ++l) four[l / 4][l % 4] = base + offset[l];
  }
};

#if defined(__AVX512F__)
Wide joined(const Four (&x)[2][4], int k) { return both(x[0][k], x[1][k]); }
Four part_of(const Wide& x, int i) { return i ? high(x) : low(x); }
#else
Wide joined(const Four (&x)[1][4], int k) { return x[0][k]; }
Four part_of(const Wide& x, int) { return x; }
#endif

/// The first n < 4 numbers of four records.
[[gnu::always_inline]] inline void load_few(const double* const (&record)[4], int n, Four* out) {
  Four x[4];
  for (int i = 0; i < 4; ++i)
    x[i] = Four{record[i][0], n > 1 ? record[i][1] : 0, n > 2 ? record[i][2] : 0, 0};
  transpose(x);
  for (int k = 0; k < n; ++k) out[k] = x[k];
}
[[gnu::always_inline]] inline void store_few(const Four* in, int n, double* const (&record)[4]) {
  Four x[4]{};
  for (int k = 0; k < n; ++k) x[k] = in[k];
  transpose(x);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < n; ++k) record[i][k] = x[i][k];
}

/// n numbers of each lane, those of lane l at base + from[l].
[[gnu::always_inline]] inline void gather(const double* base, const int* from, int n, Wide* out) {
  const Records<const double> r(base, from);
  const auto load = [&](int k, int most) __attribute__((always_inline)) {
    Four x[kW / 4][4];
    for (int i = 0; i < kW / 4; ++i)
      most < 4 ? load_few(r.four[i], most, x[i]) : load4(r.four[i], k, x[i]);
    for (int q = 0; q < most; ++q) out[k + q] = joined(x, q);
  };
  if (n < 4) return load(0, n);
  for (int k = 0; k + 4 <= n; k += 4) load(k, 4);
  if (n % 4) load(n - 4, 4);
}

/// And back: lanes left over write once more what the last one does.
[[gnu::always_inline]] inline void scatter(const Wide* in, int n, double* base, const int* to) {
  const Records<double> r(base, to);
  const auto store = [&](int k, int most) __attribute__((always_inline)) {
    for (int i = 0; i < kW / 4; ++i) {
      Four x[4]{};
      for (int q = 0; q < most; ++q) x[q] = part_of(in[k + q], i);
      most < 4 ? store_few(x, most, r.four[i]) : store4(x, r.four[i], k);
    }
  };
  if (n < 4) return store(0, n);
  for (int k = 0; k + 4 <= n; k += 4) store(k, 4);
  if (n % 4) store(n - 4, 4);
}

constexpr int kMostUnknowns = 16;

/// Scratch of one thread.
struct Scratch {
  std::vector<double> numbers, masks;  // the column at work, or y; Masks
  std::vector<unsigned char> off;
  std::vector<int> block_at;
};
thread_local Scratch scratch;

/// Numbers aligned for Wide, and a Wide to spare behind them.
constexpr int kSpare = 2 * kW;
Wide* aligned(const std::vector<double>& v) {
  const auto address = reinterpret_cast<std::uintptr_t>(v.data());
  return reinterpret_cast<Wide*>(const_cast<double*>(v.data()) +
                                 (sizeof(Wide) - address % sizeof(Wide)) % sizeof(Wide) /
                                     sizeof(double));
}

/// One batch at work.
struct BatchAtWork {
  const Symbolic& s;
  const Batch& b;
  Wide* values;
  Wide* A = nullptr;             // the column at work, M numbers a row
  Mask* on = nullptr;            // of the rows of an island
  unsigned char* off = nullptr;  // of the rows: in some lane
  int* block_at = nullptr;  // first row of a block in the column at work, by the block's column
  bool all_on = true;

  const Symbolic::Column& column(int i) const { return s.columns[at(b.first + i)]; }
  const int* x_of(int i) const { return s.lane_at.data() + b.table + i * kW; }
  Wide* value_of(const Symbolic::Column& c) const { return values + c.value; }
  Wide* block_of(const Symbolic::Column& c) const {
    return values + c.value + 2 * (c.height - c.m) * c.m;
  }
  int local(int k) const { return k - b.first; }

  // ---- factor

  Islands::Outcome factor(const Islands::Given& given) {
    take_masks(given);
    Islands::Outcome out;
    Wide least = wide(1);
    const int* from = x_of(b.n);
    for (int i = 0; i < b.n; ++i)
      from = with_size(column(i).m,
                       [&]<int M>() { return factor_column<M>(i, from, given, out, least); });
    for (int l = 0; l < b.lanes; ++l) out.least_pivot = std::min(out.least_pivot, least[l]);
    return out;
  }

  void take_masks(const Islands::Given& given) {
    const auto& last = column(b.n - 1);
    if (given.all_active) return void(std::fill_n(on, last.y + last.m, ~Mask{}));
    all_on = true;
    for (int i = 0; i < b.n; ++i)
      with_size(column(i).m, [&]<int M>() {
        std::uint64_t of[kW] = {};  // 0 or 1 a byte
        for (int l = 0; l < kW; ++l) __builtin_memcpy(of + l, given.active + x_of(i)[l], M);
        Mask bytes;
        __builtin_memcpy(&bytes, of, sizeof bytes);
        for (int r = 0; r < M; ++r) {
          const Mask own = on[column(i).y + r] = -(bytes >> 8 * r & 1);
          all_on &= !(off[column(i).y + r] = any(~own));
        }
      });
  }

  template <int M>
  const int* factor_column(int i, const int* from, const Islands::Given& given, Islands::Outcome& o,
                           Wide& least) {
    const auto &c = column(i), &next = column(i + 1);
    std::fill_n(A, c.height * M, Wide{});
    for (int r = c.row; r < next.row; ++r) block_at[local(s.rows[at(r)].column)] = s.rows[at(r)].at;
    for (int j = c.own; j < next.own; ++j) {
      const auto& own = s.own[at(j)];
      const auto *to = s.targets.data() + own.target,
                 *end = s.targets.data() + s.own[at(j + 1)].target;
      from = own.form == MassForm::split && own.n == 6
                 ? assemble_split<M, 6>(to, end, from, given.system)
             : own.form == MassForm::split ? assemble_split<M, 12>(to, end, from, given.system)
                                           : assemble_dense<M>(own.n, own.form == MassForm::unit,
                                                               to, end, from, given.system);
    }
    Wide D[M], compliance[M];
    gather(given.system.compliance, x_of(i), M, compliance);
    Wide most{};
    for (int r = 0; r < M; ++r) most = A[r * M + r] > most ? A[r * M + r] : most;
    for (int r = 0; r < M; ++r) {
      const Wide part = A[r * M + r];
      const Mask still = (part < kImmovable * most) & (compliance[r] == 0);
      D[r] = still ? Wide{} : part + compliance[r];
    }
    scatter(D, M, given.D, x_of(i));
    if (!all_on) leave_out<M>(c, next);
    for (int l = c.link; l < next.link; ++l)
      with_size(s.columns[at(s.links[at(l)].column)].m,
                [&]<int K>() { update<M, K>(s.links[at(l)]); });
    finish<M>(i, D, compliance, given, o, least);
    return from;
  }

  /// As Factor::assemble; of the diagonal block the lower part.
  template <int M, int N>
  const int* assemble_split(const Symbolic::Target* to, const Symbolic::Target* end,
                            const int* from, const System& system) {
    Wide J[N * M], mass[10], P[M][N];
    gather(system.J, from, N * M, J);
    gather(system.inv_mass, from + kW, 10, mass);
    from += 2 * kW;
    unrolled<M>([&](int r) {
      const Wide* T = J + N * r;
      for (int k = 0; k < 3; ++k) {
        const Wide* W = mass + 1 + 3 * k;
        P[r][k] = mass[0] * T[k];
        for (int i = 3; i < N; i += 3)
          P[r][i + k] = W[0] * T[i] + W[1] * T[i + 1] + W[2] * T[i + 2];
      }
    });
    const auto add = [&](const Wide* of, int j, Wide& out) __attribute__((always_inline)) {
      out += total<N>([&](int k) -> Wide { return of[k] * P[j][k]; });
    };
    for (int r = 0; r < M; ++r)
      for (int j = 0; j <= r; ++j) add(J + N * r, j, A[r * M + j]);
    for (++to; to < end; ++to, from += kW) {
      Wide other[6 * N];
      gather(system.J, from, N * to->m, other);
      for (int r = 0; r < to->m; ++r)
        for (int j = 0; j < M; ++j) add(other + N * r, j, A[(to->at + r) * M + j]);
    }
    return from;
  }

  template <int M>
  const int* assemble_dense(int n, bool unit, const Symbolic::Target* to,
                            const Symbolic::Target* end, const int* from, const System& system) {
    Wide J[6 * kMostUnknowns], mass[kMostUnknowns * kMostUnknowns], P[M][kMostUnknowns];
    gather(system.J, from, n * M, J);
    if (!unit) gather(system.inv_mass, from + kW, n * n, mass);
    from += 2 * kW;
    const auto product = [&](const Wide* a, const Wide* p) {
      if (unit && n == 12) return total<12>([&](int k) -> Wide { return a[k] * p[k]; });
      Wide sum = a[0] * p[0];
      for (int k = 1; k < n; ++k) sum += a[k] * p[k];
      return sum;
    };
    for (int r = 0; r < M; ++r)
      for (int k = 0; k < n; ++k) P[r][k] = unit ? J[r * n + k] : product(mass + k * n, J + r * n);
    for (int r = 0; r < M; ++r)
      for (int j = 0; j <= r; ++j) A[r * M + j] += product(J + r * n, P[j]);
    for (++to; to < end; ++to, from += kW) {
      gather(system.J, from, n * to->m, J);
      for (int r = 0; r < to->m; ++r)
        for (int j = 0; j < M; ++j) A[(to->at + r) * M + j] += product(J + r * n, P[j]);
    }
    return from;
  }

  /// As Factor::leave_out; rows that are on in all lanes stay as they are.
  template <int M>
  void leave_out(const Symbolic::Column& c, const Symbolic::Column& next) {
    const auto keep = [](Mask m, Wide & x) __attribute__((always_inline)) {
      x = reinterpret_cast<Wide>(reinterpret_cast<Mask>(x) & m);
    };
    for (int i = c.row; i < next.row; ++i) {
      const auto& row = s.rows[at(i)];
      for (int r = 0; r < row.m; ++r)
        for (int j = 0; off[row.y + r] && j < M; ++j) keep(on[row.y + r], A[(row.at + r) * M + j]);
    }
    for (int j = 0; j < M; ++j) {
      if (!off[c.y + j]) continue;
      const Mask own = on[c.y + j];
      for (int r = 0; r < c.height; ++r) keep(own, A[r * M + j]);
      A[j * M + j] = own ? A[j * M + j] : wide(1);
    }
  }

  template <int M, int K>
  void update(const Symbolic::Link& link) {
    const auto& from = s.columns[at(link.column)];
    const auto *row = s.rows.data() + link.row,
               *end = s.rows.data() + s.columns[at(link.column + 1)].row;
    const Wide *V = value_of(from), *block = block_of(from), *V_j = V + (row->at - K) * K;
    Wide T[K][M];
    unrolled<K>([&](int k) {
      for (int j = 0; j < M; ++j) T[k][j] = V_j[k * M + j] * block[triangle(k, k)];
    });
    const auto subtract = [&](const Wide* of, int m, int j, Wide& out)
        __attribute__((always_inline)) {
      out -= total<K>([&](int k) -> Wide { return of[k * m] * T[k][j]; });
    };
    for (int r = 0; r < M; ++r)
      for (int j = 0; j <= r; ++j) subtract(V_j + r, M, j, A[r * M + j]);
    for (++row; row != end; ++row) {
      Wide* out = A + block_at[local(row->column)] * M;
      for (int r = 0; r < row->m; ++r)
        for (int j = 0; j < M; ++j) subtract(V + (row->at - K) * K + r, row->m, j, out[r * M + j]);
    }
  }

  template <int M>
  void finish(int i, const Wide* D, const Wide* compliance, const Islands::Given& given,
              Islands::Outcome& o, Wide& least) {
    const auto &c = column(i), &next = column(i + 1);
    const Mask* own = on + c.y;
    Wide B[M][M];
    unrolled<M>([&](auto row) {
      constexpr int r = decltype(row)::value;
      unrolled<r + 1>([&](int j) { B[r][j] = A[r * M + j]; });
      const Wide shift = compliance[r] + given.eps * D[r];
      B[r][r] += own[r] ? shift : Wide{};
    });
    Mask bad[M], worst{};
    kernel::factor_block<M>(
        B, [&](int r, Wide& d) __attribute__((always_inline)) {
          worst |= bad[r] = own[r] & ~accept_pivots(d, own[r], D[r], given, least);
          return true;
        });
    for (int r = 0; any(worst) && r < M; ++r) record_failure(i, r, bad[r], o);
    Wide* block = block_of(c);
    unrolled<M>([&](auto row) {
      constexpr int r = decltype(row)::value;
      unrolled<r + 1>([&](int j) { block[triangle(r, j)] = B[r][j]; });
    });
    if (c.height > M) below<M>(c, next, B);
  }

  /// V = A L^-T and G = V (1 / d) L^-1.
  template <int M>
  void below(const Symbolic::Column& c, const Symbolic::Column& next, const Wide (&B)[M][M]) {
    Wide scaled[M][M];
    unrolled<M>([&](auto row) {
      constexpr int q = decltype(row)::value;
      unrolled<q>([&](int j) { scaled[q][j] = B[q][j] * B[q][q]; });
      scaled[q][q] = B[q][q];
    });
    Wide *V = value_of(c), *G = V + (c.height - M) * M;
    for (int i = c.row + 1; i < next.row; ++i) {
      const auto& row = s.rows[at(i)];
      for (int r = 0; r < row.m; ++r, G += M) {
        const Wide* a = A + (row.at + r) * M;
        Wide v[M];
        unrolled<M>([&](auto column) {
          constexpr int j = decltype(column)::value;
          v[j] = part<M, 0, j + 1>([&](int k) -> Wide { return k == j ? a[k] : a[k] * B[j][k]; });
          V[j * row.m + r] = v[j];
        });
        unrolled<M>([&](auto column) {
          constexpr int j = decltype(column)::value;
          G[j] = part<M, j, M>([&](int k) -> Wide { return v[k] * scaled[k][j]; });
        });
      }
      V += row.m * M;
    }
  }

  /// As Factor::accept_pivot; where it is good.
  [[gnu::always_inline]] static Mask accept_pivots(Wide& d, Mask own, Wide D,
                                                   const Islands::Given& given, Wide& least) {
    const Mask less = own & (D > 0) & (d < least * D);
    if (any(less)) least = less ? d / D : least;
    const Wide bottom = std::max(given.eps, kPivotRounding) * D;
    const Wide infinite = wide(std::numeric_limits<double>::infinity());
    const Mask plain =
        (D > 0) & (d > 0) & (d >= bottom / 2) & (d >= given.drop * D) & (d < infinite);
    if (!any(own & ~plain)) return ~Mask{};
    const Mask drop = own & ((d < given.drop * D) | (D == 0));  // immovable: as in Factor
    const Mask low = own & ~drop & (d < bottom / 2) & (d > -1e-6 * D);
    d = low ? bottom : d;
    d = drop ? infinite : d;
    return drop | ((d > 0) & (d < infinite));
  }

  void record_failure(int i, int r, Mask bad, Islands::Outcome& o) const {
    for (int l = 0; l < b.lanes; ++l) {
      const int k = b.first + l * b.n + i;
      if (bad[l] && (o.failed < 0 || k < o.failed_column))
        o.failed_column = k, o.failed = x_of(i)[l] + r;
    }
  }

  // ---- solve

  template <int M>
  void forward(int i, Wide* y) const {
    const auto &c = column(i), &next = column(i + 1);
    const Wide* block = block_of(c);
    Wide *z = y + c.y, w[M];
    unrolled<M>([&](auto row) {
      constexpr int r = decltype(row)::value;
      Wide sum = z[r];
      if constexpr (r > 0)
        sum += part<M - 1, 0, r>([&](int k) -> Wide { return block[triangle(r, k)] * z[k]; });
      w[r] = sum * block[triangle(r, r)];
    });
    unrolled<M>([&](int r) { z[r] = w[r]; });
    const Wide* V = value_of(c);
    for (int k = c.row + 1; k < next.row; ++k) {
      const auto& row = s.rows[at(k)];
      for (int r = 0; r < row.m; ++r)
        y[row.y + r] -= total<M>([&](int q) -> Wide { return V[q * row.m + r] * w[q]; });
      V += row.m * M;
    }
  }

  template <int M>
  void backward(int i, Wide* y) const {
    const auto &c = column(i), &next = column(i + 1);
    const Wide* block = block_of(c);
    Wide *z = y + c.y, sum[M];
    unrolled<M>([&](auto row) {
      constexpr int r = decltype(row)::value;
      sum[r] = z[r];
      if constexpr (r + 1 < M)
        sum[r] += part<M - 1, r, M - 1>(
            [&](int k) -> Wide { return block[triangle(k + 1, r)] * z[k + 1]; });
    });
    const Wide* G = value_of(c) + (c.height - M) * M;
    for (int k = c.row + 1; k < next.row; ++k) {
      const auto& row = s.rows[at(k)];
      const Wide* above = y + row.y;
      with_size(row.m, [&]<int R>() {
        unrolled<M>([&](int j) {
          sum[j] -= total<R>([&](int r) -> Wide { return G[r * M + j] * above[r]; });
        });
      });
      G += row.m * M;
    }
    unrolled<M>([&](int r) { z[r] = sum[r]; });
  }

  void solve(Wide* y, double* x) const {
    for (int i = 0; i < b.n; ++i)
      with_size(column(i).m, [&]<int M>() { gather(x, x_of(i), M, y + column(i).y); });
    for (int i = 0; i < b.n; ++i) with_size(column(i).m, [&]<int M>() { forward<M>(i, y); });
    for (int i = b.n; i-- > 0;) with_size(column(i).m, [&]<int M>() { backward<M>(i, y); });
    for (int i = 0; i < b.n; ++i)
      with_size(column(i).m, [&]<int M>() { scatter(y + column(i).y, M, x, x_of(i)); });
  }
};

int rows_of(const Symbolic& s, const Batch& b) {
  const auto& last = s.columns[at(b.first + b.n - 1)];
  return last.y + last.m;
}

Scratch& sized(const Symbolic& s, const Batch& b) {
  const auto fit = [](auto& v, int n) {
    if (v.size() < at(n)) v.resize(at(n));
  };
  fit(scratch.block_at, b.n);
  fit(scratch.off, rows_of(s, b));
  fit(scratch.masks, rows_of(s, b) * kW + kSpare);
  fit(scratch.numbers, std::max(6 * s.tallest, rows_of(s, b)) * kW + kSpare);
  return scratch;
}

}  // namespace

Islands::Islands(const Symbolic& symbolic, double task_flops) : s_(symbolic) {
  const std::size_t n = symbolic.batches.size();
  outcomes_.resize(n);
  values_.resize(static_cast<std::size_t>(symbolic.batch_values) * kW + kSpare * (n > 0));
  if (n > 0) {
    const double flops = symbolic.batch_flops / static_cast<double>(n);
    grain_ = 1 + static_cast<int>(task_flops / flops);
  }
}

Islands::Outcome Islands::factor(const Given& given) {
  Wide* values = aligned(values_);
  parallel::for_pieces(static_cast<int>(outcomes_.size()), grain_, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const Batch& b = s_.batches[at(i)];
      Scratch& mine = sized(s_, b);
      auto* masks = reinterpret_cast<Mask*>(aligned(mine.masks));
      BatchAtWork work{s_,
                       b,
                       values + b.value,
                       aligned(mine.numbers),
                       masks,
                       mine.off.data(),
                       mine.block_at.data()};
      outcomes_[at(i)] = work.factor(given);
    }
  });
  Outcome out;
  for (const Outcome& o : outcomes_) out.join(o);
  return out;
}

void Islands::solve(double* x) const {
  Wide* values = aligned(values_);
  parallel::for_pieces(static_cast<int>(outcomes_.size()), grain_, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const Batch& b = s_.batches[at(i)];
      const BatchAtWork work{s_, b, values + b.value};
      work.solve(aligned(sized(s_, b).numbers), x);
    }
  });
}

}  // namespace trammel::solve
