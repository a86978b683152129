#include "expr/builtins.h"

#include <fmt/format.h>

#include <numbers>

#include "expr/build.h"
#include "expr/unary.h"

namespace trammel::expr {

namespace {

using Args = std::span<const Expression>;
constexpr std::size_t kAny = ~std::size_t{0};

Expression fold(Op op, Args args) {
  Expression out = args[0];
  for (const Expression& e : args.subspan(1)) out = apply(op, out, e);
  return out;
}

constexpr Builtin kBuiltins[] = {
    {"hypot", 2, 2, Rule::alike, false, [](Args a) { return apply(Op::hypot, a[0], a[1]); }},
    {"atan2", 2, 2, Rule::alike_angle, false, [](Args a) { return apply(Op::atan2, a[0], a[1]); }},
    {"min", 2, kAny, Rule::alike, false, [](Args a) { return fold(Op::min, a); }},
    {"max", 2, kAny, Rule::alike, false, [](Args a) { return fold(Op::max, a); }},
    {"clamp", 3, 3, Rule::alike, false, [](Args a) { return clamp(a[0], a[1], a[2]); }},
    {"smoothstep", 3, 3, Rule::alike_number, false,
     [](Args a) { return smoothstep(a[0], a[1], a[2]); }},
    {"step", 1, 1, Rule::to_number, false, [](Args a) { return step(a[0]); }},
    {"if", 3, 3, Rule::alike, true, [](Args a) { return piecewise(a); }},
    {"piecewise", 3, kAny, Rule::alike, true, [](Args a) { return piecewise(a); }},
};

constexpr std::pair<std::string_view, double> kConstants[] = {
    {"e", std::numbers::e}, {"pi", std::numbers::pi}, {"tau", 2 * std::numbers::pi}};

constexpr std::string_view kOfData[] = {"table", "spline"};
constexpr std::string_view kWords[] = {"and", "or", "not"};

// The table of functions of one argument, but for '-' and 'not'.
std::vector<Builtin> make_all() {
  std::vector<Builtin> out(std::begin(kBuiltins), std::end(kBuiltins));
  for (auto op = Op::abs; op < Op::negation; op = static_cast<Op>(static_cast<int>(op) + 1))
    out.push_back({unary(op).name, 1, 1, unary(op).rule, false, nullptr, op});
  return out;
}

const std::vector<Builtin>& all() {
  static const std::vector<Builtin> list = make_all();
  return list;
}

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

}  // namespace

Expression Builtin::operator()(Args args) const { return make ? make(args) : apply(op, args[0]); }

const Builtin* find_builtin(std::string_view name) {
  for (const Builtin& b : all())
    if (b.name == name) return &b;
  return nullptr;
}

std::optional<double> find_constant(std::string_view name) {
  for (const auto& [constant, value] : kConstants)
    if (constant == name) return value;
  return std::nullopt;
}

bool is_reserved(std::string_view name) {
  return find_builtin(name) || find_constant(name) || contains(kOfData, name) ||
         contains(kWords, name);
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> out(std::begin(kOfData), std::end(kOfData));
  for (const Builtin& b : all()) out.emplace_back(b.name);
  return out;
}

std::vector<std::string> constant_names() {
  std::vector<std::string> out;
  for (const auto& [name, value] : kConstants) out.emplace_back(name);
  return out;
}

std::string complaint_arity(const Builtin& b, std::size_t n) {
  if (b.chooses && b.most == kAny && (n < b.least || n % 2 == 0))
    return fmt::format(
        "{} takes condition, value, ..., otherwise: an odd number of arguments from "
        "3 on, not {}",
        b.name, n);
  if (n >= b.least && n <= b.most) return "";
  return fmt::format("{} takes {}{} argument{}, not {}", b.name, b.most == kAny ? "at least " : "",
                     b.least, b.least == 1 ? "" : "s", n);
}

std::string complaint_values(const Builtin& b, Args args) {
  const auto both = [&](std::size_t i) { return is_constant(args[i]) && is_constant(args[i + 1]); };
  const auto value = [&](std::size_t i) { return constant_value(args[i]); };
  if (b.name == "clamp" && both(1) && value(1) > value(2))
    return fmt::format("the bounds of clamp are exchanged: {} is above {}", value(1), value(2));
  if (b.name == "smoothstep" && both(0) && value(0) == value(1))
    return fmt::format("the edges of smoothstep are the same: {}", value(0));
  return "";
}

}  // namespace trammel::expr
