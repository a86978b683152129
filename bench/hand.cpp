// The chain of ball joints by hand: the scheme, the tolerances and the first guesses of the
// velocity formulation, written out for this one mechanism. What the engine takes longer is the
// price of its being general.
//
// With r the vector from a link's centre to its far end, x its axes' columns b and n across r, and
// joint i between the far end of link i - 1 and the near end of link i:
//
//   S_ii = 2/m + G_i-1 + G_i,   S_i,i+1 = G_i - 1/m,   G = -[r]x I^-1 [r]x = |r|^2 (b b^T/I_n + n
//   n^T/I_b)
//
// (the first joint: 1/m + G_0), block-tridiagonal, factored from the first link to the last. The
// rows, as the engine's, lie along the axes of the link before: what is kept from one pose to the
// next, gaps and the extrapolation of the multipliers, turns with that link.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "bench.h"
#include "math/rotation.h"

namespace trammel::bench {

namespace {

constexpr double kTolerance = 1e-12, kContraction = 0.3, kRowSpeed = 1e-11;
constexpr int kIterations = 30;

/// sin(t)/t and (1 - cos t)/t^2 from t^2, without a division where the angle is small.
SinCosRatios ratios(double t2) {
  if (t2 > 0.01) return sin_cos_ratios(t2);
  constexpr double s1 = 1. / 6, s2 = 1. / 120, s3 = 1. / 5040, s4 = 1. / 362880;
  constexpr double c1 = 1. / 24, c2 = 1. / 720, c3 = 1. / 40320, c4 = 1. / 3628800;
  return {1 - t2 * (s1 - t2 * (s2 - t2 * (s3 - t2 * s4))),
          0.5 - t2 * (c1 - t2 * (c2 - t2 * (c3 - t2 * c4)))};
}

struct Link {
  // state: centre, axes, momenta
  Vec3 p, v, l;
  Quat q;
  // at the start of a step
  Vec3 p0;
  Quat q0;
  // at the pose of the rows: half the link along its axis; G of the header and what eliminates it
  Vec3 r;
  Mat3 R, pivot, up;  // pivot = D^-1, up = D^-1 S_i,i+1, D what is left of S_ii
  // of the joint at its near end, in world axes; the extrapolation in those of the link before
  Vec3 x, L, m, extrapolation;
  // of the free motion: angular velocity and momentum in the link's axes, as last solved
  Vec3 w_body, l_body;
};

class Hand final : public Engine {
 public:
  Hand(const Scene& scene, const Case& wanted) : h_(wanted.dt), links_(scene.bodies.size()) {
    if (scene.name != "chain" || wanted.solver != "rattle-2")
      throw std::runtime_error("by hand there is only the chain, and rattle-2");
    inverse_mass_ = 1 / scene.bodies[0].mass;
    I_ = scene.bodies[0].inertia;
    inverse_I_ = I_.cwiseInverse();
    minors_ = I_.prod() * inverse_I_;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      Link& a = links_[i];
      a.p = scene.bodies[i].p;
      a.q = Quat::Identity();
      for (Vec3* v : {&a.v, &a.l, &a.x, &a.L, &a.m, &a.extrapolation, &a.w_body, &a.l_body})
        v->setZero();
    }
    place();
    factor();
  }

  void advance(long steps) override {
    for (long k = 0; k < steps; ++k) step();
  }

  long iterations() const override { return iterations_; }

  void states(std::vector<State>& out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Link& a = links_[i];
      out[i] = {a.p, a.q, a.v, spin(a)};
    }
  }

