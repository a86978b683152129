#pragma once

#include "constraint/barrier/contact.h"
#include "model/kinematics.h"

/// The ways of surfaces in a line search, and how far they are free.
///
/// A body goes as retract() moves it, and a part of a Newton step is a part of its way. An object
/// of a carrier goes on a curve, of which nothing is known but where it is at given coordinates: it
/// takes the chord, the shortest turn with a straight way of its mass centre, from where it is to
/// where a trial is. What a chord leads to without touching can be come to without touching. Each
/// trial has a chord of its own.
namespace trammel::constraint {

/// Without `surfaces` those of what the mechanism says of contact; there may be none.
BarrierContact barrier_of(const model::Model& model, const BarrierNumbers& numbers,
                          std::shared_ptr<const BarrierSurfaces> surfaces);

/// A way from where all is: dq of the unknowns, and the places that objects of carriers come to,
/// all objects'. Nothing: to stay.
struct BarrierWay {
  const double* dq = nullptr;
  const std::vector<body::Transform>* ends = nullptr;  // read where BarrierContact::chords
};
/// Sets out on a way: finds the pairs that may come close on it, and how much of it is free. Needs
/// no free start.
void set_out(const model::Model& model, const std::vector<body::Transform>& T_WO,
             const BarrierWay& way, BarrierContact& c);
/// Finds what is close where all stand, steps of h being made; mass and g: as of set_scales().
void stand(const model::Model& model, const std::vector<body::Transform>& T_WO,
           const std::vector<double>& mass, double g, double h, BarrierContact& c);

/// Returns whether the objects of carriers that have surfaces go along their chords, by where they
/// are half of the way.
bool follow_chords(const model::Model& model, const std::vector<body::Transform>& from,
                   const std::vector<body::Transform>& half, const std::vector<body::Transform>& to,
                   const BarrierContact& c);
/// Sets out anew, from where that was done last, to a trial that is part of the way, at places
/// `ends`. Returns whether all of that is free.
bool reaches(const model::Model& model, const double* dq, const std::vector<body::Transform>& ends,
             BarrierContact& c);
/// Returns by how much dq turns the objects of carriers that have surfaces, at most [rad].
double turn_of_carried(const model::Model& model, const model::KinematicsCache& at,
                       const double* dq, const BarrierContact& c);

/// Tells of bodies that have come within the barrier's distance of each other in a step to t,
/// faster than `slow` [m/s]. start: with rates, when it began.
void tell_meetings(const model::Model& model, const BarrierContact& c,
                   const model::KinematicsCache& start, double t, double slow,
                   std::vector<Event>& out);

}  // namespace trammel::constraint
