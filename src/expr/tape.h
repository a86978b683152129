#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "expr/graph.h"

namespace trammel::expr {

struct Compiled;

/// Expressions as a flat list of operations on numbers: m outputs as functions of n inputs, each
/// common part once. Constant and independent of the graph it came from; all that an evaluation
/// writes is the caller's, so that threads may share a tape, each with its own scratch of
/// scratch_size() numbers. Nothing is allocated.
class Tape {
 public:
  struct Options {
    std::size_t active = ~std::size_t{0};  // derivatives are by the first so many inputs
    int order = 2;                         // 0: value, 1: also gradient, 2: all
  };

  /// Inputs are distinct variables; outputs may contain no others.
  static Compiled compile(std::span<const Expression> outputs, std::span<const Expression> inputs,
                          Options options);
  static Compiled compile(std::span<const Expression> outputs, std::span<const Expression> inputs);

  std::size_t inputs() const { return n_inputs_; }
  std::size_t active() const { return n_active_; }
  std::size_t outputs() const { return outputs_.size(); }
  std::size_t operations() const { return code_.size(); }
  std::size_t scratch_size() const { return n_slots_ * stride(true, true) + jets_size_; }

  void value(std::span<const double> x, std::span<double> y, std::span<double> scratch) const;
  /// The same at kLanes places at once, bit for bit: number i of place l stands at i kLanes + l of
  /// x and y; scratch of lanes_scratch_size().
  static constexpr std::size_t kLanes = 8;
  void values(std::span<const double> x, std::span<double> y, std::span<double> scratch) const;
  std::size_t lanes_scratch_size() const { return n_slots_ * kLanes + jets_size_ * kLanes; }
  /// dy: outputs x active, row by row.
  void gradient(std::span<const double> x, std::span<double> y, std::span<double> dy,
                std::span<double> scratch) const;
  /// Along a path x(t) of the active inputs, given x, x' and x'': y, y' and y''.
  void directional(std::span<const double> x, std::span<const double> x1,
                   std::span<const double> x2, std::span<double> y, std::span<double> y1,
                   std::span<double> y2, std::span<double> scratch) const;

  /// Both in one pass.
  struct Path {
    std::span<const double> x1 = {}, x2 = {};
  };
  struct Results {
    std::span<double> y, dy = {}, y1 = {}, y2 = {};
  };
  void all(std::span<const double> x, const Path& path, const Results& out,
           std::span<double> scratch) const;

 private:
  friend class Compiler;
  friend class Steps;
  friend class CText;
  friend class Lanes;
  template <bool kGradient, bool kDirectional>
  friend class Pass;

  // Slots are numbers in the scratch: inputs, constants, then the results of the operations.
  struct Operation {
    Op op;
    std::uint8_t active = 0;  // bit i: argument i depends on an active input
    std::uint8_t pair =
        0;  // 1: sin or cos that computes the other, in slot b, as well; 2: that one
    std::uint32_t a = 0, b = 0, c = 0;  // slots; of a call: a is the pick
  };
  // Values alone take fewer steps: a product that is used once goes straight into what uses it.
  struct Step {
    enum class Kind : std::uint8_t {
      other,        // operation a of the code
      circle,       // likewise, sine and cosine
      neg,          // -a
      div,          // a/b
      add,          // a + b
      sub,          // a - b
      mul,          // a b
      add_product,  // a b + c
      sub_product,  // c - a b
      product_sub,  // a b - c
      mul_product,  // (a b) c
    } kind = Kind::other;
    std::uint32_t to = 0, a = 0, b = 0, c = 0;  // slots
  };
  struct Argument {
    std::uint32_t slot;
    bool active;
  };
  struct Output {
    std::uint32_t slot;
    bool active;
  };
  // A function from outside at given arguments, asked once; picks are the partials taken from it.
  struct Jet {
    std::shared_ptr<const Function> function;
    std::uint32_t first = 0, n = 0;  // its arguments
    bool active = false;
    int order = 0;                           // the highest partial picked
    std::uint32_t results = 1;               // numbers that it gives
    std::array<std::uint32_t, 3> size = {};  // of one of them, with so many derivatives more
    std::size_t offset = 0;                  // in the scratch, behind the slots
  };
  struct Pick {
    std::uint32_t jet = 0;
    bool first = false;    // the jet is computed here
    std::uint32_t at = 0;  // in the part of the jet that belongs to a result
    std::uint32_t result = 0;
    std::uint32_t slopes =
        0;  // in slopes_: where its n first, n (n + 1) / 2 second derivatives are
  };

  std::size_t stride(bool gradient, bool directional) const {
    return 1 + (directional ? 2 : 0) + (gradient ? n_active_ : 0);
  }

  std::size_t n_inputs_ = 0, n_active_ = 0, n_slots_ = 0, jets_size_ = 0;
  int order_ = 2;
  std::vector<double> constants_;
  std::vector<Operation> code_;
  std::vector<Step> steps_;
  std::vector<Output> outputs_;
  std::vector<Jet> jets_;
  std::vector<Argument> arguments_;
  std::vector<Pick> picks_;
  std::vector<std::uint32_t> slopes_;
};

/// A tape, or why there is none.
struct Compiled {
  Tape tape;
  std::string error;
  explicit operator bool() const { return error.empty(); }
};

}  // namespace trammel::expr
