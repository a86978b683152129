#pragma once

#include <vector>

#include "solve/symbolic.h"

namespace trammel::solve {

/// The columns of a factor in another order with the same fill, that lets more of them be worked on
/// at once: a chain is eliminated from both ends to its middle, a tree from all leaves to its
/// centre. (Any clique of a chordal graph can be eliminated last: maximum cardinality search,
/// Tarjan and Yannakakis 1984.) Of the columns for which `movable` is true and that stand together
/// in a tree of them that costs `least` or more; the others keep their place. Returns old numbers.
std::vector<int> reroot(const Symbolic& symbolic, const std::vector<int>& parent,
                        const std::vector<double>& cost, const std::vector<char>& movable,
                        double least);

}  // namespace trammel::solve
