#include "verify/impacts.h"

#include <algorithm>
#include <numeric>

#include "constraint/row_kinds.h"
#include "contact/shape.h"
#include "math/index.h"
#include "model/constraint_specs.h"

namespace trammel::verify {

namespace {

constexpr std::size_t kMostImpacts = 1000;
constexpr double kMostNumbers = 1e6;  // that are kept of shocks
constexpr double kLocated = 3e-10;    // of a step: impacts by forces are located to that

}  // namespace

Shocks::Shocks(const model::Built& built, const sim::Settings& settings,
               const std::vector<int>& object)
    : model_(*built.model),
      object_(object),
      body_(model_.objects.size(), -1),
      touches_(can_touch(model_)),
      late_(settings.form.formulation != form::Settings::Formulation::acceleration),
      h_(settings.step),
      folded_(object.size()) {
  if (settings.form.formulation == form::Settings::Formulation::energy)
    reach_ = settings.form.barrier.distance;
  for (std::size_t i = 0; i < object_.size(); ++i) body_[at(object_[i])] = static_cast<int>(i);
  extent_.resize(object_.size());
  for (const model::ContactShape& s : model_.contacts.shapes)
    if (const int i = body_[at(s.object)]; i >= 0)
      extent_[at(i)] = std::max(extent_[at(i)], s.X_OS.p.norm() + contact::extent(s.shape).reach);
  for (std::size_t i = 0; i < model_.objects.size(); ++i)
    named_[model_.objects[i].name] = static_cast<int>(i);
  parent_.resize(object_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const model::Joint& j : model_.joints)
    if (j.coupling < 0) join(j.object_A, j.object_B);
  for (std::size_t i = 1; i < object_.size() && !model_.couplings.empty(); ++i)
    join(object_[0], object_[i]);
  find_rebounding(built);
}

/// A coupling has no bodies of its own, and joins them all.
void Shocks::find_rebounding(const model::Built& built) {
  for (const model::Joint& j : model_.joints) named_joints_.insert(j.name);
  const model::ConstraintSpecs specs(model_, built.params);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!constraint::rebounds(specs[i])) continue;
    const model::Joint& j = model_.joints[at(model_.rows[i].joint)];
    int body = j.coupling < 0 ? std::max(body_[at(j.object_A)], body_[at(j.object_B)]) : 0;
    if (object_.empty()) body = -1;
    rebounding_[j.name] = body;
  }
  strikes_ = touches_ || (late_ && !rebounding_.empty());
}

/// True for two bodies that have come to touch, and for a stop that throws back. Impacts in which
/// rows jump have their energy as a value.
bool Shocks::counts(const form::Event& e) const {
  if (e.kind != form::EventKind::impact || e.unit == "J") return false;
  return named_joints_.count(e.subject) == 0 || (late_ && rebounding_.count(e.subject) > 0);
}

/// Returns those of an impact that move freely.
std::vector<int> Shocks::bodies_of(const form::Event& e) const {
  std::vector<int> out;
  if (const auto stop = rebounding_.find(e.subject); stop != rebounding_.end()) {
    if (stop->second >= 0) out.push_back(stop->second);
    return out;
  }
  const std::size_t comma = e.subject.find(", ");
  for (const std::string& name :
       {e.subject.substr(0, comma),
        comma == std::string::npos ? std::string() : e.subject.substr(comma + 2)})
    if (const auto o = named_.find(name); o != named_.end() && body_[at(o->second)] >= 0)
      out.push_back(body_[at(o->second)]);
  return out;
}

/// Bodies that a joint or a contact has brought together know of each other's impacts.
void Shocks::join(int object_a, int object_b) {
  const int a = body_[at(object_a)], b = body_[at(object_b)];
  if (a >= 0 && b >= 0) parent_[at(group(a))] = group(b);
}

int Shocks::group(int body) const {
  while (parent_[at(body)] != body) body = parent_[at(body)] = parent_[at(parent_[at(body)])];
  return body;
}

/// A barrier acts before surfaces have met.
double Shocks::window(double speed) const {
  if (!late_) return kLocated * h_;
  return h_ + (reach_ > 0 ? reach_ / speed : 0);
}

std::vector<Shocks::Rate> Shocks::rates(const sim::Simulation& run,
                                        const std::vector<double>& u) const {
  model::KinematicsCache now = run.formulation().now();
  run.formulation().kinematics().rates(run.state().q.data(), u.data(), now);
  std::vector<Rate> out;
  for (const int o : object_)
    out.push_back({now.rate[at(o)].v, body::angular_velocity(model_.objects[at(o)].motion_kind,
                                                             now.T_WO[at(o)], now.rate[at(o)])});
  return out;
}

void Shocks::before(const sim::Simulation& run) {
  if (strikes_ && late_) u_ = run.formulation().velocities();
}

void Shocks::after(sim::Simulation& run) {
  if (!strikes_) return;
  if (late_ && touches_ && object_.size() > 1)
    for (const constraint::ContactForce& c : run.formulation().contact_forces())
      join(model_.contacts.shapes[at(c.point.A)].object,
           model_.contacts.shapes[at(c.point.B)].object);
  std::vector<form::Event> met = run.take_events();
  std::erase_if(met, [this](const form::Event& e) { return !counts(e); });
  if (late_) watch(run.formulation().velocities(), !met.empty());
  if (!met.empty()) strike(run, met);
}

