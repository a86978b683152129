#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/free_names.h"
#include "expr/parse.h"
#include "expr/points.h"
#include "io/scene_value.h"
#include "sim/formula.h"

/// Formulas in scenes, with the parameters and data that all of them may name. What is wrong in one
/// is a problem at its place in the file.
namespace trammel::io {

class Formulas {
 public:
  using Dimension = units::Dimension;
  using Maybe = std::optional<Dimension>;

  explicit Formulas(Findings& findings) : findings_(findings) {}
  /// The same names, until they are given another meaning here.
  Formulas(Findings& findings, const Formulas& outer) : findings_(findings) {
    parameters_ = outer.parameters_;
    misnamed_ = outer.misnamed_;
    inherited_ = common_.inherit(outer.common_);
  }

  /// A value from outside for a parameter.
  struct Given {
    std::string name, path;
    double value = 0;
    Maybe dimension;
  };
  /// Names for numbers, which may be formulas of each other; in place of their own values those
  /// given, which must be among them. One that names itself means what the name is around it.
  void add_parameters(const Value& map, const std::vector<Given>& given = {});
  /// A number that has no formula. Returns what is wrong with its name, or nothing.
  std::string add_number(const std::string& name, double value, const Maybe& dimension = {});
  /// Points for table(x, name), spline(x, name).
  void add_data(const Value& list);
  /// Other points for some of the data that there are; `below` is the list of those.
  void replace_data(const Value& list, const Value& below);
  /// The same of any dimension.
  std::optional<double> number(const std::string& path, std::string_view text, Place quote,
                               Maybe* dimension);
  /// A text that is a number, with its dimension where it has one; else it stays a text.
  void read_item(std::string_view text, Value& out);
  /// The value of a parameter in SI, with its dimension where it has one. Nothing: complained.
  std::optional<double> value_of(const Value& v, Maybe& dimension);
  /// The parameters of a map as values to be given to others.
  std::vector<Given> values(const Value& map);

  /// Whether a text names a parameter whose own name is no good: what else seems wrong with it
  /// follows from that, and is not reported.
  bool excused(std::string_view text) const;
  /// True for a text that is meant as a formula of parameters rather than as a number with a unit.
  bool is_formula(std::string_view text) const;
  /// A number: a formula of parameters. Nothing: complained.
  std::optional<double> number(const std::string& path, std::string_view text, Place quote,
                               const Maybe& result);
  /// The value of a formula of parameters that is a plain number. Nothing: it is none.
  std::optional<double> value(std::string_view text) const;

  /// The parameters and data, for formulas in a graph of their own.
  const expr::Symbols& common() const { return common_; }

  /// A component of a load, of how its body moves.
  std::shared_ptr<const law::LoadFunction> motion(const Value& text, Place quote,
                                                  const Dimension& result);
  /// An input or a coordinate that a formula reads: as it is written there, its full name, its
  /// dimension.
  struct Live {
    std::string written, name;
    Maybe dimension;
    friend bool operator==(const Live&, const Live&) = default;
  };
  /// What a name stands for in formulas here; empty: for nothing.
  std::string taken_by(std::string_view name) const;
  /// The names in a text that are neither units, nor functions, nor known here, each once.
  std::vector<std::string> free_names(std::string_view text) const {
    return expr::free_names(text, common_);
  }
  /// What a formula of channels is: its names are looked for when the run is known. `letters` are
  /// those that it may have beside them.
  sim::Formula measured(const Value& text, const std::vector<std::string>& letters);

  /// A quantity of the time t, and of inputs.
  Signal signal(const Value& text, Place quote, const Maybe& result,
                const std::vector<Live>& live = {});
  /// A force of the coordinate x, its rate v and the time t, and of inputs and coordinates.
  /// One that is a number alone must not be less than `least`.
  std::shared_ptr<const law::ForceFunction> force(const Value& text, Place quote, const Maybe& x,
                                                  const std::vector<Live>& live, double least);
  /// Returns what follows the coordinate x.
  std::shared_ptr<const joint::Profile> profile(const Value& text, Place quote, const Maybe& x,
                                                const Maybe& result);

 private:
  using Variables = std::vector<std::pair<std::string, Maybe>>;
  bool too_many(const Value& text, const std::vector<Live>& live);
  std::optional<expr::Points> points(const Value& data);
  const expr::Symbols& with(const Variables& variables);
  expr::Parsed parse(const Value& text, Place quote, const Variables& variables,
                     const Maybe& result);
  /// Says what a letter stands for in formulas of one kind or another; empty: nothing.
  static std::string taken(const std::string& name);
  void name(const Value& v, std::string wrong);
  /// A name that is to mean something else here than outside.
  void shadow(const std::string& name);

  /// A parameter that is being given its value, with those that it is needed for.
  struct Asked {
    const Value& map;
    const std::vector<Given>& given;
    std::vector<std::string> by;
  };

  std::optional<double> finite(expr::Expression e, const std::string& path, Place quote,
                               std::string_view text);
  void resolve(const std::string& parameter, const Asked& asked);
  void define(const std::string& parameter, const Value& v, const Given* given);
  std::optional<double> in_unit(double x, const Value& beside, Maybe& dimension);
  std::optional<double> take(const Given& given, const Maybe& dimension);
  void complain_unknown(const Value& map, const Given& given);
  void check_range(const std::string& parameter, const Value& v, double x, const Maybe& dimension,
                   const std::string& path);
  std::vector<std::string> names_in(std::string_view text, bool sure = false) const;

  Findings& findings_;
  std::map<std::string, bool, std::less<>> parameters_;  // true: it has its value, or none
  std::set<std::string> misnamed_;                       // parameters whose names are no good
  std::set<std::string> inherited_;                      // names with a meaning from outside alone
  std::map<std::string, expr::Symbols::Value, std::less<>> around_;  // what names of here are there
  expr::Graph graph_{1'000'000};
  expr::Symbols common_{graph_};
  std::shared_ptr<const sim::Known> known_names_;         // of formulas of channels
  std::list<std::pair<Variables, expr::Symbols>> known_;  // by what the variables are
};

}  // namespace trammel::io
