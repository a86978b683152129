#pragma once

#include <memory>
#include <string_view>

#include "model/model.h"

/// The one list of what a model has that is given as a function of the time. Whoever must know of
/// all of it goes through this list: inputs are bound to it, steps end where it jumps
/// (sim/timetable.h), and a run watches whether steps follow it (sim/observed.h). What is not in it
/// reads no input and has no switches.
namespace trammel::model {

/// What has a function of the time.
struct TimedOwner {
  enum class Kind : unsigned char { law, load, body } kind = Kind::law;
  int index = -1;                // among the laws, loads or objects; -1: of a transient type
  std::string_view name, joint;  // its own; that of a law's joint, or of its transient type
};

/// Calls, for all that may be a function of the time, one of
///   visitor.drive(owner, drive, exact)   a motion; exact: it is followed whatever force that takes
///   visitor.force(owner, signal)         a force or a component of one
///   visitor.function(owner, function)    the same, or a limit of it: a shared ForceFunction or
///                                        LoadFunction, which may be null
template <class ModelT, class Visitor>
void for_each_time_function(ModelT& m, Visitor&& visitor) {
  using Kind = TimedOwner::Kind;
  const auto law = [&](auto& l, int index, std::string_view joint) {
    const TimedOwner owner{Kind::law, index, l.name, joint};
    if (l.law.type->takes_drive) visitor.drive(owner, l.law.drive, !l.law.type->velocity_only);
    visitor.force(owner, l.law.force);
    visitor.function(owner, l.law.function);
  };
  for (std::size_t i = 0; i < m.laws.size(); ++i) {
    const int joint = m.laws[i].joint;
    law(m.laws[i], static_cast<int>(i),
        joint < 0 ? std::string_view() : m.joints[static_cast<std::size_t>(joint)].name);
  }
  for (auto& type : m.transient_types)
    for (auto& l : type.laws) law(l, -1, type.name);
  for (std::size_t i = 0; i < m.loads.size(); ++i) {
    const TimedOwner owner{Kind::load, static_cast<int>(i), m.load_names[i], {}};
    for (auto& signal : m.loads[i].value) visitor.force(owner, signal);
    for (auto& function : m.loads[i].function) visitor.function(owner, function);
  }
  for (auto& moved : m.prescribed) {
    const TimedOwner owner{
        Kind::body, moved.object, m.objects[static_cast<std::size_t>(moved.object)].name, {}};
    for (auto& drive : moved.motion.displacement) visitor.drive(owner, drive, true);
    for (auto& turn : moved.motion.turns) visitor.drive(owner, turn.angle, true);
  }
}

}  // namespace trammel::model
