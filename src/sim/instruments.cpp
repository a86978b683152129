#include "sim/instruments.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "expr/free_names.h"
#include "expr/parse.h"
#include "math/index.h"
#include "sim/channels.h"
#include "units/nearest.h"
#include "units/unit.h"

namespace trammel::sim {

namespace {

constexpr std::size_t kOwn = 3;  // numbers of each controller: samples made, the first and last [s]
enum Own : std::size_t { kSamples, kFirst, kLast };

std::string path_of(const std::string& path, const char* kind, const std::string& name) {
  return path.empty() ? fmt::format("{}.{}", kind, name) : path;
}

expr::MaybeDimension dimension_of_unit(const std::string& unit) {
  if (unit == "1" || unit.empty()) return units::kRatio;
  const units::ParsedUnit parsed = units::parse_unit(unit);
  return parsed ? expr::MaybeDimension(parsed.unit.dimension) : expr::MaybeDimension();
}

std::string symbol_of(const expr::MaybeDimension& d) {
  const std::string out = d ? units::symbol(*d) : "";
  return out.empty() ? "1" : out;
}

}  // namespace

bool Instruments::Passing::near() const {
  constexpr double kRounding = 1e-11;  // of places that are held
  return std::abs(above) <= kRounding * std::abs(at) + 1e-15;
}

Instruments::Instruments(const Simulation& simulation, const Settings& settings,
                         std::vector<Problem>& problems)
    : sim_(&simulation), settings_(&settings), problems_(&problems), recorder_(simulation) {
  name_channels();
  sensors_.resize(settings_->sensors.size());
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    const SensorSpec& s = settings_->sensors[i];
    sensors_[i].slot = new_slot();
    if (names_.channels.contains(s.name) || s.name == "t" || s.name == "time" || s.name.empty())
      complain(path_of(s.path, "sensor", s.name) + ".name",
               s.name.empty() ? "a sensor needs a name"
                              : fmt::format("'{}' is a channel already", s.name));
    if (!names_.sensors.try_emplace(s.name, i).second)
      complain(path_of(s.path, "sensor", s.name) + ".name",
               fmt::format("the name '{}' is taken by another sensor", s.name));
  }
  for (std::size_t i = 0; i < sensors_.size(); ++i) add_sensor(i, {});
  for (std::size_t i = 0; i < sensors_.size(); ++i) add_events(i);
  for (std::size_t i = 0; i < settings_->controllers.size(); ++i) add_controller(i);
  check_controlled();
  for (const Source& s : sources_)
    if (std::find(quantities_.begin(), quantities_.end(), s.quantity) == quantities_.end())
      quantities_.push_back(s.quantity);
}

void Instruments::name_channels() {
  const std::vector<Quantity>& all = recorder_.quantities();
  for (std::size_t q = 0; q < all.size(); ++q)
    for (std::size_t i = 0; i < all[q].items.size(); ++i)
      for (std::size_t c = 0; c < all[q].columns.size(); ++c) {
        const std::size_t offset = i * all[q].columns.size() + c;
        const std::string& unit =
            all[q].units[all[q].units.size() == all[q].columns.size() ? c : offset];
        const std::string name = channel_name(all[q].items[i], all[q].name, all[q].columns[c]);
        const bool fresh = names_.channels.try_emplace(name, Channel{q, offset, &unit}).second;
        if (!fresh && all[q].path == kInputs)
          complain(sim_->model().inputs[i].path, fmt::format("'{}' is a channel already", name));
      }
}

