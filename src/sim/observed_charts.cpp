// How far coordinates of systems are a good chart of where they run. By impulses the flow follows
// its bends to second order; by forces accuracy is controlled, and by energy places are those of
// the objects.
#include <algorithm>

#include "math/index.h"
#include "sim/judgement.h"
#include "sim/observed.h"

namespace trammel::sim {

void Watch::find_charts(const form::Formulation& form) {
  charts_.clear();
  if (!by_impulses_) return;
  int first = 0, coordinates = 0;
  for (const model::PoolSlot& s : model_->pools) {
    if (s.pool->identity()) continue;
    const int n = s.pool->nv;
    std::vector<double> unit(at(n * s.pool->n_blocks));
    s.pool->speed_tolerances(2, 1, unit.data());
    for (int b = 0; b < s.pool->n_blocks; ++b) {
      Chart c{s.v + b * n, n,           form.kinematics().graph().blocks[at(s.block + b)].mass,
              first,       coordinates, 0,
              {}};
      const int objects = s.object + b * s.pool->n_objects;
      c.dials = objects + std::max(0, s.pool->n_objects - n);
      for (int i = 0; i < n; ++i) c.is_angle.push_back(unit[at(b * n + i)] == 1);
      charts_.push_back(std::move(c));
      first += n * n;
      coordinates += n;
    }
  }
  if (seen.inverse_mass.size() == at(first)) return;  // a run that goes on
  seen.inverse_mass.assign(at(first), 0);
  seen.chances.assign(at(coordinates), 0);
  seen.least_inverse.assign(at(coordinates), kNever);
  for (const Chart& c : charts_)
    std::copy_n(form.now().inv_mass.data() + c.mass, c.n * c.n, seen.inverse_mass.data() + c.first);
}

/// With the momenta after the step, the velocities that the mass before it would have made of them.
void Watch::see_charts(const form::Formulation& form, const model::State& state, const Step& step) {
  const double* u = form.velocities().data();
  for (const Chart& c : charts_) {
    double* before = seen.inverse_mass.data() + c.first;
    const double* after = form.now().inv_mass.data() + c.mass;
    for (int i = 0; i < c.n; ++i) {
      double rate = 0;
      for (int k = 0; k < c.n; ++k) rate += before[i * c.n + k] * state.P[at(c.v + k)];
      const double scale = c.is_angle[at(i)] ? 1 : step.reach;
      if (!(scale > 0)) continue;
      see_bend(c, i, step.h * std::abs(u[c.v + i] - rate) / scale,
               {before[i * c.n + i], after[i * c.n + i], state.t});
    }
    std::copy_n(after, c.n * c.n, before);
  }
}

/// Coordinate i of a chart, whose change of mass alone has turned it by so much in a step.
void Watch::see_bend(const Chart& c, int i, double turn, const Inverse& mass) {
  constexpr double kAnother = 2;  // times the mass before, or a part of it
  const int who = std::min(c.dials + i, count(model_->objects) - 1);
  const double least = std::min(mass.before, mass.after), most = std::max(mass.before, mass.after);
  double& before = seen.least_inverse[at(c.coordinate + i)];
  before = std::min(before, least);
  if (turn > seen.bend.worst) seen.bend_share = before / most;
  seen.bend.see(turn, kBendLimit, mass.t, who);
  if (most <= kAnother * least) return;
  double& sum = seen.chances[at(c.coordinate + i)];
  sum += turn / 2;
  seen.chance.see(sum, kBendLimit, mass.t, who);
}

}  // namespace trammel::sim
