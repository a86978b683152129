#pragma once

#include "constraint/contact/test_scene.h"

/// A step of the velocity formulation for bodies without joints, phase by phase, so that a test can
/// look in between.
namespace trammel::constraint::test {

struct Stepper : Scene {
  explicit Stepper(const model::Builder& b, Impacts impacts = Impacts::simultaneous)
      : Scene(b), contacts(kin, {}, impacts), end(kin.make_cache()), end_u(u), mean_u(u) {
    load(contacts, state);
  }

  std::vector<double> gravity(const model::KinematicsCache& cache) const {
    std::vector<double> f(u.size(), 0);
    kin.add_gravity(cache, f.data());
    return f;
  }
  void kick(const model::KinematicsCache& cache, std::vector<double>& momenta) const {
    const std::vector<double> f = gravity(cache);
    for (std::size_t i = 0; i < f.size(); ++i) momenta[i] += h / 2 * f[i];
  }
  /// Stage P, up to the drift.
  void begin(double step) {
    h = step;
    P = state.P;
    kick(now, P);
    begin_step(contacts, {h}, state, now, u, P);
  }
  /// Where the momenta P lead.
  void drift() {
    const std::vector<double>& push = contacts.push.momenta;
    std::vector<double> with = P;
    for (std::size_t i = 0; i < push.size(); ++i) with[i] += push[i];
    q = state.q;
    P_end = P;
    kin.flow(h, state.q.data(), with.data(), q.data(), P_end.data());
    for (std::size_t i = 0; i < push.size(); ++i) P_end[i] -= push[i];
    refresh(q, P_end, state.t + h, end, end_u);
    kin.difference(state.q.data(), q.data(), mean_u.data());
    for (double& v : mean_u) v /= h;
  }
  /// Follows what touches until that changes nothing. Returns how often it has looked.
  int follow() {
    int looks = 1;
    drift();
    const double enough = contacts.settings.options.tolerance;
    for (; !follow_drift(contacts, now, end, mean_u, enough, P); ++looks) drift();
    return looks;
  }
  /// The forces of the second half of the step.
  void kick_end() {
    kick(end, P_end);
    kin.velocities(end, P_end.data(), end_u.data());
  }
  /// Stage V, from the drift on.
  void finish() {
    account_push(contacts, now, P);
    kick_end();
    EXPECT_TRUE(arrive(contacts, end, end_u)) << contacts.told.failure;
    push_end(contacts, end, P_end);
    kin.velocities(end, P_end.data(), end_u.data());
    end_step(contacts, end, end_u, state);
    state.q = q;
    state.P = P_end;
    state.t += h;
    refresh();
  }
  void step(double length) {
    begin(length);
    follow();
    finish();
  }

  Contacts contacts;
  double h = 0;
  std::vector<double> P, P_end, q;  // momenta of the drift, and at its end; coordinates there
  model::KinematicsCache end;
  std::vector<double> end_u, mean_u;
};

}  // namespace trammel::constraint::test
