#pragma once

#include <string>

#include "verify/verify.h"

namespace trammel::cli {

/// Returns what `trammel verify` says, for people and for machines. `duration`: of the scene [s];
/// `budget`: of the wall clock, 0 if there was none [s].
std::string verify_text(const verify::Report& report, const std::string& title, double duration,
                        double budget = 0);
std::string verify_json(const verify::Report& report, const std::string& scene, double duration);
/// How far each run is from its limit, over time, as an SVG.
std::string verify_picture(const verify::Report& report, const std::string& title);

}  // namespace trammel::cli
