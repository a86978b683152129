// What comes in from outside, what is measured, and what acts on it.
#include "io/scene_forms.h"

namespace trammel::io {

using namespace forms;
using namespace units;

namespace {
std::vector<std::string> gamepad_axes() {
  return {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
}
}  // namespace

const Family& input_family() {
  static const Family f =
      named("input", "A number that a program gives while a run goes on. Signals name it.",
            {{"",
              "",
              {
                  name_key("input"),
                  {"rest", parameter_value(), "0", "its value until it is given another"},
                  {"from", parameter_value(), "", "least value that it may be given"},
                  {"to", parameter_value(), "", "greatest value"},
                  {"unit", text(), "", "of plain numbers; what it is of"},
                  {"text", text(), "", "what it is"},
                  {"keys", list(text(), {1, 2}), "",
                   "that drive it: one that raises it, or two, the first lowers it"},
                  {"rate", parameter_value(), "",
                   "how fast keys move it, a second; else its range takes a second"},
                  {"returns", flag(), "true", "to its rest when keys are let go"},
                  {"axis", integer(gamepad_axes()), "", "of a gamepad that drives it"},
              },
              {needs({"rate", "keys"}), needs({"returns", "keys"})}}});
  return f;
}

const Family& sensor_event_family() {
  static const Family f{
      "sensor.event",
      "Something that happens when a sensor passes a value; the moment is located.",
      {{"",
        "",
        {
            {"at", measured(), kNeeded, "the value passed"},
            {"direction", text({"both", "rising", "falling"}), "both", "in which it is passed"},
            {"stop", flag(), "false", "the run ends there, with success"},
            {"text", text(), "", "what it means"},
        },
        {}}}};
  return f;
}

const Family& sensor_family() {
  static const Family f =
      named("sensor", "A number that follows from channels; it is one, too.",
            {{"",
              "",
              {
                  name_key("sensor"),
                  {"formula", measured(), kNeeded, "of channels, inputs, other sensors and t"},
                  {"unit", text(), "", "of what it is, where the formula leaves that open"},
                  {"text", text(), "", "what it is"},
                  {"display", flag(), "false", "pictures show it large"},
                  {"events", tables(sensor_event_family()), "", "when it passes values"},
              },
              {}}});
  return f;
}

const Family& controller_state_family() {
  static const Family f{"controller.state",
                        "A number that a controller remembers; its formulas may name it.",
                        {{"",
                          "",
                          {
                              {"start", parameter_value(), "0", "at the first sample"},
                              {"next", measured(), kNeeded, "what it is at the next sample"},
                          },
                          {}}}};
  return f;
}

namespace {

std::vector<Key> controller_keys() {
  return {name_key("controller"),
          {"type", text(), kNeeded, "the kind of controller"},
          {"period", above(0, quantity(kTime)), kNeeded, "between samples"},
          {"unit", text(), "", "of what it gives; else a plain number"},
          {"rest", parameter_value(), "0", "what it gives before the first sample"},
          {"text", text(), "", "what it gives"}};
}

Table pid_table() {
  return {"type",
          "pid",
          joined(controller_keys(),
                 {{"measure", measured(), kNeeded, "what is to follow the target"},
                  {"target", measured(), kNeeded, "a number, or a formula likewise"},
                  {"rate", measured(), "", "of the measure; else its change from sample to sample"},
                  {"target_rate", measured(), "", "of the target, where the rate is given"},
                  {"feedforward", measured(), "", "added to what it gives"},
                  {"kp", parameter_value(), "0", "gain of the error, target less measure"},
                  {"ki", parameter_value(), "0", "of its integral"},
                  {"kd", parameter_value(), "0", "of its rate"},
                  {"limits", list(parameter_value(), {2}), "", "least and greatest output"},
                  {"rate_limit", parameter_value(), "", "greatest change of the output by time"},
                  {"filter", quantity(kTime), "0", "time constant of a filter of the rate"}}),
          {needs({"target_rate", "rate"})}};
}

Table formula_table() {
  return {"type",
          "formula",
          joined(controller_keys(),
                 {{"output", measured(), "", "what it gives, of channels, states, period and t"},
                  {"outputs", map(measured()), "", "several, by names; they go by name.output"},
                  {"states", map(table(controller_state_family())), "",
                   "what it remembers from sample to sample"}}),
          {one({"output", "outputs"})}};
}

}  // namespace

const Family& controller_family() {
  static const Family f =
      named("controller", "Looks at channels at a sample rate and gives what signals name.",
            {pid_table(), formula_table()});
  return f;
}

}  // namespace trammel::io
