#include "model/rank.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "law/targets.h"
#include "math/dense.h"
#include "math/index.h"
#include "model/project.h"
#include "solve/branches.h"
#include "solve/direct.h"
#include "solve/product.h"

namespace trammel::model {

std::vector<unsigned char> rigid_rows(const Model& model, const State& state,
                                      const ConstraintSpecs& specs) {
  std::vector<unsigned char> out(model.rows.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = state.on[at_(model.rows[i].joint)] && specs[i].is_rigid();
  return out;
}

namespace {

constexpr double kDependent = 1e-9;   // pivot over diagonal, see Rank
constexpr double kOnTheirOwn = 3e-5;  // its root: a rate of its own over a row's rate
constexpr double kTakesPart = 1e-3;   // in a dependency, of its greatest share
constexpr std::size_t kTraced = 500;  // dependent rows whose joints are looked for
constexpr double kApart = 1e-3;       // of a conflict, of its worst row

/// Joints in sets that grow together.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n), size_(n, 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int root(int i) {
    while (parent_[at_(i)] != i) i = parent_[at_(i)] = parent_[at_(parent_[at_(i)])];
    return i;
  }
  void join(int a, int b) {
    const int to = root(a), from = root(b);
    if (to == from) return;
    parent_[at_(from)] = to;
    size_[at_(to)] += size_[at_(from)];
  }
  int size(int i) { return size_[at_(root(i))]; }

 private:
  std::vector<int> parent_, size_;
};

/// Joints whose bodies hang together.
Sets islands_of(const Model& model, const solve::Graph& graph) {
  Sets out(model.joints.size());
  std::vector<int> of_block(graph.blocks.size(), -1);
  for (std::size_t g = 0; g < graph.groups.size(); ++g) {
    const solve::Graph::Group& group = graph.groups[g];
    for (int e = group.end; e < group.end + group.n_ends; ++e) {
      int& joint = of_block[at_(graph.ends[at_(e)].block)];
      if (joint >= 0) out.join(joint, model.groups[g].joint);
      joint = model.groups[g].joint;
    }
  }
  return out;
}

/// The part of a row's unit vector that no force on the bodies feels: eps (S + eps D)^-1 D e.
std::vector<double> dependency(const solve::Direct& direct, std::size_t row) {
  std::vector<double> x(direct.diagonal().size(), 0.0);
  x[row] = 1;
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= direct.options().eps * direct.diagonal()[i];
    direct.solve_factored(x.data());
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= std::sqrt(direct.diagonal()[i]);
  return x;
}

std::vector<Rank::Loop> loops_of(const Model& model, const solve::Direct& direct,
                                 const std::vector<std::size_t>& dependent) {
  Sets sets(model.joints.size()), islands = islands_of(model, direct.graph());
  std::vector<unsigned char> in(model.joints.size(), 0);
  for (std::size_t k = 0; k < std::min(kTraced, dependent.size()); ++k) {
    const int first = model.rows[dependent[k]].joint;
    if (sets.size(first) == islands.size(first)) continue;  // there are no more to be found
    const std::vector<double> share = dependency(direct, dependent[k]);
    double most = 0;
    for (const double x : share) most = std::max(most, std::abs(x));
    in[at_(first)] = 1;
    for (std::size_t i = 0; i < share.size(); ++i) {
      if (!(std::abs(share[i]) > kTakesPart * most)) continue;
      in[at_(model.rows[i].joint)] = 1;
      sets.join(first, model.rows[i].joint);
    }
  }
  std::vector<Rank::Loop> out;
  std::vector<int> loop_at(model.joints.size(), -1);
  const auto loop = [&](int joint) -> Rank::Loop& {
    int& at = loop_at[at_(sets.root(joint))];
    if (at < 0) at = static_cast<int>(out.size()), out.emplace_back();
    return out[at_(at)];
  };
  for (const std::size_t row : dependent) in[at_(model.rows[row].joint)] = 1;  // untraced ones too
  for (std::size_t j = 0; j < in.size(); ++j)
    if (in[j]) loop(static_cast<int>(j)).joints.push_back(static_cast<int>(j));
  for (const std::size_t row : dependent) ++loop(model.rows[row].joint).surplus;
  return out;
}

}  // namespace

