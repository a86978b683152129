#include "model/kinematics.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/index.h"
#include "math/parallel.h"
#include "math/rotation.h"
#include "model/joint_lanes.h"
#include "solve/product.h"

namespace trammel::model {

namespace {

constexpr int kGrain = 256;  // joints in one go

/// Motion (v, w) of a rigid motion kind.
std::array<double, 6> motion(const body::Transform& at, const body::Rate& rate) {
  const Mat3 W = rate.A * at.A.transpose();
  return {rate.v.x(), rate.v.y(), rate.v.z(), W(2, 1), W(0, 2), W(1, 0)};
}

}  // namespace

/// Member by member, as steps do it each time and moves would leave empty arrays in between.
void swap(KinematicsCache& a, KinematicsCache& b) noexcept {
  static_assert(sizeof(KinematicsCache) ==
                    16 * sizeof(std::vector<double>) + 2 * sizeof(double) + sizeof(law::Span),
                "a member was added: swap it as well");
  std::swap(a.t, b.t);
  std::swap(a.lost_joint, b.lost_joint);
  std::swap(a.span, b.span);
  a.T_WO.swap(b.T_WO);
  a.rate.swap(b.rate);
  a.bias.swap(b.bias);
  a.arc.swap(b.arc);
  a.from.swap(b.from);
  a.x_rates.swap(b.x_rates);
  for (const auto& v :
       {&KinematicsCache::jacobian, &KinematicsCache::inv_mass, &KinematicsCache::g,
        &KinematicsCache::J, &KinematicsCache::anchor, &KinematicsCache::g_t, &KinematicsCache::x,
        &KinematicsCache::x_J, &KinematicsCache::y, &KinematicsCache::y_rate})
    (a.*v).swap(b.*v);
}

void keep_turns(const Model& model, const KinematicsCache& at, std::vector<double>& angle) {
  for (std::size_t i = 0; i < model.rows.size(); ++i)
    if (const int a = model.rows[i].angle; a >= 0) angle[at_(a)] = at.g[i];
  for (std::size_t k = 0; k < model.sources.size(); ++k)
    if (const int a = model.sources[k].angle; a >= 0) angle[at_(a)] = at.x[k];
}

Kinematics::Kinematics(const Model& model, const Params& params)
    : model_(&model),
      params_(&params),
      top_(model.topology ? model.topology : std::make_shared<const Topology>(model)) {
  assert(top_->fits(model));
  derived_.resize(at_(model.n_derived));
  for (const PoolSlot& slot : model.pools)
    slot.pool->derive(params.values.data() + slot.param, derived_.data() + slot.derived);
  mass_.resize(model.objects.size());
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    const Object& o = model.objects[i];
    if (o.pool < 0) continue;
    const PoolSlot& slot = model.pools[at_(o.pool)];
    mass_[i] = slot.pool->mass(params.values.data() + slot.param, o.index / slot.pool->n_objects,
                               o.index % slot.pool->n_objects);
    if (o.block >= 0)
      weights_.push_back(
          {o.jacobian < 0 ? model.blocks[at_(o.block)].v : -1, static_cast<int>(i), mass_[i]});
  }
  lanes_ = std::make_shared<JointLanes>(model, top_->graph, top_->anchor);
  for (int j = 0; j < static_cast<int>(top_->joints.size()); ++j)
    if (top_->joints[at_(j)].is_wanted() && !lanes_->has(j)) alone_.push_back(j);
  make_units();
  find_light();
}

/// The length of a block: how far the frames of its joints are from where it has its origin, at
/// least its radius of gyration.
void Kinematics::make_units() {
  length_.assign(top_->graph.blocks.size(), 0);
  for (std::size_t j = 0; j < model_->joints.size(); ++j) {
    const Joint& joint = model_->joints[j];
    const auto reach = [&](int object, const Pose& frame) {
      const int block = model_->objects[at_(object)].block;
      if (block < 0) return;
      length_[at_(block)] = std::max(length_[at_(block)], frame.p.norm());
      longest_ = std::max(longest_, frame.p.norm());
    };
    reach(end_A(static_cast<int>(j)), joint.X_OA);
    reach(joint.object_B, joint.X_OB);
  }
  constexpr double kNone = 1e-9;     // of the longest: rounding
  constexpr double kPoint = 1e-100;  // a length at which rotations weigh more than any mass
  for (const PoolSlot& s : model_->pools)
    for (int i = 0; i < s.pool->n_blocks; ++i) {
      double& x = length_[at_(s.block + i)];
      const auto range = s.pool->mass_range(params_->values.data() + s.param, i, kPoint);
      if (range.least > 0 && range.most > range.least)
        x = std::max(x, kPoint * std::sqrt(range.most / range.least));
      if (!(x > kNone * longest_)) x = 1;
    }
  units_.resize(at_(model_->n_u));
  for (const PoolSlot& s : model_->pools) {
    double* unit = units_.data() + s.v;
    s.pool->speed_tolerances(2, 1, unit);
    for (int i = 0; i < s.pool->n_blocks * s.pool->nv; ++i)
      unit[i] = unit[i] == 2 ? 1 : 1 / length_[at_(s.block + i / s.pool->nv)];
  }
}

