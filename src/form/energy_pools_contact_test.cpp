// Contact by a barrier of objects whose block carries them in generalised coordinates, against the
// same mechanisms of rigid bodies and joints.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "contact/test_intersect.h"
#include "form/energy.h"
#include "form/energy_carriers.h"
#include "form/energy_contact_way.h"
#include "form/test_balance.h"
#include "form/test_touching.h"
#include "model/ledger.h"
#include "model/system.h"

namespace trammel::form::energy_pools_contact_test {
namespace {

namespace barrier = contact::barrier;
using touching::ball;
using touching::ball_at;
using touching::box_at;
using touching::build;
using touching::cart;
using touching::half_space;
using touching::Law;
using touching::Link;
using touching::rod;
using touching::Scene;
using Difference = Settings::Difference;

Settings by(Difference difference) {
  Settings out;
  out.formulation = Settings::Formulation::energy;
  out.difference = difference;
  out.joint_stiffness = law::kInf;
  return out;
}

/// A mechanism that is stepped by hand: no surface cuts another, the books close and momenta
/// balance.
class Touching {
 public:
  Touching(const Scene& scene, const Law& law, bool as_pool, const Settings& settings)
      : built_(build(scene, law, as_pool)),
        surfaces_(constraint::surfaces_of(*built_.model)),
        state(built_.state),
        form(*built_.model, built_.params, settings),
        bounds_(test::momentum_bounds(settings)) {
    for (const Problem& p : Energy::unsupported(*built_.model, built_.params, settings))
      ADD_FAILURE() << p.text;
    for (const Problem& p : constraint::touching_at_start(*built_.model, built_.params, state))
      ADD_FAILURE() << p.text;
    EXPECT_TRUE(form.load(state));
    at_start_ = form.total_energy(state);
    balance_ = std::make_unique<test::Balance>(form, state, bounds_);
  }
  bool step(double h) {
    form.step(state, h, report);
    EXPECT_EQ(report.status, Status::ok) << report.reason;
    EXPECT_TRUE(report.contacts.converged) << report.contacts.merit;
    if (report.status != Status::ok) return false;
    balance_->see(form, state, report);
    EXPECT_GT(report.distance, 0);
    touched |= report.distance < 1e-3;
    iterations += report.iterations;
    most_iterations = std::max(most_iterations, report.iterations);
    met += count(report.events);
    EXPECT_EQ(cuts(), 0);
    double works = 0;
    for (std::size_t i = 0; i < state.ledger.size(); ++i)
      if (i != model::kInitial) works += state.ledger[i];
    residual = std::max(residual, std::abs(form.total_energy(state) - at_start_ - works));
    return true;
  }
  void run(double time, double h) {
    for (int k = 0; k < static_cast<int>(std::lround(time / h)); ++k)
      if (!step(h)) return;
  }
  const body::Transform& place(const std::string& name) const {
    return form.now().T_WO[at(built_.model->find_object(name))];
  }
  VecX places(const Scene& scene) const {
    VecX out(3 * count(scene.seen));
    for (int i = 0; i < count(scene.seen); ++i) out.segment<3>(3 * i) = place(scene.seen[at(i)]).p;
    return out;
  }

 private:
  model::Built built_;
  std::shared_ptr<const constraint::BarrierSurfaces> surfaces_;
  double at_start_ = 0;

 public:
  model::State state;
  Energy form;
  StepReport report;
  double residual = 0;
  long iterations = 0;
  int most_iterations = 0, met = 0;
  bool touched = false;

 private:
  /// Half-spaces have no edges: corners beyond them.
  int cuts() const {
    std::vector<contact::test::Placed> all;
    int out = 0;
    for (const constraint::BarrierSurfaces::Of& s : surfaces_->all) {
      const body::Transform& T = form.now().T_WO[at(s.object)];
      all.push_back(contact::test::placed(*s.surface, T.p, T.A));
      if (s.surface->half_space) {
        const std::vector<Vec3> plane = all.back().x;
        all.pop_back();
        const Vec3 n = (plane[1] - plane[0]).cross(plane[2] - plane[0]);
        for (const constraint::BarrierSurfaces::Of& other : surfaces_->all)
          for (const Vec3& x : other.surface->corners) {
            const body::Transform& place = form.now().T_WO[at(other.object)];
            if (other.object != 0) out += n.dot(place.p + place.A * x - plane[0]) <= 0;
          }
      }
    }
    return out + contact::test::cuts(all);
  }

