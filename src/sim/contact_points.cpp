#include "sim/contact_points.h"

#include <utility>

#include "math/index.h"

namespace trammel::sim {

namespace {

/// The same point with its sides exchanged.
ContactPoint turned(ContactPoint p) {
  std::swap(p.a, p.b);
  std::swap(p.shape_a, p.shape_b);
  p.normal = -p.normal;
  p.force = -p.force;
  return p;
}

}  // namespace

std::vector<ContactPoint> contact_points(const Simulation& simulation) {
  const model::Model& m = simulation.model();
  const auto body = [&](int shape) {
    return model::body_handle(m, m.contacts.shapes[at(shape)].object);
  };
  std::vector<ContactPoint> out;
  for (const constraint::ContactForce& c : simulation.formulation().contact_forces()) {
    const contact::Point& p = c.point;
    out.push_back({body(p.A), body(p.B), p.A, p.B, 0.5 * (p.p_A + p.p_B), p.n, c.force, p.gap});
  }
  return out;
}

std::vector<ContactPoint> contact_points_of(const Simulation& simulation, model::BodyHandle body) {
  model::checked(simulation.model(), body);
  std::vector<ContactPoint> out;
  for (const ContactPoint& p : contact_points(simulation)) {
    if (p.b == body) out.push_back(p);
    if (p.a == body) out.push_back(turned(p));
  }
  return out;
}

std::vector<ContactPoint> contact_points_between(const Simulation& simulation, model::BodyHandle a,
                                                 model::BodyHandle b) {
  model::checked(simulation.model(), a);
  std::vector<ContactPoint> out;
  for (const ContactPoint& p : contact_points_of(simulation, b))
    if (p.a == a) out.push_back(p);
  return out;
}

}  // namespace trammel::sim