void Kinematics::find_light() {
  constexpr double kOwn = 1e-6, kOthers = 1e-8;
  std::vector<body::Pool::MassRange> range;
  for (const PoolSlot& s : model_->pools)
    for (int i = 0; i < s.pool->n_blocks; ++i) {
      range.push_back(
          s.pool->mass_range(params_->values.data() + s.param, i, length_[at_(s.block + i)]));
      light_ |= !(range.back().least > kOwn * range.back().most);
    }
  for (const solve::Graph::Group& g : top_->graph.groups) {
    double least = law::kInf, most = 0;
    for (int e = g.end; e < g.end + g.n_ends; ++e) {
      const body::Pool::MassRange& r = range[at_(top_->graph.ends[at_(e)].block)];
      least = std::min(least, r.least);
      most = std::max(most, r.most);
    }
    light_ |= !(least > kOthers * most) && g.n_ends > 0;
  }
  const double none = 0;
  std::vector<double> q(at_(model_->n_q)), P(units_);  // a kind says of any coordinates if it can
  light_ = light_ && drift(none, q.data(), units_.data(), P.data(), nullptr, nullptr);
}

void Kinematics::inverse_metric(KinematicsCache& at) const {
  for (std::size_t k = 0; k < top_->graph.blocks.size(); ++k) {
    const solve::Graph::Block& b = top_->graph.blocks[k];
    const double* unit = units_.data() + top_->graph.u_offset[k];
    double* out = at.inv_mass.data() + b.mass;
    if (b.form == solve::MassForm::split) {
      const double w = unit[b.n - 1] * unit[b.n - 1];
      out[0] = 1;
      for (int i = 0; i < 9; ++i) out[1 + i] = i % 4 ? 0 : w;
    } else {
      std::fill_n(out, b.n * b.n, 0.0);
      for (int i = 0; i < b.n; ++i) out[i * (b.n + 1)] = unit[i] * unit[i];
    }
  }
}

bool Kinematics::drift(double h, const double* q, const double* u, double* P, double* dP,
                       double* dq) const {
  bool can = true;
  for (std::size_t i = 0; i < model_->pools.size(); ++i) {
    const PoolSlot& s = model_->pools[i];
    const int at = top_->matrix_offset[i];
    can = can && (s.pool->n_blocks == 0 ||
                  s.pool->drift(derived_.data() + s.derived, h, q + s.q, u + s.v, P + s.v,
                                dP ? dP + at : nullptr, dq ? dq + at : nullptr));
  }
  return can;
}

KinematicsCache Kinematics::make_cache() const {
  KinematicsCache at;
  at.T_WO.resize(model_->objects.size());
  if (!model_->prescribed.empty() || !model_->loads.empty()) make_rates(at);
  at.jacobian.resize(at_(model_->n_jacobian));
  at.inv_mass.resize(at_(top_->graph.mass_size));
  at.arc.resize(at_(model_->n_arcs));
  at.from.resize(at_(model_->n_arcs));
  at.g.resize(model_->rows.size());
  at.g_t.resize(model_->rows.size());
  at.anchor.resize(6 * top_->anchored.size());
  at.J.resize(at_(top_->graph.J_size));
  at.x.resize(model_->sources.size());
  at.x_J.resize(24 * model_->sources.size());
  at.x_rates.resize(model_->sources.size());
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  for (auto* v : {&at.y, &at.y_rate}) v->assign(model_->followed.size(), unknown);
  return at;
}

