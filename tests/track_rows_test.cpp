// The track joint's rows, their rates and their biases against the kinematics of a frame that
// slides along a curve, written out here from first principles. Nothing of it is shared with the
// evaluator.
#include <random>

#include "joint/evaluate.h"
#include "math/rotation.h"
#include "track_support.h"

namespace trammel::acceptance::track_rows_test {
namespace {

constexpr double kRounding = 1e-10;  // of sums of some hundred [m/s^2, rad/s^2]

struct Random {
  std::mt19937 engine{7};
  double operator()(double lo, double hi) { return std::uniform_real_distribution(lo, hi)(engine); }
  Vec3 vector(double size) {
    return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)};
  }
  Mat3 rotation() { return exp_matrix(vector(2)); }
};

/// A rigid body: where it is, how it moves, how it accelerates.
struct Body {
  body::Transform T_WO;
  Vec3 v, w, a, alpha;

  body::Rate rate() const { return {v, skew(w) * T_WO.A}; }
  body::Bias bias() const {
    return {Vec3::Zero(), skew(w) * skew(w) * T_WO.A};
  }  // at a = alpha = 0
  Vec3 velocity(const Vec3& r) const { return v + w.cross(r); }
  Vec3 acceleration(const Vec3& r) const { return a + alpha.cross(r) + w.cross(w.cross(r)); }
};

/// A helix with changing twist, on a body that moves at random; B's joint frame on the track or off
/// it.
struct Scene {
  Random random;
  track::Track track{"track", helix(), twist()};
  Body A, B;
  Pose X_AF, X_BF;
  double s, s_dot, s_ddot;
  geom::CurvePoint curve;
  Mat3 C;         // curve frame, world axes
  Vec3 r_C, r_P;  // from A's origin to the curve point, from B's to the anchor
  joint::Sample sample;
  joint::SampleRates moving;
  joint::Arc arc;

  static geom::CurvePtr helix() {
    return std::make_shared<geom::Helix>(geom::HelixSpec{.radius = 7, .pitch = 9, .turns = 3});
  }
  static track::Twist twist() {
    return track::Twist(track::TwistSpec{{{geom::Shape::bloss, 200, -0.4, 0.7}}});
  }

  explicit Scene(unsigned seed) {
    random.engine.seed(seed);
    A = {{random.vector(30), random.rotation()},
         random.vector(5),
         random.vector(2),
         random.vector(9),
         random.vector(3)};
    X_AF = {random.vector(4), random.rotation()};
    X_BF = {random.vector(2), random.rotation()};
    s = random(5, 60);
    s_dot = random(-20, 20);
    s_ddot = random(-5, 5);
    track.eval(s, 0, 2, curve);
    const Mat3 R_WF = A.T_WO.A * X_AF.R;
    C = R_WF * curve.C;
    r_C = A.T_WO.A * X_AF.p + R_WF * curve.p;
  }

  /// Puts B's frame on the curve frame, its origin off by `offset` in the curve's axes.
  void rail(const Vec3& offset = Vec3::Zero()) {
    B.T_WO.A = C * X_BF.R.transpose();
    r_P = B.T_WO.A * X_BF.p;
    B.T_WO.p = A.T_WO.p + r_C + C * offset - r_P;
  }

  /// B runs along at s_dot, s_ddot, as the track's frame demands.
  void run() {
    const Mat3 R_WF = A.T_WO.A * X_AF.R;
    const Vec3 T = C.col(0), Omega = R_WF * curve.Omega, dOmega = R_WF * curve.dOmega;
    const Vec3 v_rel = s_dot * T;
    const Vec3 a_rel = s_ddot * T + s_dot * s_dot * Omega.cross(T);
    B.w = A.w + s_dot * Omega;
    B.alpha = A.alpha + A.w.cross(s_dot * Omega) + s_ddot * Omega + s_dot * s_dot * dOmega;
    const Vec3 v_P = A.velocity(r_C) + v_rel;
    const Vec3 a_P = A.acceleration(r_C) + 2 * A.w.cross(v_rel) + a_rel;
    B.v = v_P - B.w.cross(r_P);
    B.a = a_P - B.alpha.cross(r_P) - B.w.cross(B.w.cross(r_P));
  }

