// Affine bodies beside rigid ones, in every formulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "form/formulation.h"
#include "form/test_balance.h"
#include "math/rotation.h"
#include "model/builder.h"
#include "model/ledger.h"

namespace trammel::form::affine_test {
namespace {

using model::Builder;
using model::Built;

Built built(const Builder& b) {
  auto result = b.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    return {};
  }
  return std::get<Built>(std::move(result));
}

constexpr double kRigid = law::kInf;

/// A box of 8 kg whose corner hangs on a ball joint, thrown sideways and spinning.
using Elasticity = model::Elastic::Energy;
Built swing(double stiffness, bool affine = true, Elasticity elasticity = Elasticity::strain) {
  Builder b;
  model::BodySpec box;
  box.name = "box";
  box.mass = 8;
  box.solid = {model::Solid::Kind::box, {0.2, 0.3, 0.4}};
  box.X_WB.p = {0.1, 0.15, -0.2};
  box.w = {1, -2, 3};
  box.v = box.w.cross(box.X_WB.p);
  if (affine) {
    box.affine = model::Elastic{stiffness, {}};
    box.affine->energy = elasticity;
  }
  b.add_body(box);
  model::JointSpec joint;
  joint.name = "hook";
  joint.type = "spherical";
  joint.b = "box";
  joint.at = Pose{};
  b.add_joint(joint);
  return built(b);
}

/// Where the box's centre is after `time`.
Vec3 run(const Built& scene, const Settings& settings, double h, double time,
         StepReport* worst = nullptr) {
  Formulation f(*scene.model, scene.params, settings);
  model::State state = scene.state;
  EXPECT_TRUE(f.load(state));
  test::Balance balance(f, state, test::momentum_bounds(settings));
  StepReport report;
  const auto steps = std::lround(time / h);
  for (long k = 0; k < steps; ++k) {
    f.step(state, h, report);
    balance.see(f, state, report);
    if (report.status != Status::ok) {
      ADD_FAILURE() << "step " << k << ": " << report.reason;
      break;
    }
    if (worst) {
      worst->gap = std::max(worst->gap, report.gap);
      worst->iterations = std::max(worst->iterations, report.iterations);
    }
  }
  return f.now().T_WO[1].p;
}

Settings by_energy(Settings::Difference difference, double stiffness) {
  Settings s;
  s.formulation = Settings::Formulation::energy;
  s.difference = difference;
  s.joint_stiffness = stiffness;
  return s;
}
using Difference = Settings::Difference;

TEST(Affine, WhoseShapeIsHeldMovesAsARigidBody) {
  Settings forces;
  forces.formulation = Settings::Formulation::acceleration;
  const Vec3 rigid = run(swing(kRigid, false), forces, 0.01, 1);
  EXPECT_LE((run(swing(kRigid), forces, 0.01, 1) - rigid).norm(), 1e-7);  // accuracy 1e-9
  double last = 0;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const double error = (run(swing(kRigid), {}, h, 1) - rigid).norm();
    if (last > 0) {
      EXPECT_NEAR(last / error, 4, 0.3) << h;
    }
    last = error;
  }
  EXPECT_LE(last, 1e-4);
}

TEST(Affine, ElasticOnesTendToRigidOnes) {
  Settings forces;
  forces.formulation = Settings::Formulation::acceleration;
  const Vec3 rigid = run(swing(kRigid, false), forces, 0.01, 1);
  double last = 0;
  for (const double stiffness : {1e6, 1e7, 1e8}) {  // 1/stiffness
    const double error = (run(swing(stiffness), {}, 2.5e-4, 1) - rigid).norm();
    if (last > 0) {
      EXPECT_LE(error, last / 2) << stiffness;
    }
    last = error;
  }
  EXPECT_LE(last, 1e-4);
}

/// Errors at three steps fall as they should; the least of them.
double expect_order(int order, const std::function<double(double)>& error_at) {
  double last = 0;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const double error = error_at(h);
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / error), order, 0.15) << "h = " << h << ": " << error;
    }
    last = error;
  }
  return last;
}

