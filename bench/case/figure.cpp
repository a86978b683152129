#include "figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace trammel::bench {

namespace {

std::string number(double x, int digits) {
  return std::isfinite(x) ? fmt::format("{:.{}g}", x, digits) : "null";
}

/// Where the value of a key begins; the keys of a line are all different.
std::size_t find(std::string_view line, std::string_view key) {
  const std::string quoted = fmt::format("\"{}\":", key);
  const std::size_t i = line.find(quoted);
  return i == line.npos ? i : i + quoted.size();
}

std::string text(std::string_view line, std::string_view key) {
  const std::size_t i = find(line, key);
  if (i == line.npos || line[i] != '"') return {};
  return std::string(line.substr(i + 1, line.find('"', i + 1) - i - 1));
}

double value(std::string_view line, std::string_view key) {
  const std::size_t i = find(line, key);
  if (i == line.npos || line[i] == 'n') return kNone;
  return std::strtod(std::string(line.substr(i, 40)).c_str(), nullptr);
}

bool truth(std::string_view line, std::string_view key) {
  const std::size_t i = find(line, key);
  return i != line.npos && line[i] == 't';
}

Vec3 position(std::string_view line) {
  Vec3 p = Vec3::Zero();
  const std::size_t i = find(line, "final_pos");
  if (i == line.npos) return p;
  const std::string list(line.substr(i + 1, 120));
  const char* at = list.c_str();
  for (int k = 0; k < 3; ++k) {
    char* end = nullptr;
    p[k] = std::strtod(at, &end);
    at = end + 1;
  }
  return p;
}

}  // namespace

double Figure::us_per_step() const {
  return seconds / static_cast<double>(std::max(1L, steps)) * 1e6;
}

std::string to_json(const Figure& f) {
  std::string out = fmt::format(
      "{{\"group\":\"{}\",\"engine\":\"{}\",\"precision\":\"double\",\"scenario\":\"{}\","
      "\"N\":{},\"dt\":{},\"solver\":\"{}\"",
      f.group, f.engine, f.scenario, f.n, f.dt, f.solver);
  if (!f.failed.empty()) return out + fmt::format(",\"failed\":\"{}\"}}", f.failed);
  const double us = f.us_per_step();
  out += fmt::format(
      ",\"sim_s\":{:.6g},\"steps\":{},\"cpu_s\":{:.6g},\"us_per_step\":{:.6g},\"cpu_spread\":{:.3g}"
      ",\"reps\":{},\"ns_per_item\":{:.6g},\"speed_factor\":{:.6g}",
      f.simulated, f.steps, f.seconds, us, f.spread, f.repetitions, 1e3 * us / f.n,
      f.simulated / f.seconds);
  out += fmt::format(
      ",\"drift_m\":{},\"drift_rad\":{},\"energy_rel_max\":{},\"energy_rel_end\":{},\"error_m\":{}",
      number(f.drift, 4), number(f.drift_angle, 4), number(f.energy, 4), number(f.energy_end, 4),
      number(f.error, 4));
  if (std::isfinite(f.late))
    out += fmt::format(
        ",\"late_us\":{},\"touching\":{},\"depth_mean_m\":{},\"depth_max_m\":{},\"speed_rms\":{}",
        number(f.late, 6), number(f.contacts, 6), number(f.depth, 4), number(f.depth_most, 4),
        number(f.speed, 4));
  const Vec3& p = f.final_pos;
  out += fmt::format(",\"final_pos\":[{},{},{}]", number(p.x(), 15), number(p.y(), 15),
                     number(p.z(), 15));
  return out + fmt::format(
                   ",\"truncated\":{},\"finite\":{},\"peak_rss_kb\":{},\"bytes_per_body\":{},"
                   "\"iterations_per_step\":{},\"beside_best_peer\":{}}}",
                   f.truncated, f.finite, f.peak_rss_kb, number(f.bytes, 6),
                   number(f.iterations, 4), number(f.beside, 4));
}

Figure from_json(std::string_view line) {
  const auto whole = [&](std::string_view key) { return static_cast<long>(value(line, key)); };
  Figure f;
  f.group = text(line, "group");
  f.engine = text(line, "engine");
  f.scenario = text(line, "scenario");
  f.solver = text(line, "solver");
  f.n = static_cast<int>(whole("N"));
  f.dt = value(line, "dt");
  f.failed = text(line, "failed");
  if (!f.failed.empty()) return f;
  f.simulated = value(line, "sim_s");
  f.steps = whole("steps");
  f.seconds = value(line, "cpu_s");
  f.spread = value(line, "cpu_spread");
  f.repetitions = static_cast<int>(whole("reps"));
  f.drift = value(line, "drift_m");
  f.drift_angle = value(line, "drift_rad");
  f.energy = value(line, "energy_rel_max");
  f.energy_end = value(line, "energy_rel_end");
  f.error = value(line, "error_m");
  f.final_pos = position(line);
  f.late = value(line, "late_us");
  f.contacts = value(line, "touching");
  f.depth = value(line, "depth_mean_m");
  f.depth_most = value(line, "depth_max_m");
  f.speed = value(line, "speed_rms");
  f.truncated = truth(line, "truncated");
  f.finite = truth(line, "finite");
  f.peak_rss_kb = whole("peak_rss_kb");
  f.bytes = value(line, "bytes_per_body");
  f.iterations = value(line, "iterations_per_step");
  return f;
}

Figure median(std::vector<Figure> all) {
  const auto faster = [](const Figure& a, const Figure& b) {
    return a.us_per_step() < b.us_per_step();
  };
  std::sort(all.begin(), all.end(), faster);
  Figure out = all[all.size() / 2];
  if (all.size() > 1)
    out.spread = (all.back().us_per_step() - all.front().us_per_step()) / out.us_per_step();
  out.repetitions = 0;
  for (const Figure& f : all) out.repetitions += f.repetitions;
  return out;
}

void take_median(std::vector<double> seconds, Figure& out) {
  std::sort(seconds.begin(), seconds.end());
  out.seconds = seconds[seconds.size() / 2];
  out.spread = (seconds.back() - seconds.front()) / out.seconds;
  out.repetitions = static_cast<int>(seconds.size());
}

}  // namespace trammel::bench
