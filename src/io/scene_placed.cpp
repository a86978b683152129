#include "io/scene_placed.h"

#include <fmt/format.h>

namespace trammel::io {

namespace {

constexpr const char* kTracked =
    "is on a track, which says where it is: the part around it has no position or orientation";

}  // namespace

void place(const Element& element, model::BodySpec& body, Findings& findings) {
  const Scope& scope = *element.scope;
  if (!scope.placed) return;
  if (body.on_track) findings.complain(element.path + ".on_track", kTracked);
  body.X_WB = scope.X_WS * body.X_WB;
  body.v = scope.X_WS.R * body.v;
  body.w = scope.X_WS.R * body.w;
  if (!body.motion) return;
  body.motion->X_WB0 = body.X_WB;
  body.motion->R_WD = scope.X_WS.R;
  for (body::Prescribed::Turn& turn : body.motion->turns) turn.axis = scope.X_WS.R * turn.axis;
}

void place(const Element& element, model::LoadSpec& load) {
  if (load.axes == law::Axes::world || law::find_load_type(load.type)->takes_functions)
    load.R_WL = element.scope->X_WS.R;
  load.p_WL = element.scope->X_WS.p;
}

void place(const Element& element, const StartPoses& poses, model::JointSpec& joint,
           Findings& findings) {
  const Scope& scope = *element.scope;
  if (scope.placed && !joint.track.empty()) findings.complain(element.path + ".track", kTracked);
  if (joint.at) joint.at = scope.X_WS * *joint.at;
  if (joint.R_WF) joint.R_WF = scope.X_WS.R * *joint.R_WF;
  for (std::optional<Vec3>* p : {&joint.p_WA, &joint.p_WB})
    if (*p) **p = scope.X_WS.p + scope.X_WS.R * **p;
  const Layers said(*element.table, *element.family, scope);
  const auto on_ground = [&](const char* key) {
    const std::string body = said.text(key);
    return body.empty() || body == "ground";
  };
  for (const auto& [key, frame, body] :
       {std::tuple("a", &joint.frame_a, &joint.a), std::tuple("b", &joint.frame_b, &joint.b)}) {
    if (!*frame || !on_ground(key)) continue;
    Pose X_WB;  // of the body that is ground here
    if (*body != "ground") {
      const auto it = poses.find(*body);
      if (it == poses.end()) {
        findings.complain(element.path,
                          fmt::format("where '{}' is, which is ground here, is not known before it "
                                      "is on its track: use 'at'",
                                      *body));
        continue;
      }
      X_WB = it->second;
    }
    **frame = inverse(X_WB) * scope.X_WS * **frame;
  }
}

}  // namespace trammel::io
