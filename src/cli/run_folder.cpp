#include "cli/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "cli/command.h"
#include "io/checkpoint_file.h"
#include "io/results.h"

namespace trammel::cli {

namespace fs = std::filesystem;

FolderLock::FolderLock(const fs::path& folder)
    : id_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  // some file systems of a network know no locks: those run without
  if (id_ < 0 || ::flock(id_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(id_);
  throw InputError(fmt::format("{}: another process is running into it", folder.string()));
}

FolderLock::~FolderLock() {
  if (id_ >= 0) ::close(id_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : id_(std::exchange(other.id_, -1)) {}

FolderLock make_folder(const fs::path& folder, bool force) {
  std::error_code error;
  const fs::path results = folder / kResultsName;
  if (fs::exists(results, error) && !force)
    throw InputError(
        fmt::format("{} holds results already: --force replaces them, -o DIR puts the new "
                    "ones elsewhere, 'trammel resume' goes on with a run that was cut short",
                    folder.string()));
  fs::create_directories(folder, error);
  if (error)
    throw InputError(fmt::format("{} cannot be made: {}", folder.string(), error.message()));
  FolderLock lock(folder);
  io::remove_checkpoints(folder.string());  // first: they belong to the results
  for (const fs::path& old : {folder / kSummaryName, results})
    if (fs::remove(old, error); error)
      throw InputError(fmt::format("{} cannot be replaced: {}", old.string(), error.message()));
  return lock;
}

std::string kept_in(const std::string& folder) {
  try {
    const io::ResultsReader results((fs::path(folder) / kResultsName).string());
    const std::size_t n = results.frames();
    const double t = n ? results.read(results.find("time"), n - 1, 1).front() : 0;
    return fmt::format("{} frames up to t = {:.6g} s are kept in {}", n, t, folder);
  } catch (const io::ResultsError&) {
    return fmt::format("nothing is kept in {}", folder);
  }
}

}  // namespace trammel::cli
