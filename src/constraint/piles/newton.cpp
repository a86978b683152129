#include "constraint/piles/newton.h"

#include <algorithm>
#include <limits>

#include "constraint/piles/order.h"
#include "math/brief.h"

namespace trammel::constraint::piles {

namespace {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

// Of the diagonal of W that the proximal point algorithm adds. It falls by kFast where a problem
// was solved by a step or two, by kSlow where it took more, and rises where it was not solved.
constexpr double kEps = 1e-2, kLeastEps = 1e-10, kMostEps = 1;
constexpr double kFast = 0.1, kSlow = 0.5, kBack = 3, kNear = 1e-6;
/// A problem is solved when F^2 is so many times that of what was added, and Newton may go wrong by
/// so much at a step: full steps that make F grow lead through sets of sliding points to the right
/// one, where steps halved until F falls get stuck.
constexpr double kSmall = 1000, kGrowth = 1e4;
// From the least impulses that can be found: where that fails, by so much more is added.
// Not less than W may differ, of itself, from how rows answer that turn in a step: else shares and
// rows go to and fro. What it makes wrong falls by as much with each mend.
constexpr double kEven = 1e-4, kLess = 10;
constexpr int kMends = 4;
constexpr double kFalls = 0.1;  // to so much at least F^2 falls at a step that is of use
constexpr int kInner = 20, kHalvings = 7;

/// Rows first.. of a disc of radius `factor` times the load: y - (nearest to y - w / S), times S
/// and a length. Returns whether it slides.
bool disc(Linear& out, int first, double S, double length, double factor, double load,
          const Vec2& y, const Vec2& w) {
  const Vec2 z = y - w / S;
  const double radius = factor * std::max(load, 0.), N = z.norm();
  const auto rows = Eigen::seqN(first, 2);
  if (N <= radius && radius > 0) {
    out.F(rows) = length * w;
    out.E(rows, rows) = length * Mat2::Identity();
    return false;
  }
  const Vec2 along = N > 0 ? Vec2(z / N) : Vec2(Vec2::Zero());
  const Mat2 across = Mat2::Identity() - along * along.transpose();
  const double share = N > 0 ? radius / N : 0;
  out.F(rows) = length * S * (y - radius * along);
  out.D(rows, rows) = length * S * (Mat2::Identity() - share * across);
  out.D(rows, 0) = -length * S * factor * along;
  out.E(rows, rows) = length * share * across;
  return true;
}

void turns(const NewtonPoint& point, const double* p, const double* w, double load, Linear& out) {
  const PointNumbers& k = point.numbers;
  const double S = 1 / k.inverse_spin, z = p[3] - k.inverse_spin * w[3];
  const double most = point.law.spinning * std::max(load, 0.);
  const double length = k.length > 0 ? k.length : 1;
  if (std::abs(z) <= most && most > 0) {
    out.F[3] = length * w[3];
    out.E(3, 3) = length;
  } else {
    const double side = z > 0 ? 1 : -1;
    out.F[3] = length * S * (p[3] - side * most);
    out.D(3, 3) = length * S;
    out.D(3, 0) = -length * S * side * point.law.spinning;
  }
  disc(out, 4, 0.5 * (k.roll.A_tt + k.roll.A_ss), length, point.law.rolling, load, {p[4], p[5]},
       {w[4], w[5]});
}

Linear linearise(const NewtonPoint& point, int rows, const double* p, const double* w) {
  Linear out;
  const PointNumbers& k = point.numbers;
  const double S = 1 / k.cone.k, S_t = 0.5 * (k.cone.A_tt + k.cone.A_ss);
  const double load = p[0] + point.law.cohesion, base = point.law.base;
  if (!point.takes_part || load - k.cone.k * w[0] <= 0) {
    const double length = S_t * (k.length > 0 ? k.length : 1);
    out.F << S * load, S_t * p[1], S_t * p[2], Vec6::Zero().tail<3>();
    out.D.diagonal() << S, S_t, S_t, length, length, length;
    if (rows == 6) out.F.tail<3>() = length * vec3(p + 3);
    if (point.takes_part && base > 0) {
      out.D.block<2, 2>(1, 1).setZero();
      disc(out, 1, S_t, 1, point.law.mu, base, {p[1], p[2]}, {w[1], w[2]});
      out.D.block<2, 1>(1, 0).setZero();
    }
    return out;
  }
  out.F[0] = w[0];
  out.E(0, 0) = 1;
  const double pressing = load - k.cone.k * w[0];
  if (disc(out, 1, S_t, 1, point.law.mu, pressing + base, {p[1], p[2]}, {w[1], w[2]}))
    out.E.block<2, 1>(1, 0) = -k.cone.k * out.D.block<2, 1>(1, 0);
  if (rows == 6) turns(point, p, w, load, out);
  return out;
}

/// Within the cone, by the tangents.
void confine(const NewtonPoint& point, int rows, double* p) {
  if (!point.takes_part) {
    std::fill_n(p, rows, 0.);
    return;
  }
  const double load = std::max(p[0] + point.law.cohesion, 0.);
  if (p[0] + point.law.cohesion < 0) p[0] = -point.law.cohesion;
  const auto shorten = [](double* x, int n, double most) {
    Eigen::Map<VecX> v(x, n);
    const double N = v.norm();
    if (N > most) v *= most / N;
  };
  shorten(p + 1, 2, point.law.mu * (load + point.law.base));
  if (rows < 6) return;
  shorten(p + 3, 1, point.law.spinning * load);
  shorten(p + 4, 2, point.law.rolling * load);
}

/// What a problem gets in addition to its w, so that it has a single answer: `weight` (p - about).
struct Proximal {
  brief::VecX about, weight;
};

/// The proximal point algorithm with Newton inside: w gets eps diag W (p - p_0), which makes each
/// problem one with a single answer, not far from p_0, the answer before; eps falls as that goes
/// well.
class Search {
 public:
  Search(Operator& of, std::span<const NewtonPoint> points, int rows, const ContactOptions& options,
         brief::VecX& p, const brief::VecX* near);
  NewtonReport run();

