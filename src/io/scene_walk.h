#pragma once

#include <toml++/toml.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "io/scene_layers.h"
#include "io/scene_scope.h"
#include "io/scene_value.h"
#include "joint/table.h"

namespace trammel::io {

/// Joints of the scene by full name, as the dimensions of laws and limits need them.
using JointTables = std::map<std::string, joint::ParsedTable, std::less<>>;

/// A table of the scene that is named, or stands several times, in one of its meanings.
struct Element {
  const toml::table* table = nullptr;
  Scope* scope = nullptr;
  std::string name;  // full
  std::string path;  // "law.left.spring"; without a good name "law[3]"
  const Family* family = nullptr;
};

void add_joint(const Element& joint, JointTables& out);
/// The coordinates of a system are joints.
void add_system(const Element& system, JointTables& out);
/// What has a coordinate without being called a joint: laws between points, bushings.
void add_element(const Element& element, std::string_view family, JointTables& out);
/// Whether an element of a family is a joint without being called one.
bool has_own_joint(const Element& element, std::string_view family);
/// Couplings go by name as joints do; their row has the unit of their first coordinate.
void add_coupling(const Element& coupling, const Names& names, JointTables& out);

/// Dimension of a coordinate or row of a joint; an empty name: of its only coordinate.
std::optional<units::Dimension> dimension_of(const joint::Table& table, std::string_view row);

/// Reads tables by their description: everything that is not as described is a problem with a
/// place.
class Walker {
 public:
  Walker(Findings& findings, const JointTables& joints, const Names& names, Scope& scope)
      : findings_(findings), joints_(joints), names_(names), scope_(&scope) {}
  /// What is read from now on stands there.
  void enter(Scope& scope) { scope_ = &scope; }
  Value read_element(const Element& element, const Family& family);
  /// The keys of a table that are not its contents, and those of the contents that are no elements.
  Value read_head(const toml::table& table, const Family& family, const std::string& path);
  Value read_head(const Element& element, const Family& family);
  /// `given`: what the parameters are instead of what they say.
  Value read_contents(const toml::table& table, const Family& family, const std::string& path,
                      const std::vector<Formulas::Given>& given = {});
  void check_keys(const toml::table& table, const Family& family);
  /// The elements under a key, as tables.
  std::vector<const toml::table*> elements(const toml::node& node, const Key& key,
                                           const std::string& path);
  Value read(const toml::node& node, const Form& form, const std::string& path);

 private:
  using Dimension = units::Dimension;
  enum class Part : unsigned char { all, head, contents };
  Value read_table(const toml::table& table, const Family& family, const std::string& path,
                   Part part = Part::all);
  const Table* choose(const Layers& layers, const Family& family, const std::string& path);
  void read_keys(const Layers& layers, const Family& family, Part part, Value& out);
  void complain_unknown(const toml::key& key, const Family& family, const Value& out);
  void check_rules(const Layers& layers, Value& out);
  void set_coordinate(const Layers& layers, const Family& family);
  void read_defaults(const toml::node& node, Value& out);
  void check_defaults(const toml::table& given, const Family& family, const Table* table,
                      const std::string& path);

  /// A key that may have several forms, as `contact` of a body.
  Value read_key(const toml::node& node, const Key& key, const Table& table,
                 const std::string& path);
  std::optional<std::string> text_of(const toml::node& node, const std::string& path);
  void read_text(const toml::node& node, const Form& form, Value& out);
  void read_name(const toml::node& node, Value& out);
  void read_color(const toml::node& node, Value& out);
  void read_reference(const Form& form, Value& out);
  void read_items(const toml::node& node, const Form& form, Value& out);
  void read_quantity(const toml::node& node, const Form& form, Value& out);
  void read_measured(const toml::node& node, Value& out);
  void read_placing(const toml::node& node, const Form& form, Value& out);
  void read_parameter(const toml::node& node, const Form& form, Value& out);
  void read_direction(const toml::node& node, Value& out);
  std::optional<double> component(const toml::node& node, const std::string& path,
                                  std::optional<Dimension>& dimension);
  void read_list(const toml::node& node, const Form& form, Value& out);
  void read_elements(const toml::array& array, const Form& form, Value& out);
  void read_map(const toml::node& node, const Form& form, Value& out);
  void read_signal(const toml::node& node, const Form& form, Value& out);
  void read_formula(const toml::node& node, const Form& form, Value& out);
  std::vector<Formulas::Live> live_in(const std::string& path, const std::string& text,
                                      Place quote);
  std::optional<Formulas::Live> followed(const std::string& written, const std::string& path,
                                         Place at);
  bool refuses_coordinates(const toml::node& node, const std::string& path,
                           const std::string& text);
  std::vector<std::string> all_coordinates() const;
  Signal spline(const Value& knots);
  Signal by_formula(const toml::node& node, const Value& v);
  Value fallback(const Key& key, const std::string& path);

  std::string stop_hint(const Form& form, const std::string& text) const;
  std::optional<double> number(const toml::node& node, const Form& form, const std::string& path);
  std::optional<Dimension> measure(const Form& form) const;
  bool is(const toml::node& node, toml::node_type type, const Form& form, const std::string& path);
  void complain(const toml::node& node, const std::string& path, std::string text);

  Findings& findings_;
  const JointTables& joints_;
  const Names& names_;
  Scope* scope_;
  const Element* element_ = nullptr;  // that is being read
  const std::vector<Formulas::Given>* given_ = nullptr;
  std::optional<Dimension> x_;         // what Of::x is about at present
  std::string about_;                  // its name, for complaints
  std::optional<Dimension> followed_;  // the last coordinate of a coupling
  std::map<const Key*, Value> defaults_;
  const joint::Table* joint_ = nullptr;  // that the element read at present is, or is on
};

Place place_of(const toml::source_region& region);
std::string type_name(const toml::node& node);  // "a text", "a table"
/// Letters, digits, _ and -.
bool is_name(std::string_view text);

}  // namespace trammel::io
