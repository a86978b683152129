#include "solve/contact_system.h"

#include <vector>

#include "solve/contact_plain.h"

namespace trammel::solve {

struct ContactSystem::Parts {
  std::vector<ContactBody> bodies;
  std::vector<ContactPoint> points;
};

ContactSystem::ContactSystem() : parts_(std::make_unique<Parts>()) {}
ContactSystem::ContactSystem(ContactSystem&&) noexcept = default;
ContactSystem& ContactSystem::operator=(ContactSystem&&) noexcept = default;
ContactSystem::~ContactSystem() = default;

void ContactSystem::build(std::span<const ContactBody> bodies,
                          std::span<const ContactPoint> points) {
  parts_->bodies.assign(bodies.begin(), bodies.end());
  parts_->points.assign(points.begin(), points.end());
}

ContactEffort ContactSystem::solve(std::span<const ContactTargets> targets, std::span<double> v,
                                   std::span<double> p, const ContactOptions& options) {
  std::vector<ContactPoint> points = parts_->points;
  std::vector<ContactTargets> wanted(targets.begin(), targets.end());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (options.frictionless) points[i].mu = points[i].rolling = points[i].spinning = 0;
    if (!(wanted[i].u[0] > -1e300)) wanted[i].cohesion = 0;
  }
  contact::Plain plain(parts_->bodies, points);
  plain.add(p, v);
  ContactEffort effort;
  while (effort.sweeps < options.sweeps && !effort.converged) {
    effort.merit = plain.sweep(wanted, v, p);
    effort.converged = effort.merit <= options.tolerance;
    ++effort.sweeps;
  }
  return effort;
}

}  // namespace trammel::solve
