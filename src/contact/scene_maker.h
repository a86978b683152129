#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contact/scene.h"
#include "contact/specs.h"
#include "units/problem.h"

/// From what a scene says of contact to what touches what. Problems come in the order of specs.
namespace trammel::contact {

/// What is said of contact with a body, or an object of a pool.
struct Toucher {
  const std::string &name, &path, &material;
  const std::optional<std::vector<std::string>>& electric;
  const std::vector<Spec>& shapes;
  int object = -1;      // -1: it could not be made
  bool stands = false;  // forces do not move it
  Vec3 com = Vec3::Zero();
  /// Of bodies: their solids, which may stand for the shapes, and whether they do.
  bool is_body = false, solids_touch = false, has_no_mass = false;
  std::vector<body::SolidPart> solids = {};
  std::shared_ptr<const body::Mesh> surface = {};
};

/// Makes shapes, materials and laws of a scene.
class SceneMaker {
 public:
  SceneMaker(const Specs& specs, Scene& scene, std::vector<Problem>& problems);
  void add(const Toucher& toucher);
  /// When all are there.
  void finish();

 private:
  struct Given;
  void complain(std::string path, std::string text);
  void add_obstacles();
  void add_own(const Toucher& toucher, const std::vector<Spec>& own);
  std::vector<Spec> solids_of(const Toucher& toucher);
  void add_shape(const Given& given, const Toucher* of);
  int find_material(const std::string& name, const std::string& path);

  const Specs& specs_;
  Scene& scene_;
  std::vector<Problem>& problems_;
};

/// The solids and the surface of a body of a system as shapes that touch.
std::vector<Spec> specs_of(const std::string& name, const std::string& path,
                           const std::vector<body::SolidPart>& solids,
                           const std::shared_ptr<const body::Mesh>& surface,
                           std::vector<Problem>& problems);

/// The objects that shapes are on.
struct Objects {
  std::vector<std::string_view> names;
  std::vector<char> fixed;  // no forces move them
  /// The object of a name that stands at a path; -1: there is none, which is complained of.
  std::function<int(const std::string& name, const std::string& path)> find;
};

/// Which pairs never touch: those that joints connect, unless they are said to, and those that are
/// said not to. `joined`: sorted, the lesser first. Meshes that may meet get their hulls.
void pair_up(const Specs& specs, const Objects& objects,
             const std::vector<std::array<int, 2>>& joined, Scene& scene,
             std::vector<Problem>& problems);

}  // namespace trammel::contact
