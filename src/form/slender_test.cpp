// Bodies with little or no inertia in some directions, beside minimal coordinates.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "form/formulation.h"
#include "form/test_balance.h"
#include "model/builder.h"

namespace trammel::form::slender_test {
namespace {

using model::BodySpec;
using model::Builder;
using model::JointSpec;

model::Built built(const Builder& b) {
  auto result = b.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    throw std::runtime_error("refused");
  }
  return std::get<model::Built>(std::move(result));
}

BodySpec body(const std::string& name, double mass, const Vec3& moments, const Pose& X) {
  BodySpec s;
  s.name = name;
  s.mass = mass;
  s.inertia = {moments.x(), moments.y(), moments.z(), 0, 0, 0};
  s.X_WB = X;
  return s;
}

/// A hinge at p about the axis, on bodies at these poses.
JointSpec hinge(const std::string& name, const std::string& a, const std::string& b, const Vec3& p,
                const Vec3& axis) {
  JointSpec j;
  j.name = name;
  j.type = "revolute";
  j.a = a;
  j.b = b;
  Mat3 R;
  R.col(0) = axis.normalized();
  R.col(1) = R.col(0).unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  j.at = Pose{p, R};
  return j;
}

struct Totals {
  int newton = 0, parts = 0, fallbacks = 0, steps = 0;
  double gap = 0, momentum = 0;
};

/// A run of n steps to the time T; the state at the end.
model::State run(const model::Built& b, double T, int n, Totals& totals, double* energy = nullptr) {
  Velocity formulation(*b.model, b.params, {});
  model::State state = b.state;
  EXPECT_TRUE(formulation.load(state));
  const double first = formulation.total_energy(state);
  test::Balance balance(formulation, state);
  StepReport report;
  for (int k = 0; k < n; ++k) {
    formulation.step(state, T / n, report);
    balance.see(formulation, state, report);
    if (report.status != Status::ok) {
      ADD_FAILURE() << "step " << k << ": " << report.reason;
      break;
    }
    totals.newton += report.way.newton;
    totals.parts += report.way.parts > 0;
    totals.fallbacks += report.way.fallback;
    ++totals.steps;
    totals.gap = std::max({totals.gap, report.gap, report.angle});
  }
  if (energy) *energy = formulation.total_energy(state) - first;
  return state;
}

constexpr double kShaft = 0.1, kAcross = 0.0833, kArm = 0.05, kCom = 0.5, kTilt = M_PI / 6,
                 kSpin = 6.283, kG = 9.81;

/// A spinning shaft, upright, with a rod hinged to it across: the rod's axis begins 30 degrees
/// below the horizontal.
model::Built rod_on_shaft(double along, double stiffness = 0) {
  Builder b;
  BodySpec shaft = body("shaft", 1, Vec3::Constant(kShaft), {});
  shaft.w = {0, 0, kSpin};
  b.add_body(shaft);
  Mat3 R = Eigen::AngleAxisd(kTilt, Vec3::UnitY()).toRotationMatrix();
  BodySpec rod = body("rod", 1, {along, kAcross, kAcross}, {Vec3(kArm, 0, 0), R});
  rod.com = {kCom, 0, 0};
  rod.w = {0, 0, kSpin};
  rod.v = {0, kSpin * (kArm + kCom * std::cos(kTilt)), 0};
  b.add_body(rod);
  b.add_joint(hinge("axle", "ground", "shaft", Vec3::Zero(), Vec3::UnitZ()));
  b.add_joint(hinge("hinge", "shaft", "rod", Vec3(kArm, 0, 0), Vec3::UnitY()));
  model::LawSpec spring;
  spring.name = "spring";
  spring.type = "spring";
  spring.joint = "hinge";
  spring.coordinate = "angle";
  spring.numbers = {{"stiffness", stiffness}};
  if (stiffness > 0) b.add_law(spring);
  return built(b);
}

/// Its angles (psi, theta) and rates in minimal coordinates, by small steps of the classical
/// Runge-Kutta method. p = psi' (...) is constant.
std::array<double, 2> exact_rod(double along, double T, double stiffness = 0) {
  using State = std::array<double, 3>;  // psi, theta, theta'
  const auto inertia = [&](double c, double s) {
    const double r = kArm + kCom * c;
    return kShaft + r * r + along * s * s + kAcross * c * c;
  };
  const double p = kSpin * inertia(std::cos(kTilt), std::sin(kTilt)), I = kCom * kCom + kAcross;
  const auto slope = [&](const State& x) {
    const double c = std::cos(x[1]), s = std::sin(x[1]), turn = p / inertia(c, s);
    const double d = -2 * (kArm + kCom * c) * kCom * s + 2 * (along - kAcross) * s * c;
    const double pull = stiffness * (x[1] - kTilt);
    return State{turn, x[2], (0.5 * turn * turn * d + kG * kCom * c - pull) / I};
  };
  State x{0, kTilt, 0};
  const int n = 20000;
  const double h = T / n;
  const auto moved = [](const State& a, const State& k, double f) {
    return State{a[0] + f * k[0], a[1] + f * k[1], a[2] + f * k[2]};
  };
  for (int i = 0; i < n; ++i) {
    const State a = slope(x), b = slope(moved(x, a, h / 2)), c = slope(moved(x, b, h / 2)),
                d = slope(moved(x, c, h));
    for (std::size_t j = 0; j < 3; ++j) x[j] += h / 6 * (a[j] + 2 * b[j] + 2 * c[j] + d[j]);
  }
  return {x[0], x[1]};
}

class SlenderRod : public testing::TestWithParam<double> {};

TEST_P(SlenderRod, HasOrderTwo) {
  const double along = GetParam(), T = 1;
  const model::Built b = rod_on_shaft(along);
  const auto exact = exact_rod(along, T);
  const double r = kArm + kCom * std::cos(exact[1]);
  const Vec3 com(r * std::cos(exact[0]), r * std::sin(exact[0]), -kCom * std::sin(exact[1]));
  std::array<double, 3> error{};
  Totals totals;
  for (std::size_t k = 0; k < 3; ++k) {
    double energy = 0;
    const model::State s = run(b, T, 250 << k, totals, &energy);
    error[k] = (Vec3(s.q[7], s.q[8], s.q[9]) - com).norm();
    EXPECT_LE(std::abs(energy), 1e-5 / (1 << 2 * k));  // truncation, of 12 J
  }
  EXPECT_LE(error[0], 1.4e-4);  // truncation, the same of thick and thin rods
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.01);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 2, 0.01);
  EXPECT_EQ(totals.fallbacks, 0);
  EXPECT_LE(totals.gap, 1e-11);
}

