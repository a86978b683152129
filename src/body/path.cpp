#include "body/path.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "expr/function.h"
#include "math/rotation.h"
#include "units/dimension.h"

namespace trammel::body {

namespace {

/// A point that was asked for. Each program of a system asks for it again, so that each thread
/// keeps some.
struct PathPoint {
  std::uint64_t path = 0;
  double s = 0;
  geom::CurvePoint at;
};
constexpr std::size_t kKept = 1024;

/// Curvature that jumps goes over within so much of either side [m], as it does under a vehicle
/// that has a length: kinetic energy is then a smooth function of where things are.
constexpr double kBlend = 0.5;

std::uint64_t next_path() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

bool holds(const geom::Curve& curve, std::size_t piece, double s) {
  return piece < curve.pieces() && s >= curve.piece_start(piece) &&
         (piece + 1 == curve.pieces() || s < curve.piece_start(piece + 1));
}

/// Where curvature jumps from one piece to the next; s of the one before may be as much further on.
struct Border {
  double s;  // [m]
  std::size_t before, after;
  double wrap;
  double half = 0;  // what it blends over, either side [m]
};

std::vector<Border> borders_of(const geom::Curve& curve) {
  std::vector<Border> out;
  const std::size_t last = curve.pieces() - 1;
  if (curve.closed() && curve.jump(0) != geom::Jump::none) {
    out.push_back({0, last, 0, curve.length()});
    out.push_back({curve.length(), last, 0, 0});
  }
  for (std::size_t i = 1; i <= last; ++i)
    if (curve.jump(i) != geom::Jump::none) out.push_back({curve.piece_start(i), i - 1, i, 0});
  const auto length = [&](std::size_t i) {
    return (i == last ? curve.length() : curve.piece_start(i + 1)) - curve.piece_start(i);
  };
  for (Border& b : out) b.half = std::min({kBlend, length(b.before) / 2, length(b.after) / 2});
  std::sort(out.begin(), out.end(), [](const Border& a, const Border& b) { return a.s < b.s; });
  return out;
}

/// Blends the Darboux vector, in the axes of the frame, over a border.
void blend(const geom::Curve& curve, const Border& border, double s, geom::CurvePoint& at) {
  const auto part = [&](std::size_t piece, double shift, Vec3& w, Vec3& slope) {
    geom::CurvePoint on;
    curve.eval(s + shift, piece, 2, on);
    w = on.C.transpose() * on.Omega;
    slope = on.C.transpose() * on.dOmega;
  };
  const bool closing = border.s > 0 && border.after == 0;
  Vec3 w0, w1, d0, d1;
  part(border.before, border.wrap, w0, d0);
  part(border.after, closing ? -curve.length() : 0, w1, d1);
  const double t = (s - border.s + border.half) / (2 * border.half), u = 1 - t;
  const double share = t * t * t * (10 + t * (6 * t - 15));
  const double rate = 30 * t * t * u * u / (2 * border.half);
  at.Omega = at.C * (w0 + share * (w1 - w0));
  at.dOmega = at.C * (d0 + share * (d1 - d0) + rate * (w1 - w0));
}

/// A curve as functions ask for it.
struct Asked {
  explicit Asked(geom::CurvePtr of) : curve(std::move(of)), borders(borders_of(*curve)) {}
  geom::CurvePtr curve;
  std::vector<Border> borders;
  std::uint64_t id = next_path();
};

void find_point(const Asked& asked, double s, geom::CurvePoint& out) {
  const geom::Curve& curve = *asked.curve;
  if (curve.closed()) s -= curve.length() * std::floor(s / curve.length());
  thread_local std::size_t piece = 0;  // of the last point
  if (!holds(curve, piece, s)) piece = curve.piece_at(s);
  curve.eval(s, piece, 2, out);
  auto b = std::lower_bound(asked.borders.begin(), asked.borders.end(), s - kBlend,
                            [](const Border& border, double x) { return border.s < x; });
  for (; b != asked.borders.end() && b->s < s + kBlend; ++b)
    if (std::abs(s - b->s) < b->half) return blend(curve, *b, s, out);
}

const geom::CurvePoint& point_at(const Asked& asked, double s) {
  thread_local std::vector<PathPoint> points(kKept);
  const std::uint64_t hash = (std::bit_cast<std::uint64_t>(s) ^ asked.id) * 0x9e3779b97f4a7c15u;
  PathPoint& point = points[hash >> 54];
  if (point.path == asked.id && point.s == s) return point.at;
  find_point(asked, s, point.at);
  point.path = asked.id;
  point.s = s;
  return point.at;
}

/// Numbers with `order` derivatives by s behind each.
class Jets {
 public:
  Jets(int order, double* out) : order_(order), out_(out) {}
  void put(double value, double slope, double bend) {
    *out_++ = value;
    if (order_ > 0) *out_++ = slope;
    if (order_ > 1) *out_++ = bend;
  }

