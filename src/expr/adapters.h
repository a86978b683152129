#pragma once

#include <span>
#include <vector>

#include "expr/tape.h"
#include "math/signal.h"

/// Tapes as the plain functions that laws and signals take. They may be copied and called from
/// several threads, also from within each other; nothing is allocated after the first call of a
/// thread.
namespace trammel::expr {

/// A force and its derivatives.
struct ForceValue {
  double f = 0, f_x = 0, f_v = 0;
};

/// f(x, v, t) of an expression in three variables.
class ForceOf {
 public:
  /// `tape` has one output, inputs x, v, t, at most kMostLive others, and two active ones (see
  /// compile_force).
  explicit ForceOf(Tape tape) : tape_(std::move(tape)) {}
  ForceValue operator()(double x, double v, double t, std::span<const double> live = {}) const;

 private:
  Tape tape_;
};

/// x(t), with rates, of an expression in one variable; fit for Signal::function.
class SignalOf {
 public:
  /// `tape` has one output and one input (see compile_signal).
  explicit SignalOf(Tape tape) : tape_(std::move(tape)) {}
  Jet operator()(double t) const;

 private:
  Tape tape_;
};

/// The value of an expression in several variables.
class ValueOf {
 public:
  /// `tape` has one output and as many inputs as are given.
  explicit ValueOf(Tape tape) : tape_(std::move(tape)) {}
  double operator()(std::span<const double> x) const;

 private:
  Tape tape_;
};

/// x(t) of an expression in the time and live values, which stay meanwhile; fit for Signal::live.
class LiveSignalOf {
 public:
  /// `tape` is one of compile_live.
  explicit LiveSignalOf(Tape tape) : tape_(std::move(tape)) {}
  Jet operator()(double t, std::span<const double> live) const;

 private:
  Tape tape_;
};

/// The inputs are x, v, t, then live values.
Compiled compile_force(Expression f, std::span<const Expression> inputs);
/// The inputs are t, then live values.
Compiled compile_live(Expression f, std::span<const Expression> inputs);
Compiled compile_force(Expression f, Expression x, Expression v, Expression t);
Compiled compile_signal(Expression f, Expression t);

/// Scratch of the thread, its own for each that lives at the time.
class ThreadScratch {
 public:
  explicit ThreadScratch(std::size_t size);
  ~ThreadScratch();
  ThreadScratch(const ThreadScratch&) = delete;
  ThreadScratch& operator=(const ThreadScratch&) = delete;
  operator std::span<double>() const { return span_; }

 private:
  std::span<double> span_;
};

}  // namespace trammel::expr
