// What a step with contacts leaves behind: its works and impulses from outside, events, memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "constraint/contact.h"
#include "constraint/rows.h"
#include "math/index.h"
#include "math/parallel.h"
#include "model/ledger.h"
#include "model/reactions.h"

namespace trammel::constraint {

namespace {
constexpr std::size_t kMostImpacts = 8;  // impacts that a step tells of one by one

/// The work of impulses p at the rates v, which are those half way of what they change.
ContactWorks work(const Six& p, const Six& v, const Vec3& own) {
  return {p[0] * v[0], p.tail<5>().dot(v.tail<5>()), p.head<3>().dot(own)};
}

/// The sum of f(0), ..., f(n - 1), whatever the threads are.
template <class F>
ContactWorks sum_of(std::size_t n, const F& f) {
  std::vector<ContactWorks> pieces((n + kContactGrain - 1) / kContactGrain);
  parallel::for_each(count(pieces), [&](int piece) {
    const std::size_t first = at(piece) * kContactGrain;
    for (std::size_t i = first; i < std::min(n, first + kContactGrain); ++i)
      pieces[at(piece)] += f(i);
  });
  ContactWorks out;
  for (const ContactWorks& w : pieces) out += w;
  return out;
}

/// True where a body at a point strains.
bool strains(const ContactList& list, std::size_t i) {
  if (list.column[i] < 0) return false;
  const ContactColumns& c = list.columns[at(list.column[i])];
  return c.n[0] > 6 || c.n[1] > 6;
}
}  // namespace

/// The works in both stages: m at the mean of the rates before and after it. For L there is as well
/// what gravity and loads did on the way that it has shortened, (before - start) L: the sum is the
/// change of energy, whatever the contacts do.
void Contacts::add_works(std::span<double> ledger) const {
  ContactWorks sum = sum_of(now_->size(), [&](std::size_t i) {
    if (strains(*now_, i)) return ContactWorks{};
    Six mean = start_[i] + 0.5 * (first_.after[i] - first_.before[i]);
    if (!shift_.empty()) mean.head<3>() += shift_[i];
    return work(first_.p[i], mean, now_->own[i]);
  });
  sum += sum_of(next_->size(), [&](std::size_t i) {
    if (strains(*next_, i)) return work_of_strained(i);
    return work(second_.p[i], 0.5 * (second_.before[i] + second_.after[i]), next_->own[i]);
  });
  ledger[model::kImpacts] += sum.impacts;
  ledger[model::kContacts] += sum.contacts;
  ledger[model::kLocks] -= sum.drive;
  ledger[model::kCorrections] += push_work_;
}

/// The same where a body strains, whose inner forces change on the way: at the mean of the rates at
/// both ends of the step, of a point that has arrived that with which it has.
ContactWorks Contacts::work_of_strained(std::size_t i) const {
  Six p = second_.p[i], v = 0.5 * second_.after[i];
  if (partner_[i] >= 0) {
    const std::size_t k = at(partner_[i]);
    p += in_axes_of(*next_, i, *now_, k, first_.p[k]);
    v += 0.5 * in_axes_of(*next_, i, *now_, k, start_[k]);
    if (arrival_[i] > 0) v[0] = 0.5 * (second_.after[i][0] - arrival_[i]);
  } else {
    v += 0.5 * second_.before[i];
  }
  return work(p, v, next_->own[i]);
}

/// Adds the impulses of ends whose momenta are not in the balance on those whose are.
void Contacts::add_outside(const ContactList& list, const ContactStage& stage) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const contact::Point& point = list.points[i];
    const bool A = surfaces_.in_balance(point.A), B = surfaces_.in_balance(point.B);
    if (A == B) continue;
    const double sign = B ? 1 : -1;
    const Six& p = stage.p[i];
    const Vec3 f = p[0] * point.n + p[1] * list.t[i] + p[2] * list.s[i],
               torque = p[3] * point.n + p[4] * list.t[i] + p[5] * list.s[i];
    outside_.force += sign * f;
    outside_.moment += sign * (surfaces_.place(point).cross(f) + torque);
  }
}

void Contacts::add_wrenches(const model::KinematicsCache& first,
                            const model::KinematicsCache& second, double* wrench_impulses) const {
  model::ContactWrenches out(kin_.model(), wrench_impulses);
  const auto add = [&](const ContactList& list, const ContactStage& stage,
                       const model::KinematicsCache& at_) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Six& p = stage.p[i];
      if (p.isZero(0)) continue;
      const contact::Point& point = list.points[i];
      const Vec3 f = p[0] * point.n + p[1] * list.t[i] + p[2] * list.s[i],
                 torque = p[3] * point.n + p[4] * list.t[i] + p[5] * list.s[i],
                 x = surfaces_.place(point);
      out.add(surfaces_.object_of(point.A), at_, x, -f, -torque);
      out.add(surfaces_.object_of(point.B), at_, x, f, torque);
    }
  };
  add(*now_, first_, first);
  add(*next_, second_, second);
}

