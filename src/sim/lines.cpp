// The lines of tracks as points, for whoever reads results without a track of his own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/recorder.h"

namespace trammel::sim {

namespace {

constexpr int kLeast = 64, kMost = 4096;  // points of a bent piece
constexpr double kTurn = 0.005;           // at most so far from one to the next [rad]

double fastest_turn(const track::Track& track, std::size_t piece, double from, double to) {
  geom::CurvePoint at;
  double out = 0;
  for (int i = 0; i <= kLeast; ++i) {
    track.eval(from + (to - from) * i / kLeast, piece, 1, at);
    out = std::max(out, at.Omega.norm());
  }
  return out;
}

Constants line_of(const model::Track& named) {
  const track::Track& track = *named.track;
  Constants out{"/model/tracks/" + named.name, {}, {"s"}, {"m"}, {}, {}};
  for (const char* what : {"p", "t", "n", "dt", "dn"})
    for (const char* axis : {"x", "y", "z"}) {
      out.columns.push_back(fmt::format("{}_{}", what, axis));
      out.units.emplace_back(what[0] == 'p' ? "m" : what[0] == 'd' ? "1/m" : "1");
    }
  for (std::size_t k = 0; k < track.pieces(); ++k) {
    const double from = track.piece_start(k);
    const double to = k + 1 < track.pieces() ? track.piece_start(k + 1) : track.length();
    const double turn = fastest_turn(track, k, from, to);
    const int n = turn == 0 ? 1
                            : static_cast<int>(std::clamp<double>(
                                  std::ceil((to - from) * turn / kTurn), kLeast, kMost));
    for (int i = 0; i <= n; ++i) {
      const double s = from + (to - from) * i / n;
      geom::CurvePoint at;
      track.eval(s, k, 1, at);
      out.values.push_back(s);
      for (const Vec3& v : {at.p, Vec3(at.C.col(0)), Vec3(at.C.col(1)),
                            Vec3(at.Omega.cross(at.C.col(0))), Vec3(at.Omega.cross(at.C.col(1)))})
        out.values.insert(out.values.end(), {v.x(), v.y(), v.z()});
    }
  }
  return out;
}

}  // namespace

std::vector<Constants> track_lines(const model::Model& model) {
  std::vector<Constants> out;
  for (const model::Track& track : model.tracks) out.push_back(line_of(track));
  return out;
}

}  // namespace trammel::sim
