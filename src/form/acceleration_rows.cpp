#include "form/acceleration_rows.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/index.h"
#include "solve/product.h"

namespace trammel::form::acceleration {

namespace {

using constraint::Status;
// residual of row accelerations allowed, relative to the first
constexpr double kRowAcceleration = 1e-14;
constexpr int kMostRefinements = 10;

/// Computes into work.r what is left of the rows' accelerations; returns the worst.
double residual(const Mechanism& mechanism, const Instant& now, const double* a, Work& work) {
  solve::multiply(mechanism.kin.graph(), now.at.J.data(), a, work.r.data());
  double worst = 0;
  for (std::size_t i = 0; i < work.r.size(); ++i) {
    work.r[i] = work.active[i] ? work.r[i] + work.bias[i] : 0;
    worst = std::max(worst, std::abs(work.r[i]));
  }
  return worst;
}

/// Computes the accelerations `a` of the forces work.f on bodies.
void accelerate(const Mechanism& mechanism, const Instant& now, double* a, Work& work) {
  solve::apply_inverse_mass(mechanism.kin.graph(), now.at.inv_mass.data(), work.f.data(), a);
}

/// Adds to the forces work.lambda of the rows that hold what is missing of them, and to `a`. A
/// single pass leaves eps of the factor, which would drive positions off the rows; projection would
/// bring them back against the row forces, with work of first order in the step. So passes are
/// repeated.
bool correct_rows(const Mechanism& mechanism, const Instant& now, Bounds& bounds, double* a,
                  Work& work) {
  double first = 0, last = 0;
  for (int k = 0; k <= kMostRefinements; ++k) {
    const double worst = residual(mechanism, now, a, work);
    if (!std::isfinite(worst)) return false;
    if (k == 0) first = worst;
    if (k > 0 && (worst <= kRowAcceleration * first || worst >= last)) break;
    last = worst;
    if (!work.solve(mechanism, now.at, bounds)) return false;
    for (std::size_t i = 0; i < work.x.size(); ++i) work.lambda[i] += work.x[i];
    solve::add_transpose(mechanism.kin.graph(), now.at.J.data(), work.x.data(), work.f.data());
    accelerate(mechanism, now, a, work);
    // a row at a bound has a residual: rounding would decide another pass
    if (!work.solver->redundant() &&
        std::any_of(bounds.set.begin(), bounds.set.end(), [](auto s) { return s; }))
      break;
  }
  return true;
}

constexpr double kExact = 1e-15;  // of a friction and its load: met to rounding
constexpr double kMet = 1e-11;    // the same: met, where it comes no nearer
constexpr double kShared = 1e-8;  // the same, of loads that redundant rows share
constexpr int kMostNewton = 60;   // steps to a solution, or there is none
constexpr int kMostMatches = 20;  // of its loads with those that rows carry

/// The frictions that slide, their forces F along their rows, and what these change of the forces
/// of rows: `response` has a column for each.
struct Sliders {
  std::vector<const solve::Cone*> of;
  VecX signed_mu, F;
  MatX response;
  int n() const { return static_cast<int>(of.size()); }
  std::size_t row(int k) const { return at(of[at(k)]->tangent[0]); }
};

Sliders sliders_of(const Mechanism& mechanism, const Mode& mode) {
  Sliders out;
  for (const solve::Cone& c : mechanism.frictions)
    if (mode.status[at(c.tangent[0])].at_bound()) out.of.push_back(&c);
  out.signed_mu.resize(out.n());
  out.F = VecX::Zero(out.n());
  for (int k = 0; k < out.n(); ++k)
    out.signed_mu[k] = mode.status[out.row(k)].side * mode.specs[out.row(k)].mu;
  return out;
}

/// Computes how the forces of the rows that hold, and are at no bound, answer to forces on rows:
/// (J M^-1 J^T) x = -J M^-1 J_k^T for each slider k.
bool find_response(const Mechanism& mechanism, const Instant& now, const Bounds& bounds,
                   Sliders& sliders, Work& work) {
  const auto n = static_cast<Eigen::Index>(work.x.size());
  const std::vector<unsigned char> active = work.active;
  const std::vector<double> lambda = work.lambda, f = work.f;
  for (std::size_t i = 0; i < active.size(); ++i) work.active[i] = active[i] && !bounds.set[i];
  sliders.response.resize(n, sliders.n());
  bool ok = true;
  for (int k = 0; k < sliders.n() && ok; ++k) {
    std::fill(work.x.begin(), work.x.end(), 0.0);
    work.x[sliders.row(k)] = 1;
    work.take_motion(mechanism, now.at);
    solve::multiply(mechanism.kin.graph(), now.at.J.data(), work.dq.data(), work.r.data());
    for (std::size_t i = 0; i < active.size(); ++i)
      if (!work.active[i]) work.r[i] = 0;
    ok = work.solve(mechanism, now.at, work.none);
    sliders.response.col(k) = Eigen::Map<const VecX>(work.x.data(), n);
  }
  work.active = active;
  work.lambda = lambda;
  work.f = f;
  return ok;
}

/// Computes what is left of F = +-mu load, where rows carry `force`, and its slopes by the changes
/// of F; returns the worst share, and whose.
double mismatch(const Sliders& s, const VecX& F, const VecX& force, VecX& r, MatX& slope,
                int& worst) {
  double most = 0;
  slope = -MatX::Identity(s.n(), s.n());
  for (int k = 0; k < s.n(); ++k) {
    double load = 0;
    for (const auto& pad : s.of[at(k)]->pads) {
      const Vec3 carried = solve::carried(pad, force);
      const double length = carried.norm();
      load += length;
      if (length == 0) continue;
      for (const solve::Cone::Part& part : pad)
        slope.row(k) += s.signed_mu[k] * part.along.dot(carried) / length *
                        s.response.row(static_cast<Eigen::Index>(part.row));
    }
    r[k] = s.signed_mu[k] * load - F[k];
    const double size = std::abs(F[k]) + std::abs(s.signed_mu[k]) * load;
    const double share = size > 0 ? std::abs(r[k]) / size : 0;
    if (share >= most || !std::isfinite(share)) worst = k;
    most = std::isfinite(share) ? std::max(most, share) : law::kInf;
  }
  return most;
}

/// Adds to F what solves F = +-mu load where `force` answers as `response` says, by Newton from
/// where it is: from no friction at all, and with one load of one friction, which is convex, that
/// leads up to the least solution, on which Coulomb's law is a continuation of no friction. Returns
/// the friction that finds none (Painleve 1895), -1 for found.
int match(Sliders& s, VecX force) {
  VecX r(s.n());
  MatX slope;
  double last = law::kInf;
  int worst = 0;
  for (int k = 0; k < kMostNewton; ++k) {
    const double off = mismatch(s, s.F, force, r, slope, worst);
    if (!std::isfinite(off)) return worst;
    if (off <= kExact || (off <= kMet && off > last / 2)) {
      // beyond a fold solutions go back to more friction for less load
      return (-slope).determinant() > 0 ? -1 : worst;
    }
    last = off;
    const VecX dF = dense::Lu(slope).solve(-r);
    s.F += dF;
    force += s.response * dF;
  }
  return worst;
}

/// Applies a change of the frictions, with the answer of the rows as it is expected.
void apply(const Mechanism& mechanism, const Instant& now, const Sliders& s, const VecX& dF,
           double* a, Work& work) {
  Eigen::Map<VecX> x(work.x.data(), static_cast<Eigen::Index>(work.x.size()));
  x = s.response * dF;
  for (std::size_t i = 0; i < work.x.size(); ++i) work.lambda[i] += work.x[i];
  for (int k = 0; k < s.n(); ++k) {
    work.known[s.row(k)] += dF[k];
    work.x[s.row(k)] += dF[k];
  }
  solve::add_transpose(mechanism.kin.graph(), now.at.J.data(), work.x.data(), work.f.data());
  accelerate(mechanism, now, a, work);
}

VecX forces_of(const Work& work) {
  const auto n = static_cast<Eigen::Index>(work.known.size());
  return Eigen::Map<const VecX>(work.known.data(), n) +
         Eigen::Map<const VecX>(work.lambda.data(), n);
}

}  // namespace

bool solve_rows(const Mechanism& mechanism, const Instant& now, Bounds& bounds, double* a,
                Work& work) {
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  return correct_rows(mechanism, now, bounds, a, work);
}

bool apply_and_correct(const Mechanism& mechanism, const Instant& now, Bounds& bounds, double* a,
                       Work& work) {
  accelerate(mechanism, now, a, work);
  return correct_rows(mechanism, now, bounds, a, work);
}

bool solve_frictions(const Mechanism& mechanism, const Mode& mode, const Instant& now,
                     Bounds& bounds, double* a, Work& work) {
  Sliders s = sliders_of(mechanism, mode);
  if (s.n() == 0) return true;
  std::vector<signed char> set;
  VecX r(s.n());
  MatX slope;
  double last = law::kInf;
  for (int k = 0; k < kMostMatches; ++k) {
    if (k == 0 || set != bounds.set) {
      set = bounds.set;
      if (!find_response(mechanism, now, bounds, s, work)) return false;
    }
    int worst = 0;
    const double off = mismatch(s, s.F, forces_of(work), r, slope, worst);
    if (off <= kExact || (off <= kShared && off > last / 2)) return true;
    last = off;
    const VecX before = s.F;
    const int none = match(s, forces_of(work));
    if (none >= 0) {
      work.jammed_row = static_cast<int>(s.row(none));
      return false;
    }
    apply(mechanism, now, s, s.F - before, a, work);
    if (!correct_rows(mechanism, now, bounds, a, work)) return false;
  }
  work.jammed_row = static_cast<int>(s.row(0));
  return false;
}

}  // namespace trammel::form::acceleration
