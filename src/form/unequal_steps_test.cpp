// Every scheme under every kind of load and law, in steps of unequal length, against motions in
// closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "form/formulation.h"
#include "form/test_balance.h"
#include "model/builder.h"

namespace trammel::form::unequal_steps_test {
namespace {

using Difference = Settings::Difference;
using model::Builder;

constexpr double kTime = 1;                    // [s]
constexpr double kMass = 2;                    // [kg]
const double kPattern[] = {1, 0.6, 1.1, 0.7};  // lengths of steps, over and over

struct Way {
  std::string name;
  Settings settings;
  int order;  // 0: by its accuracy
};

std::vector<Way> ways() {
  Settings s;
  std::vector<Way> out{{"velocity", s, 2}};
  s.order = 4;
  out.push_back({"composed", s, 4});
  s.order = 2;
  s.scheme = Settings::Scheme::baumgarte;
  out.push_back({"baumgarte", s, 1});
  s = {};
  s.formulation = Settings::Formulation::acceleration;
  out.push_back({"dp8", s, 0});
  s.method = RungeKuttaMethod::dp5;
  out.push_back({"dp5", s, 0});
  s.method = RungeKuttaMethod::rk4;
  out.push_back({"rk4", s, 4});
  s = {};
  s.formulation = Settings::Formulation::energy;
  for (const Difference d : {Difference::bdf1, Difference::bdf2, Difference::midpoint})
    for (const double stiffness : {law::kInf, 1e9}) {
      s.difference = d;
      s.joint_stiffness = stiffness;
      if (d != Difference::midpoint || std::isfinite(stiffness))
        out.push_back({fmt::format("{} {}", name_of(d), stiffness), s, order_of(d)});
    }
  return out;
}

/// What acts, and where the body's reference point is after kTime along x.
struct Case {
  std::string name;
  std::function<void(Builder&)> add;
  double x;
  bool exact = false;  // at every step
  bool turns = false;  // x is how far it has turned about z [rad]
};
/// With what damps or yields, order 4 is 2.
bool composes(const std::string& name) {
  for (const char* not_so : {"drag", "drag squared", "spring", "function", "function of time",
                             "friction", "motor at its bound", "motor"})
    if (name == not_so) return false;
  return true;
}

/// A body that starts in the origin at v along x and turns at w about z, on a slide or free.
Builder body(double v, double w, bool on_slide) {
  Builder b;
  b.gravity.setZero();
  model::BodySpec s;
  s.name = "body";
  s.mass = kMass;
  s.inertia = {0.5, 0.5, 0.5, 0, 0, 0};
  s.v = {v, 0, 0};
  s.w = {0, 0, w};
  b.add_body(s);
  if (!on_slide) return b;
  model::JointSpec j;
  j.name = "slide";
  j.type = "prismatic";
  j.b = "body";
  j.frame_a = j.frame_b = Pose{};
  b.add_joint(j);
  return b;
}

model::LawSpec law_of(const std::string& type, std::map<std::string, double> numbers) {
  model::LawSpec l;
  l.name = "law";
  l.type = type;
  l.joint = "slide";
  l.numbers = std::move(numbers);
  return l;
}

Signal wave(double size, double w) {
  return Signal::function([=](double t) {
    return Jet{size * std::sin(w * t), size * w * std::cos(w * t), -size * w * w * std::sin(w * t)};
  });
}

std::function<void(Builder&)> load(const char* kind, law::Axes axes, int axis, Signal value,
                                   double v = 0, double w = 0) {
  return [=](Builder& b) {
    b = body(v, w, false);
    model::LoadSpec l;
    l.name = "load";
    l.body = "body";
    l.type = kind;
    l.axes = axes;
    l.value[static_cast<std::size_t>(axis)] = value;
    b.add_load(l);
  };
}

std::function<void(Builder&)> drag(double linear, double quadratic, double v) {
  return [=](Builder& b) {
    b = body(v, 0, false);
    model::LoadSpec l;
    l.name = "drag";
    l.body = "body";
    l.type = "drag";
    l.numbers["linear"] = linear;
    l.numbers["quadratic"] = quadratic;
    b.add_load(l);
  };
}

std::function<void(Builder&)> on_slide(double v, const model::LawSpec& l) {
  return [=](Builder& b) {
    b = body(v, 0, true);
    b.add_law(l);
  };
}

model::LawSpec following(model::LawSpec l, Drive::Level level, Signal signal) {
  l.drive = Drive{level, std::move(signal)};
  return l;
}

/// A spring from a base that moves along x as given to the body, which slides on it.
std::function<void(Builder&)> on_moving_base(double stiffness, const Signal& way) {
  return [=](Builder& b) {
    b = body(0, 0, false);
    model::BodySpec base;
    base.name = "base";
    base.motion.emplace();
    base.motion->displacement[0] = Drive{Drive::Level::displacement, way};
    b.add_body(base);
    model::JointSpec j;
    j.name = "slide";
    j.type = "prismatic";
    j.a = "base";
    j.b = "body";
    j.frame_a = j.frame_b = Pose{};
    b.add_joint(j);
    b.add_law(law_of("spring", {{"stiffness", stiffness}}));
  };
}

/// F on a body whose way is twice that of another one of its mass beside it.
std::function<void(Builder&)> coupled(const Signal& F) {
  return [=](Builder& b) {
    b = body(0, 0, true);
    model::BodySpec other;
    other.name = "other";
    other.mass = kMass;
    other.inertia = {0.5, 0.5, 0.5, 0, 0, 0};
    other.X_WB.p = {0, 1, 0};
    b.add_body(other);
    model::JointSpec j;
    j.name = "beside";
    j.type = "prismatic";
    j.b = "other";
    j.at = Pose{{0, 1, 0}, Mat3::Identity()};
    b.add_joint(j);
    model::CouplingSpec c;
    c.name = "halves";
    c.of = {{"slide", "travel"}, {"beside", "travel"}};
    c.coefficients = {1, -2};
    b.add_coupling(c);
    model::LoadSpec l;
    l.name = "load";
    l.body = "body";
    l.type = "force";
    l.value[0] = F;
    b.add_load(l);
  };
}

/// t + a sin-like waves under which a spring with damping moves: x'' = -k/m x - c/m x'.
double damped(double k, double c, double v) {
  const double d = c / (2 * kMass), w = std::sqrt(k / kMass - d * d);
  return v / w * std::exp(-d * kTime) * std::sin(w * kTime);
}

std::vector<Case> cases() {
  using law::Axes;
  constexpr double w = 3, F = 5;
  const double twice = F / (kMass * w) * (kTime - std::sin(w * kTime) / w);  // of F sin wt
  std::vector<Case> out;
  out.push_back({"gravity",
                 [](Builder& b) {
                   b = body(1, 0, false);
                   b.gravity = {-9.81, 0, 0};
                 },
                 kTime - 9.81 / 2 * kTime * kTime});
  out.push_back({"force", load("force", Axes::world, 0, wave(F, w)), twice});
  // along the body's y, which turns: -F sin wt along x
  out.push_back({"force of the body", load("force", Axes::body, 1, Signal(F), 0, w), -twice});
  // of 0.5 kg m^2
  out.push_back({"torque", load("torque", Axes::world, 2, wave(1, w)),
                 1 / (0.5 * w) * (kTime - std::sin(w * kTime) / w), false, true});
  // two bodies of which one goes half as fast weigh 1 1/4
  out.push_back({"coupling", coupled(wave(F, w)), twice / 1.25});
  const double by = std::sqrt(40 / kMass);  // x'' = by^2 (0.5 sin wt - x)
  out.push_back(
      {"prescribed body", on_moving_base(40, wave(0.5, w)),
       0.5 * by * by / (by * by - w * w) * (std::sin(w * kTime) - w / by * std::sin(by * kTime))});
  out.push_back({"drag", drag(3, 0, 2), 2 * kMass / 3 * (1 - std::exp(-3 * kTime / kMass))});
  out.push_back({"drag squared", drag(0, 3, 2), kMass / 3 * std::log(1 + 3 / kMass * 2 * kTime)});
  out.push_back({"spring", on_slide(1, law_of("spring", {{"stiffness", 40}, {"damping", 2}})),
                 damped(40, 2, 1)});
  model::LawSpec function = law_of("spring", {});
  function.function = std::make_shared<const law::ForceFunction>([](double x, double v, double) {
    return law::Force{-40 * x - 2 * v, -40, -2};
  });
  out.push_back({"function", on_slide(1, function), damped(40, 2, 1)});
  function.function = std::make_shared<const law::ForceFunction>([](double x, double, double t) {
    return law::Force{20 * t - 40 * x, -40, 0};
  });
  const double own = std::sqrt(40 / kMass);
  out.push_back(
      {"function of time", on_slide(0, function), 0.5 * (kTime - std::sin(own * kTime) / own)});
  out.push_back({"preload", on_slide(1, law_of("spring", {{"preload", -F}})),
                 kTime - F / kMass / 2 * kTime * kTime});
  out.push_back({"friction", on_slide(4, law_of("friction", {{"force", F}})),
                 4 * kTime - F / kMass / 2 * kTime * kTime});
  model::LawSpec motor = law_of("motor", {{"force_min", -F}, {"force_max", F}});
  out.push_back({"motor at its bound",
                 on_slide(1, following(motor, Drive::Level::velocity, Signal(50.))),
                 kTime + F / kMass / 2 * kTime * kTime});
  out.push_back({"motor",
                 on_slide(0, following(law_of("motor", {}), Drive::Level::velocity, wave(2, w))),
                 2 / w * (1 - std::cos(w * kTime))});
  out.push_back(
      {"driven",
       on_slide(2 * w, following(law_of("driven", {}), Drive::Level::displacement, wave(2, w))),
       2 * std::sin(w * kTime), true});
  return out;
}

/// Lengths of the n steps.
std::vector<double> steps_of(int n) {
  std::vector<double> h;
  double total = 0;
  for (int k = 0; k < n; ++k) total += kPattern[k % 4];
  for (int k = 0; k < n; ++k) h.push_back(kTime * kPattern[k % 4] / total);
  return h;
}

/// Where a mass that a spring pulls to 2 sin 3t comes to by midpoint. It damps nothing: in steps of
/// unequal length the mass swings about the drive by some h times its curvature, however stiff.
double by_midpoint(double stiffness, int n) {
  double t = 0, x = 0, v = 6;
  for (const double h : steps_of(n)) {
    const double q = h * h * stiffness / (4 * kMass), to = 2 * std::sin(3 * (t + h / 2)),
                 next = (x + h * v + q * (2 * to - x)) / (1 + q);
    v = 2 * (next - x) / h - v;
    x = next;
    t += h;
  }
  return x;
}

bool swings(const Case& c, const Way& way) {
  return c.exact && way.settings.formulation == Settings::Formulation::energy &&
         way.settings.difference == Difference::midpoint;
}

double error_of(const Case& c, const Way& way, int n, bool& second) {
  Builder b;
  c.add(b);
  auto result = b.build();
  const auto* built = std::get_if<model::Built>(&result);
  if (!built) {
    ADD_FAILURE() << std::get<std::vector<Problem>>(result).front().text;
    return 0;
  }
  model::State state = built->state;
  Formulation f(*built->model, built->params, way.settings);
  EXPECT_TRUE(f.load(state));
  test::MomentumBounds bounds = test::momentum_bounds(way.settings);
  // by energy a motor without bounds is one of 1e15 N s/m: what rounding of its speed makes of that
  if (c.name == "motor" && bounds.linear > 1e-12) bounds.linear = 0.1;
  test::Balance balance(f, state, bounds);
  StepReport report;
  for (const double h : steps_of(n)) {
    f.step(state, h, report);
    balance.see(f, state, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
    second = report.bounds;
    if (report.status != Status::ok) break;
  }
  EXPECT_NEAR(state.t, kTime, 1e-12);
  const body::Transform& T_WO = f.now().T_WO[1];
  const double x = c.turns ? std::atan2(T_WO.A(1, 0), T_WO.A(0, 0)) : T_WO.p.x();
  if (!swings(c, way)) return std::abs(x - c.x);
  EXPECT_NEAR(x, c.x, 2.0 / n);
  return std::abs(x - by_midpoint(1e9, n));
}

TEST(UnequalSteps, KeepTheOrderOfEverySchemeUnderEveryForce) {
  for (const Case& c : cases())
    for (const Way& way : ways()) {
      SCOPED_TRACE(c.name + " by " + way.name);
      const int n = way.order > 2 ? 80 : 40;  // where the next order is small beside the fourth
      bool second = false;
      const double coarse = error_of(c, way, n, second), fine = error_of(c, way, 4 * n, second);
      int order = way.order;
      if (way.name == "composed") {
        EXPECT_EQ(second, !composes(c.name));
        if (second) order = 2;
      }
      SCOPED_TRACE(fmt::format("errors {:.3g}, {:.3g}", coarse, fine));
      if (swings(c, way)) {
        EXPECT_LE(fine, 1e-8);
        continue;
      }
      EXPECT_LE(fine, order == 0 ? 1e-7 : order == 1 ? 0.05 : 2e-3);
      if (order == 0 || c.exact || coarse < 1e-8) continue;
      const double observed = std::log2(coarse / fine) / 2;
      if (observed >= order - 0.2) continue;
      // parts of two orders may cancel at the coarse steps; they do not at the finest as well
      const double finest = error_of(c, way, 16 * n, second);
      EXPECT_GE(std::log2(fine / finest) / 2, order - 0.2) << finest << " after " << observed;
    }
}

}  // namespace
}  // namespace trammel::form::unequal_steps_test
