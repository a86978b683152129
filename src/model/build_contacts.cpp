// Shapes that touch: their sizes, materials, the laws between these, and who may touch whom.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "body/mesh.h"
#include "contact/hull.h"
#include "contact/trimesh.h"
#include "math/index.h"
#include "math/rotation.h"
#include "model/build_bodies.h"
#include "model/check.h"
#include "model/mesh_meetings.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

using ContactKind = ContactSpec::Kind;
using SolidKind = Solid::Kind;

constexpr double kLeastAccuracy = 1e-3;  // of hulls: what is finer takes minutes to find

std::string given_path(const std::string& own, const std::string& list, std::size_t i) {
  return own.empty() ? fmt::format("{}[{}]", list, i) : own;
}

/// Nothing: a solid of this kind is no contact shape.
std::optional<contact::Shape::Kind> kind_of(const Solid& solid) {
  using To = contact::Shape::Kind;
  switch (solid.kind) {
    case SolidKind::box:
      return To::box;
    case SolidKind::sphere:
      return To::sphere;
    case SolidKind::cylinder:
      return To::cylinder;
    case SolidKind::cone:
      return To::cone;
    case SolidKind::capsule:
      return To::capsule;
    case SolidKind::ellipsoid:
      return To::ellipsoid;
    case SolidKind::tube:
    case SolidKind::rod:
    case SolidKind::point:
      break;
  }
  return {};
}

/// Turns z to the axis of a round solid.
Mat3 to_axis(const ContactSpec& s) {
  if (s.kind != ContactKind::solid || !body::has_axis(s.solid)) return Mat3::Identity();
  return rotation_from_z(s.solid.axis);
}

/// Adds the contact shapes of a mechanism.
class Shapes {
 public:
  Shapes(Draft& draft, const ContactSpecs& specs) : d_(draft), specs_(specs) {}

  void add_obstacles() {
    std::unordered_map<std::string, int> names;
    for (std::size_t i = 0; i < specs_.obstacles.size(); ++i) {
      const ContactSpec& s = specs_.obstacles[i];
      const std::string path = given_path(s.path, "obstacle", i);
      if (!s.name.empty()) d_.claim(s.name, path, "obstacle", names, count(names));
      add({s, path, 0, ""});
    }
  }

  void add_body(const BodySpec& b) {
    const Touching of{b.name, b.path, b.material, b.electric};
    if (b.contacts.empty() && !b.solids_touch) return add_none(of, ", or contact = \"solids\"");
    check_mass(b);
    if (b.solids_touch && !b.contacts.empty())
      d_.complain(b.path + ".contact",
                  fmt::format("body '{}': its solids touch, or contact shapes: not both", b.name));
    add_all(of, b.solids_touch ? solids_of(b) : b.contacts);
  }

  void add_pool(const PoolSpec& s) {
    for (std::size_t i = 0; i < std::min(s.outlines.size(), s.objects.size()); ++i) {
      const Outline& o = s.outlines[i];
      const Touching of{s.objects[i], o.path, o.material, o.electric};
      if (o.contacts.empty())
        add_none(of, "");
      else
        add_all(of, o.contacts);
    }
  }

 private:
  /// A body, or an object of a pool.
  struct Touching {
    const std::string &name, &path, &material;
    const std::optional<std::vector<std::string>>& electric;
  };

  /// A spec, where it stands, and on what.
  struct Given {
    const ContactSpec& spec;
    std::string path;
    int object = 0;
    std::string body;
  };

  void say(const Given& g, const std::string& key, const std::string& text) {
    const std::string whose = g.body.empty() ? "obstacle" : fmt::format("body '{}'", g.body);
    if (!text.empty()) d_.complain(g.path + key, whose + ": " + text);
  }

  /// Of what touches nothing; `other` way than shapes to let it touch.
  void add_none(const Touching& of, const char* other) {
    add_all(of, {});
    if (!of.material.empty())
      d_.complain(of.path + ".material",
                  fmt::format("body '{}' has a material and no contact shapes: give it some{}",
                              of.name, other));
  }

  void add_all(const Touching& of, const std::vector<ContactSpec>& own) {
    const auto known = d_.objects.find(of.name);
    if (known == d_.objects.end()) return;
    take_colors(of, known->second);
    for (std::size_t i = 0; i < own.size(); ++i)
      add({own[i], given_path(own[i].path, of.path + ".contact", i), known->second, of.name}, &of);
  }

