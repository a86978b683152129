#include "form/energy.h"

#include <fmt/core.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "constraint/rows.h"
#include "math/index.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
constexpr double kLongest = 2;  // longest step of bdf2, relative to the step before

/// Whether the object's place is linear in its unknowns, or at rest.
bool moves_straight(const model::Object& o) {
  return o.at_rest() || (o.block >= 0 && body::is_embedded(o.motion_kind));
}
}  // namespace

Energy::Energy(const model::Model& model, const model::Params& params, Settings settings)
    : model_(&model), params_(&params), settings_(settings), specs_(model, params) {
  const std::size_t n = model.rows.size(), n_u = at(model.n_u);
  role_.assign(n, Role::off);
  for (auto* v : {&force_, &slope_, &g_n_, &g_before_, &rate_, &rate_n_, &stiffness_, &pull_})
    v->assign(n, 0);
  in_system_.assign(n, -1);
  from_row_.assign(n, -law::kInf);
  to_row_.assign(n, law::kInf);
  for (std::size_t i = 0; i < n; ++i)
    if (specs_[i].unilateral()) stops_.push_back(static_cast<int>(i));
  cones_ = constraint::cones_of(model, specs_);
  nonholonomic_ = !cones_.empty();
  for (const model::RowInfo& row : model.rows) {
    is_length_.push_back(row.row.unit() == joint::Unit::metre);
    nonholonomic_ |= !row.row.holonomic();
  }
  for (auto* v : {&u_, &gradient_, &scaled_, &dq_, &f_, &z_, &P_}) v->assign(n_u, 0);
  for (auto* v : {&q_, &q_base_, &q_start_}) v->assign(at(model.n_q), 0);
  for (auto* v : {&inertia_, &loads_, &rows_}) v->resize(model.objects.size());
  from_.resize(model.objects.size());
  for (auto* v : {&mass_, &gyration_, &least_second_, &drag_}) v->assign(model.objects.size(), 0);
  for (auto* v : {&stress_, &second_}) v->assign(model.objects.size(), Mat3::Zero());
  momentum_.assign(n_u, 0);
  kin_ = std::make_unique<model::Kinematics>(model, params);
  for (model::KinematicsCache* i : {&now_, &at_, &before_}) *i = kin_->make_cache();
  std::vector<double>().swap(before_.J);
  weigh_objects();
  make_graph();
}

/// True where terms stand for the joint: its own rows are equality constraints, so that its terms
/// are the same joint. At bodies that strain soft joints must tend to those held by rows, so rows
/// are taken there; as published, joints are always their terms.
bool Energy::by_terms(int joint) const {
  const model::Joint& j = model_->joints[at(joint)];
  if (std::isinf(settings_.joint_stiffness) || j.table->terms.empty()) return false;
  if (settings_.joint_stiffness > 0 && model::terms_hold_more(j, deformable_)) return false;
  for (std::size_t r = 0; r < j.table->rows.size(); ++r)
    if (!specs_.is_equality(at(j.first_row) + r)) return false;
  return !j.table->rows.empty();
}

/// Returns the sum of the masses at both ends [kg]; fixed and prescribed ones have none.
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

