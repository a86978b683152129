#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/formula.h"
#include "units/dimension.h"

/// Controllers act at a sample rate: at each sample they look at channels and give inputs of the
/// model (model/inputs.h) new values, which are held until the next. What they remember is part of
/// the state.
namespace trammel::sim {

/// What a controller measures, and what its dimension must be.
struct Measure {
  Formula formula;
  enum class Like : unsigned char { any, first, output, memory } like = Like::any;
  std::size_t index = 0;  // of the output or memory
  int seconds = 0;        // times that power of the second
  std::string what = {};  // "the target", for messages
};

/// A number that a controller remembers from sample to sample; its formulas may name it.
struct Memory {
  std::string name;
  double start = 0;
  std::optional<units::Dimension> dimension = {};
};

/// A factor by which the first measure, times a power of the second, becomes the output.
struct Gain {
  std::string name, path;
  std::optional<units::Dimension> dimension;
  int seconds = 0;
};

/// What a controller sees at a sample, and what it sets.
struct Sample {
  double t = 0, since = 0;  // since the sample before it; 0 at the first [s]
  std::span<const double> measures;
  std::span<double> memory, outputs;  // as they are until now
};

struct ControllerSpec {
  std::string name, path = {};
  double period = 0;                      // [s]
  std::vector<std::string> outputs = {};  // names of inputs of the model that it gives
  std::vector<Measure> measures = {};
  std::vector<Memory> memory = {};
  /// What it does at a sample. It must follow from its argument alone: then a run that is resumed
  /// is the same to the bit.
  std::function<void(const Sample&)> update = {};
  std::vector<Gain> gains = {};
};

/// u = kp e + ki (integral of e) + kd (rate of e) + feedforward, e = target - measure.
struct PidSpec {
  std::string name, path = {};
  double period = 0;  // [s]
  std::string output;
  Formula measure, target;
  /// The rate of the measure, and that of the target (else 0); without the first the rate of e is
  /// that between samples.
  std::optional<Formula> rate = {}, target_rate = {};
  std::optional<Formula> feedforward = {};
  double kp = 0, ki = 0, kd = 0;
  std::vector<Gain> gains = {};
  double lo = -std::numeric_limits<double>::infinity();  // bounds of the output
  double hi = std::numeric_limits<double>::infinity();
  double rate_limit = std::numeric_limits<double>::infinity();  // of the output, by the second
  double filter = 0;                                            // time constant of the rate [s]
};
/// The integral stands still while the output is at a bound, or at the limit of its rate, and the
/// error would drive it further.
ControllerSpec pid(const PidSpec& spec);

}  // namespace trammel::sim
