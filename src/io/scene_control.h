#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/scene_walk.h"
#include "model/builder.h"
#include "sim/settings.h"

namespace trammel::io {

/// Makes specs of inputs, sensors and controllers, and their names known.
class ControlReader {
 public:
  ControlReader(Names& names, Findings& findings) : names_(names), findings_(findings) {}

  model::InputSpec input(const Value& v, const Element& at);
  sim::SensorSpec sensor(const Value& v, const Element& at);
  /// With the inputs that it gives.
  sim::ControllerSpec controller(const Value& v, const Element& at,
                                 std::vector<model::InputSpec>& inputs);
  /// The channels that their formulas name.
  std::vector<std::string> read;
  std::vector<InputControl> controls;

 private:
  void control(const Value& v, const model::InputSpec& input, auto& number);
  void check_key(const Value& key, const std::string& input);
  void name(const Value& v, const Element& at, const std::string& full,
            const Formulas::Maybe& dimension);
  void check_name(const Value& v, const Element& at, const std::string& local);
  sim::Formula formula(const Value& v, const Element& at,
                       const std::vector<std::string>& letters = {});
  sim::ControllerSpec pid(const Value& v, const Element& at);
  void read_limits(const Value& v, auto& number, sim::PidSpec& p);
  void check_idle(const Value& v);
  std::string wrong_state(const std::string& state, const Element& at) const;
  sim::ControllerSpec by_formulas(const Value& v, const Element& at);

  Names& names_;
  Findings& findings_;
  std::map<std::string, std::string> keys_;  // taken, and the inputs that have them
};

}  // namespace trammel::io
