#include "sim/timetable.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/time_functions.h"

namespace trammel::sim {

namespace {

constexpr double kJump = 1e-9;       // of a value, less is rounding: relative
constexpr double kRounding = 1e-12;  // of what values are compared with: rounding about 0

bool differ(double a, double b, double size = 1) {
  return std::abs(a - b) > kJump * (std::abs(a) + std::abs(b)) &&
         std::abs(a - b) > kRounding * size;
}

/// Returns what the values of a drive are compared with: the mechanism's length or an angle of 1.
double size_of(const model::Model& m, const model::TimedOwner& o, const Drive& drive) {
  if (o.kind == model::TimedOwner::Kind::body)
    for (const auto& moved : m.prescribed)
      for (const Drive& d : moved.motion.displacement)
        if (&d == &drive) return m.scales.length;
  if (o.kind == model::TimedOwner::Kind::law)
    for (const model::RowInfo& row : m.rows)
      if (row.law == o.index) return m.scales.value(row.row.unit());
  return 1;
}

}  // namespace

/// Adds what has switches to a timetable.
struct Timetable::Collect {
  const model::Model& model;
  Timetable& out;
  using Owner = model::TimedOwner;

  static std::string moved(const Owner& o) {
    return o.kind == Owner::Kind::body ? fmt::format("the motion of body '{}'", o.name)
                                       : fmt::format("the law '{}' on joint '{}'", o.name, o.joint);
  }
  static std::string pushed(const Owner& o) {
    return fmt::format("the {} '{}'", o.kind == Owner::Kind::load ? "load" : "force of law",
                       o.name);
  }
  void drive(const Owner& o, const Drive& d, bool exact) const {
    if (d.signal.has_switches())
      out.entries_.push_back({exact ? Kind::drive : Kind::target, &d, &d.signal, nullptr, moved(o),
                              size_of(model, o, d)});
  }
  void force(const Owner& o, const Signal& s) const {
    if (s.has_switches()) out.entries_.push_back({Kind::load, nullptr, &s, nullptr, pushed(o), 1});
  }
  template <class Function>
  void function(const Owner& o, const std::shared_ptr<const Function>& f) const {
    if (f && f->switches)
      out.entries_.push_back({Kind::force, nullptr, nullptr, &f->switches, pushed(o), 1});
  }
};

Timetable::Timetable(const model::Model& m, bool jumps_only)
    : spin_(m.scales.spin()), jumps_only_(jumps_only) {
  model::for_each_time_function(m, Collect{m, *this});
}

Switch Timetable::switch_of(const Entry& e, double from, double to) const {
  if (e.switches) return (*e.switches)(from, to);
  const bool displaces =
      e.kind == Kind::drive && e.drive->level == Drive::Level::displacement;  // rates jump at kinks
  return e.signal->next_switch(from, to, jumps_only_ && !displaces ? 0 : 1);
}

/// A displacement that jumps cannot be followed, one that kinks makes the velocity jump.
void Timetable::take_drive(const Entry& e, const Switch& s, Stop& stop) const {
  const Jet a = e.drive->at(s.before), b = e.drive->at(s.t);
  if (differ(a.x, b.x, e.size))
    stop.fault = fmt::format(
        "{} jumps by {:.6g} at t = {:.9g} s: to follow it takes infinite speed; let it rise in a "
        "finite time",
        e.name, b.x - a.x, s.t);
  const bool rate = differ(a.v, b.v, e.size * spin_);
  stop.projects |= rate;
  stop.jumps |= rate || differ(a.a, b.a, e.size * spin_ * spin_);
}

void Timetable::take(const Entry& e, const Switch& s, Stop& stop) const {
  stop.before = std::min(stop.before, s.before);
  stop.t = std::max(stop.t, s.t);
  if (s.pole) {
    stop.fault =
        fmt::format("{} has a pole at t = {:.9g} s: its formula grows without bound", e.name, s.t);
  } else if (e.kind == Kind::drive) {
    take_drive(e, s, stop);
  } else {
    stop.jumps |= e.kind == Kind::force || differ(e.signal->value(s.before), e.signal->value(s.t));
  }
}

/// Returns the time of the first switch. A search over a long time may pass over some that follow
/// each other closely: it is repeated up to what it found until nothing comes before.
double Timetable::first_switch(double from, double to, double near) const {
  double first = law::kInf;
  for (double until = to;;) {
    double found = law::kInf;
    for (const Entry& e : entries_) found = std::min(found, switch_of(e, from, until).t);
    if (!(found < first - near)) return std::min(found, first);
    first = found;
    until = std::min(to, first + near);
  }
}

Timetable::Stop Timetable::next(double from, double to, double near) const {
  const double first = first_switch(from, to, near);
  Stop stop;
  if (!(first < law::kInf)) return stop;
  stop.t = first;
  for (const Entry& e : entries_)
    if (const Switch s = switch_of(e, from, std::min(to, first + near)); s.t < law::kInf)
      take(e, s, stop);
  return stop;
}

Timetable::Stop Timetable::start(double from, double back) const {
  constexpr int kMost = 1000;  // switches in that time
  Stop stop;
  stop.t = from;
  for (const Entry& e : entries_) {
    Switch s = switch_of(e, from - back, from);
    for (int k = 0; s.t < from && k < kMost; ++k) s = switch_of(e, s.t, from);
    if (!(s.t > from && s.t < law::kInf)) continue;
    s = {from, s.t, false};  // what was before the run is nobody's
    take(e, s, stop);
  }
  return stop;
}

}  // namespace trammel::sim
