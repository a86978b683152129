// What touches throughout a step, see "What stays in touch" in docs/theory/contact.md.
#include <algorithm>
#include <cmath>

#include "constraint/contact.h"
#include "constraint/contact_heaps.h"
#include "constraint/contact_match.h"
#include "math/index.h"

namespace trammel::constraint {

namespace {
constexpr int kMostFollowed = 4;  // times that stage P looks at where it has led

/// The spin of an object, at velocities u of the mechanism.
Vec3 spin_of(const model::Model& m, std::size_t object, const model::KinematicsCache& at_,
             const std::vector<double>& u) {
  const model::Object& o = m.objects[object];
  if (o.moved) return body::angular_velocity(o.motion_kind, at_.T_WO[object], at_.rate[object]);
  return o.block < 0 ? Vec3(Vec3::Zero()) : Vec3(vec3(u.data() + m.blocks[at(o.block)].v + 3));
}

/// Of a surface that is moved, at x0 at the start of a step of h and at x1 at its end: by how much
/// its mean velocity there is another one than ContactSurfaces::take_mean_motion() has taken. A
/// point of contact that goes on is at other places of it.
Vec3 gain_of(double h, const model::Model& m, std::size_t object, std::size_t other,
             const model::KinematicsCache& at_, const model::KinematicsCache& end,
             const std::vector<double>& u, const Vec3& x0, const Vec3& x1) {
  if (!m.objects[object].moved) return Vec3::Zero();
  const body::Transform &T0 = at_.T_WO[object], &T1 = end.T_WO[object];
  const Vec3 carried = T1.p + T1.A * (T0.A.transpose() * (x0 - T0.p)),
             w = spin_of(m, object, end, u), by_place = 0.5 * w.cross(x1 - carried);
  const Vec3 arms = (x1 - end.T_WO[other].p) - (x0 - at_.T_WO[other].p);
  if (ContactSurfaces::turns_with(spin_of(m, other, at_, u), w))
    return by_place + 0.5 * w.cross(arms);
  return by_place + (carried - x0 - (T1.p - T0.p)) / h - w.cross(x0 - T0.p);
}
}  // namespace

Vec3 Contacts::own_gain(const contact::Point& before, const contact::Point& after,
                        const model::KinematicsCache& at_, const model::KinematicsCache& end,
                        const std::vector<double>& u) const {
  const auto of = [&](int shape, int other) {
    return gain_of(h_, kin_.model(), at(surfaces_.object_of(shape)), at(surfaces_.object_of(other)),
                   at_, end, u, surfaces_.place(before), surfaces_.place(after));
  };
  return of(after.B, after.A) - of(after.A, after.B);
}

/// True for a point that pushes, had no gap, and is struck by nothing. Needs moved_.
bool Contacts::stays(std::size_t k) const {
  const contact::Point& p = now_->points[k];
  return first_.p[k][0] > 0 && !(counted_gap(p.gap, start_[k][0], h_) > 0) &&
         -start_[k][0] <= 2 * std::abs(rates_at(*now_, k, moved_)[0]) + options_.tolerance &&
         surfaces_.is_rigid(p);
}

/// True where a point that stays may have another rate at the end of the step than at its start, by
/// more than the tolerance: something turns, as much as that tells.
bool Contacts::bends(std::size_t k, const model::KinematicsCache& at_,
                     const std::vector<double>& u) const {
  const contact::Point& p = now_->points[k];
  double turn = 0, arm = 0;
  for (const int shape : {p.A, p.B}) {
    const std::size_t object = at(surfaces_.object_of(shape));
    const double angle = h_ * spin_of(kin_.model(), object, at_, u).norm();
    turn += angle;
    if (angle > 0) arm = std::max(arm, (surfaces_.place(p) - at_.T_WO[object].p).norm());
  }
  return turn * (turn * arm / h_ + rates_at(*now_, k, u).head<3>().norm()) > options_.tolerance;
}

/// True for a point that slides throughout the step: twice as fast as impulses of stage P change
/// its slip.
bool Contacts::slides(std::size_t k) const {
  const double slip = start_[k].segment<2>(1).norm();
  return slip > 2 * (first_.after[k] - first_.before[k]).segment<2>(1).norm() + options_.tolerance;
}

/// Point k of now_ is `p` where the drift with mean velocities u has led.
double Contacts::follow_point(const contact::Point& p, std::size_t k,
                              const model::KinematicsCache& at_, const model::KinematicsCache& end,
                              const std::vector<double>& u) {
  if (!stays(k)) return 0;
  const Vec3 at_end = surfaces_.slip(p, end, u), gain = own_gain(now_->points[k], p, at_, end, u);
  const Six at_start = rates_at(*now_, k, u);
  Vec3& aim = first_.targets[k].u;
  const Vec3 before = aim;
  const double opens = aims_first_[k][0] + now_->own[k][0];  // as it is to
  aim[0] -= (p.gap - std::min(now_->points[k].gap, 0.)) / h_ - opens;
  if (slides(k)) {  // friction at the start here, and at the end in stage V
    const Vec3 slip(0, first_.after[k][1], first_.after[k][2]), from(0, start_[k][1], start_[k][2]);
    aim.tail<2>() = (slip - now_->own[k] - slip.norm() * from.normalized()).tail<2>();
    return (aim - before).lpNorm<Eigen::Infinity>();
  }
  for (const auto& [r, axis] : {std::pair(1, now_->t[k]), {2, now_->s[k]}}) {
    const double mean = 0.5 * (at_start[r] + axis.dot(at_end));
    aim[r] = aims_first_[k][r] - axis.dot(gain) - (mean - (first_.after[k][r] - now_->own[k][r]));
  }
  return (aim - before).lpNorm<Eigen::Infinity>();
}

double Contacts::follow(const model::KinematicsCache& at_, const model::KinematicsCache& end,
                        const std::vector<double>& u, std::vector<double>& P) {
  if (followed_ >= kMostFollowed || now_->size() == 0 ||
      options_.method == solve::ContactOptions::Method::sweeps)
    return 0;
  if (followed_++ == 0) {
    moved_.resize(kick_.size());
    kin_.velocities(at_, kick_.data(), moved_.data());
    aims_first_.resize(now_->size());
    for (std::size_t k = 0; k < now_->size(); ++k) aims_first_[k] = first_.targets[k].u;
  }
  surfaces_.find_islands(*now_);
  const std::vector<unsigned char> heaps = find_heaps(*now_);
  const auto few = [&](std::size_t k) { return heaps.empty() || !heaps[k]; };
  bool any = false;
  for (std::size_t k = 0; k < now_->size() && !any; ++k)
    any = few(k) && stays(k) && bends(k, at_, u);
  if (!any) return 0;
  kin_.velocities(at_, P.data(), u_.data());
  slips(*now_, u_, first_.after);
  std::vector<contact::Point> points;
  surfaces_.find_points(end, surfaces_.margins(h_, at_, u_), points);
  double off = 0;
  const auto key_at = [&](std::size_t k) { return key_of(now_->points[k]); };
  match(points, now_->size(), key_at, [&](std::size_t i, std::size_t k) {
    if (few(k)) off = std::max(off, follow_point(points[i], k, at_, end, u));
  });
  if (off <= options_.tolerance) return off;
  if (heaps.empty()) {
    for (const int k : now_->lean) add_impulses(*now_, at(k), -first_.p[at(k)], P);
    solve_lean(*now_, at_, first_, P);
  } else {
    solve_beside(heaps, at_, P);
  }
  return off;
}

/// Solves stage P again for the lean points that are not of heaps, which do not feel these.
void Contacts::solve_beside(const std::vector<unsigned char>& heaps,
                            const model::KinematicsCache& at_, std::vector<double>& P) {
  std::vector<int> chosen;
  std::vector<solve::ContactPoint> points;
  std::vector<solve::ContactTargets> targets;
  std::vector<double> p;
  for (std::size_t k = 0; k < now_->lean.size(); ++k) {
    const int i = now_->lean[k];
    if (heaps[at(i)]) continue;
    chosen.push_back(i);
    points.push_back(now_->system.points()[k]);
    targets.push_back(first_.targets[at(i)]);
    p.insert(p.end(), first_.p[at(i)].data(), first_.p[at(i)].data() + 6);
    add_impulses(*now_, at(i), -first_.p[at(i)], P);
  }
  if (chosen.empty()) return;
  kin_.velocities(at_, P.data(), u_.data());
  take_velocities_of_free();
  solve::ContactSystem beside;
  beside.build(now_->system.bodies(), points);
  take(beside.solve(targets, v_, p, options_));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const std::size_t i = at(chosen[k]);
    first_.p[i] = Eigen::Map<const Six>(p.data() + 6 * k);
    first_.before[i] = slip_at(*now_, i, u_);
    add_impulses(*now_, i, first_.p[i], P);
  }
  kin_.velocities(at_, P.data(), u_.data());
  for (const int i : chosen) first_.after[at(i)] = slip_at(*now_, at(i), u_);
}

}  // namespace trammel::constraint
