#include "model/transient.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "math/index.h"

namespace trammel::model {

namespace {

using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
constexpr std::size_t kFrame = 12;  // numbers of a frame in Transients::frame

Key key_of(const Transient& t) { return {t.type, t.pair, t.feature}; }
Key key_of(const Transients& t, std::size_t i) {
  return {t.key[3 * i], t.key[3 * i + 1], t.key[3 * i + 2]};
}

void put(const Pose& X, std::vector<double>& out) {
  out.insert(out.end(), X.p.data(), X.p.data() + 3);
  out.insert(out.end(), X.R.data(), X.R.data() + 9);
}

Pose frame(const Transients& t, std::size_t i) {
  const double* x = t.frame.data() + kFrame * i;
  Pose X;
  X.p = vec3(x);
  for (int c = 0; c < 3; ++c) X.R.col(c) = vec3(x + 3 + 3 * c);
  return X;
}

const TransientType& type_of(const Model& model, const Transients& t, std::size_t i) {
  return model.transient_types[static_cast<std::size_t>(t.key[3 * i])];
}

std::string name_of(const Model& model, const Transients& t, std::size_t i) {
  return fmt::format("{} {}:{}", type_of(model, t, i).name, t.key[3 * i + 1], t.key[3 * i + 2]);
}

/// Removes the transient joints of `live`: they are last in every list.
void truncate(const Model& model, Model& live) {
  live.joints.resize(model.joints.size());
  live.rows.resize(model.rows.size());
  live.laws.resize(model.laws.size());
  live.groups.resize(model.groups.size());
  live.n_angles = model.n_angles;
  live.n_transients = 0;
}

Joint joint_of(const Model& model, const Transients& t, std::size_t i) {
  const TransientType& type = type_of(model, t, i);
  Joint j;
  j.name = name_of(model, t, i);
  j.path = type.path;
  j.table = type.table;
  j.object_A = t.object[2 * i];
  j.object_B = t.object[2 * i + 1];
  j.X_OA = frame(t, 2 * i);
  j.X_OB = frame(t, 2 * i + 1);
  return j;
}

void append(const Model& model, const Transients& t, std::size_t i, Model& live) {
  const TransientType& type = type_of(model, t, i);
  const auto joint = static_cast<int>(live.joints.size());
  const auto row = static_cast<int>(live.rows.size()), law = static_cast<int>(live.laws.size());
  live.joints.push_back(joint_of(model, t, i));
  live.joints.back().first_row = row;
  for (std::size_t k = 0; k < type.rows.size(); ++k) {
    RowInfo& info = live.rows.emplace_back(type.rows[k]);
    info.joint = joint;
    if (type.law_of[k] >= 0) info.law = law + type.law_of[k];
    if (info.angle >= 0) info.angle += live.n_angles;
  }
  for (const LawOnRow& own : type.laws) {
    LawOnRow& l = live.laws.emplace_back(own);
    l.joint = joint;
    l.row += row;
  }
  for (const Group& g : type.groups) live.groups.push_back({joint, row + g.first_row, g.rows});
  live.n_angles += type.n_angles;
  ++live.n_transients;
}

/// Finds the joints of one list of transients in another.
class Carrier {
 public:
  Carrier(const Model& model, const Transients& from, const Transients& to)
      : model_(&model), from_(&from), to_(&to) {
    std::map<Key, std::size_t> known;
    for (std::size_t i = 0; i < from.size(); ++i) known[key_of(from, i)] = i;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto it = known.find(key_of(to, i));
      before_.push_back(it == known.end() ? -1 : static_cast<int>(it->second));
    }
  }

  /// A list that has `fixed` numbers of the model's own, then width(type) of each transient.
  template <class T, class Width>
  void carry(std::vector<T>& list, std::size_t fixed, const Width& width, T fresh) const {
    carry_by(list, fixed, width, [=](const TransientType&, std::size_t) { return fresh; });
  }
  /// The same with fresh(type, k) for what is new.
  template <class T, class Width, class Fresh>
  void carry_by(std::vector<T>& list, std::size_t fixed, const Width& width,
                const Fresh& fresh) const {
    const std::vector<T> old(list.begin() + static_cast<std::ptrdiff_t>(fixed), list.end());
    std::vector<std::size_t> begin;
    std::size_t n = 0;
    for (std::size_t i = 0; i < from_->size(); ++i) {
      begin.push_back(n);
      n += width(type_of(*model_, *from_, i));
    }
    list.resize(fixed);
    for (std::size_t i = 0; i < to_->size(); ++i) {
      const TransientType& type = type_of(*model_, *to_, i);
      for (std::size_t k = 0; k < width(type); ++k)
        list.push_back(before_[i] < 0 ? fresh(type, k) : old[begin[at(before_[i])] + k]);
    }
  }

 private:
  const Model* model_;
  const Transients *from_, *to_;
  std::vector<int> before_;  // where each was; -1: it is new
};

}  // namespace

Transients in_order(std::vector<Transient> list) {
  std::sort(list.begin(), list.end(),
            [](const Transient& a, const Transient& b) { return key_of(a) < key_of(b); });
  Transients out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Transient& t = list[i];
    if (i > 0 && key_of(list[i - 1]) == key_of(t))
      throw std::invalid_argument(fmt::format("two transient joints of type {} have the key {}:{}",
                                              t.type, t.pair, t.feature));
    out.key.insert(out.key.end(), {t.type, t.pair, t.feature});
    out.object.insert(out.object.end(), {t.object_A, t.object_B});
    put(t.X_OA, out.frame);
    put(t.X_OB, out.frame);
  }
  return out;
}

