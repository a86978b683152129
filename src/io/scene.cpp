#include "io/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/scene_contact.h"
#include "io/scene_control.h"
#include "io/scene_forms.h"
#include "io/scene_options.h"
#include "io/scene_override.h"
#include "io/scene_placed.h"
#include "io/scene_shapes.h"
#include "io/scene_specs.h"
#include "io/scene_system.h"
#include "io/scene_unfold.h"
#include "sim/channels.h"
#include "sim/instruments.h"
#include "sim/size.h"
#include "units/nearest.h"

namespace trammel::io {

namespace {

/// Names of elements that had problems: what refers to one of them is left out as well, so that a
/// fault is reported once.
using Faulty = std::set<std::string, std::less<>>;

class Reader {
 public:
  Reader(Scene& scene, Findings& findings, SceneFiles& files, Unfolded& all)
      : scene_(scene),
        findings_(findings),
        files_(files),
        all_(all),
        walker_(findings, all.joints, all.names, all.scopes.front()),
        control_(all.names, findings) {}

  void read(const toml::table& root) {
    walker_.enter(all_.scopes.front());
    const Value v = walker_.read_head(root, scene_family(), "");
    if (v.has("name")) scene_.builder.name = v["name"].text;
    scene_.title = v["title"].text;
    const Value none = walker_.read_head({}, simulation_family(), "simulation");
    read_simulation(v.has("simulation") ? v["simulation"] : none, all_.joints, findings_,
                    scene_.builder, scene_.settings);
    each("input", [&](const Value& e, const Element& at) { input(e, at); });
    each("controller", [&](const Value& e, const Element& at) { controller(e, at); });
    each("track", [&](const Value& e, const Element&) { track(e); });
    each("body", [&](const Value& e, const Element& at) { body(e, at); });
    each("system", [&](const Value& e, const Element& at) { system(e, at); });
    place_systems();
    each("joint", [&](const Value& e, const Element& at) { joint(e, at); });
    each("coupling", [&](const Value& e, const Element&) { coupling(e); });
    each("law", [&](const Value& e, const Element& at) { law(e, at); });
    each("bushing", [&](const Value& e, const Element& at) { bushing(e, at); });
    each("load", [&](const Value& e, const Element& at) { load(e, at); });
    each("probe", [&](const Value& e, const Element&) { probe(e); });
    each("sensor", [&](const Value& e, const Element& at) { sensor(e, at); });
    each("material", [&](const Value& e, const Element&) { material(e); });
    each("contact", [&](const Value& e, const Element&) { contact(e); });
    each("obstacle", [&](const Value& e, const Element& at) { obstacle(e, at); });
    each("no_contact", [&](const Value& e, const Element&) { pair(e, false); });
    each("contact_pair", [&](const Value& e, const Element&) { pair(e, true); });
    each("scenery", [&](const Value& e, const Element& at) { scenery(e, at); });
    each("plot", [&](const Value& e, const Element&) { plot(e); });
    scene_.builder.counted = control_.read;
    scene_.controls = std::move(control_.controls);
  }

 private:
  template <class Convert>
  void each(std::string_view family, Convert convert) {
    const Family& f = *scene_family().tables[0].key(family)->form.each[0].family;
    const auto list = all_.elements.find(family);
    if (list == all_.elements.end()) return;
    for (const Element& e : list->second) convert(walker_.read_element(e, f), e);
  }
  /// Converts an element; false: it had a problem, now or before.
  template <class Convert>
  bool element(const Value& v, Faulty& faulty, Convert convert) {
    const std::size_t before = findings_.problems.size();
    if (v.sound) convert();
    const bool good = v.sound && findings_.problems.size() == before;
    if (!good) faulty.insert(v["name"].text);
    return good;
  }

