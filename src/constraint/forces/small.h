#pragma once

/// What is small in contact by forces.
namespace trammel::constraint {

inline constexpr double kNone = 1e-8;  // of the scale of accelerations: none
inline constexpr double kTurn = 1e-9;  // of that scale: a slip begins

}  // namespace trammel::constraint
