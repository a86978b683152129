// The rows stretch(u, v): evaluation by stretch.h.
#include "joint/stretch.h"

#include <vector>

#include "joint/own.h"
#include "joint/second_variation.h"

namespace trammel::joint {

namespace {

struct RightStretch {
  static double value(const Row& row, const Sample& at, const Arc&) {
    return Stretch(row, at).value();
  }
  static void gradient(const Row& row, const Sample& at, Gradient& g) {
    const Stretch s(row, at);
    const Mat3 cov = s.R * s.Q;
    for (int i = 0; i < 3; ++i) {
      g.feature[static_cast<std::size_t>(g.n)] = s.first + i;
      g.cov[static_cast<std::size_t>(g.n++)] = cov.col(i);
    }
  }
  static RowRates rates(const Row& row, const Sample& at, const SampleRates& m) {
    const Stretch s(row, at);
    return {s.along(axes(m.dx, s.first)),
            s.along(axes(m.ddx, s.first)) + s.bend(axes(m.dx, s.first))};
  }
  /// Every motion of the objects gives the axes rates, these W and U'.
  static void add_second(const Row& row, const Maps& maps, SecondVariation& out) {
    const Stretch s(row, maps.at);
    const Mat3 cov = s.R * s.Q;
    std::array<MatX, 3> of;
    for (int i = 0; i < 3; ++i) {
      of[static_cast<std::size_t>(i)] = maps.of(s.first + i);
      add_curvature(maps, s.first + i, cov.col(i), VecX::Zero(maps.n), out);
    }
    std::vector<Stretch::Rates> rates;
    for (int a = 0; a < maps.n; ++a) {
      Mat3 dX;
      dX << of[0].col(a), of[1].col(a), of[2].col(a);
      rates.push_back(s.rates(dX));
      for (int b = 0; b <= a; ++b)
        out.H(a, b) = out.H(b, a) = s.bend(rates.back(), rates[static_cast<std::size_t>(b)]);
    }
  }
};

}  // namespace

constinit const Own kRightStretch{RightStretch::value, RightStretch::gradient, RightStretch::rates,
                                  RightStretch::add_second};

}  // namespace trammel::joint
