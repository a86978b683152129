#pragma once

#include "figure.h"

/// Where the last body ends in truth: integrated in minimal coordinates, without any engine.
namespace trammel::bench {

/// The scenes stay in a plane: angles and travels, Runge-Kutta's classical form of order 4.
Vec3 integrate_chain(int n, double seconds, double dt);
Vec3 integrate_fourbar(int n, double seconds, double dt);
Vec3 integrate_slider(int n, double seconds, double dt);

/// Distance from the kept reference to the figure's final_pos [m]; NaN where none is kept.
double error_of(const Figure& figure);

/// Integrates all kept references anew and prints them as they are kept, with what has changed.
void print_references();

}  // namespace trammel::bench
