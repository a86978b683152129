#include "expr/tape.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "expr/slope.h"

namespace trammel::expr {

/// One evaluation. A slot is {f, [f', f''], [df/dx_0, df/dx_1, ...]}; of what is not active only f
/// is set.
template <bool kGradient, bool kDirectional>
class Pass {
 public:
  Pass(const Tape& tape, double* scratch)
      : tape_(tape),
        n_(tape.n_active_),
        s_(scratch),
        jets_(scratch + tape.n_slots_ * tape.stride(true, true)) {}

  void run(std::span<const double> x, const Tape::Path& path, const Tape::Results& out) {
    set_inputs(x, path);
    double* slot = at(tape_.n_inputs_);
    for (const double c : tape_.constants_) {
      *slot = c;
      slot += stride();
    }
    if constexpr (kOrder == 0)
      for (const Tape::Step& i : tape_.steps_) quick(i);
    else
      for (const Tape::Operation& operation : tape_.code_) {
        step(operation, slot);
        slot += stride();
      }
    write(out);
  }

 private:
  static constexpr int kOrder = kDirectional ? 2 : kGradient ? 1 : 0;
  static constexpr std::size_t kGradientAt = kDirectional ? 3 : 1;

  std::size_t stride() const { return kGradientAt + (kGradient ? n_ : 0); }
  double* at(std::size_t slot) const { return s_ + slot * stride(); }

  void set_inputs(std::span<const double> x, const Tape::Path& path) {
    for (std::size_t i = 0; i < tape_.n_inputs_; ++i) {
      double* slot = at(i);
      *slot = x[i];
      if (kOrder == 0 || i >= n_) continue;
      if constexpr (kDirectional) slot[1] = path.x1[i], slot[2] = path.x2[i];
      if constexpr (kGradient) {
        std::fill_n(slot + kGradientAt, n_, 0.0);
        slot[kGradientAt + i] = 1;
      }
    }
  }

  void quick(const Tape::Step& i) {
    using StepKind = Tape::Step::Kind;
    switch (i.kind) {
      case StepKind::other:
        return step(tape_.code_[i.a], s_ + i.to);
      case StepKind::circle:
        return circle(tape_.code_[i.a], s_ + i.to);
      case StepKind::neg:
        s_[i.to] = -s_[i.a];
        return;
      case StepKind::div:
        s_[i.to] = s_[i.a] / s_[i.b];
        return;
      case StepKind::add:
        s_[i.to] = s_[i.a] + s_[i.b];
        return;
      case StepKind::sub:
        s_[i.to] = s_[i.a] - s_[i.b];
        return;
      case StepKind::mul:
        s_[i.to] = s_[i.a] * s_[i.b];
        return;
      case StepKind::add_product:
        s_[i.to] = s_[i.a] * s_[i.b] + s_[i.c];
        return;
      case StepKind::sub_product:
        s_[i.to] = s_[i.c] - s_[i.a] * s_[i.b];
        return;
      case StepKind::product_sub:
        s_[i.to] = s_[i.a] * s_[i.b] - s_[i.c];
        return;
      case StepKind::mul_product:
        s_[i.to] = s_[i.a] * s_[i.b] * s_[i.c];
        return;
    }
  }

  void step(const Tape::Operation& i, double* y) {
    if (i.op == Op::call) return call(i, y);
    if (i.pair != 0) return circle(i, y);
    const double *a = at(i.a), *b = at(i.b);
    if (kOrder == 0 || i.active == 0)
      *y = evaluate(i.op, *a, *b, *at(i.c));
    else
      differentiate(i, a, b, y);
  }

  // The most frequent are written out.
  void differentiate(const Tape::Operation& i, const double* a, const double* b, double* y) {
    switch (i.op) {
      case Op::add:
      case Op::sub:
        if (i.active != 3) break;
        return sum(i.op == Op::add ? 1 : -1, a, b, y);
      case Op::mul:
        if (i.active != 3) return scale(*a * *b, i.active == 1 ? *b : *a, i.active == 1 ? a : b, y);
        return product(a, b, y);
      case Op::min:
      case Op::max:
      case Op::select:
        return choose(i, y);
      default:
        break;
    }
    chain(slope(i.op, *a, *b, i.active), i.active, a, b, y);
  }

