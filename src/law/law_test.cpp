// Generated from law::types(): every law, with random numbers, against differences.
#include "law/law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "law/limit.h"
#include "law/locked.h"
#include "law/motor.h"
#include "law/spring.h"

namespace trammel::law::law_test {
namespace {

struct Random {
  std::mt19937 engine;
  double uniform(double lo = -1, double hi = 1) {
    return std::uniform_real_distribution<double>(lo, hi)(engine);
  }
};

/// A smooth signal, for laws that follow one.
Drive wave(Drive::Level level) {
  const auto jet = [](double t) {
    return Jet{0.3 * std::sin(2 * t) + t * t, 0.6 * std::cos(2 * t) + 2 * t,
               -1.2 * std::sin(2 * t) + 2};
  };
  return {level, Signal::function(jet), 0.1, -0.2};
}

/// A law with its numbers.
struct Made {
  Law law;
  std::vector<double> p;

  ConstraintSpec spec(double t) const { return law.type->constraint(law, p.data(), t); }
  Force force(double x, double v, double t) const {
    return law.type->force(law, p.data(), x, v, t);
  }
};

/// Numbers of size 1 within what each parameter allows; ratios that are switches: off.
Made make(const Type& type, Random& random) {
  Made out;
  out.law.type = &type;
  for (const Parameter& p : type.parameters) {
    double x = random.uniform(0.2, 2);
    if (p.quantity == Quantity::x) x = random.uniform();
    if (p.quantity == Quantity::ratio) x = p.name == "erp" ? random.uniform(0, 1) : 0;
    if (p.quantity == Quantity::force && p.name.ends_with("min")) x = -x;
    if (p.name == "from") x = -std::abs(x);
    if (p.name == "to") x = std::abs(x) + 0.1;
    EXPECT_TRUE(p.lo <= x && x <= p.hi) << type.name << " " << p.name;
    out.p.push_back(x);
  }
  if (type.takes_force) out.law.force = wave(Drive::Level::displacement).signal;
  if (type.takes_drive)
    out.law.drive = wave(type.velocity_only ? Drive::Level::velocity : Drive::Level::displacement);
  return out;
}

/// Calls f(made, random) for every law, and for a spring with a function of the user's as well.
template <class F>
void for_each_law(F&& f) {
  for (const Type* type : types())
    for (unsigned seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(std::string(type->name) + ", seed " + std::to_string(seed));
      Random random{std::mt19937(seed)};
      Made made = make(*type, random);
      f(made, random);
      if (type->name != "spring") continue;
      SCOPED_TRACE("with a function");
      made.law.function = std::make_shared<const ForceFunction>([](double x, double v, double t) {
        return Force{-x * x * x - std::tanh(v) * x * x + t, -3 * x * x - 2 * x * std::tanh(v),
                     -x * x / std::pow(std::cosh(v), 2)};
      });
      f(made, random);
    }
}

TEST(LawTypes, AreDistinctFoundByNameAndDocumented) {
  std::set<std::string_view> names;
  for (const Type* type : types()) {
    SCOPED_TRACE(type->name);
    EXPECT_TRUE(names.insert(type->name).second);
    EXPECT_EQ(find_type(type->name), type);
    EXPECT_FALSE(type->doc.empty());
    ASSERT_TRUE(type->constraint && type->force);
    EXPECT_TRUE(type->takes_drive || !type->velocity_only);
    EXPECT_EQ(type->conservative, type->energy != nullptr);
    std::set<std::string_view> parameters;
    for (const Parameter& p : type->parameters) {
      SCOPED_TRACE(p.name);
      EXPECT_TRUE(parameters.insert(p.name).second);
      EXPECT_FALSE(p.doc.empty());
      EXPECT_LT(p.lo, p.hi);
      EXPECT_TRUE(std::isnan(p.fallback) || (p.lo <= p.fallback && p.fallback <= p.hi));
    }
  }
  EXPECT_EQ(find_type("sprung"), nullptr);
}

TEST(EveryLaw, DemandsWhatCanBe) {
  for_each_law([](const Made& made, Random& random) {
    for (int i = 0; i < 5; ++i) {
      const double t = random.uniform(-2, 5);
      const ConstraintSpec d = made.spec(t);
      EXPECT_LE(d.lo, 0);
      EXPECT_GE(d.hi, 0);
      EXPECT_TRUE(0 <= d.restitution && d.restitution <= 1 && 0 <= d.erp && d.erp <= 1);
      EXPECT_TRUE(d.level != Level::force || (d.lo == -kInf && d.hi == kInf));
    }
  });
}

// Truncation h^2 / 6 of third rates of size 10.
TEST(EveryLaw, TargetsHaveConsistentRates) {
  constexpr double h = 1e-4;
  for_each_law([](const Made& made, Random& random) {
    const double t = random.uniform(-2, 5);
    const Jet now = made.spec(t).target, before = made.spec(t - h).target,
              after = made.spec(t + h).target;
    const Level level = made.spec(t).level;
    if (level == Level::position) {
      EXPECT_NEAR(now.v, (after.x - before.x) / (2 * h), 1e-7);
    }
    EXPECT_NEAR(now.a, (after.v - before.v) / (2 * h), 1e-7);
  });
}

/// Bounded locks have kinks, where differences say nothing.
constexpr double kStep = 1e-5;
bool at_kink(const Made& made, double x, double v, double t) {
  return std::abs(made.force(x + kStep, v, t).f_x - made.force(x - kStep, v, t).f_x) > 0.01;
}

TEST(EveryLaw, ForceHasItsDerivatives) {
  constexpr double h = kStep;
  for_each_law([](const Made& made, Random& random) {
    for (int i = 0; i < 20; ++i) {
      const double x = random.uniform(-3, 3), t = random.uniform(-2, 2);
      const double v = made.law.type->velocity_only
                           ? made.law.drive.signal.value(t) + random.uniform(-2, 2)
                           : random.uniform(-3, 3);
      const auto at = [&](double dx, double dv) { return made.force(x + dx, v + dv, t).f; };
      const Force f = made.force(x, v, t);
      EXPECT_EQ(f.f, at(0, 0));
      if (at_kink(made, x, v, t)) continue;
      EXPECT_NEAR(f.f_x, (at(h, 0) - at(-h, 0)) / (2 * h), 1e-8);
      EXPECT_NEAR(f.f_v, (at(0, h) - at(0, -h)) / (2 * h), 1e-8);
    }
  });
}

TEST(EveryLaw, ForceStaysWithinWhatIsDemanded) {
  for_each_law([](const Made& made, Random& random) {
    for (int i = 0; i < 20; ++i) {
      const double t = random.uniform();
      const ConstraintSpec d = made.spec(t);
      const double f = made.force(random.uniform(-30, 30), random.uniform(-30, 30), t).f;
      EXPECT_TRUE(d.lo - 1e-15 <= f && f <= d.hi + 1e-15) << f;
    }
  });
}

TEST(EveryLaw, ForceHoldsTheRowWhereTheDemandDoes) {
  for_each_law([](const Made& made, Random& random) {
    const double t = random.uniform();
    const ConstraintSpec d = made.spec(t);
    if (d.level == Level::position) {
      EXPECT_EQ(made.force(d.target.x, d.target.v, t).f, 0);
      EXPECT_GT(made.force(d.target.x - 0.01, d.target.v, t).f, 0);
      EXPECT_LT(made.force(d.target.x + 0.01, d.target.v, t).f, 0);
    } else if (d.unilateral()) {
      for (const double x :
           {d.from - 0.01, (d.from + d.to) / 2, d.to + 0.01})  // rows hold, no force
        EXPECT_EQ(made.force(x, 0, t).f, 0);
    } else if (d.level == Level::velocity) {  // far from the target the bounds are all used
      EXPECT_NEAR(made.force(0, d.target.v - 100, t).f, d.hi, 1e-12);
      EXPECT_NEAR(made.force(0, d.target.v + 100, t).f, d.lo, 1e-12);
    }
  });
}

TEST(EveryLaw, EnergyIsWhatTheForceTakes) {
  constexpr double h = kStep;
  for_each_law([](Made made, Random& random) {
    if (!made.law.type->energy) return;
    made.law.function = nullptr;  // the user's part is not stored
    for (int i = 0; i < 5; ++i) {
      const double x = random.uniform(-3, 3);
      const auto energy = [&](double y) {
        return made.law.type->energy(made.law, made.p.data(), y);
      };
      EXPECT_NEAR(made.force(x, 0, 0).f, -(energy(x + h) - energy(x - h)) / (2 * h), 1e-9);
    }
  });
}

// phi' = -f and phi'' at the scheme's own v, for steps as a solver takes them.
TEST(EveryLaw, IncrementalPotentialHasTheForceAsItsSlope) {
  constexpr double h = kStep;
  for_each_law([](const Made& made, Random& random) {
    for (int i = 0; i < 10; ++i) {
      const double t = random.uniform();
      Scheme scheme{random.uniform(), random.uniform(), random.uniform(0, 10), t};
      const double x = scheme.x_n + random.uniform(-0.1, 0.1);
      const auto at = [&](double y) { return potential(made.law, made.p.data(), y, scheme); };
      const Potential now = at(x);
      const double v = scheme.v_n + scheme.dv_dx * (x - scheme.x_n);
      const Force f = made.force(x, v, t);
      EXPECT_EQ(at(scheme.x_n).phi, 0);
      EXPECT_EQ(now.d, -f.f);
      if (at_kink(made, x, v, t)) continue;
      EXPECT_NEAR(now.d, (at(x + h).phi - at(x - h).phi) / (2 * h), 2e-6);
      EXPECT_NEAR(now.dd, (at(x + h).d - at(x - h).d) / (2 * h), 1e-6);
    }
  });
}

TEST(Locked, IsBoundedAndUnilateralWhereAsked) {
  Random random{std::mt19937(1)};
  Made made = make(*find_type("locked"), random);
  made.p[kLockedValue] = 0.5;
  made.p[kLockedStiffness] = 100;
  EXPECT_EQ(made.force(9, 0, 0).f, made.p[kLockedLo]);
  EXPECT_EQ(made.force(-9, 0, 0).f, made.p[kLockedHi]);
  EXPECT_EQ(made.spec(0).target.x, 0.5);
  EXPECT_EQ(made.spec(0).lo, made.p[kLockedLo]);
  EXPECT_EQ(made.spec(0).hi, made.p[kLockedHi]);
  EXPECT_EQ(made.spec(0).erp, made.p[kLockedErp]);
  EXPECT_FALSE(made.spec(0).unilateral());
  made.p[kLockedUnilateral] = 1;
  made.p[kLockedRestitution] = 0.7;
  EXPECT_TRUE(made.spec(0).unilateral());
  EXPECT_EQ(made.spec(0).from, 0.5);
  EXPECT_EQ(made.spec(0).to, kInf);
  EXPECT_EQ(made.spec(0).restitution, 0.7);
  EXPECT_EQ(made.force(0.6, 0, 0).f, 0);
  EXPECT_GT(made.force(0.499, 0, 0).f, 0);
}

Made motor(double lo, double hi, double target, double smoothing = 1e-3) {
  return {{find_type("motor"), 0, {Drive::Level::velocity, target}, nullptr}, {lo, hi, smoothing}};
}

TEST(Motor, WithoutBoundsIsStiffAndStillReachesItsTarget) {
  const Made made = motor(-kInf, kInf, 2);
  EXPECT_EQ(made.spec(0).lo, -kInf);
  EXPECT_EQ(made.spec(0).hi, kInf);
  EXPECT_EQ(made.force(0, 2, 0).f, 0);
  EXPECT_EQ(made.force(0, 1.9, 0).f, kUnbounded);
  EXPECT_EQ(made.force(0, 2.1, 0).f, -kUnbounded);
}

TEST(Motor, OneInfiniteBoundIsTheOppositeOfTheOther) {
  for (const auto& [lo, hi] : {std::pair(-kInf, 5.), std::pair(-5., kInf)}) {
    const Made made = motor(lo, hi, 2);
    EXPECT_EQ(made.force(0, 1, 0).f, 5);
    EXPECT_EQ(made.force(0, 3, 0).f, -5);
    EXPECT_EQ(made.force(0, 2, 0).f, 0);
    EXPECT_DOUBLE_EQ(made.force(0, 2, 0).f_v, -5 / 1e-3);
  }
}

TEST(Motor, InfiniteBoundsWhoseOppositeIsOnTheWrongSideAreLargeOnes) {  // a brake, a push of 5 N
  EXPECT_EQ(motor(-kInf, 0, 2).force(0, 1, 0).f, 0);
  EXPECT_EQ(motor(-kInf, 0, 2).force(0, 3, 0).f, -kUnbounded);
  EXPECT_EQ(motor(5, kInf, 2).force(0, 3, 0).f, 5);
  EXPECT_EQ(motor(5, kInf, 2).force(0, 1, 0).f, kUnbounded);
}

TEST(Motor, SlopeFadesAwayFromTheTarget) {  // 1 - tanh^2 would be rounding there
  EXPECT_NEAR(motor(-1, 1, 0, 1).force(0, 20, 0).f_v / (-4 * std::exp(-40)), 1, 1e-14);  // rounding
  EXPECT_EQ(motor(-1, 1, 0, 1e-12).force(0, 20, 0).f_v, 0);
}

/// The mean of the force over [a, b] within a step, where z = (target - v) / smoothing changes by
/// a tenth: 4 Gauss points are exact to 1e-14 there.
double mean_force(const Made& made, const Scheme& s, double a, double b) {
  double sum = 0;
  for (const auto& [at, weight] : {std::pair(0.3399810435848563, 0.6521451548625461),
                                   std::pair(0.8611363115940526, 0.3478548451374538)})
    for (const double side : {-at, at}) {
      const double dx = (a + b) / 2 + side * (b - a) / 2 - s.x_n;
      sum += weight / 2 * made.force(s.x_n + dx, s.v_n + s.dv_dx * dx, s.t).f;
    }
  return sum;
}

TEST(Motor, PotentialHasTheForceAsItsSlopeHoweverSharp) {
  for (const double smoothing : {1e-1, 1e-3, 1e-6, 1e-9})
    for (const double dv_dx : {-300., 2., 2000.}) {
      SCOPED_TRACE(testing::Message() << smoothing << " m/s, " << dv_dx << " 1/s");
      const Made made = motor(-7, 4, 0, smoothing);
      const Scheme s{0, 20 * std::copysign(smoothing, -dv_dx), dv_dx, 0};
      const double d = 0.1 * smoothing / std::abs(dv_dx);  // z moves by a tenth
      for (int i = 0; i < 400; ++i) {
        const auto at = [&](double k) { return potential(made.law, made.p.data(), k * d, s); };
        const Potential a = at(i), b = at(i + 1);
        EXPECT_NEAR((b.phi - a.phi) / d, -mean_force(made, s, i * d, (i + 1) * d), 1e-11)
            << i;               // rounding of phi / d
        const double e = 1e-4;  // truncation: e^2 half / smoothing
        EXPECT_NEAR((at(i + e).d - at(i - e).d) / (2 * e * d), at(i).dd, 1e-6 * std::abs(7 / d));
      }
    }
}

TEST(Motor, PotentialOfAStepAcrossTheTargetIsThatOfDryFriction) {  // half |v - target| / dv_dx
  const Made made = motor(-6, 6, 1, 1e-6);
  const Scheme s{0.3, 0.5, 1000, 0};  // 1 m/s is reached half way
  EXPECT_NEAR(potential(made.law, made.p.data(), 0.3 + 1e-3, s).phi, 0, 1e-17);
  EXPECT_NEAR(potential(made.law, made.p.data(), 0.3 + 5e-4, s).phi, -6 * 5e-4, 1e-8);  // 6 s ln 2
  EXPECT_NEAR(potential(made.law, made.p.data(), 0.3 + 1.3e-3, s).phi, 6 * 3e-4, 1e-15);
}

TEST(Motor, MeanOfTanhIsAccurateForEveryStep) {
  for (const double z : {-300., -20., -1., -1e-3, 0., 0.4, 3., 50.})
    for (const double dz : {1e-14, 1e-6, 0.1, 0.999, 1.001, 2., 7., 80., 1e3, 1e9})
      for (const double side : {-1., 1.}) {
        const long double Z = z, D = side * dz;
        const auto log_cosh = [](long double y) {
          return std::abs(y) + std::log1p(std::exp(-2 * std::abs(y)));
        };
        const long double want =
            dz < 1e-3 ? std::tanh(Z + D / 2) : (log_cosh(Z + D) - log_cosh(Z)) / D;
        EXPECT_NEAR(mean_tanh(z, side * dz), static_cast<double>(want),
                    dz < 1e-3 ? 1e-13 : 4e-15)  // truncation dz^2 / 12; rounding
            << z << " " << side * dz;
      }
  EXPECT_EQ(mean_tanh(0.3, 0), std::tanh(0.3));
}

TEST(Limit, KnowsTheNearerStop) {
  Random random{std::mt19937(1)};
  Made made = make(*find_type("limit"), random);
  made.p[kLimitFrom] = -1;
  made.p[kLimitTo] = 2;
  const ConstraintSpec d = made.spec(0);
  EXPECT_EQ(to_stop(d, -1.5).gap, -0.5);
  EXPECT_EQ(to_stop(d, -1.5).side, 1);
  EXPECT_EQ(to_stop(d, -1.5).at, -1);
  EXPECT_EQ(to_stop(d, 1.5).gap, 0.5);
  EXPECT_EQ(to_stop(d, 1.5).side, -1);
  EXPECT_EQ(to_stop(d, 1.5).at, 2);
  made.p[kLimitTo] = kInf;
  EXPECT_EQ(to_stop(made.spec(0), 1e9).side, 1);
}

TEST(Limit, LeavesWhatIsBeyondAStopAtItsDepth) {
  Random random{std::mt19937(1)};
  Made made = make(*find_type("limit"), random);
  made.p[kLimitFrom] = -1;
  made.p[kLimitTo] = 2;
  const auto expect = [&](double x, double lo, double hi) {
    const Range within = made.spec(0).within(x, 0.25);
    EXPECT_EQ(within.lo, lo) << x;
    EXPECT_EQ(within.hi, hi) << x;
  };
  expect(0, -1, 2);
  expect(-1.125, -1, 2);
  expect(-1.5, -1.5, 2);
  expect(2.125, -1, 2);
  expect(2.5, -1, 2.5);
  made.p[kLimitTo] = kInf;
  expect(1e9, -1, kInf);
  EXPECT_EQ(ConstraintSpec{}.within(3, 0.25).lo, -kInf);
}

TEST(Friction, HoldsMoreAtRestAndItsPotentialIsThatOfDryFriction) {
  const Made made{{find_type("friction"), 0, {}, nullptr}, {6, 9, 1e-6}};
  EXPECT_EQ(made.spec(0).hi, 6);
  EXPECT_EQ(made.spec(0).lo, -6);
  EXPECT_EQ(made.spec(0).breakaway, 9);
  const Scheme s{0.3, 0.5, 1000, 0};
  EXPECT_NEAR(potential(made.law, made.p.data(), 0.4, s).phi, 0.6, 1e-8);  // |dx|, but at the start
}

TEST(Spring, IsLinearWithPreloadAndDamping) {
  const Made made{{find_type("spring"), 0, {}, nullptr}, {50, 3, 0.2, 7}};
  EXPECT_DOUBLE_EQ(made.force(0.3, 2, 0).f, 7 - 50 * (0.3 - 0.2) - 3 * 2);
  EXPECT_EQ(made.spec(0).level, Level::force);
}

}  // namespace
}  // namespace trammel::law::law_test
