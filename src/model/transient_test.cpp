#include "model/transient.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/test_scene.h"

namespace trammel::model::transient_test {
namespace {

using test::Scene;
using testing::ElementsAre;
using testing::HasSubstr;

/// A stop with friction along one direction, and a turn that is counted: three rows, one angle.
TransientSpec contact() {
  TransientSpec s;
  s.name = "contact";
  s.type = "free";
  LawSpec stop, rub, turn;
  stop.name = "stop";
  stop.type = "limit";
  stop.coordinate = "Ax.D";
  stop.numbers = {{"from", 0}};
  rub.name = "rub";
  rub.type = "friction";
  rub.coordinate = "slip(Ay)";
  rub.numbers = {{"force", 3}};
  turn.name = "turn";
  turn.type = "spring";
  turn.coordinate = "atan2(Az.By, Ay.By)";
  turn.numbers = {{"stiffness", 1}};
  s.laws = {stop, rub, turn};
  return s;
}

/// A hold of three equality constraints.
TransientSpec hold() {
  TransientSpec s;
  s.name = "hold";
  s.type = "spherical";
  return s;
}

std::variant<Built, std::vector<Problem>> build(std::vector<TransientSpec> specs) {
  Scene scene;
  Builder b;
  for (const BodySpec& s : {scene.crank, scene.rod}) b.add_body(s);
  for (const JointSpec& s : {scene.hinge, scene.ball}) b.add_joint(s);
  b.add_law(scene.spring);
  b.add_load(scene.push);
  for (TransientSpec& s : specs) b.add_transient(std::move(s));
  return b.build();
}

Built built() { return std::get<Built>(build({contact(), hold()})); }

Transient between(int type, std::int64_t pair, std::int64_t feature) {
  return {type, pair, feature, 1, 2, Pose{Vec3(1, 2, 3), Mat3::Identity()}, Pose{}};
}

TEST(Transient, TypesLeaveTheModelAsItIs) {
  const Built with = built(), without = std::get<Built>(build({}));
  EXPECT_EQ(with.model->joints.size(), without.model->joints.size());
  EXPECT_EQ(with.model->rows.size(), without.model->rows.size());
  EXPECT_EQ(with.model->groups.size(), without.model->groups.size());
  EXPECT_EQ(with.model->laws.size(), without.model->laws.size());
  EXPECT_EQ(with.model->n_angles, without.model->n_angles);
  EXPECT_EQ(with.model->n_ledger, without.model->n_ledger + 3);  // one a law, after the loads
  EXPECT_EQ(with.model->find_transient_type("hold"), 1);
  EXPECT_EQ(with.model->transient_types[0].n_angles, 1);
  EXPECT_GE(with.model->find_param("law.contact.rub.force"), 0);
}

TEST(Transient, JointsComeAfterThoseOfTheModel) {
  const Built b = built();
  const Model& m = *b.model;
  Model live = m;
  State s = b.state;
  carry(m, s, in_order({between(1, 7, 0), between(0, 5, 1), between(0, 5, 0)}));
  extend(m, s, live);
  ASSERT_EQ(live.joints.size(), m.joints.size() + 3);
  EXPECT_EQ(live.n_static_joints(), m.joints.size());
  EXPECT_EQ(live.joints[m.joints.size()].name, "contact 5:0");
  EXPECT_EQ(live.joints.back().name, "hold 7:0");
  EXPECT_EQ(live.joints.back().X_OA.p, Vec3(1, 2, 3));
  EXPECT_EQ(live.rows.size(), m.rows.size() + 3 + 3 + 3);
  EXPECT_EQ(live.groups.size(), m.groups.size() + 3);
  EXPECT_EQ(live.n_angles, m.n_angles + 2);
  for (std::size_t i = 0; i < live.rows.size(); ++i) {
    const LawOnRow& law = live.laws[static_cast<std::size_t>(live.rows[i].law)];
    if (law.joint < 0) continue;  // equality constraints are one law
    EXPECT_EQ(law.row, static_cast<int>(i));
    EXPECT_EQ(law.joint, live.rows[i].joint);
  }
  // both contacts add their work to one slot, and their angles have places of their own
  EXPECT_EQ(live.laws[m.laws.size()].ledger, live.laws[m.laws.size() + 3].ledger);
  EXPECT_EQ(live.rows[m.rows.size() + 2].angle, m.n_angles);
  EXPECT_EQ(live.rows[m.rows.size() + 5].angle, m.n_angles + 1);
  EXPECT_FALSE(same_mechanism(s, b.state));
  extend(m, b.state, live);
  EXPECT_EQ(live.rows.size(), m.rows.size());
  EXPECT_EQ(live.n_transients, 0);
}

TEST(Transient, MemoryIsFoundByKey) {
  const Built b = built();
  const Model& m = *b.model;
  State s = b.state;
  const std::size_t n = m.rows.size();
  carry(m, s, in_order({between(0, 1, 0), between(0, 2, 0), between(1, 3, 0)}));
  ASSERT_EQ(s.rows.impulse.size(), n + 9);
  for (std::size_t i = 0; i < 9; ++i) s.rows.impulse[n + i] = static_cast<double>(i + 1);
  s.rows.bound[n + 4] = 2;
  s.rows.yielded[n + 4] = 1;
  s.on[m.joints.size() + 2] = 0;
  s.angle[static_cast<std::size_t>(m.n_angles) + 1] = 9;
  s.velocity.extrapolation.assign(n + 9, 0.5);
  s.velocity.factored.assign(n + 9, 1);
  carry(m, s, in_order({between(1, 3, 0), between(0, 2, 0), between(0, 0, 0)}));
  const auto last = [&](const auto& list) {
    return std::vector<double>(list.begin() + static_cast<std::ptrdiff_t>(n), list.end());
  };
  EXPECT_THAT(last(s.rows.impulse), ElementsAre(0, 0, 0, 4, 5, 6, 7, 8, 9));
  EXPECT_THAT(last(s.rows.bound), ElementsAre(-1, 0, 0, -1, 2, 0, 0, 0, 0));
  EXPECT_THAT(last(s.rows.yielded), ElementsAre(0, 0, 0, 0, 1, 0, 0, 0, 0));
  EXPECT_THAT(last(s.velocity.extrapolation), ElementsAre(0, 0, 0, .5, .5, .5, .5, .5, .5));
  EXPECT_THAT(std::vector<double>(s.angle.end() - 2, s.angle.end()), ElementsAre(0, 9));
  EXPECT_THAT(std::vector<int>(s.on.end() - 3, s.on.end()), ElementsAre(1, 1, 0));
  EXPECT_TRUE(s.velocity.factored.empty());
  carry(m, s, {});
  s.velocity = {};
  EXPECT_EQ(hash(s), hash(b.state));
}

TEST(Transient, SaysWhatIsWrong) {
  const Built b = built();
  const auto why = [&](Transient t) { return wrong(*b.model, in_order({t})); };
  EXPECT_EQ(why(between(0, 0, 0)), "");
  EXPECT_THAT(why(between(2, 0, 0)), HasSubstr("there is no type 2"));
  Transient t = between(0, 4, 2);
  t.object_B = 9;
  EXPECT_THAT(why(t), HasSubstr("'contact 4:2': there is no body of index 9"));
  t.object_B = 1;
  EXPECT_THAT(why(t), HasSubstr("joins a body to itself"));
  t.object_B = 2;
  t.X_OB.p.x() = test::kNan;
  EXPECT_THAT(why(t), HasSubstr("not finite"));
  Transients torn = in_order({between(0, 0, 0)});
  torn.frame.pop_back();
  EXPECT_THAT(wrong(*b.model, torn), HasSubstr("differ in length"));
  EXPECT_THROW(in_order({between(0, 1, 1), between(0, 1, 1)}), std::invalid_argument);
}

TEST(Transient, BuilderRefusesWhatCannotBe) {
  const auto complaint = [](TransientSpec s) {
    const auto result = build({std::move(s)});
    const auto* problems = std::get_if<std::vector<Problem>>(&result);
    return problems ? problems->front().path + ": " + problems->front().text : "";
  };
  TransientSpec s = hold();
  s.type = "track";
  EXPECT_THAT(complaint(s), HasSubstr("transient.hold.type: transient joint 'hold'"));
  s.type = "sferical";
  EXPECT_THAT(complaint(s), HasSubstr("did you mean 'spherical'"));
  s = contact();
  s.laws[0].tensile_strength = 3;
  EXPECT_THAT(complaint(s), HasSubstr("transient joints have no strength"));
  s = contact();
  s.laws[0].joint = "hinge";
  EXPECT_THAT(complaint(s), HasSubstr("transient.contact.law.stop.joint"));
  s = contact();
  s.laws[1].name = "stop";
  EXPECT_THAT(complaint(s), HasSubstr("the name 'stop' is taken"));
  s = contact();
  s.laws[1].numbers = {{"farce", 3}};
  EXPECT_THAT(complaint(s), HasSubstr("transient.contact.law.rub.farce"));
  s = contact();
  s.name = "";
  EXPECT_THAT(complaint(s), HasSubstr("needs a name"));
}

}  // namespace
}  // namespace trammel::model::transient_test
