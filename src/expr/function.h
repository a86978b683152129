#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "units/dimension.h"

namespace trammel::expr {

/// A function of 1 to 8 numbers from outside, smooth between its breaks: a floor, a table, a
/// callable of the user's. It may give several numbers, which are asked for at once.
struct Function {
  std::string name;
  int arity = 1;
  int order = 2;  // the highest derivative that it gives
  /// The value at x and all partial derivatives up to `order` [0, Function::order], jet_size(arity,
  /// order) numbers: by total order, in each by falling exponent of the first argument, then of the
  /// second, ... For arity 2: f, f_x, f_y, f_xx, f_xy, f_yy, ... Of a function of several numbers
  /// those of the first, then those of the second, ... It must depend on x only, be safe
  /// in several threads, and throw nothing. It is also asked at arguments whose result is then not
  /// taken (in a branch of piecewise), and at NaN.
  std::function<void(std::span<const double> x, int order, std::span<double> out)> jet;

  /// Dimensions, for the check; nothing: any.
  std::vector<std::optional<units::Dimension>> arguments = {};
  std::optional<units::Dimension> result = {};
  std::vector<double> breaks = {};  // rising; where the value or slope jumps, if of one argument
  std::vector<std::string> results = {};  // behind the name, if it gives several: ".x", ".y"
  std::string data = {};  // a second word in texts, behind the arguments: table(x, data)
};

constexpr int kMostArguments = 8;            // of functions from outside
constexpr int kHighestOrder = 100;           // of their derivatives
constexpr std::size_t kLargestJet = 10'000;  // numbers

/// How often a function is differentiated by each of its arguments.
using Partial = std::vector<std::uint8_t>;

int order(const Partial& partial);
std::size_t jet_size(int arity, int order);
/// Where a partial derivative stands in a jet.
std::size_t jet_index(const Partial& partial);

/// How many numbers it gives.
inline std::size_t n_results(const Function& f) { return f.results.empty() ? 1 : f.results.size(); }

/// A function and which partial derivative of it is called, and of which of its numbers.
struct Call {
  std::shared_ptr<const Function> function;
  Partial partial;  // of the function's arity
  std::uint32_t result = 0;
  friend bool operator==(const Call&, const Call&) = default;
};
/// Of the function, and of the number.
std::string name_of(const Call& call);

}  // namespace trammel::expr
