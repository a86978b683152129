#pragma once

#include "math/signal.h"

namespace trammel {

/// The same motion as a displacement, where a drive's velocity or acceleration is a function of
/// time: integrated to rounding, from switch to switch. Other drives are returned as they are.
Drive integrated(const Drive& drive);

}  // namespace trammel
