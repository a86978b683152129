#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "contact/barrier_surface.h"
#include "model/model.h"
#include "model/state.h"
#include "units/problem.h"

namespace trammel::constraint {

/// The surfaces that touch by a barrier in the energy formulation, and how.
struct BarrierSurfaces {
  struct Of {
    int object = 0;
    std::shared_ptr<const contact::barrier::Surface> surface;  // in the object's axes
  };
  std::vector<Of> all;
  std::function<bool(int, int)> may_meet;    // objects; empty: all
  std::function<double(int, int)> friction;  // of two of `all`: the coefficient
};

/// The surfaces of what a mechanism says of contact; null: it says nothing.
std::shared_ptr<const BarrierSurfaces> surfaces_of(const model::Model& model);
/// How a problem names a shape.
std::string shown(const model::Model& model, const model::ContactShape& s);

/// What of it touches or overlaps in a state: a barrier would not part it.
std::vector<Problem> touching_at_start(const model::Model& model, const model::Params& params,
                                       const model::State& state);

/// Numbers of contact by a barrier.
struct BarrierNumbers {
  double distance = 1e-3;    // below which surfaces repel each other [m]
  double stiffness = 0;      // energy of one pair of primitives [J]; 0: by masses and step
  double slip_speed = 1e-3;  // speed over which friction is smoothed [m/s]
  int friction_passes = 1;   // 1: friction by the normal forces at the step's start; more: anew
  double tolerance = 1e-9;   // Newton steps that are small enough where surfaces are close [rad],
                             // of lengths as a share of the mechanism's arm
  int max_iterations = 400;
};

}  // namespace trammel::constraint
