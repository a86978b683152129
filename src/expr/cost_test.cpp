// What evaluations cost: no allocation, and the time, which is recorded only.
#include <fmt/core.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <new>

#include "expr/adapters.h"
#include "expr/test_expressions.h"

namespace {
std::atomic<long> allocations{0};
}

// The thread sanitiser has operators of its own, which cannot be replaced.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TRAMMEL_OWN_NEW 1
#endif
#endif

#ifndef TRAMMEL_OWN_NEW
// Of the whole test program. Not inlined: g++ warns of free() for what came from new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size ? size : 1);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

namespace trammel::expr::cost_test {
namespace {

class Cost : public testing::Test {
 protected:
  void SetUp() override {
#ifdef TRAMMEL_OWN_NEW
    GTEST_SKIP() << "allocations are not counted";
#endif
    for (const char* name : {"x", "v", "t"}) EXPECT_EQ(symbols.variable(name), "");
    EXPECT_EQ(symbols.points("cam", {{0, 1, 2}, {0, 1, 0}}), "");
    const auto jet = [](std::span<const double> x, int, std::span<double> out) {
      std::fill(out.begin(), out.end(), x[0] * x[1]);
    };
    EXPECT_EQ(symbols.function({.name = "f", .arity = 2, .order = 4, .jet = jet}), "");
  }
  Expression read(const std::string& text) { return parse(text, symbols).expression; }
  Tape tape(const std::vector<std::string>& texts) {
    std::vector<Expression> outputs;
    for (const std::string& text : texts) outputs.push_back(read(text));
    const Compiled c = Tape::compile(outputs, std::array{read("x"), read("v"), read("t")});
    EXPECT_TRUE(c) << c.error;
    return c.tape;
  }
  Graph g;
  Symbols symbols{g};
};

TEST_F(Cost, AnEvaluationAllocatesNothing) {
  const Tape all = tape({"sin(x)^2.5 + v^3/hypot(x, t)", "spline(x, cam)*table(t, cam)",
                         "piecewise(x < v, min(x, v, t), x > t and v > 0, f(x, v), f'12(t, x))"});
  std::vector<double> scratch(all.scratch_size());
  const std::array<double, 3> x = {0.3, 0.5, 0.7};
  std::array<double, 3> y{}, y1{}, y2{};
  std::array<double, 9> dy{};
  const long before = allocations;
  all.value(x, y, scratch);
  all.gradient(x, y, dy, scratch);
  all.directional(x, x, x, y, y1, y2, scratch);
  all.all(x, {x, x}, {y, dy, y1, y2}, scratch);
  EXPECT_EQ(allocations, before);
  EXPECT_NE(y2[0] + y2[1] + y2[2], 0);
}

TEST_F(Cost, AnAdapterAllocatesNothingAfterItsFirstCall) {
  const ForceOf force(
      compile_force(read("-2000*x*abs(x) - 30*v"), read("x"), read("v"), read("t")).tape);
  const SignalOf signal(compile_signal(read("spline(t, cam)"), read("t")).tape);
  double sum = force(1, 1, 1).f + signal(1).x;
  const long before = allocations;
  for (int i = 0; i < 10; ++i) sum += force(i, 1, 1).f + signal(i).x;
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(std::isfinite(sum));
}

// Counts; or else the two above could not fail.
TEST_F(Cost, TheCounterCounts) {
  const long before = allocations;
  std::vector<double> some(100);
  some[0] = 1;
  EXPECT_GT(allocations, before) << some[0];
}

template <class Run>
double nanoseconds(const Run& run) {
  double best = 1e9;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 2000; ++i) run();
    const std::chrono::duration<double, std::nano> passed =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, passed.count() / 2000);
  }
  return best;
}

void record(const std::string& name, const Tape& tape) {
  std::vector<double> scratch(tape.scratch_size()), x(3, 0.4), y(tape.outputs()), y1 = y, y2 = y;
  std::vector<double> dy(3 * y.size());
  const double n = static_cast<double>(tape.operations());
  const std::pair<const char*, double> figures[] = {
      {"value", nanoseconds([&] { tape.value(x, y, scratch); })},
      {"gradient", nanoseconds([&] { tape.gradient(x, y, dy, scratch); })},
      {"directional", nanoseconds([&] { tape.directional(x, x, x, y, y1, y2, scratch); })},
      {"all", nanoseconds([&] {
         tape.all(x, {x, x}, {y, dy, y1, y2}, scratch);
       })}};
  for (const auto& [kind, ns] : figures) {
    const std::string text = fmt::format("{:.2f}", ns / n);
    fmt::print("{:12} {:5} operations, {:12} {:>6} ns an operation, {:8.1f} ns\n", name,
               tape.operations(), kind, text, ns);
    testing::Test::RecordProperty(name + "_" + kind, text);
  }
}