/// (2), of the step that has led from u_ to u.
void Shocks::watch(const std::vector<double>& u, bool struck) {
  change_.resize(object_.size());
  bend_.resize(object_.size());
  for (std::size_t i = 0; i < object_.size(); ++i) {
    const model::Object& o = model_.objects[at(object_[i])];
    if (o.jacobian >= 0) continue;  // its unknowns are not velocity and spin
    const double *now = u.data() + model_.blocks[at(o.block)].v,
                 *then = u_.data() + model_.blocks[at(o.block)].v;
    const Rate change{vec3(now) - vec3(then),
                      body::turn(o.motion_kind, now) - body::turn(o.motion_kind, then)};
    const Rate bend{change.v - change_[i].v, change.w - change_[i].w};
    if (calm_ >= 2 && !struck)
      kink_.take({h_ * (bend.v.norm() + bend_[i].v.norm()) / 8,
                  h_ * (bend.w.norm() + bend_[i].w.norm()) / 8, static_cast<int>(i),
                  static_cast<int>(i)});
    change_[i] = change;
    bend_[i] = bend;
  }
  calm_ = struck ? 0 : calm_ + 1;
}

/// (1), of a body that moves so now.
Distance Shocks::off(std::size_t body, const Rate& now) const {
  const Folded& f = folded_[body];
  Distance out = f.sum;
  out.length_body = out.angle_body = static_cast<int>(body);
  out.length += f.windows * now.v.norm();
  out.angle += f.windows * now.w.norm();
  for (const Shock& s : shocks_) {
    if (group(s.group) != group(static_cast<int>(body))) continue;
    const Rate &a = s.before[body], &b = s.after[body];
    out.length += s.window * std::max((a.v - now.v).norm(), (b.v - now.v).norm());
    out.angle += s.window * std::max((a.w - now.w).norm(), (b.w - now.w).norm());
  }
  return out;
}

/// The windows of all impacts that a body may know of [s].
double Shocks::windows(int body) const {
  double out = folded_[at(body)].windows;
  for (const Shock& s : shocks_)
    if (group(s.group) == group(body)) out += s.window;
  return out;
}

/// Takes up the impacts of a step.
void Shocks::strike(const sim::Simulation& run, const std::vector<form::Event>& met) {
  std::vector<Rate> before, after;
  if (late_) {
    before = rates(run, u_);
    after = rates(run, run.formulation().velocities());
  }
  for (const form::Event& e : met) {
    Impact impact{e.subject, e.t, e.value, window(e.value), 0};
    int struck = -1;
    for (const int body : bodies_of(e)) {
      struck = body;
      if (!late_) continue;
      const Distance d = off(at(struck), before[at(struck)]);
      impact.late = std::max(impact.late, d.length + extent_[at(struck)] * d.angle);
    }
    const bool told = rebounding_.count(e.subject) == 0;
    // windows add up to a delay, and no more; what is slow may be off by as little, but for long
    const double delay = struck < 0 ? 0 : windows(struck),
                 reach =
                     impact.window + (told ? std::min(impact.late / impact.speed, delay) : delay);
    first_strike = std::min(first_strike, e.t);
    if (first_strike == e.t)
      first = std::min(first, e.t - reach);  // none comes before those of the first step
    if (told && impacts.size() < kMostImpacts) impacts.push_back(impact);
    if (!late_ || struck < 0) continue;
    Distance jump;  // of what has been seen already, and may have come before it
    for (std::size_t i = 0; i < before.size(); ++i)
      jump.take({(after[i].v - before[i].v).norm(), (after[i].w - before[i].w).norm(), 0, 0});
    for (std::size_t k = late.size(); k > 0 && times_[k - 1] > e.t - reach; --k) {
      late[k - 1].length += reach * jump.length;
      late[k - 1].angle += reach * jump.angle;
    }
    const auto same = std::find_if(shocks_.rbegin(), shocks_.rend(), [&](const Shock& s) {
      return s.t != e.t || group(s.group) == group(struck);
    });
    if (same != shocks_.rend() && same->t == e.t)  // of the same step: one jump
      same->window = std::max(same->window, impact.window);
    else
      shocks_.push_back({struck, e.t, impact.window, before, after});
  }
  if (static_cast<double>(shocks_.size() * object_.size()) > kMostNumbers / 12) fold();
}

/// Keeps of all shocks so far no more than their sums.
void Shocks::fold() {
  for (std::size_t i = 0; i < object_.size(); ++i)
    for (const Shock& s : shocks_) {
      if (group(s.group) != group(static_cast<int>(i))) continue;
      const Rate &a = s.before[i], &b = s.after[i];
      folded_[i].windows += s.window;
      folded_[i].sum.length += s.window * std::max(a.v.norm(), b.v.norm());
      folded_[i].sum.angle += s.window * std::max(a.w.norm(), b.w.norm());
    }
  shocks_.clear();
}

void Shocks::see(const sim::Simulation& run) {
  Distance worst;  // of the impacts
  if (strikes_ && late_ && first < std::numeric_limits<double>::infinity()) {
    const std::vector<Rate> now = rates(run, run.formulation().velocities());
    for (std::size_t i = 0; i < now.size(); ++i) worst.take(off(i, now[i]));
  }
  worst.length += kink_.length;
  worst.angle += kink_.angle;
  times_.push_back(run.state().t);
  late.push_back(worst);
}

}  // namespace trammel::verify
