// An arm under a program's control at 1 kHz: what reading it, computing its torques and writing
// them cost beside the step; and what a parameter costs that is changed on the way.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "bench.h"
#include "io/scene.h"
#include "process.h"
#include "sim/dynamics.h"
#include "sim/trial.h"

namespace trammel::bench {

namespace {

constexpr std::array kAxes{"base", "lift", "elbow", "wrist_pitch", "wrist_yaw", "wrist_roll"};
using Torques = std::array<double, kAxes.size()>;

/// The arm of the scene with six actuators instead of its drives, whose torques are those numbers.
model::Built arm_with_actuators(const Options& options, const std::shared_ptr<Torques>& torques) {
  std::ostringstream text;
  text << std::ifstream(options.scenes / "robot_arm.toml").rdbuf();
  std::string scene = text.str();
  scene.resize(scene.find("[[law]]"));
  for (const char* axis : kAxes)
    scene += fmt::format(
        "[[law]]\nname = '{0}_motor'\ntype = 'actuator'\njoint = '{0}'\nforce = 0\n", axis);
  auto loaded = io::load_scene_text(scene, "robot_arm.toml");
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    for (const io::SceneProblem& p : *problems) fmt::print(stderr, "{}\n", to_text(p));
    std::exit(2);
  }
  model::Built out = std::get<io::LoadedScene>(std::move(loaded)).built;
  auto own = std::make_shared<model::Model>(*out.model);
  for (std::size_t i = 0; i < kAxes.size(); ++i)
    own->laws[static_cast<std::size_t>(own->find_law(fmt::format("{}_motor", kAxes[i])))]
        .law.force = Signal::function([torques, i](double) {
      return Jet{(*torques)[i], 0, 0};
    });
  out.model = std::move(own);
  return out;
}

/// Where the axes are to be, with rates and accelerations.
struct Wanted {
  VecX y = VecX::Zero(6), v = VecX::Zero(6), a = VecX::Zero(6);
};
Wanted wanted(double t) {
  Wanted out;
  for (Eigen::Index i = 0; i < 6; ++i) {
    const double size = 0.3 + 0.1 * static_cast<double>(i), w = 2 + 0.3 * static_cast<double>(i);
    out.y[i] = size * (1 - std::cos(w * t));
    out.v[i] = size * w * std::sin(w * t);
    out.a[i] = size * w * w * std::cos(w * t);
  }
  return out;
}

sim::Settings at_1_khz(long steps) {
  sim::Settings out;
  out.duration = 1e-3 * static_cast<double>(steps);
  out.step = 1e-3;
  return out;
}

/// CPU seconds of the parts of a loop of so many steps.
struct Parts {
  double read = 0, inverse = 0, step = 0, off = 0;  // off: greatest error of an axis [rad]
};

Parts control(const model::Built& arm, Torques& torques, long steps) {
  sim::Trial trial(arm, at_1_khz(steps));
  sim::Dynamics dynamics(arm);
  std::vector<model::CoordinateHandle> axes;
  for (const char* axis : kAxes) axes.push_back(model::coordinate_named(trial.model(), axis));
  VecX y(6), v(6);
  Parts out;
  for (long k = 0; k < steps; ++k) {
    const double begin = cpu_seconds();
    for (std::size_t i = 0; i < axes.size(); ++i) {
      y[static_cast<Eigen::Index>(i)] = trial.now().coordinate(axes[i]);
      v[static_cast<Eigen::Index>(i)] = trial.now().rate(axes[i]);
    }
    const double read = cpu_seconds();
    const Wanted to = wanted(trial.t());
    dynamics.at(trial.state());
    const VecX tau = dynamics.inverse(to.a + 400 * (to.y - y) + 40 * (to.v - v)).tau;
    std::copy(tau.begin(), tau.end(), torques.begin());
    const double computed = cpu_seconds();
    if (!trial.advance()) break;
    const double stepped = cpu_seconds();
    out.read += read - begin;
    out.inverse += computed - read;
    out.step += stepped - computed;
    out.off = std::max(out.off, (to.y - y).cwiseAbs().maxCoeff());
  }
  return out;
}

void line(Report& report, const char* name, double seconds, long steps) {
  Figure f{name, "rattle-2", 6, 1e-3};
  f.steps = steps;
  f.seconds = seconds;
  report.line(f);
}

}  // namespace

void bench_control(const Options& options, Report& report) {
  constexpr long kSteps = 5000, kChanges = 500;
  const auto torques = std::make_shared<Torques>();
  const model::Built arm = arm_with_actuators(options, torques);
  const Parts parts = control(arm, *torques, kSteps);
  line(report, "arm_read_12", parts.read, kSteps);
  line(report, "arm_inverse_dynamics", parts.inverse, kSteps);
  line(report, "arm_step", parts.step, kSteps);
  report.note(fmt::format("the axes follow to {:.1e} rad", parts.off));
  if (!(parts.off < 0.02)) report.fault("the arm does not follow");
  sim::Trial trial(arm, at_1_khz(1000));
  const model::ParamHandle payload = model::param_named(trial.model(), "body.payload.mass");
  const double before = cpu_seconds();
  for (long k = 0; k < kChanges; ++k) trial.set(payload, 3 + 1e-3 * static_cast<double>(k));
  line(report, "arm_set_parameter", cpu_seconds() - before, kChanges);
}

}  // namespace trammel::bench
