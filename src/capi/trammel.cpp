#include "capi/trammel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "io/scene.h"
#include "sim/checkpoint.h"
#include "sim/contact_points.h"
#include "sim/dynamics.h"
#include "sim/trial.h"
#include "units/nearest.h"
#include "version.h"

using namespace trammel;

/// What a handle stands for.
struct trammel_run {
  std::string error, warnings;
  std::unique_ptr<sim::Trial> trial;
  std::vector<std::vector<std::string>> names;  // by kind
  std::vector<model::BodyHandle> bodies;
  std::vector<model::JointHandle> joints;
  std::vector<model::CoordinateHandle> coordinates;
  std::vector<model::LawHandle> laws;
  std::vector<model::ParamHandle> params;
  sim::Dynamics::Coordinates chosen;
  std::unique_ptr<sim::Dynamics> dynamics;  // null: to be made, for the parameters of now
};

namespace {

constexpr int kKinds = TRAMMEL_INPUTS + 1;

/// A scene has problems, or a step failed: what is told beside the text.
struct Refusal : std::runtime_error {
  Refusal(trammel_status what, const std::string& text) : runtime_error(text), status(what) {}
  trammel_status status;
};

/// Calls f and turns whatever it throws into a status and a text.
template <class F>
trammel_status guarded(trammel_run* run, const F& f) noexcept {
  if (!run) return TRAMMEL_WRONG;
  try {
    run->error.clear();
    f();
    return TRAMMEL_OK;
  } catch (const Refusal& e) {
    run->error = e.what();
    return e.status;
  } catch (const std::invalid_argument& e) {
    run->error = e.what();
    return TRAMMEL_WRONG;
  } catch (const std::exception& e) {
    run->error = e.what();
  } catch (...) {
    run->error = "something that is no error was thrown";
  }
  return TRAMMEL_BUG;
}

sim::Trial& trial_of(trammel_run* run) {
  if (!run->trial) throw std::invalid_argument("there is no scene: load one first");
  return *run->trial;
}

template <class T>
T* given(T* pointer, const char* what) {
  if (!pointer) throw std::invalid_argument(fmt::format("{} is a null pointer", what));
  return pointer;
}

const std::vector<std::string>* names_of(const trammel_run* run, int kind) {
  if (!run || kind < 0 || kind >= kKinds || run->names.empty()) return nullptr;
  return &run->names[static_cast<std::size_t>(kind)];
}

/// The i-th handle of a kind.
template <class H>
H pick(trammel_run* run, const std::vector<H>& handles, int i, const char* what) {
  trial_of(run);
  if (i < 0 || static_cast<std::size_t>(i) >= handles.size())
    throw std::invalid_argument(
        fmt::format("there is no {} of index {}: there are {}", what, i, handles.size()));
  return handles[static_cast<std::size_t>(i)];
}
model::BodyHandle body_of(trammel_run* run, int i) { return pick(run, run->bodies, i, "body"); }
model::CoordinateHandle coordinate_of(trammel_run* run, int i) {
  return pick(run, run->coordinates, i, "coordinate");
}
model::ParamHandle param_of(trammel_run* run, int i) {
  return pick(run, run->params, i, "parameter");
}

std::string input_of(trammel_run* run, int i) {
  trial_of(run);
  return pick(run, run->names[TRAMMEL_INPUTS], i, "input");
}

/// Gives what has a name its index.
void take_names(trammel_run* run) {
  const model::Model& m = run->trial->model();
  run->names.assign(kKinds, {});
  const auto take = [&](trammel_kind kind, auto& handles, const auto& find,
                        const std::vector<std::string>& all) {
    handles.clear();
    for (const std::string& name : all) {
      if (name.empty()) continue;
      handles.push_back(find(m, name));
      run->names[static_cast<std::size_t>(kind)].push_back(name);
    }
  };
  std::vector<std::string> bodies, joints, coordinates, laws;
  for (const int i : m.object_of) bodies.push_back(m.objects[static_cast<std::size_t>(i)].name);
  for (const model::Joint& j : m.joints) joints.push_back(j.name);
  for (const model::CoordinateHandle& h : model::all_coordinates(m))
    coordinates.push_back(model::name_of(m, h));
  for (const int i : m.law_of) laws.push_back(m.laws[static_cast<std::size_t>(i)].name);
  take(TRAMMEL_BODIES, run->bodies, model::body_named, bodies);
  take(TRAMMEL_JOINTS, run->joints, model::joint_named, joints);
  take(TRAMMEL_COORDINATES, run->coordinates, model::coordinate_named, coordinates);
  take(TRAMMEL_LAWS, run->laws, model::law_named, laws);
  take(TRAMMEL_PARAMETERS, run->params, model::param_named, model::param_names(m));
  for (const model::Input& i : m.inputs) run->names[TRAMMEL_INPUTS].push_back(i.name);
}

using Loaded = std::variant<io::LoadedScene, io::SceneProblems>;

void take(trammel_run* run, Loaded loaded) {
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    std::string text;
    for (const io::SceneProblem& p : *problems) text += (text.empty() ? "" : "\n") + to_text(p);
    throw Refusal(TRAMMEL_SCENE, text);
  }
  auto& [scene, built] = std::get<io::LoadedScene>(loaded);
  run->trial = std::make_unique<sim::Trial>(std::move(built), std::move(scene.settings));
  run->dynamics.reset();
  run->chosen.clear();
  take_names(run);
}

