#include "units/claim.h"

#include <fmt/core.h>

namespace trammel {

bool claim(const std::string& name, const std::string& path, const char* what,
           std::unordered_map<std::string, int>& names, int index, std::vector<Problem>& problems) {
  if (name.empty()) {
    problems.push_back({path + ".name", fmt::format("a {} needs a name", what)});
    return false;
  }
  if (!names.emplace(name, index).second) {
    problems.push_back(
        {path + ".name", fmt::format("the name '{}' is taken by another {}", name, what)});
    return false;
  }
  return true;
}

}  // namespace trammel
