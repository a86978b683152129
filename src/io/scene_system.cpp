#include "io/scene_system.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "expr/build.h"
#include "expr/lexer.h"
#include "io/scene_forms.h"
#include "io/scene_specs.h"
#include "math/rotation.h"
#include "units/nearest.h"
#include "units/quantity.h"

namespace trammel::io {

namespace {

using expr::Expression;
using Maybe = Formulas::Maybe;

/// Reads formulas of one system.
class SystemFormulas {
 public:
  SystemFormulas(Formulas& scene, expr::Graph& graph, Findings& findings)
      : scene_(scene), graph_(graph), symbols_(graph), findings_(findings) {
    symbols_.inherit(scene.common());
  }

  /// Declares a coordinate; empty: complained.
  Expression coordinate(const Value& v, bool is_angle) {
    const std::string& name = v["name"].text;
    if (!free(name, v["name"].path)) return {};
    const std::string wrong = symbols_.variable(name, is_angle ? units::kAngle : units::kLength);
    if (!wrong.empty()) return findings_.complain(v["name"].path, wrong), Expression();
    return graph_.variable(name);
  }

  /// Declares names for formulas, in whatever order they are written.
  void let(const Value& map) {
    for (const auto& [name, v] : map.fields)
      if (free(name, v.path)) lets_.emplace(name, &v);
    for (const auto& [name, v] : map.fields) define(name);
  }

  /// A formula was left out since it names a parameter whose own name is no good.
  bool excused() const { return excused_; }
  bool knows_no(const std::string& name) const { return !symbols_.find_value(name); }
  /// A further variable.
  void also(const std::string& name, Expression variable, const Maybe& dimension) {
    symbols_.define(name, variable, dimension);
  }

  /// A variable of other formulas than those that follow.
  void refuse(const std::string& name, std::string why) { symbols_.refuse(name, std::move(why)); }

  /// Empty: zero, or complained.
  Expression of(const Value& v, const Maybe& needed) {
    Maybe found;
    return read(v, needed, found);
  }

 private:
  /// A name that stands for nothing else; else complained.
  bool free(const std::string& name, const std::string& path) {
    std::string wrong = name == "t" ? "'t' stands for the time in formulas: choose another name"
                                    : scene_.taken_by(name);
    if (name == "x" || name == "v") wrong.clear();  // only laws have these
    if (wrong.empty() && (lets_.contains(name) || symbols_.find_value(name)))
      wrong = fmt::format("'{}' is a name of this system already", name);
    if (wrong.empty() && (!expr::is_name(name) || name.find('.') != name.npos))
      wrong = fmt::format("'{}' is no name of formulas: letters, digits and '_', not a digit first",
                          name);
    if (!wrong.empty()) findings_.complain(path, wrong);
    return wrong.empty();
  }

  /// Gives a name its formula after those that it depends on.
  void define(const std::string& name) {
    const auto it = lets_.find(name);
    if (it == lets_.end() || symbols_.find_value(name)) return;
    const Value& v = *it->second;
    if (std::find(by_.begin(), by_.end(), name) != by_.end()) {
      findings_.complain(v.path, fmt::format("'{}' depends on itself: {} -> {}", name,
                                             fmt::join(by_, " -> "), name));
      symbols_.define(name, graph_.constant(1));  // known, so that the circle is told once
      return;
    }
    by_.push_back(name);
    for (const std::string& needed : expr::free_names(v.text, symbols_)) define(needed);
    by_.pop_back();
    if (symbols_.find_value(name)) return;
    Maybe dimension;
    const Expression e = read(v, {}, dimension);
    symbols_.define(name, e ? e : graph_.constant(v.text.empty() ? v.number : 1), dimension);
  }

  Expression read(const Value& v, const Maybe& needed, Maybe& dimension) {
    if (!v.sound) return {};
    dimension = v.text.empty() ? needed : std::nullopt;
    if (v.text.empty()) return v.number == 0 ? Expression() : graph_.constant(v.number);
    try {
      return parsed(v, needed, dimension);
    } catch (const expr::GraphFull& full) {
      findings_.complain(v.path, full.what());
    }
    return {};
  }

  Expression parsed(const Value& v, const Maybe& needed, Maybe& dimension) {
    units::Dimension plain;
    if (const units::Quantity q = units::parse_quantity(v.text, &plain)) {
      const units::Quantity as = needed ? units::parse_quantity(v.text, *needed) : q;
      if (!as) return findings_.complain(v.path, v.place, as.error), Expression();
      dimension = plain;
      return as.si == 0 ? Expression() : graph_.constant(as.si);
    }
    const expr::Parsed out = expr::parse(v.text, symbols_, needed, {.factors = true});
    if (!out && scene_.excused(v.text)) {
      excused_ = true;
      return {};
    }
    for (const expr::Problem& p : out.problems)
      findings_.complain(v.path, findings_.in_string(v.place, p.column), p.text);
    dimension = out.dimension;
    return out ? out.expression : Expression();
  }

