#pragma once

#include <cstdio>
#include <span>
#include <string>

#include "io/results.h"

namespace trammel::io {

/// Writes channels by frame as comma-separated values: a header "time [s],car.position.x [m]", then
/// numbers in the fewest digits that read back as the same number. The time comes first whether
/// named or not; no names: every channel. A number that is not there (NaN) is an empty field.
void write_csv(const ResultsReader& results, std::span<const std::string> channels, std::FILE* out);

/// The same into a file, which is replaced once the table is whole.
void write_csv(const ResultsReader& results, std::span<const std::string> channels,
               const std::string& path);

/// Writes the rows of a list by frame, the time before each: "time [s],shape_a,x [m],...".
void write_list_csv(const ResultsReader& results, std::size_t list, std::FILE* out);
void write_list_csv(const ResultsReader& results, std::size_t list, const std::string& path);

}  // namespace trammel::io
