#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "contact/hull.h"
#include "contact/solid_distance.h"

namespace trammel::contact {

/// n.x = d; what is in front of it has n.x > d.
struct CutPlane {
  Vec3 n = Vec3::UnitZ();
  double d = 0;
};

/// The part of a solid within a convex cell. The solid is never capped: corners of its convex hull
/// are corners of its surface cut by the cell, and those corners of the cell that lie in the solid.
struct SolidPart {
  std::vector<std::vector<Vec3>> surface;  // convex polygons of the mesh, within the cell
  std::vector<Vec3> normals;               // of these polygons
  std::vector<std::vector<Vec3>> cell;     // faces of the cell
};

/// All of a closed mesh, in a box wider than it.
SolidPart whole_solid(const Trimesh& mesh);
/// The parts behind the plane and in front of it. What is nearer to it than `rounding` [m] lies in
/// it; a polygon in it belongs to the part that it bounds.
std::array<SolidPart, 2> cut(const SolidPart& part, const CutPlane& plane, double rounding);
/// Corners of the part's convex hull, and more points of it. Those of the cell count that lie in
/// the solid by more than `rounding`.
std::vector<Vec3> points_of(const SolidPart& part, const SolidDistance& distance, double rounding);
/// The convex hull of points with what cutting makes of them: those nearer to each other than
/// `rounding` [m] are one. Null: they lie in a plane, to rounding, or no hull could be found that
/// holds all of them.
std::shared_ptr<const Hull> hull_of_part(std::vector<Vec3> points, double rounding);
/// Whether points lie in a plane, or are nearer to one than `rounding` [m].
bool lie_in_a_plane(const std::vector<Vec3>& points, double rounding);
/// Returns true where no corner of the hull stands out of a polygon of the surface by more than
/// `rounding`: the part is its own convex hull.
bool is_convex(const SolidPart& part, const Hull& hull, double rounding);

/// What is between two parallel planes or less, or has no extent: volume [m^3].
double volume_of(const Hull& hull);
/// A place of the hull that is farther from the solid than `error` [m], or that could not be told
/// to be nearer. Nothing: all of the hull is as near as that.
std::optional<Vec3> find_gap(const Hull& hull, const SolidDistance& distance, double error);

}  // namespace trammel::contact