/// A sensor or a channel by its full name. Nothing: complained.
std::optional<Instruments::Letter> Instruments::find(const std::string& name,
                                                     const std::string& path,
                                                     std::vector<std::string>& by) {
  if (name == "t" || name == "time") return Letter{0, units::kTime};
  if (const auto sensor = names_.sensors.find(name); sensor != names_.sensors.end()) {
    const std::size_t i = sensor->second;
    if (sensors_[i].begun && !sensors_[i].done) {
      complain(path,
               fmt::format("'{}' depends on itself: {} -> {}", name, fmt::join(by, " -> "), name));
      return {};
    }
    if (!sensors_[i].done) add_sensor(i, by);
    return Letter{sensors_[i].slot, sensors_[i].formula.dimension};
  }
  if (const auto known = read_.find(name); known != read_.end()) return known->second;
  const auto it = names_.channels.find(name);
  if (it == names_.channels.end()) {
    std::vector<std::string> known;
    for (const auto& [channel, where] : names_.channels) known.push_back(channel);
    for (const SensorSpec& s : settings_->sensors) known.push_back(s.name);
    std::sort(known.begin(), known.end());
    const std::string owner = name.substr(0, name.find('.') + 1);  // of what is known
    const auto others = [&](const std::string& s) { return !s.starts_with(owner); };
    if (!owner.empty() && !std::all_of(known.begin(), known.end(), others))
      std::erase_if(known, others);
    complain(path,
             fmt::format("there is no channel '{}'{}", name, units::did_you_mean(name, known)));
    return {};
  }
  const Letter out{new_slot(), dimension_of_unit(*it->second.unit)};
  sources_.push_back({it->second.quantity, it->second.offset, out.slot});
  read_.emplace(name, out);
  return out;
}

Instruments::Compiled Instruments::compile(const Formula& f, const MaybeDimension& needed,
                                           const Letters& letters, std::vector<std::string> by) {
  Compiled out;
  expr::Graph graph;
  expr::Symbols symbols(graph);
  if (f.known) symbols.inherit(f.known->symbols);
  std::vector<expr::Expression> inputs;
  for (const auto& [word, letter] : letters) symbols.forget(word);
  for (const std::string& word : expr::free_names(f.text, symbols)) {
    const auto full = f.names.find(word);
    const std::string name = full == f.names.end() ? std::string(expr::bare(word)) : full->second;
    const auto own = letters.find(word);
    const auto letter = own == letters.end() ? find(name, f.path, by) : std::optional(own->second);
    symbols.variable(word, letter ? letter->dimension : MaybeDimension());
    inputs.push_back(graph.variable(word));
    out.slots.push_back(letter ? letter->slot : 0);
  }
  const expr::Parsed parsed = expr::parse(f.text, symbols, needed);
  for (const expr::Problem& p : parsed.problems) complain(f.path, p.text);
  if (!parsed) return out;
  expr::Compiled c =
      expr::Tape::compile(std::array{parsed.expression}, inputs, {.active = 0, .order = 0});
  if (!c) complain(f.path, c.error);
  out.tape = std::move(c.tape);
  out.dimension = parsed.dimension;
  return out;
}

void Instruments::add_sensor(std::size_t i, std::vector<std::string> by) {
  if (sensors_[i].begun) return;
  sensors_[i].begun = true;
  const SensorSpec& s = settings_->sensors[i];
  by.push_back(s.name);
  const std::string path = path_of(s.path, "sensor", s.name);
  Formula formula = s.formula;
  if (formula.path.empty()) formula.path = path + ".formula";
  MaybeDimension given;
  if (!s.unit.empty()) {
    const units::ParsedUnit unit = units::parse_unit(s.unit);
    if (unit)
      given = unit.unit.dimension;
    else
      complain(path + ".unit", unit.error);
  }
  Compiled compiled = compile(formula, given, {}, by);
  if (given) compiled.dimension = given;
  sensors_[i].unit = symbol_of(compiled.dimension);
  sensors_[i].formula = std::move(compiled);
  sensors_[i].done = true;
  order_.push_back(i);
}

void Instruments::add_events(std::size_t i) {
  const SensorSpec& s = settings_->sensors[i];
  for (std::size_t k = 0; k < s.events.size(); ++k) {
    Formula at = s.events[k].at;
    if (at.path.empty())
      at.path = fmt::format("{}.events[{}].at", path_of(s.path, "sensor", s.name), k);
    events_.push_back({i, k, compile(at, sensors_[i].formula.dimension, {}, {s.name})});
  }
}

