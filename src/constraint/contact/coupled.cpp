// Points in islands with rows, or with bodies of other kinds, see "Joints and contacts" in
// docs/theory/contact.md: rows and points are solved for in turns, until neither moves the other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "constraint/contact/parts.h"
#include "constraint/contact/phases.h"
#include "math/brief_vector.h"
#include "model/constraint_specs.h"

namespace trammel::constraint {

namespace {
constexpr double kImmovable = 1e-12;  // of what a normal impulse makes of bodies without rows
constexpr double kForetold = 1e-4;    // of changes of rates: what rows that are not linear may add
constexpr int kMostCoupled = 1000;    // points that are solved for in one dense matrix

/// A round between rows and points of a set: what it reads, beside its stage.
struct Round {
  const ContactTools& tools;
  const PointSet& set;
  const model::KinematicsCache& at;
  const RowResponse& respond;
  int rows;       // numbers a point
  double enough;  // by so much rates may be off [m/s]
  bool first;     // of the rounds of its stage

  int begin(int g) const { return set.group[at_(g)]; }
  int size(int g) const { return set.group[at_(g + 1)] - begin(g); }
  std::size_t point(int g, int k) const { return at_(set.coupled[at_(begin(g) + k)]); }
};

/// True where a row may yield or slide: what it holds now it may let go.
bool may_yield(const model::Kinematics& kin) {
  model::ConstraintSpecs specs(kin.model(), kin.params());
  specs.at(0);
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].bounded() || specs[i].is_friction()) return true;
  return false;
}

/// Says why where there is an island that is too large.
bool is_too_large(const PointSet& set, std::string& why) {
  for (int g = 0; g < set.groups(); ++g) {
    const int size = set.group[at(g + 1)] - set.group[at(g)];
    if (size <= kMostCoupled) continue;
    why = fmt::format(
        "{} points of contact are in one island with joints or bodies that strain, {} can be "
        "solved for: let fewer bodies touch these",
        size, kMostCoupled);
    return true;
  }
  return false;
}

/// A column of each island's W: the rates that impulses along direction r of the kth points make.
/// Islands do not move each other, so that one answer of the mechanism is that of all. Where rows
/// take all that an impulse along the normal would make, there is nothing to be solved for.
bool respond_along(const Round& r, int k, int direction, bool yielding, std::vector<double>& f,
                   std::vector<double>& du, CoupledPoints& out) {
  const int groups = r.set.groups(), column = r.rows * k + direction;
  brief::vector<double> loose(f.size());
  std::fill(f.begin(), f.end(), 0.);
  for (int g = 0; g < groups; ++g)
    if (k < r.size(g)) add_impulses(r.set, r.point(g, k), Six::Unit(direction), f);
  if (!r.respond(f, du, yielding)) return false;
  if (direction == 0) r.tools.kin().velocities(r.at, f.data(), loose.data());
  for (int g = 0; g < groups; ++g) {
    if (k >= r.size(g)) continue;
    if (direction == 0)
      out.held[at(r.begin(g) + k)] = normal_rate_at(r.set, r.point(g, k), du) <=
                                     kImmovable * normal_rate_at(r.set, r.point(g, k), loose);
    for (int row = 0; row < r.size(g); ++row)
      out.W[at(g)].col(column).segment(r.rows * row, r.rows) =
          rates_at(r.set, r.point(g, row), du).head(r.rows);
  }
  return true;
}

bool make_responses(const Round& r, bool yielding, std::size_t n_u, CoupledPoints& out) {
  int most = 0;
  out.W.resize(at(r.set.groups()));
  for (int g = 0; g < r.set.groups(); ++g) {
    out.W[at(g)].resize(r.rows * r.size(g), r.rows * r.size(g));
    most = std::max(most, r.size(g));
  }
  out.held.assign(r.set.coupled.size(), 0);
  std::vector<double>&f = r.tools.scratch.f, &du = r.tools.scratch.du;
  f.resize(n_u);
  du.resize(n_u);
  for (int k = 0; k < most; ++k)
    for (int direction = 0; direction < r.rows; ++direction)
      if (!respond_along(r, k, direction, yielding, f, du, out)) return false;
  for (MatX& of : out.W) of = 0.5 * (of + of.transpose()).eval();
  return true;
}

