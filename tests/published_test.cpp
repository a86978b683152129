// Published figures of affine body dynamics and its joints: free fall, soft transforms, joints that
// pull themselves together, stops, what the implicit Euler scheme takes, units, internal loads.
// Hanging chains, slides and units: src/form/affine_test.cpp; masses: src/body/*_test.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string_view>

#include "form/formulation.h"
#include "form/test_balance.h"
#include "io/scene.h"
#include "math/rotation.h"
#include "model/ledger.h"
#include "support.h"

namespace trammel::acceptance::published_test {
namespace {

using Difference = form::Settings::Difference;

constexpr double kG = 9.8, kStep = 0.01, kGamma = 100;

form::Settings by_energy(Difference difference, double joint_stiffness) {
  form::Settings s;
  s.formulation = form::Settings::Formulation::energy;
  s.difference = difference;
  s.joint_stiffness = joint_stiffness;
  s.joint_length = 1;
  return s;
}
/// K = gamma (m_i + m_j), implicit Euler.
form::Settings as_published() { return by_energy(Difference::bdf1, -kGamma); }

/// A mechanism stepped by hand.
struct Stepped {
  model::Built scene;
  form::Formulation form;
  model::State state;
  form::StepReport report;
  std::optional<form::test::Balance> balance;

  Stepped(const model::Builder& builder, const form::Settings& settings)
      : scene(built(builder)), form(*scene.model, scene.params, settings), state(scene.state) {
    EXPECT_TRUE(form.load(state));
    balance.emplace(form, state, form::test::momentum_bounds(settings));
  }
  Stepped(const Stepped&) = delete;  // the formulation points into the scene
  bool step(double h = kStep) {
    form.step(state, h, report);
    if (balance) balance->see(form, state, report);
    EXPECT_EQ(report.status, form::Status::ok) << report.reason;
    return report.status == form::Status::ok;
  }
  void steps(int n, double h = kStep) {
    for (int k = 0; k < n && step(h);) ++k;
  }
  const body::Transform& at(const std::string& body) const {
    return form.now().T_WO[static_cast<std::size_t>(scene.model->find_object(body))];
  }
  /// What static bodies do: every step begins at rest.
  void rest() {
    std::fill(state.P.begin(), state.P.end(), 0.0);
    state.energy.q.clear();
    EXPECT_TRUE(form.load(state));
    balance.reset();  // what makes them rest is in none of the accounts
  }
};

/// The cube of 0.4 m and 64 kg of most of these figures.
model::BodySpec cube(const std::string& name, const Vec3& p = Vec3::Zero(),
                     std::optional<double> stiffness = 1e8) {
  model::BodySpec b;
  b.name = name;
  b.density = 1000;
  b.solid = model::Solid{model::Solid::Kind::box, {0.4, 0.4, 0.4}};
  b.X_WB.p = p;
  if (stiffness) b.affine = model::Elastic{*stiffness, {}};
  return b;
}

TEST(Published, FreeFallDoesNotDependOnTheShape) {
  for (const bool affine : {false, true}) {
    model::Builder b;
    b.gravity = {0, 0, -kG};
    model::BodySpec ball = cube("ball", {1, 2, 3}), turned = cube("turned", {-1, 0, 3});
    ball.solid = model::Solid{model::Solid::Kind::sphere, {0.3, 0, 0}};
    turned.solid->size = {0.1, 0.5, 2};
    turned.X_WB.R = exp_matrix(Vec3(1, -0.4, 0.2));
    for (model::BodySpec* s : {&ball, &turned}) {
      if (!affine) s->affine.reset();
      b.add_body(*s);
    }
    Stepped run(b, as_published());
    run.step();
    for (const char* name : {"ball", "turned"}) EXPECT_NEAR(run.at(name).p.z(), 2.99902, 1e-13);
    run.steps(19);  // g h^2 n (n + 1) / 2
    for (const char* name : {"ball", "turned"}) EXPECT_NEAR(run.at(name).p.z(), 2.7942, 1e-13);
  }
}

/// A body of 1 kg and 1 kg m^2 whose centre of mass, at (0, 1, 0), is led by a turn of 90 degrees
/// about z in 50 steps with strengths (100, 0).
TEST(Published, SoftTransformLeadsTheCentreOfMass) {
  for (const bool affine : {false, true}) {
    model::Builder b;
    b.gravity.setZero();
    model::BodySpec body = solid("body", 1, {1, 1, 1}), aim;
    body.com = Vec3::UnitY();
    if (affine) body.affine = model::Elastic{1e8, 1};
    aim.name = "aim";
    aim.motion.emplace();
    aim.motion->turns.push_back(
        {Vec3::UnitZ(), {Drive::Level::displacement, Signal::spline({0, 0.5}, {0, M_PI / 2})}});
    b.add_body(body);
    b.add_body(aim);
    b.add_joint(joint("lead", "spherical", "aim", "body", {Vec3(0, 1, 0)}));
    Stepped run(b, as_published());
    run.rest();                              // the aim starts with a jerk
    Vec3 now = Vec3::UnitY(), before = now;  // (1 + 100) c = 2 c_n - c_n-1 + 100 aim
    for (int k = 1; k <= 70 && run.step(); ++k) {
      const double angle = M_PI / 2 * std::min(k / 50., 1.);
      const Vec3 next =
          (2 * now - before + kGamma * Vec3(-std::sin(angle), std::cos(angle), 0)) / (1 + kGamma);
      before = now;
      now = next;
      EXPECT_LE((run.at("body").p - now).norm(), 1e-13) << k;  // rounding
    }
    EXPECT_LE((run.at("body").p + Vec3::UnitX()).norm(), 1e-13);
    EXPECT_LE((run.at("body").A - Mat3::Identity()).norm(), 1e-13);  // strength 0 of the rotation
  }
}

/// With a strength of the rotation: a fixed joint, the length that of the body's second moment.
TEST(Published, SoftTransformLeadsTheRotation) {
  model::Builder b;
  b.gravity.setZero();
  model::BodySpec body = solid("body", 1, {1, 1, 1}), aim;
  body.com = Vec3::UnitY();
  body.affine = model::Elastic{1e8, 1};
  aim.name = "aim";
  aim.motion.emplace();
  aim.motion->turns.push_back(
      {Vec3::UnitZ(), {Drive::Level::displacement, Signal::spline({0, 0.5}, {0, M_PI / 2})}});
  b.add_body(body);
  b.add_body(aim);
  b.add_joint(joint("lead", "fixed", "aim", "body", {Vec3(0, 1, 0)}));
  form::Settings s = as_published();
  s.joint_length = std::sqrt(0.5);  // S/m
  Stepped run(b, s);
  run.steps(70);
  EXPECT_LE((run.at("body").p + Vec3::UnitX()).norm(), 1e-12);
  EXPECT_LE((run.at("body").A - exp_matrix(Vec3(0, 0, M_PI / 2))).norm(), 1e-12);
}

// ---- joints whose partners are 5 cm apart, without gravity, every step from rest

/// How far frame B's origin is from where the joint wants it; `anchor` in both bodies' axes.
double apart(const Stepped& run, const std::string& type, const Vec3& anchor) {
  const bool ground = run.scene.model->find_object("left") < 0;
  const body::Transform a = ground ? body::Transform{} : run.at("left"), &b = run.at("right");
  Vec3 d = b.p + b.A * anchor - a.p - a.A * anchor;
  const Vec3 t = a.A.col(0).normalized();
  if (type == "prismatic") d -= t.dot(d) * t;
  return d.norm();
}

std::unique_ptr<Stepped> misaligned(const std::string& type, const Vec3& anchor, bool free_partner,
                                    const form::Settings& settings) {
  model::Builder b;
  b.gravity.setZero();
  if (free_partner) b.add_body(cube("left"));
  b.add_body(cube("right"));
  b.add_joint(joint("pair", type, free_partner ? "left" : "ground", "right", {anchor}));
  auto run = std::make_unique<Stepped>(b, settings);
  const int o = run->scene.model->find_object("right");
  const int block = run->scene.model->objects[static_cast<std::size_t>(o)].block;
  double* q = run->state.q.data() + run->scene.model->blocks[static_cast<std::size_t>(block)].q;
  q[1] += 0.03;
  q[2] += 0.04;
  run->rest();
  return run;
}

class PublishedJoint : public testing::TestWithParam<const char*> {};

TEST_P(PublishedJoint, ThatIsFiveCentimetresOffComesTogetherInFiveSteps) {
  const std::string type = GetParam();
  for (const bool free_partner : {false, true}) {
    // every step from rest takes m / (m + K) of it; of two such bodies m / (m + 2 K), K twice as
    // much; the slide's lateral stiffness is 2 K
    const double ratio = 1 + (free_partner ? 4 : 1) * (type == "prismatic" ? 2 : 1) * kGamma;
    const auto owner = misaligned(type, Vec3::Zero(), free_partner, as_published());
    Stepped& run = *owner;
    double expected = 0.05;
    for (int k = 1; k <= 5 && run.step(); ++k) {
      run.rest();
      expected /= ratio;
      // model: the slide's terms are products, and stretch the bodies a little
      const double relative = type == "prismatic" ? 1e-6 : 1e-9;
      EXPECT_NEAR(apart(run, type, Vec3::Zero()), expected, relative * expected + 1e-15)
          << "step " << k;
    }
    EXPECT_LE(apart(run, type, Vec3::Zero()), 5e-12);
    // not through the centres of mass: bodies turn as well
    const auto corner = misaligned(type, {0.2, 0.2, 0.2}, free_partner, as_published());
    for (int k = 1; k <= 5 && corner->step(); ++k) corner->rest();
    EXPECT_LE(apart(*corner, type, {0.2, 0.2, 0.2}), 1e-11);
  }
}

TEST_P(PublishedJoint, ThatHoldsByRowsComesTogetherAtOnce) {
  for (const bool free_partner : {false, true}) {
    const auto run = misaligned(GetParam(), {0.2, 0.2, 0.2}, free_partner,
                                by_energy(Difference::bdf1, law::kInf));
    run->step();
    EXPECT_LE(apart(*run, GetParam(), {0.2, 0.2, 0.2}), 1e-13);  // rounding
  }
}

INSTANTIATE_TEST_SUITE_P(Joints, PublishedJoint,
                         testing::Values("spherical", "fixed", "revolute", "prismatic"),
                         [](const auto& p) { return std::string(p.param); });

// ---- the implicit Euler scheme and a free body's spin

struct Spun {
  double spin, expected, energy, accounted;
};
/// A cube that spins freely at 10 rad/s for 1 s; what the scheme makes of it: the turn d of a step
/// is followed by one of atan(sin d / (2 - cos d)).
Spun spun(double stiffness, Difference difference) {
  model::Builder b;
  b.gravity.setZero();
  model::BodySpec body = cube("cube", Vec3::Zero(), stiffness);
  body.w = {0, 0, 10};
  b.add_body(body);
  Stepped run(b, by_energy(difference, difference == Difference::midpoint ? 1e9 : law::kInf));
  const double energy = run.form.total_energy(run.state);
  run.steps(100);
  double turn = std::atan(10 * kStep);
  for (int k = 1; k < 100; ++k) turn = std::atan2(std::sin(turn), 2 - std::cos(turn));
  Vec3 linear = Vec3::Zero(), angular = linear;
  run.form.kinematics().momentum(run.state.q.data(), run.state.P.data(), linear, angular);
  const double inertia = 64 * 0.16 / 6;
  return {angular.z() / inertia, std::sin(turn) / kStep, run.form.total_energy(run.state) - energy,
          run.state.ledger[model::kIntegrator]};
}

TEST(Published, ImplicitEulerTakesTensOfPercentOfAFreeSpin) {
  const Spun rigid = spun(law::kInf, Difference::bdf1), elastic = spun(1e8, Difference::bdf1);
  EXPECT_NEAR(rigid.spin, rigid.expected, 1e-10);
  EXPECT_NEAR(elastic.spin, elastic.expected, 1e-4);  // model: strains of 5e-6
  EXPECT_GT(rigid.spin, 5);
  EXPECT_LT(rigid.spin, 6);  // about 10 / sqrt(1 + 2 w^2 h t) = 5.8
  for (const Spun& s : {rigid, elastic}) {
    EXPECT_LT(s.accounted, -50);               // of 85 J
    EXPECT_NEAR(s.accounted, s.energy, 1e-8);  // the accounts say exactly that
  }
  const Spun second = spun(1e8, Difference::bdf2), middle = spun(1e5, Difference::midpoint);
  EXPECT_GT(second.spin, 9);
  EXPECT_NEAR(second.accounted, second.energy, 1e-8);
  EXPECT_NEAR(middle.spin, 10, 1e-9);  // rounding: quadratic invariants stay
}

// ---- stops as published: s r^3 of the share r of the range, in the incremental potential

/// A cube between stops of +-5 cm on a vertical slide, let go at the lower one.
TEST(Published, StaticOvershootOfACubicStop) {
  const std::string scene = R"(format = 1
[parameters]
s = "50 kg m^2"
w = "10 cm"
h = "10 ms"
[simulation]
formulation = "energy"
difference = "bdf1"
gamma = 100
gravity = [0, 0, "-9.8 m/s^2"]
duration = "3 s"
step = "10 ms"
[[body]]
name = "cube"
kind = "affine"
density = "1000 kg/m^3"
box = ["0.4 m", "0.4 m", "0.4 m"]
position = [0, 0, "-5 cm"]
[[joint]]
name = "slide"
type = "prismatic"
b = "cube"
frame_a = {axis = [0, 0, 1]}
frame_b = {axis = [0, 0, 1]}
[[law]]
name = "stops"
type = "spring"
joint = "slide"
coordinate = "travel"
function = "3*s/(w*h^2)*(max(-w/2 - x, 0)^2 - max(x - w/2, 0)^2)/w^2"
)";
  auto loaded = io::load_scene_text(scene, "stop.toml");
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    for (const io::SceneProblem& p : *problems) ADD_FAILURE() << to_text(p);
    return;
  }
  auto& [read, mechanism] = std::get<io::LoadedScene>(loaded);
  Simulation sim(std::move(mechanism), read.settings);
  run(sim);
  const double overshoot = -0.05 - coordinate(sim, "slide", "travel");
  EXPECT_NEAR(overshoot, 0.1 * std::sqrt(64 * kG * 0.1 * 1e-4 / (3 * 50)), 1e-12);
  EXPECT_NEAR(overshoot, 0.6466e-3, 0.5e-7);  // as published
}

