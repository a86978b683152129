#include "expr/compiled.h"

#include <math.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>

#include "expr/test_expressions.h"

namespace trammel::expr::compiled_test {
namespace {

namespace fs = std::filesystem;

// What is odd of a number.
const std::vector<double> kOdd = {0.0,    -0.0,   1,      -1,      0.5,
                                  -2.5,   3,      16,     17,      1025,
                                  1e300,  -1e300, 5e-324, -5e-324, 2.2250738585072014e-308,
                                  1e-310, 0.1,    kInf,   -kInf,   kNaN};

// No test hangs on how busy the machine is.
const LoadedC::Compiler kPatient{.seconds = 3600};

/// A folder of its own for temporary files, in which nothing may be left.
class CompiledTapes : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* place = std::getenv("TMPDIR")) before_ = place;
    std::string pattern = (fs::temp_directory_path() / "compiled_test_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    setenv("TMPDIR", folder_.c_str(), 1);
    std::string why;
    const Tape tape = Tape::compile(std::array{x}, std::array{x}).tape;
    compile_native(std::array{&tape}, &why, kPatient);
    if (why.find("TRAMMEL_COMPILED is OFF") != why.npos) GTEST_SKIP() << why;
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(folder_));
    fs::remove_all(folder_);
    before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1);
  }
  std::string why_not(const Tape& tape, const LoadedC::Compiler& compiler = {}) {
    std::string why;
    EXPECT_EQ(compile_native(std::array{&tape}, &why, compiler), nullptr);
    return why;
  }
  // A compiler that does what it is told.
  std::string program(const std::string& lines) {
    std::ofstream(folder_ + "/program") << "#!/bin/sh\n" << lines;
    fs::permissions(folder_ + "/program", fs::perms::owner_all);
    return folder_ + "/program";
  }
  Graph g{2'000'000};
  Expression x = g.variable("x"), y = g.variable("y"), z = g.variable("z");
  std::string folder_, before_;
};

// The number of values whose bits differ.
int different(const Tape& tape, const CompiledTape& compiled, std::size_t i,
              const std::vector<double>& x) {
  std::vector<double> scratch(tape.scratch_size()), a(tape.outputs(), 7), b(tape.outputs(), 8);
  tape.value(x, a, scratch);
  compiled.value(i, x, b);
  int out = 0;
  for (std::size_t o = 0; o < a.size(); ++o) out += !same_bits(a[o], b[o]);
  return out;
}

