// trammel_bench: what a step costs. Times are CPU times of the process, medians of repetitions.
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string_view>
#include <utility>

#include "bench.h"

namespace trammel::bench {

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void reset_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

long peak_rss_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::atol(line.c_str() + 6);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

void take_median(std::vector<double> seconds, Figure& out) {
  std::sort(seconds.begin(), seconds.end());
  out.seconds = seconds[seconds.size() / 2];
  out.spread = (seconds.back() - seconds.front()) / out.seconds;
}

model::Built built(const model::Builder& builder) {
  auto result = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    for (const Problem& p : *problems) fmt::print(stderr, "{}: {}\n", p.path, p.text);
    std::exit(2);
  }
  return std::get<model::Built>(std::move(result));
}

namespace {

constexpr std::pair<std::string_view, void (*)(const Options&, const Emit&)> kGroups[] = {
    {"chain", bench_chain}, {"wagon", bench_wagon}, {"track", bench_track}, {"rows", bench_rows}};

struct Arguments {
  Options options;
  std::vector<std::string_view> groups;
  std::string json;
};

[[noreturn]] void usage(int code) {
  fmt::print(code ? stderr : stdout,
             "usage: trammel_bench [chain] [wagon] [track] [rows] [--json FILE]\n"
             "                     [--repetitions N] [--scenes FOLDER]\n"
             "Without a group: all of them. JSON lines are appended to FILE, one a scenario.\n");
  std::exit(code);
}

/// The scenes of the checkout that the program was built in, or of the folder one is in.
std::filesystem::path find_scenes() {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::path start : {fs::current_path(), fs::read_symlink("/proc/self/exe", error)})
    for (; start.has_relative_path(); start = start.parent_path())
      if (fs::is_directory(start / "scenes", error)) return start / "scenes";
  return "scenes";
}

Arguments parse(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto value = [&] { return ++i < argc ? argv[i] : (usage(2), nullptr); };
    const auto group = std::find_if(std::begin(kGroups), std::end(kGroups),
                                    [&](const auto& g) { return g.first == word; });
    if (group != std::end(kGroups))
      out.groups.push_back(word);
    else if (word == "--json")
      out.json = value();
    else if (word == "--scenes")
      out.options.scenes = value();
    else if (word == "--repetitions")
      out.options.repetitions = std::max(1, std::atoi(value()));
    else
      usage(word == "--help" || word == "-h" ? 0 : 2);
  }
  if (out.options.scenes.empty()) out.options.scenes = find_scenes();
  return out;
}

void print(const Figure& f, std::FILE* to) {
  const double us = f.seconds / static_cast<double>(f.steps) * 1e6;
  const std::string factor =
      f.simulated > 0 ? fmt::format("{:9.1f} x", f.simulated / f.seconds) : std::string(11, ' ');
  fmt::print(to, "{:<16} {:<9} {:>6} {:12.3f} {:10.1f} {} {:9.1e} {:9.1e} {:8.1f}\n", f.scenario,
             f.solver, f.n, us, 1e3 * us / f.n, factor, f.drift, f.energy,
             static_cast<double>(f.peak_rss_kb) / 1024);
  std::fflush(to);
}

void append_json(std::string_view group, const Figure& f, std::FILE* to) {
  const double us = f.seconds / static_cast<double>(f.steps) * 1e6;
  const Vec3& p = f.final_pos;
  fmt::print(to,
             "{{\"group\":\"{}\",\"engine\":\"trammel\",\"scenario\":\"{}\",\"N\":{},\"dt\":{},"
             "\"solver\":\"{}\",\"sim_s\":{},\"steps\":{},\"cpu_s\":{:.6g},\"cpu_spread\":{:.3g},"
             "\"us_per_step\":{:.6g},\"ns_per_item\":{:.6g},\"speed_factor\":{:.6g},"
             "\"drift_m\":{:.4g},\"energy_rel_max\":{:.4g},\"final_pos\":[{:.12g},{:.12g},{:.12g}],"
             "\"peak_rss_kb\":{}}}\n",
             group, f.scenario, f.n, f.dt, f.solver, f.simulated, f.steps, f.seconds, f.spread, us,
             1e3 * us / f.n, f.simulated / f.seconds, f.drift, f.energy, p.x(), p.y(), p.z(),
             f.peak_rss_kb);
  std::fflush(to);
}

int run(const Arguments& arguments) {
  std::FILE* json = nullptr;
  if (!arguments.json.empty()) {
    json = std::fopen(arguments.json.c_str(), "a");
    if (!json) {
      fmt::print(stderr, "trammel_bench: cannot write {}\n", arguments.json);
      return 2;
    }
  }
  fmt::print("{:<16} {:<9} {:>6} {:>12} {:>10} {:>11} {:>9} {:>9} {:>8}\n", "scenario", "solver",
             "N", "us/step", "ns/step/N", "real time", "drift [m]", "energy", "peak [MB]");
  for (const auto& [name, bench] : kGroups) {
    const auto& wanted = arguments.groups;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    bench(arguments.options, [&, group = name](const Figure& f) {
      print(f, stdout);
      if (json) append_json(group, f, json);
    });
  }
  if (json) std::fclose(json);
  return 0;
}

}  // namespace

}  // namespace trammel::bench

int main(int argc, char** argv) { return trammel::bench::run(trammel::bench::parse(argc, argv)); }
