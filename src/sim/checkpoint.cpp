#include "sim/checkpoint.h"

#include <fmt/format.h>

#include <array>

#include "model/inputs.h"
#include "model/transient.h"

namespace trammel::sim {

template <>
struct Members<form::Event> {
  static void each(auto&& event, auto&& f) {
    auto& [t, kind, subject, text, value, unit] = event;
    f(t, kind, subject, text, value, unit);
  }
};

template <>
struct Members<constraint::ContactReport> {
  static void each(auto&& report, auto&& f) {
    auto& [points, sweeps, newton, merit, depth, sunk, turned, converged, impacts, ended, met, late,
           lateness, far] = report;
    f(points, sweeps, newton, merit, depth, sunk, turned, converged, impacts, ended, met, late,
      lateness, far);
  }
};

template <>
struct Members<form::StepReport> {
  static void each(auto&& report, auto&& f) {
    auto& [status, reason, about, iterations, factorisations, way, struck, bounds, gap, angle,
           row_speed, distance, merit, momentum, wrench_impulses, contacts, events, impacts,
           reached] = report;
    f(status, reason, about, iterations, factorisations, way.newton, way.parts, way.fallback,
      struck, bounds, gap, angle, row_speed, distance, merit, momentum.impulse, momentum.moment,
      momentum.corrected, wrench_impulses, contacts, events);
  }
};

template <>
struct Members<Greatest> {
  static void each(auto&& greatest, auto&& f) {
    auto& [value, t] = greatest;
    f(value, t);
  }
};

template <>
struct Members<Blows> {
  static void each(auto&& blows, auto&& f) {
    auto& [greatest, count] = blows;
    f(greatest, count);
  }
};

template <>
struct Members<PeaksSeen> {
  static void each(auto&& peaks, auto&& f) {
    auto& [rows, channels, blows] = peaks;
    auto& [joints, couplings, laws, touches] = blows;
    f(rows, channels, joints, couplings, laws, touches);
  }
};

template <>
struct Members<Summary> {
  static void each(auto&& summary, auto&& f) {
    auto& [steps, simulated, max_gap, max_angle, max_row_speed, energy_residual, energy_scale,
           numerical_damping, momentum_residual_rel, iterations, factorisations, newton_steps,
           parted_steps, fallbacks, order2_steps, merit, events] = summary;
    f(steps, simulated, max_gap, max_angle, max_row_speed, energy_residual, energy_scale,
      numerical_damping, momentum_residual_rel, iterations, factorisations, newton_steps,
      parted_steps, fallbacks, order2_steps, merit, events);
  }
};

template <>
struct Members<Climb> {
  static void each(auto&& climb, auto&& f) {
    auto& [value, t, worst, t_worst] = climb;
    f(value, t, worst, t_worst);
  }
};

template <>
struct Members<Peak> {
  static void each(auto&& peak, auto&& f) {
    auto& [worst, t_worst, t_first, subject] = peak;
    f(worst, t_worst, t_first, subject);
  }
};

template <>
struct Members<Swing> {
  static void each(auto&& swing, auto&& f) {
    auto& [n, mean, squares, changes, last, stiffness, t_first] = swing;
    f(n, mean, squares, changes, last, stiffness, t_first);
  }
};

template <>
struct Members<Landing> {
  static void each(auto&& landing, auto&& f) {
    auto& [last, allowed, closed, lo, hi, late] = landing;
    f(last, allowed, closed, lo, hi, late);
  }
};

template <>
struct Members<Course> {
  static void each(auto&& course, auto&& f) {
    auto& [lo, hi, jump, off] = course;
    f(lo, hi, jump, off);
  }
};

template <>
struct Members<LoadWatch> {
  static void each(auto&& push, auto&& f) {
    auto& [total, worst, t_worst, error, place] = push;
    f(total, worst, t_worst, error, place);
  }
};

template <>
struct Members<LimitWatch> {
  static void each(auto&& limit, auto&& f) {
    auto& [most, least, t_least, t_first, t_no_number, place] = limit;
    f(most, least, t_least, t_first, t_no_number, place);
  }
};

template <>
struct Members<Missing> {
  static void each(auto&& missing, auto&& f) {
    auto& [frames, t_first] = missing;
    f(frames, t_first);
  }
};

template <>
struct Members<Shake> {
  static void each(auto&& shake, auto&& f) {
    auto& [p, v, change, n, worst, t_worst, t_first] = shake;
    f(p, v, change, n, worst, t_worst, t_first);
  }
};

template <>
struct Members<Touches> {
  static void each(auto&& touches, auto&& f) {
    auto& [sweeps, newton, unsolved, most, merit, sunk, turned, depth, impacts, met, late, lateness,
           hurried, far, taken] = touches;
    f(sweeps, newton, unsolved, most, merit, sunk, turned, depth, impacts, met, late, lateness,
      hurried, far, taken);
  }
};

template <>
struct Members<Part> {
  static void each(auto&& part, auto&& f) {
    auto& [start, moved, residual] = part;
    f(start, moved, residual);
  }
};

template <>
struct Members<Sag> {
  static void each(auto&& sag, auto&& f) {
    auto& [share, value] = sag;
    f(share, value);
  }
};

template <>
struct Members<KinkLoss> {
  static void each(auto&& loss, auto&& f) {
    auto& [track, count, energy] = loss;
    f(track, count, energy);
  }
};

template <>
struct Members<Kinks> {
  static void each(auto&& kinks, auto&& f) {
    auto& [joints, lost, kinetic, passed, impacts] = kinks;
    f(joints, lost, kinetic, passed, impacts);
  }
};

template <>
struct Members<Observed> {
  static void each(auto&& o, auto&& f) {
    auto& [momentum, moment, momentum_scale, moment_scale, momentum_floor, reach, moved, floor,
           residual, integrator, corrections, integrator_last, turn, counted_turn, shown_turn, sunk,
           leap, bend, bend_share, chance, chances, inverse_mass, least_inverse, soft_break,
           soft_strength, sunk_depth, sunk_allowed, steps, fallbacks, fallback_first, fallback_last,
           swings, landings, courses, load_watches, limits, shakes, touches, parts, no_numbers, sag,
           peaks, kinks] = o;
    f(momentum, moment, momentum_scale, moment_scale, momentum_floor, reach, moved, floor, residual,
      integrator, corrections, integrator_last, turn, counted_turn, shown_turn, sunk, leap, bend,
      bend_share, chance, chances, inverse_mass, least_inverse, soft_break, soft_strength,
      sunk_depth, sunk_allowed, steps, fallbacks, fallback_first, fallback_last, swings, landings,
      courses, load_watches, limits, shakes, touches, parts, no_numbers, sag, peaks, kinks);
  }
};

template <>
struct Members<model::State> {
  static void each(auto&& state, auto&& f) {
    model::State::each(state, [&](const char*, auto& field) { f(field); });
  }
};

namespace {

/// A field that has as many numbers as the fresh one; some are empty before the first step.
void check_sizes(const model::State& state, const model::State& fresh) {
  std::vector<std::size_t> sizes;
  model::State::each(fresh, [&](const char*, const auto& field) {
    if constexpr (!Plain<std::decay_t<decltype(field)>>) sizes.push_back(field.size());
  });
  auto size = sizes.begin();
  model::State::each(state, [&](const char* name, const auto& field) {
    if constexpr (!Plain<std::decay_t<decltype(field)>>) {
      if (*size != 0 && field.size() != *size)
        throw CheckpointError(fmt::format("it is of another mechanism: '{}' has {} numbers, not {}",
                                          name, field.size(), *size));
      ++size;
    }
  });
}

}  // namespace

namespace {
constexpr std::size_t kReaction = 6;  // numbers of one: force, torque

std::vector<double> reactions_of(const Simulation& simulation) {
  std::vector<model::Reaction> reactions;
  simulation.formulation().reactions(simulation.state().on, reactions);
  std::vector<double> out(kReaction * reactions.size());
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    vec3(out.data() + kReaction * j) = reactions[j].force;
    vec3(out.data() + kReaction * j + 3) = reactions[j].torque;
  }
  return out;
}

std::vector<model::Reaction> to_reactions(const std::vector<double>& numbers) {
  std::vector<model::Reaction> out;
  for (std::size_t k = 0; k + kReaction <= numbers.size(); k += kReaction)
    out.push_back({vec3(numbers.data() + k), vec3(numbers.data() + k + 3)});
  return out;
}
}  // namespace