Instruments::MaybeDimension Instruments::dimension_of_input(std::size_t input) const {
  return dimension_of_unit(sim_->model().inputs[input].unit);
}

void Instruments::add_outputs(const ControllerSpec& spec, Controller& c) {
  const std::string path = path_of(spec.path, "controller", spec.name);
  if (spec.outputs.empty()) complain(path, fmt::format("'{}' gives no input", spec.name));
  for (const std::string& name : spec.outputs) {
    const int input = sim_->model().find_input(name);
    if (input < 0 || !sim_->model().inputs[at(input)].controlled) {
      std::vector<std::string> known;
      for (const model::Input& i : sim_->model().inputs)
        if (i.controlled) known.push_back(i.name);
      complain(path, input < 0 ? fmt::format("there is no input '{}' to give{}", name,
                                             units::did_you_mean(name, known))
                               : fmt::format("input '{}' is not one that controllers give", name));
      continue;
    }
    const auto [it, fresh] = given_.try_emplace(at(input), spec.name);
    if (!fresh)
      complain(path, fmt::format("input '{}' is given by '{}' already", name, it->second));
    c.outputs.push_back(at(input));
  }
}

void Instruments::add_measures(const ControllerSpec& spec, Controller& c, const Letters& letters) {
  for (std::size_t i = 0; i < spec.measures.size(); ++i) {
    const Measure& m = spec.measures[i];
    MaybeDimension needed;
    if (m.like == Measure::Like::first && i > 0) needed = c.measures[0].dimension;
    if (m.like == Measure::Like::output && m.index < c.outputs.size())
      needed = dimension_of_input(c.outputs[m.index]);
    if (m.like == Measure::Like::memory) needed = spec.memory[m.index].dimension;
    if (needed) needed = *needed * units::kTime.pow(m.seconds);
    Formula f = m.formula;
    if (f.path.empty()) f.path = path_of(spec.path, "controller", spec.name);
    c.measures.push_back(compile(f, needed, letters, {spec.name}));
  }
}

/// Each gain times the measure must be what comes out.
void Instruments::check_gains(const ControllerSpec& spec, const Controller& c) {
  if (c.measures.empty() || c.outputs.empty() || !c.measures[0].dimension) return;
  const units::Dimension measure = *c.measures[0].dimension;
  const MaybeDimension out = dimension_of_input(c.outputs[0]);
  for (const Gain& g : spec.gains) {
    if (!g.dimension || !out) continue;
    const units::Dimension made = *g.dimension * measure * units::kTime.pow(g.seconds);
    if (expr::agree(made, *out)) continue;
    complain(g.path, fmt::format("'{}' in {} makes {} of {}; the output is {}: say unit = \"{}\"",
                                 g.name, symbol_of(g.dimension), units::name(made),
                                 units::name(measure), units::name(*out), symbol_of(made)));
  }
}

void Instruments::add_controller(std::size_t i) {
  constexpr double kShortest = 1e-3;  // of a period, in steps
  const ControllerSpec& spec = settings_->controllers[i];
  const std::string path = path_of(spec.path, "controller", spec.name);
  if (!(spec.period > 0 && std::isfinite(spec.period)))
    complain(path + ".period",
             fmt::format("a period of {} s: it must be greater than 0", spec.period));
  else if (spec.period < kShortest * settings_->step)
    complain(path + ".period", fmt::format("a period of {:g} s is less than a thousandth of the "
                                           "step, {:g} s",
                                           spec.period, settings_->step));
  if (!spec.update) complain(path, fmt::format("'{}' does nothing", spec.name));
  Controller c;
  c.memory = memory_;
  memory_ += kOwn + spec.memory.size();
  c.slot = values_.size();
  Letters letters;
  for (const Memory& m : spec.memory) {
    const std::size_t slot = new_slot();
    if (!m.name.empty()) letters[expr::written(m.name)] = {slot, m.dimension};
  }
  const Letter period{new_slot(), units::kTime};
  values_[period.slot] = spec.period;
  letters["period"] = period;
  add_outputs(spec, c);
  add_measures(spec, c, letters);
  check_gains(spec, c);
  controllers_.push_back(std::move(c));
}