// ---- units and steps

/// How far a cube hangs below its ball joint at rest.
double hangs(const form::Settings& settings, double h) {
  model::Builder b;
  b.gravity = {0, 0, -kG};
  b.add_body(cube("cube", {0, 0, -0.2}));
  b.add_joint(joint("ball", "spherical", "ground", "cube", Pose{}));
  Stepped run(b, settings);
  run.steps(static_cast<int>(6 / h), h);
  const body::Transform& c = run.at("cube");
  return -(c.p + c.A * Vec3(0, 0, 0.2)).z();
}

TEST(Published, StiffnessDoesNotDependOnTheStep) {
  const double k = 1e6;
  for (const Difference d : {Difference::bdf1, Difference::bdf2})
    for (const double h : {0.02, 0.01, 0.005})
      EXPECT_NEAR(hangs(by_energy(d, k), h), 64 * kG / k, 1e-11) << h;
  // as published it does: gamma m / h^2
  for (const double h : {0.02, 0.01, 0.005})
    EXPECT_NEAR(hangs(as_published(), h), kG * h * h / kGamma, 1e-12) << h;
}

// ---- drivers and motors against a load of 50 N or N m along the joint

constexpr double kLoad = 50;

model::Builder loaded_joint(bool turns, model::LawSpec on_it) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(cube("cube"));
  b.add_joint(joint("pair", turns ? "revolute" : "prismatic", "ground", "cube", Pose{}));
  model::LoadSpec load;
  load.name = "load";
  load.body = "cube";
  load.type = turns ? "torque" : "force";
  load.value = {Signal(kLoad), Signal(0), Signal(0)};
  b.add_load(load);
  on_it.joint = "pair";
  on_it.coordinate = turns ? "angle" : "travel";
  b.add_law(on_it);
  return b;
}

