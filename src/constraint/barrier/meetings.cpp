// Bodies that have met.
#include <algorithm>
#include <map>
#include <utility>

#include "constraint/barrier/way.h"
#include "math/index.h"

namespace trammel::constraint {

void tell_meetings(const model::Model& m, const BarrierContact& c,
                   const model::KinematicsCache& start, double t, double slow,
                   std::vector<Event>& out) {
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
  const std::vector<model::Object>& o = m.objects;
  for (const auto& [pair, speed] : fastest)
    out.push_back({t, EventKind::impact, o[at(pair.first)].name + ", " + o[at(pair.second)].name,
                   "bodies have met", speed, "m/s"});
}

}  // namespace trammel::constraint