/// Counts by geometry: with masses that differ by more than the pivots tell apart, it would count
/// degrees of freedom of the light bodies. Only rows in loops are left to pivots: of a long chain
/// the root's are as small as those of dependent rows.
Rank rank_of(const Kinematics& kin, const State& state, const ConstraintSpecs& specs,
             KinematicsCache& at) {
  const Model& model = kin.model();
  Rank out;
  out.unknowns = model.n_u;
  std::vector<unsigned char> active = rigid_rows(model, state, specs);
  out.rows = static_cast<int>(std::count(active.begin(), active.end(), 1));
  out.rank = out.rows;
  const std::vector<unsigned char> branches =
      solve::rows_of_branches(kin.graph(), at.J.data(), kin.units().data(), active, kOnTheirOwn);
  for (std::size_t i = 0; i < active.size(); ++i) active[i] &= !branches[i];
  if (std::count(active.begin(), active.end(), 1) == 0) return out;
  const std::vector<double> zero(active.size(), 0.0);
  kin.inverse_metric(at);
  const solve::System system{at.J.data(), at.inv_mass.data(), zero.data(), active.data()};
  // without eps: it would show in a pivot times the square of what the row's dependency has beside
  // it, which may be 1e4. A dependent row is left out: with its pivot, all rounding, those after it
  // would be
  solve::Direct direct(kin.graph(), {.eps = 0, .keep_pivots = true, .drop = kDependent});
  if (!direct.factor(system)) return out;
  std::vector<std::size_t> dependent;
  for (std::size_t i = 0; i < active.size(); ++i)
    if (active[i] && direct.pivots()[i] < kDependent) dependent.push_back(i);
  out.rank -= static_cast<int>(dependent.size());
  if (dependent.empty()) return out;
  direct.set_eps(kDependent);
  if (direct.factor(system)) out.loops = loops_of(model, direct, dependent);
  return out;
}

namespace {
/// What is off by x in a row, as a length or a speed: of angles, at the mechanism's length.
double as_length(const Model& model, std::size_t row, double x) {
  const Scales& scales = model.scales;
  return std::abs(x) * scales.length / scales.value(model.rows[row].row.unit());
}

/// The joints of the rows whose residual is not small beside the worst.
Conflict apart(const Model& model, const std::vector<double>& residual) {
  Conflict out;
  for (std::size_t i = 0; i < residual.size(); ++i)
    out.left = std::max(out.left, as_length(model, i, residual[i]));
  for (std::size_t i = 0; i < residual.size(); ++i) {
    const int joint = model.rows[i].joint;
    if (as_length(model, i, residual[i]) > kApart * out.left &&
        (out.joints.empty() || out.joints.back() != joint))
      out.joints.push_back(joint);
  }
  return out;
}
}  // namespace

