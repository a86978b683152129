#include "geom/plan.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace trammel::geom {
namespace {

constexpr double kMostTurn = 1000;  // [rad] an element

// Curvature over x of one analytic stretch of an element. The Viennese bend's heading is
// k0 u + dk L int f - (h dpsi / L) f', hence the second derivative here.
Ramp curvature(const PlanElement& e, const Ramp& f) {
  const Ramp k = scaled(e.k0, e.k1 - e.k0, f);
  if (e.shape != Shape::viennese) return k;
  const double lean = -e.gravity_height * e.cant_change / (e.length * e.length);
  return sum(k, scaled(0, lean, derivative(derivative(f))));
}

void check_element(const PlanElement& e, std::size_t i, std::vector<Problem>& out) {
  const auto complain = [&](const char* key, std::string text) {
    out.push_back({fmt::format("[{}]{}", i, key), std::move(text)});
  };
  if (!(std::isfinite(e.length) && e.length > 0))
    return complain(".length", fmt::format("length {} m: must be greater than 0", e.length));
  if (!std::isfinite(e.k0) || !std::isfinite(e.k1))
    return complain("", fmt::format("curvature {} to {} 1/m: a radius must not be 0", e.k0, e.k1));
  // A Viennese bend swings by (h dpsi / L) max f' on top, max f' = 35/16.
  const double swing = 35.0 / 16 * std::abs(e.gravity_height * e.cant_change / e.length);
  if (!(std::abs(e.length) * std::max(std::abs(e.k0), std::abs(e.k1)) + swing <= kMostTurn))
    complain("", fmt::format("turns by more than {} rad: length {} m, curvature {} to {} 1/m, "
                             "gravity centre {} m, change of cant {} rad",
                             kMostTurn, e.length, e.k0, e.k1, e.gravity_height, e.cant_change));
  if (e.shape != Shape::viennese && (e.gravity_height != 0 || e.cant_change != 0))
    complain("", "a height of the gravity centre and a change of cant belong to a viennese only");
}

// Where sources state starts, those must be where the elements before them end.
void check_starts(const PlanSpec& spec, std::vector<Problem>& out) {
  const Plan plan(spec);
  std::size_t piece = 0;
  for (std::size_t i = 0; i < spec.elements.size(); ++i) {
    const PlanElement& e = spec.elements[i];
    const PlanPose at = plan.pose(plan.starts()[piece], piece);
    piece += ramp_pieces(e.shape).size();
    if (!e.start) continue;
    const double gap = std::hypot(e.start->x - at.x, e.start->y - at.y);
    const double turn = std::remainder(e.start->heading - at.heading, 2 * std::numbers::pi);
    const std::string before = i == 0 ? "the plan's start" : fmt::format("the end of [{}]", i - 1);
    if (!(gap <= spec.max_gap))
      out.push_back(
          {fmt::format("[{}].start", i),
           fmt::format("start ({}, {}) m is {:.6g} m from {} ({}, {}) m; max_gap allows {} m",
                       e.start->x, e.start->y, gap, before, at.x, at.y, spec.max_gap)});
    if (!(std::abs(turn) <= spec.max_turn))
      out.push_back(
          {fmt::format("[{}].start", i),
           fmt::format("heading {} rad is {:.6g} rad off {} ({} rad); max_kink allows {} rad",
                       e.start->heading, turn, before, at.heading, spec.max_turn)});
  }
}

}  // namespace

std::vector<Problem> check(const PlanSpec& spec) {
  std::vector<Problem> out;
  if (spec.elements.empty()) out.push_back({"", "no elements: a plan needs at least one"});
  if (!std::isfinite(spec.start.x + spec.start.y + spec.start.heading))
    out.push_back({"start", fmt::format("start ({}, {}) m, heading {} rad: must be finite",
                                        spec.start.x, spec.start.y, spec.start.heading)});
  for (std::size_t i = 0; i < spec.elements.size(); ++i) check_element(spec.elements[i], i, out);
  if (out.empty()) check_starts(spec, out);
  return out;
}

Plan::Plan(const PlanSpec& spec) : start_(spec.start), end_{0, 0, spec.start.heading} {
  for (const PlanElement& e : spec.elements) add(e);
}

void Plan::add(const PlanElement& e) {
  if (e.shape == Shape::constant) {
    if (e.k0 == 0) return append(Straight{}, e.length);
    return append(Round{e.k0}, e.length);
  }
  for (const RampPiece& r : ramp_pieces(e.shape)) {
    const double length = (r.x1 - r.x0) * e.length;
    append(Transition(curvature(e, r.f), r.x0, e.length, length, end_.heading), length);
  }
}

void Plan::append(std::variant<Straight, Round, Transition> kind, double length) {
  const auto [x, y, heading] = end_;
  pieces_.push_back(
      {std::move(kind), length_, x, y, heading, std::cos(heading), std::sin(heading)});
  starts_.push_back(length_);
  length_ += length;
  end_ = pose(length_, pieces_.size() - 1);
  end_.x -= start_.x, end_.y -= start_.y;
}

void Plan::eval(double sigma, std::size_t piece, PlanPoint& out) const {
  const Piece& at = pieces_[piece];
  const double u = sigma - at.sigma0;
  if (const auto* transition = std::get_if<Transition>(&at.kind)) {
    transition->eval(u, out);
  } else if (const auto* round = std::get_if<Round>(&at.kind)) {
    // The chord over half the angle: exact for every curvature, also the smallest.
    const double half = 0.5 * round->k * u, sn = std::sin(half), cs = std::cos(half);
    const double chord = half == 0 ? u : u * sn / half;
    const double s2 = 2 * sn * cs, c2 = 1 - 2 * sn * sn;
    out = {chord * (at.c * cs - at.s * sn),
           chord * (at.s * cs + at.c * sn),
           at.c * c2 - at.s * s2,
           at.s * c2 + at.c * s2,
           round->k,
           0};
  } else {
    out = {u * at.c, u * at.s, at.c, at.s, 0, 0};
  }
  out.x += at.x + start_.x;
  out.y += at.y + start_.y;
}

Jump Plan::jump(std::size_t piece) const {
  PlanPoint before, after;
  eval(starts_[piece], piece - 1, before);
  eval(starts_[piece], piece, after);
  return classify(0, before.k, after.k);
}

PlanPose Plan::pose(double sigma, std::size_t piece) const {
  PlanPoint point;
  eval(sigma, piece, point);
  const Piece& at = pieces_[piece];
  const double u = sigma - at.sigma0;
  double turn = 0;
  if (const auto* transition = std::get_if<Transition>(&at.kind)) turn = transition->turn(u);
  if (const auto* round = std::get_if<Round>(&at.kind)) turn = round->k * u;
  return {point.x, point.y, at.heading + turn};
}

}  // namespace trammel::geom
