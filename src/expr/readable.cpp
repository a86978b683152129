// Expressions as sums of products of atoms: variables, functions of what is readable itself.
#include "expr/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "expr/build.h"

namespace trammel::expr {

namespace {

using Power = std::pair<Id, int>;       // an atom and its exponent
using Product = std::vector<Power>;     // by rising atoms, exponents not zero
using Sum = std::map<Product, double>;  // coefficients, none of them zero

constexpr std::size_t kMostTerms = 300;
constexpr int kMostPower = 8;

struct TooLong {};

Product times(const Product& a, const Product& b) {
  Product out = a;
  for (const auto& [atom, exponent] : b) {
    const auto it =
        std::lower_bound(out.begin(), out.end(), Power{atom, 0},
                         [](const Power& p, const Power& q) { return p.first < q.first; });
    if (it != out.end() && it->first == atom) {
      it->second += exponent;
      if (it->second == 0) out.erase(it);
    } else {
      out.insert(it, {atom, exponent});
    }
  }
  return out;
}

void add(Sum& to, const Product& product, double coefficient) {
  double& c = to[product];
  const double before = c;
  c += coefficient;
  // what is left by rounding of terms that cancel is nothing
  if (std::abs(c) <= 1e-14 * std::max(std::abs(before), std::abs(coefficient))) to.erase(product);
  if (to.size() > kMostTerms) throw TooLong{};
}

Sum times(const Sum& a, const Sum& b) {
  if (a.size() * b.size() > 4 * kMostTerms) throw TooLong{};
  Sum out;
  for (const auto& [p, c] : a)
    for (const auto& [q, d] : b) add(out, times(p, q), c * d);
  return out;
}

int exponent_of(const Product& p, Id atom) {
  for (const auto& [a, e] : p)
    if (a == atom) return e;
  return 0;
}

class Rewriter {
 public:
  explicit Rewriter(Graph& graph) : g_(graph) {}

  Expression of(Expression e) {
    for (const Id id : reachable(g_, std::span(&e, 1))) sums_[id] = sum({&g_, id});
    return expression(shortened(sums_.at(e.id)));
  }

 private:
  Sum number(double x) { return x == 0 ? Sum{} : Sum{{{}, x}}; }
  Sum atom(Expression e) { return Sum{{{{e.id, 1}}, 1}}; }

  Sum sum(Expression e) {
    const Node& n = g_.node(e.id);
    if (n.op == Op::constant) return std::isfinite(n.value) ? number(n.value) : atom(e);
    if (n.op == Op::variable) return atom(e);
    const auto arg = [&](std::size_t i) -> const Sum& { return sums_.at(g_.args(e.id)[i]); };
    switch (n.op) {
      case Op::neg:
        return times(number(-1), arg(0));
      case Op::add:
      case Op::sub: {
        Sum out = arg(0);
        for (const auto& [p, c] : arg(1)) add(out, p, n.op == Op::add ? c : -c);
        return out;
      }
      case Op::mul:
        return times(arg(0), arg(1));
      case Op::div:
        return quotient(arg(0), arg(1));
      case Op::power:
        return power(e, arg(0), static_cast<int>(constant_value(g_.arg(e, 1))));
      default:
        return function(e);
    }
  }

  Sum quotient(const Sum& a, const Sum& b) {
    if (b.size() != 1) {  // one over a sum is an atom
      const Expression d = expression(shortened(b));
      return times(a, Sum{{{{d.id, -1}}, 1}});
    }
    Product inverse = b.begin()->first;
    for (auto& [atom, exponent] : inverse) exponent = -exponent;
    return times(a, Sum{{inverse, 1 / b.begin()->second}});
  }

  Sum power(Expression e, const Sum& a, int n) {
    if (a.size() == 1) {
      Product p = a.begin()->first;
      for (auto& [atom, exponent] : p) exponent *= n;
      return Sum{{p, std::pow(a.begin()->second, n)}};
    }
    if (n < 0 || n > kMostPower) return function(e);
    Sum out = number(1);
    for (int i = 0; i < n; ++i) out = times(out, a);
    return out;
  }

  /// A function of readable arguments; of sin and cos the sign of the argument comes out.
  Sum function(Expression e) {
    const Node n = g_.node(e.id);
    std::vector<Expression> args;
    for (std::size_t i = 0; i < n.n_args; ++i)
      args.push_back(expression(shortened(sums_.at(g_.args(e.id)[i]))));
    if (n.op == Op::call) {
      const Call call = g_.call_of(e.id);
      return atom(g_.call(call.function, args, call.partial, call.result));
    }
    args.resize(3);
    double sign = 1;
    if ((n.op == Op::sin || n.op == Op::cos) && g_.node(args[0].id).op == Op::neg) {
      args[0] = g_.arg(args[0], 0);
      sign = n.op == Op::sin ? -1 : 1;
    }
    const Expression made = apply(n.op, args[0], args[1], args[2]);
    if (is_constant(made)) return number(sign * constant_value(made));
    return Sum{{{{made.id, 1}}, sign}};
  }

  /// The partner of sin(a): cos(a), and the other way round.
  Id partner(Id atom) {
    const bool sine = g_.node(atom).op == Op::sin;
    return apply(sine ? Op::cos : Op::sin, g_.arg({&g_, atom}, 0)).id;
  }
  bool is_circular(Id atom) const {
    return g_.node(atom).op == Op::sin || g_.node(atom).op == Op::cos;
  }

