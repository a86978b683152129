// The same bits of the State on any number of threads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "form/formulation.h"
#include "math/parallel.h"
#include "model/builder.h"
#include "support.h"
#include "systems.h"

namespace trammel::acceptance::threads_test {
namespace {

constexpr double kStep = 2e-3;  // [s]

struct Drawing {
  model::Builder builder;
  int bodies = 0;
  double affine = 0;  // stiffness of affine bodies [Pa]; 0: rigid

  Drawing() { builder.gravity = {0.3, 0, -9.81}; }

  std::string rod(const Vec3& p, const Vec3& size) {
    auto b = box(fmt::format("b{}", bodies++), size, 2.5, {p, Mat3::Identity()});
    if (affine > 0) b.affine = model::Elastic{affine, {}};
    const std::string name = b.name;
    builder.add_body(std::move(b));
    return name;
  }
  std::string join(const char* type, const std::string& a, const std::string& b, const Vec3& p,
                   const Vec3& axis = Vec3::UnitX()) {
    model::JointSpec j;
    j.name = fmt::format("{}-{}", a, b);
    j.type = type;
    j.a = a;
    j.b = b;
    j.at = frame(p, axis);
    const std::string name = j.name;
    builder.add_joint(std::move(j));
    return name;
  }
  /// Links of 1 m from p on, along x.
  void chain(std::string from, Vec3 p, int links) {
    for (int i = 0; i < links; ++i, p.x() += 1) {
      const std::string b = rod(p + Vec3(0.5, 0, 0), {1, 0.1, 0.05});
      join("spherical", from, b, p);
      from = b;
    }
  }
};

/// 1000 pairs, a bar on a ball joint with a sprung and damped slider on it: a third of them stiff.
Drawing pairs() {
  Drawing d;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 p(3. * (i % 32), 3. * (i / 32), 0);
    const std::string bar = d.rod(p + Vec3(0.25, 0, 0), {0.5, 0.1, 0.1});
    const std::string slide = d.rod(p + Vec3(0.75, 0, 0), {0.2, 0.2, 0.2});
    d.join("spherical", "ground", bar, p);
    model::LawSpec spring;
    spring.name = fmt::format("spring{}", i);
    spring.type = "spring";
    spring.joint = d.join("prismatic", bar, slide, p + Vec3(0.75, 0, 0));
    spring.coordinate = "travel";
    spring.numbers = {{"stiffness", i % 3 ? 100. : 1e6}, {"damping", 2.}};
    d.builder.add_law(std::move(spring));
  }
  return d;
}

Drawing chains() {
  Drawing d;
  for (int i = 0; i < 1000; ++i) d.chain("ground", Vec3(0, i, 0), 3);
  return d;
}

Drawing chain() {
  Drawing d;
  d.chain("ground", Vec3::Zero(), 3334);
  return d;
}

Drawing windows(int n) {
  Drawing d;
  std::string last;
  for (int i = 0; i <= n; ++i) {
    const std::string post = d.rod(Vec3(i, 0, 0.5), {0.05, 0.05, 1});
    d.join("revolute", "ground", post, Vec3(i, 0, 0), Vec3::UnitY());
    if (i) {
      const std::string beam = d.rod(Vec3(i - 0.5, 0, 1), {1, 0.05, 0.05});
      d.join("revolute", last, beam, Vec3(i - 1, 0, 1), Vec3::UnitY());
      d.join("revolute", beam, post, Vec3(i, 0, 1), Vec3::UnitY());
    }
    last = post;
  }
  return d;
}

/// A net of balls with loops, on three of which hang arms enough to make them hubs; one is pinned.
Drawing net(int n, int arms) {
  Drawing d;
  std::vector<std::string> at;
  const auto place = [&](int i) { return Vec3(i % n, i / n, 0.1 * ((7 * i) % 5)); };
  for (int i = 0; i < n * n; ++i) at.push_back(d.rod(place(i), {0.2, 0.2, 0.2}));
  const auto join = [&](int a, int b) {
    d.join("spherical", at[static_cast<std::size_t>(a)], at[static_cast<std::size_t>(b)],
           (place(a) + place(b)) / 2);
  };
  for (int i = 0; i < n * n; ++i) {
    if (i % n + 1 < n) join(i, i + 1);
    if (i + n < n * n && i % 3 == 0) join(i, i + n);
  }
  d.join("spherical", "ground", at[0], place(0) + Vec3(0, 0, 0.5));
  for (const int hub : {0, n * n / 2, n * n - 1})
    for (int k = 0; k < arms; ++k)
      d.chain(at[static_cast<std::size_t>(hub)], place(hub) + Vec3(0.01 * k, 0.02 * k, 1 + k), 2);
  return d;
}

Drawing star(int arms) {
  Drawing d;
  const std::string hub = d.rod(Vec3::Zero(), {5, 5, 1});
  for (int k = 0; k < arms; ++k) d.chain(hub, Vec3(3, 0.1 * (k % 31), 0.1 * (k / 31)), 1);
  return d;
}

model::State stepped(const model::Built& b, const form::Settings& settings, int threads,
                     int steps) {
  parallel::set_threads(threads);
  model::State state = b.state;
  form::Formulation form(*b.model, b.params, settings);
  form::StepReport report;
  form.load(state);
  for (int k = 0; k < steps; ++k) {
    form.step(state, kStep, report);
    EXPECT_NE(report.status, form::Status::failed) << report.reason;
  }
  parallel::set_threads(1);
  return state;
}

void expect_same_bits(const model::Built& b, int rows, int steps,
                      const form::Settings& settings = {}) {
  EXPECT_GE(static_cast<int>(b.model->rows.size()), rows);
  const model::State one = stepped(b, settings, 1, steps);
  for (const int threads : {2, 3, 8}) {
    const model::State other = stepped(b, settings, threads, steps);
    EXPECT_EQ(hash(one), hash(other)) << threads;
    EXPECT_EQ(one.q, other.q) << threads;
  }
}

void expect_same_bits(const Drawing& drawing, int rows, int steps,
                      const form::Settings& settings = {}) {
  expect_same_bits(built(drawing.builder), rows, steps, settings);
}

/// Heaps of boxes and balls that fall, stick and slide; hinged flaps lean on some.
model::Builder heaps() {
  Drawing d;
  d.builder.add_obstacle({.kind = model::ContactSpec::Kind::half_space});
  model::ContactLawSpec law;
  law.law.friction = 0.5;
  law.law.restitution = 0.3;
  d.builder.add_contact_law(law);
  for (int i = 0; i < 300; ++i) {
    auto b = box(fmt::format("b{}", d.bodies++), {0.4, 0.3, 0.2}, 2,
                 {Vec3(2. * (i / 30 % 5) + 0.1 * (i % 3), 2. * (i / 150) + 0.07 * (i % 5),
                       0.1 + 0.201 * (i % 30)),
                  Mat3::Identity()});
    if (i % 7 == 3) b.solid = model::Solid{model::Solid::Kind::sphere, {0.1, 0, 0}};
    b.solids_touch = true;
    b.v = {0.1 * (i % 4), 0, -1};
    d.builder.add_body(std::move(b));
  }
  for (int i = 0; i < 8; ++i) {
    auto flap = box(fmt::format("flap{}", i), {0.1, 0.5, 0.5}, 1,
                    {Vec3(2. * (i % 4) - 0.3, 2. * (i / 4), 0.3), Mat3::Identity()});
    flap.solids_touch = true;
    d.builder.add_body(std::move(flap));
    d.join("revolute", "ground", fmt::format("flap{}", i),
           Vec3(2. * (i % 4) - 0.3, 2. * (i / 4), 0.55), Vec3::UnitY());
  }
  return d.builder;
}

TEST(Threads, HeapsThatTouch) {
  const model::Built b = built(heaps());
  const model::State one = stepped(b, {}, 1, 60);
  EXPECT_GT(one.contacts.key.size(), 3 * 100U);
  for (const int threads : {2, 4}) {
    const model::State other = stepped(b, {}, threads, 60);
    EXPECT_EQ(hash(one), hash(other)) << threads;
    EXPECT_EQ(one.contacts.impulse, other.contacts.impulse) << threads;
  }
}

TEST(Threads, ThousandSprungPairs) { expect_same_bits(pairs(), 8000, 20); }
TEST(Threads, ThousandChains) { expect_same_bits(chains(), 9000, 10); }
TEST(Threads, ChainOfTenThousandRows) { expect_same_bits(chain(), 10000, 6); }
TEST(Threads, FourBarOfFortyWindows) { expect_same_bits(windows(40), 605, 40); }
TEST(Threads, FourBarOfManyWindows) { expect_same_bits(windows(400), 6000, 8); }
TEST(Threads, Star) { expect_same_bits(star(1000), 3000, 10); }
TEST(Threads, NetWithHubs) { expect_same_bits(net(16, 150), 2000, 6); }

form::Settings forces() {
  form::Settings s;
  s.formulation = form::Settings::Formulation::acceleration;
  s.accuracy = {1e-7, 1e-7, 1e-7, 1e-7, 1e-7};
  return s;
}

TEST(Threads, ThousandSprungPairsByForces) { expect_same_bits(pairs(), 8000, 3, forces()); }
TEST(Threads, ChainOfTenThousandRowsByForces) { expect_same_bits(chain(), 10000, 2, forces()); }
TEST(Threads, FourBarOfManyWindowsByForces) { expect_same_bits(windows(400), 6000, 2, forces()); }
TEST(Threads, NetWithHubsByForces) { expect_same_bits(net(16, 150), 2000, 2, forces()); }

form::Settings minimum(double stiffness) {
  form::Settings s;
  s.formulation = form::Settings::Formulation::energy;
  s.joint_stiffness = stiffness;
  return s;
}

Drawing affine_chains(double stiffness) {
  Drawing d;
  d.affine = stiffness;
  for (int i = 0; i < 300; ++i) d.chain("ground", Vec3(0, i, 0), 3);
  return d;
}

TEST(Threads, AffineChains) { expect_same_bits(affine_chains(1e8), 8000, 4); }
TEST(Threads, AffineChainsByForces) {
  expect_same_bits(affine_chains(law::kInf), 8000, 1, forces());
}
TEST(Threads, AffineChainsByEnergy) { expect_same_bits(affine_chains(1e8), 8000, 2, minimum(1e8)); }
TEST(Threads, FourBarOfManyWindowsByEnergy) {
  expect_same_bits(windows(200), 3000, 2, minimum(law::kInf));
}

/// Systems, with joints between them and to rigid bodies, and what touches them.
TEST(Threads, Systems) {
  const model::Built b = systems::loaded(systems::many(150, 20)).built;
  EXPECT_GT(b.model->objects.size(), 8 * 150U);
  expect_same_bits(b, 600, 25);
  EXPECT_GE(stepped(b, {}, 2, 40).contacts.key.size(), 3 * 20U);
}
TEST(Threads, SystemsByForces) {
  expect_same_bits(systems::loaded(systems::many(150, 20)).built, 600, 4, forces());
}
TEST(Threads, SystemsByEnergy) {
  expect_same_bits(systems::loaded(systems::many(150, 20, 0.0012)).built, 600, 6, minimum(1e8));
}

}  // namespace
}  // namespace trammel::acceptance::threads_test
