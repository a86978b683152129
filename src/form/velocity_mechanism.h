#pragma once

#include <memory>
#include <vector>

#include "form/row_table.h"
#include "form/settings.h"
#include "model/constraint_specs.h"
#include "model/kinematics.h"
#include "model/state.h"
#include "solve/cone.h"

/// The parts of the velocity formulation (form/velocity.h). Each is functions of values: what a
/// function reads are its const arguments, what it makes is its result or the arguments that are
/// not const.
namespace trammel::form::velocity {

/// The law that gives the force of a row.
struct RowLaw {
  const law::Law* law = nullptr;
  double sign = 1;  // see model::RowInfo
};

/// Force rows: rows whose law gives the force.
struct ForceRows {
  std::vector<int> rows, groups;      // the rows, and their groups in the graph
  std::vector<int> functions;         // those whose law is a function of the user
  std::vector<int> timed;             // those whose law is given as a function of the time
  std::vector<unsigned char> damped;  // each row of the mechanism: 1 where the rate has a part in f
  // each row of the mechanism; empty where there are none
  std::vector<RowLaw> law;
  std::vector<unsigned char> is_function;

  bool has(std::size_t row) const { return !law.empty() && law[row].law; }
  /// Its function follows coordinates of other joints.
  bool follows(std::size_t row) const {
    return by_function(row) && law[row].law->function->follows();
  }
  bool by_function(std::size_t row) const { return !is_function.empty() && is_function[row]; }
};

/// What steps read and do not change. From one load() to the next all of it stays as it is.
struct Mechanism {
  Mechanism(const model::Model& model, const model::Params& params, const Settings& settings,
            const model::ConstraintSpecs& specs);

  const model::Model* model;
  const model::Params* params;
  Settings settings;
  std::unique_ptr<model::Kinematics> kin;
  RowTable table;  // `others` and `equality`: see sort_rows()
  std::vector<solve::Cone> cones;
  ForceRows forces;
  std::vector<int> stops;        // rows that have stops
  std::vector<double> per_size;  // coordinates: 1 over what they are compared with
  std::vector<double> gravity;   // f of every step where constant_forces, since load(); else empty
  bool composable = true;        // nothing dissipates or has bounds: order 4 by composition
  bool rolls = false;            // there are nonholonomic rows
  bool own_motion = false;       // there are bodies without Pool::identity(): their kind may have
                                 // forces of its own
  bool constant_forces = false;  // f is the same in every step
  bool light = false;            // there are light bodies: all steps are exact
  bool finds_stops = true;       // steps end where stops close, see finds_stops_of()

  const model::RowInfo& row(std::size_t i) const { return model->rows[i]; }
  const model::Joint& joint_of(std::size_t row) const {
    return model->joints[static_cast<std::size_t>(model->rows[row].joint)];
  }
  /// Returns the force of its law on a force row of value g and rate `rate`. As model::row_force(),
  /// which goes through the model's tables each time.
  law::Force force(std::size_t row, double g, double rate, const law::Instant& now) const {
    const RowLaw& on = forces.law[row];
    const double* p = params->values.data() + on.law->first_param;
    const law::Force f = law::force(*on.law, p, on.sign * g, on.sign * rate, now);
    return {on.sign * f.f, f.f_x, f.f_v};
  }
};

/// Separates equality constraints, whose joint is on, from all other rows.
void sort_rows(const model::Kinematics& kin, const model::ConstraintSpecs& specs,
               const model::State& state, RowTable& table);

}  // namespace trammel::form::velocity
