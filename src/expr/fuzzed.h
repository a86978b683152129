#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "expr/derivative.h"
#include "expr/parse.h"
#include "expr/tape.h"
#include "units/mutations.h"

/// Any bytes are an expression, or problems with places. What is an expression reads back the same
/// from its text, can be differentiated within the limits, and evaluated. corpus/ has seeds.
namespace trammel::expr::fuzzed {

using units::require;

inline Symbols declare(Graph& graph, bool with_dimensions) {
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
              .empty(),
          "the names are right");
  return s;
}

inline void check_problems(std::string_view text, const std::vector<Problem>& problems) {
  require(!problems.empty() && problems.size() <= kMostProblems + 1, "so many problems");
  for (const Problem& p : problems)
    require(p.column <= text.size() && !p.text.empty(), "a problem has words and a place");
  require(std::is_sorted(problems.begin(), problems.end(),
                         [](const Problem& a, const Problem& b) { return a.column < b.column; }),
          "problems are in order");
}

// Units of numbers are not written, so dimensions are not asked. Only limits may refuse the text,
// and numbers that a function of the language has made infinite inside.
inline void check_text(Expression e, const Symbols& symbols) {
  const std::string text = to_text(e, 20'000);
  const Parsed again = parse(text, symbols);
  if (again) return require(again.expression == e, "a text reads back the same");
  const std::string& why = again.problems[0].text;
  const auto says = [&](std::string_view words) { return why.find(words) != why.npos; };
  require(says("at most 10000") || says("nested deeper") || says("beyond the limit") ||
              says("more than 20000 nodes") || says("infinite") || says("no real number"),
          "a text reads back");
}

inline void check_tape(const std::vector<Expression>& outputs,
                       const std::vector<Expression>& inputs) {
  const Compiled compiled = Tape::compile(outputs, inputs, {.active = 2, .order = 1});
  if (!compiled)
    return require(compiled.error.starts_with("a derivative of order 4 of 'f'"), "a tape");
  const Tape& tape = compiled.tape;
  std::vector<double> scratch(tape.scratch_size()), y(outputs.size()), dy(2 * outputs.size());
  for (const double x : {0.0, -1.5, 1e300}) {
    tape.value(std::array{x, 1.0, 2.0}, y, scratch);
    const std::vector<double> values = y;
    tape.gradient(std::array{x, 1.0, 2.0}, y, dy, scratch);
    for (std::size_t i = 0; i < y.size(); ++i)
      require(y[i] == values[i] || y[i] != y[i], "the same value with its gradient");
  }
}

inline void any_text(std::string_view text) {
  Graph graph(20'000);
  const Symbols checked = declare(graph, true), open = declare(graph, false);
  const Parsed parsed = parse(text, checked, units::kForce);
  if (!parsed) check_problems(text, parsed.problems);
  const Parsed loose = parse(text, open);
  if (!loose) return check_problems(text, loose.problems);
  if (parsed)
    require(to_text(parsed.expression, 20'000) == to_text(loose.expression, 20'000),
            "dimensions change nothing");
  check_text(loose.expression, open);
  const std::vector inputs = {graph.variable("x"), graph.variable("t"), graph.variable("y")};
  std::vector outputs = {loose.expression};
  for (int order = 0; order < 2; ++order)
    if (const Derivative d = derivative(outputs.back(), inputs[0])) outputs.push_back(d.value);
  check_tape(outputs, inputs);
}

}  // namespace trammel::expr::fuzzed
