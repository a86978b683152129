// The energy formulation's way to the minimum: Newton by the joints, with a line search.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "form/energy.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double kSufficient = 1e-4;  // Armijo's share of the decrease promised
constexpr double kNear = 1e-9;        // increments this small are taken as they are [m, rad]
constexpr double kLargestTurn = 0.5;  // and longer ones are cut [rad]
constexpr double kRounding = 1e-14;   // of the objective

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The nearest symmetric matrix without negative eigenvalues.
Mat3 without_negative(const Mat3& S) {
  const Eigen::SelfAdjointEigenSolver<Mat3> e(S);
  if (e.eigenvalues()[0] >= 0) return S;
  return e.eigenvectors() * e.eigenvalues().cwiseMax(0).asDiagonal() * e.eigenvectors().transpose();
}
}  // namespace

/// Gradient on the blocks' unknowns, but for rows and terms that the joints' system carries.
void Energy::make_gradient() {
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  for (std::size_t o = 0; o < from_.size(); ++o) {
    const model::Object& object = model_->objects[o];
    if (object.block < 0) continue;
    body::Covector c;
    c.f = inertia_[o].f / target_.a - loads_[o].f;
    c.F = inertia_[o].F / target_.a - loads_[o].F;
    body::pull_back(object.carrier, at_.place[o], c,
                    gradient_.data() + model_->blocks[at(object.block)].v);
  }
  // potentials that have no curvature
  std::fill(rhs_.begin(), rhs_.end(), 0.0);
  bool any = false;
  for (std::size_t i = 0; i < n_rows(); ++i)
    if (role_[i] == Role::potential && !active_[i] && slope_[i] != 0) {
      rhs_[i] = slope_[i];
      any = true;
    }
  if (any) solve::add_transpose(graph_, J_.data(), rhs_.data(), gradient_.data());
}

/// The second derivatives of each block alone, positive, and their inverses.
bool Energy::make_blocks() {
  for (const model::PoolSlot& s : model_->pools) {
    if (s.pool->n_blocks == 0) continue;
    const int n = s.pool->nv;
    double* H = H_.data() + graph_.blocks[at(s.block)].mass;
    s.pool->embedded_mass(kin_->derived().data() + s.derived, at_.place.data() + s.object, H);
    for (int i = 0; i < n * n * s.pool->n_blocks; ++i) H[i] /= target_.a;
    if (s.pool->carrier() != body::Carrier::rigid) continue;
    for (int i = 0; i < s.pool->n_blocks; ++i) {
      const auto o = at(s.object + i);
      double turn[36] = {};
      const Mat3 F = inertia_[o].F / target_.a - loads_[o].F - rows_[o].F;
      s.pool->add_second_variation(at_.place[o], 0, Vec3::Zero(), F, turn);
      Eigen::Map<Rows> block(H + 36 * i, 6, 6);
      const Mat3 own = block.bottomRightCorner(3, 3);
      const Mat3 more = Eigen::Map<Rows>(turn, 6, 6).bottomRightCorner(3, 3);
      // the whole is positive near the minimum; where it is not, only what makes it stiffer counts
      Mat3 sum = own + more;
      if (Eigen::SelfAdjointEigenSolver<Mat3>(sum).eigenvalues()[0] <
          0.1 * own.diagonal().minCoeff())
        sum = own + without_negative(more);
      block.bottomRightCorner(3, 3) = sum;
    }
  }
  for (std::size_t j = 0; j < model_->joints.size(); ++j)
    if (model_->joints[j].strain() && flags_.on[j]) add_strain(static_cast<int>(j));
  for (const solve::Graph::Block& b : graph_.blocks) {
    const Eigen::LLT<Rows> llt(Eigen::Map<const Rows>(H_.data() + b.mass, b.n, b.n));
    if (llt.info() != Eigen::Success) return false;
    Eigen::Map<Rows>(H_inv_.data() + b.mass, b.n, b.n) = llt.solve(Rows::Identity(b.n, b.n));
  }
  return true;
}

