// Every joint of the table, with a law on each of its free coordinates, 1 to 17 times between
// random objects: what lanes give against the evaluator of one joint.
#include "model/joint_lanes.h"

#include <gtest/gtest.h>

#include "joint/test_states.h"
#include "model/kinematics.h"
#include "model/test_scene.h"

namespace trammel::model::joint_lanes_test {
namespace {

using joint::test::Random;

constexpr auto at_(int i) { return static_cast<std::size_t>(i); }
std::string name(const char* kind, int i) { return kind + std::to_string(i); }

/// Eight rows, so two groups, beside the joints of the table.
std::vector<joint::Table> all_tables() {
  auto out = joint::test::all_tables();
  out.push_back(
      joint::test::parsed("two groups", {"Ax.D", "Ay.D", "Az.D", "Ax.By", "Ax.Bz"}, {"D"},
                          {"angle = atan2(Az.By, Ay.By)", "x = Bx.D", "y = Az.Bz", "z = Az.D"}));
  std::erase_if(out, [](const joint::Table& t) { return t.on_curve; });
  return out;
}

/// Joints of one table, or of two in turn, between bodies of a row; the ground is one end of some.
Built mechanism(const joint::Table& one, int n, const joint::Table* other) {
  Builder b;
  Random random(1);
  std::vector<BodySpec> bodies(at_(n + 1));
  for (int i = 0; i <= n; ++i) {
    BodySpec& s = bodies[at_(i)];
    s.name = name("body", i);
    s.mass = 1;
    s.inertia = {1, 1, 1, 0, 0, 0};
    s.X_WB = {random.vector(2), random.rotation()};
    b.add_body(s);
  }
  const bool apart =
      other || std::any_of(one.rows.begin(), one.rows.end(),
                           [](const joint::Coordinate& c) { return c.row.distance(); });
  random = Random(2);
  for (int i = 0; i < n; ++i) {
    const joint::Table& table = other && i % 2 ? *other : one;
    JointSpec s;
    s.name = name("joint", i);
    s.table = std::make_shared<joint::Table>(table);
    s.a = i % 5 == 0 ? "ground" : name("body", i);
    s.b = i % 5 == 2 ? "ground" : name("body", i + 1);
    const Pose X_WA = s.a == "ground" ? Pose{} : bodies[at_(i)].X_WB,
               X_WB = s.b == "ground" ? Pose{} : bodies[at_(i + 1)].X_WB;
    s.frame_a = Pose{random.vector(), random.rotation()};
    s.frame_b = inverse(X_WB) * X_WA * *s.frame_a * Pose{Vec3(apart ? 0.5 : 0, 0, 0)};
    b.add_joint(s);
    for (const joint::Coordinate& c : table.coordinates) {
      LawSpec law;
      law.name = s.name + c.name;
      law.type = "spring";
      law.joint = s.name;
      law.coordinate = c.name;
      law.numbers = {{"stiffness", 1}};
      b.add_law(law);
    }
  }
  auto result = b.build();
  for (const Problem& p : test::problems(result)) ADD_FAILURE() << p.path << ": " << p.text;
  return std::get<Built>(std::move(result));
}

/// One instant: objects and angles anywhere, every third joint let go, NaN where nothing is put.
struct Evaluated {
  Built built;
  Kinematics kin;
  KinematicsCache at;
  std::vector<double> values;  // as values() gives them

  Evaluated(const joint::Table& table, int n, bool all_on, const joint::Table* other = nullptr)
      : built(mechanism(table, n, other)), kin(*built.model, built.params), at(kin.make_cache()) {
    Random random(3);
    for (std::size_t i = 1; i < at.T_WO.size(); ++i)
      at.T_WO[i] = {random.vector(2), random.rotation()};
    random = Random(4);
    for (double& x : built.state.angle) x = 20 * random.uniform();
    for (int j = 1; j < n; j += 3) built.state.on[at_(j)] = all_on;
    evaluate();
  }
  void evaluate() {
    for (auto* x : {&at.g, &at.J, &at.anchor}) std::fill(x->begin(), x->end(), test::kNan);
    kin.values(built.state, at);
    values = at.g;
    kin.jacobians(built.state, at);
  }

