#include "geom/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trammel::geom {
namespace {

constexpr double kSteepest = 2;  // grade: 63 degrees, beyond any line's

double end_grade(const ProfileElement& e) { return e.shape == ProfileShape::grade ? e.g0 : e.g1; }

double cosine(double grade) { return 1 / std::sqrt(1 + grade * grade); }

// asinh(x)/x to rounding; by its series where that is short.
double asinhc(double x) {
  if (std::abs(x) > 0.05) return std::asinh(x) / x;
  const double q = x * x;
  constexpr double c1 = -1.0 / 6, c2 = 3.0 / 40, c3 = -5.0 / 112, c4 = 35.0 / 1152,
                   c5 = -63.0 / 2816;
  return 1 + q * (c1 + q * (c2 + q * (c3 + q * (c4 + q * c5))));
}

// Arc length of z = g u + r u^2 / 2 from 0 to u. The closed form with its differences multiplied
// out, so that nothing cancels however flat the parabola: with w = sqrt(1 + g^2),
// asinh g1 - asinh g = asinh(r u b), b = (1 + w w1 - g g1)/(w + w1).
double parabola_arc(double g, double r, double u) {
  const double d = r * u, g1 = g + d, w = std::sqrt(1 + g * g), w1 = std::sqrt(1 + g1 * g1);
  const double part = 1 / (w + w1), b = (1 + w * w1 - g * g1) * part;
  return 0.5 * u * (asinhc(d * b) * b + w1 + g * (g + g1) * part);
}

void check_element(const ProfileElement& e, std::size_t i, std::vector<Problem>& out) {
  if (!(std::isfinite(e.length) && e.length > 0))
    out.push_back({fmt::format("[{}].length", i),
                   fmt::format("length {} m: must be greater than 0", e.length)});
  for (const double g : {e.g0, end_grade(e)})
    if (!(std::abs(g) <= kSteepest)) {
      out.push_back({fmt::format("[{}]", i),
                     fmt::format("grade {}, which is rise over way: a profile holds from -{} to {} "
                                 "(write per mille as such, loops as curves in space)",
                                 g, kSteepest, kSteepest)});
      return;
    }
}

}  // namespace

std::optional<ProfileShape> profile_shape_named(std::string_view name) {
  for (std::size_t i = 0; i < kProfileShapeNames.size(); ++i)
    if (kProfileShapeNames[i] == name) return static_cast<ProfileShape>(i);
  return std::nullopt;
}

std::vector<Problem> check(const ProfileSpec& spec) {
  std::vector<Problem> out;
  if (spec.elements.empty()) out.push_back({"", "no elements: a profile needs at least one"});
  if (!std::isfinite(spec.height))
    out.push_back({"height", fmt::format("height {} m: must be finite", spec.height)});
  for (std::size_t i = 0; i < spec.elements.size(); ++i) {
    check_element(spec.elements[i], i, out);
    if (i == 0) continue;
    const double g0 = end_grade(spec.elements[i - 1]), g1 = spec.elements[i].g0;
    const double kink = std::abs(std::atan(g1) - std::atan(g0));
    if (kink > spec.max_kink)
      out.push_back({fmt::format("[{}].g0", i),
                     fmt::format("grade {} meets grade {} of [{}] with a kink of {:.6g} rad; "
                                 "max_kink allows {} rad",
                                 g1, g0, i - 1, kink, spec.max_kink)});
  }
  return out;
}

Profile::Profile(const ProfileSpec& spec) {
  double s = 0, z = spec.height;
  for (const ProfileElement& e : spec.elements) {
    const double c0 = cosine(e.g0), g1 = end_grade(e), c1 = cosine(g1);
    double bend = 0;
    if (e.shape == ProfileShape::circle) bend = (g1 * c1 - e.g0 * c0) / e.length;
    if (e.shape == ProfileShape::parabola) bend = (g1 - e.g0) / e.length;
    Piece p{e.shape, length_, s, z, e.g0, c0, e.g0 * c0, bend, e.length, 0, c1};
    p.arc = past_start(p, e.length);
    pieces_.push_back(p);
    stations_.push_back(length_);
    ProfilePoint end;
    eval(s + p.arc, pieces_.size() - 1, end);
    s += p.arc, z = end.z, length_ += e.length;
  }
}

double Profile::past_start(const Piece& p, double u) const {
  if (p.shape == ProfileShape::grade) return u / p.c;
  if (p.shape == ProfileShape::parabola) return parabola_arc(p.g, p.bend, u);
  // Circle: sin phi grows by bend u; the rise by u tan(mean), then the arc over the chord.
  const double s1 = p.s + p.bend * u, c1 = std::sqrt(1 - s1 * s1);
  const double chord = std::hypot(u, u * (p.s + s1) / (p.c + c1)), half = 0.5 * p.bend * chord;
  return std::copysign(half == 0 ? chord : chord * std::asin(half) / half, u);
}

double Profile::arc_length(double sigma, std::size_t piece) const {
  const Piece& p = pieces_[piece];
  return p.s0 + past_start(p, sigma - p.sigma0);
}

Jump Profile::jump(std::size_t piece) const {
  ProfilePoint before, after;
  eval(pieces_[piece].s0, piece - 1, before);
  eval(pieces_[piece].s0, piece, after);
  return classify(after.s * before.c - after.c * before.s, before.dphi, after.dphi);
}

double Profile::unproject(const Piece& p, double t) const {
  // Newton from the cubic through both ends with their slopes (du/ds is the cosine).
  const double x = t / p.arc, y = 1 - x;
  double u = t + x * y * ((p.c - 1) * p.arc * y - (p.c1 - 1) * p.arc * x);
  u += (p.length - p.arc) * x * x * (3 - 2 * x);
  for (int i = 0; i < 20; ++i) {
    const double step = (t - parabola_arc(p.g, p.bend, u)) * cosine(p.g + p.bend * u);
    u += step;
    // Newton leaves half the curvature of s(u) times the square of the step.
    if (step * step * std::abs(p.bend) <= 1e-16 * std::abs(u) + 1e-300) break;
  }
  return u;
}

void Profile::eval(double s, std::size_t piece, ProfilePoint& out) const {
  const Piece& p = pieces_[piece];
  const double t = s - p.s0;
  if (p.shape == ProfileShape::grade) {
    out = {p.sigma0 + t * p.c, p.z0 + t * p.s, p.c, p.s, 0, 0};
  } else if (p.shape == ProfileShape::circle) {
    const double half = 0.5 * p.bend * t, sn = std::sin(half), cs = std::cos(half);
    const double chord = half == 0 ? t : t * sn / half, s2 = 2 * sn * cs, c2 = 1 - 2 * sn * sn;
    out = {p.sigma0 + chord * (p.c * cs - p.s * sn),
           p.z0 + chord * (p.s * cs + p.c * sn),
           p.c * c2 - p.s * s2,
           p.s * c2 + p.c * s2,
           p.bend,
           0};
  } else {
    const double u = unproject(p, t), g = p.g + p.bend * u, c = cosine(g), c2 = c * c;
    out = {p.sigma0 + u,    p.z0 + u * (p.g + 0.5 * p.bend * u),    c, g * c,
           p.bend * c2 * c, -3 * p.bend * p.bend * g * c2 * c2 * c2};
  }
}

}  // namespace trammel::geom
