// The kinds of bodies are an open list: a kind of the test's own, three swings in one block of
// three coordinates, joined by the joints of the table, against the same mechanism made of rigid
// bodies.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "form/acceleration.h"
#include "form/energy.h"
#include "form/test_balance.h"
#include "form/test_pools.h"
#include "form/velocity.h"
#include "model/builder.h"
#include "solve/product.h"

namespace trammel::form::pools_test {
namespace {

using test::at;
using test::hinge_frame;
using test::kStiffness;
using test::kSwings;
using test::Mat3Rows;
using test::SliderPool;
using test::Swing;
using test::SwingPool;

const Vec3 kAngles(0.5, 0.2, -0.3), kSpeeds(-0.8, -0.5, 1.2);  // of the swings at the start

/// The mechanism: three swings with springs between neighbours, a bar of fixed length between
/// points of the first two, and a bob on a ball joint at the end of the third.
model::Built build(bool as_pool) {
  model::Builder builder;
  const auto X_WB = [](int i) {
    const Swing& s = kSwings[at(i)];
    const Mat3 R = exp_matrix(kAngles[i] * Vec3::UnitY());
    return Pose{s.pivot + R * Vec3(0, 0, -s.length), R};
  };
  const std::array<std::string, 3> names{"one", "two", "three"};
  if (as_pool) {
    builder.add_pool({std::make_shared<SwingPool>(),
                      {names.begin(), names.end()},
                      {kSwings[0].mass, kSwings[1].mass, kSwings[2].mass},
                      {kAngles[0], kAngles[1], kAngles[2] - kAngles[0]},
                      {kSpeeds[0], kSpeeds[1], kSpeeds[2] - kSpeeds[0]}});
  } else {
    for (int i = 0; i < 3; ++i) {
      const Swing& s = kSwings[at(i)];
      model::BodySpec body;
      body.name = names[at(i)];
      body.mass = s.mass;
      body.inertia = {s.inertia, s.inertia, 0.4 * s.inertia, 0, 0, 0};
      body.X_WB = X_WB(i);
      body.w = kSpeeds[i] * Vec3::UnitY();
      body.v = body.w.cross(body.X_WB.p - s.pivot);
      builder.add_body(body);
      model::JointSpec hinge;
      hinge.name = "hinge " + body.name;
      hinge.type = "revolute";
      hinge.b = body.name;
      hinge.at = hinge_frame(s.pivot);
      builder.add_joint(hinge);
    }
    for (const int i : {0, 1}) {
      model::JointSpec beside;
      beside.name = "beside " + names[at(i)];
      beside.type = "free";
      beside.a = names[at(i)];
      beside.b = names[at(i) + 1];
      beside.frame_a = beside.frame_b = hinge_frame(Vec3::Zero());
      builder.add_joint(beside);
      model::LawSpec spring;
      spring.name = "spring " + names[at(i)];
      spring.type = "spring";
      spring.joint = beside.name;
      spring.coordinate = "roll";
      spring.numbers = {{"stiffness", kStiffness}};
      builder.add_law(spring);
    }
  }
  model::BodySpec bob;
  bob.name = "bob";
  bob.mass = 0.7;
  bob.inertia = {0.05, 0.04, 0.03, 0.005, 0, 0.002};
  const Vec3 end = X_WB(2).p + X_WB(2).R * Vec3(0, 0, -0.3);
  bob.X_WB.p = end + Vec3(0.1, 0.05, -0.2);
  bob.w = {0.5, 1, -2};
  builder.add_body(bob);
  model::JointSpec ball;
  ball.name = "ball";
  ball.type = "spherical";
  ball.a = "three";
  ball.b = "bob";
  ball.at = Pose{end, Mat3::Identity()};
  builder.add_joint(ball);
  model::JointSpec bar;
  bar.name = "bar";
  bar.type = "distance";
  bar.a = "one";
  bar.b = "two";
  bar.frame_a = Pose{Vec3(0.1, 0, -0.4), Mat3::Identity()};
  bar.frame_b = Pose{Vec3(0.5, 0, 0.1), Mat3::Identity()};
  builder.add_joint(bar);
  auto built = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&built))
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
  return std::get<model::Built>(std::move(built));
}

struct Outcome {
  VecX p;  // of the mass centres, by name
  double gap = 0, row_speed = 0, energy = 0;
};

