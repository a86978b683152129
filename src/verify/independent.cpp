#include "verify/independent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "math/rotation.h"
#include "verify/recorded.h"

namespace trammel::verify {

namespace {

/// A singular configuration leaves the root of rounding: of the greatest arm, or rad.
constexpr double kPlace = 1e-8;
constexpr double kRows = 2;          // times what rows are met to: a point has three of them
constexpr double kRate = 1e-8;       // relative velocities, of the greatest speed; spins
constexpr double kDirection = 1e-9;  // of the joint's greatest force and torque
/// A line between the points that the file has: of the greatest arm, or rad.
constexpr double kLine = 1e-6;
constexpr double kRoundingOfMoments = 1e-15;
constexpr double kUnits = 64 * std::numeric_limits<double>::epsilon();  // of forces that cancel
constexpr double kHalfUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr double kStages = 2, kRowsOfJoint = 6;  // of sums in a step
constexpr double kNothing = 1e-300;              // keeps zero over zero away

enum What {
  kLinear,
  kAngular,
  kAngularAffine,
  kShape,
  kShapeRate,
  kGap,
  kAngle,
  kSpeed,
  kSpin,
  kForces,
  kTorques,
  kPower,
  kOnLine,
  kWithLine
};

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Goes through the frames once and keeps what is worst.
class Checker {
 public:
  Checker(const io::ResultsReader& results, const Allowed& allowed)
      : run_(results), allowed_(allowed) {
    name_residuals();
    take_arms();
    RecordedFrame before;
    for (std::size_t k = 0; k < run_.count(); ++k) {
      RecordedFrame now = run_.frame(k);
      take_scales(now);
      if (k > 0) take_loads(before, now);
      before = std::move(now);
    }
    say_left_out();
    for (std::size_t k = 0; k < run_.count(); ++k) {
      RecordedFrame now = run_.frame(k);
      if (k == 0) begin(now);
      if (run_.impulses) momenta(k ? before : now, now);
      for (std::size_t j = 0; j < run_.joints.size(); ++j) joint(j, now);
      before = std::move(now);
    }
  }

  Independent take() {
    out_.times = run_.count();
    std::erase_if(out_.residuals, [](const Residual& r) { return !r.seen; });
    return std::move(out_);
  }

 private:
  struct Momentum {
    Vec3 p, l;
  };
  /// Holds what a body has taken in so far, and how much went to and fro for it: what rounding is
  /// of.
  struct Balance {
    Momentum start;
    Vec3 impulse = Vec3::Zero(), moment = Vec3::Zero();
    double gross = 0, gross_moment = 0, reach = 0;
    double counted = 0, counted_moment = 0;  // rounding of sums, see count_rounding
    int joints = 0;
    double ends = 0;  // masses at both ends of its joints [kg]
  };

  void name_residuals() {
    const std::string balance = allowed_.why + " of all impulses so far";
    const std::string place = "solver's tolerance and rounding";
    const auto add = [&](const char* what, const char* unit, const std::string& tolerance,
                         bool judged) {
      Residual r;
      r.what = what;
      r.unit = unit;
      r.tolerance = tolerance;
      r.judged = judged;
      out_.residuals.push_back(std::move(r));
    };
    add("linear momentum of a body", "N s", balance, true);
    add("angular momentum of a body", "N m s", balance, true);
    add("angular momentum of an affine body", "N m s",
        allowed_.spins ? balance : "the scheme keeps it but for truncation", allowed_.spins);
    add("shape of a body", "1", place, allowed_.places);
    add("rate of its shape", "1/s", place, allowed_.rates);
    add("points of a joint", "m", place, allowed_.places);
    add("directions of a joint", "rad", place, allowed_.places);
    add("velocities at a joint", "m/s", place, allowed_.rates);
    add("angular velocities at a joint", "rad/s", place, allowed_.rates);
    add("reactions where a joint slides", "N", "rounding of its reactions", allowed_.reactions);
    add("reactions where a joint turns", "N m", "rounding of its reactions", allowed_.reactions);
    add("power of reactions", "W", "rounding of their forces", allowed_.rates);
    add("points along a track", "m", "its line between known points", allowed_.places);
    add("directions along a track", "rad", "its line between known points", allowed_.places);
  }

