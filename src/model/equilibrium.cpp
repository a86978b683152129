#include "model/equilibrium.h"

namespace trammel::model {

EquilibriumReport find_equilibrium(Draft&, const Kinematics&, ConstraintSpecs&, GivenRows&, double,
                                   KinematicsCache&) {
  return {};
}

}  // namespace trammel::model
