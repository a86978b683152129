#pragma once

#include <string>
#include <vector>

#include "contact/law.h"
#include "contact/spec.h"

/// All that a scene says of contact beside its bodies.
namespace trammel::contact {

/// Bodies that never touch one another, or do though joints connect them.
struct PairSpec {
  std::vector<std::string> between;  // two bodies or more, each with each
  std::string path = {};
};

/// What is said of contact beside bodies.
struct Specs {
  std::vector<MaterialSpec> materials;
  std::vector<LawSpec> laws;
  std::vector<Spec> obstacles;
  std::vector<PairSpec> apart, touching;
};

}  // namespace trammel::contact
