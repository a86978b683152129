#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "joint/function.h"

/// Joints as data. A row is a scalar product of two features, or a scalar function of such
/// products:
///
///     g = h(u . v, ...)
///
/// with u, v among the axes Ax Ay Az of frame A, Bx By Bz of frame B, the vector D = p_B - p_A
/// between their origins, and, where A carries a track, the axes Cx Cy Cz of the curve frame at arc
/// length s and E = p_B - p_C(s), s following from Cx.E = 0. Rows and the closure residuals of the
/// energy are written as text, one grammar for the table in table.cpp and for scenes:
///
///     row    Ax.D  |  sqrt(D.D)  |  atan2(Az.By, Ay.By)  |  slip(Ay, Ax)  |  s  ...
///     term   D  |  Ax-Bx  |  D x Ax  |  any row
///
/// The functions h, as sqrt, are entries of one table (function.h).
namespace trammel::joint {

enum class Feature : unsigned char { Ax, Ay, Az, Bx, By, Bz, D, Cx, Cy, Cz, E };
constexpr int kFeatures = 11;
constexpr std::array<std::string_view, kFeatures> kFeatureNames{"Ax", "Ay", "Az", "Bx", "By", "Bz",
                                                                "D",  "Cx", "Cy", "Cz", "E"};

/// The features that the projection s = s(Cx.E = 0) uses.
constexpr unsigned kProjection =
    1u << static_cast<unsigned>(Feature::Cx) | 1u << static_cast<unsigned>(Feature::E);

struct Product {
  Feature u = Feature::Ax, v = Feature::Ax;
};

struct Row {
  const Function* fn = kFunctions;  // the product itself
  std::array<Product, 2> of{};      // as many as the function takes, or its axes: u, v, u

  bool coupled() const { return fn->coupled; }
  bool holonomic() const { return fn->touch == nullptr; }
  bool distance() const { return fn->distance; }
  bool turns() const { return fn->turns; }
  bool shape() const { return fn->shape; }
  int products() const { return fn->products; }
  double rest() const { return of[0].u == of[0].v ? fn->rest : 0; }  // see Function::rest
  /// Return the directions d, n and a of a nonholonomic row.
  Feature direction() const { return of[0].u; }
  Feature normal() const { return of[0].v; }
  Feature axis() const { return of[1].u; }
  bool on_curve() const;      // uses C, E or s
  bool constant() const;      // both of one body, like Ax.Ay, or zero by definition, Cx.E
  unsigned features() const;  // bit mask
  Unit unit() const;
};

/// The force and the torque on B of a row that is a product, for a unit of its own, where the axes
/// of A (along a track: of C) and B are the same, in these axes. Zero of others.
struct Push {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};
Push push(const Row& row);

/// One row, whichever of u.v and v.u it is written as.
bool same(const Row& a, const Row& b);

/// The row as bytes, which order rows and tell them apart.
void append_bytes(const Row& row, std::string& out);

/// A closure residual: a vector (or a row) whose weighted square is part of the joint's energy.
struct Term {
  enum class Kind : unsigned char { vector, difference, cross, row } kind = Kind::vector;
  Feature u = Feature::D, v = Feature::D;
  Row row{};
};

/// A named row: a free coordinate that laws, sensors and results can speak of, or a row of the
/// joint itself. sign: -1 where the row falls as the coordinate of that name rises ("yaw =
/// -Cx.By").
struct Coordinate {
  std::string name;
  Row row;
  double sign = 1;
};

std::optional<Row> parse_row(std::string_view text);
std::optional<Term> parse_term(std::string_view text);
/// "name = row", "name = -row" or a bare row, whose text is then its name.
std::optional<Coordinate> parse_coordinate(std::string_view text);
std::string to_text(const Row& row);
std::string to_text(const Term& term);

}  // namespace trammel::joint
