// The jointed scenes in minimal coordinates, integrated without any engine. They stay in the plane
// y = 0; angles turn x towards z.
#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "reference.h"
#include "scene.h"

namespace trammel::bench {

namespace {

using Mat2 = Eigen::Matrix2d;
using Vec2 = Eigen::Vector2d;

/// y' = f(y) over `seconds`. Increments are summed with what rounding loses of them.
template <class F>
void integrate(F&& f, VecX& y, double seconds, double dt) {
  VecX k1(y), k2(y), k3(y), k4(y), lost = VecX::Zero(y.size());
  for (long i = 0; i < std::lround(seconds / dt); ++i) {
    f(y, k1);
    f(y + dt / 2 * k1, k2);
    f(y + dt / 2 * k2, k3);
    f(y + dt * k3, k4);
    const VecX step = dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4) - lost;
    const VecX next = y + step;
    lost = (next - y) - step;
    y = next;
  }
}

/// Angles of the links from the x axis and their rates; the forces F in the joints follow from the
/// links' ends staying together:
///   m a_i = F_i - F_i+1 + m g,   I alpha_i = -r_i x (F_i + F_i+1),
///   a_i - (alpha_i x r_i - w_i^2 r_i) = a_i-1 + (alpha_i-1 x r_i-1 - w_i-1^2 r_i-1),
/// a tridiagonal system of 2 x 2 blocks, eliminated from the free end.
class Chain {
 public:
  explicit Chain(int n) : links_(static_cast<std::size_t>(n)) {
    const Scene scene = make_scene("chain", 1);
    inv_m_ = 1 / scene.bodies[0].mass;
    inv_i_ = 1 / scene.bodies[0].inertia.y();
  }

  void operator()(const VecX& y, VecX& rate) {
    const auto n = static_cast<Eigen::Index>(links_.size());
    for (Eigen::Index i = n; i-- > 0;) eliminate(i, y[i], y[n + i]);
    Vec2 before = Vec2::Zero();
    for (Eigen::Index i = 0; i < n; ++i) {
      Link& l = links_[static_cast<std::size_t>(i)];
      l.force = l.pivot * (l.right - l.down * before);
      before = l.force;
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Vec2 sum =
          links_[k].force + (k + 1 < links_.size() ? links_[k + 1].force : Vec2(Vec2::Zero()));
      rate[i] = y[n + i];
      rate[n + i] = -inv_i_ * links_[k].across.dot(sum);
    }
  }

 private:
  struct Link {
    Vec2 across, outward, right, force;  // d r / d angle; w^2 r
    Mat2 pivot, down;                    // F_i = pivot (right - down F_i-1)
  };

  /// The row of joint i, free of all forces beyond it.
  void eliminate(Eigen::Index i, double angle, double w) {
    const auto k = static_cast<std::size_t>(i);
    const bool first = k == 0, last = k + 1 == links_.size();
    Link& l = links_[k];
    l.across = 0.5 * Vec2(-std::sin(angle), std::cos(angle));
    l.outward = 0.5 * w * w * Vec2(std::cos(angle), std::sin(angle));
    if (!last) finish(l, links_[k + 1]);
    const Mat2 turn = inv_i_ * l.across * l.across.transpose();
    // the link's own end; what the link before it adds comes when that is known
    mine_ = inv_m_ * Mat2::Identity() + turn;
    beyond_ = -inv_m_ * Mat2::Identity() + turn;
    known_ = -l.outward - Vec2(0, -kGravity);
    if (!last) {
      mine_ -= beyond_ * links_[k + 1].pivot * links_[k + 1].down;
      known_ -= beyond_ * links_[k + 1].pivot * links_[k + 1].right;
    }
    if (first) {
      l.pivot = mine_.inverse();
      l.right = known_;
      l.down.setZero();
    }
  }

  /// Joint `next`, whose first end is the far end of `l`.
  void finish(const Link& l, Link& next) const {
    const Mat2 turn = inv_i_ * l.across * l.across.transpose();
    next.pivot = (mine_ + inv_m_ * Mat2::Identity() + turn).inverse();
    next.down = -inv_m_ * Mat2::Identity() + turn;
    next.right = known_ + Vec2(0, -kGravity) - l.outward;
  }

  std::vector<Link> links_;
  double inv_m_, inv_i_;
  Mat2 mine_, beyond_;
  Vec2 known_;
};

}  // namespace

Vec3 integrate_chain(int n, double seconds, double dt) {
  VecX y = VecX::Zero(2 * n);
  Chain chain(n);
  integrate(chain, y, seconds, dt);
  Vec3 p = Vec3::Zero();
  for (int i = 0; i < n; ++i) p += (i + 1 < n ? 1 : 0.5) * Vec3(std::cos(y[i]), 0, std::sin(y[i]));
  return p;
}

/// One degree of freedom while all windows stay parallelograms: the angle of the uprights from the
/// vertical.
Vec3 integrate_fourbar(int n, double seconds, double dt) {
  const double inertia = (n + 1) / 3. + n, weight = kGravity * ((n + 1) / 2. + n);
  VecX y(2);
  y << 0, 1;
  integrate(
      [&](const VecX& x, VecX& rate) {
        rate[0] = x[1];
        rate[1] = weight / inertia * std::sin(x[0]);
      },
      y, seconds, dt);
  return {n - 0.5 + std::sin(y[0]), 0, std::cos(y[0])};
}

/// One pair: swing of the bar from the x axis, travel of the slider; all pairs move alike.
Vec3 integrate_slider(int n, double seconds, double dt) {
  const Scene scene = make_scene("slider", n);
  const Body &bar = scene.bodies[0], &box = scene.bodies[1];
  const double k = scene.joints[1].stiffness, a = bar.p.x(), b = box.p.x();
  const double fixed = bar.mass * a * a + bar.inertia.y() + box.inertia.y();
  VecX y = VecX::Zero(4);
  integrate(
      [&](const VecX& x, VecX& rate) {
        const double r = b + x[1], moment = bar.mass * a + box.mass * r;
        rate[0] = x[2];
        rate[1] = x[3];
        rate[2] = -(kGravity * std::cos(x[0]) * moment + 2 * box.mass * r * x[2] * x[3]) /
                  (fixed + box.mass * r * r);
        rate[3] = r * x[2] * x[2] - kGravity * std::sin(x[0]) - k / box.mass * x[1];
      },
      y, seconds, dt);
  const Vec3 pivot = scene.joints[scene.joints.size() - 2].at;
  return pivot + (b + y[1]) * Vec3(std::cos(y[0]), 0, std::sin(y[0]));
}

}  // namespace trammel::bench
