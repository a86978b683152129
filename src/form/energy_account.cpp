// Results of a step of the energy formulation: forces, energy balance, the new state.
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "constraint/account.h"
#include "form/energy.h"
#include "form/energy_covector.h"
#include "math/index.h"
#include "model/ledger.h"
#include "model/reactions.h"
#include "solve/product.h"

namespace trammel::form {

void Energy::take_forces() {
  for (std::size_t i = 0; i < n_rows(); ++i)
    force_[i] = carries(role_[i])           ? lambda_[at(in_system_[i])]
                : role_[i] == Role::off     ? 0
                : role_[i] == Role::elastic ? -stiffness_[i] * at_.g[i]
                                            : -slope_[i];
  soft_pull_.setZero();
  soft_moment_.setZero();
  for (std::size_t j = 0; j < soft_.size(); ++j)
    if (soft_[j] && flags_.on[j]) share_among_rows(static_cast<int>(j));
}

void Energy::soft_wrench(int j, double* out) const {
  const model::Joint& joint = model_->joints[at(j)];
  const joint::Ends ends = kin_->ends(j, at_);
  joint::Arc arc = joint.arc < 0 ? joint::Arc{} : at_.arc[at(joint.arc)];
  unsigned features = 0;
  for (const joint::Term& t : joint.table->terms) features |= joint::features(t);
  joint::Sample sample;
  joint::sample(ends, features, 1, arc, sample);
  std::fill_n(out, 6, 0.0);
  double J_A[36], J_B[36];
  for (int t = first_terms_[at(j)]; t < first_terms_[at(j) + 1]; ++t) {
    const Terms& terms = terms_[at(t)];
    joint::jacobians(*terms.term, ends, sample, J_A, J_B);
    for (int i = 0; i < terms.n; ++i)
      body::add_resultant(at_.T_WO[at(joint.object_B)],
                          covector(J_B + 12 * i, -weight(terms) * r_[at(terms.first + i)]), out);
  }
}

/// Computes the forces of a soft joint's rows that make the wrench of its terms on end B.
void Energy::share_among_rows(int j) {
  const model::Joint& joint = model_->joints[at(j)];
  const joint::Ends ends = kin_->ends(j, at_);
  joint::Arc arc = joint.arc < 0 ? joint::Arc{} : at_.arc[at(joint.arc)];
  joint::Sample sample;
  joint::sample(ends, kin_->features(j), 1, arc, sample);
  const body::Transform& B = at_.T_WO[at(joint.object_B)];
  Eigen::Matrix<double, 6, 1> pull;
  soft_wrench(j, pull.data());
  const bool held_A = model_->objects[at(kin_->end_A(j))].block < 0,
             held_B = model_->objects[at(joint.object_B)].block < 0;
  if (held_A != held_B) {  // an end that does not move freely pulls at one that does
    const Vec3 f = (held_A ? 1 : -1) * pull.head<3>();
    soft_pull_ += f;
    soft_moment_ += (held_A ? 1 : -1) * pull.tail<3>() + B.p.cross(f);
  }
  const auto n = static_cast<int>(joint.table->rows.size());
  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6> rows(6, n);
  rows.setZero();
  double J_A[12], J_B[12];
  for (int i = 0; i < n; ++i) {
    joint::embedded_jacobian(model_->rows[at(joint.first_row + i)].row, ends, sample, J_A, J_B);
    body::add_resultant(B, covector(J_B, 1), rows.col(i).data());
  }
  const VecX share = rows.colPivHouseholderQr().solve(pull);
  for (int i = 0; i < n; ++i) force_[at(joint.first_row + i)] = share[i];
}

/// Computes the values of all terms at an instant.
void Energy::term_values(model::KinematicsCache& cache, std::vector<double>& out) const {
  out.assign(at(graph_.n_rows), 0);
  for (const Terms& t : terms_)
    if (flags_.on[at(t.joint)]) value(t, cache, &out[at(t.first)]);
}

double Energy::total_energy(const model::State& state) const {
  double soft = 0;
  if (target_.a > 0 || settings_.joint_stiffness > 0) {
    for (const Terms& t : terms_)
      for (int i = t.first; i < t.first + t.n; ++i)
        soft += 0.5 * weight(t) * r_now_[at(i)] * r_now_[at(i)];
    for (std::size_t i = 0; i < n_rows(); ++i)
      if (role_[i] == Role::spring) {
        const double e = now_.g[i] - specs_[i].target.x;
        soft += 0.5 * stiffness_[i] * e * e;
      }
  }
  return soft + constraint::total_energy(*kin_, state, u_.data(), now_);
}

/// Returns the change of a row's value over the step; of a nonholonomic row the mean rate times h.
double Energy::displacement_of(std::size_t i) const {
  if (model_->rows[i].row.holonomic()) return now_.g[i] - before_.g[i];
  return (now_.t - before_.t) * (rate_n_[i] + before_.g_t[i] + rate_[i] + acted().g_t[i]) / 2;
}

/// Returns the part of a row's force that comes from its stored energy [N, N m].
double Energy::kept_force(std::size_t i) const {
  const model::RowInfo& row = model_->rows[i];
  const law::Law& law = model_->laws[at(row.law)].law;
  if (role_[i] == Role::spring || role_[i] == Role::elastic) return force_[i];
  if (!law.type->energy) return 0;
  double keeps = row_force(*model_, *params_, static_cast<int>(i), acted().g[i], 0, target_.t).f;
  if (law.function) keeps -= row.sign * (*law.function)(row.sign * acted().g[i], 0, target_.t).f;
  return keeps;
}

/// Returns the change of the energy stored in a row over the step [J].
double Energy::stored_in(std::size_t i) const {
  const model::RowInfo& row = model_->rows[i];
  const law::Law& law = model_->laws[at(row.law)].law;
  const double x = now_.g[i], x_n = before_.g[i], off = x - specs_[i].target.x;
  const auto square = [](double r) { return r * r; };
  if (role_[i] == Role::spring)
    return 0.5 * stiffness_[i] * (square(off) - square(off - displacement_of(i)));
  if (role_[i] == Role::elastic) return 0.5 * stiffness_[i] * (square(x) - square(x_n));
  if (!law.type->energy) return 0;
  const double* p = params_->values.data() + law.first_param;
  return law.type->energy(law, p, row.sign * x) - law.type->energy(law, p, row.sign * x_n);
}

/// Returns a load as a covector on the place of its object, 12 numbers.
std::array<double, 12> Energy::covector_of(const law::Load& load) const {
  const auto o = at(load.object);
  const body::Transform& y = acted().T_WO[o];
  const law::Wrench w = law::wrench(load, params_->values.data(), y, now_.rate[o], target_.t);
  std::array<double, 12> m{};
  body::add_wrench(body::kEmbedding, y, load.point, w.f, w.torque, m.data());
  return m;
}

/// Computes the impulses of all that acts, as the momenta take it up: a two-step scheme takes a
/// share of the last step's along. Forces at the end of a step, times its displacement, would make
/// works of first order.
void Energy::take_up(std::vector<double>& impulses) {
  std::vector<double>& f = acts_;
  f.assign(6, 0.0);
  outside(f.data());
  f.insert(f.end(), wrench_impulses_.begin(), wrench_impulses_.end());
  acts_of_laws_ = f.size();
  for (std::size_t i = 0; i < n_rows(); ++i)
    f.push_back(role_[i] == Role::off ? 0 : force_[i] - kept_force(i));
  acts_of_rows_ = f.size();
  f.insert(f.end(), force_.begin(), force_.end());
  const std::size_t terms = f.size();
  f.resize(terms + at(graph_.n_rows), 0.0);
  for (const Terms& t : terms_)
    for (auto i = at(t.first); i < at(t.first + t.n); ++i) f[terms + i] = -weight(t) * r_[i];
  acts_of_loads_ = f.size();
  for (const law::Load& load : model_->loads) {
    const auto m = covector_of(load);
    f.insert(f.end(), m.begin(), m.end());
  }
  if (impulses.size() != f.size() || !target_.two_steps) impulses.assign(f.size(), 0);
  for (std::size_t i = 0; i < f.size(); ++i)
    impulses[i] = target_.back * impulses[i] + target_.gain * f[i];
}

/// Adds work to the ledger by the mean force over the step; what the force at its end would have
/// made more is the scheme's loss.
void Energy::add_work(model::State& state, std::size_t slot, std::size_t act,
                      double displacement) const {
  const double mean = state.energy.impulses[act] / (now_.t - before_.t);
  state.ledger[slot] += mean * displacement;
  state.ledger[loss_slot()] += (acts_[act] - mean) * displacement;
}

/// Adds the step's works and losses to the ledger and commits the step. Needs finish(): before_ is
/// the start of the step, now_ its end, f_ the whole force on the blocks.
void Energy::account(model::State& state, double h, StepReport& report) {
  take_up(state.energy.impulses);
  kin_->difference(q_start_.data(), q_.data(), dq_.data());
  double integrator = kin_->kinetic_energy(q_.data(), P_.data(), u_.data()) - kinetic_;
  for (std::size_t i = 0; i < f_.size(); ++i) integrator -= f_[i] * dq_[i];
  for (std::size_t i = 0; i < n_rows(); ++i)
    if (role_[i] != Role::off) integrator += add_row_work(state, i);
  r_before_.swap(r_now_);
  term_values(now_, r_now_);
  for (const Terms& t : terms_)
    for (auto i = at(t.first); i < at(t.first + t.n); ++i)
      integrator += weight(t) * (0.5 * (r_now_[i] * r_now_[i] - r_before_[i] * r_before_[i]) -
                                 r_[i] * (r_now_[i] - r_before_[i]));
  state.ledger[loss_slot()] += integrator;
  add_load_work(state);
  add_path_work(state);
  report_outside(state, report);
  commit(state, h);
}

/// Adds the work of a row to the ledger. Returns its part of the scheme's energy error: change of
/// the stored energy, plus the work of the force that stores it.
double Energy::add_row_work(model::State& state, std::size_t i) const {
  const double displacement = displacement_of(i), law_force = acts_[acts_of_laws_ + i];
  const int slot = model_->laws[at(model_->rows[i].law)].ledger;
  if (role_[i] == Role::unilateral && (impact_ || slot < 0))
    state.ledger[model::kImpacts] += law_force * displacement;
  else if (slot >= 0)
    add_work(state, at(slot), acts_of_laws_ + i, displacement);
  return (force_[i] - law_force) * displacement + stored_in(i);
}

/// Adds the work of loads, over the displacement of the places they act on.
void Energy::add_load_work(model::State& state) const {
  for (std::size_t k = 0; k < model_->loads.size(); ++k) {
    const auto o = at(model_->loads[k].object);
    double displacement[12];
    vec3(displacement) = now_.T_WO[o].p - before_.T_WO[o].p;
    for (int i = 0; i < 3; ++i)
      vec3(displacement + 3 + 3 * i) = (now_.T_WO[o].A - before_.T_WO[o].A).row(i).transpose();
    for (std::size_t i = 0; i < 12; ++i)
      add_work(state, at(model_->first_load_slot) + k, acts_of_loads_ + 12 * k + i,
               displacement[i]);
  }
}

/// Adds the work that rows and terms do beyond the change of their values. Their forces at the end
/// of a step act along the directions there, not along the path: the two differ where the path is
/// bent or an end is prescribed.
void Energy::add_path_work(model::State& state) {
  solve::multiply(kin_->graph(), acted().J.data(), dq_.data(), pull_.data());
  const auto slot = [&](int joint) {
    const model::Joint& j = model_->joints[at(joint)];
    const bool moves =
        model_->objects[at(kin_->end_A(joint))].moved || model_->objects[at(j.object_B)].moved;
    return moves ? static_cast<std::size_t>(model::kLocks) : loss_slot();
  };
  for (std::size_t i = 0; i < n_rows(); ++i)
    if (role_[i] != Role::off)
      add_work(state, slot(model_->rows[i].joint), acts_of_rows_ + i,
               pull_[i] - displacement_of(i));
  for (const Terms& t : terms_)
    if (flags_.on[at(t.joint)]) add_term_path_work(state, slot(t.joint), t);
}

/// Adds the work by which J dq of a term exceeds the change of its value; none where all is linear
/// in q.
void Energy::add_term_path_work(model::State& state, std::size_t slot, const Terms& t) const {
  if (t.straight) return;
  double J[2][36];
  term_jacobians(t, acted(), J[0], J[1]);
  const int objects[] = {kin_->end_A(t.joint), model_->joints[at(t.joint)].object_B};
  for (int i = 0; i < t.n; ++i) {
    double displacement = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      const model::Object& o = model_->objects[at(objects[k])];
      if (o.block < 0) continue;
      double own[12] = {};
      body::pull_back(o.motion_kind, acted().T_WO[at(objects[k])], covector(J[k] + 12 * i), own);
      const model::Block& block = model_->blocks[at(o.block)];
      for (int c = 0; c < block.n; ++c) displacement += own[c] * dq_[at(block.v + c)];
    }
    const auto r = at(t.first + i);
    add_work(state, slot, acts_of_rows_ + n_rows() + r, displacement - r_now_[r] + r_before_[r]);
  }
}

