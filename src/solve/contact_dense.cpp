// Points of contact whose velocities are a matrix times their impulses.
#include <algorithm>
#include <vector>

#include "solve/contact_point.h"

namespace trammel::solve {

namespace {

contact::PointNumbers dense_point(const MatX& W, Eigen::Index first, int rows, double least) {
  const Mat3 turning = rows < 6 ? Mat3(Mat3::Zero()) : Mat3(W.block<3, 3>(first + 3, first + 3));
  return contact::point_numbers(W.block<3, 3>(first, first), turning, least);
}

}  // namespace

ContactEffort solve_dense(const MatX& W, std::span<const double> q,
                          std::span<const ContactLaw> laws, std::span<double> p,
                          const ContactOptions& options, int rows) {
  const Eigen::Index size = W.rows();
  const double least = 1e-14 * (size > 0 ? W.diagonal().maxCoeff() : 0) + 1e-300;
  std::vector<contact::PointNumbers> points;
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
      double l = 0;
      contact::solve_cone(points[i].cone, mu, e, P, l);
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