 private:
  const double* of_point(const brief::VecX& x, std::size_t i) const {
    return x.data() + static_cast<Eigen::Index>(i) * rows_;
  }
  double linearise_all(const brief::VecX& p, brief::vector<Linear>& out);
  double look();
  double enough() const;
  bool good_enough() { return look() <= enough(); }
  bool same_factor() const;
  bool advance();
  enum class Until : unsigned char { small, rounding };
  bool solve_inner(const Proximal& with, Until until);
  brief::VecX even_weight() const;
  void search();
  bool mend(const brief::VecX& weight);
  bool draw_to_none();
  void draw();
  void sweep();

  Operator& of_;
  std::span<const NewtonPoint> points_;
  int rows_;
  const ContactOptions& options_;
  brief::VecX& p_;
  const brief::VecX* near_;
  brief::VecX S_, w_, dp_, best_, tried_;
  Proximal with_;
  brief::vector<Linear> linear_, next_, factored_;
  brief::VecX factored_weight_;
  double square_ = 0, eps_ = kEps;
  int sweeps_ = 4;
  NewtonReport report_;
};

Search::Search(Operator& of, std::span<const NewtonPoint> points, int rows,
               const ContactOptions& options, brief::VecX& p, const brief::VecX* near)
    : of_(of),
      points_(points),
      rows_(rows),
      options_(options),
      p_(p),
      near_(near),
      S_(p.size()),
      linear_(points.size()) {
  for (std::size_t i = 0; i < points.size(); ++i)
    S_.segment(static_cast<Eigen::Index>(i) * rows, rows) = points[i].numbers.W.head(rows);
}

/// Returns half the sum of the squares of F.
double Search::linearise_all(const brief::VecX& p, brief::vector<Linear>& out) {
  of_.rates(p, w_);
  w_ += with_.weight.cwiseProduct(p - with_.about);
  out.resize(points_.size());
  double sum = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    out[i] = linearise(points_[i], rows_, of_point(p, i), of_point(w_, i));
    sum += 0.5 * out[i].F.squaredNorm();
  }
  return sum;
}

/// Looks at p within its cones; keeps the best. Returns what is wrong with this one.
double Search::look() {
  brief::VecX p = p_, w;
  for (std::size_t i = 0; i < points_.size(); ++i)
    confine(points_[i], rows_, p.data() + static_cast<Eigen::Index>(i) * rows_);
  of_.rates(p, w);
  const double merit = merit_of(points_, rows_, p, w);
  if (best_.size() == 0 || !(merit >= report_.merit)) {
    report_.merit = merit;
    best_ = p;
  }
  return merit;
}

double Search::enough() const {
  return std::max(options_.tolerance, rounding_of(points_, rows_, p_));
}

/// Whether D and E are those of the factor: they hang on the status alone where nothing slides.
bool Search::same_factor() const {
  if (factored_.size() != linear_.size() || factored_weight_ != with_.weight) return false;
  for (std::size_t i = 0; i < linear_.size(); ++i)
    if (linear_[i].D != factored_[i].D || linear_[i].E != factored_[i].E) return false;
  return true;
}

/// A step, halved where F would explode; false: none was found.
bool Search::advance() {
  ++report_.iterations;
  if (!same_factor()) {
    if (!of_.factor(points_, linear_, with_.weight)) return false;
    factored_ = linear_;
    factored_weight_ = with_.weight;
  }
  of_.step(linear_, dp_);
  if (!dp_.allFinite()) return false;
  double part = 1;
  for (int i = 0; i < kHalvings; ++i, part *= 0.5) {
    tried_ = p_ + part * dp_;
    const double square = linearise_all(tried_, next_);
    if (!(square <= kGrowth * square_)) continue;
    p_ = tried_;
    linear_.swap(next_);
    square_ = square;
    return true;
  }
  return false;
}

/// The problem about p_0, until what is wrong is small beside what was added, or rounding.
bool Search::solve_inner(const Proximal& with, Until until) {
  with_ = with;
  square_ = linearise_all(p_, linear_);
  for (int i = 0; i < kInner && report_.iterations < options_.newton; ++i) {
    const double before = square_;
    if (!advance()) return false;
    const double added =
        until == Until::small ? with_.weight.cwiseProduct(p_ - with_.about).squaredNorm() : 0;
    const bool small = square_ <= kSmall * std::max(added, options_.tolerance * options_.tolerance);
    const bool stays = square_ == 0 || !(square_ <= kFalls * before);
    if (small && (until == Until::small || stays)) return true;
  }
  return false;
}

void Search::sweep() {
  for (std::size_t i = 0; i < points_.size(); ++i)
    confine(points_[i], rows_, p_.data() + static_cast<Eigen::Index>(i) * rows_);
  of_.rates(p_, w_);
  for (int i = 0; i < sweeps_; ++i) of_.sweep(points_, p_, w_);
  report_.sweeps += sweeps_;
  sweeps_ = std::min(2 * sweeps_, 64);
}

void Search::search() {
  while (!good_enough() && report_.iterations < options_.newton) {
    const int before = report_.iterations;
    if (solve_inner({p_, eps_ * S_}, Until::small)) {
      eps_ = std::max(eps_ * (report_.iterations - before <= 2 ? kFast : kSlow), kLeastEps);
    } else {
      eps_ = std::min(eps_ * kBack, kMostEps);
      p_ = with_.about;
      sweep();
    }
  }
}

/// The same of all points: of the greatest of their W; of torques their own.
brief::VecX Search::even_weight() const {
  brief::VecX out = S_;
  double most = 0;
  for (Eigen::Index i = 0; i < S_.size(); i += rows_) most = std::max(most, S_[i]);
  for (Eigen::Index i = 0; i < S_.size(); i += rows_) out.segment<3>(i).setConstant(most);
  return out;
}

/// Solves the problem about its own solution, until that is right, or as right as it is to be and
/// gets no better: what asks for the impossible by less than that would change shares without end.
bool Search::mend(const brief::VecX& weight) {
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMends; ++k) {
    const double merit = look();
    if (merit <= std::max(enough(), options_.noise) && !(merit <= kFalls * last)) return true;
    last = merit;
    if (!solve_inner({p_, weight}, k + 1 < kMends ? Until::small : Until::rounding)) return false;
  }
  return true;
}

