#include "expr/latex.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace trammel::expr {

namespace {

constexpr std::array kGreek = {"alpha", "beta",  "gamma", "delta",  "epsilon", "zeta", "eta",
                               "theta", "iota",  "kappa", "lambda", "mu",      "nu",   "xi",
                               "pi",    "rho",   "sigma", "tau",    "phi",     "chi",  "psi",
                               "omega", "Gamma", "Delta", "Theta",  "Lambda",  "Xi",   "Pi",
                               "Sigma", "Phi",   "Psi",   "Omega"};

enum Binding { kSum, kMinus, kProduct, kPower, kAtom };

struct Text {
  std::string text;
  Binding binding = kAtom;
};

std::string decimal(double x) {
  std::string s = fmt::format("{:.12g}", x);
  const auto e = s.find('e');
  if (e == std::string::npos) return s;
  return fmt::format("{} \\cdot 10^{{{}}}", s.substr(0, e), std::stoi(s.substr(e + 1)));
}

std::string within(const Text& t, Binding least) {
  return t.binding < least ? "\\left(" + t.text + "\\right)" : t.text;
}

class Writer {
 public:
  explicit Writer(const Graph& graph) : g_(graph) {}

  Text of(Id id) const {
    const Node& n = g_.node(id);
    const auto args = g_.args(id);
    const auto arg = [&](std::size_t i) { return of(args[i]); };
    switch (n.op) {
      case Op::constant:
        return {decimal(n.value), n.value < 0 ? kMinus : kAtom};
      case Op::variable:
        return {name_in_latex(g_.name(id))};
      case Op::neg:
        return {"-" + within(arg(0), kProduct), kMinus};
      case Op::add:
        return {arg(0).text + " + " + within(arg(1), kProduct), kSum};
      case Op::sub:
        return {arg(0).text + " - " + within(arg(1), kProduct), kSum};
      case Op::mul: {  // numbers first
        const bool swapped =
            g_.node(args[1]).op == Op::constant && g_.node(args[0]).op != Op::constant;
        return {
            within(arg(swapped ? 1 : 0), kProduct) + " " + within(arg(swapped ? 0 : 1), kProduct),
            kProduct};
      }
      case Op::div:
        return {"\\frac{" + arg(0).text + "}{" + arg(1).text + "}", kProduct};
      case Op::power:
      case Op::pow:
        return power(args[0], arg(1).text);
      case Op::sqrt:
        return {"\\sqrt{" + arg(0).text + "}"};
      case Op::abs:
        return {"\\left|" + arg(0).text + "\\right|"};
      default:
        return function(id);
    }
  }

 private:
  /// sin(x)^2 is \sin^{2} x.
  Text power(Id base, const std::string& exponent) const {
    const Op op = g_.node(base).op;
    if (op == Op::sin || op == Op::cos || op == Op::tan)
      return {fmt::format("\\{}^{{{}}}{}", symbol(op), exponent, argument(g_.args(base)[0])),
              kProduct};
    return {within(of(base), kAtom) + "^{" + exponent + "}", kPower};
  }
  std::string argument(Id id) const {
    const Text t = of(id);
    return g_.node(id).op == Op::variable ? " " + t.text : "\\left(" + t.text + "\\right)";
  }
  Text function(Id id) const {
    const Node& n = g_.node(id);
    const auto args = g_.args(id);
    static constexpr std::array kKnown = {Op::sin,  Op::cos,  Op::tan,  Op::exp, Op::log,
                                          Op::sinh, Op::cosh, Op::tanh, Op::min, Op::max};
    const std::string name = n.op == Op::call ? name_of(g_.call_of(id)) : std::string(symbol(n.op));
    const bool known = std::find(kKnown.begin(), kKnown.end(), n.op) != kKnown.end();
    if (known && args.size() == 1)
      return {fmt::format("\\{}{}", name, argument(args[0])), kProduct};
    std::string out = known ? fmt::format("\\{}", name) : fmt::format("\\operatorname{{{}}}", name);
    if (n.op == Op::call && order(g_.call_of(id).partial) > 0)
      for (const int k : g_.call_of(id).partial) out += fmt::format("_{{{}}}", k);
    out += "\\left(";
    for (std::size_t i = 0; i < args.size(); ++i) out += (i ? ", " : "") + of(args[i]).text;
    return {out + "\\right)"};
  }

  const Graph& g_;
};

}  // namespace

std::string name_in_latex(const std::string& name) {
  std::string stem = name;
  int dots = 0;
  for (; !stem.empty() && stem.back() == '\''; stem.pop_back()) ++dots;
  const auto last = stem.find_last_not_of("0123456789");
  std::string index = last == std::string::npos ? "" : stem.substr(last + 1);
  if (last != std::string::npos) stem.resize(last + 1);
  if (const auto cut = stem.find('_'); cut != std::string::npos && cut > 0) {
    index = stem.substr(cut + 1) + index;
    stem.resize(cut);
  }
  if (std::find(kGreek.begin(), kGreek.end(), stem) != kGreek.end())
    stem = "\\" + stem;
  else if (stem.size() > 1)
    stem = "\\mathrm{" + stem + "}";
  if (dots == 1) stem = "\\dot{" + stem + "}";
  if (dots == 2) stem = "\\ddot{" + stem + "}";
  return index.empty() ? stem : stem + "_{" + index + "}";
}

std::string to_latex(Expression e) { return Writer(*e.graph).of(e.id).text; }

}  // namespace trammel::expr
