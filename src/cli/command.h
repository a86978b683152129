#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

/// The command line: data on stdout, everything said about it on stderr.
namespace trammel::cli {

enum Exit : int {
  kDone = 0,
  kDisagrees = 1,     // verify: two ways of solving differ
  kInput = 2,         // the scene, the command line or a file that cannot be used or written
  kNumbers = 3,       // numbers went bad, or are not to be trusted; results are kept
  kBug = 4,           // ours
  kUnfinished = 5,    // verify: its budget was over before it was done
  kUnresolved = 6,    // verify: a series is not resolved from some time on, and none differ
  kInterrupted = 130  // results kept
};

/// Something in the input, outside the scene's text, that the user can put right.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The action that a parsed command line asks for. Each function below adds one command, which sets
/// it.
using Action = std::function<int()>;
void add_run(CLI::App& program, Action& action);
void add_resume(CLI::App& program, Action& action);
void add_recover(CLI::App& program, Action& action);
void add_check(CLI::App& program, Action& action);
void add_channels(CLI::App& program, Action& action);
void add_verify(CLI::App& program, Action& action);
void add_info(CLI::App& program, Action& action);
void add_export(CLI::App& program, Action& action);
void add_plot(CLI::App& program, Action& action);
void add_report(CLI::App& program, Action& action);
void add_movie(CLI::App& program, Action& action);
void add_play(CLI::App& program, Action& action);
void add_view(CLI::App& program, Action& action);
void add_make(CLI::App& program, Action& action);
void add_schema(CLI::App& program, Action& action);
void add_completion(CLI::App& program, Action& action);

/// The whole program, the name of the program left out of the arguments.
int program(std::span<const std::string> arguments);

}  // namespace trammel::cli