/// Damped Gauss-Newton: of the residual only what no motion reduces is left.
Conflict position_conflict(const Kinematics& kin, const ConstraintSpecs& specs, State& state) {
  constexpr int kSteps = 300;
  constexpr double kDamping = 1e-3, kLargestTurn = 0.1;
  const Model& model = kin.model();
  KinematicsCache at = kin.make_cache();
  for (std::size_t i = 0; i < at.arc.size(); ++i) at.arc[i] = {state.s[i], state.piece[i]};
  solve::Direct direct(kin.graph(), {.eps = kDamping, .max_proximal = 0});
  const std::vector<double> zero(model.rows.size(), 0.0);
  std::vector<double> residual(zero), x(zero), f(at_(model.n_u)), u(f);
  std::vector<unsigned char> active(model.rows.size());
  std::vector<double> per_size(u.size());
  for (const PoolSlot& s : model.pools)
    s.pool->speed_tolerances(1 / model.scales.length, 1, per_size.data() + s.v);
  for (int k = 0; k < kSteps; ++k) {
    kin.transforms(state.q.data(), state.t, at);
    kin.inverse_metric(at);
    kin.jacobians(state, at);
    if (at.lost_joint >= 0) return {{at.lost_joint}, law::kInf};
    keep_turns(model, at, state.angle);
    for (std::size_t i = 0; i < residual.size(); ++i) {
      const auto value = law::held_value(specs[i]);
      active[i] = value && holds(model, state, specs, i);
      residual[i] = x[i] = active[i] ? *value - at.g[i] : 0;
    }
    if (!direct.factor({at.J.data(), at.inv_mass.data(), zero.data(), active.data()})) break;
    direct.solve_factored(x.data());
    std::fill(f.begin(), f.end(), 0.0);
    solve::add_transpose(kin.graph(), at.J.data(), x.data(), f.data());
    solve::apply_inverse_mass(kin.graph(), at.inv_mass.data(), f.data(), u.data());
    double largest = 0;
    for (std::size_t i = 0; i < u.size(); ++i)
      largest = std::max(largest, per_size[i] * std::abs(u[i]));
    for (double& d : u) d *= largest > kLargestTurn ? kLargestTurn / largest : 1;
    kin.retract(u.data(), state.q.data());
    if (largest < 1e-9) break;
  }
  for (std::size_t i = 0; i < at.arc.size(); ++i) state.s[i] = at.arc[i].s;
  return apart(model, residual);
}

Conflict rate_conflict(const Kinematics& kin, const ConstraintSpecs& specs, const State& state,
                       KinematicsCache& at) {
  const Model& model = kin.model();
  const std::vector<unsigned char> active = rigid_rows(model, state, specs);
  std::vector<double> u(at_(model.n_u)), wanted(active.size()), x(active.size(), 0.0);
  if (kin.light())
    u = state.u;
  else
    kin.velocities(at, state.P.data(), u.data());
  kin.inverse_metric(at);
  solve::multiply(kin.graph(), at.J.data(), u.data(), wanted.data());
  double scale = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double rate = std::abs(wanted[i]) + std::abs(specs[i].target.v);
    scale = std::max(scale, as_length(model, i, rate));
    wanted[i] = active[i] ? specs[i].target.v - at.g_t[i] - wanted[i] : 0;
  }
  const std::vector<double> zero(active.size(), 0.0);
  solve::Direct direct(kin.graph(), {.eps = kDependent});
  if (!direct.factor({at.J.data(), at.inv_mass.data(), zero.data(), active.data()})) return {};
  direct.solve(wanted.data(), x.data());
  std::vector<double> made(x.size());
  direct.apply(x.data(), made.data());
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = active[i] ? wanted[i] - made[i] : 0;
  const Conflict out = apart(model, made);
  return out.left > 1e-6 * std::max(scale, 1e-3 * model.scales.speed) ? out : Conflict{};
}

namespace {
/// Motions without inertia, as columns of n_u numbers (units() measure them); bodies of which they
/// are.
struct Null {
  std::vector<std::vector<double>> motion;
  std::vector<int> block;
};

Null null_of(const Kinematics& kin, const State& state) {
  constexpr double kNone = 1e-15;  // of the greatest: see body/rigid.cpp
  const solve::Graph& graph = kin.graph();
  std::size_t numbers = 0;
  for (const solve::Graph::Block& b : graph.blocks) numbers += at_(b.n * b.n);
  std::vector<double> mass(numbers), turn(numbers), P(kin.units().size()), u(P);
  Null out;
  if (!kin.drift(0, state.q.data(), u.data(), P.data(), mass.data(), turn.data())) return out;
  const double* M = mass.data();
  for (std::size_t k = 0; k < graph.blocks.size(); ++k) {
    const int n = graph.blocks[k].n, first = graph.u_offset[k];
    const Eigen::Map<const VecX> unit(kin.units().data() + first, n);
    const MatX scaled = unit.asDiagonal() * Eigen::Map<const MatX>(M, n, n) * unit.asDiagonal();
    M += n * n;
    const dense::AxesX axes = dense::principal_axes_of(scaled);
    for (int i = 0; i < n; ++i) {
      if (axes.values[i] > kNone * axes.values[n - 1]) break;
      out.motion.emplace_back(u.size(), 0.0);
      out.block.push_back(static_cast<int>(k));
      for (int j = 0; j < n; ++j) out.motion.back()[at_(first + j)] = unit[j] * axes.vectors(j, i);
    }
  }
  return out;
}

/// The axis of a body nearest to a direction of the world, or the direction.
std::string axis_of(const Vec3& d, const Mat3& R) {
  const Vec3 own = (R.transpose() * d).normalized();
  for (int i = 0; i < 3; ++i)
    if (std::abs(own[i]) > 0.999) return std::string("its ") + "xyz"[i] + " axis";
  return fmt::format("its axis ({:.3g}, {:.3g}, {:.3g})", own[0], own[1], own[2]);
}
}  // namespace

