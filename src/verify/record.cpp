#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/results_layout.h"
#include "sim/recorder.h"
#include "verify/independent.h"

namespace trammel::verify {

namespace {
constexpr double kFrames = 1000;
}

void record(const model::Built& built, sim::Settings settings, const std::string& scene_text,
            const std::string& file) {
  settings.form.impulses = true;
  settings.output_step =
      settings.step * std::max(1.0, std::floor(settings.duration / settings.step / kFrames));
  sim::Simulation run(built, settings);
  sim::Recorder recorder(run);
  io::Header header;
  header.scene_text = scene_text;
  header.formulation = settings.form.formulation == form::Settings::Formulation::acceleration
                           ? "acceleration"
                           : "velocity";
  header.constants = io::constants_of(built, true);
  io::ResultsWriter writer(file, header, io::series_of(recorder));
  const auto frame = [&] {
    writer.append_frame(run.state().t);
    recorder.begin_frame();
    for (std::size_t i = 0; i < recorder.quantities().size(); ++i)
      writer.append(i, recorder.frame(i));
  };
  frame();
  while (!run.finished() && run.advance())
    if (run.steps_made() % run.output_every() == 0) frame();
  for (const form::Event& e : run.take_events())
    writer.append_event({e.t, e.kind, e.subject, e.text, e.value, e.unit});
  writer.close();
}

}  // namespace trammel::verify
