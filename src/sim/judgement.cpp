#include "sim/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/index.h"
#include "sim/judgement_energy.h"
#include "sim/judgement_forces.h"
#include "sim/judgement_sizes.h"
#include "units/dimension.h"

namespace trammel::sim {

namespace {

using Formulation = form::Settings::Formulation;

constexpr double kUnsolved = 0.05;  // of the mechanism's speed: contacts no run can be trusted with

class Judge {
 public:
  Judge(const Watch& watch, const model::Model& model, const Settings& settings)
      : watch_(watch), o_(watch.seen), model_(model), settings_(settings) {}

  std::vector<Warning> all() {
    of_energies();
    of_momentum();
    of_turns();
    of_bends();
    of_chance();
    of_fallbacks();
    of_contacts();
    of_springs();
    of_shakes();
    of_leaps();
    of_drives();
    judge_forces(
        watch_, settings_, [this](double step) { return shorter(step); }, out_);
    judge_limits(watch_, model_, out_);
    judge_sensors(watch_, settings_, out_);
    judge_kinks(watch_, model_, out_);
    of_stops();
    of_late_impacts();
    of_soft_breaks();
    judge_sag(watch_, model_, settings_, out_);
    of_unused();
    of_shared_loads();
    judge_sizes(watch_, model_, out_);
    of_start();
    return std::move(out_);
  }

 private:
  std::string shorter(double step) const {
    const double h = settings_.step;
    const std::string text = time_text(std::clamp(step, h / 1000, h / 1.5));
    if (!watch_.steps_are_the_grids()) return "use a smaller accuracy";
    return fmt::format("use a step below {}", text);
  }
  std::string by_forces() const {
    if (settings_.form.formulation == Formulation::acceleration) return "";
    const auto strains = [](const model::Joint& j) { return j.strain(); };
    if (can_touch(model_) && std::any_of(model_.joints.begin(), model_.joints.end(), strains))
      return "";  // which it refuses
    return ", or formulation = \"acceleration\"";
  }

  void of_energies() {
    of_energy(o_.residual, WarningKind::energy_residual);
    const bool gains = o_.integrator_last > 0;
    of_energy(o_.integrator, gains ? WarningKind::numerical_gain : WarningKind::numerical_damping);
    of_energy(o_.corrections, WarningKind::position_corrections);
    if (out_.empty()) of_parts();
  }

  /// The part whose residual is the greatest share.
  void of_parts() {
    double worst = 1;
    std::size_t which = 0;
    for (std::size_t i = 0; i < o_.parts.size(); ++i) {
      const Part& p = o_.parts[i];
      const double share = p.residual.worst / std::max(watch_.residual_share() * p.moved, o_.floor);
      if (!(share > worst)) continue;
      worst = share;
      which = i;
    }
    if (worst > 1)
      of_energy(o_.parts[which].residual, WarningKind::energy_residual, static_cast<int>(which));
  }

  static std::string energy_text(WarningKind kind, double value, double all) {
    const std::string much = fmt::format("{:.3g} J", value), moved = fmt::format("{:.3g} J", all);
    const std::string of =
        all > value / 100 ? fmt::format("{:.3g} % of the {} that moved", 100 * value / all, moved)
                          : fmt::format("where {} moved", moved);
    if (kind == WarningKind::energy_residual)
      return fmt::format("{} came from nowhere or went there, {}", much, of);
    if (kind == WarningKind::position_corrections)
      return fmt::format("moving bodies back to where they belong has changed the energy by {}, {}",
                         much, of);
    return fmt::format("the scheme has {} {}, {}",
                       kind == WarningKind::numerical_gain ? "put in" : "taken", much, of);
  }

