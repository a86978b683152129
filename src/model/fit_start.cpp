// The start: frames must meet, velocities must fit the rows.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "joint/evaluate.h"
#include "law/targets.h"
#include "model/assemble.h"
#include "model/equilibrium.h"

namespace trammel::model {

namespace {

constexpr double kStartTolerance = 1e-13;  // of the fit, times the size of the scene

struct Misfit {
  double gap = 0, angle = 0;
  bool turned_over = false;  // rows fulfilled on the wrong branch
};

/// A law of the user's that leads, holds or stops the row does so at a place of its own.
bool has_own_place(const Model& model, const RowInfo& row) {
  if (row.law < 0) return false;
  const LawOnRow& law = model.laws[static_cast<std::size_t>(row.law)];
  const std::string& joint = model.joints[static_cast<std::size_t>(row.joint)].path;
  return law.joint >= 0 && (!law.of_table || law.law.type->takes_drive || law.path != joint);
}

/// Rows of angles between axes are sines.
double angle_of(const joint::Row& row, double e) {
  const bool sine = row.unit() == joint::Unit::one && !row.shape();
  return sine ? std::asin(std::clamp(e, -1., 1.)) : e;
}

/// How far the frames of a joint are from meeting; `laws` says whether as far as laws go that have
/// their own places.
Misfit misfit(const Model& model, const ConstraintSpecs& specs, const KinematicsCache& at,
              int joint, bool laws) {
  Misfit m;
  for (auto i = static_cast<std::size_t>(model.joints[static_cast<std::size_t>(joint)].first_row);
       i < model.rows.size() && model.rows[i].joint == joint; ++i) {
    const RowInfo& row = model.rows[i];
    const law::ConstraintSpec& d = specs[i];
    if (!laws && has_own_place(model, row)) continue;
    const double e = d.off(at.g[i]);
    const bool length = row.row.unit() == joint::Unit::metre;
    double& worst = length ? m.gap : m.angle;
    worst = std::hypot(worst, length ? e : angle_of(row.row, e));
  }
  return m;
}

/// u.v = 0 holds upside down too: the joint's closure residuals tell.
bool turned_over(const Kinematics& kin, const KinematicsCache& at, State& state, int joint) {
  const Joint& j = kin.model().joints[static_cast<std::size_t>(joint)];
  unsigned features = j.table->on_curve ? joint::kProjection : 0;
  for (const joint::Term& t : j.table->terms)
    features |= 1u << static_cast<unsigned>(t.u) | 1u << static_cast<unsigned>(t.v);
  joint::Sample sample;
  joint::Arc arc;
  if (j.arc >= 0) {
    const auto a = static_cast<std::size_t>(j.arc);
    arc = {state.s[a], state.piece[a]};
    features |= 7u << static_cast<unsigned>(joint::Feature::Cx);
  }
  joint::sample(kin.ends(joint, at), features, 1, arc, sample);
  return std::any_of(j.table->terms.begin(), j.table->terms.end(), [&](const joint::Term& t) {
    const Vec3 &u = sample.x[static_cast<std::size_t>(t.u)],
               &v = sample.x[static_cast<std::size_t>(t.v)];
    return t.kind == joint::Term::Kind::difference && (u - v).norm() > 1;
  });
}

constexpr double kDirection = 1e-9;  // of the mechanism's length, or 1: it points nowhere

/// Rows have no Jacobian everywhere: a distance of points that coincide has none, nor an angle to
/// what has no part in its plane.
void report_undefined(Draft& d, const Kinematics& kin, const KinematicsCache& at,
                      const char* when) {
  for (const RowInfo& row : d.model.rows) {
    if (row.row.fn->h.margin == nullptr) continue;
    const Joint& j = d.model.joints[static_cast<std::size_t>(row.joint)];
    joint::Arc arc = j.arc < 0 ? joint::Arc{} : at.arc[static_cast<std::size_t>(j.arc)];
    joint::Sample sample;
    joint::sample(kin.ends(row.joint, at), row.row.features(), 1, arc, sample);
    const bool distance = row.row.distance();
    const double size = distance ? d.model.scales.length : std::min(1., d.model.scales.length);
    if (!(joint::margin(row.row, sample) < kDirection * size)) continue;
    const LawOnRow& law = d.model.laws[static_cast<std::size_t>(row.law)];
    d.complain(law.ledger < 0 && law.of_table ? j.path : law.path + ".coordinate",
               fmt::format("{} of joint '{}' {}: {} has no rate there", to_text(row.row), j.name,
                           distance ? fmt::format("is zero {}, its points coincide", when)
                                    : fmt::format("is undefined {}", when),
                           distance ? "a distance" : "an angle"));
  }
}

std::string infinite(double x, const char* unit) {
  return std::isnan(x) ? "no number" : fmt::format("{}{}", x, unit);
}

/// Functions of the user's that have no value at the start.
void report_profiles(Draft& d, const KinematicsCache& at) {
  for (const Coupling& c : d.model.couplings) {
    if (!c.h.profile) continue;
    const Joint& j = d.model.joints[static_cast<std::size_t>(c.joint)];
    const double x = at.x[static_cast<std::size_t>(c.first_source + c.n - 1)];
    const Jet f = (*c.h.profile)(x);
    if (!std::isfinite(f.x + f.v + f.a))
      d.complain(
          j.path + ".profile",
          fmt::format("the profile of coupling '{}' {} at the start, where x = {:.6g}", j.name,
                      std::isfinite(f.x) ? "has no finite slope" : "is " + infinite(f.x, ""), x));
  }
}

/// Forces are asked for at rest, too.
void report_forces(Draft& d, const KinematicsCache& at) {
  for (const LawOnRow& l : d.model.laws) {
    if (!l.law.function) continue;
    const RowInfo& row = d.model.rows[static_cast<std::size_t>(l.row)];
    const double x = row.sign * at.g[static_cast<std::size_t>(l.row)];
    const law::Force f = (*l.law.function)(x, 0, at.still());
    if (!std::isfinite(f.f))
      d.complain(
          l.path + "." + std::string(l.law.type->function.name),
          fmt::format("the force of law '{}' is {} at rest at the start, where x = {:.6g}", l.name,
                      infinite(f.f, row.row.unit() == joint::Unit::metre ? " N" : " N m"), x));
  }
}

/// Loads are asked for at rest, too.
void report_loads(Draft& d, const KinematicsCache& at) {
  for (std::size_t i = 0; i < d.model.loads.size(); ++i) {
    const law::Load& load = d.model.loads[i];
    if (!load.type->takes_functions) continue;
    const law::Wrench w =
        law::wrench(load, d.params.values.data(), at.T_WO[static_cast<std::size_t>(load.object)],
                    {Vec3::Zero(), Mat3::Zero()}, 0);
    if (!w.f.allFinite() || !w.torque.allFinite())
      d.complain("load." + d.model.load_names[i],
                 fmt::format("load '{}' is no number at rest at the start: divide by max(v, 1 "
                             "mm/s), say, not by v",
                             d.model.load_names[i]));
  }
}

/// Laws that lead, hold or stop their coordinate elsewhere than it is.
void report_places(Draft& d, const ConstraintSpecs& specs, const KinematicsCache& at, int joint) {
  const Joint& j = d.model.joints[static_cast<std::size_t>(joint)];
  for (auto i = static_cast<std::size_t>(j.first_row);
       i < d.model.rows.size() && d.model.rows[i].joint == joint; ++i) {
    const RowInfo& row = d.model.rows[i];
    const law::ConstraintSpec& spec = specs[i];
    const double place = spec.place(at.g[i]), off = spec.off(at.g[i]);
    if (!has_own_place(d.model, row) || std::abs(off) <= d.meets(row.row.unit())) continue;
    const bool length = row.row.unit() == joint::Unit::metre;
    const double shown = row.sign * (length ? 1 : 180 / M_PI);
    const LawOnRow& law = d.model.laws[static_cast<std::size_t>(row.law)];
    const bool drives = law.law.type->takes_drive;
    const law::PlaceWords words = law::place_words(*law.law.type, spec);
    d.complain(
        law.path,
        fmt::format("law '{0}' {6} at {1:.6g} {4}, '{2}' of joint '{3}' {7} {5:.6g} {4}: "
                    "{8}, place the bodies so, or set assemble = true",
                    law.name, shown * place, row.name, j.name, length ? "m" : "deg",
                    shown * at.g[i], std::string(words.verb) + (drives ? "" : " its coordinate"),
                    drives ? "at" : "starts at", words.remedy));
  }
}

/// A cam whose follower is not on it.
void report_follower(Draft& d, const Joint& j, const KinematicsCache& at) {
  const Coupling& c = d.model.couplings[static_cast<std::size_t>(j.coupling)];
  const auto first = static_cast<std::size_t>(c.first_source);
  const Source& source = d.model.sources[first];
  const double x = source.sign * at.x[first],
               off = at.g[static_cast<std::size_t>(c.row)] / c.h.a[0];
  const bool length = source.row.unit() == joint::Unit::metre;
  const double shown = length ? 1 : 180 / M_PI;
  d.complain(j.path,
             fmt::format("coupling '{0}' asks its first coordinate, of joint '{1}', to start at "
                         "{2:.6g} {4}, where it starts at {3:.6g} {4}: place the bodies so, change "
                         "the profile, or set assemble = true",
                         j.name, d.model.joints[static_cast<std::size_t>(source.joint)].name,
                         shown * (x - off), shown * x, length ? "m" : "deg"));
}

void report_turned_over(Draft& d, const Joint& j) {
  d.complain(j.path,
             fmt::format("the frames of joint '{}' meet the wrong way round: an axis of one "
                         "points against that of the other",
                         j.name));
}

/// Of joints whose bodies are where they are written.
void report_gaps(Draft& d, const Kinematics& kin, const ConstraintSpecs& specs,
                 const Islands& islands, const KinematicsCache& at, StartReport& report) {
  for (std::size_t i = 0; i < d.model.joints.size(); ++i) {
    const Joint& j = d.model.joints[i];
    if (islands.placed(i) || !d.state.on[i]) continue;
    Misfit m = misfit(d.model, specs, at, static_cast<int>(i), true);
    if (m.gap > report.gap || m.angle > report.angle) report.gap_joint = j.name;
    report.gap = std::max(report.gap, m.gap);
    report.angle = std::max(report.angle, m.angle);
    if (!d.options.assemble) report_places(d, specs, at, static_cast<int>(i));
    m = misfit(d.model, specs, at, static_cast<int>(i), false);
    const bool far =
        !(m.gap <= d.meets(joint::Unit::metre) && m.angle <= d.meets(joint::Unit::radian));
    if (far && !d.options.assemble && j.coupling >= 0)
      report_follower(d, j, at);
    else if (far && !d.options.assemble)
      d.complain(
          j.path,
          fmt::format("the frames of joint '{}' do not meet: gap {:.6g} m, angle {:.6g} deg; "
                      "place the bodies so that they do, or set assemble = true",
                      j.name, m.gap, m.angle * 180 / M_PI));
    else if (turned_over(kin, at, d.state, static_cast<int>(i)))
      report_turned_over(d, j);
  }
}

/// Greatest change, a length (part 0) or an angle (1), of bodies that starts or rates given do not
/// place or lead; returns whose it is, "" where none is changed.
std::string take_largest(const Model& model, const std::vector<double>& change, int part,
                         double& largest, bool (Islands::*made)(int) const,
                         const Islands& islands) {
  std::string name;
  for (const Object& o : model.objects) {
    if (o.block < 0 || o.jacobian >= 0 || (islands.*made)(o.block)) continue;
    const double* moved = change.data() + model.blocks[static_cast<std::size_t>(o.block)].v;
    const double x = part > 0 ? body::turn(o.motion_kind, moved).norm() : vec3(moved).norm();
    if (x > largest) {
      largest = x;
      name = o.name;
    }
  }
  return name;
}

/// Both, and who is changed most: a way that is rounding does not take the name from a turn.
void report_largest(const Model& model, const std::vector<double>& change, double& length,
                    double& angle, std::string& name, bool (Islands::*made)(int) const,
                    const Islands& islands) {
  constexpr double kSeen = 1e-9;  // of the mechanism's length: less is not spoken of
  const std::string turns = take_largest(model, change, 1, angle, made, islands),
                    goes = take_largest(model, change, 0, length, made, islands);
  name = length > kSeen * model.scales.length || turns.empty() ? goes : turns;
}

}  // namespace

namespace {

/// The first of the joints that stand for starts given.
int first_given(const Draft& d) {
  return d.given.empty() ? static_cast<int>(d.model.joints.size()) : d.given.front().held;
}

void report_conflict(Draft& d, const Conflict& c, const char* what, const char* unit,
                     const std::string& otherwise = "") {
  constexpr double kMet = 1e-8;
  if (c.left < kMet * d.model.scales.length)
    return d.complain(d.model.joints.empty() ? "" : d.model.joints.front().path,
                      "the joints can be met, but not from this start: place the bodies nearer to "
                      "where they meet" +
                          otherwise);
  // a start given is the last of the joints
  const std::string path = c.joints.empty() ? ""
                           : c.joints.back() >= first_given(d)
                               ? d.model.joints[static_cast<std::size_t>(c.joints.back())].path
                               : d.model.joints[static_cast<std::size_t>(c.joints.front())].path;
  d.complain(path, fmt::format("joints {} {}: {:.3g} {} is left at the best compromise",
                               names_of(d.model, c.joints), what, c.left, unit));
}

/// What a Newton iteration that has not ended has left.
std::string left_over(const Model& model, const Projector::Position& moved) {
  if (moved.worst < 0) return "";
  const RowInfo& row = model.rows[static_cast<std::size_t>(moved.worst)];
  return fmt::format("; after {} iterations joint '{}' is off by {:.3g} {}", moved.iterations,
                     model.joints[static_cast<std::size_t>(row.joint)].name,
                     moved.residual * model.scales.value(row.row.unit()),
                     row.row.unit() == joint::Unit::metre ? "m" : "rad");
}

/// Freedoms at a pose some thousandths of a metre and radian away that the rows allow.
int degrees_of_freedom_nearby(const Kinematics& kin, const ConstraintSpecs& specs, State state,
                              const Rank& here) {
  constexpr double kWay = 1e-2;
  if (here.surplus() == 0) return here.degrees_of_freedom();
  KinematicsCache at = kin.make_cache();
  for (std::size_t i = 0; i < at.arc.size(); ++i) at.arc[i] = {state.s[i], state.piece[i]};
  std::vector<double> dq(static_cast<std::size_t>(kin.model().n_u));
  for (std::size_t i = 0; i < dq.size(); ++i)
    dq[i] = kWay * std::sin(1.7 * static_cast<double>(i) + 1);
  kin.retract(dq.data(), state.q.data());
  Projector projector(kin);
  if (!projector.position(specs, 1e-10, state, at).converged) return here.degrees_of_freedom();
  return rank_of(kin, state, specs, at).degrees_of_freedom();
}

/// Reports the share of the given velocities that the joints do not allow. Bodies that were given
/// none are only carried along, as a drive carries along what it moves.
void report_given(const Draft& d, const std::vector<double>& P, const std::vector<double>& change,
                  StartReport& report) {
  double most = 0;
  for (const Object& o : d.model.objects) {
    if (o.block < 0) continue;
    const Block& b = d.model.blocks[static_cast<std::size_t>(o.block)];
    double given = 0, missed = 0;
    for (auto i = static_cast<std::size_t>(b.v); i < static_cast<std::size_t>(b.v + b.n); ++i) {
      given += 0.5 * P[i] * d.u[i];
      missed += 0.5 * (d.state.P[i] - P[i]) * change[i];
    }
    if (!(given > 0)) continue;
    report.energy_given += given;
    report.energy_missed += missed;
    if (missed > most) report.missed_body = o.name;
    most = std::max(most, missed);
  }
}

/// Coordinates onto the rows. What it takes is gone before the rank is asked for: there is room for
/// one factor at a time.
void move_to_rows(Draft& d, Assembly& assembly, const Kinematics& kin, const ConstraintSpecs& specs,
                  double tolerance, KinematicsCache& at, StartReport& report) {
  auto start = std::make_unique<const State>(d.state);
  Projector projector(kin);
  projector.keep_shapes();
  if (assembly.islands().any()) projector.follow_turns();
  auto moved = assembly.move(projector, tolerance, at);
  report.iterations = moved.iterations;
  if (!moved.converged && moved.residual > 1e-9) {
    State from = *start;
    from.on = d.state.on;
    return report_conflict(d, position_conflict(kin, specs, from), "cannot all be met", "m or rad",
                           left_over(d.model, moved));
  }
  start.reset();
  for (std::size_t j = 0; j < d.model.joints.size(); ++j)
    if (assembly.islands().placed(j) && d.state.on[j] &&
        turned_over(kin, at, d.state, static_cast<int>(j)))
      report_turned_over(d, d.model.joints[j]);
  report_undefined(d, kin, at, "once assembled");
  if (d.problems.empty()) report_forces(d, at), report_loads(d, at);
  if (!d.problems.empty()) return;
  const Islands& islands = assembly.islands();
  report_largest(d.model, moved.displacement, report.moved, report.turned, report.moved_body,
                 &Islands::placed_block, islands);
}

/// Velocities onto the rates of the rows and those given.
void fit_velocities(Draft& d, Assembly& assembly, const Kinematics& kin, ConstraintSpecs& specs,
                    KinematicsCache& at, StartReport& report) {
  Projector projector(kin);
  projector.keep_shapes();
  for (const PoolSlot& s : d.model.pools)
    s.pool->momentum(kin.derived().data() + s.derived, d.state.q.data() + s.q, d.u.data() + s.v,
                     d.state.P.data() + s.v);
  if (kin.light()) d.state.u = d.u;
  assembly.hold_rates();
  kin.inverse_mass(d.state.q.data(), at);
  kin.jacobians(d.state, at);
  const std::vector<double> P = d.state.P;
  // stops give back what runs into them: their impact is the run's
  const auto v = projector.velocity(specs, d.state, at, Projector::Stops::left);
  report_largest(d.model, v.change, report.speed_change, report.spin_change, report.changed_body,
                 &Islands::led_block, assembly.islands());
  report.energy_change = v.energy_lost;
  report_given(d, P, v.change, report);
}

/// The bodies as they are written: where they are on their tracks, values of rows, turns of angles.
void take_poses(Draft& d, Assembly& assembly, const Kinematics& kin, KinematicsCache& at) {
  for (std::size_t i = 0; i < at.arc.size(); ++i) at.arc[i] = {d.state.s[i], d.state.piece[i]};
  kin.transforms(d.state.q.data(), 0, at);
  kin.values(d.state, at);
  assembly.count_turns(at);
  if (assembly.islands().any()) assembly.place(at);
}

void report_undetermined(Draft& d, const Kinematics& kin, const ConstraintSpecs& specs,
                         const KinematicsCache& at) {
  for (const Undetermined& free : undetermined(kin, d.state, specs, at)) {
    const std::string& name = d.model.objects[static_cast<std::size_t>(free.object)].name;
    d.complain("body." + name,
               fmt::format("body '{}' {} without inertia and without a joint that holds it: that "
                           "motion is not determined; give it an inertia, or lock it",
                           name, free.how));
  }
}

/// What is wrong with the start before anything is moved onto the rows.
bool check_start(Draft& d, Assembly& assembly, const Kinematics& kin, const ConstraintSpecs& specs,
                 KinematicsCache& at, StartReport& report) {
  if (at.lost_joint >= 0) {
    const Joint& j = d.model.joints[static_cast<std::size_t>(at.lost_joint)];
    d.complain(j.path, fmt::format("joint '{}' finds no point of its track near the body", j.name));
    return false;
  }
  for (std::size_t i = 0; i < at.arc.size(); ++i) d.state.s[i] = at.arc[i].s;
  report_undefined(d, kin, at, "at the start");
  if (d.problems.empty()) report_profiles(d, at);
  if (!d.problems.empty()) return false;
  kin.jacobians(d.state, at);
  report_undetermined(d, kin, specs, at);
  if (!d.problems.empty()) return false;
  report_gaps(d, kin, specs, assembly.islands(), at, report);
  assembly.check();
  return d.problems.empty();
}

}  // namespace

StartReport fit_start(Draft& d) {
  StartReport report;
  GivenRows rows(d);
  const Kinematics kin(d.model, d.params);
  ConstraintSpecs specs(d.model, d.params);
  specs.at(0);
  KinematicsCache at = kin.make_cache();
  Assembly assembly(d, kin, specs, rows);
  take_poses(d, assembly, kin, at);
  if (!check_start(d, assembly, kin, specs, at, report)) return report;
  const double size = std::max(1., greatest_coordinate(d.model, d.state.q));
  move_to_rows(d, assembly, kin, specs, kStartTolerance * size, at, report);
  if (d.problems.empty() && d.options.equilibrium)
    report.equilibrium = find_equilibrium(d, kin, specs, rows, kStartTolerance * size, at);
  if (!d.problems.empty()) return report;
  fit_velocities(d, assembly, kin, specs, at, report);
  if (const Conflict c = rate_conflict(kin, specs, d.state, at); !c.joints.empty())
    report_conflict(d, c,
                    c.joints.back() >= first_given(d) ? "cannot all have the rates they are given"
                                                      : "are driven against each other",
                    "m/s or rad/s");
  assembly.hold_nothing();
  report.coordinates = assembly.found(at);
  report.rank = rank_of(kin, d.state, specs, at);
  report.degrees_of_freedom_nearby = degrees_of_freedom_nearby(kin, specs, d.state, report.rank);
  keep_turns(d.model, at, d.state.angle);
  return report;
}

}  // namespace trammel::model
