// The mechanism as the energy formulation sees it: what is weighed, which joints are sums of
// squares and which rows are in the joints' system.
#include "form/energy_mechanism.h"

#include <algorithm>
#include <cmath>

#include "body/moments.h"
#include "body/rigid.h"
#include "constraint/row_kinds.h"
#include "form/energy_dampers.h"
#include "math/dense.h"
#include "math/index.h"

namespace trammel::form::energy {

namespace {

/// Takes mass and second moment of the objects of blocks that carry them. They may have none.
void take_carried(const model::PoolSlot& s, const double* params, Masses& out) {
  for (int i = 0; i < s.pool->n_blocks * s.pool->n_objects; ++i) {
    const auto o = at(s.object + i);
    const int block = i / s.pool->n_objects, object = i % s.pool->n_objects;
    out.mass[o] = s.pool->mass(params, block, object);
    const auto inertia = s.pool->inertia(params, block, object);
    if (!inertia) continue;
    const Mat3 S = body::second_of_inertia(body::inertia_matrix(inertia->data()));
    out.second[o] = S;
    out.least_second[o] = dense::principal_values(S)[0];
    if (out.mass[o] > 0) out.gyration[o] = std::sqrt(std::max(0.0, S.trace()) / out.mass[o]);
  }
}

/// Computes mass, second moment S and radius of gyration of every object.
Masses masses_of(const model::Model& model, const model::Params& params,
                 const model::Kinematics& kin) {
  Masses out;
  for (auto* v : {&out.mass, &out.gyration, &out.least_second}) v->assign(model.objects.size(), 0);
  out.second.assign(model.objects.size(), Mat3::Zero());
  std::vector<body::Transform> upright(model.objects.size());
  std::vector<double> H;
  for (const model::PoolSlot& s : model.pools) {
    const int n = s.pool->nv;
    if (!s.pool->identity()) {
      take_carried(s, params.values.data() + s.param, out);
      continue;
    }
    H.assign(at(n * n * s.pool->n_blocks), 0);
    s.pool->embedded_mass(kin.derived().data() + s.derived, nullptr, upright.data(), H.data());
    for (int i = 0; i < s.pool->n_blocks; ++i) {
      const double* M = H.data() + n * n * i;
      const auto o = at(s.object + i);
      Mat3 S;
      for (int k = 0; k < 9; ++k) S(k / 3, k % 3) = M[n * (3 + k / 3) + 3 + k % 3];
      S = body::second_moment(s.pool->motion_kind(), S);
      out.second[o] = S;
      out.least_second[o] = dense::principal_values(S)[0];
      out.mass[o] = M[0];
      out.gyration[o] = std::sqrt(S.trace() / M[0]);
    }
  }
  return out;
}

/// Returns k, if the six strains of a body have the potentials 1/2 k g^2 and k g^2; 0: they have
/// others.
double spring_of_strain(const model::Model& model, const model::Params& params,
                        const model::ConstraintSpecs& specs, const model::Joint& joint) {
  if (joint.table->rows.size() != 6) return 0;
  double mu = 0;
  for (int i = joint.first_row; i < joint.first_row + 6; ++i) {
    const joint::Row& row = model.rows[at(i)].row;
    if (!row.fn->green || specs[at(i)].holds_value()) return 0;
    const auto potential = [&](double x, double rate) {
      law::Scheme scheme;
      scheme.dv_dx = rate;
      return model::row_potential(model, params, i, x, scheme);
    };
    const double k = potential(0, 0).dd, share = row.of[0].u == row.of[0].v ? 1 : 2;
    if (mu == 0) mu = k / share;
    for (const double x : {-0.5, 0., 1.})
      for (const double rate : {0., 1e3}) {
        const law::Potential p = potential(x, rate);
        if (p.dd != k || p.d != k * x || k != share * mu || !(k > 0)) return 0;
      }
  }
  return mu;
}

Strains strains_of(const model::Model& model, const model::Params& params,
                   const model::ConstraintSpecs& specs) {
  Strains out;
  out.in_block.assign(model.joints.size(), 0);
  out.mu.assign(model.objects.size(), 0);
  out.has_rows.assign(model.objects.size(), 0);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const model::Joint& joint = model.joints[j];
    if (!joint.strain()) continue;
    out.has_rows[at(joint.object_A)] = 1;
    const double mu = spring_of_strain(model, params, specs, joint);
    if (mu == 0) continue;
    out.in_block[j] = 1;
    out.mu[at(joint.object_A)] = mu;
    out.energies.push_back({static_cast<int>(j), joint.object_A, mu});
  }
  return out;
}

ModelRows rows_of(const model::Model& model, const model::ConstraintSpecs& specs) {
  ModelRows out;
  out.in_system.assign(model.rows.size(), -1);
  out.cones = constraint::cones_of(model, specs);
  out.nonholonomic = !out.cones.empty();
  constraint::RowKinds kinds = constraint::kinds_of(specs);
  out.stops = std::move(kinds.stops);
  out.values = std::move(kinds.values);
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const joint::Row& row = model.rows[i].row;
    out.is_length.push_back(row.unit() == joint::Unit::metre);
    out.sizes.push_back(model.scales.value(row.unit()));
    out.paces.push_back(model.scales.rate(row.unit()));
    out.nonholonomic |= !row.holonomic();
  }
  return out;
}

