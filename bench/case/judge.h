#pragma once

#include <vector>

#include "scene.h"

/// What all engines are judged by, from nothing but the states of their bodies.
namespace trammel::bench {

/// A body's centre of mass and axes, world axes.
struct State {
  Vec3 p = Vec3::Zero();                    // [m]
  Quat q = Quat::Identity();                // R_WB
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  // [m/s], [rad/s]
};

struct Look {
  double energy = 0;  // kinetic, of gravity and of springs [J]
  double gap = 0;     // worst distance of a joint's two ends, across a slider's axis [m]
  double angle = 0;   // worst between a joint's two axes (slider: frames) [rad]
};

Look judge(const Scene& scene, const std::vector<State>& now);

}  // namespace trammel::bench
