#include "sim/settings.h"

#include <fmt/core.h>

#include <cmath>

namespace trammel::sim {

namespace {

/// The values that a setting may have: greater than zero, or zero as well, or infinite as well.
enum Allowed : unsigned { kPositive = 0, kZero = 1, kInfinite = 2 };

std::string complaint(double value, unsigned allowed) {
  if (value > 0 && std::isfinite(value)) return {};
  if ((allowed & kZero) && value == 0) return {};
  if ((allowed & kInfinite) && value > 0 && std::isinf(value)) return {};
  return fmt::format("{} must be {}{}", value,
                     allowed & kZero ? "zero or greater" : "greater than 0",
                     allowed & kInfinite ? "" : ", and finite");
}

}  // namespace

std::vector<Problem> wrong(const Settings& s) {
  std::vector<Problem> out;
  const auto check = [&](const char* key, double value, unsigned allowed) {
    if (std::string text = complaint(value, allowed); !text.empty())
      out.push_back({std::string("simulation.") + key, std::move(text)});
  };
  check("duration", s.duration, kPositive);
  check("step", s.step, kPositive);
  check("output_step", s.output_step, kZero);
  check("checkpoint_interval", s.checkpoint_interval, kInfinite);
  check("checkpoint_steps", s.checkpoint_steps, kInfinite);
  check("tolerance", s.form.tolerance.value, kPositive);
  check("erp", s.form.erp, kZero);
  check("contraction", s.form.iteration.contraction, kPositive);
  check("max_iterations", s.form.iteration.most, kPositive);
  const form::Settings::Accuracy& a = s.form.accuracy;
  for (const double x : {a.length, a.angle, a.speed, a.spin, a.relative})
    check("accuracy", x, kZero | kInfinite);
  check("baumgarte_alpha", s.form.baumgarte.alpha, kZero);
  check("baumgarte_beta", s.form.baumgarte.beta, kZero);
  check("joint_length", s.form.joint_length, kZero);
  if (std::isnan(s.form.joint_stiffness) || s.form.joint_stiffness == 0)
    out.push_back(
        {"simulation.joint_stiffness", fmt::format("{} must not be zero", s.form.joint_stiffness)});
  if (s.form.order != 2 && s.form.order != 4)
    out.push_back({"simulation.order", fmt::format("{} must be 2 or 4", s.form.order)});
  for (const ProbeSpec& p : s.probes)
    if (!p.point.allFinite())
      out.push_back({p.path.empty() ? "probe." + p.name : p.path, "its point is not finite"});
  return out;
}

}  // namespace trammel::sim
