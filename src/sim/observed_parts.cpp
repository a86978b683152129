// The energies of mechanisms that lie side by side in one scene: the error of a small one must not
// hide behind the energy of a big one.
#include <algorithm>
#include <cmath>

#include "math/forest.h"
#include "math/index.h"
#include "model/constraint_specs.h"
#include "model/ledger.h"
#include "sim/judgement.h"
#include "sim/observed.h"
#include "sim/parts.h"

namespace trammel::sim {

namespace {

Forest connected(const model::Model& m) {
  Forest sets(m.objects.size());
  std::vector<int> carried(m.blocks.size(), -1);  // the last object of each block
  for (int o = 0; o < static_cast<int>(m.objects.size()); ++o) {
    if (m.objects[at(o)].block < 0) continue;
    int& before = carried[at(m.objects[at(o)].block)];
    if (before >= 0) sets.unite(before, o);
    before = o;
  }
  const auto free = [&](int o) { return m.objects[at(o)].block >= 0; };
  const auto unite = [&](int a, int b) {
    if (free(a) && free(b)) sets.unite(a, b);
  };
  for (const model::Joint& j : m.joints)
    if (j.coupling < 0) unite(j.object_A, j.object_B);
  for (const model::Coupling& c : m.couplings) {
    int one = -1;
    for (int k = c.first_source; k < c.first_source + c.n; ++k) {
      const model::Joint& j = m.joints[at(m.sources[at(k)].joint)];
      for (const int o : {j.object_A, j.object_B}) {
        if (!free(o)) continue;
        if (one >= 0) sets.unite(one, o);
        one = o;
      }
    }
  }
  return sets;
}

}  // namespace

std::vector<int> parts_of(const model::Model& m) {
  Forest sets = connected(m);
  std::vector<int> number(m.objects.size(), -1), out(m.objects.size(), -1);
  int n = 0;
  for (int o = 0; o < count(m.objects); ++o) {
    if (m.objects[at(o)].block < 0) continue;
    int& part = number[at(sets.root(o))];
    if (part < 0) part = n++;
    out[at(o)] = part;
  }
  return out;
}

int part_of_joint(const model::Model& m, const std::vector<int>& parts, int joint) {
  const model::Joint* j = &m.joints[at(joint)];
  if (j->coupling >= 0)
    j = &m.joints[at(m.sources[at(m.couplings[at(j->coupling)].first_source)].joint)];
  return std::max(parts[at(j->object_A)], parts[at(j->object_B)]);
}

const std::string& Watch::body_of(std::size_t part) const {
  for (std::size_t o = 0; o < part_of_object_.size(); ++o)
    if (part_of_object_[o] == static_cast<int>(part)) return model_->objects[o].name;
  return model_->name;
}

/// None by energy, where joints may hold energy too, nor where bodies pass energy to each other by
/// touching, or by joints that come and go.
void Watch::find_parts(const Settings& settings) {
  const model::Model& m = *model_;
  const bool passes = can_touch(m) || !m.transient_types.empty();
  if (settings.form.formulation == form::Settings::Formulation::energy || passes) return;
  part_of_object_ = parts_of(m);
  const int n = 1 + *std::max_element(part_of_object_.begin(), part_of_object_.end());
  if (n < 2) return;
  for (const model::LawOnRow& law : m.laws)
    part_of_law_.push_back(law.joint < 0 ? -1 : part_of_joint(m, part_of_object_, law.joint));
  seen.parts.resize(at(n));
  for (auto* v : {&part_kinetic_, &part_total_, &part_works_}) v->assign(at(n), 0);
  part_of_block_.assign(m.blocks.size(), -1);
  for (std::size_t o = 0; o < m.objects.size(); ++o)
    if (m.objects[o].block >= 0) part_of_block_[at(m.objects[o].block)] = part_of_object_[o];
  own_.resize(m.blocks.size());
}

void Watch::energies_of_parts(const form::Formulation& form, const model::State& s,
                              std::vector<double>& kinetic, std::vector<double>& total) {
  if (seen.parts.empty()) return;
  std::fill(kinetic.begin(), kinetic.end(), 0.0);
  std::fill(total.begin(), total.end(), 0.0);
  const double* u = form.velocities().data();
  std::fill(own_.begin(), own_.end(), 0.0);
  form.kinematics().own_potential(s.q.data(), own_.data());
  for (std::size_t i = 0; i < model_->blocks.size(); ++i) {
    const model::Block& b = model_->blocks[i];
    double twice = 0;
    for (int k = b.v; k < b.v + b.n; ++k) twice += s.P[at(k)] * u[k];
    kinetic[at(part_of_block_[i])] += twice / 2;
    total[at(part_of_block_[i])] += own_[i];
  }
  const Vec3 gravity = vec3(params_.values.data() + model::kGravityParam);
  for (int o = 0; o < static_cast<int>(model_->objects.size()); ++o)
    if (part_of_object_[at(o)] >= 0)
      total[at(part_of_object_[at(o)])] -=
          form.kinematics().mass(o) * gravity.dot(form.now().T_WO[at(o)].p);
  for (const model::RowInfo& row : model_->rows) {
    const auto l = at(row.law);
    const law::Law& law = model_->laws[l].law;
    if (!law.type->energy || part_of_law_[l] < 0 || !s.on[at(row.joint)]) continue;
    const auto i = static_cast<std::size_t>(&row - model_->rows.data());
    total[at(part_of_law_[l])] +=
        law.type->energy(law, params_.values.data() + law.first_param, row.sign * form.now().g[i]);
  }
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += kinetic[i];
}

/// Works of laws and loads are somebody's; the other accounts are nobody's in particular, and what
/// they hold may be anybody's.
void Watch::see_parts(const form::Formulation& form, const model::State& s) {
  energies_of_parts(form, s, part_kinetic_, part_total_);
  std::fill(part_works_.begin(), part_works_.end(), 0.0);
  const auto add = [&](int part, int slot) {
    if (part < 0 || slot < 0) return;
    part_works_[at(part)] += s.ledger[at(slot)];
    Part& p = seen.parts[at(part)];
    p.moved = std::max(p.moved, std::abs(s.ledger[at(slot)]));
  };
  for (std::size_t i = 0; i < model_->laws.size(); ++i)
    add(part_of_law_[i], model_->laws[i].ledger);
  for (std::size_t i = 0; i < model_->loads.size(); ++i)
    add(part_of_object_[at(model_->loads[i].object)],
        model_->first_load_slot + static_cast<int>(i));
  double nobodys = 0;
  for (int slot = 0; slot < model::kFirstLaw; ++slot)
    if (slot != model::kInitial) nobodys += std::abs(s.ledger[at(slot)]);
  for (std::size_t i = 0; i < seen.parts.size(); ++i) {
    Part& p = seen.parts[i];
    p.moved = std::max(p.moved, part_kinetic_[i]);
    const double off = std::abs(part_total_[i] - p.start - part_works_[i]) - nobodys;
    p.residual.see(off, s.t);
    if (off > residual_share_ * p.moved)
      seen.floor = std::max(seen.floor, rounding(form, s, part_kinetic_[i]));
  }
}

}  // namespace trammel::sim
