#include "io/whole_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
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
  bool regular() const {
    struct stat about {};
    return ::fstat(id_, &about) == 0 && S_ISREG(about.st_mode);
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

std::string why_reading_waits(const std::string& path) {
  std::error_code error;
  const fs::file_status is = fs::status(path, error);
  const bool kept = fs::is_regular_file(is) || fs::is_directory(is);
  return error || kept || !fs::exists(is) ? "" : "it is no regular file but a pipe or a device";
}

std::string read_whole(const std::string& path, std::size_t most_bytes) {
  const Descriptor file(path, O_RDONLY | O_NONBLOCK);  // a pipe without a writer must not hold us
  if (!file) fail(path, "read");
  if (!file.regular())
    throw FileError(fmt::format("{} cannot be read: it is no regular file", path));
  std::string out;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = file.read(buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path, "read");
    if (n == 0) return out;
    if (static_cast<std::size_t>(n) > most_bytes - out.size())
      throw FileError(
          fmt::format("{} cannot be read: it has more than {} MB, the most there may be", path,
                      most_bytes >> 20));
    out.append(buffer, static_cast<std::size_t>(n));
  }
}

namespace {
bool is_other(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_regular_file(path, error);
}
}  // namespace

PartFile::PartFile(std::string path)
    : path_(std::move(path)), part_(is_other(path_) ? path_ : path_ + ".part") {
  stream_ = std::fopen(part_.c_str(), "w");
  if (!stream_) fail(path_, "written");
}

PartFile::~PartFile() {
  if (!stream_) return;
  std::fclose(stream_);
  if (part_ != path_) ::unlink(part_.c_str());
}

void PartFile::commit() {
  const bool failed = std::ferror(stream_) != 0;
  const bool good = std::fclose(std::exchange(stream_, nullptr)) == 0 && !failed;
  if (good && (part_ == path_ || std::rename(part_.c_str(), path_.c_str()) == 0)) return;
  const int why = errno;
  if (part_ != path_) ::unlink(part_.c_str());
  errno = why;
  fail(path_, "written");
}

}  // namespace trammel::io
