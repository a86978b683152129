#include "model/contact.h"

#include "model/model.h"

namespace trammel::model {

contact::PairRule pair_rule(const Model& model) {
  std::vector<char> fixed;
  for (const Object& o : model.objects) fixed.push_back(o.block < 0);
  std::vector<std::pair<int, int>> apart;
  for (const auto& [a, b] : model.contacts.excluded) apart.emplace_back(a, b);
  return {model.contacts.colors, std::move(fixed), std::move(apart)};
}

std::span<const NamedColors> electric_colors() {
  static constexpr NamedColors all[] = {{"red", 1},     {"green", 2}, {"blue", 4},  {"yellow", 3},
                                        {"magenta", 5}, {"cyan", 6},  {"white", 7}, {"black", 0}};
  return all;
}

}  // namespace trammel::model
