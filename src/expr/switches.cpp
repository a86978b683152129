#include "expr/switches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "expr/adapters.h"

namespace trammel::expr {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnit = std::numeric_limits<double>::epsilon();
constexpr double kRounding = 8 * kUnit;  // of what a difference is made of
constexpr double kTogether = 1e-9;       // of the interval: switches that are one
constexpr double kLeast = 1e-100;        // the moment after zero, whose cube is a number

}  // namespace

/// Finds what of an expression is to be watched.
class SwitchesOf::Collector {
 public:
  Collector(const Expression& f, Expression t)
      : g_(*f.graph), ids_(reachable(g_, std::span(&f, 1))) {
    find_contents(t.id);
    for (const Id id : ids_) visit(id);
  }
  std::vector<Watch> watches;
  std::vector<Expression> outputs;

 private:
  double constant(Id id) const { return g_.node(id).op == Op::constant ? g_.node(id).value : 0; }

  /// Finds what the parts contain: the time, other variables.
  void find_contents(Id t) {
    has_time_.assign(ids_.empty() ? 0 : ids_.back() + 1, 0);
    has_others_ = has_time_;
    for (const Id id : ids_) {
      has_time_[id] = id == t;
      has_others_[id] = g_.node(id).op == Op::variable && id != t;
      for (const Id a : g_.args(id)) {
        has_time_[id] |= has_time_[a];
        has_others_[id] |= has_others_[a];
      }
    }
  }

  void visit(Id id) {
    const auto args = g_.args(id);
    switch (g_.node(id).op) {
      case Op::abs:
      case Op::sign:
      case Op::sqrt:
      case Op::cbrt:
      case Op::log:
      case Op::log10:
      case Op::atan2:
        return zeros(args[0], false);
      case Op::floor:
        return add(Levels::whole, args[0]);
      case Op::div:
        return zeros(args[1], true);
      case Op::power:
      case Op::pow:
        if (is_smooth_power(args[1])) return;
        return zeros(args[0], constant(args[1]) < 0);
      case Op::tan:
        return add(Levels::poles_of_tan, args[0], {}, true);
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::different:
      case Op::min:
      case Op::max:
        return difference(args[0], args[1]);
      case Op::select:
        if (!is_condition(g_.node(args[0]).op)) zeros(args[0], false);
        return;
      case Op::call:
        if (const Function& f = *g_.call_of(id).function; !f.breaks.empty())
          add(Levels::breaks, args[0], f.breaks);
        return;
      default:
        return;
    }
  }

  /// True for a whole exponent that is not negative.
  bool is_smooth_power(Id exponent) const {
    const double n = constant(exponent);
    return g_.node(exponent).op == Op::constant && n >= 0 && n == std::floor(n);
  }

  /// Those of a product are those of its factors: so double ones are found as well.
  void zeros(Id id, bool divides) {
    const auto args = g_.args(id);
    switch (g_.node(id).op) {
      case Op::mul:
        zeros(args[0], divides);
        return zeros(args[1], divides);
      case Op::div:
      case Op::neg:
      case Op::abs:
      case Op::sqrt:
      case Op::cbrt:
        return zeros(args[0], divides);
      case Op::power:
      case Op::pow:
        if (constant(args[1]) > 0) zeros(args[0], divides);
        return;
      case Op::sub:
        return difference(args[0], args[1], divides);
      default:
        return add(Levels::zero, id, {}, divides);
    }
  }

  bool of_time(Id id) const { return !has_others_[id]; }

  void difference(Id a, Id b, bool divides = false) {
    if (!of_time(a) || !of_time(b) || (!has_time_[a] && !has_time_[b])) return;
    Watch& w = watches.emplace_back();
    w.divides = divides;
    w.a = output(a);
    w.b = output(b);
  }

  void add(Levels levels, Id id, std::vector<double> breaks = {}, bool divides = false) {
    if (!of_time(id) || !has_time_[id]) return;
    Watch& w = watches.emplace_back();
    w.levels = levels;
    w.divides = divides;
    w.a = output(id);
    w.breaks = std::move(breaks);
  }

