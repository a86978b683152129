// Contact by a barrier as points with forces, for results.
#include "form/energy_contact_points.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "math/index.h"

namespace trammel::form::energy {

namespace {

using constraint::ContactForce;

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

std::vector<ContactForce> contact_points(const Mechanism& m,
                                         const std::vector<body::Transform>& T_WO,
                                         const Contact& c) {
  std::vector<ContactForce> all;
  for (const ClosePair& p : c.close) {
    const contact::barrier::Candidate& k = c.candidates[at(p.candidate)];
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
    const Vec3 on_b = friction_force(m, T_WO, c, r);
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

void report_meetings(const Mechanism& m, const Contact& c, const model::KinematicsCache& start,
                     double t, double slow, StepReport& report) {
  std::map<std::pair<int, int>, double> fastest;  // of two objects
  const auto velocity = [&](int o, const Vec3& x) {
    const body::Transform& T = start.T_WO[at(o)];
    const body::Rate& r = start.rate[at(o)];
    return Vec3(r.v + r.A * T.A.inverse() * (x - T.p));
  };
  for (const ClosePair& p : c.close) {
    const contact::barrier::Candidate& k = c.candidates[at(p.candidate)];
    const std::pair surfaces(std::min(k.a, k.b), std::max(k.a, k.b));
    if (std::binary_search(c.at_start.begin(), c.at_start.end(), surfaces)) continue;
    const contact::Point x = point_of(c, p);
    const int A = c.object[at(x.A)], B = c.object[at(x.B)];
    const double speed = -x.n.dot(velocity(B, x.p_B) - velocity(A, x.p_A));
    if (!(speed > slow)) continue;
    double& v = fastest[std::pair(A, B)];
    v = std::max(v, speed);
  }
  const std::vector<model::Object>& o = m.model->objects;
  for (const auto& [pair, speed] : fastest)
    report.events.push_back({t, EventKind::impact,
                             o[at(pair.first)].name + ", " + o[at(pair.second)].name,
                             "bodies have met", speed, "m/s"});
}

}  // namespace trammel::form::energy
