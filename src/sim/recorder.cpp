#include "sim/recorder.h"

#include <algorithm>
#include <cmath>

#include "math/index.h"
#include "math/rotation.h"
#include "model/ledger.h"
#include "model/system.h"
#include "sim/instruments.h"

namespace trammel::sim {

namespace {

constexpr double kRailBase = 1.5;  // between rail heads, for cant deficiency [m]
std::string per_second(const std::string& unit) { return unit == "1" ? "1/s" : unit + "/s"; }

/// Couplings and the strains of affine bodies are lists of rows only: they push at no frame.
bool between_objects(const model::Joint& joint) { return joint.coupling < 0 && !joint.strain(); }

}  // namespace

namespace {
int counted_on_rows(const model::Model& m, int joint, const std::string& row) {
  for (std::size_t i = at(m.joints[at(joint)].first_row);
       i < m.rows.size() && m.rows[i].joint == joint; ++i)
    if (m.rows[i].angle >= 0 && joint::to_text(m.rows[i].row) == row) return m.rows[i].angle;
  return -1;
}
}  // namespace

std::vector<int> counted_angles(const model::Model& m) {
  std::vector<std::vector<const model::Source*>> counting(m.joints.size());
  for (const model::Source& s : m.sources)
    if (s.angle >= 0) counting[at(s.joint)].push_back(&s);
  std::vector<int> out;
  for (std::size_t j = 0; j < m.joints.size(); ++j)
    for (const joint::Coordinate& c : m.joints[j].table->coordinates) {
      out.push_back(-1);
      if (!c.row.turns()) continue;
      const std::string row = joint::to_text(c.row);
      out.back() = counted_on_rows(m, static_cast<int>(j), row);
      const auto same = [&](const model::Source* s) { return joint::to_text(s->row) == row; };
      const auto found = std::find_if(counting[j].begin(), counting[j].end(), same);
      if (out.back() < 0 && found != counting[j].end()) out.back() = (*found)->angle;
    }
  return out;
}

double coordinate_now(const Simulation& sim, const model::KinematicsCache& now, int joint,
                      const joint::Coordinate& c, int counted) {
  const model::Model& m = sim.model();
  if (counted >= 0) return c.sign * sim.state().angle[at(counted)];
  if (const int q = model::unknown_of(m, m.joints[at(joint)]); q >= 0) return sim.state().q[at(q)];
  return c.sign * model::coordinate(sim.formulation().kinematics(), now, joint, c.row);
}

Recorder::Recorder(const Simulation& simulation)
    : Recorder(simulation.model(), simulation.settings(), &simulation) {}

std::vector<Quantity> Recorder::quantities_of(const model::Model& model, const Settings& settings) {
  return std::move(Recorder(model, settings, nullptr).quantities_);
}

Recorder::Recorder(const model::Model& model, const Settings& settings,
                   const Simulation* simulation)
    : sim_(simulation), model_(&model), settings_(&settings), touching_(model) {
  add_bodies();
  add_joints();
  add_momenta();
  add_loads();
  if (settings_->form.impulses) add_impulses();
  add_inputs();
  add_probes();
  add_touching(false);
  if (!sim_ || sim_->instruments()) add_sensors();
  add({"/ledger/energy",
       "",
       {"energy"},
       {"total", "kinetic", "gravity", "stored", "imbalance"},
       {"J", "J", "J", "J", "J"}},
      &Recorder::energies);
  add_works();
  add({"/solver",
       "",
       {"solver"},
       {"iterations", "gap", "angle", "row_speed", "merit", "fallback"},
       {"1", "m", "rad", "m/s", "m/s", "1"}},
      &Recorder::solver);
}

/// The scheme's own accounts first.
void Recorder::add_works() {
  Quantity q{"/ledger/work", "work", {"locks", "impacts", "corrections", "integrator", "contacts"},
             {""},           {"J"},  std::vector<std::string>(5)};
  const auto also = [&](const char* kind, const std::string& name) {
    q.items.push_back(name);
    q.kinds.emplace_back(kind);
  };
  for (const model::LawOnRow& l : model_->laws)
    if (l.ledger >= 0) also("law", l.name);
  for (const std::string& l : model_->load_names) also("load", l);
  for (const model::TransientType& type : model_->transient_types)
    for (const model::LawOnRow& l : type.laws)
      if (l.ledger >= 0) also("law", l.name);
  add(std::move(q), &Recorder::works);
}

void Recorder::add(Quantity quantity, Fill fill) {
  quantities_.push_back(std::move(quantity));
  fills_.push_back(std::move(fill));
}

void Recorder::add_bodies() {
  const model::Model& m = *model_;
  std::vector<std::string> names, affine;
  for (std::size_t i = 1; i < m.objects.size(); ++i) {
    bodies_.push_back(static_cast<int>(i));
    names.push_back(m.objects[i].name);
    if (!body::can_strain(m.objects[i].motion_kind)) continue;
    affine_.push_back(static_cast<int>(i));
    affine.push_back(m.objects[i].name);
  }
  if (names.empty()) return;
  const std::vector<std::string> xyz{"x", "y", "z"};
  add({"/bodies/position", "position", names, xyz, {"m", "m", "m"}}, &Recorder::position);
  add({"/bodies/orientation", "orientation", names, {"w", "x", "y", "z"}, {"1", "1", "1", "1"}},
      &Recorder::orientation);
  add({"/bodies/velocity", "velocity", names, xyz, {"m/s", "m/s", "m/s"}}, &Recorder::velocity);
  add({"/bodies/angular_velocity", "angular_velocity", names, xyz, {"rad/s", "rad/s", "rad/s"}},
      &Recorder::angular_velocity);
  if (affine.empty()) return;
  const std::vector<std::string> entries{"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
  const auto units = [](const char* unit) { return std::vector<std::string>(9, unit); };
  add({"/bodies/affine", "affine", affine, entries, units("1")}, &Recorder::affine_maps);
  add({"/bodies/affine_rate", "affine_rate", affine, entries, units("1/s")},
      &Recorder::affine_rates);
  Quantity strain{"/bodies/strain", "strain", {}, {""}, {"1"}};
  for (const model::Joint& joint : m.joints)
    if (joint.strain()) strain.items.push_back(m.objects[at(joint.object_A)].name);
  add(std::move(strain), &Recorder::strains);
}

void Recorder::add_joints() {
  const model::Model& m = *model_;
  Quantity q{"/joints/coordinates", "", {}, {""}, {}}, r{"/joints/rates", "rate", {}, {""}, {}},
      react{"/joints/reactions",
            "reaction",
            {},
            {"fx", "fy", "fz", "tx", "ty", "tz"},
            {"N", "N", "N", "N m", "N m", "N m"}},
      coupled{"/couplings/reaction", "reaction", {}, {""}, {}},
      law{"/laws/force", "force", {}, {""}, {}},
      run{"/tracks/running",
          "",
          {},
          {"speed", "curvature", "grade", "twist", "unbalanced", "cant_deficiency"},
          {"m/s", "1/m", "1", "rad", "m/s^2", "m"}};
  const std::vector<int> counted = counted_angles(m);
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const model::Joint& joint = m.joints[j];
    for (const joint::Coordinate& c : joint.table->coordinates) {
      coordinates_.push_back({static_cast<int>(j), &c, counted[coordinates_.size()]});
      q.items.push_back(joint.name + "." + c.name);
      q.units.emplace_back(joint::symbol(c.row.unit()));
      r.units.push_back(per_second(q.units.back()));
    }
    if (between_objects(joint)) react.items.push_back(joint.name);
    if (joint.arc >= 0) {
      track_joints_.push_back(static_cast<int>(j));
      run.items.push_back(joint.name);
    }
  }
  r.items = q.items;
  for (const model::Coupling& c : m.couplings) {
    coupled.items.push_back(m.joints[at(c.joint)].name);
    const bool length = m.sources[at(c.first_source)].row.unit() == joint::Unit::metre;
    coupled.units.emplace_back(length ? "N" : "N m");
  }
  for (std::size_t i = 0; i < m.laws.size(); ++i) {
    if (!has_channels(m, m.laws[i])) continue;
    laws_.push_back(static_cast<int>(i));
    law.items.push_back(m.laws[i].name);
    law.units.emplace_back(m.rows[at(m.laws[i].row)].row.unit() == joint::Unit::metre ? "N"
                                                                                      : "N m");
  }
  if (!q.items.empty()) add(std::move(q), &Recorder::coordinates);
  if (!r.items.empty()) add(std::move(r), &Recorder::coordinate_rates);
  if (!react.items.empty()) add(std::move(react), &Recorder::reactions);
  if (!coupled.items.empty()) add(std::move(coupled), &Recorder::coupling_forces);
  if (!law.items.empty()) add(std::move(law), &Recorder::law_forces);
  if (!run.items.empty()) add(std::move(run), &Recorder::runs);
}

void Recorder::add_momenta() {
  Quantity q{"/systems/momentum", "momentum", {}, {""}, {}};
  for (const model::PoolSlot& slot : model_->pools) {
    const auto* pool = model::system_of(slot);
    if (!pool) continue;
    int v = slot.v;
    for (int b = 0; b < pool->n_blocks; ++b)
      for (const body::SystemCoordinate& c : pool->spec().coordinates) {
        momenta_.push_back(v++);
        q.items.push_back(model::dial_of(model::system_name(*model_, slot, b), c.name));
        q.units.emplace_back(c.is_angle ? "N m s" : "N s");
      }
  }
  if (!q.items.empty()) add(std::move(q), &Recorder::momenta);
}

void Recorder::add_loads() {
  const std::vector<std::string>& names = model_->load_names;
  if (names.empty()) return;
  for (const law::Load& load : model_->loads) loads_move_ |= load.needs_rates();
  add({"/loads/force", "force", names, {"x", "y", "z"}, {"N", "N", "N"}}, &Recorder::load_forces);
  add({"/loads/torque", "torque", names, {"x", "y", "z"}, {"N m", "N m", "N m"}},
      &Recorder::load_torques);
}

law::Wrench Recorder::load_now(std::size_t i) const {
  static const body::Rate kStill{};
  const law::Load& load = model_->loads[i];
  const model::KinematicsCache& now = sim_->formulation().now();
  return law::wrench(load, sim_->built().params.values.data(), now.T_WO[at(load.object)],
                     load.needs_rates() ? at_.rate[at(load.object)] : kStill, sim_->state().t);
}

void Recorder::load_forces() {
  for (std::size_t i = 0; i < model_->loads.size(); ++i) put(load_now(i).f);
}

void Recorder::load_torques() {
  for (std::size_t i = 0; i < model_->loads.size(); ++i) put(load_now(i).torque);
}

void Recorder::add_inputs() {
  Quantity q{std::string(kInputs), "", {}, {""}, {}};
  for (const model::Input& i : model_->inputs) {
    q.items.push_back(i.name);
    q.units.push_back(i.unit);
  }
  if (!q.items.empty()) add(std::move(q), &Recorder::inputs);
}

void Recorder::add_sensors() {
  Quantity q{"/sensors/value", "", {}, {""}, {}};
  const std::vector<SensorSpec>& specs = settings_->sensors;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    q.items.push_back(specs[i].name);
    q.units.push_back(sim_ ? sim_->instruments()->unit(i) : "");
  }
  if (!q.items.empty()) add(std::move(q), &Recorder::sensors);
}

