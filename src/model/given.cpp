#include "model/given.h"

#include <utility>

#include "math/index.h"
#include "model/build_rows.h"
#include "model/topology.h"

namespace trammel::model {

GivenRows::GivenRows(Draft& d)
    : draft_(&d),
      joints_(d.model.joints.size()),
      couplings_(d.model.couplings.size()),
      sources_(d.model.sources.size()),
      rows_(d.model.rows.size()),
      groups_(d.model.groups.size()),
      angles_(d.model.n_angles),
      topology_(d.model.topology) {
  if (d.given.empty()) return;
  need_equality_lock(d);
  for (Given& g : d.given) add(g);
  d.model.topology = std::make_shared<const Topology>(d.model);
}

/// A coupling of one coordinate.
void GivenRows::add(Given& g) {
  Model& m = draft_->model;
  State& state = draft_->state;
  const joint::Unit unit = g.coordinate.row.unit();
  const joint::Table& table = joint::coupling_table(unit);
  g.held = count(m.joints);
  Coupling c;
  c.joint = g.held;
  c.row = count(m.rows);
  c.first_source = count(m.sources);
  c.n = 1;
  c.h.a[0] = 1;
  Source source{g.joint, g.coordinate.row, g.coordinate.sign, -1};
  if (g.coordinate.row.turns()) source.angle = m.n_angles++;
  Joint j;
  j.name = "start of " + g.name;
  j.path = g.value ? g.path : g.rate_path;
  j.table = std::shared_ptr<const joint::Table>(std::shared_ptr<void>{}, &table);  // static
  j.coupling = count(m.couplings);
  j.first_row = c.row;
  RowInfo row;
  row.joint = g.held;
  row.law = draft_->default_law;
  row.row = table.rows.front().row;
  row.name = table.rows.front().name;
  m.joints.push_back(std::move(j));
  m.rows.push_back(std::move(row));
  m.groups.push_back({g.held, c.row, 1});
  m.couplings.push_back(std::move(c));
  m.sources.push_back(source);
  state.on.push_back(0);
  state.rows.impulse.push_back(0);
  state.rows.bound.push_back(0);
  state.rows.yielded.push_back(0);
  state.angle.resize(at(m.n_angles), 0);
}

GivenRows::~GivenRows() {
  if (draft_->given.empty()) return;
  Model& m = draft_->model;
  State& state = draft_->state;
  m.joints.resize(joints_);
  m.couplings.resize(couplings_);
  m.sources.resize(sources_);
  m.rows.resize(rows_);
  m.groups.resize(groups_);
  m.n_angles = angles_;
  m.topology = topology_;
  state.on.resize(joints_);
  state.rows.impulse.resize(rows_);
  state.rows.bound.resize(rows_);
  state.rows.yielded.resize(rows_);
  state.angle.resize(at(angles_));
}

}  // namespace trammel::model
