#include "constraint/contact/acting.h"

#include <algorithm>

namespace trammel::constraint {

ActingContacts::ActingContacts(const model::Kinematics& kin, const piles::ContactOptions& options,
                               Impacts impacts) {
  if (can_touch(kin.model())) all_ = std::make_unique<ContactForces>(kin, options, impacts);
}

void ActingContacts::load(const Nearness& near, double h, const model::State& state,
                          const model::KinematicsCache& at, const std::vector<double>& u) const {
  set_scales(*all_, near, h);
  constraint::load(*all_, state, at, u);
}

bool ActingContacts::begin_step(const Nearness& near, double h, const model::KinematicsCache& at,
                                const std::vector<double>& u, Touches& now) const {
  set_scales(*all_, near, h);
  const bool anew = constraint::renew(*all_, at, u);
  evaluate(*all_, at, u.data(), now);
  constraint::begin_step(*all_, now);
  return anew;
}

bool ActingContacts::renew(const model::KinematicsCache& at, const std::vector<double>& u) const {
  return constraint::renew(*all_, at, u);
}

double ActingContacts::longest_step() const {
  return all_ ? constraint::longest_step(*all_) : law::kInf;
}

double ActingContacts::alarm(const Touches& now, const model::KinematicsCache& at) const {
  return std::max(constraint::alarm(*all_, now), constraint::closing(*all_, at));
}

bool ActingContacts::is_alarmed(const Touches& now) const {
  return all_ && constraint::is_alarmed(*all_, now);
}

std::string ActingContacts::most_alarmed(const Touches& now) const {
  return all_ ? constraint::most_alarmed(*all_, now) : std::string();
}

void ActingContacts::keep(const Touches& now, double h, model::State& state) const {
  if (all_) constraint::keep(*all_, now, h, state);
}

void ActingContacts::report(const Touches& now, ContactReport& out) const {
  if (all_) out = take_report(*all_, now);
}

void ActingContacts::tell(std::vector<Event>& out) const {
  if (all_) constraint::tell(*all_, out);
}

bool share_anew(const ContactForces& c, const double* a, const ForceResponse& answer, std::size_t n,
                Touches& now, std::vector<double>& lambda) {
  std::vector<double> f(n, 0.0), du(n), rows;
  if (!share(c, a, answer, now, f.data())) return true;
  if (!answer(f, du, rows)) return false;
  for (std::size_t i = 0; i < rows.size(); ++i) lambda[i] += rows[i];
  return true;
}

}  // namespace trammel::constraint
