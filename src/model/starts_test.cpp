#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "joint/table.h"
#include "math/rotation.h"
#include "model/builder.h"
#include "model/kinematics.h"
#include "model/reactions.h"

namespace trammel::model::starts_test {
namespace {

constexpr double kDeg = std::numbers::pi / 180;

/// Axes of a hinge about z: its angle counts from x towards y.
Mat3 about_z() {
  Mat3 R;
  R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return R;
}
Pose hinge_at(double x, double y = 0) { return {Vec3(x, y, 0), about_z()}; }
Pose turned(double x, double y, double angle) {
  return {Vec3(x, y, 0), exp_matrix(angle * Vec3::UnitZ())};
}

/// A bar along x from its frame's origin.
BodySpec bar(const char* name, double length, const Pose& X_WB = {}) {
  BodySpec b;
  b.name = name;
  b.mass = 1 + length;
  b.inertia = {0.01, 0.1 * length, 0.1 * length, 0, 0, 0};
  b.com = {length / 2, 0, 0};
  b.X_WB = X_WB;
  return b;
}
JointSpec hinge(const char* name, const char* a, const Pose& on_a, const char* b,
                const Pose& on_b) {
  JointSpec j;
  j.name = name;
  j.type = "revolute";
  j.a = a;
  j.b = b;
  j.frame_a = on_a;
  j.frame_b = on_b;
  return j;
}

Built built(const Builder& builder) {
  auto result = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    return {};
  }
  return std::get<Built>(std::move(result));
}
Problem refusal(const Builder& builder) {
  const auto result = builder.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&result);
  if (!problems || problems->size() != 1) {
    if (problems)
      for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    return {"", "no single problem"};
  }
  return problems->front();
}
#define EXPECT_SAYS(problem, at, part)                                     \
  do {                                                                     \
    const Problem refused = problem;                                       \
    EXPECT_EQ(refused.path, at);                                           \
    EXPECT_NE(refused.text.find(part), std::string::npos) << refused.text; \
  } while (false)

/// What was built, at its start.
struct At {
  explicit At(const Built& b) : built(b), kin(*b.model, b.params), at(kin.make_cache()) {
    for (std::size_t i = 0; i < at.arc.size(); ++i) at.arc[i] = {b.state.s[i], b.state.piece[i]};
    kin.transforms(b.state.q.data(), 0, at);
    kin.inverse_mass(b.state.q.data(), at);
    kin.jacobians(b.state, at);
    u.resize(static_cast<std::size_t>(b.model->n_u));
    kin.velocities(at, b.state.P.data(), u.data());
    kin.rates(b.state.q.data(), u.data(), at);
    rate.resize(b.model->rows.size());
    std::vector<double> bias(rate);
    kin.row_rates(b.state, at, rate.data(), bias.data());
  }
  double worst_row() const {
    double g = 0;
    for (const double x : at.g) g = std::max(g, std::abs(x));
    return g;
  }
  double worst_rate() const {
    double g = 0;
    for (const double x : rate) g = std::max(g, std::abs(x));
    return g;
  }
  double x(const char* joint, const char* name) const {
    const int j = built.model->find_joint(joint);
    const auto* c = built.model->joints[static_cast<std::size_t>(j)].table->coordinate(name);
    return c->sign * coordinate(kin, at, j, c->row);
  }
  Vec3 place(const char* body) const {
    return at.T_WO[static_cast<std::size_t>(built.model->find_object(body))].p;
  }
  Vec3 speed(const char* body) const {
    return at.rate[static_cast<std::size_t>(built.model->find_object(body))].v;
  }
  const Built& built;
  Kinematics kin;
  KinematicsCache at;
  std::vector<double> u, rate;
};

