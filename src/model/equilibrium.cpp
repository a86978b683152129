#include "model/equilibrium.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "law/at_rest.h"
#include "math/dense.h"
#include "math/index.h"
#include "solve/product.h"

namespace trammel::model {

namespace {

constexpr double kBalanced = 1e-11;  // force left, of the greatest
constexpr double kNearly = 1e-8;     // and where rounding leaves more
constexpr double kStiffnessStep =
    3e-5;                            // motion that stiffnesses are differences over, of the size
constexpr double kNothing = 1e-7;    // stiffness that is none, of forces by the size
constexpr double kRounding = 1e-11;  // and of the greatest stiffness
constexpr double kAside = 1e-6;      // force that belongs to other motions, of all that is left
constexpr int kMostMotions = 600;

/// Forces, rows and the motions that rows leave, all in the units of Kinematics::units(): every
/// motion in metres, every force in newtons.
class Balance {
 public:
  Balance(Draft& d, const Kinematics& kin, ConstraintSpecs& specs, double tolerance,
          KinematicsCache& at)
      : d_(&d),
        kin_(&kin),
        specs_(&specs),
        laws_(specs),
        tolerance_(tolerance),
        at_(&at),
        unit_(Eigen::Map<const VecX>(kin.units().data(), d.model.n_u)),
        stopped_(d.model.rows.size(), 0) {
    for (std::size_t i = 0; i < laws_.size(); ++i) roles_.push_back(law::at_rest(laws_[i]));
    for (const double u : kin.units())
      if (u != 1) size_ = std::min(size_, 1 / u);
    if (!std::isfinite(size_)) size_ = 1;
  }

  EquilibriumReport find() {
    EquilibriumReport out;
    out.wanted = true;
    name_left_out(out);
    close_stops();
    for (; out.iterations < kSteps; ++out.iterations) {
      take_place();
      out.motions = static_cast<int>(Z_.cols());
      out.force = force_;
      out.residual = Q_.size() ? Q_.cwiseAbs().maxCoeff() : 0;
      if (out.residual > kBalanced * force_) {
        if (move()) continue;
        if (out.residual > kNearly * force_) break;
      }
      if (release_stop()) continue;
      judge(out);
      return out;
    }
    complain_of_none(out);
    return out;
  }

 private:
  static constexpr int kSteps = 300;

  void name_left_out(EquilibriumReport& out) const {
    const Model& m = d_->model;
    for (std::size_t i = 0; i < m.rows.size(); ++i) {
      const LawOnRow& law = m.laws[at(m.rows[i].law)];
      if (!on(i) || law.joint < 0 || roles_[i] != law::AtRest::absent) continue;
      if (out.left_out.empty() || out.left_out.back() != law.name) out.left_out.push_back(law.name);
    }
  }

  bool on(std::size_t row) const { return d_->state.on[at(d_->model.rows[row].joint)] != 0; }
  /// True for a row that holds whatever it takes, stops that are reached among them.
  bool has_part(std::size_t i) const {
    if (!on(i)) return false;
    return roles_[i] == law::AtRest::holds || stopped_[i] != 0;
  }

  /// Stops that are reached hold from now on.
  void close_stops() {
    for (std::size_t i = 0; i < stopped_.size(); ++i)
      if (roles_[i] == law::AtRest::stops && on(i) && !laws_[i].is_open(at_->g[i], kPenetrated))
        hold_stop(i);
  }
  void hold_stop(std::size_t row) {
    stopped_[row] = 1;
    specs_->hold(row, {laws_[row].place(at_->g[row]), 0, 0});
  }

  /// All forces but those of rows that hold, and J of those, at coordinates q.
  void evaluate(const State& state, VecX& f, MatX& J) {
    kin_->transforms(state.q.data(), 0, *at_);
    kin_->jacobians(state, *at_);
    const Model& m = d_->model;
    std::vector<double> all(at(m.n_u), 0.), rest(all), rows(m.rows.size(), 0.);
    kin_->rates_at_loads(state.q.data(), rest.data(), *at_);
    scale_ = VecX::Zero(m.n_u);
    const auto take = [&] {
      const VecX part = Eigen::Map<const VecX>(all.data(), m.n_u);
      scale_ = scale_.cwiseMax((part - last_).cwiseAbs());
      last_ = part;
    };
    last_ = VecX::Zero(m.n_u);
    kin_->add_gravity(*at_, all.data());
    take();
    kin_->add_loads(*at_, false, all.data());
    kin_->add_loads(*at_, true, all.data());
    take();
    for (const PoolSlot& s : m.pools)
      s.pool->add_own_force(kin_->derived().data() + s.derived, state.q.data() + s.q,
                            rest.data() + s.v, all.data() + s.v);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (roles_[i] == law::AtRest::forces && on(i))
        rows[i] = row_force(m, d_->params, static_cast<int>(i), at_->g[i], 0, at_->still()).f;
    solve::add_transpose(kin_->graph(), at_->J.data(), rows.data(), all.data());
    take();
    f = last_.cwiseProduct(unit_);
    scale_ = scale_.cwiseProduct(unit_);
    take_rows(J);
  }

