#pragma once

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

std::string read_whole(const std::string& path);

}  // namespace trammel::io