/// Takes for chosen groups the response without the rows that may yield, if there are such: what
/// presses there finds them at their bounds in the next round, or at rest.
bool let_yield(const Round& r, std::size_t n_u, std::span<const unsigned char> groups,
               CoupledPoints& out) {
  const bool any = std::any_of(groups.begin(), groups.end(), [](auto g) { return g; });
  if (!any || !may_yield(r.tools.kin())) return true;
  CoupledPoints yielding;
  if (!make_responses(r, true, n_u, yielding)) return false;
  for (int g = 0; g < count(groups); ++g) {
    if (!groups[at(g)]) continue;
    out.W[at(g)].swap(yielding.W[at(g)]);
    std::copy_n(yielding.held.begin() + r.begin(g), r.size(g), out.held.begin() + r.begin(g));
  }
  return true;
}

/// Rows are to yield where they would hold a point.
bool make_operator(const Round& r, std::size_t n_u, CoupledPoints& out) {
  if (!make_responses(r, false, n_u, out)) return false;
  brief::vector<unsigned char> groups(out.W.size(), 0);
  for (int g = 0; g < count(groups); ++g) {
    const auto held = out.held.begin() + r.begin(g);
    groups[at(g)] = std::any_of(held, held + r.size(g), [](auto h) { return h; });
  }
  return let_yield(r, n_u, groups, out);
}

/// W p, of numbers of all coupled points.
brief::VecX times(const Round& r, const std::vector<MatX>& W, const brief::VecX& p) {
  brief::VecX out(p.size());
  for (int g = 0; g < count(W); ++g) {
    const int first = r.rows * r.begin(g);
    out.segment(first, W[at(g)].rows()) = W[at(g)] * p.segment(first, W[at(g)].rows());
  }
  return out;
}

/// What is asked of each point.
brief::vector<piles::ContactLaw> laws_of(const Round& r, const ContactStage& stage) {
  brief::vector<piles::ContactLaw> out;
  for (const int i : r.set.coupled) {
    const model::ContactLaw& law = law_of(r.tools.surfaces, r.set.points[at(i)]);
    out.push_back({law.friction, law.rolling, law.spinning, stage.targets[at(i)].cohesion});
  }
  return out;
}

/// Writes the impulses of the points and their rates without and with them into the stage. Rows
/// that yield in an impact make others of the rates without them than those with which points come.
void take_solution(const Round& r, const brief::VecX& free, const brief::VecX& p,
                   ContactStage& stage) {
  const brief::VecX after = free + times(r, stage.coupled.W, p);
  const brief::VecX before = stage.coupled.came.size() > 0 ? brief::VecX(stage.coupled.came) : free;
  for (int k = 0; k < count(r.set.coupled); ++k) {
    const std::size_t i = at(r.set.coupled[at(k)]);
    stage.p[i].head(r.rows) = p.segment(r.rows * k, r.rows);
    stage.before[i].head(r.rows) = before.segment(r.rows * k, r.rows);
    stage.after[i].head(r.rows) = after.segment(r.rows * k, r.rows);
    stage.before[i].head(r.rows) += r.set.own[i].head(r.rows);
    stage.after[i].head(r.rows) += r.set.own[i].head(r.rows);
  }
}

/// An island's points as piles::solve_dense takes them.
struct Dense {
  const MatX& W;
  std::span<const double> q;
  std::span<const piles::ContactLaw> laws;
  int rows;
};

/// Whether the impulses solve an island already, or to what rates mean, and better by no more than
/// a part than in the round before: solved again, they would be shared otherwise by what rows are
/// off, and so on in each round.
bool is_solved(const Dense& of, std::span<double> p, piles::ContactOptions options, double& off) {
  constexpr double kFalls = 0.1;
  options.method = piles::ContactOptions::Method::sweeps;
  options.sweeps = 0;
  const piles::ContactEffort now = piles::solve_dense(of.W, of.q, of.laws, p, options, of.rows);
  const double last = std::exchange(off, now.merit);
  return now.merit <= options.tolerance || (now.converged && !(now.merit <= kFalls * last));
}

