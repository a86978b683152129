#pragma once

#include <string>
#include <vector>

#include "model/system.h"

/// The rules of systems in generalised coordinates. Internal.
namespace trammel::model {

/// Puts what SystemSpec::bodies say into its objects and outlines; what no body can have.
std::vector<Problem> take_bodies(const Builder& builder, SystemSpec& spec);
/// What is wrong with a system before its equations are derived.
std::vector<Problem> wrong_system(const SystemSpec& spec);
/// Coordinates that move no mass where the system starts, or several that move it alike.
std::vector<Problem> wrong_start(const SystemSpec& spec, const body::Pool& pool,
                                 const std::vector<double>& params);

/// Problems as PoolSpec::wrong has them, and back: lines of a path, a colon and a text. A line
/// without a path is about the pool.
std::string to_lines(const std::vector<Problem>& problems);
std::vector<Problem> from_lines(const std::string& lines);

}  // namespace trammel::model
