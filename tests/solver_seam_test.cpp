// The seam of solvers: a solver that is written here, by another method, solves the rows of whole
// runs, and neither formulations nor anything else know of it.
#include <cmath>

#include "cone.h"
#include "math/index.h"
#include "solve/direct_solver.h"
#include "solve/product.h"
#include "solve/solver.h"
#include "support.h"

namespace trammel::acceptance::solver_seam_test {
namespace {

using Formulation = form::Settings::Formulation;

/// Gauss-Seidel on the dense matrix of the rows, bounds by projection, until nothing moves. Rows
/// that depend on each other converge, too, to one of their solutions.
class Sweeps final : public solve::Solver {
 public:
  explicit Sweeps(const solve::Graph& graph) : graph_(graph) {}
  void invalidate() override { S_.resize(0, 0); }
  bool prepare(const solve::Matrices&, const solve::Rows&, solve::Effort*) override { return true; }
  solve::Rows prepared() const override { return {}; }
  bool redundant() const override { return redundant_; }
  void set_redundant(bool redundant) override { redundant_ = redundant; }

  bool correct(const solve::Matrices& at, const solve::Rows& rows, std::span<const double> r,
               std::span<const double> x, std::span<signed char> set, std::span<double> dx,
               solve::Effort& effort) override {
    if (S_.size() == 0) take(at);
    std::vector<double> to(x.begin(), x.end());
    double moved = 1, scale = 1e-300;
    std::vector<unsigned char> in_cone(to.size(), 0);
    for (const solve::Cone& c : rows.cones)
      for (const int i : c.tangent) in_cone[at_(i)] = 1;
    for (int k = 0; k < 200'000 && moved > 1e-15 * scale; ++k) {
      const std::vector<double> before = to;
      for (std::size_t i = 0; i < to.size(); ++i)
        if (!in_cone[i]) to[i] = rows.active[i] ? better(rows, r, x, to, i) : 0;
      for (const solve::Cone& c : rows.cones) rub(c, rows, r, x, to);
      moved = 0;
      for (std::size_t i = 0; i < to.size(); ++i) {
        moved = std::max(moved, std::abs(to[i] - before[i]));
        scale = std::max(scale, std::abs(to[i]));
      }
    }
    for (std::size_t i = 0; i < to.size(); ++i) {
      dx[i] = rows.active[i] ? to[i] - x[i] : 0;
      set[i] = static_cast<signed char>(!rows.active[i]       ? 0
                                        : to[i] <= rows.lo[i] ? -1
                                        : to[i] >= rows.hi[i] ? 1
                                                              : 0);
    }
    for (const solve::Cone& c : rows.cones)
      for (const int i : c.tangent)
        set[at_(i)] = tangent_of(c, to).norm() < (1 - 1e-9) * radius_of(c, to) ? 0 : -1;
    ++sweeps;
    ++effort.factorisations;
    return true;
  }

  static inline long sweeps = 0;