  void input(const Value& v, const Element& at) {
    if (v["name"].given) scene_.builder.add_input(control_.input(v, at));
  }
  void sensor(const Value& v, const Element& at) {
    if (v.sound) scene_.settings.sensors.push_back(control_.sensor(v, at));
  }
  void controller(const Value& v, const Element& at) {
    if (!v.sound) return all_.names.add_input(v["name"].text, {});
    std::vector<model::InputSpec> inputs;
    scene_.settings.controllers.push_back(control_.controller(v, at, inputs));
    for (model::InputSpec& i : inputs) scene_.builder.add_input(std::move(i));
  }
  void track(const Value& v) {
    std::optional<model::TrackSpec> spec;
    if (!element(v, tracks_, [&] { spec = track_spec(v, findings_); })) return;
    if (spec->track)
      paths_.emplace(spec->name, std::make_shared<const body::Path>(spec->name, spec->track));
    scene_.builder.add_track(std::move(*spec));
  }
  void body(const Value& v, const Element& at) {
    model::BodySpec spec;
    const auto convert = [&] {
      spec = body_spec(v, files_, findings_);
      place(at, spec, findings_);
    };
    const bool good = element(v, bodies_, convert);
    if (!v.sound) read_shapes(v, spec, files_, findings_);  // for what is wrong with their files
    if (!good) return;
    if (!spec.on_track) poses_.emplace(spec.name, spec.X_WB);
    if (spec.on_track && tracks_.contains(spec.on_track->track))
      bodies_.insert(spec.name);
    else
      scene_.builder.add_body(std::move(spec));
  }
  void system(const Value& v, const Element& at) {
    std::optional<model::SystemSpec> spec;
    const std::size_t before = findings_.problems.size();
    if (v.sound) claim(v, "system");
    if (v.sound && findings_.problems.size() == before)
      spec = system_spec(v, at, all_.names, paths_, files_, findings_);
    if (!spec) {
      const SystemNames names = names_of_system(at);
      bodies_.insert(names.bodies.begin(), names.bodies.end());
      joints_.insert(names.joints.begin(), names.joints.end());
      return;
    }
    lay_tracks(spec->of, spec->path);
    model::add_system(scene_.builder, std::move(*spec));
  }
  /// Each track that something is on, once for each body that it lies on: so that it is seen.
  void lay_tracks(const body::SystemSpec& spec, const std::string& path) {
    for (const body::SystemObject& o : spec.objects) {
      if (!o.track.path) continue;
      const std::string& track = o.track.path->name();
      const std::string body = o.on < 0 ? "ground" : spec.objects[at(o.on)].name;
      const bool placed = !o.track.X.R.isIdentity(0) || !o.track.X.p.isZero(0);
      if (laid_.insert(track + " " + body + (placed ? " " + o.name : "")).second)
        scene_.builder.add_laid_track({o.name, path, track, body, o.track.X});
    }
  }
  void place_systems() {
    for (const model::PoolSpec& pool : scene_.builder.pools()) {
      const std::vector<Pose> start = pool.start();
      for (std::size_t i = 0; i < start.size(); ++i) poses_.emplace(pool.objects[i], start[i]);
    }
  }
  void joint(const Value& v, const Element& at) {
    model::JointSpec spec;
    const auto convert = [&] {
      spec = joint_spec(v, all_.joints, findings_);
      place(at, poses_, spec, findings_);
    };
    if (!element(v, joints_, convert)) return;
    taken(v, "joint");
    if (!whole(spec) || tracks_.contains(spec.track))
      joints_.insert(spec.name);
    else
      scene_.builder.add_joint(std::move(spec));
  }
  void coupling(const Value& v) {
    std::optional<model::CouplingSpec> spec;
    if (!element(v, joints_, [&] { spec = coupling_spec(v, all_.joints, findings_); })) return;
    taken(v, "coupling");
    const bool good = std::none_of(spec->of.begin(), spec->of.end(), [&](const auto& c) {
      return joints_.contains(c.joint) || missing(Refers::joint, c.joint, c.path);
    });
    if (good)
      scene_.builder.add_coupling(std::move(*spec));
    else
      joints_.insert(spec->name);
  }
  void law(const Value& v, const Element& at) {
    if (!v.sound || joints_.contains(v["joint"].text)) return;
    taken(v, "law");
    if (auto ends = ends_spec(v)) {
      if (!add(std::move(*ends), at)) return;
    } else if (missing(Refers::joint, v["joint"].text, v["joint"].path)) {
      return;
    }
    scene_.builder.add_law(law_spec(v));
  }
  void bushing(const Value& v, const Element& at) {
    std::pair<model::JointSpec, model::Bushing> spec;
    if (!element(v, joints_, [&] { spec = bushing_spec(v, findings_); })) return;
    const std::string name = spec.first.name, path = spec.first.path;
    if (!add(std::move(spec.first), at)) return;
    for (model::LawSpec& law : model::laws_of(spec.second, name, path))
      scene_.builder.add_law(std::move(law));
  }
  /// The joint of an element. False: one of its bodies had a problem.
  bool add(model::JointSpec joint, const Element& at) {
    place(at, poses_, joint, findings_);
    if (!whole(joint)) return false;
    scene_.builder.add_joint(std::move(joint));
    return true;
  }
  /// None of its bodies had a problem.
  bool whole(const model::JointSpec& joint) {
    if (is_world(joint.a, joint.path + ".a") || is_world(joint.b, joint.path + ".b")) return false;
    const bool missing_a = missing(Refers::body, joint.a, joint.path + ".a");
    const bool missing_b = missing(Refers::body, joint.b, joint.path + ".b");
    return !missing_a && !missing_b && !bodies_.contains(joint.a) && !bodies_.contains(joint.b);
  }
  /// What other tools call the world is the ground here.
  bool is_world(const std::string& name, const std::string& path) {
    if (name != "world" || all_.names.missing(Refers::body, name).empty()) return false;
    findings_.complain(path,
                       "there is no body 'world'; the world is \"ground\", which an 'a' that is "
                       "left out means as well");
    return true;
  }
  /// Where some had problems, the builder does not know all the names that there are.
  bool missing(Refers to, const std::string& name, const std::string& path) {
    if ((to == Refers::body ? bodies_ : joints_).empty()) return false;
    std::string wrong = all_.names.missing(to, name);
    if (wrong.empty()) return false;
    findings_.complain(path, std::move(wrong));
    return true;
  }
  void load(const Value& v, const Element& at) {
    if (!v.sound || bodies_.contains(v["body"].text) ||
        missing(Refers::body, v["body"].text, v["body"].path))
      return;
    model::LoadSpec spec = load_spec(v);
    place(at, spec);
    scene_.builder.add_load(std::move(spec));
  }
  void probe(const Value& v) {
    if (!v.sound) return;
    check_body(v["body"]);
    for (const char* key : {"axes", "relative_to"})
      if (const std::string& name = v[key].text; name != "world" && name != "ground" && v.has(key))
        check_body(v[key]);
    claim(v, "probe");
    const auto of = [](const Value& x) { return x.text == "ground" ? "world" : x.text; };
    scene_.settings.probes.push_back({v["name"].text, v.path, v["body"].text, v["point"].vec(),
                                      of(v["axes"]), of(v["relative_to"])});
  }
  void check_body(const Value& v) {
    if (std::string wrong = all_.names.missing(Refers::body, v.text); !wrong.empty())
      findings_.complain(v.path, std::move(wrong));
  }
  void scenery(const Value& v, const Element& at) {
    if (!v.sound) return;
    if (v.has("name")) claim(v, "scenery");
    auto shape = shape_of(v, files_, findings_);
    if (!shape) return;
    shape->X_BS = at.scope->X_WS * shape->X_BS;
    scene_.builder.add_scenery(std::move(*shape));
  }
  /// One that has a problem is known all the same, to those that name it.
  void material(const Value& v) {
    if (v.has("name")) scene_.builder.add_material({v["name"].text, v.path});
  }
  void contact(const Value& v) {
    if (!v.sound) return;
    if (v.has("name")) claim(v, "contact");
    scene_.builder.add_contact_law(contact_law(v));
  }
  void obstacle(const Value& v, const Element& at) {
    if (!v.sound) return;
    auto shape = touching_shape(v, files_, findings_);
    if (!shape) return;
    for (const Scope* s = at.scope; s; s = s->outer)
      if (!s->ground.empty() && s->ground != "ground")
        return findings_.complain(
            at.path,
            fmt::format("obstacles stand in the world, and the ground of this part is body "
                        "'{0}': give '{0}' a [[body.contact]]",
                        s->ground));
    shape->X_BS = at.scope->X_WS * shape->X_BS;
    scene_.builder.add_obstacle(std::move(*shape));
  }
  void pair(const Value& v, bool touching) {
    if (!v.sound) return;
    bool whole = true;
    std::vector<std::string> between;
    for (const Value& body : v["between"].items) {
      whole &= !missing(Refers::body, body.text, body.path) && !bodies_.contains(body.text);
      between.push_back(body.text);
    }
    if (!whole) return;
    if (touching)
      scene_.builder.add_touching_pair({std::move(between), v.path});
    else
      scene_.builder.add_no_contact({std::move(between), v.path});
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
  SceneFiles& files_;
  Unfolded& all_;
  Walker walker_;
  ControlReader control_;
  StartPoses poses_;
  Paths paths_;
  Faulty tracks_, bodies_, joints_;
  std::set<std::string> taken_, laid_;
};

struct Parsed {
  Scene scene;
  SceneProblems problems, doubts;
  bool whole = true;  // false: nothing could be read
};

Parsed parse(std::string text, std::string file, std::span<const Override> overrides) {
  Parsed out;
  out.scene.file = file;
  Findings findings;
  SceneFiles files(findings);
  const toml::table* root = files.add(std::move(text), file);
  out.whole = root != nullptr;
  if (root) {
    Overrides set(overrides, findings);
    toml::table& own = files.own();
    set.write(own);
    if (const auto other = other_format(own)) {
      findings.complain("", other->place, other->text);
      out.whole = false;
    } else {
      if (const toml::table* kept = own["files"].as_table()) files.keep(*kept);
      Unfolded all;
      Unfolding(all, findings, files, set).run(own);
      Reader(out.scene, findings, files, all).read(own);
    }
  }
  out.scene.text = files.text() + files.appendix();
  out.scene.overrides.assign(overrides.begin(), overrides.end());
  out.scene.origins = std::move(findings.origins);
  put_in_order(findings.problems);
  put_in_order(findings.doubts);
  out.problems = std::move(findings.problems);
  out.doubts = std::move(findings.doubts);
  return out;
}

std::variant<std::string, SceneProblems> text_of(const std::string& file) {
  FileText read = read_text(file);
  if (read.problem.empty()) return std::move(read.text);
  return SceneProblems{{file, 0, 0, "", std::move(read.problem)}};
}

}  // namespace

std::string to_text(const SceneProblem& p) {
  const std::string place = p.line > 0 ? fmt::format(":{}:{}", p.line, p.column) : "";
  return fmt::format("{}{}: {}{}{}", p.file, place, p.path, p.path.empty() ? "" : ": ", p.text);
}

SceneOrProblems parse_scene(std::string text, std::string file,
                            std::span<const Override> overrides) {
  Parsed parsed = parse(std::move(text), std::move(file), overrides);
  for (SceneProblems* wrong : {&parsed.problems, &parsed.doubts})
    if (!wrong->empty()) return std::move(*wrong);
  return std::move(parsed.scene);
}

SceneOrProblems read_scene(const std::string& file, std::span<const Override> overrides) {
  auto text = text_of(file);
  if (auto* problems = std::get_if<SceneProblems>(&text)) return std::move(*problems);
  return parse_scene(std::move(std::get<std::string>(text)), file, overrides);
}

SceneProblems locate(const Scene& scene, const std::vector<Problem>& problems) {
  Findings findings;
  findings.origins = scene.origins;
  for (const Problem& p : problems) findings.complain(p.path, p.text);
  put_in_order(findings.problems);
  return std::move(findings.problems);
}

namespace {
/// Builds what was read, beside `like` where that is a variant of it.
std::variant<LoadedScene, SceneProblems> load(Parsed parsed,
                                              std::shared_ptr<const model::Model> like) {
  if (!parsed.whole) return std::move(parsed.problems);
  parsed.scene.builder.variant_of = std::move(like);
  auto built = std::move(parsed.scene.builder).build();
  if (const auto* more = std::get_if<std::vector<Problem>>(&built)) {
    SceneProblems located = locate(parsed.scene, *more);
    std::move(located.begin(), located.end(), std::back_inserter(parsed.problems));
    put_in_order(parsed.problems);
  }
  if (const auto* ready = std::get_if<model::Built>(&built)) {
    SceneProblems located = locate(parsed.scene, sim::refused(*ready, parsed.scene.settings));
    std::move(located.begin(), located.end(), std::back_inserter(parsed.problems));
    if (parsed.problems.empty())
      parsed.problems = locate(parsed.scene, sim::wrong_instruments(*ready, parsed.scene.settings));
    if (parsed.problems.empty())
      parsed.problems = locate(parsed.scene, sim::wrong_channels(*ready, parsed.scene.settings));
  }
  for (SceneProblems* wrong : {&parsed.problems, &parsed.doubts})
    if (!wrong->empty()) return std::move(*wrong);
  return LoadedScene{std::move(parsed.scene), std::move(std::get<model::Built>(built))};
}
}  // namespace

std::variant<LoadedScene, SceneProblems> load_scene_text(std::string text, std::string file,
                                                         std::span<const Override> overrides) {
  return load(parse(std::move(text), std::move(file), overrides), nullptr);
}

std::variant<LoadedScene, SceneProblems> variant_of(const LoadedScene& scene,
                                                    std::span<const Override> overrides) {
  std::vector<Override> all = scene.scene.overrides;
  all.insert(all.end(), overrides.begin(), overrides.end());
  return load(parse(scene.scene.text, scene.scene.file, all), scene.built.model);
}

std::variant<LoadedScene, SceneProblems> load_scene(const std::string& file,
                                                    std::span<const Override> overrides) {
  auto text = text_of(file);
  if (auto* problems = std::get_if<SceneProblems>(&text)) return std::move(*problems);
  return load_scene_text(std::move(std::get<std::string>(text)), file, overrides);
}

}  // namespace trammel::io
