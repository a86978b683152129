// The row s: where B's origin projects on the track.
#include "joint/own.h"
#include "joint/second_variation.h"

namespace trammel::joint {

namespace {

struct ArcLength {
  static double value(const Row&, const Sample&, const Arc& arc) { return arc.s; }
  static void gradient(const Row&, const Sample& at, Gradient& g) { follow_curve(at, 1, g); }
  static RowRates rates(const Row&, const Sample&, const SampleRates& m) {
    return {m.s_dot, m.s_ddot};
  }
  static void add_second(const Row&, const Maps& maps, SecondVariation& out) {
    add_product(maps, kOnCurve, -1 / maps.at.h_s, arc_gradient(maps), out);
  }
};

}  // namespace

constinit const Own kArcLength{ArcLength::value, ArcLength::gradient, ArcLength::rates,
                               ArcLength::add_second};

}  // namespace trammel::joint
