// How rigid bodies turn over a step of the energy formulation.
#include "form/energy_turns.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "math/index.h"
#include "math/parallel.h"
#include "math/rotation.h"

namespace trammel::form::energy {

namespace {

constexpr int kMostTurns = 20;      // Newton iterations for the nearest rotation; five do
constexpr double kSameTurn = 1e-9;  // change [rad] that ends them: the error is its square
constexpr double kNoAxis = 1e-9;    // what turns less [rad] has an axis of rounding
constexpr int kTurnGrain = 256;     // bodies in one go

/// Returns the angular velocity of a rigid body [rad/s].
Vec3 spin_of(const Mechanism& m, const Instant& instant, std::size_t o) {
  return vec3(instant.u.data() + m.model->blocks[at(m.model->objects[o].block)].v + 3);
}

/// Returns the rotation vector from A to B [rad]: of those that are whole turns apart the nearest
/// to the one expected.
Vec3 turn_between(const Mat3& A, const Mat3& B, const Vec3& expected) {
  constexpr double kWhole = 2 * std::numbers::pi;
  const Vec3 least = log_quat(Quat(B * A.transpose()));
  const Vec3 axis = (least.norm() > kNoAxis ? least : expected).normalized();
  return least + kWhole * std::round(axis.dot(expected - least) / kWhole) * axis;
}

/// Returns the turns of object o over the last step, and from now to axes A at the aim [rad].
Vec3 last_turn(const Mechanism& m, const Past& past, std::size_t o) {
  const model::KinematicsCache &now = past.now.at, &before = past.before.at;
  const Vec3 mean = (spin_of(m, past.before, o) + spin_of(m, past.now, o)) / 2;
  return turn_between(before.T_WO[o].A, now.T_WO[o].A, (now.t - before.t) * mean);
}
Vec3 next_turn(const Mechanism& m, const Aim& aim, const Past& past, std::size_t o, const Mat3& A) {
  const model::KinematicsCache& now = past.now.at;
  return turn_between(now.T_WO[o].A, A, (aim.t - now.t) * spin_of(m, past.now, o));
}

/// Returns x of K x = b.
Vec3 solved(const Mat3& K, const Vec3& b) {
  const Vec3 across = K.col(1).cross(K.col(2));
  const Vec3 x(b.dot(across), K.col(0).dot(b.cross(K.col(2))), K.col(0).dot(K.col(1).cross(b)));
  return x / K.col(0).dot(across);
}

/// Makes R the rotation nearest to A in the norm tr(X S X^T): Newton's iteration from a rotation
/// near it, whose matrix stays regular however thin the body. Returns false where it does not
/// converge, as beyond 1 rad it may not.
bool find_nearest(const Mat3& A, const Mat3& S, Mat3& R) {
  for (int k = 0; k < kMostTurns; ++k) {
    const Mat3 N = A * S * R.transpose();
    const Vec3 slope(N(2, 1) - N(1, 2), N(0, 2) - N(2, 0), N(1, 0) - N(0, 1));
    const Mat3 K = N.trace() * Mat3::Identity() - 0.5 * (N + N.transpose());
    const Vec3 turn = solved(K, slope);
    R = exp_matrix(turn) * R;
    if (turn.norm() <= kSameTurn) return true;
  }
  return false;
}

/// Returns the angle by which y~ of the axes falls behind y~ of the angle itself, if object o turns
/// about the axis e as it has done [rad].
double behind_about(const Mechanism& m, const Aim& aim, const Past& past, std::size_t o,
                    const Vec3& e) {
  using Complex = std::complex<double>;
  const double w = e.dot(spin_of(m, past.now, o));
  double turn = aim.keep * w / aim.rate;
  Complex chord = aim.keep * Complex(1, w / aim.rate);
  if (aim.share < 1) chord += aim.ahead * aim.ahead / 2 * w * w;  // that of the bent way
  if (aim.two_steps) {
    const double before = e.dot(spin_of(m, past.before, o)) / aim.rate,
                 last = e.dot(last_turn(m, past, o));
    turn += aim.back * (last - before);
    chord -= aim.back * std::polar(1., -last) * Complex(1, before);
  }
  return turn - std::arg(chord);
}

}  // namespace

bool turns_as_a_whole(const model::Object& object) {
  return object.moves_freely() && !body::is_embedded(object.motion_kind);
}

void turn_freely(const Mechanism& m, const Aim& aim, const Past& past,
                 std::vector<body::Transform>& y) {
  parallel::for_pieces(count(y), kTurnGrain, [&](int first, int last) {
    for (auto o = at(first); o < at(last); ++o) {
      if (!turns_as_a_whole(m.model->objects[o])) continue;
      const Vec3 w = spin_of(m, past.now, o), e = w.normalized();
      const double behind = behind_about(m, aim, past, o, e),
                   steady = (aim.t - past.now.at.t) * w.norm() - behind;
      Mat3 R = exp_matrix(steady * e) * past.now.at.T_WO[o].A;
      if (!find_nearest(y[o].A, m.masses.second[o], R)) R = y[o].A;
      y[o].A = exp_matrix(behind * e) * R;
    }
  });
}

Vec3 spin_over(const Mechanism& m, const Aim& aim, const Past& past, std::size_t object,
               const Mat3& A) {
  Vec3 turn = next_turn(m, aim, past, object, A);
  if (aim.two_steps) turn -= aim.back * last_turn(m, past, object);
  return aim.rate * turn;
}

}  // namespace trammel::form::energy
