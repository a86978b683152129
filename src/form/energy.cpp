#include "form/energy.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "form/track_guards.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
using law::Level;
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

Energy::Energy(const model::Model& model, const model::Params& params, Settings settings)
    : model_(&model), params_(&params), settings_(settings), demands_(model, params) {
  const std::size_t n = model.rows.size(), n_u = at(model.n_u);
  role_.assign(n, Role::off);
  for (auto* v : {&force_, &slope_, &g_n_, &g_before_, &rate_, &rate_n_, &stiffness_})
    v->assign(n, 0);
  for (const model::RowInfo& row : model.rows) {
    is_length_.push_back(row.row.unit() == joint::Unit::metre);
    slips_ |= !row.row.holonomic();
  }
  for (auto* v : {&u_, &gradient_, &dq_, &f_, &P_}) v->assign(n_u, 0);
  for (auto* v : {&q_, &q_base_, &q_start_}) v->assign(at(model.n_q), 0);
  for (auto* v : {&inertia_, &loads_, &rows_}) v->resize(model.objects.size());
  for (auto* v : {&from_, &base_}) v->resize(model.objects.size());
  for (auto* v : {&mass_, &gyration_}) v->assign(model.objects.size(), 0);
  momentum_.assign(n_u, 0);
}

/// Whether the joint's own rows are plain locks: then its terms are the same joint, but for bodies
/// that strain, where soft joints must tend to those that hold. As published they are the terms.
bool Energy::by_terms(int joint) const {
  const model::Joint& j = model_->joints[at(joint)];
  if (std::isinf(settings_.joint_stiffness) || j.table->terms.empty()) return false;
  if (settings_.joint_stiffness > 0 && model::terms_hold_more(*model_, demands_, j)) return false;
  for (std::size_t r = 0; r < j.table->rows.size(); ++r)
    if (!demands_.plain(at(j.first_row) + r)) return false;
  return !j.table->rows.empty();
}

/// Kilograms of the bodies at both ends; fixed and prescribed ones have none.
double Energy::masses_at(int joint) const {
  double sum = 0;
  for (const int o : {kin_->end_A(joint), model_->joints[at(joint)].object_B}) sum += mass_[at(o)];
  return sum;
}

double Energy::length_of(int joint) const {
  if (settings_.joint_length > 0) return settings_.joint_length;
  double least = law::kInf;
  for (const int o : {kin_->end_A(joint), model_->joints[at(joint)].object_B})
    if (model_->objects[at(o)].block >= 0) least = std::min(least, gyration_[at(o)]);
  return std::isfinite(least) ? least : 1;
}

/// Mass and radius of gyration sqrt(tr S / m) of every object.
void Energy::weigh_objects() {
  std::vector<body::Place> upright(model_->objects.size());
  std::vector<double> H;
  for (const model::PoolSlot& s : model_->pools) {
    const int n = s.pool->nv;
    H.assign(at(n * n * s.pool->n_blocks), 0);
    s.pool->embedded_mass(kin_->derived().data() + s.derived, upright.data(), H.data());
    const bool rigid = s.pool->carrier() == body::Carrier::rigid;
    for (int i = 0; i < s.pool->n_blocks; ++i) {
      const double* M = H.data() + n * n * i;
      double trace = 0;  // of S; of the inertia it is twice that
      for (int k = 3; k < 6; ++k) trace += (rigid ? 0.5 : 1) * M[k * n + k];
      mass_[at(s.object + i)] = M[0];
      gyration_[at(s.object + i)] = std::sqrt(trace / M[0]);
    }
  }
}

void Energy::make_terms(int joint) {
  const model::Joint& j = model_->joints[at(joint)];
  const bool published = settings_.joint_stiffness < 0;
  const double k =
      published ? -settings_.joint_stiffness * masses_at(joint) : settings_.joint_stiffness;
  const double length = length_of(joint);
  std::vector<int> touched;
  for (const int o : {kin_->end_A(joint), j.object_B})
    if (const int b = model_->objects[at(o)].block;
        b >= 0 && std::find(touched.begin(), touched.end(), b) == touched.end())
      touched.push_back(b);
  // groups of at most six rows, terms whole
  const std::vector<joint::Term>& all = j.table->terms;
  int group = -1, row = 0, end = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (row == end) {
      int n = 0;
      for (std::size_t next = i; next < all.size() && n + joint::components(all[next]) <= 6; ++next)
        n += joint::components(all[next]);
      group = graph_.add_group(n, touched);
      row = graph_.groups.back().row;
      end = row + n;
    }
    const int n = joint::components(all[i]);
    terms_.push_back(
        {joint, &all[i], group, row, n, k * (joint::is_length(all[i]) ? 1 : length * length)});
    row += n;
  }
}

