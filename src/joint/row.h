#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/types.h"

/// Joints as data. A row is a scalar product of two features, or a scalar function of such
/// products:
///
///     g = h(u . v, ...)
///
/// with u, v among the axes Ax Ay Az of frame A, Bx By Bz of frame B, the vector D = p_B - p_A
/// between their origins, and, where A carries a track, the axes Cx Cy Cz of the curve frame at arc
/// length s and E = p_B - p_C(s), s following from Cx.E = 0. Rows and the matching terms of the
/// energy are written as text, one grammar for the table in table.cpp and for scenes:
///
///     row    Ax.D   |  sqrt(D.D)  |  abs(Ax.D)  |  atan2(Az.By, Ay.By)  |  s
///            radius(Ax.D, Ax.By)  |  strain(Ax, Ay)  |  stretch(Ax, Ay)  |  slip(By)  |  slip(Ay,
///            Ax)  |  slip(Ay, Ax, By)
///     term   D  |  Ax-Bx  |  D x Ax  |  any row
namespace trammel::joint {

enum class Feature : unsigned char { Ax, Ay, Az, Bx, By, Bz, D, Cx, Cy, Cz, E };
constexpr int kFeatures = 11;
constexpr std::array<std::string_view, kFeatures> kFeatureNames{"Ax", "Ay", "Az", "Bx", "By", "Bz",
                                                                "D",  "Cx", "Cy", "Cz", "E"};

/// What s = s(Cx.E = 0) takes.
constexpr unsigned kProjection =
    1u << static_cast<unsigned>(Feature::Cx) | 1u << static_cast<unsigned>(Feature::E);

struct Product {
  Feature u = Feature::Ax, v = Feature::Ax;
};

/// Scalar functions of products.
enum class Function : unsigned char {
  product,  // u.v
  sqrt,     // sqrt(u.v): distance, so that laws keep N and m
  abs,      // |u.v|: of a point from a plane
  atan2,    // atan2(first, second): angle, unwrapped by the turn counter in the state
  radius,   // |n.D| / sqrt(1 - (n.a)^2): of a disc about a that touches the plane of normal n
  strain,   // (u.v - [u = v])/2 of two axes of one body: Green's strain, zero while it is rigid
  stretch,  // of X = R U, X the axes of one body: U_uv - [u = v], the right stretch's strain
  arc,      // s itself
  // rows without a value, of rates alone: how fast B's material point at the contact moves over A's
  // along a direction d. The contact is B's origin; or, of a plane through A's origin of normal n,
  // the foot of B's origin (a ball's); or that of a disc about a.
  slip,
  slip_ball,
  slip_disc,
  // derived of coordinates of several joints (coupling.h), a length or an angle; no text of its own
  coupled_length,
  coupled_angle,
};

enum class Unit : unsigned char { one, metre, square_metre, radian };
std::string_view symbol(Unit unit);

struct Row {
  Function fn = Function::product;
  std::array<Product, 2> of{};  // as many as the function takes

  bool coupled() const { return fn >= Function::coupled_length; }
  bool holonomic() const { return fn < Function::slip || coupled(); }
  /// A length that is positive, and held at what it is at the start unless a scene says otherwise.
  bool distance() const {
    return fn == Function::sqrt || fn == Function::abs || fn == Function::radius;
  }
  /// Of one body alone: how far it is from being rigid.
  bool shape() const { return fn == Function::strain || fn == Function::stretch; }
  int products() const {
    return fn == Function::atan2 || fn == Function::radius ? 2 : fn >= Function::arc ? 0 : 1;
  }
  /// Of rows of rates: d, n, a.
  Feature direction() const { return of[0].u; }
  Feature normal() const { return of[0].v; }
  Feature axis() const { return of[1].u; }
  bool on_curve() const;      // uses C, E or s
  bool constant() const;      // both of one body, like Ax.Ay, or zero by definition, Cx.E
  unsigned features() const;  // bit mask
  Unit unit() const;
};

/// One row, whichever of u.v and v.u it is written as.
bool same(const Row& a, const Row& b);

/// A matching term: a vector (or a row) whose weighted square is part of the joint's energy.
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
