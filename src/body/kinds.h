#pragma once

#include <string_view>

#include "body/pool.h"

/// The kinds of bodies that are Trammel's own, and what results by their names can be taken to
/// mean.
namespace trammel::body {

struct Kind {
  std::string_view name;
  /// Its mass and inertia are in the results, and all that moves it; what holds a system's object
  /// to its coordinates is not.
  bool massive = false;
  bool can_strain = false;            // so is its map A
  bool (*is)(const Pool&) = nullptr;  // whether a pool is of this kind; null: it has none
};

/// Null where the name is of a kind of a program's own.
const Kind* find_kind(std::string_view name);
/// Whether the kind's name is one of Trammel's that the pool is not.
bool name_is_taken(const Pool& pool);

/// Names of what is no pool.
inline constexpr std::string_view kGround = "ground", kPrescribed = "prescribed";

}  // namespace trammel::body