 private:
  double stiffness(const solve::Rows& rows, std::size_t i) const {
    const auto row = static_cast<Eigen::Index>(i);
    return S_(row, row) + rows.compliance[i];
  }
  /// The residual of row i at the impulses `to`.
  double left(const solve::Rows& rows, std::span<const double> r, std::span<const double> x,
              const std::vector<double>& to, std::size_t i) const {
    double left = r[i] + rows.compliance[i] * (to[i] - x[i]);
    for (std::size_t k = 0; k < to.size(); ++k)
      if (rows.active[k])
        left += S_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) * (to[k] - x[k]);
    return left;
  }
  /// The impulse of row i with which its residual vanishes, all others being as they are.
  double better(const solve::Rows& rows, std::span<const double> r, std::span<const double> x,
                const std::vector<double>& to, std::size_t i) const {
    const double best = to[i] - left(rows, r, x, to, i) / stiffness(rows, i);
    return std::min(std::max(best, rows.lo[i]), rows.hi[i]);
  }
  /// The same for both tangent rows of a cone at once, within its disc.
  void rub(const solve::Cone& c, const solve::Rows& rows, std::span<const double> r,
           std::span<const double> x, std::vector<double>& to) const {
    const auto a = at_(c.tangent[0]), b = at_(c.tangent[1]);
    const double S = std::max(stiffness(rows, a), stiffness(rows, b));
    solve::Tangent t(to[a] - left(rows, r, x, to, a) / S, to[b] - left(rows, r, x, to, b) / S);
    t = solve::nearest_in_disc(t, rows.active[a] ? radius_of(c, to) : 0);
    to[a] = t.x();
    to[b] = t.y();
  }
  void take(const solve::Matrices& at) {
    const auto n = static_cast<Eigen::Index>(graph_.n_rows);
    S_.resize(n, n);
    std::vector<double> one(static_cast<std::size_t>(n)), column(one);
    std::vector<double> f(static_cast<std::size_t>(graph_.n_u)), u(f);
    for (std::size_t k = 0; k < one.size(); ++k) {
      std::fill(one.begin(), one.end(), 0.);
      std::fill(f.begin(), f.end(), 0.);
      one[k] = 1;
      solve::add_transpose(graph_, at.J, one.data(), f.data());
      solve::apply_inverse_mass(graph_, at.inv_mass, f.data(), u.data());
      solve::multiply(graph_, at.J, u.data(), column.data());
      S_.col(static_cast<Eigen::Index>(k)) = Eigen::Map<const VecX>(column.data(), n);
    }
  }

  const solve::Graph& graph_;
  MatX S_;
  bool redundant_ = false;
};

/// A pendulum of three links whose first hinge rubs and stops, whose second has a motor at its
/// bound now and then and whose third is sprung stiffly.
model::Built mechanism() {
  model::Builder b;
  const Mat3 R = frame(Vec3::Zero(), Vec3::UnitY()).R;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "link" + std::to_string(i);
    b.add_body(box(name, {1, 0.1, 0.1}, 3, {Vec3(i + 0.5, 0, 0)}));
    b.add_joint(joint("hinge" + std::to_string(i), "revolute",
                      i ? "link" + std::to_string(i - 1) : "ground", name, {Vec3(i, 0, 0), R}));
  }
  b.add_law(law("rub", "friction", "hinge0", "angle", {{"force", 4}}));
  b.add_law(
      law("stop", "limit", "hinge0", "angle", {{"from", -0.5}, {"to", 0.5}, {"restitution", 0.4}}));
  auto motor = law("motor", "motor", "hinge1", "angle", {{"force_min", -6}, {"force_max", 6}});
  motor.drive = Drive{Drive::Level::velocity, Signal(1)};
  b.add_law(motor);
  b.add_law(law("stiff", "spring", "hinge2", "angle", {{"stiffness", 3e5}, {"damping", 5}}));
  return built(b);
}

double apart(const sim::Simulation& a, const sim::Simulation& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.state().q.size(); ++i)
    most = std::max(most, std::abs(a.state().q[i] - b.state().q[i]));
  return most;
}

TEST(SolverSeam, AnotherSolverMakesTheSameRuns) {
  for (const Formulation f : {Formulation::velocity, Formulation::acceleration}) {
    SCOPED_TRACE(name_of(f));
    sim::Settings s = settings(0.6, 1e-3);
    s.form.formulation = f;
    Simulation direct(mechanism(), s);
    s.form.solver = [](const solve::Graph& graph) { return std::make_unique<Sweeps>(graph); };
    Simulation swept(mechanism(), s);
    Sweeps::sweeps = 0;
    run(direct);
    run(swept);
    EXPECT_GT(Sweeps::sweeps, 1000);
    EXPECT_GT(direct.summary().events, 0);
    EXPECT_EQ(swept.summary().events, direct.summary().events);
    EXPECT_LT(apart(direct, swept), 1e-8);
    EXPECT_LT(swept.summary().max_gap, 1e-11);
  }
}