  Formulas& scene_;
  expr::Graph& graph_;
  expr::Symbols symbols_;
  Findings& findings_;
  std::map<std::string, const Value*, std::less<>> lets_;
  std::vector<std::string> by_;  // names that are being given their formulas
  bool excused_ = false;
};

/// A turn that does not depend on coordinates; none where there is nothing to turn.
void add_turn(const Mat3& R, expr::Graph& graph, std::vector<body::SystemTurn>& out) {
  const Eigen::AngleAxisd turn(R);
  if (turn.angle() != 0) out.push_back({turn.axis(), graph.constant(turn.angle())});
}

class SystemReader {
 public:
  SystemReader(const Value& v, const Element& at, const Names& names, const Paths& tracks,
               SceneFiles& files, Findings& findings)
      : v_(v),
        at_(at),
        names_(names),
        tracks_(tracks),
        files_(files),
        findings_(findings),
        graph_(std::make_shared<expr::Graph>(1'000'000)),
        formulas_(at.scope->formulas, *graph_, findings) {}

  /// Whether it lacks something that has a problem of its own, which is reported there.
  bool lacks_something() const { return lacks_track_ || formulas_.excused(); }

  model::SystemSpec read() {
    out_.name = v_["name"].text;
    out_.path = v_.path;
    out_.of.graph = graph_;
    out_.of.machine_code = v_["evaluator"].text == "machine_code";
    for (const char* key : {"coordinate", "object"})
      if (v_[key].items.empty())
        findings_.complain(v_[key].path, fmt::format("a system has one {} at least", key));
    const std::size_t before = findings_.problems.size();
    for (const Value& c : v_["coordinate"].items) coordinate(c);
    if (findings_.problems.size() > before) return {};  // what names them would be told as well
    refuse_motion();
    formulas_.let(v_["let"]);
    if (v_.has("potential")) out_.of.potential = formulas_.of(v_["potential"], units::kEnergy);
    for (const Value& o : v_["object"].items) object(o);
    read_forces();
    return std::move(out_);
  }

 private:
  void coordinate(const Value& c) {
    const bool is_angle = c.table->value == "rad";
    const Expression x = formulas_.coordinate(c, is_angle);
    if (!x) return;
    out_.of.coordinates.push_back({c["name"].text, x, is_angle});
    out_.q.push_back(c["value"].number);
    out_.u.push_back(c["rate"].number);
  }

  /// Rates and the time, which are in other formulas of a system than places and potentials.
  void refuse_motion() {
    std::vector<std::string> known;
    for (const body::SystemCoordinate& c : out_.of.coordinates) known.push_back(c.name);
    const std::string here =
        fmt::format("the coordinates ({}), let, parameters and data", fmt::join(known, ", "));
    for (const std::string& name : known)
      formulas_.refuse(name + ".rate",
                       fmt::format("'{}.rate' is a rate, which a dissipation or a force may depend "
                                   "on and nothing else of a system: here can be used {}",
                                   name, here));
    refuse_time(here + "; what is driven in time is a coordinate with a law of type driven");
  }

  void refuse_time(const std::string& here) {
    formulas_.refuse("t",
                     "'t' is the time, which a force may depend on and nothing else of a "
                     "system: here can be used " +
                         here);
  }

  /// Dissipation and forces, whose formulas may name the rates, and forces the time and inputs.
  void read_forces() {
    for (const body::SystemCoordinate& c : out_.of.coordinates)
      formulas_.also(c.name + ".rate", model::rate_of(*graph_, c),
                     (c.is_angle ? units::kAngle : units::kLength) / units::kTime);
    refuse_time("the coordinates, their rates, let, parameters and data");
    if (v_.has("dissipation")) out_.dissipation = formulas_.of(v_["dissipation"], units::kPower);
    formulas_.also("t", model::time_of(*graph_), units::kTime);
    for (const Value& f : v_["force"].items) force(f);
  }

  void force(const Value& v) {
    const Value& of = v["coordinate"];
    std::vector<std::string> known;
    for (const body::SystemCoordinate& c : out_.of.coordinates) known.push_back(c.name);
    const auto it = std::find(known.begin(), known.end(), of.text);
    if (it == known.end())
      return findings_.complain(of.path, fmt::format("the system has no coordinate '{}'{}", of.text,
                                                     units::did_you_mean(of.text, known)));
    read_inputs(v["force"].text);
    const auto i = static_cast<std::size_t>(it - known.begin());
    const Expression e =
        formulas_.of(v["force"], out_.of.coordinates[i].is_angle ? units::kTorque : units::kForce);
    if (e) out_.forces.push_back({static_cast<int>(i), e, v["force"].path});
  }

