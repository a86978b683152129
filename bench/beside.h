#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bench.h"

/// Engines side by side on the scenes of bench/case, each job a process of its own.
namespace trammel::bench {

/// The engines that can be asked. Trammel and the chain by hand are this program itself, peers are
/// programs beside it, where they have been built.
struct Program {
  std::string_view name, file, package;
  bool peer() const { return !package.empty(); }
};
std::span<const Program> programs();
bool present(const Program& program);

/// What one engine is asked for.
struct Job {
  std::string_view program;
  Case wanted;
};

/// Every job in turn, and that so many times: what disturbs the machine disturbs all. Those whose
/// program is not there are left out; one that failed says so in its figure.
std::vector<Figure> run_in_turn(const std::vector<Job>& jobs, const Options& options);

}  // namespace trammel::bench