  test::MomentumBounds bounds_;
  std::unique_ptr<test::Balance> balance_;
};

/// Slides along x, y and z with a ball at the last.
std::vector<Link> sliding_ball(double radius, const Vec3& p, const Vec3& v) {
  std::vector<Link> out;
  for (int i = 0; i < 3; ++i) {
    Link l{"slide" + std::to_string(i), i - 1, true, Vec3::Unit(i)};
    l.mass = 0;
    l.inertia.setZero();
    l.q = p[i];
    l.u = v[i];
    out.push_back(l);
  }
  out.back().name = "ball";
  out.back().mass = 0.8;
  out.back().contacts = {ball_at(Vec3::Zero(), radius)};
  return out;
}

/// The least number of a force that is no rounding of it [N].
constexpr double kForce = 1e-6;

/// What can only slide moves as a body that hardly turns does: by the same minimum, to what Newton
/// leaves (1e-9 m) of it.
TEST(EnergyPoolContact, WhatSlidesMovesAsABody) {
  const Vec3 p(0, 0, 0.13), v(0.7, 0.2, -0.5);
  const auto floor = [](model::Builder& b) {
    b.add_obstacle(half_space(Vec3::Zero(), Vec3(0.1, 0, 1).normalized()));
    b.add_obstacle(box_at({0.6, 0, 0.3}, {0.1, 2, 0.6}));
  };
  const Scene pool{.name = "sliding ball", .trees = {sliding_ball(0.1, p, v)}, .rest = floor};
  const Scene body{.name = "ball that hardly turns", .trees = {}, .rest = [&](model::Builder& b) {
                     floor(b);
                     model::BodySpec it = ball(0.1, p, v, Vec3::Zero());
                     it.inertia = {1e12, 1e12, 1e12, 0, 0, 0};
                     it.solids_touch = false;
                     it.solid.reset();
                     it.contacts = {ball_at(Vec3::Zero(), 0.1)};
                     b.add_body(it);
                   }};
  for (const Difference d : {Difference::bdf1, Difference::bdf2})
    for (const double mu : {0., 0.4}) {
      SCOPED_TRACE(std::string(name_of(d)) + ", friction " + std::to_string(mu));
      Touching one(pool, {mu, 0}, true, by(d)), other(body, {mu, 0}, false, by(d));
      double apart = 0, force = 0;
      for (int k = 0; k < 150 && one.step(1e-2) && other.step(1e-2); ++k) {
        apart = std::max(apart, (one.place("ball").p - other.place("ball").p).norm());
        const auto f = test::contact_forces_of(one.form), g = test::contact_forces_of(other.form);
        if (f.empty() || g.empty()) continue;
        force = std::max(force, (f[0].force - g[0].force).norm());
      }
      EXPECT_TRUE(one.touched);
      EXPECT_GE(one.met, mu > 0 ? 1 : 2);  // friction lets it not come as far as the wall
      EXPECT_LT(apart, 1e-9);
      EXPECT_LT(force, kForce);
      EXPECT_LT(one.residual, 1e-9);
      EXPECT_NEAR(one.state.ledger[model::kContacts], other.state.ledger[model::kContacts], 1e-8);
      EXPECT_LT(one.state.ledger[model::kContacts], -0.01);
    }
}

/// The least distance of surfaces at coordinates of a pool [m].
double distance_at(const energy::Mechanism& m, energy::Contact& c, const VecX& q) {
  model::KinematicsCache cache = m.kin->make_cache();
  m.kin->transforms(q.data(), 0, cache);
  constraint::set_out(*m.model, cache.T_WO, {}, c);
  constraint::take_close(cache.T_WO, c);
  return constraint::least_distance(c);
}

/// A rod close to a post of its own cart, beside a cart of another system whose ball is close to
/// the first one: pairs of one block, of two, and of one with the ground.
Scene all_close() {
  Link a = cart("cart", {0, 0, 1}), b = cart("other", {0, 0, 1});
  a.contacts = {box_at({-0.25, 0, -0.6}, {0.1, 0.3, 0.4}), box_at(Vec3::Zero(), {0.2, 0.2, 0.2})};
  b.contacts = {box_at({0.2, 0.02, 0.01}, {0.2, 0.2, 0.2})};
  Link l = rod(0, Vec3::Zero(), 0);
  l.axis = Vec3(0.1, 1, 0.2);
  b.q = 0.01;
  return {.name = "all close", .trees = {{a, l}, {b}}, .rest = [](auto& builder) {
            builder.add_obstacle(box_at({-0.4008, 0, 0.4}, {0.2, 2, 2}));
          }};
}

/// The potential of barriers and friction about coordinates, its slope and its curvature.
struct Potential {
  const energy::Mechanism& m;
  energy::Contact& c;
  model::KinematicsCache cache = m.kin->make_cache();