/// The least impulses, about none; and what that makes wrong, mended.
bool Search::draw_to_none() {
  const brief::VecX even = even_weight(), none = brief::VecX::Zero(p_.size()), start = p_;
  for (double eps = kEven; eps <= kEps; eps *= kLess) {
    if (solve_inner({none, eps * even}, Until::rounding) && mend(eps * even)) return true;
    p_ = start;
  }
  return false;
}

/// Of many solutions the one near the guess, or the least: what sweeps have strained without need
/// goes back. The problem about the guess has no other; what it makes wrong is mended about its
/// solution.
void Search::draw() {
  const double last = eps_;
  eps_ = near_ ? kNear : kEven;
  const bool drawn = near_ ? solve_inner({*near_, kNear * S_}, Until::small) : draw_to_none();
  if (drawn && !(look() <= options_.noise)) search();
  eps_ = last;
}

NewtonReport Search::run() {
  search();
  const double found = report_.merit;
  if (report_.iterations < options_.newton) {
    const brief::VecX best = best_;
    best_.resize(0);
    draw();
    const double most =
        std::max({found, options_.tolerance, options_.noise, rounding_of(points_, rows_, best)});
    if (best_.size() == 0 || !(report_.merit <= most)) {
      best_ = best;
      report_.merit = found;
    }
  }
  p_ = best_;
  return report_;
}

