#pragma once

#include <span>
#include <vector>

#include "constraint/piles/system.h"

/// What impacts do to points of contact: restitution by speeds (Newton) or by impulses (Poisson),
/// of all points at once or of one pair of bodies after the other (docs/theory/contact.md,
/// "Impacts").
namespace trammel::constraint {

/// Of several impacts at one instant.
enum class Impacts : unsigned char { simultaneous, sequential };

struct ImpactPoint {
  int pair = 0;  // of bodies, counted from 0
  double mu = 0, restitution = 0;
  bool poisson = false;
  double rests = 0;            // what would leave no faster stays [m/s]
  Vec3 before = Vec3::Zero();  // rates n, t, s, surfaces included [m/s]
  double apart = 0;  // it has a gap still, which what comes in no faster leaves open [m/s]

  /// The rate at which it leaves by Newton, that comes in at `rate`.
  double wanted(double rate) const {
    const double out = -restitution * rate;
    return out > rests ? out : 0;
  }
};

/// How impulses change the rates of points. It keeps those that it has been given.
class ImpactResponse {
 public:
  virtual ~ImpactResponse() = default;
  virtual Vec3 change(int point) const = 0;
  virtual void push(int point, const Vec3& p) = 0;
  /// Forgets all impulses since mark().
  virtual void mark() = 0;
  virtual void take_back() = 0;
  /// W of points of one pair: 3 rows each.
  virtual MatX operator_of(std::span<const int> points) const = 0;
  /// Impulses p of all points so that rates less targets are W p + q, q what they are by now; p is
  /// a guess as it comes in, and is given.
  virtual piles::ContactEffort solve(std::span<const piles::ContactTargets> targets,
                                     std::span<const ImpactPoint> points,
                                     const piles::ContactOptions& options, VecX& p) = 0;
};

/// W given, 3 rows a point.
class DenseImpact : public ImpactResponse {
 public:
  explicit DenseImpact(MatX W) : W_(std::move(W)), change_(VecX::Zero(W_.rows())) {}
  Vec3 change(int point) const override { return change_.segment<3>(3 * point); }
  void push(int point, const Vec3& p) override { change_ += W_.middleCols<3>(3 * point) * p; }
  void mark() override { marked_ = change_; }
  void take_back() override { change_ = marked_; }
  MatX operator_of(std::span<const int> points) const override;
  piles::ContactEffort solve(std::span<const piles::ContactTargets> targets,
                             std::span<const ImpactPoint> points,
                             const piles::ContactOptions& options, VecX& p) override;

 private:
  MatX W_;
  VecX change_, marked_;
};

/// Points between free bodies. Their torques of rolling and spinning count where all points are
/// solved for at once.
class BodyImpact : public ImpactResponse {
 public:
  explicit BodyImpact(piles::ContactSystem& system);
  Vec3 change(int point) const override;
  void push(int point, const Vec3& p) override;
  void mark() override { marked_ = v_; }
  void take_back() override { v_ = marked_; }
  MatX operator_of(std::span<const int> points) const override;
  piles::ContactEffort solve(std::span<const piles::ContactTargets> targets,
                             std::span<const ImpactPoint> points,
                             const piles::ContactOptions& options, VecX& p) override;

 private:
  piles::ContactSystem& system_;
  std::vector<double> v_, marked_;
};

struct ImpactResult {
  VecX p;             // impulses, 3 a point
  int impacts = 0;    // one after the other
  bool ended = true;  // false: there were too many, the rest was solved at once
  piles::ContactEffort effort;
};

/// Impulses of an impact. What comes in no faster than `least` does not strike where pairs do by
/// themselves [m/s]; points whose rate is infinite take no part. `tolerance` of the solves [m/s].
ImpactResult solve_impact(Impacts how, std::span<const ImpactPoint> points, double least,
                          double tolerance, ImpactResponse& response);

}  // namespace trammel::constraint
