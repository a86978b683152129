#include "sim/channels.h"

#include <fmt/format.h>

#include <algorithm>

namespace trammel::sim {

std::span<const ColumnText> column_texts() {
  static constexpr ColumnText kTexts[] = {
      {"/bodies/position", "", "of the body frame's origin, along world axes"},
      {"/bodies/orientation", "", "of the body frame in the world, a unit quaternion with w >= 0"},
      {"/bodies/velocity", "", "of the centre of mass, along world axes"},
      {"/bodies/angular_velocity", "", "about world axes, by the right hand"},
      {"/bodies/affine", "", "A of x = p + A x0, by row and column: turn, stretch and shear"},
      {"/bodies/affine_rate", "", "rate of A"},
      {"/bodies/strain", "", "greatest strain of the body in any direction, with its sign"},
      {"/joints/coordinates", "", "free coordinate of frame B against frame A"},
      {"/joints/rates", "", "its rate"},
      {"/systems/momentum", "",
       "dL/dx' of a system's coordinate: kept where it is cyclic and nothing acts on it"},
      {"/joints/reactions", "fx", "force on B along x of frame A, the axis"},
      {"/joints/reactions", "fy", "force on B along y of frame A"},
      {"/joints/reactions", "fz", "force on B along z of frame A"},
      {"/joints/reactions", "tx", "torque on B about x of frame A, at the origin of frame B"},
      {"/joints/reactions", "ty", "torque on B about y of frame A, there"},
      {"/joints/reactions", "tz", "torque on B about z of frame A, there"},
      {"/couplings/reaction", "",
       "force or torque on the first of its coordinates; positive pushes it up"},
      {"/laws/force", "", "force or torque of the law; positive pushes the coordinate up"},
      {"/loads/force", "", "force of the load on its body, along world axes"},
      {"/loads/torque", "", "torque of the load, without the moment of its force, likewise"},
      {"/tracks/running", "speed", "along the track"},
      {"/tracks/running", "curvature", "of the track where the joint is, positive to the left"},
      {"/tracks/running", "grade", "rise by horizontal way"},
      {"/tracks/running", "twist", "roll of the track, positive with the left rail high"},
      {"/tracks/running", "unbalanced", "acceleration felt towards the left: v^2 curvature - g y"},
      {"/tracks/running", "cant_deficiency", "height of a rail that would balance it, 1.5 m apart"},
      {"/probes/acceleration", "longitudinal", "as felt, gravity included, along the body's x"},
      {"/probes/acceleration", "lateral", "as felt, along the body's y"},
      {"/probes/acceleration", "vertical", "as felt, along the body's z; at rest 9.81 m/s^2"},
      {"/probes/position", "", "of the point, from where it is seen, along the probe's axes"},
      {"/probes/velocity", "", "of the point, as seen from there, along the probe's axes"},
      {"/probes/motion_acceleration", "", "of the point, likewise, mean over the last step"},
      {"/probes/angular_velocity", "", "of the body, likewise"},
      {"/probes/angles", "roll", "of the body as seen from there: R = Rz(yaw) Ry(pitch) Rx(roll)"},
      {"/probes/angles", "pitch", "between -90 and 90 deg"},
      {"/probes/angles", "yaw", "about z"},
      {"/sensors/value", "", "a sensor"},
      {"/ledger/energy", "total", "kinetic, of gravity and stored"},
      {"/ledger/energy", "kinetic", "of all bodies"},
      {"/ledger/energy", "gravity", "of all masses, from the world's origin"},
      {"/ledger/energy", "stored", "in springs and strained bodies"},
      {"/ledger/energy", "imbalance", "what no account explains: the error of the steps"},
      {"/ledger/work", "", "work so far, into the mechanism where positive"},
      {"/solver", "iterations", "in the last step"},
      {"/solver", "gap", "worst position error of a row that is a length"},
      {"/solver", "angle", "worst position error of a row that is an angle"},
      {"/solver", "row_speed", "worst rate of a row that holds"},
      {"/solver", "merit", "how far bounds and stops are from being met"},
      {"/solver", "fallback", "1 where the step was made by the way of singular configurations"},
      {"/inputs/value", "", "what comes in from outside, or from a controller"},
      {"/contacts/state", "points", "points of contact that pushed in the last step"},
      {"/contacts/state", "depth", "greatest overlap of two shapes"},
      {"/contacts/force", "",
       "of all contacts of two bodies on the first of them, mean of the last step"},
      {"/contacts/body", "", "of all contacts on the body, mean of the last step"},
      {"/joints/impulse", "", "since the start, on B and about both centres of mass"},
      {"/loads/impulse", "", "since the start, at the body's centre of mass"},
  };
  return kTexts;
}

std::string channel_name(std::string_view item, std::string_view quantity,
                         std::string_view column) {
  std::string out(item);
  for (const std::string_view part : {quantity, column})
    if (!part.empty()) out.append(out.empty() ? "" : ".").append(part);
  return out;
}

namespace {

std::string text_of(const Quantity& q, const std::string& column) {
  std::string_view out;
  for (const ColumnText& t : column_texts())
    if (t.path == q.path && (t.column == column || (t.column.empty() && out.empty()))) out = t.text;
  return std::string(out);
}

/// "angle = atan2(Az.By, Ay.By)" of the coordinate of a joint.
std::string formula_of(const model::Model& m, const std::string& item) {
  for (const model::Joint& joint : m.joints)
    for (const joint::Coordinate& c : joint.table->coordinates)
      if (item == joint.name + "." + c.name) return (c.sign < 0 ? "-" : "") + joint::to_text(c.row);
  return "";
}

}  // namespace

std::vector<ChannelText> channels(const Simulation& simulation) {
  std::vector<ChannelText> out{{"time", "s", "from the start"}};
  const Recorder recorder(simulation);
  for (const Quantity& q : recorder.quantities())
    for (std::size_t i = 0; i < q.items.size(); ++i)
      for (std::size_t c = 0; c < q.columns.size(); ++c) {
        const std::size_t of = q.units.size() == q.columns.size() ? c : i * q.columns.size() + c;
        std::string text = text_of(q, q.columns[c]);
        if (q.path == "/joints/coordinates")
          text = fmt::format("{} of frame B against frame A",
                             formula_of(simulation.model(), q.items[i]));
        out.push_back(
            {channel_name(q.items[i], q.name, q.columns[c]), q.units[of], std::move(text)});
      }
  return out;
}

}  // namespace trammel::sim
