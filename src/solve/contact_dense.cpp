// Points of contact whose velocities are a matrix times their impulses.
#include <algorithm>
#include <vector>

#include "solve/contact_law.h"
#include "solve/contact_system.h"

namespace trammel::solve {

namespace {

struct DensePoint {
  contact::Block<double> cone, roll;
  double inverse_spin = 0, length = 0;
};

DensePoint dense_point(const MatX& W, Eigen::Index first, int rows, double least) {
  double w[3][3];
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) w[i][j] = W(first + i, first + j);
  DensePoint out;
  out.cone = contact::block_of(w, least);
  if (rows < 6) return out;
  const double turn = 1e-14 * W.block(first + 3, first + 3, 3, 3).trace() + 1e-300;
  const double spin = std::max(W(first + 3, first + 3), turn);
  out.inverse_spin = 1 / spin;
  out.length = std::sqrt(std::max(W(first, first), least) / spin);
  out.roll = {0,
              0,
              0,
              std::max(W(first + 4, first + 4), turn),
              W(first + 4, first + 5),
              std::max(W(first + 5, first + 5), turn)};
  return out;
}

}  // namespace

ContactEffort solve_dense(const MatX& W, std::span<const double> q,
                          std::span<const ContactLaw> laws, std::span<double> p,
                          const ContactOptions& options, int rows) {
  const Eigen::Index size = W.rows();
  const double least = 1e-14 * (size > 0 ? W.diagonal().maxCoeff() : 0) + 1e-300;
  std::vector<DensePoint> points;
  for (Eigen::Index i = 0; i < size; i += rows) points.push_back(dense_point(W, i, rows, least));
  Eigen::Map<VecX> x(p.data(), size);
  VecX w = W * x + Eigen::Map<const VecX>(q.data(), size);
  ContactEffort effort;
  while (effort.sweeps < options.sweeps && !effort.converged) {
    effort.merit = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Eigen::Index at = static_cast<Eigen::Index>(i) * rows;
      const double e[3] = {w[at], w[at + 1], w[at + 2]};
      const double cohesion = q[i * static_cast<std::size_t>(rows)] < 1e300 ? laws[i].cohesion : 0;
      const double mu = options.frictionless ? 0 : laws[i].mu;
      double P[3] = {x[at] + cohesion, x[at + 1], x[at + 2]};
      const VecX before = x.segment(at, rows);
      effort.merit = std::max(effort.merit, contact::cone_error(points[i].cone, mu, e, P));
      contact::solve_cone(points[i].cone, mu, e, P);
      x.segment<3>(at) << P[0] - cohesion, P[1], P[2];
      w += W.middleCols(at, 3) * (x.segment<3>(at) - before.head<3>());
      if (rows < 6) continue;
    }
    effort.converged = effort.merit <= options.tolerance;
    ++effort.sweeps;
  }
  return effort;
}

}  // namespace trammel::solve
