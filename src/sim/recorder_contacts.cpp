// Contacts of a frame: totals as channels, points as rows.
#include <algorithm>
#include <set>

#include "math/index.h"
#include "sim/recorder.h"

namespace trammel::sim {

namespace {

constexpr std::size_t kMostPairs = 100;  // of bodies that have channels of their own

std::set<int> objects_with_shapes(const model::Model& m) {
  std::set<int> out;
  for (const model::ContactShape& s : m.contacts.shapes) out.insert(s.object);
  return out;
}

int object_of(const model::Model& m, int shape) { return m.contacts.shapes[at(shape)].object; }

}  // namespace

void Recorder::add_contacts() {
  const model::Model& m = *model_;
  add({"/contacts/state", "", {"contacts"}, {"points", "depth"}, {"1", "m"}},
      &Recorder::contact_state);
  add_contact_pairs();
  std::vector<std::string> names;
  for (const int o : objects_with_shapes(m)) {
    if (m.objects[at(o)].at_rest()) continue;
    touchers_.push_back(o);
    names.push_back(m.objects[at(o)].name);
  }
  if (!names.empty())
    add({"/contacts/body", "contact_force", names, {"x", "y", "z"}, {"N", "N", "N"}},
        &Recorder::contact_forces);
  lists_.push_back({"/contacts/points",
                    {"shape_a", "shape_b", "feature_a", "feature_b", "x", "y", "z", "nx", "ny",
                     "nz", "fx", "fy", "fz", "gap"},
                    {"1", "1", "1", "1", "m", "m", "m", "1", "1", "1", "N", "N", "N", "m"}});
}

/// The pairs that may touch, where they are few.
void Recorder::add_contact_pairs() {
  const model::Model& m = *model_;
  const contact::PairRule rule = model::pair_rule(m);
  const std::set<int> touching = objects_with_shapes(m);
  Quantity q{"/contacts/force", "force", {}, {"x", "y", "z"}, {"N", "N", "N"}};
  for (auto a = touching.begin(); a != touching.end(); ++a)
    for (auto b = std::next(a); b != touching.end(); ++b) {
      if (!rule.may_meet(*a, *b)) continue;
      const bool first_is_held = rule.is_fixed(*a);
      pairs_.push_back(first_is_held ? std::array{*b, *a} : std::array{*a, *b});
      if (pairs_.size() > kMostPairs) return pairs_.clear();
    }
  for (const auto& [a, b] : pairs_)
    q.items.push_back("contact." + m.objects[at(a)].name + "." + m.objects[at(b)].name);
  if (!pairs_.empty()) add(std::move(q), &Recorder::pair_forces);
}

void Recorder::contact_state() {
  const constraint::ContactReport& r = sim_->last().contacts;
  row_ = {static_cast<double>(r.points), r.depth};
}

void Recorder::pair_forces() {
  row_.assign(3 * pairs_.size(), 0);
  for (const constraint::ContactForce& c : touching_) {
    const int a = object_of(*model_, c.point.A), b = object_of(*model_, c.point.B);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double sign = pairs_[i] == std::array{b, a}   ? 1
                          : pairs_[i] == std::array{a, b} ? -1
                                                          : 0;
      for (int k = 0; k < 3 && sign != 0; ++k) row_[3 * i + at(k)] += sign * c.force[k];
    }
  }
}

void Recorder::contact_forces() {
  on_object_.assign(model_->objects.size(), Vec3::Zero());
  for (const constraint::ContactForce& c : touching_) {
    on_object_[at(object_of(*model_, c.point.A))] -= c.force;
    on_object_[at(object_of(*model_, c.point.B))] += c.force;
  }
  for (const int o : touchers_) put(on_object_[at(o)]);
}

const std::vector<double>& Recorder::rows(std::size_t) {
  constexpr std::int64_t kSide = std::int64_t{1} << 30;  // of a feature: what is of A and of B
  row_.clear();
  for (const constraint::ContactForce& c : touching_) {
    const contact::Point& p = c.point;
    const auto number = [](auto i) { return static_cast<double>(i); };
    row_.insert(row_.end(),
                {number(p.A), number(p.B), number(p.feature / kSide), number(p.feature % kSide)});
    put(0.5 * (p.p_A + p.p_B));
    put(p.n);
    put(c.force);
    row_.push_back(p.gap);
  }
  return row_;
}

}  // namespace trammel::sim
