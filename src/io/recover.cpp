#include "io/recover.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "io/results_hdf5.h"

namespace trammel::io {

namespace {

namespace fs = std::filesystem;

/// Whether a tool that knows nothing of growing files opens it.
bool opens_plainly(const std::string& path) {
  h5::silence();
  const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  return static_cast<bool>(file);
}

/// How many of the frames can be read, of `most`.
std::size_t readable_frames(const ResultsReader& reader, std::size_t most) {
  const auto good = [&](std::size_t first, std::size_t count) {
    try {
      reader.read(reader.find("time"), first, count);
      for (std::size_t i = 0; i < reader.series().size(); ++i) reader.read_rows(i, first, count);
      return true;
    } catch (const ResultsError&) {
      return false;
    }
  };
  std::size_t have = 0;
  for (std::size_t step = 1024; step > 0 && have < most;)
    if (const std::size_t n = std::min(step, most - have); good(have, n))
      have += n;
    else
      step = n / 2;
  return have;
}

/// The first ones that are whole; every event has a kind.
std::size_t readable_events(const ResultsReader& reader) {
  try {
    const std::vector<Event> all = reader.events();
    const auto end = std::ranges::find_if(all, [](const Event& e) { return e.kind.empty(); });
    return static_cast<std::size_t>(end - all.begin());
  } catch (const ResultsError&) {
    return 0;
  }
}

/// Where the file should end (HDF5 File Format Specification II.A, superblock 2 and 3); 0: it does
/// not say.
std::uintmax_t end_of_file(const std::string& path) {
  std::array<char, 48> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  std::uint64_t end = 0;
  std::memcpy(&end, head.data() + 28, sizeof end);
  const bool known =
      std::string_view(head.data(), 8) == "\x89HDF\r\n\x1a\n" && head[8] >= 2 && head[9] == 8;
  return known ? end : 0;
}

/// A copy that is as long as the file should be; it goes with this object.
class Lengthened {
 public:
  explicit Lengthened(const std::string& path) : copy_(path + ".long") {
    std::error_code error;
    const std::uintmax_t wanted = end_of_file(path), size = fs::file_size(path, error);
    // what is beyond any sense is damage too
    if (error || wanted <= size || wanted > 1000 * (size + 4096)) return;
    if (!fs::copy_file(path, copy_, fs::copy_options::overwrite_existing, error)) return;
    fs::resize_file(copy_, wanted, error);
    made_ = !error;
  }
  ~Lengthened() {
    std::error_code ignored;
    fs::remove(copy_, ignored);
  }
  Lengthened(const Lengthened&) = delete;
  Lengthened& operator=(const Lengthened&) = delete;
  explicit operator bool() const { return made_; }
  const std::string& path() const { return copy_; }

 private:
  std::string copy_;
  bool made_ = false;
};

void keep_damaged(const std::string& path, Recovery& out) {
  out.kept = path + ".damaged";
  std::error_code error;
  for (int i = 2; fs::exists(out.kept, error); ++i) out.kept = fmt::format("{}.damaged{}", path, i);
  fs::create_hard_link(path, out.kept, error);
  if (error) fs::copy_file(path, out.kept, error);
  if (error)
    throw ResultsError(
        fmt::format("{}: cannot be kept as {}: {}", path, out.kept, error.message()));
}

Recovery save(const std::string& path, const ResultsReader& reader, std::size_t frames) {
  Recovery out{false, readable_frames(reader, frames), readable_events(reader), 0, {}};
  if (out.frames == 0) throw ResultsError(path + ": no frame of it can be read; it was left alone");
  out.until = reader.read(reader.find("time"), out.frames - 1, 1).front();
  if (out.frames < reader.frames()) keep_damaged(path, out);
  const bool all = out.frames == reader.frames() && reader.finished();
  ResultsWriter::continued(path, reader.header(), reader, out.frames, out.events)
      .close(all ? reader.ending() : Ending::saved);
  return out;
}

}  // namespace

Recovery recover(const std::string& path) {
  std::optional<ResultsReader> reader;
  try {
    reader.emplace(path);
  } catch (const ResultsError& why) {
    const Lengthened copy(path);
    if (!copy) throw;
    try {
      const ResultsReader longer(copy.path());
      std::error_code error;
      return save(path, longer, longer.frames_within(fs::file_size(path, error)));
    } catch (const ResultsError&) {
      throw ResultsError(
          fmt::format("{}; no frame of it can be read; it was left alone", why.what()));
    }
  }
  std::error_code error;
  const std::size_t frames = reader->frames(), events = readable_events(*reader);
  const std::size_t there =
      reader->frames_within(fs::file_size(path, error));  // HDF5 reads zeros beyond
  const bool whole = readable_frames(*reader, there) == frames;
  reader.reset();
  if (whole && opens_plainly(path)) {
    const ResultsReader good(path);
    return {true, frames, events, frames ? good.time().back() : 0, {}};
  }
  return save(path, ResultsReader(path), there);
}

}  // namespace trammel::io