  Momentum momentum(std::size_t i, const RecordedFrame& at) const {
    const RecordedBody& b = run_.bodies[i];
    const RecordedBodyState& s = at.body[i];
    if (b.can_strain) {  // sum of x x v over the body, with S = sum of x x^T
      const Mat3 S = 0.5 * b.inertia.trace() * Mat3::Identity() - b.inertia,
                 F = s.dA * S * s.A.transpose();
      return {b.mass * s.v, {F(2, 1) - F(1, 2), F(0, 2) - F(2, 0), F(1, 0) - F(0, 1)}};
    }
    return {b.mass * s.v, s.R * (b.inertia * (s.R.transpose() * s.w))};
  }

  /// Forces and torques of a joint's laws, each by itself: what they leave where they cancel is
  /// their rounding.
  struct Acting {
    double force = 0, torque = 0;
  };
  Acting acting(const RecordedJoint& j, const RecordedFrame& at) const {
    Acting out;
    if (j.laws.empty() || j.type == "coupling") return out;
    const Frames f = run_.frames(j, at);
    const double arm = f.D().norm() + lever(j);
    for (const RecordedLaw& law : j.laws) {
      const double size = std::abs(at.law[law.force]);
      const auto unit = unit_wrench(law.coordinate, f);
      const double force = size * (unit ? unit->v.norm() : 1);
      out.force += force;
      out.torque += arm * force + size * (unit ? unit->w.norm() : 0);
    }
    return out;
  }

  void take_scales(const RecordedFrame& at) {
    acting_.resize(run_.joints.size());
    force_.resize(run_.joints.size(), 0);
    torque_.resize(run_.joints.size(), 0);
    for (const RecordedBodyState& s : at.body) {
      fastest_ = std::max(fastest_, s.v.norm());
      spin_ = std::max(spin_, s.w.norm());
      far_ = std::max(far_, s.p.cwiseAbs().maxCoeff());
    }
    for (std::size_t j = 0; j < run_.joints.size(); ++j) {
      if (run_.joints[j].type == "coupling") continue;
      const Frames f = run_.frames(run_.joints[j], at);
      const RecordedJointState& s = at.joint[j];
      const double arm = f.D().norm() + lever(run_.joints[j]);
      force_[j] = std::max(force_[j], s.force.norm());
      const double lighter = std::min(mass_of(run_.joints[j].a), mass_of(run_.joints[j].b));
      if (std::isfinite(lighter))
        pushed_ = std::max(pushed_, s.force.norm() / lighter * allowed_.step);
      torque_[j] = std::max(torque_[j], s.torque.norm() + arm * s.force.norm());
      const Acting laws = acting(run_.joints[j], at);
      acting_[j].force = std::max(acting_[j].force, laws.force);
      acting_[j].torque = std::max(acting_[j].torque, laws.torque);
      if (std::isfinite(lighter))
        cancelled_ =
            std::max(cancelled_, (laws.force + laws.torque / arm_) / lighter * allowed_.step);
    }
  }

  /// Loads may hold each other.
  void take_loads(const RecordedFrame& before, const RecordedFrame& at) {
    for (std::size_t i = 0; i < at.load.size() && at.t > before.t; ++i) {
      const double impulse = (at.load[i][0] - before.load[i][0]).norm() +
                             (at.load[i][1] - before.load[i][1]).norm() / arm_;
      const double mass = mass_of(run_.loads[i]);
      if (std::isfinite(mass))
        cancelled_ = std::max(cancelled_, impulse / (at.t - before.t) / mass * allowed_.step);
    }
  }

