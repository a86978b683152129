#pragma once

/// Four numbers at once, one a lane, as the compilers know them (g++ and clang alike). What a lane
/// gives never depends on the others: an operation is done in each as it would be alone.
namespace trammel {

typedef double Four __attribute__((vector_size(32)));
typedef long long FourMask __attribute__((vector_size(32)));  // -1: yes, 0: no

inline Four four(double x) { return Four{x, x, x, x}; }
inline Four select(FourMask yes, Four a, Four b) { return yes ? a : b; }
inline bool all(FourMask m) { return (m[0] & m[1] & m[2] & m[3]) != 0; }

struct FourVec3 {
  Four x, y, z;
};
inline FourVec3 operator+(const FourVec3& a, const FourVec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline FourVec3 operator-(const FourVec3& a, const FourVec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline FourVec3 operator*(Four k, const FourVec3& a) { return {k * a.x, k * a.y, k * a.z}; }
inline Four dot(const FourVec3& a, const FourVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline FourVec3 cross(const FourVec3& a, const FourVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct FourMat3 {
  FourVec3 c0, c1, c2;  // columns
};
inline FourVec3 operator*(const FourMat3& m, const FourVec3& v) {
  return v.x * m.c0 + v.y * m.c1 + v.z * m.c2;
}

/// m^-1 b, by Cramer's rule.
inline FourVec3 inverse_times(const FourMat3& m, const FourVec3& b) {
  const FourVec3 n = cross(m.c1, m.c2);
  const FourVec3 bc2 = cross(b, m.c2), c1b = cross(m.c1, b);
  const Four inverse = 1 / dot(m.c0, n);
  return {inverse * dot(b, n), inverse * dot(m.c0, bc2), inverse * dot(m.c0, c1b)};
}

struct FourQuat {
  Four w;
  FourVec3 v;
};
inline FourQuat operator*(const FourQuat& a, const FourQuat& b) {
  return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
/// R^T x of the unit quaternion's R.
inline FourVec3 rotate_back(const FourQuat& q, const FourVec3& x) {
  const FourVec3 t = four(2) * cross(x, q.v);
  return x + q.w * t + cross(t, q.v);
}

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
inline void load4(const double* const (&record)[4], int k, Four* out) {
  Four x[4];
  for (int i = 0; i < 4; ++i) x[i] = *reinterpret_cast<const FourOfRecord*>(record[i] + k);
  transpose(x);
  for (int i = 0; i < 4; ++i) out[i] = x[i];
}
inline void store4(const Four* in, double* const (&record)[4], int k) {
  Four x[4]{in[0], in[1], in[2], in[3]};
  transpose(x);
  for (int i = 0; i < 4; ++i) *reinterpret_cast<FourOfRecord*>(record[i] + k) = x[i];
}

}  // namespace trammel
