// Values of a tape at several places at once: each step is read once for all of them.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "expr/evaluate.h"
#include "expr/function.h"
#include "expr/tape.h"

namespace trammel::expr {

/// A slot has kLanes numbers, next to each other; the jets of a place, those of all calls.
class Lanes {
 public:
  static constexpr std::size_t kN = Tape::kLanes;
  Lanes(const Tape& tape, double* scratch)
      : tape_(tape), s_(scratch), jets_(scratch + tape.n_slots_ * kN) {}

  void run(const double* x, double* y) {
    std::copy_n(x, tape_.n_inputs_ * kN, s_);
    double* slot = at(static_cast<std::uint32_t>(tape_.n_inputs_));
    for (const double c : tape_.constants_) slot = std::fill_n(slot, kN, c);
    for (const Tape::Step& i : tape_.steps_) step(i);
    for (const Tape::Output& o : tape_.outputs_) y = std::copy_n(at(o.slot), kN, y);
  }

 private:
  double* at(std::uint32_t slot) const { return s_ + slot * kN; }

  template <class F>
  void each(const Tape::Step& i, const F& f) {
    const double *a = at(i.a), *b = at(i.b), *c = at(i.c);
    std::array<double, kN> out;  // may stand where its arguments do
    for (std::size_t l = 0; l < kN; ++l) out[l] = f(a[l], b[l], c[l]);
    std::copy_n(out.data(), kN, at(i.to));
  }

  void step(const Tape::Step& i) {
    using StepKind = Tape::Step::Kind;
    switch (i.kind) {
      case StepKind::other:
        return other(tape_.code_[i.a], i.to);
      case StepKind::circle:
        return circle(tape_.code_[i.a], i.to);
      case StepKind::neg:
        return each(i, [](double a, double, double) { return -a; });
      case StepKind::div:
        return each(i, [](double a, double b, double) { return a / b; });
      case StepKind::add:
        return each(i, [](double a, double b, double) { return a + b; });
      case StepKind::sub:
        return each(i, [](double a, double b, double) { return a - b; });
      case StepKind::mul:
        return each(i, [](double a, double b, double) { return a * b; });
      case StepKind::add_product:
        return each(i, [](double a, double b, double c) { return a * b + c; });
      case StepKind::sub_product:
        return each(i, [](double a, double b, double c) { return c - a * b; });
      case StepKind::product_sub:
        return each(i, [](double a, double b, double c) { return a * b - c; });
      case StepKind::mul_product:
        return each(i, [](double a, double b, double c) { return a * b * c; });
    }
  }

  void other(const Tape::Operation& i, std::uint32_t to) {
    if (i.op == Op::call) return call(i, to);
    if (i.pair != 0) return circle(i, to);
    const double *a = at(i.a), *b = at(i.b), *c = at(i.c);
    for (std::size_t l = 0; l < kN; ++l) at(to)[l] = evaluate(i.op, a[l], b[l], c[l]);
  }

  void circle(const Tape::Operation& i, std::uint32_t to) {
    if (i.pair == 2) return;
    const bool first = i.op == Op::sin;
    double *s = first ? at(to) : at(i.b), *c = first ? at(i.b) : at(to);
    const double* a = at(i.a);
    for (std::size_t l = 0; l < kN; ++l) {
      const double x = a[l];
      s[l] = std::sin(x);
      c[l] = std::cos(x);
    }
  }

  void call(const Tape::Operation& i, std::uint32_t to) {
    const Tape::Pick& pick = tape_.picks_[i.a];
    const Tape::Jet& jet = tape_.jets_[pick.jet];
    if (pick.first) ask(jet);
    const double* from = jets_ + jet.offset + pick.result * jet.size[0] + pick.at;
    for (std::size_t l = 0; l < kN; ++l) at(to)[l] = from[l * tape_.jets_size_];
  }

  void ask(const Tape::Jet& jet) {
    std::array<double, kMostArguments> x;
    for (std::size_t l = 0; l < kN; ++l) {
      for (std::uint32_t j = 0; j < jet.n; ++j) x[j] = at(tape_.arguments_[jet.first + j].slot)[l];
      jet.function->jet({x.data(), jet.n}, jet.order,
                        {jets_ + l * tape_.jets_size_ + jet.offset, jet.results * jet.size[0]});
    }
  }

  const Tape& tape_;
  double *s_, *jets_;
};

void Tape::values(std::span<const double> x, std::span<double> y, std::span<double> scratch) const {
  assert(x.size() == inputs() * kLanes && y.size() == outputs() * kLanes);
  assert(scratch.size() >= lanes_scratch_size());
  Lanes(*this, scratch.data()).run(x.data(), y.data());
}

}  // namespace trammel::expr