  double share_of(WarningKind kind) const {
    if (kind == WarningKind::position_corrections) return kCorrectedLimit;
    return kind == WarningKind::energy_residual ? watch_.residual_share() : kShareLimit;
  }
  void of_energy(const Climb& climb, WarningKind kind, int part = -1) {
    const double moved = part < 0 ? o_.moved : o_.parts[at(part)].moved;
    const double limit = std::max(share_of(kind) * moved, o_.floor);
    if (climb.worst <= limit) return;
    Warning w;
    w.kind = kind;
    w.subject = part < 0 ? model_.name : watch_.body_of(at(part));
    w.text = energy_text(kind, climb.worst, moved);
    w.t_first = climb.first_beyond(limit);
    w.t_worst = climb.t_worst;
    w.value = climb.worst;
    w.limit = limit;
    w.unit = "J";
    const double times = climb.worst / limit;  // falls as the step to the power of the order
    w.grave = !(times <= kGrave);
    const bool first = settings_.form.scheme == form::Settings::Scheme::baumgarte ||
                       settings_.form.difference == form::Settings::Difference::bdf1;
    w.remedy =
        shorter(settings_.step * (first ? 0.5 / times : std::sqrt(0.5 / times))) + other_way();
    if (part < 0) name_subject(w);
    out_.push_back(w);
  }

  std::string other_way() const {
    const form::Settings& f = settings_.form;
    if (f.formulation == Formulation::velocity && f.scheme == form::Settings::Scheme::baumgarte)
      return ", or scheme = \"rattle\"";
    if (f.formulation == Formulation::energy && f.difference == form::Settings::Difference::bdf1)
      return ", or difference = \"bdf2\"";
    return by_forces();
  }

  /// Names the spring or body that the steps resolve least: the energy may be its own.
  void name_subject(Warning& w) const {
    double worst = 0.3;
    for (std::size_t i = 0; i < o_.swings.size(); ++i) {
      const double phase = o_.swings[i].phase();
      if (phase <= worst) continue;
      worst = phase;
      w.subject = watch_.springs()[i].name;
    }
    if (o_.turn.subject < 0 || !(o_.turn.worst > worst)) return;  // no number where it blew up
    w.subject = model_.objects[at(o_.turn.subject)].name;
  }

  /// Judges the momentum that no impulse from outside accounts for, summed over the run.
  void of_momentum() {
    const double limit = std::max(kShareLimit * o_.momentum_scale, o_.momentum_floor),
                 turning = std::max(kShareLimit * o_.moment_scale, o_.momentum_floor * o_.reach);
    const double p = o_.momentum.worst, l = o_.moment.worst;
    if (p <= limit && l <= turning) return;
    const bool linear = p * turning >= l * limit;
    const Climb& climb = linear ? o_.momentum : o_.moment;
    Warning w;
    w.kind = WarningKind::momentum_residual;
    w.subject = model_.name;
    if (o_.turn.subject >= 0 && !linear) w.subject = model_.objects[at(o_.turn.subject)].name;
    w.value = climb.worst;
    w.limit = linear ? limit : turning;
    w.unit = linear ? "N s" : "N m s";
    w.t_first = climb.first_beyond(w.limit);
    w.t_worst = climb.t_worst;
    const double times = w.value / w.limit, all = linear ? o_.momentum_scale : o_.moment_scale;
    w.grave = !(times <= kGrave);
    w.text = fmt::format(
        "{:.3g} {} of its {}momentum came from nowhere or went there, {:.3g} % of "
        "the most that it had",
        w.value, w.unit, linear ? "" : "angular ", 100 * w.value / all);
    w.remedy = shorter(settings_.step * std::sqrt(0.5 / times)) + other_way();
    out_.push_back(w);
  }

  /// A warning of what was greatest at one body, without its words.
  Warning at_body(WarningKind kind, const Peak& peak, double limit, const char* unit) const {
    Warning w = of_peak(kind, peak, limit, unit);
    w.subject = model_.objects[at(peak.subject)].name;
    w.grave = !(peak.worst <= kGrave * limit);
    return w;
  }

  /// Grave where within a step something depends on a turn of which the ends show nothing.
  void of_turns() {
    const bool lost = o_.counted_turn.worst > kTurnCountLimit,
               shows = o_.shown_turn.worst > kTurnCountLimit;
    const Peak& shown = lost                               ? o_.counted_turn
                        : o_.shown_turn.worst > kTurnLimit ? o_.shown_turn
                                                           : o_.turn;
    if (!(shown.worst > kTurnLimit)) return;
    Warning w = at_body(WarningKind::large_turns, shown, kTurnLimit, "rad");
    w.t_first = std::min(shown.t_first, o_.turn.t_first);
    w.grave = lost || shows;
    w.text = fmt::format("it turns by {:.3g} rad in a step", shown.worst);
    if (lost)
      w.text += ", more than half a turn: the angles and turns counted of its joints are wrong";
    else if (shows)
      w.text +=
          ", more than half a turn, and what holds or pushes it goes elsewhere in between than the "
          "ends of the step show";
    w.remedy = shorter(0.5 * settings_.step / shown.worst);
    out_.push_back(w);
  }

