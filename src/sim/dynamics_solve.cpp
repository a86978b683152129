// What Dynamics answers at the state that it stands at.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "law/targets.h"
#include "math/dense.h"
#include "math/index.h"
#include "model/ledger.h"
#include "sim/dynamics.h"
#include "solve/product.h"

namespace trammel::sim {

namespace {

constexpr double kAsked = 1e-8;  // share of what is asked of rows that may be left
constexpr double kDriven =
    1e-9;  // share of the greatest rate below which a coordinate drives nothing

double greatest(const std::vector<double>& x) {
  double out = 0;
  for (const double v : x) out = std::max(out, std::abs(v));
  return out;
}
double greatest_share(const std::vector<double>& x, const std::vector<double>& of) {
  double out = 0;
  for (std::size_t i = 0; i < x.size(); ++i) out = std::max(out, std::abs(x[i]) / of[i]);
  return out;
}

/// x with S x = r on the rows of the factor, refined until rounding is left. Where rows depend on
/// each other and r is consistent, the least one.
std::vector<double> solve_refined(const solve::Direct& direct, const std::vector<double>& r) {
  constexpr int kPasses = 5;
  std::vector<double> x(r.size(), 0.), left = r, product(r.size());
  double last = law::kInf;
  for (int pass = 0; pass < kPasses; ++pass) {
    const std::span<const unsigned char> active = direct.active();
    for (std::size_t i = 0; i < r.size(); ++i) left[i] = active[i] ? r[i] : 0;
    if (pass > 0) {
      direct.apply(x.data(), product.data());
      for (std::size_t i = 0; i < r.size(); ++i) left[i] -= product[i];
    }
    const double worst = greatest(left);
    if (worst == 0 || !(worst < 0.5 * last)) break;
    last = worst;
    direct.solve_factored(left.data());
    for (std::size_t i = 0; i < r.size(); ++i) x[i] += left[i];
  }
  return x;
}

}  // namespace

void Dynamics::need_coordinates() const {
  if (!why_not_.empty()) throw std::invalid_argument(why_not_);
}

void Dynamics::check(const VecX& x, std::size_t n, const char* what) const {
  if (x.size() != static_cast<Eigen::Index>(n))
    throw std::invalid_argument(
        fmt::format("{}: {} numbers are given where {} are taken", what, x.size(), n));
  if (!x.allFinite()) throw std::invalid_argument(fmt::format("{}: not all are finite", what));
}

VecX Dynamics::momenta(const VecX& u) const {
  VecX P(u.size());
  for (const model::PoolSlot& s : model_->pools)
    s.pool->momentum(kin_->derived().data() + s.derived, state_.q.data() + s.q, u.data() + s.v,
                     P.data() + s.v);
  return P;
}

void Dynamics::add_transpose(const std::vector<double>& rows, VecX& f) const {
  solve::add_transpose(kin_->graph(), now_.J.data(), rows.data(), f.data());
}

/// The motion that gives the rows that hold these rates.
VecX Dynamics::motion(const std::vector<double>& rates) const {
  VecX f = VecX::Zero(u_.size()), out(u_.size());
  add_transpose(solve_refined(*direct_, rates), f);
  solve::apply_inverse_mass(kin_->graph(), now_.inv_mass.data(), f.data(), out.data());
  std::vector<double> made(rates.size());
  solve::multiply(kin_->graph(), now_.J.data(), out.data(), made.data());
  double left = 0, scale = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (!active_[i]) continue;
    left = std::max(left, std::abs(made[i] - rates[i]));
    scale = std::max(scale, std::abs(rates[i]));
  }
  if (!(left <= kAsked * scale))
    throw std::invalid_argument(
        "what is asked of the coordinates contradicts the rows of the mechanism at this state");
  return out;
}

/// The forces of the rows that hold which make up a covector on u; what they cannot is left.
std::vector<double> Dynamics::forces_of(const VecX& covector) const {
  constexpr int kPasses = 3;
  std::vector<double> out(active_.size(), 0.), r(active_.size());
  VecX left = covector, moved(covector.size());
  for (int pass = 0; pass < kPasses; ++pass) {
    solve::apply_inverse_mass(kin_->graph(), now_.inv_mass.data(), left.data(), moved.data());
    solve::multiply(kin_->graph(), now_.J.data(), moved.data(), r.data());
    const std::vector<double> more = solve_refined(*direct_, r);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += more[i];
    left = covector;
    std::vector<double> all = out;
    for (double& x : all) x = -x;
    add_transpose(all, left);
  }
  return out;
}

VecX Dynamics::position() const {
  return Eigen::Map<const VecX>(now_.g.data() + n_rows_, count(y_));
}
VecX Dynamics::velocity() const {
  return Eigen::Map<const VecX>(rate_.data() + n_rows_, count(y_));
}

