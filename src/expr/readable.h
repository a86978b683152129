#pragma once

#include "expr/graph.h"

namespace trammel::expr {

/// The same expression written for people: multiplied out, like terms together, with sin^2 + cos^2
/// and sines and cosines of sums where that makes it shorter. It is the same in exact arithmetic,
/// not in the last bits. What would grow too long when multiplied out stays as it is.
Expression readable(Expression e);

}  // namespace trammel::expr