/// Crank, coupler and rocker of a four-bar with the ground link d along x, written at the crank
/// angle `written` where that is given, else all at the origin.
struct FourBar {
  double a = 0.2, b = 0.5, c = 0.4, d = 0.45;
  /// Angles of coupler and rocker from x by Freudenstein's equation, the open branch.
  std::pair<double, double> angles(double crank) const {
    const Vec3 A(a * std::cos(crank), a * std::sin(crank), 0), C(d, 0, 0);
    const double e = (C - A).norm(), base = std::atan2((C - A).y(), (C - A).x());
    const double at_A = std::acos((b * b + e * e - c * c) / (2 * b * e));
    const double coupler = base + at_A;
    const Vec3 B = A + b * Vec3(std::cos(coupler), std::sin(coupler), 0);
    return {coupler, std::atan2(B.y(), B.x() - d)};
  }
  Builder builder(std::optional<double> written) const {
    Builder m;
    Pose crank, coupler, rocker;
    if (written) {
      const auto [b_angle, c_angle] = angles(*written);
      crank = turned(0, 0, *written);
      coupler = turned(a * std::cos(*written), a * std::sin(*written), b_angle);
      rocker = turned(d, 0, c_angle);
    }
    m.add_body(bar("crank", a, crank));
    m.add_body(bar("coupler", b, coupler));
    m.add_body(bar("rocker", c, rocker));
    m.add_joint(hinge("O", "ground", hinge_at(0), "crank", hinge_at(0)));
    m.add_joint(hinge("A", "crank", hinge_at(a), "coupler", hinge_at(0)));
    m.add_joint(hinge("B", "coupler", hinge_at(b), "rocker", hinge_at(c)));
    m.add_joint(hinge("C", "ground", hinge_at(d), "rocker", hinge_at(0)));
    return m;
  }
};

/// The same, with the start of one of its joints.
Builder with(Builder m, const char* joint, double start, std::optional<double> rate = {}) {
  JointSpec extra;  // a second joint on the same bodies takes the start: rows stay as they are
  extra.name = "meter";
  extra.table = std::make_shared<const joint::Table>(
      joint::make_table("meter", std::vector<std::string>{}, std::vector<std::string>{},
                        std::vector<std::string>{"angle = atan2(Az.By, Ay.By)"})
          .table);
  extra.b = joint;
  extra.frame_a = extra.frame_b = hinge_at(0);
  extra.start = {{start, "angle", ""}};
  if (rate) extra.rate = {{*rate, "angle", ""}};
  m.add_joint(extra);
  return m;
}

TEST(Starts, AFourBarFollowsItsCrankOnTheBranchAsWritten) {
  const FourBar f;
  for (const double written : {60 * kDeg, 200 * kDeg})
    for (const double crank : {-100 * kDeg, -20 * kDeg, 30 * kDeg, 75 * kDeg, 150 * kDeg}) {
      const Built b = built(with(f.builder(written), "crank", crank));
      ASSERT_TRUE(b.model);
      const At at(b);
      EXPECT_LE(at.worst_row(), 1e-12);
      const auto [coupler, rocker] = f.angles(crank);
      EXPECT_NEAR(std::remainder(at.x("O", "angle") - crank, 2 * M_PI), 0, 1e-12);
      EXPECT_NEAR(std::remainder(at.x("C", "angle") - rocker, 2 * M_PI), 0, 1e-11) << crank;
      EXPECT_NEAR(std::remainder(at.x("A", "angle") - (coupler - crank), 2 * M_PI), 0, 1e-11);
      EXPECT_EQ(b.start.rank.degrees_of_freedom(), 1);
    }
}

TEST(Starts, AFourBarNeedsNoPoses) {
  const FourBar f;
  const double crank = 30 * kDeg;
  const Built b = built(with(f.builder({}), "crank", crank));
  ASSERT_TRUE(b.model);
  const At at(b);
  EXPECT_LE(at.worst_row(), 1e-12);
  const Vec3 B = at.place("rocker") - Vec3(f.d, 0, 0);
  EXPECT_NEAR(B.norm(), f.c / 2, 1e-12);
  // on one of the two branches, and it says which
  const auto [coupler, rocker] = f.angles(crank);
  const Vec3 A(f.a * std::cos(crank), f.a * std::sin(crank), 0);
  const double base = std::atan2(-A.y(), f.d - A.x()), other = 2 * base - coupler;
  const double found = at.x("A", "angle") + crank;
  EXPECT_LT(std::min(std::abs(std::remainder(found - coupler, 2 * M_PI)),
                     std::abs(std::remainder(found - other, 2 * M_PI))),
            1e-11);
  const auto told = std::find_if(b.start.coordinates.begin(), b.start.coordinates.end(),
                                 [](const auto& c) { return c.name == "C.angle"; });
  ASSERT_NE(told, b.start.coordinates.end());
  EXPECT_NEAR(told->value, at.x("C", "angle"), 1e-12);
  EXPECT_FALSE(told->given);
}

