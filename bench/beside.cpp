#include "beside.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace trammel::bench {

namespace {

namespace fs = std::filesystem;

constexpr Program kPrograms[] = {{"trammel", "trammel_bench", ""},
                                 {"hand", "trammel_bench", ""},
                                 {"ode", "trammel_peer_ode", "libode-dev"},
                                 {"bullet", "trammel_peer_bullet", "libbullet-dev"},
                                 {"mujoco", "trammel_peer_mujoco", "libmujoco-dev"},
                                 {"simbody", "trammel_peer_simbody", "libsimbody-dev"}};
constexpr double kOnce = 2;  // CPU seconds of a run that is not repeated: noise averages out in it

fs::path folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

const Program& find(std::string_view name) {
  return *std::find_if(std::begin(kPrograms), std::end(kPrograms),
                       [&](const Program& p) { return p.name == name; });
}

std::string command(const Program& program, const Case& c) {
  std::string out = "ulimit -s unlimited; exec '" + (folder() / program.file).string() + "'";
  if (!program.peer()) out += fmt::format(" --as {}", program.name);
  return out +
         fmt::format(" {} {} {} {} {} {} 2>&1", c.scene, c.n, c.dt, c.seconds, c.solver, c.cap);
}

/// The one line of JSON, or in `failed` the last line of something else.
Figure run(const Program& program, const Case& wanted) {
  Figure out{wanted.scene, wanted.solver, wanted.n, wanted.dt};
  out.engine = program.name;
  std::FILE* pipe = popen(command(program, wanted).c_str(), "r");
  if (!pipe) return out.failed = "cannot be started", out;
  std::string json, last;
  std::array<char, 4096> line;
  while (std::fgets(line.data(), line.size(), pipe)) (line[0] == '{' ? json : last) = line.data();
  const int status = pclose(pipe);
  if (status == 0 && !json.empty()) return from_json(json);
  std::erase_if(last, [](char c) { return c == '"' || c == '\\' || c < ' '; });
  if (!last.empty())
    out.failed = last;
  else if (WIFSIGNALED(status))
    out.failed = fmt::format("ended: {}", strsignal(WTERMSIG(status)));
  else
    out.failed = fmt::format("ended with status {}", status);
  return out;
}

}  // namespace

std::span<const Program> programs() { return kPrograms; }

bool present(const Program& program) { return fs::exists(folder() / program.file); }

std::vector<Figure> run_in_turn(const std::vector<Job>& jobs, const Options& options) {
  std::vector<std::vector<Figure>> all(jobs.size());
  for (int k = 0; k < options.repetitions; ++k)
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const Program& program = find(jobs[i].program);
      if (!present(program) || (program.peer() && !options.peers)) continue;
      if (k && (!all[i][0].failed.empty() || all[i][0].seconds > kOnce)) continue;
      Case wanted = jobs[i].wanted;
      if (program.peer()) wanted.cap = options.cap;
      all[i].push_back(run(program, wanted));
    }
  std::vector<Figure> out;
  for (auto& repeated : all)
    if (!repeated.empty()) out.push_back(median(std::move(repeated)));
  return out;
}

}  // namespace trammel::bench