  /// Returns infinity for what is no measure of speeds: the ground, and bodies without mass, which
  /// go as those do that they are joined to.
  double mass_of(int body) const {
    const bool known =
        body >= 0 && run_.bodies[index(body)].massive && run_.bodies[index(body)].mass > 0;
    return known ? run_.bodies[index(body)].mass : std::numeric_limits<double>::infinity();
  }

  /// Arms of bodies: what says how large the mechanism is, wherever it is.
  void take_arms() {
    pushed_ = run_.gravity.norm() * allowed_.step;
    for (const RecordedBody& b : run_.bodies)
      if (b.massive && b.mass > 0)
        arm_ = std::max(arm_, std::sqrt(0.5 * b.inertia.trace() / b.mass));
    for (const RecordedJoint& j : run_.joints)
      if (j.type != "coupling") arm_ = std::max({arm_, lever(j), std::abs(j.distance)});
    if (!(arm_ > 0)) arm_ = 1;
  }

  /// Returns the accuracy that rows are met to, so far from the origin.
  double rows() const { return kRows * place_rounding(allowed_.length, far_); }
  double turns() const { return kRows * place_rounding(allowed_.angle, far_); }
  double gap() const { return kPlace * arm_ + rows(); }
  double angle() const { return kPlace + turns(); }
  /// Returns the greatest speed or spin; where all rests, that which a step's forces would make.
  double fast() const { return std::max(fastest_, pushed_); }
  double spin() const { return std::max({spin_, fastest_ / arm_, pushed_ / arm_}); }
  /// Returns what relative velocities are met to: a part of the greatest speed, and the rounding of
  /// the speeds that laws and loads make in a step, also where they cancel.
  double speeds(double fastest) const { return kRate * fastest + kUnits * cancelled_; }
  double spins() const { return kRate * spin() + kUnits * cancelled_ / arm_; }

  double lever(const RecordedJoint& j) const {
    const auto of = [&](int body, const Pose& X) {
      return body < 0 ? 0 : (X.p - run_.bodies[static_cast<std::size_t>(body)].com).norm();
    };
    return std::max(of(j.a, j.X_a), of(j.b, j.X_b));
  }

  void say_left_out() {
    std::map<std::string, std::vector<std::string>> out;  // reason, names
    for (const RecordedBody& b : run_.bodies) {
      out_.bodies += b.massive;
      if (b.can_strain && !b.massive)
        out["their momenta: the file has their nearest rotations only"].push_back(b.name);
      else if (!b.massive)
        out["their momenta: prescribed, without an inertia of their own, or held by coordinates"]
            .push_back(b.name);
      else if (b.strains)
        out["how stiff their shape is: laws are not computed again"].push_back(b.name);
    }
    for (const RecordedJoint& j : run_.joints) {
      if (j.type == kStrain) continue;
      if (j.type == "coupling")
        out["that the coordinates they couple keep to each other"].push_back(j.name);
      else if (!j.loose.empty())
        out["joints that may yield, are unilateral or held elsewhere"].push_back(j.name);
      else if (j.blind)
        out["joints of affine bodies: the file has their nearest rotations only"].push_back(j.name);
      else if (j.strains && meet(j))
        out["directions and reactions at bodies that strain (that points meet was checked)"]
            .push_back(j.name);
      else if (j.strains)
        out["joints of bodies that strain"].push_back(j.name);
      else if (!j.meaning && j.along)
        out["joints along a track with rows of the scene's own"].push_back(j.name);
      else if (!j.meaning)
        out["what rows of the scene's own mean (that their reactions do no work beside laws was "
            "checked)"]
            .push_back(j.name);
      else if (j.along && j.line.empty())
        out["where the line of their track lies"].push_back(j.name);
      out_.joints += j.type != "coupling" && j.loose.empty() && !j.blind && (!j.strains || meet(j));
    }
    if (!run_.impulses)
      out_.left_out.emplace_back(run_.touches ? "momenta: the file has no impulses of contacts"
                                              : "momenta: the file has no impulses");
    for (const auto& [reason, names] : out) {
      const std::size_t shown = std::min<std::size_t>(names.size(), 12);
      const std::string rest =
          shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "";
      out_.left_out.push_back(fmt::format(
          "'{}'{}: {}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), "', '"),
          rest, reason));
    }
  }

