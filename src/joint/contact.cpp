// Nonholonomic rows: where B touches A, and how the touching material slips.
#include "joint/material.h"
#include "joint/own.h"

namespace trammel::joint {

namespace {

struct AtOrigin {
  static Vec3 at(const Row&, const Sample&) { return Vec3::Zero(); }
  static Vec3 rate(const Row&, const Sample&, const SampleRates&) { return Vec3::Zero(); }
};

/// The height of B's origin over the plane, n.D.
struct Height {
  const Vec3 &n, &dn;
  double h, dh;
  Height(const Row& row, const Sample& at, const SampleRates& m)
      : n(at.x[idx(row.normal())]),
        dn(m.dx[idx(row.normal())]),
        h(n.dot(at.x[idx(Feature::D)])),
        dh(dn.dot(at.x[idx(Feature::D)]) + n.dot(m.dx[idx(Feature::D)])) {}
};

struct AsBall {
  static Vec3 at(const Row& row, const Sample& at) {
    const Vec3 &n = at.x[idx(row.normal())], &D = at.x[idx(Feature::D)];
    return -n.dot(D) * n;
  }
  static Vec3 rate(const Row& row, const Sample& at, const SampleRates& m) {
    const Height z(row, at, m);
    return -z.dh * z.n - z.h * z.dn;
  }
};

struct AsDisc {
  static Vec3 at(const Row& row, const Sample& at) {
    const Vec3 &n = at.x[idx(row.normal())], &D = at.x[idx(Feature::D)], &a = at.x[idx(row.axis())];
    const Vec3 w = n - n.dot(a) * a;  // in the disc, up its steepest line
    return -n.dot(D) / w.squaredNorm() * w;
  }
  static Vec3 rate(const Row& row, const Sample& at, const SampleRates& m) {
    const Height z(row, at, m);
    const Vec3 &a = at.x[idx(row.axis())], &da = m.dx[idx(row.axis())];
    const double c = z.n.dot(a), dc = z.dn.dot(a) + z.n.dot(da);
    const Vec3 w = z.n - c * a, dw = z.dn - dc * a - c * da;
    const double w2 = w.squaredNorm(), k = z.h / w2, dk = (z.dh - 2 * k * w.dot(dw)) / w2;
    return -dk * w - k * dw;
  }
};

/// W = A' A^-1 of the object that carries three axes, and its derivative.
struct Spin {
  Mat3 W, dW;
};
Spin spin(const Sample& at, const SampleRates& m, Feature first) {
  Mat3 X, d, dd;
  for (int i = 0; i < 3; ++i) {
    X.col(i) = at.x[idx(first + i)];
    d.col(i) = m.dx[idx(first + i)];
    dd.col(i) = m.ddx[idx(first + i)];
  }
  const Mat3 inverse = X.inverse(), W = d * inverse;
  return {W, (dd - W * d) * inverse};
}

}  // namespace

constinit const Touch kTouchesAtOrigin{AtOrigin::at, AtOrigin::rate},
    kTouchesAsBall{AsBall::at, AsBall::rate}, kTouchesAsDisc{AsDisc::at, AsDisc::rate};

/// rate = d . (D' - W_A D + (W_B - W_A) r).
RowRates slip_rates(const Row& row, const Sample& at, const SampleRates& m) {
  const Contact c = contact(row, at);
  const Vec3 dr = row.fn->touch->rate(row, at, m);
  const Vec3 &D = at.x[idx(Feature::D)], &dD = m.dx[idx(Feature::D)];
  const Spin A = spin(at, m, Feature::Ax), B = spin(at, m, Feature::Bx);
  const Vec3 slip = dD - A.W * D + (B.W - A.W) * c.r;
  const Vec3 change =
      m.ddx[idx(Feature::D)] - A.dW * D - A.W * dD + (B.dW - A.dW) * c.r + (B.W - A.W) * dr;
  return {c.d.dot(slip), m.dx[idx(row.direction())].dot(slip) + c.d.dot(change)};
}

}  // namespace trammel::joint
