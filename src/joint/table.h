#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "joint/row.h"

namespace trammel::joint {

/// A joint: the rows that laws constrain (locked unless a scene says otherwise), the closure
/// residuals whose weighted squares are its energy, and its free coordinates.
struct Table {
  std::string name;
  std::vector<Coordinate> rows;  // at most 6; named, for limits and messages
  std::vector<Term> terms;
  std::vector<Coordinate> coordinates;
  bool on_curve = false;  // frame A slides along a track

  const Coordinate* coordinate(std::string_view name) const;
};

/// The joint that a text describes, or the problems of the text.
struct ParsedTable {
  Table table;
  std::vector<std::string> problems;
};
/// One text each: rows "Ax.D" or "name = Ax.D", terms "D", coordinates "name = row".
ParsedTable make_table(std::string name, std::span<const std::string> rows,
                       std::span<const std::string> terms,
                       std::span<const std::string> coordinates);

/// A coupling's one row, a length or an angle as its first coordinate is (see coupling.h).
const Table& coupling_table(Unit unit);

/// Two points with nothing between them: no rows, the coordinate `length` is their distance.
const Table& distance_table();
/// The same, `length` being the part of their distance along x of frame A, or of frame B.
const Table& way_table(bool of_B);

/// The strain of an affine body, which is both of its ends: six rows, of energy
/// kappa V |A^T A - 1|^2 = 4 kappa V (xx^2 + yy^2 + zz^2 + 2 (xy^2 + xz^2 + yz^2)).
const Table& strain_table();
/// The same by the right stretch U of A = R U, of energy kappa V |A - R|^2 = kappa V |U - 1|^2.
const Table& stretch_table();

/// The joints Trammel knows, in the order of table.cpp.
std::span<const Table> tables();
const Table* find_table(std::string_view name);

}  // namespace trammel::joint
