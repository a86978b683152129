#include <gtest/gtest.h>

#include "math/rotation.h"
#include "model/builder.h"
#include "model/kinematics.h"

namespace trammel::model::fit_start_test {
namespace {

/// Axes of a hinge about y: x along y, z upwards.
const Mat3 kAboutY = exp_matrix(M_PI / 2 * Vec3::UnitZ());

/// A bar of 1 m on a hinge about y at the origin, its frames apart by `gap` [m] and `askew` [rad],
/// turned.
Builder bar(const Vec3& gap, double askew, const char* type = "revolute", double turned = 0) {
  Builder b;
  BodySpec body;
  body.name = "bar";
  body.mass = 2;
  body.inertia = {0.1, 0.3, 0.4, 0, 0, 0};
  body.X_WB.R = exp_matrix(turned * Vec3::UnitY());
  body.X_WB.p = body.X_WB.R * Vec3(0.5, 0, 0) + gap;
  b.add_body(body);
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = type;
  hinge.b = "bar";
  hinge.frame_a = Pose{Vec3::Zero(), kAboutY};
  hinge.frame_b = Pose{Vec3(-0.5, 0, 0), Mat3(exp_matrix(askew * Vec3::UnitX()) * kAboutY)};
  b.add_joint(hinge);
  return b;
}

Built built(const Builder& builder) {
  auto result = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
    return {};
  }
  return std::get<Built>(std::move(result));
}

std::string refusal(const Builder& builder) {
  const auto result = builder.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&result);
  if (!problems || problems->size() != 1) return "no single problem";
  EXPECT_EQ(problems->front().path, "joint.hinge");
  return problems->front().text;
}

/// Worst row, and worst rate of a row, of what was built.
struct Rows {
  double g = 0, rate = 0;
};
Rows rows(const Built& b) {
  const Kinematics kin(*b.model, b.params);
  KinematicsCache at = kin.make_cache();
  for (std::size_t i = 0; i < at.arc.size(); ++i) at.arc[i] = {b.state.s[i], b.state.piece[i]};
  kin.transforms(b.state.q.data(), 0, at);
  kin.inverse_mass(b.state.q.data(), at);
  kin.jacobians(b.state, at);
  VecX u(b.model->n_u);
  kin.velocities(at, b.state.P.data(), u.data());
  kin.rates(b.state.q.data(), u.data(), at);
  std::vector<double> rate(b.model->rows.size()), bias(rate);
  kin.row_rates(b.state, at, rate.data(), bias.data());
  Rows out;
  for (std::size_t i = 0; i < rate.size(); ++i) {
    out.g = std::max(out.g, std::abs(at.g[i]));
    out.rate = std::max(out.rate, std::abs(rate[i]));
  }
  return out;
}

TEST(Start, FramesApartAreRefusedWithGapAndAngle) {
  const std::string text = refusal(bar({0.03, 0, 0.04}, 5 * M_PI / 180));
  EXPECT_NE(text.find("the frames of joint 'hinge' do not meet"), std::string::npos) << text;
  EXPECT_NE(text.find("gap 0.05 m"), std::string::npos) << text;
  EXPECT_NE(text.find("angle 5 deg"), std::string::npos) << text;
  EXPECT_NE(text.find("assemble = true"), std::string::npos) << text;
}

TEST(Start, AGapBelowTheToleranceIsClosedWithoutAWord) {
  Builder builder = bar({0, 3e-7, 0}, 0);
  const Built b = built(builder);
  EXPECT_NEAR(b.start.gap, 3e-7, 1e-12);
  EXPECT_EQ(b.start.gap_joint, "hinge");
  EXPECT_LE(rows(b).g, 1e-12);
  builder.tolerance = 1e-7;
  EXPECT_NE(refusal(builder).find("do not meet"), std::string::npos);
}

LawSpec drive(double start) {
  LawSpec law;
  law.name = "drive";
  law.type = "driven";
  law.joint = "hinge";
  law.drive = Drive{Drive::Level::velocity, 1., start};
  return law;
}

