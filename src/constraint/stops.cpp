#include "constraint/stops.h"

#include <algorithm>
#include <cmath>

#include "model/project.h"

namespace trammel::constraint {

namespace {
using law::ConstraintSpec;
using law::kInf;
constexpr double kBeyond = model::kPenetrated / 4;  // the way into a stop that a step ends at

/// The way left to the stop of a row that is on one side of it.
double way_left(const ConstraintSpec& spec, int side, double x) {
  return side > 0 ? x - spec.from : spec.to - x;
}

/// When gap + rate t + bend t^2 comes to 0, for the first time after 0 [s].
double first_root(double gap, double rate, double bend) {
  const double root = std::sqrt(std::max(0., rate * rate - 4 * bend * gap));
  return 2 * gap / (root - rate);
}
}  // namespace

bool has_closed(Hold hold, const ConstraintSpec& start, const ConstraintSpec& end, double g,
                double g_end) {
  if (hold != Hold::unilateral) return false;
  return !is_closed(start, g) || side_of(start, g) != side_of(end, g_end);
}

double time_of_stop(Hold hold, const ConstraintSpec& start, const ConstraintSpec& end,
                    const RowPath& path) {
  const double g = path.g, h = path.h;
  if (hold != Hold::unilateral || !is_closed(end, path.g_end)) return kInf;
  const int side = side_of(end, path.g_end);
  if (is_closed(start, g) && side_of(start, g) == side) return kInf;
  const double gap = way_left(start, side, g), rate = side * path.rate,
               gap_end = way_left(end, side, path.g_end);
  if (!(gap_end < -model::kPenetrated / 2 * end.size)) return kInf;
  const double bend = (gap_end - gap - rate * h) / (h * h), t = first_root(gap, rate, bend),
               speed = -rate - 2 * bend * t;
  const bool fast = speed > kImpactSpeed * end.pace && speed > 4 * std::abs(bend) * h;
  return fast ? t + kBeyond * end.size / speed : kInf;
}

bool strikes(Hold hold, const ConstraintSpec& d, double g, double rate) {
  return hold == Hold::unilateral && d.closing_speed(g, rate) > kImpactSpeed * d.pace;
}

double depth_at_rest(Hold hold, const ConstraintSpec& d, double g, double rate) {
  constexpr double kStill = 1e-9;  // of its pace
  if (hold != Hold::unilateral || std::abs(rate) >= kStill * d.pace) return 0;
  return displacement(hold, d, g);
}

}  // namespace trammel::constraint