  void take_rows(MatX& J) {
    held_.clear();
    for (std::size_t i = 0; i < d_->model.rows.size(); ++i)
      if (has_part(i)) held_.push_back(i);
    J = rows_of(held_);
  }
  /// J of rows, one a line.
  MatX rows_of(const std::vector<std::size_t>& list) const {
    MatX J(count(list), d_->model.n_u);
    std::vector<double> row(at(d_->model.n_u)), x(d_->model.rows.size(), 0.);
    for (std::size_t k = 0; k < list.size(); ++k) {
      std::fill(row.begin(), row.end(), 0.);
      x[list[k]] = 1;
      solve::add_transpose(kin_->graph(), at_->J.data(), x.data(), row.data());
      x[list[k]] = 0;
      J.row(static_cast<Eigen::Index>(k)) =
          Eigen::Map<const VecX>(row.data(), count(row)).cwiseProduct(unit_).transpose();
    }
    return J;
  }

  /// Forces of the rows by which they balance the others as far as they can, the motions that rows
  /// leave, and the force along each of these.
  void take_place() {
    VecX f;
    MatX J;
    evaluate(d_->state, f, J);
    force_ = scale_.size() ? scale_.maxCoeff() : 0;
    const Eigen::Index n = f.size();
    if (J.rows() == 0) {
      Z_ = MatX::Identity(n, n);
      lambda_.resize(0);
    } else {
      const dense::Qr qr(J.transpose(), 1e-9);
      Z_ = qr.Q().rightCols(n - qr.rank());
      lambda_ = dense::LeastNorm(J.transpose()).solve(-f);
    }
    const VecX left = f - Z_ * (Z_.transpose() * f);
    keep_chosen();
    force_ = std::max(force_, left.size() ? left.cwiseAbs().maxCoeff() : 0);
    Q_ = Z_.transpose() * f;
    covector_ = f;
    if (J.rows() > 0) covector_ += J.transpose() * lambda_;
  }

  /// Of the motions those that move the coordinates named; what these do not move stays.
  void keep_chosen() {
    const Model& m = d_->model;
    std::vector<std::size_t> chosen;
    for (const Given& g : d_->given)
      if (g.balanced) chosen.push_back(row_of(m, g));
    if (chosen.empty()) return;
    const auto hold = [&](unsigned char on) {
      for (const std::size_t i : chosen) d_->state.on[at(m.rows[i].joint)] = on;
    };
    hold(1);
    kin_->jacobians(d_->state, *at_);
    const MatX rates = rows_of(chosen) * Z_;
    hold(0);
    const dense::Qr qr(rates.transpose(), 1e-9);
    const MatX V = qr.Q().leftCols(qr.rank());
    Z_ = Z_ * V;
  }

  /// The stiffness of the motions left, forces of rows as they are: -Z^T d(f + J^T lambda)/dZ.
  MatX stiffness() {
    const Eigen::Index n = Z_.cols();
    MatX K(n, n), J;
    VecX f[2];
    const double h = kStiffnessStep * size_;
    const std::vector<joint::Arc> arc = at_->arc;
    for (Eigen::Index k = 0; k < n; ++k) {
      for (const int side : {0, 1}) {
        State there = d_->state;
        const VecX dq = (side ? -h : h) * Z_.col(k).cwiseProduct(unit_);
        kin_->retract(dq.data(), there.q.data());
        at_->arc = arc;
        evaluate(there, f[side], J);
        if (J.rows() > 0) f[side] += J.transpose() * lambda_;
      }
      K.col(k) = -Z_.transpose() * (f[0] - f[1]) / (2 * h);
    }
    at_->arc = arc;
    kin_->transforms(d_->state.q.data(), 0, *at_);
    kin_->jacobians(d_->state, *at_);
    return K;
  }
  double none(const VecX& stiffnesses) const {
    return kNothing * force_ / size_ + kRounding * stiffnesses.cwiseAbs().maxCoeff();
  }