void Recorder::sensors() {
  Instruments& all = *sim_->instruments();
  all.look();
  for (std::size_t i = 0; i < all.count(); ++i) row_.push_back(all.sensor(i));
}

void Recorder::add_probes() {
  std::vector<std::string> names;
  for (const ProbeSpec& p : settings_->probes) names.push_back(p.name);
  if (names.empty()) return;
  const std::vector<std::string> xyz{"x", "y", "z"};
  const auto three = [](const char* unit) { return std::vector<std::string>(3, unit); };
  add({"/probes/acceleration", "", names, {"longitudinal", "lateral", "vertical"}, three("m/s^2")},
      &Recorder::probes);
  add({"/probes/position", "position", names, xyz, three("m")}, &Recorder::probe_positions);
  add({"/probes/velocity", "velocity", names, xyz, three("m/s")}, &Recorder::probe_velocities);
  add({"/probes/motion_acceleration", "acceleration", names, xyz, three("m/s^2")},
      &Recorder::probe_accelerations);
  add({"/probes/angular_velocity", "angular_velocity", names, xyz, three("rad/s")},
      &Recorder::probe_spins);
  add({"/probes/angles", "", names, {"roll", "pitch", "yaw"}, three("rad")},
      &Recorder::probe_angles);
}

/// The axes that the numbers of a probe are along.
Mat3 Recorder::probe_axes(std::size_t probe) const {
  return rotation(sim_->probe_bodies()[probe].axes);
}

