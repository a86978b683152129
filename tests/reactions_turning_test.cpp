// Reactions of a hinge whose body turns by half a radian in a step: they are given in the axes of
// frame A, however far B has turned within the step.
#include <fmt/format.h>

#include "sim/checkpoint.h"
#include "sim/present.h"
#include "support.h"

namespace trammel::acceptance::reactions_turning_test {
namespace {

constexpr double kG = 9.81, kMass = 2, kArm = 0.5, kSpin = 500, kStep = 1e-3;

/// A rotor on a bearing at the origin along x, its centre half a metre out.
model::Builder rotor(double torque_strength = law::kInf) {
  model::Builder b;
  auto body = solid("rotor", kMass, {0.02, 0.01, 0.01}, {Vec3(kArm, 0, 0)});
  body.w = {kSpin, 0, 0};
  b.add_body(body);
  auto bearing = joint("bearing", "revolute", "ground", "rotor", {Vec3::Zero()});
  if (std::isfinite(torque_strength)) bearing.torque_strength = torque_strength;
  b.add_joint(bearing);
  return b;
}

model::Reaction reaction(const sim::Simulation& sim) { return sim.formulation().reaction(0); }

/// The weight upwards, and its moment about the bearing held.
double off_weight(const model::Reaction& r) {
  return std::max((r.force - Vec3(0, 0, kMass * kG)).norm(),
                  (r.torque - Vec3(0, -kMass * kG * kArm, 0)).norm());
}

struct Way {
  const char* name;
  form::Settings form;
};

std::vector<Way> ways() {
  using form::Settings;
  std::vector<Way> out{{"velocity", {}}, {"velocity, order 4", order4()}};
  Settings s;
  s.scheme = Settings::Scheme::baumgarte;
  out.push_back({"velocity, Baumgarte", s});
  s = {};
  s.formulation = Settings::Formulation::acceleration;
  out.push_back({"acceleration", s});
  s.formulation = Settings::Formulation::energy;
  s.joint_stiffness = law::kInf;
  out.push_back({"energy, bdf2", s});
  s.difference = Settings::Difference::bdf1;
  out.push_back({"energy, bdf1", s});
  return out;
}

TEST(TurningReactions, AreInTheAxesOfFrameA) {
  for (const Way& way : ways()) {
    SCOPED_TRACE(way.name);
    Simulation sim(built(rotor()), settings(0.02, kStep, way.form));
    const double rounding = way.form.formulation == form::Settings::Formulation::energy
                                ? 1e-3   // minima are found to 1e-12 m: over h^2, times the mass
                                : 1e-7;  // rows to 1e-12 m/s
    EXPECT_LE(off_weight(reaction(sim)), rounding) << "first frame";
    double most = 0;
    run(sim, [&] { most = std::max(most, off_weight(reaction(sim))); });
    RecordProperty(way.name, fmt::format("{:.3g}", most));
    EXPECT_LE(most, rounding);
    const model::Reaction by_name = sim::Present(sim).reaction("bearing");
    EXPECT_LE(off_weight(by_name), rounding);
  }
}

TEST(TurningReactions, BreakWhatTheyExceed) {
  const double moment = kMass * kG * kArm;
  for (const auto& [strength, events] : {std::pair(0.999 * moment, 1u), {1.001 * moment, 0u}}) {
    Simulation sim(built(rotor(strength)), settings(0.005, kStep));
    run(sim);
    EXPECT_EQ(sim.take_events().size(), events) << strength;
  }
}

TEST(TurningReactions, AreTheSameBitsAfterACheckpoint) {
  std::vector<Way> all = ways();
  all.push_back({"energy, midpoint", {}});  // of soft joints, which swing about what they carry
  all.back().form.formulation = form::Settings::Formulation::energy;
  all.back().form.difference = form::Settings::Difference::midpoint;
  all.back().form.joint_stiffness = 1e8;
  for (const Way& way : all) {
    SCOPED_TRACE(way.name);
    const model::Built made = built(rotor());
    sim::Simulation whole(made, settings(0.02, kStep, way.form));
    for (int k = 0; k < 7; ++k) ASSERT_TRUE(whole.advance());
    sim::Simulation other(made, settings(0.02, kStep, way.form));
    sim::from_bytes(sim::to_bytes(whole), other);
    for (int k = 0; k < 2; ++k) {
      const model::Reaction a = reaction(whole), b = reaction(other);
      EXPECT_EQ(a.force, b.force);
      EXPECT_EQ(a.torque, b.torque);
      ASSERT_TRUE(whole.advance());
      ASSERT_TRUE(other.advance());
    }
  }
}

}  // namespace
}  // namespace trammel::acceptance::reactions_turning_test