void Kinematics::transforms(const double* q, double t, KinematicsCache& at) const {
  at.t = t;
  for (const PoolSlot& s : model_->pools)
    s.pool->transforms(derived_.data() + s.derived, q + s.q, at.T_WO.data() + s.object,
                       at.jacobian.data() + s.jacobian);
  for (const Moved& moved : model_->prescribed) {
    const auto i = at_(moved.object);
    moved.motion.at(t, at.T_WO[i], at.rate[i], at.bias[i]);
  }
}

void Kinematics::inverse_mass(const double* q, KinematicsCache& at) const {
  for (std::size_t i = 0; i < model_->pools.size(); ++i) {
    const PoolSlot& s = model_->pools[i];
    s.pool->inverse_mass(derived_.data() + s.derived, q + s.q, at.T_WO.data() + s.object,
                         at.inv_mass.data() + top_->mass_offset[i]);
  }
}

joint::Ends Kinematics::ends(int joint, const KinematicsCache& at) const {
  const Joint& j = model_->joints[at_(joint)];
  const int a = end_A(joint), b = j.object_B;
  return {{model_->objects[at_(a)].motion_kind, &at.T_WO[at_(a)], &j.X_OA},
          {model_->objects[at_(b)].motion_kind, &at.T_WO[at_(b)], &j.X_OB},
          j.track < 0 ? nullptr : model_->tracks[at_(j.track)].track.get()};
}

template <bool kWithJ>
void Kinematics::walk(const State& state, KinematicsCache& at) const {
  if constexpr (kWithJ) at.from = at.arc;
  lanes_->walk<kWithJ>(state, at);
  std::atomic<int> lost = -1;  // the last that is
  parallel::for_pieces(static_cast<int>(alone_.size()), kGrain, [&](int first, int last) {
    joint::Sample sample;
    for (int i = first; i < last; ++i) {
      const int j = alone_[at_(i)];
      walk_joint<kWithJ>(state, j, sample, at);
      int before = lost.load(std::memory_order_relaxed);
      while (sample.lost && before < j && !lost.compare_exchange_weak(before, j)) continue;
    }
  });
  at.lost_joint = lost;
  if (!model_->couplings.empty()) couple<kWithJ>(state, at);
  if (!model_->followed.empty()) take_followed(at);
}

/// sample.lost: it has lost its track.
template <bool kWithJ>
void Kinematics::walk_joint(const State& state, int joint, joint::Sample& sample,
                            KinematicsCache& at) const {
  const auto j = at_(joint);
  const Topology::JointSlot& slot = top_->joints[j];
  sample.lost = false;
  const bool on = state.on[j] != 0;
  if (!on && slot.first_source == slot.end_source) return;
  const joint::Ends e = ends(joint, at);
  const int a = model_->joints[j].arc;
  joint::Arc own = a < 0 ? joint::Arc{} : at.arc[at_(a)];
  joint::Arc& arc = a < 0 || !on ? own : at.arc[at_(a)];  // where it let go it stays
  joint::sample(e, slot.features, 1, arc, sample);
  for (int i = slot.begin; on && i < slot.end; ++i) {
    const Topology::Emit& emit = top_->emits[at_(i)];
    const RowInfo& info = model_->rows[at_(emit.row)];
    double g = joint::value(info.row, sample, arc);
    if (info.angle >= 0) {
      const double last = state.angle[at_(info.angle)];
      g = joint::turned_near(g, last);
    }
    at.g[at_(emit.row)] = g;
    if constexpr (kWithJ) emit_jacobian(slot, emit, e, sample, joint, at);
  }
  if (slot.first_source < slot.end_source) take_sources<kWithJ>(slot, e, sample, arc, state, at);
  sample.lost = sample.lost && on;
}

void Kinematics::values(const State& state, KinematicsCache& at) const { walk<false>(state, at); }
void Kinematics::jacobians(const State& state, KinematicsCache& at) const { walk<true>(state, at); }