void Energy::make_graph() {
  graph_ = {};
  for (const auto& b : kin_->graph().blocks) graph_.add_block(b.n, solve::MassForm::dense);
  for (const auto& g : kin_->graph().groups) {
    std::vector<int> touched;
    for (int e = g.end; e < g.end + g.n_ends; ++e)
      touched.push_back(kin_->graph().ends[at(e)].block);
    graph_.add_group(g.m, touched);
  }
  terms_.clear();
  soft_.assign(model_->joints.size(), 0);
  first_terms_.assign(1, 0);
  for (int j = 0; j < static_cast<int>(model_->joints.size()); ++j) {
    soft_[at(j)] = by_terms(j);
    if (soft_[at(j)]) make_terms(j);
    first_terms_.push_back(static_cast<int>(terms_.size()));
  }
  direct_ = std::make_unique<solve::Direct>(graph_, solve::DirectOptions{.tolerance = 1e-13});
  const auto n = at(graph_.n_rows);
  for (auto* v : {&r_, &compliance_, &lambda_, &rhs_}) v->assign(n, 0);
  active_.assign(n, 0);
  J_.assign(at(graph_.J_size), 0);
  H_.assign(at(graph_.mass_size), 0);
  H_inv_.assign(at(graph_.mass_size), 0);
}

Energy::Role Energy::role_of(const model::State& state, std::size_t i) const {
  const model::RowInfo& row = model_->rows[i];
  const auto j = at(row.joint);
  const model::Joint& joint = model_->joints[j];
  if (!state.on[j]) return Role::off;
  const bool own =
      static_cast<int>(i) < joint.first_row + static_cast<int>(joint.table->rows.size());
  if (soft_[j] && own) return Role::off;
  const law::Demand& d = demands_[i];
  if (!row.row.holonomic() && d.level == Level::velocity && !d.bounded()) return Role::rolled;
  if (d.level != Level::position) return Role::potential;
  if (std::isinf(settings_.joint_stiffness)) return Role::held;
  const model::LawOnRow& law = model_->laws[at(row.law)];
  const bool joints_own = law.of_table && law.law.type->name == "locked";
  return joints_own ? Role::spring : Role::potential;
}

void Energy::assign_roles(const model::State& state) {
  for (std::size_t i = 0; i < n_rows(); ++i) {
    role_[i] = role_of(state, i);
    const int j = model_->rows[i].joint;
    if (role_[i] != Role::spring) continue;
    const double k = settings_.joint_stiffness, length = is_length_[i] ? 1 : length_of(j);
    stiffness_[i] = (k < 0 ? -k * masses_at(j) / target_.a : k) * length * length;
  }
}

bool Energy::load(const model::State& state) {
  if (!kin_ || end_object_ != state.end_object) {
    end_object_ = state.end_object;
    kin_ = std::make_unique<model::Kinematics>(*model_, *params_, end_object_);
    for (model::Instant* i : {&now_, &at_, &before_}) *i = kin_->make_instant();
    weigh_objects();
    make_graph();
  }
  flags_.on = state.on;
  flags_.angle = state.angle;
  for (std::size_t i = 0; i < now_.arc.size(); ++i) now_.arc[i] = {state.s[i], state.piece[i]};
  kin_->place(state.q.data(), state.t, now_);
  kin_->inverse_mass(state.q.data(), now_);
  kin_->jacobians(flags_, now_);
  kin_->velocities(now_, state.P.data(), u_.data());
  kin_->rates(state.q.data(), u_.data(), now_);
  demands_.at(state.t);
  assign_roles(state);
  term_values(now_, r_now_);
  solve::multiply(kin_->graph(), now_.J.data(), u_.data(), rate_n_.data());
  return now_.lost_joint < 0;
}

