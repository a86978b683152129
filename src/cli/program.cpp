#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "cli/command.h"
#include "cli/log.h"
#include "io/checkpoint_file.h"
#include "io/results.h"
#include "serve/server.h"
#include "units/nearest.h"
#include "version.h"

namespace trammel::cli {

namespace {

void name_groups(CLI::App& app) {
  for (CLI::App* c : app.get_subcommands([](CLI::App*) { return true; })) {
    c->group("Commands");
    name_groups(*c);
  }
}

void add_commands(CLI::App& app, Action& action) {
  app.set_version_flag("--version", fmt::format("trammel {}", kVersion));
  const auto style = app.get_formatter();
  style->column_width(34);
  style->label("SUBCOMMAND", "COMMAND");
  style->label("Positionals", "Arguments");
  style->label("REQUIRED", "");
  style->label("TEXT", "");
  app.require_subcommand(0, 1);
  add_run(app, action);
  add_resume(app, action);
  add_recover(app, action);
  add_check(app, action);
  add_channels(app, action);
  add_verify(app, action);
  add_info(app, action);
  add_export(app, action);
  add_plot(app, action);
  add_report(app, action);
  add_movie(app, action);
  add_view(app, action);
  add_play(app, action);
  add_make(app, action);
  add_schema(app, action);
  add_completion(app, action);
  name_groups(app);
  app.footer(
      "Exit codes: 0 done, 1 verify disagrees, 2 input, or a file that cannot be used or written,\n"
      "3 numbers went bad or are not to be trusted, 4 our bug,\n"
      "5 verify ran out of its budget, 6 verify resolves a way of solving only up to some time,\n"
      "130 interrupted.\n"
      "'trammel COMMAND --help' shows the options of a command, with examples.");
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; }))
    out.push_back(c->get_name());
  return out;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* o : app.get_options())
    for (const std::string& name : o->get_lnames()) out.push_back("--" + name);
  return out;
}

/// The command, or command of a command, that was being read.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent ? full_name(*parent) + " " + app.get_name() : "trammel";
}

/// Returns what is wrong with a command line that could not be read.
std::string complaint(const CLI::App& app, const CLI::ParseError& e) {
  const CLI::App& at = innermost(app);
  const std::vector<std::string> extras = at.remaining();
  if (extras.empty()) return e.what();
  const std::string& extra = extras.front();
  const std::string name = extra.substr(0, extra.find('='));
  if (extra.starts_with('-'))
    return fmt::format("there is no option {}{}", name,
                       units::did_you_mean(name, option_names(at)));
  const std::vector<std::string> commands = command_names(at);
  if (!commands.empty())
    return fmt::format("there is no command '{}'{}", extra, units::did_you_mean(extra, commands));
  return fmt::format("'{}' is one argument too many", extra);
}

int parse(CLI::App& app, std::span<const std::string> arguments) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::Success& e) {  // help and version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    log::error(complaint(app, e));
    fmt::print(stderr, "'{} --help' shows what there is\n", full_name(innermost(app)));
    return kInput;
  }
  return kDone;
}

int act(const Action& action) {
  try {
    return action();
  } catch (const InputError& e) {
    log::error(e.what());
    return kInput;
  } catch (const io::DamagedResults& e) {
    log::error(fmt::format("{}; 'trammel recover' saves what is whole of results", e.what()));
    return kInput;
  } catch (const io::ResultsError& e) {
    log::error(e.what());
    return kInput;
  } catch (const io::CheckpointError& e) {
    log::error(e.what());
    return kInput;
  } catch (const serve::ServeError& e) {
    log::error(e.what());
    return kInput;
  } catch (const std::system_error& e) {  // of fmt, on stdout
    log::error(fmt::format("stdout: {}", e.code().message()));
    return kInput;
  } catch (const std::exception& e) {
    log::error(fmt::format("this is a fault of Trammel {}: {}", kVersion, e.what()));
    return kBug;
  }
}

constexpr char kShortHelp[] =
    "usage: trammel COMMAND [OPTIONS]\n"
    "\n"
    "  trammel run scenes/pendulum.toml    runs a scene into out/pendulum\n"
    "  trammel --help                      all commands\n";

}  // namespace

int program(std::span<const std::string> arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", kShortHelp);
    return kInput;
  }
  CLI::App app("Trammel: multibody dynamics of constrained motion.", "trammel");
  Action action;
  add_commands(app, action);
  // 'trammel help run', as other programs have it
  std::vector<std::string> words(arguments.begin(), arguments.end());
  if (words.front() == "help") std::rotate(words.begin(), words.begin() + 1, words.end());
  if (words.back() == "help" && arguments.front() == "help") words.back() = "--help";
  const int parsed = parse(app, words);
  if (parsed != kDone || !action) return parsed;
  const int code = act(action);
  errno = 0;
  if ((std::fflush(stdout) == 0 && std::ferror(stdout) == 0) || code != kDone) return code;
  log::error(fmt::format("stdout: {}", std::strerror(errno)));
  return kInput;
}

}  // namespace trammel::cli
