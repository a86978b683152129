#include "model/coordinate_rows.h"

#include <cmath>
#include <utility>

#include "math/index.h"
#include "model/topology.h"

namespace trammel::model {

int add_coordinate_row(Model& m, int joint, const joint::Coordinate& coordinate, int law) {
  const joint::Table& table = joint::coupling_table(coordinate.row.unit());
  const int held = count(m.joints);
  Coupling c;
  c.joint = held;
  c.row = count(m.rows);
  c.first_source = count(m.sources);
  c.n = 1;
  c.h.a[0] = 1;
  Source source{joint, coordinate.row, coordinate.sign, -1};
  if (coordinate.row.turns()) source.angle = m.n_angles++;
  Joint j;
  j.name = m.joints[at(joint)].name + "." + coordinate.name;
  j.table = std::shared_ptr<const joint::Table>(std::shared_ptr<void>{}, &table);  // static
  j.coupling = count(m.couplings);
  j.first_row = c.row;
  RowInfo row;
  row.joint = held;
  row.law = law;
  row.row = table.rows.front().row;
  row.name = table.rows.front().name;
  m.joints.push_back(std::move(j));
  m.rows.push_back(std::move(row));
  m.groups.push_back({held, c.row, 1});
  m.couplings.push_back(std::move(c));
  m.sources.push_back(source);
  return held;
}

int equality_law(Model& m, Params& params) {
  for (std::size_t i = 0; i < m.laws.size(); ++i)
    if (m.laws[i].joint < 0 && m.laws[i].ledger < 0) return static_cast<int>(i);
  law::Law law;
  law.type = law::find_type("locked");
  law.first_param = count(params.values);
  for (const law::Parameter& p : law.type->parameters)
    params.values.push_back(std::isnan(p.fallback) ? 0 : p.fallback);
  m.laws.push_back({"", "", std::move(law), -1, -1, true});
  return count(m.laws) - 1;
}

Model with_coordinate_rows(const Model& model, std::span<const CoordinateHandle> coordinates,
                           Params& params) {
  Model out = model;
  const int law = equality_law(out, params);
  for (const CoordinateHandle& h : coordinates)
    add_coordinate_row(out, static_cast<int>(h.joint), checked(model, h), law);
  out.topology = std::make_shared<const Topology>(out);
  return out;
}

}  // namespace trammel::model
