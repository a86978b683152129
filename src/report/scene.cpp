#include "report/scene.h"

#include <algorithm>
#include <exception>

#include "io/overrides.h"
#include "io/scene.h"
#include "math/index.h"
#include "model/system.h"
#include "sim/recorder.h"

namespace trammel::report {

namespace {

std::vector<io::Override> overrides_of(const io::Header& header) {
  const auto found = header.attributes.find("overrides");
  return io::overrides_from(found == header.attributes.end() ? "" : found->second);
}

/// A shape for looking, in its own colour or in that of its body.
Shape look_of(const model::Shape& s, const std::string& color) {
  const std::string own = model::hex_of(s.color);
  return {s.solid, s.X_BS, false, s.mesh, own.empty() ? color : own, s.text};
}

std::vector<Shape> solids_of(const model::BodySpec& spec) {
  if (spec.surface) return {{{}, {}, false, spec.surface}};
  std::vector<Shape> out;
  if (spec.solid) {  // its centre of mass, which of a cone is not its middle, is the body's
    Pose X;
    X.p = spec.com - body::moments(*spec.solid, 1).com();
    out.push_back({*spec.solid, X, false, {}});
  }
  for (const model::SolidPart& part : spec.solids)
    out.push_back({part.solid, part.X_BS, part.hole, {}});
  return out;
}

Shape shape_of(const body::Look& look) { return {look.solid, look.X, false, look.mesh}; }

/// Four times as far as bodies are from the world's origin at the start.
double width_of(const model::Builder& builder) {
  double far = 0.25;
  for (const model::BodySpec& b : builder.bodies()) far = std::max(far, b.X_WB.p.norm());
  for (const model::PoolSpec& pool : builder.pools())
    for (const Pose& X : pool.start()) far = std::max(far, X.p.norm());
  return 4 * far;
}

/// Shapes for looking if there are any, else the solids, else what touches.
std::vector<Shape> shapes_of(const std::vector<model::Shape>& looks, std::vector<Shape> solids,
                             const std::vector<body::Look>& touching, const std::string& color) {
  std::vector<Shape> out;
  for (const model::Shape& s : looks) out.push_back(look_of(s, color));
  if (!out.empty()) return out;
  out = std::move(solids);
  for (Shape& s : out)
    if (!s.hole) s.color = color;
  if (!out.empty()) return out;
  for (const body::Look& look : touching) {
    out.push_back(shape_of(look));
    out.back().color = color;
  }
  return out;
}

void add_bodies(const model::Builder& builder, double wide, Shown& out) {
  const auto add = [&](const std::string& name, const auto& spec, std::vector<Shape> solids) {
    const std::string color = model::hex_of(spec.color);
    std::vector<body::Look> touching;
    for (const auto& s : spec.contacts) touching.push_back(look_of(s, wide));
    out.shapes[name] = shapes_of(spec.shapes, std::move(solids), touching, color);
    if (!spec.color.empty()) out.colors[name] = color;
  };
  for (const model::BodySpec& spec : builder.bodies()) add(spec.name, spec, solids_of(spec));
  for (const model::PoolSpec& pool : builder.pools())
    for (std::size_t i = 0; i < std::min(pool.outlines.size(), pool.objects.size()); ++i)
      add(pool.objects[i], pool.outlines[i], {});
}

std::vector<Freedom> freedom_of(const model::Joint& joint) {
  std::vector<Freedom> out;
  if (joint.coupling >= 0 || joint.strain()) return out;
  for (const joint::Coordinate& c : joint.table->coordinates)
    out.push_back({c.name, joint::to_text(c.row), std::string(joint::symbol(c.row.unit()))});
  return out;
}

/// The points of a line, ten numbers each.
std::vector<float> points_of(const sim::Constants& line) {
  constexpr std::size_t kKept = 10;
  std::vector<float> out;
  const std::size_t width = line.columns.size();
  for (std::size_t i = 0; i < line.values.size(); i += width)
    for (std::size_t k = 0; k < kKept; ++k) out.push_back(static_cast<float>(line.values[i + k]));
  return out;
}

std::vector<Line> lines_of(const model::Model& m) {
  const std::vector<sim::Constants> lines = sim::track_lines(m);
  std::vector<Line> out;
  for (const model::LaidTrack& laid : m.laid) {
    const model::Object& carrier = m.objects[at(laid.object)];
    Pose X = laid.X_OT;
    X.p += carrier.com;
    const model::Track& track = m.tracks[at(laid.track)];
    out.push_back(
        {track.name, carrier.name, X, track.track->closed(), points_of(lines[at(laid.track)])});
  }
  return out;
}

}  // namespace

Shown shown(const io::Header& header) {
  Shown out;
  const auto parsed = io::parse_scene(header.scene_text, header.scene_path, overrides_of(header));
  if (const auto* problems = std::get_if<io::SceneProblems>(&parsed)) {
    out.problem = problems->empty() ? "the scene cannot be read" : to_text(problems->front());
    return out;
  }
  const io::Scene& scene = std::get<io::Scene>(parsed);
  out.step = scene.settings.step;
  out.duration = scene.settings.duration;
  out.plots = scene.settings.plots;
  for (const sim::SensorSpec& sensor : scene.settings.sensors)
    if (sensor.display) out.displays[sensor.name] = sensor.text;
  const model::Builder& builder = scene.builder;
  const double wide = width_of(builder);
  add_bodies(builder, wide, out);
  for (const model::Shape& s : builder.scenery()) out.scenery.push_back(look_of(s, ""));
  for (const auto& s : builder.obstacles()) {
    out.scenery.push_back(shape_of(look_of(s, wide)));
    out.scenery.back().text = s.name.empty() ? "obstacle" : s.name;
  }
  const auto built = builder.build();
  const auto* ready = std::get_if<model::Built>(&built);
  if (!ready) {
    out.problem = std::get<std::vector<Problem>>(built).front().text;
    return out;
  }
  for (const model::Object& o : ready->model->objects)
    if (model::is_dial(*ready->model, o)) out.hidden.insert(o.name);
  for (const model::Joint& joint : ready->model->joints)
    out.freedom[joint.name] = freedom_of(joint);
  out.tracks = lines_of(*ready->model);
  return out;
}

}  // namespace trammel::report