 private:
  int order_;
  double* out_;
};

/// w = C^T Omega has the derivative C^T Omega', since Omega turns nothing of itself.
Vec3 turn_slope(const geom::CurvePoint& at) { return at.C.transpose() * at.dOmega; }

/// The second one by differences: equations do not take it, only texts of what depends on what.
Vec3 turn_bend(const Asked& asked, double s) {
  constexpr double h = 1e-4;  // [m]
  geom::CurvePoint before, after;
  find_point(asked, s - h, before);
  find_point(asked, s + h, after);
  return (turn_slope(after) - turn_slope(before)) / (2 * h);
}

/// p, C row by row, and w.
void write_point(const Asked& asked, double s, int order, double* out) {
  const geom::CurvePoint& at = point_at(asked, s);
  Jets jets(order, out);
  const Mat3 W = skew(at.Omega);
  const Mat3 C1 = order > 0 ? Mat3(W * at.C) : Mat3(Mat3::Zero());
  const Mat3 C2 = order > 1 ? Mat3(skew(at.dOmega) * at.C + W * C1) : Mat3(Mat3::Zero());
  for (int i = 0; i < 3; ++i) jets.put(at.p[i], at.C(i, 0), C1(i, 0));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) jets.put(at.C(i, j), C1(i, j), C2(i, j));
  const Vec3 w = at.C.transpose() * at.Omega;
  const Vec3 w1 = order > 0 ? turn_slope(at) : Vec3(Vec3::Zero());
  const Vec3 w2 = order > 1 ? turn_bend(asked, s) : Vec3(Vec3::Zero());
  for (int i = 0; i < 3; ++i) jets.put(w[i], w1[i], w2[i]);
}

void path_jet(const Asked& asked, double s, int order, std::span<double> out) {
  const geom::Curve& curve = *asked.curve;
  if (curve.closed() ? std::isfinite(s) : s >= 0 && s <= curve.length())
    write_point(asked, s, order, out.data());
  else
    std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

Path::Path(std::string name, geom::CurvePtr curve)
    : name_(std::move(name)), curve_(std::move(curve)) {
  expr::Function f;
  f.name = name_;
  f.order = 2;
  f.arguments = {units::kLength};
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  for (const char* i : kAxes) f.results.push_back(std::string(".") + i);
  for (const char* i : kAxes)
    for (const char* j : kAxes) f.results.push_back(std::string(".C") + i + j);
  for (const char* i : kAxes) f.results.push_back(std::string(".w") + i);
  f.jet = [asked = Asked(curve_)](std::span<const double> s, int order, std::span<double> out) {
    path_jet(asked, s[0], order, out);
  };
  function_ = std::make_shared<const expr::Function>(std::move(f));
}

Path::At Path::at(expr::Expression s) const {
  const auto number = [&](std::size_t i) {
    return s.graph->call(function_, std::span(&s, 1), {0}, static_cast<std::uint32_t>(i));
  };
  At out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.p[i] = number(i);
    for (std::size_t j = 0; j < 3; ++j) out.C[i][j] = number(3 + 3 * i + j);
    out.w[i] = number(12 + i);
  }
  return out;
}

}  // namespace trammel::body
