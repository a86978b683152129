// The minimisation of the energy formulation: Newton iteration by the joints, with a line search.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "form/energy.h"
#include "math/index.h"
#include "math/parallel.h"
#include "solve/product.h"

namespace trammel::form {

namespace {

constexpr double kSufficient = 1e-4;  // Armijo's share of the predicted decrease
constexpr double kNear = 1e-9;  // Newton steps this small are taken without a line search [m, rad]
constexpr double kLargestTurn = 0.5;    // longer Newton steps are cut [rad]
constexpr double kOfObjective = 1e-14;  // rounding of the objective, relative

constexpr double kRounded = 1e-13;  // Newton steps of so much of size() may be rounding
constexpr double kSmall = 0.1;      // share of the inertia that stress must leave
constexpr int kGrain = 128;         // bodies in one go

using Rows = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
using Rows9 = Eigen::Matrix<double, 9, 9, Eigen::RowMajor>;

/// Returns tr(S) 1 - S, the inertia tensor of a second moment S.
Mat3 inertia_of(const Mat3& S) { return S.trace() * Mat3::Identity() - S; }

/// Returns the nearest symmetric matrix without negative eigenvalues.
Mat3 without_negative(const Mat3& S) {
  const Eigen::SelfAdjointEigenSolver<Mat3> e(S);
  if (e.eigenvalues()[0] >= 0) return S;
  return e.eigenvectors() * e.eigenvalues().cwiseMax(0).asDiagonal() * e.eigenvectors().transpose();
}
}  // namespace

/// Computes the gradient on the block's unknowns, without the rows and terms that the joints'
/// system carries.
void Energy::make_gradient(std::size_t o) {
  const model::Object& object = model_->objects[o];
  body::Covector c;
  c.f = inertia_[o].f / target_.a - loads_[o].f;
  c.F = inertia_[o].F / target_.a - loads_[o].F;
  if (mu_[o] > 0) c.F += at_.T_WO[o].A * stress_[o];
  body::pull_back(object.motion_kind, at_.T_WO[o], c,
                  gradient_.data() + model_->blocks[at(object.block)].v);
}

/// Adds the gradient of row potentials that have no curvature.
void Energy::add_flat_rows() {
  bool any = false;
  std::fill(pull_.begin(), pull_.end(), 0.0);
  for (std::size_t i = 0; i < n_rows(); ++i)
    if (role_[i] == Role::potential && !active_[at(in_system_[i])] && slope_[i] != 0) {
      pull_[i] = slope_[i];
      any = true;
    }
  if (any) solve::add_transpose(kin_->graph(), at_.J.data(), pull_.data(), gradient_.data());
}

/// Makes the second derivative of the block of an object that turns as a whole. The whole is
/// positive near the minimum; where it is not, only the part that makes it stiffer counts.
bool Energy::make_turning(std::size_t o) {
  const model::Object& object = model_->objects[o];
  const model::PoolSlot& s = model_->pools[at(object.pool)];
  const body::Transform& T_WO = at_.T_WO[o];
  const Mat3 A = T_WO.A, own = A * inertia_of(second_[o]) * A.transpose() / target_.a;
  double turn[36] = {};
  const Mat3 F = inertia_[o].F / target_.a - loads_[o].F - rows_[o].F;
  s.pool->add_second_variation(T_WO, 0, Vec3::Zero(), F, turn);
  const Mat3 more = Eigen::Map<Rows>(turn).bottomRightCorner<3, 3>();
  Mat3 sum = own + more;
  if (Eigen::SelfAdjointEigenSolver<Mat3>(sum, Eigen::EigenvaluesOnly).eigenvalues()[0] <
      kSmall * own.diagonal().minCoeff())
    sum = own + without_negative(more);
  return cholesky_.set_rigid(object.block, mass_[o] / target_.a + drag_[o], sum);
}

/// Makes the second derivative of the block of an object whose unknowns are its place. Inertia and
/// the stress T weigh the rows of A alike, S/a + T: where that is not positive, T's positive part
/// counts.
bool Energy::make_embedded(std::size_t o) {
  const model::Object& object = model_->objects[o];
  const Mat3 S = second_[o] / target_.a;
  Eigen::SelfAdjointEigenSolver<Mat3> N;
  Mat3 sum = has_strain_rows_[o] ? Mat3(S + stress_[o]) : S;
  N.computeDirect(sum);
  if (!(N.eigenvalues()[0] > kSmall * least_second_[o] / target_.a)) {
    sum = S + without_negative(stress_[o]);
    N.computeDirect(sum);
  }
  const Mat3& A = at_.T_WO[o].A;
  const double mass = mass_[o] / target_.a + drag_[o], mu = mu_[o];
  if (exceeds_small_strain_ && mu > 0) {
    Rows9 K = Rows9::Zero();
    for (int i = 0; i < 3; ++i) K.block<3, 3>(3 * i, 3 * i) = sum;
    for (int u = 0; u < 3; ++u)
      for (int v = 0; v < 3; ++v) {
        Eigen::Matrix<double, 9, 1> e = Eigen::Matrix<double, 9, 1>::Zero();
        for (int i = 0; i < 3; ++i) {
          e[3 * i + v] += 0.5 * A(i, u);
          e[3 * i + u] += 0.5 * A(i, v);
        }
        K += mu * e * e.transpose();
      }
    return cholesky_.set_dense(object.block, mass, K.data());
  }
  // next to a rotation A (3 - A^T A)/2 is one but for the strain's square
  const Mat3 R =
      mu > 0 ? Mat3(0.5 * A * (3 * Mat3::Identity() - A.transpose() * A)) : Mat3::Identity();
  cholesky_.set_affine(object.block, mass, R, N.eigenvectors(), N.eigenvalues(), mu);
  return true;
}

bool Energy::make_block(std::size_t o) {
  const model::Object& object = model_->objects[o];
  const bool good = body::is_embedded(object.motion_kind) ? make_embedded(o) : make_turning(o);
  const auto v = at(model_->blocks[at(object.block)].v);
  cholesky_.covectors(object.block, 1, &gradient_[v], &scaled_[v]);
  return good;
}

/// Computes gradient, second derivatives and Jacobians at at_. Returns false where a block's second
/// derivative is not positive.
bool Energy::linearise() {
  if (!taken_.empty()) kin_->jacobians(flags_, at_);
  add_loads();
  if (any_curved_) {
    add_row_covectors();
    add_term_covectors();
  }
  add_stress_of_rows();
  if (exceeds_small_strain_) cholesky_.make_room();
  const auto objects = static_cast<int>(from_.size());
  const auto free = [&](int o) { return model_->objects[at(o)].block >= 0; };
  parallel::for_pieces(objects, kGrain, [&](int first, int last) {
    for (int o = first; o < last; ++o)
      if (free(o)) {
        double* g = gradient_.data() + model_->blocks[at(model_->objects[at(o)].block)].v;
        std::fill_n(g, model_->blocks[at(model_->objects[at(o)].block)].n, 0.);
        make_gradient(at(o));
      }
  });
  if (!taken_.empty()) add_flat_rows();
  std::atomic<bool> good = true;
  parallel::for_pieces(objects, kGrain, [&](int first, int last) {
    for (int o = first; o < last; ++o)
      if (free(o) && !make_block(at(o))) good = false;
  });
  parallel::for_pieces(static_cast<int>(taken_.size()), kGrain, [&](int first, int last) {
    for (int k = first; k < last; ++k) put_rows(taken_[at(k)]);
  });
  parallel::for_pieces(static_cast<int>(terms_.size()), kGrain, [&](int first, int last) {
    for (int k = first; k < last; ++k) put_terms(terms_[at(k)]);
  });
  return good;
}

/// Computes the Newton step dq = C z and the forces lambda of the rows from (J J^T + 1/k) lambda =
/// -r + J gradient, all in z. Needs linearise().
bool Energy::solve_newton_step(StepReport& report) {
  solve::multiply(graph_, J_.data(), scaled_.data(), rhs_.data());
  for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] = active_[i] ? rhs_[i] - r_[i] : 0;
  if (!solve_rows(report)) return false;
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = -scaled_[i];
  solve::add_transpose(graph_, J_.data(), lambda_.data(), z_.data());
  parallel::for_pieces(static_cast<int>(graph_.blocks.size()), kGrain, [&](int first, int last) {
    for (int b = first; b < last; ++b) {
      const auto u = at(graph_.u_offset[at(b)]);
      cholesky_.displacement(b, &z_[u], &dq_[u]);
    }
  });
  return true;
}

