#pragma once

#include <vector>

namespace trammel::solve {

/// The columns of a factor in tasks: parts of the elimination tree that wait for nothing but their
/// child tasks. They depend on the tree and on what its columns cost, never on who will do them.
struct Tasks {
  struct Task {
    int first, last;  // columns [first, last), as they are numbered once the tasks stand together
    int child, n_children;  // child tasks: children[child .. child + n_children)
  };
  std::vector<Task> tasks;  // children before their parents; the last one waits for all
  std::vector<int> children;
  std::vector<int> order;  // old numbers of the columns, in their new order
};

/// parent: of a column in the tree, above its own number, or -1; cost: of the column alone. A task
/// costs `grain` or more, if it is not what is left over below or between others.
Tasks split_tree(const std::vector<int>& parent, const std::vector<double>& cost, double grain);

/// Cost of the longest way from a leaf to a root: what no number of threads can share.
double longest_way(const std::vector<int>& parent, const std::vector<double>& cost);

}  // namespace trammel::solve
