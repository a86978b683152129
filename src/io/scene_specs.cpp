#include "io/scene_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "body/mesh.h"
#include "io/scene_contact.h"
#include "io/scene_options.h"
#include "io/scene_shapes.h"
#include "law/law.h"

namespace trammel::io {

namespace {

constexpr double kParallel = 1e-6;  // sine of the angle below which two directions are one

/// x along `x`, z as nearly along `z` as that allows.
Mat3 axes_xz(const Vec3& x, const Vec3& z) {
  Mat3 R;
  R.col(0) = x.normalized();
  R.col(1) = z.cross(x).normalized();
  R.col(2) = R.col(0).cross(R.col(1));
  return R;
}

bool parallel(const Vec3& a, const Vec3& b) { return a.cross(b).norm() < kParallel; }

/// y along `normal` as nearly as x allows; without one, y horizontal where it can be.
Mat3 axes_of(const Vec3& x, const Vec3* normal) {
  if (normal) return axes_xz(x, x.cross(*normal));
  const Vec3 up = Vec3::UnitZ();
  return parallel(x, up) ? axes_xz(x, x.cross(Vec3::UnitY())) : axes_xz(x, up);
}

Mat3 from_quaternion(const Value& v, Findings& findings) {
  const std::vector<double>& q = v.numbers;
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(std::abs(norm - 1) < 1e-3)) {
    findings.complain(
        v.path, fmt::format("the quaternion [{}, {}, {}, {}] has the length {:.6g}; a turn has 1",
                            q[0], q[1], q[2], q[3], norm));
    return Mat3::Identity();
  }
  return Quat(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

}  // namespace

Mat3 orientation_of(const Value& v, Findings& findings) {
  if (!v.given) return Mat3::Identity();
  if (v.numbers.size() == 4) return from_quaternion(v, findings);
  if (!v.sound || !v.table) return Mat3::Identity();
  if (v.table->tag == "angle")
    return Eigen::AngleAxisd(v["angle"].number, v["axis"].vec()).toRotationMatrix();
  const Vec3 x = v["x_axis"].vec(), z = v["z_axis"].vec();
  if (parallel(x, z)) {
    findings.complain(v.path, "x_axis and z_axis point the same way");
    return Mat3::Identity();
  }
  return axes_xz(x, z);
}

namespace {

std::optional<Pose> frame_of(const Value& v, Findings& findings) {
  if (!v.given || !v.sound) return {};
  return Pose{v["position"].vec(), frame_axes(v, findings)};
}

void read_mass(const Value& v, model::BodySpec& b) {
  b.mass = v["mass"].number;
  if (v.has("density")) b.density = v["density"].number;
  if (v.has("inertia")) {
    b.inertia.emplace();
    b.inertia->fill(0);
    std::copy_n(v["inertia"].numbers.begin(), v["inertia"].numbers.size(), b.inertia->begin());
  }
  using Kind = model::Solid::Kind;
  if (v.has("box")) b.solid = {Kind::box, v["box"].vec()};
  if (v.has("sphere")) b.solid = {Kind::sphere, {v["sphere"].number, 0, 0}};
  if (v.has("ellipsoid")) b.solid = {Kind::ellipsoid, v["ellipsoid"].vec()};
  if (v.has("cylinder")) {
    const Value& c = v["cylinder"];
    b.solid = {Kind::cylinder, {c["radius"].number, c["length"].number, 0}, c["axis"].vec()};
  }
}

/// A solid among several.
model::SolidPart solid_part(const Value& v, Findings& findings) {
  const PlacedSolid placed = solid_of(v, findings);
  model::SolidPart out;
  out.path = v.path;
  out.solid = placed.solid;
  out.X_BS = placed.X_BS;
  if (v.has("mass")) out.mass = v["mass"].number;
  if (v.has("density")) out.density = v["density"].number;
  out.hole = v["hole"].flag;
  return out;
}

void read_solids(const Value& list, model::BodySpec& b, Findings& findings) {
  for (const Value& v : list.items)
    if (v.sound && v.table) b.solids.push_back(solid_part(v, findings));
  if (list.given && list.items.empty())
    findings.complain(list.path, "no solids: a list of at least one is needed");
}

/// Complains of the first faults; a whole mesh has too many.
bool whole(const body::Mesh& mesh, const Value& v, Findings& findings) {
  constexpr std::size_t kMost = 8;
  const std::vector<body::MeshFault> faults = body::faults(mesh);
  for (std::size_t i = 0; i < std::min(faults.size(), kMost); ++i) {
    const int f = faults[i].face;
    findings.complain(f < 0 ? v.path : v["faces"].items[static_cast<std::size_t>(f)].path,
                      (f < 0 ? "" : fmt::format("face {}: ", f)) + faults[i].text);
  }
  if (faults.size() > kMost)
    findings.complain(v["faces"].path, fmt::format("and {} more", faults.size() - kMost));
  return faults.empty();
}

/// Mass, inertia and centre of mass of the solid within a mesh. Returns its volume; none where it
/// has faults.
std::optional<double> read_mesh(const Value& v, model::BodySpec& b, Findings& findings) {
  auto read = mesh_of(v, findings);
  if (!read) return {};
  body::Mesh& mesh = *read;
  if (!whole(mesh, v, findings)) return {};
  if (b.density && !(*b.density > 0)) {
    findings.complain(b.path + ".density", "the density must be positive");
    return {};
  }
  body::Moments m = body::solid(mesh, 1);
  b.com = m.com();
  const double density = b.density ? *b.density : b.mass / m.volume;
  const Mat3 I = density * body::inertia_of_second(m.about(b.com).second);
  b.mass = density * m.volume;
  b.density.reset();
  b.inertia = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  b.surface = std::make_shared<const body::Mesh>(std::move(mesh));
  return m.volume;
}

/// Returns what holds an affine body in shape; `volume` is that within its mesh.
model::Elastic elastic_of(const Value& v, std::optional<double> volume, Findings& findings) {
  model::Elastic out;
  out.stiffness = v["stiffness"].number;
  if (v["elasticity"].text == "as_rigid") out.energy = model::Elastic::Energy::as_rigid;
  out.strain_limit = v["strain_limit"].number;
  if (v.has("volume")) out.volume = v["volume"].number;
  if (volume && out.volume)
    findings.complain(v.path + ".volume", "the volume is that within the mesh");
  if (volume) out.volume = volume;
  return out;
}

body::Prescribed motion_of(const Value& v) {
  body::Prescribed out;
  for (std::size_t i = 0; i < v["displacement"].items.size(); ++i)
    out.displacement[i] = drive_of(v["displacement"].items[i]);
  for (const Value& turn : v["turns"].items)
    out.turns.push_back({turn["axis"].vec(), drive_of(turn["angle"])});
  return out;
}

/// The options of a joint's rows, one entry a row.
class Rows {
 public:
  explicit Rows(const Value& joint) : joint_(joint) {}
  model::RowSpec& at(const std::string& row, const std::string& path) {
    const auto it =
        std::find_if(list.begin(), list.end(), [&](const auto& r) { return r.row == row; });
    if (it != list.end()) return *it;
    model::RowSpec& fresh = list.emplace_back();
    fresh.row = row;
    fresh.path = path;
    return fresh;
  }
  void read(Findings& findings) {
    for (const Value& row : joint_["unilateral"].items) at(row.text, row.path).unilateral = true;
    for (const auto& [row, v] : joint_["limits"].fields) bounds(at(row, v.path), v.numbers);
    for (const auto& [row, v] : joint_["value"].fields) at(row, v.path).value = v.number;
    if (joint_.has("erp")) check_recovery(findings);
    if (joint_.has("restitution"))
      for (model::RowSpec& r : list)
        if (r.unilateral) r.restitution = joint_["restitution"].number;
  }
  std::vector<model::RowSpec> list;

