// Who may touch whom.
#include <fmt/core.h>

#include <algorithm>

#include "contact/mesh_meetings.h"
#include "math/index.h"

namespace trammel::contact {

namespace {

using Pairs = std::vector<std::array<int, 2>>;

std::string path_of(const std::vector<PairSpec>& specs, std::size_t i, const char* list) {
  return specs[i].path.empty() ? fmt::format("{}[{}]", list, i) : specs[i].path;
}

/// Adds the pairs of bodies among those that a spec names.
void add_pairs(const PairSpec& s, const std::string& path, const Objects& all, Pairs& out,
               std::vector<Problem>& problems) {
  if (s.between.size() < 2)
    problems.push_back(
        {path, fmt::format("names {} bodies, two or more are needed", s.between.size())});
  std::vector<int> objects;
  for (std::size_t k = 0; k < s.between.size(); ++k)
    objects.push_back(all.find(s.between[k], fmt::format("{}[{}]", path, k)));
  for (std::size_t a = 0; a < objects.size(); ++a)
    for (std::size_t b = a + 1; b < objects.size(); ++b)
      if (objects[a] < 0 || objects[b] < 0)
        continue;
      else if (objects[a] == objects[b])
        problems.push_back(
            {fmt::format("{}[{}]", path, b), fmt::format("'{}' stands here twice", s.between[b])});
      else
        out.push_back({std::min(objects[a], objects[b]), std::max(objects[a], objects[b])});
}

Pairs pairs_of(const std::vector<PairSpec>& specs, const char* list, const Objects& objects,
               std::vector<Problem>& problems) {
  Pairs out;
  for (std::size_t i = 0; i < specs.size(); ++i)
    add_pairs(specs[i], path_of(specs, i, list) + ".between", objects, out, problems);
  std::sort(out.begin(), out.end());
  return out;
}

bool has(const Pairs& sorted, const std::array<int, 2>& pair) {
  return std::binary_search(sorted.begin(), sorted.end(), pair);
}

/// Complains of bodies that are to touch and are kept apart by nothing, or are said not to.
void check_touching(const Pairs& touching, const Pairs& apart, const Pairs& joined,
                    const std::string& path, const Objects& objects,
                    std::vector<Problem>& problems) {
  const auto named = [&](const std::array<int, 2>& p) {
    return fmt::format("'{}' and '{}'", objects.names[at(p[0])], objects.names[at(p[1])]);
  };
  for (const auto& p : touching)
    if (has(apart, p))
      problems.push_back({path, fmt::format("{} are to touch, and to have no contact", named(p))});
    else if (!has(joined, p))
      problems.push_back(
          {path,
           fmt::format("{} are kept apart by no joint: they touch without saying so", named(p))});
}

}  // namespace

void pair_up(const Specs& specs, const Objects& objects, const Pairs& joined, Scene& scene,
             std::vector<Problem>& problems) {
  const Pairs apart = pairs_of(specs.apart, "no_contact", objects, problems);
  const Pairs touching = pairs_of(specs.touching, "contact_pair", objects, problems);
  const std::string path = specs.touching.empty() ? "" : path_of(specs.touching, 0, "contact_pair");
  check_touching(touching, apart, joined, path, objects, problems);
  scene.colors.resize(objects.names.size(), kWhite);
  Pairs& all = scene.excluded;
  for (const auto& p : joined)
    if (!has(touching, p)) all.push_back(p);
  all.insert(all.end(), apart.begin(), apart.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  let_meshes_meet(objects, scene, problems);
}

}  // namespace trammel::contact
