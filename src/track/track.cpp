#include "track/track.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "geom/beyond.h"

namespace trammel::track {
namespace {

using geom::CurvePoint;
using geom::Jump;
using geom::Station;

double end_station(const geom::Curve& curve) {
  return curve.station(curve.length(), curve.pieces() - 1).sigma;
}

std::vector<double> starts_of(const geom::Curve& curve) {
  std::vector<double> out;
  for (std::size_t i = 0; i < curve.pieces(); ++i) out.push_back(curve.piece_start(i));
  return out;
}

std::vector<double> starts_of(const Twist& twist, const geom::Curve& curve) {
  std::vector<double> out;
  const double end = end_station(curve);
  for (const double sigma : twist.starts())
    if (sigma < end) out.push_back(curve.arc_length_at(sigma));
  return out;
}

}  // namespace

std::vector<Problem> check(const geom::Curve& curve, const Twist& twist) {
  const double end = end_station(curve);
  const double beyond = twist.length() - end;
  if (std::isfinite(beyond) && beyond > geom::most_beyond(end))
    return {{"", fmt::format("is {:.6f} m long (station), {:.6f} m longer than the curve of {:.6f} "
                             "m; it may go on for {:.6g} m",
                             twist.length(), beyond, end, geom::most_beyond(end))}};
  if (beyond >= -geom::kUncovered) return {};
  return {{"", fmt::format("covers {:.6f} m of the curve's {:.6f} m (station): {:.6f} m short",
                           twist.length(), end, end - twist.length())}};
}

Track::Track(std::string name, geom::CurvePtr curve, Twist twist)
    : name_(std::move(name)),
      curve_(std::move(curve)),
      twist_(std::move(twist)),
      length_(curve_->length()),
      closed_(curve_->closed()) {
  for (const geom::Overlap& o :
       geom::overlay(starts_of(*curve_), starts_of(twist_, *curve_), length_)) {
    // Each list at its own break: the two may lie a little apart.
    const bool first = pieces_.empty();
    const bool curve_breaks = !first && o.a != pieces_.back().curve;
    const bool twist_breaks = !first && o.b != pieces_.back().twist;
    const Jump jump = std::max(curve_breaks ? curve_->jump(o.a) : Jump::none,
                               twist_breaks ? twist_.jump(o.b) : Jump::none);
    pieces_.push_back({o.start, o.a, o.b, jump});
  }
  if (closed_) pieces_[0].jump = jump_at_closing();
}

geom::Jump Track::jump_at_closing() const {
  CurvePoint end, start;
  eval(length_, pieces_.size() - 1, 1, end);
  eval(0, 0, 1, start);
  return geom::classify(end, start);
}

void Track::eval(double s, std::size_t piece, int order, CurvePoint& out) const {
  Station at;
  eval(s, piece, order, out, at);
}

void Track::eval(double s, std::size_t piece, int order, CurvePoint& out, Station& at) const {
  const Piece& on = pieces_[piece];
  curve_->eval(s, on.curve, order, out, at);
  TwistPoint w;
  twist_.eval(at.sigma, on.twist, order, w);
  const Vec3 T = out.C.col(0), y = out.C.col(1), z = out.C.col(2);
  out.C.col(1) = w.c * y + w.s * z;
  out.C.col(2) = w.c * z - w.s * y;
  // Omega_t = Omega + w' T, with ' by arc length.
  const double rate = w.d1 * at.d1;
  if (order > 1)
    out.dOmega += (w.d2 * at.d1 * at.d1 + w.d1 * at.d2) * T + rate * out.Omega.cross(T);
  out.Omega += rate * T;
}

Station Track::station(double s, std::size_t piece) const {
  return curve_->station(s, pieces_[piece].curve);
}

}  // namespace trammel::track