void Instruments::check_controlled() {
  const std::vector<model::Input>& inputs = sim_->model().inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].controlled && !given_.contains(i))
      complain(inputs[i].path, fmt::format("no controller gives the input '{}'", inputs[i].name));
}

double Instruments::evaluate(const Compiled& f) const {
  in_.clear();
  for (const std::size_t slot : f.slots) in_.push_back(values_[slot]);
  if (scratch_.size() < f.tape.scratch_size()) scratch_.resize(f.tape.scratch_size());
  double out = 0;
  f.tape.value(in_, std::span(&out, 1), scratch_);
  return out;
}

void Instruments::look() {
  values_[0] = sim_->state().t;
  recorder_.begin_frame();
  for (const std::size_t q : quantities_) {
    const std::vector<double>& row = recorder_.frame(q);
    for (const Source& s : sources_)
      if (s.quantity == q) values_[s.slot] = row[s.offset];
  }
  for (const std::size_t i : order_) values_[sensors_[i].slot] = evaluate(sensors_[i].formula);
}

void Instruments::look_at_inputs() {
  for (const Source& s : sources_)
    if (recorder_.quantities()[s.quantity].path == kInputs)
      values_[s.slot] = sim_->inputs()[s.offset].x;
  for (const std::size_t i : order_) values_[sensors_[i].slot] = evaluate(sensors_[i].formula);
}

const SensorEvent& Instruments::event(std::size_t i) const {
  return settings_->sensors[events_[i].sensor].events[events_[i].event];
}

Instruments::Passing Instruments::passing(std::size_t i) const {
  const Event& e = events_[i];
  const double at = evaluate(e.at);
  return {e.sensor, e.event, sensor(e.sensor) - at, at};
}

std::vector<double> Instruments::memory_at_start(double t0) const {
  std::vector<double> out;
  for (const ControllerSpec& c : settings_->controllers) {
    out.insert(out.end(), {0, t0, t0});
    for (const Memory& m : c.memory) out.push_back(m.start);
  }
  return out;
}

double Instruments::next_sample(const model::State& state, std::size_t i) const {
  const double* own = state.memory.data() + controllers_[i].memory;
  return own[kFirst] + own[kSamples] * settings_->controllers[i].period;
}

const std::vector<std::size_t>& Instruments::outputs(std::size_t i) const {
  return controllers_[i].outputs;
}

std::vector<double> Instruments::act(std::size_t i, model::State& state) {
  const Controller& c = controllers_[i];
  const ControllerSpec& spec = settings_->controllers[i];
  double* own = state.memory.data() + c.memory;
  const std::span<double> memory(own + kOwn, spec.memory.size());
  std::copy(memory.begin(), memory.end(), values_.begin() + static_cast<std::ptrdiff_t>(c.slot));
  std::vector<double> measures, outputs;
  for (const Compiled& m : c.measures) measures.push_back(evaluate(m));
  for (const std::size_t input : c.outputs) outputs.push_back(sim_->inputs()[input].x);
  const double since = own[kSamples] == 0 ? 0 : state.t - own[kLast];
  spec.update({state.t, since, measures, memory, outputs});
  own[kSamples] += 1;
  own[kLast] = state.t;
  return outputs;
}

std::vector<Problem> wrong_instruments(const model::Built& built, const Settings& settings) {
  std::vector<Problem> out;
  if (settings.sensors.empty() && settings.controllers.empty() &&
      std::none_of(built.model->inputs.begin(), built.model->inputs.end(),
                   [](const model::Input& i) { return i.controlled; }))
    return out;
  try {
    const std::unique_ptr<const Simulation> bare = Simulation::without_instruments(built, settings);
    Instruments(*bare, settings, out);
  } catch (const std::invalid_argument&) {  // of the other settings, told elsewhere
  }
  return out;
}

}  // namespace trammel::sim
