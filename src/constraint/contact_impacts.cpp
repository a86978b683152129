// How fast points leave what has struck: by an impact that is solved for by itself, with the rates
// at which bodies arrive. Stage V then makes these rates, and stage P lets go in time what they
// part.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "constraint/contact.h"
#include "math/index.h"

namespace trammel::constraint {

namespace {
constexpr double kAimAccuracy = 1e-12;  // of the fastest
constexpr double kNoImpact = 1e-9;      // of the fastest: what comes in more slowly does not strike
constexpr double kStands = 1e-6;        // of the fastest: what has come no faster is no striker

/// When in a step of h a point arrives that comes from `gap` and arrives at w: its share of h.
double share_of(double gap, double u0, double w, double h) {
  const double way = (w + std::abs(u0)) * h;
  return way > 2 * std::max(gap, 0.) ? 2 * std::max(gap, 0.) / way : 1;
}
}  // namespace

/// Finds the islands in which something arrives faster than forces make of what rests in a step, as
/// far as more than Newton's restitution holds there. Returns whether there are any.
bool Contacts::find_struck(ContactList& list, const model::KinematicsCache& at_,
                           const std::vector<unsigned char>& pushed,
                           const std::vector<double>& arrival) {
  struck_.assign(list.size(), 0);
  moved_.resize(kick_.size());
  kin_.velocities(at_, kick_.data(), moved_.data());
  surfaces_.find_islands(list);
  std::set<int> islands, with;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const model::ContactLaw& law = surfaces_.law(list.points[i]);
    if (law.poisson && law.restitution > 0) with.insert(list.island[i]);
    if (pushed[i] && arrival[i] > options_.tolerance &&
        arrival[i] > 2 * std::abs(rates_at(list, i, moved_)[0]))
      islands.insert(list.island[i]);
  }
  if (impacts_ == Impacts::simultaneous)
    std::erase_if(islands, [&](int island) { return !with.contains(island); });
  for (std::size_t i = 0; i < list.size(); ++i) struck_[i] = islands.contains(list.island[i]);
  return !islands.empty();
}

bool Contacts::any_struck(const std::vector<int>& points) const {
  return std::any_of(points.begin(), points.end(), [&](int i) { return struck_[at(i)] != 0; });
}

std::vector<ImpactPoint> Contacts::impact_points(const ContactList& list,
                                                 const std::vector<int>& points,
                                                 const std::vector<Vec3>& before) const {
  std::map<std::pair<int, int>, int> pairs;
  std::vector<ImpactPoint> out;
  for (const int i : points) {
    const contact::Point& p = list.points[at(i)];
    const model::ContactLaw& law = surfaces_.law(p);
    const std::pair bodies(surfaces_.object_of(p.A), surfaces_.object_of(p.B));
    ImpactPoint& to = out.emplace_back();
    to.pair = pairs.emplace(bodies, count(pairs)).first->second;
    to.mu = law.friction;
    to.restitution = law.restitution;
    to.poisson = law.poisson;
    to.before = before[at(i)];
    if (!struck_[at(i)]) to.before[0] = law::kInf;
  }
  return out;
}

/// The rates along the normals after the impact, of each of some points; NaN: it takes no part;
/// 0: it has pushed nothing.
std::vector<double> Contacts::rates_after(const ContactList& list, const std::vector<int>& points,
                                          const std::vector<Vec3>& before,
                                          ImpactResponse& response) {
  const std::vector<ImpactPoint> all = impact_points(list, points, before);
  double fastest = 0;
  for (const ImpactPoint& p : all)
    if (std::isfinite(p.before[0])) fastest = std::max(fastest, p.before.norm());
  const ImpactResult result =
      solve_impact(impacts_, all, kNoImpact * fastest, kAimAccuracy * fastest, response);
  report_.impacts += result.impacts;
  report_.ended = report_.ended && result.ended;
  report_.newton += result.effort.newton;
  report_.merit = std::max(report_.merit, result.effort.merit);
  report_.converged =
      report_.converged && (result.effort.converged || result.effort.merit <= options_.tolerance);
  std::vector<double> out(points.size(), std::nan(""));
  for (int k = 0; k < count(points); ++k)
    if (std::isfinite(all[at(k)].before[0]))
      out[at(k)] =
          result.p[3 * k] > 0 ? std::max(all[at(k)].before[0] + response.change(k)[0], 0.) : 0;
  return out;
}

/// Of an island of bound points, whose W has 3 or 6 rows a point.
DenseImpact Contacts::response_of(const ContactList& list, const MatX& W) const {
  const int rows = rows_of(list), n = static_cast<int>(W.rows()) / rows;
  MatX own(3 * n, 3 * n);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) own.block<3, 3>(3 * r, 3 * c) = W.block<3, 3>(rows * r, rows * c);
  return DenseImpact(std::move(own));
}

