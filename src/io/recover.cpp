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
  h5::prepare();
  const h5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  return static_cast<bool>(file);
}

/// Holds what of each frame is as it was written.
struct Survey {
  std::vector<bool> time;
  std::vector<std::vector<bool>> series, lists;
  std::vector<Event> events;
  std::size_t lost_events = 0;

  std::size_t frames() const { return time.size(); }
  std::size_t rows_of(std::size_t frame) const {
    const auto good = [&](const auto& s) { return s[frame]; };
    return static_cast<std::size_t>(std::ranges::count_if(series, good) +
                                    std::ranges::count_if(lists, good));
  }
  std::size_t all() const { return series.size() + lists.size(); }
  bool whole(std::size_t frame) const { return time[frame] && rows_of(frame) == all(); }
};

/// Whether the rows of each frame in a list are as they were written.
std::vector<bool> sound_rows(const ResultsReader& reader, std::size_t list) {
  std::vector<bool> out;
  for (std::size_t frame = 0; frame < reader.frames(); ++frame) try {
      reader.read_list(list, frame);
      out.push_back(true);
    } catch (const ResultsError&) {
      out.push_back(false);
    }
  return out;
}

Survey survey(const ResultsReader& reader) {
  constexpr std::size_t kFrames = 1024;  // at a time
  const auto look = [&](std::size_t series) {
    std::vector<bool> out;
    for (std::size_t at = 0; at < reader.frames(); at += kFrames) {
      const auto some = reader.sound(series, at, std::min(kFrames, reader.frames() - at));
      out.insert(out.end(), some.begin(), some.end());
    }
    return out;
  };
  Survey out{look(kTimes), {}, {}, {}};
  for (std::size_t i = 0; i < reader.series().size(); ++i) out.series.push_back(look(i));
  for (std::size_t i = 0; i < reader.header().lists.size(); ++i)
    out.lists.push_back(sound_rows(reader, i));
  try {
    out.events = reader.sound_events(out.lost_events);
  } catch (const ResultsError&) {
    out.lost_events = 1;  // how many there were is not known
  }
  return out;
}

/// How many frames are kept: up to the first loss if nothing behind it is whole, so that a run can
/// go on from there; else all, with gaps.
std::size_t kept_frames(const Survey& s) {
  std::size_t first = 0;
  while (first < s.frames() && s.whole(first)) ++first;
  for (std::size_t n = first; n < s.frames(); ++n)
    if (s.whole(n) || (first == 0 && s.time[n] && s.rows_of(n) > 0)) return s.frames();
  return first;
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

/// Returns what is missing among the frames that are kept; empty: nothing.
std::string losses(const Survey& s, std::size_t kept) {
  std::size_t frames = 0, rows = 0, first = kept;
  for (std::size_t n = kept; n-- > 0;) {
    if (s.whole(n)) continue;
    first = n;
    frames += !s.time[n];
    rows += s.time[n] ? s.all() - s.rows_of(n) : 0;
  }
  std::string out;
  if (frames > 0) out = fmt::format("{} of {} frames", frames, kept);
  if (rows > 0) out += fmt::format("{}{} rows of series", out.empty() ? "" : ", ", rows);
  if (!out.empty()) out += fmt::format(", from frame {} on", first + 1);
  if (s.lost_events > 0) out += out.empty() ? "events" : ", and events";
  return out;
}

/// The frames whose time is known, with what is left of them.
std::size_t copy_sound(const ResultsReader& from, const Survey& s, std::size_t kept,
                       ResultsWriter& to) {
  std::size_t copied = 0;
  for (std::size_t n = 0; n < kept; ++n) {
    if (!s.time[n]) continue;
    to.append_frame(from.read(from.find("time"), n, 1).front());
    ++copied;
    for (std::size_t i = 0; i < s.series.size(); ++i)
      if (s.series[i][n]) to.append(i, from.read_rows(i, n, 1));
    for (std::size_t i = 0; i < s.lists.size(); ++i)
      if (s.lists[i][n]) to.append_rows(i, from.read_list(i, n));
  }
  for (const Event& e : s.events) to.append_event(e);
  return copied;
}

Recovery save(const std::string& path, const ResultsReader& reader, const Survey& s) {
  const std::size_t kept = kept_frames(s);
  Recovery out{false, 0, s.events.size(), 0, {}, losses(s, kept)};
  if (std::ranges::count(s.time.begin(), s.time.begin() + static_cast<std::ptrdiff_t>(kept),
                         true) == 0)
    throw ResultsError(path + ": no frame of it can be read; it was left alone");
  if (kept < reader.frames() || !out.lost.empty()) keep_damaged(path, out);
  Header header = reader.header();
  if (!out.lost.empty()) header.attributes[kLost] = out.lost;
  ResultsWriter writer =
      ResultsWriter::replacing(path, header, reader.series(), [&](ResultsWriter& to) {
        if (!out.lost.empty())
          out.frames = copy_sound(reader, s, kept, to);
        else
          copy_frames(reader, to, out.frames = kept, s.events.size());
      });
  const bool all = kept == reader.frames() && out.lost.empty() && reader.finished();
  writer.close(all ? reader.ending() : Ending::saved);
  const ResultsReader saved(path, false);
  out.until = saved.time().back();
  return out;
}

}  // namespace

Recovery recover(const std::string& path) {
  std::optional<ResultsReader> reader;
  try {
    reader.emplace(path, false);
  } catch (const ResultsError& why) {
    const Lengthened copy(path);
    if (!copy) throw;
    try {
      const ResultsReader longer(copy.path(), false);
      return save(path, longer, survey(longer));
    } catch (const ResultsError&) {
      throw ResultsError(
          fmt::format("{}; no frame of it can be read; it was left alone", why.what()));
    }
  }
  const Survey s = survey(*reader);
  bool whole = s.lost_events == 0;
  for (std::size_t n = 0; n < s.frames(); ++n) whole &= s.whole(n);
  const double until = whole && s.frames() > 0 ? reader->time().back() : 0;
  const bool plainly = whole && (reader.reset(), opens_plainly(path));
  if (plainly) return {true, s.frames(), s.events.size(), until, {}, {}};
  if (!reader) reader.emplace(path, false);
  return save(path, *reader, s);
}

}  // namespace trammel::io
