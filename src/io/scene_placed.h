#pragma once

#include <map>
#include <string>

#include "io/scene_scope.h"
#include "io/scene_walk.h"
#include "model/builder.h"

/// Elements of parts: written as if the part stood in the world, moved to where it stands. All that
/// an element says goes with it, the axes of its loads too; gravity does not.
namespace trammel::io {

using StartPoses =
    std::map<std::string, Pose, std::less<>>;  // X_WB of bodies that are not on tracks

void place(const Element& element, model::BodySpec& body, Findings& findings);
void place(const Element& element, model::LoadSpec& load);
/// `poses`: of the bodies, for frames on one that is ground in the part.
void place(const Element& element, const StartPoses& poses, model::JointSpec& joint,
           Findings& findings);

}  // namespace trammel::io
