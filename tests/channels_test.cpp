// Every channel of results against what the test works out itself from the momenta and places of
// the bodies: an oblique mechanism, in which nothing lies along an axis or in a centre, by forces.
#include "sim/channels.h"

#include <fmt/format.h>

#include <numeric>
#include <set>

#include "oblique.h"

namespace trammel::acceptance::channels_test {
namespace {

using namespace oblique;

/// Where a body is and how it moves, from its coordinates and momenta alone.
struct Motion {
  Pose X;                         // of the body frame
  Vec3 c, v, w, p, l;             // centre of mass; velocities; momenta about it
  Mat3 A = Mat3::Zero(), dA = A;  // of the affine one
};

struct Frame {
  double t = 0;
  Motion arm, slug, wheel, soft, cart;
  std::map<std::string, std::vector<double>> channels;  // by dataset
  double imbalance = 0;
};

Motion rigid(const sim::Simulation& sim, const char* name, const Mass& of) {
  const model::Block& block =
      sim.model().blocks[static_cast<std::size_t>(sim.model().objects[object(sim, name)].block)];
  const double *q = sim.state().q.data() + block.q, *P = sim.state().P.data() + block.v;
  Motion m;
  m.c = vec3(q);
  m.X.R = Quat(q[3], q[4], q[5], q[6]).toRotationMatrix();
  m.X.p = m.c - m.X.R * of.com;
  m.p = vec3(P);
  m.l = vec3(P + 3);
  m.v = m.p / of.m;
  m.w = m.X.R * of.inertia.inverse() * m.X.R.transpose() * m.l;
  return m;
}

/// P = (m v, rows of A' S), S = m/12 edges^2.
Motion affine(const sim::Simulation& sim) {
  const model::Block& block =
      sim.model().blocks[static_cast<std::size_t>(sim.model().objects[object(sim, "soft")].block)];
  const double *q = sim.state().q.data() + block.q, *P = sim.state().P.data() + block.v;
  Motion m;
  m.c = m.X.p = vec3(q);
  m.p = vec3(P);
  m.v = m.p / kSoftMass;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      m.A(i, k) = q[3 + 3 * i + k];
      m.dA(i, k) = P[3 + 3 * i + k] / (kSoftMass / 12 * kSoftSize[k] * kSoftSize[k]);
    }
  const Eigen::JacobiSVD<Mat3> svd(m.A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  m.X.R = svd.matrixU() * svd.matrixV().transpose();
  return m;
}

/// A run with all its frames.
struct Recorded {
  std::vector<sim::Quantity> quantities;
  std::vector<Frame> frames;
  std::vector<sim::Extreme> extremes;  // of the summary