piles::ContactEffort solve_island(const Round& r, const Dense& of, std::span<double> p,
                                  double& off) {
  piles::ContactOptions options = r.tools.settings.options;
  options.noise = r.enough;
  if (!r.first && is_solved(of, p, options, off)) return {0, 0, 0, true};
  return piles::solve_dense(of.W, of.q, of.laws, p, options, of.rows, piles::Share::least);
}

/// Returns the impulses of the points whose rates without them are `free`, and puts these and
/// their rates into the stage.
brief::VecX solve_islands(const Round& r, const brief::VecX& free, const brief::VecX& guess,
                          ContactStage& stage) {
  CoupledPoints& c = stage.coupled;
  brief::VecX q = free, out = guess;
  for (int k = 0; k < count(r.set.coupled); ++k) {
    const piles::ContactTargets& target = stage.targets[at(r.set.coupled[at(k)])];
    q.segment<3>(r.rows * k) -= target.u;
    if (r.rows == 6) q.segment<3>(r.rows * k + 3) -= target.w;
    if (!c.held[at(k)]) continue;
    q[r.rows * k] = law::kInf;
    out.segment(r.rows * k, r.rows).setZero();
  }
  const brief::vector<piles::ContactLaw> laws = laws_of(r, stage);
  c.merit = 0;
  c.unsolved.assign(c.W.size(), 0);
  if (r.first || c.off.size() != c.W.size()) c.off.assign(c.W.size(), law::kInf);
  for (int g = 0; g < count(c.W); ++g) {
    const std::size_t first = at(r.rows * r.begin(g)), n = at(r.rows * r.size(g));
    const Dense of{c.W[at(g)],
                   {q.data() + first, n},
                   std::span(laws).subspan(at(r.begin(g)), at(r.size(g))),
                   r.rows};
    const piles::ContactEffort effort = solve_island(r, of, {out.data() + first, n}, c.off[at(g)]);
    r.tools.report.sweeps += effort.sweeps;
    r.tools.report.newton += effort.newton;
    c.merit = std::max(c.merit, effort.merit);
    c.unsolved[at(g)] = !effort.converged;
  }
  take_solution(r, free, out, stage);
  return out;
}

/// True where the rates of points at velocities u are not those that W has foretold: rows hold by
/// now that did not, or have let go.
bool responds_otherwise(const Round& r, const ContactStage& stage, const std::vector<double>& u) {
  if (stage.coupled.W.empty()) return false;
  double off = 0, change = 0;
  for (const int k : r.set.coupled) {
    const std::size_t i = at(k);
    const Six& after = stage.after[i];
    off = std::max(off, (slip_at(r.set, i, u) - after).head<3>().lpNorm<Eigen::Infinity>());
    change = std::max(change, (after - stage.before[i]).head<3>().lpNorm<Eigen::Infinity>());
  }
  return off > r.tools.settings.options.tolerance + kForetold * change;
}

/// Makes the operator where there is none that holds.
enum class Renewed : unsigned char { no, yes, failed };
Renewed renew_operator(const Round& r, const std::vector<double>& u, ContactStage& stage) {
  if (responds_otherwise(r, stage, u)) stage.coupled.W.clear();
  if (!stage.coupled.W.empty()) return Renewed::no;
  return make_operator(r, u.size(), stage.coupled) ? Renewed::yes : Renewed::failed;
}

/// Rates and impulses of all points, one after the other.
struct Numbers {
  brief::VecX rates, p;
};
Numbers numbers_of(const Round& r, const std::vector<double>& u, const ContactStage& stage) {
  const int n = r.rows * count(r.set.coupled);
  Numbers out{brief::VecX(n), brief::VecX(n)};
  for (int k = 0; k < count(r.set.coupled); ++k) {
    const std::size_t i = at(r.set.coupled[at(k)]);
    out.rates.segment(r.rows * k, r.rows) = rates_at(r.set, i, u).head(r.rows);
    out.p.segment(r.rows * k, r.rows) = stage.p[i].head(r.rows);
  }
  return out;
}

