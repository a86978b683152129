#include "overlap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace trammel::bench {

namespace {

double reach(const Body& b) { return b.radius > 0 ? b.radius : b.half.norm(); }

/// Along n, how far a box reaches from its middle.
double extent(const Mat3& R, const Vec3& half, const Vec3& n) {
  return (R.transpose() * n).cwiseAbs().dot(half);
}

/// How far two boxes are apart (negative: how deep in each other), by the planes that part them: of
/// faces, and across edges.
double gap_of_boxes(const Body& a, const State& x, const Body& b, const State& y) {
  const Mat3 R = x.q.toRotationMatrix(), S = y.q.toRotationMatrix();
  const Vec3 d = y.p - x.p;
  double out = -1e300;
  const auto look = [&](const Vec3& n) {
    out = std::max(out, std::abs(n.dot(d)) - extent(R, a.half, n) - extent(S, b.half, n));
  };
  for (int i = 0; i < 3; ++i) look(R.col(i)), look(S.col(i));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vec3 n = R.col(i).cross(S.col(j));
      if (n.norm() > 1e-6) look(n.normalized());
    }
  return out;
}

double gap_to_ground(const Body& b, const State& y) {
  return y.p.z() - b.radius - extent(y.q.toRotationMatrix(), b.half, Vec3::UnitZ());
}

double gap_between(const Body& a, const State& x, const Body& b, const State& y) {
  const double far = (x.p - y.p).norm();
  if (a.radius > 0) return far - a.radius - b.radius;
  return far > reach(a) + reach(b) + kTouch ? far : gap_of_boxes(a, x, b, y);
}

/// Bodies by cells of the size of the largest.
class Cells {
 public:
  Cells(const Scene& scene, const std::vector<State>& now) : now_(now) {
    for (const Body& b : scene.bodies) size_ = std::max(size_, 2 * reach(b) + kTouch);
    for (std::size_t i = 0; i < now.size(); ++i) of_[key(now[i].p, 0, 0, 0)].push_back(i);
  }
  template <class F>
  void near(std::size_t i, const F& f) const {
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const auto cell = of_.find(key(now_[i].p, x, y, z));
          if (cell == of_.end()) continue;
          for (const std::size_t j : cell->second)
            if (i < j) f(j);
        }
  }

 private:
  std::int64_t key(const Vec3& p, int x, int y, int z) const {
    const auto at = [&](int k, int by) {
      return static_cast<std::int64_t>(std::floor(p[k] / size_)) + by + (1 << 19);
    };
    return (at(0, x) << 42) + (at(1, y) << 21) + at(2, z);
  }
  const std::vector<State>& now_;
  double size_ = 0;
  std::unordered_map<std::int64_t, std::vector<std::size_t>> of_;
};

}  // namespace

Overlap overlap(const Scene& scene, const std::vector<State>& now) {
  Overlap out;
  const auto take = [&](double gap) {
    if (gap > kTouch) return;
    ++out.touching;
    out.mean += std::max(0., -gap);
    out.most = std::max(out.most, -gap);
  };
  const Cells cells(scene, now);
  for (std::size_t i = 0; i < now.size(); ++i) {
    take(gap_to_ground(scene.bodies[i], now[i]));
    cells.near(i, [&](std::size_t j) {
      take(gap_between(scene.bodies[i], now[i], scene.bodies[j], now[j]));
    });
    out.speed += now[i].v.squaredNorm();
  }
  out.mean /= std::max(1, out.touching);
  out.speed = std::sqrt(out.speed / static_cast<double>(now.size()));
  return out;
}

}  // namespace trammel::bench
