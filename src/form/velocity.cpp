#include "form/velocity.h"

namespace trammel::form {

Velocity::Velocity(const model::Model& model, const model::Params& params, const Settings& settings)
    : steps_(model, params, settings) {}

bool Velocity::load(const model::State& state) { return velocity::load(steps_, state); }

void Velocity::step(model::State& state, double h, double since, StepReport& report) {
  velocity::step(steps_, state, h, since, report);
}

void Velocity::project(model::State& state, const std::string& why, const std::string& subject,
                       StepReport& report) {
  velocity::project(steps_, state, why, subject, report);
}

double Velocity::total_energy(const model::State& state) const {
  return velocity::total_energy(steps_, state);
}

}  // namespace trammel::form
