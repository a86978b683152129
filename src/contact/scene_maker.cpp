// Shapes of bodies and obstacles: their sizes, materials and colours.
#include "contact/scene_maker.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "body/wrong.h"
#include "math/index.h"
#include "units/claim.h"
#include "units/nearest.h"

namespace trammel::contact {

namespace {

std::string given_path(const std::string& own, const std::string& list, std::size_t i) {
  return own.empty() ? fmt::format("{}[{}]", list, i) : own;
}

/// All colours of the names given; complains of one that there is not.
Colors colors_of(const Toucher& of, std::vector<Problem>& problems) {
  if (!of.electric) return kWhite;
  Colors all{0};
  const auto known = electric_colors();
  for (const std::string& name : *of.electric) {
    const auto it = std::find_if(known.begin(), known.end(),
                                 [&](const NamedColors& c) { return c.name == name; });
    if (it != known.end()) {
      all |= it->colors;
      continue;
    }
    std::vector<std::string> names;
    for (const NamedColors& c : known) names.emplace_back(c.name);
    problems.push_back(
        {of.path + ".electric", fmt::format("body '{}': there is no electric colour '{}'{}",
                                            of.name, name, units::did_you_mean(name, names))});
  }
  return all;
}

}  // namespace

/// A spec, where it stands, and on what.
struct SceneMaker::Given {
  const Spec& spec;
  std::string path;
  int object = 0;
  std::string body = {};
};

SceneMaker::SceneMaker(const Specs& specs, Scene& scene, std::vector<Problem>& problems)
    : specs_(specs), scene_(scene), problems_(problems) {
  scene_.materials = materials_of(specs.materials, problems);
  add_obstacles();
}

void SceneMaker::complain(std::string path, std::string text) {
  problems_.push_back({std::move(path), std::move(text)});
}

void SceneMaker::add_obstacles() {
  std::unordered_map<std::string, int> names;
  for (std::size_t i = 0; i < specs_.obstacles.size(); ++i) {
    const Spec& s = specs_.obstacles[i];
    const std::string path = given_path(s.path, "obstacle", i);
    if (!s.name.empty()) claim(s.name, path, "obstacle", names, count(names), problems_);
    add_shape({s, path}, nullptr);
  }
}

void SceneMaker::add(const Toucher& of) {
  if (of.shapes.empty() && !of.solids_touch) {
    add_own(of, {});
    if (!of.material.empty())
      complain(of.path + ".material",
               fmt::format("body '{}' has a material and no contact shapes: give it some{}",
                           of.name, of.is_body ? ", or contact = \"solids\"" : ""));
    return;
  }
  if (of.has_no_mass)
    complain(of.path + ".contact",
             fmt::format("body '{}' has no mass: what it touches would push it without end; give "
                         "it a mass",
                         of.name));
  if (of.solids_touch && !of.shapes.empty())
    complain(of.path + ".contact",
             fmt::format("body '{}': its solids touch, or contact shapes: not both", of.name));
  add_own(of, of.solids_touch ? solids_of(of) : of.shapes);
}

void SceneMaker::add_own(const Toucher& of, const std::vector<Spec>& own) {
  if (of.object < 0) return;
  std::vector<Colors>& colors = scene_.colors;
  colors.resize(std::max(colors.size(), at(of.object) + 1), kWhite);
  colors[at(of.object)] = colors_of(of, problems_);
  for (std::size_t i = 0; i < own.size(); ++i)
    add_shape({own[i], given_path(own[i].path, of.path + ".contact", i), of.object, of.name}, &of);
}

std::vector<Spec> SceneMaker::solids_of(const Toucher& of) {
  const std::string contact = of.path + ".contact";
  std::vector<Spec> out;
  for (const body::SolidPart& p : of.solids) {
    const std::string& path = p.path.empty() ? contact : p.path;
    if (p.hole)
      complain(path, fmt::format("body '{}' has holes, which contact does not see: give it contact "
                                 "shapes instead of contact = \"solids\"",
                                 of.name));
    else if (!body::wrong_solid(p.solid).empty())
      continue;  // told with its mass
    else if (!kind_of(p.solid))
      complain(path, fmt::format("body '{}': {}, so its solids cannot stand for its contact "
                                 "shapes: give these",
                                 of.name, no_shape(p.solid)));
    else
      out.push_back({.solid = p.solid, .X_BS = p.X_BS, .path = path});
  }
  if (of.surface) out.push_back({.kind = Spec::Kind::mesh, .mesh = of.surface, .path = contact});
  if (of.solids.empty() && !of.surface)
    complain(
        contact,
        fmt::format("body '{}' has no solids that could touch: give it contact shapes", of.name));
  return out;
}

void SceneMaker::add_shape(const Given& g, const Toucher* of) {
  const Spec& s = g.spec;
  const std::size_t before = problems_.size();
  const auto say = [&](const std::string& key, const std::string& text) {
    const std::string whose = g.body.empty() ? "obstacle" : fmt::format("body '{}'", g.body);
    if (!text.empty()) complain(g.path + key, whose + ": " + text);
  };
  say(".position", body::wrong_position(s.X_BS.p));
  say(".orientation", body::wrong_axes(s.X_BS.R));
  const bool is_solid = s.kind == Spec::Kind::solid && kind_of(s.solid);
  say(is_solid ? "." + std::string(body::name_of(s.solid)) : "", wrong(s, !of || of->stands));
  say(".surface_velocity",
      s.surface_velocity.allFinite() ? "" : "the velocity of its surface is not finite");
  const bool own = !s.material.empty() || !of;
  const int material =
      find_material(own ? s.material : of->material, (own ? g.path : of->path) + ".material");
  if (problems_.size() > before || material < 0) return;
  const Mat3 R = to_axis(s);
  SceneShape out{g.object, s.X_BS, shape_of(s), material, R.transpose() * s.surface_velocity,
                 s.name,   g.path, s.accuracy};
  out.X_OS = {of ? Vec3(s.X_BS.p - of->com) : s.X_BS.p, s.X_BS.R * R};
  scene_.shapes.push_back(std::move(out));
}

int SceneMaker::find_material(const std::string& name, const std::string& path) {
  const std::vector<std::string>& known = scene_.materials;
  if (name.empty()) return 0;
  const auto it = std::find(known.begin(), known.end(), name);
  if (it != known.end()) return static_cast<int>(it - known.begin());
  complain(path,
           fmt::format("there is no material '{}'{}", name, units::did_you_mean(name, known)));
  return -1;
}

void SceneMaker::finish() {
  std::stable_sort(scene_.shapes.begin(), scene_.shapes.end(),
                   [](const SceneShape& a, const SceneShape& b) { return a.object < b.object; });
  std::vector<char> used(scene_.materials.size(), 0);
  for (const SceneShape& s : scene_.shapes) used[at(s.material)] = 1;
  scene_.laws = table_of(specs_.laws, scene_.materials, used, problems_);
}

std::vector<Spec> specs_of(const std::string& name, const std::string& path,
                           const std::vector<body::SolidPart>& solids,
                           const std::shared_ptr<const body::Mesh>& surface,
                           std::vector<Problem>& problems) {
  const std::string contact = path + ".contact";
  std::vector<Spec> out;
  if (surface) out.push_back({.kind = Spec::Kind::mesh, .mesh = surface, .path = contact});
  for (const body::SolidPart& p : solids) {
    if (p.hole)
      problems.push_back({p.path, fmt::format("body '{}': a hole cannot touch: give it contact "
                                              "shapes instead of contact = \"solids\"",
                                              name)});
    out.push_back({.solid = p.solid, .X_BS = p.X_BS, .path = contact});
  }
  if (out.empty())
    problems.push_back(
        {contact,
         fmt::format("body '{}' has no solids that could touch: give it contact shapes", name)});
  return out;
}

}  // namespace trammel::contact
