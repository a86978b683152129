#include "sim/dynamics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "constraint/instant.h"
#include "math/index.h"
#include "model/coordinate_rows.h"
#include "model/inputs.h"
#include "model/project.h"
#include "model/transient.h"
#include "solve/product.h"

namespace trammel::sim {

namespace {

constexpr double kIndependent = 1e-9;  // pivot of a row that depends on no others, see model/rank.h

model::State with_room(const model::Model& m, std::size_t rows) {
  model::State out;
  out.on.assign(m.joints.size(), 1);
  out.angle.assign(at(m.n_angles), 0);
  out.rows.yielded.assign(rows, 0);
  return out;
}

/// True for a law that was put on a coordinate, not a row of the joint's own.
bool is_law(const model::LawOnRow& law) { return law.joint >= 0 && !law.of_table; }

}  // namespace

Dynamics::Dynamics(const model::Built& built, Coordinates y, Coordinates actuated)
    : built_(built.model), params_(built.params), actuated_(std::move(actuated)) {
  if (!built_) throw std::invalid_argument("there is no model: build one first");
  const bool given = !y.empty();
  state_ = built.state;
  build(given ? std::move(y) : model::all_coordinates(*built_));
  if (!given) choose();
  why_not_ = misfit();
  if (given && !why_not_.empty()) throw std::invalid_argument(why_not_);
  look(built.state, true);
}

void Dynamics::build(Coordinates y) {
  y_ = std::move(y);
  Coordinates all = y_;
  all.insert(all.end(), actuated_.begin(), actuated_.end());
  model::Model with_rows = model::with_coordinate_rows(*built_, all, params_);
  model::bind_inputs(with_rows, live_);
  model_ = std::make_unique<const model::Model>(std::move(with_rows));
  n_rows_ = built_->rows.size();
  kin_ = std::make_unique<const model::Kinematics>(*model_, params_);
  specs_ = std::make_unique<model::ConstraintSpecs>(*model_, params_);
  const solve::DirectOptions options{.keep_pivots = true};
  direct_ = std::make_unique<solve::Direct>(kin_->graph(), options);
  by_mass_ = std::make_unique<solve::Direct>(kin_->graph());
  now_ = kin_->make_cache();
  const std::size_t rows = model_->rows.size();
  flags_ = with_room(*model_, rows);
  for (auto* v : {&rate_, &bias_, &known_, &zero_}) v->assign(rows, 0);
  active_.assign(rows, 0);
  u_ = f_ = VecX::Zero(built_->n_u);
  find_chosen();
}

/// The rows of laws on coordinates in y_ or actuated_.
void Dynamics::find_chosen() {
  chosen_.assign(n_rows_, 0);
  for (const Coordinates* list : {&y_, &actuated_})
    for (const model::CoordinateHandle& h : *list)
      for (std::size_t i = 0; i < n_rows_; ++i) {
        const model::RowInfo& row = built_->rows[i];
        if (row.joint == static_cast<int>(h.joint) && is_law(built_->laws[at_(row.law)]) &&
            joint::same(row.row, model::checked(*built_, h).row))
          chosen_[i] = 1;
      }
}

/// Takes of the coordinates those that do not depend on the ones before.
void Dynamics::choose() {
  look(state_, true);
  const int held = rank(false), all = count(y_);
  if (rank(true) - held == all) return;
  Coordinates kept;
  const Coordinates candidates = y_;
  std::fill(active_.begin() + static_cast<long>(n_rows_), active_.end(), 0);
  int found = held;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    active_[n_rows_ + k] = 1;
    if (const int now = rank(true); now > found) {
      found = now;
      kept.push_back(candidates[k]);
    } else {
      active_[n_rows_ + k] = 0;
    }
  }
  build(std::move(kept));
}

/// Returns in one sentence why y_ does not determine the motion; empty: it does.
std::string Dynamics::misfit() {
  look(state_, true);
  const int held = rank(false), n = count(y_);
  dof_ = built_->n_u - held;
  const int moved = rank(true) - held;
  const std::string list = fmt::format("{}", fmt::join(names(), ", "));
  if (n > dof_)
    return fmt::format(
        "{} coordinates ({}) cannot be independent: the mechanism has {} degrees of "
        "freedom",
        n, list, dof_);
  if (moved < n)
    return fmt::format(
        "the coordinates {} depend on each other: together they move {} of the {} "
        "degrees of freedom",
        list, moved, dof_);
  if (n < dof_)
    return fmt::format("the coordinates {} determine {} of the {} degrees of freedom: give {} more",
                       n ? list : "of joints", n, dof_, dof_ - n);
  return "";
}

/// The rank of the rows that hold, with those of y_ or without.
int Dynamics::rank(bool with_y) {
  const std::vector<unsigned char>& rows = with_y ? active_ : held_;
  if (!direct_->factor({now_.J.data(), now_.inv_mass.data(), zero_.data(), rows.data()}))
    throw std::invalid_argument("the rows of this state have no factor");
  int out = 0;
  const std::span<const double> pivots = direct_->pivots();
  for (std::size_t i = 0; i < rows.size(); ++i) out += rows[i] && pivots[i] > kIndependent;
  return out;
}

std::vector<std::string> Dynamics::names() const {
  std::vector<std::string> out;
  for (const model::CoordinateHandle& h : y_) out.push_back(model::name_of(*built_, h));
  return out;
}

