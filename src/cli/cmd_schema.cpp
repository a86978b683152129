#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/text_file.h"
#include "io/scene.h"

namespace trammel::cli {

void add_schema(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand("schema", "The scene format as JSON Schema, for editors");
  const auto output = std::make_shared<std::string>();
  c->add_option("-o,--output", *output, "Into this file instead of stdout")->type_name("FILE");
  c->footer("Example:\n  trammel schema -o trammel.schema.json");
  c->callback([&action, output] {
    action = [output] {
      if (output->empty())
        fmt::print("{}\n", io::json_schema());
      else
        write_text(*output, io::json_schema() + "\n");
      return kDone;
    };
  });
}

}  // namespace trammel::cli
