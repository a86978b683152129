#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

/// Names and handles of a built mechanism, checked: every function here throws
/// std::invalid_argument, which says what was asked for and the nearest name that there is.
namespace trammel::model {

/// A free coordinate of a joint, found once and cheap to ask for from then on.
struct CoordinateHandle {
  std::uint32_t joint = 0, coordinate = 0, generation = 0;
  explicit operator bool() const { return generation != 0; }
  friend bool operator==(const CoordinateHandle&, const CoordinateHandle&) = default;
};
/// A number of Params, such as "body.bob.mass".
using ParamHandle = Handle<struct ParamTag>;

/// Handles of what has this name, also in mechanisms that were read from a scene. The ground is no
/// body here.
BodyHandle body_named(const Model& model, std::string_view name);
/// Returns the handle of an object of the model; null: the ground, and what the builder handed out
/// none for.
BodyHandle body_handle(const Model& model, int object);
JointHandle joint_named(const Model& model, std::string_view name);
LawHandle law_named(const Model& model, std::string_view name);
/// "joint.coordinate", or the joint's name alone where it has one coordinate.
CoordinateHandle coordinate_named(const Model& model, std::string_view name);
CoordinateHandle coordinate_of(const Model& model, JointHandle joint, std::string_view coordinate);
ParamHandle param_named(const Model& model, std::string_view name);
InputHandle input_named(const Model& model, std::string_view name);

/// Indices of what handles stand for. Null handles and those of other mechanisms are refused.
int checked(const Model& model, BodyHandle handle);   // into Model::objects
int checked(const Model& model, JointHandle handle);  // into Model::joints
int checked(const Model& model, LawHandle handle);    // into Model::laws
int checked(const Model& model, ParamHandle handle);  // into Params::values
const joint::Coordinate& checked(const Model& model, CoordinateHandle handle);

/// "joint.coordinate" of a handle.
std::string name_of(const Model& model, CoordinateHandle handle);
/// All coordinates of all joints, in their order.
std::vector<CoordinateHandle> all_coordinates(const Model& model);
/// All names of parameters, in the order of Params::values.
std::vector<std::string> param_names(const Model& model);

}  // namespace trammel::model
