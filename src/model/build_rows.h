#pragma once

#include <functional>
#include <optional>

#include "model/draft.h"

/// Functions that the builder's files on joints, rows and laws share. Internal.
namespace trammel::model {

std::vector<std::string> names(const std::vector<joint::Coordinate>& list);
/// Returns the names of all that laws and couplings may act on: coordinates, then rows.
std::vector<std::string> names(const joint::Table& table);
inline const std::string& path_of(const RowSpec& row, const JointSpec& of) {
  return row.path.empty() ? of.path : row.path;
}

/// The coordinate that a law names: a free coordinate, a row of the joint by its name, or any row.
std::optional<joint::Coordinate> coordinate_of(Draft& draft, const LawSpec& spec,
                                               const joint::Table& table);
/// The law with its numbers in the parameters; none: complained.
std::optional<law::Law> make_law(Draft& draft, const LawSpec& spec, const joint::Coordinate& on);

/// Returns what a name stands for in a joint: a free coordinate, a row by its name, or any row.
std::optional<joint::Coordinate> find_coordinate(const std::string& name,
                                                 const joint::Table& table);
/// Couplings as joints of one row, after all others; the specs their rows are made by.
std::vector<JointSpec> add_couplings(Draft& draft, const std::vector<CouplingSpec>& specs,
                                     const std::vector<JointSpec>& joints);

/// The table of rows that a joint names or brings; null: complained.
std::shared_ptr<const joint::Table> table_of(Draft& draft, const JointSpec& spec);
/// Complains of options of rows that the joint does not have, or that are given twice.
void check_row_specs(Draft& draft, const JointSpec& spec, const joint::Table& table);
/// Makes the one law that all equality constraints at zero are under: mechanisms have many.
void need_equality_lock(Draft& draft);
/// Rows of a joint: its own, locked or under the law that a scene puts on them, then those of laws
/// on other coordinates.
void add_rows(Draft& draft, int joint, const JointSpec& spec);
/// Rows of a joint of the model's own making, each under the law that it gets.
void add_rows_under(Draft& draft, int joint,
                    const std::function<law::Law(const joint::Row&)>& law_of);
/// Adds the starts and rates of coordinates that the spec of a joint gives.
void add_given(Draft& draft, int joint, const JointSpec& spec);
/// Adds the strengths that the specs of a joint and of the laws on it give.
void add_strengths(Draft& draft, int joint, const JointSpec& spec);

}  // namespace trammel::model
