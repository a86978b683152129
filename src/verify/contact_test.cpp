// What the cross-check says of bodies that touch: impacts, what follows them, wrong laws.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/results.h"
#include "math/rotation.h"
#include "verify/verify.h"

namespace trammel::verify::contact_test {
namespace {

constexpr double kG = 9.81;
const Options kWhole{.choose_horizon = false, .work = 0};

model::Built built_of(const model::Builder& builder) {
  auto result = builder.build();
  if (const auto* wrong = std::get_if<std::vector<Problem>>(&result))
    throw std::runtime_error(wrong->front().text);
  return std::get<model::Built>(std::move(result));
}

sim::Settings over(double duration, double step) {
  sim::Settings s;
  s.duration = duration;
  s.step = step;
  return s;
}

std::string findings_of(const Report& r) {
  std::string out;
  for (const std::string& f : r.findings) out += f + "\n";
  for (const LeftOut& l : r.left_out) out += l.name + ": " + l.why + "\n";
  return out;
}

/// A floor, with one law for all.
model::Builder floor_with(double friction, double restitution) {
  model::Builder b;
  model::ContactSpec floor;
  floor.kind = model::ContactSpec::Kind::half_space;
  b.add_obstacle(floor);
  model::ContactLawSpec law;
  law.name = "law";
  law.law.friction = friction;
  law.law.restitution = restitution;
  b.add_contact_law(law);
  return b;
}

model::BodySpec body_of(const std::string& name, const model::Solid& solid, const Vec3& p) {
  model::BodySpec b;
  b.name = name;
  b.mass = 2;
  b.solid = solid;
  b.solids_touch = true;
  b.X_WB.p = p;
  return b;
}

/// A ball of 10 cm, 1 m above the floor, thrown forward.
model::Built bouncing(double restitution, double friction, double height = 1) {
  model::Builder b = floor_with(friction, restitution);
  model::BodySpec ball =
      body_of("ball", {model::Solid::Kind::sphere, {0.1, 0, 0}}, {0, 0, 0.1 + height});
  ball.v = {1, 0, 0};
  b.add_body(ball);
  return built_of(b);
}

/// Three impacts: every series knows when, to what it says; places agree to what they say.
TEST(VerifyContact, ABouncingBallAgrees) {
  const double e = 0.8, w = std::sqrt(2 * kG);
  const Report r = verify(bouncing(e, 0.3), over(2, 1e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << findings_of(r);
  ASSERT_EQ(r.series.size(), 2u);
  ASSERT_EQ(r.meetings.all.size(), 3u);
  double t = w / kG, v = w;
  for (const Meeting& m : r.meetings.all) {
    EXPECT_EQ(m.pair, "ball, ground");
    EXPECT_TRUE(m.agrees);
    for (const Meeting::Time& known : m.of) {
      ASSERT_TRUE(known.known);
      EXPECT_NEAR(known.t, t, known.off);
      EXPECT_NEAR(known.speed, v, 1e-9);
    }
    v *= e;
    t += 2 * v / kG;
  }
  EXPECT_LT(r.meetings.all[0].of[0].off, 1.01 * 0.25e-3);  // a step of the finest run,
  EXPECT_LT(r.meetings.all[2].of[0].off, 6 * 0.25e-3);     // and what earlier ones leave
  EXPECT_LT(r.meetings.all[2].of[1].off, 1e-9);            // located
  // before the first impact the order is seen, after it nothing is extrapolated
  EXPECT_EQ(r.series[0].first_impact, 11);  // 0.4515 s, times are 0.04 s apart
  EXPECT_FALSE(r.series[0].extrapolated);
  EXPECT_LT(r.series[0].late[9].length, 1e-15);  // rounding
  EXPECT_GT(r.series[0].late[12].length, 1e-4);
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_LT(r.pairs[0].greatest.length, r.series[0].late.back().length);
}

/// Limits of impulses and forces agree, and differ by less than this [m].
void expect_agreement(const char* what, const model::Built& of, double duration, double less) {
  const Report r = verify(of, over(duration, 1e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << what << ": " << findings_of(r);
  ASSERT_EQ(r.series.size(), 2u) << what;
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_EQ(r.pairs[0].until, r.grid.count) << what;
  EXPECT_LT(r.pairs[0].greatest.length, less) << what;
}

/// What rests, slides, sticks, rolls, tips and swings. Where a contact begins to stick or slip the
/// error is h^2 |jump of acceleration|/8 of the finest step, 5 m/s^2 (0.25 ms)^2/8 = 4e-8 m; the
/// way of 1 m from there does not magnify it.
TEST(VerifyContact, SmoothPartsAgree) {
  const model::Solid box{model::Solid::Kind::box, {0.4, 0.3, 0.2}},
      sphere{model::Solid::Kind::sphere, {0.1, 0, 0}};
  const auto on_slope = [&](double mu, double tilt, const Vec3& v) {
    model::Builder b = floor_with(mu, 0);
    b.gravity = kG * Vec3(std::sin(tilt), 0, -std::cos(tilt));
    model::BodySpec block = body_of("block", box, {0, 0, 0.1});
    block.v = v;
    b.add_body(block);
    return built_of(b);
  };
  expect_agreement("rests", on_slope(0.5, 0, Vec3::Zero()), 0.5, 1e-10);
  expect_agreement("slides down", on_slope(0.3, 0.5, Vec3::Zero()), 0.5, 1e-10);
  expect_agreement("comes to rest", on_slope(0.3, 0, {2, 0, 0}), 1, 4e-8);
  expect_agreement("goes up and sticks", on_slope(0.8, 0.5, {-2, 0.5, 0}), 1, 3e-5);
  model::Builder rolls = floor_with(0.2, 0);
  model::BodySpec ball = body_of("ball", sphere, {0, 0, 0.1});
  ball.v = {3, 0, 0};
  rolls.add_body(ball);
  expect_agreement("slides, then rolls", built_of(rolls), 1, 4e-8);
}

/// A box that rests on its edge until it has come down on the other one, as it must; a ball that
/// swings against a wall; two boxes of which the upper one is dragged along.
TEST(VerifyContact, WhatComesDownSwingsAndIsDraggedAgrees) {
  model::Builder lands = floor_with(0.3, 0);
  model::BodySpec box = body_of("box", {model::Solid::Kind::box, {0.4, 0.3, 0.2}}, {0, 0, 0.4});
  box.X_WB.R = exp_matrix(Vec3(0, 0.2, 0));
  box.v = {0.5, 0, 0};
  lands.add_body(box);
  {
    const Report r = verify(built_of(lands), over(0.6, 1e-3), kWhole);
    EXPECT_TRUE(r.agrees()) << findings_of(r);
    ASSERT_EQ(r.meetings.all.size(), 2u);
    for (const Meeting& m : r.meetings.all) EXPECT_NEAR(m.of[0].t, m.of[1].t, 0.25e-3);
    EXPECT_LT(r.pairs[0].greatest.length, 1e-3);  // two windows of 0.25 ms, at 2 m/s
  }
  model::Builder swings = floor_with(0.1, 0.7);
  swings.gravity = {kG, 0, 0};  // the floor is a wall
  swings.add_body(body_of("bob", {model::Solid::Kind::sphere, {0.1, 0, 0}}, {0, 0, 1}));
  model::JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = "revolute";
  hinge.b = "bob";
  Mat3 across;
  across << 0, 0, 1, 1, 0, 0, 0, 1, 0;  // x of the joint along y
  hinge.at = Pose{Vec3(-0.1, 0, 0.1), across};
  swings.add_joint(hinge);
  expect_agreement("swings", built_of(swings), 1, 2e-3);
  model::Builder dragged = floor_with(0.4, 0);
  model::BodySpec low = body_of("low", {model::Solid::Kind::box, {0.6, 0.3, 0.2}}, {0, 0, 0.1});
  low.v = {1, 0, 0};
  dragged.add_body(low);
  dragged.add_body(body_of("high", {model::Solid::Kind::box, {0.3, 0.3, 0.2}}, {0, 0, 0.3}));
  const Report r = verify(built_of(dragged), over(0.05, 1e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << findings_of(r);
}

model::Built falling_box(double height) {
  model::Builder b = floor_with(0.3, 0);
  model::BodySpec box =
      body_of("box", {model::Solid::Kind::box, {0.4, 0.3, 0.2}}, {0, 0, 0.1 + height});
  box.v = {1, 0, 0};
  b.add_body(box);
  return built_of(b);
}

bool left_out(const Report& r, const std::string& name, const std::string& why) {
  return std::any_of(r.left_out.begin(), r.left_out.end(), [&](const LeftOut& l) {
    return l.name == name && l.why.find(why) != std::string::npos;
  });
}

/// By energy what falls is compared until it meets, and when it does; then another law holds. What
/// a barrier does not take is left out, with the reason.
TEST(VerifyContact, WhatABarrierTakesIsComparedUntilItMeets) {
  const double t = std::sqrt(2 * 0.2 / kG);
  const Report r = verify(falling_box(0.2), over(0.5, 1e-3), kWhole);
  EXPECT_TRUE(r.agrees()) << findings_of(r);
  ASSERT_EQ(r.series.size(), 3u);
  EXPECT_EQ(r.series[2].name, "energy, bdf2, rows");
  EXPECT_NEAR(r.late_beyond[2], t, 0.015);
  for (const std::size_t other : {1u, 2u}) EXPECT_EQ(r.pairs[other].until, r.resolved[2]);
  ASSERT_EQ(r.meetings.all.size(), 1u);
  const Meeting::Time& met = r.meetings.all[0].of[2];
  ASSERT_TRUE(met.known);
  EXPECT_NEAR(met.t, t, met.off);
  EXPECT_LT(met.off, 1e-3);  // a step of 0.25 ms, and 1 mm at 2 m/s
  EXPECT_TRUE(r.meetings.all[0].agrees);

  const std::string energy = "energy, bdf2, rows";
  EXPECT_TRUE(left_out(verify(falling_box(0), over(0.1, 1e-3), kWhole), energy,
                       "bodies touch at the start"));
  EXPECT_TRUE(left_out(verify(bouncing(0.5, 0), over(0.1, 1e-3), kWhole), energy, "restitution"));
  EXPECT_TRUE(left_out(verify(bouncing(0, 0.1), over(0.1, 1e-3), kWhole), energy,
                       "a sphere of 'ball' touches"));
}

/// However the impacts fall into steps: heights that put the first one anywhere between two ends of
/// steps, and on one.
TEST(VerifyContact, WhereInAStepImpactsFallIsNoMatter) {
  for (int k = 0; k <= 8; ++k) {
    const double t = 0.4 + 1e-3 * k / 8;
    const Report r = verify(bouncing(0.6, 0.2, kG / 2 * t * t), over(1.5, 1e-3), kWhole);
    EXPECT_TRUE(r.agrees()) << k << ": " << findings_of(r);
    EXPECT_GE(r.meetings.all.size(), 3u);
  }
}

/// By forces another law than by impulses.
Report other_law(double restitution, double friction) {
  const model::Built right = bouncing(0.8, 0.3), wrong = bouncing(restitution, friction);
  Methods methods = methods_of(right, {});
  methods.methods.back().built = &wrong;
  return compare(methods, over(2, 1e-3), kWhole);
}

TEST(VerifyContact, FindsAWrongRestitution) {
  EXPECT_TRUE(other_law(0.8, 0.3).agrees());
  const Report r = other_law(0.79, 0.3);
  const std::string found = findings_of(r);
  EXPECT_NE(found.find("disagree from t = 0."), std::string::npos) << found;  // in the first flight
  EXPECT_NE(found.find("'ball, ground' meet at t = 1.17"), std::string::npos) << found;
  ASSERT_GE(r.meetings.all.size(), 2u);
  EXPECT_TRUE(r.meetings.all[0].agrees);
  EXPECT_FALSE(r.meetings.all[1].agrees);
}

/// The ball slips in its first impact with a coefficient below 2/7 v/((1 + e) w) = 0.0358.
TEST(VerifyContact, FindsAWrongFriction) {
  EXPECT_TRUE(other_law(0.8, 0.05).agrees());  // sticks either way
  const std::string found = findings_of(other_law(0.8, 0.034));
  EXPECT_NE(found.find("disagree from t = 0."), std::string::npos) << found;
}

namespace fs = std::filesystem;

/// Results of contacts, checked by themselves.
class ContactResults : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "trammel_touch_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const char* name) const { return (folder_ / name).string(); }

  Independent recorded(const model::Built& built, const sim::Settings& settings) {
    fs::remove(file("a.h5"));
    record(built, settings, {}, file("a.h5"));
    scales_ = built.model->scales;
    return check(io::ResultsReader(file("a.h5")), allowed_of(settings, built.model->scales));
  }
  /// What the check says once a number of a series is another from frame 100 on.
  std::string tampered(const char* path, std::size_t column, double by,
                       const sim::Settings& settings) {
    const io::ResultsReader from(file("a.h5"));
    io::Header header = from.header();
    header.lists.clear();
    fs::remove(file("b.h5"));
    io::ResultsWriter to(file("b.h5"), header, from.series());
    for (std::size_t k = 0; k < from.frames(); ++k) {
      to.append_frame(from.time()[k]);
      for (std::size_t i = 0; i < from.series().size(); ++i) {
        std::vector<double> numbers = from.read_rows(i, k, 1);
        const io::Series& s = from.series()[i];
        const auto box = std::find(s.items.begin(), s.items.end(), "box") - s.items.begin();
        if (s.path == path && k >= 100)
          numbers[static_cast<std::size_t>(box) * s.columns.size() + column] += by;
        to.append(i, numbers);
      }
    }
    to.close();
    const auto findings =
        check(io::ResultsReader(file("b.h5")), allowed_of(settings, scales_)).findings();
    return fmt::format("{}", fmt::join(findings, "\n"));
  }

  fs::path folder_;
  model::Scales scales_;  // of what was recorded last
};

/// A tilted box that lands, slides and rests; a ball that falls onto another and rolls off; a rod
/// on a hinge that swings against the floor.
model::Built all_sorts(double restitution, bool affine = false) {
  model::Builder b = floor_with(0.3, restitution);
  model::BodySpec box = body_of("box", {model::Solid::Kind::box, {0.4, 0.3, 0.2}}, {-2, 0, 0.4});
  box.X_WB.R = exp_matrix(Vec3(0.1, 0.2, 0.3));
  box.v = {1, 0.2, 0};
  box.w = {0.5, 1, 2};
  if (affine) box.affine.emplace().stiffness = 1e6;
  b.add_body(box);
  const model::Solid sphere{model::Solid::Kind::sphere, {0.1, 0, 0}};
  b.add_body(body_of("low", sphere, {0, 0, 0.15}));
  model::BodySpec high = body_of("high", sphere, {0.05, 0.02, 0.5});
  high.w = {0, 0, 5};
  b.add_body(high);
  model::BodySpec rod = body_of("rod", {model::Solid::Kind::box, {0.8, 0.05, 0.05}}, {2, 0, 0.5});
  rod.X_WB.R = exp_matrix(Vec3(0, 0.3, 0));
  b.add_body(rod);
  model::JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = "spherical";
  hinge.b = "rod";
  hinge.at = Pose{Vec3(1.65, 0, 0.6), Mat3::Identity()};
  b.add_joint(hinge);
  return built_of(b);
}

const Residual* residual(const Independent& c, const std::string& what) {
  for (const Residual& r : c.residuals)
    if (r.what == what) return &r;
  return nullptr;
}

/// Linear and angular momentum of each body close to rounding, however it is struck and rubbed; by
/// forces to their accuracy.
TEST_F(ContactResults, ImpulsesMakeTheMomenta) {
  for (const auto formulation :
       {form::Settings::Formulation::velocity, form::Settings::Formulation::acceleration,
        form::Settings::Formulation::energy}) {
    const bool by_energy = formulation == form::Settings::Formulation::energy;
    sim::Settings s = over(0.6, by_energy ? 2e-3 : 1e-3);
    s.form.formulation = formulation;
    s.form.joint_stiffness = law::kInf;
    const Independent c = recorded(all_sorts(by_energy ? 0 : 0.5, by_energy), s);
    EXPECT_TRUE(c.findings().empty()) << name_of(formulation) << ": " << c.findings().front();
    for (const std::string& out : c.left_out)
      EXPECT_EQ(out.find("momenta"), std::string::npos) << out;
    for (const char* what : {"linear momentum of a body", "angular momentum of a body"}) {
      const Residual* r = residual(c, what);
      ASSERT_TRUE(r) << what;
      EXPECT_LT(r->worst, r->allowed) << what;
      EXPECT_LT(r->allowed, 1e-6) << name_of(formulation) << ": " << what;
    }
    for (const std::size_t column : {2u, 3u}) {  // force along z, moment about x, of the box
      const std::string found = tampered("/contacts/impulse", column, 1e-5, s);
      if (by_energy && column == 3) continue;  // of affine bodies it is only shown
      EXPECT_NE(found.find(column == 2 ? "linear momentum of a body 'box'"
                                       : "angular momentum of a body 'box'"),
                std::string::npos)
          << name_of(formulation) << ": " << found;
    }
  }
}

}  // namespace
}  // namespace trammel::verify::contact_test