  // Sine and cosine of one argument cost as much as either.
  void circle(const Tape::Operation& i, double* y) const {
    if (i.pair == 2) return;
    const double* a = at(i.a);
    const double sine = std::sin(*a), cosine = std::cos(*a);
    const bool first = i.op == Op::sin;
    double *s = first ? y : at(i.b), *c = first ? at(i.b) : y;
    *s = sine;
    *c = cosine;
    if (kOrder == 0 || i.active == 0) return;
    chain_one(cosine, -sine, a, s);
    chain_one(-sine, -cosine, a, c);
  }

  void choose(const Tape::Operation& i, double* y) {
    const int k = chosen(i.op, *at(i.a), *at(i.b));
    if (k < 0) return std::fill_n(y, stride(), kNaN), void();
    const double* from = at(k == 0 ? i.a : k == 1 ? i.b : i.c);
    if (i.active >> k & 1) return std::copy_n(from, stride(), y), void();
    *y = *from;
    std::fill_n(y + 1, stride() - 1, 0.0);
  }

  // What is not active is left out, not multiplied by 0: its slope may be infinite.
  void chain(const Slope& s, unsigned active, const double* a, const double* b, double* y) const {
    *y = s.f;
    if (active == 1)
      chain_one(s.a, s.aa, a, y);
    else if (active == 2)
      chain_one(s.b, s.bb, b, y);
    else
      chain_two(s, a, b, y);
  }

  void chain_one(double d, double dd, const double* a, double* y) const {
    if constexpr (kDirectional) {
      y[1] = d * a[1];
      y[2] = d * a[2] + dd * (a[1] * a[1]);
    }
    if constexpr (kGradient)
      for (std::size_t k = kGradientAt; k < stride(); ++k) y[k] = d * a[k];
  }

  void chain_two(const Slope& s, const double* a, const double* b, double* y) const {
    if constexpr (kDirectional) {
      y[1] = s.a * a[1] + s.b * b[1];
      y[2] = s.a * a[2] + s.b * b[2] + s.aa * (a[1] * a[1]) + 2 * s.ab * (a[1] * b[1]) +
             s.bb * (b[1] * b[1]);
    }
    if constexpr (kGradient)
      for (std::size_t k = kGradientAt; k < stride(); ++k) y[k] = s.a * a[k] + s.b * b[k];
  }

  void sum(double sign, const double* a, const double* b, double* y) const {
    for (std::size_t k = 0; k < stride(); ++k) y[k] = a[k] + sign * b[k];
  }

  void scale(double f, double d, const double* a, double* y) const {
    *y = f;
    for (std::size_t k = 1; k < stride(); ++k) y[k] = d * a[k];
  }

  void product(const double* a, const double* b, double* y) const {
    const double va = *a, vb = *b;
    *y = va * vb;
    for (std::size_t k = 1; k < stride(); ++k) y[k] = vb * a[k] + va * b[k];
    if constexpr (kDirectional) y[2] += 2 * (a[1] * b[1]);
  }

  void call(const Tape::Operation& i, double* y) {
    const Tape::Pick& pick = tape_.picks_[i.a];
    const Tape::Jet& jet = tape_.jets_[pick.jet];
    const double* values =
        jets_ + jet.offset + pick.result * jet.size[jet.active ? std::size_t{kOrder} : 0];
    if (pick.first) ask(jet);
    *y = values[pick.at];
    if (kOrder == 0 || !jet.active) return;
    std::fill_n(y + 1, stride() - 1, 0.0);
    const Tape::Argument* args = tape_.arguments_.data() + jet.first;
    const std::uint32_t* first = tape_.slopes_.data() + pick.slopes;
    for (std::uint32_t j = 0; j < jet.n; ++j)
      if (args[j].active) add_scaled(values[first[j]], at(args[j].slot), y);
    if constexpr (kDirectional) add_curvature(jet, values, first + jet.n, y);
  }

