#pragma once

/// Four numbers at once, or eight where the machine has registers for them, one a lane, as the
/// compilers know them (g++ and clang alike). Wider vectors than the machine's would change how
/// functions are called.
/// What a lane gives never depends on the others: an operation is done in each as it would be
/// alone.
namespace trammel {

typedef double Four __attribute__((vector_size(32)));

inline Four four(double x) { return Four{x, x, x, x}; }
template <class V>
V all_lanes(double x) {
  return x - V{};
}
#if defined(__AVX512F__)
typedef double Eight __attribute__((vector_size(64)));
inline Four low(const Eight& x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3); }
inline Four high(const Eight& x) { return __builtin_shufflevector(x, x, 4, 5, 6, 7); }
inline Eight both(const Four& low, const Four& high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
#endif
/// Reduces the mask that a comparison of lanes gives.
template <class Mask>
inline bool all(const Mask& m) {
  if constexpr (sizeof(m) == 2 * sizeof(Four))
    return all(__builtin_shufflevector(m, m, 0, 1, 2, 3) &
               __builtin_shufflevector(m, m, 4, 5, 6, 7));
  else
    return (m[0] & m[1] & m[2] & m[3]) != 0;
}

template <class V>
struct LanesVec3 {
  V x, y, z;
};
template <class V>
inline LanesVec3<V> operator+(const LanesVec3<V>& a, const LanesVec3<V>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class V>
inline LanesVec3<V> operator-(const LanesVec3<V>& a, const LanesVec3<V>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class V>
inline LanesVec3<V> operator*(V k, const LanesVec3<V>& a) {
  return {k * a.x, k * a.y, k * a.z};
}
template <class V>
inline V dot(const LanesVec3<V>& a, const LanesVec3<V>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class V>
inline LanesVec3<V> cross(const LanesVec3<V>& a, const LanesVec3<V>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class V>
struct LanesMat3 {
  LanesVec3<V> c0, c1, c2;  // columns
};
template <class V>
inline LanesVec3<V> operator*(const LanesMat3<V>& m, const LanesVec3<V>& v) {
  return v.x * m.c0 + v.y * m.c1 + v.z * m.c2;
}

/// m^-1 b, by Cramer's rule.
template <class V>
inline LanesVec3<V> inverse_times(const LanesMat3<V>& m, const LanesVec3<V>& b) {
  const LanesVec3<V> n = cross(m.c1, m.c2);
  const LanesVec3<V> bc2 = cross(b, m.c2), c1b = cross(m.c1, b);
  const V inverse = 1 / dot(m.c0, n);
  return {inverse * dot(b, n), inverse * dot(m.c0, bc2), inverse * dot(m.c0, c1b)};
}

template <class V>
struct LanesQuat {
  V w;
  LanesVec3<V> v;
};
template <class V>
inline LanesQuat<V> operator*(const LanesQuat<V>& a, const LanesQuat<V>& b) {
  return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
/// R^T x of the unit quaternion's R.
template <class V>
inline LanesVec3<V> rotate_back(const LanesQuat<V>& q, const LanesVec3<V>& x) {
  const LanesVec3<V> t = all_lanes<V>(2) * cross(x, q.v);
  return x + q.w * t + cross(t, q.v);
}

using FourVec3 = LanesVec3<Four>;
using FourMat3 = LanesMat3<Four>;

/// Four numbers of a record, at any address.
typedef double FourOfRecord __attribute__((vector_size(32), aligned(8), may_alias));

/// Number i of lane k becomes number k of lane i.
inline void transpose(Four (&x)[4]) {
  const Four a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6),
             b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7),
             c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6),
             d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/// Numbers k to k + 3 of four records, a lane each; and back.
[[gnu::always_inline]] inline void load4(const double* const (&record)[4], int k, Four* out) {
  Four x[4];
  for (int i = 0; i < 4; ++i) x[i] = *reinterpret_cast<const FourOfRecord*>(record[i] + k);
  transpose(x);
  for (int i = 0; i < 4; ++i) out[i] = x[i];
}
[[gnu::always_inline]] inline void store4(const Four* in, double* const (&record)[4], int k) {
  Four x[4]{in[0], in[1], in[2], in[3]};
  transpose(x);
  for (int i = 0; i < 4; ++i) *reinterpret_cast<FourOfRecord*>(record[i] + k) = x[i];
}

}  // namespace trammel