  void take_colors(const Touching& b, int object) {
    contact::Colors all = b.electric ? contact::Colors{0} : contact::kWhite;
    const std::vector<std::string> none;
    const std::vector<std::string>& given = b.electric ? *b.electric : none;
    for (const std::string& name : given) {
      const auto known = electric_colors();
      const auto it = std::find_if(known.begin(), known.end(),
                                   [&](const NamedColors& c) { return c.name == name; });
      if (it != known.end()) {
        all |= it->colors;
        continue;
      }
      std::vector<std::string> names;
      for (const NamedColors& c : known) names.emplace_back(c.name);
      d_.complain(b.path + ".electric",
                  fmt::format("body '{}': there is no electric colour '{}'{}", b.name, name,
                              units::did_you_mean(name, names)));
    }
    auto& colors = d_.model.contacts.colors;
    colors.resize(std::max(colors.size(), d_.model.objects.size()), contact::kWhite);
    colors[at(object)] = all;
  }

  void check_mass(const BodySpec& b) {
    if (b.motion || b.mass != 0 || b.density || !b.solids.empty()) return;
    d_.complain(
        b.path + ".contact",
        fmt::format("body '{}' has no mass: what it touches would push it without end; give "
                    "it a mass",
                    b.name));
  }

  std::vector<ContactSpec> solids_of(const BodySpec& b) {
    std::vector<ContactSpec> out;
    const auto take = [&](const Solid& solid, const Pose& X_BS, const std::string& path) {
      if (!wrong_solid(solid).empty()) return;  // told with its mass
      if (!kind_of(solid))
        return d_.complain(path.empty() ? b.path + ".contact" : path,
                           fmt::format("body '{}': {}, so its solids cannot stand for its contact "
                                       "shapes: give these",
                                       b.name, no_shape(solid)));
      out.push_back({.solid = solid, .X_BS = X_BS});
      out.back().path = path.empty() ? b.path + ".contact" : path;
    };
    if (b.solid) take(*b.solid, {b.com, Mat3::Identity()}, "");
    for (const SolidPart& p : b.solids) {
      if (p.hole)
        d_.complain(p.path.empty() ? b.path + ".contact" : p.path,
                    fmt::format("body '{}' has holes, which contact does not see: give it contact "
                                "shapes instead of contact = \"solids\"",
                                b.name));
      else
        take(p.solid, p.X_BS, p.path);
    }
    if (b.surface)
      out.push_back({.kind = ContactKind::mesh, .mesh = b.surface, .path = b.path + ".contact"});
    if (!b.solid && b.solids.empty() && !b.surface)
      d_.complain(
          b.path + ".contact",
          fmt::format("body '{}' has no solids that could touch: give it contact shapes", b.name));
    return out;
  }

  static std::string no_shape(const Solid& solid) {
    const auto name = body::name_of(solid);
    return solid.kind == SolidKind::tube
               ? "a tube is hollow, and no contact shape"
               : fmt::format("a {} has no thickness, and is no contact shape", name);
  }

  /// What is wrong with the shape itself.
  std::string wrong(const Given& g) const {
    const ContactSpec& s = g.spec;
    const Object& o = d_.model.objects[at(g.object)];
    switch (s.kind) {
      case ContactKind::solid:
        if (!kind_of(s.solid)) return no_shape(s.solid);
        return wrong_solid(s.solid);
      case ContactKind::half_space:
      case ContactKind::plane:
        if (o.block < 0) return "";
        return fmt::format("a {} has no end: it is an obstacle, or on a prescribed body",
                           s.kind == ContactKind::plane ? "plane" : "half-space");
      case ContactKind::heights:
        return wrong_heights(s, o.block < 0);
      case ContactKind::hull:
      case ContactKind::mesh:
        break;
    }
    return wrong_mesh(s);
  }

  static std::string wrong_heights(const ContactSpec& s, bool stands) {
    if (!stands) return "heights have no lower end: they are an obstacle, or on a prescribed body";
    if (!s.heights) return "there are no heights";
    const Heights& h = *s.heights;
    const std::string fault = contact::grid_of(h.nx, h.ny, h.dx, h.dy, h.z).fault;
    return fault.empty() ? "" : "its grid of heights " + fault;
  }

