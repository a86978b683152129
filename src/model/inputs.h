#pragma once

#include <memory>
#include <vector>

#include "math/signal.h"
#include "model/model.h"
#include "model/state.h"

/// Inputs are numbers that come in from outside while a mechanism moves, by name: commands of a
/// program, what controllers give. Signals of laws, loads and prescribed bodies read them. The
/// model as it was built reads them at rest; each simulation makes a copy of it read values of its
/// own.
namespace trammel::model {

/// The part of a state that is the inputs', at rest.
std::vector<double> inputs_at_rest(const Model& model);

/// Makes all that reads inputs read these values, which are in the order of Model::inputs.
void bind_inputs(Model& model, const std::shared_ptr<const LiveValues>& values);

/// True where something of the model reads an input.
bool reads_inputs(const Model& model);

LiveValues inputs_of(const State& state);
/// Puts one of them into the state.
void set_input(std::size_t input, const LiveValue& value, State& state);

}  // namespace trammel::model
