#pragma once

#include <string>
#include <vector>

#include "io/results.h"
#include "report/tessellate.h"

/// A run as surfaces that move, for files that other programs open.
namespace trammel::report {

/// A surface in one colour.
struct Piece {
  Surface surface;
  std::string color;  // "#rrggbb"
  std::string name;
};

struct DrawnBody {
  std::string name;
  std::vector<Piece> pieces;  // in the body frame
  bool affine = false;
};

/// A body at a frame: x = p + A X of its material points; of rigid ones A turns only.
struct Placed {
  Vec3 p;
  Mat3 A;
  double speed = 0;  // of the body frame's origin [m/s]
};

struct Drawn {
  std::vector<DrawnBody> bodies;
  std::vector<Piece> still;       // scenery, and tracks on the ground
  std::vector<double> time;       // of the frames, increasing [s]
  std::vector<Placed> motion;     // frame after frame, each body by body
  std::size_t frames_of_run = 0;  // there are
  std::string problem;            // why there are neither shapes nor tracks; empty: there are
  const Placed& at(std::size_t frame, std::size_t body) const {
    return motion[frame * bodies.size() + body];
  }
};

/// Frames are at least 1/fps apart, those of the run, the first and the last among them.
Drawn drawn(const io::ResultsReader& results, double fps);

/// |A^T A - 1|, 0 of what is not strained.
double strain(const Mat3& A);

}  // namespace trammel::report
