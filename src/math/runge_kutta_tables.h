#pragma once

#include <span>

#include "math/runge_kutta.h"

/// Coefficients as published: Dormand and Prince 1980 (order 5), Hairer, Norsett, Wanner 1993
/// (order 8 with estimates of orders 5 and 3, and dense outputs). The tests show their orders.
namespace trammel {

/// `stages` slopes make a step, that at its end comes after them as number `stages` (all from 0);
/// `extra` more serve the dense output.
struct RungeKutta::Tableau {
  struct Term {
    int stage;
    double a;
  };
  using Row = std::span<const Term>;
  int order, stages, extra;
  std::span<const double> c;   // of every slope
  std::span<const Row> a;      // row i: what slope i is taken at; row `stages`: the step itself
  Row error;                   // of the step, an estimate of one order less; empty: none
  Row error_low;               // a second one of low order; empty: none
  bool error_at_end;           // the estimate needs the slope at the end
  std::span<const Row> dense;  // coefficients of the highest powers
  double exponent, beta;       // of the controller
  double shrink, grow;         // least and greatest change of the step
};

const RungeKutta::Tableau& classical_4();
const RungeKutta::Tableau& dormand_prince_5();
const RungeKutta::Tableau& dormand_prince_8();

}  // namespace trammel