 private:
  /// A unilateral row has no least force but zero, which it may say.
  static void bounds(model::RowSpec& row, const std::vector<double>& limits) {
    if (!(row.unilateral && limits[0] == 0)) row.force_min = limits[0];
    row.force_max = limits[1];
  }
  /// The rows that can yield, at a greatest or least force.
  void check_recovery(Findings& findings) {
    bool any = false;
    for (model::RowSpec& r : list) {
      const auto bounds = [](const std::optional<double>& x) { return x && std::isfinite(*x); };
      if (r.unilateral || (!bounds(r.force_min) && !bounds(r.force_max))) continue;
      r.erp = joint_["erp"].number;
      any = true;
    }
    if (!any)
      findings.complain(joint_["erp"].path,
                        "erp takes back what has yielded: no row has force bounds to yield at");
  }
  const Value& joint_;
};

model::Derail derail_of(const Value& v) {
  model::Derail d;
  const std::pair<const char*, double*> members[] = {{"lateral", &d.lateral},
                                                     {"vertical", &d.vertical},
                                                     {"roll", &d.roll},
                                                     {"pitch", &d.pitch},
                                                     {"yaw", &d.yaw}};
  for (const auto& [key, member] : members)
    if (v.has(key)) *member = v[key].number;
  return d;
}

}  // namespace

Mat3 frame_axes(const Value& v, Findings& findings) {
  if (v.has("orientation")) return orientation_of(v["orientation"], findings);
  const Vec3 x = v["axis"].numbers.empty() ? Vec3(1, 0, 0) : v["axis"].vec();
  if (!v.has("normal")) return axes_of(x, nullptr);
  const Vec3 y = v["normal"].vec();
  if (!parallel(x, y)) return axes_of(x, &y);
  findings.complain(v["normal"].path, "the normal points along the axis");
  return axes_of(x, nullptr);
}

Drive drive_of(const Value& v) {
  using Level = Drive::Level;
  for (const auto& [key, level] : {std::pair{"displacement", Level::displacement},
                                   {"velocity", Level::velocity},
                                   {"acceleration", Level::acceleration}})
    if (v.has(key)) return {level, v[key].signal, v["start"].number, v["start_velocity"].number};
  return {Level::displacement, v.signal};
}

namespace {
/// Masses, solids and centre of mass. Returns the volume of a mesh.
std::optional<double> read_weight(const Value& v, model::BodySpec& b, Findings& findings) {
  read_mass(v, b);
  read_solids(v["solids"], b, findings);
  b.com = v["com"].vec();
  return v.has("mesh") ? read_mesh(v["mesh"], b, findings) : std::nullopt;
}
}  // namespace

model::BodySpec weight_spec(const Value& v, SceneFiles& files, Findings& findings) {
  model::BodySpec b;
  b.name = v["name"].text;
  b.path = v.path;
  read_shapes(v, b, files, findings);
  read_touching(v, b, files, findings);
  read_weight(v, b, findings);
  return b;
}

model::BodySpec body_spec(const Value& v, SceneFiles& files, Findings& findings) {
  model::BodySpec b;
  b.name = v["name"].text;
  b.path = v.path;
  read_shapes(v, b, files, findings);
  read_touching(v, b, files, findings);
  b.X_WB = {v["position"].vec(), orientation_of(v["orientation"], findings)};
  if (v.table->value == "prescribed") {
    b.motion = motion_of(v);
    b.motion->X_WB0 = b.X_WB;
    return b;
  }
  const std::optional<double> volume = read_weight(v, b, findings);
  if (v.table->value == "affine") b.affine = elastic_of(v, volume, findings);
  b.v = v["velocity"].vec();
  b.w = v["angular_velocity"].vec();
  if (const Value& on = v["on_track"]; on.given)
    b.on_track = {on["track"].text, on["s"].number, on["speed"].number, on["reversed"].flag};
  return b;
}

namespace {
/// By the names of coordinates, or that of the only one.
void read_starts(const Value& joint, const char* key, std::vector<model::CoordinateStart>& out) {
  const auto it = joint.fields.find(key);
  if (it == joint.fields.end()) return;
  const Value& v = it->second;
  for (const auto& [name, x] : v.fields) out.push_back({x.number, name, x.path});
  if (v.fields.empty()) out.push_back({v.number, "", v.path});
}
}  // namespace

model::JointSpec joint_spec(const Value& v, const JointTables& tables, Findings& findings) {
  model::JointSpec j;
  j.name = v["name"].text;
  j.path = v.path;
  j.type = v["type"].text;
  j.a = v["a"].text;
  j.b = v["b"].text;
  j.track = v["track"].text;
  const auto table = tables.find(j.name);
  if (v.has("rows") && table != tables.end()) {
    for (const std::string& text : table->second.problems) findings.complain(v["rows"].path, text);
    j.table = std::make_shared<const joint::Table>(table->second.table);
  }
  if (v.has("at")) j.at = Pose{v["at"].vec(), frame_axes(v, findings)};
  j.frame_a = frame_of(v["frame_a"], findings);
  j.frame_b = frame_of(v["frame_b"], findings);
  if (v.has("s")) j.s = v["s"].number;
  Rows rows(v);
  rows.read(findings);
  j.rows = std::move(rows.list);
  j.derail = derail_of(v["derail"]);
  if (v.has("strength")) j.strength = v["strength"].number;
  if (v.has("torque_strength")) j.torque_strength = v["torque_strength"].number;
  read_starts(v, "start", j.start);
  read_starts(v, "rate", j.rate);
  return j;
}

namespace {
/// An end of which nothing is said is at its body's origin; with a direction it is where the other
/// end is, so that the way between them counts from the start.
void complete(model::JointSpec& j) {
  const bool said_a = j.frame_a || j.p_WA, said_b = j.frame_b || j.p_WB;
  if (j.R_WF && said_a != said_b && !j.frame_a && !j.frame_b) {
    j.at = Pose{said_a ? *j.p_WA : *j.p_WB, Mat3::Identity()};
    j.p_WA = j.p_WB = std::nullopt;
    return;
  }
  if (!said_b && !(j.R_WF && said_a)) j.frame_b = Pose{};
  if (!said_a && !j.R_WF) j.frame_a = Pose{};
}
}  // namespace

std::optional<model::JointSpec> ends_spec(const Value& v) {
  if (!v.has("b")) return {};
  const std::string name = v["name"].text, a = v.has("a") ? v["a"].text : "ground", b = v["b"].text;
  model::JointSpec j = v.has("direction") ? model::between(name, a, b, v["direction"].vec(),
                                                           v["turns_with"].text == "b")
                                          : model::between(name, a, b);
  j.path = v.path;
  const auto at = [&](const char* key) {
    return v.has(key) ? std::optional(v[key].vec()) : std::nullopt;
  };
  if (const auto p = at("point_a")) j.frame_a = Pose{*p, Mat3::Identity()};
  if (const auto p = at("point_b")) j.frame_b = Pose{*p, Mat3::Identity()};
  j.p_WA = at("at_a");
  j.p_WB = at("at_b");
  complete(j);
  const auto given = [&](const char* key, std::vector<model::CoordinateStart>& out) {
    if (v.has(key)) out.push_back({v[key].number, "length", v[key].path});
  };
  given("start_length", j.start);
  given("start_rate", j.rate);
  return j;
}

std::pair<model::JointSpec, model::Bushing> bushing_spec(const Value& v, Findings& findings) {
  const char* const springs[] = {"stiffness", "damping", "angular_stiffness", "angular_damping"};
  if (std::all_of(std::begin(springs), std::end(springs),
                  [&](const char* key) { return v[key].vec().isZero(0); }))
    findings.complain(v.path, fmt::format("bushing '{}' has no force: give it a stiffness or a "
                                          "damping, along an axis or about one",
                                          v["name"].text));
  model::JointSpec j;
  j.name = v["name"].text;
  j.path = v.path;
  j.type = "free";
  j.a = v["a"].text;
  j.b = v["b"].text;
  if (v.has("at")) j.at = Pose{v["at"].vec(), frame_axes(v, findings)};
  j.frame_a = frame_of(v["frame_a"], findings);
  j.frame_b = frame_of(v["frame_b"], findings);
  read_starts(v, "start", j.start);
  read_starts(v, "rate", j.rate);
  return {std::move(j),
          {v["stiffness"].vec(), v["damping"].vec(), v["angular_stiffness"].vec(),
           v["angular_damping"].vec()}};
}

model::LawSpec law_spec(const Value& v) {
  model::LawSpec l;
  l.name = v["name"].text;
  l.path = v.path;
  l.type = v["type"].text;
  l.joint = v.has("b") ? l.name : v["joint"].text;
  l.coordinate = v["coordinate"].text;
  const law::Type& type = *law::find_type(l.type);
  for (const law::Parameter& p : type.parameters)
    if (const Value& given = v[p.name]; given.given)
      l.numbers[std::string(p.name)] = p.name == "unilateral" ? given.flag : given.number;
  if (type.takes_drive) l.drive = drive_of(v);
  if (type.takes_force) l.force = v["force"].signal;
  if (v.has("tensile_strength")) l.tensile_strength = v["tensile_strength"].number;
  if (v.has("compressive_strength")) l.compressive_strength = v["compressive_strength"].number;
  if (!type.function.name.empty()) l.function = v[type.function.name].force;
  if (type.follows_load) l.load = v["load"].text;
  return l;
}

model::LoadSpec load_spec(const Value& v) {
  model::LoadSpec l;
  l.name = v["name"].text;
  l.path = v.path;
  l.body = v["body"].text;
  l.type = v["type"].text;
  const law::LoadType& type = *law::find_load_type(l.type);
  l.axes = v["axes"].text == "body" ? law::Axes::body : law::Axes::world;
  if (v["point"].numbers.size() == 3) l.point = v["point"].vec();
  if (!type.signals.key.empty())
    for (std::size_t i = 0; i < 3; ++i) l.value[i] = v[type.signals.key].items[i].signal;
  if (type.takes_functions)
    for (std::size_t i = 0; i < 6; ++i)
      if (const auto& items = v[i < 3 ? "force" : "torque"].items; items.size() == 3)
        l.function[i] = items[i % 3].motion;
  for (const law::LoadNumber& n : type.numbers)
    if (v.has(n.name)) l.numbers[std::string(n.name)] = v[n.name].number;
  return l;
}

namespace {

void read_checkpoints(const Value& v, Findings& findings, sim::Settings& s) {
  s.checkpoint_interval = v["checkpoint_interval"].number;
  s.checkpoint_steps = v["checkpoint_steps"].number;
  const Value& steps = v["checkpoint_steps"];
  if (!(steps.number > 0) ||
      (std::isfinite(steps.number) && std::round(steps.number) != steps.number))
    findings.complain(
        steps.path, fmt::format("{} is no number of steps: 1, 2, 3, ... or \"inf\"", steps.number));
  if (!(s.checkpoint_interval > 0))
    findings.complain(v["checkpoint_interval"].path, "must be greater than 0");
}

}  // namespace

namespace {

void read_forces(const Value& v, Findings& findings, form::Settings& s) {
  if (v["method"].text == "rk4" && v.has("accuracy"))
    findings.complain(v["accuracy"].path,
                      "'accuracy' belongs to the methods dp5 and dp8, not to rk4");
  s.formulation = form::Settings::Formulation::acceleration;
  s.method = v["method"].text == "rk4"   ? RungeKuttaMethod::rk4
             : v["method"].text == "dp5" ? RungeKuttaMethod::dp5
                                         : RungeKuttaMethod::dp8;
  const double a = v["accuracy"].number;
  s.accuracy = {a, a, a, a, a};
  s.baumgarte.alpha = v["alpha"].number;
  s.baumgarte.beta = v["beta"].number;
}

void read_energy(const Value& v, Findings& findings, form::Settings& s) {
  using Difference = form::Settings::Difference;
  s.formulation = form::Settings::Formulation::energy;
  s.difference = v["difference"].text == "bdf1"   ? Difference::bdf1
                 : v["difference"].text == "bdf2" ? Difference::bdf2
                                                  : Difference::midpoint;
  s.joint_stiffness = v["joint_stiffness"].number;
  if (v.has("joint_length")) s.joint_length = v["joint_length"].number;
  if (!v.has("gamma")) return;
  for (const char* key : {"joint_stiffness", "joint_length"})
    if (v.has(key))
      findings.complain(v[key].path, fmt::format("'{}' and 'gamma' exclude each other", key));
  s.joint_stiffness = -v["gamma"].number;
  s.joint_length = 1;
}

}  // namespace

void read_formulation(const Value& v, Findings& findings, form::Settings& s) {
  if (v["formulation"].text == "acceleration") read_forces(v, findings, s);
  if (v["formulation"].text == "energy") read_energy(v, findings, s);
  check_options(v, "simulation", s, findings);
}

model::CoordinateSpec coordinate_of(const Value& v, const JointTables& tables) {
  const std::string_view joint =
      owner_in(v.text, [&](std::string_view name) { return tables.contains(name); });
  return {std::string(joint), v.text.substr(std::min(joint.size() + 1, v.text.size())), v.path};
}

namespace {

/// All coordinates, some, or none.
std::optional<model::EquilibriumSpec> equilibrium_of(const Value& v, const JointTables& tables) {
  if (!v.flag && v.items.empty()) return {};
  model::EquilibriumSpec out;
  out.path = v.path;
  for (const Value& text : v.items) out.of.push_back(coordinate_of(text, tables));
  return out;
}

/// From one step, shortened, to as many as anybody may wait for; far from where t + h is t.
void check_steps(const Value& v, Findings& findings) {
  constexpr double kLeast = 1e-6, kMost = 1e12;
  const double duration = v["duration"].number, step = v["step"].number, n = duration / step;
  const std::string& path = v[v.has("duration") ? "duration" : "step"].path;
  if (!(n <= kMost))
    findings.complain(path, fmt::format("{:g} s in steps of {:g} s are {:.3g} steps; the most are "
                                        "{:g}",
                                        duration, step, n, kMost));
  if (n < kLeast)
    findings.complain(
        path, fmt::format("{:g} s is less than a millionth of the step, {:g} s", duration, step));
}

void read_contact_solver(const Value& v, Findings& findings, form::Settings& settings) {
  constraint::piles::ContactOptions& out = settings.contact;
  using Method = constraint::piles::ContactOptions::Method;
  const std::string& method = v["contact_solver"].text;
  out.method = method == "sweeps"   ? Method::sweeps
               : method == "newton" ? Method::newton
                                    : Method::automatic;
  if (v.has("contact_tolerance")) settings.contact_tolerance = v["contact_tolerance"].number;
  const double sweeps = v["contact_sweeps"].number;
  if (sweeps == std::round(sweeps) && sweeps < 1e6)
    out.sweeps = static_cast<int>(sweeps);
  else
    findings.complain(v["contact_sweeps"].path,
                      fmt::format("{:g} is no number of sweeps: whole, below a million", sweeps));
}

}  // namespace

void read_simulation(const Value& v, const JointTables& tables, Findings& findings,
                     model::Builder& builder, sim::Settings& s) {
  if (!v.sound) return;
  check_steps(v, findings);
  const double whole = v["output_step"].number / v["step"].number;
  if (v.has("output_step") && !(whole > 0.5 && std::abs(whole - std::round(whole)) < 1e-9 * whole))
    findings.complain(v["output_step"].path,
                      fmt::format("{} s is no multiple of the step, {} s", v["output_step"].number,
                                  v["step"].number));
  read_checkpoints(v, findings, s);
  read_formulation(v, findings, s.form);
  read_contact_solver(v, findings, s.form);
  const bool rattle = v["scheme"].text == "rattle";
  if (rattle && v.has("erp"))
    findings.complain(v["erp"].path, "'erp' belongs to the scheme baumgarte, not to rattle");
  if (!rattle && v.has("tolerance"))
    findings.complain(v["tolerance"].path,
                      "'tolerance' belongs to the scheme rattle: baumgarte leads positions back by "
                      "'erp', as far as that goes");
  if (!rattle && v["order"].text == "4")
    findings.complain(v["order"].path, "order 4 belongs to the scheme rattle, not to baumgarte");
  s.duration = v["duration"].number;
  s.step = v["step"].number;
  s.output_step = v["output_step"].number;
  s.form.scheme = rattle ? form::Settings::Scheme::rattle : form::Settings::Scheme::baumgarte;
  s.form.order = v["order"].text == "4" ? 4 : 2;
  s.form.erp = v["erp"].number;
  if (v.has("tolerance")) s.form.tolerance = {v["tolerance"].number, true};
  s.form.impacts = v["impacts"].text == "sequential" ? constraint::Impacts::sequential
                                                     : constraint::Impacts::simultaneous;
  builder.assemble = v["assemble"].flag;
  if (v.has("equilibrium")) builder.equilibrium = equilibrium_of(v["equilibrium"], tables);
  if (v.has("frame_tolerance")) builder.tolerance = v["frame_tolerance"].number;
  const Value& g = v["gravity"];
  if (g.numbers.empty() && g.number < 0)
    findings.complain(g.path, fmt::format("a plain number says how strongly bodies fall, along -z: "
                                          "write {0}, or gravity = [0, 0, {0}] where they rise",
                                          -g.number));
  builder.gravity = g.numbers.size() == 3 ? g.vec() : Vec3(0, 0, -g.number);
}

}  // namespace trammel::io
