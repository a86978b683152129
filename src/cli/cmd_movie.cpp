#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "cli/movie.h"

namespace trammel::cli {

namespace {

/// "1280x720", both even: what is encoded has a quarter of the colours.
std::string take_size(const std::string& text, MovieOptions& options) {
  int width = 0, height = 0, end = 0;
  const bool read = std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &end) == 2;
  if (!read || static_cast<std::size_t>(end) != text.size() || width < 64 || height < 64 ||
      width > 7680 || height > 4320 || width % 2 || height % 2)
    return fmt::format("'{}' is no size: WIDTHxHEIGHT, even numbers from 64x64 to 7680x4320", text);
  options.width = width;
  options.height = height;
  return "";
}

}  // namespace

void add_movie(CLI::App& program, Action& action) {
  CLI::App* c =
      program.add_subcommand("movie", "A film of a run, by Chromium without a window and ffmpeg");
  const auto a = std::make_shared<MovieOptions>();
  c->add_option("RESULTS", a->results, "A folder of results or its results.h5")->required();
  c->add_option("-o,--output", a->output, "The film, .mp4 or .webm (movie.mp4 in the folder)")
      ->type_name("FILE");
  c->add_option("--fps", a->fps, "Frames a second (30)")->check(CLI::Range(1, 120));
  c->add_option("--size", "WIDTHxHEIGHT (1280x720)")
      ->type_name("SIZE")
      ->each([a](const std::string& text) {
        if (const std::string wrong = take_size(text, *a); !wrong.empty())
          throw CLI::ValidationError("--size", wrong);
      });
  c->add_option("--camera", a->camera, "orbit (default), follow, rider or trackside")
      ->check(CLI::IsMember({"orbit", "follow", "rider", "trackside"}));
  c->add_option("--speed", a->speed, "Seconds of the run in one of the film (1)")
      ->check(CLI::Range(1e-6, 1e6));
  c->add_option("--from", a->from, "Where it begins (the start of the run)")->type_name("TIME");
  c->add_option("--to", a->to, "Where it ends (the end of the run)")->type_name("TIME");
  c->add_option("--theme", a->theme, "light (default) or dark")
      ->check(CLI::IsMember({"light", "dark"}));
  c->add_flag("--json", a->json, "What was written as JSON on stdout");
  c->footer(
      "Examples:\n"
      "  trammel movie out/pendulum -o pendulum.mp4\n"
      "  trammel movie out/stn02_wagon --camera trackside --speed 4 --size 1920x1080\n"
      "It needs the Debian packages chromium and ffmpeg.");
  c->callback([&action, a] { action = [a] { return make_movie(*a); }; });
}

}  // namespace trammel::cli