  static std::string wrong_mesh(const ContactSpec& s) {
    if (!s.mesh || s.mesh->faces.empty()) return "its mesh has no faces";
    for (const Vec3& p : s.mesh->vertices)
      if (!p.allFinite()) return "a corner of its mesh is not finite";
    for (const body::MeshFault& fault : body::faults(*s.mesh))
      return (fault.face < 0 ? "" : fmt::format("face {}: ", fault.face)) + fault.text;
    if (s.kind == ContactKind::hull) return wrong_hull(*s.mesh);
    if (!(s.accuracy >= kLeastAccuracy && s.accuracy <= 0.5))
      return fmt::format("an accuracy of {:.3g} is not between {} and 0.5 of its size", s.accuracy,
                         kLeastAccuracy);
    const std::string fault = contact::trimesh_of(*s.mesh).fault;
    return fault.empty() ? "" : "its mesh " + fault;
  }

  static std::string wrong_hull(const body::Mesh& mesh) {
    const std::string fault = contact::hull_of(mesh).fault;
    return fault.empty()
               ? ""
               : "its mesh " + fault + "; write `mesh` instead of `hull`, or several hulls";
  }

  void add(const Given& g, const Touching* b = nullptr) {
    const ContactSpec& s = g.spec;
    const std::size_t before = d_.problems.size();
    say(g, ".position", wrong_position(s.X_BS.p));
    say(g, ".orientation", wrong_axes(s.X_BS.R));
    const bool is_solid = s.kind == ContactKind::solid && kind_of(s.solid);
    say(g, is_solid ? "." + std::string(body::name_of(s.solid)) : "", wrong(g));
    say(g, ".surface_velocity",
        s.surface_velocity.allFinite() ? "" : "the velocity of its surface is not finite");
    const bool own = !s.material.empty() || !b;
    const int material =
        find_material(own ? s.material : b->material, (own ? g.path : b->path) + ".material");
    if (d_.problems.size() > before || material < 0) return;
    const Mat3 R = to_axis(s);
    ContactShape out{g.object, s.X_BS, shape_of(s), material, R.transpose() * s.surface_velocity,
                     s.name,   g.path, s.accuracy};
    out.X_OS = {s.X_BS.p - d_.model.objects[at(g.object)].com, s.X_BS.R * R};
    d_.model.contacts.shapes.push_back(std::move(out));
  }

  static contact::Shape shape_of(const ContactSpec& s) {
    using To = contact::Shape::Kind;
    contact::Shape out;
    switch (s.kind) {
      case ContactKind::solid:
        out.kind = *kind_of(s.solid);
        out.size = s.solid.size;
        break;
      case ContactKind::half_space:
        out.kind = To::half_space;
        break;
      case ContactKind::plane:
        out.kind = To::plane;
        break;
      case ContactKind::hull:
        out.kind = To::hull;
        out.hull = contact::hull_of(*s.mesh).hull;
        break;
      case ContactKind::mesh:
        out.kind = To::mesh;
        out.mesh = contact::trimesh_of(*s.mesh).mesh;
        break;
      case ContactKind::heights:
        out.kind = To::grid;
        out.grid = contact::grid_of(s.heights->nx, s.heights->ny, s.heights->dx, s.heights->dy,
                                    s.heights->z)
                       .grid;
        break;
    }
    return out;
  }

  int find_material(const std::string& name, const std::string& path) {
    const std::vector<std::string>& known = d_.model.contacts.materials;
    if (name.empty()) return 0;
    const auto it = std::find(known.begin(), known.end(), name);
    if (it != known.end()) return static_cast<int>(it - known.begin());
    d_.complain(path,
                fmt::format("there is no material '{}'{}", name, units::did_you_mean(name, known)));
    return -1;
  }

  Draft& d_;
  const ContactSpecs& specs_;
};

/// The table of laws, from those that name two materials, one or none.
class Laws {
 public:
  Laws(Draft& draft, const ContactSpecs& specs) : d_(draft), specs_(specs) {}

