#include "body/path.h"

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

constexpr std::size_t kNumbers = 15;

/// A point that was asked for. Each program of a system asks for it again, so that each thread
/// keeps some.
struct PathPoint {
  std::uint64_t path = 0;
  double s = 0;
  geom::CurvePoint at;
};
constexpr std::size_t kKept = 1024;

std::uint64_t next_path() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

bool holds(const geom::Curve& curve, std::size_t piece, double s) {
  return piece < curve.pieces() && s >= curve.piece_start(piece) &&
         (piece + 1 == curve.pieces() || s < curve.piece_start(piece + 1));
}

const geom::CurvePoint& point_at(std::uint64_t path, const geom::Curve& curve, double s) {
  thread_local std::vector<PathPoint> points(kKept);
  const std::uint64_t hash = (std::bit_cast<std::uint64_t>(s) ^ path) * 0x9e3779b97f4a7c15u;
  PathPoint& point = points[hash >> 54];
  if (point.path == path && point.s == s) return point.at;
  point.path = path;
  point.s = s;
  if (curve.closed()) s -= curve.length() * std::floor(s / curve.length());
  thread_local std::size_t piece = 0;  // of the last point
  if (!holds(curve, piece, s)) piece = curve.piece_at(s);
  curve.eval(s, piece, 2, point.at);
  return point.at;
}

/// p, C, w.
void write_values(const geom::CurvePoint& at, double* out) {
  vec3(out) = at.p;
  for (int i = 0; i < 3; ++i) vec3(out + 3 + 3 * i) = at.C.row(i);
  vec3(out + 12) = at.C.transpose() * at.Omega;
}

/// The same, each with its derivative by s behind it.
void write_slopes(const geom::CurvePoint& at, double* out) {
  double value[kNumbers], slope[kNumbers];
  write_values(at, value);
  vec3(slope) = at.C.col(0);
  const Mat3 C1 = skew(at.Omega) * at.C;
  for (int i = 0; i < 3; ++i) vec3(slope + 3 + 3 * i) = C1.row(i);
  // (C^T Omega)' = C^T Omega': Omega turns nothing of itself
  vec3(slope + 12) = at.C.transpose() * at.dOmega;
  for (std::size_t i = 0; i < kNumbers; ++i) {
    *out++ = value[i];
    *out++ = slope[i];
  }
}

void path_jet(std::uint64_t path, const geom::Curve& curve, double s, int order,
              std::span<double> out) {
  if (!(curve.closed() ? std::isfinite(s) : s >= 0 && s <= curve.length()))
    std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  else if (order == 0)
    write_values(point_at(path, curve, s), out.data());
  else
    write_slopes(point_at(path, curve, s), out.data());
}

}  // namespace

Path::Path(std::string name, geom::CurvePtr curve)
    : name_(std::move(name)), curve_(std::move(curve)) {
  expr::Function f;
  f.name = name_;
  f.order = 1;
  f.arguments = {units::kLength};
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  for (const char* i : kAxes) f.results.push_back(std::string(".") + i);
  for (const char* i : kAxes)
    for (const char* j : kAxes) f.results.push_back(std::string(".C") + i + j);
  for (const char* i : kAxes) f.results.push_back(std::string(".w") + i);
  f.jet = [id = next_path(), of = curve_](std::span<const double> s, int order,
                                          std::span<double> out) {
    path_jet(id, *of, s[0], order, out);
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
    out.w[i] = number(kNumbers - 3 + i);
  }
  return out;
}

}  // namespace trammel::body
