// Spins by the energy formulation: angles are those of their rates, bodies tumble with order.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "form/acceleration.h"
#include "form/energy.h"
#include "model/builder.h"

namespace trammel::form::energy_turns_test {
namespace {

using Difference = Settings::Difference;
constexpr Difference kAll[] = {Difference::bdf1, Difference::bdf2, Difference::midpoint};

model::Built built_of(const model::Builder& b) {
  auto built = b.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&built))
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
  return std::get<model::Built>(std::move(built));
}

Settings by_energy(Difference difference, double joint_stiffness = 1e9) {
  Settings out;
  out.formulation = Settings::Formulation::energy;
  out.difference = difference;
  out.joint_stiffness = joint_stiffness;
  return out;
}

model::BodySpec rotor(const std::string& name, const Vec3& w, const Vec3& p = Vec3::Zero()) {
  model::BodySpec out;
  out.name = name;
  out.mass = 2;
  out.inertia = {1, 2, 2.6, 0, 0, 0};
  out.w = w;
  out.X_WB.p = p;
  return out;
}

model::JointSpec axle(const std::string& body, const Vec3& p, const Mat3& axes) {
  model::JointSpec out;
  out.name = body + " axle";
  out.type = "revolute";
  out.b = body;
  out.at = Pose{p, axes};
  return out;
}

/// Makes so many steps of h, and calls each(formulation) after every one.
template <class Form, class F>
void run(const model::Built& built, const Settings& settings, double h, int steps, const F& each) {
  model::State state = built.state;
  Form form(*built.model, built.params, settings);
  ASSERT_TRUE(form.load(state));
  StepReport report;
  for (int k = 0; k < steps; ++k) {
    form.step(state, h, report);
    ASSERT_EQ(report.status, Status::ok) << report.reason;
    each(form);
  }
}

/// The angle that a body has turned by about an axis in n steps, counted from step to step.
double angle_after(const model::Built& built, const Settings& settings, double h, int n,
                   const Vec3& axis) {
  double sum = 0;
  Mat3 A = Mat3::Identity();
  run<Energy>(built, settings, h, n, [&](const Energy& form) {
    const Mat3& next = form.now().T_WO[1].A;
    sum += log_quat(Quat(next * A.transpose())).dot(axis);
    A = next;
  });
  return sum;
}

/// How a body that spins about a principal axis is held.
struct Held {
  bool on_axle;
  double joint_stiffness;
};

/// Expects n steps of some radians each to leave the body where its rate leads, to rounding.
void expect_exact_turn(double turn, Difference d, const Held& held) {
  constexpr double kStep = 1e-3;
  constexpr int kSteps = 500;
  const Vec3 w = turn / kStep * Vec3::UnitX();
  model::Builder b;
  b.gravity.setZero();
  b.add_body(rotor("it", w));
  if (held.on_axle) b.add_joint(axle("it", Vec3::Zero(), Mat3::Identity()));
  Mat3 A;
  Vec3 rate;
  run<Energy>(built_of(b), by_energy(d, held.joint_stiffness), kStep, kSteps,
              [&](const Energy& form) {
                A = form.now().T_WO[1].A;
                rate = vec3(form.velocities().data() + 3);
              });
  const Mat3 want = exp_matrix(kSteps * turn * Vec3::UnitX());
  EXPECT_LT((A - want).norm(), 1e-12 * kSteps * turn) << turn << " rad a step";
  EXPECT_LT((rate - w).norm(), 1e-12 * w.norm()) << turn << " rad a step";
}

/// Free and on an axle, soft or held; beyond half a turn a step too.
TEST(EnergyTurns, AnglesAboutAFixedAxisAreThoseOfTheirRates) {
  for (const Held& held : {Held{false, 1e9}, Held{true, 1e9}, Held{true, law::kInf}})
    for (const Difference d : kAll)
      for (const double turn : {0.03, 0.3, 0.9, 2.5, 4.}) {
        if (d == Difference::midpoint && std::isinf(held.joint_stiffness)) continue;  // refused
        SCOPED_TRACE(std::string(name_of(d)) + (held.on_axle ? " on an axle" : ""));
        expect_exact_turn(turn, d, held);
      }
}

/// A steady torque about a fixed axis: the difference formula of order two leaves no error in the
/// angle but that of its first step, which is bdf1's.
TEST(EnergyTurns, AnglesUnderATorqueAreThoseOfTheirRates) {
  constexpr double kStep = 1e-3, kTorque = 200;  // on 1 kg m^2
  constexpr int kSteps = 2000;
  model::Builder b;
  b.gravity.setZero();
  b.add_body(rotor("it", Vec3::Zero()));
  model::LoadSpec torque;
  torque.name = torque.type = "torque";
  torque.body = "it";
  torque.value = {Signal(kTorque), Signal(0.), Signal(0.)};
  b.add_load(torque);
  const double t = kStep * kSteps, want = kTorque * t * t / 2;
  const double turned =
      angle_after(built_of(b), by_energy(Difference::bdf2), kStep, kSteps, Vec3::UnitX());
  EXPECT_NEAR(turned, want, kTorque * kStep * kStep);
}

