#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <system_error>
#include <variant>

#include "cli/command.h"
#include "cli/generate.h"
#include "cli/log.h"
#include "cli/pictures.h"
#include "cli/scene_input.h"
#include "cli/text_file.h"
#include "io/json.h"
#include "io/mesh_file.h"
#include "io/whole_file.h"

namespace trammel::cli {

namespace {

struct MakeArguments {
  int n = 0;
  std::string output;
  bool json = false;
};

int deliver(const std::string& name, const std::string& scene, const MakeArguments& a) {
  if (!a.output.empty()) write_text(a.output, scene);
  if (a.json) {
    io::Json j;
    j.begin('{').field("scene", name).field("output", a.output);
    if (a.output.empty()) j.field("text", scene);
    fmt::print("{}", j.end().text());
  } else if (a.output.empty()) {
    fmt::print("{}", scene);
  }
  return kDone;
}

std::shared_ptr<MakeArguments> add_arguments(CLI::App* c) {
  auto a = std::make_shared<MakeArguments>();
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

/// The file's mesh as a scene that is right, or what is wrong with it.
int make_body(const std::string& file, const MeshBody& body, const MakeArguments& a) {
  const auto refuse = [&](const io::SceneProblems& problems) {
    print_problems(problems, a.json);
    return kInput;
  };
  try {
    const auto mesh = io::parse_mesh(io::read_whole(file, io::kMostMeshBytes), file);
    if (const auto* problems = std::get_if<io::SceneProblems>(&mesh)) return refuse(*problems);
    const auto& [surface, repeated] = std::get<io::MeshText>(mesh);
    if (repeated > 0)
      log::warning(fmt::format("{}: {} faces that stand there twice are left out", file, repeated));
    const std::string scene = mesh_scene(surface, body);
    const auto loaded = io::load_scene_text(scene, "scene of " + file);
    if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) return refuse(*problems);
    return deliver(body.name, scene, a);
  } catch (const io::FileError& e) {
    throw InputError(e.what());
  }
}

void add_mesh(CLI::App& make, Action& action) {
  CLI::App* c = make.add_subcommand("body", "A body whose solid is a mesh of an OBJ or STL file");
  struct Given {
    std::string file;
    MeshBody body;
  };
  const auto given = std::make_shared<Given>();
  c->add_option("file", given->file, "The mesh, closed, .obj or .stl")->required();
  c->add_option("--unit", given->body.unit, "Length of 1 in the file, as in \"1 mm\"")->required();
  c->add_option("--density", given->body.density, "Of the body")->capture_default_str();
  c->add_option("--name", given->body.name, "Of the body")->capture_default_str();
  const auto a = add_arguments(c);
  c->callback([&action, given, a] {
    action = [given, a] { return make_body(given->file, given->body, *a); };
  });
}

int make_figures(const std::string& folder) {
  namespace fs = std::filesystem;
  for (const Picture& picture : document_pictures()) {
    const fs::path path = fs::path(folder) / picture.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error)
      throw InputError(fmt::format("{}: {}", path.parent_path().string(), error.message()));
    write_text(path.string(), picture.svg);
  }
  return kDone;
}

void add_figures(CLI::App& make, Action& action) {
  CLI::App* c =
      make.add_subcommand("figures", "The documents' pictures of joints and curves, as SVG");
  const auto folder = std::make_shared<std::string>();
  c->add_option("-o,--output", *folder, "Into this folder")->type_name("DIR")->required();
  c->callback([&action, folder] { action = [folder] { return make_figures(*folder); }; });
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
  add_mesh(*make, action);
  add_figures(*make, action);
  make->footer(
      "Examples:\n"
      "  trammel make pendulum -o pendulum.toml\n"
      "  trammel make chain --n 100 | tee chain.toml\n"
      "  trammel make body bracket.stl --unit \"1 mm\" --density \"7800 kg/m^3\" -o bracket.toml");
}

}  // namespace trammel::cli
