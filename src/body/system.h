#pragma once

#include <memory>

#include "body/pool.h"
#include "body/system_programs.h"

namespace trammel::body {

/// Systems in generalised coordinates that are alike but for their parameters: a block of n
/// coordinates carries many objects (docs/theory/systems.md). u = x', P = A(x) u. Their own forces
/// are those of inertia and of the potential V.
///
/// Parameters of a block: of each object in turn those of m [kg], Ixx Iyy Izz Ixy Ixz Iyz [kg m^2]
/// that are not zero. Several blocks are evaluated in lanes, with the bits of one after the other.
class SystemPool final : public Pool {
 public:
  /// Throws std::invalid_argument: no coordinates, or why the equations cannot be derived.
  explicit SystemPool(SystemSpec spec);
  /// As many blocks like those of another pool.
  SystemPool(const SystemPool& like, int blocks);
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
  void rates_of(int first, int n, const double* derived, const double* q, const double* u,
                const Transform* at, Rate* rate, Bias* bias) const override;
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
  double potential(const double* derived, const double* q, double* each) const override;
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

  /// Of the first block.
  const SystemSpec& spec() const { return programs_->spec; }
  const Equations& equations() const { return programs_->equations; }
  /// A system of this form_of could be a block of this pool.
  const std::string& form() const { return programs_->form; }
  /// The parameters as a spec of this form has them.
  std::vector<double> parameters(const SystemSpec& spec) const;
  std::vector<double> parameters() const { return parameters(spec()); }
  /// "mass", "Ixx", ... of each parameter, with its object.
  const std::vector<SystemParameter>& parameter_list() const { return equations().parameters; }

 private:
  struct Flow;
  void poses(const SystemGroup& in, Transform* out, double* jacobian) const;
  std::array<double, 7> weights(const double* params, int object) const;
  void factor(const SystemGroup& in, double* L, bool* good) const;
  void put_triangles(const SystemProgram& program, const double* derived, const double* q,
                     double* H, bool adds) const;
  void half_kick(Flow& at, double h, const double* P) const;
  void drift_by(Flow& at, double h, const double* q, double* q1) const;

  std::shared_ptr<const SystemPrograms> programs_;
};

}  // namespace trammel::body
