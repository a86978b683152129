#pragma once

#include <iterator>
#include <string>
#include <string_view>

namespace trammel::constraint {

enum class EventKind : unsigned char {
  impact,        // velocities have jumped
  correction,    // positions were moved onto the rows
  yield,         // a row that holds a position is at its greatest force
  slide,         // a row that holds a rate is at its greatest force
  hold,          // the row holds again
  breaking,      // a joint carried more than its strength
  derail,        // a joint has left its track
  open_end,      // a joint has come to the end of its track
  strain,        // the strain of a body has passed its limit
  crossing,      // a sensor has passed a value
  undetermined,  // several motions solve the laws: one of them goes on
};
constexpr std::string_view name_of(EventKind kind) {
  constexpr std::string_view kNames[] = {"impact", "correction", "yield",       "slide",
                                         "hold",   "break",      "derail",      "open end",
                                         "strain", "crossing",   "undetermined"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(EventKind::undetermined) + 1);
  return kNames[static_cast<int>(kind)];
}

/// An event is something that happened at a time rather than over it.
struct Event {
  double t = 0;
  EventKind kind = EventKind::impact;
  std::string subject, text;  // joint or body, one sentence
  double value = 0;
  std::string unit;
};

}  // namespace trammel::constraint
