#include "model/system_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <set>
#include <sstream>

#include "body/moments.h"
#include "contact/scene_maker.h"
#include "math/dense.h"
#include "math/index.h"
#include "model/build_bodies.h"
#include "model/check.h"

namespace trammel::model {

namespace {

bool is_massless(const BodySpec& b) {
  return b.mass == 0 && !b.density && !b.inertia && !b.solid && b.solids.empty();
}

/// The solids of a body for looking, where it has no other shapes.
std::vector<Shape> looks_of(const BodySpec& b) {
  if (!b.shapes.empty()) return b.shapes;
  std::vector<Shape> out;
  if (b.surface) out.push_back({.mesh = b.surface, .path = b.path + ".mesh"});
  if (b.solid) {  // its centre of mass, which of a cone is not its middle, is the body's
    Pose X;
    X.p = b.com - body::moments(*b.solid, 1).com();
    out.push_back({.solid = *b.solid, .X_BS = X, .path = b.path});
  }
  for (const SolidPart& p : b.solids)
    if (!p.hole) out.push_back({.solid = p.solid, .X_BS = p.X_BS, .path = p.path});
  return out;
}

/// The solids of a body, one whose place is that of its mass among them.
std::vector<SolidPart> parts_of(const BodySpec& b) {
  std::vector<SolidPart> out = b.solids;
  if (!b.solid) return out;
  Pose X;
  X.p = b.com - body::moments(*b.solid, 1).com();
  out.insert(out.begin(), {.solid = *b.solid, .X_BS = X});
  return out;
}

Outline outline_of(const BodySpec& b, std::vector<Problem>& wrong) {
  Outline out;
  out.shapes = looks_of(b);
  out.color = b.color;
  out.contacts = b.solids_touch ? contact::specs_of(b.name, b.path, parts_of(b), b.surface, wrong)
                                : b.contacts;
  if (b.solids_touch && !b.contacts.empty())
    wrong.push_back(
        {b.path + ".contact",
         fmt::format("body '{}': its solids touch, or contact shapes: not both", b.name)});
  out.material = b.material;
  out.electric = b.electric;
  out.path = b.path;
  return out;
}

void take_mass(Draft& d, BodySpec b, body::SystemObject& o) {
  if (is_massless(b)) return;
  const std::size_t before = d.problems.size();
  if (!b.solids.empty()) b = of_solids(d, b);
  if (!b.inertia && !b.solid && !b.density) b.inertia.emplace().fill(0);  // of a point
  const MassOf m = mass_of(d, b, false);
  if (d.problems.size() > before) return;
  o.mass = m.mass;
  o.inertia = m.inertia;
  o.com = b.com;
}

/// Which coordinates an expression depends on.
void mark(const body::SystemSpec& s, expr::Expression e, std::vector<bool>& used) {
  if (!e) return;
  for (const expr::Id id : expr::reachable(*s.graph, std::span(&e, 1)))
    for (std::size_t i = 0; i < used.size(); ++i)
      if (s.coordinates[i].x.id == id) used[i] = true;
}

/// A function with corners or jumps whose argument depends on coordinates; null: there is none.
const expr::Function* cornered(const body::SystemSpec& s, expr::Expression e) {
  if (!e) return nullptr;
  for (const expr::Id id : expr::reachable(*s.graph, std::span(&e, 1))) {
    if (s.graph->node(id).op != expr::Op::call) continue;
    const expr::Function& f = *s.graph->call_of(id).function;
    std::vector<bool> used(s.coordinates.size());
    mark(s, {s.graph.get(), id}, used);
    if (!f.breaks.empty() && std::find(used.begin(), used.end(), true) != used.end()) return &f;
  }
  return nullptr;
}

class Rules {
 public:
  explicit Rules(const SystemSpec& spec) : s_(spec) {}

  std::vector<Problem> run() {
    if (!s_.of.graph || s_.of.coordinates.empty())
      complain(s_.path, "it has no coordinates");
    else if (s_.of.objects.empty())
      complain(s_.path, "it has no objects");
    check_start();
    check_names();
    for (std::size_t k = 0; k < s_.of.objects.size(); ++k) check_object(k);
    if (out_.empty()) check_use();
    return std::move(out_);
  }

 private:
  void complain(const std::string& path, const std::string& text) {
    out_.push_back({path, fmt::format("system '{}': {}", s_.name, text)});
  }
  std::string path_of(std::size_t object) const {
    if (object < s_.bodies.size() && !s_.bodies[object].path.empty()) return s_.bodies[object].path;
    return fmt::format("{}.object[{}]", s_.path, object);
  }
  std::string coordinate_path(std::size_t i) const {
    return s_.path + ".coordinate." + s_.of.coordinates[i].name;
  }

