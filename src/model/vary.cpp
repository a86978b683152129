#include "model/vary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "law/conflicts.h"
#include "math/dense.h"
#include "math/index.h"
#include "model/system.h"

namespace trammel::model {

namespace {

/// Collects what is wrong with the parameters `now`, where they were `before`.
class Check {
 public:
  Check(const Model& model, const Params& before, const Params& now)
      : m_(model), names_(param_names(model)), before_(before.values), now_(now.values) {}

  std::string all() {
    for (int k = kGravityParam; k < kGravityParam + 3; ++k)
      if (!std::isfinite(now(k))) complain(k, "gravity is not finite");
    for (const PoolSlot& s : m_.pools)
      for (int i = 0; i < s.pool->n_blocks; ++i) check_block(s, i);
    for (const LawOnRow& l : m_.laws) check_law(l);
    for (const law::Load& l : m_.loads) check_load(l);
    for (const Strength& s : m_.strengths)
      for (int k = s.first_param; k < s.first_param + 2; ++k)
        if (!(now(k) > 0)) complain(k, fmt::format("{}: a strength is positive", now(k)));
    return text_;
  }

 private:
  double now(int i) const { return now_[at(i)]; }
  bool changed(int first, int n) const {
    return !std::equal(now_.begin() + first, now_.begin() + first + n, before_.begin() + first);
  }
  void complain(int i, const std::string& why) {
    const std::string name = at(i) < names_.size() ? names_[at(i)] : "a row held at zero";
    text_ += fmt::format("{}{}: {}", text_.empty() ? "" : "\n", name, why);
  }

  using Numbers = std::array<double, 7>;  // mass, and six of a matrix about the centre of mass

  /// A kind of single bodies says its numbers in one form, systems say which theirs are.
  void check_block(const PoolSlot& slot, int block) {
    const body::Pool& pool = *slot.pool;
    const int n = pool.n_params, first = slot.param + n * block;
    if (n == 0 || !changed(first, n)) return;
    for (int k = first; k < first + n; ++k)
      if (!std::isfinite(now(k))) return complain(k, "is not finite");
    if (const auto* system = system_of(slot)) return check_objects(system->parameter_list(), first);
    if (n != 7 || pool.n_objects != 1)
      return complain(first, fmt::format("the numbers of a {} are those it was built with: build "
                                         "it anew",
                                         pool.kind()));
    Numbers was, is;
    std::copy_n(before_.begin() + first, 7, was.begin());
    std::copy_n(now_.begin() + first, 7, is.begin());
    check_body(first, first + 1, was, is, !body::can_strain(pool.motion_kind()));
  }

  /// Numbers of a system's objects that are zero are none of its parameters.
  void check_objects(const std::vector<body::SystemParameter>& list, int first) {
    for (std::size_t i = 0; i < list.size();) {
      Numbers was{}, is{};
      int mass = -1, moments = -1;
      for (const int object = list[i].object; i < list.size() && list[i].object == object; ++i) {
        const int k = first + static_cast<int>(i);
        was[at(list[i].which)] = before_[at(k)];
        is[at(list[i].which)] = now(k);
        if (int& begin = list[i].which == 0 ? mass : moments; begin < 0) begin = k;
      }
      check_body(mass, moments, was, is, true);
    }
  }

  /// mass, moments: which parameters they are; -1: it has none.
  void check_body(int mass, int moments, const Numbers& was, const Numbers& is, bool turns) {
    if (mass >= 0 && !(is[0] > 0))
      return complain(mass, fmt::format("{} kg: the mass is positive; a body without mass takes "
                                        "a model of its own: build it",
                                        is[0]));
    if (moments < 0) return;
    Mat3 I;
    I << is[1], is[4], is[5], is[4], is[2], is[6], is[5], is[6], is[3];
    const Vec3 x = dense::principal_values(I);  // rising
    if (!(x[0] >= -1e-15 * x[2])) return complain(moments, "the moments of the body are negative");
    if (turns && x[2] > (x[0] + x[1]) * (1 + 1e-9))
      complain(moments,
               "no body has these moments: the largest principal one exceeds the sum of "
               "the others");
    const bool had = was[1] + was[2] + was[3] > 0, has = x.sum() > 0;
    if (had != has)
      complain(moments, "a body that gains or loses all inertia takes another model: build it");
  }

