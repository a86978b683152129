#include "constraint/piles/system.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "constraint/piles/bodies.h"
#include "constraint/piles/lanes.h"
#include "math/brief.h"
#include "math/parallel.h"

namespace trammel::constraint::piles {

using Method = ContactOptions::Method;

namespace {

constexpr int kFirst = 10;  // sweeps before Newton
// of an island that goes to Newton by itself: beyond, a step of it costs as much as 40 to 80 sweeps
constexpr int kMostPoints = 600;
constexpr int kShares = 16;  // points of an island whose load is shared evenly, not by their order

}  // namespace

struct ContactSystem::Parts {
  struct Solve {
    std::span<const ContactTargets> targets;
    std::span<double> v, p;
    const ContactOptions& options;
  };

  std::vector<ContactBody> bodies;
  std::vector<ContactPoint> points;
  std::vector<unsigned char> moves;
  Order order;
  Lanes<Widest> lanes;
  std::vector<double> merit_of_pair, free, guess, kept_v, kept_p, kept_merit;
  std::vector<int> sweeps_of_group, newton_of_island;
  std::vector<unsigned char> left;    // islands to go on with
  std::vector<unsigned char> shares;  // islands of which one solution of many is asked for

  void sweep(const Solve& solve, int most);
  void run(const Group& group, double tolerance, int most, int& sweeps);
  double merit_of(int first_island, int n) const;
  int points_of(int island) const;
  bool has_base(const Solve& solve, int island) const;
  void sweep_on(const Solve& solve, int most);
  void restore(const Solve& solve, int island);
  bool any_left() const;
  void newton_round(const Solve& solve);
  void newton(const Solve& solve, int island);
  bool may_share(int island) const;
  void share(const Solve& solve, int island);
  template <class F>
  void each_pair(int island, const F& f) const {
    for (int i = order.island_first[at(island)]; i < order.island_first[at(island + 1)]; ++i)
      f(order.pairs_of_islands[at(i)], order.pairs[at(order.pairs_of_islands[at(i)])]);
  }
  ContactEffort effort(const Solve& solve) const;
};

ContactSystem::ContactSystem() : parts_(std::make_unique<Parts>()) {}
ContactSystem::ContactSystem(ContactSystem&&) noexcept = default;
ContactSystem& ContactSystem::operator=(ContactSystem&&) noexcept = default;
ContactSystem::~ContactSystem() = default;

void ContactSystem::build(std::span<const ContactBody> bodies,
                          std::span<const ContactPoint> points) {
  parts_->bodies.assign(bodies.begin(), bodies.end());
  parts_->points.assign(points.begin(), points.end());
  make();
}

void ContactSystem::build_of(std::vector<ContactBody>& bodies, std::vector<ContactPoint>& points) {
  parts_->bodies.swap(bodies);
  parts_->points.swap(points);
  make();
}

std::span<const ContactBody> ContactSystem::bodies() const { return parts_->bodies; }
std::span<const ContactPoint> ContactSystem::points() const { return parts_->points; }

void ContactSystem::make() {
  Parts& parts = *parts_;
  parts.moves.resize(parts.bodies.size());
  std::transform(parts.bodies.begin(), parts.bodies.end(), parts.moves.begin(),
                 [](const ContactBody& body) { return piles::moves(body); });
  parts.order.build(parts.moves, parts.points);
  parts.lanes.build(parts.bodies, parts.moves, parts.points, parts.order);
  parts.merit_of_pair.resize(parts.order.pairs.size());
  parts.sweeps_of_group.resize(parts.order.groups.size());
}

/// The greatest error of islands.
double ContactSystem::Parts::merit_of(int first_island, int n) const {
  double merit = 0;
  for (int i = order.island_first[at(first_island)]; i < order.island_first[at(first_island + n)];
       ++i)
    merit = std::max(merit, merit_of_pair[at(order.pairs_of_islands[at(i)])]);
  return merit;
}

int ContactSystem::Parts::points_of(int island) const {
  int n = 0;
  for (int i = order.island_first[at(island)]; i < order.island_first[at(island + 1)]; ++i)
    n += order.pairs[at(order.pairs_of_islands[at(i)])].n;
  return n;
}

/// True where sweeps do not see all of the law.
bool ContactSystem::Parts::has_base(const Solve& solve, int island) const {
  for (int i = order.island_first[at(island)]; i < order.island_first[at(island + 1)]; ++i) {
    const Pair& pair = order.pairs[at(order.pairs_of_islands[at(i)])];
    for (int k = pair.first; k < pair.first + pair.n; ++k)
      if (solve.targets[at(k)].base > 0) return true;
  }
  return false;
}

/// Sweeps until a sweep changed little and the errors, looked at for themselves, are small.
void ContactSystem::Parts::run(const Group& group, double tolerance, int most, int& sweeps) {
  for (int i = 0; i < most;) {
    const double off = lanes.sweep(group);
    ++sweeps;
    if (++i == most || off > tolerance) continue;
    lanes.check(group, merit_of_pair);
    if (merit_of(group.first_island, group.n_islands) <= tolerance) return;
  }
  lanes.check(group, merit_of_pair);
}

/// Sweeps over the groups with islands that are left.
void ContactSystem::Parts::sweep(const Solve& solve, int most) {
  lanes.load(solve.targets, free, solve.p, solve.options.frictionless);
  const auto try_group = [&](int i, bool large) {
    const Group& group = order.groups[at(i)];
    const auto first = left.begin() + group.first_island;
    if (group.large == large &&
        std::any_of(first, first + group.n_islands, [](int x) { return x; }))
      run(group, solve.options.tolerance, most, sweeps_of_group[at(i)]);
  };
  const int n = static_cast<int>(order.groups.size());
  parallel::for_each(n, [&](int i) { try_group(i, false); });
  for (int i = 0; i < n; ++i) try_group(i, true);
  lanes.store(solve.targets, solve.v, solve.p);
}

/// Puts an island back to what it had.
void ContactSystem::Parts::restore(const Solve& solve, int island) {
  for (int i = order.island_first[at(island)]; i < order.island_first[at(island + 1)]; ++i) {
    const int number = order.pairs_of_islands[at(i)];
    const Pair& pair = order.pairs[at(number)];
    for (const int body : {pair.a, pair.b})
      if (moves[at(body)]) std::copy_n(&kept_v[6 * at(body)], 6, &solve.v[6 * at(body)]);
    std::copy_n(&kept_p[6 * at(pair.first)], 6 * at(pair.n), &solve.p[6 * at(pair.first)]);
    merit_of_pair[at(number)] = kept_merit[at(number)];
  }
}

/// Further sweeps over groups with islands that are left. The better of before and after is kept,
/// and islands that were not left stay as they were.
void ContactSystem::Parts::sweep_on(const Solve& solve, int most) {
  kept_v.assign(solve.v.begin(), solve.v.end());
  kept_p.assign(solve.p.begin(), solve.p.end());
  kept_merit = merit_of_pair;
  sweep(solve, most);
  for (int i = 0; i < order.islands(); ++i) {
    const double after = merit_of(i, 1);
    merit_of_pair.swap(kept_merit);
    const double before = merit_of(i, 1);
    merit_of_pair.swap(kept_merit);
    if (!left[at(i)] || !(after <= before)) restore(solve, i);
    left[at(i)] = left[at(i)] && merit_of(i, 1) > solve.options.tolerance;
  }
}

void ContactSystem::Parts::newton(const Solve& solve, int island) {
  brief::vector<int> chosen;
  brief::vector<NewtonPoint> asked;
  int rows = 3;
  for (int i = order.island_first[at(island)]; i < order.island_first[at(island + 1)]; ++i) {
    const Pair& pair = order.pairs[at(order.pairs_of_islands[at(i)])];
    for (int k = pair.first; k < pair.first + pair.n; ++k) {
      const ContactPoint& c = points[at(k)];
      NewtonPoint point;
      point.numbers = piles::point_numbers(c, bodies[at(c.a)], bodies[at(c.b)]);
      if (!solve.options.frictionless) point.law = {c.mu, c.rolling, c.spinning, 0};
      point.law.cohesion = piles::cohesion_of(solve.targets[at(k)]);
      point.law.base = solve.targets[at(k)].base;
      point.takes_part = piles::takes_part(solve.targets[at(k)]);
      if (point.law.rolling > 0 || point.law.spinning > 0) rows = 6;
      chosen.push_back(k);
      asked.push_back(point);
    }
  }
  BodyOperator of(bodies, points, chosen, solve.targets, rows, free);
  brief::VecX p(static_cast<Eigen::Index>(chosen.size()) * rows), near = p, w;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    std::copy_n(&solve.p[6 * at(chosen[i])], rows, p.data() + static_cast<int>(i) * rows);
    std::copy_n(&guess[6 * at(chosen[i])], rows, near.data() + static_cast<int>(i) * rows);
  }
  const bool least = may_share(island);
  const NewtonReport report =
      piles::newton(of, asked, rows, solve.options, p, least ? nullptr : &near);
  if (least) open_parting(of, asked, rows, p);
  newton_of_island[at(island)] += report.iterations;
  left[at(island)] = report.merit > std::max(solve.options.tolerance, rounding_of(asked, rows, p));
  of.rates(p, w);
  of.store(solve.v);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    std::copy_n(p.data() + static_cast<int>(i) * rows, rows, &solve.p[6 * at(chosen[i])]);
  for (int i = order.island_first[at(island)]; i < order.island_first[at(island + 1)]; ++i)
    merit_of_pair[at(order.pairs_of_islands[at(i)])] = report.merit;
}

