#pragma once

#include <vector>

#include "math/types.h"

/// Block Cholesky coordinates: unknowns of the blocks in which their second derivatives are one.
namespace trammel::form {

/// For each block of unknowns q with a positive second derivative H: z with dq = C z, C C^T = H^-1
/// (docs/theory/energy.md). Newton's rows are then J C, and S = (J C) (J C)^T.
///
/// Blocks of 6 unknowns (p, turn) and of 12 (p, rows of A) have p apart from the rest: it is
/// measured from the centre of mass. Blocks of any unknowns are set as a whole. Different blocks
/// may be set at once.
class BlockCholesky {
 public:
  /// whole: the blocks that set_whole() will be asked for.
  explicit BlockCholesky(std::vector<int> sizes = {}, const std::vector<int>& whole = {});

  /// A rigid body: H = diag(m 1, W), W on turns in world axes. False: W is not positive.
  bool set_rigid(int block, double m, const Mat3& W);
  /// An affine body near the rotation R: with dA = R B, dq^T H dq = m |dp|^2 + tr(B N B^T)
  /// + mu |sym B|^2, N = U diag(n) U^T with all n > 0 and mu >= 0. In closed form: in the axes R U
  /// every B_ij is alone, or with B_ji.
  void set_affine(int block, double m, const Mat3& R, const Mat3& U, const Vec3& n, double mu);
  /// An affine body: H = m on p, K (9 x 9, row major) on the rows of A. False: K is not positive.
  /// Call make_room() before the first.
  bool set_dense(int block, double m, const double* K);
  void make_room();
  /// A block of n unknowns: H as it is. False: it is not positive.
  bool set_whole(int block, const MatX& H);

  /// Computes J C of m covectors on the block, both m x n, row by row; of blocks that are set as a
  /// whole `out` may be J.
  void covectors(int block, int m, const double* J, double* out) const;
  /// Computes J C of the three components of the point w p + A c of an affine body.
  void point(int block, double w, const Vec3& c, double* out) const;
  /// dq = C z.
  void displacement(int block, const double* z, double* dq) const;

 private:
  enum class Form : unsigned char { none, rigid, affine, dense, whole };
  struct Record {
    Form form = Form::none;
    double p;      // 1 / sqrt(m)
    Mat3 F, U;     // affine: R U, U; rigid: F = L^-T of W = L L^T
    Vec3 same;     // 1 / sqrt of H on B_ii
    Vec3 s, c, d;  // of (B_ij + B_ji, B_ij - B_ji) / sqrt 2: L = [1/s 0; c/(s d) 1/d], see .cpp
  };
  const double* dense(int block) const { return &dense_[81 * static_cast<std::size_t>(block)]; }

  std::vector<int> n_;
  std::vector<Record> record_;
  std::vector<double> dense_;  // L of K = L L^T
  std::vector<MatX> whole_;    // L of H = L L^T, of blocks that are set as a whole
};

}  // namespace trammel::form
