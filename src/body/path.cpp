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

/// A place on a curve with the frame that things on it have, and the curve's tangent with its
/// derivatives by s.
struct PathPlace {
  geom::CurvePoint frame;
  Vec3 T, T1, T2;
};

/// A place that was asked for. Each program of a system asks for it again, so that each thread
/// keeps some.
struct PathPoint {
  std::uint64_t path = 0;
  double s = 0;
  PathPlace at;
};
constexpr std::size_t kKept = 1024;

/// Curvature that jumps goes over within so much of either side [m], as it does under a vehicle
/// that has a length: kinetic energy is then a smooth function of where things are.
constexpr double kBlend = 0.5;
constexpr double kBlendTurn = 0.25;  // no more than what the curve turns by meanwhile [rad]

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
  double half = 0;             // what it blends over, either side [m]
  Vec3 change = Vec3::Zero();  // of the Darboux vector, in the axes of the frame [1/m]
};

/// The pieces before and after a border, either of which goes on beyond it.
struct BorderSides {
  geom::CurvePoint before, after;
};
BorderSides border_sides(const geom::Curve& curve, const Border& border, double s) {
  const bool closing = border.s > 0 && border.after == 0;
  BorderSides out;
  curve.eval(s + border.wrap, border.before, 2, out.before);
  curve.eval(s - (closing ? curve.length() : 0), border.after, 2, out.after);
  return out;
}

/// Omega in the axes of the frame, and its derivative: Omega turns nothing of itself.
Vec3 own_turn(const geom::CurvePoint& at) { return at.C.transpose() * at.Omega; }
Vec3 own_turn_slope(const geom::CurvePoint& at) { return at.C.transpose() * at.dOmega; }

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
  for (Border& b : out) {
    const BorderSides at = border_sides(curve, b, b.s);
    const double most = std::max(at.before.Omega.norm(), at.after.Omega.norm());
    b.half = std::min({kBlend, kBlendTurn / most, length(b.before) / 2, length(b.after) / 2});
    b.change = own_turn(at.after) - own_turn(at.before);
  }
  std::sort(out.begin(), out.end(), [](const Border& a, const Border& b) { return a.s < b.s; });
  return out;
}

/// A number and its first two derivatives by s.
struct BlendCourse {
  double x, d1, d2;
};

/// A turn by Gibbs' vector g = n tan(angle/2), with derivatives by s.
struct FrameTurn {
  Vec3 g, d1, d2;
};

/// How one frame goes over from another: M = before^T after, M' = M [w]x.
FrameTurn turn_between(const geom::CurvePoint& before, const geom::CurvePoint& after) {
  const Mat3 M = before.C.transpose() * after.C;
  const Vec3 of = M.transpose() * own_turn(before), w = own_turn(after) - of;
  const Vec3 dw = own_turn_slope(after) - M.transpose() * own_turn_slope(before) + w.cross(of);
  FrameTurn out;
  const Mat3 odd = (M - M.transpose()) / (1 + M.trace());
  out.g = Vec3(odd(2, 1), odd(0, 2), odd(1, 0));
  const double along = out.g.dot(w);
  out.d1 = 0.5 * (w + out.g.cross(w) + along * out.g);
  out.d2 = 0.5 * (dw + out.d1.cross(w) + out.g.cross(dw) + (out.d1.dot(w) + out.g.dot(dw)) * out.g +
                  along * out.d1);
  return out;
}

/// The frame that is turned from another by g.
void turn_frame(const FrameTurn& turned, const geom::CurvePoint& from, geom::CurvePoint& out) {
  const Vec3 &g = turned.g, &d1 = turned.d1;
  const double scale = 2 / (1 + g.squaredNorm());
  const Mat3 X = skew(g), G = Mat3::Identity() + scale * (X + X * X);
  const Vec3 own = scale * (d1 - g.cross(d1));
  const Vec3 d_own = scale * (turned.d2 - g.cross(turned.d2)) - scale * g.dot(d1) * own;
  const Vec3 w = G.transpose() * own_turn(from);
  const Vec3 dw = G.transpose() * own_turn_slope(from) - own.cross(w);
  out.C = from.C * G;
  out.Omega = out.C * (w + own);
  out.dOmega = out.C * (dw + d_own);
}

/// Blends the frames of both sides over a border, so that the Darboux vector goes from that of one
/// to that of the other. Half the jump of it is the rate of what they are turned by in the first
/// place; what is left is small as the square of the way.
void blend(const geom::Curve& curve, const Border& border, double s, geom::CurvePoint& out) {
  const BorderSides on = border_sides(curve, border, s);
  const double x = s - border.s, length = 2 * border.half, t = (x + border.half) / length;
  const double t3 = t * t * t, u = 1 - t;
  const BlendCourse way{length * t3 * t * (2.5 + t * (t - 3)), t3 * (10 + t * (6 * t - 15)),
                        30 * t * t * u * u / length};
  const BlendCourse share{t3 * t * (35 + t * (-84 + t * (70 - 20 * t))),
                          140 * t3 * u * u * u / length,
                          420 * t * t * u * u * (1 - 2 * t) / (length * length)};
  const FrameTurn all = turn_between(on.before, on.after);
  const Vec3 half = 0.5 * border.change, rest = all.g - x * half, d_rest = all.d1 - half;
  FrameTurn part;
  part.g = way.x * half + share.x * rest;
  part.d1 = way.d1 * half + share.d1 * rest + share.x * d_rest;
  part.d2 = way.d2 * half + share.d2 * rest + 2 * share.d1 * d_rest + share.x * all.d2;
  turn_frame(part, on.before, out);
}