/// A spring on the hinge feels the rod's inertia across, whatever that along it is: a soft one is
/// followed, of one that swings in 3 ms only how far it yields is uncertain.
TEST_P(SlenderRod, SwingsOnASpring) {
  const double along = GetParam(), T = 1;
  const auto error = [&](double stiffness, int n) {
    const auto exact = exact_rod(along, T, stiffness);
    const double r = kArm + kCom * std::cos(exact[1]);
    Totals totals;
    const model::State s = run(rod_on_shaft(along, stiffness), T, n, totals);
    EXPECT_EQ(totals.fallbacks, 0);
    const Vec3 com(r * std::cos(exact[0]), r * std::sin(exact[0]), -kCom * std::sin(exact[1]));
    return (Vec3(s.q[7], s.q[8], s.q[9]) - com).norm();
  };
  const double e = error(20, 500);
  EXPECT_LE(e, 2e-4);
  EXPECT_NEAR(std::log2(e / error(20, 1000)), 2, 0.05);
  EXPECT_LE(error(1e6, 1000), 2e-5);
}

INSTANTIATE_TEST_SUITE_P(Axial, SlenderRod, testing::Values(1e-3, 1e-5, 1e-6, 1e-9, 1e-12, 0.0));

/// Links in a plane, in absolute angles: link i hangs on link parent[i], at its end. In long
/// double, so that masses of twelve decades leave digits.
struct PlaneTree {
  std::vector<int> parent;
  std::vector<double> mass, inertia, length, angle, rate;

