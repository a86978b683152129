#include "io/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "io/whole_file.h"
#include "math/fnv.h"
#include "version.h"

namespace trammel::sim {

template <>
struct Members<io::CheckpointHeader> {
  static void each(auto&& header, auto&& f) {
    auto& [version, build, scene, step, t, frames, events, complete] = header;
    f(version, build, scene, step, t, frames, events, complete);
  }
};

}  // namespace trammel::sim

namespace trammel::io {

namespace {

namespace fs = std::filesystem;
constexpr char kMagic[] = "trammel\n";
constexpr std::uint32_t kFormat = 2;
constexpr std::size_t kMagicSize = 8, kPrefix = kMagicSize + 4 + 8 + 8;

struct Prefix {
  std::uint32_t format = 0;
  std::uint64_t size = 0, sum = 0;
};

std::uint64_t sum_of(std::string_view bytes) {
  Fnv fnv;
  fnv.add(bytes.data(), bytes.size());
  return fnv.h;
}

std::string to_text(const Checkpoint& c) {
  sim::ArchiveWriter body;
  body(c.header);
  const std::string rest = body.take() + c.contents;
  sim::ArchiveWriter prefix;
  prefix(kFormat, static_cast<std::uint64_t>(kPrefix + rest.size()), sum_of(rest));
  return kMagic + prefix.take() + rest;
}

Checkpoint from_text(std::string_view text) {
  if (!text.starts_with(std::string_view(kMagic).substr(0, text.size())))
    throw CheckpointError("this is no checkpoint of Trammel");
  if (text.size() < kPrefix) throw CheckpointError("it is damaged: it ends too early");
  Prefix p;
  sim::ArchiveReader prefix(text.substr(kMagicSize, kPrefix - kMagicSize));
  prefix(p.format, p.size, p.sum);
  if (p.format != kFormat)
    throw CheckpointError(
        fmt::format("its format is {}, that of Trammel {} is {}", p.format, kVersion, kFormat));
  if (p.size != text.size())
    throw CheckpointError(fmt::format("it is damaged: it has {} bytes of {}", text.size(), p.size));
  const std::string_view rest = text.substr(kPrefix);
  if (sum_of(rest) != p.sum) throw CheckpointError("it is damaged: its checksum is wrong");
  Checkpoint out;
  sim::ArchiveReader in(rest);
  in(out.header);
  out.contents = in.rest();
  return out;
}

void check_origin(const CheckpointHeader& h) {
  if (h.version != kVersion)
    throw CheckpointError(
        fmt::format("Trammel {} has written it, this is Trammel {}: a run goes on only with the "
                    "version that began it",
                    h.version, kVersion));
  if (h.build != build_id())
    throw CheckpointError(
        fmt::format("the build {} of Trammel {} has written it, this is the build {}: a run goes "
                    "on only with the very program that began it",
                    h.build, h.version, build_id()));
}

/// Whether a file holds a checkpoint, and of which step.
std::int64_t step_of(const std::string& file) {
  try {
    return from_text(read_whole(file)).header.step;
  } catch (const std::runtime_error&) {
    return -1;
  }
}

}  // namespace

std::vector<std::string> checkpoint_files(const std::string& folder) {
  return {(fs::path(folder) / "checkpoint-a.bin").string(),
          (fs::path(folder) / "checkpoint-b.bin").string()};
}

CheckpointWriter::CheckpointWriter(const std::string& folder)
    : files_(checkpoint_files(folder)), next_(step_of(files_[0]) > step_of(files_[1]) ? 1 : 0) {}

void CheckpointWriter::write(const Checkpoint& checkpoint, bool durable) {
  try {
    write_whole(files_[next_], to_text(checkpoint), durable);
  } catch (const FileError& e) {
    throw CheckpointError(e.what());
  }
  next_ = 1 - next_;
}

Checkpoint read_checkpoint(const std::string& file) {
  try {
    Checkpoint out = from_text(read_whole(file));
    check_origin(out.header);
    return out;
  } catch (const FileError& e) {
    throw CheckpointError(e.what());
  } catch (const CheckpointError& e) {
    throw CheckpointError(fmt::format("{}: {}", file, e.what()));
  }
}

Checkpoints read_checkpoints(const std::string& folder) {
  Checkpoints out;
  for (const std::string& file : checkpoint_files(folder)) {
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    try {
      out.good.push_back(read_checkpoint(file));
    } catch (const CheckpointError& e) {
      out.complaints.emplace_back(e.what());
    }
  }
  if (out.good.empty() && out.complaints.empty())
    throw CheckpointError(fmt::format("{} holds no checkpoint", folder));
  if (out.good.empty()) throw CheckpointError(fmt::format("{}", fmt::join(out.complaints, "\n")));
  std::ranges::stable_sort(out.good, [](const Checkpoint& a, const Checkpoint& b) {
    return std::pair(a.header.step, a.header.complete) >
           std::pair(b.header.step, b.header.complete);
  });
  return out;
}

void remove_checkpoints(const std::string& folder) {
  for (const std::string& file : checkpoint_files(folder)) {
    std::error_code error;
    if (fs::remove(file, error); error)
      throw CheckpointError(fmt::format("{} cannot be removed: {}", file, error.message()));
  }
}

}  // namespace trammel::io
