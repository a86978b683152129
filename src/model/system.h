#pragma once

#include <string>
#include <utility>
#include <vector>

#include "body/system.h"
#include "model/builder.h"

/// Systems in generalised coordinates as the builder takes them.
namespace trammel::model {

/// A generalised force along a coordinate, an expression of coordinates, rate_of, time_of and
/// SystemSpec::inputs [N, N m].
struct SystemForce {
  int coordinate = 0;
  expr::Expression force;
  std::string path = {};
};

/// A system and its start. Its objects are bodies like any other, by the names they have in `of`.
/// Every coordinate c is the only coordinate of a joint "<name>.c", on which all laws can act, and
/// which signals, sensors and results know: of its dial "<name>.c", an object without mass that
/// stands at x along the world's x (a length) or is turned by x about it (an angle).
struct SystemSpec {
  std::string name, path = {};
  body::SystemSpec of;
  std::vector<double> q, u;            // coordinates and rates at the start
  std::vector<Outline> outlines = {};  // of its objects, or none; without com
  /// One an object, or none: masses, centres of mass and looks of its objects, instead of numbers
  /// in `of` and of outlines, by the rules of rigid bodies but for these: a mass without inertia or
  /// solid is that of a point, and without any the object only carries what is attached to it.
  /// Their starts follow from the coordinates.
  std::vector<BodySpec> bodies = {};
  /// Rayleigh's function of coordinates and rate_of: the force on each coordinate is minus its
  /// derivative by the rate [W].
  expr::Expression dissipation = {};
  std::vector<SystemForce> forces = {};
  /// Inputs, and coordinates of other joints, that forces read: names and variables for them.
  std::vector<std::pair<std::string, expr::Expression>> inputs = {};
};

/// The variables of a coordinate's rate and of the time, in forces.
expr::Expression rate_of(expr::Graph& graph, const body::SystemCoordinate& coordinate);
expr::Expression time_of(expr::Graph& graph);

/// Adds the system's pool, the joints of its coordinates and, as laws on these, its forces; handles
/// of its objects, in their order. What is wrong with it is a problem of Builder::build.
std::vector<BodyHandle> add_system(Builder& builder, SystemSpec spec);

int count_systems(const Model& model);
/// The system that a pool is; null: it is none. No other kind may have its name.
const body::SystemPool* system_of(const PoolSlot& slot);
/// A pool of one block like its blocks.
std::shared_ptr<const body::SystemPool> one_of(const body::SystemPool& pool);
/// The name of a block of it.
std::string system_name(const Model& model, const PoolSlot& slot, int block);
/// Whether an object is a dial, which stands for a coordinate.
bool is_dial(const Model& model, const Object& object);

/// Returns where the coordinate that a joint stands for is among the unknowns q; -1: it stands for
/// none.
int unknown_of(const Model& model, const Joint& joint);

/// The table of a coordinate's joint: no rows, and its only coordinate, "angle" or "travel".
std::shared_ptr<const joint::Table> dial_table(bool is_angle);

/// "<system>.<coordinate>": the joint of a coordinate, and its dial.
std::string dial_of(const std::string& system, const std::string& coordinate);

}  // namespace trammel::model
