#pragma once

#include <string>
#include <vector>

#include "form/formulation.h"
#include "model/builder.h"
#include "model/guidance.h"

namespace trammel::sim {

/// Rows that agree at the start and contradict each other later: which joints they belong to. Each
/// answer is a sentence, empty where there is no conflict.
class Conflicts {
 public:
  Conflicts(const model::Built& built, const form::Settings& form,
            const form::Formulation& formulation);

  /// There are more rows than are independent.
  bool possible() const { return surplus_ > 0; }
  /// Why a step from this state to t fails, along tracks within so many metres.
  std::string at_failure(const model::State& state, double t, double way) const;
  /// Behind the border that a joint along a track has come to.
  std::string behind(const model::State& state, int joint, bool ahead) const;
  /// Returns a contradiction of joints that a minimum of the energy leaves apart, soft or not.
  std::string hidden(const model::State& state) const;
  /// Returns a contradiction of joints after a step that has taken most of the motion.
  std::string jammed(const model::State& state) const;

 private:
  std::string of_positions(const model::State& state, double t) const;
  std::string of(const model::TightGuidance& pair, double s) const;
  double s_of(const model::State& state, int joint) const;
  double way_to_border(const model::State& state, int joint, bool ahead) const;

  const model::Model* model_;
  const model::Params* params_;
  const form::Formulation* formulation_;
  std::vector<model::TightGuidance> tight_;
  int surplus_ = 0;
  bool yields_ = false;  // a step may end with rows that are not met
};

}  // namespace trammel::sim
