// Probes on bodies of a caller's own kind, whose velocities are not their motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <variant>

#include "body/pool.h"
#include "model/builder.h"
#include "sim/simulation.h"

namespace trammel::sim::probe_test {
namespace {

/// An arm of 1 m that turns about z at the origin; its parameter is the inertia about it.
class ArmPool final : public body::Pool {
 public:
  explicit ArmPool(std::string_view kind = "arms") : kind_(kind) {
    n_blocks = nq = nv = n_objects = n_params = n_derived = 1;
  }
  std::string_view kind() const override { return kind_; }
  body::MotionKind motion_kind() const override { return body::MotionKind::rigid; }
  void derive(const double* I, double* derived) const override { *derived = 1 / *I; }
  void transforms(const double*, const double* q, body::Transform* out,
                  double* jacobian) const override {
    *out = {{std::cos(*q), std::sin(*q), 0},
            Eigen::AngleAxisd(*q, Vec3::UnitZ()).toRotationMatrix()};
    const double motion[] = {-std::sin(*q), std::cos(*q), 0, 0, 0, 1};
    std::copy_n(motion, 6, jacobian);
  }
  void inverse_mass(const double* derived, const double*, const body::Transform*,
                    double* out) const override {
    *out = *derived;
  }
  void momentum(const double* derived, const double*, const double* u, double* P) const override {
    *P = *u / *derived;
  }
  void rates(const double*, const double* q, const double* u, const body::Transform* at,
             body::Rate* rate, body::Bias* bias) const override {
    const Vec3 out(std::cos(*q), std::sin(*q), 0), along(-out.y(), out.x(), 0);
    Mat3 turn = Mat3::Zero();
    turn(0, 1) = -*u;
    turn(1, 0) = *u;
    *rate = {*u * along, turn * at->A};
    *bias = {-*u * *u * out, turn * turn * at->A};
  }
  void flow(const double* derived, double h, const double* q, const double* P, double* q1,
            double* P1) const override {
    *q1 = *q + h * *derived * *P;
    *P1 = *P;
  }
  void retract(const double* dq, double* q) const override { *q += *dq; }
  void difference(const double* q, const double* q1, double* dq) const override { *dq = *q1 - *q; }
  void add_own_force(const double*, const double*, const double*, double*) const override {}
  void add_momentum(const double*, const double*, const double* P, Vec3&,
                    Vec3& angular) const override {
    angular.z() += *P;
  }
  void add_second_variation(int, const double*, const double*, const body::Transform&, int,
                            const Vec3&, const Mat3&, double*) const override {}
  double mass(const double*, int, int) const override { return 1; }

 private:
  std::string_view kind_;
};

/// 2 rad/s: 1.5 m from the axis 3 m/s, and 6 m/s^2 inwards.
TEST(Probe, OnAnArmOfACallersOwnKind) {
  for (const auto way :
       {form::Settings::Formulation::velocity, form::Settings::Formulation::acceleration}) {
    model::Builder b;
    b.gravity.setZero();
    b.add_pool({std::make_shared<ArmPool>(), {"arm"}, {3}, {0.4}, {2}});
    auto made = b.build();
    auto* built = std::get_if<model::Built>(&made);
    ASSERT_TRUE(built);
    Settings settings;
    settings.duration = 0.5;
    settings.step = 1e-2;
    settings.form.formulation = way;
    settings.probes.push_back({"tip", "", "arm", Vec3(0.5, 0, 0)});
    Simulation run(*built, settings);
    while (!run.finished() && run.advance()) continue;
    EXPECT_EQ(run.failure(), "");
    EXPECT_NEAR(run.state().q[0], 0.4 + 2 * 0.5, 1e-9);
    const std::vector<Extreme> extremes = run.peaks().extremes;
    ASSERT_GE(extremes.size(), 1u);
    EXPECT_EQ(extremes[0].name, "tip.longitudinal");
    EXPECT_NEAR(std::abs(extremes[0].value), 6, 1e-3);  // of differences of speeds over a step
  }
}

TEST(Probe, KindsThatAreTrammelsOwnAreTaken) {
  for (const char* kind : {"rigid", "affine", "ground", "prescribed"}) {
    model::Builder b;
    b.add_pool({std::make_shared<ArmPool>(kind), {"arm"}, {3}, {0.4}, {2}});
    const auto made = b.build();
    const auto* problems = std::get_if<std::vector<Problem>>(&made);
    ASSERT_TRUE(problems) << kind;
    EXPECT_NE(problems->front().text.find("Trammel's own"), std::string::npos);
  }
}

}  // namespace
}  // namespace trammel::sim::probe_test