  joint::Ends ends() const {
    return {{body::MotionKind::rigid, &A.T_WO, &X_AF},
            {body::MotionKind::rigid, &B.T_WO, &X_BF},
            &track};
  }
  void evaluate() {
    arc = {s + 0.01, 0};  // found again by projection
    joint::sample(ends(), ~0u, 2, arc, sample);
    const body::Rate rate_A = A.rate(), rate_B = B.rate();
    const body::Bias bias_A = A.bias(), bias_B = B.bias();
    joint::sample_rates(ends(), sample, ~0u, {&rate_A, &rate_B, &bias_A, &bias_B}, moving);
  }

  double times_J(const joint::Row& row, const Vec3& v_A, const Vec3& w_A, const Vec3& v_B,
                 const Vec3& w_B) const {
    double J_A[6], J_B[6];
    joint::pull_back(ends(), sample, joint::gradient(row, sample), J_A, J_B);
    return vec3(J_A).dot(v_A) + vec3(J_A + 3).dot(w_A) + vec3(J_B).dot(v_B) +
           vec3(J_B + 3).dot(w_B);
  }
  double rate(const joint::Row& row) const { return times_J(row, A.v, A.w, B.v, B.w); }
  double second(const joint::Row& row) const {
    return times_J(row, A.a, A.alpha, B.a, B.alpha) + joint::rates(row, sample, moving).bias;
  }
};

const joint::Table& table() { return *joint::find_table("track"); }
joint::Row arc_length() { return *joint::parse_row("s"); }

double named_rate(const Scene& scene, const char* name) {
  for (const joint::Coordinate& c : table().rows)
    if (c.name == name) return c.sign * scene.rate(c.row);
  ADD_FAILURE() << name;
  return 0;
}

/// lateral and vertical: C . v_rel; rotation: C . (w_rel - s' Omega), at g = 0, any velocities.
TEST(TrackRows, RatesOnTheTrack) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Scene scene(seed);
    scene.rail();
    scene.B.v = scene.random.vector(20);
    scene.B.w = scene.random.vector(3);
    scene.evaluate();
    const Vec3 v_rel = scene.B.velocity(scene.r_P) - scene.A.velocity(scene.r_C);
    const Vec3 Omega = scene.A.T_WO.A * scene.X_AF.R * scene.curve.Omega;
    const double s_dot = scene.C.col(0).dot(v_rel);
    const Vec3 w_rel = scene.C.transpose() * (scene.B.w - scene.A.w - s_dot * Omega);
    EXPECT_NEAR(scene.arc.s, scene.s, 1e-12);
    EXPECT_NEAR(scene.rate(arc_length()), s_dot, kRounding);
    EXPECT_NEAR(named_rate(scene, "lateral"), scene.C.col(1).dot(v_rel), kRounding);
    EXPECT_NEAR(named_rate(scene, "vertical"), scene.C.col(2).dot(v_rel), kRounding);
    EXPECT_NEAR(named_rate(scene, "roll"), w_rel.x(), kRounding);
    EXPECT_NEAR(named_rate(scene, "pitch"), w_rel.y(), kRounding);
    EXPECT_NEAR(named_rate(scene, "yaw"), w_rel.z(), kRounding);
  }
}

/// Omega = Cx x Cx' + (Cy'.Cz) Cx, and (tau + w') T + kappa B on a curve with Frenet frame.
TEST(TrackRows, OmegaIsThatOfTheTwistedFrame) {
  Scene scene(3);
  const auto& helix = dynamic_cast<const geom::Helix&>(scene.track.curve());
  const double h = 1e-5;
  const double twist =
      (scene.track.twist().angle(scene.s + h) - scene.track.twist().angle(scene.s - h)) / (2 * h);
  geom::CurvePoint bare;
  helix.eval(scene.s, 0, 1, bare);
  const Vec3 expected =
      (helix.torsion() + twist) * bare.C.col(0) + helix.curvature() * bare.C.col(2);
  EXPECT_LT((scene.curve.Omega - expected).norm(),
            1e-9);  // truncation and rounding of the difference
}

