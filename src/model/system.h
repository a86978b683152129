#pragma once

#include <string>
#include <vector>

#include "body/system.h"
#include "model/builder.h"

/// Systems in generalised coordinates as the builder takes them.
namespace trammel::model {

/// A system and its start. Its objects are bodies like any other, by the names they have in `of`.
/// Every coordinate c is the only coordinate of a joint "<name>.c", on which all laws can act, and
/// which signals, sensors and results know: of its dial "<name>.c", an object without mass that
/// stands at x along the world's x (a length) or is turned by x about it (an angle).
struct SystemSpec {
  std::string name, path = {};
  body::SystemSpec of;
  std::vector<double> q, u;            // coordinates and rates at the start
  std::vector<Outline> outlines = {};  // of its objects, or none; without com
};

/// Adds the system's pool and the joints of its coordinates; handles of its objects, in their
/// order. What is wrong with it is a problem of Builder::build.
std::vector<BodyHandle> add_system(Builder& builder, SystemSpec spec);

/// "<system>.<coordinate>": the joint of a coordinate, and its dial.
std::string dial_of(const std::string& system, const std::string& coordinate);

}  // namespace trammel::model
