#include "model/given.h"

#include <utility>

#include "math/index.h"
#include "model/build_rows.h"
#include "model/coordinate_rows.h"
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
  g.held = add_coordinate_row(m, g.joint, g.coordinate, draft_->default_law);
  m.joints.back().name = "start of " + g.name;
  m.joints.back().path = g.value ? g.path : g.rate_path;
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
