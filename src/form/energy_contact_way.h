#pragma once

#include "form/energy_contact.h"

/// The ways of surfaces in a line search of the energy formulation, and how far they are free.
///
/// A body goes as retract() moves it, and a part of a Newton step is a part of its way. An object
/// of a carrier goes on a curve, of which nothing is known but where it is at given coordinates: it
/// takes the chord, the shortest turn with a straight way of its mass centre, from where it is to
/// where a trial is. What a chord leads to without touching can be come to without touching. Each
/// trial has a chord of its own.
namespace trammel::form::energy {

/// A way from where all is: dq of the unknowns, and the places that objects of carriers come to,
/// all objects'. Nothing: to stay.
struct Way {
  const double* dq = nullptr;
  const std::vector<body::Transform>* ends = nullptr;  // read where Contact::chords
};
/// Sets out on a way: finds the pairs that may come close on it, and how much of it is free. Needs
/// no free start.
void set_out(const Mechanism& m, const std::vector<body::Transform>& T_WO, const Way& way,
             Contact& c);

/// Computes where `dq` from the coordinates q, which have all at T_WO, takes the objects of
/// carriers. Returns false where one of them that has surfaces is nowhere there, or goes another
/// way than its chord: the way is too long.
bool chord_ends(const Mechanism& m, const std::vector<body::Transform>& T_WO, const double* q,
                const double* dq, const Contact& c, std::vector<body::Transform>& ends);
/// Sets out anew, from where that was done last, to a trial that is part of the way, at places
/// `ends`. Returns whether all of that is free.
bool reaches(const Mechanism& m, const double* dq, const std::vector<body::Transform>& ends,
             Contact& c);
/// Returns by how much dq turns the objects of carriers that have surfaces, at most [rad].
double turn_of_carried(const Mechanism& m, const model::KinematicsCache& at, const double* dq,
                       const Contact& c);

}  // namespace trammel::form::energy