/// cone_error() where friction goes by a base too.
double based_error(const NewtonPoint& point, const double (&e)[3], const double (&P)[3]) {
  const Block<double>& k = point.numbers.cone;
  const double normal = std::abs(P[0] - std::max(P[0] - k.k * e[0], 0.)) / k.k;
  const double S = 0.5 * (k.A_tt + k.A_ss), most = point.law.mu * (P[0] + point.law.base);
  return std::max(normal, S * off_disc(most, P[1], P[2], P[1] - e[1] / S, P[2] - e[2] / S));
}

/// solve_cone() where friction goes by a base too: closed, or open and rubbed by the base alone.
void solve_based(const NewtonPoint& point, const double (&e)[3], double (&P)[3]) {
  const Block<double>& w = point.numbers.cone;
  const double mu = point.law.mu, base = mu * point.law.base;
  const double a = w.k * e[0] - P[0] - w.g_t * P[1] - w.g_s * P[2];
  const double b_t = e[1] - w.g_t * e[0] - w.A_tt * P[1] - w.A_ts * P[2];
  const double b_s = e[2] - w.g_s * e[0] - w.A_ts * P[1] - w.A_ss * P[2];
  Slide<double> f = slide(w, mu, a, b_t, b_s);
  const double det = w.A_tt * w.A_ss - w.A_ts * w.A_ts;
  f.c[0] += base * det;
  f.c[1] += base * (w.A_tt + w.A_ss);
  f.c[2] += base;
  const bool sticks = f.c[0] >= 0 && f.q[0] <= f.c[0] * f.c[0];
  const double l =
      sticks ? 0 : find_slide<double>(f, w.A_tt + w.A_ss, !(f.c[2] > 0), w.A_tt + w.A_ss);
  const double per = 1 / (det + l * (w.A_tt + w.A_ss + l));
  const double y_t = per * (f.z_t - l * b_t), y_s = per * (f.z_s - l * b_s);
  const double n = -a - w.g_t * y_t - w.g_s * y_s;
  if (n > 0 && (sticks || f.c[2] > 0)) {
    P[0] = n, P[1] = y_t, P[2] = y_s;
    return;
  }
  const Block<double> whole{w.k,
                            0,
                            0,
                            w.A_tt + w.g_t * w.g_t / w.k,
                            w.A_ts + w.g_t * w.g_s / w.k,
                            w.A_ss + w.g_s * w.g_s / w.k};
  const double e_t = e[1] - w.g_t / w.k * P[0], e_s = e[2] - w.g_s / w.k * P[0];
  P[0] = 0;
  solve_roll(whole, base, e_t, e_s, P[1], P[2]);
}

}  // namespace

