// What a scene's contact shapes may not be meant to be.
#include "constraint/contact/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "constraint/contact/find.h"
#include "contact/mesh_hulls.h"
#include "contact/surface.h"
#include "contact/trimesh.h"
#include "math/index.h"
#include "model/kinematics.h"
#include "units/plural.h"

namespace trammel::constraint {

namespace {

constexpr std::size_t kMostNames = 6;  // names in a note
constexpr double kOverlaps = 0.02;     // of the least extent of a shape: what a run warns of

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(kMostNames, names.size()); ++i)
    out += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
  return names.size() > kMostNames ? out + fmt::format(" and {} more", names.size() - kMostNames)
                                   : out;
}

std::string shown(const model::Model& m, int shape) {
  const model::ContactShape& s = m.contacts.shapes[at(shape)];
  if (!s.name.empty()) return fmt::format("contact shape '{}'", s.name);
  return s.object == 0 ? "an obstacle"
                       : fmt::format("a contact shape of body '{}'", m.objects[at(s.object)].name);
}

void add_lonely(const model::Model& m, std::vector<std::string>& out) {
  const contact::PairRule rule = model::pair_rule(m);
  const std::vector<int> all = m.contacts.objects();
  for (const int a : all) {
    if (m.objects[at(a)].at_rest()) continue;
    if (std::none_of(all.begin(), all.end(), [&](int b) { return rule.may_meet(a, b); }))
      out.push_back(fmt::format(
          "body '{}' has contact shapes and meets nothing: {}", m.objects[at(a)].name,
          all.size() == 1
              ? "nothing else has any; scenery does not touch, [[obstacle]] does"
              : "by colours, joints or no_contact it is kept from all others that have some"));
  }
}

/// Bodies that fall through what stands there, where no body has shapes.
void add_shapeless(const model::Model& m, std::vector<std::string>& out) {
  const std::vector<int> all = m.contacts.objects();
  if (std::any_of(all.begin(), all.end(), [&](int o) { return m.objects[at(o)].block >= 0; }))
    return;
  std::vector<std::string> names;
  for (const model::Object& o : m.objects)
    if (o.block >= 0) names.push_back(o.name);
  if (!names.empty())
    out.push_back(
        fmt::format("no body has contact shapes: {} pass through all that stands there; contact = "
                    "\"solids\" of a body gives it some",
                    list_of(names)));
}

void add_unused_materials(const model::Model& m, std::vector<std::string>& out) {
  std::vector<unsigned char> used(m.contacts.materials.size(), 0);
  used[0] = 1;
  for (const model::ContactShape& s : m.contacts.shapes) used[at(s.material)] = 1;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) names.push_back(m.contacts.materials[i]);
  if (!names.empty())
    out.push_back(
        fmt::format("no contact shape is of material {}: its laws hold nowhere", list_of(names)));
}

/// Coefficients that no materials have.
void add_locked(const model::Model& m, std::vector<std::string>& out) {
  constexpr double kMost = 5;  // of rubber on dry rock
  double most = 0;
  for (const model::ContactLaw& law : m.contacts.laws) most = std::max(most, law.friction);
  if (most > kMost)
    out.push_back(fmt::format(
        "a friction of {:.4g} is a ratio of forces, of most materials 0.05 to 1.5: what touches "
        "with it slides nowhere",
        most));
}

/// True where something that a shape may touch takes up what its surface drives.
bool drives(const model::Model& m, int shape) {
  const contact::PairRule rule = model::pair_rule(m);
  for (int other = 0; other < count(m.contacts.shapes); ++other)
    if (rule.may_meet(m.contacts.object_of(shape), m.contacts.object_of(other)) &&
        m.contacts.law(shape, other).friction > 0)
      return true;
  return false;
}

/// Surfaces that run and drive nothing: along the normal of a plane, or without friction.
void add_idle_belts(const model::Model& m, std::vector<std::string>& out) {
  constexpr double kAcross = 1e-6;  // of the speed
  for (int i = 0; i < count(m.contacts.shapes); ++i) {
    const model::ContactShape& s = m.contacts.shapes[at(i)];
    const double speed = s.surface_velocity.norm();
    if (!(speed > 0)) continue;
    const bool flat = s.shape.kind == contact::Shape::Kind::half_space ||
                      s.shape.kind == contact::Shape::Kind::plane;
    if (flat && s.surface_velocity.head<2>().norm() < kAcross * speed)
      out.push_back(fmt::format("the surface_velocity of {} is along its normal and moves nothing",
                                shown(m, i)));
    else if (!drives(m, i))
      out.push_back(
          fmt::format("the surface_velocity of {} moves nothing: no [[contact]] gives it friction",
                      shown(m, i)));
  }
}

/// Shapes that lie in each other at the start, the deepest point of each pair.
void add_overlaps(const model::Built& built, std::vector<std::string>& out) {
  const model::Model& m = *built.model;
  const model::Kinematics kin(m, built.params);
  const ContactSurfaces surfaces(kin);
  PointFinder finder(surfaces);
  model::KinematicsCache cache = kin.make_cache();
  kin.transforms(built.state.q.data(), built.state.t, cache);
  std::vector<contact::Point> points;
  const std::vector<double> no_margin(m.contacts.shapes.size(), 0);
  find_points(surfaces, cache, no_margin, finder, points);
  std::map<std::array<int, 2>, double> deep;
  for (const contact::Point& p : points)
    if (-p.gap > kOverlaps * least_extent(surfaces, p)) {
      double& most = deep[{p.A, p.B}];
      most = std::max(most, -p.gap);
    }
  std::size_t n = 0;
  for (const auto& [pair, depth] : deep)
    if (++n <= kMostNames)
      out.push_back(fmt::format("{} and {} overlap by {:.3g} m at the start", shown(m, pair[0]),
                                shown(m, pair[1]), depth));
  if (n > kMostNames)
    out.push_back(fmt::format("so do {} more pairs of contact shapes", n - kMostNames));
}

