#pragma once

#include <utility>

/// The inner loops of the factor and its solves, for columns of M = 1..6 numbers a row; M or N = 0:
/// the size is the argument. A row of a block is held in lanes, added and multiplied at once.
namespace trammel::solve::kernel {

template <int M>
inline constexpr int kLanes = M <= 2   ? 2
                              : M <= 4 ? 4
                                       : 8;

/// Vectors as the compilers know them (g++ and clang alike), at any address.
template <int L>
struct Vector;
template <>
struct Vector<2> {
  typedef double type __attribute__((vector_size(16), aligned(8), may_alias));
};
template <>
struct Vector<4> {
  typedef double type __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct Vector<8> {
  typedef double type __attribute__((vector_size(64), aligned(8), may_alias));
};
template <int M>
using Lanes = typename Vector<kLanes<M>>::type;

/// f(0), ..., f(N - 1) written out.
template <int N, class F>
[[gnu::always_inline]] inline void unrolled(const F& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) { (f(i), ...); }
  (std::make_integer_sequence<int, N>());
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
template <int M>
inline void project_split(const double* J, const double* mass, Lanes<M>* P) {
  Lanes<M> T[6];
  transpose<M, 6>(J, T);
  for (int c = 0; c < 3; ++c) {
    const double* W = mass + 1 + 3 * c;
    P[c] = mass[0] * T[c];
    P[3 + c] = W[0] * T[3] + W[1] * T[4] + W[2] * T[5];
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
    Lanes<M> sum = J[0] * P[0];
    if constexpr (N > 0)
      unrolled<N - 1>([&](int k) { sum += J[k + 1] * P[k + 1]; });
    else
      for (int k = 1; k < n; ++k) sum += J[k] * P[k];
    out[r] += sum;
  }
}

/// T = (V / d)^T for a block V with M rows of an earlier column whose diagonal block is D: its
/// diagonal holds 1 / d.
template <int M, int K>
inline void scale(const double* V, const double* D, Lanes<M>* T) {
  for (int k = 0; k < K; ++k)
    T[k] = lanes_of<M>([&](int c) { return V[c * K + k]; }) * D[k * K + k];
}

/// out -= V T, V with m rows of K numbers.
template <int M, int K>
inline void subtract_product(const double* V, int m, const Lanes<M>* T, Lanes<M>* out) {
  for (int r = 0; r < m; ++r, V += K) {
    Lanes<M> sum = V[0] * T[0];
    unrolled<K - 1>([&](int k) { sum += V[k + 1] * T[k + 1]; });
    out[r] -= sum;
  }
}

/// Pivots of A (m x m, lower part): A = L diag(d) L^T. Leaves L^-1 below the diagonal, 1 / d on it.
/// accept(r, d) may alter a pivot and returns false if it is no good; then so does this.
template <int M, class Accept>
inline bool factor_block(double* A, const Accept& accept, int size) {
  const int m = M > 0 ? M : size;
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
  for (int i = 1; i < m; ++i)  // row i of L^-1 from the rows above
    for (int j = 0; j < i; ++j) {
      double sum = A[i * m + j];
      for (int k = j + 1; k < i; ++k) sum += A[i * m + k] * A[k * m + j];
      A[i * m + j] = -sum;
    }
  return true;
}

/// out = L^-1 x, L^-1 as left by factor_block; out may be x.
template <int M>
inline void lower(const double* L, const double* x, double* out, int size) {
  const int m = M > 0 ? M : size;
  for (int i = m - 1; i >= 0; --i) {
    double sum = x[i];
    for (int k = 0; k < i; ++k) sum += L[i * m + k] * x[k];
    out[i] = sum;
  }
}

/// x = L^-T x.
template <int M>
inline void upper(const double* L, double* x, int size) {
  const int m = M > 0 ? M : size;
  for (int i = 0; i < m; ++i)
    for (int k = i + 1; k < m; ++k) x[i] += L[k * m + i] * x[k];
}

/// y -= V z, V with rows rows.
template <int M>
inline void subtract(const double* V, int rows, const double* z, double* y, int size) {
  const int m = M > 0 ? M : size;
  for (int r = 0; r < rows; ++r, V += m) {
    double sum = 0;
    for (int k = 0; k < m; ++k) sum += V[k] * z[k];
    y[r] -= sum;
  }
}

/// z += V^T y.
template <int M>
inline void add_transposed(const double* V, int rows, const double* y, double* z, int size) {
  const int m = M > 0 ? M : size;
  for (int r = 0; r < rows; ++r, V += m)
    for (int k = 0; k < m; ++k) z[k] += V[k] * y[r];
}

}  // namespace trammel::solve::kernel
