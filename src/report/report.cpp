#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "report/frames.h"
#include "report/header.h"
#include "report/packed.h"
#include "report/page.h"
#include "report/scene.h"

namespace trammel::report {

namespace {

/// Compressed and in base64 numbers of smooth motions take about a half of their 4 bytes.
constexpr double kShare = 2;
constexpr double kLeast = 0.05;   // of a page that is for data, however small it is to be
constexpr double kMargin = 0.95;  // between tries
constexpr double kEnough = 0.8;   // of the size that may be used
constexpr int kTries = 8;

/// The viewer with an element in the place of a run.
std::string html_with(const std::string& element) {
  const std::string_view page = report::page();
  const std::size_t place = page.find(kPlace);
  if (place == std::string_view::npos)
    throw std::logic_error("the viewer's page has no place for a run");
  std::string out(page.substr(0, place));
  out += element;
  out += page.substr(place + kPlace.size());
  return out;
}

std::string html_of(const std::string& data) {
  return html_with("<script id=\"run\" type=\"text/plain\">" + data + "</script>");
}

}  // namespace

std::string with_order(std::string html, std::string_view order) {
  const std::string script =
      fmt::format(R"(<script id="movie" type="application/json">{}</script>)", order);
  return html.insert(html.find("<script id=\"run\""), script);
}

std::string live_page(std::string_view socket) {
  return html_with(fmt::format(
      R"(<script id="live" type="application/json">{{"socket": "{}"}}</script>)", socket));
}

namespace {

/// A page of so many numbers before compression.
struct Try {
  Selection selection;
  std::string html;
};
Try attempt(const io::ResultsReader& results, const Shown& scene, const Options& options,
            Selection selection) {
  Arrays arrays;
  add_frames(results, selection, arrays);
  add_rows(results, selection, arrays);
  const std::string head = header(content_of(results), scene, selection, options, arrays);
  return {std::move(selection), html_of(pack(head, arrays))};
}

bool is_whole(const Selection& s) { return s.every == 1 && s.left_out.empty(); }

/// The largest page that is small enough: how far numbers can be compressed is found by trying.
Try fit(const io::ResultsReader& results, const Shown& scene, const Options& options) {
  const double most = options.most_bytes, bare = static_cast<double>(page().size());
  double numbers = std::max(most - bare, kLeast * most) / 4 * kShare;
  Try best;
  for (int i = 0; i < kTries; ++i, numbers *= kMargin) {
    Selection selection = select(results, numbers);
    if (i > 0 && selection == best.selection) break;
    Try next = attempt(results, scene, options, std::move(selection));
    const auto size = static_cast<double>(next.html.size());
    numbers *= std::max(most - bare, kLeast * most) / (size - bare);
    const bool fits = size <= most, better = next.html.size() > best.html.size();
    const bool none_fits = best.html.empty() || static_cast<double>(best.html.size()) > most;
    if (fits ? better || none_fits : none_fits) best = std::move(next);
    if (fits && (is_whole(best.selection) || size > kEnough * most)) break;
  }
  return best;
}

}  // namespace

Report make(const io::ResultsReader& results, const Options& options) {
  const Shown scene = shown(results.header());
  Try made = fit(results, scene, options);
  Report out;
  out.no_shapes = scene.problem;
  out.frames_of_run = results.frames();
  out.frames = kept_frames(results.frames(), made.selection.every).size();
  for (const std::size_t i : made.selection.left_out)
    out.left_out.push_back(results.series()[i].path);
  out.html = std::move(made.html);
  return out;
}

}  // namespace trammel::report
