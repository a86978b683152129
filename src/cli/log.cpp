#include "cli/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "units/printable.h"

namespace trammel::cli::log {

namespace {

spdlog::logger& logger(const char* name, const char* pattern) {
  const auto found = spdlog::get(name);
  if (found) return *found;
  const auto made = spdlog::stderr_color_mt(name);
  made->set_pattern(pattern);
  made->flush_on(spdlog::level::info);
  return *made;
}
spdlog::logger& plain() { return logger("trammel", "%v"); }
spdlog::logger& grave() { return logger("trammel.grave", "trammel: %^%l%$: %v"); }

}  // namespace

void info(const std::string& text) { plain().info(units::printable(text)); }
void warning(const std::string& text) { grave().warn(units::printable(text)); }
void error(const std::string& text) { grave().error(units::printable(text)); }

}  // namespace trammel::cli::log