  void of_bends() {
    const Peak& bend = o_.bend;
    if (!(bend.worst > kBendLimit)) return;
    Warning w = at_body(WarningKind::bent_coordinates, bend, kBendLimit, "1");
    const bool singular = o_.bend_share < kSingular;
    w.text = fmt::format(
        "the coordinate goes otherwise than its rate by {:.2g} in a step, as the mass that it "
        "moves "
        "changes: the chart is {}",
        bend.worst,
        singular ? fmt::format("nearly singular there, where it moves {:.1g} of it", o_.bend_share)
                 : "good there and bends, more than the steps follow");
    w.remedy = shorter(settings_.step * std::sqrt(0.5 * w.limit / w.value)) + by_forces() +
               ", or take coordinates that " + (singular ? "are singular elsewhere" : "bend less");
    out_.push_back(w);
  }

  /// Steps of other lengths, or from another start, would give other results: none are good.
  void of_chance() {
    const Peak& chance = o_.chance;
    if (!(chance.worst > kBendLimit)) return;
    Warning w = at_body(WarningKind::unresolved_chart, chance, kBendLimit, "1");
    w.grave = true;
    w.text = fmt::format(
        "it passes places where it moves another mass within a step, as beside a pole of the "
        "chart: the steps make {:.2g} of that, as they fall",
        w.value);
    w.remedy = "take coordinates that are singular elsewhere, a step shorter by far" + by_forces();
    out_.push_back(w);
  }

  void of_fallbacks() {
    const double share =
        o_.steps > 0 ? static_cast<double>(o_.fallbacks) / static_cast<double>(o_.steps) : 0;
    if (!(share > kFallbackLimit)) return;
    Warning w;
    w.kind = WarningKind::fallback_steps;
    w.subject = model_.name;
    w.t_first = o_.fallback_first;
    w.t_worst = o_.fallback_last;
    w.value = share;
    w.limit = kFallbackLimit;
    w.unit = "1";
    w.text = fmt::format(
        "{} of {} steps were made by the way of singular configurations, whose errors are larger",
        o_.fallbacks, o_.steps);
    w.remedy = shorter(settings_.step / 4) + by_forces();
    out_.push_back(w);
  }

  void of_contacts() {
    const Touches& t = o_.touches;
    if (const double most = kMeritLimit * model_.scales.speed; t.merit.worst > most) {
      Warning w = of_peak(WarningKind::contacts_not_solved, t.merit, most, "m/s");
      w.grave = w.value > kUnsolved * model_.scales.speed;
      const bool energy = settings_.form.formulation == Formulation::energy;
      w.text = fmt::format(
          "{} of {} steps did not find the {} of all contacts; the worst "
          "leaves {:.3g} m/s",
          t.unsolved, o_.steps, energy ? "minimum" : "impulses", t.merit.worst);
      w.remedy = shorter(settings_.step / 2) + (energy ? "" : ", or allow more contact_sweeps");
      out_.push_back(w);
    }
    if (t.turned.worst > kTurnedLimit) {
      Warning w = of_peak(WarningKind::coarse_impacts, t.turned, kTurnedLimit, "1");
      w.grave = w.value > kTurnedGrave;
      w.text = fmt::format(
          "bodies go so far in the step in which they meet that the normal turns by {:.2g} "
          "degrees: "
          "where they go from there is as uncertain",
          std::asin(std::min(t.turned.worst, 1.)) * 180 / std::numbers::pi);
      w.remedy = shorter(settings_.step * kTurnedLimit / t.turned.worst);
      out_.push_back(w);
    }
    judge_rolling(watch_, model_, shorter(settings_.step / 4) + by_forces(), out_);
    if (t.lateness.worst > kLatenessLimit) {
      Warning w = of_peak(WarningKind::late_contacts, t.lateness, kLatenessLimit, "1");
      w.text = fmt::format(
          "{} of {} times bodies have met within a step that was not divided for it, as many did "
          "so "
          "in it: up to {:.2g} of their extent before its end",
          t.late, t.met, t.lateness.worst);
      w.remedy = shorter(settings_.step * kLatenessLimit / t.lateness.worst);
      out_.push_back(w);
    }
    if (t.hurried.worst > 0) {
      Warning w = of_peak(WarningKind::impacts_without_end, t.hurried, 0, "1");
      w.text = fmt::format(
          "bodies that strike one after the other did so {:.0f} times at one instant: what was "
          "left was solved at once",
          w.value);
      w.remedy =
          "impacts = \"simultaneous\" takes all at once; restitution below 1 among many "
          "bodies has no end";
      out_.push_back(w);
    }
    if (t.sunk.worst > kOverlapLimit) {
      Warning w = of_peak(WarningKind::overlap, t.sunk, kOverlapLimit, "1");
      w.grave = w.value > kGrave * kOverlapLimit;
      w.text =
          fmt::format("shapes overlap by {:.3g} m, {:.3g} of their extent", t.depth, t.sunk.worst);
      w.remedy = shorter(settings_.step / 2) + "; see that shapes do not overlap at the start";
      out_.push_back(w);
    }
  }
  Warning of_peak(WarningKind kind, const Peak& peak, double limit, const std::string& unit) const {
    Warning w;
    w.kind = kind;
    w.subject = model_.name;
    w.t_first = peak.t_first;
    w.t_worst = peak.t_worst;
    w.value = peak.worst;
    w.limit = limit;
    w.unit = unit;
    return w;
  }