/// Computes mass, second moment S and radius of gyration sqrt(tr S / m) of every object.
void Energy::weigh_objects() {
  std::vector<body::Transform> upright(model_->objects.size());
  std::vector<double> H;
  for (const model::PoolSlot& s : model_->pools) {
    const int n = s.pool->nv;
    H.assign(at(n * n * s.pool->n_blocks), 0);
    s.pool->embedded_mass(kin_->derived().data() + s.derived, upright.data(), H.data());
    for (int i = 0; i < s.pool->n_blocks; ++i) {
      const double* M = H.data() + n * n * i;
      const auto o = at(s.object + i);
      Mat3 S;
      for (int k = 0; k < 9; ++k) S(k / 3, k % 3) = M[n * (3 + k / 3) + 3 + k % 3];
      S = body::second_moment(s.pool->motion_kind(), S);
      second_[o] = S;
      least_second_[o] = Eigen::SelfAdjointEigenSolver<Mat3>(S).eigenvalues()[0];
      mass_[o] = M[0];
      gyration_[o] = std::sqrt(S.trace() / M[0]);
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
  // groups have at most six rows; a term is not split
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
    const double weight = k * (joint::is_length(all[i]) ? 1 : length * length);
    terms_.push_back({joint, &all[i], group, row, n, weight, false, false, {}, {}});
    Terms& t = terms_.back();
    t.linear = make_linear(t);
    t.straight = t.linear;
    for (const int o : {t.A.object, t.B.object})
      t.straight &= moves_straight(model_->objects[at(o)]);
    row += n;
  }
}

/// True for a term of two points or directions, neither of which slides: x_B - x_A, or u - v. Then
/// sets its points A and B.
bool Energy::make_linear(Terms& t) const {
  using Kind = joint::Term::Kind;
  const joint::Ends ends = kin_->ends(t.joint, now_);
  const joint::Feature A = t.term->kind == Kind::vector ? joint::Feature::D : t.term->u;
  const joint::Feature B = t.term->kind == Kind::vector ? joint::Feature::D : t.term->v;
  const auto of_A = [](joint::Feature f) { return f <= joint::Feature::Az; };
  const auto of_B = [](joint::Feature f) {
    return f >= joint::Feature::Bx && f <= joint::Feature::Bz;
  };
  t.A.object = kin_->end_A(t.joint);
  t.B.object = model_->joints[at(t.joint)].object_B;
  if (t.term->kind == Kind::vector && t.term->u == joint::Feature::D) {
    t.A = {t.A.object, -1, -ends.A.X_OF->p};
    t.B = {t.B.object, 1, ends.B.X_OF->p};
    return true;
  }
  if (t.term->kind != Kind::difference || !of_A(A) || !of_B(B)) return false;
  t.A = {t.A.object, 0, ends.A.X_OF->R.col(static_cast<int>(A))};
  t.B = {t.B.object, 0,
         -ends.B.X_OF->R.col(static_cast<int>(B) - static_cast<int>(joint::Feature::Bx))};
  return true;
}

/// Returns k, if the six strains of a body have the potentials 1/2 k g^2 and k g^2; 0: they have
/// others.
double Energy::spring_of_strain(int j) const {
  const model::Joint& joint = model_->joints[at(j)];
  if (!joint.strain() || joint.table->rows.size() != 6) return 0;
  double mu = 0;
  for (int i = joint.first_row; i < joint.first_row + 6; ++i) {
    const joint::Row& row = model_->rows[at(i)].row;
    if (!row.fn->green || specs_[at(i)].holds_value()) return 0;
    const auto potential = [&](double x, double rate) {
      law::Scheme scheme;
      scheme.dv_dx = rate;
      return model::row_potential(*model_, *params_, i, x, scheme);
    };
    const double k = potential(0, 0).dd, share = row.of[0].u == row.of[0].v ? 1 : 2;
    if (mu == 0) mu = k / share;
    for (const double x : {-0.5, 0., 1.})
      for (const double rate : {0., 1e3}) {
        const law::Potential p = potential(x, rate);
        if (p.dd != k || p.d != k * x || k != share * mu || !(k > 0)) return 0;
      }
  }
  return mu;
}

void Energy::make_strain_energies() {
  strain_energies_.clear();
  strain_in_block_.assign(model_->joints.size(), 0);
  mu_.assign(model_->objects.size(), 0);
  has_strain_rows_.assign(model_->objects.size(), 0);
  for (int j = 0; j < static_cast<int>(model_->joints.size()); ++j) {
    if (!model_->joints[at(j)].strain()) continue;
    has_strain_rows_[at(model_->joints[at(j)].object_A)] = 1;
    const double mu = spring_of_strain(j);
    if (mu == 0) continue;
    strain_in_block_[at(j)] = 1;
    mu_[at(model_->joints[at(j)].object_A)] = mu;
    strain_energies_.push_back({j, model_->joints[at(j)].object_A, mu});
  }
}

/// Takes into the system the groups of rows that neither terms nor the blocks stand for.
void Energy::take_groups() {
  taken_.clear();
  std::fill(in_system_.begin(), in_system_.end(), -1);
  std::vector<int> touched;
  for (std::size_t g = 0; g < model_->groups.size(); ++g) {
    const solve::Graph::Group& from = kin_->graph().groups[g];
    const model::Joint& joint = model_->joints[at(model_->groups[g].joint)];
    const auto own = static_cast<int>(joint.table->rows.size());
    const bool all_own = from.row + from.m <= joint.first_row + own;
    const auto j = at(model_->groups[g].joint);
    if (all_own && (soft_[j] || strain_in_block_[j])) continue;
    touched.clear();
    for (int e = from.end; e < from.end + from.n_ends; ++e)
      touched.push_back(kin_->graph().ends[at(e)].block);
    taken_.push_back({static_cast<int>(g), graph_.add_group(from.m, touched)});
    for (int r = 0; r < from.m; ++r) in_system_[at(from.row + r)] = graph_.groups.back().row + r;
  }
}

void Energy::make_graph() {
  graph_ = {};
  std::vector<int> sizes;
  for (const auto& b : kin_->graph().blocks) {
    graph_.add_block(b.n, solve::MassForm::unit);
    sizes.push_back(b.n);
  }
  cholesky_ = BlockCholesky(sizes);
  any_curved_ = exceeds_small_strain_ = false;
  for (const model::Object& o : model_->objects)
    any_curved_ |= o.block >= 0 && !body::is_embedded(o.motion_kind);
  make_strain_energies();
  deformable_ = model::deformable(*model_, specs_);
  soft_.assign(model_->joints.size(), 0);
  for (int j = 0; j < static_cast<int>(model_->joints.size()); ++j) soft_[at(j)] = by_terms(j);
  take_groups();
  terms_.clear();
  first_terms_.assign(1, 0);
  for (int j = 0; j < static_cast<int>(model_->joints.size()); ++j) {
    if (soft_[at(j)]) make_terms(j);
    first_terms_.push_back(static_cast<int>(terms_.size()));
  }
  direct_ = std::make_unique<solve::Direct>(graph_, solve::DirectOptions{.tolerance = 1e-13});
  const auto n = at(graph_.n_rows);
  for (auto* v : {&r_, &compliance_, &lambda_, &rhs_}) v->assign(n, 0);
  active_.assign(n, 0);
  set_.assign(n, 0);
  lo_.assign(n, -law::kInf);
  hi_.assign(n, law::kInf);
  in_box_ = cones_;
  for (solve::Cone& c : in_box_) {
    c.normal = in_system_[at(c.normal)];
    for (int& row : c.tangent) row = in_system_[at(row)];
  }
  if (!stops_.empty() || !cones_.empty()) box_ = std::make_unique<solve::ActiveSet>(*direct_);
  J_.assign(at(graph_.J_size), 0);
}

Energy::Role Energy::role_of(const model::State& state, std::size_t i) const {
  const model::RowInfo& row = model_->rows[i];
  const auto j = at(row.joint);
  const model::Joint& joint = model_->joints[j];
  if (!state.on[j]) return Role::off;
  const bool own =
      static_cast<int>(i) < joint.first_row + static_cast<int>(joint.table->rows.size());
  if (soft_[j] && own) return Role::off;
  if (strain_in_block_[j] && own) return Role::elastic;
  switch (constraint::hold_of(specs_[i], true, false)) {
    case constraint::Hold::unilateral:
      return Role::unilateral;
    case constraint::Hold::friction:
      return Role::friction;
    case constraint::Hold::rate:  // motors and friction are incremental potentials over the step
      return row.row.holonomic() || specs_[i].bounded() ? Role::potential : Role::rolled;
    case constraint::Hold::position:
      break;
    default:
      return Role::potential;
  }
  if (std::isinf(settings_.joint_stiffness)) return Role::held;
  const model::LawOnRow& law = model_->laws[at(row.law)];
  const bool joints_own = law.of_table && !law.law.type->takes_drive;
  return joints_own ? Role::spring : Role::potential;
}

void Energy::assign_roles(const model::State& state) {
  for (std::size_t i = 0; i < n_rows(); ++i) {
    role_[i] = role_of(state, i);
    const int j = model_->rows[i].joint;
    const joint::Row& row = model_->rows[i].row;
    if (role_[i] == Role::elastic)
      stiffness_[i] =
          mu_[at(model_->joints[at(j)].object_A)] * (row.of[0].u == row.of[0].v ? 1 : 2);
    if (role_[i] != Role::spring) continue;
    const double k = settings_.joint_stiffness, length = is_length_[i] ? 1 : length_of(j);
    stiffness_[i] = (k < 0 ? -k * masses_at(j) / target_.a : k) * length * length;
  }
}

bool Energy::load(const model::State& state) {
  flags_.on = state.on;
  flags_.angle = state.angle;
  for (std::size_t i = 0; i < now_.arc.size(); ++i) now_.arc[i] = {state.s[i], state.piece[i]};
  kin_->transforms(state.q.data(), state.t, now_);
  kin_->inverse_mass(state.q.data(), now_);
  kin_->jacobians(flags_, now_);
  kin_->velocities(now_, state.P.data(), u_.data());
  kin_->rates(state.q.data(), u_.data(), now_);
  specs_.at(state.t);
  assign_roles(state);
  term_values(now_, r_now_);
  solve::multiply(kin_->graph(), now_.J.data(), u_.data(), rate_n_.data());
  return now_.lost_joint < 0;
}

void Energy::step(const model::Inputs&, model::State& state, double h, StepReport& report) {
  report.clear();
  begin(state, h, true);
  bool found = minimise(report);
  met_ = found && !state.energy.struck && !state.energy.kinked && runs_in();
  if (found && target_.two_steps && (met_ || closes())) {
    begin(state, h, false);  // the state before an impact says nothing about the motion after it
    found = minimise(report);
  }
  if (!found) {
    report.status = Status::failed;
    if (report.reason.empty()) report.reason = "the minimum of the step is not found";
    load(state);
    return;
  }
  kinked_ = state.energy.kinked != 0;
  impact_ = met_ || closes() || ((state.energy.struck || kinked_) && !stops_.empty());
  report_impacts(state.t + h, report);
  finish(state, h);
  account(state, h, report);
  report_gaps(report);
}

/// Computes y~ and target_, by which the step's end follows from where the minimum is. bdf2 over
/// steps of lengths h' and h = rho h', y' = (a0 y - a1 y_n + a2 y_n-1) / h, is stable below rho = 1
/// + sqrt 2.
void Energy::aim(const model::State& state, double h, bool two) {
  two = two && settings_.difference == Difference::bdf2 && !state.energy.q.empty() &&
        h <= kLongest * state.energy.h;
  const bool mid = settings_.difference == Difference::midpoint;
  const double rho = two ? h / state.energy.h : 0, a0 = (1 + 2 * rho) / (1 + rho), a1 = 1 + rho,
               a2 = rho * rho / (1 + rho);
  target_ = {};
  target_.two_steps = two;
  target_.rate = (mid ? 2 : a0) / h;
  target_.a = 1 / (target_.rate * target_.rate);
  target_.share = mid ? 0.5 : 1;
  target_.t = state.t + target_.share * h;
  target_.gain = h / a0;
  target_.back = a2 / a0;
  const double w = a1 / a0, ahead = mid ? h / 2 : w * h / a0, behind = target_.back * h / a0;
  for (std::size_t i = 0; i < from_.size(); ++i) {
    from_[i].p = w * now_.T_WO[i].p + ahead * now_.rate[i].v;
    from_[i].A = w * now_.T_WO[i].A + ahead * now_.rate[i].A;
  }
  momentum_ = state.P;
  if (!two) return;
  before_.arc = now_.arc;
  kin_->transforms(state.energy.q.data(), state.t - state.energy.h, before_);
  kin_->inverse_mass(state.energy.q.data(), before_);
  kin_->velocities(before_, state.energy.P.data(), f_.data());
  kin_->rates(state.energy.q.data(), f_.data(), before_);
  for (std::size_t i = 0; i < from_.size(); ++i) {
    from_[i].p -= target_.back * before_.T_WO[i].p + behind * before_.rate[i].v;
    from_[i].A -= target_.back * before_.T_WO[i].A + behind * before_.rate[i].A;
  }
  for (std::size_t i = 0; i < momentum_.size(); ++i)
    momentum_[i] = w * state.P[i] - target_.back * state.energy.P[i];
}

void Energy::begin(const model::State& state, double h, bool two) {
  aim(state, h, two);
  specs_.at(target_.t);
  assign_roles(state);
  weigh();
  // first guess from the state, so that another process begins with the same
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  if (state.rows.h > 0)
    for (std::size_t i = 0; i < n_rows(); ++i)
      if (in_system_[i] >= 0) lambda_[at(in_system_[i])] = 2 / state.rows.h * state.rows.impulse[i];
  g_n_ = now_.g;
  limit_rows(state);
  kinetic_ = kin_->kinetic_energy(state.q.data(), state.P.data(), u_.data());
  g_before_ = target_.two_steps ? state.energy.g : g_n_;
  at_.arc = now_.arc;
  q_start_ = state.q;
  q_ = state.q;
  for (std::size_t i = 0; i < u_.size(); ++i) dq_[i] = target_.share * h * u_[i];
  retract(dq_.data(), q_.data());
}

/// Moves q by dq, without straining affine bodies that turn.
void Energy::retract(const double* dq, double* q) const {
  for (const model::PoolSlot& s : model_->pools) s.pool->retract_turning(dq + s.v, q + s.q);
}

/// Computes the momenta P_ and the kinematics now_ at the end of the step; before_ becomes its
/// start.
void Energy::finish(model::State& state, double h) {
  kin_->jacobians(flags_, at_);
  take_forces();
  take_wrench_impulses();
  end_momenta(P_);
  std::swap(now_, before_);  // the start of the step, for the energy balance
  std::swap(now_.J, before_.J);
  if (settings_.difference == Difference::midpoint) {
    kin_->difference(q_start_.data(), q_.data(), dq_.data());
    kin_->retract(dq_.data(), q_.data());
    now_.arc = at_.arc;
    kin_->transforms(q_.data(), state.t + h, now_);
    kin_->jacobians(flags_, now_);
  } else {
    std::swap(now_, at_);
  }
  kin_->inverse_mass(q_.data(), now_);
  kin_->velocities(now_, P_.data(), u_.data());
  kin_->rates(q_.data(), u_.data(), now_);
}

void Energy::project(model::State& state, const std::string&, const std::string&, StepReport&) {
  state.energy.forget();
  state.energy.kinked = 1;  // a row may be running into its stop, too
  load(state);
}

}  // namespace trammel::form