  Recorded() {
    form::Settings by_forces;
    by_forces.formulation = form::Settings::Formulation::acceleration;
    by_forces.method = RungeKuttaMethod::dp8;
    by_forces.accuracy = {1e-12, 1e-12, 1e-12, 1e-12, 1e-12};
    by_forces.impulses = true;
    sim::Settings all = settings(kTime, kStep, by_forces);
    all.output_step = kStep;
    all.probes.push_back({"feel", "", "slug", kProbePoint});
    Simulation sim(mechanism(), all);
    sim::Recorder recorder(sim);
    quantities = recorder.quantities();
    keep(sim, recorder);
    run(sim, [&] { keep(sim, recorder); });
    extremes = sim.peaks().extremes;
  }
  void keep(const sim::Simulation& sim, sim::Recorder& recorder) {
    Frame f;
    f.t = sim.state().t;
    f.arm = rigid(sim, "arm", kArm);
    f.slug = rigid(sim, "slug", kSlug);
    f.wheel = rigid(sim, "wheel", kWheel);
    f.cart = rigid(sim, "cart", kCart);
    f.soft = affine(sim);
    recorder.begin_frame();
    for (std::size_t i = 0; i < quantities.size(); ++i)
      f.channels[quantities[i].path] = recorder.frame(i);
    frames.push_back(std::move(f));
  }
  /// d/dt of something of the frames at frame i, to h^4.
  template <class F>
  auto rate(std::size_t i, F&& of) const {
    const auto x = [&](int k) { return of(frames[i + static_cast<std::size_t>(k) - 2]); };
    return ((x(0) - x(4) + 8 * (x(3) - x(1))) / (12 * kStep)).eval();
  }
  /// Integral of a number of the frames from the start to frame i (even), by Simpson.
  template <class F>
  double integral(std::size_t i, F&& of) const {
    double sum = 0;
    for (std::size_t k = 0; k + 2 <= i; k += 2)
      sum += kStep / 3 * (of(frames[k]) + 4 * of(frames[k + 1]) + of(frames[k + 2]));
    return sum;
  }
};

/// What the channels of one dataset ought to be at a frame, in their order.
class Expected {
 public:
  Expected(const Recorded& run, std::size_t frame, std::string path, double tolerance)
      : run_(&run), frame_(frame), path_(std::move(path)), tolerance_(tolerance) {}
  /// Compares the item of that name, channel by channel; scale: what the tolerance is relative to.
  void item(const std::string& name, const std::vector<double>& values, double scale = 1) const {
    for (const sim::Quantity& q : run_->quantities) {
      if (q.path != path_) continue;
      const auto at = std::find(q.items.begin(), q.items.end(), name);
      ASSERT_NE(at, q.items.end()) << path_ << " has no " << name;
      ASSERT_EQ(q.columns.size(), values.size()) << path_;
      const std::vector<double>& row = run_->frames[frame_].channels.at(path_);
      const std::size_t first = static_cast<std::size_t>(at - q.items.begin()) * q.columns.size();
      for (std::size_t k = 0; k < values.size(); ++k)
        EXPECT_NEAR(row[first + k], values[k], tolerance_ * scale)
            << path_ << " " << name << " " << q.columns[k] << " at frame " << frame_;
      seen().insert(path_ + " " + name);
      return;
    }
    FAIL() << "no dataset " << path_;
  }
  void vector(const std::string& name, const Vec3& v, double scale = 1) const {
    item(name, {v.x(), v.y(), v.z()}, scale);
  }
  static std::set<std::string>& seen() {
    static std::set<std::string> all;
    return all;
  }

