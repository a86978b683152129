// Which rows hold too much, which contradict each other, and what reactions are then.
#include <fmt/core.h>

#include "math/rotation.h"
#include "support.h"

namespace trammel::acceptance::rank_test {
namespace {

using Names = std::vector<std::string>;

model::BodySpec bar(std::string name, const Vec3& a, const Vec3& b, double mass = 1) {
  const Pose X{(a + b) / 2, frame(a, b - a).R};
  return box(std::move(name), {(b - a).norm(), 0.05, 0.05}, mass, X);
}

model::JointSpec hinge(std::string name, std::string a, std::string b, const Vec3& p,
                       const Vec3& axis = Vec3::UnitZ()) {
  return joint(std::move(name), "revolute", std::move(a), std::move(b), frame(p, axis));
}

/// A four-bar in the plane z = 0: crank, coupler, rocker.
model::Builder four_bar(const char* type = "revolute") {
  model::Builder b;
  const Vec3 O(0, 0, 0), A(0.3, 0.4, 0), B(1.3, 0.8, 0), C(1.5, 0, 0);
  b.add_body(bar("crank", O, A));
  b.add_body(bar("coupler", A, B));
  b.add_body(bar("rocker", C, B));
  b.add_joint(hinge("o", "ground", "crank", O));
  b.add_joint(hinge("a", "crank", "coupler", A));
  b.add_joint(hinge("b", "coupler", "rocker", B));
  b.add_joint(joint("c", type, "ground", "rocker", frame(C, Vec3::UnitZ())));
  return b;
}

struct Case {
  const char* name;
  model::Builder builder;
  int degrees_of_freedom, surplus;
  std::vector<Names> loops;
};

std::vector<Case> redundant() {
  std::vector<Case> out;
  {
    model::Builder b;
    b.add_body(box("door", {1, 2, 0.05}, 20, {Vec3(0.5, 1, 0)}));
    b.add_joint(hinge("upper", "ground", "door", {0, 1.8, 0}, Vec3::UnitY()));
    b.add_joint(hinge("lower", "ground", "door", {0, 0.2, 0}, Vec3::UnitY()));
    out.push_back({"door on two hinges", b, 1, 5, {{"upper", "lower"}}});
    b.add_body(box("knob", {0.1, 0.1, 0.1}, 1, {Vec3(0.9, 1, 0.1)}));
    b.add_joint(hinge("knob", "door", "knob", {0.9, 1, 0.1}));
    b.add_body(bar("other", {3, 0, 0}, {4, 0, 0}));
    b.add_joint(hinge("alone", "ground", "other", {3, 0, 0}));
    out.push_back(
        {"a door among joints that have nothing to do with it", b, 3, 5, {{"upper", "lower"}}});
  }
  out.push_back({"four-bar with spatial hinges", four_bar(), 1, 3, {{"o", "a", "b", "c"}}});
  {  // one hinge as a ball, one as a ball on a line along it: 24 - 3*5... - 1
    model::Builder b = four_bar("spherical");
    out.push_back({"four-bar with a ball joint", b, 1, 1, {{"o", "a", "b", "c"}}});
  }
  {  // five bars: three cranks of a parallelogram
    model::Builder b;
    for (int i = 0; i < 3; ++i) {
      const std::string n = std::to_string(i);
      b.add_body(bar("crank" + n, Vec3(i, 0, 0), Vec3(i + 0.3, 1, 0)));
      b.add_joint(hinge("foot" + n, "ground", "crank" + n, Vec3(i, 0, 0)));
    }
    b.add_body(bar("beam", {0.3, 1, 0}, {2.3, 1, 0}));
    for (int i = 0; i < 3; ++i)
      b.add_joint(
          hinge("head" + std::to_string(i), "crank" + std::to_string(i), "beam", {i + 0.3, 1, 0}));
    out.push_back({"parallelogram of three cranks",
                   b,
                   1,
                   7,
                   {{"foot0", "foot1", "foot2", "head0", "head1", "head2"}}});
  }
  return out;
}

std::vector<Case> more_redundant() {
  std::vector<Case> out;
  {
    model::Builder b;
    b.add_body(box("table", {1, 1, 0.1}, 5));
    b.add_joint(joint("left", "prismatic", "ground", "table", frame({0, 0.5, 0})));
    b.add_joint(joint("right", "prismatic", "ground", "table", frame({0, -0.5, 0})));
    out.push_back({"table on two slides", b, 1, 5, {{"left", "right"}}});
  }
  {
    model::Builder b;
    b.add_body(box("plate", {1, 1, 0.1}, 5));
    for (const auto& [name, x, y] :
         {std::tuple("p", 0.5, 0.5), {"q", 0.5, -0.5}, {"r", -0.5, 0.5}, {"s", -0.5, -0.5}})
      b.add_joint(joint(name, "spherical", "ground", "plate", {Vec3(x, y, 0)}));
    out.push_back({"plate on four pins", b, 0, 6, {{"p", "q", "r", "s"}}});
  }
  {  // Sarrus: two pairs of hinged plates, axes along x and y, lift a table straight up
    model::Builder b;
    b.add_body(box("table", {0.4, 0.4, 0.05}, 3, {Vec3(0, 0, 1)}));
    for (const auto& [name, out_at, axis] :
         {std::tuple(std::string("x"), Vec3(0, 0.7, 0.5), Vec3(1, 0, 0)),
          {std::string("y"), Vec3(0.7, 0, 0.5), Vec3(0, 1, 0)}}) {
      const Vec3 low = out_at.normalized() * 0.2 - Vec3(0, 0, out_at.normalized().z() * 0.2);
      const Vec3 high = low + Vec3::UnitZ();
      b.add_body(bar(name + "1", low, out_at));
      b.add_body(bar(name + "2", out_at, high));
      b.add_joint(hinge(name + "a", "ground", name + "1", low, axis));
      b.add_joint(hinge(name + "b", name + "1", name + "2", out_at, axis));
      b.add_joint(hinge(name + "c", name + "2", "table", high, axis));
    }
    out.push_back({"Sarrus linkage", b, 1, 1, {{"xa", "xb", "xc", "ya", "yb", "yc"}}});
  }
  {  // gears and a belt between the same wheels, of one ratio
    model::Builder b;
    for (const char* n : {"one", "two", "three"}) {
      b.add_body(solid(n, 1, {1, 1, 1}, {Vec3(n[0], 0, 0)}));
      b.add_joint(hinge(std::string(n) + "_axle", "ground", n, Vec3(n[0], 0, 0)));
    }
    model::CouplingSpec gear =
        model::gear({"one_axle", "angle"}, {"two_axle", "angle"}, 20, 40, true);
    gear.name = "gear";
    model::CouplingSpec belt = model::belt({"one_axle", "angle"}, {"two_axle", "angle"}, 0.1, 0.2);
    belt.name = "belt";
    b.add_coupling(gear);
    b.add_coupling(belt);
    out.push_back({"gear beside a belt", b, 2, 1, {{"gear", "belt"}}});
  }
  {  // a triangle of rods on a line of two pinned bodies: one distance given twice
    model::Builder b;
    b.add_body(solid("ball", 1, {1, 1, 1}, {Vec3(0, 0, -1)}));
    for (const char* n : {"rod", "second"}) {
      auto j = joint(n, "distance", "ground", "ball", {});
      j.at.reset();
      j.frame_a = Pose{};
      j.frame_b = Pose{};
      b.add_joint(j);
    }
    auto third = joint("third", "distance", "ground", "ball", {});
    third.at.reset();
    third.frame_a = Pose{Vec3(1, 0, 0), Mat3::Identity()};
    third.frame_b = Pose{};
    b.add_joint(third);
    out.push_back({"a rod twice", b, 4, 1, {{"rod", "second"}}});
  }
  return out;
}

Names names(const model::Model& m, const std::vector<int>& joints) {
  Names out;
  for (const int j : joints) out.push_back(m.joints[static_cast<std::size_t>(j)].name);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Rank, NamesTheJointsThatHoldTooMuch) {
  std::vector<Case> cases = redundant();
  for (Case& c : more_redundant()) cases.push_back(std::move(c));
  EXPECT_GE(cases.size(), 10u);
  for (Case c : cases) {
    SCOPED_TRACE(c.name);
    const model::Built made = built(c.builder);
    const model::Rank& rank = made.start.rank;
    EXPECT_EQ(rank.degrees_of_freedom(), c.degrees_of_freedom);
    EXPECT_EQ(rank.surplus(), c.surplus);
    EXPECT_EQ(made.start.degrees_of_freedom_nearby, c.degrees_of_freedom);
    ASSERT_EQ(rank.loops.size(), c.loops.size());
    for (std::size_t i = 0; i < c.loops.size(); ++i) {
      std::sort(c.loops[i].begin(), c.loops[i].end());
      EXPECT_EQ(names(*made.model, rank.loops[i].joints), c.loops[i]);
      EXPECT_EQ(rank.loops[i].surplus, c.surplus);
    }
  }
}

TEST(Rank, FindsTwoLoopsApart) {
  model::Builder b = four_bar();
  b.add_body(box("door", {1, 2, 0.05}, 20, {Vec3(0.5, 1, 5)}));
  b.add_joint(hinge("upper", "ground", "door", {0, 1.8, 5}, Vec3::UnitY()));
  b.add_joint(hinge("lower", "ground", "door", {0, 0.2, 5}, Vec3::UnitY()));
  const model::Built made = built(b);
  ASSERT_EQ(made.start.rank.loops.size(), 2u);
  EXPECT_EQ(made.start.rank.loops[0].surplus, 3);
  EXPECT_EQ(made.start.rank.loops[1].surplus, 5);
}

TEST(Rank, CountsEveryRowOfManyLoops) {  // more than are traced to their joints
  model::Builder b;
  for (int i = 0; i < 120; ++i) {
    const std::string n = std::to_string(i);
    b.add_body(box("door" + n, {1, 2, 0.05}, 20, {Vec3(0.5, 1, i)}));
    b.add_joint(hinge("upper" + n, "ground", "door" + n, Vec3(0, 1.8, i), Vec3::UnitY()));
    b.add_joint(hinge("lower" + n, "ground", "door" + n, Vec3(0, 0.2, i), Vec3::UnitY()));
  }
  const model::Rank rank = built(b).start.rank;
  int sum = 0;
  for (const model::Rank::Loop& loop : rank.loops) sum += loop.surplus;
  EXPECT_EQ(rank.surplus(), 600);
  EXPECT_EQ(sum, 600);
}

TEST(Rank, OfOneMechanismOfManyLoops) {  // in one piece: errors of early pivots would go on
  constexpr int kWindows = 200;
  model::Builder b;
  std::string last;
  for (int i = 0; i <= kWindows; ++i) {
    const std::string n = std::to_string(i), post = "post" + n, beam = "beam" + n;
    b.add_body(box(post, {0.05, 0.05, 1}, 1, {Vec3(i, 0, 0.5)}));
    b.add_joint(hinge("foot" + n, "ground", post, Vec3(i, 0, 0), Vec3::UnitY()));
    if (i > 0) {
      b.add_body(box(beam, {1, 0.05, 0.05}, 1, {Vec3(i - 0.5, 0, 1)}));
      b.add_joint(hinge("from" + n, last, beam, Vec3(i - 1, 0, 1), Vec3::UnitY()));
      b.add_joint(hinge("to" + n, beam, post, Vec3(i, 0, 1), Vec3::UnitY()));
    }
    last = post;
  }
  const model::Rank rank = built(b).start.rank;
  EXPECT_EQ(rank.surplus(), 3 * kWindows);
  EXPECT_EQ(rank.degrees_of_freedom(), 1);
  int sum = 0;
  for (const model::Rank::Loop& loop : rank.loops) sum += loop.surplus;
  EXPECT_EQ(sum, 3 * kWindows);
}

TEST(Rank, OfWhatIsNotRedundantIsItsRows) {
  const model::Built made = built(chain(20));
  EXPECT_EQ(made.start.rank.degrees_of_freedom(), 60);
  EXPECT_EQ(made.start.rank.surplus(), 0);
  EXPECT_TRUE(made.start.rank.loops.empty());
}

TEST(Rank, MassRatiosAreNoDependency) {
  model::Builder b;
  for (int i = 0; i < 10; ++i) {
    const std::string name = "link" + std::to_string(i);
    b.add_body(box(name, {1, 0.05, 0.05}, i % 2 ? 1e-3 : 1e3, {Vec3(i + 0.5, 0, 0)}));
    b.add_joint(joint("ball" + std::to_string(i), "spherical",
                      i ? "link" + std::to_string(i - 1) : "ground", name, {Vec3(i, 0, 0)}));
  }
  EXPECT_EQ(built(b).start.rank.surplus(), 0);
}

TEST(Rank, SaysThatTheStartIsSingular) {  // all bars of a parallelogram on one line
  model::Builder b;
  b.add_body(bar("crank", {0, 0, 0}, {1, 0, 0}));
  b.add_body(bar("coupler", {1, 0, 0}, {3, 0, 0}));
  b.add_body(bar("rocker", {2, 0, 0}, {3, 0, 0}));
  b.add_joint(hinge("o", "ground", "crank", {0, 0, 0}));
  b.add_joint(hinge("a", "crank", "coupler", {1, 0, 0}));
  b.add_joint(hinge("b", "coupler", "rocker", {3, 0, 0}));
  b.add_joint(hinge("c", "ground", "rocker", {2, 0, 0}));
  const model::Built made = built(b);
  EXPECT_EQ(made.start.rank.degrees_of_freedom(), 2);
  EXPECT_EQ(made.start.degrees_of_freedom_nearby, 1);
}

// ---- conflicts

std::vector<Problem> refused(const model::Builder& b) {
  auto result = b.build();
  if (auto* problems = std::get_if<std::vector<Problem>>(&result)) return *problems;
  ADD_FAILURE() << "it was built";
  return {};
}

void expect_named(const model::Builder& b, const Names& in, const Names& out, const char* what) {
  const auto problems = refused(b);
  ASSERT_EQ(problems.size(), 1u);
  const std::string& text = problems.front().text;
  EXPECT_NE(text.find(what), std::string::npos) << text;
  for (const std::string& n : in) EXPECT_NE(text.find("'" + n + "'"), std::string::npos) << text;
  for (const std::string& n : out) EXPECT_EQ(text.find("'" + n + "'"), std::string::npos) << text;
}

TEST(Conflict, TriangleOfRodsThatIsTooShort) {
  model::Builder b;
  b.assemble = true;
  b.add_body(solid("ball", 1, {1, 1, 1}, {Vec3(0.5, 0, -1)}));
  b.add_body(bar("other", {5, 0, 0}, {6, 0, 0}));
  b.add_joint(hinge("alone", "ground", "other", {5, 0, 0}));
  for (const auto& [name, x] : {std::pair("left", 0.), {"right", 3.}}) {
    auto j = joint(name, "distance", "ground", "ball", {});
    j.at.reset();
    j.frame_a = Pose{Vec3(x, 0, 0), Mat3::Identity()};
    j.frame_b = Pose{};
    j.rows.push_back({"sqrt(D.D)", "", 1., {}, {}, {}, {}, false});
    b.add_joint(j);
  }
  expect_named(b, {"left", "right"}, {"alone"}, "cannot all be met");
}

TEST(Conflict, DoorOnHingesThatAreAskew) {
  model::Builder b;
  b.assemble = true;
  b.add_body(box("door", {1, 2, 0.05}, 20, {Vec3(0.5, 1, 0)}));
  b.add_joint(hinge("upper", "ground", "door", {0, 1.8, 0}, Vec3::UnitY()));
  auto lower = hinge("lower", "ground", "door", {0, 0.2, 0}, Vec3::UnitY());
  lower.frame_a = Pose{Vec3(0.1, 0.2, 0), frame({0, 0, 0}, Vec3(0.1, 1, 0)).R};
  lower.frame_b = Pose{Vec3(-0.5, -0.8, 0), frame({0, 0, 0}, Vec3::UnitY()).R};
  lower.at.reset();
  b.add_joint(lower);
  b.add_body(box("knob", {0.1, 0.1, 0.1}, 1, {Vec3(0.9, 1, 0.1)}));
  b.add_joint(hinge("knob", "door", "knob", {0.9, 1, 0.1}));
  expect_named(b, {"upper", "lower"}, {"knob"}, "cannot all be met");
}

TEST(Conflict, LinkTooShortForItsCrank) {
  model::Builder b;
  b.assemble = true;
  b.add_body(bar("crank", {0, 0, 0}, {1, 0, 0}));
  b.add_body(bar("rod", {1, 0, 0}, {2, 0, 0}));
  b.add_joint(hinge("o", "ground", "crank", {0, 0, 0}));
  b.add_joint(hinge("a", "crank", "rod", {1, 0, 0}));
  auto end = joint("end", "spherical", "ground", "rod", {});
  end.at.reset();
  end.frame_a = Pose{Vec3(4, 0, 0), Mat3::Identity()};
  end.frame_b = Pose{Vec3(0.5, 0, 0), Mat3::Identity()};
  b.add_joint(end);
  expect_named(b, {"o", "a", "end"}, {}, "cannot all be met");
}

model::LawSpec drive(const std::string& name, const std::string& on, double speed) {
  model::LawSpec l = law(name, "driven", on, "angle");
  l.drive = Drive{Drive::Level::velocity, Signal(speed)};
  return l;
}

TEST(Conflict, DrivesOnBothSidesOfAGear) {
  model::Builder b;
  for (const auto& [n, x] : {std::pair("one", 0.), {"two", 1.}, {"three", 2.}}) {
    b.add_body(solid(n, 1, {1, 1, 1}, {Vec3(x, 0, 0)}));
    b.add_joint(hinge(std::string(n) + "_axle", "ground", n, Vec3(x, 0, 0)));
  }
  model::CouplingSpec gear =
      model::gear({"one_axle", "angle"}, {"two_axle", "angle"}, 20, 40, true);
  gear.name = "gear";
  b.add_coupling(gear);
  b.add_law(drive("first", "one_axle", 2));
  b.add_law(drive("second", "two_axle", 2));
  expect_named(b, {"one_axle", "two_axle", "gear"}, {"three_axle"}, "driven against each other");
}

TEST(Conflict, CranksOfAParallelogramDrivenApart) {
  model::Builder b = four_bar();
  b.add_law(drive("first", "o", 1));
  b.add_law(drive("second", "c", 5));
  expect_named(b, {"o", "a", "b", "c"}, {}, "driven against each other");
}

// ---- reactions

/// Reactions after a while of rest, in the world's axes.
std::vector<model::Reaction> at_rest(const model::Builder& b) {
  Simulation sim(built(b), settings(0.1, 1e-3));
  run(sim);
  std::vector<model::Reaction> out;
  sim.formulation().reactions(sim.state().on, out);
  return out;
}

constexpr double kStatics = 1e-6;  // of the load: shares of redundant rows are known to 1e-7

TEST(Statics, PlateOnFourPinsSharesItsWeightEvenly) {
  model::Builder b;
  b.add_body(box("plate", {1, 1, 0.1}, 5));
  for (const auto& [name, x, y] :
       {std::tuple("p", 0.5, 0.5), {"q", 0.5, -0.5}, {"r", -0.5, 0.5}, {"s", -0.5, -0.5}})
    b.add_joint(joint(name, "spherical", "ground", "plate", {Vec3(x, y, 0)}));
  for (const model::Reaction& r : at_rest(b))
    EXPECT_LT((r.force - Vec3(0, 0, 5 * 9.81 / 4)).norm(), kStatics * 50);
}

TEST(Statics, CantileverHoldsForceAndMoment) {
  model::Builder b;
  b.add_body(box("beam", {2, 0.1, 0.1}, 7, {Vec3(1, 0, 0)}));
  b.add_joint(joint("wall", "fixed", "ground", "beam", {}));
  const auto r = at_rest(b);
  EXPECT_LT((r[0].force - Vec3(0, 0, 7 * 9.81)).norm(), kStatics * 70);
  EXPECT_LT((r[0].torque - Vec3(0, -7 * 9.81, 0)).norm(), kStatics * 70);
}

TEST(Statics, SimpleBeamSharesByTheLever) {  // ball at x = 0, ball on a line at x = 3
  model::Builder b;
  b.add_body(box("beam", {3, 0.1, 0.1}, 4, {Vec3(1, 0, 0)}));  // its centre at 1 m
  b.add_joint(hinge("left", "ground", "beam", {0, 0, 0}, Vec3::UnitY()));
  b.add_joint(joint("right", "point-on-plane", "ground", "beam", frame({3, 0, 0}, Vec3::UnitZ())));
  const auto r = at_rest(b);
  EXPECT_NEAR(r[0].force.norm(), 4 * 9.81 * 2 / 3, kStatics * 40);
  EXPECT_NEAR(r[1].force.norm(), 4 * 9.81 / 3, kStatics * 40);
}

TEST(Statics, ThreeHingedArchThrusts) {  // two bars of length L at 45 degrees: H = W / 2
  model::Builder b;
  b.add_body(bar("left", {0, 0, 0}, {1, 0, 1}, 3));
  b.add_body(bar("right", {2, 0, 0}, {1, 0, 1}, 3));
  b.add_joint(hinge("foot1", "ground", "left", {0, 0, 0}, Vec3::UnitY()));
  b.add_joint(hinge("foot2", "ground", "right", {2, 0, 0}, Vec3::UnitY()));
  b.add_joint(hinge("crown", "left", "right", {1, 0, 1}, Vec3::UnitY()));
  const model::Built made = built(b);
  EXPECT_EQ(made.start.rank.degrees_of_freedom(), 0);
  EXPECT_EQ(made.start.rank.surplus(), 3);
  const auto r = at_rest(b);
  const double W = 3 * 9.81;
  EXPECT_NEAR(r[2].force.norm(), W / 2, kStatics * W);
  EXPECT_NEAR(r[0].force.norm(), std::hypot(W, W / 2), kStatics * W);
  EXPECT_NEAR(r[1].force.norm(), std::hypot(W, W / 2), kStatics * W);
}

TEST(Statics, TripodOfRods) {  // three rods of a pyramid carry m g / 3 each along the vertical
  model::Builder b;
  b.add_body(solid("load", 9, {1, 1, 1}, {Vec3(0, 0, 2)}));
  for (int i = 0; i < 3; ++i) {
    auto j = joint("rod" + std::to_string(i), "distance", "ground", "load", {});
    j.at.reset();
    j.frame_a =
        Pose{exp_matrix(2 * M_PI / 3 * i * Vec3::UnitZ()) * Vec3(1, 0, 0), Mat3::Identity()};
    j.frame_b = Pose{};
    b.add_joint(j);
  }
  for (const model::Reaction& r : at_rest(b))
    EXPECT_NEAR(r.force.norm(), 3 * 9.81 * std::sqrt(5.) / 2, kStatics * 90);
}

}  // namespace
}  // namespace trammel::acceptance::rank_test
