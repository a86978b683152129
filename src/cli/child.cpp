#include "cli/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/command.h"
#include "io/whole_file.h"

namespace trammel::cli {

namespace {

constexpr std::size_t kMostWords = std::size_t{1} << 24;

/// Of the new process, which only calls what is safe after a fork.
[[noreturn]] void become(char* const* arguments, int input, int log) {
  setpgid(0, 0);
  std::signal(SIGPIPE, SIG_DFL);
  dup2(input, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

Child::Child(const std::vector<std::string>& command, const std::string& log, Stdin input)
    : log_(log) {
  std::vector<char*> arguments;
  for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  int ends[2] = {-1, -1};
  const int words = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const bool ready = words >= 0 && (input == Stdin::pipe
                                        ? pipe2(ends, O_CLOEXEC) == 0
                                        : (ends[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0);
  if (ready) pid_ = fork();
  if (pid_ == 0) become(arguments.data(), ends[0], words);
  const int error = errno;
  if (ends[0] >= 0) close(ends[0]);
  if (words >= 0) close(words);
  input_ = ends[1];
  if (pid_ < 0)
    throw InputError(fmt::format("{} cannot be started: {}", command[0], std::strerror(error)));
  setpgid(pid_, pid_);
}

Child::~Child() {
  close_input();
  if (ended()) return;
  kill(-pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Child::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

bool Child::write(std::string_view bytes) {
  void (*before)(int) = std::signal(SIGPIPE, SIG_IGN);
  while (!bytes.empty()) {
    const ssize_t n = ::write(input_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  std::signal(SIGPIPE, before);
  return bytes.empty();
}

int Child::wait() {
  close_input();
  int status = 0;
  while (code_ < 0 && waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  if (code_ < 0) code_ = code_of(status);
  return code_;
}

bool Child::ended() {
  int status = 0;
  if (code_ < 0 && waitpid(pid_, &status, WNOHANG) == pid_) code_ = code_of(status);
  return code_ >= 0;
}

std::string Child::last_words(std::size_t characters) const {
  std::string all = io::read_whole(log_, kMostWords);
  while (!all.empty() && all.back() == '\n') all.pop_back();
  return all.size() <= characters ? all : "..." + all.substr(all.size() - characters);
}

std::string found_program(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");
  const std::string places = path ? path : "";
  for (const std::string& name : names)
    for (std::size_t from = 0; from <= places.size();) {
      const std::size_t to = std::min(places.find(':', from), places.size());
      const std::filesystem::path file =
          std::filesystem::path(places.substr(from, to - from)) / name;
      if (access(file.c_str(), X_OK) == 0) return file.string();
      from = to + 1;
    }
  return "";
}

}  // namespace trammel::cli