/// A dumbbell that falls on its two ends, which rub along `tangents` with a cone each, and slides
/// round to rest.
model::Built dumbbell(const std::vector<std::string>& tangents) {
  model::Builder b;
  auto rod = solid("rod", 1, Vec3(0.02, 0.1, 0.1), {Vec3(0, 0, 0.01)});
  rod.v = Vec3(1, 0.5, 0);
  rod.w = Vec3(0, 0, 6);
  b.add_body(rod);
  for (const int end : {-1, 1}) {
    auto j = floor("rod", Pose{Vec3(0.5 * end, 0.05 * end, 0)});
    j.name = "floor" + std::to_string(end);
    b.add_joint(j);
    auto l = cone(j.name, end < 0 ? 0.2 : 0.4, 0, tangents);
    l.name = j.name;
    b.add_law(l);
  }
  return built(b);
}

TEST(SolverSeam, AnotherSolverProjectsOntoCones) {
  const std::vector<std::string> slips{"slip(Ay)", "slip(Az)"};
  sim::Settings s = settings(0.5, 1e-3);
  Simulation direct(dumbbell(slips), s);
  s.form.solver = [](const solve::Graph& graph) { return std::make_unique<Sweeps>(graph); };
  Simulation swept(dumbbell(slips), s);
  Sweeps::sweeps = 0;
  run(direct);
  run(swept);
  EXPECT_GT(Sweeps::sweeps, 500);
  EXPECT_LT(apart(direct, swept), 1e-9);
  EXPECT_LT(std::abs(velocity(direct, "rod").second.z()), 3);  // it has been braked
}

/// The direct solver, but that it finds nothing once: the first time that it is asked after the
/// matrices have changed so often.
class Lapse final : public solve::Solver {
 public:
  Lapse(const solve::Graph& graph, int changes) : direct_(graph), changes_(changes) {}
  void invalidate() override {
    --changes_;
    direct_.invalidate();
  }
  bool prepare(const solve::Matrices& at, const solve::Rows& rows, solve::Effort* effort) override {
    return direct_.prepare(at, rows, effort);
  }
  solve::Rows prepared() const override { return direct_.prepared(); }
  bool redundant() const override { return direct_.redundant(); }
  void set_redundant(bool redundant) override { direct_.set_redundant(redundant); }
  bool correct(const solve::Matrices& at, const solve::Rows& rows, std::span<const double> r,
               std::span<const double> x, std::span<signed char> set, std::span<double> dx,
               solve::Effort& effort) override {
    if (changes_ == 0) {
      changes_ = -1;
      ++lapses;
      return false;
    }
    return direct_.correct(at, rows, r, x, set, dx, effort);
  }

  static inline int lapses = 0;

 private:
  solve::DirectSolver direct_;
  int changes_;
};

/// Stage V has taken J to the end of the step when it fails, and no Newton iteration makes it anew
/// beside cones.
TEST(SolverSeam, BesideConesAStageVThatFailsIsMadeOfShorterSteps) {
  const std::vector<std::string> ways{"Ay.D", "Az.D"};  // holonomic: one J serves both ends
  sim::Settings s = settings(0.5, 1e-3);
  Simulation whole(dumbbell(ways), s);
  s.form.solver = [](const solve::Graph& graph) { return std::make_unique<Lapse>(graph, 100); };
  Simulation lapsed(dumbbell(ways), s);
  Lapse::lapses = 0;
  run(whole);
  run(lapsed);
  EXPECT_EQ(Lapse::lapses, 1);
  EXPECT_EQ(lapsed.summary().parted_steps, whole.summary().parted_steps + 1);
  EXPECT_EQ(lapsed.summary().fallbacks, whole.summary().fallbacks);
  EXPECT_LT(apart(whole, lapsed), 1e-6);
}

}  // namespace
}  // namespace trammel::acceptance::solver_seam_test
