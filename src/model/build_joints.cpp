// Joints: their ends, frames and tracks.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "geom/nearest.h"
#include "math/index.h"
#include "math/rotation.h"
#include "model/build_rows.h"
#include "model/check.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

using law::kInf;

/// The joint frames on both objects from what the spec gives: frame_a and frame_b in body axes,
/// `at` in the world, and a frame left out coincides with the other one at the start.
bool place_frames(Draft& d, const JointSpec& s, Joint& j) {
  const Pose &X_WA = d.X_WB[at(j.object_A)], &X_WB = d.X_WB[at(j.object_B)];
  if (s.at && (s.frame_a || s.frame_b)) {
    d.complain(s.path + ".at",
               "give the joint's place either by `at` or by `frame_a` and `frame_b`");
    return false;
  }
  if (s.p_WA || s.p_WB) {
    const auto place = [](const Pose& X_WO, const std::optional<Pose>& frame,
                          const std::optional<Vec3>& p) {
      return frame ? *frame
                   : Pose{inverse(X_WO).R * (p.value_or(X_WO.p) - X_WO.p), Mat3::Identity()};
    };
    j.X_OA = place(X_WA, s.frame_a, s.p_WA);
    j.X_OB = place(X_WB, s.frame_b, s.p_WB);
  } else if (j.table->on_curve) {
    if (s.at) {
      d.complain(s.path + ".at",
                 "a joint along a track is placed by `frame_a` (where the track lies "
                 "on its body) and `frame_b` (what runs along it)");
      return false;
    }
    j.X_OA = s.frame_a.value_or(Pose{});
    j.X_OB = s.frame_b.value_or(Pose{});
  } else if (s.frame_a || s.frame_b) {
    const Pose X_WF = s.frame_a ? X_WA * *s.frame_a : X_WB * *s.frame_b;
    j.X_OA = s.frame_a ? *s.frame_a : inverse(X_WA) * X_WF;
    j.X_OB = s.frame_b ? *s.frame_b : inverse(X_WB) * X_WF;
  } else if (s.at) {
    j.X_OA = inverse(X_WA) * *s.at;
    j.X_OB = inverse(X_WB) * *s.at;
  } else {
    d.complain(s.path,
               fmt::format("joint '{}' needs a place: `at`, or `frame_a` and `frame_b`", s.name));
    return false;
  }
  if (s.R_WF) {
    j.X_OA.R = inverse(X_WA).R * *s.R_WF;
    j.X_OB.R = inverse(X_WB).R * *s.R_WF;
  }
  for (const Pose* X : {&j.X_OA, &j.X_OB})  // on a body that is sheared
    if (const std::string text = wrong_pose(*X); !text.empty()) {
      d.complain(s.path, fmt::format("a frame of joint '{}' on its body: {}", s.name, text));
      return false;
    }
  return true;
}

bool check_frames(Draft& d, const JointSpec& s) {
  const std::size_t before = d.problems.size();
  for (const auto& [key, frame] :
       {std::pair("at", &s.at), std::pair("frame_a", &s.frame_a), std::pair("frame_b", &s.frame_b)})
    if (const std::string text = *frame ? wrong_pose(**frame) : ""; !text.empty())
      d.complain(s.path + "." + key, fmt::format("frame of joint '{}': {}", s.name, text));
  return d.problems.size() == before;
}

bool place_on_track(Draft& d, const JointSpec& s, Joint& j) {
  if (!j.table->on_curve) {
    if (!s.track.empty())
      d.complain(s.path + ".track", fmt::format("a {} joint runs along no track", j.table->name));
    if (s.s)
      d.complain(s.path + ".s", fmt::format("a {} joint runs along no track", j.table->name));
    if (j.derail.any())
      d.complain(s.path + ".derail", fmt::format("a {} joint cannot derail", j.table->name));
    return s.track.empty() && !s.s && !j.derail.any();
  }
  const auto it = d.tracks.find(s.track);
  if (it == d.tracks.end()) {
    std::vector<std::string> known;
    for (const Track& t : d.model.tracks) known.push_back(t.name);
    d.complain(s.path + ".track", s.track.empty()
                                      ? fmt::format("joint '{}' needs a track", s.name)
                                      : fmt::format("there is no track '{}'{}", s.track,
                                                    units::did_you_mean(s.track, known)));
    return false;
  }
  j.track = it->second;
  j.arc = d.model.n_arcs++;
  const track::Track& track = *d.model.tracks[at(j.track)].track;
  const Pose X_TB = inverse(d.X_WB[at(j.object_A)] * j.X_OA) * (d.X_WB[at(j.object_B)] * j.X_OB);
  const double start = s.s ? *s.s : geom::nearest_arc_length(track, X_TB.p);
  if (!(start >= 0 && start <= track.length())) {
    d.complain(s.path + ".s", fmt::format("s = {} m is off the track '{}' of {:.6g} m", start,
                                          s.track, track.length()));
    return false;
  }
  d.state.s.push_back(start);
  d.state.piece.push_back(static_cast<int>(track.piece_at(start)));
  return true;
}

