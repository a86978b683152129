#include "sim/linearise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <unsupported/Eigen/MatrixFunctions>

#include "math/dense.h"
#include "math/index.h"

namespace trammel::sim {

namespace {

constexpr double kSpacing =
    2e-3;  // [rad, and of a length that is the mechanism's; as rates a second]

/// The slope at 0 by differences of fourth order, of spacing h and 2 h from the same points.
struct Slope {
  VecX fine, coarse;
};
template <class F>
Slope slope(const F& f, double h) {
  const VecX d1 = f(h) - f(-h), d2 = f(2 * h) - f(-2 * h), d4 = f(4 * h) - f(-4 * h);
  return {(8 * d1 - d2) / (12 * h), (8 * d2 - d4) / (24 * h)};
}

}  // namespace

Linearised linearise(Dynamics& dynamics, const VecX& forces) {
  const model::State here = dynamics.state();
  Linearised out;
  out.names = dynamics.names();
  const Eigen::Index n = count(out.names);
  const VecX tau = forces.size() == 0 ? VecX(VecX::Zero(n)) : forces;
  out.y = dynamics.position();
  out.y_dot = dynamics.velocity();
  out.y_ddot = dynamics.forward(tau).y_ddot;
  out.A = MatX::Zero(2 * n, 2 * n);
  out.B = MatX::Zero(2 * n, n);
  out.A.topRightCorner(n, n).setIdentity();
  out.B.bottomRows(n) = dense::inverse(dynamics.mass());
  const auto acceleration = [&](const VecX& y, const VecX& y_dot) {
    dynamics.at(here);
    dynamics.at(dynamics.moved(y, y_dot));
    return dynamics.forward(tau).y_ddot;
  };
  double off = 0, greatest = 1;
  const auto put = [&](Eigen::Index column, const Slope& s) {
    out.A.col(column).tail(n) = s.fine;
    off = std::max(off, (s.fine - s.coarse).cwiseAbs().maxCoeff() / 15);
    greatest = std::max(greatest, s.fine.cwiseAbs().maxCoeff());
  };
  for (Eigen::Index k = 0; k < n; ++k) {
    const VecX unit = VecX::Unit(n, k);
    const double h = kSpacing * dynamics.scale(at(static_cast<int>(k)));
    put(k, slope([&](double d) { return acceleration(out.y + d * unit, out.y_dot); }, h));
    put(n + k, slope([&](double d) { return acceleration(out.y, out.y_dot + d * unit); }, h));
  }
  dynamics.at(here);
  const double rounding = 10 * std::numeric_limits<double>::epsilon() *
                          (1 + (n ? out.y_ddot.cwiseAbs().maxCoeff() : 0)) / kSpacing;
  out.error = (off + rounding) / greatest;
  return out;
}

Discrete discretise(const Linearised& motion, double h) {
  if (!(h > 0 && std::isfinite(h)))
    throw std::invalid_argument(fmt::format("a step of {} s is none", h));
  const Eigen::Index m = motion.A.rows(), n = motion.B.cols();
  MatX all = MatX::Zero(m + n + 1, m + n + 1);
  all.topLeftCorner(m, m) = motion.A;
  all.block(0, m, m, n) = motion.B;
  all.col(m + n).head(n) = motion.y_dot;
  all.col(m + n).segment(n, n) = motion.y_ddot;
  all *= h;
  const MatX flow = all.exp();
  return {flow.topLeftCorner(m, m), flow.block(0, m, m, n), flow.col(m + n).head(m)};
}

std::vector<Mode> modes(const Linearised& motion) {
  constexpr double kStill = 1e-6;
  const Eigen::Index n = motion.B.cols();
  if (n == 0) return {};
  const double stiffness = motion.A.bottomLeftCorner(n, n).cwiseAbs().maxCoeff();
  const double speed = motion.y_dot.cwiseAbs().maxCoeff(),
               pull = motion.y_ddot.cwiseAbs().maxCoeff();
  if (speed > kStill * std::max(1., std::sqrt(stiffness)) ||
      pull > kStill * std::max(1., stiffness))
    throw std::invalid_argument(
        fmt::format("the state is no equilibrium: coordinates move at {:.3g} and accelerate by "
                    "{:.3g} (m or rad, by s and s^2)",
                    speed, pull));
  const auto solver = dense::complex_axes(motion.A);
  std::vector<Mode> out;
  for (Eigen::Index k = 0; k < 2 * n; ++k) {
    const std::complex<double> value = solver.values[k];
    if (value.imag() < 0) continue;
    Mode mode;
    mode.eigenvalue = value;
    mode.frequency = value.imag() / (2 * std::numbers::pi);
    mode.damping = std::abs(value) > 0 ? -value.real() / std::abs(value) : 0;
    mode.shape = solver.vectors.col(k).head(n);
    Eigen::Index most = 0;
    mode.shape.cwiseAbs().maxCoeff(&most);
    if (std::abs(mode.shape[most]) > 0) mode.shape /= std::complex<double>(mode.shape[most]);
    out.push_back(std::move(mode));
  }
  std::sort(out.begin(), out.end(), [](const Mode& a, const Mode& b) {
    return std::abs(a.eigenvalue) < std::abs(b.eigenvalue);
  });
  return out;
}

}  // namespace trammel::sim
