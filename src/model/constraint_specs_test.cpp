// Laws on a coordinate that runs against its row ("down = -Az.D"): value, force, energy and bounds
// are those of the coordinate.
#include "model/constraint_specs.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "model/builder.h"

namespace trammel::model::constraint_specs_test {
namespace {

constexpr double kInf = law::kInf;

/// A ball on a guide along z, 0.2 m up, with one law on `coordinate`.
Built guided(const LawSpec& law, const std::vector<RowSpec>& rows = {}) {
  Builder b;
  BodySpec ball;
  ball.name = "ball";
  ball.mass = 2;
  ball.inertia = {0.1, 0.1, 0.1, 0, 0, 0};
  ball.X_WB.p = Vec3(0, 0, 0.2);
  b.add_body(ball);
  JointSpec guide;
  guide.name = "guide";
  const std::vector<std::string> own{"Ax.D", "left = -Ay.D"},
      free{"up = Az.D", "down = -Az.D", "back = -atan2(Az.By, Ay.By)"};
  guide.table =
      std::make_shared<const joint::Table>(joint::make_table("guide", own, {}, free).table);
  guide.b = "ball";
  guide.frame_a = guide.frame_b = Pose{};
  guide.rows = rows;
  b.add_joint(guide);
  if (!law.name.empty()) b.add_law(law);
  auto result = b.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    throw std::runtime_error("refused");
  }
  return std::get<Built>(std::move(result));
}

LawSpec law_on(const char* coordinate, const char* type, std::map<std::string, double> numbers) {
  LawSpec l;
  l.name = "law";
  l.type = type;
  l.joint = "guide";
  l.coordinate = coordinate;
  l.numbers = std::move(numbers);
  return l;
}

/// The one law of the scene, asked as a formulation asks: about its row.
struct OnRow {
  Built built;
  int row = 0;

  explicit OnRow(const LawSpec& spec) : built(guided(spec)) {
    const Model& m = *built.model;
    row = m.laws[static_cast<std::size_t>(m.find_law("law"))].row;
  }
  law::ConstraintSpec spec(double t) const {
    ConstraintSpecs d(*built.model, built.params);
    d.at(t);
    return d[static_cast<std::size_t>(row)];
  }
  law::Force force(double g, double v, double t) const {
    return row_force(*built.model, built.params, row, g, v, t);
  }
  double energy(double g) const {
    std::vector<double> at(built.model->rows.size(), 0.0);
    at[static_cast<std::size_t>(row)] = g;
    return stored_energy(*built.model, built.params, built.state, at);
  }
};

Drive wave(Drive::Level level) {
  return {level, Signal::function([](double t) {
            return Jet{-0.2 + 0.3 * t + t * t, 0.3 + 2 * t, 2};
          })};
}

// Az.D = 0.2 is down = -0.2: what the law asks of `down` at x, the row must be asked at -x.
TEST(SignedCoordinate, DrivenFollowsTheCoordinate) {
  LawSpec spec = law_on("down", "driven", {{"stiffness", 50}});
  spec.drive = wave(Drive::Level::displacement);
  const OnRow on(spec);
  const Jet want = spec.drive->at(0.7), row = on.spec(0.7).target;
  EXPECT_EQ(row.x, -want.x);
  EXPECT_EQ(row.v, -want.v);
  EXPECT_EQ(row.a, -want.a);
  EXPECT_DOUBLE_EQ(on.force(0.1, 0, 0.7).f, 50 * (-0.1 - want.x));
  EXPECT_DOUBLE_EQ(on.force(0.1, 0, 0.7).f_x, -50);
}

TEST(SignedCoordinate, MotorHasTheBoundsOfTheCoordinate) {
  LawSpec spec = law_on("down", "motor", {{"force_min", -3}, {"force_max", 8}, {"smoothing", 0.5}});
  spec.drive = wave(Drive::Level::velocity);
  const OnRow on(spec);
  const law::ConstraintSpec d = on.spec(0.7);
  EXPECT_EQ(d.level, law::Level::velocity);
  EXPECT_EQ(d.target.v, -spec.drive->signal.value(0.7));
  EXPECT_EQ(d.lo, -8);
  EXPECT_EQ(d.hi, 3);
  EXPECT_NEAR(on.force(0, 100, 0.7).f, -8, 1e-12);  // rounding: it goes up, so drive down
  EXPECT_NEAR(on.force(0, -100, 0.7).f, 3, 1e-12);
  EXPECT_LT(on.force(0, 0, 0.7).f_v, 0);
}

TEST(SignedCoordinate, SpringPushesTheCoordinateAndStoresTheSameEnergy) {
  const OnRow on(law_on("down", "spring",
                        {{"stiffness", 40}, {"damping", 3}, {"rest", -0.5}, {"preload", 7}}));
  const double down = -0.2, v_down = 0.6;
  const law::Force f = on.force(-down, -v_down, 0);
  EXPECT_DOUBLE_EQ(f.f, -(7 - 40 * (down + 0.5) - 3 * v_down));
  EXPECT_EQ(f.f_x, -40);
  EXPECT_EQ(f.f_v, -3);
  EXPECT_DOUBLE_EQ(on.energy(-down), 20 * 0.3 * 0.3 - 7 * 0.3);
}

TEST(SignedCoordinate, LockHoldsTheCoordinateAtItsValue) {
  const OnRow on(law_on("down", "locked", {{"value", -0.2}, {"force_min", -1}, {"force_max", 4}}));
  EXPECT_EQ(on.spec(0).target.x, 0.2);
  EXPECT_EQ(on.spec(0).lo, -4);
  EXPECT_EQ(on.spec(0).hi, 1);
}

TEST(SignedCoordinate, OfAnAngleToo) {
  EXPECT_EQ(OnRow(law_on("back", "spring", {{"stiffness", 2}, {"rest", 0.3}})).force(0, 0, 0).f,
            -0.6);
}

TEST(SignedCoordinate, WithoutASignNothingIsTurned) {
  EXPECT_EQ(OnRow(law_on("up", "spring", {{"preload", 7}})).force(0, 0, 0).f, 7);
}

/// A row of the joint's own, "left = -Ay.D": its options are those of `left`.
TEST(SignedCoordinate, OptionsOfARowGoByItsName) {
  RowSpec left;
  left.row = "left";
  left.force_min = -5;
  left.force_max = 9;
  left.value = 0;
  const Built b = guided({}, {left});
  const ConstraintSpecs d(*b.model, b.params);
  EXPECT_EQ(d[1].lo, -9);
  EXPECT_EQ(d[1].hi, 5);
  EXPECT_EQ(d[0].lo, -kInf);
  const auto param = [&](const char* name) {
    return b.params.values.at(static_cast<std::size_t>(b.model->find_param(name)));
  };
  EXPECT_EQ(param("joint.guide.left.force_min"), -5);  // what a scene says, and --set
  EXPECT_EQ(param("joint.guide.left.force_max"), 9);
}

/// Where the law takes the place of a lock, the coordinate may still run against the row.
TEST(SignedCoordinate, OnARowOfTheJointsOwn) {
  for (const auto& [name, sign] : {std::pair("left", -1.), std::pair("Ay.D", 1.)}) {
    const OnRow on(law_on(name, "spring", {{"preload", 7}}));
    EXPECT_EQ(on.row, 1);
    EXPECT_EQ(on.force(0, 0, 0).f, sign * 7) << name;
  }
}

}  // namespace
}  // namespace trammel::model::constraint_specs_test
