#include "constraint/piles/newton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "constraint/piles/test_heap.h"

namespace trammel::constraint::piles::newton_test {
namespace {

using Method = ContactOptions::Method;
constexpr double kTight = 1e-12;  // [m/s]

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Coulomb's law said of each point by itself: cones, no approach, slip against friction.
void expect_law(const test::Heap& heap, double tolerance) {
  for (std::size_t i = 0; i < heap.points.size(); ++i) {
    const ContactPoint& c = heap.points[i];
    const double *a = &heap.v[6 * at(c.a)], *b = &heap.v[6 * at(c.b)];
    const Vec3 u = vec3(b) + vec3(b + 3).cross(c.r_b) - vec3(a) - vec3(a + 3).cross(c.r_a);
    const double load = heap.p[6 * i] + heap.targets[i].cohesion;
    const Eigen::Vector2d f(heap.p[6 * i + 1], heap.p[6 * i + 2]);
    const Eigen::Vector2d slip(c.t.dot(u) - heap.targets[i].u[1],
                               c.s.dot(u) - heap.targets[i].u[2]);
    EXPECT_GE(load, 0);
    EXPECT_LE(f.norm(), c.mu * load * (1 + 1e-14));
    const double opening = c.n.dot(u) - heap.targets[i].u[0];
    EXPECT_GE(opening, -tolerance);
    EXPECT_LE(std::min(load, opening), tolerance);
    if (slip.norm() < 10 * tolerance || load < 10 * tolerance) continue;
    EXPECT_LE((f + c.mu * load * slip.normalized()).norm() * slip.norm(), 100 * tolerance) << i;
  }
}

TEST(ContactNewton, StackCarriesItsWeight) {
  test::Heap heap = test::stack(std::vector<double>(20, 2.));
  const ContactEffort effort = heap.solve({1e-14});  // rounding
  EXPECT_TRUE(effort.converged);
  EXPECT_LE(effort.merit, kTight);
  EXPECT_LE(effort.newton, 20);
  for (int i = 0; i < 20; ++i) {
    const Vec3 below = heap.impulse(4 * i) + heap.impulse(4 * i + 1) + heap.impulse(4 * i + 2) +
                       heap.impulse(4 * i + 3);
    EXPECT_NEAR(below[0], (20 - i) * 2., 1e-10);
    for (int k = 0; k < 4; ++k)  // four corners, one solution near none at all
      EXPECT_NEAR(heap.impulse(4 * i + k)[0], (20 - i) * 0.5, 1e-6);
  }
}

TEST(ContactNewton, GreatRatiosOfMass) {
  for (const std::vector<double>& masses :
       {std::vector<double>{1, 1e6}, {1, 1, 1, 1e6}, {1e6, 1}, {1e6, 1, 1, 1}, {1, 1e6, 1, 1e6}}) {
    test::Heap heap = test::stack(masses);
    EXPECT_TRUE(heap.solve({1e-9}).converged);
    double above = 0;
    for (int i = static_cast<int>(masses.size()) - 1; i >= 0; --i) {
      above += masses[at(i)];
      double sum = 0;
      for (int k = 0; k < 4; ++k) sum += heap.impulse(4 * i + k)[0];
      EXPECT_NEAR(sum / above, 1, 1e-8);
      EXPECT_NEAR(heap.velocity(i + 1)[2], 0, 1e-8);
    }
  }
}

TEST(ContactNewton, BoxOnAnIncline) {
  constexpr double kAngle = 0.4, kNearLimit = 1e-9;  // of friction: errors grow by a million
  for (const double off : {-1e-6, 1e-6}) {
    test::Heap heap = test::stack({3}, std::tan(kAngle) + off, 0);
    heap.pull(Vec3(std::sin(kAngle), 0, -std::cos(kAngle)));
    EXPECT_TRUE(heap.solve({kTight}).converged);
    const double slip = std::sin(kAngle) - (std::tan(kAngle) + off) * std::cos(kAngle);
    EXPECT_NEAR(heap.velocity(1)[0], std::max(slip, 0.), kNearLimit);
    EXPECT_NEAR(heap.velocity(1)[4], 0, kNearLimit);
  }
}

TEST(ContactNewton, PilesObeyTheLaw) {
  for (unsigned seed = 0; seed < 6; ++seed)
    for (const double mu : {0., 0.3, 0.8}) {
      test::Heap heap = test::pile(2, 3, mu, seed);
      const std::vector<double> before = heap.v;
      EXPECT_TRUE(heap.solve({1e-10}).converged) << seed << ' ' << mu;
      expect_law(heap, 1e-10);
      double gained = 0;  // p.(u + u before) / 2 of all points, by the bodies
      for (std::size_t i = 1; i < heap.bodies.size(); ++i) {
        const ContactBody& body = heap.bodies[i];
        const auto energy = [&](const std::vector<double>& v) {
          const Vec3 w = vec3(&v[6 * i + 3]);
          return 0.5 * vec3(&v[6 * i]).squaredNorm() / body.inv_mass +
                 0.5 * w.dot(body.inv_inertia.inverse() * w);
        };
        gained += energy(heap.v) - energy(before);
      }
      EXPECT_LE(gained, 1e-9);
    }
}

TEST(ContactNewton, SweepsComeToTheSameVelocities) {
  test::Heap newton = test::pile(2, 2, 0.3, 4), sweeps = newton;
  EXPECT_TRUE(newton.solve({1e-12}).converged);
  EXPECT_TRUE(sweeps.solve({1e-10, 200000, 0, Method::sweeps}).converged);
  for (std::size_t i = 0; i < newton.v.size(); ++i) EXPECT_NEAR(newton.v[i], sweeps.v[i], 1e-6);
}

TEST(ContactNewton, ImpulsesKeepMomentum) {
  test::Heap heap;  // two bodies in free flight, and none that stands
  heap.body(1, Vec3(0, 0, 0), Vec3::Ones());
  heap.body(1e3, Vec3(0.2, 0.1, 1), Vec3(1, 2, 1));
  heap.face(1, 2, Vec3(0.1, 0, 0.5), 0.4, 0.6);
  vec3(heap.velocity(2)) = Vec3(0.3, -0.2, -5);
  const Vec3 before = 1e3 * vec3(heap.velocity(2));
  EXPECT_TRUE(heap.solve({1e-10}).converged);
  const Vec3 after = vec3(heap.velocity(1)) + 1e3 * vec3(heap.velocity(2));
  EXPECT_LE((after - before).norm(), 1e-12 * before.norm());
}

/// Balls on the ground that spin and roll, with torques of friction.
TEST(ContactNewton, RollingAndSpinningFriction) {
  for (const Method method : {Method::sweeps, Method::newton}) {
    test::Heap heap;
    const int ball = heap.body(2, Vec3(0, 0, 1), Vec3::Ones());
    ContactPoint& c = heap.point(0, ball, Vec3::Zero(), Vec3::UnitZ(), 0.5);
    c.rolling = 0.01, c.spinning = 0.02;
    heap.pull(Vec3(0, 0, -1));
    const double I = 1 / heap.bodies[1].inv_inertia(0, 0);
    vec3(heap.velocity(ball) + 3) = Vec3(0, 3, 1);
    heap.velocity(ball)[0] = 3;  // rolls without slip
    EXPECT_TRUE(heap.solve({1e-12, 1000, 50, method}).converged);
    EXPECT_NEAR(heap.p[0], 2, 1e-11);
    EXPECT_NEAR(heap.velocity(ball)[5], 1 - 0.04 / I, 1e-10);  // spins on, slower
    const double rolling = (2 * 3 + 3 * I - 0.02) / (2 + I);   // momentum about the point
    EXPECT_NEAR(heap.velocity(ball)[4], rolling, 1e-10);
    EXPECT_NEAR(heap.velocity(ball)[0], rolling, 1e-10);
  }
}

TEST(ContactNewton, CohesionHoldsWhatHangs) {
  for (const double pull : {0.9, 1.1}) {
    test::Heap heap = test::stack({1}, 0.5, -pull);
    for (ContactTargets& target : heap.targets) target.cohesion = 0.25;
    EXPECT_TRUE(heap.solve({kTight}).converged);
    EXPECT_NEAR(heap.velocity(1)[2], std::max(pull - 1, 0.), 1e-12);
    EXPECT_NEAR(heap.impulse(0)[0], -std::min(pull, 1.) / 4, 1e-9);
  }
}

TEST(ContactNewton, SharesOfFewPointsAreEvenWhateverTheGuess) {
  test::Heap heap = test::stack({1});
  for (const int i : {0, 3}) heap.p[6 * at(i)] = 0.4;
  for (const int i : {1, 2}) heap.p[6 * at(i)] = 0.1;
  heap.solve({kTight});
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(heap.impulse(i)[0], 0.25, 1e-12);
}

TEST(ContactNewton, GuessOfManyPointsIsKeptWhereItIsASolution) {
  test::Heap solved = test::stack({1, 1, 1, 1, 1}), heap = solved;
  solved.solve({kTight});
  heap.p = solved.p;
  for (const int i : {0, 3}) heap.p[6 * at(i)] += 0.15;
  for (const int i : {1, 2}) heap.p[6 * at(i)] -= 0.15;
  const std::vector<double> guess = heap.p;
  heap.solve({kTight});
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(heap.impulse(i)[0], guess[6 * at(i)], 1e-9);
}

/// W and q of a heap, all rows of torques included.
struct Dense {
  MatX W;
  std::vector<double> q, p;
  std::vector<ContactLaw> laws;

