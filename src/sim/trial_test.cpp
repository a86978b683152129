// Simulations in the hands of a program: read by handles, set back, copied, with other parameters.
#include "sim/trial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace trammel::sim::trial_test {
namespace {

std::string complaint(auto&& ask) {
  try {
    ask();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing";
}

/// Two boxes on hinges about y, a spring at the lower one, a stop at the upper one, a drag.
struct Boxes {
  double mass = 2, stiffness = 5, from = -2;
  std::array<double, 6> inertia{0.1, 0.2, 0.25, 0, 0, 0.01};
  Vec3 gravity{0, 0, -9.81};

  model::Builder builder() const {
    model::Builder b;
    b.gravity = gravity;
    const auto box = [](const char* name, double m, double x) {
      model::BodySpec s;
      s.name = name;
      s.mass = m;
      s.X_WB.p = {x, 0, 0};
      s.com = {0.05, 0.01, 0};
      return s;
    };
    model::BodySpec upper = box("upper", 1.5, 0.4), lower = box("lower", mass, 1.2);
    upper.inertia = {0.05, 0.06, 0.06, 0, 0, 0};
    lower.inertia = inertia;
    upper.w = {0, 1, 0};
    upper.v = Vec3(0, 1, 0).cross(Vec3(0.45, 0.01, 0));
    lower.v = Vec3(0, 1, 0).cross(Vec3(0.8, 0, 0));
    b.add_body(upper);
    b.add_body(lower);
    const auto hinge = [&](const char* name, const char* a, const char* c, double x) {
      model::JointSpec s;
      s.name = name;
      s.type = "revolute";
      s.a = a;
      s.b = c;
      Mat3 R;
      R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
      s.at = Pose{Vec3(x, 0, 0), R};
      b.add_joint(s);
    };
    hinge("top", "ground", "upper", 0);
    hinge("knee", "upper", "lower", 0.8);
    model::LawSpec spring;
    spring.name = "spring";
    spring.type = "spring";
    spring.joint = "knee";
    spring.coordinate = "angle";
    spring.numbers = {{"stiffness", stiffness}, {"damping", 0.3}};
    b.add_law(spring);
    model::LawSpec stop;
    stop.name = "stop";
    stop.type = "limit";
    stop.joint = "top";
    stop.coordinate = "angle";
    stop.numbers = {{"from", from}, {"to", 3}};
    b.add_law(stop);
    return b;
  }
  model::Built built() const {
    auto made = builder().build();
    if (auto* problems = std::get_if<std::vector<Problem>>(&made))
      for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    return std::get<model::Built>(std::move(made));
  }
};

Settings settings(form::Settings::Formulation formulation = {}) {
  Settings s;
  s.duration = 1;
  s.step = 1e-3;
  s.form.formulation = formulation;
  return s;
}

double apart(const model::State& a, const model::State& b) {
  double out = std::abs(a.t - b.t);
  for (std::size_t i = 0; i < a.q.size(); ++i) out = std::max(out, std::abs(a.q[i] - b.q[i]));
  for (std::size_t i = 0; i < a.P.size(); ++i) out = std::max(out, std::abs(a.P[i] - b.P[i]));
  return out;
}

TEST(Trial, HandlesReadWhatNamesRead) {
  Trial trial(Boxes{}.built(), settings());
  ASSERT_TRUE(trial.advance(300));
  const model::Model& m = trial.model();
  Present& now = trial.now();
  for (const char* name : {"upper", "lower"}) {
    const model::BodyHandle body = model::body_named(m, name);
    EXPECT_LT((now.pose(body).p - now.pose(name).p).norm(), 1e-15);
    EXPECT_LT((now.pose(body).R - now.pose(name).R).norm(), 1e-14);
    EXPECT_LT((now.velocity(body) - now.velocity(name)).norm(), 1e-15);
    EXPECT_LT((now.angular_velocity(body) - now.angular_velocity(name)).norm(), 1e-14);
  }
  for (const char* name : {"top.angle", "knee.angle"}) {
    const model::CoordinateHandle c = model::coordinate_named(m, name);
    EXPECT_EQ(now.coordinate(c), now.coordinate(name));
    EXPECT_NEAR(now.rate(c), now.rate(name), 1e-14);
    EXPECT_NE(now.rate(c), 0);
  }
  EXPECT_EQ(now.force(model::law_named(m, "spring")), now.force("spring"));
  EXPECT_NE(now.force("spring"), 0);
  const model::Reaction r = now.reaction(model::joint_named(m, "top")), s = now.reaction("top");
  EXPECT_LT((r.force - s.force).norm() + (r.torque - s.torque).norm(), 1e-12);
  EXPECT_GT(r.force.norm(), 1);
}

TEST(Trial, AStateSetBackAndACopyGoOnAsTheRunDid) {
  Trial trial(Boxes{}.built(), settings());
  trial.advance(100);
  const model::State saved = trial.state();
  Trial copy = trial.copy();
  trial.advance(200);
  copy.advance(200);
  EXPECT_EQ(apart(trial.state(), copy.state()), 0);
  const model::State later = trial.state();
  trial.set_state(saved);
  EXPECT_EQ(trial.t(), saved.t);
  trial.advance(200);
  // the velocities of a state that is given are brought to its rows, which costs rounding
  EXPECT_LT(apart(trial.state(), later), 1e-11);
  EXPECT_LT(trial.simulation().summary().energy_residual, 1e-3);
  trial.reset();
  EXPECT_EQ(trial.t(), 0);
  trial.advance(300);
  EXPECT_EQ(apart(trial.state(), later), 0);
}

TEST(Trial, AParameterSetIsThatOfAModelBuiltWithIt) {
  using Formulation = form::Settings::Formulation;
  constexpr double kSame = 1e-11;  // rounding of the momenta, and what Newton's iterations leave
  for (const Formulation f :
       {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
    Boxes other;
    other.mass = 3;
    other.stiffness = 20;
    other.inertia = {0.2, 0.3, 0.35, 0.02, 0, 0};
    other.gravity = {0.5, 0, -3.7};
    Boxes plain;
    Trial built(other.built(), settings(f)), set(plain.built(), settings(f));
    const auto change = [&](const char* name, double value) {
      return model::Change{model::param_named(set.model(), name), value};
    };
    const model::Change changes[] = {
        change("body.lower.mass", 3),   change("law.spring.stiffness", 20),
        change("body.lower.Ixx", 0.2),  change("body.lower.Iyy", 0.3),
        change("body.lower.Izz", 0.35), change("body.lower.Ixy", 0.02),
        change("body.lower.Iyz", 0),    change("gravity.x", 0.5),
        change("gravity.z", -3.7)};
    set.set(changes);
    EXPECT_EQ(set.get("body.lower.mass"), 3);
    EXPECT_LT(apart(set.state(), built.state()), 1e-15);
    ASSERT_TRUE(set.advance(200) && built.advance(200));
    EXPECT_LT(apart(set.state(), built.state()), kSame);
    set.reset();
    set.advance(200);
    EXPECT_LT(apart(set.state(), built.state()), kSame);
  }
}

TEST(Trial, AMassChangesOnTheWayWithoutAJumpOfVelocities) {
  Trial trial(Boxes{}.built(), settings());
  trial.advance(100);
  const Vec3 before = trial.now().velocity("lower");
  const double end = trial.simulation().end();
  trial.set("body.lower.mass", 5);
  EXPECT_LT((trial.now().velocity("lower") - before).norm(), 1e-12);
  EXPECT_NEAR(trial.simulation().end(), end, 1e-12);
  EXPECT_TRUE(trial.advance(100));
  EXPECT_LT(trial.simulation().summary().energy_residual, 1e-3);
}

/// A push at the centre of mass is a load of that force; its work is force times way.
TEST(Trial, APushIsALoadThatTheAccountsHave) {
  using Formulation = form::Settings::Formulation;
  constexpr double kSame = 1e-11;
  for (const Formulation f :
       {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
    const Boxes boxes;
    model::Builder loaded = boxes.builder();
    model::LoadSpec load;
    load.name = "wind";
    load.body = "lower";
    load.point = {0.05, 0.01, 0};  // its centre of mass
    load.value[0] = 3;
    load.value[2] = 30;
    loaded.add_load(load);
    Trial by_load(std::get<model::Built>(loaded.build()), settings(f));
    const model::Built built = boxes.built();
    const model::BodyHandle lower = model::body_named(*built.model, "lower");
    Trial trial(built, settings(f), {lower});
    trial.apply(lower, {3, 0, 30}, {0.05, 0.01, 0});
    ASSERT_TRUE(trial.advance(150) && by_load.advance(150));
    EXPECT_LT(apart(trial.state(), by_load.state()), kSame);
    Trial copy = trial.copy();
    const double before = trial.simulation().state().ledger.end()[-2];
    const Vec3 from = trial.now().velocity("lower");
    trial.apply(lower, {0, 0, -20}, {0.05, 0.01, 0});
    ASSERT_TRUE(trial.advance() && copy.advance() && by_load.advance());
    EXPECT_LT(apart(copy.state(), by_load.state()), kSame);  // its push is its own
    const Vec3 to = trial.now().velocity("lower");
    const double work = trial.simulation().state().ledger.end()[-2] - before;
    if (f != Formulation::energy) {  // bdf2 has a force that jumps in the accounts of two steps
      EXPECT_NEAR(work, -20 * (from.z() + to.z()) / 2 * 1e-3, 1e-4);
    }
    EXPECT_LT(trial.simulation().summary().energy_residual, 1e-3);
    trial.reset();
    Trial plain(built, settings(f));
    ASSERT_TRUE(trial.advance(50) && plain.advance(50));
    EXPECT_LT(apart(trial.state(), plain.state()), kSame);
  }
}

TEST(Trial, APushBesideTheCentreTurnsTheBody) {
  model::Builder b;
  b.gravity.setZero();
  model::BodySpec box;
  box.name = "box";
  box.mass = 2;
  box.inertia = {0.1, 0.1, 0.1, 0, 0, 0};
  b.add_body(box);
  const model::Built built = std::get<model::Built>(b.build());
  const model::BodyHandle body = model::body_named(*built.model, "box");
  Trial trial(built, settings(), {body});
  trial.apply(body, {0, 4, 0}, {0.5, 0, 0}, {0, 0, 1});
  trial.advance();
  EXPECT_NEAR(trial.now().velocity(body).y(), 4. / 2 * 1e-3, 1e-15);
  EXPECT_NEAR(trial.now().angular_velocity(body).z(), (2. + 1) / 0.1 * 1e-3, 1e-14);
  EXPECT_EQ(complaint([&] {
              trial.apply(body, {std::nan(""), 0, 0}, Vec3::Zero());
            }),
            "what body 'box' is to be pushed with is not finite");
  EXPECT_EQ(complaint([&] {
              Trial(built, settings()).apply(body, {1, 0, 0}, Vec3::Zero());
            }),
            "body 'box' is not among those that the trial was made to push: name it there");
}

TEST(Trial, SaysWhichParametersCannotChangeAndWhy) {
  Trial trial(Boxes{}.built(), settings());
  const auto said = [&](const char* name, double value) {
    return complaint([&] { trial.set(name, value); });
  };
  EXPECT_EQ(said("body.lower.mas", 1),
            "there is no parameter 'body.lower.mas'; did you mean 'body.lower.mass'?");
  EXPECT_EQ(said("body.lower.mass", 0),
            "body.lower.mass: 0 kg: the mass is positive; a body without mass takes a model of its "
            "own: build it");
  EXPECT_EQ(said("body.lower.mass", std::nan("")), "body.lower.mass: is not finite");
  EXPECT_EQ(said("body.lower.Ixx", 7),
            "body.lower.Ixx: no body has these moments: the largest principal one exceeds the sum "
            "of the others");
  EXPECT_EQ(said("law.spring.stiffness", INFINITY),
            "law.spring.stiffness: what is infinitely stiff is a row that holds: build it");
  EXPECT_NE(said("law.stop.from", 4), "nothing");
  EXPECT_EQ(said("gravity.x", INFINITY), "gravity.x: gravity is not finite");
  EXPECT_EQ(complaint([&] { trial.set(model::ParamHandle{}, 1); }),
            "the handle of a parameter is null: it stands for nothing");
  EXPECT_EQ(trial.get("body.lower.mass"), 2);  // and nothing has changed
  EXPECT_TRUE(trial.advance(10));
}

TEST(Trial, RefusesStatesAndHandlesOfOthers) {
  Trial trial(Boxes{}.built(), settings());
  const model::Built other = Boxes{}.built();
  model::State wrong = trial.state();
  wrong.q.pop_back();
  EXPECT_EQ(complaint([&] { trial.set_state(wrong); }),
            "state.q: has 13 numbers where the model takes 14");
  wrong = trial.state();
  wrong.P[3] = std::nan("");
  EXPECT_EQ(complaint([&] { trial.set_state(wrong); }),
            "body.upper: the momentum of body 'upper' at the start is not finite (state.P[3] is "
            "nan): a number that it follows from is none, or too large");
  EXPECT_TRUE(trial.advance());  // as it was
  EXPECT_EQ(complaint([&] { trial.now().pose(model::body_named(*other.model, "upper")); }),
            "the handle of a body belongs to another mechanism than this one");
  EXPECT_EQ(complaint([&] { trial.now().pose(model::BodyHandle{}); }),
            "the handle of a body is null: it stands for nothing");
  EXPECT_EQ(complaint([&] { model::body_named(trial.model(), "uper"); }),
            "there is no body 'uper'; did you mean 'upper'?");
  Settings none = settings();
  none.step = 0;
  EXPECT_NE(complaint([&] { Trial(Boxes{}.built(), none); }), "nothing");
}

}  // namespace
}  // namespace trammel::sim::trial_test
