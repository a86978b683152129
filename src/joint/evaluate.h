#pragma once

#include <array>

#include "body/pool.h"
#include "joint/row.h"
#include "track/track.h"

/// The one evaluator: turns any row of any joint into value, rate, bias, Jacobian and second
/// variation, for any motion kind at either end. Solvers and bodies never see a joint, joints never
/// see a solver.
///
/// Every row is handled through its gradient: a short list of features and covectors, d g = sum
/// cov . d(feature). The curve's s is eliminated there: with h = Cx.E = 0, ds = -dh|_s / h_s, a row
/// that moves with s by g_s gains the covectors of h times -g_s / h_s. Nothing downstream knows of
/// s.
namespace trammel::joint {

/// One end of a joint: where the object is, and the joint frame on it.
struct End {
  body::MotionKind motion_kind{};  // of a frame that belongs to no body, where it is not said
  const body::Transform* T_WO = nullptr;
  const Pose* X_OF = nullptr;  // the joint frame in the object's axes
};

struct Ends {
  End A, B;
  const track::Track* track = nullptr;  // carried by frame A, or none
};

/// Where a track joint is on its track; Newton on Cx.E = 0 starts from s.
struct Arc {
  double s = 0;  // [m]
  int piece = 0;
};

/// The features' world values at one instant.
struct Sample {
  std::array<Vec3, kFeatures> x;  // values
  Vec3 r_A, r_B, r_C;             // from the object's origin to frame A, frame B, p_C(s); world
  std::array<Vec3, 3> x_s;        // d(Cx, Cy, Cz)/ds
  double h_s = -1;                // d(Cx.E)/ds = kappa offset - 1
  geom::CurvePoint curve;         // in frame A
  bool lost = false;              // the curve's projection did not converge, or kappa offset > 0.5
};

/// Fills what `features` (a mask, see Row::features) needs; arc.s moves to the projection. order 2
/// keeps the curve's second derivatives for bias and second variation.
void sample(const Ends& ends, unsigned features, int order, Arc& arc, Sample& out);

/// d g = sum cov[i] . d x[feature[i]].
struct Gradient {
  int n = 0;
  std::array<Feature, 6> feature;
  std::array<Vec3, 6> cov;
};

/// The angle by whole turns next to `last`: the same bits for every `last` within half a turn.
inline double turned_near(double angle, double last) {
  constexpr double kTurn = 6.283185307179586;
  return angle + kTurn * std::round((last - angle) / kTurn);
}

/// u.v.
inline double dot(const Product& p, const Sample& at) {
  return at.x[static_cast<std::size_t>(p.u)].dot(at.x[static_cast<std::size_t>(p.v)]);
}
/// As many products as the row has; zero in place of the others.
inline std::array<double, 2> products(const Row& row, const Sample& at) {
  std::array<double, 2> p{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(row.products()); ++i)
    p[i] = dot(row.of[i], at);
  return p;
}

/// How far the row is from where it has no rate, 0 there; for functions that have such a place.
inline double margin(const Row& row, const Sample& at) {
  const std::array<double, 2> p = products(row, at);
  return row.fn->h.margin(p[0], p[1]);
}

/// g of the row (angles in (-pi, pi]); zero of one without a value.
double value(const Row& row, const Sample& at, const Arc& arc);
Gradient gradient(const Row& row, const Sample& at);
/// Completes the gradient of what takes the curve's features by what it changes with s, at `g_s`
/// beside them: s follows from Cx.E = 0.
void follow_curve(const Sample& at, double g_s, Gradient& gradient);

/// A nonholonomic row: rate = d . (v of B's material point at the contact - that of A's), with
/// the contact at r from B's origin.
struct Contact {
  Vec3 d, r;
};
Contact contact(const Row& row, const Sample& at);

/// J of a row on the motions of both ends: 6 or 12 numbers each, overwritten; either may be null.
void jacobian(const Row& row, const Ends& ends, const Sample& at, double* J_A, double* J_B);
/// The same from a gradient.
void pull_back(const Ends& ends, const Sample& at, const Gradient& gradient, double* J_A,
               double* J_B);

/// Rates and biases of both objects, and what they make of a row: g' and g'' at zero acceleration.
struct Motions {
  const body::Rate *rate_A, *rate_B;
  const body::Bias *bias_A, *bias_B;
};
struct RowRates {
  double rate = 0, bias = 0;
};
struct SampleRates {
  std::array<Vec3, kFeatures> dx, ddx;  // s moving too
  double s_dot = 0, s_ddot = 0;         // s_ddot at zero acceleration of the blocks
};
void sample_rates(const Ends& ends, const Sample& at, unsigned features, const Motions& motions,
                  SampleRates& out);
RowRates rates(const Row& row, const Sample& at, const SampleRates& moving);

/// Second variation of g on the motions of A and B, as d^2 g = m^T H m + what the objects' own
/// second variations make of the covectors: f on p and F on A of each object (see
/// Pool::add_second_variation).
struct SecondVariation {
  MatX H;  // (m_A + m_B) square
  Vec3 f_A = Vec3::Zero(), f_B = Vec3::Zero();
  Mat3 F_A = Mat3::Zero(), F_B = Mat3::Zero();
};
SecondVariation second_variation(const Row& row, const Ends& ends, const Sample& at);

}  // namespace trammel::joint
