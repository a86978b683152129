// Frictions that follow the load of a joint: whose reaction that is, and whether there is one.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "joint/row.h"
#include "math/index.h"
#include "model/draft.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

/// Complaints about the load of one law.
class Load {
 public:
  Load(Draft& draft, const LawSpec& spec, LawOnRow& law) : d_(draft), s_(spec), law_(law) {}

  void find() {
    if (law_.of_table)
      return complain("coordinate",
                      fmt::format("'{}' is a row of joint '{}' itself: friction is on "
                                  "a coordinate that is free",
                                  row().name, own().name));
    law_.load = s_.load.empty() ? law_.joint : coupling();
    if (law_.load < 0) return;
    check_sizes();
    if (s_.load.empty()) check_reaction();
  }

 private:
  void complain(const char* key, const std::string& text) {
    d_.complain(*key ? s_.path + "." + key : s_.path, fmt::format("law '{}': {}", s_.name, text));
  }
  const Joint& own() const { return d_.model.joints[at(law_.joint)]; }
  const RowInfo& row() const { return d_.model.rows[at(law_.row)]; }
  bool given(const char* key) const {
    const auto it = s_.numbers.find(key);
    return it != s_.numbers.end() && it->second > 0;
  }

  /// Returns the coupling of the name given; -1: complained. It must hold the joint's coordinates.
  int coupling() {
    const Model& m = d_.model;
    std::vector<std::string> known;
    for (const Coupling& c : m.couplings) {
      const Joint& j = m.joints[at(c.joint)];
      bool holds = false;
      for (int k = 0; k < c.n; ++k) holds |= m.sources[at(c.first_source + k)].joint == law_.joint;
      if (holds) known.push_back(j.name);
      if (!holds || j.name != s_.load) continue;
      if (std::abs(c.h.a[0]) != 1) {
        complain("load", fmt::format("the load is the force on the first coordinate of coupling "
                                     "'{}': give that a coefficient of 1, not {}",
                                     j.name, c.h.a[0]));
        return -1;
      }
      if (m.rows[at(c.row)].row.unit() == joint::Unit::metre) return c.joint;
      complain("load", fmt::format("the reaction of coupling '{}' is a torque: a load is a force; "
                                   "name the length first in its 'of'",
                                   j.name));
      return -1;
    }
    complain("load",
             fmt::format("'{}' is no coupling of a coordinate of joint '{}': what slides is loaded "
                         "by the reaction of its joint or of a coupling{}",
                         s_.load, own().name, units::did_you_mean(s_.load, known)));
    return -1;
  }

  void check_sizes() {
    const bool length = row().row.unit() == joint::Unit::metre;
    if (!length && !given("radius"))
      complain("", fmt::format("'{}' is an angle: the friction is a torque, and needs the 'radius' "
                               "at which it acts",
                               row().name));
    if (length && given("radius"))
      complain("radius",
               fmt::format("'{}' is a length: friction along it has no lever", row().name));
    if (!given("length")) return;
    const auto& free = own().table->coordinates;
    const bool turns = std::any_of(free.begin(), free.end(), [](const joint::Coordinate& c) {
      return c.row.unit() != joint::Unit::metre;
    });
    if (turns || !s_.load.empty())
      complain("length", fmt::format("a guide of some length is that of a slide whose bodies do "
                                     "not turn against each other; joint '{}' lets them",
                                     own().name));
  }

  /// The forces that press on a joint are those of its rows that hold lengths.
  void check_reaction() {
    bool any = false;
    for (std::size_t k = 0; k < own().table->rows.size(); ++k) {
      const RowInfo& held = d_.model.rows[at(own().first_row) + k];
      const LawOnRow& by = d_.model.laws[at(held.law)];
      if (joint::push(held.row).force == Vec3::Zero()) continue;
      const double* p = d_.params.values.data() + by.law.first_param;
      if (by.law.type->constraint(by.law, p, 0).is_force())
        return complain("", fmt::format("row '{}' of joint '{}' is under law '{}', which gives its "
                                        "force: friction follows what rows hold by themselves",
                                        held.name, own().name, by.name));
      any = true;
    }
    if (!any)
      complain("joint", fmt::format("joint '{}' has no reaction that presses on anything: friction "
                                    "that follows a load wants rows like Ay.D, Az.D, as those of a "
                                    "slide or a bearing; without them 'friction' has a force",
                                    own().name));
  }

  Draft& d_;
  const LawSpec& s_;
  LawOnRow& law_;
};

}  // namespace

void Draft::find_loads(const std::vector<LawSpec>& specs) {
  if (!problems.empty()) return;  // of rows that are not there
  for (const LawSpec& s : specs) {
    const auto it = law_index.find(&s);
    if (it == law_index.end()) continue;
    LawOnRow& law = model.laws[at_(it->second)];
    if (law.law.type->follows_load)
      Load(*this, s, law).find();
    else if (!s.load.empty())
      complain(s.path + ".load",
               fmt::format("law '{}': a {} follows no load", s.name, law.law.type->name));
  }
}

}  // namespace trammel::model