  std::size_t size() const { return parent.size(); }
  /// Of the centre of mass of k along link i: its length on the way there.
  long double part(std::size_t k, std::size_t i) const {
    if (k == i) return 0.5L * length[i];
    for (int j = parent[k]; j >= 0; j = parent[static_cast<std::size_t>(j)])
      if (j == static_cast<int>(i)) return length[i];
    return 0;
  }
  using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

  Vector acceleration(const Vector& a, const Vector& w) const {
    const auto n = static_cast<Eigen::Index>(size());
    Matrix M = Matrix::Zero(n, n);
    Vector f = Vector::Zero(n);
    for (std::size_t k = 0; k < size(); ++k)
      for (std::size_t i = 0; i < size(); ++i) {
        const long double ki = mass[k] * part(k, i);
        const auto ii = static_cast<Eigen::Index>(i);
        f[ii] -= ki * 9.81L * std::cos(a[ii]);
        for (std::size_t j = 0; j < size(); ++j) {
          const auto jj = static_cast<Eigen::Index>(j);
          const long double kj = ki * part(k, j);
          M(ii, jj) += kj * std::cos(a[ii] - a[jj]);
          f[ii] -= kj * std::sin(a[ii] - a[jj]) * w[jj] * w[jj];
        }
      }
    for (std::size_t i = 0; i < size(); ++i)
      M(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) += inertia[i];
    // light links scale their own lines
    const Vector scale = M.diagonal().cwiseSqrt().cwiseInverse();
    const Matrix scaled = scale.asDiagonal() * M * scale.asDiagonal();
    return scale.cwiseProduct(scaled.ldlt().solve(scale.cwiseProduct(f)));
  }

  std::vector<double> after(double T, int n) const {
    const auto m = static_cast<Eigen::Index>(size());
    Vector a(m), w(m);
    for (std::size_t i = 0; i < size(); ++i) {
      a[static_cast<Eigen::Index>(i)] = angle[i];
      w[static_cast<Eigen::Index>(i)] = rate[i];
    }
    const long double h = static_cast<long double>(T) / n;
    for (int k = 0; k < n; ++k) {
      const Vector a1 = w, w1 = acceleration(a, w);
      const Vector a2 = w + h / 2 * w1, w2 = acceleration(a + h / 2 * a1, a2);
      const Vector a3 = w + h / 2 * w2, w3 = acceleration(a + h / 2 * a2, a3);
      const Vector a4 = w + h * w3, w4 = acceleration(a + h * a3, a4);
      a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    }
    std::vector<double> out;
    for (Eigen::Index i = 0; i < m; ++i) out.push_back(static_cast<double>(a[i]));
    return out;
  }

  Vec3 end(std::size_t i, const std::vector<double>& at, double along) const {
    Vec3 p = along * length[i] * Vec3(std::cos(at[i]), 0, std::sin(at[i]));
    for (int j = parent[i]; j >= 0; j = parent[static_cast<std::size_t>(j)]) {
      const auto k = static_cast<std::size_t>(j);
      p += length[k] * Vec3(std::cos(at[k]), 0, std::sin(at[k]));
    }
    return p;
  }

  /// The same of bodies, the inertia about the link's axis 1e-3 ... 1e-12 of that across.
  model::Built bodies(std::mt19937& random) const {
    Builder b;
    for (std::size_t i = 0; i < size(); ++i) {
      const double slender = std::pow(10., std::uniform_real_distribution<double>(-12, -3)(random));
      const Mat3 R = Eigen::AngleAxisd(-angle[i], Vec3::UnitY()).toRotationMatrix();
      BodySpec s = body("link" + std::to_string(i), mass[i],
                        {slender * inertia[i], inertia[i], inertia[i]}, {end(i, angle, 0.5), R});
      s.w = {0, -rate[i], 0};
      Vec3 v = 0.5 * length[i] * rate[i] * Vec3(-std::sin(angle[i]), 0, std::cos(angle[i]));
      for (int j = parent[i]; j >= 0; j = parent[static_cast<std::size_t>(j)]) {
        const auto k = static_cast<std::size_t>(j);
        v += length[k] * rate[k] * Vec3(-std::sin(angle[k]), 0, std::cos(angle[k]));
      }
      s.v = v;
      b.add_body(s);
      const int p = parent[i];
      b.add_joint(hinge("hinge" + std::to_string(i), p < 0 ? "ground" : "link" + std::to_string(p),
                        s.name, end(i, angle, 0), Vec3::UnitY()));
    }
    return built(b);
  }
};

