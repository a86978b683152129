#pragma once

namespace trammel::geom {

/// How far a list may go on beyond the length [m] that it is for: sources do, but what follows
/// there is left out.
inline double most_beyond(double length) { return 1 + 0.01 * length; }  // [m]

}  // namespace trammel::geom