void Recorder::probe_positions() {
  for (std::size_t i = 0; i < sim_->probe_bodies().size(); ++i)
    put(probe_axes(i).transpose() * sim_->probe_motion(i, at_).p);
}

void Recorder::probe_velocities() {
  for (std::size_t i = 0; i < sim_->probe_bodies().size(); ++i)
    put(probe_axes(i).transpose() * sim_->probe_motion(i, at_).v);
}

void Recorder::probe_accelerations() {
  for (std::size_t i = 0; i < sim_->probe_bodies().size(); ++i)
    put(probe_axes(i).transpose() * rotation(sim_->probe_bodies()[i].from) *
        sim_->probe_accelerations()[i]);
}

void Recorder::probe_spins() {
  for (std::size_t i = 0; i < sim_->probe_bodies().size(); ++i)
    put(probe_axes(i).transpose() * sim_->probe_motion(i, at_).w);
}

/// R = Rz(yaw) Ry(pitch) Rx(roll), from the body to where it is seen from.
void Recorder::probe_angles() {
  for (const ProbeBodies& b : sim_->probe_bodies()) {
    const Mat3 R = rotation(b.from).transpose() * rotation(b.body);
    row_.insert(row_.end(),
                {std::atan2(R(2, 1), R(2, 2)), std::atan2(-R(2, 0), std::hypot(R(2, 1), R(2, 2))),
                 std::atan2(R(1, 0), R(0, 0))});
  }
}

