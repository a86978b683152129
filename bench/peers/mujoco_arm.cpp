// The arm of scenes/robot_arm.toml in Trammel's rows and in MuJoCo's joint coordinates: mass matrix
// and inverse dynamics at random states, and what they cost. `mujoco_arm SCENE [--xml]` ends with 1
// where they differ by more than 1e-9 of the greatest number; --xml prints the arm as MuJoCo gets
// it.
#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

#include "io/scene.h"
#include "math/rotation.h"
#include "process.h"
#include "sim/dynamics.h"

namespace trammel::bench {

namespace {

constexpr double kSame = 1e-9;
constexpr int kStates = 100;

model::Built load_arm(const char* file) {
  auto loaded = io::load_scene(file);
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    for (const io::SceneProblem& p : *problems) fmt::print(stderr, "{}\n", to_text(p));
    std::exit(2);
  }
  return std::get<io::LoadedScene>(std::move(loaded)).built;
}

std::string list(const Vec3& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}

/// The tree of bodies, written from the model: each in the one at end A of its joint, its frame at
/// its centre of mass, all turned as at the start, where the scene has them unturned.
class Text {
 public:
  explicit Text(const model::Built& built) : built_(built) {
    const Vec3 g = vec3(built.params.values.data() + model::kGravityParam);
    text_ = fmt::format(
        "<mujoco><compiler boundmass='0' boundinertia='0' inertiafromgeom='false' "
        "angle='radian'/><option gravity='{}'/><worldbody>",
        list(g));
    write_on(0, Vec3::Zero());
    text_ += "</worldbody></mujoco>";
  }
  const std::string& text() const { return text_; }

 private:
  void write_on(int parent, const Vec3& origin) {
    for (const model::Joint& j : built_.model->joints)
      if (j.object_A == parent) write(j, origin);
  }
  void write(const model::Joint& j, const Vec3& origin) {
    const model::Model& m = *built_.model;
    const model::Object& o = m.objects[static_cast<std::size_t>(j.object_B)];
    const model::PoolSlot& s = m.pools[static_cast<std::size_t>(o.pool)];
    const double* q = built_.state.q.data() + m.blocks[static_cast<std::size_t>(o.block)].q;
    const double* params = built_.params.values.data() + s.param;
    const Vec3 p = vec3(q);
    const auto I = *s.pool->inertia(params, o.index, 0);
    text_ += fmt::format(
        "<body name='{}' pos='{}'><inertial pos='0 0 0' mass='{:.17g}' "
        "fullinertia='{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}'/>",
        o.name, list(p - origin), s.pool->mass(params, o.index, 0), I[0], I[1], I[2], I[3], I[4],
        I[5]);
    if (!j.table->coordinates.empty())
      text_ += fmt::format("<joint name='{}' type='hinge' pos='{}' axis='{}'/>", j.name,
                           list(j.X_OB.p), list(j.X_OB.R.col(0)));
    write_on(j.object_B, p);
    text_ += "</body>";
  }

  const model::Built& built_;
  std::string text_;
};

mjModel* load(const std::string& text) {
  const auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  mj_makeEmptyFileVFS(vfs.get(), "arm.xml", static_cast<int>(text.size()));
  std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), "arm.xml")], text.data(), text.size());
  char error[512] = "";
  mjModel* model = mj_loadXML("arm.xml", vfs.get(), error, sizeof error);
  mj_deleteVFS(vfs.get());
  if (!model) {
    fmt::print(stderr, "{}\n", error);
    std::exit(2);
  }
  return model;
}

struct Worst {
  double mass = 0, torque = 0;
};

/// MuJoCo's answers at the state that its data hold.
void compare(const mjModel* model, mjData* data, const sim::Dynamics& ours, const VecX& a,
             Worst& worst) {
  const Eigen::Index n = a.size();
  mj_forward(model, data);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(n, n);
  mj_fullM(model, M.data(), data->qM);
  mju_copy(data->qacc, a.data(), static_cast<int>(n));
  mj_inverse(model, data);
  const VecX tau = Eigen::Map<const VecX>(data->qfrc_inverse, n);
  const double off = (ours.mass() - M).cwiseAbs().maxCoeff();
  worst.mass = std::max(worst.mass, off / M.cwiseAbs().maxCoeff());
  worst.torque = std::max(
      worst.torque, (ours.inverse(a).tau - tau).cwiseAbs().maxCoeff() / tau.cwiseAbs().maxCoeff());
}

template <class F>
double micros(const F& f) {
  constexpr int kCalls = 2000;
  const double before = cpu_seconds();
  for (int i = 0; i < kCalls; ++i) f();
  return (cpu_seconds() - before) / kCalls * 1e6;
}

int run(const char* scene, bool xml) {
  const model::Built arm = load_arm(scene);
  const Text text(arm);
  if (xml) fmt::print("{}\n", text.text());
  sim::Dynamics dynamics(arm);
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model(load(text.text()),
                                                                  mj_deleteModel);
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()),
                                                               mj_deleteData);
  const auto n = static_cast<int>(dynamics.coordinates().size());
  if (model->nv != n) return fmt::print(stderr, "{} and {} coordinates\n", model->nv, n), 2;
  std::mt19937 random(20);
  std::uniform_real_distribution<double> any(-3, 3);
  VecX q(n), r(n), a(n);
  Worst worst;
  for (int k = 0; k < kStates; ++k) {
    for (VecX* v : {&q, &r, &a})
      for (double& x : *v) x = any(random);
    dynamics.at(dynamics.moved(q, r));
    mju_copy(data->qpos, q.data(), n);
    mju_copy(data->qvel, r.data(), n);
    compare(model.get(), data.get(), dynamics, a, worst);
  }
  fmt::print(
      "arm, {} axes, {} random states: mass matrix within {:.1e}, inverse dynamics within "
      "{:.1e} of MuJoCo {}\n",
      n, kStates, worst.mass, worst.torque, mj_versionString());
  const model::State here = dynamics.state();
  fmt::print("a state with inverse dynamics: Trammel {:.2f} us, MuJoCo {:.2f} us (mj_inverse)\n",
             micros([&] {
               dynamics.at(here);
               dynamics.inverse(a);
             }),
             micros([&] { mj_inverse(model.get(), data.get()); }));
  return worst.mass <= kSame && worst.torque <= kSame ? 0 : 1;
}

}  // namespace

}  // namespace trammel::bench

int main(int argc, char** argv) {
  if (argc < 2) return fmt::print(stderr, "usage: mujoco_arm SCENE [--xml]\n"), 2;
  return trammel::bench::run(argv[1], argc > 2 && std::strcmp(argv[2], "--xml") == 0);
}
