#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "solve/alike.h"
#include "solve/graph.h"
#include "solve/tasks.h"

namespace trammel::solve {

/// Everything about the factor that the topology decides, as flat lists that the numeric sweeps
/// walk from front to back. Columns are nodes (groups, hubs) in the order of elimination.
///
/// The numbers of a column stand together: its blocks V = A L^-T below the diagonal one, each as
/// V^T; G = V (1 / d) L^-1, m numbers a row; then 1 / d, L^-1 and its transpose (kernels.h). The
/// work vector y of a solve holds the columns in their order, in lanes.
///
/// Columns of batches come first, before those of the tasks. Their values and y are counted from
/// the first column of their island on, in numbers of one lane (islands.h).
struct Symbolic {
  struct Column {
    std::int64_t value;  // its first number
    int m, height;       // height: rows of its blocks
    int x, y;            // its first entry in vectors of rows, -1: a hub, and in y
    int row;             // its blocks: rows[row .. next column's row), the diagonal one first
    int link;            // earlier columns with a block in this row: links[link .. next's)
    int own, hub;        // its part of S: own[own .. next's); owner of the hub, -1: not a hub
  };
  struct Row {
    int column, m, y;
    int at;  // first row of the block in its column
  };
  struct Link {
    int column, row;  // that column, and its block in this row
  };
  /// An end of a group, and the blocks it contributes to in the group's column: with a block of
  /// unknowns, those of the later groups there (itself first); with a hub, the coupling to the hub.
  struct Own {
    int J, mass, n;
    int hub;     // -1: no hub
    int target;  // targets[target .. next Own's target)
    MassForm form;
  };
  struct Target {
    int J, m;  // of the other group's end
    int at;    // first row of the block in the column
  };
  struct Hub {
    int block, n;
    int root;  // offset of C, C C^T = M^-1, in the array of roots, n x n
  };

  std::vector<Column> columns;  // one more than there are, to end the ranges
  std::vector<Row> rows;
  std::vector<Link> links;
  std::vector<Own> own;  // one more, likewise
  std::vector<Target> targets;
  std::vector<Hub> hubs;
  std::vector<Tasks::Task> tasks;  // children before their parents; the last one waits for all
  std::vector<int> children;       // of tasks
  std::vector<Batch> batches;
  /// Offsets of a batch, kAlike numbers at a time, one a lane, the last one again in lanes left
  /// over: x of its columns; then column by column, of each own: J, mass, and of its targets but
  /// the first: J.
  std::vector<int> lane_at;
  long long batch_values = 0;
  double batch_flops = 0;
  int n_y = 0, roots = 0, widest = 0, tallest = 0;  // greatest m, greatest height of a column
  double flops = 0;
};

/// task_flops: what a task of the factor should cost at least; systems below a few of them are one.
/// lanes: false leaves islands that are alike to the tasks, in the same order.
Symbolic analyse(const Graph& graph, int hub_degree, double task_flops, bool lanes = true);

/// Symbolic factors of one graph, each made when first asked for and kept while somebody uses it.
class Analyses {
 public:
  /// As analyse(), of the graph that this belongs to; may be called by several threads.
  std::shared_ptr<const Symbolic> of(const Graph& graph, int hub_degree, double task_flops,
                                     bool lanes);

 private:
  struct Made {
    int hub_degree;
    double task_flops;
    bool lanes;
    std::weak_ptr<const Symbolic> symbolic;
  };
  std::mutex mutex_;
  std::vector<Made> made_;
};

}  // namespace trammel::solve
