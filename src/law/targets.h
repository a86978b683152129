#pragma once

#include <optional>
#include <string_view>

#include "law/law.h"

/// What a specification holds its row to, as plain values: for all that looks at an instant, and
/// not at a step.
namespace trammel::law {

/// Returns the value that a row holds [m, rad]; none where it holds a rate, has stops, or where its
/// law gives the force.
inline std::optional<double> held_value(const ConstraintSpec& d) {
  return d.holds_value() ? std::optional(d.target.x) : std::nullopt;
}
/// Returns the value that it holds whatever force that takes.
inline std::optional<double> fixed_value(const ConstraintSpec& d) {
  return d.bounded() ? std::nullopt : held_value(d);
}
/// Returns the rate that a row has whatever force that takes [m/s, rad/s], of those that hold a
/// value too; none where it may have another.
inline std::optional<double> fixed_rate(const ConstraintSpec& d) {
  return d.is_rigid() ? std::optional(d.target.v) : std::nullopt;
}
/// Returns the offset of x from the value that a row holds, or from the stop that it is beyond
/// [m, rad]; 0 within stops, and where bounds of its force let the row be elsewhere.
inline double rigid_offset(const ConstraintSpec& d, double x) { return d.bounded() ? 0 : d.off(x); }
/// True where a row at x is to be brought to its place: what has stops alone only where it is
/// beyond one by more than `closed`, a share of `size`.
inline bool is_to_be_placed(const ConstraintSpec& d, double x, double closed) {
  return d.has_place() && (!d.unilateral() || d.off(x) < -closed * d.size);
}
/// Returns the value between both stops of a row that differs from x by nothing or one `turn`
/// [rad]; none where there is none, or a stop is missing.
std::optional<double> between_stops(const ConstraintSpec& d, double x, double turn);

/// What a law does to its coordinate where a mechanism starts, in words: it "stops" or "holds" it,
/// or "starts" it where it drives it; and what is to be done about a start elsewhere.
struct PlaceWords {
  std::string_view verb, remedy;
};
PlaceWords place_words(const Type& type, const ConstraintSpec& d);

}  // namespace trammel::law
