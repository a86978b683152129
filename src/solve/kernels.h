#pragma once

#include <utility>

/// The inner loops of the factor and its solves, for columns of M = 1..6 numbers a row; M or N = 0:
/// the size is the argument. A row of a block is held in lanes, added and multiplied at once.
namespace trammel::solve::kernel {

template <int M>
inline constexpr int kLanes = M <= 2   ? 2
                              : M <= 4 ? 4
                                       : 8;

constexpr int lanes(int m) { return m > 6 ? m : m > 4 ? 8 : m > 2 ? 4 : 2; }

/// Vectors as the compilers know them (g++ and clang alike).
template <int L>
struct Vector;
template <>
struct Vector<2> {
  typedef double type __attribute__((vector_size(16), may_alias));
};
template <>
struct Vector<4> {
  typedef double type __attribute__((vector_size(32), may_alias));
};
#if defined(__AVX512F__)
template <>
struct Vector<8> {
  typedef double type __attribute__((vector_size(64), may_alias));
};
#else
/// Eight lanes in two registers, where the machine has none so wide: a vector would change how
/// functions are called. Each lane comes about by the same operations.
struct [[gnu::may_alias]] Pair {
  typedef Vector<4>::type Half;
  Half low, high;

  Pair() = default;
  Pair(const Half& a, const Half& b) : low(a), high(b) {}
  Pair(double a, double b, double c, double d, double e, double f, double g, double h)
      : low{a, b, c, d}, high{e, f, g, h} {}
  double operator[](int k) const { return k < 4 ? low[k] : high[k - 4]; }
  Pair& operator+=(const Pair& x) { return *this = {low + x.low, high + x.high}; }
  Pair& operator-=(const Pair& x) { return *this = {low - x.low, high - x.high}; }
};
inline Pair operator+(const Pair& a, const Pair& b) { return {a.low + b.low, a.high + b.high}; }
inline Pair operator-(const Pair& a, const Pair& b) { return {a.low - b.low, a.high - b.high}; }
inline Pair operator*(const Pair& a, const Pair& b) { return {a.low * b.low, a.high * b.high}; }
inline Pair operator*(double k, const Pair& a) { return {k * a.low, k * a.high}; }
inline Pair operator*(const Pair& a, double k) { return {a.low * k, a.high * k}; }
template <>
struct Vector<8> {
  using type = Pair;
};
#endif
template <int M>
using Lanes = typename Vector<kLanes<M>>::type;

template <int L>
using Packed = typename Vector<L>::type;

/// Lanes at any address: by copy, since templates forget of a type that it may lie anywhere. A Pair
/// is copied half by half: as a whole it would go through memory in parts smaller than those in
/// which it is then read, for which the processor waits.
template <class V>
[[gnu::always_inline]] inline V lanes_at(const double* from) {
  V v;
  if constexpr (requires { v.low; }) {
    __builtin_memcpy(&v.low, from, sizeof v.low);
    __builtin_memcpy(&v.high, from + 4, sizeof v.high);
  } else {
    __builtin_memcpy(&v, from, sizeof v);
  }
  return v;
}
template <class V>
[[gnu::always_inline]] inline void put_lanes(V v, double* to) {
  if constexpr (requires { v.low; }) {
    __builtin_memcpy(to, &v.low, sizeof v.low);
    __builtin_memcpy(to + 4, &v.high, sizeof v.high);
  } else {
    __builtin_memcpy(to, &v, sizeof v);
  }
}

/// f(0), ..., f(N - 1) written out.
template <int N, class F>
[[gnu::always_inline]] inline void unrolled(const F& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, i>{}), ...);
  }
  (std::make_integer_sequence<int, N>());
}

/// f(First) + ... + f(First + N - 1), in pairs: as few additions as can be wait for each other.
template <int N, int First = 0, class F>
[[gnu::always_inline]] inline auto total(const F& f) {
  if constexpr (N == 1)
    return f(First);
  else
    return total<(N + 1) / 2, First>(f) + total<N / 2, First + (N + 1) / 2>(f);
}

/// Lanes f(0), ..., f(M - 1), then zeros: made at once, as lanes written one by one go through
/// memory.
template <int M, class F>
[[gnu::always_inline]] inline Lanes<M> lanes_of(const F& f) {
  return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    return Lanes<M>{(i < M ? f(i) : 0.)...};
  }
  (std::make_integer_sequence<int, kLanes<M>>());
}

