#include "model/check.h"

#include <cmath>

#include "math/integrated.h"

namespace trammel::model {

std::string wrong_signal(const Signal& signal) {
  return signal.finite() ? "" : "its signal is not finite";
}

std::string wrong_drive(const Drive& drive) {
  const bool displacement = drive.level == Drive::Level::displacement;
  if (displacement && drive.signal.is_live())
    return "an input is held between its changes and jumps there, which no displacement can "
           "follow: let a velocity follow it";
  if (!displacement && drive.signal.is_live() && drive.signal.is_function())
    return "it must be integrated, and a formula of inputs has no integral: name an input alone, "
           "or let a motor follow the formula";
  if (!std::isfinite(drive.x0) || !std::isfinite(drive.v0)) return "its start is not finite";
  if ((displacement && drive.x0 != 0) ||
      (drive.level != Drive::Level::acceleration && drive.v0 != 0))
    return "it begins where its signal does: a start goes with a velocity or an acceleration, a "
           "start velocity with an acceleration";
  const std::string text = wrong_signal(drive.signal);
  if (!text.empty()) return text;
  const Jet start = integrated(drive).at(0);
  return std::isfinite(start.x + start.v + start.a) ? "" : "its rates are not finite";
}

}  // namespace trammel::model
