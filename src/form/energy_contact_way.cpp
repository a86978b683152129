#include "form/energy_contact_way.h"

#include "form/energy_carriers.h"
#include "math/index.h"

namespace trammel::form::energy {

namespace {

/// Computes where a part of dq from q has the objects of carriers.
void carried_at(const Mechanism& m, const double* q, const double* dq, double part,
                std::vector<body::Transform>& out) {
  out.resize(m.model->objects.size());
  std::vector<double> to, way, jacobian;
  for (const Carrier& c : m.carriers) {
    if (c.index != 0) continue;
    const model::PoolSlot& s = m.model->pools[at(c.pool)];
    const int n = s.pool->n_blocks;
    to.assign(q + s.q, q + s.q + n * s.pool->nq);
    way.assign(dq + s.v, dq + s.v + n * s.pool->nv);
    for (double& x : way) x *= part;
    s.pool->retract_turning(way.data(), to.data());
    jacobian.resize(at(6 * n * s.pool->n_objects * s.pool->nv));
    s.pool->transforms(m.kin->derived().data() + s.derived, to.data(), &out[at(s.object)],
                       jacobian.data());
  }
}

}  // namespace

bool chord_ends(const Mechanism& m, const std::vector<body::Transform>& T_WO, const double* q,
                const double* dq, const Contact& c, std::vector<body::Transform>& ends) {
  std::vector<body::Transform> half;
  carried_at(m, q, dq, 0.5, half);
  carried_at(m, q, dq, 1, ends);
  return follow_chords(*m.model, T_WO, half, ends, c);
}

}  // namespace trammel::form::energy
