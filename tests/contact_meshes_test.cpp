// Meshes that meet meshes and heights, as the hulls of their parts.
#include <algorithm>

#include "contact/test_ring.h"
#include "contact/test_solids.h"
#include "contact_support.h"
#include "math/index.h"

namespace trammel::acceptance::contact_meshes_test {
namespace {

using Kind = model::ContactSpec::Kind;

constexpr double kDensity = 1000;

std::shared_ptr<const body::Mesh> shared(body::Mesh mesh, double by = 1) {
  for (Vec3& p : mesh.vertices) p *= by;
  return std::make_shared<const body::Mesh>(std::move(mesh));
}
std::shared_ptr<const body::Mesh> cube() {
  return shared(contact::test::prism({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, 2), 0.1);
}
std::shared_ptr<const body::Mesh> angle_piece() {
  return shared(contact::test::prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 1), 0.1);
}
std::shared_ptr<const body::Mesh> ring() {
  return shared(contact::test::ring_mesh(1, 0.25, 16, 8), 0.1);
}

model::ContactSpec shape(Kind kind, std::shared_ptr<const body::Mesh> mesh) {
  model::ContactSpec out;
  out.kind = kind;
  out.mesh = std::move(mesh);
  return out;
}

/// A solid within a mesh, which touches with it.
model::BodySpec of_mesh(std::string name, const std::shared_ptr<const body::Mesh>& mesh,
                        const Pose& X) {
  const body::Moments moments = body::solid(*mesh, kDensity);
  const Mat3 I = body::inertia_of_second(moments.second -
                                         moments.com() * moments.com().transpose() * moments.mass);
  model::BodySpec b;
  b.name = std::move(name);
  b.mass = moments.mass;
  b.com = moments.com();
  b.inertia = {{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}};
  b.X_WB = X;
  b.contacts = {shape(Kind::mesh, mesh)};
  return b;
}

model::Builder scene(const std::vector<model::ContactSpec>& obstacles,
                     std::vector<model::BodySpec> bodies, double friction, double restitution = 0) {
  model::Builder b;
  for (const auto& o : obstacles) b.add_obstacle(o);
  b.add_contact_law(everywhere(friction, restitution));
  for (auto& body : bodies) b.add_body(std::move(body));
  return b;
}

Mat3 turned(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

/// The greatest distance between what two runs do to their bodies.
double differ(Simulation& a, Simulation& b, const std::vector<std::string>& names) {
  double most = 0;
  while (!a.finished() && !b.finished()) {
    if (!a.advance() || !b.advance()) {
      ADD_FAILURE() << a.failure() << b.failure();
      return 1e300;
    }
    for (const std::string& name : names) {
      const Pose X = pose(a, name), Y = pose(b, name);
      most = std::max({most, (X.p - Y.p).norm(), 0.1 * (X.R - Y.R).norm()});
    }
  }
  return most;
}

TEST(ContactMeshes, CubesOfTrianglesFallOnEachOtherAsBoxesDo) {
  const auto mesh = cube();
  const Vec3 middle(0, 0, 0.1);
  std::vector<model::BodySpec> meshes, boxes;
  for (const auto& [name, p] : {std::pair("a", Vec3(0, 0, 0)),
                                {"b", Vec3(0.03, 0.02, 0.22)},
                                {"c", Vec3(-0.03, 0.04, 0.44)}}) {
    meshes.push_back(of_mesh(name, mesh, {p, Mat3::Identity()}));
    meshes.back().v = {name[0] == 'b' ? 0.3 : 0., 0.1, 0};
    boxes.push_back(block(name, Vec3::Constant(0.2), 8, p + middle));
    boxes.back().v = meshes.back().v;
  }
  Simulation a(built(scene({floor_below()}, meshes, 0.4)), settings(0.1, 2e-3)),
      b(built(scene({floor_below()}, boxes, 0.4)), settings(0.1, 2e-3));
  EXPECT_LT(differ(a, b, {"a", "b", "c"}), 1e-6);  // two impacts make it of rounding
}

TEST(ContactMeshes, OnHeightsAMeshFallsAsItsConvexPartsDo) {
  auto heights = std::make_shared<model::Heights>();
  heights->nx = heights->ny = 5;
  heights->dx = heights->dy = 0.2;
  for (int i = 0; i < 25; ++i) heights->z.push_back(0.02 * (i * 7 % 5));
  model::ContactSpec field;
  field.kind = Kind::heights;
  field.heights = heights;
  field.X_BS.p = {-0.4, -0.4, 0};
  const auto box_of = [](const Vec3& size, const Vec3& at_) {
    model::ContactSpec s;
    s.solid = {model::Solid::Kind::box, size};
    s.X_BS.p = at_;
    return s;
  };
  model::BodySpec mesh = of_mesh("a", angle_piece(), {{-0.05, -0.02, 0.25}, Mat3::Identity()});
  mesh.w = {1, 2, 0.5};
  model::BodySpec parts = mesh;
  parts.contacts = {box_of({0.2, 0.1, 0.1}, {0.1, 0.05, 0.05}),
                    box_of({0.1, 0.1, 0.1}, {0.05, 0.15, 0.05})};
  Simulation a(built(scene({field}, {mesh}, 0.5)), settings(1.5, 2e-3)),
      b(built(scene({field}, {parts}, 0.5)), settings(1.5, 2e-3));
  run(a);
  run(b);
  EXPECT_NEAR(velocity(a, "a").first.norm(), 0, 1e-3);  // both lie there
  EXPECT_NEAR(velocity(b, "a").first.norm(), 0, 1e-3);
  EXPECT_NEAR(pose(a, "a").p.z(), pose(b, "a").p.z(), 0.02);
}

TEST(ContactMeshes, ALinkHangsInAnotherWithItsWeight) {
  const auto mesh = ring();
  model::ContactSpec top = shape(Kind::mesh, mesh);
  top.X_BS.R = turned(M_PI / 2, Vec3::UnitX());
  const auto one = of_mesh("one", mesh, {{0, 0, -0.149}, turned(M_PI / 2, Vec3::UnitY())}),
             two = of_mesh("two", mesh, {{0, 0, -0.298}, turned(M_PI / 2, Vec3::UnitX())});
  Simulation sim(built(scene({top}, {one, two}, 0.5)), settings(1, 2e-3));
  run(sim);
  const double weight = one.mass * kGravity;
  double carried = 0;
  for (const constraint::ContactForce& c : sim.formulation().contact_forces())
    if (c.point.B == 2) carried += c.force.z();
  EXPECT_NEAR(carried, weight, 1e-3 * weight);
  EXPECT_NEAR(pose(sim, "two").p.z(), -0.3, 2 * 0.01 * 0.36 + 1e-3);
}

TEST(ContactMeshes, NothingHangsOnTheOrderOfBodies) {
  const auto mesh = angle_piece();
  std::vector<model::BodySpec> bodies{
      of_mesh("a", mesh, {{0, 0, 0}, Mat3::Identity()}),
      of_mesh("b", mesh, {{0.03, 0.02, 0.12}, turned(1, Vec3::UnitZ())})};
  Simulation a(built(scene({floor_below()}, bodies, 0.4)), settings(0.1, 2e-3));
  std::reverse(bodies.begin(), bodies.end());
  Simulation b(built(scene({floor_below()}, bodies, 0.4)), settings(0.1, 2e-3));
  EXPECT_LT(differ(a, b, {"a", "b"}), 1e-11);
}

double kinetic_of(const Simulation& sim, const model::BodySpec& b) {
  const auto [v, w] = velocity(sim, b.name);
  const auto& I = *b.inertia;
  Mat3 of_body;
  of_body << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  const Vec3 own = pose(sim, b.name).R.transpose() * w;
  return (b.mass * v.squaredNorm() + own.dot(of_body * own)) / 2;
}

TEST(ContactMeshes, ElasticImpactsKeepTheEnergy) {
  const auto mesh = angle_piece();
  model::BodySpec one = of_mesh("a", mesh, {{0, 0, 0}, Mat3::Identity()}),
                  two = of_mesh("b", ring(), {{0.5, 0.13, 0.02}, turned(0.7, Vec3::UnitY())});
  one.v = {1, 0, 0}, one.w = {1, 2, 3};
  two.v = {-1, 0, 0};
  model::Builder b = scene({}, {one, two}, 0, 1);
  b.gravity.setZero();
  Simulation sim(built(b), settings(1, 2e-3));
  const auto kinetic = [&] { return kinetic_of(sim, one) + kinetic_of(sim, two); };
  const double before = kinetic();
  run(sim);
  EXPECT_NEAR(kinetic(), before, 1e-3 * before);
  EXPECT_GT((velocity(sim, "b").first - Vec3(-1, 0, 0)).norm(), 0.1);  // they have met
}

}  // namespace
}  // namespace trammel::acceptance::contact_meshes_test