template <class Form = Velocity>
Outcome run(const model::Built& built, double h, double time = 0.8, const Settings& settings = {}) {
  Outcome out;
  model::State state = built.state;
  Form form(*built.model, built.params, settings);
  form.load(state);
  const double energy = form.total_energy(state);
  test::Balance balance(form, state, test::momentum_bounds(settings));
  StepReport report;
  for (int k = 0; k < static_cast<int>(std::lround(time / h)); ++k) {
    form.step(state, h, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
    balance.see(form, state, report);
    out.gap = std::max({out.gap, report.gap, report.angle});
    out.row_speed = std::max(out.row_speed, report.row_speed);
    out.energy = std::max(out.energy, std::abs(form.total_energy(state) - energy));
  }
  out.p.resize(12);
  int n = 0;
  for (const char* name : {"one", "two", "three", "bob"})
    out.p.segment<3>(3 * n++) = form.now().T_WO[at(built.model->find_object(name))].p;
  return out;
}

TEST(OwnPool, ItsQuestionsAnswerEachOther) {
  const SwingPool pool;
  const Vec3 q(0.4, -0.7, 1.1), u(0.9, -0.3, 0.6);
  std::array<double, 54> jacobian{}, scratch{};
  std::array<body::Transform, 3> now, before, after;
  pool.transforms(nullptr, q.data(), now.data(), jacobian.data());
  constexpr double h = 1e-4;
  const Vec3 forth = q + h * u, back = q - h * u;
  pool.transforms(nullptr, forth.data(), after.data(), scratch.data());
  pool.transforms(nullptr, back.data(), before.data(), scratch.data());
  std::array<body::Rate, 3> rate;
  std::array<body::Bias, 3> bias;
  pool.rates(nullptr, q.data(), u.data(), now.data(), rate.data(), bias.data());
  const Vec3 f(1, 2, 3);
  const Mat3 F = Vec3(1, -2, 1) * Vec3(0.3, 1, 2).transpose();
  for (std::size_t i = 0; i < 3; ++i) {  // truncation h^2, rounding 1e-16 / h^2
    EXPECT_NEAR((rate[i].v - (after[i].p - before[i].p) / (2 * h)).norm(), 0, 1e-8);
    EXPECT_NEAR((rate[i].A - (after[i].A - before[i].A) / (2 * h)).norm(), 0, 1e-8);
    EXPECT_NEAR((bias[i].v - (after[i].p - 2 * now[i].p + before[i].p) / (h * h)).norm(), 0, 1e-6);
    EXPECT_NEAR((bias[i].A - (after[i].A - 2 * now[i].A + before[i].A) / (h * h)).norm(), 0, 1e-6);
    const Eigen::Map<const Eigen::Matrix<double, 6, 3, Eigen::RowMajor>> J(jacobian.data() +
                                                                           18 * i);
    EXPECT_NEAR((J.topRows(3) * u - rate[i].v).norm(), 0, 1e-15);
    Mat3Rows H = Mat3Rows::Zero();
    pool.add_second_variation(0, nullptr, nullptr, now[i], static_cast<int>(i), f, F, H.data());
    EXPECT_NEAR(u.dot(H * u), f.dot(bias[i].v) + F.cwiseProduct(bias[i].A).sum(), 1e-14);
  }
  // the flow runs backwards on itself
  const Vec3 P(1, 2, -1);
  Vec3 q1, P1, q0, P0;
  pool.flow(nullptr, 0.1, q.data(), P.data(), q1.data(), P1.data());
  pool.flow(nullptr, -0.1, q1.data(), P1.data(), q0.data(), P0.data());
  EXPECT_NEAR((q0 - q).norm() + (P0 - P).norm(), 0, 3e-15);
}

TEST(OwnPool, RowsHaveTheirJacobiansAndRates) {
  const model::Built built = build(true);
  const model::Model& model = *built.model;
  const model::Kinematics kin(model, built.params);
  const auto moved = [&](const VecX& u, double t) {
    std::vector<double> q = built.state.q;
    const VecX step = t * u;
    kin.retract(step.data(), q.data());
    model::KinematicsCache cache = kin.make_cache();
    kin.transforms(q.data(), 0, cache);
    kin.inverse_mass(q.data(), cache);
    kin.jacobians(built.state, cache);
    return cache;
  };
  const auto values = [&](const VecX& u, double t) {
    const auto g = moved(u, t).g;
    return VecX(Eigen::Map<const VecX>(g.data(), static_cast<int>(g.size())));
  };
  model::KinematicsCache now = moved(VecX::Zero(model.n_u), 0);
  const int rows = static_cast<int>(model.rows.size());
  constexpr double h = 1e-4;
  for (int k = 0; k < model.n_u; ++k) {
    const VecX u = VecX::Unit(model.n_u, k);
    VecX Ju(rows);
    solve::multiply(kin.graph(), now.J.data(), u.data(), Ju.data());
    EXPECT_NEAR((Ju - (values(u, h) - values(u, -h)) / (2 * h)).norm(), 0, 1e-8) << k;
  }
  VecX u(model.n_u), rate(rows), bias(rows);
  kin.velocities(now, built.state.P.data(), u.data());
  kin.rates(built.state.q.data(), u.data(), now);
  kin.row_rates(built.state, now, rate.data(), bias.data());
  EXPECT_NEAR(rate.norm(), 0, 1e-11);  // the start fits its rows
  EXPECT_NEAR((rate - (values(u, h) - values(u, -h)) / (2 * h)).norm(), 0, 1e-7);
  EXPECT_NEAR((bias - (values(u, h) - 2 * values(u, 0) + values(u, -h)) / (h * h)).norm(), 0, 1e-6);
  EXPECT_GT(bias.norm(), 0.1);
}

TEST(OwnPool, StartHasTheMomentumAndEnergyOfTheRigidMechanism) {
  std::array<Vec3, 2> linear{Vec3::Zero(), Vec3::Zero()}, angular = linear;
  std::array<double, 2> energy{};
  for (const std::size_t pool : {0u, 1u}) {
    const model::Built built = build(pool == 1);
    Velocity form(*built.model, built.params, {});
    form.load(built.state);
    energy[pool] = form.total_energy(built.state);
    for (const model::PoolSlot& s : built.model->pools)
      s.pool->add_momentum(form.kinematics().derived().data() + s.derived,
                           built.state.q.data() + s.q, built.state.P.data() + s.v, linear[pool],
                           angular[pool]);
  }
  EXPECT_NEAR(energy[0], energy[1], 1e-12);
  EXPECT_NEAR((linear[0] - linear[1]).norm(), 0, 1e-12);
  EXPECT_NEAR((angular[0] - angular[1]).norm(), 0, 1e-12);
}

TEST(OwnPool, MovesAsTheSameMechanismOfRigidBodiesByForces) {
  const model::Built pool = build(true), rigid = build(false);
  Settings settings;
  settings.formulation = Settings::Formulation::acceleration;
  settings.accuracy = {1e-11, 1e-11, 1e-11, 1e-11, 1e-11};
  const Outcome a = run<Acceleration>(pool, 0.1, 0.8, settings),
                b = run<Acceleration>(rigid, 0.1, 0.8, settings);
  EXPECT_LE((a.p - b.p).norm(), 1e-9);                // truncation of some ten steps
  EXPECT_LE((a.p - run(pool, 1e-3).p).norm(), 1e-4);  // of the other formulation
  for (const Outcome& o : {a, b}) {
    EXPECT_LE(o.gap, 1e-12);
    EXPECT_LE(o.row_speed, 1e-10);
    EXPECT_LE(o.energy, 1e-8);
  }
}

TEST(OwnPool, MovesAsTheSameMechanismOfRigidBodiesToSecondOrder) {
  const model::Built pool = build(true), rigid = build(false);
  std::array<double, 3> apart{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double h = 4e-3 / (1 << i);
    const Outcome a = run(pool, h), b = run(rigid, h);
    apart[i] = (a.p - b.p).norm();
    for (const Outcome& o : {a, b}) {
      EXPECT_LE(o.gap, 1e-10);
      EXPECT_LE(o.row_speed, 1e-10);
      EXPECT_LE(o.energy, 300 * h * h);  // truncation; the energy is about 10 J
    }
    EXPECT_GT((a.p - run(pool, h, h).p).norm(), 0.3);  // it does move [m]
  }
  EXPECT_NEAR(apart[0] / apart[1], 4, 0.1);
  EXPECT_NEAR(apart[1] / apart[2], 4, 0.05);
  EXPECT_LT(apart[2], 1e-4);
}

TEST(OwnPool, MovesAsTheSameMechanismOfRigidBodiesByEnergy) {
  const model::Built pool = build(true), rigid = build(false);
  Settings settings;
  settings.formulation = Settings::Formulation::acceleration;
  settings.accuracy = {1e-11, 1e-11, 1e-11, 1e-11, 1e-11};
  const VecX want = run<Acceleration>(pool, 0.1, 0.8, settings).p;
  settings.formulation = Settings::Formulation::energy;
  settings.joint_stiffness = law::kInf;
  for (const auto d : {Settings::Difference::bdf1, Settings::Difference::bdf2}) {
    settings.difference = d;
    std::array<double, 2> off{}, apart{};
    for (std::size_t i = 0; i < 2; ++i) {
      const double h = 1e-3 / (1 << i);
      const Outcome a = run<Energy>(pool, h, 0.8, settings);
      EXPECT_LE(a.gap, 1e-10);
      off[i] = (a.p - want).norm();
      apart[i] = (a.p - run<Energy>(rigid, h, 0.8, settings).p).norm();
    }
    const int ratio = 1 << order_of(d);
    EXPECT_NEAR(off[0] / off[1], ratio, 0.1 * ratio);
    EXPECT_NEAR(apart[0] / apart[1], ratio, 0.1 * ratio);
  }
}

/// 1 and 3 kg on a spring of 8 N/m between them; of a third one beside them nothing is asked.
template <class Form>
std::array<double, 3> sprung_sliders(double time, double h, const Settings& settings) {
  model::Builder builder;
  builder.gravity.setZero();
  builder.add_pool({std::make_shared<SliderPool>(3),
                    {"one", "two", "three"},
                    {1, 3, 2},
                    {0.1, 0.2, 0.3},
                    {1, 0, -0.5}});
  model::JointSpec beside;
  beside.name = "beside";
  beside.type = "free";
  beside.a = "one";
  beside.b = "two";
  beside.frame_a = beside.frame_b = Pose{};
  builder.add_joint(beside);
  model::LawSpec spring;
  spring.name = "spring";
  spring.type = "spring";
  spring.joint = "beside";
  spring.coordinate = "x";
  spring.numbers = {{"stiffness", 8}, {"rest", 0.1}};
  builder.add_law(spring);
  auto built = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&built))
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
  const auto& made = std::get<model::Built>(built);
  model::State state = made.state;
  Form form(*made.model, made.params, settings);
  form.load(state);
  StepReport report;
  for (int k = 0; k < static_cast<int>(std::lround(time / h)); ++k) {
    form.step(state, h, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
  }
  return {state.q[0], state.q[1], state.q[2]};
}

