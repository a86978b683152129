// Trammel's adapter. Steps of the velocity formulation are timed, its account of work and momentum
// included; the loop over time is not there.
#include <fmt/core.h>

#include <cstdlib>
#include <stdexcept>

#include "bench.h"
#include "form/formulation.h"
#include "math/rotation.h"

namespace trammel::bench {

namespace {
model::Built checked(std::variant<model::Built, std::vector<Problem>> result) {
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) fmt::print(stderr, "{}: {}\n", p.path, p.text);
    std::exit(2);
  }
  return std::get<model::Built>(std::move(result));
}
}  // namespace

model::Built built(const model::Builder& builder) { return checked(builder.build()); }

namespace {

std::string name(int body) { return body < 0 ? "ground" : fmt::format("body{}", body); }

void add(const Body& body, int i, model::Builder& to) {
  model::BodySpec spec;
  spec.name = name(i);
  spec.mass = body.mass;
  spec.inertia = {body.inertia.x(), body.inertia.y(), body.inertia.z(), 0, 0, 0};
  spec.X_WB.p = body.p;
  spec.v = body.v;
  spec.w = body.w;
  spec.X_WB.R = body.q.toRotationMatrix();
  model::ContactSpec shape;
  if (body.radius > 0)
    shape.solid = {model::Solid::Kind::sphere, {body.radius, 0, 0}};
  else
    shape.solid = {model::Solid::Kind::box, 2 * body.half};
  if (body.radius > 0 || body.half != Vec3::Zero()) spec.contacts.push_back(std::move(shape));
  to.add_body(std::move(spec));
}

/// Axes whose x is the axis given.
Mat3 axes(const Vec3& x) {
  Mat3 R;
  R.col(0) = x.normalized();
  R.col(1) = R.col(0).unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  return R;
}

void add(const Joint& joint, std::size_t i, model::Builder& to) {
  constexpr const char* kTypes[] = {"spherical", "revolute", "prismatic"};
  model::JointSpec spec;
  spec.name = fmt::format("joint{}", i);
  spec.type = kTypes[static_cast<int>(joint.kind)];
  spec.a = name(joint.a);
  spec.b = name(joint.b);
  spec.at = Pose{joint.at, axes(joint.axis)};
  if (joint.kind == Kind::slider) {
    model::LawSpec spring;
    spring.name = fmt::format("spring{}", i);
    spring.type = "spring";
    spring.joint = spec.name;
    spring.coordinate = "travel";
    spring.numbers = {{"stiffness", joint.stiffness}};
    to.add_law(std::move(spring));
  }
  to.add_joint(std::move(spec));
}

void add_ground(double friction, model::Builder& to) {
  model::ContactSpec ground;
  ground.kind = model::ContactSpec::Kind::half_space;
  to.add_obstacle(ground);
  model::ContactLawSpec law;
  law.between = {"any", "any"};
  law.law.friction = friction;
  to.add_contact_law(law);
}

model::Built build(const Scene& scene) {
  model::Builder builder;
  if (scene.touches()) add_ground(scene.friction, builder);
  builder.gravity = {0, 0, -kGravity};
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    add(scene.bodies[i], static_cast<int>(i), builder);
  for (std::size_t i = 0; i < scene.joints.size(); ++i) add(scene.joints[i], i, builder);
  return checked(std::move(builder).build());
}

/// How many sweeps over contacts at most, and to what error [m/s]: "10", "10-1e-3".
constraint::piles::ContactOptions sweeps(const std::string& text) {
  const std::size_t dash = text.find('-');
  const double tolerance = dash == text.npos ? 1e-8 : std::stod(text.substr(dash + 1));
  return {tolerance, std::stoi(text), 0, constraint::piles::ContactOptions::Method::sweeps};
}

form::Settings settings(const std::string& solver) {
  form::Settings out;
  if (solver == "baumgarte")
    out.scheme = form::Settings::Scheme::baumgarte;
  else if (solver == "rattle-4")
    out.order = 4;
  else if (solver.starts_with("sweeps-"))
    out.contact = sweeps(solver.substr(7));
  else if (solver.starts_with("dp5-") || solver.starts_with("dp8-")) {  // and the accuracy
    out.formulation = form::Settings::Formulation::acceleration;
    out.method = solver[2] == '5' ? RungeKuttaMethod::dp5 : RungeKuttaMethod::dp8;
    const double a = std::stod(solver.substr(4));
    out.accuracy = {a, a, a, a, a};
  } else if (solver != "rattle-2")
    throw std::runtime_error(
        "Trammel's solvers here are rattle-2, rattle-4, baumgarte, sweeps-K-ERROR, and dp5-1e-6 "
        "and "
        "dp8-1e-6 with any accuracy");
  return out;
}

class Trammel final : public Engine {
 public:
  Trammel(const Scene& scene, const Case& wanted)
      : mechanism_(build(scene)),
        state_(std::move(mechanism_.state)),
        form_(*mechanism_.model, mechanism_.params, settings(wanted.solver)),
        dt_(wanted.dt) {
    form_.load(state_);
  }

  void advance(long steps) override {
    for (long k = 0; k < steps; ++k) {
      form_.step(state_, dt_, report_);
      if (report_.status == form::Status::failed) throw std::runtime_error(report_.reason);
      iterations_ += report_.iterations;
    }
  }

  long iterations() const override { return iterations_; }

  void states(std::vector<State>& out) override {
    const std::vector<double>& u = form_.velocities();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const body::Transform& T_WO = form_.now().T_WO[i + 1];  // the ground is the first
      out[i] = {T_WO.p, Quat(T_WO.A), vec3(&u[6 * i]), vec3(&u[6 * i + 3])};
    }
  }

 private:
  model::Built mechanism_;
  model::State state_;
  form::Formulation form_;
  form::StepReport report_;
  double dt_;
  long iterations_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_trammel(const Scene& scene, const Case& wanted) {
  return std::make_unique<Trammel>(scene, wanted);
}

}  // namespace trammel::bench