  /// What a formula names that is an input.
  void read_inputs(const std::string& text) {
    for (const Formulas::Live& live : names_.inputs_in(text, *at_.scope)) {
      if (!formulas_.knows_no(live.written)) continue;
      const Expression variable = graph_->variable("input " + live.name);
      formulas_.also(live.written, variable, live.dimension);
      const auto it = std::find_if(out_.inputs.begin(), out_.inputs.end(),
                                   [&](const auto& i) { return i.first == live.name; });
      if (it == out_.inputs.end()) out_.inputs.emplace_back(live.name, variable);
    }
  }

  void object(const Value& v) {
    body::SystemObject o;
    o.name = out_.name + "." + v["name"].text;
    for (std::size_t i = 0; i < v["position"].items.size(); ++i)
      o.position[i] = formulas_.of(v["position"].items[i], units::kLength);
    if (const Value& on = v["on_track"]; on.given) o.track = track_of(on);
    if (v.has("on"))
      o.on = find_object(v["on"]);
    else
      put_in_scope(o);
    turns_of(v, o);
    add_turn(orientation_of(v["orientation"], findings_), *graph_, o.turns);
    out_.of.objects.push_back(std::move(o));
    model::BodySpec& b = out_.bodies.emplace_back(weight_spec(v, files_, findings_));
    b.name = out_.name + "." + b.name;
  }

  body::SystemTrack track_of(const Value& v) {
    body::SystemTrack out;
    const Value& name = v["track"];
    if (const auto it = tracks_.find(name.text); it != tracks_.end())
      out.path = it->second;
    else if (std::string wrong = names_.missing(Refers::track, name.text); !wrong.empty())
      findings_.complain(name.path, std::move(wrong));
    else
      lacks_track_ = true;
    out.s = formulas_.of(v["s"], units::kLength);
    if (!out.s) out.s = graph_->constant(0);
    return out;
  }

  void turns_of(const Value& v, body::SystemObject& o) {
    std::vector<Expression> angles;
    for (const Value& angle : v["euler"].items)
      angles.push_back(formulas_.of(angle, units::kAngle));
    if (angles.size() == 3)
      for (const body::SystemTurn& t : body::zxz(angles[0], angles[1], angles[2]))
        o.turns.push_back(t);
    for (const Value& turn : v["turns"].items)
      o.turns.push_back({turn["axis"].vec(), formulas_.of(turn["angle"], units::kAngle)});
  }

  /// The number of an object, wherever it stands in the list.
  int find_object(const Value& on) {
    std::vector<std::string> known;
    for (const Value& o : v_["object"].items) known.push_back(o["name"].text);
    const auto it = std::find(known.begin(), known.end(), on.text);
    if (it != known.end()) return static_cast<int>(it - known.begin());
    findings_.complain(on.path, fmt::format("the system has no object '{}'{}", on.text,
                                            units::did_you_mean(on.text, known)));
    return -1;
  }

  /// Axes of a part that stands somewhere.
  void put_in_scope(body::SystemObject& o) {
    const Scope& scope = *at_.scope;
    if (!scope.placed) return;
    if (o.track.path) {
      o.track.X = scope.X_WS;
      return;
    }
    const body::symbolic::Mat R = body::symbolic::constant(*graph_, scope.X_WS.R);
    o.position = body::symbolic::plus(body::symbolic::constant(*graph_, scope.X_WS.p),
                                      body::symbolic::product(R, o.position));
    add_turn(scope.X_WS.R, *graph_, o.turns);
  }

  const Value& v_;
  const Element& at_;
  const Names& names_;
  const Paths& tracks_;
  bool lacks_track_ = false;
  SceneFiles& files_;
  Findings& findings_;
  std::shared_ptr<expr::Graph> graph_;
  SystemFormulas formulas_;
  model::SystemSpec out_;
};

}  // namespace

std::optional<model::SystemSpec> system_spec(const Value& v, const Element& at, const Names& names,
                                             const Paths& tracks, SceneFiles& files,
                                             Findings& findings) {
  const std::size_t before = findings.problems.size();
  SystemReader reader(v, at, names, tracks, files, findings);
  model::SystemSpec out = reader.read();
  if (findings.problems.size() > before || reader.lacks_something()) return {};
  return out;
}

SystemNames names_of_system(const Element& system) {
  const Layers layers(*system.table, system_family(), *system.scope);
  SystemNames out;
  for (const auto& [key, list] : {std::pair("object", &out.bodies), {"coordinate", &out.joints}}) {
    const toml::node* node = layers.given(key);
    const toml::array* array = node ? node->as_array() : nullptr;
    for (std::size_t i = 0; array && i < array->size(); ++i)
      if (const toml::table* t = (*array)[i].as_table())
        if (const std::string own = Layers(*t, *system.scope).text("name"); is_name(own))
          list->push_back(system.name + "." + own);
  }
  return out;
}

}  // namespace trammel::io
