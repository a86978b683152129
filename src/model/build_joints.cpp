// Joints and the laws on their rows.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/rotation.h"
#include "model/draft.h"
#include "units/nearest.h"

namespace trammel::model {

namespace {

using law::kInf;

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<std::string> names(const std::vector<joint::Coordinate>& list) {
  std::vector<std::string> out;
  for (const joint::Coordinate& c : list) out.push_back(c.name);
  return out;
}

std::shared_ptr<const joint::Table> table_of(Draft& d, const JointSpec& s) {
  if (s.table) return s.table;
  if (const joint::Table* t = joint::find_table(s.type))
    return std::shared_ptr<const joint::Table>(std::shared_ptr<void>{}, t);  // static, not owned
  std::vector<std::string> known;
  for (const joint::Table& t : joint::tables()) known.push_back(t.name);
  d.complain(s.path + ".type",
             fmt::format("there is no joint '{}'{}", s.type, units::did_you_mean(s.type, known)));
  return nullptr;
}

/// The joint frames on both objects from what the spec gives: frame_a and frame_b in body axes,
/// `at` in the world, and a frame left out coincides with the other one at the start.
bool place_frames(Draft& d, const JointSpec& s, Joint& j) {
  const Pose &X_WA = d.X_WB[at(j.object_A)], &X_WB = d.X_WB[at(j.object_B)];
  if (s.at && (s.frame_a || s.frame_b)) {
    d.complain(s.path + ".at",
               "give the joint's place either by `at` or by `frame_a` and `frame_b`");
    return false;
  }
  if (j.table->on_curve) {
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
  for (const Pose* X : {&j.X_OA, &j.X_OB})
    if (!X->p.allFinite() || !X->R.allFinite() ||
        (X->R.transpose() * X->R - Mat3::Identity()).norm() > 1e-9) {
      d.complain(s.path, fmt::format("joint '{}': a frame's axes are not orthonormal", s.name));
      return false;
    }
  return true;
}

/// The point of the track nearest to p (in the track's axes): a scan, then projection, which must
/// find the right piece too; the joint's own one goes on from there.
double nearest_s(const track::Track& track, const Vec3& p) {
  const int n = std::clamp(static_cast<int>(track.length()), 200, 20000);
  double best = 0, least = kInf;
  geom::CurvePoint c;
  for (int i = 0; i <= n; ++i) {
    const double s = track.length() * i / n;
    track.eval(s, track.piece_at(s), 1, c);
    if (const double distance = (c.p - p).squaredNorm(); distance < least) {
      least = distance;
      best = s;
    }
  }
  for (int k = 0; k < 50; ++k) {
    track.eval(best, track.piece_at(best), 1, c);
    const double last =
        std::exchange(best, std::clamp(best + c.C.col(0).dot(p - c.p), 0.0, track.length()));
    if (std::abs(best - last) < 1e-12 * (1 + best)) break;
  }
  return best;
}

bool place_on_track(Draft& d, const JointSpec& s, Joint& j) {
  if (!j.table->on_curve) {
    if (!s.track.empty())
      d.complain(s.path + ".track", fmt::format("a {} joint runs along no track", j.table->name));
    if (j.derail.any())
      d.complain(s.path + ".derail", fmt::format("a {} joint cannot derail", j.table->name));
    return s.track.empty() && !j.derail.any();
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
  const double start = s.s ? *s.s : nearest_s(track, X_TB.p);
  if (!(start >= 0 && start <= track.length())) {
    d.complain(s.path + ".s", fmt::format("s = {} m is off the track '{}' of {:.6g} m", start,
                                          s.track, track.length()));
    return false;
  }
  d.state.s.push_back(start);
  d.state.piece.push_back(static_cast<int>(track.piece_at(start)));
  return true;
}

int add_row(Draft& d, int joint, const joint::Coordinate& c) {
  RowInfo info;
  info.joint = joint;
  info.row = c.row;
  info.name = c.name;
  info.sign = c.sign;
  if (c.row.fn == joint::Function::atan2) info.angle = d.model.n_angles++;
  d.model.rows.push_back(std::move(info));
  return static_cast<int>(d.model.rows.size()) - 1;
}

int add_lock_params(Draft& d, std::string owner, const law::Demand& l) {
  return d.add_params(
      std::move(owner),
      {"value", "force_min", "force_max", "erp", "stiffness", "one_sided", "restitution"},
      {l.target.x, l.lo, l.hi, l.erp, 1e9, l.one_sided ? 1. : 0., l.restitution});
}

/// Where a row of the joint's own is held unless told otherwise: at zero, a distance at what it is
/// at the start.
double start_value(const Draft& d, const Joint& j, const joint::Coordinate& c) {
  if (c.row.fn != joint::Function::sqrt) return 0;
  const Vec3 D = (d.X_WB[at(j.object_B)] * j.X_OB).p - (d.X_WB[at(j.object_A)] * j.X_OA).p;
  return c.sign * D.norm();
}

/// Why a coordinate of the opposite sign cannot be one-sided: rows are free upwards only.
std::string against_its_row(const joint::Coordinate& c) {
  return fmt::format(
      "'{}' falls as its row {} rises, and only rows can be free to rise: turn the joint's frames "
      "round to make it one-sided",
      c.name, to_text(c.row));
}

/// The lock on a row of the joint's own, with the options a scene gives for it.
law::Law lock(Draft& d, const Joint& j, const JointSpec& s, const joint::Coordinate& row) {
  law::Law law;
  law.type = law::find_type("locked");
  const auto it = std::find_if(s.rows.begin(), s.rows.end(),
                               [&](const RowSpec& r) { return r.row == row.name; });
  law::Demand l;
  l.target.x = start_value(d, j, row);
  if (it == s.rows.end() && row.row.fn != joint::Function::sqrt) {
    if (d.default_lock < 0) d.default_lock = add_lock_params(d, "", l);
    law.first_param = d.default_lock;
    return law;
  }
  if (it != s.rows.end()) {
    l.lo = it->force_min.value_or(-kInf);
    l.hi = it->force_max.value_or(kInf);
    l.target.x = it->value.value_or(l.target.x);
    l.one_sided = it->one_sided;
    l.erp = it->erp.value_or(l.erp);
    l.restitution = it->restitution.value_or(0);
    if (!(l.lo <= 0 && l.hi >= 0 && l.lo < l.hi))
      d.complain(it->path,
                 fmt::format("the force bounds of '{}' must hold zero between them, not [{}, {}]",
                             row.name, l.lo, l.hi));
    if (l.one_sided && it->force_min)
      d.complain(it->path, fmt::format("'{}' is one-sided: its least force is zero", row.name));
    if (!(l.erp >= 0 && l.erp <= 1)) d.complain(it->path, "erp lies between 0 and 1");
    if (!(l.restitution >= 0 && l.restitution <= 1))
      d.complain(it->path, "restitution lies between 0 and 1");
    if (it->restitution && !l.one_sided)
      d.complain(it->path,
                 fmt::format("'{}' is not one-sided: restitution means nothing", row.name));
    if (l.one_sided && row.sign < 0) d.complain(it->path, against_its_row(row));
    if (row.row.fn == joint::Function::sqrt && !(row.sign * l.target.x > 0))
      d.complain(it->path, "a distance must be positive");
  } else if (!(row.sign * l.target.x > 0)) {
    d.complain(s.path,
               fmt::format("joint '{}': its points coincide, a distance must be positive", s.name));
  }
  law.first_param = add_lock_params(d, "joint." + s.name + "." + row.name, l);
  return law;
}

/// Numbers of a law by name, checked against its type's list.
std::vector<double> numbers_of(Draft& d, const LawSpec& s, const law::Type& type) {
  std::vector<std::string> known;
  for (const law::Parameter& p : type.parameters) known.emplace_back(p.name);
  for (const auto& [key, value] : s.numbers)
    if (std::find(known.begin(), known.end(), key) == known.end())
      d.complain(s.path + "." + key, fmt::format("a {} has no '{}'{}", type.name, key,
                                                 units::did_you_mean(key, known)));
  std::vector<double> out;
  for (const law::Parameter& p : type.parameters) {
    const auto it = s.numbers.find(std::string(p.name));
    const double x = it == s.numbers.end() ? p.fallback : it->second;
    if (std::isnan(x) && it == s.numbers.end())
      d.complain(s.path, fmt::format("law '{}' needs '{}': {}", s.name, p.name, p.doc));
    else if (!(x >= p.lo && x <= p.hi))
      d.complain(s.path + "." + std::string(p.name),
                 fmt::format("'{}' of law '{}' is {}, it must lie between {} and {}", p.name,
                             s.name, x, p.lo, p.hi));
    out.push_back(x);
  }
  if (type.name == "motor" && out[0] > out[1])
    d.complain(s.path + ".force_min",
               fmt::format("force_min {} exceeds force_max {}", out[0], out[1]));
  return out;
}

void check_drive(Draft& d, const LawSpec& s, const law::Type& type) {
  if (type.takes_drive && !s.drive)
    d.complain(s.path,
               fmt::format("a {} needs {}", type.name,
                           type.velocity_only ? "a `velocity` to reach"
                                              : "a `displacement`, `velocity` or `acceleration`"));
  if (!type.takes_drive && s.drive)
    d.complain(s.path, fmt::format("a {} follows no signal", type.name));
  if (s.drive && type.velocity_only && s.drive->level != Drive::Level::velocity)
    d.complain(s.path, fmt::format("a {} follows a `velocity`", type.name));
  if (s.function && type.name != "spring")
    d.complain(s.path, fmt::format("a {} takes no force function", type.name));
}

std::optional<law::Law> make_law(Draft& d, const LawSpec& s, const joint::Coordinate& on) {
  const law::Type* type = law::find_type(s.type);
  if (!type) {
    std::vector<std::string> known;
    for (const law::Type* t : law::types()) known.emplace_back(t->name);
    d.complain(s.path + ".type",
               fmt::format("there is no law '{}'{}", s.type, units::did_you_mean(s.type, known)));
    return {};
  }
  const std::vector<double> numbers = numbers_of(d, s, *type);
  check_drive(d, s, *type);
  if (const auto it = s.numbers.find("one_sided"); it != s.numbers.end())
    if (it->second != 0 && on.sign < 0) d.complain(s.path + ".one_sided", against_its_row(on));
  law::Law law;
  law.type = type;
  std::vector<std::string_view> keys;
  for (const law::Parameter& p : type->parameters) keys.push_back(p.name);
  law.first_param = d.add_params("law." + s.name, std::move(keys), {});
  d.params.values.insert(d.params.values.end(), numbers.begin(), numbers.end());
  if (s.drive) law.drive = *s.drive;
  law.function = s.function;
  return law;
}

/// The coordinate that a law names: a free coordinate, a row of the joint by its name, or any row.
std::optional<joint::Coordinate> coordinate_of(Draft& d, const LawSpec& s,
                                               const joint::Table& table) {
  if (const joint::Coordinate* c = table.coordinate(s.coordinate)) return *c;
  for (const joint::Coordinate& c : table.rows)
    if (c.name == s.coordinate) return c;
  auto known = names(table.coordinates);
  if (const auto row = joint::parse_row(s.coordinate)) {
    if (row->on_curve() && !table.on_curve)
      d.complain(s.path + ".coordinate",
                 fmt::format("'{}' needs a track; the joint is {}", s.coordinate, table.name));
    else if (row->unit() == joint::Unit::square_metre)
      d.complain(s.path + ".coordinate",
                 fmt::format("'{}' is in m^2; write sqrt(...)", s.coordinate));
    else
      return joint::Coordinate{s.coordinate, *row};
    return {};
  }
  if (s.coordinate.empty() && known.size() == 1) return table.coordinates.front();
  d.complain(s.path + ".coordinate",
             s.coordinate.empty()
                 ? fmt::format("say which coordinate of the {} joint{}", table.name,
                               units::did_you_mean("", known))
                 : fmt::format("a {} joint has no coordinate '{}'{}", table.name, s.coordinate,
                               units::did_you_mean(s.coordinate, known)));
  return {};
}

void put_law(Draft& d, int row, law::Law law, std::string name, std::string path, bool of_table) {
  d.model.rows[at(row)].law = static_cast<int>(d.model.laws.size());
  d.model.laws.push_back({std::move(name), std::move(path), std::move(law),
                          d.model.rows[at(row)].joint, row, of_table});
}

/// Rows of one joint: its own, locked or under the law that a scene puts on them, then those of
/// laws on other coordinates.
void add_rows(Draft& d, int index, const JointSpec& s) {
  const Joint& j = d.model.joints[at(index)];
  struct Pending {
    const LawSpec* spec;
    joint::Coordinate coordinate;
    bool used = false;
  };
  std::vector<Pending> pending;
  for (const LawSpec* l : d.laws_of[at(index)])
    if (auto c = coordinate_of(d, *l, *j.table)) pending.push_back({l, *c});
  const auto put = [&](int row, Pending& p, bool of_table) {
    p.used = true;
    d.model.rows[at(row)].sign = p.coordinate.sign;
    if (auto law = make_law(d, *p.spec, p.coordinate))
      put_law(d, row, *law, p.spec->name, p.spec->path, of_table);
  };
  const int first = static_cast<int>(d.model.rows.size());
  for (const joint::Coordinate& row : j.table->rows) {
    const int i = add_row(d, index, row);
    const auto it = std::find_if(pending.begin(), pending.end(), [&](const Pending& p) {
      return !p.used && same(p.coordinate.row, row.row);
    });
    if (it != pending.end())
      put(i, *it, true);
    else
      put_law(d, i, lock(d, j, s, row), s.name + "." + row.name, s.path, true);
  }
  for (Pending& p : pending)
    if (!p.used) put(add_row(d, index, p.coordinate), p, false);
  // all touch the same blocks: dense blocks, as large as solvers take them
  constexpr int kLargest = 6;
  for (int i = first, n = static_cast<int>(d.model.rows.size()); i < n; i += kLargest)
    d.model.groups.push_back({index, i, std::min(kLargest, n - i)});
}

void check_row_specs(Draft& d, const JointSpec& s, const joint::Table& table) {
  const auto known = names(table.rows);
  for (const RowSpec& r : s.rows)
    if (std::find(known.begin(), known.end(), r.row) == known.end())
      d.complain(r.path.empty() ? s.path : r.path,
                 fmt::format("joint '{}' has no row '{}'{}", s.name, r.row,
                             units::did_you_mean(r.row, known)));
}

bool check_ends(Draft& d, const JointSpec& s, Joint& j) {
  j.object_A = d.object(s.a, s.path + ".a");
  j.object_B = d.object(s.b, s.path + ".b");
  if (j.object_A < 0 || j.object_B < 0) return false;
  if (j.object_A == j.object_B) {
    d.complain(s.path + ".b", fmt::format("joint '{}' joins '{}' to itself", s.name, s.b));
    return false;
  }
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

void Draft::add_joints(const std::vector<JointSpec>& specs, const std::vector<LawSpec>& law_specs) {
  std::vector<const JointSpec*> good;
  for (const JointSpec& s : specs) {
    Joint j;
    j.name = s.name;
    j.path = s.path;
    bool ok = claim(s.name, s.path, "joint", joints, static_cast<int>(model.joints.size()));
    j.table = table_of(*this, s);
    ok &= check_ends(*this, s, j) && j.table != nullptr;
    if (j.table) check_row_specs(*this, s, *j.table);
    j.derail = s.derail;
    for (const double limit :
         {j.derail.lateral, j.derail.vertical, j.derail.roll, j.derail.pitch, j.derail.yaw})
      if (!(limit > 0)) complain(s.path + ".derail", "a derailing displacement must be positive");
    ok = ok && place_frames(*this, s, j) && place_on_track(*this, s, j);
    if (!ok) continue;
    model.joints.push_back(std::move(j));
    good.push_back(&s);
  }
  laws_of.resize(model.joints.size());
  std::unordered_map<std::string, int> law_names;
  std::vector<std::string> joint_names;
  for (const JointSpec& s : specs) joint_names.push_back(s.name);
  for (const LawSpec& l : law_specs) {
    claim(l.name, l.path, "law", law_names, 0);
    const auto it = joints.find(l.joint);
    if (it == joints.end())
      complain(l.path + ".joint", fmt::format("there is no joint '{}'{}", l.joint,
                                              units::did_you_mean(l.joint, joint_names)));
    else if (at(it->second) < model.joints.size() && model.joints[at(it->second)].name == l.joint)
      laws_of[at(it->second)].push_back(&l);
  }
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    model.joints[i].first_row = static_cast<int>(model.rows.size());
    add_rows(*this, static_cast<int>(i), *good[i]);
    to_mass_centre(*this, model.joints[i]);
  }
}

}  // namespace trammel::model
