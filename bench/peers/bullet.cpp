// Bullet beside Trammel, its build in double precision. Solvers: siK (bodies and constraints,
// sequential impulses, K passes; hinges of five rows, loops included) and mb (btMultiBody, the
// articulated-body algorithm; trees only). No damping, no sleeping, collisions in scenes that touch
// alone; springs are forces from the state at the start of a step.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "engine.h"

namespace trammel::bench {

namespace {

static_assert(sizeof(btScalar) == sizeof(double), "Bullet has been built in single precision");

btVector3 bt(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 vec(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
Quat quat(const btQuaternion& q) { return Quat(q.w(), q.x(), q.y(), q.z()); }

/// A frame whose z (hinges) or x (sliders) is the joint's axis.
btMatrix3x3 frame(const Joint& j) {
  const Vec3 a = j.axis, b = a.unitOrthogonal(), c = a.cross(b);
  Mat3 R;
  if (j.kind == Kind::hinge)
    R << b, c, a;
  else
    R << a, b, c;
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}

Vec3 from(const Scene& scene, int body, const Vec3& p) {
  return body < 0 ? p : Vec3(p - scene.bodies[static_cast<std::size_t>(body)].p);
}

/// What both of Bullet's worlds need.
struct Surroundings {
  btDefaultCollisionConfiguration config;
  btCollisionDispatcher dispatcher{&config};
  btDbvtBroadphase broadphase;
};

class Impulses final : public Engine {
 public:
  Impulses(const Scene& scene, const Case& wanted) : dt_(wanted.dt) {
    world_.setGravity(bt({0, 0, -kGravity}));
    world_.getSolverInfo().m_numIterations = std::stoi(wanted.solver.substr(2));
    for (const Body& b : scene.bodies) add(scene, b);
    for (const Joint& j : scene.joints) add(scene, j);
    if (scene.touches()) add_ground(scene);
  }
  ~Impulses() override {
    for (const auto& c : constraints_) world_.removeConstraint(c.get());
    for (const auto& b : bodies_) world_.removeRigidBody(b.get());
  }

  void advance(long steps) override {
    for (long k = 0; k < steps; ++k) {
      for (const Spring& s : springs_) pull(s);
      world_.stepSimulation(dt_, 0);
    }
  }

  void states(std::vector<State>& out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const btRigidBody& b = *bodies_[i];
      out[i] = {vec(b.getWorldTransform().getOrigin()), quat(b.getWorldTransform().getRotation()),
                vec(b.getLinearVelocity()), vec(b.getAngularVelocity())};
    }
  }

 private:
  struct Spring {
    btRigidBody *a, *b;
    btVector3 axis;
    double stiffness, rest;
  };

  btCollisionShape* shape(const Body& b) {
    if (b.radius > 0)
      shapes_.push_back(std::make_unique<btSphereShape>(b.radius));
    else if (b.half != Vec3::Zero())
      shapes_.push_back(std::make_unique<btBoxShape>(bt(b.half)));
    else
      return &none_;
    return shapes_.back().get();
  }

  void add(const Scene& scene, const Body& b) {
    btRigidBody::btRigidBodyConstructionInfo info(b.mass, nullptr, shape(b), bt(b.inertia));
    if (scene.touches()) info.m_friction = std::sqrt(scene.friction);  // both sides' are multiplied
    info.m_startWorldTransform =
        btTransform(btQuaternion(b.q.x(), b.q.y(), b.q.z(), b.q.w()), bt(b.p));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& body = *bodies_.back();
    body.setDamping(0, 0);
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setLinearVelocity(bt(b.v));
    body.setAngularVelocity(bt(b.w));
    if (scene.touches())
      world_.addRigidBody(&body);
    else
      world_.addRigidBody(&body, 0, 0);
  }

  void add_ground(const Scene& scene) {
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &plane_);
    info.m_friction = std::sqrt(scene.friction);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    world_.addRigidBody(bodies_.back().get());
  }

  btRigidBody& at(int i) {
    return i < 0 ? btTypedConstraint::getFixedBody() : *bodies_[static_cast<std::size_t>(i)];
  }

  void add(const Scene& scene, const Joint& j) {
    btRigidBody &a = at(j.a), &b = at(j.b);
    const btVector3 in_a = bt(from(scene, j.a, j.at)), in_b = bt(from(scene, j.b, j.at));
    const btTransform frame_a(frame(j), in_a), frame_b(frame(j), in_b);
    if (j.kind == Kind::ball) {
      constraints_.push_back(std::make_unique<btPoint2PointConstraint>(a, b, in_a, in_b));
    } else if (j.kind == Kind::hinge) {
      constraints_.push_back(std::make_unique<btHingeConstraint>(a, b, frame_a, frame_b));
    } else {
      auto slider = std::make_unique<btSliderConstraint>(a, b, frame_a, frame_b, true);
      slider->setLowerLinLimit(1);  // above the upper one: free
      slider->setUpperLinLimit(-1);
      slider->setLowerAngLimit(0);
      slider->setUpperAngLimit(0);
      slider->setDampingDirLin(0);  // Bullet damps the free direction otherwise
      slider->setDampingDirAng(0);
      constraints_.push_back(std::move(slider));
      const Vec3 apart = scene.bodies[static_cast<std::size_t>(j.b)].p -
                         scene.bodies[static_cast<std::size_t>(j.a)].p;
      springs_.push_back({&a, &b, bt(j.axis), j.stiffness, apart.dot(j.axis)});
    }
    world_.addConstraint(constraints_.back().get(), true);
  }

  /// Both forces in the line of the axis through b's centre: no moment between the two.
  static void pull(const Spring& s) {
    const btVector3 axis = s.a->getWorldTransform().getBasis() * s.axis;
    const btVector3 apart =
        s.b->getWorldTransform().getOrigin() - s.a->getWorldTransform().getOrigin();
    const btVector3 f = -s.stiffness * (apart.dot(axis) - s.rest) * axis;
    s.b->applyCentralForce(f);
    s.a->applyForce(-f, apart);
  }

  double dt_;
  Surroundings around_;
  btEmptyShape none_;
  btStaticPlaneShape plane_{btVector3(0, 0, 1), 0};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&around_.dispatcher, &around_.broadphase, &solver_,
                                 &around_.config};
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> constraints_;
  std::vector<Spring> springs_;
};

/// Every tree of the scene is one multibody on a fixed base.
class Multibodies final : public Engine {
 public:
  Multibodies(const Scene& scene, const Case& wanted) : dt_(wanted.dt) {
    world_.setGravity(bt({0, 0, -kGravity}));
    place_.resize(scene.bodies.size());
    std::vector<int> links;  // of each tree
    for (const Joint& j : scene.joints) {
      if (j.closes) throw std::runtime_error("btMultiBody here takes trees only");
      if (j.a < 0) links.push_back(0);
      Place& place = at(j.b);
      place.tree = j.a < 0 ? links.size() - 1 : at(j.a).tree;
      place.link = links[place.tree]++;
    }
    for (const int n : links) trees_.push_back(make_tree(n));
    for (const Joint& j : scene.joints) add(scene, j);
    for (const auto& tree : trees_) {
      tree->finalizeMultiDof();
      tree->setCanSleep(false);
      world_.addMultiBody(tree.get(), 0, 0);
      tree->forwardKinematics(quats_, vectors_);
    }
  }
  ~Multibodies() override {
    for (const auto& tree : trees_) world_.removeMultiBody(tree.get());
  }