void Kinematics::emit_jacobian(const Topology::JointSlot& slot, const Topology::Emit& emit,
                               const joint::Ends& e, const joint::Sample& sample, int joint,
                               KinematicsCache& at) const {
  const joint::Row& row = model_->rows[at_(emit.row)].row;
  double* anchor = slot.anchored ? at.anchor.data() + top_->anchor[at_(emit.row)] : nullptr;
  if (row.fn->own_jacobian != nullptr && row.of[0].u <= joint::Feature::Az &&
      body::can_strain(e.A.motion_kind) && model_->joints[at_(joint)].strain() && emit.J_A >= 0 &&
      model_->objects[at_(end_A(joint))].jacobian < 0)
    return row.fn->own_jacobian(row, e, sample, at.J.data() + emit.J_A);
  if (slot.direct) {
    joint::jacobian(row, e, sample, emit.J_A < 0 ? anchor : at.J.data() + emit.J_A,
                    emit.J_B < 0 ? anchor : at.J.data() + emit.J_B);
  } else {
    std::array<double, 12> on_A, on_B;
    joint::jacobian(row, e, sample, on_A.data(), on_B.data());
    const int object_A = end_A(joint), object_B = model_->joints[at_(joint)].object_B;
    for (const auto& [object, J] : {std::pair(object_A, emit.J_A), std::pair(object_B, emit.J_B)})
      if (J >= 0)
        std::fill_n(at.J.data() + J, top_->graph.blocks[at_(model_->objects[at_(object)].block)].n,
                    0.0);
    if (anchor) {
      std::fill_n(anchor, 6, 0.0);
      at.g_t[at_(emit.row)] = 0;
    }
    const auto put = [&](int object, int J, const double* m) {
      const Object& o = model_->objects[at_(object)];
      if (!o.moves_freely()) put_anchor(object, m, emit.row, at);
      // the block's part of a flat vector begins at its first unknown
      if (J >= 0) add_motion(object, m, at, at.J.data() + J - model_->blocks[at_(o.block)].v);
    };
    put(object_A, emit.J_A, on_A.data());
    return put(object_B, emit.J_B, on_B.data());
  }
  if (!slot.anchored) return;
  const int object = emit.J_A < 0 ? end_A(joint) : model_->joints[at_(joint)].object_B;
  const std::array<double, 6> motion{anchor[0], anchor[1], anchor[2],
                                     anchor[3], anchor[4], anchor[5]};
  std::fill_n(anchor, 6, 0.0);
  at.g_t[at_(emit.row)] = 0;
  put_anchor(object, motion.data(), emit.row, at);
}

/// Adds J on the motion of an object that does not move freely: as that of space, and as the rate
/// that it makes.
void Kinematics::put_anchor(int object, const double* m, int row, KinematicsCache& at) const {
  const body::Transform& T_WO = at.T_WO[at_(object)];
  double* anchor = at.anchor.data() + top_->anchor[at_(row)];
  vec3(anchor) += vec3(m);
  vec3(anchor + 3) += vec3(m + 3) + T_WO.p.cross(vec3(m));
  if (!model_->objects[at_(object)].moved) return;
  const auto moves = motion(T_WO, at.rate[at_(object)]);
  for (std::size_t i = 0; i < 6; ++i) at.g_t[at_(row)] += m[i] * moves[i];
}

/// J on the motions of its ends times these, x its sign.
double Kinematics::rate_of_source(std::size_t k, const double* u, const KinematicsCache& at) const {
  const Source& source = model_->sources[k];
  double rate = 0;
  for (const int side : {0, 1}) {
    const int object = side ? model_->joints[at_(source.joint)].object_B : end_A(source.joint);
    const Object& o = model_->objects[at_(object)];
    const double* J = at.x_J.data() + 24 * k + 12 * side;
    if (o.moved) {
      const auto moves = motion(at.T_WO[at_(object)], at.rate[at_(object)]);
      for (std::size_t m = 0; m < moves.size(); ++m) rate += J[m] * moves[m];
    }
    if (o.block < 0) continue;
    const Block& b = model_->blocks[at_(o.block)];
    const int n = body::motion_size(o.motion_kind);
    for (int m = 0; m < n; ++m) {
      double speed = 0;
      for (int c = 0; o.jacobian >= 0 && c < b.n; ++c)
        speed += at.jacobian[at_(o.jacobian + m * b.n + c)] * u[b.v + c];
      rate += J[m] * (o.jacobian < 0 ? u[b.v + m] : speed);
    }
  }
  return source.sign * rate;
}

void Kinematics::velocities(const KinematicsCache& at, const double* P, double* u) const {
  solve::apply_inverse_mass(top_->graph, at.inv_mass.data(), P, u);
}

void Kinematics::make_rates(KinematicsCache& at) const {
  at.rate.resize(model_->objects.size());
  at.bias.resize(model_->objects.size());
}