  void ask(const Tape::Jet& jet) {
    std::array<double, kMostArguments> x;
    for (std::uint32_t j = 0; j < jet.n; ++j) x[j] = *at(tape_.arguments_[jet.first + j].slot);
    const int order = jet.order + (jet.active ? kOrder : 0);
    const std::size_t size = jet.size[jet.active ? std::size_t{kOrder} : 0];
    jet.function->jet({x.data(), jet.n}, order, {jets_ + jet.offset, jet.results * size});
  }

  void add_scaled(double d, const double* a, double* y) const {
    for (std::size_t k = 1; k < stride(); ++k) y[k] += d * a[k];
  }

  void add_curvature(const Tape::Jet& jet, const double* values, const std::uint32_t* second,
                     double* y) const {
    const Tape::Argument* args = tape_.arguments_.data() + jet.first;
    for (std::uint32_t j = 0; j < jet.n; ++j)
      for (std::uint32_t k = j; k < jet.n; ++k, ++second)
        if (args[j].active && args[k].active)
          y[2] += (j == k ? 1 : 2) * values[*second] * (at(args[j].slot)[1] * at(args[k].slot)[1]);
  }

  void write(const Tape::Results& out) const {
    for (std::size_t o = 0; o < tape_.outputs_.size(); ++o) {
      const auto [slot, active] = tape_.outputs_[o];
      const double* from = at(slot);
      out.y[o] = *from;
      if constexpr (kDirectional) {
        out.y1[o] = active ? from[1] : 0;
        out.y2[o] = active ? from[2] : 0;
      }
      if constexpr (kGradient)
        for (std::size_t k = 0; k < n_; ++k)
          out.dy[o * n_ + k] = active ? from[kGradientAt + k] : 0;
    }
  }

  const Tape& tape_;
  std::size_t n_;
  double *s_, *jets_;
};

void Tape::value(std::span<const double> x, std::span<double> y, std::span<double> scratch) const {
  assert(x.size() == inputs() && y.size() == outputs() && scratch.size() >= scratch_size());
  Pass<false, false>(*this, scratch.data()).run(x, {}, {.y = y});
}

void Tape::gradient(std::span<const double> x, std::span<double> y, std::span<double> dy,
                    std::span<double> scratch) const {
  assert(x.size() == inputs() && y.size() == outputs() && scratch.size() >= scratch_size());
  assert(order_ >= 1 && dy.size() == outputs() * active());
  Pass<true, false>(*this, scratch.data()).run(x, {}, {.y = y, .dy = dy});
}

void Tape::directional(std::span<const double> x, std::span<const double> x1,
                       std::span<const double> x2, std::span<double> y, std::span<double> y1,
                       std::span<double> y2, std::span<double> scratch) const {
  assert(x.size() == inputs() && y.size() == outputs() && scratch.size() >= scratch_size());
  assert(order_ >= 2 && x1.size() == active() && x2.size() == active());
  assert(y1.size() == outputs() && y2.size() == outputs());
  Pass<false, true>(*this, scratch.data()).run(x, {x1, x2}, {.y = y, .y1 = y1, .y2 = y2});
}

void Tape::all(std::span<const double> x, const Path& path, const Results& out,
               std::span<double> scratch) const {
  assert(x.size() == inputs() && out.y.size() == outputs() && scratch.size() >= scratch_size());
  assert(order_ >= 2 && path.x1.size() == active() && path.x2.size() == active());
  assert(out.y1.size() == outputs() && out.y2.size() == outputs());
  assert(out.dy.size() == outputs() * active());
  Pass<true, true>(*this, scratch.data()).run(x, path, out);
}

}  // namespace trammel::expr
