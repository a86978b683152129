// Fields of heights, and bodies made of parts.
#include <numbers>
#include <random>

#include "contact_support.h"

namespace trammel::acceptance::contact_shapes_test {
namespace {

using Formulation = form::Settings::Formulation;

form::Settings by(Formulation formulation) {
  form::Settings out;
  out.formulation = formulation;
  return out;
}

/// A field of n by n cells of `cell`, its middle at the origin.
template <class F>
model::ContactSpec field(int n, double cell, const F& height) {
  auto h = std::make_shared<model::Heights>();
  h->nx = h->ny = n + 1;
  h->dx = h->dy = cell;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) h->z.push_back(height(i, j));
  model::ContactSpec out;
  out.kind = model::ContactSpec::Kind::heights;
  out.heights = h;
  out.X_BS.p = {-n * cell / 2, -n * cell / 2, 0};
  return out;
}

model::Builder on(const model::ContactSpec& ground, double friction, double restitution = 0) {
  model::Builder b;
  b.add_obstacle(ground);
  b.add_contact_law(everywhere(friction, restitution));
  return b;
}

TEST(ContactShapes, ABallRollsOverCellsAsOverAPlane) {
  for (const Formulation f : {Formulation::velocity, Formulation::acceleration}) {
    model::Builder b = on(field(24, 0.31, [](int, int) { return 0.; }), 0.4);
    model::BodySpec s = ball("ball", 0.1, 2, {-2, -1.3, 0.1});
    s.v = {2, 1.3, 0};
    s.w = {-13, 20, 0};
    b.add_body(s);
    Simulation sim(built(b), settings(2, 1e-2, by(f)));
    double off = 0, speed = 0;
    run(sim, [&] {
      off = std::max(off, std::abs(pose(sim, "ball").p.z() - 0.1));
      speed = std::max(speed, (velocity(sim, "ball").first - s.v).norm());
    });
    EXPECT_LT(off, 1e-12);  // rounding
    EXPECT_LT(speed, f == Formulation::velocity ? 1e-8 : 1e-12);
    EXPECT_NEAR(pose(sim, "ball").p.x(), 2, 1e-7);
  }
}

TEST(ContactShapes, ABoxSlidesOverCellsAsOverAPlane) {
  model::Builder b = on(field(24, 0.31, [](int, int) { return 0.; }), 0.3);
  model::BodySpec s = block("box", {0.5, 0.4, 0.2}, 3, {-2, -1.3, 0.1});
  s.v = {3, 1, 0};
  b.add_body(s);
  Simulation sim(built(b), settings(0.8, 1e-2));
  run(sim);
  const double speed = std::sqrt(10.) - 0.3 * kGravity * 0.8;
  EXPECT_NEAR(velocity(sim, "box").first.norm(), speed, 1e-7);
  EXPECT_NEAR(velocity(sim, "box").second.norm(), 0, 1e-7);
  EXPECT_NEAR(pose(sim, "box").p.z(), 0.1, 1e-9);
}

TEST(ContactShapes, ABallRollsDownASlopeOfCells) {
  const double slope = std::tan(std::numbers::pi / 6);
  for (const Formulation f : {Formulation::velocity, Formulation::acceleration}) {
    model::Builder b = on(field(30, 0.4, [=](int i, int) { return -slope * 0.4 * (i - 15); }), 0.8);
    b.add_body(ball("ball", 0.1, 2, {0, 0, 0.1 / std::cos(std::numbers::pi / 6)}));
    Simulation sim(built(b), settings(1, 1e-2, by(f)));
    run(sim);
    EXPECT_NEAR(velocity(sim, "ball").first.norm(), 5. / 7 * kGravity / 2, 1e-6);
  }
}

/// A field of random heights, and balls and boxes that fall on it at up to 340 m/s.
struct Hail {
  static constexpr int n = 40, bodies = 24;
  static constexpr double cell = 0.5;
  std::vector<double> z;
  std::mt19937 random;

