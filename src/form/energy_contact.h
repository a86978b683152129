#pragma once

#include <memory>
#include <vector>

#include "constraint/account.h"
#include "contact/barrier_energy.h"
#include "contact/barrier_pairs.h"
#include "contact/point.h"
#include "form/block_cholesky.h"
#include "form/contact_factor.h"
#include "form/contact_surfaces.h"
#include "form/energy_problem.h"

/// Contact by a barrier in the energy formulation: the potentials of pairs of primitives that are
/// close, and of their smoothed friction (docs/theory/energy.md, "Contact by a barrier").
namespace trammel::form::energy {

/// Friction of a pair as it stands through a minimisation: the point of contact on both bodies, in
/// their axes, the tangents there, and its greatest force.
struct Rubbing {
  int a, b;  // objects
  Vec3 on_a, on_b;
  Eigen::Matrix<double, 3, 2> tangents;
  double force;          // [N]
  contact::Point point;  // at the start of the step, for results
  bool turned;           // `a` is B of the point
};

/// Where the scheme's velocity comes from: v = rate (y - y_n) + back (y_before - y_n).
struct Slip {
  double rate = 0, back = 0;  // [1/s]
  std::vector<body::Transform> now, before;
};

/// A pair that is close, with what it adds.
struct ClosePair {
  int candidate;
  contact::barrier::PairEnergy energy;
};

/// Contact through a step.
struct Contact {
  std::shared_ptr<const ContactSurfaces> surfaces;
  std::vector<int> object;                      // of each surface
  std::vector<double> scale;                    // pairs of surfaces: energy [J]
  std::vector<contact::barrier::Mover> movers;  // with the way of the line search
  bool chords = false;                          // some are of carriers (energy_contact_way.h)
  std::vector<body::Transform> from;            // where that way begins, if so
  std::vector<contact::barrier::Candidate> candidates;
  std::vector<std::vector<Vec3>> corners;  // of each surface, where they were evaluated last
  std::vector<ClosePair> close;            // likewise
  std::vector<Rubbing> rubbing;
  Slip slip;
  std::vector<contact::barrier::Hit> hits;    // pairs that would touch on the way
  double free = 1;                            // part of the way that is free
  std::vector<std::pair<int, int>> at_start;  // pairs of surfaces that were close
  bool any() const { return !movers.empty(); }
};
Contact make_contact(const Mechanism& m);

/// Begins a step: stiffness, and friction by the normal forces at its start. Returns false where
/// surfaces touch there.
bool begin_contact(const Mechanism& m, const Problem& problem, const Past& past, Contact& c);
/// Takes friction anew from where the bodies are. Returns by how much the greatest of its forces
/// has changed, relative to the greatest.
double renew_friction(const Mechanism& m, const std::vector<body::Transform>& T_WO, Contact& c);
/// Returns the potential at places on the way; infinite where surfaces touch [J].
double contact_energy(const Mechanism& m, const std::vector<body::Transform>& T_WO, Contact& c);
/// The part of it that is stored.
double barrier_energy(const Contact& c);
/// Evaluates the pairs at places on the way.
void take_close(const Mechanism& m, const std::vector<body::Transform>& T_WO, Contact& c);
/// Adds the gradients of barrier and friction on the places of the objects; after take_close().
void add_barrier_covectors(const Contact& c, std::vector<body::Covector>& out);
/// The force of friction on b [N].
Vec3 friction_force(const Mechanism& m, const std::vector<body::Transform>& T_WO, const Contact& c,
                    const Rubbing& r);
/// Where a close pair is closest.
contact::Point point_of(const Contact& c, const ClosePair& p);
void add_friction_covectors(const Mechanism& m, const std::vector<body::Transform>& T_WO,
                            const Contact& c, std::vector<body::Covector>& out);

/// A term factor (J dq)^2 / 2 of two objects of the second derivative.
struct CurvatureTerm {
  int a, b;  // objects
  double factor;
  body::Covector on_a, on_b;
};
/// Returns the second derivatives of both; those that are negative too.
std::vector<CurvatureTerm> curvature_terms(const Mechanism& m,
                                           const std::vector<body::Transform>& T_WO,
                                           const Contact& c);

/// A pair that a Newton step would bring to touch: n . dr, linear, is to leave it apart.
struct Guard {
  contact::barrier::Candidate pair;
  double spare;  // how much nearer it may come [m]
  CurvatureTerm way;
};
/// Adds guards for the pairs that would touch on the way last set out on, or moves those that are
/// there to where they would touch now. Returns false where none is new.
bool add_guards(const Mechanism& m, const std::vector<body::Transform>& T_WO, Contact& c,
                std::vector<Guard>& guards);

/// What a Newton step with contacts is solved by.
struct ContactSystem {
  std::vector<CurvatureTerm> terms;  // second derivatives of the contacts
  std::vector<Guard> guards;         // pairs that the step is to leave apart
  std::size_t level = 0;             // how much has been done to have it positive
  ContactFactor factor;
};

/// Returns the least distance of surfaces that are close; infinite where none are [m].
double least_distance(const Contact& c);
/// True where two bodies touch that did not at the start of the step.
bool newly_close(const Contact& c);

/// What contacts exert at the end of a step.
struct ContactForces {
  std::vector<double> barrier, friction;  // on the blocks' unknowns
  constraint::Wrench outside;             // of what does not move freely
  std::vector<double> wrenches;  // of touching_objects (model/reactions.h), where asked for
};
ContactForces contact_forces(const Mechanism& m, const model::KinematicsCache& at,
                             const Contact& c);
/// Returns what is stored in the barriers at the places of an instant, steps of h being made [J].
double stored_in_contact(const Mechanism& m, const model::KinematicsCache& at, double h,
                         Contact& c);

}  // namespace trammel::form::energy
