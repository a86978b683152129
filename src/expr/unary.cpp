#include "expr/unary.h"

#include <cmath>
#include <numbers>

#include "expr/build.h"
#include "expr/evaluate.h"

namespace trammel::expr {

namespace {

using E = Expression;
constexpr double kLn10 = std::numbers::ln10;

constexpr double square(double x) { return x * x; }
constexpr double cube(double x) { return x * x * x; }

E sine(E u) { return apply(Op::sin, u); }
E cosine(E u) { return apply(Op::cos, u); }
E root(E u) { return apply(Op::sqrt, u); }

// -1 and 1; at 0 the one to the right.
E side(E u) {
  Graph& g = *u.graph;
  return apply(Op::select, apply(Op::less_equal, g.constant(0), u), g.constant(1), g.constant(-1));
}

// 1/sqrt(1 - u^2): the product keeps its digits near 1.
Slopes arc(double u, double sign) {
  const double r = 1 / std::sqrt((1 - u) * (1 + u));
  return {sign * r, sign * u * cube(r)};
}
E arc(E u, double sign) { return sign / root((1 - u) * (1 + u)); }

Slopes arc_tangent(double u) {
  const double d = 1 / (1 + square(u));
  return {d, -2 * u * square(d)};
}

Slopes arc_hyperbolic_tangent(double u) {
  const double d = 1 / ((1 - u) * (1 + u));
  return {d, 2 * u * square(d)};
}

Slopes by_root(double u, double r) { return {1 / r, -u / cube(r)}; }

}  // namespace

// In the order of Op.
const Unary kUnary[] = {
    {"-", Rule::same, [](double u) { return -u; },
     [](double, double) {
       return Slopes{-1, 0};
     },
     [](E u, E) { return u.graph->constant(-1); }},
    {"abs", Rule::same, [](double u) { return std::abs(u); },
     [](double u, double) {
       return Slopes{1 - 2 * is_less(u, 0), 0};
     },
     [](E u, E) { return side(u); }},
    {"sign", Rule::to_number, [](double u) { return u > 0   ? 1
                                                    : u < 0 ? -1
                                                            : u; },
     [](double, double) { return Slopes{}; }, nullptr},
    {"floor", Rule::number, [](double u) { return std::floor(u); },
     [](double, double) { return Slopes{}; }, nullptr},
    {"sqrt", Rule::root, [](double u) { return std::sqrt(u); },
     [](double u, double f) {
       return Slopes{0.5 / f, -0.25 / (u * f)};
     },
     [](E, E f) { return 0.5 / f; }},
    {"cbrt", Rule::cube_root, [](double u) { return std::cbrt(u); },
     [](double u, double f) {
       return Slopes{1 / (3 * square(f)), -2 / (9 * square(f) * u)};
     },
     [](E, E f) { return 1 / (3 * pow(f, 2)); }},
    {"exp", Rule::number, [](double u) { return std::exp(u); },
     [](double, double f) {
       return Slopes{f, f};
     },
     [](E, E f) { return f; }},
    {"log", Rule::number, [](double u) { return std::log(u); },
     [](double u, double) {
       return Slopes{1 / u, -1 / square(u)};
     },
     [](E u, E) { return 1 / u; }},
    {"log10", Rule::number, [](double u) { return std::log10(u); },
     [](double u, double) {
       return Slopes{1 / (kLn10 * u), -1 / (kLn10 * square(u))};
     },
     [](E u, E) { return 1 / (kLn10 * u); }},
    {"sin", Rule::number, [](double u) { return std::sin(u); },
     [](double u, double f) {
       return Slopes{std::cos(u), -f};
     },
     [](E u, E) { return cosine(u); }},
    {"cos", Rule::number, [](double u) { return std::cos(u); },
     [](double u, double f) {
       return Slopes{-std::sin(u), -f};
     },
     [](E u, E) { return -sine(u); }},
    {"tan", Rule::number, [](double u) { return std::tan(u); },
     [](double, double f) {
       return Slopes{1 + square(f), 2 * f * (1 + square(f))};
     },
     [](E, E f) { return 1 + pow(f, 2); }},
    {"asin", Rule::to_angle, [](double u) { return std::asin(u); },
     [](double u, double) { return arc(u, 1); }, [](E u, E) { return arc(u, 1); }},
    {"acos", Rule::to_angle, [](double u) { return std::acos(u); },
     [](double u, double) { return arc(u, -1); }, [](E u, E) { return arc(u, -1); }},
    {"atan", Rule::to_angle, [](double u) { return std::atan(u); },
     [](double u, double) { return arc_tangent(u); }, [](E u, E) { return 1 / (1 + pow(u, 2)); }},
    {"sinh", Rule::number, [](double u) { return std::sinh(u); },
     [](double u, double f) {
       return Slopes{std::cosh(u), f};
     },
     [](E u, E) { return apply(Op::cosh, u); }},
    {"cosh", Rule::number, [](double u) { return std::cosh(u); },
     [](double u, double f) {
       return Slopes{std::sinh(u), f};
     },
     [](E u, E) { return apply(Op::sinh, u); }},
    {"tanh", Rule::number, [](double u) { return std::tanh(u); },
     [](double u, double f) {  // 1 - f^2 would lose its digits
       const double d = square(1 / std::cosh(u));
       return Slopes{d, -2 * f * d};
     },
     [](E u, E) { return pow(1 / apply(Op::cosh, u), 2); }},
    {"asinh", Rule::number, [](double u) { return std::asinh(u); },
     [](double u, double) { return by_root(u, std::hypot(u, 1)); },
     [](E u, E) { return 1 / apply(Op::hypot, u, u.graph->constant(1)); }},
    {"acosh", Rule::number, [](double u) { return std::acosh(u); },
     [](double u, double) { return by_root(u, std::sqrt(u - 1) * std::sqrt(u + 1)); },
     [](E u, E) { return 1 / (root(u - 1) * root(u + 1)); }},
    {"atanh", Rule::number, [](double u) { return std::atanh(u); },
     [](double u, double) { return arc_hyperbolic_tangent(u); },
     [](E u, E) { return 1 / ((1 - u) * (1 + u)); }},
    {"not", Rule::to_number, [](double u) { return 1 - u; },
     [](double, double) { return Slopes{}; }, nullptr},
};

std::string_view symbol(Op op) {
  if (op < Op::neg) return "";
  if (op < Op::add) return unary(op).name;
  constexpr std::string_view kOfTwo[] = {"+", "-",  "*",  "/",  "^",   "^",  "hypot", "atan2",
                                         "<", "<=", "==", "!=", "and", "or", "min",   "max"};
  return op == Op::select
             ? "if"
             : kOfTwo[static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::add)];
}

}  // namespace trammel::expr