  /// All motions but those that no force holds: along which nothing changes the forces, and which
  /// do no work. In stiffnesses that forces in disbalance make skew the axes of the symmetric part
  /// are mixtures of both.
  MatX held(const MatX& K) const {
    const double least = none(K.colwise().norm());
    const dense::Qr qr(K.transpose());
    const MatX axes = qr.Q();
    const VecX pivots = qr.pivots();
    Eigen::Index n = 0;
    while (n < K.rows() && pivots[n] > least) ++n;
    MatX out = axes.leftCols(n);
    const MatX neutral = axes.rightCols(K.rows() - n);
    const VecX pushed = neutral.transpose() * Q_;  // what falls, say
    if (pushed.norm() > kBalanced * force_ && pushed.norm() > kAside * Q_.norm()) {
      out.conservativeResize(Eigen::NoChange, n + 1);
      out.col(n) = neutral * pushed.normalized();
    }
    return out;
  }

  /// Forces that follow other coordinates have no potential: their stiffness is not symmetric.
  bool skew() const { return !d_->model.followed.empty(); }

  /// Stiffnesses and the motions that they are along, the least one first.
  struct Stiffnesses {
    VecX k;
    MatX axes;
  };
  Stiffnesses stiffnesses(const MatX& K) const {
    const dense::AxesX symmetric = dense::principal_axes_of(0.5 * (K + K.transpose()));
    Stiffnesses out{symmetric.values, symmetric.vectors};
    if (!skew()) return out;
    const auto solver = dense::complex_axes(K);
    std::vector<Eigen::Index> order(at(static_cast<int>(K.rows())));
    std::iota(order.begin(), order.end(), 0);
    const VecX real = solver.values.real();
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return real[a] < real[b]; });
    for (Eigen::Index i = 0; i < K.rows(); ++i) {
      const Eigen::Index from = order[static_cast<std::size_t>(i)];
      out.k[i] = real[from];
      out.axes.col(i) = solver.vectors.col(from).real();
    }
    return out;
  }