/// Solves for lambda with the right-hand side rhs_.
bool Energy::solve_rows(StepReport& report) {
  if (box_) return solve_within_stops(report);
  ++report.factorisations;
  if (!direct_->factor({J_.data(), nullptr, compliance_.data(), active_.data()})) {
    report.reason = "the joints' system cannot be factored";
    return false;
  }
  if (taken_.empty()) {  // every row has compliance: the next Newton step takes up what rounding
                         // leaves
    lambda_ = rhs_;
    direct_->solve_factored(lambda_.data());
  } else {
    direct_->solve(rhs_.data(), lambda_.data());
  }
  return true;
}

/// Returns the greatest displacement or turn of the Newton step dq_ [m, rad].
double Energy::newton_step_length() const {
  double most = 0;
  for (const double x : dq_) most = std::isfinite(x) ? std::max(most, std::abs(x)) : law::kInf;
  return most;
}

/// Returns the greatest coordinate of a body, but at least 1 [m], to which rounding of places is
/// relative.
double Energy::size() const {
  double size = 1;
  for (const body::Transform& p : now_.T_WO) size = std::max(size, p.p.cwiseAbs().maxCoeff());
  return size;
}

/// Searches along dq_ as far as the objective falls enough, and leaves at_ and q_ there. Returns
/// false where it does not fall.
bool Energy::search(StepReport& report) {
  const double length = newton_step_length();
  if (!(length < law::kInf)) return false;
  double step = length > kLargestTurn ? kLargestTurn / length : 1, worst = 0;
  for (std::size_t i = 0; !taken_.empty() && i < n_rows(); ++i)
    if (carries(role_[i])) worst = std::max(worst, std::abs(lambda_[at(in_system_[i])]));
  penalty_ = std::max(penalty_, 2 * worst);
  const double here = objective();
  double promised = 0;  // dq^T H dq
  for (const double z : z_) promised += z * z;
  q_base_ = q_;
  const auto go = [&](double part) {
    q_ = q_base_;
    const double* way = dq_.data();
    if (part < 1) {
      // gradient_ is free scratch here
      for (std::size_t i = 0; i < dq_.size(); ++i) gradient_[i] = part * dq_[i];
      way = gradient_.data();
    }
    retract(way, q_.data());
    return evaluate(q_.data());
  };
  for (int k = 0; k < 40; ++k, step /= 2) {
    if (!go(step)) continue;
    if (length * step < kNear) return true;
    double there = objective();
    if (!(there <= here - kSufficient * step * promised + kOfObjective * std::abs(here))) continue;
    if (k == 0) return true;
    // the full step went too far: where forces nearly have kinks Newton iteration would swing about
    // them, so the step is halved down to the least objective
    for (; k < 40; ++k, step /= 2) {
      const double next = go(step / 2) ? objective() : law::kInf;
      if (!(next < there)) return go(step);
      there = next;
    }
    return true;
  }
  report.reason = "the energy of the step falls no more before its gradient is zero";
  return false;
}

bool Energy::minimise(StepReport& report) {
  penalty_ = 0;
  const double size = this->size(), enough = std::max(settings_.tolerance, 1e-15 * size);
  double last = law::kInf;
  if (!evaluate(q_.data())) {
    report.reason = "joint '" + model_->joints[at(at_.lost_joint)].name + "' has lost its track";
    return false;
  }
  for (int k = 0; k < settings_.max_iterations; ++k) {
    if (!linearise()) {
      report.reason = "a body's second derivatives are not positive";
      return false;
    }
    if (!solve_newton_step(report)) return false;
    ++report.iterations;
    const double length = newton_step_length();
    if (!search(report)) return false;
    if (length <= enough) return true;
    if (length <= kRounded * size && length > last / 2) return true;  // Newton steps fall no more
    last = length;
  }
  report.reason = "the minimum of the step is not found within the iterations allowed";
  return false;
}

}  // namespace trammel::form
