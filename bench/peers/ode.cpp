// ODE beside Trammel. Solvers: world (dWorldStep, all rows at once) and quickK (dWorldQuickStep, K
// passes). Hinges are hard in five rows, loops included. ERP and CFM are ODE's own; springs are
// forces from the state at the start of a step.
#include <ode/ode.h>

#include <stdexcept>

#include "engine.h"

namespace trammel::bench {

namespace {

static_assert(sizeof(dReal) == sizeof(double), "ODE has been built in single precision");

Vec3 vec(const dReal* x) { return {x[0], x[1], x[2]}; }

class Ode final : public Engine {
 public:
  Ode(const Scene& scene, const Case& wanted) : dt_(wanted.dt) {
    if (wanted.solver.starts_with("quick"))
      passes_ = std::stoi(wanted.solver.substr(5));
    else if (wanted.solver != "world")
      throw std::runtime_error("ODE's solvers are world and quickK");
    dInitODE2(0);
    world_ = dWorldCreate();
    dWorldSetGravity(world_, 0, 0, -kGravity);
    if (passes_) dWorldSetQuickStepNumIterations(world_, passes_);
    for (const Body& b : scene.bodies) add(b);
    for (const Joint& j : scene.joints) add(j);
    if (scene.touches()) add_shapes(scene);
  }
  Ode(const Ode&) = delete;
  Ode& operator=(const Ode&) = delete;
  ~Ode() override {
    if (space_) {
      dJointGroupDestroy(contacts_);
      dSpaceDestroy(space_);
    }
    dWorldDestroy(world_);
    dCloseODE();
  }

  void advance(long steps) override {
    for (long k = 0; k < steps; ++k) {
      for (const auto& [slider, stiffness] : springs_)
        dJointAddSliderForce(slider, -stiffness * dJointGetSliderPosition(slider));
      if (space_) dSpaceCollide(space_, this, &Ode::meet);
      if (passes_)
        dWorldQuickStep(world_, dt_);
      else
        dWorldStep(world_, dt_);
      if (space_) dJointGroupEmpty(contacts_);
    }
  }

  void states(std::vector<State>& out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const dBodyID b = bodies_[i];
      const dReal* q = dBodyGetQuaternion(b);
      out[i] = {vec(dBodyGetPosition(b)), Quat(q[0], q[1], q[2], q[3]), vec(dBodyGetLinearVel(b)),
                vec(dBodyGetAngularVel(b))};
    }
  }

 private:
  void add(const Body& b) {
    const dBodyID id = dBodyCreate(world_);
    dMass mass;
    const Vec3& I = b.inertia;
    dMassSetParameters(&mass, b.mass, 0, 0, 0, I.x(), I.y(), I.z(), 0, 0, 0);
    dBodySetMass(id, &mass);
    dBodySetPosition(id, b.p.x(), b.p.y(), b.p.z());
    const dQuaternion q = {b.q.w(), b.q.x(), b.q.y(), b.q.z()};
    dBodySetQuaternion(id, q);
    dBodySetLinearVel(id, b.v.x(), b.v.y(), b.v.z());
    dBodySetAngularVel(id, b.w.x(), b.w.y(), b.w.z());
    bodies_.push_back(id);
  }

  void add_shapes(const Scene& scene) {
    friction_ = scene.friction;
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dCreatePlane(space_, 0, 0, 1, 0);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Body& b = scene.bodies[i];
      const Vec3 edges = 2 * b.half;
      dGeomSetBody(b.radius > 0 ? dCreateSphere(space_, b.radius)
                                : dCreateBox(space_, edges.x(), edges.y(), edges.z()),
                   bodies_[i]);
    }
  }

  static void meet(void* self, dGeomID a, dGeomID b) {
    auto& ode = *static_cast<Ode*>(self);
    constexpr int kMost = 8;
    dContact contact[kMost];
    const int n = dCollide(a, b, kMost, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < n; ++i) {
      contact[i].surface = {};
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = ode.friction_;
      dJointAttach(dJointCreateContact(ode.world_, ode.contacts_, &contact[i]), dGeomGetBody(a),
                   dGeomGetBody(b));
    }
  }

  dBodyID body(int i) const { return i < 0 ? nullptr : bodies_[static_cast<std::size_t>(i)]; }

  void add(const Joint& j) {
    const Vec3 &p = j.at, &axis = j.axis;
    dJointID id = nullptr;
    switch (j.kind) {
      case Kind::ball:
        id = dJointCreateBall(world_, nullptr);
        dJointAttach(id, body(j.a), body(j.b));
        dJointSetBallAnchor(id, p.x(), p.y(), p.z());
        break;
      case Kind::hinge:
        id = dJointCreateHinge(world_, nullptr);
        dJointAttach(id, body(j.a), body(j.b));
        dJointSetHingeAnchor(id, p.x(), p.y(), p.z());
        dJointSetHingeAxis(id, axis.x(), axis.y(), axis.z());
        break;
      case Kind::slider:
        id = dJointCreateSlider(world_, nullptr);
        dJointAttach(id, body(j.a), body(j.b));
        dJointSetSliderAxis(id, axis.x(), axis.y(), axis.z());
        springs_.emplace_back(id, j.stiffness);
        break;
    }
  }

  double dt_;
  int passes_ = 0;  // 0: world
  double friction_ = 0;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;  // none: nothing touches
  dJointGroupID contacts_ = nullptr;
  std::vector<dBodyID> bodies_;
  std::vector<std::pair<dJointID, double>> springs_;
};

}  // namespace

}  // namespace trammel::bench

int main(int argc, char** argv) {
  using namespace trammel::bench;
  return adapter_main(
      argc, argv, std::string("ode-") + dODE_VERSION,
      [](const Scene& scene, const Case& wanted) { return std::make_unique<Ode>(scene, wanted); });
}