 private:
  const Recorded* run_;
  std::size_t frame_;
  std::string path_;
  double tolerance_;
};

// Frames at which all is compared: several turns on from the start, and even.
constexpr std::array<std::size_t, 3> kLooks{300, 700, 1190};
constexpr double kRounding = 1e-9, kDifferences = 2e-6;  // of differences to h^4 and accuracy

// ---- joints, from the places of the bodies

struct Joined {
  Pose A, B;      // frames of the joint
  Vec3 v_A, v_B;  // of their origins
  Vec3 w_A, w_B;
};
Joined joined(const Motion& a, const Pose& on_a, const Motion& b, const Pose& on_b) {
  Joined j{a.X * on_a, b.X * on_b, {}, {}, a.w, b.w};
  j.v_A = a.v + a.w.cross(j.A.p - a.c);
  j.v_B = b.v + b.w.cross(j.B.p - b.c);
  return j;
}
Motion ground() {
  Motion m;
  m.c = m.v = m.w = m.p = m.l = Vec3::Zero();
  return m;
}
Joined hinge(const Frame& f) { return joined(ground(), kHinge, f.arm, kHingeOnArm); }
Joined slide(const Frame& f) { return joined(f.arm, kSlideOnArm, f.slug, kSlideOnSlug); }
Joined axle(const Frame& f) { return joined(ground(), kAxle, f.wheel, kAxleOnWheel); }

/// About x of frame A, in (-pi, pi].
double angle(const Joined& j) {
  return std::atan2(j.A.R.col(2).dot(j.B.R.col(1)), j.A.R.col(1).dot(j.B.R.col(1)));
}
double angle_rate(const Joined& j) { return (j.w_B - j.w_A).dot(j.A.R.col(0)); }
/// Over turns: from frame to frame by less than half a turn.
double counted(const Recorded& run, std::size_t i, Joined (*of)(const Frame&)) {
  double x = angle(of(run.frames[0]));
  for (std::size_t k = 1; k <= i; ++k) x += std::remainder(angle(of(run.frames[k])) - x, 2 * M_PI);
  return x;
}
double ahead(const Frame& f) {
  const Joined j = slide(f);
  return j.A.R.col(0).dot(j.B.p - j.A.p);
}
double ahead_rate(const Frame& f) {
  const Joined j = slide(f);
  const Vec3 x = j.A.R.col(0);
  return j.w_A.cross(x).dot(j.B.p - j.A.p) + x.dot(j.v_B - j.v_A);
}

void compare_places(const Recorded& run) {
  for (const std::size_t i : kLooks) {
    const Frame& f = run.frames[i];
    const Expected place(run, i, "/bodies/position", kRounding),
        attitude(run, i, "/bodies/orientation", kRounding),
        velocity(run, i, "/bodies/velocity", kRounding),
        spin(run, i, "/bodies/angular_velocity", kRounding);
    for (const auto& [name, m] : {std::pair("arm", &f.arm),
                                  {"slug", &f.slug},
                                  {"wheel", &f.wheel},
                                  {"cart", &f.cart},
                                  {"soft", &f.soft}}) {
      place.vector(name, m->X.p);
      velocity.vector(name, m->v);
      Quat q(m->X.R);
      if (q.w() < 0) q.coeffs() *= -1;
      attitude.item(name, {q.w(), q.x(), q.y(), q.z()});
      if (m != &f.soft) spin.vector(name, m->w, 10);
    }
    const Mat3 dR = run.rate(i, [](const Frame& g) { return g.soft.X.R; });
    const Mat3 W = dR * f.soft.X.R.transpose();
    Expected(run, i, "/bodies/angular_velocity", kDifferences)
        .vector("soft", Vec3(W(2, 1), W(0, 2), W(1, 0)), 10);
    const auto rows = [](const Mat3& m) {
      std::vector<double> out;
      for (int k = 0; k < 9; ++k) out.push_back(m(k / 3, k % 3));
      return out;
    };
    Expected(run, i, "/bodies/affine", kRounding).item("soft", rows(f.soft.A));
    Expected(run, i, "/bodies/affine_rate", kRounding).item("soft", rows(f.soft.dA), 10);
    const Mat3 strain = (f.soft.A.transpose() * f.soft.A - Mat3::Identity()) / 2,
               grows = (f.soft.dA.transpose() * f.soft.A + f.soft.A.transpose() * f.soft.dA) / 2;
    const Expected e(run, i, "/joints/coordinates", kRounding),
        de(run, i, "/joints/rates", kRounding);
    constexpr const char* kAxes = "xyz";
    for (int k = 0; k < 3; ++k)
      for (int j = k; j < 3; ++j) {
        const std::string name = std::string("soft.strain.") + kAxes[k] + kAxes[j];
        e.item(name, {strain(k, j)});
        de.item(name, {grows(k, j)});
        // of 8 kappa V and 16 kappa V [N m]; it stores and takes nothing
        Expected(run, i, "/laws/force", kRounding)
            .item(name, {-(k == j ? 8 : 16) * kSoftStiffness * kSoftSize.prod() * strain(k, j)},
                  100);
        Expected(run, i, "/ledger/work", kRounding).item(name, {0});
      }
    EXPECT_GE((f.soft.A.transpose() * f.soft.A - Mat3::Identity()).norm(), 1e-4);  // it strains
    int r = 0, c = 0;
    strain.cwiseAbs().maxCoeff(&r, &c);
    Expected(run, i, "/bodies/strain", kRounding).item("soft", {strain(r, c)});
  }
}

void compare_coordinates(const Recorded& run) {
  for (const std::size_t i : kLooks) {
    const Frame& f = run.frames[i];
    const Expected x(run, i, "/joints/coordinates", kRounding),
        v(run, i, "/joints/rates", kRounding);
    x.item("hinge.angle", {counted(run, i, hinge)}, 10);
    x.item("axle.angle", {counted(run, i, axle)}, 10);
    x.item("slide.turn", {-counted(run, i, slide)});
    x.item("slide.back", {-ahead(f)});
    x.item("slide.ahead", {ahead(f)});
    v.item("hinge.angle", {angle_rate(hinge(f))}, 10);
    v.item("axle.angle", {angle_rate(axle(f))}, 10);
    v.item("slide.turn", {-angle_rate(slide(f))}, 10);
    v.item("slide.back", {-ahead_rate(f)});
    v.item("slide.ahead", {ahead_rate(f)});
  }
  EXPECT_GE(std::abs(counted(run, kLooks[2], hinge)), 3 * M_PI);  // two turns are read as two
  EXPECT_GE(std::abs(counted(run, kLooks[2], axle)), 3 * M_PI);
}

/// The soft box turns on a ball joint, the cart runs along its line: coordinates that no law asks
/// for, and what is measured along tracks.
void compare_angles_and_tracks(const Recorded& run) {
  for (const std::size_t i : kLooks) {
    const Frame& f = run.frames[i];
    const auto angles = [](const Mat3& A, const Mat3& B) {
      const auto turn = [&](int u, int v, int s, int c) {
        return std::atan2(A.col(u).dot(B.col(v)), A.col(s).dot(B.col(c)));
      };
      return Vec3(turn(2, 1, 1, 1), turn(0, 2, 2, 2), turn(1, 0, 0, 0));  // roll, pitch, yaw
    };
    const Expected x(run, i, "/joints/coordinates", kRounding),
        v(run, i, "/joints/rates", kDifferences);
    const auto of_ball = [&](const Frame& g) { return angles(kBall.R, g.soft.A); };
    const Vec3 now = of_ball(f), rate = run.rate(i, of_ball);
    constexpr std::array kNames{"roll", "pitch", "yaw"};
    for (int k = 0; k < 3; ++k) {
      x.item(std::string("ball.") + kNames[static_cast<std::size_t>(k)], {now[k]});
      v.item(std::string("ball.") + kNames[static_cast<std::size_t>(k)], {rate[k]}, 10);
    }
    // the cart's frame is held on the line: no way across, no turn
    for (const char* none : {"lateral", "vertical", "roll", "pitch", "yaw"}) {
      x.item(std::string("ride.") + none, {0});
      v.item(std::string("ride.") + none, {0});
    }
    const auto at = [](const Frame& g) { return g.cart.X.p; };
    const Vec3 along = f.cart.X.R.col(0), left = f.cart.X.R.col(1);
    const Vec3 moves = f.cart.v - f.cart.w.cross(f.cart.c - f.cart.X.p);
    const double speed = moves.dot(along);
    EXPECT_LE((moves - speed * along).norm(), 1e-9);
    EXPECT_LE((run.rate(i, at) - moves).norm(), 1e-6);
    const double way = run.integral(i, [&](const Frame& g) {
      return (g.cart.v - g.cart.w.cross(g.cart.c - g.cart.X.p)).dot(g.cart.X.R.col(0));
    });
    x.item("ride.s", {4 + way});
    v.item("ride.s", {speed});
    const Vec3 bend = run.rate(i, [](const Frame& g) { return Vec3(g.cart.X.R.col(0)); }) / speed;
    const double curvature = bend.dot(left);
    const Vec3 level = Vec3::UnitZ().cross(along).normalized();
    const double felt = speed * speed * curvature - kOwnGravity.dot(left);
    Expected(run, i, "/tracks/running", kDifferences)
        .item("ride",
              {speed, curvature, along.z() / std::hypot(along.x(), along.y()),
               std::atan2(left.dot(along.cross(level)), left.dot(level)), felt,
               felt / kOwnGravity.norm() * 1.5},
              10);
  }
}

// ---- forces, from the rates of the momenta

/// Force, and torque about a point.
struct Wrench {
  Vec3 f = Vec3::Zero(), torque = Vec3::Zero();
  Wrench at(const Vec3& from, const Vec3& to) const { return {f, torque + (from - to).cross(f)}; }
  Wrench operator+(const Wrench& o) const { return {f + o.f, torque + o.torque}; }
  Wrench operator-(const Wrench& o) const { return {f - o.f, torque - o.torque}; }
};

/// What joints exert on a body, about a point: rates of its momenta less gravity and loads.
template <class Of>
Wrench by_joints(const Recorded& run, std::size_t i, Of of, double m,
                 const Wrench& load_about_centre, const Vec3& about) {
  const Vec3 dp = run.rate(i, [&](const Frame&f) { return of(f).p; }),
             dl = run.rate(i, [&](const Frame&f) { return of(f).l; });
  const Wrench centre = Wrench{dp - m * kOwnGravity, dl} - load_about_centre;
  return centre.at(of(run.frames[i]).c, about);
}

std::vector<double> in_axes(const Mat3& R, const Wrench& w) {
  const Vec3 f = R.transpose() * w.f, t = R.transpose() * w.torque;
  return {f.x(), f.y(), f.z(), t.x(), t.y(), t.z()};
}

void compare_reactions(const Recorded& run) {
  for (const std::size_t i : kLooks) {
    const Frame& f = run.frames[i];
    const Expected reaction(run, i, "/joints/reactions", kDifferences);
    // the wheel's own axle carries no torque along itself: what turns it is the coupling
    const Joined on_axle = axle(f), on_slide = slide(f), on_hinge = hinge(f);
    const Vec3 axis = on_axle.A.R.col(0), across = on_slide.A.R.col(0);
    Wrench wheel = by_joints(
        run, i, [](const Frame& g) { return g.wheel; }, kWheel.m, {Vec3::Zero(), torque_at(f.t)},
        on_axle.B.p);
    const double coupling = wheel.torque.dot(axis) / kCoupled[1];
    EXPECT_GE(std::abs(coupling), 0.1);
    Expected(run, i, "/couplings/reaction", kDifferences)
        .item("train", {kCoupled[0] * coupling}, 100);
    wheel.torque -= kCoupled[1] * coupling * axis;
    reaction.item("axle", in_axes(on_axle.A.R, wheel), 100);
    // along the slide it pulls by -Ax
    const Vec3 push = f.slug.X.R * push_at(f.t);
    const Wrench pushed{push, (f.slug.X * kPushPoint - f.slug.c).cross(push)};
    const Wrench whole = by_joints(
        run, i, [](const Frame& g) { return g.slug; }, kSlug.m, pushed, on_slide.B.p);
    const Wrench pulled{-kCoupled[2] * coupling * across, Vec3::Zero()};
    reaction.item("slide", in_axes(on_slide.A.R, whole - pulled), 100);
    const Wrench on_arm = by_joints(
        run, i, [](const Frame& g) { return g.arm; }, kArm.m, {}, on_hinge.B.p);
    reaction.item("hinge",
                  in_axes(on_hinge.A.R, on_arm + whole.at(on_slide.B.p, on_hinge.B.p) -
                                            Wrench{Vec3::Zero(), coupling * on_hinge.A.R.col(0)}),
                  100);
    // laws: on the coordinate, with its sign
    const double back = -ahead(f), rate = -ahead_rate(f);
    const double spring = kPreload - kSpring * (back - kRest) - kDamper * rate;
    const Expected law(run, i, "/laws/force", kRounding);
    law.item("spring", {spring}, 10);
    law.item("drive", {kDrive});
    EXPECT_NEAR(whole.f.dot(-across) - kCoupled[2] * coupling, spring, 1e-4);  // Newton agrees
    EXPECT_NEAR(-whole.torque.dot(across), kDrive, 1e-4);
    const Wrench cart = by_joints(
        run, i, [](const Frame& g) { return g.cart; }, kCart.m, {}, f.cart.X.p);
    reaction.item("ride", in_axes(f.cart.X.R, cart), 100);
    // a ball joint passes no torque, whatever strains
    const Vec3 at_drag = f.soft.v + f.soft.dA * kDragPoint;
    const Vec3 drag = -(kDragLinear + kDragSquare * at_drag.norm()) * at_drag;
    const Vec3 dp = run.rate(i, [](const Frame& g) { return g.soft.p; });
    reaction.item("ball", in_axes(kBall.R, {dp - kSoftMass * kOwnGravity - drag, Vec3::Zero()}),
                  100);
    const Expected force(run, i, "/loads/force", kRounding),
        torque(run, i, "/loads/torque", kRounding);
    force.vector("push", push, 100);
    force.vector("twist", Vec3::Zero());
    force.vector("drag", drag, 100);
    torque.vector("push", Vec3::Zero());
    torque.vector("twist", torque_at(f.t), 10);
    torque.vector("drag", Vec3::Zero());
  }
}

void compare_impulses(const Recorded& run) {
  const auto sum = [&](std::size_t i, const char* path, const char* name, std::size_t first) {
    for (const sim::Quantity& q : run.quantities)
      if (q.path == path) {
        const auto at = std::find(q.items.begin(), q.items.end(), name) - q.items.begin();
        Expected::seen().insert(std::string(path) + " " + name);
        return vec3(run.frames[i].channels.at(path).data() +
                    static_cast<std::size_t>(at) * q.columns.size() + first);
      }
    throw std::runtime_error(path);
  };
  const auto joint = [&](std::size_t i, const char* name, std::size_t first) {
    return sum(i, "/joints/impulse", name, first);
  };
  const auto load = [&](std::size_t i, const char* name, std::size_t first) {
    return sum(i, "/loads/impulse", name, first);
  };
  for (const std::size_t i : kLooks) {
    const Frame &f = run.frames[i], &start = run.frames[0];
    const auto gained = [&](const Vec3& now, const Vec3& then, double m, const Vec3& impulse) {
      EXPECT_LE((now - then - m * kOwnGravity * (f.t - start.t) - impulse).norm(), 1e-9) << i;
    };
    gained(f.arm.p, start.arm.p, kArm.m, joint(i, "hinge", 0) - joint(i, "slide", 0));
    gained(f.arm.l, start.arm.l, 0, joint(i, "hinge", 6) + joint(i, "slide", 3));
    gained(f.slug.p, start.slug.p, kSlug.m, joint(i, "slide", 0) + load(i, "push", 0));
    gained(f.slug.l, start.slug.l, 0, joint(i, "slide", 6) + load(i, "push", 3));
    gained(f.wheel.p, start.wheel.p, kWheel.m, joint(i, "axle", 0) + load(i, "twist", 0));
    gained(f.wheel.l, start.wheel.l, 0, joint(i, "axle", 6) + load(i, "twist", 3));
    gained(f.cart.p, start.cart.p, kCart.m, joint(i, "ride", 0));
    gained(f.cart.l, start.cart.l, 0, joint(i, "ride", 6));
    gained(f.soft.p, start.soft.p, kSoftMass, joint(i, "ball", 0) + load(i, "drag", 0));
    const auto spin = [](const Motion& m) {  // axial vector of A' S A^T
      const Mat3 S = (kSoftMass / 12 * kSoftSize.cwiseProduct(kSoftSize)).asDiagonal();
      const Mat3 W = m.dA * S * m.A.transpose();
      return Vec3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1));
    };
    gained(spin(f.soft), spin(start.soft), 0, joint(i, "ball", 6) + load(i, "drag", 3));
    // couplings' parts are with the joints whose coordinates they couple
    EXPECT_LE((joint(i, "train", 0)).norm(), 0);
    // what strains pull at is the body itself
    EXPECT_LE(joint(i, "soft.strain", 0).norm(), 0);
    EXPECT_LE((joint(i, "soft.strain", 3) + joint(i, "soft.strain", 6)).norm(), 1e-9);
    // each load by itself: the loads' integrals over time
    const auto each = [&](auto of) {
      Vec3 out;
      for (int k = 0; k < 3; ++k)
        out[k] = run.integral(i, [&](const Frame& g) { return of(g)[k]; });
      return out;
    };
    const auto push = [](const Frame& g) { return Vec3(g.slug.X.R * push_at(g.t)); };
    EXPECT_LE((load(i, "push", 0) - each(push)).norm(), 1e-8);
    EXPECT_LE((load(i, "push", 3) - each([&](const Frame& g) {
                 return Vec3((g.slug.X * kPushPoint - g.slug.c).cross(push(g)));
               })).norm(),
              1e-8);
    EXPECT_LE((load(i, "twist", 3) - each([](const Frame& g) { return torque_at(g.t); })).norm(),
              1e-8);
  }
}

