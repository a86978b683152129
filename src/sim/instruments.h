#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "expr/tape.h"
#include "sim/recorder.h"
#include "units/problem.h"

namespace trammel::sim {

/// The sensors and controllers of a run at work: formulas with the channels that they read.
class Instruments {
 public:
  /// Of these settings, which stay where they are, in a simulation that is ready but for them. What
  /// is wrong comes into `problems`.
  Instruments(const Simulation& simulation, const Settings& settings,
              std::vector<Problem>& problems);

  /// Reads the channels and all sensors as they are now.
  void look();
  /// The same where nothing but inputs has changed since.
  void look_at_inputs();
  std::size_t count() const { return sensors_.size(); }
  double sensor(std::size_t i) const { return values_[sensors_[i].slot]; }
  const std::string& unit(std::size_t sensor) const { return sensors_[sensor].unit; }

  /// Events: the sensor, how far it is above the value, the value.
  struct Passing {
    std::size_t sensor = 0, event = 0;
    double above = 0, at = 0;
    bool near() const;  // too near to say on which side
  };
  std::size_t events() const { return events_.size(); }
  /// After look().
  Passing passing(std::size_t event) const;
  const SensorEvent& event(std::size_t i) const;

  /// Controllers: their memory in a state, when they act next, and what they do then.
  std::vector<double> memory_at_start(double t0) const;
  std::size_t controllers() const { return controllers_.size(); }
  double next_sample(const model::State& state, std::size_t controller) const;
  /// The inputs that a controller gives, and their values at this sample, after look().
  const std::vector<std::size_t>& outputs(std::size_t controller) const;
  std::vector<double> act(std::size_t controller, model::State& state);

 private:
  using MaybeDimension = expr::MaybeDimension;
  struct Source {  // of a channel
    std::size_t quantity = 0, offset = 0, slot = 0;
  };
  struct Compiled {
    std::vector<std::size_t> slots;  // of its inputs
    expr::Tape tape;
    MaybeDimension dimension;
  };
  struct Letter {
    std::size_t slot = 0;
    MaybeDimension dimension;
  };
  using Letters = std::map<std::string, Letter>;
  struct Sensor {
    Compiled formula;
    std::size_t slot = 0;
    std::string unit;
    bool done = false, begun = false;
  };
  struct Event {
    std::size_t sensor = 0, event = 0;
    Compiled at;
  };
  struct Controller {
    std::vector<std::size_t> outputs;
    std::vector<Compiled> measures;
    std::size_t memory = 0, slot = 0;  // first places in the state and among the values
  };

  void complain(const std::string& path, std::string text) { problems_->push_back({path, text}); }
  void name_channels();
  std::optional<Letter> find(const std::string& name, const std::string& path,
                             std::vector<std::string>& by);
  Compiled compile(const Formula& f, const MaybeDimension& needed, const Letters& letters,
                   std::vector<std::string> by);
  void add_sensor(std::size_t i, std::vector<std::string> by);
  void add_events(std::size_t sensor);
  void add_controller(std::size_t i);
  void add_outputs(const ControllerSpec& spec, Controller& c);
  void add_measures(const ControllerSpec& spec, Controller& c, const Letters& letters);
  void check_gains(const ControllerSpec& spec, const Controller& c);
  void check_controlled();
  double evaluate(const Compiled& f) const;
  MaybeDimension dimension_of_input(std::size_t input) const;
  std::size_t new_slot() {
    values_.push_back(0);
    return values_.size() - 1;
  }

  const Simulation* sim_;
  const Settings* settings_;
  std::vector<Problem>* problems_;
  Recorder recorder_;
  struct Channel {
    std::size_t quantity, offset;
    const std::string* unit;
  };
  struct Names {
    std::unordered_map<std::string, Channel> channels;
    std::unordered_map<std::string, std::size_t> sensors;  // of several the first
  } names_;
  std::unordered_map<std::string, Letter> read_;  // those that are read
  std::vector<std::size_t> quantities_;           // read, each once
  std::vector<Source> sources_;
  std::vector<double> values_{0};  // the time, then what formulas read
  std::vector<Sensor> sensors_;
  std::vector<std::size_t> order_;  // in which sensors are evaluated
  std::vector<Event> events_;
  std::vector<Controller> controllers_;
  std::map<std::size_t, std::string> given_;  // inputs by the controller that gives them
  std::size_t memory_ = 0;                    // numbers in a state
  mutable std::vector<double> in_, scratch_;
};

/// What is wrong with the sensors and controllers of a run, with the paths of a scene; the model
/// and the other settings are in order.
std::vector<Problem> wrong_instruments(const model::Built& built, const Settings& settings);

}  // namespace trammel::sim
