#include "cli/verify_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/text_table.h"
#include "cli/verify_reactions.h"
#include "io/json.h"
#include "plot/figure.h"

namespace trammel::cli {

namespace {

using verify::Distance, verify::Report, verify::Series;

std::string small(double x) { return std::isfinite(x) ? fmt::format("{:.2g}", x) : "-"; }

/// The greatest of the first n distances.
Distance greatest(const std::vector<Distance>& list, long n) {
  Distance out;
  for (long k = 0; k < n; ++k) out.take(list[static_cast<std::size_t>(k)]);
  return out;
}

/// Of the limit of a series, up to n times.
Distance uncertain(const Series& s, long n) {
  Distance out;
  for (long k = 0; k < n; ++k) out.take(s.uncertain(static_cast<std::size_t>(k)));
  return out;
}

const verify::Pair* pair_of(const Report& r, std::size_t a, std::size_t b) {
  for (const verify::Pair& p : r.pairs)
    if ((p.a == a && p.b == b) || (p.a == b && p.b == a)) return &p;
  return nullptr;
}

/// Returns the greatest gap, angle or row speed of all runs.
double worst(const Series& s, double sim::Summary::*what) {
  double out = 0;
  for (const verify::Samples& run : s.runs) out = std::max(out, run.summary.*what);
  return out;
}

std::string series_table(const Report& r) {
  TextTable table("lrrrrrrrrrrrrrr");
  table.row({"series", "order", "error", "", "uncertain", "", "off", "", "drift", "", "", "energy",
             "momentum", "work"});
  table.row({"", "", "m", "rad", "m", "rad", "m", "rad", "m", "rad", "rates", "", "", "1e9"});
  const std::size_t best = verify::reference(r);
  for (std::size_t i = 0; i < r.series.size(); ++i) {
    const Series& s = r.series[i];
    const Distance error = greatest(s.error, r.resolved[i]), u = uncertain(s, r.resolved[i]);
    const verify::Pair* p = pair_of(r, i, best);
    const sim::Summary& summary = s.finest().summary;
    table.row({s.name, std::isfinite(s.order) ? fmt::format("{:.2f}", s.order) : "-",
               small(error.length), small(error.angle), small(u.length), small(u.angle),
               p ? small(p->greatest.length) : "ref", p ? small(p->greatest.angle) : "",
               small(worst(s, &sim::Summary::max_gap)), small(worst(s, &sim::Summary::max_angle)),
               small(worst(s, &sim::Summary::max_row_speed)), small(summary.energy_residual_rel()),
               small(summary.momentum_residual_rel), fmt::format("{:.2g}", s.work / 1e9)});
  }
  return table.text();
}

std::string independent_text(const verify::Independent& c) {
  TextTable table("lrlrlll");
  for (const verify::Residual& r : c.residuals)
    table.row({r.what, small(r.worst), r.unit,
               r.judged ? fmt::format("of {:.2g}", r.allowed) : "shown only", r.tolerance,
               fmt::format("'{}'", r.subject), fmt::format("at {:.4g} s", r.t)});
  std::string out = fmt::format("from the results alone, {}, {} and {}:\n{}",
                                count(static_cast<long>(c.times), "time"),
                                count(static_cast<long>(c.bodies), "body", "bodies"),
                                count(static_cast<long>(c.joints), "joint"), table.text());
  for (const std::string& what : c.left_out) out += fmt::format("  not checked: {}\n", what);
  return out + "\n";
}

/// How what is soft tends to what holds.
std::string stiffness_text(const Report& r) {
  std::string out;
  for (std::size_t i = 0; i < r.series.size(); ++i) {
    const Series& s = r.series[i];
    if (s.stiffer.empty()) continue;
    out += fmt::format("{}: as stiff as the scene says, {:.0f} and {:.0f} times: {}\n", s.name,
                       verify::kStiffer, verify::kStiffer * verify::kStiffer,
                       std::isfinite(s.stiffness_order)
                           ? fmt::format("order {:.2f} in 1/stiffness", s.stiffness_order)
                           : "the same");
  }
  return out;
}

/// When bodies have met.
std::string meetings_text(const Report& r) {
  if (r.meetings.all.empty()) return "";
  std::string columns = "ll";
  for (std::size_t i = 0; i < r.series.size(); ++i) columns += "rr";
  TextTable table(columns);
  std::vector<std::string> head{"bodies", ""}, units{"", ""};
  for (const Series& s : r.series) {
    head.insert(head.end(), {s.name, "known to"});
    units.insert(units.end(), {"s", "s"});
  }
  table.row(head);
  table.row(units);
  for (const verify::Meeting& m : r.meetings.all) {
    std::vector<std::string> row{m.pair, m.agrees ? "" : "differs"};
    for (const verify::Meeting::Time& t : m.of)
      row.insert(row.end(),
                 {t.known ? fmt::format("{:.6f}", t.t) : "-", t.known ? small(t.off) : ""});
    table.row(row);
  }
  const std::string more =
      r.meetings.more > 0
          ? fmt::format(", the first of {}", r.meetings.all.size() + r.meetings.more)
          : "";
  return fmt::format("impacts{}, by the finest runs:\n{}\n", more, table.text());
}

double first_chaos(const Report& r) {
  if (r.chaotic_beyond.empty()) return std::numeric_limits<double>::infinity();
  return *std::min_element(r.chaotic_beyond.begin(), r.chaotic_beyond.end());
}

std::string chaos_text(const Report& r) {
  std::string out;
  for (std::size_t i = 0; i < r.series.size(); ++i)
    if (std::isfinite(r.chaotic_beyond[i]))
      out += fmt::format("chaotic beyond t = {:.4g} s for {}: not compared from there on\n",
                         r.chaotic_beyond[i], r.series[i].name);
  return out;
}

/// Where a bound has got too wide to say anything.
std::string late_text(const Report& r) {
  std::string out;
  for (std::size_t i = 0; i < r.late_beyond.size(); ++i)
    if (std::isfinite(r.late_beyond[i]) && r.series[i].by_energy)
      out += fmt::format(
          "{}: compared up to its first impact, t = {:.4g} s: by energy a barrier slows down what "
          "meets and throws some of it back, with friction by the normal forces of before\n",
          r.series[i].name, r.late_beyond[i]);
    else if (std::isfinite(r.late_beyond[i]))
      out += fmt::format(
          "{}: not compared beyond t = {:.4g} s, where impacts at the ends of steps leave more "
          "than "
          "{:.0f} % of the size or {:.2g} rad uncertain: shorter steps go farther\n",
          r.series[i].name, r.late_beyond[i], 100 * verify::kLate, verify::kLate);
  return out;
}

/// Greatest distance between any two limits.
Distance between(const Report& r) {
  Distance out;
  for (const verify::Pair& p : r.pairs) out.take(p.greatest);
  return out;
}

/// True where the series have any time but the start in common.
bool compared(const Report& r) {
  return std::any_of(r.pairs.begin(), r.pairs.end(),
                     [](const verify::Pair& p) { return p.until > 1; });
}

/// Returns what was left undone, and what the rest says.
std::string unfinished(const Report& r, double budget) {
  std::string out = budget > 0
                        ? fmt::format("not finished within the budget of {:.4g} s, cut in", budget)
                        : "not finished:";
  out += fmt::format(" {}; so far:\n", fmt::join(r.unfinished, "; "));
  for (const std::string& f : r.findings) out += "  differs: " + f + "\n";
  if (r.series.empty()) return out + "  nothing could be compared\n";
  if (r.pairs.empty()) return out + fmt::format("  one series: {}\n", r.series.front().name);
  const Distance d = between(r);
  return out + fmt::format("  {} series, up to {:.1g} m and {:.1g} rad apart\n", r.series.size(),
                           d.length, d.angle);
}

std::string distance_text(const Distance& d) {
  return fmt::format("{:.2g} m and {:.2g} rad", d.length, d.angle);
}

/// How far the run at hand is off.
std::string own_run_text(const Report& r) {
  if (!r.own_run || r.own_run->until <= r.t0) return "";
  const verify::OwnRun& own = *r.own_run;
  std::string out = fmt::format("this run ({} formulation, step {:.6g} s): off by up to {:.2g} m",
                                own.formulation, own.step, own.off.length);
  if (own.off.length > 0) out += fmt::format(" ('{}' at {:.4g} s)", own.length_body, own.length_t);
  out += fmt::format(" and {:.2g} rad", own.off.angle);
  if (own.off.angle > 0) out += fmt::format(" ('{}' at {:.4g} s)", own.angle_body, own.angle_t);
  out += fmt::format(" up to t = {:.4g} s, by the limit of {}, known to {}\n", own.until,
                     r.series[own.reference].name, distance_text(own.known));
  if (std::isfinite(own.lost_from))
    out += fmt::format(
        "this run: off by more than {:.0f} % of the size or {:.2g} rad from t = {:.4g} s on: use a "
        "shorter step or a smaller accuracy\n",
        100 * verify::kLost, verify::kLost, own.lost_from);
  return out;
}

std::string disagreement(const Report& r) {
  std::string out;
  for (const std::string& f : r.findings) out += "DISAGREES: " + f + "\n";
  for (const std::string& why : r.ill_posed) out += "ill-posed: " + why + "\n";
  if (!r.ill_posed.empty() && !r.pairs.empty())
    out += fmt::format("the motions differ by {:.1g} m and {:.1g} rad\n", between(r).length,
                       between(r).angle);
  return out;
}

/// What is not resolved, and how far the series agree up to there and elsewhere.
std::string not_resolved(const Report& r) {
  std::string out;
  for (const verify::Unresolved& u : r.unresolved)
    out += fmt::format("not resolved: {} from t = {:.4g} s on: {}\n", r.series[u.series].name,
                       u.from, u.why);
  if (r.unresolved.empty() || !r.findings.empty() || r.pairs.empty()) return out;
  if (!compared(r)) return out + "nothing could be compared\n";
  const Distance d = between(r);
  return out + fmt::format("agrees to {:.1g} m and {:.1g} rad in all that is resolved\n", d.length,
                           d.angle);
}

std::string verdict(const Report& r, double budget) {
  if (!r.unfinished.empty()) return unfinished(r, budget);
  if (!r.agrees()) return disagreement(r) + not_resolved(r);
  if (r.pairs.empty())
    return fmt::format("converges; there is no other way of solving to compare it with{}\n",
                       r.independent ? ": what was checked is what the results alone tell" : "");
  const Distance d = between(r);
  return fmt::format("agrees to {:.1g} m and {:.1g} rad\n", d.length, d.angle);
}

}  // namespace

std::string verify_text(const Report& r, const std::string& title, double duration, double budget) {
  std::string out = fmt::format(
      "{}\n  horizon    {:.6g} s of {:.6g} s, {} times {:.4g} s apart, step {:.4g} s\n"
      "  size       {:.4g} m; a difference of {:.0e} grew {:.2g}-fold beyond a steady drift\n\n",
      title, r.grid.horizon(), duration, r.grid.count, r.grid.apart(), r.grid.h, r.size,
      verify::kDisturbance, r.growth.factor);
  if (!r.series.empty()) out += series_table(r) + "\n";
  for (const verify::LeftOut& l : r.left_out)
    out += fmt::format("not compared: {}: {}\n", l.name, l.why);
  for (const Series& s : r.series)
    if (!s.note.empty()) out += fmt::format("note: {}: {}\n", s.name, s.note);
  out += stiffness_text(r);
  out += chaos_text(r);
  out += late_text(r);
  if (!out.ends_with("\n\n")) out += "\n";
  out += meetings_text(r);
  out += reactions_text(r);
  if (r.independent) out += independent_text(*r.independent);
  return out + own_run_text(r) + verdict(r, budget);
}

namespace {

void put(io::Json& out, const char* name, const Distance& d) {
  out.key(name).begin('{').field("m", d.length).field("rad", d.angle).end();
}

/// How far each run is from the limit of its series, over the times that it shares with it.
void put_levels(io::Json& out, const Series& s) {
  out.key("levels").begin('[');
  for (std::size_t i = 0; i < s.runs.size(); ++i) {
    const verify::Samples& run = s.runs[i];
    out.begin('{').field("run", s.refinement[i]).field("step", run.step);
    out.key("accuracy");
    if (s.nominal == 0 && i < verify::kLevels)
      out.value(verify::kAccuracies[i]);
    else
      out.json("null");
    Distance error;
    const std::size_t bodies = run.object.size();
    const auto known = static_cast<long>(s.limit.size() / std::max<std::size_t>(bodies, 1));
    for (long k = 0; k < std::min({run.count(), s.count(), known}); ++k)
      error.take(verify::apart(run.at(k), s.limit.data() + k * static_cast<long>(bodies), bodies));
    put(out, "error", error);
    out.end();
  }
  out.end();
}

void put_series(io::Json& out, const Report& r, std::size_t i) {
  const Series& s = r.series[i];
  const sim::Summary& summary = s.finest().summary;
  out.begin('{').field("name", s.name).field("nominal_order", s.nominal);
  out.field("observed_order", s.order).field("extrapolated", s.extrapolated);
  if (!s.stiffer.empty()) out.field("stiffness_order", s.stiffness_order);
  out.field("runs", s.refinement).field("failure", s.failure).field("note", s.note);
  put_levels(out, s);
  put(out, "error", greatest(s.error, r.resolved[i]));
  put(out, "uncertainty", uncertain(s, r.resolved[i]));
  out.field("chaotic_beyond", r.chaotic_beyond[i]);
  out.field("compared_until", r.late_beyond[i]);
  out.field("max_gap", summary.max_gap).field("max_angle", summary.max_angle);
  out.field("max_row_speed", summary.max_row_speed);
  out.field("energy_residual_rel", summary.energy_residual_rel());
  out.field("momentum_residual_rel", summary.momentum_residual_rel);
  std::vector<double> energy, momentum;  // of each run
  for (const verify::Samples& run : s.runs) {
    energy.push_back(run.summary.energy_residual_rel());
    momentum.push_back(run.summary.momentum_residual_rel);
  }
  out.field("energy_residuals_rel", energy).field("momentum_residuals_rel", momentum);
  out.field("work", s.work).field("cpu_s", s.cpu).end();
}

void put_pair(io::Json& out, const Report& r, const verify::Pair& p) {
  out.begin('{').field("a", r.series[p.a].name).field("b", r.series[p.b].name);
  out.field("until", p.until > 0 ? r.time(p.until - 1) : r.t0);
  put(out, "distance", p.greatest);
  put(out, "final_distance", p.final);
  put(out, "allowed", p.allowed);
  out.field("farthest_at", p.length_t).field("body", p.body);
  out.field("disagrees_from",
            p.differs >= 0 ? r.time(p.differs) : std::numeric_limits<double>::quiet_NaN());
  out.end();
}

void put_meeting(io::Json& out, const Report& r, const verify::Meeting& m) {
  out.begin('{').field("bodies", m.pair).field("agrees", m.agrees).key("times").begin('[');
  for (std::size_t i = 0; i < m.of.size(); ++i) {
    if (!m.of[i].known) continue;
    out.begin('{').field("series", r.series[i].name).field("t", m.of[i].t);
    out.field("known_to", m.of[i].off).field("speed", m.of[i].speed).end();
  }
  out.end().end();
}

void put_residual(io::Json& out, const verify::Residual& r) {
  out.begin('{').field("what", r.what).field("unit", r.unit).field("worst", r.worst);
  out.field("allowed", r.allowed).field("tolerance", r.tolerance).field("subject", r.subject);
  out.field("t", r.t).field("judged", r.judged).field("ok", !r.broken).end();
}

void put_independent(io::Json& out, const Report& r) {
  if (!r.independent) return;
  const verify::Independent& c = *r.independent;
  out.key("independent").begin('{').field("times", c.times).field("bodies", c.bodies);
  out.field("joints", c.joints).key("residuals").begin('[');
  for (const verify::Residual& residual : c.residuals) put_residual(out, residual);
  out.end().field("not_checked", c.left_out).end();
}

void put_unresolved(io::Json& out, const Report& r) {
  out.key("not_resolved").begin('[');
  for (const verify::Unresolved& u : r.unresolved)
    out.begin('{')
        .field("series", r.series[u.series].name)
        .field("from", u.from)
        .field("why", u.why)
        .end();
  out.end();
}

void put_own_run(io::Json& out, const Report& r) {
  if (!r.own_run) return;
  const verify::OwnRun& own = *r.own_run;
  out.key("this_run").begin('{').field("formulation", own.formulation).field("step", own.step);
  out.field("reference", r.series[own.reference].name).field("until", own.until);
  put(out, "off", own.off);
  out.field("farthest_at", own.length_t).field("body", own.length_body);
  out.field("turned_most_at", own.angle_t).field("turned_body", own.angle_body);
  put(out, "known", own.known);
  out.field("lost_from", own.lost_from).end();
}

plot::Line line_of(const Report& r, std::size_t i, bool angle) {
  plot::Line out{r.series[i].name, {}, {}};
  for (long k = 0; k < r.series[i].count(); ++k) {
    const Distance& d = r.series[i].error[static_cast<std::size_t>(k)];
    out.x.push_back(r.time(k));
    out.y.push_back(std::log10(angle ? d.angle : d.length));
  }
  return out;
}

}  // namespace

std::string verify_json(const Report& r, const std::string& scene, double duration) {
  io::Json out;
  out.begin('{').field("status", r.status()).field("scene", scene);
  out.field("horizon", r.grid.horizon()).field("duration", duration).field("step", r.grid.h);
  out.field("sample_step", r.grid.apart()).field("size", r.size);
  put(out, "distance", between(r));
  out.field("growth", r.growth.factor).field("chaotic_beyond", first_chaos(r));
  out.field("findings", r.findings).field("ill_posed", r.ill_posed);
  out.field("resolved_until", r.resolved_until());
  put_unresolved(out, r);
  put_own_run(out, r);
  out.field("unfinished", r.unfinished).key("series").begin('[');
  for (std::size_t i = 0; i < r.series.size(); ++i) put_series(out, r, i);
  out.end().key("pairs").begin('[');
  for (const verify::Pair& p : r.pairs) put_pair(out, r, p);
  out.end().key("not_compared").begin('[');
  for (const verify::LeftOut& l : r.left_out)
    out.begin('{').field("name", l.name).field("why", l.why).end();
  out.end().key("impacts").begin('[');
  for (const verify::Meeting& m : r.meetings.all) put_meeting(out, r, m);
  out.end().field("more_impacts", static_cast<double>(r.meetings.more));
  put_reactions(out, r);
  put_independent(out, r);
  return out.end().text();
}

std::string verify_picture(const Report& r, const std::string& title) {
  plot::Figure figure;
  figure.title = title + ": coarsest runs against their limits";
  figure.x = {"time", "s"};
  figure.panels = {{{"log10 of distance", "m"}, {}}, {{"log10 of angle", "rad"}, {}}};
  for (std::size_t i = 0; i < r.series.size(); ++i) {
    figure.panels[0].lines.push_back(line_of(r, i, false));
    figure.panels[1].lines.push_back(line_of(r, i, true));
  }
  return plot::render(figure);
}

}  // namespace trammel::cli