  /// Replaces f(a)^2 by 1 - partner(a)^2, as often as it stands there.
  Sum squares_replaced(const Sum& s, Id atom) {
    const Id other = partner(atom);
    Sum out = s;
    for (bool again = true; again;) {
      again = false;
      for (const auto& [p, c] : Sum(out)) {
        if (exponent_of(p, atom) < 2) continue;
        again = true;
        const Product rest = times(p, {{atom, -2}});
        out.erase(p);
        add(out, rest, c);
        add(out, times(rest, {{other, 2}}), -c);
      }
    }
    return out;
  }

  Sum shortened(Sum s) {
    for (bool again = true; again;) {
      again = false;
      for (const Id atom : circular(s)) {
        Sum other = squares_replaced(s, atom);
        if (other.size() >= s.size()) continue;
        s = std::move(other);
        again = true;
        break;
      }
      if (!again) again = join_angles(s);
    }
    return s;
  }

  std::vector<Id> circular(const Sum& s) const {
    std::vector<Id> out;
    for (const auto& [p, c] : s)
      for (const auto& [atom, exponent] : p)
        if (is_circular(atom) && std::find(out.begin(), out.end(), atom) == out.end())
          out.push_back(atom);
    return out;
  }

  /// cos a cos b + sin a sin b = cos(a - b), sin a cos b + cos a sin b = sin(a + b), ...: the first
  /// pair of terms that this makes one.
  bool join_angles(Sum& s) {
    for (const auto& [p, c] : s)
      for (const auto& [f, ef] : p) {
        if (!is_circular(f) || ef < 1) continue;
        for (const auto& [h, eh] : p) {
          if (!is_circular(h) || eh < 1 || h == f || h == partner(f)) continue;
          const Product rest = times(p, {{std::min(f, h), -1}, {std::max(f, h), -1}});
          const Id pf = partner(f), ph = partner(h);
          const auto it = s.find(times(rest, {{std::min(pf, ph), 1}, {std::max(pf, ph), 1}}));
          if (it == s.end() || std::abs(std::abs(it->second) - std::abs(c)) > 1e-14 * std::abs(c))
            continue;
          return join(s, p, c, f, h, rest, it->first, it->second);
        }
      }
    return false;
  }

  bool join(Sum& s, const Product& p, double c, Id f, Id h, const Product& rest,
            const Product& other, double d) {
    const bool sine_f = g_.node(f).op == Op::sin, sine_h = g_.node(h).op == Op::sin;
    Expression a = g_.arg({&g_, f}, 0), b = g_.arg({&g_, h}, 0);
    double sign = 1;
    bool minus = false, cosine = sine_f == sine_h;
    if (cosine) {
      // both cosines: c cos cos + d sin sin = c cos(a - b) where d = c
      minus = c * d > 0;
      sign = sine_f ? (minus ? 1 : -1) : 1;
    } else {
      // c sin a cos b + d cos a sin b = c sin(a + b) where d = c
      if (!sine_f) std::swap(a, b);
      minus = c * d < 0;
    }
    const Expression angle = minus ? difference(a, b, sign, cosine) : of_sum(a + b);
    const Expression made = apply(cosine ? Op::cos : Op::sin, angle);
    const double coefficient = sign * c;
    const Product first = p, second = other;
    s.erase(first);
    s.erase(second);
    if (is_constant(made))
      add(s, rest, coefficient * constant_value(made));
    else
      add(s, times(rest, {{made.id, 1}}), coefficient);
    return true;
  }

  /// a - b, or b - a where that is written with fewer signs.
  Expression difference(Expression a, Expression b, double& sign, bool cosine) {
    if (b.id < a.id) {
      std::swap(a, b);
      if (!cosine) sign = -sign;
    }
    return of_sum(a - b);
  }
  Expression of_sum(Expression e) {
    Rewriter inner(g_);
    return inner.of(e);
  }

  static bool before(const std::pair<Product, double>& a, const std::pair<Product, double>& b) {
    return a.first < b.first;
  }

  Expression expression(const Sum& s) {
    Expression out;
    // what is added before what is subtracted
    for (const bool negative : {false, true})
      for (const auto& [p, c] : s) {
        if ((c < 0) != negative) continue;
        const Expression t = term(p, std::abs(c));
        out = out ? (negative ? out - t : out + t) : negative ? -t : t;
      }
    return out ? out : g_.constant(0);
  }

  /// Without what rounding has left at the end.
  static double rounded(double c) { return std::stod(fmt::format("{:.14g}", c)); }

  Expression term(const Product& p, double exact) {
    const double c = rounded(exact);
    Expression above = c == 1 ? Expression{} : g_.constant(c), below;
    for (const auto& [atom, exponent] : p) {
      const Expression f = pow(Expression{&g_, atom}, std::abs(exponent));
      Expression& to = exponent > 0 ? above : below;
      to = to ? to * f : f;
    }
    if (!above) above = g_.constant(1);
    return below ? above / below : above;
  }

  Graph& g_;
  std::unordered_map<Id, Sum> sums_;
};

}  // namespace

Expression readable(Expression e) {
  try {
    return Rewriter(*e.graph).of(e);
  } catch (const TooLong&) {
    return e;
  } catch (const GraphFull&) {
    return e;
  }
}

}  // namespace trammel::expr
