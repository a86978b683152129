#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/scene_input.h"
#include "cli/text_table.h"
#include "constraint/contact/notes.h"
#include "io/json.h"
#include "units/printable.h"

namespace trammel::cli {

namespace {

struct CheckArguments {
  std::string scene;
  std::vector<std::string> sets;
  bool json = false;
};

std::string text(const Prepared& p, const std::vector<std::string>& notes) {
  const Counts c = count_parts(p.loaded.built);
  std::string out = fmt::format("{}: OK\n  {}{}, {}{}, {}, {}, {}\n  {}\n", p.loaded.scene.file,
                                c.systems > 0 ? count(c.systems, "system") + ", " : "",
                                count(c.bodies, "body", "bodies"), count(c.joints, "joint"),
                                c.couplings > 0 ? ", " + count(c.couplings, "coupling") : "",
                                count(c.laws, "law"), count(c.loads, "load"),
                                count(c.tracks, "track"), degrees_of_freedom_text(c));
  if (const std::string line = constraint::contact_text(*p.loaded.built.model); !line.empty())
    out += "  " + line + "\n";
  out += fmt::format("  {}\n", method_text(p.loaded.scene.settings));
  const Room room = room_for(p);
  out += fmt::format("  {:.0f} frames of results, {}\n", room.frames, bytes_text(room.bytes));
  for (const std::string& note : notes) out += "  note: " + note + "\n";
  return out;
}

std::string json_text(const Prepared& p, const std::vector<std::string>& notes) {
  const Counts c = count_parts(p.loaded.built);
  const Room room = room_for(p);
  return io::Json()
      .begin('{')
      .field("status", "ok")
      .field("scene", p.loaded.scene.builder.name)
      .field("file", p.loaded.scene.file)
      .field("body_count", c.bodies)
      .field("prescribed_count", c.prescribed)
      .field("system_count", c.systems)
      .field("joint_count", c.joints)
      .field("coupling_count", c.couplings)
      .field("law_count", c.laws)
      .field("load_count", c.loads)
      .field("track_count", c.tracks)
      .field("velocities", c.unknowns)
      .field("rows", c.rows)
      .field("degrees_of_freedom", c.degrees_of_freedom())
      .field("redundant_rows", c.surplus())
      .field("method", method_text(p.loaded.scene.settings))
      .field("frames", room.frames)
      .field("results_bytes", room.bytes)
      .field("notes", notes)
      .end()
      .text();
}

int check(const CheckArguments& a) {
  std::vector<io::Override> overrides;
  for (const std::string& set : a.sets) overrides.push_back(parse_override(set));
  const auto prepared = prepare(a.scene, overrides);
  if (const auto* problems = std::get_if<io::SceneProblems>(&prepared)) {
    print_problems(*problems, a.json);
    return kInput;
  }
  const Prepared& p = std::get<Prepared>(prepared);
  const std::vector<std::string> list = notes(p.loaded.built, p.loaded.scene.settings.form);
  fmt::print("{}", a.json ? json_text(p, list) : units::printable(text(p, list)));
  return kDone;
}

}  // namespace

void add_check(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand("check", "Read and build a scene without running it");
  const auto a = std::make_shared<CheckArguments>();
  c->add_option("SCENE", a->scene, "The scene, a TOML file")->required();
  c->add_option("--set", a->sets, "Change a value of the scene, as often as needed")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
  c->add_flag("--json", a->json, "As JSON on stdout");
  c->footer(
      "Problems come as file:line:column: path: what is wrong, all of them, and the exit code is "
      "2.\n"
      "Example:\n"
      "  trammel check scenes/fourbar.toml");
  c->callback([&action, a] { action = [a] { return check(*a); }; });
}

}  // namespace trammel::cli