/// A curve as functions ask for it.
struct Asked {
  explicit Asked(geom::CurvePtr of) : curve(std::move(of)), borders(borders_of(*curve)) {}
  geom::CurvePtr curve;
  std::vector<Border> borders;
  std::uint64_t id = next_path();
};

void find_place(const Asked& asked, double s, PathPlace& out) {
  const geom::Curve& curve = *asked.curve;
  if (curve.closed()) s -= curve.length() * std::floor(s / curve.length());
  thread_local std::size_t piece = 0;  // of the last point
  if (!holds(curve, piece, s)) piece = curve.piece_at(s);
  geom::CurvePoint& on = out.frame;
  curve.eval(s, piece, 2, on);
  out.T = on.C.col(0);
  out.T1 = on.Omega.cross(out.T);
  out.T2 = on.dOmega.cross(out.T) + on.Omega.cross(out.T1);
  auto b = std::lower_bound(asked.borders.begin(), asked.borders.end(), s - kBlend,
                            [](const Border& border, double x) { return border.s < x; });
  for (; b != asked.borders.end() && b->s < s + kBlend; ++b)
    if (std::abs(s - b->s) < b->half) return blend(curve, *b, s, on);
}

const PathPlace& place_at(const Asked& asked, double s) {
  thread_local std::vector<PathPoint> points(kKept);
  const std::uint64_t hash = (std::bit_cast<std::uint64_t>(s) ^ asked.id) * 0x9e3779b97f4a7c15u;
  PathPoint& point = points[hash >> 54];
  if (point.path == asked.id && point.s == s) return point.at;
  find_place(asked, s, point.at);
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

/// The second one by differences: equations do not take it, only texts of what depends on what.
Vec3 own_turn_bend(const Asked& asked, double s) {
  constexpr double h = 1e-4;  // [m]
  PathPlace before, after;
  find_place(asked, s - h, before);
  find_place(asked, s + h, after);
  return (own_turn_slope(after.frame) - own_turn_slope(before.frame)) / (2 * h);
}

/// The tangent of the curve in the axes of the frame: t = C^T T, t' = C^T T' - w x t.
void write_tangent(const PathPlace& at, Jets& jets) {
  const Mat3 back = at.frame.C.transpose();
  const Vec3 w = own_turn(at.frame), t = back * at.T, bent = back * at.T1, t1 = bent - w.cross(t);
  const Vec3 t2 = back * at.T2 - w.cross(bent) - own_turn_slope(at.frame).cross(t) - w.cross(t1);
  for (int i = 0; i < 3; ++i) jets.put(t[i], t1[i], t2[i]);
}

/// p, C row by row, w and, where there are borders, t.
void write_point(const Asked& asked, double s, int order, double* out) {
  const PathPlace& at = place_at(asked, s);
  const geom::CurvePoint& frame = at.frame;
  Jets jets(order, out);
  const Mat3 W = skew(frame.Omega);
  const Mat3 C1 = order > 0 ? Mat3(W * frame.C) : Mat3(Mat3::Zero());
  const Mat3 C2 = order > 1 ? Mat3(skew(frame.dOmega) * frame.C + W * C1) : Mat3(Mat3::Zero());
  for (int i = 0; i < 3; ++i) jets.put(frame.p[i], at.T[i], at.T1[i]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) jets.put(frame.C(i, j), C1(i, j), C2(i, j));
  const Vec3 w = own_turn(frame);
  const Vec3 w1 = order > 0 ? own_turn_slope(frame) : Vec3(Vec3::Zero());
  const Vec3 w2 = order > 1 ? own_turn_bend(asked, s) : Vec3(Vec3::Zero());
  for (int i = 0; i < 3; ++i) jets.put(w[i], w1[i], w2[i]);
  if (!asked.borders.empty()) write_tangent(at, jets);
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
  auto asked = std::make_shared<const Asked>(curve_);
  blends_ = !asked->borders.empty();
  if (blends_)
    for (const char* i : kAxes) f.results.push_back(std::string(".t") + i);
  f.jet = [asked](std::span<const double> s, int order, std::span<double> out) {
    path_jet(*asked, s[0], order, out);
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
    if (blends_) out.t[i] = number(15 + i);
  }
  if (!blends_) out.t[0] = s.graph->constant(1);
  return out;
}

}  // namespace trammel::body
