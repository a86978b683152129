// Shapes for looking: that they can be drawn. Nothing of them comes into the model.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "body/mesh.h"
#include "model/build_bodies.h"
#include "model/check.h"

namespace trammel::model {

namespace {

/// The faults of one shape, as sentences about "it".
void check(Draft& d, const Shape& s, const std::string& path, const std::string& whose) {
  const auto say = [&](const std::string& key, const std::string& text) {
    if (!text.empty()) d.complain(path + key, whose + ": " + text);
  };
  if (!s.mesh) say("." + std::string(body::name_of(s.solid)), wrong_solid(s.solid));
  say(".position", wrong_position(s.X_BS.p));
  say(".orientation", wrong_axes(s.X_BS.R));
  if (!s.color.empty()) say(".color", wrong_color(s.color));
  if (!s.mesh) return;
  for (const Vec3& p : s.mesh->vertices)
    if (!p.allFinite()) return say("", "a corner of its mesh is not finite");
  for (const body::MeshFault& fault : body::surface_faults(*s.mesh))
    return say("", (fault.face < 0 ? "" : fmt::format("face {} ", fault.face)) + fault.text);
}

std::string path_of(const Shape& s, const std::string& owner, std::size_t i) {
  return s.path.empty() ? fmt::format("{}[{}]", owner, i) : s.path;
}

/// Those of a body or of an object of a pool.
void check_all(Draft& d, const std::vector<Shape>& shapes, const std::string& color,
               const std::string& name, const std::string& path) {
  const std::string whose = fmt::format("body '{}'", name);
  if (std::string text = color.empty() ? "" : wrong_color(color); !text.empty())
    d.complain(path + ".color", whose + ": " + text);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    check(d, shapes[i], path_of(shapes[i], path + ".shape", i), whose);
}

}  // namespace

void Draft::check_shapes(const std::vector<BodySpec>& bodies, const std::vector<PoolSpec>& pools,
                         const std::vector<Shape>& scenery) {
  for (const BodySpec& b : bodies) check_all(*this, b.shapes, b.color, b.name, b.path);
  for (const PoolSpec& pool : pools)
    for (std::size_t i = 0; i < std::min(pool.outlines.size(), pool.objects.size()); ++i) {
      const Outline& o = pool.outlines[i];
      check_all(*this, o.shapes, o.color, pool.objects[i], o.path);
    }
  for (std::size_t i = 0; i < scenery.size(); ++i)
    check(*this, scenery[i], path_of(scenery[i], "scenery", i), "scenery");
}

}  // namespace trammel::model