/// Limits are those of free coordinates, which a joint of the user's own need not have.
void check_derail(Draft& d, const JointSpec& s, const joint::Table& table) {
  const std::pair<const char*, double> limits[] = {{"lateral", s.derail.lateral},
                                                   {"vertical", s.derail.vertical},
                                                   {"roll", s.derail.roll},
                                                   {"pitch", s.derail.pitch},
                                                   {"yaw", s.derail.yaw}};
  for (const auto& [name, limit] : limits) {
    const std::string path = s.path + ".derail." + name;
    if (!(limit > 0)) d.complain(path, "a derailing displacement must be positive");
    if (limit < kInf && table.on_curve && !table.coordinate(name))
      d.complain(path, fmt::format("joint '{}' has no coordinate '{}' to watch{}", s.name, name,
                                   units::did_you_mean("", names(table.coordinates))));
  }
}

/// Whether an object is there for one of a pool that is not taken, which was told.
bool stands_in(const Model& m, int object) {
  return m.objects[at(object)].moved &&
         std::none_of(m.prescribed.begin(), m.prescribed.end(),
                      [&](const Moved& p) { return p.object == object; });
}

bool check_ends(Draft& d, const JointSpec& s, Joint& j) {
  j.object_A = d.object(s.a, s.path + ".a");
  j.object_B = d.object(s.b, s.path + ".b");
  if (j.object_A < 0 || j.object_B < 0) return false;
  if (j.object_A == j.object_B) {
    d.complain(s.path + ".b", fmt::format("joint '{}' joins '{}' to itself", s.name, s.b));
    return false;
  }
  if (stands_in(d.model, j.object_A) || stands_in(d.model, j.object_B)) return false;
  if (d.model.objects[at(j.object_A)].block < 0 && d.model.objects[at(j.object_B)].block < 0) {
    d.complain(s.path, fmt::format("joint '{}' joins '{}' and '{}', neither of which can move",
                                   s.name, s.a, s.b));
    return false;
  }
  return true;
}

void to_mass_centre(Draft& d, Joint& j) {  // objects' origins are centres of mass
  j.X_OA.p -= d.model.objects[at(j.object_A)].com;
  j.X_OB.p -= d.model.objects[at(j.object_B)].com;
}

}  // namespace

std::shared_ptr<const joint::Table> table_of(Draft& d, const JointSpec& s) {
  if (s.table && !s.type.empty())
    d.complain(s.path + ".type",
               fmt::format("joint '{}' has rows of its own: it is no {}", s.name, s.type));
  if (s.table) return s.table;
  if (const joint::Table* t = joint::find_table(s.type))
    return std::shared_ptr<const joint::Table>(std::shared_ptr<void>{}, t);  // static, not owned
  std::vector<std::string> known;
  for (const joint::Table& t : joint::tables()) known.push_back(t.name);
  d.complain(s.path + ".type",
             fmt::format("there is no joint '{}'{}", s.type, units::did_you_mean(s.type, known)));
  return nullptr;
}

void check_row_specs(Draft& d, const JointSpec& s, const joint::Table& table) {
  const auto known = names(table.rows);
  for (std::size_t i = 0; i < s.rows.size(); ++i) {
    const RowSpec& r = s.rows[i];
    if (std::find(known.begin(), known.end(), r.row) == known.end())
      d.complain(path_of(r, s), fmt::format("joint '{}' has no row '{}'{}", s.name, r.row,
                                            units::did_you_mean(r.row, known)));
    for (std::size_t k = 0; k < i; ++k)
      if (s.rows[k].row == r.row)
        d.complain(path_of(r, s),
                   fmt::format("row '{}' of joint '{}' has its options twice", r.row, s.name));
  }
}

std::vector<std::string> names(const joint::Table& table) {
  std::vector<std::string> out = names(table.coordinates);
  for (const std::string& row : names(table.rows))
    if (std::find(out.begin(), out.end(), row) == out.end()) out.push_back(row);
  return out;
}

std::vector<std::string> names(const std::vector<joint::Coordinate>& list) {
  std::vector<std::string> out;
  for (const joint::Coordinate& c : list) out.push_back(c.name);
  return out;
}

void Draft::add_joints(const std::vector<JointSpec>& specs,
                       const std::vector<CouplingSpec>& coupling_specs,
                       const std::vector<LawSpec>& law_specs) {
  std::vector<const JointSpec*> good;
  for (const JointSpec& s : specs) {
    Joint j;
    j.name = s.name;
    j.path = s.path;
    bool ok = claim(s.name, s.path, "joint", joints, static_cast<int>(model.joints.size()));
    j.table = table_of(*this, s);
    ok &= check_ends(*this, s, j) && j.table != nullptr;
    ok &= check_frames(*this, s);
    if (j.table) check_row_specs(*this, s, *j.table);
    if (j.table) check_derail(*this, s, *j.table);
    j.derail = s.derail;
    ok = ok && place_frames(*this, s, j) && place_on_track(*this, s, j);
    if (!ok) continue;
    model.joints.push_back(std::move(j));
    add_given(*this, static_cast<int>(model.joints.size()) - 1, s);
    good.push_back(&s);
  }
  const std::vector<JointSpec> coupled = add_couplings(*this, coupling_specs, specs);
  for (const JointSpec& s : coupled) good.push_back(&s);
  std::vector<std::string> named;
  for (const JointSpec& s : specs) named.push_back(s.name);
  for (const CouplingSpec& s : coupling_specs) named.push_back(s.name);
  assign_laws(law_specs, named);
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    model.joints[i].first_row = static_cast<int>(model.rows.size());
    add_rows(*this, static_cast<int>(i), *good[i]);
    add_strengths(*this, static_cast<int>(i), *good[i]);
    to_mass_centre(*this, model.joints[i]);
  }
  find_loads(law_specs);
}

}  // namespace trammel::model
