#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/scene_keys.h"

/// Elements with the defaults of their kind below what they say themselves.
namespace trammel::io {

class Layers {
 public:
  explicit Layers(const toml::table& own) : own_(own) {}
  /// `defaults`: tables [defaults], the nearest one first.
  Layers(const toml::table& own, const Family& family,
         const std::vector<const toml::table*>& defaults);

  const toml::table& own() const { return own_; }
  /// What stands nearest under a key; nothing: nowhere.
  const toml::node* get(std::string_view key) const;
  /// The same, where a default gives way to a key of the element, or a nearer default, that it
  /// does not go with.
  const toml::node* get(std::string_view key, const Table& table) const;
  std::string text(std::string_view key) const;
  /// The first table of a family that has the key by which it is told from the others.
  const Table* tagged(const Family& family) const;

 private:
  bool given_before(const std::string& key, std::size_t layer) const;
  const toml::table& own_;
  std::vector<const toml::table*> below_;
  const Family* family_ = nullptr;
};

/// The kinds of a family by name, as its elements say them: "spring", "revolute".
std::vector<std::string> kinds_of(const Family& family);

}  // namespace trammel::io
