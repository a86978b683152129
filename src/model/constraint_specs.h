#pragma once

#include <vector>

#include "model/model.h"
#include "model/state.h"

namespace trammel::model {

/// Holds what the laws specify for all rows at time t; constant ones are evaluated once. A law
/// refers to a coordinate: where that runs against its row (RowInfo::sign), values, targets, forces
/// and bounds here are already turned round into the row's.
class ConstraintSpecs {
 public:
  ConstraintSpecs(const Model& model, const Params& params);
  void at(double t);
  /// Takes up, after at(), what constraints owe to the values and the rates of their rows.
  void follow(const std::vector<double>& g, const std::vector<double>& rate,
              const law::Instant& now);
  /// The rows whose constraints do.
  const std::vector<std::size_t>& following() const { return following_; }
  /// Holds a row at a value and a rate of its own, whatever its law says.
  void hold(std::size_t row, const Jet& target);
  /// Puts another specification in the place of a row's, which is not an equality constraint.
  void put(std::size_t row, const law::ConstraintSpec& spec);
  const law::ConstraintSpec& operator[](std::size_t row) const {
    return specs_[static_cast<std::size_t>(which_[row])];
  }
  std::size_t size() const { return which_.size(); }
  /// True for an equality constraint, which is held at zero without bounds and does no work.
  bool is_equality(std::size_t row) const { return which_[row] == equality_; }

 private:
  const Model* model_;
  const Params* params_;
  std::vector<law::ConstraintSpec> specs_;  // one for all equality constraints
  std::vector<int> which_;                  // index into specs_ for each row
  int equality_ = -1;                       // index of the equality constraint; -1: none
  std::vector<std::size_t> varying_, following_;
};

/// Marks the objects that strain: affine bodies whose shape is held by springs.
std::vector<char> deformable(const Model& model, const ConstraintSpecs& specs);
/// True where the joint's closure residuals hold more than its rows do: where an end strains, Ax-Bx
/// holds the stretch of an axis besides its direction.
bool terms_hold_more(const Joint& joint, const std::vector<char>& deformable);

/// Returns the force of its law on a row of value g and rate `rate`, with its slopes.
law::Force row_force(const Model& model, const Params& params, int row, double g, double rate,
                     const law::Instant& now);
/// Mean f of a row's force at zero rate on the way between two values at that instant. It keeps the
/// energy balance: f (to - from) is the work of a force that has a potential. f_to is its slope by
/// `to`.
struct MeanForce {
  double f = 0, f_to = 0;
};
MeanForce row_mean_force(const Model& model, const Params& params, int row, double from, double to,
                         const law::Instant& now);
/// Returns the law's incremental potential over a step at the row's value g, with its derivatives;
/// x_n, v_n of `scheme` are the row's.
law::Potential row_potential(const Model& model, const Params& params, int row, double g,
                             law::Scheme scheme);
/// Returns the energy stored by the laws that have one, at the rows' values g [J].
double stored_energy(const Model& model, const Params& params, const State& state,
                     const std::vector<double>& g);

}  // namespace trammel::model