  explicit Hail(unsigned seed) : random(seed) {
    for (int i = 0; i < (n + 1) * (n + 1); ++i) z.push_back(0.2 * any());
  }
  double any() { return std::ldexp(static_cast<double>(random()), -31) - 1; }
  Vec3 vector(double most) {
    const double x = most * any(), y = most * any(), h = most * any();
    return {x, y, h};
  }
  double height(int i, int j) const { return z[static_cast<std::size_t>(i * (n + 1) + j)]; }
  static std::string name(int k) { return "b" + std::to_string(k); }

  model::Builder build() {
    model::Builder b = on(field(n, cell, [&](int i, int j) { return height(i, j); }), 0.5, 0.2);
    for (int k = 0; k < bodies; ++k) {
      Vec3 p = vector(8);
      p.z() = 1 + 0.3 * k;
      model::BodySpec s =
          k % 2 ? ball(name(k), 0.08, 1, p) : block(name(k), {0.3, 0.2, 0.05}, 1, p);
      s.v = vector(1);
      s.v.z() = -std::pow(10, 0.11 * k);
      s.w = vector(5);
      b.add_body(s);
    }
    return b;
  }
  bool is_below(const Vec3& p) const {
    const double x = p.x() / cell + n / 2., y = p.y() / cell + n / 2.;
    const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
    if (i < 0 || j < 0 || i >= n || j >= n) return false;  // it has left the field
    const double u = x - i, v = y - j;
    const double ground =
        u >= v ? (1 - u) * height(i, j) + (u - v) * height(i + 1, j) + v * height(i + 1, j + 1)
               : (1 - v) * height(i, j) + (v - u) * height(i, j + 1) + u * height(i + 1, j + 1);
    return p.z() < ground;
  }
};

// None is ever below it: where a step is too long for that, also in parts, the run says so.
TEST(ContactShapes, NothingFallsThroughAField) {
  int whole = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Hail hail(seed);
    Simulation sim(built(hail.build()), settings(1, 2e-3));
    while (!sim.finished() && sim.advance())
      for (int k = 0; k < Hail::bodies; ++k)
        ASSERT_FALSE(hail.is_below(pose(sim, Hail::name(k)).p))
            << seed << ", " << k << ", t " << sim.state().t;
    whole += sim.finished();
    if (!sim.finished()) {
      EXPECT_NE(sim.failure().find("take a shorter one"), std::string::npos) << sim.failure();
    }
  }
  EXPECT_GE(whole, 15);
}

/// A hook of two boxes hangs over the edge of a wall.
TEST(ContactShapes, ABodyOfPartsHooksOnAnEdge) {
  for (const Formulation f : {Formulation::velocity, Formulation::acceleration}) {
    model::ContactSpec wall;
    wall.solid = model::Solid{model::Solid::Kind::box, {0.5, 2, 1}};
    wall.X_BS.p = {-0.25, 0, 0.5};
    model::Builder b = on(wall, 0.3);
    model::BodySpec hook;
    hook.name = "hook";
    hook.mass = 2;
    const auto part = [&](const Vec3& size, const Vec3& at) {
      const model::Solid solid{model::Solid::Kind::box, size};
      hook.solids.push_back({solid, {at, Mat3::Identity()}});
      model::ContactSpec s;
      s.solid = solid;
      s.X_BS.p = at;
      hook.contacts.push_back(s);
    };
    part({0.1, 0.2, 0.9}, {0.05, 0, 0.65});
    part({0.2, 0.2, 0.1}, {-0.1, 0, 1.05});
    hook.X_WB.p = {0.01, 0, 0.02};
    b.add_body(hook);
    Simulation sim(built(b), settings(1.5, 2e-3, by(f)));
    run(sim);
    const double middle = (0.09 * 0.65 + 0.02 * 1.05) / 0.11;
    EXPECT_NEAR(pose(sim, "hook").p.z(), middle, 2e-3) << static_cast<int>(f);
    EXPECT_LT(velocity(sim, "hook").first.norm(), 1e-6);
    double weight = 0;
    for (const auto& c : sim.formulation().contact_forces()) weight += c.force.z();
    EXPECT_NEAR(weight, 2 * kGravity, 1e-5);
  }
}

}  // namespace
}  // namespace trammel::acceptance::contact_shapes_test
