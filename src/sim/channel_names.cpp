// One name, one channel: elements whose channels would have the same name are refused.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>

#include "sim/channels.h"

namespace trammel::sim {

namespace {

/// The element that a channel belongs to.
struct Owner {
  std::string kind, name;  // "body", "bob"; without a kind: the run itself
  bool operator==(const Owner&) const = default;
};

/// Returns the kind of an item, by the folder of its dataset.
std::string kind_of(const Quantity& q, std::size_t item) {
  constexpr std::pair<std::string_view, const char*> kKinds[] = {
      {"/bodies/", "body"},  {"/joints/", "joint"},     {"/couplings/", "coupling"},
      {"/laws/", "law"},     {"/tracks/", "joint"},     {"/systems/", "system"},
      {"/probes/", "probe"}, {"/sensors/", "sensor"},   {"/inputs/", "input"},
      {"/loads/", "load"},   {"/contacts/body", "body"}};
  if (!q.kinds.empty()) return q.kinds[item];
  for (const auto& [folder, kind] : kKinds)
    if (q.path.starts_with(folder)) return kind;
  return "";
}

/// Items of coordinates are "joint.coordinate", those of momenta "system.coordinate".
Owner owner_of_channel(const Quantity& q, std::size_t item) {
  std::string name = q.items[item];
  for (const char* of_coordinates : {"/joints/coordinates", "/joints/rates", "/systems/momentum"})
    if (q.path == of_coordinates) name = name.substr(0, name.rfind('.'));
  return {kind_of(q, item), std::move(name)};
}

template <class F>
void for_each_channel(const std::vector<Quantity>& quantities, F f) {
  for (const Quantity& q : quantities)
    for (std::size_t i = 0; i < q.items.size(); ++i)
      for (const std::string& column : q.columns) f(q, i, channel_name(q.items[i], q.name, column));
}

/// Returns true where two channels may have one name: by hashes, since there may be millions.
bool may_repeat(const std::vector<Quantity>& quantities) {
  std::vector<std::size_t> seen;
  for_each_channel(quantities, [&](const Quantity&, std::size_t, const std::string& name) {
    seen.push_back(std::hash<std::string>{}(name));
  });
  std::sort(seen.begin(), seen.end());
  return std::adjacent_find(seen.begin(), seen.end()) != seen.end();
}

std::string described(const Owner& o) {
  return o.kind.empty() ? fmt::format("the run itself ('{}')", o.name)
                        : fmt::format("{} '{}'", o.kind, o.name);
}

/// Adds a problem at the line of each of two elements with one channel.
void complain(const Owner& first, const Owner& second, const std::string& channel,
              std::vector<Problem>& out) {
  for (const auto& [owner, other] : {std::pair{&first, &second}, {&second, &first}})
    if (!owner->kind.empty())
      out.push_back({fmt::format("{}.{}.name", owner->kind, owner->name),
                     fmt::format("{} and {} would both have the channel '{}', which results, plots "
                                 "and sensors could not tell apart: give one of them another name",
                                 described(*owner), described(*other), channel)});
}

}  // namespace

std::vector<Problem> wrong_channels(const model::Built& built, const Settings& settings) {
  const std::vector<Quantity> all = Recorder::quantities_of(*built.model, settings);
  std::vector<Problem> out;
  if (!may_repeat(all)) return out;
  std::map<std::string, Owner> owners;
  std::set<std::pair<std::string, std::string>> complained;
  for_each_channel(all, [&](const Quantity& q, std::size_t i, const std::string& name) {
    const Owner owner = owner_of_channel(q, i);
    const auto [first, fresh] = owners.emplace(name, owner);
    if (fresh || first->second == owner ||
        !complained.emplace(described(first->second), described(owner)).second)
      return;
    complain(first->second, owner, name, out);
  });
  return out;
}

}  // namespace trammel::sim