void Kinematics::rates(const double* q, const double* u, KinematicsCache& at) const {
  make_rates(at);
  for (const PoolSlot& s : model_->pools)
    s.pool->rates(derived_.data() + s.derived, q + s.q, u + s.v, at.T_WO.data() + s.object,
                  at.rate.data() + s.object, at.bias.data() + s.object);
}

void Kinematics::rates_at_loads(const double*, const double* u, KinematicsCache& at) const {
  make_rates(at);
  for (const int i : top_->loaded) {
    const Object& o = model_->objects[at_(i)];
    const Block& b = model_->blocks[at_(o.block)];
    std::array<double, 12> motion{};
    const int n = body::motion_size(o.motion_kind);
    if (o.jacobian < 0)
      std::copy_n(u + b.v, n, motion.begin());
    else
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < b.n; ++j)
          motion[at_(k)] += at.jacobian[at_(o.jacobian + k * b.n + j)] * u[b.v + j];
    at.rate[at_(i)] = body::rate_of(o.motion_kind, at.T_WO[at_(i)], motion.data());
  }
}

void Kinematics::row_rates(const State& state, KinematicsCache& at, double* rate,
                           double* bias) const {
  parallel::for_pieces(static_cast<int>(top_->joints.size()), kGrain, [&](int first, int last) {
    joint::Sample sample;
    joint::SampleRates moving;
    for (int j = first; j < last; ++j) joint_rates(state, j, sample, moving, at, rate, bias);
  });
  couple_rates(state, at, rate, bias);
}

void Kinematics::joint_rates(const State& state, int joint, joint::Sample& sample,
                             joint::SampleRates& moving, KinematicsCache& at, double* rate,
                             double* bias) const {
  const Topology::JointSlot& slot = top_->joints[at_(joint)];
  const bool on = state.on[at_(joint)] != 0;
  if (!slot.is_wanted() || (!on && slot.first_source == slot.end_source)) return;
  const Joint& info = model_->joints[at_(joint)];
  const joint::Ends e = ends(joint, at);
  joint::Arc own = info.arc < 0 ? joint::Arc{} : at.arc[at_(info.arc)];
  joint::sample(e, slot.features, 2, info.arc < 0 || !on ? own : at.arc[at_(info.arc)], sample);
  const auto a = at_(end_A(joint)), b = at_(info.object_B);
  joint::sample_rates(e, sample, slot.features,
                      {&at.rate[a], &at.rate[b], &at.bias[a], &at.bias[b]}, moving);
  for (int i = slot.begin; on && i < slot.end; ++i) {
    const int row = top_->emits[at_(i)].row;
    const joint::RowRates r = joint::rates(model_->rows[at_(row)].row, sample, moving);
    rate[row] = r.rate;
    bias[row] = r.bias;
  }
  for (int i = slot.first_source; i < slot.end_source; ++i) {
    const auto k = at_(top_->sources_by_joint[at_(i)]);
    at.x_rates[k] = joint::rates(model_->sources[k].row, sample, moving);
  }
}

void Kinematics::add_motion(int object, const double* m, const KinematicsCache& at,
                            double* f) const {
  const Object& o = model_->objects[at_(object)];
  if (o.block < 0) return;
  const Block& b = model_->blocks[at_(o.block)];
  const int n = body::motion_size(o.motion_kind);
  if (o.jacobian < 0) {
    for (int i = 0; i < n; ++i) f[b.v + i] += m[i];
    return;
  }
  const double* jac = at.jacobian.data() + o.jacobian;  // n x b.n
  for (int k = 0; k < b.n; ++k) {
    double sum = f[b.v + k];
    for (int i = 0; i < n; ++i) sum += m[i] * jac[i * b.n + k];
    f[b.v + k] = sum;
  }
}

void Kinematics::add_gravity(const KinematicsCache& at, double* f) const {
  const Vec3 g = vec3(params_->values.data() + kGravityParam);
  for (const Weight& w : weights_) {
    if (w.v >= 0) {
      vec3(f + w.v) += w.mass * g;
    } else {
      std::array<double, 12> m{};
      for (std::size_t k = 0; k < 3; ++k) m[k] = w.mass * g[static_cast<int>(k)];
      add_motion(w.object, m.data(), at, f);
    }
  }
}