  /// Joints whose points meet: that is as true of frames that are stretched and sheared.
  static bool meet(const RecordedJoint& j) {
    return j.type == "spherical" || j.type == "revolute" || j.type == "universal" ||
           j.type == "fixed";
  }

  void note(What what, double value, double allowed, const std::string& subject, double t) {
    Residual& r = out_.residuals[what];
    r.seen = true;
    allowed = std::max(allowed, kNothing);
    if (!(value <= allowed) && !r.broken) {
      r.broken = true;
      r.first_subject = subject;
      r.first_t = t;
    }
    const bool none = value == 0 && r.worst == 0 && allowed > r.allowed;
    if (!r.subject.empty() && !none && !(value * r.allowed > r.worst * allowed)) return;
    r.worst = value;
    r.allowed = allowed;
    r.subject = subject;
    r.t = t;
  }

  void begin(const RecordedFrame& at) {
    balances_.resize(run_.bodies.size());
    start_ = at.t;
    for (std::size_t i = 0; i < balances_.size(); ++i) {
      const RecordedBody& b = run_.bodies[i];
      balances_[i].start = momentum(i, at);
      if (b.massive && b.mass > 0) balances_[i].reach = std::sqrt(b.inertia.trace() / b.mass);
    }
    for (const RecordedJoint& j : run_.joints)
      for (const int body : {j.a, j.b})
        if (body >= 0) {
          Balance& balance = balances_[index(body)];
          balance.reach = std::max(balance.reach, lever(j));
          ++balance.joints;
          for (const double mass : {mass_of(j.a), mass_of(j.b)})
            if (std::isfinite(mass)) balance.ends += mass;
        }
  }

  void give(int body, const Vec3& impulse, const Vec3& moment) {
    if (body < 0) return;
    Balance& b = balances_[static_cast<std::size_t>(body)];
    b.impulse += impulse;
    b.moment += moment;
    b.gross += impulse.norm();
    b.gross_moment += moment.norm();
  }

  /// Adds half a unit in the last place of every sum that grows in the steps between two frames:
  /// the impulses so far, one of each joint and load, and the momentum, to which rows, loads and
  /// gravity add in two stages. Where the same is added in every step, all is rounded the same way.
  void count_rounding(const RecordedFrame& before, const RecordedFrame& at) {
    if (!(allowed_.step > 0)) return;
    const double each = kHalfUnit * (at.t - before.t) / allowed_.step;
    const auto add = [&](int body, const Vec3& impulse, const Vec3& moment) {
      if (body < 0) return;
      balances_[index(body)].counted += each * impulse.norm();
      balances_[index(body)].counted_moment += each * moment.norm();
    };
    for (std::size_t j = 0; j < run_.joints.size(); ++j) {
      const auto& sums = at.joint[j].impulse;
      add(run_.joints[j].a, sums[0], sums[1]);
      add(run_.joints[j].b, sums[0], sums[2]);
    }
    for (std::size_t i = 0; i < at.load.size(); ++i)
      add(run_.loads[i], at.load[i][0], at.load[i][1]);
    for (std::size_t i = 0; i < at.touch.size(); ++i)
      add(run_.touching[i], at.touch[i][0], at.touch[i][1]);
    for (std::size_t i = 0; i < run_.bodies.size(); ++i) {
      if (!run_.bodies[i].massive) continue;
      const Momentum now = momentum(i, at);
      const double sums = kStages * (kRowsOfJoint * balances_[i].joints + 2);
      add(static_cast<int>(i), sums * now.p, sums * now.l);
    }
  }

