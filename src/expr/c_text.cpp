#include "expr/c_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "expr/evaluate.h"

namespace trammel::expr {

namespace {

// Exact: hexadecimal digits.
std::string number(double x) {
  if (x != x) return "NAN";
  if (std::isinf(x)) return x > 0 ? "INF" : "(-INF)";
  return std::signbit(x) ? fmt::format("({:a})", x) : fmt::format("{:a}", x);
}

// The text of one operation, by its arguments; of those of evaluate.h that need no more.
const char* pattern(Op op) {
  switch (op) {
    case Op::neg:
      return "-{0}";
    case Op::abs:
      return "__builtin_fabs({0})";
    case Op::sign:
      return "{0} > 0 ? 1 : {0} < 0 ? -1 : {0}";
    case Op::floor:
      return "__builtin_floor({0})";
    case Op::sqrt:
      return "__builtin_sqrt({0})";
    case Op::negation:
      return "1 - {0}";
    case Op::add:
      return "{0} + {1}";
    case Op::sub:
      return "{0} - {1}";
    case Op::mul:
    case Op::both:
      return "{0} * {1}";
    case Op::div:
      return "{0} / {1}";
    case Op::pow:
      return "real_power({0}, {1}, f)";
    case Op::hypot:
      return "f->hypot({0}, {1})";
    case Op::atan2:
      return "f->atan2({0}, {1})";
    case Op::less:
      return "is_less({0}, {1})";
    case Op::less_equal:
      return "1 - is_less({1}, {0})";
    case Op::equal:
      return "is_equal({0}, {1})";
    case Op::different:
      return "1 - is_equal({0}, {1})";
    case Op::either:
      return "{0} + {1} - {0} * {1}";
    case Op::min:
      return "{0} <= {1} ? {0} : {0} > {1} ? {1} : NAN";
    case Op::max:
      return "{0} >= {1} ? {0} : {0} < {1} ? {1} : NAN";
    case Op::select:
      return "{0} == 0 ? {2} : {0} == {0} ? {1} : NAN";
    default:
      return nullptr;
  }
}

}  // namespace

namespace {

constexpr std::string_view kPrelude = R"c(#define NAN __builtin_nan("")
#define INF __builtin_inf()
struct library {
  double (*const *one)(double);
  double (*pow)(double, double);
  double (*hypot)(double, double);
  double (*atan2)(double, double);
  void (*sincos)(double, double *, double *);
};
static inline double is_less(double a, double b) { return a < b ? 1 : a >= b ? 0 : NAN; }
static inline double is_equal(double a, double b) { return a == b ? 1 : a < b || a > b ? 0 : NAN; }
static double real_power(double a, double b, const struct library *f) {
  const double size = __builtin_fabs(b);
  double out = 1;
  if (!(size <= 16) || b != (int)b) return f->pow(a, b);
  if (b == 2) return a * a;
  for (int k = (int)size; k > 0; k /= 2, a *= a)
    if (k % 2 == 1) out *= a;
  return b < 0 ? 1 / out : out;
}
)c";

// whole_power written out.
std::string small_power(int n) {
  std::string out =
      fmt::format("static inline double power{}(double a) {{\n  double out = 1;\n", n);
  for (int k = n; k > 0; k /= 2) {
    if (k % 2 == 1) out += "  out *= a;\n";
    if (k > 1) out += "  a *= a;\n";
  }
  return out + "  return out;\n}\n";
}

}  // namespace

std::string c_prelude() {
  std::string out(kPrelude);
  for (int n = 0; n <= kSmallPower; ++n) out += small_power(n);
  return out;
}

std::string CText::outside(const Tape& tape) {
  return tape.jets_.empty() ? "" : tape.jets_[0].function->name;
}

CText::CText(const Tape& tape, std::string_view name) : tape_(tape) {
  if (!tape.jets_.empty()) return;
  for (std::size_t o = 0; o < tape.outputs_.size(); ++o)
    outputs_.emplace_back(tape.outputs_[o].slot, o);
  std::sort(outputs_.begin(), outputs_.end());
  text_ = fmt::format(
      "void {}(const double *restrict x, double *restrict y, const struct library *f) {{\n", name);
  const auto first = static_cast<std::uint32_t>(tape.n_slots_ - tape.code_.size());
  for (std::uint32_t k = 0; k < first; ++k) add_outputs(k);
  for (std::uint32_t k = 0; k < tape.code_.size(); ++k) {
    add(tape.code_[k], first + k);
    add_outputs(first + k);
  }
  text_ += "  (void)x, (void)f;\n}\n";
}

// As soon as they are known, so that the compiler need not keep them.
void CText::add_outputs(std::uint32_t k) {
  for (; written_ < outputs_.size() && outputs_[written_].first == k; ++written_)
    fmt::format_to(std::back_inserter(text_), "  y[{}] = {};\n", outputs_[written_].second,
                   slot(k));
}

void CText::add(const Tape::Operation& i, std::uint32_t to) {
  if (i.pair == 1) return add_circle(i, to);
  if (i.pair == 0)
    fmt::format_to(std::back_inserter(text_), "  const double s{} = {};\n", to, value(i));
}

// Their address is no longer known afterwards: later calls cannot change them.
void CText::add_circle(const Tape::Operation& i, std::uint32_t to) {
  const bool first = i.op == Op::sin;
  fmt::format_to(std::back_inserter(text_),
                 "  double s{0}, s{1};\n  {{\n    double s, c;\n    f->sincos({2}, &s, &c);\n"
                 "    s{0} = s, s{1} = c;\n  }}\n",
                 first ? to : i.b, first ? i.b : to, slot(i.a));
}

std::string CText::value(const Tape::Operation& i) const {
  if (i.op == Op::power) return power(i);
  const std::string a = slot(i.a), b = arity(i.op) > 1 ? slot(i.b) : "",
                    c = arity(i.op) > 2 ? slot(i.c) : "";
  if (const char* text = pattern(i.op)) return fmt::format(fmt::runtime(text), a, b, c);
  return fmt::format("f->one[{}]({})", static_cast<int>(i.op) - static_cast<int>(Op::neg), a);
}

std::string CText::power(const Tape::Operation& i) const {
  const std::string a = slot(i.a);
  const double n = tape_.constants_[i.b - tape_.n_inputs_];
  if (n == 2) return fmt::format("{0} * {0}", a);
  if (std::abs(n) > kSmallPower) return fmt::format("f->pow({}, {})", a, number(n));
  return fmt::format("{}power{}({})", n < 0 ? "1 / " : "", std::abs(n), a);
}

bool CText::is_constant(std::uint32_t k) const {
  return k >= tape_.n_inputs_ && k - tape_.n_inputs_ < tape_.constants_.size();
}

std::string CText::slot(std::uint32_t k) const {
  if (is_constant(k)) return number(tape_.constants_[k - tape_.n_inputs_]);
  return k < tape_.n_inputs_ ? fmt::format("x[{}]", k) : fmt::format("s{}", k);
}

}  // namespace trammel::expr
