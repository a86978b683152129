#include "io/scene_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "expr/adapters.h"
#include "expr/builtins.h"
#include "expr/switches.h"
#include "io/scene_text.h"
#include "law/formula_force.h"
#include "units/nearest.h"
#include "units/unit.h"

namespace trammel::io {

namespace {

/// A list of numbers in a unit, as SI.
std::vector<double> in_si(const std::vector<double>& numbers, const units::Unit& unit) {
  std::vector<double> out;
  for (const double x : numbers) out.push_back(x * unit.numerator / unit.denominator + unit.offset);
  return out;
}

}  // namespace

std::string Formulas::taken(const std::string& name) {
  const std::pair<const char*, const char*> letters[] = {
      {"x", "the coordinate"}, {"v", "its rate"}, {"t", "the time"}};
  for (const auto& [letter, what] : letters)
    if (name == letter)
      return fmt::format("'{}' stands for {} in formulas: choose another name", letter, what);
  return "";
}

void Formulas::shadow(const std::string& name) {
  if (inherited_.erase(name) == 0) return;
  if (const auto* outer = common_.find_value(name)) around_.insert_or_assign(name, *outer);
  common_.forget(name);
}

std::string Formulas::taken_by(std::string_view name) const {
  if (std::string why = taken(std::string(name)); !why.empty()) return why;
  if (parameters_.contains(name)) return fmt::format("'{}' is a parameter, too", name);
  if (common_.find_points(name)) return fmt::format("'{}' is data, too", name);
  return expr::find_constant(name) || expr::is_reserved(name)
             ? fmt::format("'{}' is a word of the language of expressions", name)
             : "";
}

void Formulas::name(const Value& v, std::string wrong) {
  if (!wrong.empty()) findings_.complain(v.path, std::move(wrong));
}

/// Points of a table of the section; none: complained.
std::optional<expr::Points> Formulas::points(const Value& v) {
  if (!v.sound) return {};
  units::Unit unit[2];
  for (const auto& [key, u] : {std::pair("x_unit", &unit[0]), {"y_unit", &unit[1]}}) {
    if (!v.has(key)) continue;
    const units::ParsedUnit parsed = units::parse_unit(v[key].text);
    if (!parsed) return findings_.complain(v[key].path, parsed.error), std::nullopt;
    *u = parsed.unit;
  }
  expr::Points out{in_si(v["x"].numbers, unit[0]), in_si(v["y"].numbers, unit[1])};
  if (v.has("x_unit")) out.x_dimension = unit[0].dimension;
  if (v.has("y_unit")) out.y_dimension = unit[1].dimension;
  const double slope =
      unit[1].numerator / unit[1].denominator / (unit[0].numerator / unit[0].denominator);
  if (v.has("slope_first")) out.slope_first = slope * v["slope_first"].number;
  if (v.has("slope_last")) out.slope_last = slope * v["slope_last"].number;
  return out;
}

void Formulas::add_data(const Value& list) {
  for (const Value& v : list.items) {
    const std::string& called = v["name"].text;
    if (std::string wrong = taken(called); !wrong.empty()) {
      name(v["name"], std::move(wrong));
      continue;
    }
    shadow(called);
    const std::optional<expr::Points> given = points(v);
    if (given) name(v, common_.points(called, *given));
    // so that the name of what is wrong is not unknown as well
    if (!common_.find_points(called)) common_.points(called, {{0, 1}, {1, 1}});
  }
}

void Formulas::replace_data(const Value& list, const Value& below) {
  std::vector<std::string> known;
  for (const Value& v : below.items) known.push_back(v["name"].text);
  for (const Value& v : list.items) {
    const std::string& called = v["name"].text;
    if (common_.find_points(called))
      inherited_.insert(called);  // so that it can be given another meaning
    else if (v.sound)
      findings_.complain(
          v["name"].path,
          fmt::format("the part has no data '{}'{}", called,
                      known.empty() ? ": it has none" : units::did_you_mean(called, known)));
  }
  add_data(list);
}

const expr::Symbols& Formulas::with(const Variables& variables) {
  const auto it = std::find_if(known_.begin(), known_.end(),
                               [&](const auto& k) { return k.first == variables; });
  if (it != known_.end()) return it->second;
  expr::Symbols symbols = common_;
  for (const auto& [letter, dimension] : variables) symbols.variable(letter, dimension);
  return known_.emplace_back(variables, std::move(symbols)).second;
}

expr::Parsed Formulas::parse(const Value& v, Place quote, const Variables& variables,
                             const Maybe& result) {
  expr::Parsed parsed = expr::parse(v.text, with(variables), result);
  if (!parsed && excused(v.text)) return parsed;
  for (const expr::Problem& p : parsed.problems)
    findings_.complain(v.path, findings_.in_string(quote, p.column), p.text);
  return parsed;
}

sim::Formula Formulas::measured(const Value& v, const std::vector<std::string>& letters) {
  sim::Formula out{v.text, v.path};
  if (!known_names_) {
    auto known = std::make_shared<sim::Known>();
    known->symbols.inherit(common_);
    known_names_ = std::move(known);
  }
  out.known = known_names_;
  Variables variables;
  for (const std::string& name : free_names(v.text)) variables.emplace_back(name, Maybe());
  for (const std::string& known : names_in(v.text))
    if (std::find(letters.begin(), letters.end(), known) != letters.end())
      name(v, fmt::format("'{}' is a parameter, and this formula has a quantity of that name: call "
                          "the parameter otherwise",
                          known));
  for (const std::string& letter : letters)
    if (!common_.find_value(letter) && std::find(variables.begin(), variables.end(),
                                                 std::pair(letter, Maybe())) == variables.end())
      variables.emplace_back(letter, Maybe());
  parse(v, v.place, variables, {});
  return out;
}

namespace {
std::vector<std::string> names_of(const std::vector<Formulas::Live>& live) {
  std::vector<std::string> out;
  for (const Formulas::Live& l : live) out.push_back(l.name);
  return out;
}
}  // namespace

bool Formulas::too_many(const Value& v, const std::vector<Live>& live) {
  if (live.size() <= kMostLive) return false;
  name(v, fmt::format("a formula reads {} inputs and coordinates, at most {} are possible",
                      live.size(), kMostLive));
  return true;
}

Signal Formulas::signal(const Value& v, Place quote, const Maybe& result,
                        const std::vector<Live>& live) {
  Variables variables{{"t", units::kTime}};
  for (const Live& l : live) variables.emplace_back(l.written, l.dimension);
  const expr::Parsed parsed = parse(v, quote, variables, result);
  if (!parsed || too_many(v, live)) return {};
  const expr::Expression t = graph_.variable("t");
  if (!live.empty()) {
    std::vector<expr::Expression> inputs{t};
    for (const Live& l : live) inputs.push_back(graph_.variable(l.written));
    if (live.size() == 1 && parsed.expression == inputs[1]) return Signal::live(live[0].name);
    expr::Compiled c = expr::compile_live(parsed.expression, inputs);
    if (!c) return name(v, std::move(c.error)), Signal();
    expr::SwitchesOf switches(parsed.expression, inputs, t);
    return Signal::live(names_of(live), expr::LiveSignalOf(std::move(c.tape)),
                        switches.empty() ? Switches() : Switches(std::move(switches)));
  }
  expr::Compiled c = expr::compile_signal(parsed.expression, t);
  if (!c) return name(v, std::move(c.error)), Signal();
  expr::SwitchesOf switches(parsed.expression, std::array{t}, t);
  return Signal::function(expr::SignalOf(std::move(c.tape)),
                          switches.empty() ? Switches() : Switches(std::move(switches)));
}

std::shared_ptr<const law::ForceFunction> Formulas::force(const Value& v, Place quote,
                                                          const Maybe& x,
                                                          const std::vector<Live>& live,
                                                          double least) {
  const auto of_x = [&](Of of) { return x ? Maybe(dimension_of(of, *x)) : Maybe(); };
  Variables variables{{"x", x}, {"v", of_x(Of::rate)}, {"t", units::kTime}};
  for (const Live& l : live) variables.emplace_back(l.written, l.dimension);
  const expr::Parsed parsed = parse(v, quote, variables, of_x(Of::force));
  if (!parsed || too_many(v, live)) return nullptr;
  std::vector<expr::Expression> inputs;
  for (const auto& [letter, dimension] : variables) inputs.push_back(graph_.variable(letter));
  law::FormulaForce made = law::formula_force(parsed.expression, inputs, names_of(live));
  if (!made.function) name(v, std::move(made.error));
  if (made.constant && !(*made.constant >= least))
    name(v,
         fmt::format("a limit of {} must not be less than {}: it holds either way", v.text, least));
  return made.function;
}

std::shared_ptr<const law::LoadFunction> Formulas::motion(const Value& v, Place quote,
                                                          const Dimension& result) {
  Variables letters;
  std::vector<expr::Expression> inputs;
  for (const law::LoadLetter& l : law::kLoadLetters) {
    letters.emplace_back(l.name, l.dimension);
    inputs.push_back(graph_.variable(std::string(l.name)));
  }
  for (const std::string& known : names_in(v.text))
    for (const law::LoadLetter& l : law::kLoadLetters)
      if (known == l.name)
        return name(v, fmt::format("'{}' is a parameter, and the motion of the body has a quantity "
                                   "of that name: call the parameter otherwise",
                                   known)),
               nullptr;
  const expr::Parsed parsed = parse(v, quote, letters, result);
  if (!parsed) return nullptr;
  expr::Compiled c = expr::Tape::compile(std::array{parsed.expression}, inputs, {.order = 0});
  if (!c) return name(v, std::move(c.error)), nullptr;
  expr::SwitchesOf switches(parsed.expression, inputs, inputs.back());
  auto out = std::make_shared<law::LoadFunction>(expr::ValueOf(std::move(c.tape)));
  out->of_time = expr::depends(parsed.expression, inputs.back());
  if (!switches.empty()) out->switches = std::move(switches);
  return out;
}

std::shared_ptr<const joint::Profile> Formulas::profile(const Value& v, Place quote, const Maybe& x,
                                                        const Maybe& result) {
  const expr::Parsed parsed = parse(v, quote, {{"x", x}}, result);
  if (!parsed) return nullptr;
  expr::Compiled c = expr::compile_signal(parsed.expression, graph_.variable("x"));
  if (!c) return name(v, std::move(c.error)), nullptr;
  return std::make_shared<joint::Profile>(expr::SignalOf(std::move(c.tape)));
}

}  // namespace trammel::io
