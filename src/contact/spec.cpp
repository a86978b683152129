#include "contact/spec.h"

#include <fmt/core.h>

#include "body/wrong.h"
#include "contact/hull.h"
#include "contact/trimesh.h"
#include "math/index.h"
#include "math/rotation.h"

namespace trammel::contact {

namespace {

using Kind = Spec::Kind;

constexpr double kLeastAccuracy = 1e-3;  // of hulls: what is finer takes minutes to find

std::string wrong_heights(const Spec& s, bool stands) {
  if (!stands) return "heights have no lower end: they are an obstacle, or on a prescribed body";
  if (!s.heights) return "there are no heights";
  const Heights& h = *s.heights;
  const std::string fault = grid_of(h.nx, h.ny, h.dx, h.dy, h.z).fault;
  return fault.empty() ? "" : "its grid of heights " + fault;
}

std::string wrong_hull(const body::Mesh& mesh) {
  const std::string fault = hull_of(mesh).fault;
  return fault.empty() ? ""
                       : "its mesh " + fault + "; write `mesh` instead of `hull`, or several hulls";
}

std::string wrong_mesh(const Spec& s) {
  if (!s.mesh || s.mesh->faces.empty()) return "its mesh has no faces";
  for (const Vec3& p : s.mesh->vertices)
    if (!p.allFinite()) return "a corner of its mesh is not finite";
  for (const body::MeshFault& fault : body::faults(*s.mesh))
    return (fault.face < 0 ? "" : fmt::format("face {}: ", fault.face)) + fault.text;
  if (s.kind == Kind::hull) return wrong_hull(*s.mesh);
  if (!(s.accuracy >= kLeastAccuracy && s.accuracy <= 0.5))
    return fmt::format("an accuracy of {:.3g} is not between {} and 0.5 of its size", s.accuracy,
                       kLeastAccuracy);
  const std::string fault = trimesh_of(*s.mesh).fault;
  return fault.empty() ? "" : "its mesh " + fault;
}

}  // namespace

std::optional<Shape::Kind> kind_of(const body::Solid& solid) {
  using To = Shape::Kind;
  switch (solid.kind) {
    case body::Solid::Kind::box:
      return To::box;
    case body::Solid::Kind::sphere:
      return To::sphere;
    case body::Solid::Kind::cylinder:
      return To::cylinder;
    case body::Solid::Kind::cone:
      return To::cone;
    case body::Solid::Kind::capsule:
      return To::capsule;
    case body::Solid::Kind::ellipsoid:
      return To::ellipsoid;
    case body::Solid::Kind::tube:
    case body::Solid::Kind::rod:
    case body::Solid::Kind::point:
      break;
  }
  return {};
}

std::string no_shape(const body::Solid& solid) {
  const auto name = body::name_of(solid);
  return solid.kind == body::Solid::Kind::tube
             ? "a tube is hollow, and no contact shape"
             : fmt::format("a {} has no thickness, and is no contact shape", name);
}

std::string wrong(const Spec& s, bool stands) {
  switch (s.kind) {
    case Kind::solid:
      return kind_of(s.solid) ? body::wrong_solid(s.solid) : no_shape(s.solid);
    case Kind::half_space:
    case Kind::plane:
      if (stands) return "";
      return fmt::format("a {} has no end: it is an obstacle, or on a prescribed body",
                         s.kind == Kind::plane ? "plane" : "half-space");
    case Kind::heights:
      return wrong_heights(s, stands);
    case Kind::hull:
    case Kind::mesh:
      break;
  }
  return wrong_mesh(s);
}

Shape shape_of(const Spec& s) {
  using To = Shape::Kind;
  Shape out;
  switch (s.kind) {
    case Kind::solid:
      out.kind = *kind_of(s.solid);
      out.size = s.solid.size;
      break;
    case Kind::half_space:
      out.kind = To::half_space;
      break;
    case Kind::plane:
      out.kind = To::plane;
      break;
    case Kind::hull:
      out.kind = To::hull;
      out.hull = hull_of(*s.mesh).hull;
      break;
    case Kind::mesh:
      out.kind = To::mesh;
      out.mesh = trimesh_of(*s.mesh).mesh;
      break;
    case Kind::heights:
      out.kind = To::grid;
      out.grid =
          grid_of(s.heights->nx, s.heights->ny, s.heights->dx, s.heights->dy, s.heights->z).grid;
      break;
  }
  return out;
}

body::Look look_of(const Spec& s, double wide) {
  if (s.kind == Kind::hull || s.kind == Kind::mesh) return {{}, s.X_BS, s.mesh};
  if (s.kind == Kind::heights)
    return {{}, s.X_BS, std::make_shared<const body::Mesh>(s.heights->surface())};
  if (s.kind == Kind::solid) return {s.solid, s.X_BS, {}};
  const double thick = wide / 400;
  body::Look out{{body::Solid::Kind::box, {wide, wide, thick}}, s.X_BS, {}};
  out.X.p -= thick / 2 * s.X_BS.R.col(2);
  return out;
}

Mat3 to_axis(const Spec& s) {
  if (s.kind != Kind::solid || !body::has_axis(s.solid)) return Mat3::Identity();
  return rotation_from_z(s.solid.axis);
}

body::Mesh Heights::surface() const {
  body::Mesh out;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      out.vertices.emplace_back(i * dx, j * dy, z[at(i * ny + j)]);
      if (i + 1 == nx || j + 1 == ny) continue;
      const int a = i * ny + j, b = a + ny;
      out.faces.push_back({a, b, b + 1});
      out.faces.push_back({a, b + 1, a + 1});
    }
  return out;
}

}  // namespace trammel::contact
