#pragma once

#include "verify/samples.h"

/// How runs are refined, and the order that their differences show.
namespace trammel::verify {

/// Returns how many steps a run of refinement `level` (0: the scene's own) makes between two times
/// of the grid: about 1, 2.3 and 5.1 times as many as the scene, which have no divisor in common.
/// Steps of h, h/2 and h/4 would all begin where those of h do, so that an event in the first
/// quarter of a step falls into the same part of a step in every run: its error cancels in their
/// differences, which then say that there is none.
long steps_between(const Grid& grid, int level);

/// Returns the order p of errors that leave differences e1 between steps of h0 and h1, and e2
/// between h1 and h2: e1/e2 = (h0^p - h1^p)/(h1^p - h2^p). Within kMostOrder.
double order_of_differences(double e1, double e2, double h0, double h1, double h2);
constexpr double kMostOrder = 20;

/// Returns c so that x(h0) + c (x(h1) - x(h0)) is free of an error of order p in the steps.
double extrapolating(double h0, double h1, double order);

}  // namespace trammel::verify
