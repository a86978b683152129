#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "form/settings.h"
#include "math/types.h"
#include "model/kinematics.h"
#include "model/transient.h"
#include "sim/controllers.h"
#include "sim/sensors.h"
#include "units/problem.h"

namespace trammel::sim {

/// A point of a body whose motion is recorded, and an accelerometer there.
struct ProbeSpec {
  std::string name, path, body;
  Vec3 point = Vec3::Zero();     // in the body frame [m]
  std::string axes = "world";    // that numbers are along: of the world, or of a body
  std::string relative_to = {};  // the body from which the motion is seen; empty: the world
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
  std::vector<SensorSpec> sensors = {};
  std::vector<ControllerSpec> controllers = {};
  TransientSource transients;  // empty: there are none
};

/// Returns the settings that are no number that a run can use; paths as in a scene.
std::vector<Problem> wrong(const Settings& settings);

}  // namespace trammel::sim
