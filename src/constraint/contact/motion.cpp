#include "constraint/contact/motion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "math/brief.h"

namespace trammel::constraint {

namespace {
/// The least times a power of two, so that margins, and with them the points found at the end of a
/// step, mostly hold for the next one as well.
double rounded_up(double margin, double least) {
  if (!(margin > least)) return least;
  if (!(least > 0)) return margin;
  int power = 0;
  const double part = std::frexp(margin / least, &power);
  return std::ldexp(least, part == 0.5 ? power - 1 : power);
}

/// True where what has the spin w_other turns with what has w, and is carried as a whole.
bool turns_with(const Vec3& w_other, const Vec3& w) {
  constexpr double kTogether = 0.01;  // of the spin
  return (w_other - w).norm() <= kTogether * w.norm();
}

/// The velocity of a moved object at x.
Vec3 moved_velocity(int object, const Vec3& x, const model::KinematicsCache& at_) {
  const body::Transform& T = at_.T_WO[at(object)];
  const body::Rate& r = at_.rate[at(object)];
  return r.v + r.A * T.A.inverse() * (x - T.p);
}

/// How fast a surface runs around its shape, along it where the normal is n.
Vec3 belt_velocity(const ContactSurfaces& s, int shape, const Vec3& n,
                   const model::KinematicsCache& at_) {
  const model::ContactShape& of = s.shape(shape);
  if (of.surface_velocity == Vec3::Zero()) return Vec3::Zero();
  const Vec3 v = at_.T_WO[at(of.object)].A * (of.X_OS.R * of.surface_velocity);
  return v - n * n.dot(v);
}

/// Where an object that moves by itself is at the end of a step, and its mean spin in it.
struct MovedEnd {
  body::Transform T;
  Vec3 w;
};

/// The mean spin of a step of h that turns R0 to R1; of rates for turns that places do not tell.
Vec3 mean_spin(double h, const Mat3& R0, const Mat3& R1, const Vec3& of_rates) {
  constexpr double kTurns = 2;  // [rad] in a step
  if (h * of_rates.norm() > kTurns) return of_rates;
  const Eigen::AngleAxisd turn(Mat3(R1 * R0.transpose()));
  return turn.angle() / h * turn.axis();
}

MovedEnd end_of(double h, const ContactSurfaces& s, const model::Moved& m,
                const model::KinematicsCache& at_) {
  MovedEnd end;
  body::Rate rate;
  body::Bias bias;
  m.motion.at(at_.t + h, end.T, rate, bias);
  const auto spin = [&](const body::Transform& T, const body::Rate& r) {
    return body::angular_velocity(s.model().objects[at(m.object)].motion_kind, T, r);
  };
  const body::Transform& T = at_.T_WO[at(m.object)];
  end.w = mean_spin(h, T.A, end.T.A, 0.5 * (spin(T, at_.rate[at(m.object)]) + spin(end.T, rate)));
  return end;
}

/// The velocity at x, on the mean of a step of h, of an object that moves by itself from T to end.
/// What turns with it and touches it is carried as a whole: about its origin, `about`, along the
/// chord of that one's way. For all else the surface runs: a roller's does not sink.
Vec3 mean_velocity(double h, const body::Transform& T, const MovedEnd& end, const Vec3& w_other,
                   const Vec3& about, const Vec3& x) {
  if (!turns_with(w_other, end.w)) return (end.T.p - T.p) / h + end.w.cross(x - T.p);
  const Vec3 chord = end.T.p + end.T.A * (T.A.transpose() * (about - T.p)) - about;
  return chord / h + end.w.cross(x - about);
}

/// Of a surface that is moved, at x0 at the start of a step of h and at x1 at its end: by how much
/// its mean velocity there is another one than mean_velocity() says.
Vec3 gain_of_surface(double h, const ContactSurfaces& s, int object, int other,
                     const model::KinematicsCache& at_, const model::KinematicsCache& end,
                     std::span<const double> u, const Vec3& x0, const Vec3& x1) {
  if (!s.model().objects[at(object)].moved) return Vec3::Zero();
  const body::Transform &T0 = at_.T_WO[at(object)], &T1 = end.T_WO[at(object)];
  const Vec3 carried = T1.p + T1.A * (T0.A.transpose() * (x0 - T0.p)),
             w = mean_spin(h, T0.A, T1.A,
                           0.5 * (twist_of(s, object, at_, u).w + twist_of(s, object, end, u).w)),
             by_place = 0.5 * w.cross(x1 - carried);
  const Vec3 arms = (x1 - end.T_WO[at(other)].p) - (x0 - at_.T_WO[at(other)].p);
  if (turns_with(twist_of(s, other, at_, u).w, w)) return by_place + 0.5 * w.cross(arms);
  return by_place + (carried - x0 - (T1.p - T0.p)) / h - w.cross(x0 - T0.p);
}
}  // namespace

const double* motion_of(const ContactSurfaces& s, int object, const model::KinematicsCache& at_,
                        std::span<const double> u, MotionRoom& room) {
  const model::Object& o = s.model().objects[at(object)];
  const model::Block& b = s.model().blocks[at(o.block)];
  const double* v = u.data() + b.v;
  if (o.jacobian < 0) return v;
  const double* J = at_.jacobian.data() + o.jacobian;
  room.fill(0);
  for (int i = 0; i < body::motion_size(o.motion_kind); ++i)
    for (int j = 0; j < b.n; ++j) room[at(i)] += J[i * b.n + j] * v[j];
  return room.data();
}

Twist twist_of(const ContactSurfaces& s, int object, const model::KinematicsCache& at_,
               std::span<const double> u) {
  const model::Object& o = s.model().objects[at(object)];
  if (o.moved) {
    const body::Rate& rate = at_.rate[at(object)];
    return {rate.v, body::angular_velocity(o.motion_kind, at_.T_WO[at(object)], rate)};
  }
  Twist out;
  if (o.block < 0) return out;
  MotionRoom room;
  const double* of = motion_of(s, object, at_, u, room);
  out.v = vec3(of);
  if (!body::can_strain(o.motion_kind)) out.w = vec3(of + 3);
  return out;
}

Pose pose_of(const ContactSurfaces& s, int shape, const model::KinematicsCache& at_) {
  const body::Transform& T = at_.T_WO[at(s.object_of(shape))];
  return Pose{T.p, body::rotation(s.object(shape).motion_kind, T.A)} * s.shape(shape).X_OS;
}

Pose pose_after(double h, const ContactSurfaces& s, int shape, const model::KinematicsCache& at_,
                std::span<const double> u) {
  const body::Transform& T = at_.T_WO[at(s.object_of(shape))];
  Pose X{T.p, body::rotation(s.object(shape).motion_kind, T.A)};
  const Twist t = twist_of(s, s.object_of(shape), at_, u);
  const double turn = std::min(h * t.w.norm(), 0.99 * std::numbers::pi);
  X.p += h * t.v;
  if (turn > 0) X.R = Eigen::AngleAxisd(turn, t.w.normalized()).toRotationMatrix() * X.R;
  return X * s.shape(shape).X_OS;
}

void margins(double h, const ContactSurfaces& s, const model::KinematicsCache& at_,
             std::span<const double> u, std::span<double> out) {
  const double fall = h * h * vec3(s.kin.params().values.data() + model::kGravityParam).norm();
  for (int i = 0; i < count(out); ++i) {
    const model::Object& o = s.object(i);
    double speed = 0;
    if (o.moved) {
      const body::Rate& r = at_.rate[at(s.object_of(i))];
      speed = r.v.norm() + r.A.norm() * s.reach[at(i)];
    } else if (o.block >= 0) {
      MotionRoom room;
      const double* v = motion_of(s, s.object_of(i), at_, u, room);
      const int n = body::motion_size(o.motion_kind);
      speed = vec3(v).norm() + Eigen::Map<const VecX>(v + 3, n - 3).norm() * s.reach[at(i)];
    }
    out[at(i)] = rounded_up(2 * (h * speed + (o.block >= 0 ? fall : 0)), s.least[at(i)]);
  }
}

Six own_rates(const ContactSurfaces& s, const PointSet& set, std::size_t i,
              const model::KinematicsCache& at_) {
  const contact::Point& p = set.points[i];
  if (!s.runs[at(p.A)] && !s.runs[at(p.B)]) return Six::Zero();
  const auto moved = [&](int shape, const Vec3& x) -> Vec3 {
    if (!s.object(shape).moved) return Vec3::Zero();
    return moved_velocity(s.object_of(shape), x, at_);
  };
  const auto spin = [&](int shape) -> Vec3 {
    if (!s.object(shape).moved) return Vec3::Zero();
    return twist_of(s, s.object_of(shape), at_, {}).w;
  };
  const Vec3 v = moved(p.B, p.p_B) - moved(p.A, p.p_A) + belt_velocity(s, p.B, p.n, at_) -
                 belt_velocity(s, p.A, p.n, at_);
  return along_axes(set, i, v, spin(p.B) - spin(p.A));
}

Vec3 slip_of_rigid(const ContactSurfaces& s, const contact::Point& p,
                   const model::KinematicsCache& at_, std::span<const double> u) {
  const Vec3 x = place_of(s, p);
  const auto of = [&](int shape) -> Vec3 {
    if (s.block_of(shape) < 0) return Vec3::Zero();
    const double* v = u.data() + s.model().blocks[at(s.block_of(shape))].v;
    return vec3(v) + vec3(v + 3).cross(x - at_.T_WO[at(s.object_of(shape))].p);
  };
  return of(p.B) - of(p.A);
}

void take_mean_motion(double h, const ContactSurfaces& s, const model::KinematicsCache& at_,
                      std::span<const double> u, PointSet& set, std::vector<Six>& shift) {
  if (s.model().prescribed.empty()) return shift.clear();
  shift.assign(set.size(), Six::Zero());
  brief::map<int, MovedEnd> ends;  // of objects
  for (const model::Moved& m : s.model().prescribed) ends[m.object] = end_of(h, s, m, at_);
  for (std::size_t i = 0; i < set.size(); ++i) {
    const contact::Point& p = set.points[i];
    Vec3 more = Vec3::Zero(), turn = Vec3::Zero();
    for (const bool b : {false, true}) {
      const int object = s.object_of(b ? p.B : p.A), other = s.object_of(b ? p.A : p.B);
      if (!s.model().objects[at(object)].moved) continue;
      const body::Transform& T = at_.T_WO[at(object)];
      const body::Rate& r = at_.rate[at(object)];
      const Vec3& x = b ? p.p_B : p.p_A;
      const Vec3 mean = mean_velocity(h, T, ends.at(object), twist_of(s, other, at_, u).w,
                                      at_.T_WO[at(other)].p, x);
      more += (b ? 1 : -1) * (mean - r.v - r.A * (T.A.transpose() * (x - T.p)));
      turn += (b ? 1 : -1) * (ends.at(object).w - twist_of(s, object, at_, u).w);
    }
    shift[i] = along_axes(set, i, more, turn);
    set.own[i] += shift[i];
  }
}

Vec3 gain_of_motion(double h, const ContactSurfaces& s, const contact::Point& before,
                    const contact::Point& after, const model::KinematicsCache& at_,
                    const model::KinematicsCache& end, std::span<const double> u) {
  const auto of = [&](int shape, int other) {
    return gain_of_surface(h, s, s.object_of(shape), s.object_of(other), at_, end, u,
                           place_of(s, before), place_of(s, after));
  };
  return of(after.B, after.A) - of(after.A, after.B);
}

}  // namespace trammel::constraint
