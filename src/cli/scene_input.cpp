#include "cli/scene_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "cli/chart.h"
#include "cli/command.h"
#include "cli/log.h"
#include "cli/run_folder.h"
#include "cli/text_table.h"
#include "constraint/contact/notes.h"
#include "constraint/row_kinds.h"
#include "io/json.h"
#include "io/overrides.h"
#include "io/results_layout.h"
#include "model/constraint_specs.h"
#include "model/guidance.h"
#include "model/rank.h"
#include "model/system.h"
#include "units/printable.h"
#include "version.h"

namespace trammel::cli {

namespace {

std::vector<Problem> check_plots(const Prepared& p) {
  const std::vector<io::Channel> channels = channels_of(p.series);
  std::vector<Problem> out;
  for (const sim::PlotSpec& plot : p.loaded.scene.settings.plots) {
    const std::vector<Problem> more = check_chart(plot, channels);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

/// The cost of each evaluation of forces [units of the meter], which asks the meter every 1e6: a
/// method of forces may take very many within a step of the grid.
constexpr double kSlopeCost = 1e5;

PreparedOrProblems made_of(std::variant<io::LoadedScene, io::SceneProblems> loaded) {
  if (auto* problems = std::get_if<io::SceneProblems>(&loaded)) return std::move(*problems);
  Prepared out{std::move(std::get<io::LoadedScene>(loaded)),
               std::make_unique<form::Meter>(),
               nullptr,
               nullptr,
               {}};
  out.meter->costs.slope = kSlopeCost;
  out.loaded.scene.settings.form.meter = out.meter.get();
  out.simulation = std::make_unique<sim::Simulation>(out.loaded.built, out.loaded.scene.settings);
  out.recorder = std::make_unique<sim::Recorder>(*out.simulation);
  out.series = io::series_of(*out.recorder);
  const std::vector<Problem> problems = check_plots(out);
  if (!problems.empty()) return io::locate(out.loaded.scene, problems);
  return out;
}

}  // namespace

PreparedOrProblems prepare(const std::string& file, const std::vector<io::Override>& overrides) {
  const std::filesystem::path path(file);
  // of the scene that a run left in its folder
  for (const std::string& text : changed_files(path.parent_path(), path.filename().string()))
    log::warning(text);
  return made_of(io::load_scene(file, overrides));
}

PreparedOrProblems prepare_text(const std::string& text, const std::string& file,
                                const std::vector<io::Override>& overrides) {
  return made_of(io::load_scene_text(text, file, overrides));
}

io::Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(
        fmt::format("--set {}: a path and a value are needed, like body.car.mass=\"40 t\"", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void print_problems(const io::SceneProblems& problems, bool json) {
  for (const io::SceneProblem& p : problems)
    fmt::print(stderr, "{}\n", units::printable(io::to_text(p)));
  if (!json) return;
  io::Json out;
  out.begin('{').field("status", "input").key("problems").begin('[');
  for (const io::SceneProblem& p : problems)
    out.begin('{')
        .field("file", p.file)
        .field("line", p.line)
        .field("column", p.column)
        .field("path", p.path)
        .field("text", p.text)
        .end();
  fmt::print("{}", out.end().end().text());
}

bool of_scene(const model::Model& model, const model::LawOnRow& law) {
  return law.joint >= 0 &&
         (!law.of_table || law.path != model.joints[static_cast<std::size_t>(law.joint)].path);
}

Counts count_parts(const model::Built& built) {
  const model::Model& m = *built.model;
  Counts out;
  for (const model::Object& o : m.objects) out.bodies += o.block >= 0 && !model::is_dial(m, o);
  out.systems = model::count_systems(m);
  out.prescribed = static_cast<long>(m.prescribed.size());
  out.couplings = static_cast<long>(m.couplings.size());
  out.joints = std::count_if(m.joints.begin(), m.joints.end(), [&](const model::Joint& j) {
    return j.coupling < 0 && !j.strain() &&
           !model::is_dial(m, m.objects[static_cast<std::size_t>(j.object_B)]);
  });
  out.laws = std::count_if(m.laws.begin(), m.laws.end(),
                           [&](const model::LawOnRow& l) { return of_scene(m, l); });
  out.loads = static_cast<long>(m.loads.size());
  out.tracks = static_cast<long>(m.tracks.size());
  out.unknowns = m.n_u;
  out.rows = built.start.rank.rows;
  out.rank = built.start.rank.rank;
  return out;
}

std::string degrees_of_freedom_text(const Counts& c) {
  const std::string rows =
      fmt::format("{} on {}", count(c.rows, "row"), count(c.unknowns, "velocity", "velocities"));
  return fmt::format("{}{}: {}", rows,
                     c.surplus() ? fmt::format(", {} redundant", c.surplus()) : "",
                     count(c.degrees_of_freedom(), "degree of freedom", "degrees of freedom"));
}

namespace {
/// Bodies that two joints along a track hold too well to follow it.
std::vector<std::string> guidance_notes(const model::Built& built) {
  std::vector<std::string> out;
  const model::Model& m = *built.model;
  if (m.n_arcs < 2) return out;
  model::ConstraintSpecs specs(m, built.params);
  specs.at(0);
  const model::Kinematics kin(m, built.params);
  for (const model::TightGuidance& pair : model::tight_guidances(kin, specs, built.state)) {
    const auto& [i, j] = pair.joints();
    const model::Joint &first = m.joints[static_cast<std::size_t>(i)],
                       &second = m.joints[static_cast<std::size_t>(j)];
    const double s = built.state.s[static_cast<std::size_t>(first.arc)],
                 way = pair.track().length() / 500;
    const double ahead = pair.first_conflict(s, pair.track().length(), way),
                 back = pair.first_conflict(s, 0, way);
    if (!std::isfinite(std::min(ahead, back))) continue;
    out.push_back(fmt::format(
        "joints '{}' and '{}' hold body '{}' by {} rows, where 5 let it run along track '{}': "
        "where "
        "the track bends or twists between them they cannot all be met (seen at s = {} m of '{}'), "
        "and a run stops there. Let points of the body be held, by a joint point-on-track-roll and "
        "a joint point-on-track, or put bogies between",
        first.name, second.name, m.objects[static_cast<std::size_t>(first.object_B)].name,
        pair.rows(), pair.track().name(), number(std::isfinite(ahead) ? ahead : back, 6),
        first.name));
  }
  return out;
}
}  // namespace

namespace {
std::string shown_of(const model::FoundCoordinate& c) {
  if (c.unit == joint::Unit::radian) return number(c.value * 180 / M_PI, 6) + " deg";
  return number(c.value, 6) + (c.unit == joint::Unit::metre ? " m" : "");
}
}  // namespace

std::string start_coordinates(const model::StartReport& s) {
  constexpr std::size_t kMost = 12;
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, s.coordinates.size()); ++i) {
    const model::FoundCoordinate& c = s.coordinates[i];
    out += fmt::format("{}{} {}{}", i == 0 ? "" : ", ", c.name, shown_of(c),
                       c.given ? " (given)" : "");
  }
  if (s.coordinates.size() > kMost)
    out += fmt::format(" and {} more", s.coordinates.size() - kMost);
  return out;
}

namespace {
/// How starts given and forces have placed the bodies.
void add_start_notes(const model::StartReport& s, std::vector<std::string>& out) {
  const model::EquilibriumReport& e = s.equilibrium;
  const bool given = std::any_of(s.coordinates.begin(), s.coordinates.end(),
                                 [](const model::FoundCoordinate& c) { return c.given; });
  if (!s.coordinates.empty())
    out.push_back(fmt::format("the start: {}{}", start_coordinates(s),
                              given ? "; the others are found, next to the poses written" : ""));
  if (!e.wanted) return;
  std::string text =
      fmt::format("static equilibrium of {}: {} N are left of {} N", count(e.motions, "motion"),
                  number(e.residual, 2), number(e.force, 4));
  if (e.motions > e.neutral)
    text += fmt::format("; the least stiffness is {} N/m", number(e.stiffness, 4));
  if (e.neutral > 0)
    text +=
        fmt::format("; {} that no force holds are left where they are", count(e.neutral, "motion"));
  for (std::size_t i = 0; i < e.left_out.size(); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "; without " : ", ", e.left_out[i]);
  out.push_back(std::move(text));
}

/// True where joints hold all bodies, and no law or prescribed body moves them.
bool is_still(const model::Model& m, const model::StartReport& start) {
  return !m.joints.empty() && start.rank.degrees_of_freedom() == 0 && m.prescribed.empty() &&
         std::none_of(m.laws.begin(), m.laws.end(),
                      [](const model::LawOnRow& l) { return l.law.type->takes_drive; });
}
}  // namespace

std::vector<std::string> notes(const model::Built& built, const form::Settings& settings) {
  const model::Model& m = *built.model;
  const model::ConstraintSpecs specs(m, built.params);
  std::vector<std::string> out;
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    if (!m.joints[j].derail.any()) continue;
    const bool energy = settings.formulation == form::Settings::Formulation::energy;
    bool can = energy && !std::isinf(settings.joint_stiffness);  // soft ones yield
    for (std::size_t r = 0; r < m.rows.size(); ++r)
      can |= m.rows[r].joint == static_cast<int>(j) && constraint::may_yield(specs[r]);
    if (!can)
      out.push_back(
          fmt::format("joint '{}' has limits at which it derails, but its rows hold with any "
                      "force: it cannot derail; give it {}",
                      m.joints[j].name, energy ? "a joint_stiffness" : "limits of force"));
  }
  constraint::add_contact_notes(built, settings.formulation == form::Settings::Formulation::energy,
                                out);
  for (std::string& note : guidance_notes(built)) out.push_back(std::move(note));
  const model::StartReport& s = built.start;
  for (const model::Rank::Loop& loop : s.rank.loops)
    out.push_back(
        fmt::format("joints {} hold {} too much: how they share their reactions is not "
                    "determined, the least ones are given",
                    model::names_of(m, loop.joints), count(loop.surplus, "row", "rows")));
  if (is_still(m, s))
    out.push_back("nothing can move: joints leave no degree of freedom, and nothing is driven");
  for (const model::Stilled& still : model::stilled(m, specs)) {
    std::string held;
    for (std::size_t i = 0; i < std::min<std::size_t>(still.coordinates.size(), 6); ++i)
      held += fmt::format("{}'{}'", i == 0 ? "" : ", ", still.coordinates[i]);
    if (still.coordinates.size() > 6) held += " and others";
    out.push_back(
        fmt::format("couplings {} contradict each other in any motion: together they "
                    "hold {} still",
                    model::names_of(m, still.couplings), held));
  }
  if (s.degrees_of_freedom_nearby != s.rank.degrees_of_freedom())
    out.push_back(
        fmt::format("the start is a singular configuration: {} there, {} a little way on; from "
                    "rest its branch would not be determined",
                    count(s.rank.degrees_of_freedom(), "degree of freedom", "degrees of freedom"),
                    s.degrees_of_freedom_nearby));
  add_start_notes(s, out);
  if (s.moved > 1e-9 || s.turned > 1e-9)
    out.push_back(
        fmt::format("bodies are moved by up to {} m and {} rad so that the joints meet "
                    "(most: '{}')",
                    number(s.moved, 3), number(s.turned, 3), s.moved_body));
  if (s.speed_change > 1e-9 || s.spin_change > 1e-9)
    out.push_back(
        fmt::format("velocities are changed by up to {} m/s and {} rad/s so that they fit the "
                    "joints (most: '{}')",
                    number(s.speed_change, 3), number(s.spin_change, 3), s.changed_body));
  return out;
}

io::Header results_header(const Prepared& p, const std::vector<io::Override>& overrides) {
  io::Header out{p.loaded.scene.text,
                 p.loaded.scene.file,
                 kVersion,
                 std::string(form::name_of(p.loaded.scene.settings.form.formulation)),
                 {},
                 io::constants_of(p.loaded.built)};
  if (p.recorder) out.lists = io::lists_of(*p.recorder);
  out.attributes = {{"name", p.loaded.scene.builder.name},
                    {"title", p.loaded.scene.title},
                    {"overrides", io::to_text(overrides)}};
  return out;
}

Room room_for(const Prepared& p) {
  const sim::Simulation& sim = *p.simulation;
  double numbers = 2;  // of a frame: its time, and the digest of that
  for (const io::Series& s : p.series) numbers += static_cast<double>(s.width()) + 1;
  const double frames =
      std::floor(static_cast<double>(sim.steps_total()) / static_cast<double>(sim.output_every()));
  constexpr double kHead = 2e5;  // of a file with nothing in it
  return {frames + 1, kHead + sizeof(double) * numbers * (frames + 1)};
}

std::string bytes_text(double bytes) {
  const char* const units[] = {"kB", "MB", "GB", "TB", "PB"};
  std::size_t i = 0;
  for (bytes /= 1e3; bytes >= 1e3 && i + 1 < std::size(units); ++i) bytes /= 1e3;
  return fmt::format("about {:.2g} {}", bytes, units[i]);
}

namespace {
std::string stiffness_text(const form::Settings& f) {
  if (f.joint_stiffness < 0) return fmt::format("gamma {}", number(-f.joint_stiffness));
  if (std::isinf(f.joint_stiffness)) return "rows that hold";
  return number(f.joint_stiffness) + " N/m";
}
}  // namespace

std::string method_text(const sim::Settings& settings) {
  const form::Settings& f = settings.form;
  if (f.formulation == form::Settings::Formulation::velocity) {
    const bool rattle = f.scheme == form::Settings::Scheme::rattle;
    return fmt::format("velocity, {}, order {}, step {} s", rattle ? "rattle" : "baumgarte",
                       rattle ? f.order : 1, number(settings.step));
  }
  if (f.formulation == form::Settings::Formulation::energy)
    return fmt::format("energy, {}, order {}, joints of {}, step {} s", form::name_of(f.difference),
                       form::order_of(f.difference), stiffness_text(f), number(settings.step));
  const RungeKutta method(f.method, 0);
  const std::string accuracy =
      method.estimates_error() ? fmt::format(", accuracy {}", number(f.accuracy.length)) : "";
  return fmt::format("acceleration, {}, order {}{}, step {} s", name_of(f.method), method.order(),
                     accuracy, number(settings.step));
}

}  // namespace trammel::cli