/// Piston of a slider-crank: x = r cos a + sqrt(l^2 - r^2 sin^2 a), its speed by the derivative.
TEST(Starts, APistonHasTheSpeedOfItsCrank) {
  const double r = 0.1, l = 0.35, angle = 40 * kDeg, spin = 30;
  Builder m;
  m.add_body(bar("crank", r));
  m.add_body(bar("rod", l, turned(r, 0, 0)));
  m.add_body(bar("piston", 0.1, turned(r + l, 0, 0)));
  JointSpec main = hinge("main", "ground", hinge_at(0), "crank", hinge_at(0));
  main.start = {{angle}};
  main.rate = {{spin}};
  m.add_joint(main);
  m.add_joint(hinge("big", "crank", hinge_at(r), "rod", hinge_at(0)));
  m.add_joint(hinge("small", "rod", hinge_at(l), "piston", hinge_at(0)));
  JointSpec bore;
  bore.name = "bore";
  bore.type = "prismatic";
  bore.b = "piston";
  bore.frame_a = bore.frame_b = Pose{};
  m.add_joint(bore);
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  const At at(b);
  const double root = std::sqrt(l * l - std::pow(r * std::sin(angle), 2));
  EXPECT_NEAR(at.x("bore", "travel"), r * std::cos(angle) + root, 1e-12);
  EXPECT_NEAR(at.speed("piston").x(),
              -r * spin * std::sin(angle) * (1 + r * std::cos(angle) / root), 1e-11);
  EXPECT_LE(at.worst_rate(), 1e-11);
  EXPECT_EQ(b.start.energy_given, 0);
}

TEST(Starts, AChainIsWhereItsAnglesSay) {
  Builder m;
  const std::array<double, 3> length{0.5, 0.4, 0.3}, angle{100 * kDeg, -170 * kDeg, 35 * kDeg},
      rate{1, -2, 3};
  const char *names[] = {"ground", "one", "two", "three"}, *joints[] = {"j1", "j2", "j3"};
  for (std::size_t i = 0; i < 3; ++i) {
    BodySpec body = bar(names[i + 1], length[i]);
    if (i == 1) body.affine = Elastic{.volume = 1e-3};  // not stretched at the start
    m.add_body(body);
    JointSpec j =
        hinge(joints[i], names[i], hinge_at(i == 0 ? 0 : length[i - 1]), names[i + 1], hinge_at(0));
    j.start = {{angle[i], "angle", ""}};
    j.rate = {{rate[i], "angle", ""}};
    m.add_joint(j);
  }
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  const At at(b);
  Vec3 p = Vec3::Zero(), v = Vec3::Zero();
  double a = 0, w = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    a += angle[i];
    w += rate[i];
    const Vec3 along(std::cos(a), std::sin(a), 0), across(-std::sin(a), std::cos(a), 0);
    EXPECT_LE((at.place(names[i + 1]) - (p + length[i] / 2 * along)).norm(), 1e-12);
    EXPECT_LE((at.speed(names[i + 1]) - (v + w * length[i] / 2 * across)).norm(), 1e-11);
    p += length[i] * along;
    v += w * length[i] * across;
  }
  EXPECT_LE(at.worst_row(), 1e-12);
}

