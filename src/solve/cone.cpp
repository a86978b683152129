// Cones of friction in the active set: the tangent rows of a cone either stick, and are free of
// bounds, or slide, and have a given impulse. What slides is given the nearest impulse in the disc
// of the normal impulse found last, which is repeated, with mixing, until it stands still. The
// factor stays as it is while the same cones stick. Where this goes round in circles all tangent
// impulses are given, and eased towards what they should be.
#include "solve/cone.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/index.h"
#include "solve/active_set.h"
#include "solve/mixing.h"

namespace trammel::solve {

namespace {
constexpr int kConeSets = 60;      // repetitions until nothing is taken to stick for sure
constexpr int kConeSteps = 1000;   // repetitions: then it is given up
constexpr double kConeStep = 0.3;  // share of their own impulses that all together are changed by
constexpr double kInside = 1 - 1e-9;      // of the disc: what is within sticks
constexpr double kConeTolerance = 1e-14;  // of the greatest rate: rounding

void put(const Cone& c, const Tangent& t, std::span<double> list) {
  for (int k = 0; k < c.n; ++k) list[at(c.tangent[at(k)])] = t[k];
}

bool slides(const Cone& c, std::span<const signed char> set) {
  return set[at(c.tangent[0])] != 0 || (c.n > 1 && set[at(c.tangent[1])] != 0);
}

/// Returns the tangent impulses of all cones, one after the other; spread() puts them back.
VecX gathered(std::span<const Cone> cones, std::span<const double> x) {
  VecX out(2 * static_cast<Eigen::Index>(cones.size()));
  for (std::size_t i = 0; i < cones.size(); ++i)
    out.segment<2>(2 * static_cast<Eigen::Index>(i)) = tangent_of(cones[i], x);
  return out;
}
void spread(std::span<const Cone> cones, const VecX& all, std::span<double> x) {
  for (std::size_t i = 0; i < cones.size(); ++i)
    put(cones[i], all.segment<2>(2 * static_cast<Eigen::Index>(i)), x);
}

/// Gives the tangent rows of a cone that slides the impulses x.
void bound(const Cone& c, std::span<const double> x, std::span<const signed char> set,
           std::span<double> lo, std::span<double> hi) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Tangent none = Tangent::Constant(kInf), t = tangent_of(c, x);
  put(c, slides(c, set) ? t : Tangent(-none), lo);
  put(c, slides(c, set) ? t : none, hi);
}
}  // namespace

/// Compares the tangent impulses with those that the rates w_ and the normal impulses ask for, and
/// puts these into x and set: what sticks is free, unless it is `eased` to its impulse by a part of
/// the way like all others. Returns how far they were from them, as a rate.
double ActiveSet::release_cones(std::span<const Cone> cones, bool eased, std::span<double> x,
                                std::span<signed char> set) const {
  const auto D = direct_.diagonal();
  double worst = 0;
  for (const Cone& c : cones) {
    if (!given_[at(c.tangent[0])]) continue;
    double S = D[at(c.tangent[0])];
    if (c.n > 1) S = std::max(S, D[at(c.tangent[1])]);
    const Tangent t = tangent_of(c, x), w = tangent_of(c, w_);
    const double radius = radius_of(c, x), off = off_cone(t, w, S, radius);
    worst = off <= worst ? worst : off;
    const Tangent z = t - (eased ? kConeStep : 1) / S * w;
    const bool sticks = !eased && radius > 0 && z.norm() <= radius;
    put(c, nearest_in_disc(z, radius), x);
    for (int k = 0; k < c.n; ++k) set[at(c.tangent[at(k)])] = sticks ? 0 : -1;
  }
  return worst;
}

BoxReport ActiveSet::solve_cones(const System& system, const BoxProblem& problem,
                                 std::span<double> x, std::span<signed char> set,
                                 bool factor_is_current) {
  lo_.assign(problem.lo.begin(), problem.lo.end());
  hi_.assign(problem.hi.begin(), problem.hi.end());
  BoxReport all{0, 0, 0, false};
  std::vector<double> next(x.begin(), x.end());
  std::vector<signed char> sides;
  Mixing mixing;
  double last = 0;
  for (int k = 0; k < kConeSteps && !all.converged; ++k) {
    if (k > 0) std::copy(sides.begin(), sides.end(), set.begin());
    for (const Cone& c : problem.cones) bound(c, next, set, lo_, hi_);
    const BoxReport done = solve_box(system, {problem.q, lo_, hi_}, x, set, factor_is_current);
    all.iterations += done.iterations;
    all.factorisations += done.factorisations;
    all.merit = done.merit;
    if (!std::isfinite(done.merit)) return all;
    factor_is_current = direct_.failed_row() < 0;
    product_.apply(system, given_, x.data(), w_.data());
    for (std::size_t i = 0; i < w_.size(); ++i) w_[i] += given_[i] ? problem.q[i] : 0;
    next.assign(x.begin(), x.end());
    sides.assign(set.begin(), set.end());
    const double off = release_cones(problem.cones, k >= kConeSets, next, sides);
    all.merit = std::max(done.merit, off);
    const bool rounded = off <= direct_.options().tolerance * scale_ && off > last / 2;
    all.converged = done.converged && (off <= kConeTolerance * scale_ || rounded);
    last = off;
    if (!std::equal(sides.begin(), sides.end(), set.begin())) mixing.forget();
    spread(problem.cones, mixing.next(gathered(problem.cones, x), gathered(problem.cones, next)),
           next);
  }
  for (const Cone& c : problem.cones)
    for (int k = 0; k < c.n; ++k)
      if (tangent_of(c, x).norm() < kInside * radius_of(c, x)) set[at(c.tangent[at(k)])] = 0;
  return all;
}

}  // namespace trammel::solve
