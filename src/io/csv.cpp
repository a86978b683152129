#include "io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>

#include "io/whole_file.h"
#include "units/printable.h"

namespace trammel::io {

namespace {

constexpr std::size_t kBlock = 1 << 16;  // numbers read at once

using Text = fmt::memory_buffer;

// As RFC 4180 has it: quoted where the text would end the field, quotes doubled.
void add_field(Text& text, const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) {
    text.append(field);
    return;
  }
  text.push_back('"');
  for (const char c : field) {
    if (c == '"') text.push_back('"');
    text.push_back(c);
  }
  text.push_back('"');
}

void add_header(Text& text, std::span<const Channel> channels) {
  for (const Channel& c : channels) {
    if (text.size() > 0) text.push_back(',');
    add_field(text,
              units::printable(c.unit.empty() ? c.name : fmt::format("{} [{}]", c.name, c.unit)));
  }
  text.push_back('\n');
}

void add_rows(Text& text, std::span<const std::vector<double>> columns) {
  for (std::size_t row = 0; row < columns.front().size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) text.push_back(',');
      if (const double x = columns[i][row]; !std::isnan(x))
        fmt::format_to(std::back_inserter(text), "{}", x);
    }
    text.push_back('\n');
  }
}

void write(Text& text, std::FILE* out) {
  if (std::fwrite(text.data(), 1, text.size(), out) != text.size())
    throw ResultsError(fmt::format("cannot write the table: {}", std::strerror(errno)));
  text.clear();
}

std::vector<Channel> choose(const ResultsReader& results, std::span<const std::string> names) {
  if (names.empty()) return results.channels();
  std::vector<Channel> out = {results.find("time")};
  for (const std::string& name : names)
    if (name != "time") out.push_back(results.find(name));
  return out;
}

}  // namespace

void write_csv(const ResultsReader& results, std::span<const std::string> channels,
               std::FILE* out) {
  const std::vector<Channel> chosen = choose(results, channels);
  const std::size_t rows = std::max<std::size_t>(1, kBlock / chosen.size());
  std::vector<std::vector<double>> columns(chosen.size());
  Text text;
  add_header(text, chosen);
  for (std::size_t first = 0; first < results.frames(); first += rows) {
    const std::size_t count = std::min(rows, results.frames() - first);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      columns[i] = results.read(chosen[i], first, count);
    add_rows(text, columns);
    write(text, out);
  }
  write(text, out);
  if (std::fflush(out) != 0)
    throw ResultsError(fmt::format("cannot write the table: {}", std::strerror(errno)));
}

void write_csv(const ResultsReader& results, std::span<const std::string> channels,
               const std::string& path) {
  choose(results, channels);  // a wrong name is told before the file is touched
  try {
    PartFile out(path);
    write_csv(results, channels, out.stream());
    out.commit();
  } catch (const FileError& e) {
    throw ResultsError(e.what());
  }
}

void write_list_csv(const ResultsReader& results, std::size_t list, std::FILE* out) {
  const Rows& of = results.header().lists.at(list);
  std::vector<Channel> head{{"time", "s"}};
  for (std::size_t c = 0; c < of.columns.size(); ++c)
    head.push_back({of.columns[c], of.units[c] == "1" ? "" : of.units[c]});
  Text text;
  add_header(text, head);
  const std::vector<double> time = results.time();
  for (std::size_t frame = 0; frame < results.frames(); ++frame) {
    const std::vector<double> rows = results.read_list(list, frame);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i % of.columns.size() == 0) fmt::format_to(std::back_inserter(text), "{}", time[frame]);
      fmt::format_to(std::back_inserter(text), ",{}", rows[i]);
      if ((i + 1) % of.columns.size() == 0) text.push_back('\n');
    }
    write(text, out);
  }
  write(text, out);
  if (std::fflush(out) != 0)
    throw ResultsError(fmt::format("cannot write the table: {}", std::strerror(errno)));
}

void write_list_csv(const ResultsReader& results, std::size_t list, const std::string& path) {
  try {
    PartFile out(path);
    write_list_csv(results, list, out.stream());
    out.commit();
  } catch (const FileError& e) {
    throw ResultsError(e.what());
  }
}

}  // namespace trammel::io
