#include "cli/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/peaks_report.h"
#include "cli/text_table.h"
#include "io/json.h"
#include "version.h"

namespace trammel::cli {

namespace {

double per_step(long n, const sim::Summary& s) {
  return s.steps > 0 ? static_cast<double>(n) / static_cast<double>(s.steps) : 0;
}

std::string order_text(const RunReport& r) {
  if (r.formulation == "acceleration") {
    const std::string order = fmt::format("order {}", r.order);
    return r.accuracy > 0 ? fmt::format("{}, accuracy {}", order, number(r.accuracy)) : order;
  }
  if (r.formulation == "energy") return fmt::format("order {}", r.order);
  if (r.order != 4) return fmt::format("order {}", r.scheme == "baumgarte" ? 1 : 2);
  if (r.summary.order2_steps == 0) return "order 4";
  return fmt::format("order 4, {} of order 2", count(r.summary.order2_steps, "step"));
}

std::string start_text(const model::StartReport& s) {
  const bool moved = s.moved > 1e-9 || s.turned > 1e-9;
  const bool changed = s.speed_change > 1e-9 || s.spin_change > 1e-9;
  std::string out = moved ? fmt::format("bodies moved by up to {} m, {} rad (most: {})",
                                        number(s.moved, 3), number(s.turned, 3), s.moved_body)
                    : s.coordinates.empty() ? "frames meet, nothing moved"
                                            : start_coordinates(s);
  if (changed)
    out += fmt::format("; velocities changed by up to {} m/s, {} rad/s", number(s.speed_change, 3),
                       number(s.spin_change, 3));
  return out;
}

/// Where next to nothing is moved, what is left over as a part of that says nothing.
std::string energy_text(const sim::Summary& s) {
  if (s.energy_residual > 1e-3 * s.energy_scale)
    return fmt::format("residual {:.1e} J, {:.1e} J moved", s.energy_residual, s.energy_scale);
  return fmt::format("residual {:.1e} of {} moved", s.energy_residual_rel(),
                     shown(s.energy_scale, "J", 4).text());
}

/// How many impacts were not located within their steps; empty: all were.
std::string late_text(const Impacts& i) {
  if (i.late == 0) return "";
  return fmt::format("; {} of {} impacts at the end of their step, up to {:.1g} of an extent late",
                     i.late, i.met, i.lateness);
}

/// Works below what rounding leaves of the energies moved are none.
std::string contacts_text(const RunReport& r) {
  const auto text = [&](double work) {
    const bool none = std::abs(work) <= 1e-12 * r.summary.energy_scale;
    return shown(none ? 0 : work, "J", 4).text();
  };
  return fmt::format("{} by friction, {} by impacts{}", text(r.contacts_work), text(r.impacts_work),
                     late_text(r.impacts));
}

void add_facts(const RunReport& r, TextTable& t) {
  const sim::Summary& s = r.summary;
  const Counts& c = r.counts;
  t.row({"mechanism", fmt::format("{}, {}, {}", count(c.bodies, "body", "bodies"),
                                  count(c.joints, "joint"), degrees_of_freedom_text(c))});
  t.row({"method", fmt::format("{}, {}, {}, step {} s", r.formulation, r.scheme, order_text(r),
                               number(r.step))});
  t.row({"start", start_text(r.start)});
  t.row({"simulated", fmt::format("{} s in {}", number(s.simulated), count(s.steps, "step"))});
  if (!r.ended_by.empty()) t.row({"ended by", r.ended_by});
  t.row({"wall time",
         fmt::format("{} s, {}x real time, {} us a step", number(r.wall, 3),
                     number(r.speed_factor(), 3),
                     number(1e6 * r.wall / std::max(1.0, static_cast<double>(s.steps)), 3))});
  if (r.waited > 0)
    t.row(
        {"waited", fmt::format("{} s besides, paused or ahead of the clock", number(r.waited, 3))});
  t.row({"drift", fmt::format("{:.1e} m, {:.1e} rad, |J u| {:.1e}", s.max_gap, s.max_angle,
                              s.max_row_speed)});
  t.row({"energy", energy_text(s)});
  if (r.formulation == "energy")
    t.row({"damping", fmt::format("{} {} by the difference formula, {:.1e} of what moved",
                                  shown(std::abs(s.numerical_damping), "J", 4).text(),
                                  s.numerical_damping < 0 ? "given" : "taken",
                                  std::abs(s.numerical_damping_rel()))});
  if (r.touches) t.row({"contacts", contacts_text(r)});
  t.row({"momentum", fmt::format("residual {:.1e}", s.momentum_residual_rel)});
  std::string solver =
      fmt::format("{} iterations and {} factorisations in a step",
                  number(per_step(s.iterations, s), 3), number(per_step(s.factorisations, s), 3));
  if (s.newton_steps > 0)
    solver += fmt::format(", {} by Newton on rows and momenta", count(s.newton_steps, "step"));
  if (s.parted_steps > 0) solver += fmt::format(", {} in parts", count(s.parted_steps, "step"));
  if (s.fallbacks > 0)
    solver += fmt::format(", {} through singular configurations", count(s.fallbacks, "step"));
  if (s.merit > 0) solver += fmt::format(", bounds met within {:.1e}", s.merit);
  t.row({"solver", solver});
}

std::string section(const std::string& title, const TextTable& table) {
  return table.empty() ? "" : "\n" + title + "\n" + table.text();
}

std::string warning_lines(const RunReport& r) {
  if (r.warnings.empty()) return "";
  std::string out = "\nwarnings\n";
  for (const sim::Warning& w : r.warnings)
    out += fmt::format("  {} {}\n", name_of(w.kind), sim::sentence(w));
  return out;
}

std::string tables(const RunReport& r) {
  TextTable events("lrrl"), runs("lrlrl");
  for (const EventCount& e : r.events) {
    const Shown sum = shown(e.sum, e.unit, 4);
    const bool adds = e.unit == "J";
    events.row({e.kind, fmt::format("{}", e.count), adds ? sum.number : "",
                adds ? sum.unit + (e.kind == "impact" ? " lost" : "") : ""});
  }
  for (const Run& run : r.runs)
    runs.row({run.joint, number(run.distance), "m, up to", number(run.top_speed), "m/s"});
  return warning_lines(r) + section("events", events) + section("along tracks", runs) +
         section("greatest", greatest_values(r.peaks)) +
         section("greatest impulses of impacts", greatest_impulses(r.peaks));
}

void json_counts(const RunReport& r, io::Json& j) {
  j.field("body_count", r.counts.bodies)
      .field("joint_count", r.counts.joints)
      .field("coupling_count", r.counts.couplings)
      .field("rows", r.counts.rows)
      .field("degrees_of_freedom", r.counts.degrees_of_freedom())
      .field("redundant_rows", r.counts.surplus());
}

void json_equilibrium(const model::EquilibriumReport& e, io::Json& j) {
  j.key("equilibrium")
      .begin('{')
      .field("motions", e.motions)
      .field("iterations", e.iterations)
      .field("residual_N", e.residual)
      .field("greatest_force_N", e.force)
      .field("least_stiffness_N_m", e.stiffness)
      .field("neutral_motions", e.neutral)
      .field("left_out", e.left_out)
      .end();
}

void json_start(const model::StartReport& s, io::Json& j) {
  j.key("start")
      .begin('{')
      .field("moved_m", s.moved)
      .field("turned_rad", s.turned)
      .field("moved_body", s.moved_body)
      .field("speed_change_m_s", s.speed_change)
      .field("spin_change_rad_s", s.spin_change)
      .field("energy_change_J", s.energy_change);
  j.key("coordinates").begin('[');
  for (const model::FoundCoordinate& c : s.coordinates)
    j.begin('{')
        .field("name", c.name)
        .field("value", c.value)
        .field("unit", c.unit == joint::Unit::radian  ? "rad"
                       : c.unit == joint::Unit::metre ? "m"
                                                      : "")
        .field("given", c.given)
        .end();
  j.end();
  if (s.equilibrium.wanted) json_equilibrium(s.equilibrium, j);
  j.end();
}

void json_residuals(const RunReport& r, io::Json& j) {
  const sim::Summary& s = r.summary;
  j.field("max_drift_m", s.max_gap)
      .field("max_drift_rad", s.max_angle)
      .field("max_row_speed", s.max_row_speed)
      .field("energy_residual_J", s.energy_residual)
      .field("energy_scale_J", s.energy_scale)
      .field("energy_residual_rel", s.energy_residual_rel())
      .field("numerical_damping_J", s.numerical_damping)
      .field("numerical_damping_rel", s.numerical_damping_rel())
      .field("contacts_work_J", r.contacts_work)
      .field("impacts_work_J", r.impacts_work)
      .field("impacts", r.impacts.met)
      .field("late_impacts", r.impacts.late)
      .field("impacts_lateness", r.impacts.lateness)
      .field("momentum_residual_rel", s.momentum_residual_rel);
  j.key("solver")
      .begin('{')
      .field("iterations", s.iterations)
      .field("iterations_per_step", per_step(s.iterations, s))
      .field("merit", s.merit)
      .field("factorisations", s.factorisations)
      .field("newton_steps", s.newton_steps)
      .field("parted_steps", s.parted_steps)
      .field("fallbacks", s.fallbacks)
      .field("order2_steps", s.order2_steps)
      .end();
}

void json_warnings(const RunReport& r, io::Json& j) {
  j.key("warnings").begin('[');
  for (const sim::Warning& w : r.warnings)
    j.begin('{')
        .field("kind", name_of(w.kind))
        .field("subject", w.subject)
        .field("text", w.text)
        .field("remedy", w.remedy)
        .field("t_first", w.t_first)
        .field("t_worst", w.t_worst)
        .field("value", w.value)
        .field("limit", w.limit)
        .field("unit", w.unit)
        .field("severity", w.severity())
        .field("grave", w.grave)
        .end();
  j.end();
}

void json_lists(const RunReport& r, io::Json& j) {
  j.key("events").begin('[');
  for (const EventCount& e : r.events)
    j.begin('{')
        .field("kind", e.kind)
        .field("count", e.count)
        .field("sum", e.sum)
        .field("unit", e.unit)
        .end();
  j.end().key("runs").begin('[');
  for (const Run& run : r.runs)
    j.begin('{')
        .field("joint", run.joint)
        .field("distance_m", run.distance)
        .field("top_speed_m_s", run.top_speed)
        .end();
  j.end();
  json_peaks(r.peaks, j);
  j.field("notes", r.notes).field("outputs", r.outputs);
}

}  // namespace

void add(const form::Event& event, std::vector<EventCount>& counts) {
  auto it = std::find_if(counts.begin(), counts.end(), [&](const EventCount& c) {
    return c.kind == name_of(event.kind) && c.unit == event.unit;
  });
  if (it == counts.end())
    it = counts.insert(it, {std::string(name_of(event.kind)), event.unit, 0, 0});
  ++it->count;
  it->sum += event.value;
}

std::string summary_text(const RunReport& r) {
  TextTable facts("ll");
  add_facts(r, facts);
  std::string out = fmt::format("{}\n{}", r.title.empty() ? r.scene : r.title, facts.text());
  out += tables(r);
  if (r.outputs.empty()) return out;
  return out + fmt::format("\nresults in {}\n  {}\n", r.folder, fmt::join(r.outputs, "  "));
}

std::string summary_json(const RunReport& r) {
  io::Json j;
  j.begin('{')
      .field("status", r.status)
      .field("scene", r.scene)
      .field("title", r.title)
      .field("file", r.file)
      .field("version", kVersion)
      .field("formulation", r.formulation)
      .field("scheme", r.scheme)
      .field("order", r.order)
      .field("overrides", r.overrides);
  if (!r.failure.empty()) j.field("failure", r.failure);
  if (!r.ended_by.empty()) j.field("ended_by", r.ended_by);
  json_counts(r, j);
  j.field("step_s", r.step)
      .field("duration_s", r.duration)
      .field("steps", r.summary.steps)
      .field("frames", r.frames)
      .field("simulated_s", r.summary.simulated)
      .field("wall_s", r.wall)
      .field("speed_factor", r.speed_factor());
  if (r.waited > 0) j.field("waited_s", r.waited);
  json_start(r.start, j);
  json_residuals(r, j);
  j.field("threads", 1).field("state_hash", fmt::format("{:016x}", r.state_hash));
  json_warnings(r, j);
  json_lists(r, j);
  return j.field("folder", r.folder).end().text();
}

}  // namespace trammel::cli
