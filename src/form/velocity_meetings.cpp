// A step of the grid: composed, or in parts that end where bodies meet.
#include <algorithm>
#include <cmath>
#include <optional>

#include "form/velocity_attempt.h"

namespace trammel::form::velocity {

namespace {
constexpr int kMostMeetings = 32;  // moments at which bodies meet that may divide a step
constexpr int kMostLengths = 4;    // of how long a part is
constexpr int kMostParts = 8;      // of a step in which points go far over shapes
// What meets nearer to the start of a step does so there, of the step. Rows cannot be met in steps
// so short that rounding of places is a speed.
constexpr double kAtStart = 1e-9, kAtStartOfRows = 1e-4;
// Length of a part in which something strikes, of a step: of loads that rest there an impact is to
// know nothing.
constexpr double kOwn = 1e-4;

/// Where a part of a step begins.
struct Before {
  model::State state;
  StepReport report;
  std::size_t parts = 0;  // made before it
};

void go_back(Stepping& v, const Before& to, model::State& state, StepReport& report) {
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

/// A part of a step: how it is to end, or has, at `end.meets` from its start.
struct Part {
  Left end{.meets = 0};
  double least = 0;    // it is no shorter [s]
  double instant = 0;  // see Leave
};

/// Makes a part about as long as it is to be, in which bodies meet, or leave, at its very end, or
/// the least one. Takes how it has ended; false: it is left unmade, as it sweeps.
bool land(Stepping& v, model::State& state, bool sweeps, Part& part, StepReport& report) {
  for (int left = kMostLengths;; --left) {
    const double h = part.end.meets;
    const Left end =
        step_once(v, state, h, {true, left > 0 && h > part.least, sweeps, part.instant}, report);
    if (end.sweeps) return false;
    if (!end.unmade()) return true;
    part.end = end;
    part.end.meets = std::max(end.meets, part.least);
    begin_again(v, state, h);
  }
}

/// What leaves touches to the end of its part, and is gone after a short one before `end`.
void go_past(Stepping& v, model::State& state, double end, const Part& part, StepReport& report) {
  if (report.status != Status::ok || !(part.end.past > 0)) return;
  const double h = std::max(part.end.past, part.least);
  if (end - state.t > 2 * h) step_once(v, state, h, {.instant = part.instant}, report);
}

/// Makes a step in parts that end where bodies meet or leave, or rows meet their stops, so that
/// each impact is found with the rates and gaps of its moment. On failure the step is made as if
/// they did not. With `sweeps` it may be left unmade where that is seen: returns false then.
bool step_between_meetings(Stepping& v, model::State& state, double h, bool sweeps,
                           StepReport& report) {
  const double end = state.t + h;
  const double shortest = (v.mechanism.model->rows.empty() ? kAtStart : kAtStartOfRows) * h;
  const double own = std::max(2 * shortest, kOwn * h);
  Before start, before;            // the whole step, and the part before
  Part part{.instant = shortest};  // that; of no length: there is none
  bool struck = false, came_up = false;
  int left = kMostMeetings, again = 0;
  const auto leave_unmade = [&] {
    if (part.end.meets > 0)
      go_back(v, start, state, report);
    else
      begin_again(v, state, h);
    return false;
  };
  for (;;) {
    const double rest = end - state.t;
    const Left seen =
        step_once(v, state, rest, {true, left > 0, sweeps, shortest, rest > 2 * own}, report);
    if (seen.sweeps) return leave_unmade();
    if (!seen.unmade()) break;
    part.least = shortest;
    const bool comes_up = seen.strikes && seen.meets > 2 * own;
    if (seen.meets > 0 && seen.meets < shortest && again > 0) {  // the part before was too short
      --again;
      go_back(v, before, state, report);
      part.end.meets += seen.meets;
      if (!struck) part.least = part.end.meets;  // it fell short of the meeting it had foreseen
    } else if (rest < 2 * shortest) {
      left = 0;
      begin_again(v, state, h);
      continue;
    } else {
      before = {state, report, v.last.parts()};
      if (part.end.meets == 0) start = before;
      part.end = seen;
      part.end.meets = std::max(comes_up ? seen.meets - own : seen.meets, shortest);
      again = comes_up || seen.past > 0 ? 0 : kMostLengths;
      if (!comes_up || came_up) --left;
      came_up = comes_up;
    }
    begin_again(v, state, h);
    if (!land(v, state, sweeps, part, report)) return leave_unmade();
    struck = has_struck(before.report, report);
    for (double more = own; comes_up && struck && more < part.end.meets; more *= 2) {
      go_back(v, before, state, report);  // it has struck already
      part.end.meets -= more;
      if (!land(v, state, sweeps, part, report)) return leave_unmade();
      struck = has_struck(before.report, report);
    }
    go_past(v, state, end, part, report);
    if (report.status != Status::ok) break;
  }
  if (part.end.meets == 0) return true;
  if (report.status == Status::ok) {
    state.step = start.state.step + 1;
    return true;
  }
  go_back(v, start, state, report);
  step_once(v, state, h, {.instant = shortest}, report);
  return true;
}

/// Makes a step in equal parts. False: it is left unmade, as one of them sweeps.
bool step_in_equal_parts(Stepping& v, model::State& state, double h, int parts, bool sweeps,
                         StepReport& report) {
  const Before start{state, report, v.last.parts()};
  const double end = state.t + h;
  for (int k = 1; k <= parts && report.status == Status::ok; ++k) {
    const double to = k == parts ? end : start.state.t + h * k / parts;
    if (step_between_meetings(v, state, to - state.t, sweeps, report)) continue;
    go_back(v, start, state, report);
    return false;
  }
  state.step = start.state.step + 1;
  report.way.parts = parts;
  if (report.status == Status::ok) return true;
  go_back(v, start, state, report);
  return step_between_meetings(v, state, h, false, report);
}

/// Makes the step, where what stays in touch goes too far over a shape in two, four or eight equal
/// ones: as short on the way back as on the way there, so that energy comes back as well.
void step_in_sight(Stepping& v, model::State& state, double h, StepReport& report) {
  if (step_between_meetings(v, state, h, true, report)) return;
  for (int parts = 2; !step_in_equal_parts(v, state, h, parts, parts < kMostParts, report);)
    parts *= 2;
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
    step_in_sight(v, state, h, report);
  else
    step_composed(v, state, h, report);
  if (report.status == Status::failed) return;
  report.struck = v.last.struck();
  if (v.last.divided()) v.last.mean_forces(v.force);
}

}  // namespace trammel::form::velocity
