// The reaction of every joint between bodies of every kind that turn, six components, in every
// formulation against the acceleration formulation between rigid bodies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "form/formulation.h"
#include "form/test_pairs.h"

namespace trammel::form::reactions_test {
namespace {

using namespace test;

// Bodies turn by up to 2 rad/s: by 0.04 rad in the longest steps. Steps in the ratios 1, 1/2.3 and
// 1/5.1, so that what falls at times of one grid does not fall at times of the others.
constexpr double kTime = 0.4;                             // [s]
constexpr std::array<int, 3> kSteps = {20, 46, 102};      // in that time
constexpr std::array<double, 3> kLooks = {0.5, 0.75, 1};  // about these shares of it

using Components = Eigen::Matrix<double, 6, 1>;

Components components(const Formulation& form) {
  const int joint = form.kinematics().model().find_joint("joint");  // others hold shapes
  const model::Reaction r = form.reaction(static_cast<std::size_t>(joint));
  Components out;
  out << r.force, r.torque;
  return out;
}

/// Where a formulation gives a reaction: so many parts of a step before its end.
double instant_of(const Settings& s) {
  const bool at_end = s.formulation == Settings::Formulation::energy &&
                      s.difference != Settings::Difference::midpoint;
  return at_end ? 0 : 0.5;
}

/// The reactions at the looks, with the instants that they belong to.
struct Looks {
  std::vector<double> t;
  std::vector<Components> at;
};

Looks run(const model::Built& built, const Settings& settings, int n) {
  Looks out;
  model::State state = built.state;
  Formulation form(*built.model, built.params, settings);
  EXPECT_TRUE(form.load(state));
  StepReport report;
  const double h = kTime / n;
  for (int k = 1; k <= n; ++k) {
    form.step(state, h, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
    if (report.status != Status::ok) break;
    for (const double look : kLooks)
      if (std::lround(look * n) == k) {
        out.t.push_back((k - instant_of(settings)) * h);
        out.at.push_back(components(form));
      }
  }
  return out;
}

/// The acceleration formulation's reactions at given instants.
std::vector<Components> reference(const model::Built& built, const std::vector<double>& instants) {
  Settings s;
  s.formulation = Settings::Formulation::acceleration;
  s.accuracy = {1e-11, 1e-11, 1e-11, 1e-11, 1e-11};
  std::vector<Components> out;
  model::State state = built.state;
  Formulation form(*built.model, built.params, s);
  EXPECT_TRUE(form.load(state));
  StepReport report;
  for (const double t : instants) {
    form.step(state, t - state.t, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
    out.push_back(components(form));
  }
  return out;
}

/// The greatest difference of one component at all looks, forces and torques alike: levers and
/// masses are of the size of 1.
double off(const Looks& looks, const model::Built& rigid) {
  const std::vector<Components> right = reference(rigid, looks.t);
  double most = 0;
  for (std::size_t k = 0; k < looks.at.size(); ++k)
    most = std::max(most, (looks.at[k] - right[k]).cwiseAbs().maxCoeff());
  return most;
}

double greatest(const Looks& looks) {
  double most = 0;
  for (const Components& c : looks.at) most = std::max(most, c.cwiseAbs().maxCoeff());
  return most;
}

/// What a residual of rows of 1e-12 m makes of forces: 1 kg times it over h^2; where rows hold the
/// shape of a body, with its moments.
double rounding(const Settings& s, int n) {
  const double h = kTime / n;
  return 20 * std::max(s.tolerance.value, 1e-12) / (h * h);
}

void expect_order(const Settings& settings, const model::Built& built, const model::Built& rigid,
                  double order) {
  std::array<double, 3> e{};
  double size = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Looks looks = run(built, settings, kSteps[k]);
    ASSERT_EQ(looks.at.size(), kLooks.size());
    e[k] = off(looks, rigid);
    size = std::max(size, greatest(looks));
  }
  const double seen = std::log(e[0] / e[2]) / std::log(kSteps[2] / static_cast<double>(kSteps[0]));
  SCOPED_TRACE(fmt::format("off {:.3g} {:.3g} {:.3g} of {:.3g}, order {:.2f}", e[0], e[1], e[2],
                           size, seen));
  const double floor = rounding(settings, kSteps[2]);
  if (e[0] > 5 * floor) {
    EXPECT_GE(seen, order - 0.3);
  }
  const double turned = 4 * kTime / kSteps[2];  // [rad] in a step
  EXPECT_LE(e[2], std::max(floor, 5 * std::pow(turned, order) * (1 + size)));
}

Settings energy(Settings::Difference difference) {
  Settings s;
  s.formulation = Settings::Formulation::energy;
  s.joint_stiffness = law::kInf;
  s.difference = difference;
  return s;
}

/// All pairs of kinds that such a mechanism can be made of.
std::vector<Kinds> all_kinds() {
  using enum Kind;
  return {{rigid, rigid},   {rigid, affine},  {affine, rigid},       {affine, affine},
          {ground, rigid},  {ground, affine}, {ground, system},      {system, rigid},
          {system, affine}, {system, system}, {system, system, true}};
}

/// One pair of kinds in the velocity formulation and by energy.
void expect_reactions(const Table& table, Kinds kinds) {
  SCOPED_TRACE(fmt::format("kinds {} {}{}", static_cast<int>(kinds.a), static_cast<int>(kinds.b),
                           kinds.together ? " together" : ""));
  const Kind like = kinds.a == Kind::ground ? Kind::ground : Kind::rigid;
  const model::Built built = build(table, nullptr, nullptr, law::kInf, kinds),
                     rigid = build(table, nullptr, nullptr, law::kInf, {like, Kind::rigid});
  ASSERT_TRUE(built.model && rigid.model);
  {
    SCOPED_TRACE("velocity");
    expect_order({}, built, rigid, 2);
  }
  {
    SCOPED_TRACE("energy, bdf2");
    expect_order(energy(Settings::Difference::bdf2), built, rigid, 2);
  }
}

class Reactions : public testing::TestWithParam<Table> {};

TEST_P(Reactions, AreOfTheOrderOfTheFormulation) {
  for (const Kind a : {Kind::rigid, Kind::ground}) expect_reactions(GetParam(), {a, Kind::rigid});
}

class SlowReactions : public Reactions {};

TEST_P(SlowReactions, AreTheSameBetweenAllKindsOfBodies) {
  int cases = 0;
  for (const Kinds& kinds : all_kinds()) {
    expect_reactions(GetParam(), kinds);
    ++cases;
  }
  EXPECT_EQ(cases, 11);  // of each of the tables below
}

TEST(Reactions, OfEveryJointAreTested) {
  EXPECT_EQ(joint::test::all_tables().size() * all_kinds().size(), 22u * 11);
}

std::string table_name(const testing::TestParamInfo<Table>& info) {
  return joint::test::plain(info.param.name);
}
INSTANTIATE_TEST_SUITE_P(Tables, Reactions, testing::ValuesIn(joint::test::all_tables()),
                         table_name);
INSTANTIATE_TEST_SUITE_P(Tables, SlowReactions, testing::ValuesIn(joint::test::all_tables()),
                         table_name);

}  // namespace
}  // namespace trammel::form::reactions_test
