#include "process.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

namespace trammel::bench {

namespace {

int most_seconds = 0;

/// Goes off again as long as the process has not used its time: it may have been kept waiting.
void on_alarm(int) {
  const double left = most_seconds - cpu_seconds();
  if (left > 0) {
    alarm(static_cast<unsigned>(left) + 1);
    return;
  }
  constexpr std::string_view kText = "takes too long\n";
  _exit(write(STDERR_FILENO, kText.data(), kText.size()) < 0 ? 2 : 1);
}

long find_kb(const char* file, std::string_view key) {
  std::ifstream status(file);
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return std::atol(line.c_str() + key.size());
  return 0;
}

long status_kb(std::string_view key) { return find_kb("/proc/self/status", key); }

}  // namespace

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void reset_peak() {
  malloc_trim(0);  // what was freed goes back to the system first
  std::ofstream("/proc/self/clear_refs") << 5;
}

long peak_rss_kb() { return status_kb("VmHWM:"); }
long rss_kb() { return status_kb("VmRSS:"); }

void limit(int seconds) {
  // not RLIMIT_CPU: under it the process's CPU clock goes in ticks of the system
  most_seconds = seconds;
  std::signal(SIGALRM, on_alarm);
  alarm(static_cast<unsigned>(seconds));
  const long kb = find_kb("/proc/meminfo", "MemAvailable:");
  if (kb == 0) return;
  const rlimit most{static_cast<rlim_t>(kb) * 1024, static_cast<rlim_t>(kb) * 1024};
  setrlimit(RLIMIT_AS, &most);
}

}  // namespace trammel::bench
