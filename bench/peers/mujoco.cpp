// MuJoCo beside Trammel: trees in joint coordinates, loops closed by soft `connect` equalities of
// three rows, one of them redundant in a plane. Solvers: euler, rk4; with -stiff the equalities and
// contacts have a time constant of two steps (the least MuJoCo takes) for its 0.02 s; -cg, -pgs:
// its other solvers of constraints.
#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <stdexcept>

#include "engine.h"

namespace trammel::bench {

namespace {

static_assert(sizeof(mjtNum) == sizeof(double), "MuJoCo has been built in single precision");

/// The scene in MuJoCo's XML. Its parser takes so many elements inside each other, so long chains
/// go on in further files.
class Text {
 public:
  Text(const Scene& scene, const Case& wanted) : scene_(scene), children_(scene.bodies.size()) {
    if (!wanted.solver.starts_with("euler") && !wanted.solver.starts_with("rk4"))
      throw std::runtime_error("MuJoCo's solvers here are euler and rk4, also with -stiff");
    joint_.assign(scene.bodies.size(), nullptr);
    for (const Joint& j : scene.joints) {
      if (j.closes) continue;
      joint_[static_cast<std::size_t>(j.b)] = &j;
      if (j.a >= 0) children_[static_cast<std::size_t>(j.a)].push_back(j.b);
    }
    files_.emplace_back();
    write_options(wanted);
    files_[0] += "<worldbody>";
    for (const Joint& j : scene.joints)
      if (j.a < 0) write_body(0, j.b, 0);
    if (scene.touches()) write_touching();
    files_[0] += "</worldbody><equality>";
    const bool stiff = wanted.solver.ends_with("-stiff");
    for (const Joint& j : scene.joints)
      if (j.closes) write_closure(j, stiff ? fmt::format(" solref='{} 1'", 2 * wanted.dt) : "");
    files_[0] += "</equality></mujoco>";
  }

  static std::string file(std::size_t i) { return fmt::format("part{}.xml", i); }
  static std::string body(int i) { return fmt::format("body{}", i); }
  const std::vector<std::string>& files() const { return files_; }
  const std::vector<const Joint*>& joints() const { return joint_; }

 private:
  static constexpr int kDeepest = 60;

  static std::string list(const Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }
  const Body& at(int i) const { return scene_.bodies[static_cast<std::size_t>(i)]; }

  void write_options(const Case& wanted) {
    std::size_t closures = 0;
    for (const Joint& j : scene_.joints) closures += j.closes;
    const std::size_t contacts = scene_.touches() ? 12 * scene_.bodies.size() : 1;
    const std::size_t rows = 3 * closures + (scene_.touches() ? 4 * contacts : 1);
    const char* solver = wanted.solver.find("-pgs") != wanted.solver.npos  ? "PGS"
                         : wanted.solver.find("-cg") != wanted.solver.npos ? "CG"
                                                                           : "Newton";
    files_[0] += fmt::format(
        "<mujoco><compiler boundmass='0' boundinertia='0' inertiafromgeom='false'/>"
        "<option timestep='{}' gravity='0 0 {}' integrator='{}' solver='{}'/>"
        "<size nconmax='{}' njmax='{}'/>",
        wanted.dt, -kGravity, wanted.solver.starts_with("rk4") ? "RK4" : "Euler", solver, contacts,
        rows);
    if (scene_.touches() && wanted.solver.find("-stiff") != wanted.solver.npos)
      files_[0] += fmt::format("<default><geom solref='{} 1'/></default>", 2 * wanted.dt);
  }

  void write_body(std::size_t file, int i, int depth) {
    const Joint& j = *joint_[static_cast<std::size_t>(i)];
    const Body& b = at(i);
    const char* type = j.kind == Kind::ball ? "ball" : j.kind == Kind::hinge ? "hinge" : "slide";
    files_[file] += fmt::format(
        "<body name='{}' pos='{}'>"
        "<inertial pos='0 0 0' mass='{}' diaginertia='{}'/>"
        "<joint type='{}' pos='{}' axis='{}' stiffness='{}'/>",
        body(i), list(j.a < 0 ? b.p : Vec3(b.p - at(j.a).p)), b.mass, list(b.inertia), type,
        list(j.at - b.p), list(j.axis), j.stiffness);
    for (const int child : children_[static_cast<std::size_t>(i)]) {
      if (depth < kDeepest) {
        write_body(file, child, depth + 1);
        continue;
      }
      const std::size_t next = files_.size();
      files_[file] += fmt::format("<include file='{}'/>", Text::file(next));
      files_.emplace_back("<mujocoinclude>");
      write_body(next, child, 0);
      files_[next] += "</mujocoinclude>";
    }
    files_[file] += "</body>";
  }

