#pragma once

/// What is small in contact by forces.
namespace trammel::constraint {

inline constexpr double kNone = 1e-8;  // of the scale of accelerations: none
// Of the fastest: the rate at which slips that may jam are pressed on.
inline constexpr double kPresses = 1e-9;
inline constexpr double kTurn = 1e-9;  // of that scale: a slip begins

}  // namespace trammel::constraint