/// s' = T . v_rel / (1 - kappa offset), v_rel with the track body's velocity at the anchor.
TEST(TrackRows, ArcLengthRateOffTheTrack) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Scene scene(seed);
    const Vec3 offset(0, scene.random(-2, 2), scene.random(-2, 2));
    scene.rail(offset);
    scene.B.v = scene.random.vector(20);
    scene.B.w = scene.random.vector(3);
    scene.evaluate();
    const Vec3 world = scene.C * offset;
    const Vec3 v_rel = scene.B.velocity(scene.r_P) - scene.A.velocity(scene.r_C + world);
    const Vec3 kappa =
        scene.A.T_WO.A * scene.X_AF.R * scene.curve.Omega.cross(scene.curve.C.col(0));
    const double s_dot = scene.C.col(0).dot(v_rel) / (1 - kappa.dot(world));
    EXPECT_NEAR(scene.arc.s, scene.s, 1e-11);
    EXPECT_NEAR(scene.rate(arc_length()), s_dot, kRounding * (1 + std::abs(s_dot)));
  }
}

/// A body that runs along with a_rel = s'' T + s'^2 kappa N, alpha_rel = s'' Omega + s'^2 dOmega/ds
/// on an accelerated track fulfils J a + bias = 0, and the row s has s''.
TEST(TrackRows, BiasIsTheAccelerationAlongTheTrack) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Scene scene(seed);
    scene.rail();
    scene.run();
    scene.evaluate();
    for (const joint::Coordinate& c : table().rows) {
      EXPECT_NEAR(joint::value(c.row, scene.sample, scene.arc), 0, 1e-12) << c.name;
      EXPECT_NEAR(scene.rate(c.row), 0, kRounding) << c.name;
      EXPECT_NEAR(joint::rates(c.row, scene.sample, scene.moving).rate, 0, kRounding) << c.name;
      EXPECT_NEAR(scene.second(c.row), 0, kRounding) << c.name;
    }
    EXPECT_NEAR(scene.rate(arc_length()), scene.s_dot, kRounding);
    EXPECT_NEAR(scene.second(arc_length()), scene.s_ddot, kRounding);
  }
}

/// Off the track, at any velocity: J u and bias are the rates of the rows themselves.
TEST(TrackRows, RatesAreThoseOfTheRowsOffTheTrack) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Scene scene(seed);
    scene.rail(Vec3(0, scene.random(-1, 1), scene.random(-1, 1)));
    scene.B.T_WO.A = exp_matrix(scene.random.vector(0.3)) * scene.B.T_WO.A;
    scene.B.v = scene.random.vector(9);
    scene.B.w = scene.random.vector(2);
    scene.evaluate();
    const auto moved = [&](const joint::Row& row, double t) {  // at constant v and w
      Scene later = scene;
      for (Body* b : {&later.A, &later.B}) {
        b->T_WO.p += t * b->v;
        b->T_WO.A = exp_matrix(t * b->w) * b->T_WO.A;
      }
      later.evaluate();
      return joint::value(row, later.sample, later.arc);
    };
    const double h = 1e-3;
    for (const joint::Coordinate& c : table().coordinates) {
      const double g0 = moved(c.row, 0), p1 = moved(c.row, h), m1 = moved(c.row, -h),
                   p2 = moved(c.row, 2 * h), m2 = moved(c.row, -2 * h);
      const double rate = (8 * (p1 - m1) - (p2 - m2)) / (12 * h);
      const double second = (16 * (p1 + m1) - (p2 + m2) - 30 * g0) / (12 * h * h);
      // truncation h^4, rounding 1e-16 / h^2
      EXPECT_NEAR(scene.rate(c.row), rate, 1e-7 * (1 + std::abs(rate))) << c.name;
      EXPECT_NEAR(joint::rates(c.row, scene.sample, scene.moving).bias, second,
                  1e-6 * (10 + std::abs(second)))
          << c.name;
    }
  }
}

}  // namespace
}  // namespace trammel::acceptance::track_rows_test
