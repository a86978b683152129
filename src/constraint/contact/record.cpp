#include "constraint/contact/record.h"

#include <algorithm>

#include "constraint/contact/wrenches.h"
#include "math/index.h"

namespace trammel::constraint {

namespace {

constexpr std::size_t kMostPairs = 100;  // of bodies that have channels of their own

void put(const Vec3& v, std::vector<double>& out) { out.insert(out.end(), {v.x(), v.y(), v.z()}); }

}  // namespace

ContactRecord::ContactRecord(const model::Model& model) : model_(&model) {
  if (!can_touch(model)) return;
  quantities_.push_back({"/contacts/state", "", {"contacts"}, {"points", "depth"}, {"1", "m"}});
  fills_.push_back(&ContactRecord::state);
  add_pairs();
  add_bodies();
  add_impulses();
}

/// The pairs that may touch, where they are few.
void ContactRecord::add_pairs() {
  const model::Model& m = *model_;
  const contact::PairRule rule = model::pair_rule(m);
  const std::vector<int> touching = m.contacts.objects();
  for (auto a = touching.begin(); a != touching.end(); ++a)
    for (auto b = std::next(a); b != touching.end(); ++b) {
      if (!rule.may_meet(*a, *b)) continue;
      const bool first_is_held = rule.is_fixed(*a);
      pairs_.push_back(first_is_held ? std::array{*b, *a} : std::array{*a, *b});
      if (pairs_.size() > kMostPairs) return pairs_.clear();
    }
  if (pairs_.empty()) return;
  model::Quantity q{std::string(kPairs), "force", {}, {"x", "y", "z"}, {"N", "N", "N"}};
  for (const auto& [a, b] : pairs_)
    q.items.push_back("contact." + m.objects[at(a)].name + "." + m.objects[at(b)].name);
  quantities_.push_back(std::move(q));
  fills_.push_back(&ContactRecord::pair_forces);
}

void ContactRecord::add_bodies() {
  model::Quantity q{std::string(kBodies), "contact_force", {}, {"x", "y", "z"}, {"N", "N", "N"}};
  for (const int o : model_->contacts.objects()) {
    if (model_->objects[at(o)].at_rest()) continue;
    bodies_.push_back(o);
    q.items.push_back(model_->objects[at(o)].name);
  }
  if (bodies_.empty()) return;
  quantities_.push_back(std::move(q));
  fills_.push_back(&ContactRecord::body_forces);
}

void ContactRecord::add_impulses() {
  model::Quantity q{"/contacts/impulse",
                    "impulse",
                    {},
                    {"fx", "fy", "fz", "tx", "ty", "tz"},
                    {"N s", "N s", "N s", "N m s", "N m s", "N m s"}};
  for (const int o : touching_objects(*model_)) q.items.push_back(model_->objects[at(o)].name);
  if (q.items.empty()) return;
  quantities_.push_back(std::move(q));
  fills_.push_back(&ContactRecord::body_impulses);
}

std::vector<model::Listing> ContactRecord::lists() const {
  if (quantities_.empty()) return {};
  return {{"/contacts/points",
           {"shape_a", "shape_b", "feature_a", "feature_b", "x", "y", "z", "nx", "ny", "nz", "fx",
            "fy", "fz", "gap"},
           {"1", "1", "1", "1", "m", "m", "m", "1", "1", "1", "N", "N", "N", "m"}}};
}

void ContactRecord::fill(std::size_t quantity, std::vector<double>& out) {
  (this->*fills_[quantity])(out);
}

void ContactRecord::state(std::vector<double>& out) {
  out.insert(out.end(), {static_cast<double>(now.report.points), now.report.depth});
}

void ContactRecord::pair_forces(std::vector<double>& out) {
  const std::size_t first = out.size();
  out.resize(first + 3 * pairs_.size(), 0);
  for (const ContactForce& c : now.points) {
    const int a = model_->contacts.object_of(c.point.A), b = model_->contacts.object_of(c.point.B);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double sign = pairs_[i] == std::array{b, a}   ? 1
                          : pairs_[i] == std::array{a, b} ? -1
                                                          : 0;
      for (int k = 0; k < 3 && sign != 0; ++k) out[first + 3 * i + at(k)] += sign * c.force[k];
    }
  }
}

