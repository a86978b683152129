#include "form/rattle_exact.h"

#include <algorithm>
#include <cmath>

#include "form/rattle_position.h"
#include "form/rattle_velocity.h"
#include "solve/product.h"

namespace trammel::form::velocity {

namespace {
constexpr int kMostCorrections = 40;
// ratio of successive Newton steps above which the matrix is factored anew
constexpr double kStale = 0.1;
// ratio above which Newton steps have ceased to fall: rounding, or no convergence
constexpr double kStuck = 0.5;
constexpr double kMet = 1e-24;  // energy of the last Newton step, relative to that of the motion
// residual of the momenta that rounding may leave, relative to momenta and impulses
constexpr double kUneven = 1e-14;

/// Adds the factorisations made during its lifetime to the report.
struct FactorCount {
  const solve::Saddle& saddle;
  StepReport& report;
  int before;
  FactorCount(const solve::Saddle& s, StepReport& r)
      : saddle(s), report(r), before(s.factorisations()) {}
  FactorCount(const FactorCount&) = delete;
  FactorCount& operator=(const FactorCount&) = delete;
  ~FactorCount() { report.factorisations += saddle.factorisations() - before; }
};

/// Computes J(q+) T from J(q+) and the turn T of each block: h J T dv is the change of the rows'
/// values at the end by a change dv of the drift's velocity.
void turn_rows(const solve::Graph& graph, const std::vector<double>& J_end,
               const std::vector<double>& turn, std::vector<double>& J_turn) {
  std::vector<int> offset;
  int sum = 0;
  for (const solve::Graph::Block& b : graph.blocks) {
    offset.push_back(sum);
    sum += b.n * b.n;
  }
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 12>;
  for (const solve::Graph::End& e : graph.ends) {
    const Eigen::Map<const Matrix> J(J_end.data() + e.J, e.m, e.n),
        T(turn.data() + offset[static_cast<std::size_t>(e.block)], e.n, e.n);
    // into a matrix of its own, which is always aligned alike: elsewhere it would depend on the
    // chance alignment which products are rounded once and which twice
    const Matrix turned = J * T;
    std::copy_n(turned.data(), e.m * e.n, J_turn.data() + e.J);
  }
}

/// Drifts by the velocity out.v: evaluates the end with its J, and the residuals of the momenta
/// (newton.residual) and of the rows (work.r). Returns the largest residual of a row as a length
/// [m, rad].
double exact_residual(const Step& s, Ends& ends, StageRows& rows, PositionStage& out,
                      Newton& newton, Work& work) {
  const model::Kinematics& kin = *s.mechanism.kin;
  End& next = ends.next;
  for (std::size_t i = 0; i < out.v.size(); ++i) next.u[i] = s.h * out.v[i];
  out.q = s.start.q;
  kin.retract(next.u.data(), out.q.data());
  kin.transforms(out.q.data(), s.start.t + s.h, next.at);
  if (s.mechanism.rolls)
    mean_rates(s, out.q, ends.now, next, work.mean_rate);
  else
    kin.jacobians(s.start, next.at);
  kin.drift(s.h, s.start.q.data(), out.v.data(), newton.residual.data(), newton.mass.data(),
            newton.turn.data());
  for (std::size_t i = 0; i < newton.residual.size(); ++i) newton.residual[i] -= out.P[i];
  return position_residual(s, ends, rows, out, work);
}

/// Returns the size of each block's momenta: the greatest row impulse or momentum there, in units
/// of lengths.
std::vector<double> sizes_of_momenta(const Step& s, const End& now, const std::vector<double>& L) {
  const solve::Graph& graph = s.mechanism.kin->graph();
  const std::vector<double>& unit = s.mechanism.kin->units();
  std::vector<double> size(graph.blocks.size(), 1e-300);
  for (const solve::Graph::End& e : graph.ends)
    for (int r = 0; r < e.m; ++r)
      for (int i = 0; i < e.n; ++i) {
        double& most = size[static_cast<std::size_t>(e.block)];
        const double J = now.at.J[static_cast<std::size_t>(e.J + r * e.n + i)];
        most = std::max(most, std::abs(J * L[static_cast<std::size_t>(e.row + r)]) *
                                  unit[static_cast<std::size_t>(e.u + i)]);
      }
  for (std::size_t b = 0; b < size.size(); ++b)
    for (int i = 0; i < graph.blocks[b].n; ++i) {
      const auto j = static_cast<std::size_t>(graph.u_offset[b] + i);
      size[b] = std::max(size[b], std::abs(s.start.P[j]) * unit[j]);
    }
  return size;
}

/// Returns the residual of the momenta at the worst body, relative to the greatest momentum or row
/// impulse there. Rounding leaves some: where a thin rod turns freely about its axis, its spin may
/// be off by any number of units of rounding.
double uneven(const Step& s, const End& now, const std::vector<double>& L,
              const std::vector<double>& residual) {
  const solve::Graph& graph = s.mechanism.kin->graph();
  const std::vector<double>& unit = s.mechanism.kin->units();
  const std::vector<double> size = sizes_of_momenta(s, now, L);
  double worst = 0;
  for (std::size_t b = 0; b < size.size(); ++b) {
    double left = 0;
    for (int i = 0; i < graph.blocks[b].n; ++i) {
      const auto j = static_cast<std::size_t>(graph.u_offset[b] + i);
      left = std::max(left, std::abs(residual[j]) * unit[j]);
    }
    worst = std::max(worst, left / size[b]);
  }
  return worst;
}

/// Makes one Newton step of stage P in v and L, and adds J^T of the latter to the momenta out.P; f
/// are the forces of the half kick. `keep`: on the last factor.
ExactStep correct_exact_position(const Step& s, const std::vector<double>& f, const End& now,
                                 bool keep, StageRows& rows, PositionStage& out,
                                 const Tools& tools) {
  Newton& newton = *tools.newton;
  Work& work = tools.work;
  ExactStep step;
  const solve::Saddle::System system{newton.mass.data(), now.at.J.data(), newton.J_turn.data(),
                                     rows.compliance.data()};
  ++tools.report.iterations;
  step.ok =
      newton.saddle->correct(system, {rows.active, rows.lo, rows.hi}, {newton.residual, work.r},
                             out.impulses.rows, rows.bound, newton.du, work.x, keep);
  if (!step.ok) return step;
  for (std::size_t i = 0; i < newton.du.size(); ++i) {
    step.work += newton.residual[i] * newton.du[i];
    step.energy += std::abs(out.P[i] * out.v[i]) + std::abs(s.h / 2 * f[i] * out.v[i]);
    out.v[i] += newton.du[i];
  }
  for (std::size_t i = 0; i < work.x.size(); ++i) out.impulses.rows[i] += work.x[i];
  apply(s.mechanism, now.at, work.x, out.P);
  return step;
}

/// Returns the greatest displacement of the end by the Newton step du of v, as a length [m].
double displacement(const Step& s, const std::vector<double>& du) {
  const std::vector<double>& unit = s.mechanism.kin->units();
  double moved = 0;
  for (std::size_t i = 0; i < du.size(); ++i)
    moved = std::max(moved, std::abs(s.h * du[i]) / unit[i]);
  return moved;
}
}  // namespace

void make_exact(const Mechanism& m, Newton& newton, Ends& ends) {
  const solve::Graph& graph = m.kin->graph();
  if (newton.saddle) return;
  newton.saddle = std::make_unique<solve::Saddle>(graph, m.kin->units());
  for (model::KinematicsCache* at : {&ends.now.at, &ends.next.at}) {
    at->J.resize(static_cast<std::size_t>(graph.J_size));
    at->inv_mass.resize(static_cast<std::size_t>(graph.mass_size));
  }
  std::size_t n = 0;
  for (const solve::Graph::Block& b : graph.blocks) n += static_cast<std::size_t>(b.n * b.n);
  newton.mass.assign(n, 0);
  newton.turn.assign(n, 0);
  newton.J_turn.assign(static_cast<std::size_t>(graph.J_size), 0);
  for (auto* v : {&newton.residual, &newton.du}) v->assign(ends.now.u.size(), 0);
}

bool tries_exact(const Step& s, const End& now, bool redundant, std::vector<double>& scratch) {
  return !redundant && s.mechanism.cones.empty() &&
         s.mechanism.kin->drift(0, s.start.q.data(), now.u.data(), scratch.data(), nullptr,
                                nullptr);
}

void again_at_start(const Step& s, End& now) {
  for (std::size_t i = 0; i < now.at.arc.size(); ++i) now.at.arc[i] = now.at.from[i];
  s.mechanism.kin->inverse_mass(s.start.q.data(), now.at);
  s.mechanism.kin->jacobians(s.start, now.at);
}

Placed exact_position(const Step& s, Ends& ends, StageRows& rows, PositionStage& out,
                      const Tools& tools) {
  Newton& newton = *tools.newton;
  ends.next.at.arc = ends.now.at.arc;
  const std::vector<double>& f = begin_position(s, ends, rows, out, tools.work);
  const bool curved = has_implicit_functions(s);
  out.v = ends.now.u;
  const double tolerance = position_tolerance(s);
  double last = law::kInf;
  bool keep = false;
  const FactorCount counted(*newton.saddle, tools.report);
  Placed placed;
  for (int k = 0; k < kMostCorrections; ++k) {
    placed.iterations = k;
    const double e = exact_residual(s, ends, rows, out, newton, tools.work);
    if (!std::isfinite(e)) return placed;
    if (!keep) turn_rows(s.mechanism.kin->graph(), ends.next.at.J, newton.turn, newton.J_turn);
    const ExactStep step = correct_exact_position(s, f, ends.now, keep, rows, out, tools);
    if (!step.ok) return placed;
    const double moved = displacement(s, newton.du);
    const double size = std::max(std::sqrt(std::abs(step.work)), std::sqrt(step.energy) * moved);
    const bool met = e <= tolerance && std::abs(step.work) <= kMet * step.energy && moved <= 1e-13;
    const bool rounded = k > 2 && e <= tolerance && size > kStuck * last &&
                         uneven(s, ends.now, out.impulses.rows, newton.residual) <= kUneven;
    if (k > 0 && (met || rounded)) {
      // the last Newton step is applied: the end must be evaluated again
      placed.ok = std::isfinite(exact_residual(s, ends, rows, out, newton, tools.work));
      out.P_end = out.P;
      return placed;
    }
    if (k > 8 && size > kStuck * last && !curved) return placed;
    keep = !curved && (k == 0 || size < kStale * last);
    last = size;
  }
  return placed;
}

void take_masses(const Mechanism& m, const Place& place, const std::vector<double>& u,
                 Newton& newton) {
  m.kin->drift(0, place.q.data(), u.data(), newton.residual.data(), newton.mass.data(),
               newton.turn.data());
}

ExactStep exact_correction(const Mechanism& m, const Place& place, const std::vector<double>& P,
                           const std::vector<double>& x, bool keep, std::vector<double>& u,
                           StageRows& rows, const Tools& tools) {
  Newton& newton = *tools.newton;
  const double* J = place.at.J.data();
  m.kin->drift(0, place.q.data(), u.data(), newton.residual.data(), nullptr, nullptr);
  for (std::size_t i = 0; i < u.size(); ++i) newton.residual[i] -= P[i];
  ExactStep step;
  step.ok = newton.saddle->correct({newton.mass.data(), J, J, rows.compliance.data()},
                                   {rows.active, rows.lo, rows.hi}, {newton.residual, tools.work.r},
                                   x, rows.bound, newton.du, tools.work.x, keep);
  for (std::size_t i = 0; step.ok && i < u.size(); ++i) {
    step.work += newton.residual[i] * newton.du[i];
    step.energy += std::abs(P[i] * u[i]);
    u[i] += newton.du[i];
  }
  return step;
}

bool solve_exact_rates(const Step& s, const std::vector<double>& base, const std::vector<double>& q,
                       End& next, StageRows& rows, VelocityStage& out, const Tools& tools) {
  const Mechanism& m = s.mechanism;
  std::vector<double>& multipliers = out.impulses.rows;
  const std::vector<double>& x = tools.work.x;
  out.P = base;
  std::fill(multipliers.begin(), multipliers.end(), 0.0);
  const Place place{q, next.at};
  take_masses(m, place, next.u, *tools.newton);
  const FactorCount counted(*tools.newton->saddle, tools.report);
  double last = law::kInf;
  for (int k = 0; k <= kMostCorrections; ++k) {
    const double worst = velocity_residual(s, next, rows, multipliers, tools.work.r);
    if (!std::isfinite(worst)) return false;
    const ExactStep step =
        exact_correction(m, place, out.P, multipliers, k > 0, next.u, rows, tools);
    if (!step.ok) return false;
    for (std::size_t i = 0; i < x.size(); ++i) multipliers[i] += x[i];
    apply(m, next.at, x, out.P);
    rates_of(m, next.at, next.u, next.rate);
    if (k > 0 && worst <= row_speed_allowed(m.table, next.rate) &&
        (std::abs(step.work) <= kMet * step.energy || std::abs(step.work) > kStuck * last))
      return true;
    last = std::abs(step.work);
  }
  return false;
}

void find_row_masses_held(const Mechanism& m, const std::vector<double>& q, const End& now,
                          const std::vector<Hold>& hold, Newton& newton,
                          std::vector<double>& inverse_mass) {
  std::fill(inverse_mass.begin(), inverse_mass.end(), 0.0);
  const auto wants = [&](std::size_t i) {
    return hold[i] != Hold::nothing && hold[i] != Hold::position && m.table.equality[i] == 0;
  };
  bool any = false;
  std::vector<unsigned char> free(hold.size());
  for (std::size_t i = 0; i < hold.size(); ++i) {
    any |= wants(i);
    free[i] = hold[i] == Hold::position;
  }
  if (!any) return;
  const std::vector<double> none(hold.size(), 0.0);
  const double* J = now.at.J.data();
  take_masses(m, {q, now.at}, now.u, newton);
  if (!newton.saddle->factor({newton.mass.data(), J, J, none.data()}, free)) return;
  std::vector<double> x(none), rates(none);
  for (std::size_t i = 0; i < hold.size(); ++i) {
    if (!wants(i)) continue;
    std::fill(x.begin(), x.end(), 0.0);
    x[i] = 1;
    std::fill(newton.du.begin(), newton.du.end(), 0.0);
    apply(m, now.at, x, newton.du);
    std::fill(x.begin(), x.end(), 0.0);
    newton.saddle->solve(newton.du, x);
    solve::multiply(m.kin->graph(), J, newton.du.data(), rates.data());
    inverse_mass[i] = std::max(rates[i], 0.0);
  }
}

}  // namespace trammel::form::velocity
