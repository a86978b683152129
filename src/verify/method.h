#pragma once

#include <string>
#include <vector>

#include "form/settings.h"
#include "model/builder.h"

namespace trammel::verify {

/// A way of solving: a mechanism, a formulation, and how it is refined.
struct Method {
  std::string name;
  form::Settings form;
  int order = 2;  // nominal, refined by steps of h, h/2, h/4; 0: by its accuracy
  const model::Built* built = nullptr;
};

/// One that cannot be taken, and why.
struct LeftOut {
  std::string name, why;
};

struct Methods {
  std::vector<Method> methods;
  std::vector<LeftOut> left_out;
};

/// All ways in which the mechanism can be solved; the scene's own among them.
Methods methods_of(const model::Built& built, const form::Settings& own);

}  // namespace trammel::verify