void Dynamics::check_state(const model::State& s) const {
  const model::Model& m = *built_;
  const auto fits = [](const auto& v, auto n) { return v.size() == static_cast<std::size_t>(n); };
  if (!fits(s.q, m.n_q) || !fits(s.P, m.n_u) || !fits(s.on, m.joints.size()) ||
      !fits(s.angle, m.n_angles) || !fits(s.s, m.n_arcs) || !fits(s.rows.yielded, n_rows_))
    throw std::invalid_argument("the state is none of this mechanism: its sizes differ");
  if (s.transients.size() > 0 || s.laid != model::laid_at_start(m))
    throw std::invalid_argument(
        "the state has other joints than the mechanism was built with (transient ones, or joints "
        "on other tracks): its equations of motion are not those asked for");
  const auto finite = [](const auto& v) {
    return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
  };
  if (!finite(s.q) || !finite(s.P) || !std::isfinite(s.t))
    throw std::invalid_argument("the state has numbers that are not finite");
}

void Dynamics::at(const model::State& state) {
  look(state, true);
  if (why_not_.empty() && rank(true) < built_->n_u)
    throw std::invalid_argument(
        fmt::format("at this state the coordinates {} do not determine the motion: it is a "
                    "singular configuration for them",
                    fmt::join(names(), ", ")));
}

/// Evaluates everything at a state, but the factor. `fresh`: angles of y_ are counted from where
/// the state has them, or from zero; else from where they are.
void Dynamics::look(const model::State& s, bool fresh) {
  check_state(s);
  if (&s != &state_) state_ = s;
  *live_ = model::inputs_of(s);
  if (live_->size() != built_->inputs.size())
    throw std::invalid_argument(fmt::format("a state with {} inputs, the mechanism has {}",
                                            live_->size(), built_->inputs.size()));
  std::copy(s.on.begin(), s.on.end(), flags_.on.begin());
  std::copy(s.angle.begin(), s.angle.end(), flags_.angle.begin());
  if (fresh)
    std::fill(flags_.angle.begin() + static_cast<long>(s.angle.size()), flags_.angle.end(), 0.);
  std::copy(s.rows.yielded.begin(), s.rows.yielded.end(), flags_.rows.yielded.begin());
  for (std::size_t i = 0; i < now_.arc.size(); ++i) now_.arc[i] = {s.s[i], s.piece[i]};
  kin_->transforms(s.q.data(), s.t, now_);
  kin_->inverse_mass(s.q.data(), now_);
  inverse_mass_ = now_.inv_mass;
  if (kin_->light() && s.u.size() == at_(built_->n_u))
    u_ = Eigen::Map<const VecX>(s.u.data(), built_->n_u);
  else
    kin_->velocities(now_, s.P.data(), u_.data());
  kin_->inverse_metric(now_);
  kin_->jacobians(flags_, now_);
  if (now_.lost_joint >= 0)
    throw std::invalid_argument(fmt::format("joint '{}' has lost its track at this state",
                                            model_->joints[at_(now_.lost_joint)].name));
  kin_->rates(s.q.data(), u_.data(), now_);
  kin_->row_rates(flags_, now_, rate_.data(), bias_.data());
  kin_->follow(u_.data(), now_);
  specs_->at(s.t);
  left_out_.clear();
  for (std::size_t i = 0; i < n_rows_; ++i) classify(i);
  held_ = active_;
  std::fill(held_.begin() + static_cast<long>(n_rows_), held_.end(), 0);
  for (std::size_t k = 0; k < y_.size(); ++k) active_[n_rows_ + k] = 1;
  take_forces();
}

/// Decides what a row does: it holds, it pushes, or it takes no part.
void Dynamics::classify(std::size_t i) {
  using Role = constraint::InstantRole;
  active_[i] = 0;
  known_[i] = 0;
  if (!flags_.on[at_(built_->rows[i].joint)]) return;
  const law::Type& type = *built_->laws[at_(built_->rows[i].law)].law.type;
  const Role role = constraint::role_at_instant((*specs_)[i], now_.g[i], flags_.rows.yielded[i]);
  if (chosen_[i] && (type.takes_force || role != Role::force)) return;  // it is the answer
  if (role == Role::force)
    known_[i] =
        model::row_force(*model_, params_, static_cast<int>(i), now_.g[i], rate_[i], now_.moving())
            .f;
  active_[i] = role == Role::held;
  if (role == Role::undecided) leave_out(i);
}

void Dynamics::leave_out(std::size_t i) {
  const model::LawOnRow& law = built_->laws[at_(built_->rows[i].law)];
  const std::string& name =
      law.name.empty() ? built_->joints[at_(built_->rows[i].joint)].name : law.name;
  if (left_out_.empty() || left_out_.back() != name) left_out_.push_back(name);
}

void Dynamics::take_forces() {
  f_.setZero();
  kin_->add_gravity(now_, f_.data());
  kin_->add_loads(now_, false, f_.data());
  kin_->add_loads(now_, true, f_.data());
  for (const model::PoolSlot& s : model_->pools)
    s.pool->add_own_force(kin_->derived().data() + s.derived, state_.q.data() + s.q,
                          u_.data() + s.v, f_.data() + s.v);
  add_transpose(known_, f_);
}

}  // namespace trammel::sim
