#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "geom/curve.h"
#include "units/problem.h"

namespace trammel::geom {

/// Vertical alignment over the horizontal projection (station). Grades are dz/dsigma, up positive.
enum class ProfileShape : unsigned char { grade, circle, parabola };
inline constexpr std::array<std::string_view, 3> kProfileShapeNames = {"grade", "circle",
                                                                       "parabola"};
std::optional<ProfileShape> profile_shape_named(std::string_view name);

struct ProfileElement {
  ProfileShape shape = ProfileShape::grade;
  double length = 0;  // horizontal [m]
  double g0 = 0;      // grade at the start; of the whole element for `grade`
  double g1 = 0;      // grade at the end; not read for `grade`
};

struct ProfileSpec {
  double height = 0;  // at the start [m]
  std::vector<ProfileElement> elements = {};
  double max_kink = 1e-6;  // change of slope accepted between elements [rad]
};

std::vector<Problem> check(const ProfileSpec& spec);

struct ProfilePoint {
  double sigma;        // station [m]
  double z;            // height [m]
  double c, s;         // cosine and sine of the slope angle phi
  double dphi, d2phi;  // phi' [1/m] and phi'' [1/m^2] by arc length
};

class Profile {
 public:
  explicit Profile(const ProfileSpec& spec);                       // checked
  const std::vector<double>& starts() const { return stations_; }  // stations of the pieces [m]
  double length() const { return length_; }                        // horizontal [m]
  /// s [m] along the profile.
  void eval(double s, std::size_t piece, ProfilePoint& out) const;
  double arc_length(double sigma, std::size_t piece) const;
  Jump jump(std::size_t piece) const;  // where it begins, not for 0

 private:
  struct Piece {
    ProfileShape shape;
    double sigma0, s0, z0;
    double g, c, s;      // at the start
    double bend;         // circle: dphi/ds [1/m]; parabola: dg/dsigma [1/m]
    double length, arc;  // horizontal and along [m]
    double c1;           // cosine at the end
  };
  double past_start(const Piece& p, double u) const;  // arc length over u [m] of station
  double unproject(const Piece& p, double t) const;   // its inverse on a parabola

  std::vector<Piece> pieces_;
  std::vector<double> stations_;
  double length_ = 0;
};

}  // namespace trammel::geom
