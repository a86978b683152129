#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trammel::cli {

inline constexpr char kResultsName[] = "results.h5", kSummaryName[] = "summary.json";
inline constexpr char kPageName[] = "report.html";  // of 'trammel report'

/// While it lives, no other run writes into the folder. The lock goes with the process, however
/// that ends. Throws InputError where another process has it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  int id_ = -1;
};

/// An empty place for results; refused where there are some already, unless they are to be
/// replaced.
FolderLock make_folder(const std::filesystem::path& folder, bool force);

/// The file with the digest of each file of a run beside its results (math/digest.h), written last.
inline constexpr char kDigestsName[] = "checksums.txt";
void write_digests(const std::filesystem::path& folder, const std::vector<std::string>& names);
/// "scene.toml is not as the run left it: ...", of each file of a folder that is not, or, with a
/// name, of that file. Folders without digests say nothing.
std::vector<std::string> changed_files(const std::filesystem::path& folder,
                                       const std::string& name = "");

/// "12 frames up to t = 3.2 s are kept in DIR".
std::string kept_in(const std::string& folder);

}  // namespace trammel::cli
