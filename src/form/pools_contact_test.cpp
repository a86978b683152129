// Objects of pools that are not their block touch as bodies do: mechanisms as one block of
// generalised coordinates beside the same ones as rigid bodies with joints.
#include <gtest/gtest.h>

#include <functional>

#include "form/formulation.h"
#include "form/test_tree_pool.h"
#include "model/ledger.h"

namespace trammel::form::pools_contact_test {
namespace {

using test::Link;

struct Law {
  double friction = 0, restitution = 0;
};
constexpr Law kLaws[] = {{0, 0}, {0, 0.7}, {0.4, 0}, {0.4, 0.7}};

/// A mechanism: trees of links, what else there is, how long it is looked at.
struct Scene {
  const char* name;
  std::vector<std::vector<Link>> trees;
  std::function<void(model::Builder&)> rest = [](model::Builder&) {};
  double time = 1;  // [s]
  bool weighs = true;
  std::vector<std::string> seen = {};
};

model::ContactSpec ball_at(const Vec3& p, double radius) {
  model::ContactSpec s;
  s.solid = {model::Solid::Kind::sphere, {radius, 0, 0}};
  s.X_BS.p = p;
  return s;
}

model::ContactSpec box_at(const Vec3& p, const Vec3& edges) {
  model::ContactSpec s;
  s.solid = {model::Solid::Kind::box, edges};
  s.X_BS.p = p;
  return s;
}

/// Filled beyond p against the normal.
model::ContactSpec half_space(const Vec3& p, const Vec3& normal) {
  model::ContactSpec s;
  s.kind = model::ContactSpec::Kind::half_space;
  s.X_BS.p = p;
  s.X_BS.R.col(2) = normal;
  s.X_BS.R.col(0) = normal.unitOrthogonal();
  s.X_BS.R.col(1) = normal.cross(s.X_BS.R.col(0));
  return s;
}

model::BodySpec ball(double radius, const Vec3& p, const Vec3& v, const Vec3& w) {
  model::BodySpec b;
  b.name = "ball";
  b.solid = model::Solid{model::Solid::Kind::sphere, {radius, 0, 0}};
  b.mass = 0.8;
  b.X_WB.p = p;
  b.v = v;
  b.w = w;
  b.solids_touch = true;
  return b;
}

/// It hangs from a hinge along y and has a ball at its end.
Link rod(int parent, const Vec3& place, double q) {
  Link l{"rod", parent};
  l.place = place;
  l.arm = {0.02, 0.01, -0.4};
  l.mass = 2;
  l.inertia = {0.12, 0.13, 0.02};
  l.q = q;
  l.contacts = {ball_at({-0.02, -0.01, -0.35}, 0.05)};
  return l;
}

Link cart(const char* name, const Vec3& place, double q = 0, double u = 0) {
  Link l{name, -1, true, Vec3::UnitX(), place};
  l.mass = 3;
  l.q = q;
  l.u = u;
  return l;
}

Scene wall() {
  return {.name = "a rod swings into a wall",
          .trees = {{rod(-1, {0, 0, 1}, -0.6)}},
          .rest =
              [](auto& b) {
                b.add_obstacle(half_space({-0.1, 0, 0}, Vec3::UnitX()));
              },
          .seen = {"rod"}};
}

/// The normal slants, and the hinge leaves no freedom along y: friction is not in its plane alone.
Scene slanting_wall() {
  return {.name = "a rod swings into a slanting wall",
          .trees = {{rod(-1, {0, 0, 1}, -0.6)}},
          .rest =
              [](auto& b) {
                b.add_obstacle(half_space({-0.1, 0, 0.3}, Vec3(1, 0.4, 0.3).normalized()));
              },
          .seen = {"rod"}};
}

Scene floor_below() {
  return {.name = "a rod on a cart is dragged over a floor",
          .trees = {{cart("cart", {0, 0, 0.75}, 0, 0.6), rod(0, Vec3::Zero(), 0.9)}},
          .rest = [](auto& b) { b.add_obstacle(half_space(Vec3::Zero(), Vec3::UnitZ())); },
          .seen = {"cart", "rod"}};
}

Scene struck() {
  Link l = cart("cart", Vec3::Zero(), 0, -0.2);
  l.contacts = {box_at({0.05, 0, 0}, {0.4, 0.4, 0.4})};
  return {.name = "a ball strikes a cart",
          .trees = {{l}},
          .rest =
              [](auto& b) {
                b.add_body(ball(0.1, {-1, 0, 0}, {2, 0.2, 0.1}, {3, -4, 5}));
              },
          .weighs = false,
          .seen = {"cart", "ball"}};
}

Scene swing() {
  Link l{"plank", -1};
  l.place = {0, 0, 1};
  l.arm = {0, 0, -0.5};
  l.mass = 2;
  l.inertia = {0.03, 0.09, 0.1};
  l.q = 0.15;
  l.contacts = {box_at(Vec3::Zero(), {0.9, 0.4, 0.04})};
  const Mat3 R = exp_matrix(0.15 * Vec3::UnitY());
  const Vec3 p = Vec3(0, 0, 1) + R * Vec3(0.05, 0, -0.5 + 0.02 + 0.06 + 0.03);
  return {.name = "a ball falls onto a swing",
          .trees = {{l}},
          .rest = [=](auto& b) { b.add_body(ball(0.06, p, Vec3::Zero(), Vec3::Zero())); },
          .time = 0.6,
          .seen = {"plank", "ball"}};
}

/// Both are of one block.
Scene post() {
  Link l = cart("cart", {0, 0, 1});
  l.contacts = {box_at({-0.25, 0, -0.6}, {0.1, 0.3, 0.4})};
  return {.name = "a rod strikes a post of its own cart",
          .trees = {{l, rod(0, Vec3::Zero(), -0.7)}},
          .seen = {"cart", "rod"}};
}

Scene two_carts() {
  Link a = cart("cart", {0, 0, 1}, 0, 0.8), b = cart("other", {1, 0.1, 1}, 0, -0.3);
  a.contacts = {box_at(Vec3::Zero(), {0.3, 0.3, 0.1})};
  b.contacts = {ball_at(Vec3::Zero(), 0.15)};
  return {.name = "carts of two systems collide",
          .trees = {{a, rod(0, {0, 0.4, 0}, 0.5)}, {b}},
          .time = 1.2,
          .seen = {"cart", "rod", "other"}};
}

/// Rows of a joint hold what touches to a system.
Scene bob() {
  return {.name = "a bob at the end of a rod strikes a wall",
          .trees = {{cart("cart", {0, 0, 1}, 0, 0.3), rod(0, Vec3::Zero(), 0)}},
          .rest =
              [](auto& b) {
                b.add_obstacle(half_space({0.3, 0, 0}, -Vec3::UnitX()));
                b.add_body(ball(0.08, {0, 0, 0.05}, {0.3, 0, 0}, Vec3::Zero()));
                model::JointSpec j;
                j.name = "hang";
                j.type = "spherical";
                j.a = "rod";
                j.b = "ball";
                j.at = Pose{{0, 0, 0.25}, Mat3::Identity()};
                b.add_joint(j);
              },
          .time = 1.2,
          .seen = {"cart", "rod", "ball"}};
}

std::vector<Scene> scenes() {
  return {wall(), slanting_wall(), floor_below(), struck(), swing(), post(), two_carts(), bob()};
}

model::Built build(const Scene& scene, const Law& law, bool as_pool) {
  model::Builder builder;
  if (!scene.weighs) builder.gravity.setZero();
  for (const std::vector<Link>& tree : scene.trees)
    as_pool ? test::add_as_pool(tree, builder) : test::add_as_bodies(tree, builder);
  scene.rest(builder);
  model::ContactLawSpec spec;
  spec.law.friction = law.friction;
  spec.law.restitution = law.restitution;
  builder.add_contact_law(spec);
  auto built = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&built))
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
  return std::get<model::Built>(std::move(built));
}