double row_of(const Stepped& run) {  // of the law
  const auto& law =
      run.scene.model->laws[static_cast<std::size_t>(run.scene.model->find_law("on"))];
  return run.form.now().g[static_cast<std::size_t>(law.row)];
}

// K/2 (x - x~)^2 in the incremental potential is a spring of K/h^2.
TEST(Published, DriversYieldByTheirStiffness) {
  for (const bool turns : {false, true}) {
    model::LawSpec drive = law("on", "driven", "", "", {{"stiffness", 1e4}});
    drive.drive = {Drive::Level::displacement, Signal::spline({0, 0.5}, {0, 0.3})};
    Stepped run(loaded_joint(turns, drive), as_published());
    run.steps(4000);  // to rest
    EXPECT_NEAR(row_of(run), 0.3 + kLoad / 1e4, 1e-9) << turns;
  }
}

TEST(Published, MotorsHoldTheirSpeed) {
  for (const bool turns : {false, true}) {
    constexpr double kSpeed = 2, kMost = 500, kOver = 1e-3;
    model::LawSpec motor = law("on", "motor", "", "",
                               {{"force_min", -kMost}, {"force_max", kMost}, {"smoothing", kOver}});
    motor.drive = {Drive::Level::velocity, Signal(kSpeed)};
    Stepped run(loaded_joint(turns, motor), as_published());
    run.steps(100);
    const double before = row_of(run);
    run.step();
    const double turn = row_of(run) - before, speed = turn / kStep;
    EXPECT_NEAR(speed, kSpeed, 2 * kOver);
    // the scheme brakes what turns, the motor makes up for it
    const double braked = 2 * std::sin(turn) * (1 - std::cos(turn)) / (kStep * kStep);
    EXPECT_NEAR(kMost * std::tanh((kSpeed - speed) / kOver) + kLoad,
                turns ? 64 * 0.16 / 6 * braked : 0, 1e-4);  // model: strains of 1e-6
  }
}