/// Each link at most as heavy as what it hangs on: heavy ones on light ones swing faster than steps
/// can follow.
PlaneTree random_tree(std::mt19937& random) {
  PlaneTree t;
  const auto uniform = [&](double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random);
  };
  const int n = 2 + static_cast<int>(random() % 4);
  for (int i = 0; i < n; ++i) {
    t.parent.push_back(i == 0 ? -1 : static_cast<int>(random() % static_cast<unsigned>(i)));
    const int p = t.parent.back();
    const double lighter = std::pow(10., uniform(-12. / (n - 1), 0));
    t.mass.push_back(p < 0 ? 1 : t.mass[static_cast<std::size_t>(p)] * lighter);
    t.length.push_back(uniform(0.5, 1));
    t.inertia.push_back(t.mass.back() * t.length.back() * t.length.back() / 12);
    t.angle.push_back(uniform(-M_PI, M_PI));
    t.rate.push_back(uniform(-1, 1));
  }
  return t;
}

void expect_trees(unsigned first, unsigned last) {
  for (unsigned seed = first; seed < last; ++seed) {
    std::mt19937 random(seed);
    const PlaneTree tree = random_tree(random);
    const model::Built b = tree.bodies(random);
    const double T = 0.5;
    const auto exact = tree.after(T, 500);
    std::array<double, 2> error{};
    Totals totals;
    for (std::size_t k = 0; k < 2; ++k) {
      const model::State s = run(b, T, 250 << k, totals);
      for (std::size_t i = 0; i < tree.size(); ++i)
        error[k] = std::max(
            error[k],
            (Vec3(s.q[7 * i], s.q[7 * i + 1], s.q[7 * i + 2]) - tree.end(i, exact, 0.5)).norm());
    }
    EXPECT_LE(error[1], 1e-3) << "seed " << seed;  // truncation, of chaotic motions too
    EXPECT_LE(error[1], 0.3 * error[0] + 1e-9) << "seed " << seed;
    EXPECT_EQ(totals.fallbacks, 0) << "seed " << seed;
  }
}

TEST(LightTrees, TwelveDecadesOfMass) { expect_trees(0, 10); }
TEST(FullLightTrees, AHundred) { expect_trees(10, 110); }

/// Massless links between masses: a pendulum of 1 kg on two links locked to each other, the first
/// without any mass.
TEST(Massless, LinkAndPointMassAreAPendulum) {
  Builder b;
  b.add_body(body("link", 0, Vec3::Zero(), {Vec3(0.5, 0, 0), Mat3::Identity()}));
  b.add_body(body("bob", 1, Vec3::Zero(), {Vec3(1, 0, 0), Mat3::Identity()}));
  b.add_joint(hinge("pivot", "ground", "link", Vec3::Zero(), Vec3::UnitY()));
  JointSpec weld = hinge("weld", "link", "bob", Vec3(1, 0, 0), Vec3::UnitY());
  weld.type = "fixed";
  b.add_joint(weld);
  const model::Built scene = built(b);
  EXPECT_EQ(scene.start.rank.degrees_of_freedom(), 1);
  // theta'' = -g cos theta from rest, by small steps
  double a = 0, w = 0;
  for (int k = 0; k < 200000; ++k) {
    const double h = 1. / 200000, mid = a + h / 2 * w;
    w -= h * kG * std::cos(mid);
    a = mid + h / 2 * w;
  }
  std::array<double, 2> error{};
  Totals totals;
  for (std::size_t k = 0; k < 2; ++k) {
    const model::State s = run(scene, 1, 500 << k, totals);
    error[k] = std::hypot(s.q[7] - std::cos(a), s.q[9] - std::sin(a));
  }
  EXPECT_LE(error[0], 1e-4);  // truncation
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.05);
  EXPECT_EQ(totals.fallbacks, 0);
}

