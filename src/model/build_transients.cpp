// Makes what may change while running: types of transient joints, whose rows and laws are made as
// those of a joint and kept apart, and tracks laid on bodies.
#include <fmt/core.h>

#include <algorithm>

#include "math/index.h"
#include "model/build_rows.h"
#include "model/check.h"

namespace trammel::model {

namespace {

/// How long the model's lists were before a joint was added.
struct Lengths {
  std::size_t rows, laws, groups;
  int angles;
};

JointSpec joint_spec(const TransientSpec& s) {
  JointSpec out;
  out.name = s.name;
  out.path = s.path;
  out.type = s.type;
  out.table = s.table;
  out.rows = s.rows;
  return out;
}

bool check_table(Draft& d, const TransientSpec& s, const joint::Table* table) {
  if (table && table->on_curve)
    d.complain(s.path + ".type",
               fmt::format("transient joint '{}': a {} joint runs along a track, which only joints "
                           "that are always there do",
                           s.name, table->name));
  return table && !table->on_curve;
}

/// Takes the rows, laws and groups that have been added since out of the model.
TransientType take(Draft& d, const Lengths& since) {
  TransientType out;
  Model& m = d.model;
  const auto first_row = static_cast<int>(since.rows), first_law = static_cast<int>(since.laws);
  out.rows.assign(m.rows.begin() + first_row, m.rows.end());
  out.laws.assign(m.laws.begin() + first_law, m.laws.end());
  out.groups.assign(m.groups.begin() + static_cast<std::ptrdiff_t>(since.groups), m.groups.end());
  for (RowInfo& row : out.rows) {
    out.law_of.push_back(row.law < first_law ? -1 : row.law - first_law);
    const law::Law& law = m.laws[at(row.law)].law;
    out.stops.push_back(
        law.type->constraint(law, d.params.values.data() + law.first_param, 0).unilateral());
    if (row.angle >= 0) row.angle -= since.angles;
  }
  for (LawOnRow& law : out.laws) law.row -= first_row;
  for (Group& group : out.groups) group.first_row -= first_row;
  out.n_angles = m.n_angles - since.angles;
  m.rows.resize(since.rows);
  m.laws.resize(since.laws);
  m.groups.resize(since.groups);
  m.n_angles = since.angles;
  return out;
}

/// The laws of a type, with names that no other law has.
std::vector<LawSpec> law_specs(Draft& d, const TransientSpec& s) {
  std::vector<LawSpec> out = s.laws;
  std::unordered_map<std::string, int> law_names;
  for (LawSpec& l : out) {
    if (l.path.empty()) l.path = s.path + ".law." + l.name;
    d.claim(l.name, l.path, "law", law_names, 0);
    if (!l.joint.empty())
      d.complain(
          l.path + ".joint",
          fmt::format("law '{}' is on the joints of type '{}', and names none", l.name, s.name));
    if (l.tensile_strength || l.compressive_strength)
      d.complain(l.path, fmt::format("law '{}': transient joints have no strength", l.name));
    l.name = s.name + "." + l.name;
  }
  return out;
}

/// Adds a joint of the type with its rows to the model, and takes it out again.
TransientType make_type(Draft& d, const JointSpec& s, std::shared_ptr<const joint::Table> table,
                        const std::vector<LawSpec>& laws) {
  need_equality_lock(d);
  Model& m = d.model;
  const Lengths before{m.rows.size(), m.laws.size(), m.groups.size(), m.n_angles};
  const std::size_t index = m.joints.size();
  Joint& j = m.joints.emplace_back();
  j.name = s.name;
  j.path = s.path;
  j.table = std::move(table);
  j.first_row = static_cast<int>(before.rows);
  d.laws_of.resize(index + 1);
  for (const LawSpec& l : laws) d.laws_of[index].push_back(&l);
  add_rows(d, static_cast<int>(index), s);
  for (const LawSpec& l : laws) d.law_index.erase(&l);
  d.laws_of.pop_back();
  m.joints.pop_back();
  return take(d, before);
}

}  // namespace

void Draft::add_transients(const std::vector<TransientSpec>& specs) {
  std::unordered_map<std::string, int> type_names;
  for (const TransientSpec& spec : specs) {
    if (!claim(spec.name, spec.path, "transient joint", type_names, 0)) continue;
    const JointSpec s = joint_spec(spec);
    const auto table = table_of(*this, s);
    if (!check_table(*this, spec, table.get())) continue;
    check_row_specs(*this, s, *table);
    const std::vector<LawSpec> laws = law_specs(*this, spec);
    TransientType type = make_type(*this, s, table, laws);
    type.name = spec.name;
    type.path = spec.path;
    type.table = table;
    model.transient_types.push_back(std::move(type));
  }
}

void Draft::lay_tracks(const std::vector<LaidTrackSpec>& specs) {
  for (Joint& j : model.joints) {
    if (j.arc < 0) continue;
    j.laid = static_cast<int>(model.laid.size());
    model.laid.push_back({j.name, j.track, j.object_A, j.X_OA});
  }
  std::unordered_map<std::string, int> laid_names;
  for (const LaidTrack& laid : model.laid) laid_names.emplace(laid.name, 0);
  for (const LaidTrackSpec& s : specs) {
    if (!claim(s.name, s.path, "laid track", laid_names, 0)) continue;
    if (const std::string text = wrong_pose(s.X_BT); !text.empty())
      complain(s.path + ".X_BT", fmt::format("laid track '{}': {}", s.name, text));
    const int o = object(s.body, s.path + ".body");
    const auto track = std::find_if(model.tracks.begin(), model.tracks.end(),
                                    [&](const Track& t) { return t.name == s.track; });
    if (track == model.tracks.end())
      complain(s.path + ".track", fmt::format("there is no track '{}'", s.track));
    if (o < 0 || track == model.tracks.end()) continue;
    LaidTrack laid{s.name, static_cast<int>(track - model.tracks.begin()), o, s.X_BT};
    laid.X_OT.p -= model.objects[at(o)].com;
    model.laid.push_back(std::move(laid));
  }
}

}  // namespace trammel::model