// ---- loads between two free bodies

struct Internal {
  const char *joint, *law, *coordinate;
};
void PrintTo(const Internal& i, std::ostream* out) {
  *out << i.joint << " " << i.law << " " << i.coordinate;
}

/// Two free bodies, of which the joint's frames are far from both centres.
model::Builder pair(const Internal& load) {
  model::Builder b;
  b.gravity.setZero();
  model::BodySpec left = cube("left", {0.3, -0.2, 0.5}), right = cube("right", {1.1, 0.4, -0.3});
  left.X_WB.R = exp_matrix(Vec3(0.3, 0.5, -0.7));
  right.solid->size = {0.2, 0.6, 0.3};
  // together, as one body, and into the stop
  const Vec3 axis = Vec3(1, 2, -1).normalized(), c(0.6, 0.1, 0.2);
  left.w = right.w = {1, -2, 0.5};
  left.v = left.w.cross(left.X_WB.p);
  right.v = right.w.cross(right.X_WB.p);
  if (std::string_view(load.law) == "stop") {
    const bool turns = std::string_view(load.joint) == "revolute";
    right.v += turns ? Vec3(axis.cross(right.X_WB.p - c)) : axis;
    if (turns) right.w += axis;
  }
  b.add_body(left);
  b.add_body(right);
  b.add_joint(joint("pair", load.joint, "left", "right", frame(c, axis)));
  const bool stop = std::string_view(load.law) == "stop";  // an elastic one
  const std::string type = stop ? "spring" : load.law;
  if (type.empty()) return b;
  model::LawSpec l = law("load", type, "pair", load.coordinate);
  if (type == "spring" && !stop) l.numbers = {{"preload", 300}};
  if (stop)
    l.function = std::make_shared<const law::ForceFunction>([](double x, double, double) {
      const double e = std::max(x - 0.01, 0.);
      return law::Force{-1e6 * e * e, -2e6 * e, 0};
    });
  if (type == "motor") {
    l.numbers = {{"force_min", -200}, {"force_max", 200}, {"smoothing", 0.1}};
    l.drive = {Drive::Level::velocity, Signal(2)};
  }
  if (type == "driven") {
    l.numbers = {{"stiffness", 1e5}};
    l.drive = {Drive::Level::displacement, Signal::function([](double t) {
                 return Jet{0.3 * std::sin(4 * t), 1.2 * std::cos(4 * t), -4.8 * std::sin(4 * t)};
               })};
  }
  b.add_law(l);
  return b;
}