  /// A step of Newton's, where it leads down the potential: along motions that the forces do not
  /// draw back from (stiffness zero or less) some way to where they push. What no force holds stays
  /// where it is.
  VecX direction() {
    const MatX K = stiffness();
    const MatX Y = held(K);
    if (Y.cols() == 0) return VecX::Zero(Q_.size());
    const MatX part = Y.transpose() * K * Y;
    if (skew() && stiffnesses(part).k[0] > none(part.colwise().norm()))
      return Y * dense::RankLu(part).solve(Y.transpose() * Q_);
    const dense::AxesX axes = dense::principal_axes_of(0.5 * (part + part.transpose()));
    const VecX& k = axes.values;
    VecX q = axes.vectors.transpose() * (Y.transpose() * Q_);
    const double least = none(k);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const double far = std::abs(q[i]) > kBalanced * force_ ? size_ : 0;
      if (std::abs(k[i]) > least)
        q[i] /= std::abs(k[i]);
      else
        q[i] = q[i] > 0 ? far : -far;
      if (k[i] < least) q[i] = std::clamp(q[i], -far, far);
    }
    return Y * (axes.vectors * q);
  }

  /// Moves by a step, shorter where it turns too far or comes out beyond the balance.
  bool move() {
    constexpr double kLargestTurn = 0.3, kShortest = 1e-8;
    const VecX p = Z_ * direction();
    double turn = 0;
    for (Eigen::Index i = 0; i < p.size(); ++i)
      if (unit_[i] != 1) turn = std::max(turn, std::abs(p[i] * unit_[i]));
    const double power = p.dot(covector_), force = Q_.norm();
    const State before = d_->state;
    const std::vector<joint::Arc> arc = at_->arc;
    for (double part = turn > kLargestTurn ? kLargestTurn / turn : 1; part > kShortest; part /= 2) {
      d_->state = before;
      at_->arc = arc;
      const VecX dq = part * p.cwiseProduct(unit_);
      kin_->retract(dq.data(), d_->state.q.data());
      Projector projector(*kin_);
      projector.follow_turns();
      const auto moved = projector.position(*specs_, tolerance_, d_->state, *at_);
      if (!moved.converged && !(moved.residual <= 1e-9)) continue;
      const std::vector<unsigned char> stops = stopped_;
      close_stops();
      if (stops != stopped_) return true;
      take_place();
      if (p.dot(covector_) >= -0.5 * power || Q_.norm() < 0.5 * force) return true;
    }
    d_->state = before;
    at_->arc = arc;
    take_place();
    return false;
  }

  /// Lets go of the stop that pulls most. Returns true where there was one.
  bool release_stop() {
    std::size_t worst = stopped_.size();
    double most = 1e-9 * force_;
    for (std::size_t k = 0; k < held_.size(); ++k) {
      const std::size_t i = held_[k];
      if (!stopped_[i]) continue;
      const law::Range push = laws_[i].impact_range(at_->g[i]);
      const double x = lambda_[static_cast<Eigen::Index>(k)];
      const double off = std::max(push.lo - x, x - push.hi);
      if (off > most && ++released_ < kSteps) most = off, worst = i;
    }
    if (worst == stopped_.size()) return false;
    stopped_[worst] = 0;
    *specs_ = laws_;
    for (std::size_t i = 0; i < stopped_.size(); ++i)
      if (stopped_[i]) hold_stop(i);
    return true;
  }

  /// Whether it is stable, and whether rows carry what they have to.
  void judge(EquilibriumReport& out) {
    check_bounds();
    if (Z_.cols() == 0) return;
    const auto [k, axes] = stiffnesses(stiffness());
    const double least = none(k);
    for (const double x : k) {
      const bool held = std::abs(x) > least;
      out.neutral += !held;
      if (held && out.stiffness == 0) out.stiffness = x;  // they come in order
    }
    if (!(k[0] < -least)) return;
    const VecX p = Z_ * axes.col(0);
    d_->complain(path(),
                 fmt::format("the static equilibrium found is unstable: body '{}' leaves it "
                             "({:.3g} N/m of stiffness); start elsewhere, by a start of a "
                             "joint, say",
                             moving_most(p), k[0]));
  }

  /// Rows that yield at a greatest force.
  void check_bounds() {
    for (std::size_t k = 0; k < held_.size(); ++k) {
      const law::ConstraintSpec& d = laws_[held_[k]];
      const double x = lambda_[static_cast<Eigen::Index>(k)];
      const auto bound = law::bound_passed(d, x);
      if (!bound) continue;
      const RowInfo& row = d_->model.rows[held_[k]];
      const Joint& j = d_->model.joints[at(row.joint)];
      d_->complain(j.path, fmt::format("in static equilibrium row '{}' of joint '{}' would have to "
                                       "carry {:.6g}, where it yields at {:.6g}",
                                       row.name, j.name, row.sign * x, row.sign * *bound));
    }
  }

  void complain_of_none(const EquilibriumReport& out) {
    const VecX left = Z_ * Q_;
    d_->complain(path(), fmt::format("no static equilibrium found in {} steps: body '{}' is still "
                                     "pushed by {:.3g} N (the greatest force is {:.3g} N); hold "
                                     "what nothing holds, or start nearer",
                                     out.iterations, moving_most(left), out.residual, force_));
  }

  std::string moving_most(const VecX& p) const {
    Eigen::Index i = 0;
    p.cwiseAbs().maxCoeff(&i);
    for (const Object& o : d_->model.objects) {
      if (o.block < 0) continue;
      const Block& b = d_->model.blocks[at(o.block)];
      if (i >= b.v && i < b.v + b.n) return o.name;
    }
    return "";
  }
  const std::string& path() const { return d_->options.equilibrium->path; }

  Draft* d_;
  const Kinematics* kin_;
  ConstraintSpecs* specs_;
  const ConstraintSpecs laws_;  // as the laws have them
  double tolerance_;
  KinematicsCache* at_;
  VecX unit_;
  std::vector<law::AtRest> roles_;      // rows: what they do
  std::vector<unsigned char> stopped_;  // rows: at a stop
  double size_ = law::kInf;             // least lever [m]
  double force_ = 0;                    // greatest [N]
  int released_ = 0;
  std::vector<std::size_t> held_;
  MatX Z_;
  VecX Q_, lambda_, covector_, scale_, last_;
};

