#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "math/types.h"
#include "model/model.h"
#include "model/state.h"

/// Transient joints come and go while running: contacts, vehicles coupled on the way, a gripper's
/// hold. Their types (rows and laws) belong to the model; the State says which there are, with a
/// key under which their rows find what the last step knew of them. Formulations see them as joints
/// after all others.
namespace trammel::model {

struct Transient {
  int type = 0;  // index into Model::transient_types
  /// With the type this is its key: such as a pair of bodies and a feature of their shapes.
  std::int64_t pair = 0, feature = 0;
  int object_A = 0, object_B = 0;
  Pose X_OA, X_OB;  // joint frames in their objects' axes, from their origins (centres of mass)
};

/// Returns them in the order of their keys. Throws std::invalid_argument where two have one key.
Transients in_order(std::vector<Transient> list);
Transient get(const Transients& transients, std::size_t i);
/// Returns in one sentence why these cannot be joints of the model; empty: they can.
std::string wrong(const Model& model, const Transients& transients);

/// The same of a state: its transient joints, and the tracks that its joints run along.
std::string wrong_mechanism(const Model& model, const State& state);
/// Returns the number of their rows.
std::size_t rows_of(const Model& model, const Transients& transients);

/// Makes `live`, a copy of `model` that may have been extended already, the mechanism of a state:
/// with its transient joints, and each joint along a track on the one that it runs along.
void extend(const Model& model, const State& state, Model& live);
/// Returns State::laid of a state at the start.
std::vector<int> laid_at_start(const Model& model);
/// True where both states are of one mechanism, apart from joints that have let go.
bool same_mechanism(const State& a, const State& b);
/// Gives a state of the model these transient joints instead of those it has. What it stores of
/// rows, angles and joints is kept for those that stay; formulations make their factors anew.
void carry(const Model& model, State& state, Transients transients);
/// Returns the model with one joint of each transient type, between the ground and a body.
Model with_samples(const Model& model);

}  // namespace trammel::model
