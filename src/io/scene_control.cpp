// Inputs, sensors and controllers.
#include "io/scene_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "units/nearest.h"
#include "units/unit.h"

namespace trammel::io {

namespace {

using Maybe = Formulas::Maybe;

/// "1" for a plain number.
std::string si_symbol(const Maybe& dimension) {
  const std::string out = dimension ? units::symbol(*dimension) : "";
  return out.empty() ? "1" : out;
}

/// Numbers of an element that are in its unit, or in one of the same kind.
class InUnit {
 public:
  InUnit(const Value& unit, Formulas& formulas, Findings& findings)
      : formulas_(formulas), findings_(findings) {
    if (!unit.given && unit.text.empty()) return;
    const units::ParsedUnit parsed = units::parse_unit(unit.text);
    if (!parsed) findings.complain(unit.path, parsed.error);
    if (!parsed) return;
    unit_ = parsed.unit;
    dimension = parsed.unit.dimension;
  }
  /// `seconds`: times that power of the second. Nothing: complained.
  std::optional<double> read(const Value& v, int seconds = 0) {
    if (v.text == "inf") return INFINITY;
    if (v.text == "-inf") return -INFINITY;
    Maybe own;
    const auto x = formulas_.value_of(v, own);
    if (!x) return {};
    const Maybe needed = dimension ? Maybe(*dimension * units::kTime.pow(seconds)) : Maybe();
    if (own && needed && *own != *needed) {
      findings_.complain(v.path,
                         fmt::format("{} is {}, {} is needed", units::format_quantity(*x, *own),
                                     units::name(*own), units::name(*needed)));
      return {};
    }
    if (own && !dimension) dimension = *own;
    return unit_ && !own
               ? *x * unit_->numerator / unit_->denominator + (seconds == 0 ? unit_->offset : 0)
               : *x;
  }
  Maybe dimension;

