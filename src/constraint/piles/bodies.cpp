#include "constraint/piles/bodies.h"

#include <algorithm>

namespace trammel::constraint::piles {

namespace {

constexpr double kSign[] = {-1, 1};  // rates of a point are those of its end b less those of a

/// Rows of moments that unit impulses along rows of `axes` make at r, with their sign.
Mat3 moments(const Mat3& axes, const Vec3& r, double sign) {
  Mat3 out;
  for (int i = 0; i < 3; ++i) out.row(i) = sign * r.cross(axes.row(i).transpose()).transpose();
  return out;
}

/// Rates of a point: along its axes, and about them.
struct Rates {
  Vec3 v = Vec3::Zero(), w = Vec3::Zero(), turned = Vec3::Zero();  // b less a; of moments
  [[gnu::always_inline]] void add(const Mat3& turn, double sign, const double* of) {
    v += sign * vec3(of);
    w += sign * vec3(of + 3);
    turned += turn * vec3(of + 3);
  }
  [[gnu::always_inline]] Vec6 along(const Mat3& axes, int rows) const {
    Vec6 out;
    out << axes * v + turned, rows == 6 ? Vec3(axes * w) : Vec3(Vec3::Zero());
    return out;
  }
};

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
    Rates still;
    out.axes << c.n.transpose(), c.t.transpose(), c.s.transpose();
    for (int side = 0; side < 2; ++side) {
      const int body = side ? c.b : c.a;
      const ContactBody& of = bodies[at(body)];
      out.end[side] = moves(of) ? number(body) : -1;
      out.turn[side] = moments(out.axes, side ? c.r_b : c.r_a, kSign[side]);
      out.turned[side] = out.turn[side] * of.inv_inertia;
      out.spun[side] = kSign[side] * out.axes * of.inv_inertia;
      out.inv_mass[side] = kSign[side] * of.inv_mass;
      if (out.end[side] < 0) still.add(out.turn[side], kSign[side], &v[6 * at(body)]);
    }
    out.u += still.along(out.axes, rows);
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
  Rates out;
  for (int side = 0; side < 2; ++side)
    if (c.end[side] >= 0) out.add(c.turn[side], kSign[side], v.data() + 6 * c.end[side]);
  return out.along(c.axes, rows_);
}

/// Gives v impulses along the axes of a point; the other, about these.
void BodyOperator::push(const Contact& c, const double* dp, brief::VecX& v) const {
  const Vec3 impulse = c.axes.transpose() * vec3(dp);
  for (int side = 0; side < 2; ++side) {
    if (c.end[side] < 0) continue;
    double* of = v.data() + 6 * c.end[side];
    vec3(of) += c.inv_mass[side] * impulse;
    vec3(of + 3) += c.turned[side].transpose() * vec3(dp);
  }
}
void BodyOperator::spin(const Contact& c, const Vec3& dp, brief::VecX& v) const {
  for (int side = 0; side < 2; ++side)
    if (c.end[side] >= 0) vec3(v.data() + 6 * c.end[side] + 3) += c.spun[side].transpose() * dp;
}

void BodyOperator::rates(const brief::VecX& p, brief::VecX& w) {
  v_ = free_;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    push(contacts_[i], p.data() + at_row(i), v_);
    if (rows_ == 6) spin(contacts_[i], vec3(p.data() + at_row(i) + 3), v_);
  }
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
    push(c, solve_cone_rows(points[i], u.data(), x).data(), v_);
    if (rows_ < 6) continue;
    u = rate(c, v_) + c.u;
    spin(c, solve_turn_rows(points[i], u.data(), x), v_);
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    w.segment(at_row(i), rows_) = (rate(contacts_[i], v_) + contacts_[i].u).head(rows_);
}

/// M^-1 J^T K J of a point, by the velocities of one end, for those of another.
template <int n>
Mat6 BodyOperator::product(std::size_t i, int side, int other) const {
  const Contact& c = contacts_[i];
  Eigen::Matrix<double, n, 6> J, MJ;
  J.template topRows<3>() << kSign[other] * c.axes, c.turn[other];
  MJ.template topRows<3>() << c.inv_mass[side] * c.axes, c.turned[side];
  if constexpr (n == 6) {
    J.template bottomRows<3>() << Mat3::Zero(), kSign[other] * c.axes;
    MJ.template bottomRows<3>() << Mat3::Zero(), c.spun[side];
  }
  return MJ.transpose() * weights_[i].K.template topLeftCorner<n, n>() * J;
}

/// add(i, k, block): of M^-1 J^T K J, by the bodies; those of points of a pair at once.
template <class Add>
void BodyOperator::add_blocks(const Add& add) const {
  const auto of = [&](std::size_t i, int side, int other) {
    return rows_ == 6 ? product<6>(i, side, other) : product<3>(i, side, other);
  };
  for (std::size_t first = 0, last = 0; first < contacts_.size(); first = last) {
    const int* end = contacts_[first].end;
    while (last < contacts_.size() && contacts_[last].end[0] == end[0] &&
           contacts_[last].end[1] == end[1])
      ++last;
    for (int side = 0; side < 2; ++side)
      for (int other = 0; other < 2; ++other) {
        if (end[side] < 0 || end[other] < 0) continue;
        Mat6 sum = of(first, side, other);
        for (std::size_t i = first + 1; i < last; ++i) sum += of(i, side, other);
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
    push(contacts_[i], y.data(), right);
    if (rows_ == 6) spin(contacts_[i], y.tail<3>(), right);
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