void Energy::step(const model::Inputs&, model::State& state, double h, StepReport& report) {
  report.clear();
  begin(state, h);
  if (!minimise(report)) {
    report.status = Status::failed;
    if (report.reason.empty()) report.reason = "the minimum of the step is not found";
    load(state);
    return;
  }
  finish(state, h);
  book(state, h, report);
  report_gaps(report);
}

/// y~, and how the step's end follows from where the minimum is.
void Energy::aim(const model::State& state, double h) {
  const bool two = settings_.difference == Difference::bdf2 && !state.q_before.empty() &&
                   std::abs(state.h_before - h) <= 1e-9 * h;
  const bool mid = settings_.difference == Difference::midpoint;
  target_ = {};
  target_.two_steps = two;
  target_.a = (two ? 4. / 9 : mid ? 1. / 4 : 1) * h * h;
  target_.rate = (two ? 1.5 : mid ? 2 : 1) / h;
  target_.share = mid ? 0.5 : 1;
  target_.t = state.t + target_.share * h;
  target_.gain = two ? 2 * h / 3 : h;
  const double ahead = two ? 8 * h / 9 : target_.share * h;
  for (std::size_t i = 0; i < from_.size(); ++i) {
    const double w = two ? 4. / 3 : 1;
    from_[i].p = w * now_.place[i].p + ahead * now_.rate[i].v;
    from_[i].A = w * now_.place[i].A + ahead * now_.rate[i].A;
  }
  momentum_ = state.P;
  if (!two) return;
  before_.arc = now_.arc;
  kin_->place(state.q_before.data(), state.t - h, before_);
  kin_->inverse_mass(state.q_before.data(), before_);
  kin_->velocities(before_, state.P_before.data(), f_.data());
  kin_->rates(state.q_before.data(), f_.data(), before_);
  for (std::size_t i = 0; i < from_.size(); ++i) {
    from_[i].p -= before_.place[i].p / 3 + 2 * h / 9 * before_.rate[i].v;
    from_[i].A -= before_.place[i].A / 3 + 2 * h / 9 * before_.rate[i].A;
  }
  for (std::size_t i = 0; i < momentum_.size(); ++i)
    momentum_[i] = (4 * state.P[i] - state.P_before[i]) / 3;
}

void Energy::begin(const model::State& state, double h) {
  aim(state, h);
  demands_.at(target_.t);
  assign_roles(state);
  // as the state has them, so that another process begins with the same
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  if (state.h_last > 0)
    for (std::size_t i = 0; i < n_rows(); ++i) lambda_[i] = 2 / state.h_last * state.multiplier[i];
  g_n_ = now_.g;
  kinetic_ = kin_->kinetic_energy(state.q.data(), state.P.data(), u_.data());
  g_before_ = target_.two_steps ? state.g_before : g_n_;
  at_.arc = now_.arc;
  q_start_ = state.q;
  q_ = state.q;
  for (std::size_t i = 0; i < u_.size(); ++i) dq_[i] = target_.share * h * u_[i];
  kin_->retract(dq_.data(), q_.data());
}

/// P of the end, and the state there.
void Energy::finish(model::State& state, double h) {
  take_forces();
  end_momenta(P_);
  if (settings_.difference == Difference::midpoint) {
    kin_->difference(q_start_.data(), q_.data(), dq_.data());
    kin_->retract(dq_.data(), q_.data());
  }
  std::swap(now_, before_);  // where the step began, for the books
  now_.arc = at_.arc;
  kin_->place(q_.data(), state.t + h, now_);
  kin_->inverse_mass(q_.data(), now_);
  kin_->jacobians(flags_, now_);
  kin_->velocities(now_, P_.data(), u_.data());
  kin_->rates(q_.data(), u_.data(), now_);
}

void Energy::guards(const model::State& state, std::vector<double>& out) const {
  track_guards(*model_, now_, state, kGuards, out);
}

void Energy::project(model::State& state, const std::string&, const std::string&, StepReport&) {
  state.q_before.clear();
  state.P_before.clear();
  load(state);
}

}  // namespace trammel::form
