// Pairs that are close as points with forces.
#include <algorithm>
#include <tuple>

#include "constraint/barrier/parts.h"

namespace trammel::constraint {

namespace {

/// What says which corner, edge or face it is, see contact::feature_of().
std::array<int, 2> feature_of_corners(std::vector<int> c) {
  std::sort(c.begin(), c.end());
  const auto low = [](int i) { return i % contact::kFace; };
  if (c.size() < 3) return {low(c.front()), low(c.back())};
  return {low(c[0] + 31 * c[1] + 961 * c[2]), contact::kFace};
}

void add(const std::vector<ContactForce>& all, std::vector<ContactForce>& out) {
  for (const ContactForce& f : all) {
    if (!out.empty() && out.back().point.A == f.point.A && out.back().point.B == f.point.B &&
        out.back().point.feature == f.point.feature)
      out.back().force += f.force;
    else
      out.push_back(f);
  }
}

}  // namespace

contact::Point point_of(const BarrierContact& c, const ClosePair& p) {
  const barrier::Candidate& k = c.candidates[at(p.candidate)];
  const barrier::Four x = places_of(c, k);
  Vec3 sides[2] = {Vec3::Zero(), Vec3::Zero()};
  double weights[2] = {0, 0};
  std::vector<int> corners[2];
  for (int i = 0; i < 4; ++i) {
    const int side = i < k.split ? 0 : 1;
    sides[side] += p.energy.at.w[at_(i)] * x[at_(i)];
    weights[side] += p.energy.at.w[at_(i)];
    if (p.energy.at.w[at_(i)] != 0) corners[side].push_back(k.corner[at_(i)]);
  }
  const auto of_a = feature_of_corners(corners[0]), of_b = feature_of_corners(corners[1]);
  contact::Point out{k.a,
                     k.b,
                     contact::feature_of(of_a[0], of_a[1], of_b[0], of_b[1]),
                     sides[0] / weights[0],
                     sides[1] / weights[1],
                     Vec3::Zero(),
                     p.energy.at.r.norm()};
  out.n = (out.p_B - out.p_A) / out.gap;
  return k.a < k.b ? out : contact::swapped(out);
}

std::vector<ContactForce> contact_points(const std::vector<body::Transform>& T_WO,
                                         const BarrierContact& c) {
  std::vector<ContactForce> all;
  for (const ClosePair& p : c.close) {
    const barrier::Candidate& k = c.candidates[at(p.candidate)];
    Vec3 on_a = Vec3::Zero();
    for (int i = 0; i < k.split; ++i) on_a -= p.energy.gradient.segment<3>(3 * i);
    all.push_back({point_of(c, p), k.a < k.b ? Vec3(-on_a) : on_a});
  }
  for (const Rubbing& r : c.rubbing) {
    contact::Point point = r.point;
    const auto on = [&](int o, const Vec3& x) { return Vec3(T_WO[at(o)].p + T_WO[at(o)].A * x); };
    point.p_A = on(r.turned ? r.b : r.a, r.turned ? r.on_b : r.on_a);
    point.p_B = on(r.turned ? r.a : r.b, r.turned ? r.on_a : r.on_b);
    point.gap = point.n.dot(point.p_B - point.p_A);
    const Vec3 on_b = friction_force(T_WO, c, r);
    all.push_back({point, r.turned ? Vec3(-on_b) : on_b});
  }
  std::stable_sort(all.begin(), all.end(), [](const ContactForce& a, const ContactForce& b) {
    const contact::Point &p = a.point, &q = b.point;
    return std::tie(p.A, p.B, p.feature) < std::tie(q.A, q.B, q.feature);
  });
  std::vector<ContactForce> out;
  add(all, out);
  std::erase_if(out, [](const ContactForce& f) { return f.force.isZero(0); });
  return out;
}

}  // namespace trammel::constraint
