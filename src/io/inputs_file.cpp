#include "io/inputs_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "units/nearest.h"
#include "units/printable.h"

namespace trammel::io {

namespace {

constexpr std::size_t kMostComplaints = 20;
constexpr std::string_view kTimeColumn = "t [s]", kStopLine = "# stopped at ";

std::string title_of(const InputColumn& c) { return fmt::format("{} [{}]", c.name, c.unit); }

struct InputsField {
  std::string_view text;
  int column = 1;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::vector<InputsField> columns_of_line(std::string_view line) {
  std::vector<InputsField> out;
  for (std::size_t first = 0;;) {
    const std::size_t end = std::min(line.find(',', first), line.size());
    const std::string_view text = trimmed(line.substr(first, end - first));
    const std::size_t at =
        text.empty() ? first : static_cast<std::size_t>(text.data() - line.data());
    out.push_back({text, static_cast<int>(at) + 1});
    if (end == line.size()) return out;
    first = end + 1;
  }
}

class InputsReader {
 public:
  InputsReader(const std::string& file, std::span<const InputColumn> columns)
      : file_(file), columns_(columns) {}

  std::variant<InputRecording, SceneProblems> read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // of spreadsheets
    while (!text.empty() && problems_.size() < kMostComplaints) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view one = text.substr(0, end);
      if (one.ends_with('\r')) one.remove_suffix(1);
      ++line_;
      if (!trimmed(one).empty()) take(one);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!headed_) complain(1, "", fmt::format("its first line names columns: {}", head()));
    if (problems_.empty()) return std::move(out_);
    return std::move(problems_);
  }

 private:
  void complain(int column, const std::string& name, const std::string& text) {
    problems_.push_back({file_, line_ == 0 ? 1 : line_, column, name, text});
  }
  std::string head() const {
    std::string out = inputs_head(columns_);
    out.pop_back();
    return out;
  }

  void take(std::string_view line) {
    if (std::isfinite(out_.stop)) return complain(1, "", "nothing stands behind where it stopped");
    if (!headed_) return take_head(columns_of_line(line));
    if (line.starts_with('#')) return take_stop(line);
    const std::vector<InputsField> fields = columns_of_line(line);
    if (fields.size() != columns_.size() + 1)
      return complain(1, "",
                      fmt::format("it has {} numbers, not {}", fields.size(), columns_.size() + 1));
    InputRecording::Line out;
    if (const auto t = number(fields[0], "t")) out.t = *t;
    after(fields[0], out.t);
    for (std::size_t i = 0; i < columns_.size(); ++i) out.values.push_back(value(fields[i + 1], i));
    last_ = out.t;
    out_.lines.push_back(std::move(out));
  }

  void take_head(const std::vector<InputsField>& fields) {
    headed_ = true;
    std::vector<std::string> known;
    for (const InputColumn& c : columns_) known.push_back(title_of(c));
    std::vector<std::string_view> seen;
    const std::size_t before = problems_.size();
    if (fields[0].text != kTimeColumn)
      complain(1, "", fmt::format("its first column is '{}'", kTimeColumn));
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const std::string name(fields[i].text);
      if (std::find(known.begin(), known.end(), name) == known.end())
        complain(fields[i].column, units::printable(name),
                 fmt::format("the scene has no such input{}", units::did_you_mean(name, known)));
      else if (std::find(seen.begin(), seen.end(), name) != seen.end())
        complain(fields[i].column, name, "it is there twice");
      seen.push_back(fields[i].text);
    }
    for (const std::string& name : known)
      if (std::find(seen.begin(), seen.end(), name) == seen.end())
        complain(1, name, "this input of the scene is missing");
    if (problems_.size() == before && !std::equal(seen.begin(), seen.end(), known.begin()))
      complain(1, "", fmt::format("the order is that of the scene: {}", head()));
  }

  void take_stop(std::string_view line) {
    if (!line.starts_with(kStopLine))
      return complain(1, "", "a line with # is the last one, '# stopped at TIME'");
    const InputsField field{trimmed(line.substr(kStopLine.size())),
                            static_cast<int>(kStopLine.size()) + 1};
    if (const auto t = number(field, "t")) out_.stop = *t;
    if (out_.stop < last_) complain(field.column, "t", "it stopped before the last line");
  }

  void after(const InputsField& field, double t) {
    if (!(t > last_)) complain(field.column, "t", "times go forward from line to line");
  }

  std::optional<double> number(const InputsField& field, const std::string& name) {
    double x = 0;
    const char* end = field.text.data() + field.text.size();
    const auto [rest, error] = std::from_chars(field.text.data(), end, x);
    if (error == std::errc() && rest == end && std::isfinite(x)) return x;
    complain(field.column, name,
             fmt::format("'{}' is no number", units::printable(std::string(field.text))));
    return {};
  }

  double value(const InputsField& field, std::size_t i) {
    const InputColumn& c = columns_[i];
    const auto x = number(field, c.name);
    if (x && !(*x >= c.least && *x <= c.most))
      complain(field.column, c.name,
               fmt::format("{} is outside the range of the input, {} to {}", *x, c.least, c.most));
    return x.value_or(0);
  }

  std::string file_;
  std::span<const InputColumn> columns_;
  InputRecording out_;
  SceneProblems problems_;
  int line_ = 0;
  bool headed_ = false;
  double last_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

std::string inputs_head(std::span<const InputColumn> columns) {
  std::string out(kTimeColumn);
  for (const InputColumn& c : columns) out += "," + title_of(c);
  return out + "\n";
}

std::string inputs_line(double t, std::span<const double> values) {
  std::string out = fmt::format("{}", t);
  for (const double x : values) out += fmt::format(",{}", x);
  return out + "\n";
}

std::string inputs_stop(double t) { return fmt::format("{}{}\n", kStopLine, t); }

std::variant<InputRecording, SceneProblems> parse_inputs(const std::string& text,
                                                         const std::string& file,
                                                         std::span<const InputColumn> columns) {
  return InputsReader(file, columns).read(text);
}

}  // namespace trammel::io