  void check_law(const LawOnRow& l) {
    const law::Type& type = *l.law.type;
    const int first = l.law.first_param, n = count(type.parameters);
    if (n == 0 || !changed(first, n)) return;
    if (l.joint < 0) return complain(first, "rows that are held at zero stay there");
    for (int k = 0; k < n; ++k) {
      const law::Parameter& p = type.parameters[at(k)];
      const double x = now(first + k);
      if (!(x >= p.lo && x <= p.hi))
        complain(first + k, fmt::format("{} is outside [{}, {}]", x, p.lo, p.hi));
      else if (p.quantity == law::Quantity::force_per_x && !std::isfinite(x))
        complain(first + k, "what is infinitely stiff is a row that holds: build it");
    }
    check_together(l, first);
  }

  void check_together(const LawOnRow& l, int first) {
    const law::Type& type = *l.law.type;
    const law::ConstraintSpec was = type.constraint(l.law, before_.data() + first, 0);
    const law::ConstraintSpec is = type.constraint(l.law, now_.data() + first, 0);
    for (const std::string& text : law::faults_of_change(was, is)) complain(first, text);
    for (int k = first; k < first + count(type.parameters); ++k)
      if (type.parameters[at(k - first)].quantity == law::Quantity::length &&
          (before_[at(k)] == 0) != (now(k) == 0))
        complain(k, "whether there is such a length is known when the model is built: build it");
    if (!type.faults || !text_.empty()) return;
    const law::Given given{l.name, m_.rows[at(l.row)].name, [&](std::string_view key) {
                             for (int k = 0; k < count(type.parameters); ++k)
                               if (const law::Parameter& p = type.parameters[at(k)]; p.name == key)
                                 return now(first + k) != p.fallback;
                             return true;
                           }};
    for (const law::Fault& f : type.faults(l.law, now_.data() + first, given))
      complain(first, f.text);
  }

  void check_load(const law::Load& l) {
    for (int k = 0; k < count(l.type->numbers); ++k) {
      const law::LoadNumber& p = l.type->numbers[at(k)];
      const double x = now(l.first_param + k);
      if (!(std::isfinite(x) && x >= p.lo && x <= p.hi))
        complain(l.first_param + k, fmt::format("{}: {}", x, p.rule));
    }
  }

  const Model& m_;
  const std::vector<std::string> names_;
  const std::vector<double>&before_, &now_;
  std::string text_;
};

}  // namespace

void vary(Built& built, std::span<const Change> changes, std::span<const double> u) {
  const Model& m = *built.model;
  if (u.size() != at(m.n_u))
    throw std::invalid_argument(
        fmt::format("{} velocities are given where there are {}", u.size(), m.n_u));
  Params next = built.params;
  for (const Change& c : changes) {
    const int i = checked(m, c.param);
    if (at(i) >= next.values.size()) throw std::invalid_argument("there is no such parameter");
    next.values[at(i)] = c.value;
  }
  if (const std::string why = Check(m, built.params, next).all(); !why.empty())
    throw std::invalid_argument(why);
  built.params = std::move(next);
  for (const PoolSlot& s : m.pools) {
    std::vector<double> derived(at(s.pool->n_derived * s.pool->n_blocks));
    s.pool->derive(built.params.values.data() + s.param, derived.data());
    s.pool->momentum(derived.data(), built.state.q.data() + s.q, u.data() + s.v,
                     built.state.P.data() + s.v);
  }
}

}  // namespace trammel::model
