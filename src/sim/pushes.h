#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/builder.h"
#include "model/handles.h"

namespace trammel::sim {

/// Forces and torques that a program gives, six numbers a body: a force at the centre of mass [N],
/// a torque [N m], world axes.
using Pushes = std::shared_ptr<std::vector<double>>;

/// The mechanism with two loads more for each of these bodies, `push.BODY.force` and
/// `push.BODY.torque`, which are what `pushes` says at any time; they have accounts and results as
/// other loads. Throws std::invalid_argument: a handle that is null or foreign, a body named twice,
/// a mechanism with transient joints.
model::Built with_pushes(const model::Built& built, std::span<const model::BodyHandle> bodies,
                         const Pushes& pushes);

}  // namespace trammel::sim
