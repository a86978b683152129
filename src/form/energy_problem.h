#pragma once

#include <vector>

#include "form/energy_mechanism.h"
#include "model/state.h"

/// What one step of the energy formulation minimises, and the instants it is made of.
namespace trammel::form::energy {

/// The way in which a row of the model enters the system.
enum class Role : unsigned char {
  off,         // its joint has let go, or its joint's terms stand for it
  elastic,     // strain under the springs of an affine body: part of its block
  held,        // g = target
  rolled,      // J dq = target h
  unilateral,  // from <= g <= to
  friction,    // J dq = target h within the disc of its cone
  spring,      // 1/2 k (g - target)^2
  potential,   // the potential of its law
};
/// True where its force is an unknown of the system, not given by its law.
constexpr bool carries(Role role) {
  return role == Role::held || role == Role::rolled || role == Role::unilateral ||
         role == Role::friction;
}

/// How the springs that stand for joints are damped in a step (form/energy_dampers.h).
enum class Damping : unsigned char { none, critical, held };

/// All that is known of the mechanism at one time.
struct Instant {
  model::KinematicsCache at;
  std::vector<double> u;     // velocities
  std::vector<double> rate;  // rows of the model: J u, without g_t of prescribed ends
  std::vector<double> r;     // rows of the system: values of terms
};
/// The instant at which a step begins, and, for a scheme of two steps, the one before it.
struct Past {
  const Instant &now, &before;
};

/// The coefficients of a step's minimum (the table of docs/theory/energy.md): it is near y~ =
/// keep y_n + ahead y'_n - back y_n-1 - behind y'_n-1, and momenta at the end are keep P_n - back
/// P_n-1 + gain F.
struct Aim {
  double a = 0;      // c h^2 [s^2]
  double t = 0;      // time at which forces act [s]
  double rate = 0;   // derivative dv/dx of the scheme [1/s]
  double gain = 0;   // [s]
  double share = 1;  // part of the step after which y is reached
  double keep = 1, back = 0;
  double ahead = 0, behind = 0;  // [s]
  bool two_steps = false;
};

/// What one step minimises, (2).
struct Problem {
  Aim aim;
  std::vector<body::Transform> y;  // y~ of all objects
  std::vector<double> momentum;    // momenta to which the gain is added
  std::vector<body::Rate> rate;    // the same of the rates of objects, where there are carriers
  model::ConstraintSpecs specs;    // what laws specify for the rows when forces act
  model::State flags;              // the part of the state that rows read: on, angle
  // one number per row of the model
  std::vector<Role> role;
  std::vector<double> stiffness;       // of springs and strains [N/m], [N m], [J]
  std::vector<double> damper;          // of springs [N s/m], [N m s]
  std::vector<law::Range> within;      // stops [m, rad]
  std::vector<unsigned char> pressed;  // 1: the row pressed on its stop when the step began
  std::vector<double> g_n, g_before;   // values at the start, and one step before it
  std::vector<double> rate_n;          // rates at the start
  std::vector<Damping> damping;        // of each part of the mechanism
  std::vector<double> shift;           // rows of the system: see shift_terms()

  bool on(int joint) const { return flags.on[static_cast<std::size_t>(joint)] != 0; }
};

/// Returns an instant with room for all numbers.
Instant make_instant(const Mechanism& m);
/// Returns a problem with room for all numbers, and no role of any row.
Problem make_problem(const Mechanism& m, model::ConstraintSpecs specs);

/// Computes velocities and rates from the momenta P. Needs Kinematics::transforms().
void take_rates(const Mechanism& m, const double* q, const double* P, Instant& out);

/// Returns the coefficients of a step of h from the state; by one step alone where `two` is false,
/// the scheme is of one step, or the step before was too unlike. bdf2 over steps of lengths h' and
/// h = rho h', y' = (a0 y - a1 y_n + a2 y_n-1) / h, is stable below rho = 1 + sqrt 2.
Aim aim(Settings::Difference difference, const model::State& state, double h, bool two);

/// Says how each row enters the system, with stiffness and damper of those that are springs, by the
/// problem's aim, specs and damping.
void assign_roles(const Mechanism& m, const std::vector<unsigned char>& on, Problem& problem);

/// Poses the problem of a step from the state at `now`, whose end it aims at by `aim`; `before`
/// must be one step back where that is of two steps. The problem's damping is that of the step.
void pose(const Mechanism& m, const model::State& state, const Aim& aim, const Past& past,
          Problem& problem);

}  // namespace trammel::form::energy