Transient get(const Transients& t, std::size_t i) {
  const auto [type, pair, feature] = key_of(t, i);
  return {
      static_cast<int>(type), pair, feature, t.object[2 * i], t.object[2 * i + 1], frame(t, 2 * i),
      frame(t, 2 * i + 1)};
}

std::string wrong(const Model& model, const Transients& t) {
  if (t.key.size() % 3 != 0 || t.object.size() != 2 * t.size() ||
      t.frame.size() != 2 * kFrame * t.size())
    return "the lists of transient joints differ in length";
  const auto types = static_cast<std::int64_t>(model.transient_types.size());
  const auto objects = static_cast<int>(model.objects.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t.key[3 * i] < 0 || t.key[3 * i] >= types)
      return fmt::format("there is no type {} of transient joints: the model has {}", t.key[3 * i],
                         types);
    const std::string name = name_of(model, t, i);
    const int a = t.object[2 * i], b = t.object[2 * i + 1];
    for (const int object : {a, b})
      if (object < 0 || object >= objects)
        return fmt::format("transient joint '{}': there is no body of index {}", name, object);
    if (a == b) return fmt::format("transient joint '{}' joins a body to itself", name);
    if (model.objects[at(a)].block < 0 && model.objects[at(b)].block < 0)
      return fmt::format("transient joint '{}' joins '{}' and '{}', neither of which can move",
                         name, model.objects[at(a)].name, model.objects[at(b)].name);
    const auto first = t.frame.begin() + static_cast<std::ptrdiff_t>(2 * kFrame * i);
    if (!std::all_of(first, first + 2 * kFrame, [](double x) { return std::isfinite(x); }))
      return fmt::format("transient joint '{}': a number of its frames is not finite", name);
  }
  return "";
}

std::string wrong_mechanism(const Model& model, const State& state) {
  const auto laid = static_cast<int>(model.laid.size());
  if (static_cast<int>(state.laid.size()) != model.n_arcs)
    return fmt::format("it has {} joints along tracks, the model {}", state.laid.size(),
                       model.n_arcs);
  for (const int i : state.laid)
    if (i < 0 || i >= laid)
      return fmt::format("there is no laid track of index {}: the model has {}", i, laid);
  return wrong(model, state.transients);
}

std::size_t rows_of(const Model& model, const Transients& t) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < t.size(); ++i) n += type_of(model, t, i).rows.size();
  return n;
}

void extend(const Model& model, const State& state, Model& live) {
  live.topology.reset();
  truncate(model, live);
  for (std::size_t i = 0; i < state.transients.size(); ++i)
    append(model, state.transients, i, live);
  for (Joint& j : live.joints) {
    if (j.arc < 0) continue;
    const LaidTrack& laid = model.laid[at(state.laid[at(j.arc)])];
    j.track = laid.track;
    j.object_A = laid.object;
    j.X_OA = laid.X_OT;
  }
}

std::vector<int> laid_at_start(const Model& model) {
  std::vector<int> out(at(model.n_arcs));
  for (const Joint& j : model.joints)
    if (j.arc >= 0) out[at(j.arc)] = j.laid;
  return out;
}

bool same_mechanism(const State& a, const State& b) {
  return a.transients == b.transients && a.laid == b.laid;
}

void carry(const Model& model, State& state, Transients next) {
  const Carrier carrier(model, state.transients, next);
  const auto rows = [](const TransientType& t) { return t.rows.size(); };
  const auto angles = [](const TransientType& t) { return static_cast<std::size_t>(t.n_angles); };
  const auto one = [](const TransientType&) { return std::size_t{1}; };
  const std::size_t n = model.rows.size();
  carrier.carry(state.rows.impulse, n, rows, 0.);
  carrier.carry_by(state.rows.bound, n, rows, [](const TransientType& t, std::size_t k) {
    return static_cast<signed char>(t.stops[k] ? -1 : 0);
  });
  carrier.carry<unsigned char>(state.rows.yielded, n, rows, 0);
  carrier.carry(state.angle, at(model.n_angles), angles, 0.);
  carrier.carry<unsigned char>(state.on, model.joints.size(), one, 1);
  // these may be empty: then nothing is known of any row
  if (!state.velocity.extrapolation.empty())
    carrier.carry(state.velocity.extrapolation, n, rows, 0.);
  if (!state.acceleration.recovery.empty()) carrier.carry(state.acceleration.recovery, n, rows, 0.);
  state.velocity.factored.clear();
  state.velocity.compliance.clear();
  // a scheme of two steps begins again: its rows were others one step back
  const EnergyMemory last = std::exchange(state.energy, {});
  state.energy.struck = last.struck;
  state.energy.kinked = last.kinked;
  state.transients = std::move(next);
}

Model with_samples(const Model& model) {
  Model out = model;
  out.topology.reset();
  const auto body = std::find_if(model.objects.begin(), model.objects.end(),
                                 [](const Object& o) { return o.block >= 0; });
  if (body == model.objects.end()) return out;
  std::vector<Transient> list;
  for (std::size_t k = 0; k < model.transient_types.size(); ++k)
    list.push_back({static_cast<int>(k), 0, 0, 0, static_cast<int>(body - model.objects.begin()),
                    Pose{}, Pose{}});
  const Transients transients = in_order(std::move(list));
  for (std::size_t i = 0; i < transients.size(); ++i) append(model, transients, i, out);
  return out;
}

}  // namespace trammel::model