std::pair<Vec3, Vec3> momentum(const Stepped& run) {
  std::pair<Vec3, Vec3> m{Vec3::Zero(), Vec3::Zero()};
  run.form.kinematics().momentum(run.state.q.data(), run.state.P.data(), m.first, m.second);
  return m;
}

class InternalLoad : public testing::TestWithParam<Internal> {};

// The midpoint scheme keeps quadratic invariants: what a load moves it gives to both bodies.
TEST_P(InternalLoad, KeepsBothMomenta) {
  const Internal& load = GetParam();
  Stepped run(pair(load), by_energy(Difference::midpoint, 1e5));
  const auto [linear, angular] = momentum(run);
  const Mat3 turned = run.at("left").A.transpose() * run.at("right").A;
  const Vec3 from = run.at("left").A.transpose() * (run.at("right").p - run.at("left").p);
  double worst = 0, outside = 0, moved = 0;
  for (int k = 0; k < 200 && run.step(2e-3); ++k) {
    const auto now = momentum(run);
    worst = std::max({worst, (now.first - linear).norm(), (now.second - angular).norm()});
    outside =
        std::max(outside, run.report.momentum.impulse.norm() + run.report.momentum.moment.norm());
    const body::Transform &l = run.at("left"), &r = run.at("right");
    moved = std::max(moved, (l.A.transpose() * r.A - turned).norm() +
                                (l.A.transpose() * (r.p - l.p) - from).norm());
  }
  RecordProperty("momentum", fmt::format("{:.2g} of {:.3g}", worst, linear.norm()));
  EXPECT_LE(worst, 1e-9);  // rounding, of 100 N s: M y / h goes into a momentum every step
  EXPECT_LE(outside, 1e-12);
  EXPECT_TRUE(*load.law == '\0' || moved >= 0.02) << moved;  // it has done something
}

