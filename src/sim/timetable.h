#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace trammel::sim {

/// When the signals of a model jump or kink: of drives, targets, loads, prescribed bodies and force
/// functions, so that every step ends there.
class Timetable {
 public:
  /// `jumps_only`: not where a spline merely kinks.
  Timetable(const model::Model& model, bool jumps_only);

  bool empty() const { return entries_.empty(); }

  /// Where the loop over time stops.
  struct Stop {
    double before = law::kInf;  // the step ends here
    double t = law::kInf;       // what follows begins here
    bool projects = false;      // velocities onto the rows: a rate that these demand jumps
    bool jumps = false;         // a force or a rate does, not only its slope
    std::string fault;          // nothing follows: why
  };
  /// The first after `from` and not after `to`. What comes within `near` of it comes with it.
  Stop next(double from, double to, double near) const;
  /// Where a signal's value at `from`, where a run begins, is not what follows: what does. Looked
  /// for `back` before it.
  Stop start(double from, double back) const;

 private:
  enum class Kind : unsigned char {
    load,
    target,  // of a motor, which no projection follows
    drive,   // followed exactly
    force,   // function of a law
  };
  struct Entry {
    Kind kind = Kind::load;
    const Drive* drive = nullptr;
    const Signal* signal = nullptr;
    const Switches* switches = nullptr;  // of a function
    std::string name;                    // "the load 'F'"
    double size = 1;                     // what the values of a drive are compared with [m, rad]
  };
  struct Collect;
  double first_switch(double from, double to, double near) const;
  Switch switch_of(const Entry& e, double from, double to) const;
  void take(const Entry& e, const Switch& s, Stop& stop) const;
  void take_drive(const Entry& e, const Switch& s, Stop& stop) const;

  std::vector<Entry> entries_;
  double spin_ = 1;  // of the mechanism [1/s]
  bool jumps_only_;
};

}  // namespace trammel::sim
