#pragma once

#include "constraint/contact/test_rows.h"
#include "constraint/forces/parts.h"

/// Contact by forces of a mechanism at its start, as the acceleration formulation solves for it.
namespace trammel::constraint::test {

struct Forces : Scene {
  explicit Forces(const model::Builder& b, Impacts impacts = Impacts::simultaneous)
      : Scene(b), contacts(kin, {}, impacts), rows(*this, now) {
    set_scales(contacts, Nearness{}, 1e-3);
    constraint::load(contacts, state, now, u);
    evaluate(contacts, now, u.data(), touches);
  }

  /// M^-1 f, with the rows of joints that all hold, and no forces of rows told.
  ForceResponse response() const {
    return [respond = rows.response()](const std::vector<double>& f, std::vector<double>& du,
                                       std::vector<double>& of_rows) {
      of_rows.clear();
      return respond(f, du, true);
    };
  }
  std::vector<double> accelerations(const std::vector<double>& f) const {
    std::vector<double> a(f.size()), none;
    response()(f, a, none);
    return a;
  }
  std::vector<double> gravity() const {
    std::vector<double> f(u.size(), 0);
    kin.add_gravity(now, f.data());
    return f;
  }
  /// Decides who is closed. Returns whether that could be done.
  bool decide_now(bool alarmed = false) {
    const std::vector<double> a0 = accelerations(gravity());
    return decide(contacts, touches, state.t, a0.data(), response(), alarmed) == Decision::made;
  }
  /// Solves for the forces of what is closed. Returns the accelerations with them.
  std::vector<double> solve() {
    std::vector<double> f = gravity();
    evaluate(contacts, now, u.data(), touches);
    EXPECT_TRUE(make_problem(contacts, response(), touches, f.data()));
    std::vector<double> a = accelerations(f);
    for (int k = 0; k < 3; ++k) {
      correct(contacts, a.data(), touches, f.data());
      a = accelerations(f);
    }
    finish(contacts, a.data(), touches);
    return a;
  }
  /// The sum of the forces of all points [N].
  Vec3 force() const {
    Vec3 out = Vec3::Zero();
    for (const Touch& t : touches.all) out += in_world(t, t.p);
    return out;
  }
  TouchStatus status(std::size_t i = 0) const { return contacts.touching.at(i).status; }

  ContactForces contacts;
  DenseRows rows;
  Touches touches;
};

/// A slope about y that falls towards +x, and a body on it, pushed out to where it touches.
inline model::Builder on_slope(double angle, double friction, model::BodySpec body, double height) {
  const Mat3 R = exp_matrix(Vec3(0, angle, 0));
  model::Builder b;
  b.add_obstacle(floor_of(R));
  b.add_contact_law(law_everywhere(friction));
  body.X_WB = Pose{R * Vec3(0, 0, height), R};
  b.add_body(body);
  return b;
}

}  // namespace trammel::constraint::test
