// trammel_bench: what a step costs. Times are CPU times of the process, medians of repetitions.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "beside.h"
#include "reference.h"
#include "version.h"

namespace trammel::bench {

namespace {

struct Group {
  std::string_view name;
  void (*run)(const Options&, Report&);
  bool alone;  // Trammel alone, in this process
};

constexpr Group kGroups[] = {
    {"chain", bench_chain, false},     {"memory", bench_memory, false},
    {"fourbar", bench_fourbar, false}, {"slider", bench_slider, false},
    {"hand", bench_hand, false},       {"precision", bench_precision, false},
    {"wagon", bench_wagon, true},      {"track", bench_track, true},
    {"rows", bench_rows, true},        {"threads", bench_threads, true},
    {"affine", bench_affine, true},    {"control", bench_control, true},
    {"contact", bench_contact, true},  {"piles", bench_piles, false},
    {"heaps", bench_heaps, false}};

struct Arguments {
  Options options;
  std::vector<std::string_view> groups;
  std::string json;
};

[[noreturn]] void usage(int code) {
  std::string groups;
  for (const Group& g : kGroups) groups += fmt::format(" {}", g.name);
  fmt::print(
      code ? stderr : stdout,
      "usage: trammel_bench [GROUP...] [--json FILE] [--repetitions N] [--cap SECONDS]\n"
      "                     [--no-peers] [--scenes FOLDER]\n"
      "       trammel_bench reference\n"
      "groups:{} (all of them, where none is named)\n"
      "JSON lines are appended to FILE. A peer's run is cut off after SECONDS of CPU time (5).\n"
      "reference: integrates the kept reference positions anew.\n",
      groups);
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
                                    [&](const Group& g) { return g.name == word; });
    if (group != std::end(kGroups))
      out.groups.push_back(word);
    else if (word == "--json")
      out.json = value();
    else if (word == "--scenes")
      out.options.scenes = value();
    else if (word == "--repetitions")
      out.options.repetitions = std::max(1, std::atoi(value()));
    else if (word == "--cap")
      out.options.cap = std::atof(value());
    else if (word == "--no-peers")
      out.options.peers = false;
    else
      usage(word == "--help" || word == "-h" ? 0 : 2);
  }
  if (out.options.scenes.empty()) out.options.scenes = find_scenes();
  return out;
}

void say_what_is_beside(const Options& options, Report& report) {
  if (!options.peers) return;
  std::string there, packages;
  for (const Program& p : programs()) {
    if (!p.peer()) continue;
    (present(p) ? there : packages) += fmt::format(" {}", present(p) ? p.name : p.package);
  }
  report.note("beside Trammel:" + (there.empty() ? " nothing" : there));
  if (!packages.empty())
    report.note("for the others: apt-get install" + packages + "; ./dev bench then builds them");
}

int run(const Arguments& arguments) {
  Report report(arguments.json);
  if (!report.good()) {
    fmt::print(stderr, "trammel_bench: cannot write {}\n", arguments.json);
    return 2;
  }
  say_what_is_beside(arguments.options, report);
  for (const Group& group : kGroups) {
    const auto& wanted = arguments.groups;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), group.name) == wanted.end())
      continue;
    report.group(group.name);
    if (group.alone) report.title(group.name);
    group.run(arguments.options, report);
  }
  return report.faults();
}

/// One job of a group that runs engines side by side.
int run_as(int argc, char** argv) {
  const std::string_view name = argc > 2 ? argv[2] : "";
  if (name == "trammel")
    return adapter_main(argc - 2, argv + 2, std::string("trammel-") + kVersion, make_trammel);
  if (name == "hand") return adapter_main(argc - 2, argv + 2, "hand", make_hand);
  usage(2);
}

}  // namespace

}  // namespace trammel::bench

int main(int argc, char** argv) {
  using namespace trammel::bench;
  if (argc > 1 && std::strcmp(argv[1], "--as") == 0) return run_as(argc, argv);
  if (argc == 2 && std::strcmp(argv[1], "reference") == 0) return print_references(), 0;
  return run(parse(argc, argv));
}
