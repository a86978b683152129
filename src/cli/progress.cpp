#include "cli/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/log.h"
#include "cli/text_table.h"

namespace trammel::cli {

namespace {

constexpr std::chrono::milliseconds kRedraw{100}, kFirstLine{2000}, kLine{5000};

double part(const Progress& p) { return std::clamp(p.simulated / p.duration, 0.0, 1.0); }

std::string span_text(double seconds) {
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

std::string facts(const Progress& p) {
  std::string out = fmt::format("{:3.0f} %  t {:.4g} s of {:.4g} s", std::floor(100 * part(p)),
                                p.simulated, p.duration);
  if (p.wall > 0) out += fmt::format("  {:.3g}x real time", p.simulated / p.wall);
  if (part(p) > 0 && p.wall > 0.2)
    out += fmt::format("  {} left", span_text(p.wall * (1 / part(p) - 1)));
  return out;
}

int columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string bar_line(const Progress& p, int columns) {
  const std::string text = facts(p);
  const int room = std::min(columns - static_cast<int>(text.size()) - 5, 40);
  if (room < 8) return text.substr(0, static_cast<std::size_t>(std::max(columns - 1, 0)));
  const auto full = static_cast<std::size_t>(std::lround(part(p) * room));
  return fmt::format("[{}{}] {}", std::string(full, '='),
                     std::string(static_cast<std::size_t>(room) - full, ' '), text);
}

std::string plain_line(const Progress& p) { return facts(p); }

ProgressBar::ProgressBar(double duration, bool silent, double wall)
    : duration_(duration), silent_(silent), terminal_(isatty(STDERR_FILENO) != 0) {
  next_ = start_ + (terminal_ ? kRedraw : kFirstLine);
  start_ -= std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wall));
}

double ProgressBar::wall() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void ProgressBar::show(double simulated) {
  if (silent_ || Clock::now() < next_) return;
  const Progress progress{simulated, duration_, wall()};
  if (terminal_) {
    fmt::print(stderr, "\r{}\x1b[K", bar_line(progress, columns()));
    std::fflush(stderr);
    drawn_ = true;
  } else {
    log::info(plain_line(progress));
  }
  next_ = Clock::now() + (terminal_ ? kRedraw : kLine);
}

void ProgressBar::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

Tasks::Tasks(bool silent) : silent_(silent), terminal_(isatty(STDERR_FILENO) != 0) {
  next_ = start_ + (terminal_ ? kRedraw : kFirstLine);
}

double Tasks::wall() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Tasks::show(const std::string& what, double part) {
  if (silent_ || Clock::now() < next_) return;
  const std::string line =
      fmt::format("{}: {:.0f} %, {} so far", what, std::floor(100 * std::clamp(part, 0.0, 1.0)),
                  span_text(wall()));
  if (terminal_) {
    fmt::print(stderr, "\r{}\x1b[K", line.substr(0, static_cast<std::size_t>(columns() - 1)));
    std::fflush(stderr);
    drawn_ = true;
  } else {
    log::info(line);
  }
  next_ = Clock::now() + (terminal_ ? kRedraw : kLine);
}

void Tasks::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace trammel::cli
