#pragma once

#include "constraint/barrier/way.h"
#include "form/energy_contact.h"

namespace trammel::form::energy {

using Way = constraint::BarrierWay;

/// Computes where `dq` from the coordinates q, which have all at T_WO, takes the objects of
/// carriers. Returns false where one of them that has surfaces is nowhere there, or goes another
/// way than its chord (constraint/barrier/way.h): the way is too long.
bool chord_ends(const Mechanism& m, const std::vector<body::Transform>& T_WO, const double* q,
                const double* dq, const Contact& c, std::vector<body::Transform>& ends);

}  // namespace trammel::form::energy
