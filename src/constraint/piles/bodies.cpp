#include "constraint/piles/bodies.h"

#include <algorithm>

namespace trammel::constraint::piles {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6>;

/// Rows of a point by the velocity of its end b; those of a are the opposite.
Rows gradient(const ContactPoint& c, const Vec3& r, int rows, double side) {
  Rows J = Rows::Zero(rows, 6);
  const Vec3 axes[3] = {c.n, c.t, c.s};
  for (int i = 0; i < 3; ++i) {
    J.block<1, 3>(i, 0) = side * axes[i].transpose();
    J.block<1, 3>(i, 3) = side * r.cross(axes[i]).transpose();
    if (rows == 6) J.block<1, 3>(3 + i, 3) = side * axes[i].transpose();
  }
  return J;
}

Rows weighed(const Rows& J, const ContactBody& body) {
  Rows out(J.rows(), 6);
  out.leftCols<3>() = body.inv_mass * J.leftCols<3>();
  out.rightCols<3>() = J.rightCols<3>() * body.inv_inertia;
  return out;
}

}  // namespace

BodyOperator::BodyOperator(std::span<const ContactBody> bodies,
                           std::span<const ContactPoint> points, std::span<const int> chosen,
                           std::span<const ContactTargets> targets, int rows,
                           std::span<const double> v)
    : rows_(rows) {
  contacts_.reserve(chosen.size());
  for (int i : chosen) {
    const ContactPoint& c = points[at(i)];
    Contact out{};
    out.u << -targets[at(i)].u, -targets[at(i)].w;
    if (!takes_part(targets[at(i)])) out.u[0] = 0;
    for (int side = 0; side < 2; ++side) {
      const int body = side ? c.b : c.a;
      const Rows J = gradient(c, side ? c.r_b : c.r_a, rows, side ? 1 : -1);
      out.end[side] = moves(bodies[at(body)]) ? number(body) : -1;
      if (out.end[side] < 0) out.u.head(rows) += J * Eigen::Map<const Vec6>(&v[6 * at(body)]);
      out.J[side] = J;
      out.MJ[side] = weighed(J, bodies[at(body)]);
    }
    contacts_.push_back(out);
  }
  weights_.resize(contacts_.size());
  free_.resize(6 * static_cast<Eigen::Index>(bodies_.size()));
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    free_.segment<6>(6 * static_cast<Eigen::Index>(i)) =
        Eigen::Map<const Vec6>(&v[6 * at(bodies_[i])]);
  v_ = free_;
}

int BodyOperator::number(int body) {
  const auto [it, is_new] = number_of_.try_emplace(body, static_cast<int>(bodies_.size()));
  if (is_new) bodies_.push_back(body);
  return it->second;
}

Vec6 BodyOperator::rate(const Contact& c, const brief::VecX& v) const {
  Vec6 u = Vec6::Zero();
  for (int side = 0; side < 2; ++side)
    if (c.end[side] >= 0) u.head(rows_) += c.J[side] * v.segment<6>(6 * c.end[side]);
  return u;
}

/// Gives v impulses dp of rows first.. of a point.
void BodyOperator::push(const Contact& c, int first, const Vec3& dp, brief::VecX& v) const {
  for (int side = 0; side < 2; ++side)
    if (c.end[side] >= 0)
      v.segment<6>(6 * c.end[side]) += c.MJ[side].middleRows<3>(first).transpose() * dp;
}

void BodyOperator::rates(const brief::VecX& p, brief::VecX& w) {
  v_ = free_;
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    for (int first = 0; first < rows_; first += 3)
      push(contacts_[i], first, vec3(p.data() + at_row(i) + first), v_);
  w.resize(p.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    w.segment(at_row(i), rows_) = (rate(contacts_[i], v_) + contacts_[i].u).head(rows_);
}

void BodyOperator::store(std::span<double> v) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    std::copy_n(v_.data() + 6 * i, 6, &v[6 * at(bodies_[i])]);
}

