// A step of the grid: composed, or in parts that end where bodies meet.
#include <algorithm>
#include <cmath>

#include "form/velocity_attempt.h"

namespace trammel::form::velocity {

namespace {
constexpr int kMostMeetings = 8;  // moments at which bodies meet that may divide a step
constexpr int kMostLengths = 4;   // of how long a part is
// What meets nearer to the start of a step does so there, of the step. Rows cannot be met in steps
// so short that rounding of places is a speed.
constexpr double kAtStart = 1e-9, kAtStartOfRows = 1e-3;

/// Where a part of a step begins.
struct Part {
  model::State state;
  StepReport report;
  std::size_t parts = 0;  // made before it
};

void go_back(Stepping& v, const Part& to, model::State& state, StepReport& report) {
  state = to.state;
  report = to.report;
  v.last.back_to(to.parts);
  load(v, state);
}

/// True where something has struck in the last part.
bool has_struck(const StepReport& before, const StepReport& now) {
  return now.impacts.rows.size() > before.impacts.rows.size() ||
         now.impacts.bodies.size() > before.impacts.bodies.size();
}

/// Makes a step of about h in which bodies meet at its very end, or one of `least`; returns how
/// long it has become.
double land(Stepping& v, model::State& state, double h, double least, StepReport& report) {
  for (int left = kMostLengths;; --left) {
    const double meets = step_once(v, state, h, {true, left > 0 && h > least}, report);
    if (!(meets < law::kInf)) return h;
    h = std::max(meets, least);
    begin_again(v, state, h);
  }
}

/// Makes a step in parts that end where bodies meet, or rows their stops, so that each impact is
/// found with the rates and gaps of its moment. On failure the step is made as if they did not.
void step_between_meetings(Stepping& v, model::State& state, double h, StepReport& report) {
  const double end = state.t + h;
  const double shortest = (v.mechanism.model->rows.empty() ? kAtStart : kAtStartOfRows) * h;
  Part start, before;  // the whole step, and the part before
  double length = 0;   // of that
  bool struck = false;
  int left = kMostMeetings, again = 0;
  for (;;) {
    const double rest = end - state.t;
    const double meets = step_once(v, state, rest, {true, left > 0}, report);
    if (!(meets < law::kInf)) break;
    double least = shortest;
    if (meets < shortest && again > 0) {  // the part before was too short
      --again;
      go_back(v, before, state, report);
      length += meets;
      if (!struck) least = length;  // it fell short of the meeting that it had foreseen
    } else if (rest < 2 * shortest) {
      left = 0;
      begin_again(v, state, h);
      continue;
    } else {
      before = {state, report, v.last.parts()};
      if (length == 0) start = before;
      length = std::max(meets, shortest);
      again = kMostLengths;
      --left;
    }
    begin_again(v, state, h);
    length = land(v, state, length, least, report);
    struck = has_struck(before.report, report);
    if (report.status != Status::ok) break;
  }
  if (length == 0) return;
  if (report.status == Status::ok) return void(state.step = start.state.step + 1);
  go_back(v, start, state, report);
  step_once(v, state, h, {}, report);
}

void step_composed(Stepping& v, model::State& state, double h, StepReport& report) {
  // Suzuki's composition of five steps makes order 4 of a symmetric scheme of order 2
  const model::State start = state;
  const double a = 1 / (4 - std::cbrt(4.0));
  for (const double part : {a, a, 1 - 4 * a, a, 0.}) {
    // the last one ends at the very time that the step does
    step_once(v, state, part != 0 ? part * h : start.t + h - state.t, {}, report);
    if (report.status == Status::failed) {
      state = start;
      load(v, state);
      return;
    }
  }
  state.step = start.step + 1;
}
}  // namespace

void step(Stepping& v, model::State& state, double h, double since, StepReport& report) {
  report.clear();
  report.bounds = !v.mechanism.composable;
  v.last.begin(state.t, since);
  if (v.mechanism.settings.order != 4 || !v.mechanism.composable ||
      is_baumgarte(v.mechanism.settings))
    step_between_meetings(v, state, h, report);
  else
    step_composed(v, state, h, report);
  if (report.status == Status::failed) return;
  report.struck = v.last.struck();
  if (v.last.divided()) v.last.mean_forces(v.force);
}

}  // namespace trammel::form::velocity
