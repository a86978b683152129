#pragma once

#include <array>
#include <string>
#include <vector>

#include "body/lagrange.h"
#include "expr/adapters.h"
#include "expr/compiled.h"
#include "expr/tape.h"

/// What a pool of systems computes, as tapes. Internal.
namespace trammel::body {

class SystemGroup;

/// Expressions at places of a flat array; the others are zero.
struct SystemProgram {
  expr::Tape tape;
  std::vector<int> to;  // of each output
  int size = 0;
  std::shared_ptr<const expr::CompiledTape> code = {};  // which has the tape as number `index`
  std::size_t index = 0;
  /// Of each block of the group in turn, `size` numbers.
  void run(const SystemGroup& in, double* out) const;
  void run_one(const double* in, double* out) const;
};

/// The equations of a system and the programs made of them: what all blocks of a pool have in
/// common.
struct SystemPrograms {
  /// Throws std::invalid_argument: no coordinates, why the equations cannot be derived, or why
  /// there is no machine code of them where it is wanted.
  explicit SystemPrograms(SystemSpec of);

  SystemSpec spec;
  Equations equations;
  std::string form;  // the same of systems that differ in names and in numbers that parameters are
  std::vector<std::array<int, 7>> parameter_of;  // objects: where their numbers are; -1: zero
  SystemProgram pose;       // of each object p, R row by row, and its Jacobian (6 x n, row by row)
  SystemProgram mass;       // lower triangle
  SystemProgram own_force;  // -(b + grad V)
  SystemProgram slope;      // dT/dx - dV/dx
  SystemProgram rates;      // of each object v, w, a0, alpha
  SystemProgram motion;     // of each object v, w
  SystemProgram potential, curvature;
  std::vector<SystemProgram> variation;  // objects; inputs f, F behind the parameters

 private:
  int n() const { return static_cast<int>(spec.coordinates.size()); }
  SystemProgram compile(const std::vector<expr::Expression>& list,
                        std::span<const expr::Expression> more = {}) const;
  SystemProgram compile_pose() const;
  SystemProgram compile_forces(bool own) const;
  SystemProgram compile_rates(bool biases) const;
  SystemProgram compile_variation(std::size_t object) const;
  void make_code();
};

/// What two systems must have in common to be blocks of one pool, as a text.
std::string form_of(const SystemSpec& spec);

/// What the programs of up to kMost blocks read: x, x', parameters. In lanes, or for machine code
/// and a single block one block after the other.
class SystemGroup {
 public:
  static constexpr int kMost = static_cast<int>(expr::Tape::kLanes);
  /// u may be null: zeros.
  SystemGroup(const SystemPrograms& of, int n, const double* q, const double* u,
              const double* params);
  int size() const { return n_; }
  void set_x(int i, const double* q) { set(i, 0, nx_, q); }
  void set_rates(int i, const double* u) { set(i, nx_, nx_, u); }
  bool in_lanes() const { return lanes_; }
  std::span<const double> data() const { return std::span<double>(scratch_); }
  const double* block(int i) const { return data().data() + i * size_; }  // not in lanes

 private:
  void set(int i, int first, int count, const double* from);

  int n_, nx_, size_;  // size: numbers of a block
  bool lanes_;
  expr::ThreadScratch scratch_;
};

/// Calls f(first, n) for groups of blocks.
template <class F>
void for_groups(int n_blocks, const F& f) {
  for (int b = 0; b < n_blocks; b += SystemGroup::kMost)
    f(b, std::min(SystemGroup::kMost, n_blocks - b));
}

}  // namespace trammel::body
