#pragma once

#include "body/pool.h"

namespace trammel::body {

/// Rigid bodies. q = (p, quaternion w x y z) of the centre of mass and the body axes, u = (v, w) in
/// world axes, P = (m v, l) with the *world* angular momentum l about the centre of mass: a free
/// body keeps l to the last bit, and no gyroscopic force is ever needed in P.
///
/// Parameters: m [kg], Ixx Iyy Izz Ixy Ixz Iyz [kg m^2] about the centre of mass in body axes.
class RigidPool final : public Pool {
 public:
  RigidPool();
  static constexpr std::string_view kKind = "rigid";
  std::string_view kind() const override { return kKind; }
  MotionKind motion_kind() const override { return MotionKind::rigid; }
  void derive(const double* params, double* derived) const override;
  void transforms(const double* derived, const double* q, Transform* out,
                  double* jacobian) const override;
  void inverse_mass(const double* derived, const double* q, const Transform* at,
                    double* out) const override;
  void momentum(const double* derived, const double* q, const double* u, double* P) const override;
  void rates(const double*, const double* q, const double* u, const Transform* at, Rate* rate,
             Bias* bias) const override;
  void rates_of(int first, int n, const double*, const double* q, const double* u,
                const Transform* at, Rate* rate, Bias* bias) const override;
  /// The mid-point rule for a free body, in body axes: I w = exp(-h/2 w) L, L = the angular
  /// momentum at the start, R+ = R exp(h w): symmetric, second order, and world angular momentum
  /// does not change at all.
  void flow(const double* derived, double h, const double* q, const double* P, double* q1,
            double* P1) const override;
  bool drift(const double* derived, double h, const double* q, const double* u, double* P,
             double* dP, double* dq) const override;
  MassRange mass_range(const double* params, int block, double length) const override;
  void retract(const double* dq, double* q) const override;
  /// Computes q' = 1/2 w q of the quaternion.
  void coordinate_rates(const double* q, const double* u, double* dq) const override;
  void tolerances(double length, double angle, double* q) const override;
  void speed_tolerances(double speed, double spin, double* u) const override;
  void difference(const double* q, const double* q1, double* dq) const override;
  void add_own_force(const double* derived, const double* q, const double* u,
                     double* f) const override;
  void add_momentum(const double*, const double* q, const double* P, Vec3& linear,
                    Vec3& angular) const override;
  void add_second_variation(int, const double*, const double*, const Transform& at, int object,
                            const Vec3& f, const Mat3& F, double* H) const override;
  bool embedded_gradient(const double* derived, const Transform* at, const Transform* from,
                         Covector* out) const override;
  void embedded_mass(const double* derived, const double*, const Transform* at,
                     double* H) const override;
  bool embeds() const override { return true; }
  double mass(const double* params, int block, int) const override { return params[7 * block]; }
  std::optional<std::array<double, 6>> inertia(const double* params, int block, int) const override;
};

/// Inertia matrix [kg m^2] from six parameters Ixx Iyy Izz Ixy Ixz Iyz.
Mat3 inertia_matrix(const double* six);

}  // namespace trammel::body