void Recorder::inputs() {
  for (const LiveValue& v : sim_->inputs()) row_.push_back(v.x);
}

void Recorder::add_impulses() {
  const model::Model& m = *model_;
  std::vector<std::string> joints;
  for (const model::Joint& j : m.joints) joints.push_back(j.name);
  const auto units = [](std::size_t moments) {
    std::vector<std::string> out(3, "N s");
    out.insert(out.end(), moments, "N m s");
    return out;
  };
  if (!joints.empty())
    add({"/joints/impulse",
         "impulse",
         joints,
         {"fx", "fy", "fz", "ax", "ay", "az", "bx", "by", "bz"},
         units(6)},
        &Recorder::joint_impulses);
  if (!m.loads.empty())
    add({"/loads/impulse", "impulse", m.load_names, {"fx", "fy", "fz", "tx", "ty", "tz"}, units(3)},
        &Recorder::load_impulses);
  add_touching(true);
}

void Recorder::joint_impulses() {
  const auto first = sim_->wrench_impulses().begin();
  row_.assign(first, first + static_cast<long>(model::kJointImpulse * model_->joints.size()));
}

void Recorder::load_impulses() {
  const auto first = sim_->wrench_impulses().begin() +
                     static_cast<long>(model::kJointImpulse * model_->n_static_joints());
  row_.assign(first, first + static_cast<long>(model::kLoadImpulse * model_->loads.size()));
}

void Recorder::begin_frame() {
  take(true, !lists_.empty());
  sim_->formulation().reactions(sim_->state().on, reactions_);
}

void Recorder::take(bool rates, bool points) {
  const form::Formulation& f = sim_->formulation();
  if (rates) {
    at_ = f.now();
    f.kinematics().rates(sim_->state().q.data(), f.velocities().data(), at_);
  }
  if (!points) return;
  constraint::ContactFrame& now = touching_.now;
  f.contact_forces(now.points);
  now.report = sim_->last().contacts;
  now.impulses = sim_->wrench_impulses();
}