/// Computes the wrenches of all joints and loads at the minimum, see model/reactions.h; those of
/// soft joints by their terms, which their rows can only share.
void Energy::take_wrench_impulses() {
  wrench_impulses_.assign(settings_.impulses ? model::wrench_impulses_size(*model_) : 0, 0);
  if (wrench_impulses_.empty()) return;
  std::vector<double> rows = force_;
  for (std::size_t j = 0; j < soft_.size(); ++j)
    if (soft_[j])
      std::fill_n(rows.begin() + model_->joints[j].first_row, model_->joints[j].table->rows.size(),
                  0.0);
  model::add_wrench_impulses(*kin_, at_, rows, {}, 1, wrench_impulses_.data());
  for (std::size_t j = 0; j < soft_.size(); ++j) {
    if (!soft_[j] || !flags_.on[j]) continue;
    double w[6];
    soft_wrench(static_cast<int>(j), w);
    const Vec3 apart = at_.T_WO[at(model_->joints[j].object_B)].p -
                       at_.T_WO[at(kin_->end_A(static_cast<int>(j)))].p;
    double* impulse = wrench_impulses_.data() + model::kJointImpulse * j;
    vec3(impulse) += vec3(w);
    vec3(impulse + 3) -= vec3(w + 3) + apart.cross(vec3(w));
    vec3(impulse + 6) += vec3(w + 3);
  }
}

