#include "cli/given_inputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/command.h"
#include "io/whole_file.h"
#include "math/fnv.h"

namespace trammel::cli {

namespace {

std::uint64_t digest_on(std::uint64_t before, std::string_view text) {
  Fnv fnv;
  if (before != 0) fnv.h = before;
  fnv.add(text.data(), text.size());
  return fnv.h;
}

[[noreturn]] void fail(const std::string& file) {
  throw io::FileError(fmt::format("{}: {}", file, std::strerror(errno)));
}

}  // namespace

std::vector<io::InputColumn> input_columns(const model::Model& model) {
  std::vector<io::InputColumn> out;
  for (const model::Input& i : model.inputs)
    if (!i.controlled) out.push_back({i.name, i.unit, i.least, i.most});
  return out;
}

InputsMark mark_of(std::string_view text) { return {text.size(), digest_on(0, text)}; }

std::variant<ReadInputs, io::SceneProblems> read_inputs(const std::string& file,
                                                        const model::Model& model) {
  constexpr std::size_t kMost = 1u << 30;
  std::string text;
  try {
    text = io::read_whole(file, kMost);
  } catch (const io::FileError& e) {
    throw InputError(fmt::format("the inputs cannot be read: {}", e.what()));
  }
  auto parsed = io::parse_inputs(text, file, input_columns(model));
  if (auto* problems = std::get_if<io::SceneProblems>(&parsed)) return std::move(*problems);
  return ReadInputs{std::move(std::get<io::InputRecording>(parsed)), std::move(text)};
}

InputsLog::InputsLog(const std::string& folder, const sim::Simulation& sim, InputsMark behind)
    : file_((std::filesystem::path(folder) / kInputsName).string()),
      bytes_(behind.bytes),
      digest_(behind.digest) {
  for (std::size_t i = 0; i < sim.model().inputs.size(); ++i)
    if (!sim.model().inputs[i].controlled) inputs_.push_back(i);
  id_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (id_ < 0 || ::ftruncate(id_, static_cast<off_t>(bytes_)) != 0) fail(file_);
  const std::string head = io::inputs_head(input_columns(sim.model()));
  if (bytes_ == 0) append(head);
  if (bytes_ > head.size()) last_ = values(sim);
}

InputsLog::~InputsLog() {
  if (id_ >= 0) ::close(id_);
}

std::vector<double> InputsLog::values(const sim::Simulation& sim) const {
  std::vector<double> out;
  for (const std::size_t i : inputs_) out.push_back(sim.inputs()[i].x);
  return out;
}

void InputsLog::note(const sim::Simulation& sim) {
  std::vector<double> now = values(sim);
  if (now == last_ || now.empty()) return;
  append(io::inputs_line(sim.state().t, now));
  last_ = std::move(now);
}

void InputsLog::stopped(double t) { append(io::inputs_stop(t)); }

/// In one piece, so that a kill leaves whole lines; where the disk is full, too.
void InputsLog::append(const std::string& text) {
  const ssize_t n = ::write(id_, text.data(), text.size());
  if (n != static_cast<ssize_t>(text.size())) {
    const int reason = n < 0 ? errno : ENOSPC;
    if (::ftruncate(id_, static_cast<off_t>(bytes_)) != 0) fail(file_);
    errno = reason;
    fail(file_);
  }
  bytes_ += text.size();
  digest_ = digest_on(digest_, text);
}

Replay::Replay(io::InputRecording recording, InputsMark whole, const sim::Simulation& sim)
    : recording_(std::move(recording)), whole_(whole) {
  for (const io::InputColumn& c : input_columns(sim.model())) names_.push_back(c.name);
}

bool Replay::give(sim::Simulation& sim) {
  const double t = sim.state().t;
  if (t >= recording_.stop) {
    sim.stop(kStoppedByHand);
    return false;
  }
  const io::InputRecording::Line* due = nullptr;
  while (next_ < recording_.lines.size() && recording_.lines[next_].t <= t)
    due = &recording_.lines[next_++];
  for (std::size_t i = 0; due && i < names_.size(); ++i) sim.set_input(names_[i], due->values[i]);
  return true;
}

}  // namespace trammel::cli
