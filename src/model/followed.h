#pragma once

#include "model/model.h"

/// Coordinates of joints that force functions follow, besides the one that their law is on: "T *
/// sin(3 * (x - b.angle))". They are sources, as those of couplings are; Kinematics has their
/// values and rates, law::Instant takes them to the functions.
namespace trammel::model {

/// Calls f(law) for every law, those of transient joints among them, whose function reads inputs or
/// coordinates.
template <class F>
void for_each_function(Model& m, F&& f) {
  const auto call = [&](LawOnRow& l) {
    if (l.law.function && !l.law.function->live.empty()) f(l);
  };
  for (LawOnRow& l : m.laws) call(l);
  for (TransientType& type : m.transient_types)
    for (LawOnRow& l : type.laws) call(l);
}

/// True for a law whose function follows coordinates of joints.
inline bool follows_coordinates(const law::Law& law) {
  return law.function && law.function->follows();
}

}  // namespace trammel::model