std::string to_bytes(const Simulation& simulation) {
  ArchiveWriter out;
  out(simulation.formulation().row_forces());
  out(reactions_of(simulation));
  Simulation::each(simulation, out);
  return out.take();
}

void from_bytes(std::string_view bytes, Simulation& simulation) {
  model::State fresh = simulation.state_;
  const std::size_t probes = simulation.probe_.size();
  const Observed& seen = simulation.watch_.seen;
  const auto watched = [&] {
    const auto& blows = seen.peaks.blows;
    return std::array{seen.swings.size(),
                      seen.landings.size(),
                      seen.courses.size(),
                      seen.load_watches.size(),
                      seen.limits.size(),
                      seen.parts.size(),
                      seen.peaks.channels.size(),
                      blows[0].size(),
                      blows[1].size(),
                      blows[2].size(),
                      blows[3].size()};
  };
  const auto before = watched();
  std::vector<double> forces, reactions;
  ArchiveReader in(bytes);
  in(forces);
  in(reactions);
  Simulation::each(simulation, in);
  if (!in.rest().empty()) throw CheckpointError("there is more in it than a simulation");
  const model::Model& model = simulation.model();
  const model::Transients& transients = simulation.state_.transients;
  if (const std::string why = wrong_mechanism(model, simulation.state_); !why.empty())
    throw CheckpointError("it is of another mechanism: " + why);
  carry(model, fresh, transients);
  check_sizes(simulation.state_, fresh);
  const std::size_t rows = model.rows.size() + rows_of(model, transients);
  if (forces.size() != rows || simulation.probe_.size() != probes ||
      simulation.probe_velocity_.size() != probes || simulation.probe_seen_.size() != probes ||
      simulation.probe_acceleration_.size() != probes || watched() != before)
    throw CheckpointError("it is of another mechanism: its rows or probes are others");
  *simulation.live_ = model::inputs_of(simulation.state_);
  simulation.form_.load(simulation.state_);
  if (reactions.size() != kReaction * simulation.mechanism().joints.size())
    throw CheckpointError("it is of another mechanism: its joints are others");
  simulation.form_.set_last_forces(forces, to_reactions(reactions));
}

}  // namespace trammel::sim