TEST(SineWithCosine, HaveTheSameBitsTogetherAsAlone) {
  std::mt19937_64 random(1);
  const auto check = [](double a) {
    double s = 0, c = 0;
    ::sincos(a, &s, &c);
    const double alone = kUnary[int(Op::sin) - int(Op::neg)].value(a),
                 other = kUnary[int(Op::cos) - int(Op::neg)].value(a);
    ASSERT_TRUE(same_bits(s, alone) && same_bits(c, other)) << a;
  };
  for (const double a : kOdd) check(a);
  std::uniform_real_distribution<double> angle(-20, 20);
  for (int i = 0; i < 200'000; ++i) check(std::bit_cast<double>(random())), check(angle(random));
}

std::vector<Expression> all_operations(Expression x, Expression y, Expression z) {
  std::vector<Expression> out;
  for (int op = int(Op::neg); op <= int(Op::select); ++op)
    if (const int n = arity(Op(op)); op != int(Op::power))
      out.push_back(apply(Op(op), x, n > 1 ? y : Expression{}, n > 2 ? z : Expression{}));
  for (int n = -20; n <= 20; ++n) out.push_back(pow(x, n));
  for (const double n : {0.5, -1.5, 1e3, 1e4, kNaN, kInf}) out.push_back(pow(x, n));
  for (const double c : kOdd) {
    const Expression k = x.graph->constant(c);
    for (const Op op : {Op::add, Op::sub, Op::mul, Op::div, Op::min, Op::max, Op::less, Op::pow})
      out.push_back(apply(op, k, x));
    out.push_back(k);
  }
  return out;
}

TEST_F(CompiledTapes, GiveTheBitsOfEveryOperation) {
  const std::vector outputs = all_operations(x, y, z);
  const Tape tape = Tape::compile(outputs, std::array{x, y, z}, {.order = 0}).tape;
  std::string why;
  const auto compiled = compile_native(std::array{&tape}, &why, kPatient);
  ASSERT_TRUE(compiled) << why;
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> number(-3, 3);
  for (const double a : kOdd)
    for (const double b : kOdd)
      for (const double c : {1.0, 0.0, kNaN, -0.0})
        ASSERT_EQ(different(tape, *compiled, 0, {a, b, c}), 0) << a << ' ' << b << ' ' << c;
  for (int i = 0; i < 3000; ++i) {
    const double any = std::bit_cast<double>(random());
    ASSERT_EQ(different(tape, *compiled, 0, {number(random), number(random), any}), 0);
    ASSERT_EQ(different(tape, *compiled, 0, {any, number(random), number(random)}), 0) << any;
  }
}

TEST_F(CompiledTapes, GiveTheBitsOfAThousandExpressionsInOneFile) {
  const std::vector inputs = {x, y};
  std::vector<Tape> tapes;
  for_all("are tapes", [&] {
    const TreeMaker make{{-1, 0.5, 2, 3, 0, kInf, 1e-310}};
    for (int i = 0; i < 4; ++i)
      tapes.push_back(Tape::compile(std::array{make.number(4).build(inputs)}, inputs).tape);
  });
  ASSERT_GE(tapes.size(), 1000u);
  std::vector<const Tape*> list;
  for (const Tape& tape : tapes) list.push_back(&tape);
  std::string why;
  const auto compiled = compile_native(list, &why, kPatient);
  ASSERT_TRUE(compiled) << why;
  ASSERT_EQ(compiled->size(), tapes.size());
  for (std::size_t i = 0; i < tapes.size(); ++i)
    for (const double a : kOdd)
      for (const double b : {0.7, -0.0, kNaN})
        ASSERT_EQ(different(tapes[i], *compiled, i, {a, b}), 0) << i << ' ' << a << ' ' << b;
}

TEST_F(CompiledTapes, WriteInputsAndConstantsAndTheSameTwice) {
  const std::vector outputs = {y, g.constant(-0.0), x * y, y, x * y, g.constant(kInf)};
  const Tape tape = Tape::compile(outputs, std::array{x, y, z}).tape;
  const auto compiled = compile_native(std::array{&tape}, nullptr, kPatient);
  ASSERT_TRUE(compiled);
  EXPECT_EQ(different(tape, *compiled, 0, {2, 3, 4}), 0);
}

TEST_F(CompiledTapes, ShareSineAndCosineInEitherOrder) {
  for (const auto& [a, b] : {std::pair(Op::sin, Op::cos), {Op::cos, Op::sin}}) {
    const std::vector outputs = {apply(b, x) * y, apply(a, x) + y, apply(a, y), apply(b, x)};
    const Tape tape = Tape::compile(outputs, std::array{x, y}).tape;
    const auto compiled = compile_native(std::array{&tape}, nullptr, kPatient);
    ASSERT_TRUE(compiled);
    EXPECT_EQ(different(tape, *compiled, 0, {0.3, 1.7}), 0);
  }
}

TEST_F(CompiledTapes, SayWhyThereIsNone) {
  const Tape tape = Tape::compile(std::array{x * y}, std::array{x, y}).tape;
  EXPECT_EQ(why_not(tape, {.name = "no_such_compiler"}),
            "no compiler: 'no_such_compiler' is not in PATH");
  EXPECT_EQ(why_not(tape, {.name = "/no/such/cc"}),
            "/no/such/cc cannot be started: No such file or directory");
  const std::string failing = program("echo wrong: $# words >&2; exit 3\n");
  EXPECT_EQ(why_not(tape, {.name = failing}), failing + " ended with 3: wrong: 16 words");
  const std::string idle = program("exit 0\n");
  EXPECT_TRUE(why_not(tape, {.name = idle}).starts_with("cannot be loaded: "));
  const std::string slow = program("sleep 1000\n");  // is ended, whatever the machine does
  EXPECT_EQ(why_not(tape, {.name = slow, .seconds = 0.05}), slow + " took more than 0.05 s");
  fs::remove(slow);
  const std::string path = std::getenv("PATH");
  setenv("PATH", "", 1);
  EXPECT_EQ(why_not(tape), "no compiler: 'cc' is not in PATH");
  unsetenv("PATH");
  EXPECT_EQ(why_not(tape), "no compiler: 'cc' is not in PATH");
  setenv("PATH", path.c_str(), 1);
  setenv("TMPDIR", "/no/such/folder", 1);
  EXPECT_EQ(why_not(tape), "no folder for the compiler: No such file or directory");
}

TEST_F(CompiledTapes, CallNothingFromOutside) {
  const auto jet = [](std::span<const double> a, int, std::span<double> out) {
    std::fill(out.begin(), out.end(), a[0]);
  };
  const auto f = std::make_shared<const Function>(Function{.name = "floor_of", .jet = jet});
  const Tape tape = Tape::compile(std::array{g.call(f, std::array{x})}, std::array{x}).tape;
  EXPECT_EQ(why_not(tape), "'floor_of' is a function from outside");
}

}  // namespace
}  // namespace trammel::expr::compiled_test
