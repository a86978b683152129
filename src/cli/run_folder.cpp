#include "cli/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>
#include <utility>

#include "cli/command.h"
#include "cli/given_inputs.h"
#include "cli/text_file.h"
#include "io/checkpoint_file.h"
#include "io/results.h"
#include "io/whole_file.h"
#include "math/digest.h"

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
  for (const fs::path& old : {folder / kSummaryName, folder / kDigestsName, folder / kPageName,
                              folder / kInputsName, results})
    if (fs::remove(old, error); error)
      throw InputError(fmt::format("{} cannot be replaced: {}", old.string(), error.message()));
  return lock;
}

namespace {
std::string digest_text(const std::string& bytes) {
  Digest digest;
  digest.add(std::string_view(bytes));
  return fmt::format("{:016x}", digest.value());
}
}  // namespace

void write_digests(const fs::path& folder, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    if (name != kResultsName)  // knows itself by its own
      text += digest_text(io::read_whole((folder / name).string())) + "  " + name + "\n";
  write_text((folder / kDigestsName).string(), text);
}

std::vector<std::string> changed_files(const fs::path& folder, const std::string& name) {
  std::vector<std::string> out;
  try {
    std::istringstream lines(io::read_whole((folder / kDigestsName).string(), 1 << 20));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t gap = line.find("  ");
      const std::string file = gap == std::string::npos ? "" : line.substr(gap + 2);
      if (!name.empty() && file != name) continue;
      std::string why = "its checksum is another";
      try {
        if (!file.empty() && !file.starts_with('.') && file.find('/') == std::string::npos &&
            digest_text(io::read_whole((folder / file).string(), 1 << 30)) == line.substr(0, gap))
          continue;
      } catch (const io::FileError& e) {
        why = e.what();
      }
      out.push_back(fmt::format("{} is not as the run left it, damaged or edited: {}",
                                (folder / file).string(), why));
    }
  } catch (const io::FileError&) {
  }
  return out;
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
