// Bodies: masses, inertias, where they start.
#include "model/build_bodies.h"

#include <fmt/core.h>

#include <cmath>
#include <deque>

#include "body/moments.h"
#include "body/rigid.h"
#include "math/dense.h"
#include "math/integrated.h"
#include "math/rotation.h"
#include "model/check.h"
#include "units/nearest.h"

namespace trammel::model {

double volume(const Solid& s) { return body::moments(s, 1).volume; }

namespace {

std::array<double, 6> six_of(const Mat3& I) {
  return {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
}

/// Inertia of a uniform solid about its centre of mass [kg m^2].
std::array<double, 6> inertia(const Solid& s, double m) {
  const body::Moments of = body::moments(s, body::is_thin(s) ? m : m / volume(s));
  return six_of(body::inertia_of_second(of.about(of.com()).second));
}

}  // namespace

std::string wrong_inertia(const std::array<double, 6>& six) {
  const Mat3 I = body::inertia_matrix(six.data());
  if (!I.allFinite()) return "the inertia is not finite";
  const Vec3 p = dense::principal_values(I);  // rising
  const std::string moments =
      fmt::format("principal moments {:.6g}, {:.6g}, {:.6g} kg m^2", p[0], p[1], p[2]);
  if (!(p[0] >= -1e-15 * p[2])) return "the inertia is negative: " + moments;
  if (p[2] > (p[0] + p[1]) * (1 + 1e-9))
    return "no body has this inertia (the largest principal moment exceeds the sum of the "
           "others): " +
           moments;
  return {};
}

MassOf mass_of(Draft& d, const BodySpec& s, bool may_be_massless) {
  MassOf out;
  const std::size_t before = d.problems.size();
  if (const std::string text = s.solid ? wrong_solid(*s.solid) : ""; !text.empty())
    d.complain(fmt::format("{}.{}", s.path, body::name_of(*s.solid)),
               fmt::format("body '{}': {}", s.name, text));
  if (s.density && !s.solid)
    d.complain(s.path + ".density", fmt::format("body '{}': a density needs a solid", s.name));
  if (s.density && !(*s.density > 0 && std::isfinite(*s.density)))
    d.complain(
        s.path + ".density",
        fmt::format("body '{}': the density must be positive, not {} kg/m^3", s.name, *s.density));
  // a mass of zero is meant where the inertia is said to be zero too
  const bool massless =
      may_be_massless && s.mass == 0 && s.inertia && *s.inertia == std::array<double, 6>{};
  if (!s.density && !massless && !(s.mass > 0 && std::isfinite(s.mass)))
    d.complain(s.path + ".mass",
               fmt::format("body '{}': the mass must be positive, not {} kg", s.name, s.mass));
  if (s.density && s.solid && s.mass != 0)
    d.complain(s.path + ".density",
               fmt::format("body '{}': mass and density exclude each other", s.name));
  if (!s.inertia && !s.solid)
    d.complain(s.path, fmt::format("body '{}' needs an inertia or a solid; that of a point mass is "
                                   "[0, 0, 0]",
                                   s.name));
  if (s.inertia && s.solid)
    d.complain(s.path + ".inertia",
               fmt::format("body '{}': an inertia and a solid exclude each other", s.name));
  if (d.problems.size() > before) return out;
  out.mass = s.density ? *s.density * volume(*s.solid) : s.mass;
  out.inertia = s.inertia ? *s.inertia : inertia(*s.solid, out.mass);
  if (std::string text = wrong_inertia(out.inertia); !text.empty())
    d.complain(s.path + ".inertia", fmt::format("body '{}': {}", s.name, text));
  return out;
}

namespace {

/// The pose of a track in the world at the start: that of the joint frame that carries it.
Pose track_pose(const Draft& d, const std::vector<JointSpec>& joints, const std::string& track) {
  for (const JointSpec& j : joints) {
    if (j.track != track) continue;
    const Pose frame = j.frame_a.value_or(Pose{});
    const auto it = d.objects.find(j.a);
    return it == d.objects.end() ? frame : d.X_WB[static_cast<std::size_t>(it->second)] * frame;
  }
  return {};
}

/// The start as the spec has it; a place that is none is complained of and left out.
Start own_start(Draft& d, const BodySpec& s) {
  Start start{s.X_WB, s.v, s.w};
  const auto check = [&](const char* key, const std::string& text) {
    if (!text.empty()) d.complain(s.path + key, fmt::format("body '{}': {}", s.name, text));
    return text.empty();
  };
  if (!check(".position", wrong_position(s.X_WB.p))) start.X_WB.p.setZero();
  if (!check(".orientation", wrong_axes(s.X_WB.R))) start.X_WB.R.setIdentity();
  check(".com", s.com.allFinite() ? "" : "its centre of mass is not finite");
  check(".velocity", s.v.allFinite() ? "" : "its velocity is not finite");
  check(".angular_velocity", s.w.allFinite() ? "" : "its angular velocity is not finite");
  if (s.on_track)
    check(".on_track", std::isfinite(s.on_track->speed) ? "" : "its speed is not finite");
  if (s.on_track && (s.v != Vec3::Zero() || s.w != Vec3::Zero()))
    check(".on_track", "its velocity follows from the speed on the track");
  return start;
}

}  // namespace

Start start_of(Draft& d, const BodySpec& s, const std::vector<JointSpec>& joints) {
  Start start = own_start(d, s);
  if (!s.on_track) return start;
  const auto it = d.tracks.find(s.on_track->track);
  if (it == d.tracks.end()) {
    std::vector<std::string> known;
    for (const Track& t : d.model.tracks) known.push_back(t.name);
    d.complain(s.path + ".on_track", fmt::format("there is no track '{}'{}", s.on_track->track,
                                                 units::did_you_mean(s.on_track->track, known)));
    return start;
  }
  const track::Track& track = *d.model.tracks[static_cast<std::size_t>(it->second)].track;
  if (!(s.on_track->s >= 0 && s.on_track->s <= track.length())) {
    d.complain(s.path + ".on_track",
               fmt::format("body '{}' stands at s = {} m, off the track '{}' of {:.6g} m", s.name,
                           s.on_track->s, s.on_track->track, track.length()));
    return start;
  }
  const geom::CurvePoint c = track.at(s.on_track->s);
  const Pose X_WT = track_pose(d, joints, s.on_track->track);
  Pose X_TC{c.p, c.C};
  if (s.on_track->reversed) X_TC.R = X_TC.R * Eigen::AngleAxisd(M_PI, Vec3::UnitZ());
  start.X_WB = X_WT * X_TC * start.X_WB;
  start.w = s.on_track->speed * (X_WT.R * c.Omega);
  const Vec3 r = start.X_WB.p + start.X_WB.R * s.com - (X_WT * X_TC).p;
  start.v = s.on_track->speed * (X_WT.R * c.C.col(0)) + start.w.cross(r);
  return start;
}

namespace {

/// Complains of a prescribed body that has more than its motion and its pose, or a wrong one.
void check_prescribed(Draft& d, const BodySpec& s) {
  const BodySpec none;
  if (s.mass != 0 || s.density || s.inertia || s.solid || !s.solids.empty() || s.com != none.com ||
      s.affine)
    d.complain(s.path,
               fmt::format("body '{}' moves as prescribed: it has no mass and no inertia", s.name));
  if (s.v != none.v || s.w != none.w || s.on_track)
    d.complain(s.path, fmt::format("body '{}' moves as prescribed: it has no velocity of its own "
                                   "and starts on no track",
                                   s.name));
  const auto check = [&](const std::string& key, const std::string& text) {
    if (!text.empty()) d.complain(s.path + key, fmt::format("body '{}': {}", s.name, text));
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string key = fmt::format(".displacement[{}]", i);
    check(key, wrong_drive(s.motion->displacement[i]));
    d.check_live(s.motion->displacement[i].signal.live_names(), s.path + key);
  }
  for (std::size_t i = 0; i < s.motion->turns.size(); ++i) {
    const body::Prescribed::Turn& turn = s.motion->turns[i];
    check(fmt::format(".turns[{}].axis", i),
          std::abs(turn.axis.norm() - 1) <= kUnitRounding ? "" : "the axis of a turn has length 1");
    check(fmt::format(".turns[{}].angle", i), wrong_drive(turn.angle));
    d.check_live(turn.angle.signal.live_names(), fmt::format("{}.turns[{}].angle", s.path, i));
  }
}

void add_rigid(Draft& d, body::RigidPool& pool, const BodySpec& s,
               const std::vector<JointSpec>& joints) {
  const int i = pool.n_blocks;
  if (!d.claim(s.name, s.path, "body", d.objects, 1 + i)) return;
  const MassOf m = mass_of(d, s, true);
  const auto& I = m.inertia;
  d.add_params("body." + s.name, {"mass", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"},
               {m.mass, I[0], I[1], I[2], I[3], I[4], I[5]});
  const Start start = start_of(d, s, joints);
  const Vec3 p = start.X_WB.p + start.X_WB.R * s.com;
  const Quat q = Quat(start.X_WB.R).normalized();
  d.state.q.insert(d.state.q.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
  d.u.insert(d.u.end(), start.v.begin(), start.v.end());
  d.u.insert(d.u.end(), start.w.begin(), start.w.end());
  d.model.blocks.push_back({0, i, 7 * i, 6 * i, 6});
  Object o{s.name};
  o.motion_kind = pool.motion_kind();
  o.block = i;
  o.pool = 0;
  o.index = i;
  o.com = s.com;
  d.model.objects.push_back(std::move(o));
  d.X_WB.push_back(start.X_WB);
  ++pool.n_blocks;
}

void add_prescribed(Draft& d, const BodySpec& s) {
  if (!d.claim(s.name, s.path, "body", d.objects, static_cast<int>(d.model.objects.size()))) return;
  const std::size_t before = d.problems.size();
  check_prescribed(d, s);
  Object o{s.name};
  o.moved = true;
  const int index = static_cast<int>(d.model.objects.size());
  d.model.objects.push_back(std::move(o));
  body::Prescribed motion = *s.motion;
  for (Drive& drive : motion.displacement) drive = integrated(drive);
  for (body::Prescribed::Turn& turn : motion.turns) turn.angle = integrated(turn.angle);
  motion.X_WB0 = own_start(d, s).X_WB;
  body::Transform at;
  body::Rate rate;
  body::Bias bias;
  if (d.problems.size() == before) motion.at(0, at, rate, bias);
  d.X_WB.push_back({at.p, at.A});
  d.model.prescribed.push_back({index, std::move(motion)});
}

}  // namespace

void Draft::add_bodies(const std::vector<BodySpec>& specs,
                       const std::vector<JointSpec>& joint_specs) {
  model.objects.push_back({"ground"});
  objects["ground"] = 0;
  X_WB.push_back({});
  std::vector<const BodySpec*> rigid, affine, moved;  // a pool's objects stand together
  std::deque<BodySpec> whole;
  for (const BodySpec& s : specs) {
    if (!s.motion && !s.solids.empty()) whole.push_back(of_solids(*this, s));
    const BodySpec* known = s.motion || s.solids.empty() ? &s : &whole.back();
    (s.motion ? moved : s.affine ? affine : rigid).push_back(known);
  }
  auto pool = std::make_shared<body::RigidPool>();
  PoolSlot slot;
  slot.object = 1;
  slot.param = static_cast<int>(params.values.size());
  for (const BodySpec* s : rigid) add_rigid(*this, *pool, *s, joint_specs);
  model.n_q = 7 * pool->n_blocks;
  model.n_u = 6 * pool->n_blocks;
  model.n_derived = pool->n_derived * pool->n_blocks;
  slot.pool = pool;
  model.pools.push_back(std::move(slot));
  add_affine_bodies(*this, affine, joint_specs);
  for (const BodySpec* s : moved) add_prescribed(*this, *s);
}

}  // namespace trammel::model
