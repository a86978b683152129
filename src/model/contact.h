#pragma once
#include <array>
#include <string>
#include <vector>
#include "contact/detector.h"
namespace trammel::model {
struct Model;
struct ContactLaw { double friction = 0, restitution = 0, rolling = 0, spinning = 0, cohesion = 0; bool poisson = false; };
struct ContactShape { int object = 0; Pose X_OS; contact::Shape shape; int material = 0; Vec3 surface_velocity = Vec3::Zero(); std::string name, path; };
struct ContactScene {
  std::vector<ContactShape> shapes;
  std::vector<ContactLaw> laws{1};
  bool any() const { return !shapes.empty(); }
  const ContactLaw& law(int, int) const { return laws[0]; }
};
contact::PairRule pair_rule(const Model& model);
inline contact::PairRule pair_rule(const Model&) { return [](int a, int b) { return a != b; }; }
}  // namespace trammel::model
