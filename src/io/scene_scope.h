#pragma once

#include <toml++/toml.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "io/scene_formula.h"
#include "math/types.h"

/// Where an element stands, and what the names in it mean there.
namespace trammel::io {

/// The scene itself, a part of it, or one turn of a repetition.
struct Scope {
  explicit Scope(Findings& findings) : formulas(findings) {}
  Scope(Findings& findings, const Scope& around);

  const Scope* outer = nullptr;
  std::string prefix;                                     // of full names: "left.wheel."
  Formulas formulas;                                      // with parameters and data
  std::map<std::string, std::string, std::less<>> texts;  // of a repetition's lists, for {name}
  Pose X_WS;                                              // axes in which the elements are written
  bool placed = false;                                    // these are not the world's
  std::string ground;  // what is ground here, as `outer` calls it; empty: as there
  std::vector<const toml::table*> defaults;  // its own and those around it, inner ones first
};

/// Full names of what there is.
class Names {
 public:
  void add(std::string_view family, const std::string& name);
  /// The full name of what a text means in a scope: of the innermost one that has it. What nothing
  /// has is given back as it is written.
  std::string find(Refers to, std::string_view text, const Scope& scope) const;
  /// Says that there is no body, or joint, of a full name; empty: there is.
  std::string missing(Refers to, const std::string& name) const;
  /// Says that what is to be ground in a scope is no body; empty: it is one.
  std::string no_ground(const Scope& scope) const;
  /// An input, or what a controller gives, and its dimension if that is known.
  void add_input(const std::string& name, const Formulas::Maybe& dimension) {
    inputs_.emplace(name, dimension);
  }
  bool is_input(std::string_view text, const Scope& scope) const {
    return inputs_.contains(find(Refers::input, text, scope));
  }
  /// The inputs that a formula names, as it writes them, and for each name that nothing has the
  /// input that is called almost so, which is what the complaint about the name will suggest.
  std::vector<Formulas::Live> inputs_in(std::string_view text, const Scope& scope) const;

 private:
  using Set = std::unordered_set<std::string>;
  bool has(Refers to, const std::string& name) const;
  std::string find_body(std::string_view text, const Scope& scope) const;
  const std::string* nearest_input(std::string_view name, const Scope& scope) const;
  Set bodies_, joints_, tracks_, materials_, all_;
  std::map<std::string, Formulas::Maybe, std::less<>> inputs_;
};

/// The longest beginning of a text, cut at a dot, for which `known` holds; else up to its first
/// dot.
template <class Known>
std::string_view owner_in(std::string_view text, const Known& known) {
  for (std::size_t end = text.size(); end != std::string_view::npos && end > 0;
       end = text.find_last_of('.', end - 1))
    if (known(text.substr(0, end))) return text.substr(0, end);
  return text.substr(0, text.find('.'));
}

/// A text in which {name} and {formula} are replaced by what they are in a scope. Nothing:
/// complained.
std::optional<std::string> expand(std::string_view text, Scope& scope, const std::string& path,
                                  Place quote, Findings& findings);
/// The same without complaints: a text that cannot be filled in is returned as it is written.
std::string filled(std::string_view text, const Scope& scope);

}  // namespace trammel::io