std::vector<Undetermined> undetermined(const Kinematics& kin, const State& state,
                                       const ConstraintSpecs& specs, const KinematicsCache& at) {
  constexpr std::size_t kMost = 600;  // motions looked at: their products are a dense matrix
  constexpr double kFree = 1e-12;     // squared rate of rows, of a motion of size one
  std::vector<Undetermined> out;
  if (!kin.light()) return out;
  const Model& model = kin.model();
  const Null null = null_of(kin, state);
  const std::size_t n = null.motion.size();
  if (n == 0 || n > kMost) return out;
  const std::vector<unsigned char> active = rigid_rows(model, state, specs);
  MatX rates(static_cast<Eigen::Index>(active.size()), static_cast<Eigen::Index>(n));
  std::vector<double> rate(active.size());
  for (std::size_t k = 0; k < n; ++k) {
    solve::multiply(kin.graph(), at.J.data(), null.motion[k].data(), rate.data());
    for (std::size_t i = 0; i < rate.size(); ++i)
      rates(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = active[i] ? rate[i] : 0;
  }
  const dense::AxesX free = dense::principal_axes_of(rates.transpose() * rates);
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(n); ++i) {
    if (free.values[i] > kFree) break;
    Eigen::Index most = 0;
    free.vectors.col(i).cwiseAbs().maxCoeff(&most);
    const int block = null.block[static_cast<std::size_t>(most)];
    const auto object =
        static_cast<std::size_t>(std::find_if(model.objects.begin(), model.objects.end(),
                                              [&](const Object& o) { return o.block == block; }) -
                                 model.objects.begin());
    VecX motion = VecX::Zero(6);
    const int first = kin.graph().u_offset[static_cast<std::size_t>(block)];
    for (std::size_t k = 0; k < n; ++k)
      if (null.block[k] == block)
        for (int j = 0; j < 6; ++j)
          motion[j] += free.vectors(static_cast<Eigen::Index>(k), i) *
                       null.motion[k][at_(first + j)] / kin.units()[at_(first + j)];
    const bool turns = motion.tail<3>().norm() > 0.5 * motion.norm();
    const Vec3 along = turns ? motion.tail<3>() : motion.head<3>();
    out.push_back(
        {static_cast<int>(object), fmt::format("{} {}", turns ? "turns about" : "moves along",
                                               axis_of(along, at.T_WO[object].A))});
  }
  return out;
}

namespace {
/// Coordinates of couplings, each once.
class Coupled {
 public:
  Coupled(const Model& model, const ConstraintSpecs& specs)
      : of_joint_(model.joints.size()), model_(&model) {
    for (const Coupling& c : model.couplings) {
      if (c.n < 2 || c.h.profile || !law::fixed_value(specs[at_(c.row)])) continue;
      rows.push_back({});
      rows.back().joint = c.joint;
      for (int i = 0; i < c.n; ++i) {
        const Source& s = model.sources[at_(c.first_source + i)];
        rows.back().terms.emplace_back(index_of(s), c.h.a[at_(i)] * s.sign);
      }
    }
  }
  struct Row {
    int joint = 0;
    std::vector<std::pair<int, double>> terms{};
  };
  std::vector<Row> rows;
  std::vector<const Source*> coordinates;

