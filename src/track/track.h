#pragma once

#include <string>
#include <vector>

#include "geom/curve.h"
#include "track/twist.h"
#include "units/problem.h"

namespace trammel::track {

/// A curve whose frame is rolled about its tangent by a twist: C_t = C Rx(w). Positive w lifts y,
/// the left rail. Position and arc length are the curve's. Body-local: it knows no body.
class Track final : public geom::Curve {
 public:
  Track(std::string name, geom::CurvePtr curve, Twist twist = {});  // checked
  const std::string& name() const { return name_; }
  const geom::Curve& curve() const { return *curve_; }
  const Twist& twist() const { return twist_; }

  double length() const override { return length_; }
  std::size_t pieces() const override { return pieces_.size(); }
  double piece_start(std::size_t piece) const override { return pieces_[piece].s0; }
  geom::Jump jump(std::size_t piece) const override { return pieces_[piece].jump; }
  bool closed() const override { return closed_; }
  void eval(double s, std::size_t piece, int order, geom::CurvePoint& out) const override;
  void eval(double s, std::size_t piece, int order, geom::CurvePoint& out,
            geom::Station& at) const override;
  geom::Station station(double s, std::size_t piece) const override;
  double arc_length_at(double sigma) const override { return curve_->arc_length_at(sigma); }

 private:
  struct Piece {
    double s0;  // [m]
    std::size_t curve, twist;
    geom::Jump jump;
  };
  geom::Jump jump_at_closing() const;

  std::string name_;
  geom::CurvePtr curve_;
  Twist twist_;
  std::vector<Piece> pieces_;
  double length_;
  bool closed_;
};

/// Whether a twist goes with a curve: it must cover the curve's stations.
std::vector<Problem> check(const geom::Curve& curve, const Twist& twist);

}  // namespace trammel::track
