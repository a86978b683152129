#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"

namespace trammel::cli {

namespace {

/// Words that may follow a command: its options, and its own commands.
std::string words(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* o : command.get_options())
    for (const std::string& name : o->get_lnames()) out += " --" + name;
  for (const CLI::App* c : command.get_subcommands([](const CLI::App*) { return true; }))
    out += " " + c->get_name();
  return out.empty() ? out : out.substr(1);
}

std::string bash(const CLI::App& program) {
  std::string cases;
  for (const CLI::App* c : program.get_subcommands([](const CLI::App*) { return true; }))
    cases += fmt::format("    {}) words=\"{}\" ;;\n", c->get_name(), words(*c));
  return fmt::format(
      R"(# bash completion of trammel: source it, or put it into bash-completion's folder
_trammel() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words
  case ${{COMP_WORDS[1]}} in
{}    *) words="{}" ;;
  esac
  ((COMP_CWORD == 1)) && words="{}"
  [[ $current == -* || $COMP_CWORD == 1 ]] || compopt -o default
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -F _trammel trammel
)",
      cases, words(program), words(program));
}

}  // namespace

void add_completion(CLI::App& program, Action& action) {
  CLI::App* c =
      program.add_subcommand("completion", "Completion of commands and options for a shell");
  c->require_subcommand(1);
  CLI::App* b = c->add_subcommand("bash", "For bash");
  c->footer("Example:\n  source <(trammel completion bash)");
  b->callback([&action, &program] {
    action = [&program] {
      fmt::print("{}", bash(program));
      return kDone;
    };
  });
}

}  // namespace trammel::cli
