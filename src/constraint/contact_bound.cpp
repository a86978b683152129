// Points in islands with rows, or with bodies of other kinds, see "Joints and contacts" in
// docs/theory/contact.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "constraint/contact.h"
#include "math/index.h"
#include "model/constraint_specs.h"

namespace trammel::constraint {

namespace {
constexpr double kImmovable = 1e-12;  // of what a normal impulse makes of bodies without rows
constexpr double kForetold = 1e-4;    // of changes of rates: what rows that are not linear may add
constexpr int kMostBound = 1000;      // points that are solved for in one dense matrix

/// True where a row may yield or slide: what it holds now it may let go.
bool may_yield(const model::Kinematics& kin) {
  model::ConstraintSpecs specs(kin.model(), kin.params());
  specs.at(0);
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].bounded() || specs[i].is_friction()) return true;
  return false;
}
}  // namespace

/// The rates of bound points that impulses along each of their directions make. Islands do not move
/// each other, so that one answer of the mechanism is that of all to a point of each. Where rows
/// take all that an impulse along the normal would make, there is nothing to be solved for.
bool Contacts::make_responses(const ContactList& list, const model::KinematicsCache& at_,
                              const Respond& respond, bool yielding, std::size_t n_u,
                              ContactStage& stage) const {
  std::vector<MatX>& W = stage.W;
  const int rows = rows_of(list), groups = count(list.group) - 1;
  const auto size = [&](int g) { return list.group[at(g + 1)] - list.group[at(g)]; };
  const auto point = [&](int g, int k) { return at(list.bound[at(list.group[at(g)] + k)]); };
  int most = 0;
  W.resize(at(groups));
  for (int g = 0; g < groups; ++g) {
    W[at(g)].resize(rows * size(g), rows * size(g));
    most = std::max(most, size(g));
  }
  stage.held.assign(list.bound.size(), 0);
  std::vector<double> f(n_u), du(n_u), loose(n_u);
  for (int c = 0; c < rows * most; ++c) {
    std::fill(f.begin(), f.end(), 0.);
    for (int g = 0; g < groups; ++g)
      if (c / rows < size(g))
        add_impulses_of_bound(list, point(g, c / rows), Six::Unit(c % rows), f);
    if (!respond(f, du, yielding)) return false;
    if (c % rows == 0) kin_.velocities(at_, f.data(), loose.data());
    for (int g = 0; g < groups; ++g)
      if (const int k = c / rows; c % rows == 0 && k < size(g))
        stage.held[at(list.group[at(g)] + k)] =
            rates_of_bound(list, point(g, k), du)[0] <=
            kImmovable * rates_of_bound(list, point(g, k), loose)[0];
    for (int g = 0; g < groups; ++g)
      for (int r = 0; r < size(g) && c / rows < size(g); ++r)
        W[at(g)].col(c).segment(rows * r, rows) = rates_of_bound(list, point(g, r), du).head(rows);
  }
  for (MatX& of : W) of = 0.5 * (of + of.transpose()).eval();
  return true;
}

bool Contacts::make_operator(const ContactList& list, const model::KinematicsCache& at_,
                             const Respond& respond, std::size_t n_u, ContactStage& stage) const {
  if (!make_responses(list, at_, respond, false, n_u, stage)) return false;
  std::vector<unsigned char> groups(stage.W.size(), 0);
  for (std::size_t g = 0; g < groups.size(); ++g)
    groups[g] = std::any_of(stage.held.begin() + list.group[g],
                            stage.held.begin() + list.group[g + 1], [](auto h) { return h; });
  return let_yield(list, at_, respond, n_u, groups, stage);
}

/// Takes for chosen groups the response without the rows that may yield, if there are such: what
/// presses there finds them at their bounds in the next round, or at rest.
bool Contacts::let_yield(const ContactList& list, const model::KinematicsCache& at_,
                         const Respond& respond, std::size_t n_u,
                         const std::vector<unsigned char>& groups, ContactStage& stage) const {
  const bool any = std::any_of(groups.begin(), groups.end(), [](auto g) { return g; });
  if (!any || !may_yield(kin_)) return true;
  ContactStage yielding;
  if (!make_responses(list, at_, respond, true, n_u, yielding)) return false;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!groups[g]) continue;
    stage.W[g].swap(yielding.W[g]);
    std::copy(yielding.held.begin() + list.group[g], yielding.held.begin() + list.group[g + 1],
              stage.held.begin() + list.group[g]);
  }
  return true;
}

/// W p, of numbers of all bound points.
VecX Contacts::times(const ContactList& list, const std::vector<MatX>& W, const VecX& p) const {
  VecX out(p.size());
  const int rows = rows_of(list);
  for (int g = 0; g < count(W); ++g) {
    const int first = rows * list.group[at(g)];
    out.segment(first, W[at(g)].rows()) = W[at(g)] * p.segment(first, W[at(g)].rows());
  }
  return out;
}

/// Numbers a point in the problem of bound points: 6 where anything rolls or spins.
int Contacts::rows_of(const ContactList& list) const {
  const auto turns = [&](int i) {
    const model::ContactLaw& law = surfaces_.law(list.points[at(i)]);
    return law.rolling > 0 || law.spinning > 0;
  };
  return std::any_of(list.bound.begin(), list.bound.end(), turns) ? 6 : 3;
}