/// Lets those coordinates hold that the motions asked for leave free, one after the other.
void hold_others(Draft& d, const Kinematics& kin, ConstraintSpecs& specs, GivenRows& rows,
                 KinematicsCache& at) {
  const Model& m = d.model;
  rows.hold([](const Given&) { return true; });
  kin.jacobians(d.state, at);
  const auto unit = Eigen::Map<const VecX>(kin.units().data(), m.n_u);
  std::vector<VecX> basis;
  std::vector<double> x(m.rows.size(), 0.), f(static_cast<std::size_t>(m.n_u));
  const auto add = [&](std::size_t row) {
    std::fill(f.begin(), f.end(), 0.);
    x[row] = 1;
    solve::add_transpose(kin.graph(), at.J.data(), x.data(), f.data());
    x[row] = 0;
    VecX v = Eigen::Map<const VecX>(f.data(), m.n_u).cwiseProduct(unit);
    const double size = v.norm();
    for (int pass = 0; pass < 2; ++pass)
      for (const VecX& b : basis) v -= b.dot(v) * b;
    if (!(v.norm() > 1e-7 * size)) return false;
    basis.push_back(v.normalized());
    return true;
  };
  for (std::size_t i = 0; i < m.rows.size() && m.rows[i].joint < d.given.front().held; ++i)
    if (d.state.on[at_(m.rows[i].joint)] && law::at_rest(specs[i]) == law::AtRest::holds) add(i);
  std::vector<unsigned char> holds(d.given.size(), 0);
  const auto take = [&](const auto& which, bool hold) {
    for (std::size_t k = 0; k < holds.size(); ++k)
      if (which(d.given[k])) holds[k] = add(row_of(m, d.given[k])) && hold;
  };
  take([](const Given& g) { return g.value && !g.balanced; }, true);
  take([](const Given& g) { return g.balanced; }, false);
  take([](const Given& g) { return !g.balanced && !g.value; }, true);
  std::size_t k = 0;
  for (const Given& g : d.given) {
    const double now = g.coordinate.sign * at.x[source_of(m, g)];
    specs.hold(row_of(m, g), {g.value && !g.balanced ? *g.value : now, 0, 0});
  }
  rows.hold([&](const Given&) { return holds[k++] != 0; });
}

/// Of all coordinates those that are given, a place or a rate, are held.
void hold_given(Draft& d, const Kinematics& kin, ConstraintSpecs& specs, GivenRows& rows,
                KinematicsCache& at) {
  kin.values(d.state, at);
  for (const Given& g : d.given)
    specs.hold(row_of(d.model, g),
               {g.value.value_or(g.coordinate.sign * at.x[source_of(d.model, g)]), 0, 0});
  rows.hold([](const Given&) { return true; });
}

/// Where everything is balanced bodies are given no velocities.
bool at_rest(Draft& d) {
  const std::size_t before = d.problems.size();
  for (const Object& o : d.model.objects) {
    if (o.block < 0) continue;
    const Block& b = d.model.blocks[at_(o.block)];
    const VecX u = Eigen::Map<const VecX>(d.u.data() + b.v, b.n);
    if (u.isZero(0)) continue;
    d.complain("body." + o.name,
               fmt::format("body '{}' is given a velocity: in static equilibrium all is at rest; "
                           "name the coordinates that are to be balanced, or give rates of joints",
                           o.name));
  }
  return d.problems.size() == before;
}

}  // namespace

EquilibriumReport find_equilibrium(Draft& d, const Kinematics& kin, ConstraintSpecs& specs,
                                   GivenRows& rows, double tolerance, KinematicsCache& at) {
  const std::string& path = d.options.equilibrium->path;
  if (d.model.n_u > kMostMotions) {
    d.complain(path,
               fmt::format("the static equilibrium of {} velocities is not looked for: {} are "
                           "the most",
                           d.model.n_u, kMostMotions));
    return {};
  }
  const bool all = d.options.equilibrium->of.empty();
  if (all && !at_rest(d)) return {};
  const ConstraintSpecs laws = specs;
  if (all)
    hold_given(d, kin, specs, rows, at);
  else
    hold_others(d, kin, specs, rows, at);
  EquilibriumReport out = Balance(d, kin, specs, tolerance, at).find();
  specs = laws;
  kin.transforms(d.state.q.data(), 0, at);
  return out;
}

}  // namespace trammel::model