/// True where terms stand for the joint: its own rows are equality constraints, so that its terms
/// are the same joint. At bodies that strain soft joints must tend to those held by rows, so rows
/// are taken there; as published, joints are always their terms.
bool by_terms(const model::Joint& j, const Settings& settings, const model::ConstraintSpecs& specs,
              const std::vector<char>& deformable) {
  if (std::isinf(settings.joint_stiffness) || j.table->terms.empty()) return false;
  if (settings.joint_stiffness > 0 && model::terms_hold_more(j, deformable)) return false;
  for (std::size_t r = 0; r < j.table->rows.size(); ++r)
    if (!specs.is_equality(at(j.first_row) + r)) return false;
  return !j.table->rows.empty();
}

std::vector<char> soft_joints(const model::Model& model, const Settings& settings,
                              const model::ConstraintSpecs& specs) {
  const std::vector<char> deformable = model::deformable(model, specs);
  std::vector<char> out;
  for (const model::Joint& j : model.joints)
    out.push_back(by_terms(j, settings, specs, deformable));
  for (const model::LawOnRow& law : model.laws)  // what presses on a friction are rows
    if (law.load >= 0) out[at(law.load)] = 0;
  return out;
}

/// Adds to the graph the groups of rows that neither terms nor the blocks stand for, and returns
/// them; in_system becomes where each row is.
std::vector<TakenGroup> take_groups(const Mechanism& m, solve::Graph& graph,
                                    std::vector<int>& in_system) {
  std::vector<TakenGroup> out;
  std::vector<int> touched;
  for (std::size_t g = 0; g < m.model->groups.size(); ++g) {
    const solve::Graph::Group& from = m.kin->graph().groups[g];
    const auto j = at(m.model->groups[g].joint);
    const model::Joint& joint = m.model->joints[j];
    const auto own = static_cast<int>(joint.table->rows.size());
    const bool all_own = from.row + from.m <= joint.first_row + own;
    if (all_own && (m.soft[j] || m.strains.in_block[j])) continue;
    touched.clear();
    for (int e = from.end; e < from.end + from.n_ends; ++e)
      touched.push_back(m.kin->graph().ends[at(e)].block);
    out.push_back({static_cast<int>(g), graph.add_group(from.m, touched)});
    for (int r = 0; r < from.m; ++r) in_system[at(from.row + r)] = graph.groups.back().row + r;
  }
  return out;
}

/// Whether the object's place is linear in its unknowns, or at rest.
bool moves_straight(const model::Object& o) {
  return o.at_rest() || (o.block >= 0 && body::is_embedded(o.motion_kind));
}

/// True for a term of two points or directions, neither of which slides: x_B - x_A, or u - v. Then
/// sets its points A and B.
bool find_points(const model::Joint& joint, WeightedTerm& t) {
  using Kind = joint::Term::Kind;
  using joint::Feature;
  const Feature A = t.term->kind == Kind::vector ? Feature::D : t.term->u;
  const Feature B = t.term->kind == Kind::vector ? Feature::D : t.term->v;
  const auto of_A = [](Feature f) { return f <= Feature::Az; };
  const auto of_B = [](Feature f) { return f >= Feature::Bx && f <= Feature::Bz; };
  t.A.object = joint.object_A;
  t.B.object = joint.object_B;
  if (t.term->kind == Kind::vector && t.term->u == Feature::D) {
    t.A = {joint.object_A, -1, -joint.X_OA.p};
    t.B = {joint.object_B, 1, joint.X_OB.p};
    return true;
  }
  if (t.term->kind != Kind::difference || !of_A(A) || !of_B(B)) return false;
  t.A = {joint.object_A, 0, joint.X_OA.R.col(static_cast<int>(A))};
  t.B = {joint.object_B, 0, -joint.X_OB.R.col(static_cast<int>(B) - static_cast<int>(Feature::Bx))};
  return true;
}

/// Adds the terms of a joint to the list, and their groups to the graph.
void add_terms(const Mechanism& m, int j, solve::Graph& graph, std::vector<WeightedTerm>& terms) {
  const model::Joint& joint = m.model->joints[at(j)];
  const double stiffness = m.settings.joint_stiffness;
  const double k = stiffness < 0 ? -stiffness * masses_at(m, j) : stiffness;
  const double length = length_of(m, j), mass = heavier_end(m, j);
  std::vector<int> touched;
  for (const int o : {joint.object_A, joint.object_B})
    if (const int b = m.model->objects[at(o)].block;
        b >= 0 && std::find(touched.begin(), touched.end(), b) == touched.end())
      touched.push_back(b);
  // groups have at most six rows; a term is not split
  const std::vector<joint::Term>& all = joint.table->terms;
  int group = -1, row = 0, end = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (row == end) {
      int n = 0;
      for (std::size_t next = i; next < all.size() && n + joint::components(all[next]) <= 6; ++next)
        n += joint::components(all[next]);
      group = graph.add_group(n, touched);
      row = graph.groups.back().row;
      end = row + n;
    }
    const int n = joint::components(all[i]);
    const double square = joint::is_length(all[i]) ? 1 : length * length;
    terms.push_back({j, &all[i], group, row, n, k * square, mass * square, false, false, {}, {}});
    WeightedTerm& t = terms.back();
    t.linear = find_points(joint, t);
    t.straight = t.linear;
    for (const int o : {t.A.object, t.B.object})
      t.straight &= moves_straight(m.model->objects[at(o)]);
    row += n;
  }
}

