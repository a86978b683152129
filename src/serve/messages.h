#pragma once

#include <span>
#include <string>
#include <vector>

#include "serve/live.h"

/// What goes to pages (docs/live.md).
namespace trammel::serve {

std::string frames_message(std::span<const double> times, std::span<const float> rows);
std::string status_message(const Status& status, bool driver);
std::string events_message(std::span<const io::Event> events);
std::string back_message(double t);
std::string end_message(io::Ending ending, const std::string& summary);
std::string refused_message(const std::string& why);
/// `live` of the header.
std::string live_header(const Shown& shown);

}  // namespace trammel::serve