  void check_start() {
    for (const auto& [what, x] : {std::pair("value", &s_.q), {"rate", &s_.u}}) {
      if (x->size() != s_.of.coordinates.size())
        complain(s_.path, fmt::format("it has {} coordinates and {} {}s at the start",
                                      s_.of.coordinates.size(), x->size(), what));
      for (std::size_t i = 0; i < std::min(x->size(), s_.of.coordinates.size()); ++i)
        if (!std::isfinite((*x)[i]))
          complain(coordinate_path(i), fmt::format("the {} of '{}' at the start is not finite",
                                                   what, s_.of.coordinates[i].name));
    }
  }

  void check_names() {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < s_.of.coordinates.size(); ++i)
      if (!taken.insert(dial_of(s_.name, s_.of.coordinates[i].name)).second)
        complain(coordinate_path(i), fmt::format("the name '{}' is taken by another coordinate",
                                                 s_.of.coordinates[i].name));
    const std::set<std::string> coordinates = taken;
    for (std::size_t k = 0; k < s_.of.objects.size(); ++k)
      if (const std::string& name = s_.of.objects[k].name; !taken.insert(name).second)
        complain(path_of(k) + ".name",
                 fmt::format("the name '{}' is taken by {}", name,
                             coordinates.contains(name) ? "a coordinate" : "another object"));
  }

  void check_object(std::size_t k) {
    const body::SystemObject& o = s_.of.objects[k];
    if (o.on >= static_cast<int>(k))
      complain(path_of(k) + ".on",
               o.on == static_cast<int>(k)
                   ? fmt::format("object '{}' stands on itself", o.name)
                   : fmt::format("object '{}' stands on '{}', which comes after it: an object "
                                 "stands on one above it",
                                 o.name,
                                 at(o.on) < s_.of.objects.size() ? s_.of.objects[at(o.on)].name
                                                                 : std::to_string(o.on)));
    if (o.track.path) check_track(k, o.track);
    if (!(o.mass >= 0 && std::isfinite(o.mass)))
      complain(path_of(k) + ".mass",
               fmt::format("the mass of '{}' must not be negative: {} kg", o.name, o.mass));
    if (std::string text = wrong_inertia(o.inertia); !text.empty())
      complain(path_of(k) + ".inertia", fmt::format("'{}': {}", o.name, text));
    for (std::size_t i = 0; i < o.position.size(); ++i)
      check_smooth(k, o.position[i], fmt::format("position[{}]", i));
    for (const body::SystemTurn& t : o.turns) check_smooth(k, t.angle, "turns");
    check_smooth(k, o.track.s, "on_track.s");
    for (const body::SystemTurn& t : o.turns)
      if (!(std::abs(t.axis.norm() - 1) <= kUnitRounding))
        complain(path_of(k) + ".turns",
                 fmt::format("'{}': the axis of a turn has length 1", o.name));
  }

  /// Where a place has a corner speeds would jump, by an impulse that equations of motion have not.
  void check_smooth(std::size_t k, expr::Expression e, const std::string& key) {
    const expr::Function* f = cornered(s_.of, e);
    if (!f) return;
    const bool table = f->name == "table";
    complain(path_of(k) + "." + key,
             fmt::format("'{}' {} by {}, which has corners, where its speed would jump: {}",
                         s_.of.objects[k].name, key == "turns" ? "turns" : "goes",
                         table ? fmt::format("table(..., {})", f->data) : "'" + f->name + "'",
                         table ? fmt::format("take spline(..., {})", f->data)
                               : "places are smooth functions of coordinates"));
  }

  void check_track(std::size_t k, const body::SystemTrack& track) {
    const std::string path = path_of(k) + ".on_track", &name = track.path->name();
    const geom::Curve& curve = track.path->curve();
    if (!track.s) return complain(path + ".s", "no arc length along track '" + name + "'");
    for (std::size_t i = curve.closed() ? 0 : 1; i < curve.pieces(); ++i)
      if (curve.jump(i) == geom::Jump::kink)
        return complain(path + ".track",
                        fmt::format("track '{}' has a kink at s = {:.6g} m, where a coordinate "
                                    "along it cannot say which way things go: give it a transition "
                                    "there, or use a joint of type track",
                                    name, curve.piece_start(i)));
    const double s = at_start(track.s);
    if (!curve.closed() && !(s >= 0 && s <= curve.length()))
      complain(path + ".s", fmt::format("s = {:.6g} m at the start is not on track '{}', which "
                                        "goes from 0 to {:.6g} m",
                                        s, name, curve.length()));
  }

  /// NaN where it cannot be worked out: told elsewhere.
  double at_start(expr::Expression e) const {
    std::vector<expr::Expression> x;
    for (const body::SystemCoordinate& c : s_.of.coordinates) x.push_back(c.x);
    const expr::Compiled c = expr::Tape::compile(std::span(&e, 1), x, {.active = 0, .order = 0});
    double out = std::numeric_limits<double>::quiet_NaN();
    if (!c || s_.q.size() != x.size()) return out;
    std::vector<double> scratch(c.tape.scratch_size());
    c.tape.value(s_.q, std::span(&out, 1), scratch);
    return out;
  }

