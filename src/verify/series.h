#pragma once

#include <string>
#include <vector>

#include "verify/method.h"
#include "verify/samples.h"

namespace trammel::verify {

/// The vibrations of a mechanism of its own: bodies that strain.
struct Vibrating {
  double stiffness = std::numeric_limits<double>::infinity();  // the least, of a strain [J]
  double arm = 0;  // from their centres of mass to their joints, the greatest [m]
};

/// A method run finer and finer, and what the runs tend to. Of a soft method they tend to it twice:
/// by steps, then by stiffness.
struct Series {
  std::string name, failure, note;      // failure: of the first run that ended early
  std::vector<std::string> refinement;  // "h = 0.001 s", "accuracy 1e-8"
  std::vector<Samples> runs;            // coarsest first
  int nominal = 0;                      // order; 0: refined by its accuracy
  double order = 0;                     // observed; NaN: not to be seen
  bool extrapolated = false;
  std::vector<Pose> limit;
  std::vector<Distance> uncertainty;  // of the limit up to each time, not falling
  /// What impacts at the ends of steps leave of it besides, a bound: up to each time, not falling.
  std::vector<Distance> late;
  long first_impact = 0;      // times before any run's first impact
  std::vector<double> grown;  // since then: a small difference, beyond a steady drift, each time
  double grown_at(double t) const {
    const auto k = static_cast<long>((t - finest().t0) / finest().apart);
    const auto n = static_cast<long>(grown.size());
    return n == 0 ? 1 : grown[static_cast<std::size_t>(std::clamp(k, 0L, n - 1))];
  }
  std::vector<Distance> by_steps;  // of it, what steps or accuracies leave of the first stiffness
  std::vector<Series> stiffer;     // of a soft method, see stiffened()
  double times = 1;                // as stiff as its first
  Vibrating vibrating;             // by energy only
  bool by_energy = false;          // speeds are differences of places over steps
  bool soft_joints = false;        // their forces are stiffness times gaps
  double joint_stiffness = 0;      // of these, where the scene gives it [N/m]
  double stiffness_order = std::numeric_limits<double>::quiet_NaN();  // observed, of 1/stiffness
  std::vector<Distance> error;  // of the coarsest run against the limit, each time
  double cpu = 0, work = 0;     // [s], [units]
  long count() const { return static_cast<long>(uncertainty.size()); }
  /// Returns both together.
  Distance uncertain(std::size_t k) const {
    Distance out = uncertainty[k];
    out.length += late[k].length;
    out.angle += late[k].angle;
    return out;
  }
  const Samples& finest() const { return runs.back(); }
  /// Times that all runs came to.
  long common() const;
  /// Returns c so that a run and c times what the next one is beyond it are free of the nominal
  /// order's error.
  double extrapolating(std::size_t run) const;
  /// Returns the same of the limits of the first two runs and of the last two, and the next order.
  double extrapolating_further() const;
};

/// Accuracies of the three levels; the steps that they are within are halved from one to the next
/// too, as they may be shorter than accuracy asks for.
constexpr double kAccuracies[] = {1e-8, 1e-9, 1e-10};
constexpr int kLevels = 3;

/// The settings of a method's run: step and accuracy of refinement `level` (0 the coarsest), and
/// how many of its steps lie between two times of the grid.
struct Refined {
  sim::Settings settings;
  long every = 1;
  std::string name;
};
Refined refined(const Method& method, const sim::Settings& own, const Grid& grid, int level);

/// All runs of the method.
Series run_series(const Method& method, const sim::Settings& own, const Grid& grid, Cap cap);

/// The scales that motions are measured by.
struct Scale {
  double size = 1;          // lengths count as parts of it [m]
  double rounding = 1e-11;  // differences below it say nothing of an order
  /// Times before growth is to be blamed: orders are taken of these, and of those where two runs
  /// are still within kLost of each other.
  long usable = 0;
  /// Growth::beyond: what impacts leave uncertain grows with it from the first one on.
  std::vector<double> beyond = {};
};

/// Order, limit and uncertainty of what has been run.
void extrapolate(Series& series, const Scale& by);

/// The same of what impacts leave, a bound that motions are far from as a rule.
constexpr double kLate = 0.1;
constexpr double kLost = 1e-2;  // of the size, or rad: two motions have nothing in common any more

}  // namespace trammel::verify
