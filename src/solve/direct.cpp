#include "solve/direct.h"

#include <algorithm>
#include <cmath>

#include "solve/factor.h"
#include "solve/operator.h"

namespace trammel::solve {

struct Direct::Impl {
  const Graph& graph;
  DirectOptions options;
  Factor factor;
  Operator product;
  System system{};
  std::vector<double> rest;  // scratch

  Impl(const Graph& g, const DirectOptions& o) : graph(g), options(o), factor(g, o), product(g) {}
};

Direct::Direct(const Graph& graph, DirectOptions options)
    : impl_(std::make_unique<Impl>(graph, options)) {}
Direct::~Direct() = default;
Direct::Direct(Direct&&) noexcept = default;
Direct& Direct::operator=(Direct&&) noexcept = default;

bool Direct::factor(const System& system) {
  impl_->system = system;
  return impl_->factor.factor(system);
}

void Direct::solve_factored(double* x) const { impl_->factor.solve(x); }

void Direct::apply(const double* x, double* y) const {
  impl_->product.apply(impl_->system, active(), x, y);
}

Direct::Solved Direct::solve(const double* r, double* x) const {
  const auto on = active();
  auto& rest = impl_->rest;
  const std::size_t n = on.size();
  rest.resize(n);
  double size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = on[i] ? r[i] : 0;
    size = std::max(size, std::abs(x[i]));
  }
  solve_factored(x);
  Solved report{0, 1};
  if (!(size > 0)) return report;
  for (int k = 0; k < options().max_proximal; ++k) {  // rest: r - S x, then what it adds to x
    apply(x, rest.data());
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      rest[i] = on[i] ? r[i] - rest[i] : 0;
      worst = std::max(worst, std::abs(rest[i]));
    }
    report.residual = worst / size;
    if (!(report.residual > options().tolerance)) break;
    solve_factored(rest.data());
    for (std::size_t i = 0; i < n; ++i) x[i] += rest[i];
    ++report.iterations;
  }
  return report;
}

int Direct::failed_row() const { return impl_->factor.failed_row(); }
double Direct::least_pivot() const { return impl_->factor.least_pivot(); }
std::span<const double> Direct::pivots() const { return impl_->factor.pivots(); }
void Direct::set_eps(double eps, double drop) {
  impl_->options.eps = eps;
  impl_->factor.set_eps(eps, drop);
}
std::span<const double> Direct::diagonal() const { return impl_->factor.diagonal(); }
std::span<const unsigned char> Direct::active() const { return impl_->factor.active(); }
const Graph& Direct::graph() const { return impl_->graph; }
const DirectOptions& Direct::options() const { return impl_->options; }
long long Direct::fill() const {
  long long sum = 0;
  for (const auto& c : impl_->factor.symbolic().columns) sum += 1ll * c.height * c.m;
  return sum;
}
double Direct::flops() const { return impl_->factor.symbolic().flops; }
int Direct::hubs() const { return static_cast<int>(impl_->factor.symbolic().hubs.size()); }

}  // namespace trammel::solve
