#include "io/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>

#include "io/scene_options.h"
#include "io/scene_override.h"
#include "io/scene_specs.h"
#include "io/scene_text.h"
#include "sim/size.h"
#include "units/nearest.h"

namespace trammel::io {

namespace {

/// Names of elements that had problems: what refers to one of them is left out as well, so that a
/// fault is reported once.
using Faulty = std::set<std::string, std::less<>>;

class Reader {
 public:
  Reader(Scene& scene, Findings& findings) : scene_(scene), findings_(findings) {}

  void read(const toml::table& root) {
    const JointTables joints = joint_tables(root);
    Walker walker(findings_, joints);
    const Value v = walker.read_table(root, scene_family(), "");
    if (v.has("name")) scene_.builder.name = v["name"].text;
    scene_.title = v["title"].text;
    const Value none = walker.read_table(
        {}, *scene_family().tables[0].key("simulation")->form.family, "simulation");
    read_simulation(v.has("simulation") ? v["simulation"] : none, findings_, scene_.builder,
                    scene_.settings);
    for (const Value& e : v["track"].items) track(e);
    for (const Value& e : v["body"].items) body(e);
    for (const Value& e : v["joint"].items) joint(e, joints);
    for (const Value& e : v["coupling"].items) coupling(e);
    for (const Value& e : v["law"].items) law(e);
    for (const Value& e : v["load"].items) load(e);
    for (const Value& e : v["probe"].items) probe(e);
    for (const Value& e : v["plot"].items) plot(e);
  }

 private:
  /// Converts an element; false: it had a problem, now or before.
  template <class Convert>
  bool element(const Value& v, Faulty& faulty, Convert convert) {
    const std::size_t before = findings_.problems.size();
    if (v.sound) convert();
    const bool good = v.sound && findings_.problems.size() == before;
    if (!good) faulty.insert(v["name"].text);
    return good;
  }

  void track(const Value& v) {
    std::optional<model::TrackSpec> spec;
    if (element(v, tracks_, [&] { spec = track_spec(v, findings_); }))
      scene_.builder.add_track(std::move(*spec));
  }
  void body(const Value& v) {
    model::BodySpec spec;
    if (!element(v, bodies_, [&] { spec = body_spec(v, findings_); })) return;
    names_.push_back(spec.name);
    if (spec.on_track && tracks_.contains(spec.on_track->track))
      bodies_.insert(spec.name);
    else
      scene_.builder.add_body(std::move(spec));
  }
  void joint(const Value& v, const JointTables& tables) {
    model::JointSpec spec;
    if (!element(v, joints_, [&] { spec = joint_spec(v, tables, findings_); })) return;
    taken(v, "joint");
    if (bodies_.contains(spec.a) || bodies_.contains(spec.b) || tracks_.contains(spec.track))
      joints_.insert(spec.name);
    else
      scene_.builder.add_joint(std::move(spec));
  }
  void coupling(const Value& v) {
    std::optional<model::CouplingSpec> spec;
    if (!element(v, joints_, [&] { spec = coupling_spec(v, findings_); })) return;
    taken(v, "coupling");
    const bool whole = std::none_of(spec->of.begin(), spec->of.end(),
                                    [&](const auto& c) { return joints_.contains(c.joint); });
    if (whole)
      scene_.builder.add_coupling(std::move(*spec));
    else
      joints_.insert(spec->name);
  }
  void law(const Value& v) {
    if (!v.sound || joints_.contains(v["joint"].text)) return;
    taken(v, "law");
    scene_.builder.add_law(law_spec(v));
  }
  void load(const Value& v) {
    if (!v.sound || bodies_.contains(v["body"].text)) return;
    scene_.builder.add_load(load_spec(v));
  }
  void probe(const Value& v) {
    if (!v.sound) return;
    const std::string& body = v["body"].text;
    if (std::find(names_.begin(), names_.end(), body) == names_.end() && !bodies_.contains(body))
      findings_.complain(v["body"].path, fmt::format("there is no body '{}'{}", body,
                                                     units::did_you_mean(body, names_)));
    claim(v, "probe");
    scene_.settings.probes.push_back({v["name"].text, v.path, body, v["point"].vec()});
  }
  void plot(const Value& v) {
    if (!v.sound) return;
    claim(v, "plot");
    sim::PlotSpec spec{v["name"].text, v["title"].text, v.path, v["x"].text, {}};
    for (const Value& y : v["y"].items) spec.y.push_back(y.text);
    if (spec.y.empty()) findings_.complain(v["y"].path, "a plot needs at least one channel");
    scene_.settings.plots.push_back(std::move(spec));
  }
  /// The formulation must have a use for all that an element says.
  void taken(const Value& v, const char* family) {
    check_options(v, family, scene_.settings.form, findings_);
  }
  void claim(const Value& v, const char* what) {
    if (!taken_.insert(std::string(what) + "." + v["name"].text).second)
      findings_.complain(v["name"].path,
                         fmt::format("the name '{}' is taken by another {}", v["name"].text, what));
  }