TEST(Energy, RigidAndAffineBodiesTendToTheSame) {
  Settings forces;
  forces.formulation = Settings::Formulation::acceleration;
  const Vec3 rigid = run(swing(kRigid, false), forces, 0.01, 1);
  for (const bool affine : {false, true})
    for (const int order : {1, 2})
      for (const double stiffness : {1e9, law::kInf}) {
        const Settings s = by_energy(order == 1 ? Difference::bdf1 : Difference::bdf2, stiffness);
        StepReport worst;
        const double error = expect_order(order, [&](double h) {
          return (run(swing(kRigid, affine), s, h, 1, &worst) - rigid).norm();
        });
        EXPECT_LE(error, order == 1 ? 1e-3 : 3e-5);
        EXPECT_LE(worst.iterations, 5);
        EXPECT_LE(worst.gap, stiffness > 1e10 ? 1e-14 : 2e-7);  // model: pull / stiffness
      }
}

/// What a strained box at rest stores, and what its energy is said to be.
TEST(Affine, StoresItsElasticEnergy) {
  for (const Elasticity elasticity : {Elasticity::strain, Elasticity::as_rigid}) {
    const Built scene = swing(1e6, true, elasticity);
    const double kappa_V = 1e6 * 0.2 * 0.3 * 0.4;
    for (const Settings& settings : {Settings{}, by_energy(Difference::bdf2, kRigid)}) {
      Formulation f(*scene.model, scene.params, settings);
      model::State state = scene.state;
      f.load(state);
      std::fill(state.P.begin(), state.P.end(), 0.0);
      f.load(state);
      const double before = f.total_energy(state);
      const Mat3 A = exp_matrix(Vec3(0.3, 2, -1)) *
                     (Mat3() << 1.2, 0.1, -0.2, 0.15, 0.8, 0.05, 0, 0.3, 1.1).finished();
      for (int i = 0; i < 9; ++i) state.q[static_cast<std::size_t>(3 + i)] = A(i / 3, i % 3);
      f.load(state);
      const double expected = elasticity == Elasticity::strain
                                  ? (A * A.transpose() - Mat3::Identity()).squaredNorm()
                                  : (A - polar(A)).squaredNorm();
      EXPECT_NEAR((f.total_energy(state) - before) / kappa_V, expected, 1e-13);  // rounding
    }
  }
}

/// Strains of the box that hangs at rest by one corner.
VecX strains_at_rest(double stiffness, Elasticity elasticity) {
  const Built scene = swing(stiffness, true, elasticity);
  Formulation f(*scene.model, scene.params, by_energy(Difference::bdf1, kRigid));
  model::State state = scene.state;
  std::fill(state.P.begin(), state.P.end(), 0.0);
  f.load(state);
  StepReport report;
  for (int k = 0; k < 1000; ++k) f.step(state, 0.02, report);
  const int joint = scene.model->find_joint("box.strain");
  const int first = scene.model->joints[static_cast<std::size_t>(joint)].first_row;
  return Eigen::Map<const VecX>(f.now().g.data() + first, 6);
}

TEST(Affine, AsRigidIsAQuarterForSmallStrains) {
  for (const double stiffness : {1e4, 1e6}) {
    const VecX strain = strains_at_rest(stiffness, Elasticity::strain),
               stretch = strains_at_rest(4 * stiffness, Elasticity::as_rigid);
    EXPECT_GE(strain.norm(), 0.1 / stiffness * 100);
    EXPECT_LE((strain - stretch).norm(), 2 * strain.squaredNorm()) << strain;  // model: 2nd order
    EXPECT_GT((strain - stretch).norm(), 0.01 * strain.squaredNorm());
  }
}

