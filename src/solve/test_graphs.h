#pragma once

#if !defined(__clang__)  // g++ 12 on Eigen's AVX-512 kernels
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <Eigen/Dense>
#include <random>
#include <span>
#include <vector>

#include "math/types.h"
#include "solve/direct.h"

/// Graphs with numbers, for the tests of this folder.
namespace trammel::solve::test {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Problem {
  Graph graph;
  std::vector<double> J, inv_mass, compliance;
  std::vector<unsigned char> active;
  std::vector<Vec3> centre;  // of rigid bodies [m]
  std::mt19937 random{1};

  double uniform(double lo = -1, double hi = 1) {
    return std::uniform_real_distribution<double>(lo, hi)(random);
  }
  VecX vector(int n) {
    return VecX::NullaryExpr(n, [&](Eigen::Index) { return uniform(); });
  }
  Vec3 vec3() { return vector(3); }
  MatX spd(int n) {
    const MatX a = MatX::NullaryExpr(n, n, [&] { return uniform(); });
    return a * a.transpose() / n + .5 * MatX::Identity(n, n);
  }

  /// A body of mass about 1 kg; scale multiplies its inertia.
  int body(const Vec3& p, double scale = 1) {
    const int b = graph.add_block(6, MassForm::split);
    inv_mass.push_back(uniform(.5, 2) / scale);
    const MatX W = spd(3) / scale;
    inv_mass.insert(inv_mass.end(), W.data(), W.data() + 9);
    centre.resize(graph.blocks.size());
    centre.back() = p;
    return b;
  }
  int affine() {
    const int b = graph.add_block(12, MassForm::split);
    inv_mass.push_back(uniform(.5, 2));
    const MatX W = spd(3);
    inv_mass.insert(inv_mass.end(), W.data(), W.data() + 9);
    centre.resize(graph.blocks.size());
    return b;
  }
  int dense(int n) {
    const int b = graph.add_block(n, MassForm::dense);
    const MatX W = spd(n);
    inv_mass.insert(inv_mass.end(), W.data(), W.data() + n * n);
    centre.resize(graph.blocks.size());
    return b;
  }
  int unit(int n) {
    const int b = graph.add_block(n, MassForm::unit);
    centre.resize(graph.blocks.size());
    return b;
  }
  /// A group of m rows with random numbers.
  int group(int m, std::vector<int> blocks) {
    const int g = graph.add_group(m, blocks);
    while (static_cast<int>(J.size()) < graph.J_size) J.push_back(uniform());
    add_rows(m);
    return g;
  }
  /// Rows of forces along `force` at x with couples `couple`, between rigid bodies a and b (-1: the
  /// ground): what any joint looks like. They annihilate common rigid motion.
  int joint(int a, int b, const Vec3& x, std::span<const Vec3> force,
            std::span<const Vec3> couple) {
    std::vector<int> blocks;
    if (a >= 0) blocks.push_back(a);
    blocks.push_back(b);
    const int m = static_cast<int>(force.size());
    const int g = graph.add_group(m, blocks);
    for (const int e : blocks)
      for (int r = 0; r < m; ++r) {
        const double sign = e == b ? 1 : -1;
        const Vec3 f = sign * force[at(r)];
        const Vec3 t = (x - centre[at(e)]).cross(f) + sign * couple[at(r)];
        J.insert(J.end(), {f.x(), f.y(), f.z(), t.x(), t.y(), t.z()});
      }
    add_rows(m);
    return g;
  }
  int ball(int a, int b, const Vec3& x) {
    const Vec3 f[3] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()},
               t[3] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    return joint(a, b, x, f, t);
  }
  int hinge_y(int a, int b, const Vec3& x) {
    const Vec3 o = Vec3::Zero();
    const Vec3 f[5] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), o, o};
    const Vec3 t[5] = {o, o, o, Vec3::UnitX(), Vec3::UnitZ()};
    return joint(a, b, x, f, t);
  }
  void add_rows(int m) {
    compliance.insert(compliance.end(), at(m), 0.);
    active.insert(active.end(), at(m), 1);
  }

  System system() const { return {J.data(), inv_mass.data(), compliance.data(), active.data()}; }
  MatX dense_J() const {
    MatX out = MatX::Zero(graph.n_rows, graph.n_u);
    for (const auto& g : graph.groups)
      for (int e = g.end; e < g.end + g.n_ends; ++e) {
        const auto& end = graph.ends[at(e)];
        const int n = graph.blocks[at(end.block)].n;
        for (int r = 0; r < g.m; ++r)
          for (int c = 0; c < n; ++c)
            out(g.row + r, graph.u_offset[at(end.block)] + c) = J[at(end.J + r * n + c)];
      }
    return out;
  }
  MatX dense_inverse_mass() const {
    MatX out = MatX::Zero(graph.n_u, graph.n_u);
    for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
      const auto& block = graph.blocks[b];
      const double* W = inv_mass.data() + block.mass;
      const int o = graph.u_offset[b];
      if (block.form == MassForm::unit) {
        out.block(o, o, block.n, block.n).setIdentity();
      } else if (block.form == MassForm::split) {
        out.block(o, o, 3, 3) = W[0] * MatX::Identity(3, 3);
        for (int k = 3; k < block.n; k += 3)
          out.block(o + k, o + k, 3, 3) = Eigen::Map<const Mat3>(W + 1);
      } else {
        out.block(o, o, block.n, block.n) = Eigen::Map<const MatX>(W, block.n, block.n);
      }
    }
    return out;
  }
  /// S with its compliance; rows and columns of inactive rows zero.
  MatX dense_S() const {
    const MatX j = dense_J();
    MatX S = j * dense_inverse_mass() * j.transpose();
    for (int i = 0; i < S.rows(); ++i) S(i, i) += compliance[at(i)];
    for (int i = 0; i < S.rows(); ++i)
      if (!active[at(i)]) S.row(i).setZero(), S.col(i).setZero();
    return S;
  }
};

inline Problem chain(int n, bool hinges = false) {
  Problem p;
  for (int i = 0; i < n; ++i) {
    const int b = p.body({i + .5, 0, 0});
    if (hinges)
      p.hinge_y(b - 1, b, Vec3(i, 0, 0));
    else
      p.ball(b - 1, b, Vec3(i, 0, 0));
  }
  return p;
}

/// n bodies each hung by a ball joint on body 0, which is free.
inline Problem star(int n) {
  Problem p;
  p.body(Vec3::Zero());
  for (int i = 0; i < n; ++i) {
    const Vec3 x = p.vec3();
    p.ball(0, p.body(x + p.vec3()), x);
  }
  return p;
}

/// n windows of a planar four-bar in a row, written with spatial hinges about y: 15 n + 5 rows on
/// 12 n + 6 unknowns, and yet it moves.
inline Problem windows(int n) {
  Problem p;
  for (int i = 0; i <= n; ++i) {
    const int post = p.body({1. * i, 0, .5});
    p.hinge_y(-1, post, Vec3(i, 0, 0));
    if (!i) continue;
    const int beam = p.body({i - .5, 0, 1});
    p.hinge_y(i == 1 ? 0 : post - 2, beam, Vec3(i - 1, 0, 1));
    p.hinge_y(beam, post, Vec3(i, 0, 1));
  }
  return p;
}

}  // namespace trammel::solve::test
