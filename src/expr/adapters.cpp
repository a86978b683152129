#include "expr/adapters.h"

#include <algorithm>
#include <array>

namespace trammel::expr {

namespace {

// One buffer for each level of calls within calls; kept, and only ever grown while not in use.
struct Buffers {
  std::vector<std::vector<double>> all;
  std::size_t in_use = 0;
};

Buffers& buffers() {
  thread_local Buffers b;
  return b;
}

}  // namespace

ThreadScratch::ThreadScratch(std::size_t size) {
  Buffers& b = buffers();
  if (b.in_use == b.all.size()) b.all.emplace_back();
  std::vector<double>& mine = b.all[b.in_use++];
  if (mine.size() < size) mine.resize(size);
  span_ = mine;
}

ThreadScratch::~ThreadScratch() { --buffers().in_use; }

namespace {
/// The first inputs, and live values behind them.
template <std::size_t N>
std::array<double, N + kMostLive> joined(const std::array<double, N>& first,
                                         std::span<const double> live) {
  std::array<double, N + kMostLive> out{};
  std::copy(first.begin(), first.end(), out.begin());
  std::copy(live.begin(), live.end(), out.begin() + N);
  return out;
}
}  // namespace

ForceValue ForceOf::operator()(double x, double v, double t, std::span<const double> live) const {
  ForceValue out;
  std::array<double, 2> slopes;
  const auto in = joined(std::array{x, v, t}, live);
  tape_.gradient(std::span(in.data(), tape_.inputs()), std::span(&out.f, 1), slopes,
                 ThreadScratch(tape_.scratch_size()));
  out.f_x = slopes[0];
  out.f_v = slopes[1];
  return out;
}

Jet SignalOf::operator()(double t) const {
  Jet out;
  tape_.directional(std::array{t}, std::array{1.0}, std::array{0.0}, std::span(&out.x, 1),
                    std::span(&out.v, 1), std::span(&out.a, 1),
                    ThreadScratch(tape_.scratch_size()));
  return out;
}

double ValueOf::operator()(std::span<const double> x) const {
  double out = 0;
  tape_.value(x, std::span(&out, 1), ThreadScratch(tape_.scratch_size()));
  return out;
}

Jet LiveSignalOf::operator()(double t, std::span<const double> live) const {
  Jet out;
  const auto in = joined(std::array{t}, live);
  tape_.directional(std::span(in.data(), tape_.inputs()), std::array{1.0}, std::array{0.0},
                    std::span(&out.x, 1), std::span(&out.v, 1), std::span(&out.a, 1),
                    ThreadScratch(tape_.scratch_size()));
  return out;
}

Compiled compile_force(Expression f, std::span<const Expression> inputs) {
  return Tape::compile(std::array{f}, inputs, {.active = 2, .order = 1});
}

Compiled compile_force(Expression f, Expression x, Expression v, Expression t) {
  return compile_force(f, std::array{x, v, t});
}

Compiled compile_live(Expression f, std::span<const Expression> inputs) {
  return Tape::compile(std::array{f}, inputs, {.active = 1, .order = 2});
}

Compiled compile_signal(Expression f, Expression t) {
  return Tape::compile(std::array{f}, std::array{t});
}

}  // namespace trammel::expr
