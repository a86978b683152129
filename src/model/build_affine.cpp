// Affine bodies: second moments of mass, and the rows of their strain with the laws on them.
#include <fmt/core.h>

#include <cmath>

#include "body/affine.h"
#include "body/moments.h"
#include "body/rigid.h"
#include "math/dense.h"
#include "math/rotation.h"
#include "model/build_bodies.h"
#include "model/build_rows.h"

namespace trammel::model {

namespace {

/// Second moment of mass about the centre; complains where it is not positive, as of a thin plate.
Mat3 second_moment(Draft& d, const BodySpec& s, const MassOf& m) {
  const Mat3 S = body::second_of_inertia(body::inertia_matrix(m.inertia.data()));
  const Vec3 e = dense::principal_values(S);  // rising
  if (e[0] > 1e-12 * e[2]) return S;
  d.complain(s.path, fmt::format("body '{}': an affine body has mass spread in three directions; "
                                 "its second moments are {:.6g}, {:.6g}, {:.6g} kg m^2",
                                 s.name, e[0], e[1], e[2]));
  return Mat3::Identity();
}

/// Stiffness times volume [J].
double elastic_energy(Draft& d, const BodySpec& s) {
  const Elastic& e = *s.affine;
  const std::size_t before = d.problems.size();
  if (!(e.stiffness > 0))
    d.complain(s.path + ".stiffness", fmt::format("body '{}': its stiffness must be positive, not "
                                                  "{} Pa",
                                                  s.name, e.stiffness));
  if (!(e.strain_limit > 0))
    d.complain(
        s.path + ".strain_limit",
        fmt::format("body '{}': the strain that is said to be too much must be positive, not "
                    "{}",
                    s.name, e.strain_limit));
  if (std::isinf(e.stiffness)) return law::kInf;
  if (!e.volume && !s.solid)
    d.complain(s.path, fmt::format("body '{}': an elastic body needs a solid or a volume", s.name));
  if (e.volume && s.solid)
    d.complain(s.path + ".volume",
               fmt::format("body '{}': its volume is that of its solid", s.name));
  if (e.volume && !(*e.volume > 0 && std::isfinite(*e.volume)))
    d.complain(s.path + ".volume", fmt::format("body '{}': its volume must be positive, not {} m^3",
                                               s.name, *e.volume));
  if (d.problems.size() > before) return 1;
  return e.stiffness * (e.volume ? *e.volume : volume(*s.solid));
}

void put_rows(std::vector<double>& to, const Vec3& p, const Mat3& A) {
  to.insert(to.end(), {p.x(), p.y(), p.z()});
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) to.push_back(A(i, k));
}

void add_affine(Draft& d, body::AffinePool& pool, const PoolSlot& slot, const BodySpec& s,
                const std::vector<JointSpec>& joints) {
  const auto index = static_cast<int>(d.model.objects.size());
  if (!d.claim(s.name, s.path, "body", d.objects, index)) return;
  const MassOf m = mass_of(d, s, false);
  const Mat3 S = second_moment(d, s, m);
  const double energy = elastic_energy(d, s);
  d.add_params("body." + s.name, {"mass", "Sxx", "Syy", "Szz", "Sxy", "Sxz", "Syz"},
               {m.mass, S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(0, 2), S(1, 2)});
  const Start start = start_of(d, s, joints);
  const Mat3 R = Quat(start.X_WB.R).normalized().toRotationMatrix();
  put_rows(d.state.q, start.X_WB.p + start.X_WB.R * s.com, R);
  put_rows(d.u, start.v, skew(start.w) * R);
  Object o{s.name};
  o.motion_kind = pool.motion_kind();
  o.block = slot.block + pool.n_blocks;
  o.pool = static_cast<int>(d.model.pools.size());
  o.index = pool.n_blocks++;
  o.com = s.com;
  o.strain_limit = s.affine->strain_limit;
  d.model.blocks.push_back(
      {o.pool, o.index, slot.q + pool.nq * o.index, slot.v + pool.nv * o.index, pool.nv});
  d.model.objects.push_back(std::move(o));
  d.X_WB.push_back(start.X_WB);
  d.strained.push_back({index, energy, s.path, s.affine->energy});
}

/// A spring on the strain, at rest without it: two blocks of parameters a body.
law::Law spring(Draft& d, const std::string& owner, double stiffness) {
  law::Law law;
  law.type = law::find_type("spring");
  law.first_param =
      d.add_params(owner, {"stiffness", "damping", "rest", "preload"}, {stiffness, 0, 0, 0});
  return law;
}

}  // namespace

void add_affine_bodies(Draft& d, const std::vector<const BodySpec*>& specs,
                       const std::vector<JointSpec>& joints) {
  auto pool = std::make_shared<body::AffinePool>();
  PoolSlot slot;
  slot.block = static_cast<int>(d.model.blocks.size());
  slot.object = static_cast<int>(d.model.objects.size());
  slot.q = d.model.n_q;
  slot.v = d.model.n_u;
  slot.param = static_cast<int>(d.params.values.size());
  slot.derived = d.model.n_derived;
  slot.jacobian = d.model.n_jacobian;
  for (const BodySpec* s : specs) add_affine(d, *pool, slot, *s, joints);
  if (pool->n_blocks == 0) return;
  d.model.n_q += pool->nq * pool->n_blocks;
  d.model.n_u += pool->nv * pool->n_blocks;
  d.model.n_derived += pool->n_derived * pool->n_blocks;
  slot.pool = std::move(pool);
  d.model.pools.push_back(std::move(slot));
}

void Draft::add_strains() {
  laws_of.resize(model.joints.size() + strained.size());
  for (const Strained& s : strained) {
    const std::string& body = model.objects[static_cast<std::size_t>(s.object)].name;
    Joint j;
    j.name = body + ".strain";
    j.path = s.path;
    const bool as_rigid = s.energy == Elastic::Energy::as_rigid;
    j.table = std::shared_ptr<const joint::Table>(
        std::shared_ptr<void>{}, as_rigid ? &joint::stretch_table() : &joint::strain_table());
    j.object_A = j.object_B = s.object;
    j.first_row = static_cast<int>(model.rows.size());
    const int index = static_cast<int>(model.joints.size());
    model.joints.push_back(std::move(j));
    if (std::isinf(s.stiffness)) {
      JointSpec locked;
      locked.name = body + ".strain";
      add_rows(*this, index, locked);
      continue;
    }
    // the energy as the sum of 1/2 k g^2, see joint::strain_table and stretch_table
    const double k = (as_rigid ? 2 : 8) * s.stiffness;
    const law::Law stretch = spring(*this, "strain." + body, k),
                   shear = spring(*this, "shear." + body, 2 * k);
    add_rows_under(*this, index, [&](const joint::Row& row) {
      return row.of[0].u == row.of[0].v ? stretch : shear;
    });
  }
}

}  // namespace trammel::model
