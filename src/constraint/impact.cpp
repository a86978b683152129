#include "constraint/impact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "math/index.h"

namespace trammel::constraint {

namespace {
constexpr int kImpactsPerPair = 200;  // then the rest is solved at once

using Targets = std::vector<piles::ContactTargets>;

/// The rates of the ends of a point at their bodies' velocities.
Vec3 rate_of(const piles::ContactPoint& c, const double* v_a, const double* v_b) {
  const Vec3 v = vec3(v_b) + vec3(v_b + 3).cross(c.r_b) - vec3(v_a) - vec3(v_a + 3).cross(c.r_a);
  return {c.n.dot(v), c.t.dot(v), c.s.dot(v)};
}

void push_body(const piles::ContactBody& body, const Vec3& r, const Vec3& f, double* v) {
  vec3(v) += body.inv_mass * f;
  vec3(v + 3) += body.inv_inertia * r.cross(f);
}

Vec3 force_of(const piles::ContactPoint& c, const Vec3& p) {
  return p[0] * c.n + p[1] * c.t + p[2] * c.s;
}

void take(const piles::ContactEffort& part, piles::ContactEffort& sum) {
  sum.merit = std::max(sum.merit, part.merit);
  sum.sweeps += part.sweeps;
  sum.newton += part.newton;
  sum.converged = sum.converged && part.converged;
}

/// One impact of points, all of them at once.
class Blow {
 public:
  Blow(std::span<const ImpactPoint> points, double tolerance, ImpactResponse& response,
       ImpactResult& out)
      : points_(points), tolerance_(tolerance), response_(response), out_(out) {}

  void strike() {
    Targets rests = targets_at(false), wanted = targets_at(true);
    VecX p = VecX::Zero(3 * count(points_));
    if (!any_poisson()) return give(wanted, p);
    // what takes all approach away by itself, Coulomb's law included: the compression
    const VecX before = out_.p;
    response_.mark();
    give(rests, p);
    response_.take_back();
    out_.p = before;
    for (int i = 0; i < count(points_); ++i) {
      const double e = again(i), normal = (1 + e) * p[3 * i];
      if (!(normal > 0 && e > 0)) continue;
      response_.push(i, Vec3(normal, 0, 0));
      out_.p[3 * i] += normal;
      wanted[at(i)].base = normal;
      p[3 * i] = 0;
    }
    give(wanted, p);
  }

 private:
  bool any_poisson() const {
    for (int i = 0; i < count(points_); ++i)
      if (points_[at(i)].poisson && again(i) > 0) return true;
    return false;
  }

  /// The share of the impulse of compression that expansion gives by Poisson.
  double again(int i) const {
    const ImpactPoint& point = points_[at(i)];
    const bool stays = rate(i) < 0 && point.wanted(rate(i)) == 0;  // too slow
    return point.poisson && !stays ? point.restitution : 0;
  }

  double rate(int i) const { return points_[at(i)].before[0] + response_.change(i)[0]; }

  /// With Newton's restitution or without any.
  Targets targets_at(bool restitution) const {
    Targets out(points_.size());
    for (int i = 0; i < count(points_); ++i) {
      const ImpactPoint& point = points_[at(i)];
      out[at(i)].u = -point.before;
      if (restitution && !point.poisson) out[at(i)].u[0] += point.wanted(rate(i));
    }
    return out;
  }

  void give(const Targets& targets, VecX& p) {
    piles::ContactOptions options;
    options.tolerance = tolerance_;
    take(response_.solve(targets, points_, options, p), out_.effort);
    out_.p += p;
  }

  std::span<const ImpactPoint> points_;
  double tolerance_;
  ImpactResponse& response_;
  ImpactResult& out_;
};

/// The points of each pair.
std::vector<std::vector<int>> pairs_of(std::span<const ImpactPoint> points) {
  std::vector<std::vector<int>> out;
  for (int i = 0; i < count(points); ++i) {
    const int pair = points[at(i)].pair;
    if (pair >= count(out)) out.resize(at(pair) + 1);
    out[at(pair)].push_back(i);
  }
  return out;
}

/// Impacts of one pair after the other, the fastest first.
class Sequence {
 public:
  Sequence(std::span<const ImpactPoint> points, double least, double tolerance,
           ImpactResponse& response, ImpactResult& out)
      : points_(points),
        pairs_(pairs_of(points)),
        least_(least),
        tolerance_(tolerance),
        response_(response),
        out_(out) {}

  void run() {
    const int most = kImpactsPerPair * count(pairs_);
    for (int pair = fastest(); pair >= 0; pair = fastest()) {
      if (out_.impacts == most) {
        out_.ended = false;
        return Blow(points_, tolerance_, response_, out_).strike();
      }
      strike(pairs_[at(pair)]);
      ++out_.impacts;
    }
  }

 private:
  double rate(int i) const { return points_[at(i)].before[0] + response_.change(i)[0]; }

  /// The pair that approaches fastest, the first of several; -1: none does.
  int fastest() const {
    int found = -1;
    double least = -least_;
    for (int k = 0; k < count(pairs_); ++k)
      for (const int i : pairs_[at(k)])
        if (const double u = rate(i); u < least && meets(i)) least = u, found = k;
    return found;
  }

  /// True for a point that touches, or closes its gap within the instant.
  bool meets(int i) const { return !(-rate(i) < points_[at(i)].apart); }