/// What is not given stays as it is written: the second link turns with the first.
TEST(Starts, OfAChainTheAnglesThatAreNotGivenStay) {
  Builder m;
  m.add_body(bar("one", 0.5));
  m.add_body(bar("two", 0.5, turned(0.5, 0, 20 * kDeg)));
  JointSpec first = hinge("first", "ground", hinge_at(0), "one", hinge_at(0));
  first.start = {{70 * kDeg}};
  m.add_joint(first);
  m.add_joint(hinge("second", "one", hinge_at(0.5), "two", hinge_at(0)));
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  EXPECT_NEAR(At(b).x("second", "angle"), 20 * kDeg, 1e-12);
}

/// Three angles of a ball joint, far from zero: those that a turn has.
TEST(Starts, ABallJointTakesThreeAngles) {
  for (const Vec3& turn : {Vec3(0.3, -0.2, 0.5), Vec3(1.2, -0.9, 0.7), Vec3(-2, 1, 1.5)}) {
    const Mat3 R = exp_matrix(turn);
    Builder m;
    m.add_body(bar("arm", 0.5));
    JointSpec j = hinge("ball", "ground", Pose{Vec3(1, 2, 3), about_z()}, "arm", hinge_at(0));
    j.type = "spherical";
    j.start = {{std::atan2(R(2, 1), R(1, 1)), "roll", ""},
               {std::atan2(R(0, 2), R(2, 2)), "pitch", ""},
               {std::atan2(R(1, 0), R(0, 0)), "yaw", ""}};
    m.add_joint(j);
    const Built b = built(m);
    ASSERT_TRUE(b.model);
    const At at(b);
    for (const CoordinateStart& s : j.start)
      EXPECT_NEAR(std::remainder(at.x("ball", s.coordinate.c_str()) - s.value, 2 * M_PI), 0, 1e-11)
          << s.coordinate;
    EXPECT_LE(at.worst_row(), 1e-12);
  }
}

/// A pair of gears; the second follows from how they are written.
Builder gears(std::vector<CoordinateStart> first, std::vector<CoordinateStart> second) {
  Builder m;
  m.add_body(bar("pinion", 0.2));
  m.add_body(bar("wheel", 0.2, turned(0.4, 0, 0)));
  JointSpec a = hinge("a", "ground", hinge_at(0), "pinion", hinge_at(0));
  JointSpec b = hinge("b", "ground", hinge_at(0.4), "wheel", hinge_at(0));
  a.start = std::move(first);
  b.start = std::move(second);
  m.add_joint(a);
  m.add_joint(b);
  CouplingSpec mesh = gear({"a", "angle"}, {"b", "angle"}, 20, 50);
  mesh.name = "mesh";
  m.add_coupling(mesh);
  return m;
}

TEST(Starts, TurnsAreCountedThroughGears) {
  const double turns = 1000.3;
  const Built b = built(gears({{turns * 2 * M_PI}}, {}));
  ASSERT_TRUE(b.model);
  ASSERT_EQ(b.state.angle.size(), 2u);
  EXPECT_NEAR(b.state.angle[0], turns * 2 * M_PI, 1e-9);
  EXPECT_NEAR(b.state.angle[1], -0.4 * turns * 2 * M_PI, 1e-9);
  EXPECT_NEAR(std::remainder(At(b).x("b", "angle") + 0.4 * turns * 2 * M_PI, 2 * M_PI), 0, 1e-9);
  EXPECT_LE(At(b).worst_row(), 1e-9);
}

TEST(Starts, WhereAllCoordinatesOfAGearAreGivenItMeshesThere) {
  const Built b = built(gears({{0.3}}, {{0.5}}));
  ASSERT_TRUE(b.model);
  EXPECT_NEAR(At(b).x("a", "angle"), 0.3, 1e-12);
  EXPECT_NEAR(At(b).x("b", "angle"), 0.5, 1e-12);
  EXPECT_LE(At(b).worst_row(), 1e-12);
}

