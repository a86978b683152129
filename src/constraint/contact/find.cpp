#include "constraint/contact/find.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "constraint/contact/motion.h"
#include "math/brief.h"
#include "math/parallel.h"

namespace trammel::constraint {

namespace {
std::vector<contact::Placed> placed(const model::ContactScene& scene) {
  std::vector<contact::Placed> out;
  for (const model::ContactShape& s : scene.shapes) out.push_back({s.object, s.X_OS, s.shape});
  return out;
}

/// A tangent that follows from the normal alone.
Vec3 tangent_of(const Vec3& n) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) < std::abs(n[least])) least = i;
  return n.cross(Vec3::Unit(least)).normalized();
}

/// The first point of each pair, and the end.
void find_pairs(PointSet& set) {
  set.pair.clear();
  for (std::size_t i = 0; i < set.size(); ++i)
    if (i == 0 || set.points[i].A != set.points[i - 1].A || set.points[i].B != set.points[i - 1].B)
      set.pair.push_back(static_cast<int>(i));
  set.pair.push_back(count(set.points));
}

void make_frames(const ContactSurfaces& s, const model::KinematicsCache& at_, PointSet& set) {
  const std::size_t n = set.size();
  set.t.resize(n);
  set.s.resize(n);
  set.own.resize(n);
  parallel::for_pieces(static_cast<int>(n), kContactGrain, [&](int first, int last) {
    for (std::size_t i = at(first); i < at(last); ++i) {
      const Vec3& normal = set.points[i].n;
      const bool again = i > at(first) && normal == set.points[i - 1].n;
      set.t[i] = again ? set.t[i - 1] : tangent_of(normal);
      set.s[i] = again ? set.s[i - 1] : Vec3(normal.cross(set.t[i]));
      set.own[i] = own_rates(s, set, i, at_);
    }
  });
}

/// The islands of coupled points, one after the other.
void group_by_islands(PointSet& set) {
  const auto island = [&](int i) { return set.island[at(i)]; };
  std::sort(set.coupled.begin(), set.coupled.end(),
            [&](int i, int k) { return island(i) != island(k) ? island(i) < island(k) : i < k; });
  set.group.clear();
  for (int k = 0; k < count(set.coupled); ++k)
    if (k == 0 || island(set.coupled[at(k)]) != island(set.coupled[at(k - 1)]))
      set.group.push_back(k);
  set.group.push_back(count(set.coupled));
}

void sort_by_islands(const ContactSurfaces& s, Forest& islands, PointSet& set) {
  islands = s.ties;
  for (std::size_t k = 0; k + 1 < set.pair.size(); ++k)
    tie(s, set.points[at(set.pair[k])], islands);
  brief::vector<unsigned char> tied(islands.size(), 0);
  for (std::size_t b = 0; b < islands.size(); ++b)
    if (s.tied[b]) tied[at(islands.root(static_cast<int>(b)))] = 1;
  set.free.clear();
  set.coupled.clear();
  set.island.resize(set.size());
  for (std::size_t i = 0; i < set.size(); ++i) {
    set.island[i] = island_of(s, set.points[i], islands);
    (tied[at(set.island[i])] ? set.coupled : set.free).push_back(static_cast<int>(i));
  }
  group_by_islands(set);
}

/// Parts the points into free and coupled ones, by the islands that contacts and rows make.
void sort(const ContactSurfaces& s, Forest& islands, PointSet& set) {
  set.island.clear();
  if (s.any_tied) return sort_by_islands(s, islands, set);
  set.coupled.clear();
  set.group.assign(1, 0);
  set.free.resize(set.size());
  std::iota(set.free.begin(), set.free.end(), 0);
}

ContactArms arms_of(const ContactSurfaces& s, const contact::Point& p,
                    const model::KinematicsCache& at_) {
  const Vec3 x = place_of(s, p);
  const int a = s.body_of(p.A), b = s.body_of(p.B);
  return {a < 0 ? -1 : s.free_u[at(a)], b < 0 ? -1 : s.free_u[at(b)],
          x - at_.T_WO[at(s.object_of(p.A))].p, x - at_.T_WO[at(s.object_of(p.B))].p};
}

