// What comes in from outside while a simulation runs.
#include "model/inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/index.h"
#include "sim/simulation.h"
#include "units/nearest.h"

namespace trammel::sim {

std::size_t Simulation::find_input(std::string_view name) const {
  const int found = model().find_input(name);
  if (found >= 0) return at(found);
  std::vector<std::string> known;
  for (const model::Input& i : model().inputs) known.push_back(i.name);
  throw std::invalid_argument(
      fmt::format("there is no input '{}'{}", name, units::did_you_mean(name, known)));
}

std::size_t Simulation::index_of(model::InputHandle handle) const {
  const int found = model().input(handle);
  if (found >= 0) return at(found);
  throw std::invalid_argument("this is no handle of an input of this mechanism");
}

double Simulation::input(std::string_view name) const { return (*live_)[find_input(name)].x; }

double Simulation::input(model::InputHandle handle) const { return (*live_)[index_of(handle)].x; }

void Simulation::set_input(std::string_view name, double value) { give(find_input(name), value); }

void Simulation::set_input(model::InputHandle handle, double value) {
  give(index_of(handle), value);
}

/// From outside: within the rules of the input.
void Simulation::give(std::size_t input, double value) {
  const model::Input& i = model().inputs[input];
  if (i.controlled)
    throw std::invalid_argument(fmt::format("'{}' is given by a controller", i.name));
  if (!std::isfinite(value))
    throw std::invalid_argument(fmt::format("input '{}' is given {}", i.name, value));
  if (!(value >= i.least && value <= i.most))
    throw std::invalid_argument(fmt::format("input '{}' is given {}, outside its range, {} to {}",
                                            i.name, value, i.least, i.most));
  put_input(input, value);
}

void Simulation::put_input(std::size_t input, double value) {
  LiveValue& live = (*live_)[input];
  if (live.x == value) return;
  live.set(value, state_.t);
  model::set_input(input, live, state_);
  const model::Input& i = model().inputs[input];
  if (i.used) changed_ = std::max(changed_, i.demanded ? 2 : 1);
}

/// Takes the state past the changes of inputs, as past jumps of signals.
void Simulation::take_inputs() {
  if (changed_ == 0) return;
  const bool projects = changed_ == 2;
  changed_ = 0;
  pass_switch(
      {.before = state_.t, .t = state_.t, .projects = projects, .jumps = true, .fault = {}});
}

}  // namespace trammel::sim