TEST(OwnPool, HasManyBlocks) {
  const double time = 1.3, w = std::sqrt(8 * (1 + 1. / 3));  // of the distance of one and two
  const double apart = -std::sin(w * time) / w, middle = 0.7 / 4 + 0.25 * time;
  const std::array<double, 3> want{middle - 0.75 * (0.1 + apart), middle + 0.25 * (0.1 + apart),
                                   0.3 - 0.5 * time};
  Settings exact;
  exact.accuracy = {1e-11, 1e-11, 1e-11, 1e-11, 1e-11};
  const auto forces = sprung_sliders<Acceleration>(time, 0.1, exact),
             impulses = sprung_sliders<Velocity>(time, 1e-3, {}),
             energy = sprung_sliders<Energy>(time, 1e-3, {});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(forces[i], want[i], 1e-9) << i;
    EXPECT_NEAR(impulses[i], want[i], 1e-5) << i;  // (w h)^2 / 24 of some radians
    EXPECT_NEAR(energy[i], want[i], 1e-4) << i;    // the same, and damped, by bdf2
  }
}

TEST(OwnPool, ErrorsAreTheLesserUnlessItSaysWhichIsWhich) {
  const SliderPool pool(3);
  std::array<double, 4> q{0, 0, 0, 7}, u = q;
  pool.tolerances(3, 2, q.data());
  pool.speed_tolerances(4, 5, u.data());
  EXPECT_EQ(q, (std::array<double, 4>{2, 2, 2, 7}));
  EXPECT_EQ(u, (std::array<double, 4>{4, 4, 4, 7}));
}

}  // namespace
}  // namespace trammel::form::pools_test
