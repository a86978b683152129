#pragma once

#include <toml++/toml.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "io/scene_formula.h"
#include "io/scene_value.h"
#include "joint/table.h"

namespace trammel::io {

/// Joints of the scene by name, as the dimensions of laws and limits need them.
using JointTables = std::map<std::string, joint::ParsedTable, std::less<>>;
JointTables joint_tables(const toml::table& root);

/// Dimension of a coordinate or row of a joint; an empty name: of its only coordinate.
std::optional<units::Dimension> dimension_of(const joint::Table& table, std::string_view row);

/// Reads tables by their description: everything that is not as described is a problem with a
/// place.
class Walker {
 public:
  Walker(Findings& findings, const JointTables& joints)
      : findings_(findings), joints_(joints), formulas_(findings) {}
  Value read_table(const toml::table& table, const Family& family, const std::string& path);

 private:
  using Dimension = units::Dimension;
  const Table* choose(const toml::table& table, const Family& family, const std::string& path);
  void read_keys(const toml::table& table, const Family& family, Value& out);
  void complain_unknown(const toml::key& key, const Family& family, const Value& out);
  void check_rules(const toml::table& table, Value& out);
  void set_coordinate(const toml::table& table, const Family& family);

  const Form& form_for(const toml::node& node, const Key& key, const Table& table) const;
  Value read(const toml::node& node, const Form& form, const std::string& path);
  void read_text(const toml::node& node, const Form& form, Value& out);
  void read_quantity(const toml::node& node, const Form& form, Value& out);
  void read_parameter(const toml::node& node, const Form& form, Value& out);
  void read_direction(const toml::node& node, Value& out);
  void read_list(const toml::node& node, const Form& form, Value& out);
  void read_elements(const toml::array& array, const Form& form, Value& out);
  void read_map(const toml::node& node, const Form& form, Value& out);
  void read_signal(const toml::node& node, const Form& form, Value& out);
  void read_formula(const toml::node& node, const Form& form, Value& out);
  Signal spline(const Value& knots);
  Value fallback(const Key& key, const std::string& path);

  std::optional<double> number(const toml::node& node, const Form& form, const std::string& path);
  std::optional<Dimension> measure(const Form& form) const;
  bool is(const toml::node& node, toml::node_type type, const Form& form, const std::string& path);
  void complain(const toml::node& node, const std::string& path, std::string text);

  Findings& findings_;
  const JointTables& joints_;
  Formulas formulas_;
  std::optional<Dimension> x_;         // what Of::x is about at present
  std::optional<Dimension> followed_;  // the last coordinate of a coupling
  std::map<const Key*, Value> defaults_;
  const joint::Table* joint_ = nullptr;  // that the element read at present is, or is on
};

Place place_of(const toml::source_region& region);
std::string type_name(const toml::node& node);  // "a text", "a table"

}  // namespace trammel::io