void compare_energies(const Recorded& run) {
  const auto kinetic = [](const Frame& f) {
    double sum = 0.5 * f.soft.v.squaredNorm() * kSoftMass;
    for (int k = 0; k < 3; ++k)
      sum += 0.5 * kSoftMass / 12 * kSoftSize[k] * kSoftSize[k] * f.soft.dA.col(k).squaredNorm();
    for (const Motion* m : {&f.arm, &f.slug, &f.wheel, &f.cart})
      sum += 0.5 * (m->v.dot(m->p) + m->w.dot(m->l));
    return sum;
  };
  const auto gravity = [](const Frame& f) {
    return -kOwnGravity.dot(kArm.m * f.arm.c + kSlug.m * f.slug.c + kWheel.m * f.wheel.c +
                            kCart.m * f.cart.c + kSoftMass * f.soft.c);
  };
  const auto stored = [](const Frame& f) {
    const double e = -ahead(f) - kRest;
    const Mat3 strain = f.soft.A * f.soft.A.transpose() - Mat3::Identity();
    return 0.5 * kSpring * e * e - kPreload * e +
           kSoftStiffness * kSoftSize.prod() * strain.squaredNorm();
  };
  const auto push = [](const Frame& f) {
    return (f.slug.X.R * push_at(f.t))
        .dot(f.slug.v + f.slug.w.cross(f.slug.X * kPushPoint - f.slug.c));
  };
  const auto drag = [](const Frame& f) {
    const Vec3 v = f.soft.v + f.soft.dA * kDragPoint;
    return -(kDragLinear + kDragSquare * v.norm()) * v.squaredNorm();
  };
  for (const std::size_t i : kLooks) {
    const Frame& f = run.frames[i];
    const double T = kinetic(f), U = gravity(f), W = stored(f);
    Expected(run, i, "/ledger/energy", kRounding).item("energy", {T + U + W, T, U, W, 0}, 1000);
    const Expected work(run, i, "/ledger/work", 1e-7);
    work.item("spring", {run.integral(i, [](const Frame& g) {
                const double v = ahead_rate(g);
                return -kDamper * v * v;
              })});
    work.item("drive",
              {run.integral(i, [](const Frame& g) { return -kDrive * angle_rate(slide(g)); })});
    work.item("push", {run.integral(i, push)}, 10);
    work.item("twist",
              {run.integral(i, [](const Frame& g) { return torque_at(g.t).dot(g.wheel.w); })}, 10);
    work.item("drag", {run.integral(i, drag)}, 10);
    for (const char* none : {"locks", "impacts", "corrections", "integrator", "contacts"})
      work.item(none, {0});
  }
}

