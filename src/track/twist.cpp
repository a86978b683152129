#include "track/twist.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace trammel::track {
namespace {

using geom::Shape;

double start_cant(const CantElement& e) { return e.left0 - e.right0; }
double end_cant(const CantElement& e) {
  return e.shape == Shape::constant ? start_cant(e) : e.left1 - e.right1;
}
double end_twist(const TwistElement& e) { return e.shape == Shape::constant ? e.w0 : e.w1; }

void check_length(double length, std::size_t i, std::vector<Problem>& out) {
  if (std::isfinite(length) && length > 0) return;
  out.push_back(
      {fmt::format("[{}].length", i), fmt::format("length {} m: must be greater than 0", length)});
}

void check_step(double from, double to, double max_step, std::size_t i, std::vector<Problem>& out) {
  if (std::abs(to - from) <= max_step) return;
  out.push_back({fmt::format("[{}]", i),
                 fmt::format("twist {:.9g} rad follows {:.9g} rad at the end of [{}], a step of "
                             "{:.6g} rad; allowed {} rad",
                             to, from, i - 1, to - from, max_step)});
}

}  // namespace

std::vector<Problem> check(const CantSpec& spec) {
  std::vector<Problem> out;
  if (!(std::isfinite(spec.base) && spec.base > 0))
    return {{"base", fmt::format("base {} m: must be greater than 0", spec.base)}};
  if (spec.elements.empty()) out.push_back({"", "no elements: a cant needs at least one"});
  const auto twist = [&](double cant) { return std::asin(cant / spec.base); };
  for (std::size_t i = 0; i < spec.elements.size(); ++i) {
    const CantElement& e = spec.elements[i];
    check_length(e.length, i, out);
    for (const double cant : {start_cant(e), end_cant(e)})
      if (!(std::abs(cant) < spec.base)) {
        out.push_back({fmt::format("[{}]", i),
                       fmt::format("cant {} m (left over right): must be less than the base {} m",
                                   cant, spec.base)});
        break;
      }
    if (i > 0)
      check_step(twist(end_cant(spec.elements[i - 1])), twist(start_cant(e)), spec.max_step, i,
                 out);
  }
  return out;
}

std::vector<Problem> check(const TwistSpec& spec) {
  std::vector<Problem> out;
  if (spec.elements.empty()) out.push_back({"", "no elements: a twist needs at least one"});
  for (std::size_t i = 0; i < spec.elements.size(); ++i) {
    const TwistElement& e = spec.elements[i];
    check_length(e.length, i, out);
    if (!std::isfinite(e.w0) || !std::isfinite(e.w1))
      out.push_back(
          {fmt::format("[{}]", i), fmt::format("twist {} to {} rad: must be finite", e.w0, e.w1)});
    if (i > 0) check_step(end_twist(spec.elements[i - 1]), e.w0, spec.max_step, i, out);
  }
  return out;
}

Twist::Twist(double w) {
  add(Shape::constant, 1, w, w);
  length_ = std::numeric_limits<double>::infinity();
}

Twist::Twist(const CantSpec& spec) : by_cant_(true) {
  for (const CantElement& e : spec.elements)
    add(e.shape, e.length, start_cant(e) / spec.base, end_cant(e) / spec.base);
}

Twist::Twist(const TwistSpec& spec) {
  for (const TwistElement& e : spec.elements) add(e.shape, e.length, e.w0, end_twist(e));
}

void Twist::add(Shape shape, double length, double q0, double q1) {
  for (const geom::RampPiece& r : geom::ramp_pieces(shape)) {
    pieces_.push_back({geom::scaled(q0, q1 - q0, r.f), length_, r.x0, length});
    starts_.push_back(length_);
    length_ += (r.x1 - r.x0) * length;
  }
}

void Twist::eval(double sigma, std::size_t piece, int order, TwistPoint& out) const {
  const Piece& at = pieces_[piece];
  const double per_metre = 1 / at.shape_length;
  const geom::RampValue q = geom::eval(at.q, at.x0 + (sigma - at.sigma0) * per_metre);
  const double d1 = q.d1 * per_metre;
  if (!by_cant_) {
    out = {std::cos(q.f), std::sin(q.f), d1, q.d2 * per_metre * per_metre};
    return;
  }
  // w = asin q: w' = q' / cos w, w'' = (q'' + q w'^2) / cos w.
  out.s = q.f, out.c = std::sqrt(1 - q.f * q.f);
  out.d1 = d1 / out.c;
  if (order > 1) out.d2 = (q.d2 * per_metre * per_metre + q.f * out.d1 * out.d1) / out.c;
}

geom::Jump Twist::jump(std::size_t piece) const {
  TwistPoint before, after;
  eval(starts_[piece], piece - 1, 1, before);
  eval(starts_[piece], piece, 1, after);
  const double step =
      std::atan2(after.s * before.c - after.c * before.s, after.c * before.c + after.s * before.s);
  return geom::classify(step, before.d1, after.d1);
}

double Twist::angle(double sigma) const {
  const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), sigma);
  const Piece& at = pieces_[static_cast<std::size_t>(after - starts_.begin()) - 1];
  const double q = geom::eval(at.q, at.x0 + (sigma - at.sigma0) / at.shape_length).f;
  return by_cant_ ? std::asin(q) : q;
}

}  // namespace trammel::track
