#pragma once

#include "body/pool.h"

namespace trammel::body {

/// Affine bodies: x_W = p + A x with any A. q = (p, rows of A) of the centre of mass, 12 numbers,
/// u = q', P = M u with the constant mass M = diag(m, m, m, S, S, S), S the second moment of mass
/// about the centre of mass in body axes (body/moments.h). They carry no elasticity of their own
/// here: what holds A near a rotation are the six rows of their strain (joint/table.h; Green's in
/// joint/material.h, the right stretch of as-rigid energies in joint/stretch.h) and the laws on
/// these.
///
/// Parameters: m [kg], Sxx Syy Szz Sxy Sxz Syz [kg m^2].
class AffinePool final : public Pool {
 public:
  AffinePool();
  static constexpr std::string_view kKind = "affine";
  std::string_view kind() const override { return kKind; }
  MotionKind motion_kind() const override { return MotionKind::affine; }
  void derive(const double* params, double* derived) const override;
  void transforms(const double* derived, const double* q, Transform* out,
                  double* jacobian) const override;
  void inverse_mass(const double* derived, const double* q, const Transform* at,
                    double* out) const override;
  void momentum(const double* derived, const double* q, const double* u, double* P) const override;
  void rates(const double*, const double* q, const double* u, const Transform* at, Rate* rate,
             Bias* bias) const override;
  /// Every point flies straight on: exact.
  void flow(const double* derived, double h, const double* q, const double* P, double* q1,
            double* P1) const override;
  bool drift(const double* derived, double h, const double* q, const double* u, double* P,
             double* dP, double* dq) const override;
  MassRange mass_range(const double* params, int block, double length) const override;
  void retract(const double* dq, double* q) const override;
  /// A becomes exp(w)(A + dA - [w] A), w the turn in dA.
  void retract_turning(const double* dq, double* q) const override;
  void tolerances(double length, double angle, double* q) const override;
  void speed_tolerances(double speed, double spin, double* u) const override;
  void difference(const double* q, const double* q1, double* dq) const override;
  void add_own_force(const double*, const double*, const double*, double*) const override {}
  /// Angular: m p x v + sum of x x v over the body, the axial vector of A' S A^T.
  void add_momentum(const double*, const double* q, const double* P, Vec3& linear,
                    Vec3& angular) const override;
  void add_second_variation(int, const double*, const double*, const Transform&, int, const Vec3&,
                            const Mat3&, double*) const override {}
  bool embedded_gradient(const double* derived, const Transform* at, const Transform* from,
                         Covector* out) const override;
  void embedded_mass(const double* derived, const double*, const Transform* at,
                     double* H) const override;
  bool embeds() const override { return true; }
  double mass(const double* params, int block, int) const override { return params[7 * block]; }
  std::optional<std::array<double, 6>> inertia(const double* params, int block, int) const override;
};

}  // namespace trammel::body
