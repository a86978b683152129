#pragma once

#include "constraint/contact.h"
#include "form/energy_contact.h"

namespace trammel::form::energy {

/// The points where surfaces push each other, with the forces of barrier and friction at the end of
/// a step: pairs of primitives that are closest at the same corners, edges or faces are one. The
/// point is midway. After take_close(); sorted by surfaces and feature.
std::vector<constraint::ContactForce> contact_points(const Mechanism& m,
                                                     const std::vector<body::Transform>& T_WO,
                                                     const Contact& c);

}  // namespace trammel::form::energy
