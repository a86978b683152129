// A step of the grid: composed, or in parts that end where bodies meet.
#include <algorithm>
#include <cmath>
#include <utility>

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

/// A step that is made in parts.
struct Parts {
  double h, end, shortest, own;  // of the step, and of its parts [s]; see kOwn
  Before start, before;          // the whole step, and the part before
  Part part;                     // the last one; of no length: there is none
  bool comes_up = false;         // it ends just before something strikes,
  bool struck = false;           // and something has struck in it
  int left = kMostMeetings;      // parts to come
  int again = 0;                 // times that the last may be made longer
};

Parts parts_of(const Mechanism& mechanism, const model::State& state, double h) {
  const double shortest = (mechanism.model->rows.empty() ? kAtStart : kAtStartOfRows) * h;
  Parts out{h, state.t + h, shortest, std::max(4 * shortest, kOwn * h), {}, {}, {}};
  out.part.instant = shortest;
  return out;
}

/// Makes the rest of the step, unless something is seen in it.
Left make_rest(Stepping& v, model::State& state, bool sweeps, const Parts& p, StepReport& report) {
  const double rest = p.end - state.t;
  const bool before_end = rest > 2 * p.own;
  return step_once(v, state, rest, {true, p.left > 0, sweeps, p.shortest, before_end}, report);
}

/// Says how long the next part is to be, by what is seen in the rest. False: nothing more divides
/// that. Goes back by one part where that was too short.
bool plan_part(Stepping& v, model::State& state, const Left& seen, Parts& p, StepReport& report) {
  p.part.least = p.shortest;
  const bool came_up = std::exchange(p.comes_up, seen.strikes && seen.meets > 2 * p.own);
  if (seen.meets > 0 && seen.meets < p.shortest && p.again > 0) {
    --p.again;
    go_back(v, p.before, state, report);
    p.part.end.meets += seen.meets;
    if (!p.struck) p.part.least = p.part.end.meets;  // short of the meeting it had foreseen
    return true;
  }
  if (p.end - state.t < 2 * p.shortest) {
    p.left = 0;
    return false;
  }
  p.before = {state, report, v.last.parts()};
  if (p.part.end.meets == 0) p.start = p.before;
  p.part.end = seen;
  p.part.end.meets = std::max(p.comes_up ? seen.meets - p.own : seen.meets, p.shortest);
  p.again = p.comes_up || seen.past > 0 ? 0 : kMostLengths;
  if (!p.comes_up || came_up) --p.left;
  return true;
}

/// Makes the part that was planned, ever shorter where something has struck in it that it was to
/// end before. False: it is left unmade, as it sweeps.
bool make_part(Stepping& v, model::State& state, bool sweeps, Parts& p, StepReport& report) {
  for (double more = p.own;; more *= 2) {
    if (!land(v, state, sweeps, p.part, report)) return false;
    p.struck = has_struck(p.before.report, report);
    if (!p.comes_up || !p.struck || more >= p.part.end.meets) break;
    go_back(v, p.before, state, report);
    p.part.end.meets -= more;
  }
  go_past(v, state, p.end, p.part, report);
  return true;
}

bool leave_unmade(Stepping& v, model::State& state, const Parts& p, StepReport& report) {
  if (p.part.end.meets > 0)
    go_back(v, p.start, state, report);
  else
    begin_again(v, state, p.h);
  return false;
}

/// Makes a step in parts that end where bodies meet or leave, or rows meet their stops, so that
/// each impact is found with the rates and gaps of its moment. On failure the step is made as if
/// they did not. With `sweeps` it may be left unmade where that is seen: returns false then.
bool step_between_meetings(Stepping& v, model::State& state, double h, bool sweeps,
                           StepReport& report) {
  Parts p = parts_of(v.mechanism, state, h);
  while (report.status == Status::ok) {
    const Left seen = make_rest(v, state, sweeps, p, report);
    if (seen.sweeps) return leave_unmade(v, state, p, report);
    if (!seen.unmade()) break;
    const bool divides = plan_part(v, state, seen, p, report);
    begin_again(v, state, h);
    if (divides && !make_part(v, state, sweeps, p, report))
      return leave_unmade(v, state, p, report);
  }
  if (p.part.end.meets == 0) return true;
  if (report.status == Status::ok) {
    state.step = p.start.state.step + 1;
    return true;
  }
  go_back(v, p.start, state, report);
  step_once(v, state, h, {.instant = p.shortest}, report);
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