double merit_of(std::span<const NewtonPoint> points, int rows, const brief::VecX& p,
                const brief::VecX& w) {
  double merit = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const NewtonPoint& point = points[i];
    if (!point.takes_part) continue;
    const double* x = p.data() + static_cast<Eigen::Index>(i) * rows;
    const double* u = w.data() + static_cast<Eigen::Index>(i) * rows;
    const double load = x[0] + point.law.cohesion;
    const double e[3] = {u[0], u[1], u[2]}, P[3] = {load, x[1], x[2]};
    const PointNumbers& k = point.numbers;
    double off =
        point.law.base > 0 ? based_error(point, e, P) : cone_error(k.cone, point.law.mu, e, P);
    if (rows == 6) {
      const double turn[3] = {u[3], u[4], u[5]}, m[3] = {x[3], x[4], x[5]};
      off = std::max(off, turn_error(k.inverse_spin, k.roll, point.law.spinning * load,
                                     point.law.rolling * load, turn, m, k.length));
    }
    if (!(off <= merit)) merit = off;
    if (std::isnan(off)) return off;
  }
  return merit;
}

double rounding_of(std::span<const NewtonPoint> points, int rows, const brief::VecX& p) {
  constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();
  double most = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    most =
        std::max(most, std::abs(p[static_cast<Eigen::Index>(i) * rows]) / points[i].numbers.cone.k);
  return kRounding * most;
}

Vec3 solve_cone_rows(const NewtonPoint& point, const double* w, double* p) {
  const Vec3 before = vec3(p);
  if (!point.takes_part) {
    vec3(p).setZero();
    return -before;
  }
  const double e[3] = {w[0], w[1], w[2]};
  double P[3] = {p[0] + point.law.cohesion, p[1], p[2]}, l = 0;
  if (point.law.base > 0)
    solve_based(point, e, P);
  else
    solve_cone(point.numbers.cone, point.law.mu, e, P, l);
  vec3(p) << P[0] - point.law.cohesion, P[1], P[2];
  return vec3(p) - before;
}

Vec3 solve_turn_rows(const NewtonPoint& point, const double* w, double* p) {
  const Vec3 before = vec3(p + 3);
  const double load = point.takes_part ? p[0] + point.law.cohesion : 0;
  p[3] = solve_spin(point.numbers.inverse_spin, point.law.spinning * load, w[3], p[3]);
  solve_roll(point.numbers.roll, point.law.rolling * load, w[4], w[5], p[4], p[5]);
  return vec3(p + 3) - before;
}

NewtonReport newton(Operator& of, std::span<const NewtonPoint> points, int rows,
                    const ContactOptions& options, brief::VecX& p, const brief::VecX* near) {
  return Search(of, points, rows, options, p, near).run();
}

void open_parting(Operator& of, std::span<const NewtonPoint> points, int rows, brief::VecX& p) {
  brief::VecX w;
  of.rates(p, w);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const NewtonPoint& point = points[i];
    const Eigen::Index first = static_cast<Eigen::Index>(i) * rows;
    if (!point.takes_part || point.law.base > 0 ||
        p[first] + point.law.cohesion - point.numbers.cone.k * w[first] > 0)
      continue;
    p.segment(first, rows).setZero();
    p[first] = -point.law.cohesion;
  }
}

}  // namespace trammel::constraint::piles
