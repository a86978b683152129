#include "expr/function.h"

#include <numeric>

namespace trammel::expr {

namespace {

// n over k; 0 for n < k.
std::size_t choose(int n, int k) {
  std::size_t out = 1;
  for (int i = 1; i <= k; ++i)
    out = out * static_cast<std::size_t>(std::max(0, n - k + i)) / static_cast<std::size_t>(i);
  return out;
}

}  // namespace

std::string name_of(const Call& call) {
  const Function& f = *call.function;
  return f.results.empty() ? f.name : f.name + f.results[call.result];
}

int order(const Partial& partial) { return std::accumulate(partial.begin(), partial.end(), 0); }

std::size_t jet_size(int arity, int order) { return choose(arity + order, arity); }

// Before it stand, argument by argument, all with a higher exponent there: as many as there are
// partial derivatives of lower order by the arguments that remain.
std::size_t jet_index(const Partial& partial) {
  int left = order(partial), arguments = static_cast<int>(partial.size());
  std::size_t out = 0;
  for (const int exponent : partial) {
    out += choose(left - 1 + arguments, arguments);
    left -= exponent;
    --arguments;
  }
  return out;
}

}  // namespace trammel::expr
