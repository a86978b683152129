#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "body/motion_kind.h"
#include "constraint/barrier/surfaces.h"
#include "constraint/contact/step.h"
#include "contact/barrier_energy.h"
#include "contact/barrier_pairs.h"
#include "contact/point.h"

/// Contact by a barrier: the potentials of pairs of primitives that are close, and of their
/// smoothed friction (docs/theory/energy.md, "Contact by a barrier"). Places are those of all
/// objects.
namespace trammel::constraint {

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

/// Contact by a barrier through a step.
struct BarrierContact {
  BarrierNumbers barrier;
  std::shared_ptr<const BarrierSurfaces> surfaces;
  std::vector<int> object;                      // of each surface
  std::vector<double> scale;                    // pairs of surfaces: energy [J]
  std::vector<contact::barrier::Mover> movers;  // with the way of the line search
  bool chords = false;                          // some are of carriers
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

/// Takes the energies of pairs of surfaces: as set, or what lifts the lesser of both bodies by the
/// barrier's width against gravity g, and by its inertia over a step of h. mass: of each surface's
/// object, infinite of what does not move.
void set_scales(const std::vector<double>& mass, double g, double h, BarrierContact& c);
/// Evaluates the pairs at places on the way.
void take_close(const std::vector<body::Transform>& T_WO, BarrierContact& c);
/// Pairs of surfaces that are close, sorted.
std::vector<std::pair<int, int>> touching(const BarrierContact& c);
/// True where two bodies touch that did not at the start of the step.
bool newly_close(const BarrierContact& c);
/// Returns the least distance of surfaces that are close; infinite where none are [m].
double least_distance(const BarrierContact& c);
/// Returns the potential at places on the way; infinite where surfaces touch [J].
double contact_energy(const std::vector<body::Transform>& T_WO, BarrierContact& c);
/// The part of it that is stored.
double barrier_energy(const BarrierContact& c);
/// Adds the gradient of the barrier on the places of the objects; after take_close().
void add_barrier_covectors(const BarrierContact& c, std::vector<body::Covector>& out);

/// Takes friction anew from where the bodies are. Returns by how much the greatest of its forces
/// has changed, relative to the greatest.
double renew_friction(const std::vector<body::Transform>& T_WO, BarrierContact& c);
/// The force of friction on b [N].
Vec3 friction_force(const std::vector<body::Transform>& T_WO, const BarrierContact& c,
                    const Rubbing& r);
void add_friction_covectors(const std::vector<body::Transform>& T_WO, const BarrierContact& c,
                            std::vector<body::Covector>& out);
/// Takes the friction of all pairs that are close, by their normal forces.
void take_rubbing(const std::vector<body::Transform>& T_WO, BarrierContact& c);

/// Where a close pair is closest.
contact::Point point_of(const BarrierContact& c, const ClosePair& p);
/// The points where surfaces push each other, with the forces of barrier and friction at the end of
/// a step: pairs of primitives that are closest at the same corners, edges or faces are one. The
/// point is midway. After take_close(); sorted by surfaces and feature.
std::vector<ContactForce> contact_points(const std::vector<body::Transform>& T_WO,
                                         const BarrierContact& c);

/// A term factor (J dq)^2 / 2 of two objects of the second derivative.
struct CurvatureTerm {
  int a, b;  // objects
  double factor;
  body::Covector on_a, on_b;
};

/// Returns the second derivatives of barrier and friction; those that are negative too.
std::vector<CurvatureTerm> curvature_terms(const std::vector<body::Transform>& T_WO,
                                           const BarrierContact& c);

/// A pair that a Newton step would bring to touch: n . dr, linear, is to leave it apart.
struct BarrierGuard {
  contact::barrier::Candidate pair;
  double spare;  // how much nearer it may come [m]
  CurvatureTerm way;
};
/// Adds guards for the pairs that would touch on the way last set out on, or moves those that are
/// there to where they would touch now. Returns false where none is new.
bool add_guards(const std::vector<body::Transform>& T_WO, BarrierContact& c,
                std::vector<BarrierGuard>& guards);

}  // namespace trammel::constraint
