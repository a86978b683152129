#include "report.h"

#include <fmt/core.h>

#include <cmath>

namespace trammel::bench {

namespace {

bool is_peer(const Figure& f) { return f.engine != "hand" && !f.engine.starts_with("trammel"); }

/// A number, or nothing where there is none.
std::string shown(double x, std::string_view format, int width) {
  const std::string text = std::isfinite(x) ? fmt::format(fmt::runtime(format), x) : "";
  return fmt::format("{:>{}}", text, width);
}

}  // namespace

Report::Report(const std::string& json) {
  if (json.empty()) return;
  json_.reset(std::fopen(json.c_str(), "a"));
  good_ = json_ != nullptr;
}

void Report::title(std::string_view text) {
  fmt::print(
      "\n{}\n{:<15} {:<12} {:>6} {:>12} {:>9} {:>10} {:>7} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8}\n",
      text, "engine", "solver", "N", "us/step", "ns/N", "real time", "x peer", "spread", "drift",
      "energy", "error", "MB", "B/body");
  std::fflush(stdout);
}

void Report::keep(Figure f) {
  if (!json_) return;
  f.group = group_;
  fmt::print(json_.get(), "{}\n", to_json(f));
  std::fflush(json_.get());
}

void Report::line(Figure f) {
  keep(f);
  // in a group of Trammel alone the scenario says more than the engine
  const std::string& name = f.engine == "trammel" ? f.scenario : f.engine;
  fmt::print("{:<15} {:<12} {:>6} ", name, f.solver, f.n);
  if (!f.failed.empty()) {
    fmt::print("{}\n", f.failed);
    if (!is_peer(f)) fault("Trammel's own run has failed");
    return;
  }
  const double us = f.us_per_step();
  fmt::print(
      "{:12.3f} {:9.1f} {} {} {:5.0f}% {:8.1e} {:8.1e} {} {:8.1f} {}{}\n", us, 1e3 * us / f.n,
      shown(f.simulated > 0 ? f.simulated / f.seconds : kNone, "{:.1f} x", 10),
      shown(f.beside, "{:.2f}", 7), 100 * f.spread, f.drift, f.energy, shown(f.error, "{:.1e}", 8),
      static_cast<double>(f.peak_rss_kb) / 1024, shown(f.bytes, "{:.0f}", 8),
      !f.finite     ? " not finite"
      : f.truncated ? " cut off"
                    : "");
  std::fflush(stdout);
}

void Report::beside(std::string_view text, std::vector<Figure> figures) {
  title(text);
  const double best = best_peer(figures);
  for (Figure& f : figures) {
    f.beside = f.us_per_step() / best;
    line(std::move(f));
  }
}

void Report::note(std::string_view text) {
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

void Report::fault(std::string_view text) {
  note(fmt::format("FAULT: {}", text));
  faults_ = true;
}

double best_peer(std::span<const Figure> figures) {
  double best = kNone;
  for (const Figure& f : figures)
    if (is_peer(f) && f.failed.empty() && f.finite) best = std::fmin(best, f.us_per_step());
  return best;
}

}  // namespace trammel::bench