void Contacts::aim_bound_second() {
  if (!aims_) return;
  for (int g = 0; g < count(second_.W); ++g) {
    const std::vector<int> points = group_of(*next_, g);
    if (!any_struck(points)) continue;
    DenseImpact response = response_of(*next_, second_.W[at(g)]);
    aim_second(points, response);
  }
}

/// As aim_first(), of all bound points.
bool Contacts::aim_bound_first(const model::KinematicsCache& at_) {
  bool any = false;
  for (int g = 0; g < count(first_.W); ++g) {
    const std::vector<int> points = group_of(*now_, g);
    if (std::none_of(points.begin(), points.end(), [&](int i) {
          return first_.p[at(i)][0] > 0 && first_arrival(at(i)) > options_.tolerance;
        }))
      continue;
    DenseImpact response = response_of(*now_, first_.W[at(g)]);
    any = aim_first(at_, points, response) || any;
  }
  return any;
}

/// The slip of a point at the instant in which it has arrived, which lies within the step.
Vec3 Contacts::slip_of_arrival(std::size_t i) const {
  if (partner_[i] < 0) return met_[i].head<3>();
  const std::size_t k = at(partner_[i]);
  const double share = share_of(now_->points[k].gap, start_[k][0], arrival_[i], h_);
  const Six slip = start_[k] + 2 * share * (first_.before[k] - start_[k]);
  return in_axes_of(*next_, i, *now_, k, slip).head<3>();
}

/// What has arrived, at velocities u, in stage V.
void Contacts::meet(const model::KinematicsCache& at_, const std::vector<double>& u) {
  if (!find_struck(*next_, at_, pushed_, arrival_)) return;
  slips(*next_, u, met_);
  before_.resize(next_->size());
  for (std::size_t i = 0; i < next_->size(); ++i) {
    before_[i] = pushed_[i] ? slip_of_arrival(i) : Vec3(met_[i].head<3>());
    if (pushed_[i]) before_[i][0] = -arrival_[i];
    if (!std::isfinite(second_.targets[i].u[0])) before_[i][0] = law::kInf;
  }
  if (!any_struck(next_->lean)) return;
  BodyImpact response(next_->system);
  aim_second(next_->lean, response);
}

void Contacts::aim_second(const std::vector<int>& points, ImpactResponse& response) {
  const std::vector<double> after = rates_after(*next_, points, before_, response);
  for (int k = 0; k < count(points); ++k) {
    const std::size_t i = at(points[at(k)]);
    if (!std::isnan(after[at(k)])) second_.targets[i].u[0] = after[at(k)] - next_->own[i][0];
  }
}

/// What touches, and is parted by the impact of another that arrives within the step, goes apart
/// for the rest of it. Needs the impulses of stage P without that. Returns whether there is any.
bool Contacts::aim_first(const model::KinematicsCache& at_, const std::vector<int>& points,
                         ImpactResponse& response) {
  std::vector<unsigned char> pushed(now_->size(), 0);
  std::vector<double> arrives(now_->size(), 0);
  before_.assign(now_->size(), Vec3(law::kInf, 0, 0));
  for (const int k : points) {
    const std::size_t i = at(k);
    if (!(first_.p[i][0] > 0)) continue;
    pushed[i] = 1;
    arrives[i] = first_arrival(i);
    before_[i] = start_[i].head<3>();
    before_[i][0] = -arrives[i];
  }
  if (!find_struck(*now_, at_, pushed, arrives)) return false;
  std::map<int, std::pair<double, double>> strikers;  // of islands: the fastest, when it arrives
  for (const int k : points) {
    const std::size_t i = at(k);
    auto& [w, share] = strikers[now_->island[i]];
    if (arrives[i] <= w) continue;
    w = arrives[i];
    share = share_of(now_->points[i].gap, start_[i][0], w, h_);
  }
  const int told = report_.impacts;  // stage V counts them
  const std::vector<double> after = rates_after(*now_, points, before_, response);
  report_.impacts = told;
  bool any = false;
  for (int k = 0; k < count(points); ++k) {
    const std::size_t i = at(points[at(k)]);
    const auto& [w, share] = strikers[now_->island[i]];
    if (!(after[at(k)] > kNoImpact * w) || arrives[i] > kStands * w) continue;
    first_.targets[i].u[0] += (1 - share) * after[at(k)];
    any = true;
  }
  return any;
}

}  // namespace trammel::constraint
