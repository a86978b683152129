// Objects of pools that are not their block touch as bodies do: mechanisms as one block of
// generalised coordinates beside the same ones as rigid bodies with joints.
#include <gtest/gtest.h>

#include "form/formulation.h"
#include "form/test_balance.h"
#include "form/test_touching.h"
#include "model/ledger.h"

namespace trammel::form::pools_contact_test {
namespace {

using namespace touching;

struct Outcome {
  VecX p;                                       // of the mass centres
  double impacts = 0, friction = 0, moved = 0;  // works, and the greatest of the energy [J]
  double residual = 0;                          // what the books do not explain [J]
  double beyond = 0;                            // of forces out of their cones: share, or [N]
  double depth = 0;                             // [m]
  int met = 0;                                  // events
};

template <class Form>
Outcome run(const Scene& scene, const Law& law, bool as_pool, double h, const Settings& settings) {
  const model::Built built = build(scene, law, as_pool);
  model::State state = built.state;
  Form form(*built.model, built.params, settings);
  form.load(state);
  const double start = form.total_energy(state);
  Outcome out;
  StepReport report;
  for (int k = 0; k < static_cast<int>(std::lround(scene.time / h)); ++k) {
    form.step(state, h, report);
    EXPECT_EQ(report.status, Status::ok) << scene.name << ": " << report.reason;
    if (report.status != Status::ok) break;
    for (const auto& e : report.events) out.met += e.kind == EventKind::impact;
    out.depth = std::max(out.depth, report.contacts.depth);
    for (const constraint::ContactForce& f : test::contact_forces_of(form)) {
      const double n = f.force.dot(f.point.n);
      const double beyond = std::max(-n, (f.force - n * f.point.n).norm() - law.friction * n);
      out.beyond = std::max(out.beyond, beyond / std::max(1., n));
    }
    double works = 0;
    for (std::size_t i = 0; i < state.ledger.size(); ++i)
      if (i != model::kInitial) works += state.ledger[i];
    const double energy = form.total_energy(state);
    out.residual = std::max(out.residual, std::abs(energy - start - works));
    out.moved = std::max(out.moved, std::abs(energy - start));
  }
  out.impacts = state.ledger[model::kImpacts];
  out.friction = state.ledger[model::kContacts];
  out.p.resize(3 * count(scene.seen));
  for (int i = 0; i < count(scene.seen); ++i)
    out.p.segment<3>(3 * i) = form.now().T_WO[at(built.model->find_object(scene.seen[at(i)]))].p;
  return out;
}

Settings exact() {
  Settings out;
  out.formulation = Settings::Formulation::acceleration;
  out.accuracy = {1e-11, 1e-11, 1e-11, 1e-11, 1e-11};
  return out;
}

/// Calls f for every scene and law.
template <class F>
void for_all(const F& f) {
  for (const Scene& scene : scenes())
    for (const Law& law : kLaws) {
      SCOPED_TRACE(std::string(scene.name) + ", friction " + std::to_string(law.friction) +
                   ", restitution " + std::to_string(law.restitution));
      f(scene, law);
    }
}

TEST(PoolContact, ByForcesSystemsTouchAsBodiesDo) {
  for_all([](const Scene& scene, const Law& law) {
    const Outcome pool = run<Acceleration>(scene, law, true, 1e-2, exact()),
                  bodies = run<Acceleration>(scene, law, false, 1e-2, exact());
    EXPECT_GT(pool.met, 0);
    EXPECT_EQ(pool.met, bodies.met);
    // accuracy of a step 1e-11, of impacts that of their times; how friction that rows hold shares
    // a loss with the normal is anybody's choice
    EXPECT_LT((pool.p - bodies.p).lpNorm<Eigen::Infinity>(), 1e-10);
    EXPECT_NEAR(pool.impacts + pool.friction, bodies.impacts + bodies.friction, 1e-9);
    EXPECT_LT(pool.impacts + pool.friction, -1e-3);
    EXPECT_TRUE(law.friction > 0 || pool.friction == 0);
    EXPECT_LT(pool.residual, 1e-10);
    EXPECT_LT(pool.beyond, bodies.beyond + 1e-10);
    EXPECT_LT(pool.depth, 1e-12);
  });
}

TEST(PoolContact, ByImpulsesSystemsTouchAsBodiesDo) {
  for_all([](const Scene& scene, const Law& law) {
    constexpr double h = 1e-3;
    const Outcome exactly = run<Acceleration>(scene, law, true, 1e-2, exact()),
                  pool = run<Velocity>(scene, law, true, h, {}),
                  twice = run<Velocity>(scene, law, true, 2 * h, {}),
                  bodies = run<Velocity>(scene, law, false, h, {});
    const auto off = [&](const Outcome& o) { return (o.p - exactly.p).lpNorm<Eigen::Infinity>(); };
    EXPECT_GT(pool.met, 0);
    // both miss the times of impacts by a step or less; beyond that they differ by truncation
    EXPECT_LT(off(pool), 1.1 * off(bodies) + 40 * h * h);
    // bodies are followed to the ends of steps, systems are not
    EXPECT_NEAR(pool.impacts + pool.friction, bodies.impacts + bodies.friction, 2e-3);
    EXPECT_LT(pool.residual, std::max(1e-12, 0.27 * twice.residual));  // truncation: a quarter
    EXPECT_LT(pool.beyond, h);     // truncation: normals turn between the parts of a step
    EXPECT_LT(pool.depth, h * h);  // truncation: how a system goes on by itself in a step
  });
}

TEST(PoolContact, OutlinesStandAboutTheirMassCentres) {
  model::Builder b;
  model::PoolSpec spec{std::make_shared<test::TreePool>(std::vector<Link>{cart("cart", {1, 2, 3})}),
                       {"cart"},
                       {3.},
                       {0.5},
                       {0.}};
  model::Outline& o = spec.outlines.emplace_back();
  o.com = {0.1, 0, 0};
  o.contacts = {ball_at({0.3, 0, 0}, 0.2)};
  o.electric = {"red"};
  o.color = "orange";
  b.add_pool(spec);
  const auto it = std::get<model::Built>(b.build());
  ASSERT_EQ(it.model->contacts.shapes.size(), 1U);
  EXPECT_EQ(it.model->contacts.shapes[0].object, 1);
  EXPECT_NEAR((it.model->contacts.shapes[0].X_OS.p - Vec3(0.2, 0, 0)).norm(), 0, 1e-15);
  EXPECT_EQ(it.model->contacts.colors[1], 1);
  EXPECT_EQ(it.model->objects[1].com, Vec3(0.1, 0, 0));
  ASSERT_EQ(spec.start().size(), 1U);
  EXPECT_NEAR((spec.start()[0].p - Vec3(1.4, 2, 3)).norm(), 0, 1e-15);
}

TEST(PoolContact, OutlinesAreChecked) {
  model::Builder b;
  model::PoolSpec spec{std::make_shared<test::TreePool>(std::vector<Link>{cart("cart", {1, 2, 3})}),
                       {"cart"},
                       {3.},
                       {0.5},
                       {0.}};
  model::Outline& o = spec.outlines.emplace_back();
  o.contacts = {half_space(Vec3::Zero(), Vec3::UnitZ()), ball_at(Vec3::Zero(), -1)};
  o.material = "ruber";
  o.electric = {"violet"};
  o.color = "oringe";
  o.shapes.emplace_back().solid = {model::Solid::Kind::sphere, {-1, 0, 0}};
  b.add_material({.name = "rubber"});
  b.add_pool(spec);
  spec.objects = {"other"};
  spec.outlines = {{}, {}};
  b.add_pool(spec);
  spec.outlines = {{}};
  spec.objects = {"third"};
  spec.outlines[0].material = "rubber";
  spec.outlines[0].path = "third";
  b.add_pool(spec);
  std::string told;
  const auto out = b.build();
  for (const Problem& p : std::get<std::vector<Problem>>(out))
    told += p.path + ": " + p.text + "\n";
  EXPECT_EQ(
      told,
      "pool.cart.color: body 'cart': 'oringe' is neither a colour by name nor \"#rrggbb\"; did "
      "you mean 'orange'?\n"
      "pool.cart.shape[0].sphere: body 'cart': a solid's sizes must be positive, not -1 m\n"
      "pool.outlines: the pool 'tree' of 1 blocks needs 1 outlines, not 2\n"
      "pool.cart.electric: body 'cart': there is no electric colour 'violet'; known: red, green, "
      "blue, yellow, magenta, cyan, white, black\n"
      "pool.cart.contact[0]: body 'cart': a half-space has no end: it is an obstacle, or on a "
      "prescribed body\n"
      "pool.cart.material: there is no material 'ruber'; did you mean 'rubber'?\n"
      "pool.cart.contact[1].sphere: body 'cart': a solid's sizes must be positive, not -1 m\n"
      "pool.cart.material: there is no material 'ruber'; did you mean 'rubber'?\n"
      "third.material: body 'third' has a material and no contact shapes: give it some\n");
}

}  // namespace
}  // namespace trammel::form::pools_contact_test
