#pragma once

#include "body/motion_kind.h"
#include "contact/barrier_surface.h"

namespace trammel::contact::barrier {

/// A surface where it is.
struct Placed {
  const Surface* surface;
  body::Transform at;
};

/// True where two surfaces cut, or are not apart by more than `least` [m]: a barrier that starts
/// there would not part them. One wholly within the other does not count.
bool cut(const Placed& a, const Placed& b, double least);

}  // namespace trammel::contact::barrier
