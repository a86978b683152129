#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "cli/chart.h"
#include "cli/command.h"
#include "cli/log.h"
#include "cli/quantities.h"
#include "cli/results_input.h"
#include "cli/text_file.h"
#include "io/json.h"
#include "plot/figure.h"
#include "plot/png.h"

namespace trammel::cli {

namespace {

struct PlotArguments {
  std::vector<std::string> words;  // runs and quantities
  Wanted wanted;
  std::string output = "plot.svg", title, size, font;
  double scale = 1;
  bool log_y = false, json = false;
};

struct Size {
  double width, height;  // px
};

/// One or several runs, opened.
struct Runs {
  std::vector<std::string> paths, names;
  std::vector<io::ResultsReader> results;

  std::vector<Recorded> recorded() const {
    std::vector<Recorded> out;
    for (std::size_t i = 0; i < names.size(); ++i) out.push_back({names[i], results[i].channels()});
    return out;
  }
  std::vector<Source> sources() const {
    std::vector<Source> out;
    for (std::size_t i = 0; i < names.size(); ++i) out.push_back({names[i], &results[i]});
    return out;
  }
};

[[noreturn]] void refuse(const std::vector<std::string>& problems) {
  throw InputError(fmt::format("{}", fmt::join(problems, "; ")));
}

std::string extension(const std::string& output) {
  std::string out = std::filesystem::path(output).extension().string();
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return out;
}

bool is_png(const PlotArguments& a) { return extension(a.output) == ".png"; }

/// A word is a run if it is a folder, ends in .h5 or has a slash, which no channel has.
bool is_run(const std::string& word) {
  return is_results(word) || word.find('/') != std::string::npos;
}

void check_words(const PlotArguments& a, const std::vector<std::string>& runs,
                 std::vector<std::string>& problems) {
  if (runs.empty())
    problems.push_back(fmt::format("no run is named: '{}' {} no folder and no .h5 file",
                                   fmt::join(a.words, "', '"), a.words.size() > 1 ? "are" : "is"));
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (std::find(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(i), runs[i]) !=
        runs.begin() + static_cast<std::ptrdiff_t>(i))
      problems.push_back(fmt::format("{} is named twice", runs[i]));
  if (a.wanted.panels.empty() && a.wanted.quantities.empty() && !runs.empty())
    problems.push_back(
        fmt::format("name what to plot, as 'energy.*'; 'trammel info {} --channels' lists what "
                    "there is",
                    runs.front()));
}

/// What belongs to one of the two kinds of pictures.
void check_output(const PlotArguments& a, std::vector<std::string>& problems) {
  const std::string kind = extension(a.output);
  if (a.output != "-" && kind != ".svg" && kind != ".png")
    problems.push_back(fmt::format("-o {}: a picture is a .svg or a .png", a.output));
  if (is_png(a)) return;
  if (a.scale != 1) problems.push_back("--scale goes with a .png: an SVG has no pixels");
  if (!a.font.empty())
    problems.push_back("--font goes with a .png: whoever shows an SVG takes his own font");
}

Runs open_runs(std::vector<std::string> paths, std::vector<std::string>& problems) {
  Runs out;
  out.names = run_names(paths);
  for (const std::string& path : paths) try {
      out.results.push_back(open_results(path));
    } catch (const InputError& e) {
      problems.emplace_back(e.what());
    }
  out.paths = std::move(paths);
  return out;
}

std::string default_title(const io::ResultsReader& results) {
  const auto& attributes = results.header().attributes;
  const auto title = attributes.find("title");
  if (title != attributes.end() && !title->second.empty()) return title->second;
  const auto name = attributes.find("name");
  return name != attributes.end() ? name->second : "results";
}

/// That of the runs; different ones have none in common.
std::string title_of(const Runs& runs) {
  const std::string first = default_title(runs.results.front());
  const bool one = std::ranges::all_of(
      runs.results, [&](const auto& results) { return default_title(results) == first; });
  return one ? first : fmt::format("{}", fmt::join(runs.names, ", "));
}

/// "1200x800"; throws where it is no size that can be.
Size size_of(const std::string& text) {
  const auto complain = [&] {
    return InputError(
        fmt::format("--size {}: a size is as 1200x800 [px], from 200x100 to "
                    "20000x20000",
                    text));
  };
  const std::size_t x = text.find('x');
  const auto number = [&](const std::string& digits) {
    if (digits.empty() || digits.size() > 5 ||
        digits.find_first_not_of("0123456789") != digits.npos)
      throw complain();
    return std::stod(digits);
  };
  if (x == std::string::npos) throw complain();
  const Size out{number(text.substr(0, x)), number(text.substr(x + 1))};
  if (out.width < 200 || out.height < 100 || out.width > 20000 || out.height > 20000)
    throw complain();
  return out;
}

void fit(plot::Figure& figure, const std::string& size) {
  if (size.empty()) return;
  const Size wanted = size_of(size);
  figure.width = wanted.width;
  figure.height = wanted.height;
  const double least = plot::least_height(figure);
  if (figure.height < least)
    throw InputError(fmt::format("--size {}: {} panel{} with legends need{} a height of {} px",
                                 size, figure.panels.size(), figure.panels.size() == 1 ? "" : "s",
                                 figure.panels.size() == 1 ? "s" : "", least));
}

void warn_of_left_out(const plot::Figure& figure) {
  for (const plot::Panel& panel : figure.panels)
    for (const plot::Line& line : panel.lines) {
      const auto out = std::ranges::count_if(line.y, [](double y) { return y <= 0; });
      if (out > 0)
        log::warning(fmt::format("--log-y leaves out {} of {} values of '{}' that are not positive",
                                 out, line.y.size(), line.name.empty() ? panel.y.text : line.name));
    }
}

plot::Fonts fonts_of(const std::string& font) {
  if (!font.empty()) return {font, font};
  if (const auto found = plot::find_fonts()) return *found;
  throw InputError(
      fmt::format("a PNG needs a font, and there is none of {} in the folders of fonts (Debian has "
                  "the first in "
                  "fonts-dejavu-core): install one, name one by --font FILE, or draw an SVG",
                  plot::usual_fonts()));
}

std::string png_of(const plot::Figure& figure, const PlotArguments& a) {
  constexpr double kMostPixels = 5e7;
  const plot::Drawing drawing = plot::draw(figure);
  const double pixels = drawing.width * drawing.height * a.scale * a.scale;
  if (pixels > kMostPixels)
    throw InputError(
        fmt::format("the PNG would have {:.0f} million pixels, 50 at most: a smaller "
                    "--size or --scale",
                    pixels / 1e6));
  try {
    return plot::to_png(drawing, fonts_of(a.font), a.scale);
  } catch (const plot::PngError& e) {
    throw InputError(e.what());
  }
}

void say(const PlotArguments& a, const Runs& runs, const Chosen& chosen, const std::string& title) {
  if (!a.json) return log::info(fmt::format("plotted into {}", a.output));
  io::Json json;
  json.begin('{').field("output", a.output).field("title", title).field("x", a.wanted.x);
  json.key("runs").begin('[');
  for (std::size_t i = 0; i < runs.paths.size(); ++i)
    json.begin('{')
        .field("path", runs.paths[i])
        .field("name", runs.names[i])
        .field("frames", runs.results[i].frames())
        .end();
  json.end().key("panels").begin('[');
  for (const ChartPanel& panel : chosen.panels) {
    json.begin('{').field("unit", panel.front().unit).key("lines").begin('[');
    for (const ChartLine& line : panel)
      json.begin('{').field("run", runs.names[line.source]).field("channel", line.channel).end();
    json.end().end();
  }
  fmt::print("{}", json.end().end().text());
}

int plot_results(PlotArguments a) {
  std::vector<std::string> paths, problems;
  for (const std::string& word : a.words)
    (is_run(word) ? paths : a.wanted.quantities).push_back(word);
  check_words(a, paths, problems);
  check_output(a, problems);
  const Runs runs = open_runs(paths, problems);
  if (!problems.empty()) refuse(problems);
  const Chosen chosen = choose(a.wanted, runs.recorded());
  if (!chosen.problems.empty()) refuse(chosen.problems);
  plot::Figure figure = make_figure(a.wanted.x, chosen.panels, runs.sources());
  figure.title = a.title.empty() ? title_of(runs) : a.title;
  figure.log_y = a.log_y;
  if (a.log_y) warn_of_left_out(figure);
  fit(figure, a.size);
  const std::string picture = is_png(a) ? png_of(figure, a) : plot::render(figure);
  if (a.output == "-") {
    fmt::print("{}", picture);
    return kDone;
  }
  write_text(a.output, picture);
  say(a, runs, chosen, figure.title);
  return kDone;
}

}  // namespace

void add_plot(CLI::App& program, Action& action) {
  CLI::App* c = program.add_subcommand(
      "plot", "Channels of one or several runs over time or over another channel, as SVG or PNG");
  const auto a = std::make_shared<PlotArguments>();
  c->add_option("RUN QUANTITY", a->words,
                "Runs: folders of results or .h5 files, several to compare; then channels, * and ? "
                "standing for any characters and for one. Channels of one unit share a panel")
      ->required();
  c->add_option("-y", a->wanted.panels, "A panel: channels by commas; again for the next panel")
      ->type_name("A,B,...")
      ->expected(1)
      ->take_all();
  c->add_option("-x", a->wanted.x, "Channel along x (time)")->type_name("CHANNEL");
  const CLI::Option* output =
      c->add_option("-o,--output", a->output, "The picture, .svg or .png (plot.svg); - is stdout")
          ->type_name("FILE");
  c->add_option("--title", a->title, "Over the picture (that of the scene)")->type_name("TEXT");
  c->add_flag("--log-y", a->log_y, "Powers of ten along y; what is not positive is left out");
  c->add_flag("--all", a->wanted.all, fmt::format("More than {} lines, if they are", kMostLines));
  c->add_option("--size", a->size, "Of the picture, as 1200x800 [px]")->type_name("WxH");
  c->add_option("--scale", a->scale, "Pixels of a PNG for one px of its size (1)")
      ->type_name("X")
      ->check(CLI::Range(0.25, 8.0));
  c->add_option("--font", a->font, "Font of a PNG (DejaVu Sans or another sans-serif)")
      ->type_name("FILE");
  CLI::Option* json = c->add_flag("--json", a->json, "What was drawn as JSON on stdout");
  c->footer(
      "'trammel info RESULTS --channels' lists the channels.\n"
      "Examples:\n"
      "  trammel plot out/pendulum pivot.angle 'energy.*' -o angle.png\n"
      "  trammel plot out/stn02_wagon -x front.s '*.speed'\n"
      "  trammel plot out/a out/b pivot.angle        compares two runs\n"
      "  trammel plot out/pendulum -y pivot.angle -y energy.kinetic,energy.gravity");
  c->callback([&action, a, output, json] {
    if (a->output == "-" && json->count() > 0 && output->count() > 0)
      throw CLI::ValidationError("--json", "says what was drawn on stdout, where -o - draws");
    action = [a] { return plot_results(*a); };
  });
}

}  // namespace trammel::cli
