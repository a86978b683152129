#include "io/scene_shapes.h"

#include <fmt/format.h>

#include <cmath>

#include "body/mesh.h"
#include "io/scene_specs.h"

namespace trammel::io {

namespace {

using SolidKind = model::Solid::Kind;

model::Solid round_solid(SolidKind kind, const Value& s, const char* third) {
  return {
      kind, {s["radius"].number, s["length"].number, third ? s[third].number : 0}, s["axis"].vec()};
}

PlacedSolid rod(const Value& s) {
  const Vec3 from = s.items[0].vec(), to = s.items[1].vec();
  PlacedSolid out{{SolidKind::rod, {(to - from).norm(), 0, 0}, to - from}, {}};
  out.X_BS.p = (from + to) / 2;
  return out;
}

}  // namespace

PlacedSolid solid_of(const Value& v, Findings& findings) {
  const std::string& shape = v.table->tag;
  const Value& s = v[shape];
  if (shape == "rod") return rod(s);
  PlacedSolid out;
  if (shape == "point") {
    out.solid.kind = SolidKind::point;
    out.X_BS.p = s.vec();
    return out;
  }
  if (shape == "box") out.solid = {SolidKind::box, s.vec()};
  if (shape == "sphere") out.solid = {SolidKind::sphere, {s.number, 0, 0}};
  if (shape == "cylinder") out.solid = round_solid(SolidKind::cylinder, s, nullptr);
  if (shape == "tube") out.solid = round_solid(SolidKind::tube, s, "bore");
  if (shape == "cone") out.solid = round_solid(SolidKind::cone, s, "top");
  if (shape == "ellipsoid") out.solid = {SolidKind::ellipsoid, s.vec()};
  if (shape == "capsule") out.solid = round_solid(SolidKind::capsule, s, nullptr);
  out.X_BS = {v["position"].vec(), orientation_of(v["orientation"], findings)};
  return out;
}

std::optional<body::Mesh> mesh_of(const Value& v, Findings& findings) {
  body::Mesh mesh;
  for (const Value& x : v["vertices"].items) mesh.vertices.push_back(v["unit"].number * x.vec());
  for (const Value& f : v["faces"].items) {
    std::vector<int>& face = mesh.faces.emplace_back();
    for (const double i : f.numbers) {
      if (i != std::floor(i) || std::abs(i) > 1e9) {
        findings.complain(f.path, fmt::format("{} is no number of a vertex", i));
        return {};
      }
      face.push_back(static_cast<int>(i));
    }
  }
  return mesh;
}

namespace {

using Surface = std::shared_ptr<const body::Mesh>;

Surface from_file(const Value& file, double unit, SceneFiles& files) {
  const Surface known = files.mesh(file.text, file.place, file.path);
  if (!known || unit == 1) return known;
  body::Mesh scaled = *known;
  for (Vec3& x : scaled.vertices) x *= unit;
  return std::make_shared<const body::Mesh>(std::move(scaled));
}

}  // namespace

Surface surface_of(const Value& v, SceneFiles& files, Findings& findings) {
  if (!v.table) return from_file(v, 1, files);
  if (v.has("file")) return from_file(v["file"], v["unit"].number, files);
  auto mesh = mesh_of(v, findings);
  return mesh ? std::make_shared<const body::Mesh>(std::move(*mesh)) : nullptr;
}

std::optional<model::Shape> shape_of(const Value& v, SceneFiles& files, Findings& findings) {
  model::Shape out;
  out.path = v.path;
  out.color = v["color"].text;
  out.text = v["text"].text;
  if (v.table->tag == "mesh") {
    out.mesh = surface_of(v["mesh"], files, findings);
    if (!out.mesh) return {};
    out.X_BS = {v["position"].vec(), orientation_of(v["orientation"], findings)};
    return out;
  }
  const PlacedSolid placed = solid_of(v, findings);
  out.solid = placed.solid;
  out.X_BS = placed.X_BS;
  if (v.has("radius")) {  // of a rod
    out.solid.kind = SolidKind::cylinder;
    out.solid.size = {v["radius"].number, placed.solid.size[0], 0};
  }
  return out;
}

void read_shapes(const Value& v, model::BodySpec& body, SceneFiles& files, Findings& findings) {
  body.color = v["color"].text;
  const Value& list = v["shape"];
  for (const Value& each : list.items)
    if (each.sound && each.table)
      if (auto shape = shape_of(each, files, findings)) body.shapes.push_back(std::move(*shape));
  if (list.given && list.items.empty())
    findings.complain(list.path, "no shapes: a list of at least one is needed");
}

}  // namespace trammel::io