/// What is off in place after a second of tumbling.
double off_after_tumbling(const model::Built& built, Difference d, double h, const Mat3& want) {
  Mat3 A;
  run<Energy>(built, by_energy(d), h, static_cast<int>(std::lround(1 / h)),
              [&](const Energy& form) { A = form.now().T_WO[1].A; });
  return (A - want).norm();
}

Mat3 after_tumbling(const model::Built& built) {
  Settings exact;
  exact.formulation = Settings::Formulation::acceleration;
  exact.accuracy = {1e-11, 1e-11, 1e-11, 1e-11, 1e-11};
  Mat3 out;
  run<Acceleration>(built, exact, 0.1, 10,
                    [&](const Acceleration& form) { out = form.now().T_WO[1].A; });
  return out;
}

/// A body of three unlike moments.
TEST(EnergyTurns, AreOfTheSchemesOrderAboutNoPrincipalAxis) {
  model::Builder b;
  b.gravity.setZero();
  b.add_body(rotor("it", {0.3, 3, 0.2}));
  const model::Built built = built_of(b);
  const Mat3 want = after_tumbling(built);
  for (const Difference d : kAll) {
    const double coarse = off_after_tumbling(built, d, 0.01, want),
                 fine = off_after_tumbling(built, d, 0.005, want);
    EXPECT_GT(std::log2(coarse / fine), order_of(d) - 0.2) << name_of(d);
    EXPECT_LT(fine, 1e-3) << name_of(d);
  }
}

/// A needle end over end: nothing turns it about itself, however little that would take.
TEST(EnergyTurns, ThinBodiesDoNotSpinByRounding) {
  constexpr double kTurn = 0.5;  // a step [rad]
  for (const Difference d : kAll) {
    model::Builder b;
    b.gravity.setZero();
    model::BodySpec needle = rotor("it", kTurn / 1e-3 * Vec3::UnitY());
    needle.inertia = {1e-3, 2, 2, 0, 0, 0};
    b.add_body(needle);
    Mat3 A;
    run<Energy>(built_of(b), by_energy(d), 1e-3, 1000,
                [&](const Energy& form) { A = form.now().T_WO[1].A; });
    EXPECT_LT((A - exp_matrix(1000 * kTurn * Vec3::UnitY())).norm(), 1e-6) << name_of(d);
  }
}

/// A body whose centre of mass goes round its axle: its angle is that of its rate, whatever the
/// scheme takes of that.
TEST(EnergyTurns, AnglesFollowTheRatesOfWhatIsOffItsAxle) {
  constexpr double kStep = 1e-3;
  model::Builder b;
  b.gravity.setZero();
  model::BodySpec it = rotor("it", 300 * Vec3::UnitX(), 0.4 * Vec3::UnitY());
  it.v = it.w.cross(it.X_WB.p);
  b.add_body(it);
  b.add_joint(axle("it", Vec3::Zero(), Mat3::Identity()));
  for (const Difference d : {Difference::bdf1, Difference::bdf2}) {
    Mat3 A = Mat3::Identity();
    double turned = 0, told = 0, rate = 300;
    run<Energy>(built_of(b), by_energy(d, law::kInf), kStep, 200, [&](const Energy& form) {
      const Mat3& next = form.now().T_WO[1].A;
      turned += log_quat(Quat(next * A.transpose())).x();
      A = next;
      const double end = form.velocities()[3];
      told += kStep * (d == Difference::bdf1 ? end : (rate + end) / 2);
      rate = end;
    });
    EXPECT_NEAR(turned, told, 1e-3 * told) << name_of(d);
  }
}

/// Wheels of a gear: their angles keep the ratio that their rates have.
TEST(EnergyTurns, WheelsOfAGearKeepTheirRatio) {
  constexpr double kStep = 1e-3;
  model::Builder b;
  b.gravity.setZero();
  b.add_body(rotor("it", 300 * Vec3::UnitX()));
  b.add_body(rotor("other", -100 * Vec3::UnitX(), Vec3::UnitY()));
  b.add_joint(axle("it", Vec3::Zero(), Mat3::Identity()));
  b.add_joint(axle("other", Vec3::UnitY(), Mat3::Identity()));
  model::CouplingSpec gear;
  gear.name = "gear";
  gear.of = {{"it axle", "angle"}, {"other axle", "angle"}};
  gear.coefficients = {1, 3};
  b.add_coupling(gear);
  model::LawSpec mesh;
  mesh.name = "mesh";
  mesh.type = "locked";
  mesh.joint = "gear";
  b.add_law(mesh);
  for (const Difference d : {Difference::bdf1, Difference::bdf2})
    run<Energy>(built_of(b), by_energy(d, law::kInf), kStep, 1000, [&](const Energy& form) {
      const double* u = form.velocities().data();
      ASSERT_NEAR(u[3], -3 * u[9], 1e-6 * 300) << name_of(d);
      ASSERT_NEAR(u[3], 300, 1e-6 * 300) << name_of(d);
    });
}

}  // namespace
}  // namespace trammel::form::energy_turns_test