/// Computes force and moment about the world's origin of gravity, loads and what does not move
/// freely.
void Energy::outside(double* wrench) {
  Vec3 f = soft_pull_, m = soft_moment_;
  for (std::size_t o = 0; o < from_.size(); ++o) {
    if (model_->objects[o].block < 0) continue;
    double w[6] = {};
    body::add_resultant(acted().T_WO[o], loads_[o], w);
    f += vec3(w);
    m += vec3(w + 3) + acted().T_WO[o].p.cross(vec3(w));
  }
  for (std::size_t i = 0; i < n_rows(); ++i) pull_[i] = role_[i] == Role::off ? 0 : force_[i];
  const auto anchored = constraint::anchored_wrench(*kin_, acted(), pull_);
  vec3(wrench) = f + anchored.force;
  vec3(wrench + 3) = m + anchored.moment;
}

void Energy::report_outside(const model::State& state, StepReport& report) const {
  const double* impulses = state.energy.impulses.data();
  report.impulse = vec3(impulses);
  report.moment = vec3(impulses + 3);
  report.wrench_impulses.assign(impulses + 6, impulses + acts_of_laws_);
}

void Energy::commit(model::State& state, double h) {
  const bool keeps = settings_.difference == Difference::bdf2 && !impact_;
  if (keeps) {
    state.energy.q = state.q;
    state.energy.P = state.P;
    state.energy.g = before_.g;
  } else {
    state.energy.q.clear();
    state.energy.P.clear();
  }
  state.energy.h = keeps ? h : 0;
  state.energy.struck = met_ || closes();
  state.energy.kinked = 0;
  state.q = q_;
  state.P = P_;
  if (kin_->light()) state.u = u_;
  for (std::size_t i = 0; i < now_.arc.size(); ++i) state.s[i] = now_.arc[i].s;
  for (std::size_t i = 0; i < n_rows(); ++i)
    if (const int a = model_->rows[i].angle; a >= 0) state.angle[at(a)] = now_.g[i];
  for (std::size_t k = 0; k < model_->sources.size(); ++k)
    if (const int a = model_->sources[k].angle; a >= 0) state.angle[at(a)] = now_.x[k];
  flags_.angle = state.angle;
  for (std::size_t i = 0; i < n_rows(); ++i) state.rows.impulse[i] = h / 2 * force_[i];
  for (const int row : stops_)
    if (in_system_[at(row)] >= 0) state.rows.bound[at(row)] = set_[at(in_system_[at(row)])];
  for (const solve::Cone& c : cones_)
    for (int k = 0; k < c.n; ++k) {
      const int row = c.tangent[at(k)];
      state.rows.bound[at(row)] = set_[at(in_system_[at(row)])];
    }
  state.velocity = {};
  state.acceleration = {};
  state.rows.h = h;
  state.t += h;
  ++state.step;
}

/// Reports how far position rows are from their target, whether held by rows or by terms, and the
/// error of their rates.
void Energy::report_gaps(StepReport& report) {
  specs_.at(now_.t);
  solve::multiply(kin_->graph(), now_.J.data(), u_.data(), rate_n_.data());
  for (std::size_t i = 0; i < n_rows(); ++i) {
    const law::ConstraintSpec& d = specs_[i];
    if (!flags_.on[at(model_->rows[i].joint)] || !d.holds_value()) continue;
    double& off = is_length_[i] ? report.gap : report.angle;
    off = std::max(off, std::abs(now_.g[i] - d.target.x));
    report.row_speed = std::max(report.row_speed, std::abs(rate_n_[i] + now_.g_t[i] - d.target.v));
  }
}

}  // namespace trammel::form