/// T = J^T, J of one end, M x n: lanes are the rows of J.
template <int M, int N>
inline void transpose(const double* J, Lanes<M>* T, int n = N) {
  for (int c = 0; c < n; ++c) T[c] = lanes_of<M>([&](int r) { return J[r * n + c]; });
}

/// P = M^-1 J^T of a split block.
template <int M, int N>
inline void project_split(const double* J, const double* mass, Lanes<M>* P) {
  Lanes<M> T[N];
  transpose<M, N>(J, T);
  for (int c = 0; c < 3; ++c) {
    const double* W = mass + 1 + 3 * c;
    P[c] = mass[0] * T[c];
    for (int k = 3; k < N; k += 3) P[k + c] = W[0] * T[k] + W[1] * T[k + 1] + W[2] * T[k + 2];
  }
}

/// P = M^-1 J^T of a dense block; T is scratch of the size of P.
template <int M>
inline void project_dense(const double* J, const double* mass, int n, Lanes<M>* T, Lanes<M>* P) {
  transpose<M, 0>(J, T, n);
  for (int c = 0; c < n; ++c) {
    P[c] = mass[c * n] * T[0];
    for (int k = 1; k < n; ++k) P[c] += mass[c * n + k] * T[k];
  }
}

/// out += J P, J with m rows, P with n.
template <int M, int N>
inline void add_product(const double* J, int m, const Lanes<M>* P, Lanes<M>* out, int n = N) {
  for (int r = 0; r < m; ++r, J += n) {
    if constexpr (N > 0) {
      out[r] += total<N>([&](int k) -> Lanes<M> { return J[k] * P[k]; });
    } else {
      Lanes<M> sum = J[0] * P[0];
      for (int k = 1; k < n; ++k) sum += J[k] * P[k];
      out[r] += sum;
    }
  }
}

/// Lanes from memory, and to it: no number beyond the M is written, those read there do not matter.
template <int M>
[[gnu::always_inline]] inline Lanes<M> load(const double* from) {
  return lanes_at<Lanes<M>>(from);
}
template <int M>
[[gnu::always_inline]] inline void store(const Lanes<M>& v, double* to) {
  if constexpr (M == kLanes<M>) {
    put_lanes(v, to);
  } else if constexpr (M == 1) {
    *to = v[0];
  } else if constexpr (M == 3) {
    put_lanes(Packed<2>{v[0], v[1]}, to);
    to[2] = v[2];
  } else {
    put_lanes(Packed<4>{v[0], v[1], v[2], v[3]}, to);
    to[4] = v[4];
    if constexpr (M == 6) to[5] = v[5];
  }
}

/// Lane k of v in all lanes; not by way of memory, which has to wait for the write.
template <int L, int M>
[[gnu::always_inline]] inline Packed<L> spread(const Lanes<M>& v, int k) {
#if defined(__AVX512F__) && !defined(__clang__)
  if constexpr (kLanes<M> >= L) {
    typedef long long Index __attribute__((vector_size(sizeof(v))));
    const Lanes<M> all = __builtin_shuffle(v, Index{} + k);
    Packed<L> out;
    __builtin_memcpy(&out, &all, sizeof(out));
    return out;
  }
#endif
  return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    return Packed<L>{(void(i), v[k])...};
  }
  (std::make_integer_sequence<int, L>());
}

/// The lanes of v from First to Last - 1, zeros elsewhere.
template <int First, int Last, class V>
[[gnu::always_inline]] inline V lanes_between(const V& v) {
  typedef long long Mask __attribute__((vector_size(sizeof(v)), may_alias));
  const Mask keep = [&]<int... i>(std::integer_sequence<int, i...>) {
    return Mask{(i >= First && i < Last ? -1ll : 0ll)...};
  }
  (std::make_integer_sequence<int, sizeof(V) / sizeof(double)>());
  return reinterpret_cast<V>(reinterpret_cast<Mask>(v) & keep);
}
template <int M, int First, int Last>
[[gnu::always_inline]] inline Lanes<M> between(const Lanes<M>& v) {
  if constexpr (requires { v.low; })
    return {lanes_between<First, Last>(v.low), lanes_between<First - 4, Last - 4>(v.high)};
  else
    return lanes_between<First, Last>(v);
}

