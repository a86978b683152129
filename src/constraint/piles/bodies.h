#pragma once

#include "constraint/piles/block_lu.h"
#include "constraint/piles/newton.h"
#include "constraint/piles/order.h"
#include "math/brief.h"
#include "math/dense.h"

namespace trammel::constraint::piles {

/// W = J M^-1 J^T of the points of an island, never formed: what is solved are the velocities of
/// the bodies, (1 + M^-1 J^T K J) dv = -M^-1 J^T (D + eps E)^-1 F, K = (D + eps E)^-1 E.
class BodyOperator : public Operator {
 public:
  /// rows: 3, or 6 with torques. v: without the impulses of these points.
  BodyOperator(std::span<const ContactBody> bodies, std::span<const ContactPoint> points,
               std::span<const int> chosen, std::span<const ContactTargets> targets, int rows,
               std::span<const double> v);

  void rates(const brief::VecX& p, brief::VecX& w) override;
  bool factor(std::span<const NewtonPoint> points, std::span<const Linear> linear,
              const brief::VecX& added) override;
  void step(std::span<const Linear> linear, brief::VecX& dp) override;
  void sweep(std::span<const NewtonPoint> points, brief::VecX& p, brief::VecX& w) override;
  /// Velocities with the impulses that `rates` was asked for last, to the bodies of the island.
  void store(std::span<double> v) const;

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6>;
  struct Contact {
    int end[2];             // bodies of the island; -1: it does not move
    Rows J[2];              // rows x 6, by the velocities of the ends
    Rows MJ[2];             // the transpose of M^-1 J^T
    Vec6 u = Vec6::Zero();  // of ends that do not move, less the targets
  };
  struct Weight {
    Mat6 inverse, K;  // of D + eps E diag W; that times E
  };
  static constexpr int kDense = dense::SmallLu::kMost;  // unknowns

  int number(int body);
  Eigen::Index at_row(std::size_t i) const { return static_cast<Eigen::Index>(i) * rows_; }
  bool factor_dense();
  bool factor_sparse();
  template <class Add>
  void add_blocks(const Add& add) const;
  void push(const Contact& c, int first, const Vec3& dp, brief::VecX& v) const;
  Vec6 rate(const Contact& c, const brief::VecX& v) const;

  int rows_;
  brief::vector<int> bodies_;       // of the island
  brief::map<int, int> number_of_;  // of bodies, in it
  brief::vector<Contact> contacts_;
  brief::vector<Weight> weights_;
  brief::VecX free_, v_;
  dense::SmallLu dense_;
  BlockLu lu_;
  bool analysed_ = false;
};

}  // namespace trammel::constraint::piles
