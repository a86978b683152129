// What contacts by forces leave behind.
#include <algorithm>

#include "constraint/contact/wrenches.h"
#include "constraint/forces/parts.h"

namespace trammel::constraint {

Vec3 in_world(const Touch& t, const Vec3& p) { return p[0] * t.motion.n + p[1] * t.t + p[2] * t.s; }

void add_outside(const ContactForces& c, const Touch& t, const Vec3& p, Wrench& out) {
  const bool A = c.surfaces.in_balance(t.point.A), B = c.surfaces.in_balance(t.point.B);
  if (A == B) return;
  const Vec3 f = (B ? 1 : -1) * in_world(t, p);
  out.force += f;
  out.moment += t.motion.x.cross(f);
}

void add_wrenches(const ContactForces& c, const Touches& now, const std::vector<Vec3>& impulses,
                  const model::KinematicsCache& at_, double* wrench_impulses) {
  ContactWrenches out(c.kin().model(), wrench_impulses);
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    const Touch& t = now.all[i];
    const Vec3 f = in_world(t, impulses[i]);
    out.add(c.surfaces.object_of(t.point.A), at_, t.motion.x, -f);
    out.add(c.surfaces.object_of(t.point.B), at_, t.motion.x, f);
  }
}

void add_impulses(const ContactForces& c, const Touches& now, const std::vector<Vec3>& impulses,
                  std::vector<ContactImpulse>& out) {
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    if (impulses[i].isZero(0)) continue;
    const Touch& t = now.all[i];
    out.push_back({c.surfaces.object_of(t.point.A), c.surfaces.object_of(t.point.B),
                   in_world(t, impulses[i])});
  }
}

ContactPowers powers(const ContactForces& c, const Touches& now) {
  ContactPowers out;
  for (const Touch& t : now.all) {
    add_outside(c, t, t.p, out.outside);
    out.friction += t.p.tail<2>().dot(t.rate.tail<2>());
    out.drives -= t.p.dot(t.own);
  }
  return out;
}

ContactReport take_report(ContactForces& c, const Touches& now) {
  ContactReport out = c.struck;
  c.struck = {};
  for (const Touch& t : now.all) {
    out.points += t.p[0] > 0;
    out.depth = std::max(out.depth, -t.motion.gap);
    out.sunk = std::max(out.sunk, -t.motion.gap / least_extent(c.surfaces, t.point));
  }
  return out;
}

void forces_of(const Touches& now, std::vector<ContactForce>& out) {
  out.clear();
  for (const Touch& t : now.all) {
    if (t.p.isZero(0)) continue;
    contact::Point p = t.point;
    p.n = t.motion.n;
    p.gap = t.motion.gap;
    p.p_B = t.motion.x;
    p.p_A = p.p_B - p.gap * p.n;
    out.push_back({p, in_world(t, t.p)});
  }
}

void tell(ContactForces& c, std::vector<Event>& out) {
  out.insert(out.end(), c.events.begin(), c.events.end());
  c.events.clear();
}

}  // namespace trammel::constraint
