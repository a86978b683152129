#pragma once

#include <vector>

#include "solve/graph.h"

namespace trammel::solve {

/// Active rows that no others can depend on, as they hang on a branch of the graph and not in a
/// loop (1: such a row): a block that one group alone touches gives each of its rows a rate of its
/// own, if it can; without that group the next block is at the end of the branch. However long a
/// branch is, this is exact, where pivots of all its rows fall with its length. `unit` [n_u]: sizes
/// of the unknowns; `least`: the rank of a group's part at a block ignores pivots below this share
/// of the greatest. Linear in the size of the graph.
std::vector<unsigned char> rows_of_branches(const Graph& graph, const double* J, const double* unit,
                                            const std::vector<unsigned char>& active, double least);

}  // namespace trammel::solve
