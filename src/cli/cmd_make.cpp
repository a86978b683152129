#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/generate.h"
#include "cli/json.h"
#include "cli/text_file.h"

namespace trammel::cli {

namespace {

struct Arguments {
  int n = 0;
  std::string output;
  bool json = false;
};

int deliver(const std::string& name, const std::string& scene, const Arguments& a) {
  if (!a.output.empty()) write_text(a.output, scene);
  if (a.json) {
    Json j;
    j.begin('{').field("scene", name).field("output", a.output);
    if (a.output.empty()) j.field("text", scene);
    fmt::print("{}", j.end().text());
  } else if (a.output.empty()) {
    fmt::print("{}", scene);
  }
  return kDone;
}

std::shared_ptr<Arguments> add_arguments(CLI::App* c) {
  auto a = std::make_shared<Arguments>();
  c->add_option("-o,--output", a->output, "Into this file instead of stdout")->type_name("FILE");
  c->add_flag("--json", a->json, "What was made as JSON on stdout");
  return a;
}

void add_counted(CLI::App& make, Action& action, const char* name, const char* text,
                 const char* count_text, std::string (*scene)(int)) {
  CLI::App* c = make.add_subcommand(name, text);
  const auto a = add_arguments(c);
  c->add_option("-n,--n", a->n, count_text)->required()->check(CLI::Range(1, 200000));
  c->callback([&action, a, name, scene] {
    action = [a, name, scene] { return deliver(name, scene(a->n), *a); };
  });
}

}  // namespace

void add_make(CLI::App& program, Action& action) {
  CLI::App* make = program.add_subcommand("make", "Write a scene to start from");
  make->require_subcommand(1);
  add_counted(*make, action, "chain", "Links on ball joints, let go from the horizontal", "Links",
              chain_scene);
  add_counted(*make, action, "fourbar", "Windows of rods on spatial revolutes, redundant",
              "Windows", fourbar_scene);
  CLI::App* pendulum = make->add_subcommand("pendulum", "A first scene");
  const auto a = add_arguments(pendulum);
  pendulum->callback(
      [&action, a] { action = [a] { return deliver("pendulum", pendulum_scene(), *a); }; });
  make->footer(
      "Examples:\n"
      "  trammel make pendulum -o pendulum.toml\n"
      "  trammel make chain --n 100 | tee chain.toml");
}

}  // namespace trammel::cli
