#pragma once

#include <memory>
#include <vector>

#include "constraint/cone.h"
#include "form/settings.h"
#include "joint/terms.h"
#include "model/constraint_specs.h"
#include "model/kinematics.h"
#include "solve/graph.h"

/// The energy formulation (docs/theory/energy.md) in functions of values. This file: what no step
/// changes.
namespace trammel::form::energy {

/// The point x = w p + A c of an object; w = 0: a direction.
struct MaterialPoint {
  int object = 0;
  double w = 0;
  Vec3 c = Vec3::Zero();
};

/// A closure residual of a joint: rows of the system [first, first + n) of one weight. Linear: the
/// sum of two points, times -1 and 1.
struct WeightedTerm {
  int joint;
  const joint::Term* term;
  int group, first, n;
  double stiffness;       // [N/m], [N m]; as published: times a
  double mass;            // of the joint's heavier end [kg], [kg m^2]
  bool linear, straight;  // straight: the ends' places are linear in q, or at rest
  MaterialPoint A, B;
};

/// A group of the model's rows that is part of the system, with its group there.
struct TakenGroup {
  int from, group;
};

/// The elasticity of an affine body has the energy 1/2 mu |E|^2 of Green's strain E, (1).
struct StrainEnergy {
  int joint, object;
  double mu;  // 8 kappa V [J]
};

/// One number per object.
struct Masses {
  std::vector<double> mass, gyration;  // [kg], radius sqrt(tr S / m) [m]
  std::vector<Mat3> second;            // second moment S in the object's own axes [kg m^2]
  std::vector<double> least_second;    // least principal value of S [kg m^2]
};

struct Strains {
  std::vector<StrainEnergy> energies;  // those that are part of their body's block
  std::vector<char> in_block;          // joints: 1 where it is one of these
  std::vector<double> mu;              // objects: mu of their elasticity, or 0 [J]
  std::vector<char> has_rows;          // objects that have strain rows
};

/// Terms that stand for the rows of soft joints.
struct Terms {
  std::vector<WeightedTerm> all;
  std::vector<int> first;  // first term of each joint, one more at the end
};

/// The rows of the model.
struct ModelRows {
  std::vector<int> in_system;  // row of the system; -1: none
  std::vector<unsigned char> is_length;
  std::vector<double> sizes, paces;  // what values and rates are compared with (model/scales.h)
  std::vector<int> stops;            // unilateral rows
  std::vector<int> values;           // rows that hold a value
  std::vector<solve::Cone> cones;    // of rows of the model
  bool nonholonomic = false;         // there are nonholonomic rows, or friction

  std::size_t size() const { return in_system.size(); }
  /// Calls f(row of the model, row of the system) for rows whose forces have bounds: stops, and
  /// tangent rows of cones.
  template <class F>
  void for_bounded(const F& f) const {
    const auto call = [&](int row) {
      const auto i = static_cast<std::size_t>(row);
      if (in_system[i] >= 0) f(i, static_cast<std::size_t>(in_system[i]));
    };
    for (const int row : stops) call(row);
    for (const solve::Cone& c : cones)
      for (int k = 0; k < c.n; ++k) call(c.tangent[static_cast<std::size_t>(k)]);
  }
};

/// A block whose objects' places are functions of its unknowns (form/energy_carriers.h).
struct Carrier {
  int pool, index;        // of the model; within the pool
  int block, v, n;        // of the model, its first unknown, how many
  int object, n_objects;  // the first
};

/// The mechanism as this formulation sees it. Model and parameters must outlive it.
struct Mechanism {
  const model::Model* model = nullptr;
  const model::Params* params = nullptr;
  Settings settings;
  std::unique_ptr<const model::Kinematics> kin;
  Masses masses;
  Strains strains;
  ModelRows rows;
  std::vector<double> per_size;  // unknowns: 1 over what a motion of theirs is compared with
  std::vector<double> per_turn;  // the same for angles, 0 for lengths
  std::vector<Carrier> carriers;
  std::vector<double> none;  // zeros, where there are carriers: momenta and rates at rest
  std::vector<char> soft;    // joints: 1 where terms stand for their rows
  std::vector<int> part_of_joint;
  solve::Graph graph;             // blocks of unit mass, and the rows that are in the system
  std::vector<TakenGroup> taken;  // groups of the model's rows among these
  Terms terms;
  std::vector<solve::Cone> cones;  // of rows of the system
  bool any_curved = false;         // bodies whose place is not linear in its unknowns
};

Mechanism make_mechanism(const model::Model& model, const model::Params& params,
                         const Settings& settings, const model::ConstraintSpecs& specs);

/// Returns the sum of the masses at both ends [kg]; fixed and prescribed ones have none.
double masses_at(const Mechanism& m, int joint);
/// Returns the mass of the heavier end of a joint, of a coupling that of the joints it couples
/// [kg]; fixed and prescribed ends have none.
double heavier_end(const Mechanism& m, int joint);
/// Returns the length that turns a joint's angles into lengths [m]: that of the settings, or the
/// radius of gyration of its lesser body.
double length_of(const Mechanism& m, int joint);

}  // namespace trammel::form::energy