/// Those of impulses, or all others, that tell of what touches.
void Recorder::add_touching(bool impulses) {
  const std::vector<Quantity>& all = touching_.quantities();
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((all[i].name == "impulse") == impulses)
      add(all[i], [i](Recorder& r) { r.touching_.fill(i, r.row_); });
  lists_ = touching_.lists();
}

const std::vector<double>& Recorder::rows(std::size_t) {
  row_.clear();
  touching_.fill_rows(row_);
  return row_;
}

void Recorder::keep_only(std::span<const std::string_view> paths) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    if (std::find(paths.begin(), paths.end(), quantities_[i].path) == paths.end()) continue;
    if (n != i) {
      quantities_[n] = std::move(quantities_[i]);
      fills_[n] = std::move(fills_[i]);
    }
    ++n;
  }
  quantities_.resize(n);
  fills_.resize(n);
}

std::vector<int> Recorder::joints_of(std::string_view path) const {
  std::vector<int> out;
  if (path == "/joints/reactions")
    for (int j = 0; j < count(model_->joints); ++j)
      if (between_objects(model_->joints[at(j)])) out.push_back(j);
  if (path == "/couplings/reaction")
    for (const model::Coupling& c : model_->couplings) out.push_back(c.joint);
  if (path == "/laws/force")
    for (const int law : laws_) out.push_back(model_->laws[at(law)].joint);
  if (path == "/tracks/running") out = track_joints_;
  return out;
}

const std::vector<double>& Recorder::frame(std::size_t i) {
  row_.clear();
  fills_[i](*this);
  return row_;
}

void Recorder::position() {
  for (const int b : bodies_) {
    const body::Transform& p = at_.T_WO[at(b)];
    put(p.p - p.A * model_->objects[at(b)].com);
  }
}

void Recorder::orientation() {
  for (const int b : bodies_) {
    Quat q(rotation(b));
    if (q.w() < 0) q.coeffs() *= -1;
    row_.insert(row_.end(), {q.w(), q.x(), q.y(), q.z()});
  }
}

void Recorder::velocity() {
  for (const int b : bodies_) put(at_.rate[at(b)].v);
}

void Recorder::angular_velocity() {
  for (const int b : bodies_) {
    const body::MotionKind motion_kind = model_->objects[at(b)].motion_kind;
    put(body::angular_velocity(motion_kind, at_.T_WO[at(b)], at_.rate[at(b)]));
  }
}

void Recorder::affine_maps() {
  for (const int b : affine_)
    for (int i = 0; i < 3; ++i) put(at_.T_WO[at(b)].A.row(i));
}

void Recorder::affine_rates() {
  for (const int b : affine_)
    for (int i = 0; i < 3; ++i) put(at_.rate[at(b)].A.row(i));
}

double greatest_strain(const model::Joint& joint, const std::vector<double>& g) {
  double greatest = 0;
  for (std::size_t r = 0; r < joint.table->rows.size(); ++r)
    if (const double e = g[at(joint.first_row) + r]; std::abs(e) > std::abs(greatest)) greatest = e;
  return greatest;
}

void Recorder::strains() {
  for (const model::Joint& joint : model_->joints)
    if (joint.strain()) row_.push_back(greatest_strain(joint, sim_->formulation().now().g));
}

Mat3 Recorder::rotation(int object) const {
  return body::rotation(model_->objects[at(object)].motion_kind, at_.T_WO[at(object)].A);
}

void Recorder::coordinates() {
  for (const auto& [joint, c, counted] : coordinates_)
    row_.push_back(coordinate_now(*sim_, at_, joint, *c, counted));
}

void Recorder::coordinate_rates() {
  const model::Kinematics& kin = sim_->formulation().kinematics();
  const model::Model& m = *model_;
  for (const auto& [j, c, counted] : coordinates_) {
    const int arc = m.joints[at(j)].arc;
    joint::Arc along = arc < 0 ? joint::Arc{} : at_.arc[at(arc)];
    joint::Sample sample;
    joint::SampleRates moving;
    const joint::Ends ends = kin.ends(j, at_);
    joint::sample(ends, c->row.features(), 2, along, sample);
    const auto a = at(kin.end_A(j)), b = at(m.joints[at(j)].object_B);
    joint::sample_rates(ends, sample, c->row.features(),
                        {&at_.rate[a], &at_.rate[b], &at_.bias[a], &at_.bias[b]}, moving);
    row_.push_back(c->sign * joint::rates(c->row, sample, moving).rate);
  }
}