TEST(Starts, AScrewTravelsByItsTurns) {
  Builder m;
  m.add_body(bar("nut", 0.1));
  JointSpec j;
  j.name = "guide";
  j.type = "cylindrical";
  j.b = "nut";
  j.frame_a = j.frame_b = Pose{};
  j.start = {{20.25 * 2 * M_PI, "angle", ""}};
  j.rate = {{4, "angle", ""}};
  m.add_joint(j);
  CouplingSpec s = screw({"guide", "travel"}, {"guide", "angle"}, 0.01);
  s.name = "thread";
  m.add_coupling(s);
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  EXPECT_NEAR(At(b).x("guide", "travel"), 0.2025, 1e-12);
  EXPECT_NEAR(At(b).speed("nut").x(), 0.01 * 4 / (2 * M_PI), 1e-12);
}

/// Over-constrained: a parallelogram with a third crank has three redundant rows more.
TEST(Starts, RedundantLoopsAreAssembledAsOthersAre) {
  Builder m;
  const double r = 0.3, l = 0.5;
  m.add_body(bar("coupler", 2 * l, turned(0, r, 0)));
  const char *cranks[] = {"k0", "k1", "k2"}, *foot[] = {"f0", "f1", "f2"},
             *head[] = {"h0", "h1", "h2"};
  for (int i = 0; i < 3; ++i) {
    m.add_body(bar(cranks[i], r, turned(i * l, 0, 90 * kDeg)));
    JointSpec f = hinge(foot[i], "ground", hinge_at(i * l), cranks[i], hinge_at(0));
    if (i == 0) f.start = {{50 * kDeg}};
    if (i == 0) f.rate = {{2}};
    m.add_joint(f);
    m.add_joint(hinge(head[i], "coupler", hinge_at(i * l), cranks[i], hinge_at(r)));
  }
  const Built b = built(m);
  ASSERT_TRUE(b.model);
  const At at(b);
  EXPECT_LE(at.worst_row(), 1e-12);
  for (const char* joint : foot) EXPECT_NEAR(at.x(joint, "angle"), 50 * kDeg, 1e-10);
  EXPECT_NEAR(at.speed("coupler").x(), -2 * r * std::sin(50 * kDeg), 1e-11);
  EXPECT_GT(b.start.rank.surplus(), 3);
}

TEST(Starts, OtherBodiesAreHeldToWhereTheyAreWritten) {
  Builder m = gears({{0.3}}, {});
  m.add_body(bar("apart", 0.2, turned(0, 1, 0)));
  m.add_joint(hinge("far", "ground", hinge_at(0, 2), "apart", hinge_at(0)));
  EXPECT_SAYS(refusal(m), "joint.far", "gap 1 m");
}

// ---- mistakes ----

Builder one(JointSpec j) {
  Builder m;
  m.add_body(bar("bar", 0.5));
  m.add_joint(std::move(j));
  return m;
}
JointSpec pivot() { return hinge("pivot", "ground", hinge_at(0), "bar", hinge_at(0)); }

TEST(StartMistakes, NamesOfCoordinates) {
  JointSpec j = pivot();
  j.start = {{1, "angel", "joint.pivot.start.angel"}};
  EXPECT_SAYS(refusal(one(j)), "joint.pivot.start.angel", "did you mean 'angle'?");
  j.start = {{1, "", "joint.pivot.start"}};
  j.type = "cylindrical";
  EXPECT_SAYS(refusal(one(j)), "joint.pivot.start", "2 free coordinates: say which");
  j.type = "fixed";
  EXPECT_SAYS(refusal(one(j)), "joint.pivot.start", "leaves no coordinate free");
}

TEST(StartMistakes, Numbers) {
  JointSpec j = pivot();
  j.start = {{std::nan(""), "angle", "joint.pivot.start"}};
  EXPECT_SAYS(refusal(one(j)), "joint.pivot.start", "is not finite");
  j.start = {{1, "angle", "joint.pivot.start"}, {1, "", "joint.pivot.start"}};
  EXPECT_SAYS(refusal(one(j)), "joint.pivot.start", "is given twice");
}