double Dynamics::scale(std::size_t k) const {
  const bool length = model::checked(*built_, y_.at(k)).row.unit() == joint::Unit::metre;
  return length && kin_->longest() > 0 ? kin_->longest() : 1;
}

MatX Dynamics::mass_matrix() const {
  const Eigen::Index n = u_.size();
  MatX M(n, n);
  for (Eigen::Index k = 0; k < n; ++k) M.col(k) = momenta(VecX::Unit(n, k));
  return M;
}

VecX Dynamics::gravity_force() const {
  VecX f = VecX::Zero(u_.size());
  kin_->add_gravity(now_, f.data());
  return f;
}

std::vector<int> Dynamics::rows() const {
  std::vector<int> out;
  for (std::size_t i = 0; i < n_rows_; ++i)
    if (held_[i]) out.push_back(static_cast<int>(i));
  return out;
}

MatX Dynamics::constraint_jacobian() const {
  const std::vector<int> list = rows();
  MatX J(count(list), u_.size());
  std::vector<double> x(active_.size(), 0.);
  for (std::size_t k = 0; k < list.size(); ++k) {
    VecX row = VecX::Zero(u_.size());
    x[at_(list[k])] = 1;
    add_transpose(x, row);
    x[at_(list[k])] = 0;
    J.row(static_cast<Eigen::Index>(k)) = row.transpose();
  }
  return J;
}

VecX Dynamics::constraint_bias() const {
  const std::vector<int> list = rows();
  VecX out(count(list));
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::size_t i = at_(list[k]);
    out[static_cast<Eigen::Index>(k)] = bias_[i] - (*specs_)[i].target.a;
  }
  return out;
}

MatX Dynamics::point_jacobian(model::BodyHandle body, const Vec3& p_B) const {
  const model::Object& o = built_->objects[at_(model::checked(*built_, body))];
  if (!p_B.allFinite()) throw std::invalid_argument("the point is not finite");
  MatX out = MatX::Zero(6, u_.size());
  if (o.block < 0) return out;
  const model::Block& b = built_->blocks[at_(o.block)];
  const model::PoolSlot& s = built_->pools[at_(o.pool)];
  std::vector<body::Rate> rate(at_(s.pool->n_blocks * s.pool->n_objects));
  std::vector<body::Bias> bias(rate.size());
  for (int k = 0; k < b.n; ++k) {
    const VecX unit = VecX::Unit(u_.size(), b.v + k);
    s.pool->rates_of(b.index, 1, kin_->derived().data() + s.derived, state_.q.data() + s.q,
                     unit.data() + s.v, now_.T_WO.data() + s.object, rate.data(), bias.data());
    const body::Rate& r = rate[at_(o.index)];
    const body::Transform& T = now_.T_WO[at_(s.object + o.index)];
    out.col(b.v + k) << r.v + r.A * (p_B - o.com), body::angular_velocity(o.motion_kind, T, r);
  }
  return out;
}

MatX Dynamics::motion_of_coordinates() const {
  need_coordinates();
  MatX N(u_.size(), count(y_));
  std::vector<double> rates(active_.size(), 0.);
  for (std::size_t k = 0; k < y_.size(); ++k) {
    rates[n_rows_ + k] = 1;
    N.col(static_cast<Eigen::Index>(k)) = motion(rates);
    rates[n_rows_ + k] = 0;
  }
  return N;
}

MatX Dynamics::mass() const {
  const MatX N = motion_of_coordinates();
  MatX out(N.cols(), N.cols());
  for (Eigen::Index k = 0; k < N.cols(); ++k) out.col(k) = N.transpose() * momenta(N.col(k));
  return 0.5 * (out + out.transpose());
}

VecX Dynamics::bias_force() const {
  need_coordinates();
  const VecX covector = momenta(motion(wanted_accelerations(nullptr))) - f_;
  const std::vector<double> x = forces_of(covector);
  return Eigen::Map<const VecX>(x.data() + n_rows_, count(y_));
}

VecX Dynamics::gravity_bias() const {
  return -motion_of_coordinates().transpose() * gravity_force();
}

MatX Dynamics::coordinate_jacobian(model::BodyHandle body, const Vec3& p_B) const {
  return point_jacobian(body, p_B) * motion_of_coordinates();
}

/// Accelerations of all rows that hold, less their bias; of the coordinates as given, or zero.
std::vector<double> Dynamics::wanted_accelerations(const VecX* y_ddot) const {
  std::vector<double> out(active_.size(), 0.);
  for (std::size_t i = 0; i < n_rows_; ++i)
    if (held_[i]) out[i] = (*specs_)[i].target.a - bias_[i];
  for (std::size_t k = 0; k < y_.size(); ++k)
    out[n_rows_ + k] = (y_ddot ? (*y_ddot)[static_cast<Eigen::Index>(k)] : 0) - bias_[n_rows_ + k];
  return out;
}