struct Outcome {
  VecX p;                                       // of the mass centres
  double impacts = 0, friction = 0, moved = 0;  // works, and the greatest of the energy [J]
  double residual = 0;                          // what the books do not explain [J]
  double beyond = 0;                            // of forces out of their cones [N]
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
    for (const constraint::ContactForce& f : form.contact_forces()) {
      const double n = f.force.dot(f.point.n);
      out.beyond = std::max({out.beyond, -n, (f.force - n * f.point.n).norm() - law.friction * n});
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
    EXPECT_LT(off(pool), 1.1 * off(bodies) + 30 * h * h);
    EXPECT_NEAR(pool.impacts + pool.friction, bodies.impacts + bodies.friction, 1e-3);
    EXPECT_LT(pool.residual, std::max(1e-12, 0.27 * twice.residual));  // truncation: a quarter
    EXPECT_LT(pool.beyond, 1e-10);
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
      "pool.cart.shape[0]: body 'cart': a solid's sizes must be positive, not -1 m\n"
      "pool.outlines: the pool 'tree' of 1 blocks needs 1 outlines, not 2\n"
      "pool.cart.electric: body 'cart': there is no electric colour 'violet'; known: red, green, "
      "blue, yellow, magenta, cyan, white, black\n"
      "pool.cart.contact[0]: body 'cart': a half-space has no end: it is an obstacle, or on a "
      "prescribed body\n"
      "pool.cart.material: there is no material 'ruber'; did you mean 'rubber'?\n"
      "pool.cart.contact[1]: body 'cart': a solid's sizes must be positive, not -1 m\n"
      "pool.cart.material: there is no material 'ruber'; did you mean 'rubber'?\n"
      "third.material: body 'third' has a material and no contact shapes: give it some\n");
}

}  // namespace
}  // namespace trammel::form::pools_contact_test