void Recorder::momenta() {
  for (const int v : momenta_) row_.push_back(sim_->state().P[at(v)]);
}

void Recorder::reactions() {
  const model::Model& m = *model_;
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    if (!between_objects(m.joints[j])) continue;
    put(reactions_[j].force);
    put(reactions_[j].torque);
  }
}

void Recorder::coupling_forces() {
  const std::vector<double>& force = sim_->formulation().row_forces();
  for (const model::Coupling& c : model_->couplings) row_.push_back(c.h.a[0] * force[at(c.row)]);
}

void Recorder::law_forces() {
  for (const int l : laws_) {  // of the coordinate, which may run against its row
    const std::size_t row = at(model_->laws[at(l)].row);
    row_.push_back(model_->rows[row].sign * sim_->formulation().row_forces()[row]);
  }
}

void Recorder::runs() {
  const Vec3 g = vec3(sim_->built().params.values.data() + model::kGravityParam);
  for (const int j : track_joints_) {
    const RunningState r = running(*sim_, at_, j, g);
    row_.insert(row_.end(),
                {r.speed, r.curvature, r.grade, r.twist, r.unbalanced, r.cant_deficiency});
  }
}

void Recorder::probes() {
  for (const Vec3& a : sim_->probes()) put(a);
}

void Recorder::energies() {
  const form::Formulation& f = sim_->formulation();
  const model::State& s = sim_->state();
  const double kinetic = f.kinematics().kinetic_energy(s.P.data(), f.velocities().data());
  const double gravity = f.kinematics().gravity_energy(f.now());
  const double stored =
      f.kinematics().own_potential(s.q.data()) +
      model::stored_energy(f.kinematics().model(), sim_->built().params, s, f.now().g);
  row_ = {kinetic + gravity + stored, kinetic, gravity, stored, sim_->imbalance()};
}

void Recorder::works() {
  for (std::size_t i = 0; i < sim_->state().ledger.size(); ++i)
    if (i != model::kInitial) row_.push_back(sim_->state().ledger[i]);
}

void Recorder::solver() {
  const form::StepReport& r = sim_->last();
  row_ = {static_cast<double>(r.iterations), r.gap, r.angle, r.row_speed, r.merit,
          r.way.fallback ? 1. : 0.};
}

RunningState running(const Simulation& sim, const model::KinematicsCache& now, int j,
                     const Vec3& gravity) {
  const model::Kinematics& kin = sim.formulation().kinematics();
  const model::Joint& joint = sim.model().joints[at(j)];
  joint::Arc arc = now.arc[at(joint.arc)];
  joint::Sample sample;
  joint::SampleRates moving;
  const joint::Ends ends = kin.ends(j, now);
  joint::sample(ends, joint::kProjection, 2, arc, sample);
  const auto a = at(kin.end_A(j)), b = at(joint.object_B);
  joint::sample_rates(ends, sample, joint::kProjection,
                      {&now.rate[a], &now.rate[b], &now.bias[a], &now.bias[b]}, moving);
  const auto x = [&](joint::Feature f) { return sample.x[static_cast<std::size_t>(f)]; };
  const Vec3 T = x(joint::Feature::Cx), y = x(joint::Feature::Cy), bend = sample.x_s[0];
  RunningState r;
  r.speed = moving.s_dot;
  r.curvature = bend.dot(y);
  r.grade = T.z() / std::hypot(T.x(), T.y());
  r.twist = std::atan2(y.z(), x(joint::Feature::Cz).z());
  r.unbalanced = r.speed * r.speed * r.curvature - gravity.dot(y);
  const double g = gravity.norm();
  r.cant_deficiency = g > 0 ? r.unbalanced / g * kRailBase : 0;  // none makes up for it
  return r;
}

}  // namespace trammel::sim