 private:
  Formulas& formulas_;
  Findings& findings_;
  std::optional<units::Unit> unit_;
};

}  // namespace

model::InputSpec ControlReader::input(const Value& v, const Element& at) {
  model::InputSpec out{.name = v["name"].text, .path = v.path, .text = v["text"].text};
  InUnit number(v["unit"], at.scope->formulas, findings_);
  if (v.has("rest")) out.rest = number.read(v["rest"]).value_or(0);
  if (v.has("from")) out.least = number.read(v["from"]).value_or(out.least);
  if (v.has("to")) out.most = number.read(v["to"]).value_or(out.most);
  control(v, out, number);
  out.unit = si_symbol(number.dimension);
  name(v, at, out.name,
       v.has("unit") || number.dimension ? number.dimension : Maybe(units::kRatio));
  return out;
}

/// Keys move it from end to end in a second, unless the scene says how fast.
void ControlReader::control(const Value& v, const model::InputSpec& input, auto& number) {
  InputControl out{.input = input.name, .returns = !v.has("returns") || v["returns"].flag};
  for (const Value& key : v["keys"].items) {
    check_key(key, input.name);
    out.keys.push_back(key.text);
  }
  const double range = input.most - input.least;
  if (std::isfinite(range) && range > 0) out.rate = range;
  if (v.has("rate")) out.rate = number.read(v["rate"], -1).value_or(1);
  if (!(out.rate > 0 && std::isfinite(out.rate)))
    findings_.complain(v["rate"].path,
                       fmt::format("{}: keys move it by more than 0 a second", out.rate));
  if (v.has("axis")) out.axis = std::atoi(v["axis"].text.c_str());
  if (!out.keys.empty() && !v.has("rate") && !std::isfinite(range))
    findings_.complain(v["keys"].path,
                       "how fast do keys move it? It needs a 'rate', or 'from' and 'to'");
  if (range == 0 && (!out.keys.empty() || v.has("axis")))
    findings_.complain(v[v.has("keys") ? "keys" : "axis"].path,
                       "nothing can move it: 'from' and 'to' are the same");
  if (v.has("axis") && !std::isfinite(range))
    findings_.complain(v["axis"].path, "an axis goes from end to end: it needs 'from' and 'to'");
  controls.push_back(std::move(out));
}

namespace {

/// Those that have more than one letter; others of these have uses of their own in browsers.
const std::vector<std::string> kNamedKeys{
    "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "Shift",  "Enter",   "Backspace",
    "Delete",    "Insert",    "Home",       "End",     "PageUp", "PageDown"};

/// One character, of one byte or of several.
bool is_character(const std::string& key) {
  const auto follows = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  return !key.empty() && static_cast<unsigned char>(key[0]) >= ' ' && key[0] != 0x7F &&
         std::all_of(key.begin() + 1, key.end(), follows);
}

std::string wrong_key(const std::string& key) {
  if (key.size() == 1 && std::isupper(static_cast<unsigned char>(key[0])))
    return fmt::format("keys of letters are written small: \"{}\"",
                       static_cast<char>(std::tolower(static_cast<unsigned char>(key[0]))));
  const bool named = std::find(kNamedKeys.begin(), kNamedKeys.end(), key) != kNamedKeys.end();
  if (named || is_character(key)) return {};
  const auto meant = units::nearest(key, kNamedKeys);
  return fmt::format("there is no key \"{}\"{}; a key is one letter, digit or sign, or one of {}",
                     key, meant ? fmt::format("; did you mean '{}'?", *meant) : "",
                     fmt::join(kNamedKeys, ", "));
}

}  // namespace

void ControlReader::check_key(const Value& key, const std::string& input) {
  if (const std::string wrong = wrong_key(key.text); !wrong.empty())
    return findings_.complain(key.path, wrong);
  const auto [other, fresh] = keys_.emplace(key.text, input);
  if (!fresh)
    findings_.complain(
        key.path, fmt::format("the key \"{}\" is of input '{}' already", key.text, other->second));
}

namespace {
/// The name of an element as formulas beside it write it.
std::string local_name(const Value& v, const Element& at) {
  const std::string& own = v["name"].text;
  return own.substr(std::min(at.scope->prefix.size(), own.size()));
}
}  // namespace

/// What it gives has a name that formulas may use, and must not mean something else there.
void ControlReader::name(const Value& v, const Element& at, const std::string& full,
                         const Maybe& dimension) {
  names_.add_input(full, dimension);
  check_name(v, at, local_name(v, at));
}

void ControlReader::check_name(const Value& v, const Element& at, const std::string& local) {
  if (const std::string why = at.scope->formulas.taken_by(local); !why.empty())
    findings_.complain(v["name"].path, why);
}

/// A formula of channels, whose names are looked for where it stands.
sim::Formula ControlReader::formula(const Value& v, const Element& at,
                                    const std::vector<std::string>& letters) {
  sim::Formula out = at.scope->formulas.measured(v, letters);
  for (const std::string& written : at.scope->formulas.free_names(v.text)) {
    const std::string name(expr::bare(written));
    std::string full = names_.find(Refers::channel, name, *at.scope);
    read.push_back(full);
    if (full != name) out.names.emplace(written, std::move(full));
  }
  return out;
}

sim::SensorSpec ControlReader::sensor(const Value& v, const Element& at) {
  sim::SensorSpec out{.name = v["name"].text, .path = v.path, .formula = {}};
  out.formula = formula(v["formula"], at);
  const std::string local = local_name(v, at);
  if (local != "x" && local != "v") check_name(v, at, local);  // only laws have these
  out.unit = v["unit"].text;
  out.text = v["text"].text;
  out.display = v["display"].flag;
  using Direction = sim::SensorEvent::Direction;
  for (const Value& e : v["events"].items) {
    const std::string& way = e["direction"].text;
    out.events.push_back({formula(e["at"], at),
                          way == "rising"    ? Direction::rising
                          : way == "falling" ? Direction::falling
                                             : Direction::both,
                          e["stop"].flag, e["text"].text});
  }
  return out;
}

sim::ControllerSpec ControlReader::controller(const Value& v, const Element& at,
                                              std::vector<model::InputSpec>& inputs) {
  InUnit number(v["unit"], at.scope->formulas, findings_);
  const double rest = v.has("rest") ? number.read(v["rest"]).value_or(0) : 0;
  const std::string& own = v["name"].text;
  std::vector<std::string> outputs{own};
  if (v.has("outputs")) {
    outputs.clear();
    for (const auto& [key, text] : v["outputs"].fields) outputs.push_back(own + "." + key);
  }
  for (const std::string& output : outputs) {
    name(v, at, output, number.dimension);
    inputs.push_back({.name = output,
                      .path = v.path,
                      .rest = rest,
                      .unit = si_symbol(number.dimension),
                      .text = v["text"].text,
                      .controlled = true});
  }
  sim::ControllerSpec out = v.table->value == "pid" ? pid(v, at) : by_formulas(v, at);
  out.name = own;
  out.path = v.path;
  out.period = v["period"].number;
  out.outputs = std::move(outputs);
  return out;
}

sim::ControllerSpec ControlReader::pid(const Value& v, const Element& at) {
  sim::PidSpec p{.name = v["name"].text,
                 .path = v.path,
                 .period = v["period"].number,
                 .output = v["name"].text,
                 .measure = formula(v["measure"], at),
                 .target = formula(v["target"], at)};
  if (v.has("rate")) p.rate = formula(v["rate"], at);
  if (v.has("target_rate")) p.target_rate = formula(v["target_rate"], at);
  if (v.has("feedforward")) p.feedforward = formula(v["feedforward"], at);
  const std::tuple<const char*, double*, int> gains[] = {
      {"kp", &p.kp, 0}, {"ki", &p.ki, 1}, {"kd", &p.kd, -1}};
  bool any = false;
  for (const auto& [key, gain, seconds] : gains) {
    if (!v.has(key)) continue;
    any = true;
    Maybe own;
    const auto x = at.scope->formulas.value_of(v[key], own);
    *gain = x.value_or(0);
    p.gains.push_back({key, v[key].path, own, seconds});
  }
  if (!any) findings_.complain(v.path, "a pid controller needs a gain: kp, ki or kd");
  InUnit number(v["unit"], at.scope->formulas, findings_);
  read_limits(v, number, p);
  p.filter = v["filter"].number;
  if (p.filter < 0) findings_.complain(v["filter"].path, "a time constant is not negative");
  check_idle(v);
  return sim::pid(p);
}

/// What would be accepted and never looked at.
void ControlReader::check_idle(const Value& v) {
  for (const char* key : {"rate", "target_rate", "filter"})
    if (v.has(key) && !v.has("kd"))
      findings_.complain(v[key].path, fmt::format("'{}' is for 'kd', which is not given", key));
}

void ControlReader::read_limits(const Value& v, auto& number, sim::PidSpec& p) {
  if (v.has("limits") && v["limits"].items.size() == 2) {
    p.lo = number.read(v["limits"].items[0]).value_or(p.lo);
    p.hi = number.read(v["limits"].items[1]).value_or(p.hi);
    if (!(p.lo < p.hi))
      findings_.complain(
          v["limits"].path,
          fmt::format("the least output, {}, is not below the greatest, {}", p.lo, p.hi));
  }
  const double rest = v.has("rest") ? number.read(v["rest"]).value_or(0) : 0;
  if (v.has("rest") && p.lo < p.hi && !(rest >= p.lo && rest <= p.hi))
    findings_.complain(v["rest"].path, fmt::format("it rests at {}, outside its limits, {} to {}",
                                                   rest, p.lo, p.hi));
  if (!v.has("rate_limit")) return;
  p.rate_limit = number.read(v["rate_limit"], -1).value_or(p.rate_limit);
  if (!(p.rate_limit > 0))
    findings_.complain(v["rate_limit"].path,
                       fmt::format("{}: a limit of the rate is greater than 0", p.rate_limit));
}

/// Returns what else a state's name means in formulas; empty: nothing.
std::string ControlReader::wrong_state(const std::string& state, const Element& at) const {
  if (state == "period") return "'period' stands for the time between samples: choose another name";
  std::string why = at.scope->formulas.taken_by(state);
  if (why.empty() && names_.is_input(state, *at.scope))
    why = fmt::format("'{}' is an input, too", state);
  return why;
}

/// Measures are the outputs, then what the states are next.
sim::ControllerSpec ControlReader::by_formulas(const Value& v, const Element& at) {
  sim::ControllerSpec out;
  std::vector<std::string> letters{"period"};
  for (const auto& [state, of] : v["states"].fields) {
    const std::string why = wrong_state(state, at);
    if (why.empty())
      letters.push_back(expr::written(state));
    else
      findings_.complain(of.path, why);
    Maybe dimension;
    const double start =
        of.has("start") ? at.scope->formulas.value_of(of["start"], dimension).value_or(0) : 0;
    out.memory.push_back({state, start, dimension});
  }
  using Like = sim::Measure::Like;
  std::size_t n = 0;
  if (v.has("output"))
    out.measures.push_back({formula(v["output"], at, letters), Like::output, n++, 0, "the output"});
  for (const auto& [key, text] : v["outputs"].fields)
    out.measures.push_back({formula(text, at, letters), Like::output, n++, 0, "an output"});
  std::size_t m = 0;
  for (const auto& [state, of] : v["states"].fields)
    out.measures.push_back({formula(of["next"], at, letters), Like::memory, m++, 0, "a state"});
  out.update = [n, m](const sim::Sample& s) {
    for (std::size_t i = 0; i < n; ++i) s.outputs[i] = s.measures[i];
    for (std::size_t i = 0; i < m; ++i) s.memory[i] = s.measures[n + i];
  };
  return out;
}

}  // namespace trammel::io