sim::Dynamics& dynamics_of(trammel_run* run) {
  sim::Trial& trial = trial_of(run);
  if (!run->dynamics)
    run->dynamics = std::make_unique<sim::Dynamics>(trial.simulation().built(), run->chosen);
  run->dynamics->at(trial.state());
  return *run->dynamics;
}

VecX vector_of(const double* x, std::size_t n, const char* what) {
  if (n > 0) given(x, what);
  return Eigen::Map<const VecX>(x, static_cast<Eigen::Index>(n));
}

void put(const MatX& from, double* to, const char* what) {
  if (from.size() > 0) given(to, what);
  for (Eigen::Index i = 0; i < from.rows(); ++i)
    for (Eigen::Index k = 0; k < from.cols(); ++k) *to++ = from(i, k);
}

void put(const Vec3& a, const Vec3& b, double* out) {
  vec3(given(out, "the array")) = a;
  vec3(out + 3) = b;
}

}  // namespace

const char* trammel_version(void) { return kVersion; }

trammel_run* trammel_new(void) { return new (std::nothrow) trammel_run; }
void trammel_free(trammel_run* run) { delete run; }
const char* trammel_error(const trammel_run* run) {
  return run ? run->error.c_str() : "the run is a null pointer";
}

trammel_status trammel_load_file(trammel_run* run, const char* path) {
  return guarded(run, [&] { take(run, io::load_scene(given(path, "the path"))); });
}
trammel_status trammel_load_text(trammel_run* run, const char* text, const char* name) {
  return guarded(
      run, [&] { take(run, io::load_scene_text(given(text, "the text"), name ? name : "text")); });
}

int trammel_count(const trammel_run* run, trammel_kind kind) {
  const auto* all = names_of(run, kind);
  return all ? static_cast<int>(all->size()) : 0;
}
const char* trammel_name(const trammel_run* run, trammel_kind kind, int index) {
  const auto* all = names_of(run, kind);
  const bool there = all && index >= 0 && static_cast<std::size_t>(index) < all->size();
  return there ? (*all)[static_cast<std::size_t>(index)].c_str() : nullptr;
}
int trammel_find(trammel_run* run, trammel_kind kind, const char* name) {
  int out = -1;
  guarded(run, [&] {
    trial_of(run);
    const auto* all = names_of(run, kind);
    if (!all)
      throw std::invalid_argument(fmt::format("there is no kind {}", static_cast<int>(kind)));
    const auto it = std::find(all->begin(), all->end(), given(name, "the name"));
    if (it == all->end())
      throw std::invalid_argument(
          fmt::format("there is no '{}'{}", name, units::did_you_mean(name, *all)));
    out = static_cast<int>(it - all->begin());
  });
  return out;
}