/// The rates along the normals without impulses.
brief::vector<double> along_normals(const Round& r, const brief::VecX& free) {
  brief::vector<double> out;
  for (int k = 0; k < count(r.set.coupled); ++k)
    out.push_back(free[r.rows * k] + r.set.own[at(r.set.coupled[at(k)])][0]);
  return out;
}

/// What a solve begins with and what it finds: rates without impulses, impulses; false: rows cannot
/// be solved. Rows may press what they hold together, and yield.
struct Found {
  bool ok = true;
  brief::VecX free, p;
};
Found solve_round(const Round& r, const Numbers& now, std::size_t n_u, ContactStage& stage) {
  CoupledPoints& c = stage.coupled;
  Found out;
  out.free = now.rates - times(r, c.W, now.p);
  out.p = solve_islands(r, out.free, now.p, stage);
  if (std::none_of(c.unsolved.begin(), c.unsolved.end(), [](auto u) { return u; })) return out;
  out.ok = let_yield(r, n_u, c.unsolved, c);
  if (!out.ok) return out;
  out.free = now.rates - times(r, c.W, now.p);
  out.p = solve_islands(r, out.free, now.p, stage);
  return out;
}

/// True where impulses that change by p change the rates of an island by no more than enough; and,
/// in the first round, would not, did the rows not answer: of impulses that change no rates there
/// may be more, for which the rows answer otherwise.
bool is_settled(const MatX& W, const brief::VecX& p, bool first, double enough) {
  const double rates = (W * p).lpNorm<Eigen::Infinity>();
  const double unanswered = p.lpNorm<Eigen::Infinity>() * W.diagonal().maxCoeff();
  return rates <= enough && (!first || unanswered <= enough);
}

/// Adds to the momenta what impulses have changed. Those of islands where that is no more than
/// enough are left as the rows have answered them. Returns true where these are all.
bool give(const Round& r, const Numbers& now, Found found, bool first, double enough,
          ContactStage& stage, std::vector<double>& P) {
  bool all = true;
  for (int g = 0; g < r.set.groups(); ++g) {
    const int i = r.rows * r.begin(g), n = r.rows * r.size(g);
    const brief::VecX changed = found.p.segment(i, n) - now.p.segment(i, n);
    if (is_settled(stage.coupled.W[at(g)], changed, first, enough))
      found.p.segment(i, n) = now.p.segment(i, n);
    else
      all = false;
  }
  take_solution(r, found.free, found.p, stage);
  for (int k = 0; k < count(r.set.coupled) && !all; ++k) {
    Six more = Six::Zero();
    more.head(r.rows) = (found.p - now.p).segment(r.rows * k, r.rows);
    if (!more.isZero(0)) add_impulses(r.set, at(r.set.coupled[at(k)]), more, P);
  }
  return all;
}

/// Says why where rows press bodies into each other that no impulse can part. At the end of a step,
/// where rows meet their rates.
bool is_pressed_in(const ContactTools& tools, double h, const ContactEnd& end, std::string& why) {
  const std::vector<unsigned char>& held = end.stage.coupled.held;
  for (std::size_t k = 0; k < held.size(); ++k) {
    const std::size_t i = at(end.points.coupled[k]);
    const contact::Point& p = end.points.points[i];
    const double rate = end.stage.after[i][0];
    if (!held[k] || std::max(p.gap, 0.) + h * rate > -tools.settings.slop) continue;
    why = fmt::format(
        "joints press '{}' together at {:.3g} m/s, and no impulse of contact can part them: let "
        "something give way, or let these not touch",
        name_of(tools.surfaces, p), -rate);
    return true;
  }
  return false;
}