  void add_materials() {
    std::unordered_map<std::string, int> names{{std::string(kDefaultMaterial), 0}};
    auto& all = d_.model.contacts.materials;
    all = {std::string(kDefaultMaterial)};
    for (const MaterialSpec& s : specs_.materials) {
      if (s.name == kAnyMaterial || s.name == kDefaultMaterial)
        d_.complain(s.path + ".name",
                    fmt::format("'{}' means {} in laws: choose another name", s.name,
                                s.name == kAnyMaterial ? "every material"
                                                       : "the material of shapes that name none"));
      else if (d_.claim(s.name, s.path, "material", names, count(all)))
        all.push_back(s.name);
    }
  }

  void make() {
    const std::size_t before = d_.problems.size();
    for (std::size_t i = 0; i < specs_.laws.size(); ++i) take(specs_.laws[i]);
    if (d_.problems.size() > before) return;
    const std::size_t n = d_.model.contacts.materials.size();
    used_.assign(n, 0);
    for (const ContactShape& s : d_.model.contacts.shapes)
      if (s.material >= 0) used_[at(s.material)] = 1;
    d_.model.contacts.laws.assign(n * n, {});
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a; b < n; ++b) {
        const ContactLaw law = between(static_cast<int>(a), static_cast<int>(b));
        d_.model.contacts.laws[a * n + b] = d_.model.contacts.laws[b * n + a] = law;
      }
  }

 private:
  static constexpr int kAny = -1, kNone = -2;
  void take(const ContactLawSpec& s) {
    check_numbers(s);
    std::array<int, 2> pair{};
    for (std::size_t k = 0; k < 2; ++k) pair[k] = find(s.between[k], s, k);
    if (pair[0] == kNone || pair[1] == kNone) return;
    if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
    const auto [other, is_new] = laws_.try_emplace(pair, &s);
    if (!is_new)
      d_.complain(s.path, fmt::format("the law between '{}' and '{}' is given twice: see {}",
                                      s.between[0], s.between[1], other->second->path));
  }

  int find(const std::string& name, const ContactLawSpec& s, std::size_t k) {
    if (name == kAnyMaterial) return kAny;
    const auto& known = d_.model.contacts.materials;
    const auto it = std::find(known.begin(), known.end(), name);
    if (it != known.end()) return static_cast<int>(it - known.begin());
    std::vector<std::string> names = known;
    names.emplace_back(kAnyMaterial);
    d_.complain(fmt::format("{}.between[{}]", s.path, k),
                fmt::format("there is no material '{}'{}", name, units::did_you_mean(name, names)));
    return kNone;
  }

  void check_numbers(const ContactLawSpec& s) {
    const auto check = [&](const char* key, double x, double most, const char* rule) {
      if (x >= 0 && x <= most && std::isfinite(x)) return;
      d_.complain(fmt::format("{}.{}", s.path, key), fmt::format("{} {}", x, rule));
    };
    constexpr double any = std::numeric_limits<double>::max();
    check("friction", s.law.friction, any, "is no coefficient of friction: it is 0 or more");
    check("restitution", s.law.restitution, 1, "is no coefficient of restitution: it is 0 to 1");
    check("rolling_friction", s.law.rolling, any, "m is no lever of friction: it is 0 or more");
    check("spinning_friction", s.law.spinning, any, "m is no lever of friction: it is 0 or more");
    check("cohesion", s.law.cohesion, any, "N is no cohesion: it is 0 or more");
  }

  const ContactLawSpec* of(int a, int b) const {
    const auto found = laws_.find({std::min(a, b), std::max(a, b)});
    return found == laws_.end() ? nullptr : found->second;
  }

  ContactLaw between(int a, int b) {
    if (const ContactLawSpec* own = of(a, b)) return own->law;
    const ContactLawSpec *first = of(a, kAny), *second = of(b, kAny);
    if (first && second && first != second && used_[at(a)] && used_[at(b)])
      d_.complain(
          second->path,
          fmt::format("'{}' and '{}' have a law each with any other material: say which "
                      "holds between them by a law of their own",
                      d_.model.contacts.materials[at(a)], d_.model.contacts.materials[at(b)]));
    if (first || second) return (first ? first : second)->law;
    if (const ContactLawSpec* all = of(kAny, kAny)) return all->law;
    return {};
  }

  Draft& d_;
  const ContactSpecs& specs_;
  std::map<std::array<int, 2>, const ContactLawSpec*> laws_;  // the lesser material first
  std::vector<unsigned char> used_;                           // materials, by some shape
};

}  // namespace