  std::uint32_t output(Id id) {
    const auto [at, fresh] = outputs_.try_emplace(id, static_cast<std::uint32_t>(outputs.size()));
    if (fresh) outputs.push_back({const_cast<Graph*>(&g_), id});
    return at->second;
  }

  const Graph& g_;
  std::vector<Id> ids_;
  std::vector<unsigned char> has_time_, has_others_;
  std::map<Id, std::uint32_t> outputs_;
};

SwitchesOf::SwitchesOf(Expression f, std::span<const Expression> inputs, Expression t) {
  Collector found(f, t);
  if (found.watches.empty()) return;
  Compiled parts = Tape::compile(found.outputs, std::array{t});
  Compiled whole = Tape::compile(std::array{f}, inputs);
  if (!parts || !whole) return;  // a function from outside without derivatives
  watches_ = std::move(found.watches);
  parts_ = std::move(parts.tape);
  whole_ = std::move(whole.tape);
  inputs_ = inputs.size();
  time_ = static_cast<std::size_t>(std::find(inputs.begin(), inputs.end(), t) - inputs.begin());
}

/// Values and rates of all that is watched.
class SwitchesOf::Search {
 public:
  Search(const SwitchesOf& of, double from, double to)
      : of_(of), from_(from), to_(to), size_(of.parts_.outputs()), scratch_(9 * size_) {}

  struct Found {
    double before = kInf, at = kInf, after = kInf;
    bool divides = false;
  };

  Found first() {
    Found out;
    const double middle = from_ + (to_ - from_) / 2;
    sample(from_, 0);
    for (const double end : {middle, to_}) {
      sample(end, 1);
      for (const Watch& w : of_.watches_) take(in_piece(w, end), out);
      if (out.at < kInf) break;
      std::copy_n(part(1, 0).begin(), 3 * size_, part(0, 0).begin());
      start_ = end;
    }
    return out;
  }

 private:
  struct G {
    double g = 0, rate = 0, scale = 0;
  };

  std::span<double> part(std::size_t which, std::size_t order) {
    const std::span<double> all = scratch_;
    return all.subspan((3 * which + order) * size_, size_ * (order == 0 ? 3 : 1));
  }

  void sample(double t, std::size_t which) {
    of_.parts_.directional(std::array{t}, std::array{1.0}, std::array{0.0},
                           part(which, 0).first(size_), part(which, 1), part(which, 2),
                           ThreadScratch(of_.parts_.scratch_size()));
    if (which == 0) start_ = t;
  }

  G g(const Watch& w, std::size_t which) {
    const std::span<double> y = part(which, 0), y1 = part(which, 1);
    G out{y[w.a], y1[w.a], std::abs(y[w.a])};
    if (w.b == Watch::kNone) return out;
    out.scale = std::max(out.scale, std::abs(y[w.b]));
    out.g -= y[w.b];
    out.rate -= y1[w.b];
    return out;
  }

  G at(const Watch& w, double t) {
    sample(t, 2);
    return g(w, 2);
  }

  /// The first level that g passes on its way from a to b; none: NaN.
  static double level(const Watch& w, double a, double b) {
    const bool up = b > a;
    double l = 0;
    if (w.levels == Levels::poles_of_tan) {  // pi/2 + k pi
      const double pi = std::acos(-1.0), from = a / pi - 0.5;
      l = pi * ((up ? std::floor(from) + 1 : std::ceil(from) - 1) + 0.5);
    } else if (w.levels == Levels::whole) {
      l = up ? std::floor(a) + 1 : std::ceil(a) - 1;
    } else if (w.levels == Levels::breaks) {
      const auto& k = w.breaks;
      const auto next =
          up ? std::upper_bound(k.begin(), k.end(), a) : std::lower_bound(k.begin(), k.end(), a);
      if (up ? next == k.end() : next == k.begin()) return std::numeric_limits<double>::quiet_NaN();
      l = up ? *next : *(next - 1);
    }
    return up ? (a < l && l <= b ? l : kNone) : (a > l && l >= b ? l : kNone);
  }

  /// The last number before, the first after `passed` turns true in (a, b].
  template <class F>
  static std::pair<double, double> bisect(double a, double b, const F& passed) {
    for (;;) {
      const double middle = a + (b - a) / 2;
      if (!(middle > a && middle < b)) return {a, b};
      (passed(middle) ? b : a) = middle;
    }
  }