  double value(const VecX& q) {
    m.kin->transforms(q.data(), 0, cache);
    return constraint::contact_energy(cache.T_WO, c);
  }
  std::vector<body::Covector> covectors(const VecX& q) {
    m.kin->transforms(q.data(), 0, cache);
    constraint::take_close(cache.T_WO, c);
    std::vector<body::Covector> on(cache.T_WO.size());
    constraint::add_barrier_covectors(c, on);
    constraint::add_friction_covectors(cache.T_WO, c, on);
    return on;
  }
  VecX slope(const VecX& q) {
    const std::vector<body::Covector> on = covectors(q);
    VecX out = VecX::Zero(q.size());
    for (std::size_t o = 1; o < on.size(); ++o) add(o, on[o], out);
    return out;
  }
  MatX curvature(const VecX& q) {
    const std::vector<body::Covector> on = covectors(q);
    MatX out = MatX::Zero(q.size(), q.size());
    for (const energy::CurvatureTerm& t : constraint::curvature_terms(cache.T_WO, c)) {
      VecX g = VecX::Zero(q.size());
      if (t.a != 0) add(at(t.a), t.on_a, g);
      if (t.b != 0) add(at(t.b), t.on_b, g);
      out += t.factor * g * g.transpose();
    }
    for (const energy::Carrier& k : m.carriers) {
      const model::PoolSlot& s = m.model->pools[at(k.pool)];
      MatX own = MatX::Zero(k.n, k.n);
      for (int o = 0; o < k.n_objects; ++o)
        s.pool->add_second_variation(0, nullptr, q.data() + s.q, cache.T_WO[at(k.object + o)], o,
                                     on[at(k.object + o)].f, on[at(k.object + o)].F, own.data());
      out.block(k.v, k.v, k.n, k.n) += own;
    }
    return out;
  }

