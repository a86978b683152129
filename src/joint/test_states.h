#pragma once

#include <Eigen/Dense>
#include <array>
#include <limits>
#include <memory>
#include <ostream>
#include <random>
#include <vector>

#include "geom/alignment.h"
#include "joint/evaluate.h"
#include "joint/table.h"
#include "math/rotation.h"

/// Joints of every table between random objects, for tests of this folder and above.
namespace trammel::joint {
/// How gtest names a table in its messages.
inline void PrintTo(const Table& table, std::ostream* out) { *out << table.name; }
}  // namespace trammel::joint

namespace trammel::joint::test {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform(double lo = -1, double hi = 1) {
    return std::uniform_real_distribution<double>(lo, hi)(engine);
  }
  Vec3 vector(double size = 1) {  // drawn one by one: compilers differ in the order of arguments
    Vec3 out;
    for (int i = 2; i >= 0; --i) out[i] = size * uniform();
    return out;
  }
  Mat3 rotation(double size = 3) { return exp_matrix(vector(size)); }
  VecX unit(int n) {
    VecX out(n);
    for (double& x : out) x = uniform();
    return out.normalized();
  }
};

/// Clothoid of 20 m down to a radius of 12.5 m, over a parabola in the profile, with a twist that
/// varies: nothing of it is constant near kMiddle, which lies near the origin.
constexpr double kMiddle = 9;  // [m]
inline const track::Track& curved_track() {
  static const track::Track track(
      "bend",
      std::make_shared<geom::Alignment>(geom::AlignmentSpec{
          .plan = {.start = {-8, -0.5}, .elements = {{geom::Shape::linear, 20, 0.02, 0.08}}},
          .profile = geom::ProfileSpec{.elements = {{geom::ProfileShape::parabola, 20, 0, 0.4}}}}),
      track::Twist(track::TwistSpec{.elements = {{geom::Shape::sine, 20, 0, 0.6}}}));
  return track;
}

inline Table parsed(std::string name, const std::vector<std::string>& rows,
                    const std::vector<std::string>& terms,
                    const std::vector<std::string>& coordinates) {
  return make_table(std::move(name), rows, terms, coordinates).table;
}

/// The joints of the table, and two that a user might write.
inline std::vector<Table> all_tables() {
  std::vector<Table> out(tables().begin(), tables().end());
  out.push_back(parsed("tether", {"Az.D", "sqrt(D.D)"}, {"Az.D", "sqrt(D.D)"}, {"across = Ay.D"}));
  out.push_back(parsed("slider on a bend", {"Cy.E", "Cz.E", "Cz.By", "Az.By"},
                       {"E x Cx", "Cz.By", "Az.By"},
                       {"s", "back = -s", "far = sqrt(E.E)", "up = Az.E", "slant = Cy.Bx",
                        "tilt = atan2(D.Bz, Ay.By)", "bearing = atan2(Ay.E, Cx.Bx)"}));
  return out;
}

/// Returns a name that gtest accepts.
inline std::string plain(std::string name) {
  for (char& c : name)
    if (c == '-' || c == ' ') c = '_';
  return name;
}

/// All rows that a table speaks of: its own, and its free coordinates.
inline std::vector<Coordinate> all_rows(const Table& table) {
  std::vector<Coordinate> out = table.rows;
  out.insert(out.end(), table.coordinates.begin(), table.coordinates.end());
  return out;
}

/// Two objects, and a joint frame on each.
struct Pair {
  std::array<body::MotionKind, 2> motion_kind{};
  std::array<body::Transform, 2> T_WO;
  std::array<Pose, 2> frame;
  const track::Track* track = nullptr;
  Arc arc{kMiddle, 0};

  int size(std::size_t end) const { return body::motion_size(motion_kind[end]); }
  int size() const { return size(0) + size(1); }
  Ends ends() const {
    return {{motion_kind[0], &T_WO[0], &frame[0]}, {motion_kind[1], &T_WO[1], &frame[1]}, track};
  }
};

/// A' of a motion.
inline Mat3 map_rate(const Pair& pair, std::size_t end, const VecX& motion) {
  const double* m = motion.data() + (end == 0 ? 0 : pair.size(0));
  if (pair.motion_kind[end] == body::MotionKind::rigid) return skew(vec3(m + 3)) * pair.T_WO[end].A;
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(m + 3);
}
inline Vec3 point_rate(const Pair& pair, std::size_t end, const VecX& motion) {
  return vec3(motion.data() + (end == 0 ? 0 : pair.size(0)));
}

