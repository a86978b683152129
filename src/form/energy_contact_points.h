#pragma once

#include "constraint/contact/step.h"
#include "form/energy_contact.h"
#include "form/report.h"

namespace trammel::form::energy {

/// The points where surfaces push each other, with the forces of barrier and friction at the end of
/// a step: pairs of primitives that are closest at the same corners, edges or faces are one. The
/// point is midway. After take_close(); sorted by surfaces and feature.
std::vector<constraint::ContactForce> contact_points(const Mechanism& m,
                                                     const std::vector<body::Transform>& T_WO,
                                                     const Contact& c);

/// Tells of bodies that have come within the barrier's distance of each other in a step to t,
/// faster than `slow` [m/s]. start: with rates, when it began.
void report_meetings(const Mechanism& m, const Contact& c, const model::KinematicsCache& start,
                     double t, double slow, StepReport& report);

}  // namespace trammel::form::energy
