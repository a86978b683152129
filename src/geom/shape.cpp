#include "geom/shape.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

namespace trammel::geom {
namespace {

Ramp polynomial(std::initializer_list<double> c) {
  Ramp r;
  std::copy(c.begin(), c.end(), r.c.begin());
  r.terms = c.size();
  return r;
}

Ramp with_wave(Ramp r, double a, double b, double w) {
  r.a = a, r.b = b, r.w = w;
  return r;
}

}  // namespace

std::optional<Shape> shape_named(std::string_view name) {
  using enum Shape;
  constexpr std::array<Shape, kShapeNames.size()> shapes = {
      constant, constant, linear, constant, linear, bloss, cosine, sine, helmert, viennese};
  const auto found = std::find(kShapeNames.begin(), kShapeNames.end(), name);
  if (found == kShapeNames.end()) return std::nullopt;
  return shapes[static_cast<std::size_t>(found - kShapeNames.begin())];
}

RampValue eval(const Ramp& r, double x) {
  double f = 0, d1 = 0, half_d2 = 0;
  for (std::size_t i = r.terms; i-- > 0;) {
    half_d2 = half_d2 * x + d1;
    d1 = d1 * x + f;
    f = f * x + r.c[i];
  }
  if (r.w == 0) return {f, d1, 2 * half_d2};
  const double sn = std::sin(r.w * x), cs = std::cos(r.w * x);
  const double wave = r.a * sn + r.b * cs;
  return {f + wave, d1 + r.w * (r.a * cs - r.b * sn), 2 * half_d2 - r.w * r.w * wave};
}

Ramp scaled(double offset, double factor, const Ramp& r) {
  Ramp out = with_wave(r, factor * r.a, factor * r.b, r.w);
  for (double& c : out.c) c *= factor;
  out.c[0] += offset;
  return out;
}

Ramp sum(const Ramp& p, const Ramp& q) {
  Ramp out = p;
  for (std::size_t i = 0; i < Ramp::kTerms; ++i) out.c[i] += q.c[i];
  out.terms = std::max(p.terms, q.terms);
  return out;
}

Ramp derivative(const Ramp& r) {
  Ramp out = with_wave({}, -r.b * r.w, r.a * r.w, r.w);
  for (std::size_t i = 1; i < r.terms; ++i) out.c[i - 1] = static_cast<double>(i) * r.c[i];
  out.terms = std::max<std::size_t>(r.terms, 2) - 1;
  return out;
}

Ramp antiderivative(const Ramp& r) {
  Ramp out;
  for (std::size_t i = 0; i < r.terms; ++i) out.c[i + 1] = r.c[i] / static_cast<double>(i + 1);
  out.terms = r.terms + 1;
  if (r.w == 0) return out;
  out.c[0] = r.a / r.w;
  return with_wave(out, r.b / r.w, -r.a / r.w, r.w);
}

void taylor(const Ramp& r, double x0, double* out, std::size_t count) {
  std::array<double, Ramp::kTerms> c = r.c;
  for (std::size_t k = 0; k < r.terms; ++k)  // repeated synthetic division by (x - x0)
    for (std::size_t i = r.terms - 1; i-- > k;) c[i] += x0 * c[i + 1];
  // The n-th derivative of A sin(w x) + B cos(w x) turns (A, B) by n quarters.
  double factor = 1, sn = std::sin(r.w * x0), cs = std::cos(r.w * x0);
  for (std::size_t n = 0; n < count; ++n) {
    out[n] = (n < r.terms ? c[n] : 0) + factor * (r.a * sn + r.b * cs);
    factor *= r.w / static_cast<double>(n + 1);
    const double old = sn;
    sn = cs, cs = -old;
  }
}

std::vector<RampPiece> ramp_pieces(Shape shape) {
  using std::numbers::pi;
  switch (shape) {
    case Shape::constant:
      return {{polynomial({0}), 0, 1}};
    case Shape::linear:
      return {{polynomial({0, 1}), 0, 1}};
    case Shape::bloss:
      return {{polynomial({0, 0, 3, -2}), 0, 1}};
    case Shape::cosine:
      return {{with_wave(polynomial({0.5}), 0, -0.5, pi), 0, 1}};
    case Shape::sine:
      return {{with_wave(polynomial({0, 1}), -0.5 / pi, 0, 2 * pi), 0, 1}};
    case Shape::helmert:
      return {{polynomial({0, 0, 2}), 0, 0.5}, {polynomial({-1, 4, -2}), 0.5, 1}};
    case Shape::viennese:
      return {{polynomial({0, 0, 0, 0, 35, -84, 70, -20}), 0, 1}};
  }
  return {};
}

}  // namespace trammel::geom
