#include "expr/c_compiler.h"

#ifndef TRAMMEL_MARCH  // the build does not have it

namespace trammel::expr {

std::unique_ptr<LoadedC> LoadedC::load(const std::string&, const Compiler&, std::string& why) {
  why = "this build has no compiled expressions (TRAMMEL_COMPILED is OFF)";
  return nullptr;
}
LoadedC::~LoadedC() = default;
void* LoadedC::find(const char*) const { return handle_; }

}  // namespace trammel::expr

#else

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace trammel::expr {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// A private folder for the time of a compilation.
class Folder {
 public:
  Folder() {
    const char* place = std::getenv("TMPDIR");
    std::string pattern = fmt::format("{}/trammel_XXXXXX", place && *place ? place : "/tmp");
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Not the library's own search: that one looks in places of its own where PATH is not set.
std::string found(const std::string& name) {
  if (name.find('/') != name.npos) return name;
  const char* path = std::getenv("PATH");
  const std::string places = path ? path : "";
  for (std::size_t from = 0; from < places.size();) {
    const std::size_t to = std::min(places.find(':', from), places.size());
    const std::string file = places.substr(from, to - from) + "/" + name;
    if (to > from && access(file.c_str(), X_OK) == 0) return file;
    from = to + 1;
  }
  return "";
}

/// The environment, but for where compilers leave files.
std::vector<std::string> environment(const Folder& folder) {
  std::vector<std::string> out = {"TMPDIR=" + folder.path()};
  for (char** e = environ; *e; ++e)
    if (!std::string_view(*e).starts_with("TMPDIR=")) out.emplace_back(*e);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// 0: started, as leader of a group of processes.
int start(std::vector<std::string> words, const Folder& folder, pid_t& child) {
  std::vector<std::string> environment = expr::environment(folder);
  const std::string log = folder.file("log");
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawn(&child, words[0].c_str(), &files, &attributes,
                                pointers(words).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

/// What the process ended with; below 0: it was ended, its time being over. Who ignores children
/// learns nothing of them: 0.
int wait_for(pid_t child, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (auto pause = 1ms;; pause = std::min(2 * pause, 20ms)) {
    int status = 0;
    const pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (got < 0 && errno != EINTR) return 0;
    if (std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(pause);
  }
  kill(-child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return -1;
}

std::string first_words(const std::string& file) {
  std::string out(200, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out.substr(0, out.find_last_not_of('\n') + 1);
}

/// tapes.so in the folder, of the tapes.c there; or why not. Nothing is reassociated or contracted:
/// the two switches say that nobody reads errno or floating-point exceptions.
std::string compile(const Folder& folder, const LoadedC::Compiler& compiler) {
  const std::string program = found(compiler.name);
  if (program.empty()) return fmt::format("no compiler: '{}' is not in PATH", compiler.name);
  const std::vector<std::string> words = {
      program, "-x", "c", "-std=gnu11", "-O2", "-w", "-fPIC", "-shared", "-ffp-contract=off",
      // of gcc 12, which contracts a b + c, a b - c in pairs
      "-fno-tree-slp-vectorize", "-fno-math-errno", "-fno-trapping-math", "-march=" TRAMMEL_MARCH,
      "-nostdlib", "-o", folder.file("tapes.so"), folder.file("tapes.c")};
  pid_t child = -1;
  if (const int error = start(words, folder, child))
    return fmt::format("{} cannot be started: {}", program, std::strerror(error));
  const int code = wait_for(child, compiler.seconds);
  if (code == 0) return "";
  if (code < 0) return fmt::format("{} took more than {:g} s", program, compiler.seconds);
  return fmt::format("{} ended with {}: {}", program, code, first_words(folder.file("log")));
}

}  // namespace

std::unique_ptr<LoadedC> LoadedC::load(const std::string& text, const Compiler& compiler,
                                       std::string& why) {
  const Folder folder;
  if (folder.path().empty())
    return why = fmt::format("no folder for the compiler: {}", std::strerror(errno)), nullptr;
  if (!(std::ofstream(folder.file("tapes.c"), std::ios::binary) << text << std::flush))
    return why = fmt::format("{} cannot be written", folder.file("tapes.c")), nullptr;
  if (why = compile(folder, compiler); !why.empty()) return nullptr;
  void* handle = dlopen(folder.file("tapes.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return why = fmt::format("cannot be loaded: {}", dlerror()), nullptr;
  return std::unique_ptr<LoadedC>(new LoadedC(handle));
}

LoadedC::~LoadedC() { dlclose(handle_); }

void* LoadedC::find(const char* name) const { return dlsym(handle_, name); }

}  // namespace trammel::expr

#endif
