#pragma once

#include <cstddef>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

namespace trammel::io {

/// A file cannot be written or read: which, and the system's reason.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes under another name and renames: at every moment, and after an error, the file is whole,
/// the old one or the new one. `durable`: it is on the disk before it takes the name. What is no
/// file (a terminal, a pipe) is written as it is.
void write_whole(const std::string& path, const std::string& bytes, bool durable = false);

/// The whole of a file; one that is no regular file (a folder, a device, a pipe) or has more bytes
/// is refused.
std::string read_whole(const std::string& path,
                       std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

/// Why a reader of this path may wait for ever: it is a pipe, a socket or a device. Empty: it is
/// none of these.
std::string why_reading_waits(const std::string& path);

/// A file that is written bit by bit and takes its name once it is whole: commit(). What is not
/// committed leaves no trace. What is no file is written as it is.
class PartFile {
 public:
  explicit PartFile(std::string path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  std::FILE* stream() const { return stream_; }
  void commit();

 private:
  std::string path_, part_;  // part_: what is written; the path itself where that is no file
  std::FILE* stream_ = nullptr;
};

}  // namespace trammel::io
