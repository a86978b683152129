#include "cli/movie.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <vector>

#include "cli/child.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/log.h"
#include "cli/mail.h"
#include "cli/progress.h"
#include "cli/results_input.h"
#include "cli/run_folder.h"
#include "io/json.h"
#include "report/report.h"
#include "serve/server.h"
#include "units/quantity.h"

namespace trammel::cli {

namespace {

namespace fs = std::filesystem;

constexpr double kMostPageBytes = 400e6;  // of the page, which lies in memory only
constexpr std::size_t kMostPicture = std::size_t{64} << 20;
constexpr double kPatience = 120;  // for the next picture [s]
constexpr double kMostPictures = 1e6;

/// What a film is made with.
struct Tools {
  std::string browser, encoder;
};

Tools tools_or_what_is_missing(std::string& wrong) {
  const char* named = std::getenv("CHROMIUM");
  Tools out{named ? named : found_program({"chromium", "chromium-browser", "google-chrome"}),
            found_program({"ffmpeg"})};
  if (out.browser.empty())
    wrong += "there is no chromium (apt-get install chromium, or its path in CHROMIUM)\n";
  if (out.encoder.empty()) wrong += "there is no ffmpeg (apt-get install ffmpeg)\n";
  return out;
}

double time_of(const std::string& text, const char* option, double otherwise, std::string& wrong) {
  if (text.empty()) return otherwise;
  const units::Quantity q = units::parse_quantity(text, units::kTime);
  if (!q) wrong += fmt::format("{} {}: {}\n", option, text, q.error);
  return q ? q.si : otherwise;
}

/// The part of the run that is filmed [s].
struct Span {
  double from = 0, to = 0;
  double pictures = 1;
};

Span span_of(const MovieOptions& o, const io::ResultsReader& results, std::string& wrong) {
  const std::vector<double> time = results.time();
  if (time.empty()) {
    wrong += fmt::format("{} has no frame yet\n", o.results);
    return {};
  }
  Span out{time_of(o.from, "--from", time.front(), wrong),
           time_of(o.to, "--to", time.back(), wrong)};
  const auto in = [&](double t) { return t >= time.front() && t <= time.back(); };
  if (!in(out.from) || !in(out.to) || out.from > out.to)
    wrong += fmt::format(
        "from {:g} s to {:g} s is no part of the run, which goes from {:g} s to {:g} s\n", out.from,
        out.to, time.front(), time.back());
  out.pictures = std::ceil((out.to - out.from) / o.speed * o.fps - 1e-6) + 1;  // the last at `to`
  if (out.pictures > kMostPictures)
    wrong += fmt::format("{:.0f} pictures are too many: a higher --speed, or a shorter part\n",
                         out.pictures);
  return out;
}

/// Where the film goes: what ffmpeg writes takes the name once it is whole.
struct Place {
  fs::path film, part;
};

Place place_of(const MovieOptions& o, std::string& wrong) {
  const fs::path film = !o.output.empty()             ? fs::path(o.output)
                        : fs::is_directory(o.results) ? fs::path(o.results) / "movie.mp4"
                                                      : fs::path("movie.mp4");
  const std::string kind = film.extension().string();
  if (kind != ".mp4" && kind != ".webm")
    wrong += fmt::format("{} is neither .mp4 nor .webm\n", film.string());
  if (const fs::path folder = film.parent_path(); !folder.empty() && !fs::is_directory(folder))
    wrong += fmt::format("there is no folder {}\n", folder.string());
  fs::path part = film;
  part.replace_extension(".part" + kind);
  return {film, part};
}

std::vector<std::string> encoding(const Tools& tools, const MovieOptions& o, const Place& place) {
  std::vector<std::string> out = {
      tools.encoder, "-y",         "-loglevel",  "error",
      "-f",          "image2pipe", "-framerate", fmt::format("{}", o.fps),
      "-i",          "-"};
  const auto add = [&](std::initializer_list<const char*> more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  if (place.film.extension() == ".mp4")
    add({"-c:v", "libx264", "-crf", "18", "-movflags", "+faststart"});
  else
    add({"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0"});
  add({"-pix_fmt", "yuv420p"});
  out.push_back(place.part.string());
  return out;
}

/// A browser without a window that asks nobody for anything but the page.
std::vector<std::string> browsing(const Tools& tools, const MovieOptions& o, const fs::path& home,
                                  const std::string& address) {
  std::vector<std::string> out = {tools.browser,
                                  "--headless=new",
                                  "--no-first-run",
                                  "--disable-background-networking",
                                  "--disable-component-update",
                                  "--disable-sync",
                                  "--disable-quic",
                                  "--mute-audio",
                                  "--hide-scrollbars",
                                  "--force-device-scale-factor=1",
                                  "--use-angle=swiftshader",
                                  "--enable-unsafe-swiftshader",
                                  "--user-data-dir=" + home.string(),
                                  fmt::format("--window-size={},{}", o.width, o.height)};
  if (geteuid() == 0) out.push_back("--no-sandbox");  // root's sandbox cannot be made
  out.push_back(address);
  return out;
}

std::string order(const MovieOptions& o, const Span& span, std::string_view socket) {
  io::Json json;
  json.begin('{').field("socket", socket).field("fps", o.fps).field("speed", o.speed);
  json.field("width", o.width).field("height", o.height).field("camera", o.camera);
  json.field("from", span.from).field("to", span.to).field("theme", o.theme);
  return json.end().text();
}

/// A folder for the browser and the words of both, gone with this object.
class Workshop {
 public:
  Workshop() {
    std::string pattern = (fs::temp_directory_path() / "trammel_movie_XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw InputError("no folder for the browser in " + pattern);
    path_ = pattern;
  }
  ~Workshop() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Pictures on their way from the page to the encoder.
class Filming {
 public:
  Filming(const MovieOptions& o, const Tools& tools, const Place& place, const Span& span,
          std::string html)
      : server_({.page =
                     [&o, &span, html = std::move(html)](std::string_view socket) mutable {
                       return report::with_order(std::move(html), order(o, span, socket));
                     },
                 .socket = "/movie",
                 .most_binary = kMostPicture},
                {.closed = [this](auto) { mail_.put({.closed = true}); },
                 .text =
                     [this](auto page, auto text) {
                       mail_.put({page, std::string(text)});
                     },
                 .binary =
                     [this](auto page, auto data) {
                       mail_.put({page, "", std::string(data)});
                     }}),
        encoder_(encoding(tools, o, place), (shop_.path() / "encoder.log").string(),
                 Child::Stdin::pipe),
        browser_(browsing(tools, o, shop_.path() / "browser", server_.address()),
                 (shop_.path() / "browser.log").string()),
        tasks_(o.json),
        pictures_(span.pictures) {}

  /// Until the last picture; throws InputError where it does not come to that. Returns false where
  /// it was interrupted.
  bool run() {
    const InterruptGuard guard;
    auto last = Clock::now();
    while (!InterruptGuard::interrupted()) {
      const std::optional<Letter> letter = mail_.take(0.2);
      if (letter) last = Clock::now();
      if (letter && take(*letter)) return finish();
      const double waited = std::chrono::duration<double>(Clock::now() - last).count();
      if (!letter && (browser_.ended() || waited > kPatience))
        throw InputError(fmt::format("the browser {} after {} pictures: {}",
                                     browser_.ended() ? "ended" : "says nothing any more", taken_,
                                     browser_.last_words()));
    }
    return false;
  }
  long taken() const { return taken_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// True: that was the end.
  bool take(const Letter& letter) {
    if (letter.closed) throw InputError("the page is gone: " + browser_.last_words());
    if (!letter.picture.empty()) {
      if (!encoder_.write(letter.picture)) throw_encoder();
      tasks_.show("pictures", static_cast<double>(++taken_) / pictures_);
      server_.post([this, page = letter.page] { server_.send_text(page, serve::bytes("next")); });
      return false;
    }
    if (letter.text.rfind("failed", 0) == 0)
      throw InputError("the page cannot draw the run: " + letter.text.substr(6));
    return letter.text.rfind("done", 0) == 0;
  }
  bool finish() {
    tasks_.clear();
    if (encoder_.wait() != 0) throw_encoder();
    return true;
  }
  [[noreturn]] void throw_encoder() {
    throw InputError("ffmpeg cannot make the film: " + encoder_.last_words());
  }

  Workshop shop_;
  Mail mail_;
  serve::Server server_;
  Child encoder_, browser_;
  Tasks tasks_;
  double pictures_;
  long taken_ = 0;
};

void say(const MovieOptions& o, const Place& place, long pictures) {
  const auto bytes = static_cast<double>(fs::file_size(place.film));
  if (o.json)
    fmt::print("{}", io::Json()
                         .begin('{')
                         .field("output", place.film.string())
                         .field("bytes", bytes)
                         .field("pictures", pictures)
                         .field("fps", o.fps)
                         .end()
                         .text());
  log::info(fmt::format("film: {} ({} pictures, {:.1f} s, {:.1f} MB)", place.film.string(),
                        pictures, static_cast<double>(pictures) / o.fps, bytes / 1e6));
}

report::Report page_of(const MovieOptions& o, const io::ResultsReader& results) {
  report::Options options;
  options.most_bytes = kMostPageBytes;
  options.summary = text_beside(o.results, kSummaryName);
  report::Report made = report::make(results, options);
  if (!made.no_shapes.empty())
    log::warning("the film shows neither shapes nor tracks: " + made.no_shapes);
  if (made.frames < made.frames_of_run)
    log::warning(
        fmt::format("the film is made from {} of {} frames", made.frames, made.frames_of_run));
  return made;
}

}  // namespace

int make_movie(const MovieOptions& o) {
  std::string wrong;
  const io::ResultsReader results = open_results(o.results);
  const Tools tools = tools_or_what_is_missing(wrong);
  const Place place = place_of(o, wrong);
  const Span span = span_of(o, results, wrong);
  if (!wrong.empty()) throw InputError(wrong.substr(0, wrong.size() - 1));
  std::error_code error;
  try {
    Filming filming(o, tools, place, span, page_of(o, results).html);
    if (!filming.run()) {
      fs::remove(place.part, error);
      log::warning("interrupted: there is no film");
      return kInterrupted;
    }
    fs::rename(place.part, place.film);
    say(o, place, filming.taken());
  } catch (...) {
    fs::remove(place.part, error);
    throw;
  }
  return kDone;
}

}  // namespace trammel::cli
