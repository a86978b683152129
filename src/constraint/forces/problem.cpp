// The forces of closed points as one problem: what they make of accelerations.
#include <algorithm>

#include "constraint/forces/parts.h"
#include "constraint/forces/small.h"

namespace trammel::constraint {

namespace {
constexpr double kShared = 1e-10;   // of the greatest: directions in which forces are shared
constexpr double kHeld = 1e-12;     // of the greatest W_nn: rows hold the point
constexpr double kExactly = 1e-13;  // of the greatest force: passes change no more
constexpr int kMostPasses = 8;
// A slip goes on at so many times the accelerations: first where nothing near a jam is, then beside
// what hardly moves.
constexpr double kGoesOn[] = {1e6, 1e9};
constexpr double kJams = 0.5;  // of the rate at which slips go on: it changes by so much

/// The directions of the closed points, and what is known of their forces: what slips is rubbed by
/// its cohesion as well.
void take_rows(const ContactForces& c, Touches& now, double* f) {
  for (int i = 0; i < count(c.touching); ++i) {
    if (!c.touching[at(i)].closed()) continue;
    Touch& t = now.all[at(i)];
    const bool sticks = c.touching[at(i)].status == TouchStatus::sticking;
    const model::ContactLaw& law = law_of(c, t);
    for (int k = 0; k < (sticks && law.friction > 0 ? 3 : 1); ++k) now.rows.push_back({i, k});
    t.load = law.cohesion;
    if (sticks || law.cohesion == 0) continue;
    const Vec3 rubs(0, -law.friction * law.cohesion * t.direction[0],
                    -law.friction * law.cohesion * t.direction[1]);
    t.p += rubs;
    push(t, rubs, f);
  }
}

/// By how much forces p change the accelerations of points at most.
double change_by(const MatX& W, const VecX& p) { return (W * p).lpNorm<Eigen::Infinity>(); }

/// Accelerations without forces, but slips as fast as `on`; what the forces p change of these is
/// taken out of their directions.
VecX going_on(const MatX& W, const ConeProblem& of, double on, const VecX& p) {
  VecX out = of.q;
  for (int k = 0; k < count(of.slip); ++k)
    if (!of.slip[at(k)].isZero(0))
      out.segment<2>(3 * k + 1) = on * of.slip[at(k)] - W.middleRows<2>(3 * k + 1) * p;
  return out;
}

/// The forces of all points with slips that go on at the rate `on`, whatever forces do: friction is
/// against these, and the problem is one of an impulse, which has a solution.
void solve_going_on(const ContactForces& c, const MatX& W, const ConeProblem& of, double on,
                    double tolerance, VecX& p) {
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const VecX old = p, known = going_on(W, of, on, p);
    solve_cones(c, W, known, of.laws, tolerance, p);
    const double last = (p - old).lpNorm<Eigen::Infinity>();
    if (!(last > kExactly * p.lpNorm<Eigen::Infinity>()) || change_by(W, p) > kJams * on) return;
  }
}
}  // namespace

Vec3 effective(const ContactForces& c, const Touches& now, Direction d) {
  const Touch& t = now.all[at(d.first)];
  if (d.second > 0 || c.touching[at(d.first)].status == TouchStatus::sticking)
    return Vec3::Unit(d.second);
  const double mu = law_of(c, t).friction;
  return {1, -mu * t.direction[0], -mu * t.direction[1]};
}

ForceFactor::ForceFactor(const MatX& W, double none) {
  const double least = none * W.cwiseAbs().maxCoeff();
  std::vector<unsigned char> taken(at(static_cast<int>(W.rows())), 0);
  for (int first = 0; first < static_cast<int>(W.rows()); ++first) {
    if (taken[at(first)]) continue;
    std::vector<int> rows{first};
    taken[at(first)] = 1;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (int k = 0; k < static_cast<int>(W.rows()); ++k)
        if (!taken[at(k)] &&
            !(std::abs(W(rows[i], k)) <= least && std::abs(W(k, rows[i])) <= least))
          taken[at(k)] = 1, rows.push_back(k);
    std::sort(rows.begin(), rows.end());
    const MatX part = W(rows, rows);
    const dense::LeastNorm factor(part, none);
    groups_.push_back({rows, factor, off_springs(part, factor, none)});
  }
}

