// Who is closed from now on, and who sticks.
#include <algorithm>
#include <cmath>
#include <set>

#include "constraint/forces/parts.h"
#include "constraint/forces/small.h"

namespace trammel::constraint {

namespace {
constexpr double kShrunk = 1e-6;    // part of a coefficient: what has come to its cone leaves it
constexpr double kDecided = 1e-14;  // of the scale of accelerations: solved to that
constexpr int kMostPasses = 200;    // of frictions that follow loads
// From some passes on less will do: of forces that several points share in many ways the share
// wavers with the solver's rounding.
constexpr int kExactPasses = 30;
constexpr double kExactly = 1e-13, kRoughly = 1e-9;  // of the greatest friction

/// The problem of the points that stay: accelerations q without their forces, their laws, and which
/// slip already.
struct Choice {
  PointOperator of;
  VecX q;
  std::vector<solve::ContactLaw> laws;
  std::vector<unsigned char> slips;
  bool alarmed;
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

/// What slips already is rubbed by its load; what has come to its cone leaves it.
void take_laws(const ContactForces& c, const Touches& now, const double* a0,
               const std::vector<TouchStatus>& before, Choice& out) {
  const int n = count(out.of.points);
  out.q.resize(3 * n);
  out.laws = laws_of(c, now, out.of.points);
  out.slips.assign(at(n), 0);
  for (int k = 0; k < n; ++k) {
    const int i = out.of.points[at(k)];
    const Touch& t = now.all[at(i)];
    for (int d = 0; d < 3; ++d) out.q[3 * k + d] = along(t, d, a0) + t.bias[d];
    out.slips[at(k)] = t.rate.tail<2>().norm() > no_rate(c) && law_of(c, t).friction > 0;
    if (out.slips[at(k)])
      out.laws[at(k)].mu = 0;
    else if (out.alarmed && before[at(i)] != TouchStatus::slipping)
      out.laws[at(k)].mu *= 1 - kShrunk;
  }
}

/// The forces of the points, and of those that slip their friction; false: they are not to be
/// found.
bool solve_choice(const ContactForces& c, const Touches& now, const Choice& choice, VecX& p,
                  VecX& friction) {
  const int n = count(choice.of.points);
  p = friction = VecX::Zero(3 * n);
  for (int pass = 0;; ++pass) {
    const VecX known = choice.q + choice.of.W * friction, old = friction;
    solve_cones(c, choice.of.W, known, choice.laws, kDecided * c.scales.acceleration, p);
    for (int k = 0; k < n; ++k) {
      if (!choice.slips[at(k)]) continue;
      const Touch& t = now.all[at(choice.of.points[at(k)])];
      const model::ContactLaw& law = law_of(c, t);
      friction.segment<2>(3 * k + 1) =
          -law.friction * (p[3 * k] + law.cohesion) * t.rate.tail<2>().normalized();
    }
    const double last = (friction - old).lpNorm<Eigen::Infinity>();
    const double enough = pass < kExactPasses ? kExactly : kRoughly;
    if (last <= enough * friction.lpNorm<Eigen::Infinity>()) return true;
    if (pass == kMostPasses || !std::isfinite(last)) return false;
  }
}

/// The kth point of a choice with the force p and the acceleration a (n, t, s).
void settle(const ContactForces& c, const Choice& choice, int k, const Touch& t, const Vec3& p,
            const Vec3& a, Touching& out) {
  const MatX& W = choice.of.W;
  const model::ContactLaw& law = law_of(c, t);
  const bool slips = choice.slips[at(k)] != 0;
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
}  // namespace

bool decide(ContactForces& c, const Touches& now, double time, const double* a0,
            const ForceResponse& respond, bool alarmed) {
  c.undecided = false;
  std::vector<TouchStatus> before;
  for (const Touching& t : c.touching) before.push_back(t.status);
  Choice choice;
  choice.alarmed = alarmed;
  choice.of.points = part(c, now, c.touching);
  if (choice.of.points.empty()) return true;
  if (!make_operator(c, now, respond, choice.of)) return false;
  take_laws(c, now, a0, before, choice);
  VecX p, friction;
  if (!solve_choice(c, now, choice, p, friction)) return false;
  const VecX a = choice.q + choice.of.W * (p + friction);
  for (int k = 0; k < count(choice.of.points); ++k) {
    const std::size_t i = at(choice.of.points[at(k)]);
    settle(c, choice, k, now.all[i], p.segment<3>(3 * k), a.segment<3>(3 * k), c.touching[i]);
  }
  tell_changes(c, before, time, c.events);
  return true;
}

}  // namespace trammel::constraint