// Wherever it acts: a step of implicit Euler that begins at rest leaves none, by stiffnesses as
// published as well.
TEST_P(InternalLoad, LeavesNoMomentumFromRest) {
  for (const form::Settings& s :
       {as_published(), by_energy(Difference::bdf1, 1e6), by_energy(Difference::bdf1, law::kInf)}) {
    Stepped run(pair(GetParam()), s);
    run.steps(20, 2e-3);
    run.rest();
    run.step();
    const auto [linear, angular] = momentum(run);
    EXPECT_LE(linear.norm(), 1e-10);  // rounding, of forces of kN over 10 ms
    EXPECT_LE(angular.norm(), 1e-10);
  }
}

std::string name_of(const testing::TestParamInfo<Internal>& info) {
  return std::string(info.param.joint) + (*info.param.law ? "_" : "") + info.param.law;
}
INSTANTIATE_TEST_SUITE_P(Published, InternalLoad,
                         testing::Values(Internal{"revolute", "driven", "angle"},
                                         Internal{"prismatic", "driven", "travel"},
                                         Internal{"revolute", "motor", "angle"},
                                         Internal{"prismatic", "motor", "travel"},
                                         Internal{"revolute", "spring", "angle"},
                                         Internal{"prismatic", "spring", "travel"},
                                         Internal{"revolute", "stop", "angle"},
                                         Internal{"prismatic", "stop", "travel"},
                                         Internal{"spherical", "", ""}, Internal{"fixed", "", ""},
                                         Internal{"revolute", "", ""},
                                         Internal{"prismatic", "", ""}),
                         name_of);

}  // namespace
}  // namespace trammel::acceptance::published_test
