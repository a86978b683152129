#pragma once

#include <string>
#include <vector>

#include "form/formulation.h"

namespace trammel::sim {

/// Angles that laws act on, atan2(u.v, w.z), have no meaning where both products vanish, as a yaw
/// at a pitch of 90 deg: near there they turn by any amount in a step, and a law on one pushes as
/// hard. A step that does this has not seen where the motion goes.
class AngleWatch {
 public:
  explicit AngleWatch(const model::Model& model);

  /// Before a step.
  void remember(const model::KinematicsCache& now);
  /// After it: which angle has lost its meaning, as a sentence, or nothing.
  std::string lost(const form::Formulation& formulation, const model::State& state) const;

 private:
  const model::Model* model_;
  std::vector<std::size_t> rows_;
  std::vector<double> before_;
};

}  // namespace trammel::sim
