#include "scene.h"

#include <cmath>
#include <stdexcept>

namespace trammel::bench {

namespace {

Body box(const Vec3& size, double mass, const Vec3& centre) {
  const Vec3 squares = size.cwiseAbs2();
  return {mass, mass / 12 * (Vec3::Constant(squares.sum()) - squares), centre};
}

Vec3 at(double x, double z) { return {x, 0, z}; }

}  // namespace

Scene make_chain(int n) {
  Scene s{"chain", n};
  constexpr double kMass = 2.5;
  for (int i = 0; i < n; ++i) {
    s.bodies.push_back(box({1, 0.05, 0.05}, kMass, at(i + 0.5, 0)));
    s.joints.push_back({Kind::ball, i - 1, i, at(i, 0)});
  }
  s.energy_scale = kMass * kGravity * n * n / 2.0;
  return s;
}

Scene make_fourbar(int n) {
  Scene s{"fourbar", n};
  constexpr double kAcross = 1. / 12, kAlong = 2.7e-4;  // moments of a rod [kg m^2]
  const auto hinge = [](int a, int b, const Vec3& p, bool closes = false) {
    return Joint{Kind::hinge, a, b, p, Vec3::UnitY(), closes};
  };
  std::vector<Joint> closures;
  s.energy_scale = 0;
  for (int i = 0; i <= n; ++i) {
    s.bodies.push_back({1, {kAcross, kAcross, kAlong}, at(i, 0.5), {0.5, 0, 0}, Vec3::UnitY()});
    s.joints.push_back(hinge(-1, i, at(i, 0)));
    s.energy_scale += kGravity / 2 + 1. / 6;
  }
  for (int i = 0; i < n; ++i) {
    const int bar = n + 1 + i;
    s.bodies.push_back({1, {kAlong, kAcross, kAcross}, at(i + 0.5, 1), {1, 0, 0}});
    s.joints.push_back(hinge(i, bar, at(i, 1)));
    closures.push_back(hinge(bar, i + 1, at(i + 1, 1), true));
    s.energy_scale += kGravity + 1. / 2;
  }
  s.joints.insert(s.joints.end(), closures.begin(), closures.end());
  return s;
}

Scene make_slider(int n) {
  Scene s{"slider", n};
  constexpr int kInRow = 32;
  for (int i = 0; i < n; ++i) {
    const Vec3 pivot(3. * (i % kInRow), 3. * (i / kInRow), 0);
    const Vec3 box_at = pivot + Vec3(0.75, 0, 0);
    s.bodies.push_back(box({0.5, 0.1, 0.1}, 1, pivot + Vec3(0.25, 0, 0)));
    s.bodies.push_back(box({0.2, 0.2, 0.2}, 0.5, box_at));
    s.joints.push_back({Kind::ball, -1, 2 * i, pivot});
    s.joints.push_back({Kind::slider, 2 * i, 2 * i + 1, box_at, Vec3::UnitX(), false, 100});
  }
  s.energy_scale = n * kGravity * (1 * 0.25 + 0.5 * 0.75);
  return s;
}

namespace {
/// Numbers in [-1, 1], the same for every engine.
class Jitter {
 public:
  double operator()() {
    seed_ = seed_ * 1664525u + 1013904223u;
    return (seed_ >> 8) / 8388607.5 - 1;
  }
  Vec3 vec(double size) {
    const double x = (*this)(), y = (*this)(), z = (*this)();
    return size * Vec3(x, y, z);
  }

 private:
  unsigned seed_ = 12345;
};

int columns_in_row(int n) { return n <= 100 ? 5 : n <= 1000 ? 10 : 22; }
}  // namespace

Scene make_pile(int n) {
  Scene s{"pile", n};
  s.friction = 0.5;
  const int side = columns_in_row(n);
  Jitter jitter;
  for (int i = 0; i < n; ++i) {
    const double x = 0.75 * (i % side) + 0.08 * jitter(),
                 y = 0.75 * (i / side % side) + 0.08 * jitter();
    Body b = box(Vec3::Constant(0.5), 125, {x, y, 0.5 + 0.7 * (i / (side * side))});
    b.half = Vec3::Constant(0.25);
    const Vec3 r = jitter.vec(0.05);
    b.q = Quat(std::sqrt(1 - r.squaredNorm()), r.x(), r.y(), r.z());
    s.bodies.push_back(b);
  }
  s.energy_scale = n * 125 * kGravity;
  return s;
}

Scene make_balls(int n) {
  Scene s{"balls", n};
  s.friction = 0.5;
  const int side = columns_in_row(n);
  constexpr double kRadius = 0.25, kMass = 65;
  Jitter jitter;
  for (int i = 0; i < n; ++i) {
    const double x = 0.6 * (i % side) + 0.04 * jitter(),
                 y = 0.6 * (i / side % side) + 0.04 * jitter();
    Body b;
    b.mass = kMass;
    b.inertia = Vec3::Constant(0.4 * kMass * kRadius * kRadius);
    b.p = {x, y, 0.5 + 0.6 * (i / (side * side))};
    b.radius = kRadius;
    s.bodies.push_back(b);
  }
  s.energy_scale = n * kMass * kGravity;
  return s;
}

Scene make_scene(const std::string& name, int n) {
  if (name == "chain") return make_chain(n);
  if (name == "fourbar") return make_fourbar(n);
  if (name == "slider") return make_slider(n);
  if (name == "pile") return make_pile(n);
  if (name == "balls") return make_balls(n);
  throw std::runtime_error("no scene '" + name +
                           "': there are chain, fourbar, slider, pile, balls");
}

}  // namespace trammel::bench