  void check_use() {
    std::vector<bool> used(s_.of.coordinates.size());
    mark(s_.of, s_.of.potential, used);
    for (const body::SystemObject& o : s_.of.objects) {
      mark(s_.of, o.track.s, used);
      for (const expr::Expression& e : o.position) mark(s_.of, e, used);
      for (const body::SystemTurn& t : o.turns) mark(s_.of, t.angle, used);
    }
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i])
        complain(coordinate_path(i),
                 fmt::format("no object's place and no potential depends on the coordinate '{}'",
                             s_.of.coordinates[i].name));
  }

  const SystemSpec& s_;
  std::vector<Problem> out_;
};

/// The mass matrix at the start.
Eigen::MatrixXd mass_matrix(const SystemSpec& spec, const body::Pool& pool,
                            const std::vector<double>& params) {
  const auto n = static_cast<Eigen::Index>(spec.q.size());
  std::vector<double> derived(at(pool.n_derived));
  pool.derive(params.data(), derived.data());
  Eigen::MatrixXd A(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::VectorXd e = Eigen::VectorXd::Unit(n, i);
    pool.momentum(derived.data(), spec.q.data(), e.data(), A.col(i).data());
  }
  return A;
}

const std::string& name_of(const SystemSpec& spec, Eigen::Index i) {
  return spec.of.coordinates[static_cast<std::size_t>(i)].name;
}

/// Coordinates that take part in a motion, by how much each moves.
std::string moving(const SystemSpec& spec, const Eigen::VectorXd& motion) {
  std::vector<std::string> out;
  for (Eigen::Index i = 0; i < motion.size(); ++i)
    if (std::abs(motion[i]) > 1e-3 * motion.cwiseAbs().maxCoeff())
      out.push_back("'" + name_of(spec, i) + "'");
  return fmt::format("{}", fmt::join(out, ", "));
}

}  // namespace

std::vector<Problem> take_bodies(const Builder& builder, SystemSpec& spec) {
  if (spec.bodies.empty()) return {};
  if (spec.bodies.size() != spec.of.objects.size())
    return {{spec.path, fmt::format("system '{}' has {} objects and {} bodies", spec.name,
                                    spec.of.objects.size(), spec.bodies.size())}};
  Draft draft{builder};
  spec.outlines.clear();
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    take_mass(draft, spec.bodies[i], spec.of.objects[i]);
    spec.outlines.push_back(outline_of(spec.bodies[i], draft.problems));
  }
  return std::move(draft.problems);
}

std::string to_lines(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& p : problems)
    out += fmt::format("{}{}: {}", out.empty() ? "" : "\n", p.path, p.text);
  return out;
}

std::vector<Problem> from_lines(const std::string& lines) {
  std::vector<Problem> out;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    const bool path = colon != line.npos && line.find(' ') > colon;
    out.push_back({path ? line.substr(0, colon) : "", path ? line.substr(colon + 2) : line});
  }
  return out;
}

std::vector<Problem> wrong_system(const SystemSpec& spec) { return Rules(spec).run(); }

std::vector<Problem> wrong_start(const SystemSpec& spec, const body::Pool& pool,
                                 const std::vector<double>& params) {
  constexpr double kLeast = 1e-12;  // of the motion of the least mass, all scaled to 1: rounding
  const Eigen::MatrixXd A = mass_matrix(spec, pool, params);
  const auto path = [&](Eigen::Index i) { return spec.path + ".coordinate." + name_of(spec, i); };
  std::vector<Problem> out;
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (!std::isfinite(A(i, i)))
      out.push_back(
          {path(i), fmt::format("system '{}' has no finite mass matrix at the start: that "
                                "of coordinate '{}' is {}",
                                spec.name, name_of(spec, i), A(i, i))});
    else if (!(A(i, i) > kLeast * kLeast * A.diagonal().maxCoeff()))
      out.push_back({path(i), fmt::format("coordinate '{}' of system '{}' moves no mass at the "
                                          "start: the mass matrix is singular there; start "
                                          "elsewhere, give mass to what it moves, or take another "
                                          "coordinate",
                                          name_of(spec, i), spec.name)});
  if (!out.empty()) return out;
  const Eigen::VectorXd scale = A.diagonal().cwiseSqrt().cwiseInverse();
  const dense::AxesX motions =
      dense::principal_axes_of(scale.asDiagonal() * A * scale.asDiagonal());
  if (motions.values[0] > kLeast) return out;
  out.push_back(
      {spec.path, fmt::format("coordinates {} of system '{}' move its masses alike at the start: "
                              "together they can turn so that nothing moves, the chart is singular "
                              "there; start elsewhere or take other coordinates",
                              moving(spec, motions.vectors.col(0)), spec.name)});
  return out;
}

}  // namespace trammel::model
