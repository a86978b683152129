#pragma once

#include <string>

#include "io/json.h"
#include "verify/verify.h"

namespace trammel::cli {

/// Returns what `verify` says of the reactions of joints: how far the first run of each series is
/// from its limit, and how far limits are apart.
std::string reactions_text(const verify::Report& report);
/// Adds the same as "reactions".
void put_reactions(io::Json& out, const verify::Report& report);

}  // namespace trammel::cli