/// out -= V T, V^T with rows of m numbers at V, T with K rows.
template <int M, int K>
inline void subtract_product(const double* V, int m, const Lanes<M>* T, Lanes<M>* out) {
  for (int r = 0; r < m; ++r)
    out[r] -= total<K>([&](int k) -> Lanes<M> { return V[k * m + r] * T[k]; });
}

/// Lower part of A: A = L diag(d) L^T. Leaves L^-1 below the diagonal, 1 / d on it. accept(r, d)
/// may alter a pivot and returns false if it is no good; then so does this. T: double, or lanes.
template <int M, class T, class Accept>
[[gnu::always_inline]] inline bool factor_block(T (&A)[M][M], const Accept& accept) {
  bool good = true;
  unrolled<M>([&](auto step) {
    constexpr int j = decltype(step)::value;
    good = good && accept(j, A[j][j]);
    const T inverse = 1 / A[j][j];  // next to it, what waits for it is least
    unrolled<M - 1 - j>([&](auto below) {
      constexpr int i = j + 1 + decltype(below)::value;
      unrolled<i - j>([&](int k) { A[i][j + 1 + k] -= A[i][j] * A[j + 1 + k][j] * inverse; });
    });
    unrolled<M - 1 - j>([&](int i) { A[j + 1 + i][j] *= inverse; });
    A[j][j] = inverse;
  });
  unrolled<M>([&](auto row) {  // row i of L^-1 from the rows above
    constexpr int i = decltype(row)::value;
    unrolled<i>([&](auto column) {
      constexpr int j = decltype(column)::value;
      T sum = A[i][j];
      unrolled<i - j - 1>([&](int k) { sum += A[i][j + 1 + k] * A[j + 1 + k][j]; });
      A[i][j] = -sum;
    });
  });
  return good;
}

/// The same of any size.
template <class Accept>
inline bool factor_any(double* A, const Accept& accept, int m) {
  for (int j = 0; j < m; ++j) {
    double d = A[j * m + j];
    if (!accept(j, d)) return false;
    const double inverse = 1 / d;
    for (int i = j + 1; i < m; ++i) {
      const double l = A[i * m + j] * inverse;
      for (int k = j + 1; k <= i; ++k) A[i * m + k] -= l * A[k * m + j];
    }
    for (int i = j + 1; i < m; ++i) A[i * m + j] *= inverse;
    A[j * m + j] = inverse;
  }
  for (int i = 1; i < m; ++i)
    for (int j = 0; j < i; ++j) {
      double sum = A[i * m + j];
      for (int k = j + 1; k < i; ++k) sum += A[i * m + k] * A[k * m + j];
      A[i * m + j] = -sum;
    }
  for (int i = 1; i < m; ++i)
    for (int j = 0; j < i; ++j) A[j * m + i] = A[i * m + j];
  return true;
}

/// L^-1 in lanes.
template <int M>
struct Block {
  Lanes<M> row[M], column[M];
  Lanes<M> inverse;  // 1 / d
};

/// From what factor_block leaves, which is also kept: L^-1 and its transpose in the two halves of a
/// square, 1 / d on its diagonal.
template <int M>
[[gnu::always_inline]] inline Block<M> keep(const double (&A)[M][M], double* out) {
  Block<M> b;
  b.inverse = lanes_of<M>([&](int i) { return A[i][i]; });
  unrolled<M>([&](auto of) {
    constexpr int k = decltype(of)::value;
    const auto square = lanes_of<M>([&](int i) { return i < k ? A[k][i] : A[i][k]; });
    const auto one = lanes_of<M>([&](int i) { return i == k ? 1. : 0.; });
    b.row[k] = between<M, 0, k>(square) + one;
    b.column[k] = between<M, k + 1, M>(square) + one;
    store<M>(square, out + k * M);
  });
  return b;
}

/// Rows of V = A L^-T over those of A.
template <int M>
[[gnu::always_inline]] inline void lower(const Block<M>& b, Lanes<M>* row) {
  const double* a = reinterpret_cast<const double*>(row);
  *row = total<M>([&](int k) -> Lanes<M> { return a[k] * b.column[k]; });
}

/// A row of V diag(1 / d) L^-1, scaled: the rows of diag(1 / d) L^-1.
template <int M>
[[gnu::always_inline]] inline Lanes<M> upper(const Lanes<M>* scaled, const double* v) {
  return total<M>([&](int k) -> Lanes<M> { return v[k] * scaled[k]; });
}

