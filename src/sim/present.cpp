#include "sim/present.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "math/rotation.h"
#include "units/nearest.h"

namespace trammel::sim {

namespace {

[[noreturn]] void unknown(std::string_view what, std::string_view name,
                          const std::vector<std::string>& known) {
  throw std::invalid_argument(
      fmt::format("{} has no '{}'{}", what, name, units::did_you_mean(name, known)));
}

}  // namespace

std::vector<double> Present::of(std::string_view dataset, std::string_view item) {
  const std::vector<Quantity>& all = recorder_.quantities();
  const auto q =
      std::find_if(all.begin(), all.end(), [&](const Quantity& x) { return x.path == dataset; });
  if (q == all.end()) {
    std::vector<std::string> known;
    for (const Quantity& x : all) known.push_back(x.path);
    unknown("the simulation", dataset, known);
  }
  const auto found = std::find(q->items.begin(), q->items.end(), item);
  if (found == q->items.end()) unknown(dataset, item, q->items);
  recorder_.begin_frame();
  const std::vector<double>& row = recorder_.frame(static_cast<std::size_t>(q - all.begin()));
  const auto width = static_cast<long>(row.size() / q->items.size());
  const auto first = row.begin() + (found - q->items.begin()) * width;
  return {first, first + width};
}

Pose Present::pose(std::string_view body) {
  const std::vector<double> p = of("/bodies/position", body), q = of("/bodies/orientation", body);
  return {vec3(p.data()), Quat(q[0], q[1], q[2], q[3]).toRotationMatrix()};
}

Vec3 Present::velocity(std::string_view body) { return vec3(of("/bodies/velocity", body).data()); }

Vec3 Present::angular_velocity(std::string_view body) {
  return vec3(of("/bodies/angular_velocity", body).data());
}

double Present::coordinate(std::string_view name) { return of("/joints/coordinates", name)[0]; }

double Present::rate(std::string_view name) { return of("/joints/rates", name)[0]; }

double Present::force(std::string_view law) { return of("/laws/force", law)[0]; }

model::Reaction Present::reaction(std::string_view joint) {
  const std::vector<double> r = of("/joints/reactions", joint);
  return {vec3(r.data()), vec3(r.data() + 3)};
}

}  // namespace trammel::sim