  std::string name(int coordinate) const {
    const Source& s = *coordinates[at_(coordinate)];
    const Joint& joint = model_->joints[at_(s.joint)];
    for (const auto* list : {&joint.table->coordinates, &joint.table->rows})
      for (const joint::Coordinate& c : *list)
        if (joint::same(c.row, s.row)) return joint.name + "." + c.name;
    return joint.name + "." + to_text(s.row);
  }

 private:
  int index_of(const Source& s) {
    std::vector<int>& own = of_joint_[at_(s.joint)];
    const auto it = std::find_if(own.begin(), own.end(), [&](int c) {
      return joint::same(coordinates[at_(c)]->row, s.row);
    });
    if (it != own.end()) return *it;
    own.push_back(count(coordinates));
    coordinates.push_back(&s);
    return own.back();
  }
  std::vector<std::vector<int>> of_joint_;
  const Model* model_;
};

/// Returns, for couplings `rows` that are connected, a coordinate whose unit vector is a sum of
/// their rows.
Stilled stilled_of(const Coupled& all, const std::vector<int>& rows) {
  constexpr double kNone = 1e-9;
  std::vector<int> coordinates;
  for (const int r : rows)
    for (const auto& [c, a] : all.rows[at_(r)].terms) coordinates.push_back(c);
  std::sort(coordinates.begin(), coordinates.end());
  coordinates.erase(std::unique(coordinates.begin(), coordinates.end()), coordinates.end());
  const auto n = static_cast<Eigen::Index>(rows.size()),
             m = static_cast<Eigen::Index>(coordinates.size());
  MatX C = MatX::Zero(m, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    for (const auto& [c, a] : all.rows[at_(rows[at_(static_cast<int>(k))])].terms)
      C(std::lower_bound(coordinates.begin(), coordinates.end(), c) - coordinates.begin(), k) = a;
    C.col(k).normalize();
  }
  const dense::LeastNorm sum(C, kNone);
  Stilled out;
  std::vector<unsigned char> takes_part(rows.size(), 0);
  for (Eigen::Index i = 0; i < m; ++i) {
    const VecX unit = VecX::Unit(m, i), y = sum.solve(unit);
    if ((C * y - unit).norm() > kNone * std::max(1.0, y.norm())) continue;
    out.coordinates.push_back(all.name(coordinates[at_(static_cast<int>(i))]));
    for (Eigen::Index k = 0; k < n; ++k)
      if (std::abs(y[k]) > kNone * y.norm()) takes_part[at_(static_cast<int>(k))] = 1;
  }
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (takes_part[k]) out.couplings.push_back(all.rows[at_(rows[k])].joint);
  return out;
}
}  // namespace

std::vector<Stilled> stilled(const Model& model, const ConstraintSpecs& specs) {
  constexpr std::size_t kMost = 300;  // couplings that hang together: their matrix is dense
  const Coupled all(model, specs);
  Sets sets(all.coordinates.size());
  for (const Coupled::Row& r : all.rows)
    for (const auto& [c, a] : r.terms) sets.join(r.terms.front().first, c);
  std::map<int, std::vector<int>> together;
  for (std::size_t r = 0; r < all.rows.size(); ++r)
    together[sets.root(all.rows[r].terms.front().first)].push_back(static_cast<int>(r));
  std::vector<Stilled> out;
  for (const auto& [root, rows] : together) {
    if (rows.size() < 2 || rows.size() > kMost) continue;
    if (Stilled s = stilled_of(all, rows); !s.couplings.empty()) out.push_back(std::move(s));
  }
  return out;
}

std::string names_of(const Model& model, const std::vector<int>& joints) {
  constexpr std::size_t kMost = 12;
  std::string out;
  const std::size_t n = std::min(joints.size(), kMost);
  for (std::size_t i = 0; i < n; ++i)
    out += fmt::format("{}'{}'",
                       i == 0                   ? ""
                       : i + 1 == joints.size() ? " and "
                                                : ", ",
                       model.joints[at_(joints[i])].name);
  if (joints.size() > kMost) out += fmt::format(" and {} more", joints.size() - kMost);
  return out;
}

}  // namespace trammel::model
