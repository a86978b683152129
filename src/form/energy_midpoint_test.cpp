// The midpoint scheme of the energy formulation about what turns: order, works, long runs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "form/acceleration.h"
#include "form/energy.h"
#include "form/test_tree_pool.h"
#include "model/ledger.h"

namespace trammel::form::energy_midpoint_test {
namespace {

struct Outcome {
  body::Transform at;
  double residual = 0, energy = 0, least = law::kInf, most = -law::kInf, work = 0;  // [J]
};

model::Built built_of(const model::Builder& b) {
  auto built = b.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&built))
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
  return std::get<model::Built>(std::move(built));
}

template <class Form>
Outcome run(const model::Built& built, const Settings& settings, double h, double time) {
  model::State state = built.state;
  Form form(*built.model, built.params, settings);
  EXPECT_TRUE(form.load(state));
  Outcome out;
  out.energy = form.total_energy(state);
  StepReport report;
  for (int k = 0; k < static_cast<int>(std::lround(time / h)); ++k) {
    form.step(state, h, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
    double works = 0;
    for (std::size_t i = 0; i < state.ledger.size(); ++i)
      if (i != model::kInitial) works += state.ledger[i];
    const double energy = form.total_energy(state);
    out.residual = std::max(out.residual, std::abs(energy - out.energy - works));
    out.least = std::min(out.least, energy);
    out.most = std::max(out.most, energy);
  }
  out.at = form.now().T_WO[1];
  if (!built.model->loads.empty()) out.work = state.ledger[at(built.model->first_load_slot)];
  return out;
}

Settings by_midpoint() {
  Settings out;
  out.formulation = Settings::Formulation::energy;
  out.difference = Settings::Difference::midpoint;
  return out;
}

Settings exact() {
  Settings out;
  out.formulation = Settings::Formulation::acceleration;
  out.accuracy = {1e-11, 1e-11, 1e-11, 1e-11, 1e-11};
  return out;
}

/// A body of three unlike moments that spins about none of its axes.
void add_spinning(model::Builder& b) {
  model::BodySpec it;
  it.name = "it";
  it.mass = 2;
  it.inertia = {1, 2, 2.6, 0, 0, 0};
  it.w = {0.3, 3, 0.2};
  it.v = {0.4, 0.1, -0.3};
  b.add_body(it);
}

/// The same drag on a link of a block in generalised coordinates.
void add_swinging(model::Builder& b) {
  test::Link l{"it", -1};
  l.arm = {0.2, 0.1, -0.4};
  l.mass = 2;
  l.inertia = {1, 2, 2.6};
  l.q = 0.7;
  l.u = 2;
  test::Link tip{"tip", 0};
  tip.axis = {1, 0.3, 0};
  tip.arm = {0, 0, -0.3};
  tip.u = -1;
  tip.inertia = {0.1, 0.2, 0.15};
  test::add_as_pool({l, tip}, b);
}

model::LoadSpec load(const char* type) {
  model::LoadSpec out;
  out.name = type;
  out.body = "it";
  out.type = type;
  out.point = {0.3, -0.2, 0.4};
  if (std::string(type) == "drag") out.numbers = {{"linear", 1.5}, {"quadratic", 0.5}};
  if (std::string(type) == "force") {
    out.axes = law::Axes::body;
    out.value = {Signal(2.), Signal(-1.), Signal(3.)};
  }
  return out;
}

using Add = void (*)(model::Builder&);

/// Of second order in the step, where it is and what loads have done: halved steps leave a quarter.
void expect_order_two(Add add, const char* load_type) {
  SCOPED_TRACE(load_type);
  model::Builder b;
  b.gravity.setZero();
  add(b);
  if (*load_type) b.add_load(load(load_type));
  const model::Built built = built_of(b);
  const Outcome want = run<Acceleration>(built, exact(), 0.1, 1);
  std::array<double, 2> off{}, work{};
  for (std::size_t i = 0; i < 2; ++i) {
    const Outcome it = run<Energy>(built, by_midpoint(), i == 0 ? 0.01 : 0.005, 1);
    off[i] = (it.at.p - want.at.p).norm() + (it.at.A - want.at.A).norm();
    work[i] = std::abs(it.work - want.work);
    EXPECT_LT(it.residual, 1e-9);
  }
  EXPECT_NEAR(std::log2(off[0] / off[1]), 2, 0.2) << off[0] << ' ' << off[1];
  if (*load_type) {
    EXPECT_NEAR(std::log2(work[0] / work[1]), 2, 0.3) << work[0] << ' ' << work[1];
  }
}

TEST(EnergyMidpoint, IsOfOrderTwoAboutBodiesThatTurn) {
  for (const char* load_type : {"", "force", "drag"}) expect_order_two(add_spinning, load_type);
}

TEST(EnergyMidpoint, IsOfOrderTwoAboutSystems) {
  for (const char* load_type : {"", "force", "drag"}) expect_order_two(add_swinging, load_type);
}

/// 300 rad of free spin at 0.03 rad a step: the energy swings, and drifts by less than that.
TEST(EnergyMidpoint, KeepsTheEnergyOfAFreeSpin) {
  model::Builder b;
  b.gravity.setZero();
  add_spinning(b);
  const Outcome it = run<Energy>(built_of(b), by_midpoint(), 0.01, 100);
  EXPECT_LT(it.most - it.least, 3e-4 * it.energy);
}

}  // namespace
}  // namespace trammel::form::energy_midpoint_test
