#pragma once

#include <optional>

#include "io/scene_walk.h"
#include "model/builder.h"
#include "sim/settings.h"

/// From what was read to what the builder and the run take.
namespace trammel::io {

class SceneFiles;

model::BodySpec body_spec(const Value& v, SceneFiles& files, Findings& findings);
/// The masses, solids and looks of an object of a system.
model::BodySpec weight_spec(const Value& v, SceneFiles& files, Findings& findings);
model::JointSpec joint_spec(const Value& v, const JointTables& tables, Findings& findings);
std::optional<model::CouplingSpec> coupling_spec(const Value& v, const JointTables& tables,
                                                 Findings& findings);
/// The joint of a law that is between two points.
std::optional<model::JointSpec> ends_spec(const Value& v);
std::pair<model::JointSpec, model::Bushing> bushing_spec(const Value& v, Findings& findings);
model::LawSpec law_spec(const Value& v);
model::LoadSpec load_spec(const Value& v);
std::optional<model::TrackSpec> track_spec(const Value& v, Findings& findings);
void read_simulation(const Value& v, const JointTables& tables, Findings& findings,
                     model::Builder& builder, sim::Settings& settings);
/// "joint.coordinate", or a joint.
model::CoordinateSpec coordinate_of(const Value& v, const JointTables& tables);

/// The axes that `axis` and `normal`, or `orientation`, of a table say.
Mat3 frame_axes(const Value& v, Findings& findings);
/// R_WB of an orientation, the unit matrix where none is given.
Mat3 orientation_of(const Value& v, Findings& findings);
Drive drive_of(const Value& v);

}  // namespace trammel::io
