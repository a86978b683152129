// Pieces of surface at points of contact: which they are, and how gap, place and slip follow.
#include "constraint/forces/geometry.h"

#include "constraint/forces/test_forces.h"

namespace trammel::constraint::geometry_test {
namespace {

using body::Solid;
using Kind = ContactPiece::Kind;
using test::random_turn;
using test::random_vector;
using test::Scene;

/// Two objects that turn and are thrown, at a time.
model::KinematicsCache thrown(double t) {
  const Vec3 v[] = {{0.3, -0.2, 0.5}, {-0.4, 0.1, -0.6}}, a[] = {{1, 2, -1}, {-2, 0.5, 1}},
             w[] = {{0.7, -1.1, 0.4}, {-0.5, 0.9, 1.3}}, p[] = {{0, 0, 0}, {0.1, 0.2, 1}};
  model::KinematicsCache out;
  for (std::size_t i = 0; i < 2; ++i) {
    const Mat3 A = exp_matrix(t * w[i]), W = skew(w[i]);
    out.T_WO.push_back({p[i] + t * v[i] + t * t / 2 * a[i], A});
    out.rate.push_back({v[i] + t * a[i], W * A});
    out.bias.push_back({a[i], W * W * A});
  }
  return out;
}

/// Pairs of pieces that have a gap of their own.
std::vector<std::pair<ContactPiece, ContactPiece>> pairs() {
  const ContactPiece edge{Kind::line, {0.1, 0, 0.2}, Vec3(1, 0.2, -0.1).normalized()},
      rod{Kind::line, {0, 0.1, -0.1}, Vec3(0.3, 1, 0.2).normalized(), 0.05},
      face{Kind::plane, {0.2, 0.1, 0}, Vec3(0.1, 0.2, 1).normalized()},
      ball{Kind::point, {0.1, -0.1, 0.1}, Vec3::UnitZ(), 0.2},
      rim{Kind::circle, {0, 0.1, 0}, Vec3(0.2, 0.1, 1).normalized(), 0, 0.3},
      cone{Kind::cone, {0, 0, 0.1}, Vec3(0.1, 0.3, 1).normalized(), 0, 0.2, 0.8, 0.6};
  ContactPiece egg{Kind::ellipsoid, {0.1, 0, -0.1}};
  egg.radii = {0.1, 0.25, 0.2};
  egg.axes = exp_matrix(Vec3(0.5, -0.8, 0.3));
  return {{edge, rod}, {face, ball}, {face, rim}, {rod, ball}, {rim, ball}, {cone, ball},
          {face, egg}, {egg, ball},  {egg, rod},  {egg, egg},  {ball, ball}};
}
const model::Model kNone;

ContactMotion motion(const ContactPiece& A, const ContactPiece& B, double t,
                     const Vec3& surface_A = Vec3::Zero(), const Vec3& surface_B = Vec3::Zero()) {
  return motion_of(kNone, {0, 1, A, B, 1}, surface_A, surface_B, thrown(t));
}

// Surfaces run along in the axes of their objects; truncation of the differences.
TEST(ContactPieces, SlipsMoveAsTheyDoFromTimeToTime) {
  constexpr double kH = 1e-5;
  const Vec3 belt_A(0.7, -0.3, 0.2), belt_B(-0.1, 0.4, 0.9);
  for (const auto& [A, B] : pairs()) {
    SCOPED_TRACE(static_cast<int>(A.kind) * 10 + static_cast<int>(B.kind));
    const ContactMotion now = motion(A, B, 0, belt_A, belt_B),
                        before = motion(A, B, -kH, belt_A, belt_B),
                        after = motion(A, B, kH, belt_A, belt_B);
    EXPECT_NEAR(((after.slip - before.slip) / (2 * kH) - now.slip_bias).norm(), 0, 1e-6);
    EXPECT_NEAR(((after.gap - before.gap) / (2 * kH) - now.gap_rate), 0, 1e-7);
    EXPECT_NEAR(((after.gap_rate - before.gap_rate) / (2 * kH) - now.gap_bias), 0, 1e-6);
    EXPECT_NEAR(now.n.norm(), 1, 1e-14);
  }
}

// The slip is that of the material at the place, with the surfaces of both.
TEST(ContactPieces, SlipsAreThoseOfTheMaterialAtThePlace) {
  const Vec3 belt_A(0.7, -0.3, 0.2), belt_B(-0.1, 0.4, 0.9);
  const model::KinematicsCache c = thrown(0.3);
  for (const auto& [A, B] : pairs()) {
    SCOPED_TRACE(static_cast<int>(A.kind) * 10 + static_cast<int>(B.kind));
    const ContactMotion is = motion(A, B, 0.3, belt_A, belt_B);
    Vec3 wanted = Vec3::Zero();
    for (const std::size_t o : {0U, 1U}) {
      const Mat3 turning = c.rate[o].A * c.T_WO[o].A.transpose();
      const Vec3 v = c.rate[o].v + turning * (is.x - c.T_WO[o].p);
      wanted += (o ? 1 : -1) * (v + c.T_WO[o].A * (o ? belt_B : belt_A));
    }
    EXPECT_NEAR((is.slip - wanted).norm(), 0, 1e-13);
    EXPECT_NEAR(motion(A, B, 0.3).slip.dot(is.n), is.gap_rate, 1e-12)
        << "along the normal the material goes as the gap does";
  }
}

// Told from the other side a point has the same gap, and all else against it.
TEST(ContactPieces, AreTheSameFromBothSides) {
  model::KinematicsCache c = thrown(0.2), turned = c;
  std::swap(turned.T_WO[0], turned.T_WO[1]);
  std::swap(turned.rate[0], turned.rate[1]);
  std::swap(turned.bias[0], turned.bias[1]);
  const Vec3 none = Vec3::Zero();
  for (const auto& [A, B] : pairs()) {
    SCOPED_TRACE(static_cast<int>(A.kind) * 10 + static_cast<int>(B.kind));
    ContactGeometry g{0, 1, A, B, 1}, h{0, 1, B, A, 1};
    const ContactMotion guess = motion_of(kNone, g, none, none, c);
    g.n = c.T_WO[0].A.transpose() * guess.n;
    h.n = -(turned.T_WO[0].A.transpose() * guess.n);
    const ContactMotion one = motion_of(kNone, g, none, none, c);
    const ContactMotion other = motion_of(kNone, h, none, none, turned);
    if (A.kind == Kind::line && B.kind == Kind::line) continue;  // the sign is that of the order
    EXPECT_NEAR(other.gap, one.gap, 1e-12);
    EXPECT_NEAR(other.gap_rate, one.gap_rate, 1e-12);
    EXPECT_NEAR(other.gap_bias, one.gap_bias, 1e-9);
    EXPECT_NEAR((other.n + one.n).norm(), 0, 1e-12);
    EXPECT_NEAR((other.x - (one.x - one.gap * one.n)).norm(), 0, 1e-12);
  }
}

/// A shape on a floor that it touches, as it is turned, and the pieces of its points.
std::vector<ContactGeometry> pieces(const Solid& solid, const Mat3& R, double height) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  model::BodySpec body = test::solid_body("a", solid, 2, {0, 0, height});
  body.X_WB.R = R;
  b.add_body(body);
  test::Forces turned(b);
  std::vector<ContactGeometry> out;
  for (const Touching& t : turned.contacts.touching) out.push_back(t.geometry);
  return out;
}

TEST(ContactPieces, OnAFloorAreWhatStaysOfAShape) {
  const Mat3 upright = Mat3::Identity(), lying = exp_matrix(Vec3(M_PI / 2, 0, 0));
  struct Case {
    Solid solid;
    Mat3 R;
    double height;
    std::size_t points;
    Kind kind;
    double radius;
  };
  const Case cases[] = {
      {{Solid::Kind::sphere, {0.1, 0, 0}}, upright, 0.1, 1, Kind::point, 0.1},
      {{Solid::Kind::box, {0.4, 0.2, 0.1}}, upright, 0.05, 4, Kind::point, 0},
      {{Solid::Kind::capsule, {0.1, 0.4, 0}}, upright, 0.3, 1, Kind::point, 0.1},
      {{Solid::Kind::capsule, {0.1, 0.4, 0}}, lying, 0.1, 2, Kind::point, 0.1},
      {{Solid::Kind::cylinder, {0.1, 0.4, 0}}, lying, 0.1, 2, Kind::circle, 0},
      {{Solid::Kind::ellipsoid, {0.1, 0.2, 0.3}}, upright, 0.3, 1, Kind::ellipsoid, 0}};
  for (const Case& c : cases) {
    const std::vector<ContactGeometry> is = pieces(c.solid, c.R, c.height);
    EXPECT_EQ(is.size(), c.points) << static_cast<int>(c.solid.kind);
    for (const ContactGeometry& g : is) {
      EXPECT_EQ(g.A.kind, Kind::plane);
      EXPECT_NEAR((g.A.d - Vec3::UnitZ()).norm(), 0, 1e-12);
      EXPECT_EQ(g.B.kind, c.kind) << static_cast<int>(c.solid.kind);
      EXPECT_NEAR(g.B.radius, c.radius, 1e-12);
    }
  }
}

/// Two bodies of these shapes, turned any way and brought to where they touch.
struct Met : Scene {
  Met(const Solid& first, const Solid& second, std::mt19937& random)
      : Scene(builder(first, second, random)), set(points(1)) {
    for (int k = 0; k < 30; ++k) {
      const contact::Point* nearest = &set.points.at(0);
      for (const contact::Point& p : set.points)
        if (p.gap < nearest->gap) nearest = &p;
      std::vector<double> dq(u.size(), 0);
      const Vec3 n = (nearest->B == 1 ? -1 : 1) * nearest->n;
      vec3(dq.data() + unknown("b")) = nearest->gap * n;
      kin.retract(dq.data(), state.q.data());
      refresh();
      set = points(k < 29 ? 1 : 1e-7);
    }
  }
  static model::Builder builder(const Solid& first, const Solid& second, std::mt19937& random) {
    model::Builder b;
    model::BodySpec one = test::solid_body("a", first, 2, Vec3::Zero()),
                    other = test::solid_body("b", second, 2, Vec3::Zero());
    one.X_WB.R = random_turn(random);
    other.X_WB = Pose{0.6 * random_vector(random, 1).normalized(), random_turn(random)};
    b.add_body(one);
    b.add_body(other);
    return b;
  }
  PointSet set;
};

// Whatever two shapes touch, and wherever: the pieces have gap, normal and place of the point.
TEST(ContactPieces, MeetAsTheirPointWasFound) {
  const Solid solids[] = {
      {Solid::Kind::sphere, {0.1, 0, 0}},     {Solid::Kind::box, {0.2, 0.25, 0.3}},
      {Solid::Kind::capsule, {0.08, 0.3, 0}}, {Solid::Kind::cylinder, {0.1, 0.3, 0}},
      {Solid::Kind::cone, {0.15, 0.3, 0.05}}, {Solid::Kind::ellipsoid, {0.1, 0.15, 0.2}}};
  std::mt19937 random(8);
  int found = 0;
  for (const Solid& first : solids)
    for (const Solid& second : solids)
      for (int trial = 0; trial < 4; ++trial) {
        Met s(first, second, random);
        for (const contact::Point& p : s.set.points) {
          const ContactGeometry g = geometry_of(*s.it.model, p, s.now);
          const ContactMotion m = motion_of(*s.it.model, g, Vec3::Zero(), Vec3::Zero(), s.now);
          SCOPED_TRACE(static_cast<int>(first.kind) * 10 + static_cast<int>(second.kind));
          EXPECT_NEAR(m.gap, p.gap, 1e-8);  // of the search for the normal
          EXPECT_NEAR((m.n - p.n).norm(), 0, 1e-6);
          EXPECT_NEAR((m.x - p.p_B).norm(), 0, 1e-6);
          ++found;
        }
      }
  EXPECT_GE(found, 144);
}

}  // namespace
}  // namespace trammel::constraint::geometry_test