 private:
  void step() {
    double tolerance = kTolerance;
    for (Link& a : links_) {
      tolerance = std::max(tolerance, 1e-15 * a.p.cwiseAbs().maxCoeff());
      a.p0 = a.p;
      a.q0 = a.q;
      a.v.z() -= h_ / 2 * kGravity;
    }
    Mat3 R = Mat3::Identity();
    for (Link& a : links_) {
      a.x = a.L = a.m + R * a.extrapolation;
      R = a.R;
    }
    push();
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k) {
      drift();
      if (gaps() <= tolerance) break;
      const double size = solve();
      if (!(size <= kContraction * last) || k == kIterations)
        throw std::runtime_error("by hand nothing is done about singular configurations");
      last = size;
      ++iterations_;
      for (Link& a : links_) a.L += a.x;
      push();
    }
    R.setIdentity();
    for (Link& a : links_) {
      if (begun_) a.extrapolation = R.transpose() * (a.L - a.m);
      R = a.R;
      a.m.setZero();
      a.v.z() -= h_ / 2 * kGravity;
    }
    place();
    factor();
    for (bool held = speeds(); !held; held = speeds()) {
      solve();
      for (Link& a : links_) a.m += a.x;
      push();
    }
    begun_ = true;
  }

  /// Momenta += J^T x, J that of the poses last placed.
  void push() {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      Link& a = links_[i];
      Vec3 force = a.x, sum = a.x;
      if (i + 1 < links_.size()) {
        force -= links_[i + 1].x;
        sum += links_[i + 1].x;
      }
      a.v += inverse_mass_ * force;
      a.l -= a.r.cross(sum);
    }
  }

  /// (I + [a]x)^-1 r.
  Vec3 solve_turn(const Vec3& a, const Vec3& r) const {
    const Vec3 scaled = I_.cwiseProduct(a);
    const double det = I_.prod() + a.dot(scaled);
    return 1 / det * (minors_.cwiseProduct(r) + a.dot(r) * a - scaled.cross(r));
  }

  /// I w = exp(-h/2 w) l in the link's axes, by Newton from the last solution. The turn exp(h w).
  Quat turn(Link& a) const {
    const Vec3 l = a.q0.conjugate() * a.l;
    Vec3 w = a.w_body + inverse_I_.cwiseProduct(l - a.l_body);
    const double small = 4e-32 * l.squaredNorm();
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k) {
      const Vec3 half = h_ / 2 * w, once = l.cross(half);
      const double t2 = half.squaredNorm();
      const SinCosRatios c = ratios(t2);
      const Vec3 middle = l + c.s * once - c.c * half.cross(once);
      const Vec3 residual = I_.cwiseProduct(w) - middle;
      const double square = residual.squaredNorm();
      if (square <= small || (square >= last && square <= 1e4 * small) || k == 60) {
        a.w_body = w;
        a.l_body = l;
        const Vec3 v = c.s * half;
        return Quat(1 - c.c * t2, v.x(), v.y(), v.z());
      }
      last = square;
      w -= solve_turn(-h_ / 2 * middle, residual);
    }
  }

  void drift() {
    for (Link& a : links_) {
      a.p = a.p0 + h_ * a.v;
      a.q = a.q0 * turn(a);
      renormalise(a.q);
    }
  }

  /// Right-hand sides x = -g/h; the worst g [m].
  double gaps() {
    Vec3 end = Vec3::Zero();
    Mat3 before = Mat3::Identity(), now = before;  // axes of the last link, then and now
    double worst = 0;
    for (Link& a : links_) {
      const Mat3 R = a.q.toRotationMatrix();
      const Vec3 r = 0.5 * R.col(0), g = now.transpose() * (a.p - r - end);
      end = a.p + r;
      worst = std::max(worst, g.cwiseAbs().maxCoeff());
      a.x = before * (-1 / h_ * g);
      before = a.R;
      now = R;
    }
    return worst;
  }

  /// Right-hand sides x = -J u. True: none of them is above rounding.
  bool speeds() {
    Vec3 end = Vec3::Zero();
    double worst = 0;
    for (Link& a : links_) {
      const Vec3 turning = spin(a).cross(a.r);
      a.x = end - (a.v - turning);
      end = a.v + turning;
      worst = std::max(worst, a.x.cwiseAbs().maxCoeff());
    }
    return worst <= kRowSpeed;
  }

  Vec3 spin(const Link& a) const { return a.R * inverse_I_.cwiseProduct(a.R.transpose() * a.l); }

  void place() {
    for (Link& a : links_) {
      a.R = a.q.toRotationMatrix();
      a.r = 0.5 * a.R.col(0);
    }
  }

  void factor() {
    const Mat3 one = inverse_mass_ * Mat3::Identity();
    Mat3 rest = Mat3::Zero();  // of S_ii: what link i - 1 adds, less what is eliminated
    for (Link& a : links_) {
      const Vec3 b = a.R.col(1), n = a.R.col(2);
      const Mat3 G =
          0.25 * inverse_I_.z() * b * b.transpose() + 0.25 * inverse_I_.y() * n * n.transpose();
      a.pivot = (rest + one + G).inverse();
      a.up = a.pivot * (G - one);
      rest = one + G - (G - one) * a.up;
    }
  }

  /// S x = x. The size of the solution, sqrt(x^T S x).
  double solve() {
    Vec3 from = Vec3::Zero();
    double square = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      Link& a = links_[i];
      a.x -= from;
      if (i + 1 < links_.size()) from = a.up.transpose() * a.x;
      const Vec3 scaled = a.pivot * a.x;
      square += a.x.dot(scaled);
      a.x = scaled;
    }
    for (std::size_t i = links_.size() - 1; i-- > 0;) links_[i].x -= links_[i].up * links_[i + 1].x;
    return std::sqrt(square);
  }

  double h_, inverse_mass_ = 0;
  Vec3 I_, inverse_I_, minors_;
  bool begun_ = false;
  long iterations_ = 0;
  std::vector<Link> links_;
};

}  // namespace

std::unique_ptr<Engine> make_hand(const Scene& scene, const Case& wanted) {
  return std::make_unique<Hand>(scene, wanted);
}

}  // namespace trammel::bench