/// Of a convex shape, or of the hulls that stand for a mesh.
std::vector<Vec3> middles_of(const contact::Shape& shape) {
  if (contact::is_convex(shape.kind)) return {contact::bounds(shape).middle};
  std::vector<Vec3> out;
  if (shape.mesh && shape.mesh->hulls)
    for (const contact::HullPart& part : shape.mesh->hulls->parts)
      out.push_back(part.bounds.middle);
  return out;
}

/// Shapes whose middle lies below a field of heights: nothing holds them where it is out of reach.
void add_buried(const model::Built& built, std::vector<std::string>& out) {
  const model::Model& m = *built.model;
  const model::Kinematics kin(m, built.params);
  model::KinematicsCache cache = kin.make_cache();
  kin.transforms(built.state.q.data(), built.state.t, cache);
  const auto pose = [&](const model::ContactShape& s) {
    const body::Transform& T = cache.T_WO[at(s.object)];
    return Pose{T.p, body::rotation(m.objects[at(s.object)].motion_kind, T.A)} * s.X_OS;
  };
  const contact::PairRule rule = model::pair_rule(m);
  std::set<std::string> names;
  for (const model::ContactShape& field : m.contacts.shapes) {
    if (!field.shape.grid) continue;
    for (const model::ContactShape& s : m.contacts.shapes) {
      if (!rule.may_meet(field.object, s.object)) continue;
      const Pose X = inverse(pose(field)) * pose(s);
      const contact::Bounds all = contact::bounds(field.shape);
      for (const Vec3& own : middles_of(s.shape)) {
        const Vec3 middle = X.p + X.R * own;
        Vec3 above = middle;
        above.z() = std::max(middle.z(), (all.middle + all.half).z()) + 1;
        if (contact::comes_in(field.shape, above, middle))
          names.insert(m.objects[at(s.object)].name);
      }
    }
  }
  if (!names.empty())
    out.push_back(
        fmt::format("{} below a field of heights at the start: what is deeper than its "
                    "own size falls on",
                    list_of({names.begin(), names.end()})));
}

/// What no refinement of an energy formulation's steps mends.
void add_of_barrier(const model::Model& m, std::vector<std::string>& out) {
  using Of = contact::Shape::Kind;
  std::string text =
      "by energy a barrier parts what meets, and throws back up to half of its speed";
  const auto rolls = [](const model::ContactShape& s) {
    const Of k = s.shape.kind;
    return k == Of::sphere || k == Of::cylinder || k == Of::capsule || k == Of::cone ||
           k == Of::ellipsoid;
  };
  if (std::any_of(m.contacts.shapes.begin(), m.contacts.shapes.end(), rolls))
    text += "; round shapes are polyhedra, which lose speed as they roll";
  out.push_back(text + ": where these count take another formulation");
}

}  // namespace

void add_contact_notes(const model::Built& built, bool by_barrier, std::vector<std::string>& out) {
  const model::Model& m = *built.model;
  if (!can_touch(m)) return;
  add_lonely(m, out);
  add_shapeless(m, out);
  add_unused_materials(m, out);
  add_locked(m, out);
  add_idle_belts(m, out);
  add_overlaps(built, out);
  add_buried(built, out);
  if (by_barrier) add_of_barrier(m, out);
}

namespace {
/// Of meshes that meet others as hulls: how many, and how far off they are at most.
std::string hulls_text(const model::Model& m) {
  long meshes = 0, hulls = 0;
  double error = 0;
  for (const model::ContactShape& s : m.contacts.shapes)
    if (s.shape.mesh && s.shape.mesh->hulls) {
      ++meshes;
      hulls += static_cast<long>(s.shape.mesh->hulls->parts.size());
      error = std::max(error, s.shape.mesh->hulls->error);
    }
  if (meshes == 0) return {};
  return fmt::format("; {} that may meet others as {}, {}", units::count(meshes, "mesh", "meshes"),
                     units::count(hulls, "convex hull"),
                     error > 0 ? fmt::format("off by up to {:.3g} m", error) : "exact");
}
}  // namespace

std::string contact_text(const model::Model& m) {
  if (!can_touch(m)) return {};
  const std::vector<int> all = m.contacts.objects();
  const auto standing = std::count_if(
      m.contacts.shapes.begin(), m.contacts.shapes.end(),
      [&](const model::ContactShape& s) { return m.objects[at(s.object)].at_rest(); });
  const bool lawless =
      std::all_of(m.contacts.laws.begin(), m.contacts.laws.end(), [](const model::ContactLaw& l) {
        return l.friction == 0 && l.restitution == 0 && l.cohesion == 0;
      });
  const auto moving =
      std::count_if(all.begin(), all.end(), [&](int o) { return !m.objects[at(o)].at_rest(); });
  return fmt::format("{} on {}, {} that stand{}{}",
                     units::count(static_cast<long>(m.contacts.shapes.size()), "contact shape"),
                     units::count(moving, "body", "bodies"), standing,
                     lawless ? ", without friction or restitution" : "", hulls_text(m));
}

}  // namespace trammel::constraint
