// Pools of a kind of the caller's own.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "body/kinds.h"
#include "model/draft.h"
#include "model/system.h"
#include "model/system_rules.h"

namespace trammel::model {

namespace {

/// Whether the lists fit the pool and are numbers.
bool check_pool(Draft& d, const PoolSpec& s) {
  if (!s.wrong.empty()) {
    for (Problem& p : from_lines(s.wrong)) d.complain(p.path.empty() ? s.path : p.path, p.text);
    return false;
  }
  if (!s.pool) {
    d.complain(s.path, "a pool spec without a pool");
    return false;
  }
  const body::Pool& p = *s.pool;
  bool good = true;
  if (body::name_is_taken(p)) {
    d.complain(s.path,
               fmt::format("a pool may not be of the kind '{}', which is Trammel's own", p.kind()));
    return false;
  }
  const auto check = [&](const char* what, std::size_t found, int a_block, const char* problem) {
    const auto wanted = static_cast<std::size_t>(p.n_blocks) * static_cast<std::size_t>(a_block);
    if (found == wanted && !problem) return;
    good = false;
    d.complain(s.path + "." + what,
               found == wanted ? problem
                               : fmt::format("the pool '{}' of {} blocks needs {} {}, not {}",
                                             p.kind(), p.n_blocks, wanted, what, found));
  };
  const auto numbers = [&](const char* what, const std::vector<double>& x, int a_block) {
    const bool finite = std::all_of(x.begin(), x.end(), [](double y) { return std::isfinite(y); });
    check(what, x.size(), a_block, finite ? nullptr : "not all are finite");
  };
  check("objects", s.objects.size(), p.n_objects, nullptr);
  if (!s.outlines.empty()) check("outlines", s.outlines.size(), p.n_objects, nullptr);
  for (std::size_t i = 0; i < std::min(s.outlines.size(), s.objects.size()); ++i)
    if (!s.outlines[i].com.allFinite()) {
      good = false;
      d.complain(s.outlines[i].path + ".com",
                 fmt::format("body '{}': its centre of mass is not finite", s.objects[i]));
    }
  numbers("params", s.params, p.n_params);
  numbers("q", s.q, p.nq);
  numbers("u", s.u, p.nv);
  return good;
}

void add_objects(Draft& d, const PoolSpec& s, const PoolSlot& slot) {
  const body::Pool& pool = *s.pool;
  for (int i = 0; i < pool.n_blocks * pool.n_objects; ++i) {
    Object o{s.objects[static_cast<std::size_t>(i)]};
    d.claim(o.name, s.path, "body", d.objects, static_cast<int>(d.model.objects.size()));
    o.motion_kind = pool.motion_kind();
    o.block = slot.block + i / pool.n_objects;
    o.pool = static_cast<int>(d.model.pools.size());
    o.index = i;
    if (!s.outlines.empty()) o.com = s.outlines[static_cast<std::size_t>(i)].com;
    if (!pool.identity()) {
      o.jacobian = d.model.n_jacobian;
      d.model.n_jacobian += body::motion_size(pool.motion_kind()) * pool.nv;
    }
    d.model.objects.push_back(std::move(o));
  }
}

/// Puts the parameters of a pool; those of systems have names, "body.s.bob.mass".
void add_numbers(Draft& d, const PoolSpec& s, const PoolSlot& slot) {
  static constexpr std::string_view kNames[] = {"mass", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"};
  auto next = s.params.begin();
  if (const auto* system = system_of(slot)) {
    const std::vector<body::SystemParameter>& list = system->parameter_list();
    for (std::size_t i = 0; i < list.size();) {
      const int object = list[i].object;
      std::vector<std::string_view> names;
      for (; i < list.size() && list[i].object == object; ++i)
        names.push_back(kNames[static_cast<std::size_t>(list[i].which)]);
      const auto last = next + static_cast<std::ptrdiff_t>(names.size());
      d.add_params("body." + s.objects[static_cast<std::size_t>(object)], std::move(names), {});
      d.params.values.insert(d.params.values.end(), next, last);
      next = last;
    }
  }
  d.params.values.insert(d.params.values.end(), next, s.params.end());
}

/// Objects that stand still in place of those of a pool that is not taken, so that what is wrong
/// with it is told once and not by all that names one of them.
void add_stand_ins(Draft& d, const PoolSpec& s) {
  for (const std::string& name : s.objects) {
    if (!d.objects.emplace(name, static_cast<int>(d.model.objects.size())).second) continue;
    Object o{name};
    o.moved = true;
    d.model.objects.push_back(std::move(o));
    d.X_WB.push_back({});
  }
}

}  // namespace

std::vector<Pose> PoolSpec::start() const {
  if (!pool) return {};
  const auto n = [&](int a_block) {
    return static_cast<std::size_t>(pool->n_blocks) * static_cast<std::size_t>(a_block);
  };
  const std::size_t n_objects = n(pool->n_objects);
  if (params.size() != n(pool->n_params) || q.size() != n(pool->nq)) return {};
  if (!outlines.empty() && outlines.size() != n_objects) return {};
  std::vector<double> derived(n(pool->n_derived)),
      jacobian(n_objects * static_cast<std::size_t>(body::motion_size(pool->motion_kind())) *
               static_cast<std::size_t>(pool->nv));
  pool->derive(params.data(), derived.data());
  std::vector<body::Transform> at(n_objects);
  pool->transforms(derived.data(), q.data(), at.data(), jacobian.data());
  std::vector<Pose> out;
  for (std::size_t i = 0; i < n_objects; ++i) {
    const Vec3 com = outlines.empty() ? Vec3(Vec3::Zero()) : outlines[i].com;
    out.push_back({at[i].p - at[i].A * com, at[i].A});
  }
  return out;
}

void Draft::add_pools(const std::vector<PoolSpec>& specs) {
  for (const PoolSpec& s : specs) {
    if (!check_pool(*this, s)) {
      if (!s.wrong.empty()) add_stand_ins(*this, s);
      continue;
    }
    const body::Pool& pool = *s.pool;
    PoolSlot slot;
    slot.pool = s.pool;
    slot.block = static_cast<int>(model.blocks.size());
    slot.object = static_cast<int>(model.objects.size());
    slot.q = model.n_q;
    slot.v = model.n_u;
    slot.param = static_cast<int>(params.values.size());
    slot.derived = model.n_derived;
    slot.jacobian = model.n_jacobian;
    add_numbers(*this, s, slot);
    state.q.insert(state.q.end(), s.q.begin(), s.q.end());
    u.insert(u.end(), s.u.begin(), s.u.end());
    for (int i = 0; i < pool.n_blocks; ++i)
      model.blocks.push_back({static_cast<int>(model.pools.size()), i, slot.q + i * pool.nq,
                              slot.v + i * pool.nv, pool.nv});
    add_objects(*this, s, slot);
    model.n_q += pool.nq * pool.n_blocks;
    model.n_u += pool.nv * pool.n_blocks;
    model.n_derived += pool.n_derived * pool.n_blocks;
    for (const Pose& X : s.start()) X_WB.push_back(X);
    model.pools.push_back(std::move(slot));
  }
}

}  // namespace trammel::model