bool Kinematics::gravity_is_constant() const {
  return std::all_of(weights_.begin(), weights_.end(), [](const Weight& w) { return w.v >= 0; });
}

void Kinematics::add_loads(const KinematicsCache& at, bool with_rates, double* f) const {
  for (const law::Load& load : model_->loads) {
    if (load.needs_rates() != with_rates) continue;
    const auto o = at_(load.object);
    const law::Wrench w =
        law::wrench(load, params_->values.data(), at.T_WO[o], at.rate[o], at.t, at.span);
    add_wrench(load.object, load.point, w.f, w.torque, at, f);
  }
}

void Kinematics::add_wrench(int object, const Vec3& x, const Vec3& force, const Vec3& torque,
                            const KinematicsCache& at, double* f) const {
  std::array<double, 12> m{};
  body::add_wrench(model_->objects[at_(object)].motion_kind, at.T_WO[at_(object)], x, force, torque,
                   m.data());
  add_motion(object, m.data(), at, f);
}

double Kinematics::load_power(const KinematicsCache& at, std::size_t load) const {
  const law::Load& l = model_->loads[load];
  const auto o = at_(l.object);
  const law::Wrench w =
      law::wrench(l, params_->values.data(), at.T_WO[o], at.rate[o], at.t, at.span);
  const Vec3 spin = body::spin(model_->objects[o].motion_kind, at.T_WO[o], at.rate[o]);
  return w.f.dot(at.rate[o].v + at.rate[o].A * l.point) + w.torque.dot(spin);
}

void Kinematics::flow(double h, const double* q, const double* P, double* q1, double* P1) const {
  for (const PoolSlot& s : model_->pools)
    s.pool->flow(derived_.data() + s.derived, h, q + s.q, P + s.v, q1 + s.q, P1 + s.v);
}

void Kinematics::retract(const double* dq, double* q) const {
  for (const PoolSlot& s : model_->pools) s.pool->retract(dq + s.v, q + s.q);
}

void Kinematics::difference(const double* q, const double* q1, double* dq) const {
  for (const PoolSlot& s : model_->pools) s.pool->difference(q + s.q, q1 + s.q, dq + s.v);
}

double Kinematics::kinetic_energy(const double* P, const double* u) const {
  double twice = 0;
  for (const PoolSlot& s : model_->pools)
    for (int i = s.v; i < s.v + s.pool->nv * s.pool->n_blocks; ++i) twice += P[i] * u[i];
  return 0.5 * twice;
}

double Kinematics::own_potential(const double* q, double* each) const {
  double sum = 0;
  for (const PoolSlot& s : model_->pools)
    sum += s.pool->potential(derived_.data() + s.derived, q + s.q, each ? each + s.block : nullptr);
  return sum;
}

double Kinematics::gravity_energy(const KinematicsCache& at) const {
  const Vec3 g = vec3(params_->values.data() + kGravityParam);
  double e = 0;
  for (std::size_t i = 0; i < mass_.size(); ++i)
    if (mass_[i] != 0) e -= mass_[i] * g.dot(at.T_WO[i].p);
  return e;
}

double Kinematics::total_mass() const { return std::accumulate(mass_.begin(), mass_.end(), 0.0); }

void Kinematics::momentum(const double* q, const double* P, Vec3& linear, Vec3& angular) const {
  for (const PoolSlot& s : model_->pools)
    if (s.pool->identity())
      s.pool->add_momentum(derived_.data() + s.derived, q + s.q, P + s.v, linear, angular);
}

void Kinematics::add_outside_wrench(const KinematicsCache& at, Vec3& f, Vec3& m) const {
  const Vec3 g = vec3(params_->values.data() + kGravityParam);
  double mass = 0;
  Vec3 moment = Vec3::Zero();  // of mass
  for (const Weight& w : weights_) {
    if (w.v < 0) continue;
    mass += w.mass;
    moment += w.mass * at.T_WO[at_(w.object)].p;
  }
  f += mass * g;
  m += moment.cross(g);
  for (const law::Load& load : model_->loads) {
    const auto o = at_(load.object);
    if (!model_->objects[o].moves_freely()) continue;
    const law::Wrench w =
        law::wrench(load, params_->values.data(), at.T_WO[o], at.rate[o], at.t, at.span);
    f += w.f;
    m += (at.T_WO[o].p + w.r).cross(w.f) + w.torque;
  }
}

}  // namespace trammel::model
