#pragma once

#include <memory>
#include <span>
#include <vector>

/// Who touches whom. Blocks are sets of unknowns u (6 for a rigid body, n in general) with an
/// inverse mass M^-1; groups are 1..6 rows (a joint's locked rows, or a law's rows) with any number
/// of ends, each a block and its part of J. Solvers see nothing else.
namespace trammel::solve {

/// split: n = 6, M^-1 = diag((1/m) I3, W), or n = 12, diag((1/m) I3, W, W, W), stored as 1 + 9
/// numbers (1/m, W row by row);
/// dense: n x n, row major; unit: M^-1 = 1, nothing stored.
enum class MassForm : unsigned char { split, dense, unit };

class Analyses;

struct Graph {
  struct Block {
    int n;
    MassForm form;
    int mass;  // offset of its inverse mass in the flat array
    /// Its unknowns can carry every rigid motion of space (a rigid or an affine body can, a system
    /// in generalised coordinates in general cannot). Preset from the size; set it where that is
    /// wrong: false is always safe.
    bool moves_freely;
    friend bool operator==(const Block&, const Block&) = default;
  };
  struct End {
    int block;
    int J;       // offset of its m x n part, row major, in the flat J array
    int m, row;  // of its group
    int n, u;    // of its block: number of unknowns, the first
    friend bool operator==(const End&, const End&) = default;
  };
  struct Group {
    int m;            // number of rows, 1..6
    int row;          // its first row in vectors of rows
    int end, n_ends;  // ends [end, end + n_ends)
    /// It also acts on the ground (or on a prescribed object). Preset where it has one end; set it
    /// for a row of several objects of which one does not move: true is always safe.
    bool grounded;
    friend bool operator==(const Group&, const Group&) = default;
  };

  std::vector<Block> blocks;
  std::vector<Group> groups;
  std::vector<End> ends;
  int n_rows = 0, n_u = 0, J_size = 0, mass_size = 0;
  std::vector<int> u_offset;  // first unknown of a block
  // The ends at a block, in their order: first_end, then next_end of each; -1: no more.
  std::vector<int> first_end, last_end, next_end;
  /// The symbolic factors that have been made of it (symbolic.h), for all solvers of this graph and
  /// of its copies to share; null: each solver makes its own.
  std::shared_ptr<Analyses> analyses;

  /// True for the same blocks, groups and ends, whoever keeps their symbolic factors.
  friend bool operator==(const Graph& a, const Graph& b) {
    return a.blocks == b.blocks && a.groups == b.groups && a.ends == b.ends;
  }

  int add_block(int n, MassForm form);
  int add_group(int m, std::span<const int> blocks_touched);  // distinct blocks, 0..4 of them
};

/// True where groups join blocks and the ground in a loop: rows may then be redundant.
bool has_loops(const Graph& graph);

/// The numbers of one instant: pointers into the caller's flat arrays, which the caller keeps alive
/// and unchanged as long as the factor made of them is used.
struct System {
  const double* J;
  const double* inv_mass;
  const double* compliance;     // n_rows, >= 0
  const unsigned char* active;  // n_rows; 0: the row is left out
};

}  // namespace trammel::solve
