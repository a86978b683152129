#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "geom/alignment.h"
#include "math/rotation.h"
#include "support.h"

/// A mechanism of a bit of everything, in which nothing lies along an axis, in a centre or in a
/// plane: what is lost of a lever, a product of inertia or a sign shows.
namespace trammel::acceptance::oblique {

constexpr double kStep = 1e-3, kTime = 1.2;  // [s]
const Vec3 kOwnGravity(1.2, -0.7, -9.3);

inline Mat3 turned(double x, double y, double z) { return exp_matrix(Vec3(x, y, z)); }

/// Mass, centre of mass and inertia about it in body axes, of bodies that are like nothing simple.
struct Mass {
  double m;
  Vec3 com;
  Mat3 inertia;
};
inline Mass mass_of(double m, const Vec3& com, const Vec3& principal, const Mat3& axes) {
  return {m, com, axes * principal.asDiagonal() * axes.transpose()};
}
const Mass kArm = mass_of(2, {0.1, -0.05, 0.2}, {0.05, 0.08, 0.11}, turned(0.5, -0.4, 0.9)),
           kSlug = mass_of(0.7, {-0.03, 0.08, 0.05}, {0.01, 0.014, 0.02}, turned(-0.8, 0.3, 0.6)),
           kWheel = mass_of(1.3, {0.02, 0.04, -0.06}, {0.03, 0.04, 0.05}, turned(0.2, 1.1, -0.3)),
           kCart = mass_of(5, {0.05, -0.1, 0.3}, {0.4, 0.6, 0.7}, turned(0.3, 0.2, -0.5));
const Vec3 kSoftSize(0.3, 0.4, 0.5);
constexpr double kSoftMass = 3, kSoftStiffness = 4e3;  // [kg], [Pa]

inline model::BodySpec body(const char* name, const Mass& of, const Pose& X) {
  model::BodySpec b;
  b.name = name;
  b.mass = of.m;
  const Mat3& I = of.inertia;
  b.inertia = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  b.com = of.com;
  b.X_WB = X;
  return b;
}

// Frames of joints in the bodies, and where bodies begin.
const Pose kHinge{{0.3, 0.2, -0.1}, turned(0.4, -0.9, 0.7)};           // in the world
const Pose kHingeOnArm{{-0.2, 0.1, 0.05}, turned(-0.3, 0.5, 1.2)};     // in the arm
const Pose kSlideOnArm{{0.3, -0.15, 0.1}, turned(1.1, 0.2, -0.6)};     // in the arm
const Pose kSlideOnSlug{{0.04, 0.06, -0.02}, turned(0.7, -0.2, 0.4)};  // in the slug
const Pose kAxle{{-0.6, 0.5, 0.2}, turned(-0.5, 0.8, 0.1)};            // in the world
const Pose kAxleOnWheel{{0.01, -0.03, 0.05}, turned(0.9, 0.4, -0.7)};  // in the wheel
const Pose kBall{{1.5, -0.8, 0.4}, turned(0.2, 0.3, 0.4)};             // in the world
const Vec3 kBallOnSoft(-0.1, 0.15, 0.2), kPushPoint(0.1, 0.02, -0.07), kProbePoint(-0.05, 0.1, 0.2),
    kDragPoint(0.1, -0.2, 0.25);
constexpr double kBack = -0.12, kTurn = -0.4;  // of the slide's coordinates at the start
constexpr double kSpring = 80, kDamper = 1.5, kRest = 0.1, kPreload = 2, kDrive = 0.04;
constexpr std::array<double, 3> kCoupled{1, 0.5, 0.3};  // of hinge.angle, axle.angle, slide.back
constexpr double kDragLinear = 0.8, kDragSquare = 0.3;

inline Vec3 operator*(const Pose& X, const Vec3& x) { return X.p + X.R * x; }

inline Vec3 push_at(double t) {
  return {3 * std::sin(4 * t), 1 + t, -2 * std::cos(3 * t)};
}  // body axes
inline Vec3 torque_at(double t) { return {0.2 * t, -0.3, 0.4 * std::cos(5 * t)}; }  // world axes

inline geom::CurvePtr line_of_track() {
  return std::make_shared<geom::Alignment>(geom::AlignmentSpec{
      .plan = {.start = {6, -2}, .elements = {{geom::Shape::linear, 30, 0.02, 0.08}}},
      .profile = geom::ProfileSpec{.elements = {{geom::ProfileShape::parabola, 30, 0, 0.4}}}});
}

inline model::JointSpec between(const char* name, const char* type, const char* a, const char* b,
                                const Pose& X_a, const Pose& X_b) {
  model::JointSpec j;
  j.name = name;
  j.type = type;
  j.a = a;
  j.b = b;
  j.frame_a = X_a;
  j.frame_b = X_b;
  return j;
}

inline model::LoadSpec load(const char* name, const char* on, const char* kind, law::Axes axes,
                            const Vec3& point, Vec3 (*value)(double)) {
  model::LoadSpec l;
  l.name = name;
  l.body = on;
  l.type = kind;
  l.axes = axes;
  if (std::string_view(kind) != "torque") l.point = point;
  for (std::size_t i = 0; value && i < 3; ++i)
    l.value[i] = Signal::function([value, i](double t) {
      const auto x = [&](double at) { return value(at)[static_cast<int>(i)]; };
      return Jet{x(t), (x(t + 1e-5) - x(t - 1e-5)) / 2e-5, 0};
    });
  return l;
}

/// Shaft, arm on it, slug on the arm with coordinates against their rows; a wheel; a coupling of
/// all three; a soft box on a ball joint; a cart on a curve with grade and cant.
inline model::Built mechanism() {
  model::Builder b;
  b.gravity = kOwnGravity;
  const Pose arm = kHinge * inverse(kHingeOnArm);
  const Pose slide = arm * kSlideOnArm, axle = kAxle * inverse(kAxleOnWheel);
  // back = -Ax.D, turn = -atan2(Az.By, Ay.By)
  const Pose moved{{-kBack, 0, 0}, turned(-kTurn, 0, 0)};
  auto spinning = body("arm", kArm, arm);
  spinning.w = 11 * kHinge.R.col(0);
  spinning.v = spinning.w.cross(arm * kArm.com - kHinge.p);
  b.add_body(spinning);
  auto slug = body("slug", kSlug, slide * moved * inverse(kSlideOnSlug));
  slug.w = spinning.w;
  slug.v = slug.w.cross(slug.X_WB * kSlug.com - kHinge.p);
  b.add_body(slug);
  auto wheel = body("wheel", kWheel, axle);
  wheel.w = -22 * kAxle.R.col(0);
  wheel.v = wheel.w.cross(axle * kWheel.com - kAxle.p);
  b.add_body(wheel);
  auto soft = box("soft", kSoftSize, kSoftMass, kBall * Pose{-kBallOnSoft});
  soft.affine = model::Elastic{kSoftStiffness, {}};
  soft.w = {2, -3, 1};
  soft.v = soft.w.cross(soft.X_WB.p - kBall.p);
  b.add_body(soft);
  auto cart = body("cart", kCart, {});
  cart.on_track = model::OnTrack{"bend", 4, 7};
  b.add_body(cart);

  b.add_joint(between("hinge", "revolute", "ground", "arm", kHinge, kHingeOnArm));
  auto slider = between("slide", "", "arm", "slug", kSlideOnArm, kSlideOnSlug);
  const std::vector<std::string> rows{"Ay.D", "Az.D", "Ax.By", "Ax.Bz"},
      coordinates{"back = -Ax.D", "turn = -atan2(Az.By, Ay.By)", "ahead = Ax.D"};
  slider.table = std::make_shared<const joint::Table>(
      joint::make_table("slider", rows, {}, coordinates).table);
  b.add_joint(slider);
  b.add_joint(between("axle", "revolute", "ground", "wheel", kAxle, kAxleOnWheel));
  b.add_joint(between("ball", "spherical", "ground", "soft", kBall, Pose{kBallOnSoft}));
  b.add_track({"bend", "",
               std::make_shared<track::Track>(
                   "bend", line_of_track(),
                   track::Twist(track::TwistSpec{.elements = {{geom::Shape::sine, 30, 0, 0.6}}}))});
  model::JointSpec ride;
  ride.name = "ride";
  ride.type = "track";
  ride.b = "cart";
  ride.track = "bend";
  ride.frame_b = Pose{};
  b.add_joint(ride);

  model::CouplingSpec couple;
  couple.name = "train";
  couple.of = {{"hinge", "angle"}, {"axle", "angle"}, {"slide", "back"}};
  couple.coefficients = {kCoupled.begin(), kCoupled.end()};
  b.add_coupling(couple);
  b.add_law(
      law("spring", "spring", "slide", "back",
          {{"stiffness", kSpring}, {"damping", kDamper}, {"rest", kRest}, {"preload", kPreload}}));
  auto drive = law("drive", "motor", "slide", "turn", {{"force_min", -1}, {"force_max", kDrive}});
  drive.drive = Drive{Drive::Level::velocity, 1e4};
  b.add_law(drive);
  b.add_load(load("push", "slug", "force", law::Axes::body, kPushPoint, push_at));
  b.add_load(load("twist", "wheel", "torque", law::Axes::world, {}, torque_at));
  auto drag = load("drag", "soft", "drag", law::Axes::world, kDragPoint, nullptr);
  drag.numbers["linear"] = kDragLinear;
  drag.numbers["quadratic"] = kDragSquare;
  b.add_load(drag);
  return built(b);
}

}  // namespace trammel::acceptance::oblique