body::Mesh Heights::surface() const {
  body::Mesh out;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      out.vertices.emplace_back(i * dx, j * dy, z[at(i * ny + j)]);
      if (i + 1 == nx || j + 1 == ny) continue;
      const int a = i * ny + j, b = a + ny;
      out.faces.push_back({a, b, b + 1});
      out.faces.push_back({a, b + 1, a + 1});
    }
  return out;
}

void Draft::add_contacts(const std::vector<BodySpec>& bodies, const std::vector<PoolSpec>& pools,
                         const ContactSpecs& specs) {
  Laws laws(*this, specs);
  laws.add_materials();
  Shapes shapes(*this, specs);
  shapes.add_obstacles();
  for (const BodySpec& b : bodies) shapes.add_body(b);
  for (const PoolSpec& p : pools) shapes.add_pool(p);
  auto& all = model.contacts.shapes;
  std::stable_sort(all.begin(), all.end(), [](const ContactShape& a, const ContactShape& b) {
    return a.object < b.object;
  });
  laws.make();
}

namespace {

using Pairs = std::vector<std::array<int, 2>>;

/// The pairs of bodies among those that specs name.
Pairs pairs_of(Draft& d, const std::vector<ContactPairSpec>& specs, const char* list) {
  Pairs out;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const ContactPairSpec& s = specs[i];
    const std::string path = given_path(s.path, list, i) + ".between";
    if (s.between.size() < 2)
      d.complain(path, fmt::format("names {} bodies, two or more are needed", s.between.size()));
    std::vector<int> objects;
    for (std::size_t k = 0; k < s.between.size(); ++k)
      objects.push_back(d.object(s.between[k], fmt::format("{}[{}]", path, k)));
    for (std::size_t a = 0; a < objects.size(); ++a)
      for (std::size_t b = a + 1; b < objects.size(); ++b)
        if (objects[a] < 0 || objects[b] < 0)
          continue;
        else if (objects[a] == objects[b])
          d.complain(fmt::format("{}[{}]", path, b),
                     fmt::format("'{}' stands here twice", s.between[b]));
        else
          out.push_back({std::min(objects[a], objects[b]), std::max(objects[a], objects[b])});
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Complains of bodies that are to touch and have nothing to touch with, or are said not to.
void check_touching(Draft& d, const Pairs& touching, const Pairs& apart, const Pairs& joined,
                    const std::vector<ContactPairSpec>& specs) {
  const auto named = [&](const std::array<int, 2>& p) {
    return fmt::format("'{}' and '{}'", d.model.objects[at(p[0])].name,
                       d.model.objects[at(p[1])].name);
  };
  const std::string path = specs.empty() ? "" : given_path(specs[0].path, "contact_pair", 0);
  for (const auto& p : touching)
    if (std::binary_search(apart.begin(), apart.end(), p))
      d.complain(path, fmt::format("{} are to touch, and to have no contact", named(p)));
    else if (!std::binary_search(joined.begin(), joined.end(), p))
      d.complain(path, fmt::format("{} are kept apart by no joint: they touch without saying so",
                                   named(p)));
}

}  // namespace

void Draft::pair_contacts(const ContactSpecs& specs) {
  const Pairs apart = pairs_of(*this, specs.apart, "no_contact");
  const Pairs touching = pairs_of(*this, specs.touching, "contact_pair");
  Pairs joined;
  for (const Joint& j : model.joints) {
    if (j.coupling >= 0 || j.strain() || j.table->rows.empty()) continue;
    if (std::min(j.object_A, j.object_B) == 0) continue;  // the ground is everywhere
    joined.push_back({std::min(j.object_A, j.object_B), std::max(j.object_A, j.object_B)});
  }
  std::sort(joined.begin(), joined.end());
  check_touching(*this, touching, apart, joined, specs.touching);
  model.contacts.colors.resize(model.objects.size(), contact::kWhite);
  Pairs& all = model.contacts.excluded;
  for (const auto& p : joined)
    if (!std::binary_search(touching.begin(), touching.end(), p)) all.push_back(p);
  all.insert(all.end(), apart.begin(), apart.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  let_meshes_meet(*this);
}

}  // namespace trammel::model