/// Returns the impulses of the bound points whose rates without them are `free`, and puts these
/// and their rates into the stage.
VecX Contacts::dense(const ContactList& list, ContactStage& stage, const VecX& free,
                     const VecX& guess) {
  const int n = count(list.bound), rows = rows_of(list);
  VecX q = free, out = guess;
  std::vector<solve::ContactLaw> laws;
  for (int k = 0; k < n; ++k) {
    const std::size_t i = at(list.bound[at(k)]);
    const model::ContactLaw& law = surfaces_.law(list.points[i]);
    q.segment<3>(rows * k) -= stage.targets[i].u;
    if (stage.held[at(k)]) {
      q[rows * k] = law::kInf;
      out.segment(rows * k, rows).setZero();
    }
    laws.push_back({law.friction, law.rolling, law.spinning, stage.targets[i].cohesion});
  }
  stage.merit = 0;
  stage.unsolved.assign(stage.W.size(), 0);
  for (int g = 0; g < count(stage.W); ++g) {
    const int first = list.group[at(g)];
    const auto size = at(list.group[at(g + 1)] - first);
    const auto effort =
        solve::solve_dense(stage.W[at(g)], {q.data() + rows * first, at(rows) * size},
                           std::span(laws).subspan(at(first), size),
                           {out.data() + rows * first, at(rows) * size}, options_, rows);
    report_.sweeps += effort.sweeps;
    report_.newton += effort.newton;
    stage.merit = std::max(stage.merit, effort.merit);
    stage.unsolved[at(g)] = !effort.converged;
  }
  const VecX after = free + times(list, stage.W, out);
  for (int k = 0; k < n; ++k) {
    const std::size_t i = at(list.bound[at(k)]);
    stage.p[i].head(rows) = out.segment(rows * k, rows);
    stage.before[i].head(rows) = free.segment(rows * k, rows);
    stage.after[i].head(rows) = after.segment(rows * k, rows);
    stage.before[i].head<3>() += list.own[i];
    stage.after[i].head<3>() += list.own[i];
  }
  return out;
}

/// True where the rates of bound points at the velocities u_ are not those that W has foretold:
/// rows hold by now that did not, or have let go.
bool Contacts::responds_otherwise(const ContactList& list, const ContactStage& stage) const {
  if (stage.W.empty()) return false;
  double off = 0, change = 0;
  for (const int k : list.bound) {
    const std::size_t i = at(k);
    const Six& after = stage.after[i];
    Six u = rates_of_bound(list, i, u_);
    u.head<3>() += list.own[i];
    off = std::max(off, (u - after).head<3>().lpNorm<Eigen::Infinity>());
    change = std::max(change, (after - stage.before[i]).head<3>().lpNorm<Eigen::Infinity>());
  }
  return off > options_.tolerance + kForetold * change;
}

/// Solves for the bound points at momenta P that have impulses of them already, and corrects these
/// in P. Returns the greatest change of their rates; infinite where there is no solution.
double Contacts::solve_bound(const ContactList& list, const model::KinematicsCache& at_,
                             const Respond& respond, ContactStage& stage, std::vector<double>& P) {
  if (list.bound.empty()) return 0;
  for (std::size_t g = 0; g + 1 < list.group.size(); ++g) {
    const int size = list.group[g + 1] - list.group[g];
    if (size <= kMostBound) continue;
    failure_ = fmt::format(
        "{} points of contact are in one island with joints or bodies that strain, {} can be "
        "solved for: let fewer bodies touch these",
        size, kMostBound);
    return law::kInf;
  }
  kin_.velocities(at_, P.data(), u_.data());
  if (&stage == &first_ && !first_looked_) {
    first_looked_ = true;
    surfaces_.let_pass(h_, at_, u_, list, stage.targets);
  }
  const int n = count(list.bound), rows = rows_of(list);
  if (responds_otherwise(list, stage)) stage.W.clear();
  if (stage.W.empty()) {
    if (!make_operator(list, at_, respond, P.size(), stage)) return law::kInf;
    if (&stage == &second_) aim_bound_second();
  }
  VecX u(rows * n), p(rows * n);
  for (int k = 0; k < n; ++k) {
    const std::size_t i = at(list.bound[at(k)]);
    u.segment(rows * k, rows) = rates_of_bound(list, i, u_).head(rows);
    p.segment(rows * k, rows) = stage.p[i].head(rows);
  }
  VecX free = u - times(list, stage.W, p);
  VecX next = dense(list, stage, free, p);
  if (stage.any_unsolved()) {  // rows may press what they hold together, and yield
    if (!let_yield(list, at_, respond, P.size(), stage.unsolved, stage)) return law::kInf;
    free = u - times(list, stage.W, p);
    next = dense(list, stage, free, p);
  }
  if (&stage == &first_ && !first_aimed_) {
    first_aimed_ = true;
    if (aim_bound_first(at_)) next = dense(list, stage, free, next);
  }
  if (&stage == &second_ && gains(list.bound)) {
    ContactStage calm = without_restitution();
    dense(list, calm, free, next);
    ease(list.bound, calm);
    for (int k = 0; k < n; ++k)
      next.segment(rows * k, rows) = stage.p[at(list.bound[at(k)])].head(rows);
  }
  const VecX changed = next - p;
  const double change = times(list, stage.W, changed).lpNorm<Eigen::Infinity>();
  unanswered_ = 0;
  for (int g = 0; g < count(stage.W); ++g) {
    const MatX& W = stage.W[at(g)];
    const double of = changed.segment(rows * list.group[at(g)], W.rows()).lpNorm<Eigen::Infinity>();
    unanswered_ = std::max(unanswered_, of * W.diagonal().maxCoeff());
  }
  for (int k = 0; k < n; ++k) {
    const std::size_t i = at(list.bound[at(k)]);
    Six more = Six::Zero();
    more.head(rows) = next.segment(rows * k, rows) - p.segment(rows * k, rows);
    add_impulses_of_bound(list, i, more, P);
  }
  return change;
}

}  // namespace trammel::constraint