  void advance(long steps) override {
    for (long k = 0; k < steps; ++k) {
      for (const Spring& s : springs_)
        s.tree->addJointTorque(s.link, -s.stiffness * s.tree->getJointPos(s.link));
      world_.stepSimulation(dt_, 0);
    }
  }

  void states(std::vector<State>& out) override {
    std::vector<std::vector<btVector3>> spins, speeds;  // in the axes of the links, base first
    for (const auto& tree : trees_) {
      tree->forwardKinematics(quats_, vectors_);
      const auto n = static_cast<std::size_t>(tree->getNumLinks()) + 1;
      tree->compTreeLinkVelocities(spins.emplace_back(n).data(), speeds.emplace_back(n).data());
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto [tree, link] = place_[i];
      const auto k = static_cast<std::size_t>(link) + 1;
      const btTransform& X = trees_[tree]->getLink(link).m_cachedWorldTransform;
      out[i] = {vec(X.getOrigin()), quat(X.getRotation()), vec(X.getBasis() * speeds[tree][k]),
                vec(X.getBasis() * spins[tree][k])};
    }
  }

 private:
  struct Place {
    std::size_t tree = 0;
    int link = 0;
  };
  struct Spring {
    btMultiBody* tree;
    int link;
    double stiffness;
  };

  Place& at(int body) { return place_[static_cast<std::size_t>(body)]; }

  static std::unique_ptr<btMultiBody> make_tree(int n) {
    auto tree = std::make_unique<btMultiBody>(n, 0, btVector3(0, 0, 0), true, false);
    tree->setLinearDamping(0);
    tree->setAngularDamping(0);
    tree->setMaxCoordinateVelocity(1e30);  // 100 otherwise, and all above is cut off
    tree->setUseGyroTerm(true);
    return tree;
  }

  void add(const Scene& scene, const Joint& j) {
    const Body& b = scene.bodies[static_cast<std::size_t>(j.b)];
    const auto [tree, link] = at(j.b);
    const int parent = j.a < 0 ? -1 : at(j.a).link;
    btMultiBody& m = *trees_[tree];
    const btVector3 in = bt(from(scene, j.a, j.at)), out = -bt(from(scene, j.b, j.at)),
                    inertia = bt(b.inertia);
    const btQuaternion none(0, 0, 0, 1);
    if (j.kind == Kind::ball) {
      m.setupSpherical(link, b.mass, inertia, parent, none, in, out, true);
    } else if (j.kind == Kind::hinge) {
      m.setupRevolute(link, b.mass, inertia, parent, none, bt(j.axis), in, out, true);
    } else {
      m.setupPrismatic(link, b.mass, inertia, parent, none, bt(j.axis), in, out, true);
      springs_.push_back({&m, link, j.stiffness});
    }
  }

  double dt_;
  Surroundings around_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_{&around_.dispatcher, &around_.broadphase, &solver_,
                                  &around_.config};
  std::vector<std::unique_ptr<btMultiBody>> trees_;
  std::vector<Place> place_;
  std::vector<Spring> springs_;
  btAlignedObjectArray<btQuaternion> quats_;
  btAlignedObjectArray<btVector3> vectors_;
};

std::unique_ptr<Engine> make(const Scene& scene, const Case& wanted) {
  if (wanted.solver == "mb") return std::make_unique<Multibodies>(scene, wanted);
  if (wanted.solver.starts_with("si")) return std::make_unique<Impulses>(scene, wanted);
  throw std::runtime_error("Bullet's solvers here are siK and mb");
}

}  // namespace

}  // namespace trammel::bench

int main(int argc, char** argv) {
  using namespace trammel::bench;
  const int v = btGetVersion();
  return adapter_main(argc, argv, fmt::format("bullet-{}.{}", v / 100, v % 100), make);
}