  /// m dv = sum of impulses, d(I w) = sum of their moments about the centre of mass.
  void momenta(const RecordedFrame& before, const RecordedFrame& at) {
    for (std::size_t j = 0; j < run_.joints.size(); ++j) {
      const auto &a = before.joint[j].impulse, &b = at.joint[j].impulse;
      give(run_.joints[j].a, a[0] - b[0], b[1] - a[1]);
      give(run_.joints[j].b, b[0] - a[0], b[2] - a[2]);
      const Acting laws = acting(run_.joints[j], at);
      for (const int body : {run_.joints[j].a, run_.joints[j].b})
        if (body >= 0) {
          balances_[index(body)].gross += laws.force * (at.t - before.t);
          balances_[index(body)].gross_moment += laws.torque * (at.t - before.t);
        }
    }
    for (std::size_t i = 0; i < at.load.size(); ++i)
      give(run_.loads[i], at.load[i][0] - before.load[i][0], at.load[i][1] - before.load[i][1]);
    for (std::size_t i = 0; i < at.touch.size(); ++i)
      give(run_.touching[i], at.touch[i][0] - before.touch[i][0],
           at.touch[i][1] - before.touch[i][1]);
    count_rounding(before, at);
    for (std::size_t i = 0; i < run_.bodies.size(); ++i) {
      const RecordedBody& body = run_.bodies[i];
      if (!body.massive) continue;
      give(static_cast<int>(i), body.mass * (at.t - before.t) * run_.gravity, Vec3::Zero());
      const Balance& b = balances_[i];
      const Momentum now = momentum(i, at);
      const double steps = allowed_.step > 0 ? 1 + (at.t - start_) / allowed_.step : 0;
      const double rounding =
          (allowed_.of_mass * body.mass + allowed_.of_joints + allowed_.of_ends * b.ends) *
              (far_ + arm_) * std::sqrt(steps) +
          (run_.touching.empty() ? 0 : allowed_.of_contacts * body.mass * std::sqrt(steps));
      const double scale = std::max({b.gross, now.p.norm(), b.start.p.norm()});
      const double angular = std::max({b.gross_moment, now.l.norm(), b.start.l.norm()});
      // what only turns gets impulses that are rounding of those with which it is turned
      const double turned = b.reach > 0 ? kRoundingOfMoments * angular / b.reach : 0;
      note(kLinear, (now.p - b.start.p - b.impulse).norm(),
           std::max(allowed_.momentum * scale, b.counted) + rounding + turned, body.name, at.t);
      note(body.can_strain ? kAngularAffine : kAngular, (now.l - b.start.l - b.moment).norm(),
           std::max(allowed_.momentum * (angular + b.reach * scale),
                    b.counted_moment + b.reach * b.counted) +
               b.reach * rounding + rows() * b.gross,
           body.name, at.t);
    }
  }

  void joint(std::size_t i, const RecordedFrame& at) {
    const RecordedJoint& j = run_.joints[i];
    if (j.type == "coupling" || !j.loose.empty() || j.blind || at.t >= j.gone) return;
    if (j.type == kStrain) return shape(j, at);
    if (!j.meaning && j.along) return;  // in which axes its reaction is given is not known
    const Frames f = run_.frames(j, at);
    const double fastest = fast() + spin_ * lever(j);
    if (j.strains) {
      if (!meet(j)) return;
      note(kGap, f.D().norm(), gap(), j.name, at.t);
      note(kSpeed, (f.b.v - f.a.v).norm(), speeds(fastest), j.name, at.t);
      return;
    }
    if (!j.meaning) return power(i, f, at);
    const Offence o = j.meaning->offence(f);
    note(kGap, o.gap, gap(), j.name, at.t);
    note(kAngle, o.angle, angle(), j.name, at.t);
    note(kSpeed, o.speed, speeds(fastest), j.name, at.t);
    note(kSpin, o.spin, spins(), j.name, at.t);
    directions(i, f, at);
  }

