#include "body/path.h"

#include <cmath>
#include <limits>

#include "expr/function.h"
#include "math/rotation.h"
#include "units/dimension.h"

namespace trammel::body {

namespace {

constexpr std::size_t kNumbers = 15;

/// The last point of each thread: where things stand still, or several tapes ask one after the
/// other, it is asked for again. Pieces are found from it.
struct PathPoint {
  geom::CurvePtr curve;
  double s = std::numeric_limits<double>::quiet_NaN();
  int order = 0;
  std::size_t piece = 0;
  geom::CurvePoint at;
};

bool holds(const geom::Curve& curve, std::size_t piece, double s) {
  return s >= curve.piece_start(piece) &&
         (piece + 1 == curve.pieces() || s < curve.piece_start(piece + 1));
}

const geom::CurvePoint& point_at(const geom::CurvePtr& curve, double s, int order) {
  thread_local PathPoint last;
  const bool same = last.curve == curve;
  if (same && last.s == s && last.order >= order) return last.at;
  if (!same) last.curve = curve;
  last.s = s;
  last.order = order;
  if (curve->closed()) s -= curve->length() * std::floor(s / curve->length());
  if (!same || !holds(*curve, last.piece, s)) last.piece = curve->piece_at(s);
  curve->eval(s, last.piece, order, last.at);
  return last.at;
}

/// p, C, w and, behind each number, its derivative by s if that is wanted.
void write_point(const geom::CurvePoint& at, bool derivatives, double* out) {
  const auto put = [&](double value, double slope) {
    *out++ = value;
    if (derivatives) *out++ = slope;
  };
  for (int i = 0; i < 3; ++i) put(at.p[i], at.C(i, 0));
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = Vec3::Unit(i);
    const Eigen::RowVector3d slope = e.cross(at.Omega).transpose() * at.C;  // e . (Omega x C_j)
    for (int j = 0; j < 3; ++j) put(at.C(i, j), slope[j]);
  }
  const Vec3 w = at.C.transpose() * at.Omega;
  // (C^T Omega)' = C^T Omega': Omega turns nothing of itself
  const Vec3 slope = derivatives ? Vec3(at.C.transpose() * at.dOmega) : Vec3(Vec3::Zero());
  for (int i = 0; i < 3; ++i) put(w[i], slope[i]);
}

void path_jet(const geom::CurvePtr& curve, double s, int order, std::span<double> out) {
  if (curve->closed() ? std::isfinite(s) : s >= 0 && s <= curve->length())
    write_point(point_at(curve, s, order + 1), order > 0, out.data());
  else
    std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
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
  f.jet = [of = curve_](std::span<const double> s, int order, std::span<double> out) {
    path_jet(of, s[0], order, out);
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
