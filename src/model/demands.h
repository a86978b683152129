#pragma once

#include <vector>

#include "model/model.h"
#include "model/state.h"

namespace trammel::model {

/// What the laws ask of all rows at time t. Constant ones are asked once. A law speaks of a
/// coordinate; where that runs against its row (RowInfo::sign) everything here is already turned
/// round: values, targets, forces and bounds are the row's.
class Demands {
 public:
  Demands(const Model& model, const Params& params);
  void at(double t);
  const law::Demand& operator[](std::size_t row) const {
    return demands_[static_cast<std::size_t>(which_[row])];
  }
  std::size_t size() const { return which_.size(); }
  /// Held at zero without bounds, and does no work.
  bool plain(std::size_t row) const { return which_[row] == plain_; }

 private:
  const Model* model_;
  const Params* params_;
  std::vector<law::Demand> demands_;  // one for all plain locks
  std::vector<int> which_;            // of them, each row
  int plain_ = -1;                    // of them
  std::vector<std::size_t> varying_;
};

/// Objects that strain: affine bodies whose shape is sprung.
std::vector<char> straining(const Model& model, const Demands& demands);
/// Whether the joint's matching terms hold more than its rows do: where an end strains, Ax-Bx holds
/// the stretch of an axis besides its direction.
bool terms_hold_more(const Joint& joint, const std::vector<char>& straining);

/// The force on a row of value g and rate `rate` from its law's force answer.
law::Force row_force(const Model& model, const Params& params, int row, double g, double rate,
                     double t);
/// Mean of a row's force at rest on the way from one place to another at time t, in which energy
/// comes out: f (to - from) is the work of what has a potential. f_to: its slope by `to`.
struct MeanForce {
  double f = 0, f_to = 0;
};
MeanForce row_mean_force(const Model& model, const Params& params, int row, double from, double to,
                         double t);
/// Of the law's incremental potential at the row's value g over a step: x_n, v_n of `scheme` are
/// the row's.
law::Potential row_potential(const Model& model, const Params& params, int row, double g,
                             law::Scheme scheme);
/// Stored energy of the laws that have one, at the rows' values g [J].
double stored_energy(const Model& model, const Params& params, const State& state,
                     const std::vector<double>& g);

}  // namespace trammel::model
