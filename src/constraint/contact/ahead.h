#pragma once

#include <span>
#include <string>
#include <vector>

#include "constraint/contact/find.h"

/// Rows of contact are planes: what is far off may pass beside what the plane stands for. Bodies
/// that would come far in a step are looked at along their ways.
namespace trammel::constraint {

/// What has points farther off than the smallest margins, and would close them in a step of h with
/// velocities u, is looked at along its way, and what is nearer where that may pass: where shapes
/// pass each other their points are taken out, where convex ones meet by another normal they are
/// those with which they do, and where something meets a surface, those about where it does.
/// Returns whether points are others now.
bool look_ahead(double h, const ContactSurfaces& s, const model::KinematicsCache& at,
                std::span<const double> u, PointFinder& finder, PointSet& set);

/// Lets coupled points take no part in stage P whose bodies, with velocities u that joints allow,
/// pass each other in a step of h.
void let_pass(double h, const ContactSurfaces& s, const model::KinematicsCache& at,
              std::span<const double> u, const PointFinder& finder, const PointSet& set,
              std::vector<piles::ContactTargets>& targets);

/// Where shapes stand that have points with surfaces.
struct Side {
  int surface, shape;
  int part;     // of a mesh that stands as its hulls; else 0
  Vec3 middle;  // of the shape or its part, in the axes of the surface
};
/// Two meshes that both stand as their hulls have none.
void sides_of(const ContactSurfaces& s, const model::KinematicsCache& at, const PointSet& set,
              std::vector<Side>& out);
/// Which of them has passed through its surface with its middle, at an instant h later, as a
/// sentence; empty: none.
std::string passed(const ContactSurfaces& s, const std::vector<Side>& sides,
                   const model::KinematicsCache& at, double h);

}  // namespace trammel::constraint