/// A free point as its solver sees it. What has no unknowns comes after the free bodies, as one
/// that does not move.
piles::ContactPoint free_point(const ContactSurfaces& s, const PointSet& set, std::size_t i) {
  const contact::Point& p = set.points[i];
  const model::ContactLaw& law = law_of(s, p);
  const int a = s.body_of(p.A), b = s.body_of(p.B);
  const ContactArms& arms = set.arms[i];
  return {a < 0 ? s.n_free() : a,
          b < 0 ? s.n_free() : b,
          arms.r_a,
          arms.r_b,
          p.n,
          set.t[i],
          set.s[i],
          law.friction,
          law.rolling,
          law.spinning};
}

void make_free(const ContactSurfaces& s, const model::KinematicsCache& at_, PointFinder& finder,
               PointSet& set) {
  const solve::Graph& graph = s.kin.graph();
  finder.bodies.assign(at(s.n_free() + 1), {});
  for (std::size_t k = 0; k < s.free_block.size(); ++k) {
    const double* inv = at_.inv_mass.data() + graph.blocks[at(s.free_block[k])].mass;
    finder.bodies[k] = {inv[0], Eigen::Map<const Mat3>(inv + 1)};  // symmetric
  }
  finder.points.resize(set.free.size());
  set.arms.resize(set.size());
  parallel::for_pieces(count(set.free), kContactGrain, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const std::size_t i = at(set.free[at(k)]);
      set.arms[i] = arms_of(s, set.points[i], at_);
      finder.points[at(k)] = free_point(s, set, i);
    }
  });
  set.system.build_of(finder.bodies, finder.points);
}

void make_columns(const ContactSurfaces& s, const PointSet& set, std::size_t i,
                  const model::KinematicsCache& at_, ContactColumns& out) {
  const contact::Point& p = set.points[i];
  const Vec3 x = place_of(s, p);
  for (const int side : {0, 1}) {
    const int object = s.object_of(side ? p.B : p.A);
    const model::Object& o = s.model().objects[at(object)];
    out.u[at(side)] = out.n[at(side)] = 0;
    if (o.block < 0) continue;
    const model::Block& b = s.model().blocks[at(o.block)];
    const body::Transform& T = at_.T_WO[at(object)];
    const Vec3 own = T.A.inverse() * (x - T.p);
    out.u[at(side)] = b.v;
    out.n[at(side)] = b.n;
    out.c[at(side)].assign(6 * at(b.n), 0);
    for (int k = 0; k < 6; ++k) {
      const Vec3 d = (side ? 1 : -1) * (k % 3 == 0 ? p.n : k % 3 == 1 ? set.t[i] : set.s[i]);
      const Vec3 none = Vec3::Zero();
      s.kin.add_wrench(object, own, k < 3 ? d : none, k < 3 ? none : d, at_,
                       out.c[at(side)].data() + k * b.n - b.v);
    }
  }
}

void make_coupled(const ContactSurfaces& s, const model::KinematicsCache& at_, PointSet& set) {
  set.columns.resize(std::max(set.columns.size(), set.coupled.size()));
  set.column.assign(set.size(), -1);
  for (int k = 0; k < count(set.coupled); ++k) {
    const int i = set.coupled[at(k)];
    set.column[at(i)] = k;
    make_columns(s, set, at(i), at_, set.columns[at(k)]);
  }
}
}  // namespace

PointFinder::PointFinder(const ContactSurfaces& s)
    : detector(placed(s.model().contacts), model::pair_rule(s.model())),
      X_WO(s.model().objects.size()) {}

void find_points(const ContactSurfaces& s, const model::KinematicsCache& at_,
                 std::span<const double> margin, PointFinder& finder,
                 std::vector<contact::Point>& out) {
  for (std::size_t i = 0; i < finder.X_WO.size(); ++i)
    finder.X_WO[i] = {at_.T_WO[i].p,
                      body::rotation(s.model().objects[i].motion_kind, at_.T_WO[i].A)};
  finder.detector.find(finder.X_WO, margin, out);
}

void find(const ContactSurfaces& s, const model::KinematicsCache& at_,
          std::span<const double> margin, PointFinder& finder, PointSet& out) {
  find_points(s, at_, margin, finder, out.points);
  prepare(s, at_, finder, out);
}

void prepare(const ContactSurfaces& s, const model::KinematicsCache& at_, PointFinder& finder,
             PointSet& set) {
  find_pairs(set);
  make_frames(s, at_, set);
  sort(s, finder.islands, set);
  make_free(s, at_, finder, set);
  make_coupled(s, at_, set);
}

void find_islands(const ContactSurfaces& s, PointFinder& finder, PointSet& set) {
  if (set.island.size() != set.size()) sort_by_islands(s, finder.islands, set);
}

}  // namespace trammel::constraint