  /// Free bodies, and the ground.
  void write_touching() {
    files_[0] +=
        fmt::format("<geom type='plane' size='99 99 1' friction='{} 0 0'/>", scene_.friction);
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const Body& b = scene_.bodies[i];
      files_[0] += fmt::format(
          "<body name='{}' pos='{}' quat='{} {} {} {}'>"
          "<inertial pos='0 0 0' mass='{}' diaginertia='{}'/><freejoint/>"
          "<geom type='{}' size='{}' friction='{} 0 0'/></body>",
          body(static_cast<int>(i)), list(b.p), b.q.w(), b.q.x(), b.q.y(), b.q.z(), b.mass,
          list(b.inertia), b.radius > 0 ? "sphere" : "box",
          b.radius > 0 ? fmt::format("{}", b.radius) : list(b.half), scene_.friction);
    }
  }

  void write_closure(const Joint& j, const std::string& solref) {
    files_[0] += fmt::format("<connect body1='{}' body2='{}' anchor='{}'{}/>", body(j.a), body(j.b),
                             list(j.at - at(j.a).p), solref);
  }

  const Scene& scene_;
  std::vector<std::vector<int>> children_;
  std::vector<const Joint*> joint_;  // of the tree, by its body
  std::vector<std::string> files_;
};

mjModel* load(const Text& text) {
  const auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  for (std::size_t i = 0; i < text.files().size(); ++i) {
    const std::string &name = Text::file(i), &part = text.files()[i];
    if (mj_makeEmptyFileVFS(vfs.get(), name.c_str(), static_cast<int>(part.size())))
      throw std::runtime_error("MuJoCo takes no more files");
    std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), name.c_str())], part.data(), part.size());
  }
  char error[512] = "";
  mjModel* model = mj_loadXML(Text::file(0).c_str(), vfs.get(), error, sizeof error);
  mj_deleteVFS(vfs.get());
  if (!model) throw std::runtime_error(error);
  return model;
}

class Mujoco final : public Engine {
 public:
  Mujoco(const Scene& scene, const Case& wanted) {
    const Text text(scene, wanted);
    model_.reset(load(text));
    data_.reset(mj_makeData(model_.get()));
    if (!data_) throw std::runtime_error("MuJoCo has no memory for this scene");
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const std::string name = Text::body(static_cast<int>(i));
      ids_.push_back(mj_name2id(model_.get(), mjOBJ_BODY, name.c_str()));
      if (!text.joints()[i] || text.joints()[i]->kind != Kind::hinge) continue;
      const Joint& j = *text.joints()[i];
      const Vec3 of_a =
          j.a < 0 ? Vec3(Vec3::Zero()) : scene.bodies[static_cast<std::size_t>(j.a)].w;
      data_->qvel[model_->body_dofadr[ids_[i]]] = (scene.bodies[i].w - of_a).dot(j.axis);
    }
  }

  void advance(long steps) override {
    for (long k = 0; k < steps; ++k) mj_step(model_.get(), data_.get());
  }

  void states(std::vector<State>& out) override {
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const mjtNum *p = data_->xipos + 3 * ids_[i], *q = data_->xquat + 4 * ids_[i];
      mjtNum rate[6];  // angular, linear
      mj_objectVelocity(model_.get(), data_.get(), mjOBJ_BODY, ids_[i], rate, 0);
      out[i] = {vec3(p), Quat(q[0], q[1], q[2], q[3]), vec3(rate + 3), vec3(rate)};
    }
  }

 private:
  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
  std::vector<int> ids_;
};

}  // namespace

}  // namespace trammel::bench

int main(int argc, char** argv) {
  using namespace trammel::bench;
  return adapter_main(argc, argv, std::string("mujoco-") + mj_versionString(),
                      [](const Scene& scene, const Case& wanted) {
                        return std::make_unique<Mujoco>(scene, wanted);
                      });
}
