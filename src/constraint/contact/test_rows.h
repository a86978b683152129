#pragma once

#include "constraint/contact/test_scene.h"
#include "solve/product.h"

namespace trammel::constraint::test {

/// The rows of a mechanism, all of which hold, by dense matrices.
struct DenseRows {
  MatX M, J;  // M: inverse of the mass

  DenseRows(const Scene& s, const model::KinematicsCache& cache) {
    const int n = count(s.u), rows = s.kin.graph().n_rows;
    M = MatX::Zero(n, n);
    J = MatX::Zero(rows, n);
    for (int k = 0; k < n; ++k) {
      const VecX one = VecX::Unit(n, k);
      VecX column = VecX::Zero(n), row = VecX::Zero(rows);
      s.kin.velocities(cache, one.data(), column.data());
      solve::multiply(s.kin.graph(), cache.J.data(), one.data(), row.data());
      M.col(k) = column;
      J.col(k) = row;
    }
  }
  /// Momenta P with the impulses of rows that bring their rates to none.
  VecX held(const VecX& P) const {
    if (J.rows() == 0) return P;
    const MatX S = J * M * J.transpose();
    return P - J.transpose() * S.completeOrthogonalDecomposition().solve(J * (M * P));
  }
  void meet(std::vector<double>& P) const {
    Eigen::Map<VecX> of(P.data(), count(P));
    of = held(of).eval();
  }
  RowResponse response() const {
    return [rows = *this](const std::vector<double>& f, std::vector<double>& du, bool) {
      const VecX P = rows.held(Eigen::Map<const VecX>(f.data(), count(f)));
      Eigen::Map<VecX>(du.data(), count(du)) = rows.M * P;
      return true;
    };
  }
};

}  // namespace trammel::constraint::test