trammel_status trammel_advance(trammel_run* run, long steps) {
  return guarded(run, [&] {
    sim::Trial& trial = trial_of(run);
    if (steps < 0) throw std::invalid_argument(fmt::format("{} steps cannot be made", steps));
    for (long k = 0; k < steps; ++k) {
      if (trial.simulation().finished())
        throw Refusal(TRAMMEL_END, fmt::format("the run is over after {} of {} steps", k, steps));
      if (!trial.advance()) throw Refusal(TRAMMEL_FAILED, trial.simulation().failure());
    }
  });
}
double trammel_time(const trammel_run* run) {
  return run && run->trial ? run->trial->t() : std::nan("");
}
double trammel_step(const trammel_run* run) {
  return run && run->trial ? run->trial->simulation().settings().step : std::nan("");
}
double trammel_end(const trammel_run* run) {
  return run && run->trial ? run->trial->simulation().end() : std::nan("");
}

trammel_status trammel_pose(trammel_run* run, int body, double out[7]) {
  return guarded(run, [&] {
    const Pose X = trial_of(run).now().pose(body_of(run, body));
    Quat q(X.R);
    if (q.w() < 0) q.coeffs() *= -1;
    vec3(given(out, "the array")) = X.p;
    const double numbers[] = {q.w(), q.x(), q.y(), q.z()};
    std::copy_n(numbers, 4, out + 3);
  });
}
trammel_status trammel_velocity(trammel_run* run, int body, double out[6]) {
  return guarded(run, [&] {
    const model::BodyHandle h = body_of(run, body);
    sim::Present& now = trial_of(run).now();
    put(now.velocity(h), now.angular_velocity(h), out);
  });
}
trammel_status trammel_coordinate(trammel_run* run, int i, double* value, double* rate) {
  return guarded(run, [&] {
    const auto h = coordinate_of(run, i);
    if (value) *value = trial_of(run).now().coordinate(h);
    if (rate) *rate = trial_of(run).now().rate(h);
  });
}
trammel_status trammel_force(trammel_run* run, int law, double* out) {
  return guarded(run, [&] {
    *given(out, "the number") = trial_of(run).now().force(pick(run, run->laws, law, "law"));
  });
}
trammel_status trammel_reaction(trammel_run* run, int joint, double out[6]) {
  return guarded(run, [&] {
    const model::Reaction r = trial_of(run).now().reaction(pick(run, run->joints, joint, "joint"));
    put(r.force, r.torque, out);
  });
}
trammel_status trammel_contacts(trammel_run* run, int body, trammel_contact* out, int room,
                                int* n) {
  return guarded(run, [&] {
    const sim::Simulation& s = trial_of(run).simulation();
    given(n, "the number");
    if (room < 0) throw std::invalid_argument(fmt::format("there is no room for {} points", room));
    if (room > 0) given(out, "the array");
    const auto all =
        body == -1 ? sim::contact_points(s) : sim::contact_points_of(s, body_of(run, body));
    const auto index = [&](model::BodyHandle h) {
      const auto it = std::find(run->bodies.begin(), run->bodies.end(), h);
      return it == run->bodies.end() ? -1 : static_cast<int>(it - run->bodies.begin());
    };
    for (std::size_t i = 0; i < std::min(all.size(), static_cast<std::size_t>(room)); ++i) {
      const sim::ContactPoint& p = all[i];
      trammel_contact& to = out[i];
      to.a = index(p.a);
      to.b = index(p.b);
      vec3(to.position) = p.position;
      vec3(to.normal) = p.normal;
      vec3(to.force) = p.force;
      to.gap = p.gap;
    }
    *n = static_cast<int>(all.size());
  });
}
trammel_status trammel_energy(trammel_run* run, double* total, double* imbalance) {
  return guarded(run, [&] {
    if (total) *total = trial_of(run).simulation().energy();
    if (imbalance) *imbalance = trial_of(run).simulation().imbalance();
  });
}
const char* trammel_warnings(trammel_run* run) {
  if (!run) return "";
  run->warnings.clear();
  guarded(run, [&] {
    for (const sim::Warning& w : trial_of(run).simulation().warnings())
      run->warnings += fmt::format("{}{}: {}; {}", run->warnings.empty() ? "" : "\n",
                                   name_of(w.kind), w.text, w.remedy);
  });
  return run->warnings.c_str();
}

