#include "serve/messages.h"

#include <cstring>

#include "io/json.h"
#include "report/header.h"

namespace trammel::serve {

using io::Json;

namespace {

Json message(const char* type) {
  Json out;
  out.begin('{').field("type", type);
  return out;
}

template <class T>
void put(std::string& out, const T& x) {
  const std::size_t at = out.size();
  out.resize(at + sizeof x);
  std::memcpy(out.data() + at, &x, sizeof x);
}

}  // namespace

std::string frames_message(std::span<const double> times, std::span<const float> rows) {
  const std::size_t width = times.empty() ? 0 : rows.size() / times.size();
  std::string out = "TRAMMEL+";
  out.reserve(16 + times.size() * (8 + 4 * width));
  put(out, static_cast<std::uint32_t>(times.size()));
  put(out, static_cast<std::uint32_t>(width));
  for (std::size_t i = 0; i < times.size(); ++i) {
    put(out, times[i]);
    out.append(reinterpret_cast<const char*>(rows.data() + i * width), 4 * width);
  }
  return out;
}

std::string_view name_of(Status::State state) {
  static constexpr std::string_view kNames[] = {"running", "paused", "finished", "failed",
                                                "stopped"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string status_message(const Status& s, bool driver) {
  Json out = message("status");
  out.field("state", name_of(s.state)).field("t", s.t).field("speed", s.speed);
  out.field("pace", s.pace).field("late", s.late).field("driver", driver);
  out.field("inputs", s.inputs).field("checkpoints", s.checkpoints).field("message", s.message);
  return out.end().text();
}

std::string events_message(std::span<const io::Event> events) {
  Json out = message("events");
  out.key("events").begin('[');
  for (const io::Event& e : events) report::event(out, e);
  return out.end().end().text();
}

std::string back_message(double t) { return message("back").field("t", t).end().text(); }

std::string end_message(io::Ending ending, const std::string& summary) {
  return message("end")
      .field("ending", io::name_of(ending))
      .field("finished", io::finished_text(ending))
      .field("summary", summary)
      .end()
      .text();
}

std::string refused_message(const std::string& why) {
  return message("refused").field("text", why).end().text();
}

std::string live_header(const Shown& shown) {
  Json out;
  out.begin('{').field("mode", shown.mode == Shown::Mode::play ? "play" : "view");
  out.field("step", shown.step).field("end", shown.end).key("inputs").begin('[');
  for (std::size_t i = 0; i < shown.inputs.size(); ++i) {
    const model::Input& input = shown.inputs[i];
    const io::InputControl& c = shown.controls[i];
    out.begin('{').field("name", input.name).field("unit", input.unit).field("rest", input.rest);
    out.field("from", input.least).field("to", input.most).field("keys", c.keys);
    out.field("axis", c.axis).field("rate", c.rate).field("returns", c.returns);
    out.field("text", input.text).end();
  }
  return out.end().end().text();
}

}  // namespace trammel::serve
