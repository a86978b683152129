#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "units/problem.h"

namespace trammel {

/// Takes a name of a `what` into `names`, with its index. Returns false where it may not be used,
/// which is complained of: it is empty, or taken.
bool claim(const std::string& name, const std::string& path, const char* what,
           std::unordered_map<std::string, int>& names, int index, std::vector<Problem>& problems);

}  // namespace trammel
