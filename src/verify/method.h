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
  int order = 2;      // nominal, refined by its steps, see refinement.h; 0: by its accuracy
  bool soft = false;  // refined by stiffness too, see stiffened()
  const model::Built* built = nullptr;
  double times = 1;                // as stiff
  std::vector<int> compared = {};  // objects whose motion is compared; empty: all that move freely
};

/// One that cannot be taken, and why.
struct LeftOut {
  std::string name, why;
};

struct Methods {
  std::vector<Method> methods;
  std::vector<LeftOut> left_out;
};

/// How many times as stiff a soft method's runs are made from one to the next, and how many of
/// them.
constexpr double kStiffer = 4;
constexpr int kStiffnesses = 3;

/// The method with all that is soft in it kStiffer^level times as stiff: joints, laws that hold and
/// drive, and the speeds over which frictions and motors with bounds are smoothed, so many times
/// less; so is the distance of the barrier of contact. `holder` is what it is a method of.
Method stiffened(const Method& method, int level, model::Built& holder);

/// All ways in which the mechanism can be solved; the scene's own among them.
Methods methods_of(const model::Built& built, const form::Settings& own);

/// Adds the methods of a twin: the same mechanism made of something else. Compared are the bodies
/// that both have by name; a body "part.wheel" of one is the "wheel" of the other where that has no
/// such part. Throws std::invalid_argument: they have none in common, or begin at different times.
void add_twin(Methods& methods, const model::Built& built, const model::Built& twin,
              const Methods& of_twin);

}  // namespace trammel::verify