/// The motion with these accelerations and forces of the rows that hold.
Dynamics::Motion Dynamics::result(VecX u_dot, const std::vector<double>& rows) const {
  Motion out;
  out.u_dot = std::move(u_dot);
  std::vector<double> made(active_.size());
  solve::multiply(kin_->graph(), now_.J.data(), out.u_dot.data(), made.data());
  out.y_ddot.resize(count(y_));
  for (std::size_t k = 0; k < y_.size(); ++k)
    out.y_ddot[static_cast<Eigen::Index>(k)] = made[n_rows_ + k] + bias_[n_rows_ + k];
  for (std::size_t i = 0; i < n_rows_; ++i) out.row_forces.push_back(known_[i] + rows[i]);
  out.coordinate_forces.assign(rows.begin() + static_cast<long>(n_rows_), rows.end());
  out.tau = Eigen::Map<const VecX>(out.coordinate_forces.data(), count(y_));
  return out;
}

Dynamics::Motion Dynamics::forward(const VecX& tau) const {
  check(tau, y_.size(), "forces on the coordinates");
  if (kin_->light()) return inverse(dense::Cholesky(mass()).solve(tau - bias_force()));
  std::vector<double> rows(active_.size(), 0.), r(active_.size());
  for (std::size_t k = 0; k < y_.size(); ++k) rows[n_rows_ + k] = tau[static_cast<Eigen::Index>(k)];
  VecX f = f_, a(u_.size());
  add_transpose(rows, f);
  if (!by_mass_->factor({now_.J.data(), inverse_mass_.data(), zero_.data(), held_.data()}))
    throw std::invalid_argument("the rows of this state have no factor");
  const std::vector<double> wanted = wanted_accelerations(nullptr);
  for (int pass = 0; pass < 3; ++pass) {
    solve::apply_inverse_mass(kin_->graph(), inverse_mass_.data(), f.data(), a.data());
    solve::multiply(kin_->graph(), now_.J.data(), a.data(), r.data());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = held_[i] ? wanted[i] - r[i] : 0;
    if (pass == 2) break;
    const std::vector<double> more = solve_refined(*by_mass_, r);
    for (std::size_t i = 0; i < n_rows_; ++i) rows[i] += more[i];
    add_transpose(more, f);
  }
  return result(std::move(a), rows);
}

Dynamics::Motion Dynamics::inverse(const VecX& y_ddot) const {
  need_coordinates();
  check(y_ddot, y_.size(), "accelerations of the coordinates");
  VecX u_dot = motion(wanted_accelerations(&y_ddot));
  const VecX covector = momenta(u_dot) - f_;
  Motion out = result(std::move(u_dot), forces_of(covector));
  return actuated_.empty() ? out : by_other_forces(std::move(out), covector);
}

/// Forces on the actuated coordinates that do the same work as those on y, and what rows then
/// carry.
Dynamics::Motion Dynamics::by_other_forces(Motion out, const VecX& covector) const {
  const auto n = count(y_), m = count(actuated_);
  const MatX N = motion_of_coordinates();
  MatX T(m, n);  // rates of the actuated coordinates
  std::vector<double> made(active_.size());
  for (int k = 0; k < n; ++k) {
    const VecX column = N.col(k);
    solve::multiply(kin_->graph(), now_.J.data(), column.data(), made.data());
    T.col(k) = Eigen::Map<const VecX>(made.data() + n_rows_ + y_.size(), m);
  }
  const dense::RankLu lu(T.transpose(), kDriven);
  if (m > n)
    throw std::invalid_argument(fmt::format(
        "the forces are underdetermined: {} coordinates are actuated where {} move", m, n));
  if (lu.rank() < n)
    throw std::invalid_argument(fmt::format(
        "the forces are overdetermined: the {} actuated coordinates drive {} of {} motions", m,
        lu.rank(), n));
  out.tau = lu.solve(out.tau);
  std::vector<double> acting(active_.size(), 0.);
  for (int k = 0; k < m; ++k) acting[n_rows_ + y_.size() + at_(k)] = -out.tau[k];
  VecX left = covector;
  add_transpose(acting, left);
  std::vector<double> rows = forces_of(left);
  for (std::size_t i = n_rows_; i < rows.size(); ++i) rows[i] = -acting[i];
  for (std::size_t i = 0; i < n_rows_; ++i) out.row_forces[i] = known_[i] + rows[i];
  out.coordinate_forces.assign(rows.begin() + static_cast<long>(n_rows_), rows.end());
  return out;
}