/// Equal springs under all points leave W x + x / k = b: as k grows, x lies in the range of W,
/// along the kernel of W from that of least norm. Where friction slips W is not symmetric, and
/// these differ. Empty where they do not, or the kernel lies in the range.
MatX ForceFactor::off_springs(const MatX& W, const dense::LeastNorm& factor, double none) {
  constexpr double kApart = 1e-3;  // least sine between kernel and range
  const Eigen::Index free = W.rows() - factor.rank();
  if (free == 0 || W.isApprox(W.transpose(), none)) return {};
  const MatX kernel = dense::Qr(W.transpose(), none).Q().rightCols(free);
  const MatX across = dense::Qr(W, none).Q().rightCols(free).transpose();
  const dense::Qr between(across * kernel);
  if (between.pivots().minCoeff() < kApart) return {};
  MatX out(W.rows(), W.cols());
  for (Eigen::Index i = 0; i < W.cols(); ++i) out.col(i) = kernel * between.solve(across.col(i));
  return out;
}

Eigen::Index ForceFactor::rank() const {
  Eigen::Index out = 0;
  for (const Group& group : groups_) out += group.factor.rank();
  return out;
}

VecX ForceFactor::solve(const VecX& b) const {
  VecX out = VecX::Zero(b.size());
  for (const Group& group : groups_) {
    VecX x = group.factor.solve(b(group.rows));
    if (group.off.size() > 0) x -= (group.off * x).eval();
    out(group.rows) = x;
  }
  return out;
}

double along(const Touch& t, int row, const double* u) {
  double out = 0;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    for (int j = 0; j < t.n[side]; ++j)
      out += t.c[side][at(row * t.n[side] + j)] * u[t.u[side] + j];
  return out;
}

void push(const Touch& t, const Vec3& p, double* f) {
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < t.n[side]; ++j)
        f[t.u[side] + j] += p[k] * t.c[side][at(k * t.n[side] + j)];
}

bool make_problem(const ContactForces& c, const ForceResponse& respond, Touches& now, double* f) {
  take_rows(c, now, f);
  const int n = count(now.rows);
  if (n == 0) return true;
  now.W.resize(n, n);
  const std::size_t n_u = at(c.kin().model().n_u);
  std::vector<double> g(n_u), du(n_u), rows;
  for (int k = 0; k < n; ++k) {
    Touch& t = now.all[at(now.rows[at(k)].first)];
    std::fill(g.begin(), g.end(), 0.0);
    push(t, effective(c, now, now.rows[at(k)]), g.data());
    if (!respond(g, du, rows)) return false;
    for (int r = 0; r < n; ++r)
      now.W(r, k) = along(now.all[at(now.rows[at(r)].first)], now.rows[at(r)].second, du.data());
    if (now.rows[at(k)].second > 0) continue;
    t.inverse_mass = now.W(k, k);
    now.wedged = now.wedged || !(now.W(k, k) > 0);
  }
  now.factor = ForceFactor(now.W, kShared);
  return !now.wedged && now.W.allFinite();
}

double correct(const ContactForces& c, const double* a, Touches& now, double* f) {
  const int n = count(now.rows);
  if (n == 0) return 0;
  VecX missing(n);
  for (int r = 0; r < n; ++r) {
    const auto [i, k] = now.rows[at(r)];
    missing[r] = -(along(now.all[at(i)], k, a) + now.all[at(i)].bias[k]);
  }
  const VecX x = now.factor.solve(missing);
  for (int r = 0; r < n; ++r) {
    Touch& t = now.all[at(now.rows[at(r)].first)];
    const Vec3 more = x[r] * effective(c, now, now.rows[at(r)]);
    t.p += more;
    push(t, more, f);
  }
  return missing.lpNorm<Eigen::Infinity>();
}

