#include "contact/scene.h"

#include <algorithm>

namespace trammel::contact {

std::vector<int> Scene::objects() const {
  std::vector<int> out;
  for (const SceneShape& s : shapes) out.push_back(s.object);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

PairRule Scene::rule(std::vector<char> fixed) const {
  std::vector<std::pair<int, int>> apart;
  for (const auto& [a, b] : excluded) apart.emplace_back(a, b);
  return {colors, std::move(fixed), std::move(apart)};
}

std::span<const NamedColors> electric_colors() {
  static constexpr NamedColors all[] = {{"red", 1},     {"green", 2}, {"blue", 4},  {"yellow", 3},
                                        {"magenta", 5}, {"cyan", 6},  {"white", 7}, {"black", 0}};
  return all;
}

}  // namespace trammel::contact
