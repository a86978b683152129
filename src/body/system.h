#pragma once

#include "body/lagrange.h"
#include "body/pool.h"
#include "expr/tape.h"

namespace trammel::body {

/// A system in generalised coordinates: one block of n coordinates that carries many objects
/// (docs/theory/systems.md). u = x', P = A(x) u. Its own forces are those of its inertia and of its
/// potential V.
///
/// Parameters: of each object in turn those of m [kg], Ixx Iyy Izz Ixy Ixz Iyz [kg m^2] that are
/// not zero.
class SystemPool final : public Pool {
 public:
  /// Throws std::invalid_argument: no coordinates, or why the equations cannot be derived.
  explicit SystemPool(SystemSpec spec);
  static constexpr std::string_view kKind = "system";
  std::string_view kind() const override { return kKind; }
  MotionKind motion_kind() const override { return MotionKind::rigid; }
  void derive(const double* params, double* derived) const override;
  void transforms(const double* derived, const double* q, Transform* out,
                  double* jacobian) const override;
  void inverse_mass(const double* derived, const double* q, const Transform* at,
                    double* out) const override;
  void momentum(const double* derived, const double* q, const double* u, double* P) const override;
  void rates(const double* derived, const double* q, const double* u, const Transform* at,
             Rate* rate, Bias* bias) const override;
  /// The generalised Stoermer-Verlet scheme of H(x, P) = 1/2 P A^-1 P + V: half a kick, implicit in
  /// P; the drift, implicit in x; half a kick.
  void flow(const double* derived, double h, const double* q, const double* P, double* q1,
            double* P1) const override;
  MassRange mass_range(const double* params, int block, double length) const override;
  void retract(const double* dq, double* q) const override;
  void tolerances(double length, double angle, double* q) const override;
  void speed_tolerances(double speed, double spin, double* u) const override;
  void difference(const double* q, const double* q1, double* dq) const override;
  void add_own_force(const double* derived, const double* q, const double* u,
                     double* f) const override;
  double energy(const double* derived, const double* q, const double* P,
                const double* u) const override;
  void add_momentum(const double* derived, const double* q, const double* P, Vec3& linear,
                    Vec3& angular) const override;
  void add_second_variation(int block, const double* derived, const double* q, const Transform& at,
                            int object, const Vec3& f, const Mat3& F, double* H) const override;
  bool embedded_gradient(const double* derived, const Transform* at, const Transform* from,
                         Covector* out) const override;
  void embedded_mass(const double* derived, const double* q, const Transform* at,
                     double* H) const override;
  void add_potential_curvature(const double* derived, const double* q, double* H) const override;
  bool embeds() const override { return true; }
  double mass(const double* params, int block, int object) const override;
  std::optional<std::array<double, 6>> inertia(const double* params, int block,
                                               int object) const override;
  double gyration(const double* params, int block, int object) const override;

  const SystemSpec& spec() const { return spec_; }
  const Equations& equations() const { return equations_; }
  /// The parameters as the spec has them.
  std::vector<double> parameters() const;
  /// "mass", "Ixx", ... of each parameter, with its object.
  const std::vector<SystemParameter>& parameter_list() const { return equations_.parameters; }

 private:
  /// Expressions at places of a flat array; the others are zero.
  struct Program {
    expr::Tape tape;
    std::vector<int> to;  // of each output
    int size = 0;
    void run(const double* in, double* out) const;
  };
  class Inputs;
  Program compile(const std::vector<expr::Expression>& list,
                  std::span<const expr::Expression> more = {}) const;
  Program compile_pose() const;
  Program compile_rates() const;
  Program compile_momentum() const;
  Program compile_variation(std::size_t object) const;
  void poses(const double* derived, const double* q, Transform* out, double* jacobian) const;
  std::array<double, 7> weights(const double* params, int object) const;
  bool half_kick(Inputs& in, double h, const double* P, double* p, double* u) const;
  bool drift_by(Inputs& in, double h, const double* q, const double* p, const double* u,
                double* q1) const;
  void kick(const Inputs& in, double h, const double* p, double* P) const;
  bool factor(const Inputs& in, double* L) const;

  SystemSpec spec_;
  Equations equations_;
  std::vector<std::array<int, 7>> parameter_of_;  // objects: where their numbers are; -1: zero
  Program pose_, mass_, own_force_, slope_, rates_, momentum_, potential_, curvature_;
  std::vector<Program> variation_;  // objects
};

}  // namespace trammel::body
