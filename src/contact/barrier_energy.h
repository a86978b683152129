#pragma once

#include <vector>

#include "contact/barrier_distance.h"

/// The energies of contact by a barrier: of a pair that is close, and of its friction.
namespace trammel::contact::barrier {

/// A function of one number with its derivatives.
struct Function {
  double f = 0, d = 0, dd = 0;
};
/// The barrier -(D/D0 - 1)^2 ln(D/D0) of a squared distance; zero from D0 on, infinite at 0.
Function barrier(double D, double D0);
/// Takes away pairs of nearly parallel edges, at which the closest points jump: 2 c/e - (c/e)^2 of
/// c = |u x v|^2; one from e on.
Function mollifier(double c, double e);
/// |u x v|^2 below which edges of those lengths count as nearly parallel [m^4].
double parallel_below(double length_a, double length_b);

/// Smoothed friction per unit of its greatest force, as a function of the slip speed: its slope is
/// y/v (2 - y/v) below v and 1 from there on.
Function friction(double y, double v);

/// A term of a second derivative, factor times v v^T.
struct RankOne {
  double factor;
  Vec12 v;
};

/// How stiff a pair is.
struct Stiffness {
  double D0;            // squared distance at which the barrier begins [m^2]
  double energy;        // [J]
  double parallel = 0;  // of edges: parallel_below() [m^4]
};

struct PairEnergy {
  double value = 0;  // [J]
  double force = 0;  // along r/|r| [N]
  Vec12 gradient;    // [N]
  Closest at;
};
/// Returns energy and gradient of a pair; value 0 where it is not close.
PairEnergy pair_energy(const Four& x, bool edges, const Stiffness& k);
/// The energy alone; infinite where the pair touches.
double pair_value(const Four& x, bool edges, const Stiffness& k);
/// Adds the second derivative of a close pair as terms whose factors are positive, and, where
/// `whole`, those that are negative.
void add_curvature(const Four& x, bool edges, const Stiffness& k, const PairEnergy& pair,
                   bool whole, std::vector<RankOne>& out);

}  // namespace trammel::contact::barrier
