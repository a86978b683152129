// What the cross-check must not say of scenes that are right, and how far a run is from its limit.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <variant>

#include "verify/refinement.h"
#include "verify/verify.h"

namespace trammel::verify::verdict_test {
namespace {

namespace fs = std::filesystem;

const Options kWhole{.choose_horizon = false, .work = 0};

model::Built built(const model::Builder& builder) {
  auto result = builder.build();
  if (!std::holds_alternative<model::Built>(result)) throw std::runtime_error("refused");
  return std::get<model::Built>(std::move(result));
}

sim::Settings settings(double duration, double step) {
  sim::Settings s;
  s.duration = duration;
  s.step = step;
  return s;
}

std::string said(const Report& r) {
  std::string out;
  for (const std::string& f : r.findings) out += f + "\n";
  for (const std::string& f : r.ill_posed) out += "ill-posed: " + f + "\n";
  for (const Unresolved& u : r.unresolved) out += r.series[u.series].name + ": " + u.why + "\n";
  return out;
}

/// A block of 2 kg on a slide along x, at the given speed.
model::Builder slider(double speed) {
  model::Builder b;
  model::BodySpec block;
  block.name = "block";
  block.mass = 2;
  block.solid = model::Solid{model::Solid::Kind::box, {0.1, 0.1, 0.1}};
  block.v = {speed, 0, 0};
  b.add_body(block);
  model::JointSpec j;
  j.name = "slide";
  j.type = "prismatic";
  j.b = "block";
  j.frame_a = j.frame_b = Pose{};
  b.add_joint(j);
  return b;
}

model::LawSpec law(const std::string& type, std::map<std::string, double> numbers) {
  model::LawSpec l;
  l.name = l.type = type;
  l.joint = "slide";
  l.numbers = std::move(numbers);
  return l;
}

// 4 N of friction, 3 m/s, a stop at 0.8 m that throws back six tenths: at rest 0.278 m on its way
// back. The impact falls into the first quarter of a step of 1 ms.
TEST(Verdicts, AStopThatThrowsBackIsNoAlarm) {
  model::Builder b = slider(3);
  b.add_law(law("friction", {{"force", 4}}));
  b.add_law(law("limit", {{"to", 0.8}, {"restitution", 0.6}}));
  const model::Built m = built(b);
  const Report r = verify(m, settings(2, 1e-3), kWhole);
  EXPECT_EQ(r.verdict(), Verdict::agrees) << said(r);
  const double rest = 0.8 - 1.444991350 * 1.444991350 / 4;
  for (const Series& s : r.series) {
    const Distance u = s.uncertain(static_cast<std::size_t>(s.count() - 1));
    EXPECT_LT(std::abs(s.limit.back().p.x() - rest), u.length + 1e-9) << s.name;
    EXPECT_LT(u.length, 5e-3) << s.name;  // two steps' way, at most
  }
}

TEST(Verdicts, RefinedStepsDoNotNest) {
  for (const long stride : {1L, 2L, 7L, 20L, 60L, 12345L}) {
    const Grid grid{1e-3, stride, 10};
    const long n[] = {steps_between(grid, 0), steps_between(grid, 1), steps_between(grid, 2)};
    EXPECT_EQ(n[0], stride);
    EXPECT_EQ(std::gcd(n[0] * n[1], n[2]), 1) << stride;
    EXPECT_EQ(std::gcd(n[0], n[1]), 1) << stride;
    const double per = static_cast<double>(stride);
    EXPECT_GE(static_cast<double>(n[1]) / per, 2) << stride;
    EXPECT_LE(static_cast<double>(n[2]) / per, 6) << stride;
  }
}

TEST(Verdicts, OrdersOfUnequalRatios) {
  const double h[] = {1, 1 / 2.3, 1 / 5.1};
  for (const double p : {-1., 0.5, 1., 2., 4.}) {
    const auto error = [&](int i) { return 3 * std::pow(h[i], p); };
    const double d1 = std::abs(error(0) - error(1)), d2 = std::abs(error(1) - error(2));
    EXPECT_NEAR(order_of_differences(d1, d2, h[0], h[1], h[2]), p, 1e-9);
    if (p > 0) {
      EXPECT_NEAR(error(1) + extrapolating(h[1], h[2], p) * (error(2) - error(1)), 0, 1e-12);
    }
  }
}

class VerdictOnResults : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "trammel_verdict_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  Report checked(const model::Built& m, const sim::Settings& s) {
    Report r = verify(m, s, kWhole);
    const fs::path file = folder_ / "a.h5";
    fs::remove(file);
    check_results(m, s, {}, file.string(), r, kWhole);
    return r;
  }