TEST(Massless, WhatNothingHoldsIsRefused) {
  Builder b;
  b.add_body(body("bob", 1, Vec3::Zero(), {Vec3(1, 0, 0), Mat3::Identity()}));
  JointSpec ball = hinge("ball", "ground", "bob", Vec3::Zero(), Vec3::UnitY());
  ball.type = "spherical";
  b.add_joint(ball);
  const auto result = b.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&result);
  ASSERT_TRUE(problems);
  ASSERT_EQ(problems->size(), 1u);  // about the line to the ball
  EXPECT_EQ(problems->front().path, "body.bob");
  EXPECT_NE(problems->front().text.find("turns about its x axis without inertia"),
            std::string::npos)
      << problems->front().text;
}

/// Freedoms are geometry, whatever the masses.
TEST(LightRank, CountsFreedomsNotMasses) {
  for (const double tiny : {1e-3, 1e-9, 1e-12, 0.0}) {
    Builder b;  // a double pendulum with small bobs
    b.add_body(body("b1", 1, Vec3::Constant(tiny), {Vec3(1, 0, 0), Mat3::Identity()}));
    b.add_body(body("b2", 1, Vec3::Constant(tiny), {Vec3(2, 0, 0), Mat3::Identity()}));
    b.add_joint(hinge("h1", "ground", "b1", Vec3::Zero(), Vec3::UnitY()));
    b.add_joint(hinge("h2", "b1", "b2", Vec3(1, 0, 0), Vec3::UnitY()));
    const auto rank = built(b).start.rank;
    EXPECT_EQ(rank.degrees_of_freedom(), 2) << tiny;
    EXPECT_EQ(rank.surplus(), 0) << tiny;
  }
  Builder b;  // something light between heavy bodies
  const auto cube = [&](const char* name, double mass, double x) {
    b.add_body(body(name, mass, Vec3::Constant(mass * 0.1), {Vec3(x, 0, 0), Mat3::Identity()}));
  };
  cube("a", 2, 0);
  cube("light", 1e-7, 1);
  cube("c", 1000, 2);
  b.add_joint(hinge("turns", "a", "light", Vec3(0.5, 0, 0), Vec3::UnitY()));
  JointSpec weld = hinge("holds", "light", "c", Vec3(1.5, 0, 0), Vec3::UnitY());
  weld.type = "fixed";
  b.add_joint(weld);
  EXPECT_EQ(built(b).start.rank.degrees_of_freedom(), 7);
}

/// Whether a body has inertia does not depend on how large it is.
TEST(Massless, BodiesOfAnySizeHaveInertia) {
  for (const double size : {1e-12, 1e-6, 1., 1e6, 1e12}) {
    Builder b;
    b.add_body(
        body("bob", 1, 1e-3 * size * size * Vec3::Ones(), {Vec3(size, 0, 0), Mat3::Identity()}));
    b.add_joint(hinge("pivot", "ground", "bob", Vec3::Zero(), Vec3::UnitY()));
    const model::Built scene = built(b);
    Settings s;
    for (const auto f : {Settings::Formulation::acceleration, Settings::Formulation::energy}) {
      s.formulation = f;
      EXPECT_TRUE(Formulation::refused(*scene.model, scene.params, s).empty()) << size;
    }
  }
}

/// Other formulations and schemes divide by inertia: they say so.
TEST(Massless, IsRefusedByWhoDividesByInertia) {
  Builder b;
  b.add_body(body("bob", 1, Vec3::Zero(), {Vec3(1, 0, 0), Mat3::Identity()}));
  b.add_joint(hinge("pivot", "ground", "bob", Vec3::Zero(), Vec3::UnitY()));
  const model::Built scene = built(b);
  Settings s;
  EXPECT_TRUE(Formulation::refused(*scene.model, scene.params, s).empty());
  s.scheme = Settings::Scheme::baumgarte;
  EXPECT_EQ(Formulation::refused(*scene.model, scene.params, s).size(), 1u);
  for (const auto f : {Settings::Formulation::acceleration, Settings::Formulation::energy}) {
    s.formulation = f;
    const auto refused = Formulation::refused(*scene.model, scene.params, s);
    ASSERT_EQ(refused.size(), 1u);
    EXPECT_EQ(refused[0].path, "body.bob");
    EXPECT_NE(refused[0].text.find("has no inertia in some direction"), std::string::npos);
  }
}

}  // namespace
}  // namespace trammel::form::slender_test
