#pragma once

#include "constraint/contact/points.h"
#include "math/brief.h"

/// What is too much to be looked at closely within a step.
namespace trammel::constraint {

/// Up to so many pairs that may push further pairs are looked at closely in a step: it ends where
/// they meet, and what stays in touch is followed. Heaps of more are solved as a whole, at a
/// fraction of the cost; what is near nothing else is looked at beside them.
inline constexpr int kFewPairs = 32;

/// How many pairs of shapes each island of a list has; of a list whose islands are found.
brief::vector<int> pairs_of_islands(const PointSet& set);

/// Of each point of a list whose islands are found, whether it is of a heap. Empty: there is none.
brief::vector<unsigned char> find_heaps(const PointSet& set);

}  // namespace trammel::constraint
