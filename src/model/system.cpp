#include "model/system.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "math/index.h"
#include "model/system_forces.h"
#include "model/system_rules.h"

namespace trammel::model {

std::shared_ptr<const joint::Table> dial_table(bool is_angle) {
  const auto make = [](const char* name, const char* like, const char* coordinate) {
    auto out = std::make_shared<joint::Table>();
    out->name = name;
    out->coordinates.push_back(*joint::find_table(like)->coordinate(coordinate));
    return std::shared_ptr<const joint::Table>(std::move(out));
  };
  static const auto kAngle = make("angle of a system", "revolute", "angle");
  static const auto kLength = make("length of a system", "prismatic", "travel");
  return is_angle ? kAngle : kLength;
}

namespace {

body::SystemObject dial(const std::string& system, const body::SystemCoordinate& c) {
  body::SystemObject out;
  out.name = dial_of(system, c.name);
  if (c.is_angle)
    out.turns = {{Vec3::UnitX(), c.x}};
  else
    out.position[0] = c.x;
  return out;
}

JointSpec dial_joint(const SystemSpec& spec, const body::SystemCoordinate& c) {
  JointSpec out;
  out.name = out.b = dial_of(spec.name, c.name);
  out.path = spec.path;
  out.table = dial_table(c.is_angle);
  out.frame_a = out.frame_b = Pose{};
  return out;
}

const body::SystemPool* system_of(const PoolSpec& spec) {
  const bool is = spec.pool && spec.pool->kind() == body::SystemPool::kKind;
  return is ? static_cast<const body::SystemPool*>(spec.pool.get()) : nullptr;
}

/// The pool that the system can be a block of, or as many as there are pools.
std::size_t pool_for(const Builder& builder, const SystemSpec& spec) {
  const std::string form = body::form_of(spec.of);
  const auto& pools = builder.pools();
  const auto at = std::find_if(pools.begin(), pools.end(), [&](const PoolSpec& p) {
    const body::SystemPool* pool = system_of(p);
    return pool && pool->form() == form;
  });
  return static_cast<std::size_t>(at - pools.begin());
}

/// The pool, or why there is none that can be taken. One like another has its equations.
std::vector<Problem> make_pool(const SystemSpec& spec, const body::SystemPool* like,
                               PoolSpec& out) {
  try {
    const auto made = like ? std::make_shared<const body::SystemPool>(*like, 1)
                           : std::make_shared<const body::SystemPool>(spec.of);
    out.params = made->parameters(spec.of);
    out.pool = made;
    return wrong_start(spec, *made, out.params);
  } catch (const std::invalid_argument& e) {
    return {{spec.path, fmt::format("system '{}': {}", spec.name, e.what())}};
  }
}

}  // namespace

std::string dial_of(const std::string& system, const std::string& coordinate) {
  return system + "." + coordinate;
}

const body::SystemPool* system_of(const PoolSlot& slot) {
  const bool is = slot.pool->kind() == body::SystemPool::kKind;
  return is ? static_cast<const body::SystemPool*>(slot.pool.get()) : nullptr;
}

int count_systems(const Model& model) {
  int out = 0;
  for (const PoolSlot& slot : model.pools)
    if (slot.pool->kind() == body::SystemPool::kKind) out += slot.pool->n_blocks;
  return out;
}

std::shared_ptr<const body::SystemPool> one_of(const body::SystemPool& pool) {
  return std::make_shared<const body::SystemPool>(pool, 1);
}

std::string system_name(const Model& model, const PoolSlot& slot, int block) {
  const int dial = slot.object + (block + 1) * slot.pool->n_objects - 1;
  const std::string& name = model.objects[at(dial)].name;  // "system.coordinate"
  return name.substr(0, name.rfind('.'));
}

bool is_dial(const Model& model, const Object& object) {
  if (object.pool < 0) return false;
  const body::Pool& pool = *model.pools[static_cast<std::size_t>(object.pool)].pool;
  return pool.kind() == body::SystemPool::kKind &&
         object.index % pool.n_objects >= pool.n_objects - pool.nv;
}

int unknown_of(const Model& model, const Joint& joint) {
  if (joint.table != dial_table(true) && joint.table != dial_table(false)) return -1;
  const Object& dial = model.objects[at(joint.object_B)];
  const PoolSlot& slot = model.pools[at(dial.pool)];
  const body::Pool& pool = *slot.pool;
  return slot.q + dial.index / pool.n_objects * pool.nq + dial.index % pool.n_objects -
         (pool.n_objects - pool.nv);
}

expr::Expression rate_of(expr::Graph& graph, const body::SystemCoordinate& coordinate) {
  return graph.variable(coordinate.name + "'");
}
expr::Expression time_of(expr::Graph& graph) { return graph.variable("time'"); }

std::vector<BodyHandle> add_system(Builder& builder, SystemSpec spec) {
  if (spec.path.empty()) spec.path = "system." + spec.name;
  const std::size_t n_objects = spec.of.objects.size();
  spec.of.name = spec.name;
  PoolSpec pool;
  pool.path = spec.path;
  pool.q = spec.q;
  pool.u = spec.u;
  std::vector<Problem> wrong = take_bodies(builder, spec);
  std::vector<Problem> more = wrong_system(spec);
  std::move(more.begin(), more.end(), std::back_inserter(wrong));
  spec.outlines.resize(n_objects);
  for (std::size_t i = 0; i < n_objects; ++i) spec.outlines[i].com = spec.of.objects[i].com;
  pool.outlines = std::move(spec.outlines);
  std::set<std::string> known;  // two of one name have been told
  for (const body::SystemCoordinate& c : spec.of.coordinates) {
    if (!known.insert(c.name).second) continue;
    spec.of.objects.push_back(dial(spec.name, c));
    builder.add_joint(dial_joint(spec, c));
    pool.outlines.emplace_back();
  }
  for (const body::SystemObject& o : spec.of.objects) pool.objects.push_back(o.name);
  if (wrong.empty())
    for (LawSpec& law : forces_of(spec, wrong)) builder.add_law(std::move(law));
  const std::size_t i = wrong.empty() ? pool_for(builder, spec) : builder.pools().size();
  const body::SystemPool* like =
      i < builder.pools().size() ? system_of(builder.pools()[i]) : nullptr;
  if (wrong.empty()) wrong = make_pool(spec, like, pool);
  pool.wrong = to_lines(wrong);
  const bool joins = like && wrong.empty();
  if (joins) pool.pool = std::make_shared<const body::SystemPool>(*like, like->n_blocks + 1);
  std::vector<BodyHandle> out =
      joins ? builder.add_blocks(i, std::move(pool)) : builder.add_pool(std::move(pool));
  out.resize(n_objects);
  return out;
}

}  // namespace trammel::model
