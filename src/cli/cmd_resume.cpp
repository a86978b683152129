#include <CLI/CLI.hpp>
#include <memory>

#include "cli/run_scene.h"

namespace trammel::cli {

void add_resume(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand(
      "resume", "Go on with a run that was cut short, to the results it would have had");
  const auto options = std::make_shared<ResumeOptions>();
  const auto no_plots = std::make_shared<bool>(false);
  c->add_option("DIR", options->folder, "A folder of results")->required();
  c->add_option("--until", options->until,
                "End at this time instead of the scene's; finished runs can be made longer")
      ->type_name("TIME");
  c->add_flag("--json", options->json, "Summary as JSON on stdout");
  c->add_flag("--accept-inaccuracy", options->accept,
              "End with 0 where the results are not to be trusted (3); the warnings stay");
  c->add_flag("--quiet", options->quiet, "No progress, no summary table");
  c->add_flag("--no-plots", *no_plots, "Leave out the plots of the scene");
  c->footer(
      "Examples:\n"
      "  trammel resume out/stn02_wagon\n"
      "  trammel resume out/pendulum --until \"20 s\"\n"
      "It begins at the last checkpoint, with the scene that the results hold; the results after "
      "it "
      "are\n"
      "made again. Only the program that began a run can go on with it: another version or build "
      "may "
      "give\n"
      "other bits, and is refused.");
  c->callback([&action, options, no_plots] {
    action = [options, no_plots] {
      options->plots = !*no_plots;
      return resume_run(*options);
    };
  });
}

}  // namespace trammel::cli
