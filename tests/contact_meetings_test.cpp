// Where bodies meet within a step: impacts do not depend on where in a step they fall, and what
// meets one after the other is not one impact.
#include <fmt/format.h>

#include <random>

#include "contact_support.h"
#include "math/index.h"
#include "math/rotation.h"

namespace trammel::acceptance::contact_meetings_test {
namespace {

using Formulation = form::Settings::Formulation;

form::Settings by(Formulation formulation) {
  form::Settings out;
  out.formulation = formulation;
  return out;
}

double uniform(std::mt19937& of, double lo, double hi) {
  return std::uniform_real_distribution<>(lo, hi)(of);
}
Vec3 random_vector(std::mt19937& of) {
  return {uniform(of, -1, 1), uniform(of, -1, 1), uniform(of, -1, 1)};
}

/// A body with a small foot that comes down upon a floor, and slides on it as it strikes.
struct Faller {
  model::BodySpec body;
  double friction = 0, restitution = 0;
};
Faller random_faller(std::mt19937& of) {
  constexpr double kFoot = 1e-4;
  Faller out;
  model::BodySpec& b = out.body;
  b.name = "b";
  b.mass = 1;
  b.inertia = {uniform(of, 0.01, 0.02), uniform(of, 0.01, 0.02), uniform(of, 0.01, 0.02), 0, 0, 0};
  b.X_WB.R = exp_matrix(2 * random_vector(of));
  model::ContactSpec foot;
  foot.solid = model::Solid{model::Solid::Kind::sphere, {kFoot, 0, 0}};
  foot.X_BS.p = 0.3 * random_vector(of);
  b.v = random_vector(of) - Vec3(0, 0, 2);
  b.X_WB.p.z() = kFoot + uniform(of, 0.05, 0.15) - (b.X_WB.R * foot.X_BS.p).z();
  b.contacts.push_back(foot);
  out.friction = uniform(of, 0.1, 0.9);
  out.restitution = uniform(of, 0.4, 1);
  return out;
}

/// Balls that are in touch with a floor, `high` of them one upon the other at each of `n` places
/// far from all else.
void add_stacks(int n, int high, model::Builder& b) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < high; ++k)
      b.add_body(ball(fmt::format("b{}_{}", i, k), 0.1, 1, {5. + i, 0, 0.1 + 0.2 * k}));
}

/// v and omega after the impact, with stacks of other bodies beside it.
Eigen::Matrix<double, 6, 1> after(const Faller& f, Formulation formulation, double h,
                                  int stacks = 0, int high = 0) {
  model::Builder b;
  add_stacks(stacks, high, b);
  b.gravity.setZero();
  b.add_obstacle(floor_below());
  b.add_contact_law(everywhere(f.friction, f.restitution));
  b.add_body(f.body);
  Simulation sim(built(b), settings(0.12, h, by(formulation)));
  run(sim);
  const auto [v, w] = velocity(sim, "b");
  Eigen::Matrix<double, 6, 1> out;
  out << v, w;
  return out;
}

TEST(ContactMeetings, AnImpactThatSlidesIsThatOfForcesInAnyStep) {
  std::mt19937 of(11);
  for (int k = 0; k < 24; ++k) {
    const Faller f = random_faller(of);
    const auto wanted = after(f, Formulation::acceleration, 1e-3);
    for (const double h : {4e-3, 1e-3, 3.7e-4}) {
      SCOPED_TRACE(fmt::format("{}, {} s", k, h));
      // what contacts are solved to, over the least inertia, and the truncation of how it turns on
      EXPECT_LT((after(f, Formulation::velocity, h) - wanted).norm(), 1e-6 + 30 * h * h);
    }
  }
}

/// Forty things that touch the floor beside it, alone or in stacks that are heaps together, change
/// nothing about it.
/// The overlap after the step in which the foot of a faller has come down, which spins and does not
/// bounce [m].
double overlap_of(Faller f, const Vec3& spin, double h) {
  f.body.w = spin;
  model::Builder b;
  b.gravity.setZero();
  b.add_obstacle(floor_below());
  b.add_contact_law(everywhere(f.friction, 0));
  b.add_body(f.body);
  Simulation sim(built(b), settings(0.2, h, by(Formulation::velocity)));
  const auto gap = [&] {
    const Pose X = pose(sim, "b");
    return (X.p + X.R * f.body.contacts[0].X_BS.p).z() - 1e-4;
  };
  while (!sim.finished() && sim.advance())
    if (gap() < 1e-9) return -gap();
  return -1;
}

TEST(ContactMeetings, WhatSpinsSinksInByNoBendOfItsWay) {
  std::mt19937 of(17);
  int met = 0;
  for (int k = 0; k < 40; ++k) {
    const Faller f = random_faller(of);
    const double h = uniform(of, 0.3e-3, 1e-3), overlap = overlap_of(f, 40 * random_vector(of), h);
    met += overlap > -0.5;
    EXPECT_LT(overlap, 1e-7) << k;  // a millionth of a way of 2 cm, twice: 5e-6 to 2e-4 by the bend
  }
  EXPECT_GE(met, 25);
}