  /// Energy of a spring below which its vibration does not count [J]. What meets by energy shakes
  /// bodies that strain, which the scheme damps away as it is meant to: that counts by its energy.
  double negligible(const Watch::Subject& spring) const {
    const bool shaken = settings_.form.formulation == Formulation::energy && can_touch(model_) &&
                        model_.joints[at(model_.rows[at(spring.row)].joint)].strain();
    return std::max((shaken ? kShareLimit : kNegligible) * o_.moved, o_.floor);
  }

  void of_springs() {
    constexpr double kHidden = 60;  // beyond it the force merely turns its sign from step to step
    Warning w;
    int others = 0;
    for (std::size_t i = 0; i < o_.swings.size(); ++i) {
      const Swing& s = o_.swings[i];
      const double phase = s.phase();
      if (!(phase > kPhaseLimit) ||
          s.amplitude() <
              100 * model_.scales.length * settings_.form.tolerance.share(model_.scales) ||
          s.energy() < negligible(watch_.springs()[i]))
        continue;
      w.t_first = others == 0 ? s.t_first : std::min(w.t_first, s.t_first);
      ++others;
      w.kind = WarningKind::unresolved_vibration;
      if (phase <= w.value) continue;
      w.subject = watch_.springs()[i].name;
      w.value = phase;
      w.t_worst = settings_.duration;
      w.text = fmt::format(
          "its force swings faster than the steps follow (step times angular frequency {:.2g}{}), "
          "with {:.2g} J",
          std::min(phase, kHidden), phase > kHidden ? " or more" : "", s.energy());
    }
    if (others == 0) return;
    if (others > 1) w.text += fmt::format("; so does that of {} more", others - 1);
    w.t_worst = w.t_first;
    w.limit = kPhaseLimit;
    w.unit = "1";
    w.remedy = w.value > kHidden
                   ? "use a far shorter step, or a joint that holds in place of the spring"
                   : shorter(0.3 * settings_.step / w.value) + by_forces();
    out_.push_back(w);
  }