void ContactRecord::body_forces(std::vector<double>& out) {
  on_object_.assign(model_->objects.size(), Vec3::Zero());
  for (const ContactForce& c : now.points) {
    on_object_[at(model_->contacts.object_of(c.point.A))] -= c.force;
    on_object_[at(model_->contacts.object_of(c.point.B))] += c.force;
  }
  for (const int o : bodies_) put(on_object_[at(o)], out);
}

/// They are the last ones.
void ContactRecord::body_impulses(std::vector<double>& out) {
  const std::size_t n = kContactImpulse * touching_objects(*model_).size();
  const std::span<const double> own = now.impulses.last(n);
  out.insert(out.end(), own.begin(), own.end());
}

void ContactRecord::fill_rows(std::vector<double>& out) const {
  constexpr std::int64_t kSide = std::int64_t{1} << 30;  // of a feature: what is of A and of B
  for (const ContactForce& c : now.points) {
    const contact::Point& p = c.point;
    const auto number = [](auto i) { return static_cast<double>(i); };
    out.insert(out.end(),
               {number(p.A), number(p.B), number(p.feature / kSide), number(p.feature % kSide)});
    put(0.5 * (p.p_A + p.p_B), out);
    put(p.n, out);
    put(c.force, out);
    out.push_back(p.gap);
  }
}

/// The item of a pair, or of an object; -1: it has none.
int ContactRecord::pair_of(int a, int b) const {
  for (int i = 0; i < count(pairs_); ++i)
    if (pairs_[at(i)] == std::array{a, b} || pairs_[at(i)] == std::array{b, a}) return i;
  return -1;
}

int ContactRecord::body_of(int object) const {
  const auto i = std::lower_bound(bodies_.begin(), bodies_.end(), object);
  return i != bodies_.end() && *i == object ? static_cast<int>(i - bodies_.begin()) : -1;
}

void ContactRecord::add(const std::vector<ContactImpulse>& impulses, std::vector<Vec3>& sum,
                        std::vector<unsigned char>* met) const {
  const auto give = [&](int item, const Vec3& p) {
    if (item < 0 || item >= count(sum)) return;
    sum[at(item)] += p;
    if (met) (*met)[at(item)] = 1;
  };
  for (const ContactImpulse& c : impulses) {
    if (by_pairs()) {
      give(pair_of(c.A, c.B), c.on_B);
    } else {
      give(body_of(c.A), -c.on_B);
      give(body_of(c.B), c.on_B);
    }
  }
}

model::Constants touching_shapes(const model::Model& m) {
  model::Constants out{"/model/contact_shapes",
                       {},
                       {"x", "y", "z", "qw", "qx", "qy", "qz", "size_1", "size_2", "size_3"},
                       {"m", "m", "m", "1", "1", "1", "1", "m", "m", "m"},
                       {},
                       {{"body", {}}, {"kind", {}}, {"material", {}}}};
  for (std::size_t i = 0; i < m.contacts.shapes.size(); ++i) {
    const model::ContactShape& s = m.contacts.shapes[i];
    out.items.push_back(s.name.empty() ? std::to_string(i) : s.name);
    model::put_frame(s.X_OS, m.objects[at(s.object)], out.values);
    put(s.shape.size, out.values);
    out.labels[0].second.push_back(m.objects[at(s.object)].name);
    out.labels[1].second.emplace_back(contact::name_of(s.shape.kind));
    out.labels[2].second.push_back(m.contacts.materials[at(s.material)]);
  }
  return out;
}

}  // namespace trammel::constraint