  /// Green's strain (A^T A - 1)/2 of a body that is held in shape, and its rate.
  void shape(const RecordedJoint& j, const RecordedFrame& at) {
    const RecordedBodyState& s = at.body[index(j.a)];
    const Mat3 strain = 0.5 * (s.A.transpose() * s.A - Mat3::Identity()),
               rate = 0.5 * (s.dA.transpose() * s.A + s.A.transpose() * s.dA);
    const std::string& body = run_.bodies[index(j.a)].name;
    note(kShape, strain.cwiseAbs().maxCoeff(), angle(), body, at.t);
    note(kShapeRate, rate.cwiseAbs().maxCoeff(), spins(), body, at.t);
  }

  /// Checks that the reaction of A on B, less the forces of laws on its coordinates, works on no
  /// free motion.
  void directions(std::size_t i, const Frames& f, const RecordedFrame& at) {
    const RecordedJoint& j = run_.joints[i];
    if (!j.meaning->free) {  // what is held along a track goes along it as s does
      const bool guided = j.meaning->guides == Meaning::Guides::all;
      if (j.s >= 0 && guided)
        note(kSpeed, std::abs(at.rate[index(j.s)] - f.speed().dot(f.b.x())), speeds(fast()), j.name,
             at.t);
      line(j, f, at);
      if (guided) power(i, f, at);
      return;
    }
    const RecordedJointState& s = at.joint[i];
    Vec3 force = f.a.R * s.force, torque = f.a.R * s.torque;
    for (const RecordedLaw& law : j.laws) {
      const auto unit = unit_wrench(law.coordinate, f);
      if (!unit) return;
      force -= at.law[law.force] * unit->v;
      torque -= at.law[law.force] * unit->w;
    }
    const std::vector<Motion> free = j.meaning->free(f);
    const std::vector<double> turned =
        are_means(at) ? turned_within_step(i, f, free) : std::vector<double>(free.size(), 0);
    for (std::size_t k = 0; k < free.size(); ++k) {
      const Motion& m = free[k];
      const double work = std::abs(force.dot(m.v) + torque.dot(m.w));
      const bool slides = m.w.isZero();
      const double all = slides ? force_[i] : torque_[i],
                   laws = slides ? acting_[i].force : acting_[i].torque;
      note(slides ? kForces : kTorques, work, kDirection * all + kUnits * laws + turned[k], j.name,
           at.t);
    }
  }

  /// True where reactions are not those at the frame's pose; in the first frame they are those of
  /// the step that follows.
  bool are_means(const RecordedFrame& at) const { return allowed_.means || at.t == start_; }

  /// Returns the frames as they were a step ago, seen from A: by their velocities, and by those
  /// that a step's forces may have changed besides.
  std::vector<Frames> step_ago(const Frames& f) const {
    const double speed = pushed_ + cancelled_, h = allowed_.step;
    std::vector<Frames> out;
    for (const Vec3& e :
         {Vec3(Vec3::Zero()), Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())}) {
      Frames g = f;
      g.b.p -= h * (f.speed() + speed * e);
      g.b.R = exp_matrix(-h * (f.spin() + speed / arm_ * e)) * f.b.R;
      out.push_back(g);
    }
    return out;
  }

  /// Returns the work that a mean over the step, of reactions that do none where they act, may do
  /// on each free motion at its end: directions that are fixed in A change by nothing.
  std::vector<double> turned_within_step(std::size_t i, const Frames& f,
                                         const std::vector<Motion>& free) const {
    std::vector<double> out(free.size(), 0);
    for (const Frames& before : step_ago(f)) {
      const std::vector<Motion> then = run_.joints[i].meaning->free(before);
      Motion law;  // by how much unit wrenches of laws change, at most
      for (const RecordedLaw& l : run_.joints[i].laws) {
        const auto a = unit_wrench(l.coordinate, before), b = unit_wrench(l.coordinate, f);
        if (!a || !b) continue;
        law.v = law.v.cwiseMax((a->v - b->v).cwiseAbs());
        law.w = law.w.cwiseMax((a->w - b->w).cwiseAbs());
      }
      for (std::size_t k = 0; k < free.size(); ++k)
        out[k] = std::max(out[k], (then[k].v - free[k].v).norm() * force_[i] +
                                      (then[k].w - free[k].w).norm() * torque_[i] +
                                      acting_[i].force * law.v.norm() * free[k].v.norm() +
                                      acting_[i].torque * law.w.norm() * free[k].w.norm());
    }
    return out;
  }