void BodyOperator::sweep(std::span<const NewtonPoint> points, brief::VecX& p, brief::VecX& w) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& c = contacts_[i];
    double* x = p.data() + at_row(i);
    Vec6 u = rate(c, v_) + c.u;
    push(c, 0, solve_cone_rows(points[i], u.data(), x), v_);
    if (rows_ < 6) continue;
    u = rate(c, v_) + c.u;
    push(c, 3, solve_turn_rows(points[i], u.data(), x), v_);
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    w.segment(at_row(i), rows_) = (rate(contacts_[i], v_) + contacts_[i].u).head(rows_);
}

/// add(i, k, block): of M^-1 J^T K J, by the bodies; those of points of a pair at once.
template <class Add>
void BodyOperator::add_blocks(const Add& add) const {
  const auto product = [&](std::size_t i, int side, int other) -> Mat6 {
    const Contact& c = contacts_[i];
    if (rows_ == 6)
      return c.MJ[side].topRows<6>().transpose() * weights_[i].K * c.J[other].topRows<6>();
    return c.MJ[side].topRows<3>().transpose() * weights_[i].K.topLeftCorner<3, 3>() *
           c.J[other].topRows<3>();
  };
  for (std::size_t first = 0, last = 0; first < contacts_.size(); first = last) {
    const int* end = contacts_[first].end;
    while (last < contacts_.size() && contacts_[last].end[0] == end[0] &&
           contacts_[last].end[1] == end[1])
      ++last;
    for (int side = 0; side < 2; ++side)
      for (int other = 0; other < 2; ++other) {
        if (end[side] < 0 || end[other] < 0) continue;
        Mat6 sum = product(first, side, other);
        for (std::size_t i = first + 1; i < last; ++i) sum += product(i, side, other);
        add(end[side], end[other], sum);
      }
  }
}

bool BodyOperator::factor(std::span<const NewtonPoint> points, std::span<const Linear> linear,
                          const brief::VecX& added) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    Vec6 own = Vec6::Zero();
    own.head(rows_) = added.segment(static_cast<Eigen::Index>(i) * rows_, rows_);
    const Mat6 sum = linear[i].D + linear[i].E * own.asDiagonal().toDenseMatrix();
    weights_[i].inverse.setZero();
    if (rows_ == 3)
      weights_[i].inverse.topLeftCorner<3, 3>() = sum.topLeftCorner<3, 3>().inverse();
    else
      weights_[i].inverse = sum.inverse();
    weights_[i].K = weights_[i].inverse * linear[i].E;
  }
  return free_.size() <= kDense ? factor_dense() : factor_sparse();
}

bool BodyOperator::factor_dense() {
  dense::SmallLu::Matrix A = dense::SmallLu::Matrix::Identity(free_.size(), free_.size());
  add_blocks([&](int i, int k, const Mat6& block) { A.block<6, 6>(6 * i, 6 * k) += block; });
  dense_.compute(A);
  return true;
}

bool BodyOperator::factor_sparse() {
  if (!analysed_) {
    std::vector<std::pair<int, int>> edges;
    for (const Contact& c : contacts_)
      if (c.end[0] >= 0 && c.end[1] >= 0) edges.emplace_back(c.end[0], c.end[1]);
    lu_.analyse(static_cast<int>(bodies_.size()), edges);
    analysed_ = true;
  }
  lu_.set_identity();
  add_blocks([&](int i, int k, const Mat6& block) { lu_.add(i, k, block); });
  return lu_.factor();
}

void BodyOperator::step(std::span<const Linear> linear, brief::VecX& dp) {
  dp.resize(at_row(contacts_.size()));
  brief::VecX right = VecX::Zero(free_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Vec6 y = -(weights_[i].inverse * linear[i].F);
    for (int first = 0; first < rows_; first += 3)
      push(contacts_[i], first, y.segment<3>(first), right);
  }
  brief::VecX dv = right;
  if (right.size() <= kDense)
    dense_.solve(dv.data());
  else
    lu_.solve(dv);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Vec6 out = -(weights_[i].inverse * (linear[i].F + linear[i].E * rate(contacts_[i], dv)));
    dp.segment(at_row(i), rows_) = out.head(rows_);
  }
}

}  // namespace trammel::constraint::piles