TEST(StartMistakes, AgainstALaw) {
  JointSpec j = pivot();
  j.start = {{30 * kDeg, "", "joint.pivot.start"}};
  j.rate = {{2, "", "joint.pivot.rate"}};
  Builder m = one(j);
  LawSpec drive;
  drive.name = "drive";
  drive.type = "driven";
  drive.joint = "pivot";
  drive.drive = Drive{Drive::Level::velocity, 2., 10 * kDeg};
  m.add_law(drive);
  EXPECT_SAYS(refusal(m), "joint.pivot.start",
              "'pivot.angle' is to start at 30 deg, where law 'drive' starts it at 10 deg: they "
              "differ by 20 deg");
  j.start.clear();
  j.rate.front().value = 3;
  m = one(j);
  drive.drive = Drive{Drive::Level::velocity, 2.};
  m.add_law(drive);
  EXPECT_SAYS(refusal(m), "joint.pivot.rate", "where law 'drive' moves it at 114.592 deg/s");
}

TEST(StartMistakes, BeyondAStop) {
  JointSpec j = pivot();
  j.start = {{3, "", "joint.pivot.start"}};
  Builder m = one(j);
  LawSpec stop;
  stop.name = "stop";
  stop.type = "limit";
  stop.joint = "pivot";
  stop.numbers = {{"to", 2}};
  m.add_law(stop);
  EXPECT_SAYS(refusal(m), "joint.pivot.start", "where law 'stop' stops it at 114.592 deg");
}

/// A hinge between two stops, written where only another count of its turns lies between them.
TEST(Starts, AnAngleMakesTheWholeTurnThatBringsItBetweenItsStops) {
  for (const double sign : {1., -1.}) {
    Builder m;
    m.add_body(bar("bar", 0.5, turned(0, 0, -sign * 170 * kDeg)));
    m.add_joint(pivot());
    LawSpec stop;
    stop.name = "stop";
    stop.type = "limit";
    stop.joint = "pivot";
    stop.numbers = {{"from", std::min(sign * 100, sign * 200) * kDeg},
                    {"to", std::max(sign * 100, sign * 200) * kDeg}};
    m.add_law(stop);
    const Built b = built(m);
    ASSERT_EQ(b.state.angle.size(), 1u);
    EXPECT_NEAR(b.state.angle[0], sign * 190 * kDeg, 1e-12);
  }
}

TEST(StartMistakes, StartsThatContradictEachOther) {
  const FourBar f;
  Builder m = with(f.builder(60 * kDeg), "crank", 30 * kDeg);
  JointSpec extra = hinge("gauge", "ground", hinge_at(f.d), "rocker", hinge_at(0));
  extra.start = {{20 * kDeg, "", "joint.gauge.start"}};
  m.add_joint(extra);
  const Problem p = refusal(m);
  EXPECT_EQ(p.path, "joint.gauge.start");
  for (const char* part : {"'start of meter.angle'", "'start of gauge.angle'", "cannot all be met",
                           "is left at the best compromise"})
    EXPECT_NE(p.text.find(part), std::string::npos) << p.text;
}

TEST(StartMistakes, OutOfReach) {  // links too short for the crank angle asked for
  FourBar f;
  f.a = 0.4, f.b = 0.2, f.c = 0.2, f.d = 0.6;
  const Problem p = refusal(with(f.builder(5 * kDeg), "crank", 120 * kDeg));
  EXPECT_NE(p.text.find("'start of meter.angle'"), std::string::npos) << p.text;
  EXPECT_NE(p.text.find("cannot all be met"), std::string::npos) << p.text;
}

TEST(StartMistakes, RatesThatContradictEachOther) {
  const FourBar f;
  Builder m = with(f.builder(60 * kDeg), "crank", 60 * kDeg, 2.);
  JointSpec extra = hinge("gauge", "ground", hinge_at(f.d), "rocker", hinge_at(0));
  extra.rate = {{20, "", "joint.gauge.rate"}};
  m.add_joint(extra);
  const Problem p = refusal(m);
  for (const char* part : {"'start of meter.angle'", "'start of gauge.angle'",
                           "cannot all have the rates they are given"})
    EXPECT_NE(p.text.find(part), std::string::npos) << p.text;
}

}  // namespace
}  // namespace trammel::model::starts_test
