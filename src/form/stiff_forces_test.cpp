// Forces however stiff: by springs and by functions of the user's, in steps and in the fallback.
#include <gtest/gtest.h>

#include <cmath>

#include "form/formulation.h"
#include "form/test_balance.h"
#include "form/velocity.h"
#include "model/builder.h"

namespace trammel::form::stiff_forces_test {
namespace {

using model::BodySpec;
using model::Builder;
using model::JointSpec;
using model::LawSpec;

model::Built built(const Builder& b) {
  auto result = b.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    throw std::runtime_error("refused");
  }
  return std::get<model::Built>(std::move(result));
}

JointSpec joint(const std::string& name, const std::string& type, const std::string& a,
                const std::string& b, const Vec3& p, const Vec3& axis) {
  JointSpec j;
  j.name = name;
  j.type = type;
  j.a = a;
  j.b = b;
  Mat3 R;
  R.col(0) = axis.normalized();
  R.col(1) = R.col(0).unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  j.at = Pose{p, R};
  return j;
}

/// Of 1 kg on a slide along x, at -1 m/s.
Builder ball_on_a_slide() {
  Builder b;
  b.gravity = Vec3::Zero();
  BodySpec ball;
  ball.name = "ball";
  ball.mass = 1;
  ball.inertia = {1, 1, 1, 0, 0, 0};
  ball.v = {-1, 0, 0};
  b.add_body(ball);
  b.add_joint(joint("slide", "prismatic", "ground", "ball", Vec3::Zero(), Vec3::UnitX()));
  return b;
}

/// The ball meets a stop -k x at x < 0, 10.3 steps away.
struct Stop {
  double out = 0, energy = 0;  // speed at which it leaves [m/s], worst energy less work [J]
  int fallbacks = 0;
  bool left = false;
};
Stop meet_stop(double k, double h) {
  Builder b = ball_on_a_slide();
  LawSpec stop;
  stop.name = "stop";
  stop.type = "spring";
  stop.joint = "slide";
  stop.coordinate = "travel";
  const double from = -10.3 * h;  // the stop's place, where the slide's displacement begins at 0
  stop.function = std::make_shared<law::ForceFunction>([=](double x, double, double) {
    return x < from ? law::Force{-k * (x - from), -k, 0} : law::Force{};
  });
  b.add_law(stop);
  const model::Built scene = built(b);
  Velocity formulation(*scene.model, scene.params, {});
  model::State s = scene.state;
  EXPECT_TRUE(formulation.load(s));
  test::Balance balance(formulation, s);
  StepReport report;
  Stop out;
  const double start = formulation.total_energy(s);
  const int most = 60 + static_cast<int>(10 * M_PI / (std::sqrt(k) * h));
  for (int i = 0; i < most; ++i) {
    formulation.step(s, h, report);
    balance.see(formulation, s, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
    out.fallbacks += report.way.fallback;
    double work = 0;
    for (const double w : s.ledger) work += w;
    out.energy = std::max(out.energy, std::abs(formulation.total_energy(s) - start - work));
    out.out = formulation.velocities()[0];
    out.left = s.q[0] > from + 2 * h;
    if (out.left && out.out > 0) break;
  }
  return out;
}

TEST(FormulaStops, ThrowBackWhatTheyTakeUp) {
  const double h = 1e-3;
  for (const double stiff : {0.01, 0.1, 0.3, 1., 3., 10., 100., 1e3, 1e4, 1e6}) {
    const Stop s = meet_stop(stiff / (h * h), h);
    EXPECT_TRUE(s.left) << stiff;
    // explicit below 1/4: truncation at the kink; implicit above: places are met to 1e-12 m of the
    // v/sqrt(k) that the stop yields by
    const double met = stiff <= 0.25 ? 0.02 : 1e-10 + 2e-12 * std::sqrt(stiff) / h;
    EXPECT_NEAR(s.out, 1, met) << stiff;
    EXPECT_LE(s.energy, met) << stiff;
    EXPECT_EQ(s.fallbacks, 0) << stiff;
  }
}

/// Two windows of thin rods, 1 m, 1 kg, upright in the plane y = 0 at 1 rad/s, with a mass of 1 kg
/// on a spring along the first upright, at its middle.
using Function = std::shared_ptr<law::ForceFunction>;
struct Aboard {
  Vec3 v = Vec3::Zero();    // of a base that carries all, instead of the ground [m/s]
  Vec3 up = Vec3::UnitZ();  // along which the payload's displacement counts
};
model::Built windows_with_payload(double stiffness, double damping, const Function& f = {},
                                  const Aboard& on = {}) {
  Builder b;
  const std::string base = on.v.isZero() ? "ground" : "base";
  if (base == "base") {
    BodySpec s;
    s.name = base;
    s.motion.emplace();
    for (int i = 0; i < 3; ++i)
      s.motion->displacement[static_cast<std::size_t>(i)] = {Drive::Level::velocity,
                                                             Signal(on.v[i])};
    b.add_body(s);
  }
  const Mat3 upright = Eigen::AngleAxisd(-M_PI / 2, Vec3::UnitY()).toRotationMatrix();
  const auto rod = [&](const std::string& name, const Vec3& p, const Mat3& R, const Vec3& v,
                       double w) {
    BodySpec s;
    s.name = name;
    s.mass = 1;
    s.inertia = {1e-3, 1. / 12, 1. / 12, 0, 0, 0};
    s.X_WB = {p, R};
    s.v = v + on.v;
    s.w = {0, w, 0};
    b.add_body(s);
  };
  const auto hinge = [&](const std::string& a, const std::string& c, const Vec3& p) {
    b.add_joint(joint(a + "-" + c, "revolute", a, c, p, Vec3::UnitY()));
  };
  for (int i = 0; i <= 2; ++i) {
    rod("v" + std::to_string(i), Vec3(i, 0, 0.5), upright, {0.5, 0, 0}, 1);
    hinge(base, "v" + std::to_string(i), Vec3(i, 0, 0));
  }
  for (int i = 0; i < 2; ++i) {
    rod("h" + std::to_string(i), Vec3(i + 0.5, 0, 1), Mat3::Identity(), {1, 0, 0}, 0);
    hinge("v" + std::to_string(i), "h" + std::to_string(i), Vec3(i, 0, 1));
    hinge("v" + std::to_string(i + 1), "h" + std::to_string(i), Vec3(i + 1, 0, 1));
  }
  if (stiffness > 0) {
    rod("payload", Vec3(0, 0, 0.5), upright, {0.5, 0, 0}, 1);
    b.add_joint(joint("rubber", "prismatic", "v0", "payload", Vec3(0, 0, 0.5), on.up));
    LawSpec buffer;
    buffer.name = "buffer";
    buffer.type = "spring";
    buffer.joint = "rubber";
    buffer.coordinate = "travel";
    buffer.numbers = {{"stiffness", stiffness}, {"damping", damping}};
    if (f) buffer.numbers.clear();
    buffer.function = f;
    b.add_law(buffer);
  }
  return built(b);
}

struct Swing {
  Vec3 top;
  double energy = 0;  // worst imbalance [J]
  int fallbacks = 0, newton = 0, parts = 0, steps = 0;
};
/// `stored` is the energy of the spring by the payload's displacement, where its law is a function,
/// whose energy the state does not know; what it has done is among the works then.
template <class Stored>
Swing swing(const model::Built& scene, double T, double h, const Stored& stored) {
  Velocity formulation(*scene.model, scene.params, {});
  model::State s = scene.state;
  EXPECT_TRUE(formulation.load(s));
  test::Balance balance(formulation, s);
  StepReport report;
  Swing out;
  const double start = formulation.total_energy(s);
  const int n = static_cast<int>(std::lround(T / h));
  for (int i = 0; i < n; ++i) {
    formulation.step(s, T / n, report);
    balance.see(formulation, s, report);
    if (report.status != Status::ok) {
      ADD_FAILURE() << i << ": " << report.reason;
      break;
    }
    out.fallbacks += report.way.fallback;
    out.newton += report.way.newton;
    out.parts += report.way.parts > 0;
    ++out.steps;
    double work = 0;
    for (const double w : s.ledger) work += w;
    if constexpr (!std::is_same_v<Stored, std::nullptr_t>) {
      const Vec3 up = Quat(s.q[3], s.q[4], s.q[5], s.q[6]) * Vec3::UnitX();
      work = -stored(up.dot(vec3(s.q.data() + 35) - vec3(s.q.data())));
    }
    out.energy = std::max(out.energy, std::abs(formulation.total_energy(s) - start - work));
  }
  const Quat q(s.q[3], s.q[4], s.q[5], s.q[6]);
  out.top = Vec3(s.q[0], s.q[1], s.q[2]) + 0.5 * (q * Vec3::UnitX());
  return out;
}

Swing swing(const model::Built& scene, double T, double h) { return swing(scene, T, h, nullptr); }

/// A mass of 1 kg in the middle of one upright makes (N + (N + 1)/3 + 1/4 + 1/12) theta'' = -(N +
/// (N
/// + 1)/2 + 1/2) g cos theta of N = 2, where the spring is stiff.
Vec3 exact_top(double T) {
  const double I = 2 + 1 + 0.25 + 1. / 12, k = (2 + 1.5 + 0.5) * 9.81;
  double a = M_PI / 2, w = -1;
  const int n = 400000;
  const double h = T / n;
  for (int i = 0; i < n; ++i) {
    const double mid = a + h / 2 * w;
    w -= h * k / I * std::cos(mid);
    a = mid + h / 2 * w;
  }
  return {std::cos(a), 0, std::sin(a)};
}

TEST(StiffAtSingularConfigurations, SpringsKeepTheirEnergy) {
  const double T = 2;
  const Vec3 exact = exact_top(T);
  for (const double k : {1e4, 1e7, 1e9}) {
    for (const double c : {0., 1e3}) {
      const Swing s = swing(windows_with_payload(k, c), T, 1e-3);
      EXPECT_GE(s.fallbacks + s.parts, 1) << k;  // else it has seen no singular configuration
      EXPECT_LE(s.energy, 1e-3) << k;            // truncation, of 80 J
      if (k >= 1e7) {
        EXPECT_LE((s.top - exact).norm(), 1e-5) << k;
      }
    }
  }
}

/// A spring that hardens, k (x + x^3/d^2) with d a millimetre, given as a function.
TEST(StiffAtSingularConfigurations, FunctionsThatHardenKeepTheirEnergy) {
  const double T = 2, d = 1e-3;
  const Vec3 exact = exact_top(T);
  for (const double k : {1e4, 1e7}) {
    const auto f = std::make_shared<law::ForceFunction>([=](double x, double, double) {
      const double y = x / d;
      return law::Force{-k * x * (1 + y * y), -k * (1 + 3 * y * y), 0};
    });
    const Swing s = swing(windows_with_payload(k, 0, f), T, 1e-3,
                          [=](double x) { return k * x * x / 2 * (1 + x * x / (2 * d * d)); });
    EXPECT_GE(s.fallbacks + s.parts, 1) << k;
    EXPECT_LE(s.energy, 1e-3) << k;  // truncation, of 80 J
    if (k >= 1e7) {
      EXPECT_LE((s.top - exact).norm(), 1e-5) << k;
    }
  }
}

/// A drag that explicit methods follow in steps of 1e-7 s only, over a grid step of a second.
TEST(FullStiffByForces, AMillionStepsWithinOneAreTheMost) {
  Builder b;
  BodySpec ball;
  ball.name = "ball";
  ball.mass = 1;
  ball.inertia = {1, 1, 1, 0, 0, 0};
  b.add_body(ball);
  model::LoadSpec thick;
  thick.name = "thick";
  thick.body = "ball";
  thick.type = "drag";
  thick.numbers["linear"] = 1e8;
  b.add_load(thick);
  Settings settings;
  settings.formulation = Settings::Formulation::acceleration;
  settings.method = RungeKuttaMethod::dp5;
  const model::Built scene = built(b);
  Formulation formulation(*scene.model, scene.params, settings);
  model::State s = scene.state;
  ASSERT_TRUE(formulation.load(s));
  StepReport report;
  formulation.step(s, 1, report);
  EXPECT_NE(report.status, Status::ok);
  EXPECT_NE(report.reason.find("1000000"), std::string::npos) << report.reason;
  EXPECT_EQ(s.t, 0);
}

/// What a base at constant speed carries moves as on the ground, through singular configurations
/// too.
TEST(StiffAtSingularConfigurations, OnAMovingBaseItIsTheSame) {
  const double T = 2;
  const Aboard base{{0.3, 0.1, -0.2}};
  const Swing still = swing(windows_with_payload(1e7, 0), T, 1e-3),
              carried = swing(windows_with_payload(1e7, 0, {}, base), T, 1e-3);
  EXPECT_GE(carried.fallbacks, 1);
  EXPECT_LE((carried.top - T * base.v - still.top).norm(), 1e-7);
}

/// Displacement of the payload along its upright.
double travel(const model::State& s) {
  const Vec3 up = Quat(s.q[3], s.q[4], s.q[5], s.q[6]) * Vec3::UnitX();
  return up.dot(vec3(s.q.data() + 35) - vec3(s.q.data()));
}

/// A stop by formula that is met within the very step that falls back, run into either way: it
/// gives back what it takes.
TEST(StiffAtSingularConfigurations, AStopThatIsMetInTheFallback) {
  const double h = 1e-3, soft = 1e3, hard = 1e9;
  for (const double side : {1., -1.}) {
    double stop = law::kInf, way = 0;  // beyond which it is hard
    const auto f = std::make_shared<law::ForceFunction>([&](double x, double, double) {
      const double in = std::max(0.0, way * (x - stop));
      return law::Force{-soft * x - way * hard * in, -soft - (in > 0 ? hard : 0), 0};
    });
    const model::Built scene =
        windows_with_payload(soft, 0, f, {Vec3::Zero(), side * Vec3::UnitZ()});
    const auto at = [&](const model::State& s) { return side * travel(s); };
    const auto stored = [&](double x) {
      const double in = std::max(0.0, way * (x - stop));
      return 0.5 * soft * x * x + 0.5 * hard * in * in;
    };
    model::State before = scene.state;
    for (const bool meets : {false, true}) {  // first to where it falls back
      Velocity formulation(*scene.model, scene.params, {});
      model::State s = before;
      ASSERT_TRUE(formulation.load(s));
      StepReport report;
      const double start = formulation.total_energy(s) + stored(at(s));
      double off = 0;
      int k = 0;
      for (; k < (meets ? 20 : 2000); ++k) {
        if (!meets) before = s;
        formulation.step(s, h, report);
        ASSERT_EQ(report.status, Status::ok) << report.reason;
        off = std::max(off, std::abs(formulation.total_energy(s) + stored(at(s)) - start));
        if (!meets && report.way.fallback) break;
      }
      if (meets) {
        EXPECT_LE(off, 1e-3) << side;  // of some 80 J
        continue;
      }
      ASSERT_TRUE(report.way.fallback);
      way = at(s) > at(before) ? 1 : -1;
      stop = at(before) + 0.75 * (at(s) - at(before));
    }
  }
}

TEST(StiffForces, ADamperLeavesNothingBehindWhereItsSpringTurnsRigid) {
  Builder b = ball_on_a_slide();
  LawSpec spring;
  spring.name = "spring";
  spring.type = "spring";
  spring.joint = "slide";
  spring.coordinate = "travel";
  spring.numbers = {{"stiffness", 1e8}, {"damping", 1e5}};
  b.add_law(spring);
  const model::Built scene = built(b);
  Velocity kept(*scene.model, scene.params, {}), fresh(*scene.model, scene.params, {});
  model::State state = scene.state;
  StepReport report;
  ASSERT_TRUE(kept.load(state));
  kept.step(state, 1e-3, report);  // h^2 k / m = 100: compliant
  model::State again = state;
  ASSERT_TRUE(fresh.load(again));
  kept.step(state, 1e-2, report);  // 10 000: rigid
  fresh.step(again, 1e-2, report);
  EXPECT_EQ(state.ledger, again.ledger);
  EXPECT_EQ(model::hash(state), model::hash(again));
}

}  // namespace
}  // namespace trammel::form::stiff_forces_test