TEST_F(Cost, TimeIsRecorded) {
  std::string sum = "x";
  for (int i = 1; i < 100; ++i) sum += fmt::format(" + (x*{} - v)*(t + {})", i, i);
  record("arithmetic", tape({sum}));
  record("force", tape({"-2000*x*(1 + 0.1*x^2) - 30*v*abs(v) + clamp(5*t, 0, 10)"}));
  record("pendulum", tape({"sin(x)", "cos(x)*sin(v)", "-cos(x)*cos(v)",
                           "sin(x) + sin(x + v)*cos(t)", "cos(x) + sin(x + v)*sin(t)"}));
}

// A double pendulum of rods with masses at their ends: q'' of both angles, and the energy.
struct Pendulum {
  double m1 = 1.5, m2 = 0.7, l1 = 0.8, l2 = 1.1, g = 9.81;
};
[[gnu::noinline]] void by_hand(const Pendulum& p, const double* x, double* y) {
  const double d = x[0] - x[1], c = std::cos(d), s = std::sin(d), w1 = x[2] * x[2],
               w2 = x[3] * x[3], s1 = std::sin(x[0]), c1 = std::cos(x[0]), s2 = std::sin(x[1]),
               c2 = std::cos(x[1]), m = p.m1 + p.m2, over = m - p.m2 * c * c;
  y[0] = (-p.m2 * s * (p.l1 * w1 * c + p.l2 * w2) - p.g * (m * s1 - p.m2 * s2 * c)) / (p.l1 * over);
  y[1] = (s * (m * p.l1 * w1 + p.m2 * p.l2 * w2 * c) - p.g * m * (s2 - s1 * c)) / (p.l2 * over);
  y[2] = 0.5 * m * p.l1 * p.l1 * w1 + 0.5 * p.m2 * p.l2 * p.l2 * w2 +
         p.m2 * p.l1 * p.l2 * x[2] * x[3] * c - m * p.g * p.l1 * c1 - p.m2 * p.g * p.l2 * c2;
}

TEST(DoublePendulum, ByTapeAndByHand) {
  Graph g;
  Symbols names(g);
  for (const char* name : {"a", "b", "u", "w"}) ASSERT_EQ(names.variable(name), "");
  const Pendulum p;
  for (const auto& [name, value] : {std::pair("m1", p.m1),
                                    {"m2", p.m2},
                                    {"l1", p.l1},
                                    {"l2", p.l2},
                                    {"g", p.g},
                                    {"m", p.m1 + p.m2}})
    ASSERT_EQ(names.define(name, g.constant(value)), "");
  std::vector<Expression> outputs;
  for (
      const char* text :
      {"(-m2*sin(a - b)*(l1*u^2*cos(a - b) + l2*w^2) - g*(m*sin(a) - m2*sin(b)*cos(a - b)))/(l1*(m "
       "- m2*cos(a - b)^2))",
       "(sin(a - b)*(m*l1*u^2 + m2*l2*w^2*cos(a - b)) - g*m*(sin(b) - sin(a)*cos(a - b)))/(l2*(m - "
       "m2*cos(a - b)^2))",
       "0.5*m*l1^2*u^2 + 0.5*m2*l2^2*w^2 + m2*l1*l2*u*w*cos(a - b) - m*g*l1*cos(a) - "
       "m2*g*l2*cos(b)"}) {
    const Parsed parsed = parse(text, names);
    ASSERT_TRUE(parsed) << text << parsed.problems[0].text;
    outputs.push_back(parsed.expression);
  }
  const Compiled c = Tape::compile(
      outputs, std::array{g.variable("a"), g.variable("b"), g.variable("u"), g.variable("w")});
  ASSERT_TRUE(c) << c.error;
  std::vector<double> scratch(c.tape.scratch_size());
  std::array<double, 4> x = {0.3, -1.2, 2, 0.5};
  std::array<double, 3> tape{}, hand{};
  c.tape.value(x, tape, scratch);
  by_hand(p, x.data(), hand.data());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(tape[i], hand[i], 1e-14 * 50);  // rounding
  const double ns_tape = nanoseconds([&] { x[0] += 1e-6, c.tape.value(x, tape, scratch); });
  const double ns_hand = nanoseconds([&] { x[0] += 1e-6, by_hand(p, x.data(), hand.data()); });
  fmt::print("double pendulum: {} operations, tape {:.0f} ns, by hand {:.0f} ns, ratio {:.2f}\n",
             c.tape.operations(), ns_tape, ns_hand, ns_tape / ns_hand);
  RecordProperty("ratio", fmt::format("{:.2f}", ns_tape / ns_hand));
}

}  // namespace
}  // namespace trammel::expr::cost_test
