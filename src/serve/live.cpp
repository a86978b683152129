#include "serve/live.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <map>

#include "report/header.h"
#include "report/report.h"
#include "serve/inbox.h"
#include "serve/kept.h"
#include "serve/messages.h"
#include "units/nearest.h"

namespace trammel::serve {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostQueued = 4u << 20;  // of frames for a page [bytes]; above it misses some
constexpr std::size_t kMostEvents = 100000;    // kept for pages that come
constexpr double kBetween = 0.1;               // of statuses [s]

}  // namespace

struct Live::Inside {
  /// What of a page is not the server's.
  struct Page {
    std::size_t most = kMostQueued;  // that may wait for it
    bool missed = false;             // frames, since the whole
  };

  Inside(Shown what, unsigned short port)
      : shown(std::move(what)),
        scene(shown_of(shown)),
        kept(shown.series),
        server({.page = report::live_page, .port = port},
               {.opened = [this](PageId id) { open(id); },
                .closed = [this](PageId id) { close(id); },
                .text = [this](PageId id, std::string_view text) { hear(id, text); }}) {}

  /// Step and end are the scene's where the run does not say.
  static report::Shown shown_of(Shown& shown) {
    report::Shown out = report::shown(shown.header);
    if (shown.step == 0) shown.step = out.step;
    if (shown.end == 0) shown.end = out.duration;
    return out;
  }

  // all of this on the thread of the server

  void open(PageId id) {
    pages[id];
    ++count;
    if (shown.mode == Shown::Mode::play && driver == 0) {
      driver = id;
      if (!std::exchange(begun, true)) inbox.put({Command::Kind::came, 0, {}, id});
    }
    give_whole(id);
    tell_status(id);
    if (!ended.empty()) server.send_text(id, bytes(ended));
  }

  void close(PageId id) {
    pages.erase(id);
    --count;
    if (driver != id) return;
    driver = 0;
    inbox.put({Command::Kind::gone, 0, {}, id});
  }

  void hear(PageId id, std::string_view text) {
    auto parsed = parse_command(text);
    std::string why;
    if (const std::string* wrong = std::get_if<std::string>(&parsed)) {
      why = *wrong;
    } else {
      Command& command = std::get<Command>(parsed);
      command.page = id;
      why = obey(std::move(command));
    }
    if (!why.empty()) server.send_text(id, bytes(refused_message(why)));
  }

  /// Returns why not.
  std::string obey(Command command) {
    if (shown.mode == Shown::Mode::view) return "this run is watched, not driven";
    if (command.kind == Command::Kind::take) {
      driver = command.page;
      for (const auto& [id, page] : pages) tell_status(id);
      return {};
    }
    if (command.page != driver) return "another page drives; 'take' takes over";
    if (command.kind == Command::Kind::input)
      if (std::string why = wrong_input(command); !why.empty()) return why;
    return inbox.put(std::move(command)) ? "" : "too many commands at once";
  }

  std::string wrong_input(const Command& c) const {
    std::vector<std::string> known;
    for (const model::Input& i : shown.inputs) {
      known.push_back(i.name);
      if (i.name != c.name) continue;
      if (c.value >= i.least && c.value <= i.most) return {};
      return fmt::format("input '{}' is given {}, outside its range, {} to {}", i.name, c.value,
                         i.least, i.most);
    }
    return fmt::format("there is no input of that name{}", units::did_you_mean(c.name, known));
  }

  std::string whole() const {
    report::Arrays arrays;
    kept.pack(arrays);
    report::Selection selection;
    selection.every = kept.every();
    for (std::size_t i = 0; i < shown.series.size(); ++i) selection.series.push_back(i);
    const report::Content content{shown.header, shown.series,  happened,
                                  ending,       frames_of_run, live_header(shown)};
    constexpr int kFast = 1;
    return report::packed(report::header(content, scene, selection, {.summary = summary}, arrays),
                          arrays, kFast);
  }

  void give_whole(PageId id) {
    const Bytes all = bytes(whole());
    pages[id] = {all->size() + kMostQueued, false};
    server.send_binary(id, all);
  }

  void tell_status(PageId id) {
    if (status) server.send_text(id, bytes(status_message(*status, id == driver)));
  }

  template <class Send>
  void each(Send send) {
    for (auto& [id, page] : pages) send(id, page);
  }
  void tell(const std::string& text) {
    const Bytes message = bytes(text);
    each([&](PageId id, Page&) { server.send_text(id, message); });
  }

