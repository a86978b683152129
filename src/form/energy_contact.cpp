// Contact by a barrier in the energy formulation: its steps, and what it exerts on the unknowns.
#include "form/energy_contact.h"

#include <cmath>
#include <limits>

#include "constraint/contact/wrenches.h"
#include "form/energy_carriers.h"
#include "form/energy_contact_way.h"
#include "math/index.h"

namespace trammel::form::energy {

namespace {

/// What each of the objects meets others with; infinite where it does not move.
std::vector<double> masses_met(const Mechanism& m, const model::KinematicsCache& now,
                               const std::vector<int>& objects) {
  std::vector<double> out;
  for (const int o : objects)
    out.push_back(m.model->objects[at(o)].block >= 0 ? mass_met(m, now, at(o))
                                                     : std::numeric_limits<double>::infinity());
  return out;
}

double gravity(const Mechanism& m) {
  return vec3(m.params->values.data() + model::kGravityParam).norm();
}

}  // namespace

bool begin_contact(const Mechanism& m, const Problem& problem, const Past& past, Contact& c) {
  if (!c.any()) return true;
  const Aim& aim = problem.aim;
  c.slip = {aim.rate, aim.two_steps ? aim.back * aim.rate : 0, past.now.at.T_WO, {}};
  if (aim.two_steps) c.slip.before = past.before.at.T_WO;
  const model::KinematicsCache& now = past.now.at;
  stand(*m.model, now.T_WO, masses_met(m, now, c.object), gravity(m), aim.t - now.t, c);
  c.at_start = touching(c);
  take_rubbing(past.now.at.T_WO, c);
  return std::isfinite(barrier_energy(c));
}

double stored_in_contact(const Mechanism& m, const model::KinematicsCache& at, double h,
                         Contact& c) {
  if (!c.any() || !(h > 0)) return 0;
  stand(*m.model, at.T_WO, masses_met(m, at, c.object), gravity(m), h, c);
  return barrier_energy(c);
}

ContactForces contact_forces(const Mechanism& m, const model::KinematicsCache& cache,
                             const Contact& c) {
  const std::vector<body::Transform>& T_WO = cache.T_WO;
  ContactForces out;
  std::vector<body::Covector> of[2];
  for (auto& v : of) v.resize(T_WO.size());
  add_barrier_covectors(c, of[0]);
  add_friction_covectors(T_WO, c, of[1]);
  for (auto* v : {&out.barrier, &out.friction}) v->assign(at(m.model->n_u), 0);
  std::vector<Eigen::Matrix<double, 6, 1>> wrench(T_WO.size(), Eigen::Matrix<double, 6, 1>::Zero());
  for (std::size_t o = 0; o < T_WO.size(); ++o) {
    const model::Object& object = m.model->objects[o];
    for (std::size_t k = 0; k < 2; ++k) {
      body::Covector& force = of[k][o];
      force.f *= -1;
      force.F *= -1;
      std::vector<double>& to = k == 0 ? out.barrier : out.friction;
      body::add_resultant(T_WO[o], force, wrench[o].data());
      if (object.block >= 0)
        pull_back(m, cache, o, force, to.data() + m.model->blocks[at(object.block)].v);
      if (object.moves_freely()) continue;
      double w[6] = {};  // what is on the ground, or a system, is, the other way, on what moves
      body::add_resultant(T_WO[o], force, w);
      out.outside.force -= vec3(w);
      out.outside.moment -= vec3(w + 3) + T_WO[o].p.cross(vec3(w));
    }
  }
  if (m.settings.impulses)
    for (const int o : constraint::touching_objects(*m.model))
      out.wrenches.insert(out.wrenches.end(), wrench[at(o)].begin(), wrench[at(o)].end());
  return out;
}

}  // namespace trammel::form::energy