/// An angle is known to whole turns: the drive says which.
TEST(Start, ADriveMayStartInAnyTurn) {
  for (const double turned : {M_PI / 2, M_PI}) {
    for (const double turns : {-2., -1., 0., 1., 5.}) {
      Builder builder = bar(Vec3::Zero(), 0, "revolute", turned);
      builder.add_law(drive(turned + 2 * M_PI * turns));
      const Built b = built(builder);
      ASSERT_TRUE(b.model);
      EXPECT_LE(b.start.moved, 1e-12);
      EXPECT_NEAR(b.state.angle.at(0), turned + 2 * M_PI * turns, 1e-12);
    }
  }
}

TEST(Start, ADriveFromElsewhereIsNamedAndNotTheBodies) {
  Builder builder = bar(Vec3::Zero(), 0);
  builder.add_law(drive(0.5));
  const auto result = builder.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&result);
  ASSERT_TRUE(problems);
  ASSERT_EQ(problems->size(), 1u);
  EXPECT_EQ(problems->front().path, "law.drive");
  EXPECT_NE(problems->front().text.find("starts at 28.6479 deg, 'angle' of joint 'hinge' at 0 deg"),
            std::string::npos)
      << problems->front().text;
  builder.assemble = true;
  EXPECT_NEAR(built(builder).state.angle.at(0), 0.5, 1e-12);
}

// What only turns is named too.
TEST(Start, AssembleNamesWhatItTurns) {
  Builder builder = bar({0, 0, 0}, 0.1);
  builder.assemble = true;
  const Built b = built(builder);
  EXPECT_GT(b.start.turned, 0.05);
  EXPECT_EQ(b.start.moved_body, "bar");
}

TEST(Start, AssembleMovesTheBodiesAndSaysHowFar) {
  Builder builder = bar({0.03, 0, 0.04}, 0.1);
  builder.assemble = true;
  const Built b = built(builder);
  EXPECT_LE(rows(b).g, 1e-12);
  EXPECT_NEAR(b.start.gap, 0.05, 1e-12);
  EXPECT_NEAR(b.start.angle, 0.1, 1e-12);
  EXPECT_EQ(b.start.gap_joint, "hinge");
  EXPECT_EQ(b.start.moved_body, "bar");
  const Vec3 start(0.53, 0, 0.04), now = vec3(b.state.q.data());
  EXPECT_NEAR(b.start.moved, (now - start).norm(), 1e-3);  // the path to there is a little longer
  EXPECT_GT(b.start.moved, 0.01);
  const double turned =
      log_quat(Quat(b.state.q[3], b.state.q[4], b.state.q[5], b.state.q[6])).norm();
  EXPECT_NEAR(b.start.turned, turned, 1e-3);
  EXPECT_GT(turned, 0.09);
  EXPECT_GE(b.start.iterations, 2);
}

TEST(Start, JointsThatCannotBeMetAreRefusedEvenWhenAssembling) {
  Builder builder = bar(Vec3::Zero(), 0);
  builder.assemble = true;
  JointSpec far;
  far.name = "far";
  far.type = "spherical";
  far.b = "bar";
  far.frame_a = Pose{Vec3(2, 0, 0), Mat3::Identity()};
  far.frame_b = Pose{Vec3(0.5, 0, 0), Mat3::Identity()};
  builder.add_joint(far);
  EXPECT_NE(refusal(builder).find("cannot all be met"), std::string::npos);
}

TEST(Start, AnAxisTheWrongWayRoundIsFoundThoughItsRowsAreZero) {
  for (const char* type : {"revolute", "cylindrical", "prismatic", "fixed", "parallel"}) {
    const std::string text = refusal(bar(Vec3::Zero(), M_PI, type));
    EXPECT_NE(text.find("meet the wrong way round"), std::string::npos) << type << ": " << text;
  }
}