/// Points that are apart, and that what is struck beside them closes within the same instant, touch
/// from now on. Returns false where none is left.
bool let_meet(const ContactTools& tools, const ContactStart& start, ContactEnd& end) {
  bool any = false;
  for (const int k : end.points.coupled) {
    const std::size_t i = at(k);
    double& target = end.stage.targets[i].u[0];
    const double least = end.points.points[i].gap / start.instant;
    if (std::isfinite(target) || !(least > 0) || !std::isfinite(least)) continue;
    const double came = end.stage.before[i][0], goes = end.stage.after[i][0];
    if (came < -least || !(goes < -least)) continue;
    if (!strikes(tools.settings, start, end.points, i, -goes)) continue;
    target = -end.points.own[i][0];
    any = true;
  }
  return any;
}

/// Takes the impulses of a solve from between those with restitution and those without.
brief::VecX calmed(const Round& r, const ContactStart& start, const brief::VecX& free,
                   const brief::VecX& p, ContactEnd& end) {
  ContactStage calm = without_restitution(end);
  solve_islands(r, free, p, calm);
  ease(r.tools.surfaces, start, end.points.coupled, calm, end);
  brief::VecX out(p.size());
  for (int k = 0; k < count(end.points.coupled); ++k)
    out.segment(r.rows * k, r.rows) = end.stage.p[at(end.points.coupled[at(k)])].head(r.rows);
  return out;
}
}  // namespace

int rows_of(const ContactSurfaces& s, const PointSet& set) {
  const auto turns = [&](int i) {
    const model::ContactLaw& law = law_of(s, set.points[at(i)]);
    return law.rolling > 0 || law.spinning > 0;
  };
  return std::any_of(set.coupled.begin(), set.coupled.end(), turns) ? 6 : 3;
}

bool settle_start(Contacts& c, const model::KinematicsCache& at_, const RowResponse& respond,
                  bool first, double enough, std::vector<double>& P) {
  ContactStart& start = c.start;
  if (start.points.coupled.empty()) return true;
  if (is_too_large(start.points, c.told.failure)) return false;
  const ContactTools tools(c);
  const Round r{tools,  start.points, at_, respond, rows_of(c.surfaces, start.points),
                enough, first};
  const std::vector<double>& u = velocities(tools, at_, P);
  if (first) let_pass(start.h, c.surfaces, at_, u, c.finder, start.points, start.stage.targets);
  if (renew_operator(r, u, start.stage) == Renewed::failed) return false;
  const Numbers now = numbers_of(r, u, start.stage);
  Found found = solve_round(r, now, P.size(), start.stage);
  if (!found.ok) return false;
  if (first && c.settings.aims && aim_coupled_start(tools, start))
    found.p = solve_islands(r, found.free, found.p, start.stage);
  return give(r, now, found, first, enough, start.stage, P);
}

bool settle_end(Contacts& c, const model::KinematicsCache& at_, const RowResponse& respond,
                bool first, double enough, std::vector<double>& P) {
  ContactEnd& end = c.end;
  if (end.points.coupled.empty()) return true;
  if (is_too_large(end.points, c.told.failure)) return false;
  const ContactTools tools(c);
  const Round r{tools, end.points, at_, respond, rows_of(c.surfaces, end.points), enough, first};
  const std::vector<double>& u = velocities(tools, at_, P);
  const Renewed renewed = renew_operator(r, u, end.stage);
  if (renewed == Renewed::failed) return false;
  const Numbers now = numbers_of(r, u, end.stage);
  VecX& came = end.stage.coupled.came;
  if (came.size() == 0) {
    came = now.rates - times(r, end.stage.coupled.W, now.p);
    come_with_rates(tools, c.start, along_normals(r, came), end);
  }
  if (renewed == Renewed::yes) aim_coupled_end(tools, end);
  Found found = solve_round(r, now, P.size(), end.stage);
  if (!found.ok) return false;
  while (let_meet(tools, c.start, end)) found.p = solve_islands(r, found.free, found.p, end.stage);
  if (gains(c.surfaces, c.start, end, end.points.coupled))
    found.p = calmed(r, c.start, found.free, found.p, end);
  const bool settled = give(r, now, found, first, tools.settings.options.tolerance, end.stage, P);
  return !is_pressed_in(tools, c.start.h, end, c.told.failure) && settled;
}

}  // namespace trammel::constraint
