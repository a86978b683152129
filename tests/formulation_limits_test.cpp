// What the three formulations and the kinds of bodies tend to as steps get short and soft joints
// stiff: the same motion, to a micrometre.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "form/formulation.h"
#include "support.h"

namespace trammel::acceptance::formulation_limits_test {
namespace {

using Difference = form::Settings::Difference;

constexpr double kHeld = law::kInf;

/// Centres of mass of all bodies at quarters of the run.
using Motion = std::vector<Vec3>;

double apart(const Motion& a, const Motion& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

Motion run(const model::Built& built, const form::Settings& settings, double h, double time) {
  constexpr long kTimes = 4;
  form::Formulation f(*built.model, built.params, settings);
  model::State state = built.state;
  EXPECT_TRUE(f.load(state));
  form::StepReport report;
  Motion out;
  const long n = std::lround(time / h);
  for (long k = 1; k <= n; ++k) {
    f.step(state, h, report);
    if (report.status != form::Status::ok) {
      ADD_FAILURE() << "step " << k << " of " << n << ": " << report.reason;
      break;
    }
    if (k * kTimes % n != 0) continue;
    for (std::size_t i = 0; i < f.now().T_WO.size(); ++i)
      if (built.model->objects[i].block >= 0) out.push_back(f.now().T_WO[i].p);
  }
  return out;
}

/// What a motion that depends on a small number tends to.
struct Limit {
  Motion at;
  double order = 0;      // observed, of the last three
  double uncertain = 0;  // what the last but one of the extrapolations differs by
};

/// From runs with x, x/ratio, x/ratio^2, ...: errors that fall with these powers of x are taken
/// away one after the other.
Limit limit(std::vector<Motion> runs, double ratio, const std::vector<int>& powers) {
  const std::size_t n = runs.size();
  Limit out;
  out.order =
      std::log(apart(runs[n - 3], runs[n - 2]) / apart(runs[n - 2], runs[n - 1])) / std::log(ratio);
  for (std::size_t k = 0; k < powers.size(); ++k) {
    const double c = 1 / (std::pow(ratio, powers[k]) - 1);
    out.uncertain = 0;
    for (std::size_t i = n - 1; i > k; --i) {
      const Motion coarse = runs[i - 1];
      if (i == n - 1) out.uncertain = c * apart(runs[i], coarse);
      for (std::size_t j = 0; j < coarse.size(); ++j) runs[i][j] += c * (runs[i][j] - coarse[j]);
    }
  }
  out.at = runs.back();
  return out;
}

Limit at_short_steps(const model::Built& built, const form::Settings& s, double h, double time,
                     const std::vector<int>& powers) {
  std::vector<Motion> runs;
  for (std::size_t i = 0; i <= powers.size(); ++i)
    runs.push_back(run(built, s, h / std::pow(2., i), time));
  return limit(runs, 2, powers);
}

form::Settings by_forces() {
  form::Settings s;
  s.formulation = form::Settings::Formulation::acceleration;
  s.accuracy = {1e-11, 1e-11, 1e-11, 1e-11, 1e-11};
  return s;
}

form::Settings by_energy(double stiffness, Difference difference = Difference::bdf2) {
  form::Settings s;
  s.formulation = form::Settings::Formulation::energy;
  s.difference = difference;
  s.joint_stiffness = stiffness;
  return s;
}

/// What bodies are made of.
struct Made {
  bool affine = false;
  double stiffness = law::kInf;  // [Pa]
};
constexpr Made kRigid{}, kHeldInShape{true}, kElastic{true, 1e5};

model::BodySpec made(model::BodySpec body, const Made& of) {
  if (of.affine) body.affine = model::Elastic{of.stiffness, {}};
  return body;
}

/// A bar between two points; width and height in m.
model::BodySpec bar(const std::string& name, double mass, const Vec3& from, const Vec3& to,
                    const Made& of) {
  const Vec3 size((to - from).norm(), 0.08, 0.06);
  return made(box(name, size, mass, frame((from + to) / 2, to - from)), of);
}

/// A box on a hinge across the vertical, aslant in it.
model::Built pendulum(const Made& of) {
  model::Builder b;
  model::BodySpec box = acceptance::box("bob", {0.2, 0.3, 0.4}, 8, {{0.2, 0.15, -0.2}});
  b.add_body(made(box, of));
  b.add_joint(joint("pivot", "revolute", "ground", "bob", frame({0, 0, 0}, {0.2, 1, 0.3})));
  return built(b);
}

/// A crank that turns about z, a coupler on a ball and a universal joint, a rocker about y: one
/// closed loop, one degree of freedom, nothing held twice.
model::Built four_bar(const Made& of) {
  const Vec3 A(0, 0, 0), B(0.3, 0.1, 0), C(1, 0, 0.9), D(1, 0.1, 0.2);
  model::Builder b;
  b.gravity = {-2, 3, -9.81};
  b.add_body(bar("crank", 3, A, B, of));
  b.add_body(bar("coupler", 4, B, C, of));
  b.add_body(bar("rocker", 5, D, C, of));
  b.add_joint(joint("a", "revolute", "ground", "crank", frame(A, Vec3::UnitZ())));
  b.add_joint(joint("b", "spherical", "crank", "coupler", frame(B)));
  b.add_joint(joint("c", "universal", "coupler", "rocker", frame(C, Vec3::UnitY())));
  b.add_joint(joint("d", "revolute", "ground", "rocker", frame(D, Vec3::UnitY())));
  return built(b);
}

/// The same with four parallel hinges: three of its twenty rows are held twice.
model::Built hinged_four_bar(const Made& of) {
  const Vec3 A(0, 0, 0), B(0.3, 0, 0.2), C(1.1, 0, 0.7), D(1, 0, 0);
  model::Builder b;
  b.gravity = {2, 0, -9.81};
  b.add_body(bar("crank", 3, A, B, of));
  b.add_body(bar("coupler", 4, B, C, of));
  b.add_body(bar("rocker", 5, D, C, of));
  const auto hinge = [&](const char* name, const char* on, const char* of_body, const Vec3& p) {
    b.add_joint(joint(name, "revolute", on, of_body, frame(p, Vec3::UnitY())));
  };
  hinge("a", "ground", "crank", A);
  hinge("b", "crank", "coupler", B);
  hinge("c", "coupler", "rocker", C);
  hinge("d", "ground", "rocker", D);
  return built(b);
}

/// How far limits may be apart [m], and observed orders from the nominal ones.
struct Within {
  double length, order;
};
constexpr Within kResolved{1e-8, 0.05}, kVibrating{1e-6, 0.2};

void expect_meets(const char* who, const Limit& l, double order, const Motion& reference,
                  const Within& within) {
  SCOPED_TRACE(who);
  EXPECT_NEAR(l.order, order, within.order);
  EXPECT_LE(l.uncertain, within.length);
  EXPECT_LE(apart(l.at, reference), within.length);
}

/// By impulses, by forces, by energy with joints that hold and with soft ones as they get stiff:
/// what they all tend to.
Motion expect_one_limit(const model::Built& m, double h, double time, const Within& within) {
  const Motion forces = run(m, by_forces(), 0.01, time);
  expect_meets("velocity", at_short_steps(m, {}, h, time, {2, 4, 6}), 2, forces, within);
  expect_meets("energy, rows", at_short_steps(m, by_energy(kHeld), h, time, {2, 3, 4}), 2, forces,
               within);
  std::vector<Motion> soft;
  for (const double stiffness : {1e10, 4e10, 16e10}) {
    const Limit l = at_short_steps(m, by_energy(stiffness), h, time, {2, 3, 4});
    EXPECT_NEAR(l.order, 2, within.order) << stiffness;
    soft.push_back(l.at);
  }
  EXPECT_GT(apart(soft[0], soft[2]), 1e-9);  // they are soft
  expect_meets("energy, terms", limit(soft, 4, {1, 2}), 1, forces, within);
  return forces;
}

using Mechanism = model::Built (*)(const Made&);

/// And bodies that are held in shape move as rigid ones.
void expect_one_limit_of_rigid(Mechanism mechanism, double h, double time) {
  const Motion rigid = expect_one_limit(mechanism(kRigid), h, time, kResolved);
  SCOPED_TRACE("affine");
  const Motion affine = expect_one_limit(mechanism(kHeldInShape), h, time, kResolved);
  EXPECT_LE(apart(affine, rigid), 1e-8);
  double way = 0;
  for (std::size_t i = 0; i < rigid.size(); ++i)
    way = std::max(way, (rigid[i] - rigid[i % (rigid.size() / 4)]).norm());
  EXPECT_GT(way, 0.1);
}

TEST(FormulationLimits, Pendulum) { expect_one_limit_of_rigid(pendulum, 2e-3, 0.8); }
TEST(SlowFormulationLimits, FourBar) { expect_one_limit_of_rigid(four_bar, 1e-3, 0.4); }
TEST(SlowFormulationLimits, FourBarHeldTwice) {
  expect_one_limit_of_rigid(hinged_four_bar, 1e-3, 0.4);
}

TEST(SlowFormulationLimits, ElasticPendulum) {
  expect_one_limit(pendulum(kElastic), 5e-4, 0.8, kVibrating);
}
TEST(SlowFormulationLimits, ElasticFourBar) {
  expect_one_limit(four_bar(kElastic), 5e-4, 0.4, kVibrating);
}
TEST(SlowFormulationLimits, ElasticFourBarOnHinges) {
  expect_one_limit(hinged_four_bar(kElastic), 5e-4, 0.4, kVibrating);
}

}  // namespace
}  // namespace trammel::acceptance::formulation_limits_test
