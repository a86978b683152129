#include <fmt/format.h>

#include <algorithm>

#include "cli/info.h"
#include "cli/text_table.h"
#include "io/json.h"

namespace trammel::cli {

namespace {

constexpr std::size_t kMostEvents = 20;
constexpr std::size_t kLongestList = 60;  // characters

/// "a, b, c", cut where it gets long.
std::string some(const std::vector<std::string>& list) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].empty()) continue;
    if (out.size() > kLongestList) return out + fmt::format(", ... ({})", list.size());
    out += (out.empty() ? "" : ", ") + list[i];
  }
  return out.empty() ? "-" : out;
}

/// The distinct units of a series, in order.
std::string units_of(const io::Series& s) {
  std::vector<std::string> out;
  for (const std::string& u : s.units)
    if (std::find(out.begin(), out.end(), u) == out.end()) out.push_back(u);
  return some(out);
}

std::string head(const io::ResultsReader& r) {
  const io::Header& h = r.header();
  const std::vector<double> time = r.time();
  TextTable t("ll");
  t.row({"file", r.path()});
  t.row({"scene", h.scene_path});
  t.row({"version", fmt::format("Trammel {}, {} formulation", h.version, h.formulation)});
  t.row({"frames", time.empty() ? "none"
                                : fmt::format("{} from {} s to {} s", time.size(),
                                              number(time.front()), number(time.back()))});
  t.row({"finished", std::string(io::finished_text(r.ending()))});
  for (const auto& [name, value] : h.attributes)
    if (!value.empty()) t.row({name, value.substr(0, value.find('\n'))});
  return t.text("");
}

bool of_the_run(const io::Event& e) { return e.kind == "warning" || e.kind == "failure"; }

/// Returns what the run said of itself when it ended, which lies behind its events.
std::string warning_lines(std::vector<io::Event>& events) {
  std::string out;
  for (const io::Event& e : events)
    if (of_the_run(e)) out += fmt::format("  {} '{}': {}\n", e.kind, e.subject, e.text);
  std::erase_if(events, of_the_run);
  return out.empty() ? "" : "\nwarnings\n" + out;
}

std::string event_lines(const std::vector<io::Event>& events, bool all) {
  if (events.empty()) return "\nno events\n";
  TextTable t("rlllrl");
  const std::size_t n = all ? events.size() : std::min(events.size(), kMostEvents);
  for (std::size_t i = 0; i < n; ++i) {
    const io::Event& e = events[i];
    const Shown value = shown(e.value, e.unit, 4);
    t.row({fmt::format("{:.4f} s", e.t), e.kind, e.subject, e.text, value.number, value.unit});
  }
  std::string out = fmt::format("\nevents\n{}", t.text());
  if (n < events.size()) out += fmt::format("  ... {} more: --events\n", events.size() - n);
  return out;
}

std::string as_text(const io::ResultsReader& r, const InfoOptions& options) {
  if (options.channels) {
    TextTable t("ll");
    for (const io::Channel& c : r.channels()) t.row({c.name, c.unit});
    return t.text("") + (options.events ? event_lines(r.events(), true) : "");
  }
  if (options.events) return event_lines(r.events(), true).substr(1);
  TextTable series("llll");
  series.row({"series", "items", "columns", "units"});
  for (const io::Series& s : r.series())
    series.row({s.path, some(s.items), some(s.columns), units_of(s)});
  std::vector<io::Event> events = r.events();
  const std::string warnings = warning_lines(events);
  return head(r) + warnings + "\n" + series.text("") +
         fmt::format("\n{} channels, named item.quantity.column or less: --channels lists them\n",
                     r.channels().size()) +
         event_lines(events, false);
}

std::string as_json(const io::ResultsReader& r) {
  const io::Header& h = r.header();
  const std::vector<double> time = r.time();
  io::Json j;
  j.begin('{')
      .field("file", r.path())
      .field("scene_path", h.scene_path)
      .field("version", h.version)
      .field("formulation", h.formulation)
      .field("finished", r.ending() == io::Ending::done || r.ending() == io::Ending::inaccurate)
      .field("ending", io::name_of(r.ending()))
      .field("frames", time.size())
      .field("t_end", time.empty() ? 0 : time.back());
  j.key("attributes").begin('{');
  for (const auto& [name, value] : h.attributes) j.field(name, value);
  j.end().key("series").begin('[');
  for (const io::Series& s : r.series())
    j.begin('{')
        .field("path", s.path)
        .field("quantity", s.quantity)
        .field("items", s.items)
        .field("columns", s.columns)
        .end();
  j.end().key("channels").begin('[');
  for (const io::Channel& c : r.channels())
    j.begin('{').field("name", c.name).field("unit", c.unit).end();
  j.end().key("events").begin('[');
  for (const io::Event& e : r.events())
    j.begin('{')
        .field("t", e.t)
        .field("kind", e.kind)
        .field("subject", e.subject)
        .field("text", e.text)
        .field("value", e.value)
        .field("unit", e.unit)
        .end();
  return j.end().end().text();
}

}  // namespace

std::string info_results(const io::ResultsReader& results, const InfoOptions& options) {
  return options.json ? as_json(results) : as_text(results, options);
}

}  // namespace trammel::cli
