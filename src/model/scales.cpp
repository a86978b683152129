#include "model/scales.h"

#include <algorithm>
#include <cmath>

#include "math/index.h"
#include "model/model.h"
#include "model/state.h"

namespace trammel::model {

namespace {

/// Rounding of coordinates is to thresholds of a mechanism what it is at 10 km to those of 1 m.
constexpr double kFar = 1e-4;

double gyration(const Model& m, const Params& params, const Object& object) {
  const PoolSlot& slot = m.pools[at(object.pool)];
  const int n = slot.pool->n_objects;
  return slot.pool->gyration(params.values.data() + slot.param, object.index / n, object.index % n);
}

/// Returns how far the surfaces of each object that touch others reach from its mass centre; 0:
/// there are none that end.
std::vector<double> reach_of_surfaces(const Model& m) {
  std::vector<double> out(m.objects.size(), 0);
  for (const ContactShape& s : m.contacts.shapes) {
    const double reach = contact::extent(s.shape).reach;
    double& most = out[at(s.object)];
    if (reach > 0) most = std::max(most, s.X_OS.p.norm() + reach);
  }
  return out;
}

/// Returns the greatest distance that a point goes for a radian of the coordinates that are angles;
/// J: how its object moves with n coordinates, row after row.
double reach(const double* J, int n, const double* is_angle) {
  double out = 0;
  for (int j = 0; j < n; ++j)
    if (is_angle[j] > 0) out = std::max(out, Vec3(J[j], J[n + j], J[2 * n + j]).norm());
  return out;
}

/// Calls f(place, reach) for the mass centres of all objects that are part of a system.
template <class F>
void for_objects_of_systems(const Model& m, const Params& params, const std::vector<double>& q,
                            const F& f) {
  for (const PoolSlot& s : m.pools) {
    const body::Pool& pool = *s.pool;
    if (pool.identity()) continue;
    const int nv = pool.nv, size = body::motion_size(pool.motion_kind()) * nv;
    std::vector<double> derived(at(pool.n_blocks * pool.n_derived)), angle(at(pool.n_blocks * nv)),
        J(at(pool.n_blocks * pool.n_objects * size));
    std::vector<body::Transform> places(at(pool.n_blocks * pool.n_objects));
    pool.derive(params.values.data() + s.param, derived.data());
    pool.transforms(derived.data(), q.data() + s.q, places.data(), J.data());
    pool.speed_tolerances(0, 1, angle.data());
    for (int k = 0; k < count(places); ++k)
      f(places[at(k)].p, reach(&J[at(k * size)], nv, &angle[at(k / pool.n_objects * nv)]));
  }
}

/// Calls f(x, is_length) for the coordinates, or the velocities, of all bodies.
template <class F>
void for_coordinates(const Model& m, const std::vector<double>& q, const F& f) {
  std::vector<double> kind(q.size());
  for (const PoolSlot& s : m.pools) s.pool->tolerances(2, 1, kind.data() + s.q);
  for (std::size_t i = 0; i < q.size(); ++i) f(std::abs(q[i]), kind[i] == 2);
}
template <class F>
void for_velocities(const Model& m, const std::vector<double>& u, const F& f) {
  std::vector<double> kind(u.size());
  for (const PoolSlot& s : m.pools) s.pool->speed_tolerances(2, 1, kind.data() + s.v);
  for (std::size_t i = 0; i < u.size(); ++i) f(std::abs(u[i]), kind[i] == 2);
}

/// Returns the greatest coordinate that is a length, of bodies and of the objects of systems [m].
double farthest(const Model& model, const Params& params, const std::vector<double>& q) {
  double out = 0;
  for_coordinates(model, q, [&](double x, bool is_length) {
    if (is_length) out = std::max(out, x);
  });
  for_objects_of_systems(model, params, q, [&](const Vec3& p, double) {
    out = std::max(out, p.lpNorm<Eigen::Infinity>());
  });
  return out;
}

/// Returns the speed of a fall over a length or, without gravity, the greatest at the start, or,
/// where all is at rest, the length in a second.
double greatest_speed(const Model& model, const Params& params, const std::vector<double>& u,
                      double length) {
  const double fall = std::sqrt(vec3(params.values.data() + kGravityParam).norm() * length);
  if (fall > 0) return fall;
  double fastest = 0;
  for_velocities(model, u, [&](double x, bool is_length) {
    fastest = std::max(fastest, is_length ? x : length * x);
  });
  return fastest > 0 ? fastest : length;
}

/// True for mechanisms of ordinary size and pace, and those of which nothing is known.
bool ordinary(const Scales& s) {
  const auto in = [](double x) { return x >= kOrdinaryFrom && x <= kOrdinaryTo; };
  const auto known = [](double x) { return x > 0 && std::isfinite(x); };
  return !known(s.length) || !known(s.speed) || (in(s.length) && in(s.speed) && in(s.arm));
}

}  // namespace

std::vector<double> arms(const Model& m, const Params& params) {
  std::vector<double> out = reach_of_surfaces(m);
  for (std::size_t i = 0; i < m.objects.size(); ++i) {
    const double r = m.objects[i].block < 0 ? 0 : gyration(m, params, m.objects[i]);
    if (m.objects[i].block < 0 || (r > 0 && r < out[i]) || !(out[i] > 0)) out[i] = r;
  }
  const auto reaches = [&](int object, const Vec3& p) {
    if (m.objects[at(object)].block >= 0) out[at(object)] = std::max(out[at(object)], p.norm());
  };
  for (const Joint& j : m.joints) {
    if (j.coupling >= 0) continue;
    reaches(j.object_A, j.X_OA.p);
    reaches(j.object_B, j.X_OB.p);
  }
  return out;
}

double greatest_arm(const Model& m, const Params& params) {
  double out = 0;
  for (const double arm : arms(m, params)) out = std::max(out, arm);
  return out;
}

double greatest_reach(const Model& m, const Params& params, const std::vector<double>& q) {
  double out = 0;
  for_objects_of_systems(m, params, q, [&](const Vec3&, double x) { out = std::max(out, x); });
  return out;
}

double greatest_coordinate(const Model& model, const std::vector<double>& q) {
  double out = 0;
  for_coordinates(model, q, [&](double x, bool is_length) {
    out = std::max(out, is_length ? x / model.scales.length : x);
  });
  return out;
}

Scales scales_of(const Model& model, const Params& params, const std::vector<double>& q,
                 const std::vector<double>& u) {
  const double arm = std::max(greatest_arm(model, params), greatest_reach(model, params, q)),
               far = farthest(model, params, q);
  // points without joints have no size but their places
  const double length = arm > 0 ? std::max(arm, kFar * far) : far,
               speed = greatest_speed(model, params, u, length);
  const Scales own{length, speed, arm > 0 ? arm : length};
  return ordinary(own) ? Scales{} : own;
}

}  // namespace trammel::model
