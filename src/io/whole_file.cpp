#include "io/whole_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace trammel::io {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw FileError(fmt::format("{} cannot be {}: {}", path, what, std::strerror(errno)));
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  explicit operator bool() const { return id_ >= 0; }
  bool close() { return id_ < 0 || ::close(std::exchange(id_, -1)) == 0; }
  bool sync() const { return ::fsync(id_) == 0; }
  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ::write(id_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  ssize_t read(char* to, std::size_t n) const { return ::read(id_, to, n); }

 private:
  int id_;
};

void write_as_is(const std::string& path, const std::string& bytes) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file || !file.write(bytes) || !file.close()) fail(path, "written");
}

/// The rename too is then on the disk.
void sync_folder(const fs::path& path) {
  const Descriptor folder(path.has_parent_path() ? path.parent_path().string() : ".",
                          O_RDONLY | O_DIRECTORY);
  if (folder) folder.sync();  // some file systems cannot
}

}  // namespace

void write_whole(const std::string& path, const std::string& bytes, bool durable) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) return write_as_is(path, bytes);
  const std::string part = path + ".part";
  {
    Descriptor file(part, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file) fail(path, "written");
    const bool good = file.write(bytes) && (!durable || file.sync()) && file.close();
    if (!good || std::rename(part.c_str(), path.c_str()) != 0) {
      const int why = errno;
      ::unlink(part.c_str());
      errno = why;
      fail(path, "written");
    }
  }
  if (durable) sync_folder(path);
}

std::string read_whole(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  if (!file) fail(path, "read");
  std::string out;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = file.read(buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path, "read");
    if (n == 0) return out;
    out.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace trammel::io
