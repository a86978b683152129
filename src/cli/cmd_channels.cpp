#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/scene_input.h"
#include "cli/text_table.h"
#include "io/json.h"
#include "sim/channels.h"
#include "units/nearest.h"
#include "units/printable.h"

namespace trammel::cli {

namespace {

struct ChannelsArguments {
  std::string scene;
  std::vector<std::string> of, sets;
  bool json = false;
};

/// A channel, or whose it is: "crank" of crank.angle.
bool belongs(const std::string& channel, const std::string& to) {
  return channel.starts_with(to) && (channel.size() == to.size() || channel[to.size()] == '.');
}

/// Those asked for; throws InputError where a name has none.
std::vector<sim::ChannelText> chosen(std::vector<sim::ChannelText> all,
                                     const std::vector<std::string>& of) {
  for (const std::string& name : of) {
    if (std::any_of(all.begin(), all.end(), [&](const auto& c) { return belongs(c.name, name); }))
      continue;
    std::vector<std::string> known;
    for (const auto& c : all) {
      known.push_back(c.name);
      for (std::size_t dot = c.name.find('.'); dot != std::string::npos;
           dot = c.name.find('.', dot + 1))
        known.push_back(c.name.substr(0, dot));
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    throw InputError(
        fmt::format("there is no channel '{}'{}", name, units::did_you_mean(name, known)));
  }
  std::erase_if(all, [&](const sim::ChannelText& c) {
    return !of.empty() && std::none_of(of.begin(), of.end(), [&](const std::string& name) {
      return belongs(c.name, name);
    });
  });
  return all;
}

std::string text(const std::vector<sim::ChannelText>& list, bool json) {
  io::Json j;
  TextTable table("lll");
  j.begin('[');
  for (const sim::ChannelText& c : list) {
    table.row({c.name, c.unit == "1" ? "" : c.unit, c.text});
    j.begin('{').field("name", c.name).field("unit", c.unit).field("text", c.text).end();
  }
  return json ? j.end().text() : table.text("");
}

int channels(const ChannelsArguments& a) {
  std::vector<io::Override> overrides;
  for (const std::string& set : a.sets) overrides.push_back(parse_override(set));
  const auto loaded = io::load_scene(a.scene, overrides);  // whatever its plots ask for
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    print_problems(*problems, a.json);
    return kInput;
  }
  const auto& [scene, built] = std::get<io::LoadedScene>(loaded);
  const sim::Simulation simulation(built, scene.settings);
  const std::string out = text(chosen(sim::channels(simulation), a.of), a.json);
  fmt::print("{}", a.json ? out : units::printable(out));
  return kDone;
}

}  // namespace

void add_channels(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand(
      "channels", "List what a scene records: names for plots, exports and sensors");
  const auto a = std::make_shared<ChannelsArguments>();
  c->add_option("SCENE", a->scene, "The scene, a TOML file")->required();
  c->add_option("NAME", a->of, "Those of bodies, joints, laws with these names alone");
  c->add_option("--set", a->sets, "Change a value of the scene, as often as needed")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
  c->add_flag("--json", a->json, "As JSON on stdout");
  c->footer(
      "With units, axes and signs; nothing is run.\n"
      "Example:\n"
      "  trammel channels scenes/fourbar.toml rocker");
  c->callback([&action, a] { action = [a] { return channels(*a); }; });
}

}  // namespace trammel::cli
