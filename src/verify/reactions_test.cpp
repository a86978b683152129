// Reactions of joints side by side: right ones agree in every way of solving, wrong ones are named,
// undetermined ones are not compared.
#include "verify/reactions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <variant>

#include "math/rotation.h"
#include "verify/verify.h"

namespace trammel::verify::reactions_test {
namespace {

model::Built built(const model::Builder& builder) {
  auto result = builder.build();
  if (auto* problems = std::get_if<std::vector<Problem>>(&result))
    throw std::runtime_error(problems->front().path + ": " + problems->front().text);
  return std::get<model::Built>(std::move(result));
}

model::BodySpec body(const std::string& name, const Vec3& p, const Mat3& R = Mat3::Identity()) {
  model::BodySpec b;
  b.name = name;
  b.mass = 2;
  b.inertia = {0.02, 0.05, 0.04, 0.001, -0.002, 0.003};
  b.X_WB = {p, R};
  return b;
}

model::JointSpec hinge(const std::string& name, const std::string& a, const std::string& b,
                       const Vec3& p, const Vec3& axis) {
  model::JointSpec j;
  j.name = name;
  j.type = "revolute";
  j.a = a;
  j.b = b;
  Mat3 R;
  R.col(0) = axis.normalized();
  R.col(1) = R.col(0).unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  j.at = Pose{p, R};
  return j;
}

/// A body that is not balanced on a fast bearing, and another one hung from it.
model::Built spinning() {
  model::Builder b;
  model::BodySpec rotor = body("rotor", {0.4, 0.05, 0});
  rotor.w = {60, 0, 0};
  b.add_body(rotor);
  b.add_body(body("bob", {0.6, 0.3, 0}));
  b.add_joint(hinge("bearing", "ground", "rotor", {0, 0, 0}, {1, 0, 0}));
  b.add_joint(hinge("knee", "rotor", "bob", {0.6, 0.1, 0}, {1, 1, 0}));
  return built(b);
}

sim::Settings settings() {
  sim::Settings s;
  s.duration = 0.1;
  s.step = 1e-3;
  return s;
}

const Options kWhole{.choose_horizon = false, .work = 0};

TEST(ReactionsCompared, AgreeInEveryFormulation) {
  const model::Built made = spinning();
  sim::Settings s = settings();
  s.form.formulation = form::Settings::Formulation::energy;  // one more way of solving
  s.form.joint_stiffness = law::kInf;
  const Report r = verify(made, s, kWhole);
  EXPECT_TRUE(r.reactions.findings.empty()) << r.reactions.findings.front();
  EXPECT_EQ(r.reactions.joints, 2u);
  EXPECT_EQ(r.reactions.components, 12u);
  EXPECT_EQ(r.reactions.pairs.size(), 6u);  // two by impulses, forces, energy
  ASSERT_EQ(r.reactions.errors.size(), 4u);
  EXPECT_NEAR(r.reactions.errors.front().order, 2, 0.1);  // of the velocity formulation
}

/// All ways of solving, run.
struct Runs {
  explicit Runs(const model::Built& made)
      : methods(methods_of(made, {})), grid(make_grid(settings().step, settings().duration)) {
    for (const Method& m : methods.methods) series.push_back(run_series(m, settings(), grid, {}));
    until.assign(series.size(), grid.count);
    for (Series& s : series) extrapolate(s, {});
  }
  ReactionReport compared() const { return compare_reactions(methods, series, until); }
  Methods methods;
  Grid grid;
  std::vector<Series> series;
  std::vector<long> until;
};

TEST(ReactionsCompared, EveryWrongComponentIsNamed) {
  const model::Built made = spinning();
  const Runs right(made);
  ASSERT_TRUE(right.compared().findings.empty()) << right.compared().findings.front();
  const std::size_t joints = made.model->joints.size();
  for (std::size_t j = 0; j < joints; ++j)
    for (std::size_t c = 0; c < kComponents; ++c) {
      Runs wrong = right;
      for (Samples& run : wrong.series.front().runs) {
        std::vector<double>& value = run.reactions.value;
        for (std::size_t i = kComponents * j + c; i < value.size(); i += kComponents * joints)
          value[i] += 0.1 * std::abs(value[i]) + 0.5;
      }
      const std::vector<std::string> findings = wrong.compared().findings;
      ASSERT_FALSE(findings.empty()) << j << " " << c;
      const char* names[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
      const std::string said = fmt::format("'{}' at t = ", made.model->joints[j].name);
      EXPECT_NE(findings.front().find(said), std::string::npos) << findings.front();
      EXPECT_NE(findings.front().find(fmt::format(": {} is ", names[c])), std::string::npos)
          << findings.front();
    }
}

/// A parallelogram in the plane of y and z whose hinges along x hold it across its plane too often.
model::Built parallelogram() {
  model::Builder b;
  b.add_body(body("left", {0, 0, 0.5}));
  b.add_body(body("right", {0, 1, 0.5}));
  b.add_body(body("coupler", {0, 0.5, 1}));
  const Vec3 x = Vec3::UnitX();
  b.add_joint(hinge("A", "ground", "left", {0, 0, 0}, x));
  b.add_joint(hinge("B", "ground", "right", {0, 1, 0}, x));
  b.add_joint(hinge("C", "left", "coupler", {0, 0, 1}, x));
  b.add_joint(hinge("D", "right", "coupler", {0, 1, 1}, x));
  return built(b);
}

TEST(ReactionsCompared, OfRedundantRowsWhatIsDetermined) {
  const model::Built made = parallelogram();
  ASSERT_EQ(made.start.rank.surplus(), 3);
  const std::vector<unsigned char> known = determined(made, made.state);
  for (std::size_t j = 0; j < made.model->joints.size(); ++j) {
    SCOPED_TRACE(made.model->joints[j].name);
    const unsigned char* of = known.data() + kComponents * j;
    EXPECT_FALSE(of[0]);  // across the plane
    EXPECT_TRUE(of[1]);   // in it
    EXPECT_TRUE(of[2]);
    EXPECT_TRUE(of[3]);  // about the axis
    EXPECT_FALSE(of[4] && of[5]);
  }
  for (const unsigned char one : determined(spinning(), spinning().state)) EXPECT_TRUE(one);
}

TEST(ReactionsCompared, AgreeWhereRowsAreRedundant) {
  const model::Built made = parallelogram();
  const ReactionReport r = Runs(made).compared();
  EXPECT_TRUE(r.findings.empty()) << r.findings.front();
  EXPECT_FALSE(r.pairs.empty());
}

}  // namespace
}  // namespace trammel::verify::reactions_test