  /// B's origin is on the line at s, and what is guided of its axes is as the line's there.
  void line(const RecordedJoint& j, const Frames& f, const RecordedFrame& at) {
    if (j.line.empty() || j.s < 0) return;
    const Line::Point here = j.line.at(at.coordinate[index(j.s)]);
    note(kOnLine, (f.a.p + f.a.R * here.p - f.b.p).norm(), kLine * arm_ + here.remainder + rows(),
         j.name, at.t);
    if (j.meaning->guides == Meaning::Guides::point) return;
    if (j.meaning->guides == Meaning::Guides::point_and_roll)
      return note(kWithLine, std::abs(f.b.y().dot((f.a.R * here.C).col(2))), kLine + turns(),
                  j.name, at.t);
    const double chord = (f.a.R * here.C - f.b.R).norm() / (2 * std::sqrt(2.0));
    note(kWithLine, 2 * std::asin(std::min(1.0, chord)), kLine + turns(), j.name, at.t);
  }

  /// On the motion itself, where free motions are not known here. Along a track the reaction is
  /// given in the track's frame, which is B's.
  void power(std::size_t i, const Frames& f, const RecordedFrame& at) {
    const RecordedJoint& j = run_.joints[i];
    const RecordedJointState& s = at.joint[i];
    const Mat3& R = j.along ? f.b.R : f.a.R;
    double work = (R * s.force).dot(f.speed()) + (R * s.torque).dot(f.spin());
    for (const RecordedLaw& law : j.laws) {
      if (law.rate < 0) return;
      work -= at.law[law.force] * at.rate[index(law.rate)];
    }
    const double scale =
        (force_[i] + acting_[i].force) * fast() + (torque_[i] + acting_[i].torque) * spin();
    // of a mean over the step: by how much velocities change in it, seen from A
    const double speed = pushed_ + cancelled_ + allowed_.step * spin() * fast();
    const double changed = (force_[i] + acting_[i].force) * speed +
                           (torque_[i] + acting_[i].torque) *
                               ((pushed_ + cancelled_) / arm_ + allowed_.step * spin() * spin());
    note(kPower, std::abs(work), kRate * scale + (are_means(at) ? changed : 0), j.name, at.t);
  }

  Recorded run_;
  Allowed allowed_;
  Independent out_;
  std::vector<Balance> balances_;
  std::vector<double> force_, torque_;  // greatest of each joint [N], [N m]
  std::vector<Acting> acting_;          // of its laws
  double fastest_ = 0, spin_ = 0, start_ = 0;
  double far_ = 0;        // greatest coordinate of a body [m]
  double arm_ = 0;        // greatest of a body [m]
  double pushed_ = 0;     // speed that a step's forces make [m/s]
  double cancelled_ = 0;  // and that laws and loads would make, each by itself [m/s]
};

}  // namespace

std::vector<std::string> Independent::findings() const {
  std::vector<std::string> out;
  for (const Residual& r : residuals)
    if (r.judged && r.broken)
      out.push_back(
          fmt::format("the results alone: {} '{}' is not as it must be from t = {:.4g} s on: "
                      "{:.2g} {} at t = {:.4g} "
                      "s ('{}'), {:.2g} {} is allowed ({})",
                      r.what, r.first_subject, r.first_t, r.worst, r.unit, r.t, r.subject,
                      r.allowed, r.unit, r.tolerance));
  return out;
}

Independent check(const io::ResultsReader& results, const Allowed& allowed) {
  return Checker(results, allowed).take();
}

}  // namespace trammel::verify
