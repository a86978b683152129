#pragma once

#include <vector>

#include "solve/graph.h"

namespace trammel::solve {

struct Order;

/// Islands are parts of the graph that share no block. Those that are alike, the groups in their
/// order, are solved several at a time, one a lane.
#if defined(__AVX512F__)
inline constexpr int kAlike = 8;
#else
inline constexpr int kAlike = 4;
#endif

/// Some islands that are alike, as columns of the factor: those of the first from `first` on, then
/// those of the next.
struct Batch {
  int first, n;         // n: columns of one
  int lanes;            // islands, at most kAlike
  int table = 0;        // of what each lane has for itself: Symbolic::lane_at
  long long value = 0;  // of its factor, in numbers of one lane
};

/// Gathers islands that are alike at the front of the order, each eliminated as the first of them
/// is. Not those at hubs, nor large ones, whose factor is work for several threads.
std::vector<Batch> gather_alike(const Graph& graph, Order& order);

}  // namespace trammel::solve