/// The points of the hinge are 5 cm apart as given and one once assembled.
TEST(Start, ADistanceThatVanishesOnceAssembledIsRefused) {
  Builder builder = bar({0.03, 0, 0.04}, 0);
  builder.assemble = true;
  LawSpec spring;
  spring.name = "spring";
  spring.type = "spring";
  spring.joint = "hinge";
  spring.coordinate = "sqrt(D.D)";
  spring.numbers["damping"] = 1;
  builder.add_law(spring);
  const auto result = builder.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&result);
  ASSERT_TRUE(problems);
  ASSERT_EQ(problems->size(), 1u);
  EXPECT_EQ(problems->front().path, "law.spring.coordinate");
  EXPECT_EQ(
      problems->front().text,
      "sqrt(D.D) of joint 'hinge' is zero once assembled, its points coincide: a distance has "
      "no rate there");
}

TEST(Start, VelocitiesAreProjectedAndReported) {
  Builder plain = bar(Vec3::Zero(), 0);
  // spin w about y asks for v = w x r; given v = 0: energy splits by the inertias
  Builder builder;
  BodySpec body;
  body.name = "bar";
  body.mass = 2;
  body.inertia = {0.1, 0.3, 0.4, 0, 0, 0};
  body.X_WB.p = {0.5, 0, 0};
  body.w = {0, 3, 0};
  builder.add_body(body);
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = "revolute";
  hinge.b = "bar";
  hinge.at = Pose{Vec3::Zero(), kAboutY};
  builder.add_joint(hinge);
  const Built b = built(builder);
  EXPECT_LE(rows(b).rate, 1e-11);
  const double about_pivot = 0.3 + 2 * 0.25, w = 3 * 0.3 / about_pivot;  // angular momentum is kept
  EXPECT_NEAR(b.state.P[4], 0.3 * w, 1e-11);
  EXPECT_NEAR(b.state.P[2], -2 * 0.5 * w, 1e-11);
  EXPECT_NEAR(b.start.spin_change, 3 - w, 1e-11);
  EXPECT_NEAR(b.start.speed_change, 0.5 * w, 1e-11);
  EXPECT_NEAR(b.start.energy_change, 0.5 * (0.3 * 9 - about_pivot * w * w), 1e-11);
  EXPECT_EQ(built(plain).start.energy_change, 0);
}

TEST(Start, DrivenCoordinatesStartAtTheirSpeed) {
  Builder builder = bar(Vec3::Zero(), 0);
  LawSpec drive;
  drive.name = "drive";
  drive.type = "driven";
  drive.joint = "hinge";
  drive.coordinate = "angle";
  drive.drive = Drive{Drive::Level::velocity, 2.0};
  builder.add_law(drive);
  const Built b = built(builder);
  EXPECT_NEAR(b.state.P[4], 0.3 * 2, 1e-11);
}

/// Velocities that do not fit are changed alike where a body has no inertia in a direction that
/// nothing asks for: of m v along z only the turn about the hinge is left.
TEST(Start, OfLightBodiesVelocitiesAreChangedAsOfOthers) {
  StartReport reports[2];
  for (const bool light : {false, true}) {
    Builder b;
    BodySpec body;
    body.name = "bar";
    body.mass = 2;
    body.inertia = {light ? 0 : 0.1, 0.3, light ? 0.3 : 0.4, 0, 0, 0};
    body.X_WB.p = {0.5, 0, 0};
    body.v = {0, 0.3, -2};
    body.w = {0.4, 1, 0.2};
    b.add_body(body);
    JointSpec hinge;
    hinge.name = "hinge";
    hinge.type = "revolute";
    hinge.b = "bar";
    hinge.frame_a = Pose{Vec3::Zero(), kAboutY};
    hinge.frame_b = Pose{Vec3(-0.5, 0, 0), kAboutY};
    b.add_joint(hinge);
    reports[light ? 1 : 0] = built(b).start;
  }
  const double turn = (2 * 0.5 * 2 + 0.3) / (0.3 + 2 * 0.25);  // (m l v + I w) / (I + m l^2)
  for (const StartReport& r : reports) {
    EXPECT_NEAR(r.speed_change, Vec3(0, 0.3, 2 - turn / 2).norm(), 1e-12);
    EXPECT_NEAR(r.spin_change, Vec3(0.4, turn - 1, 0.2).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace trammel::model::fit_start_test
