#include "contact/mesh_meetings.h"

#include <fmt/core.h>

#include <algorithm>

#include "contact/mesh_hulls.h"
#include "contact/trimesh.h"
#include "math/index.h"

namespace trammel::contact {

namespace {

std::string shown(const Objects& objects, const SceneShape& s) {
  return fmt::format("a {} of '{}'", name_of(s.shape.kind), objects.names[at(s.object)]);
}

constexpr int kMostStanding = 1000;  // triangles of a mesh that does not move and has hulls

/// Whether a mesh that meets others has hulls: one that stands and is large, as a building or a
/// field, meets them with its triangles.
bool needs_hulls(const PairRule& rule, const SceneShape& s) {
  return s.shape.kind == Shape::Kind::mesh &&
         !(rule.is_fixed(s.object) && count(s.shape.mesh->triangles) > kMostStanding);
}

/// By shape. Complains of the first pair that cannot meet.
std::vector<char> find_meetings(const Objects& objects, const PairRule& rule,
                                const std::vector<SceneShape>& all,
                                std::vector<Problem>& problems) {
  std::vector<char> needs(all.size(), 0);
  std::vector<std::size_t> hard;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!is_convex(all[i].shape.kind)) hard.push_back(i);
  for (std::size_t i = 0; i < hard.size(); ++i)
    for (std::size_t k = i + 1; k < hard.size(); ++k) {
      const SceneShape &a = all[hard[i]], &b = all[hard[k]];
      if (!rule.may_meet(a.object, b.object)) continue;
      if (is_surface(a.shape.kind) && is_surface(b.shape.kind)) {
        for (const std::size_t s : {hard[i], hard[k]}) needs[s] = needs_hulls(rule, all[s]) ? 1 : 0;
      } else if (!can_meet(a.shape.kind, b.shape.kind)) {
        problems.push_back(
            {b.path, fmt::format("{} and {} may come together, and no contact is found "
                                 "between them: one of them must be of convex shapes, or "
                                 "say no_contact",
                                 shown(objects, a), shown(objects, b))});
        return needs;
      }
    }
  return needs;
}

bool are_alike(const SceneShape& a, const SceneShape& b) {
  const Trimesh &m = *a.shape.mesh, &n = *b.shape.mesh;
  return a.hull_accuracy == b.hull_accuracy && m.vertices == n.vertices &&
         std::equal(m.triangles.begin(), m.triangles.end(), n.triangles.begin(), n.triangles.end(),
                    [](const auto& s, const auto& t) { return s.at == t.at; });
}

}  // namespace

void let_meshes_meet(const Objects& objects, Scene& scene, std::vector<Problem>& problems) {
  std::vector<SceneShape>& all = scene.shapes;
  const PairRule rule = scene.rule(objects.fixed);
  const std::vector<char> needs = find_meetings(objects, rule, all, problems);
  std::vector<std::size_t> done;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!needs[i]) continue;
    const auto like = std::find_if(done.begin(), done.end(),
                                   [&](std::size_t k) { return are_alike(all[k], all[i]); });
    if (like != done.end()) {
      all[i].shape.mesh = all[*like].shape.mesh;
      continue;
    }
    auto made = hulls_of(*all[i].shape.mesh, all[i].hull_accuracy);
    if (!made.hulls && rule.is_fixed(all[i].object)) continue;  // it meets them with its triangles
    if (!made.hulls)
      return problems.push_back({all[i].path, fmt::format("{} may meet meshes or heights, and {}",
                                                          shown(objects, all[i]), made.fault)});
    auto mesh = std::make_shared<Trimesh>(*all[i].shape.mesh);
    mesh->hulls = std::move(made.hulls);
    all[i].shape.mesh = std::move(mesh);
    done.push_back(i);
  }
}

}  // namespace trammel::contact