  /// The body whose velocity goes to and fro most often.
  void of_shakes() {
    const Shake* worst = nullptr;
    int body = -1;
    for (std::size_t k = 0; k < o_.shakes.size(); ++k) {
      const Shake& s = o_.shakes[k];
      if (static_cast<double>(s.n) <= kShakeLimit * static_cast<double>(o_.steps)) continue;
      if (worst && s.n <= worst->n) continue;
      worst = &s;
      body = watch_.shaken(k);
    }
    if (!worst) return;
    Warning w;
    w.kind = WarningKind::unresolved_vibration;
    w.subject = model_.objects[at(body)].name;
    w.t_first = worst->t_first;
    w.t_worst = worst->t_worst;
    w.value = static_cast<double>(worst->n) / static_cast<double>(o_.steps);
    w.limit = kShakeLimit;
    w.unit = "1";
    w.text = fmt::format(
        "its velocity goes to and fro, by up to {:.2g} m/s, in {} of {} steps: beside what it "
        "carries "
        "it is so light that it swings faster than the steps follow",
        worst->worst, worst->n, o_.steps);
    w.remedy = shorter(settings_.step / 10) + ", or fewer degrees of freedom of light bodies";
    out_.push_back(w);
  }

  void of_leaps() {
    const Peak& leap = o_.leap;
    if (!(leap.worst > kLeapLimit)) return;
    Warning w = at_body(WarningKind::unresolved_leap, leap, kLeapLimit, "1");
    w.text = fmt::format(
        "in a step it goes otherwise than its speeds before and after have it, by {:.2g} of the "
        "mechanism's reach: so light, it snaps over faster than the steps follow",
        leap.worst);
    w.remedy = shorter(settings_.step * std::sqrt(0.5 * w.limit / w.value)) + by_forces();
    out_.push_back(w);
  }

  void of_drives() {
    for (std::size_t i = 0; i < o_.courses.size(); ++i) {
      if (watch_.steps_are_the_grids()) judge_drive(watch_, i, settings_, shorter_, out_);
      const Course& c = o_.courses[i];
      const double limit = kJumpLimit * (c.hi - c.lo);
      if (!(c.jump.worst > limit)) continue;
      const Watch::Subject& s = watch_.drives()[i];
      Warning w;
      w.kind = WarningKind::teleporting_drive;
      w.subject = s.name;
      w.t_first = c.jump.first_beyond(limit);
      w.t_worst = c.jump.t_worst;
      w.value = c.jump.worst;
      w.limit = limit;
      w.unit = s.unit;
      w.grave = c.jump.worst > kGrave * limit;
      w.text = fmt::format("the motion given jumps by {:.3g} {} at once", w.value, s.unit);
      w.remedy = "give a motion without jumps, such as a ramp, or a velocity";
      out_.push_back(w);
    }
  }

  void of_stops() {
    if (!(o_.sunk.worst > kSunkLimit) || settings_.form.formulation == Formulation::energy) return;
    const Watch::Subject& s = watch_.stops()[at(o_.sunk.subject)];
    Warning w = of_peak(WarningKind::deep_sinking, o_.sunk, kSunkLimit * o_.sunk_allowed, s.unit);
    w.subject = s.name;
    w.value = o_.sunk_depth;
    w.text =
        fmt::format("what stops there has sunk in by {:.3g} {}, where landing explains {:.3g} {}",
                    o_.sunk_depth, s.unit, o_.sunk_allowed, s.unit);
    w.remedy = shorter(settings_.step / 4) + by_forces();
    out_.push_back(w);
  }

  /// Judges the stop with restitution whose impacts come too late by the most.
  void of_late_impacts() {
    int worst = -1;
    const auto share = [&](std::size_t i) {
      const Landing& l = o_.landings[i];
      return l.hi > l.lo ? l.late.worst / (l.hi - l.lo) : 0;
    };
    for (std::size_t i = 0; i < o_.landings.size(); ++i)
      if (share(i) > std::max(kShareLimit, worst < 0 ? 0 : share(at(worst))))
        worst = static_cast<int>(i);
    if (worst < 0) return;
    const Landing& l = o_.landings[at(worst)];
    const Watch::Subject& s = watch_.stops()[at(worst)];
    Warning w;
    w.kind = WarningKind::late_impacts;
    w.subject = s.name;
    w.limit = kShareLimit * (l.hi - l.lo);
    w.value = l.late.worst;
    w.t_first = l.late.first_beyond(w.limit);
    w.t_worst = l.late.t_worst;
    w.unit = s.unit;
    w.text = fmt::format(
        "not all of its impacts are located within steps (of eight at most in one, and of 32 "
        "mechanisms at most): what it has thrown back is off by up to {:.3g} {} of the {:.3g} {} "
        "that it went",
        w.value, s.unit, l.hi - l.lo, s.unit);
    w.remedy = shorter(0.5 * settings_.step * w.limit / w.value) + by_forces();
    out_.push_back(w);
  }

