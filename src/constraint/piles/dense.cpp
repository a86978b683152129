// Points of contact whose velocities are a matrix times their impulses.
#include "math/dense.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "constraint/piles/newton.h"
#include "constraint/piles/order.h"

namespace trammel::constraint::piles {

namespace {

using Index = Eigen::Index;

class DenseOperator : public Operator {
 public:
  DenseOperator(const MatX& W, const brief::VecX& q, int rows) : W_(W), q_(q), rows_(rows) {}

  void rates(const brief::VecX& p, brief::VecX& w) override {
    made_.resize(q_.size());
    made_.noalias() = W_ * p;
    w = made_ + q_;
  }

  bool factor(std::span<const NewtonPoint> points, std::span<const Linear> linear,
              const brief::VecX& added) override {
    if (W_.rows() > dense::SmallLu::kMost) return factor_as(MatX(W_), points, linear, added, lu_);
    return factor_as(dense::SmallLu::Matrix(W_), points, linear, added, small_);
  }

  void step(std::span<const Linear> linear, brief::VecX& dp) override {
    dp.resize(q_.size());
    for (std::size_t i = 0; i < linear.size(); ++i)
      dp.segment(static_cast<Index>(i) * rows_, rows_) = -linear[i].F.head(rows_);
    if (W_.rows() > dense::SmallLu::kMost)
      dp = lu_.solve(dp);
    else
      small_.solve(dp.data());
  }

  void sweep(std::span<const NewtonPoint> points, brief::VecX& p, brief::VecX& w) override {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Index first = static_cast<Index>(i) * rows_;
      w += W_.middleCols<3>(first) * solve_cone_rows(points[i], w.data() + first, p.data() + first);
      if (rows_ == 6)
        w += W_.middleCols<3>(first + 3) *
             solve_turn_rows(points[i], w.data() + first, p.data() + first);
    }
  }

 private:
  template <class Matrix, class Lu>
  bool factor_as(Matrix A, std::span<const NewtonPoint> points, std::span<const Linear> linear,
                 const brief::VecX& added, Lu& lu) {
    A.diagonal() += added;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Index first = static_cast<Index>(i) * rows_;
      A.middleRows(first, rows_) =
          (linear[i].E.topLeftCorner(rows_, rows_) * A.middleRows(first, rows_)).eval();
      A.block(first, first, rows_, rows_) += linear[i].D.topLeftCorner(rows_, rows_);
    }
    lu.compute(A);
    return true;
  }

  const MatX& W_;
  const brief::VecX& q_;
  int rows_;
  dense::SmallLu small_;
  dense::Lu lu_;
  brief::VecX made_;
};

constexpr double kHeldSlip = 1e-3;  // of W_nn: least W along a slip, by which forces are weighed

brief::vector<NewtonPoint> dense_points(const MatX& W, brief::VecX& q,
                                        std::span<const ContactLaw> laws,
                                        const ContactOptions& options, int rows) {
  brief::vector<NewtonPoint> points(laws.size());
  const double least = kNothing * (W.size() > 0 ? W.diagonal().maxCoeff() : 0) + 1e-300;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const Index first = static_cast<Index>(i) * rows;
    const Mat3 turning = rows < 6 ? Mat3(Mat3::Zero()) : Mat3(W.block<3, 3>(first + 3, first + 3));
    NewtonPoint& point = points[i];
    // joints may hold a slip that friction then cannot change: it has its direction all the same
    Mat3 own = W.block<3, 3>(first, first);
    own.diagonal().tail<2>() = own.diagonal().tail<2>().cwiseMax(kHeldSlip * own(0, 0));
    point.numbers = point_numbers(own, turning, least);
    point.law = laws[i];
    point.takes_part = q[first] < 1e300;
    if (!point.takes_part) q[first] = point.law.cohesion = 0;
    if (options.frictionless) point.law.mu = point.law.rolling = point.law.spinning = 0;
  }
  return points;
}

double enough(std::span<const NewtonPoint> points, int rows, const brief::VecX& p,
              const ContactOptions& options) {
  return std::max({options.tolerance, options.noise, rounding_of(points, rows, p)});
}

/// Sweeps until points are right or there have been so many.
void sweep_dense(DenseOperator& of, std::span<const NewtonPoint> points, int rows, int most,
                 const ContactOptions& options, brief::VecX& p, ContactEffort& effort) {
  brief::VecX w;
  of.rates(p, w);
  for (int i = 0;; ++i) {
    effort.merit = merit_of(points, rows, p, w);
    effort.converged = effort.merit <= enough(points, rows, p, options);
    if (effort.converged || i == most) return;
    of.sweep(points, p, w);
    ++effort.sweeps;
  }
}

}  // namespace

ContactEffort solve_dense(const MatX& W, std::span<const double> q,
                          std::span<const ContactLaw> laws, std::span<double> p,
                          const ContactOptions& options, int rows, Share share) {
  constexpr int kBefore = 8;
  using Method = ContactOptions::Method;
  brief::VecX known = Eigen::Map<const VecX>(q.data(), static_cast<Index>(q.size()));
  const brief::vector<NewtonPoint> points = dense_points(W, known, laws, options, rows);
  DenseOperator of(W, known, rows);
  brief::VecX x = Eigen::Map<const VecX>(p.data(), static_cast<Index>(p.size()));
  const brief::VecX guess = x;
  ContactEffort effort;
  const bool sweeps_only = options.method == Method::sweeps;
  sweep_dense(of, points, rows, sweeps_only ? options.sweeps : 0, options, x, effort);
  // Newton first: of many solutions it has the one that is asked for, where sweeps lead away
  // from it step by step, until of many points that rest few carry
  const int rounds = sweeps_only ? 0 : 2;
  for (int round = 0;
       round < rounds && !(effort.converged && (round > 0 || share == Share::near_guess));
       ++round) {
    if (round > 0)
      sweep_dense(of, points, rows, std::min(kBefore, options.sweeps), options, x = guess, effort);
    const NewtonReport report =
        newton(of, points, rows, options, x, share == Share::least ? nullptr : &guess);
    effort.newton += report.iterations;
    effort.sweeps += report.sweeps;
    const brief::VecX best = x;
    const bool last = round + 1 == rounds && options.method != Method::newton;
    sweep_dense(of, points, rows, last ? options.sweeps : 0, options, x, effort);
    if (!(effort.merit <= report.merit)) x = best, effort.merit = report.merit;
    effort.converged = effort.merit <= enough(points, rows, x, options);
  }
  if (share == Share::least) open_parting(of, points, rows, x);
  Eigen::Map<VecX>(p.data(), x.size()) = x;
  return effort;
}

}  // namespace trammel::constraint::piles
