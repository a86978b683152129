#pragma once

#include <string>

namespace trammel::form {

/// How a formulation steps.
struct Settings {
  enum class Formulation : unsigned char { velocity } formulation = Formulation::velocity;
  enum class Scheme : unsigned char {
    rattle,     // second order, time-symmetric, rows and their rates held to rounding
    baumgarte,  // semi-implicit Euler with J u+ = -(erp/h) g: the classical form
  } scheme = Scheme::rattle;
  int order = 2;             // 2, or 4 by composition where nothing dissipates
  double erp = 0.2;          // of baumgarte
  double tolerance = 1e-12;  // position rows [m, rad]; never below 1e-15 of the largest coordinate
  double contraction = 0.3;  // worse than this, above the tolerance: a singular pose
  int max_iterations = 30;
};

}  // namespace trammel::form
