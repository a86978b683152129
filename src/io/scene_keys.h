#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "units/dimension.h"

/// The scene format as data. Reading, unknown keys, `trammel schema` and the reference in the
/// manual all follow from it.
namespace trammel::io {

/// The dimension of a quantity: its own, or one that follows from the coordinate x it is
/// about (the coordinate of a law, the row of a joint, the signal it is part of), or anything.
enum class Of : unsigned char { fixed, x, rate, rate2, force, force_per_x, force_per_rate, any };
units::Dimension dimension_of(Of of, const units::Dimension& x);

struct Family;

/// What a text names: it is looked for where the text stands, and then around that.
enum class Refers : unsigned char {
  nothing,
  body,
  joint,
  coordinate,
  track,
  material,
  input,  // or what a controller gives
  channel,
  words
};

/// Holds what may stand as the value of a key.
struct Form {
  enum class Kind : unsigned char {
    flag,       // true, false
    integer,    // one of `choices`
    text,       // one of `choices`, if there are any
    color,      // by name or "#rrggbb"
    name,       // of an element: letters, digits, _ and -
    quantity,   // a number in SI, or a text with a unit or a formula of parameters
    parameter,  // a quantity of any dimension, or {value, ...}
    direction,  // three numbers, not all zero
    signal,     // a quantity, or {time, value}
    force,      // a formula f(x, v, t) of the coordinate
    profile,    // a formula of the coordinate that is followed
    motion,     // a formula of how a body moves
    placing,    // a quantity, or a formula of the coordinates of its system
    measured,   // a number, or a formula of channels
    drive,      // a signal, or {displacement | velocity | acceleration, ...}
    list,       // of `each`, as many as `counts` says
    map,        // of `each` by names that follow from elsewhere
    table,      // of `family`
    partial,    // tables of some keys of elements, by their kinds
    items,      // a list of quantities, formulas or texts
  } kind = Kind::flag;
  units::Dimension dimension{};
  Of of = Of::fixed;
  bool infinite = false;                                    // "inf" means something
  bool literal = false;                                     // of texts: braces are part of them
  double above = -std::numeric_limits<double>::infinity();  // the quantity is greater than that
  double least = -std::numeric_limits<double>::infinity();  // of a formula that is a number alone
  double most = std::numeric_limits<double>::infinity();    // and not greater than that
  std::vector<std::string> choices{};
  std::vector<std::size_t> counts{};  // empty: any number
  std::vector<Form> each{};           // one, of a list or map
  const Family* family = nullptr;
  Refers refers = Refers::nothing;  // of a text
};

/// One key of a table. A name that stands twice has two forms, told apart by the type of the value.
struct Key {
  std::string name;
  Form form;
  std::string fallback;  // as it would be written; kRequired; or empty: nothing
  std::string doc;
  bool content = false;  // read where the elements stand, not where their table does
};
inline constexpr std::string_view kRequired = "required";

/// Holds what keys have to do with each other.
struct Rule {
  enum class Kind : unsigned char { one, any, at_most_one, needs } kind = Kind::one;
  std::vector<std::string> keys;  // needs: the first one needs one of the others; any: at least one
};
inline Rule one(std::vector<std::string> keys) { return {Rule::Kind::one, std::move(keys)}; }
/// At least one of them.
inline Rule any(std::vector<std::string> keys) { return {Rule::Kind::any, std::move(keys)}; }
inline Rule at_most_one(std::vector<std::string> keys) {
  return {Rule::Kind::at_most_one, std::move(keys)};
}

inline Rule needs(std::vector<std::string> keys) { return {Rule::Kind::needs, std::move(keys)}; }

/// A table: its keys are these and no others. Of a family with several, the one is meant whose
/// `tag` has the value `value`, or, if that is empty, is there.
struct Table {
  std::string tag, value;
  std::vector<Key> keys;
  std::vector<Rule> rules;
  const Key* key(std::string_view name) const;
};

struct Family {
  std::string name, doc;
  std::vector<Table> tables;
  bool element = false;        // named, and problems in one do not hide those in others
  bool on_coordinate = false;  // x is that of its keys `joint` and `coordinate`
};

/// A list of tables that are named one by one, unlike those that are read with what they are in.
bool is_elements(const Key& key);

/// The whole file.
const Family& scene_family();
/// Contents with a name or several times.
const Family& part_family();
const Family& repeat_family();
/// Families in the order of the manual, the whole file first.
std::vector<const Family*> scene_families();

const Family& signal_family();
const Family& drive_family();

/// "a length [m], greater than 0", "one of \"a\", \"b\"": for messages and the manual.
std::string describe(const Form& form);

}  // namespace trammel::io
