#include "io/scene_layers.h"

#include <algorithm>

namespace trammel::io {

std::vector<std::string> kinds_of(const Family& family) {
  std::vector<std::string> out;
  for (const Table& t : family.tables) {
    if (!t.value.empty()) out.push_back(t.value);
    const Key* tag = t.tag.empty() ? nullptr : t.key(t.tag);
    if (tag && t.value.empty())
      out.insert(out.end(), tag->form.choices.begin(), tag->form.choices.end());
  }
  return out;
}

namespace {

bool has(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

/// The kind that an element says it is, or is because it does not say.
std::string Layers::kind() const {
  const Table& first = family_->tables.front();
  if (first.tag.empty()) return "";
  const std::string said = text_of(get(first.tag));
  const Key* key = first.key(first.tag);
  return said.empty() && key && key->fallback != kRequired ? key->fallback : said;
}

Layers::Layers(const toml::table& own, const Family& family, const Scope& scope)
    : own_(own), scope_(scope), family_(&family) {
  for (const toml::table* d : scope.defaults)
    if (const toml::table* general = (*d)[family.name].as_table()) below_.push_back(general);
  if (below_.empty()) return;
  const std::string kind = this->kind();
  std::vector<const toml::table*> all;
  for (const toml::table* general : below_) {
    const toml::table* special = kind.empty() ? nullptr : (*general)[kind].as_table();
    if (special && has(kinds_of(family), kind)) all.push_back(special);
    all.push_back(general);
  }
  below_ = std::move(all);
}

const toml::node* Layers::get(std::string_view key) const {
  if (const toml::node* node = own_.get(key)) return node;
  if (key == "name") return nullptr;
  for (const toml::table* layer : below_) {
    const toml::node* node = layer->get(key);
    if (node && !(node->is_table() && has(kinds_of(*family_), key))) return node;
  }
  return nullptr;
}

bool Layers::given_before(const std::string& key, std::size_t layer) const {
  return own_.contains(key) ||
         std::any_of(below_.begin(), below_.begin() + static_cast<std::ptrdiff_t>(layer),
                     [&](const toml::table* t) { return t->contains(key); });
}

const toml::node* Layers::get(std::string_view key, const Table& table) const {
  const toml::node* node = get(key);
  if (below_.empty() || !node || own_.contains(key)) return node;
  const auto holder = std::find_if(below_.begin(), below_.end(),
                                   [&](const toml::table* t) { return t->get(key) == node; });
  const auto layer = static_cast<std::size_t>(holder - below_.begin());
  for (const Rule& rule : table.rules) {
    if (rule.kind == Rule::Kind::any || !has(rule.keys, key)) continue;
    if (rule.kind == Rule::Kind::needs) {
      const auto is_there = [&](const std::string& k) { return get(k, table) != nullptr; };
      if (rule.keys[0] == key && std::none_of(rule.keys.begin() + 1, rule.keys.end(), is_there))
        return nullptr;
      continue;
    }
    for (const std::string& other : rule.keys)
      if (other != key && given_before(other, layer)) return nullptr;
  }
  return node;
}

/// Of the kind that the element is; nothing: of one that there is not.
const Table* Layers::table() const {
  const std::vector<Table>& tables = family_->tables;
  if (tables.size() == 1) return &tables.front();
  if (tables.front().value.empty()) return tagged(*family_);
  const std::string kind = this->kind();
  const auto it =
      std::find_if(tables.begin(), tables.end(), [&](const Table& t) { return t.value == kind; });
  return it == tables.end() ? nullptr : &*it;
}

const toml::node* Layers::given(std::string_view key) const {
  const toml::node* node = get(key);
  if (below_.empty() || !node || own_.contains(key)) return node;
  const Table* of = table();
  return of ? get(key, *of) : node;
}

std::string Layers::text_of(const toml::node* node) const {
  const auto text = node ? node->value<std::string>() : std::nullopt;
  return text ? filled(*text, scope_) : "";
}

std::string Layers::text(std::string_view key) const { return text_of(given(key)); }

std::vector<std::string> Layers::texts(std::string_view key) const {
  std::vector<std::string> out;
  const toml::node* node = given(key);
  if (node && node->is_string()) out.push_back(text_of(node));
  if (const toml::array* list = node ? node->as_array() : nullptr)
    for (const toml::node& each : *list)
      if (each.is_string()) out.push_back(text_of(&each));
  return out;
}

const Table* Layers::tagged(const Family& family) const {
  const auto in = [&](const toml::table& layer) -> const Table* {
    for (const Table& t : family.tables)
      if (layer.contains(t.tag) && !(&layer != &own_ && layer.get(t.tag)->is_table())) return &t;
    return nullptr;
  };
  if (const Table* t = in(own_)) return t;
  for (const toml::table* layer : below_)
    if (const Table* t = in(*layer)) return t;
  return nullptr;
}

}  // namespace trammel::io