  void add_frames(const std::vector<double>& times, const std::vector<float>& rows) {
    if (times.size() == 1 && times[0] <= kept.last()) return;  // shown already
    const std::size_t width = kept.width();
    for (std::size_t i = 0; i < times.size(); ++i)
      kept.add(times[i], std::span(rows).subspan(i * width, width));
    frames_of_run += times.size();
    if (pages.empty()) return;
    const Bytes message = bytes(frames_message(times, rows));
    each([&](PageId id, Page& page) {
      const std::size_t waiting = server.waiting(id);
      if (waiting == 0) page.most = kMostQueued;
      if (waiting > page.most)
        page.missed = true;
      else
        server.send_binary(id, message);
    });
  }

  void add_events(const std::vector<io::Event>& more) {
    if (happened.size() < kMostEvents) happened.insert(happened.end(), more.begin(), more.end());
    tell(events_message(more));
  }

  void go_back(double t) {
    kept.cut(t);
    frames_of_run = kept.size();
    std::erase_if(happened, [&](const io::Event& e) { return e.t > t; });
    tell(back_message(t));
  }

  void see_status(const Status& now) {
    const bool turns = !status || status->state != now.state || status->message != now.message;
    const auto since = std::chrono::duration<double>(Clock::now() - told).count();
    if (status && *status == now) return;
    if (!turns && since < kBetween) return;
    status = now;
    told = Clock::now();
    each([&](PageId id, Page&) { tell_status(id); });
    if (now.state != Status::State::running) fill_gaps();
  }

  /// Who was too slow for all frames gets them when there is time.
  void fill_gaps() {
    each([&](PageId id, Page& page) {
      if (page.missed) give_whole(id);
    });
  }

  void finish(io::Ending how, const std::string& text) {
    ending = how;
    summary = text;
    ended = end_message(how, text);
    fill_gaps();
    tell(ended);
  }

  void take_place(Shown next) {
    shown = std::move(next);
    scene = shown_of(shown);
    kept = KeptFrames(shown.series);
    happened.clear();
    frames_of_run = 0;
    ending = io::Ending::open;
    summary = ended = "";
    status.reset();
    each([&](PageId id, Page&) { give_whole(id); });
  }

  Shown shown;
  report::Shown scene;
  KeptFrames kept;
  std::size_t frames_of_run = 0;
  std::vector<io::Event> happened;
  io::Ending ending = io::Ending::open;
  std::string summary, ended;  // ended: the message
  std::optional<Status> status;
  Clock::time_point told;
  std::map<PageId, Page> pages;
  PageId driver = 0;  // 0: none
  bool begun = false;
  std::atomic<std::size_t> count = 0;  // of pages
  Inbox inbox;
  Server server;  // last: its thread needs the others
};

Live::Live(Shown shown, unsigned short port)
    : inside_(std::make_unique<Inside>(std::move(shown), port)) {}
Live::~Live() = default;
const std::string& Live::address() const { return inside_->server.address(); }

void Live::frames(std::vector<double> times, std::vector<float> rows) {
  inside_->server.post([in = inside_.get(), times = std::move(times), rows = std::move(rows)] {
    in->add_frames(times, rows);
  });
}
void Live::events(std::vector<io::Event> events) {
  inside_->server.post(
      [in = inside_.get(), events = std::move(events)] { in->add_events(events); });
}
void Live::back(double t) {
  inside_->server.post([in = inside_.get(), t] { in->go_back(t); });
}
void Live::status(const Status& status) {
  inside_->server.post([in = inside_.get(), status] { in->see_status(status); });
}
void Live::end(io::Ending ending, const std::string& summary) {
  inside_->server.post([in = inside_.get(), ending, summary] { in->finish(ending, summary); });
}
void Live::replace(Shown shown) {
  inside_->server.post([in = inside_.get(), shown = std::move(shown)] { in->take_place(shown); });
}

std::vector<Command> Live::take() { return inside_->inbox.take(); }
bool Live::asked() const { return inside_->inbox.some(); }
void Live::wait(double seconds) { inside_->inbox.wait(seconds); }
void Live::refuse(PageId page, const std::string& why) {
  inside_->server.post([in = inside_.get(), page, text = bytes(refused_message(why))] {
    in->server.send_text(page, text);
  });
}
std::size_t Live::pages() const { return inside_->count; }
void Live::drain(double seconds) { inside_->server.drain(seconds); }
double Live::cpu() const { return inside_->server.cpu(); }

}  // namespace trammel::serve
