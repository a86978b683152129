#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/results_layout.h"
#include "sim/recorder.h"
#include "verify/independent.h"

namespace trammel::verify {

namespace {
constexpr double kFrames = 1000, kNumbers = 2e7;  // at most
}

Made record(const model::Built& built, sim::Settings settings, io::Header header,
            const std::string& file, const Cap& cap, const Seen& seen) {
  settings.form.impulses = true;
  settings.output_step = settings.step;
  Metered metered(built, settings, cap);
  sim::Simulation run(built, settings);
  metered.follow(run);
  sim::Recorder recorder(run);
  double width = 1;
  const std::vector<io::Series> series = io::series_of(recorder);
  for (const io::Series& one : series) width += static_cast<double>(one.width());
  const double frames = std::clamp(kNumbers / width, 10.0, kFrames);
  const long every =
      std::max(1L, static_cast<long>(static_cast<double>(run.steps_total()) / frames));
  header.formulation = form::name_of(settings.form.formulation);
  header.constants = io::constants_of(built, true);
  header.lists = io::lists_of(recorder);
  io::ResultsWriter writer(file, header, series);
  const auto frame = [&] {
    writer.append_frame(run.state().t);
    recorder.begin_frame();
    for (std::size_t i = 0; i < recorder.quantities().size(); ++i)
      writer.append(i, recorder.frame(i));
    for (std::size_t i = 0; i < recorder.lists().size(); ++i)
      writer.append_rows(i, recorder.rows(i));
  };
  frame();
  std::vector<Pose> poses;
  while (!run.finished() && !metered.meter.enough() && run.advance()) {
    if (run.steps_made() % every == 0) frame();
    if (seen.every > 0 && run.steps_made() % seen.every == 0) append_poses(run, seen.object, poses);
  }
  for (const form::Event& e : run.take_events())
    writer.append_event({e.t, std::string(name_of(e.kind)), e.subject, e.text, e.value, e.unit});
  writer.close();
  return {run.state().t, metered.meter.enough() && !run.finished(), metered.meter.cut(),
          std::move(poses)};
}

}  // namespace trammel::verify
