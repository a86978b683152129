#include "report/scene.h"

#include <exception>

#include "io/overrides.h"
#include "io/scene.h"
#include "math/index.h"
#include "sim/recorder.h"

namespace trammel::report {

namespace {

std::vector<io::Override> overrides_of(const io::Header& header) {
  const auto found = header.attributes.find("overrides");
  return io::overrides_from(found == header.attributes.end() ? "" : found->second);
}

std::vector<Shape> shapes_of(const model::BodySpec& spec) {
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
  for (const sim::SensorSpec& sensor : scene.settings.sensors)
    if (sensor.display) out.displays[sensor.name] = sensor.text;
  const model::Builder& builder = scene.builder;
  for (const model::BodySpec& spec : builder.bodies()) out.shapes[spec.name] = shapes_of(spec);
  const auto built = builder.build();
  const auto* ready = std::get_if<model::Built>(&built);
  if (!ready) {
    out.problem = std::get<std::vector<Problem>>(built).front().text;
    return out;
  }
  for (const model::Joint& joint : ready->model->joints)
    out.freedom[joint.name] = freedom_of(joint);
  out.tracks = lines_of(*ready->model);
  return out;
}

}  // namespace trammel::report
