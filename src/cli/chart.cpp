#include "cli/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "units/nearest.h"

namespace trammel::cli {

namespace {

constexpr std::size_t kMostMarks = 8;

const io::Channel* find(std::span<const io::Channel> channels, const std::string& name) {
  const auto it = std::find_if(channels.begin(), channels.end(),
                               [&](const io::Channel& c) { return c.name == name; });
  return it == channels.end() ? nullptr : &*it;
}

/// The names that begin with as much of another one, cut at dots, as any does.
std::vector<std::string> beside(const std::vector<std::string>& names, std::string name) {
  std::vector<std::string> out;
  for (std::size_t end = name.size(); end != std::string::npos && out.empty();
       end = name.find_last_of('.', end - 1)) {
    const std::string begin = name.substr(0, end) + ".";
    for (const std::string& n : names)
      if (n.starts_with(begin)) out.push_back(n);
    if (end == 0) break;
  }
  return out;
}

std::string shown_unit(const std::string& unit) { return unit == "1" ? "" : unit; }

/// Returns what the names of a panel's channels share: "speed" of front.speed and rear.speed,
/// "energy" of energy.kinetic and energy.gravity.
std::string common_part(const std::vector<std::string>& names) {
  std::vector<std::string> head = parts_of(names.front());
  std::string tail = head.back();
  for (const std::string& name : names) {
    const std::vector<std::string> other = parts_of(name);
    const auto end = std::mismatch(head.begin(), head.end(), other.begin(), other.end()).first;
    head.erase(end, head.end());
    if (other.back() != tail) tail.clear();
  }
  return head.empty() ? tail : fmt::format("{}", fmt::join(head, "."));
}

/// A path is drawn to scale: as high as it has to be for x and y in one unit.
double height_to_scale(const plot::Figure& figure, const std::vector<double>& x,
                       const std::vector<double>& y) {
  const auto range = [](const std::vector<double>& v) {
    const auto [lo, hi] = std::minmax_element(v.begin(), v.end());
    return v.empty() ? 0 : *hi - *lo;
  };
  const double scaled = 0.92 * figure.width * 1.1 * range(y) / range(x);
  return std::isfinite(scaled) && scaled > 0 ? std::clamp(scaled, 100.0, 1.2 * figure.width)
                                             : figure.panel_height;
}

/// The different channels of a panel, as they come.
std::vector<std::string> names_of(const ChartPanel& lines) {
  std::vector<std::string> out;
  for (const ChartLine& line : lines)
    if (std::ranges::find(out, line.channel) == out.end()) out.push_back(line.channel);
  return out;
}

/// Runs are told apart by colour where they show one channel, else by dashes: then colours are
/// those of channels.
void set_apart(plot::Line& line, std::size_t run, std::size_t runs, std::size_t channel,
               std::size_t channels) {
  const int r = static_cast<int>(run), c = static_cast<int>(channel);
  if (runs < 2) return;
  if (channels == 1) {
    line.colour = r % plot::kColourCount;
    line.dash = r % plot::kDashCount;  // what lies under another one shows between its dashes
  } else if (channels <= plot::kColourCount && runs <= plot::kDashCount) {
    line.colour = c;
    line.dash = r;
  }
}

plot::Panel panel(const ChartPanel& lines, std::span<const std::vector<double>> x,
                  std::span<const Source> sources) {
  const std::vector<std::string> names = names_of(lines);
  plot::Panel out;
  out.y = {names.size() == 1 ? names.front() : common_part(names), shown_unit(lines.front().unit)};
  for (const ChartLine& line : lines) {
    const Source& from = sources[line.source];
    std::string name = sources.size() == 1 ? line.channel : from.name + ": " + line.channel;
    if (names.size() == 1) name = sources.size() == 1 ? "" : from.name;
    const auto channel = std::ranges::find(names, line.channel) - names.begin();
    out.lines.push_back({name, x[line.source], from.results->read(line.channel)});
    set_apart(out.lines.back(), line.source, sources.size(), static_cast<std::size_t>(channel),
              names.size());
  }
  return out;
}

/// x where the time is t; NaN where x does not run one way.
double x_at(double t, const std::vector<double>& time, const std::vector<double>& x) {
  const auto after = std::upper_bound(time.begin(), time.end(), t);
  if (time.empty() || after == time.begin()) return NAN;
  if (after == time.end()) return x.back();
  const auto i = static_cast<std::size_t>(after - time.begin());
  const double part = (t - time[i - 1]) / (time[i] - time[i - 1]);
  return x[i - 1] + part * (x[i] - x[i - 1]);
}

/// Events worth pointing at: if they are many, the rare kinds only; at one moment, one mark.
std::vector<plot::Mark> marks(const io::ResultsReader& results, const std::vector<double>& x) {
  const std::vector<double> time = results.time();
  if (!std::is_sorted(x.begin(), x.end())) return {};
  const std::vector<io::Event> events = results.events();
  const auto often = [&](const io::Event& e) {
    return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const auto& o) {
             return o.kind == e.kind;
           })) > kMostMarks;
  };
  std::vector<plot::Mark> out;
  for (const io::Event& e : events) {
    const double place = x_at(e.t, time, x);
    if (!std::isfinite(place) || often(e)) continue;
    if (!out.empty() && out.back().x == place) continue;
    out.push_back({place, fmt::format("{} {}", e.kind, e.subject)});
  }
  if (out.size() > kMostMarks) out.clear();
  return out;
}

}  // namespace

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> out{""};
  for (const char c : name)
    if (c == '.')
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

