// Simbody beside Trammel: trees in joint coordinates, loops closed by ball constraints of three
// rows, one of them redundant in a plane. Solvers: see, see2 (its semi-explicit Euler methods at a
// fixed step), rkm-A (Runge-Kutta-Merson, accuracy A; it chooses its steps, dt only says when
// it is looked at).
#include <Simbody.h>

#include <cstdlib>
#include <stdexcept>

#include "engine.h"

namespace trammel::bench {

namespace {

SimTK::Vec3 sim(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 vec(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }

class Simbody final : public Engine {
 public:
  Simbody(const Scene& scene, const Case& wanted)
      : dt_(wanted.dt),
        matter_(system_),
        forces_(system_),
        gravity_(forces_, matter_, -SimTK::ZAxis, kGravity) {
    bodies_.resize(scene.bodies.size());
    for (const Joint& j : scene.joints) add(scene, j);
    system_.realizeTopology();
    SimTK::State start = system_.getDefaultState();
    for (const Joint& j : scene.joints)
      if (j.kind == Kind::hinge && !j.closes)
        at(j.b).setOneU(start, 0, (spin(scene, j.b) - spin(scene, j.a)).dot(j.axis));
    choose(wanted.solver);
    integrator_->initialize(start);
  }

  void advance(long steps) override {
    done_ += steps;
    const double until = static_cast<double>(done_) * dt_;
    while (integrator_->getTime() < until * (1 - 1e-15))
      if (integrator_->stepTo(until) == SimTK::Integrator::EndOfSimulation) break;
  }

  void states(std::vector<State>& out) override {
    const SimTK::State& now = integrator_->getState();
    system_.realize(now, SimTK::Stage::Velocity);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const SimTK::MobilizedBody& b = bodies_[i];
      const SimTK::Quaternion q = b.getBodyRotation(now).convertRotationToQuaternion();
      out[i] = {vec(b.getBodyOriginLocation(now)), Quat(q[0], q[1], q[2], q[3]),
                vec(b.getBodyOriginVelocity(now)), vec(b.getBodyAngularVelocity(now))};
    }
  }

  long steps_taken() const override { return integrator_->getNumStepsTaken(); }

 private:
  SimTK::MobilizedBody& at(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  static Vec3 spin(const Scene& scene, int i) {
    return i < 0 ? Vec3(Vec3::Zero()) : scene.bodies[static_cast<std::size_t>(i)].w;
  }

  void add(const Scene& scene, const Joint& j) {
    using SimTK::MobilizedBody, SimTK::Rotation, SimTK::Transform;
    const Body& b = scene.bodies[static_cast<std::size_t>(j.b)];
    const Vec3 origin =
        j.a < 0 ? Vec3(Vec3::Zero()) : scene.bodies[static_cast<std::size_t>(j.a)].p;
    MobilizedBody parent = j.a < 0 ? MobilizedBody(matter_.Ground()) : at(j.a);
    const SimTK::Vec3 in = sim(j.at - origin), out = sim(j.at - b.p);
    if (j.closes) {
      SimTK::Constraint::Ball(parent, in, at(j.b), out);
      return;
    }
    const Vec3& I = b.inertia;
    const SimTK::Body::Rigid rigid(
        SimTK::MassProperties(b.mass, SimTK::Vec3(0), SimTK::Inertia(I.x(), I.y(), I.z())));
    const SimTK::UnitVec3 axis(sim(j.axis));
    if (j.kind == Kind::ball) {
      at(j.b) = MobilizedBody::Ball(parent, Transform(in), rigid, Transform(out));
    } else if (j.kind == Kind::hinge) {
      const Rotation z(axis, SimTK::ZAxis);
      at(j.b) = MobilizedBody::Pin(parent, Transform(z, in), rigid, Transform(z, out));
    } else {
      const Rotation x(axis, SimTK::XAxis);
      at(j.b) = MobilizedBody::Slider(parent, Transform(x, in), rigid, Transform(x, out));
      SimTK::Force::MobilityLinearSpring(forces_, at(j.b), SimTK::MobilizerUIndex(0), j.stiffness,
                                         0);
    }
  }

  void choose(const std::string& solver) {
    if (solver == "see") {
      integrator_ = std::make_unique<SimTK::SemiExplicitEulerIntegrator>(system_, dt_);
    } else if (solver == "see2") {
      integrator_ = std::make_unique<SimTK::SemiExplicitEuler2Integrator>(system_);
      integrator_->setFixedStepSize(dt_);
    } else if (solver.rfind("rkm-", 0) == 0) {
      integrator_ = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system_);
      integrator_->setAccuracy(std::atof(solver.c_str() + 4));
    } else {
      throw std::runtime_error("Simbody's solvers here are see, see2 and rkm-A");
    }
  }

  double dt_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::Gravity gravity_;
  std::vector<SimTK::MobilizedBody> bodies_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  long done_ = 0;
};

std::string version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return "simbody-" + std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace

}  // namespace trammel::bench

int main(int argc, char** argv) {
  using namespace trammel::bench;
  return adapter_main(argc, argv, version(), [](const Scene& scene, const Case& wanted) {
    return std::make_unique<Simbody>(scene, wanted);
  });
}
