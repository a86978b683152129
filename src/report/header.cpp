#include "report/header.h"

#include <algorithm>
#include <cmath>

#include "body/mesh_triangles.h"

namespace trammel::report {

using io::Json;

void event(Json& out, const io::Event& e) {
  out.begin('{').field("t", e.t).field("kind", e.kind).field("subject", e.subject);
  out.field("text", e.text).field("value", e.value).field("unit", e.unit).end();
}

const io::Constants* table_of(const io::Header& header, std::string_view path) {
  const auto it = std::find_if(header.constants.begin(), header.constants.end(),
                               [&](const io::Constants& c) { return c.path == path; });
  return it == header.constants.end() ? nullptr : &*it;
}

namespace {

constexpr std::size_t kMostEvents = 3000;

std::span<const double> row(const io::Constants& c, std::size_t item) {
  return std::span(c.values).subspan(item * c.columns.size(), c.columns.size());
}

std::string label(const io::Constants& c, const char* name, std::size_t item) {
  const auto it = c.labels.find(name);
  return it == c.labels.end() ? "" : it->second[item];
}

template <class Numbers>
void numbers(Json& out, const char* name, const Numbers& values) {
  out.key(name).begin('[');
  for (const double x : values) out.value(x);
  out.end();
}

void pose(Json& out, const char* name, const Pose& X) {
  const Quat q(X.R);
  numbers(out, name, std::array{X.p.x(), X.p.y(), X.p.z(), q.w(), q.x(), q.y(), q.z()});
}

/// Corners of triangles, three and three numbers.
std::vector<float> triangles(const body::Mesh& mesh) {
  std::vector<float> out;
  const auto put = [&](int corner) {
    const Vec3& p = mesh.vertices[static_cast<std::size_t>(corner)];
    for (const double x : {p.x(), p.y(), p.z()}) out.push_back(static_cast<float>(x));
  };
  for (const std::vector<int>& face : mesh.faces)
    for (const std::array<int, 3>& t : body::triangles_of(mesh, face))
      for (const int corner : t) put(corner);
  return out;
}

void shape(Json& out, const Shape& s, Arrays& arrays) {
  out.begin('{');
  pose(out, "pose", s.X_BS);
  if (s.mesh) {
    out.field("kind", "mesh").field("triangles", arrays.add(triangles(*s.mesh)));
  } else {
    out.field("kind", body::name_of(s.solid));
    numbers(out, "size", s.solid.size);
    numbers(out, "axis", s.solid.axis);
    out.field("hole", s.hole);
  }
  if (!s.color.empty()) out.field("color", s.color);
  if (!s.text.empty()) out.field("text", s.text);
  out.end();
}

void bodies(Json& out, const io::Header& header, const Shown& scene, Arrays& arrays) {
  out.key("bodies").begin('[');
  if (const io::Constants* c = table_of(header, "/model/bodies"))
    for (std::size_t i = 0; i < c->items.size(); ++i) {
      const auto r = row(*c, i);
      out.begin('{').field("name", c->items[i]).field("kind", label(*c, "kind", i));
      out.field("mass", r[0]);
      numbers(out, "com", r.subspan(1, 3));
      numbers(out, "inertia", r.subspan(4, 6));
      if (const auto it = scene.colors.find(c->items[i]); it != scene.colors.end())
        out.field("color", it->second);
      if (scene.hidden.contains(c->items[i])) out.field("hidden", true);
      out.key("shapes").begin('[');
      if (const auto it = scene.shapes.find(c->items[i]); it != scene.shapes.end())
        for (const Shape& s : it->second) shape(out, s, arrays);
      out.end().end();
    }
  out.end();
}

void scenery(Json& out, const Shown& scene, Arrays& arrays) {
  out.key("scenery").begin('[');
  for (const Shape& s : scene.scenery) shape(out, s, arrays);
  out.end();
}

void joints(Json& out, const io::Header& header, const Shown& scene) {
  out.key("joints").begin('[');
  if (const io::Constants* c = table_of(header, "/model/joints"))
    for (std::size_t i = 0; i < c->items.size(); ++i) {
      const auto r = row(*c, i);
      out.begin('{').field("name", c->items[i]);
      for (const char* text : {"type", "a", "b", "track"}) out.field(text, label(*c, text, i));
      numbers(out, "frame_a", r.subspan(0, 7));
      numbers(out, "frame_b", r.subspan(7, 7));
      out.key("free").begin('[');
      if (const auto it = scene.freedom.find(c->items[i]); it != scene.freedom.end())
        for (const Freedom& f : it->second)
          out.begin('{').field("name", f.name).field("row", f.row).field("unit", f.unit).end();
      out.end().end();
    }
  out.end();
}

void texts(Json& out, const io::Header& header, const char* name, const char* path,
           std::initializer_list<const char*> labels) {
  out.key(name).begin('[');
  if (const io::Constants* c = table_of(header, path))
    for (std::size_t i = 0; i < c->items.size(); ++i) {
      out.begin('{').field("name", c->items[i]);
      for (const char* text : labels) out.field(text, label(*c, text, i));
      out.end();
    }
  out.end();
}

void tracks(Json& out, const Shown& scene, Arrays& arrays) {
  out.key("tracks").begin('[');
  for (const Line& line : scene.tracks) {
    out.begin('{').field("name", line.name).field("body", line.body).field("closed", line.closed);
    pose(out, "pose", line.X_BT);
    out.field("points", arrays.add(line.points)).end();
  }
  out.end();
}

void series(Json& out, const Content& content, const Selection& selection) {
  out.field("time", 0).key("series").begin('[');
  std::size_t array = 0;
  for (const std::size_t i : selection.series) {
    const io::Series& s = content.series[i];
    out.begin('{').field("path", s.path).field("quantity", s.quantity).field("items", s.items);
    out.field("columns", s.columns).field("units", s.units).field("values", ++array).end();
  }
  out.end();
  if (selection.rows > 0)
    out.key("contacts")
        .begin('{')
        .field("most", selection.rows)
        .field("columns", std::vector<std::string>(kShownColumns.begin(), kShownColumns.end()))
        .field("values", ++array)
        .end();
}

/// Warnings and failures are all kept, others up to a number.
void events(Json& out, const Content& content) {
  out.key("events").begin('[');
  std::size_t others = 0;
  for (const io::Event& e : content.events) {
    const bool grave = e.kind == "warning" || e.kind == "failure";
    if (!grave && ++others > kMostEvents) continue;
    event(out, e);
  }
  out.end().field("events_left_out", others > kMostEvents ? others - kMostEvents : 0);
}

/// The sensors that are shown large, with the units that results give them.
void displays(Json& out, const Content& content, const Shown& scene) {
  out.key("displays").begin('[');
  for (const io::Series& s : content.series) {
    if (s.path != "/sensors/value") continue;
    for (std::size_t i = 0; i < s.items.size(); ++i)
      if (const auto it = scene.displays.find(s.items[i]); it != scene.displays.end())
        out.begin('{')
            .field("name", it->first)
            .field("unit", s.unit(i, 0))
            .field("text", it->second)
            .end();
  }
  out.end();
}

/// The plots that the scene's author asks for.
void plots(Json& out, const Shown& scene) {
  out.key("plots").begin('[');
  for (const sim::PlotSpec& plot : scene.plots)
    out.begin('{')
        .field("name", plot.name)
        .field("title", plot.title)
        .field("x", plot.x)
        .field("y", plot.y)
        .end();
  out.end();
}

void thinning(Json& out, const Content& content, const Selection& selection,
              const Options& options) {
  out.key("thinning").begin('{').field("every", selection.every);
  out.field("frames_of_run", content.frames).field("most_bytes", options.most_bytes);
  out.key("left_out").begin('[');
  for (const std::size_t i : selection.left_out) out.value(content.series[i].path);
  out.end().end();
}

void head(Json& out, const Content& content, const Shown& scene, const Options& options) {
  const io::Header& h = content.header;
  out.field("format", "trammel-report").field("version", 1);
  for (const char* name : {"name", "title", "overrides"}) {
    const auto it = h.attributes.find(name);
    out.field(name, it == h.attributes.end() ? "" : it->second);
  }
  out.field("formulation", h.formulation).field("trammel", h.version);
  out.field("scene_path", h.scene_path).field("scene_text", h.scene_text);
  out.field("ending", io::name_of(content.ending));
  out.field("finished", io::finished_text(content.ending));
  out.field("summary", options.summary).field("no_shapes", scene.problem);
  out.key("verify").json(options.verify.empty() ? "null" : options.verify);
  const io::Constants* gravity = table_of(h, "/model/gravity");
  numbers(out, "gravity", gravity ? gravity->values : std::vector<double>{0, 0, 0});
}

}  // namespace

Content content_of(const io::ResultsReader& results) {
  return {results.header(), results.series(), results.events(), results.ending(), results.frames()};
}

std::string header(const Content& content, const Shown& scene, const Selection& selection,
                   const Options& options, Arrays& arrays) {
  Json out;
  out.begin('{');
  head(out, content, scene, options);
  bodies(out, content.header, scene, arrays);
  scenery(out, scene, arrays);
  joints(out, content.header, scene);
  texts(out, content.header, "laws", "/model/laws", {"type", "joint", "coordinate"});
  texts(out, content.header, "loads", "/model/loads", {"body"});
  tracks(out, scene, arrays);
  series(out, content, selection);
  events(out, content);
  thinning(out, content, selection, options);
  displays(out, content, scene);
  plots(out, scene);
  if (!content.live.empty()) out.key("live").json(content.live);
  out.key("arrays").begin('[');
  for (const ArrayPlace& p : arrays.places())
    out.begin('{').field("offset", p.offset).field("count", p.count).field("bytes", p.bytes).end();
  return out.end().end().text();
}

}  // namespace trammel::report
