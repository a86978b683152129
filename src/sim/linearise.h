#pragma once

#include <complex>
#include <string>
#include <vector>

#include "sim/dynamics.h"

/// Small motions about a state, in independent coordinates of joints.
namespace trammel::sim {

/// With x = (y, y') less what it is at the state, and tau less the forces there:
///
///     x' = A x + B tau + (y', y'')
///
/// A by differences of fourth order of Dynamics::forward along the rows, at two spacings; B
/// exactly.
struct Linearised {
  std::vector<std::string> names;  // of y
  VecX y, y_dot, y_ddot;           // at the state
  MatX A, B;                       // 2n x 2n, 2n x n
  double error = 0;                // estimated, of the entries of A, as a share of the greatest
};
/// Linearises the continuous equations of motion about the state that `dynamics` stands at, under
/// the forces tau on its coordinates (empty: none). Throws std::invalid_argument as Dynamics does.
Linearised linearise(Dynamics& dynamics, const VecX& tau = {});

/// One step of h [s] with forces held constant over it: x+ = A x + B tau + c, exact for the
/// linearised motion. Throws std::invalid_argument: h is no positive number.
struct Discrete {
  MatX A, B;
  VecX c;
};
Discrete discretise(const Linearised& motion, double h);

/// A free motion exp(eigenvalue t) about an equilibrium.
struct Mode {
  std::complex<double> eigenvalue;  // [1/s]; of a pair the one with positive imaginary part
  double frequency = 0;             // |Im| / 2 pi [Hz]
  double damping = 0;               // -Re / |eigenvalue|; negative: it grows
  Eigen::VectorXcd shape;           // of y, the greatest is 1
};
/// The modes, the slowest first. Throws std::invalid_argument where the state is no equilibrium: y
/// moves, or balances more than 1e-6 m or rad from there.
std::vector<Mode> modes(const Linearised& motion);

}  // namespace trammel::sim
