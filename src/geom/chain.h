#pragma once

#include <vector>

#include "geom/curve.h"
#include "units/problem.h"

namespace trammel::geom {

struct ChainSpec {
  std::vector<CurvePtr> members = {};  // each where it lies, in common axes
  bool closed = false;                 // the end meets the start: s is periodic
  double max_gap = 1e-6;               // accepted between an end and the next start [m]
  double max_kink = 1e-6;  // accepted turn between the frames there [rad]; where kinks are
                           // meant, their largest
};

std::vector<Problem> check(const ChainSpec& spec);

/// Curves end to end.
class Chain final : public Curve {
 public:
  explicit Chain(const ChainSpec& spec);  // checked
  double length() const override { return length_; }
  std::size_t pieces() const override { return pieces_.size(); }
  double piece_start(std::size_t piece) const override { return pieces_[piece].s0; }
  Jump jump(std::size_t piece) const override { return pieces_[piece].jump; }
  bool closed() const override { return closed_; }
  void eval(double s, std::size_t piece, int order, CurvePoint& out) const override;
  void eval(double s, std::size_t piece, int order, CurvePoint& out, Station& at) const override;
  Station station(double s, std::size_t piece) const override;
  double arc_length_at(double sigma) const override;

 private:
  struct Member {
    CurvePtr curve;
    double s0, sigma0;  // [m]
  };
  struct Piece {
    std::size_t member, piece;
    double s0;  // [m]
    Jump jump;
  };
  std::vector<Member> members_;
  std::vector<Piece> pieces_;
  double length_ = 0;
  bool closed_;
};

}  // namespace trammel::geom
