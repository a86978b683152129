#include "judge.h"

#include <algorithm>

#include "math/rotation.h"

namespace trammel::bench {

namespace {

double energy(const Body& b, const State& x) {
  const Vec3 w = x.q.conjugate() * x.w;
  return b.mass * (x.v.squaredNorm() / 2 + kGravity * x.p.z()) + b.inertia.dot(w.cwiseAbs2()) / 2;
}

void add_joint(const Joint& j, const State& a, const State& b, Vec3 gap, Look& out) {
  const Vec3 axis = a.q * j.axis;
  if (j.kind == Kind::slider) {
    const double travel = gap.dot(axis);
    gap -= travel * axis;
    out.energy += j.stiffness * travel * travel / 2;
    out.angle = std::max(out.angle, log_quat(a.q.conjugate() * b.q).norm());
  } else if (j.kind == Kind::hinge) {
    out.angle = std::max(out.angle, axis.cross(b.q * j.axis).norm());
  }
  out.gap = std::max(out.gap, gap.norm());
}

}  // namespace

Look judge(const Scene& scene, const std::vector<State>& now) {
  Look out;
  for (std::size_t i = 0; i < now.size(); ++i) out.energy += energy(scene.bodies[i], now[i]);
  for (const Joint& j : scene.joints) {
    const auto b = static_cast<std::size_t>(j.b), a = static_cast<std::size_t>(j.a);
    const State at_a = j.a < 0 ? State{} : now[a];
    const Vec3 from_a = j.a < 0 ? j.at : Vec3(j.at - scene.bodies[a].p);
    const Vec3 end_a = at_a.p + at_a.q * from_a;
    const Vec3 end_b = now[b].p + now[b].q * (j.at - scene.bodies[b].p);
    add_joint(j, at_a, now[b], end_b - end_a, out);
  }
  return out;
}

}  // namespace trammel::bench