 private:
  void add(std::size_t o, const body::Covector& on, VecX& out) const {
    energy::pull_back(m, cache, o, on,
                      out.data() + m.model->blocks[at(m.model->objects[o].block)].v);
  }
};

/// Slope and curvature by the coordinates against differences: truncation and rounding of steps of
/// 1e-7 m beside the barrier's 1e-3 m.
TEST(EnergyPoolContact, DerivativesByCoordinates) {
  const model::Built built = build(all_close(), {0.4, 0}, true);
  const energy::Mechanism m =
      energy::make_mechanism(*built.model, built.params, by(Difference::bdf1),
                             model::ConstraintSpecs(*built.model, built.params));
  energy::Contact c = constraint::barrier_of(*m.model, m.settings.barrier, m.settings.surfaces);
  VecX q = Eigen::Map<const VecX>(built.state.q.data(), 3);
  while (q[1] < 0.4 && !(distance_at(m, c, q) < 6e-4)) q[1] += 1e-4;  // the rod to the post
  q[2] = 5e-4;                                                        // the cart to the other
  ASSERT_LT(q[1], 0.4);
  c.scale.assign(c.scale.size(), 1);
  Potential potential{m, c};
  const VecX before = q - Vec3(2e-6, 5e-6, -3e-6);  // slips of 0.1 to 1 mm/s
  m.kin->transforms(before.data(), 0, potential.cache);
  c.slip = {100, 0, potential.cache.T_WO, {}};
  distance_at(m, c, q);
  m.kin->transforms(q.data(), 0, potential.cache);
  constraint::renew_friction(potential.cache.T_WO, c);
  EXPECT_GE(c.close.size(), 9u);
  EXPECT_GE(c.rubbing.size(), 9u);
  constexpr double kDelta = 1e-7;  // [m], [rad]
  const VecX slope = potential.slope(q);
  const MatX curvature = potential.curvature(q);
  for (int i = 0; i < 3; ++i) {
    const VecX d = kDelta * VecX::Unit(3, i);
    const double rise = (potential.value(q + d) - potential.value(q - d)) / (2 * kDelta);
    EXPECT_NEAR(rise, slope[i], 1e-6 * slope.norm()) << i;
    const VecX bend = (potential.slope(q + d) - potential.slope(q - d)) / (2 * kDelta);
    EXPECT_LT((bend - curvature.col(i)).norm(), 1e-6 * curvature.norm()) << i;
  }
}

/// A tip at 30 m/s turns by 2 rad in a step of 50 ms: what its way crosses holds it up.
TEST(EnergyPoolContact, NothingIsJumpedOver) {
  for (const double h : {1e-2, 5e-2}) {
    Link l = rod(-1, {0, 0, 1}, -0.6);
    l.u = 40;
    const Scene scene{.name = "a rod into a thin plate", .trees = {{l}}, .rest = [](auto& b) {
                        b.add_obstacle(box_at({-0.1, 0, 0.2}, {4e-3, 0.4, 0.4}));
                      }};
    Touching it(scene, {}, true, by(Difference::bdf1));
    double most = -1;
    for (int k = 0; k < 20 && it.step(h); ++k) most = std::max(most, it.state.q[0]);
    EXPECT_TRUE(it.touched);
    EXPECT_LT(most, 0.1);  // where its tip would be in the plate
  }
}

/// Trials along a way through a plate: those before it are reached, with all pairs that are close
/// there, and those beyond are not.
TEST(EnergyPoolContact, TrialsAreReachedByChordsOfTheirOwn) {
  const Scene scene{.name = "a rod into a thin plate",
                    .trees = {{rod(-1, {0, 0, 1}, -0.4)}},
                    .rest = [](auto& b) {
                      b.add_obstacle(box_at({-0.1, 0, 0.2}, {4e-3, 0.4, 0.4}));
                    }};
  const model::Built built = build(scene, {}, true);
  const energy::Mechanism m =
      energy::make_mechanism(*built.model, built.params, by(Difference::bdf1),
                             model::ConstraintSpecs(*built.model, built.params));
  energy::Contact c = constraint::barrier_of(*m.model, m.settings.barrier, m.settings.surfaces),
                  fresh = constraint::barrier_of(*m.model, m.settings.barrier, m.settings.surfaces);
  c.scale.assign(c.scale.size(), 1);
  fresh.scale = c.scale;
  model::KinematicsCache start = m.kin->make_cache(), there = m.kin->make_cache();
  m.kin->transforms(built.state.q.data(), 0, start);
  int reached = 0;
  for (int k = 1; k <= 200; ++k) {
    const double dq = 0.005 * k, q = built.state.q[0] + dq;
    std::vector<body::Transform> ends;
    if (!energy::chord_ends(m, start.T_WO, built.state.q.data(), &dq, c, ends)) break;
    constraint::set_out(*m.model, start.T_WO, {}, c);
    m.kin->transforms(&q, 0, there);
    EXPECT_NEAR((ends[1].p - there.T_WO[1].p).norm(), 0, 1e-15);
    const bool free = constraint::reaches(*m.model, &dq, there.T_WO, c);
    EXPECT_EQ(free, reached == k - 1 && free) << "beyond what holds it up, " << q;
    reached += free;
    if (!free) continue;
    EXPECT_LT(q, 0.07);
    const body::Transform end = c.movers[1].path.at(1);  // 0: the plate
    EXPECT_LT((end.p - ends[1].p).norm() + (end.A - ends[1].A).norm(), 1e-14);
    constraint::take_close(there.T_WO, c);
    const double d = constraint::least_distance(c);
    EXPECT_EQ(d, distance_at(m, fresh, Eigen::Map<const VecX>(&q, 1)));
  }
  EXPECT_GT(built.state.q[0] + 0.005 * reached, 0.055);  // 0.0636 touches
}

/// A bead on a wavy rail is a wave length farther in a step, past a block in the trough: its chord
/// misses the block, and it does not.
TEST(EnergyPoolContact, ChordsThatAreNotTheWayAreNotGone) {
  for (const double h : {0.05, 0.2}) {
    model::Builder builder;
    builder.gravity.setZero();
    model::SystemSpec spec;
    spec.name = "rail";
    spec.of.graph = std::make_shared<expr::Graph>();
    const expr::Expression x = spec.of.graph->variable("x");
    spec.of.coordinates = {{"x", x, false}};
    body::SystemObject bead{.name = "bead"};
    bead.position = {x, expr::Expression{}, 0.5 * expr::apply(expr::Op::cos, 6 * x)};
    bead.mass = 1;
    spec.of.objects = {bead};
    spec.q = {0};
    spec.u = {6};
    spec.outlines.resize(1);
    spec.outlines[0].contacts = {ball_at(Vec3::Zero(), 0.05)};
    model::add_system(builder, spec);
    builder.add_obstacle(box_at({0.52, 0, -0.5}, {0.1, 0.4, 0.4}));
    const model::Built built = std::get<model::Built>(builder.build());
    Energy form(*built.model, built.params, by(Difference::bdf1));
    model::State state = built.state;
    ASSERT_TRUE(form.load(state));
    StepReport report;
    bool touched = false;
    for (int k = 0; k < 40; ++k) {
      form.step(state, h, report);
      ASSERT_EQ(report.status, Status::ok) << report.reason;
      touched |= report.distance < 1e-3;
      EXPECT_LT(state.q[0], 0.5);
    }
    EXPECT_TRUE(touched);
  }
}

/// Below the angle of friction it creeps, at most at the speed of smoothing; above it slides with
/// g (sin - mu cos), to first order in the step.
TEST(EnergyPoolContact, SlopeBelowAndAboveTheAngleOfFriction) {
  const double slope = std::atan(0.3), g = 9.81, time = 0.4, h = 2e-3;
  const Vec3 normal(std::sin(slope), 0, std::cos(slope));
  const Scene scene{.name = "on a slope",
                    .trees = {sliding_ball(0.1, (0.1 + 1e-3) * normal, Vec3::Zero())},
                    .rest = [&](auto& b) { b.add_obstacle(half_space(Vec3::Zero(), normal)); }};
  for (const double mu : {0.5, 0.2}) {
    Touching it(scene, {mu, 0}, true, by(Difference::bdf1));
    it.run(time, h);
    const double speed = vec3(it.form.velocities().data()).norm(),
                 pull = g * (std::sin(slope) - mu * std::cos(slope));
    if (pull < 0)
      EXPECT_LT(speed, 1e-3);
    else
      EXPECT_NEAR(speed, pull * time, 0.03 * pull * time);
  }
}

/// A pad without mass at the end of an arm carries the arm, as stiffly as one that has the arm's.
TEST(EnergyPoolContact, WhatHasNoMassMeetsWithThatWhichCarriesIt) {
  model::Builder builder;
  model::SystemSpec spec;
  spec.name = "arm";
  spec.of.graph = std::make_shared<expr::Graph>();
  const expr::Expression theta = spec.of.graph->variable("theta");
  spec.of.coordinates = {{"theta", theta, true}};
  body::SystemObject arm{.name = "arm"}, pad{.name = "pad", .on = 0};
  arm.turns = {{Vec3::UnitY(), theta}};
  arm.com = {0.5, 0, 0};
  arm.mass = 6;
  arm.inertia = {0.01, 0.5, 0.5, 0, 0, 0};
  pad.position = {spec.of.graph->constant(1), expr::Expression{}, expr::Expression{}};
  spec.of.objects = {arm, pad};
  spec.q = {-0.1};
  spec.u = {0};
  spec.outlines.resize(2);
  spec.outlines[1].contacts = {ball_at(Vec3::Zero(), 0.05)};
  model::add_system(builder, spec);
  builder.add_obstacle(half_space({0, 0, -0.05}, Vec3::UnitZ()));
  const model::Built built = std::get<model::Built>(builder.build());
  const energy::Mechanism m =
      energy::make_mechanism(*built.model, built.params, by(Difference::bdf1),
                             model::ConstraintSpecs(*built.model, built.params));
  model::KinematicsCache cache = m.kin->make_cache();
  m.kin->transforms(built.state.q.data(), 0, cache);
  // I / r^2 of the arm about its hinge
  EXPECT_NEAR(energy::mass_met(m, cache, at(built.model->find_object("pad"))), 2, 1e-12);
  EXPECT_NEAR(energy::mass_met(m, cache, at(built.model->find_object("arm"))), 6, 1e-12);
  Energy form(*built.model, built.params, by(Difference::bdf1));
  model::State state = built.state;
  ASSERT_TRUE(form.load(state));
  StepReport report;
  for (int k = 0; k < 100; ++k) {
    form.step(state, 1e-2, report);
    ASSERT_EQ(report.status, Status::ok) << report.reason;
    EXPECT_TRUE(report.contacts.converged);
  }
  double force = 0;
  for (const constraint::ContactForce& f : test::contact_forces_of(form))
    force += std::abs(f.force.dot(f.point.n));
  EXPECT_NEAR(force, 0.5 * 6 * 9.81, 0.02);  // half of the weight at twice the arm
  EXPECT_LT(report.distance, 1e-3);
  EXPECT_GT(report.distance, 1e-4);
}

/// Rods, carts and balls touch the ground, each other and what is of the same block: as bodies with
/// joints do, to less than these change where steps are half as long, and with as few Newton steps.
void expect_alike(const Scene& scene, double mu) {
  SCOPED_TRACE(std::string(scene.name) + ", friction " + std::to_string(mu));
  constexpr double h = 4e-3;
  Touching pool(scene, {mu, 0}, true, by(Difference::bdf2)),
      bodies(scene, {mu, 0}, false, by(Difference::bdf2)),
      half(scene, {mu, 0}, false, by(Difference::bdf2));
  pool.run(scene.time, h);
  bodies.run(scene.time, h);
  half.run(scene.time, h / 2);
  const auto apart = [&](const Touching& a, const Touching& b) {
    return (a.places(scene) - b.places(scene)).lpNorm<Eigen::Infinity>();
  };
  EXPECT_TRUE(pool.touched);
  EXPECT_LT(apart(pool, bodies), 0.5 * apart(bodies, half));
  const auto lost = [](const Touching& it) { return -it.state.ledger[model::kContacts]; };
  const double change = std::abs(lost(bodies) - lost(half));
  EXPECT_GT(lost(pool), 0.01);
  EXPECT_NEAR(lost(pool), lost(bodies), std::max(0.02 * lost(pool), change) + 5e-3);
  EXPECT_LT(pool.residual, 1e-8);
  EXPECT_LE(pool.most_iterations, 20);
  EXPECT_LT(pool.iterations, bodies.iterations + bodies.iterations / 5);
}

TEST(EnergyPoolContact, PartsOfOneBlockAndAffineBallsTouchAsBodiesDo) {
  expect_alike(touching::post(), 0.4);
  expect_alike(touching::two_carts(), 0);
  Scene affine = touching::struck();
  affine.name = "an affine ball strikes a cart";
  affine.rest = [](model::Builder& b) {
    model::BodySpec it = ball(0.1, {-1, 0, 0}, {2, 0.2, 0.1}, {3, -4, 5});
    it.affine = model::Elastic{1e7, {}};
    b.add_body(it);
  };
  expect_alike(affine, 0.4);
}

TEST(SlowEnergyPoolContact, SystemsTouchAsBodiesDo) {
  for (const Scene& scene : touching::scenes())
    for (const double mu : {0., 0.4}) expect_alike(scene, mu);
}

}  // namespace
}  // namespace trammel::form::energy_pools_contact_test