/// Elastic strain is of one body: its rows become part of that block's second derivatives, with
/// the geometric part sum T_ij da_i.da_j of the stress T made positive.
void Energy::add_strain(int j) {
  const model::Joint& joint = model_->joints[at(j)];
  const model::Block& block = model_->blocks[at(model_->objects[at(joint.object_A)].block)];
  const solve::Graph::Block& b = graph_.blocks[at(model_->objects[at(joint.object_A)].block)];
  Eigen::Map<Rows> H(H_.data() + b.mass, b.n, b.n);
  Mat3 T = Mat3::Zero();
  const int first_group = [&] {
    for (std::size_t g = 0; g < graph_.groups.size(); ++g)
      if (graph_.groups[g].row == joint.first_row) return static_cast<int>(g);
    return -1;
  }();
  const solve::Graph::Group& group = graph_.groups[at(first_group)];
  const double* J = J_.data() + graph_.ends[at(group.end)].J;
  for (int r = 0; r < group.m; ++r) {
    const auto i = at(joint.first_row + r);
    if (role_[i] != Role::potential || !active_[i]) continue;
    const Eigen::Map<const VecX> row(J + r * b.n, b.n);
    H += row * row.transpose() / compliance_[i];
    Eigen::Map<VecX>(gradient_.data() + block.v, b.n) += slope_[i] * row;
    active_[i] = 0;
    const joint::Product& p = model_->rows[i].row.of[0];
    const int u = static_cast<int>(p.u), v = static_cast<int>(p.v);
    T(u, v) += 0.5 * slope_[i];
    T(v, u) += 0.5 * slope_[i];
  }
  T = without_negative(T);
  for (int k = 3; k < b.n; k += 3) H.block(k, k, 3, 3) += T;
}

/// dq and the rows' pulls lambda from (J H^-1 J^T + C) lambda = -r + J H^-1 gradient.
bool Energy::solve_increment(StepReport& report) {
  solve::apply_inverse_mass(graph_, H_inv_.data(), gradient_.data(), f_.data());
  solve::multiply(graph_, J_.data(), f_.data(), rhs_.data());
  for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] = active_[i] ? rhs_[i] - r_[i] : 0;
  ++report.factorisations;
  if (!direct_->factor({J_.data(), H_inv_.data(), compliance_.data(), active_.data()})) {
    report.reason = "the joints' system cannot be factored";
    return false;
  }
  direct_->solve(rhs_.data(), lambda_.data());
  std::fill(f_.begin(), f_.end(), 0.0);
  solve::add_transpose(graph_, J_.data(), lambda_.data(), f_.data());
  for (std::size_t i = 0; i < f_.size(); ++i) f_[i] -= gradient_[i];
  solve::apply_inverse_mass(graph_, H_inv_.data(), f_.data(), dq_.data());
  return true;
}

/// Greatest displacement or turn.
double Energy::length_of_increment() const {
  double most = 0;
  for (const double x : dq_) most = std::isfinite(x) ? std::max(most, std::abs(x)) : law::kInf;
  return most;
}

double Energy::tolerance() const {
  double size = 1;
  for (const body::Place& p : now_.place) size = std::max(size, p.p.cwiseAbs().maxCoeff());
  return std::max(settings_.tolerance, 1e-15 * size);
}

/// Goes along dq as far as the objective falls enough; at_ and q_ are there.
bool Energy::search(StepReport& report) {
  const double length = length_of_increment();
  if (!(length < law::kInf)) return false;
  double step = length > kLargestTurn ? kLargestTurn / length : 1, worst = 0;
  for (std::size_t i = 0; i < n_rows(); ++i)
    if (role_[i] == Role::held || role_[i] == Role::rolled)
      worst = std::max(worst, std::abs(lambda_[i]));
  penalty_ = std::max(penalty_, 2 * worst);
  const double here = objective();
  double promised = 0;  // dq^T H dq and the rows' share, from the solution itself
  for (std::size_t i = 0; i < dq_.size(); ++i) promised += f_[i] * dq_[i];
  q_base_ = q_;
  std::vector<double>& scaled = gradient_;  // nobody's until the next increment
  for (int k = 0; k < 40; ++k, step /= 2) {
    q_ = q_base_;
    for (std::size_t i = 0; i < dq_.size(); ++i) scaled[i] = step * dq_[i];
    kin_->retract(scaled.data(), q_.data());
    if (!place(q_.data(), false)) continue;
    if (length * step < kNear) return true;
    const double there = objective();
    if (there <= here - kSufficient * step * promised + kRounding * std::abs(here)) return true;
  }
  report.reason = "the energy of the step falls no more before its gradient is zero";
  return false;
}

bool Energy::minimise(StepReport& report) {
  penalty_ = 0;
  const double enough = tolerance();
  for (int k = 0; k < settings_.max_iterations; ++k) {
    if (!place(q_.data(), true)) {
      report.reason = "joint '" + model_->joints[at(at_.lost_joint)].name + "' has lost its track";
      return false;
    }
    base_ = at_.place;
    add_loads();
    add_row_covectors();
    make_gradient();
    if (!make_blocks()) {
      report.reason = "a body's second derivatives are not positive";
      return false;
    }
    if (!solve_increment(report)) return false;
    ++report.iterations;
    const double length = length_of_increment();
    if (!search(report)) return false;
    if (length <= enough) return true;
  }
  report.reason = "the minimum of the step is not found within the iterations allowed";
  return false;
}

}  // namespace trammel::form
