#include "math/runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/runge_kutta_tables.h"

namespace trammel {

namespace {
constexpr double kSafety = 0.8;

const RungeKutta::Tableau& tableau_of(RungeKuttaMethod method) {
  switch (method) {
    case RungeKuttaMethod::rk4:
      return classical_4();
    case RungeKuttaMethod::dp5:
      return dormand_prince_5();
    case RungeKuttaMethod::dp8:
      break;
  }
  return dormand_prince_8();
}
}  // namespace

std::string_view name_of(RungeKuttaMethod method) {
  return method == RungeKuttaMethod::rk4 ? "rk4" : method == RungeKuttaMethod::dp5 ? "dp5" : "dp8";
}

RungeKutta::RungeKutta(RungeKuttaMethod method, std::size_t n)
    : tableau_(&tableau_of(method)), n_(n), y_(n), y1_(n), trial_(n), absolute_(n), relative_(n) {
  k_.resize(n * static_cast<std::size_t>(tableau_->stages + 1 + tableau_->extra));
}

int RungeKutta::order() const { return tableau_->order; }
bool RungeKutta::estimates_error() const { return !tableau_->error.empty(); }

void RungeKutta::set_tolerance(std::vector<double> absolute, std::vector<double> relative) {
  absolute_ = std::move(absolute);
  relative_ = std::move(relative);
}

void RungeKutta::combine(int row, double* out) const {
  std::copy(y_.begin(), y_.end(), out);
  for (const Tableau::Term& term : tableau_->a[static_cast<std::size_t>(row)]) {
    const double* k = stage(term.stage);
    const double a = h_ * term.a;
    for (std::size_t i = 0; i < n_; ++i) out[i] += a * k[i];
  }
}

RungeKutta::Tried RungeKutta::attempt(Ode& ode, double h, double t_end) {
  h_ = h;
  t_end_ = t_end;
  const int s = tableau_->stages;
  for (int i = 1; i < s; ++i) {
    combine(i, trial_.data());
    const double c = tableau_->c[static_cast<std::size_t>(i)];
    if (!ode.slope(c == 1 ? t_end : t_ + c * h, trial_.data(), stage(i))) return {};
  }
  combine(s, y1_.data());
  Tried out{true, 0};
  if (!tableau_->error_at_end && estimates_error()) out.error = error(y1_.data());
  if (!(out.error <= 1)) return out;
  out.ok = ode.settle(t_end, y1_.data(), stage(s));
  if (out.ok && tableau_->error_at_end) out.error = error(y1_.data());
  return out;
}

double RungeKutta::worst(const double* e, const double* y1) const {
  double most = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double allowed = absolute_[i] + relative_[i] * std::max(std::abs(y_[i]), std::abs(y1[i]));
    const double share = std::abs(e[i]) / allowed;
    if (!(share <= most)) most = share;  // NaN stays
    if (std::isnan(most)) return most;
  }
  return most;
}

/// Returns the error of the step over the tolerance: the worst number counts.
double RungeKutta::error(const double* y1) {
  const auto estimate = [&](Tableau::Row row) {
    std::fill(trial_.begin(), trial_.end(), 0.0);
    for (const Tableau::Term& term : row) {
      const double* k = stage(term.stage);
      for (std::size_t i = 0; i < n_; ++i) trial_[i] += term.a * k[i];
    }
    return std::abs(h_) * worst(trial_.data(), y1);
  };
  const double high = estimate(tableau_->error);
  if (tableau_->error_low.empty()) return high;
  const double low = estimate(tableau_->error_low);
  const double both = high * high + 0.01 * low * low;
  return both > 0 ? high * high / std::sqrt(both) : both;
}

void RungeKutta::take() {
  t_ = t_end_;
  std::swap(y_, y1_);
  std::copy_n(stage(tableau_->stages), n_, k_.data());
}

double RungeKutta::next_step(double h, double error, bool taken) {
  const Tableau& T = *tableau_;
  if (std::isnan(error)) return h * T.shrink;
  const double now = std::max(error, 1e-30);
  double change = kSafety * std::pow(now, -T.exponent);
  if (taken) change *= std::pow(last_error_, T.beta);
  change = std::clamp(change, T.shrink, taken ? T.grow : 1);
  if (taken) last_error_ = std::max(error, 1e-4);
  return h * change;
}

double RungeKutta::norm(const double* x) const { return worst(x, y_.data()); }

double RungeKutta::first_step(Ode& ode, double longest) {
  constexpr double kStill = 1e-3;  // of the longest: where nothing moves yet
  const double size = norm(y_.data()), speed = norm(dy()), still = kStill * std::abs(longest);
  double h = size < 1e-10 || speed < 1e-10 / std::abs(longest) ? still : 0.01 * size / speed;
  h = std::min(h, std::abs(longest));
  const double way = std::copysign(h, longest);
  for (std::size_t i = 0; i < n_; ++i) trial_[i] = y_[i] + way * dy()[i];
  if (!ode.slope(t_ + way, trial_.data(), stage(1))) return 1e-3 * way;
  for (std::size_t i = 0; i < n_; ++i) trial_[i] = stage(1)[i] - dy()[i];
  const double most = std::max(speed, norm(trial_.data()) / h);
  const double wanted = most <= 1e-15 / std::abs(longest)
                            ? std::max(still, 1e-3 * h)
                            : std::pow(0.01 / most, 1.0 / tableau_->order);
  return std::copysign(std::min({100 * h, wanted, std::abs(longest)}), longest);
}

bool RungeKutta::prepare_dense(Ode& ode) {
  const Tableau& T = *tableau_;
  for (int i = T.stages + 1; i <= T.stages + T.extra; ++i) {
    combine(i, trial_.data());
    if (!ode.slope(t_ + T.c[static_cast<std::size_t>(i)] * h_, trial_.data(), stage(i)))
      return false;
  }
  dense_.assign((4 + T.dense.size()) * n_, 0.0);
  double* d = dense_.data();
  const double *first = stage(0), *last = stage(T.stages);
  for (std::size_t i = 0; i < n_; ++i) {
    const double way = y1_[i] - y_[i], bend = h_ * first[i] - way;
    d[i] = y_[i];
    d[n_ + i] = way;
    d[2 * n_ + i] = bend;
    d[3 * n_ + i] = way - h_ * last[i] - bend;
  }
  for (std::size_t r = 0; r < T.dense.size(); ++r)
    for (const Tableau::Term& term : T.dense[r]) {
      const double* k = stage(term.stage);
      for (std::size_t i = 0; i < n_; ++i) d[(4 + r) * n_ + i] += h_ * term.a * k[i];
    }
  return true;
}

void RungeKutta::interpolate(double theta, double* out) const {
  const std::size_t rows = dense_.size() / n_;
  std::fill_n(out, n_, 0.0);
  for (std::size_t r = rows; r-- > 0;) {  // d0 + x (d1 + (1 - x) (d2 + x (d3 + ...
    const double* d = dense_.data() + r * n_;
    const double by = r + 1 == rows ? 0 : r % 2 == 0 ? theta : 1 - theta;
    for (std::size_t i = 0; i < n_; ++i) out[i] = d[i] + by * out[i];
  }
}

}  // namespace trammel