size_t trammel_get_state(trammel_run* run, void* out, size_t room) {
  size_t size = 0;
  guarded(run, [&] {
    const std::string bytes = trial_of(run).bytes();
    if (out) std::memcpy(out, bytes.data(), std::min(room, bytes.size()));
    size = bytes.size();
  });
  return size;
}
trammel_status trammel_set_state(trammel_run* run, const void* bytes, size_t size) {
  return guarded(run, [&] {
    const auto* text = static_cast<const char*>(given(bytes, "the state"));
    try {
      trial_of(run).take({text, size});
    } catch (const sim::CheckpointError& e) {
      throw std::invalid_argument(e.what());
    }
  });
}
trammel_status trammel_reset(trammel_run* run) {
  return guarded(run, [&] { trial_of(run).reset(); });
}

trammel_status trammel_get_parameter(trammel_run* run, int i, double* value) {
  return guarded(run, [&] { *given(value, "the number") = trial_of(run).get(param_of(run, i)); });
}
trammel_status trammel_set_parameter(trammel_run* run, int i, double value) {
  return guarded(run, [&] {
    trial_of(run).set(param_of(run, i), value);
    run->dynamics.reset();
  });
}

trammel_status trammel_get_input(trammel_run* run, int i, double* value) {
  return guarded(run, [&] {
    *given(value, "the number") = trial_of(run).simulation().input(input_of(run, i));
  });
}
trammel_status trammel_set_input(trammel_run* run, int i, double value) {
  return guarded(run, [&] { trial_of(run).simulation().set_input(input_of(run, i), value); });
}

trammel_status trammel_choose(trammel_run* run, const int* coordinates, int n) {
  return guarded(run, [&] {
    sim::Trial& trial = trial_of(run);
    sim::Dynamics::Coordinates chosen;
    if (n < 0) throw std::invalid_argument(fmt::format("{} coordinates cannot be chosen", n));
    for (int k = 0; k < n; ++k)
      chosen.push_back(coordinate_of(run, given(coordinates, "the list")[k]));
    run->dynamics = std::make_unique<sim::Dynamics>(trial.simulation().built(), chosen);
    run->chosen = std::move(chosen);
  });
}
int trammel_chosen(trammel_run* run, int* out) {
  int n = 0;
  guarded(run, [&] {
    const std::vector<std::string> list = dynamics_of(run).names();
    const std::vector<std::string>& all = run->names[TRAMMEL_COORDINATES];
    for (const std::string& name : list)
      if (out) *out++ = static_cast<int>(std::find(all.begin(), all.end(), name) - all.begin());
    n = static_cast<int>(list.size());
  });
  return n;
}
trammel_status trammel_mass_matrix(trammel_run* run, double* out) {
  return guarded(run, [&] { put(dynamics_of(run).mass(), out, "the array"); });
}
trammel_status trammel_bias_force(trammel_run* run, double* out) {
  return guarded(run, [&] { put(dynamics_of(run).bias_force(), out, "the array"); });
}
trammel_status trammel_inverse_dynamics(trammel_run* run, const double* y_ddot, double* tau) {
  return guarded(run, [&] {
    const sim::Dynamics& d = dynamics_of(run);
    put(d.inverse(vector_of(y_ddot, d.coordinates().size(), "the accelerations")).tau, tau,
        "the forces");
  });
}
trammel_status trammel_forward_dynamics(trammel_run* run, const double* tau, double* y_ddot) {
  return guarded(run, [&] {
    const sim::Dynamics& d = dynamics_of(run);
    put(d.forward(vector_of(tau, d.coordinates().size(), "the forces")).y_ddot, y_ddot,
        "the accelerations");
  });
}
trammel_status trammel_jacobian(trammel_run* run, int body, const double p[3], double* out) {
  return guarded(run, [&] {
    const model::BodyHandle h = body_of(run, body);
    put(dynamics_of(run).coordinate_jacobian(h, vec3(given(p, "the point"))), out, "the array");
  });
}
trammel_status trammel_move(trammel_run* run, const double* y, const double* y_dot) {
  return guarded(run, [&] {
    sim::Dynamics& d = dynamics_of(run);
    const std::size_t n = d.coordinates().size();
    trial_of(run).set_state(
        d.moved(vector_of(y, n, "the coordinates"), vector_of(y_dot, n, "the rates")));
  });
}