  std::optional<Found> rising_or_falling(const Watch& w, double a, double ga, double b, double gb) {
    const double l = level(w, ga, gb);
    if (l != l) return {};
    const auto [lo, hi] =
        bisect(a, b, [&](double t) { return gb > ga ? at(w, t).g >= l : at(w, t).g <= l; });
    return around(w, lo, hi);
  }

  Found around(const Watch& w, double lo, double hi) {
    const G end = at(w, hi);
    double margin = kRounding * (std::abs(hi) + end.scale / std::abs(end.rate));
    if (!(margin < kTogether * (to_ - from_))) margin = kRounding * std::abs(hi);
    margin = std::max(margin, kLeast);
    return {lo - margin, hi, hi + margin, w.divides};
  }

  std::optional<Found> in_piece(const Watch& w, double end) {
    const G a = g(w, 0), b = g(w, 1);
    if (!std::isfinite(a.g) || !std::isfinite(b.g)) return {};
    if (!(a.rate * b.rate < 0)) return rising_or_falling(w, start_, a.g, end, b.g);
    const auto [before, turn] =
        bisect(start_, end, [&](double t) { return at(w, t).rate * b.rate > 0; });
    const G top = at(w, turn);
    if (const auto found = rising_or_falling(w, start_, a.g, turn, top.g)) return found;
    if (w.levels == Levels::zero && std::abs(top.g) <= kRounding * top.scale)
      return around(w, before, turn);
    return rising_or_falling(w, turn, top.g, end, b.g);
  }

  /// Keeps the switch that comes first, and those that come at once with it.
  void take(const std::optional<Found>& found, Found& out) const {
    if (!found) return;
    const double near = kTogether * (to_ - from_);
    if (found->at < out.at - near) {
      out = *found;
    } else if (found->at <= out.at + near) {
      out.before = std::min(out.before, found->before);
      out.at = std::max(out.at, found->at);
      out.after = std::max(out.after, found->after);
      out.divides |= found->divides;
    }
  }

  const SwitchesOf& of_;
  double from_, to_, start_ = 0;
  std::size_t size_;
  ThreadScratch scratch_;
};

double SwitchesOf::value(double t, double& rate) const {
  // what is not the time is anywhere where nothing vanishes
  std::vector<double> x(inputs_, 0.7390851332151607), x1(inputs_, 0), x2(inputs_, 0);
  x[time_] = t;
  x1[time_] = 1;
  double y = 0, y2 = 0;
  whole_.directional(x, x1, x2, std::span(&y, 1), std::span(&rate, 1), std::span(&y2, 1),
                     ThreadScratch(whole_.scratch_size()));
  return y;
}

/// Whether it grows without bound towards a time, as by 1/sqrt or faster.
bool SwitchesOf::grows(double at, double way) const {
  double y[3], rate = 0;
  for (int i = 0; i < 3; ++i, way /= 1024) y[i] = value(at + way, rate);
  const double first = std::abs(y[1] - y[0]), second = std::abs(y[2] - y[1]);
  return second > 8 * first && second > 0.1 * std::abs(y[2]);
}

Switch SwitchesOf::operator()(double from, double to) const {
  if (empty() || !(to > from)) return {};
  const Search::Found found = Search(*this, from, to).first();
  Switch out{found.before, found.at, false};
  if (found.at == kInf) return out;
  const double way = 1e-3 * (to - from);
  if (found.divides) out.pole = grows(found.at, way) || grows(found.at, -way);
  // on the moment itself, unless what holds there is not what follows
  double rate[3];
  const double y[3] = {value(found.before, rate[0]), value(found.at, rate[1]),
                       value(found.after, rate[2])};
  const auto follows = [](const double* v) {
    return std::abs(v[1] - v[2]) <=
           1e-9 * (std::abs(v[1]) + std::abs(v[2]) + std::abs(v[0] - v[2]));
  };
  if (!follows(y) || !follows(rate)) out.t = found.after;
  return out;
}

}  // namespace trammel::expr
