#pragma once

#include <memory>

#include "model/draft.h"

namespace trammel::model {

/// Joints of one row each, the last ones of the draft's model, that hold the coordinates given
/// while the start is made; they are gone with this. They are off at first.
class GivenRows {
 public:
  explicit GivenRows(Draft& draft);
  ~GivenRows();
  GivenRows(const GivenRows&) = delete;
  GivenRows& operator=(const GivenRows&) = delete;

  /// Lets those hold, and no others, of which `which` is true.
  template <class Which>
  void hold(const Which& which) {
    for (const Given& g : draft_->given)
      draft_->state.on[static_cast<std::size_t>(g.held)] = which(g) ? 1 : 0;
  }

 private:
  void add(Given& given);

  Draft* draft_;
  std::size_t joints_, couplings_, sources_, rows_, groups_;
  int angles_;
  std::shared_ptr<const Topology> topology_;
};

/// The row, and the source, that hold a coordinate.
inline std::size_t row_of(const Model& model, const Given& given) {
  return static_cast<std::size_t>(model.joints[static_cast<std::size_t>(given.held)].first_row);
}
inline std::size_t source_of(const Model& model, const Given& given) {
  const Joint& j = model.joints[static_cast<std::size_t>(given.held)];
  return static_cast<std::size_t>(
      model.couplings[static_cast<std::size_t>(j.coupling)].first_source);
}

}  // namespace trammel::model
