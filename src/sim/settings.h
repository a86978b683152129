#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "form/settings.h"
#include "math/types.h"
#include "model/kinematics.h"
#include "model/transient.h"
#include "units/problem.h"

namespace trammel::sim {

/// An accelerometer on a body.
struct ProbeSpec {
  std::string name, path, body;
  Vec3 point = Vec3::Zero();  // in the body frame [m]
};

/// A picture of a run: channels over time or over another channel.
struct PlotSpec {
  std::string name, title, path;
  std::string x = "time";
  std::vector<std::string> y;  // one panel each; several channels in one panel: "a, b"
};

/// Says which transient joints there are from the state on, at each time of the grid; the list
/// comes empty. It must follow from its arguments alone: then a run that is resumed is the same to
/// the bit.
using TransientSource =
    std::function<void(const model::State& state, const model::KinematicsCache& now,
                       std::vector<model::Transient>& list)>;

/// A run: how long, how fine, what is kept.
struct Settings {
  double duration = 10;    // [s]
  double step = 1e-3;      // [s]
  double output_step = 0;  // [s]; 0: a five hundredth of the duration, a multiple of the step
  double checkpoint_interval = 10;  // of the wall clock between checkpoints [s]
  double checkpoint_steps = std::numeric_limits<double>::infinity();  // and steps between them
  form::Settings form;
  std::vector<ProbeSpec> probes;
  std::vector<PlotSpec> plots;
  TransientSource transients;  // empty: there are none
};

/// Returns the settings that are no number that a run can use; paths as in a scene.
std::vector<Problem> wrong(const Settings& settings);

}  // namespace trammel::sim
