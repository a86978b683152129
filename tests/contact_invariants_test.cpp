// What impacts keep, whatever bodies stand in a scene, beside them and in whatever order: over
// random lines and columns of balls that meet.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "contact_support.h"
#include "math/index.h"

namespace trammel::acceptance::contact_invariants_test {
namespace {

using constraint::Impacts;

/// How balls are to meet.
struct Way {
  Impacts impacts = Impacts::simultaneous;
  bool poisson = false;
  double restitution = 1;
};

struct Ball {
  double radius = 0, mass = 0, place = 0, speed = 0;
};

/// Balls on an axis, without gravity: those of a pair side by side come towards each other.
struct Line {
  std::vector<Ball> balls;
  double step = 0;
  Vec3 axis = Vec3::UnitX();
};

Line random_line(std::mt19937& of) {
  const auto in = [&](double lo, double hi) {
    return std::uniform_real_distribution<>(lo, hi)(of);
  };
  Line out;
  double end = 0;
  for (int n = std::uniform_int_distribution<>(2, 7)(of); n > 0; --n) {
    const double radius = in(0.05, 0.15), place = end + radius + in(1e-4, 0.08);
    out.balls.push_back({radius, std::pow(10, in(-1, 1)), place, in(-5, 5)});
    end = place + radius;
  }
  out.step = std::pow(10, in(-3.3, -2));
  out.axis = Vec3(in(-1, 1), in(-1, 1), in(-1, 1)).normalized();
  return out;
}

std::string name_of(int i) { return "b" + std::to_string(i); }

struct Ends {
  std::vector<double> speeds;  // along the axis [m/s]
  double energy_before = 0, energy = 0, momentum_before = 0, momentum = 0;
  double residual = 0;  // of the run's own balance
};

/// The line after ten steps, its bodies listed in an order; `beside`: with balls that rest near the
/// way of these and touch none.
Ends run_of(const Line& line, const Way& way, const std::vector<int>& order, bool beside = false) {
  model::Builder b;
  b.gravity.setZero();
  model::ContactLawSpec law = everywhere(0, way.restitution);
  law.law.poisson = way.poisson;
  b.add_contact_law(law);
  const Vec3 across = line.axis.unitOrthogonal();
  double widest = 0;
  for (const Ball& of : line.balls) widest = std::max(widest, of.radius);
  for (const int i : order) {
    const Ball& of = line.balls[at(i)];
    if (beside)
      b.add_body(ball("beside" + std::to_string(i), 0.5 * of.radius, of.mass,
                      of.place * line.axis + (widest + 0.6 * of.radius) * across));
    model::BodySpec s = ball(name_of(i), of.radius, of.mass, of.place * line.axis);
    s.v = of.speed * line.axis;
    b.add_body(s);
  }
  form::Settings how;
  how.impacts = way.impacts;
  Simulation sim(built(b), settings(10 * line.step, line.step, how));
  run(sim);
  Ends out;
  out.residual = sim.summary().energy_residual;
  for (int i = 0; i < count(line.balls); ++i) {
    const Ball& of = line.balls[at(i)];
    const Vec3 v = velocity(sim, name_of(i)).first;
    out.speeds.push_back(v.dot(line.axis));
    out.energy_before += 0.5 * of.mass * of.speed * of.speed;
    out.energy += 0.5 * of.mass * v.squaredNorm();
    out.momentum_before += of.mass * of.speed;
    out.momentum += of.mass * out.speeds.back();
  }
  return out;
}

std::vector<int> in_order(const Line& line) {
  std::vector<int> out(line.balls.size());
  std::iota(out.begin(), out.end(), 0);
  return out;
}

double farthest(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

std::string text(const Line& line) {
  std::string out = fmt::format("step {:.17g}", line.step);
  for (const Ball& b : line.balls)
    out += fmt::format("\n  radius {:.17g}, mass {:.17g}, at {:.17g}, speed {:.17g}", b.radius,
                       b.mass, b.place, b.speed);
  return out;
}

constexpr int kLines = 60;
constexpr double kRounding = 1e-9;  // of speeds of m/s: 1e-9 m/s is what points are solved to

template <class F>
void for_lines(const F& check) {
  std::mt19937 of(7);
  for (int k = 0; k < kLines && !testing::Test::HasFailure(); ++k) {
    const Line line = random_line(of);
    SCOPED_TRACE(fmt::format("line {}, {}", k, text(line)));
    check(line, of);
  }
}

class ContactInvariants : public testing::TestWithParam<Way> {};

TEST_P(ContactInvariants, NothingIsGainedAndElasticBallsLoseNothing) {
  for_lines([&](const Line& line, std::mt19937&) {
    const Ends ends = run_of(line, GetParam(), in_order(line));
    EXPECT_NEAR(ends.momentum, ends.momentum_before, kRounding * 50);
    EXPECT_LT(ends.energy, ends.energy_before * (1 + kRounding));
    if (GetParam().restitution == 1) {
      EXPECT_NEAR(ends.energy / ends.energy_before, 1, kRounding * 10);
    }
    EXPECT_LT(ends.residual, kRounding * ends.energy_before);
  });
}

TEST_P(ContactInvariants, TheOrderOfBodiesDecidesNothing) {
  for_lines([&](const Line& line, std::mt19937& of) {
    std::vector<int> order = in_order(line);
    const Ends ends = run_of(line, GetParam(), order);
    std::shuffle(order.begin(), order.end(), of);
    EXPECT_LT(farthest(run_of(line, GetParam(), order).speeds, ends.speeds), 100 * kRounding);
  });
}

TEST_P(ContactInvariants, WhatStandsBesideDecidesNothing) {
  for_lines([&](const Line& line, std::mt19937&) {
    const Ends ends = run_of(line, GetParam(), in_order(line));
    EXPECT_LT(farthest(run_of(line, GetParam(), in_order(line), true).speeds, ends.speeds),
              100 * kRounding);
  });
}

INSTANTIATE_TEST_SUITE_P(
    Ways, ContactInvariants,
    testing::Values(Way{Impacts::simultaneous, false, 1}, Way{Impacts::sequential, false, 1},
                    Way{Impacts::simultaneous, true, 1}, Way{Impacts::sequential, true, 1},
                    Way{Impacts::simultaneous, false, 0.6}, Way{Impacts::sequential, false, 0.6}),
    [](const auto& way) {
      return fmt::format("{}{}{:.0f}",
                         way.param.impacts == Impacts::sequential ? "Sequential" : "Simultaneous",
                         way.param.poisson ? "Poisson" : "Newton", 10 * way.param.restitution);
    });

}  // namespace
}  // namespace trammel::acceptance::contact_invariants_test