template <int M>
[[gnu::always_inline]] inline Lanes<M> diagonal(const double* block) {
  return lanes_of<M>([&](int k) { return block[k * (M + 1)]; });
}

/// diag(1 / d) L^-1 z.
template <int M>
[[gnu::always_inline]] inline Lanes<M> forward(const double* block, const double* z) {
  Lanes<M> w = load<M>(z);
  if constexpr (M > 1)
    w += [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
      const Lanes<M> terms[] = {(between<M, k + 1, M>(load<M>(block + k * M)) * z[k])...};
      return total<M - 1>([&](int i) -> Lanes<M> { return terms[i]; });
    }
  (std::make_integer_sequence<int, M - 1>());
  return w * diagonal<M>(block);
}

/// L^-T w.
template <int M>
[[gnu::always_inline]] inline Lanes<M> backward(const double* block, const double* w) {
  Lanes<M> z = load<M>(w);
  if constexpr (M > 1)
    z += [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
      const Lanes<M> terms[] = {(between<M, 0, k + 1>(load<M>(block + (k + 1) * M)) * w[k + 1])...};
      return total<M - 1>([&](int i) -> Lanes<M> { return terms[i]; });
    }
  (std::make_integer_sequence<int, M - 1>());
  return z;
}

/// Compute L^-1 z (not divided by d) and L^-T z in place, of any size.
inline void forward_any(const double* L, double* z, int m) {
  for (int i = m - 1; i > 0; --i)
    for (int k = 0; k < i; ++k) z[i] += L[i * m + k] * z[k];
}
inline void backward_any(const double* L, double* z, int m) {
  for (int i = 0; i < m; ++i)
    for (int k = i + 1; k < m; ++k) z[i] += L[k * m + i] * z[k];
}

/// y -= V w, V^T with rows of `rows` numbers at V; y in lanes.
template <int K, int L>
[[gnu::always_inline]] inline void subtract_lanes(const double* V, int rows, const Lanes<K>& w,
                                                  double* y) {
  const Packed<L> sum = total<K>(
      [&](int k) -> Packed<L> { return lanes_at<Packed<L>>(V + k * rows) * spread<L, K>(w, k); });
  put_lanes(lanes_at<Packed<L>>(y) - sum, y);
}

inline void subtract_any(const double* V, int rows, const double* w, double* y, int m) {
  for (int k = 0; k < m; ++k)
    for (int r = 0; r < rows; ++r) y[r] -= V[k * rows + r] * w[k];
}

template <int K>
[[gnu::always_inline]] inline void subtract(const double* V, int rows, const Lanes<K>& w,
                                            double* y) {
  if (rows <= 2) return subtract_lanes<K, 2>(V, rows, w, y);
  if (rows <= 4) return subtract_lanes<K, 4>(V, rows, w, y);
  if (rows <= 6) return subtract_lanes<K, 8>(V, rows, w, y);
  double numbers[kLanes<K>];
  put_lanes(w, numbers);
  subtract_any(V, rows, numbers, y, K);
}

/// sum -= G^T y, rows of G in lanes of M.
template <int M>
[[gnu::always_inline]] inline void subtract_transposed(const double* G, int rows, const double* y,
                                                       Lanes<M>& sum) {
  const auto of = [&]<int R>() __attribute__((always_inline)) {
    sum -= total<R>([&](int r) -> Lanes<M> { return load<M>(G + r * M) * y[r]; });
  };
  switch (rows) {
    case 1:
      return of.template operator()<1>();
    case 2:
      return of.template operator()<2>();
    case 3:
      return of.template operator()<3>();
    case 4:
      return of.template operator()<4>();
    case 5:
      return of.template operator()<5>();
    case 6:
      return of.template operator()<6>();
    default:
      for (int r = 0; r < rows; ++r) sum -= load<M>(G + r * M) * y[r];
  }
}

/// M rows of K numbers, `stride` apart, as K rows of m = M numbers; M = 0: of `rows`.
template <int M, int K>
[[gnu::always_inline]] inline void transposed(const double* from, int stride, double* to,
                                              int rows) {
  for (int k = 0; k < K; ++k) {
    if constexpr (M > 0)
      store<M>(lanes_of<M>([&](int r) { return from[r * stride + k]; }), to + k * M);
    else
      for (int r = 0; r < rows; ++r) to[k * rows + r] = from[r * stride + k];
  }
}

}  // namespace trammel::solve::kernel
