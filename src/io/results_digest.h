#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/results.h"

/// By what a reader knows that results are as they were written: math/digest.h over contents, not
/// over bytes of the file, each with what it belongs to, so that blocks in each other's place are
/// found as well. docs/results.md says what goes into each.
namespace trammel::io {

/// Returns the digest of the header, without its tables, and of the paths of series and tables.
std::uint64_t digest_of(const Header& header, const std::vector<std::string>& series,
                        const std::vector<std::string>& tables);
/// Returns the digest of the names and units of a series; of a table its numbers and texts too.
std::uint64_t digest_of(const Series& series);
std::uint64_t digest_of(const Constants& table);
std::uint64_t digest_of(const Rows& list);
/// Returns the digest of the counts in /progress.
std::uint64_t digest_of(std::span<const std::int64_t, 3> progress);

/// Digests the rows of a dataset, one a frame.
class RowDigest {
 public:
  explicit RowDigest(std::string_view path);
  std::uint64_t of(std::size_t frame, std::span<const double> row) const;

 private:
  std::uint64_t path_;
};

/// Digests the rows of a frame in a list, with where they are.
std::uint64_t list_digest(const RowDigest& of, std::size_t frame, std::uint64_t first,
                          std::span<const double> rows);

/// A text as it comes back: HDF5 knows no end of a text but a zero.
std::string_view kept(std::string_view text);

}  // namespace trammel::io
