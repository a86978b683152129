#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "constraint/forces/phases.h"

namespace trammel::constraint {

/// Contact by forces in the steps of a mechanism; where nothing can touch it is none, and what is
/// asked of it then is what holds without. See constraint/forces/phases.h.
class ActingContacts {
 public:
  ActingContacts(const model::Kinematics& kin, const piles::ContactOptions& options,
                 Impacts impacts);
  explicit operator bool() const { return all_ != nullptr; }
  ContactForces& operator*() const { return *all_; }

  /// Takes up a state; needs the rates.
  void load(const Nearness& near, double h, const model::State& state,
            const model::KinematicsCache& at, const std::vector<double>& u) const;
  /// Begins a step of h; true where who is closed has to be found anew. Computes how things move.
  bool begin_step(const Nearness& near, double h, const model::KinematicsCache& at,
                  const std::vector<double>& u, Touches& now) const;
  /// Finds anew what touches; true as of begin_step().
  bool renew(const model::KinematicsCache& at, const std::vector<double>& u) const;

  bool any_open() const { return all_ && !all_->open.empty(); }
  bool any_touching() const { return all_ && !all_->touching.empty(); }
  bool any_closed() const { return all_ && constraint::any_closed(*all_); }
  /// The longest step in which nothing passes through another [s]; infinite without any.
  double longest_step() const;

  /// Above kAlarm something changes, within the step or at its end; and of what is open alone.
  double alarm(const Touches& now, const model::KinematicsCache& at) const;
  double closing(const model::KinematicsCache& at) const { return constraint::closing(*all_, at); }
  bool is_alarmed(const Touches& now) const;
  std::string most_alarmed(const Touches& now) const;

  /// What results have of it.
  void keep(const Touches& now, double h, model::State& state) const;
  void report(const Touches& now, ContactReport& out) const;
  void tell(std::vector<Event>& out) const;

 private:
  std::unique_ptr<ContactForces> all_;
};

/// Corrects the forces of closed points and rows in turn until rounding is left: f gets the forces
/// of points, apply() their accelerations `a`. Returns false where there are none.
template <class Apply>
bool correct_in_turn(const ContactForces& c, const double* a, Touches& now, double* f,
                     const Apply& apply) {
  constexpr double kLeft = 1e-14;  // residual allowed, relative to the first
  constexpr int kMost = 6;
  double first = 0, last = law::kInf;
  for (int k = 0; k < kMost; ++k) {
    const double worst = correct(c, a, now, f);
    if (!std::isfinite(worst)) return false;
    if (k == 0) first = worst;
    if (!apply()) return false;
    if (worst <= kLeft * first || worst >= last) break;
    last = worst;
  }
  return true;
}

/// Shares forces anew where that is needed; the rows answer to the difference: to lambda. n: of
/// unknowns. Returns false where rows cannot be solved.
bool share_anew(const ContactForces& c, const double* a, const ForceResponse& answer, std::size_t n,
                Touches& now, std::vector<double>& lambda);

}  // namespace trammel::constraint