/// Both objects moved on with constant motion: rigid p + t v, exp(t w) R; affine linearly.
inline Pair moved(Pair pair, const VecX& motion, double t) {
  for (const std::size_t end : {0u, 1u}) {
    body::Transform& T_WO = pair.T_WO[end];
    const Vec3 w = vec3(motion.data() + (end == 0 ? 0 : pair.size(0)) + 3);
    if (pair.motion_kind[end] == body::MotionKind::rigid)
      T_WO.A = exp_matrix(t * w) * T_WO.A;
    else
      T_WO.A += t * map_rate(pair, end, motion);
    T_WO.p += t * point_rate(pair, end, motion);
  }
  return pair;
}

/// Frames at X_FG from each other (along a track: from the curve frame at kMiddle), random objects.
inline Pair pair_at(const Pose& X_FG, Random& random, body::MotionKind a, body::MotionKind b,
                    const track::Track* track) {
  Pair out;
  out.motion_kind = {a, b};
  out.track = track;
  for (const std::size_t end : {0u, 1u}) out.frame[end] = {random.vector(), random.rotation()};
  out.T_WO[0] = {random.vector(2), random.rotation()};
  Pose to = X_FG;
  if (track) {
    const geom::CurvePoint c = track->at(kMiddle);
    to = Pose{c.p, c.C} * X_FG;
  }
  const Pose X_WG = Pose{out.T_WO[0].p, out.T_WO[0].A} * out.frame[0] * to;
  out.T_WO[1].A = X_WG.R * out.frame[1].R.transpose();
  if (b == body::MotionKind::affine)
    out.T_WO[1].A += 0.1 * Mat3::NullaryExpr([&] { return random.uniform(); });
  out.T_WO[1].p = X_WG.p - out.T_WO[1].A * out.frame[1].p;
  if (a == body::MotionKind::affine)
    out.T_WO[0].A += 0.02 * Mat3::NullaryExpr([&] { return random.uniform(); });
  return out;
}

/// Returns a sample with the features of the mask, and NaN in the rest.
inline Sample sampled(const Pair& pair, unsigned features, int order, Arc& arc) {
  Sample out;
  for (Vec3& x : out.x) x.setConstant(std::numeric_limits<double>::quiet_NaN());
  sample(pair.ends(), features, order, arc, out);
  return out;
}

inline double value_of(const Row& row, const Pair& pair) {
  Arc arc = pair.arc;
  const Sample at_ends = sampled(pair, row.features(), 2, arc);
  return at_ends.lost ? std::numeric_limits<double>::quiet_NaN() : value(row, at_ends, arc);
}

inline VecX jacobian(const Row& row, const Pair& pair, int order = 2) {
  Arc arc = pair.arc;
  const Sample at_ends = sampled(pair, row.features(), order, arc);
  VecX J(pair.size());
  joint::jacobian(row, pair.ends(), at_ends, J.data(), J.data() + pair.size(0));
  return J;
}

/// Returns the target of a row: zero, but a distance keeps the one that it has.
inline double target(const Row& row, const Pair& start) {
  return row.distance() ? value_of(row, start) : 0;
}

/// Moves the second object (rigid) so that all rows of the table hold, by least-norm Newton steps.
inline Pair fulfilled(const Table& table, Pair pair) {
  const Pair start = pair;
  const int n = static_cast<int>(table.rows.size()), n_A = pair.size(0);
  for (int k = 0; n > 0 && k < 50; ++k) {
    VecX g(n);
    MatX J(n, pair.size(1));
    for (int i = 0; i < n; ++i) {
      const Row& row = table.rows[at(i)].row;
      g[i] = value_of(row, pair) - target(row, start);
      J.row(i) = jacobian(row, pair).tail(pair.size(1));
    }
    if (g.norm() < 1e-14) break;
    VecX motion = VecX::Zero(pair.size());
    motion.tail(pair.size() - n_A) = -J.completeOrthogonalDecomposition().solve(g);
    pair = moved(pair, motion, 1);
  }
  return pair;
}

/// A rank that takes differences for what they are: singular values below 1e-6 of the largest are
/// zero.
inline int rank(const MatX& m) {
  if (m.rows() == 0) return 0;
  const VecX s = m.jacobiSvd().singularValues();
  return static_cast<int>((s.array() > 1e-6 * std::max(1e-3, s[0])).count());
}

}  // namespace trammel::joint::test