/// Adds the terms of all soft joints, and their groups to the graph.
Terms take_soft_joints(const Mechanism& m, solve::Graph& graph) {
  Terms out;
  out.first.assign(1, 0);
  for (int j = 0; j < count(m.model->joints); ++j) {
    if (m.soft[at(j)]) add_terms(m, j, graph, out.all);
    out.first.push_back(count(out.all));
  }
  return out;
}

std::vector<Carrier> carriers_of(const model::Model& model) {
  std::vector<Carrier> out;
  for (std::size_t p = 0; p < model.pools.size(); ++p) {
    const model::PoolSlot& s = model.pools[p];
    const int n = s.pool->nv, k = s.pool->n_objects;
    if (s.pool->identity()) continue;
    for (int i = 0; i < s.pool->n_blocks; ++i)
      out.push_back({static_cast<int>(p), i, s.block + i, s.v + n * i, n, s.object + k * i, k});
  }
  return out;
}

/// Returns the cones by the rows of the system.
std::vector<solve::Cone> in_system(const ModelRows& rows) {
  std::vector<solve::Cone> out = rows.cones;
  for (solve::Cone& c : out) {
    c.normal = rows.in_system[at(c.normal)];
    for (int& row : c.tangent) row = rows.in_system[at(row)];
    for (auto& pad : c.pads)
      for (solve::Cone::Part& part : pad) part.row = rows.in_system[at(part.row)];
  }
  return out;
}

}  // namespace

Mechanism make_mechanism(const model::Model& model, const model::Params& params,
                         const Settings& settings, const model::ConstraintSpecs& specs) {
  Mechanism m;
  m.model = &model;
  m.params = &params;
  m.settings = settings;
  m.kin = std::make_unique<const model::Kinematics>(model, params);
  m.masses = masses_of(model, params, *m.kin);
  m.strains = strains_of(model, params, specs);
  m.rows = rows_of(model, specs);
  m.carriers = carriers_of(model);
  if (!m.carriers.empty()) m.none.assign(at(model.n_u), 0);
  m.soft = soft_joints(model, settings, specs);
  m.part_of_joint = parts_of(model, m.kin->graph());
  for (const auto& b : m.kin->graph().blocks) m.graph.add_block(b.n, solve::MassForm::unit);
  for (const Carrier& c : m.carriers) m.graph.blocks[at(c.block)].moves_freely = false;
  m.taken = take_groups(m, m.graph, m.rows.in_system);
  m.terms = take_soft_joints(m, m.graph);
  m.cones = in_system(m.rows);
  for (auto* v : {&m.per_size, &m.per_turn}) v->resize(at(model.n_u));
  for (const model::PoolSlot& s : model.pools) {
    s.pool->speed_tolerances(1 / model.scales.arm, 1, m.per_size.data() + s.v);
    s.pool->speed_tolerances(0, 1, m.per_turn.data() + s.v);
  }
  for (const model::Object& o : model.objects)
    m.any_curved |= o.block >= 0 && !body::is_embedded(o.motion_kind);
  return m;
}

double masses_at(const Mechanism& m, int j) {
  const model::Joint& joint = m.model->joints[at(j)];
  double sum = 0;
  for (const int o : {joint.object_A, joint.object_B}) sum += m.masses.mass[at(o)];
  return sum;
}

double heavier_end(const Mechanism& m, int j) {
  const model::Joint& joint = m.model->joints[at(j)];
  const auto mass = [&](int object) { return m.masses.mass[at(object)]; };
  if (joint.coupling < 0) return std::max(mass(joint.object_A), mass(joint.object_B));
  const model::Coupling& c = m.model->couplings[at(joint.coupling)];
  double most = 0;
  for (int k = c.first_source; k < c.first_source + c.n; ++k)
    most = std::max(most, heavier_end(m, m.model->sources[at(k)].joint));
  return most;
}

double length_of(const Mechanism& m, int j) {
  if (m.settings.joint_length > 0) return m.settings.joint_length;
  const model::Joint& joint = m.model->joints[at(j)];
  double least = law::kInf;
  for (const int o : {joint.object_A, joint.object_B})
    if (m.model->objects[at(o)].block >= 0 &&
        !(m.model->objects[at(o)].jacobian >= 0 && m.masses.gyration[at(o)] == 0))
      least = std::min(least, m.masses.gyration[at(o)]);
  return std::isfinite(least) ? least : 1;
}

}  // namespace trammel::form::energy
