#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/archive.h"

/// Checkpoints on disk: two files in the folder of the results, written in turn, so that a kill at
/// any moment and damage to one of them leave another. Each is, in the machine's order of bytes,
///   magic "trammel\n", format (4 bytes), size of the file, FNV-1a of all that follows (8 each),
///   header, contents
namespace trammel::io {

using sim::CheckpointError;

struct CheckpointHeader {
  std::string version, build;            // of the program that wrote it
  std::uint64_t scene = 0;               // hash of the scene's text with its overrides
  std::int64_t step = 0;                 // of the grid
  double t = 0;                          // [s]
  std::uint64_t frames = 0, events = 0;  // of the results, which are whole in their file
  std::uint8_t complete = 0;             // 1: the run is over, and all its files are written
};

struct Checkpoint {
  CheckpointHeader header;
  std::string contents;
};

/// The GNU build id of the running program: another one may give other bits. Empty where the linker
/// made none.
std::string build_id();

/// The two files of a folder.
std::vector<std::string> checkpoint_files(const std::string& folder);

/// Replaces the older of the two; `durable`: it reaches the disk first. Throws CheckpointError.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(const std::string& folder);
  void write(const Checkpoint& checkpoint, bool durable);

 private:
  std::vector<std::string> files_;
  std::size_t next_ = 0;
};

/// Throws CheckpointError: damaged, of another version or build.
Checkpoint read_checkpoint(const std::string& file);

/// Those of a folder that can be used, the latest first, and what is wrong with the others. Throws
/// CheckpointError where there is none.
struct Checkpoints {
  std::vector<Checkpoint> good;
  std::vector<std::string> complaints;
};
Checkpoints read_checkpoints(const std::string& folder);
void remove_checkpoints(const std::string& folder);

}  // namespace trammel::io
