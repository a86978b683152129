// Who is closed from now on, and who sticks.
#include <algorithm>
#include <cmath>
#include <set>

#include "constraint/forces/parts.h"
#include "constraint/forces/small.h"

namespace trammel::constraint {

namespace {
constexpr double kShrunk = 1e-6;    // part of a coefficient: what has come to its cone leaves it
constexpr double kLost = 0.01;      // of a slip: a jam takes so much of it
constexpr double kDecided = 1e-14;  // of the scale of accelerations: solved to that

/// The points that stay, and the problem of their forces.
struct Choice {
  PointOperator of;
  ConeProblem problem;
  bool alarmed;
  bool slips(int k) const { return !problem.slip[at(k)].isZero(0); }
};

/// What leaves is open; the others are to be decided on.
std::vector<int> part(const ContactForces& c, const Touches& now, std::vector<Touching>& touching) {
  std::vector<int> out;
  for (int i = 0; i < count(touching); ++i) {
    Touching& t = touching[at(i)];
    t.leaves = !(std::abs(now.all[at(i)].rate[0]) <= no_rate(c));
    if (t.leaves)
      t.status = TouchStatus::idle;
    else
      out.push_back(i);
  }
  return out;
}

/// Accelerations a0 without the forces; what slips goes on, what has come to its cone leaves it.
void take_problem(const ContactForces& c, const Touches& now, const double* a0,
                  const std::vector<TouchStatus>& before, Choice& out) {
  const int n = count(out.of.points);
  out.problem.q.resize(3 * n);
  out.problem.laws = laws_of(c, now, out.of.points);
  out.problem.slip.assign(at(n), Eigen::Vector2d::Zero());
  for (int k = 0; k < n; ++k) {
    const int i = out.of.points[at(k)];
    const Touch& t = now.all[at(i)];
    for (int d = 0; d < 3; ++d) out.problem.q[3 * k + d] = along(t, d, a0) + t.bias[d];
    const Eigen::Vector2d slip = t.rate.tail<2>();
    if (slip.norm() > no_rate(c) && law_of(c, t).friction > 0)
      out.problem.slip[at(k)] = slip.normalized();
    else if (out.alarmed && before[at(i)] != TouchStatus::slipping)
      out.problem.laws[at(k)].mu *= 1 - kShrunk;
  }
}

/// The kth point of a choice with the force p and the acceleration a (n, t, s).
void settle(const ContactForces& c, const Choice& choice, int k, const Touch& t, const Vec3& p,
            const Vec3& a, Touching& out) {
  const MatX& W = choice.of.W;
  const model::ContactLaw& law = law_of(c, t);
  const bool slips = choice.slips(k);
  const double load = p[0] + law.cohesion;
  const double least =
      (choice.alarmed ? kNone : 1e-3 * kNone) * c.scales.acceleration / W(3 * k, 3 * k);
  out.status = TouchStatus::idle;
  if (!(load > least) || is_held(W, k, W.diagonal().maxCoeff())) return;
  Eigen::Vector2d turn = slips ? Eigen::Vector2d(t.rate.tail<2>()) : Eigen::Vector2d(a.tail<2>());
  const bool slides = law.friction > 0 && (slips || turn.norm() > kTurn * c.scales.acceleration);
  out.status = slides ? TouchStatus::slipping : TouchStatus::sticking;
  out.begins = slides && !slips;
  // where a slip begins friction is known better than what is left of the acceleration
  const Eigen::Vector2d rubs = p.tail<2>();
  if (slides && !slips && rubs.norm() > 0.5 * law.friction * load) turn = -rubs;
  out.d = slides ? Vec3((turn[0] * t.t + turn[1] * t.s).normalized()) : Vec3(Vec3::Zero());
}

/// Tells of pairs that have come to stick or to slip and were closed before.
void tell_changes(const ContactForces& c, const std::vector<TouchStatus>& before, double time,
                  std::vector<Event>& out) {
  std::set<std::pair<std::string, TouchStatus>> told;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const TouchStatus now = c.touching[i].status;
    if (before[i] == now || before[i] == TouchStatus::idle || now == TouchStatus::idle) continue;
    const std::string pair = name_of(c.surfaces, c.touching[i].point);
    if (!told.insert({pair, now}).second) continue;
    const bool slips = now == TouchStatus::slipping;
    out.push_back({time, slips ? EventKind::slide : EventKind::hold, pair,
                   slips ? "their contact slips" : "their contact sticks", 0, "m/s"});
  }
}
/// Tells once of each pair that slips on, or parts, though friction that jams solves its law as
/// well.
void tell_undetermined(ContactForces& c, const Touches& now, const Choice& choice, double time) {
  const ConeProblem& problem = choice.problem;
  if (std::all_of(problem.slip.begin(), problem.slip.end(),
                  [](const auto& s) { return s.isZero(0); }))
    return;
  const VecX p = solve_jam(c, choice.of.W, problem), change = choice.of.W * p;
  for (int k = 0; k < count(problem.slip); ++k) {
    const bool jams =
        p[3 * k] > 0 && problem.slip[at(k)].dot(change.segment<2>(3 * k + 1)) < -kLost;
    if (!jams || problem.slip[at(k)].isZero(0)) continue;
    const std::string pair = name_of(c.surfaces, now.all[at(choice.of.points[at(k)])].point);
    if (c.undetermined.insert(pair).second)
      c.events.push_back(
          {time, EventKind::undetermined, pair,
           "their slip could jam at once as well: friction presses harder than it is "
           "pressed on; the motion without an impulse goes on",
           0, "m/s"});
  }
}
}  // namespace

Decision decide(ContactForces& c, const Touches& now, double time, const double* a0,
                const ForceResponse& respond, bool alarmed) {
  c.undecided = false;
  std::vector<TouchStatus> before;
  for (const Touching& t : c.touching) before.push_back(t.status);
  Choice choice;
  choice.alarmed = alarmed;
  choice.of.points = part(c, now, c.touching);
  if (choice.of.points.empty()) return Decision::made;
  if (!make_operator(c, now, respond, choice.of)) return Decision::fails;
  take_problem(c, now, a0, before, choice);
  VecX p;
  const Decision decision =
      solve_forces(c, choice.of.W, choice.problem, kDecided * c.scales.acceleration, p);
  if (decision != Decision::made) return decision;
  const VecX a = choice.problem.q + choice.of.W * p;
  for (int k = 0; k < count(choice.of.points); ++k) {
    const std::size_t i = at(choice.of.points[at(k)]);
    settle(c, choice, k, now.all[i], p.segment<3>(3 * k), a.segment<3>(3 * k), c.touching[i]);
  }
  tell_changes(c, before, time, c.events);
  tell_undetermined(c, now, choice, time);
  return decision;
}

}  // namespace trammel::constraint