std::string unknown_channel(std::span<const io::Channel> channels, const std::string& name) {
  std::vector<std::string> names;
  for (const io::Channel& c : channels) names.push_back(c.name);
  if (const auto near = beside(names, name); !near.empty() && !units::nearest(name, names))
    names = near;
  return fmt::format("there is no channel '{}'{}", name, units::did_you_mean(name, names));
}

std::vector<io::Channel> channels_of(std::span<const io::Series> series) {
  std::vector<io::Channel> out{{"time", "s"}};
  for (std::size_t i = 0; i < series.size(); ++i)
    for (std::size_t item = 0; item < series[i].items.size(); ++item)
      for (std::size_t column = 0; column < series[i].columns.size(); ++column)
        out.push_back({io::channel_name(series[i], item, column), series[i].unit(item, column), i,
                       item, column});
  return out;
}

std::vector<std::string> panel_channels(const std::string& y) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= y.size();) {
    const std::size_t to = std::min(y.find(',', from), y.size());
    std::string name = y.substr(from, to - from);
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    out.push_back(std::move(name));
    from = to + 1;
  }
  return out;
}

std::vector<Problem> check_chart(const sim::PlotSpec& plot, std::span<const io::Channel> channels) {
  std::vector<Problem> out;
  if (!find(channels, plot.x)) out.push_back({plot.path + ".x", unknown_channel(channels, plot.x)});
  for (const std::string& y : plot.y) {
    const io::Channel* first = nullptr;
    for (const std::string& name : panel_channels(y)) {
      const io::Channel* c = find(channels, name);
      if (!c) {
        out.push_back({plot.path + ".y", unknown_channel(channels, name)});
      } else if (first && first->unit != c->unit) {
        out.push_back(
            {plot.path + ".y", fmt::format("'{}' is in {}, '{}' in {}: they cannot share a panel",
                                           first->name, first->unit, c->name, c->unit)});
      } else {
        first = c;
      }
    }
  }
  return out;
}

plot::Figure make_figure(const std::string& x, std::span<const ChartPanel> panels,
                         std::span<const Source> sources) {
  std::vector<std::vector<double>> along;
  for (const Source& source : sources) along.push_back(source.results->read(x));
  const std::string unit = sources.front().results->find(x).unit;
  plot::Figure out;
  out.x = {x, shown_unit(unit)};
  for (const ChartPanel& lines : panels) out.panels.push_back(panel(lines, along, sources));
  if (out.panels.size() == 1 && unit == "m" && out.panels[0].y.unit == "m")
    out.panel_height = height_to_scale(out, along[0], out.panels[0].lines[0].y);
  if (sources.size() == 1) out.marks = marks(*sources[0].results, along[0]);
  return out;
}

plot::Figure make_chart(const sim::PlotSpec& plot, const io::ResultsReader& results) {
  std::vector<ChartPanel> panels;
  for (const std::string& y : plot.y) {
    panels.emplace_back();
    for (const std::string& name : panel_channels(y))
      panels.back().push_back({0, name, results.find(name).unit});
  }
  const Source source{"", &results};
  plot::Figure out = make_figure(plot.x, panels, {&source, 1});
  out.title = plot.title.empty() ? plot.name : plot.title;
  return out;
}

}  // namespace trammel::cli