  /// Soft joints are springs without load at the start: they swing about what they carry, up to
  /// twice a load that comes on at once.
  void of_soft_breaks() {
    const Peak& b = o_.soft_break;
    if (b.subject < 0 || b.worst > 2 * o_.soft_strength) return;
    Warning w;
    w.kind = WarningKind::break_of_a_soft_joint;
    w.subject = model_.joints[at(b.subject)].name;
    w.value = b.worst;
    w.limit = o_.soft_strength;
    w.t_first = w.t_worst = b.t_worst;
    w.text = fmt::format(
        "it broke of a force of {:.4g}, its strength is {:.4g}: soft joints swing about what they "
        "carry, a load that comes on at once is felt up to twice",
        w.value, w.limit);
    w.remedy = "joint_stiffness = \"inf\", or formulation = \"velocity\"";
    out_.push_back(w);
  }

  /// Velocities that were given and do not fit the joints: those keep what they allow of them.
  void of_start() {
    const auto& [changed, energy, body] = watch_.fit();
    if (!(energy > 0) || changed <= kShareLimit * energy) return;
    Warning w;
    w.kind = WarningKind::start_velocities;
    w.subject = body;
    w.value = changed / energy;
    w.limit = kShareLimit;
    w.grave = !(w.value <= kGrave * w.limit);
    w.text = fmt::format(
        "the velocities given do not fit the joints, which changed them by {:.3g} % of their "
        "energy",
        100 * w.value);
    w.remedy =
        "give velocities that fit: of the body's origin too where it turns about another point";
    out_.push_back(w);
  }

  /// Friction by a load that redundant joints share as they like.
  void of_shared_loads() {
    for (const model::LawOnRow& l : model_.laws) {
      if (!l.law.type->follows_load || l.load < 0 || !watch_.shares(l.load)) continue;
      Warning w;
      w.kind = WarningKind::undetermined_load;
      w.subject = l.name;
      w.text = fmt::format(
          "it follows the reaction of joint '{}', which rows of other joints share: how they do is "
          "not determined, the least reactions are taken",
          model_.joints[at(l.load)].name);
      w.remedy = "leave one joint free where others hold as well, or share the load by springs";
      w.value = w.limit = 1;
      out_.push_back(w);
    }
  }

  /// Numbers of the force answer, where laws are constraints: scenes refuse them, models built in
  /// C++ belong to no formulation.
  void of_unused() {
    const form::Settings& f = settings_.form;
    const bool energy = f.formulation == Formulation::energy,
               holds = !energy || std::isinf(f.joint_stiffness);
    for (const model::LawOnRow& l : model_.laws) {
      const law::Type& type = *l.law.type;
      for (std::size_t k = 0; k < type.parameters.size(); ++k) {
        const law::Parameter& p = type.parameters[k];
        const bool unused =
            (p.name == "smoothing" && !energy) || (p.name == "stiffness" && !type.energy && holds);
        const double given = watch_.params().values[at(l.law.first_param) + k];
        if (!unused || given == p.fallback) continue;
        Warning w;
        w.kind = WarningKind::unused_number;
        w.subject = l.name;
        w.text = fmt::format("its {} of {:g} has no effect here", p.name, given);
        w.remedy = p.name == "smoothing" || !energy
                       ? "leave it out, or take formulation = \"energy\""
                       : "leave it out, or give the joints a stiffness";
        w.value = given;
        w.limit = p.fallback;
        out_.push_back(w);
      }
    }
  }

  static constexpr double kNegligible = 1e-9;  // of what moved
  /// Lifting out what has sunk in at a speed v takes g h / v of its energy, which is no fault.
  static constexpr double kCorrectedLimit = 0.1;

  const Watch& watch_;
  const Observed& o_;
  const model::Model& model_;
  const Settings& settings_;
  Shorter shorter_ = [this](double step) { return shorter(step); };
  std::vector<Warning> out_;
};

}  // namespace

std::vector<Warning> judge(const Watch& watch, const model::Model& model,
                           const Settings& settings) {
  return Judge(watch, model, settings).all();
}

}  // namespace trammel::sim
