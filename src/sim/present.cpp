#include "sim/present.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "math/index.h"
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

Present::Present(const Simulation& simulation) : sim_(&simulation), recorder_(simulation) {
  const model::Model& m = sim_->model();
  angle_ = counted_angles(m);
  int first = 0;
  for (const model::Joint& joint : m.joints) {
    first_angle_.push_back(first);
    first += count(joint.table->coordinates);
  }
  rate_.resize(m.objects.size());
  bias_.resize(m.objects.size());
}

/// The rate of one object; of those that its block carries with it.
const body::Rate& Present::rate_of(int i) {
  const form::Formulation& f = sim_->formulation();
  const model::Object& o = sim_->model().objects[at(i)];
  if (o.moved) return f.now().rate[at(i)];
  if (o.block < 0) return rate_[at(i)];
  const model::PoolSlot& s = sim_->model().pools[at(o.pool)];
  s.pool->rates_of(o.index / s.pool->n_objects, 1, f.kinematics().derived().data() + s.derived,
                   sim_->state().q.data() + s.q, f.velocities().data() + s.v,
                   f.now().T_WO.data() + s.object, rate_.data() + s.object,
                   bias_.data() + s.object);
  return rate_[at(i)];
}

Pose Present::pose(model::BodyHandle body) const {
  const int i = model::checked(sim_->model(), body);
  const model::Object& o = sim_->model().objects[at(i)];
  const body::Transform& T = sim_->formulation().now().T_WO[at(i)];
  return {T.p - T.A * o.com, body::rotation(o.motion_kind, T.A)};
}

Vec3 Present::velocity(model::BodyHandle body) {
  return rate_of(model::checked(sim_->model(), body)).v;
}

Vec3 Present::angular_velocity(model::BodyHandle body) {
  const int i = model::checked(sim_->model(), body);
  return body::angular_velocity(sim_->model().objects[at(i)].motion_kind,
                                sim_->formulation().now().T_WO[at(i)], rate_of(i));
}

double Present::coordinate(model::CoordinateHandle h) const {
  const joint::Coordinate& c = model::checked(sim_->model(), h);
  const int angle = angle_[at(first_angle_[h.joint]) + h.coordinate];
  return coordinate_now(*sim_, sim_->formulation().now(), static_cast<int>(h.joint), c, angle);
}

double Present::rate(model::CoordinateHandle h) {
  const joint::Coordinate& c = model::checked(sim_->model(), h);
  const model::Kinematics& kin = sim_->formulation().kinematics();
  const model::KinematicsCache& now = sim_->formulation().now();
  const model::Joint& joint = kin.model().joints[h.joint];
  const auto a = at(joint.object_A), b = at(joint.object_B);
  rate_of(joint.object_A);
  rate_of(joint.object_B);
  const auto moving = [&](std::size_t i) {
    return sim_->model().objects[i].moved ? &now.rate[i] : &rate_[i];
  };
  const auto turning = [&](std::size_t i) {
    return sim_->model().objects[i].moved ? &now.bias[i] : &bias_[i];
  };
  joint::Arc along = joint.arc < 0 ? joint::Arc{} : now.arc[at(joint.arc)];
  joint::Sample sample;
  joint::SampleRates rates;
  const joint::Ends ends = kin.ends(static_cast<int>(h.joint), now);
  joint::sample(ends, c.row.features(), 2, along, sample);
  joint::sample_rates(ends, sample, c.row.features(),
                      {moving(a), moving(b), turning(a), turning(b)}, rates);
  return c.sign * joint::rates(c.row, sample, rates).rate;
}

double Present::force(model::LawHandle law) const {
  const int row = sim_->model().laws[at(model::checked(sim_->model(), law))].row;
  if (row < 0) throw std::invalid_argument("the law acts on no coordinate of a joint");
  return sim_->model().rows[at(row)].sign * sim_->formulation().row_forces()[at(row)];
}

model::Reaction Present::reaction(model::JointHandle joint) const {
  const auto j = at(model::checked(sim_->model(), joint));
  if (!sim_->state().on[j] || sim_->model().joints[j].coupling >= 0) return {};
  return sim_->formulation().reaction(j);
}

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

double Present::sensor(std::string_view name) { return of("/sensors/value", name)[0]; }

model::Reaction Present::reaction(std::string_view joint) {
  const std::vector<double> r = of("/joints/reactions", joint);
  return {vec3(r.data()), vec3(r.data() + 3)};
}

}  // namespace trammel::sim