bool ContactSystem::Parts::any_left() const {
  return std::any_of(left.begin(), left.end(), [](int x) { return x; });
}

/// Newton for the islands that are left, as far as it is for them.
void ContactSystem::Parts::newton_round(const Solve& solve) {
  const bool newtons = solve.options.method != Method::sweeps && solve.options.newton > 0;
  shares.assign(at(order.islands()), 0);
  for (int i = 0; i < order.islands(); ++i) {
    const bool off = merit_of(i, 1) > solve.options.tolerance || has_base(solve, i);
    shares[at(i)] = newtons && left[at(i)] && !off && may_share(i);
    left[at(i)] = left[at(i)] && off;
  }
  if (!newtons) return;
  parallel::for_each(order.islands(), [&](int i) {
    if (left[at(i)] && (solve.options.method == Method::newton || points_of(i) <= kMostPoints))
      newton(solve, i);
    if (shares[at(i)]) share(solve, i);
  });
}

/// True for few points that may share their load in many ways, among which sweeps choose by order.
bool ContactSystem::Parts::may_share(int island) const {
  const int n = points_of(island);
  return n > 1 && n <= kShares;
}

/// Makes of a solution the one that is nearest to the guess, if Newton finds it.
void ContactSystem::Parts::share(const Solve& solve, int island) {
  brief::vector<double> v, p, merit;
  each_pair(island, [&](int number, const Pair& pair) {
    for (const int body : {pair.a, pair.b})
      v.insert(v.end(), &solve.v[6 * at(body)], &solve.v[6 * at(body)] + 6);
    p.insert(p.end(), &solve.p[6 * at(pair.first)], &solve.p[6 * at(pair.first)] + 6 * pair.n);
    merit.push_back(merit_of_pair[at(number)]);
  });
  newton(solve, island);
  if (!left[at(island)]) return;
  left[at(island)] = 0;
  auto from_v = v.begin(), from_p = p.begin();
  auto from_merit = merit.begin();
  each_pair(island, [&](int number, const Pair& pair) {
    for (const int body : {pair.a, pair.b}) {
      if (moves[at(body)]) std::copy_n(from_v, 6, &solve.v[6 * at(body)]);
      from_v += 6;
    }
    std::copy_n(from_p, 6 * pair.n, &solve.p[6 * at(pair.first)]);
    from_p += 6 * pair.n;
    merit_of_pair[at(number)] = *from_merit++;
  });
}

