#include <fmt/core.h>
#include <trammel/io/results.h>
#include <trammel/plot/figure.h>
#include <trammel/sim/recorder.h>
#include <trammel/sim/trial.h>

#include <filesystem>
using namespace trammel;

int main() {
  model::Builder builder;
  const model::Solid ball{model::Solid::Kind::sphere, {0.05, 0, 0}};
  builder.add_body({.name = "bob", .mass = 2, .solid = ball, .X_WB = {{0, 1, 0}}});
  builder.add_joint({.name = "pivot", .type = "revolute", .b = "bob", .at = Pose{}});
  sim::Trial trial(std::get<model::Built>(builder.build()), {.duration = 2, .step = 1e-3});
  sim::Recorder recorder(trial.simulation());
  std::vector<io::Series> series;
  for (const sim::Quantity& q : recorder.quantities())
    series.push_back({q.path, q.name, q.items, q.columns, q.units});
  const auto folder = std::filesystem::temp_directory_path() / "trammel_guide";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string file = folder / "results.h5";
  io::ResultsWriter writer(file, {"", "", "0.1.0", "velocity", {}}, series);
  plot::Line angle{"pivot", {}, {}};
  do {
    recorder.begin_frame();
    writer.append_frame(trial.t());
    for (std::size_t i = 0; i < series.size(); ++i) writer.append(i, recorder.frame(i));
    angle.x.push_back(trial.t());
    angle.y.push_back(trial.now().coordinate("pivot.angle"));
  } while (trial.advance(10));
  writer.close();
  const plot::Figure figure{"Pendulum", {"time", "s"}, {{{"angle", "rad"}, {angle}}}};
  const std::string svg = plot::render(figure);
  const io::ResultsReader reader(file);
  fmt::print("{} frames of {} series; a picture: {}\n", reader.frames(), series.size(),
             svg.starts_with("<svg") || svg.starts_with("<?xml"));
  std::filesystem::remove_all(folder);
  return 0;
}
