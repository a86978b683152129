// How far bodies turn in a step, and whether anything within it depends on how they do: a body that
// spins in its bearings may, one with a spring at its rim may not.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/index.h"
#include "sim/judgement.h"
#include "sim/observed.h"

namespace trammel::sim {

namespace {
using Vec6 = Eigen::Matrix<double, 6, 1>;

/// Parts of a step at which it is looked into; not those at which whole turns end.
constexpr std::array kParts{0.191, 0.382, 0.5, 0.691};
}  // namespace

void Watch::see_turns(const form::Formulation& form, double t, double h) {
  fast_.clear();
  const double* u = form.velocities().data();
  const auto see = [&](double turn, bool counted, int object) {
    seen.turn.see(turn, kTurnLimit, t, object);
    if (counted) seen.counted_turn.see(turn, kTurnCountLimit, t, object);
    if (turn > kTurnCountLimit) fast_.push_back({object, turn});
  };
  for (const Turning& b : turning_)
    see(h * body::turning(b.motion_kind, u + b.v), b.counted, b.object);
  for (const Carried& c : carried_) {
    const double* spin = form.now().jacobian.data() + c.jacobian + 3 * c.n;  // rows of w
    Vec3 w = Vec3::Zero();
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < c.n; ++k) w[i] += spin[i * c.n + k] * u[c.v + k];
    see(h * w.norm(), c.counted, c.object);
  }
  if (grid_) see_prescribed_turns(t, h);
}

/// A prescribed body alone follows its motion, however fast.
void Watch::see_prescribed_turns(double t, double h) {
  for (const model::Moved& moved : model_->prescribed) {
    if (moved.motion.turns.empty()) continue;
    body::Transform T;
    body::Rate rate;
    body::Bias bias;
    moved.motion.at(t, T, rate, bias);
    const double turn =
        h * body::angular_velocity(model_->objects[at(moved.object)].motion_kind, T, rate).norm();
    if (turn > kTurnLimit) fast_.push_back({moved.object, turn});
  }
}

/// The mechanism within a step, as it would be if all went on as at its end: what rows and loads
/// are there beside what their values at both ends show.
class Watch::Within {
 public:
  Within(const Watch& watch, const form::Formulation& form, const model::State& state, double h,
         model::KinematicsCache& at)
      : watch_(watch), form_(form), state_(state), h_(h), at_(at) {
    look(1);
    g_start_ = at_.g;
    for (std::size_t i = 0; i < watch_.model_->loads.size(); ++i) loads_start_.push_back(load(i));
    look(0);
    g_end_ = at_.g;
    for (std::size_t i = 0; i < watch_.model_->loads.size(); ++i) loads_end_.push_back(load(i));
  }

  /// Goes back by a part of the step.
  void look(double part) {
    back_ = part;
    std::vector<double> q = state_.q, dq(form_.velocities());
    for (double& x : dq) x *= -part * h_;
    form_.kinematics().retract(dq.data(), q.data());
    at_.arc = form_.now().arc;
    form_.kinematics().transforms(q.data(), state_.t - part * h_, at_);
    form_.kinematics().values(state_, at_);
  }
  /// True where something of an object is elsewhere than the ends of the step show: a row by more
  /// than kShareLimit of the mechanism's reach or of a radian, a load by that share of it.
  bool shows(int object, double reach) const {
    const model::Model& m = *watch_.model_;
    for (std::size_t i = 0; i < m.rows.size(); ++i) {
      const model::Joint& j = m.joints[at(m.rows[i].joint)];
      if (j.coupling >= 0 || j.strain() || !state_.on[at(m.rows[i].joint)]) continue;
      if (j.object_A != object && j.object_B != object) continue;
      const double scale = m.rows[i].row.unit() == joint::Unit::metre ? reach : 1;
      if (scale > 0 && off(i) > kShareLimit * scale) return true;
    }
    for (std::size_t i = 0; i < m.loads.size(); ++i)
      if (m.loads[i].object == object && off_load(i)) return true;
    return false;
  }

 private:
  /// Angles are known but for whole turns.
  double off(std::size_t row) const {
    constexpr double kWholeTurn = 2 * std::numbers::pi;
    const auto beyond = [&](double x) {
      return watch_.model_->rows[row].row.turns() ? x - kWholeTurn * std::round(x / kWholeTurn) : x;
    };
    const double way = beyond(g_start_[row] - g_end_[row]);
    return std::abs(beyond(at_.g[row] - g_end_[row] - back_ * way));
  }
  Vec6 load(std::size_t i) const {
    const law::Load& l = watch_.model_->loads[i];
    const auto o = at(l.object);
    const law::Wrench w =
        law::wrench(l, watch_.params_.values.data(), at_.T_WO[o], form_.now().rate[o], state_.t);
    Vec6 out;
    out << w.f, w.torque + w.r.cross(w.f);
    return out;
  }
  bool off_load(std::size_t i) const {
    const Vec6 now = load(i), line = (1 - back_) * loads_end_[i] + back_ * loads_start_[i];
    const auto differ = [&](int first) {
      return (now - line).segment<3>(first).norm() >
             kShareLimit * std::max(now.segment<3>(first).norm(), line.segment<3>(first).norm());
    };
    return differ(0) || differ(3);
  }

  const Watch& watch_;
  const form::Formulation& form_;
  const model::State& state_;
  double h_, back_ = 0;
  model::KinematicsCache& at_;
  std::vector<double> g_start_, g_end_;
  std::vector<Vec6> loads_start_, loads_end_;
};

/// Where a body turns that far, steps show what it holds and what pushes it at their ends alone.
void Watch::see_fast_turns(const form::Formulation& form, const model::State& s, const Step& step) {
  if (fast_.empty() || !(step.h > 0)) return;
  if (within_.T_WO.empty() || within_.g.size() != form.now().g.size())
    within_ = form.kinematics().make_cache();
  Within within(*this, form, s, step.h, within_);
  for (const double part : kParts) {
    within.look(part);
    for (const FastTurn& fast : fast_)
      if (within.shows(fast.object, step.reach))
        seen.shown_turn.see(fast.turn, kTurnLimit, s.t, fast.object);
  }
}

}  // namespace trammel::sim