void compare_probes(const Recorded& run) {
  const auto v = [](const Frame& f) {
    return Vec3(f.slug.v + f.slug.w.cross(f.slug.X * kProbePoint - f.slug.c));
  };
  for (const std::size_t i : kLooks) {
    const Vec3 a = (v(run.frames[i]) - v(run.frames[i - 1])) / kStep;  // over the last step
    Expected(run, i, "/probes/acceleration", kRounding)
        .vector("feel", Vec3(run.frames[i].slug.X.R.transpose() * (a - kOwnGravity)), 1000);
    const Motion& slug = run.frames[i].slug;  // the others are along the world's axes
    Expected(run, i, "/probes/position", kRounding).vector("feel", slug.X * kProbePoint);
    Expected(run, i, "/probes/velocity", kRounding).vector("feel", v(run.frames[i]));
    Expected(run, i, "/probes/motion_acceleration", kRounding).vector("feel", a, 1000);
    Expected(run, i, "/probes/angular_velocity", kRounding).vector("feel", slug.w, 10);
    const Mat3& R = slug.X.R;
    Expected(run, i, "/probes/angles", kRounding)
        .vector("feel",
                {std::atan2(R(2, 1), R(2, 2)), -std::asin(R(2, 0)), std::atan2(R(1, 0), R(0, 0))});
    const Expected solver(run, i, "/solver", 1e-9);
    const std::vector<double>& row = run.frames[i].channels.at("/solver");
    EXPECT_GE(row[0], 0);
    solver.item("solver", {row[0], 0, 0, 0, 0, 0});
  }
}

