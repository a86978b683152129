#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/scene_keys.h"
#include "io/scene_scope.h"

/// Elements with the defaults of their kind below what they say themselves. Texts are returned with
/// their braces filled in: nothing is asked of an element before that.
namespace trammel::io {

class Layers {
 public:
  Layers(const toml::table& own, const Scope& scope) : own_(own), scope_(scope) {}
  /// With the defaults of a scope.
  Layers(const toml::table& own, const Family& family, const Scope& scope);

  const toml::table& own() const { return own_; }
  /// What stands nearest under a key; nothing: nowhere.
  const toml::node* get(std::string_view key) const;
  /// The same, where a default gives way to a key of the element, or a nearer default, that it
  /// does not go with.
  const toml::node* get(std::string_view key, const Table& table) const;
  /// The same by the table of its kind, as far as that is known.
  const toml::node* given(std::string_view key) const;
  /// The text that is given under a key; empty: none.
  std::string text(std::string_view key) const;
  /// The texts of a list, or the one that stands in its place.
  std::vector<std::string> texts(std::string_view key) const;
  /// The first table of a family that has the key by which it is told from the others.
  const Table* tagged(const Family& family) const;

 private:
  bool given_before(const std::string& key, std::size_t layer) const;
  std::string kind() const;
  const Table* table() const;
  std::string text_of(const toml::node* node) const;
  const toml::table& own_;
  const Scope& scope_;
  std::vector<const toml::table*> below_;
  const Family* family_ = nullptr;
};

/// The kinds of a family by name, as its elements say them: "spring", "revolute".
std::vector<std::string> kinds_of(const Family& family);

}  // namespace trammel::io