void finish(const ContactForces& c, const double* a, Touches& now) {
  for (Touch& t : now.all) {
    t.acceleration = along(t, 0, a) + t.bias[0];
    t.load = t.p[0] + law_of(c, t).cohesion;
  }
}

bool make_operator(const ContactForces& c, const Touches& now, const ForceResponse& respond,
                   PointOperator& out) {
  const int n = count(out.points);
  const std::size_t n_u = at(c.kin().model().n_u);
  out.du.assign(at(3 * n), std::vector<double>(n_u));
  out.rows.assign(at(3 * n), {});
  out.W.resize(3 * n, 3 * n);
  std::vector<double> f(n_u);
  for (int k = 0; k < 3 * n; ++k) {
    std::fill(f.begin(), f.end(), 0.0);
    push(now.all[at(out.points[at(k / 3)])], Vec3::Unit(k % 3), f.data());
    if (!respond(f, out.du[at(k)], out.rows[at(k)])) return false;
    for (int r = 0; r < 3 * n; ++r)
      out.W(r, k) = along(now.all[at(out.points[at(r / 3)])], r % 3, out.du[at(k)].data());
  }
  out.W = 0.5 * (out.W + out.W.transpose()).eval();
  return out.W.allFinite();
}

void move_by(const PointOperator& of, const VecX& x, std::vector<double>& du,
             std::vector<double>& rows) {
  rows.assign(of.rows.empty() ? 0 : of.rows[0].size(), 0);
  for (int k = 0; k < count(of.du); ++k) {
    for (std::size_t i = 0; i < du.size(); ++i) du[i] += x[k] * of.du[at(k)][i];
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += x[k] * of.rows[at(k)][i];
  }
}

std::vector<piles::ContactLaw> laws_of(const ContactForces& c, const Touches& now,
                                       const std::vector<int>& points) {
  std::vector<piles::ContactLaw> out;
  for (const int i : points) {
    const model::ContactLaw& law = law_of(c, now.all[at(i)]);
    out.push_back({law.friction, 0, 0, law.cohesion});
  }
  return out;
}

Decision solve_forces(const ContactForces& c, const MatX& W, const ConeProblem& of,
                      double tolerance, VecX& p) {
  const double most = std::max(c.scales.acceleration, of.q.lpNorm<Eigen::Infinity>());
  for (const double goes_on : kGoesOn) {
    p = VecX::Zero(of.q.size());
    solve_going_on(c, W, of, goes_on * most, tolerance, p);
    if (!p.allFinite()) return Decision::fails;
    if (!(change_by(W, p) > kJams * goes_on * most)) return Decision::made;
  }
  return Decision::jams;
}

VecX solve_jam(const ContactForces& c, const MatX& W, const ConeProblem& of) {
  VecX known = VecX::Zero(of.q.size()), p = known;
  for (int k = 0; k < count(of.slip); ++k) {
    if (of.slip[at(k)].isZero(0)) continue;
    known[3 * k] = -kPresses;
    known.segment<2>(3 * k + 1) = of.slip[at(k)];
  }
  solve_cones(c, W, known, of.laws, kPresses * kPresses, p);
  return p;
}

bool is_held(const MatX& W, int k, double most) { return !(W(3 * k, 3 * k) > kHeld * most); }

void solve_cones(const ContactForces& c, const MatX& W, const VecX& q,
                 const std::vector<piles::ContactLaw>& how, double tolerance, VecX& p) {
  piles::ContactOptions options = c.options;
  options.tolerance = tolerance;
  VecX known = q;
  const double most = W.diagonal().maxCoeff();
  for (int k = 0; k < count(how); ++k)
    if (is_held(W, k, most)) known[3 * k] = law::kInf;
  const auto n = static_cast<std::size_t>(q.size());
  piles::solve_dense(W, {known.data(), n}, how, {p.data(), n}, options);
}

}  // namespace trammel::constraint
