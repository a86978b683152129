// Collects the constants of a mechanism over a run, for its results.
#include <array>
#include <cmath>
#include <limits>

#include "law/targets.h"
#include "math/index.h"
#include "sim/recorder.h"

namespace trammel::sim {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void put(const Vec3& v, std::vector<double>& out) { out.insert(out.end(), {v.x(), v.y(), v.z()}); }

struct Massive {
  double mass = kNone;
  std::array<double, 6> inertia{kNone, kNone, kNone, kNone, kNone, kNone};
};
/// Returns mass and inertia of an object, for kinds that give them.
Massive massive(const model::Built& built, const model::Object& o) {
  if (o.pool < 0) return {};
  const model::PoolSlot& slot = built.model->pools[at(o.pool)];
  const double* p = built.params.values.data() + slot.param;
  const int block = o.index / slot.pool->n_objects, object = o.index % slot.pool->n_objects;
  const auto inertia = slot.pool->inertia(p, block, object);
  return inertia ? Massive{slot.pool->mass(p, block, object), *inertia} : Massive{};
}

Constants bodies(const model::Built& built) {
  const model::Model& m = *built.model;
  Constants out{"/model/bodies",
                {},
                {"mass", "com_x", "com_y", "com_z", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"},
                {"kg", "m", "m", "m", "kg m^2", "kg m^2", "kg m^2", "kg m^2", "kg m^2", "kg m^2"},
                {},
                {{"kind", {}}}};
  for (std::size_t i = 1; i < m.objects.size(); ++i) {
    const model::Object& o = m.objects[i];
    const Massive known = massive(built, o);
    out.items.push_back(o.name);
    out.labels[0].second.emplace_back(m.kind(o));
    out.values.push_back(known.mass);
    put(o.com, out.values);
    out.values.insert(out.values.end(), known.inertia.begin(), known.inertia.end());
  }
  return out;
}

/// Returns the value at which a law holds its coordinate for good, whatever force that takes.
std::optional<double> value_for_good(const law::Law& law, const model::Params& params) {
  if (law.type->takes_drive) return {};
  return law::fixed_value(law.type->constraint(law, params.values.data() + law.first_param, 0));
}

/// Own rows of a joint that are not held at zero, "; " between them, and at what a distance is
/// held.
struct Held {
  std::string loose;
  double value = kNone;
};
Held held(const model::Built& built, std::size_t joint) {
  const model::Model& m = *built.model;
  Held out;
  const model::Joint& j = m.joints[joint];
  for (std::size_t k = 0; k < j.table->rows.size(); ++k) {
    const model::RowInfo& row = m.rows[at(j.first_row) + k];
    const auto value = value_for_good(m.laws[at(row.law)].law, built.params);
    if (value && row.row.distance()) out.value = *value;
    if (value && (row.row.distance() || *value == 0)) continue;
    out.loose += (out.loose.empty() ? "" : "; ") + row.name;
  }
  return out;
}

Constants joints(const model::Built& built) {
  const model::Model& m = *built.model;
  Constants out{"/model/joints", {}, {}, {}, {}, {}};
  for (const char* end : {"a_", "b_"})
    for (const char* c : {"x", "y", "z", "qw", "qx", "qy", "qz"}) {
      out.columns.push_back(std::string(end) + c);
      out.units.emplace_back(c[0] == 'q' ? "1" : "m");
    }
  out.columns.emplace_back("distance");
  out.units.emplace_back("m");
  std::vector<std::string> type, a, b, track, loose;
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const model::Joint& joint = m.joints[j];
    const bool couples = joint.coupling >= 0;
    const Held h = couples ? Held{} : held(built, j);
    out.items.push_back(joint.name);
    type.push_back(couples ? "coupling" : joint.table->name);
    a.push_back(couples ? "" : m.objects[at(joint.object_A)].name);
    b.push_back(couples ? "" : m.objects[at(joint.object_B)].name);
    track.push_back(joint.track < 0 ? "" : m.tracks[at(joint.track)].name);
    loose.push_back(h.loose);
    model::put_frame(joint.X_OA, m.objects[at(joint.object_A)], out.values);
    model::put_frame(joint.X_OB, m.objects[at(joint.object_B)], out.values);
    out.values.push_back(h.value);
  }
  out.labels = {{"type", type}, {"a", a}, {"b", b}, {"track", track}, {"loose", loose}};
  return out;
}

/// Those with channels, in the order of /laws/force.
Constants laws(const model::Built& built) {
  const model::Model& m = *built.model;
  Constants out{"/model/laws", {}, {}, {}, {}, {}};
  std::vector<std::string> type, joint, coordinate;
  for (const model::LawOnRow& l : m.laws) {
    if (!has_channels(m, l)) continue;
    out.items.push_back(l.name);
    type.emplace_back(l.law.type->name);
    joint.push_back(m.joints[at(l.joint)].name);
    coordinate.push_back(m.rows[at(l.row)].name);
  }
  out.labels = {{"type", type}, {"joint", joint}, {"coordinate", coordinate}};
  return out;
}

Constants loads(const model::Built& built) {
  const model::Model& m = *built.model;
  Constants out{"/model/loads", m.load_names, {}, {}, {}, {{"body", {}}}};
  for (const law::Load& l : m.loads) out.labels[0].second.push_back(m.objects[at(l.object)].name);
  return out;
}

}  // namespace

std::vector<Constants> constants(const model::Built& built) {
  const double* g = built.params.values.data() + model::kGravityParam;
  Constants gravity{"/model/gravity",   {"gravity"}, {"x", "y", "z"}, {"m/s^2", "m/s^2", "m/s^2"},
                    {g[0], g[1], g[2]}, {}};
  std::vector<Constants> out{gravity, bodies(built), joints(built), laws(built), loads(built)};
  if (can_touch(*built.model)) out.push_back(constraint::touching_shapes(*built.model));
  return out;
}

}  // namespace trammel::sim
