#pragma once

#include "body/motion_kind.h"
#include "contact/barrier_surface.h"

namespace trammel::contact::barrier {

/// A surface where it is.
struct Placed {
  const Surface* surface;
  body::Transform at;
};

/// True where two surfaces cut, or are not apart by more than `least` [m], or where one is wholly
/// within what the other encloses: a barrier that starts there would not part them.
bool cut(const Placed& a, const Placed& b, double least);

}  // namespace trammel::contact::barrier