 private:
  fs::path folder_;
};

// A rod without mass or inertia: there is nothing to divide by.
TEST_F(VerdictOnResults, WhatHasNoMassIsNoAlarm) {
  model::Builder b = slider(1);
  model::BodySpec rod;
  rod.name = "rod";
  rod.mass = 0;
  rod.inertia = std::array<double, 6>{};
  b.add_body(rod);
  model::JointSpec j;
  j.name = "weld";
  j.type = "fixed";
  j.a = "block";
  j.b = "rod";
  j.at = Pose{};
  b.add_joint(j);
  const Report r = checked(built(b), settings(0.2, 1e-3));
  EXPECT_EQ(r.verdict(), Verdict::agrees) << said(r);
  ASSERT_TRUE(r.independent);
  for (const Residual& residual : r.independent->residuals)
    EXPECT_TRUE(std::isfinite(residual.allowed)) << residual.what;
}

// A spring of 25 N/m on 2 kg: the run at hand is off by what its first series' first run is.
TEST_F(VerdictOnResults, ThisRunIsJudgedByTheLimit) {
  model::Builder b = slider(1);
  b.add_law(law("spring", {{"stiffness", 25}}));
  const model::Built m = built(b);
  for (const double step : {2e-2, 1e-3}) {
    const Report r = checked(m, settings(2, step));
    EXPECT_EQ(r.verdict(), Verdict::agrees) << said(r);
    ASSERT_TRUE(r.own_run);
    double first = 0;
    for (const Distance& d : r.series[0].error) first = std::max(first, d.length);
    EXPECT_GT(first, 1e-8);
    EXPECT_NEAR(r.own_run->off.length, first, 1e-2 * first);
    EXPECT_EQ(r.own_run->length_body, "block");
    EXPECT_EQ(r.own_run->formulation, "velocity");
    EXPECT_NEAR(r.own_run->until, 2, 1e-9);
  }
  // acceleration: its error is its accuracy's
  sim::Settings by_forces = settings(2, 2e-2);
  by_forces.form.formulation = form::Settings::Formulation::acceleration;
  const Report r = checked(m, by_forces);
  ASSERT_TRUE(r.own_run);
  EXPECT_LT(r.own_run->off.length, 1e-5);
  EXPECT_FALSE(std::isfinite(r.own_run->lost_from));
}

// A run that is too coarse to say anything is told of, though its limit is found.
TEST_F(VerdictOnResults, ARunThatIsOffIsTold) {
  model::Builder b = slider(1);
  b.add_law(law("spring", {{"stiffness", 25}}));
  const Report r = checked(built(b), settings(8, 0.1));
  ASSERT_TRUE(r.own_run);
  EXPECT_GT(r.own_run->off.length, 1e-2 * r.size);
  EXPECT_TRUE(std::isfinite(r.own_run->lost_from));
}

// 50 times too stiff for the steps: no disagreement, and the others' is found all the same.
TEST(Verdicts, WhatIsNotResolvedContradictsNobody) {
  model::Builder b = slider(1);
  b.add_law(law("spring", {{"stiffness", 2e6}}));
  const Report r = verify(built(b), settings(0.5, 2e-3), kWhole);
  EXPECT_EQ(r.verdict(), Verdict::not_resolved) << said(r);
  EXPECT_TRUE(r.findings.empty()) << said(r);
  EXPECT_LT(r.resolved_until(), 0.5);
  bool whole = false;  // one of them is
  for (const long n : r.resolved) whole |= n == r.grid.count;
  EXPECT_TRUE(whole);
}

}  // namespace
}  // namespace trammel::verify::verdict_test
