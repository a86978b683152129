// Blocks of several objects in the energy formulation, against the same mechanisms of rigid bodies
// and joints.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <numeric>

#include "body/test_systems.h"
#include "form/acceleration.h"
#include "form/energy.h"
#include "form/test_balance.h"
#include "form/test_pools.h"
#include "form/velocity.h"
#include "model/builder.h"
#include "model/ledger.h"
#include "model/system.h"

namespace trammel::form::energy_pools_test {
namespace {

using Difference = Settings::Difference;
using test::at;
using test::SkewPool;

const std::array<double, 2> kAngles{0.4, -0.7}, kSpeeds{1.5, -2};  // of the links at the start

constexpr double kResolved = 0.02;  // steps that are short beside all motion [s]

/// Adds to a mechanism of the two links, named "one" and "two", what is tested at them.
using Add = std::function<void(model::Builder&)>;

Pose frame_along(const Vec3& axis, const Vec3& p) {
  return {p, Quat::FromTwoVectors(Vec3::UnitX(), axis).toRotationMatrix()};
}

void add_as_pool(model::Builder& builder) {
  builder.add_pool({std::make_shared<SkewPool>(),
                    {"one", "two", "slide", "turn"},
                    {1},
                    {kAngles[0], kAngles[1]},
                    {kSpeeds[0], kSpeeds[1]}});
}

model::JointSpec hinge(const char* name, const char* a, const char* b, const Pose& at) {
  model::JointSpec out;
  out.name = name;
  out.type = "revolute";
  out.a = a;
  out.b = b;
  out.at = at;
  return out;
}

model::LawSpec law(const char* name, const char* type, const char* joint, const char* coordinate,
                   std::map<std::string, double> numbers) {
  model::LawSpec out;
  out.name = name;
  out.type = type;
  out.joint = joint;
  out.coordinate = coordinate;
  out.numbers = std::move(numbers);
  return out;
}

/// The links as rigid bodies, with what the pool's massless objects are moved by beside them.
void add_as_bodies(model::Builder& builder) {
  const SkewPool pool;
  std::array<body::Transform, 4> T_WO;
  std::array<double, 48> jacobian;
  pool.transforms(nullptr, kAngles.data(), T_WO.data(), jacobian.data());
  const std::array<const char*, 2> names{"one", "two"};
  for (std::size_t i = 0; i < 2; ++i) {
    const SkewPool::Link& link = SkewPool::links()[i];
    model::BodySpec body;
    body.name = names[i];
    body.mass = link.mass;
    body.inertia = link.inertia;
    body.X_WB = {T_WO[i].p, T_WO[i].A};
    const Eigen::Map<const SkewPool::Jacobian> J(jacobian.data() + 12 * i);
    const Eigen::Map<const SkewPool::Vec2> u(kSpeeds.data());
    body.v = J.topRows<3>() * u;
    body.w = J.bottomRows<3>() * u;
    builder.add_body(body);
  }
  const SkewPool::Link &one = SkewPool::links()[0], &two = SkewPool::links()[1];
  builder.add_joint(hinge("first", "ground", "one", frame_along(one.axis, SkewPool::kPivot)));
  builder.add_joint(
      hinge("second", "one", "two",
            frame_along(T_WO[0].A * two.axis, SkewPool::kPivot + T_WO[0].A * one.end)));
  const std::array<const char*, 2> hinges{"first", "second"};
  for (std::size_t i = 0; i < 2; ++i)
    builder.add_law(law(hinges[i], "spring", hinges[i], "angle",
                        {{"stiffness", SkewPool::kSprings[i]}, {"rest", -kAngles[i]}}));
}

model::Built built_of(const model::Builder& builder) {
  auto built = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&built))
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
  return std::get<model::Built>(std::move(built));
}

model::Built links(bool as_pool, const Add& add = {}) {
  model::Builder builder;
  as_pool ? add_as_pool(builder) : add_as_bodies(builder);
  if (add) add(builder);
  return built_of(builder);
}

struct Outcome {
  VecX p;  // of the objects asked for
  double energy = 0, gap = 0;
  int iterations = 0;  // the most of a step
  double damping = 0;
};

