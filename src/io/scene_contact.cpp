#include "io/scene_contact.h"

#include <fmt/format.h>

#include "io/scene_heights.h"
#include "io/scene_shapes.h"
#include "io/scene_specs.h"
#include "math/rotation.h"

namespace trammel::io {

namespace {

using Kind = model::ContactSpec::Kind;

}  // namespace

std::optional<model::ContactSpec> touching_shape(const Value& v, SceneFiles& files,
                                                 Findings& findings) {
  model::ContactSpec out;
  const std::string& shape = v.table->tag;
  out.path = v.path;
  out.name = v["name"].text;
  out.material = v["material"].text;
  if (shape == "half_space" || shape == "plane") {
    out.kind = shape == "plane" ? Kind::plane : Kind::half_space;
    out.X_BS = {v["position"].vec(), rotation_from_z(v[shape].vec())};
    // its belt runs along axes around it
    out.surface_velocity = out.X_BS.R.transpose() * v["surface_velocity"].vec();
    return out;
  }
  out.surface_velocity = v["surface_velocity"].vec();
  if (shape == "hull" || shape == "mesh") {
    out.kind = shape == "hull" ? Kind::hull : Kind::mesh;
    out.mesh = surface_of(v[shape], files, findings);
    if (!out.mesh) return {};
    if (shape == "mesh") out.accuracy = v["accuracy"].number;
    out.X_BS = {v["position"].vec(), orientation_of(v["orientation"], findings)};
    return out;
  }
  if (shape == "heights") {
    out.kind = Kind::heights;
    out.heights = heights_of(v[shape], files, findings);
    if (!out.heights) return {};
    out.X_BS = {v["position"].vec(), orientation_of(v["orientation"], findings)};
    return out;
  }
  const PlacedSolid placed = solid_of(v, findings);
  out.solid = placed.solid;
  out.X_BS = placed.X_BS;
  return out;
}

void read_touching(const Value& v, model::BodySpec& body, SceneFiles& files, Findings& findings) {
  body.material = v["material"].text;
  const Value& contact = v["contact"];
  body.solids_touch = contact.text == "solids";
  for (const Value& each : contact.items)
    if (each.sound && each.table)
      if (auto shape = touching_shape(each, files, findings))
        body.contacts.push_back(std::move(*shape));
  if (contact.given && contact.text.empty() && contact.items.empty())
    findings.complain(contact.path, "no shapes: a list of at least one is needed, or \"solids\"");
  const Value& electric = v["electric"];
  if (!electric.given) return;
  body.electric.emplace();
  for (const Value& color : electric.items) body.electric->push_back(color.text);
}

model::ContactLawSpec contact_law(const Value& v) {
  model::ContactLawSpec out;
  out.name = v["name"].text;
  out.path = v.path;
  for (std::size_t i = 0; i < 2 && i < v["between"].items.size(); ++i)
    out.between[i] = v["between"].items[i].text;
  out.law.friction = v["friction"].number;
  out.law.restitution = v["restitution"].number;
  out.law.poisson = v["restitution_law"].text == "poisson";
  out.law.rolling = v["rolling_friction"].number;
  out.law.spinning = v["spinning_friction"].number;
  out.law.cohesion = v["cohesion"].number;
  return out;
}

}  // namespace trammel::io
