#pragma once

#include <memory>
#include <span>
#include <vector>

#include "math/types.h"

/// The contact problem of velocities: which impulses do bodies exchange at their points of contact,
/// so that they do not approach there and Coulomb's law of friction holds.
///
/// At a point, with u the velocity of b's side less that of a's along n, t, s, and w the spin about
/// these, in the values of ContactTargets and P = p_n + cohesion:
///     0 <= u_n - target_n  complementary to  P >= 0,
///     |p_t| <= mu P; where u_t is not target_t, p_t has that length and is opposite to the slip,
///     |torque about n| <= spinning P, |torque across n| <= rolling P, likewise of w against its
///     target.
namespace trammel::constraint::piles {

struct ContactBody {
  double inv_mass = 0;              // [1/kg]
  Mat3 inv_inertia = Mat3::Zero();  // world axes [1/(kg m^2)]; all zeros: it does not move
};

struct ContactPoint {
  int a = 0, b = 0;  // bodies; b gets +p, a gets -p; one of them moves. Points of one pair, if they
                     // have the same a and b, follow one another
  Vec3 r_a = Vec3::Zero(), r_b = Vec3::Zero();  // from the centres of mass to the point, world [m]
  Vec3 n = Vec3::UnitZ(), t = Vec3::UnitX(), s = Vec3::UnitY();  // right-handed
  double mu = 0, rolling = 0, spinning = 0;                      // -, [m], [m]; all finite
};

/// u[0] = -infinity: the point takes no part, its impulses are 0.
struct ContactTargets {
  Vec3 u = Vec3::Zero();  // n, t, s [m/s]
  double cohesion = 0;    // [N s]
  /// Normal impulse that bodies have got already and that friction goes by too [N s]: |p_t| <= mu
  /// (P + base). Newton's method takes it, sweeps do not.
  double base = 0;
  Vec3 w = Vec3::Zero();  // about n, t, s [rad/s]; of points that roll or spin
};

struct ContactOptions {
  enum class Method { automatic, sweeps, newton };
  double tolerance = 1e-9;  // of merit [m/s]
  int sweeps = 200;         // at most, of an island
  int newton = 100;         // iterations at most
  Method method = Method::automatic;
  bool frictionless = false;  // mu, rolling and spinning count as 0
  double noise = 0;           // rates that mean nothing, for which no shares change [m/s]
};

/// merit: the greatest error of a point as a speed [m/s]: S |p - P(p - u / S)| with P the
/// projection on what p may be and S an inverse mass of the point; rates of rotation times a length
/// of it.
struct ContactEffort {
  int sweeps = 0, newton = 0;
  double merit = 0;
  bool converged = false;
};

/// Bodies and points of a configuration, made ready once and solved for any targets. Not to be
/// shared between threads.
class ContactSystem {
 public:
  ContactSystem();
  ContactSystem(ContactSystem&&) noexcept;
  ContactSystem& operator=(ContactSystem&&) noexcept;
  ~ContactSystem();

  void build(std::span<const ContactBody> bodies, std::span<const ContactPoint> points);
  /// The same of lists that it keeps; what comes back in their place is of no use but for its
  /// memory.
  void build_of(std::vector<ContactBody>& bodies, std::vector<ContactPoint>& points);

  /// v: 6 numbers a body (of its centre of mass, and angular), without impulses of contact as it
  /// comes in, with those of p as it goes out. p: 6 numbers a point (n, t, s; about n, t, s), as
  /// they come in a guess: zeros, or impulses of a solve before.
  ContactEffort solve(std::span<const ContactTargets> targets, std::span<double> v,
                      std::span<double> p, const ContactOptions& options = {});

  std::span<const ContactBody> bodies() const;
  std::span<const ContactPoint> points() const;

 private:
  void make();
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// What a point asks for in solve_dense.
struct ContactLaw {
  double mu = 0, rolling = 0, spinning = 0;  // -, [m], [m]
  double cohesion = 0;                       // [N s]
  double base = 0;                           // [N s], see ContactTargets
};

/// Of many solutions: the one near the guess, or that of least impulses, whatever the guess is.
enum class Share : unsigned char { near_guess, least };

/// The same of points whose velocities are u - target = W p + q, W symmetric, without negative
/// eigenvalues; it may be singular. rows: a point, 3 (n, t, s) or 6 (and about n, t, s); p: as many
/// numbers, as they come in a guess. q of a normal row +infinity: the point takes no part.
ContactEffort solve_dense(const MatX& W, std::span<const double> q,
                          std::span<const ContactLaw> laws, std::span<double> p,
                          const ContactOptions& options = {}, int rows = 3,
                          Share share = Share::near_guess);

}  // namespace trammel::constraint::piles