template <class Form>
Outcome run(const model::Built& built, double h, const Settings& settings,
            const std::vector<const char*>& of = {"one", "two"}, double time = 0.8) {
  for (const Problem& p : Energy::unsupported(*built.model, built.params, settings))
    ADD_FAILURE() << p.text;
  Outcome out;
  model::State state = built.state;
  Form form(*built.model, built.params, settings);
  form.load(state);
  const double energy = form.total_energy(state);
  state.ledger[model::kInitial] = energy;
  test::MomentumBounds bounds = test::momentum_bounds(settings);
  if (h > kResolved) bounds.angular = 1;  // (h w)^2 is no small number
  test::Balance balance(form, state, bounds);
  StepReport report;
  for (int k = 0; k < static_cast<int>(std::lround(time / h)); ++k) {
    form.step(state, h, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
    if (report.status != Status::ok) break;
    balance.see(form, state, report);
    out.gap = std::max({out.gap, report.gap, report.angle});
    out.iterations = std::max(out.iterations, report.iterations);
    const double works = std::accumulate(state.ledger.begin(), state.ledger.end(), 0.0);
    out.energy = std::max(out.energy, std::abs(form.total_energy(state) - works));
  }
  out.damping = -state.ledger[model::kIntegrator];
  out.p.resize(3 * static_cast<int>(of.size()));
  int n = 0;
  for (const char* name : of)
    out.p.segment<3>(3 * n++) = form.now().T_WO[at(built.model->find_object(name))].p;
  return out;
}

Settings by(Difference difference, double stiffness = law::kInf) {
  Settings out;
  out.formulation = Settings::Formulation::energy;
  out.difference = difference;
  out.joint_stiffness = stiffness;
  return out;
}

Settings exact() {
  Settings out;
  out.formulation = Settings::Formulation::acceleration;
  out.accuracy = {1e-11, 1e-11, 1e-11, 1e-11, 1e-11};
  return out;
}

TEST(EnergyPools, SkewPoolAnswersItself) {
  const SkewPool pool;
  const SkewPool::Vec2 q(0.4, -0.7), u(0.9, -1.3);
  std::array<body::Transform, 4> now, before, after;
  std::array<double, 48> jacobian, other;
  pool.transforms(nullptr, q.data(), now.data(), jacobian.data());
  constexpr double h = 1e-4;
  const SkewPool::Vec2 forth = q + h * u, back = q - h * u;
  pool.transforms(nullptr, forth.data(), after.data(), other.data());
  pool.transforms(nullptr, back.data(), before.data(), other.data());
  std::array<body::Rate, 4> rate;
  std::array<body::Bias, 4> bias;
  pool.rates(nullptr, q.data(), u.data(), now.data(), rate.data(), bias.data());
  for (std::size_t i = 0; i < 4; ++i) {  // truncation h^2, rounding 1e-16 / h^2
    EXPECT_NEAR((rate[i].v - (after[i].p - before[i].p) / (2 * h)).norm(), 0, 1e-7) << i;
    EXPECT_NEAR((rate[i].A - (after[i].A - before[i].A) / (2 * h)).norm(), 0, 1e-7) << i;
    EXPECT_NEAR((bias[i].v - (after[i].p - 2 * now[i].p + before[i].p) / (h * h)).norm(), 0, 1e-6);
    EXPECT_NEAR((bias[i].A - (after[i].A - 2 * now[i].A + before[i].A) / (h * h)).norm(), 0, 1e-6);
  }
}

TEST(EnergyPools, MoveAsRigidBodiesToTheOrderOfTheScheme) {
  const model::Built pool = links(true), bodies = links(false);
  const Outcome want = run<Acceleration>(pool, 0.1, exact());
  EXPECT_LE((want.p - run<Velocity>(pool, 5e-4, {}).p).norm(), 1e-5);  // its truncation
  EXPECT_LE((want.p - run<Acceleration>(bodies, 0.1, exact()).p).norm(), 1e-8);
  for (const Difference d : {Difference::bdf1, Difference::bdf2, Difference::midpoint}) {
    const double ratio = d == Difference::bdf1 ? 2 : 4;
    std::array<double, 3> off{}, apart{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double h = 4e-3 / (1 << i);
      const Outcome a = run<Energy>(pool, h, by(d, 1e9));
      off[i] = (a.p - want.p).norm();
      EXPECT_LE(a.iterations, 5) << name_of(d) << ' ' << h;
      EXPECT_LE(a.energy, 1e-9) << name_of(d) << ' ' << h;  // what Newton leaves
      if (d == Difference::midpoint) continue;              // holds no rows
      const Outcome b = run<Energy>(bodies, h, by(d));
      apart[i] = (a.p - b.p).norm();
    }
    EXPECT_NEAR(off[1] / off[2], ratio, 0.15 * ratio) << name_of(d);
    if (d != Difference::midpoint) {
      EXPECT_NEAR(apart[1] / apart[2], ratio, 0.15 * ratio) << name_of(d);
    }
  }
}

/// What is joined to the links.
struct Case {
  const char* name;
  Add add;  // the links are there, named "one" and "two"
  double stiffness = law::kInf;
  /// How far both may be apart at the finest step where that is not by the scheme's order: the
  /// hinges of the bodies give, too, or there are kinks [m].
  double apart = 0;
  int iterations = 5;  // of Newton, in a step
};

/// A joint between a point of link "two" (or of `a`) and b, at which laws may act.
model::JointSpec beside(const char* type, const char* a, const char* b, const Pose& at) {
  model::JointSpec out = hinge("beside", a, b, at);
  out.type = type;
  return out;
}

void add_ball(model::Builder& builder, bool affine) {
  model::BodySpec ball;
  ball.name = "ball";
  ball.mass = 0.8;
  ball.X_WB.p = {0.2, 0.3, -1.2};
  ball.w = {0.3, -0.4, 0.5};
  ball.v = {0.2, 0, 0.1};
  if (affine) {
    ball.solid = model::Solid{model::Solid::Kind::box, {0.3, 0.4, 0.5}};
    ball.affine = model::Elastic{};
    ball.affine->stiffness = law::kInf;
  } else {
    ball.inertia = {0.05, 0.04, 0.03, 0.005, 0, 0.002};
  }
  builder.add_body(ball);
}
/// Where the end of link "two" is at the start.
Vec3 tip() {
  const SkewPool pool;
  std::array<body::Transform, 4> T_WO;
  std::array<double, 48> jacobian;
  pool.transforms(nullptr, kAngles.data(), T_WO.data(), jacobian.data());
  return T_WO[1].p + T_WO[1].A * Vec3(0.05, 0.1, -0.25);
}
/// A pair of sliders beside the links.
void add_sliders(model::Builder& builder) {
  builder.add_pool(
      {std::make_shared<test::SliderPool>(2), {"left", "right"}, {1, 1.5}, {0.1, 0.4}, {0.5, 0}});
}

std::vector<Case> cases() {
  const auto on = [](const char* type, const char* coordinate,
                     std::map<std::string, double> numbers, const char* b = "ground") {
    return [=](model::Builder& builder) {
      builder.add_joint(beside("free", "two", b, Pose{tip(), Mat3::Identity()}));
      builder.add_law(law("law", type, "beside", coordinate, numbers));
    };
  };
  const auto to_ball = [](const char* type, bool affine) {
    return [=](model::Builder& builder) {
      add_ball(builder, affine);
      builder.add_joint(beside(type, "two", "ball", Pose{tip(), Mat3::Identity()}));
    };
  };
  const auto driven = [](model::Builder& builder) {
    builder.add_joint(beside("free", "ground", "two", Pose{tip(), Mat3::Identity()}));
    model::LawSpec motor =
        law("motor", "motor", "beside", "z", {{"force_min", -5}, {"force_max", 5}});
    motor.drive = {Drive::Level::velocity, Signal(0.3)};
    builder.add_law(motor);
  };
  const auto held_rate = [](model::Builder& builder) {  // without bounds: a row on the rate
    builder.add_joint(beside("free", "ground", "two", Pose{tip(), Mat3::Identity()}));
    model::LawSpec motor = law("motor", "motor", "beside", "z", {});
    motor.drive = {Drive::Level::velocity, Signal(0.3)};
    builder.add_law(motor);
  };
  const auto rubbing = [](model::Builder& builder) {
    builder.add_joint(beside("point-on-plane", "ground", "two", Pose{tip(), Mat3::Identity()}));
    builder.add_law(law("law", "load-friction", "beside", "y", {{"mu", 0.2}}));
  };
  const auto loaded = [](model::Builder& builder) {
    for (const char* type : {"force", "torque"}) {
      model::LoadSpec load;
      load.name = load.type = type;
      load.body = "two";
      if (load.type == "force") load.point = {0.1, 0.2, -0.3};
      load.value = {Signal(2), Signal(-1), Signal(0.5)};
      builder.add_load(load);
    }
    model::LoadSpec drag;
    drag.name = drag.type = "drag";
    drag.body = "one";
    drag.numbers = {{"linear", 0.8}};
    builder.add_load(drag);
  };
  const auto sliders = [](model::Builder& builder) {
    add_sliders(builder);
    builder.add_joint(beside("point-on-plane", "two", "left", Pose{tip(), Mat3::Identity()}));
    model::JointSpec spring = hinge("between", "left", "right", Pose{});
    spring.type = "free";
    spring.at = {};
    spring.frame_a = spring.frame_b = Pose{};
    builder.add_joint(spring);
    builder.add_law(law("spring", "spring", "between", "x", {{"stiffness", 30}, {"rest", 0.2}}));
  };
  return {
      {"spring to the ground", on("spring", "x", {{"stiffness", 60}, {"damping", 0.5}})},
      {"lock to the ground",
       [](model::Builder& builder) {
         builder.add_joint(
             beside("point-on-plane", "ground", "two", Pose{tip(), Mat3::Identity()}));
       }},
      {"soft lock to the ground",
       [](model::Builder& builder) {
         builder.add_joint(
             beside("point-on-plane", "ground", "two", Pose{tip(), Mat3::Identity()}));
       },
       1e5, 3e-3},
      {
          "bar between both links",
          [](model::Builder& builder) {
            model::JointSpec bar = beside("distance", "one", "two", Pose{});
            bar.at = {};
            bar.frame_a = Pose{Vec3(0.3, 0, 0), Mat3::Identity()};
            bar.frame_b = Pose{Vec3(0, 0.3, 0.2), Mat3::Identity()};
            builder.add_joint(bar);
          },
      },
      {"motor", driven, law::kInf, 0, 6},
      {"friction", on("friction", "y", {{"force", 1.5}}), law::kInf, 2e-4},
      {"a rate that holds", held_rate, law::kInf, 4e-5},  // it jumps at the start
      {"friction by the load of a joint", rubbing, law::kInf, 2e-4, 8},
      {"force, torque and drag", loaded},
      {"stop", on("limit", "x", {{"from", -0.2}, {"to", 0.15}}), law::kInf, 2e-4},
      {"ball held by a rigid body", to_ball("spherical", false)},
      {"rigid body on soft terms", to_ball("spherical", false), 1e6, 4e-4},
      {"universal joint to an affine body", to_ball("universal", true)},
      {"revolute joint to an affine body, soft", to_ball("revolute", true), 1e6, 4e-4},
      {"objects of another pool", sliders},
  };
}

TEST(EnergyPools, JointsAndLawsActOnTheirObjects) {
  for (const Case& c : cases()) {
    const model::Built pool = links(true, c.add), bodies = links(false, c.add);
    for (const Difference d : {Difference::bdf1, Difference::bdf2}) {
      const double ratio = d == Difference::bdf1 ? 2 : 4;
      std::array<double, 3> apart{};
      for (std::size_t i = 0; i < 3; ++i) {
        const double h = 2e-3 / (1 << i);
        const Outcome a = run<Energy>(pool, h, by(d, c.stiffness), {"one", "two"}, 0.4),
                      b = run<Energy>(bodies, h, by(d, c.stiffness), {"one", "two"}, 0.4);
        apart[i] = (a.p - b.p).norm();
        EXPECT_LE(a.energy, 1e-9) << c.name << ' ' << name_of(d);  // what Newton leaves
        EXPECT_LE(a.iterations, std::max(c.iterations, b.iterations + 1))
            << c.name << ' ' << name_of(d);
        if (std::isinf(c.stiffness)) {
          EXPECT_LE(a.gap, 1e-10) << c.name << ' ' << name_of(d);
        }
        EXPECT_GT((a.p - run<Energy>(pool, h, by(d, c.stiffness), {"one", "two"}, h).p).norm(),
                  0.1);  // it moves [m]
      }
      if (c.apart > 0) {
        EXPECT_LE(apart[2], c.apart) << c.name << ' ' << name_of(d);
      } else {
        EXPECT_NEAR(apart[1] / apart[2], ratio, 0.15 * ratio) << c.name << ' ' << name_of(d);
      }
    }
  }
}

TEST(EnergyPools, LawsActOnCoordinatesThroughObjectsWithoutMass) {
  const auto on_object = [](model::Builder& builder) {
    model::JointSpec turn = beside("free", "ground", "turn", Pose{});
    turn.at = {};
    turn.frame_a = turn.frame_b = Pose{};
    builder.add_joint(turn);
    builder.add_law(law("law", "spring", "beside", "roll",
                        {{"stiffness", 40}, {"rest", 0.3}, {"damping", 0.4}}));
    turn.name = "sliding";
    turn.b = "slide";
    builder.add_joint(turn);
    builder.add_law(law("more", "spring", "sliding", "x", {{"stiffness", 10}, {"damping", 0.2}}));
  };
  const auto on_hinge = [](model::Builder& builder) {  // its angle is zero at the start
    builder.add_law(law("law", "spring", "second", "angle",
                        {{"stiffness", 40}, {"rest", 0.3 - kAngles[1]}, {"damping", 0.4}}));
    builder.add_law(law("more", "spring", "first", "angle",
                        {{"stiffness", 10}, {"rest", -kAngles[0]}, {"damping", 0.2}}));
  };
  const model::Built pool = links(true, on_object), bodies = links(false, on_hinge);
  for (const Difference d : {Difference::bdf1, Difference::bdf2}) {
    std::array<double, 2> apart{};
    for (std::size_t i = 0; i < 2; ++i) {
      const double h = 1e-3 / (1 << i);
      const Outcome a = run<Energy>(pool, h, by(d));
      EXPECT_LE(a.energy, 1e-9);
      EXPECT_LE(a.iterations, 5);
      apart[i] = (a.p - run<Energy>(bodies, h, by(d)).p).norm();
    }
    const double ratio = d == Difference::bdf1 ? 2 : 4;
    EXPECT_NEAR(apart[0] / apart[1], ratio, 0.15 * ratio) << name_of(d);
  }
}

/// Three coordinates, three objects with full inertia tensors anywhere, a potential; a ball on one.
TEST(EnergyPools, SystemsOfExpressionsMoveToTheOrderOfTheScheme) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    model::Builder builder;
    model::SystemSpec spec;
    spec.name = "system";
    spec.of = body::test::random_system(seed, 3, 3);
    spec.q = {0.2, -0.3, 0.4};
    spec.u = {0.5, 0.7, -0.6};
    model::add_system(builder, spec);
    builder.add_law(law("pull", "spring", "system.x1", "angle", {{"stiffness", 3}}));
    const model::Built built = built_of(builder);
    const std::vector<const char*> of{"object1", "object2", "object3"};
    const VecX want = run<Acceleration>(built, 0.1, exact(), of, 0.4).p;
    for (const Difference d : {Difference::bdf1, Difference::bdf2, Difference::midpoint}) {
      std::array<double, 2> off{};
      for (std::size_t i = 0; i < 2; ++i) {
        const Outcome a = run<Energy>(built, 1e-3 / (1 << i), by(d, 1e9), of, 0.4);
        off[i] = (a.p - want).norm();
        EXPECT_LE(a.iterations, 5) << seed << ' ' << name_of(d);
        EXPECT_LE(a.energy, 1e-9) << seed << ' ' << name_of(d);
      }
      const int ratio = 1 << order_of(d);
      EXPECT_NEAR(off[0] / off[1], ratio, 0.15 * ratio) << seed << ' ' << name_of(d);
    }
  }
}

TEST(EnergyPools, MidpointKeepsTheEnergyForLong) {
  const model::Built pool = links(true);
  for (const double h : {0.02, 0.01}) {
    const Outcome a = run<Energy>(pool, h, by(Difference::midpoint, 1e9), {"one", "two"}, 100);
    EXPECT_LE(a.energy, 1e-9);
    EXPECT_LE(std::abs(a.damping), 200 * h * h) << h;  // swings; it holds about 20 J
  }
}

TEST(EnergyPools, LongStepsFindTheirMinimum) {
  const auto upright = [](model::Builder& builder) {
    builder.gravity = {0, 0, 60};  // upwards: all falls over
    add_ball(builder, false);
    builder.add_joint(beside("spherical", "two", "ball", Pose{tip(), Mat3::Identity()}));
  };
  const model::Built pool = links(true, upright);
  for (const double h : {0.05, 0.1, 0.2}) {
    const Outcome a = run<Energy>(pool, h, by(Difference::bdf1), {"one", "two", "ball"}, 4);
    EXPECT_LE(a.gap, 1e-10) << h;
    EXPECT_LE(a.energy, 1e-6) << h;
  }
}

}  // namespace
}  // namespace trammel::form::energy_pools_test
