#pragma once

#include <optional>
#include <vector>

#include "geom/curve.h"
#include "geom/plan.h"
#include "geom/profile.h"
#include "units/problem.h"

namespace trammel::geom {

/// A railway line: elements of the plan and of the profile both run over the station, the
/// horizontal projection; the curve runs by true arc length, longer on a grade.
struct AlignmentSpec {
  PlanSpec plan = {};
  std::optional<ProfileSpec> profile = {};  // level at height 0 if absent
};

/// Problems with paths like plan[3].length, profile[2].g0.
std::vector<Problem> check(const AlignmentSpec& spec);

/// Frame: theta the heading, phi the slope, C = Rz(theta) Ry(-phi), y is the horizontal left.
class Alignment final : public Curve {
 public:
  explicit Alignment(const AlignmentSpec& spec);  // checked
  double length() const override { return length_; }
  std::size_t pieces() const override { return pieces_.size(); }
  double piece_start(std::size_t piece) const override { return pieces_[piece].s0; }
  Jump jump(std::size_t piece) const override { return pieces_[piece].jump; }
  void eval(double s, std::size_t piece, int order, CurvePoint& out) const override;
  void eval(double s, std::size_t piece, int order, CurvePoint& out, Station& at) const override;
  Station station(double s, std::size_t piece) const override;
  double arc_length_at(double sigma) const override;

 private:
  struct Piece {
    double s0;  // [m]
    std::size_t plan, profile;
    Jump jump;
  };
  Plan plan_;
  Profile profile_;
  std::vector<Piece> pieces_;
  double length_;
};

}  // namespace trammel::geom
