#include "report/report.h"

#include <algorithm>
#include <stdexcept>

#include "report/frames.h"
#include "report/header.h"
#include "report/packed.h"
#include "report/page.h"
#include "report/scene.h"

namespace trammel::report {

namespace {

/// Compressed and in base64 numbers of smooth motions take about this much of their 4 bytes.
constexpr double kShare = 1.1;
constexpr int kTries = 8;

std::string html_of(const std::string& data) {
  const std::string_view page = report::page();
  const std::size_t place = page.find(kPlace);
  if (place == std::string_view::npos)
    throw std::logic_error("the viewer's page has no place for a run");
  std::string out(page.substr(0, place));
  out += "<script id=\"run\" type=\"text/plain\">";
  out += data;
  out += "</script>";
  out += page.substr(place + kPlace.size());
  return out;
}

}  // namespace

Report make(const io::ResultsReader& results, const Options& options) {
  const Shown scene = shown(results.header());
  const double room =
      std::max(options.most_bytes - static_cast<double>(page().size()), 0.05 * options.most_bytes);
  Report out;
  out.no_shapes = scene.problem;
  out.frames_of_run = results.frames();
  double numbers = room / 4 * kShare;
  Selection selection;
  for (int i = 0; i < kTries; ++i) {
    const Selection next = select(results, numbers);
    numbers *= 0.9;
    if (i > 0 && next == selection) continue;
    selection = next;
    Arrays arrays;
    add_frames(results, selection, arrays);
    const std::string head = header(results, scene, selection, options, arrays);
    out.html = html_of(pack(head, arrays));
    const double excess = static_cast<double>(out.html.size()) / options.most_bytes;
    if (excess <= 1) break;
    numbers *= std::min(1.0, 1.05 / excess);
  }
  out.frames = kept_frames(results.frames(), selection.every).size();
  for (const std::size_t i : selection.left_out) out.left_out.push_back(results.series()[i].path);
  return out;
}

}  // namespace trammel::report
