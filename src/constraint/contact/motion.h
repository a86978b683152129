#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "constraint/contact/points.h"
#include "constraint/contact/surfaces.h"

/// How what has shapes moves in a step: by its unknowns, by itself, or by running around a shape.
namespace trammel::constraint {

/// Room for the motion of an object of a system.
using MotionRoom = std::array<double, 12>;
/// The motion (6 or 12 numbers) of an object that has unknowns, at velocities u of the mechanism: a
/// part of u, or in `room`.
const double* motion_of(const ContactSurfaces& s, int object, const model::KinematicsCache& at,
                        std::span<const double> u, MotionRoom& room);

/// Velocity of the origin and spin of an object at velocities u; what strains does not turn.
struct Twist {
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
};
Twist twist_of(const ContactSurfaces& s, int object, const model::KinematicsCache& at,
               std::span<const double> u);

/// The pose of a shape, and after h, its object going on as it moves.
Pose pose_of(const ContactSurfaces& s, int shape, const model::KinematicsCache& at);
Pose pose_after(double h, const ContactSurfaces& s, int shape, const model::KinematicsCache& at,
                std::span<const double> u);

/// Up to what gap points of each shape count in a step of h with velocities u: twice what they can
/// come nearer, but at least a small part of their size; of each shape.
void margins(double h, const ContactSurfaces& s, const model::KinematicsCache& at,
             std::span<const double> u, std::span<double> out);

/// The rates of B against A at a point that do not follow from unknowns.
Six own_rates(const ContactSurfaces& s, const PointSet& set, std::size_t i,
              const model::KinematicsCache& at);
/// The velocity of B against A at a point of rigid bodies, at velocities u of the mechanism,
/// without those that follow from no unknowns.
Vec3 slip_of_rigid(const ContactSurfaces& s, const contact::Point& p,
                   const model::KinematicsCache& at, std::span<const double> u);

/// Takes for the own rates of points at bodies that move by themselves those with which they go on
/// the mean in a step of h. `shift`: by how much these are others than at its start,
/// empty where none moves. For a set that nobody uses after the step.
void take_mean_motion(double h, const ContactSurfaces& s, const model::KinematicsCache& at,
                      std::span<const double> u, PointSet& set, std::vector<Six>& shift);
/// By how much that mean is another one where a point goes from `before` to `after` while its
/// surfaces are moved from `at` to `end`: a point that goes on is at other places of them.
Vec3 gain_of_motion(double h, const ContactSurfaces& s, const contact::Point& before,
                    const contact::Point& after, const model::KinematicsCache& at,
                    const model::KinematicsCache& end, std::span<const double> u);

/// The point p of rigid boxes or hulls after they have moved from `at` to `end`, whatever they
/// touch with by then: along the normal that has turned with one of them, with that along which it
/// is farther apart; up to a gap of `margin`. Nothing where they share nothing along these. `room`
/// is left without meaning. carry.cpp
std::optional<contact::Point> carried(const ContactSurfaces& s, const contact::Point& p,
                                      const model::KinematicsCache& at,
                                      const model::KinematicsCache& end, double margin,
                                      std::vector<contact::Point>& room);

}  // namespace trammel::constraint