TEST(Affine, AsRigidMovesAlikeInEveryFormulation) {
  Settings forces;
  forces.formulation = Settings::Formulation::acceleration;
  const Built soft = swing(1e5, true, Elasticity::as_rigid);  // 400 rad/s and more
  const Vec3 reference = run(soft, forces, 0.01, 0.25);
  const Vec3 other = run(swing(1e5, true, Elasticity::strain), forces, 0.01, 0.25);
  EXPECT_GE((reference - other).norm(), 1e-5);  // it is another energy
  double last[2] = {};
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    const double errors[2] = {
        (run(soft, {}, h, 0.25) - reference).norm(),
        (run(soft, by_energy(Difference::bdf2, kRigid), h, 0.25) - reference).norm()};
    for (int i = 0; i < 2; ++i) {
      if (last[i] > 0) {
        EXPECT_NEAR(std::log2(last[i] / errors[i]), 2, 0.4) << i << " " << errors[i];
      }
      last[i] = errors[i];
      EXPECT_LE(errors[i], 2e-3) << h;
    }
  }
  // held, the shape is that of a rigid body
  const Vec3 rigid = run(swing(kRigid, false), forces, 0.01, 1);
  EXPECT_LE((run(swing(kRigid, true, Elasticity::as_rigid), forces, 0.01, 1) - rigid).norm(), 1e-7);
}

TEST(Energy, MidpointIsOfOrderTwoWhereJointsAreSoft) {
  // 160 rad/s: a stiffer joint's own vibration, which the midpoint does not damp, is not resolved
  const double stiffness = 2e5;
  const Built scene = swing(kRigid, false);
  const Vec3 fine = run(scene, by_energy(Difference::midpoint, stiffness), 6.25e-5, 0.25);
  const Vec3 other = run(scene, by_energy(Difference::bdf2, stiffness), 6.25e-5, 0.25);
  EXPECT_LE((fine - other).norm(), 1e-5);
  double last = 0;
  for (const double h : {1e-3, 5e-4}) {
    const double error =
        (run(scene, by_energy(Difference::midpoint, stiffness), h, 0.25) - fine).norm();
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / error), 2, 0.2) << error;
    }
    last = error;
  }
}

constexpr double kG = 9.8;

/// Cubes of 0.4 m and 64 kg that hang from each other on ball joints.
Built hanging(int n, bool affine) {
  Builder b;
  b.gravity = {0, 0, -kG};
  for (int i = 0; i < n; ++i) {
    model::BodySpec cube;
    cube.name = "cube" + std::to_string(i);
    cube.density = 1000;
    cube.solid = {model::Solid::Kind::box, {0.4, 0.4, 0.4}};
    cube.X_WB.p = {0, 0, -0.2 - 0.4 * i};
    if (affine) cube.affine = model::Elastic{1e8, {}};
    b.add_body(cube);
    model::JointSpec joint;
    joint.name = "ball" + std::to_string(i);
    joint.type = "spherical";
    joint.a = i ? "cube" + std::to_string(i - 1) : "ground";
    joint.b = cube.name;
    joint.at = Pose{{0, 0, -0.4 * i}, Mat3::Identity()};
    b.add_joint(joint);
  }
  return built(b);
}

/// Whether its terms pull or, as its length is given, its row: a ball on a rod hangs g h^2 / gamma
/// too low.
TEST(Energy, StiffnessAsPublishedOfARow) {
  for (const bool given : {false, true}) {
    Builder b;
    model::BodySpec ball;
    ball.name = "ball";
    ball.mass = 2;
    ball.solid = {model::Solid::Kind::sphere, {0.1, 0, 0}};
    ball.X_WB.p = {0, 0, -0.5};
    b.add_body(ball);
    model::JointSpec rod;
    rod.name = "rod";
    rod.type = "distance";
    rod.a = "ground";
    rod.b = "ball";
    rod.frame_a = rod.frame_b = Pose{};
    if (given) {
      model::RowSpec row;
      row.row = "sqrt(D.D)";
      row.value = 0.5;
      rod.rows.push_back(row);
    }
    b.add_joint(rod);
    const Built scene = built(b);
    Formulation f(*scene.model, scene.params, by_energy(Difference::bdf1, -100));
    model::State state = scene.state;
    f.load(state);
    StepReport report;
    for (int k = 0; k < 400; ++k) f.step(state, 0.01, report);
    EXPECT_NEAR(-f.now().T_WO[1].p.z() - 0.5, 9.81 * 1e-4 / 100, 1e-9) << given;
  }
}
TEST(Energy, StiffnessAsPublished) {
  // K = gamma (m_i + m_j) without h^2; the ground has no mass: gap k is the weight below times
  // h^2 over gamma (m_i + m_j)
  const int n = 5;
  Settings s = by_energy(Difference::bdf1, -100);
  s.joint_length = 1;
  const Built scene = hanging(n, true);
  Formulation f(*scene.model, scene.params, s);
  model::State state = scene.state;
  f.load(state);
  StepReport report;
  test::Balance balance(f, state, test::momentum_bounds(s));
  for (int k = 0; k < 400; ++k) {  // to rest: bdf1 damps
    f.step(state, 0.01, report);
    balance.see(f, state, report);
  }
  for (int k = 1; k < n; ++k) {
    const body::Transform &above = f.now().T_WO[static_cast<std::size_t>(k)],
                          &below = f.now().T_WO[static_cast<std::size_t>(k + 1)];
    const Vec3 down(0, 0, -0.2);
    const double gap = (above.p + above.A * down).z() - (below.p - below.A * down).z();
    const double expected = (n - k) * kG * 1e-4 / (2 * 100);  // 4.9e-6 m a body below
    EXPECT_NEAR(gap, expected, 1e-7 * expected) << k;
  }
}