ContactEffort ContactSystem::Parts::effort(const Solve& solve) const {
  ContactEffort out;
  for (double merit : merit_of_pair) out.merit = std::max(out.merit, merit);
  for (int sweeps : sweeps_of_group) out.sweeps = std::max(out.sweeps, sweeps);
  for (int newton : newton_of_island) out.newton = std::max(out.newton, newton);
  if (!std::all_of(solve.v.begin(), solve.v.end(), [](double x) { return std::isfinite(x); }))
    out.merit = std::numeric_limits<double>::quiet_NaN();
  out.converged =
      std::none_of(left.begin(), left.end(), [](int x) { return x; }) && std::isfinite(out.merit);
  return out;
}

ContactEffort ContactSystem::solve(std::span<const ContactTargets> targets, std::span<double> v,
                                   std::span<double> p, const ContactOptions& options) {
  Parts& parts = *parts_;
  const Parts::Solve solve{targets, v, p, options};
  const int islands = parts.order.islands();
  parts.free.assign(v.begin(), v.end());
  parts.sweeps_of_group.assign(parts.order.groups.size(), 0);
  parts.newton_of_island.assign(at(islands), 0);
  parts.left.assign(at(islands), 1);
  const bool sweeps_only = options.method == Method::sweeps;
  if (!sweeps_only) parts.guess.assign(p.begin(), p.end());
  const int first = sweeps_only ? options.sweeps : std::min(kFirst, options.sweeps);
  parts.sweep(solve, first);
  parts.newton_round(solve);
  const bool more =
      options.method == Method::automatic && options.sweeps > first && parts.any_left();
  if (more) {
    parts.sweep_on(solve, options.sweeps - first);
    parts.newton_round(solve);
  }
  return parts.effort(solve);
}

}  // namespace trammel::constraint::piles