/// Tells of bodies that have come to touch each other in this step: faster than forces make of what
/// rests or slides in it.
void Contacts::report_impacts(const model::KinematicsCache& at_) {
  const double slow = kImpactSpeed * kin_.model().scales.speed;
  meetings_.clear();
  moved_.resize(kick_.size());
  kin_.velocities(at_, kick_.data(), moved_.data());
  for (std::size_t i = 0; i < next_->size(); ++i) {
    if (!(second_.p[i][0] > 0)) continue;
    const double into = partner_[i] >= 0 ? arrival_[i] : std::max(0., -second_.before[i][0]);
    if (!(into > slow && into > 2 * std::abs(rates_at(*next_, i, moved_)[0]))) continue;
    const contact::Point& p = next_->points[i];
    const Meeting m{surfaces_.object_of(p.A), surfaces_.object_of(p.B), into};
    Six given = second_.p[i];  // in both stages
    if (const int k = partner_[i]; k >= 0)
      given += in_axes_of(*next_, i, *now_, at(k), first_.p[at(k)]);
    impulses_.push_back(
        {m.a, m.b, given[0] * p.n + given[1] * next_->t[i] + given[2] * next_->s[i]});
    if (meetings_.empty() || meetings_.back().a != m.a || meetings_.back().b != m.b)
      meetings_.push_back(m);
    else
      meetings_.back().speed = std::max(meetings_.back().speed, into);
  }
  if (meetings_.empty()) return;
  // of each pair the fastest, then the fastest pairs
  std::sort(meetings_.begin(), meetings_.end(), [](const Meeting& a, const Meeting& b) {
    return std::tuple(a.a, a.b, -a.speed) < std::tuple(b.a, b.b, -b.speed);
  });
  meetings_.erase(
      std::unique(meetings_.begin(), meetings_.end(),
                  [](const Meeting& a, const Meeting& b) { return a.a == b.a && a.b == b.b; }),
      meetings_.end());
  const std::size_t pairs = meetings_.size();
  if (pairs > kMostImpacts) {
    std::stable_sort(meetings_.begin(), meetings_.end(),
                     [](const Meeting& a, const Meeting& b) { return a.speed > b.speed; });
    meetings_.resize(kMostImpacts);
  }
  const std::vector<model::Object>& o = kin_.model().objects;
  for (const Meeting& m : meetings_)
    events_.push_back({0, EventKind::impact, o[at(m.a)].name + ", " + o[at(m.b)].name,
                       "bodies have met", m.speed, "m/s"});
  if (pairs > kMostImpacts)
    events_.back().text += fmt::format(", and {} pairs more, slower", pairs - kMostImpacts);
}

/// Keeps the impulses of stage V by the keys of their points.
void Contacts::keep(model::State& state) {
  std::vector<std::int64_t>& key = state.contacts.key;
  std::vector<double>& kept = state.contacts.impulse;
  key.clear();
  kept.clear();
  for (std::size_t i = 0; i < next_->size(); ++i) {
    if (second_.p[i].isZero(0)) continue;
    const contact::Point& p = next_->points[i];
    key.insert(key.end(), {p.A, p.B, p.feature});
    kept.insert(kept.end(), second_.p[i].data(), second_.p[i].data() + 6);
  }
  kept_h_ = h_;
}

void Contacts::commit(const model::KinematicsCache& at_, const std::vector<double>& u,
                      model::State& state) {
  const double slow = kImpactSpeed * kin_.model().scales.speed;
  slips(*next_, u, second_.after);
  report_impacts(at_);  // and moved_: what forces make of rates in the step
  count_meetings();
  for (const ContactStage* stage : {&first_, &second_})
    take({0, 0, stage->merit, !stage->any_unsolved()});
  for (std::size_t i = 0; i < next_->size(); ++i) {
    report_.points += second_.p[i][0] > 0;
    const contact::Point& point = next_->points[i];
    if (pushed_[i] && second_.p[i][0] > 0 && arrival_[i] > slow &&
        arrival_[i] > 2 * std::abs(rates_at(*next_, i, moved_)[0]))
      report_.turned = std::max(report_.turned, turned_[i]);
    if (point.gap >= 0) continue;
    report_.depth = std::max(report_.depth, -point.gap);
    report_.sunk = std::max(report_.sunk, -point.gap / surfaces_.least_extent(point));
  }
  add_works(state.ledger);
  add_outside(*now_, first_);
  add_outside(*next_, second_);
  for (Event& e : events_) e.t = at_.t;
  keep(state);
  end_u_ = u;
  end_version_ = next_->version;
  std::swap(now_, next_);
  margin_.swap(next_margin_);
}

void Contacts::add_impulses_of_points(std::vector<PointImpulse>& out) const {
  const ContactList &start = *next_, &end = *now_;
  for (std::size_t i = 0; i < end.size(); ++i) {
    Six p = second_.p[i];
    if (const int k = partner_[i]; k >= 0) p += in_axes_of(end, i, start, at(k), first_.p[at(k)]);
    if (p[0] == 0) continue;
    const contact::Point& point = end.points[i];
    out.push_back({point, p[0] * point.n + p[1] * end.t[i] + p[2] * end.s[i]});
  }
}

}  // namespace trammel::constraint