std::vector<model::Reaction> Dynamics::reactions(const Motion& motion) const {
  if (motion.row_forces.size() != n_rows_)
    throw std::invalid_argument("the motion is none of this mechanism");
  std::vector<double> rows = motion.row_forces;
  rows.resize(active_.size(), 0.);
  std::vector<model::Reaction> out;
  model::reactions(*kin_, flags_, now_, rows, out);
  out.resize(built_->joints.size());
  for (std::size_t k = 0; k < motion.coordinate_forces.size(); ++k) {
    const model::CoordinateHandle h = k < y_.size() ? y_[k] : actuated_[k - y_.size()];
    const joint::Coordinate& c = model::checked(*built_, h);
    const model::Reaction more =
        model::reaction_along(*kin_, now_, h.joint, c.row, c.sign * motion.coordinate_forces[k]);
    out[h.joint].force += more.force;
    out[h.joint].torque += more.torque;
  }
  return out;
}

/// Returns `angle` for rows and coordinates that are angles, and for others that many of what they
/// are compared with, in the order of place()'s residuals.
std::vector<double> Dynamics::sizes(double angle, double others) const {
  std::vector<double> out;
  const auto add = [&](joint::Unit unit) {
    const bool turns = unit == joint::Unit::radian;
    out.push_back(turns ? angle : others * model_->scales.value(unit));
  };
  for (std::size_t i = 0; i < n_rows_; ++i) add(model_->rows[i].row.unit());
  for (const model::CoordinateHandle& h : y_) add(model::checked(*built_, h).row.unit());
  out.resize(active_.size(), 1);
  return out;
}

/// Brings a state to the coordinates y along its rows, by Newton's steps.
void Dynamics::place(model::State& s, const VecX& y) {
  constexpr int kSteps = 200;
  constexpr double kClose = 1e-10;                       // of the mechanism's length, [rad]
  constexpr double kLargestTurn = 0.3, kLongestWay = 3;  // of a step: [rad], of that length
  std::vector<double> r(active_.size(), 0.);
  const std::vector<double> size = sizes(1, 1), most = sizes(kLargestTurn, kLongestWay);
  double last = law::kInf;
  for (int k = 0; k < kSteps; ++k) {
    look(s, k == 0);
    rank(true);  // the factor
    for (std::size_t i = 0; i < n_rows_; ++i)
      if (const auto value = law::held_value((*specs_)[i]); held_[i] && value)
        r[i] = *value - now_.g[i];
      else
        r[i] = 0;
    for (std::size_t i = 0; i < y_.size(); ++i)
      r[n_rows_ + i] = y[static_cast<Eigen::Index>(i)] - now_.g[n_rows_ + i];
    const double worst = greatest_share(r, size);
    if (worst == 0 || (worst < kClose && !(worst < 0.5 * last))) return;
    last = worst;
    const double part = std::min(1., 1 / greatest_share(r, most));
    for (double& x : r) x *= part;
    const VecX dq = motion(r);
    kin_->retract(dq.data(), s.q.data());
    model::keep_turns(*model_, now_, flags_.angle);
    std::copy_n(flags_.angle.begin(), s.angle.size(), s.angle.begin());
    for (std::size_t i = 0; i < s.s.size(); ++i) s.s[i] = now_.arc[i].s;
  }
  throw std::invalid_argument(
      fmt::format("no place with these coordinates is found from this state: {:.3g} of the "
                  "mechanism's length, or rad, are left after {} steps",
                  last, kSteps));
}

model::State Dynamics::moved(const VecX& y, const VecX& y_dot) {
  need_coordinates();
  check(y, y_.size(), "coordinates");
  check(y_dot, y_.size(), "rates of the coordinates");
  const model::State before = state_;
  model::State out = before;
  place(out, y);
  std::vector<double> rates(active_.size(), 0.);
  for (std::size_t i = 0; i < n_rows_; ++i)
    if (held_[i]) rates[i] = (*specs_)[i].target.v - now_.g_t[i];
  for (std::size_t k = 0; k < y_.size(); ++k)
    rates[n_rows_ + k] = y_dot[static_cast<Eigen::Index>(k)] - now_.g_t[n_rows_ + k];
  const VecX u = motion(rates), P = momenta(u);
  out.P.assign(P.begin(), P.end());
  if (!out.u.empty()) out.u.assign(u.begin(), u.end());
  std::fill(out.ledger.begin(), out.ledger.end(), 0.);
  std::fill(out.rows.impulse.begin(), out.rows.impulse.end(), 0.);
  out.velocity = {};
  out.energy.forget();
  at(before);
  return out;
}

}  // namespace trammel::sim