  /// J of a row on an object's motion, as it was put.
  const double* J(std::size_t group, int r, int object) const {
    const Object& o = built.model->objects[at_(object)];
    if (o.block < 0) return kin.anchor(at, built.model->groups[group].first_row + r);
    const solve::Graph::Group& g = kin.graph().groups[group];
    const solve::Graph::End* end = &kin.graph().ends[at_(g.end)];
    while (end->block != o.block) ++end;
    return at.J.data() + end->J + 6 * r;
  }
};

/// Bit for bit the same rows of a joint.
void expect_same(const Evaluated& a, const Evaluated& b, int joint) {
  const Model& model = *a.built.model;
  const int object_B = model.joints[at_(joint)].object_B;
  for (std::size_t group = 0; group < model.groups.size(); ++group)
    for (int r = 0; model.groups[group].joint == joint && r < model.groups[group].rows; ++r) {
      const int row = model.groups[group].first_row + r;
      EXPECT_EQ(a.at.g[at_(row)], b.at.g[at_(row)]);
      for (int k = 0; k < 6; ++k) {
        EXPECT_EQ(a.J(group, r, a.kin.end_A(joint))[k], b.J(group, r, b.kin.end_A(joint))[k]);
        EXPECT_EQ(a.J(group, r, object_B)[k], b.J(group, r, object_B)[k]);
      }
    }
}

class Lanes : public testing::TestWithParam<joint::Table> {};

/// Moments are of lengths of 10 m at most; angles' gradients grow as their axes near each other.
void expect_near(const double* got, const double* want, double size) {
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(got[k], want[k], 2e-15 * size) << k;
}

void expect_as_alone(const Evaluated& e, std::size_t group, int r) {
  const Model& model = *e.built.model;
  const Group& g = model.groups[group];
  const RowInfo& info = model.rows[at_(g.first_row + r)];
  if (!e.built.state.on[at_(g.joint)]) {
    EXPECT_TRUE(std::isnan(e.at.g[at_(g.first_row + r)]));
    return;
  }
  joint::Sample sample;
  joint::Arc none;
  const joint::Ends ends = e.kin.ends(g.joint, e.at);
  joint::sample(ends, info.row.features(), 1, none, sample);
  double want = joint::value(info.row, sample, none);
  if (info.angle >= 0) want = joint::turned_near(want, e.built.state.angle[at_(info.angle)]);
  VecX J(12);
  joint::jacobian(info.row, ends, sample, J.data(), J.data() + 6);
  const double size = 10 + J.squaredNorm();
  EXPECT_NEAR(e.at.g[at_(g.first_row + r)], want, 2e-15 * size);
  EXPECT_EQ(e.at.g[at_(g.first_row + r)], e.values[at_(g.first_row + r)]);
  expect_near(e.J(group, r, e.kin.end_A(g.joint)), J.data(), size);
  expect_near(e.J(group, r, model.joints[at_(g.joint)].object_B), J.data() + 6, size);
  EXPECT_EQ(e.at.g_t[at_(g.first_row + r)], 0);
}

void expect_all_as_alone(const Evaluated& e, int n) {
  for (std::size_t group = 0; group < e.built.model->groups.size(); ++group)
    for (int r = 0; r < e.built.model->groups[group].rows; ++r) {
      SCOPED_TRACE(std::to_string(n) + " joints, group " + std::to_string(group) + ", row " +
                   std::to_string(r));
      expect_as_alone(e, group, r);
    }
}

TEST_P(Lanes, EveryRowIsAsOfOneJoint) {
  for (int n = 1; n <= 17; ++n)
    for (const bool all_on : {true, false}) expect_all_as_alone({GetParam(), n, all_on}, n);
}

/// Rows that differ in their function, or in what it takes, are no neighbours.
TEST(JointLanes, OfOtherRowsAreNotMixed) {
  const auto made = [](const char* row) { return joint::test::parsed(row, {}, {}, {row}); };
  const joint::Table product = made("x = Ax.D"), size = made("x = abs(Ax.D)"),
                     other = made("x = Ay.D");
  for (const joint::Table* with : {&size, &other})
    expect_all_as_alone({product, 16, true, with}, 16);
}

TEST_P(Lanes, BitsDoNotDependOnHowManyJointsThereAre) {
  const Evaluated all(GetParam(), 17, true);
  for (int n = 1; n < 17; ++n)
    for (int j = 0; j < n; ++j) {
      const int last = n % joint::kLanes;
      if (j >= n - last && last < JointLanes::kFewest) continue;  // goes alone
      SCOPED_TRACE(std::to_string(n) + " joints, joint " + std::to_string(j));
      expect_same(Evaluated(GetParam(), n, true), all, j);
    }
}

TEST_P(Lanes, BitsDoNotDependOnNeighbours) {
  const Evaluated sound(GetParam(), 17, true);
  Evaluated broken = sound;
  const body::Transform none{Vec3::Constant(test::kNan), Mat3::Constant(test::kNan)};
  for (int j = 0; j < 17; ++j) {
    SCOPED_TRACE("joint " + std::to_string(j));
    broken.at.T_WO.assign(sound.at.T_WO.size(), none);
    for (const int object : {sound.kin.end_A(j), sound.built.model->joints[at_(j)].object_B})
      broken.at.T_WO[at_(object)] = sound.at.T_WO[at_(object)];
    broken.evaluate();
    expect_same(sound, broken, j);
  }
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(All, Lanes, testing::ValuesIn(all_tables()),
                         [](const auto& one) { return joint::test::plain(one.param.name); });

}  // namespace trammel::model::joint_lanes_test
