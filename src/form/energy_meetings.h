#pragma once

#include "form/energy_contact.h"
#include "form/report.h"

namespace trammel::form::energy {

/// Tells of bodies that have come within the barrier's distance of each other in a step to t,
/// faster than `slow` [m/s]. start: with rates, when it began.
void report_meetings(const Mechanism& m, const Contact& c, const model::KinematicsCache& start,
                     double t, double slow, StepReport& report);

}  // namespace trammel::form::energy
