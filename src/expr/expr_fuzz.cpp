// Any bytes are an expression, or problems with places. What is an expression reads back the same
// from its text, can be differentiated within the limits, and evaluated. corpus/ has seeds.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "expr/derivative.h"
#include "expr/parse.h"
#include "expr/tape.h"

using namespace trammel::expr;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

Symbols declare(Graph& graph, bool with_dimensions) {
  using namespace trammel::units;
  const auto dimension = [&](const Dimension& d) {
    return with_dimensions ? MaybeDimension(d) : MaybeDimension();
  };
  Symbols s(graph);
  const auto jet = [](std::span<const double> x, int, std::span<double> out) {
    std::fill(out.begin(), out.end(), x[0] - x[1]);
  };
  require((s.variable("x", dimension(kLength)) + s.variable("t", dimension(kTime)) +
           s.variable("y") + s.points("cam", {{0, 1, 2}, {0, 1, 0}}) +
           s.function({.name = "f", .arity = 2, .order = 3, .jet = jet}))
              .empty());
  return s;
}

void check_problems(std::string_view text, const std::vector<Problem>& problems) {
  require(!problems.empty() && problems.size() <= kMostProblems + 1);
  for (const Problem& p : problems) require(p.column <= text.size() && !p.text.empty());
  require(std::is_sorted(problems.begin(), problems.end(),
                         [](const Problem& a, const Problem& b) { return a.column < b.column; }));
}

// Units of numbers are not written, so dimensions are not asked. Only limits may refuse the text,
// and numbers that a function of the language has made infinite inside.
void check_text(Expression e, const Symbols& symbols) {
  const std::string text = to_text(e, 20'000);
  const Parsed again = parse(text, symbols);
  if (again) return require(again.expression == e);
  const std::string& why = again.problems[0].text;
  const auto says = [&](std::string_view words) { return why.find(words) != why.npos; };
  require(says("at most 10000") || says("nested deeper") || says("beyond the limit") ||
          says("more than 20000 nodes") || says("infinite") || says("no real number"));
}

void check_tape(const std::vector<Expression>& outputs, const std::vector<Expression>& inputs) {
  const Compiled compiled = Tape::compile(outputs, inputs, {.active = 2, .order = 1});
  if (!compiled) return require(compiled.error.starts_with("a derivative of order 4 of 'f'"));
  const Tape& tape = compiled.tape;
  std::vector<double> scratch(tape.scratch_size()), y(outputs.size()), dy(2 * outputs.size());
  for (const double x : {0.0, -1.5, 1e300}) {
    tape.value(std::array{x, 1.0, 2.0}, y, scratch);
    const std::vector<double> values = y;
    tape.gradient(std::array{x, 1.0, 2.0}, y, dy, scratch);
    for (std::size_t i = 0; i < y.size(); ++i) require(y[i] == values[i] || y[i] != y[i]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Graph graph(20'000);
  const Symbols checked = declare(graph, true), open = declare(graph, false);
  const Parsed parsed = parse(text, checked, trammel::units::kForce);
  if (!parsed) check_problems(text, parsed.problems);
  const Parsed loose = parse(text, open);
  if (!loose) return check_problems(text, loose.problems), 0;
  if (parsed) require(to_text(parsed.expression, 20'000) == to_text(loose.expression, 20'000));
  check_text(loose.expression, open);
  const std::vector inputs = {graph.variable("x"), graph.variable("t"), graph.variable("y")};
  std::vector outputs = {loose.expression};
  for (int order = 0; order < 2; ++order)
    if (const Derivative d = derivative(outputs.back(), inputs[0])) outputs.push_back(d.value);
  check_tape(outputs, inputs);
  return 0;
}
