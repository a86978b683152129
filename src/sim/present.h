#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/handles.h"
#include "sim/recorder.h"

namespace trammel::sim {

/// Gives the quantities of a simulation at the end of its last step, by the names that its results
/// have (docs/results.md), to programs that read them while it runs, as controllers do. All in SI
/// units.
///
/// Every function throws std::invalid_argument with the nearest name where there is no such item,
/// and of handles that are null or of another mechanism. By handle (model/handles.h) a number costs
/// some ten to a few hundred nanoseconds, by name everything that is recorded is computed.
class Present {
 public:
  explicit Present(const Simulation& simulation);

  Pose pose(model::BodyHandle body) const;        // X_WB of the body frame; affine: the nearest one
  Vec3 velocity(model::BodyHandle body);          // of the centre of mass, world axes [m/s]
  Vec3 angular_velocity(model::BodyHandle body);  // world axes [rad/s]
  /// A coordinate, angles over all turns where the state counts them, and its rate.
  double coordinate(model::CoordinateHandle coordinate) const;  // [m, rad]
  double rate(model::CoordinateHandle coordinate);              // [m/s, rad/s]
  /// The force of a law on its coordinate, mean of the last step [N, N m].
  double force(model::LawHandle law) const;
  /// The reaction of a joint on its end B as form::Formulation::reaction gives it; zero where it
  /// has let go.
  model::Reaction reaction(model::JointHandle joint) const;

  /// The numbers of an item: {"/joints/rates", "crank.angle"}; the energies have no items ("").
  std::vector<double> of(std::string_view dataset, std::string_view item);

  Pose pose(std::string_view body);              // X_WB of the body frame; affine: the nearest one
  Vec3 velocity(std::string_view body);          // of the centre of mass, world axes [m/s]
  Vec3 angular_velocity(std::string_view body);  // world axes [rad/s]
  /// "joint.coordinate", angles over all turns [m, rad], and its rate [m/s, rad/s].
  double coordinate(std::string_view name);
  double rate(std::string_view name);
  /// Returns the force of a law on its coordinate, mean of the last step [N, N m].
  double force(std::string_view law);
  double sensor(std::string_view name);  // in SI
  /// Returns the reaction of a joint on its end B, likewise.
  model::Reaction reaction(std::string_view joint);

 private:
  const body::Rate& rate_of(int object);

  const Simulation* sim_;
  Recorder recorder_;
  std::vector<int> first_angle_, angle_;  // of each joint; of each coordinate, where it is counted
  std::vector<body::Rate> rate_;          // objects
  std::vector<body::Bias> bias_;
};

}  // namespace trammel::sim