TEST(Energy, FreeFallDropsAsTheSchemeSays) {
  Builder b;
  b.gravity = {0, 0, -kG};
  model::BodySpec cube;
  cube.name = "cube";
  cube.density = 1000;
  cube.solid = {model::Solid::Kind::box, {0.4, 0.4, 0.4}};
  cube.X_WB.p = {0, 0, 3};
  cube.affine = model::Elastic{};
  b.add_body(cube);
  const Built scene = built(b);
  // g h^2 n (n + 1) / 2, whatever the shape
  EXPECT_NEAR(run(scene, by_energy(Difference::bdf1, 1e9), 0.01, 0.01).z(), 2.99902, 1e-12);
  EXPECT_NEAR(run(scene, by_energy(Difference::bdf1, 1e9), 0.01, 0.2).z(), 3 - 0.2058, 1e-12);
}

/// A cube on a prismatic joint along z whose axis goes through its centre, pulled aside.
Built on_slide(double lateral_force) {
  Builder b;
  b.gravity = {lateral_force / 64, 0, 0};
  for (int i = 0; i < 2; ++i) {
    model::BodySpec cube;
    cube.name = i ? "slide" : "guide";
    cube.density = 1000;
    cube.solid = {model::Solid::Kind::box, {0.4, 0.4, 0.4}};
    cube.affine = model::Elastic{1e8, {}};
    b.add_body(cube);
  }
  model::JointSpec fixed, joint;
  fixed.name = "wall";
  fixed.type = "fixed";
  fixed.b = "guide";
  fixed.at = Pose{};
  joint.name = "rail";
  joint.type = "prismatic";
  joint.a = "guide";
  joint.b = "slide";
  joint.at = Pose{Vec3::Zero(), (Mat3() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished()};
  b.add_joint(fixed);
  b.add_joint(joint);
  return built(b);
}

TEST(Energy, PublishedPrismaticJointIsTwiceAsStiffSideways) {
  Settings s = by_energy(Difference::bdf1, -100);
  s.joint_length = 1;
  const Built scene = on_slide(64 * kG);
  Formulation f(*scene.model, scene.params, s);
  model::State state = scene.state;
  f.load(state);
  StepReport report;
  for (int k = 0; k < 300; ++k) f.step(state, 0.01, report);
  const double gap = f.now().T_WO[2].p.x() - f.now().T_WO[1].p.x();
  EXPECT_NEAR(gap, 64 * kG * 1e-4 / (2 * 100 * 128), 1e-12);  // 2.45e-6 m
}

/// A cube that falls on an elastic stop: greatest height after the first impact.
double rebound(Difference difference) {
  Builder b;
  b.gravity = {0, 0, -kG};
  model::BodySpec cube;
  cube.name = "cube";
  cube.density = 1000;
  cube.solid = {model::Solid::Kind::box, {0.4, 0.4, 0.4}};
  cube.X_WB.p = {0, 0, 0.5};
  cube.affine = model::Elastic{};
  b.add_body(cube);
  model::JointSpec joint;
  joint.name = "column";
  joint.type = "prismatic";
  joint.b = "cube";
  joint.frame_a = Pose{Vec3::Zero(), (Mat3() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished()};
  joint.frame_b = Pose{Vec3::Zero(), joint.frame_a->R};
  b.add_joint(joint);
  b.add_law({.name = "floor",
             .path = {},
             .type = "spring",
             .joint = "column",
             .coordinate = "travel",
             .numbers = {},
             .drive = {},
             .function = std::make_shared<const law::ForceFunction>([](double x, double, double) {
               return x < 0 ? law::Force{-2e5 * x, -2e5, 0} : law::Force{};
             }),
             .tensile_strength = {},
             .compressive_strength = {}});
  const Built scene = built(b);
  Formulation f(*scene.model, scene.params, by_energy(difference, 1e9));
  model::State state = scene.state;
  f.load(state);
  StepReport report;
  test::Balance balance(f, state, test::momentum_bounds(by_energy(difference, 1e9)));
  double highest = 0, last = 0.5;
  bool landed = false;
  for (int k = 0; k < 120; ++k) {
    f.step(state, 0.005, report);
    balance.see(f, state, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
    const double z = f.now().T_WO[1].p.z();
    landed |= z < 0;
    if (landed && z > last) highest = std::max(highest, z);
    last = z;
  }
  EXPECT_TRUE(landed);
  return highest;
}

TEST(Energy, OffAnElasticStopOrderTwoReboundsHigher) {
  const double first = rebound(Difference::bdf1), second = rebound(Difference::bdf2);
  EXPECT_GT(second, first + 0.05);
  EXPECT_LT(second, 0.5);
  EXPECT_GT(first, 0.02);
}

/// The energy account: what the scheme takes is said, and nothing is left over.
TEST(Energy, WhatTheSchemeTakesIsAccounted) {
  for (const bool affine : {false, true}) {
    const Built scene = swing(affine ? 1e8 : kRigid, affine);
    double residual[2], taken[2];
    for (int i = 0; i < 2; ++i) {
      Formulation f(*scene.model, scene.params, by_energy(Difference::bdf1, 1e9));
      model::State state = scene.state;
      f.load(state);
      const double start = f.total_energy(state), h = 4e-3 / (1 << i);
      StepReport report;
      test::Balance balance(f, state, test::momentum_bounds(by_energy(Difference::bdf1, 1e9)));
      for (long k = 0; k < 250L << i; ++k) {
        f.step(state, h, report);
        balance.see(f, state, report);
      }
      double works = 0;
      for (std::size_t k = 0; k < state.ledger.size(); ++k)
        if (k != model::kInitial) works += state.ledger[k];
      residual[i] = std::abs(f.total_energy(state) - start - works);
      taken[i] = state.ledger[model::kIntegrator];
    }
    EXPECT_LT(taken[0], -0.05);                // of some 30 J
    EXPECT_NEAR(taken[0] / taken[1], 2, 0.3);  // first order
    // that the inertia's forces are those of gravity and joints, to what Newton leaves
    EXPECT_LE(residual[0], 1e-6);
    EXPECT_LE(residual[1], 1e-6);
  }
}

/// The same mechanism in other units of length and time, with the same steps: the same motion.
TEST(Energy, DoesNotDependOnUnits) {
  const auto place = [](double metre, double stiffness) {
    Builder b;
    b.gravity = {0, 0, -kG * metre};
    model::BodySpec box;
    box.name = "box";
    box.mass = 8;
    box.solid = {model::Solid::Kind::box, metre * Vec3(0.2, 0.3, 0.4)};
    box.X_WB.p = metre * Vec3(0.1, 0.15, -0.2);
    box.affine = model::Elastic{1e7 / metre, {}};  // Pa = kg/(m s^2)
    b.tolerance = 1e-6 * metre;
    b.add_body(box);
    model::JointSpec joint;
    joint.name = "hinge";
    joint.type = "revolute";
    joint.b = "box";
    joint.at = Pose{};
    b.add_joint(joint);
    const Built scene = built(b);
    return Vec3(run(scene, by_energy(Difference::bdf2, stiffness), 2e-3, 0.5) / metre);
  };
  // in millimetres the same joint, N/m being kg/s^2
  EXPECT_LE((place(1, 1e6) - place(1000, 1e6)).norm(), 1e-9);
}

}  // namespace
}  // namespace trammel::form::affine_test