  Dense(const test::Heap& heap, int rows) {
    const auto n = static_cast<Eigen::Index>(heap.points.size()) * rows;
    const auto unknowns = static_cast<Eigen::Index>(heap.v.size());
    MatX J = MatX::Zero(n, unknowns), inv_mass = MatX::Zero(unknowns, unknowns);
    for (Eigen::Index i = 0; 6 * i < unknowns; ++i) {
      const ContactBody& body = heap.bodies[static_cast<std::size_t>(i)];
      inv_mass.block<3, 3>(6 * i, 6 * i) = body.inv_mass * Mat3::Identity();
      inv_mass.block<3, 3>(6 * i + 3, 6 * i + 3) = body.inv_inertia;
    }
    VecX known = VecX::Zero(n);
    for (std::size_t i = 0; i < heap.points.size(); ++i) {
      const ContactPoint& c = heap.points[i];
      const auto row = static_cast<Eigen::Index>(i) * rows;
      const Vec3 axes[3] = {c.n, c.t, c.s};
      for (int k = 0; k < 3; ++k)
        for (int side = 0; side < 2; ++side) {
          const Eigen::Index body = 6 * (side ? c.b : c.a);
          const double sign = side ? 1 : -1;
          J.block<1, 3>(row + k, body) = sign * axes[k].transpose();
          J.block<1, 3>(row + k, body + 3) =
              sign * (side ? c.r_b : c.r_a).cross(axes[k]).transpose();
          if (rows == 6) J.block<1, 3>(row + 3 + k, body + 3) = sign * axes[k].transpose();
        }
      known.segment<3>(row) -= heap.targets[i].u;
      laws.push_back({c.mu, c.rolling, c.spinning, heap.targets[i].cohesion});
    }
    W = J * inv_mass * J.transpose();
    known += J * Eigen::Map<const VecX>(heap.v.data(), unknowns);
    q.assign(known.data(), known.data() + n);
    p.resize(q.size(), 0);
  }
  ContactEffort solve(const ContactOptions& options, Share share = Share::near_guess) {
    return solve_dense(W, q, laws, p, options, static_cast<int>(q.size() / laws.size()), share);
  }
};

TEST(ContactDense, AgreesWithTheBodies) {
  for (const int rows : {3, 6})
    for (const Method method : {Method::automatic, Method::newton}) {
      test::Heap heap = test::pile(2, 2, 0.4, 2);
      for (std::size_t i = 0; i < heap.points.size(); ++i) {
        if (rows == 6) heap.points[i].rolling = 0.02, heap.points[i].spinning = 0.01;
        heap.targets[i].cohesion = 0.01;
      }
      Dense dense(heap, rows);
      EXPECT_TRUE(heap.solve({1e-11, 200, 200, Method::newton}).converged);
      EXPECT_TRUE(dense.solve({1e-11, 200, 200, method}).converged);
      VecX p = VecX::Zero(dense.W.rows());
      for (std::size_t i = 0; i < heap.points.size(); ++i)
        for (int k = 0; k < rows; ++k)
          p[static_cast<Eigen::Index>(i) * rows + k] = heap.p[6 * i + at(k)];
      const VecX w = dense.W * (p - Eigen::Map<VecX>(dense.p.data(), p.size()));
      EXPECT_LE(w.cwiseAbs().maxCoeff(), 1e-8);  // the same velocities
    }
}

/// Four corners of each box carry it, in as many ways as there are numbers.
TEST(ContactDense, LeastImpulsesDoNotHangOnTheGuess) {
  const auto solved = [](double guess) {
    Dense dense(test::stack({2, 2, 2, 2, 2}), 3);
    for (std::size_t i = 0; i < dense.p.size(); ++i)
      dense.p[i] = i % 3 == 0 ? guess * (1 + std::sin(static_cast<double>(i))) : 0;
    EXPECT_TRUE(dense.solve({1e-12}, Share::least).converged);
    return dense.p;
  };
  const std::vector<double> p = solved(0);
  for (int box = 0; box < 5; ++box)
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(p[3 * at(4 * box + k)], (5 - box) * 0.5, 1e-9);  // a quarter each
  for (const double guess : {0.1, 1., 30.}) {
    const std::vector<double> other = solved(guess);
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(other[i], p[i], 1e-9) << guess;
  }
}

/// Rates along which no impulse moves anything, as rows leave them, change little of the shares: of
/// the corners of a box one pair against the other.
TEST(ContactDense, SharesDoNotHangOnWhatRowsLeave) {
  constexpr double kLeft = 1e-10;
  Dense dense(test::stack({2, 2}), 3);
  EXPECT_TRUE(dense.solve({1e-12}, Share::least).converged);
  const std::vector<double> p = dense.p;
  for (const int k : {0, 3}) dense.q[3 * at(k)] += kLeft;
  for (const int k : {1, 2}) dense.q[3 * at(k)] -= kLeft;
  EXPECT_TRUE(dense.solve({1e-8}, Share::least).converged);
  for (std::size_t i = 0; i < p.size(); ++i)
    EXPECT_LT(std::abs(dense.p[i] - p[i]) * dense.W(0, 0), 2e5 * kLeft) << i;
}

TEST(ContactDense, PointThatCannotMoveAndOneWithoutPart) {
  MatX W = MatX::Zero(9, 9);
  W.topLeftCorner<3, 3>().setIdentity();
  W.block<3, 3>(6, 6).setIdentity();
  std::vector<double> q{-1, 2, 0, 0, 0, 0, std::numeric_limits<double>::infinity(), -5, 1};
  std::vector<double> p(9, 0.5);
  const std::vector<ContactLaw> laws(3, {0.25, 0, 0, 0});
  EXPECT_TRUE(solve_dense(W, q, laws, p, {kTight}).converged);
  EXPECT_NEAR(p[0], 1, 1e-12);
  EXPECT_NEAR(p[1], -0.25, 1e-12);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_TRUE(std::isfinite(p[i]));
  for (std::size_t i = 6; i < 9; ++i) EXPECT_EQ(p[i], 0);
}

}  // namespace
}  // namespace trammel::constraint::piles::newton_test