TEST(ContactMeetings, WhatTouchesElsewhereDecidesNothing) {
  std::mt19937 of(12);
  for (int k = 0; k < 4; ++k) {
    const Faller f = random_faller(of);
    const auto alone = after(f, Formulation::velocity, 1e-3);
    for (const int high : {1, 2, 5}) {
      SCOPED_TRACE(fmt::format("{}, {} high", k, high));
      const auto beside = after(f, Formulation::velocity, 1e-3, 40, high);
      EXPECT_LT((beside - alone).norm(), 1e-9);
    }
  }
}

/// What comes to a wall at one instant needs one part of a step, however much it is.
TEST(ContactMeetings, OfManyAtOneInstantAllAreLocated) {
  model::Builder b;
  b.gravity.setZero();
  b.add_contact_law(everywhere(0, 1));
  b.add_obstacle(floor_below());
  for (int i = 0; i < 50; ++i) {
    model::BodySpec s = ball(fmt::format("b{}", i), 0.01, 1, {0.2 * i, 0, 0.013});
    s.v.z() = -2;
    b.add_body(s);
  }
  Simulation sim(built(b), settings(1e-2, 1e-2, by(Formulation::velocity)));
  run(sim);
  for (int i = 0; i < 50; ++i)
    EXPECT_NEAR(pose(sim, fmt::format("b{}", i)).p.z(), 0.01 + 2 * (1e-2 - 1.5e-3), 1e-8);
  EXPECT_TRUE(sim.warnings().empty());
}

/// Four balls, each a little way from the next and lighter, of which the first comes flying: pair
/// by pair, and no pair again.
TEST(ContactMeetings, WhatMeetsOneAfterTheOtherIsNotOneImpact) {
  for (const double gap : {1e-3, 1e-4})
    for (const double h : {5e-4, 2e-3}) {
      model::Builder b;
      b.gravity.setZero();
      b.add_contact_law(everywhere(0, 1));
      double left = 5;  // [m/s]
      std::vector<double> wanted, mass{4, 2, 1, 0.5};
      for (int i = 0; i < count(mass); ++i) {
        model::BodySpec s = ball(fmt::format("b{}", i), 0.1, mass[at(i)], {(0.2 + gap) * i, 0, 0});
        if (i == 0) s.v.x() = left;
        b.add_body(s);
        if (i + 1 == count(mass)) break;
        const double m = mass[at(i)], next = mass[at(i + 1)];
        wanted.push_back((m - next) / (m + next) * left);
        left *= 2 * m / (m + next);
      }
      wanted.push_back(left);
      Simulation sim(built(b), settings(2e-3, h, by(Formulation::velocity)));
      run(sim);
      for (int i = 0; i < count(mass); ++i)
        EXPECT_NEAR(velocity(sim, fmt::format("b{}", i)).first.x(), wanted[at(i)], 1e-7)
            << i << ", " << gap << " m, " << h << " s";
    }
}

/// The height of a ball that has bounced many times, in steps of any length.
TEST(ContactMeetings, ABallBouncesInTime) {
  constexpr double kHeight = 1, kRestitution = 0.9, kTime = 6;
  double t = std::sqrt(2 * kHeight / kGravity), v = kGravity * t * kRestitution;
  for (; t + 2 * v / kGravity < kTime; v *= kRestitution) t += 2 * v / kGravity;
  const double wanted = v * (kTime - t) - kGravity * (kTime - t) * (kTime - t) / 2;
  for (const double h : {1e-2, 3e-3, 1e-3}) {
    Simulation sim(built(on_floor({ball("b", 0.1, 1, {0, 0, 0.1 + kHeight})}, 0, kRestitution)),
                   settings(kTime, h, by(Formulation::velocity)));
    run(sim);
    EXPECT_NEAR(pose(sim, "b").p.z() - 0.1, wanted, 1e-6) << h;  // 20 impacts to 1e-9 of a step
    EXPECT_TRUE(sim.warnings().empty());
  }
}

/// A dozen small balls that come to a wall within one step are gathered, which is told.
TEST(ContactMeetings, OfManyInOneStepIsTold) {
  for (const int n : {6, 12}) {
    model::Builder b;
    b.gravity.setZero();
    b.add_contact_law(everywhere(0, 1));
    b.add_obstacle(floor_below());
    for (int i = 0; i < n; ++i) {
      model::BodySpec s =
          ball(fmt::format("b{}", i), 0.01, 1, {0.1 * i, 0, 0.01 + 0.001 * (i + 1)});
      s.v.z() = -2;
      b.add_body(s);
    }
    Simulation sim(built(b), settings(2e-2, 1e-2, by(Formulation::velocity)));
    run(sim);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(velocity(sim, fmt::format("b{}", i)).first.z(), 2, 1e-8);
    const auto warnings = sim.warnings();
    ASSERT_EQ(warnings.size(), n > 8 ? 1U : 0U);
    if (n > 8) {
      EXPECT_EQ(warnings[0].kind, sim::WarningKind::late_contacts);
      EXPECT_NE(warnings[0].text.find("12 of 12"), std::string::npos) << warnings[0].text;
    }
  }
}

}  // namespace
}  // namespace trammel::acceptance::contact_meetings_test
