#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/tape.h"

namespace trammel::expr {

/// What compiled text calls of the program that loads it, so that both use the same functions:
/// those of one argument in the order of Op from Op::neg, then pow, hypot, atan2, sincos. The text
/// declares the same struct.
struct CLibrary {
  double (*const* one)(double);
  double (*pow)(double, double);
  double (*hypot)(double, double);
  double (*atan2)(double, double);
  void (*sincos)(double, double*, double*);
};

/// What comes before all functions in a file of C.
std::string c_prelude();

/// Of a tape: `void name(const double* x, double* y, const struct library* f)` in C, x and y apart;
/// each operation as evaluate.h has it. Empty: the tape calls functions from outside.
class CText {
 public:
  CText(const Tape& tape, std::string_view name);
  std::string take() { return std::move(text_); }

  /// The first function from outside that the tape calls; empty: none.
  static std::string outside(const Tape& tape);

 private:
  void add_outputs(std::uint32_t slot);
  void add(const Tape::Operation& i, std::uint32_t to);
  void add_circle(const Tape::Operation& i, std::uint32_t to);
  std::string value(const Tape::Operation& i) const;
  std::string power(const Tape::Operation& i) const;
  std::string slot(std::uint32_t k) const;
  bool is_constant(std::uint32_t k) const;

  const Tape& tape_;
  std::vector<std::pair<std::uint32_t, std::size_t>> outputs_;  // slot and which, by slot
  std::size_t written_ = 0;                                     // of them
  std::string text_;
};

}  // namespace trammel::expr
