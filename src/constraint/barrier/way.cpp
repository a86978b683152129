// The ways of surfaces that a barrier parts.
#include "constraint/barrier/way.h"

#include <algorithm>

#include "math/index.h"
#include "math/rotation.h"

namespace trammel::constraint {

namespace {

namespace barrier = contact::barrier;
constexpr double kBent = 0.1;          // of its length, from a chord to its way, in the middle
constexpr double kChordTurned = 0.01;  // of a rotation more: it may turn by 0.2 rad

bool can_move(const model::Model& m, int object) { return m.objects[at(object)].block >= 0; }

/// The path of an object over a Newton step, as retract() goes it, or the chord of that.
barrier::Path path_of(const model::Model& m, const body::Transform& T, int o,
                      const BarrierWay& way) {
  barrier::Path out;
  out.p = T.p;
  out.A = T.A;
  const model::Object& object = m.objects[at(o)];
  if (object.block < 0 || !way.dq) return out;
  if (object.jacobian >= 0) {
    const body::Transform& end = (*way.ends)[at(o)];
    out.dp = end.p - T.p;
    out.w = log_quat(Quat(Mat3(end.A * T.A.transpose())));
    return out;
  }
  const double* d = way.dq + m.blocks[at(object.block)].v;
  out.dp = vec3(d);
  if (!body::is_embedded(object.motion_kind)) {
    out.w = vec3(d + 3);
    return out;
  }
  for (int i = 0; i < 3; ++i) out.dA.row(i) = vec3(d + 3 + 3 * i).transpose();
  const Mat3 turn = out.dA * T.A.transpose();
  out.w = 0.5 * Vec3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
  out.dA -= skew(out.w) * T.A;
  return out;
}

/// Whether half of a way is near the middle of its chord; not where there is no such place.
bool is_near_chord(const body::Transform& from, const body::Transform& half,
                   const body::Transform& to, double width) {
  const Vec3 dp = to.p - from.p;
  const Mat3 dA = to.A - from.A;
  return (half.p - from.p - 0.5 * dp).norm() <= kBent * dp.norm() + width &&
         (half.A - from.A - 0.5 * dA).norm() <= kBent * dA.norm() + kChordTurned;
}

}  // namespace

BarrierContact barrier_of(const model::Model& m, const BarrierNumbers& numbers,
                          std::shared_ptr<const BarrierSurfaces> surfaces) {
  BarrierContact out;
  out.barrier = numbers;
  out.surfaces = surfaces ? std::move(surfaces) : surfaces_of(m);
  if (!out.surfaces) return out;
  for (const BarrierSurfaces::Of& s : out.surfaces->all) {
    out.object.push_back(s.object);
    out.movers.push_back({s.surface.get(), {}});
  }
  for (const int o : out.object) out.chords |= m.objects[at(o)].jacobian >= 0;
  out.corners.resize(out.movers.size());
  out.scale.assign(out.movers.size() * out.movers.size(), 0);
  return out;
}

void stand(const model::Model& m, const std::vector<body::Transform>& T_WO,
           const std::vector<double>& mass, double g, double h, BarrierContact& c) {
  set_scales(mass, g, h, c);
  set_out(m, T_WO, {}, c);
  take_close(T_WO, c);
}

void set_out(const model::Model& m, const std::vector<body::Transform>& T_WO, const BarrierWay& way,
             BarrierContact& c) {
  for (std::size_t i = 0; i < c.movers.size(); ++i)
    c.movers[i].path = path_of(m, T_WO[at(c.object[i])], c.object[i], way);
  if (c.chords) c.from = T_WO;
  const auto may_meet = [&](int a, int b) {
    const int A = c.object[at(a)], B = c.object[at(b)];
    if (A == B || (!can_move(m, A) && !can_move(m, B))) return false;
    return !c.surfaces->may_meet || c.surfaces->may_meet(A, B);
  };
  c.candidates = barrier::find_candidates(c.movers, may_meet, c.barrier.distance);
  c.hits.clear();
  if (way.dq) c.hits = barrier::find_hits(c.movers, c.candidates, c.barrier.distance);
  c.free = barrier::free_way(c.hits);
}

bool follow_chords(const model::Model& m, const std::vector<body::Transform>& from,
                   const std::vector<body::Transform>& half, const std::vector<body::Transform>& to,
                   const BarrierContact& c) {
  return std::all_of(c.object.begin(), c.object.end(), [&](int o) {
    return m.objects[at(o)].jacobian < 0 ||
           is_near_chord(from[at(o)], half[at(o)], to[at(o)], c.barrier.distance);
  });
}

bool reaches(const model::Model& m, const double* dq, const std::vector<body::Transform>& ends,
             BarrierContact& c) {
  for (const int o : c.object)
    if (!ends[at(o)].p.allFinite() || !ends[at(o)].A.allFinite()) return false;
  set_out(m, std::vector(c.from), {dq, &ends}, c);
  return !(c.free < 1);
}

double turn_of_carried(const model::Model& m, const model::KinematicsCache& cache, const double* dq,
                       const BarrierContact& c) {
  double most = 0;
  for (const int o : c.object) {
    const model::Object& object = m.objects[at(o)];
    if (object.jacobian < 0) continue;
    const model::Block& block = m.blocks[at(object.block)];
    const Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>> J(
        cache.jacobian.data() + object.jacobian, 6, block.n);
    const Vec3 turn = J.bottomRows<3>() * Eigen::Map<const VecX>(dq + block.v, block.n);
    most = std::max(most, turn.norm());
  }
  return most;
}

}  // namespace trammel::constraint