  void strike(const std::vector<int>& all) {
    std::vector<int> pair;
    std::copy_if(all.begin(), all.end(), std::back_inserter(pair), [&](int i) { return meets(i); });
    std::vector<ImpactPoint> own;
    for (const int i : pair) {
      own.push_back(points_[at(i)]);
      own.back().before += response_.change(i);
    }
    DenseImpact alone(response_.operator_of(pair));
    ImpactResult one;
    one.p = VecX::Zero(3 * count(pair));
    one.effort.converged = true;
    Blow(own, tolerance_, alone, one).strike();
    take(one.effort, out_.effort);
    for (int k = 0; k < count(pair); ++k) {
      const Vec3 p = one.p.segment<3>(3 * k);
      response_.push(pair[at(k)], p);
      out_.p.segment<3>(3 * pair[at(k)]) += p;
    }
  }

  std::span<const ImpactPoint> points_;
  std::vector<std::vector<int>> pairs_;
  double least_, tolerance_;
  ImpactResponse& response_;
  ImpactResult& out_;
};
}  // namespace

MatX DenseImpact::operator_of(std::span<const int> points) const {
  const int n = count(points);
  MatX out(3 * n, 3 * n);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c)
      out.block<3, 3>(3 * r, 3 * c) = W_.block<3, 3>(3 * points[at(r)], 3 * points[at(c)]);
  return out;
}

piles::ContactEffort DenseImpact::solve(std::span<const piles::ContactTargets> targets,
                                        std::span<const ImpactPoint> points,
                                        const piles::ContactOptions& options, VecX& p) {
  constexpr double kLeft = 1e-12;  // of the greatest W_nn: rows hold the point
  const double most = W_.size() > 0 ? W_.diagonal().maxCoeff() : 0;
  std::vector<piles::ContactLaw> laws;
  VecX q = change_;
  for (int i = 0; i < count(points); ++i) {
    laws.push_back({points[at(i)].mu, 0, 0, 0, targets[at(i)].base});
    q.segment<3>(3 * i) -= targets[at(i)].u;
    if (!(W_(3 * i, 3 * i) > kLeft * most)) q[3 * i] = std::numeric_limits<double>::infinity();
  }
  const auto n = static_cast<std::size_t>(q.size());
  const auto effort = piles::solve_dense(W_, {q.data(), n}, laws, {p.data(), n}, options);
  change_ += W_ * p;
  return effort;
}

BodyImpact::BodyImpact(piles::ContactSystem& system)
    : system_(system), v_(6 * system.bodies().size(), 0.) {}

Vec3 BodyImpact::change(int point) const {
  const piles::ContactPoint& c = system_.points()[at(point)];
  return rate_of(c, v_.data() + 6 * c.a, v_.data() + 6 * c.b);
}

void BodyImpact::push(int point, const Vec3& p) {
  const piles::ContactPoint& c = system_.points()[at(point)];
  const Vec3 f = force_of(c, p);
  push_body(system_.bodies()[at(c.a)], c.r_a, -f, v_.data() + 6 * c.a);
  push_body(system_.bodies()[at(c.b)], c.r_b, f, v_.data() + 6 * c.b);
}

MatX BodyImpact::operator_of(std::span<const int> points) const {
  const int n = count(points);
  MatX out(3 * n, 3 * n);
  for (int k = 0; k < 3 * n; ++k) {
    const piles::ContactPoint& c = system_.points()[at(points[at(k / 3)])];
    const Vec3 f = force_of(c, Vec3::Unit(k % 3));
    std::array<double, 6> v_a{}, v_b{};
    push_body(system_.bodies()[at(c.a)], c.r_a, -f, v_a.data());
    push_body(system_.bodies()[at(c.b)], c.r_b, f, v_b.data());
    for (int i = 0; i < n; ++i)
      out.col(k).segment<3>(3 * i) =
          rate_of(system_.points()[at(points[at(i)])], v_a.data(), v_b.data());
  }
  return out;
}

piles::ContactEffort BodyImpact::solve(std::span<const piles::ContactTargets> targets,
                                       std::span<const ImpactPoint> /*points*/,
                                       const piles::ContactOptions& options, VecX& p) {
  std::vector<double> six(2 * static_cast<std::size_t>(p.size()), 0.);
  for (int i = 0; i < count(targets); ++i) vec3(six.data() + 6 * i) = p.segment<3>(3 * i);
  piles::ContactOptions how = options;
  if (std::any_of(targets.begin(), targets.end(), [](const auto& t) { return t.base > 0; }))
    how.method = piles::ContactOptions::Method::newton;
  const auto effort = system_.solve(targets, v_, six, how);
  for (int i = 0; i < count(targets); ++i) p.segment<3>(3 * i) = vec3(six.data() + 6 * i);
  return effort;
}

ImpactResult solve_impact(Impacts how, std::span<const ImpactPoint> points, double least,
                          double tolerance, ImpactResponse& response) {
  ImpactResult out;
  out.p = VecX::Zero(3 * count(points));
  out.effort.converged = true;
  if (how == Impacts::sequential)
    Sequence(points, least, tolerance, response, out).run();
  else
    Blow(points, tolerance, response, out).strike();
  return out;
}

}  // namespace trammel::constraint
