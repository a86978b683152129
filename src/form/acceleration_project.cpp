// The end of a step of the method: projection onto unit quaternions, and of positions and
// velocities onto the rows.
#include <algorithm>
#include <cmath>

#include "constraint/account.h"
#include "form/acceleration.h"
#include "form/acceleration_works.h"
#include "form/solving.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
constexpr double kRowSpeed = 1e-11;  // residual of row rates allowed, relative to the greatest of
                                     // them, at least 1 [m/s, rad/s]
constexpr int kRefinements = 10;
constexpr double kRounding = 1e-15;  // least tolerance, relative to the largest coordinate
constexpr double kFloor = 2e-16;     // relative gap below which nothing is left to be moved
// ratio to the gap before above which, below the tolerance, only rounding is left
constexpr double kStalls = 0.25;
}  // namespace

bool Acceleration::settle(double t, double* y, double* dy) {
  std::fill(dq_.begin(), dq_.end(), 0.0);
  kin_->retract(dq_.data(), y);
  specs_.at(std::min(t, until_));
  next_.t = std::min(t, until_);
  next_.arc = trial_.arc;
  if (!project_positions(y, scratch_)) return false;
  kin_->inverse_mass(y, next_);
  solver_->invalidate();
  if (projects_ && !project_velocities(y, scratch_)) return false;
  // the state keeps the momenta: u must be their velocities to the last bit
  double* u = velocities_of(y);
  momenta(y, u, P_next_.data());
  kin_->velocities(next_, P_next_.data(), u);
  return accelerate(next_, y, dy);
}

/// Projects the positions by Newton iteration with the factor of the last slope, which was made
/// near here; next_ gets place and rows. It goes on below the tolerance until rounding stops it: a
/// gap that stays is magnified at every singular configuration that is passed, where a gap of d
/// lets bodies be off by sqrt(d).
bool Acceleration::project_positions(double* y, StepReport& report) {
  const model::Model& model = *model_;
  const solve::Graph& graph = kin_->graph();
  double largest = 0, last = law::kInf;
  for (int i = 0; i < model.n_q; ++i) largest = std::max(largest, std::abs(y[i]));
  const double tolerance = std::max(settings_.tolerance, kRounding * largest);
  Vec3 p = Vec3::Zero(), before = p, after = p;
  bool moved = false;
  for (int k = 0; k < settings_.max_iterations; ++k) {
    kin_->transforms(y, next_.t, next_);
    kin_->jacobians(flags_, next_);
    if (next_.lost_joint >= 0) return false;
    double worst = 0;
    for (std::size_t i = 0; i < status_.size(); ++i) {
      r_[i] = holds_position(i) ? next_.g[i] - constraint::place(specs_[i], status_[i]) : 0;
      worst = std::max(worst, std::abs(r_[i]));
    }
    if (!std::isfinite(worst)) return false;
    if (!projects_ || worst <= kFloor * largest) break;
    if (worst <= tolerance && worst > kStalls * last) break;
    last = worst;
    if (k == settings_.max_iterations - 1) return false;
    if (!moved) {
      momenta(y, velocities_of(y), P_next_.data());
      kin_->momentum(y, P_next_.data(), p, before);
      kin_->inverse_mass(y, next_);
      moved = true;
    }
    if (k == 5) {  // the factor was made too far away
      kin_->inverse_mass(y, next_);
      solver_->invalidate();
    }
    ++report.iterations;
    for (std::size_t i = 0; i < status_.size(); ++i) active_[i] = holds_position(i);
    std::fill(lambda_.begin(), lambda_.end(), 0.0);
    if (!correct(*solver_, next_, rows(), r_, lambda_, set_, x_, report)) return false;
    std::fill(f_.begin(), f_.end(), 0.0);
    solve::add_transpose(graph, next_.J.data(), x_.data(), f_.data());
    solve::apply_inverse_mass(graph, next_.inv_mass.data(), f_.data(), dq_.data());
    kin_->retract(dq_.data(), y);
  }
  if (!moved) return true;
  momenta(y, velocities_of(y), P_next_.data());
  kin_->momentum(y, P_next_.data(), p, after);
  vec3(works_of(y) + Works(model).corrected()) += after - before;
  return true;
}

/// Projects the velocities onto J u = c' - g_t of active rows; the impulses from outside go to the
/// works.
bool Acceleration::project_velocities(double* y, StepReport& report) {
  const solve::Graph& graph = kin_->graph();
  double* u = velocities_of(y);
  const Works works(*model_);
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (std::size_t i = 0; i < status_.size(); ++i)
    active_[i] = status_[i].status == constraint::Status::active;
  for (int k = 0; k <= kRefinements; ++k) {
    solve::multiply(graph, next_.J.data(), u, rate_.data());
    double worst = 0, scale = 1;
    for (std::size_t i = 0; i < status_.size(); ++i) {
      rate_[i] += next_.g_t[i];
      r_[i] = active_[i] ? rate_[i] - specs_[i].target.v : 0;
      worst = std::max(worst, std::abs(r_[i]));
      if (active_[i]) scale = std::max(scale, std::abs(rate_[i]));
    }
    if (!std::isfinite(worst)) return false;
    if (k > 0 && worst <= kRowSpeed * scale) break;
    if (!correct(*solver_, next_, rows(), r_, lambda_, set_, x_, report)) return false;
    std::fill(f_.begin(), f_.end(), 0.0);
    solve::add_transpose(graph, next_.J.data(), x_.data(), f_.data());
    solve::apply_inverse_mass(graph, next_.inv_mass.data(), f_.data(), dq_.data());
    for (std::size_t i = 0; i < dq_.size(); ++i) u[i] += dq_[i];
    if (settings_.impulses)
      model::add_wrench_impulses(*kin_, next_, x_, {}, 0, works_of(y) + works.wrench_impulses());
    const auto outside = constraint::anchored_wrench(*kin_, next_, x_);
    vec3(works_of(y) + works.impulse()) += outside.force;
    vec3(works_of(y) + works.moment()) += outside.moment;
  }
  return true;
}

model::Projector& Acceleration::projector() {
  if (!projector_) projector_ = std::make_unique<model::Projector>(*kin_);
  return *projector_;
}

void Acceleration::project(model::State& state, const std::string& why, const std::string& subject,
                           StepReport& report) {
  load(state);
  const constraint::Jump jump = constraint::jump({*kin_, projector(), specs_, state, now_,
                                                  [this, &state] {
                                                    load(state);
                                                    return total_energy(state);
                                                  }},
                                                 settings_.tolerance, why, subject);
  if (settings_.impulses) {
    report.wrench_impulses.resize(model::wrench_impulses_size(*model_));
    model::add_wrench_impulses(*kin_, now_, jump.impulses, {}, 0, report.wrench_impulses.data());
  }
  const auto outside = constraint::anchored_wrench(*kin_, now_, jump.impulses);
  report.impulse += outside.force;
  report.moment += outside.moment;
  report.corrected += jump.corrected;
  report.events.insert(report.events.end(), jump.events.begin(), jump.events.end());
}

}  // namespace trammel::form
