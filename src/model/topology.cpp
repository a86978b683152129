#include "model/topology.h"

#include <algorithm>
#include <numeric>

#include "math/index.h"
#include "solve/symbolic.h"

namespace trammel::model {

namespace {

/// True where a group acts on an object that moves freely, or on one that does not.
bool acts_on(const Model& model, const Group& group, bool free) {
  const auto held = [&](int joint) {
    const Joint& j = model.joints[at_(joint)];
    return model.objects[at_(j.object_A)].moves_freely() == free ||
           model.objects[at_(j.object_B)].moves_freely() == free;
  };
  const int c = model.joints[at_(group.joint)].coupling;
  if (c < 0) return held(group.joint);
  bool any = false;
  for (int k = 0; k < model.couplings[at_(c)].n; ++k)
    any |= held(model.sources[at_(model.couplings[at_(c)].first_source + k)].joint);
  return any;
}

}  // namespace

Topology::Topology(const Model& model) {
  add_blocks(model);
  joints.resize(model.joints.size());
  anchor.assign(model.rows.size(), -1);
  sort_sources(model);
  for (const Group& group : model.groups) {
    const int c = model.joints[at_(group.joint)].coupling;
    if (c < 0)
      add_joint(model, group);
    else
      add_coupling(model, group, model.couplings[at_(c)]);
    if (!acts_on(model, group, false)) continue;
    const bool from_outside = acts_on(model, group, true);
    for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
      anchor[at_(r)] = static_cast<int>(6 * anchored.size());
      anchored.push_back(r);
      if (from_outside) outside.push_back(r);
    }
  }
  find_loaded(model);
  graph.analyses = std::make_shared<solve::Analyses>();
}

bool operator==(const Topology& a, const Topology& b) {
  return a.graph == b.graph && a.joints == b.joints && a.emits == b.emits &&
         a.sources_by_joint == b.sources_by_joint && a.coupled_ends == b.coupled_ends &&
         a.anchored == b.anchored && a.outside == b.outside && a.anchor == b.anchor &&
         a.mass_offset == b.mass_offset && a.matrix_offset == b.matrix_offset &&
         a.loaded == b.loaded && a.loads_need_rates == b.loads_need_rates;
}

void Topology::add_blocks(const Model& model) {
  int matrix = 0;
  for (const PoolSlot& slot : model.pools) {
    for (int i = 0; i < slot.pool->n_blocks; ++i)
      graph.add_block(slot.pool->nv,
                      slot.pool->split_mass ? solve::MassForm::split : solve::MassForm::dense);
    for (int i = 0; i < slot.pool->n_blocks && !slot.pool->identity(); ++i)
      graph.blocks[at_(slot.block + i)].moves_freely = false;
    mass_offset.push_back(slot.pool->n_blocks ? graph.blocks[at_(slot.block)].mass : 0);
    matrix_offset.push_back(matrix);
    matrix += slot.pool->n_blocks * slot.pool->nv * slot.pool->nv;
  }
}

void Topology::add_joint(const Model& model, const Group& group) {
  const Joint& joint = model.joints[at_(group.joint)];
  const int a = model.objects[at_(joint.object_A)].block,
            b = model.objects[at_(joint.object_B)].block;
  std::vector<int> touched;
  if (a >= 0) touched.push_back(a);
  if (b >= 0 && b != a) touched.push_back(b);
  const solve::Graph::Group& g = graph.groups[at_(graph.add_group(group.rows, touched))];
  graph.groups.back().grounded = a < 0 || b < 0;
  JointSlot& slot = joints[at_(group.joint)];
  if (!slot.has_rows()) slot.begin = slot.end = static_cast<int>(emits.size());
  slot.anchored = acts_on(model, group, false);
  for (int r = 0; r < group.rows; ++r) {
    const auto offset = [&](int block) {
      if (block < 0) return -1;
      const solve::Graph::End& end = graph.ends[at_(g.end + (block == b && b != a && a >= 0))];
      return end.J + r * graph.blocks[at_(block)].n;
    };
    emits.push_back({group.first_row + r, offset(a), offset(b)});
    slot.features |= model.rows[at_(group.first_row + r)].row.features();
  }
  slot.end = static_cast<int>(emits.size());
  for (const int object : {joint.object_A, joint.object_B})
    slot.direct &= model.objects[at_(object)].jacobian < 0;
  slot.direct &= a != b;  // two ends in one block add up
}

/// Its ends are the blocks of all objects that its coordinates lie between.
void Topology::add_coupling(const Model& model, const Group& group, const Coupling& c) {
  std::vector<int> touched;
  bool grounded = false;
  for (int k = c.first_source; k < c.first_source + c.n; ++k) {
    const Joint& joint = model.joints[at_(model.sources[at_(k)].joint)];
    for (const int object : {joint.object_A, joint.object_B}) {
      const int block = model.objects[at_(object)].block;
      grounded |= block < 0;
      if (block >= 0 && std::find(touched.begin(), touched.end(), block) == touched.end())
        touched.push_back(block);
    }
  }
  const solve::Graph::Group& g = graph.groups[at_(graph.add_group(group.rows, touched))];
  graph.groups.back().grounded = grounded;
  coupled_ends.emplace_back();
  for (std::size_t e = 0; e < touched.size(); ++e)
    coupled_ends.back().push_back({touched[e], graph.ends[at_(g.end) + e].J});
}

void Topology::sort_sources(const Model& model) {
  const auto joint_of = [&](int k) { return model.sources[at_(k)].joint; };
  sources_by_joint.resize(model.sources.size());
  std::iota(sources_by_joint.begin(), sources_by_joint.end(), 0);
  std::stable_sort(sources_by_joint.begin(), sources_by_joint.end(),
                   [&](int k, int l) { return joint_of(k) < joint_of(l); });
  int next = 0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joints[j].first_source = next;
    for (; next < count(sources_by_joint); ++next) {
      const int k = sources_by_joint[at_(next)];
      if (joint_of(k) != static_cast<int>(j)) break;
      joints[j].features |= model.sources[at_(k)].row.features();
    }
    joints[j].end_source = next;
  }
}

void Topology::find_loaded(const Model& model) {
  for (const law::Load& load : model.loads) {
    loads_need_rates |= load.needs_rates();
    if (model.objects[at_(load.object)].pool >= 0) loaded.push_back(load.object);
  }
  std::sort(loaded.begin(), loaded.end());
  loaded.erase(std::unique(loaded.begin(), loaded.end()), loaded.end());
}

}  // namespace trammel::model
