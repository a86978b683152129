#include "law/targets.h"

namespace trammel::law {

std::optional<double> between_stops(const ConstraintSpec& d, double x, double turn) {
  if (!d.has_both_stops()) return {};
  for (const double turns : {0., turn, -turn})
    if (d.off(x + turns) == 0) return x + turns;
  return {};
}

PlaceWords place_words(const Type& type, const ConstraintSpec& d) {
  if (d.unilateral()) return {"stops", "let it stop beyond"};
  if (type.takes_drive) return {"starts", "start it there"};
  return {"holds", "hold it there"};
}

}  // namespace trammel::law