  Scene& scene_;
  Findings& findings_;
  Faulty tracks_, bodies_, joints_;
  std::vector<std::string> names_;  // of bodies
  std::set<std::string> taken_;
};

void sort_by_place(SceneProblems& problems) {
  std::stable_sort(problems.begin(), problems.end(),
                   [](const SceneProblem& a, const SceneProblem& b) {
                     return std::pair(a.line, a.column) < std::pair(b.line, b.column);
                   });
}

struct Parsed {
  Scene scene;
  SceneProblems problems;
  bool whole = true;  // false: nothing could be read
};

Parsed failure(Scene scene, Place at, std::string text) {
  Parsed out{std::move(scene), {}, false};
  out.problems.push_back({out.scene.file, at.line, at.column, "", std::move(text)});
  return out;
}

/// The format is asked for first: of another one nothing else could be said.
std::optional<TextProblem> other_format(const toml::table& root) {
  const toml::node* format = root.get("format");
  if (!format) return TextProblem{{1, 1}, "'format' is missing: a scene begins with format = 1"};
  if (format->value<std::int64_t>() == 1 && format->is_integer()) return {};
  return TextProblem{place_of(format->source()),
                     fmt::format("found {}, this version reads format = 1", type_name(*format))};
}

Parsed parse(std::string text, std::string file, std::span<const Override> overrides) {
  Scene scene;
  scene.text = std::move(text);
  scene.file = std::move(file);
  if (const auto problem = check_text(scene.text))
    return failure(std::move(scene), problem->place, problem->text);
  toml::table root;
  try {
    root = toml::parse(std::string_view(scene.text));
  } catch (const toml::parse_error& e) {
    return failure(std::move(scene), place_of(e.source()),
                   fmt::format("{} (what follows was not read)", e.description()));
  }
  Findings findings;
  findings.file = scene.file;
  findings.source = scene.text;
  apply(overrides, root, findings);
  if (const auto problem = other_format(root))
    return failure(std::move(scene), problem->place, problem->text);
  Reader(scene, findings).read(root);
  scene.places = std::move(findings.places);
  scene.overridden = std::move(findings.overridden);
  sort_by_place(findings.problems);
  return {std::move(scene), std::move(findings.problems)};
}

std::variant<std::string, SceneProblems> text_of(const std::string& file) {
  const auto fail = [&](std::string text) {
    return SceneProblems{{file, 0, 0, "", std::move(text)}};
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> f(std::fopen(file.c_str(), "rb"),
                                                          std::fclose);
  if (!f) return fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, f.get())) {
    text.append(buffer, n);
    if (text.size() > kMostBytes) break;  // check_text says so
  }
  if (std::ferror(f.get())) return fail(fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

}  // namespace

std::string to_text(const SceneProblem& p) {
  const std::string place = p.line > 0 ? fmt::format(":{}:{}", p.line, p.column) : "";
  return fmt::format("{}{}: {}{}{}", p.file, place, p.path, p.path.empty() ? "" : ": ", p.text);
}

SceneOrProblems parse_scene(std::string text, std::string file,
                            std::span<const Override> overrides) {
  Parsed parsed = parse(std::move(text), std::move(file), overrides);
  if (!parsed.problems.empty()) return std::move(parsed.problems);
  return std::move(parsed.scene);
}

SceneOrProblems read_scene(const std::string& file, std::span<const Override> overrides) {
  auto text = text_of(file);
  if (auto* problems = std::get_if<SceneProblems>(&text)) return std::move(*problems);
  return parse_scene(std::move(std::get<std::string>(text)), file, overrides);
}

SceneProblems locate(const Scene& scene, const std::vector<Problem>& problems) {
  Findings findings;
  findings.file = scene.file;
  findings.places = scene.places;
  findings.overridden = scene.overridden;
  for (const Problem& p : problems) findings.complain(p.path, p.text);
  sort_by_place(findings.problems);
  return std::move(findings.problems);
}

std::variant<LoadedScene, SceneProblems> load_scene_text(std::string text, std::string file,
                                                         std::span<const Override> overrides) {
  Parsed parsed = parse(std::move(text), std::move(file), overrides);
  if (!parsed.whole) return std::move(parsed.problems);
  auto built = std::move(parsed.scene.builder).build();
  if (const auto* more = std::get_if<std::vector<Problem>>(&built)) {
    SceneProblems located = locate(parsed.scene, *more);
    std::move(located.begin(), located.end(), std::back_inserter(parsed.problems));
    sort_by_place(parsed.problems);
  }
  if (const auto* ready = std::get_if<model::Built>(&built)) {
    SceneProblems located = locate(parsed.scene, sim::refused(*ready, parsed.scene.settings));
    std::move(located.begin(), located.end(), std::back_inserter(parsed.problems));
  }
  if (!parsed.problems.empty()) return std::move(parsed.problems);
  return LoadedScene{std::move(parsed.scene), std::move(std::get<model::Built>(built))};
}

std::variant<LoadedScene, SceneProblems> load_scene(const std::string& file,
                                                    std::span<const Override> overrides) {
  auto text = text_of(file);
  if (auto* problems = std::get_if<SceneProblems>(&text)) return std::move(*problems);
  return load_scene_text(std::move(std::get<std::string>(text)), file, overrides);
}

}  // namespace trammel::io
