#include "geom/basic.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace trammel::geom {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

double rise_a_radian(const HelixSpec& h) { return h.pitch / kTurn; }
double length_a_radian(const HelixSpec& h) { return std::hypot(h.radius, rise_a_radian(h)); }

void demand_positive(const char* key, double value, const char* unit, std::vector<Problem>& out) {
  if (std::isfinite(value) && value > 0) return;
  out.push_back({key, fmt::format("{} {}{}: must be greater than 0", key, value, unit)});
}

}  // namespace

std::vector<Problem> check_arc(double curvature, double length) {
  std::vector<Problem> out;
  demand_positive("length", length, " m", out);
  if (!std::isfinite(curvature))
    out.push_back({"radius", fmt::format("curvature {} 1/m: a radius must not be 0", curvature)});
  return out;
}

std::vector<Problem> check(const HelixSpec& spec) {
  std::vector<Problem> out;
  demand_positive("radius", spec.radius, " m", out);
  demand_positive("turns", spec.turns, "", out);
  if (!std::isfinite(spec.pitch))
    out.push_back({"pitch", fmt::format("pitch {} m a turn: must be finite", spec.pitch)});
  return out;
}

void Line::eval(double s, std::size_t, int order, CurvePoint& out) const {
  out.p = start_.p + s * start_.R.col(0);
  out.C = start_.R;
  out.Omega.setZero();
  if (order > 1) out.dOmega.setZero();
}

Arc Arc::by_angle(const Pose& start, double radius, double angle) {
  return {start, std::copysign(1 / radius, angle), radius * std::abs(angle)};
}

void Arc::eval(double s, std::size_t, int order, CurvePoint& out) const {
  // The chord over half the angle: exact for every curvature, also the smallest.
  const double half = 0.5 * k_ * s, sn = std::sin(half), cs = std::cos(half);
  const double chord = half == 0 ? s : s * sn / half;
  const Vec3 x = start_.R.col(0), y = start_.R.col(1);
  out.p = start_.p + chord * (cs * x + sn * y);
  const double sin_all = 2 * sn * cs, cos_all = 1 - 2 * sn * sn;
  out.C.col(0) = cos_all * x + sin_all * y;
  out.C.col(1) = cos_all * y - sin_all * x;
  out.C.col(2) = start_.R.col(2);
  out.Omega = k_ * start_.R.col(2);
  if (order > 1) out.dOmega.setZero();
}

Helix::Helix(const HelixSpec& spec)
    : OnePiece(spec.turns * kTurn * length_a_radian(spec)),
      spec_(spec),
      rise_(rise_a_radian(spec)),
      c_(length_a_radian(spec)),
      turn_(spec.right_handed == (spec.pitch >= 0) ? 1 : -1) {}

double Helix::curvature() const { return spec_.radius / (c_ * c_); }
double Helix::torsion() const { return turn_ * rise_ / (c_ * c_); }

void Helix::eval(double s, std::size_t, int order, CurvePoint& out) const {
  const double angle = spec_.start_angle + turn_ * s / c_;
  const double sn = std::sin(angle), cs = std::cos(angle), r = spec_.radius;
  const Mat3& R = spec_.place.R;
  const Vec3 T = Vec3(-turn_ * r * sn, turn_ * r * cs, rise_) / c_;
  // Inward is the left of an anticlockwise helix, the right of a clockwise one.
  const Vec3 y = (spec_.up ? -turn_ : -1.0) * Vec3(cs, sn, 0);
  out.p = spec_.place.p + R * Vec3(r * cs, r * sn, rise_ * s / c_);
  out.C.col(0) = R * T;
  out.C.col(1) = R * y;
  out.C.col(2) = R * T.cross(y);
  out.Omega = (turn_ / c_) * R.col(2);  // tau T + kappa B: the whole frame turns about the axis
  if (order > 1) out.dOmega.setZero();
}

}  // namespace trammel::geom