/// A channel of the run: where its numbers are in the frames, and its unit.
struct Place {
  std::string path, unit;
  std::size_t i = 0;
};
std::map<std::string, Place> places_of(const Recorded& run) {
  std::map<std::string, Place> out;
  for (const sim::Quantity& q : run.quantities)
    for (std::size_t i = 0; i < q.items.size() * q.columns.size(); ++i) {
      const std::size_t c = i % q.columns.size();
      const bool each = q.units.size() != q.columns.size();
      out[sim::channel_name(q.items[i / q.columns.size()], q.name, q.columns[c])] = {
          q.path, q.units[each ? i : c], i};
    }
  return out;
}

/// The summary's greatest values are those of the channels they are named after, of all frames
/// behind the start.
void compare_extremes(const Recorded& run) {
  const std::map<std::string, Place> places = places_of(run);
  std::map<std::string, int> found;
  for (const sim::Extreme& e : run.extremes) {
    const auto place = places.find(e.name);
    ASSERT_NE(place, places.end()) << e.name << " is no channel";
    const auto& [path, unit, i] = place->second;
    const auto x = [&, at = i, of = path](std::size_t k) {
      return run.frames[k].channels.at(of)[at];
    };
    std::size_t greatest = 1;
    for (std::size_t k = 2; k < run.frames.size(); ++k)
      if (std::abs(x(k)) > std::abs(x(greatest))) greatest = k;
    EXPECT_NEAR(e.value, x(greatest), kRounding * std::abs(e.value)) << e.name;
    EXPECT_NEAR(e.t, run.frames[greatest].t, kStep / 2) << e.name;
    EXPECT_EQ(e.unit, unit) << e.name;
    EXPECT_TRUE(e.name.starts_with(e.element + ".")) << e.name;
    ++found[e.kind];
  }
  EXPECT_EQ(found["probe"], 3);
  EXPECT_EQ(found["track"], 2);  // speed and cant deficiency of the cart
  EXPECT_EQ(found["body"], 1);
  EXPECT_EQ(found["coupling"], 1);
  EXPECT_EQ(found["law"], 8);  // two, and six of the strain
  EXPECT_GE(found["joint"], 25);
  EXPECT_GE(found["load"], 6);
}

TEST(Channels, AreWhatTheMotionMakesThem) {
  const Recorded run;
  compare_places(run);
  compare_coordinates(run);
  compare_angles_and_tracks(run);
  compare_reactions(run);
  compare_impulses(run);
  compare_energies(run);
  compare_probes(run);
  compare_extremes(run);
  for (const sim::Quantity& q : run.quantities)  // and nothing is recorded that was left out
    for (const std::string& item : q.items)
      EXPECT_TRUE(Expected::seen().count(q.path + " " + item)) << q.path << " " << item;
}

}  // namespace
}  // namespace trammel::acceptance::channels_test
